/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor stores: rows of every kind behind the walker, alone and among all else. */
#include <string.h>

#include "tma_abi.h"
#include "unit_rtl/tma_store_env.h"

#define ALL 0xFFFFu

#define MOST_ROWS 90u

static uint32_t below(struct env *e, uint32_t n)
{
	return rng_below(&e->rng, n);
}

static uint32_t line(const struct env *e)
{
	return e->info->data_bytes / CHUNK;
}

/* One loop of rows, all in bounds. */
static struct env_tensor rows(uint32_t count, uint32_t offset, uint32_t stride, uint32_t chunks,
                              uint32_t pitch)
{
	struct env_tensor t = { .offset = offset, .chunks = chunks, .pitch = pitch, .loops = 1 };

	t.count[0] = count;
	t.step[0] = 1;
	t.dim[0] = count;
	t.stride[0] = stride / CHUNK;
	return t;
}

/* From a row to the one N behind it, when nothing else holds them up. */
static uint32_t row_cycles(const struct env *e, uint32_t n)
{
	return n * (1 + 2 * e->info->short_paths);
}

/* A tensor store on an idle path: its row goes as fast as a bulk store, with short paths a cycle later. */
ENV_TEST(tensor_latency, .seed = 40, .latency = 10)
{
	struct env_tensor t = rows(1, 0x100, 0, 1, 1);
	struct env_cmd *c;
	uint64_t walk;

	env_window(e, 0, 0, 3, true);
	c = env_tensor(e, 0, &t);
	while (!e->walked)
		env_step(e);
	walk = e->cycle - 1;
	env_drain(e, 100);
	/* A cycle to the walker's row, then as from a command's acceptance. */
	assert_int_equal(c->first_aw - walk, 1 + 2 + 2 * e->info->short_paths);
	assert_int_equal(e->last_w - walk, 1 + 4 + 5 * e->info->short_paths);
	assert_int_equal(c->read_done - walk, 1 + 3 + 3 * e->info->short_paths);
	assert_int_equal(c->done - e->last_w, 10 + 1 + e->info->short_paths);
}

/* Rows of one line, 512 bytes apart, keep AW and W busy in every cycle, where paths are short in every
 * other; swizzled ones, too. */
TEST(one_line_rows)
{
	static const uint32_t swizzles[] = { 0, 3, 4, 6 };
	uint32_t pitch;
	struct env e;

	for (uint32_t i = 0; i < 4; i++) {
		struct env_opts o = { .seed = 41 + i, .latency = 8 };
		struct env_tensor t = rows(64, 0x400, 512, 0, 0);
		struct env_cmd *first = NULL;

		env_open_all(&e, &o);
		t.chunks = line(&e);
		pitch = swizzles[i] && line(&e) < 8 ? 8 : line(&e);
		t.pitch = pitch;
		t.swizzle = swizzles[i];
		for (uint32_t n = 0; n < 5; n++) {
			struct env_cmd *c;

			t.saddr = 8 * n;
			c = env_tensor(&e, 0, &t);
			first = first ? first : c;
		}
		env_drain(&e, 2000);
		assert_int_equal(e.beats, 5 * 64);
		assert_int_equal(e.last_aw - first->first_aw, row_cycles(&e, 5 * 64 - 1));
		assert_int_equal(e.last_w - e.last_aw, 2 + 3 * e.info->short_paths);
		env_close(&e);
	}
}

/* Long rows behind a swizzle: whole lines take a cycle per beat, others two where lines meet. */
TEST(swizzled_long_rows)
{
	struct env_opts o = { .seed = 45, .latency = 8 };
	struct env_tensor t = rows(4, 0x2000, 0x1000, 240, 240);
	struct env_cmd *c;
	struct env e;

	env_open_all(&e, &o);
	t.swizzle = 3;
	c = env_tensor(&e, 0, &t);
	env_drain(&e, 3000);
	assert_int_equal(e.beats, 4 * 240 / line(&e));
	assert_int_equal(e.reads, e.beats);
	assert_int_equal(e.last_w - c->first_aw, e.beats - 1 + 2 + 3 * e.info->short_paths);
	env_close(&e);

	env_open_all(&e, &o);
	t.offset += CHUNK;
	t.saddr = 8;
	c = env_tensor(&e, 0, &t);
	env_drain(&e, 3000);
	/* One in 8 / line beats is of two lines. */
	assert_int_equal(e.reads, line(&e) == 1 ? 4 * 240 : e.wanted_reads);
	assert_true(line(&e) == 1 || e.reads >= e.beats + 4 * 28);
	assert_in_range(e.last_w - c->first_aw, e.reads - 1 + 2, e.reads - 1 + 2 + 4);
	env_close(&e);
}

/* Values of 6 bits: rows of 96 bytes that start with a line take their beats or their reads, whichever are
 * more, and so do rows that follow each other. */
TEST(packed_rate)
{
	static const uint32_t swizzles[] = { 0, 3, 4, 6 };
	uint32_t cycles, beats, reads;
	struct env_cmd *c;
	struct env e;

	for (uint32_t i = 0; i < 8; i++) {
		struct env_opts o = { .seed = 60 + i, .latency = 8 };
		struct env_tensor t = rows(64, 0x400, i < 4 ? 512 : 96, 6, 8);

		env_open(&e, &o);
		if (!e.info->packed) {
			env_close(&e);
			return;
		}
		env_window(&e, 0, 0, ENV_PAGES - 1, true);
		t.pack = true;
		t.swizzle = swizzles[i % 4];
		t.saddr = 8 * i;
		c = env_tensor(&e, 0, &t);
		env_drain(&e, 3000);
		reads = 128 / e.info->data_bytes;
		beats = (96 + e.info->data_bytes - 1) / e.info->data_bytes;
		assert_true(i >= 4 || e.beats == 64 * beats);
		cycles = 64 * (reads > beats ? reads : beats);
		if (line(&e) == 8 && i >= 4)
			cycles = (uint32_t)e.beats;
		/* Of the rows that a page cuts, both parts read the row. */
		assert_in_range(e.last_w - c->first_aw, cycles - reads, cycles + 12);
		env_close(&e);
	}
}

/* Packed rows, parts of them at page ends, between bulk stores and records. */
ENV_ALL_TEST(packed_between, .seed = 69, .latency = 5, .stall_percent = 30, .read_percent = 30)
{
	struct env_tensor t = rows(5, 0x1FA0, 96, 6, 8), plain = rows(3, 0x9000, 512, 3, 3);

	t.pack = e->info->packed;
	for (uint32_t i = 0; i < 40; i++) {
		t.offset = 0x2000 + i * 0x2000 % 0x40000 - 96 - 32 * (i % 7);
		t.saddr = 8 * (i % 5);
		env_tensor(e, 0, &t);
		if (i % 3 == 0)
			env_command(e, 0, 0x50000 + i * 0x100, 1 + i % 9, 0, i, ALL);
		if (i % 4 == 0)
			env_tensor(e, 0, &plain);
		if (i % 5 == 0)
			env_record(e, 0, 0x5F000 + 32 * i);
	}
	env_drain(e, 20000);
}

/* A command whose rows are all out of bounds, or that only ends out of bounds, ends without a fault, and
 * what comes behind it does not wait for its responses. */
ENV_ALL_TEST(clipped, .seed = 46, .latency = 200)
{
	struct env_tensor t = rows(20, 0x2000, 512, 4, 8);
	struct env_cmd *none, *part, *all, *bulk;

	t.outside = true;
	none = env_tensor(e, 0, &t);
	t.outside = false;
	t.dim[0] = 5;
	part = env_tensor(e, 0, &t);
	t.start[0] = 5;
	all = env_tensor(e, 0, &t);
	bulk = env_command(e, 0, 0x9000, 1, 0, 0, ALL);
	env_drain(e, 2000);
	assert_int_equal(none->issued, 0);
	assert_int_equal(none->code, 0);
	assert_int_equal(part->code, 0);
	assert_int_equal(all->issued, 0);
	assert_int_equal(all->done - part->done, 1);
	assert_true(part->read_done < part->first_aw + row_cycles(e, 60));
	assert_true(bulk->read_done < part->first_aw + row_cycles(e, 60));
}

/* Faults of set-up are reported with their code and all bits of their address, before the command is done. */
ENV_ALL_TEST(set_up_faults, .seed = 47, .fault_percent = 50)
{
	static const uint16_t codes[] = { TMA_FAULT_MAP_WINDOW, TMA_FAULT_TENSOR_RANK, TMA_FAULT_TENSOR_RANGE,
		                          TMA_FAULT_PORT_DEAD, TMA_FAULT_NEGATIVE_COORDINATE };
	struct env_tensor good = rows(3, 0x1000, 512, 1, 1), bad = { .empty = true };
	struct env_cmd *c[5], *next;

	for (uint32_t i = 0; i < 5; i++) {
		env_tensor(e, 0, &good);
		bad.fault = codes[i];
		bad.fault_address = i == 1 ? 3 : rng_next(&e->rng);
		c[i] = env_tensor(e, i % e->info->queues, &bad);
	}
	next = env_tensor(e, 0, &good);
	env_drain(e, 2000);
	for (uint32_t i = 0; i < 5; i++) {
		assert_int_equal(c[i]->code, codes[i]);
		assert_true(c[i]->address == c[i]->tensor.fault_address);
		assert_true(c[i]->fault < c[i]->read_done && c[i]->fault < c[i]->done);
	}
	assert_int_equal(next->code, 0);
}

/* A row that no window allows, and an error response, stop the walk they are of and no other. */
ENV_TEST(stopped, .seed = 48, .latency = 6)
{
	struct env_tensor t = rows(60, 0, 0, 2, 2);
	struct env_cmd *denied, *failed, *next;

	env_window(e, 0, 0, 9, true);
	env_window(e, 0, 11, 80, true);
	env_error(e, 0, 12, AXI_SLVERR);
	t.stride[0] = ENV_PAGE / CHUNK;
	denied = env_tensor(e, 0, &t);
	t.offset = 11 * ENV_PAGE + 0x80;
	failed = env_tensor(e, 0, &t);
	t.offset = 13 * ENV_PAGE;
	next = env_tensor(e, 0, &t);
	env_drain(e, 2000);
	assert_int_equal(denied->code, TMA_FAULT_WINDOW_WRITE);
	assert_int_equal(denied->issued, 10);
	assert_true(denied->address == ENV_BASE + 10 * ENV_PAGE);
	assert_int_equal(failed->code, TMA_FAULT_WRITE_SLVERR);
	assert_true(failed->address == ENV_BASE + 12 * ENV_PAGE + 0x80);
	assert_in_range(failed->issued, 2, 40);
	assert_int_equal(next->code, 0);
	assert_int_equal(next->issued, 60);
}

/* An error comes back while the walk goes through rows without data: they end with it. */
ENV_TEST(stopped_between_rows, .seed = 49, .latency = 4)
{
	struct env_tensor t = rows(1, 0x1000, 512, 1, 1);
	struct env_cmd *c, *next;

	env_window(e, 0, 0, 20, true);
	env_error(e, 0, 1, AXI_DECERR);
	t.count[0] = 250;
	next = env_tensor(e, 0, &t);
	assert_int_equal(next->bursts, 1);
	c = env_tensor(e, 0, &t);
	t.offset = 0x3000;
	next = env_tensor(e, 0, &t);
	env_drain(e, 2000);
	assert_int_equal(c->code, TMA_FAULT_WRITE_DECERR);
	assert_int_equal(c->issued, 1);
	assert_int_equal(next->code, 0);
	/* 250 rows each would take longer. */
	assert_true(next->done < row_cycles(e, 320));
}

/* A record waits for the end of a walk that has begun, and goes before the next. */
ENV_ALL_TEST(record_between_walks, .seed = 50, .latency = 8)
{
	struct env_tensor t = rows(100, 0x2000, 512, 1, 1);
	struct env_cmd *c[3], *rec;

	for (uint32_t i = 0; i < 2; i++)
		c[i] = env_tensor(e, 0, &t);
	c[2] = env_command(e, 0, 0x1000, 1, 0, 0, ALL);
	while (e->bursts < 10)
		env_step(e);
	rec = env_record(e, 0, 0);
	env_drain(e, 2000);
	assert_int_equal(rec->first_aw, c[0]->first_aw + row_cycles(e, 100));
	assert_true(rec->first_aw < c[1]->first_aw);
	assert_int_equal(c[2]->first_aw, c[1]->first_aw + row_cycles(e, 100));
}

/* Records without end: each lets one walk by that has a row, and waits for all of it. */
ENV_ALL_TEST(walks_among_records, .seed = 51, .stall_percent = 60)
{
	struct env_tensor t = rows(4, 0x4000, 512, 1, 1);
	struct env_cmd *rec[120], *walk[3];
	uint32_t before = 0;

	for (uint32_t i = 0; i < 120; i++)
		rec[i] = env_record(e, 0, 0x2000 + 32 * i);
	while (e->bursts < 20)
		env_step(e);
	for (uint32_t i = 0; i < 3; i++)
		walk[i] = env_tensor(e, 0, &t);
	env_drain(e, 20000);
	for (uint32_t i = 0; i < 120; i++)
		before += rec[i]->first_aw > walk[0]->accept && rec[i]->first_aw < walk[2]->first_aw;
	assert_in_range(before, 3, 30);
}

/*
 * Random runs.
 */

/* As many loops and moves as there is room for in shared memory. */
static uint32_t random_loops(struct env *e, struct env_tensor *t)
{
	uint32_t room = e->info->smem_bytes / CHUNK, rows = 1, i;

	t->gather = !below(e, 5);
	t->loops = t->gather ? ENV_LEVELS : 1 + below(e, ENV_LEVELS);
	for (i = 0; i < t->loops; i++) {
		t->count[i] = t->gather ? 1 : 1 + below(e, i < 2 ? 6 : 3);
		if (rows * t->count[i] > MOST_ROWS || rows * t->count[i] * t->pitch + t->chunks > room)
			t->count[i] = 1;
		rows *= t->count[i];
		t->step[i] = 1 + below(e, 8);
		t->dim[i] = 1 + below(e, 60);
		t->start[i] = (int32_t)below(e, t->dim[i] + 4) - 2 - (int32_t)(below(e, 3) * below(e, 9));
	}
	if (t->loops == 1)
		t->counted = below(e, 2);
	return t->gather ? ENV_LEVELS : rows;
}

static void random_tensor(struct env *e, struct env_tensor *t)
{
	static const uint32_t swizzles[] = { 0, 0, 1, 2, 3, 4, 6 };
	static const uint32_t most[] = { 1, 2, 8, 16, 32 };
	uint32_t room = ENV_BYTES / CHUNK, span = 0, rows, last, i;
	bool near = !below(e, 3); /* rows of a chunk, often several in a line */

	memset(t, 0, sizeof(*t));
	t->chunks = near ? 1 : 1 + below(e, most[below(e, 5)]);
	t->odd = below(e, 2) && !near ? below(e, 16) : 0;
	t->swizzle = swizzles[below(e, 7)];
	t->pitch = t->swizzle && below(e, 2) ? 8u : t->chunks + below(e, 3);
	t->pitch = near ? 1 + !below(e, 4) : t->pitch;
	t->outside = !below(e, 20);
	t->pack = e->info->packed && !near && !below(e, 4);
	if (t->pack) {
		t->chunks = 6;
		t->odd = 0;
		t->pitch = 8;
		t->swizzle = (const uint32_t[]){ 0, 3, 4, 6 }[below(e, 4)];
	}
	rows = random_loops(e, t);
	for (i = 0; i < t->loops; i++) {
		uint32_t reach = (t->count[i] - 1) * t->step[i];

		t->stride[i] = below(e, near && !i ? 4 : room / 8 / (reach ? reach : 1));
		span += reach * t->stride[i];
		/* Rows of a gather have one stride, and may lie below the first one. */
		if (t->gather)
			t->stride[i] = i ? t->stride[0] : below(e, near ? 4 : 64);
		if (t->pack)
			t->stride[i] &= ~1u;
	}
	t->offset = below(e, room - span - t->chunks + 1) * CHUNK;
	if (t->gather)
		t->offset = (100 * t->stride[0] + below(e, room / 4)) * CHUNK;
	last = e->info->smem_bytes / CHUNK - (rows - 1) * t->pitch - t->chunks;
	t->cta = below(e, e->info->ctas);
	t->saddr = below(e, 4) ? below(e, last + 1) : below(e, 2) * last;
	if (t->pack) {
		t->offset &= ~31u;
		t->saddr &= ~7u;
	}
	if (!below(e, 15)) {
		t->empty = true;
		t->fault = 0x60 + below(e, 0x19);
		t->fault_address = rng_next(&e->rng);
	}
}

static void random_windows(struct env *e)
{
	for (uint32_t q = 0; q < e->info->queues; q++) {
		for (uint32_t i = 0; i < e->info->windows; i++) {
			uint32_t first = below(e, ENV_PAGES), last = first + below(e, 90);

			env_window(e, q, first, last < ENV_PAGES ? last : ENV_PAGES - 1, true);
		}
	}
	for (uint32_t i = 0; i < 6; i++)
		env_error(e, 0, below(e, ENV_PAGES), below(e, 2) ? AXI_SLVERR : AXI_DECERR);
}

static void random_run(const struct env_opts *o, uint32_t commands, bool faults, uint32_t dies)
{
	struct env_tensor t;
	struct env e;

	env_open(&e, o);
	if (faults)
		random_windows(&e);
	for (uint32_t q = 0; q < e.info->queues && !faults; q++)
		env_window(&e, q, 0, ENV_PAGES - 1, true);
	for (uint32_t i = 0; i < commands; i++) {
		uint32_t queue = below(&e, e.info->queues);

		if (below(&e, 4)) {
			random_tensor(&e, &t);
			env_tensor(&e, queue, &t);
		} else {
			env_command(&e, queue, below(&e, ENV_BYTES / CHUNK - 300) * CHUNK, 1 + below(&e, 300),
			            below(&e, e.info->ctas), below(&e, 400), below(&e, 0x10000));
		}
		if (!below(&e, 3))
			env_record(&e, queue, below(&e, ENV_BYTES / 32) * 32);
	}
	env_steps(&e, dies);
	if (dies)
		e.dead = 1;
	env_drain(&e, 2000 + (uint64_t)commands * 9000);
	env_close(&e);
}

TEST(tensor_smooth)
{
	struct env_opts o = { .seed = 300, .latency = 1 };

	random_run(&o, 500, false, 0);
}

TEST(tensor_stalls)
{
	struct env_opts o = { .seed = 301,
		              .latency = 1,
		              .random_latency = 200,
		              .stall_percent = 40,
		              .command_percent = 20,
		              .record_percent = 90,
		              .read_percent = 30,
		              .tensor_percent = 40 };

	random_run(&o, 500, false, 0);
}

TEST(tensor_faults)
{
	for (uint32_t i = 0; i < 16; i++) {
		struct env_opts o = { .seed = 400 + i,
			              .latency = 1 + 30 * (i % 3),
			              .random_latency = 8 * i,
			              .stall_percent = 5 * i % 60,
			              .command_percent = 10 * i % 70,
			              .record_percent = 15 * i % 100,
			              .read_percent = 8 * i % 50,
			              .fault_percent = 15 * i % 80,
			              .tensor_percent = 20 * i % 90 };

		random_run(&o, 200, true, 0);
	}
}

TEST(tensor_port_dies)
{
	for (uint32_t i = 0; i < 60; i++) {
		struct env_opts o = { .seed = 500 + i,
			              .latency = 1 + i % 30,
			              .stall_percent = i % 5 * 10,
			              .record_percent = i % 3 * 30 };

		random_run(&o, 30, i % 2, 1 + 13 * i);
	}
}
