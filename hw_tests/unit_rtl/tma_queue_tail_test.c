/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_queue_tail_test - TAIL of both kinds of queues, and what RESUME skips of a direct one.
 *
 * Requirement: TAIL of a ring is its doorbell's, of a direct queue HEAD and the commands held, modulo
 * 2^32; RESUME skips as many commands as its index is ahead of HEAD.
 * Checks: random heads, also where they wrap, every number of commands held and skipped.
 */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_queue_tail_pins.h"

#define ROUNDS 20000
#define HELD   8u /* commands of a direct queue */

#define TAIL_TEST(name) TEST_WITH(name, struct queue_tail *t, queue_tail_open(), queue_tail_close)

static void random_queues(struct rng *rng, struct queue_tail_in *in)
{
	memset(in, 0, sizeof(*in));
	for (uint32_t q = 0; q < unit_shape()->queues; q++) {
		in->ring[q] = rng_percent(rng, 50);
		in->held_count[q] = (uint8_t)rng_below(rng, HELD + 1);
		in->head[q] = rng_percent(rng, 50) ? (uint32_t)rng_next(rng) : 0u - rng_below(rng, 12);
		in->ring_tail[q] = (uint32_t)rng_next(rng);
	}
}

TAIL_TEST(tails)
{
	struct queue_tail_in *in = queue_tail_in(t);
	struct rng rng = rng_make(3, 1);

	for (uint32_t round = 0; round < ROUNDS; round++) {
		random_queues(&rng, in);
		in->index = (uint8_t)rng_below(&rng, 16);
		queue_tail_eval(t);
		assert_int_equal(queue_tail_out(t)->skip, 0);
		for (uint32_t q = 0; q < unit_shape()->queues; q++)
			assert_int_equal(queue_tail_out(t)->tail[q],
			                 in->ring[q] ? in->ring_tail[q] : in->head[q] + in->held_count[q]);
	}
}

TAIL_TEST(skips)
{
	struct queue_tail_in *in = queue_tail_in(t);
	struct rng rng = rng_make(4, 1);

	for (uint32_t round = 0; round < ROUNDS; round++) {
		uint32_t queue = rng_below(&rng, unit_shape()->queues), skip = rng_below(&rng, HELD + 1);

		random_queues(&rng, in);
		in->resume[queue] = 1;
		in->index = (in->head[queue] + skip) & 15;
		queue_tail_eval(t);
		assert_int_equal(queue_tail_out(t)->skip, skip);
	}
}
