/* SPDX-License-Identifier: Apache-2.0 */
/* Completion records against those of the model. */
#include <stdlib.h>
#include <string.h>

#include "tma_tables.h"
#include "wavecheck/check.h"

static struct tma_record record_of(const struct check *c, size_t event)
{
	struct tma_record record;

	memcpy(&record, c->log->bytes + c->log->events[event].data, sizeof(record));
	return record;
}

/* Per queue, where its records are: waits with a limit look ahead. */
void record_index(struct check *c)
{
	for (size_t i = 0; i < c->log->count; i++) {
		const struct event *e = &c->log->events[i];
		uint8_t queue;

		if (e->kind != EV_RECORD)
			continue;
		queue = record_of(c, i).queue;
		if (queue < c->shape.queues) {
			struct queue *q = &c->queues[queue];

			q->records =
				grow(q->records, q->num_records, &q->records_capacity, sizeof(*q->records));
			q->records[q->num_records++] = i;
		}
	}
}

const struct tma_record *record_ahead(const struct check *c, uint32_t queue, uint32_t sequence)
{
	static struct tma_record record;
	const struct queue *q = &c->queues[queue];

	for (size_t i = q->ring.next_seen; q->config.ring && i < q->ring.num_placed; i++)
		if (q->ring.placed[i].whole && q->ring.placed[i].record.sequence == sequence)
			return &q->ring.placed[i].record;
	for (size_t i = q->next_record; !q->config.ring && i < q->num_records && q->records[i] < q->life_end;
	     i++) {
		record = record_of(c, q->records[i]);
		if (record.sequence == sequence)
			return &record;
		if (record.kind != TMA_KIND_FAULT && record.sequence > sequence)
			break;
	}
	return NULL;
}

void record_expect(struct check *c, uint32_t queue, const struct tma_record *record, bool compare_value)
{
	struct queue *q = &c->queues[queue];

	q->expected = grow(q->expected, q->num_expected, &q->expected_capacity, sizeof(*q->expected));
	q->expected[q->num_expected++] =
		(struct expected){ .record = *record, .compare_value = compare_value, .life = q->life };
}

static void compare(const struct check *c, const struct tma_record *seen, const struct tma_record *by_model,
                    bool value, enum port port)
{
	const char *name = tma_kind_name(seen->kind);

	if (seen->kind != by_model->kind)
		differ(c, port, 0, "record %u of queue %u: kind %s, by the model %s", seen->sequence,
		       seen->queue, name ? name : "unknown", tma_kind_name(by_model->kind));
	if (seen->tag != by_model->tag)
		differ(c, port, 0, "record %u of queue %u: tag 0x%x, by the model 0x%x", seen->sequence,
		       seen->queue, seen->tag, by_model->tag);
	if (seen->fault != by_model->fault)
		differ(c, port, 0, "record %u of queue %u: fault 0x%04x, by the model 0x%04x", seen->sequence,
		       seen->queue, seen->fault, by_model->fault);
	if (seen->address != by_model->address)
		differ(c, port, 0, "record %u of queue %u: address 0x%llx, by the model 0x%llx",
		       seen->sequence, seen->queue, (unsigned long long)seen->address,
		       (unsigned long long)by_model->address);
	if (value && seen->value != by_model->value)
		differ(c, port, 0, "record %u of queue %u: value 0x%llx, by the model 0x%llx", seen->sequence,
		       seen->queue, (unsigned long long)seen->value, (unsigned long long)by_model->value);
	if (seen->phase)
		differ(c, port, 0, "record %u of queue %u: phase 0x%x, must be 0", seen->sequence,
		       seen->queue, seen->phase);
}

static unsigned likeness(const struct tma_record *by_model, const struct tma_record *seen)
{
	return by_model->fault != seen->fault ? 0 : by_model->address != seen->address ? 1 : 2;
}

/* A command may have failed in more than one way; any of them may be the first. */
static const struct tma_record *nearest(const struct queue *q, const struct tma_record *seen)
{
	const struct tma_record *near = NULL;

	for (size_t i = 0; i < q->num_faults; i++) {
		const struct tma_record *by_model = &q->faults[i].record;

		if (by_model->sequence == seen->sequence &&
		    (!near || likeness(by_model, seen) > likeness(near, seen)))
			near = by_model;
	}
	return near;
}

static void fault_seen(struct check *c, const struct tma_record *seen, enum port port)
{
	struct queue *q = &c->queues[seen->queue];
	const struct tma_record *near;

	/* Of what the queue was before: its faults are forgotten. */
	if (q->fresh)
		return;
	if (q->fault_reported)
		differ(c, port, 0, "a second fault record of queue %u", seen->queue);
	/* An overrun names the command that would have been the next. */
	if (seen->fault != TMA_FAULT_RING_OVERRUN)
		queue_prove(c, seen->queue, seen->sequence);
	else if (seen->sequence)
		queue_prove(c, seen->queue, seen->sequence - 1);
	near = nearest(q, seen);
	if (!near && barrier_explains(c, seen))
		near = nearest(q, seen);
	if (!near && reduce_explains(c, seen)) {
		q->fault_reported = true;
		return;
	}
	if (!near && q->num_faults)
		differ(c, port, 0, "a fault of command %u of queue %u, by the model of command %u",
		       seen->sequence, seen->queue, q->faults[0].record.sequence);
	if (!near)
		differ(c, port, 0, "fault 0x%04x of command %u of queue %u, by the model there is none",
		       seen->fault, seen->sequence, seen->queue);
	compare(c, seen, near, true, port);
	q->fault_reported = true;
}

/* Of a former life, which may have been dropped: then the record is of this one. */
static bool passed_over(const struct queue *q, const struct expected *e, const struct tma_record *seen)
{
	return e->life != q->life && e->doubtful && !q->fresh &&
	       (e->record.kind != seen->kind || e->record.tag != seen->tag ||
	        (e->compare_value && e->record.value != seen->value));
}

static void answer_seen(struct check *c, const struct tma_record *seen, enum port port)
{
	struct queue *q = &c->queues[seen->queue];

	queue_prove(c, seen->queue, seen->sequence);
	while (q->first_expected < q->num_expected) {
		const struct expected *e = &q->expected[q->first_expected++];

		if (passed_over(q, e, seen))
			continue;
		if (e->record.sequence == seen->sequence) {
			if (e->record.kind == TMA_KIND_ANSWER) {
				c->answers.all++;
				c->answers.compared += e->compare_value;
			}
			compare(c, seen, &e->record, e->compare_value, port);
			return;
		}
		if (!e->doubtful)
			differ(c, port, 0, "record %u of queue %u, by the model record %u comes first",
			       seen->sequence, seen->queue, e->record.sequence);
	}
	if (seen->sequence < q->count && seen->sequence >= q->next)
		differ(c, port == P_rsp_o ? P_rsp_valid_o : P_m_axi_awvalid_o, 0,
		       "record %u of queue %u, but %s cannot have run yet", seen->sequence, seen->queue,
		       name_command(seen->queue, q->next, &q->commands[q->next].command));
	differ(c, port, 0, "record %u of queue %u, by the model there is none", seen->sequence, seen->queue);
}

/* Software knows now what the queue has waited for. */
static void witness(struct queue *q, uint32_t sequence)
{
	while (q->first_waited < q->num_waited && q->waited[q->first_waited].sequence <= sequence)
		q->waited[q->first_waited++].copy->witnessed = true;
}

void record_take(struct check *c, const struct tma_record *seen, enum port port)
{
	const char *kind = tma_kind_name(seen->kind);

	say(c, "record  %u of queue %u: %s, value 0x%llx, fault 0x%04x", seen->sequence, seen->queue,
	    kind ? kind : "unknown kind", (unsigned long long)seen->value, seen->fault);
	if (seen->queue >= c->shape.queues)
		differ(c, port, 0, "a record of queue %u, which is not built", seen->queue);
	c->records++;
	if (seen->kind == TMA_KIND_FAULT)
		fault_seen(c, seen, port);
	else
		answer_seen(c, seen, port);
	witness(&c->queues[seen->queue], seen->sequence);
}

/* On the response port, of a queue that has become a ring: of its life before. */
static void late_seen(struct check *c, const struct tma_record *seen)
{
	struct queue *q = &c->queues[seen->queue];
	bool found = seen->kind == TMA_KIND_FAULT && q->late_fault;

	say(c, "record  %u of queue %u, which had no ring then", seen->sequence, seen->queue);
	if (found)
		q->late_fault = false;
	while (!found && q->late < q->late_end) {
		const struct expected *e = &q->expected[q->late++];

		found = e->record.sequence == seen->sequence;
		if (found)
			compare(c, seen, &e->record, e->compare_value, P_rsp_o);
	}
	if (!found)
		differ(c, P_rsp_valid_o, 0, "a record of queue %u, whose records go to a ring", seen->queue);
	c->records++;
}

void record_seen(struct check *c)
{
	struct tma_record seen = record_of(c, (size_t)(c->now - c->log->events));

	if (seen.queue < c->shape.queues && c->queues[seen.queue].config.ring)
		late_seen(c, &seen);
	else
		record_take(c, &seen, P_rsp_o);
	c->queues[seen.queue].next_record++;
}

/* The dump ends and the engine is idle: nothing is on its way any more, except to a response port
 * that is not ready. */
void record_check_end(struct check *c)
{
	if (dump_get(c->dump, P_rsp_valid_o, 0))
		return;
	for (uint32_t i = 0; i < c->shape.queues; i++) {
		const struct queue *q = &c->queues[i];

		enum port port = q->config.ring ? P_m_axi_awvalid_o : P_rsp_valid_o;

		for (size_t e = q->first_expected; e < q->num_expected; e++)
			if (!q->expected[e].doubtful && !(q->config.ring && c->dead & 1))
				differ(c, port, 0, "record %u of queue %u is missing",
				       q->expected[e].record.sequence, i);
		if (q->config.enable && q->num_faults && !q->fault_reported && completion_can_fault(c, i))
			differ(c, port, 0, "the fault record of queue %u is missing", i);
	}
}
