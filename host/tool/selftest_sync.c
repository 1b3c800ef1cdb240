/* SPDX-License-Identifier: Apache-2.0 */
/* Self-test: cp.async, and what mbarriers answer and hold. */
#include <string.h>

#include "selftest.h"

#define BARRIER tma_shared(0, ST_BARRIER)

/* ---- cp.async ------------------------------------------------------------------------------------ */

static void copy(struct selftest *t, uint32_t to, uint32_t from, uint32_t size)
{
	tma_cp_async(st_next(t), tma_shared(0, to), st_address(t, from), size);
	memcpy(t->shared[0] + to, t->global + from, size);
}

/* Each size, with all or some of its bytes read, or none. */
static void sizes(struct selftest *t)
{
	uint32_t size, part;

	for (size = 4; size <= 16; size *= 2) {
		copy(t, 512 + 4 * size, 4096 + 12 * size, size);
		for (part = 0; part <= size; part += size / 4) {
			uint32_t to = 1024 + 256 * (size / 4) + 16 * part,
				 from = 8192 + 64 * size + 16 * part;

			tma_cp_async_src_size(st_next(t), tma_shared(0, to), st_address(t, from), size, part);
			memcpy(t->shared[0] + to, t->global + from, part);
			memset(t->shared[0] + to + part, 0, size - part);
		}
		tma_cp_async_ignore_src(st_next(t), tma_shared(0, 3072 + 32 * size), st_address(t, 64 * size),
		                        size, true);
		memset(t->shared[0] + 3072 + 32 * size, 0, size);
	}
	tma_cp_async_ignore_src(st_next(t), tma_shared(0, 3600), st_address(t, 4092), 4, false);
	memcpy(t->shared[0] + 3600, t->global + 4092, 4);
	copy(t, 3616, 4080, 16);
	tma_set_cg(&t->program[t->commands - 1]);
	tma_set_l2_prefetch(&t->program[t->commands - 1], TMA_L2_128B);
	tma_cp_async_wait_all(st_next(t));
	st_run(t, 0);
	st_compare(t);
}

/* Groups, and arrivals when copies are done. */
static void groups(struct selftest *t)
{
	uint32_t i;

	for (i = 0; i < 4; i++) {
		copy(t, 256 + 16 * i, 1024 * i + 16, 16);
		tma_cp_async_commit_group(st_next(t));
		tma_cp_async_wait_group(st_next(t), 1);
	}
	tma_cp_async_wait_group(st_next(t), 0);
	/* One arrival that the count has room for, one that makes room itself. */
	tma_mbarrier_init(st_next(t), BARRIER, 1);
	copy(t, 512, 20480, 16);
	tma_cp_async_mbarrier_arrive_noinc(st_next(t), BARRIER);
	tma_mbarrier_try_wait_parity(st_next(t), BARRIER, 0, TMA_NO_LIMIT);
	copy(t, 528, 24576, 8);
	tma_cp_async_mbarrier_arrive(st_next(t), BARRIER);
	tma_mbarrier_test_wait_parity(st_next(t), BARRIER, 1);
	tma_mbarrier_arrive(st_next(t), BARRIER, 1);
	tma_mbarrier_try_wait_parity(st_next(t), BARRIER, 1, TMA_NO_LIMIT);
	tma_mbarrier_inval(st_next(t), BARRIER);
	memset(t->shared[0] + ST_BARRIER, 0, 8);
	st_run(t, 0);
	st_answer(t, 0, 1);
	st_answer(t, 1, 0); /* its one arrival is missing */
	st_answer(t, 2, 1);
	st_compare(t);
}

void st_cp_async(struct selftest *t)
{
	st_fresh(t, 20, 1);
	sizes(t);
	groups(t);
}

/* ---- mbarrier ------------------------------------------------------------------------------------ */

/* The program of answers grows, and what each has to be with it. */
struct script {
	struct selftest *t;
	uint64_t expected[ST_MAX_ANSWERS];
	uint32_t count;
};

/* The command that was put in last answers; an arrive does so if it is asked. */
static void answers(struct script *s, uint64_t value)
{
	struct tma_command *last = &s->t->program[s->t->commands - 1];

	if (last->opcode == TMA_MBARRIER_ARRIVE)
		tma_set_record(last, s->count);
	s->expected[s->count++] = value;
}

/* State token of an arrive: what was pending, and the phase, before it. */
static uint64_t token(uint64_t pending, uint64_t phase)
{
	return pending << TMA_STATE_PENDING_LSB | phase << TMA_STATE_PHASE_LSB;
}

static void test_parity(struct script *s, uint32_t parity, uint64_t done)
{
	tma_mbarrier_test_wait_parity(st_next(s->t), BARRIER, parity);
	answers(s, done);
}

static void arrive(struct script *s, uint32_t count, uint64_t state)
{
	tma_mbarrier_arrive(st_next(s->t), BARRIER, count);
	answers(s, state);
}

/* Arrivals alone: phase 0 of three. */
static void phase_of_arrivals(struct script *s)
{
	tma_mbarrier_init(st_next(s->t), BARRIER, 3);
	arrive(s, 1, token(3, 0));
	test_parity(s, 0, 0);
	test_parity(s, 1, 1);
	arrive(s, 2, token(2, 0));
	test_parity(s, 0, 1);
	tma_mbarrier_test_wait_last(st_next(s->t), BARRIER);
	answers(s, 1);
	tma_mbarrier_pending_count(st_next(s->t), token(5, 1));
	answers(s, 5);
}

/* Bytes as well: phase 1 ends with the last of them, phase 2 begins. */
static void phase_of_bytes(struct script *s)
{
	tma_mbarrier_expect_tx(st_next(s->t), BARRIER, 64);
	arrive(s, 3, token(3, 1));
	test_parity(s, 1, 0);
	tma_mbarrier_complete_tx(st_next(s->t), BARRIER, 48);
	test_parity(s, 1, 0);
	tma_mbarrier_complete_tx(st_next(s->t), BARRIER, 16);
	test_parity(s, 1, 1);
	/* Bytes may come before they are expected. */
	tma_mbarrier_complete_tx(st_next(s->t), BARRIER, 32);
	tma_mbarrier_arrive_expect_tx(st_next(s->t), BARRIER, 32);
	test_parity(s, 0, 0);
	arrive(s, 2, token(2, 0));
	test_parity(s, 0, 1);
}

/* Phase 3 of three, of which one drops out; then two, of which one drops out; then one. */
static void phases_with_drops(struct script *s)
{
	tma_mbarrier_arrive_no_complete(st_next(s->t), BARRIER, 1);
	tma_mbarrier_pending_count_last(st_next(s->t));
	answers(s, 3);
	tma_mbarrier_arrive_drop(st_next(s->t), BARRIER, 1);
	arrive(s, 1, token(1, 1));
	test_parity(s, 1, 1);
	tma_mbarrier_arrive_drop_expect_tx(st_next(s->t), BARRIER, 16);
	tma_mbarrier_complete_tx(st_next(s->t), BARRIER, 16);
	arrive(s, 1, token(1, 0));
	test_parity(s, 0, 1);
	arrive(s, 1, token(1, 1));
	test_parity(s, 1, 1);
	tma_mbarrier_test_wait(st_next(s->t), BARRIER, token(1, 1));
	answers(s, 1);
	tma_mbarrier_test_wait(st_next(s->t), BARRIER, token(1, 0));
	answers(s, 0);
}

/* Waits that end at their limit, and such that need none. */
static void waits(struct script *s)
{
	tma_mbarrier_try_wait_parity(st_next(s->t), BARRIER, 0, 0);
	answers(s, 0);
	tma_mbarrier_try_wait_parity(st_next(s->t), BARRIER, 0, 50);
	answers(s, 0);
	tma_mbarrier_try_wait(st_next(s->t), BARRIER, token(1, 0), 20);
	answers(s, 0);
	arrive(s, 1, token(1, 0));
	tma_mbarrier_try_wait_last(st_next(s->t), BARRIER, TMA_NO_LIMIT);
	answers(s, 1);
	tma_mbarrier_try_wait(st_next(s->t), BARRIER, token(1, 0), TMA_NO_LIMIT);
	answers(s, 1);
}

/* The 64 bits of a barrier, once as it lies there. */
static void object_bits(struct selftest *t)
{
	const uint64_t expected =
		UINT64_C(7) << TMA_BARRIER_EXPECTED_LSB | UINT64_C(5) << TMA_BARRIER_PENDING_LSB |
		UINT64_C(4080) << TMA_BARRIER_TX_LSB | (uint64_t)TMA_BARRIER_ALIVE << TMA_BARRIER_LIVE_LSB;

	tma_mbarrier_init(st_next(t), tma_shared(0, 64), 7);
	tma_mbarrier_arrive(st_next(t), tma_shared(0, 64), 2);
	tma_mbarrier_expect_tx(st_next(t), tma_shared(0, 64), 4080);
	st_run(t, 0);
	memcpy(t->shared[0] + 64, &expected, 8);
	st_compare(t);
	tma_mbarrier_inval(st_next(t), tma_shared(0, 64));
	memset(t->shared[0] + 64, 0, 8);
}

/* More barriers than are resident: each has to be found again. */
static void many(struct selftest *t)
{
	uint32_t i;

	for (i = 0; i < 20; i++)
		tma_mbarrier_init(st_next(t), tma_shared(0, 256 + 8 * i), i + 1);
	for (i = 0; i < 20; i++)
		tma_mbarrier_arrive(st_next(t), tma_shared(0, 256 + 8 * i), i + 1);
	for (i = 0; i < 20; i++)
		tma_mbarrier_test_wait_parity(st_next(t), tma_shared(0, 256 + 8 * i), 0);
	for (i = 0; i < 20; i++)
		tma_mbarrier_inval(st_next(t), tma_shared(0, 256 + 8 * i));
	memset(t->shared[0] + 256, 0, 160);
	st_run(t, 0);
	for (i = 0; i < 20; i++)
		st_answer(t, i, 1);
	st_compare(t);
}

void st_mbarrier(struct selftest *t)
{
	struct script s = { .t = t };
	uint32_t i;

	st_fresh(t, 21, 1);
	phase_of_arrivals(&s);
	phase_of_bytes(&s);
	phases_with_drops(&s);
	waits(&s);
	tma_mbarrier_inval(st_next(t), BARRIER);
	memset(t->shared[0] + ST_BARRIER, 0, 8);
	st_run(t, 0);
	for (i = 0; i < s.count; i++)
		st_answer(t, i, s.expected[i]);
	if (!st_failed(t) && t->num_answers != s.count)
		st_value(t, "number of answers", 0, s.count, t->num_answers);
	object_bits(t);
	many(t);
	st_note(t, "%u answers", s.count + 20);
}
