/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records to completion rings. A burst of the queue's stream to the very slot that its next record goes
 * to is that record: a store to there would be the program's own mistake.
 */
#include <stdlib.h>
#include <string.h>

#include "tma_regs.h"
#include "tma_tables.h"
#include "wavecheck/check.h"

#define SLOT       32u
#define PAGE       4096u
#define AXI_SLVERR 2

static uint32_t ring_slots(const struct queue *q)
{
	return 1u << q->config.completion_slots_log2;
}

static uint64_t slot_address(const struct queue *q, uint32_t number)
{
	return q->config.completion_base + (uint64_t)SLOT * (number & (ring_slots(q) - 1));
}

/* For every write burst, where its data begins. */
void completion_index(struct check *c)
{
	size_t *waiting[DUMP_MAX_PORTS] = { NULL }, capacity[DUMP_MAX_PORTS] = { 0 };
	size_t count[DUMP_MAX_PORTS] = { 0 }, head[DUMP_MAX_PORTS] = { 0 };
	size_t *beats[DUMP_MAX_PORTS] = { NULL }, beats_capacity[DUMP_MAX_PORTS] = { 0 };
	size_t num_beats[DUMP_MAX_PORTS] = { 0 }, first_beat[DUMP_MAX_PORTS] = { 0 };
	bool inside[DUMP_MAX_PORTS] = { false };

	c->first_data = allocate((c->log->count + 1) * sizeof(*c->first_data));
	for (size_t i = 0; i < c->log->count; i++) {
		const struct event *e = &c->log->events[i];
		unsigned p = e->unit % DUMP_MAX_PORTS;

		for (unsigned all = 0; e->kind == EV_RESET && all < DUMP_MAX_PORTS; all++) {
			head[all] = count[all] = first_beat[all] = num_beats[all] = 0;
			inside[all] = false;
		}
		if (e->kind == EV_AW) {
			waiting[p] = grow(waiting[p], count[p], &capacity[p], sizeof(size_t));
			waiting[p][count[p]++] = i;
		} else if (e->kind == EV_W) {
			if (!inside[p]) {
				beats[p] = grow(beats[p], num_beats[p], &beats_capacity[p], sizeof(size_t));
				beats[p][num_beats[p]++] = i;
			}
			inside[p] = !e->last;
		}
		while (head[p] < count[p] && first_beat[p] < num_beats[p])
			c->first_data[waiting[p][head[p]++]] = beats[p][first_beat[p]++];
	}
	for (unsigned p = 0; p < DUMP_MAX_PORTS; p++) {
		free(waiting[p]);
		free(beats[p]);
	}
}

/* The record's bytes, out of the beats of its burst. */
static bool collect(const struct check *c, size_t address, uint64_t slot, struct tma_record *record)
{
	const struct event *aw = &c->log->events[address];
	uint32_t width = c->shape.data_bytes, have = 0;
	uint8_t bytes[SLOT];

	if (!c->first_data[address])
		return false;
	for (size_t i = c->first_data[address]; i < c->log->count && have < SLOT; i++) {
		const struct event *e = &c->log->events[i];
		uint32_t from = (uint32_t)(slot - aw->addr) % width;
		uint32_t part = width - from < SLOT ? width - from : SLOT;

		if (e->kind == EV_RESET)
			return false;
		if (e->kind != EV_W || e->unit != aw->unit)
			continue;
		memcpy(bytes + have, c->log->bytes + e->data + from, part);
		have += part;
	}
	memcpy(record, bytes, sizeof(*record));
	return have == SLOT;
}

static uint32_t record_beats(const struct check *c)
{
	return c->shape.data_bytes < SLOT ? SLOT / c->shape.data_bytes : 1;
}

static bool is_place(const struct check *c, const struct event *e, uint8_t stream, uint64_t slot)
{
	return e->kind == EV_AW && e->unit == 0 && e->burst.user >> 8 == stream &&
	       e->addr == slot - slot % c->shape.data_bytes && e->burst.len + 1u == record_beats(c);
}

static bool writable(const struct check *c, uint32_t queue, uint32_t number)
{
	return copy_window_allows(c, queue, slot_address(&c->queues[queue], number), TMA_WINDOW_WRITE);
}

void completion_open(struct check *c, uint32_t queue)
{
	struct queue *q = &c->queues[queue];
	struct ring *r = &q->ring;
	uint32_t number = 0;

	r->num_placed = r->next_placed = r->next_seen = 0;
	q->first_expected = q->num_expected;
	for (const struct event *e = c->now; e < c->log->events + c->log->count && !event_ends_life(e, queue);
	     e++) {
		struct placed *p;

		for (uint32_t i = 0; i < ring_slots(q) && !writable(c, queue, number); i++)
			number++;
		if (!is_place(c, e, q->config.stream, slot_address(q, number)))
			continue;
		r->placed = grow(r->placed, r->num_placed, &r->placed_capacity, sizeof(*r->placed));
		p = &r->placed[r->num_placed++];
		*p = (struct placed){ .address = (size_t)(e - c->log->events),
			              .slot = slot_address(q, number),
			              .number = number };
		p->whole = collect(c, p->address, p->slot, &p->record);
		number++;
	}
}

/* A slot is kept for a fault. A command that breaks a rule needs no other. */
bool completion_room(const struct check *c, uint32_t queue, const struct tma_command *command)
{
	const struct queue *q = &c->queues[queue];
	const struct tma_record *ahead = record_ahead(c, queue, q->next);

	if (!q->config.ring || !(command->flags & TMA_FLAG_RECORD || tma_command_answers(command->opcode)))
		return true;
	if (ahead && ahead->kind == TMA_KIND_FAULT && ahead->fault < TMA_FAULT_CANCELLED)
		return true;
	return q->ring.allocated - q->ring.consumer < ring_slots(q) - 1;
}

bool completion_can_fault(const struct check *c, uint32_t queue)
{
	const struct queue *q = &c->queues[queue];
	const struct ring *r = &q->ring;

	return !q->config.ring || (!(c->dead & 1) && r->begun + r->lost - r->consumer < ring_slots(q));
}

bool completion_place(struct check *c, uint32_t queue, const struct tma_record *record)
{
	struct queue *q = &c->queues[queue];
	struct ring *r = &q->ring;
	uint32_t number = r->allocated;
	bool allowed;

	if (!q->config.ring)
		return true;
	r->allocated++;
	allowed = writable(c, queue, number);
	if (allowed && !(c->dead & 1))
		return true;
	say(c, "record  %u of queue %u cannot be written", record->sequence, queue);
	r->lost++;
	r->pending = true;
	if (record->kind != TMA_KIND_FAULT)
		queue_fault_at(c, queue, record->sequence, record->tag,
		               allowed ? TMA_FAULT_PORT_DEAD : TMA_FAULT_COMPLETION_WINDOW,
		               slot_address(q, number));
	return false;
}

/* Of a life before, whose expectations are gone. */
static bool is_old(struct check *c, struct burst *b)
{
	for (uint32_t i = 0; i < c->shape.queues; i++) {
		struct ring *r = &c->queues[i].ring;
		uint64_t slot = r->old_base + (uint64_t)SLOT * (r->old_next & (r->old_slots - 1));

		if (!r->old || !is_place(c, c->now, r->old_stream, slot))
			continue;
		r->old_next++;
		*b = (struct burst){ .kind = BURST_RECORD,
			             .queue = (uint8_t)i,
			             .life = c->queues[i].life - 1 };
		return true;
	}
	return false;
}

bool completion_address(struct check *c, struct burst *b)
{
	size_t event = (size_t)(c->now - c->log->events);

	for (uint32_t i = 0; i < c->shape.queues; i++) {
		struct queue *q = &c->queues[i];
		struct ring *r = &q->ring;
		struct placed *p;

		if (r->next_placed == r->num_placed || r->placed[r->next_placed].address != event)
			continue;
		p = &r->placed[r->next_placed++];
		address_attributes(c, WRITES, i, 0, 0);
		if (p->number - r->consumer >= ring_slots(q))
			differ(c, P_m_axi_awvalid_o, 0,
			       "record %u of queue %u at 0x%llx, where one is that software has not taken",
			       p->number, i, (unsigned long long)p->slot);
		r->begun++;
		*b = (struct burst){
			.kind = BURST_RECORD, .queue = (uint8_t)i, .life = q->life, .record = p
		};
		return true;
	}
	return is_old(c, b);
}

void completion_refuse(struct check *c)
{
	for (uint32_t i = 0; i < c->shape.queues; i++) {
		const struct queue *q = &c->queues[i];
		uint64_t next = slot_address(q, q->ring.begun + q->ring.lost);

		if (!q->ring.opened || c->now->burst.user >> 8 != q->config.stream ||
		    c->now->addr - q->config.completion_base >= (uint64_t)SLOT * ring_slots(q))
			continue;
		differ(c, P_m_axi_awaddr_o, 0, "0x%llx, but the next record of queue %u goes to 0x%llx",
		       (unsigned long long)c->now->addr, i, (unsigned long long)next);
	}
}

/* All bytes of the slot and no others. */
static void check_strobes(const struct check *c, const struct burst *b)
{
	const uint8_t *strobes = event_data(c) + c->shape.data_bytes;
	uint64_t beat = b->address + (uint64_t)b->seen * c->shape.data_bytes;

	for (uint32_t lane = 0; lane < c->shape.data_bytes; lane++) {
		bool mine = beat + lane - b->record->slot < SLOT;

		if ((strobes[lane / 8] >> lane % 8 & 1) != mine)
			differ(c, P_m_axi_wstrb_o, 0,
			       "bit %u, the byte at 0x%llx, is %u: record %u of queue %u %s it", lane,
			       (unsigned long long)(beat + lane), !mine, b->record->number, b->queue,
			       mine ? "writes" : "does not write");
		if (mine && c->private_memory)
			gmem_set(c->gmem[0], beat + lane, event_data(c)[lane]);
	}
}

static void check_record(struct check *c, const struct burst *b)
{
	struct queue *q = &c->queues[b->queue];
	struct tma_record seen = b->record->record;
	uint32_t phase = !(b->record->number >> q->config.completion_slots_log2 & 1);

	if (seen.queue != b->queue)
		differ(c, P_m_axi_wdata_o, 0, "a record of queue %u in the ring of queue %u", seen.queue,
		       b->queue);
	if (seen.phase != phase)
		differ(c, P_m_axi_wdata_o, 0, "record %u of queue %u: phase 0x%x, must be %u",
		       b->record->number, b->queue, seen.phase, phase);
	if (seen.kind != TMA_KIND_FAULT && b->record->number - q->ring.consumer >= ring_slots(q) - 1)
		differ(c, P_m_axi_awvalid_o, 0, "record %u of queue %u is in the slot kept for a fault",
		       b->record->number, b->queue);
	seen.phase = 0;
	/* It is still ahead of the commands up to it that only doubt has kept. */
	record_take(c, &seen, P_m_axi_wdata_o);
	q->ring.next_seen++;
}

void completion_data(struct check *c, struct burst *b)
{
	if (!b->record || b->life != c->queues[b->queue].life)
		return;
	check_strobes(c, b);
	if (b->seen + 1 == b->beats)
		check_record(c, b);
}

void completion_response(struct check *c, const struct burst *b)
{
	struct queue *q = &c->queues[b->queue];
	const struct tma_record *record;

	if (!b->record || b->life != q->life)
		return;
	record = &b->record->record;
	q->ring.producer++;
	q->ring.produced_cycle = c->now->cycle;
	q->ring.pending = q->ring.certain = true;
	if (c->now->resp >= AXI_SLVERR && record->kind != TMA_KIND_FAULT)
		queue_fault_at(c, b->queue, record->sequence, record->tag,
		               c->now->resp == AXI_SLVERR ? TMA_FAULT_COMPLETION_SLVERR
		                                          : TMA_FAULT_COMPLETION_DECERR,
		               b->record->slot);
}
