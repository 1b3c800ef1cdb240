/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_reduce_alu_test - the arithmetic of reductions in the RTL against GNU MPFR.
 *
 * Checks: every operator on every type, in every bit, in any order of them; a line per cycle with lanes for all of
 * it, one per so many cycles with fewer, which lack types; the latency; nothing comes that was not asked for.
 * REDUCE_PAIRS: pairs of operands of each floating-point format; the others get a tenth of them.
 */
#include <stdlib.h>

#include "reduce_draw.h"
#include "reduce_ref.h"
#include "tma_abi.h"
#include "tma_reduce_alu_pins.h"
#include "unit_rtl/unit.h"
#include "unit_rtl/unit_test.h"

#define PAIRS      200000u
#define ALU_STAGES (7u + 3 * unit_shape()->short_paths)
#define MAX_LINE   128u
#define IN_FLIGHT  32u /* lines, more than there are stages */

/* What is done, and on which numbers. */
struct kind {
	uint8_t op, type;
	bool flush;
};

static const struct {
	uint32_t bytes;
	int exponent, fraction; /* bits; 0: no floating point */
} types[] = {
	[TMA_TYPE_U32] = { 4, 0, 0 },  [TMA_TYPE_S32] = { 4, 0, 0 },   [TMA_TYPE_U64] = { 8, 0, 0 },
	[TMA_TYPE_S64] = { 8, 0, 0 },  [TMA_TYPE_F16] = { 2, 5, 10 },  [TMA_TYPE_BF16] = { 2, 8, 7 },
	[TMA_TYPE_F32] = { 4, 8, 23 }, [TMA_TYPE_F64] = { 8, 11, 52 }, [TMA_TYPE_B32] = { 4, 0, 0 },
	[TMA_TYPE_B64] = { 8, 0, 0 },
};

static const struct kind floats[] = {
	{ TMA_REDUCE_ADD, TMA_TYPE_F16, false },  { TMA_REDUCE_ADD, TMA_TYPE_BF16, false },
	{ TMA_REDUCE_ADD, TMA_TYPE_F32, false },  { TMA_REDUCE_ADD, TMA_TYPE_F32, true },
	{ TMA_REDUCE_ADD, TMA_TYPE_F64, false },  { TMA_REDUCE_MIN, TMA_TYPE_F16, false },
	{ TMA_REDUCE_MAX, TMA_TYPE_F16, false },  { TMA_REDUCE_MIN, TMA_TYPE_BF16, false },
	{ TMA_REDUCE_MAX, TMA_TYPE_BF16, false },
};

static const struct kind integers[] = {
	{ TMA_REDUCE_ADD, TMA_TYPE_U32, false }, { TMA_REDUCE_ADD, TMA_TYPE_S32, false },
	{ TMA_REDUCE_ADD, TMA_TYPE_U64, false }, { TMA_REDUCE_MIN, TMA_TYPE_U32, false },
	{ TMA_REDUCE_MAX, TMA_TYPE_U32, false }, { TMA_REDUCE_MIN, TMA_TYPE_S32, false },
	{ TMA_REDUCE_MAX, TMA_TYPE_S32, false }, { TMA_REDUCE_MIN, TMA_TYPE_U64, false },
	{ TMA_REDUCE_MAX, TMA_TYPE_U64, false }, { TMA_REDUCE_MIN, TMA_TYPE_S64, false },
	{ TMA_REDUCE_MAX, TMA_TYPE_S64, false }, { TMA_REDUCE_INC, TMA_TYPE_U32, false },
	{ TMA_REDUCE_DEC, TMA_TYPE_U32, false }, { TMA_REDUCE_AND, TMA_TYPE_B32, false },
	{ TMA_REDUCE_OR, TMA_TYPE_B32, false },  { TMA_REDUCE_XOR, TMA_TYPE_B32, false },
	{ TMA_REDUCE_AND, TMA_TYPE_B64, false }, { TMA_REDUCE_OR, TMA_TYPE_B64, false },
	{ TMA_REDUCE_XOR, TMA_TYPE_B64, false },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A line of operands and what comes of it. */
struct line {
	struct kind kind;
	uint64_t cycle; /* in which it went in */
	uint8_t dst[MAX_LINE], src[MAX_LINE], want[MAX_LINE];
};

/* Lines that one of the two ALUs owes. */
struct owed {
	struct line line[IN_FLIGHT];
	uint64_t put, got;
	uint32_t steps; /* cycles that a line takes */
};

struct bench {
	struct reduce_alu *unit;
	struct reduce_alu_in *in;
	const struct reduce_alu_out *out;
	struct rng rng;
	uint64_t cycle;
	uint32_t bytes;
	struct owed whole, part;
};

#define ALU_TEST(name, seed) TEST_IN(name, struct bench, b, bench_open(b, seed), bench_close(b))

static void bench_open(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, reduce_alu, seed);
	b->bytes = unit_shape()->data_bytes;
	b->whole.steps = 1;
	b->part.steps = b->bytes > 16 ? b->bytes / 16 : 2;
	reduce_alu_start(b->unit);
}

static void bench_close(struct bench *b)
{
	reduce_alu_close(b->unit);
	reduce_ref_end();
}

static uint32_t pairs(void)
{
	const char *wanted = getenv("REDUCE_PAIRS");

	return wanted ? (uint32_t)strtoul(wanted, NULL, 10) : PAIRS;
}

static void draw_pair(struct rng *r, uint32_t type, uint64_t pair[2])
{
	uint64_t ones = UINT64_MAX >> (64 - 8 * types[type].bytes);

	if (types[type].exponent) {
		reduce_draw_floats(r, types[type].exponent, types[type].fraction, pair);
	} else {
		const uint64_t corners[] = { 0, 1, ones, ones - 1, ones / 2, ones / 2 + 1 };

		for (int i = 0; i < 2; i++)
			pair[i] = rng_percent(r, 60) ? rng_next(r) & ones : corners[rng_below(r, 6)];
		if (rng_percent(r, 30))
			pair[1] = (pair[0] + rng_below(r, 3) - 1) & ones;
	}
	if (rng_percent(r, 50)) {
		uint64_t first = pair[0];

		pair[0] = pair[1];
		pair[1] = first;
	}
}

/* An element of a line: two operands, and what comes of them. */
static void put_element(struct line *line, uint32_t at, uint64_t dst, uint64_t src)
{
	struct kind k = line->kind;
	uint64_t want = reduce_ref(k.op, k.type, k.flush, dst, src);

	/* The host's order of bytes is that of the line. */
	memcpy(line->dst + at, &dst, types[k.type].bytes);
	memcpy(line->src + at, &src, types[k.type].bytes);
	memcpy(line->want + at, &want, types[k.type].bytes);
}

static struct line draw_line(struct bench *b, struct kind kind)
{
	struct line line = { .kind = kind, .cycle = b->cycle };

	for (uint32_t at = 0; at < b->bytes; at += types[kind.type].bytes) {
		uint64_t pair[2];

		draw_pair(&b->rng, kind.type, pair);
		put_element(&line, at, pair[0], pair[1]);
	}
	return line;
}

static void take(struct bench *b, struct owed *owed, bool valid, const uint8_t *line)
{
	const struct line *oldest = &owed->line[owed->got % IN_FLIGHT];
	bool due = owed->got < owed->put && b->cycle == oldest->cycle + ALU_STAGES + owed->steps - 1;

	REQUIRE(b, valid == due);
	if (!valid)
		return;
	for (uint32_t at = 0; at < b->bytes; at++)
		if (line[at] != oldest->want[at])
			fail_msg("operator %u, type %u: byte %u of the line is 0x%02x, not 0x%02x",
			         oldest->kind.op, oldest->kind.type, at, line[at], oldest->want[at]);
	owed->got++;
}

/* tma_reduce_lanes: the one with fewer lanes has no f64, and of the narrowest bus no floating point. */
static bool part_has(const struct bench *b, uint32_t type)
{
	return !types[type].exponent || (b->bytes > 16 && type != TMA_TYPE_F64);
}

/* One cycle; `line` is offered to those of the two that are asked, and have its type. */
static void step(struct bench *b, const struct line *line, bool whole, bool part)
{
	if (line) {
		part = part && part_has(b, line->kind.type);
		b->in->how.op = line->kind.op;
		b->in->how.kind = line->kind.type;
		b->in->how.flush = line->kind.flush;
		memcpy(b->in->dst, line->dst, b->bytes);
		memcpy(b->in->src, line->src, b->bytes);
	}
	b->in->valid = whole;
	b->in->part_valid = part;
	reduce_alu_eval(b->unit);
	REQUIRE(b, b->out->ready);
	take(b, &b->whole, b->out->valid, b->out->line);
	take(b, &b->part, b->out->part_valid, b->out->part_line);
	if (whole)
		b->whole.line[b->whole.put++ % IN_FLIGHT] = *line;
	if (part && b->out->part_ready)
		b->part.line[b->part.put++ % IN_FLIGHT] = *line;
	reduce_alu_tick(b->unit);
	b->cycle++;
}

static void drain(struct bench *b)
{
	for (uint32_t i = 0; i < 2 * ALU_STAGES; i++)
		step(b, NULL, false, false);
	REQUIRE(b, b->whole.got == b->whole.put && b->part.got == b->part.put);
}

/* One kind, a line per cycle. */
static void run_kind(struct bench *b, struct kind kind, uint32_t count)
{
	uint32_t lines = count / (b->bytes / types[kind.type].bytes) + 1;

	for (uint32_t i = 0; i < lines; i++) {
		struct line line = draw_line(b, kind);

		step(b, &line, true, true);
	}
	drain(b);
}

ALU_TEST(floating_point, 1)
{
	for (size_t i = 0; i < COUNT(floats); i++)
		run_kind(b, floats[i], pairs());
}

/* All that is special with all that is. */
ALU_TEST(nan_and_infinity, 4)
{
	for (size_t k = 0; k < COUNT(floats); k++) {
		uint32_t type = floats[k].type, i = 0;
		uint64_t values[REDUCE_SPECIALS];

		reduce_draw_specials(types[type].exponent, types[type].fraction, values);
		while (i < REDUCE_SPECIALS * REDUCE_SPECIALS) {
			struct line line = { .kind = floats[k], .cycle = b->cycle };

			for (uint32_t at = 0; at < b->bytes; at += types[type].bytes, i++)
				put_element(&line, at, values[i / REDUCE_SPECIALS % REDUCE_SPECIALS],
				            values[i % REDUCE_SPECIALS]);
			step(b, &line, true, true);
		}
		drain(b);
	}
}

ALU_TEST(integers_and_bits, 2)
{
	for (size_t i = 0; i < COUNT(integers); i++)
		run_kind(b, integers[i], pairs() / 10);
}

/*
 * A difference of numbers one exponent apart. Its first bit is at `first`, its last one half of the last bit of the
 * larger number.
 */
static void draw_near(struct rng *r, uint32_t type, int first, uint64_t pair[2])
{
	int fraction = types[type].fraction, sign = types[type].bytes * 8 - 1, i = (int)rng_below(r, 2);
	uint64_t rest = (rng_next(r) & ((UINT64_C(1) << first) - 1)) | UINT64_C(1) << first | 1;
	uint64_t more = rng_next(r) % (rest / 2 + 1),
		 exponent = 1 + rng_below(r, (1u << types[type].exponent) - 3);

	/* 2 (2^fraction + more) - (2^fraction + smaller) = rest */
	uint64_t larger = (exponent + 1) << fraction | more;
	uint64_t smaller = exponent << fraction | ((UINT64_C(1) << fraction) + 2 * more - rest);

	pair[i] = larger | (uint64_t)i << sign;
	pair[1 - i] = smaller | (uint64_t)(1 - i) << sign;
}

ALU_TEST(near_numbers, 5)
{
	for (size_t k = 0; k < COUNT(floats); k++) {
		uint32_t type = floats[k].type;

		for (int i = 0; i < 40 * types[type].fraction; i++) {
			struct line line = { .kind = floats[k], .cycle = b->cycle };

			for (uint32_t at = 0; at < b->bytes; at += types[type].bytes) {
				uint64_t pair[2];

				draw_near(&b->rng, type, i % types[type].fraction, pair);
				put_element(&line, at, pair[0], pair[1]);
			}
			step(b, &line, true, true);
		}
		drain(b);
	}
}

/* Whatever follows whatever, with pauses. */
ALU_TEST(mixed, 3)
{
	for (uint32_t i = 0; i < 20000; i++) {
		uint32_t n = rng_below(&b->rng, COUNT(floats) + COUNT(integers));
		struct line line = draw_line(b, n < COUNT(floats) ? floats[n] : integers[n - COUNT(floats)]);

		line.cycle = b->cycle;
		step(b, &line, rng_percent(&b->rng, 70), rng_percent(&b->rng, 70));
	}
	drain(b);
}
