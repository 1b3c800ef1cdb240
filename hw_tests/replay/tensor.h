/* SPDX-License-Identifier: Apache-2.0 */
/* tensor - records with a tensor map: the map's encoding, and the commands. */
#ifndef REPLAY_TENSOR_H
#define REPLAY_TENSOR_H

#include "replay/job.h"
#include "tma_map.h"

/** Encode the map of a tensor copy whose memory is assigned. -1: job->reason says why not. */
int tensor_map(struct job *job);

void tensor_build_load(struct job *job, struct rng *rng);
void tensor_build_store(struct job *job, struct rng *rng);
void tensor_build_reduce(struct job *job, struct rng *rng);

#endif
