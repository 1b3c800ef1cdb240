/* SPDX-License-Identifier: Apache-2.0 */
/* Executes the commands of all queues on the model, each as early as it may have run. */
#include <stdlib.h>
#include <string.h>

#include "tma_tables.h"
#include "wavecheck/check.h"

/* Of a try_wait: it ends with its phase alone. */
#define NO_LIMIT 0xffffffffu

static bool has(const struct tma_command *command, unsigned flag)
{
	return command->flags & flag;
}

void queue_accept(struct check *c)
{
	struct command command = { .fault = 0 };

	if (c->now->unit >= c->shape.queues || !c->queues[c->now->unit].config.enable)
		differ(c, P_cmd_ready_o, 0, "a command is accepted for queue %u, which is not enabled",
		       c->now->unit);
	if (c->queues[c->now->unit].config.ring)
		differ(c, P_cmd_ready_o, 0, "a command is accepted for queue %u, which has a ring",
		       c->now->unit);
	c->queues[c->now->unit].fresh = false;
	queue_begin_life(c, c->now->unit);
	memcpy(&command.command, event_data(c), sizeof(command.command));
	queue_append(c, c->now->unit, &command);
	say(c, "command %s", name_command(c->now->unit, c->queues[c->now->unit].count - 1, &command.command));
}

void queue_append(struct check *c, uint32_t queue, const struct command *command)
{
	struct queue *q = &c->queues[queue];

	q->commands = grow(q->commands, q->count, &q->capacity, sizeof(*q->commands));
	q->commands[q->count] = *command;
	q->commands[q->count++].cycle = c->now->cycle;
}

/* Barrier that a command works on itself; copies signal theirs later. NULL: none that exists. */
static struct barrier *own_barrier(struct check *c, const struct tma_command *command)
{
	uint32_t offset = command->barrier & 0xffffff, rank = command->barrier >> 24;

	if (command->opcode < TMA_MBARRIER_INIT || command->opcode > TMA_MBARRIER_TRY_WAIT ||
	    command->opcode == TMA_MBARRIER_PENDING_COUNT || command->barrier % 8 || rank >= c->shape.ctas ||
	    offset + 8 > c->shape.smem_bytes)
		return NULL;
	return barrier_at(c, rank, offset);
}

/* wait_group waits for the data of loads, with or without .read, and for the answers to stores; when the
 * sources of stores were read a dump does not show. */
static bool group_ready(const struct queue *q, const struct tma_command *command)
{
	if (command->opcode != TMA_BULK_WAIT_GROUP)
		return true;
	for (size_t i = 0; i < q->num_grouped; i++)
		if ((uint64_t)q->grouped[i]->group + command->count < q->commits &&
		    (q->grouped[i]->load || !has(command, TMA_FLAG_READ)))
			return false;
	return true;
}

/* A wait with a limit ends as the dump says. */
static void decide_try_wait(const struct check *c, uint32_t queue, struct tma_command *command)
{
	const struct tma_record *record = record_ahead(c, queue, c->queues[queue].next);

	if (command->opcode != TMA_MBARRIER_TRY_WAIT || !command->tx)
		return;
	command->tx = record && record->kind == TMA_KIND_ANSWER && !record->value ? 0 : NO_LIMIT;
}

/* A barrier that nothing is known of does what the dump says: it is dead, or takes anything. */
static void settle_tainted(struct check *c, uint32_t queue, const struct tma_command *command)
{
	const struct tma_record *record = record_ahead(c, queue, c->queues[queue].next);
	uint8_t *word = tma_model_smem(c->model, command->barrier >> 24) + (command->barrier & 0xffffff);
	uint64_t value = barrier_healthy();
	bool dead = record && record->kind == TMA_KIND_FAULT && record->fault == TMA_FAULT_BARRIER_DEAD;

	if (dead)
		value = 0;
	memcpy(word, &value, sizeof(value));
}

static void flip_phase(struct check *c, const struct tma_command *command)
{
	uint8_t *word = tma_model_smem(c->model, command->barrier >> 24) + (command->barrier & 0xffffff);

	word[TMA_BARRIER_PHASE_LSB / 8] ^= 1u << TMA_BARRIER_PHASE_LSB % 8;
}

/* Does the wait depend on what is not known? Then it may end at any time. */
static bool uncertain_wait(const struct queue *q, const struct barrier *b, const struct tma_command *command)
{
	return b->tainted || (has(command, TMA_FLAG_LAST_STATE) && q->token_tainted);
}

bool queue_wait_has_limit(const struct tma_command *command)
{
	return command->opcode == TMA_MBARRIER_TRY_WAIT && command->tx && command->tx != NO_LIMIT;
}

/* A wait with a limit may look at a phase that nobody keeps for it, or its answer may never be seen: it has run, so it
 * has seen one, or its time was over. */
static bool passing_wait(const struct check *c, uint32_t queue, const struct barrier *b)
{
	const struct queue *q = &c->queues[queue];

	return queue_wait_has_limit(&q->commands[q->next].command) &&
	       (b->copies || (b->queues & ~(1u << queue)) || !record_ahead(c, queue, q->next)) &&
	       (c->release >> queue & 1 || q->next < q->proven);
}

static void note_fault(struct queue *q, const struct tma_record *record)
{
	q->faults = grow(q->faults, q->num_faults, &q->faults_capacity, sizeof(*q->faults));
	q->faults[q->num_faults++] = (struct fault_seen){ .record = *record };
}

/* Effects on barriers, groups and copies of a command that has just left the model's queue. */
static void effects(struct check *c, uint32_t queue, const struct tma_command *command, struct copy *copy,
                    struct barrier *b, bool passed)
{
	struct queue *q = &c->queues[queue];
	uint32_t rank = command->barrier >> 24, offset = command->barrier & 0xffffff;

	if (command->opcode == TMA_BULK_COMMIT_GROUP)
		q->commits++;
	if (command->opcode == TMA_CANCEL && command->count < c->shape.queues)
		c->queues[command->count].cancelled = true;
	if (command->opcode == TMA_MAP_FENCE)
		map_fence(c, queue, command->global_address);
	cp_effects(c, queue, command);
	if (b && passed)
		barrier_awaited(c, b, queue);
	if (b && command->opcode != TMA_MBARRIER_TEST_WAIT && command->opcode != TMA_MBARRIER_TRY_WAIT)
		barrier_touch(c, queue, q->next - 1, rank, offset, false);
	if (b && (command->opcode == TMA_MBARRIER_INIT || command->opcode == TMA_MBARRIER_INVAL))
		b->tainted = false;
	if (command->opcode == TMA_MBARRIER_ARRIVE) {
		q->token = b;
		q->token_tainted = b && b->tainted;
		q->token_certain = b && !b->tainted && !b->copies && !(b->queues & ~(1u << queue));
	}
	if (copy)
		copy_start(c, copy);
}

/* May an answer about a barrier be compared? Later changes by others may still say no. */
static bool answer_certain(struct check *c, uint32_t queue, struct barrier *b, bool last_state)
{
	const struct queue *q = &c->queues[queue];

	if (last_state && !q->token_certain)
		return false;
	if (!b && last_state)
		b = q->token;
	if (!b)
		return true;
	if (b->tainted || b->copies || (b->queues & ~(1u << queue)))
		return false;
	b->open = grow(b->open, b->num_open, &b->open_capacity, sizeof(*b->open));
	b->open[b->num_open].queue = (uint8_t)queue;
	b->open[b->num_open++].expected = q->num_expected;
	return true;
}

void queue_stop(struct check *c, uint32_t queue, const struct tma_record *fault)
{
	struct queue *q = &c->queues[queue];

	note_fault(q, fault);
	q->stopped = true;
	if (!completion_place(c, queue, fault))
		q->fault_reported = true;
}

/* The model has ended the wait of another queue. Whether the engine has, its record says. */
static void undo_cancel(struct check *c, uint32_t queue)
{
	struct tma_queue_status status;

	tma_model_queue_status(c->model, queue, &status);
	tma_model_resume(c->model, queue, status.next_sequence);
}

/* A command that could not be fetched. */
static void stop_unfetched(struct check *c, uint32_t queue)
{
	struct queue *q = &c->queues[queue];
	struct tma_record fault = { .sequence = q->next,
		                    .queue = (uint8_t)queue,
		                    .kind = TMA_KIND_FAULT,
		                    .fault = q->commands[q->next].fault,
		                    .address = q->commands[q->next].fault_address };

	queue_stop(c, queue, &fault);
}

static void take_records(struct check *c, uint32_t queue, struct barrier *b, struct copy *copy,
                         bool *answered)
{
	struct queue *q = &c->queues[queue];
	const struct tma_command *command = &q->commands[q->next].command;
	bool last_state = has(command, TMA_FLAG_LAST_STATE);
	/* It has but one answer. */
	bool endless = command->opcode == TMA_MBARRIER_TRY_WAIT && command->tx == NO_LIMIT;
	const struct tma_record *ahead = record_ahead(c, queue, q->next);
	struct tma_record record;

	while (tma_model_next_record(c->model, &record) == 1) {
		if (record.queue != queue) {
			undo_cancel(c, record.queue);
			continue;
		}
		record.sequence += q->offset;
		if (record.kind == TMA_KIND_FAULT && copy && copy->tensor && tensor_late(c, copy, &record)) {
			undo_cancel(c, queue);
		} else if (record.kind == TMA_KIND_FAULT) {
			queue_stop(c, queue, &record);
		} else {
			/* The model may be ahead of a look at the phase. */
			*answered = *answered ||
			            (record.value && (ahead ? ahead->value : !queue_wait_has_limit(command)));
			if (!completion_place(c, queue, &record))
				continue;
			record_expect(c, queue, &record,
			              record.kind != TMA_KIND_ANSWER || endless ||
			                      answer_certain(c, queue, b, last_state));
		}
	}
}

/* Execute the queue's next command. False: it has to wait. */
static bool execute(struct check *c, uint32_t queue)
{
	struct queue *q = &c->queues[queue];
	struct tma_command command = q->commands[q->next].command;
	struct barrier *b = own_barrier(c, &command);
	struct copy *copy = NULL;
	bool answered = false, waits;

	if (q->commands[q->next].fault) {
		stop_unfetched(c, queue);
		return false;
	}
	if (recover_cancelled(c, queue))
		return false;
	if (!group_ready(q, &command) || !cp_ready(q, &command) || !completion_room(c, queue, &command))
		return false;
	waits = command.opcode == TMA_MBARRIER_TRY_WAIT;
	if (waits && b && uncertain_wait(q, b, &command) && !(c->release >> queue & 1) &&
	    q->next >= q->proven)
		return false;
	if (b && b->tainted)
		settle_tainted(c, queue, &command);
	if (!q->submitted) {
		decide_try_wait(c, queue, &command);
		tma_model_submit(c->model, queue, &command);
		q->submitted = true;
	}
	copy = copy_new(c, queue, &command);
	if (tma_model_step(c->model, queue) <= 0) {
		if (!waits || !b || !(uncertain_wait(q, b, &command) || passing_wait(c, queue, b)))
			return false;
		flip_phase(c, &command);
		if (tma_model_step(c->model, queue) <= 0)
			return false;
		flip_phase(c, &command);
	}
	q->submitted = false;
	take_records(c, queue, b, copy, &answered);
	if (q->stopped) {
		say(c, "fault   %s", name_command(queue, q->next, &command));
		if (copy)
			copy_cancel(c, copy);
		return false;
	}
	q->next++;
	c->commands++;
	effects(c, queue, &command, copy, b, answered && (waits || command.opcode == TMA_MBARRIER_TEST_WAIT));
	return true;
}

static bool may_go(const struct queue *q)
{
	if (!q->config.enable || q->stopped || q->next == q->count)
		return false;
	return !q->doubtful || q->next < q->proven;
}

void queue_run(struct check *c)
{
	bool more = true;

	while (more) {
		more = false;
		for (uint32_t q = 0; q < c->shape.queues; q++)
			while (may_go(&c->queues[q]) && execute(c, q))
				more = true;
	}
}

/* What the queue has run, or holds, behind the fault may have happened or not. */
void queue_late_fault(struct check *c, const struct copy *copy, uint16_t code, uint64_t address)
{
	say(c, "fault   %s: %s", name_copy(copy), tma_fault_info(code)->name);
	if (c->queues[copy->queue].config.enable && c->queues[copy->queue].life == copy->life)
		queue_fault_at(c, copy->queue, copy->sequence, copy->command.tag, code, address);
}

/* Copies from this command on may not have run. Of those that read nothing, nothing is seen. */
static void doubt_copies(struct check *c, uint32_t queue, uint32_t sequence)
{
	const struct queue *q = &c->queues[queue];

	for (size_t i = 0; i < c->num_copies; i++) {
		struct copy *copy = c->copies[i];

		if (copy->queue == queue && copy->life == q->life && copy->sequence >= sequence &&
		    !copy->begun && !copy->witnessed && (!copy->done || copy->sequence >= q->proven))
			copy->doubtful = true;
	}
}

void queue_fault_at(struct check *c, uint32_t queue, uint32_t sequence, uint32_t tag, uint16_t code,
                    uint64_t address)
{
	struct queue *q = &c->queues[queue];
	bool first = !q->stopped && !q->doubtful;
	struct tma_record record = { .sequence = sequence,
		                     .queue = (uint8_t)queue,
		                     .kind = TMA_KIND_FAULT,
		                     .fault = code,
		                     .address = address,
		                     .tag = tag };

	note_fault(q, &record);
	q->doubtful = true;
	for (size_t i = q->first_expected; i < q->num_expected; i++)
		if (q->expected[i].record.sequence > sequence)
			q->expected[i].doubtful = true;
	doubt_copies(c, queue, sequence + 1);
	barrier_taint_queue(c, queue, sequence + 1);
	if (first && !completion_place(c, queue, &record))
		q->fault_reported = true;
}

void queue_check_idle(struct check *c)
{
	for (uint32_t i = 0; i < c->shape.queues; i++) {
		struct queue *q = &c->queues[i];

		/* Idle, it holds no fault that has yet to stop its queue. */
		q->stopped = q->stopped || q->doubtful;
		if (!q->config.enable || q->stopped)
			continue;
		ring_check_idle(c, i);
		while (q->next < q->count && queue_release(c, 1u << i))
			;
		if (q->next < q->count && !q->stopped && !q->doubtful)
			differ(c, P_idle_o, 0, "the engine says idle, but %s cannot have run yet",
			       name_command(i, q->next, &q->commands[q->next].command));
		if (q->proven != q->next)
			q->proven_cycle = c->now->cycle;
		q->proven = q->next;
		for (unsigned d = 0; d < MAX_PATHS; d++)
			for (size_t p = q->first_pending[d]; p < q->num_pending[d]; p++)
				if (!q->pending[d][p]->doubtful && !q->pending[d][p]->denied &&
				    !q->pending[d][p]->failed)
					differ(c, is_reads((int)d) ? P_m_axi_arvalid_o : P_m_axi_awvalid_o,
					       port_of_path(d),
					       "the engine says idle, but a burst of %s is missing",
					       name_copy(q->pending[d][p]));
	}
	hint_check_idle(c);
	map_check_idle(c);
	reduce_check_idle(c);
	while (c->first_open < c->num_copies && c->copies[c->first_open]->done)
		c->first_open++;
	for (size_t i = c->first_open; i < c->num_copies; i++) {
		const struct copy *copy = c->copies[i];

		if (!copy->done && copy->outstanding)
			differ(c, P_idle_o, 0, "the engine says idle, but a burst of %s is not answered",
			       name_copy(copy));
	}
}

/* Where the next life may begin: no record before it is of that one. */
static size_t find_end(const struct check *c, uint32_t queue)
{
	const struct event *e = c->now, *last = c->log->events + c->log->count;
	bool ended = false;

	for (; e < last && !(ended && e->kind == EV_COMMAND && e->unit == queue); e++)
		ended = ended || event_ends_life(e, queue);
	return (size_t)(e - c->log->events);
}

/* Nothing more comes of the copies of ended lives: the queue has closed since. */
void queue_begin_life(struct check *c, uint32_t queue)
{
	struct queue *q = &c->queues[queue];

	if (q->life_end)
		return;
	q->life_end = find_end(c, queue);
	for (unsigned d = 0; d < MAX_PATHS; d++) {
		for (size_t p = q->first_pending[d]; p < q->num_pending[d]; p++)
			if (!q->pending[d][p]->done)
				copy_abandon(c, q->pending[d][p]);
		q->first_pending[d] = q->num_pending[d] = 0;
	}
	hint_forget(c, queue);
}

void queue_drop(struct check *c, uint32_t queue)
{
	struct queue *q = &c->queues[queue];

	for (size_t i = q->first_expected; i < q->num_expected; i++)
		q->expected[i].doubtful = true;
	if (!q->config.ring) {
		q->late = q->first_expected;
		q->late_end = q->num_expected;
		q->late_fault = !q->fault_reported;
	}
	for (unsigned d = 0; d < MAX_PATHS; d++)
		for (size_t p = q->first_pending[d]; p < q->num_pending[d]; p++)
			q->pending[d][p]->doubtful = true;
	hint_drop(c, queue);
	map_drop(c, queue);
	doubt_copies(c, queue, q->proven);
	barrier_taint_queue(c, queue, q->proven);
	q->count = q->next = q->proven = q->commits = 0;
	q->submitted = q->stopped = q->doubtful = q->fault_reported = false;
	q->num_faults = q->num_grouped = 0;
	q->first_waited = q->num_waited = 0;
	q->token_certain = q->token_tainted = false;
	cp_forget(q);
	if (q->ring.enabled && q->ring.pending)
		q->interrupt_cycle = c->now->cycle;
	ring_drop(c, queue);
	q->life++;
	q->offset = q->cancel_cycle = 0;
	q->cancelled = false;
	q->fresh = true;
	q->life_end = 0;
	q->changed_cycle = c->now->cycle;
}

void queue_restart(struct check *c, uint32_t queue)
{
	struct tma_queue_config off = setup_config(c, queue, false), on = setup_config(c, queue, true);

	say(c, "queue %u is reset", queue);
	tma_model_queue(c->model, queue, &off);
	queue_drop(c, queue);
	tma_model_queue(c->model, queue, &on);
}
