/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_completion_test - records of random queues through a store path that is now quick, now slow.
 *
 * Requirement: every record of a queue goes to the next slot of its ring, in order, with the phase of
 * the lap; the last slot is for a fault; answers are always taken when issue looks at the level
 * three cycles ahead and at the room in the same cycle (with short paths, one cycle earlier each), and a fault record gets in however busy
 * issue is; a queue whose life ends drops what is not on its way, and starts anew from slot 0.
 * Checks: all commands and data, rooms, producers and flight in every cycle, the events, idle, the
 * unit's assertions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka.h needs the ones above. */
#include <cmocka.h>

#include "lib/rng.h"
#include "unit_rtl/tma_completion_shim.h"

#define DEPTH    16u
#define PIPELINE 3u  /* stages of issue; answers between the look at the level and the queue */
#define MOST     64u /* records that are in flight */
#define IN_STORE 8u  /* of these, in the store path */

struct queue {
	uint32_t taken, flight, producer; /* of this life */
	uint32_t consumer;                /* in the cycle before */
	bool fresh;                       /* the first cycle of this life */
};

struct held {
	struct tma_record record; /* as it has to be written */
	uint64_t address;
};

struct bench {
	struct completion *unit;
	struct completion_in *in;
	const struct completion_out *out;
	uint32_t queues;
	struct queue queue[COMPLETION_MAX_QUEUES];
	struct held waiting[MOST]; /* their command has not been seen, oldest first */
	uint32_t num_waiting;
	struct held sent[MOST];        /* it has */
	uint32_t commands, data, done; /* counts: sent, data read, done */
	bool coming[PIPELINE - 1];     /* picked in the cycle before, and before that */
	uint32_t answer_queue;
	bool issued; /* with short paths: an answer was issued in the cycle before */
	struct tma_record answer;
	uint32_t direct; /* records that wait to be counted, of direct queues */
	uint64_t answers, faults, dropped, events, owed, waits, longest_wait;
	uint32_t stall_percent, lazy_percent; /* issue stalls; software takes no record */
	struct rng rng;
};

/* A new life, somewhere else. The rings lie on either side of 2^32. */
static void enable(struct bench *b, uint32_t queue, uint32_t slots_log2)
{
	b->queue[queue].taken = b->queue[queue].producer = b->queue[queue].consumer = 0;
	b->queue[queue].fresh = true;
	b->in->queue[queue] = (struct completion_queue_in){
		.active = 1,
		.slots_log2 = (uint8_t)slots_log2,
		.base = UINT64_C(0x1FFFFF000) + ((rng_next(&b->rng) & 0xFFFF) << 40),
	};
}

static void bench_open(struct bench *b, uint64_t seed, uint32_t slots_log2)
{
	uint32_t i;

	memset(b, 0, sizeof(*b));
	b->rng = rng_make(seed, 1);
	b->unit = completion_open();
	b->in = completion_in(b->unit);
	b->out = completion_out(b->unit);
	b->queues = completion_queues();
	for (i = 0; i < 2; i++) {
		completion_eval(b->unit);
		completion_tick(b->unit);
	}
	b->in->rst_n = 1;
	for (i = 0; i < b->queues; i++)
		enable(b, i, slots_log2);
}

static void bench_close(struct bench *b)
{
	completion_close(b->unit);
	assert_int_equal(unit_failed(), 0);
}

static uint32_t slots(const struct bench *b, uint32_t queue)
{
	return 1u << b->in->queue[queue].slots_log2;
}

static uint32_t in_ring(const struct bench *b, uint32_t queue)
{
	return b->queue[queue].taken - b->in->queue[queue].consumer;
}

/* Room for an answer. With short paths one that comes counts already, and a CONSUMER not yet. */
static bool has_room(const struct bench *b, uint32_t queue)
{
	bool comes = b->in->ans_valid && b->in->ans.queue == queue;

	if (completion_short())
		return b->queue[queue].taken + comes - b->queue[queue].consumer < slots(b, queue) - 1;
	return in_ring(b, queue) < slots(b, queue) - 1;
}

static struct tma_record random_record(struct bench *b, uint32_t queue, bool fault)
{
	struct tma_record r = { 0 };

	r.sequence = (uint32_t)rng_next(&b->rng);
	r.queue = (uint8_t)queue;
	r.tag = (uint32_t)rng_next(&b->rng);
	if (fault) {
		r.kind = TMA_KIND_FAULT;
		r.fault = (uint16_t)rng_next(&b->rng);
		r.address = rng_next(&b->rng);
	} else {
		r.kind = (uint8_t)(TMA_KIND_RETIRED + rng_below(&b->rng, 3));
		r.value = rng_next(&b->rng);
	}
	return r;
}

static void took(struct bench *b, const struct tma_record *r)
{
	const struct completion_queue_in *in = &b->in->queue[r->queue];
	struct queue *q = &b->queue[r->queue];
	struct held *h = &b->waiting[b->num_waiting++];

	assert_true(b->num_waiting < MOST);
	*h = (struct held){ .record = *r };
	h->record.phase = !(q->taken >> in->slots_log2 & 1);
	h->address = in->base + (uint64_t)(q->taken % slots(b, r->queue)) * sizeof(*r);
	q->taken++;
	q->flight++;
}

static void forget(struct bench *b, uint32_t i)
{
	b->num_waiting--;
	memmove(&b->waiting[i], &b->waiting[i + 1], (b->num_waiting - i) * sizeof(b->waiting[0]));
}

static void drop(struct bench *b, uint32_t i)
{
	b->queue[b->waiting[i].record.queue].flight--;
	b->dropped++;
	forget(b, i);
}

/* The store path: takes commands, then their data, then is done with them, each in order. */
static void store_path(struct bench *b, uint32_t speed)
{
	b->in->cmd_ready = rng_percent(&b->rng, speed) && b->commands - b->done < IN_STORE;
	b->in->data_pop = b->data != b->commands && rng_percent(&b->rng, speed);
	b->in->done = b->done != b->data && rng_percent(&b->rng, speed);
	b->in->done_queue = b->sent[b->done % MOST].record.queue;
}

/* What a queue that is not active has dropped is seen when nothing of it is left. */
static void check_queues(struct bench *b)
{
	bool idle = b->owed == 0 && !b->in->rec_valid;
	uint32_t q, i;

	for (q = 0; q < b->queues; q++) {
		const struct completion_queue_out *out = &b->out->queue[q];

		idle &= !out->flight;
		if (!b->in->queue[q].active) {
			for (i = b->num_waiting; i-- > 0 && !out->flight;)
				if (b->waiting[i].record.queue == q)
					drop(b, i);
			assert_true(out->flight || !b->queue[q].flight);
			continue;
		}
		assert_int_equal(out->flight, b->queue[q].flight != 0);
		assert_int_equal(out->producer, b->queue[q].producer);
		assert_int_equal(out->held, in_ring(b, q));
		if (!completion_short() || !b->queue[q].fresh)
			assert_int_equal(out->room, has_room(b, q));
		assert_int_equal(out->rec_room, in_ring(b, q) < slots(b, q));
	}
	assert_int_equal(b->out->idle, idle);
}

static void check_store(struct bench *b)
{
	const struct held *h = &b->waiting[0];

	if (b->out->cmd_valid && b->in->cmd_ready) {
		const struct completion_command *c = &b->out->cmd;

		/* Before it there may be records that were dropped. */
		while (b->num_waiting && !b->in->queue[h->record.queue].active && c->address != h->address)
			drop(b, 0);
		assert_true(b->num_waiting > 0);
		assert_true(c->address == h->address);
		assert_int_equal(c->queue, h->record.queue);
		assert_int_equal(c->seq, h->record.sequence & 0xFFFF);
		assert_int_equal(c->tag, h->record.tag);
		b->sent[b->commands++ % MOST] = *h;
		forget(b, 0);
	}
	if (b->in->data_pop) {
		h = &b->sent[b->data++ % MOST];
		assert_memory_equal(&b->out->data, &h->record, sizeof(h->record));
	}
}

static void check_events(struct bench *b)
{
	assert_int_equal(b->out->event, !b->in->event_hold && (b->owed || b->in->done));
	b->events += b->out->event;
	b->owed += b->in->done;
	b->owed -= b->out->event;
	b->direct -= b->in->event_hold;
	if (b->in->done) {
		struct queue *q = &b->queue[b->in->done_queue];

		b->done++;
		q->flight--;
		q->producer += b->in->queue[b->in->done_queue].active;
	}
}

/* Issue: three stages, all of which may stall. Returns whether a command leaves the last. */
static bool issue(struct bench *b, uint32_t percent, bool stalled)
{
	bool leaves = b->coming[PIPELINE - 2] && !stalled;
	uint32_t i;

	if (leaves)
		b->coming[PIPELINE - 2] = false;
	for (i = PIPELINE - 1; i-- > 1;) {
		if (!b->coming[i]) {
			b->coming[i] = b->coming[i - 1];
			b->coming[i - 1] = false;
		}
	}
	if (!b->coming[0])
		b->coming[0] = b->out->ans_level <= DEPTH - PIPELINE - completion_short() &&
		               rng_percent(&b->rng, percent);
	return leaves;
}

/* @p issue_percent, @p speed: commands with an answer, steps of the store path; per cycle. */
static void step(struct bench *b, uint32_t issue_percent, uint32_t speed)
{
	bool stalled = rng_percent(&b->rng, b->stall_percent), rec_taken, goes;
	uint32_t i, q = b->answer_queue;

	for (i = 0; i < b->queues; i++)
		if (!rng_percent(&b->rng, b->lazy_percent))
			b->in->queue[i].consumer = b->queue[i].producer;
	store_path(b, speed);
	b->in->event_hold = b->direct && rng_percent(&b->rng, 70);
	/* Issue looks at the room when it has the command, and puts it off without. */
	b->in->ans_valid = 0;
	goes = b->coming[PIPELINE - 2] && !stalled && b->in->queue[q].active && has_room(b, q);
	if (goes && b->direct < DEPTH && rng_percent(&b->rng, 20)) {
		goes = false;
		b->direct++;
	}
	if (completion_short()) {
		b->in->ans_valid = b->issued && b->in->queue[b->answer.queue].active;
		b->in->ans = b->answer;
	} else {
		b->in->ans_valid = goes;
		if (b->in->ans_valid)
			b->in->ans = random_record(b, q, false);
	}
	completion_eval(b->unit);
	b->issued = completion_short() && goes && b->out->queue[q].room;
	if (b->issued)
		b->answer = random_record(b, q, false);
	if (issue(b, issue_percent, stalled))
		b->answer_queue = rng_below(&b->rng, b->queues);
	check_queues(b);
	check_store(b);
	check_events(b);
	if (b->in->ans_valid) {
		took(b, &b->in->ans);
		b->answers++;
	}
	b->waits = b->in->rec_valid ? b->waits + 1 : 0;
	if (b->waits > b->longest_wait)
		b->longest_wait = b->waits;
	rec_taken = b->in->rec_valid && b->out->rec_ready;
	if (rec_taken) {
		assert_int_equal(b->in->ans_valid, 0);
		took(b, &b->in->rec);
		b->faults++;
	}
	completion_tick(b->unit);
	for (i = 0; i < b->queues; i++) {
		b->queue[i].consumer = b->in->queue[i].consumer;
		b->queue[i].fresh = false;
	}
	if (rec_taken)
		b->in->rec_valid = 0;
}

static void offer_fault(struct bench *b)
{
	uint32_t q = rng_below(&b->rng, b->queues);

	uint32_t comes = completion_short() && b->issued && b->answer.queue == q;

	if (b->in->rec_valid || !b->in->queue[q].active || in_ring(b, q) + comes >= slots(b, q))
		return;
	b->in->rec_valid = 1;
	b->in->rec = random_record(b, q, true);
}

static void drain(struct bench *b)
{
	uint32_t i;

	b->lazy_percent = 0;
	for (i = 0; i < 200; i++)
		step(b, 0, 100);
	assert_int_equal(b->out->idle, 1);
	assert_int_equal(b->num_waiting, 0);
	assert_int_equal(b->done, b->commands);
	assert_int_equal(b->events + b->dropped, b->answers + b->faults);
}

/* Of issue, the store path and software each may be the slow one. */
static void random_records(void **state)
{
	static const struct {
		uint32_t issue, stall, speed, faults, lazy;
	} runs[] = { { 100, 0, 100, 20, 0 },
		     { 100, 0, 25, 10, 50 },
		     { 100, 70, 30, 60, 50 },
		     { 50, 20, 100, 30, 98 } };
	uint32_t i, k;
	struct bench b;

	(void)state;
	for (k = 0; k < sizeof(runs) / sizeof(runs[0]); k++) {
		bench_open(&b, 1 + k, 4);
		b.stall_percent = runs[k].stall;
		b.lazy_percent = runs[k].lazy;
		for (i = 0; i < 30000; i++) {
			if (rng_percent(&b.rng, runs[k].faults))
				offer_fault(&b);
			step(&b, runs[k].issue, runs[k].speed);
		}
		drain(&b);
		assert_true(b.answers > 100 && b.faults > 100);
		bench_close(&b);
	}
}

/* Two cycles from a record to its command; the producer a cycle after it is done. */
static void latency(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, 5, 4);
	b.lazy_percent = 100;
	offer_fault(&b);
	step(&b, 0, 0);
	assert_int_equal(b.faults, 1);
	assert_int_equal(b.out->cmd_valid, 0);
	step(&b, 0, 0);
	assert_int_equal(b.out->cmd_valid, 1);
	step(&b, 0, 100);
	step(&b, 0, 100);
	assert_int_equal(b.data, 1);
	step(&b, 0, 100);
	assert_int_equal(b.done, 1);
	assert_int_equal(b.out->queue[b.in->done_queue].producer, 1);
	bench_close(&b);
}

/* The smallest and the largest ring, twice round. */
static void laps(void **state)
{
	static const uint32_t sizes[] = { 4, 16 };
	uint32_t i, q;
	struct bench b;

	(void)state;
	for (i = 0; i < 2; i++) {
		bench_open(&b, 6 + i, sizes[i]);
		for (q = 0; q < b.queues; q++)
			b.in->queue[q].active = q == 1;
		while (b.queue[1].taken < 2u << sizes[i]) {
			b.answer_queue = 1;
			step(&b, 100, 100);
		}
		drain(&b);
		bench_close(&b);
	}
}

/* Software takes nothing: answers leave the last slot, a fault takes it, and then there is no room. */
static void full_ring(void **state)
{
	uint32_t i, q;
	struct bench b;

	(void)state;
	bench_open(&b, 8, 4);
	b.lazy_percent = 100;
	for (i = 0; i < 2000; i++)
		step(&b, 100, 100);
	for (q = 0; q < b.queues; q++) {
		assert_int_equal(b.queue[q].producer, 15);
		assert_int_equal(b.out->queue[q].rec_room, 1);
	}
	while (!b.faults) {
		offer_fault(&b);
		step(&b, 100, 100);
	}
	q = b.in->rec.queue;
	step(&b, 100, 100);
	assert_int_equal(b.out->queue[q].rec_room, 0);
	b.in->queue[q].consumer = 2;
	step(&b, 100, 100);
	if (completion_short())
		step(&b, 0, 100);
	assert_int_equal(b.out->queue[q].room, 1);
	bench_close(&b);
}

/* Issue has an answer for every cycle and the store path is slow: a fault still gets in soon. */
static void nobody_starves(void **state)
{
	uint32_t i;
	struct bench b;

	(void)state;
	bench_open(&b, 9, 8);
	for (i = 0; i < 2000; i++) {
		if (i % 100 == 50)
			offer_fault(&b);
		step(&b, 100, 50);
	}
	assert_true(b.faults >= 19);
	assert_true(b.longest_wait < 60);
	bench_close(&b);
}

/* A store path that takes nothing: the queue fills with answers, and none is lost. */
static void deaf_store(void **state)
{
	uint32_t i;
	struct bench b;

	(void)state;
	bench_open(&b, 10, 8);
	for (i = 0; i < 200; i++) {
		if (i == 100)
			offer_fault(&b);
		step(&b, 100, 0);
	}
	assert_int_equal(b.faults, 0);
	/* Those in the queue, and the one whose command is on offer. */
	assert_int_equal(b.num_waiting, DEPTH + 1);
	drain(&b);
	assert_int_equal(b.faults, 1);
	bench_close(&b);
}

/* Lives end with records in all places; the next starts from slot 0, of another ring. */
static void lives(void **state)
{
	uint32_t i, q;
	struct bench b;

	(void)state;
	bench_open(&b, 11, 4);
	b.lazy_percent = 80;
	for (i = 0; i < 60000; i++) {
		for (q = 0; q < b.queues; q++) {
			struct completion_queue_in *in = &b.in->queue[q];

			if (in->active && rng_below(&b.rng, 60) == 0) {
				in->active = 0;
				in->consumer = 0;
				b.queue[q].taken = b.queue[q].producer = 0;
				if (b.in->rec.queue == q)
					b.in->rec_valid = 0;
			} else if (!in->active && !b.queue[q].flight && rng_percent(&b.rng, 20)) {
				enable(&b, q, 4 + rng_below(&b.rng, 3));
			}
		}
		if (rng_percent(&b.rng, 10))
			offer_fault(&b);
		step(&b, 60, i / 5000 % 2 ? 20 : 70);
	}
	assert_true(b.dropped > 500);
	drain(&b);
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_records), cmocka_unit_test(latency),
		cmocka_unit_test(laps),           cmocka_unit_test(full_ring),
		cmocka_unit_test(nobody_starves), cmocka_unit_test(deaf_store),
		cmocka_unit_test(lives),
	};

	return cmocka_run_group_tests_name("tma_completion", tests, NULL, NULL);
}
