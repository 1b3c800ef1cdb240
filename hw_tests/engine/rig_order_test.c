/* SPDX-License-Identifier: Apache-2.0 */
/* rig_order_test - what may not go before what, where no record or fault of its own tells: barriers under
 * copies, rewritten maps, groups of two kinds, ends of lives. */
#include <string.h>

#include "lib/cmocka_all.h"

#include "tma_regs.h"
#include "engine/rig_bench.h"

#define BARS   64u /* eight barriers */
#define BAR    512u
#define TO     1024u
#define CTA1   (1u << 24)
#define MAP_AT 1024u /* in the memory; a second one behind it */
#define PAGE   4096u

static void init_bars(struct bench *b, uint32_t count)
{
	for (uint32_t i = 0; i < 8; i++)
		bench_do(b, TMA_MBARRIER_INIT, .barrier = BARS + 8 * i, .count = count + i);
}

/* The SM writes elsewhere in each cycle from now on, for some hundred: a barrier is written back only when
 * somebody asks for its memory. */
static void keep_writing(struct bench *b)
{
	static const uint8_t junk[0x2000];

	assert_int_equal(rig_smem_post_write(b->rig, 0, 0x1000, junk, sizeof(junk)), 0);
}

/* Whoever copies barriers gets what commands before it have made of them, in memory or not. */
BENCH_TEST(test_barriers_are_read)
{
	uint8_t here[64], there[64], bar[8];

	bench_do(b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
	bench_wait_idle(b);
	assert_int_equal(rig_smem_read(b->rig, 0, BAR, bar, sizeof(bar)), 0);
	for (uint32_t i = 1; i <= 4; i++) {
		keep_writing(b);
		init_bars(b, 16 * i);
		bench_do(b, TMA_BULK_STORE, .global_address = BASE + 64 * i, .size = 64, .shared_src = BARS);
		bench_wait_idle(b);
		assert_int_equal(rig_smem_read(b->rig, 0, BARS, here, 64), 0);
		assert_memory_equal(b->memory + 64 * i, here, 64);
		assert_int_equal(rig_smem_write(b->rig, 1, BAR, bar, sizeof(bar)), 0);
		keep_writing(b);
		init_bars(b, 32 * i);
		bench_do(b, TMA_BULK_SHARED, .size = 64, .shared_src = BARS, .shared_dst = CTA1 | TO,
		         .barrier = CTA1 | BAR);
		bench_wait_idle(b);
		assert_int_equal(rig_smem_read(b->rig, 0, BARS, here, 64), 0);
		assert_int_equal(rig_smem_read(b->rig, 1, TO, there, 64), 0);
		assert_memory_equal(there, here, 64);
	}
	assert_false(rig_faulted(b->rig, 1));
}

/* Memory that was a barrier is any other behind an inval: what a load brings is not lost to what the barrier
 * was. */
BENCH_TEST(test_barriers_are_overwritten)
{
	uint8_t here[64];

	bench_do(b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
	init_bars(b, 5);
	bench_wait_idle(b);
	keep_writing(b);
	for (uint32_t i = 0; i < 8; i++)
		bench_do(b, TMA_MBARRIER_INVAL, .barrier = BARS + 8 * i);
	bench_do(b, TMA_BULK_LOAD, .global_address = BASE + 128, .size = 64, .shared_dst = BARS,
	         .barrier = BAR);
	bench_wait_idle(b);
	assert_int_equal(rig_smem_flush(b->rig), 0);
	assert_int_equal(rig_smem_read(b->rig, 0, BARS, here, 64), 0);
	assert_memory_equal(here, b->memory + 128, 64);
	assert_false(rig_faulted(b->rig, 1));
}

/* A map of so many rows of so many bytes, which are every third of the memory from @p tensor on. */
static void put_map(struct bench *b, uint32_t at, uint32_t tensor, uint32_t bytes, uint32_t rows)
{
	bench_put_map(b, at, tensor, (uint64_t[]){ bytes, rows }, 3 * bytes, (uint32_t[]){ bytes, rows });
}

/* A map is written anew, fenced and used, while another queue's stores look for maps that are not there: a fence
 * may have to wait for them, and the copy behind it for the fence. */
BENCH_TEST(test_fenced_maps)
{
	static const struct rig_window window = { BASE, BASE + SIZE - 1, RIG_BOTH };
	const struct rig_queue other = { .windows = &window, .num_windows = 1, .stream = 9, .cta_mask = 1 };
	struct tma_command c = { .version = TMA_COMMAND_VERSION, .global_address = BASE + MAP_AT + 128 };
	uint8_t got[256];
	uint32_t at;

	assert_int_equal(rig_queue_setup(b->rig, 0, &other), 0);
	put_map(b, MAP_AT + 128, 3 * PAGE, 16, 16);
	bench_do(b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
	for (uint32_t i = 0; i < 48; i++) {
		at = i % 2 ? 2 * PAGE : PAGE + 1024;
		put_map(b, MAP_AT, at, 16, 16);
		for (uint32_t k = 0; k < 4; k++) {
			c.opcode = k % 2 ? TMA_TENSOR_STORE : TMA_MAP_FENCE;
			c.dim = k % 2 ? 2 : 0;
			assert_true(rig_submit(b->rig, 0, &c) >= 0);
		}
		rig_run(b->rig, i / 2);
		bench_do(b, TMA_MAP_FENCE, .global_address = BASE + MAP_AT);
		bench_do(b, TMA_TENSOR_LOAD, .dim = 2, .global_address = BASE + MAP_AT, .shared_dst = TO,
		         .barrier = BAR);
		bench_wait_idle(b);
		assert_int_equal(rig_smem_read(b->rig, 0, TO, got, sizeof(got)), 0);
		for (uint32_t k = 0; k < 16; k++)
			assert_memory_equal(got + 16 * k, b->memory + at + 48 * k, 16);
	}
	assert_int_equal(rig_fault(b->rig, 0).code, 0);
}

/* A fence of a queue that may not read the map leaves it where it is, one of a queue that may does not. */
BENCH_TEST(test_fences_of_strangers)
{
	static const struct rig_queue stranger = { .stream = 9 };
	const struct tma_command fence = { .version = TMA_COMMAND_VERSION,
		                           .opcode = TMA_MAP_FENCE,
		                           .global_address = BASE + MAP_AT };
	uint8_t got[16];

	assert_int_equal(rig_queue_setup(b->rig, 0, &stranger), 0);
	bench_do(b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
	for (uint32_t i = 0; i < 3; i++) {
		put_map(b, MAP_AT, i ? 2 * PAGE : PAGE, 16, 16);
		assert_true(rig_submit(b->rig, i / 2, &fence) >= 0);
		bench_wait_idle(b);
		bench_do(b, TMA_TENSOR_LOAD, .dim = 2, .global_address = BASE + MAP_AT, .shared_dst = TO,
		         .barrier = BAR);
		bench_wait_idle(b);
		assert_int_equal(rig_smem_read(b->rig, 0, TO, got, sizeof(got)), 0);
		assert_memory_equal(got, b->memory + (i < 2 ? PAGE : 2 * PAGE), sizeof(got));
	}
	assert_int_equal(rig_fault(b->rig, 0).code, 0);
}

/* Boxes outside of their tensor, of two queues in two CTAs: each fills its own memory. */
BENCH_TEST(test_fills_of_two_ctas)
{
	enum { BYTES = 4096 };
	static const struct rig_window window = { BASE, BASE + SIZE - 1, RIG_BOTH };
	const struct rig_queue other = { .windows = &window, .num_windows = 1, .stream = 9, .cta = 1 };
	static uint8_t old[2 * BYTES], want[2 * BYTES], got[2 * BYTES];
	uint32_t i;

	assert_int_equal(rig_queue_setup(b->rig, 0, &other), 0);
	put_map(b, SIZE - 128, 0, 256, 16);
	memset(old, 0xC5, sizeof(old));
	for (i = 0; i < 2; i++)
		assert_int_equal(rig_smem_write(b->rig, i, TO, old, sizeof(old)), 0);
	for (i = 0; i < 5; i++)
		for (uint32_t k = 0; k < 2; k++) {
			struct tma_command c = { .version = TMA_COMMAND_VERSION,
				                 .opcode = i ? TMA_TENSOR_LOAD : TMA_MBARRIER_INIT,
				                 .barrier = k * CTA1 | BAR };

			if (i) {
				c.dim = 2;
				c.global_address = BASE + SIZE - 128;
				c.coord[1] = 16;
				c.shared_dst = k * (CTA1 | BYTES) + TO;
			} else {
				c.count = 1;
			}
			assert_true(rig_submit(b->rig, 1 - k, &c) >= 0);
		}
	bench_wait_idle(b);
	for (uint32_t k = 0; k < 2; k++) {
		memcpy(want, old, sizeof(old));
		memset(want + k * BYTES, 0, BYTES);
		assert_int_equal(rig_smem_read(b->rig, k, TO, got, sizeof(got)), 0);
		assert_memory_equal(got, want, sizeof(got));
	}
}

/* Groups of stores and of cp.async know nothing of each other: what is in flight is in the youngest group,
 * for which nobody waits. */
BENCH_TEST(test_groups_of_two_kinds)
{
	assert_int_equal(rig_port_stop(b->rig, 0, RIG_B | RIG_R, 0), 0);
	bench_do(b, TMA_BULK_STORE, .global_address = BASE, .size = 64);
	bench_do(b, TMA_CP_ASYNC, .global_address = BASE + PAGE, .size = 16, .shared_dst = TO);
	bench_do(b, TMA_CP_ASYNC_COMMIT_GROUP);
	bench_do(b, TMA_BULK_COMMIT_GROUP);
	bench_do(b, TMA_BULK_WAIT_GROUP, .count = 1, .flags = TMA_FLAG_RECORD);
	bench_do(b, TMA_CP_ASYNC_WAIT_GROUP, .count = 1, .flags = TMA_FLAG_RECORD);
	rig_run(b->rig, 2000);
	assert_int_equal(bench_records(b), 2);
	bench_do(b, TMA_BULK_WAIT_GROUP, .flags = TMA_FLAG_RECORD);
	bench_do(b, TMA_CP_ASYNC_WAIT_GROUP, .flags = TMA_FLAG_RECORD);
	rig_run(b->rig, 2000);
	assert_int_equal(bench_records(b), 2);
	assert_int_equal(rig_port_stop(b->rig, 0, 0, 0), 0);
	bench_wait_idle(b);
	assert_int_equal(bench_records(b), 4);
}

/* A load that failed, whole or with most of its rows still to be asked for, is over: its queue rests, and it is
 * in no group of the next life. */
BENCH_TEST(test_failed_loads_end)
{
	put_map(b, SIZE - 128, 0, 16, 256);
	assert_int_equal(rig_map_error(b->rig, 0, RIG_READ, BASE, 64, RIG_SLVERR), 0);
	for (uint32_t i = 0; i < 2; i++) {
		bench_do(b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
		bench_do(b, i ? TMA_TENSOR_LOAD : TMA_BULK_LOAD, .dim = i ? 2 : 0,
		         .global_address = i ? BASE + SIZE - 128 : BASE, .size = i ? 0 : 64, .shared_dst = TO,
		         .barrier = BAR);
		bench_do(b, TMA_BULK_COMMIT_GROUP);
		bench_wait_idle(b);
		assert_true(rig_faulted(b->rig, 1));
		assert_int_equal(rig_fault(b->rig, 1).code, TMA_FAULT_READ_SLVERR);
		assert_int_equal(rig_queue_reset(b->rig, 1), RIG_OKAY);
		bench_do(b, TMA_BULK_COMMIT_GROUP);
		bench_do(b, TMA_BULK_WAIT_GROUP);
		bench_wait_idle(b);
		assert_int_equal(rig_door_read(b->rig, 1).head, 2);
		assert_int_equal(rig_queue_reset(b->rig, 1), RIG_OKAY);
	}
}

/* A cp.async that failed takes those behind it along, and their arrivals; resumed, the queue copies again. */
BENCH_TEST(test_cp_async_resumed)
{
	uint8_t got[16];

	bench_do(b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
	bench_wait_idle(b);
	assert_int_equal(rig_map_error(b->rig, 0, RIG_READ, BASE, 64, RIG_SLVERR), 0);
	for (uint32_t i = 0; i < 3; i++)
		bench_do(b, TMA_CP_ASYNC, .global_address = BASE + 64 * i, .size = 16, .shared_dst = TO);
	bench_do(b, TMA_CP_ASYNC_MBARRIER_ARRIVE, .barrier = BAR, .flags = TMA_FLAG_NOINC);
	bench_wait_idle(b);
	assert_true(rig_faulted(b->rig, 1));
	assert_int_equal(rig_fault(b->rig, 1).sequence, 1);
	rig_clear_errors(b->rig);
	assert_int_equal(rig_resume(b->rig, 1, 5), RIG_OKAY);
	bench_do(b, TMA_CP_ASYNC, .global_address = BASE + 256, .size = 16, .shared_dst = TO);
	bench_do(b, TMA_CP_ASYNC_MBARRIER_ARRIVE, .barrier = BAR, .flags = TMA_FLAG_NOINC);
	bench_do(b, TMA_MBARRIER_TRY_WAIT, .barrier = BAR, .flags = TMA_FLAG_PARITY, .tx = UINT32_MAX);
	bench_wait_idle(b);
	assert_int_equal(bench_records(b), 2);
	assert_int_equal(rig_smem_read(b->rig, 0, TO, got, 16), 0);
	assert_memory_equal(got, b->memory + 256, 16);
}

/* A fault record for which the completion ring has no room holds the queue: no RESUME loses it. */
BENCH_TEST_OF(test_fault_record_stays, small_ring)
{
	uint32_t n;

	rig_consumer(b->rig, 1, RIG_CONSUMER_HELD);
	for (uint32_t i = 0; i < 15; i++)
		bench_do(b, TMA_SIGNAL);
	bench_do(b, 0xEE);
	assert_int_equal(rig_wait_records(b->rig, 1, 16, LIMIT), 0);
	assert_int_equal(rig_resume(b->rig, 1, 16), RIG_OKAY);
	bench_do(b, 0xEE, .tag = 77);
	rig_run(b->rig, 1000);
	assert_int_equal(bench_records(b), 16);
	assert_int_equal(rig_fault(b->rig, 1).sequence, 16);
	assert_int_equal(rig_resume(b->rig, 1, 17), RIG_SLVERR);
	rig_consumer(b->rig, 1, RIG_CONSUMER_EAGER);
	assert_int_equal(rig_wait_records(b->rig, 1, 17, LIMIT), 0);
	assert_int_equal(rig_records(b->rig, 1, &n)[16].record.tag, 77);
	bench_wait_idle(b);
	assert_int_equal(rig_resume(b->rig, 1, 17), RIG_OKAY);
	bench_wait_idle(b);
}

/* Queue 0 runs into a bad command in a cycle that the test chooses. */
struct moment {
	struct rig *rig;
	uint64_t cycle;
};

static void bad_in_its_cycle(void *arg)
{
	const struct moment *m = arg;
	const struct tma_command bad = { .opcode = 0xEE, .version = TMA_COMMAND_VERSION };

	if (rig_cycle(m->rig) == m->cycle)
		rig_submit(m->rig, 0, &bad);
}

/* A copy fails when its queue is closing, in the cycle of another queue's fault or about then: the queue's
 * next life knows nothing of it. */
static void fault_after_life(const struct where *w, bool store)
{
	const struct rig_queue other = { .stream = 9 };
	struct where in_order = *w;
	struct moment m = { 0 };
	struct bench b;

	/* It counts cycles, so nothing may stall. */
	in_order.opts = (struct rig_opts){ .size = sizeof(in_order.opts) };
	bench_open(&b, &in_order);
	m.rig = b.rig;
	assert_int_equal(rig_queue_setup(b.rig, 0, &other), 0);
	assert_int_equal(rig_hook(b.rig, &(struct rig_hooks){ .arg = &m, .end = bad_in_its_cycle }), 0);
	assert_int_equal(rig_map_error(b.rig, 0, RIG_BOTH, BASE, 64, RIG_SLVERR), 0);
	for (uint32_t i = 0; i < 40; i++) {
		m.cycle = rig_cycle(b.rig) + 92 + i;
		bench_do(&b, store ? TMA_BULK_STORE : TMA_CP_ASYNC, .global_address = BASE, .size = 16,
		         .shared_dst = store ? 0 : TO, .shared_src = store ? TO : 0);
		rig_run(b.rig, 20);
		assert_int_equal(rig_queue_reset(b.rig, 1), RIG_OKAY);
		rig_run(b.rig, 100);
		assert_false(rig_csr(b.rig, TMA_REG_QUEUE_STATUS(1)) & TMA_REG_QUEUE_STATUS_FAULTED_MASK);
		assert_true(rig_faulted(b.rig, 0));
		assert_int_equal(rig_queue_reset(b.rig, 0), RIG_OKAY);
	}
	bench_close(&b);
}

TEST(test_fault_after_life)
{
	fault_after_life(*state, false);
	fault_after_life(*state, true);
}

/* A fetch of commands that the memory does not take: its queue is closing until it is over. */
BENCH_TEST_OF(test_fetch_on_the_pins, small_ring)
{
	assert_int_equal(rig_port_stop(b->rig, 0, RIG_AR, 0), 0);
	bench_do(b, TMA_SIGNAL);
	rig_run(b->rig, 200);
	assert_int_equal(rig_csr_write(b->rig, TMA_REG_QUEUE_CONTROL(1), 0), RIG_OKAY);
	rig_run(b->rig, 200);
	assert_true(rig_csr(b->rig, TMA_REG_QUEUE_STATUS(1)) & TMA_REG_QUEUE_STATUS_CLOSING_MASK);
	assert_int_equal(rig_port_stop(b->rig, 0, 0, 0), 0);
	rig_run(b->rig, 300);
	assert_false(rig_csr(b->rig, TMA_REG_QUEUE_STATUS(1)) & TMA_REG_QUEUE_STATUS_CLOSING_MASK);
	assert_int_equal(bench_records(b), 0);
}

/* Queues may share a stream: what one has on the pins does not lock the set-up of another that is closed. */
BENCH_TEST(test_shared_streams)
{
	const uint32_t stream = rig_csr(b->rig, TMA_REG_QUEUE_STREAM(1));

	assert_int_equal(rig_csr_write(b->rig, TMA_REG_QUEUE_STREAM(0), stream), RIG_OKAY);
	assert_int_equal(rig_port_stop(b->rig, 0, RIG_AR, 0), 0);
	bench_do(b, TMA_BULK_PREFETCH, .global_address = BASE, .size = 64);
	rig_run(b->rig, 200);
	assert_false(rig_csr(b->rig, TMA_REG_QUEUE_STATUS(0)) & TMA_REG_QUEUE_STATUS_CLOSING_MASK);
	assert_int_equal(rig_csr_write(b->rig, TMA_REG_QUEUE_CTA(0), 1), RIG_OKAY);
	assert_int_equal(rig_port_stop(b->rig, 0, 0, 0), 0);
	bench_wait_idle(b);
}

/* Idle is low while a record waits at the response port: a clock that stops then would keep it back. */
TEST(test_idle_knows_of_records)
{
	struct where deaf = *(const struct where *)*state;
	struct bench b;

	deaf.opts.record_percent = 100;
	bench_open(&b, &deaf);
	bench_do(&b, TMA_SIGNAL);
	bench_do(&b, 0xEE);
	for (uint32_t i = 0; i < 300; i++) {
		rig_step(b.rig);
		assert_false(tma_sim_out(rig_sim(b.rig))->rsp_valid && tma_sim_out(rig_sim(b.rig))->idle);
	}
	assert_true(tma_sim_out(rig_sim(b.rig))->rsp_valid);
	bench_close(&b);
}

/* Every burst has the AxCACHE that the register says: the monitor looks. */
BENCH_TEST_OF(test_axcache, small_ring)
{
	static const uint8_t values[] = { 0, 3, 6, 7, 10, 11, 14, 15 };

	put_map(b, MAP_AT, 0, 16, 16);
	bench_do(b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
	for (uint32_t i = 0; i < sizeof(values); i++) {
		bench_wait_idle(b);
		assert_int_equal(rig_csr_write(b->rig, TMA_REG_AXCACHE, values[i]), RIG_OKAY);
		bench_do(b, TMA_BULK_LOAD, .global_address = BASE, .size = 64, .shared_dst = TO,
		         .barrier = BAR);
		bench_do(b, TMA_CP_ASYNC, .global_address = BASE, .size = 16, .shared_dst = TO + 64);
		bench_do(b, TMA_MAP_FENCE, .global_address = BASE + MAP_AT);
		bench_do(b, TMA_TENSOR_STORE, .dim = 2, .global_address = BASE + MAP_AT, .shared_dst = TO);
		bench_do(b, TMA_BULK_PREFETCH, .global_address = BASE, .size = 64);
		bench_do(b, TMA_SIGNAL);
	}
	bench_wait_idle(b);
	assert_int_equal(bench_records(b), sizeof(values));
}

int order_tests(const char *name, struct where *w)
{
	return run_file_tests_on(name, w);
}
