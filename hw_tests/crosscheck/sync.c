/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions that move nothing: waits, tests, tokens, lives of barriers, groups, signals. */
#include "crosscheck/gen.h"

#define SHORT_LIMIT      300u
#define OBSERVE_TRIES    4
#define INIT_ONE_PERCENT 50

/* Arrivals of a new barrier: mostly few. */
static uint32_t init_count(struct gen *g)
{
	if (rng_percent(&g->rng, INIT_ONE_PERCENT))
		return 1;
	return rng_percent(&g->rng, 20) ? 1 + rng_below(&g->rng, BARRIER_MAX) : 2 + rng_below(&g->rng, 3);
}

/* Some queue learns that some earlier copy is complete. */
static bool observe(struct gen *g, const struct txn *t)
{
	struct program *p = g->p;

	for (uint32_t i = 0; i < OBSERVE_TRIES && p->num_steps; i++) {
		const struct step *s = &p->steps[rng_below(&g->rng, p->num_steps)];
		uint32_t c = rng_below(&g->rng, g->shape->ctas);
		bool reads = s->reads_done >= 0 && rng_percent(&g->rng, 30);
		int event = reads ? s->reads_done : s->phase[c] >= 0 ? s->phase[c] : s->writes_done;

		if (event >= 0)
			return known_event(g, t->queue, event);
	}
	return false;
}

/* A barrier of the queue's CTA that it may look at, or NULL. */
static struct bar *local_bar(struct gen *g, uint8_t queue)
{
	struct bar *b = &g->bar[g->p->queue[queue].cta][rng_below(&g->rng, g->num_slots)];

	return bar_usable(b) && known_retired(g, queue, b->born_queue, b->born) && bar_usable(b) ? b : NULL;
}

/* test_wait, or try_wait with a limit that matters only when the answer is 0. */
static struct tma_command test_command(struct gen *g)
{
	struct tma_command cmd = { .opcode = TMA_MBARRIER_TEST_WAIT };

	if (rng_percent(&g->rng, 50)) {
		cmd.opcode = TMA_MBARRIER_TRY_WAIT;
		cmd.tx = rng_below(&g->rng, SHORT_LIMIT);
	}
	return cmd;
}

static bool test(struct gen *g, const struct txn *t)
{
	struct tma_command cmd = test_command(g);
	struct bar *b = local_bar(g, t->queue);
	uint32_t form = rng_below(&g->rng, 3), step;

	if (!b)
		return false;
	if (form == 0) {
		/* Whatever the barrier does at the moment. */
		bar_wait_form(g, t->queue, rng_below(&g->rng, 2), &cmd);
		step = bar_command(g, t->queue, b, cmd);
		g->p->steps[step].rule = RULE_ANY;
		return true;
	}
	/* The phase before the open one: complete. The open one: not, since it cannot end meanwhile. */
	if (b->before >= 0 && !known_event(g, t->queue, b->before))
		return false;
	if (!bar_usable(b) || !b->left || (b->before >= 0 && !know_event(&g->queue[t->queue], b->before)))
		return false;
	if (form == 1 && b->before < 0)
		form = 2;
	bar_wait_form(g, t->queue, b->phase - (form == 1), &cmd);
	bar_command(g, t->queue, b, cmd);
	bar_must(g, t->queue, b);
	return true;
}

static bool token(struct gen *g, const struct txn *t)
{
	struct tma_command cmd = { .opcode = TMA_MBARRIER_PENDING_COUNT };
	int arrive = g->last_arrive[t->queue];
	uint32_t step;

	if (arrive >= 0 && rng_percent(&g->rng, 70))
		cmd.flags = TMA_FLAG_LAST_STATE;
	else
		cmd.global_address = rng_next(&g->rng);
	step = gen_emit(g, t->queue, &cmd);
	if (cmd.flags)
		g->p->steps[step].token_of = arrive;
	return true;
}

static bool contribute(struct gen *g, const struct txn *t)
{
	struct bar *b = &g->bar[rng_below(&g->rng, g->shape->ctas)][rng_below(&g->rng, g->num_slots)];
	bool joined;

	if (!bar_usable(b))
		return false;
	b->busy = true;
	joined = phase_join(g, t->queue, b);
	if (joined)
		phase_part(g, t->queue, b);
	b->busy = false;
	return joined;
}

static bool init(struct gen *g, const struct txn *t)
{
	struct bar *b = &g->bar[g->p->queue[t->queue].cta][rng_below(&g->rng, g->num_slots)];

	return known_init(g, t->queue, b, init_count(g));
}

static bool retire(struct gen *g, const struct txn *t)
{
	struct bar *b = &g->bar[g->p->queue[t->queue].cta][rng_below(&g->rng, g->num_slots)];

	return bar_usable(b) && known_inval(g, t->queue, b);
}

static bool wait_group(struct gen *g, const struct txn *t)
{
	uint32_t groups = g->groups[t->queue];

	known_wait_group(g, t->queue, rng_below(&g->rng, groups < 40 ? groups + 2 : 40),
	                 rng_percent(&g->rng, 50));
	return true;
}

static bool wait_copies(struct gen *g, const struct txn *t)
{
	uint32_t groups = g->copy_groups[t->queue];

	if (rng_percent(&g->rng, 30))
		known_wait_all_copies(g, t->queue);
	else
		known_wait_copies(g, t->queue, rng_below(&g->rng, groups < 40 ? groups + 2 : 40));
	return true;
}

/* Of a queue that does not wait: the canceller itself, or one that is disabled. */
static bool cancel(struct gen *g, const struct txn *t)
{
	uint32_t start = rng_below(&g->rng, g->shape->queues);

	for (uint32_t i = 0; i < g->shape->queues; i++) {
		uint32_t q = (start + i) % g->shape->queues;

		if (!(g->p->queue[t->queue].cancel_mask >> q & 1) || (g->p->queue[q].used && q != t->queue) ||
		    (g->p->guest.on && q == g->p->guest.queue))
			continue;
		gen_emit(g, t->queue, &(struct tma_command){ .opcode = TMA_CANCEL, .count = q });
		return true;
	}
	return false;
}

/* One transaction without data. False: it was left out. */
bool lower_sync(struct gen *g, const struct txn *t)
{
	if (g->dead[t->queue])
		return false;
	switch (t->kind) {
	case TXN_LINK:
		return known_link(g, t->queue, t->other);
	case TXN_OBSERVE:
		return observe(g, t);
	case TXN_TEST:
		return test(g, t);
	case TXN_TOKEN:
		return token(g, t);
	case TXN_CONTRIBUTE:
		return contribute(g, t);
	case TXN_CLOSE:
		return phase_close(
			g, &g->bar[rng_below(&g->rng, g->shape->ctas)][rng_below(&g->rng, g->num_slots)]);
	case TXN_INIT:
		return init(g, t);
	case TXN_RETIRE:
		return retire(g, t);
	case TXN_SIGNAL:
		gen_emit(g, t->queue, &(struct tma_command){ .opcode = TMA_SIGNAL });
		return true;
	case TXN_COMMIT:
		known_commit(g, t->queue);
		return true;
	case TXN_WAIT_GROUP:
		return wait_group(g, t);
	case TXN_CP_COMMIT:
		known_commit_copies(g, t->queue);
		return true;
	case TXN_CP_WAIT:
		return wait_copies(g, t);
	case TXN_CP_ARRIVE:
		return lower_cp_arrive(g, t);
	case TXN_CANCEL:
		return cancel(g, t);
	default:
		return false;
	}
}

/* Every queue ends with a wait for its groups, most of them with a record of it. */
void lower_end(struct gen *g)
{
	g->txn = -1;
	for (uint8_t q = 0; q < MAX_QUEUES; q++) {
		if (!g->p->queue[q].used || g->dead[q])
			continue;
		if (rng_percent(&g->rng, 80))
			known_commit(g, q);
		known_wait_group(g, q, 0, false);
		known_wait_all_copies(g, q);
		g->p->steps[g->p->num_steps - 1].cmd.flags |= TMA_FLAG_RECORD;
	}
}
