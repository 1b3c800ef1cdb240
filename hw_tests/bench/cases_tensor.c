/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of cases of tensor copies, and their boxes. Contracts and references: docs/performance.md.
 * The references are of one SM of an H200 with its data in L2, bytes or operations per clock.
 */
#include "tile.h"

enum tile {
	ROWS_16,
	ROWS_32,
	ROWS_IN_PAIRS,
	ROWS_64,
	ROWS_128,
	ROWS_256,
	ROWS_512,
	FOUR_ROWS,
	SMALLEST,
	DENSE_16,
	DENSE_48,
	DENSE_64,
	DENSE_256,
	DENSE_3D,
	DENSE_LARGE,
	PIXELS,
	PIXELS_PADDED,
	PIXELS_DENSE,
	PIXELS_DENSE_3X3,
	HALF_OF_ROWS,
	HALF_THE_ROWS,
	HALF_A_LINE,
	OUTSIDE,
	SWIZZLED,
	SWIZZLED_ODD,
	GATHER,
	INTERLEAVED_16,
	INTERLEAVED_32,
	PACKED_4,
	PACKED_6,
	SMALL_ROWS_16,
	SMALL_ROWS_32,
	SMALL_ROWS_64,
};

#define HALF STAGE_HALF

/* Boxes of `rows` rows of `bytes` bytes, one row of the tensor being `pitch` bytes. */
#define APART(bytes, rows, pitch)                                                                      \
	.type = TMA_MAP_DATA_UINT8, .rank = 2, .dim = { pitch, HALF / (pitch) }, .strides = { pitch }, \
	.box = { bytes, rows }, .step = { bytes, rows },                                               \
	.count = { (pitch) / (bytes), HALF / (pitch) / (rows) }
/* The same with rows that follow each other in memory: the tensor is as wide as the box. */
#define DENSE(bytes, rows)                                                                 \
	.type = TMA_MAP_DATA_UINT8, .rank = 2, .dim = { bytes, (HALF - 65536) / (bytes) }, \
	.strides = { bytes }, .box = { bytes, rows }, .step = { bytes, rows },             \
	.count = { 1, (HALF - 65536) / (bytes) / (rows) }

/* Pixels of 64 of 256 channels, 32 x 32 pixels, filters of 3 x 3. */
#define IMAGES                                                                                      \
	.mode = TMA_MODE_IM2COL, .type = TMA_MAP_DATA_UINT8, .rank = 4, .dim = { 256, 32, 32, 16 }, \
	.strides = { 256, 8192, 262144 }, .channels = 64, .pixels = 64, .step = { 64, 1, 2, 1 }
/* Pixels of 16 bytes, all channels, side by side; 8 lines of 32 of them. */
#define DENSE_IMAGES(width, images)                                                                          \
	.mode = TMA_MODE_IM2COL, .type = TMA_MAP_DATA_UINT8, .rank = 4, .dim = { 16, width, width, images }, \
	.strides = { 16, 16 * (width), 16 * (width) * (width) }, .channels = 16, .pixels = 256,              \
	.step = { 16, 32, 8, 1 }, .count = { 1, 1, 4, images }
/* 8 x 16 slices of a tensor of so many channels in each. */
#define SLICES(channels)                                                                     \
	.type = TMA_MAP_DATA_UINT16, .rank = 4, .dim = { channels, HALF / 2048, 4, 1 },      \
	.strides = { 512, HALF / 4, HALF }, .box = { 8, 16, 1, 1 }, .step = { 8, 16, 1, 1 }, \
	.count = { (channels) / 8, HALF / 2048 / 16, 4, 1 }
/* Rows of 128 values, which become 128 bytes of shared memory: two lines. */
#define PACKED(data, values)                                                                            \
	.type = data, .rank = 2, .dim = { values, HALF / 512 }, .strides = { 512 }, .box = { 128, 16 }, \
	.step = { 128, 16 }, .count = { (values) / 128, HALF / 512 / 16 }, .shared = 2048
/* Boxes of 16 rows of so many bytes, of a tensor that is narrower. */
#define NARROW(bytes, box_bytes)                                                                 \
	.type = TMA_MAP_DATA_UINT8, .rank = 2, .dim = { bytes, HALF / 512 }, .strides = { 512 }, \
	.box = { box_bytes, 16 }, .step = { 0, 16 }, .count = { 1, HALF / 512 / 16 }

const struct bench_tile bench_tiles[] = {
	[ROWS_16] = { APART(16, 16, 512), .beats = 16 },
	[ROWS_32] = { APART(32, 16, 512), .beats = 16 },
	/* Two in a line, which one beat brings; a write for each. */
	[ROWS_IN_PAIRS] = { APART(16, 16, 32), .beats = 8, .bound = 16 },
	[ROWS_64] = { APART(64, 16, 512), .beats = 16 },
	[ROWS_128] = { APART(128, 16, 512), .beats = 32 },
	[ROWS_256] = { APART(256, 8, 512), .beats = 32 },
	[ROWS_512] = { .type = TMA_MAP_DATA_UINT16,
	               .rank = 2,
	               .dim = { 512, HALF / 1024 },
	               .strides = { 1024 },
	               .box = { 256, 4 },
	               .step = { 256, 4 },
	               .count = { 2, HALF / 1024 / 4 },
	               .beats = 32 },
	[FOUR_ROWS] = { APART(64, 4, 512), .beats = 4 },
	[SMALLEST] = { APART(16, 1, 512), .beats = 1 },
	[DENSE_16] = { DENSE(16, 256), .beats = 64 },
	[DENSE_48] = { DENSE(48, 64), .beats = 48 },
	[DENSE_64] = { DENSE(64, 64), .beats = 64 },
	[DENSE_256] = { DENSE(256, 16), .beats = 64 },
	[DENSE_3D] = { .type = TMA_MAP_DATA_UINT8,
	               .rank = 3,
	               .dim = { 32, 8, HALF / 256 },
	               .strides = { 32, 256 },
	               .box = { 32, 8, 16 },
	               .step = { 32, 8, 16 },
	               .count = { 1, 1, HALF / 256 / 16 },
	               .beats = 64 },
	[DENSE_LARGE] = { DENSE(256, 256), .beats = 512 }, /* of 128 bytes */
	[PIXELS] = { IMAGES, .upper = { -2, -2 }, .count = { 4, 1, 14, 15 }, .beats = 64 },
	[PIXELS_PADDED] = { IMAGES, .lower = { -1, -1 }, .upper = { -1, -1 }, .start = { 0, -1, -1, 0 },
	                    .count = { 4, 1, 15, 15 }, .bound = 64 },
	[PIXELS_DENSE] = { DENSE_IMAGES(32, 64), .taps = 1, .beats = 64 },
	/* No tap begins at a line. */
	[PIXELS_DENSE_3X3] = { DENSE_IMAGES(36, 48), .offset = 16, .upper = { -4, -2 }, .beats = 72 },
	/* Half of every row, of one line, is outside; every second row; half of every row of one line. */
	[HALF_OF_ROWS] = { NARROW(64, 128), .beats = 16, .bound = 32 },
	[HALF_THE_ROWS] = { .type = TMA_MAP_DATA_UINT8,
	                    .rank = 3,
	                    .dim = { 512, 8, HALF / 4096 },
	                    .strides = { 512, 4096 },
	                    .box = { 64, 16, 1 },
	                    .step = { 64, 0, 1 },
	                    .count = { 8, 1, HALF / 4096 },
	                    .beats = 8,
	                    .bound = 16 },
	[HALF_A_LINE] = { NARROW(32, 64), .beats = 16 },
	[OUTSIDE] = { .type = TMA_MAP_DATA_UINT8,
	              .rank = 2,
	              .dim = { 64, 256 },
	              .strides = { 64 },
	              .box = { 64, 256 },
	              .start = { 0, 256 } },
	[SWIZZLED] = { APART(128, 16, 512), .swizzle = TMA_MAP_SWIZZLE_128B, .beats = 32 },
	[SWIZZLED_ODD] = { DENSE(128, 32), .swizzle = TMA_MAP_SWIZZLE_128B, .offset = 16, .beats = 65 },
	[GATHER] = { .mode = TMA_MODE_GATHER4,
	             .type = TMA_MAP_DATA_UINT8,
	             .rank = 2,
	             .dim = { 512, HALF / 512 },
	             .strides = { 512 },
	             .box = { 64, 1 },
	             .step = { 64 },
	             .count = { 8, 127 },
	             .beats = 4 },
	[INTERLEAVED_16] = { SLICES(32), .interleave = TMA_MAP_INTERLEAVE_16B, .beats = 32 },
	[INTERLEAVED_32] = { SLICES(16), .interleave = TMA_MAP_INTERLEAVE_32B, .swizzle = TMA_MAP_SWIZZLE_32B,
	                     .beats = 64 },
	[PACKED_4] = { PACKED(TMA_MAP_DATA_16U4_ALIGN16B, 1024), .beats = 16, .bound = 32 },
	[PACKED_6] = { PACKED(TMA_MAP_DATA_16U6_ALIGN16B, 512), .beats = 32 },
	/* Beats of 16 bytes. */
	[SMALL_ROWS_16] = { APART(16, 16, 512), .beats = 16 },
	[SMALL_ROWS_32] = { APART(32, 16, 512), .beats = 32 },
	[SMALL_ROWS_64] = { APART(64, 16, 512), .beats = 64 },
};

#define CASE(name, config, run, L, bytes, argument, rule, limit, stretch, ref)   \
	{                                                                        \
		name, config, run, L, bytes, argument, rule, limit, stretch, ref \
	}
#define TILE(name, L, bytes, tile, rule, limit, ref) \
	CASE("tile load, " name, "default", bench_tile_loads, L, bytes, tile, rule, limit, 0, ref)
#define SMALL(name, L, bytes, tile) \
	CASE("tile load, " name, "small", bench_tile_loads, L, bytes, tile, BENCH_REPORT, 0, 0, "")
#define STORE(name, L, bytes, tile, rule, limit, ref) \
	CASE("tile store, " name, "default", bench_tile_stores, L, bytes, tile, rule, limit, 0, ref)
#define BEYOND(name, bytes, tile)                                                                  \
	CASE("dense tile beyond bulk, " name, "default", bench_tile_beyond_bulk, 100, bytes, tile, \
	     BENCH_AT_MOST, 4, 0, "iDMA one burst a row")
#define STALLS(percent) ((percent) << 16)
#define CTAS(n)         ((n) << 16)
#define NOT_CACHED      (1 << 16)

const struct bench_case bench_tensor_cases[] = {
	CASE("tile: accept to first ARVALID", "default", bench_tile_launch, 100, 1024, ROWS_64, BENCH_AT_MOST,
	     8, 5, "DXA 4-10"),
	CASE("the same, map not cached", "default", bench_tile_launch, 100, 1024, ROWS_64 | NOT_CACHED,
	     BENCH_REPORT, 0, 0, ""),
	TILE("smallest", 100, 16, SMALLEST, BENCH_EACH, 3, "H200 one per 6.9"),
	TILE("4 rows of 64 B", 100, 256, FOUR_ROWS, BENCH_SHARE, 0.97, ""),

	TILE("rows of 16 B", 10, 256, ROWS_16, BENCH_REPORT, 0, ""),
	TILE("rows of 32 B", 10, 512, ROWS_32, BENCH_REPORT, 0, ""),
	TILE("rows of 64 B", 10, 1024, ROWS_64, BENCH_SHARE, 0.97, ""),
	TILE("rows of 128 B", 10, 2048, ROWS_128, BENCH_SHARE, 0.97, ""),
	TILE("rows of 256 B", 10, 2048, ROWS_256, BENCH_SHARE, 0.97, ""),
	TILE("rows of 512 B", 10, 2048, ROWS_512, BENCH_SHARE, 0.97, ""),
	TILE("rows of 16 B", 100, 256, ROWS_16, BENCH_REPORT, 0, "H200 15.9 B/clock, 0.99 rows"),
	TILE("rows of 32 B", 100, 512, ROWS_32, BENCH_REPORT, 0, "H200 31.4 B/clock"),
	TILE("rows of 64 B", 100, 1024, ROWS_64, BENCH_SHARE, 0.97, "H200 64.1 B/clock, 1.00 rows"),
	TILE("rows of 128 B", 100, 2048, ROWS_128, BENCH_SHARE, 0.97, "H200 106.8 B/clock"),
	TILE("rows of 256 B", 100, 2048, ROWS_256, BENCH_SHARE, 0.97, "H200 100.4 B/clock"),
	TILE("rows of 512 B", 100, 2048, ROWS_512, BENCH_SHARE, 0.97, ""),
	TILE("rows of 16 B", 400, 256, ROWS_16, BENCH_REPORT, 0, ""),
	TILE("rows of 32 B", 400, 512, ROWS_32, BENCH_REPORT, 0, ""),
	TILE("rows of 16 B, 32 B apart", 400, 256, ROWS_IN_PAIRS, BENCH_SHARE, 0.97, ""),
	TILE("rows of 64 B", 400, 1024, ROWS_64, BENCH_SHARE, 0.62, ""),
	TILE("rows of 128 B", 400, 2048, ROWS_128, BENCH_SHARE, 0.97, ""),
	TILE("rows of 256 B", 400, 2048, ROWS_256, BENCH_SHARE, 0.97, ""),
	TILE("rows of 512 B", 400, 2048, ROWS_512, BENCH_SHARE, 0.97, ""),
	TILE("rows of 128 B, swizzled", 100, 2048, SWIZZLED, BENCH_SHARE, 0.97, ""),

	BEYOND("16 B", 4096, DENSE_16),
	BEYOND("48 B", 3072, DENSE_48),
	BEYOND("64 B", 4096, DENSE_64),
	BEYOND("256 B", 4096, DENSE_256),
	BEYOND("3-D", 4096, DENSE_3D),
	TILE("dense, 64 B wide", 10, 4096, DENSE_64, BENCH_SHARE, 0.97, ""),
	TILE("dense, 16 B wide", 100, 4096, DENSE_16, BENCH_SHARE, 0.97, "H200 15.9 B/clock"),
	TILE("dense, 64 B wide", 100, 4096, DENSE_64, BENCH_SHARE, 0.97, "H200 61.9 B/clock"),
	TILE("dense, 256 B wide", 100, 4096, DENSE_256, BENCH_SHARE, 0.97, "H200 100.2 B/clock"),
	TILE("dense, 64 B wide", 400, 4096, DENSE_64, BENCH_SHARE, 0.97, ""),
	CASE("tile load, dense", "max", bench_tile_loads, 100, 65536, DENSE_LARGE, BENCH_RATE, 124, 0,
	     "H200 100.0 B/clock"),
	SMALL("rows of 16 B", 10, 256, SMALL_ROWS_16),
	SMALL("rows of 32 B", 10, 512, SMALL_ROWS_32),
	SMALL("rows of 64 B", 10, 1024, SMALL_ROWS_64),
	SMALL("rows of 64 B", 100, 1024, SMALL_ROWS_64),

	TILE("im2col 64 B pixels", 100, 4096, PIXELS, BENCH_SHARE, 0.97, "H200 0.98 pixels a clock"),
	TILE("im2col, padded image", 100, 4096, PIXELS_PADDED, BENCH_SHARE, 0.97, ""),
	TILE("im2col, dense 16 B pixels", 100, 4096, PIXELS_DENSE, BENCH_SHARE, 0.97, "H200 16 B a clock"),
	TILE("im2col, dense, 3 x 3", 100, 4096, PIXELS_DENSE_3X3, BENCH_SHARE, 0.97, ""),
	TILE("half of each row outside", 100, 2048, HALF_OF_ROWS, BENCH_SHARE, 0.97, ""),
	TILE("half the rows outside", 100, 1024, HALF_THE_ROWS, BENCH_SHARE, 0.97, ""),
	CASE("64 B load beside fill", "default", bench_beside_fill, 100, 16384, OUTSIDE, BENCH_AT_MOST, 164,
	     0, ""),
	TILE("half a line outside", 100, 1024, HALF_A_LINE, BENCH_SHARE, 0.95, ""),

	CASE("tile multicast to 4, beyond one", "default", bench_tile_multicast, 100, 1024, ROWS_64 | CTAS(4),
	     BENCH_AT_MOST, 2, 0, "DXA: n times the beats"),
	CASE("tile multicast to 16, beyond one", "max", bench_tile_multicast, 100, 1024, ROWS_64 | CTAS(16),
	     BENCH_AT_MOST, 2, 0, "DXA: n times the beats"),

	STORE("rows of 16 B", 100, 256, ROWS_16, BENCH_SHARE, 0.97, "iDMA 0.15 of a line"),
	STORE("rows of 32 B", 100, 512, ROWS_32, BENCH_SHARE, 0.97, ""),
	/* A row per cycle of the walker's is half a beat. */
	STORE("rows of 16 B, 32 B apart", 100, 256, ROWS_IN_PAIRS, BENCH_SHARE, 0.48, ""),
	STORE("rows of 16 B, 32 B apart", 400, 256, ROWS_IN_PAIRS, BENCH_SHARE, 0.48, ""),
	STORE("rows of 64 B", 100, 1024, ROWS_64, BENCH_SHARE, 0.97, "H200 bulk 31.8 B/clock"),
	STORE("rows of 128 B", 100, 2048, ROWS_128, BENCH_SHARE, 0.97, ""),
	STORE("rows of 256 B", 100, 2048, ROWS_256, BENCH_SHARE, 0.97, ""),
	STORE("rows of 512 B", 100, 2048, ROWS_512, BENCH_SHARE, 0.97, ""),
	STORE("4 rows of 64 B", 100, 256, FOUR_ROWS, BENCH_SHARE, 0.97, ""),
	STORE("rows of 128 B, swizzled", 100, 2048, SWIZZLED, BENCH_SHARE, 0.97, ""),
	STORE("6-bit, packed", 100, 1536, PACKED_6, BENCH_SHARE, 0.97, ""),
	STORE("dense, 64 B wide", 100, 4096, DENSE_64, BENCH_SHARE, 0.97, ""),

	CASE("tile loads of 4 queues", "default", bench_equal_shares, 100, 4096,
	     BENCH_SHARES(4, TMA_TENSOR_LOAD, DENSE_64), BENCH_SHARE, 0.95, 0, ""),
	CASE("tile stores of 4 queues", "default", bench_equal_shares, 100, 4096,
	     BENCH_SHARES(4, TMA_TENSOR_STORE, DENSE_64), BENCH_SHARE, 0.95, 0, ""),

	TILE("gather4 of 64 B", 100, 256, GATHER, BENCH_REPORT, 0, ""),
	TILE("interleaved 16 B", 100, 2048, INTERLEAVED_16, BENCH_REPORT, 0, ""),
	TILE("interleaved 32 B", 100, 4096, INTERLEAVED_32, BENCH_REPORT, 0, ""),
	TILE("swizzled, source +16", 100, 4096, SWIZZLED_ODD, BENCH_SHARE, 0.90, ""),
	TILE("4-bit, padded", 100, 1024, PACKED_4, BENCH_REPORT, 0, ""),
	TILE("6-bit, padded", 100, 1536, PACKED_6, BENCH_REPORT, 0, ""),
	TILE("64 B rows, 10 % stalls", 100, 1024, ROWS_64 | STALLS(10), BENCH_REPORT, 0, ""),
	STORE("64 B rows, 10 % stalls", 100, 1024, ROWS_64 | STALLS(10), BENCH_REPORT, 0, ""),
	CASE("tile prefetch, rows of 64 B", "default", bench_tile_prefetch, 100, 1024, ROWS_64, BENCH_REPORT,
	     0, 0, ""),
	CASE("tile prefetch, rows of 16 B, 32 B apart", "default", bench_tile_prefetch, 400, 256,
	     ROWS_IN_PAIRS, BENCH_SHARE, 0.48, 0, ""),
};

const uint32_t bench_num_tensor_cases = sizeof(bench_tensor_cases) / sizeof(*bench_tensor_cases);
