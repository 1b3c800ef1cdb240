/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_pins_test - every kind of port through a header and a shim that pins.py has made.
 *
 * Requirement: what C writes into a field is the value of the port, cut to its width, and what the port
 * has is what C reads, sign and all; elements and fields that the configuration does not have are 0.
 * Checks: random values of all fields come back whole and, in turns, each bit flipped; the sums that the
 * RTL makes of fields deep inside are those of C.
 */
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_pins_pins.h"

struct bench {
	struct pins *unit;
	struct pins_in *in;
	const struct pins_out *out;
	uint64_t flip;
	unsigned bar_width;
	struct rng rng;
};

static void bench_open(struct bench *b, uint64_t seed)
{
	b->rng = rng_make(seed, 1);
	b->unit = pins_open();
	b->in = pins_in(b->unit);
	b->out = pins_out(b->unit);
	b->flip = 0;
	b->bar_width = 0;
	while (8u << b->bar_width < unit_shape()->smem_bytes)
		b->bar_width++;
	pins_start(b->unit);
}

static uint64_t low(uint64_t value, unsigned width)
{
	return width < 64 ? value & ((UINT64_C(1) << width) - 1) : value;
}

static int64_t sign(uint64_t value, unsigned width)
{
	return (int64_t)(value << (64 - width)) >> (64 - width);
}

static void random_bytes(struct rng *rng, void *to, size_t count)
{
	uint8_t *bytes = to;

	while (count--)
		*bytes++ = (uint8_t)rng_next(rng);
}

static void check(const struct bench *b, uint64_t sent, uint64_t got, unsigned width)
{
	assert_int_equal(low(sent ^ b->flip, width), got);
}

static void check_bytes(const struct bench *b, const uint8_t *sent, const uint8_t *got, unsigned width)
{
	for (unsigned i = 0; i < width; i += 8)
		check(b, sent[i / 8], got[i / 8], width - i < 8 ? width - i : 8);
}

static void check_signal(const struct bench *b, const struct pins_signal *sent, const struct pins_signal *got)
{
	const struct unit_shape *shape = unit_shape();
	unsigned queue_width = 0;

	while (1u << queue_width < shape->queues)
		queue_width++;
	check(b, sent->arrive, got->arrive, 1);
	check(b, sent->ctas, got->ctas, shape->ctas);
	check(b, sent->again, got->again, shape->ctas);
	check(b, sent->barrier, got->barrier, b->bar_width);
	check(b, sent->bytes, got->bytes, 20);
	check(b, sent->origin.qid, got->origin.qid, queue_width);
	check(b, sent->origin.seq, got->origin.seq, 16);
	check(b, sent->origin.tag, got->origin.tag, 32);
}

static void check_all(const struct bench *b)
{
	const struct unit_shape *shape = unit_shape();
	const struct pins_in *in = b->in;
	const struct pins_out *out = b->out;

	assert_true(out->small == sign((uint64_t)in->small ^ b->flip, 5));
	check(b, in->word, out->word, 64);
	check_bytes(b, in->wide, out->wide, 77);
	check_bytes(b, in->strb, out->strb, shape->data_bytes);
	check(b, in->mask, out->mask, shape->queues);
	for (uint32_t i = 0; i < shape->queues; i++) {
		check(b, in->flags[i], out->flags[i], 1);
		check_signal(b, &in->signal[i], &out->signal[i]);
	}
	for (uint32_t i = 0; i < 3; i++) {
		for (uint32_t c = 0; c < shape->ctas; c++)
			check(b, in->grid[i][c], out->grid[i][c], 11);
		assert_true(out->loose[i] == sign((uint64_t)in->loose[i] ^ b->flip, 35));
	}
	for (uint32_t i = 0; i < 2; i++)
		check_bytes(b, in->line[i], out->line[i], 8 * shape->data_bytes);
	check(b, in->layout.swizzle, out->layout.swizzle, 3);
	check(b, in->layout.format, out->layout.format, 2);
	check(b, in->layout.nan, out->layout.nan, 1);
	check_bytes(b, (const uint8_t *)&in->record, (const uint8_t *)&out->record, 256);
}

TEST(test_every_kind)
{
	struct bench b;

	bench_open(&b, 1);
	for (uint32_t round = 0; round < 1000; round++) {
		uint32_t tags = 0;
		int64_t looses = 0;

		random_bytes(&b.rng, b.in, sizeof(*b.in));
		b.in->rst_n = 1;
		b.in->flip = round & 1;
		b.flip = round & 1 ? ~UINT64_C(0) : 0;
		for (uint32_t i = 0; i < unit_shape()->queues; i++)
			tags += b.in->signal[i].origin.tag;
		for (uint32_t i = 0; i < 3; i++)
			looses += sign((uint64_t)b.in->loose[i], 35);
		pins_eval(b.unit);
		assert_int_equal(b.out->tags, tags);
		assert_true(b.out->looses == sign((uint64_t)looses, 37));
		pins_tick(b.unit);
		check_all(&b);
	}
	pins_close(b.unit);
}

/* A single field is a single field: nothing of its neighbours moves with it. */
TEST(test_neighbours)
{
	const struct unit_shape *shape = unit_shape();
	struct pins_out want;
	struct bench b;

	bench_open(&b, 2);
	for (uint32_t q = 0; q < shape->queues; q++) {
		memset(b.in, 0, sizeof(*b.in));
		memset(&want, 0, sizeof(want));
		b.in->rst_n = b.in->flags[q] = want.flags[q] = 1;
		b.in->signal[q].bytes = want.signal[q].bytes = 0xFFFFF;
		b.in->grid[2][shape->ctas - 1] = want.grid[2][shape->ctas - 1] = 0x7FF;
		pins_eval(b.unit);
		pins_tick(b.unit);
		assert_memory_equal(b.out, &want, sizeof(want));
	}
	pins_close(b.unit);
}

/* Elements that only larger configurations have are never written. */
TEST(test_absent)
{
	const struct unit_shape *shape = unit_shape();
	struct bench b;

	bench_open(&b, 3);
	memset(b.in, 0xFF, sizeof(*b.in));
	b.in->flip = 0;
	pins_eval(b.unit);
	pins_tick(b.unit);
	for (uint32_t i = shape->queues; i < sizeof(b.out->flags); i++)
		assert_int_equal(b.out->flags[i], 0);
	for (uint32_t i = shape->data_bytes; i < sizeof(b.out->line[0]); i++)
		assert_int_equal(b.out->line[0][i] | b.out->line[1][i], 0);
	assert_int_equal(b.out->small, -1);
	assert_int_equal(b.out->loose[2], -1);
	pins_close(b.unit);
}
