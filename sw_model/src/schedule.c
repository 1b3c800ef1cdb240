/* SPDX-License-Identifier: Apache-2.0 */
/* Which command goes next, and what becomes of it. */
#include "model.h"

#define NO_LIMIT 0xffffffffu

static void retire(const struct issue *issue, const struct outcome *outcome)
{
	struct queue *q = issue->queue;
	uint32_t sequence = q->status.next_sequence;

	if (has_flag(issue->command, TMA_FLAG_RECORD) || tma_command_answers(issue->command->opcode))
		model_record_answer(issue, outcome->kind, outcome->value);
	model_fifo_drop(&q->commands);
	q->status.next_sequence++;
	issue->model->counters.commands++;
	if (outcome->fault.code)
		model_record_fault(issue, sequence, outcome->fault);
}

/* A command that breaks a rule stays at the head: it has never left its queue. */
static int step(struct tma_model *m, uint32_t queue, bool timed_out)
{
	struct queue *q = &m->queues[queue];
	struct tma_command command;
	struct issue issue = { .model = m, .queue = q, .command = &command, .timed_out = timed_out };
	struct outcome outcome;
	struct fault fault;

	if (!q->config.enable || q->status.faulted || !model_fifo_peek(&q->commands, &command))
		return 0;
	if (model_record_reserve(m))
		return TMA_MODEL_ENOMEM;
	q->status.waiting = 0;
	issue.operation = model_operation(command.opcode);
	fault = model_check(&issue);
	if (fault.code) {
		model_record_fault(&issue, q->status.next_sequence, fault);
		return 1;
	}
	outcome = issue.operation->execute(&issue);
	if (outcome.blocked) {
		q->status.waiting = 1;
		return 0;
	}
	retire(&issue, &outcome);
	return 1;
}

int tma_model_step(struct tma_model *m, uint32_t queue)
{
	if (!m || queue >= m->config.queues)
		return TMA_MODEL_EINVAL;
	return step(m, queue, false);
}

static int step_all(struct tma_model *m)
{
	int executed = 0;

	for (uint32_t queue = 0; queue < m->config.queues; queue++) {
		int result = step(m, queue, false);

		if (result < 0)
			return result;
		executed += result;
	}
	return executed;
}

/* End the blocked try_wait with the smallest limit; the lowest queue among equals. */
static int expire_one(struct tma_model *m)
{
	uint32_t smallest = NO_LIMIT;
	uint32_t queue = 0;

	for (uint32_t i = 0; i < m->config.queues; i++) {
		struct tma_command head;

		if (!m->queues[i].status.waiting || !model_fifo_peek(&m->queues[i].commands, &head) ||
		    head.tx >= smallest)
			continue;
		smallest = head.tx;
		queue = i;
	}
	return smallest == NO_LIMIT ? 0 : step(m, queue, true);
}

int tma_model_run(struct tma_model *m)
{
	int executed = 0;
	int result;

	if (!m)
		return TMA_MODEL_EINVAL;
	do {
		result = step_all(m);
		if (!result)
			result = expire_one(m);
		if (result < 0)
			return result;
		executed += result;
	} while (result);
	return executed;
}
