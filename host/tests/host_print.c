/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_print - commands, records, registers and whole devices in words.
 *
 * Spec: tma_print.h, tma_command.h, docs/gen/registers.md
 * Checks: every command word by word; records of every kind; every register by its name and back; names that are
 *         none; a dump line by line; texts that are cut.
 */
#include <stdio.h>
#include <string.h>

#include "host_test.h"
#include "tma_print.h"

#define MBAR 0x40u

static void expect_command(const struct tma_command *command, const char *expected)
{
	char text[400], cut[10];

	assert_int_equal(tma_command_text(command, text, sizeof(text)), strlen(expected));
	assert_string_equal(text, expected);
	assert_int_equal(tma_command_text(command, NULL, 0), strlen(expected));
	assert_int_equal(tma_command_text(command, cut, sizeof(cut)), strlen(expected));
	assert_int_equal(strlen(cut), sizeof(cut) - 1);
	assert_memory_equal(cut, expected, sizeof(cut) - 1);
}

#define COMMAND(build, expected)              \
	do {                                  \
		struct tma_command c;         \
		build;                        \
		expect_command(&c, expected); \
	} while (0)

TEST(test_bulk_commands)
{
	COMMAND(tma_cp_async_bulk_load(&c, tma_shared(1, 0x400), 0x100000000, 256, tma_shared(1, MBAR)),
	        "BULK_LOAD, dst = CTA 1 offset 0x400, src = 0x100000000, size = 256, mbar = CTA 1 offset 0x40, tag 0x0");
	COMMAND(tma_cp_async_bulk_load_multicast(&c, 0x400, 0x100000000, 256, MBAR, 5);
	        tma_set_cache_hint(&c, UINT64_C(0x12F0000000000000));
	        tma_set_record(&c, 9),
	        "BULK_LOAD, dst = CTA 0 offset 0x400, src = 0x100000000, size = 256, mbar = CTA 0 offset 0x40, "
	        "cta_mask = 0x5, RECORD, MULTICAST, CACHE_HINT, policy = 0x12f0000000000000, tag 0x9");
	COMMAND(tma_cp_async_bulk_store_masked(&c, 0x100000000, 0x400, 64, 0x00FF),
	        "BULK_STORE, dst = 0x100000000, src = CTA 0 offset 0x400, size = 64, byte_mask = 0x00ff, CP_MASK, tag 0x0");
	COMMAND(tma_cp_async_bulk_shared(&c, tma_shared(1, 0x800), 0x400, 64, tma_shared(1, MBAR)),
	        "BULK_SHARED, dst = CTA 1 offset 0x800, src = CTA 0 offset 0x400, size = 64, mbar = CTA 1 offset 0x40, tag 0x0");
	COMMAND(tma_cp_async_bulk_prefetch(&c, 0x1000, 4294967280),
	        "BULK_PREFETCH, src = 0x1000, size = 4294967280, tag 0x0");
	COMMAND(tma_multimem_cp_async_bulk(&c, 0x1000, 0x400, 64),
	        "MULTIMEM_BULK_STORE, dst = 0x1000, src = CTA 0 offset 0x400, size = 64, tag 0x0");
	COMMAND(tma_cp_reduce_async_bulk(&c, TMA_REDUCE_ADD, TMA_TYPE_BF16, 0x1000, 0x400, 64),
	        "BULK_REDUCE, op = add, type = bf16, dst = 0x1000, src = CTA 0 offset 0x400, size = 64, tag 0x0");
	COMMAND(tma_cp_reduce_async_bulk_shared(&c, TMA_REDUCE_XOR, TMA_TYPE_B32, 0x800, 0x400, 64, MBAR),
	        "BULK_REDUCE_SHARED, op = xor, type = b32, dst = CTA 0 offset 0x800, src = CTA 0 offset 0x400, size = 64, "
	        "mbar = CTA 0 offset 0x40, tag 0x0");
	COMMAND(tma_multimem_cp_reduce_async_bulk(&c, TMA_REDUCE_MAX, TMA_TYPE_S64, 0x1000, 0x400, 64),
	        "MULTIMEM_BULK_REDUCE, op = max, type = s64, dst = 0x1000, src = CTA 0 offset 0x400, size = 64, tag 0x0");
	COMMAND(tma_cp_async_bulk_commit_group(&c), "BULK_COMMIT_GROUP, tag 0x0");
	COMMAND(tma_cp_async_bulk_wait_group_read(&c, 3), "BULK_WAIT_GROUP, n = 3, READ, tag 0x0");
}

TEST(test_tensor_commands)
{
	static const int32_t coord[] = { -3, 8, 0, 2147483647, -2147483647 };
	static const uint16_t im2col[] = { 1, 2, 65535 };

	COMMAND(tma_cp_async_bulk_tensor_load(&c, TMA_MODE_TILE, 2, 0x400, 0x1000, coord, MBAR, NULL),
	        "TENSOR_LOAD, dst = CTA 0 offset 0x400, mode = tile 2d, map = 0x1000, coord = {-3, 8}, mbar = CTA 0 offset "
	        "0x40, tag 0x0");
	COMMAND(tma_cp_async_bulk_tensor_load(&c, TMA_MODE_GATHER4, 2, 0x400, 0x1000, coord, MBAR, NULL);
	        tma_set_multicast(&c, 3);
	        tma_set_cta_group_2(&c),
	        "TENSOR_LOAD, dst = CTA 0 offset 0x400, mode = tile::gather4 2d, map = 0x1000, coord = {-3, 8, 0, 2147483647, "
	        "-2147483647}, mbar = CTA 0 offset 0x40, cta_mask = 0x3, MULTICAST, CTA_GROUP_2, tag 0x0");
	COMMAND(tma_cp_async_bulk_tensor_load(&c, TMA_MODE_IM2COL, 4, 0x400, 0x1000, coord, MBAR, im2col),
	        "TENSOR_LOAD, dst = CTA 0 offset 0x400, mode = im2col 4d, map = 0x1000, coord = {-3, 8, 0, 2147483647}, mbar = "
	        "CTA 0 offset 0x40, im2col = {1, 2}, tag 0x0");
	COMMAND(tma_cp_async_bulk_prefetch_tensor(&c, TMA_MODE_IM2COL_W_128, 3, 0x1000, coord, im2col),
	        "TENSOR_PREFETCH, mode = im2col::w::128 3d, map = 0x1000, coord = {-3, 8, 0}, im2col = {1, 2}, tag 0x0");
	COMMAND(tma_cp_async_bulk_tensor_store(&c, TMA_MODE_SCATTER4, 2, 0x1000, coord, 0x400),
	        "TENSOR_STORE, mode = tile::scatter4 2d, map = 0x1000, coord = {-3, 8, 0, 2147483647, -2147483647}, src = CTA 0 "
	        "offset 0x400, tag 0x0");
	COMMAND(tma_cp_reduce_async_bulk_tensor(&c, TMA_REDUCE_MIN, TMA_MODE_IM2COL_NO_OFFS, 3, 0x1000, coord,
	                                        0x400),
	        "TENSOR_REDUCE, op = min, mode = im2col_no_offs 3d, map = 0x1000, coord = {-3, 8, 0}, src = CTA 0 offset 0x400, "
	        "tag 0x0");
	COMMAND(tma_prefetch_tensormap(&c, 0x1000), "PREFETCH_TENSORMAP, map = 0x1000, tag 0x0");
	COMMAND(tma_fence_proxy_tensormap(&c, 0x1000), "MAP_FENCE, map = 0x1000, tag 0x0");
}

TEST(test_cp_async_commands)
{
	COMMAND(tma_cp_async(&c, 0x400, 0x1000, 16); tma_set_cg(&c);
	        tma_set_l2_prefetch(&c, TMA_L2_256B),
	        "CP_ASYNC, dst = CTA 0 offset 0x400, src = 0x1000, cp_size = 16, l2_prefetch = 256, CG, tag 0x0");
	COMMAND(tma_cp_async_src_size(&c, 0x400, 0x1000, 8, 3),
	        "CP_ASYNC, dst = CTA 0 offset 0x400, src = 0x1000, cp_size = 8, src_size = 3, SRC_SIZE, tag 0x0");
	COMMAND(tma_cp_async_ignore_src(&c, 0x400, 0x1000, 8, true),
	        "CP_ASYNC, dst = CTA 0 offset 0x400, src = 0x1000, cp_size = 8, IGNORE_SRC, tag 0x0");
	COMMAND(tma_cp_async_commit_group(&c), "CP_ASYNC_COMMIT_GROUP, tag 0x0");
	COMMAND(tma_cp_async_wait_group(&c, 1), "CP_ASYNC_WAIT_GROUP, n = 1, tag 0x0");
	COMMAND(tma_cp_async_wait_all(&c), "CP_ASYNC_WAIT_ALL, tag 0x0");
	COMMAND(tma_cp_async_mbarrier_arrive_noinc(&c, MBAR),
	        "CP_ASYNC_MBARRIER_ARRIVE, mbar = CTA 0 offset 0x40, NOINC, tag 0x0");
}

TEST(test_barrier_commands)
{
	COMMAND(tma_mbarrier_init(&c, MBAR, 3),
	        "MBARRIER_INIT, mbar = CTA 0 offset 0x40, count = 3, tag 0x0");
	COMMAND(tma_mbarrier_inval(&c, MBAR), "MBARRIER_INVAL, mbar = CTA 0 offset 0x40, tag 0x0");
	COMMAND(tma_mbarrier_expect_tx(&c, MBAR, 64),
	        "MBARRIER_EXPECT_TX, mbar = CTA 0 offset 0x40, tx = 64, tag 0x0");
	COMMAND(tma_mbarrier_complete_tx(&c, MBAR, 64),
	        "MBARRIER_COMPLETE_TX, mbar = CTA 0 offset 0x40, tx = 64, tag 0x0");
	COMMAND(tma_mbarrier_arrive_drop(&c, MBAR, 2),
	        "MBARRIER_ARRIVE, mbar = CTA 0 offset 0x40, count = 2, DROP, tag 0x0");
	COMMAND(tma_mbarrier_arrive_expect_tx(&c, MBAR, 64),
	        "MBARRIER_ARRIVE, mbar = CTA 0 offset 0x40, tx = 64, EXPECT_TX, tag 0x0");
	COMMAND(tma_mbarrier_pending_count(&c, 0x100005),
	        "MBARRIER_PENDING_COUNT, state = 0x100005, tag 0x0");
	COMMAND(tma_mbarrier_test_wait_last(&c, MBAR),
	        "MBARRIER_TEST_WAIT, mbar = CTA 0 offset 0x40, LAST_STATE, tag 0x0");
	COMMAND(tma_mbarrier_try_wait(&c, MBAR, 0x100005, 1000),
	        "MBARRIER_TRY_WAIT, mbar = CTA 0 offset 0x40, state = 0x100005, limit = 1000, tag 0x0");
	COMMAND(tma_mbarrier_try_wait_parity(&c, MBAR, 1, TMA_NO_LIMIT);
	        tma_set_tag(&c, 0xabc),
	        "MBARRIER_TRY_WAIT, mbar = CTA 0 offset 0x40, parity = 1, limit = none, PARITY, tag 0xabc");
	COMMAND(tma_signal(&c, 7), "SIGNAL, tag 0x7");
	COMMAND(tma_cancel_queue(&c, 3), "CANCEL, queue = 3, tag 0x0");
}

/* Commands that no function builds. */
TEST(test_wrong_commands)
{
	COMMAND(tma_signal(&c, 7); c.opcode = 0xEE, "unknown opcode 0xee, tag 0x7");
	COMMAND(tma_signal(&c, 7); c.size = 1, "SIGNAL, tag 0x7; bits are set that the command does not use");
	COMMAND(tma_signal(&c, 7); c.version = 3, "SIGNAL, tag 0x7; version 3 is not 1");
	COMMAND(tma_cp_reduce_async_bulk(&c, (enum tma_reduce)77, (enum tma_type)78, 0, 0, 16),
	        "BULK_REDUCE, op = none, type = none, dst = 0x0, src = CTA 0 offset 0x0, size = 16, tag 0x0");
	COMMAND(tma_prefetch_tensormap(&c, 0); c.opcode = TMA_TENSOR_STORE; c.mode = 99;
	        c.dim = 9,
	        "TENSOR_STORE, mode = none 9d, map = 0x0, coord = {0, 0, 0, 0, 0}, src = CTA 0 offset 0x0, tag 0x0");
	assert_int_equal(tma_command_text(NULL, NULL, 0), TMA_EINVAL);
	assert_int_equal(tma_command_text(&(struct tma_command){ 0 }, NULL, 5), TMA_EINVAL);
}

static void expect_record(const struct tma_record *record, const char *expected)
{
	char text[300];

	assert_int_equal(tma_record_text(record, text, sizeof(text)), strlen(expected));
	assert_string_equal(text, expected);
}

TEST(test_records)
{
	struct tma_record record = { .sequence = 17, .queue = 2, .tag = 5, .kind = TMA_KIND_RETIRED };

	expect_record(&record, "queue 2, command 17 (tag 0x5): has left the queue");
	record.kind = TMA_KIND_SIGNAL;
	expect_record(&record, "queue 2, command 17 (tag 0x5): signal");
	record.kind = TMA_KIND_ANSWER;
	record.value = 0x100005;
	expect_record(&record, "queue 2, command 17 (tag 0x5): answers 0x100005");
	record.kind = 9;
	expect_record(&record, "queue 2, command 17 (tag 0x5): unknown kind 9");
	record.kind = TMA_KIND_FAULT;
	record.fault = TMA_FAULT_SIZE_GRANULE;
	record.address = 0x31;
	expect_record(
		&record,
		"queue 2, command 17 (tag 0x5): SIZE_GRANULE: the size must be a multiple of 16 bytes; size "
		"= 49 (F04)");
	assert_int_equal(tma_record_text(NULL, NULL, 0), TMA_EINVAL);
	assert_int_equal(tma_record_text(&record, NULL, 1), TMA_EINVAL);
}

static void expect_register(uint32_t address, const char *name)
{
	char text[64];
	uint32_t found = 1;

	assert_int_equal(tma_register_name(address, text, sizeof(text)), strlen(name));
	assert_string_equal(text, name);
	assert_int_equal(tma_register_find(name, &found), 0);
	assert_int_equal(found, address);
}

/* Names that are written out, and every register's name back to its address. */
TEST(test_register_names)
{
	uint32_t address, found = 1, count = 0;
	char text[64];

	expect_register(TMA_REG_MAGIC, "MAGIC");
	expect_register(TMA_REG_STATUS, "STATUS");
	expect_register(TMA_REG_CAP(3), "CAP[3]");
	expect_register(TMA_REG_MULTIMEM_PORT_BASE_HI, "MULTIMEM_PORT_BASE_HI");
	expect_register(TMA_REG_COUNTER_LO(TMA_COUNTER_COMMANDS), "COUNTER[COMMANDS].LO");
	expect_register(TMA_REG_COUNTER_HI(TMA_COUNTER_READ_BEATS), "COUNTER[READ_BEATS].HI");
	expect_register(TMA_REG_QUEUE_STATUS(2), "QUEUE[2].STATUS");
	expect_register(TMA_REG_QUEUE_CANCEL_MASK(15), "QUEUE[15].CANCEL_MASK");
	expect_register(TMA_REG_DOOR_TAIL(0), "DOOR[0].TAIL");
	expect_register(TMA_REG_DOOR_CANCEL(15), "DOOR[15].CANCEL");
	assert_int_equal(tma_register_find("COUNTER[1].LO", &found), 0);
	assert_int_equal(found, TMA_REG_COUNTER_LO(1));

	for (address = 0; address < 0x20000; address++) {
		if (tma_register_name(address, text, sizeof(text)) == TMA_EINVAL)
			continue;
		assert_int_equal(tma_register_find(text, &found), 0);
		assert_int_equal(found, address);
		assert_int_equal(address % 4, 0);
		count++;
	}
	/* Page 0 up to the counters, these, the queues, their doors: docs/gen/registers.md. */
	assert_int_equal(count,
	                 25 + 2 * TMA_REG_COUNTER_COUNT + 16 * TMA_REG_QUEUE_COUNT + 15 * TMA_REG_DOOR_COUNT);
}

TEST(test_wrong_registers)
{
	static const char *const wrong[] = { "",
		                             "status",
		                             "STATUSX",
		                             "CAP",
		                             "CAP[4]",
		                             "CAP[]",
		                             "CAP[1",
		                             "CAP[-1]",
		                             "CAP[ 1]",
		                             "CAP[1].LO",
		                             "QUEUE.STATUS",
		                             "QUEUE[16].STATUS",
		                             "QUEUE[1]",
		                             "QUEUE[1]STATUS",
		                             "QUEUE[1].",
		                             "QUEUE[1].TAIL",
		                             "COUNTER[X].LO",
		                             "COUNTER[14].LO",
		                             "DOOR[4294967296].TAIL" };
	char text[8];
	uint32_t address = 7;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(tma_register_find(wrong[i], &address), TMA_EINVAL);
	assert_int_equal(tma_register_find(NULL, &address), TMA_EINVAL);
	assert_int_equal(tma_register_find("STATUS", NULL), TMA_EINVAL);
	assert_int_equal(address, 7);
	assert_int_equal(tma_register_name(0, text, sizeof(text)), TMA_EINVAL);
	assert_int_equal(tma_register_name(TMA_REG_STATUS + 2, text, sizeof(text)), TMA_EINVAL);
	assert_int_equal(tma_register_name(TMA_REG_STATUS, NULL, 1), TMA_EINVAL);
	assert_int_equal(tma_register_text(0, 0, text, sizeof(text)), TMA_EINVAL);
	assert_int_equal(tma_register_text(TMA_REG_STATUS, 0, NULL, 1), TMA_EINVAL);
}

TEST(test_register_texts)
{
	char text[200];

	tma_register_text(TMA_REG_QUEUE_STATUS(2), 5, text, sizeof(text));
	assert_string_equal(
		text,
		"QUEUE[2].STATUS = 0x00000005: busy 0x1, faulted 0x0, waiting 0x1, full 0x0, closing 0x0");
	tma_register_text(TMA_REG_QUEUE_CTA(0), 0x000F0003, text, sizeof(text));
	assert_string_equal(text, "QUEUE[0].CTA = 0x000f0003: cta 0x3, cta_mask 0xf");
	tma_register_text(TMA_REG_MAGIC, 0x31414D54, text, sizeof(text));
	assert_string_equal(text, "MAGIC = 0x31414d54");
	assert_int_equal(tma_register_text(TMA_REG_MAGIC, 0, text, 4), strlen("MAGIC = 0x00000000"));
	assert_string_equal(text, "MAG");
}

/* What the device writes about itself, without the line of versions. */
static void dump(struct tma_device *device, char *text, size_t size)
{
	FILE *file = tmpfile();
	size_t length;

	assert_non_null(file);
	assert_int_equal(tma_dump(device, file), 0);
	rewind(file);
	length = fread(text, 1, size - 1, file);
	text[length] = '\0';
	fclose(file);
}

TEST(test_dump)
{
	struct tma_device *device =
		open_device(&(struct host_case){ .backend = "model", .config = "default" });
	struct tma_multimem_object *multimem = NULL;
	struct tma_queue *direct = open_queue(device, 1, 0), *ring = open_ring(device, 3, 16);
	struct tma_record record;
	char text[4000];
	const char *body;

	assert_int_equal(tma_multimem_open(device, 5000, 0, &multimem), 0);
	SUBMIT(direct, tma_signal(&c, 1));
	SUBMIT(ring, tma_signal(&c, 2));
	SUBMIT(ring, tma_signal(&c, 3));
	assert_int_equal(tma_wait(direct, &record, 10), 0);
	assert_int_equal(tma_sync(ring), 0);
	SUBMIT(direct, tma_cp_async_bulk_commit_group(&c));
	dump(device, text, sizeof(text));
	body = strchr(text, '\n');
	assert_non_null(body);
	assert_string_equal(
		body + 1,
		"  4 CTAs of 65536 bytes, 8 queues of 4 windows, 2 ports of 64 bytes, 2 multimem windows\n"
		"  tensor copies yes, padded types yes, reductions no, of floats no, of f64 no, maps kept 4\n"
		"counters\n"
		"  COMMANDS                            3\n"
		"  SIGNALS                             0\n"
		"  FAULTS                              0\n"
		"  PREFETCH_ERRORS                     0\n"
		"  RECORDS                             3\n"
		"open queues\n"
		"  queue 1: command 1 (BULK_COMMIT_GROUP, tag 0x0) is next, 0 commands behind it; PTX: cp.async.bulk.commit_group;\n"
		"    direct port, 2 commands given, 0 records kept\n"
		"  queue 3: 2 commands so far, idle\n"
		"    ring, 2 commands given, 0 records kept\n"
		"memory: 24576 of 1048576 bytes in use\n"
		"  port 0  0x000100000000          4608 bytes\n"
		"  port 0  0x000100003000          8192 bytes\n"
		"  port 1  0x000100000000          8192 bytes\n"
		"multimem objects\n"
		"  window 0  0x010100000000          8192 bytes, ports 0 1\n");
	tma_close(device);
}

/* Nothing open; more buffers than are listed; a file that cannot be written. */
TEST(test_dump_edges)
{
	struct tma_device *device =
		open_device(&(struct host_case){ .backend = "model", .config = "default" });
	FILE *full = fopen("/dev/full", "w");
	char text[4000];

	dump(device, text, sizeof(text));
	assert_non_null(strstr(text, "back end model, configuration default, interface 1."));
	assert_non_null(strstr(
		text, "open queues\n  none\nmemory: 0 of 1048576 bytes in use\nmultimem objects\n  none\n"));
	for (uint32_t i = 0; i < 40; i++)
		alloc_memory(device, 1);
	dump(device, text, sizeof(text));
	assert_non_null(strstr(text, "\n  and 8 buffers more\n"));
	assert_int_equal(tma_dump(NULL, stdout), TMA_EINVAL);
	assert_int_equal(tma_dump(device, NULL), TMA_EINVAL);
	assert_non_null(full);
	assert_int_equal(tma_dump(device, full), TMA_EINVAL);
	fclose(full);
	tma_close(device);
}

int run_print_tests(void)
{
	return run_file_tests("texts");
}
