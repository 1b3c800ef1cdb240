/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce_draw.h"

void reduce_draw_floats(struct rng *r, int exponent_bits, int fraction_bits, uint64_t pair[2])
{
	uint32_t top = (1u << exponent_bits) - 1, exponent = rng_below(r, top + 1), other;
	uint64_t fraction = UINT64_C(1) << fraction_bits, low[2];
	uint32_t distance = rng_below(r, (uint32_t)fraction_bits + 4);

	if (rng_percent(r, 20))
		exponent = rng_percent(r, 50) ? rng_below(r, 3) : top - rng_below(r, 3);
	other = rng_percent(r, 70) ? exponent - distance : rng_below(r, top + 1);
	if (other > top)
		other = 0;
	for (int i = 0; i < 2; i++) {
		low[i] = rng_next(r) & (fraction - 1);
		if (rng_percent(r, 40)) /* few bits set, or few not */
			low[i] = ((UINT64_C(1) << rng_below(r, (uint32_t)fraction_bits)) - rng_below(r, 2)) &
			         (fraction - 1);
		if (rng_percent(r, 20))
			low[i] = ~low[i] & (fraction - 1);
	}
	if (rng_percent(r, 10))
		low[1] = low[0] ^ rng_below(r, 4);
	pair[0] = (uint64_t)exponent << fraction_bits | low[0];
	pair[1] = (uint64_t)other << fraction_bits | low[1];
	for (int i = 0; i < 2; i++)
		pair[i] |= (rng_next(r) & 1) << (exponent_bits + fraction_bits);
}

void reduce_draw_specials(int exponent_bits, int fraction_bits, uint64_t values[REDUCE_SPECIALS])
{
	uint64_t one = UINT64_C(1) << fraction_bits;
	uint64_t top = one * ((UINT64_C(1) << exponent_bits) - 1);
	uint64_t sign = UINT64_C(1) << (exponent_bits + fraction_bits);
	const uint64_t positive[REDUCE_SPECIALS / 2] = {
		0,   1,       one - 1,           one,           top - one,         top - 1,
		top, top + 1, top + one / 2 - 1, top + one / 2, top + one / 2 + 1, top + one - 1
	};

	for (int i = 0; i < REDUCE_SPECIALS / 2; i++) {
		values[i] = positive[i];
		values[REDUCE_SPECIALS / 2 + i] = positive[i] | sign;
	}
}
