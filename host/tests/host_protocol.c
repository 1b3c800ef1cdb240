/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_protocol - rings, recovery after faults, cp.async and multimem copies, on every back end.
 *
 * Spec: PTX ISA cp.async, multimem.cp.async.bulk; docs/architecture.md; tma.h
 * Checks: rings that wrap many times, full rings, RESUME in the place of a fault and behind it, reset,
 *         cancel, bytes on every port.
 */
#include <string.h>

#include "host_test.h"

#define MBAR   0u
#define BUFFER 1024u
#define BYTES  256u

static struct tma_queue_state state_of(struct tma_queue *queue)
{
	struct tma_queue_state state = { .size = sizeof(state) };

	assert_int_equal(tma_queue_state(queue, &state), 0);
	return state;
}

static void signals(struct tma_command *commands, uint32_t count, uint32_t tag)
{
	for (uint32_t i = 0; i < count; i++)
		tma_signal(&commands[i], tag + i);
}

static void expect_signals(struct tma_queue *queue, uint32_t count, uint32_t sequence, uint32_t tag)
{
	for (uint32_t i = 0; i < count; i++) {
		struct tma_record record = wait_kind(queue, TMA_KIND_SIGNAL);

		assert_int_equal(record.sequence, sequence + i);
		assert_int_equal(record.tag, tag + i);
		assert_int_equal(record.phase, 0);
	}
}

/* Both rings go round many times, with doorbells for one to sixteen commands. */
static void test_ring_wraps(struct tma_device *device)
{
	struct tma_queue *queue = open_ring(device, 0, 16);
	struct tma_command commands[16];
	uint32_t sequence = 0;

	for (uint32_t round = 0; round < 40; round++) {
		uint32_t count = 1 + round * 5 % 12;

		signals(commands, count, 1000 + sequence);
		assert_int_equal(tma_submit_all(queue, commands, count), sequence);
		expect_signals(queue, count, sequence, 1000 + sequence);
		sequence += count;
	}
	assert_int_equal(state_of(queue).waiting, 0);
}

/* Nobody takes records: the queue stops when its completion ring is full but for the slot of a fault,
 * another one goes on, and taking records is enough to let it go on. */
static void test_full_rings(struct tma_device *device)
{
	struct tma_queue *queue = open_ring(device, 0, 16), *other = open_ring(device, 1, 16);
	struct tma_command commands[64];
	int64_t result = 0;
	uint32_t taken;

	signals(commands, 64, 0);
	for (taken = 0; taken < 64; taken++) {
		result = tma_submit(queue, &commands[taken]);
		if (result < 0)
			break;
	}
	assert_int_equal(result, TMA_EFULL);
	assert_int_equal(taken, 15 + 16);
	assert_true(state_of(queue).blocked);
	assert_int_equal(state_of(queue).next_sequence, 15);

	assert_int_equal(tma_submit_all(other, commands, 4), 0);
	expect_signals(other, 4, 0, 0);
	expect_signals(queue, taken, 0, 0);
	assert_int_equal(tma_submit_all(queue, &commands[taken], 10), taken);
	expect_signals(queue, 10, taken, taken);
}

/* A command in the middle of others is wrong: it is mended in its place, and the next time left out. */
static void test_resume(struct tma_device *device)
{
	struct tma_queue *queue = open_ring(device, 0, 16);
	struct tma_command commands[5];
	struct tma_record record;

	for (uint32_t round = 0; round < 6; round++) {
		uint32_t first = 5 * round, wrong = first + 2;

		signals(commands, 5, first);
		commands[2].opcode = 0xEE;
		assert_int_equal(tma_submit_all(queue, commands, 5), first);
		expect_signals(queue, 2, first, first);
		assert_int_equal(tma_wait(queue, &record, LIMIT), TMA_EFAULT);
		assert_int_equal(record.fault, TMA_FAULT_UNKNOWN_OPCODE);
		assert_int_equal(record.sequence, wrong);
		assert_int_equal(tma_submit(queue, commands), TMA_EFAULT);
		assert_int_equal(tma_resume(queue, wrong - 1), TMA_EINVAL);
		assert_int_equal(tma_resume(queue, first + 6), TMA_EINVAL);
		assert_true(state_of(queue).faulted);

		if (round % 2) {
			tma_signal(&commands[2], wrong);
			assert_int_equal(tma_replace(queue, wrong, &commands[2]), 0);
			assert_int_equal(tma_resume(queue, wrong), 0);
			expect_signals(queue, 3, wrong, wrong);
		} else {
			assert_int_equal(tma_resume(queue, wrong + 1), 0);
			expect_signals(queue, 2, wrong + 1, wrong + 1);
		}
		assert_false(state_of(queue).faulted);
		assert_int_equal(state_of(queue).fault, 0);
		assert_int_equal(tma_resume(queue, first + 5), TMA_EINVAL);
		assert_int_equal(tma_replace(queue, first + 4, commands), TMA_EINVAL);
	}
}

/* The commands behind a fault stay where they are on the direct port, too. */
static void test_resume_direct(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_command commands[4];

	signals(commands, 4, 40);
	commands[1].version = 9;
	submit(queue, &commands[0]);
	expect_signals(queue, 1, 0, 40);
	expect_fault(queue, &commands[1], TMA_FAULT_UNKNOWN_VERSION);
	assert_int_equal(tma_resume(queue, 2), 0);
	assert_int_equal(tma_submit_all(queue, &commands[2], 2), 2);
	expect_signals(queue, 2, 2, 42);
}

/* A wait that nobody ends: cancelled by software, then by a command of another queue, then reset. */
static void test_cancel_and_reset(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 0), *other;
	const struct tma_queue_options options = { .size = sizeof(options),
		                                   .cancel_mask = 1,
		                                   .front = plain_front() };
	struct tma_command commands[3];
	struct tma_record record;
	char text[400];

	assert_int_equal(tma_queue_open(device, 1, &options, &other), 0);
	tma_mbarrier_init(&commands[0], MBAR, 1);
	tma_mbarrier_try_wait_parity(&commands[1], MBAR, 0, TMA_NO_LIMIT);
	tma_signal(&commands[2], 5);
	assert_int_equal(tma_cancel(queue), 0);
	assert_int_equal(tma_submit_all(queue, commands, 3), 0);
	assert_int_equal(tma_wait(queue, &record, 500), TMA_ETIMEDOUT);
	assert_true(state_of(queue).blocked);
	assert_int_equal(tma_cancel(queue), 0);
	assert_int_equal(tma_wait(queue, &record, LIMIT), TMA_EFAULT);
	assert_int_equal(record.fault, TMA_FAULT_CANCELLED);
	assert_int_equal(record.sequence, 1);
	tma_fault_text(queue, &record, text, sizeof(text));
	assert_non_null(strstr(text, "CANCELLED: a wait must not be cancelled; opcode = 0x57, version = 1,"));

	assert_int_equal(tma_resume(queue, 1), 0);
	assert_int_equal(tma_wait(queue, &record, 500), TMA_ETIMEDOUT);
	tma_cancel_queue(&commands[0], 0);
	submit(other, &commands[0]);
	assert_int_equal(tma_wait(queue, &record, LIMIT), TMA_EFAULT);
	assert_int_equal(record.fault, TMA_FAULT_CANCELLED);
	tma_cancel_queue(&commands[0], 1);
	expect_fault(other, &commands[0], TMA_FAULT_CANCEL_DENIED);

	assert_int_equal(tma_queue_reset(queue), 0);
	assert_int_equal(state_of(queue).next_sequence, 0);
	assert_false(state_of(queue).faulted);
	assert_int_equal(tma_submit_all(queue, &commands[2], 1), 0);
	expect_signals(queue, 1, 0, 5);
}

/* Every size and form, in a group each; then an arrival behind them. */
static void test_cp_async(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_memory *memory = alloc_memory(device, 4096);
	uint64_t address = tma_memory_address(memory);
	uint8_t got[64], want[64] = { 0 };
	struct tma_command command;

	fill_pattern(tma_memory_host(memory), 4096);
	assert_int_equal(tma_memory_to_device(memory, 0, 4096), 0);
	memset(got, 0xEE, sizeof(got));
	assert_int_equal(tma_smem_write(device, BUFFER, got, sizeof(got)), 0);
	memset(want, 0xEE, sizeof(want));

	SUBMIT(queue, tma_mbarrier_init(&c, MBAR, 1));
	SUBMIT(queue, tma_cp_async(&c, BUFFER, address + 32, 16); tma_set_cg(&c);
	       tma_set_l2_prefetch(&c, TMA_L2_128B));
	SUBMIT(queue, tma_cp_async(&c, BUFFER + 20, address + 108, 4));
	SUBMIT(queue, tma_cp_async_commit_group(&c));
	SUBMIT(queue, tma_cp_async_src_size(&c, BUFFER + 32, address + 8, 8, 3));
	SUBMIT(queue, tma_cp_async_ignore_src(&c, BUFFER + 48, 0xDEAD0000, 16, true));
	SUBMIT(queue, tma_cp_async_mbarrier_arrive_noinc(&c, MBAR));
	SUBMIT(queue, tma_cp_async_mbarrier_arrive(&c, MBAR));
	SUBMIT(queue, tma_cp_async_wait_group(&c, 0));
	assert_int_equal(ASK(queue, tma_mbarrier_try_wait_parity(&c, MBAR, 0, TMA_NO_LIMIT)), 1);
	SUBMIT(queue, tma_cp_async_wait_all(&c); tma_set_record(&c, 1));
	wait_kind(queue, TMA_KIND_RETIRED);

	for (uint32_t i = 0; i < 16; i++)
		want[i] = pattern(32 + i);
	for (uint32_t i = 0; i < 4; i++)
		want[20 + i] = pattern(108 + i);
	for (uint32_t i = 0; i < 8; i++)
		want[32 + i] = i < 3 ? pattern(8 + i) : 0;
	memset(&want[48], 0, 16);
	assert_int_equal(tma_smem_read(device, BUFFER, got, sizeof(got)), 0);
	assert_memory_equal(got, want, sizeof(got));

	tma_cp_async(&command, BUFFER, address, 12);
	expect_fault(queue, &command, TMA_FAULT_CP_SIZE);
}

/* The same bytes on every port of the object, and on no other memory. */
static void test_multimem(struct tma_device *device)
{
	struct tma_device_info info = device_info(device);
	struct tma_multimem_object *object = NULL, *second = NULL;
	struct tma_queue_window window = { .bytes = 4096, .allow = TMA_ALLOW_MULTIMEM };
	const struct tma_queue_options options = {
		.size = sizeof(options), .windows = &window, .num_windows = 1, .front = TMA_FRONT_RING
	};
	struct tma_queue *queue = NULL;
	struct tma_command command;
	uint8_t bytes[BYTES], got[BYTES + 16];

	assert_int_equal(tma_multimem_open(device, 4096, 1u << info.ports, &object), TMA_EINVAL);
	assert_int_equal(tma_multimem_open(device, 0, 0, &object), TMA_EINVAL);
	assert_int_equal(tma_multimem_open(device, 8000, 0, &object), 0);
	assert_int_equal(tma_multimem_bytes(object), 8192);
	window.address = tma_multimem_address(object);
	assert_int_equal(tma_queue_open(device, 0, &options, &queue), 0);
	assert_int_equal(tma_multimem_open(device, 4096, 0, &second),
	                 info.multimem_windows > 1 ? TMA_EBUSY : TMA_ENOSPC);

	fill_pattern(bytes, sizeof(bytes));
	assert_int_equal(tma_smem_write(device, BUFFER, bytes, sizeof(bytes)), 0);
	SUBMIT(queue, tma_multimem_cp_async_bulk(&c, window.address + 64, BUFFER, BYTES));
	SUBMIT(queue, tma_cp_async_bulk_commit_group(&c));
	SUBMIT(queue, tma_cp_async_bulk_wait_group(&c, 0); tma_set_record(&c, 1));
	wait_kind(queue, TMA_KIND_RETIRED);
	for (uint32_t p = 0; p < info.ports; p++) {
		assert_int_equal(tma_copy_out(tma_multimem_memory(object, p), 48, got, sizeof(got)), 0);
		for (uint32_t i = 0; i < 16; i++)
			assert_int_equal(got[i], 0);
		assert_memory_equal(&got[16], bytes, BYTES);
	}
	assert_null(tma_multimem_memory(object, 7));

	/* The second page of the object is not in the queue's window. */
	tma_multimem_cp_async_bulk(&command, window.address + 4096, BUFFER, BYTES);
	assert_true(expect_fault(queue, &command, TMA_FAULT_WINDOW_MULTIMEM).address ==
	            window.address + 4096);
	tma_queue_close(queue);
	tma_multimem_close(object);
	assert_int_equal(tma_multimem_open(device, 4096, 1, &object), 0);
}

/* A window that allows no multimem copies, none where there is no object, a store to a multimem window. */
static void test_multimem_denied(struct tma_device *device)
{
	struct tma_memory *memory = alloc_memory(device, 4096);
	struct tma_queue_window window = { .address = tma_memory_address(memory),
		                           .bytes = 4096,
		                           .allow = TMA_ALLOW_MULTIMEM };
	struct tma_queue_options options = {
		.size = sizeof(options), .windows = &window, .num_windows = 1, .front = plain_front()
	};
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_command command;

	tma_multimem_cp_async_bulk(&command, window.address, BUFFER, BYTES);
	expect_fault(queue, &command, TMA_FAULT_WINDOW_MULTIMEM);
	tma_queue_close(queue);
	assert_int_equal(tma_queue_open(device, 0, &options, &queue), 0);
	expect_fault(queue, &command, TMA_FAULT_MULTIMEM_UNMAPPED);
	tma_queue_close(queue);
	assert_int_equal(tma_queue_open(device, 0, &options, &queue), 0);
	tma_cp_async_bulk_store(&command, window.address, BUFFER, BYTES);
	expect_fault(queue, &command, TMA_FAULT_WINDOW_WRITE);
}

/* Options of a ring that cannot be. */
static void test_ring_options(struct tma_device *device)
{
	struct tma_device_info info = device_info(device);
	struct tma_queue_window windows[8];
	struct tma_queue_options options = { .size = sizeof(options), .front = TMA_FRONT_RING };
	const uint32_t bad[] = { 1, 8, 17, 131072, 0x80000000 };
	struct tma_queue *queue = NULL;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		options.ring_slots = bad[i];
		assert_int_equal(tma_queue_open(device, 0, &options, &queue), TMA_EINVAL);
		options.ring_slots = 16;
		options.record_slots = bad[i];
		assert_int_equal(tma_queue_open(device, 0, &options, &queue), TMA_EINVAL);
		options.record_slots = 0;
	}
	options.front = TMA_FRONT_DIRECT;
	assert_int_equal(tma_queue_open(device, 0, &options, &queue), TMA_EINVAL);
	options.front = (enum tma_front)7;
	options.ring_slots = 0;
	assert_int_equal(tma_queue_open(device, 0, &options, &queue), TMA_EINVAL);

	/* The rings need a window of their own. */
	options.front = TMA_FRONT_RING;
	for (uint32_t i = 0; i < info.windows; i++)
		windows[i] = (struct tma_queue_window){ 0x100000000, 4096, TMA_ALLOW_READ };
	options.windows = windows;
	options.num_windows = info.windows;
	assert_int_equal(tma_queue_open(device, 0, &options, &queue), TMA_ENOSPC);
	options.num_windows--;
	assert_int_equal(tma_queue_open(device, 0, &options, &queue), 0);
	assert_int_equal(tma_replace(queue, 0, &(struct tma_command){ 0 }), TMA_EINVAL);
}

const struct host_test protocol_tests[] = {
	{ "ring_wraps", test_ring_wraps },
	{ "full_rings", test_full_rings },
	{ "resume", test_resume },
	{ "resume_direct", test_resume_direct },
	{ "cancel_and_reset", test_cancel_and_reset },
	{ "cp_async", test_cp_async },
	{ "multimem", test_multimem },
	{ "multimem_denied", test_multimem_denied },
	{ "ring_options", test_ring_options },
	{ 0 },
};
