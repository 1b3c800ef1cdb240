/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_barrier - one mbarrier operation at a time: the object before, the object after.
 *
 * Spec: semantics 1.17, M31
 * Checks: all fields of the object at the limits of their ranges, the transition and its reload, the
 *         token of an arrive, and that an operation at fault changes nothing.
 */
#include "model_cases.h"

#include <stdbool.h>

#define MAX ((int32_t)COUNT_MAX)

/* expected, pending, tx, phase */
struct object {
	uint32_t expected, pending;
	int32_t tx;
	uint32_t phase;
};

struct barrier_case {
	const char *name;
	struct object before;
	uint8_t opcode;
	uint32_t operand; /* count of an arrive without EXPECT_TX, else bytes */
	unsigned int flags;
	uint16_t fault;
	struct object after;
};

#define EXPECT   TMA_MBARRIER_EXPECT_TX
#define COMPLETE TMA_MBARRIER_COMPLETE_TX
#define ARRIVE   TMA_MBARRIER_ARRIVE
#define DROP     TMA_FLAG_DROP
#define WITH_TX  TMA_FLAG_EXPECT_TX
#define NO_END   TMA_FLAG_NO_COMPLETE

/* clang-format off */
static const struct barrier_case tx_cases[] = {
	{ "expect_tx adds", { 3, 2, 5, 1 }, EXPECT, 11, 0, 0, { 3, 2, 16, 1 } },
	{ "expect_tx of 0 with arrivals missing", { 3, 2, 0, 1 }, EXPECT, 0, 0, 0, { 3, 2, 0, 1 } },
	{ "expect_tx to the limit", { 1, 1, 1, 0 }, EXPECT, MAX - 1, 0, 0, { 1, 1, MAX, 0 } },
	{ "expect_tx of 0 at the limit", { 1, 1, MAX, 0 }, EXPECT, 0, 0, 0, { 1, 1, MAX, 0 } },
	{ "expect_tx one past the limit", { 1, 1, 2, 0 }, EXPECT, MAX - 1, 0, TMA_FAULT_TX_COUNT_RANGE, { 0 } },
	{ "expect_tx of the largest operand at the limit", { 1, 1, MAX, 0 }, EXPECT, MAX, 0,
	  TMA_FAULT_TX_COUNT_RANGE, { 0 } },
	{ "expect_tx from the lower limit to 0", { 2, 1, -MAX, 0 }, EXPECT, MAX, 0, 0, { 2, 1, 0, 0 } },
	{ "expect_tx ends a phase (M31)", { 4, 0, -48, 0 }, EXPECT, 48, 0, 0, { 4, 4, 0, 1 } },
	{ "expect_tx ends an odd phase", { 4, 0, -48, 1 }, EXPECT, 48, 0, 0, { 4, 4, 0, 0 } },
	{ "expect_tx short of the phase's end", { 4, 0, -48, 0 }, EXPECT, 47, 0, 0, { 4, 0, -1, 0 } },
	{ "expect_tx beyond the phase's end", { 4, 0, -48, 0 }, EXPECT, 49, 0, 0, { 4, 0, 1, 0 } },
	{ "complete_tx subtracts", { 3, 2, 5, 1 }, COMPLETE, 2, 0, 0, { 3, 2, 3, 1 } },
	{ "complete_tx below zero", { 3, 2, 5, 1 }, COMPLETE, 6, 0, 0, { 3, 2, -1, 1 } },
	{ "complete_tx to the lower limit", { 1, 1, -1, 0 }, COMPLETE, MAX - 1, 0, 0, { 1, 1, -MAX, 0 } },
	{ "complete_tx one past the lower limit", { 1, 1, -2, 0 }, COMPLETE, MAX - 1, 0,
	  TMA_FAULT_TX_COUNT_RANGE, { 0 } },
	{ "complete_tx of 0 at the lower limit", { 1, 1, -MAX, 0 }, COMPLETE, 0, 0, 0, { 1, 1, -MAX, 0 } },
	{ "complete_tx to 0 with arrivals missing", { 7, 1, 32, 0 }, COMPLETE, 32, 0, 0, { 7, 1, 0, 0 } },
	{ "complete_tx ends a phase", { 7, 0, 32, 0 }, COMPLETE, 32, 0, 0, { 7, 7, 0, 1 } },
	{ "complete_tx ends an odd phase", { 7, 0, MAX, 1 }, COMPLETE, MAX, 0, 0, { 7, 7, 0, 0 } },
	{ "complete_tx past 0 ends nothing", { 7, 0, 32, 0 }, COMPLETE, 33, 0, 0, { 7, 0, -1, 0 } },
	{ "nothing expected: each check ends a phase", { 0, 0, 0, 0 }, COMPLETE, 0, 0, 0, { 0, 0, 0, 1 } },
	{ "nothing expected: expect_tx of 0 too", { 0, 0, 0, 1 }, EXPECT, 0, 0, 0, { 0, 0, 0, 0 } },
};

static const struct barrier_case arrive_cases[] = {
	{ "arrive, not the last", { 5, 3, 0, 0 }, ARRIVE, 2, 0, 0, { 5, 1, 0, 0 } },
	{ "arrive, the last", { 5, 3, 0, 0 }, ARRIVE, 3, 0, 0, { 5, 5, 0, 1 } },
	{ "arrive, the last of an odd phase", { 5, 5, 0, 1 }, ARRIVE, 5, 0, 0, { 5, 5, 0, 0 } },
	{ "arrive, one too many", { 5, 3, 0, 0 }, ARRIVE, 4, 0, TMA_FAULT_PENDING_UNDERFLOW, { 0 } },
	{ "arrive when nothing is pending", { 5, 0, 16, 0 }, ARRIVE, 1, 0, TMA_FAULT_PENDING_UNDERFLOW, { 0 } },
	{ "arrive, the largest count", { MAX, MAX, 0, 0 }, ARRIVE, MAX, 0, 0, { MAX, MAX, 0, 1 } },
	{ "arrive, all but one of the largest count", { MAX, MAX, 0, 0 }, ARRIVE, MAX - 1, 0, 0,
	  { MAX, 1, 0, 0 } },
	{ "arrive, the last, bytes missing", { 5, 3, 1, 0 }, ARRIVE, 3, 0, 0, { 5, 0, 1, 0 } },
	{ "arrive, the last, bytes early", { 5, 3, -1, 0 }, ARRIVE, 3, 0, 0, { 5, 0, -1, 0 } },
	{ "arrive.expect_tx", { 5, 3, 1, 0 }, ARRIVE, 15, WITH_TX, 0, { 5, 2, 16, 0 } },
	{ "arrive.expect_tx, the last", { 5, 1, 0, 0 }, ARRIVE, 16, WITH_TX, 0, { 5, 0, 16, 0 } },
	{ "arrive.expect_tx, the last, of bytes that came early", { 5, 1, -16, 1 }, ARRIVE, 16, WITH_TX, 0,
	  { 5, 5, 0, 0 } },
	{ "arrive.expect_tx of 0, the last", { 5, 1, 0, 0 }, ARRIVE, 0, WITH_TX, 0, { 5, 5, 0, 1 } },
	{ "arrive.expect_tx to 0 before the last", { 5, 2, -16, 0 }, ARRIVE, 16, WITH_TX, 0, { 5, 1, 0, 0 } },
	{ "arrive.expect_tx at the limit", { 5, 2, 1, 0 }, ARRIVE, MAX - 1, WITH_TX, 0, { 5, 1, MAX, 0 } },
	{ "arrive.expect_tx one past the limit", { 5, 2, 2, 0 }, ARRIVE, MAX - 1, WITH_TX,
	  TMA_FAULT_TX_COUNT_RANGE, { 0 } },
	{ "arrive.expect_tx when nothing is pending", { 5, 0, MAX, 0 }, ARRIVE, MAX, WITH_TX,
	  TMA_FAULT_PENDING_UNDERFLOW, { 0 } },
	{ "arrive.noComplete", { 5, 3, 0, 0 }, ARRIVE, 2, NO_END, 0, { 5, 1, 0, 0 } },
	{ "arrive.noComplete, the last", { 5, 3, 0, 0 }, ARRIVE, 3, NO_END,
	  TMA_FAULT_NO_COMPLETE_COMPLETES, { 0 } },
	{ "arrive.noComplete, the last, bytes missing", { 5, 3, 1, 0 }, ARRIVE, 3, NO_END, 0, { 5, 0, 1, 0 } },
	{ "arrive.noComplete, the last, bytes early", { 5, 3, -MAX, 0 }, ARRIVE, 3, NO_END, 0,
	  { 5, 0, -MAX, 0 } },
	{ "arrive.noComplete, one too many", { 5, 3, 0, 0 }, ARRIVE, 4, NO_END,
	  TMA_FAULT_PENDING_UNDERFLOW, { 0 } },
	{ "arrive_drop", { 5, 3, 0, 0 }, ARRIVE, 2, DROP, 0, { 3, 1, 0, 0 } },
	{ "arrive_drop, the last: the next phase expects less", { 5, 3, 0, 0 }, ARRIVE, 3, DROP, 0,
	  { 2, 2, 0, 1 } },
	{ "arrive_drop to expected 0", { 2, 2, 0, 0 }, ARRIVE, 2, DROP, 0, { 0, 0, 0, 1 } },
	{ "arrive_drop to expected 0, bytes missing", { 1, 1, 8, 0 }, ARRIVE, 1, DROP, 0, { 0, 0, 8, 0 } },
	{ "arrive_drop beyond expected", { 1, 3, 0, 0 }, ARRIVE, 2, DROP, TMA_FAULT_EXPECTED_UNDERFLOW, { 0 } },
	{ "arrive_drop of all that is expected", { 2, 3, 0, 0 }, ARRIVE, 2, DROP, 0, { 0, 1, 0, 0 } },
	{ "arrive_drop, one too many", { 5, 3, 0, 0 }, ARRIVE, 4, DROP, TMA_FAULT_PENDING_UNDERFLOW, { 0 } },
	{ "arrive_drop.expect_tx", { 5, 3, 0, 0 }, ARRIVE, 32, DROP | WITH_TX, 0, { 4, 2, 32, 0 } },
	{ "arrive_drop.expect_tx, the last, of bytes that came early", { 5, 1, -32, 0 }, ARRIVE, 32,
	  DROP | WITH_TX, 0, { 4, 4, 0, 1 } },
	{ "arrive_drop.noComplete", { 5, 3, 0, 0 }, ARRIVE, 2, DROP | NO_END, 0, { 3, 1, 0, 0 } },
	{ "arrive_drop.noComplete, the last", { 5, 3, 0, 0 }, ARRIVE, 3, DROP | NO_END,
	  TMA_FAULT_NO_COMPLETE_COMPLETES, { 0 } },
};
/* clang-format on */

static uint64_t word_of(const struct object *o)
{
	return barrier_word(o->expected, o->pending, o->tx, o->phase);
}

static struct tma_command command_of(const struct barrier_case *c, uint32_t bar)
{
	if (c->opcode != ARRIVE)
		return barrier_tx(c->opcode, bar, c->operand);
	if (c->flags & WITH_TX)
		return arrive_expect_tx(bar, c->operand, (uint16_t)c->flags);
	return arrive(bar, c->operand, (uint16_t)c->flags);
}

/* On a barrier of the own CTA, then on one of another CTA: all of these may be remote. */
static void updates(void **state)
{
	const struct barrier_case *c = *state;

	for (uint32_t rank = 0; rank < CTAS; rank += CTAS - 1) {
		struct fixture *f = fixture_new();

		put_barrier(f, rank, BAR, word_of(&c->before));
		remember(f);
		issue(f, 0, with_flags(command_of(c, AT(rank, BAR)), TMA_FLAG_RECORD));
		if (c->fault) {
			expect_fault(f, 0, c->fault, AT(rank, BAR));
		} else {
			bool answers = c->opcode == ARRIVE;
			uint64_t token = c->before.pending | (uint64_t)c->before.phase << 20;

			expect_record(f, (struct tma_record){ .kind = answers ? TMA_KIND_ANSWER
			                                                      : TMA_KIND_RETIRED,
			                                      .value = answers ? token : 0 });
			expect_barrier(f, rank, BAR, word_of(&c->after));
		}
		expect_no_record(f);
		expect_all_memory(f);
		fixture_free(f);
	}
}

TABLE_SUITE(test_model_barrier_tx, tx_cases, updates)
TABLE_SUITE(test_model_barrier_arrive, arrive_cases, updates)

FIXTURE_TEST(init_takes_any_old_contents)
{
	static const uint64_t old[] = { 0, UINT64_MAX, UINT64_C(0x8000000000100001) };

	for (unsigned int i = 0; i < ARRAY_SIZE(old); i++) {
		put_barrier(f, 0, BAR, old[i]);
		expect_barrier(f, 0, BAR, barrier_word(COUNT_MAX, COUNT_MAX, 0, 0));
		expect_quiet(f, 0, barrier_init(AT(0, BAR), COUNT_MAX));
		expect_all_memory(f);
	}
}

FIXTURE_TEST(inval_clears_the_object)
{
	put_barrier(f, 0, BAR, barrier_word(3, 2, -5, 1));
	expect_barrier(f, 0, BAR, 0);
	expect_quiet(f, 0, base_inval());
	expect_all_memory(f);
	issue(f, 0, base_inval());
	expect_fault(f, 0, TMA_FAULT_BARRIER_DEAD, BAR);
}

/* Only the tag 2 is alive; every operation but init needs it. */
TEST(dead_tags)
{
	const base_command bases[] = { base_inval,           base_expect_tx,  base_complete_tx,
		                       base_arrive,          base_test_state, base_test_parity,
		                       base_try_state,       base_try_parity, base_load,
		                       base_arrive_expect_tx };

	for (unsigned int tag = 0; tag < 4; tag++) {
		for (unsigned int i = 0; i < ARRAY_SIZE(bases); i++) {
			struct fixture *f = fixture_new();

			put_barrier(f, 0, BAR, UINT64_C(0x100001) | (uint64_t)tag << 62);
			remember(f);
			issue(f, 0, bases[i]());
			assert_int_equal(status_of(f, 0).fault, tag == 2 ? 0 : TMA_FAULT_BARRIER_DEAD);
			if (tag != 2) {
				expect_fault(f, 0, TMA_FAULT_BARRIER_DEAD, BAR);
				expect_all_memory(f);
			}
			fixture_free(f);
		}
	}
}

/* Twelve phases of two arrivals and 32 bytes, from two queues. */
FIXTURE_TEST(phases_alternate)
{
	expect_quiet(f, 0, barrier_init(AT(0, BAR), 2));
	for (uint32_t phase = 0; phase < 12; phase++) {
		assert_int_equal(get_barrier(f, 0, BAR), barrier_word(2, 2, 0, phase & 1));
		expect_quiet(f, 1, arrive_expect_tx(AT(0, BAR), 32, 0));
		expect_quiet(f, 0, load(AT(0, DST), GLOBAL, 32, AT(0, BAR)));
		assert_int_equal(get_barrier(f, 0, BAR), barrier_word(2, 1, 0, phase & 1));
		expect_quiet(f, 0, arrive(AT(0, BAR), 1, 0));
	}
}

LIST_SUITE(test_model_barrier)
