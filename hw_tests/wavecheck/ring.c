/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands from rings: doorbells say how many there are, and the data of fetches what they are. Fetches
 * answer in order, so commands become known in order. Of a beat with more than one command, those count
 * that the fetch was for; others may be old.
 */
#include <stdlib.h>
#include <string.h>

#include "tma_tables.h"
#include "wavecheck/check.h"

#define SLOT          64u
#define PAGE          4096u
#define AXI_SLVERR    2
#define CLIENT_RING   3
#define CLIENT_OF(id) ((id) >> 2)

static uint32_t ring_slots(const struct queue *q)
{
	return 1u << q->config.ring_slots_log2;
}

static uint64_t slot_address(const struct queue *q, uint32_t sequence)
{
	return q->config.ring_base + (uint64_t)SLOT * (sequence & (ring_slots(q) - 1));
}

static bool in_ring(const struct queue *q, uint64_t address)
{
	return address - q->config.ring_base < (uint64_t)SLOT * ring_slots(q);
}

/* Another life, or a part of one, begins with command 0. */
void ring_drop(struct check *c, uint32_t queue)
{
	struct queue *q = &c->queues[queue];
	struct ring *r = &q->ring;
	struct placed *placed = r->placed;
	size_t capacity = r->placed_capacity;
	bool enabled = r->enabled;

	if (r->opened && !r->old) {
		r->old = true;
		r->old_base = q->config.completion_base;
		r->old_slots = 1u << q->config.completion_slots_log2;
		r->old_next = r->begun + r->lost;
		r->old_stream = q->config.stream;
	}
	*r = (struct ring){ .placed = placed,
		            .placed_capacity = capacity,
		            .enabled = enabled,
		            .old = r->old,
		            .old_base = r->old_base,
		            .old_slots = r->old_slots,
		            .old_next = r->old_next,
		            .old_stream = r->old_stream };
}

/* The head is where the dump says, if it is a place where it may be. False: no overrun. */
static bool overrun(struct check *c, uint32_t queue, uint32_t tail)
{
	struct queue *q = &c->queues[queue];
	uint32_t head = q->next;
	bool must = tail - head > ring_slots(q), may = false;

	for (size_t i = q->ring.next_seen; i < q->ring.num_placed && !q->stopped && !q->doubtful; i++) {
		const struct tma_record *seen = &q->ring.placed[i].record;

		if (seen->kind != TMA_KIND_FAULT)
			continue;
		may = seen->fault == TMA_FAULT_RING_OVERRUN && seen->address == tail &&
		      seen->sequence <= q->next && tail - seen->sequence > ring_slots(q);
		head = may ? seen->sequence : head;
		break;
	}
	if (!must && !may)
		return false;
	if (q->stopped || q->doubtful)
		return true;
	say(c, "fault   RING_OVERRUN of queue %u: TAIL %u, HEAD %u", queue, tail, head);
	queue_fault_at(c, queue, head, 0, TMA_FAULT_RING_OVERRUN, tail);
	for (size_t i = q->first_expected; i < q->num_expected; i++)
		q->expected[i].doubtful = q->expected[i].doubtful || q->expected[i].record.sequence >= head;
	return true;
}

void ring_tail(struct check *c, uint32_t queue, uint32_t tail)
{
	struct queue *q = &c->queues[queue];
	struct ring *r = &q->ring;

	if (!q->config.enable || !q->config.ring)
		differ(c, P_s_axil_bresp_o, 0, "a doorbell of queue %u is taken, but it has no ring%s", queue,
		       q->config.enable ? "" : " while it is disabled");
	if (!r->opened) {
		r->opened = true;
		r->old = q->fresh = false;
		completion_open(c, queue);
	}
	if (overrun(c, queue, tail))
		return;
	/* Software must not take commands back: those that were sent already run all the same. */
	if (tail < r->fetched)
		r->fetched = tail > q->count ? tail : q->count < r->fetched ? q->count : r->fetched;
	r->tail = tail;
	ring_look(c, queue);
}

static void close_ring(struct check *c, uint32_t queue, uint16_t fault, uint64_t address)
{
	struct queue *q = &c->queues[queue];

	say(c, "command %u of queue %u cannot be fetched: %s", q->count, queue, tma_fault_info(fault)->name);
	queue_append(c, queue, &(struct command){ .fault = fault, .fault_address = address });
	q->ring.closed = true;
}

void ring_look(struct check *c, uint32_t queue)
{
	struct queue *q = &c->queues[queue];
	struct ring *r = &q->ring;
	uint64_t address = slot_address(q, r->fetched);

	if (!q->config.enable || !q->config.ring || r->closed || r->fetched == r->tail ||
	    r->fetched != q->count)
		return;
	if (!copy_window_allows(c, queue, address, TMA_WINDOW_READ))
		close_ring(c, queue, TMA_FAULT_COMMAND_WINDOW, address);
	else if (c->dead & 1)
		close_ring(c, queue, TMA_FAULT_PORT_DEAD, address);
}

/* Where the queue's next fetch is, 0 if there is none before it starts anew. */
static uint64_t next_fetch(const struct check *c, const struct queue *q)
{
	const struct event *end = c->log->events + c->log->count;

	for (const struct event *e = c->now + 1; e < end && e->kind != EV_RESET; e++)
		if (e->kind == EV_AR && e->unit == 0 && CLIENT_OF(e->id) == CLIENT_RING &&
		    e->burst.user >> 8 == q->config.stream && in_ring(q, e->addr))
			return e->addr;
	return 0;
}

/* The queue that the fetch is for, by stream and address: also one whose last life it belongs to. */
static uint32_t whose(const struct check *c)
{
	uint32_t found = MAX_QUEUES;

	for (uint32_t i = 0; i < c->shape.queues; i++) {
		const struct queue *q = &c->queues[i];
		uint64_t next = slot_address(q, q->ring.fetched);

		if (!(q->config.ring || q->had_ring) || c->now->burst.user >> 8 != q->config.stream ||
		    !in_ring(q, c->now->addr))
			continue;
		if (found == MAX_QUEUES || next - next % c->shape.data_bytes == c->now->addr)
			found = i;
	}
	return found;
}

static void push(struct check *c, uint32_t queue, uint32_t life, uint32_t slots)
{
	burst_push(&c->reads[c->now->id], (struct burst){ .kind = BURST_FETCH,
	                                                  .queue = (uint8_t)queue,
	                                                  .life = life,
	                                                  .first = c->queues[queue].ring.fetched,
	                                                  .slots = slots,
	                                                  .beats = c->now->burst.len + 1u,
	                                                  .address = c->now->addr });
	c->fetches++;
}

/* How many commands the fetch is for. */
static uint32_t count_slots(struct check *c, uint32_t queue)
{
	struct queue *q = &c->queues[queue];
	struct ring *r = &q->ring;
	uint64_t at = slot_address(q, r->fetched), beat = c->shape.data_bytes;
	uint64_t end = c->now->addr + (c->now->burst.len + 1u) * beat, last;
	uint32_t most = r->tail - r->fetched, to_wrap = ring_slots(q) - (r->fetched & (ring_slots(q) - 1));
	uint32_t slots = (uint32_t)((end - at) / SLOT);

	if (at - at % beat != c->now->addr)
		differ(c, P_m_axi_araddr_o, 0, "0x%llx, but command %u of queue %u is at 0x%llx",
		       (unsigned long long)c->now->addr, r->fetched, queue, (unsigned long long)at);
	if (!most)
		differ(c, P_m_axi_arvalid_o, 0, "a fetch of command %u of queue %u, past TAIL", r->fetched,
		       queue);
	if (c->now->addr % PAGE + (end - c->now->addr) > PAGE)
		differ(c, P_m_axi_arlen_o, 0, "%u beats from 0x%llx cross a 4 KiB boundary",
		       c->now->burst.len + 1u, (unsigned long long)c->now->addr);
	if (!copy_window_allows(c, queue, c->now->addr, TMA_WINDOW_READ))
		differ(c, P_m_axi_araddr_o, 0, "0x%llx is outside the windows of queue %u",
		       (unsigned long long)c->now->addr, queue);
	if (to_wrap < most)
		most = to_wrap;
	last = at + (uint64_t)SLOT * most;
	if (end - at > (last + beat - 1) / beat * beat - at)
		differ(c, P_m_axi_arlen_o, 0,
		       "%u beats from 0x%llx reach past TAIL %u or the end of the ring of queue %u",
		       c->now->burst.len + 1u, (unsigned long long)c->now->addr, r->tail, queue);
	if (slots < 1 || end != (at + (uint64_t)SLOT * slots + beat - 1) / beat * beat)
		differ(c, P_m_axi_arlen_o, 0, "%u beats from 0x%llx are no whole commands",
		       c->now->burst.len + 1u, (unsigned long long)c->now->addr);
	if (slots > most)
		slots = most;
	/* The last beat may hold a command that came too late for this fetch: then the next gets it. */
	if (beat > SLOT && slots > 1 && (at / SLOT + slots) % 2 == 0 && next_fetch(c, q) == end - beat)
		slots--;
	return slots;
}

/* False: it is no fetch. */
bool ring_fetch_address(struct check *c)
{
	struct queue *q;
	uint32_t queue, slots;

	if (CLIENT_OF(c->now->id) != CLIENT_RING)
		return false;
	queue = whose(c);
	if (queue == MAX_QUEUES)
		differ(c, P_m_axi_araddr_o, 0, "a fetch at 0x%llx with stream %u, where no queue has a ring",
		       (unsigned long long)c->now->addr, c->now->burst.user >> 8);
	q = &c->queues[queue];
	address_attributes(c, READS, queue, 0, 0);
	if (!q->config.enable || !q->ring.opened) {
		push(c, queue, q->life - 1, 0);
		return true;
	}
	queue_begin_life(c, queue);
	slots = count_slots(c, queue);
	say(c, "fetch   0x%llx, %u beats: commands %u to %u of queue %u", (unsigned long long)c->now->addr,
	    c->now->burst.len + 1u, q->ring.fetched, q->ring.fetched + slots - 1, queue);
	push(c, queue, q->life, slots);
	q->ring.fetched += slots;
	return true;
}

/* The bytes of one command that are in this beat. True: the last of them are. */
static bool take_part(struct check *c, uint64_t slot, uint64_t beat)
{
	uint32_t width = c->shape.data_bytes;
	uint64_t from = slot > beat ? slot : beat;
	uint64_t to = slot + SLOT < beat + width ? slot + SLOT : beat + width;

	if (from >= to)
		return false;
	if (from == slot)
		c->slot.fault = 0;
	memcpy(c->slot.bytes + (from - slot), event_data(c) + (from - beat), to - from);
	if (c->now->resp == AXI_SLVERR && !c->slot.fault)
		c->slot.fault = TMA_FAULT_COMMAND_SLVERR;
	else if (c->now->resp > AXI_SLVERR)
		c->slot.fault = TMA_FAULT_COMMAND_DECERR;
	return to == slot + SLOT;
}

void ring_fetch_data(struct check *c, struct burst *b)
{
	struct queue *q = &c->queues[b->queue];
	uint64_t beat = b->address + (uint64_t)b->seen * c->shape.data_bytes;
	struct command command = { .fault = 0 };

	for (uint32_t i = 0; i < b->slots && b->life == q->life; i++) {
		uint32_t sequence = b->first + i;
		uint64_t slot = slot_address(q, sequence);

		if (!take_part(c, slot, beat) || q->ring.closed || sequence != q->count)
			continue;
		if (c->slot.fault) {
			close_ring(c, b->queue, c->slot.fault, slot);
			continue;
		}
		memcpy(&command.command, c->slot.bytes, sizeof(command.command));
		queue_append(c, b->queue, &command);
	}
	if (b->seen + 1 == b->beats)
		ring_look(c, b->queue);
}

void ring_check_idle(struct check *c, uint32_t queue)
{
	const struct queue *q = &c->queues[queue];

	if (q->config.ring && !q->ring.closed && q->count < q->ring.tail)
		differ(c, P_m_axi_arvalid_o, 0,
		       "the engine says idle, but command %u of queue %u, before TAIL %u, was not fetched",
		       q->count, queue, q->ring.tail);
}
