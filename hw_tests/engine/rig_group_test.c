/* SPDX-License-Identifier: Apache-2.0 */
/* rig_group_test - bulk groups that cover loads, and prefetches of any size, through the rig. */
#include <string.h>

#include "lib/cmocka_all.h"

#include "tma_regs.h"
#include "engine/rig_bench.h"

#define BAR   64u
#define TO    256u
#define BYTES 0x3F00u /* all of the smallest shared memory behind TO */
#define ROWS  (BYTES / 256)
#define PAGE  4096u
#define BLOCK (UINT64_C(1) << 32)

static uint8_t old_byte(uint32_t i)
{
	return (uint8_t)(i * 37 + i / 251);
}

/* A map of rows of 256 bytes at the end of the memory, of all in front of it. */
static void put_map(struct bench *b)
{
	bench_put_map(b, SIZE - 128, 0, (const uint64_t[]){ 256, ROWS }, 256,
	              (const uint32_t[]){ 256, ROWS });
}

/* commit; wait_group, of either kind, behind a load: then its source and its map may be overwritten. */
static void protect_case(const struct where *w, bool tensor, bool read)
{
	static uint8_t got[BYTES];
	struct bench b;
	uint32_t n;

	bench_open(&b, w);
	for (uint32_t i = 0; i < BYTES; i++)
		b.memory[i] = old_byte(i);
	put_map(&b);
	bench_do(&b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
	bench_submit(&b, tensor ? (struct tma_command){ .opcode = TMA_TENSOR_LOAD,
	                                                .dim = 2,
	                                                .global_address = BASE + SIZE - 128,
	                                                .shared_dst = TO,
	                                                .barrier = BAR }
	                        : (struct tma_command){ .opcode = TMA_BULK_LOAD,
	                                                .global_address = BASE,
	                                                .size = BYTES,
	                                                .shared_dst = TO,
	                                                .barrier = BAR });
	bench_do(&b, TMA_BULK_COMMIT_GROUP);
	bench_do(&b, TMA_BULK_WAIT_GROUP, .flags = (uint16_t)(TMA_FLAG_RECORD | (read ? TMA_FLAG_READ : 0)));
	assert_int_equal(rig_wait_records(b.rig, 1, 1, LIMIT), 0);
	memset(b.memory, 0xEE, SIZE);
	bench_wait_idle(&b);
	rig_records(b.rig, 1, &n);
	assert_int_equal(n, 1);
	assert_int_equal(rig_smem_read(b.rig, 0, TO, got, BYTES), 0);
	for (uint32_t i = 0; i < BYTES; i++)
		assert_int_equal(got[i], old_byte(i));
	bench_close(&b);
}

TEST(test_waits_cover_loads)
{
	for (uint32_t i = 0; i < 4; i++)
		protect_case(*state, i & 1, i & 2);
}

/* A load that fails leaves its group when its queue is resumed. */
BENCH_TEST(test_failed_load_leaves)
{
	assert_int_equal(rig_map_error(b->rig, 0, RIG_READ, BASE + PAGE, 64, RIG_SLVERR), 0);
	bench_do(b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
	bench_do(b, TMA_BULK_LOAD, .global_address = BASE, .size = 2 * PAGE, .shared_dst = TO,
	         .barrier = BAR);
	bench_do(b, TMA_BULK_COMMIT_GROUP);
	bench_do(b, TMA_BULK_WAIT_GROUP, .flags = TMA_FLAG_READ);
	bench_wait_idle(b);
	assert_true(rig_faulted(b->rig, 1));
	assert_int_equal(rig_fault(b->rig, 1).code, TMA_FAULT_READ_SLVERR);
	/* It has stopped in the wait, which is tried again. */
	assert_int_equal(rig_resume(b->rig, 1, 3), RIG_OKAY);
	bench_wait_idle(b);
	assert_int_equal(rig_door_read(b->rig, 1).head, 4);
}

/* Pages that no window allows are counted, those that one does are read, and no queue stops. */
BENCH_TEST(test_prefetch_windows)
{
	const uint32_t before = 5, behind = 300;
	uint64_t beats, errors;

	beats = rig_counter(b->rig, TMA_COUNTER_READ_BEATS);
	errors = rig_counter(b->rig, TMA_COUNTER_PREFETCH_ERRORS);
	bench_do(b, TMA_BULK_PREFETCH, .global_address = BASE - before * PAGE + 16,
	         .size = SIZE + (before + behind) * PAGE - 32);
	bench_do(b, TMA_PREFETCH_TENSORMAP, .global_address = BASE + BLOCK);
	bench_do(b, TMA_SIGNAL);
	bench_wait_idle(b);
	assert_false(rig_faulted(b->rig, 1));
	assert_int_equal(rig_counter(b->rig, TMA_COUNTER_PREFETCH_ERRORS) - errors, before + behind + 1);
	assert_int_equal(rig_counter(b->rig, TMA_COUNTER_READ_BEATS) - beats,
	                 SIZE / rig_info(b->rig)->data_bytes);
}

/* The largest prefetch, in windows for the most part: loads of others go on beside it, and it ends with its
 * queue's life. */
BENCH_TEST(test_prefetch_largest)
{
	const struct rig_window windows[] = { { BASE, BASE + SIZE - 1, RIG_READ } };
	const struct rig_queue other = { .windows = windows, .num_windows = 1, .stream = 9, .cta_mask = 1 };
	uint64_t start;

	assert_int_equal(rig_queue_setup(b->rig, 0, &other), 0);
	for (uint32_t i = 0; i < 7; i++)
		bench_do(b, TMA_BULK_PREFETCH, .global_address = BASE, .size = UINT32_MAX - 15);
	rig_run(b->rig, 3000);
	start = rig_cycle(b->rig);
	for (uint32_t i = 0; i < 8; i++) {
		struct tma_command c = { .version = TMA_COMMAND_VERSION,
			                 .opcode = i ? TMA_BULK_LOAD : TMA_MBARRIER_INIT,
			                 .global_address = i ? BASE : 0,
			                 .size = i ? 64 : 0,
			                 .shared_dst = i ? TO : 0,
			                 .count = !i,
			                 .barrier = BAR };

		assert_true(rig_submit(b->rig, 0, &c) >= 0);
	}
	for (uint32_t i = 0; i < 2; i++) {
		struct tma_command c = { .version = TMA_COMMAND_VERSION,
			                 .opcode = i ? TMA_BULK_WAIT_GROUP : TMA_BULK_COMMIT_GROUP,
			                 .flags = i ? TMA_FLAG_RECORD : 0 };

		assert_true(rig_submit(b->rig, 0, &c) >= 0);
	}
	assert_int_equal(rig_wait_records(b->rig, 0, 1, LIMIT), 0);
	assert_true(rig_cycle(b->rig) - start < 4000);
	assert_int_equal(rig_queue_reset(b->rig, 1), RIG_OKAY);
	assert_int_equal(rig_wait_idle(b->rig, 4000), 0);
}

/* Tensor stores and prefetches of rows that are all outside are over at once, in their group as ever. */
BENCH_TEST(test_outside_is_over)
{
	const struct rig_record *r;
	uint32_t n;

	bench_put_map(b, 0, 1024, (uint64_t[]){ 16, 64 }, 16, (uint32_t[]){ 16, 256 });
	bench_do(b, TMA_TENSOR_PREFETCH, .dim = 2, .global_address = BASE);
	bench_do(b, TMA_SIGNAL);
	for (uint32_t i = 0; i < 32; i++)
		bench_do(b, i % 2 ? TMA_TENSOR_STORE : TMA_TENSOR_PREFETCH, .dim = 2, .global_address = BASE,
		         .coord = { 0, 64 });
	bench_do(b, TMA_BULK_COMMIT_GROUP);
	bench_do(b, TMA_BULK_WAIT_GROUP, .flags = TMA_FLAG_RECORD);
	bench_wait_idle(b);
	assert_false(rig_faulted(b->rig, 1));
	r = rig_records(b->rig, 1, &n);
	assert_int_equal(n, 2);
	assert_true(r[1].cycle - r[0].cycle < 1500);
}

/* A prefetch that the memory does not take: its queue is closing until then, so none comes with the next
 * set-up. */
BENCH_TEST(test_prefetch_on_the_pins)
{
	uint64_t beats = rig_counter(b->rig, TMA_COUNTER_READ_BEATS);

	assert_int_equal(rig_port_stop(b->rig, 0, RIG_AR, 0), 0);
	bench_do(b, TMA_BULK_PREFETCH, .global_address = BASE, .size = 16);
	rig_run(b->rig, 200);
	assert_int_equal(rig_queue_disable(b->rig, 1), 0);
	rig_run(b->rig, 200);
	assert_true(rig_csr(b->rig, TMA_REG_QUEUE_STATUS(1)) & TMA_REG_QUEUE_STATUS_CLOSING_MASK);
	assert_int_equal(rig_port_stop(b->rig, 0, 0, 0), 0);
	rig_run(b->rig, 200);
	assert_false(rig_csr(b->rig, TMA_REG_QUEUE_STATUS(1)) & TMA_REG_QUEUE_STATUS_CLOSING_MASK);
	assert_int_equal(rig_counter(b->rig, TMA_COUNTER_READ_BEATS) - beats, 1);
}

int group_tests(const char *name, struct where *w)
{
	return run_file_tests_on(name, w);
}
