/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor reductions: rows of every kind behind the walker, alone and among bulk reductions. */
#include <string.h>

#include "tma_abi.h"
#include "unit_rtl/tma_reduce_env.h"

#define MOST_ROWS 90u

static const struct reduce_how add_u32 = { TMA_REDUCE_ADD, TMA_TYPE_U32, 0 };

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

/* Every row is the same bytes: the first is read, the others follow; with whole lines, too. */
ENV_ALL_TEST(stride_0, .seed = 40, .latency = 30)
{
	struct env_tensor t = rows(200, 0x1000, 0, 1, 1);

	env_tensor(e, 0, &t, env_add(e, TMA_TYPE_BF16));
	env_drain(e, 4000);
	assert_int_equal(e->asked, 1);
	assert_int_equal(e->bursts, 200);
	assert_true(e->last_aw - e->cmds[0].first_aw <= 16 * 199);
	t.chunks = t.pitch = line(e);
	t.count[0] = t.dim[0] = 40;
	env_tensor(e, 0, &t, add_u32);
	env_drain(e, 4000);
	assert_int_equal(e->asked, 2);
}

/* Rows of several lines, the same ones: each waits for the one before. */
ENV_ALL_TEST(stride_0_of_lines, .seed = 41, .latency = 10)
{
	struct env_tensor t = rows(20, 0x1010, 0, 3 * line(e), 3 * line(e));

	env_tensor(e, 0, &t, add_u32);
	env_drain(e, 4000);
	assert_int_equal(e->followed, 0);
	assert_int_equal(e->asked, 20);
}

/* A tail that is not whole chunks is followed by nobody, but may follow. */
TEST(odd_tails)
{
	for (uint32_t i = 0; i < 4; i++) {
		struct env_opts o = { .seed = 42 + i, .latency = 10 + 20 * i, .random_latency = 10 * i };
		struct env_tensor t = rows(30, 0x1000, 0, 1, 1);
		struct reduce_how how;
		uint32_t element;
		struct env e;

		env_open_all(&e, &o);
		how = env_add(&e, TMA_TYPE_BF16);
		element = env_element(&how);
		t.odd = 4 + 4 * (i % 3);
		env_tensor(&e, 0, &t, add_u32);
		env_drain(&e, 8000);
		assert_int_equal(e.followed, 0);
		t.chunks = t.pitch = 2 + i;
		env_tensor(&e, 0, &t, add_u32);
		env_drain(&e, 8000);
		/* Whole ones, odd ones behind them, and whole ones of other bytes. */
		for (uint32_t n = 0; n < 60; n++) {
			t = rows(1 + below(&e, 3), 0x1000 + below(&e, 2 * line(&e)) * CHUNK,
			         below(&e, 3) * CHUNK, 1, 1);
			t.odd = below(&e, 2) * element * (1 + below(&e, 16 / element - 1));
			env_tensor(&e, 0, &t, how);
		}
		env_drain(&e, 20000);
		env_close(&e);
	}
}

/* Pairs of rows in a line, the chunks between them untouched: nobody follows them; what lies between waits. */
ENV_ALL_TEST(pairs, .seed = 46, .latency = 20, .random_latency = 20)
{
	for (uint32_t i = 0; i < 80; i++) {
		struct env_tensor t = rows(1 + below(e, 8), 0x1000 + below(e, 3 * line(e)) * CHUNK,
		                           (1 + below(e, 3)) * CHUNK, 1, 1);

		t.saddr = below(e, 100);
		env_tensor(e, 0, &t, env_draw_how(e));
		if (i % 3 == 0)
			env_command(e, 0, 0x1000 + below(e, 3 * line(e)) * CHUNK, 1 + below(e, 2), 0, i,
			            env_draw_how(e));
	}
	env_drain(e, 40000);
}

/* A command whose rows are all out of bounds ends without a fault, and one that only ends so. */
ENV_ALL_TEST(clipped, .seed = 47, .latency = 200)
{
	struct env_tensor t = rows(20, 0x2000, 512, 4, 8);
	struct env_cmd *none, *part, *all, *bulk;

	t.outside = true;
	none = env_tensor(e, 0, &t, add_u32);
	t.outside = false;
	t.dim[0] = 5;
	part = env_tensor(e, 0, &t, add_u32);
	t.start[0] = 5;
	all = env_tensor(e, 0, &t, add_u32);
	bulk = env_command(e, 0, 0x9000, 1, 0, 0, add_u32);
	env_drain(e, 2000);
	assert_int_equal(none->asked, 0);
	assert_int_equal(none->code, 0);
	assert_int_equal(part->code, 0);
	assert_int_equal(part->sent, 5);
	assert_int_equal(all->asked, 0);
	assert_int_equal(all->done - part->done, 1);
	assert_int_equal(bulk->code, 0);
}

/* Faults of set-up are reported with their code and all bits of their address, before the command is done. */
ENV_ALL_TEST(set_up_faults, .seed = 48, .fault_percent = 50)
{
	static const uint16_t codes[] = { TMA_FAULT_MAP_WINDOW, TMA_FAULT_TENSOR_RANK, TMA_FAULT_TENSOR_RANGE,
		                          TMA_FAULT_PORT_DEAD, TMA_FAULT_NEGATIVE_COORDINATE };
	struct env_tensor good = rows(3, 0x1000, 512, 1, 1), bad = { .empty = true };
	struct env_cmd *c[5], *next;

	for (uint32_t i = 0; i < 5; i++) {
		env_tensor(e, 0, &good, add_u32);
		bad.fault = codes[i];
		bad.fault_address = i == 1 ? 3 : rng_next(&e->rng);
		c[i] = env_tensor(e, i % e->info->queues, &bad, add_u32);
	}
	next = env_tensor(e, 0, &good, add_u32);
	env_drain(e, 2000);
	for (uint32_t i = 0; i < 5; i++) {
		assert_int_equal(c[i]->code, codes[i]);
		assert_true(c[i]->address == c[i]->tensor.fault_address);
		assert_true(c[i]->fault < c[i]->read_done && c[i]->fault < c[i]->done);
	}
	assert_int_equal(next->code, 0);
}

/* A row that no window allows, and an error response, stop the walk they are of and no other. */
ENV_TEST(stopped, .seed = 49, .latency = 6)
{
	struct env_tensor t = rows(40, 0, 0, 2, 2);
	struct env_cmd *denied, *failed, *next;

	env_window(e, 0, 0, 9, true, true);
	env_window(e, 0, 11, ENV_PAGES - 1, true, true);
	env_error(e, 0, AXI_MEM_READ, 12, AXI_SLVERR);
	t.stride[0] = ENV_PAGE / CHUNK;
	denied = env_tensor(e, 0, &t, add_u32);
	t.offset = 11 * ENV_PAGE + 0x80;
	failed = env_tensor(e, 0, &t, add_u32);
	t.offset = 13 * ENV_PAGE;
	next = env_tensor(e, 0, &t, add_u32);
	env_drain(e, 4000);
	assert_int_equal(denied->code, TMA_FAULT_WINDOW_READ);
	assert_int_equal(denied->sent, 10);
	assert_true(denied->address == ENV_BASE + 10 * ENV_PAGE);
	assert_int_equal(failed->code, TMA_FAULT_READ_SLVERR);
	assert_true(failed->address == ENV_BASE + 12 * ENV_PAGE + 0x80);
	assert_in_range(failed->asked, 2, 39);
	assert_int_equal(next->code, 0);
	assert_int_equal(next->sent, 40);
}

/* An error comes back while the walk goes through rows without data: they end with it. */
ENV_ALL_TEST(stopped_between_rows, .seed = 50, .latency = 4)
{
	struct env_tensor t = rows(1, 0x1000, 512, 1, 1);
	struct env_cmd *c, *next;

	env_error(e, 0, AXI_MEM_WRITE, 1, AXI_DECERR);
	t.count[0] = 250;
	env_tensor(e, 0, &t, add_u32);
	c = env_tensor(e, 0, &t, add_u32);
	t.offset = 0x3000;
	next = env_tensor(e, 0, &t, add_u32);
	env_drain(e, 2000);
	assert_int_equal(c->code, TMA_FAULT_WRITE_DECERR);
	assert_int_equal(next->code, 0);
	/* 250 rows each would take longer. */
	assert_true(next->done < 700);
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
	return t->gather ? ENV_LEVELS : rows;
}

/* `near`: rows of a chunk or two, often several in a line, or the same ones. */
static void random_tensor(struct env *e, struct env_tensor *t, uint32_t element)
{
	static const uint32_t swizzles[] = { 0, 0, 1, 2, 3, 4, 6 };
	static const uint32_t most[] = { 1, 2, 8, 16, 32 };
	uint32_t room = ENV_BYTES / CHUNK, span = 0, rows, last, i;
	bool near = below(e, 2);

	memset(t, 0, sizeof(*t));
	t->chunks = near ? 1 + !below(e, 5) : 1 + below(e, most[below(e, 5)]);
	t->odd = below(e, 3) ? 0 : below(e, CHUNK / element) * element;
	t->swizzle = swizzles[below(e, 7)];
	t->pitch = t->swizzle && below(e, 2) ? 8u : t->chunks + below(e, 3);
	t->pitch = near ? t->chunks + !below(e, 4) : t->pitch;
	t->outside = !below(e, 20);
	rows = random_loops(e, t);
	for (i = 0; i < t->loops; i++) {
		uint32_t reach = (t->count[i] - 1) * t->step[i];

		t->stride[i] = below(e, near ? 3 : room / 8 / (reach ? reach : 1));
		span += reach * t->stride[i];
		/* Rows of a gather have one stride, and may lie below the first one. */
		if (t->gather)
			t->stride[i] = i ? t->stride[0] : below(e, near ? 4 : 16);
	}
	t->offset = below(e, near ? 64 : room - span - t->chunks + 1) * CHUNK;
	if (t->gather)
		t->offset = (100 * t->stride[0] + below(e, near ? 64 : room / 4)) * CHUNK;
	last = e->info->smem_bytes / CHUNK - (rows - 1) * t->pitch - t->chunks;
	t->cta = below(e, e->info->ctas);
	t->saddr = below(e, 4) ? below(e, last + 1) : below(e, 2) * last;
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
			uint32_t first = below(e, i ? ENV_PAGES : 4), last = first + 10 + below(e, 60),
				 kind = below(e, 4);

			env_window(e, q, first, last < ENV_PAGES ? last : ENV_PAGES - 1, i < 1 || kind != 1,
			           i < 1 || kind != 2);
		}
	}
	for (uint32_t i = 0; i < 6; i++)
		env_error(e, 0, 1u << below(e, 2), below(e, ENV_PAGES),
		          below(e, 2) ? AXI_SLVERR : AXI_DECERR);
	for (uint32_t i = 0; i < 12; i++)
		env_error_at(e, 0, 1u << below(e, 2),
		             below(e, i % 3 ? ENV_BYTES / ENV_GRAIN : 32) * ENV_GRAIN, ENV_GRAIN,
		             below(e, 2) ? AXI_SLVERR : AXI_DECERR);
}

static void random_run(const struct env_opts *o, uint32_t commands, bool faults, uint32_t dies)
{
	struct env_tensor t;
	struct env e;

	env_open(&e, o);
	if (faults)
		random_windows(&e);
	for (uint32_t q = 0; q < e.info->queues && !faults; q++)
		env_window(&e, q, 0, ENV_PAGES - 1, true, true);
	for (uint32_t i = 0; i < commands; i++) {
		struct reduce_how how = env_draw_how(&e);
		uint32_t queue = below(&e, e.info->queues);

		if (below(&e, 3)) {
			random_tensor(&e, &t, env_element(&how));
			env_tensor(&e, queue, &t, how);
		} else {
			uint32_t chunks = 1 + below(&e, below(&e, 3) ? 4 : 200);

			env_command(&e, queue, below(&e, below(&e, 2) ? 64 : ENV_BYTES / CHUNK - 300) * CHUNK,
			            chunks, below(&e, e.info->ctas), below(&e, 400), how);
		}
	}
	env_steps(&e, dies);
	if (dies)
		e.dead = 1;
	env_drain(&e, 5000 + (uint64_t)commands * 9000);
	env_close(&e);
}

TEST(tensor_smooth)
{
	struct env_opts o = { .seed = 300, .latency = 1 };

	random_run(&o, 150, false, 0);
}

TEST(tensor_stalls)
{
	struct env_opts o = { .seed = 301,
		              .latency = 1,
		              .random_latency = 100,
		              .stall_percent = 40,
		              .early_read_percent = 50,
		              .command_percent = 20,
		              .read_percent = 30,
		              .tensor_percent = 40 };

	random_run(&o, 100, false, 0);
}

TEST(tensor_faults)
{
	for (uint32_t i = 0; i < 12; i++) {
		struct env_opts o = { .seed = 400 + i,
			              .latency = 1 + 30 * (i % 3),
			              .random_latency = 8 * i,
			              .stall_percent = 5 * i % 60,
			              .command_percent = 10 * i % 70,
			              .read_percent = 8 * i % 50,
			              .fault_percent = 15 * i % 80,
			              .tensor_percent = 20 * i % 90,
			              .slower_writes = i % 4 * 25 };

		random_run(&o, 60, true, 0);
	}
}

TEST(tensor_port_dies)
{
	for (uint32_t i = 0; i < 40; i++) {
		struct env_opts o = { .seed = 500 + i, .latency = 1 + i % 30, .stall_percent = i % 5 * 10 };

		random_run(&o, 30, i % 2, 1 + 13 * i);
	}
}
