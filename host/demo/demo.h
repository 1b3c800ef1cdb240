/* SPDX-License-Identifier: Apache-2.0 */
/* The demo's parts: a file in memory, the programs that move it, what came out of an engine. */
#ifndef DEMO_H
#define DEMO_H

#include "tma.h"

/* Bytes of every 16 that the masked store writes. */
#define DEMO_MASK 0x5A5Au
/* What the destinations hold before. */
#define DEMO_BLANK 0xA5

struct demo_file {
	const char *name;
	uint8_t *bytes;
	uint32_t size;   /* as it lies on the disk */
	uint32_t padded; /* rounded up to a multiple of 16, with zeros */
};

/** Read a file. @return 0; or -1, and the reason is on stderr. */
int demo_read_file(struct demo_file *file, const char *name);

enum demo_stage {
	DEMO_LOAD,      /* global memory -> shared memory of all CTAs, multicast */
	DEMO_MASKED,    /* CTA 0 -> global memory, only the bytes of the mask */
	DEMO_SHARED,    /* every CTA -> the next one */
	DEMO_READ_BACK, /* every CTA -> global memory */
	DEMO_ALL,       /* all of it at once */
	DEMO_STAGES,
};

/* What one engine made of the file; the first half of each array is from one stage at a time, the
 * second from all at once. */
struct demo_result {
	struct tma_device_info info;
	uint64_t cycles[DEMO_STAGES];
	uint8_t *global[2]; /* masked copy, then the copy that each CTA made */
	uint8_t *shared[2]; /* shared memory of all CTAs */
	uint64_t global_bytes, shared_bytes;
};

/** Move the file through the engine that the options open.
 * @return 0, the result is the caller's to free; or -1, and the reason is on stderr */
int demo_run(const struct tma_options *options, const struct demo_file *file, struct demo_result *result);
void demo_free_result(struct demo_result *result);

/* One engine with its queues: queue r executes in CTA r. */
struct demo_engine {
	struct tma_device *device;
	struct tma_device_info info;
	struct tma_queue *queues[TMA_REG_QUEUE_COUNT];
	uint64_t input, masked, copies; /* global addresses; the copies follow each other */
	uint32_t bytes;                 /* of the file, padded */
};

/** Both ways to move the whole file. Every barrier is initialised anew.
 * @return 0; or -1, and the reason is on stderr */
int demo_stage_by_stage(struct demo_engine *engine, uint64_t cycles[DEMO_STAGES]);
int demo_all_at_once(struct demo_engine *engine, uint64_t cycles[DEMO_STAGES]);

#endif
