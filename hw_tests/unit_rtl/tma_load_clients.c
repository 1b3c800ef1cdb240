/* SPDX-License-Identifier: Apache-2.0 */
/* Ring fetches, cp.async and a port that dies; what is checked besides is in tma_load_env.h. */
#include <stdbool.h>
#include <string.h>

#include "tma_abi.h"
#include "unit_rtl/tma_load_env.h"

#define CHUNK         ENV_CHUNK
#define PAGE_CHUNKS   (ENV_PAGE / CHUNK)
#define PAGE_COMMANDS (ENV_PAGE / 64u)
#define LIMIT         200000u
#define CHANNELS      4u

/* Contexts of cp.async. */
static uint32_t cp_depth(const struct env *e)
{
	return e->info->reads < 64 ? 16 : 64;
}

/* Two cycles from a fetch to its burst, with short paths four, one from data to the ring. */
ENV_ALL_TEST(fetch_latency, .seed = 30)
{
	struct env_fetch *f = env_fetch(e, 1, 3, 1);

	env_drain(e, LIMIT);
	assert_int_equal(f->accept - f->offer, e->info->short_paths);
	assert_int_equal(f->ar - f->accept, 2 + e->info->short_paths);
}

/* A long load and fetches: a fetch waits for a row of the load, not for the load. */
ENV_ALL_TEST(fetch_turns, .seed = 31, .latency = 300)
{
	uint32_t i, room, most = 0;

	room = e->info->smem_bytes / CHUNK;
	env_command(e, 0, 0, room, 0, 1);
	for (i = 0; i < e->info->reads / 4; i++)
		env_fetch(e, i % 2, i * 3, 1 + i % 3);
	env_drain(e, LIMIT);
	/* Reset and the command's way to the first row apart. */
	for (i = 0; i < e->info->reads / 4; i++)
		if (e->fetch[ENV_RING].list[i].accept - e->fetch[ENV_RING].list[i].offer > most)
			most = (uint32_t)(e->fetch[ENV_RING].list[i].accept -
			                  e->fetch[ENV_RING].list[i].offer);
	assert_true(most <= 1 + 4 * e->info->short_paths);
}

/* A load that was denied waits for its earlier bursts, and fetches do not wait for it. */
ENV_TEST(fetch_beside_denial, .seed = 32, .latency = 200)
{
	struct env_cmd *c, *behind;
	struct env_fetch *f;

	env_window(e, 0, 0, 0, true);
	env_window(e, 1, 0, ENV_PAGES - 1, true);
	c = env_command(e, 0, ENV_PAGE - CHUNK, 4, 0, 1);
	behind = env_command(e, 1, ENV_PAGE, 4, 16, 1);
	env_steps(e, 20);
	f = env_fetch(e, 1, 5, 2);
	env_drain(e, LIMIT);
	assert_int_equal(f->ar - f->offer, 2 + 2 * e->info->short_paths);
	assert_true(c->fault - c->accept > 200);
	assert_true(behind->first_ar > c->fault);
}

/* Fetches outside the windows of their queue, alone, in a row, and between others. */
ENV_TEST(fetch_windows, .seed = 33, .ring_percent = 30)
{
	env_window(e, 0, 2, 3, true);
	env_window(e, 1, 3, 3, false);
	env_error(e, 2 * ENV_PAGE_GRAINS, AXI_SLVERR);
	env_error(e, 3 * ENV_PAGE_GRAINS + 1, AXI_DECERR);
	for (uint32_t i = 0; i < 40; i++) {
		uint32_t page = 1 + i * 7 / 3 % 4, count = 1 + i % PAGE_COMMANDS;

		env_fetch(e, i % 5 == 0, page * PAGE_COMMANDS + i % (PAGE_COMMANDS - count + 1), count);
		if (i % 4 == 0)
			env_command(e, 0, page * ENV_PAGE + i * CHUNK, 1 + i, i * 26, 1);
	}
	env_drain(e, LIMIT);
}

/* Two cycles from a cp.async to its burst, two from data to the write, three for zeroes; with short paths
 * three, four and five. */
ENV_ALL_TEST(cp_latency, .seed = 34)
{
	struct env_cmd *c, *zero, *arrival;

	c = env_cp(e, 0, 12, 4, 4, 8, 0);
	env_drain(e, LIMIT);
	assert_int_equal(c->first_ar - c->accept, 2 + e->info->short_paths);
	assert_int_equal(c->first_write - e->first_r, 2 + 2 * e->info->short_paths);
	zero = env_cp(e, 0, 16, 16, 0, 32, 1);
	arrival = env_arrival(e, 0, 1);
	env_drain(e, LIMIT);
	assert_int_equal(zero->first_write - zero->accept, 3 + 2 * e->info->short_paths);
	assert_int_equal(arrival->signal - zero->first_write, 1 + 2 * e->info->short_paths);
}

/* One cp.async per cycle, where paths are short every third; the contexts cover a latency of more than half their
 * number. */
TEST(cp_rate)
{
	struct env_opts opts = { .seed = 35 };
	uint32_t count;
	struct env e;

	opts.latency = unit_shape()->reads < 64 ? unit_shape()->reads / 2 + 1 : 50;
	env_open_all(&e, &opts);
	count = 4 * cp_depth(&e);
	for (uint32_t i = 0; i < count; i++)
		env_cp(&e, i % e.info->queues, i * 52 / 4 * 4, 4, 4, i * 4, i % e.info->ctas);
	env_drain(&e, LIMIT);
	assert_int_equal(e.chunks, count);
	assert_int_equal(e.last_chunk - e.first_chunk, (count - 1) * (1 + 2 * e.info->short_paths));
	env_close(&e);
}

/* Every size, place on both sides and number of valid bytes. */
ENV_ALL_TEST(cp_shapes, .seed = 36, .latency = 3, .chunk_percent = 20)
{
	for (uint32_t size = 4; size <= 16; size *= 2)
		for (uint32_t from = 0; from < e->info->data_bytes; from += size)
			for (uint32_t to = 0; to < 2 * CHUNK; to += size)
				for (uint32_t valid = 0; valid <= size; valid++) {
					if (e->num == ENV_COMMANDS)
						env_drain(e, LIMIT);
					env_cp(e, 0, from, size, valid, to, valid % e->info->ctas);
				}
	env_drain(e, LIMIT);
	/* The last bytes of both memories. */
	env_cp(e, 0, ENV_BYTES - 4, 4, 3, e->info->smem_bytes - 4, 0);
	env_cp(e, 0, ENV_BYTES - 16, 16, 16, e->info->smem_bytes - 16, e->info->ctas - 1);
	env_drain(e, LIMIT);
}

/* While no chunk is taken, the data of loads comes in at full rate, and so it does of fetches. */
ENV_ALL_TEST(cp_holds_no_data, .seed = 37)
{
	e->block_chunk = true;
	for (uint32_t i = 0; i < cp_depth(e); i++)
		env_cp(e, 0, i * 64, 8, 8, i * 8, 0);
	env_arrival(e, 0, 0);
	env_steps(e, 2 * cp_depth(e) + 40);
	assert_int_equal(e->offered, cp_depth(e) + 1);
	/* In front of the next cp.async, which has no context. */
	env_fetch(e, 1, 7, 9);
	env_steps(e, 70);
	assert_int_equal(e->fetch[ENV_RING].now, 1);
	assert_int_equal(e->stalls, 0);
	e->block_chunk = false;
	env_drain(e, LIMIT);
	for (uint32_t i = 0; i < cp_depth(e) - 1; i++)
		env_cp(e, 0, i * 64, 8, 8, i * 8, 0);
	env_command(e, 1, 0, 3 * PAGE_CHUNKS, 0, 1);
	e->block_chunk = true;
	env_steps(e, 900);
	assert_int_equal(e->signals, 1);
	assert_int_equal(e->stalls, 0);
	e->block_chunk = false;
	env_drain(e, LIMIT);
}

/* A cp.async that fails is reported in its turn, and the arrivals of its queue are dropped until the
 * queue is resumed. */
ENV_TEST(cp_failed, .seed = 38, .fault_percent = 60, .chunk_percent = 30, .arrive_percent = 50)
{
	uint32_t faults;

	for (uint32_t i = 0; i < 2; i++)
		env_window(e, i, 1, 8, true);
	env_error(e, 2 * ENV_PAGE_GRAINS, AXI_SLVERR);
	env_error(e, 3 * ENV_PAGE_GRAINS, AXI_DECERR);
	for (uint32_t i = 0; i < 3; i++) {
		faults = e->faults;
		env_cp(e, 0, ENV_PAGE, 16, 16, 0, 0);
		env_arrival(e, 0, 0);
		env_cp(e, 0, (i + 1) % 3 * ENV_PAGE + ENV_PAGE, 16, 16, 16, 0);
		env_cp(e, 1, ENV_PAGE + 16, 8, 7, 40, 1);
		/* Outside the windows; reads nothing, so it fits anywhere. */
		env_cp(e, 0, 0, 16, i == 1 ? 1 : 0, 32, 0);
		env_arrival(e, 0, 1);
		env_arrival(e, 1, 1);
		env_cp(e, 0, 2 * ENV_PAGE - 4, 4, 4, 4, 0);
		env_drain(e, LIMIT);
		assert_int_equal(e->faults - faults, i == 1 ? 2 : i == 0);
		env_arrival(e, 0, 0);
		env_arrival(e, 1, 0);
		env_drain(e, LIMIT);
		env_resume(e, 0);
		env_arrival(e, 0, 0);
		env_drain(e, LIMIT);
	}
	assert_int_equal(e->drops, 4);
}

/* A queue that is disabled still drops its arrivals; started again, it has forgotten. */
ENV_TEST(cp_lives, .seed = 39)
{
	env_window(e, 0, 1, 1, true);
	env_cp(e, 0, 0, 16, 16, 0, 0);
	env_arrival(e, 0, 0);
	env_steps(e, 2);
	e->in->cfg[0].enable = 0;
	env_drain(e, LIMIT);
	assert_int_equal(e->drops, 1);
	env_arrival(e, 0, 0);
	env_drain(e, LIMIT);
	assert_int_equal(e->drops, 2);
	e->in->cfg[0].enable = 1;
	e->cp_failed[0] = false;
	env_steps(e, 2);
	env_arrival(e, 0, 0);
	env_drain(e, LIMIT);
	assert_int_equal(e->arrivals, 1);
}

static void random_command(struct env *e, uint32_t *next, uint32_t error_percent)
{
	uint32_t queue = rng_below(&e->rng, e->info->queues), room = e->info->smem_bytes / CHUNK;
	uint32_t chunks, offset, size, ctas;

	offset = rng_below(&e->rng, ENV_BYTES / CHUNK - 4 * PAGE_CHUNKS) * CHUNK;
	if (rng_percent(&e->rng, 100 - error_percent))
		offset = offset % (ENV_PAGE * 8) + ENV_PAGE * 40;
	switch (rng_below(&e->rng, 6)) {
	case 0:
		chunks = 1 + rng_below(&e->rng, rng_percent(&e->rng, 20) ? 3 * PAGE_CHUNKS : 20);
		if (*next + chunks > room)
			return;
		ctas = rng_percent(&e->rng, 20) ? 0 : 1u << rng_below(&e->rng, e->info->ctas);
		env_command(e, queue, offset, chunks, *next, ctas);
		*next += ctas ? chunks : 0;
		return;
	case 1:
		env_arrival(e, queue, rng_below(&e->rng, e->info->ctas));
		return;
	case 2:
		chunks = 1 + rng_below(&e->rng, rng_percent(&e->rng, 50) ? 2 : PAGE_COMMANDS);
		offset = offset / ENV_PAGE * PAGE_COMMANDS + rng_below(&e->rng, PAGE_COMMANDS - chunks + 1);
		if (e->fetch[ENV_RING].num < ENV_FETCHES)
			env_fetch(e, queue, offset, chunks);
		return;
	default:
		size = 4u << rng_below(&e->rng, 3);
		env_cp(e, queue, offset + rng_below(&e->rng, CHUNK / size) * size, size,
		       rng_percent(&e->rng, 60) ? size : rng_below(&e->rng, size + 1),
		       rng_below(&e->rng, room * CHUNK / size) * size, rng_below(&e->rng, e->info->ctas));
		return;
	}
}

static void random_commands(struct env *e, uint32_t commands, uint32_t error_percent)
{
	uint32_t next = 0;

	while (commands--)
		random_command(e, &next, error_percent);
}

TEST(dead_port)
{
	env_dead_rounds(140, random_commands, 250, 2000);
}

TEST(random_clients)
{
	uint32_t rounds = unit_rounds(40);
	struct env e;

	for (uint32_t i = 0; i < ENV_STYLES; i++) {
		env_open_style(&e, i, 40 + i);
		for (uint32_t round = 0; round < rounds; round++) {
			for (uint32_t next = 0; e.num < 300;)
				random_command(&e, &next, round % 3 * 5);
			env_drain(&e, LIMIT);
			for (uint32_t q = 0; q < e.info->queues; q++)
				if (rng_percent(&e.rng, 50))
					env_resume(&e, q);
			env_steps(&e, 1);
		}
		assert_true(e.signals > 12 * rounds && e.faults > rounds / 2);
		assert_true(e.chunks > 100 * rounds && e.arrivals > 12 * rounds && e.drops > rounds);
		env_close(&e);
	}
}
