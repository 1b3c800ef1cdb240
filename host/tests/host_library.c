/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_library - what does not depend on an engine: options of tma_open(), texts, broken and old engines.
 *
 * Spec: tma.h
 * Checks: sizes of option structs, unknown names, error and fault texts of any room,
 *         records that are lost, queues that do not close.
 */
#include <string.h>

#include "host_test.h"

static int try_open(struct tma_options options)
{
	struct tma_device *device = NULL;
	int error;

	options.backends = host_backends();
	error = tma_open(&options, &device);
	assert_int_equal(device != NULL, error == 0);
	tma_close(device);
	return error;
}

TEST(test_open)
{
	struct tma_device *device = NULL;
	struct tma_options none = { .size = sizeof(none) };

	assert_int_equal(tma_open(NULL, &device), 0);
	assert_string_equal(device_info(device).backend, "model");
	assert_string_equal(device_info(device).config, "default");
	tma_close(device);
	tma_close(NULL);
	assert_int_equal(try_open(none), 0);
	assert_int_equal(try_open((struct tma_options){ .size = sizeof(none), .backend = "staged" }), 0);
	assert_int_equal(try_open((struct tma_options){ .size = sizeof(none), .backend = "" }), TMA_EBACKEND);
	assert_int_equal(try_open((struct tma_options){ .size = sizeof(none), .backend = "rtl8" }),
	                 TMA_EBACKEND);
	assert_int_equal(try_open((struct tma_options){ .size = sizeof(none), .config = "tiny" }),
	                 TMA_ECONFIG);
	none.backend = "staged";
	assert_int_equal(tma_open(&none, &device), TMA_EBACKEND); /* without the table */
}

/* A program built with a newer header: its new members are fine while they are zero. */
TEST(test_option_sizes)
{
	struct {
		struct tma_options options;
		uint64_t newer;
	} big = { .options.size = sizeof(big) };
	struct tma_device *device = NULL;

	assert_int_equal(tma_open(&big.options, &device), 0);
	tma_close(device);
	big.newer = 1;
	assert_int_equal(tma_open(&big.options, &device), TMA_ESIZE);
	assert_int_equal(try_open((struct tma_options){ .size = 0 }), TMA_ESIZE);
	assert_int_equal(try_open((struct tma_options){ .size = sizeof(struct tma_options) - 8 }), TMA_ESIZE);
}

static struct tma_device *open_backend(const char *name)
{
	return open_device(&(struct host_case){ .backend = name });
}

/* An engine that has no tensor copies says so, and has no choices about them. */
TEST(test_older_engine)
{
	struct tma_device *device = open_backend("older");
	struct tma_device_info info = device_info(device);

	assert_int_equal(info.abi_minor, 1);
	assert_false(info.tensor);
	assert_false(info.packed);
	assert_int_equal(info.maps, 0);
	assert_int_equal(tma_set_behaviour(device, 0), TMA_ENOTSUP);
	tma_close(device);
}

/* A limit that is no limit: sizes that wrap around are refused all the same. */
TEST(test_huge_memory)
{
	const struct tma_options options = { .size = sizeof(options), .memory_bytes = UINT64_MAX };
	struct tma_device *device;
	struct tma_memory *memory;

	assert_int_equal(tma_open(&options, &device), 0);
	assert_int_equal(tma_memory_alloc(device, UINT64_MAX, &memory), TMA_ENOSPC);
	assert_int_equal(tma_memory_alloc(device, UINT64_MAX - 5000, &memory), TMA_ENOSPC);
	alloc_memory(device, 1);
	tma_close(device);
}

TEST(test_strerror)
{
	const char *unknown = tma_strerror(-1000);

	for (int error = TMA_ENOTSUP; error <= TMA_OK; error++)
		assert_string_not_equal(tma_strerror(error), unknown);
	assert_string_equal(tma_strerror(TMA_ENOTSUP - 1), unknown);
	assert_string_equal(tma_strerror(1), unknown);
}

/* Cut where the room ends, and the length of the whole all the same. */
TEST(test_text_room)
{
	const struct tma_record record = {
		.kind = TMA_KIND_FAULT,
		.queue = 2,
		.sequence = 17,
		.tag = 5,
		.fault = TMA_FAULT_SIZE_GRANULE,
		.address = 0x31,
	};
	const char *whole = "queue 2, command 17 (tag 0x5): SIZE_GRANULE: the size must be a multiple "
			    "of 16 bytes; size = 49 (F04)";
	char text[200];

	for (size_t room = 0; room <= strlen(whole) + 1; room++) {
		memset(text, '#', sizeof(text));
		assert_int_equal(tma_fault_text(NULL, &record, text, room), strlen(whole));
		assert_true(text[room] == '#');
		if (room) {
			assert_int_equal(strlen(text), room - 1);
			assert_memory_equal(text, whole, room - 1);
		}
	}
	assert_int_equal(tma_fault_text(NULL, &record, NULL, 0), strlen(whole));
}

TEST(test_text_unknown)
{
	const struct tma_record record = { .kind = TMA_KIND_FAULT, .fault = 0x7777, .address = 0x10 };
	char text[200];

	tma_fault_text(NULL, &record, text, sizeof(text));
	assert_string_equal(text, "queue 0, command 0 (tag 0x0): unknown fault 0x7777, address = 0x10");
}

/* A fault of a command that was submitted too long ago is not given another one's name. */
TEST(test_text_history)
{
	struct tma_record record = { .kind = TMA_KIND_FAULT, .fault = TMA_FAULT_READ_SLVERR };
	struct tma_device *device;
	struct tma_queue *queue;
	struct tma_command command;
	char text[200];

	assert_int_equal(tma_open(NULL, &device), 0);
	queue = open_queue(device, 0, 0);
	SUBMIT(queue, tma_cp_async_bulk_commit_group(&c));
	tma_fault_text(queue, &record, text, sizeof(text));
	assert_non_null(strstr(text, "; PTX: cp.async.bulk.commit_group;"));
	tma_cp_async_bulk_wait_group(&command, 0);
	for (int i = 0; i < 4095; i++)
		submit(queue, &command);
	tma_fault_text(queue, &record, text, sizeof(text));
	assert_non_null(strstr(text, "command 0 (BULK_COMMIT_GROUP, tag"));
	submit(queue, &command);
	tma_fault_text(queue, &record, text, sizeof(text));
	assert_non_null(strstr(text, "command 0 (tag"));
	assert_null(strstr(text, "PTX"));
	record.sequence = 4097;
	tma_fault_text(queue, &record, text, sizeof(text));
	assert_non_null(strstr(text, "command 4097 (tag"));
	tma_close(device);
}

/* No record can be written: faults are told from the registers, once each, and RESUME goes on behind
 * the record that is lost. */
TEST(test_lost_records)
{
	struct tma_device *device = open_backend("astray");
	struct tma_record record;
	struct tma_command command;
	struct tma_queue *queue = open_ring(device, 0, 16);

	for (uint32_t i = 0; i < 40; i++) {
		tma_signal(&command, 100 + i);
		assert_int_equal(tma_submit(queue, &command), i);
		assert_int_equal(tma_wait(queue, &record, 1000), TMA_EFAULT);
		assert_int_equal(record.fault, TMA_FAULT_COMPLETION_DECERR);
		assert_int_equal(record.sequence, i);
		assert_int_equal(record.tag, 100 + i);
		assert_int_equal(tma_wait(queue, &record, 1000), TMA_ETIMEDOUT);
		assert_int_equal(tma_resume(queue, i + 1), 0);
	}
	/* A fault of another kind, whose record is lost. */
	command.opcode = 0xEE;
	assert_int_equal(tma_submit(queue, &command), 40);
	assert_int_equal(tma_wait(queue, &record, 1000), TMA_EFAULT);
	assert_int_equal(record.fault, TMA_FAULT_UNKNOWN_OPCODE);
	assert_int_equal(tma_queue_reset(queue), 0);
	tma_close(device);
}

/* A queue that does not close: its rings must stay, and the device says that something is wrong. */
TEST(test_never_closes)
{
	struct tma_device *device = open_backend("endless");

	tma_queue_close(open_ring(device, 1, 16));
	assert_int_equal(tma_device_check(device), 0);
	tma_queue_close(open_ring(device, 0, 16));
	assert_int_equal(tma_device_check(device), TMA_EDEVICE);
	tma_close(device);
}

int run_library_tests(void)
{
	return run_file_tests("library");
}
