/* SPDX-License-Identifier: Apache-2.0 */
/* A line that loses, doubles and flips bytes. */
#ifndef NOISE_H
#define NOISE_H

#include <stdint.h>

#include "lib/rng.h"

struct noise {
	struct rng rng;
	uint32_t rate; /* one byte of so many is damaged; 0: none */
	uint64_t lost, doubled, flipped;
};

struct noise noise_make(uint64_t seed, uint64_t stream, uint32_t rate);

/** What comes of a byte: 0 to 2 bytes in @p out. @return how many */
unsigned noise_pass(struct noise *noise, uint8_t byte, uint8_t out[2]);

#endif
