/* SPDX-License-Identifier: Apache-2.0 */
/* Random doorbells, errors, stops, resumes and disables of all queues, checked in every cycle. */
#include <stdbool.h>

#include "unit_rtl/tma_ring_env.h"

static void mood(struct bench *b, uint32_t i)
{
	static const uint32_t latencies[] = { 1, 2, 20, 150 };

	b->latency = latencies[rng_below(&b->rng, 4)];
	b->fetch_percent = i % 3 ? 90 : 20;
	b->beat_percent = i % 4 ? 95 : 30;
	b->cmd_percent = i % 5 ? 100 : 30;
	b->retire_percent = i % 2 ? 60 : 5;
	b->fault_percent = rng_percent(&b->rng, 50) ? 90 : 5;
	b->error_percent = rng_percent(&b->rng, 30) ? 2 : 0;
	b->dead_percent = rng_percent(&b->rng, 20) ? 2 : 0;
	b->deny_percent = rng_percent(&b->rng, 30) ? 10 : 0;
}

static void random_doorbell(struct bench *b)
{
	uint32_t q = rng_below(&b->rng, b->shape->queues), space, size;
	struct ring_queue *r = &b->queue[q];

	if (!b->in->cfg[q].enable || !b->in->cfg[q].ring || (b->in->restart >> q & 1))
		return;
	size = bench_size(b, q);
	space = size - (r->tail - r->head);
	if (rng_percent(&b->rng, 1)) {
		bench_door(b, q, r->head + size + 1 + rng_below(&b->rng, 100));
	} else if (rng_percent(&b->rng, 2) && !(b->in->room >> q & 1) && r->sent != r->tail &&
	           (int32_t)(r->fetched - r->sent) > 0 && !r->denied && !r->failed &&
	           !(b->out->cmd_valid && b->out->cmd_queue == q)) {
		bench_door(b, q, r->sent + rng_below(&b->rng, r->tail - r->sent));
	} else if (space && space <= size && rng_percent(&b->rng, 50)) {
		uint32_t most = rng_percent(&b->rng, 50) ? 3 : space;

		bench_put(b, q, 1 + rng_below(&b->rng, most < space ? most : space));
	}
}

static void random_stops(struct bench *b)
{
	for (uint32_t q = 0; q < b->shape->queues; q++) {
		struct ring_queue *r = &b->queue[q];
		uint32_t bit = 1u << q, span = r->tail - r->head;

		if (!b->in->cfg[q].enable || !b->in->cfg[q].ring) {
			if (rng_percent(&b->rng, 30)) {
				bench_enable(b, q,
				             rng_percent(&b->rng, 70) ? 4 + rng_below(&b->rng, 4)
				                                      : 4 + rng_below(&b->rng, 13));
				b->in->stopped &= ~bit;
			}
		} else if (b->in->stopped & bit) {
			if (!b->in->restart && rng_percent(&b->rng, 5) &&
			    (!r->under_way || rng_percent(&b->rng, 30)))
				bench_restart(b, q,
				              r->head + (uint32_t)(rng_next(&b->rng) % ((uint64_t)span + 1)));
		} else if ((r->closed && rng_percent(&b->rng, 10)) || rng_below(&b->rng, 500) == 0) {
			b->in->stopped |= bit;
		} else if (rng_below(&b->rng, 1500) == 0) {
			bench_disable(b, q);
		}
	}
}

BENCH_TEST(random_traffic, 12)
{
	uint32_t cycles = 1600000 / (b->shape->queues + 4);

	for (uint32_t i = 0; i < cycles; i++) {
		if (i % 1000 == 0)
			mood(b, i / 1000);
		random_stops(b);
		if (rng_percent(&b->rng, 20))
			random_doorbell(b);
		bench_step(b);
	}
	/* All that was put comes, once nothing fails any more. */
	mood(b, 1);
	b->error_percent = b->dead_percent = b->deny_percent = 0;
	for (uint32_t q = 0; q < b->shape->queues; q++) {
		b->in->stopped |= 1u << q;
		bench_step(b);
		if (b->in->cfg[q].enable && b->in->cfg[q].ring) {
			bench_restart(b, q, b->queue[q].tail - (b->queue[q].tail - b->queue[q].head) % 300);
			bench_step(b);
			bench_drain(b, q);
		}
	}
	assert_true(b->commands > cycles / 30);
	assert_true(b->failures > 100 && b->denials > 30 && b->restarts > 200 && b->overruns > 50);
}
