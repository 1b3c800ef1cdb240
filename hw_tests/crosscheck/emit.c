/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of a program, and what each queue knows when it gets there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crosscheck/gen.h"
#include "tma_tables.h"

#define RECORD_PERCENT 30
#define HINT_PERCENT   80
#define HINTS          128u /* from here on those of tensor copies */

/* A program has a size after which only its end is added, and so has what one transaction may add. */
bool gen_full(const struct gen *g)
{
	return g->p->num_steps >= STEP_LIMIT || g->p->num_steps >= g->txn_start + TXN_LIMIT ||
	       g->effort >= EFFORT_LIMIT;
}

/* One step deeper into the search for knowledge; g->depth is the caller's to take back. */
bool gen_search(struct gen *g)
{
	if (g->depth >= MAX_DEPTH || gen_full(g))
		return false;
	g->depth++;
	g->effort++;
	return true;
}

bool gen_may_touch(const struct gen *g, uint8_t queue, uint8_t cta)
{
	return g->p->queue[queue].cta_mask >> cta & 1;
}

/* Has the queue to learn that `other` has retired so many commands? */
bool gen_later(const struct gen *g, uint8_t queue, int other, uint32_t retired)
{
	return other >= 0 && g->queue[queue].retired[other] < retired;
}

void gen_shuffle(struct rng *rng, uint8_t *list, uint32_t count)
{
	for (uint32_t i = count; i > 1; i--) {
		uint32_t j = rng_below(rng, i);
		uint8_t t = list[i - 1];

		list[i - 1] = list[j];
		list[j] = t;
	}
}

/* Queues that can still execute something, in random order. */
uint32_t gen_live_queues(struct gen *g, uint8_t list[MAX_QUEUES])
{
	uint32_t count = 0;

	for (uint8_t q = 0; q < MAX_QUEUES; q++)
		if (g->p->queue[q].used && !g->dead[q])
			list[count++] = q;
	gen_shuffle(&g->rng, list, count);
	return count;
}

uint8_t gen_any_queue(struct gen *g)
{
	uint8_t list[MAX_QUEUES];

	gen_live_queues(g, list);
	return list[0];
}

/* Bursts are attributed to their command by the policy: AxQOS and AxUSER show eight bits of it.
 * Without a hint they show zero, so no hint does. */
static void hint(struct gen *g, uint8_t queue, struct tma_command *cmd)
{
	if (g->p->tensor && tensor_is_copy(cmd->opcode)) {
		/* Their bursts may come from anywhere in the tensor: each has a hint of its own. */
		cmd->flags |= TMA_FLAG_CACHE_HINT;
		cmd->policy = (uint64_t)(HINTS + g->tensor_hints[queue]++) << 56;
		return;
	}
	if (!(tma_opcode_info(cmd->opcode)->flags & TMA_FLAG_CACHE_HINT) ||
	    !rng_percent(&g->rng, HINT_PERCENT))
		return;
	cmd->flags |= TMA_FLAG_CACHE_HINT;
	cmd->policy = (uint64_t)(1 + g->hints[queue]++ % (g->p->tensor ? HINTS - 1 : 255)) << 56 |
	              (rng_next(&g->rng) & 0xffffff);
}

/* Append a command; what it makes known comes with gen_learn(). */
uint32_t gen_emit(struct gen *g, uint8_t queue, const struct tma_command *cmd)
{
	struct program *p = g->p;
	struct queue_setup *setup = &p->queue[queue];
	struct step *s;

	p->steps = must_grow(p->steps, p->num_steps, &p->room_steps, sizeof(*p->steps));
	s = &p->steps[p->num_steps];
	*s = (struct step){ .cmd = *cmd,
		            .queue = queue,
		            .index = setup->steps++,
		            .txn = g->txn,
		            .know = g->queue[queue],
		            .reads_done = -1,
		            .writes_done = -1,
		            .group = UINT32_MAX,
		            .token_of = -1,
		            .arrives_in = -1,
		            .tensor = -1 };
	for (int c = 0; c < MAX_CTAS; c++) {
		s->phase[c] = -1;
		s->gate[c] = g->gate[queue][c];
	}
	s->cmd.version = TMA_COMMAND_VERSION;
	s->cmd.tag = (uint32_t)queue << 28 | (s->index & 0xffff) << 12 | (rng_below(&g->rng, 4096));
	hint(g, queue, &s->cmd);
	if (!g->dead[queue] && rng_percent(&g->rng, RECORD_PERCENT))
		s->cmd.flags |= TMA_FLAG_RECORD;
	g->queue[queue].retired[queue] = s->index + 1;
	return p->num_steps++;
}

/* The step, a wait, has let its queue know more. */
void gen_learn(struct gen *g, uint32_t step, const struct know *know)
{
	struct step *s = &g->p->steps[step];

	know_join(&g->queue[s->queue], know);
	know_join(&s->know, know);
}

void gen_learn_event(struct gen *g, uint32_t step, int event)
{
	struct step *s = &g->p->steps[step];

	know_add_event(&g->queue[s->queue], event);
	know_add_event(&s->know, event);
}

int gen_new_event(struct gen *g, struct event event)
{
	if (g->num_events == MAX_EVENTS)
		return -1;
	g->event[g->num_events] = event;
	return (int)g->num_events++;
}
