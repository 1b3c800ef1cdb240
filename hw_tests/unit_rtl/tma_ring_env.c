/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "unit_rtl/tma_ring_env.h"

/* A fresh start of the reference. */
static void start(struct ring_queue *q, uint32_t seq)
{
	q->sent = q->fetched = seq;
	q->generation++;
	q->dropping = true;
	q->denied = q->failed = q->closed = false;
	memset(q->came, CAME_NOT, sizeof(q->came));
}

void bench_open(struct bench *b, uint64_t seed)
{
	memset(b, 0, sizeof(*b));
	b->rng = rng_make(seed, 7);
	b->unit = ring_open();
	b->in = ring_in(b->unit);
	b->out = ring_out(b->unit);
	b->shape = unit_shape();
	b->fetch_cmds = b->shape->ring_depth / 4 < 16 ? b->shape->ring_depth / 4 : 16;
	b->parts = b->shape->data_bytes < SLOT ? SLOT / b->shape->data_bytes : 1;
	b->latency = 1;
	b->fetch_percent = b->beat_percent = b->cmd_percent = b->retire_percent = b->fault_percent = 100;
	b->deny_queue = UINT32_MAX;
	for (uint32_t q = 0; q < b->shape->queues; q++) {
		b->queue[q].version = calloc(65536, sizeof(b->queue[q].version[0]));
		assert_non_null(b->queue[q].version);
		b->in->ring_cfg[q].slots = 4;
		/* What the rings have no use for is noise. */
		b->in->ring_cfg[q].completion_base = rng_next(&b->rng);
		b->in->ring_cfg[q].completion_slots = 9;
		b->in->cfg[q].cancel_mask = 0x5A5A;
		b->in->cfg[q].cta_mask = 0x9669;
		b->in->cfg[q].prot = 5;
		b->in->cfg[q].stream = 0xC3;
		b->in->cfg[q].cta = (uint8_t)q;
		start(&b->queue[q], 0);
		b->queue[q].dropping = false;
	}
	ring_start(b->unit);
	b->in->r.id = 3 << 2; /* client of rings */
}

void bench_close(struct bench *b)
{
	ring_close(b->unit);
	for (uint32_t q = 0; q < b->shape->queues; q++)
		free(b->queue[q].version);
}

void bench_enable(struct bench *b, uint32_t q, uint32_t slots)
{
	/* So that some rings end where addresses carry over 32 bits, and at their very end. */
	b->in->ring_cfg[q].base = rng_next(&b->rng) >> 12;
	if (rng_percent(&b->rng, 50))
		b->in->ring_cfg[q].base |= 0xFFFF0 + rng_below(&b->rng, 16);
	b->in->ring_cfg[q].slots = (uint8_t)slots;
	b->in->cfg[q].enable = b->in->cfg[q].ring = 1;
}

void bench_disable(struct bench *b, uint32_t q)
{
	if (rng_percent(&b->rng, 50))
		b->in->cfg[q].enable = 0;
	else
		b->in->cfg[q].ring = 0;
}

void bench_door(struct bench *b, uint32_t q, uint32_t tail)
{
	b->in->door_valid = 1;
	b->in->door_queue = (uint8_t)q;
	b->in->door_tail = tail;
}

void bench_put(struct bench *b, uint32_t q, uint32_t count)
{
	struct ring_queue *r = &b->queue[q];

	for (uint32_t i = 0; i < count; i++)
		r->version[(r->tail + i) & (bench_size(b, q) - 1)] = (uint32_t)rng_next(&b->rng);
	bench_door(b, q, r->tail + count);
}

void bench_restart(struct bench *b, uint32_t q, uint32_t index)
{
	b->in->restart = (uint16_t)(1u << q);
	b->in->restart_index = index;
	b->restarts++;
}

/* ---- inputs of a cycle --------------------------------------------------------------------- */

static void put_inputs(struct bench *b)
{
	b->in->room = 0;
	for (uint32_t q = 0; q < b->shape->queues; q++) {
		b->in->head[q] = b->queue[q].head;
		if (b->queue[q].sent - b->queue[q].head < QUEUE_ROOM && !(b->no_room >> q & 1))
			b->in->room |= 1u << q;
	}
	b->in->fetch_denied = b->deny_in == 1;
	b->in->fetch_ready =
		b->deny_in <= 1 && b->fetches < MAX_FETCHES && rng_percent(&b->rng, b->fetch_percent);
	b->in->cmd_ready = rng_percent(&b->rng, b->cmd_percent);
	b->in->fault_ready = rng_percent(&b->rng, b->fault_percent);
	bench_put_beat(b);
}

/* ---- what the unit shows ------------------------------------------------------------------- */

static void check_status(struct bench *b)
{
	uint32_t q, held = 0, flight = 0, under_way = 0;

	for (q = 0; q < b->shape->queues; q++) {
		struct ring_queue *r = &b->queue[q];

		assert_int_equal(b->out->tail[q], r->tail);
		held |= (uint32_t)(bench_live(b, q) && (int32_t)(r->tail - r->sent) > 0) << q;
		flight |= (uint32_t)(r->under_way != 0) << q;
		under_way += r->under_way;
	}
	assert_int_equal(b->out->held, held);
	assert_int_equal(b->out->flight, flight);
	assert_true(under_way <= MAX_FETCHES);
	assert_true(b->out->r_ready);
	assert_int_equal(b->out->idle, !held && !flight && !b->out->cmd_valid && !b->faults &&
	                                       !b->in->door_valid && !b->rung.valid);
}

static void check_fetch(struct bench *b)
{
	assert_int_equal(b->out->fetch_valid, b->offered);
	if (!b->offered)
		return;
	assert_int_equal(b->out->fetch.qid, b->offer.qid);
	assert_true(b->out->fetch.gaddr == b->offer.gaddr);
	assert_int_equal(b->out->fetch.chunks, b->offer.chunks);
	assert_int_equal(b->out->fetch.probe, 0);
	assert_int_equal(b->out->fetch.of_map, 0);
}

static void check_command(struct bench *b)
{
	const struct ring_out *o = b->out;
	struct ring_queue *q = &b->queue[o->cmd_queue];
	uint8_t want[SLOT] = { 0 };
	uint64_t addr;

	if (!o->cmd_valid)
		return;
	assert_false(b->was_sent);
	assert_false(q->closed || q->dropping);
	assert_int_equal(o->cmd.fetch, q->came[q->sent % b->shape->ring_depth]);
	assert_true((b->room[0] | b->room[1]) >> o->cmd_queue & 1);
	if (o->cmd.fetch == CAME_OK) {
		bench_slot_bytes(b, o->cmd_queue, q->sent & (bench_size(b, o->cmd_queue) - 1), want);
	} else {
		addr = bench_slot_addr(b, o->cmd_queue, q->sent);
		memcpy(want, &addr, sizeof(addr));
	}
	if (bench_live(b, o->cmd_queue))
		assert_memory_equal(&o->cmd.cmd, want, sizeof(want));
}

static void check_fault(struct bench *b)
{
	uint32_t waits = 0;

	for (uint32_t i = 0; i < b->faults; i++)
		waits |= 1u << b->fault[i].queue;
	assert_int_equal(b->out->fault_waits, waits);
	assert_int_equal(b->out->fault_valid, b->faults != 0);
	if (!b->faults)
		return;
	assert_int_equal(b->out->fault.origin.qid, b->fault[0].queue);
	assert_int_equal(b->out->fault.origin.seq, b->fault[0].seq & 0xFFFF);
	assert_true(b->out->fault.address == b->fault[0].tail);
	assert_int_equal(b->out->fault.origin.tag, 0);
	assert_int_equal(b->out->fault.code, 1);
}

/* ---- the edge ------------------------------------------------------------------------------ */

/* A beat: commands that it completes, in order, up to the first that failed. */
static void take_beat(struct bench *b)
{
	struct ring_read *f = &b->fetch[0];
	struct ring_queue *q = &b->queue[f->queue];
	uint32_t seq = bench_beat_seq(b, f), i,
		 n = b->shape->data_bytes > SLOT ? b->shape->data_bytes / SLOT : 1;
	uint8_t error = b->in->r.dead ? CAME_DEAD : b->in->r.resp & 2 ? b->in->r.resp : CAME_OK;

	if (error > f->error)
		f->error = error;
	if (bench_beat_part(b, f) == b->parts - 1 || b->in->r.dead) {
		for (i = 0; i < n; i++) {
			if (!bench_asked_for(f, seq + i) || f->generation != q->generation || q->failed)
				continue;
			q->came[(seq + i) % b->shape->ring_depth] = f->error;
			q->failed = f->error != CAME_OK;
		}
		f->error = CAME_OK;
	}
	f->beat++;
	if (b->in->r.last) {
		q->under_way--;
		b->fetches--;
		memmove(b->fetch, b->fetch + 1, b->fetches * sizeof(b->fetch[0]));
	}
}

static void deny(struct bench *b)
{
	struct ring_queue *q = &b->queue[b->refused.queue];

	q->under_way--;
	b->denials++;
	if (b->refused.generation != q->generation || q->denied)
		return;
	q->denied = true;
	q->fetched = b->refused.seq;
	for (uint32_t i = 0; i < b->refused.num; i++)
		q->came[(b->refused.seq + i) % b->shape->ring_depth] = CAME_WINDOW;
}

static void take_fetch(struct bench *b)
{
	struct ring_read f = { .queue = b->offer.qid,
		               .seq = b->offer_seq,
		               .num = b->offer_num,
		               .generation = b->offer_generation,
		               .addr = b->offer.gaddr,
		               .ready_at = b->cycle + b->latency };

	b->fetches_taken++;
	if (rng_percent(&b->rng, b->deny_percent) || (f.queue == b->deny_queue && f.seq == b->deny_seq)) {
		b->refused = f;
		b->deny_in = 1 + rng_below(&b->rng, 3);
	} else {
		b->fetch[b->fetches++] = f;
	}
}

static void take_door(struct bench *b, const struct ring_rung *d)
{
	uint32_t q = d->queue, i;
	struct ring_queue *r = &b->queue[q];

	if (!bench_live(b, q))
		return;
	if (d->tail - d->head <= bench_size(b, q)) {
		r->tail = d->tail;
		return;
	}
	b->overruns++;
	for (i = 0; i < b->faults; i++)
		if (b->fault[i].queue == q)
			return;
	b->fault[b->faults].queue = q;
	b->fault[b->faults].seq = d->head;
	b->fault[b->faults++].tail = d->tail;
}

static void take_command(struct bench *b)
{
	struct ring_queue *q = &b->queue[b->out->cmd_queue];

	b->commands++;
	b->command_cycle = b->cycle;
	b->last_came = b->out->cmd.fetch;
	q->closed = b->out->cmd.fetch != CAME_OK;
	b->failures += q->closed;
	q->sent++;
}

/* What gives a queue a fresh start; its TAIL as it was in this cycle. */
static void start_queues(struct bench *b, const bool *went_back)
{
	for (uint32_t q = 0; q < b->shape->queues; q++) {
		struct ring_queue *r = &b->queue[q];

		if (!bench_live(b, q)) {
			r->head = r->tail = 0;
			start(r, 0);
		} else if (b->in->restart >> q & 1) {
			r->head = b->in->restart_index;
			start(r, r->head);
		} else {
			if (went_back[q])
				start(r, r->sent);
			/* One that failed does not leave its queue. */
			if (r->head != r->sent - r->closed && rng_percent(&b->rng, b->retire_percent))
				r->head++;
		}
		r->dropping = r->dropping && r->under_way;
	}
}

/* A fetch that came on offer with this edge: of what its queue wanted before it. */
static void check_offer(struct bench *b, uint32_t may_fetch, const struct ring_queue *before)
{
	uint32_t q = b->out->fetch.qid, ahead, left, seq;

	b->offered = b->out->fetch_valid;
	if (!b->offered)
		return;
	b->offer = b->out->fetch;
	assert_true(may_fetch >> q & 1);
	b->offer_seq = seq = before[q].fetched;
	ahead = before[q].tail - seq;
	left = b->fetch_cmds - seq % b->fetch_cmds;
	b->offer_num = ahead < left ? ahead : left;
	assert_int_equal(b->offer.chunks, 4 * b->offer_num);
	assert_true(seq + b->offer_num - before[q].sent <= b->shape->ring_depth);
	assert_true(b->offer.gaddr == bench_slot_addr(b, q, seq));
	/* Inside a page, and before the ring's end. */
	assert_true((b->offer.gaddr & 4095) + SLOT * b->offer_num <= 4096);
	assert_true((seq & (bench_size(b, q) - 1)) + b->offer_num <= bench_size(b, q));
	b->offer_generation = b->queue[q].generation;
	b->queue[q].under_way++;
	if (!b->queue[q].denied)
		b->queue[q].fetched = seq + b->offer_num;
}

static void cycle(struct bench *b)
{
	struct ring_queue before[RING_QUEUES];
	struct ring_rung rung = { .queue = b->in->door_queue, .tail = b->in->door_tail };
	uint32_t q, may_fetch = 0;
	bool went_back[RING_QUEUES], taken, fault_taken;

	put_inputs(b);
	ring_eval(b->unit);
	check_status(b);
	check_fetch(b);
	check_command(b);
	check_fault(b);

	for (q = 0; q < b->shape->queues; q++) {
		struct ring_queue *r = &b->queue[q];
		int32_t ahead = (int32_t)(r->tail - r->fetched);

		before[q] = *r;
		went_back[q] = ahead < 0 && r->fetched != r->sent;
		if (bench_live(b, q) && !((b->in->stopped | b->in->restart) >> q & 1) && !r->dropping &&
		    !r->denied && !r->failed && ahead > 0)
			may_fetch |= 1u << q;
	}
	taken = b->offered && b->in->fetch_ready;
	b->was_sent = b->out->cmd_valid && b->in->cmd_ready;
	if (b->was_sent)
		take_command(b);
	if (b->in->r_valid)
		take_beat(b);
	if (b->in->fetch_denied)
		deny(b);
	b->deny_in -= b->deny_in != 0;
	if (taken)
		take_fetch(b);
	fault_taken = b->faults && b->in->fault_ready;
	rung.valid = b->in->door_valid && bench_live(b, rung.queue);
	rung.head = b->queue[rung.queue].head;
	if (!unit_shape()->short_paths && rung.valid)
		take_door(b, &rung);
	if (b->rung.valid)
		take_door(b, &b->rung);
	if (fault_taken) /* what came of its queue in this cycle is merged with it */
		memmove(b->fault, b->fault + 1, --b->faults * sizeof(b->fault[0]));
	/* With short paths a doorbell stands in a register first. */
	b->rung = rung;
	b->rung.valid = rung.valid && unit_shape()->short_paths;
	start_queues(b, went_back);
	b->room[1] = b->room[0];
	b->room[0] = b->in->room;

	ring_tick(b->unit);
	b->in->door_valid = 0;
	b->in->stopped &= ~b->in->restart;
	b->in->restart = 0;
	b->cycle++;
	if (taken || !b->offered)
		check_offer(b, may_fetch, before);
}

void bench_step(struct bench *b)
{
	cycle(b);
	if (b->rung.valid)
		cycle(b);
}

void bench_steps(struct bench *b, uint32_t cycles)
{
	while (cycles--)
		bench_step(b);
}

void bench_drain(struct bench *b, uint32_t q)
{
	uint32_t cycles = 0;

	while (b->queue[q].sent != b->queue[q].tail) {
		assert_true(cycles++ < 20000);
		bench_step(b);
	}
}
