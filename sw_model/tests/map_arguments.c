/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map_arguments - NULL for every pointer, and numbers that no enum has.
 *
 * Spec: tma_map.h
 * Checks: the call is refused with 1, the parameter is named, the map is as it was.
 */
#include <string.h>

#include "map_test.h"
#include "tma_tables.h"

/* `name` is the parameter that is refused. */
#define REFUSED(name, call)                                 \
	do {                                                \
		struct tma_map_error error = { 0 };         \
		assert_int_equal(call, 1);                  \
		assert_string_equal(error.parameter, name); \
		assert_int_equal(error.fault, 0);           \
	} while (0)

TEST(no_map)
{
	struct tma_map_info info;
	char text[4] = "abc";

	REFUSED("tensorMap", tma_map_decode(NULL, &info, &error));
	REFUSED("tensorMap", tma_map_replace_address(NULL, 0, &error));
	REFUSED("tensorMap", tma_map_replace_global_address(NULL, 0, &error));
	REFUSED("tensorMap", tma_map_replace_rank(NULL, 0, &error));
	REFUSED("tensorMap", tma_map_replace_box_dim(NULL, 0, 1, &error));
	REFUSED("tensorMap", tma_map_replace_global_dim(NULL, 0, 1, &error));
	REFUSED("tensorMap", tma_map_replace_global_stride(NULL, 0, 16, &error));
	REFUSED("tensorMap", tma_map_replace_element_stride(NULL, 0, 1, &error));
	REFUSED("tensorMap", tma_map_replace_elemtype(NULL, TMA_PTX_ELEMTYPE_U8, &error));
	REFUSED("tensorMap", tma_map_replace_interleave_layout(NULL, TMA_PTX_INTERLEAVE_LAYOUT_NONE, &error));
	REFUSED("tensorMap", tma_map_replace_swizzle_mode(NULL, TMA_PTX_SWIZZLE_MODE_NONE, &error));
	REFUSED("tensorMap", tma_map_replace_swizzle_atomicity(NULL, TMA_PTX_SWIZZLE_ATOMICITY_16B, &error));
	REFUSED("tensorMap", tma_map_replace_fill_mode(NULL, TMA_PTX_FILL_MODE_ZERO, &error));
	assert_int_equal(tma_map_describe(NULL, text, sizeof(text)), 0);
	assert_string_equal(text, "");
	assert_int_equal(tma_map_describe(NULL, NULL, 10), 0);
}

/* Without a place for the reason the answer is the same. */
TEST(no_error)
{
	struct tma_map map = map_of(tiled_call(TMA_MAP_DATA_UINT8, 2));

	assert_int_equal(tma_map_decode(NULL, NULL, NULL), 1);
	assert_int_equal(tma_map_replace_rank(NULL, 0, NULL), 1);
	assert_int_equal(tma_map_decode(&map, NULL, NULL), 1);
	REFUSED("info", tma_map_decode(&map, NULL, &error));
	assert_true(tma_map_describe(&map, NULL, 10) > 100);
}

/* Each pointer of an encoder by itself. */
#define WITHOUT(parameter, arrays)                                                                     \
	REFUSED(parameter, tma_map_encode_tiled(arrays, TMA_MAP_INTERLEAVE_NONE, TMA_MAP_SWIZZLE_NONE, \
	                                        TMA_MAP_PROMOTION_NONE, TMA_MAP_FILL_ZERO, &error))
#define TILED(map, dim, strides, box, steps) \
	map, TMA_MAP_SM_90, TMA_MAP_DATA_UINT8, 2, 4096, dim, strides, box, steps
#define WITHOUT_IM2COL(parameter, map, dim, strides, lower, upper, steps)                                   \
	REFUSED(parameter,                                                                                  \
	        tma_map_encode_im2col(map, TMA_MAP_SM_90, TMA_MAP_DATA_UINT8, 3, 4096, dim, strides, lower, \
	                              upper, 16, 1, steps, TMA_MAP_INTERLEAVE_NONE, TMA_MAP_SWIZZLE_NONE,   \
	                              TMA_MAP_PROMOTION_NONE, TMA_MAP_FILL_ZERO, &error))
#define WITHOUT_WIDE(parameter, map, dim, strides, steps)                                                    \
	REFUSED(parameter, tma_map_encode_im2col_wide(map, TMA_MAP_SM_100, TMA_MAP_DATA_UINT8, 3, 4096, dim, \
	                                              strides, 0, 0, 16, 1, steps, TMA_MAP_INTERLEAVE_NONE,  \
	                                              TMA_MAP_WIDE_MODE_W, TMA_MAP_SWIZZLE_128B,             \
	                                              TMA_MAP_PROMOTION_NONE, TMA_MAP_FILL_ZERO, &error))

TEST(no_arrays)
{
	const uint64_t dim[3] = { 16, 16, 16 }, strides[2] = { 16, 256 };
	const uint32_t box[3] = { 16, 1, 1 }, steps[3] = { 1, 1, 1 };
	const int32_t corner[1] = { 0 };
	struct tma_map map, before;

	memset(&map, 0x5A, sizeof(map));
	before = map;
	WITHOUT("tensorMap", TILED(NULL, dim, strides, box, steps));
	WITHOUT("globalDim", TILED(&map, NULL, strides, box, steps));
	WITHOUT("globalStrides", TILED(&map, dim, NULL, box, steps));
	WITHOUT("boxDim", TILED(&map, dim, strides, NULL, steps));
	WITHOUT("elementStrides", TILED(&map, dim, strides, box, NULL));
	WITHOUT_IM2COL("tensorMap", NULL, dim, strides, corner, corner, steps);
	WITHOUT_IM2COL("globalDim", &map, NULL, strides, corner, corner, steps);
	WITHOUT_IM2COL("globalStrides", &map, dim, NULL, corner, corner, steps);
	WITHOUT_IM2COL("pixelBoxLowerCorner", &map, dim, strides, NULL, corner, steps);
	WITHOUT_IM2COL("pixelBoxUpperCorner", &map, dim, strides, corner, NULL, steps);
	WITHOUT_IM2COL("elementStrides", &map, dim, strides, corner, corner, NULL);
	WITHOUT_WIDE("tensorMap", NULL, dim, strides, steps);
	WITHOUT_WIDE("globalDim", &map, NULL, strides, steps);
	WITHOUT_WIDE("globalStrides", &map, dim, NULL, steps);
	WITHOUT_WIDE("elementStrides", &map, dim, strides, NULL);
	assert_memory_equal(&map, &before, sizeof(map));
}

/* Numbers that a byte or a field of the map would cut to a right one. */
TEST(wrong_enums)
{
	static const uint32_t wrong[] = { 16, 64, 256, 0x10000, UINT32_MAX };
	struct tma_map map = map_of(tiled_call(TMA_MAP_DATA_UINT8, 2)), before = map;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct map_call type = tiled_call(TMA_MAP_DATA_UINT8, 2), target = type, interleave = type;
		struct map_call swizzle = type, promotion = type, fill = type;
		struct map_call mode = wide_call(TMA_MAP_DATA_UINT8, 3);

		type.type = interleave.interleave = swizzle.swizzle = promotion.promotion = wrong[i];
		fill.fill = mode.mode = wrong[i];
		target.target = (enum tma_map_target)wrong[i];
		REFUSED("tensorDataType", map_call(&type, &map, &error));
		REFUSED("target", map_call(&target, &map, &error));
		REFUSED("interleave", map_call(&interleave, &map, &error));
		REFUSED("swizzle", map_call(&swizzle, &map, &error));
		REFUSED("l2Promotion", map_call(&promotion, &map, &error));
		REFUSED("oobFill", map_call(&fill, &map, &error));
		REFUSED("mode", map_call(&mode, &map, &error));
		REFUSED("elemtype", tma_map_replace_elemtype(&map, wrong[i], &error));
		REFUSED("interleave_layout", tma_map_replace_interleave_layout(&map, wrong[i], &error));
		REFUSED("swizzle_mode", tma_map_replace_swizzle_mode(&map, wrong[i], &error));
		REFUSED("swizzle_atomicity", tma_map_replace_swizzle_atomicity(&map, wrong[i], &error));
		REFUSED("fill_mode", tma_map_replace_fill_mode(&map, wrong[i], &error));
		assert_memory_equal(&map, &before, sizeof(map));
	}
}

/* Of no command nothing is used; nowhere to put it is no crash. */
TEST(used_bits)
{
	const struct tma_command command = { .opcode = TMA_SIGNAL };
	uint8_t used[64], zero[64] = { 0 };

	memset(used, 0xFF, sizeof(used));
	tma_command_used_bits(NULL, used);
	assert_memory_equal(used, zero, sizeof(used));
	tma_command_used_bits(&command, NULL);
	tma_command_used_bits(&command, used);
	assert_int_equal(used[0], 0xFF);
}

int run_argument_tests(void)
{
	return run_file_tests("arguments");
}
