/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_load_test - the load path between a memory behind AXI and shared memories.
 *
 * Requirement: every command's bytes arrive once, in every CTA of its mask and nowhere else; its
 * signal comes once, after its last byte; a command outside its windows or with an error response
 * signals nothing and reports its first bad byte. All of it whatever stalls or interleaves.
 * Checks: tma_load_env against a byte for byte reference, AXI rules, the unit's assertions.
 */
#include <stdbool.h>
#include <string.h>

#include "lib/cmocka_all.h"
#include "unit_rtl/tma_load_clients.h"
#include "unit_rtl/tma_load_env.h"
#include "unit_rtl/tma_load_walks.h"

#define CHUNK       16u
#define PAGE_CHUNKS (ENV_PAGE / CHUNK)
#define LIMIT       200000u
#define CHANNELS    4u

/* Two cycles from a command to its burst, two from data to the write, which the signal comes with. */
static void latency(void **state)
{
	const struct env_opts opts = { .seed = 1 };
	struct env_cmd *c;
	struct env e;

	(void)state;
	env_open_all(&e, &opts);
	c = env_command(&e, 0, 0, 1, 0, 1);
	env_drain(&e, LIMIT);
	assert_int_equal(c->first_ar - c->accept, 2);
	assert_int_equal(c->first_write - e.first_r, 2);
	assert_int_equal(c->signal - c->first_write, 0);
	env_close(&e);
}

/* A beat in every cycle, across pages, commands and CTAs. */
static void throughput(void **state)
{
	const struct env_opts opts = { .seed = 2, .latency = 30 };
	uint32_t i, pages;
	struct env e;

	(void)state;
	env_open_all(&e, &opts);
	pages = e.info->smem_bytes / ENV_PAGE;
	for (i = 0; i < pages; i++)
		env_command(&e, i % e.info->queues, i * ENV_PAGE, PAGE_CHUNKS, i * PAGE_CHUNKS,
		            env_all_ctas(&e));
	env_drain(&e, LIMIT);
	assert_int_equal(e.beats, pages * ENV_PAGE / e.info->data_bytes);
	assert_int_equal(e.last_r - e.first_r + 1, e.beats);
	env_close(&e);
}

/* All positions of both ends in a line, at both sides. */
static void alignments(void **state)
{
	const struct env_opts opts = { .seed = 3, .latency = 3 };
	uint32_t lanes, head, at, chunks, room, next = 0;
	struct env e;

	(void)state;
	env_open_all(&e, &opts);
	lanes = e.info->data_bytes / CHUNK;
	room = e.info->smem_bytes / CHUNK;
	for (chunks = 1; chunks <= 2 * lanes + 1; chunks++)
		for (head = 0; head < lanes; head++)
			for (at = 0; at < lanes; at++) {
				next = (next + lanes - 1) / lanes * lanes + at;
				if (next + chunks > room || e.num == ENV_COMMANDS) {
					env_drain(&e, LIMIT);
					next = at;
				}
				env_command(&e, 0, (lanes + head) * CHUNK, chunks, next, 1);
				next += chunks;
			}
	env_drain(&e, LIMIT);
	env_close(&e);
}

/* Rows that cross pages, the last byte of global and of shared memory, the longest row. */
static void pages(void **state)
{
	const struct env_opts opts = { .seed = 4 };
	uint32_t room;
	struct env e;

	(void)state;
	env_open_all(&e, &opts);
	room = e.info->smem_bytes / CHUNK;
	env_command(&e, 0, ENV_PAGE - CHUNK, 2, 0, 1);
	env_command(&e, 1, ENV_PAGE, PAGE_CHUNKS, 3, 1);
	env_command(&e, 0, 5 * CHUNK, 2 * PAGE_CHUNKS, 3 + PAGE_CHUNKS, 2);
	env_command(&e, 1, ENV_BYTES - CHUNK, 1, room - 1, 1);
	env_drain(&e, LIMIT);
	env_command(&e, 1, 7 * CHUNK, room, 0, 1);
	env_drain(&e, LIMIT);
	env_command(&e, 0, ENV_BYTES - (room - 1) * CHUNK, room - 1, 1, 1);
	env_drain(&e, LIMIT);
	env_close(&e);
}

static void multicast(void **state)
{
	const struct env_opts opts = { .seed = 5, .write_percent = 30 };
	uint32_t mask;
	struct env e;

	(void)state;
	env_open_all(&e, &opts);
	for (mask = 1; mask <= env_all_ctas(&e) && mask < 64; mask++)
		env_command(&e, 0, mask * 64, 9, mask * 11, mask);
	env_drain(&e, LIMIT);
	assert_int_equal(e.faults, 0);
	env_close(&e);
}

static void windows(void **state)
{
	const struct env_opts opts = { .seed = 6, .fault_percent = 50 };
	struct env e;

	(void)state;
	env_open(&e, &opts);
	env_window(&e, 0, 4, 5, true);
	env_window(&e, 0, 6, 7, false);
	env_window(&e, 0, 8, 8, true);
	env_window(&e, 1, 7, 7, true);
	env_command(&e, 0, 3 * ENV_PAGE, 1, 0, 1);                 /* below */
	env_command(&e, 0, 4 * ENV_PAGE, 2 * PAGE_CHUNKS, 10, 1);  /* all of a window */
	env_command(&e, 0, 6 * ENV_PAGE - CHUNK, 2, 900, 1);       /* half in one for writes */
	env_command(&e, 0, 7 * ENV_PAGE, PAGE_CHUNKS + 1, 600, 1); /* starts in one for writes */
	env_command(&e, 1, 7 * ENV_PAGE, 3, 902, 2);               /* another queue's */
	env_command(&e, 0, 8 * ENV_PAGE, 3, 910, 1);
	env_command(&e, 0, 9 * ENV_PAGE - CHUNK, 2, 920, 1); /* above */
	env_command(&e, 0, 9 * ENV_PAGE - CHUNK, 2, 0, 0);   /* the same as a prefetch */
	env_drain(&e, LIMIT);
	assert_int_equal(e.faults, 4);
	assert_int_equal(e.signals, 3);
	assert_int_equal(e.prefetch_errors, 1);
	env_close(&e);
}

static void errors(void **state)
{
	const struct env_opts opts = { .seed = 7, .fault_percent = 50 };
	struct env_cmd *c;
	struct env e;

	(void)state;
	env_open(&e, &opts);
	env_window(&e, 0, 0, 3, true);
	env_window(&e, 1, 0, ENV_PAGES - 1, true);
	env_error(&e, 2 * ENV_PAGE_GRAINS, AXI_SLVERR);
	env_error(&e, 3 * ENV_PAGE_GRAINS - 1, AXI_DECERR);
	env_error(&e, 8 * ENV_PAGE_GRAINS + 1, AXI_DECERR);
	env_command(&e, 1, 2 * ENV_PAGE, 1, 0, 1);                                /* the only beat */
	env_command(&e, 1, 2 * ENV_PAGE - CHUNK, PAGE_CHUNKS, 8, 1);              /* second burst */
	env_command(&e, 1, 3 * ENV_PAGE - ENV_PAGE / 2, PAGE_CHUNKS / 2, 300, 1); /* last beat */
	env_command(&e, 1, 3 * ENV_PAGE, 1, 480, 2);                              /* none */
	env_command(&e, 0, 3 * ENV_PAGE - CHUNK, PAGE_CHUNKS + 2, 500, 1);        /* error, then denied */
	c = env_command(&e, 0, 4 * ENV_PAGE - CHUNK, 2, 800, 1);                  /* denied alone */
	assert_int_equal(c->possible, 1);
	env_command(&e, 1, 8 * ENV_PAGE, 9, 810, 1);         /* second grain */
	env_command(&e, 1, 2 * ENV_PAGE, PAGE_CHUNKS, 0, 0); /* a prefetch */
	env_drain(&e, LIMIT);
	assert_int_equal(e.faults, 6);
	assert_int_equal(e.signals, 1);
	assert_int_equal(e.prefetch_errors,
	                 2 * (e.info->data_bytes < ENV_GRAIN ? ENV_GRAIN / e.info->data_bytes : 1));
	env_close(&e);
}

/* An error ends its command: what its channel holds is still read, no more. */
static void error_aborts(void **state)
{
	const struct env_opts opts = { .seed = 8, .latency = 5 };
	uint32_t most, length;
	struct env_cmd *c;
	struct env e;

	(void)state;
	env_open_all(&e, &opts);
	most = e.info->reads;
	length = e.info->smem_bytes / CHUNK;
	env_error(&e, 0, AXI_SLVERR);
	c = env_command(&e, 0, 0, length, 0, 1);
	env_drain(&e, LIMIT);
	assert_true(c->issued <= most);
	assert_int_equal(e.faults, 1);
	/* The channel is as good as before: four commands, one on each. */
	for (length = 0; length < CHANNELS; length++)
		env_command(&e, 0, ENV_PAGE + length * 64, 4, length * 4, 1);
	env_drain(&e, LIMIT);
	assert_int_equal(e.signals, CHANNELS);
	env_close(&e);
}

/* An error cuts a command short while its last bursts wait for AR, and the command behind it comes and
 * goes meanwhile, in every cycle that there is for it. */
static void error_beside_an_end(void **state)
{
	struct env_opts opts = { .stall_percent = 60 };
	uint32_t turn;
	struct env e;

	(void)state;
	for (turn = 0; turn < 300; turn++) {
		opts.seed = 100 + turn;
		opts.latency = 1 + turn % 6;
		env_open_all(&e, &opts);
		env_error(&e, ENV_PAGE_GRAINS - 1, AXI_SLVERR);
		/* A chunk, a page and a few more. */
		env_command(&e, 0, ENV_PAGE - CHUNK, 1 + PAGE_CHUNKS + 4, 0, 1);
		env_command(&e, 1, 3 * ENV_PAGE, 4, 512, 1);
		env_drain(&e, LIMIT);
		assert_int_equal(e.faults, 1);
		assert_int_equal(e.signals, 1);
		env_close(&e);
	}
}

/* A fault that nobody takes holds up the next one and its data, and loses nothing. */
static void fault_waits(void **state)
{
	const struct env_opts opts = { .seed = 9 };
	uint32_t i;
	struct env e;

	(void)state;
	env_open_all(&e, &opts);
	env_error(&e, 0, AXI_SLVERR);
	for (i = 0; i < 12; i++)
		env_command(&e, i % e.info->queues, i % 3 ? i * ENV_PAGE : 0, 3, i * 8, 1);
	e.block_fault = true;
	for (i = 0; i < 300; i++)
		env_step(&e);
	assert_int_equal(e.faults, 0);
	e.block_fault = false;
	env_drain(&e, LIMIT);
	assert_int_equal(e.faults, 4);
	env_close(&e);
}

/* Signals that wait take the slots of reads; nothing is lost, and no read too many. */
static void signals_wait(void **state)
{
	const struct env_opts opts = { .seed = 10 };
	uint32_t i, count;
	struct env e;

	(void)state;
	env_open_all(&e, &opts);
	count = 2 * e.info->reads + 8;
	for (i = 0; i < count; i++)
		env_command(&e, 0, i * 256, 2, i * 2, 1);
	e.block_signal = true;
	for (i = 0; i < 20 * count; i++)
		env_step(&e);
	assert_int_equal(e.signals, 0);
	e.block_signal = false;
	env_drain(&e, LIMIT);
	assert_int_equal(e.signals, count);
	env_close(&e);
}

static void random_round(struct env *e, uint32_t error_percent)
{
	uint32_t room = e->info->smem_bytes / CHUNK, next = 0, most;

	while (e->num < 200) {
		uint32_t queue = rng_below(&e->rng, e->info->queues), chunks, offset, ctas;

		next += rng_below(&e->rng, 6);
		most = rng_percent(&e->rng, 10) ? 3 * PAGE_CHUNKS : rng_percent(&e->rng, 50) ? 100 : 10;
		chunks = 1 + rng_below(&e->rng, most);
		if (next + chunks > room)
			break;
		offset = rng_below(&e->rng, (ENV_BYTES - chunks * CHUNK) / CHUNK) * CHUNK;
		if (rng_percent(&e->rng, 100 - error_percent))
			offset = offset % (ENV_PAGE * 8) + ENV_PAGE * 40;
		ctas = rng_percent(&e->rng, 10) ? 0 : 1 + rng_below(&e->rng, env_all_ctas(e));
		if (rng_percent(&e->rng, 50))
			ctas &= (0u - ctas);
		env_command(e, queue, offset, chunks, next, ctas);
		next += ctas ? chunks : 0;
	}
	env_drain(e, LIMIT);
}

static void random_traffic(void **state)
{
	static const struct env_opts opts[] = {
		{ .seed = 20, .latency = 40 },
		{ .seed = 21,
		  .latency = 4,
		  .random_latency = 60,
		  .stall_percent = 30,
		  .command_percent = 20,
		  .write_percent = 20,
		  .signal_percent = 40,
		  .fault_percent = 80 },
		{ .seed = 22,
		  .latency = 100,
		  .random_latency = 10,
		  .stall_percent = 5,
		  .write_percent = 70,
		  .fault_percent = 20 },
		{ .seed = 23, .latency = 1, .stall_percent = 60, .signal_percent = 95 },
	};
	uint32_t i, round;
	struct env e;

	(void)state;
	for (i = 0; i < sizeof(opts) / sizeof(opts[0]); i++) {
		env_open_random(&e, &opts[i]);
		for (round = 0; round < 40; round++)
			random_round(&e, round % 3 * 20);
		assert_true(e.signals > 200);
		assert_true(e.faults > 10);
		env_close(&e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(latency),
		cmocka_unit_test(throughput),
		cmocka_unit_test(alignments),
		cmocka_unit_test(pages),
		cmocka_unit_test(multicast),
		cmocka_unit_test(windows),
		cmocka_unit_test(errors),
		cmocka_unit_test(error_aborts),
		cmocka_unit_test(error_beside_an_end),
		cmocka_unit_test(fault_waits),
		cmocka_unit_test(signals_wait),
		cmocka_unit_test(random_traffic),
		cmocka_unit_test(fetch_latency),
		cmocka_unit_test(fetch_turns),
		cmocka_unit_test(fetch_beside_denial),
		cmocka_unit_test(fetch_windows),
		cmocka_unit_test(cp_latency),
		cmocka_unit_test(cp_rate),
		cmocka_unit_test(cp_shapes),
		cmocka_unit_test(cp_holds_no_data),
		cmocka_unit_test(cp_failed),
		cmocka_unit_test(cp_lives),
		cmocka_unit_test(dead_port),
		cmocka_unit_test(random_clients),
		cmocka_unit_test(walk_latency),
		cmocka_unit_test(walk_ends),
		cmocka_unit_test(walk_swizzles),
		cmocka_unit_test(walk_formats),
		cmocka_unit_test(walk_fill_rate),
		cmocka_unit_test(walk_swizzled_rate),
		cmocka_unit_test(walk_faults),
		cmocka_unit_test(walk_cut_short),
		cmocka_unit_test(walk_order),
		cmocka_unit_test(walk_maps),
		cmocka_unit_test(walk_dead_port),
		cmocka_unit_test(walk_random),
		cmocka_unit_test(prefetch_rate),
		cmocka_unit_test(prefetch_gives_way),
		cmocka_unit_test(prefetch_beside_denials),
		cmocka_unit_test(prefetch_random),
	};

	return cmocka_run_group_tests_name("tma_load", tests, NULL, NULL);
}
