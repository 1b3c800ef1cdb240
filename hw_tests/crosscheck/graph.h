/* SPDX-License-Identifier: Apache-2.0 */
/* graph - what the sources that make the transactions of a program share. */
#ifndef CROSSCHECK_GRAPH_H
#define CROSSCHECK_GRAPH_H

#include "crosscheck/gen.h"

#define SPOTS 3u

/* Where reductions meet: in global memory, in shared memory, in a matrix. */
struct spot {
	uint8_t op, type, shared_op, shared_type;
	uint32_t global, shared, column, line;
	uint16_t target;
};

/* While the graph is made. */
struct graph {
	struct gen *g;
	uint8_t queue[MAX_QUEUES];
	uint32_t num_queues;
	uint32_t chunks; /* of the arena */
	uint32_t global_chunks;
	int64_t budget; /* chunks still to move */
	struct spot spot[SPOTS];
};

static inline struct rng *rng_of(struct graph *x)
{
	return &x->g->rng;
}

static inline uint8_t cta_of(const struct graph *x, uint8_t queue)
{
	return x->g->p->queue[queue].cta;
}

/* graph_reduce.c */
void graph_spots(struct graph *x);
void graph_reduce(struct graph *x);
void graph_reduce_first(struct graph *x);

/* graph_pick.c */
uint8_t pick_queue(struct graph *x);
uint32_t pick_size(struct graph *x);
bool pick_is_open(const struct graph *x, uint32_t at, uint32_t chunks);
uint32_t pick_shared(struct graph *x, uint32_t *chunks);
uint32_t pick_global(struct graph *x, uint32_t chunks);
uint32_t pick_shared_again(struct graph *x, uint32_t *chunks);
uint16_t pick_target(struct graph *x, int not );
uint16_t pick_targets(struct graph *x, uint8_t queue, bool *multicast);
uint16_t pick_byte_mask(struct graph *x);

#endif
