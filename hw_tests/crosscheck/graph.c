/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transactions of a program: random ones, rings of stages between queues, streams of one queue.
 * Their order is one in which they may happen; what depends on what follows from what they access.
 */
#include <stdlib.h>

#include "crosscheck/graph.h"
#include "lib/must.h"

struct txn *gen_add_txn(struct gen *g, enum txn_kind kind, uint8_t queue)
{
	struct program *p = g->p;
	struct txn *t;

	p->txns = must_grow(p->txns, p->num_txns, &p->room_txns, sizeof(*p->txns));
	t = &p->txns[p->num_txns++];
	*t = (struct txn){
		.kind = kind, .queue = queue, .other = queue, .byte_mask = 0xffff, .seed = rng_next(&g->rng)
	};
	return t;
}

static struct txn *add_copy(struct graph *x, enum txn_kind kind, uint8_t queue, uint32_t chunks)
{
	struct txn *t = gen_add_txn(x->g, kind, queue);
	uint32_t dst = chunks;

	t->src = pick_shared_again(x, &chunks);
	dst = chunks;
	t->dst = pick_shared_again(x, &dst);
	t->chunks = dst;
	t->global = pick_global(x, t->chunks);
	t->targets = pick_targets(x, queue, &t->multicast);
	if (kind == TXN_SHARED) {
		t->multicast = false;
		t->targets = pick_target(x, cta_of(x, queue));
	}
	if (kind == TXN_STORE || kind == TXN_MULTIMEM)
		t->byte_mask = pick_byte_mask(x);
	x->budget -= t->chunks;
	return t;
}

static void add_random(struct graph *x)
{
	static const enum txn_kind sync[] = {
		TXN_LINK,       TXN_LINK,      TXN_OBSERVE, TXN_OBSERVE,    TXN_OBSERVE,   TXN_TEST,
		TXN_TEST,       TXN_TOKEN,     TXN_CLOSE,   TXN_INIT,       TXN_INIT,      TXN_RETIRE,
		TXN_CONTRIBUTE, TXN_SIGNAL,    TXN_COMMIT,  TXN_WAIT_GROUP, TXN_CP_COMMIT, TXN_CP_WAIT,
		TXN_CP_ARRIVE,  TXN_CP_ARRIVE, TXN_CANCEL,
	};
	static const enum txn_kind copies[] = { TXN_LOAD,   TXN_LOAD,     TXN_LOAD,     TXN_STORE, TXN_STORE,
		                                TXN_SHARED, TXN_SHARED,   TXN_PREFETCH, TXN_EMPTY, TXN_CP,
		                                TXN_CP,     TXN_MULTIMEM, TXN_MULTIMEM };
	struct rng *r = rng_of(x);

	if (rng_percent(r, 45)) {
		struct txn *t =
			gen_add_txn(x->g, sync[rng_below(r, sizeof(sync) / sizeof(sync[0]))], pick_queue(x));

		t->other = pick_queue(x);
		x->budget -= 4;
	} else {
		add_copy(x, copies[rng_below(r, sizeof(copies) / sizeof(copies[0]))], pick_queue(x),
		         pick_size(x));
	}
}

/* Copies of one size, one after the other, each a little beside the one before it. */
static void add_stream(struct graph *x)
{
	struct rng *r = rng_of(x);
	uint32_t count = 2 + rng_below(r, 10), chunks = rng_percent(r, 50) ? 16 : pick_size(x);
	enum txn_kind kind = rng_percent(r, 60) ? TXN_LOAD : rng_percent(r, 60) ? TXN_STORE : TXN_SHARED;
	uint32_t shift_src = rng_below(r, 3), shift_dst = rng_below(r, 3), k = rng_below(r, 4);
	uint8_t queue = pick_queue(x);
	struct txn first;

	if (chunks > 64)
		chunks = 16;
	first = *add_copy(x, kind, queue, chunks);
	chunks = first.chunks;
	for (uint32_t i = 1; i < count; i++) {
		uint32_t src = first.src + i * (chunks + shift_src),
			 dst = first.dst + i * (chunks + shift_dst);
		uint32_t global = first.global + i * (chunks + shift_src);
		struct txn *t;

		if (src + chunks > x->chunks || dst + chunks > x->chunks ||
		    global + chunks > x->global_chunks || !pick_is_open(x, src, chunks) ||
		    !pick_is_open(x, dst, chunks))
			break;
		t = gen_add_txn(x->g, kind, queue);
		t->chunks = chunks;
		t->src = src;
		t->dst = dst;
		t->global = global;
		t->targets = first.targets;
		t->multicast = first.multicast;
		t->byte_mask = first.byte_mask;
		t->credit = i % (k + 1) ? 0 : k;
		x->budget -= chunks;
	}
}

/* What becomes of a stage: stored, or passed on to another CTA and stored there. */
static void add_consumer(struct graph *x, uint8_t queue, uint32_t stage, uint32_t chunks, bool pass)
{
	struct txn *t = gen_add_txn(x->g, pass ? TXN_SHARED : TXN_STORE, queue);
	uint32_t to = chunks;

	t->chunks = chunks;
	t->src = stage;
	t->global = pick_global(x, chunks);
	x->budget -= chunks;
	if (!pass)
		return;
	t->dst = pick_shared(x, &to);
	t->chunks = to;
	t->targets = pick_target(x, cta_of(x, queue));
	for (uint32_t q = 0; q < x->num_queues; q++) {
		uint8_t next = x->queue[q];
		uint32_t dst = t->dst, size = t->chunks;

		if (t->targets != 1u << cta_of(x, next))
			continue;
		t = gen_add_txn(x->g, TXN_STORE, next);
		t->chunks = size;
		t->src = dst;
		t->global = pick_global(x, size);
		break;
	}
}

/* One queue loads into stages in turn; queues of the target CTAs empty them. */
static void add_ring(struct graph *x)
{
	struct rng *r = rng_of(x);
	uint32_t stages = 1 + rng_below(r, 4), rounds = stages + rng_below(r, 10), stage[4];
	uint32_t chunks = pick_size(x), global;
	uint8_t producer = pick_queue(x);
	bool multicast, pass = rng_percent(r, 30);
	uint16_t targets = pick_targets(x, producer, &multicast);

	while (chunks > x->chunks / 6)
		chunks = (chunks + 1) / 2;
	for (uint32_t s = 0; s < stages; s++)
		stage[s] = pick_shared(x, &chunks);
	global = pick_global(x, chunks);
	for (uint32_t i = 0; i < rounds && x->budget > 0; i++) {
		struct txn *t = gen_add_txn(x->g, TXN_LOAD, producer);

		t->chunks = chunks;
		t->dst = stage[i % stages];
		t->global = global + i * chunks < x->global_chunks - chunks ? global + i * chunks
		                                                            : pick_global(x, chunks);
		t->targets = targets;
		t->multicast = multicast;
		x->budget -= chunks;
		for (uint32_t q = 0; q < x->num_queues; q++)
			if (targets >> cta_of(x, x->queue[q]) & 1 && rng_percent(r, 80))
				add_consumer(x, x->queue[q], stage[i % stages], chunks, pass);
		if (x->g->p->with_sm && rng_percent(r, 40))
			gen_add_txn(x->g, TXN_SM_LOOK, producer);
	}
}

/* As a kernel does it: a tile in small pieces, a group or an arrive, a wait. */
static void add_tiles(struct graph *x)
{
	struct rng *r = rng_of(x);
	uint8_t queue = pick_queue(x);
	uint32_t tiles = 1 + rng_below(r, 4);

	while (tiles--) {
		uint32_t chunks = 1 + rng_below(r, 24), at = pick_shared_again(x, &chunks),
			 global = pick_global(x, chunks);

		for (uint32_t i = 0; i < chunks; i++) {
			struct txn *t = gen_add_txn(x->g, TXN_CP, queue);

			t->chunks = 1;
			t->dst = at + i;
			t->global = global + i;
			t->credit = chunks - 1 - i;
		}
		x->budget -= chunks;
		gen_add_txn(x->g, rng_percent(r, 50) ? TXN_CP_COMMIT : TXN_CP_ARRIVE, queue);
		if (rng_percent(r, 50))
			gen_add_txn(x->g, TXN_CP_WAIT, queue);
		if (rng_percent(r, 40))
			add_consumer(x, queue, at, chunks, false);
	}
}

/* More groups than a queue can hold. */
static void add_groups(struct graph *x)
{
	uint32_t count = 4 + rng_below(rng_of(x), 40);
	uint8_t queue = pick_queue(x);

	for (uint32_t i = 0; i < count; i++) {
		add_copy(x, rng_percent(rng_of(x), 80) ? TXN_STORE : TXN_MULTIMEM, queue,
		         1 + rng_below(rng_of(x), 4));
		if (rng_percent(rng_of(x), 80))
			gen_add_txn(x->g, TXN_COMMIT, queue);
	}
}

/* Which map it is, and where, is chosen when it is lowered. */
static void add_tensor(struct graph *x)
{
	static const enum txn_kind kinds[] = { TXN_TENSOR_LOAD,  TXN_TENSOR_LOAD,     TXN_TENSOR_LOAD,
		                               TXN_TENSOR_LOAD,  TXN_TENSOR_LOAD,     TXN_TENSOR_STORE,
		                               TXN_TENSOR_STORE, TXN_TENSOR_STORE,    TXN_TENSOR_PREFETCH,
		                               TXN_TENSOR_NONE,  TXN_TENSOR_PREFETCH, TXN_MAP,
		                               TXN_MAP,          TXN_MAP_CHANGE };
	struct rng *r = rng_of(x);
	uint8_t queue = pick_queue(x);
	uint32_t count = rng_percent(r, 15) ? 2 + rng_below(r, 6) : 1, chunks = 8;
	enum txn_kind kind = kinds[rng_below(r, sizeof(kinds) / sizeof(kinds[0]))];

	for (uint32_t i = 0; i < count; i++) {
		struct txn *t = gen_add_txn(x->g, kind, queue);

		t->other = pick_queue(x);
		t->dst = pick_shared_again(x, &chunks);
		t->targets = pick_targets(x, queue, &t->multicast);
		x->budget -= 24;
	}
}

/* Tiles that lie side by side in one matrix, as the epilogues of neighbouring CTAs store them; some are
 * loaded. */
static void add_columns(struct graph *x)
{
	struct rng *r = rng_of(x);
	uint32_t count = 2 + rng_below(r, 6), first = rng_below(r, 6), line = rng_below(r, 64), chunks = 8;
	uint32_t loads = rng_percent(r, 50) ? 0 : rng_below(r, 100);

	for (uint32_t i = 0; i < count; i++) {
		uint8_t queue = pick_queue(x);
		struct txn *t =
			gen_add_txn(x->g, rng_percent(r, loads) ? TXN_TENSOR_LOAD : TXN_TENSOR_STORE, queue);

		t->column = 1 + first + i;
		t->line = line;
		t->dst = pick_shared_again(x, &chunks);
		t->targets = pick_targets(x, queue, &t->multicast);
		x->budget -= 24;
	}
}

/* A tile by the SM, which a queue of its CTA takes away; or a look at what others brought. */
static void add_sm(struct graph *x)
{
	static const enum txn_kind kinds[] = { TXN_SM_LOOK, TXN_SM_LOOK, TXN_SM_LOOK, TXN_SM_LOOK,
		                               TXN_SM_TILE, TXN_SM_TILE, TXN_SM_PEEK, TXN_SM_PEEK,
		                               TXN_SM_OVER, TXN_SM_OWN };
	struct rng *r = rng_of(x);
	enum txn_kind kind = kinds[rng_below(r, sizeof(kinds) / sizeof(kinds[0]))];
	struct txn *t = gen_add_txn(x->g, kind, pick_queue(x));
	uint8_t queue = t->queue;
	uint32_t chunks = 1 + rng_below(r, 24), at;

	x->budget -= 4;
	if (kind != TXN_SM_TILE)
		return;
	at = pick_shared_again(x, &chunks);
	t->dst = at;
	t->chunks = chunks;
	t->byte_mask = pick_byte_mask(x);
	for (uint32_t i = rng_below(r, 3); i; i--)
		add_consumer(x, queue, at, chunks, rng_percent(r, 40));
}

static void close_area(struct gen *g, const struct area *a, uint32_t arena)
{
	for (uint32_t s = 0; s < NUM_SCRATCH; s++)
		g->closed[(a->scratch_offset[s] - arena) / CHUNK_BYTES] = 1;
	for (uint32_t i = 0; i < a->reserve_bytes; i += CHUNK_BYTES)
		g->closed[(a->reserve_at + i - arena) / CHUNK_BYTES] = 1;
}

/* Chunks of the arena that no data may touch. */
static void close_chunks(struct graph *x)
{
	struct gen *g = x->g;
	uint32_t at = g->p->arena_at;

	for (uint32_t s = 0; s < g->num_slots; s++)
		if (!g->bar[0][s].recycled)
			g->closed[(g->slot_offset[s] - at) / CHUNK_BYTES] = 1;
	if (g->p->with_sm)
		g->closed[(g->own_offset - at) / CHUNK_BYTES] =
			g->closed[(g->p->busy_at - at) / CHUNK_BYTES] = 1;
	close_area(g, &g->area, at);
	if (g->second >= 0)
		close_area(g, &g->other, at);
	for (uint32_t i = 0; i < g->p->guest.shared_bytes; i += CHUNK_BYTES)
		g->closed[(g->p->guest.shared_at + i - at) / CHUNK_BYTES] = 1;
}

/* Of two queues that fault one has its place in memory from the start; the other is any. */
static void add_fault(struct graph *x, bool second)
{
	uint8_t queue = second ? (uint8_t)x->g->second : pick_queue(x);

	while (!second && x->num_queues > 1 && queue == x->g->second)
		queue = pick_queue(x);
	gen_add_txn(x->g, TXN_FAULT, queue);
}

void gen_graph(struct gen *g)
{
	struct graph x = { .g = g,
		           .chunks = g->p->arena_bytes / CHUNK_BYTES,
		           .global_chunks = (uint32_t)(g->data_bytes / CHUNK_BYTES) };
	uint32_t beats = 150 + rng_below(&g->rng, 900), style;
	bool faults = g->p->faults && !g->p->death.on;
	int64_t fault_at[MAX_VICTIMS] = { 0 };
	uint32_t count;

	x.num_queues = gen_live_queues(g, x.queue);
	g->closed = must(calloc(x.chunks, 1));
	close_chunks(&x);
	if (rng_percent(&g->rng, 4))
		beats *= 4;
	x.budget = (int64_t)beats * g->shape->data_bytes / CHUNK_BYTES;
	count = faults ? 1 + (g->second >= 0) : 0;
	for (uint32_t i = 0; i < count; i++)
		fault_at[i] = (int64_t)rng_below(&g->rng, (uint32_t)x.budget);
	/* Often at about the same time. */
	if (count > 1 && rng_percent(&g->rng, 60))
		fault_at[1] = fault_at[0];
	style = rng_below(&g->rng, 5);
	if (g->p->reduce)
		graph_spots(&x);
	if (g->p->all_reduce)
		graph_reduce_first(&x);
	while (x.budget > 0 && g->p->num_txns < 300) {
		uint32_t next = rng_percent(&g->rng, 50) ? style : rng_below(&g->rng, 5);

		for (uint32_t i = 0; i < count; i++) {
			if (fault_at[i] < 0 || x.budget > fault_at[i])
				continue;
			add_fault(&x, i);
			fault_at[i] = -1;
		}
		for (uint32_t i = rng_below(&g->rng, 8); i; i--)
			add_random(&x);
		for (uint32_t i = g->p->tensor ? 1 + rng_below(&g->rng, 4) : 0; i; i--)
			add_tensor(&x);
		if (g->p->tensor && g->map[0].matrix && rng_percent(&g->rng, 50))
			add_columns(&x);
		for (uint32_t i = g->p->with_sm ? rng_below(&g->rng, 5) : 0; i; i--)
			add_sm(&x);
		for (uint32_t i = g->p->reduce ? rng_below(&g->spots, 4) : 0; i; i--)
			graph_reduce(&x);
		if (next == 1)
			add_stream(&x);
		else if (next == 2)
			add_ring(&x);
		else if (next == 4 && rng_percent(&g->rng, 40))
			add_tiles(&x);
		else if (next == 3 && rng_percent(&g->rng, 15))
			add_groups(&x);
	}
	for (uint32_t i = 0; i < count; i++)
		if (fault_at[i] >= 0)
			add_fault(&x, i);
}
