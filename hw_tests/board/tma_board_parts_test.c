/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_board_parts_test - resets, LEDs, the synchroniser, and when the engine's clock runs.
 *
 * Checks: a pulse resets what it has to and nothing else, for its cycles; each LED cycle by cycle; two cycles from the pin;
 * the gated clock has an edge in each cycle in which somebody needs it, and stops soon when nobody does.
 */
#include "unit_rtl/unit_test.h"
#include "tma_board_parts_pins.h"

#define CYCLES 16u /* of a reset */
#define HZ     64u
#define BEHIND 31u

struct bench {
	struct board_parts *unit;
	struct board_parts_in *in;
	const struct board_parts_out *out;
	struct rng rng;
	uint64_t cycle;
};

static void step(struct bench *b)
{
	board_parts_eval(b->unit);
	board_parts_tick(b->unit);
	board_parts_eval(b->unit);
	b->cycle++;
}

static void start_bench(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, board_parts, seed);
	b->in->line = 3;
	b->in->idle = 1;
	b->in->pin = 1;
	board_parts_start(b->unit);
	while (!b->out->rst_n && b->cycle < 100)
		step(b);
}

TEST(wakes_up_in_reset)
{
	struct bench b;
	uint32_t line = 0, all = 0;

	BENCH_OPEN(&b, board_parts, 1);
	b.in->rst_n = 1; /* a board without a button */
	board_parts_eval(b.unit);
	for (uint32_t i = 0; i < 40; i++, step(&b)) {
		line += !b.out->line_rst_n;
		all += !b.out->rst_n;
		REQUIRE(&b, !b.out->rst_n || b.out->line_rst_n);
	}
	assert_in_range(line, 2, 4);
	assert_int_equal(all, line + CYCLES);
	board_parts_close(b.unit);
}

TEST(a_pulse_resets_the_engine_alone)
{
	struct bench b;

	start_bench(&b, 2);
	for (uint32_t round = 0; round < 3; round++) {
		assert_true(b.out->rst_n && b.out->done);
		b.in->pulse = 1;
		step(&b);
		b.in->pulse = 0;
		for (uint32_t i = 0; i < CYCLES; i++, step(&b))
			REQUIRE(&b, !b.out->rst_n && !b.out->done && b.out->line_rst_n);
		assert_true(b.out->rst_n && b.out->done);
		for (uint32_t i = 0; i < 5; i++, step(&b))
			REQUIRE(&b, b.out->rst_n);
	}
	/* The pin resets all, also in the middle of one. */
	b.in->pulse = 1;
	step(&b);
	b.in->pulse = 0;
	b.in->rst_n = 0;
	for (uint32_t i = 0; i < 10; i++)
		step(&b);
	assert_false(b.out->rst_n || b.out->line_rst_n || b.out->done);
	board_parts_close(b.unit);
}

TEST(a_pin_comes_two_cycles_later)
{
	struct bench b;
	uint32_t past = 3;

	start_bench(&b, 3);
	for (uint32_t i = 0; i < 200; i++) {
		b.in->pin = rng_percent(&b.rng, 50);
		past = past << 1 | b.in->pin;
		step(&b);
		REQUIRE(&b, b.out->pin == (past >> 1 & 1));
	}
	board_parts_close(b.unit);
}

TEST(leds_show_what_happens)
{
	struct bench b;
	uint32_t life = 0, glow[2] = { 0, 0 }, changes = 0;

	start_bench(&b, 4);
	b.in->trouble = 0;
	for (uint32_t i = 0; i < 3; i++)
		step(&b);
	life = b.out->leds & 1;
	for (uint32_t i = 0; i < 50 * HZ; i++) {
		b.in->line = rng_percent(&b.rng, 5) ? (uint8_t)rng_below(&b.rng, 3) : 3;
		b.in->idle = !rng_percent(&b.rng, 5);
		b.in->trouble = rng_percent(&b.rng, 50);
		/* Shown a cycle later, for a sixteenth of a second. */
		step(&b);
		REQUIRE(&b, (b.out->leds >> 1 & 1) == (glow[0] > 0));
		REQUIRE(&b, (b.out->leds >> 2 & 1) == (glow[1] > 0));
		REQUIRE(&b, (b.out->leds >> 3 & 1) == b.in->trouble);
		glow[0] = b.in->line != 3 ? HZ / 16 : glow[0] - (glow[0] > 0);
		glow[1] = !b.in->idle ? HZ / 16 : glow[1] - (glow[1] > 0);
		changes += (b.out->leds & 1) != life;
		life = b.out->leds & 1;
	}
	assert_int_equal(changes, 100);
	board_parts_close(b.unit);
}

TEST(the_clock_runs_when_it_is_needed)
{
	struct bench b;
	uint32_t behind = BEHIND, stopped = 0;

	start_bench(&b, 5);
	for (uint32_t i = 0; i < 20000; i++) {
		uint8_t count = b.out->count;
		uint32_t often = i / 100 % 3 * 2;
		bool needed, line;

		b.in->idle = !rng_percent(&b.rng, often);
		b.in->reg = rng_percent(&b.rng, often);
		b.in->access = rng_percent(&b.rng, 20);
		needed = !b.in->idle || b.in->reg;
		line = b.in->access;
		step(&b);
		if (i >= BEHIND)
			REQUIRE(&b, (uint8_t)(b.out->count - count) == (needed || line || behind > 0));
		stopped += b.out->count == count;
		behind = needed ? BEHIND : behind - (behind > 0);
	}
	assert_true(stopped > 3000);
	board_parts_close(b.unit);
}
