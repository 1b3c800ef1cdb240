/* SPDX-License-Identifier: Apache-2.0 */
/* run_model - a program on the C model: at once, or with copies that take their time. */
#ifndef CROSSCHECK_RUN_MODEL_H
#define CROSSCHECK_RUN_MODEL_H

#include "crosscheck/feed.h"

/** Run @p p from the memories @p before, with the program's barriers in them. @p result is empty
 * and becomes the caller's. False: a queue that is not faulted has commands left. */
bool run_model(const struct program *p, const struct memory *before, struct result *result);

/** The same in two parts; between them the model goes on with what it has. */
bool model_begin(struct feed *f, const struct program *p, const struct memory *before, struct result *result);
void model_end(struct feed *f);

/** What the illegal command of a victim, a tensor copy, would leave of @p before were all memory there, without
 * windows and without errors. @p whole is empty and becomes the caller's. */
void whole_copy(const struct program *p, uint32_t victim, const struct memory *before, struct memory *whole);

/**
 * The same with random order between queues, and copies that read and write at random times after
 * they issue: an order that nothing forbids. For at most 8 queues, and no late fault.
 *
 * It shows that a program has no race, without the RTL.
 */
bool run_model_late(const struct program *p, const struct memory *before, uint64_t seed,
                    struct result *result);

#endif
