/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map_rules - every rule of the encoders, just inside and just outside.
 *
 * Spec: semantics 2.2, R1 to R34
 * Checks: the answer; of a refused call the parameter, that there is a rule in words and that the map is
 *         untouched; of an accepted one that decoding gives its arguments back.
 */
#include <string.h>

#include "map_test.h"

#define U8     TMA_MAP_DATA_UINT8
#define F16    TMA_MAP_DATA_FLOAT16
#define F32    TMA_MAP_DATA_FLOAT32
#define A4     TMA_MAP_DATA_16U4_ALIGN8B
#define P4     TMA_MAP_DATA_16U4_ALIGN16B
#define P6     TMA_MAP_DATA_16U6_ALIGN16B
#define ATOM32 TMA_MAP_SWIZZLE_128B_ATOM_32B
#define FLIP   TMA_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B
#define ATOM64 TMA_MAP_SWIZZLE_128B_ATOM_64B
#define SWZ96  TMA_MAP_SWIZZLE_96B

static void accept(const struct map_call *call, int line)
{
	const struct tma_map_info expected = map_call_info(call);
	struct tma_map_error error = { 0 };
	struct tma_map_info info;
	struct tma_map map;

	memset(&map, 0xFF, sizeof(map));
	memset(&info, 0xFF, sizeof(info));
	if (map_call(call, &map, &error))
		fail_msg("line %d: refused, %s %s", line, error.parameter, error.rule);
	if (tma_map_decode(&map, &info, &error))
		fail_msg("line %d: no legal map, %s %s", line, error.parameter, error.rule);
	if (memcmp(&info, &expected, sizeof(info)) != 0)
		fail_msg("line %d: decoded to something else", line);
}

static void refuse(const struct map_call *call, const char *parameter, int line)
{
	struct tma_map_error error = { 0 };
	struct tma_map map, before;

	memset(&map, 0xA5, sizeof(map));
	before = map;
	if (!map_call(call, &map, &error))
		fail_msg("line %d: accepted", line);
	assert_memory_equal(&map, &before, sizeof(map));
	if (!error.parameter || strcmp(error.parameter, parameter) != 0)
		fail_msg("line %d: refused for %s %s", line, error.parameter, error.rule);
	assert_non_null(error.rule);
	assert_true(strlen(error.rule) > 10);
	assert_int_equal(map_call(call, &map, NULL), 1);
}

/* A call with a change: INSIDE(tiled(U8, 2), r.rank = 1). */
#define INSIDE(call, change)              \
	do {                              \
		struct map_call r = call; \
		change;                   \
		accept(&r, __LINE__);     \
	} while (0)
#define OUTSIDE(parameter, call, change)         \
	do {                                     \
		struct map_call r = call;        \
		change;                          \
		refuse(&r, parameter, __LINE__); \
	} while (0)

#define tiled  tiled_call
#define im2col im2col_call
#define wide   wide_call

/* Only what the macros need not change. */
#define AS_IS (void)r

/* R1 */
TEST(map_pointer)
{
	alignas(64) unsigned char bytes[256];
	const struct map_call call = tiled(F32, 2);
	struct tma_map_error error;

	for (uint32_t offset = 0; offset <= 64; offset++) {
		int result = map_call(&call, (struct tma_map *)(void *)(bytes + offset), &error);

		assert_int_equal(result, offset % 64 != 0);
		if (result)
			assert_string_equal(error.parameter, "tensorMap");
	}
	assert_int_equal(map_call(&call, NULL, NULL), 1);
}

/* R2 */
TEST(types)
{
	for (uint32_t type = 0; type <= P6; type++) {
		INSIDE(tiled(type, 3), AS_IS);
		INSIDE(im2col(type, 3), AS_IS);
		INSIDE(wide(type, 3), AS_IS);
	}
	INSIDE(tiled(TMA_MAP_DATA_TFLOAT32_FTZ, 2), r.target = TMA_MAP_SM_90);
	OUTSIDE("tensorDataType", tiled(A4, 2), r.target = TMA_MAP_SM_90);
	OUTSIDE("tensorDataType", im2col(P6, 3), r.target = TMA_MAP_SM_90);
	OUTSIDE("tensorDataType", tiled(16, 2), AS_IS);
	OUTSIDE("tensorDataType", im2col(16, 3), AS_IS);
	OUTSIDE("tensorDataType", wide(UINT32_MAX, 3), AS_IS);
}

/* R3, R4 */
TEST(ranks)
{
	for (uint32_t rank = 1; rank <= 5; rank++)
		INSIDE(tiled(F32, rank), AS_IS);
	for (uint32_t rank = 3; rank <= 5; rank++) {
		INSIDE(tiled(F32, rank), r.interleave = TMA_MAP_INTERLEAVE_16B);
		INSIDE(im2col(F32, rank), AS_IS);
		INSIDE(wide(F32, rank), AS_IS);
	}
	OUTSIDE("tensorRank", tiled(F32, 0), AS_IS);
	OUTSIDE("tensorRank", tiled(F32, 6), AS_IS);
	OUTSIDE("tensorRank", tiled(F32, 2), r.interleave = TMA_MAP_INTERLEAVE_16B);
	OUTSIDE("tensorRank", im2col(F32, 2), AS_IS);
	OUTSIDE("tensorRank", im2col(F32, 6), AS_IS);
	OUTSIDE("tensorRank", wide(F32, 2), AS_IS);
	OUTSIDE("tensorRank", wide(F32, 6), AS_IS);
}

/* R5, R6, R7 */
TEST(addresses)
{
	INSIDE(tiled(F32, 3), r.address = 16);
	INSIDE(tiled(F32, 3), r.address = UINT64_C(0xFFFFFFFFFFFFFFF0));
	OUTSIDE("globalAddress", tiled(F32, 3), r.address = 0);
	OUTSIDE("globalAddress", tiled(F32, 3), r.address = 8);
	OUTSIDE("globalAddress", im2col(F32, 3), r.address += 1);
	OUTSIDE("globalAddress", wide(F32, 3), r.address += 15);
	INSIDE(tiled(F32, 3), r.interleave = TMA_MAP_INTERLEAVE_16B; r.address = 16);
	INSIDE(tiled(F32, 3), r.interleave = TMA_MAP_INTERLEAVE_32B; r.address = 32);
	OUTSIDE("globalAddress", tiled(F32, 3), r.interleave = TMA_MAP_INTERLEAVE_32B; r.address = 16);
	OUTSIDE("globalAddress", im2col(F32, 3), r.interleave = TMA_MAP_INTERLEAVE_32B; r.address = 48);
	INSIDE(tiled(A4, 2), r.address = 16);
	INSIDE(tiled(P4, 2), r.address = 96);
	OUTSIDE("globalAddress", tiled(P4, 2), r.address = 16);
	OUTSIDE("globalAddress", im2col(P6, 3), r.address = 16);
	OUTSIDE("globalAddress", wide(P6, 3), r.address = 16);
}

/* R8, R9, R10 */
TEST(dims)
{
	INSIDE(tiled(F32, 5), r.dim[4] = 1);
	INSIDE(tiled(F32, 5), r.dim[4] = UINT64_C(1) << 32);
	INSIDE(tiled(F32, 4), r.dim[4] = 0);
	INSIDE(tiled(U8, 2), r.dim[0] = 13);
	OUTSIDE("globalDim[4]", tiled(F32, 5), r.dim[4] = 0);
	OUTSIDE("globalDim[3]", tiled(F32, 5), r.dim[3] = (UINT64_C(1) << 32) + 1);
	OUTSIDE("globalDim[0]", im2col(F32, 3), r.dim[0] = 0);
	OUTSIDE("globalDim[2]", wide(F32, 3), r.dim[2] = UINT64_MAX);
	INSIDE(tiled(P4, 2), r.dim[0] = 128);
	OUTSIDE("globalDim[0]", tiled(P4, 2), r.dim[0] = 192);
	OUTSIDE("globalDim[0]", im2col(P6, 3), r.dim[0] = 127);
	OUTSIDE("globalDim[0]", wide(P6, 3), r.dim[0] = 129);
	INSIDE(tiled(A4, 2), r.dim[0] = 2);
	OUTSIDE("globalDim[0]", tiled(A4, 2), r.dim[0] = 3);
}

/* R11, R12, R13 */
TEST(strides)
{
	INSIDE(tiled(F32, 5), r.strides[0] = 0);
	INSIDE(tiled(F32, 5), r.strides[2] = 16);
	INSIDE(tiled(F32, 5), r.strides[3] = (UINT64_C(1) << 40) - 16);
	INSIDE(tiled(F32, 4), r.strides[3] = 1);
	OUTSIDE("globalStrides[1]", tiled(F32, 5), r.strides[1] = 8);
	OUTSIDE("globalStrides[3]", tiled(F32, 5), r.strides[3] = UINT64_C(1) << 40);
	OUTSIDE("globalStrides[0]", im2col(F32, 3), r.strides[0] = 24);
	OUTSIDE("globalStrides[1]", wide(F32, 3), r.strides[1] = UINT64_C(1) << 63);
	INSIDE(tiled(F32, 3), r.interleave = TMA_MAP_INTERLEAVE_16B; r.strides[0] = 48);
	OUTSIDE("globalStrides[0]", tiled(F32, 3), r.interleave = TMA_MAP_INTERLEAVE_32B; r.strides[0] = 48);
	INSIDE(tiled(A4, 2), r.strides[0] = 48);
	OUTSIDE("globalStrides[0]", tiled(P4, 2), r.strides[0] = 48);
	OUTSIDE("globalStrides[1]", im2col(P6, 3), r.strides[1] = 16);
	OUTSIDE("globalStrides[0]", wide(P6, 3), r.strides[0] = 16);
}

/* R14, R15, R16, R18 */
TEST(boxes)
{
	INSIDE(tiled(U8, 2), r.box[0] = 256);
	INSIDE(tiled(U8, 2), r.box[1] = 256);
	INSIDE(tiled(U8, 2), r.box[2] = 0);
	OUTSIDE("boxDim[0]", tiled(U8, 2), r.box[0] = 0);
	OUTSIDE("boxDim[1]", tiled(U8, 2), r.box[1] = 0);
	OUTSIDE("boxDim[0]", tiled(U8, 2), r.box[0] = 272);
	OUTSIDE("boxDim[4]", tiled(U8, 5), r.box[4] = 257);
	OUTSIDE("boxDim[0]", tiled(U8, 2), r.box[0] = 24);
	OUTSIDE("boxDim[0]", tiled(F16, 3), r.interleave = TMA_MAP_INTERLEAVE_16B; r.box[0] = 4);
	INSIDE(tiled(A4, 2), r.box[0] = 32);
	OUTSIDE("boxDim[0]", tiled(A4, 2), r.box[0] = 16);
	OUTSIDE("boxDim[0]", tiled(P4, 2), r.box[0] = 256);
	OUTSIDE("boxDim[0]", tiled(P6, 2), r.box[0] = 64);
	for (uint32_t swizzle = TMA_MAP_SWIZZLE_32B; swizzle <= SWZ96; swizzle++) {
		static const uint32_t span[] = { 0, 32, 64, 128, 128, 128, 128, 96 };

		INSIDE(tiled(U8, 2), r.swizzle = swizzle; r.box[0] = span[swizzle]);
		OUTSIDE("boxDim[0]", tiled(U8, 2), r.swizzle = swizzle; r.box[0] = span[swizzle] + 16);
	}
	INSIDE(tiled(F32, 3), r.swizzle = TMA_MAP_SWIZZLE_32B; r.interleave = TMA_MAP_INTERLEAVE_16B);
}

/* R17 */
TEST(element_strides)
{
	INSIDE(tiled(F32, 5), r.element_strides[0] = 8; r.element_strides[4] = 8);
	INSIDE(tiled(F32, 4), r.element_strides[4] = 0);
	OUTSIDE("elementStrides[0]", tiled(F32, 5), r.element_strides[0] = 0);
	OUTSIDE("elementStrides[0]", tiled(F32, 5), r.element_strides[0] = 9);
	OUTSIDE("elementStrides[4]", tiled(F32, 5), r.element_strides[4] = 9);
	OUTSIDE("elementStrides[2]", im2col(F32, 3), r.element_strides[2] = 0);
	OUTSIDE("elementStrides[1]", wide(F32, 3), r.element_strides[1] = 9);
}

/* R19, R28, R29 */
TEST(columns)
{
	INSIDE(im2col(U8, 3), r.channels = 256);
	OUTSIDE("channelsPerPixel", im2col(U8, 3), r.channels = 0);
	OUTSIDE("channelsPerPixel", im2col(U8, 3), r.channels = 272);
	OUTSIDE("channelsPerPixel", im2col(U8, 3), r.channels = 24);
	OUTSIDE("channelsPerPixel", im2col(U8, 3), r.interleave = TMA_MAP_INTERLEAVE_16B; r.channels = 8);
	OUTSIDE("channelsPerPixel", im2col(P4, 3), r.channels = 256);
	OUTSIDE("channelsPerPixel", wide(P6, 3), r.channels = 64);
	INSIDE(im2col(F16, 3), r.channels = 32; r.swizzle = TMA_MAP_SWIZZLE_64B);
	OUTSIDE("channelsPerPixel", im2col(F16, 3), r.channels = 40; r.swizzle = TMA_MAP_SWIZZLE_64B);
	INSIDE(wide(F16, 3), r.channels = 64);
	OUTSIDE("channelsPerPixel", wide(F16, 3), r.channels = 72);

	INSIDE(im2col(F32, 3), r.pixels = 1);
	INSIDE(im2col(F32, 3), r.pixels = 1024);
	OUTSIDE("pixelsPerColumn", im2col(F32, 3), r.pixels = 0);
	OUTSIDE("pixelsPerColumn", im2col(F32, 3), r.pixels = 1025);
	INSIDE(wide(F32, 3), r.pixels = 1024);
	OUTSIDE("pixelsPerColumn", wide(F32, 3), r.pixels = 1025);
	INSIDE(wide(F32, 3), r.mode = TMA_MAP_WIDE_MODE_W128; r.pixels = 1025);
}

/* R20, R34, R31 */
TEST(interleaves)
{
	INSIDE(tiled(F32, 3), r.interleave = TMA_MAP_INTERLEAVE_32B);
	INSIDE(im2col(A4, 3), r.interleave = TMA_MAP_INTERLEAVE_32B);
	OUTSIDE("interleave", tiled(F32, 3), r.interleave = 3);
	OUTSIDE("interleave", im2col(F32, 3), r.interleave = UINT32_MAX);
	OUTSIDE("interleave", tiled(P6, 3), r.interleave = TMA_MAP_INTERLEAVE_16B);
	OUTSIDE("interleave", im2col(P4, 3), r.interleave = TMA_MAP_INTERLEAVE_32B);
	OUTSIDE("interleave", wide(F32, 3), r.interleave = TMA_MAP_INTERLEAVE_16B);
}

/* R21 to R24, R32 */
TEST(swizzles)
{
	/* Bit s: swizzle s goes with the type. */
	static const uint32_t plain = 0xFF, padded = 1u << 0 | 1u << 3 | 1u << 4 | 1u << 6;
	static const uint32_t wide_w = 1u << 2 | 1u << 3 | 1u << 4 | 1u << 7, wide_w128 = wide_w & ~(1u << 7);
	static const uint32_t wide_padded = 1u << 3 | 1u << 4, sm_90 = 0xF;

	for (uint32_t s = 0; s <= 8; s++) {
		const struct {
			struct map_call call;
			uint32_t allowed;
		} cases[] = {
			{ tiled(F16, 2), plain },          { tiled(A4, 2), plain & ~2u },
			{ tiled(P4, 2), padded },          { tiled(P6, 2), padded },
			{ im2col(F16, 3), plain },         { im2col(P6, 3), padded },
			{ wide(F16, 3), wide_w },          { wide(F16, 3), wide_w128 },
			{ wide(P4, 3), wide_padded },      { tiled(F16, 3), sm_90 },
			{ tiled(F16, 3), plain & ~0x80u },
		};

		for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
			struct map_call r = cases[i].call;

			r.swizzle = s;
			if (cases[i].allowed == wide_w128)
				r.mode = TMA_MAP_WIDE_MODE_W128;
			if (cases[i].allowed == sm_90)
				r.target = TMA_MAP_SM_90;
			if (i == sizeof(cases) / sizeof(cases[0]) - 1)
				r.interleave = TMA_MAP_INTERLEAVE_32B; /* R21: of 32B with any */
			if (cases[i].allowed >> s & 1)
				accept(&r, (int)(1000 * i + s));
			else
				/* 32B is too short for 128 values of 4 bits. */
				refuse(&r, r.type == A4 && s == 1 ? "boxDim[0]" : "swizzle",
				       (int)(1000 * i + s));
		}
	}
}

/* R25 */
TEST(fills)
{
	for (uint32_t type = 0; type <= P6; type++) {
		if (type >= TMA_MAP_DATA_FLOAT16 && type <= TMA_MAP_DATA_TFLOAT32_FTZ)
			INSIDE(tiled(type, 3), r.fill = TMA_MAP_FILL_NAN);
		else
			OUTSIDE("oobFill", tiled(type, 3), r.fill = TMA_MAP_FILL_NAN);
	}
	INSIDE(im2col(F16, 3), r.fill = TMA_MAP_FILL_NAN);
	OUTSIDE("oobFill", im2col(U8, 3), r.fill = TMA_MAP_FILL_NAN);
	OUTSIDE("oobFill", wide(U8, 3), r.fill = TMA_MAP_FILL_NAN);
	OUTSIDE("oobFill", tiled(F32, 2), r.fill = 2);
}

/* R26: the ranges, and windows of one pixel and of none. */
TEST(corners)
{
	static const int32_t limit[] = { 32768, 128, 16 };

	for (uint32_t rank = 3; rank <= 5; rank++) {
		int32_t top = limit[rank - 3];
		uint32_t last = rank - 3;
		char lower[] = "pixelBoxLowerCorner[0]", upper[] = "pixelBoxUpperCorner[0]";

		lower[sizeof(lower) - 3] = upper[sizeof(upper) - 3] = (char)('0' + last);
		INSIDE(im2col(F32, rank), r.lower[last] = -top);
		INSIDE(im2col(F32, rank), r.upper[last] = top - 1);
		OUTSIDE(lower, im2col(F32, rank), r.lower[last] = -top - 1);
		OUTSIDE(upper, im2col(F32, rank), r.upper[last] = top);
		OUTSIDE(lower, im2col(F32, rank), r.lower[last] = top);
		OUTSIDE(upper, im2col(F32, rank), r.upper[last] = -top - 1);
		INSIDE(im2col(F32, rank), r.lower[last] = 4; r.upper[last] = -2; r.dim[last + 1] = 7);
		OUTSIDE(lower, im2col(F32, rank), r.lower[last] = 5; r.upper[last] = -2; r.dim[last + 1] = 7);
		/* With interleave the spatial dimensions start at 0. */
		INSIDE(im2col(F32, rank), r.interleave = 1; r.lower[last] = 4; r.upper[last] = -2;
		       r.dim[last] = 7);
		OUTSIDE(lower, im2col(F32, rank), r.interleave = 1; r.lower[last] = 5; r.upper[last] = -2;
		        r.dim[last] = 7);
	}
	/* 2^31 pixels and more are negative in 32 bits; 2^32 of them are -1 again. */
	OUTSIDE("pixelBoxLowerCorner[0]", im2col(F32, 3), r.dim[1] = (UINT64_C(1) << 31) + 1; r.upper[0] = 0);
	INSIDE(im2col(F32, 3), r.dim[1] = UINT64_C(1) << 31; r.upper[0] = 0);
	INSIDE(im2col(F32, 3), r.dim[1] = UINT64_C(1) << 32; r.lower[0] = 2; r.upper[0] = 3);
	OUTSIDE("pixelBoxLowerCorner[0]", im2col(F32, 3), r.dim[1] = UINT64_C(1) << 32; r.lower[0] = 3;
	        r.upper[0] = 3);
}

/* R27 */
TEST(wide_corners)
{
	INSIDE(wide(F32, 5), r.lower[0] = -32768; r.upper[0] = 32767);
	OUTSIDE("pixelBoxLowerCornerWidth", wide(F32, 5), r.lower[0] = -32769);
	OUTSIDE("pixelBoxUpperCornerWidth", wide(F32, 5), r.upper[0] = 32768);
	INSIDE(wide(F32, 5), r.lower[0] = 22; r.upper[0] = 3);
	OUTSIDE("pixelBoxLowerCorner[0]", wide(F32, 5), r.lower[0] = 23; r.upper[0] = 3);
	INSIDE(wide(F32, 5), r.mode = TMA_MAP_WIDE_MODE_W128);
	OUTSIDE("mode", wide(F32, 5), r.mode = 2);
	OUTSIDE("target", wide(F32, 5), r.target = TMA_MAP_SM_90);
}

/* R28b: 232,448 = 2^10 * 227 bytes. Element strides divide the box, that of dimension 0 only with
 * interleave; channels count with it, too. */
TEST(sizes)
{
	INSIDE(tiled(U8, 3), r.box[0] = 256; r.box[1] = 227; r.box[2] = 4;
	       r.element_strides[1] = r.element_strides[2] = 1);
	OUTSIDE("boxDim", tiled(U8, 3), r.box[0] = 256; r.box[1] = 228; r.box[2] = 4;
	        r.element_strides[1] = r.element_strides[2] = 1);
	INSIDE(tiled(U8, 3), r.box[0] = 256; r.box[1] = 256; r.box[2] = 14; r.element_strides[1] = 4;
	       r.element_strides[2] = 1);
	OUTSIDE("boxDim", tiled(U8, 3), r.box[0] = 256; r.box[1] = 256; r.box[2] = 15;
	        r.element_strides[0] = 8; r.element_strides[1] = 4; r.element_strides[2] = 1);
	INSIDE(tiled(U8, 3), r.box[0] = 256; r.box[1] = 256; r.box[2] = 15; r.element_strides[0] = 8;
	       r.element_strides[1] = 4; r.element_strides[2] = 1; r.interleave = TMA_MAP_INTERLEAVE_16B);
	OUTSIDE("boxDim", tiled(U8, 3), r.box[0] = 256; r.box[1] = 256; r.box[2] = 4;
	        r.element_strides[1] = r.element_strides[2] = 1; r.interleave = TMA_MAP_INTERLEAVE_16B);
	OUTSIDE("boxDim", tiled(TMA_MAP_DATA_UINT64, 5),
	        r.box[0] = r.box[1] = r.box[2] = r.box[3] = r.box[4] = 256);
	INSIDE(im2col(U8, 3), r.channels = 256; r.pixels = 908);
	OUTSIDE("pixelsPerColumn", im2col(U8, 3), r.channels = 256; r.pixels = 909);
	INSIDE(im2col(P6, 3), r.pixels = 1024);
}

/* R30 */
TEST(promotions)
{
	for (uint32_t promotion = 0; promotion <= 3; promotion++)
		INSIDE(tiled(F32, 2), r.promotion = promotion);
	OUTSIDE("l2Promotion", tiled(F32, 2), r.promotion = 4);
	OUTSIDE("l2Promotion", im2col(F32, 3), r.promotion = 4);
	OUTSIDE("l2Promotion", wide(F32, 3), r.promotion = 4);
}

/* Arrays that are not there; of rank 1 no strides are asked for. */
TEST(no_arrays)
{
	const struct map_call c = im2col(F32, 3);
	struct tma_map_error e;
	struct tma_map map;

	for (uint32_t missing = 0; missing < 6; missing++) {
		static const char *const names[] = {
			"globalDim",      "globalStrides",       "boxDim",
			"elementStrides", "pixelBoxLowerCorner", "pixelBoxUpperCorner"
		};
		const uint64_t *dim = missing == 0 ? NULL : c.dim, *stride = missing == 1 ? NULL : c.strides;
		const uint32_t *box = missing == 2 ? NULL : c.box;
		const uint32_t *es = missing == 3 ? NULL : c.element_strides;

		if (missing < 4) {
			assert_int_equal(tma_map_encode_tiled(&map, 1, F32, 3, 64, dim, stride, box, es, 0, 0,
			                                      0, 0, &e),
			                 1);
			assert_string_equal(e.parameter, names[missing]);
		}
		if (missing != 2) {
			assert_int_equal(tma_map_encode_im2col(&map, 1, F32, 3, 64, dim, stride,
			                                       missing == 4 ? NULL : c.lower,
			                                       missing == 5 ? NULL : c.upper, 16, 8, es, 0, 0,
			                                       0, 0, &e),
			                 1);
			assert_string_equal(e.parameter, names[missing]);
		}
	}
	assert_int_equal(tma_map_encode_tiled(&map, 1, F32, 1, 64, c.dim, NULL, c.box, c.element_strides, 0,
	                                      0, 0, 0, NULL),
	                 0);
}

int run_rule_tests(void)
{
	return run_file_tests("rules");
}
