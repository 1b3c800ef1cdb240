/* SPDX-License-Identifier: Apache-2.0 */
/* How stopped queues go on, waits are cancelled, and what becomes of a port's bursts when it dies. */
#include <string.h>

#include "tma_tables.h"
#include "wavecheck/check.h"

/* The model's queue is to hold nothing and to be no longer stopped; groups and the state of its last
 * arrive stay. What it holds is at most the head, which has stopped it or waits. */
static void free_model(struct check *c, uint32_t queue)
{
	struct tma_queue_status status;
	struct tma_record record;

	tma_model_queue_status(c->model, queue, &status);
	if (!status.faulted && status.queued) {
		/* It may have been woken without another look at it: only who sleeps can be cancelled. */
		tma_model_step(c->model, queue);
		tma_model_cancel(c->model, queue);
		tma_model_queue_status(c->model, queue, &status);
	}
	if (status.faulted)
		tma_model_resume(c->model, queue, status.next_sequence + (status.queued != 0));
	while (tma_model_next_record(c->model, &record) == 1)
		;
}

/* What the queue may have run behind the fault, and has not, is forgotten. */
static void drop_doubtful(struct check *c, struct queue *q, uint32_t index)
{
	size_t kept = q->first_expected;

	for (size_t i = q->first_expected; i < q->num_expected; i++) {
		const struct expected *e = &q->expected[i];

		if (!e->doubtful || (e->record.sequence < index && !q->config.ring))
			q->expected[kept++] = *e;
	}
	q->num_expected = kept;
	for (size_t i = c->first_open; i < c->num_copies; i++)
		if (&c->queues[c->copies[i]->queue] == q && !c->copies[i]->done)
			copy_abandon(c, c->copies[i]);
	for (unsigned d = 0; d < MAX_PATHS; d++)
		q->first_pending[d] = q->num_pending[d] = 0;
	q->num_grouped = 0;
}

void recover_resume(struct check *c, uint32_t queue, uint32_t index)
{
	struct queue *q = &c->queues[queue];
	struct tma_queue_status status;
	struct command none = { .cycle = c->now->cycle };

	if (!q->config.enable || (!q->stopped && !q->doubtful && !q->ring.lost))
		differ(c, P_s_axil_bresp_o, 0, "RESUME of queue %u is taken, but no fault has stopped it",
		       queue);
	if (index + 1 < q->proven)
		differ(c, P_s_axil_bresp_o, 0, "RESUME of queue %u at command %u, which has run", queue,
		       index);
	if (index > (q->config.ring ? q->ring.tail : q->count))
		differ(c, P_s_axil_bresp_o, 0, "RESUME of queue %u at command %u, which it does not have",
		       queue, index);
	say(c, "queue %u goes on with command %u", queue, index);
	drop_doubtful(c, q, index);
	free_model(c, queue);
	q->submitted = q->stopped = q->doubtful = q->fault_reported = false;
	q->num_faults = 0;
	q->life++;
	q->changed_cycle = c->now->cycle;
	while (q->count < index)
		queue_append(c, queue, &none);
	if (q->config.ring) {
		q->count = index;
		q->ring.fetched = index;
		q->ring.closed = false;
		q->ring.allocated = q->ring.begun + q->ring.lost;
	}
	q->next = q->proven = index;
	tma_model_queue_status(c->model, queue, &status);
	q->offset = index - status.next_sequence;
	q->token_certain = false;
	q->first_cp = q->num_cps = q->num_over = 0;
	q->cp_failed = false;
	ring_look(c, queue);
}

void recover_cancel(struct check *c, uint32_t queue)
{
	struct queue *q = &c->queues[queue];

	if (!q->config.enable)
		differ(c, P_s_axil_bresp_o, 0, "CANCEL of queue %u is taken while it is disabled", queue);
	q->cancel_cycle = c->now->cycle;
}

static bool may_wait(const struct queue *q, const struct tma_command *command)
{
	switch (command->opcode) {
	case TMA_MBARRIER_TRY_WAIT:
	case TMA_BULK_WAIT_GROUP:
	case TMA_BULK_COMMIT_GROUP:
	case TMA_CP_ASYNC_COMMIT_GROUP:
	case TMA_CP_ASYNC_WAIT_GROUP:
	case TMA_CP_ASYNC_WAIT_ALL:
		return true;
	default:
		return q->config.ring &&
		       (command->flags & TMA_FLAG_RECORD || tma_command_answers(command->opcode));
	}
}

/* It waited if it can wait; that it still did when the cancel came, only its fault shows. */
bool recover_cancelled(struct check *c, uint32_t queue)
{
	struct queue *q = &c->queues[queue];
	const struct command *command = &q->commands[q->next];
	const struct tma_record *ahead = record_ahead(c, queue, q->next);
	struct tma_record fault = { .sequence = q->next,
		                    .queue = (uint8_t)queue,
		                    .kind = TMA_KIND_FAULT,
		                    .fault = TMA_FAULT_CANCELLED,
		                    .tag = command->command.tag };

	if (!ahead || ahead->fault != TMA_FAULT_CANCELLED || !may_wait(q, &command->command))
		return false;
	/* It has yet to come: until then the engine waits, whatever the model knows already. */
	if (!q->cancelled && (!q->cancel_cycle || q->cancel_cycle < command->cycle))
		return true;
	memcpy(&fault.address, &command->command, sizeof(fault.address));
	queue_stop(c, queue, &fault);
	return true;
}

/* Where a read stands: its first byte that has not come. */
static uint64_t undone(const struct check *c, const struct copy *copy)
{
	uint64_t first = copy->covered[read_path(copy)];

	for (unsigned id = 0; id < MAX_IDS; id++)
		for (size_t i = c->reads[id].head; i < c->reads[id].count; i++) {
			const struct burst *b = &c->reads[id].bursts[i];
			uint64_t at = b->offset + b->seen * c->shape.data_bytes;

			if (b->kind == BURST_COPY && b->copy == copy && at < first)
				first = at;
		}
	return copy_operand(copy, first);
}

static uint64_t unanswered(const struct check *c, const struct copy *copy, unsigned port)
{
	const struct burst_fifo *f = &c->responses[port][write_id(c, copy)];
	uint64_t first = copy->covered[path_of_port(c, copy, port)];

	for (size_t i = f->head; i < f->count; i++)
		if (f->bursts[i].kind == BURST_COPY && f->bursts[i].copy == copy) {
			first = f->bursts[i].offset;
			break;
		}
	return copy_operand(copy, first);
}

/* Bursts of the copy that a dead port will not answer. */
static uint32_t owed(const struct check *c, const struct copy *copy, unsigned port)
{
	const struct burst_fifo *f = &c->responses[port][write_id(c, copy)];
	uint32_t n = 0;

	for (size_t i = f->head; i < f->count; i++)
		n += f->bursts[i].kind == BURST_COPY && f->bursts[i].copy == copy;
	return n;
}

/* Copies that have something to come of this port fail; a multimem store goes on to its other ports. */
static void fail_copies(struct check *c, unsigned port)
{
	for (size_t i = c->first_open; i < c->num_copies; i++) {
		struct copy *copy = c->copies[i];
		unsigned path = path_of_port(c, copy, port);
		bool reads = copy->paths >> read_path(copy) & 1, writes = copy->paths >> path & 1;
		uint64_t address;

		if (copy->done)
			continue;
		/* Its map has not come whole. */
		if (copy->tensor && copy->tensor->blind && tensor_cut_off(c, copy))
			copy_done(c, copy);
		if (copy->done || !((reads && port == 0) || writes))
			continue;
		address = reads ? undone(c, copy) : unanswered(c, copy, port);
		copy->paths &= ~(1u << (reads ? (unsigned)read_path(copy) : path));
		if (!copy->prefetch) {
			copy->failed = true;
			queue_late_fault(c, copy, TMA_FAULT_PORT_DEAD, address);
			/* It may have stood at its map. */
			if (copy->tensor && !copy->begun && port == 0)
				(void)tensor_cut_off(c, copy);
		}
		if (copy->load)
			shared_forget(c, copy);
		if (!copy->multimem || !copy->paths) {
			copy_abandon(c, copy);
			continue;
		}
		copy->outstanding -= owed(c, copy, port);
		if (!copy->outstanding && copy_finished(copy))
			copy_done(c, copy);
	}
}

static void fail_records(struct check *c)
{
	const struct burst_fifo *f = &c->responses[0][0];

	for (size_t i = f->head; i < f->count; i++) {
		const struct burst *b = &f->bursts[i];
		struct queue *q = &c->queues[b->queue];

		if (b->kind != BURST_RECORD || !b->record || b->life != q->life)
			continue;
		q->ring.lost++;
		q->ring.pending = true;
		queue_fault_at(c, b->queue, b->record->record.sequence, b->record->record.tag,
		               TMA_FAULT_PORT_DEAD, b->record->slot);
	}
}

void recover_port_died(struct check *c)
{
	unsigned port = c->now->unit;

	say(c, "port %u is dead", port);
	c->dead |= 1u << port;
	c->answered_cycle[port] = c->now->cycle;
	fail_copies(c, port);
	if (port == 0) {
		fail_records(c);
		for (unsigned id = 0; id < MAX_IDS; id++)
			c->reads[id].head = c->reads[id].count = 0;
		for (uint32_t q = 0; q < c->shape.queues; q++) {
			c->queues[q].ring.fetched = c->queues[q].count;
			/* A record may have waited at the port. */
			c->queues[q].ring.lost += c->queues[q].ring.opened;
			c->queues[q].ring.pending = c->queues[q].ring.pending || c->queues[q].ring.opened;
			ring_look(c, q);
		}
	}
	c->data[port].head = c->data[port].count = 0;
	for (unsigned id = 0; id < WRITE_IDS; id++)
		c->responses[port][id].head = c->responses[port][id].count = 0;
	c->early[port].count = 0;
	reduce_forget(c, port);
	for (uint32_t q = 0; q < c->shape.queues; q++) {
		for (int d = 0; port == 0 && d < MAX_PATHS; d++)
			if (is_reads(d))
				c->queues[q].first_pending[d] = c->queues[q].num_pending[d] = 0;
		c->queues[q].first_pending[WRITES + port] = c->queues[q].num_pending[WRITES + port] = 0;
		c->queues[q].first_pending[REDUCES + port] = c->queues[q].num_pending[REDUCES + port] = 0;
		if (port == 0)
			c->queues[q].first_pending[SPREAD] = c->queues[q].num_pending[SPREAD] = 0;
	}
}
