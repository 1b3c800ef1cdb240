/* SPDX-License-Identifier: Apache-2.0 */
/* See tma_completion_env.h. */
#include <string.h>

#include "unit_rtl/tma_completion_env.h"

#include "unit_rtl/record_draw.h"

void enable(struct bench *b, uint32_t queue, uint32_t slots_log2)
{
	b->queue[queue].taken = b->queue[queue].producer = b->queue[queue].consumer = 0;
	b->queue[queue].fresh = true;
	b->in->active[queue] = 1;
	b->in->consumer[queue] = 0;
	b->in->ring_cfg[queue].completion_slots = (uint8_t)slots_log2;
	b->in->ring_cfg[queue].completion_base = 0x1FFFFF + ((rng_next(&b->rng) & 0xFFFF) << 28);
}

void bench_open(struct bench *b, uint64_t seed, uint32_t slots_log2)
{
	BENCH_OPEN(b, completion, seed);
	b->queues = unit_shape()->queues;
	completion_start(b->unit);
	for (uint32_t i = 0; i < b->queues; i++)
		enable(b, i, slots_log2);
}

static uint32_t slots(const struct bench *b, uint32_t queue)
{
	return 1u << b->in->ring_cfg[queue].completion_slots;
}

static uint32_t in_ring(const struct bench *b, uint32_t queue)
{
	return b->queue[queue].taken - b->in->consumer[queue];
}

/* Room for an answer. With short paths one that comes counts already, and a CONSUMER not yet. */
static bool has_room(const struct bench *b, uint32_t queue)
{
	bool comes = b->in->ans_valid && b->in->ans.queue == queue;

	if (unit_shape()->short_paths)
		return b->queue[queue].taken + comes - b->queue[queue].consumer < slots(b, queue) - 1;
	return in_ring(b, queue) < slots(b, queue) - 1;
}

static void took(struct bench *b, const struct tma_record *r)
{
	const struct completion_ring_cfg *ring = &b->in->ring_cfg[r->queue];
	struct queue *q = &b->queue[r->queue];
	struct held *h = &b->waiting[b->num_waiting++];

	assert_true(b->num_waiting < MOST);
	*h = (struct held){ .record = *r };
	h->record.phase = !(q->taken >> ring->completion_slots & 1);
	h->address = (ring->completion_base << 12) + (uint64_t)(q->taken % slots(b, r->queue)) * sizeof(*r);
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

	for (uint32_t q = 0; q < b->queues; q++) {
		bool flight = b->out->flight[q];

		idle &= !flight;
		if (!b->in->active[q]) {
			for (uint32_t i = b->num_waiting; i-- > 0 && !flight;)
				if (b->waiting[i].record.queue == q)
					drop(b, i);
			assert_true(flight || !b->queue[q].flight);
			continue;
		}
		assert_int_equal(flight, b->queue[q].flight != 0);
		assert_int_equal(b->out->producer[q], b->queue[q].producer);
		assert_int_equal(b->out->held[q], in_ring(b, q));
		if (!unit_shape()->short_paths || !b->queue[q].fresh)
			assert_int_equal(b->out->room[q], has_room(b, q));
		assert_int_equal(b->out->rec_room[q], in_ring(b, q) < slots(b, q));
	}
	assert_int_equal(b->out->idle, idle);
}

static void check_store(struct bench *b)
{
	const struct held *h = &b->waiting[0];

	if (b->out->cmd_valid && b->in->cmd_ready) {
		const struct completion_record_cmd *c = &b->out->cmd;

		/* Before it there may be records that were dropped. */
		while (b->num_waiting && !b->in->active[h->record.queue] && c->gaddr != h->address)
			drop(b, 0);
		assert_true(b->num_waiting > 0);
		assert_true(c->gaddr == h->address);
		assert_int_equal(c->origin.qid, h->record.queue);
		assert_int_equal(c->origin.seq, h->record.sequence & 0xFFFF);
		assert_int_equal(c->origin.tag, h->record.tag);
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
		q->producer += b->in->active[b->in->done_queue];
	}
}

/* Issue: three stages, all of which may stall. Returns whether a command leaves the last. */
static bool issue(struct bench *b, uint32_t percent, bool stalled)
{
	bool leaves = b->coming[PIPELINE - 2] && !stalled;

	if (leaves)
		b->coming[PIPELINE - 2] = false;
	for (uint32_t i = PIPELINE - 1; i-- > 1;) {
		if (!b->coming[i]) {
			b->coming[i] = b->coming[i - 1];
			b->coming[i - 1] = false;
		}
	}
	if (!b->coming[0])
		b->coming[0] = b->out->ans_level <= DEPTH - PIPELINE - unit_shape()->short_paths &&
		               rng_percent(&b->rng, percent);
	return leaves;
}

void step(struct bench *b, uint32_t issue_percent, uint32_t speed)
{
	bool stalled = rng_percent(&b->rng, b->stall_percent), rec_taken, goes;
	uint32_t i, q = b->answer_queue;

	for (i = 0; i < b->queues; i++)
		if (!rng_percent(&b->rng, b->lazy_percent))
			b->in->consumer[i] = b->queue[i].producer;
	store_path(b, speed);
	b->in->event_hold = b->direct && rng_percent(&b->rng, 70);
	/* Issue looks at the room when it has the command, and puts it off without. */
	b->in->ans_valid = 0;
	goes = b->coming[PIPELINE - 2] && !stalled && b->in->active[q] && has_room(b, q);
	if (goes && b->direct < DEPTH && rng_percent(&b->rng, 20)) {
		goes = false;
		b->direct++;
	}
	if (unit_shape()->short_paths) {
		b->in->ans_valid = b->issued && b->in->active[b->answer.queue];
		b->in->ans = b->answer;
	} else {
		b->in->ans_valid = goes;
		if (b->in->ans_valid)
			b->in->ans = record_draw(&b->rng, q, false);
	}
	completion_eval(b->unit);
	b->issued = unit_shape()->short_paths && goes && b->out->room[q];
	if (b->issued)
		b->answer = record_draw(&b->rng, q, false);
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
		b->queue[i].consumer = b->in->consumer[i];
		b->queue[i].fresh = false;
	}
	if (rec_taken)
		b->in->rec_valid = 0;
}

void offer_fault(struct bench *b)
{
	uint32_t q = rng_below(&b->rng, b->queues);

	uint32_t comes = unit_shape()->short_paths && b->issued && b->answer.queue == q;

	if (b->in->rec_valid || !b->in->active[q] || in_ring(b, q) + comes >= slots(b, q))
		return;
	b->in->rec_valid = 1;
	b->in->rec = record_draw(&b->rng, q, true);
}

void drain(struct bench *b)
{
	b->lazy_percent = 0;
	for (uint32_t i = 0; i < 200; i++)
		step(b, 0, 100);
	assert_int_equal(b->out->idle, 1);
	assert_int_equal(b->num_waiting, 0);
	assert_int_equal(b->done, b->commands);
	assert_int_equal(b->events + b->dropped, b->answers + b->faults);
}
