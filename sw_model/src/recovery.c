/* SPDX-License-Identifier: Apache-2.0 */
/* How a stopped or blocked queue goes on: resume, reset, cancel. */
#include "model.h"

int tma_model_resume(struct tma_model *m, uint32_t queue, uint32_t index)
{
	struct queue *q;
	uint32_t dropped;

	if (!model_valid_queue(m, queue))
		return TMA_MODEL_EINVAL;
	q = &m->queues[queue];
	if (!q->status.faulted || q->record_waits || q->in_flight)
		return TMA_MODEL_ESTATE;
	dropped = index - q->status.next_sequence;
	if (dropped > model_queue_held(q))
		return TMA_MODEL_EINVAL;
	if (!q->config.ring)
		for (uint32_t i = 0; i < dropped; i++)
			model_fifo_drop(&q->commands);
	q->status.next_sequence = index;
	q->status.faulted = 0;
	q->status.fault = TMA_FAULT_NONE;
	q->status.fault_count = 0;
	q->status.fault_sequence = 0;
	q->status.fault_tag = 0;
	q->status.fault_address = 0;
	return 0;
}

int tma_model_reset(struct tma_model *m, uint32_t queue)
{
	if (!model_valid_queue(m, queue))
		return TMA_MODEL_EINVAL;
	if (!m->queues[queue].config.enable)
		return TMA_MODEL_ESTATE;
	model_queue_clear(&m->queues[queue]);
	return 0;
}

/* A queue that does not wait goes on as it was. */
void model_end_wait(struct tma_model *m, struct queue *q)
{
	if (q->asleep)
		model_fault(m, q, q->status.next_sequence, q->sleeper.tag,
		            (struct fault){ TMA_FAULT_CANCELLED, model_command_header(&q->sleeper) });
}

int tma_model_cancel(struct tma_model *m, uint32_t queue)
{
	if (!model_valid_queue(m, queue))
		return TMA_MODEL_EINVAL;
	if (!m->queues[queue].config.enable)
		return TMA_MODEL_ESTATE;
	if (model_record_reserve(m))
		return TMA_MODEL_ENOMEM;
	model_end_wait(m, &m->queues[queue]);
	return 0;
}

/* A queue that cancels itself does not wait: this is its command. */
struct outcome model_cancel_command(const struct issue *issue)
{
	model_end_wait(issue->model, &issue->model->queues[issue->command->count]);
	return (struct outcome){ .kind = TMA_KIND_RETIRED };
}
