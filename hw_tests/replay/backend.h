/* SPDX-License-Identifier: Apache-2.0 */
/*
 * backend - what a replay needs of an engine, as one table of functions.
 *
 * Call order: open(), map() and queue() for each region and queue, then the rest in any order,
 * close(). Functions that return int give 0 on success and a negative number on failure, after
 * which the engine is good for close() alone.
 */
#ifndef REPLAY_BACKEND_H
#define REPLAY_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

#include "tma_abi.h"

#define REPLAY_MAX_CTAS   16u
#define REPLAY_MAX_QUEUES 16u

struct replay_shape {
	uint32_t ctas, smem_bytes, queues;
	bool reduce; /* reductions are built */
	bool floats; /* those of floating point too */
	bool f64;    /* and those of f64 */
	bool packed; /* the padded types of tensor maps are */
};

struct replay_open {
	const char *config; /* NULL: "default" */
	uint64_t seed;
	const char *fst; /* waveform to write, or NULL */
};

/* Global memory that a queue may use; base and size are multiples of 4096. */
struct replay_window {
	uint64_t base, size;
	bool write; /* in addition to reads */
};

struct replay_backend {
	const char *name;
	bool has_fst;
	/* Calls of advance() after which an engine that has shown nothing new will not do so. */
	uint32_t patience;

	/** NULL: no such configuration, or what it printed on stderr. */
	void *(*open)(const struct replay_open *open, struct replay_shape *shape);
	void (*close)(void *engine);

	/** Back global addresses base..base+size-1 (multiples of 4096) with @p memory. */
	int (*map)(void *engine, uint64_t base, uint64_t size, void *memory);
	/** Enable a queue that may touch every CTA. @p ring: its commands and records go through rings in
	 * global memory, which the back end has, else through the direct port. */
	int (*queue)(void *engine, uint32_t queue, uint32_t cta, bool ring,
	             const struct replay_window *windows, uint32_t num_windows);

	/** From now on tensor stores write whole 16-byte granules, as the recorder's hardware does. */
	int (*store_granule16)(void *engine);

	int (*submit)(void *engine, uint32_t queue, const struct tma_command *command);
	/** Take a record, those of one queue in order: 1, or 0 there is none. */
	int (*record)(void *engine, struct tma_record *record);

	/** Shared memory, in the order of the calls per CTA; done by smem_flush() at the latest. The
	 * bytes must stay until then. */
	int (*smem_write)(void *engine, uint32_t cta, uint32_t offset, const void *bytes, uint32_t len);
	int (*smem_read)(void *engine, uint32_t cta, uint32_t offset, void *bytes, uint32_t len);
	int (*smem_flush)(void *engine);

	/** Let the engine work for a while. */
	int (*advance)(void *engine);
	/** Broken rules of the buses and of the engine's own assertions so far; printed when seen. */
	uint32_t (*failures)(void *engine);
};

extern const struct replay_backend replay_model, replay_late, replay_rtl;

#endif
