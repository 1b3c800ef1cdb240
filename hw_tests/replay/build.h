/* SPDX-License-Identifier: Apache-2.0 */
/* build - turns records and barrier programs into commands. */
#ifndef REPLAY_BUILD_H
#define REPLAY_BUILD_H

#include "replay/job.h"

/** Name of a record's instruction. */
const char *build_name(const struct vec_record *record);

/** Why the engine cannot run the record, or NULL: it can. */
const char *build_skip(const struct vec_record *record, const struct replay_shape *shape);

/** Why the engine cannot run the program, or NULL. */
const char *build_skip_program(const struct vec_program *program);

/** Choose the engine's CTAs for the record's, for a queue that executes in job->cta. */
void build_ranks(struct job *job, const struct replay_shape *shape, struct rng *rng);

/** The record needs a barrier. */
bool build_has_barrier(const struct job *job);

/** The record needs room for a tensor map. */
bool build_has_map(const struct job *job);

/** Fill in the steps of a record whose memory is assigned. -1: out of memory, or job->reason says what is
 * wrong with the record. */
int build_record(struct job *job, struct rng *rng);

/** The same for a program. */
int build_program(struct job *job, struct rng *rng);

#endif
