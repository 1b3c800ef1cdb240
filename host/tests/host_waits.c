/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_waits - waits without records, many commands and records at once, events, on every back end.
 *
 * Spec: tma.h, docs/programmers-guide.md (Waiting)
 * Checks: what is done when a wait returns; that no record is lost, and none comes out of turn; faults and limits;
 *         counts of what went in and would go in; descriptors that are readable while there are records.
 */
#include <poll.h>
#include <string.h>

#include "host_test.h"

#define MBAR   0x40u
#define BUFFER 1024u
#define BYTES  256u
/* In no window of a queue that was opened without windows. */
#define NOWHERE 0x7000u

static struct tma_queue *open_front(struct tma_device *device, uint32_t index, enum tma_front front)
{
	struct tma_queue_options options = { .size = sizeof(options), .front = front };
	struct tma_queue *queue = NULL;

	if (front == TMA_FRONT_RING) {
		options.ring_slots = 64;
		options.record_slots = 16;
	}
	assert_int_equal(tma_queue_open(device, index, &options, &queue), 0);
	return queue;
}

static void signals(struct tma_command *commands, uint32_t count, uint32_t tag)
{
	for (uint32_t i = 0; i < count; i++)
		tma_signal(&commands[i], tag + i);
}

static void expect_signals(struct tma_queue *queue, uint32_t count, uint32_t tag)
{
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(wait_kind(queue, TMA_KIND_SIGNAL).tag, tag + i);
}

static void expect_bytes_of_pattern(struct tma_memory *memory, uint64_t offset)
{
	uint8_t got[BYTES], want[BYTES];

	fill_pattern(want, BYTES);
	assert_int_equal(tma_copy_out(memory, offset, got, BYTES), 0);
	assert_memory_equal(got, want, BYTES);
}

/* More records than the completion ring holds; a store that nobody has committed, a load that nobody waits for. */
static void sync_on(struct tma_device *device, enum tma_front front)
{
	struct tma_queue *queue = open_front(device, 0, front);
	struct tma_memory *memory = alloc_memory(device, 4096);
	uint64_t address = tma_memory_address(memory);
	struct tma_command commands[40];
	uint8_t bytes[BYTES];

	assert_int_equal(tma_sync(queue), 0);
	fill_pattern(bytes, BYTES);
	assert_int_equal(tma_smem_write(device, BUFFER, bytes, BYTES), 0);
	SUBMIT(queue, tma_mbarrier_init(&c, MBAR, 1));
	SUBMIT(queue, tma_mbarrier_arrive_expect_tx(&c, MBAR, BYTES));
	SUBMIT(queue, tma_cp_async_bulk_store(&c, address, BUFFER, BYTES));
	assert_int_equal(tma_sync(queue), 0);
	expect_bytes_of_pattern(memory, 0);
	SUBMIT(queue, tma_cp_async_bulk_load(&c, BUFFER + BYTES, address, BYTES, MBAR));
	signals(commands, 40, 100);
	assert_int_equal(tma_submit_all(queue, commands, 40), 4);
	assert_int_equal(tma_sync(queue), 0);
	assert_int_equal(tma_wait_barrier(device, MBAR, 0, 0), 0);
	assert_int_equal(tma_smem_read(device, BUFFER + BYTES, bytes, BYTES), 0);
	for (uint32_t i = 0; i < BYTES; i++)
		assert_int_equal(bytes[i], pattern(i));

	/* New records come behind those that were kept. */
	signals(commands, 1, 140);
	assert_int_equal(tma_submit_all(queue, commands, 1), 44);
	expect_signals(queue, 41, 100);
	assert_int_equal(tma_sync(queue), 0);
	tma_queue_close(queue);
	tma_memory_free(memory);
}

static void test_sync(struct tma_device *device)
{
	if (device_info(device).clocked || host_case()->front == TMA_FRONT_DIRECT)
		sync_on(device, TMA_FRONT_DIRECT);
	sync_on(device, TMA_FRONT_RING);
}

static bool has_faulted(struct tma_queue *queue)
{
	struct tma_queue_state state = { .size = sizeof(state) };

	assert_int_equal(tma_queue_state(queue, &state), 0);
	return state.faulted;
}

/* A wait that nobody ends, and a fault between records that are kept. */
static void test_sync_stops(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_command wrong;
	struct tma_record record;

	init_barrier(queue, MBAR, 1);
	SUBMIT(queue, tma_mbarrier_try_wait_parity(&c, MBAR, 0, TMA_NO_LIMIT));
	assert_int_equal(tma_sync(queue), TMA_ETIMEDOUT);
	assert_int_equal(tma_cancel(queue), 0);
	assert_int_equal(tma_sync(queue), TMA_EFAULT);
	assert_int_equal(tma_wait(queue, &record, LIMIT), TMA_EFAULT);
	assert_int_equal(record.fault, TMA_FAULT_CANCELLED);
	assert_int_equal(tma_resume(queue, 2), 0);
	assert_int_equal(tma_sync(queue), 0);

	SUBMIT(queue, tma_signal(&c, 1));
	tma_cp_async(&wrong, 0, 0, 3);
	submit(queue, &wrong);
	assert_int_equal(tma_sync(queue), TMA_EFAULT);
	assert_int_equal(tma_sync(queue), TMA_EFAULT);
	assert_int_equal(tma_submit(queue, &wrong), TMA_EFAULT);
	expect_signals(queue, 1, 1);
	assert_int_equal(tma_wait(queue, &record, LIMIT), TMA_EFAULT);
	assert_int_equal(record.sequence, 3);
	assert_int_equal(tma_poll(queue, &record), 0);

	/* A copy that fails is the last of all: every command has left the queue, which is not idle, but has stopped. */
	assert_int_equal(tma_resume(queue, 4), 0);
	SUBMIT(queue, tma_cp_async_bulk_store(&c, NOWHERE, BUFFER, BYTES));
	assert_int_equal(tma_sync(queue), TMA_EFAULT);
	assert_int_equal(tma_wait(queue, &record, LIMIT), TMA_EFAULT);
	assert_int_equal(record.sequence, 4);
	assert_int_equal(record.fault, TMA_FAULT_WINDOW_WRITE);
	assert_int_equal(tma_sync(queue), TMA_EFAULT);

	/* A fault that is resumed before anybody has taken its record: the record comes, and stops nobody any more. */
	assert_int_equal(tma_resume(queue, 5), 0);
	submit(queue, &wrong);
	while (!has_faulted(queue))
		assert_int_equal(tma_wait_barrier(device, MBAR, 0, 10), TMA_ETIMEDOUT);
	assert_int_equal(tma_resume(queue, 6), 0);
	assert_int_equal(tma_wait(queue, &record, LIMIT), TMA_EFAULT);
	assert_int_equal(record.sequence, 5);
	assert_int_equal(tma_sync(queue), 0);
	SUBMIT(queue, tma_signal(&c, 4));
	expect_signals(queue, 1, 4);

	/* What was kept is of the life that ends. */
	SUBMIT(queue, tma_signal(&c, 2));
	assert_int_equal(tma_sync(queue), 0);
	assert_int_equal(tma_queue_reset(queue), 0);
	SUBMIT(queue, tma_signal(&c, 3));
	expect_signals(queue, 1, 3);
}

/* wait_group without a record: behind it the bytes are there. */
static void test_wait_command(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_memory *memory = alloc_memory(device, 4096);
	struct tma_record record;
	struct tma_command command;
	uint8_t bytes[BYTES];

	assert_int_equal(tma_wait_command(queue, 0, LIMIT), TMA_EINVAL);
	fill_pattern(bytes, BYTES);
	assert_int_equal(tma_smem_write(device, BUFFER, bytes, BYTES), 0);
	SUBMIT(queue, tma_cp_async_bulk_store(&c, tma_memory_address(memory), BUFFER, BYTES));
	SUBMIT(queue, tma_cp_async_bulk_commit_group(&c));
	SUBMIT(queue, tma_cp_async_bulk_wait_group(&c, 0));
	assert_int_equal(tma_wait_command(queue, 2, LIMIT), 0);
	assert_int_equal(tma_wait_command(queue, 0, 0), 0);
	assert_int_equal(tma_wait_command(queue, 3, LIMIT), TMA_EINVAL);
	assert_int_equal(tma_wait_command(queue, 0xFFFFFFFF, LIMIT), 0);
	expect_bytes_of_pattern(memory, 0);
	assert_int_equal(tma_poll(queue, &record), 0);

	SUBMIT(queue, tma_mbarrier_init(&c, MBAR, 1));
	SUBMIT(queue, tma_mbarrier_try_wait_parity(&c, MBAR, 0, TMA_NO_LIMIT));
	assert_int_equal(tma_wait_command(queue, 3, LIMIT), 0);
	assert_int_equal(tma_wait_command(queue, 4, 500), TMA_ETIMEDOUT);
	assert_int_equal(tma_queue_reset(queue), 0);
	tma_cp_async(&command, 0, 0, 3);
	submit(queue, &command);
	assert_int_equal(tma_wait_command(queue, 0, LIMIT), TMA_EFAULT);
}

static void test_wait_barrier(struct tma_device *device)
{
	struct tma_device_info info = device_info(device);
	struct tma_queue *queue = open_queue(device, 0, 1);
	uint32_t barrier = tma_shared(1, MBAR);
	struct tma_record record;

	assert_int_equal(tma_wait_barrier(device, barrier + 4, 0, 0), TMA_EINVAL);
	assert_int_equal(tma_wait_barrier(device, barrier, 2, 0), TMA_EINVAL);
	assert_int_equal(tma_wait_barrier(device, tma_shared(info.ctas, 0), 0, 0), TMA_EINVAL);
	assert_int_equal(tma_wait_barrier(device, info.smem_bytes, 0, 0), TMA_EINVAL);
	assert_int_equal(tma_smem_write(device, barrier, "\0\0\0\0\0\0\0", 8), 0);
	assert_int_equal(tma_wait_barrier(device, barrier, 1, 100), TMA_ETIMEDOUT);

	SUBMIT(queue, tma_mbarrier_init(&c, barrier, 1));
	assert_int_equal(tma_wait_barrier(device, barrier, 1, LIMIT), 0);
	assert_int_equal(tma_wait_barrier(device, barrier, 0, 100), TMA_ETIMEDOUT);
	SUBMIT(queue, tma_mbarrier_complete_tx(&c, barrier, 1));
	SUBMIT(queue, tma_mbarrier_arrive_expect_tx(&c, barrier, 1));
	assert_int_equal(tma_wait_barrier(device, barrier, 0, LIMIT), 0);
	assert_int_equal(tma_wait_barrier(device, barrier, 1, 100), TMA_ETIMEDOUT);
	assert_int_equal(tma_poll(queue, &record), 0);
}

static void test_poll_many(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_command commands[12];
	struct tma_record records[12];

	assert_int_equal(tma_poll_many(queue, records, 12), 0);
	signals(commands, 12, 0);
	commands[9].opcode = 0xEE;
	assert_int_equal(tma_submit_all(queue, commands, 12), 0);
	assert_int_equal(tma_sync(queue), TMA_EFAULT);
	assert_int_equal(tma_poll_many(queue, records, 0), 0);
	assert_int_equal(tma_poll_many(queue, records, 4), 4);
	assert_int_equal(tma_poll_many(queue, &records[4], 8), 6);
	for (uint32_t i = 0; i < 10; i++) {
		assert_int_equal(records[i].sequence, i);
		assert_int_equal(records[i].kind, i < 9 ? TMA_KIND_SIGNAL : TMA_KIND_FAULT);
	}
	assert_int_equal(tma_poll_many(queue, records, 12), 0);
	assert_int_equal(tma_resume(queue, 10), 0);
	for (uint32_t taken = 0; taken < 2;) {
		int got = tma_poll_many(queue, &records[taken], 12);

		assert_true(got >= 0);
		taken += (uint32_t)got;
	}
	assert_int_equal(records[1].sequence, 11);
}

/* The ring takes what fits, says how many those were, and how many it would take. */
static void test_submit_some(struct tma_device *device)
{
	struct tma_queue *queue = open_ring(device, 0, 16);
	struct tma_command commands[40];
	struct tma_record records[31];

	signals(commands, 40, 0);
	assert_int_equal(tma_queue_room(queue), 16);
	assert_int_equal(tma_submit_some(queue, commands, 0), 0);
	assert_int_equal(tma_submit_some(queue, commands, 40), 15 + 16);
	assert_int_equal(tma_queue_room(queue), 0);
	assert_int_equal(tma_submit_some(queue, &commands[31], 9), TMA_EFULL);
	for (uint32_t taken = 0; taken < 31;) {
		int got = tma_poll_many(queue, &records[taken], 31 - taken);

		assert_true(got >= 0);
		for (int i = 0; i < got; i++, taken++)
			assert_int_equal(records[taken].tag, taken);
	}
	assert_int_equal(tma_sync(queue), 0);
	assert_int_equal(tma_queue_room(queue), 16);
	assert_int_equal(tma_submit_some(queue, &commands[31], 9), 9);
	expect_signals(queue, 9, 31);

	commands[0].opcode = 0xEE;
	submit(queue, commands);
	assert_int_equal(tma_sync(queue), TMA_EFAULT);
	/* Until its record has been taken, a ring takes commands. */
	assert_int_equal(tma_wait(queue, records, LIMIT), TMA_EFAULT);
	assert_int_equal(tma_submit_some(queue, &commands[1], 2), TMA_EFAULT);
}

/* The engine is told of records in lots; a submit to a full ring does not wait for a whole one. */
static void test_few_records_taken(struct tma_device *device)
{
	struct tma_queue *queue = open_ring(device, 0, 16);
	struct tma_command commands[40];

	signals(commands, 40, 0);
	assert_int_equal(tma_submit_some(queue, commands, 40), 31);
	expect_signals(queue, 1, 0);
	assert_int_equal(tma_submit(queue, &commands[31]), 31);
	assert_int_equal(tma_submit(queue, &commands[32]), TMA_EFULL);
	expect_signals(queue, 2, 1);
	assert_int_equal(tma_submit_some(queue, &commands[32], 8), 2);
	expect_signals(queue, 31, 3);
}

/* A direct queue takes as many as its depth. */
static void test_room(struct tma_device *device)
{
	const struct tma_queue_options options = { .size = sizeof(options), .depth = 4 };
	struct tma_queue *queue = NULL;
	struct tma_command commands[3];

	if (host_case()->front != TMA_FRONT_DIRECT)
		return;
	assert_int_equal(tma_queue_open(device, 0, &options, &queue), 0);
	assert_int_equal(tma_queue_room(queue), 4);
	signals(commands, 3, 0);
	assert_int_equal(tma_submit_some(queue, commands, 3), 3);
	if (!device_info(device).clocked)
		assert_int_equal(tma_queue_room(queue), 1);
	expect_signals(queue, 3, 0);
	assert_int_equal(tma_queue_room(queue), 4);
}

static bool is_readable(int fd)
{
	struct pollfd wanted = { .fd = fd, .events = POLLIN };

	return poll(&wanted, 1, 0) == 1 && wanted.revents == POLLIN;
}

/* The other queue's program lets the engine go on, and so this one is told. */
static void test_event(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 0), *other = open_queue(device, 1, 0);
	int fd = tma_queue_event(queue), other_fd = tma_queue_event(other);
	struct tma_record record, records[4];

	assert_true(fd >= 0 && other_fd >= 0 && fd != other_fd);
	assert_int_equal(tma_queue_event(queue), fd);
	assert_false(is_readable(fd));
	for (uint32_t turn = 0; turn < 3; turn++) {
		SUBMIT(queue, tma_signal(&c, 1));
		SUBMIT(queue, tma_signal(&c, 2));
		assert_int_equal(tma_wait(other, &record, LIMIT / 10), TMA_ETIMEDOUT);
		assert_true(is_readable(fd));
		assert_false(is_readable(other_fd));
		assert_int_equal(wait_kind(queue, TMA_KIND_SIGNAL).tag, 1);
		assert_true(is_readable(fd));
		assert_int_equal(tma_poll_many(queue, records, 4), 1);
		assert_false(is_readable(fd));
	}
	SUBMIT(queue, tma_signal(&c, 3));
	assert_int_equal(tma_sync(queue), 0);
	assert_true(is_readable(fd));
	assert_int_equal(tma_queue_reset(queue), 0);
	assert_false(is_readable(fd));

	/* Records that came before anybody asked. */
	tma_queue_close(queue);
	queue = open_queue(device, 0, 0);
	SUBMIT(queue, tma_signal(&c, 4));
	assert_int_equal(tma_sync(queue), 0);
	fd = tma_queue_event(queue);
	assert_true(is_readable(fd));
	expect_signals(queue, 1, 4);
	assert_false(is_readable(fd));

	/* Records that are kept, and nowhere else any more. */
	init_barrier(queue, MBAR, 1);
	SUBMIT(queue, tma_signal(&c, 5));
	SUBMIT(queue, tma_mbarrier_try_wait_parity(&c, MBAR, 0, TMA_NO_LIMIT));
	assert_int_equal(tma_sync(queue), TMA_ETIMEDOUT);
	assert_true(is_readable(fd));
	expect_signals(queue, 1, 5);
	assert_false(is_readable(fd));
}

/* A tag comes back with an answer and with a fault, and asks for no record. */
static void test_set_tag(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_command command;

	SUBMIT(queue, tma_mbarrier_init(&c, MBAR, 1); tma_set_tag(&c, 1));
	SUBMIT(queue, tma_mbarrier_test_wait_parity(&c, MBAR, 0); tma_set_tag(&c, 2));
	assert_int_equal(wait_kind(queue, TMA_KIND_ANSWER).tag, 2);
	tma_cp_async(&command, 0, 0, 3);
	tma_set_tag(&command, 3);
	assert_int_equal(expect_fault(queue, &command, TMA_FAULT_CP_SIZE).tag, 3);
}

const struct host_test wait_tests[] = {
	{ "sync", test_sync },
	{ "sync_stops", test_sync_stops },
	{ "wait_command", test_wait_command },
	{ "wait_barrier", test_wait_barrier },
	{ "poll_many", test_poll_many },
	{ "submit_some", test_submit_some },
	{ "few_records_taken", test_few_records_taken },
	{ "room", test_room },
	{ "event", test_event },
	{ "set_tag", test_set_tag },
	{ 0 },
};
