/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor stores whose rows share bursts: two of a chunk each in one line, and what comes between them. */
#include "tma_abi.h"
#include "unit_rtl/tma_store_env.h"

/* Rows of a chunk, all in bounds, one behind the other in shared memory. */
static struct env_tensor rows(uint32_t count, uint32_t offset, uint32_t stride)
{
	struct env_tensor t = { .offset = offset, .chunks = 1, .pitch = 1, .loops = 1 };

	t.count[0] = count;
	t.step[0] = 1;
	t.dim[0] = count;
	t.stride[0] = stride / CHUNK;
	return t;
}

static bool joins(const struct env *e)
{
	return e->info->data_bytes >= 4 * CHUNK;
}

/* Two rows take a burst, a beat and a read, behind every swizzle, and a row comes in every cycle, where paths are
 * short in every other. */
TEST(pairs_rate)
{
	static const uint32_t swizzles[] = { 0, 1, 2, 3, 4, 6 };
	struct env e;

	for (uint32_t i = 0; i < 6; i++) {
		struct env_opts o = { .seed = 80 + i, .latency = 8 };
		struct env_tensor t = rows(96, 0x400, 2 * CHUNK);
		struct env_cmd *c[4];

		env_open_all(&e, &o);
		t.swizzle = swizzles[i];
		for (uint32_t n = 0; n < 4; n++) {
			t.saddr = 96 * (n % 2);
			c[n] = env_tensor(&e, 0, &t);
		}
		env_drain(&e, 4000);
		if (joins(&e)) {
			assert_int_equal(e.bursts, 4 * 48);
			assert_int_equal(e.beats, 4 * 48);
			assert_int_equal(e.reads, 4 * 48);
			assert_in_range(e.last_aw - c[0]->first_aw, 0,
			                (4 * 96 - 1) * (1 + e.info->short_paths));
		}
		env_close(&e);
	}
}

/* Behind a swizzle the first chunk of a pair may be any of a line of shared memory but the last one. */
ENV_ALL_TEST(pairs_across_a_line, .seed = 86, .latency = 8)
{
	struct env_tensor t = rows(2, 0x400, 2 * CHUNK);
	struct env_cmd *c;

	for (uint32_t i = 0; i < 16; i++) {
		t.swizzle = i < 8 ? 3 : 0;
		t.saddr = 64 + i % 8;
		c = env_tensor(e, 0, &t);
		env_drain(e, 200);
		if (joins(e))
			assert_int_equal(c->issued, 1 + (i == 7));
	}
}

/* Which rows are joined is not a matter of time: empty rows between them, rows in the other order, and gaps. */
ENV_ALL_TEST(pairs_and_others, .seed = 87, .latency = 30, .stall_percent = 50, .read_percent = 40,
             .tensor_percent = 50)
{
	struct env_tensor t;

	for (uint32_t i = 0; i < 200; i++) {
		t = rows(3 + i % 7, 0x4000 + i * 0x40 + i % 4 * CHUNK, CHUNK * (1 + i % 3));
		t.pitch = 1 + i % 5 / 4;
		t.saddr = i % 9;
		t.dim[0] = i % 11 == 0 ? 2 : t.dim[0];
		t.loops = 2;
		t.count[1] = 3;
		t.step[1] = 1;
		t.dim[1] = 3;
		t.stride[1] = 1 + i % 2;
		env_tensor(e, 0, &t);
		if (i % 6 == 0)
			env_record(e, 0, 32 * i);
		if (i % 10 == 0)
			env_command(e, 0, 0x20000 + i * CHUNK, 1 + i % 3, 0, 0, 0xFFFFu);
	}
	env_drain(e, 40000);
}

/* A pair that no window allows, or that fails, stops its walk and no other; the address is that of its first row. */
TEST(pairs_stopped)
{
	struct env_cmd *denied, *failed, *next;
	struct env e;

	for (uint32_t i = 0; i < 48; i++) {
		struct env_opts o = { .seed = 88 + i, .latency = 1 + i % 12, .stall_percent = i % 3 * 30 };
		struct env_tensor t = rows(60, 10 * ENV_PAGE - 20 * CHUNK, 2 * CHUNK);

		env_open(&e, &o);
		env_window(&e, 0, 0, 9, true);
		env_window(&e, 0, 11, 80, true);
		env_error(&e, 0, 12, AXI_SLVERR);
		denied = env_tensor(&e, 0, &t);
		t.offset = 12 * ENV_PAGE - i * 4 * CHUNK;
		failed = env_tensor(&e, 0, &t);
		t.offset = 13 * ENV_PAGE;
		next = env_tensor(&e, 0, &t);
		if (i % 2)
			env_record(&e, 0, 32 * i);
		env_drain(&e, 4000);
		assert_int_equal(denied->code, TMA_FAULT_WINDOW_WRITE);
		assert_true(denied->address == ENV_BASE + 10 * ENV_PAGE);
		assert_int_equal(next->code, 0);
		if (i < 30)
			assert_int_equal(failed->code, TMA_FAULT_WRITE_SLVERR);
		env_close(&e);
	}
}
