/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_issue_test - the issue stage between queues, barrier units, bulk groups and paths.
 *
 * Requirement: the commands of a queue take effect in order, once; a wait sleeps until it may be
 * satisfied, and answers at its limit; a fault stops its queue without a trace of the command; a
 * disabled queue's commands have no effect on its next life.
 * Checks: tma_issue_env, every output in every cycle; the unit's assertions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka.h needs the ones above. */
#include <cmocka.h>

#include "tma_abi.h"
#include "unit_rtl/tma_issue_env.h"

static struct issue_cmd command(uint32_t queue, uint8_t opcode, uint16_t flags)
{
	struct issue_cmd x = { .queue = queue };

	x.command.opcode = opcode;
	x.command.version = TMA_COMMAND_VERSION;
	x.command.flags = flags;
	return x;
}

static void on_barrier(struct issue_cmd *x, uint32_t cta, uint32_t barrier)
{
	x->ctas = 1u << cta;
	x->command.barrier = cta << 24 | barrier * 8;
}

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
	struct issue_cmd x = command(queue, TMA_MBARRIER_TRY_WAIT, TMA_FLAG_PARITY);

	on_barrier(&x, 0, 1);
	x.command.count = parity;
	x.command.tx = limit;
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

/* One command per cycle, each in the cycle after it came. */
static void throughput(void **state)
{
	struct issue_cmd x = command(0, TMA_SIGNAL, 0);
	struct env e;
	uint32_t i;

	(void)state;
	env_open(&e, 1);
	for (i = 0; i < ENV_DEPTH; i++) {
		x.command.tag = i;
		env_push(&e, &x);
	}
	assert_int_equal(until_retired(&e, ENV_DEPTH, 20), ENV_DEPTH + 1);
	env_close(&e);
}

/* A try_wait sleeps; the change of its barrier wakes it. */
static void wakes(void **state)
{
	struct env e;
	uint32_t i;

	(void)state;
	env_open(&e, 2);
	init(&e, 0, 1, 1);
	push_wait(&e, 0, 0, ENV_FOREVER);
	for (i = 0; i < 20; i++)
		env_step(&e);
	assert_int_equal(e.retired, 0);
	arrive(&e, 0, 1);
	until_retired(&e, 1, 10);
	assert_true(e.answer.value == 1);
	env_close(&e);
}

/* Somebody turns the phase without a sign. */
static void tries_again(void **state)
{
	struct env e;
	uint32_t i;

	(void)state;
	env_open(&e, 3);
	init(&e, 0, 1, 1);
	push_wait(&e, 1, 0, ENV_FOREVER);
	for (i = 0; i < 300; i++)
		env_step(&e);
	assert_true(e.sleeps >= 4);
	arrive(&e, 0, 1);
	e.updates = 0;
	until_retired(&e, 1, 70);
	env_close(&e);
}

/* A limit of n cycles ends after n cycles, whatever happens in between. */
static void limits(void **state)
{
	static const uint32_t limit[] = { 1, 2, 3, 10, 63, 64, 65, 500 };
	struct env e;
	uint32_t i, took;

	(void)state;
	env_open(&e, 4);
	init(&e, 0, 1, 1);
	env_step(&e);
	for (i = 0; i < sizeof(limit) / sizeof(limit[0]); i++) {
		push_wait(&e, 0, 0, limit[i]);
		took = until_retired(&e, i + 1, limit[i] + 10);
		assert_true(took >= limit[i] + 2 && took <= limit[i] + 5);
		assert_true(e.answer.value == 0);
	}
	assert_int_equal(e.expired, i);
	/* None at all: one test. */
	push_wait(&e, 0, 0, 0);
	assert_int_equal(until_retired(&e, i + 1, 10), 2);
	assert_true(e.answer.value == 0);
	env_close(&e);
}

/* LAST_STATE: of the queue's own last arrive, and none before there is one. */
static void states(void **state)
{
	struct issue_cmd x = command(0, TMA_MBARRIER_ARRIVE, TMA_FLAG_RECORD);
	struct env e;
	uint32_t i;

	(void)state;
	env_open(&e, 5);
	init(&e, 1, 2, 5);
	on_barrier(&x, 1, 2);
	x.command.count = 2;
	env_push(&e, &x);
	x = command(0, TMA_MBARRIER_PENDING_COUNT, TMA_FLAG_LAST_STATE);
	env_push(&e, &x);
	until_retired(&e, 2, 10);
	assert_true(e.answer.value == 5);
	x.queue = 1;
	env_push(&e, &x);
	for (i = 0; i < 5; i++)
		env_step(&e);
	assert_int_equal(e.faults, 1);
	assert_true(e.queue[1].stopped);
	/* What is behind the fault stays. */
	x = command(1, TMA_SIGNAL, 0);
	env_push(&e, &x);
	for (i = 0; i < 20; i++)
		env_step(&e);
	assert_int_equal(e.queue[1].count, 2);
	assert_int_equal(e.retired, 2);
	env_close(&e);
}

static void groups(void **state)
{
	struct issue_cmd x = command(0, TMA_BULK_COMMIT_GROUP, 0);
	struct env e;
	uint32_t i;

	(void)state;
	env_open(&e, 6);
	for (i = 0; i < 33; i++) {
		env_push(&e, &x);
		env_step(&e);
	}
	for (i = 0; i < 20; i++)
		env_step(&e);
	assert_int_equal(e.retired, 32);
	e.queue[0].pending_read = e.queue[0].pending_write = 31;
	until_retired(&e, 33, 10);

	x = command(0, TMA_BULK_WAIT_GROUP, TMA_FLAG_READ);
	x.command.count = 3;
	env_push(&e, &x);
	x.command.flags = 0;
	x.command.count = 0x80000000;
	env_push(&e, &x);
	x.command.count = 0;
	env_push(&e, &x);
	for (i = 0; i < 20; i++)
		env_step(&e);
	assert_int_equal(e.retired, 33);
	e.queue[0].pending_read = 3;
	until_retired(&e, 35, 10);
	for (i = 0; i < 20; i++)
		env_step(&e);
	e.queue[0].pending_read = e.queue[0].pending_write = 0;
	until_retired(&e, 36, 10);
	env_close(&e);
}

/* A queue that is disabled and enabled again while a barrier unit has its command. */
static void short_disable(void **state)
{
	struct issue_cmd x;
	struct env e;
	uint32_t i, off;

	(void)state;
	for (off = 1; off < 4; off++) {
		env_open(&e, 7);
		init(&e, 0, 1, 3);
		x = command(0, TMA_MBARRIER_ARRIVE, 0);
		on_barrier(&x, 0, 1);
		x.command.count = 1;
		env_push(&e, &x);
		x.command.tag = 1;
		env_push(&e, &x);
		e.delay_percent = 100;
		for (i = 0; i < 5; i++)
			env_step(&e);
		e.queue[0].enabled = false;
		for (i = 0; i < off; i++)
			env_step(&e);
		e.queue[0].enabled = true;
		x.command.tag = 2;
		env_push(&e, &x);
		env_step(&e);
		e.delay_percent = 0;
		for (i = 0; i < 10; i++)
			env_step(&e);
		assert_int_equal(e.retired, 1);
		assert_int_equal(bar_unpack(e.bar[0][1]).pending, 2);
		env_close(&e);
	}
}

/*
 * Random programs.
 */

static void random_copy(struct env *e, struct issue_cmd *x)
{
	struct tma_command *c = &x->command;
	uint32_t own = rng_below(&e->rng, e->info->ctas), cta = rng_below(&e->rng, e->info->ctas);

	c->size = rng_percent(&e->rng, 15) ? 0 : (uint32_t)rng_next(&e->rng) & 0xFFFF0;
	c->global_address = rng_next(&e->rng) & ~UINT64_C(15);
	c->shared_src = own << 24 | ((uint32_t)rng_next(&e->rng) % e->info->smem_bytes & ~15u);
	c->shared_dst = cta << 24 | ((uint32_t)rng_next(&e->rng) % e->info->smem_bytes & ~15u);
	c->byte_mask = (uint16_t)rng_next(&e->rng);
	c->policy = rng_next(&e->rng);
	if (c->opcode == TMA_BULK_STORE)
		c->flags |= rng_percent(&e->rng, 50) ? TMA_FLAG_CP_MASK : 0;
	if (c->opcode != TMA_BULK_LOAD && c->opcode != TMA_BULK_SHARED)
		return;
	on_barrier(x, cta, rng_below(&e->rng, ENV_BARRIERS));
	if (c->opcode == TMA_BULK_LOAD && rng_percent(&e->rng, 40)) {
		c->flags |= TMA_FLAG_MULTICAST;
		x->ctas = rng_below(&e->rng, 1u << e->info->ctas);
		c->cta_mask = (uint16_t)x->ctas;
	}
}

static void random_sync(struct env *e, struct issue_cmd *x)
{
	static const uint32_t limit[] = { 0, 1, 5, 40, 100, ENV_FOREVER };
	struct tma_command *c = &x->command;

	c->count = 1 + rng_below(&e->rng, 3);
	c->tx = rng_below(&e->rng, 3) * 16;
	if (c->opcode == TMA_BULK_WAIT_GROUP) {
		c->count = rng_percent(&e->rng, 20) ? (uint32_t)rng_next(&e->rng) : rng_below(&e->rng, 34);
		c->flags |= rng_percent(&e->rng, 50) ? TMA_FLAG_READ : 0;
	}
	if (c->opcode == TMA_MBARRIER_ARRIVE) {
		c->flags |= rng_percent(&e->rng, 20) ? TMA_FLAG_DROP : 0;
		c->flags |= rng_percent(&e->rng, 30)   ? TMA_FLAG_EXPECT_TX
		            : rng_percent(&e->rng, 10) ? TMA_FLAG_NO_COMPLETE
		                                       : 0;
	}
	if (c->opcode >= TMA_MBARRIER_PENDING_COUNT && c->opcode <= TMA_MBARRIER_TRY_WAIT) {
		c->global_address = rng_next(&e->rng);
		c->flags |= rng_percent(&e->rng, 20) ? TMA_FLAG_LAST_STATE : 0;
	}
	if (c->opcode == TMA_MBARRIER_TRY_WAIT)
		c->tx = limit[rng_below(&e->rng, 6)];
	if ((c->opcode == TMA_MBARRIER_TEST_WAIT || c->opcode == TMA_MBARRIER_TRY_WAIT) &&
	    !(c->flags & TMA_FLAG_LAST_STATE) && rng_percent(&e->rng, 50)) {
		c->flags |= TMA_FLAG_PARITY;
		c->count &= 1;
	}
	if (c->opcode >= TMA_MBARRIER_INIT && c->opcode <= TMA_MBARRIER_TRY_WAIT &&
	    c->opcode != TMA_MBARRIER_PENDING_COUNT)
		on_barrier(x, rng_below(&e->rng, e->info->ctas), rng_below(&e->rng, ENV_BARRIERS));
}

static void random_command(struct env *e, uint32_t queue)
{
	static const uint8_t opcodes[] = {
		TMA_BULK_LOAD,          TMA_BULK_STORE,           TMA_BULK_SHARED,
		TMA_BULK_PREFETCH,      TMA_BULK_COMMIT_GROUP,    TMA_BULK_WAIT_GROUP,
		TMA_MBARRIER_EXPECT_TX, TMA_MBARRIER_COMPLETE_TX, TMA_MBARRIER_ARRIVE,
		TMA_MBARRIER_ARRIVE,    TMA_MBARRIER_ARRIVE,      TMA_MBARRIER_PENDING_COUNT,
		TMA_MBARRIER_TEST_WAIT, TMA_MBARRIER_TRY_WAIT,    TMA_SIGNAL,
		TMA_MBARRIER_INIT,      TMA_MBARRIER_INIT,        TMA_MBARRIER_INVAL,
	};
	uint32_t choice = rng_below(&e->rng, sizeof(opcodes));
	struct issue_cmd x;

	/* Most barriers should live for a while. */
	if (opcodes[choice] == TMA_MBARRIER_INVAL && rng_percent(&e->rng, 80))
		return;
	x = command(queue, opcodes[choice], rng_percent(&e->rng, 40) ? TMA_FLAG_RECORD : 0);
	x.command.tag = (uint32_t)rng_next(&e->rng);
	if (x.command.opcode <= TMA_BULK_PREFETCH)
		random_copy(e, &x);
	else
		random_sync(e, &x);
	if (rng_percent(&e->rng, 1)) {
		x.fault = TMA_FAULT_RESERVED_BITS + rng_below(&e->rng, 16);
		x.fault_address = rng_next(&e->rng);
	}
	env_push(e, &x);
}

/* Other queues and copies: barriers and groups move, queues stop and start anew. */
static void disturb(struct env *e, bool restless)
{
	struct bar_request r = { .op = BAR_COMPLETE, .count = 2 };
	uint32_t i;

	r.tx = rng_below(&e->rng, 3) * 16;
	if (rng_percent(&e->rng, 10))
		r.op = rng_percent(&e->rng, 50) ? BAR_INIT : BAR_ARRIVE;
	if (rng_percent(&e->rng, 10))
		env_touch(e, rng_below(&e->rng, e->info->ctas), rng_below(&e->rng, ENV_BARRIERS), &r);
	for (i = 0; i < e->info->queues; i++) {
		struct env_queue *q = &e->queue[i];

		if (q->pending_read && rng_percent(&e->rng, 5))
			q->pending_read--;
		if (q->pending_write > q->pending_read && rng_percent(&e->rng, 10))
			q->pending_write--;
		if (!q->enabled)
			q->enabled = rng_percent(&e->rng, 60);
		else if ((q->stopped && rng_percent(&e->rng, 10)) || (restless && rng_percent(&e->rng, 2)))
			q->enabled = false;
		else if (restless && rng_below(&e->rng, 500) == 0)
			q->stopped = true;
	}
}

static void random_programs(void **state)
{
	uint32_t i, q;
	struct env e;

	(void)state;
	env_open(&e, 8);
	for (i = 0; i < 300000; i++) {
		if (i % 500 == 0) {
			e.delay_percent = i / 500 % 4 * 30;
			e.fault_percent = i / 500 % 3 * 45;
		}
		for (q = 0; q < e.info->queues; q++)
			if (env_room(&e, q) && rng_percent(&e.rng, 30))
				random_command(&e, q);
		disturb(&e, i / 10000 % 2);
		env_step(&e);
	}
	assert_true(e.retired > 30000);
	assert_true(e.sleeps > 1000);
	assert_true(e.expired > 100);
	assert_true(e.faults > 1000);
	assert_true(e.copies > 5000);
	env_close(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(throughput),    cmocka_unit_test(wakes),
		cmocka_unit_test(tries_again),   cmocka_unit_test(limits),
		cmocka_unit_test(states),        cmocka_unit_test(groups),
		cmocka_unit_test(short_disable), cmocka_unit_test(random_programs),
	};

	return cmocka_run_group_tests_name("tma_issue", tests, NULL, NULL);
}
