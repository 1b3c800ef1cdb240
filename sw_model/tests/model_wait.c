/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_wait - test_wait, try_wait, pending_count and the state of the last arrive.
 *
 * Spec: semantics 1.17; tma_model.h (tma_model_run)
 * Checks: the answer for each parity of barrier and operand, bits of the token that must be ignored,
 *         a waiting queue blocks itself alone, limits end in order, a blocked wait still faults.
 */
#include "model_cases.h"

#define TEST_WAIT TMA_MBARRIER_TEST_WAIT
#define TRY_WAIT  TMA_MBARRIER_TRY_WAIT

#define NO_LIMIT 0xffffffffu

struct wait_case {
	const char *name;
	uint32_t phase; /* of the barrier */
	uint64_t operand;
	uint64_t answer;
};

static const struct wait_case parity_cases[] = {
	{ "parity 0 in phase 0", 0, 0, 0 },
	{ "parity 1 in phase 0", 0, 1, 1 },
	{ "parity 0 in phase 1", 1, 0, 1 },
	{ "parity 1 in phase 1", 1, 1, 0 },
};

static const struct wait_case state_cases[] = {
	{ "token of phase 0 in phase 0", 0, UINT64_C(0x000003), 0 },
	{ "token of phase 1 in phase 0", 0, UINT64_C(0x100003), 1 },
	{ "token of phase 0 in phase 1", 1, UINT64_C(0x000003), 1 },
	{ "token of phase 1 in phase 1", 1, UINT64_C(0x100003), 0 },
	{ "other bits of a token, phase 0", 1, ~UINT64_C(0x100000), 1 },
	{ "other bits of a token, phase 1", 1, UINT64_MAX, 0 },
};

static struct tma_record answer(uint8_t queue, uint32_t sequence, uint64_t value)
{
	return (struct tma_record){
		.queue = queue, .sequence = sequence, .kind = TMA_KIND_ANSWER, .value = value
	};
}

/* Both instructions give the same answer at once: a try_wait with limit 0 tests once. */
static void answers(struct fixture *f, const struct wait_case *c, struct tma_command test,
                    struct tma_command try)
{
	put_barrier(f, 0, BAR, barrier_word(3, 2, 1, c->phase));
	remember(f);
	submit(f, 0, test);
	submit(f, 0, try);
	assert_int_equal(tma_model_step(f->m, 0), 1);
	assert_int_equal(tma_model_step(f->m, 0), 1);
	expect_record(f, answer(0, 0, c->answer));
	expect_record(f, answer(0, 1, c->answer));
	expect_no_record(f);
	expect_all_memory(f);
}

FIXTURE_CASE(parities, const struct wait_case *c)
{
	answers(f, c, wait_parity(TEST_WAIT, AT(0, BAR), (uint32_t)c->operand),
	        wait_parity(TRY_WAIT, AT(0, BAR), (uint32_t)c->operand));
}

FIXTURE_CASE(tokens, const struct wait_case *c)
{
	answers(f, c, wait_state(TEST_WAIT, AT(0, BAR), c->operand),
	        wait_state(TRY_WAIT, AT(0, BAR), c->operand));
}

TABLE_SUITE(test_model_wait_parity, parity_cases, parities)
TABLE_SUITE(test_model_wait_state, state_cases, tokens)

static struct tma_command limited(struct tma_command c, uint32_t limit)
{
	c.tx = limit;
	return c;
}

static struct tma_command last_state(uint8_t opcode)
{
	return with_flags(wait_state(opcode, opcode == TMA_MBARRIER_PENDING_COUNT ? 0 : AT(0, BAR), 0),
	                  TMA_FLAG_LAST_STATE);
}

/* The token is what was before the arrive; it stays until the next arrive. */
FIXTURE_TEST(last_state_follows_the_arrives)
{
	put_barrier(f, 0, BAR, barrier_word(7, 7, 0, 1));
	issue(f, 0, arrive(AT(0, BAR), 3, TMA_FLAG_NO_COMPLETE));
	issue(f, 0, last_state(TMA_MBARRIER_PENDING_COUNT));
	issue(f, 0, last_state(TEST_WAIT));
	issue(f, 0, arrive(AT(0, BAR), 4, 0));
	issue(f, 0, last_state(TMA_MBARRIER_PENDING_COUNT));
	issue(f, 0, last_state(TEST_WAIT));
	issue(f, 0, last_state(TRY_WAIT));
	expect_record(f, answer(0, 1, 7));
	expect_record(f, answer(0, 2, 0));
	expect_record(f, answer(0, 4, 4));
	expect_record(f, answer(0, 5, 1));
	expect_record(f, answer(0, 6, 1));
	expect_no_record(f);
}

FIXTURE_TEST(last_state_is_the_queues_own)
{
	struct tma_queue_config config = f->queues[0];

	expect_quiet(f, 0, arrive(AT(1, BAR), 1, 0));
	issue(f, 1, last_state(TMA_MBARRIER_PENDING_COUNT));
	expect_fault(f, 1, TMA_FAULT_NO_STATE,
	             header_of(&(struct tma_command){ .opcode = TMA_MBARRIER_PENDING_COUNT,
	                                              .version = 1,
	                                              .flags = TMA_FLAG_LAST_STATE }));
	issue(f, 0, last_state(TMA_MBARRIER_PENDING_COUNT));
	expect_record(f, answer(0, 1, 1));
	requeue(f, 0, &config, NULL);
	issue(f, 0, last_state(TMA_MBARRIER_PENDING_COUNT));
	assert_int_equal(status_of(f, 0).fault, TMA_FAULT_NO_STATE);
}

FIXTURE_TEST(faulting_arrive_leaves_no_state)
{
	issue(f, 0, arrive(AT(0, BAR), 2, 0));
	assert_int_equal(status_of(f, 0).fault, TMA_FAULT_PENDING_UNDERFLOW);
	requeue(f, 0, &(struct tma_queue_config){ .enable = 1, .cta_mask = 0xf }, NULL);
	issue(f, 0, last_state(TEST_WAIT));
	assert_int_equal(status_of(f, 0).fault, TMA_FAULT_NO_STATE);
}

FIXTURE_TEST(pending_count_takes_20_bits)
{
	struct tma_command c = base_pending_count();

	c.global_address = UINT64_C(0xfffffffffff12345);
	issue(f, 0, c);
	expect_record(f, answer(0, 0, 0x12345));
	c.global_address = UINT64_C(0xfffff);
	issue(f, 0, c);
	expect_record(f, answer(0, 1, 0xfffff));
}

/* Queue 0 waits for the phase that queue 1 ends; its next command comes after the answer. */
FIXTURE_TEST(try_wait_blocks_its_queue_alone)
{
	submit(f, 0, limited(wait_parity(TRY_WAIT, AT(0, BAR), 0), NO_LIMIT));
	submit(f, 0, base_signal());
	submit(f, 2, base_signal());
	assert_int_equal(tma_model_run(f->m), 1);
	expect_record(f, (struct tma_record){ .queue = 2, .kind = TMA_KIND_SIGNAL });
	expect_no_record(f);
	assert_int_equal(status_of(f, 0).waiting, 1);
	assert_int_equal(status_of(f, 0).queued, 2);
	assert_int_equal(status_of(f, 0).next_sequence, 0);
	assert_int_equal(status_of(f, 2).waiting, 0);
	assert_int_equal(tma_model_step(f->m, 0), 0);

	submit(f, 1, arrive(AT(0, BAR), 1, 0));
	assert_int_equal(tma_model_run(f->m), 3);
	expect_record(f, answer(0, 0, 1));
	expect_record(f, (struct tma_record){ .sequence = 1, .kind = TMA_KIND_SIGNAL });
	assert_int_equal(status_of(f, 0).waiting, 0);
}

FIXTURE_TEST(limits_end_when_nothing_else_can)
{
	submit(f, 0, limited(wait_parity(TRY_WAIT, AT(0, BAR), 0), 200));
	submit(f, 1, limited(wait_parity(TRY_WAIT, AT(1, BAR), 0), 100));
	submit(f, 2, limited(wait_parity(TRY_WAIT, AT(0, BAR), 0), 100));
	assert_int_equal(tma_model_step(f->m, 0), 0);
	assert_int_equal(tma_model_run(f->m), 3);
	expect_record(f, answer(1, 0, 0));
	expect_record(f, answer(2, 0, 0));
	expect_record(f, answer(0, 0, 0));
	expect_no_record(f);
}

/* The shorter wait times out; what its queue does next satisfies the longer one. */
FIXTURE_TEST(a_timeout_may_release_another_wait)
{
	submit(f, 0, limited(wait_parity(TRY_WAIT, AT(0, BAR), 0), 0xfffffffe));
	submit(f, 1, limited(wait_parity(TRY_WAIT, AT(1, BAR), 0), 1));
	submit(f, 1, arrive(AT(0, BAR), 1, 0));
	assert_int_equal(tma_model_run(f->m), 3);
	expect_record(f, answer(1, 0, 0));
	expect_record(f, answer(0, 0, 1));
	expect_no_record(f);
}

FIXTURE_TEST(a_blocked_wait_faults_when_its_barrier_dies)
{
	submit(f, 0, limited(wait_parity(TRY_WAIT, AT(0, BAR), 0), NO_LIMIT));
	assert_int_equal(tma_model_run(f->m), 0);
	submit(f, 2, base_inval());
	assert_int_equal(tma_model_run(f->m), 2);
	expect_fault(f, 0, TMA_FAULT_BARRIER_DEAD, BAR);
}

/* RECORD changes nothing for a command that answers anyway. */
FIXTURE_TEST(answers_are_recorded_once)
{
	issue(f, 0, with_flags(base_test_parity(), TMA_FLAG_RECORD));
	expect_record(f, answer(0, 0, 0));
	issue(f, 0, with_flags(base_signal(), TMA_FLAG_RECORD));
	expect_record(f, (struct tma_record){ .sequence = 1, .kind = TMA_KIND_SIGNAL });
	expect_no_record(f);
}

LIST_SUITE(test_model_wait)
