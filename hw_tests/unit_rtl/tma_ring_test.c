/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_ring_test - the ring front end between doorbells, memory and command queues.
 *
 * Requirement: every command before TAIL is handed over once and in order, with the bytes of its
 * slot; nothing at or past TAIL is used; fetches stay inside pages and rings and are offered only
 * with room for them; a command whose fetch failed says why and where, and is the last; stopped
 * queues fetch nothing, resumed and disabled ones forget what was fetched; a doorbell that is too
 * far ahead is a fault, and no two faults of different queues are lost.
 * Checks: tma_ring_env.h, in every cycle of every test here; latencies and throughput.
 */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/tma_ring_env.h"

/* Until a fetch is on offer: cycles. */
static uint32_t until_offer(struct bench *b)
{
	uint64_t start = b->cycle;

	while (!b->offered) {
		assert_true(b->cycle < start + 100);
		bench_step(b);
	}
	return (uint32_t)(b->cycle - start);
}

/* Two cycles from the doorbell to the fetch, with short paths four, two from the last beat to the command. */
BENCH_TEST(latency, 1)
{
	uint64_t start;

	bench_enable(b, 1, 4);
	bench_step(b);
	bench_put(b, 1, 1);
	assert_int_equal(until_offer(b), unit_shape()->short_paths ? 4 : 2);
	start = b->cycle; /* the fetch is taken in this cycle, the first beat comes in the next */
	bench_steps(b, b->parts + 1);
	assert_false(b->in->r_valid && !b->in->r.last);
	bench_drain(b, 1);
	assert_int_equal(b->command_cycle, start + b->parts + 2);
}

static double rate(uint32_t memory_latency, uint32_t queues)
{
	struct bench b;
	uint32_t q, commands = 0;
	uint64_t start = 0;

	bench_open(&b, 2);
	b.latency = memory_latency;
	for (q = 0; q < queues; q++)
		bench_enable(&b, q, 8);
	while (b.commands < 1500) {
		for (q = 0; q < queues && !b.in->door_valid; q++) {
			struct ring_queue *r = &b.queue[q];

			if (r->tail - r->head <= bench_size(&b, q) / 2)
				bench_put(&b, q, bench_size(&b, q) / 4);
		}
		bench_step(&b);
		if (b.commands >= 500 && !start) {
			start = b.cycle;
			commands = b.commands;
		}
	}
	commands = b.commands - commands;
	bench_close(&b);
	return (double)(b.cycle - start) / commands;
}

/* A command in as many cycles as its beats, or in two; in four with memory as far as the buffer covers. */
TEST(throughput)
{
	struct bench b;
	uint32_t parts, depth;

	bench_open(&b, 2);
	parts = b.parts;
	depth = b.shape->ring_depth;
	bench_close(&b);
	assert_true(rate(1, 1) <= 1.02 * (parts > 2 ? parts : 2));
	assert_true(rate(1, 2) <= 1.02 * (parts > 2 ? parts : 2));
	assert_true(rate(2 * depth, 1) <= 4.08);
}

/* The smallest ring many times round, in every length of doorbell; and the largest, at its end. */
BENCH_TEST(rings, 3)
{
	bench_enable(b, 0, 4);
	for (uint32_t i = 0; i < 200; i++) {
		bench_step(b);
		bench_put(b, 0, 1 + i % 16);
		bench_step(b);
		bench_drain(b, 0);
		bench_steps(b, 20);
	}
	bench_enable(b, 1, 16);
	b->in->stopped = 2;
	bench_put(b, 1, 65536);
	bench_step(b);
	bench_restart(b, 1, 65536 - 3 * b->shape->ring_depth);
	bench_step(b);
	bench_drain(b, 1);
	bench_steps(b, QUEUE_ROOM);
	bench_put(b, 1, 100);
	bench_step(b);
	bench_drain(b, 1);
	assert_int_equal(b->queue[1].tail, 65636);
}

/* Sequence numbers wrap where the unit's are cut off, and at 2^32. */
TEST(wraps)
{
	static const uint32_t from[] = { (1u << 16) - 20, (1u << 18) - 20, UINT32_MAX - 20, 0x7FFFFFF0 };
	struct bench b;

	for (uint32_t i = 0; i < sizeof(from) / sizeof(from[0]); i++) {
		bench_open(&b, 4);
		bench_enable(&b, 0, 5);
		bench_step(&b);
		b.in->stopped = 1;
		b.queue[0].head = from[i]; /* as if it had issued that many */
		b.queue[0].tail = from[i];
		bench_door(&b, 0, from[i]);
		b.queue[0].sent = b.queue[0].fetched = from[i];
		b.in->head[0] = from[i];
		b.in->room = 0;
		ring_eval(b.unit);
		ring_tick(b.unit);
		b.in->door_valid = 0;
		ring_eval(b.unit); /* short paths: the doorbell stands in a register */
		ring_tick(b.unit);
		bench_restart(&b, 0, from[i]);
		ring_eval(b.unit);
		ring_tick(b.unit);
		b.in->restart = b.in->stopped = 0;
		while (b.queue[0].tail - from[i] < 100) {
			bench_put(&b, 0, 10);
			bench_step(&b);
			bench_drain(&b, 0);
			bench_steps(&b, 10);
		}
		assert_int_equal(b.commands, 100);
		bench_close(&b);
	}
}

/* Fetches go on until the buffer is full, also of those that nobody takes commands of. */
BENCH_TEST(full, 5)
{
	b->no_room = UINT32_MAX;
	for (uint32_t q = 0; q < b->shape->queues; q++) {
		bench_enable(b, q, 8);
		bench_put(b, q, 256);
		bench_step(b);
	}
	bench_steps(b, 5 * b->shape->ring_depth * b->shape->queues);
	for (uint32_t q = 0; q < b->shape->queues; q++)
		assert_int_equal(b->queue[q].fetched, b->shape->ring_depth);
	b->no_room = 0;
	for (uint32_t q = 0; q < b->shape->queues; q++)
		bench_drain(b, q);
	assert_int_equal(b->commands, 256 * b->shape->queues);
}

/* Queues take turns in fetching and in sending. */
BENCH_TEST(turns, 6)
{
	uint32_t q, other, i, last = 0;

	b->fetch_percent = 0;
	for (q = 0; q < b->shape->queues; q++) {
		bench_enable(b, q, 8);
		bench_put(b, q, 256);
		bench_step(b);
	}
	b->fetch_percent = 100;
	for (i = 0; i < 8 * b->shape->queues; i++) {
		until_offer(b);
		other = b->offer.qid;
		if (i && b->fetches_taken < 2 * b->shape->queues)
			assert_int_equal(other, (last + 1) % b->shape->queues);
		last = other;
		bench_step(b);
	}
	b->no_room = UINT32_MAX;
	bench_steps(b, 5 * b->shape->ring_depth * b->shape->queues);
	b->no_room = 0;
	for (i = 0; i < 8 * b->shape->queues; i++) {
		uint32_t commands = b->commands;

		while (b->commands == commands)
			bench_step(b);
		other = b->out->cmd_queue;
		if (i)
			assert_int_equal(other, (last + 1) % b->shape->queues);
		last = other;
	}
}

/* The gravest error of a command's beats counts, wherever it is, and the next command is not sent. */
BENCH_TEST(errors, 7)
{
	static const uint8_t resp[] = { 2, 3, 0 }, came[] = { CAME_SLVERR, CAME_DECERR, CAME_DEAD };

	for (uint32_t seq = 0; seq < 2 * b->fetch_cmds; seq++)
		for (uint32_t kind = 0; kind < 3; kind++)
			for (uint32_t part = 0; part < b->parts; part++)
				for (uint32_t second = 0; second < 3; second++) {
					uint32_t commands = b->commands, worse = kind;

					b->plans = 0;
					b->plan[b->plans++] =
						(struct ring_plan){ 1, seq, part, resp[kind], kind == 2 };
					if (part + 1 < b->parts && kind != 2) {
						b->plan[b->plans++] =
							(struct ring_plan){ 1, seq, b->parts - 1,
							                    resp[second], second == 2 };
						worse = second > kind ? second : kind;
					}
					/* Two commands share a beat. */
					if (b->shape->data_bytes > 64)
						b->plan[0].seq &= ~1u;
					bench_enable(b, 1, 6);
					bench_put(b, 1, 2 * b->fetch_cmds);
					bench_steps(b, 20 + 12 * b->fetch_cmds);
					assert_int_equal(b->commands - commands, b->plan[0].seq + 1);
					assert_int_equal(b->last_came, came[worse]);
					assert_true(b->queue[1].closed);
					bench_disable(b, 1);
					bench_steps(b, 2);
				}
}

/* A refusal concerns neither the fetches before it nor other queues, and comes in its turn. */
BENCH_TEST(refused, 8)
{
	for (uint32_t i = 0; i < 40; i++) {
		uint32_t failures = b->failures, index;

		b->latency = 1 + i % 20;
		b->deny_queue = 0;
		b->deny_seq = i % 3 * b->fetch_cmds;
		bench_enable(b, 0, 8);
		bench_put(b, 0, 4 * b->fetch_cmds);
		bench_steps(b, 1 + i % 4);
		bench_enable(b, 1, 8);
		bench_put(b, 1, 4 * b->fetch_cmds);
		bench_steps(b, 60 + 20 * b->fetch_cmds);
		bench_drain(b, 1);
		assert_int_equal(b->failures, failures + 1);
		assert_int_equal(b->queue[0].came[b->deny_seq % b->shape->ring_depth], CAME_WINDOW);
		assert_true(b->queue[0].closed);
		assert_int_equal(b->queue[0].sent, b->deny_seq + 1);

		/* Behind it the window is open. */
		b->deny_queue = UINT32_MAX;
		index = b->deny_seq + i % 2 * (b->fetch_cmds + 1);
		b->in->stopped = 1;
		bench_step(b);
		bench_restart(b, 0, index);
		bench_step(b);
		bench_drain(b, 0);
		assert_int_equal(b->failures, failures + 1);
		bench_disable(b, 0);
		bench_disable(b, 1);
		bench_step(b);
	}
}

/* A stopped queue offers no fetch; one that is resumed waits for the data of its last ones. */
BENCH_TEST(resumed, 9)
{
	uint32_t taken, restart_at;

	for (uint32_t i = 0; i < 60; i++) {
		b->latency = 30;
		bench_enable(b, 0, 8);
		bench_put(b, 0, 200);
		bench_steps(b, i);
		b->in->stopped = 1;
		bench_steps(b, 2);
		taken = b->fetches_taken;
		bench_steps(b, i % 7 * 5);
		assert_int_equal(b->fetches_taken, taken);
		restart_at = b->queue[0].head + i;
		bench_restart(b, 0, restart_at);
		bench_step(b);
		while (b->queue[0].under_way && b->queue[0].dropping) {
			assert_int_equal(b->fetches_taken, taken);
			bench_step(b);
		}
		bench_drain(b, 0);
		bench_disable(b, 0);
		bench_steps(b, 1 + i % 2);
	}
}

/* TAIL one beyond the ring is a fault, the ring's size is not; each queue's waits for its turn. */
BENCH_TEST(overrun, 10)
{
	b->fault_percent = 0;
	for (uint32_t q = 0; q < b->shape->queues; q++) {
		b->in->stopped |= 1u << q;
		bench_enable(b, q, 4 + q % 13);
		bench_put(b, q, bench_size(b, q));
		bench_step(b);
		assert_int_equal(b->queue[q].tail, bench_size(b, q));
	}
	assert_int_equal(b->overruns, 0);
	for (uint32_t q = 0; q < b->shape->queues; q++) {
		bench_door(b, q, bench_size(b, q) + 1 + 1000 * q);
		bench_step(b);
		bench_door(b, q, UINT32_MAX); /* the same again */
		bench_step(b);
		assert_int_equal(b->queue[q].tail, bench_size(b, q));
	}
	assert_int_equal(b->faults, b->shape->queues);
	b->fault_percent = 100;
	bench_steps(b, b->shape->queues);
	assert_int_equal(b->faults, 0);
	bench_door(b, 0, 1u << 17);
	bench_step(b);
	assert_int_equal(b->faults, 1);
	bench_steps(b, 2);
	/* A queue without a ring has no doorbell. */
	bench_disable(b, 0);
	bench_door(b, 0, 1);
	bench_steps(b, 3);
	assert_int_equal(b->overruns, 2 * b->shape->queues + 1);
}

/* TAIL goes back behind what was fetched, and forth again over slots with new commands. */
BENCH_TEST(back, 11)
{
	bench_enable(b, 0, 7);
	b->latency = 10;
	for (uint32_t i = 0; i < 50; i++) {
		struct ring_queue *r = &b->queue[0];

		b->no_room = 1;
		bench_steps(b, 3);
		bench_put(b, 0, 100);
		bench_steps(b, i);
		bench_door(b, 0, r->sent + i % 10);
		bench_steps(b, 1 + i % 3);
		bench_put(b, 0, i % 20);
		bench_step(b);
		b->no_room = 0;
		bench_drain(b, 0);
		bench_steps(b, 30);
	}
	/* Behind what was sent: that is not taken back. */
	bench_put(b, 0, 6);
	b->retire_percent = 0;
	bench_step(b);
	bench_drain(b, 0);
	bench_steps(b, 3);
	bench_door(b, 0, b->queue[0].tail - 3);
	bench_steps(b, 20);
	assert_false(b->offered);
	assert_true(b->out->idle);
}
