/* SPDX-License-Identifier: Apache-2.0 */
/* tensor - records with a tensor map: the map's encoding, and the commands. */
#ifndef REPLAY_TENSOR_H
#define REPLAY_TENSOR_H

#include "replay/job.h"
#include "tma_map.h"

/** Encode the record's map for the global address @p address. 0, or why not in *error. */
int tensor_encode(const struct vec_record *record, enum tma_map_target target, uint64_t address,
                  struct tma_map *map, struct tma_map_error *error);

/** Encode the map of a tensor copy whose memory is assigned. -1: job->reason says why not. */
int tensor_map(struct job *job);

void tensor_build_load(struct job *job, struct rng *rng);
void tensor_build_store(struct job *job, struct rng *rng);

/** Encode the map of an `encode` record and compare answer and map with the driver's. The reason of
 * a difference is in job->reason. */
void tensor_check_encoding(struct job *job);

#endif
