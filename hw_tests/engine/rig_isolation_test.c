/* SPDX-License-Identifier: Apache-2.0 */
/* rig_isolation_test - what a queue waits for because of another. */
#include "lib/cmocka_all.h"

#include "tma_regs.h"
#include "engine/rig_bench.h"

#define BAR    512u
#define TO     1024u
#define MAP_AT 1024u /* in the memory */
#define PAGE   4096u

static void wait_idle(struct bench *b)
{
	assert_int_equal(rig_wait_idle(b->rig, LIMIT), 0);
}

/* From a command of the queue with this stream to its read on the pins. */
struct asked {
	uint32_t stream, cycles, most;
	bool waits;
};

static void watch_asked(void *arg, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out)
{
	struct asked *a = arg;

	(void)cycle;
	(void)in;
	if (!a->waits)
		return;
	a->cycles++;
	a->waits = !out->axi[0].ar_valid || out->axi[0].ar_user >> 8 != a->stream;
	if (!a->waits && a->cycles > a->most)
		a->most = a->cycles;
}

/* Tensor loads of a queue that fences their map before each: those are all that waits for it. Loads and cp.async of
 * another queue do not. */
TEST(test_misses_of_strangers)
{
	enum { COPIES = 16, LOADS = 24, MOST = 40 };
	static const struct rig_window window = { BASE, BASE + SIZE - 1, RIG_BOTH };
	static const uint32_t latencies[] = { 100, 400 };
	const struct rig_queue other = { .windows = &window, .num_windows = 1, .stream = 9, .cta_mask = 1 };
	struct where calm = *(const struct where *)*state;
	struct tma_command c = { .version = TMA_COMMAND_VERSION,
		                 .dim = 2,
		                 .global_address = BASE + MAP_AT,
		                 .shared_dst = 0x1000,
		                 .barrier = BAR };

	calm.opts.ext_busy_every = 0;
	for (uint32_t i = 0; i < 2; i++) {
		struct asked asked = { 0 };
		struct bench b;

		calm.opts.latency = latencies[i];
		bench_open(&b, &calm);
		assert_int_equal(rig_queue_setup(b.rig, 0, &other), 0);
		asked.stream = rig_csr(b.rig, TMA_REG_QUEUE_STREAM(1));
		assert_int_equal(rig_hook(b.rig, &(struct rig_hooks){ .arg = &asked, .cycle = watch_asked }),
		                 0);
		bench_put_map(&b, MAP_AT, PAGE, (uint64_t[]){ 16, 16 }, 48, (uint32_t[]){ 16, 1 });
		bench_do(&b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
		wait_idle(&b);
		for (uint32_t k = 0; k < 2 * COPIES; k++) {
			struct tma_command fence = { .version = TMA_COMMAND_VERSION,
				                     .opcode = TMA_MAP_FENCE,
				                     .global_address = BASE + MAP_AT };

			c.opcode = TMA_TENSOR_LOAD;
			assert_true(rig_submit(b.rig, 0, k % 2 ? &c : &fence) >= 0);
		}
		for (uint32_t k = 0; k < LOADS; k++) {
			rig_run(b.rig, 45 + k);
			asked.cycles = 0;
			asked.waits = true;
			if (k % 3 == 2)
				bench_do(&b, TMA_CP_ASYNC, .global_address = BASE + 64 * k, .size = 16,
				         .shared_dst = TO + 64 * k);
			else
				bench_do(&b, TMA_BULK_LOAD, .global_address = BASE + 64 * k, .size = 64,
				         .shared_dst = TO + 64 * k, .barrier = BAR);
			for (uint32_t n = 0; asked.waits; n++) {
				assert_in_range(n, 0, LIMIT);
				rig_step(b.rig);
			}
		}
		/* The copies are not through yet. */
		assert_false(tma_sim_out(rig_sim(b.rig))->idle);
		wait_idle(&b);
		assert_in_range(asked.most, 0, MOST);
		assert_false(rig_faulted(b.rig, 0) || rig_faulted(b.rig, 1));
		bench_close(&b);
	}
}

int isolation_tests(const char *name, struct where *w)
{
	return run_file_tests_on(name, w);
}
