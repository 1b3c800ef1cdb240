/* SPDX-License-Identifier: Apache-2.0 */
/* Records of what became of commands, and the faults that stop a queue. */
#include "model.h"
#include "tma_tables.h"

/* A copy may write one record when it issues and one when it faults, a cancel its own and the fault of
 * the queue that it cancels. */
#define RECORDS_PER_COMMAND 2

/* Room for the records of any command on the response port of the direct queues. */
int model_record_reserve(struct tma_model *m)
{
	return model_fifo_reserve(&m->records, RECORDS_PER_COMMAND);
}

static bool writes_record(const struct tma_command *command)
{
	return has_flag(command, TMA_FLAG_RECORD) || tma_command_answers(command->opcode);
}

bool model_record_room(const struct issue *issue)
{
	return !issue->queue->config.ring || !writes_record(issue->command) ||
	       model_completion_room(issue->queue);
}

static void put(struct tma_model *m, struct queue *q, struct tma_record record)
{
	record.queue = (uint8_t)(q - m->queues);
	if (q->config.ring) {
		model_completion_put(m, q, &record);
		return;
	}
	model_fifo_push(&m->records, &record);
	m->counters.records++;
}

/* The record of a command that leaves its queue, if it writes one. */
void model_record_answer(const struct issue *issue, uint8_t kind, uint64_t value)
{
	if (writes_record(issue->command))
		put(issue->model, issue->queue,
		    (struct tma_record){ .sequence = issue->queue->status.next_sequence,
		                         .kind = kind,
		                         .value = value,
		                         .tag = issue->command->tag });
}

/* Stop the queue and announce why; a fault of a queue that has stopped is only counted. The command may
 * have left its queue. */
void model_fault(struct tma_model *m, struct queue *q, uint32_t sequence, uint32_t tag, struct fault fault)
{
	struct tma_queue_status *status = &q->status;

	m->counters.faults++;
	if (status->fault_count < UINT16_MAX)
		status->fault_count++;
	if (status->faulted)
		return;
	status->faulted = 1;
	status->fault = fault.code;
	status->fault_sequence = sequence;
	status->fault_tag = tag;
	status->fault_address = fault.address;
	q->asleep = false;
	status->waiting = 0;
	status->full = 0;
	put(m, q,
	    (struct tma_record){ .sequence = sequence,
	                         .kind = TMA_KIND_FAULT,
	                         .fault = fault.code,
	                         .address = fault.address,
	                         .tag = tag });
}

int tma_model_next_record(struct tma_model *m, struct tma_record *record)
{
	if (!m || !record)
		return TMA_MODEL_EINVAL;
	if (!model_fifo_peek(&m->records, record))
		return 0;
	model_fifo_drop(&m->records);
	return 1;
}
