/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_map_decode_test - a tensor map is decoded, and refused by the lowest of the rules it breaks.
 *
 * Requirement: all that map_info_t says of a map that keeps the rules 0x63 to 0x6E; the code of the
 * lowest rule of one that does not; 31 cycles.
 * Checks: every field against a plain reference, for maps of all kinds, maps with a bit or a number
 * changed, and random bits; the limits of size and window, where the reference decides both ways.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_abi.h"
#include "tma_map_decode_pins.h"
#include "unit_rtl/tma_map_random.h"

#define CYCLES 32u /* the one of the start included */

#define MAP_INFO struct map_decode_map_info
#include "unit_rtl/tma_map_compare.h"

struct bench {
	struct map_decode *unit;
	struct map_decode_in *in;
	const struct map_decode_out *out;
	uint32_t words[MAP_WORDS];
	struct rng rng;
	uint32_t faults[TMA_FAULT_MAP_CORNERS + 1]; /* 0: legal */
	uint32_t kinds[4], folds[MAP_LEVELS + 1];
};

static void bench_open(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, map_decode, seed);
	map_decode_start(b->unit);
}

#define BENCH_TEST(name, ...) \
	TEST_IN(name, struct bench, b, bench_open(b, __VA_ARGS__), map_decode_close(b->unit))

static void dump(const struct bench *b, uint32_t wanted)
{
	printf("fault %#x, should be %#x\n", b->out->fault, wanted);
	for (uint32_t i = 0; i < MAP_WORDS; i++)
		printf("%08x%c", b->words[i], i % 8 == 7 ? '\n' : ' ');
}

/* The word that the unit asks for comes in the same cycle. */
static void eval(struct bench *b)
{
	b->in->reserved = 0;
	for (uint32_t i = 20; i < MAP_WORDS; i++)
		b->in->reserved |= b->words[i] != 0;
	map_decode_eval(b->unit);
	b->in->word = b->words[b->out->word_addr];
	map_decode_eval(b->unit);
}

static uint32_t check(struct bench *b)
{
	struct map_info wanted;
	uint32_t cycles, fault, l;

	fault = map_ref(b->words, unit_shape()->packed, &wanted);
	b->in->start = 1;
	for (cycles = 1;; cycles++) {
		eval(b);
		if (b->out->done)
			break;
		map_decode_tick(b->unit);
		b->in->start = 0;
		assert_true(cycles < CYCLES);
	}
	assert_int_equal(cycles, CYCLES);
	if (b->out->fault != fault)
		dump(b, fault);
	assert_int_equal(b->out->fault, fault);
	b->faults[fault]++;
	if (!fault) {
		map_compare(&b->out->info, &wanted);
		b->kinds[wanted.kind]++;
		for (l = 0; l < MAP_LEVELS && wanted.fold[l]; l++)
			;
		b->folds[l]++;
	}
	map_decode_tick(b->unit);
	return fault;
}

BENCH_TEST(random_maps, 1)
{
	uint32_t maps = unit_rounds(200000);

	for (uint32_t i = 0; i < maps; i++) {
		map_random(&b->rng, unit_shape()->packed, b->words);
		check(b);
	}
	assert_true(b->faults[0] > maps * 3 / 10);
	for (uint32_t i = TMA_FAULT_MAP_RESERVED; i <= TMA_FAULT_MAP_CORNERS; i++)
		assert_true(b->faults[i] > maps / 2000);
	for (uint32_t i = 0; i < 4; i++)
		assert_true(b->kinds[i] > maps / 70);
	for (uint32_t i = 0; i <= MAP_LEVELS; i++)
		assert_true(b->folds[i] > maps / 700);
}

/* Every bit of a map for itself: what must be zero, and what may be anything. */
BENCH_TEST(single_bits, 2)
{
	uint32_t legal[MAP_WORDS], i, map;

	for (map = 0; map < 30; map++) {
		map_random_legal(&b->rng, unit_shape()->packed, legal);
		for (i = 0; i < MAP_WORDS * 32; i++) {
			memcpy(b->words, legal, sizeof(legal));
			b->words[i / 32] ^= 1u << i % 32;
			check(b);
		}
	}
	assert_true(b->faults[TMA_FAULT_MAP_RESERVED] > 30 * 400 && b->faults[0] > 30 * 200);
}

static void pack(struct bench *b, const struct map_fields *f)
{
	map_pack(f, b->words);
}

/* 227 KiB and one row more, each way to get there. */
BENCH_TEST(size_limit, 3)
{
	struct map_fields f = { .rank = 3, .type = 0, .dim = { 999, 999, 999 }, .box = { 15, 226, 63 } };

	pack(b, &f);
	assert_int_equal(check(b), 0);
	f.box[1] = 227;
	pack(b, &f);
	assert_int_equal(check(b), TMA_FAULT_MAP_SIZE);
	/* Positions count, not the box. */
	f.es[2] = 1;
	pack(b, &f);
	assert_int_equal(check(b), 0);
	/* Without interleave, not those of dimension 0; with it, and those of C. */
	f = (struct map_fields){ .rank = 3, .type = 0, .box = { 255, 226, 3 }, .es = { 7, 0, 0 } };
	pack(b, &f);
	assert_int_equal(check(b), 0);
	f.box[2] = 4;
	pack(b, &f);
	assert_int_equal(check(b), TMA_FAULT_MAP_SIZE);
	f.interleave = 1;
	f.box[2] = 31;
	pack(b, &f);
	assert_int_equal(check(b), 0);
	f.box[1] = 227;
	pack(b, &f);
	assert_int_equal(check(b), TMA_FAULT_MAP_SIZE);
	f.es[1] = 1;
	pack(b, &f);
	assert_int_equal(check(b), 0);
	/* Rows beyond all registers. */
	f = (struct map_fields){ .rank = 5, .type = 0, .box = { 255, 255, 255, 255, 255 } };
	pack(b, &f);
	assert_int_equal(check(b), TMA_FAULT_MAP_SIZE);
	f = (struct map_fields){ .rank = 3, .type = 0, .im2col = 1, .box = { 255 }, .pixels = 907 };
	pack(b, &f);
	assert_int_equal(check(b), 0);
	f.pixels = 908;
	pack(b, &f);
	assert_int_equal(check(b), TMA_FAULT_MAP_SIZE);
	/* 128 pixels whatever the map says. */
	f.wide = 2;
	f.swizzle = 3;
	f.box[0] = 127;
	f.pixels = 1023;
	pack(b, &f);
	assert_int_equal(check(b), 0);
}

/* tensormap.replace.rank from 3 to 2: what dimension 2 says is not looked at, whether it stays or is replaced. */
BENCH_TEST(lowered_rank, 5)
{
	struct map_fields f = { .rank = 2,
		                .type = 2,
		                .dim = { 99, 99, 9 },
		                .stride = { 32, 3201 },
		                .box = { 7, 6, 3 },
		                .es = { 0, 1, 2 } };
	struct map_fields other = f;
	struct map_info info, lowered;

	pack(b, &f);
	assert_int_equal(check(b), 0);
	assert_int_equal(map_ref(b->words, unit_shape()->packed, &lowered), 0);
	other.dim[2] = 0;
	other.stride[1] = 0;
	other.box[2] = 0;
	other.es[2] = 0;
	pack(b, &other);
	assert_int_equal(check(b), 0);
	assert_int_equal(map_ref(b->words, unit_shape()->packed, &info), 0);
	assert_memory_equal(&info, &lowered, sizeof(info));
	/* A stride that only rank 3 would have to keep: 32-byte slices need even ones. */
	f.rank = 3;
	f.interleave = 2;
	pack(b, &f);
	assert_int_equal(check(b), TMA_FAULT_MAP_STRIDE);
}

/* Windows of one position and of none, in 32 bits. */
BENCH_TEST(windows, 4)
{
	static const uint32_t last[] = { 0, 5, 0x7fffffff, 0x80000000, 0xffffffff };
	struct map_fields f = { .rank = 3, .type = 0, .im2col = 1, .box = { 15 } };
	uint32_t i, empty = 0;
	int32_t upper, lower;

	for (i = 0; i < sizeof(last) / sizeof(last[0]); i++) {
		f.dim[1] = last[i];
		for (upper = -8; upper <= 8; upper++) {
			for (lower = -8; lower <= 8; lower++) {
				f.corners = ((uint32_t)lower & 0xffff) | (uint32_t)upper << 16;
				pack(b, &f);
				empty += check(b) == TMA_FAULT_MAP_CORNERS;
			}
		}
	}
	assert_true(empty > 300 && b->faults[0] > 300);
}
