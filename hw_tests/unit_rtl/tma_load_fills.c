/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes outside of their tensor beside data of others: who waits for whom; what is checked besides is in
 * tma_load_env.h. */
#include <stdbool.h>

#include "unit_rtl/tma_load_env.h"

#define CHUNK     ENV_CHUNK
#define LIMIT     200000u
#define MOST_WAIT 16u /* cycles that a beat waits */

/* Of `rows` rows of `lines` lines each the first `data` lines of the first `inside` are in bounds. */
static struct env_cmd *box(struct env *e, uint32_t queue, uint32_t saddr, uint32_t rows, uint32_t lines,
                           uint32_t inside, uint32_t data)
{
	uint32_t line = e->info->data_bytes / CHUNK;
	struct env_tensor t = { .offset = 5 * ENV_PAGE, .saddr = saddr, .pitch = lines * line };

	t.chunks = data * line;
	t.tail = t.pitch - t.chunks;
	t.level[0] = (struct env_level){ .count = rows, .step = 1, .last = inside - 1, .stride = t.pitch };
	t.outside = !inside;
	return env_tensor(e, queue, &t, env_all_ctas(e));
}

/* Loads pass boxes: of those before this one, whose beats its own has found not yet written. */
static uint32_t beats_before(struct env_cmd *const *load, uint32_t i)
{
	uint32_t count = 0;

	for (uint32_t j = 0; j < i; j++)
		count += load[j]->last_write >= load[i]->first_ar + 40;
	return count;
}

/* Lines of fill without a gap, far longer than data takes to come: single beats are taken between them, and
 * signal with their write. Fill keeps half of the cycles at the least. */
TEST(data_between_fill)
{
	uint32_t line, lines, rows, at, loads, i;
	struct env_cmd *load[64];
	struct env e;

	for (uint32_t wide = 1; wide <= 16; wide *= 4) {
		env_open_all(&e, &(const struct env_opts){ .seed = 170 + wide, .latency = 40 });
		line = e.info->data_bytes / CHUNK;
		lines = e.info->smem_bytes / e.info->data_bytes;
		rows = 64 / wide;
		for (at = loads = 0; at + 65 <= lines; at += 65) {
			load[loads] = env_command(&e, 1, loads * 7 * CHUNK * line, line, at * line, 1);
			loads++;
			box(&e, 0, (at + 1) * line, rows, wide, 0, 1);
		}
		env_drain(&e, LIMIT);
		assert_in_range(e.most_run, 0, MOST_WAIT);
		for (i = 0; i < loads; i++) {
			assert_int_equal(load[i]->signal, load[i]->last_write + e.info->short_paths);
			assert_in_range(load[i]->last_write - load[i]->first_ar, 0,
			                40 + 2 + MOST_WAIT * (1 + beats_before(load, i)));
		}
		assert_in_range(e.last_line - e.first_line, 0, 2 * (1 + e.info->short_paths) * lines + 100);
		env_close(&e);
	}
}

/* Data that is there before the fill of its command: a load signals with its last line of fill, whatever it ends
 * with, and the loads behind it do not wait for that. */
ENV_ALL_TEST(fill_after_data, .seed = 180, .latency = 2)
{
	uint32_t line = e->info->data_bytes / CHUNK, i;
	struct env_cmd *own[3], *other[5];

	own[0] = box(e, 0, 0, 3, 16, 3, 1);         /* a beat */
	own[1] = box(e, 0, 48 * line, 2, 16, 1, 1); /* rows of fill behind one */
	own[2] = box(e, 0, 80 * line, 1, 16, 0, 1); /* fill alone */
	for (i = 0; i < 5; i++)
		other[i] = env_command(e, 1, i * ENV_PAGE, line, (96 + i) * line, 1);
	env_drain(e, LIMIT);
	for (i = 0; i < 3; i++)
		assert_int_equal(own[i]->signal, own[i]->last_write + e->info->short_paths);
	for (i = 0; i < 5; i++)
		assert_int_equal(other[i]->signal, other[i]->last_write + e->info->short_paths);
	assert_in_range(other[0]->signal, 0, own[0]->signal - 1);
	assert_in_range(e->most_run, 0, MOST_WAIT);
}

/* Boxes of a line, so that there are ends in every channel in front of the beats that come, late and at once. */
TEST(ends_before_data)
{
	uint32_t line, lines, i, turn;
	struct env e;

	for (turn = 0; turn < 40; turn++) {
		env_open_all(&e, &(const struct env_opts){ .seed = 190 + turn,
		                                           .latency = 2 + turn * 7 % 200,
		                                           .random_latency = turn % 2 * 200 });
		line = e.info->data_bytes / CHUNK;
		lines = e.info->smem_bytes / e.info->data_bytes;
		for (i = 0; i < lines && e.num < 700; i++)
			if (i % (3 + turn) < 2)
				env_command(&e, 1, i % 64 * ENV_PAGE, line, i * line, 1);
			else
				box(&e, 0, i * line, 1, 1, 0, 1);
		env_drain(&e, LIMIT);
		assert_in_range(e.most_run, 0, MOST_WAIT);
		env_close(&e);
	}
}

/* Boxes of a line behind data in their channels, which comes late: their fill is written at once, their ends wait, and
 * no more of them come than there is room for. */
ENV_ALL_TEST(ends_behind_data, .seed = 240, .latency = 400)
{
	uint32_t line = e->info->data_bytes / CHUNK, i;

	for (i = 0; i < 32; i++)
		box(e, 0, i * line, 1, 1, i < 2, 1);
	env_drain(e, LIMIT);
	assert_in_range(e->last_r - e->first_r, 0, 4);
}

/* A load fails, and its fault has to wait for that of another one, when the end of a third comes to the head of its
 * channel: in each of the cycles around. */
TEST(end_beside_a_fault)
{
	uint32_t line, turn;
	struct env e;

	for (turn = 0; turn < 60; turn++) {
		env_open_all(&e, &(const struct env_opts){ .seed = 250 + turn, .latency = 2 + turn });
		line = e.info->data_bytes / CHUNK;
		env_error(&e, 0, AXI_SLVERR);
		e.block_fault = true;
		env_command(&e, 1, 0, line, 0, 1);
		env_command(&e, 1, 0, line, line, 1);
		box(&e, 0, 2 * line, 1, 1, 0, 1);
		env_steps(&e, 100);
		e.block_fault = false;
		env_drain(&e, LIMIT);
		assert_int_equal(e.faults, 2);
		env_close(&e);
	}
}
