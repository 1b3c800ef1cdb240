/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The queues' own pages: doorbells, consumers, recovery, interrupts; and registers of both pages whose
 * values a dump can tell. A counter that the engine moves some cycles after its cause is held between
 * what was caused at all and what was caused LAG cycles before it was asked for.
 */
#include "tma_regs.h"
#include "wavecheck/check.h"

#define LAG 64u

/* Of records that cannot be written nothing is seen. */
static uint32_t most_records(const struct queue *q, uint32_t seen)
{
	return seen + (q->ring.lost ? q->ring.lost + q->count : 0);
}

/* A record counts when every write before it has its answer, of whatever port, and some cycles more. */
static bool settled(const struct check *c, const struct ring *r, uint32_t cycle)
{
	for (unsigned p = 0; p < c->shape.ports; p++)
		if (c->responses[p][1].head < c->responses[p][1].count ||
		    (p && (burst_awaited(c, WRITES + (int)p) || c->answered_cycle[p] + LAG >= cycle)))
			return false;
	return r->produced_cycle + LAG < cycle;
}

static void consume(struct check *c, uint32_t queue)
{
	struct queue *q = &c->queues[queue];
	uint32_t value = setup_merge(q->ring.consumer, c->now->csr.value, c->now->csr.strobes);
	/* A record may be in memory before its answer is here. */
	uint32_t most = most_records(q, (uint32_t)q->ring.next_seen);

	if (!q->config.enable)
		differ(c, P_s_axil_bresp_o, 0, "CONSUMER of queue %u is taken while it is disabled", queue);
	if (value - q->ring.consumer > most - q->ring.consumer)
		differ(c, P_s_axil_bresp_o, 0,
		       "CONSUMER %u of queue %u is taken, but only %u records have come", value, queue, most);
	q->ring.consumer = value;
}

void door_write(struct check *c, uint32_t queue, uint32_t offset)
{
	struct queue *q = &c->queues[queue];
	uint32_t value = setup_merge(0, c->now->csr.value, c->now->csr.strobes);

	q->ring.written_cycle = c->now->cycle;
	if (offset == TMA_REG_DOOR_TAIL(0) - TMA_REG_DOOR(0)) {
		ring_tail(c, queue, setup_merge(q->ring.tail, c->now->csr.value, c->now->csr.strobes));
	} else if (offset == TMA_REG_DOOR_CONSUMER(0) - TMA_REG_DOOR(0)) {
		consume(c, queue);
	} else if (offset == TMA_REG_DOOR_INTERRUPT_PENDING(0) - TMA_REG_DOOR(0) && value & 1) {
		q->ring.certain = false;
		/* A record that was just answered may raise it again, and so may one that is lost unseen. */
		q->ring.pending = q->ring.pending && (q->ring.lost || !settled(c, &q->ring, c->now->cycle));
	} else if (offset == TMA_REG_DOOR_INTERRUPT_ENABLE(0) - TMA_REG_DOOR(0)) {
		q->ring.enabled = setup_merge(q->ring.enabled, value, c->now->csr.strobes) & 1;
	} else if (offset == TMA_REG_DOOR_RESUME(0) - TMA_REG_DOOR(0)) {
		recover_resume(c, queue, value);
	} else if (offset == TMA_REG_DOOR_RESET(0) - TMA_REG_DOOR(0) && value & 1) {
		if (!q->config.enable)
			differ(c, P_s_axil_bresp_o, 0, "RESET of queue %u is taken while it is disabled",
			       queue);
		queue_restart(c, queue);
	} else if (offset == TMA_REG_DOOR_CANCEL(0) - TMA_REG_DOOR(0) && value & 1) {
		recover_cancel(c, queue);
	}
}

bool event_ends_life(const struct event *e, uint32_t queue)
{
	if (e->kind == EV_RESET)
		return true;
	if (e->kind != EV_CSR_WRITE)
		return false;
	if ((e->addr & ~UINT64_C(3)) == TMA_REG_DOOR_RESET(queue))
		return e->csr.strobes & 1 && e->csr.value & TMA_REG_DOOR_RESET_RESET_MASK;
	return (e->addr & ~UINT64_C(3)) == TMA_REG_QUEUE_CONTROL(queue) && e->csr.strobes & 1 &&
	       !(e->csr.value & TMA_REG_QUEUE_CONTROL_ENABLE_MASK);
}

static void bound(const struct check *c, const char *name, uint32_t queue, uint32_t least, uint32_t most)
{
	uint32_t value = c->now->csr.value;

	if (value - least > most - least)
		differ(c, P_s_axil_rdata_o, 0, "%s of queue %u is %u, by the dump %u to %u", name, queue,
		       value, least, most);
}

/* FAULT and what is behind it: any fault of the queue may have been the first. */
static void fault_word(const struct check *c, uint32_t queue, uint32_t word)
{
	static const char *const names[] = { "FAULT", "FAULT_SEQUENCE", "FAULT_ADDRESS_LO",
		                             "FAULT_ADDRESS_HI", "FAULT_TAG" };
	const struct queue *q = &c->queues[queue];
	uint32_t value = c->now->csr.value, mask = word ? UINT32_MAX : 0xffff;

	if (!(value & mask) || q->fresh)
		return;
	/* Which of several was the first a record would have said, or that it is a record's own. */
	if (q->ring.lost)
		return;
	for (size_t i = 0; i < q->num_faults; i++) {
		const struct tma_record *f = &q->faults[i].record;
		const uint32_t words[] = { f->fault, f->sequence, (uint32_t)f->address,
			                   (uint32_t)(f->address >> 32), f->tag };

		if ((value & mask) == words[word])
			return;
	}
	differ(c, P_s_axil_rdata_o, 0, "%s of queue %u is 0x%x, by the model no fault has that", names[word],
	       queue, value);
}

/* What was not known is, when nothing changes it any more. */
static void pending_read(struct check *c, uint32_t queue)
{
	struct ring *r = &c->queues[queue].ring;
	bool quiet = settled(c, r, c->now->csr.asked);

	bound(c, "INTERRUPT_PENDING", queue, quiet && r->certain, r->pending);
	if (quiet && !r->lost)
		r->pending = r->certain = c->now->csr.value;
}

/* What has just been seen to have run may have been at the head when HEAD was asked for. */
static void head_read(const struct check *c, uint32_t queue)
{
	const struct queue *q = &c->queues[queue];
	const struct tma_record *ahead = record_ahead(c, queue, q->next);
	uint32_t least = q->proven < q->next ? q->proven : q->next;
	uint32_t most = q->doubtful ? q->count : q->next;

	if (q->proven_cycle + LAG > c->now->csr.asked)
		least = 0;
	/* A wait may be over while its answer stands behind the records of others, or is never seen where it has a limit;
	 * and what is behind it may have run. */
	if (most < q->count &&
	    ((ahead && ahead->kind == TMA_KIND_ANSWER) || queue_wait_has_limit(&q->commands[most].command)))
		most = q->count;
	bound(c, "HEAD", queue, least, most);
}

static void read_queue(struct check *c, uint32_t queue, uint32_t address)
{
	const struct queue *q = &c->queues[queue];
	const struct ring *r = &q->ring;
	uint32_t word = (address - TMA_REG_QUEUE_FAULT(queue)) / 4;

	/* A write may have come between question and answer. */
	if (q->changed_cycle >= c->now->csr.asked || q->fresh)
		return;
	if (address == TMA_REG_DOOR_TAIL(queue) && r->opened && r->written_cycle < c->now->csr.asked)
		bound(c, "TAIL", queue, r->tail, r->tail);
	else if (address == TMA_REG_DOOR_HEAD(queue) || address == TMA_REG_QUEUE_HEAD(queue))
		head_read(c, queue);
	else if (address == TMA_REG_DOOR_CONSUMER(queue) && r->written_cycle < c->now->csr.asked)
		bound(c, "CONSUMER", queue, r->consumer, r->consumer);
	else if (address == TMA_REG_DOOR_PRODUCER(queue))
		bound(c, "PRODUCER", queue,
		      !settled(c, r, c->now->csr.asked) && (int32_t)(r->consumer - r->producer) < 0
		              ? r->consumer
		              : r->producer,
		      most_records(q, r->producer));
	else if (address == TMA_REG_DOOR_INTERRUPT_PENDING(queue) &&
	         q->ring.written_cycle < c->now->csr.asked)
		pending_read(c, queue);
	else if (address >= TMA_REG_DOOR_FAULT(queue) && address <= TMA_REG_DOOR_FAULT_TAG(queue))
		fault_word(c, queue, (address - TMA_REG_DOOR_FAULT(queue)) / 4);
	else if (address >= TMA_REG_QUEUE_FAULT(queue) && address <= TMA_REG_QUEUE_FAULT_TAG(queue))
		fault_word(c, queue, word);
}

void door_read(struct check *c)
{
	uint32_t address = (uint32_t)c->now->addr & ~3u;

	say(c, "register 0x%03x is 0x%08x", address, c->now->csr.value);
	if (address == TMA_REG_PORTS && c->now->csr.value & ~c->dead)
		differ(c, P_s_axil_rdata_o, 0,
		       "PORTS 0x%x names a port that has not stood still for WATCHDOG cycles",
		       c->now->csr.value);
	for (uint32_t i = 0; i < c->shape.queues; i++)
		if ((address >= TMA_REG_DOOR(i) && address < TMA_REG_DOOR(i + 1)) ||
		    (address >= TMA_REG_QUEUE(i) && address < TMA_REG_QUEUE(i + 1)))
			read_queue(c, i, address);
}

/* It may be high because of a record; it falls when software says so, or its queue is dropped. */
void door_irq(struct check *c)
{
	bool may = false;

	c->irq = c->now->resp;
	for (uint32_t i = 0; i < c->shape.queues; i++) {
		const struct queue *q = &c->queues[i];
		/* That of a queue's last record may come when the queue was dropped already. */
		bool late = q->interrupt_cycle && q->interrupt_cycle + LAG >= c->now->cycle;

		may = may || late || (q->ring.enabled && q->ring.pending);
	}
	if (c->irq && !may)
		differ(c, P_irq_o, 0,
		       "an interrupt, but no queue has a new record and the interrupt enabled");
}

void door_check_irq(struct check *c)
{
	for (uint32_t i = 0; i < c->shape.queues; i++) {
		const struct queue *q = &c->queues[i];

		if (!c->irq && q->ring.certain && q->ring.enabled && q->config.enable &&
		    q->changed_cycle + LAG < c->now->cycle && settled(c, &q->ring, c->now->cycle))
			differ(c, P_irq_o, 0,
			       "no interrupt, but queue %u has a new record and the interrupt enabled", i);
	}
}
