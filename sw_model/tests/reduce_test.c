/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_test - the arithmetic of reductions against GNU MPFR.
 *
 * Requirement: semantics 3, M10-M15: every operator on every type that it goes with, in every bit.
 * Checks: f16 and bf16 on pairs of operands with every exponent, with --all one of them on all 2^32 pairs; words and longer
 *         numbers on the corners of each type with each other, and on random pairs of every distance of their
 *         exponents, with cancellation, ties, subnormal numbers and overflow among them.
 */
#include <stdio.h>
#include <string.h>

#include "arith.h"
#include "lib/cmocka_all.h"
#include "lib/rng.h"
#include "reduce_draw.h"
#include "reduce_ref.h"
#include "tma_abi.h"

#define RANDOM_PAIRS 300000u
#define HALF_VALUES  65536u

static bool all_pairs; /* of 16-bit types */

static void compare_with(uint64_t want, uint32_t op, uint32_t type, bool flush, uint64_t dst, uint64_t src)
{
	uint64_t got = arith_reduce(op, type, flush, dst, src);

	if (got != want)
		fail_msg("operator %u, type %u%s: 0x%llx with 0x%llx is 0x%llx, not 0x%llx", op, type,
		         flush ? ", flushed" : "", (unsigned long long)dst, (unsigned long long)src,
		         (unsigned long long)got, (unsigned long long)want);
}

static void compare(uint32_t op, uint32_t type, bool flush, uint64_t dst, uint64_t src)
{
	compare_with(reduce_ref(op, type, flush, dst, src), op, type, flush, dst, src);
}

/* Both ways round: with what it is not symmetric in, NaNs among them. */
static void compare_both(uint32_t op, uint32_t type, bool flush, uint64_t a, uint64_t b)
{
	compare(op, type, flush, a, b);
	compare(op, type, flush, b, a);
}

/* Of 16 bits both ways round are the same, NaNs included. */
static void compare_halves(uint32_t op, uint32_t type, uint64_t a, uint64_t b)
{
	uint64_t want = reduce_ref(op, type, false, a, b);

	compare_with(want, op, type, false, a, b);
	compare_with(want, op, type, false, b, a);
}

/* The values of a 16-bit type that a short run has: both signs, every exponent, and of its fractions the ends, the
 * middle and some others. */
static size_t draw_halves(uint32_t fraction_bits, struct rng *r, uint16_t values[HALF_VALUES])
{
	uint32_t ones = (1u << fraction_bits) - 1;
	size_t n = 0;

	if (all_pairs) {
		for (uint32_t i = 0; i < HALF_VALUES; i++)
			values[n++] = (uint16_t)i;
		return n;
	}
	for (uint32_t top = 0; top < HALF_VALUES >> fraction_bits; top++) {
		uint32_t fractions[] = {
			0, 1, ones / 2, ones / 2 + 1, ones, rng_below(r, ones + 1), ones - 1
		};

		for (size_t i = 0; i < sizeof(fractions) / sizeof(fractions[0]); i++)
			values[n++] = (uint16_t)(top << fraction_bits | fractions[i]);
	}
	return n;
}

static void try_halves(uint32_t type, uint32_t fraction_bits)
{
	static uint16_t values[HALF_VALUES];
	struct rng r = rng_make(type, 1);
	size_t n = draw_halves(fraction_bits, &r, values);

	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++) {
			compare_halves(TMA_REDUCE_ADD, type, values[i], values[j]);
			compare_halves(TMA_REDUCE_MIN, type, values[i], values[j]);
			compare_halves(TMA_REDUCE_MAX, type, values[i], values[j]);
		}
}

TEST(f16)
{
	try_halves(TMA_TYPE_F16, 10);
}

TEST(bf16)
{
	try_halves(TMA_TYPE_BF16, 7);
}

static void try_floats(uint32_t type, int exponent_bits, int fraction_bits, bool flush)
{
	struct rng r = rng_make(type, 2 + flush);
	uint64_t pair[2];

	for (uint32_t i = 0; i < RANDOM_PAIRS; i++) {
		reduce_draw_floats(&r, exponent_bits, fraction_bits, pair);
		compare_both(TMA_REDUCE_ADD, type, flush, pair[0], pair[1]);
	}
}

TEST(f32)
{
	try_floats(TMA_TYPE_F32, 8, 23, false);
}

TEST(f32_flushed)
{
	try_floats(TMA_TYPE_F32, 8, 23, true);
}

TEST(f64)
{
	try_floats(TMA_TYPE_F64, 11, 52, false);
}

/* Quiet and signalling, both signs, beside each other and beside all that is special. */
TEST(nan_and_infinity)
{
	static const struct {
		uint32_t type;
		int exponent, fraction;
	} formats[] = { { TMA_TYPE_F16, 5, 10 },
		        { TMA_TYPE_BF16, 8, 7 },
		        { TMA_TYPE_F32, 8, 23 },
		        { TMA_TYPE_F64, 11, 52 } };

	for (size_t f = 0; f < sizeof(formats) / sizeof(formats[0]); f++) {
		uint64_t values[REDUCE_SPECIALS];

		reduce_draw_specials(formats[f].exponent, formats[f].fraction, values);
		for (size_t i = 0; i < REDUCE_SPECIALS; i++)
			for (size_t j = 0; j < REDUCE_SPECIALS; j++) {
				compare(TMA_REDUCE_ADD, formats[f].type, false, values[i], values[j]);
				if (formats[f].type == TMA_TYPE_F32)
					compare(TMA_REDUCE_ADD, formats[f].type, true, values[i], values[j]);
			}
	}
}

static void try_integers(uint32_t op, uint32_t type, struct rng *r)
{
	uint64_t ones = UINT64_MAX >> (64 - 8 * arith_bytes(type));
	uint64_t corners[] = { 0, 1, 2, ones, ones - 1, ones / 2, ones / 2 + 1, ones / 2 + 2 };
	size_t n = sizeof(corners) / sizeof(corners[0]);

	for (size_t i = 0; i < n * n; i++)
		compare(op, type, false, corners[i / n], corners[i % n]);
	for (uint32_t i = 0; i < RANDOM_PAIRS / 10; i++) {
		uint64_t a = rng_next(r) & ones;
		uint64_t b = rng_percent(r, 50) ? rng_next(r) & ones : (a + rng_below(r, 3) - 1) & ones;

		compare(op, type, false, a, b);
	}
}

TEST(integers)
{
	static const struct {
		uint32_t op, types; /* a bit each */
	} rows[] = {
		{ TMA_REDUCE_ADD, 1 << TMA_TYPE_U32 | 1 << TMA_TYPE_S32 | 1 << TMA_TYPE_U64 },
		{ TMA_REDUCE_MIN,
		  1 << TMA_TYPE_U32 | 1 << TMA_TYPE_S32 | 1 << TMA_TYPE_U64 | 1 << TMA_TYPE_S64 },
		{ TMA_REDUCE_MAX,
		  1 << TMA_TYPE_U32 | 1 << TMA_TYPE_S32 | 1 << TMA_TYPE_U64 | 1 << TMA_TYPE_S64 },
		{ TMA_REDUCE_INC, 1 << TMA_TYPE_U32 },
		{ TMA_REDUCE_DEC, 1 << TMA_TYPE_U32 },
		{ TMA_REDUCE_AND, 1 << TMA_TYPE_B32 | 1 << TMA_TYPE_B64 },
		{ TMA_REDUCE_OR, 1 << TMA_TYPE_B32 | 1 << TMA_TYPE_B64 },
		{ TMA_REDUCE_XOR, 1 << TMA_TYPE_B32 | 1 << TMA_TYPE_B64 },
	};
	struct rng r = rng_make(1, 4);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (uint32_t type = 0; type < 32; type++)
			if (rows[i].types >> type & 1)
				try_integers(rows[i].op, type, &r);
}

TEST(sizes)
{
	static const uint32_t bytes[] = { 4, 4, 8, 8, 2, 2, 4, 8, 4, 8, 0 };

	for (uint32_t type = 0; type < sizeof(bytes) / sizeof(bytes[0]); type++)
		assert_int_equal(arith_bytes(type), bytes[type]);
}

/* What was measured, named. */
TEST(measured)
{
	/* M11: subnormal numbers of f32 are kept; M10: those of FLOAT32_FTZ are not, and keep their sign. */
	assert_true(arith_reduce(TMA_REDUCE_ADD, TMA_TYPE_F32, false, 1, 1) == 2);
	assert_true(arith_reduce(TMA_REDUCE_ADD, TMA_TYPE_F32, true, 0x80000001, 0x80000001) == 0x80000000);
	/* M12, M14: any NaN of 16 bits is 0x7fff; of one NaN the other operand is the least and the largest. */
	assert_true(arith_reduce(TMA_REDUCE_ADD, TMA_TYPE_F16, false, 0xfc01, 0) == 0x7fff);
	assert_true(arith_reduce(TMA_REDUCE_MIN, TMA_TYPE_BF16, false, 0xffc0, 0x7f80) == 0x7f80);
	assert_true(arith_reduce(TMA_REDUCE_MAX, TMA_TYPE_F16, false, 0xfe00, 0x7c01) == 0x7fff);
	assert_true(arith_reduce(TMA_REDUCE_MIN, TMA_TYPE_F16, false, 0, 0x8000) == 0x8000);
	/* M13: NaNs of f64 stay as they are, the source's first. */
	assert_true(arith_reduce(TMA_REDUCE_ADD, TMA_TYPE_F64, false, UINT64_C(0x7ff8000000000001),
	                         UINT64_C(0xfff0000000000002)) == UINT64_C(0xfff0000000000002));
	assert_true(arith_reduce(TMA_REDUCE_ADD, TMA_TYPE_F64, false, UINT64_C(0x7ff0000000000000),
	                         UINT64_C(0xfff0000000000000)) == UINT64_C(0xfff8000000000000));
}

int main(int argc, char **argv)
{
	int failed;

	all_pairs = argc == 3 && !strcmp(argv[1], "--all") &&
	            (!strcmp(argv[2], "f16") || !strcmp(argv[2], "bf16"));
	if (argc > 1 && !all_pairs) {
		fprintf(stderr, "usage: %s [--all f16|bf16]\n", argv[0]);
		return 2;
	}
	if (all_pairs)
		cmocka_set_test_filter(argv[2]);
	failed = run_file_tests("reduce");
	reduce_ref_end();
	return failed != 0;
}
