/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map_describe - maps in words.
 *
 * Checks: whole texts of every kind, of illegal maps, and texts that do not fit.
 */
#include <stdio.h>
#include <string.h>

#include "map_test.h"

static void check_text(const struct tma_map *map, const char *expected)
{
	char text[2000];

	assert_int_equal(tma_map_describe(map, text, sizeof(text)), strlen(expected));
	assert_string_equal(text, expected);
}

static const char tiled_text[] =
	"tiled tensor map of FLOAT16, rank 2, at 0x123456789a0\n"
	"  dimension        size  stride in bytes  element stride   box\n"
	"  0                256                2               1    16\n"
	"  1                 20             2048               2     4\n"
	"  box: 16 x 2 elements, 64 bytes\n"
	"  swizzle 128B_ATOM_64B, interleave none, L2 promotion 128B, out of bounds NaN\n";

TEST(tiled)
{
	struct map_call call = tiled_call(TMA_MAP_DATA_FLOAT16, 2);
	struct tma_map map;

	call.swizzle = TMA_MAP_SWIZZLE_128B_ATOM_64B;
	call.fill = TMA_MAP_FILL_NAN;
	map = map_of(call);
	check_text(&map, tiled_text);
}

/* A slice to a pixel, whatever box and element stride say of the dimension before the last. */
TEST(interleaved)
{
	struct map_call call = tiled_call(TMA_MAP_DATA_UINT32, 3);
	struct tma_map map;

	call.interleave = TMA_MAP_INTERLEAVE_32B;
	call.element_strides[0] = 3;
	map = map_of(call);
	check_text(&map, "tiled tensor map of UINT32, rank 3, at 0x123456789a0\n"
	                 "  dimension        size  stride in bytes  element stride   box\n"
	                 "  0                256               32               3    16\n"
	                 "  1                 20             2048               2     4\n"
	                 "  2                 19            40960               3     3\n"
	                 "  box: 6 slices of 32 bytes, 192 bytes\n"
	                 "  swizzle none, interleave 32B, L2 promotion 128B, out of bounds zero\n");
	call = im2col_call(TMA_MAP_DATA_UINT32, 4);
	call.interleave = TMA_MAP_INTERLEAVE_16B;
	map = map_of(call);
	check_text(&map, "im2col tensor map of UINT32, rank 4, at 0x123456789a0\n"
	                 "  dimension        size  stride in bytes  element stride  window\n"
	                 "  0 W              256               16               1  -1 to 258\n"
	                 "  1 H               20             2048               2  -2 to 21\n"
	                 "  2 C               19            40960               3\n"
	                 "  3 N               18           778240               4\n"
	                 "  column: 100 slices of 16 bytes, 1600 bytes\n"
	                 "  swizzle none, interleave 16B, L2 promotion 128B, out of bounds zero\n");
}

TEST(im2col)
{
	struct tma_map map = map_of(im2col_call(TMA_MAP_DATA_TFLOAT32, 5));

	check_text(&map, "im2col tensor map of TFLOAT32, rank 5, at 0x123456789a0\n"
	                 "  dimension        size  stride in bytes  element stride  window\n"
	                 "  0 C              256                4               1\n"
	                 "  1 W               20             2048               2  -1 to 22\n"
	                 "  2 H               19            40960               3  -2 to 20\n"
	                 "  3 D               18           778240               4  -3 to 18\n"
	                 "  4 N               17    1099511627744               5\n"
	                 "  column: 100 pixels of 16 channels, 6400 bytes\n"
	                 "  swizzle none, interleave none, L2 promotion 128B, out of bounds zero\n");
}

TEST(wide)
{
	struct map_call call = wide_call(TMA_MAP_DATA_16U6_ALIGN16B, 3);
	struct tma_map map;

	call.mode = TMA_MAP_WIDE_MODE_W128;
	call.promotion = TMA_MAP_PROMOTION_NONE;
	map = map_of(call);
	check_text(&map, "im2col::w::128 tensor map of 16U6_ALIGN16B, rank 3, at 0x123456789a0\n"
	                 "  dimension        size  stride in bytes  element stride  window\n"
	                 "  0 C              256           6 bits               1\n"
	                 "  1 W               20             2048               2  -1 to 22\n"
	                 "  2 N               19            40960               3\n"
	                 "  column: 128 pixels of 128 channels, 12288 bytes without halo\n"
	                 "  swizzle 128B, interleave none, L2 promotion none, out of bounds zero\n");
}

/* What can be read, no size, and why. */
TEST(illegal)
{
	struct tma_map map = map_of(tiled_call(TMA_MAP_DATA_FLOAT16, 1));

	map.word[1] |= UINT64_C(15) << 7 | UINT64_C(1) << 21 | UINT64_C(1) << 13 | UINT64_C(1) << 16;
	check_text(&map, "tiled tensor map of no type, rank 1, at 0x123456789a0\n"
	                 "  dimension        size  stride in bytes  element stride   box\n"
	                 "  0                256                0               1    16\n"
	                 "  swizzle no legal one, interleave none, L2 promotion 128B, out of bounds zero\n"
	                 "  illegal, MAP_TYPE: tensorDataType must be a type that exists, and tf32 goes with "
	                 "f32 and f32.ftz alone\n");
}

/* Cut where the room ends, and the length of the whole all the same. */
TEST(room)
{
	struct map_call call = tiled_call(TMA_MAP_DATA_FLOAT16, 2);
	char text[sizeof(tiled_text) + 8];
	struct tma_map map;

	call.swizzle = TMA_MAP_SWIZZLE_128B_ATOM_64B;
	call.fill = TMA_MAP_FILL_NAN;
	map = map_of(call);
	for (size_t size = 0; size <= sizeof(tiled_text); size++) {
		memset(text, '#', sizeof(text));
		assert_int_equal(tma_map_describe(&map, text, size), sizeof(tiled_text) - 1);
		assert_true(text[size] == '#');
		if (size) {
			assert_int_equal(strlen(text), size - 1);
			assert_memory_equal(text, tiled_text, size - 1);
		}
	}
	assert_int_equal(tma_map_describe(&map, NULL, 0), sizeof(tiled_text) - 1);
}

int run_describe_tests(void)
{
	return run_file_tests("tests");
}
