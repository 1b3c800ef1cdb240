/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_store_test - the store path writes what it should, where it may, and says when it is done.
 *
 * Checks in every case (tma_store_env.c): every byte of global memory, bursts and their attributes,
 * order and time of read_done and write_done, faults with code and address, no burst behind an
 * error, AXI rules, the unit's assertions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka.h needs the four above. */
#include <cmocka.h>

#include "tma_abi.h"
#include "unit_rtl/tma_store_env.h"

#define ALL 0xFFFFu

static uint32_t line(const struct env *e)
{
	return e->info->data_bytes / 16;
}

static uint32_t below(struct env *e, uint32_t n)
{
	return rng_below(&e->rng, n);
}

/* One command on an idle path: AW after two cycles, W after four, done with its B. */
static void latency(void **state)
{
	struct env_opts o = { .seed = 1, .latency = 10 };
	struct env_cmd *c;
	struct env e;

	(void)state;
	env_open(&e, &o);
	env_window(&e, 0, 0, 3, true);
	c = env_command(&e, 0, 0x100, 1, 0, 5, ALL);
	env_drain(&e, 100);
	assert_int_equal(c->first_aw - c->accept, 2);
	assert_int_equal(e.last_w - c->accept, 4);
	assert_int_equal(c->read_done - c->accept, 3);
	assert_int_equal(c->write_done - e.last_w, 10 + 1);
	env_close(&e);
}

/* Queued stores of one line keep AW and W busy in every cycle, as NumWrites and L allow. */
static void one_line_each(void **state)
{
	struct env_opts o = { .seed = 2, .latency = 8 };
	struct env_cmd *first;
	uint32_t i;
	struct env e;

	(void)state;
	env_open(&e, &o);
	env_window(&e, 0, 0, ENV_PAGES - 1, true);
	first = env_command(&e, 0, 0, line(&e), 0, 0, ALL);
	for (i = 1; i < 500; i++)
		env_command(&e, 0, i * e.info->data_bytes, line(&e), i % e.info->ctas, i % 16 * line(&e),
		            ALL);
	env_drain(&e, 2000);
	assert_int_equal(e.last_aw - first->first_aw, 499);
	assert_int_equal(e.last_w - first->first_aw, 499 + 2);
	env_close(&e);
}

/* Long stores, misaligned on both sides: W never pauses, across bursts and commands. */
static void long_stores(void **state)
{
	struct env_opts o = { .seed = 3, .latency = 8 };
	struct env_cmd *first;
	uint32_t chunks;
	struct env e;

	(void)state;
	env_open(&e, &o);
	env_window(&e, 0, 0, ENV_PAGES - 1, true);
	chunks = 14000 / 16;
	first = env_command(&e, 0, 0x110, chunks, 0, 3, ALL);
	env_command(&e, 0, 0x6FF0, chunks, e.info->ctas - 1, 7, ALL);
	env_command(&e, 0, 0xC020, chunks, 0, 1, ALL);
	env_drain(&e, 4000);
	assert_int_equal(e.last_w - (first->first_aw + 2) + 1, e.beats);
	env_close(&e);
}

/* The operand at both ends of shared and of global memory. */
static void ends_of_memory(void **state)
{
	struct env_opts o = { .seed = 4 };
	uint32_t chunks, head;
	struct env e;

	(void)state;
	env_open(&e, &o);
	env_window(&e, 0, 0, 3, true);
	env_window(&e, 0, ENV_PAGES - 2, ENV_PAGES - 1, true);
	for (head = 0; head < 8; head++) {
		for (chunks = 1; chunks < 40; chunks += 1 + head) {
			env_command(&e, 0, head * 16, chunks, 0, 0, ALL);
			env_command(&e, 0, ENV_BYTES - chunks * 16, chunks, e.info->ctas - 1,
			            e.info->smem_bytes / 16 - chunks, ALL);
		}
	}
	env_drain(&e, 20000);
	env_close(&e);
}

static void byte_masks(void **state)
{
	static const uint16_t masks[] = { 0x0000, 0x0001, 0x8000, 0x5A3C, 0xFFFE, 0xFFFF };
	struct env_opts o = { .seed = 5, .stall_percent = 30 };
	uint32_t i;
	struct env e;

	(void)state;
	env_open(&e, &o);
	env_window(&e, 0, 0, ENV_PAGES - 1, true);
	for (i = 0; i < 60; i++)
		env_command(&e, 0, i * 0x1330, 1 + i * 7 % 90, 0, i, masks[i % 6]);
	env_drain(&e, 20000);
	env_close(&e);
}

/* NumWrites bursts are in flight, and the next waits for the first response. */
static void as_many_as_built_for(void **state)
{
	struct env_opts o = { .seed = 6, .latency = 1000 };
	uint32_t i;
	struct env e;

	(void)state;
	env_open(&e, &o);
	env_window(&e, 0, 0, ENV_PAGES - 1, true);
	for (i = 0; i < e.info->writes + 20; i++)
		env_command(&e, 0, i * 256, 1, 0, i, ALL);
	for (i = 0; i < 900; i++)
		env_step(&e);
	assert_int_equal(e.bursts, e.info->writes);
	env_drain(&e, 4000);
	env_close(&e);
}

/* With AW blocked the path fills up, and what W holds back is not lost. */
static void blocked_address(void **state)
{
	struct env_opts o = { .seed = 7 };
	uint32_t i;
	struct env e;

	(void)state;
	env_open(&e, &o);
	env_window(&e, 0, 0, ENV_PAGES - 1, true);
	for (i = 0; i < 40; i++)
		env_command(&e, 0, i * 4096 + 32, 60, 0, i, ALL);
	e.block_aw = true;
	for (i = 0; i < 100; i++)
		env_step(&e);
	assert_int_equal(e.bursts, 0);
	assert_int_equal(e.out->cmd_level, 8);
	assert_int_equal(e.out->cmd_ready, 0);
	/* AW register, guard and FIFO hold one, one and eight; the next is on offer. */
	assert_int_equal(e.offered, 11);
	e.block_aw = false;
	env_drain(&e, 20000);
	env_close(&e);
}

/* Denied at once, after some bursts, and behind a page that fails. */
static void windows(void **state)
{
	struct env_opts o = { .seed = 8, .latency = 60 };
	struct env_cmd *c[8];
	uint32_t other;
	struct env e;

	(void)state;
	env_open(&e, &o);
	other = e.info->queues - 1;
	env_window(&e, 0, 0, 3, true);
	env_window(&e, 0, 6, 9, true);
	env_window(&e, 0, 4, 5, false);
	env_window(&e, 0, 20, 12, true);
	env_window(&e, other, 4, 5, true);
	env_error(&e, 3, AXI_SLVERR);
	env_error(&e, 8, AXI_DECERR);

	c[0] = env_command(&e, 0, 4 * ENV_PAGE, 4, 0, 0, ALL);
	c[1] = env_command(&e, other, 4 * ENV_PAGE, 4, 0, 4, ALL);
	c[2] = env_command(&e, 0, 1 * ENV_PAGE + 80, 16 * 10, 0, 9, ALL);
	c[3] = env_command(&e, 0, 2 * ENV_PAGE - 48, 256 + 256 + 256, 0, 9, ALL);
	c[4] = env_command(&e, 0, 9 * ENV_PAGE + 4000, 12, 0, 9, ALL);
	c[5] = env_command(&e, 0, 15 * ENV_PAGE, 1, 0, 9, ALL);
	c[6] = env_command(&e, other, 5 * ENV_PAGE + 4080, 2, 0, 9, ALL);
	c[7] = env_command(&e, 0, 6 * ENV_PAGE, 700, 0, 9, ALL);
	env_drain(&e, 20000);

	assert_int_equal(c[0]->code, TMA_FAULT_WINDOW_WRITE);
	assert_int_equal(c[1]->code, 0);
	assert_int_equal(c[2]->code, 0);
	assert_int_equal(c[3]->code, TMA_FAULT_WRITE_SLVERR);
	assert_int_equal(c[4]->code, TMA_FAULT_WINDOW_WRITE);
	assert_int_equal(c[4]->issued, 1);
	assert_int_equal(c[4]->address, ENV_BASE + 10 * ENV_PAGE);
	assert_int_equal(c[5]->issued, 0);
	assert_int_equal(c[6]->address, ENV_BASE + 6 * ENV_PAGE);
	assert_int_equal(c[7]->code, TMA_FAULT_WRITE_DECERR);
	env_close(&e);
}

/* An error comes back while the command is still in the guard: the rest is never issued. */
static void aborted(void **state)
{
	struct env_opts o = { .seed = 9, .latency = 4 };
	struct env_cmd *c, *next;
	uint32_t i;
	struct env e;

	(void)state;
	env_open(&e, &o);
	env_window(&e, 0, 0, ENV_PAGES - 1, true);
	env_error(&e, 0, AXI_SLVERR);
	env_error(&e, 1, AXI_DECERR);
	c = env_command(&e, 0, ENV_PAGE - 16, 900, 0, 0, ALL);
	next = env_command(&e, 0, 40 * ENV_PAGE, 900, 0, 11, ALL);
	while (!e.bursts)
		env_step(&e);
	/* The second burst waits in the AW register until the error of the first is known. */
	e.block_aw = true;
	for (i = 0; i < 50; i++)
		env_step(&e);
	e.block_aw = false;
	env_drain(&e, 20000);
	assert_int_equal(c->code, TMA_FAULT_WRITE_SLVERR);
	assert_int_equal(c->issued, 2);
	assert_int_equal(next->code, 0);
	env_close(&e);
}

/* Nobody hears that a command is done before its fault was taken. */
static void done_after_the_fault(void **state)
{
	struct env_opts o = { .seed = 10, .latency = 5 };
	struct env_cmd *denied, *failed;
	uint32_t i;
	struct env e;

	(void)state;
	env_open(&e, &o);
	env_window(&e, 0, 0, 7, true);
	env_error(&e, 2, AXI_SLVERR);
	failed = env_command(&e, 0, 2 * ENV_PAGE, 3, 0, 0, ALL);
	denied = env_command(&e, 0, 8 * ENV_PAGE, 3, 0, 0, ALL);
	e.block_fault = true;
	for (i = 0; i < 100; i++)
		env_step(&e);
	assert_int_equal(e.out->fault_valid, 1);
	assert_int_equal(e.writes_done, 0);
	assert_int_equal(e.reads_done, 1);
	e.block_fault = false;
	env_drain(&e, 100);
	assert_true(failed->fault < failed->write_done);
	assert_true(denied->fault < denied->read_done);
	env_close(&e);
}

/* Random commands of all queues, with stalls everywhere, errors and denied pages. */
static void random_run(const struct env_opts *o, uint32_t commands, bool faults)
{
	uint32_t q, i, smem_chunks;
	struct env e;

	env_open(&e, o);
	smem_chunks = e.info->smem_bytes / 16;
	for (q = 0; q < e.info->queues; q++) {
		if (!faults) {
			env_window(&e, q, 0, ENV_PAGES - 1, true);
			continue;
		}
		for (i = 0; i < e.info->windows; i++) {
			uint32_t first = below(&e, ENV_PAGES), last = first + below(&e, 30);

			env_window(&e, q, first, last < ENV_PAGES ? last : ENV_PAGES - 1, below(&e, 8));
		}
	}
	for (i = 0; faults && i < 6; i++)
		env_error(&e, below(&e, ENV_PAGES), below(&e, 2) ? AXI_SLVERR : AXI_DECERR);

	for (i = 0; i < commands; i++) {
		static const uint32_t most[] = { 4, 4, 20, 20, 300, 1000 };
		uint32_t chunks = 1 + below(&e, most[below(&e, 6)]), saddr, offset;

		/* Every fourth one touches an end of shared memory. */
		saddr = below(&e, smem_chunks - chunks + 1);
		if (!below(&e, 4))
			saddr = below(&e, 2) ? 0 : smem_chunks - chunks;
		offset = below(&e, ENV_BYTES / 16 - chunks + 1) * 16;
		env_command(&e, below(&e, e.info->queues), offset, chunks, below(&e, e.info->ctas), saddr,
		            below(&e, 3) ? ALL : below(&e, 0x10000));
	}
	env_drain(&e, 2000 + (uint64_t)commands * 8000);
	env_close(&e);
}

static void random_smooth(void **state)
{
	struct env_opts o = { .seed = 100, .latency = 1 };

	(void)state;
	random_run(&o, 600, false);
}

static void random_stalls(void **state)
{
	struct env_opts o = { .seed = 101,
		              .latency = 1,
		              .random_latency = 200,
		              .stall_percent = 40,
		              .command_percent = 20,
		              .read_percent = 20 };

	(void)state;
	random_run(&o, 600, false);
}

static void random_faults(void **state)
{
	uint32_t i;

	(void)state;
	for (i = 0; i < 6; i++) {
		struct env_opts o = { .seed = 200 + i,
			              .latency = 1 + 30 * (i % 3),
			              .random_latency = 20 * i,
			              .stall_percent = 12 * i,
			              .command_percent = 10 * i,
			              .read_percent = 8 * i,
			              .fault_percent = 15 * i };

		random_run(&o, 250, true);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(latency),         cmocka_unit_test(one_line_each),
		cmocka_unit_test(long_stores),     cmocka_unit_test(ends_of_memory),
		cmocka_unit_test(byte_masks),      cmocka_unit_test(as_many_as_built_for),
		cmocka_unit_test(blocked_address), cmocka_unit_test(windows),
		cmocka_unit_test(aborted),         cmocka_unit_test(done_after_the_fault),
		cmocka_unit_test(random_smooth),   cmocka_unit_test(random_stalls),
		cmocka_unit_test(random_faults),
	};

	return cmocka_run_group_tests_name("tma_store", tests, NULL, NULL);
}
