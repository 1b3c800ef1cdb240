/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_cta_test - what one CTA's memory and barriers promise in cycles, and their corner cases.
 *
 * Checks in every case (tma_cta_env.c): every answer of every port against the reference, no port
 * waits for ever, the unit's assertions; at the end all of memory through all ports that read.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka.h needs the four above. */
#include <cmocka.h>

#include "unit_rtl/tma_cta_env.h"
#include "unit_rtl/tma_cta_traffic.h"

#define MAX_WAIT 8u
#define BARS     16u /* word in which the barriers of these tests start */

static const struct bar_request expect_100 = { .op = BAR_EXPECT, .tx = 100 };

/* Whether a port serves a resident barrier in this cycle, given the one of the cycle before: with `step`
 * it has to be the same. */
static bool at_once(const struct env *e, uint32_t addr, uint32_t last)
{
	return !e->info->step || addr == last;
}

static void init(struct env *e, uint32_t barrier, uint32_t count)
{
	env_arrive(e, barrier, (struct bar_request){ .op = BAR_INIT, .count = count });
}

static void finish(struct env *e)
{
	env_check_all(e);
	env_close(e);
}

/* A whole line of ones, far away from the barriers. */
static void busy_write(struct env *e)
{
	uint8_t line[TMA_SIM_MAX_BEAT];

	memset(line, 0xFF, sizeof(line));
	env_line(e, e->total - e->chunks, e->chunks, line);
}

/* Both ports and the write port work in every cycle, all on one barrier or each on any resident one. */
static void full_rate(void **state)
{
	uint32_t many, bars, last, last_b, i;
	struct env e;

	(void)state;
	for (many = 0; many < 2; many++) {
		struct rng r = rng_make(many, 1);

		env_open(&e);
		bars = many ? e.info->entries : 1;
		for (i = 0; i < bars; i++)
			init(&e, BARS + i, 1);
		for (i = 0; i < bars; i++)
			env_complete(&e, BARS + i, 0);
		memset(e.done, 0, sizeof(e.done));
		for (i = 0; i < 1000; i++) {
			last = e.in->a_addr;
			last_b = e.in->b_addr;
			busy_write(&e);
			if (!e.in->a_valid || e.took[PORT_A])
				e.in->a_addr = BARS + rng_below(&r, bars);
			if (!e.in->b_valid || e.took[PORT_B])
				e.in->b_addr = BARS + rng_below(&r, bars);
			e.in->a_valid = e.in->a_commit = 1;
			e.in->a = expect_100;
			e.in->b_valid = 1;
			e.in->b_tx = 100;
			env_step(&e);
			assert_true(e.took[PORT_WR]);
			assert_int_equal(e.took[PORT_B], at_once(&e, e.in->b_addr, last_b));
			assert_int_equal(e.took[PORT_A], at_once(&e, e.in->a_addr, last));
		}
		assert_true(e.longest[PORT_A] <= 3);
		finish(&e);
	}
}

/* Checks of any resident barriers never wait, not even for an arrival of the same cycle. */
static void checks(void **state)
{
	struct rng r = rng_make(8, 1);
	struct env e;
	uint32_t i;

	(void)state;
	env_open(&e);
	for (i = 0; i < e.info->entries; i++)
		init(&e, BARS + i, 1);
	for (i = 0; i < 500; i++) {
		busy_write(&e);
		e.in->a_valid = e.in->a_commit = 1;
		e.in->a_addr = BARS + rng_below(&r, e.info->entries);
		e.in->a = (struct bar_request){ .op = BAR_CHECK };
		if (!e.in->b_valid || e.took[PORT_B]) {
			e.in->b_valid = 1;
			e.in->b_addr =
				rng_percent(&r, 50) ? e.in->a_addr : BARS + rng_below(&r, e.info->entries);
			e.in->b_arrive = rng_percent(&r, 50);
			e.in->b_tx = 0;
		}
		env_step(&e);
		assert_true(e.took[PORT_A]);
	}
	env_quiet(&e);
	env_arrive(&e, BARS, (struct bar_request){ .op = BAR_INVAL });
	env_arrive(&e, BARS, (struct bar_request){ .op = BAR_CHECK });
	finish(&e);
}

/* A barrier that is not resident is ready in the fourth cycle; clean ones give way at once. */
static void miss_latency(void **state)
{
	struct env e;
	uint32_t i;

	(void)state;
	env_open(&e);
	for (i = 0; i < 3 * e.info->entries; i++) {
		e.in->a_valid = e.in->a_commit = 1;
		e.in->a_addr = BARS + i;
		e.in->a = (struct bar_request){ .op = BAR_INIT, .count = i + 1 };
		env_until(&e, PORT_A, 4);
		assert_int_equal(e.waited[PORT_A], 0);
		env_step(&e);
		env_step(&e);
		env_step(&e);
	}
	assert_int_equal(e.longest[PORT_A], 3);
	finish(&e);
}

/* An external read of a barrier that is updated all the time waits for nothing. */
static void poll(void **state)
{
	struct env e;
	uint32_t i, last;

	(void)state;
	env_open(&e);
	for (i = 0; i < 4; i++)
		init(&e, BARS + i, 1);
	for (i = 0; i < 200; i++) {
		last = e.in->a_addr;
		busy_write(&e);
		e.in->a_valid = e.in->a_commit = 1;
		e.in->a_addr = BARS + i / 3 % 4;
		e.in->a = (struct bar_request){ .op = BAR_ARRIVE, .count = 1 };
		e.in->ext = (struct tma_ext_in){ .valid = 1, .addr = 8 * BARS + i / 2 % 2 * CHUNK };
		env_step(&e);
		assert_true(e.took[PORT_EXT_READ] && e.took[PORT_WR]);
		assert_int_equal(e.took[PORT_A], at_once(&e, e.in->a_addr, last));
	}
	finish(&e);
}

/* The external port waits for the engine eight cycles and no longer, and costs it one. */
static void bounded_wait(void **state)
{
	uint32_t write, i, engine;
	struct env e;

	(void)state;
	env_open(&e);
	for (write = 0; write < 2; write++) {
		engine = write ? PORT_WR : PORT_RD1;
		env_quiet(&e);
		env_step(&e);
		memset(e.done, 0, sizeof(e.done));
		for (i = 0; i < 10 * (MAX_WAIT + 1); i++) {
			busy_write(&e);
			e.in->rd_valid[1] = 1;
			e.in->ext = (struct tma_ext_in){
				.valid = 1, .write = (uint8_t)write, .addr = i * CHUNK, .strb = 0x0F0F
			};
			e.in->ext.addr = CHUNK * ((uint32_t)e.done[PORT_EXT_WRITE] + 1);
			env_step(&e);
		}
		assert_int_equal(e.done[write ? PORT_EXT_WRITE : PORT_EXT_READ], 10);
		assert_int_equal(e.done[engine], 10 * MAX_WAIT);
	}
	assert_int_equal(e.longest[PORT_EXT_READ], MAX_WAIT);
	assert_int_equal(e.longest[PORT_EXT_WRITE], MAX_WAIT);
	finish(&e);
}

/* Reads of memory next to dirty barriers cost the writes nothing; reads of them, one cycle each. */
static void demand(void **state)
{
	uint32_t i, last, entries;
	struct env e;

	(void)state;
	env_open(&e);
	entries = e.info->entries;
	for (i = 0; i < entries; i++)
		init(&e, BARS + i, 1);
	memset(e.done, 0, sizeof(e.done));
	for (i = 0; i < 500; i++) {
		last = e.in->a_addr;
		busy_write(&e);
		e.in->a_valid = e.in->a_commit = 1;
		e.in->a_addr = BARS + i / 3 % entries;
		e.in->a = expect_100;
		env_read(&e, 0, BARS / 2 + entries / 2 + i % 8);
		env_step(&e);
		assert_true(e.took[PORT_WR] && e.took[PORT_RD0]);
		assert_int_equal(e.took[PORT_A], at_once(&e, e.in->a_addr, last));
	}
	/* All of them, with updates going on: they are kept still until the line was read. */
	for (i = 0; i < e.chunks * 2 && i < entries; i++)
		env_arrive(&e, BARS + i, expect_100);
	memset(e.longest, 0, sizeof(e.longest));
	env_read(&e, 0, BARS / 2);
	for (i = 0; !e.took[PORT_RD0]; i++) {
		e.in->a_valid = 1;
		e.in->a_addr = BARS;
		env_step(&e);
		e.took[PORT_RD0] &= i > 0;
		assert_true(i <= 2 + (MAX_WAIT + 2) * entries);
	}
	assert_true(e.longest[PORT_WR] <= 1);
	finish(&e);
}

/* A dirty barrier's row in the other banks is not the barrier: reads do not wait for it, writes do not
 * drop it. Its row in its own bank alone is. */
static void rows_apart(void **state)
{
	uint8_t line[TMA_SIM_MAX_BEAT];
	uint32_t bank, b, row, far;
	struct env e;

	(void)state;
	env_open(&e);
	far = e.rows - 1;
	memset(line, 0x33, sizeof(line));
	for (bank = 0; bank < e.chunks; bank++) {
		row = BARS / 2 / e.chunks + bank;
		init(&e, 2 * (row * e.chunks + bank), 3);
		/* Meanwhile nothing may be written back. */
		busy_write(&e);
		env_arrive(&e, 2 * (row * e.chunks + bank), expect_100);
		env_line(&e, 0, e.chunks, line);
		env_read(&e, 0, 0);
		for (b = 0; b < e.chunks; b++)
			e.in->wr_rows[b] = e.in->rd_rows[0][b] = b == bank ? far : row;
		env_step(&e);
		assert_true(e.took[PORT_RD0] && e.took[PORT_WR]);
		for (b = 0; b < e.chunks; b++)
			e.in->wr_rows[b] = far, e.in->rd_rows[0][b] = b == bank ? row : far;
		env_step(&e);
		assert_true(!e.took[PORT_RD0] && e.took[PORT_WR]);
		e.in->wr_valid = 0;
		env_until(&e, PORT_RD0, 4);
		env_arrive(&e, 2 * (row * e.chunks + bank), expect_100);
	}
	finish(&e);
}

/* 24 barriers on two ports while everything else is busy: both get on. */
static void thrash(void **state)
{
	struct rng r = rng_make(9, 1);
	struct env e;
	uint32_t i;

	(void)state;
	env_open(&e);
	for (i = 0; i < 24; i++)
		init(&e, BARS + i, 1);
	memset(e.done, 0, sizeof(e.done));
	for (i = 0; i < 20000; i++) {
		busy_write(&e);
		env_read(&e, 0, e.total - e.chunks);
		env_read(&e, 1, e.total - e.chunks);
		if (!e.in->a_valid || e.took[PORT_A]) {
			e.in->a_valid = e.in->a_commit = 1;
			e.in->a_addr = BARS + rng_below(&r, 24);
			e.in->a = expect_100;
		}
		if (!e.in->b_valid || e.took[PORT_B]) {
			e.in->b_valid = 1;
			e.in->b_addr = BARS + rng_below(&r, 24);
			e.in->b_tx = 100;
		}
		env_step(&e);
	}
	/* A miss waits for a write-back, for the write-backs of the other port, and for its read. */
	assert_true(e.done[PORT_A] > 20000 / 60 && e.done[PORT_B] > 20000 / 60);
	assert_true(e.longest[PORT_A] < 120 && e.longest[PORT_B] < 120);
	finish(&e);
}

/* Barriers fetched for requests that never come back do not lock the entries for ever. */
static void abandoned(void **state)
{
	struct env e;
	uint32_t i;

	(void)state;
	env_open(&e);
	for (i = 0; i < e.info->entries; i++) {
		e.in->a_valid = 1;
		e.in->a_addr = BARS + i;
		env_step(&e);
		e.in->a_valid = 0;
		env_step(&e);
		env_step(&e);
		env_step(&e);
	}
	e.in->b_valid = 1;
	e.in->b_addr = BARS + e.info->entries;
	env_until(&e, PORT_B, 80);
	finish(&e);
}

/* Whoever writes the other half of a barrier's chunk all the time does not keep the barrier away. */
static void neighbour(void **state)
{
	struct env e;
	uint32_t half, i;

	(void)state;
	env_open(&e);
	for (half = 0; half < 2; half++) {
		e.in->a_valid = e.in->a_commit = 1;
		e.in->a_addr = BARS + half;
		e.in->a = (struct bar_request){ .op = BAR_INIT, .count = 1 };
		for (i = 0; i == 0 || !e.took[PORT_A]; i++) {
			assert_true(i < 4);
			e.in->ext = (struct tma_ext_in){
				.valid = 1, .write = 1, .addr = 8 * BARS, .strb = half ? 0x00FF : 0xFF00
			};
			env_step(&e);
			assert_true(e.took[PORT_EXT_WRITE]);
		}
		env_quiet(&e);
		/* Written back, and away. */
		e.in->ext = (struct tma_ext_in){ .valid = 1, .write = 1, .addr = 8 * BARS, .strb = 0xFFFF };
		env_until(&e, PORT_EXT_WRITE, 16);
	}
	finish(&e);
}

/* Nor does one who writes the barrier itself: its writes wait while the barrier is on its way. */
static void rewritten(void **state)
{
	struct env e;
	uint32_t period, i, ops = 0;

	(void)state;
	env_open(&e);
	memset(e.longest, 0, sizeof(e.longest));
	for (period = 1; period <= 4; period++) {
		for (i = 0; i < 400; i++) {
			if (!e.in->a_valid || e.took[PORT_A]) {
				ops += e.took[PORT_A];
				e.in->a_valid = e.in->a_commit = 1;
				e.in->a_addr = BARS;
				e.in->a = (struct bar_request){ .op = BAR_INIT, .count = 1 + i };
			}
			if (e.took[PORT_EXT_WRITE])
				e.in->ext.valid = 0;
			if (!e.in->ext.valid && i % period == 0)
				e.in->ext = (struct tma_ext_in){
					.valid = 1, .write = 1, .addr = 8 * BARS, .strb = 0x00FF
				};
			env_step(&e);
		}
	}
	assert_true(ops > 100);
	assert_true(e.longest[PORT_A] < 16 && e.longest[PORT_EXT_WRITE] < 16);
	finish(&e);
}

/* The last chunks of memory, in lines that hang over its end. */
static void end_of_memory(void **state)
{
	uint8_t line[TMA_SIM_MAX_BEAT];
	struct env e;
	uint32_t i;

	(void)state;
	env_open(&e);
	for (i = 1; i <= e.chunks; i++) {
		memset(line, (int)(0x10 + i), sizeof(line));
		env_line(&e, e.total - i, i, line);
		env_until(&e, PORT_WR, 1);
		env_read(&e, 0, e.total - i);
		env_read(&e, 1, e.total - i);
		env_step(&e);
	}
	init(&e, 2 * e.total - 1, 5);
	finish(&e);
}

/* Beyond the end the external port reads zero and writes nothing, nor does it meet a barrier. */
static void outside(void **state)
{
	static const uint32_t above[] = { 0, 1 << 12, 1 << 20, 1u << 31 };
	struct env e;
	size_t i;

	(void)state;
	env_open(&e);
	init(&e, 0, 7);
	for (i = 0; i < sizeof(above) / sizeof(*above); i++) {
		e.in->ext = (struct tma_ext_in){
			.valid = 1, .write = 1, .addr = e.info->smem_bytes + above[i], .strb = 0xFFFF
		};
		env_until(&e, PORT_EXT_WRITE, 1);
		e.in->ext.valid = 1;
		e.in->ext.write = 0;
		env_until(&e, PORT_EXT_READ, 1);
		env_arrive(&e, 0, expect_100);
	}
	finish(&e);
}

/* A write over half of a dirty barrier: the other half is as the last operation left it. */
static void half_overwritten(void **state)
{
	uint8_t line[TMA_SIM_MAX_BEAT];
	uint32_t half, again;
	struct env e;

	(void)state;
	env_open(&e);
	memset(line, 0x5A, sizeof(line));
	for (half = 0; half < 2; half++) {
		for (again = 0; again < 2; again++) {
			init(&e, BARS, 3);
			/* Meanwhile nothing may be written back. */
			busy_write(&e);
			env_arrive(&e, BARS, expect_100);
			env_line(&e, BARS / 2, 1, line);
			memset(e.in->wr_be, 0, sizeof(e.in->wr_be));
			e.in->wr_be[2 * env_bank(&e, BARS / 2)] = half ? 0xF0 : 0x0F;
			env_step(&e);
			if (again) {
				e.in->wr_be[2 * env_bank(&e, BARS / 2)] = half ? 0x0F : 0xF0;
				env_step(&e);
			}
			e.in->wr_valid = 0;
			e.in->ext = (struct tma_ext_in){ .valid = 1, .addr = 8 * BARS };
			env_until(&e, PORT_EXT_READ, 1);
			env_arrive(&e, BARS, (struct bar_request){ .op = BAR_CHECK });
		}
	}
	finish(&e);
}

/* An arrival in every cycle of port B; A works beside it on others, and after it on the same. */
static void arrivals(void **state)
{
	const struct bar_request pend = { .op = BAR_PEND };
	uint32_t i, last;
	struct env e;

	(void)state;
	env_open(&e);
	init(&e, BARS, 4);
	init(&e, BARS + 1, 1);
	for (i = 0; i < 4; i++)
		env_arrive(&e, BARS, pend);
	env_signal_arrival(&e, BARS);
	env_complete(&e, BARS + 1, 0);
	e.in->b_addr = BARS;
	env_step(&e);
	memset(e.done, 0, sizeof(e.done));
	/* Seven are left: the phase is over, and the next one on its way. */
	for (i = 0; i < 8; i++) {
		e.in->b_valid = e.in->b_arrive = 1;
		e.in->b_addr = BARS;
		e.in->b_tx = 0;
		e.in->a_valid = e.in->a_commit = 1;
		last = e.in->a_addr;
		e.in->a_addr = BARS + i / 2 % 2;
		e.in->a = i / 2 % 2 ? expect_100 : pend;
		env_step(&e);
		assert_true(e.took[PORT_B]);
		assert_int_equal(e.took[PORT_A], i / 2 % 2 && at_once(&e, e.in->a_addr, last));
	}
	env_quiet(&e);
	assert_int_equal(bar_unpack(env_word(&e, BARS)).phase, 1);
	assert_int_equal(bar_unpack(env_word(&e, BARS)).pending, 3);
	/* The reference knows the faults: no such barrier, nothing to take away. */
	env_signal_arrival(&e, BARS + 2);
	env_arrive(&e, BARS, (struct bar_request){ .op = BAR_EXPECT, .tx = 1 });
	for (i = 0; i < 4; i++)
		env_signal_arrival(&e, BARS);
	finish(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(full_rate),     cmocka_unit_test(miss_latency),
		cmocka_unit_test(poll),          cmocka_unit_test(bounded_wait),
		cmocka_unit_test(demand),        cmocka_unit_test(thrash),
		cmocka_unit_test(abandoned),     cmocka_unit_test(neighbour),
		cmocka_unit_test(rewritten),     cmocka_unit_test(end_of_memory),
		cmocka_unit_test(outside),       cmocka_unit_test(half_overwritten),
		cmocka_unit_test(traffic_mixed), cmocka_unit_test(traffic_hot),
		cmocka_unit_test(traffic_words), cmocka_unit_test(traffic_reads),
		cmocka_unit_test(traffic_wild),  cmocka_unit_test(arrivals),
		cmocka_unit_test(rows_apart),    cmocka_unit_test(checks),
	};

	return cmocka_run_group_tests_name("tma_cta", tests, NULL, NULL);
}
