/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_tensor_share_test - tensor stores and reductions take turns in one direction of set-up.
 *
 * Requirement (the module's contract): commands of a path leave in order, and their walks reach its walker.
 * What is on offer stays. Alone, a store is on offer in its cycle, with short paths in the next. A reduction's walk is taken at once, so a
 * store waits for one reduction's set-up at most and for no walker but its own; a reduction whose walker is
 * free waits for two walks of stores at most, and lets one store pass. Without reductions all of it is wires.
 * Checks: the above in every cycle of random traffic, with walkers that stand still; throughput of each path
 * alone and beside a reduction that waits; the unit's assertions.
 */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_tensor_share_pins.h"

enum { STORE, REDUCE };

/* What is around the unit: both command FIFOs, set-up with room for one walk, both walkers. */
struct bench {
	struct tensor_share *unit;
	struct tensor_share_in *in;
	const struct tensor_share_out *out;
	struct rng rng;
	uint32_t cycle;
	bool slow;              /* short paths */
	uint32_t sent[2];       /* numbers of the commands: those at the heads of the FIFOs, */
	uint32_t walked[2];     /* of the walks that were handed over */
	bool fresh[2];          /* the head came in this cycle */
	bool setting_up, walks; /* a command is in set-up, or its walk is there; of a reduction: */
	bool of_reduction;
	uint32_t setup_left, number;
	uint32_t busy[2];           /* cycles of the walker */
	bool held, held_reduce;     /* on offer since the cycle before */
	bool alone;                 /* in that a store was there, and nothing else */
	uint32_t passed[2], before; /* of the other path, while this one might go; walks that it waits for */
	uint32_t counts[2];
	/* What is drawn: percentages, cycles. */
	uint32_t send[2], stall, longest[2];
	uint32_t setup; /* from a command to its walk */
};

static void bench_open(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, tensor_share, seed);
	b->slow = unit_shape()->short_paths;
	b->setup = unit_shape()->data_bytes >= 64 ? 3 : 6;
	b->longest[STORE] = b->longest[REDUCE] = 1;
	tensor_share_start(b->unit);
}

#define BENCH_TEST(name, ...) \
	TEST_IN(name, struct bench, b, bench_open(b, __VA_ARGS__), tensor_share_close(b->unit))

/* A command carries its number where both paths have it; the rest of it is of its path. */
static void drive(struct bench *b)
{
	for (uint32_t d = 0; d < 2; d++) {
		uint8_t *valid = d ? &b->in->reduce_valid : &b->in->store_valid;

		b->fresh[d] = false;
		if (!*valid && rng_percent(&b->rng, b->send[d])) {
			*valid = 1;
			b->fresh[d] = rng_percent(&b->rng, 50);
		}
	}
	b->in->store.gaddr = b->sent[STORE] * 2;
	b->in->store_fresh = b->fresh[STORE];
	b->in->reduce.copy.gaddr = b->sent[REDUCE] * 2 + 1;
	b->in->reduce.how.op = b->sent[REDUCE] % 8;
	b->in->reduce_fresh = b->fresh[REDUCE];
	b->in->walk_valid = b->walks;
	b->in->walk_reduce = b->walks && b->of_reduction;
	b->in->store_walk_ready = !b->busy[STORE];
	b->in->reduce_walk_ready = !b->busy[REDUCE];
	/* Set-up has room when nothing is in it, or is about to leave. */
	b->in->cmd_ready = 0;
	if (!b->setting_up && (!b->walks || (!b->slow && !b->busy[b->of_reduction])))
		b->in->cmd_ready = !rng_percent(&b->rng, b->stall);
}

static void check_offer(struct bench *b)
{
	uint32_t d = b->out->cmd_reduce;

	if (b->held) {
		assert_int_equal(b->out->cmd_valid, 1);
		assert_int_equal(b->out->cmd_reduce, b->held_reduce);
	}
	if (b->slow ? b->alone : b->in->store_valid && !b->in->reduce_valid && !b->held) {
		assert_int_equal(b->out->cmd_valid, 1);
		assert_int_equal(d, STORE);
	}
	if (b->out->cmd_valid) {
		assert_true(d ? b->in->reduce_valid : b->in->store_valid);
		assert_int_equal(b->out->cmd.gaddr, b->sent[d] * 2 + d);
		assert_int_equal(b->out->cmd_fresh, b->fresh[d]);
		assert_int_equal(b->out->cmd_op, d ? b->sent[d] % 8 : 0);
	}
	assert_int_equal(b->in->store_valid && b->out->store_ready,
	                 b->out->cmd_valid && !d && b->in->cmd_ready);
	assert_int_equal(b->in->reduce_valid && b->out->reduce_ready,
	                 b->out->cmd_valid && d && b->in->cmd_ready);
}

static void check_walk(const struct bench *b)
{
	assert_int_equal(b->out->store_walk_valid, b->walks && !b->of_reduction);
	assert_int_equal(b->out->reduce_walk_valid, b->walks && b->of_reduction);
	if (b->walks)
		assert_int_equal(b->out->walk_ready, !b->busy[b->of_reduction]);
	if (b->walks && b->of_reduction)
		assert_int_equal(b->out->walk_ready, 1);
}

/* How long a path waits, of what is of the other one; a command is let in, a store's walk leaves. */
static void count_waits(struct bench *b, bool lets, bool leaves)
{
	uint32_t d = b->out->cmd_reduce;

	if (!b->in->reduce_valid || b->busy[REDUCE])
		b->passed[REDUCE] = b->before = 0;
	if (!b->in->store_valid || b->busy[STORE])
		b->passed[STORE] = 0;
	if (lets) {
		b->passed[d] = 0;
		b->passed[!d]++;
		if (d)
			b->before = 0;
	}
	b->before += leaves;
	assert_true(b->passed[STORE] <= 1 && b->passed[REDUCE] <= 1);
	assert_true(b->before <= 2);
}

static void cycle(struct bench *b)
{
	bool lets, leaves, reduces;

	drive(b);
	tensor_share_eval(b->unit);
	check_offer(b);
	check_walk(b);
	lets = b->out->cmd_valid && b->in->cmd_ready;
	leaves = b->walks && b->out->walk_ready;
	reduces = b->out->cmd_reduce;
	count_waits(b, lets, leaves && !b->of_reduction);
	b->held = b->out->cmd_valid && !lets;
	b->held_reduce = reduces;
	b->alone = b->in->store_valid && !b->in->reduce_valid && !b->out->cmd_valid;
	tensor_share_tick(b->unit);
	b->cycle++;
	for (uint32_t d = 0; d < 2; d++)
		b->busy[d] -= b->busy[d] > 0;
	if (leaves) {
		assert_int_equal(b->number, b->walked[b->of_reduction]++);
		b->busy[b->of_reduction] = rng_below(&b->rng, b->longest[b->of_reduction]);
		b->walks = false;
	}
	if (b->setting_up && !--b->setup_left) {
		b->setting_up = false;
		b->walks = true;
	}
	if (lets) {
		b->of_reduction = reduces;
		b->number = b->sent[reduces]++;
		b->counts[reduces]++;
		b->setting_up = true;
		b->setup_left = b->setup - 1;
		*(reduces ? &b->in->reduce_valid : &b->in->store_valid) = 0;
	}
}

static void run(struct bench *b, uint32_t cycles)
{
	b->counts[STORE] = b->counts[REDUCE] = 0;
	for (uint32_t i = 0; i < cycles; i++)
		cycle(b);
}

/* Walks of any length, few and many commands. */
BENCH_TEST(random_traffic, 1)
{
	static const uint32_t percent[] = { 1, 10, 50, 100 }, cycles[] = { 1, 4, 40, 400 };

	for (uint32_t i = 0; i < 400; i++) {
		for (uint32_t d = 0; d < 2; d++) {
			b->send[d] = percent[rng_below(&b->rng, 4)];
			b->longest[d] = cycles[rng_below(&b->rng, 4)];
		}
		if (!unit_shape()->reductions)
			b->send[REDUCE] = 0;
		b->stall = rng_below(&b->rng, 3) * 40;
		run(b, 2000);
		assert_true(b->counts[STORE] > 0);
		assert_true(b->counts[REDUCE] > 0 || !unit_shape()->reductions);
	}
}

/* A path alone: stores of one row as fast as set-up has room for their walks, a reduction when the walk of the one
 * before is over. */
BENCH_TEST(alone, 2)
{
	b->send[STORE] = 100;
	run(b, 100 * (b->setup + b->slow));
	assert_in_range(b->counts[STORE], 99, 101);
	b->send[STORE] = 0;
	run(b, 100);
	if (!unit_shape()->reductions)
		return;
	b->send[REDUCE] = 100;
	run(b, 100 * (b->setup + 1 + 2 * b->slow));
	assert_in_range(b->counts[REDUCE], 99, 101);
}

/* Beside a reduction whose walker stands still stores go on, one set-up and walk after the other; beside a store whose
 * walker stands still no reduction is let in once that store's walk waits. Both go on when it moves. */
BENCH_TEST(walker_stands_still, 3)
{
	if (!unit_shape()->reductions)
		return;
	b->send[STORE] = b->send[REDUCE] = 100;
	b->longest[STORE] = b->longest[REDUCE] = 2;
	while (!b->busy[REDUCE])
		cycle(b);
	b->busy[REDUCE] = 100000;
	run(b, 1000);
	assert_true(b->counts[STORE] >= 1000 / (b->setup + 3 + 2 * b->slow) && b->counts[REDUCE] == 0);
	b->busy[REDUCE] = 0;
	while (!b->busy[STORE])
		cycle(b);
	b->busy[STORE] = 100000;
	run(b, 1000);
	/* The reductions have been there for long: no store's walk is in their way. */
	assert_true(b->counts[REDUCE] >= 1000 / (b->setup + 3 + b->slow) && b->counts[STORE] == 0);
	b->busy[STORE] = 0;
	run(b, 1000);
	assert_true(b->counts[STORE] > 50 && b->counts[REDUCE] > 50);
}
