/* SPDX-License-Identifier: Apache-2.0 */
/* What a transaction is given at random: its queue, its size, its places, its targets. */
#include "crosscheck/graph.h"

#define MULTICAST_PERCENT 30
#define AGAIN_PERCENT     35
#define OBSERVED_PERCENT  85

uint8_t pick_queue(struct graph *x)
{
	return x->queue[rng_below(rng_of(x), x->num_queues)];
}

/* Many small copies, some of tens of KiB, few of about all the shared memory there is. */
uint32_t pick_size(struct graph *x)
{
	struct rng *r = rng_of(x);
	uint32_t percent = rng_below(r, 100), chunks;

	if (percent < 25)
		chunks = 1 + rng_below(r, 4);
	else if (percent < 65)
		chunks = 1 + rng_below(r, 32);
	else if (percent < 88)
		chunks = 1 + rng_below(r, 128);
	else if (percent < 98)
		chunks = 64 + rng_below(r, 448);
	else if (percent < 99)
		chunks = 512 + rng_below(r, 1536);
	else
		return x->chunks - rng_below(r, x->chunks / 4);
	return chunks <= x->chunks / 2 ? chunks : 1 + rng_below(r, x->chunks / 3);
}

bool pick_is_open(const struct graph *x, uint32_t at, uint32_t chunks)
{
	for (uint32_t i = at; i < at + chunks; i++)
		if (x->g->closed[i])
			return false;
	return true;
}

/* A place for so many chunks, fewer where that is hard to find. */
uint32_t pick_shared(struct graph *x, uint32_t *chunks)
{
	for (;;) {
		for (uint32_t i = 0; i < 16; i++) {
			uint32_t at = rng_below(rng_of(x), x->chunks - *chunks + 1);

			if (pick_is_open(x, at, *chunks))
				return at;
		}
		*chunks = (*chunks + 1) / 2;
	}
}

/* Often where another transaction was, or just before the end of a page. */
uint32_t pick_global(struct graph *x, uint32_t chunks)
{
	uint32_t per_page = PAGE_BYTES / CHUNK_BYTES, room = x->global_chunks - chunks;
	uint32_t at = rng_below(rng_of(x), room + 1);
	const struct program *p = x->g->p;

	if (p->num_txns && rng_percent(rng_of(x), AGAIN_PERCENT))
		at = p->txns[rng_below(rng_of(x), p->num_txns)].global + rng_below(rng_of(x), 3);
	else if (rng_percent(rng_of(x), 25))
		at = (at / per_page + 1) * per_page - 1 - rng_below(rng_of(x), 8);
	return at < room ? at : room;
}

/* What an earlier transaction brought or took, where that is possible. */
uint32_t pick_shared_again(struct graph *x, uint32_t *chunks)
{
	const struct program *p = x->g->p;

	if (p->num_txns && rng_percent(rng_of(x), AGAIN_PERCENT)) {
		const struct txn *t = &p->txns[rng_below(rng_of(x), p->num_txns)];
		uint32_t at = rng_percent(rng_of(x), 70) ? t->dst : t->src;

		if (t->chunks && at + *chunks <= x->chunks && pick_is_open(x, at, *chunks))
			return at;
	}
	return pick_shared(x, chunks);
}

/* A CTA other than `not`: mostly one where a queue can wait for what comes. */
uint16_t pick_target(struct graph *x, int not )
{
	uint32_t cta;

	do
		cta = rng_percent(rng_of(x), OBSERVED_PERCENT) ? cta_of(x, pick_queue(x))
		                                               : rng_below(rng_of(x), x->g->shape->ctas);
	while ((int)cta == not );
	return (uint16_t)(1u << cta);
}

uint16_t pick_targets(struct graph *x, uint8_t queue, bool *multicast)
{
	uint16_t mask = x->g->p->queue[queue].cta_mask, targets = 0;

	*multicast = rng_percent(rng_of(x), MULTICAST_PERCENT);
	if (!*multicast)
		return rng_percent(rng_of(x), 40) ? (uint16_t)(1u << cta_of(x, queue)) : pick_target(x, -1);
	if (rng_percent(rng_of(x), 15))
		return mask;
	for (uint32_t i = 1 + rng_below(rng_of(x), x->g->shape->ctas); i; i--)
		targets |= pick_target(x, -1);
	targets &= mask;
	return targets ? targets : (uint16_t)(1u << cta_of(x, queue));
}

uint16_t pick_byte_mask(struct graph *x)
{
	static const uint16_t masks[] = { 0x00ff, 0xff00, 0x0001, 0x8000, 0x5555, 0x0ff0, 0 };

	if (!rng_percent(rng_of(x), 35))
		return 0xffff;
	if (rng_percent(rng_of(x), 50))
		return masks[rng_below(rng_of(x), 7)];
	return (uint16_t)rng_next(rng_of(x));
}
