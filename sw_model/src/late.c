/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who moves next, of a model with a seed: a queue issues its next command, or a copy in flight goes on a little.
 *
 * Queues and copies have paces, drawn by chance: of two, that with the higher one moves more often. Some copies are
 * held for a while, until which they move only if nothing else can. So everything that may come early or late does, for
 * some seeds, and all of it comes.
 */
#include <stdlib.h>

#include "late.h"

#define HELD_MAX       1024u /* moves */
#define GROUPS_MAX     32u   /* unfinished; a commit more waits */
#define TIME_OUTS      4u    /* of so many chances a wait takes one, once its limit is over */
#define FIRST_ROOM     16u
#define GENERATOR_STEP UINT64_C(0x9E3779B97F4A7C15)

struct late *model_late_new(uint64_t seed)
{
	static const uint32_t paces[] = { 2, 8, 32 };
	struct late *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->chance = seed;
	for (uint32_t q = 0; q < TMA_MODEL_MAX_QUEUES; q++)
		l->pace[q] = paces[model_chance(l, 3)];
	return l;
}

static void free_flight(struct flight *f)
{
	if (f)
		free(f->bytes);
	free(f);
}

void model_late_free(struct late *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->count; i++)
		free_flight(l->flights[i]);
	free(l->flights);
	free(l->spare);
	free(l);
}

/* 0..below-1: SplitMix64. */
uint32_t model_chance(struct late *l, uint32_t below)
{
	uint64_t z = l->chance += GENERATOR_STEP;

	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return (uint32_t)(((z ^ z >> 31) >> 32) * below >> 32);
}

/* How a copy goes on from here. */
void model_flight_pace(struct late *l, struct flight *f)
{
	static const uint32_t paces[] = { 1, 1, 4, 4, 16, 16, 64 };
	uint32_t drawn = model_chance(l, 8);

	f->pace = drawn < 7 ? paces[drawn] : 1;
	f->held_until = drawn < 7 ? 0 : l->now + 1 + model_chance(l, HELD_MAX);
}

/*
 * Issue.
 */

/* Room for a copy more. TMA_MODEL_ENOMEM: nothing changed. */
int model_late_reserve(struct late *l)
{
	size_t room = l->room ? 2 * l->room : FIRST_ROOM;
	struct flight **flights;

	if (!l->spare)
		l->spare = malloc(sizeof(*l->spare));
	if (!l->spare)
		return TMA_MODEL_ENOMEM;
	if (l->count < l->room)
		return 0;
	flights = realloc(l->flights, room * sizeof(struct flight *));
	if (!flights)
		return TMA_MODEL_ENOMEM;
	l->flights = flights;
	l->room = room;
	return 0;
}

static void take_off(const struct issue *issue, const struct course *course)
{
	struct late *l = issue->model->late;
	struct tma_queue_status *status = &issue->queue->status;
	struct flight *f = l->spare;

	l->spare = NULL;
	l->flights[l->count++] = f;
	*f = (struct flight){ .command = *issue->command,
		              .issue = *issue,
		              .course = course,
		              .sequence = status->next_sequence,
		              .member = model_flight_member(issue),
		              .favourite = model_chance(l, TMA_MODEL_MAX_CTAS) };
	f->issue.command = &f->command;
	f->group = f->member == CP_WRITES ? status->copy_groups : status->groups;
	status->open_loads += f->member == BULK_READS;
	status->open_stores += f->member == BULK_WRITES;
	status->open_copies += f->member == CP_WRITES;
	issue->queue->in_flight++;
	model_flight_pace(l, f);
}

static bool is_cp(enum member member)
{
	return member == CP_WRITES;
}

/* Is a group unfinished that is not among the youngest `n` of `groups`? With `reads` alone: not read. */
static bool unfinished(const struct issue *issue, bool cp, uint32_t groups, uint32_t n, bool reads)
{
	const struct late *l = issue->model->late;

	for (size_t i = 0; i < l->count; i++) {
		const struct flight *f = l->flights[i];

		if (f->issue.queue != issue->queue || f->member == NO_GROUP || is_cp(f->member) != cp ||
		    groups - f->group <= n)
			continue;
		if (!((reads || f->member == BULK_READS) && model_flight_read(f)))
			return true;
	}
	return false;
}

static bool blocked(const struct issue *issue)
{
	const struct tma_queue_status *status = &issue->queue->status;
	const struct tma_command *c = issue->command;

	switch (c->opcode) {
	case TMA_BULK_COMMIT_GROUP:
		return unfinished(issue, false, status->groups, GROUPS_MAX - 1, false);
	case TMA_BULK_WAIT_GROUP:
		return unfinished(issue, false, status->groups, c->count, has_flag(c, TMA_FLAG_READ));
	case TMA_CP_ASYNC_COMMIT_GROUP:
		return unfinished(issue, true, status->copy_groups, GROUPS_MAX - 1, false);
	case TMA_CP_ASYNC_WAIT_GROUP:
		return unfinished(issue, true, status->copy_groups, c->count, false);
	case TMA_CP_ASYNC_WAIT_ALL:
		return unfinished(issue, true, status->copy_groups + 1, 0, false);
	default:
		return false;
	}
}

/* It is done when it has issued: a program can wait for none of its bytes. */
static bool moves_no_bytes(const struct issue *issue)
{
	return issue->operation->operands & OPERAND_SIZE && !issue->command->size;
}

/* A multicast of a tensor to nobody does not even read its map. */
static bool does_nothing(const struct issue *issue)
{
	return issue->command->opcode == TMA_TENSOR_LOAD && !model_targets(issue);
}

/* In the place of the operation's own: a copy takes off, a group is waited for. */
struct outcome model_late_execute(const struct issue *issue)
{
	const struct course *course = model_course(issue->command->opcode);
	struct outcome outcome = { .kind = TMA_KIND_RETIRED };

	outcome.blocked = blocked(issue);
	if (outcome.blocked || does_nothing(issue))
		return outcome;
	if (!course || moves_no_bytes(issue))
		return issue->operation->execute(issue);
	if (issue->command->opcode == TMA_CP_ASYNC_MBARRIER_ARRIVE)
		model_cp_announce(issue);
	take_off(issue, course);
	return outcome;
}

/*
 * Ends.
 */

/* After a cp.async that has failed, the arrivals that wait for it never come. */
static void drop_arrivals(const struct late *l, size_t index)
{
	const struct flight *failed = l->flights[index];

	for (size_t i = index + 1; i < l->count; i++)
		if (l->flights[i]->issue.queue == failed->issue.queue)
			l->flights[i]->dropped = true;
}

/* A fault of a life that is over is taken and forgotten. */
static void land(struct tma_model *m, size_t index)
{
	struct late *l = m->late;
	struct flight *f = l->flights[index];
	struct queue *q = f->issue.queue;

	if (f->fault.code && is_cp(f->member))
		drop_arrivals(l, index);
	l->count--;
	for (size_t i = index; i < l->count; i++)
		l->flights[i] = l->flights[i + 1];
	if (f->fault.code && q->closing)
		m->counters.faults++;
	else if (f->fault.code)
		model_fault(m, q, f->sequence, f->command.tag, f->fault);
	q->in_flight--;
	q->closing = q->closing && q->in_flight;
	free_flight(f);
}

static int move(struct tma_model *m, size_t index)
{
	int done = model_flight_move(m->late, m->late->flights[index]);

	if (done < 0)
		return done;
	if (done)
		land(m, index);
	return 1;
}

/*
 * Who is next.
 */

/* Somebody who could move: a queue, or a copy in flight. */
struct mover {
	bool is_queue;
	size_t index;
};

/* Movers come one by one, and one of them stays, by the weight of each. */
struct choice {
	struct mover chosen;
	uint32_t weight; /* of all so far; 0: none has come */
};

static void consider(struct late *l, struct choice *c, struct mover mover, uint32_t weight)
{
	c->weight += weight;
	if (weight && model_chance(l, c->weight) < weight)
		c->chosen = mover;
}

/* An arrival waits for the cp.async of its queue in front of it; a tensor copy reads its map behind the tensor
 * prefetches: nothing else tells of these that they have theirs. */
static bool can_move(const struct late *l, size_t index)
{
	const struct flight *f = l->flights[index], *early;
	bool arrives = f->command.opcode == TMA_CP_ASYNC_MBARRIER_ARRIVE;
	bool needs_map =
		!f->started && (f->command.opcode == TMA_TENSOR_LOAD || model_to_tensor(&f->command));

	for (size_t i = 0; (arrives || needs_map) && i < index; i++) {
		early = l->flights[i];
		if (early->issue.queue == f->issue.queue &&
		    (arrives ? is_cp(early->member) : early->command.opcode == TMA_TENSOR_PREFETCH))
			return false;
	}
	return true;
}

/* Queues with a head that is not in `tried`, and copies; those that are held only if nobody else is there. */
static bool choose(struct tma_model *m, uint32_t tried, bool held, struct mover *mover)
{
	struct late *l = m->late;
	struct choice c = { .weight = 0 };

	for (uint32_t q = 0; q < m->config.queues; q++)
		if (!(tried >> q & 1))
			consider(l, &c, (struct mover){ true, q }, l->pace[q]);
	for (size_t i = 0; i < l->count; i++)
		if (can_move(l, i) && (held || l->flights[i]->held_until <= l->now))
			consider(l, &c, (struct mover){ false, i }, l->flights[i]->pace);
	*mover = c.chosen;
	return c.weight;
}

static bool has_head(const struct queue *q)
{
	return model_queue_active(q) && !q->status.faulted && (q->asleep || model_queue_held(q));
}

/* Queues that cannot issue. */
static uint32_t idle_queues(const struct tma_model *m)
{
	uint32_t idle = 0;

	for (uint32_t q = 0; q < m->config.queues; q++)
		if (!has_head(&m->queues[q]))
			idle |= 1u << q;
	return idle;
}

static int issue_from(struct tma_model *m, uint32_t queue)
{
	const struct queue *q = &m->queues[queue];
	bool slept = q->asleep && !q->status.full;
	int result = model_step(m, queue, false);

	/* Its time does not run while there is no room for its answer. */
	if (!slept && q->asleep && !q->status.full)
		m->late->asleep_since[queue] = m->late->now;
	return result;
}

/* A try_wait whose limit is over may give up, whatever is on its way. A move is taken for a cycle. */
static int time_out(struct tma_model *m)
{
	struct late *l = m->late;
	int result = 0;

	for (uint32_t i = 0; i < m->config.queues && !result; i++) {
		const struct queue *q = &m->queues[i];

		if (!q->asleep || q->status.full || q->sleeper.opcode != TMA_MBARRIER_TRY_WAIT ||
		    q->sleeper.tx == NO_LIMIT || l->now - l->asleep_since[i] <= q->sleeper.tx ||
		    model_chance(l, TIME_OUTS))
			continue;
		result = model_step(m, i, true);
	}
	return result;
}

/* One move of somebody: 1, or 0: nobody can. */
int model_late_run(struct tma_model *m)
{
	uint32_t tried = idle_queues(m);
	struct mover mover;
	int result;

	if (model_record_reserve(m))
		return TMA_MODEL_ENOMEM;
	m->late->now++;
	result = time_out(m);
	while (!result && (choose(m, tried, false, &mover) || choose(m, tried, true, &mover))) {
		if (!mover.is_queue)
			return move(m, mover.index);
		result = issue_from(m, (uint32_t)mover.index);
		tried |= 1u << mover.index;
	}
	return result ? result : model_expire_one(m);
}
