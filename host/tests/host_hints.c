/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_hints - prefetches of any size and place, groups that cover loads, stores of 6 bits.
 *
 * Spec: docs/semantics.md M32, M33, 2.7; tma.h
 * Checks: parts outside the windows are counted, stop nothing, nor do 4 GiB; what a load reads, data and
 *         map, may be overwritten behind commit_group and wait_group.read 0; every bit of packed rows.
 */
#include <string.h>

#include "host_test.h"

#define MBAR   0u
#define BUFFER 1024u
#define PAGE   4096u

/* A queue that may read `bytes` of the memory, and nothing else. */
static struct tma_queue *narrow_queue(struct tma_device *device, struct tma_memory *memory, uint64_t bytes)
{
	const struct tma_queue_window window = { tma_memory_address(memory), bytes, TMA_ALLOW_READ };
	const struct tma_queue_options options = {
		.size = sizeof(options), .windows = &window, .num_windows = 1, .front = host_case()->front
	};
	struct tma_queue *queue = NULL;

	assert_int_equal(tma_queue_open(device, 0, &options, &queue), 0);
	return queue;
}

static void expect_signal(struct tma_queue *queue, uint32_t tag)
{
	SUBMIT(queue, tma_signal(&c, tag));
	assert_int_equal(wait_kind(queue, TMA_KIND_SIGNAL).tag, tag);
}

/* The count of prefetch errors comes to this, and stays there. */
static void expect_dropped(struct tma_device *device, uint64_t expected)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < LIMIT && count < expected; i++)
		assert_int_equal(tma_counter(device, TMA_COUNTER_PREFETCH_ERRORS, &count), 0);
	for (uint32_t i = 0; i < 100; i++) {
		assert_int_equal(count, expected);
		assert_int_equal(tma_counter(device, TMA_COUNTER_PREFETCH_ERRORS, &count), 0);
	}
}

static void test_prefetch_windows(struct tma_device *device)
{
	/* In front of two pages that may be read; rings may lie behind them. */
	static const struct {
		uint32_t before, bytes, dropped;
	} prefetches[] = {
		{ 0, 2 * PAGE, 0 },
		{ 0x80000000, 64, 1 },
		{ 16, 16 + 2 * PAGE, 1 },
		{ 1u << 20, (1u << 20) + 16, 256 },
		{ (1u << 20) + 16, (1u << 20) + 16 + PAGE, 257 },
	};
	struct tma_memory *memory = alloc_memory(device, 2 * PAGE);
	struct tma_queue *queue = narrow_queue(device, memory, 2 * PAGE);
	uint64_t dropped = 0;

	for (uint32_t i = 0; i < sizeof(prefetches) / sizeof(prefetches[0]); i++) {
		SUBMIT(queue,
		       tma_cp_async_bulk_prefetch(&c, tma_memory_address(memory) - prefetches[i].before,
		                                  prefetches[i].bytes));
		expect_signal(queue, 100 + i);
		dropped += prefetches[i].dropped;
		expect_dropped(device, dropped);
	}
}

/* A prefetch of 4 GiB holds up neither its queue nor the end of it. */
static void test_prefetch_4_gib(struct tma_device *device)
{
	struct tma_memory *memory = alloc_memory(device, PAGE);

	for (uint32_t turn = 0; turn < 2; turn++) {
		struct tma_queue *queue = narrow_queue(device, memory, PAGE);

		SUBMIT(queue, tma_cp_async_bulk_prefetch(&c, tma_memory_address(memory), 0xFFFFFFF0));
		expect_signal(queue, turn);
		tma_queue_close(queue);
	}
}

static void overwrite(struct tma_memory *memory, uint64_t bytes)
{
	memset(tma_memory_host(memory), 0xEE, bytes);
	assert_int_equal(tma_memory_to_device(memory, 0, bytes), 0);
}

/* Commit what was read, and wait until it is. */
static void wait_reads(struct tma_queue *queue)
{
	SUBMIT(queue, tma_cp_async_bulk_commit_group(&c));
	SUBMIT(queue, tma_cp_async_bulk_wait_group_read(&c, 0); tma_set_record(&c, 3));
	assert_int_equal(wait_kind(queue, TMA_KIND_RETIRED).tag, 3);
}

/* A bulk load, and a tensor load of the same bytes: behind the wait their source is written, and the map. */
static void test_load_groups(struct tma_device *device)
{
	enum { BYTES = 6144, ROW = 64 };
	static const uint64_t dim[] = { ROW, BYTES / ROW }, stride[] = { ROW };
	static const uint32_t box[] = { ROW, BYTES / ROW }, ones[] = { 1, 1 };
	static const int32_t at[2] = { 0, 0 };
	struct tma_memory *memory = alloc_memory(device, BYTES), *maps = alloc_memory(device, 128);
	struct tma_queue *queue = open_queue(device, 0, 0);
	uint64_t from = tma_memory_address(memory);
	struct tma_command command;
	uint8_t bytes[BYTES];
	struct tma_map map;

	assert_int_equal(tma_map_encode_tiled(&map, TMA_MAP_SM_90, TMA_MAP_DATA_UINT8, 2, from, dim, stride,
	                                      box, ones, 0, 0, 0, 0, NULL),
	                 0);
	assert_int_equal(tma_copy_in(maps, 0, &map, sizeof(map)), 0);
	init_barrier(queue, MBAR, 1);
	for (uint32_t turn = 0; turn < 2; turn++) {
		fill_pattern(bytes, BYTES);
		assert_int_equal(tma_copy_in(memory, 0, bytes, BYTES), 0);
		expect_bytes(queue, MBAR, BYTES);
		if (turn)
			tma_cp_async_bulk_tensor_load(&command, TMA_MODE_TILE, 2, tma_shared(0, BUFFER),
			                              tma_memory_address(maps), at, MBAR, NULL);
		else
			tma_cp_async_bulk_load(&command, tma_shared(0, BUFFER), from, BYTES, MBAR);
		submit(queue, &command);
		wait_reads(queue);
		overwrite(memory, BYTES);
		overwrite(maps, turn ? 128 : 0);
		wait_phase(queue, MBAR, turn);
		assert_int_equal(tma_smem_read(device, tma_shared(0, BUFFER), bytes, BYTES), 0);
		for (uint32_t i = 0; i < BYTES; i++)
			assert_int_equal(bytes[i], pattern(i));
	}
}

/* Rows of 128 values: 128 bytes of shared memory, of which 6 bits each go into 96 of global memory. */
static void test_store_6_bits(struct tma_device *device)
{
	enum { PITCH = 192, ROWS = 4, BYTES = PITCH * ROWS, BOX_ROWS = 2, ROW = 96, VALUES = 128 };
	static const uint64_t dim[] = { 2 * VALUES, ROWS }, stride[] = { PITCH };
	static const uint32_t box[] = { VALUES, BOX_ROWS }, ones[] = { 1, 1 };
	static const int32_t corners[][2] = { { 0, 0 }, { VALUES, 1 }, { 0, ROWS - 1 } };
	bool packed = device_info(device).packed;
	struct tma_memory *memory = alloc_memory(device, BYTES), *maps = alloc_memory(device, 128);
	struct tma_queue *queue = open_queue(device, 0, 0);
	uint8_t shared[BOX_ROWS * VALUES], expected[BYTES], bytes[BYTES];
	struct tma_command command;
	struct tma_map map;

	assert_int_equal(tma_map_encode_tiled(&map, TMA_MAP_SM_100, TMA_MAP_DATA_16U6_ALIGN16B, 2,
	                                      tma_memory_address(memory), dim, stride, box, ones, 0, 0, 0, 0,
	                                      NULL),
	                 0);
	assert_int_equal(tma_copy_in(maps, 0, &map, sizeof(map)), 0);
	fill_pattern(shared, sizeof(shared));
	assert_int_equal(tma_smem_write(device, tma_shared(0, BUFFER), shared, sizeof(shared)), 0);
	for (uint32_t i = 0; i < sizeof(corners) / sizeof(corners[0]); i++) {
		const uint32_t x = (uint32_t)corners[i][0] / VALUES * ROW, y = (uint32_t)corners[i][1];

		overwrite(memory, BYTES);
		tma_cp_async_bulk_tensor_store(&command, TMA_MODE_TILE, 2, tma_memory_address(maps),
		                               corners[i], tma_shared(0, BUFFER));
		if (!packed) {
			expect_fault(queue, &command, TMA_FAULT_MAP_TYPE);
			return;
		}
		submit(queue, &command);
		wait_stores(queue);
		memset(expected, 0xEE, BYTES);
		for (uint32_t r = 0; r < BOX_ROWS && y + r < ROWS; r++)
			for (uint32_t bit = 0; bit < 8 * ROW; bit++) {
				uint8_t *byte = &expected[(y + r) * PITCH + x + bit / 8];
				uint32_t value = shared[r * VALUES + bit / 6] >> bit % 6 & 1;

				*byte = (uint8_t)((*byte & ~(1u << bit % 8)) | value << bit % 8);
			}
		assert_int_equal(tma_copy_out(memory, 0, bytes, BYTES), 0);
		assert_memory_equal(bytes, expected, BYTES);
	}
}

const struct host_test hint_tests[] = {
	{ "prefetch_windows", test_prefetch_windows },
	{ "prefetch_4_gib", test_prefetch_4_gib },
	{ "load_groups", test_load_groups },
	{ "store_6_bits", test_store_6_bits },
	{ 0 },
};
