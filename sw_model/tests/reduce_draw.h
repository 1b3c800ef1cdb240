/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_draw - operands of reductions at random, for tests of the model and of the RTL.
 */
#ifndef REDUCE_DRAW_H
#define REDUCE_DRAW_H

#include <stdint.h>

#include "lib/rng.h"

/** Two numbers, in the low bits, of a format of 1 + @p exponent_bits + @p fraction_bits bits. Their exponents lie
 * near each other as often as not, and the second one is sometimes such that the sum is a tie, or almost nothing;
 * subnormal numbers, infinities and NaNs are among them. */
void reduce_draw_floats(struct rng *r, int exponent_bits, int fraction_bits, uint64_t pair[2]);

/** Values of such a format beside which something changes, of both signs: zero, the subnormal and normal numbers at
 * the ends, infinity, and NaNs, quiet and signalling. */
#define REDUCE_SPECIALS 24
void reduce_draw_specials(int exponent_bits, int fraction_bits, uint64_t values[REDUCE_SPECIALS]);

#endif
