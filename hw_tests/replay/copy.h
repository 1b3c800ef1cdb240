/* SPDX-License-Identifier: Apache-2.0 */
/* copy - what the builders of copies have in common: barriers, destinations, how the end is seen. */
#ifndef REPLAY_COPY_H
#define REPLAY_COPY_H

#include "replay/job.h"

/* Where a load goes. */
struct copy_target {
	bool many;      /* multicast */
	bool own;       /* the executing CTA is among the destinations */
	uint32_t ranks; /* the engine's CTAs that are */
};

/** The barrier of the record's CTA, ready to count the recorded bytes; the copy tells it of them, or
 * not. */
void copy_arm(struct job *job, uint32_t cta, bool counts, struct rng *rng);

/** Arm the barriers of all CTAs of a load. @p many: multicast to the record's mask. */
struct copy_target copy_arm_load(struct job *job, bool many, struct rng *rng);

/** Destination and barrier of a load. */
void copy_aim(struct job *job, struct step *copy, const struct copy_target *target, struct rng *rng);

/** How the end of a copy with barriers is seen: by its record when no barrier moves, by a wait of the
 * queue at times, else by looking at the barriers. */
void copy_watch(struct job *job, struct step *copy, const struct copy_target *target, struct rng *rng);

/** At times a cache hint, which must not change anything. */
void copy_hint(struct step *copy, struct rng *rng);

#endif
