/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_watch - see what a simulated engine does at its global ports, burst by burst. For time lines; `tma run --trace`
 * writes one.
 */
#ifndef TMA_WATCH_H
#define TMA_WATCH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
/* What the library exports, however it and the program are compiled. */
#pragma GCC visibility push(default)

struct tma_device;

enum tma_watch_kind {
	TMA_WATCH_READ,        /* the address of a read burst was taken */
	TMA_WATCH_READ_END,    /* its last data came; address as above */
	TMA_WATCH_WRITE,       /* the address of a write burst was taken */
	TMA_WATCH_WRITE_END,   /* it was answered */
	TMA_WATCH_READ_STALL,  /* an address waited for ARREADY, from `since` on, and was taken now */
	TMA_WATCH_WRITE_STALL, /* data waited for WREADY, the same */
};

/* What happened in one cycle. */
struct tma_watch_event {
	enum tma_watch_kind kind;
	uint32_t port;
	uint64_t cycle;   /* as tma_cycles() */
	uint64_t since;   /* of a stall: its first cycle */
	uint64_t address; /* of a burst */
	uint32_t bytes;   /* of a burst: whole beats */
	uint32_t id;      /* AXI id */
	uint8_t stream;   /* tma_queue_options.stream of its queue */
};

/**
 * Have a function called for each event from now on, inside the calls in which the clock runs. It must not
 * call the library. Once for a device; tma_close() ends it.
 *
 * @retval TMA_EINVAL   NULL, or somebody watches already
 * @retval TMA_ENOTSUP  the back end does not see its bus
 * @retval TMA_ENOMEM
 */
int tma_watch(struct tma_device *device, void (*see)(void *context, const struct tma_watch_event *event),
              void *context);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
