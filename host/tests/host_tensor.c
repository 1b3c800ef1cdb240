/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_tensor - tensor copies, the same on every back end.
 *
 * Spec: PTX ISA cp.async.bulk.tensor; docs/semantics.md 2.3 to 2.11; tma.h
 * Checks: bytes in shared and global memory against loops that are written out here, with the bytes
 *         beside them; edges of the tensor, swizzle, im2col, multicast, gather and scatter; maps that change,
 *         or come late.
 */
#include <string.h>

#include "host_test.h"

#define MBAR   0u
#define BUFFER 1024u

/* A tensor of 16-bit elements; the end of a row is no whole granule of 16 bytes. */
#define COLUMNS 100
#define ROWS    20
#define PITCH   208u
#define BYTES   (ROWS * PITCH)

/* Boxes of it: rows as long as the span of their swizzle. */
#define BOX_COLUMNS 64
#define BOX_ROWS    8
#define BOX_ROW     (2 * BOX_COLUMNS)
#define BOX_BYTES   (BOX_ROWS * BOX_ROW)

static struct tma_map matrix_map(uint64_t address, uint32_t box_columns, uint32_t box_rows, uint32_t swizzle)
{
	const uint64_t dim[] = { COLUMNS, ROWS }, strides[] = { PITCH };
	const uint32_t box[] = { box_columns, box_rows }, element_strides[] = { 1, 1 };
	struct tma_map map;

	assert_int_equal(tma_map_encode_tiled(&map, TMA_MAP_SM_90, TMA_MAP_DATA_UINT16, 2, address, dim,
	                                      strides, box, element_strides, TMA_MAP_INTERLEAVE_NONE, swizzle,
	                                      TMA_MAP_PROMOTION_NONE, TMA_MAP_FILL_ZERO, NULL),
	                 0);
	return map;
}

/* Put a map where the engine finds it. */
static uint64_t put_map(struct tma_memory *maps, uint64_t offset, const struct tma_map *map)
{
	assert_int_equal(tma_copy_in(maps, offset, map, sizeof(*map)), 0);
	return tma_memory_address(maps) + offset;
}

static struct tma_memory *filled_memory(struct tma_device *device, bool with_pattern)
{
	struct tma_memory *memory = alloc_memory(device, BYTES);

	if (with_pattern)
		fill_pattern(tma_memory_host(memory), BYTES);
	else
		memset(tma_memory_host(memory), 0xEE, BYTES);
	assert_int_equal(tma_memory_to_device(memory, 0, BYTES), 0);
	return memory;
}

/* Byte b of element (column, row) of a tensor with the pattern; fill outside. */
static uint8_t element(int32_t column, int32_t row, uint32_t b)
{
	if (column < 0 || column >= COLUMNS || row < 0 || row >= ROWS)
		return 0;
	return pattern((uint32_t)row * PITCH + 2 * (uint32_t)column + b);
}

static uint32_t swizzle_128(uint32_t address)
{
	return address ^ (address >> 7 & 7) << 4;
}

/* The box at (column, row) lies swizzled in CTA `cta`. */
static void check_box(struct tma_device *device, uint32_t cta, int32_t column, int32_t row)
{
	uint8_t bytes[BOX_BYTES];

	assert_int_equal(tma_smem_read(device, tma_shared(cta, BUFFER), bytes, sizeof(bytes)), 0);
	for (uint32_t i = 0; i < BOX_BYTES; i++) {
		int32_t c = column + (int32_t)(i % BOX_ROW / 2), r = row + (int32_t)(i / BOX_ROW);
		uint8_t got = bytes[swizzle_128(BUFFER + i) - BUFFER], expected = element(c, r, i % 2);

		if (got != expected)
			fail_msg("CTA %u, column %d, row %d: 0x%02x instead of 0x%02x", cta, c, r, got,
			         expected);
	}
}

static void load(struct tma_queue *queue, enum tma_mode mode, uint32_t dim, uint64_t map,
                 const int32_t *coord, const uint16_t *im2col)
{
	SUBMIT(queue,
	       tma_cp_async_bulk_tensor_load(&c, mode, dim, tma_shared(0, BUFFER), map, coord, MBAR, im2col));
}

/* Boxes over all edges of the tensor, one after the other in the same place. */
static void test_tile(struct tma_device *device)
{
	static const int32_t at[][2] = { { 0, 0 }, { 56, 15 }, { -8, -3 }, { 96, 4 }, { 16, 20 } };
	struct tma_memory *maps = alloc_memory(device, 4096), *memory = filled_memory(device, true);
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_map map =
		matrix_map(tma_memory_address(memory), BOX_COLUMNS, BOX_ROWS, TMA_MAP_SWIZZLE_128B);
	uint64_t address = put_map(maps, 64, &map);

	init_barrier(queue, MBAR, 1);
	for (uint32_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		expect_bytes(queue, MBAR, BOX_BYTES); /* with what is outside */
		load(queue, TMA_MODE_TILE, 2, address, at[i], NULL);
		wait_phase(queue, MBAR, i % 2);
		check_box(device, 0, at[i][0], at[i][1]);
	}
}

/* A box over a corner, stored again elsewhere: nothing outside the tensor is written, or as an H200
 * does the rest of a granule, here fill. */
static void round_trip(struct tma_device *device, uint32_t behaviour)
{
	static const int32_t at[] = { 56, 15 };
	struct tma_memory *maps = alloc_memory(device, 4096);
	struct tma_memory *from = filled_memory(device, true), *to = filled_memory(device, false);
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_map map =
		matrix_map(tma_memory_address(from), BOX_COLUMNS, BOX_ROWS, TMA_MAP_SWIZZLE_128B);
	uint64_t source = put_map(maps, 0, &map), target;
	uint8_t bytes[BYTES];

	assert_int_equal(tma_map_replace_address(&map, tma_memory_address(to), NULL), 0);
	target = put_map(maps, sizeof(map), &map);
	assert_int_equal(tma_set_behaviour(device, ~behaviour), TMA_EINVAL);
	assert_int_equal(tma_set_behaviour(device, behaviour), 0);
	init_barrier(queue, MBAR, 1);
	expect_bytes(queue, MBAR, BOX_BYTES);
	load(queue, TMA_MODE_TILE, 2, source, at, NULL);
	wait_phase(queue, MBAR, 0);
	SUBMIT(queue,
	       tma_cp_async_bulk_tensor_store(&c, TMA_MODE_TILE, 2, target, at, tma_shared(0, BUFFER)));
	wait_stores(queue);

	assert_int_equal(tma_copy_out(to, 0, bytes, BYTES), 0);
	for (uint32_t i = 0; i < BYTES; i++) {
		int32_t column = (int32_t)(i % PITCH / 2), row = (int32_t)(i / PITCH);
		bool inside = column >= at[0] && column < COLUMNS && row >= at[1];
		bool rest = behaviour && column >= COLUMNS && row >= at[1];
		uint8_t expected = inside ? element(column, row, i % 2) : rest ? 0 : 0xEE;

		if (bytes[i] != expected)
			fail_msg("column %d, row %d: 0x%02x instead of 0x%02x", column, row, bytes[i],
			         expected);
	}
}

static void test_round_trip(struct tma_device *device)
{
	round_trip(device, 0);
}

static void test_round_trip_granules(struct tma_device *device)
{
	round_trip(device, TMA_REG_BEHAVIOUR_STORE_GRANULE16_MASK);
}

/* Two images of 5 x 4 pixels of 16 bytes, padded by one pixel, every second column; filter tap (1, 2). */
static void test_im2col(struct tma_device *device)
{
	enum { CHANNELS = 16, WIDTH = 5, HEIGHT = 4, IMAGES = 2, PIXELS = 20 };
	static const uint64_t dim[] = { CHANNELS, WIDTH, HEIGHT, IMAGES };
	static const uint64_t strides[] = { CHANNELS, CHANNELS * WIDTH, CHANNELS * WIDTH * HEIGHT };
	static const uint32_t element_strides[] = { 1, 2, 1, 1 };
	static const int32_t lower[] = { -1, -1 }, upper[] = { -1, -1 }, start[] = { 0, 1, 0, 0 };
	static const uint16_t offsets[] = { 1, 2 };
	struct tma_memory *maps = alloc_memory(device, 128), *memory = filled_memory(device, true);
	struct tma_queue *queue = open_queue(device, 0, 0);
	int32_t w = start[1], h = start[2], n = start[3];
	uint8_t bytes[PIXELS * CHANNELS];
	struct tma_map map;

	assert_int_equal(tma_map_encode_im2col(&map, TMA_MAP_SM_90, TMA_MAP_DATA_UINT8, 4,
	                                       tma_memory_address(memory), dim, strides, lower, upper,
	                                       CHANNELS, PIXELS, element_strides, 0, 0, 0, 0, NULL),
	                 0);
	init_barrier(queue, MBAR, 1);
	expect_bytes(queue, MBAR, sizeof(bytes));
	load(queue, TMA_MODE_IM2COL, 4, put_map(maps, 0, &map), start, offsets);
	wait_phase(queue, MBAR, 0);
	assert_int_equal(tma_smem_read(device, tma_shared(0, BUFFER), bytes, sizeof(bytes)), 0);
	for (uint32_t p = 0; p < PIXELS; p++) {
		int32_t x = w + offsets[0], y = h + offsets[1];
		bool in = x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT && n < IMAGES;
		uint32_t pixel = (uint32_t)((n * HEIGHT + y) * WIDTH + x);

		for (uint32_t c = 0; c < CHANNELS; c++)
			assert_int_equal(bytes[p * CHANNELS + c], in ? pattern(pixel * CHANNELS + c) : 0);
		w += 2;
		if (w > WIDTH - 1 + upper[0]) {
			w = lower[0];
			h++;
		}
		if (h > HEIGHT - 1 + upper[1]) {
			h = lower[1];
			n++;
		}
	}
	assert_true(n == 2); /* beyond the last image, too */
}

/* Into every CTA of a mask that leaves out the last one; each CTA's own barrier tells. */
static void test_multicast(struct tma_device *device)
{
	static const int32_t at[] = { 40, 14 };
	struct tma_memory *maps = alloc_memory(device, 128), *memory = filled_memory(device, true);
	struct tma_map map =
		matrix_map(tma_memory_address(memory), BOX_COLUMNS, BOX_ROWS, TMA_MAP_SWIZZLE_128B);
	uint32_t ctas = device_info(device).ctas, targets = ctas > 2 ? ctas - 1 : ctas, r;
	struct tma_queue *queues[TMA_REG_QUEUE_COUNT] = { NULL };
	uint8_t bytes[BOX_BYTES];

	memset(bytes, 0xEE, sizeof(bytes));
	for (r = 0; r < ctas; r++) {
		assert_int_equal(tma_smem_write(device, tma_shared(r, BUFFER), bytes, sizeof(bytes)), 0);
		queues[r] = open_queue(device, r, r);
		init_barrier(queues[r], tma_shared(r, MBAR), 1);
		expect_bytes(queues[r], tma_shared(r, MBAR), BOX_BYTES);
	}
	SUBMIT(queues[0], tma_cp_async_bulk_tensor_load(&c, TMA_MODE_TILE, 2, BUFFER, put_map(maps, 0, &map),
	                                                at, MBAR, NULL);
	       tma_set_multicast(&c, (uint16_t)((1u << targets) - 1)));
	for (r = 0; r < targets; r++) {
		wait_phase(queues[r], tma_shared(r, MBAR), 0);
		check_box(device, r, at[0], at[1]);
	}
	for (; r < ctas; r++) {
		assert_int_equal(tma_smem_read(device, tma_shared(r, BUFFER), bytes, sizeof(bytes)), 0);
		for (uint32_t i = 0; i < sizeof(bytes); i++)
			assert_int_equal(bytes[i], 0xEE);
	}
}

/* Into CTAs 0 and 1, but only the barrier of CTA 1 is told, of both boxes. */
static void test_cta_group_2(struct tma_device *device)
{
	static const int32_t at[] = { 8, 1 };
	struct tma_memory *maps = alloc_memory(device, 128), *memory = filled_memory(device, true);
	struct tma_queue *first = open_queue(device, 0, 0), *second = open_queue(device, 1, 1);
	struct tma_map map =
		matrix_map(tma_memory_address(memory), BOX_COLUMNS, BOX_ROWS, TMA_MAP_SWIZZLE_128B);

	init_barrier(first, tma_shared(0, MBAR), 1);
	init_barrier(second, tma_shared(1, MBAR), 1);
	expect_bytes(second, tma_shared(1, MBAR), 2 * BOX_BYTES);
	SUBMIT(first, tma_cp_async_bulk_tensor_load(&c, TMA_MODE_TILE, 2, tma_shared(0, BUFFER),
	                                            put_map(maps, 0, &map), at, tma_shared(1, MBAR), NULL);
	       tma_set_multicast(&c, 3); tma_set_cta_group_2(&c));
	wait_phase(second, tma_shared(1, MBAR), 0);
	check_box(device, 0, at[0], at[1]);
	check_box(device, 1, at[0], at[1]);
	assert_int_equal(ASK(first, tma_mbarrier_test_wait_parity(&c, tma_shared(0, MBAR), 0)), 0);
}

/* Four rows of 32 elements, one outside; back into others, one outside again. */
static void test_gather_scatter(struct tma_device *device)
{
	enum { ROW = 64 };
	static const int32_t gather[] = { 80, 19, 3, -1, 3 }, scatter[] = { 80, 2, 20, 0, 7 };
	struct tma_memory *maps = alloc_memory(device, 4096);
	struct tma_memory *from = filled_memory(device, true), *to = filled_memory(device, false);
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_map map = matrix_map(tma_memory_address(from), ROW / 2, 1, TMA_MAP_SWIZZLE_NONE);
	uint64_t source = put_map(maps, 0, &map), target;
	uint8_t bytes[BYTES], expected[BYTES];

	assert_int_equal(tma_map_replace_address(&map, tma_memory_address(to), NULL), 0);
	target = put_map(maps, 2048, &map);
	init_barrier(queue, MBAR, 1);
	expect_bytes(queue, MBAR, 4 * ROW);
	load(queue, TMA_MODE_GATHER4, 2, source, gather, NULL);
	wait_phase(queue, MBAR, 0);
	assert_int_equal(tma_smem_read(device, tma_shared(0, BUFFER), bytes, 4 * ROW), 0);
	for (uint32_t i = 0; i < 4 * ROW; i++)
		assert_int_equal(bytes[i],
		                 element(gather[0] + (int32_t)(i % ROW / 2), gather[1 + i / ROW], i % 2));

	SUBMIT(queue, tma_cp_async_bulk_tensor_store(&c, TMA_MODE_SCATTER4, 2, target, scatter,
	                                             tma_shared(0, BUFFER)));
	wait_stores(queue);
	memset(expected, 0xEE, sizeof(expected));
	for (int32_t j = 0; j < 4; j++)
		for (int32_t c = scatter[0]; scatter[1 + j] < ROWS && c < COLUMNS; c++)
			for (uint32_t b = 0; b < 2; b++)
				expected[(uint32_t)scatter[1 + j] * PITCH + 2 * (uint32_t)c + b] =
					element(c, gather[1 + j], b);
	assert_int_equal(tma_copy_out(to, 0, bytes, BYTES), 0);
	assert_memory_equal(bytes, expected, BYTES);
}

/* A map that changes between two loads, with a fence in between; hints before both. */
static void test_map_fence(struct tma_device *device)
{
	static const int32_t at[] = { 0, 0 };
	struct tma_memory *maps = alloc_memory(device, 128), *memory = filled_memory(device, true);
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_map map =
		matrix_map(tma_memory_address(memory), BOX_COLUMNS, BOX_ROWS, TMA_MAP_SWIZZLE_128B);
	uint64_t address;

	init_barrier(queue, MBAR, 1);
	for (uint32_t row = 0; row < 3; row++) {
		assert_int_equal(
			tma_map_replace_global_address(&map, tma_memory_address(memory) + row * PITCH, NULL),
			0);
		assert_int_equal(tma_map_replace_global_dim(&map, 1, ROWS - row, NULL), 0);
		address = put_map(maps, 0, &map);
		SUBMIT(queue, tma_fence_proxy_tensormap(&c, address));
		SUBMIT(queue, tma_prefetch_tensormap(&c, address));
		SUBMIT(queue, tma_cp_async_bulk_prefetch_tensor(&c, TMA_MODE_TILE, 2, address, at, NULL));
		expect_bytes(queue, MBAR, BOX_BYTES);
		load(queue, TMA_MODE_TILE, 2, address, at, NULL);
		wait_phase(queue, MBAR, row % 2);
		check_box(device, 0, 0, (int32_t)row);
	}
}

/* A queue that is closed at any time of a load whose map is still to come closes, and the others go on. */
static void test_close_before_map(struct tma_device *device)
{
	static const int32_t at[] = { 0, 0 };
	struct tma_memory *maps = alloc_memory(device, 4096), *memory = filled_memory(device, true);
	struct tma_queue *queue = open_queue(device, 0, 0), *closing;
	const struct tma_map map =
		matrix_map(tma_memory_address(memory), BOX_COLUMNS, BOX_ROWS, TMA_MAP_SWIZZLE_128B);
	struct tma_record record;
	uint64_t address;

	init_barrier(queue, MBAR, 1);
	for (uint32_t turn = 0; turn < 24; turn++) {
		const uint32_t other = MBAR + 8 * (turn + 1);

		address = put_map(maps, sizeof(map) * turn, &map);
		init_barrier(queue, other, 1);
		expect_bytes(queue, other, BOX_BYTES);
		closing = open_queue(device, 1, 0);
		SUBMIT(closing,
		       tma_cp_async_bulk_tensor_load(&c, TMA_MODE_TILE, 2, tma_shared(0, BUFFER + BOX_BYTES),
		                                     address, at, other, NULL));
		/* There is no record: the clock runs. */
		assert_int_equal(tma_wait(queue, &record, 1 + 10 * turn), TMA_ETIMEDOUT);
		tma_queue_close(closing);
		assert_int_equal(tma_device_check(device), 0);
		expect_bytes(queue, MBAR, BOX_BYTES);
		load(queue, TMA_MODE_TILE, 2, address, at, NULL);
		wait_phase(queue, MBAR, turn % 2);
	}
	check_box(device, 0, 0, 0);
}

const struct host_test tensor_tests[] = {
	{ "tile", test_tile },
	{ "round_trip", test_round_trip },
	{ "round_trip_granules", test_round_trip_granules },
	{ "im2col", test_im2col },
	{ "tensor_multicast", test_multicast },
	{ "cta_group_2", test_cta_group_2 },
	{ "gather_scatter", test_gather_scatter },
	{ "map_fence", test_map_fence },
	{ "close_before_map", test_close_before_map },
	{ 0 },
};
