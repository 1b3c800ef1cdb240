/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reductions of a program: many of them, of several queues, to a few places that each have an operator; some
 * anywhere. Their choices have a stream of their own.
 */
#include "crosscheck/graph.h"

#define SPOT_PERCENT   75
#define COMMUTES_TRIES 4
#define FIRST          8

/* A pair that exists, of a spot mostly one whose updates commute. */
static void pick_pair(struct graph *x, bool shared, bool spot, uint8_t *op, uint8_t *type)
{
	struct rng *r = rng_of(x);

	for (uint32_t i = 0;; i++) {
		*op = (uint8_t)rng_below(r, 8);
		*type = (uint8_t)rng_below(r, 10);
		if (reduce_exists(x->g->shape, shared, *op, *type) &&
		    (!spot || i > COMMUTES_TRIES * 8 || reduce_update(*op, *type)))
			return;
	}
}

static void swap_rng(struct graph *x)
{
	struct rng rng = x->g->rng;

	x->g->rng = x->g->spots;
	x->g->spots = rng;
}

void graph_spots(struct graph *x)
{
	uint32_t chunks;

	swap_rng(x);
	for (uint32_t i = 0; i < SPOTS; i++) {
		struct spot *s = &x->spot[i];

		pick_pair(x, false, true, &s->op, &s->type);
		pick_pair(x, true, true, &s->shared_op, &s->shared_type);
		s->global = pick_global(x, 8);
		chunks = 4;
		s->shared = pick_shared(x, &chunks);
		s->target = pick_target(x, -1);
		s->column = rng_below(rng_of(x), 6);
		s->line = rng_below(rng_of(x), 16);
	}
	swap_rng(x);
}

static uint32_t pick_chunks(struct graph *x)
{
	struct rng *r = rng_of(x);
	uint32_t chunks;

	if (rng_percent(r, 65))
		return 1 + rng_below(r, 4);
	chunks = pick_size(x);
	return chunks < 600 ? chunks : 600;
}

/* At the spot, or a little beside it. NULL: anywhere. */
static void place(struct graph *x, struct txn *t, const struct spot *s)
{
	bool shared = t->kind == TXN_REDUCE_SHARED;
	uint32_t chunks = t->chunks;

	if (shared && s)
		chunks = 1 + rng_below(rng_of(x), 4);
	t->src = pick_shared_again(x, &chunks);
	t->chunks = chunks;
	pick_pair(x, shared, false, &t->op, &t->type);
	if (shared) {
		t->targets = s ? s->target : pick_target(x, -1);
		t->dst = s ? s->shared : pick_shared_again(x, &chunks);
		t->chunks = chunks;
		while (t->chunks > 1 &&
		       (t->dst + t->chunks > x->chunks || !pick_is_open(x, t->dst, t->chunks)))
			t->chunks--;
	} else {
		t->global = s ? s->global + rng_below(rng_of(x), 5) : pick_global(x, t->chunks);
		if (t->global + t->chunks > x->global_chunks)
			t->global = x->global_chunks - t->chunks;
	}
	if (s) {
		t->op = shared ? s->shared_op : s->op;
		t->type = shared ? s->shared_type : s->type;
	}
}

static void add_one(struct graph *x, enum txn_kind kind, uint8_t queue, const struct spot *s)
{
	struct txn *t = gen_add_txn(x->g, kind, queue);
	uint32_t chunks = 8;

	t->op = (uint8_t)rng_below(rng_of(x), 8);
	if (kind == TXN_REDUCE_TENSOR) {
		/* Which map it is, and where, is chosen when it is lowered. */
		t->dst = pick_shared_again(x, &chunks);
		t->column = s && x->g->map[0].matrix ? 1 + s->column : 0;
		t->line = s ? s->line + rng_below(rng_of(x), 3) : 0;
		x->budget -= 24;
		return;
	}
	t->chunks = pick_chunks(x);
	place(x, t, s);
	x->budget -= t->chunks;
}

void graph_reduce(struct graph *x)
{
	static const enum txn_kind kinds[] = { TXN_REDUCE,        TXN_REDUCE,        TXN_REDUCE,
		                               TXN_REDUCE_SHARED, TXN_REDUCE_SHARED, TXN_REDUCE_MULTIMEM,
		                               TXN_REDUCE_TENSOR, TXN_REDUCE_TENSOR };
	struct rng *r = rng_of(x);
	const struct spot *s;
	enum txn_kind kind;
	uint32_t count;
	bool one;
	uint8_t queue;

	swap_rng(x);
	s = rng_percent(r, SPOT_PERCENT) ? &x->spot[rng_below(r, SPOTS)] : NULL;
	kind = kinds[rng_below(r, sizeof(kinds) / sizeof(kinds[0]) - (x->g->p->tensor ? 0 : 2))];
	count = s ? 1 + rng_below(r, 6) : 1;
	one = rng_percent(r, 25);
	queue = pick_queue(x);
	for (uint32_t i = 0; i < count; i++)
		add_one(x, kind, one ? queue : pick_queue(x), s);
	swap_rng(x);
}

/* A short program may have no others, and not all of them become commands; in front of what faults. Beside the budget, so that
 * the rest of the program is as long as ever. */
void graph_reduce_first(struct graph *x)
{
	const int64_t budget = x->budget;

	for (uint32_t i = 0; i < FIRST; i++)
		graph_reduce(x);
	x->budget = budget;
}
