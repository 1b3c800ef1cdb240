/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uio_test - the example of a back end of one's own, in front of the simulated engine in another process.
 *
 * Spec: tma_backend.h, docs/back-ends.md
 * Checks: what the registers say of the engine; bytes through shared memory and back; records and interrupts; a
 *         fault, reset; registers that refuse; memory that is used up; a program that leaves the engine in use.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/cmocka_all.h"
#include "tma.h"

#define LIMIT 1000u /* looks, with a sleep of a millisecond at most between them */
#define BYTES 4096u

static struct tma_device *open_device(void)
{
	const struct tma_options options = { .size = sizeof(options), .backend = "uio" };
	struct tma_device *device = NULL;

	assert_int_equal(tma_open(&options, &device), 0);
	return device;
}

static struct tma_queue *open_queue(struct tma_device *device, uint32_t index)
{
	const struct tma_queue_options options = { .size = sizeof(options), .front = TMA_FRONT_RING };
	struct tma_queue *queue = NULL;

	assert_int_equal(tma_queue_open(device, index, &options, &queue), 0);
	return queue;
}

static struct tma_record next(struct tma_queue *queue)
{
	struct tma_record record = { 0 };

	assert_int_equal(tma_wait(queue, &record, LIMIT), 0);
	return record;
}

static void submit(struct tma_queue *queue, const struct tma_command *command)
{
	assert_true(tma_submit(queue, command) >= 0);
}

/* The same command as it is built on the spot. */
#define SUBMIT(queue, ...)            \
	do {                          \
		struct tma_command c; \
		__VA_ARGS__;          \
		submit(queue, &c);    \
	} while (0)

TEST(test_info)
{
	struct tma_device_info info = { .size = sizeof(info) };
	struct tma_device *device = open_device();
	struct tma_queue *queue;
	uint32_t word;

	assert_int_equal(tma_device_info(device, &info), 0);
	assert_string_equal(info.backend, "uio");
	assert_string_equal(info.config, "small");
	assert_true(info.coherent);
	assert_false(info.clocked);
	assert_int_equal(tma_smem_read(device, 0, &word, 4), TMA_ENOTSUP);
	assert_int_equal(tma_queue_open(device, 0, NULL, &queue), TMA_ENOTSUP);
	tma_close(device);
}

TEST(test_there_and_back)
{
	struct tma_device *device = open_device();
	struct tma_queue *queue = open_queue(device, 0);
	struct tma_memory *from, *to, *none;
	uint64_t bursts = 0;
	uint8_t *bytes;

	assert_int_equal(tma_memory_alloc(device, BYTES, &from), 0);
	assert_int_equal(tma_memory_alloc(device, BYTES, &to), 0);
	assert_int_equal(tma_memory_alloc(device, 1 << 24, &none), TMA_ENOSPC);
	bytes = tma_memory_host(from);
	for (uint32_t i = 0; i < BYTES; i++)
		bytes[i] = (uint8_t)(i * 37 + (i >> 8));
	SUBMIT(queue, tma_mbarrier_init(&c, 0, 1));
	SUBMIT(queue, tma_mbarrier_arrive_expect_tx(&c, 0, BYTES); tma_set_record(&c, 0));
	SUBMIT(queue, tma_cp_async_bulk_load(&c, 1024, tma_memory_address(from), BYTES, 0));
	assert_int_equal(next(queue).kind, TMA_KIND_ANSWER);
	SUBMIT(queue, tma_mbarrier_try_wait_parity(&c, 0, 0, TMA_NO_LIMIT));
	assert_int_equal(next(queue).value, 1);
	SUBMIT(queue, tma_cp_async_bulk_store(&c, tma_memory_address(to), 1024, BYTES));
	SUBMIT(queue, tma_cp_async_bulk_commit_group(&c));
	SUBMIT(queue, tma_cp_async_bulk_wait_group(&c, 0); tma_set_record(&c, 5));
	assert_int_equal(next(queue).tag, 5);
	assert_memory_equal(tma_memory_host(to), bytes, BYTES);
	assert_int_equal(tma_counter(device, TMA_COUNTER_WRITE_BURSTS, &bursts), 0);
	assert_true(bursts > 0);
	tma_close(device);
}

/* More records than the ring has, on two queues at once. */
TEST(test_records)
{
	struct tma_device *device = open_device();
	struct tma_queue *queue[2] = { open_queue(device, 0), open_queue(device, 1) };

	for (uint32_t i = 0; i < 300; i++) {
		SUBMIT(queue[0], tma_signal(&c, i));
		SUBMIT(queue[1], tma_signal(&c, 1000 + i));
		assert_int_equal(next(queue[1]).tag, 1000 + i);
		assert_int_equal(next(queue[0]).tag, i);
	}
	tma_close(device);
}

TEST(test_fault)
{
	struct tma_device *device = open_device();
	struct tma_queue *queue = open_queue(device, 0);
	struct tma_record record;

	SUBMIT(queue, tma_signal(&c, 1); c.opcode = 0xEE);
	SUBMIT(queue, tma_signal(&c, 2));
	assert_int_equal(tma_wait(queue, &record, LIMIT), TMA_EFAULT);
	assert_int_equal(record.fault, TMA_FAULT_UNKNOWN_OPCODE);
	assert_int_equal(tma_resume(queue, 3), TMA_EINVAL);
	assert_int_equal(tma_resume(queue, 1), 0);
	assert_int_equal(next(queue).tag, 2);
	assert_int_equal(tma_resume(queue, 2), TMA_EINVAL);
	assert_int_equal(tma_queue_reset(queue), 0);
	SUBMIT(queue, tma_signal(&c, 3));
	assert_int_equal(next(queue).sequence, 0);
	tma_close(device);
}

/* What the engine refuses comes through as refused. */
TEST(test_refused)
{
	const struct tma_queue_window window = { .bytes = 4096, .allow = TMA_ALLOW_MULTIMEM };
	const struct tma_queue_options options = {
		.size = sizeof(options), .windows = &window, .num_windows = 1, .front = TMA_FRONT_RING
	};
	struct tma_device *device = open_device();
	struct tma_multimem_object *object;
	struct tma_queue *queue;

	assert_int_equal(tma_queue_open(device, 0, &options, &queue), 0);
	assert_int_equal(tma_multimem_open(device, 4096, 1, &object), TMA_EBUSY);
	tma_queue_close(queue);
	assert_int_equal(tma_multimem_open(device, 4096, 1, &object), 0);
	tma_close(device);
}

/* This one is not closed: the next test finds its queue enabled, and a wait at its head. */
TEST(test_leave)
{
	struct tma_device *device = open_device();
	struct tma_queue *queue = open_queue(device, 1);

	SUBMIT(queue, tma_mbarrier_init(&c, 0, 1); tma_set_record(&c, 9));
	SUBMIT(queue, tma_mbarrier_try_wait_parity(&c, 0, 0, TMA_NO_LIMIT));
	assert_int_equal(next(queue).tag, 9);
}

TEST(test_find)
{
	struct tma_device *device = open_device();
	struct tma_queue *queue = open_queue(device, 1);

	SUBMIT(queue, tma_signal(&c, 4));
	assert_int_equal(next(queue).sequence, 0);
	tma_close(device);
}

int main(void)
{
	return run_file_tests("uio");
}
