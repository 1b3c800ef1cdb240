/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_map_fence_test - map fences reach the cache before the commands that were issued behind them.
 *
 * Requirement (semantics, 4.1; the module's contract): a fence is handed over in its cycle or, put
 * off, in the next one; each once, in order. A tensor command that comes behind a fence is not on
 * offer before that fence has been handed over. A command on offer stays on offer until it is taken.
 * Without a fence that is kept everything passes at once.
 * Checks: the corner cases one by one; random traffic against a list of the fences and the cycle in
 * which each command came. The cache puts a fence off for one cycle, and not again while one is kept.
 */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_map_fence_pins.h"

#define CYCLES 200000u
#define PATHS  2u
#define LOAD   1u
#define STORE  2u
#define BOTH   (LOAD | STORE)

/* What the pins show in a cycle with these inputs; then its edge. */
static struct map_fence_out cycle(struct map_fence *f, struct map_fence_in in)
{
	struct map_fence_out out;

	*map_fence_in(f) = in;
	map_fence_eval(f);
	out = *map_fence_out(f);
	map_fence_tick(f);
	return out;
}

static struct map_fence_out step(struct map_fence *f, struct map_fence_in in)
{
	in.rst_n = 1;
	return cycle(f, in);
}

static struct map_fence *fence_reset(void)
{
	struct map_fence *f = map_fence_open();

	cycle(f, (struct map_fence_in){ .fence_ready = 1 });
	return f;
}

#define FENCE_TEST(name) TEST_WITH(name, struct map_fence *f, fence_reset(), map_fence_close)

static void expect_fence(const struct map_fence_out *out, uint64_t addr)
{
	assert_true(out->fence_valid);
	assert_true(out->fence_addr == addr);
}

/* Commands pass in the same cycle, each path for itself. */
FENCE_TEST(passes)
{
	for (uint8_t valid = 0; valid <= BOTH; valid++) {
		for (uint8_t ready = 0; ready <= BOTH; ready++) {
			struct map_fence_out out =
				step(f, (struct map_fence_in){
						.fence_ready = 1, .cmd_valid = valid, .cmd_ready = ready });

			assert_int_equal(out.cmd_valid, valid);
			assert_int_equal(out.cmd_ready, ready);
			assert_int_equal(out.fence_valid, 0);
			assert_int_equal(out.idle, 1);
		}
	}
}

/* A fence that is taken at once holds nobody up. */
FENCE_TEST(at_once)
{
	struct map_fence_out out = step(f, (struct map_fence_in){ .fence_valid = 1,
	                                                          .fence_ready = 1,
	                                                          .fence_addr = UINT64_MAX - 127,
	                                                          .cmd_valid = BOTH,
	                                                          .cmd_ready = LOAD });

	expect_fence(&out, UINT64_MAX - 127);
	assert_int_equal(out.cmd_valid, BOTH);
	assert_int_equal(out.cmd_ready, LOAD);
	out = step(f, (struct map_fence_in){ .fence_ready = 1, .cmd_valid = BOTH, .cmd_ready = BOTH });
	assert_int_equal(out.fence_valid, 0);
	assert_int_equal(out.idle, 1);
	assert_int_equal(out.cmd_valid & out.cmd_ready, BOTH);
}

/* A fence that is put off: the store was on offer before it, the load comes behind it. */
FENCE_TEST(put_off)
{
	struct map_fence_out out =
		step(f, (struct map_fence_in){ .fence_valid = 1, .fence_addr = 0x1080, .cmd_valid = STORE });

	expect_fence(&out, 0x1080);
	assert_int_equal(out.cmd_valid, STORE);

	/* What the address pins show now is no fence. */
	out = step(f, (struct map_fence_in){
			      .fence_ready = 1, .fence_addr = 0x2000, .cmd_valid = BOTH, .cmd_ready = BOTH });
	expect_fence(&out, 0x1080);
	assert_int_equal(out.idle, 0);
	assert_int_equal(out.cmd_valid, STORE);
	assert_int_equal(out.cmd_ready, STORE);

	out = step(f, (struct map_fence_in){ .fence_ready = 1, .cmd_valid = LOAD, .cmd_ready = LOAD });
	assert_int_equal(out.fence_valid, 0);
	assert_int_equal(out.idle, 1);
	assert_int_equal(out.cmd_valid & out.cmd_ready, LOAD);
}

/* A command that was taken with the fence makes no room for the one behind it. */
FENCE_TEST(taken_beside)
{
	struct map_fence_out out =
		step(f, (struct map_fence_in){
				.fence_valid = 1, .fence_addr = 0x80, .cmd_valid = BOTH, .cmd_ready = BOTH });

	assert_int_equal(out.cmd_valid & out.cmd_ready, BOTH);
	out = step(f, (struct map_fence_in){ .fence_ready = 1, .cmd_valid = BOTH, .cmd_ready = BOTH });
	expect_fence(&out, 0x80);
	assert_int_equal(out.cmd_valid, 0);
	assert_int_equal(out.cmd_ready, 0);
}

/* Fences in every cycle behind one that was put off: each is a cycle late, none is lost. */
FENCE_TEST(chain)
{
	struct map_fence_out out = step(f, (struct map_fence_in){ .fence_valid = 1, .fence_addr = 0 });

	expect_fence(&out, 0);
	for (uint64_t i = 1; i < 10; i++) {
		out = step(f, (struct map_fence_in){ .fence_valid = i < 9,
		                                     .fence_ready = 1,
		                                     .fence_addr = i * 128,
		                                     .cmd_valid = LOAD,
		                                     .cmd_ready = LOAD });
		expect_fence(&out, (i - 1) * 128);
		assert_int_equal(out.cmd_valid & LOAD, 0);
	}
	out = step(f, (struct map_fence_in){ .fence_ready = 1, .cmd_valid = LOAD, .cmd_ready = LOAD });
	assert_int_equal(out.fence_valid, 0);
	assert_int_equal(out.cmd_valid, LOAD);
}

/* Reset forgets a fence that is kept. */
FENCE_TEST(reset)
{
	struct map_fence_out out;

	step(f, (struct map_fence_in){ .fence_valid = 1, .fence_addr = 0x80 });
	cycle(f, (struct map_fence_in){ .fence_ready = 1 });
	out = step(f, (struct map_fence_in){ .fence_ready = 1, .cmd_valid = BOTH });
	assert_int_equal(out.fence_valid, 0);
	assert_int_equal(out.idle, 1);
	assert_int_equal(out.cmd_valid, BOTH);
}

/*
 * Random traffic.
 */

struct path {
	bool valid;     /* a command is there */
	bool offered;   /* it was on offer, and was not taken */
	uint32_t since; /* the cycle in which it came */
};

/* The fence that was put off, if there is one. */
struct kept {
	bool valid;
	uint64_t addr;
	uint32_t since;
};

static void check_path(const struct path *path, const struct kept *kept, bool valid, bool ready,
                       bool ready_in)
{
	bool behind = kept->valid && path->since > kept->since;

	assert_false(valid && !path->valid);
	assert_false(path->valid && valid && behind);
	if (path->offered || !kept->valid)
		assert_int_equal(valid, path->valid);
	/* A command is taken on both sides or on none. */
	assert_int_equal(path->valid && ready, valid && ready_in);
}

FENCE_TEST(random_traffic)
{
	struct rng rng = rng_make(1, 1);
	struct path path[PATHS] = { 0 };
	struct kept kept = { 0 };
	uint32_t fences = 0, commands = 0, chance = 50;

	for (uint32_t now = 1; now <= CYCLES; now++) {
		struct map_fence_in in = { .fence_addr = rng_next(&rng) };
		struct map_fence_out out;

		/* Fences come one by one, or in chains. */
		if (rng_percent(&rng, 2))
			chance = rng_percent(&rng, 50) ? 10 : 90;
		in.fence_valid = rng_percent(&rng, chance);
		in.fence_ready = kept.valid || rng_percent(&rng, 60);
		in.cmd_ready = (uint8_t)rng_below(&rng, BOTH + 1);
		for (uint32_t p = 0; p < PATHS; p++) {
			if (!path[p].valid && rng_percent(&rng, 60))
				path[p] = (struct path){ .valid = true, .since = now };
			in.cmd_valid |= (uint8_t)(path[p].valid << p);
		}
		out = step(f, in);

		assert_int_equal(out.fence_valid, kept.valid || in.fence_valid);
		if (out.fence_valid)
			expect_fence(&out, kept.valid ? kept.addr : in.fence_addr);
		assert_int_equal(out.idle, !kept.valid);
		for (uint32_t p = 0; p < PATHS; p++) {
			bool valid = out.cmd_valid >> p & 1, ready_in = in.cmd_ready >> p & 1;

			check_path(&path[p], &kept, valid, out.cmd_ready >> p & 1, ready_in);
			path[p].offered = valid && !ready_in;
			if (valid && ready_in) {
				path[p].valid = false;
				commands++;
			}
		}
		fences += in.fence_valid;
		/* One is handed over in each cycle in which the cache is ready. */
		kept = (struct kept){ in.fence_valid && (kept.valid || !in.fence_ready), in.fence_addr, now };
	}
	assert_true(fences > CYCLES / 4 && commands > CYCLES / 8);
}
