/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_completion_test - records of random queues through a store path that is now quick, now slow.
 *
 * Requirement: every record of a queue goes to the next slot of its ring, in order, with the phase of
 * the lap; the last slot is for a fault; answers are always taken when issue looks at the level
 * three cycles ahead and at the room in the same cycle (with short paths, one cycle earlier each), and a
 * fault record gets in however busy issue is; a queue whose life ends drops what is not on its way, and
 * starts anew from slot 0.
 * Checks: all commands and data, rooms, producers and flight in every cycle, the events, idle, the
 * unit's assertions.
 */
#include <string.h>

#include "unit_rtl/tma_completion_env.h"

/* Of issue, the store path and software each may be the slow one. */
TEST(random_records)
{
	static const struct {
		uint32_t issue, stall, speed, faults, lazy;
	} runs[] = { { 100, 0, 100, 20, 0 },
		     { 100, 0, 25, 10, 50 },
		     { 100, 70, 30, 60, 50 },
		     { 50, 20, 100, 30, 98 } };
	struct bench b;

	for (uint32_t k = 0; k < sizeof(runs) / sizeof(runs[0]); k++) {
		bench_open(&b, 1 + k, 4);
		b.stall_percent = runs[k].stall;
		b.lazy_percent = runs[k].lazy;
		for (uint32_t i = 0; i < 30000; i++) {
			if (rng_percent(&b.rng, runs[k].faults))
				offer_fault(&b);
			step(&b, runs[k].issue, runs[k].speed);
		}
		drain(&b);
		assert_true(b.answers > 100 && b.faults > 100);
		completion_close(b.unit);
	}
}

/* Two cycles from a record to its command, with short paths four; the producer a cycle after it is done. */
BENCH_TEST(latency, 5, 4)
{
	b->lazy_percent = 100;
	offer_fault(b);
	step(b, 0, 0);
	assert_int_equal(b->faults, 1);
	for (uint32_t i = 0; i < 1u + 2 * unit_shape()->short_paths; i++) {
		assert_int_equal(b->out->cmd_valid, 0);
		step(b, 0, 0);
	}
	assert_int_equal(b->out->cmd_valid, 1);
	step(b, 0, 100);
	step(b, 0, 100);
	assert_int_equal(b->data, 1);
	step(b, 0, 100);
	assert_int_equal(b->done, 1);
	assert_int_equal(b->out->producer[b->in->done_queue], 1);
}

/* The smallest and the largest ring, twice round. */
TEST(laps)
{
	static const uint32_t sizes[] = { 4, 16 };
	struct bench b;

	for (uint32_t i = 0; i < 2; i++) {
		bench_open(&b, 6 + i, sizes[i]);
		for (uint32_t q = 0; q < b.queues; q++)
			b.in->active[q] = q == 1;
		while (b.queue[1].taken < 2u << sizes[i]) {
			b.answer_queue = 1;
			step(&b, 100, 100);
		}
		drain(&b);
		completion_close(b.unit);
	}
}

/* Software takes nothing: answers leave the last slot, a fault takes it, and then there is no room. */
BENCH_TEST(full_ring, 8, 4)
{
	uint32_t q;

	b->lazy_percent = 100;
	for (uint32_t i = 0; i < 2000; i++)
		step(b, 100, 100);
	for (q = 0; q < b->queues; q++) {
		assert_int_equal(b->queue[q].producer, 15);
		assert_int_equal(b->out->rec_room[q], 1);
	}
	while (!b->faults) {
		offer_fault(b);
		step(b, 100, 100);
	}
	q = b->in->rec.queue;
	step(b, 100, 100);
	assert_int_equal(b->out->rec_room[q], 0);
	b->in->consumer[q] = 2;
	step(b, 100, 100);
	if (unit_shape()->short_paths)
		step(b, 0, 100);
	assert_int_equal(b->out->room[q], 1);
}

/* Issue has an answer for every cycle and the store path is slow: a fault still gets in soon. */
BENCH_TEST(nobody_starves, 9, 8)
{
	for (uint32_t i = 0; i < 2000; i++) {
		if (i % 100 == 50)
			offer_fault(b);
		step(b, 100, 50);
	}
	assert_true(b->faults >= 19);
	assert_true(b->longest_wait < 60);
}

/* A store path that takes nothing: the queue fills with answers, and none is lost. */
BENCH_TEST(deaf_store, 10, 8)
{
	for (uint32_t i = 0; i < 200; i++) {
		if (i == 100)
			offer_fault(b);
		step(b, 100, 0);
	}
	assert_int_equal(b->faults, 0);
	/* Those in the queue, and the one whose command is on offer. */
	assert_int_equal(b->num_waiting, DEPTH + 1);
	drain(b);
	assert_int_equal(b->faults, 1);
}

/* Lives end with records in all places; the next starts from slot 0, of another ring. */
BENCH_TEST(lives, 11, 4)
{
	b->lazy_percent = 80;
	for (uint32_t i = 0; i < 60000; i++) {
		for (uint32_t q = 0; q < b->queues; q++) {
			bool active = b->in->active[q];

			if (active && rng_below(&b->rng, 60) == 0) {
				b->in->active[q] = 0;
				b->in->consumer[q] = 0;
				b->queue[q].taken = b->queue[q].producer = 0;
				if (b->in->rec.queue == q)
					b->in->rec_valid = 0;
			} else if (!active && !b->queue[q].flight && rng_percent(&b->rng, 20)) {
				enable(b, q, 4 + rng_below(&b->rng, 3));
			}
		}
		if (rng_percent(&b->rng, 10))
			offer_fault(b);
		step(b, 60, i / 5000 % 2 ? 20 : 70);
	}
	assert_true(b->dropped > 500);
	drain(b);
}
