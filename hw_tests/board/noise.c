/* SPDX-License-Identifier: Apache-2.0 */
#include "board/noise.h"

struct noise noise_make(uint64_t seed, uint64_t stream, uint32_t rate)
{
	return (struct noise){ .rng = rng_make(seed, stream), .rate = rate };
}

unsigned noise_pass(struct noise *noise, uint8_t byte, uint8_t out[2])
{
	out[0] = byte;
	out[1] = byte;
	if (!noise->rate || rng_below(&noise->rng, noise->rate))
		return 1;
	switch (rng_below(&noise->rng, 3)) {
	case 0:
		noise->lost++;
		return 0;
	case 1:
		noise->doubled++;
		return 2;
	default:
		noise->flipped++;
		out[0] ^= (uint8_t)(1u << rng_below(&noise->rng, 8));
		return 1;
	}
}
