/* SPDX-License-Identifier: Apache-2.0 */
/* The model as a program needs it; shared by its two runners. */
#ifndef CROSSCHECK_MODEL_SETUP_H
#define CROSSCHECK_MODEL_SETUP_H

#include "crosscheck/feed.h"
#include "crosscheck/result.h"
#include "tma_model.h"

/** A model with the program's memories; result->memory.global is its global memory. */
struct tma_model *model_new(const struct program *p, const struct memory *before, uint32_t queues,
                            struct result *result);
/** @p rings: address of all rings; 0: the queue is on the direct port in any case. */
void model_queue(struct tma_model *m, uint32_t queue, const struct queue_setup *s, uint64_t rings);
/** Take memories and counters; the model is freed. */
void model_finish(struct tma_model *m, struct result *result);

/** Instead of the program's errors this one, NULL: none. */
void model_errors(struct feed *f, struct result *result, const struct bus_error *e);
/** The memories become these. */
void model_adopt(struct feed *f, struct result *result, const struct memory *memory);
/** Memories and counters as they are now. */
void model_take(struct feed *f, struct result *result);

#endif
