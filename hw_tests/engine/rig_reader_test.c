/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rig_reader_test - what a reader of a reduction's destination may see, and when.
 *
 * Spec: PTX ISA, cp.reduce.async.bulk: relaxed and atomic element by element; groups and barriers say when it is
 *       over; docs/reductions.md
 * Checks: before that each element has some of its updates, never a part of one, and never fewer than the reader
 *         has seen before; behind the wait for the group, or the barrier's phase, it has all; behind a wait for the
 *         reads alone the source may be written over.
 */
#include <string.h>

#include "lib/cmocka_all.h"

#include "engine/rig_bench.h"

#define BAR     64u
#define TO      1024u /* where the reader has its copy */
#define ONES    2048u /* what is added */
#define SUMS    3072u /* in shared memory */
#define WORDS   16u
#define BYTES   (4 * WORDS)
#define STEP    0x01010101u /* each byte of a word counts, so that a part of an update shows */
#define UPDATES 48u
#define WRITER  0u

/* A queue that adds, beside the bench's own, which reads. */
static void open_writer(struct bench *b)
{
	static const struct rig_window window = { BASE, BASE + SIZE - 1, RIG_BOTH };
	uint32_t ones[WORDS];

	if (!rig_info(b->rig)->reductions)
		bench_skip(b);
	for (uint32_t i = 0; i < WORDS; i++)
		ones[i] = STEP;
	assert_int_equal(rig_queue_setup(b->rig, WRITER,
	                                 &(struct rig_queue){ .windows = &window, .num_windows = 1 }),
	                 0);
	assert_int_equal(rig_smem_write(b->rig, 0, ONES, ones, BYTES), 0);
	memset(b->memory, 0, 2 * BYTES);
}

static void write(struct bench *b, struct tma_command c)
{
	c.version = TMA_COMMAND_VERSION;
	if (c.opcode == TMA_BULK_REDUCE || c.opcode == TMA_BULK_REDUCE_SHARED) {
		c.op = TMA_REDUCE_ADD;
		c.type = TMA_TYPE_U32;
	}
	assert_true(rig_submit(b->rig, WRITER, &c) >= 0);
}

/* So many updates of the line, and of the one behind it. */
static void add_up(struct bench *b, uint32_t updates)
{
	for (uint32_t i = 0; i < updates; i++)
		for (uint32_t line = 0; line < 2; line++)
			write(b, (struct tma_command){ .opcode = TMA_BULK_REDUCE,
			                               .global_address = BASE + line * BYTES,
			                               .size = BYTES,
			                               .shared_src = ONES });
	write(b, (struct tma_command){ .opcode = TMA_BULK_COMMIT_GROUP });
}

static void wait_group(struct bench *b, uint16_t flags)
{
	uint32_t records;

	rig_records(b->rig, WRITER, &records);
	write(b, (struct tma_command){ .opcode = TMA_BULK_WAIT_GROUP,
	                               .flags = (uint16_t)(TMA_FLAG_RECORD | flags) });
	assert_int_equal(rig_wait_records(b->rig, WRITER, records + 1, LIMIT), 0);
}

/* One more look at the words: whole updates, and none of those that were seen is gone. */
static void look(uint32_t seen[WORDS], const uint32_t now[WORDS], uint32_t most)
{
	for (uint32_t i = 0; i < WORDS; i++) {
		assert_int_equal(now[i] % STEP, 0);
		assert_true(now[i] / STEP <= most);
		assert_true(now[i] >= seen[i]);
		seen[i] = now[i];
	}
}

/* The reader's load number `i`, over by its barrier. */
static void load(struct bench *b, uint32_t i, uint32_t words[WORDS])
{
	bench_do(b, TMA_MBARRIER_EXPECT_TX, .barrier = BAR, .tx = BYTES);
	bench_do(b, TMA_BULK_LOAD, .global_address = BASE, .size = BYTES, .shared_dst = TO, .barrier = BAR);
	bench_do(b, TMA_MBARRIER_ARRIVE, .barrier = BAR, .count = 1);
	assert_int_equal(rig_wait_phase(b->rig, 0, BAR, (i + 1) % 2, LIMIT, NULL), 0);
	assert_int_equal(rig_smem_read(b->rig, 0, TO, words, BYTES), 0);
}

BENCH_TEST(test_reader_beside_updates)
{
	uint32_t seen[WORDS] = { 0 }, now[WORDS], i = 0, between = 0;

	open_writer(b);
	bench_do(b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
	bench_wait_idle(b);
	add_up(b, UPDATES);
	do {
		load(b, i++, now);
		look(seen, now, UPDATES);
		between += seen[0] && seen[0] != UPDATES * STEP;
		assert_true(i < LIMIT / 100);
	} while (seen[0] != UPDATES * STEP);
	assert_true(between > 0);
	wait_group(b, 0);
	load(b, i, now);
	for (uint32_t k = 0; k < WORDS; k++)
		assert_int_equal(now[k], UPDATES * STEP);
}

/* From the record of the wait on whoever reads has all, in memory and through the engine. */
BENCH_TEST(test_reader_behind_the_wait)
{
	uint32_t now[WORDS];

	open_writer(b);
	bench_do(b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
	bench_wait_idle(b);
	for (uint32_t i = 0; i < 8; i++) {
		add_up(b, 1 + i % 3);
		wait_group(b, 0);
		memcpy(now, b->memory + BYTES, BYTES);
		assert_memory_equal(now, b->memory, BYTES);
		load(b, i, now);
		assert_memory_equal(now, b->memory, BYTES);
		for (uint32_t k = 0; k < WORDS; k++)
			assert_int_equal(now[k], (i / 3 * 6 + i % 3 * (i % 3 + 1) / 2 + 1 + i % 3) * STEP);
	}
}

/* Behind the wait for the reads the source is free, though no update may be there yet. */
BENCH_TEST(test_source_behind_the_reads)
{
	static const uint8_t junk[BYTES] = { 0xEE };

	open_writer(b);
	add_up(b, 5);
	wait_group(b, TMA_FLAG_READ);
	assert_int_equal(rig_smem_write(b->rig, 0, ONES, junk, BYTES), 0);
	wait_group(b, 0);
	for (uint32_t i = 0; i < 2 * WORDS; i++) {
		uint32_t word;

		memcpy(&word, b->memory + 4 * i, 4);
		assert_int_equal(word, 5 * STEP);
	}
}

/* The same in shared memory, of the own CTA, looked at from outside; over with the barrier's phase. */
BENCH_TEST(test_reader_of_shared_memory)
{
	uint32_t seen[WORDS] = { 0 }, now[WORDS], between = 0;

	open_writer(b);
	assert_int_equal(rig_smem_write(b->rig, 0, SUMS, seen, BYTES), 0);
	bench_do(b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
	bench_do(b, TMA_MBARRIER_EXPECT_TX, .barrier = BAR, .tx = UPDATES * BYTES);
	bench_wait_idle(b);
	for (uint32_t i = 0; i < UPDATES; i++)
		write(b, (struct tma_command){ .opcode = TMA_BULK_REDUCE_SHARED,
		                               .size = BYTES,
		                               .shared_src = ONES,
		                               .shared_dst = SUMS,
		                               .barrier = BAR });
	for (uint32_t i = 0; i < 12; i++) {
		assert_int_equal(rig_smem_read(b->rig, 0, SUMS, now, BYTES), 0);
		look(seen, now, UPDATES);
		between += seen[0] && seen[0] != UPDATES * STEP;
	}
	assert_true(between > 0);
	bench_do(b, TMA_MBARRIER_ARRIVE, .barrier = BAR, .count = 1);
	assert_int_equal(rig_wait_phase(b->rig, 0, BAR, 1, LIMIT, NULL), 0);
	assert_int_equal(rig_smem_read(b->rig, 0, SUMS, now, BYTES), 0);
	for (uint32_t k = 0; k < WORDS; k++)
		assert_int_equal(now[k], UPDATES * STEP);
}

int reader_tests(const char *name, struct where *w)
{
	return run_file_tests_on(name, w);
}
