/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_cmd_queue_test - command queues against a list of what each of them holds.
 *
 * Requirement: every queue gives its commands in order, none lost and none twice, over any mix of
 * stalls, flushes and retirements; queues take turns; a command leaves only when its queue may go
 * and its path and the records have room; one command per cycle, one cycle of latency, with short
 * paths every other cycle and four. Queues are bound to the ring, which goes first, or to the direct
 * port. A resumed one drops what it is told.
 * Checks: all outputs in every cycle, the unit's assertions. The test plays tma_issue: one register
 * behind the unit, which retires or flushes what it holds.
 */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/tma_cmd_queue_env.h"

/* The latency of one command, and the rate of one queue. */
BENCH_TEST(throughput, 1)
{
	for (uint32_t i = 0; i < 40; i++) {
		offer(b, 1, i % CLASSES, false);
		settle(b, true);
		assert_int_equal(b->out->cmd_valid, 1);
		assert_int_equal(b->out->cmd.cmd.tag, i);
	}
	step(b, true, false);
	step(b, true, false);
	b->in->blocked = 2;
	for (uint32_t i = 0; i < DEPTH; i++) {
		offer(b, 1, 4, false);
		step(b, true, false);
	}
	b->in->blocked = 0;
	for (uint32_t i = 0; i < b->wake; i++)
		step(b, true, false);
	for (uint32_t i = 0; i < DEPTH * b->period; i++) {
		assert_int_equal(b->out->cmd_valid, i % b->period == 0);
		step(b, true, false);
	}
	assert_int_equal(b->out->cmd_valid, 0);
}

/* A full queue takes nothing, the others do. */
BENCH_TEST(full, 2)
{
	b->in->blocked = (1u << b->queues) - 1;
	for (uint32_t q = 0; q < b->queues; q++)
		for (uint32_t i = 0; i < DEPTH; i++) {
			offer(b, q, i, false);
			step(b, false, false);
			assert_int_equal(b->in->cmd_valid, 0);
		}
	offer(b, 0, 0, false);
	idle(b, 3);
	assert_int_equal(b->in->cmd_valid, 1);
	b->in->blocked = 0;
	for (uint32_t i = 0; b->retired < b->queues * DEPTH + 1; i++) {
		assert_true(i < (b->queues * DEPTH + 4) * b->period);
		step(b, true, false);
	}
}

/* Every queue is served once before one is served again. */
BENCH_TEST(turns, 3)
{
	uint32_t i, q, served[MAX_QUEUES] = { 0 };

	b->in->blocked = (1u << b->queues) - 1;
	for (q = 0; q < b->queues; q++)
		for (i = 0; i < 4; i++) {
			offer(b, q, 4, false);
			step(b, false, false);
		}
	b->in->blocked = 0;
	for (i = 0; i < b->wake; i++)
		step(b, true, false);
	for (i = 0; i < 4 * b->queues * b->period; i++) {
		assert_int_equal(b->out->cmd_valid, i % b->period == 0);
		if (b->out->cmd_valid)
			assert_int_equal(served[b->out->cmd_queue]++, i / b->period / b->queues);
		step(b, true, false);
	}
}

/*
 * Queues share a path equally, whatever others do meanwhile: all but one load, through a path that opens
 * for three picks at a time, and one waits and is tried again and again.
 */
BENCH_TEST(shares, 10)
{
	uint32_t i, q, served[MAX_QUEUES] = { 0 };
	bool waits;

	for (i = 0; i < 6400; i++) {
		b->in->path_ready = i % 16 < 3 * b->period ? ALL : ALL & ~LOAD;
		for (q = i % b->queues; q < b->queues && b->ref[q].count == DEPTH; q++)
			;
		if (q < b->queues)
			offer(b, q, q == 1 ? 4 : 0, false);
		waits = b->valid && b->queue == 1;
		if (b->valid && !waits)
			served[b->queue]++;
		step(b, !waits, true);
	}
	assert_true(served[0] * (b->queues - 1) >= 6400 / 16);
	for (q = 2; q < b->queues; q++)
		assert_in_range(served[q], served[0] - 1, served[0] + 1);
}

/* Each path, and the records, hold back their own commands alone. */
BENCH_TEST(gates, 4)
{
	bool answers;

	for (uint32_t path = 0; path <= PATHS; path++)
		for (uint32_t i = 0; i < 2 * CLASSES; i++) {
			uint32_t class = i / 2;
			bool record = i % 2, stays;

			stays = path < PATHS ? path_of(classes[class].opcode, &answers) == 1u << path
			                     : classes[class].answers || record;
			b->in->path_ready = path < PATHS ? ALL & ~(1u << path) : ALL;
			b->in->answer_ready = path < PATHS ? ALL_QUEUES : ~1u & ALL_QUEUES;
			offer(b, 0, class, record);
			settle(b, true);
			assert_int_equal(b->out->cmd_valid, !stays);
			b->in->path_ready = ALL;
			b->in->answer_ready = ALL_QUEUES;
			for (uint32_t k = 0; k < b->wake; k++)
				step(b, true, false);
			assert_int_equal(b->out->cmd_valid, stays);
			idle(b, 1);
			step(b, true, false);
			assert_int_equal(b->out->held, 0);
		}
}

/* What a queue held when it was disabled never leaves, however short that was. */
BENCH_TEST(disabled, 5)
{
	offer(b, 0, 4, false);
	settle(b, false);
	step(b, false, false); /* issue holds it, for long */
	for (uint32_t i = 0; i < 3; i++) {
		offer(b, 1, 4, false);
		step(b, false, false);
	}
	step(b, false, false);
	assert_int_equal(b->out->cmd_valid, 1);
	assert_int_equal(b->out->cmd_queue, 1);
	b->in->enable &= ~2u;
	step(b, false, false);
	b->in->enable |= 2u;
	step(b, false, false);
	assert_int_equal(b->out->cmd_valid, 0);
	offer(b, 1, 5, false);
	settle(b, true);
	step(b, true, false);
	step(b, true, false);
	assert_int_equal(b->retired, 2);
}

/* Each queue takes commands from its side alone; in one cycle with both the ring goes first. */
BENCH_TEST(rings, 7)
{
	b->in->ring_bound = 2;
	offer(b, 1, 4, false);
	idle(b, 3);
	assert_int_equal(b->in->cmd_valid, 1);
	for (uint32_t i = 0; i < 20; i++) {
		offer(b, 0, 4, false);
		offer_ring(b, 1, i % CLASSES, i % 2, 0);
		step(b, true, false);
		assert_int_equal(b->in->ring_valid, 0);
		assert_int_equal(b->in->cmd_valid, 1);
		if (b->latency == 1)
			assert_int_equal(b->out->cmd_queue, 1);
		step(b, true, false);
		assert_int_equal(b->in->cmd_valid, 0);
		for (uint32_t k = 2; k < b->latency; k++)
			step(b, true, false);
		assert_int_equal(b->out->cmd_valid, 1);
		assert_int_equal(b->out->cmd_queue, b->latency > 1);
		while (b->latency > 1 && b->out->held)
			step(b, true, false);
	}
	settle(b, true);
	/* A ring without room holds nobody up. */
	b->in->blocked = 2;
	for (uint32_t i = 0; i < DEPTH; i++) {
		offer_ring(b, 1, 0, false, 0);
		step(b, true, false);
	}
	offer_ring(b, 1, 0, false, 0);
	offer(b, 0, 4, false);
	step(b, true, false);
	assert_int_equal(b->in->ring_valid, 1);
	assert_int_equal(b->in->cmd_valid, 0);
}

/* A command that failed to come is no command: no path and no record hold it back. */
BENCH_TEST(failed, 8)
{
	b->in->ring_bound = 1;
	b->in->path_ready = SYNC;
	b->in->answer_ready = 0;
	for (uint32_t i = 0; i < 4 * CLASSES; i++) {
		offer_ring(b, 0, i / 4, i % 2, 1 + i % 4);
		b->in->blocked = i % 3 == 0;
		step(b, true, false);
		b->in->blocked = 0;
		settle(b, true);
		step(b, true, false);
		step(b, true, false);
		assert_int_equal(b->retired, i + 1);
	}
}

/* A resumed queue keeps what is behind the skipped ones, and a ring's nothing: not what is picked. */
BENCH_TEST(resumed, 9)
{
	for (uint32_t ring = 0; ring < 2; ring++)
		for (uint32_t skip = 0; skip <= DEPTH; skip++) {
			uint32_t retired = b->retired;

			b->in->ring_bound = ring;
			b->in->enable &= ~1u;
			idle(b, 1);
			b->in->enable |= 1u;
			idle(b, 1);
			for (uint32_t i = 0; i < DEPTH; i++) {
				if (ring)
					offer_ring(b, 0, 4, false, 0);
				else
					offer(b, 0, 4, false);
				step(b, false, false);
			}
			assert_int_equal(b->out->cmd_valid, 1);
			b->in->blocked = b->in->resume = 1;
			b->in->resume_skip = skip;
			step(b, false, false);
			assert_int_equal(b->out->cmd_valid, 0);
			b->in->blocked = 0;
			for (uint32_t i = 0; i < DEPTH * b->period + 3; i++)
				step(b, true, false);
			assert_int_equal(b->retired - retired, ring ? 0 : DEPTH - skip);
		}
	/* One that comes in that cycle is dropped, too. */
	offer_ring(b, 0, 4, false, 0);
	b->in->blocked = b->in->resume = 1;
	step(b, true, false);
	assert_int_equal(b->in->ring_valid, 0);
	b->in->blocked = 0;
	idle(b, 2);
	assert_int_equal(b->out->held, 0);
}

static void random_resume(struct bench *b)
{
	uint32_t q = rng_below(&b->rng, b->queues);

	/* Stopped and drained: nothing of it is on its way, unless it lies in a register. */
	if (!(b->in->enable >> q & 1))
		return;
	b->in->blocked |= 1u << q;
	b->in->resume = 1u << q;
	b->in->resume_skip = rng_below(&b->rng, b->ref[q].count + 1);
}

BENCH_TEST(random_traffic, 6)
{
	uint32_t i, q, mood = 0, all;

	all = (1u << b->queues) - 1;
	for (i = 0; i < 300000; i++) {
		bool act;

		if (i % 1000 == 0)
			mood = rng_below(&b->rng, 4);
		if (!b->in->cmd_valid && rng_percent(&b->rng, 80))
			offer(b, mood == 1 ? 1 : rng_below(&b->rng, b->queues), rng_below(&b->rng, CLASSES),
			      rng_percent(&b->rng, 30));
		/* Bound the other way while disabled. */
		if (b->in->cmd_valid && (b->in->ring_bound >> b->in->cmd_queue & 1))
			b->in->cmd_valid = 0;
		q = rng_below(&b->rng, b->queues);
		if (!b->in->ring_valid && (b->in->ring_bound >> q & 1) && rng_percent(&b->rng, 90))
			offer_ring(b, q, rng_below(&b->rng, CLASSES), rng_percent(&b->rng, 30),
			           rng_percent(&b->rng, 20) ? 1 + rng_below(&b->rng, 4) : 0);
		if (rng_percent(&b->rng, 20))
			b->in->blocked = (uint32_t)(rng_next(&b->rng) & rng_next(&b->rng)) & all;
		if (rng_percent(&b->rng, 20))
			b->in->path_ready = (uint32_t)(rng_next(&b->rng) | rng_next(&b->rng)) & ALL;
		b->in->answer_ready = (uint32_t)(rng_next(&b->rng) | rng_next(&b->rng)) & all;
		for (q = 0; q < b->queues; q++)
			if (!(b->in->enable >> q & 1) && rng_percent(&b->rng, 50)) {
				b->in->ring_bound ^= (uint32_t)(rng_percent(&b->rng, 50)) << q;
				b->in->ring_valid = b->in->ring_valid && b->in->ring_queue != q;
				b->in->enable |= 1u << q;
			} else if (mood == 2 && rng_percent(&b->rng, 2))
				b->in->enable &= ~(1u << q);
		act = rng_percent(&b->rng, mood == 3 ? 20 : 90);
		if (mood == 2 && rng_percent(&b->rng, 3))
			random_resume(b);
		/* What is held of a queue that is resumed retires no more. */
		step(b, act && rng_percent(&b->rng, 80) && !(b->in->resume >> b->queue & 1), act);
	}
	assert_true(b->retired > 50000 / b->period);
	assert_true(b->flushed > 5000);
	assert_true(b->resumed > 1000);
}
