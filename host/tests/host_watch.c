/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_watch - bursts that a program sees, on every back end.
 *
 * Spec: tma_watch.h
 * Checks: a load and a store of a page are told with their addresses, bytes and stream, each with its end; as many as the
 *         counters count; who cannot see its bus says so; NULL, and a second one that watches, are refused.
 */
#include <string.h>

#include "host_test.h"
#include "tma_watch.h"

#define BYTES  8192u
#define BUFFER 1024u
#define MBAR   0x40u
#define STREAM 5

struct seen {
	uint32_t begun[2], ended[2], stalls;
	uint64_t bytes[2];
	uint64_t low[2], high[2], last;
};

static void see(void *context, const struct tma_watch_event *event)
{
	struct seen *seen = context;
	const uint32_t write = event->kind == TMA_WATCH_WRITE || event->kind == TMA_WATCH_WRITE_END;

	assert_true(event->cycle >= seen->last);
	seen->last = event->cycle;
	switch (event->kind) {
	case TMA_WATCH_READ:
	case TMA_WATCH_WRITE:
		assert_int_equal(event->stream, STREAM);
		seen->begun[write]++;
		seen->bytes[write] += event->bytes;
		if (event->address < seen->low[write])
			seen->low[write] = event->address;
		if (event->address + event->bytes > seen->high[write])
			seen->high[write] = event->address + event->bytes;
		break;
	case TMA_WATCH_READ_END:
	case TMA_WATCH_WRITE_END:
		seen->ended[write]++;
		assert_true(seen->ended[write] <= seen->begun[write]);
		break;
	default:
		assert_true(event->since < event->cycle);
		seen->stalls++;
		break;
	}
}

static uint64_t count(struct tma_device *device, enum tma_counter which)
{
	uint64_t value;

	assert_int_equal(tma_counter(device, which, &value), 0);
	return value;
}

static void move(struct tma_device *device, struct tma_memory *from, struct tma_memory *to)
{
	const struct tma_queue_options options = { .size = sizeof(options), .stream = STREAM };
	struct tma_queue *queue;

	assert_int_equal(tma_queue_open(device, 0, &options, &queue), 0);
	init_barrier(queue, MBAR, 1);
	expect_bytes(queue, MBAR, BYTES);
	SUBMIT(queue, tma_cp_async_bulk_load(&c, BUFFER, tma_memory_address(from), BYTES, MBAR));
	wait_phase(queue, MBAR, 0);
	SUBMIT(queue, tma_cp_async_bulk_store(&c, tma_memory_address(to), BUFFER, BYTES));
	wait_stores(queue);
	tma_queue_close(queue);
}

static void test_watch(struct tma_device *device)
{
	struct seen seen = { .low = { UINT64_MAX, UINT64_MAX } };
	struct tma_memory *memory[2];
	int error;

	assert_int_equal(tma_watch(device, NULL, NULL), TMA_EINVAL);
	error = tma_watch(device, see, &seen);
	if (strcmp(device_info(device).backend, "rtl")) {
		assert_int_equal(error, TMA_ENOTSUP);
		return;
	}
	assert_int_equal(error, 0);
	assert_int_equal(tma_watch(device, see, &seen), TMA_EINVAL);
	for (uint32_t i = 0; i < 2; i++)
		memory[i] = alloc_memory(device, BYTES);
	move(device, memory[0], memory[1]);
	for (uint32_t i = 0; i < 2; i++) {
		assert_int_equal(seen.low[i], tma_memory_address(memory[i]));
		assert_int_equal(seen.high[i], tma_memory_address(memory[i]) + BYTES);
		assert_int_equal(seen.bytes[i], BYTES);
		assert_int_equal(seen.ended[i], seen.begun[i]);
	}
	assert_int_equal(seen.begun[0], count(device, TMA_COUNTER_READ_BURSTS));
	assert_int_equal(seen.begun[1], count(device, TMA_COUNTER_WRITE_BURSTS));
	assert_true(!host_case()->seed || seen.stalls > 0);
}

const struct host_test watch_tests[] = { { "watch", test_watch }, { NULL, NULL } };
