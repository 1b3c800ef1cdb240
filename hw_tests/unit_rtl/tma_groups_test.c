/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_groups_test - groups against a reference that keeps every group and its operations.
 *
 * Requirement: a group is pending until all operations of its own and of every group before it have
 * reported, its loads and its stores' reads for either kind of wait; loads report in any order but
 * that of their channel, stores of the two lanes and reductions in any order; 32 pending groups are full; groups
 * without operations complete by themselves; disabling drops the groups of its queue alone; loads that
 * have not reported when a queue is resumed or disabled never will; a group whose store waits is not forgotten
 * however many loads come and go behind it; groups of bulk copies and of
 * cp.async know nothing of each other; a queue is busy while any cp.async of it has not reported.
 * Checks: all outputs of all queues in every cycle, the unit's assertions.
 */
#include <string.h>

#include "unit_rtl/tma_groups_env.h"

#define BENCH_TEST(name, ...) \
	TEST_IN(name, struct bench, b, bench_open(b, __VA_ARGS__), groups_close(b->unit))

/* One cycle in which this input says `value` of queue q. */
static void pulse(struct bench *b, uint8_t *input, uint32_t value, uint8_t *queue, uint32_t q)
{
	*input = (uint8_t)value;
	*queue = (uint8_t)q;
	step(b);
}

#define do_add_to(b, q, l)       pulse(b, &(b)->in->add[l], 1, &(b)->in->queue, q)
#define do_add(b, q)             do_add_to(b, q, 0)
#define do_commit(b, q)          pulse(b, &(b)->in->commit, 1, &(b)->in->queue, q)
#define do_read_of(b, q, l)      pulse(b, &(b)->in->read_done[l].valid, 1, &(b)->in->read_done[l].qid, q)
#define do_read(b, q)            do_read_of(b, q, 0)
#define do_write_of(b, q, l)     pulse(b, &(b)->in->write_done[l].valid, 1, &(b)->in->write_done[l].qid, q)
#define do_write(b, q)           do_write_of(b, q, 0)
#define do_loaded(b, q, channel) pulse(b, &(b)->in->load_done, 1u << (channel), &(b)->in->load_done_queue, q)

/* Two loads, two tensor loads: one after the other on all channels. */
static void do_load(struct bench *b, uint32_t q)
{
	b->in->load_tensor = (b->turn[0] + b->turn[1]) / 2 % 2;
	pulse(b, &b->in->load_add, 1, &b->in->queue, q);
}

/* A commit shows in the next cycle, a report two cycles after it. */
BENCH_TEST(latency, 1)
{
	uint32_t late = unit_shape()->short_paths;

	do_add(b, 1);
	do_commit(b, 1);
	groups_eval(b->unit);
	assert_int_equal(b->out->pending_write[1], 1);
	do_read(b, 1);
	steps(b, 1 + late);
	groups_eval(b->unit);
	assert_int_equal(b->out->pending_read[1], 0);
	assert_int_equal(b->out->pending_write[1], 1);
	do_write(b, 1);
	steps(b, 1 + late);
	groups_eval(b->unit);
	assert_int_equal(b->out->pending_write[1], 0);
}

/* As long as so many groups take to leave. */
static void leave(struct bench *b, uint32_t groups)
{
	steps(b, unit_shape()->short_paths ? 2 * groups + 2 : groups);
}

static void expect_pending(struct bench *b, uint32_t q, uint32_t reads, uint32_t writes)
{
	leave(b, 3);
	groups_eval(b->unit);
	assert_int_equal(b->out->pending_read[q], reads);
	assert_int_equal(b->out->pending_write[q], writes);
}

/* Both waits last until the loads before the commit have read, in whatever order; those behind it, and
 * of other queues, do not count. */
BENCH_TEST(loads, 6)
{
	for (uint32_t i = 0; i < CHANNELS; i++)
		do_load(b, 1);
	do_add(b, 1);
	do_commit(b, 1);
	do_load(b, 1);
	do_load(b, 0);
	do_read(b, 1);
	do_write(b, 1);
	expect_pending(b, 1, 1, 1);
	for (uint32_t i = CHANNELS; i > 1; i--)
		do_loaded(b, 1, i - 1);
	expect_pending(b, 1, 1, 1);
	do_loaded(b, 1, 0);
	expect_pending(b, 1, 0, 0);
	do_commit(b, 1);
	do_loaded(b, 0, 1);
	expect_pending(b, 1, 1, 1);
	do_loaded(b, 1, 0);
	expect_pending(b, 1, 0, 0);
}

/* Streams report each in its order: a younger store of one is not an older one, or a reduction, of another. */
BENCH_TEST(streams, 9)
{
	for (uint32_t i = 0; i < b->streams * b->streams; i++) {
		uint32_t first = i / b->streams, second = i % b->streams;

		if (first == second)
			continue;
		do_add_to(b, 1, first);
		do_commit(b, 1);
		do_add_to(b, 1, second);
		do_commit(b, 1);
		do_read_of(b, 1, second);
		expect_pending(b, 1, 2, 2);
		do_read_of(b, 1, first);
		do_write_of(b, 1, second);
		expect_pending(b, 1, 0, 2);
		do_write_of(b, 1, first);
		expect_pending(b, 1, 0, 0);
	}
}

/* More loads in one group than any counter holds. */
BENCH_TEST(many_loads, 7)
{
	do_load(b, 0);
	for (uint32_t i = 1; i < 5000; i++) {
		do_load(b, 0);
		if (i % CHANNELS)
			do_loaded(b, 0, i % CHANNELS);
		else if (i > CHANNELS)
			do_loaded(b, 0, 0);
	}
	do_commit(b, 0);
	expect_pending(b, 0, 1, 1);
	while (b->q[0].loads)
		do_loaded(b, 0, 0);
	expect_pending(b, 0, 0, 0);
}

/* Loads behind a group whose store waits: so many come and go that the queue may have no more of them, and some more that
 * were on their way. The group leaves when its store is done, and the queue is free again. */
BENCH_TEST(far_ahead, 10)
{
	uint32_t loads = 0;

	do_add(b, 0);
	do_commit(b, 0);
	for (groups_eval(b->unit); !b->out->crowded[0]; groups_eval(b->unit), loads++) {
		assert_in_range(loads, 0, 4096);
		do_load(b, 0);
		do_loaded(b, 0, loads % CHANNELS);
	}
	assert_int_equal(b->out->crowded[1], 0);
	for (uint32_t i = 0; i < 8; i++, loads++) {
		do_load(b, 0);
		do_loaded(b, 0, loads % CHANNELS);
	}
	do_read(b, 0);
	do_write(b, 0);
	expect_pending(b, 0, 0, 0);
	assert_int_equal(b->out->crowded[0], 0);
}

/* A load that faulted is done when its queue is resumed, at rest; the groups stay. */
BENCH_TEST(resumed, 8)
{
	do_load(b, 0);
	do_load(b, 1);
	do_commit(b, 0);
	do_commit(b, 1);
	expect_pending(b, 0, 1, 1);
	b->in->resume[0] = 1;
	step(b);
	expect_pending(b, 0, 0, 0);
	expect_pending(b, 1, 1, 1);
	do_load(b, 0);
	do_commit(b, 0);
	expect_pending(b, 0, 1, 1);
	do_loaded(b, 0, 2);
	expect_pending(b, 0, 0, 0);
}

/* cp.async have groups of their own; busy counts the open group too. */
BENCH_TEST(cp_groups, 5)
{
	for (uint32_t i = 0; i <= SLOTS; i++) {
		b->in->cp_add = 1;
		b->in->queue = 1;
		step(b);
		b->in->cp_commit = i < SLOTS;
		step(b);
	}
	do_commit(b, 1);
	steps(b, 4);
	assert_int_equal(b->out->cp_full[1], 1);
	assert_int_equal(b->out->full[1], 0);
	assert_int_equal(b->out->pending_write[1], 0);
	for (uint32_t i = 0; i <= SLOTS; i++) {
		assert_int_equal(b->out->cp_busy[1], 1);
		b->in->cp_done.valid = 1;
		b->in->cp_done.qid = 1;
		step(b);
	}
	assert_int_equal(b->out->cp_busy[1], 0);
	leave(b, 1 + unit_shape()->short_paths * SLOTS / 2);
	assert_int_equal(b->out->cp_pending[1], 0);
}

BENCH_TEST(full_of_groups, 2)
{
	for (uint32_t i = 0; i < SLOTS; i++) {
		do_add(b, 0);
		do_commit(b, 0);
	}
	groups_eval(b->unit);
	assert_int_equal(b->out->full[0], 1);
	assert_int_equal(b->out->pending_read[0], 32);
	for (uint32_t i = 0; i < SLOTS; i++)
		do_read(b, 0);
	leave(b, SLOTS);
	/* The source may be written again, but the slots stay until the writes are done. */
	assert_int_equal(b->out->pending_read[0], 0);
	assert_int_equal(b->out->full[0], 1);
	for (uint32_t i = 0; i < SLOTS; i++)
		do_write(b, 0);
	leave(b, SLOTS);
	assert_int_equal(b->out->pending_write[0], 0);
}

/* An empty group waits for those before it and for nothing else. */
BENCH_TEST(empty_groups, 3)
{
	do_commit(b, 0);
	do_commit(b, 0);
	leave(b, 4);
	assert_int_equal(b->out->pending_write[0], 0);
	do_add(b, 0);
	do_commit(b, 0);
	for (uint32_t i = 0; i < 5; i++)
		do_commit(b, 0);
	step(b);
	assert_int_equal(b->out->pending_write[0], 6);
	do_read(b, 0);
	do_write(b, 0);
	leave(b, 10);
	assert_int_equal(b->out->pending_write[0], 0);
	assert_int_equal(b->out->pending_read[0], 0);
}

/* Operations of a disabled queue report later: they complete nothing of its next life. */
BENCH_TEST(disabled, 4)
{
	for (uint32_t i = 0; i < 3; i++) {
		do_add(b, 0);
		do_add(b, 1);
		do_commit(b, 0);
		do_commit(b, 1);
	}
	b->in->enable[0] = 0;
	step(b);
	b->in->enable[0] = 1;
	step(b);
	assert_int_equal(b->out->pending_write[0], 0);
	assert_int_equal(b->out->pending_write[1], 3);
	do_add(b, 0);
	do_commit(b, 0);
	for (uint32_t i = 0; i < 3; i++) {
		do_read(b, 0);
		do_write(b, 0);
	}
	steps(b, 4);
	assert_int_equal(b->out->pending_write[0], 1);
	do_read(b, 0);
	do_write(b, 0);
	steps(b, 4);
	assert_int_equal(b->out->pending_write[0], 0);
}

/* Of a stream, that its path can hold. */
static uint32_t most_of(const struct bench *b, uint32_t stream)
{
	bool reduces = unit_shape()->reductions && stream == b->streams - 1;

	return (reduces ? unit_shape()->reductions : unit_shape()->writes) + 12;
}

/* A queue each, at random; nothing reports that was not issued, nor that it has written before it has read. */
static void random_reports(struct bench *b, uint32_t percent)
{
	for (uint32_t s = 0; s < b->streams; s++) {
		uint32_t q = rng_below(&b->rng, b->queues);

		b->in->write_done[s].valid =
			b->q[q].written_ops[s] != b->q[q].read_ops[s] && rng_percent(&b->rng, percent);
		b->in->write_done[s].qid = (uint8_t)q;
		q = rng_below(&b->rng, b->queues);
		b->in->read_done[s].valid =
			b->q[q].read_ops[s] != b->q[q].issued[s] && rng_percent(&b->rng, percent);
		b->in->read_done[s].qid = (uint8_t)q;
	}
	b->in->cp_done.qid = (uint8_t)rng_below(&b->rng, b->queues);
	b->in->cp_done.valid = b->q[b->in->cp_done.qid].cp_ops != b->q[b->in->cp_done.qid].cp_issued &&
	                       rng_percent(&b->rng, percent);
}

static void random_run(uint64_t seed, uint32_t report_percent, uint32_t commit_percent)
{
	uint32_t most = unit_shape()->writes + 12, i, k, s;
	struct bench b;

	bench_open(&b, seed);
	for (i = 0; i < 60000; i++) {
		uint32_t q = rng_below(&b.rng, b.queues);
		const struct queue *x = &b.q[q];

		groups_eval(b.unit);
		b.in->queue = (uint8_t)q;
		if (b.out->crowded[q]) {
			/* Nothing of it is picked. */
		} else if (rng_percent(&b.rng, 40)) {
			b.in->cp_commit = rng_percent(&b.rng, commit_percent) && !b.out->cp_full[q];
			b.in->cp_add = !b.in->cp_commit && x->cp_issued - x->cp_ops < CP_OPERATIONS;
		} else {
			b.in->commit = rng_percent(&b.rng, commit_percent) && !b.out->full[q];
			s = rng_below(&b.rng, b.streams);
			b.in->add[s] = !b.in->commit && x->issued[s] - x->written_ops[s] < most_of(&b, s);
			b.in->load_tensor = rng_percent(&b.rng, 50);
			b.in->load_add = b.in->add[s] && x->loads < most && rng_percent(&b.rng, 50);
			b.in->add[s] = b.in->add[s] && !b.in->load_add;
		}
		q = rng_below(&b.rng, b.queues);
		k = rng_below(&b.rng, CHANNELS);
		if (b.q[q].channel[k].loads && rng_percent(&b.rng, report_percent)) {
			b.in->load_done = (uint8_t)(1u << k);
			b.in->load_done_queue = (uint8_t)q;
		}
		random_reports(&b, report_percent);
		for (q = 0; q < b.queues; q++)
			b.in->enable[q] =
				b.in->enable[q] ? rng_below(&b.rng, 3000) != 0 : rng_below(&b.rng, 5) == 0;
		q = rng_below(&b.rng, b.queues);
		b.in->resume[q] = b.in->enable[q] && rng_below(&b.rng, 500) == 0;
		if (b.in->load_done && b.in->resume[b.in->load_done_queue])
			b.in->load_done = 0;
		/* Nothing issues from a queue that is disabled or resumed in this cycle. */
		if (!b.in->enable[b.in->queue] || b.in->resume[b.in->queue]) {
			b.in->load_add = b.in->commit = b.in->cp_add = b.in->cp_commit = 0;
			memset(b.in->add, 0, sizeof(b.in->add));
		}
		step(&b);
	}
	groups_close(b.unit);
}

/* Slow reports, fast ones, many groups. */
TEST(random_groups)
{
	random_run(10, 40, 15);
	random_run(11, 95, 50);
	random_run(12, 30, 60);
}
