/* SPDX-License-Identifier: Apache-2.0 */
/* rig_progress_test - nobody waits for a stranger: data beside fill, barriers that others write without end,
 * more commands than 16 bits tell apart. */
#include "lib/cmocka_all.h"

#include "tma_regs.h"
#include "engine/rig_bench.h"

#define BARS   64u
#define BAR    512u
#define TO     1024u
#define MAP_AT 1024u /* in the memory */
#define PAGE   4096u

struct stall {
	uint32_t now, most; /* cycles in a row in which R data was not taken */
};

static void watch_stall(void *arg, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out)
{
	struct stall *s = arg;

	(void)cycle;
	s->now = in->axi[0].r_valid && !out->axi[0].r_ready ? s->now + 1 : 0;
	s->most = s->now > s->most ? s->now : s->most;
}

/* Boxes outside of their tensor, one behind the other: data of another queue's loads is taken between their
 * lines. */
TEST(test_data_between_fill)
{
	static const struct rig_window window = { BASE, BASE + SIZE - 1, RIG_BOTH };
	const struct rig_queue other = { .windows = &window, .num_windows = 1, .stream = 9, .cta_mask = 1 };
	struct tma_command box = { .opcode = TMA_TENSOR_LOAD,
		                   .version = TMA_COMMAND_VERSION,
		                   .dim = 2,
		                   .coord = { 0, 1000 },
		                   .global_address = BASE + MAP_AT,
		                   .shared_dst = 0x1000,
		                   .barrier = BAR };
	struct where calm = *(const struct where *)*state;
	struct stall stall = { 0, 0 };
	uint8_t here[64];
	struct bench b;

	/* Data of a load comes while the next box is filled. */
	calm.opts.ext_busy_every = 0;
	calm.opts.latency = 60;
	bench_open(&b, &calm);
	assert_int_equal(rig_queue_setup(b.rig, 0, &other), 0);
	assert_int_equal(rig_hook(b.rig, &(struct rig_hooks){ .arg = &stall, .cycle = watch_stall }), 0);
	bench_put_map(&b, MAP_AT, PAGE, (uint64_t[]){ 64, 16 }, 64, (uint32_t[]){ 64, 128 });
	bench_do(&b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
	bench_wait_idle(&b);
	for (uint32_t i = 0; i < 24; i++)
		assert_true(rig_submit(b.rig, 0, &box) >= 0);
	for (uint32_t i = 0; i < 24; i++) {
		rig_run(b.rig, 100);
		bench_do(&b, TMA_BULK_LOAD, .global_address = BASE + 64 * i, .size = 64,
		         .shared_dst = TO + 64 * i, .barrier = BAR);
	}
	bench_wait_idle(&b);
	assert_in_range(stall.most, 0, 31);
	for (uint32_t i = 0; i < 24; i++) {
		assert_int_equal(rig_smem_read(b.rig, 0, TO + 64 * i, here, 64), 0);
		assert_memory_equal(here, b.memory + 64 * i, 64);
	}
	bench_close(&b);
}

/* Two SMs write the barriers of two CTAs whenever they may, so that each comes and goes; one has just been used,
 * so they do so at different times. A load to both CTAs, with bytes and without, goes on all the same, behind up to
 * nine commands on such a barrier, of which each takes some 8 cycles; and so does another queue. */
BENCH_TEST(test_hammered_barriers)
{
	static const struct rig_window window = { BASE, BASE + SIZE - 1, RIG_BOTH };
	static const uint64_t bar[2] = { 1000 | 1000u << 20 | UINT64_C(2) << 62 };
	const struct rig_queue other = { .windows = &window, .num_windows = 1, .stream = 9 };
	struct tma_command c = { .version = TMA_COMMAND_VERSION,
		                 .flags = TMA_FLAG_RECORD,
		                 .opcode = TMA_BULK_LOAD,
		                 .global_address = BASE,
		                 .size = 64,
		                 .shared_dst = TO,
		                 .barrier = BARS };

	assert_int_equal(rig_queue_setup(b->rig, 0, &other), 0);
	assert_int_equal(rig_smem_write(b->rig, 0, BARS, bar, 8), 0);
	for (uint32_t i = 0; i < 10; i++) {
		uint64_t until;

		for (uint32_t cta = 0; cta < 2; cta++) {
			for (uint32_t k = 0; k < 1000; k++)
				assert_int_equal(rig_smem_post_strobed(b->rig, cta, BAR, bar, 0x00FF), 0);
			rig_run(b->rig, cta ? 20 : i);
		}
		for (uint32_t k = 0; k < i; k++)
			bench_do(b, TMA_MBARRIER_EXPECT_TX, .barrier = BAR);
		bench_do(b, TMA_BULK_LOAD, .flags = TMA_FLAG_MULTICAST | TMA_FLAG_RECORD, .cta_mask = 3,
		         .global_address = BASE, .size = i % 2 ? 64 : 0, .shared_dst = TO + 64,
		         .barrier = BAR);
		rig_step(b->rig);
		assert_true(rig_submit(b->rig, 0, &c) >= 0);
		until = rig_cycle(b->rig) + 40 + 8 * i;
		assert_int_equal(rig_wait_records(b->rig, 1, i + 1, until - rig_cycle(b->rig)), 0);
		assert_int_equal(rig_wait_records(b->rig, 0, i + 1, until - rig_cycle(b->rig)), 0);
		assert_true(rig_smem_finished(b->rig, 0) < rig_smem_posted(b->rig, 0));
		assert_int_equal(rig_smem_flush(b->rig), 0);
		bench_wait_idle(b);
	}
	assert_false(rig_faulted(b->rig, 1));
}

/* A load's data does not come for more commands than 16 bits tell apart; it fails, and the fault names it. */
BENCH_TEST(test_laps)
{
	const uint32_t after = 70000;

	if (rig_info(b->rig)->queues > 8)
		bench_skip(b); /* slow, and no different */
	assert_int_equal(rig_map_error(b->rig, 0, RIG_READ, BASE, 64, RIG_SLVERR), 0);
	assert_int_equal(rig_watchdog(b->rig, 0), 0);
	bench_do(b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
	bench_wait_idle(b);
	assert_int_equal(rig_port_stop(b->rig, 0, RIG_R, 0), 0);
	bench_do(b, TMA_BULK_LOAD, .global_address = BASE, .size = 64, .shared_dst = TO, .barrier = BAR);
	for (uint32_t i = 0; i < after; i++)
		bench_do(b, TMA_CP_ASYNC_WAIT_ALL);
	for (uint32_t taken = 0; taken != rig_accepted(b->rig, 1); rig_run(b->rig, 200))
		taken = rig_accepted(b->rig, 1);
	assert_in_range(rig_accepted(b->rig, 1), 32768, 65536 + 8);
	assert_int_equal(rig_port_stop(b->rig, 0, 0, 0), 0);
	bench_wait_idle(b);
	assert_true(rig_faulted(b->rig, 1));
	assert_int_equal(rig_fault(b->rig, 1).code, TMA_FAULT_READ_SLVERR);
	assert_int_equal(rig_fault(b->rig, 1).sequence, 1);
}

int progress_tests(const char *name, struct where *w)
{
	return run_file_tests_on(name, w);
}
