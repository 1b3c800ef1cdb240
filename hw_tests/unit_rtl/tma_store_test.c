/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_store_test - the store path writes what it should, where it may, and says when it is done.
 *
 * Checks in every case (tma_store_ref.c): every byte of the global memories, bursts and their
 * attributes on every port, order and time of read_done, write_done and rec_done, faults with code
 * and address, no burst behind an error, AXI rules, the unit's assertions. What only several ports
 * can do and random runs are in tma_store_more.c.
 */
#include <string.h>

#include "tma_abi.h"
#include "unit_rtl/tma_store_env.h"

#define ALL 0xFFFFu

static uint32_t line(const struct env *e)
{
	return e->info->data_bytes / 16;
}

/* One command on an idle path: AW after two cycles, W after four, with short paths after three and eight; done with
 * its B. */
ENV_TEST(latency, .seed = 1, .latency = 10)
{
	struct env_cmd *c;

	env_window(e, 0, 0, 3, true);
	c = env_command(e, 0, 0x100, 1, 0, 5, ALL);
	env_drain(e, 100);
	assert_int_equal(c->first_aw - c->accept, 2 + e->info->short_paths);
	assert_int_equal(e->last_w - c->accept, 4 + 4 * e->info->short_paths);
	assert_int_equal(c->read_done - c->accept, 3 + 2 * e->info->short_paths);
	assert_int_equal(c->done - e->last_w, 10 + 1 + e->info->short_paths);
}

/* Queued stores of one line keep AW and W busy in every cycle, where paths are short in every third, as NumWrites
 * and L allow. */
ENV_ALL_TEST(one_line_each, .seed = 2, .latency = 8)
{
	struct env_cmd *first = env_command(e, 0, 0, line(e), 0, 0, ALL);

	for (uint32_t i = 1; i < 500; i++)
		env_command(e, 0, i * e->info->data_bytes, line(e), i % e->info->ctas, i % 16 * line(e), ALL);
	env_drain(e, 2000);
	assert_int_equal(e->last_aw - first->first_aw, 499 * (1 + 2 * e->info->short_paths));
	assert_int_equal(e->last_w - e->last_aw, 2 + 3 * e->info->short_paths);
}

/* Long stores, misaligned on both sides: W never pauses, across bursts and commands. */
ENV_ALL_TEST(long_stores, .seed = 3, .latency = 8)
{
	uint32_t chunks = 14000 / 16;
	struct env_cmd *first = env_command(e, 0, 0x110, chunks, 0, 3, ALL);

	env_command(e, 0, 0x6FF0, chunks, e->info->ctas - 1, 7, ALL);
	env_command(e, 0, 0xC020, chunks, 0, 1, ALL);
	env_drain(e, 4000);
	assert_int_equal(e->last_w - (first->first_aw + 2 + 3 * e->info->short_paths) + 1, e->beats);
}

/* The operand at both ends of shared and of global memory. */
ENV_TEST(ends_of_memory, .seed = 4)
{
	env_window(e, 0, 0, 3, true);
	env_window(e, 0, ENV_PAGES - 2, ENV_PAGES - 1, true);
	for (uint32_t head = 0; head < 8; head++) {
		for (uint32_t chunks = 1; chunks < 40; chunks += 1 + head) {
			env_command(e, 0, head * 16, chunks, 0, 0, ALL);
			env_command(e, 0, ENV_BYTES - chunks * 16, chunks, e->info->ctas - 1,
			            e->info->smem_bytes / 16 - chunks, ALL);
		}
	}
	env_drain(e, 20000);
}

ENV_ALL_TEST(byte_masks, .seed = 5, .stall_percent = 30)
{
	static const uint16_t masks[] = { 0x0000, 0x0001, 0x8000, 0x5A3C, 0xFFFE, 0xFFFF };

	for (uint32_t i = 0; i < 60; i++)
		env_command(e, 0, i * 0x1330, 1 + i * 7 % 90, 0, i, masks[i % 6]);
	env_drain(e, 20000);
}

/* NumWrites bursts are in flight, and the next waits for the first response. */
ENV_ALL_TEST(as_many_as_built_for, .seed = 6, .latency = 1000)
{
	for (uint32_t i = 0; i < e->info->writes + 20; i++)
		env_command(e, 0, i * 256, 1, 0, i, ALL);
	env_steps(e, 900);
	assert_int_equal(e->bursts, e->info->writes);
	env_drain(e, 4000);
}

/* With AW blocked the path fills up, and what W holds back is not lost. */
ENV_ALL_TEST(blocked_address, .seed = 7)
{
	for (uint32_t i = 0; i < 40; i++)
		env_command(e, 0, i * 4096 + 32, 60, 0, i, ALL);
	e->block_aw = 1;
	env_steps(e, 100);
	assert_int_equal(e->bursts, 0);
	assert_int_equal(e->out->cmd_level[0], 8);
	assert_int_equal(e->out->cmd_ready, 0);
	/* AW has one on its pins and one behind, guard and FIFO hold one and eight; the next is on offer. */
	assert_int_equal(e->offered, 12);
	e->block_aw = 0;
	env_drain(e, 20000);
}

/* Denied at once, after some bursts, and behind a page that fails. */
ENV_TEST(windows, .seed = 8, .latency = 60)
{
	struct env_cmd *c[8];
	uint32_t other = e->info->queues - 1;

	env_window(e, 0, 0, 3, true);
	env_window(e, 0, 6, 9, true);
	env_window(e, 0, 4, 5, false);
	if (e->info->windows > 3)
		env_window(e, 0, 20, 12, true);
	env_window(e, other, 4, 5, true);
	env_error(e, 0, 3, AXI_SLVERR);
	env_error(e, 0, 8, AXI_DECERR);

	c[0] = env_command(e, 0, 4 * ENV_PAGE, 4, 0, 0, ALL);
	c[1] = env_command(e, other, 4 * ENV_PAGE, 4, 0, 4, ALL);
	c[2] = env_command(e, 0, 1 * ENV_PAGE + 80, 16 * 10, 0, 9, ALL);
	c[3] = env_command(e, 0, 2 * ENV_PAGE - 48, 256 + 256 + 256, 0, 9, ALL);
	c[4] = env_command(e, 0, 9 * ENV_PAGE + 4000, 12, 0, 9, ALL);
	c[5] = env_command(e, 0, 15 * ENV_PAGE, 1, 0, 9, ALL);
	c[6] = env_command(e, other, 5 * ENV_PAGE + 4080, 2, 0, 9, ALL);
	c[7] = env_command(e, 0, 6 * ENV_PAGE, 700, 0, 9, ALL);
	env_drain(e, 20000);

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
}

/* An error comes back while the command is still in the guard: the rest is never issued. */
ENV_ALL_TEST(aborted, .seed = 9, .latency = 4)
{
	struct env_cmd *c, *next;

	env_error(e, 0, 0, AXI_SLVERR);
	env_error(e, 0, 1, AXI_DECERR);
	c = env_command(e, 0, ENV_PAGE - 16, 900, 0, 0, ALL);
	next = env_command(e, 0, 40 * ENV_PAGE, 900, 0, 11, ALL);
	while (!e->bursts)
		env_step(e);
	/* The second burst waits on AW, and the third behind it, until the error of the first is known. */
	e->block_aw = 1;
	env_steps(e, 50);
	e->block_aw = 0;
	env_drain(e, 20000);
	assert_int_equal(c->code, TMA_FAULT_WRITE_SLVERR);
	assert_int_equal(c->issued, 3);
	assert_int_equal(next->code, 0);
}

/* Nobody hears that a command is done before its fault was taken. */
ENV_TEST(done_after_the_fault, .seed = 10, .latency = 5)
{
	struct env_cmd *denied, *failed;

	env_window(e, 0, 0, 7, true);
	env_error(e, 0, 2, AXI_SLVERR);
	failed = env_command(e, 0, 2 * ENV_PAGE, 3, 0, 0, ALL);
	denied = env_command(e, 0, 8 * ENV_PAGE, 3, 0, 0, ALL);
	e->block_fault = true;
	env_steps(e, 100);
	assert_int_equal(e->out->fault_valid, 1);
	assert_int_equal(e->writes_done, 0);
	assert_int_equal(e->reads_done, 1);
	e->block_fault = false;
	env_drain(e, 100);
	assert_true(failed->fault < failed->done);
	assert_true(denied->fault < denied->read_done);
}

/* Records of all places in a beat, alone and behind each other, between stores. */
ENV_ALL_TEST(records, .seed = 11, .latency = 10, .record_percent = 30)
{
	struct env_cmd *c;

	env_window(e, 1, 0, 1, true);
	c = env_record(e, 1, 0x60);
	env_drain(e, 100);
	assert_int_equal(e->last_w - c->accept,
	                 (e->info->data_bytes == 16 ? 5 : 4) + 5 * e->info->short_paths);
	assert_int_equal(c->done - e->last_w, 10 + 1 + e->info->short_paths);
	for (uint32_t i = 0; i < 60; i++)
		env_record(e, i % 2, i * 32);
	env_drain(e, 1000);
	for (uint32_t i = 0; i < 60; i++) {
		env_command(e, 0, 3 * ENV_PAGE + i * 2048, 20 + i, 0, i, ALL);
		env_record(e, i % 2, 0x1000 + i * 32);
	}
	env_drain(e, 10000);
	assert_int_equal(e->recs_done, 121);
}

/* A record overtakes the stores that wait, but not the pages of the one that is being issued. */
ENV_ALL_TEST(record_overtakes, .seed = 12)
{
	struct env_cmd *c[4], *rec;

	for (uint32_t i = 0; i < 4; i++)
		c[i] = env_command(e, 0, (8 * i + 1) * ENV_PAGE - 64, 900, 0, 0, ALL);
	while (e->offered < 4)
		env_step(e);
	rec = env_record(e, 0, 0);
	env_drain(e, 20000);
	/* The first store was in the cut, the others in the FIFO. */
	assert_true(rec->first_aw > c[0]->first_aw && rec->first_aw < c[1]->first_aw);
}

/* Records without end, at a port that takes fewer of them than come: a store that waits comes behind the next one. */
ENV_ALL_TEST(store_among_records, .seed = 13, .stall_percent = 60)
{
	struct env_cmd *rec[120], *store;
	uint32_t before = 0;

	for (uint32_t i = 0; i < 120; i++)
		rec[i] = env_record(e, 0, 0x2000 + 32 * i);
	while (e->bursts < 20)
		env_step(e);
	store = env_command(e, 0, 0x100, 4, 0, 0, ALL);
	env_drain(e, 20000);
	for (uint32_t i = 0; i < 120; i++)
		before += rec[i]->first_aw > store->accept && rec[i]->first_aw < store->first_aw;
	/* Those on their way to the pins, and two. */
	assert_in_range(before, 1, 8);
}

/* Records that no window allows and whose write fails, behind each other and behind good ones. */
TEST(records_fail)
{
	struct env_opts o = { .seed = 13, .latency = 10 };
	struct env_cmd *c[6];
	struct env e;

	env_open(&e, &o);
	env_window(&e, 0, 0, 2, true);
	env_window(&e, 0, 3, 3, false);
	env_error(&e, 0, 1, AXI_SLVERR);
	env_error(&e, 0, 2, AXI_DECERR);
	for (uint32_t round = 0; round < 20; round++) {
		e.o.record_percent = round * 5;
		e.o.fault_percent = round % 4 * 30;
		for (uint32_t i = 0; i < 6; i++)
			c[i] = env_record(&e, 0, (i % 5) * ENV_PAGE + round * 64);
		env_command(&e, 0, 3 * ENV_PAGE - 32, 4, 0, 0, ALL);
		env_drain(&e, 2000);
		assert_int_equal(c[0]->code, 0);
		assert_int_equal(c[1]->code, TMA_FAULT_COMPLETION_SLVERR);
		assert_int_equal(c[2]->code, TMA_FAULT_COMPLETION_DECERR);
		assert_int_equal(c[3]->code, TMA_FAULT_COMPLETION_WINDOW);
		assert_int_equal(c[4]->code, TMA_FAULT_COMPLETION_WINDOW);
		assert_true(c[4]->address == ENV_BASE + 4 * ENV_PAGE + round * 64);
		assert_int_equal(c[5]->code, 0);
	}
	env_close(&e);
}

/* Multimem stores need both kinds of windows, page by page; plain stores take no notice of them. */
ENV_TEST(multimem_windows, .seed = 14)
{
	static const uint32_t to[ENV_PORTS] = { 40, 41, 42, 43 };
	struct env_cmd *c[8];
	uint8_t all = (uint8_t)((1u << e->info->ports) - 1);

	env_window(e, 0, 0, 3, true);
	env_mm_window(e, 0, 4, 9);
	env_window(e, 1, 4, 9, true);
	env_multimem(e, 6, 8, all, to);
	c[0] = env_mm_command(e, 0, 6 * ENV_PAGE + 48, 256 + 256, 0, 5, ALL);
	c[1] = env_mm_command(e, 0, 7 * ENV_PAGE + 4080, 256 + 2, 0, 5, 0x5A5A);
	c[2] = env_mm_command(e, 0, 2 * ENV_PAGE, 4, 0, 5, ALL);
	c[3] = env_mm_command(e, 0, 5 * ENV_PAGE, 4, 0, 5, ALL);
	c[4] = env_mm_command(e, 1, 6 * ENV_PAGE, 4, 0, 5, ALL);
	c[5] = env_command(e, 1, 6 * ENV_PAGE, 4, 0, 5, ALL);
	c[6] = env_command(e, 0, 6 * ENV_PAGE, 4, 0, 5, ALL);
	c[7] = env_mm_command(e, 0, 9 * ENV_PAGE - 16, 1, 0, 5, ALL);
	env_drain(e, 5000);
	assert_int_equal(c[0]->code, 0);
	assert_int_equal(c[1]->code, TMA_FAULT_MULTIMEM_UNMAPPED);
	assert_int_equal(c[1]->issued, c[1]->bursts);
	assert_true(c[1]->address == ENV_BASE + 9 * ENV_PAGE);
	assert_int_equal(c[2]->code, TMA_FAULT_WINDOW_MULTIMEM);
	assert_int_equal(c[3]->code, TMA_FAULT_MULTIMEM_UNMAPPED);
	assert_int_equal(c[4]->code, TMA_FAULT_WINDOW_MULTIMEM);
	assert_int_equal(c[5]->code, 0);
	assert_int_equal(c[6]->code, TMA_FAULT_WINDOW_WRITE);
	assert_int_equal(c[7]->code, 0);
}
