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


static const struct reduce_how add_u32 = { TMA_REDUCE_ADD, TMA_TYPE_U32, 0 };


static uint32_t line(const struct env *e)
{
	return e->info->data_bytes / CHUNK;
}

/* One command on an idle path. */
ENV_ALL_TEST(latency, .seed = 1, .latency = 10)
{
	struct env_cmd *c = env_command(e, 0, 0x100, 1, 0, 5, add_u32);

	env_drain(e, 200);
	assert_int_equal(c->first_ar - c->accept, 3 + e->info->short_paths);
	assert_int_equal(e->last_r - c->first_ar, 10);
	assert_int_equal(c->first_aw - e->last_r, 0);
	assert_int_equal(e->last_w - c->first_aw, 0);
	assert_int_equal(c->done - e->last_w, 0);
}

/* Queued reductions of one line each: a burst every other cycle. */
ENV_ALL_TEST(one_line_each, .seed = 2, .latency = 1)
{
	struct env_cmd *first = env_command(e, 0, 0, line(e), 0, 0, add_u32);

	for (uint32_t i = 1; i < 400; i++)
		env_command(e, 0, i * e->info->data_bytes, line(e), i % e->info->ctas, i % 16 * line(e), add_u32);
	env_drain(e, 4000);
	assert_int_equal(e->last_ar - first->first_ar, 2 * 399);
	assert_int_equal(e->last_aw - first->first_aw, 2 * 399);
	assert_int_equal(e->followed, 0);
}

/* Long ones, misaligned on both sides: W never pauses, across bursts and commands. */
ENV_ALL_TEST(long_ones, .seed = 3, .latency = 1)
{
	uint32_t chunks = 14000 / 16;
	struct env_cmd *first = env_command(e, 0, 0x110, chunks, 0, 3, add_u32);

	env_command(e, 0, 0x6FF0, chunks, e->info->ctas - 1, 7, add_u32);
	env_command(e, 0, 0xC020, chunks, 0, 1, add_u32);
	env_drain(e, 8000);
	assert_int_equal(e->last_w - first->first_aw, e->beats);
}

/* All of the same line: each follows the one before, which takes the time of the arithmetic. */
ENV_ALL_TEST(one_line_of_all, .seed = 4, .latency = 50)
{
	struct env_cmd *first = env_command(e, 0, 0x400, 1, 0, 0, add_u32);

	for (uint32_t i = 1; i < 100; i++)
		env_command(e, 0, 0x400, 1, 0, i, add_u32);
	env_drain(e, 8000);
	assert_int_equal(e->asked, 1);
	assert_int_equal(e->followed, 99);
	assert_int_equal(e->last_aw - first->first_aw, 10 * 99);
}
