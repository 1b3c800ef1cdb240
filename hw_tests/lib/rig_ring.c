/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ring front end: commands into slots, doorbells, records out of the completion ring.
 *
 *	FIFO --(slots)--> written --(TAIL posted)--> rung --(its response)--> accepted
 *	                  room: HEAD, read in the background when the ring is full
 *	records: phase bit --> taken --(CONSUMER, by the queue's manner)--> told
 *
 * It is software: it knows memory, registers and the interrupt pin alone.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/rig_priv.h"
#include "tma_regs.h"

#define SLOT          64u
#define RECORD        32u
#define HEAD_PAUSE    16u   /* cycles between two looks at HEAD, at most */
#define LONG_PATIENCE 512u  /* cycles that a lazy consumer waits, at most */
#define MAX_REFUSED   1000u /* CONSUMER writes that come before PRODUCER has moved */

void *rig_ring_slot(struct rig *rig, uint32_t queue, uint32_t index)
{
	const struct rig_ring *r = &rig->ring[queue];

	return r->bound ? axi_mem_at(rig->mem[0],
	                             r->base + (uint64_t)((r->first_command + index) & (r->slots - 1)) * SLOT)
	                : NULL;
}

void *rig_completion_slot(const struct rig *rig, uint32_t queue, uint32_t index)
{
	const struct rig_ring *r = &rig->ring[queue];

	return r->bound
	               ? axi_mem_at(rig->mem[0],
	                            r->completion +
	                                    (uint64_t)((r->first_record + index) & (r->records - 1)) * RECORD)
	               : NULL;
}

uint64_t rig_ring_base(const struct rig *rig, uint32_t queue)
{
	return rig->ring[queue].base;
}

uint64_t rig_completion_base(const struct rig *rig, uint32_t queue)
{
	return rig->ring[queue].completion;
}

static void post(struct rig *rig, uint32_t queue, enum rig_purpose purpose, uint32_t value)
{
	rig->ring[queue].posted |= 1u << purpose;
	rig_csr_post(rig, purpose, queue, value);
}

static bool posted(const struct rig_ring *r, enum rig_purpose purpose)
{
	return r->posted >> purpose & 1;
}

/*
 * Commands.
 */

/* The next command into its slot. One that leads nowhere is lost: the fetch of it fails. */
static void write_slot(struct rig *rig, uint32_t queue)
{
	struct rig_fifo *f = &rig->queue[queue];
	struct rig_ring *r = &rig->ring[queue];
	void *slot = rig_ring_slot(rig, queue, r->written);

	if (slot)
		memcpy(slot, &f->unwritten->cmd, SLOT);
	f->unwritten = f->unwritten->next;
	r->written++;
}

static uint32_t batch(struct rig *rig, const struct rig_ring *r, uint32_t most)
{
	switch (r->bell) {
	case RIG_BELL_SINGLE:
		return 1;
	case RIG_BELL_RANDOM:
		return 1 + rng_below(&rig->ring_rng, most);
	default:
		return most;
	}
}

static void ring_bell(struct rig *rig, uint32_t queue)
{
	struct rig_fifo *f = &rig->queue[queue];
	struct rig_ring *r = &rig->ring[queue];
	uint32_t room = r->slots - (r->written - r->head), count;

	if (!f->unwritten || posted(r, RIG_TAIL))
		return;
	if (!room) {
		if (r->pause) {
			r->pause--;
		} else if (!posted(r, RIG_HEAD)) {
			r->pause = rng_below(&rig->ring_rng, HEAD_PAUSE);
			post(rig, queue, RIG_HEAD, 0);
		}
		return;
	}
	if (rng_percent(&rig->ring_rng, rig->o.command_percent))
		return;
	for (count = batch(rig, r, room < f->waiting ? room : f->waiting); count; count--)
		write_slot(rig, queue);
	r->rung = r->written;
	post(rig, queue, RIG_TAIL, r->rung);
}

/*
 * Records.
 */

static bool next_record(const struct rig *rig, uint32_t queue, struct tma_record *rec)
{
	const struct rig_ring *r = &rig->ring[queue];
	uint32_t phase = (r->first_record + r->taken) & r->records ? 0 : 1;
	const void *slot;

	if (!r->bound || r->paused || r->consumer == RIG_CONSUMER_OFF)
		return false;
	slot = rig_completion_slot(rig, queue, r->taken);
	if (!slot)
		return false;
	memcpy(rec, slot, sizeof(*rec));
	return (rec->phase & 1) == phase;
}

static bool take_record(struct rig *rig, uint32_t queue)
{
	struct rig_ring *r = &rig->ring[queue];
	struct tma_record rec;

	if (!next_record(rig, queue, &rec))
		return false;
	if (r->shadow)
		memcpy(r->shadow + (size_t)(r->taken & (r->records - 1)) * RECORD, &rec, RECORD);
	if (rec.queue != queue || rec.phase >> 1)
		rig_error(rig, "record %u in the ring of queue %u: queue %u, phase word %#x", r->taken, queue,
		          rec.queue, rec.phase);
	r->taken++;
	rec.phase = 0;
	rig_command_record(rig, queue, rec);
	return true;
}

static void look(struct rig *rig, uint32_t queue)
{
	struct rig_ring *r = &rig->ring[queue];

	if (r->consumer == RIG_CONSUMER_OFF)
		return;
	if (!r->interrupt || r->awake) {
		if (rng_percent(&rig->ring_rng, rig->o.record_percent))
			return;
		if (!take_record(rig, queue))
			r->awake = false;
	} else if (rig->out->irq && !posted(r, RIG_PENDING) && !posted(r, RIG_CLEAR)) {
		/* Any queue may have raised it. */
		post(rig, queue, RIG_PENDING, 0);
	}
}

static void tell(struct rig *rig, uint32_t queue)
{
	struct rig_ring *r = &rig->ring[queue];
	uint32_t owed = r->taken - r->told;

	r->behind = owed ? r->behind + 1 : 0;
	if (!owed || posted(r, RIG_CONSUMER) || r->consumer == RIG_CONSUMER_HELD ||
	    r->consumer == RIG_CONSUMER_OFF)
		return;
	if (r->consumer == RIG_CONSUMER_LAZY && owed < r->threshold && r->behind < r->patience)
		return;
	r->threshold = 1 + rng_below(&rig->ring_rng, r->records);
	r->patience = rng_below(&rig->ring_rng, LONG_PATIENCE);
	r->telling = r->taken;
	post(rig, queue, RIG_CONSUMER, r->telling);
}

/*
 * Responses.
 */

static void rung(struct rig *rig, uint32_t queue, uint8_t resp)
{
	struct rig_fifo *f = &rig->queue[queue];
	struct rig_ring *r = &rig->ring[queue];

	if (resp != RIG_OKAY)
		rig_error(rig, "doorbell of queue %u: response %u", queue, resp);
	rig->last_handshake = rig->cycle;
	while (f->num_accepted != r->rung && f->head)
		rig_command_accepted(rig, queue);
}

/* A record may be seen before the engine has its B: then CONSUMER comes too early, and again. */
static void told(struct rig *rig, struct rig_ring *r, uint32_t queue, uint8_t resp)
{
	if (resp == RIG_OKAY) {
		r->told = r->telling;
		r->refused = 0;
	} else if (++r->refused == MAX_REFUSED) {
		rig_error(rig, "CONSUMER of queue %u is refused", queue);
	}
}

static void resumed(struct rig *rig, uint32_t queue)
{
	/* The FAULT record of before is in memory: it must not be taken for a new one. */
	while (take_record(rig, queue))
		;
	rig->queue[queue].faulted = false;
}

void rig_ring_answer(struct rig *rig, enum rig_purpose purpose, uint32_t queue, uint8_t resp, uint32_t value)
{
	struct rig_ring *r = &rig->ring[queue];

	r->posted &= ~(1u << purpose);
	switch (purpose) {
	case RIG_TAIL:
		rung(rig, queue, resp);
		break;
	case RIG_HEAD:
		r->head = value;
		if (resp != RIG_OKAY || r->written - r->head > r->slots)
			rig_error(rig, "queue %u: HEAD is %u with %u commands in the ring", queue, value,
			          r->written);
		break;
	case RIG_CONSUMER:
		told(rig, r, queue, resp);
		break;
	case RIG_PENDING:
		if (value & TMA_REG_DOOR_INTERRUPT_PENDING_PENDING_MASK)
			post(rig, queue, RIG_CLEAR, 1);
		break;
	case RIG_CLEAR:
		r->awake = true;
		break;
	default:
		if (resp == RIG_OKAY)
			resumed(rig, queue);
	}
}

/*
 * Every cycle.
 */

void rig_ring_drive(struct rig *rig)
{
	if (!rig->in->rst_n)
		return;
	for (uint32_t q = 0; q < rig->info->queues; q++)
		if (rig->ring[q].bound && !rig->ring[q].paused)
			ring_bell(rig, q);
}

void rig_ring_sample(struct rig *rig)
{
	if (!rig->in->rst_n)
		return;
	for (uint32_t q = 0; q < rig->info->queues; q++) {
		if (!rig->ring[q].bound || rig->ring[q].paused)
			continue;
		if (rig->out->queue_ready >> q & 1)
			rig_error(rig, "queue_ready[%u] of a queue that is bound to a ring", q);
		look(rig, q);
		tell(rig, q);
	}
}

bool rig_ring_quiet(const struct rig *rig)
{
	struct tma_record rec;

	for (uint32_t q = 0; q < rig->info->queues; q++)
		if (next_record(rig, q, &rec))
			return false;
	return true;
}

void rig_ring_inspect(struct rig *rig)
{
	for (uint32_t q = 0; q < rig->info->queues; q++) {
		const struct rig_ring *r = &rig->ring[q];

		for (uint32_t i = 0; r->bound && r->shadow && i < r->records; i++) {
			const void *slot = rig_completion_slot(rig, q, i);

			if (slot && memcmp(slot, r->shadow + (size_t)i * RECORD, RECORD))
				rig_error(rig, "queue %u: slot %u of the completion ring was written", q, i);
		}
	}
}
