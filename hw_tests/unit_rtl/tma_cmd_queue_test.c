/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_cmd_queue_test - command queues against a list of what each of them holds.
 *
 * Requirement: every queue gives its commands in order, none lost and none twice, over any mix of
 * stalls, flushes and retirements; queues take turns; a command leaves only when its queue may go
 * and its path and the records have room; one command per cycle, one cycle of latency.
 * Checks: all outputs in every cycle, the unit's assertions. The test plays tma_issue: one register
 * behind the unit, which retires or flushes what it holds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka.h needs the ones above. */
#include <cmocka.h>

#include "lib/rng.h"
#include "tma_abi.h"
#include "unit_rtl/tma_cmd_queue_shim.h"

#define MAX_QUEUES 16
#define DEPTH      8u /* CmdDepth of tma_front_pkg */
#define LOAD       1u /* bits of path_ready */
#define STORE      2u
#define SHARED     4u
#define SYNC       8u
#define ALL        15u

static const struct {
	uint8_t opcode, path, answers;
} classes[] = {
	{ TMA_BULK_LOAD, LOAD, 0 },
	{ TMA_BULK_PREFETCH, LOAD, 0 },
	{ TMA_BULK_STORE, STORE, 0 },
	{ TMA_BULK_SHARED, SHARED, 0 },
	{ TMA_BULK_WAIT_GROUP, SYNC, 0 },
	{ TMA_MBARRIER_ARRIVE, SYNC, 0 },
	{ TMA_MBARRIER_TEST_WAIT, SYNC, 1 },
	{ TMA_MBARRIER_TRY_WAIT, SYNC, 1 },
	{ TMA_SIGNAL, SYNC, 1 },
	{ TMA_MBARRIER_PENDING_COUNT, SYNC, 1 },
	{ 0xEE, SYNC, 0 },
};
#define CLASSES (sizeof(classes) / sizeof(classes[0]))

struct ref {
	struct tma_command held[DEPTH]; /* from the oldest on */
	uint32_t count, picked;
};

struct bench {
	struct cmdq *unit;
	struct cmdq_in *in;
	const struct cmdq_out *out;
	uint32_t queues;
	struct ref ref[MAX_QUEUES];
	struct rng rng;
	uint32_t tag, retired, flushed;
	struct cmdq_in before; /* inputs of the cycle before */
	bool fresh;            /* the unit's register was free then */
	/* The register of issue. */
	bool valid;
	uint32_t queue;
};

static void bench_open(struct bench *b, uint64_t seed)
{
	uint32_t i;

	memset(b, 0, sizeof(*b));
	b->rng = rng_make(seed, 1);
	b->unit = cmdq_open();
	b->in = cmdq_in(b->unit);
	b->out = cmdq_out(b->unit);
	b->queues = cmdq_queues();
	for (i = 0; i < 2; i++) {
		cmdq_eval(b->unit);
		cmdq_tick(b->unit);
	}
	b->in->rst_n = 1;
	b->in->enable = (1u << b->queues) - 1;
	b->in->path_ready = ALL;
	b->in->answer_ready = 1;
	b->in->out_ready = 1;
	b->fresh = true;
}

static void bench_close(struct bench *b)
{
	cmdq_close(b->unit);
	assert_int_equal(unit_failed(), 0);
}

static void offer(struct bench *b, uint32_t queue, uint32_t class, bool record)
{
	uint8_t *bytes = (uint8_t *)&b->in->command;
	uint32_t i;

	for (i = 0; i < sizeof(b->in->command); i++)
		bytes[i] = (uint8_t)rng_next(&b->rng);
	b->in->command.opcode = classes[class].opcode;
	b->in->command.flags = record ? TMA_FLAG_RECORD : 0;
	b->in->command.tag = b->tag++;
	b->in->queue = queue;
	b->in->valid = 1;
}

static uint32_t path_of(uint8_t opcode, bool *answers)
{
	uint32_t i;

	for (i = 0; classes[i].opcode != opcode; i++)
		;
	*answers = classes[i].answers;
	return classes[i].path;
}

/* What the unit shows at its output: the next of its queue, and it was allowed to leave. */
static void check_picked(struct bench *b)
{
	const struct cmdq_out *o = b->out;
	struct ref *r = &b->ref[o->queue];
	bool answers;
	uint32_t path = path_of(o->command.opcode, &answers);

	assert_true(r->picked < r->count);
	assert_memory_equal(&o->command, &r->held[r->picked], sizeof(o->command));
	if (!b->fresh)
		return;
	assert_true(b->before.path_ready & path);
	assert_true(b->before.answer_ready || (!answers && !(o->command.flags & TMA_FLAG_RECORD)));
	assert_false(b->before.blocked >> o->queue & 1);
}

/* Issue takes what is on offer, but for a command that is flushed or whose queue is disabled. */
static void take(struct bench *b)
{
	if (b->valid && !(b->in->enable >> b->queue & 1))
		b->valid = false;
	if (!b->in->out_ready)
		return;
	b->valid = b->out->valid && !(b->in->flush && b->out->queue == b->queue);
	if (!b->valid)
		return;
	b->queue = b->out->queue;
	b->ref[b->queue].picked++;
	b->valid = b->in->enable >> b->queue & 1;
}

/* One cycle. `retire`, `flush`: what issue does with what it holds; then it takes the next one. */
static void step(struct bench *b, bool retire, bool flush)
{
	uint32_t q, held = 0, ready = 0;
	bool accepted;
	struct ref *r;

	for (q = 0; q < b->queues; q++) {
		held |= (uint32_t)(b->ref[q].count != 0) << q;
		ready |= (uint32_t)((b->in->enable >> q & 1) && b->ref[q].count < DEPTH) << q;
	}
	b->in->retire = b->valid && retire;
	b->in->flush = b->valid && flush && !retire;
	b->in->retire_queue = b->in->flush_queue = b->queue;
	b->in->out_ready = !b->valid || retire || flush;
	cmdq_eval(b->unit);
	assert_int_equal(b->out->held, held);
	assert_int_equal(b->out->queue_ready, ready);
	assert_int_equal(b->out->ready, ready >> b->in->queue & 1);
	assert_int_equal(b->out->stalled, held && !b->out->valid);
	if (b->out->valid)
		check_picked(b);

	b->before = *b->in;
	b->fresh = !b->out->valid || b->in->out_ready;
	if (b->in->retire) {
		r = &b->ref[b->queue];
		memmove(r->held, r->held + 1, (DEPTH - 1) * sizeof(r->held[0]));
		r->count--;
		r->picked--;
		b->retired++;
	}
	take(b);
	if (b->in->flush) {
		b->ref[b->in->flush_queue].picked = 0;
		b->flushed++;
	}
	accepted = b->in->valid && b->out->ready;
	if (accepted) {
		r = &b->ref[b->in->queue];
		r->held[r->count++] = b->in->command;
	}
	cmdq_tick(b->unit);
	if (accepted)
		b->in->valid = 0;
	for (q = 0; q < b->queues; q++)
		if (!(b->in->enable >> q & 1))
			b->ref[q].count = b->ref[q].picked = 0;
}

static void idle(struct bench *b, uint32_t cycles)
{
	while (cycles--)
		step(b, false, false);
}

/* A command leaves the cycle after it came, and one queue gives one in every cycle. */
static void throughput(void **state)
{
	uint32_t i;
	struct bench b;

	(void)state;
	bench_open(&b, 1);
	for (i = 0; i < 40; i++) {
		offer(&b, 1, i % CLASSES, false);
		step(&b, true, false);
		assert_int_equal(b.out->valid, 1);
		assert_int_equal(b.out->command.tag, i);
	}
	bench_close(&b);
}

/* A full queue takes nothing, the others do. */
static void full(void **state)
{
	uint32_t i, q;
	struct bench b;

	(void)state;
	bench_open(&b, 2);
	b.in->blocked = (1u << b.queues) - 1;
	for (q = 0; q < b.queues; q++)
		for (i = 0; i < DEPTH; i++) {
			offer(&b, q, i, false);
			step(&b, false, false);
			assert_int_equal(b.in->valid, 0);
		}
	offer(&b, 0, 0, false);
	idle(&b, 3);
	assert_int_equal(b.in->valid, 1);
	b.in->blocked = 0;
	for (i = 0; b.retired < b.queues * DEPTH + 1; i++) {
		assert_true(i < b.queues * DEPTH + 4);
		step(&b, true, false);
	}
	bench_close(&b);
}

/* Every queue is served once before one is served again. */
static void turns(void **state)
{
	uint32_t i, q, served[MAX_QUEUES] = { 0 };
	struct bench b;

	(void)state;
	bench_open(&b, 3);
	b.in->blocked = (1u << b.queues) - 1;
	for (q = 0; q < b.queues; q++)
		for (i = 0; i < 4; i++) {
			offer(&b, q, 4, false);
			step(&b, false, false);
		}
	b.in->blocked = 0;
	step(&b, true, false);
	for (i = 0; i < 4 * b.queues; i++) {
		assert_int_equal(b.out->valid, 1);
		assert_int_equal(served[b.out->queue]++, i / b.queues);
		step(&b, true, false);
	}
	bench_close(&b);
}

/* Each path, and the records, hold back their own commands alone. */
static void gates(void **state)
{
	uint32_t i, path;
	bool answers;
	struct bench b;

	(void)state;
	bench_open(&b, 4);
	for (path = 0; path <= 4; path++)
		for (i = 0; i < 2 * CLASSES; i++) {
			uint32_t class = i / 2;
			bool record = i % 2, stays;

			stays = path < 4 ? path_of(classes[class].opcode, &answers) == 1u << path
			                 : classes[class].answers || record;
			b.in->path_ready = path < 4 ? ALL & ~(1u << path) : ALL;
			b.in->answer_ready = path < 4;
			offer(&b, 0, class, record);
			step(&b, true, false);
			assert_int_equal(b.out->valid, !stays);
			b.in->path_ready = ALL;
			b.in->answer_ready = 1;
			step(&b, true, false);
			assert_int_equal(b.out->valid, stays);
			idle(&b, 1);
			step(&b, true, false);
			assert_int_equal(b.out->held, 0);
		}
	bench_close(&b);
}

/* What a queue held when it was disabled never leaves, however short that was. */
static void disabled(void **state)
{
	uint32_t i;
	struct bench b;

	(void)state;
	bench_open(&b, 5);
	offer(&b, 0, 4, false);
	step(&b, false, false);
	step(&b, false, false); /* issue holds it, for long */
	for (i = 0; i < 3; i++) {
		offer(&b, 1, 4, false);
		step(&b, false, false);
	}
	assert_int_equal(b.out->valid, 1);
	assert_int_equal(b.out->queue, 1);
	b.in->enable &= ~2u;
	step(&b, false, false);
	b.in->enable |= 2u;
	step(&b, false, false);
	assert_int_equal(b.out->valid, 0);
	offer(&b, 1, 5, false);
	step(&b, true, false);
	step(&b, true, false);
	step(&b, true, false);
	assert_int_equal(b.retired, 2);
	bench_close(&b);
}

static void random_traffic(void **state)
{
	uint32_t i, q, mood = 0, all;
	struct bench b;

	(void)state;
	bench_open(&b, 6);
	all = (1u << b.queues) - 1;
	for (i = 0; i < 300000; i++) {
		bool act;

		if (i % 1000 == 0)
			mood = rng_below(&b.rng, 4);
		if (!b.in->valid && rng_percent(&b.rng, 80))
			offer(&b, mood == 1 ? 1 : rng_below(&b.rng, b.queues), rng_below(&b.rng, CLASSES),
			      rng_percent(&b.rng, 30));
		if (rng_percent(&b.rng, 20))
			b.in->blocked = (uint32_t)(rng_next(&b.rng) & rng_next(&b.rng)) & all;
		if (rng_percent(&b.rng, 20))
			b.in->path_ready = (uint32_t)(rng_next(&b.rng) | rng_next(&b.rng)) & ALL;
		b.in->answer_ready = rng_percent(&b.rng, 70);
		for (q = 0; q < b.queues; q++)
			if (!(b.in->enable >> q & 1))
				b.in->enable |= (uint32_t)rng_percent(&b.rng, 50) << q;
			else if (mood == 2 && rng_percent(&b.rng, 2))
				b.in->enable &= ~(1u << q);
		act = rng_percent(&b.rng, mood == 3 ? 20 : 90);
		step(&b, act && rng_percent(&b.rng, 80), act);
	}
	assert_true(b.retired > 50000);
	assert_true(b.flushed > 5000);
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(throughput), cmocka_unit_test(full),     cmocka_unit_test(turns),
		cmocka_unit_test(gates),      cmocka_unit_test(disabled), cmocka_unit_test(random_traffic),
	};

	return cmocka_run_group_tests_name("tma_cmd_queue", tests, NULL, NULL);
}
