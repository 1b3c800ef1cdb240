/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The world of fuzz_model: input as choices, a model of any shape with its memories, and what must
 * always hold of them.
 *
 * Port 0 has PAGES pages of global memory, of which the last one is in no window; the other ports have
 * as many, of which the last one backs no multimem window.
 */
#ifndef FUZZ_WORLD_H
#define FUZZ_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tma_model.h"

#define PAGE         4096u
#define PAGES        6u
#define OPEN_PAGES   (PAGES - 1)
#define GLOBAL_BYTES (PAGES * PAGE)
#define MAX_SMEM     2048u
#define BARRIERS     6u /* at the start of every shared memory, 16 bytes apart */

/* Slots of all rings: one page of commands, at most one of records. */
#define MAX_RING_LOG2       6u
#define MAX_COMPLETION_LOG2 7u

/* The input as an endless stream of choices: zeroes once it is used up. */
struct input {
	const uint8_t *data;
	size_t size, at;
};

uint32_t take(struct input *in, unsigned int bytes);
uint32_t choose(struct input *in, uint32_t n);
/** Mostly what is asked for. */
uint32_t mostly(struct input *in, uint32_t wanted, uint32_t other);
/** Three times in four all of a mask, else any part of it. */
uint16_t some_of(struct input *in, uint16_t mask);

struct memory {
	uint8_t smem[TMA_MODEL_MAX_CTAS][MAX_SMEM];
	uint8_t global[TMA_MODEL_MAX_PORTS][GLOBAL_BYTES];
};

struct world {
	struct tma_model *m;
	const struct tma_model_config *shape;
	uint64_t base; /* of global memory on every port; it may lie across address 0 */
	uint8_t *global[TMA_MODEL_MAX_PORTS][2]; /* in two pieces, each exactly as long as its map */
	uint16_t cta_mask;                       /* CTAs that any queue may touch */
	struct tma_queue_config queues[TMA_MODEL_MAX_QUEUES];
	struct memory first, before;
};

struct world *world_new(struct input *in);
void world_free(struct world *w);
/** A queue from the start, with new windows, a new CTA and perhaps the other front end. */
void world_restart(struct world *w, struct input *in, uint32_t queue);
/** Byte of port @p port's memory. */
uint8_t *world_byte(struct world *w, uint32_t port, uint32_t offset);

/** What is there now, into w->before. */
void world_snapshot(struct world *w);
/** Nothing has changed since, but for records in the completion ring of @p queue. */
void world_require_unchanged(struct world *w, uint32_t queue);
/** What nobody may touch is as it was at the start. */
void world_require_fences(struct world *w);

struct tma_queue_status world_status(const struct world *w, uint32_t queue);

/** Say what is broken and abort, unless it holds. */
void require(bool holds, const char *what);
/** Called before that; NULL at first. */
extern void (*on_failure)(void);

#endif
