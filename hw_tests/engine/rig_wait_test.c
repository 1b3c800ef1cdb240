/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rig_wait_test - how long a command waits for those of other queues, against the bounds of docs/progress.md.
 *
 *	queues of strangers --+--> the paths of the engine, full of the longest commands that there are
 *	the victim's queue  --+--> one command, from the cycle in which it is taken to its address on the pins
 *
 * Every test makes the worst that it can, prints what it measured beside the bound, and fails beyond that. The
 * bounds come from the shape of the configuration, the latency of the memory and these constants of the RTL.
 */
#include <string.h>

#include "engine/rig_wait.h"

/* Loads of all of shared memory, and between two of them a tensor load of as much in rows of 16 bytes. */
TEST(test_load_behind_loads)
{
	struct wait w;
	uint32_t bytes, rows;
	uint64_t bound;

	wait_open(&w, *state, 4, RIG_DIRECT);
	bytes = w.info->smem_bytes - PAGE;
	rows = bytes / 16;
	wait_put_map(0, rows);
	wait_begin(&w);
	wait_add(&w, wait_bulk(TMA_BULK_LOAD, bytes));
	wait_add(&w, wait_tensor(TMA_TENSOR_LOAD, 0));
	wait_run(&w, 2000);
	bound = (uint64_t)wait_in_front(&w) * (bytes / w.info->data_bytes + 2 + rows * w.row_cycles) + SOME;
	wait_judge(&w, "a load behind loads",
	           wait_measure_second(&w, wait_bulk(TMA_BULK_LOAD, 16), READ, bound), bound, w.least);
	wait_close(&w);
}

/* Tensor loads of all of shared memory, and loads between them. */
TEST(test_tensor_load_behind_loads)
{
	struct wait w;
	uint32_t bytes, rows;
	uint64_t bound;

	wait_open(&w, *state, 4, RIG_DIRECT);
	bytes = w.info->smem_bytes - PAGE;
	rows = bytes / 16;
	wait_put_map(0, rows);
	wait_put_map(OWN_MAP, 1);
	wait_begin(&w);
	wait_add(&w, wait_tensor(TMA_TENSOR_LOAD, 0));
	wait_add(&w, wait_bulk(TMA_BULK_LOAD, bytes));
	wait_run(&w, 2000);
	bound = (uint64_t)(wait_in_front(&w) + 2) * (bytes / w.info->data_bytes + 2 + rows * w.row_cycles) +
	        wait_misses(&w) + SOME;
	wait_judge(&w, "a tensor load behind loads",
	           wait_measure_second(&w, wait_tensor(TMA_TENSOR_LOAD, OWN_MAP), READ, bound), bound,
	           w.least);
	wait_close(&w);
}

/* Tensor loads and tensor stores in turns, each of another map than those that are kept. */
static void all_miss(struct wait *w)
{
	wait_put_map(OWN_MAP, 1);
	for (uint32_t i = 0; i < 2 * MAPS; i++)
		wait_put_map(i, 1);
	wait_begin(w);
	for (uint32_t i = 0; i < MAPS; i++) {
		wait_add(w, wait_tensor(TMA_TENSOR_PREFETCH, i));
		wait_add(w, wait_tensor(TMA_TENSOR_STORE, MAPS + i));
	}
	for (uint32_t q = 0; q < w->info->queues; q++)
		w->next[q] = 4 * q;
	wait_run(w, 2000);
}

TEST(test_tensor_load_behind_misses)
{
	struct wait w;
	uint64_t bound;

	wait_open(&w, *state, 100, RIG_DIRECT);
	all_miss(&w);
	bound = (uint64_t)wait_in_front(&w) * wait_misses(&w) + SOME;
	wait_judge(&w, "a tensor load behind misses",
	           wait_measure_second(&w, wait_tensor(TMA_TENSOR_LOAD, OWN_MAP), READ, bound), bound,
	           w.least);
	wait_close(&w);
}

TEST(test_store_behind_misses)
{
	struct wait w;
	uint64_t bound;

	wait_open(&w, *state, 100, RIG_DIRECT);
	all_miss(&w);
	bound = (uint64_t)wait_in_front(&w) * wait_misses(&w) + SOME;
	wait_judge(&w, "a store behind misses",
	           wait_measure_second(&w, wait_bulk(TMA_BULK_STORE, 16), WRITE, bound), bound, w.least);
	wait_close(&w);
}

/* A tensor store whose map is here waits for none of the maps of tensor loads. */
TEST(test_store_beside_misses_of_loads)
{
	const uint32_t bound = SOME;
	uint64_t most = 0;
	struct wait w;

	wait_open(&w, *state, 200, RIG_DIRECT);
	wait_put_map(0, 1);
	wait_put_map(OWN_MAP, 1);
	wait_begin(&w);
	assert_true(wait_submit(&w, VICTIM, wait_tensor(TMA_TENSOR_STORE, OWN_MAP)) >= 0);
	assert_int_equal(rig_wait_idle(w.rig, LIMIT), 0);
	w.program[0][0] = (struct tma_command){ .opcode = TMA_MAP_FENCE, .global_address = BASE + MAP_AT };
	w.program[0][1] = wait_tensor(TMA_TENSOR_PREFETCH, 0);
	w.length[0] = 2;
	for (uint32_t i = 0; i < 40; i++) {
		uint64_t got;

		wait_run(&w, 101 + i);
		got = wait_measure(&w, wait_tensor(TMA_TENSOR_STORE, OWN_MAP), WRITE, bound);
		most = got > most ? got : most;
	}
	wait_judge(&w, "a tensor store beside misses of loads", most, bound, 0);
	wait_close(&w);
}

/* Tensor stores of all of shared memory in rows of 16 bytes. */
static void store_rows(struct wait *w, uint32_t rows)
{
	wait_put_map(0, rows);
	wait_begin(w);
	wait_add(w, wait_tensor(TMA_TENSOR_STORE, 0));
	wait_run(w, 2000);
}

TEST(test_store_behind_rows)
{
	struct wait w;
	uint32_t rows;
	uint64_t bound;

	wait_open(&w, *state, 4, RIG_DIRECT);
	rows = w.info->smem_bytes / 16;
	store_rows(&w, rows);
	bound = (uint64_t)wait_in_front(&w) * (rows * w.row_cycles + 2) + SOME;
	wait_judge(&w, "a store behind rows",
	           wait_measure_second(&w, wait_bulk(TMA_BULK_STORE, 16), WRITE, bound), bound, 70);
	wait_close(&w);
}

/* A record waits for what is left of the rows of one tensor store. */
TEST(test_record_behind_rows)
{
	const struct tma_command signal = { .opcode = TMA_SIGNAL };
	uint64_t most = 0, bound;
	struct wait w;
	uint32_t rows;

	wait_open(&w, *state, 4, RIG_RING);
	rows = w.info->smem_bytes / 16;
	store_rows(&w, rows);
	bound = rows * w.row_cycles + w.latency + SOME;
	for (uint32_t i = 0; i < 16; i++) {
		uint64_t got;

		wait_run(&w, 200 + (2 * i + 1) * rows * w.row_cycles / 16);
		got = wait_measure(&w, signal, WRITE, bound);
		most = got > most ? got : most;
	}
	wait_judge(&w, "a record behind rows", most, bound, 60);
	assert_int_equal(w.answered, 0);
	wait_judge(&w, "its interrupt", w.late, INTERRUPT, 10);
	wait_close(&w);
}

/* Copies of which one row lies in the tensor: a row outside takes as long as one inside. */
static void outside(struct wait *w, uint8_t opcode, uint32_t rows)
{
	struct tma_command c = wait_tensor(opcode, 0);

	wait_put_map(0, rows);
	wait_put_map(OWN_MAP, 1);
	wait_begin(w);
	c.coord[1] = 255;
	c.coord[2] = (int32_t)(rows / 256 - 1);
	wait_add(w, c);
	wait_run(w, 2000);
}

TEST(test_store_behind_rows_outside)
{
	struct wait w;
	uint32_t rows;
	uint64_t bound;

	wait_open(&w, *state, 4, RIG_DIRECT);
	rows = w.info->smem_bytes / 16;
	outside(&w, TMA_TENSOR_STORE, rows);
	bound = (uint64_t)wait_in_front(&w) * (rows * w.outside_cycles + 2) + SOME;
	wait_judge(&w, "a store behind rows outside",
	           wait_measure_second(&w, wait_bulk(TMA_BULK_STORE, 16), WRITE, bound), bound, 70);
	wait_close(&w);
}

TEST(test_load_behind_prefetched_rows_outside)
{
	const uint32_t rows = 2048;
	struct wait w;
	uint64_t bound;

	wait_open(&w, *state, 4, RIG_DIRECT);
	outside(&w, TMA_TENSOR_PREFETCH, rows);
	bound = (uint64_t)(wait_in_front(&w) + 2) * (rows * w.outside_cycles + 2) + wait_misses(&w) + SOME;
	wait_judge(&w, "a tensor load behind prefetched rows outside",
	           wait_measure_second(&w, wait_tensor(TMA_TENSOR_LOAD, OWN_MAP), READ, bound), bound, 70);
	wait_close(&w);
}

/* A fetch of commands, while whole pages of loads and prefetches have all read slots: it waits for three of these. */
TEST(test_fetch_beside_pages)
{
	const struct tma_command none = { .opcode = TMA_CP_ASYNC_WAIT_ALL };
	uint64_t most = 0, bound;
	struct tma_command c;
	struct wait w;

	wait_open(&w, *state, 4, RIG_RING);
	wait_begin(&w);
	c = wait_bulk(TMA_BULK_LOAD, w.info->smem_bytes - PAGE);
	c.global_address = BASE;
	for (uint32_t i = 0; i < 3; i++)
		wait_add(&w, c);
	c.opcode = TMA_BULK_PREFETCH;
	c.shared_dst = 0;
	c.barrier = 0;
	w.program[0][w.length[0]++] = c;
	wait_run(&w, w.info->reads * PAGE / w.info->data_bytes);
	bound = 3 * PAGE / w.info->data_bytes + SOME;
	for (uint32_t i = 0; i < 40; i++) {
		uint64_t got;

		wait_run(&w, 300 + 17 * i);
		got = wait_measure(&w, none, READ, bound);
		most = got > most ? got : most;
	}
	wait_judge(&w, "a fetch of commands beside pages", most, bound, 25);
	wait_close(&w);
}

/* A copy between CTAs, beside loads that write a line in every cycle that is left to them. */
TEST(test_shared_copy_behind_copies)
{
	struct tma_command copy = { .opcode = TMA_BULK_SHARED,
		                    .shared_src = PAGE,
		                    .shared_dst = 1u << 24 | PAGE,
		                    .barrier = 1u << 24 | ARRIVALS };
	struct wait w;
	uint64_t bound;

	wait_open(&w, *state, 4, RIG_DIRECT);
	copy.size = (w.info->smem_bytes - PAGE) / 2;
	wait_begin(&w);
	/* About as many as are done in the time of a copy; besides, copies to begin with. */
	for (uint32_t i = 0; i < (w.row_cycles > 1 ? 3 * SMEM_WAIT / 4 : SMEM_WAIT / 2); i++)
		wait_add(&w, wait_bulk(TMA_BULK_LOAD, 2 * copy.size));
	wait_add(&w, copy);
	wait_run(&w, 100);
	for (uint32_t i = 0; i < PATH_DEPTH; i++)
		assert_true(wait_submit(&w, i % w.info->queues == VICTIM ? 0 : i % w.info->queues, copy) >=
		            0);
	wait_run(&w, 2 * copy.size);
	bound = (uint64_t)wait_in_front(&w) * (copy.size / w.info->data_bytes + 2) * SMEM_WAIT + SOME;
	copy.size = 16;
	wait_judge(&w, "a copy between CTAs behind copies", wait_measure_second(&w, copy, SIGNAL, bound),
	           bound, w.least);
	wait_close(&w);
}

/* External reads and writes of a CTA beside a line that is read and one that is written in every cycle. */
TEST(test_external_port)
{
	static const uint8_t bytes[16];
	struct tma_command copy = { .opcode = TMA_BULK_SHARED,
		                    .shared_src = PAGE,
		                    .shared_dst = 1u << 24 | PAGE,
		                    .barrier = 1u << 24 | ARRIVALS };
	uint32_t reads, writes;
	struct wait w;

	wait_open(&w, *state, 4, RIG_DIRECT);
	copy.size = w.info->smem_bytes - PAGE;
	wait_begin(&w);
	wait_add(&w, copy);
	wait_run(&w, 500);
	w.stalled = 0;
	assert_int_equal(rig_smem_poll(w.rig, 0, 0), 0);
	wait_run(&w, 2000);
	rig_smem_poll_stop(w.rig, 0);
	reads = w.stalled;
	memset(w.length, 0, sizeof(w.length));
	assert_int_equal(rig_wait_idle(w.rig, 10 * LIMIT), 0);
	wait_add(&w, wait_bulk(TMA_BULK_LOAD, PAGE));
	wait_run(&w, 500);
	w.stalled = 0;
	for (uint32_t i = 0; i < 100; i++) {
		assert_int_equal(rig_smem_post_write(w.rig, 0, 0, bytes, 16), 0);
		wait_run(&w, 20);
	}
	writes = w.stalled;
	wait_judge(&w, "an external read", reads, EXTERNAL, 45);
	wait_judge(&w, "an external write", writes, EXTERNAL, 45);
	wait_close(&w);
}

/* Commands of all queues on more barriers than are kept: each of them holds up issue until its barrier is here. */
TEST(test_barriers_of_strangers)
{
	struct tma_command c = { .opcode = TMA_MBARRIER_EXPECT_TX };
	uint64_t most = 0, bound;
	struct wait w;

	wait_open(&w, *state, 4, RIG_DIRECT);
	for (uint32_t q = 0; q < 4 * QUEUES; q++) {
		static const uint64_t barrier = 1 | 1u << 20 | UINT64_C(2) << 62;

		assert_int_equal(rig_smem_write(w.rig, 0, ARRIVALS + 16 * q, &barrier, 8), 0);
	}
	for (uint32_t i = 0; i < PROGRAM; i++) {
		c.barrier = ARRIVALS + 16 * i;
		wait_add(&w, c);
	}
	for (uint32_t q = 0; q < w.info->queues; q++)
		w.next[q] = 5 * q;
	c.flags = TMA_FLAG_RECORD;
	bound = (uint64_t)(w.info->queues + ISSUE) * w.fill_cycles;
	for (uint32_t i = 0; i < 200; i++) {
		const struct rig_record *r;
		uint32_t n;
		int index;

		wait_run(&w, 50 + i);
		c.barrier = ARRIVALS + 16 * (i % QUEUES);
		index = wait_submit(&w, VICTIM, c);
		assert_true(index >= 0);
		do {
			wait_run(&w, 1);
			r = rig_records(w.rig, VICTIM, &n);
		} while (n <= (uint32_t)index);
		n = (uint32_t)(r[index].cycle - rig_accept_cycle(w.rig, VICTIM, (uint32_t)index));
		most = n > most ? n : most;
	}
	wait_judge(&w, "a command beside strangers' barriers", most, bound, 35);
	wait_close(&w);
}

/* Registers, read and written at once, beside loads and stores. */
TEST(test_registers)
{
	struct wait w;
	uint32_t value;
	int answer;

	wait_open(&w, *state, 4, RIG_DIRECT);
	wait_begin(&w);
	wait_add(&w, wait_bulk(TMA_BULK_LOAD, PAGE));
	wait_add(&w, wait_bulk(TMA_BULK_STORE, PAGE));
	for (uint32_t i = 0; i < 100; i++) {
		wait_run(&w, 10 + i % 7);
		if (i % 2)
			rig_csr(w.rig, TMA_REG_DOOR_TAIL(VICTIM));
		assert_int_equal(rig_csr_both(w.rig, TMA_REG_DOOR_INTERRUPT_ENABLE(VICTIM), i % 2,
		                              TMA_REG_DOOR_HEAD(0), &value, &answer),
		                 RIG_OKAY);
		assert_int_equal(answer, RIG_OKAY);
	}
	wait_judge(&w, "a read of a register", w.access[0].most, w.register_cycles, 80);
	wait_judge(&w, "a write of a register", w.access[1].most, w.register_cycles, 80);
	wait_close(&w);
}

/* Bounds are of the engine and not of a memory that stalls, and `max` is slow. */
int wait_tests(const char *name, struct where *w)
{
	if (w->opts.stall_percent || strcmp(w->config, "max") == 0)
		return 0;
	return run_file_tests_on(name, w);
}
