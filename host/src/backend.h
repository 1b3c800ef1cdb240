/* SPDX-License-Identifier: Apache-2.0 */
/*
 * backend - what a back end offers: one engine behind a table of functions.
 *
 * The library checks every argument before it calls, so back ends do not. Functions that return int
 * give 0 or an enum tma_error. Every slot is filled.
 */
#ifndef BACKEND_H
#define BACKEND_H

#include "tma.h"

/* What tma_memory_alloc() hands out on back ends that simulate memory. A queue without windows of
 * its own may use all of it. */
#define ARENA_BASE  UINT64_C(0x100000000)
#define ARENA_BYTES (UINT64_C(1) << 40)
#define PAGE_BYTES  UINT64_C(4096)

/* An open queue; windows are whole pages. */
struct backend_queue {
	uint32_t cta, cta_mask;
	const struct tma_queue_window *windows;
	uint32_t num_windows;
	uint8_t stream, prot;
};

struct tma_backend {
	const char *name;

	/** Open an engine and fill info, members size and backend excepted.
	 * @retval TMA_ECONFIG, TMA_EVERSION, TMA_EDEVICE, TMA_ENOMEM */
	int (*open)(const struct tma_options *options, struct tma_device_info *info, void **engine);
	void (*close)(void *engine);

	uint64_t (*cycles)(const void *engine);
	/** @retval TMA_EDEVICE  a rule was broken */
	int (*check)(const void *engine);
	/** @retval TMA_ENOTSUP, TMA_EDEVICE */
	int (*counter)(void *engine, enum tma_counter which, uint64_t *value);

	/** Let the engine go on, one clock cycle at most where there is a clock.
	 * @return 1 it did, 0 nothing is left that could happen by itself */
	int (*advance)(void *engine);

	/** Let the engine see host memory at a global address. Whole pages. @retval TMA_ENOMEM */
	int (*memory_map)(void *engine, uint64_t address, uint64_t bytes, void *host);
	/** Forget everything that was mapped. */
	void (*memory_unmap_all)(void *engine);
	/** Bring mapped bytes from the host's side to the device's or back; nothing where coherent. */
	int (*memory_sync)(void *engine, uint64_t address, uint64_t bytes, bool to_device);

	int (*smem_read)(void *engine, uint32_t cta, uint32_t offset, void *bytes, uint32_t size);
	int (*smem_write)(void *engine, uint32_t cta, uint32_t offset, const void *bytes, uint32_t size);

	/** Set a closed queue up and enable it. @retval TMA_EDEVICE */
	int (*queue_open)(void *engine, uint32_t index, const struct backend_queue *queue);
	void (*queue_close)(void *engine, uint32_t index);
	/** Fill everything but members size and waiting. @retval TMA_EDEVICE */
	int (*queue_state)(void *engine, uint32_t index, struct tma_queue_state *state);
	/** Commands in the queue that the engine has not taken. */
	uint32_t (*queue_waiting)(void *engine, uint32_t index);
	/** Append a command. @retval TMA_ENOMEM */
	int (*submit)(void *engine, uint32_t index, const struct tma_command *command);
	/** Take the queue's oldest record. @return 1 it is in *record, 0 there is none */
	int (*next_record)(void *engine, uint32_t index, struct tma_record *record);
};

extern const struct tma_backend tma_backend_model;

#endif
