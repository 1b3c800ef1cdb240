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

#define TMA_MAX_PORTS    4
#define TMA_MAX_MULTIMEM 8

/* Not an error: the engine answered a register access with SLVERR and changed nothing. */
#define REFUSED 1

/* An open queue; windows are whole pages. */
struct backend_queue {
	uint32_t cta, cta_mask;
	const struct tma_queue_window *windows;
	uint32_t num_windows;
	uint8_t stream, prot;
	uint16_t cancel_mask;
	bool ring; /* commands and records travel through memory, not through submit and next_record */
	uint8_t ring_log2, completion_log2;
	uint64_t ring_base, completion_base;
};

/* A multimem window; whole pages. ports 0 closes it. */
struct backend_multimem {
	uint64_t address, bytes;
	uint32_t ports;
	uint64_t port_address[TMA_MAX_PORTS];
};

struct tma_backend {
	const char *name;
	/* Of this struct, and TMA_VERSION: a shared object of another build is not for this library. */
	size_t size;
	uint32_t version;

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

	/** One 32-bit register. @return REFUSED, TMA_EDEVICE */
	int (*reg_read)(void *engine, uint32_t address, uint32_t *value);
	int (*reg_write)(void *engine, uint32_t address, uint32_t value);

	/** Let the engine see host memory at an address of a global port. Whole pages. @retval TMA_ENOMEM */
	int (*memory_map)(void *engine, uint32_t port, uint64_t address, uint64_t bytes, void *host);
	/** Take back what one call of memory_map did. */
	void (*memory_unmap)(void *engine, uint32_t port, uint64_t address, uint64_t bytes);
	/** Bring mapped bytes from the host's side to the device's or back; nothing where coherent. */
	int (*memory_sync)(void *engine, uint32_t port, uint64_t address, uint64_t bytes, bool to_device);
	/** Set multimem window @p index. @return REFUSED, TMA_EDEVICE */
	int (*multimem)(void *engine, uint32_t index, const struct backend_multimem *window);

	int (*smem_read)(void *engine, uint32_t cta, uint32_t offset, void *bytes, uint32_t size);
	int (*smem_write)(void *engine, uint32_t cta, uint32_t offset, const void *bytes, uint32_t size);

	/** Set a closed queue up and enable it. @retval TMA_EDEVICE, TMA_ENOTSUP */
	int (*queue_open)(void *engine, uint32_t index, const struct backend_queue *queue);
	/** What is in flight runs on. */
	void (*queue_close)(void *engine, uint32_t index);
	/** Let a faulted queue go on. @return REFUSED, TMA_EDEVICE */
	int (*queue_resume)(void *engine, uint32_t index, uint32_t sequence);
	/** Reset an open queue, and wait until it takes commands. @retval TMA_ETIMEDOUT, TMA_EDEVICE */
	int (*queue_reset)(void *engine, uint32_t index);
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
