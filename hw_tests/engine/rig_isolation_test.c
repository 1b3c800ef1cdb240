/* SPDX-License-Identifier: Apache-2.0 */
/* rig_isolation_test - what a queue waits for because of another. */
#include <stdio.h>

#include "lib/cmocka_all.h"

#include "tma_regs.h"
#include "engine/rig_bench.h"

#define BAR    512u
#define TO     1024u
#define MAP_AT 1024u /* in the memory */
#define PAGE   4096u

/* Of a read id, above its lowest two bits. */
#define CLIENT_RING 3

static void wait_idle(struct bench *b)
{
	assert_int_equal(rig_wait_idle(b->rig, LIMIT), 0);
}

/* From a command of the queue with this stream to its read on the pins; or from a doorbell's response to the fetch. */
struct asked {
	uint32_t stream, cycles, most;
	bool fetch;
	bool rung; /* counts from here on */
	bool waits;
};

static void watch_asked(void *arg, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out)
{
	const struct tma_axi_out *o = &out->axi[0];
	struct asked *a = arg;

	(void)cycle;
	(void)in;
	if (!a->waits)
		return;
	a->rung |= out->csr.b_valid;
	if (a->rung)
		a->cycles++;
	a->waits = !o->ar_valid || o->ar_user >> 8 != a->stream || (o->ar_id >> 2 == CLIENT_RING) != a->fetch;
	if (!a->waits && a->cycles > a->most)
		a->most = a->cycles;
}

/* Tensor loads of queue 0, which fences their map before each, beside commands of queue 1: the most that one of them
 * waits for its read, or a ring for its fetch. */
static uint32_t wait_beside_misses(const struct where *where, uint32_t latency, struct rig_queue own)
{
	enum { COPIES = 48, LOADS = 24 };
	static const struct rig_window window = { BASE, BASE + SIZE - 1, RIG_BOTH };
	const struct rig_queue other = { .windows = &window, .num_windows = 1, .stream = 9, .cta_mask = 1 };
	struct asked asked = { .fetch = own.front == RIG_RING };
	struct where calm = *where;
	struct bench b;

	calm.opts.ext_busy_every = 0;
	calm.opts.latency = latency;
	bench_open_queue(&b, &calm, own);
	assert_int_equal(rig_queue_setup(b.rig, 0, &other), 0);
	asked.stream = rig_csr(b.rig, TMA_REG_QUEUE_STREAM(1));
	assert_int_equal(rig_hook(b.rig, &(struct rig_hooks){ .arg = &asked, .cycle = watch_asked }), 0);
	bench_put_map(&b, MAP_AT, PAGE, (uint64_t[]){ 16, 16 }, 48, (uint32_t[]){ 16, 1 });
	bench_do(&b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
	wait_idle(&b);
	for (uint32_t k = 0; k < 2 * COPIES; k++) {
		const struct tma_command fence = { .version = TMA_COMMAND_VERSION,
			                           .opcode = TMA_MAP_FENCE,
			                           .global_address = BASE + MAP_AT },
					 load = { .version = TMA_COMMAND_VERSION,
			                          .opcode = TMA_TENSOR_LOAD,
			                          .dim = 2,
			                          .global_address = BASE + MAP_AT,
			                          .shared_dst = 0x1000,
			                          .barrier = BAR };

		assert_true(rig_submit(b.rig, 0, k % 2 ? &load : &fence) >= 0);
	}
	for (uint32_t k = 0; k < LOADS; k++) {
		/* A ring asks for no more before it has what it asked for. */
		rig_run(b.rig, (asked.fetch ? latency : 0) + 45 + k);
		asked.cycles = 0;
		asked.rung = !asked.fetch;
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
	assert_false(rig_faulted(b.rig, 0) || rig_faulted(b.rig, 1));
	bench_close(&b);
	return asked.most;
}

static void judge(const struct where *where, struct rig_queue own, const char *what, uint32_t bound)
{
	for (uint32_t latency = 100; latency <= 400; latency += 300) {
		const uint32_t most = wait_beside_misses(where, latency, own);

		printf("         %s, L = %u: %u cycles of %u\n", what, latency, most, bound);
		assert_in_range(most, 1, bound);
	}
}

/* Tensor copies are all that waits for a map. Loads and cp.async of another queue do not. */
TEST(test_misses_of_strangers)
{
	judge(*state, (struct rig_queue){ 0 }, "a load beside misses", 40);
}

/* Nor do fetches of commands. */
TEST(test_fetches_beside_misses)
{
	judge(*state, small_ring, "a fetch beside misses", 20);
}

int isolation_tests(const char *name, struct where *w)
{
	return run_file_tests_on(name, w);
}
