/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_kept - records that the library keeps for its program.
 *
 * Spec: host/src/kept.h
 * Checks: they come in their order, however taking and adding alternate; room that was used is used again.
 */
#include "host_test.h"
#include "kept.h"

static void add(struct kept *kept, uint32_t sequence)
{
	const struct tma_record record = { .sequence = sequence };

	assert_int_equal(kept_reserve(kept), 0);
	kept_add(kept, &record);
}

static void take(struct kept *kept, uint32_t sequence)
{
	struct tma_record record;

	assert_int_equal(kept_take(kept, &record), 1);
	assert_int_equal(record.sequence, sequence);
}

TEST(test_order)
{
	struct kept kept = { 0 };
	struct tma_record record;
	uint32_t added = 0, taken = 0;

	assert_int_equal(kept_take(&kept, &record), 0);
	for (uint32_t turn = 0; turn < 100; turn++) {
		for (uint32_t i = 0; i < 1 + turn % 7; i++)
			add(&kept, added++);
		for (uint32_t i = 0; i < 1 + turn % 5 && taken < added; i++)
			take(&kept, taken++);
	}
	while (taken < added)
		take(&kept, taken++);
	assert_int_equal(kept_take(&kept, &record), 0);
	kept_clear(&kept);
	assert_null(kept.records);
}

/* Never more than ten are there, so the first room is enough for ever. */
TEST(test_room)
{
	struct kept kept = { 0 };
	uint32_t i;

	for (i = 0; i < 10; i++)
		add(&kept, i);
	for (; i < 1000; i++) {
		take(&kept, i - 10);
		add(&kept, i);
	}
	assert_int_equal(kept.room, 16);
	kept_clear(&kept);
}

int run_kept_tests(void)
{
	return run_file_tests("records that are kept");
}
