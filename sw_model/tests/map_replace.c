/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map_replace - edits of a map.
 *
 * Spec: semantics 1.13 (tensormap.replace), 2.2 R33
 * Checks: an edit gives the bits that encoding the new value gives, and touches nothing else; values that
 *         a field cannot hold, orders beyond, im2col maps.
 */
#include <string.h>

#include "map_test.h"

/* The edited map is the one that the changed call gives. */
#define SAME(edit, change)                                               \
	do {                                                             \
		struct map_call r = tiled_call(TMA_MAP_DATA_FLOAT32, 4); \
		struct tma_map map = map_of(r), expected;                \
		change;                                                  \
		expected = map_of(r);                                    \
		assert_int_equal(edit, 0);                               \
		assert_memory_equal(&map, &expected, sizeof(map));       \
	} while (0)

#define REFUSED(name, edit)                                                       \
	do {                                                                      \
		struct tma_map map = map_of(tiled_call(TMA_MAP_DATA_FLOAT32, 4)); \
		const struct tma_map before = map;                                \
		struct tma_map_error error = { 0 };                               \
		assert_int_equal(edit, 1);                                        \
		assert_string_equal(error.parameter, name);                       \
		assert_memory_equal(&map, &before, sizeof(map));                  \
	} while (0)

TEST(fields)
{
	SAME(tma_map_replace_global_address(&map, UINT64_C(0xFEDCBA9876543210), NULL),
	     r.address = UINT64_C(0xFEDCBA9876543210));
	SAME(tma_map_replace_box_dim(&map, 3, 256, NULL), r.box[3] = 256; r.box[1] = 4);
	SAME(tma_map_replace_box_dim(&map, 0, 4, NULL), r.box[0] = 4);
	SAME(tma_map_replace_global_dim(&map, 2, 0x87654321, NULL), r.dim[2] = 0x87654321);
	SAME(tma_map_replace_global_stride(&map, 0, UINT64_C(0xF123456780), NULL),
	     r.strides[0] = UINT64_C(0xF123456780));
	SAME(tma_map_replace_global_stride(&map, 2, 0, NULL), r.strides[2] = 0);
	SAME(tma_map_replace_element_stride(&map, 3, 8, NULL), r.element_strides[3] = 8);
	SAME(tma_map_replace_interleave_layout(&map, TMA_PTX_INTERLEAVE_LAYOUT_32B, NULL),
	     r.interleave = TMA_MAP_INTERLEAVE_32B);
	SAME(tma_map_replace_fill_mode(&map, TMA_PTX_FILL_MODE_NAN, NULL), r.fill = TMA_MAP_FILL_NAN);
	SAME(tma_map_replace_swizzle_mode(&map, TMA_PTX_SWIZZLE_MODE_64B, NULL),
	     r.swizzle = TMA_MAP_SWIZZLE_64B);
	SAME(tma_map_replace_swizzle_mode(&map, TMA_PTX_SWIZZLE_MODE_96B, NULL),
	     r.swizzle = TMA_MAP_SWIZZLE_96B);
	SAME(tma_map_replace_swizzle_mode(&map, TMA_PTX_SWIZZLE_MODE_96B, NULL) |
	             tma_map_replace_swizzle_mode(&map, TMA_PTX_SWIZZLE_MODE_128B, NULL),
	     r.swizzle = TMA_MAP_SWIZZLE_128B);
	SAME(tma_map_replace_swizzle_mode(&map, TMA_PTX_SWIZZLE_MODE_128B, NULL) |
	             tma_map_replace_swizzle_atomicity(&map, TMA_PTX_SWIZZLE_ATOMICITY_32B_FLIP_8B, NULL),
	     r.swizzle = TMA_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B);
	SAME(tma_map_replace_swizzle_atomicity(&map, TMA_PTX_SWIZZLE_ATOMICITY_64B, NULL) |
	             tma_map_replace_swizzle_mode(&map, TMA_PTX_SWIZZLE_MODE_128B, NULL),
	     r.swizzle = TMA_MAP_SWIZZLE_128B_ATOM_64B);
}

/* PTX has its own numbers of types; each also takes the tf32 bit away again. */
TEST(element_types)
{
	static const uint32_t driver[] = {
		TMA_MAP_DATA_UINT8,         TMA_MAP_DATA_UINT16,       TMA_MAP_DATA_UINT32,
		TMA_MAP_DATA_INT32,         TMA_MAP_DATA_UINT64,       TMA_MAP_DATA_INT64,
		TMA_MAP_DATA_FLOAT16,       TMA_MAP_DATA_FLOAT32,      TMA_MAP_DATA_FLOAT32_FTZ,
		TMA_MAP_DATA_FLOAT64,       TMA_MAP_DATA_BFLOAT16,     TMA_MAP_DATA_TFLOAT32,
		TMA_MAP_DATA_TFLOAT32_FTZ,  TMA_MAP_DATA_16U4_ALIGN8B, TMA_MAP_DATA_16U4_ALIGN16B,
		TMA_MAP_DATA_16U6_ALIGN16B,
	};
	struct map_call call = tiled_call(TMA_MAP_DATA_16U4_ALIGN16B, 2); /* a box that suits every type */

	for (uint32_t value = 0; value < 16; value++) {
		struct tma_map map, expected;

		call.type = TMA_MAP_DATA_TFLOAT32;
		map = map_of(call);
		call.type = driver[value];
		expected = map_of(call);
		assert_int_equal(tma_map_replace_elemtype(&map, value, NULL), 0);
		assert_memory_equal(&map, &expected, sizeof(map));
	}
}

/* What was beyond the smaller rank stays, and is not looked at. */
TEST(rank)
{
	struct tma_map map = map_of(tiled_call(TMA_MAP_DATA_FLOAT32, 3)), two;
	struct tma_map_info info, info_of_two;
	struct tma_map_error error;

	two = map_of(tiled_call(TMA_MAP_DATA_FLOAT32, 2));
	assert_int_equal(tma_map_replace_rank(&map, 1, NULL), 0);
	assert_int_equal(tma_map_decode(&two, &info_of_two, &error), 0);
	assert_int_equal(tma_map_decode(&map, &info, &error), 0);
	assert_memory_equal(&info, &info_of_two, sizeof(info));
	assert_int_equal(tma_map_replace_box_dim(&map, 2, 1, NULL), 0);
	assert_int_equal(tma_map_replace_global_dim(&map, 2, 1, NULL), 0);
	assert_int_equal(tma_map_replace_element_stride(&map, 2, 1, NULL), 0);
	assert_int_equal(tma_map_replace_global_stride(&map, 1, 0, NULL), 0);
	assert_memory_equal(&map, &two, sizeof(map));
}

TEST(refusals)
{
	REFUSED("rank", tma_map_replace_rank(&map, 5, &error));
	REFUSED("ord", tma_map_replace_box_dim(&map, 5, 1, &error));
	REFUSED("box_dim", tma_map_replace_box_dim(&map, 0, 0, &error));
	REFUSED("box_dim", tma_map_replace_box_dim(&map, 0, 257, &error));
	REFUSED("ord", tma_map_replace_global_dim(&map, 5, 1, &error));
	REFUSED("global_dim", tma_map_replace_global_dim(&map, 0, 0, &error));
	REFUSED("ord", tma_map_replace_global_stride(&map, 4, 16, &error));
	REFUSED("global_stride", tma_map_replace_global_stride(&map, 3, 24, &error));
	REFUSED("global_stride", tma_map_replace_global_stride(&map, 3, UINT64_C(1) << 40, &error));
	REFUSED("ord", tma_map_replace_element_stride(&map, 5, 1, &error));
	REFUSED("element_stride", tma_map_replace_element_stride(&map, 4, 0, &error));
	REFUSED("element_stride", tma_map_replace_element_stride(&map, 4, 9, &error));
	REFUSED("elemtype", tma_map_replace_elemtype(&map, 16, &error));
	REFUSED("interleave_layout", tma_map_replace_interleave_layout(&map, 3, &error));
	REFUSED("swizzle_mode", tma_map_replace_swizzle_mode(&map, 5, &error));
	REFUSED("swizzle_atomicity", tma_map_replace_swizzle_atomicity(&map, 4, &error));
	REFUSED("fill_mode", tma_map_replace_fill_mode(&map, 2, &error));
}

/* tensormap.replace knows tiled maps alone. */
TEST(im2col)
{
	struct tma_map map = map_of(im2col_call(TMA_MAP_DATA_FLOAT32, 4));
	const struct tma_map before = map;
	struct tma_map_error error;

	assert_int_equal(tma_map_replace_global_address(&map, 32, &error), 1);
	assert_string_equal(error.parameter, "tensorMap");
	assert_int_equal(tma_map_replace_box_dim(&map, 1, 1, &error), 1);
	assert_string_equal(error.parameter, "tensorMap");
	assert_int_equal(tma_map_replace_fill_mode(&map, 1, NULL), 1);
	assert_memory_equal(&map, &before, sizeof(map));
}

/* R33 */
TEST(address)
{
	struct map_call call = im2col_call(TMA_MAP_DATA_FLOAT32, 4);
	struct tma_map map = map_of(call), expected;
	struct tma_map_error error;

	call.address = 0x7FFF0010;
	expected = map_of(call);
	assert_int_equal(tma_map_replace_address(&map, 0x7FFF0010, &error), 0);
	assert_memory_equal(&map, &expected, sizeof(map));
	assert_int_equal(tma_map_replace_address(&map, 0x7FFF0018, &error), 1);
	assert_string_equal(error.parameter, "globalAddress");
	assert_memory_equal(&map, &expected, sizeof(map));

	call.interleave = TMA_MAP_INTERLEAVE_32B;
	call.address = 64;
	map = map_of(call);
	assert_int_equal(tma_map_replace_address(&map, 48, &error), 1);
	assert_int_equal(error.fault, TMA_FAULT_MAP_ADDRESS);
	assert_int_equal(tma_map_replace_address(&map, 96, &error), 0);
	map = map_of(tiled_call(TMA_MAP_DATA_16U6_ALIGN16B, 2));
	assert_int_equal(tma_map_replace_address(&map, 16, NULL), 1);
	assert_int_equal(tma_map_replace_address(&map, 32, NULL), 0);
	map = map_of(tiled_call(TMA_MAP_DATA_16U4_ALIGN8B, 2));
	assert_int_equal(tma_map_replace_address(&map, 16, NULL), 0);
}

int run_replace_tests(void)
{
	return run_file_tests("tests");
}
