/* SPDX-License-Identifier: Apache-2.0 */
/* The store path with several ports, with ports that die, and in random runs. */
#include <string.h>

#include "tma_abi.h"
#include "unit_rtl/tma_store_env.h"

#define ALL 0xFFFFu

static uint32_t below(struct env *e, uint32_t n)
{
	return rng_below(&e->rng, n);
}

/* Every page of the region on every port, one page further on each. */
static uint8_t open_all(struct env *e, const struct env_opts *o)
{
	uint32_t to[ENV_PORTS] = { 0, 0, 0, 0 }, q;
	uint8_t all;

	env_open(e, o);
	all = (uint8_t)((1u << e->info->ports) - 1);
	for (q = 0; q < e->info->queues; q++) {
		env_window(e, q, 0, ENV_PAGES - 1, true);
		env_mm_window(e, q, 0, ENV_PAGES - 1);
	}
	env_multimem(e, 0, ENV_PAGES - 1, all, to);
	return all;
}

#define OPEN_ALL_TEST(name, ...) \
	TEST_IN(name, struct env, e, open_all(e, &(const struct env_opts){ __VA_ARGS__ }), env_close(e))

/*
 * Several ports.
 */

/* Queued broadcasts of one line keep AW and W of all ports busy in every cycle, where paths are short in every
 * third, as NumWrites and L allow:
 * a cycle less of these than stores to one port. */
OPEN_ALL_TEST(broadcasts, .seed = 20, .latency = 7)
{
	uint32_t line = e->info->data_bytes / 16;
	struct env_cmd *first = env_mm_command(e, 0, 0, line, 0, 0, ALL);

	for (uint32_t i = 1; i < 500; i++)
		env_mm_command(e, 0, i * e->info->data_bytes, line, 0, i % 16 * line, ALL);
	env_drain(e, 2000);
	assert_int_equal(e->last_aw - first->first_aw, 499 * (1 + 2 * e->info->short_paths));
	assert_int_equal(e->last_w - e->last_aw, 2 + 3 * e->info->short_paths);
	for (uint32_t i = 0; i < e->info->ports; i++)
		assert_int_equal(e->port_beats[i], 500);
}

/* Turns of broadcasts and plain stores, while the ports stall in turn on AW and on W. */
OPEN_ALL_TEST(stalls_per_port, .seed = 21, .latency = 5, .random_latency = 40)
{
	for (uint32_t i = 0; i < 200; i++) {
		uint32_t offset = below(e, ENV_BYTES / 16 - 300) * 16, chunks = 1 + below(e, 290);

		if (below(e, 2))
			env_mm_command(e, 0, offset, chunks, 0, below(e, 100), ALL);
		else
			env_command(e, 0, offset, chunks, 0, below(e, 100), ALL);
		env_record(e, 0, below(e, 100) * 32);
	}
	for (uint32_t i = 0; i < 20000 && e->writes_done < 200; i++) {
		if (i % 32 == 0) {
			e->block_aw = (uint8_t)below(e, 1u << e->info->ports);
			e->block_w = (uint8_t)below(e, 1u << e->info->ports);
		}
		env_step(e);
	}
	e->block_aw = e->block_w = 0;
	env_drain(e, 100000);
}

/* One port takes the data of each broadcast only after another has had all of it, this way, that way,
 * and by turns, as memories do that another engine broadcasts to as well and that saw the two in
 * different orders. */
TEST(ports_in_turn)
{
	struct env_opts o = { .seed = 25, .latency = 5, .stall_percent = 20 };
	struct env e;

	for (enum env_turn turn = TURN_PORT_0; turn <= TURN_CROSSED; turn++) {
		open_all(&e, &o);
		e.turn = turn;
		for (uint32_t i = 0; i < 100; i++)
			env_mm_command(&e, 0, below(&e, ENV_BYTES / 16 - 900) * 16,
			               1 + below(&e, i % 2 ? 10 : 600), 0, below(&e, 100), ALL);
		env_drain(&e, 100000);
		env_close(&e);
	}
}

/* One channel of port 1 stands still, with broadcasts of queue 0 without end: stores of queue 1 have port 0
 * for themselves, and records of both are written. */
TEST(port_stands)
{
	static const uint32_t channels[] = { AXI_MEM_AW, AXI_MEM_W, AXI_MEM_B };
	struct env_opts o = { .seed = 26, .latency = 20 };
	struct env e;

	for (uint32_t k = 0; k < 3; k++) {
		uint64_t beats, line;
		uint32_t writes, stores;

		open_all(&e, &o);
		if (e.info->ports == 1) {
			env_close(&e);
			return;
		}
		line = e.info->data_bytes / 16;
		writes = e.info->writes;
		stores = 13000 * line / 256;
		for (uint32_t i = 0; i < 2 * writes; i++)
			env_mm_command(&e, 0, below(&e, ENV_PAGES) * ENV_PAGE, i < writes + 40 ? line : 256,
			               0, 0, ALL);
		for (uint32_t i = 0; i < stores; i++)
			env_command(&e, 1, below(&e, ENV_PAGES) * ENV_PAGE, 256, 0, below(&e, 100), ALL);
		axi_mem_stop(e.mem[1], channels[k], 0);
		env_steps(&e, 2000);
		beats = e.port_beats[0];
		for (uint32_t i = 0; i < stores; i++)
			env_record(&e, i % 2, ENV_PAGES / 2 * ENV_PAGE + i * 32);
		env_steps(&e, 10000);
		beats = e.port_beats[0] - beats;
		assert_true(beats >= 9000);
		/* By turns with stores of 4 KiB, each of which the next record waits for. */
		assert_true(e.recs_done >= 9000 * line / 256);
		assert_true(e.next_write[0] > 2 * writes + 9000 * line / 256 - 8);
		assert_true(e.port_beats[1] <= (channels[k] == AXI_MEM_B ? writes : 1));
		axi_mem_stop(e.mem[1], 0, 0);
		env_drain(&e, 40000);
		env_close(&e);
	}
}

/* Responses of port 1 come first, all that can be in flight. */
OPEN_ALL_TEST(port_0_answers_last, .seed = 27)
{
	for (uint32_t i = 0; i < 2 * e->info->writes; i++)
		env_mm_command(e, 0, i * 64, 1, 0, i, ALL);
	axi_mem_stop(e->mem[0], AXI_MEM_B, 0);
	env_steps(e, 1000);
	assert_int_equal(e->writes_done, 0);
	assert_int_equal(e->bursts, e->info->writes);
	axi_mem_stop(e->mem[0], 0, 0);
	env_drain(e, 20000);
}

/* A store that is stopped keeps its place in the order of data until port 0 has answered those before it: no
 * broadcast has left behind it, which would owe the other ports its data for as long. */
ENV_TEST(nothing_owed_behind_a_stop, .seed = 29)
{
	uint32_t to[ENV_PORTS] = { 0, 0, 0, 0 };

	env_window(e, 0, 0, 3, true);
	env_mm_window(e, 1, 0, 20);
	env_multimem(e, 0, 20, (uint8_t)((1u << e->info->ports) - 1), to);
	env_command(e, 0, 0, 4, 0, 0, ALL);
	env_command(e, 0, 4 * ENV_PAGE, 4, 0, 0, ALL);
	axi_mem_stop(e->mem[0], AXI_MEM_B, 0);
	env_steps(e, 20);
	env_mm_command(e, 1, 0, 4, 0, 0, ALL);
	env_steps(e, 500);
	assert_int_equal(e->flight_tail[1][1], e->lasts[1]);
	axi_mem_stop(e->mem[0], 0, 0);
	env_drain(e, 1000);
}

/* Both lanes fail, in the same cycles: one after the other is reported. A store that is stopped waits for
 * responses of port 0, and a broadcast behind it with it; one whose rest a broadcast overtakes, too. */
OPEN_ALL_TEST(both_lanes_fail, .seed = 28, .latency = 30)
{
	struct env_cmd *plain[20], *mm[20];

	env_error(e, 0, 3, AXI_SLVERR);
	for (uint32_t i = 0; i < 20; i++) {
		e->o.command_percent = i * 4;
		mm[i] = env_mm_command(e, 0, 3 * ENV_PAGE - 160 + i * 16, 300, 0, 0, ALL);
		plain[i] = env_command(e, 1, 3 * ENV_PAGE - 160 + i * 16, 700, 0, 0, ALL);
		e->block_fault = true;
		env_steps(e, 600);
		assert_int_equal(e->out->fault_valid, 1);
		e->block_fault = false;
		env_drain(e, 5000);
		assert_int_equal(plain[i]->code, TMA_FAULT_WRITE_SLVERR);
		assert_int_equal(mm[i]->code, TMA_FAULT_WRITE_SLVERR);
	}
}

/* The first bad burst counts, and there the lowest port, whichever answers first. */
ENV_TEST(errors_per_port, .seed = 22, .latency = 30)
{
	uint32_t to[ENV_PORTS] = { 0, 30, 50, 70 };
	struct env_cmd *c[5];
	uint32_t last = e->info->ports - 1;

	env_window(e, 1, 0, ENV_PAGES - 1, true);
	env_mm_window(e, 0, 0, 20);
	env_multimem(e, 0, 20, (uint8_t)((1u << e->info->ports) - 1), to);
	env_error(e, 0, 2, AXI_SLVERR);
	env_error(e, 0, 5, AXI_DECERR);
	env_error(e, 0, 7, AXI_SLVERR);
	if (last) {
		/* Of burst 2 and of burst 6 both ports fail; of 4 and 8, the last one alone. */
		env_error(e, last, to[last] + 2, AXI_DECERR);
		env_error(e, last, to[last] + 4, AXI_DECERR);
		env_error(e, last, to[last] + 7, AXI_DECERR);
		env_error(e, last, to[last] + 9, AXI_SLVERR);
	}
	c[0] = env_mm_command(e, 0, ENV_PAGE + 64, 600, 0, 0, ALL);
	c[1] = env_mm_command(e, 0, 4 * ENV_PAGE + 4000, 300, 0, 0, ALL);
	c[2] = env_mm_command(e, 0, 6 * ENV_PAGE + 4000, 300, 0, 0, ALL);
	c[3] = env_mm_command(e, 0, 9 * ENV_PAGE + 80, 3, 0, 0, ALL);
	c[4] = env_mm_command(e, 0, 10 * ENV_PAGE + 80, 300, 0, 0, ALL);
	env_drain(e, 5000);
	assert_int_equal(c[0]->code, TMA_FAULT_WRITE_SLVERR);
	assert_true(c[0]->address == ENV_BASE + 2 * ENV_PAGE);
	assert_int_equal(c[1]->code, TMA_FAULT_WRITE_DECERR);
	assert_true(c[1]->address == ENV_BASE + (last ? 4 * ENV_PAGE + 4000 : 5 * ENV_PAGE));
	assert_int_equal(c[2]->code, TMA_FAULT_WRITE_SLVERR);
	assert_int_equal(c[3]->code, last ? TMA_FAULT_WRITE_SLVERR : 0);
	assert_int_equal(c[4]->code, 0);
}

/*
 * Dead ports.
 */

/* The port stops on some of its channels in some phase of its work and is declared dead. */
TEST(port_dies)
{
	struct env_opts o = { .seed = 23, .latency = 15 };
	uint32_t p, dead;
	struct env e;

	for (uint32_t round = 0; round < unit_rounds(160); round++) {
		o.seed = 1000 + round;
		o.random_latency = round % 3 * 20;
		o.stall_percent = round % 5 * 10;
		open_all(&e, &o);
		p = round % e.info->ports;
		for (uint32_t i = 0; i < 40; i++) {
			uint32_t offset = below(&e, ENV_BYTES / 16 - 900) * 16, chunks = 1 + below(&e, 890);

			if (below(&e, 2))
				env_mm_command(&e, 0, offset, chunks, 0, below(&e, 20), ALL);
			else
				env_command(&e, 0, offset, chunks, 0, below(&e, 20), ALL);
			if (below(&e, 2))
				env_record(&e, 0, below(&e, 100) * 32);
		}
		/* Some never move again, others do after the port was given up. */
		axi_mem_stop(e.mem[p],
		             below(&e, 8) * (uint32_t)AXI_MEM_AW % 64 & (AXI_MEM_AW | AXI_MEM_W | AXI_MEM_B),
		             below(&e, 400));
		dead = 1 + below(&e, 600);
		env_steps(&e, dead);
		e.dead = (uint8_t)(1u << p);
		env_steps(&e, 100);
		if (round % 2)
			axi_mem_stop(e.mem[p], 0, 0);
		env_drain(&e, 200000);
		env_close(&e);
	}
}

/* What a port that is dead from the start means to each kind of access. */
TEST(dead_from_the_start)
{
	struct env_opts o = { .seed = 24 };
	struct env_cmd *plain, *mm, *rec;
	struct env e;
	uint8_t all = open_all(&e, &o);

	e.dead = 1;
	plain = env_command(&e, 0, ENV_PAGE - 64, 600, 0, 0, ALL);
	mm = env_mm_command(&e, 1, ENV_PAGE - 64, 600, 0, 0, ALL);
	rec = env_record(&e, 0, 0x100);
	env_drain(&e, 2000);
	assert_int_equal(plain->code, TMA_FAULT_PORT_DEAD);
	assert_true(plain->address == plain->cmd.gaddr);
	assert_int_equal(plain->issued, 0);
	assert_int_equal(mm->code, TMA_FAULT_PORT_DEAD);
	assert_true(mm->address == mm->cmd.gaddr);
	/* The others get all of it. */
	assert_int_equal(mm->issued, all == 1 ? 0 : mm->bursts);
	assert_int_equal(rec->code, TMA_FAULT_PORT_DEAD);
	env_close(&e);
}

/*
 * Random runs: commands of all queues, records, stalls everywhere, errors and denied pages.
 */

static void random_windows(struct env *e)
{
	for (uint32_t q = 0; q < e->info->queues; q++) {
		for (uint32_t i = 0; i < e->info->windows; i++) {
			uint32_t first = below(e, ENV_PAGES), last = first + below(e, 50);

			last = last < ENV_PAGES ? last : ENV_PAGES - 1;
			if (below(e, 3))
				env_window(e, q, first, last, below(e, 8));
			else
				env_mm_window(e, q, first, last);
		}
	}
	for (uint32_t i = 0; i < e->info->multimem; i++) {
		uint32_t first = below(e, ENV_PAGES), pages = 1 + below(e, ENV_PAGES - first);
		uint32_t to[ENV_PORTS];

		for (uint32_t p = 0; p < ENV_PORTS; p++)
			to[p] = below(e, ENV_PAGES - pages + 1);
		env_multimem(e, first, first + pages - 1, (uint8_t)below(e, 1u << e->info->ports), to);
	}
	for (uint32_t i = 0; i < 8; i++)
		env_error(e, below(e, e->info->ports), below(e, ENV_PAGES),
		          below(e, 2) ? AXI_SLVERR : AXI_DECERR);
}

static void random_command(struct env *e)
{
	static const uint32_t most[] = { 4, 4, 20, 20, 300, 1000 };
	uint32_t smem_chunks = e->info->smem_bytes / 16, chunks = 1 + below(e, most[below(e, 6)]), saddr;
	uint32_t offset = below(e, ENV_BYTES / 16 - chunks + 1) * 16, cta = below(e, e->info->ctas);
	uint32_t mask = below(e, 3) ? ALL : below(e, 0x10000), queue = below(e, e->info->queues);

	/* Every fourth one touches an end of shared memory. */
	saddr = below(e, smem_chunks - chunks + 1);
	if (!below(e, 4))
		saddr = below(e, 2) ? 0 : smem_chunks - chunks;
	if (below(e, 2))
		env_mm_command(e, queue, offset, chunks, cta, saddr, mask);
	else
		env_command(e, queue, offset, chunks, cta, saddr, mask);
	if (!below(e, 3))
		env_record(e, below(e, e->info->queues), below(e, ENV_BYTES / 32) * 32);
}

static void random_run(const struct env_opts *o, uint32_t commands, bool faults)
{
	struct env e;

	if (faults) {
		env_open(&e, o);
		random_windows(&e);
	} else {
		open_all(&e, o);
	}
	for (uint32_t i = 0; i < commands; i++)
		random_command(&e);
	env_drain(&e, 2000 + (uint64_t)commands * 8000);
	env_close(&e);
}

TEST(random_smooth)
{
	struct env_opts o = { .seed = 100, .latency = 1 };

	random_run(&o, 600, false);
}

TEST(random_stalls)
{
	struct env_opts o = { .seed = 101,
		              .latency = 1,
		              .random_latency = 200,
		              .stall_percent = 40,
		              .command_percent = 20,
		              .record_percent = 90,
		              .read_percent = 20 };

	random_run(&o, 600, false);
}

TEST(random_faults)
{
	for (uint32_t i = 0; i < 6; i++) {
		struct env_opts o = { .seed = 200 + i,
			              .latency = 1 + 30 * (i % 3),
			              .random_latency = 20 * i,
			              .stall_percent = 12 * i,
			              .command_percent = 10 * i,
			              .record_percent = 15 * i,
			              .read_percent = 8 * i,
			              .fault_percent = 15 * i };

		random_run(&o, 250, true);
	}
}
