/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_shared_copy_test - lines go from one CTA's memory to another's, or are reduced into it, then the barrier is
 * signalled.
 *
 * Checks in every case: those of tma_shared_copy_env.h, and the unit's assertions.
 */
#include "tma_abi.h"
#include "tma_shared_copy_env.h"

#define ENV_TEST(name, ...) \
	TEST_IN(name, struct env, e, env_open(e, &(const struct opts){ __VA_ARGS__ }), env_close(e))

/* Queued commands of one line each, misaligned on both sides: a line per cycle, without a gap; with short paths every
 * other cycle. */
TEST(one_line_each)
{
	struct opts o = { .seed = 1 };
	struct env e;

	env_open(&e, &o);
	while (e.taken < 500) {
		e.in->cmd = env_draw(&e);
		e.in->cmd.chunks = (uint16_t)e.chunks;
		e.in->cmd.src = (uint16_t)(e.in->cmd.dst + 1);
		e.in->cmd_valid = 1;
		env_step(&e);
	}
	env_close(&e);
	assert_int_equal(e.lines, 500);
	assert_int_equal(e.last_write - e.first_read, (499 + 2) * (1 + e.info->short_paths));
}

/* Long ones too; with short paths a cycle between two. */
TEST(long_copies)
{
	struct opts o = { .seed = 2, .offer = 100, .long_percent = 100 };
	struct env e;

	env_open(&e, &o);
	while (e.taken < 20)
		env_step(&e);
	env_close(&e);
	assert_int_equal(e.last_write - e.first_read,
	                 e.lines - 1 + 2 + (2 + e.taken - 1) * e.info->short_paths);
}

/* A copy of one line on an idle path: its read one cycle after, its signal three cycles later, with short paths
 * five. */
ENV_TEST(latency, .seed = 3)
{
	env_step(e);
	e->in->cmd = env_draw(e);
	e->in->cmd.chunks = 1;
	e->in->cmd_valid = 1;
	env_step(e);
	for (uint32_t i = 0; i < 3 + 2 * e->info->short_paths; i++) {
		env_step(e);
		assert_int_equal(e->signalled, 0);
	}
	env_step(e);
	assert_int_equal(e->signalled, 1);
	assert_int_equal(e->first_read, 2);
	assert_int_equal(e->last_write, 4 + 2 * e->info->short_paths);
}

TEST(random_copies)
{
	static const struct opts opts[] = {
		{ .seed = 4, .offer = 100, .rd_stall = 20, .wr_stall = 20, .sig_stall = 20 },
		{ .seed = 5, .offer = 50, .wr_stall = 80, .long_percent = 2 },
		{ .seed = 6, .offer = 100, .rd_stall = 80, .sig_stall = 10 },
		{ .seed = 7, .offer = 100, .sig_stall = 95 },
		{ .seed = 8, .offer = 5, .rd_stall = 50, .wr_stall = 50, .sig_stall = 50 },
	};
	struct env e;

	for (uint32_t i = 0; i < sizeof(opts) / sizeof(*opts); i++) {
		env_open(&e, &opts[i]);
		for (uint32_t j = 0; j < 10000; j++)
			env_step(&e);
		env_close(&e);
		assert_true(e.taken > 50);
	}
}

/*
 * Reductions.
 */

/* Cycles from the first read to the last write of `count` adds of `chunks` chunks, each `apart` chunks behind the
 * one before; from CTA 1, or from CTA 0, to CTA 0. */
static uint64_t cycles_of(uint32_t count, uint32_t chunks, uint32_t apart, uint32_t from)
{
	struct opts o = { .seed = 9, .reduce = 100 };
	struct env e;

	env_open(&e, &o);
	while (e.taken < count) {
		e.in->cmd = env_draw(&e);
		e.in->cmd.how.op = TMA_REDUCE_ADD;
		e.in->cmd.how.kind = TMA_TYPE_U32;
		e.in->cmd.chunks = (uint16_t)chunks;
		e.in->cmd.src = (uint16_t)(e.chunks * e.taken + 1);
		e.in->cmd.dst = (uint16_t)(e.info->smem_bytes / CHUNK / 4 * 3 + e.taken * apart);
		e.in->cmd.src_cta = (uint8_t)from;
		e.in->cmd.signal.ctas = e.in->cmd.signal.again = 1;
		e.in->cmd_valid = 1;
		env_step(&e);
	}
	env_close(&e);
	return e.last_write - e.first_read;
}

/* Lines of another CTA: one per cycle, whatever their alignment; of the own CTA: one in two cycles. With short paths
 * two cycles both, and one between commands. */
TEST(reductions_of_a_line)
{
	uint32_t s = unit_shape()->short_paths;
	uint32_t line = unit_shape()->data_bytes / CHUNK, rest = 3 + 2 * s;

	if (unit_shape()->reductions == 0)
		return;
	assert_int_equal(cycles_of(200, line, line, 1), (1 + 2 * s) * 199 + s + rest);
	assert_int_equal(cycles_of(200, 1, 1, 1), (1 + 2 * s) * 199 + s + rest);
	assert_int_equal(cycles_of(200, line, line, 0), (2 + s) * 199 + 1 + rest);
	assert_int_equal(cycles_of(1, 3 * line, 0, 1), (1 + s) * 2 + s + rest);
}

/* One line again and again: each update begins when the one before is written, with short paths a cycle later. */
TEST(histogram)
{
	uint32_t s = unit_shape()->short_paths;
	uint32_t line = unit_shape()->data_bytes / CHUNK, rest = 3 + 2 * s;

	if (unit_shape()->reductions == 0)
		return;
	assert_int_equal(cycles_of(100, 1, 0, 1), 99 * (rest + 1 + s) + s + rest);
	assert_int_equal(cycles_of(100, line, 0, 1), 99 * (rest + 1 + s) + s + rest);
	assert_int_equal(cycles_of(100, 1, 0, 0), 99 * (rest + 1 + s) + 1 + rest);
}

/* Every pair of operator and type, with no other command beside it. */
TEST(every_pair)
{
	struct opts o = { .seed = 10, .offer = 100, .reduce = 100, .own = 20, .hot = 50 };
	struct env e;

	if (unit_shape()->reductions == 0)
		return;
	env_open(&e, &o);
	/* With short paths they take longer. */
	for (uint32_t i = 0; i < 20000 * (1 + unit_shape()->short_paths); i++)
		env_step(&e);
	env_close(&e);
	assert_true(e.taken > 5000);
}

TEST(random_reductions)
{
	static const struct opts opts[] = {
		{ .seed = 11, .offer = 100, .reduce = 100, .hot = 90, .own = 50 },
		{ .seed = 12, .offer = 100, .reduce = 100, .hot = 90, .wr_stall = 80 },
		{ .seed = 13,
		  .offer = 100,
		  .reduce = 100,
		  .hot = 50,
		  .rd_stall = 50,
		  .dst_stall = 50,
		  .own = 30 },
		{ .seed = 14, .offer = 100, .reduce = 50, .hot = 30, .own = 30 },
		{ .seed = 15,
		  .offer = 100,
		  .reduce = 50,
		  .hot = 30,
		  .own = 30,
		  .rd_stall = 20,
		  .dst_stall = 60,
		  .wr_stall = 30,
		  .sig_stall = 30 },
		{ .seed = 16, .offer = 100, .reduce = 70, .rd_stall = 60, .dst_stall = 20, .sig_stall = 90 },
		{ .seed = 17,
		  .offer = 30,
		  .reduce = 90,
		  .hot = 50,
		  .own = 20,
		  .wr_stall = 50,
		  .long_percent = 5 },
		{ .seed = 18, .offer = 5, .reduce = 50, .own = 50, .rd_stall = 50, .dst_stall = 50 },
	};
	struct env e;

	if (unit_shape()->reductions == 0)
		return;
	for (uint32_t i = 0; i < sizeof(opts) / sizeof(*opts); i++) {
		env_open(&e, &opts[i]);
		for (uint32_t j = 0; j < 10000; j++)
			env_step(&e);
		env_close(&e);
		assert_true(e.taken > 50);
	}
}
