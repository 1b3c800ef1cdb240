/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_cp_async - cp.async, its groups and its arrive on an mbarrier.
 *
 * Spec: semantics 1.1 to 1.3; PTX ISA 9.7.9.25.3
 * Checks: the bytes of every cp-size with every src-size, nothing around them; what is read is what the
 *         window and the bus are asked for; a failed copy writes nothing; groups of their own; the
 *         arrive with and without its increment, in every state of a barrier.
 */
#include "model_cases.h"

#define ALL UINT32_MAX

/* Addresses that are aligned to the size and, but for 16, to nothing larger. */
static struct tma_command cp(uint32_t size, uint32_t src_size)
{
	struct tma_command c = base_cp_async();

	c.size = size;
	c.global_address = GLOBAL + 64 + size;
	c.shared_dst = AT(0, DST + 32 - size);
	if (src_size == ALL)
		return c;
	c.flags = TMA_FLAG_SRC_SIZE;
	c.count = src_size;
	return c;
}

static void expect_copied(struct fixture *f, struct tma_command c, uint32_t read)
{
	uint32_t to = c.shared_dst & 0xffffff;

	expect_loaded(f, 0, to, c.global_address, read);
	memset(f->expected.smem[0] + to + read, 0, c.size - read);
	expect_quiet(f, 0, c);
	expect_all_memory(f);
}

TEST(every_size_and_src_size)
{
	static const uint32_t sizes[] = { 4, 8, 16 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct fixture *f = fixture_new();

		expect_copied(f, cp(sizes[i], ALL), sizes[i]);
		for (uint32_t src_size = 0; src_size <= sizes[i]; src_size++)
			expect_copied(f, cp(sizes[i], src_size), src_size);
		expect_copied(f, with_flags(cp(sizes[i], ALL), TMA_FLAG_IGNORE_SRC), 0);
		fixture_free(f);
	}
}

FIXTURE_TEST(hints_change_nothing)
{
	for (uint8_t mode = 0; mode < 4; mode++) {
		struct tma_command c = with_flags(cp(16, ALL), TMA_FLAG_CG | TMA_FLAG_CACHE_HINT);

		c.mode = mode;
		c.policy = UINT64_MAX;
		expect_copied(f, c, 16);
	}
}

/* What is not read is not asked for. */
FIXTURE_TEST(an_unread_source_may_be_anywhere)
{
	struct tma_command c = with_flags(cp(8, ALL), TMA_FLAG_IGNORE_SRC);

	assert_int_equal(tma_model_kill_port(f->m, 0), 0);
	c.global_address = 0;
	memset(f->expected.smem[0] + DST + 24, 0, 8);
	expect_quiet(f, 0, c);
	c = cp(8, 0);
	c.global_address = GLOBAL_END;
	expect_quiet(f, 0, c);
	expect_all_memory(f);
}

FIXTURE_TEST(a_failed_copy_writes_nothing)
{
	struct tma_command c = with_flags(cp(16, 4), TMA_FLAG_RECORD);

	c.global_address = GLOBAL_END;
	issue(f, 0, c);
	expect_record(f, (struct tma_record){ .kind = TMA_KIND_RETIRED });
	expect_fault(f, 0, TMA_FAULT_WINDOW_READ, GLOBAL_END);
	assert_int_equal(status_of(f, 0).open_copies, 1);
	assert_int_equal(status_of(f, 0).next_sequence, 1);
	expect_all_memory(f);
	/* 64-byte beats: the region lies in the beat, not in the operand */
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL + 0x7f, 1, 2, 0), 0);
	issue(f, 1, base_cp_async_of(1));
	assert_int_equal(status_of(f, 1).faulted, 0);
	c = base_cp_async_of(1);
	c.global_address = GLOBAL + 64;
	issue(f, 1, c);
	expect_fault(f, 1, TMA_FAULT_READ_SLVERR, GLOBAL + 64);
}

/* Counts of their own, waits of any N pass, wait_all leaves nothing open. */
FIXTURE_TEST(groups)
{
	static const uint32_t n[] = { 0, 1, 32, 0x7fffffff, 0xffffffff };

	for (uint32_t i = 0; i < 40; i++) {
		expect_quiet(f, 0, base_cp_async());
		expect_quiet(f, 0, base_cp_async());
		assert_int_equal(status_of(f, 0).open_copies, 2);
		expect_quiet(f, 0, command(TMA_CP_ASYNC_COMMIT_GROUP));
		assert_int_equal(status_of(f, 0).open_copies, 0);
		assert_int_equal(status_of(f, 0).copy_groups, i + 1);
	}
	for (size_t i = 0; i < ARRAY_SIZE(n); i++) {
		struct tma_command c = command(TMA_CP_ASYNC_WAIT_GROUP);

		c.count = n[i];
		expect_quiet(f, 0, c);
	}
	expect_quiet(f, 0, base_cp_async());
	expect_quiet(f, 0, base_commit());
	expect_quiet(f, 0, base_store());
	assert_int_equal(status_of(f, 0).open_copies, 1);
	assert_int_equal(status_of(f, 0).groups, 1);
	expect_quiet(f, 0, command(TMA_CP_ASYNC_WAIT_ALL));
	assert_int_equal(status_of(f, 0).open_copies, 0);
	assert_int_equal(status_of(f, 0).copy_groups, 40);
	assert_int_equal(status_of(f, 0).open_stores, 1);
	assert_int_equal(status_of(f, 1).copy_groups, 0);
}

FIXTURE_TEST(records)
{
	static const uint8_t opcodes[] = { TMA_CP_ASYNC_COMMIT_GROUP, TMA_CP_ASYNC_WAIT_GROUP,
		                           TMA_CP_ASYNC_WAIT_ALL };
	uint32_t n = 0;

	for (; n < ARRAY_SIZE(opcodes); n++) {
		issue(f, 0, tagged(with_flags(command(opcodes[n]), TMA_FLAG_RECORD), n));
		expect_record(f, (struct tma_record){ .sequence = n, .kind = TMA_KIND_RETIRED, .tag = n });
	}
	issue(f, 0, with_flags(base_cp_async(), TMA_FLAG_RECORD));
	expect_record(f, (struct tma_record){ .sequence = n, .kind = TMA_KIND_RETIRED });
	issue(f, 0, with_flags(base_cp_arrive(), TMA_FLAG_RECORD));
	expect_record(f, (struct tma_record){ .sequence = n + 1, .kind = TMA_KIND_RETIRED });
	expect_no_record(f);
}

struct arrive_case {
	const char *name;
	uint16_t flags;
	uint32_t expected, pending;
	int32_t tx;
	uint32_t after_pending, after_phase;
	uint16_t fault;
};

#define NOINC TMA_FLAG_NOINC

static const struct arrive_case arrive_cases[] = {
	{ "net zero for the phase", 0, 1, 1, 0, 1, 0, 0 },
	{ "largest pending count but one", 0, 1, COUNT_MAX - 1, 0, COUNT_MAX - 1, 0, 0 },
	{ "largest pending count", 0, 1, COUNT_MAX, 0, 0, 0, TMA_FAULT_PENDING_OVERFLOW },
	{ "nothing pending, bytes missing", 0, 1, 0, 16, 0, 0, 0 },
	{ "nothing pending or missing: the phase ends", 0, 3, 0, 0, 3, 1, 0 },
	{ "noinc: the last arrival ends the phase", NOINC, 2, 1, 0, 2, 1, 0 },
	{ "noinc: the last arrival, bytes missing", NOINC, 2, 1, 16, 0, 0, 0 },
	{ "noinc: one of two", NOINC, 2, 2, 0, 1, 0, 0 },
	{ "noinc: largest pending count", NOINC, 1, COUNT_MAX, 0, COUNT_MAX - 1, 0, 0 },
	{ "noinc: nothing pending", NOINC, 1, 0, 16, 0, 0, TMA_FAULT_SIGNAL_PENDING_UNDERFLOW },
};

FIXTURE_CASE(arrives, const struct arrive_case *c)
{
	put_barrier(f, 0, BAR, barrier_word(c->expected, c->pending, c->tx, 0));
	remember(f);
	if (!c->fault)
		expect_barrier(f, 0, BAR, barrier_word(c->expected, c->after_pending, c->tx, c->after_phase));
	issue(f, 0, with_flags(base_cp_arrive(), c->flags));
	if (c->fault)
		expect_fault(f, 0, c->fault, BAR);
	expect_no_record(f);
	expect_all_memory(f);
	assert_int_equal(status_of(f, 0).next_sequence, c->fault != TMA_FAULT_PENDING_OVERFLOW);
}

TABLE_SUITE(test_model_cp_async_arrive, arrive_cases, arrives)

/* It returns no state and is no signal of a copy. */
FIXTURE_TEST(an_arrive_leaves_no_state)
{
	struct tma_model_counters counters;
	struct tma_command c = with_flags(base_pending_count(), TMA_FLAG_LAST_STATE);

	expect_quiet(f, 0, base_cp_arrive());
	issue(f, 0, c);
	expect_fault(f, 0, TMA_FAULT_NO_STATE, header_of(&c));
	assert_int_equal(tma_model_counters(f->m, &counters), 0);
	assert_int_equal(counters.signals, 0);
}

LIST_SUITE(test_model_cp_async)
