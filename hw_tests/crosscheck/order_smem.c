/* SPDX-License-Identifier: Apache-2.0 */
/* The program's certainties against the cycles of shared memory. */
#include <stdio.h>
#include <stdlib.h>

#include "crosscheck/bus.h"
#include "crosscheck/smem.h"
#include "lib/must.h"
#include "tma_tables.h"

struct view {
	const struct program *p;
	const struct seen *seen;
	const struct smem *m;
	const struct smem_seen *smem;
	char *text;
	size_t room;
};

#define VIOLATION(v, ...) (snprintf((v)->text, (v)->room, __VA_ARGS__), false)

static bool is_complete(const struct view *v, uint32_t step)
{
	const struct step *s = &v->p->steps[step];

	if (!v->smem[step].judged || program_victim(v->p, s->queue))
		return true;
	for (uint32_t c = 0; c < MAX_CTAS; c++)
		if (v->smem[step].left[c])
			return VIOLATION(
				v,
				"queue %u command %u (%s): %u bytes of CTA %u's shared memory were not "
				"written",
				s->queue, s->index, tma_opcode_name(s->cmd.opcode), v->smem[step].left[c], c);
	return true;
}

/*
 * Knowledge.
 */

static bool is_known(const struct step *copy, const struct know *k)
{
	if (copy->writes_done >= 0)
		return know_event(k, copy->writes_done);
	for (uint32_t c = 0; c < MAX_CTAS; c++)
		if (copy->phase[c] >= 0 && know_event(k, copy->phase[c]))
			return true;
	return false;
}

/* Every copy of which this is known has written before `cycle`. */
static bool all_written(const struct view *v, const struct know *know, uint64_t cycle, const char *who,
                        uint32_t number, uint32_t index)
{
	for (uint32_t i = 0; i < v->p->num_steps; i++) {
		const struct step *copy = &v->p->steps[i];

		if (v->smem[i].wrote == NOT_SEEN || v->smem[i].wrote < cycle || !v->smem[i].timed ||
		    !is_known(copy, know))
			continue;
		return VIOLATION(v,
		                 "%s %u, number %u, goes on in cycle %llu knowing that queue %u command %u "
		                 "(%s) is complete, which writes shared memory in cycle %llu",
		                 who, number, index, (unsigned long long)cycle, copy->queue, copy->index,
		                 tma_opcode_name(copy->cmd.opcode), (unsigned long long)v->smem[i].wrote);
	}
	return true;
}

static bool step_in_time(const struct view *v, uint32_t step)
{
	const struct step *s = &v->p->steps[step];
	uint64_t cycle =
		v->seen[step].first < v->seen[step].record ? v->seen[step].first : v->seen[step].record;

	return cycle == NOT_SEEN || all_written(v, &s->know, cycle, "queue", s->queue, s->index);
}

/* What the SM reads next it asks for in the cycle after, or after a poll that asked ahead with it. */
static bool act_in_time(const struct view *v, uint32_t cta, uint32_t act)
{
	const struct sm_act *a = &v->p->sm[cta].act[act];
	uint64_t cycle = smem_act_done(v->m, cta, act);

	return cycle == NOT_SEEN || all_written(v, &a->know, cycle - a->ahead, "SM", cta, act);
}

/*
 * Signals: of those alike each comes behind another copy. Reductions that share their destination send some too, of
 * which nobody knows behind which write: so the latest copies are given the latest signals.
 */

static void add(struct smem_signal *list, uint32_t *count, struct smem_signal s)
{
	if (s.arrive || s.tx)
		list[(*count)++] = s;
}

/* The signals that a copy sends, each with the cycle of its last write. */
static void add_copy(const struct view *v, uint32_t step, struct smem_signal *list, uint32_t *count)
{
	const struct step *s = &v->p->steps[step];
	const struct tma_command *c = &s->cmd;
	uint8_t rank = (uint8_t)(c->barrier >> 24);
	struct smem_signal one = { .cycle = v->smem[step].wrote,
		                   .cta = rank,
		                   .offset = c->barrier & 0xffffff,
		                   .tx = s->tensor >= 0 ? v->p->tensors[s->tensor].span.tx : c->size };

	if (!(c->flags & TMA_FLAG_MULTICAST)) {
		add(list, count, one);
		return;
	}
	for (uint8_t t = 0; t < v->p->shape->ctas; t++) {
		one.cta = c->flags & TMA_FLAG_CTA_GROUP_2 ? (uint8_t)((t & ~1u) | (rank & 1)) : t;
		if (c->cta_mask >> t & 1)
			add(list, count, one);
	}
}

static void add_arrival(const struct view *v, uint32_t step, struct smem_signal *list, uint32_t *count)
{
	const struct step *s = &v->p->steps[step];
	struct smem_signal one = { .cta = (uint8_t)(s->cmd.barrier >> 24),
		                   .arrive = true,
		                   .offset = s->cmd.barrier & 0xffffff };

	for (uint32_t i = 0; i < s->index; i++) {
		int copy = v->p->by_queue[s->queue][i];

		if (v->p->steps[copy].cmd.opcode == TMA_CP_ASYNC && v->smem[copy].wrote != NOT_SEEN &&
		    v->smem[copy].wrote > one.cycle)
			one.cycle = v->smem[copy].wrote;
	}
	add(list, count, one);
}

static void add_step(const struct view *v, uint32_t step, struct smem_signal *list, uint32_t *count)
{
	const struct step *s = &v->p->steps[step];

	if (s->fault || s->rule != RULE_EXACT)
		return;
	if (s->cmd.opcode == TMA_CP_ASYNC_MBARRIER_ARRIVE)
		add_arrival(v, step, list, count);
	else if (s->cmd.opcode != TMA_CP_ASYNC && v->smem[step].wrote != NOT_SEEN && !s->shares)
		add_copy(v, step, list, count);
}

static int alike(const struct smem_signal *a, const struct smem_signal *b)
{
	if (a->cta != b->cta)
		return a->cta < b->cta ? -1 : 1;
	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	if (a->arrive != b->arrive)
		return a->arrive ? -1 : 1;
	return a->tx < b->tx ? -1 : a->tx > b->tx;
}

static int compare(const void *x, const void *y)
{
	const struct smem_signal *a = x, *b = y;
	int order = alike(a, b);

	return order ? order : a->cycle < b->cycle ? -1 : a->cycle > b->cycle;
}

static bool signals_behind(const struct view *v, const struct smem_signal *sent, uint32_t num_sent,
                           const struct smem_signal *due, uint32_t num_due)
{
	uint32_t i = num_sent, j = num_due;

	while (i && j) {
		const struct smem_signal *is = &sent[i - 1], *of = &due[j - 1];
		int order = alike(is, of);

		if (!order && is->cycle <= of->cycle)
			return VIOLATION(
				v,
				"cycle %llu: barrier %u:%#x takes a signal of %u bytes, a write before "
				"which lands in cycle %llu",
				(unsigned long long)is->cycle, is->cta, is->offset, is->tx,
				(unsigned long long)of->cycle);
		i -= order >= 0;
		j -= order <= 0;
	}
	return true;
}

static bool signals_allowed(const struct view *v)
{
	uint32_t num_sent, num_due = 0;
	const struct smem_signal *seen = smem_signals(v->m, &num_sent);
	struct smem_signal *sent = must(malloc((num_sent + 1) * sizeof(*sent)));
	struct smem_signal *due = must(malloc((v->p->num_steps + 1) * MAX_CTAS * sizeof(*due)));
	bool good;

	for (uint32_t i = 0; i < num_sent; i++)
		sent[i] = seen[i];
	for (uint32_t i = 0; i < v->p->num_steps; i++)
		add_step(v, i, due, &num_due);
	qsort(sent, num_sent, sizeof(*sent), compare);
	qsort(due, num_due, sizeof(*due), compare);
	good = signals_behind(v, sent, num_sent, due, num_due);
	free(sent);
	free(due);
	return good;
}

bool smem_allowed(const struct program *p, const struct seen *seen, const struct smem *m, char *text,
                  size_t room)
{
	struct view v = { p, seen, m, smem_seen(m), text, room };

	if (smem_error(m))
		return VIOLATION(&v, "%s", smem_error(m));
	for (uint32_t i = 0; i < p->num_steps; i++)
		if (!is_complete(&v, i) || !step_in_time(&v, i))
			return false;
	for (uint32_t c = 0; c < p->shape->ctas; c++)
		for (uint32_t i = 0; i < p->sm[c].num; i++)
			if (!act_in_time(&v, c, i))
				return false;
	return signals_allowed(&v);
}
