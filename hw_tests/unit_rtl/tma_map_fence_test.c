/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_map_fence_test - map fences reach the cache before the commands that were issued behind them.
 *
 * Requirement (semantics, 4.1; the module's contract): a fence of a queue that may read the map's first
 * byte is handed over in the cycle after it came, with short paths three cycles later, any other one is
 * dropped. A command that is sent in the cycle after it came, or then in the two behind, is not on offer
 * before the next one; those that were there before are not held up, nor is anything else.
 * Checks: every output in every cycle of random traffic, windows that begin and end beside the map
 * among them.
 */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_map_fence_pins.h"

#define CYCLES 200000u
#define PAGE   4096u

struct bench {
	struct map_fence *unit;
	struct map_fence_in *in;
	const struct map_fence_out *out;
	struct rng rng;
	bool valid[3];  /* a fence came in the cycle before, and before that */
	bool leaves[2]; /* one has been looked at, and passes: in the next cycle, and in this one */
	uint64_t leaves_addr[2];
	struct map_fence_window windows[16][8]; /* as written */
	bool slow;                              /* short paths */
	uint32_t queue;                         /* of the last one */
	uint64_t addr;
	uint32_t passed, dropped, held;
};

/* A write of this window, in the next cycle; after that it is as it says. */
static void offer_window(struct bench *b, uint32_t queue, uint32_t index, struct map_fence_window window)
{
	b->in->window_write =
		(struct map_fence_window_write){ .valid = 1, .qid = queue, .index = index, .window = window };
}

static void tick(struct bench *b)
{
	struct map_fence_window_write *w = &b->in->window_write;

	map_fence_tick(b->unit);
	if (w->valid)
		b->windows[w->qid][w->index] = w->window;
	w->valid = 0;
}

static void bench_open(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, map_fence, seed);
	map_fence_start(b->unit);
	for (uint32_t q = 0; q < unit_shape()->queues; q++)
		for (uint32_t w = 0; w < unit_shape()->windows; w++) {
			offer_window(b, q, w, (struct map_fence_window){ 0 });
			map_fence_eval(b->unit);
			tick(b);
		}
	b->slow = unit_shape()->short_paths;
}

#define BENCH_TEST(name, ...) \
	TEST_IN(name, struct bench, b, bench_open(b, __VA_ARGS__), map_fence_close(b->unit))

static bool covered(const struct bench *b)
{
	for (uint32_t w = 0; w < unit_shape()->windows; w++)
		if (b->windows[b->queue][w].read && b->addr / PAGE >= b->windows[b->queue][w].base &&
		    b->addr / PAGE <= b->windows[b->queue][w].limit)
			return true;
	return false;
}

static void cycle(struct bench *b)
{
	bool busy = b->valid[0] || (b->slow && (b->valid[1] || b->valid[2]));
	uint32_t held = busy ? b->in->fresh : 0;
	bool due = b->valid[b->slow], passes = due && covered(b);
	bool leaves = b->slow ? b->leaves[1] : passes;

	map_fence_eval(b->unit);
	assert_int_equal(b->out->fence_valid, leaves);
	if (leaves)
		assert_true(b->out->fence_addr == (b->slow ? b->leaves_addr[1] : b->addr) / 64);
	assert_int_equal(b->out->cmd_valid, b->in->cmd_valid & ~held);
	assert_int_equal(b->out->cmd_ready, b->in->cmd_ready & ~held);
	assert_int_equal(b->out->idle, !busy && !(b->slow && b->leaves[1]));
	b->leaves[1] = b->leaves[0];
	b->leaves[0] = passes;
	b->leaves_addr[1] = b->leaves_addr[0];
	b->leaves_addr[0] = b->addr;
	b->passed += passes;
	b->dropped += due && !passes;
	b->held += (b->in->cmd_valid & held) != 0;
	b->valid[2] = b->valid[1];
	b->valid[1] = b->valid[0];
	b->valid[0] = b->in->fence_valid;
	if (b->in->fence_valid) {
		b->queue = b->in->fence_queue;
		b->addr = b->in->fence_addr * 64;
	}
	tick(b);
}

BENCH_TEST(random_traffic, 1)
{
	for (uint32_t i = 0; i < CYCLES; i++) {
		/* Of a queue whose fence is looked at nothing changes. */
		uint32_t q = b->valid[0] || b->valid[1] ? (b->queue + 1) % unit_shape()->queues
		                                        : rng_below(&b->rng, unit_shape()->queues);
		uint32_t w = rng_below(&b->rng, unit_shape()->windows);

		struct map_fence_window window = { .read = rng_percent(&b->rng, 50),
			                           .write = rng_percent(&b->rng, 50) };

		/* Some pages; some at both ends of memory. */
		window.base = (rng_below(&b->rng, 8) - 4ull) & (UINT64_MAX >> 12);
		window.limit = (window.base + rng_below(&b->rng, 3) - 1) & (UINT64_MAX >> 12);
		offer_window(b, q, w, window);
		b->in->fence_valid =
			!(b->slow && b->valid[0]) && rng_percent(&b->rng, i / 1000 % 2 ? 95 : 20);
		b->in->fence_queue = (uint8_t)rng_below(&b->rng, unit_shape()->queues);
		b->in->fence_addr =
			(rng_below(&b->rng, 8 * PAGE / 64) - 4ull * PAGE / 64) & (UINT64_MAX >> 6);
		b->in->cmd_valid = (uint8_t)rng_below(&b->rng, 4);
		b->in->cmd_ready = (uint8_t)rng_below(&b->rng, 4);
		b->in->fresh = (uint8_t)rng_below(&b->rng, 4);
		cycle(b);
	}
	assert_true(b->passed > CYCLES / 20 && b->dropped > CYCLES / 20 && b->held > CYCLES / 10);
}

/* Reset forgets a fence. */
BENCH_TEST(reset, 2)
{
	b->in->fence_valid = 1;
	cycle(b);
	b->in->rst_n = 0;
	map_fence_eval(b->unit);
	map_fence_tick(b->unit);
	b->in->rst_n = 1;
	b->in->fence_valid = 0;
	b->valid[0] = b->valid[1] = b->valid[2] = false;
	cycle(b);
}
