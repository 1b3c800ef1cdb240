/* SPDX-License-Identifier: Apache-2.0 */
/* From a seed to a program: set-up, graph, lowering of each transaction. */
#include "crosscheck/program.h"

#include <stdlib.h>

#include "crosscheck/gen.h"
#include "tma_regs.h"

/* Streams of a program's seed. */
enum { STREAM_SETUP = 1, STREAM_GRAPH, STREAM_TXN, STREAM_GUEST, STREAM_REDUCE };

#define REDUCE_PERCENT 70

/* Bits 63 and 62 of the seed. */
static uint64_t program_seed(uint64_t seed, uint32_t number, unsigned int with)
{
	uint64_t kind = (uint64_t)(with & WITH_FAULTS) << 63 | (uint64_t)(with & WITH_TENSORS) << 61;

	return rng_make(seed ^ kind, number + UINT64_C(1)).state;
}

static bool lower(struct gen *g, const struct txn *t)
{
	switch (t->kind) {
	case TXN_LOAD:
		return lower_load(g, t);
	case TXN_STORE:
		return lower_store(g, t);
	case TXN_SHARED:
		return lower_shared(g, t);
	case TXN_PREFETCH:
		return lower_prefetch(g, t);
	case TXN_MULTIMEM:
		return lower_multimem(g, t);
	case TXN_CP:
		return lower_cp(g, t);
	case TXN_EMPTY:
		return lower_empty(g, t);
	case TXN_TENSOR_LOAD:
	case TXN_TENSOR_STORE:
	case TXN_TENSOR_PREFETCH:
	case TXN_TENSOR_NONE:
	case TXN_REDUCE_TENSOR:
	case TXN_MAP:
	case TXN_MAP_CHANGE:
		return lower_tensor(g, t);
	case TXN_REDUCE:
	case TXN_REDUCE_MULTIMEM:
	case TXN_REDUCE_SHARED:
		return lower_reduce(g, t);
	case TXN_FAULT:
		return lower_fault(g, t);
	case TXN_SM_LOOK:
	case TXN_SM_TILE:
	case TXN_SM_PEEK:
	case TXN_SM_OVER:
	case TXN_SM_OWN:
		return lower_sm(g, t);
	default:
		return lower_sync(g, t);
	}
}

static void lower_all(struct gen *g, const bool *dropped)
{
	struct program *p = g->p;

	for (uint32_t i = 0; i < p->num_txns; i++) {
		struct txn t = p->txns[i];

		t.dropped = dropped && dropped[i];
		g->txn_start = p->num_steps;
		g->effort = 0;
		if (!t.dropped && (!gen_full(g) || t.kind == TXN_FAULT)) {
			g->txn = (int)i;
			g->depth = 0;
			/* Of its own, so that dropping one transaction changes the others little. */
			g->rng = rng_make(t.seed, STREAM_TXN);
			t.failed = !lower(g, &t);
		}
		p->txns[i] = t;
	}
}

static void index_steps(struct program *p)
{
	for (uint32_t q = 0; q < MAX_QUEUES; q++) {
		p->by_queue[q] = must(malloc((p->queue[q].steps + 1) * sizeof(int)));
	}
	for (uint32_t i = 0; i < p->num_steps; i++)
		p->by_queue[p->steps[i].queue][p->steps[i].index] = (int)i;
}

struct program *program_make(const struct shape *shape, uint64_t seed, uint32_t number, unsigned int with,
                             const bool *dropped)
{
	uint64_t own = program_seed(seed, number, with);
	struct program *p = must(calloc(1, sizeof(*p)));
	struct gen *g = must(calloc(1, sizeof(*g)));

	*p = (struct program){ .shape = shape, .seed = seed, .number = number };
	p->faults = with & WITH_FAULTS;
	p->tensor = with & WITH_TENSORS;
	p->from_zero = with & FROM_ZERO;
	g->p = p;
	g->shape = shape;
	g->spots = rng_make(own, STREAM_REDUCE);
	p->all_reduce = with & ALL_REDUCE && with & WITH_REDUCTIONS && shape->reduce;
	p->reduce = p->all_reduce ||
	            (with & WITH_REDUCTIONS && shape->reduce && rng_percent(&g->spots, REDUCE_PERCENT));
	p->f32_ftz = p->reduce && rng_percent(&g->spots, 30);
	g->event = calloc(MAX_EVENTS, sizeof(*g->event));
	g->event_know = calloc(MAX_EVENTS, sizeof(*g->event_know));
	if (!g->event || !g->event_know)
		abort();
	g->rng = rng_make(own, STREAM_SETUP);
	gen_setup(g);
	g->rng = rng_make(own, STREAM_GRAPH);
	gen_graph(g);
	lower_all(g, dropped);
	g->rng = rng_make(own, STREAM_TXN);
	lower_end(g);
	gen_outcomes(g);
	g->rng = rng_make(own, STREAM_GUEST);
	guest_make(g);
	index_steps(p);
	free(g->event);
	free(g->event_know);
	free(g->access);
	free(g->reach);
	for (uint32_t i = 0; i < g->num_rows; i++)
		free(g->rows[i]);
	free(g->rows);
	free(g->closed);
	free(g);
	return p;
}

unsigned int program_with(const struct program *p)
{
	return (p->faults ? WITH_FAULTS : 0u) | (p->tensor ? WITH_TENSORS : 0u) |
	       (p->from_zero ? FROM_ZERO : 0u) | (p->reduce ? WITH_REDUCTIONS : 0u) |
	       (p->all_reduce ? ALL_REDUCE : 0u);
}

uint32_t program_behaviour(const struct program *p)
{
	return (p->granule16 ? TMA_REG_BEHAVIOUR_STORE_GRANULE16_MASK : 0) |
	       (p->f32_ftz ? TMA_REG_BEHAVIOUR_F32_FTZ_MASK : 0);
}

void program_fronts(struct program *p, enum fronts fronts)
{
	for (uint32_t q = 0; q < MAX_QUEUES; q++)
		p->queue[q].ring =
			fronts == FRONTS_RING || (program_victim(p, q) && program_victim(p, q)->only_ring);
}

void program_free(struct program *p)
{
	if (!p)
		return;
	for (uint32_t q = 0; q < MAX_QUEUES; q++)
		free(p->by_queue[q]);
	for (uint32_t c = 0; c < MAX_CTAS; c++)
		free(p->sm[c].act);
	free(p->guest.lives);
	free(p->images);
	free(p->pokes);
	free(p->txns);
	free(p->steps);
	free(p->eithers);
	free(p->tensors);
	free(p);
}
