/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_cta_test - what one CTA's memory and barriers promise in cycles. It runs the tests of
 * tma_cta_corners.c and tma_cta_traffic.c as well.
 *
 * Checks in every case (tma_cta_env.c): every answer of every port against the reference, no port
 * waits for ever, the unit's assertions; at the end all of memory through all ports that read.
 */
#include <string.h>

#include "unit_rtl/tma_cta_env.h"
#define MAX_WAIT 8u

/* Whether port B serves a resident barrier in this cycle, given the one of the cycle before: with `step`
 * it has to be the same. */
static bool at_once(const struct env *e, uint32_t addr, uint32_t last)
{
	return !e->info->short_paths || addr == last;
}

/* What the ports asked in the cycle before, and whether the answer of A was made then. */
struct before {
	uint32_t a, b;
	bool made;
};

/* Whether port A serves a resident barrier in this cycle. With `step` it finds the barrier in one cycle,
 * makes the answer in the next one and gives it in a third; it waits where B has found the same one. */
static bool answers(const struct env *e, struct before *p)
{
	const bool found = e->a_addr == p->a, same = e->in->bar_b_valid && p->a == p->b;
	const bool goes = p->made && found && !same;

	p->made = found && !same && !goes;
	p->a = e->a_addr;
	p->b = e->in->bar_b_addr;
	return goes || !e->info->short_paths;
}

/* Both ports and the write port work in every cycle, all on one barrier or each on any resident one. With
 * `step`, A takes its time, and B has to leave it some where there is but one barrier. */
TEST(full_rate)
{
	uint32_t bars, last_b;
	struct before before;
	struct env e;

	for (uint32_t many = 0; many < 2; many++) {
		struct rng r = rng_make(many, 1);

		env_open(&e);
		bars = many ? e.info->barriers : 1;
		for (uint32_t i = 0; i < bars; i++)
			env_init(&e, ENV_BARS + i, 1);
		for (uint32_t i = 0; i < bars; i++)
			env_complete(&e, ENV_BARS + i, 0);
		memset(e.done, 0, sizeof(e.done));
		before = (struct before){ .a = e.a_addr, .b = e.in->bar_b_addr };
		for (uint32_t i = 0; i < 1000; i++) {
			bool goes;

			last_b = e.in->bar_b_addr;
			env_busy(&e);
			if (!e.a_valid || e.took[PORT_A])
				e.a_addr = ENV_BARS + rng_below(&r, bars);
			if (!e.in->bar_b_valid || e.took[PORT_B])
				e.in->bar_b_addr = (uint16_t)(ENV_BARS + rng_below(&r, bars));
			e.a_valid = e.a_commit = 1;
			e.a = env_expect_100;
			e.in->bar_b_valid = many || !e.info->short_paths || i % 3 == 0;
			e.in->bar_b_tx = 100;
			goes = answers(&e, &before);
			env_step(&e);
			assert_true(e.took[PORT_WR]);
			assert_int_equal(e.took[PORT_B],
			                 e.in->bar_b_valid && at_once(&e, e.in->bar_b_addr, last_b));
			assert_int_equal(e.took[PORT_A], goes);
		}
		assert_true(e.info->short_paths || e.longest[PORT_A] <= 3);
		assert_true(e.done[PORT_A] > 150);
		env_finish(&e);
	}
}

/* Checks of any resident barriers never wait, not even for an arrival of the same cycle; with `step` they
 * are answered in their second cycle. */
ENV_TEST(checks)
{
	struct rng r = rng_make(8, 1);

	for (uint32_t i = 0; i < e->info->barriers; i++)
		env_init(e, ENV_BARS + i, 1);
	for (uint32_t i = 0; i < 500; i++) {
		env_busy(e);
		if (!e->a_valid || e->took[PORT_A]) {
			e->a_valid = e->a_commit = 1;
			e->a_addr = ENV_BARS + rng_below(&r, e->info->barriers);
			e->a = (struct bar_request){ .op = BAR_CHECK };
		}
		if (!e->in->bar_b_valid || e->took[PORT_B]) {
			e->in->bar_b_valid = 1;
			e->in->bar_b_addr =
				(uint16_t)(rng_percent(&r, 50) ? e->a_addr
			                                       : ENV_BARS + rng_below(&r, e->info->barriers));
			e->in->bar_b_arrive = rng_percent(&r, 50);
			e->in->bar_b_tx = 0;
		}
		env_step(e);
		assert_int_equal(e->took[PORT_A], !e->info->short_paths || i % 2 == 1);
	}
	env_quiet(e);
	env_arrive(e, ENV_BARS, (struct bar_request){ .op = BAR_INVAL });
	env_arrive(e, ENV_BARS, (struct bar_request){ .op = BAR_CHECK });
}

/* A barrier that is not resident is ready in the fourth cycle, with `step` in the sixth; clean ones give
 * way at once. */
ENV_TEST(miss_latency)
{
	for (uint32_t i = 0; i < 3 * e->info->barriers; i++) {
		e->a_valid = e->a_commit = 1;
		e->a_addr = ENV_BARS + i;
		e->a = (struct bar_request){ .op = BAR_INIT, .count = i + 1 };
		env_until(e, PORT_A, 4 + 2 * e->info->short_paths);
		assert_int_equal(e->waited[PORT_A], 0);
		env_step(e);
		env_step(e);
		env_step(e);
	}
	assert_int_equal(e->longest[PORT_A], 3 + 2 * e->info->short_paths);
}

/* An external read of a barrier that is updated all the time waits for nothing. */
ENV_TEST(poll)
{
	struct before before = { 0 };
	bool goes;

	for (uint32_t i = 0; i < 4; i++)
		env_init(e, ENV_BARS + i, 1);
	for (uint32_t i = 0; i < 200; i++) {
		env_busy(e);
		e->a_valid = e->a_commit = 1;
		e->a_addr = ENV_BARS + i / 3 % 4;
		e->a = (struct bar_request){ .op = BAR_ARRIVE, .count = 1 };
		e->ext = (struct tma_ext_in){ .valid = 1, .addr = 8 * ENV_BARS + i / 2 % 2 * CHUNK };
		goes = answers(e, &before);
		env_step(e);
		assert_true(e->took[PORT_EXT_READ] && e->took[PORT_WR]);
		assert_int_equal(e->took[PORT_A], goes);
	}
}

/* The external port waits for the engine eight cycles and no longer, and costs it one. */
ENV_TEST(bounded_wait)
{
	uint32_t engine;

	for (uint32_t write = 0; write < 2; write++) {
		engine = write ? PORT_WR : PORT_RD1;
		env_quiet(e);
		env_step(e);
		memset(e->done, 0, sizeof(e->done));
		for (uint32_t i = 0; i < 10 * (MAX_WAIT + 1); i++) {
			env_busy(e);
			e->in->rd_valid[1] = 1;
			e->ext = (struct tma_ext_in){
				.valid = 1, .write = (uint8_t)write, .addr = i * CHUNK, .strb = 0x0F0F
			};
			e->ext.addr = CHUNK * ((uint32_t)e->done[PORT_EXT_WRITE] + 1);
			env_step(e);
		}
		assert_int_equal(e->done[write ? PORT_EXT_WRITE : PORT_EXT_READ], 10);
		assert_int_equal(e->done[engine], 10 * MAX_WAIT);
	}
	assert_int_equal(e->longest[PORT_EXT_READ], MAX_WAIT);
	assert_int_equal(e->longest[PORT_EXT_WRITE], MAX_WAIT);
}

/* Reads of memory next to dirty barriers cost the writes nothing; reads of them, one cycle each. */
ENV_TEST(demand)
{
	struct before before = { 0 };
	bool goes;
	uint32_t entries = e->info->barriers;

	for (uint32_t i = 0; i < entries; i++)
		env_init(e, ENV_BARS + i, 1);
	memset(e->done, 0, sizeof(e->done));
	for (uint32_t i = 0; i < 500; i++) {
		env_busy(e);
		e->a_valid = e->a_commit = 1;
		e->a_addr = ENV_BARS + i / 3 % entries;
		e->a = env_expect_100;
		env_read(e, 0, ENV_BARS / 2 + entries / 2 + i % 8);
		goes = answers(e, &before);
		env_step(e);
		assert_true(e->took[PORT_WR] && e->took[PORT_RD0]);
		assert_int_equal(e->took[PORT_A], goes);
	}
	/* All of them, with updates going on: they are kept still until the line was read. */
	for (uint32_t i = 0; i < e->chunks * 2 && i < entries; i++)
		env_arrive(e, ENV_BARS + i, env_expect_100);
	memset(e->longest, 0, sizeof(e->longest));
	env_read(e, 0, ENV_BARS / 2);
	for (uint32_t i = 0; !e->took[PORT_RD0]; i++) {
		e->a_valid = 1;
		e->a_addr = ENV_BARS;
		env_step(e);
		e->took[PORT_RD0] &= i > 0;
		assert_true(i <= 2 + (MAX_WAIT + 2) * entries);
	}
	assert_true(e->longest[PORT_WR] <= 1);
}

/* 24 barriers on two ports while everything else is busy: both get on. */
ENV_TEST(thrash)
{
	struct rng r = rng_make(9, 1);

	for (uint32_t i = 0; i < 24; i++)
		env_init(e, ENV_BARS + i, 1);
	memset(e->done, 0, sizeof(e->done));
	for (uint32_t i = 0; i < 20000; i++) {
		env_busy(e);
		env_read(e, 0, e->total - e->chunks);
		env_read(e, 1, e->total - e->chunks);
		if (!e->a_valid || e->took[PORT_A]) {
			e->a_valid = e->a_commit = 1;
			e->a_addr = ENV_BARS + rng_below(&r, 24);
			e->a = env_expect_100;
		}
		if (!e->in->bar_b_valid || e->took[PORT_B]) {
			e->in->bar_b_valid = 1;
			e->in->bar_b_addr = (uint16_t)(ENV_BARS + rng_below(&r, 24));
			e->in->bar_b_tx = 100;
		}
		env_step(e);
	}
	/* A miss waits for a write-back, for the write-backs of the other port, and for its read. */
	assert_true(e->done[PORT_A] > 20000 / 60 && e->done[PORT_B] > 20000 / 60);
	assert_true(e->longest[PORT_A] < 120 && e->longest[PORT_B] < 120);
}

/* An arrival in every cycle of port B; A works beside it on others, and after it on the same. */
ENV_TEST(arrivals)
{
	const struct bar_request pend = { .op = BAR_PEND };
	struct before before = { .b = ENV_BARS };
	bool goes;

	env_init(e, ENV_BARS, 4);
	env_init(e, ENV_BARS + 1, 1);
	for (uint32_t i = 0; i < 4; i++)
		env_arrive(e, ENV_BARS, pend);
	env_signal_arrival(e, ENV_BARS);
	env_complete(e, ENV_BARS + 1, 0);
	e->in->bar_b_addr = (uint16_t)(ENV_BARS);
	env_step(e);
	memset(e->done, 0, sizeof(e->done));
	/* Seven are left: the phase is over, and the next one on its way. */
	for (uint32_t i = 0; i < 8; i++) {
		e->in->bar_b_valid = e->in->bar_b_arrive = 1;
		e->in->bar_b_addr = (uint16_t)(ENV_BARS);
		e->in->bar_b_tx = 0;
		e->a_valid = e->a_commit = 1;
		e->a_addr = ENV_BARS + i / 3 % 2;
		e->a = i / 3 % 2 ? env_expect_100 : pend;
		goes = answers(e, &before);
		env_step(e);
		assert_true(e->took[PORT_B]);
		assert_int_equal(e->took[PORT_A], i / 3 % 2 && goes);
	}
	env_quiet(e);
	assert_int_equal(bar_unpack(env_word(e, ENV_BARS)).phase, 1);
	assert_int_equal(bar_unpack(env_word(e, ENV_BARS)).pending, 3);
	/* The reference knows the faults: no such barrier, nothing to take away. */
	env_signal_arrival(e, ENV_BARS + 2);
	env_arrive(e, ENV_BARS, (struct bar_request){ .op = BAR_EXPECT, .tx = 1 });
	for (uint32_t i = 0; i < 4; i++)
		env_signal_arrival(e, ENV_BARS);
}
