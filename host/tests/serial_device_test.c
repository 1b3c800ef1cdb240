/* SPDX-License-Identifier: Apache-2.0 */
/*
 * serial_device_test - the back end "serial" as programs see it, on a stand-in for a board.
 *
 * Spec: tma.h (tma_open, tma_last_error), docs/back-ends.md ("A board on a serial line")
 * Checks: each thing that is wrong with a line or a board is TMA_EDEVICE and a line that says what it is; memory of the
 *         board and its end; copies over a noisy line; what happens when the board goes in the middle; statistics.
 */
#define _POSIX_C_SOURCE 200809L /* mkstemp() */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "serial_port.h"
#include "serial_test.h"
#include "standin/standin.h"
#include "tma.h"

static struct tma_options options_of(const struct standin *s)
{
	return (struct tma_options){ .size = sizeof(struct tma_options),
		                     .backend = "serial",
		                     .device = standin_device(s),
		                     .baud = 1000000 };
}

static struct standin *start(const struct standin_faults *faults)
{
	struct standin *s = standin_start("small", faults);

	assert_non_null(s);
	return s;
}

static void stop(struct standin *s)
{
	board_free(standin_stop(s));
}

static struct tma_device *open_good(const struct standin *s)
{
	const struct tma_options options = options_of(s);
	struct tma_device *device = NULL;

	if (tma_open(&options, &device))
		fail_msg("%s", tma_last_error());
	return device;
}

static void last_error_is(const struct standin *s, const char *function, const char *why)
{
	char expected[400];

	snprintf(expected, sizeof(expected), "%s: %s: %s", function, standin_device(s), why);
	assert_string_equal(tma_last_error(), expected);
}

static void refused(const struct standin_faults *faults, const char *why)
{
	struct standin *s = start(faults);
	const struct tma_options options = options_of(s);
	struct tma_device *device = NULL;

	assert_int_equal(tma_open(&options, &device), TMA_EDEVICE);
	assert_null(device);
	last_error_is(s, "tma_open", why);
	stop(s);
}

TEST(test_info)
{
	struct standin *s = start(&(struct standin_faults){ 0 });
	struct tma_device *device = open_good(s);
	struct tma_device_info info = { .size = sizeof(info) };

	assert_int_equal(tma_device_info(device, &info), 0);
	assert_string_equal(info.backend, "serial");
	assert_string_equal(info.config, "small");
	assert_false(info.coherent);
	assert_false(info.clocked);
	assert_true(info.memory_bytes == STANDIN_BYTES);
	assert_int_equal(standin_baud(s), 1000000);
	assert_int_equal(tma_device_check(device), 0);
	tma_close(device);
	stop(s);
}

TEST(test_wrong_boards)
{
	refused(&(struct standin_faults){ .silent_from = 1 },
	        "nobody answers at 1000000 baud: is the board configured, is that its baud?");
	refused(&(struct standin_faults){ .version = 2 },
	        "the board speaks version 2 of the line, this library version 1");
	refused(&(struct standin_faults){ .magic = 0x42414D55 }, "what answers is no board");
	refused(&(struct standin_faults){ .base = 0x80000010 },
	        "the board has 0x40000 bytes of memory at 0x80000010, which are no whole pages of 4096");
	refused(&(struct standin_faults){ .bytes = 0x40001 },
	        "the board has 0x40001 bytes of memory at 0x80000000, which are no whole pages of 4096");
	refused(&(struct standin_faults){ .base = UINT64_MAX - 4095, .bytes = 8192 },
	        "the board has 0x2000 bytes of memory at 0xfffffffffffff000, which are no whole pages of 4096");
	refused(&(struct standin_faults){ .unplug_at = 1 }, "the device has gone: Input/output error");
	refused(&(struct standin_faults){ .long_answers = true },
	        "5 bytes answer operation 0x01, not 4: that is no board");
	refused(&(struct standin_faults){ .stuck_at = 4 },
	        "the board's engine or memory is stuck; it is reset when the line is opened again");
}

/* By chance a program that was killed has asked with the same number. */
TEST(test_stale_hello)
{
	struct standin *s = start(&(struct standin_faults){ .stale_hello = true });

	tma_close(open_good(s));
	stop(s);
}

TEST(test_wrong_status)
{
	struct standin *s = start(&(struct standin_faults){ .status = SERIAL_ADDRESS });
	const struct tma_options options = options_of(s);
	struct tma_device *device;

	assert_int_equal(tma_open(&options, &device), TMA_EDEVICE);
	assert_string_equal(tma_last_error(),
	                    "tma_open: the board answers operation 0x01 with status 2, ADDRESS");
	stop(s);
	s = start(&(struct standin_faults){ .status = 77 });
	assert_int_equal(tma_open(&(struct tma_options){ .size = sizeof(options),
	                                                 .backend = "serial",
	                                                 .device = standin_device(s) },
	                          &device),
	                 TMA_EDEVICE);
	assert_string_equal(tma_last_error(), "tma_open: the board answers operation 0x01 with status 77");
	stop(s);
}

TEST(test_wrong_options)
{
	struct tma_options options = { .size = sizeof(options),
		                       .backend = "serial",
		                       .device = "/dev/no_such_line" };
	struct standin *s = start(&(struct standin_faults){ 0 });
	struct tma_device *device, *other;

	assert_int_equal(tma_open(&options, &device), TMA_EDEVICE);
	assert_string_equal(tma_last_error(),
	                    "tma_open: /dev/no_such_line: there is no such device: is the board plugged in?");
	options.baud = 1;
	assert_int_equal(tma_open(&options, &device), TMA_EINVAL);
	assert_string_equal(tma_last_error(), "tma_open: baud = 1: must be 300 to 100000000");
	options = options_of(s);
	options.config = "default";
	assert_int_equal(tma_open(&options, &device), TMA_ECONFIG);
	assert_string_equal(tma_last_error(), "tma_open: config = \"default\": this engine is \"small\"");
	device = open_good(s);
	options.config = NULL;
	assert_int_equal(tma_open(&options, &other), TMA_EDEVICE);
	last_error_is(s, "tma_open", "is in use by another program");
	tma_close(device);
	tma_close(open_good(s));
	stop(s);
}

/* A stuck board is of use again when it is opened again. */
TEST(test_stuck)
{
	struct standin *s = start(&(struct standin_faults){ .stuck_at = 60 });
	struct tma_device *device = open_good(s);
	uint32_t word = 0;
	int error = 0, i;

	for (i = 0; i < 60 && !error; i++)
		error = tma_smem_write(device, tma_shared(0, 0), &word, 4);
	assert_int_equal(error, TMA_EDEVICE);
	last_error_is(s, "tma_smem_write",
	              "the board's engine or memory is stuck; it is reset when the line is opened again");
	assert_int_equal(tma_device_check(device), TMA_EDEVICE);
	last_error_is(s, "tma_device_check",
	              "the board's engine or memory is stuck; it is reset when the line is opened again");
	tma_close(device);
	device = open_good(s);
	assert_int_equal(tma_smem_write(device, tma_shared(0, 0), &word, 4), 0);
	tma_close(device);
	stop(s);
}

TEST(test_memory)
{
	struct standin *s = start(&(struct standin_faults){ .data_bytes = 100 });
	struct tma_device *device = open_good(s);
	struct tma_memory *first, *second, *none;
	uint8_t bytes[5000], back[5000];
	size_t i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(7 * i + (i >> 8));
	assert_int_equal(tma_memory_alloc(device, 5000, &first), 0);
	assert_int_equal(tma_memory_alloc(device, 1, &second), 0);
	/* A page is free behind each. */
	assert_true(tma_memory_address(first) == STANDIN_BASE);
	assert_true(tma_memory_address(second) == STANDIN_BASE + 3 * 4096);
	assert_int_equal(tma_memory_alloc(device, STANDIN_BYTES - 4 * 4096, &none), TMA_ENOSPC);
	assert_int_equal(tma_memory_alloc(device, STANDIN_BYTES - 5 * 4096, &none), 0);
	assert_int_equal(tma_memory_alloc(device, 1, &none), TMA_ENOSPC);
	assert_int_equal(tma_copy_in(first, 0, bytes, sizeof(bytes)), 0);
	memset(tma_memory_host(first), 0, sizeof(bytes));
	assert_int_equal(tma_copy_out(first, 3, back, 4000), 0);
	assert_memory_equal(back, bytes + 3, 4000);
	/* The other one is not what was there before. */
	assert_int_equal(tma_copy_out(second, 0, back, 1), 0);
	assert_int_equal(back[0], 0);
	tma_memory_free(first);
	tma_memory_free(second);
	assert_int_equal(tma_memory_alloc(device, 5 * 4096, &none), TMA_ENOSPC);
	assert_int_equal(tma_memory_alloc(device, 4 * 4096, &first), 0);
	assert_true(tma_memory_address(first) == STANDIN_BASE);
	tma_close(device);
	stop(s);
}

/* The sum of gaps is enough, and none of them is. */
TEST(test_gaps)
{
	struct standin *s = start(&(struct standin_faults){ 0 });
	struct tma_device *device = open_good(s);
	struct tma_memory *a, *b, *none;

	assert_int_equal(tma_memory_alloc(device, STANDIN_BYTES / 4, &a), 0);
	assert_int_equal(tma_memory_alloc(device, STANDIN_BYTES / 2 - 4096, &b), 0);
	tma_memory_free(a);
	assert_int_equal(tma_memory_alloc(device, STANDIN_BYTES / 2, &none), TMA_ENOSPC);
	assert_string_equal(
		tma_last_error(),
		"tma_memory_alloc: 131072 bytes: the board has 262144, and no gap of that size is left");
	tma_close(device);
	stop(s);
}

/* From global to shared memory, and back to another place. */
static int copy_there_and_back(struct tma_device *device)
{
	const struct tma_queue_options ring = {
		.size = sizeof(ring), .front = TMA_FRONT_RING, .ring_slots = 16, .record_slots = 16
	};
	uint8_t bytes[4096], back[sizeof(bytes)];
	struct tma_command program[7], *c = program;
	struct tma_memory *from, *to;
	struct tma_queue *queue;
	struct tma_record record;
	int64_t error;
	size_t i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(31 * i + (i >> 7));
	error = tma_memory_alloc(device, sizeof(bytes), &from);
	error = error < 0 ? error : tma_memory_alloc(device, sizeof(bytes), &to);
	error = error < 0 ? error : tma_copy_in(from, 0, bytes, sizeof(bytes));
	error = error < 0 ? error : tma_queue_open(device, 0, &ring, &queue);
	if (error < 0)
		return (int)error;
	tma_mbarrier_init(c++, 0, 1);
	tma_mbarrier_arrive_expect_tx(c++, 0, sizeof(bytes));
	tma_cp_async_bulk_load(c++, 1024, tma_memory_address(from), sizeof(bytes), 0);
	tma_mbarrier_try_wait_parity(c++, 0, 0, TMA_NO_LIMIT);
	tma_cp_async_bulk_store(c++, tma_memory_address(to), 1024, sizeof(bytes));
	tma_cp_async_bulk_commit_group(c++);
	tma_cp_async_bulk_wait_group(c++, 0);
	tma_set_record(c - 1, 7);
	error = tma_submit_all(queue, program, 7);
	for (i = 0; i < 2 && error >= 0; i++)
		error = tma_wait(queue, &record, 100000);
	error = error < 0 ? error : tma_copy_out(to, 0, back, sizeof(back));
	if (error >= 0)
		assert_memory_equal(back, bytes, sizeof(bytes));
	return (int)error;
}

TEST(test_noise)
{
	uint64_t seed;

	for (seed = 1; seed < 6; seed++) {
		struct standin *s = start(&(struct standin_faults){
			.seed = seed, .lose = 20, .flip = 20, .twice = 20, .twice_answers = 5 });
		struct tma_device *device = open_good(s);

		if (copy_there_and_back(device))
			fail_msg("%s", tma_last_error());
		assert_int_equal(tma_device_check(device), 0);
		tma_close(device);
		stop(s);
	}
}

/* Whenever it goes, the call at hand says so, and so do the others; nothing hangs. */
TEST(test_unplugged_anywhere)
{
	uint32_t at;

	for (at = 45; at < 140; at += 3) {
		struct standin *s = start(&(struct standin_faults){ .unplug_at = at });
		struct tma_device *device = open_good(s);
		uint64_t begin = serial_now();

		if (!copy_there_and_back(device)) {
			tma_close(device);
			stop(s);
			assert_true(at > 60);
			break;
		}
		assert_non_null(strstr(tma_last_error(), ": the device has gone: Input/output error"));
		assert_int_equal(tma_device_check(device), TMA_EDEVICE);
		last_error_is(s, "tma_device_check", "the device has gone: Input/output error");
		tma_close(device);
		assert_true(serial_now() - begin < 5000000);
		stop(s);
	}
}

TEST(test_statistics)
{
	char path[] = "/tmp/serial_device_test.XXXXXX", line[512] = "";
	int file = mkstemp(path);
	struct standin *s = start(&(struct standin_faults){ 0 });
	unsigned long long requests, out, in;
	FILE *text;

	assert_true(file >= 0);
	setenv("TMA_SERIAL_STATS", path, 1);
	tma_close(open_good(s));
	unsetenv("TMA_SERIAL_STATS");
	stop(s);
	text = fdopen(file, "r");
	assert_non_null(text);
	assert_non_null(fgets(line, sizeof(line), text));
	assert_int_equal(sscanf(line, "%llu requests, %llu bytes out, %llu in,", &requests, &out, &in), 3);
	assert_true(requests > 10 && out > 10 * requests && in > 9 * requests);
	assert_non_null(strstr(
		line,
		" bytes/s; 0 sent again, 0 of them after silence; answers: 0 damaged, 0 old; requests: 0 damaged\n"));
	fclose(text);
	unlink(path);
}

int run_serial_device_tests(void)
{
	return run_file_tests("serial back end");
}
