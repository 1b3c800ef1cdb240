/* SPDX-License-Identifier: Apache-2.0 */
/*
 * registers - what an engine does by its registers, the same for all back ends.
 *
 * Functions that return int give 0, TMA_EDEVICE, or what they say. A register that refuses what it must
 * not refuse is TMA_EDEVICE.
 */
#ifndef REGISTERS_H
#define REGISTERS_H

#include "backend.h"

struct tma_device;

/* A queue's set-up; windows are whole pages. */
struct queue_setup {
	uint32_t cta, cta_mask;
	const struct tma_queue_window *windows;
	uint32_t num_windows;
	uint8_t stream, prot;
	uint16_t cancel_mask;
	bool ring; /* commands and records travel through memory, not through the direct port */
	uint8_t ring_log2, completion_log2;
	uint64_t ring_base, completion_base;
};

/* A multimem window; whole pages. ports 0 closes it. */
struct multimem_setup {
	uint64_t address, bytes;
	uint32_t ports;
	uint64_t port_address[TMA_MAX_PORTS];
};

/** Is it an engine, and what can it do? Fills device->info. @retval TMA_EVERSION */
int registers_identify(struct tma_device *device);

/** Queues and multimem windows closed, whoever opened them. @retval TMA_ETIMEDOUT */
int registers_quiet(const struct tma_device *device);

/** @retval TMA_ENOTSUP  the engine does not count it */
int registers_counter(const struct tma_device *device, enum tma_counter which, uint64_t *value);

/** Set multimem window @p index. @retval TMA_REFUSED  a queue has a window over multimem windows */
int registers_multimem(const struct tma_device *device, uint32_t index, const struct multimem_setup *window);

/** Set a queue up and enable it, whatever it did before. */
int registers_queue_open(const struct tma_device *device, uint32_t index, const struct queue_setup *setup);
/** Disable it, and wait until nothing of it is in flight, submit_limit cycles at most. @retval TMA_ETIMEDOUT */
int registers_queue_close(const struct tma_device *device, uint32_t index);
/** Drop all that it holds, and wait in the same way. @retval TMA_ETIMEDOUT */
int registers_queue_reset(const struct tma_device *device, uint32_t index);
/** Let it go on after a fault, as soon as nothing of it is in flight. @retval TMA_ETIMEDOUT */
int registers_queue_resume(const struct tma_device *device, uint32_t index, uint32_t sequence);
/** Fill everything but members size and waiting. */
int registers_queue_state(const struct tma_device *device, uint32_t index, struct tma_queue_state *state);

#endif
