/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers that depend on the seed alone (splitmix64). */
#ifndef RNG_H
#define RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
	uint64_t state;
};

static inline uint64_t rng_next(struct rng *r)
{
	uint64_t z = r->state += UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

/** 0..n-1; n must not be 0. */
static inline uint32_t rng_below(struct rng *r, uint32_t n)
{
	return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

/** True in percent of 100 calls. Draws nothing when the answer is certain. */
static inline bool rng_percent(struct rng *r, uint32_t percent)
{
	return percent && (percent >= 100 || rng_below(r, 100) < percent);
}

/** A generator that is independent of the others made from the same seed. */
static inline struct rng rng_make(uint64_t seed, uint64_t stream)
{
	struct rng r = { seed ^ stream * UINT64_C(0xD1342543DE82EF95) };

	rng_next(&r);
	return r;
}

#endif
