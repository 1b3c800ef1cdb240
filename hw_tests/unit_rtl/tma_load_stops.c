/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor copies that fail, at once or in the middle; what is checked besides is in tma_load_env.h. */
#include <stdbool.h>

#include "tma_abi.h"
#include "unit_rtl/tma_load_env.h"

#define CHUNK       ENV_CHUNK
#define PAGE_CHUNKS (ENV_PAGE / CHUNK)
#define LIMIT       200000u

/* A row whose end in bounds is one beat, with fill beside it, and an error: the beat's fill is not written
 * either, and the copy neither signals nor stays behind. */
ENV_TEST(walk_error_beside_an_end, .seed = 64)
{
	uint32_t lanes = e->info->data_bytes / CHUNK;
	struct env_cmd *bad, *good;
	struct env_tensor t;

	env_window(e, 0, 0, ENV_PAGES - 1, true);
	env_error(e, 2 * ENV_PAGE_GRAINS, AXI_SLVERR);
	t = env_dense(2 * ENV_PAGE - lanes * CHUNK, 0, 1, 2 * lanes - (lanes > 1));
	t.tail = lanes > 1;
	bad = env_tensor(e, 0, &t, 1);
	t.offset = 4 * ENV_PAGE;
	t.saddr = 4 * lanes;
	good = env_tensor(e, 0, &t, 1);
	env_drain(e, LIMIT);
	assert_int_equal(bad->code, TMA_FAULT_READ_SLVERR);
	assert_int_equal(bad->bytes, lanes * CHUNK);
	assert_int_equal(good->signal, good->last_write + e->info->short_paths);
	assert_int_equal(e->writes, 1 + 2);
}

/* Copies that only fault, between others; of prefetches too. */
ENV_ALL_TEST(walk_faults, .seed = 56, .fault_percent = 50)
{
	struct env_tensor t;

	for (uint32_t i = 0; i < 40; i++) {
		struct env_tensor bad = { .fault = 0x60 + i % 0x18,
			                  .address = UINT64_C(0x9876543210ABCDEF) * (i + 1) };

		t = env_dense(i * 300 * CHUNK, i * 12, 3, 4);
		env_tensor(e, 0, &t, 1);
		env_tensor(e, 1, &bad, i % 3 ? 1 : 0);
		if (i % 4 == 0)
			env_command(e, 0, i * CHUNK, 1, 600 + i, 1);
	}
	env_drain(e, LIMIT);
	assert_int_equal(e->faults, 40);
	assert_int_equal(e->signals, 50);
}

/* Copies that fail in the middle: no rows of theirs come any more, what comes behind does. */
TEST(walk_cut_short)
{
	struct env_opts opts = { .seed = 57, .fault_percent = 30 };
	uint32_t i, prefetch, hint; /* of the first one, of the second one */
	struct env_tensor t;
	struct env_cmd *c;
	struct env e;

	for (i = 0; i < 60; i++) {
		opts.seed += i;
		opts.latency = 1 + i % 7 * 6;
		opts.write_percent = i % 3 * 30;
		env_open(&e, &opts);
		prefetch = i % 10 == 9;
		hint = i % 4 == 3;
		env_window(&e, 0, 0, 9, true);
		env_window(&e, 1, 0, ENV_PAGES - 1, true);
		env_error(&e, 2 * ENV_PAGE_GRAINS + i % 5, i % 2 ? AXI_SLVERR : AXI_DECERR);
		/* Of one row in 8 the fill alone. */
		t = env_dense(2 * ENV_PAGE, 0, 8, 1 + i % 3);
		t.head = i % 5;
		t.tail = i % 4 * 3;
		t.odd = i % 16;
		t.pitch = t.head + t.chunks + t.tail;
		t.level[0].last = 6;
		t.level[1] = (struct env_level){ .count = 6, .step = 1, .last = 5, .stride = 7 * t.chunks };
		c = env_tensor(&e, 1, &t, prefetch ? 0 : 1);
		if (!prefetch)
			assert_int_equal(c->code, i % 2 ? TMA_FAULT_READ_SLVERR : TMA_FAULT_READ_DECERR);
		/* Two pages of rows, then no window. */
		t = env_dense(8 * ENV_PAGE + i * CHUNK, 900, 8, 5);
		t.tail = i % 6;
		t.pitch = 5 + t.tail;
		t.level[0].stride = PAGE_CHUNKS / 2;
		t.level[0].last = 6;
		c = env_tensor(&e, 0, &t, hint ? 0 : 2);
		assert_int_equal(c->code, hint ? 0 : TMA_FAULT_WINDOW_READ);
		t = env_dense(ENV_PAGE, 720, 3, 8);
		env_tensor(&e, 1, &t, 1);
		env_command(&e, 1, ENV_PAGE, 3, 750, 1);
		env_drain(&e, LIMIT);
		assert_int_equal(e.faults, 2 - prefetch - hint);
		assert_int_equal(e.signals, 2);
		env_close(&e);
	}
}

/* An error of the first row comes before, as and after the last one does. */
TEST(walk_stopped_near_its_end)
{
	for (uint32_t latency = 1; latency <= 40; latency++) {
		struct env_opts opts = { .seed = 65, .latency = latency };
		struct env_tensor t = env_dense(2 * ENV_PAGE, 0, 8, 1);
		struct env_cmd *c;
		struct env e;

		env_open_all(&e, &opts);
		env_error(&e, 2 * ENV_PAGE_GRAINS, AXI_SLVERR);
		c = env_tensor(&e, 0, &t, 1);
		t = env_dense(4 * ENV_PAGE, 100, 2, 1);
		env_tensor(&e, 1, &t, 1);
		env_drain(&e, LIMIT);
		assert_int_equal(c->code, TMA_FAULT_READ_SLVERR);
		assert_int_equal(e.signals, 1);
		env_close(&e);
	}
}
