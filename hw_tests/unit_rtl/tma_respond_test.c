/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_respond_test - every record is sent once, whole, in the order in which it was taken.
 *
 * Requirement: answers are always taken when issue looks at the level three cycles ahead, with short paths
 * four; a fault record enters behind the answers before it, and gets in however busy issue is.
 * Checks: all records, their order and latency, the event, the unit's assertions.
 */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "unit_rtl/record_draw.h"
#include "tma_respond_pins.h"

#define DEPTH    16u
#define PIPELINE 3u /* answers between the look at the level and the queue; with short paths one more */
#define MOST     64u

struct bench {
	struct respond *unit;
	struct respond_in *in;
	const struct respond_out *out;
	struct tma_record queue[MOST];
	uint64_t since[MOST];  /* cycle in which it was taken */
	uint32_t head, tail;   /* taken, and not yet sent */
	bool coming[PIPELINE]; /* picked in the cycle before, in the one before that, and so on */
	uint64_t cycle, answers, faults, events, longest_wait, waits;
	uint32_t stall_percent;
	struct rng rng;
};

static void bench_open(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, respond, seed);
	respond_start(b->unit);
}

#define BENCH_TEST(name, ...) \
	TEST_IN(name, struct bench, b, bench_open(b, __VA_ARGS__), respond_close(b->unit))

static void took(struct bench *b, const struct tma_record *r)
{
	assert_true(b->tail - b->head < MOST);
	b->since[b->tail % MOST] = b->cycle;
	b->queue[b->tail++ % MOST] = *r;
}

/* @p issue_percent, @p ready_percent: new answers, records taken outside; per cycle. */
static void step(struct bench *b, uint32_t issue_percent, uint32_t ready_percent)
{
	uint32_t pipeline = PIPELINE + unit_shape()->short_paths, last = pipeline - 2;
	bool stalled, held = b->head != b->tail;
	uint64_t due = b->since[b->head % MOST] + 1 + unit_shape()->short_paths;

	b->in->rsp_ready = rng_percent(&b->rng, ready_percent);
	/* Issue may have to wait, with answers in all its stages. */
	stalled = rng_percent(&b->rng, b->stall_percent);
	b->in->ans_valid = b->coming[last] && !stalled;
	if (b->in->ans_valid)
		b->in->ans = record_draw(&b->rng, rng_below(&b->rng, unit_shape()->queues), false);
	respond_eval(b->unit);

	if (b->in->ans_valid)
		b->coming[last] = false;
	for (uint32_t i = last + 1; i-- > 1;) {
		if (!b->coming[i]) {
			b->coming[i] = b->coming[i - 1];
			b->coming[i - 1] = false;
		}
	}
	if (!b->coming[0])
		b->coming[0] = b->out->ans_level <= DEPTH - pipeline && rng_percent(&b->rng, issue_percent);

	assert_int_equal(b->out->idle, !held && !b->in->rec_valid);
	assert_int_equal(b->out->event, b->out->rsp_valid && b->in->rsp_ready);
	b->events += b->out->event;
	assert_int_equal(b->out->rsp_valid, held && b->cycle >= due);
	if (b->out->rsp_valid) {
		assert_memory_equal(&b->out->rsp, &b->queue[b->head % MOST], sizeof(b->out->rsp));
		b->head += b->in->rsp_ready;
	}
	if (b->in->ans_valid) {
		took(b, &b->in->ans);
		b->answers++;
	}
	b->waits = b->in->rec_valid ? b->waits + 1 : 0;
	if (b->waits > b->longest_wait)
		b->longest_wait = b->waits;
	if (b->in->rec_valid && b->out->rec_ready) {
		assert_int_equal(b->in->ans_valid, 0);
		took(b, &b->in->rec);
		b->faults++;
		respond_tick(b->unit);
		b->in->rec_valid = 0;
	} else {
		respond_tick(b->unit);
	}
	b->cycle++;
}

static void offer_fault(struct bench *b)
{
	if (b->in->rec_valid)
		return;
	b->in->rec_valid = 1;
	b->in->rec = record_draw(&b->rng, rng_below(&b->rng, unit_shape()->queues), true);
}

static void random_run(uint64_t seed, uint32_t issue, uint32_t stall, uint32_t ready, uint32_t faults)
{
	struct bench b;

	bench_open(&b, seed);
	b.stall_percent = stall;
	for (uint32_t i = 0; i < 30000; i++) {
		if (rng_percent(&b.rng, faults))
			offer_fault(&b);
		step(&b, issue, ready);
	}
	for (uint32_t i = 0; i < 100; i++)
		step(&b, 0, 100);
	assert_true(b.head == b.tail && b.out->idle);
	assert_int_equal(b.events, b.answers + b.faults);
	assert_true(b.answers > 100 && b.faults > 100);
	respond_close(b.unit);
}

TEST(fast_host)
{
	random_run(1, 100, 0, 100, 20);
}

TEST(slow_host)
{
	random_run(2, 100, 0, 30, 10);
}

TEST(stalled_issue)
{
	random_run(3, 100, 70, 30, 60);
}

/* Issue has an answer for every cycle and the host is slow: a fault record still gets in soon. */
BENCH_TEST(nobody_starves, 4)
{
	for (uint32_t i = 0; i < 2000; i++) {
		if (i % 100 == 50)
			offer_fault(b);
		step(b, 100, 50);
	}
	assert_true(b->faults >= 19);
	assert_true(b->longest_wait < 60);
}

/* A host that takes nothing: the queue fills with answers, and none is lost. */
BENCH_TEST(deaf_host, 5)
{
	for (uint32_t i = 0; i < 200; i++) {
		if (i == 100)
			offer_fault(b);
		step(b, 100, 0);
	}
	assert_int_equal(b->tail, DEPTH);
	assert_int_equal(b->faults, 0);
	for (uint32_t i = 0; i < 100; i++)
		step(b, 0, 100);
	assert_int_equal(b->faults, 1);
}
