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

#include "unit_rtl/tma_load_env.h"
#define CHUNK       16u
#define PAGE_CHUNKS (ENV_PAGE / CHUNK)
#define LIMIT       200000u
#define CHANNELS    4u

/* Two cycles from a command to its burst, with short paths three, two from data to the write, which the signal comes
 * with; with short paths three, and the signal behind it. */
ENV_ALL_TEST(latency, .seed = 1)
{
	struct env_cmd *c = env_command(e, 0, 0, 1, 0, 1);

	env_drain(e, LIMIT);
	assert_int_equal(c->first_ar - c->accept, 2 + e->info->short_paths);
	assert_int_equal(c->first_write - e->first_r, 2 + e->info->short_paths);
	assert_int_equal(c->signal - c->first_write, e->info->short_paths);
}

/* A beat in every cycle, across pages, commands and CTAs. */
ENV_ALL_TEST(throughput, .seed = 2, .latency = 30)
{
	uint32_t pages = e->info->smem_bytes / ENV_PAGE;

	for (uint32_t i = 0; i < pages; i++)
		env_command(e, i % e->info->queues, i * ENV_PAGE, PAGE_CHUNKS, i * PAGE_CHUNKS,
		            env_all_ctas(e));
	env_drain(e, LIMIT);
	assert_int_equal(e->beats, pages * ENV_PAGE / e->info->data_bytes);
	assert_int_equal(e->last_r - e->first_r + 1, e->beats);
}

/* All positions of both ends in a line, at both sides. */
ENV_ALL_TEST(alignments, .seed = 3, .latency = 3)
{
	uint32_t lanes, head, at, chunks, room, next = 0;

	lanes = e->info->data_bytes / CHUNK;
	room = e->info->smem_bytes / CHUNK;
	for (chunks = 1; chunks <= 2 * lanes + 1; chunks++)
		for (head = 0; head < lanes; head++)
			for (at = 0; at < lanes; at++) {
				next = (next + lanes - 1) / lanes * lanes + at;
				if (next + chunks > room || e->num == ENV_COMMANDS) {
					env_drain(e, LIMIT);
					next = at;
				}
				env_command(e, 0, (lanes + head) * CHUNK, chunks, next, 1);
				next += chunks;
			}
	env_drain(e, LIMIT);
}

/* Rows that cross pages, the last byte of global and of shared memory, the longest row. */
ENV_ALL_TEST(pages, .seed = 4)
{
	uint32_t room = e->info->smem_bytes / CHUNK;

	env_command(e, 0, ENV_PAGE - CHUNK, 2, 0, 1);
	env_command(e, 1, ENV_PAGE, PAGE_CHUNKS, 3, 1);
	env_command(e, 0, 5 * CHUNK, 2 * PAGE_CHUNKS, 3 + PAGE_CHUNKS, 2);
	env_command(e, 1, ENV_BYTES - CHUNK, 1, room - 1, 1);
	env_drain(e, LIMIT);
	env_command(e, 1, 7 * CHUNK, room, 0, 1);
	env_drain(e, LIMIT);
	env_command(e, 0, ENV_BYTES - (room - 1) * CHUNK, room - 1, 1, 1);
	env_drain(e, LIMIT);
}

ENV_ALL_TEST(multicast, .seed = 5, .write_percent = 30)
{
	for (uint32_t mask = 1; mask <= env_all_ctas(e) && mask < 64; mask++)
		env_command(e, 0, mask * 64, 9, mask * 11, mask);
	env_drain(e, LIMIT);
	assert_int_equal(e->faults, 0);
}

ENV_TEST(windows, .seed = 6, .fault_percent = 50)
{
	env_window(e, 0, 4, 5, true);
	env_window(e, 0, 6, 7, false);
	env_window(e, 0, 8, 8, true);
	env_window(e, 1, 7, 7, true);
	env_command(e, 0, 3 * ENV_PAGE, 1, 0, 1);                 /* below */
	env_command(e, 0, 4 * ENV_PAGE, 2 * PAGE_CHUNKS, 10, 1);  /* all of a window */
	env_command(e, 0, 6 * ENV_PAGE - CHUNK, 2, 900, 1);       /* half in one for writes */
	env_command(e, 0, 7 * ENV_PAGE, PAGE_CHUNKS + 1, 600, 1); /* starts in one for writes */
	env_command(e, 1, 7 * ENV_PAGE, 3, 902, 2);               /* another queue's */
	env_command(e, 0, 8 * ENV_PAGE, 3, 910, 1);
	env_command(e, 0, 9 * ENV_PAGE - CHUNK, 2, 920, 1); /* above */
	env_command(e, 0, 9 * ENV_PAGE - CHUNK, 2, 0, 0);   /* the same as a prefetch */
	env_drain(e, LIMIT);
	assert_int_equal(e->faults, 4);
	assert_int_equal(e->signals, 3);
	assert_int_equal(e->prefetch_errors, 1);
}

ENV_TEST(errors, .seed = 7, .fault_percent = 50)
{
	struct env_cmd *c;

	env_window(e, 0, 0, 3, true);
	env_window(e, 1, 0, ENV_PAGES - 1, true);
	env_error(e, 2 * ENV_PAGE_GRAINS, AXI_SLVERR);
	env_error(e, 3 * ENV_PAGE_GRAINS - 1, AXI_DECERR);
	env_error(e, 8 * ENV_PAGE_GRAINS + 1, AXI_DECERR);
	env_command(e, 1, 2 * ENV_PAGE, 1, 0, 1);                                /* the only beat */
	env_command(e, 1, 2 * ENV_PAGE - CHUNK, PAGE_CHUNKS, 8, 1);              /* second burst */
	env_command(e, 1, 3 * ENV_PAGE - ENV_PAGE / 2, PAGE_CHUNKS / 2, 300, 1); /* last beat */
	env_command(e, 1, 3 * ENV_PAGE, 1, 480, 2);                              /* none */
	env_command(e, 0, 3 * ENV_PAGE - CHUNK, PAGE_CHUNKS + 2, 500, 1);        /* error, then denied */
	c = env_command(e, 0, 4 * ENV_PAGE - CHUNK, 2, 800, 1);                  /* denied alone */
	assert_int_equal(c->possible, 1);
	env_command(e, 1, 8 * ENV_PAGE, 9, 810, 1);         /* second grain */
	env_command(e, 1, 2 * ENV_PAGE, PAGE_CHUNKS, 0, 0); /* a prefetch */
	env_drain(e, LIMIT);
	assert_int_equal(e->faults, 6);
	assert_int_equal(e->signals, 1);
	assert_int_equal(e->prefetch_errors,
	                 2 * (e->info->data_bytes < ENV_GRAIN ? ENV_GRAIN / e->info->data_bytes : 1));
}

/* An error ends its command: what its channel holds is still read, no more. */
ENV_ALL_TEST(error_aborts, .seed = 8, .latency = 5)
{
	uint32_t most, length;
	struct env_cmd *c;

	most = e->info->reads;
	length = e->info->smem_bytes / CHUNK;
	env_error(e, 0, AXI_SLVERR);
	c = env_command(e, 0, 0, length, 0, 1);
	env_drain(e, LIMIT);
	assert_true(c->issued <= most);
	assert_int_equal(e->faults, 1);
	/* The channel is as good as before: four commands, one on each. */
	for (length = 0; length < CHANNELS; length++)
		env_command(e, 0, ENV_PAGE + length * 64, 4, length * 4, 1);
	env_drain(e, LIMIT);
	assert_int_equal(e->signals, CHANNELS);
}

/* An error cuts a command short while its last bursts wait for AR, and the command behind it comes and
 * goes meanwhile, in every cycle that there is for it. */
TEST(error_beside_an_end)
{
	struct env_opts opts = { .stall_percent = 60 };
	struct env e;

	for (uint32_t turn = 0; turn < 300; turn++) {
		opts.seed = 100 + turn;
		opts.latency = 1 + turn % 6;
		env_open_all(&e, &opts);
		env_error(&e, ENV_PAGE_GRAINS - 1, AXI_SLVERR);
		/* A chunk, two pages and a few more. */
		env_command(&e, 0, ENV_PAGE - CHUNK, 1 + 2 * PAGE_CHUNKS + 4, 0, 1);
		env_command(&e, 1, 4 * ENV_PAGE, 4, 640, 1);
		env_drain(&e, LIMIT);
		assert_int_equal(e.faults, 1);
		assert_int_equal(e.signals, 1);
		env_close(&e);
	}
}

/* A fault that nobody takes holds up the next one and its data, and loses nothing. */
ENV_ALL_TEST(fault_waits, .seed = 9)
{
	env_error(e, 0, AXI_SLVERR);
	for (uint32_t i = 0; i < 12; i++)
		env_command(e, i % e->info->queues, i % 3 ? i * ENV_PAGE : 0, 3, i * 8, 1);
	e->block_fault = true;
	env_steps(e, 300);
	assert_int_equal(e->faults, 0);
	e->block_fault = false;
	env_drain(e, LIMIT);
	assert_int_equal(e->faults, 4);
}

/* Signals that wait take the slots of reads; nothing is lost, and no read too many. */
ENV_ALL_TEST(signals_wait, .seed = 10)
{
	uint32_t count = 2 * e->info->reads + 8;

	for (uint32_t i = 0; i < count; i++)
		env_command(e, 0, i * 256, 2, i * 2, 1);
	e->block_signal = true;
	env_steps(e, 20 * count);
	assert_int_equal(e->signals, 0);
	e->block_signal = false;
	env_drain(e, LIMIT);
	assert_int_equal(e->signals, count);
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

TEST(random_traffic)
{
	struct env e;

	for (uint32_t i = 0; i < ENV_STYLES; i++) {
		env_open_style(&e, i, 20 + i);
		for (uint32_t round = 0; round < 40; round++)
			random_round(&e, round % 3 * 20);
		assert_true(e.signals > 200);
		assert_true(e.faults > 10);
		env_close(&e);
	}
}
