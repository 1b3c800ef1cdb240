/* SPDX-License-Identifier: Apache-2.0 */
/* Completion rings: records of the queues that have one, written to global memory in order. */
#include <string.h>

#include "model.h"

static uint32_t slots(const struct queue *q)
{
	return 1u << q->config.completion_slots_log2;
}

static uint32_t taken(const struct queue *q)
{
	return q->status.producer - q->status.consumer;
}

/* Room for the record of a command: the last slot is a fault's. */
bool model_completion_room(const struct queue *q)
{
	return taken(q) < slots(q) - 1;
}

/* A record that cannot be written is lost, its slot is used all the same. Its fault is about the
 * command whose record it is, and is only counted if that is a fault already. */
static void write_record(struct tma_model *m, struct queue *q, struct tma_record record)
{
	uint32_t n = q->status.producer;
	uint32_t slot = n & (slots(q) - 1);
	uint64_t address = q->config.completion_base + (uint64_t)RECORD_BYTES * slot;
	struct row row = { m, q, FOR_RECORD, address, RECORD_BYTES };
	unsigned char bytes[RECORD_BYTES];
	struct fault fault = { 0 };

	record.phase = !(n >> q->config.completion_slots_log2 & 1);
	memcpy(bytes, &record, sizeof(bytes));
	model_global_change(&row, &(struct change){ .from = bytes, .byte_mask = ALL_BYTES }, &fault);
	q->status.producer++;
	q->interrupt_pending = true;
	m->counters.records++;
	if (fault.code)
		model_fault(m, q, record.sequence, record.tag, fault);
}

/* There is room, but perhaps not for a fault. */
void model_completion_put(struct tma_model *m, struct queue *q, const struct tma_record *record)
{
	if (taken(q) < slots(q)) {
		write_record(m, q, *record);
		return;
	}
	q->record = *record;
	q->record_waits = true;
}

int tma_model_consumer(struct tma_model *m, uint32_t queue, uint32_t consumer)
{
	struct queue *q;

	if (!model_valid_queue(m, queue))
		return TMA_MODEL_EINVAL;
	q = &m->queues[queue];
	if (!model_queue_active(q))
		return TMA_MODEL_ESTATE;
	if (consumer - q->status.consumer > taken(q))
		return TMA_MODEL_EINVAL;
	q->status.consumer = consumer;
	if (q->record_waits && taken(q) < slots(q)) {
		q->record_waits = false;
		write_record(m, q, q->record);
	}
	return 0;
}

uint32_t tma_model_interrupts(const struct tma_model *m)
{
	uint32_t interrupts = 0;

	for (uint32_t q = 0; m && q < m->config.queues; q++)
		if (m->queues[q].interrupt_pending && m->queues[q].interrupt_enable)
			interrupts |= 1u << q;
	return interrupts;
}
