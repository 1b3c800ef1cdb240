/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_late - a model with a seed, through the library.
 *
 * Spec: tma.h, seed of tma_options; the guide, "What the model hides, and what seeds show"
 * Checks: over 64 seeds a program that reads what it did not wait for is found out, and one that waits is right, through
 *         both fronts; queues close, start over and go on after a late fault with copies in flight; calls in which
 *         the clock runs let copies go on.
 */
#include <string.h>

#include "host_test.h"

#define SEEDS 64u
#define LEAST 16u /* seeds that see what was forgotten */
#define BYTES 2048u
#define MBAR  0u
#define FIRST 1024u

static struct tma_device *open_impatient(uint64_t seed, uint64_t submit_limit)
{
	const struct tma_options options = { .size = sizeof(options),
		                             .seed = seed,
		                             .submit_limit = submit_limit };
	struct tma_device *device = NULL;

	assert_int_equal(tma_open(&options, &device), 0);
	return device;
}

static struct tma_device *open_late(uint64_t seed)
{
	return open_impatient(seed, 0);
}

static struct tma_queue *open_front(struct tma_device *device, uint64_t seed)
{
	const struct tma_queue_options options = { .size = sizeof(options),
		                                   .front = seed % 2 ? TMA_FRONT_RING : TMA_FRONT_DIRECT };
	struct tma_queue *queue = NULL;

	assert_int_equal(tma_queue_open(device, 0, &options, &queue), 0);
	return queue;
}

/* A test of 16 seeds with a late model, memory of it and a queue, test_NAME(). */
#define LATE_TEST(name)                                                                                 \
	static void name(struct tma_device *device, struct tma_memory *memory, struct tma_queue *queue, \
	                 uint64_t seed);                                                                \
	static void test_##name(void **state)                                                           \
	{                                                                                               \
		(void)state;                                                                            \
		for (uint64_t seed = 1; seed <= 16; seed++) {                                           \
			struct tma_device *device = open_late(seed);                                    \
			struct tma_memory *memory = alloc_memory(device, BYTES);                        \
                                                                                                        \
			name(device, memory, open_front(device, seed), seed);                           \
			tma_close(device);                                                              \
		}                                                                                       \
	}                                                                                               \
	static void name(struct tma_device *device __attribute__((unused)), struct tma_memory *memory,  \
	                 struct tma_queue *queue, uint64_t seed __attribute__((unused)))

static void load(struct tma_queue *queue, struct tma_memory *memory)
{
	SUBMIT(queue, tma_mbarrier_init(&c, MBAR, 1));
	SUBMIT(queue, tma_mbarrier_arrive_expect_tx(&c, MBAR, BYTES));
	SUBMIT(queue, tma_cp_async_bulk_load(&c, FIRST, tma_memory_address(memory), BYTES, MBAR));
}

static void wait_signal(struct tma_queue *queue)
{
	SUBMIT(queue, tma_signal(&c, 1));
	wait_kind(queue, TMA_KIND_SIGNAL);
}

/* A load and a store of what it brings, each waited for or not. Is the copy right? */
static bool round_trip(uint64_t seed, bool wait_load, bool wait_store)
{
	struct tma_device *device = open_late(seed);
	struct tma_memory *from = alloc_memory(device, BYTES), *to = alloc_memory(device, BYTES);
	struct tma_queue *queue = open_front(device, seed);
	uint8_t source[BYTES], copy[BYTES];

	fill_pattern(source, BYTES);
	assert_int_equal(tma_copy_in(from, 0, source, BYTES), 0);
	load(queue, from);
	if (wait_load)
		wait_phase(queue, MBAR, 0);
	SUBMIT(queue, tma_cp_async_bulk_store(&c, tma_memory_address(to), FIRST, BYTES));
	if (wait_store)
		wait_stores(queue);
	else
		wait_signal(queue);
	assert_int_equal(tma_copy_out(to, 0, copy, BYTES), 0);
	tma_close(device);
	return !memcmp(source, copy, BYTES);
}

static void test_forgotten_waits(void **state)
{
	uint32_t no_load = 0, no_store = 0;

	(void)state;
	assert_true(round_trip(0, false, false));
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		assert_true(round_trip(seed, true, true));
		no_load += !round_trip(seed, false, true);
		no_store += !round_trip(seed, true, false);
	}
	print_message("             wrong without the load's wait: %u of %u seeds, the store's: %u\n",
	              no_load, SEEDS, no_store);
	assert_true(no_load >= LEAST && no_store >= LEAST);
}

LATE_TEST(lives)
{
	load(queue, memory);
	wait_signal(queue);
	assert_int_equal(tma_queue_reset(queue), 0);
	load(queue, memory);
	wait_signal(queue);
	tma_queue_close(queue);
	queue = open_front(device, seed + 1);
	load(queue, memory);
	wait_phase(queue, MBAR, 0);
	load(queue, memory);
	tma_memory_free(alloc_memory(device, BYTES));
	assert_int_equal(tma_device_check(device), 0);
}

LATE_TEST(late_fault)
{
	struct tma_record record;

	load(queue, memory);
	SUBMIT(queue, tma_cp_async_bulk_load(&c, FIRST, tma_memory_address(memory) + 4096, BYTES, MBAR));
	assert_int_equal(tma_wait(queue, &record, LIMIT), TMA_EFAULT);
	assert_int_equal(record.sequence, 3);
	assert_int_equal(record.fault, TMA_FAULT_READ_DECERR);
	assert_int_equal(tma_resume(queue, 4), 0);
	wait_phase(queue, MBAR, 0);
}

/* A copy that fails behind everything else: nobody has asked for a record, and the queue has no command left. */
LATE_TEST(late_fault_is_no_rest)
{
	struct tma_record record;

	SUBMIT(queue, tma_mbarrier_init(&c, MBAR, 1));
	SUBMIT(queue, tma_cp_async_bulk_load(&c, FIRST, tma_memory_address(memory) + 4096, BYTES, MBAR));
	assert_int_equal(tma_sync(queue), TMA_EFAULT);
	assert_int_equal(tma_wait(queue, &record, LIMIT), TMA_EFAULT);
	assert_int_equal(record.fault, TMA_FAULT_READ_DECERR);
	assert_int_equal(tma_sync(queue), TMA_EFAULT);
	assert_int_equal(tma_resume(queue, 2), 0);
	assert_int_equal(tma_sync(queue), 0);
}

/* What is read of a completion ring piece by piece is a whole record all the same: the first piece may be older. */
static void test_record_in_pieces(void **state)
{
	const struct tma_backend *const backends[] = { torn_backend(), NULL };
	const struct tma_options options = { .size = sizeof(options),
		                             .backend = "torn",
		                             .backends = backends };
	struct tma_device *device = NULL;
	struct tma_queue *queue;
	struct tma_record record;

	(void)state;
	assert_int_equal(tma_open(&options, &device), 0);
	queue = open_ring(device, 0, 16);
	for (uint32_t i = 0; i < 40; i++) {
		SUBMIT(queue, tma_signal(&c, 100 + i));
		assert_int_equal(tma_wait(queue, &record, LIMIT), 0);
		assert_int_equal(record.kind, TMA_KIND_SIGNAL);
		assert_int_equal(record.sequence, i);
		assert_int_equal(record.tag, 100 + i);
	}
	tma_queue_close(queue);
	tma_close(device);
}

/* Of a reset that takes too long all calls tell until it is over; nothing of the life before is done again. */
static void test_reset_that_takes_long(void **state)
{
	uint32_t late = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 16; seed++) {
		struct tma_device *device = open_impatient(seed, 1);
		struct tma_memory *memory = alloc_memory(device, BYTES);
		struct tma_queue *queue = open_front(device, seed);
		struct tma_command again;
		struct tma_record record;
		uint64_t before = 0, behind = 0;
		int error;

		for (uint32_t i = 0; i < 8; i++)
			SUBMIT(queue,
			       tma_cp_async(&c, FIRST + 16 * i, tma_memory_address(memory) + 16 * i, 16));
		SUBMIT(queue, tma_signal(&c, 1));
		tma_signal(&again, 2);
		while ((error = tma_queue_reset(queue)) == TMA_ETIMEDOUT) {
			late++;
			assert_non_null(strstr(tma_last_error(), "still in flight"));
			assert_int_equal(tma_submit(queue, &again), TMA_EBUSY);
			assert_int_equal(tma_queue_room(queue), TMA_EBUSY);
			assert_int_equal(tma_sync(queue), TMA_EBUSY);
			assert_int_equal(tma_wait_command(queue, 0, LIMIT), TMA_EBUSY);
			assert_int_equal(tma_poll(queue, &record), TMA_EBUSY);
			assert_int_equal(tma_poll_many(queue, &record, 1), TMA_EBUSY);
			assert_int_equal(tma_wait(queue, &record, LIMIT), TMA_EBUSY);
			assert_int_equal(tma_wait_ns(queue, &record, 1000), TMA_EBUSY);
		}
		assert_int_equal(error, 0);
		assert_int_equal(tma_counter(device, TMA_COUNTER_COMMANDS, &before), 0);
		wait_signal(queue);
		assert_int_equal(tma_wait_command(queue, 0, LIMIT), 0);
		assert_int_equal(tma_sync(queue), 0);
		assert_int_equal(tma_counter(device, TMA_COUNTER_COMMANDS, &behind), 0);
		assert_int_equal(behind - before, 1);
		tma_queue_close(queue);
		tma_close(device);
	}
	assert_true(late);
}

/* Looking at the queue and at shared memory is enough. */
LATE_TEST(time_passes)
{
	struct tma_queue_state queue_state = { .size = sizeof(queue_state) };
	uint64_t signals = 0, barrier = 0;

	load(queue, memory);
	while (queue_state.next_sequence < 3)
		assert_int_equal(tma_queue_state(queue, &queue_state), 0);
	if (seed % 2)
		while (!signals)
			assert_int_equal(tma_counter(device, TMA_COUNTER_SIGNALS, &signals), 0);
	while (!(barrier >> TMA_BARRIER_PHASE_LSB & 1))
		assert_int_equal(tma_smem_read(device, MBAR, &barrier, sizeof(barrier)), 0);
}

int run_late_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forgotten_waits),  cmocka_unit_test(test_lives),
		cmocka_unit_test(test_late_fault),       cmocka_unit_test(test_late_fault_is_no_rest),
		cmocka_unit_test(test_record_in_pieces), cmocka_unit_test(test_reset_that_takes_long),
		cmocka_unit_test(test_time_passes),
	};

	return cmocka_run_group_tests_name("late model", tests, NULL, NULL);
}
