/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_layout - what tma_map.h says of bytes, places and windows, against what the model does.
 *
 * Spec: docs/semantics.md 2.6 (swizzle), 2.9 (bytes), 2.10 (im2col)
 * Checks: every byte of tiles in every swizzle, at several bases; the bytes that loads in every mode signal; a
 *         convolution with padding, dilation and stride, tap by tap, against loops; what is refused.
 */
#include <string.h>

#include "host_test.h"

#define MBAR 0u
#define DIM  256u /* of square matrices of 16-bit elements */
#define ZERO                  \
	{                     \
		0, 0, 0, 0, 0 \
	}

static const uint32_t ones[] = { 1, 1, 1, 1, 1 };

static struct tma_device *model(void)
{
	return open_device(&(struct host_case){ .backend = "model", .config = "default" });
}

/* A queue, memory, a place for maps, and a barrier that an arrival is missing of. */
struct bench {
	struct tma_device *device;
	struct tma_queue *queue;
	struct tma_memory *memory, *maps;
	uint64_t map; /* address of the map */
};

static struct bench open_bench(void)
{
	struct bench b = { .device = model() };

	b.queue = open_queue(b.device, 0, 0);
	b.memory = alloc_memory(b.device, 2 * DIM * DIM);
	b.maps = alloc_memory(b.device, sizeof(struct tma_map));
	b.map = tma_memory_address(b.maps);
	return b;
}

static void put_map(const struct bench *b, const struct tma_map *map)
{
	assert_int_equal(tma_copy_in(b->maps, 0, map, sizeof(*map)), 0);
}

/* Load, and say what the barrier was told: bytes that it has not expected. */
static uint64_t load(const struct bench *b, enum tma_mode mode, uint32_t dim, uint32_t dst,
                     const int32_t *coord, const uint16_t *im2col)
{
	uint64_t word = 0;

	SUBMIT(b->queue, tma_mbarrier_init(&c, MBAR, 1));
	SUBMIT(b->queue, tma_cp_async_bulk_tensor_load(&c, mode, dim, dst, b->map, coord, MBAR, im2col));
	assert_int_equal(tma_sync(b->queue), 0);
	assert_int_equal(tma_smem_read(b->device, MBAR, &word, sizeof(word)), 0);
	return (1u << TMA_BARRIER_TX_BITS) - (word >> TMA_BARRIER_TX_LSB & ((1u << TMA_BARRIER_TX_BITS) - 1));
}

/* Every element of the tile is where tma_swizzle() says. */
static void expect_swizzled(const struct bench *b, enum tma_map_swizzle swizzle, uint32_t row, uint32_t pitch,
                            uint32_t dst)
{
	static const int32_t at[] = { 0, 0 };
	const uint64_t dim[] = { DIM, DIM }, stride[] = { 2 * DIM };
	const uint32_t box[] = { row / 2, 40 };
	uint16_t smem[16384 / 2];
	struct tma_map map;

	assert_int_equal(tma_map_encode_tiled(&map, TMA_MAP_SM_100, TMA_MAP_DATA_UINT16, 2,
	                                      tma_memory_address(b->memory), dim, stride, box, ones, 0,
	                                      swizzle, 0, 0, NULL),
	                 0);
	put_map(b, &map);
	assert_int_equal(load(b, TMA_MODE_TILE, 2, dst, at, NULL), 40 * row);
	assert_int_equal(tma_smem_read(b->device, 0, smem, sizeof(smem)), 0);
	for (uint32_t y = 0; y < box[1]; y++)
		for (uint32_t x = 0; x < box[0]; x++) {
			uint32_t address = tma_swizzle(swizzle, dst + y * pitch + 2 * x);

			assert_int_equal(smem[address / 2], y * DIM + x);
			assert_int_equal(tma_swizzle(swizzle, address), dst + y * pitch + 2 * x);
		}
}

TEST(test_swizzle)
{
	static const struct {
		enum tma_map_swizzle swizzle;
		uint32_t row, pitch;
	} cases[] = {
		{ TMA_MAP_SWIZZLE_NONE, 128, 128 },
		{ TMA_MAP_SWIZZLE_32B, 32, 32 },
		{ TMA_MAP_SWIZZLE_32B, 16, 32 },
		{ TMA_MAP_SWIZZLE_64B, 64, 64 },
		{ TMA_MAP_SWIZZLE_64B, 48, 64 },
		{ TMA_MAP_SWIZZLE_128B, 128, 128 },
		{ TMA_MAP_SWIZZLE_128B, 80, 128 },
		{ TMA_MAP_SWIZZLE_128B_ATOM_32B, 128, 128 },
		{ TMA_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B, 128, 128 },
		{ TMA_MAP_SWIZZLE_128B_ATOM_64B, 128, 128 },
		{ TMA_MAP_SWIZZLE_96B, 96, 96 },
	};
	struct bench b = open_bench();
	uint16_t *values = tma_memory_host(b.memory);

	for (uint32_t i = 0; i < DIM * DIM; i++)
		values[i] = (uint16_t)i;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (uint32_t dst = 1024; dst <= 2048; dst += 128)
			expect_swizzled(&b, cases[i].swizzle, cases[i].row, cases[i].pitch, dst);
	assert_int_equal(tma_swizzle((enum tma_map_swizzle)8, 0x3F0), 0x3F0);
	assert_int_equal(tma_swizzle(TMA_MAP_SWIZZLE_128B, tma_shared(3, 0x3F0)), tma_shared(3, 0x380));
	tma_close(b.device);
}

/* A tiled map, and the bytes that its loads signal. */
static void expect_tile_bytes(const struct bench *b, uint32_t type, uint32_t rank, const uint64_t *dim,
                              const uint64_t *strides, const uint32_t *box, const uint32_t *steps,
                              uint32_t interleave, uint64_t expected)
{
	static const int32_t at[5] = ZERO;
	struct tma_map map;

	assert_int_equal(tma_map_encode_tiled(&map, TMA_MAP_SM_100, type, rank, tma_memory_address(b->memory),
	                                      dim, strides, box, steps, interleave, 0, 0, 0, NULL),
	                 0);
	put_map(b, &map);
	assert_int_equal(tma_map_box_bytes(&map), expected);
	assert_int_equal(tma_map_load_bytes(&map, TMA_MODE_TILE, 77), expected);
	assert_int_equal(load(b, TMA_MODE_TILE, rank, 1024, at, NULL), expected);
	assert_int_equal(tma_map_load_bytes(&map, TMA_MODE_IM2COL, 0), 0);
	if (rank != 2 || box[1] != 1) {
		assert_int_equal(tma_map_load_bytes(&map, TMA_MODE_GATHER4, 0), 0);
		return;
	}
	assert_int_equal(tma_map_load_bytes(&map, TMA_MODE_GATHER4, 0), 4 * expected);
	assert_int_equal(load(b, TMA_MODE_GATHER4, rank, 1024, at, NULL), 4 * expected);
}

TEST(test_tile_bytes)
{
	static const uint64_t dim[] = { 256, 16, 4, 2, 2 }, strides[] = { 512, 8192, 32768, 65536 };
	static const uint32_t box[] = { 32, 9, 3, 2, 1 }, row[] = { 32, 1 }, steps[] = { 5, 4, 2, 1, 8 };
	static const uint32_t packed[] = { 128, 3 };
	struct bench b = open_bench();

	expect_tile_bytes(&b, TMA_MAP_DATA_FLOAT16, 1, dim, strides, box, ones, 0, 2 * 32);
	expect_tile_bytes(&b, TMA_MAP_DATA_UINT16, 2, dim, strides, row, ones, 0, 2 * 32);
	expect_tile_bytes(&b, TMA_MAP_DATA_FLOAT64, 5, dim, strides, box, ones, 0, 8 * 32 * 9 * 3 * 2);
	expect_tile_bytes(&b, TMA_MAP_DATA_FLOAT64, 5, dim, strides, box, steps, 0, 8 * 32 * 3 * 2 * 2);
	expect_tile_bytes(&b, TMA_MAP_DATA_UINT16, 4, dim, strides, box, steps, 1, 16 * 7 * 3 * 2);
	expect_tile_bytes(&b, TMA_MAP_DATA_UINT16, 3, dim, strides, box, ones, 2, 32 * 32 * 3);
	expect_tile_bytes(&b, TMA_MAP_DATA_16U4_ALIGN8B, 2, dim, strides, box, ones, 0, 16 * 9);
	expect_tile_bytes(&b, TMA_MAP_DATA_16U4_ALIGN16B, 2, dim, strides, packed, ones, 0, 64 * 3);
	expect_tile_bytes(&b, TMA_MAP_DATA_16U6_ALIGN16B, 2, dim, strides, packed, ones, 0, 96 * 3);
	tma_close(b.device);
}

TEST(test_column_bytes)
{
	static const uint64_t dim[] = { 16, 8, 8, 2 }, strides[] = { 32, 256, 2048 };
	static const int32_t corners[] = { 0, 0 }, at[5] = ZERO;
	static const uint16_t halo[3] = { 5, 0, 0 };
	struct bench b = open_bench();
	uint64_t memory = tma_memory_address(b.memory);
	struct tma_map map;

	for (uint32_t interleave = 0; interleave < 2; interleave++) {
		uint64_t expected = interleave ? 16 * 50 : 2 * 16 * 50;

		assert_int_equal(tma_map_encode_im2col(&map, TMA_MAP_SM_100, TMA_MAP_DATA_UINT16, 4, memory,
		                                       dim, strides, corners, corners, 16, 50, ones,
		                                       interleave, 0, 0, 0, NULL),
		                 0);
		put_map(&b, &map);
		assert_int_equal(tma_map_box_bytes(&map), expected);
		assert_int_equal(tma_map_load_bytes(&map, TMA_MODE_IM2COL, 9), expected);
		assert_int_equal(tma_map_load_bytes(&map, TMA_MODE_IM2COL_W, 9), 0);
		assert_int_equal(tma_map_load_bytes(&map, TMA_MODE_TILE, 0), 0);
		assert_int_equal(load(&b, TMA_MODE_IM2COL, 4, 1024, at, (uint16_t[3]){ 0 }), expected);
	}
	for (uint32_t wide = 0; wide < 2; wide++) {
		enum tma_mode mode = wide ? TMA_MODE_IM2COL_W_128 : TMA_MODE_IM2COL_W;
		uint64_t expected = wide ? 2 * 16 * (128 + 4 * 5) : 2 * 16 * (50 + 5);

		assert_int_equal(tma_map_encode_im2col_wide(&map, TMA_MAP_SM_100, TMA_MAP_DATA_UINT16, 4,
		                                            memory, dim, strides, 0, 0, 16, 50, ones, 0, wide,
		                                            TMA_MAP_SWIZZLE_64B, 0, 0, NULL),
		                 0);
		put_map(&b, &map);
		assert_int_equal(tma_map_box_bytes(&map), wide ? 2 * 16 * 128 : 2 * 16 * 50);
		assert_int_equal(tma_map_load_bytes(&map, mode, 5), expected);
		assert_int_equal(tma_map_load_bytes(&map, TMA_MODE_IM2COL, 5), 0);
		assert_int_equal(load(&b, mode, 4, 1024, at, halo), expected);
	}
	tma_close(b.device);
}

TEST(test_no_bytes)
{
	struct tma_map map;

	memset(&map, 0xFF, sizeof(map));
	assert_int_equal(tma_map_box_bytes(NULL), 0);
	assert_int_equal(tma_map_box_bytes(&map), 0);
	assert_int_equal(tma_map_load_bytes(NULL, TMA_MODE_TILE, 0), 0);
	assert_int_equal(tma_map_load_bytes(&map, TMA_MODE_TILE, 0), 0);
}

/* Images of 16 channels of a byte, and what a filter looks at. */
#define CHANNELS 16u
#define IMAGES   2u

static uint8_t pixel(const struct tma_map_axis *axes, int64_t x, int64_t y, uint32_t n, uint32_t channel)
{
	if (x < 0 || x >= axes[0].size || y < 0 || y >= axes[1].size)
		return 0;
	return (uint8_t)(1 + (((n * axes[1].size + (uint64_t)y) * axes[0].size + (uint64_t)x) * CHANNELS +
	                      channel) %
	                             251);
}

static void expect_tap(const struct bench *b, const struct tma_map_axis *axes, const uint32_t *outputs,
                       const int32_t *lower, uint32_t tap_x, uint32_t tap_y)
{
	const int32_t at[5] = { 0, lower[0], lower[1], 0, 0 };
	const uint16_t offsets[] = { (uint16_t)(tap_x * axes[0].dilation),
		                     (uint16_t)(tap_y * axes[1].dilation), 0 };
	uint32_t pixels = outputs[0] * outputs[1] * IMAGES;
	uint8_t bytes[16384];

	assert_int_equal(load(b, TMA_MODE_IM2COL, 4, 1024, at, offsets), pixels * CHANNELS);
	assert_int_equal(tma_smem_read(b->device, 1024, bytes, pixels * CHANNELS), 0);
	for (uint32_t p = 0; p < pixels; p++)
		for (uint32_t channel = 0; channel < CHANNELS; channel++) {
			uint32_t q = p % outputs[0], r = p / outputs[0] % outputs[1],
				 n = p / outputs[0] / outputs[1];
			int64_t x = (int64_t)q * axes[0].stride + tap_x * axes[0].dilation -
			            (int64_t)axes[0].pad_low;
			int64_t y = (int64_t)r * axes[1].stride + tap_y * axes[1].dilation -
			            (int64_t)axes[1].pad_low;

			assert_int_equal(bytes[p * CHANNELS + channel], pixel(axes, x, y, n, channel));
		}
}

static void expect_convolution(const struct tma_map_axis *axes, uint32_t columns, uint32_t rows)
{
	const uint64_t dim[] = { CHANNELS, axes[0].size, axes[1].size, IMAGES };
	const uint64_t strides[] = { CHANNELS, CHANNELS * axes[0].size,
		                     CHANNELS * axes[0].size * axes[1].size };
	const uint32_t steps[] = { 1, axes[0].stride, axes[1].stride, 1 };
	struct bench b = open_bench();
	uint8_t *bytes = tma_memory_host(b.memory);
	int32_t lower[2], upper[2];
	uint32_t outputs[2];
	struct tma_map map;

	for (uint32_t n = 0; n < IMAGES; n++)
		for (uint32_t y = 0; y < axes[1].size; y++)
			for (uint32_t x = 0; x < axes[0].size; x++)
				for (uint32_t channel = 0; channel < CHANNELS; channel++)
					*bytes++ = pixel(axes, x, y, n, channel);
	for (uint32_t i = 0; i < 2; i++)
		assert_int_equal(tma_map_im2col_corner(&axes[i], &lower[i], &upper[i], &outputs[i], NULL), 0);
	assert_int_equal(outputs[0], columns);
	assert_int_equal(outputs[1], rows);
	assert_int_equal(tma_map_encode_im2col(&map, TMA_MAP_SM_90, TMA_MAP_DATA_UINT8, 4,
	                                       tma_memory_address(b.memory), dim, strides, lower, upper,
	                                       CHANNELS, columns * rows * IMAGES, steps, 0, 0, 0, 0, NULL),
	                 0);
	put_map(&b, &map);
	for (uint32_t tap_y = 0; tap_y < axes[1].filter; tap_y++)
		for (uint32_t tap_x = 0; tap_x < axes[0].filter; tap_x++)
			expect_tap(&b, axes, outputs, lower, tap_x, tap_y);
	tma_close(b.device);
}

TEST(test_convolutions)
{
	static const struct tma_map_axis plain[] = { { 9, 3, 1, 1, 1, 1 }, { 7, 3, 1, 1, 1, 1 } };
	static const struct tma_map_axis mixed[] = { { 10, 3, 2, 2, 1, 2 }, { 7, 2, 3, 1, 0, 4 } };
	static const struct tma_map_axis odd[] = { { 11, 4, 1, 3, 0, 0 }, { 8, 1, 1, 8, 0, 0 } };

	expect_convolution(plain, 9, 7);
	expect_convolution(mixed, 5, 8);
	expect_convolution(odd, 3, 1);
}

TEST(test_no_corner)
{
	static const struct tma_map_axis wrong[] = {
		{ 8, 0, 1, 1, 0, 0 },
		{ 8, 3, 0, 1, 0, 0 },
		{ 8, 3, 1, 0, 0, 0 },
		{ 8, 3, 1, 9, 0, 0 },
		{ 8, 9, 1, 1, 0, 0 },
		{ 8, 3, 1, 1, 32769, 0 },
		{ 8, 3, 32769, 1, 0, 0 },
		{ 8, 3, 1, 1, 0, 40000 },
		{ UINT32_MAX, UINT32_MAX, UINT32_MAX, 1, 0, 0 },
		{ 0, 1, 1, 1, 1, 0 },
		{ 0x80000001, 1, 1, 1, 0, 0 },
		{ UINT32_MAX, 1, 1, 1, 2, 0 },
	};
	struct tma_map_error error;
	int32_t lower = 5, upper = 5;
	uint32_t outputs = 5;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		error = (struct tma_map_error){ 0 };
		assert_int_equal(tma_map_im2col_corner(&wrong[i], &lower, &upper, &outputs, &error), 1);
		assert_non_null(error.parameter);
		assert_non_null(error.rule);
	}
	assert_int_equal(tma_map_im2col_corner(NULL, &lower, &upper, &outputs, &error), 1);
	assert_int_equal(tma_map_im2col_corner(&wrong[0], NULL, &upper, &outputs, &error), 1);
	assert_int_equal(tma_map_im2col_corner(&wrong[0], &lower, NULL, &outputs, &error), 1);
	assert_int_equal(tma_map_im2col_corner(&wrong[0], &lower, &upper, NULL, &error), 1);
	assert_string_equal(error.rule, "must not be NULL");
	assert_true(lower == 5 && upper == 5 && outputs == 5);
	assert_int_equal(tma_map_im2col_corner(&(struct tma_map_axis){ 8, 9, 1, 1, 1, 0 }, &lower, &upper,
	                                       &outputs, NULL),
	                 0);
	assert_true(lower == -1 && upper == -8 && outputs == 1);
}

int run_layout_tests(void)
{
	return run_file_tests("layout");
}
