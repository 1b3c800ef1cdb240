/* SPDX-License-Identifier: Apache-2.0 */
/* Completion records, in the order in which commands caused them. */
#include "model.h"

/* A copy may write one record when it issues and one when it faults. */
#define RECORDS_PER_COMMAND 2

int model_record_reserve(struct tma_model *m)
{
	return model_fifo_reserve(&m->records, RECORDS_PER_COMMAND);
}

static void push(const struct issue *issue, struct tma_record record)
{
	record.queue = (uint8_t)(issue->queue - issue->model->queues);
	record.tag = issue->command->tag;
	model_fifo_push(&issue->model->records, &record);
	issue->model->counters.records++;
}

void model_record_answer(const struct issue *issue, uint8_t kind, uint64_t value)
{
	push(issue, (struct tma_record){
			    .sequence = issue->queue->status.next_sequence, .kind = kind, .value = value });
}

/* Stop the queue. Sequence is that of the faulting command, which may have left it. */
void model_record_fault(const struct issue *issue, uint32_t sequence, struct fault fault)
{
	struct tma_queue_status *status = &issue->queue->status;

	push(issue, (struct tma_record){ .sequence = sequence,
	                                 .kind = TMA_KIND_FAULT,
	                                 .fault = fault.code,
	                                 .address = fault.address });
	status->faulted = 1;
	status->fault = fault.code;
	status->fault_count++;
	status->fault_sequence = sequence;
	status->fault_tag = issue->command->tag;
	status->fault_address = fault.address;
	issue->model->counters.faults++;
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
