/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_errors - what a program can do wrong, the same on every back end.
 *
 * Spec: tma.h, the fault table (docs/gen/faults.md)
 * Checks: error codes, that a refused call changes nothing, fault records and their words, that
 *         other queues go on and that a faulted one can be opened again.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host_test.h"

#define MBAR 0x40u

static void test_memory_errors(struct tma_device *device)
{
	const uint64_t most = device_info(device).memory_bytes;
	struct tma_memory *memory = NULL, *all;
	uint8_t bytes[8] = { 0 };

	assert_int_equal(tma_memory_alloc(device, 0, &memory), TMA_EINVAL);
	assert_int_equal(tma_memory_alloc(device, most + 1, &memory), TMA_ENOSPC);
	assert_int_equal(tma_memory_alloc(device, UINT64_MAX, &memory), TMA_ENOSPC);
	assert_null(memory);
	/* A page between two may be a part of it. */
	all = alloc_memory(device, most - 8192);
	assert_int_equal(tma_memory_alloc(device, 8193, &memory), TMA_ENOSPC);
	memory = alloc_memory(device, 6);
	tma_memory_free(all);
	all = alloc_memory(device, most / 2);

	assert_int_equal(tma_copy_in(memory, 0, bytes, 7), TMA_EINVAL);
	assert_int_equal(tma_copy_out(memory, 6, bytes, 1), TMA_EINVAL);
	assert_int_equal(tma_copy_out(memory, 7, bytes, 0), TMA_EINVAL);
	assert_int_equal(tma_copy_in(memory, 1, bytes, UINT64_MAX), TMA_EINVAL);
	assert_int_equal(tma_memory_to_device(memory, 3, 4), TMA_EINVAL);
	assert_int_equal(tma_memory_from_device(memory, 3, 4), TMA_EINVAL);
	assert_int_equal(tma_copy_in(memory, 6, bytes, 0), 0);
}

static void test_smem_errors(struct tma_device *device)
{
	struct tma_device_info info = device_info(device);
	uint8_t bytes[8] = { 0 };

	assert_int_equal(tma_smem_write(device, tma_shared(info.ctas, 0), bytes, 1), TMA_EINVAL);
	assert_int_equal(tma_smem_read(device, info.smem_bytes - 7, bytes, 8), TMA_EINVAL);
	assert_int_equal(tma_smem_write(device, 0xFFFFFF, bytes, 8), TMA_EINVAL);
	assert_int_equal(tma_smem_read(device, 0, bytes, UINT32_MAX), TMA_EINVAL);
	assert_int_equal(tma_smem_read(device, info.smem_bytes, bytes, 0), 0);
}

static int try_queue(struct tma_device *device, uint32_t index, struct tma_queue_options options)
{
	struct tma_queue *queue = NULL;
	int error;

	options.front = plain_front();
	options.size = sizeof(options);
	error = tma_queue_open(device, index, &options, &queue);
	assert_null(queue);
	return error;
}

static void test_queue_errors(struct tma_device *device)
{
	struct tma_device_info info = device_info(device);
	const struct tma_queue_window good = { 0x100000000, 1, TMA_ALLOW_READ };
	const struct tma_queue_window bad[] = {
		{ 0x100000010, 4096, TMA_ALLOW_READ },         /* not on a page */
		{ 0x100000000, 0, TMA_ALLOW_READ },            /* empty */
		{ 0x100000000, 4096, 0 },                      /* allows nothing */
		{ 0x100000000, 4096, 8 },                      /* allows what there is not */
		{ 0xFFFFFFFFFFFFF000, 4097, TMA_ALLOW_WRITE }, /* wraps */
	};
	const struct tma_queue_options too_small = { .size = 8 };
	struct tma_queue_window many[TMA_REG_QUEUE_COUNT];
	struct tma_queue *queue = NULL;

	assert_int_equal(try_queue(device, info.queues, (struct tma_queue_options){ 0 }), TMA_EINVAL);
	assert_int_equal(try_queue(device, 0, (struct tma_queue_options){ .cta = info.ctas }), TMA_EINVAL);
	assert_int_equal(try_queue(device, 0, (struct tma_queue_options){ .prot = 8 }), TMA_EINVAL);
	assert_int_equal(try_queue(device, 0, (struct tma_queue_options){ .cta_mask = 1u << info.ctas }),
	                 TMA_EINVAL);
	assert_int_equal(try_queue(device, 0, (struct tma_queue_options){ .num_windows = 1 }), TMA_EINVAL);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(
			try_queue(device, 0,
		                  (struct tma_queue_options){ .windows = &bad[i], .num_windows = 1 }),
			TMA_EINVAL);
	for (size_t i = 0; i <= info.windows; i++)
		many[i] = good;
	assert_int_equal(
		try_queue(device, 0,
	                  (struct tma_queue_options){ .windows = many, .num_windows = info.windows + 1 }),
		TMA_ENOSPC);
	assert_int_equal(tma_queue_open(device, 0, &too_small, &queue), TMA_ESIZE);

	/* None of that has opened it. */
	queue = open_queue(device, 0, 0);
	assert_int_equal(try_queue(device, 0, (struct tma_queue_options){ 0 }), TMA_EBUSY);
	tma_queue_close(queue);
	tma_queue_close(NULL);
	open_queue(device, 0, 0);
}

static void test_size_errors(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_device_info info = { .size = sizeof(info) - 1 };
	struct tma_queue_state queue_state = { 0 };

	assert_int_equal(tma_device_info(device, &info), TMA_ESIZE);
	assert_int_equal(tma_queue_state(queue, &queue_state), TMA_ESIZE);
}

/* A queue whose head waits for ever: full, then nothing to wait for. */
static void test_limits(struct tma_device *device)
{
	const uint32_t slots = plain_front() == TMA_FRONT_RING ? 16 : 0;
	const struct tma_queue_options options = { .size = sizeof(options),
		                                   .depth = 3,
		                                   .front = plain_front(),
		                                   .ring_slots = slots,
		                                   .record_slots = slots };
	struct tma_queue *queue;
	struct tma_record record;
	struct tma_command command;
	int64_t result = 0;

	assert_int_equal(tma_queue_open(device, 1, &options, &queue), 0);
	SUBMIT(queue, tma_mbarrier_init(&c, MBAR, 1));
	SUBMIT(queue, tma_mbarrier_try_wait_parity(&c, MBAR, 0, TMA_NO_LIMIT));
	tma_signal(&command, 0);
	for (uint32_t taken = 0; taken < 100; taken++) {
		result = tma_submit(queue, &command);
		if (result < 0)
			break;
		assert_int_equal(result, 2 + taken);
	}
	assert_int_equal(result, TMA_EFULL);
	assert_int_equal(tma_wait(queue, &record, 100), TMA_ETIMEDOUT);
	assert_int_equal(tma_wait(queue, &record, 0), TMA_ETIMEDOUT);
}

/* A wrong command behind two others, and the words for it after "queue 0, command 2 (". */
static void expect_words(struct tma_device *device, struct tma_command *wrong, enum tma_fault fault,
                         const char *words)
{
	struct tma_queue *queue = open_queue(device, 0, 0);
	static const char prefix[] = "queue 0, command 2 (";
	struct tma_record record;
	char text[400];

	SUBMIT(queue, tma_signal(&c, 1));
	SUBMIT(queue, tma_mbarrier_init(&c, MBAR, 1));
	wait_kind(queue, TMA_KIND_SIGNAL);

	wrong->tag = 5;
	record = expect_fault(queue, wrong, fault);
	assert_int_equal(record.sequence, 2);
	assert_int_equal(record.tag, 5);
	assert_int_equal(record.queue, 0);
	tma_fault_text(queue, &record, text, sizeof(text));
	assert_memory_equal(text, prefix, strlen(prefix));
	text[strlen(prefix) + strlen(words)] = '\0';
	assert_string_equal(text + strlen(prefix), words);
	tma_queue_close(queue);
}

#define WORDS(build, fault, words)                      \
	do {                                            \
		struct tma_command c;                   \
		build;                                  \
		expect_words(device, &c, fault, words); \
	} while (0)

/* Every kind of text on one device: the queue is opened again after each fault. */
static void test_fault_text(struct tma_device *device)
{
	const uint64_t memory = tma_memory_address(alloc_memory(device, 4096));
	const uint8_t zero[16] = { 0 };

	assert_int_equal(tma_smem_write(device, MBAR, zero, sizeof(zero)), 0);
	WORDS(tma_cp_async_bulk_load(&c, 0x400, memory, 0x31, MBAR), TMA_FAULT_SIZE_GRANULE,
	      "BULK_LOAD, tag 0x5): SIZE_GRANULE: the size must be a multiple of 16 bytes; size = 49 (F04)");
	WORDS(tma_cp_async_bulk_store(&c, 0x123456789abcdef8, 0x400, 64), TMA_FAULT_GLOBAL_MISALIGNED,
	      "BULK_STORE, tag 0x5): GLOBAL_MISALIGNED: a global address must be a multiple of 16, for "
	      "cp.async of its cp-size; "
	      "global_address = 0x123456789abcdef8 (F05)");
	WORDS(tma_cp_async_bulk_load(&c, tma_shared(1, 0xFFFFF0), memory, 64, tma_shared(1, MBAR)),
	      TMA_FAULT_DST_RANGE,
	      "BULK_LOAD, tag 0x5): DST_RANGE: destination + size must stay inside the CTA's shared "
	      "memory; shared_dst = 0x1fffff0 (CTA 1, offset 0xfffff0) (F06)");
	WORDS(tma_cp_async_bulk_shared(&c, 0x800, 0x400, 64, MBAR), TMA_FAULT_DST_LOCAL,
	      "BULK_SHARED, tag 0x5): DST_LOCAL: the destination of a shared::cta to shared::cluster copy "
	      "must lie in another CTA; shared_dst = 0x800 (CTA 0, offset 0x800) (F08)");
	WORDS(tma_signal(&c, 0);
	      c.opcode = 0xEE, TMA_FAULT_UNKNOWN_OPCODE,
	      "tag 0x5): UNKNOWN_OPCODE: the opcode must name a command that this build has; opcode = 0xee, "
	      "version = 1, flags = 0x0, first 8 bytes = 0x00000000000001ee (");
	WORDS(tma_cp_async_bulk_commit_group(&c);
	      c.size = 16, TMA_FAULT_RESERVED_BITS,
	      "BULK_COMMIT_GROUP, tag 0x5): RESERVED_BITS: bits that the command does not use must be zero; "
	      "opcode = 0x40, version = 1, flags = 0x0, first 8 bytes = 0x0000000000000140 (");
	WORDS(tma_mbarrier_test_wait_last(&c, MBAR), TMA_FAULT_NO_STATE,
	      "MBARRIER_TEST_WAIT, tag 0x5): NO_STATE: LAST_STATE needs an earlier arrive of the queue; "
	      "opcode = 0x56, version = 1, flags = 0x2, first 8 bytes = 0x0002000000000156 (");
	WORDS(tma_mbarrier_arrive(&c, MBAR + 8, 1), TMA_FAULT_BARRIER_DEAD,
	      "MBARRIER_ARRIVE, tag 0x5): BARRIER_DEAD: the barrier must be initialised; barrier = 0x48 "
	      "(CTA 0, offset 0x48) (F09 F11)");
	WORDS(tma_mbarrier_arrive(&c, MBAR, 2), TMA_FAULT_PENDING_UNDERFLOW,
	      "MBARRIER_ARRIVE, tag 0x5): PENDING_UNDERFLOW: an arrive must not exceed the pending count; "
	      "barrier = 0x40 (CTA 0, offset 0x40) (F10)");
	WORDS(tma_mbarrier_init(&c, MBAR, 1 << 20), TMA_FAULT_COUNT_RANGE,
	      "MBARRIER_INIT, tag 0x5): COUNT_RANGE: an mbarrier count must be 1 to 2^20-1, and 1 with "
	      "EXPECT_TX; count = 1048576 (F10)");
	WORDS(tma_cp_async_bulk_store(&c, 0x7000, 0x400, 64), TMA_FAULT_WINDOW_WRITE,
	      "BULK_STORE, tag 0x5): WINDOW_WRITE: every byte written must lie in a window of the queue "
	      "that allows writes; address = 0x7000 (F06)");
	/* The buffer is one page long, and no other follows it at once. */
	if (!has_gaps())
		return;
	assert_true(memory == 0x100000000);
	WORDS(tma_cp_async_bulk_load(&c, 0x400, memory + 4096, 64, MBAR), TMA_FAULT_READ_DECERR,
	      "BULK_LOAD, tag 0x5): READ_DECERR: a read answered DECERR; address = 0x100001000 (");
}

/* The queue stays stopped and says why; another one, and the stopped one opened again, work. */
static void test_fault_stops_one_queue(struct tma_device *device)
{
	struct tma_queue *bad = open_queue(device, 0, 0), *good = open_queue(device, 1, 1);
	struct tma_queue_state stopped = { .size = sizeof(stopped) };
	struct tma_command command;
	struct tma_record record;

	SUBMIT(bad, tma_signal(&c, 1));
	SUBMIT(bad, tma_mbarrier_init(&c, MBAR + 4, 1); c.tag = 0xABCD);
	tma_signal(&command, 2);
	submit(bad, &command);
	assert_int_equal(wait_kind(bad, TMA_KIND_SIGNAL).tag, 1);
	assert_int_equal(tma_wait(bad, &record, LIMIT), TMA_EFAULT);
	assert_int_equal(record.fault, TMA_FAULT_BARRIER_MISALIGNED);
	assert_int_equal(tma_wait(bad, &record, 200), TMA_ETIMEDOUT);
	assert_int_equal(tma_submit(bad, &command), TMA_EFAULT);

	assert_int_equal(tma_queue_state(bad, &stopped), 0);
	assert_true(stopped.faulted);
	assert_int_equal(stopped.next_sequence, 1);
	assert_int_equal(stopped.waiting, 2);
	assert_int_equal(stopped.fault, TMA_FAULT_BARRIER_MISALIGNED);
	assert_int_equal(stopped.fault_count, 1);
	assert_int_equal(stopped.fault_sequence, 1);
	assert_int_equal(stopped.fault_tag, 0xABCD);
	assert_int_equal(stopped.fault_address, MBAR + 4);

	submit(good, &command);
	assert_int_equal(wait_kind(good, TMA_KIND_SIGNAL).tag, 2);
	tma_queue_close(bad);
	bad = open_queue(device, 0, 0);
	submit(bad, &command);
	assert_int_equal(wait_kind(bad, TMA_KIND_SIGNAL).sequence, 0);
	assert_int_equal(tma_queue_state(bad, &stopped), 0);
	assert_false(stopped.faulted);
	assert_int_equal(stopped.fault, TMA_FAULT_NONE);
}

/* Windows and the CTA mask of a queue hold, to the page and to the CTA. */
static void test_protection(struct tma_device *device)
{
	struct tma_memory *memory = alloc_memory(device, 3 * 4096);
	uint64_t base = tma_memory_address(memory);
	const struct tma_queue_window windows[] = {
		{ base, 1, TMA_ALLOW_READ | TMA_ALLOW_WRITE },
		{ base + 4096, 4096, TMA_ALLOW_READ },
	};
	const struct tma_queue_options options = {
		.size = sizeof(options),
		.cta_mask = 1,
		.windows = windows,
		.num_windows = 2,
		.front = plain_front(),
	};
	const uint8_t zero[8192] = { 0 };
	struct tma_queue *queue;
	struct tma_command command;
	struct tma_record record;
	char text[400];

	assert_int_equal(tma_smem_write(device, 0x400, zero, 8192), 0);
	assert_int_equal(tma_queue_open(device, 0, &options, &queue), 0);
	SUBMIT(queue, tma_cp_async_bulk_store(&c, base, 0x400, 4096));
	tma_cp_async_bulk_store(&command, base + 4096 - 64, 0x400, 128);
	record = expect_fault(queue, &command, TMA_FAULT_WINDOW_WRITE);
	assert_true(record.address == base + 4096);
	tma_queue_close(queue);

	assert_int_equal(tma_queue_open(device, 0, &options, &queue), 0);
	SUBMIT(queue, tma_mbarrier_init(&c, MBAR, 1));
	tma_cp_async_bulk_load(&command, 0x400, base + 4096, 4096 + 16, MBAR);
	record = expect_fault(queue, &command, TMA_FAULT_WINDOW_READ);
	assert_true(record.address == base + 8192);
	tma_queue_close(queue);

	assert_int_equal(tma_queue_open(device, 0, &options, &queue), 0);
	tma_cp_async_bulk_load_multicast(&command, 0x400, base, 64, MBAR, 3);
	record = expect_fault(queue, &command, TMA_FAULT_CTA_DENIED);
	tma_fault_text(queue, &record, text, sizeof(text));
	assert_non_null(strstr(text, "; CTAs touched but not permitted = 0x2 ("));
}

const struct host_test error_tests[] = {
	{ "memory_errors", test_memory_errors },
	{ "smem_errors", test_smem_errors },
	{ "queue_errors", test_queue_errors },
	{ "size_errors", test_size_errors },
	{ "limits", test_limits },
	{ "fault_text", test_fault_text },
	{ "fault_stops_one_queue", test_fault_stops_one_queue },
	{ "protection", test_protection },
	{ 0 },
};
