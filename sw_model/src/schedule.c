/* SPDX-License-Identifier: Apache-2.0 */
/* Which command goes next, and what becomes of it. */
#include "model.h"

static void retire(const struct issue *issue, const struct outcome *outcome)
{
	struct queue *q = issue->queue;
	uint32_t sequence = q->status.next_sequence;

	model_record_answer(issue, outcome->kind, outcome->value);
	if (!q->config.ring)
		model_fifo_drop(&q->commands);
	q->status.next_sequence++;
	issue->model->counters.commands++;
	if (outcome->fault.code)
		model_fault(issue->model, q, sequence, issue->command->tag, outcome->fault);
}

static void sleep_on(struct queue *q, const struct tma_command *command, bool full)
{
	q->asleep = true;
	q->sleeper = *command;
	q->status.waiting = 1;
	q->status.full = full;
}

static void wake(struct queue *q)
{
	q->asleep = false;
	q->status.waiting = 0;
	q->status.full = 0;
}

/* A command that breaks a rule stays at the head: it has never left its queue. Rules come before the
 * room for the record, which a command that breaks one does not need. */
static int try_head(struct issue *issue, const struct tma_command *command)
{
	struct outcome outcome;
	struct fault fault;

	issue->command = command;
	issue->operation = model_operation(command->opcode);
	fault = model_check(issue);
	if (fault.code) {
		model_fault(issue->model, issue->queue, issue->queue->status.next_sequence, command->tag,
		            fault);
		return 1;
	}
	if (!model_record_room(issue)) {
		sleep_on(issue->queue, command, true);
		return 0;
	}
	outcome = issue->model->late ? model_late_execute(issue) : issue->operation->execute(issue);
	if (outcome.blocked) {
		sleep_on(issue->queue, command, false);
		return 0;
	}
	retire(issue, &outcome);
	return 1;
}

static int step_head(struct tma_model *m, struct queue *q, bool timed_out)
{
	struct issue issue = { .model = m, .queue = q, .timed_out = timed_out };
	struct tma_command command;
	struct fault fault = { 0 };

	if (!model_head(m, q, &command, &fault))
		return 0;
	if (model_record_reserve(m) || (m->late && model_late_reserve(m->late)))
		return TMA_MODEL_ENOMEM;
	wake(q);
	if (fault.code) {
		model_fault(m, q, q->status.next_sequence, 0, fault);
		return 1;
	}
	return try_head(&issue, &command);
}

static int step(struct tma_model *m, uint32_t queue, bool timed_out)
{
	struct queue *q = &m->queues[queue];

	return model_queue_active(q) && !q->status.faulted ? step_head(m, q, timed_out) : 0;
}

int model_step(struct tma_model *m, uint32_t queue, bool timed_out)
{
	return step(m, queue, timed_out);
}

int tma_model_step(struct tma_model *m, uint32_t queue)
{
	if (!model_valid_queue(m, queue))
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

/* End the blocked try_wait with the smallest limit; the lowest queue among equals. Its time does not run
 * while there is no room for its answer. */
int model_expire_one(struct tma_model *m)
{
	uint32_t smallest = NO_LIMIT;
	uint32_t queue = 0;

	for (uint32_t i = 0; i < m->config.queues; i++) {
		const struct queue *q = &m->queues[i];

		if (!q->asleep || q->status.full || q->sleeper.tx >= smallest)
			continue;
		smallest = q->sleeper.tx;
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
	if (m->late)
		return model_late_run(m);
	do {
		result = step_all(m);
		if (!result)
			result = model_expire_one(m);
		if (result < 0)
			return result;
		executed += result;
	} while (result);
	return executed;
}
