/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_queue_ctl_test - the lives of the queues against a reference that counts what is in flight.
 *
 * Requirement: a queue is active while it is enabled; disabling and reset end its life, and the next
 * begins, of itself after a reset, when no copy, fetch, record or fault of it is left; with short paths a cycle
 * after the last copy. What is in flight,
 * bulk prefetches aside, is never 65,536 commands old.
 * Checks: all outputs in every cycle, the unit's assertions.
 */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_queue_ctl_pins.h"

#define MAX_QUEUES 16

enum add { COPY, BURST, FILL, HINT, ADDS };
enum done { LOAD, BURST_END, SIGNAL, STORE, CP, CP_DROP, FILL_END, PREFETCH, WRITE_1, WRITE_2, DONES };

/* One port has one lane of stores; reductions, if there are any, are behind the lanes. */
#define REDUCTIONS (unit_shape()->reductions != 0)
#define MOST_DONES (uint32_t)(DONES - (unit_shape()->ports == 1) - !REDUCTIONS)

#define MOST_OFFERS 5u /* of faults */
#define OFFERS      (MOST_OFFERS - !REDUCTIONS)

/* What one queue has in flight, by what ends it. */
struct flight {
	uint32_t of[DONES], all;
	uint32_t ended; /* in the last cycle: with short paths not seen yet */
	bool active;
	uint32_t lives;
};

struct bench {
	struct queue_ctl *unit;
	struct queue_ctl_in *in;
	const struct queue_ctl_out *out;
	uint32_t queues;
	struct flight queue[MAX_QUEUES];
	struct rng rng;
};

static void bench_open(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, queue_ctl, seed);
	b->queues = unit_shape()->queues;
	queue_ctl_start(b->unit);
}

#define BENCH_TEST(name, ...) \
	TEST_IN(name, struct bench, b, bench_open(b, __VA_ARGS__), queue_ctl_close(b->unit))

/* The pins that say that something has begun, or ended. */
static struct queue_ctl_event *added(struct bench *b, enum add kind)
{
	struct queue_ctl_event *const events[ADDS] = { [COPY] = &b->in->copy,
		                                       [BURST] = &b->in->begun.burst,
		                                       [FILL] = &b->in->begun.fill,
		                                       [HINT] = &b->in->hint };

	return events[kind];
}

static struct queue_ctl_event *ended(struct bench *b, enum done end)
{
	struct queue_ctl_ended *e = &b->in->ended;
	struct queue_ctl_event *const events[DONES] = {
		[LOAD] = &e->issued,      [BURST_END] = &e->burst,
		[SIGNAL] = &e->signal,    [STORE] = &e->store[0],
		[CP] = &e->cp_async,      [CP_DROP] = &e->cp_drop,
		[FILL_END] = &e->fill,    [PREFETCH] = &b->in->hint_done,
		[WRITE_1] = &e->store[1], [WRITE_2] = &e->store[2],
	};

	return events[end];
}

static void step(struct bench *b)
{
	bool drained[MAX_QUEUES];

	queue_ctl_eval(b->unit);
	for (uint32_t q = 0; q < b->queues; q++) {
		bool late = unit_shape()->short_paths && b->queue[q].ended;
		bool flight = b->queue[q].all || late || b->in->flight[q] || b->in->record[q];

		drained[q] = !flight && !b->in->pending_fault[q];
		for (uint32_t i = 0; i < OFFERS; i++)
			if (b->in->fault_offer[i] && b->in->fault_queue[i] == q)
				drained[q] = false;
		assert_int_equal(b->out->flight[q], flight);
		assert_int_equal(b->out->drained[q], drained[q]);
		assert_int_equal(b->out->active[q], b->queue[q].active);
		assert_int_equal(b->out->closing[q], !b->queue[q].active && !drained[q]);
	}
	queue_ctl_tick(b->unit);
	for (uint32_t q = 0; q < b->queues; q++) {
		struct flight *f = &b->queue[q];

		f->lives += !f->active && b->in->enable[q] && drained[q];
		f->active = b->in->enable[q] && (f->active ? !b->in->reset[q] : drained[q]);
		f->ended = 0;
		b->in->reset[q] = 0;
	}
	for (enum add i = 0; i < ADDS; i++) {
		b->queue[added(b, i)->qid].all += added(b, i)->valid;
		added(b, i)->valid = 0;
	}
	for (enum done i = 0; i < MOST_DONES; i++) {
		b->queue[ended(b, i)->qid].all -= ended(b, i)->valid;
		b->queue[ended(b, i)->qid].ended += ended(b, i)->valid;
		ended(b, i)->valid = 0;
	}
}

/* @p end: what ends it. */
static void add(struct bench *b, enum add kind, uint32_t queue, enum done end)
{
	*added(b, kind) = (struct queue_ctl_event){ .valid = 1, .qid = (uint8_t)queue };
	b->queue[queue].of[end]++;
}

static void done(struct bench *b, enum done end, uint32_t queue)
{
	*ended(b, end) = (struct queue_ctl_event){ .valid = 1, .qid = (uint8_t)queue };
	b->queue[queue].of[end]--;
}

static void steps(struct bench *b, uint32_t n)
{
	while (n--)
		step(b);
}

/* Active in the cycle after enabling, not active in the cycle after disabling. */
BENCH_TEST(latency, 1)
{
	step(b);
	b->in->enable[1] = 1;
	step(b);
	assert_int_equal(b->out->active[1], 1);
	b->in->reset[1] = 1;
	step(b);
	assert_int_equal(b->out->active[1], 0);
	step(b);
	assert_int_equal(b->out->active[1], 1);
	b->in->enable[1] = 0;
	step(b);
	assert_int_equal(b->out->active[1], 0);
}

/* A queue closes until the last of each kind is done. */
BENCH_TEST(each_kind, 2)
{
	b->in->enable[0] = 1;
	step(b);
	for (uint32_t end = 0; end < MOST_DONES; end++) {
		add(b,
		    (const enum add[DONES]){ [BURST_END] = BURST, [FILL_END] = FILL, [PREFETCH] = HINT }[end],
		    0, end);
		step(b);
		b->in->reset[0] = 1;
		steps(b, 5);
		assert_int_equal(b->out->active[0], 0);
		assert_int_equal(b->out->closing[0], 1);
		done(b, end, 0);
		steps(b, unit_shape()->short_paths ? 3 : 2);
		assert_int_equal(b->out->active[0], 1);
	}
}

/* Nor does it live again with something of it on its way elsewhere. Another queue does. */
BENCH_TEST(elsewhere, 3)
{
	b->in->enable[0] = b->in->enable[1] = 1;
	step(b);
	for (uint32_t i = 0; i < 3 + OFFERS; i++) {
		b->in->flight[0] = i == 0;
		b->in->pending_fault[0] = i == 1;
		b->in->record[0] = i == 2;
		if (i >= 3)
			b->in->fault_offer[i - 3] = 1;
		b->in->reset[0] = b->in->reset[1] = 1;
		steps(b, 4);
		assert_int_equal(b->out->closing[0], 1);
		assert_int_equal(b->out->active[1], 1);
		b->in->flight[0] = b->in->pending_fault[0] = b->in->record[0] = 0;
		memset(b->in->fault_offer, 0, sizeof(b->in->fault_offer));
		step(b);
		assert_int_equal(b->out->active[0], 1);
	}
}

/* A command per cycle as long as the queue is not held, and some that are picked already; until @p limit. */
static uint32_t run_on(struct bench *b, uint32_t queue, uint32_t limit)
{
	uint32_t picked = 4, quiet = 0, ran = 0;

	for (; ran < limit && quiet < 20; quiet++) {
		picked = b->out->hold[queue] ? picked - !!picked : 4;
		if (picked) {
			b->in->head[queue]++;
			ran++;
			quiet = 0;
		}
		step(b);
	}
	return ran;
}

/* However many commands a queue has: what is in flight of it is of its last 65,535 ones. It goes on when that is
 * done, and is never held when it is idle once in 32,768 commands. */
BENCH_TEST(laps, 5)
{
	b->in->enable[0] = b->in->enable[1] = 1;
	step(b);
	for (uint32_t kind = 0; kind < 6; kind++) {
		uint32_t start = b->in->head[0];

		add(b,
		    kind == 1   ? BURST
		    : kind == 5 ? HINT
		                : COPY,
		    0, (enum done[]){ STORE, BURST_END, LOAD, CP, SIGNAL, PREFETCH }[kind]);
		step(b);
		if (kind == 5) {
			assert_int_equal(run_on(b, 0, 200000), 200000);
		} else {
			assert_true(run_on(b, 0, 200000) > 8000);
			assert_true(b->in->head[0] - start < 65536);
			assert_true(b->out->hold[0] && !b->out->hold[1]);
		}
		done(b, (enum done[]){ STORE, BURST_END, LOAD, CP, SIGNAL, PREFETCH }[kind], 0);
		steps(b, 4);
		assert_int_equal(b->out->hold[0], 0);
		run_on(b, 0, 11111 * kind);
	}
	/* One copy behind the other; the other queue is always busy. */
	add(b, COPY, 1, STORE);
	step(b);
	for (uint32_t i = 0; i < 20; i++) {
		add(b, COPY, 0, SIGNAL);
		assert_int_equal(run_on(b, 0, 16000), 16000);
		done(b, SIGNAL, 0);
		steps(b, 2);
	}
	done(b, STORE, 1);
	/* Records and faults have a number too. */
	for (uint32_t i = 0; i < 2; i++) {
		b->in->record[0] = i == 0;
		b->in->fault_offer[1] = i == 1;
		assert_true(run_on(b, 0, 200000) < 65536);
		b->in->record[0] = b->in->fault_offer[1] = 0;
		steps(b, 4);
		assert_int_equal(b->out->hold[0], 0);
	}
}

static void random_event(struct bench *b, enum done end)
{
	uint32_t q = rng_below(&b->rng, b->queues);

	if (b->queue[q].of[end] && rng_percent(&b->rng, 70))
		done(b, end, q);
}

BENCH_TEST(random_lives, 4)
{
	uint32_t i, q, end, lives = 0;

	for (i = 0; i < 200000; i++) {
		for (q = 0; q < b->queues; q++) {
			b->in->enable[q] ^= rng_below(&b->rng, b->in->enable[q] ? 200 : 10) == 0;
			b->in->reset[q] = b->in->enable[q] && rng_below(&b->rng, 150) == 0;
			b->in->flight[q] = rng_percent(&b->rng, b->queue[q].active ? 30 : 10);
			b->in->record[q] = rng_percent(&b->rng, b->queue[q].active ? 30 : 10);
			b->in->pending_fault[q] = rng_percent(&b->rng, b->queue[q].active ? 10 : 2);
		}
		for (end = 0; end < OFFERS; end++) {
			b->in->fault_offer[end] = rng_percent(&b->rng, 3);
			b->in->fault_queue[end] = (uint8_t)rng_below(&b->rng, b->queues);
		}
		for (end = 0; end < MOST_DONES; end++)
			random_event(b, end);
		/* So that a queue has some 20 in flight at most, and drains now and then. */
		q = rng_below(&b->rng, b->queues);
		end = rng_below(&b->rng, MOST_DONES);
		if (b->queue[q].active && b->queue[q].all < 20 && rng_percent(&b->rng, 60))
			add(b, end == PREFETCH ? HINT : COPY, q, end);
		q = rng_below(&b->rng, b->queues);
		if (b->queue[q].of[LOAD] && rng_percent(&b->rng, 40))
			add(b, BURST, q, rng_percent(&b->rng, 50) ? BURST_END : SIGNAL);
		step(b);
	}
	for (q = 0; q < b->queues; q++)
		lives += b->queue[q].lives;
	assert_true(lives > 1000);
}
