/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_reduce_test - reductions update what they should, where they may, and say when they are done.
 *
 * Checks in every case (tma_reduce_ref.c): every byte of the global memories, in the order of the elements; bursts
 * and their attributes on every port; nobody reads what is about to change; order and time of read_done and
 * write_done, faults with code and address, nothing written of a burst that failed, AXI rules, the unit's assertions.
 * Tensor reductions are in tma_reduce_tensor.c, several ports, death and random runs in tma_reduce_more.c.
 */
#include "tma_abi.h"
#include "unit_rtl/tma_reduce_env.h"

#define BOTH (AXI_MEM_READ | AXI_MEM_WRITE)

static const struct reduce_how add_u32 = { TMA_REDUCE_ADD, TMA_TYPE_U32, 0 };
static const struct reduce_how inc_u32 = { TMA_REDUCE_INC, TMA_TYPE_U32, 0 };

static uint32_t below(struct env *e, uint32_t n)
{
	return rng_below(&e->rng, n);
}

static uint32_t line(const struct env *e)
{
	return e->info->data_bytes / CHUNK;
}

/* One command on an idle path. Command to AR: with short paths one cycle more in the guard, and three in the FIFO; then one
 * for R, three in the arithmetic, one for the turn at AW and one for B. */
ENV_ALL_TEST(latency, .seed = 1, .latency = 10)
{
	struct env_cmd *c = env_command(e, 0, 0x100, 1, 0, 5, add_u32);

	env_drain(e, 200);
	assert_int_equal(c->first_ar - c->accept, 3 + 4 * e->info->short_paths);
	assert_int_equal(e->last_r - c->first_ar, 10);
	assert_int_equal(c->first_aw - e->last_r, 12 + 5 * e->info->short_paths);
	assert_int_equal(e->last_w - c->first_aw, 1);
	assert_int_equal(c->done - e->last_w, 10 + 1 + e->info->short_paths);
}

/* Queued reductions of one line each: a burst every other cycle, with short paths every fourth. */
ENV_ALL_TEST(one_line_each, .seed = 2, .latency = 1)
{
	uint32_t cycles = (2 + 2 * e->info->short_paths) * 399;
	struct env_cmd *first = env_command(e, 0, 0, line(e), 0, 0, add_u32);

	for (uint32_t i = 1; i < 400; i++)
		env_command(e, 0, i * e->info->data_bytes, line(e), i % e->info->ctas, i % 16 * line(e),
		            add_u32);
	env_drain(e, 4000);
	assert_int_equal(e->last_ar - first->first_ar, cycles);
	assert_int_equal(e->last_aw - first->first_aw, cycles);
	assert_int_equal(e->followed, 0);
}

/* Long ones, misaligned on both sides: a line per cycle, across bursts and commands. W waits for the first whole burst
 * behind the one with which they begin. */
ENV_ALL_TEST(long_ones, .seed = 3, .latency = 1)
{
	uint32_t chunks = 14000 / 16;

	env_command(e, 0, 0x110, chunks, 0, 3, add_u32);
	env_command(e, 0, 0x6FF0, chunks, e->info->ctas - 1, 7, add_u32);
	env_command(e, 0, 0xC020, chunks, 0, 1, add_u32);
	env_drain(e, 8000);
	assert_int_equal(e->last_w - e->first_w + 1, e->beats + 0x110 / e->info->data_bytes % 16);
}

/* All of the same line: each follows the one before, which takes the time of the arithmetic. */
ENV_ALL_TEST(one_line_of_all, .seed = 4, .latency = 50)
{
	struct env_cmd *first = env_command(e, 0, 0x400, 1, 0, 0, add_u32);

	for (uint32_t i = 1; i < 100; i++)
		env_command(e, 0, 0x400, 1, 0, i, i % 2 ? env_add(e, TMA_TYPE_F32) : inc_u32);
	env_drain(e, 8000);
	assert_int_equal(e->asked, 1);
	assert_int_equal(e->followed, 99);
	assert_int_equal(e->last_aw - first->first_aw, (10 + 2 * e->info->short_paths) * 99);
}

/* Every operator on every type, of every size and place in its lines. */
TEST(operators)
{
	struct env_opts o = { .seed = 5, .latency = 3, .random_latency = 20 };
	struct env e;

	env_open_all(&e, &o);
	for (uint32_t h = 0; h < env_hows(&e); h++)
		for (uint32_t i = 0; i < 24; i++)
			env_command(&e, 0, (below(&e, 0x3000) + h * 0x40) * CHUNK,
			            i < 12 ? 1 + i : 1 + below(&e, 90), below(&e, e.info->ctas),
			            below(&e, 900), env_how(h));
	env_drain(&e, 60000);
	env_close(&e);
}

/* The operand at both ends of shared and of global memory. */
ENV_TEST(ends_of_memory, .seed = 6)
{
	env_window(e, 0, 0, 3, true, true);
	env_window(e, 0, ENV_PAGES - 2, ENV_PAGES - 1, true, true);
	for (uint32_t head = 0; head < 8; head++) {
		for (uint32_t chunks = 1; chunks < 40; chunks += 1 + head) {
			env_command(e, 0, head * 16, chunks, 0, 0, env_draw_how(e));
			env_command(e, 0, ENV_BYTES - chunks * 16, chunks, e->info->ctas - 1,
			            e->info->smem_bytes / 16 - chunks, env_draw_how(e));
		}
	}
	env_drain(e, 60000);
}

/* Many on a few lines: those that follow each other, that are too short or too long for it, and neighbours. */
TEST(histogram)
{
	for (uint32_t i = 0; i < 12; i++) {
		struct env_opts o = { .seed = 100 + i,
			              .latency = 1 + 20 * (i % 4),
			              .random_latency = 10 * i,
			              .stall_percent = i % 3 * 20,
			              .early_read_percent = i % 2 * 50,
			              .command_percent = i % 5 * 15,
			              .read_percent = i % 4 * 20,
			              .slower_writes = i % 3 * 60 };
		uint32_t lines = 1 + i % 4;
		struct env e;

		env_open_all(&e, &o);
		for (uint32_t n = 0; n < 300; n++) {
			uint32_t at = below(&e, lines * line(&e)), chunks = 1 + below(&e, line(&e));

			if (!below(&e, 12)) /* it is no longer than a burst */
				chunks = 1 + below(&e, 3 * line(&e));
			if (!below(&e, 8)) /* lines of another page that look alike */
				at += below(&e, 3) * ENV_PAGE / CHUNK;
			env_command(&e, 0, 0x1000 + at * CHUNK, chunks, below(&e, e.info->ctas),
			            below(&e, 400), env_draw_how(&e));
		}
		env_drain(&e, 200000);
		assert_true(e.followed > 5);
		env_close(&e);
	}
}

/* Bursts of several lines over each other, and single lines into them: all wait. */
ENV_ALL_TEST(long_overlaps, .seed = 7, .latency = 30, .random_latency = 30)
{
	for (uint32_t i = 0; i < 120; i++)
		env_command(e, 0, 0x2000 + below(e, 40 * line(e)) * CHUNK,
		            1 + below(e, (i % 3 ? 30 : 1) * line(e)), 0, below(e, 100), env_draw_how(e));
	env_drain(e, 200000);
}

/* As many bursts are in flight as the path was built for, and the next waits for the first response. */
ENV_ALL_TEST(as_many_as_built_for, .seed = 8, .latency = 1000)
{
	for (uint32_t i = 0; i < e->info->reductions + 20; i++)
		env_command(e, 0, i * 256, 1, 0, i, add_u32);
	env_steps(e, 900);
	assert_int_equal(e->asked, e->info->reductions);
	env_drain(e, 20000);
}

/* Room for old data is asked for: with long bursts it is short before bursts in flight are. */
ENV_ALL_TEST(room_for_old_data, .seed = 9, .latency = 1000)
{
	uint32_t lines = e->info->reductions * 2 < 64 ? 64 : e->info->reductions * 2;

	for (uint32_t i = 0; i < 3; i++)
		env_command(e, 0, i * 0x8000, 0x7000 / 2 / CHUNK, 0, 0, add_u32);
	env_steps(e, 900);
	assert_int_equal(e->asked, lines / 16);
	env_drain(e, 60000);
}

/* Every channel is shut for a while, and shared memory; what waits is not lost. */
ENV_ALL_TEST(blocked, .seed = 10, .latency = 2)
{
	for (uint32_t round = 0; round < 5; round++) {
		for (uint32_t i = 0; i < 60; i++)
			env_command(e, 0, (round * 60 + i) * 0x130 / CHUNK * CHUNK,
			            1 + (i % 3 || round == 2 ? 0 : 40), 0, i, env_draw_how(e));
		e->block_ar = round == 0;
		e->block_aw = round == 1;
		e->block_w = round == 2;
		e->o.read_percent = round == 3 ? 100 : 0;
		axi_mem_stop(e->port[0].mem, round == 4 ? AXI_MEM_B : 0, 0);
		env_steps(e, 300);
		e->block_ar = e->block_aw = e->block_w = 0;
		e->o.read_percent = 0;
		axi_mem_stop(e->port[0].mem, 0, 0);
		env_drain(e, 20000);
	}
}

/* Commands wait in front of a path that stands still. */
ENV_ALL_TEST(commands_wait, .seed = 11)
{
	for (uint32_t i = 0; i < 40; i++)
		env_command(e, 0, i * 4096 + 32, 60, 0, i, add_u32);
	e->block_ar = 1;
	env_steps(e, 200);
	assert_int_equal(e->out->cmd_level, 8);
	assert_int_equal(e->out->cmd_ready, 0);
	e->block_ar = 0;
	env_drain(e, 20000);
}

/* A page needs a window for reads, which is looked at first, and one for writes; two will do. */
ENV_TEST(windows, .seed = 12, .latency = 60)
{
	uint32_t other = e->info->queues - 1;
	struct env_cmd *c[9];

	env_window(e, 0, 0, 9, true, false);
	env_window(e, 0, 0, 7, false, true);
	env_window(e, 0, 10, 11, false, true);
	env_window(e, 0, 20, 12, true, true);
	env_window(e, other, 10, 12, true, true);

	c[0] = env_command(e, 0, 3 * ENV_PAGE - 80, 16 * 10, 0, 9, add_u32);
	c[1] = env_command(e, 0, 8 * ENV_PAGE + 48, 4, 0, 4, add_u32);
	c[2] = env_command(e, 0, 10 * ENV_PAGE, 4, 0, 4, add_u32);
	c[3] = env_command(e, 0, 15 * ENV_PAGE, 1, 0, 9, add_u32);
	c[4] = env_command(e, 0, 7 * ENV_PAGE + 4000, 12, 0, 9, add_u32);
	c[5] = env_command(e, 0, 7 * ENV_PAGE - 4000, 600, 0, 9, add_u32);
	c[6] = env_command(e, other, 9 * ENV_PAGE, 2, 0, 9, add_u32);
	c[7] = env_command(e, other, 12 * ENV_PAGE + 4080, 2, 0, 9, add_u32);
	c[8] = env_command(e, other, 11 * ENV_PAGE, 300, 0, 9, add_u32);
	env_drain(e, 20000);

	assert_int_equal(c[0]->code, 0);
	assert_int_equal(c[1]->code, TMA_FAULT_WINDOW_WRITE);
	assert_true(c[1]->address == ENV_BASE + 8 * ENV_PAGE + 48);
	assert_int_equal(c[2]->code, TMA_FAULT_WINDOW_READ);
	assert_int_equal(c[3]->code, TMA_FAULT_WINDOW_READ);
	assert_int_equal(c[4]->code, TMA_FAULT_WINDOW_WRITE);
	assert_true(c[4]->address == ENV_BASE + 8 * ENV_PAGE);
	assert_int_equal(c[5]->code, TMA_FAULT_WINDOW_WRITE);
	assert_int_equal(c[6]->code, TMA_FAULT_WINDOW_READ);
	assert_int_equal(c[7]->code, TMA_FAULT_WINDOW_READ);
	assert_true(c[7]->address == ENV_BASE + 13 * ENV_PAGE);
	assert_int_equal(c[8]->code, 0);
}

/* Of both halves the read's error counts; who follows a burst that was not read fails as well. */
ENV_ALL_TEST(errors, .seed = 13, .latency = 20)
{
	struct env_cmd *c[8];

	env_error(e, 0, AXI_MEM_READ, 2, AXI_SLVERR);
	env_error(e, 0, AXI_MEM_READ, 3, AXI_DECERR);
	env_error(e, 0, AXI_MEM_WRITE, 3, AXI_SLVERR);
	env_error(e, 0, AXI_MEM_WRITE, 5, AXI_SLVERR);
	env_error(e, 0, AXI_MEM_WRITE, 6, AXI_DECERR);
	for (uint32_t round = 0; round < 6; round++) {
		e->o.fault_percent = round * 15;
		c[0] = env_command(e, 0, 2 * ENV_PAGE + 0x40, 1, 0, 0, add_u32);
		c[1] = env_command(e, 0, 2 * ENV_PAGE + 0x40, 1, 0, 0, add_u32); /* it follows */
		c[2] = env_command(e, 0, 3 * ENV_PAGE - 160, 100, 0, 0, add_u32);
		c[3] = env_command(e, 0, 3 * ENV_PAGE + 0x80, 40, 0, 0, add_u32);
		c[4] = env_command(e, 0, 5 * ENV_PAGE + 0x30, 1, 0, 0, add_u32);
		c[5] = env_command(e, 0, 6 * ENV_PAGE + 0x30, 100, 0, 0, add_u32);
		c[6] = env_command(e, 0, 7 * ENV_PAGE - 48, 400, 0, 0, add_u32);
		c[7] = env_command(e, 0, 8 * ENV_PAGE, 1 + round, 0, 0, add_u32);
		env_drain(e, 20000);
		assert_int_equal(c[0]->code, TMA_FAULT_READ_SLVERR);
		assert_int_equal(c[1]->code, TMA_FAULT_READ_SLVERR);
		assert_int_equal(c[2]->code, TMA_FAULT_READ_SLVERR);
		assert_int_equal(c[3]->code, TMA_FAULT_READ_DECERR);
		assert_int_equal(c[4]->code, TMA_FAULT_WRITE_SLVERR);
		assert_int_equal(c[5]->code, TMA_FAULT_WRITE_DECERR);
		assert_int_equal(c[6]->code, TMA_FAULT_WRITE_DECERR);
		assert_true(c[6]->address == ENV_BASE + 7 * ENV_PAGE - 48);
		assert_int_equal(c[7]->code, 0);
		assert_int_equal(e->dead, 0);
	}
}

/* An error comes back while the command is still being issued: its rest is left out, the next command is not. */
ENV_ALL_TEST(aborted, .seed = 14, .latency = 3)
{
	struct env_cmd *c, *next;

	for (uint32_t half = 0; half < 2; half++) {
		env_error(e, 0, half ? AXI_MEM_WRITE : AXI_MEM_READ, 10 * half, AXI_SLVERR);
		for (uint32_t i = 0; i < 10; i++) {
			/* The rest waits, for AR, for room or for what it overlaps. */
			c = env_command(e, 0, (10 * half + 1) * ENV_PAGE - 48, 900, 0, 0, add_u32);
			next = env_command(e, 0, (10 * half + 5) * ENV_PAGE, i % 3 ? 1 : 300, 0, 11, add_u32);
			while (!c->asked)
				env_step(e);
			e->block_ar = i % 2;
			env_steps(e, 60 + i);
			e->block_ar = 0;
			env_drain(e, 20000);
			assert_int_equal(c->code, half ? TMA_FAULT_WRITE_SLVERR : TMA_FAULT_READ_SLVERR);
			assert_true(c->asked < c->bursts);
			assert_int_equal(next->code, 0);
		}
	}
}

/* Nobody hears that a command is done before its fault was taken. */
ENV_TEST(done_after_the_fault, .seed = 15, .latency = 5)
{
	struct env_cmd *denied, *failed;

	env_window(e, 0, 0, 7, true, true);
	env_error(e, 0, AXI_MEM_READ, 2, AXI_SLVERR);
	failed = env_command(e, 0, 2 * ENV_PAGE, 3, 0, 0, add_u32);
	denied = env_command(e, 0, 8 * ENV_PAGE, 3, 0, 0, add_u32);
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

/* A single beat that fails, of a burst of several: nothing of it is written, and the command is at fault by its first
 * byte; so does one whose response to the write is an error, whatever reached memory. */
ENV_ALL_TEST(one_beat_fails, .seed = 17, .latency = 15)
{
	uint32_t piece = 16 * e->info->data_bytes;
	struct env_cmd *c[3];

	for (uint32_t i = 0; i < piece / ENV_GRAIN; i++) {
		uint32_t at = 0x1000 + 0x1000 * i;

		env_error_at(e, 0, AXI_MEM_READ, at + i * ENV_GRAIN, ENV_GRAIN,
		             i % 2 ? AXI_SLVERR : AXI_DECERR);
		env_error_at(e, 0, AXI_MEM_WRITE, at + piece + i * ENV_GRAIN, ENV_GRAIN, AXI_SLVERR);
		c[0] = env_command(e, 0, at, 2 * piece / CHUNK, 0, i, env_add(e, TMA_TYPE_F32));
		c[1] = env_command(e, 0, at + piece, piece / CHUNK, 0, i, add_u32);
		c[2] = env_command(e, 0, at + 2 * piece - CHUNK, 1 + i, 0, i, add_u32);
		env_drain(e, 4000);
		assert_int_equal(c[0]->code, i % 2 ? TMA_FAULT_READ_SLVERR : TMA_FAULT_READ_DECERR);
		assert_true(c[0]->address == ENV_BASE + at);
		assert_int_equal(c[1]->code, TMA_FAULT_WRITE_SLVERR);
		assert_int_equal(c[2]->code, i == piece / ENV_GRAIN - 1 ? TMA_FAULT_WRITE_SLVERR : 0);
	}
}

/* One that has the only line of a failed burst fails with it, whatever comes between. */
ENV_ALL_TEST(followers_fail, .seed = 16, .latency = 15, .random_latency = 30)
{
	env_error(e, 0, BOTH, 4, AXI_DECERR);
	env_error(e, 0, AXI_MEM_WRITE, 6, AXI_SLVERR);
	for (uint32_t i = 0; i < 200; i++)
		env_command(e, 0, (4 + below(e, 4)) * ENV_PAGE + below(e, 2 * line(e)) * CHUNK,
		            1 + below(e, line(e)), 0, below(e, 300), env_draw_how(e));
	env_drain(e, 60000);
}
