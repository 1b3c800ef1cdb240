/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_queue_tail_test - TAIL of both kinds of queues, and what RESUME skips of a direct one.
 *
 * Requirement: TAIL of a ring is its doorbell's, of a direct queue HEAD and the commands held, modulo
 * 2^32; RESUME skips as many commands as its index is ahead of HEAD.
 * Checks: random heads, also where they wrap, every number of commands held and skipped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the ones above. */
#include <cmocka.h>

#include "lib/rng.h"
#include "unit_rtl/tma_queue_tail_shim.h"

#define ROUNDS 20000
#define HELD   8u /* commands of a direct queue */

static struct queue_tail_queue random_queue(struct rng *rng)
{
	return (struct queue_tail_queue){
		.ring = rng_percent(rng, 50),
		.held = (uint8_t)rng_below(rng, HELD + 1),
		.head = rng_percent(rng, 50) ? (uint32_t)rng_next(rng) : 0u - rng_below(rng, 12),
		.ring_tail = (uint32_t)rng_next(rng),
	};
}

static void tails(void **state)
{
	struct queue_tail *t = queue_tail_open();
	struct rng rng = rng_make(3, 1);

	(void)state;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		struct queue_tail_in in = { .index = (uint8_t)rng_below(&rng, 16) };
		struct queue_tail_out out;

		for (uint32_t q = 0; q < queue_tail_queues(); q++)
			in.queue[q] = random_queue(&rng);
		out = queue_tail_eval(t, &in);
		assert_int_equal(out.skip, 0);
		for (uint32_t q = 0; q < queue_tail_queues(); q++) {
			const struct queue_tail_queue *x = &in.queue[q];

			assert_int_equal(out.tail[q], x->ring ? x->ring_tail : x->head + x->held);
		}
	}
	queue_tail_close(t);
}

static void skips(void **state)
{
	struct queue_tail *t = queue_tail_open();
	struct rng rng = rng_make(4, 1);

	(void)state;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		uint32_t queue = rng_below(&rng, queue_tail_queues()), skip = rng_below(&rng, HELD + 1);
		struct queue_tail_in in = { 0 };

		for (uint32_t q = 0; q < queue_tail_queues(); q++)
			in.queue[q] = random_queue(&rng);
		in.queue[queue].resume = 1;
		in.index = (in.queue[queue].head + skip) & 15;
		assert_int_equal(queue_tail_eval(t, &in).skip, skip);
	}
	queue_tail_close(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(tails), cmocka_unit_test(skips) };

	return cmocka_run_group_tests(tests, NULL, NULL) + unit_failed();
}
