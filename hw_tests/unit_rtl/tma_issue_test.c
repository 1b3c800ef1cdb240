/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_issue_test - the issue stage between queues, barrier units, bulk groups and paths.
 *
 * Requirement: the commands of a queue take effect in order, once; a wait sleeps until it may be
 * satisfied, answers at its limit, and faults when it is cancelled; a command whose record has no
 * room waits for it; a fault stops its queue without a trace of the command, until it is resumed; a
 * disabled queue's commands have no effect on its next life; barriers of several CTAs answer one by one.
 * Checks: tma_issue_env, every output in every cycle; the unit's assertions.
 */
#include <stdbool.h>
#include <string.h>

#include "tma_abi.h"
#include "unit_rtl/tma_issue_env.h"
#include "unit_rtl/tma_issue_random.h"

static void init(struct env *e, uint32_t cta, uint32_t barrier, uint32_t count)
{
	const struct bar_request r = { .op = BAR_INIT, .count = count };

	env_touch(e, cta, barrier, &r);
}

static void arrive(struct env *e, uint32_t cta, uint32_t barrier)
{
	const struct bar_request r = { .op = BAR_ARRIVE, .count = 1 };

	env_touch(e, cta, barrier, &r);
}

static void push_wait(struct env *e, uint32_t queue, uint32_t parity, uint32_t limit)
{
	struct issue_issue x = issue_command(queue, TMA_MBARRIER_TRY_WAIT, TMA_FLAG_PARITY);

	issue_on_barrier(&x, 0, 1);
	x.cmd.count = parity;
	x.cmd.tx = limit;
	env_push(e, &x);
}

static uint32_t until_retired(struct env *e, uint32_t count, uint32_t limit)
{
	uint64_t start = e->cycle;

	while (e->retired < count) {
		assert_true(e->cycle - start < limit);
		env_step(e);
	}
	return (uint32_t)(e->cycle - start);
}

/* One command per cycle, with short paths every other, each in the cycle after it came. */
ENV_TEST(throughput, 1)
{
	struct issue_issue x = issue_command(0, TMA_SIGNAL, 0);

	for (uint32_t i = 0; i < ENV_DEPTH; i++) {
		x.cmd.tag = i;
		env_push(e, &x);
	}
	assert_int_equal(until_retired(e, ENV_DEPTH, 20),
	                 e->info->short_paths ? 2 * ENV_DEPTH : ENV_DEPTH + 1);
}

/* A try_wait sleeps; the change of its barrier wakes it. */
ENV_TEST(wakes, 2)
{
	init(e, 0, 1, 1);
	push_wait(e, 0, 0, ENV_FOREVER);
	env_steps(e, 20);
	assert_int_equal(e->retired, 0);
	arrive(e, 0, 1);
	until_retired(e, 1, 10);
	assert_true(e->answer.value == 1);
}

/* Somebody turns the phase without a sign. */
ENV_TEST(tries_again, 3)
{
	init(e, 0, 1, 1);
	push_wait(e, 1, 0, ENV_FOREVER);
	env_steps(e, 300);
	assert_true(e->sleeps >= 4);
	arrive(e, 0, 1);
	e->updates = 0;
	until_retired(e, 1, 70);
}

/* A limit of n cycles ends after n cycles, whatever happens in between. */
ENV_TEST(limits, 4)
{
	static const uint32_t limit[] = { 1, 2, 3, 10, 63, 64, 65, 500 };
	uint32_t i, took;

	init(e, 0, 1, 1);
	env_step(e);
	for (i = 0; i < sizeof(limit) / sizeof(limit[0]); i++) {
		push_wait(e, 0, 0, limit[i]);
		took = until_retired(e, i + 1, limit[i] + 10);
		assert_true(took >= limit[i] + 2 && took <= limit[i] + 5 + 4 * e->info->short_paths);
		assert_true(e->answer.value == 0);
	}
	assert_int_equal(e->expired, i);
	/* None at all: one test. */
	push_wait(e, 0, 0, 0);
	assert_int_equal(until_retired(e, i + 1, 10), 2 + 2 * e->info->short_paths);
	assert_true(e->answer.value == 0);
}

/* LAST_STATE: of the queue's own last arrive, and none before there is one. */
ENV_TEST(states, 5)
{
	struct issue_issue x = issue_command(0, TMA_MBARRIER_ARRIVE, TMA_FLAG_RECORD);

	init(e, 1, 2, 5);
	issue_on_barrier(&x, 1, 2);
	x.cmd.count = 2;
	env_push(e, &x);
	x = issue_command(0, TMA_MBARRIER_PENDING_COUNT, TMA_FLAG_LAST_STATE);
	env_push(e, &x);
	until_retired(e, 2, 10);
	assert_true(e->answer.value == 5);
	x.qid = 1;
	env_push(e, &x);
	env_steps(e, 5);
	assert_int_equal(e->faults, 1);
	assert_true(e->queue[1].stopped);
	/* What is behind the fault stays. */
	x = issue_command(1, TMA_SIGNAL, 0);
	env_push(e, &x);
	env_steps(e, 20);
	assert_int_equal(e->queue[1].count, 2);
	assert_int_equal(e->retired, 2);
}

ENV_TEST(groups, 6)
{
	struct issue_issue x = issue_command(0, TMA_BULK_COMMIT_GROUP, 0);

	for (uint32_t i = 0; i < 33; i++) {
		env_push(e, &x);
		env_steps(e, e->info->short_paths ? 2 : 1);
	}
	env_steps(e, 20);
	assert_int_equal(e->retired, 32);
	e->queue[0].pending_read = e->queue[0].pending_write = 31;
	until_retired(e, 33, 10);

	x = issue_command(0, TMA_BULK_WAIT_GROUP, TMA_FLAG_READ);
	x.cmd.count = 3;
	env_push(e, &x);
	x.cmd.flags = 0;
	x.cmd.count = 0x80000000;
	env_push(e, &x);
	x.cmd.count = 0;
	env_push(e, &x);
	env_steps(e, 20);
	assert_int_equal(e->retired, 33);
	e->queue[0].pending_read = 3;
	until_retired(e, 35, 10);
	env_steps(e, 20);
	e->queue[0].pending_read = e->queue[0].pending_write = 0;
	until_retired(e, 36, 10);
}

/* Groups of cp.async and all of them, beside bulk groups that stay. */
ENV_TEST(cp_waits, 9)
{
	struct issue_issue x = issue_command(1, TMA_CP_ASYNC_COMMIT_GROUP, 0);

	e->queue[1].pending_read = e->queue[1].pending_write = 32;
	for (uint32_t i = 0; i < 33; i++) {
		env_push(e, &x);
		env_steps(e, e->info->short_paths ? 2 : 1);
	}
	env_steps(e, 20);
	assert_int_equal(e->retired, 32);
	e->queue[1].cp_pending = 31;
	until_retired(e, 33, 10);

	x = issue_command(1, TMA_CP_ASYNC_WAIT_GROUP, 0);
	x.cmd.count = 0x80000000;
	env_push(e, &x);
	x.cmd.count = 2;
	env_push(e, &x);
	env_steps(e, 20);
	assert_int_equal(e->retired, 34);
	e->queue[1].cp_pending = 2;
	until_retired(e, 35, 10);

	/* The open group counts for wait_all. */
	x = issue_command(1, TMA_CP_ASYNC, TMA_FLAG_IGNORE_SRC);
	x.cmd.size = 4;
	env_push(e, &x);
	x = issue_command(1, TMA_CP_ASYNC_WAIT_ALL, 0);
	env_push(e, &x);
	env_steps(e, 20);
	assert_int_equal(e->retired, 36);
	e->queue[1].cp_ops = 0;
	until_retired(e, 37, 10);
}

/* The arrival to come is counted at issue, but for NOINC; a full barrier or a dead one faults. */
ENV_TEST(cp_arrives, 10)
{
	struct issue_issue x = issue_command(0, TMA_CP_ASYNC_MBARRIER_ARRIVE, 0);

	init(e, 0, 1, 0xFFFFE);
	issue_on_barrier(&x, 0, 1);
	env_push(e, &x);
	x.cmd.flags = TMA_FLAG_NOINC;
	env_push(e, &x);
	until_retired(e, 2, 10);
	assert_int_equal(bar_unpack(e->bar[0][1]).pending, 0xFFFFF);
	assert_int_equal(e->copies, 2);
	x.cmd.flags = 0;
	env_push(e, &x);
	x.qid = 1;
	issue_on_barrier(&x, 0, 2);
	x.cmd.flags = TMA_FLAG_NOINC;
	env_push(e, &x);
	env_steps(e, 10);
	assert_int_equal(e->faults, 2);
	assert_int_equal(e->copies, 2);
}

/* A cancel ends a wait with a fault, whoever sends it; what does not wait does not notice. */
ENV_TEST(cancels, 11)
{
	struct issue_issue x = issue_command(1, TMA_CANCEL, 0);

	init(e, 0, 1, 1);
	e->queue[0].cancel = true;
	env_steps(e, 3);
	push_wait(e, 0, 0, ENV_FOREVER);
	env_steps(e, 20);
	assert_int_equal(e->faults, 0);
	env_push(e, &x);
	env_steps(e, 10);
	assert_int_equal(e->retired, 1);
	assert_int_equal(e->cancelled, 1);
	/* In each cycle of a wait that tries again and is satisfied in between. */
	for (uint32_t i = 0; i < 8; i++) {
		e->queue[0].resume = true;
		e->queue[0].resume_index = i + 7;
		e->queue[0].skip = e->queue[0].count;
		env_step(e);
		init(e, 0, 1, 1);
		push_wait(e, 0, 0, ENV_FOREVER);
		env_steps(e, 20);
		arrive(e, 0, 1);
		env_steps(e, i);
		e->queue[0].cancel = true;
		env_steps(e, 10);
		assert_int_equal(e->retired, i + 2);
		e->queue[0].stopped = true;
		env_step(e);
	}
	assert_int_equal(e->cancelled, 1);
}

/* Room for one record is room for one, also when commands come one per cycle. */
ENV_TEST(record_room, 12)
{
	struct issue_issue x = issue_command(0, TMA_BULK_COMMIT_GROUP, TMA_FLAG_RECORD);

	e->queue[0].room = 1;
	for (uint32_t i = 0; i < 3; i++)
		env_push(e, &x);
	env_steps(e, 20);
	assert_int_equal(e->retired, 1);
	assert_int_equal(e->fulls, 1);
	e->queue[0].room = 1;
	env_steps(e, 20);
	assert_int_equal(e->retired, 2);
	assert_int_equal(e->fulls, 2);
	/* A command without a record would not have waited; one that faults does not. */
	e->queue[0].cancel = true;
	env_steps(e, 10);
	assert_int_equal(e->cancelled, 1);
	x.qid = 1;
	x.fault = TMA_FAULT_RESERVED_BITS;
	e->queue[1].room = 0;
	env_push(e, &x);
	env_steps(e, 10);
	assert_int_equal(e->faults, 2);
}

/* A limit runs from the first try at the barrier, also while the room for the answer is taken. */
ENV_TEST(limit_without_room, 13)
{
	init(e, 0, 1, 1);
	e->queue[0].room = 0;
	push_wait(e, 0, 0, 50);
	env_steps(e, 100);
	e->queue[0].room = 1;
	env_steps(e, 40);
	assert_int_equal(e->retired, 0);
	e->queue[0].room = 0;
	env_steps(e, 100);
	assert_int_equal(e->retired, 0);
	e->queue[0].room = 1;
	assert_true(until_retired(e, 1, 10) <= 4 + 2 * e->info->short_paths);
	assert_true(e->answer.value == 0);
}

/* A resumed queue goes on at the command that it is told, with the state of its last arrive. */
ENV_TEST(resumes, 14)
{
	struct issue_issue x = issue_command(0, TMA_MBARRIER_ARRIVE, 0);

	init(e, 0, 1, 5);
	issue_on_barrier(&x, 0, 1);
	x.cmd.count = 1;
	env_push(e, &x);
	x.fault = TMA_FAULT_RESERVED_BITS;
	env_push(e, &x);
	env_push(e, &x);
	x = issue_command(0, TMA_MBARRIER_PENDING_COUNT, TMA_FLAG_LAST_STATE);
	env_push(e, &x);
	env_steps(e, 10);
	assert_int_equal(e->faults, 1);
	e->queue[0].resume = true;
	e->queue[0].resume_index = 0x80000003;
	e->queue[0].skip = 2;
	until_retired(e, 2, 10);
	assert_true(e->answer.value == 5);
	assert_true(e->answer.sequence == 0x80000003);
}

/* A queue that is disabled and enabled again while a barrier unit has its command. */
TEST(short_disable)
{
	struct issue_issue x;
	struct env e;

	for (uint32_t off = 1; off < 4; off++) {
		env_open(&e, 7);
		init(&e, 0, 1, 3);
		x = issue_command(0, TMA_MBARRIER_ARRIVE, 0);
		issue_on_barrier(&x, 0, 1);
		x.cmd.count = 1;
		env_push(&e, &x);
		x.cmd.tag = 1;
		env_push(&e, &x);
		e.delay_percent = 100;
		env_steps(&e, 5);
		e.queue[0].enabled = false;
		env_steps(&e, off);
		e.queue[0].enabled = true;
		x.cmd.tag = 2;
		env_push(&e, &x);
		env_step(&e);
		e.delay_percent = 0;
		env_steps(&e, 10);
		assert_int_equal(e.retired, 1);
		assert_int_equal(bar_unpack(e.bar[0][1]).pending, 2);
		issue_close(e.unit);
	}
}

static struct issue_issue multicast(uint32_t queue, uint32_t size)
{
	struct issue_issue x = issue_command(queue, TMA_BULK_LOAD, TMA_FLAG_MULTICAST);

	issue_on_barrier(&x, 0, 1);
	x.ctas = (1u << 2) - 1;
	x.cmd.cta_mask = (uint16_t)x.ctas;
	x.cmd.size = size;
	return x;
}

/* Barriers of two CTAs that are never ready in one cycle, whatever the queue does: a load to both of them
 * goes on when each has been, one whose barrier is dead faults, and one whose queue is gone leaves. */
ENV_TEST(never_both_ready, 15)
{
	struct issue_issue x = multicast(0, 64);

	e->hammered = true;
	init(e, 0, 1, 1);
	init(e, 1, 1, 1);
	env_push(e, &x);
	assert_true(until_retired(e, 1, 20) <= 8);
	for (uint32_t off = 1; off < 6; off++) {
		env_push(e, &x);
		env_steps(e, off);
		e->queue[0].enabled = false;
		env_step(e);
		e->queue[0].enabled = true;
		env_steps(e, 10);
		assert_true(!e->valid);
	}
	e->bar[1][1] = 0;
	env_push(e, &x);
	env_steps(e, 10);
	assert_int_equal(e->faults, 1);
}

/* Of no bytes: a barrier that expects nobody shows each signal, and has one; none if any of them is dead. */
ENV_TEST(empty_multicast, 16)
{
	const struct bar_request leave = { .op = BAR_ARRIVE, .count = 1, .drop = true };
	struct issue_issue x = multicast(0, 0);

	for (uint32_t i = 0; i < 20; i++) {
		uint32_t retired = e->retired;

		e->hammered = i & 1;
		for (uint32_t c = 0; c < 2; c++) {
			init(e, c, 1, 1);
			env_touch(e, c, 1, &leave);
		}
		env_push(e, &x);
		env_steps(e, i % 10);
		if (i >= 10)
			e->queue[0].enabled = false;
		env_step(e);
		e->queue[0].enabled = true;
		env_steps(e, 30);
		assert_true(i >= 10 || e->retired == retired + 1);
		for (uint32_t c = 0; c < 2; c++)
			assert_int_equal(bar_unpack(e->bar[c][1]).phase, e->retired == retired);
	}
	assert_true(e->retired > 10);
	e->bar[1][1] = 0;
	env_push(e, &x);
	env_steps(e, 30);
	assert_int_equal(e->faults, 1);
	assert_int_equal(bar_unpack(e->bar[0][1]).phase, 0);
}

ENV_TEST(random_programs, 8)
{
	/* With short paths half as many commands come. */
	for (uint32_t i = 0; i < 500000 * (1 + 2 * e->info->short_paths); i++) {
		if (i % 20000 == 0)
			issue_random_room(e);
		if (i % 500 == 0) {
			e->delay_percent = i / 500 % 4 * 30;
			e->fault_percent = i / 500 % 3 * 45;
		}
		for (uint32_t q = 0; q < e->info->queues; q++)
			if (env_room(e, q) && rng_percent(&e->rng, 30))
				issue_random_command(e, q);
		issue_disturb(e, i / 10000 % 2);
		env_step(e);
	}
	assert_true(e->retired > 30000);
	assert_true(e->sleeps > 1000);
	assert_true(e->expired > 100);
	assert_true(e->faults > 1000);
	assert_true(e->copies > 5000);
	assert_true(!e->info->reductions || e->reductions > 5000);
	assert_true(e->cancelled > 300);
	assert_true(e->fulls > 300);
}
