/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map_decode - maps as bits: where every field lies, and every pattern that is no map.
 *
 * Spec: semantics 2.13; the faults MAP_RESERVED to MAP_CORNERS
 * Checks: each rule's fault and parameter, that the first in code order is the one named, that every bit
 *         of a map either is a field or must be zero or is a hint.
 */
#include <stdbool.h>
#include <string.h>

#include "map_test.h"

static void flip(struct tma_map *map, uint32_t bit)
{
	map->word[bit / 64] ^= UINT64_C(1) << bit % 64;
}

static void set(struct tma_map *map, uint32_t lsb, uint32_t bits, uint64_t value)
{
	for (uint32_t i = 0; i < bits; i++)
		if ((map->word[(lsb + i) / 64] >> (lsb + i) % 64 ^ value >> i) & 1)
			flip(map, lsb + i);
}

static void expect(const struct tma_map *map, enum tma_fault fault, const char *parameter, int line)
{
	struct tma_map_error error = { 0 };
	struct tma_map_info info, before;
	int result;

	memset(&info, 0x5A, sizeof(info));
	before = info;
	result = tma_map_decode(map, &info, &error);
	if (result != (fault != TMA_FAULT_NONE))
		fail_msg("line %d: answer %d", line, result);
	if (result && error.fault != fault)
		fail_msg("line %d: fault 0x%x, %s %s", line, (unsigned int)error.fault, error.parameter,
		         error.rule);
	if (!result)
		return;
	assert_string_equal(error.parameter, parameter);
	assert_memory_equal(&info, &before, sizeof(info));
	assert_int_equal(tma_map_decode(map, &info, NULL), 1);
}

#define EXPECT(name, parameter) expect(&map, TMA_FAULT_##name, parameter, __LINE__)
#define LEGAL()                 expect(&map, TMA_FAULT_NONE, "", __LINE__)

/* The words of one tiled and one im2col map, written out by hand. */
TEST(words)
{
	struct map_call call = tiled_call(TMA_MAP_DATA_TFLOAT32_FTZ, 3);
	struct tma_map map;

	call.swizzle = TMA_MAP_SWIZZLE_64B;
	call.fill = TMA_MAP_FILL_NAN;
	call.strides[1] = UINT64_C(0xABCDE12340);
	map = map_of(call);
	assert_true(map.word[0] == UINT64_C(0x123456789A0));
	/* rank 3, type 8, swizzle 2, fill, tf32, promotion 2; stride 2048 / 16 */
	assert_true(map.word[1] == (UINT64_C(2) << 4 | 8 << 7 | 2 << 13 | 1 << 15 | 1 << 16 | 2 << 17 |
	                            UINT64_C(128) << 32));
	assert_true(map.word[2] == UINT64_C(0xBCDE1234));
	assert_true(map.word[3] == UINT64_C(0xA) << 36);
	assert_true(map.word[4] == (UINT64_C(255) | UINT64_C(19) << 32));
	assert_true(map.word[5] == 18);
	assert_true(map.word[6] ==
	            (UINT64_C(0) << 32 | UINT64_C(1) << 35 | UINT64_C(2) << 38 | UINT64_C(15) << 56));
	assert_true(map.word[7] == (3 | 2 << 8));
	for (uint32_t i = 8; i < 16; i++)
		assert_true(map.word[i] == 0);

	call = im2col_call(TMA_MAP_DATA_BFLOAT16, 5);
	call.upper[2] = -16;
	call.interleave = TMA_MAP_INTERLEAVE_32B;
	map = map_of(call);
	assert_true((map.word[1] & UINT32_MAX) == (1 | 4 << 4 | 10 << 7 | 2 << 11 | 2 << 17));
	assert_true(map.word[6] >> 56 == 15);
	/* lower -1, -2, -3 from bit 0, upper 3, 2, -16 from bit 16; 100 pixels */
	assert_true(map.word[7] == (UINT64_C(31) | 30 << 5 | 29 << 10 | 3 << 16 | 2 << 21 |
	                            UINT64_C(16) << 26 | UINT64_C(99) << 32));
}

/* The extensions, bits 19 to 23 of word 1. */
TEST(extensions)
{
	static const uint64_t swizzle_bits[] = {
		0, 1 << 13, 2 << 13, 3 << 13, 3 << 13 | 1 << 19, 3 << 13 | 2 << 19, 3 << 13 | 3 << 19, 1 << 21
	};
	struct tma_map map;

	for (uint32_t swizzle = 0; swizzle < 8; swizzle++) {
		struct map_call call = tiled_call(TMA_MAP_DATA_UINT8, 1);

		call.swizzle = swizzle;
		map = map_of(call);
		assert_true(map.word[1] == (swizzle_bits[swizzle] | 2 << 17));
	}
	for (uint32_t mode = 0; mode < 2; mode++) {
		struct map_call call = wide_call(TMA_MAP_DATA_16U6_ALIGN16B, 4);

		call.mode = mode;
		map = map_of(call);
		assert_true((map.word[1] & UINT32_MAX) ==
		            (1u | 3 << 4 | 15 << 7 | 3 << 13 | 2 << 17 | (mode + 1) << 22));
		/* Corners as of rank 3: -1 and 3, whatever the rank; W128 has no pixels. */
		assert_true(map.word[7] == (UINT64_C(0xFFFF) | 3 << 16 | (mode ? 0 : UINT64_C(99) << 32)));
	}
}

/* Every bit, one at a time: those of dimensions beyond the rank may hold anything. */
TEST(reserved_bits)
{
	for (uint32_t rank = 1; rank <= 5; rank++) {
		const struct tma_map good = map_of(tiled_call(TMA_MAP_DATA_FLOAT32, rank));

		for (uint32_t bit = 64; bit < 1024; bit++) {
			struct tma_map map = good;
			bool header = bit == 64 || (bit >= 68 && bit < 88);
			bool hint = bit >= 512 && bit < 640;
			bool stride = bit >= 96 && bit < 240;
			bool dim = bit >= 256 && bit < 416;
			bool step = bit >= 416 && bit < 431;
			bool box = bit >= 440 && bit < 480;
			bool beyond = (step && bit >= 416 + 3 * rank) || (box && bit >= 440 + 8 * rank);

			flip(&map, bit);
			if (header)
				continue; /* changes what the others mean */
			if (hint || stride || dim || beyond)
				LEGAL();
			else if (!step && !box)
				EXPECT(MAP_RESERVED, "tensorMap");
		}
	}
}

/* Of im2col maps all 32 corner bits count, but of rank 5 two of them do not; pixels as well. */
TEST(reserved_im2col)
{
	for (uint32_t rank = 3; rank <= 5; rank++) {
		struct tma_map map = map_of(im2col_call(TMA_MAP_DATA_FLOAT32, rank));

		set(&map, 448, 32, 0);
		LEGAL();
		for (uint32_t bit = 448; bit < 490; bit++) {
			struct tma_map good = map;
			bool sign = bit == 463 || bit == 479;

			flip(&map, bit);
			if (sign && rank == 5)
				EXPECT(MAP_RESERVED, "tensorMap");
			else if (!(bit >= 448 && bit < 480)) /* corners may leave no window */
				LEGAL();
			map = good;
		}
		set(&map, 490, 1, 1);
		EXPECT(MAP_RESERVED, "tensorMap");
		map = map_of(wide_call(TMA_MAP_DATA_FLOAT32, rank));
		set(&map, 448, 32, 0x80008000); /* of a wide map both are signs in all ranks */
		LEGAL();
		flip(&map, 67);
		EXPECT(MAP_RESERVED, "tensorMap");
	}
}

/* What no encoder writes, in the order of the codes. */
TEST(illegal_headers)
{
	struct tma_map map = map_of(tiled_call(TMA_MAP_DATA_FLOAT32, 5));

	for (uint64_t rank = 5; rank < 8; rank++) {
		set(&map, 68, 3, rank);
		EXPECT(MAP_RANK, "tensorRank");
	}
	map = map_of(tiled_call(TMA_MAP_DATA_FLOAT32, 2));
	set(&map, 75, 2, 3); /* interleave with rank 2 comes before interleave 3 */
	EXPECT(MAP_RANK, "tensorRank");
	map = map_of(tiled_call(TMA_MAP_DATA_FLOAT32, 3));
	for (uint64_t type = 0; type < 16; type++) {
		set(&map, 71, 4, type);
		set(&map, 80, 1, 1);
		if (type == 7 || type == 8)
			LEGAL();
		else
			EXPECT(MAP_TYPE, "tensorDataType");
		set(&map, 80, 1, 0);
		if (type == 11 || type == 12)
			EXPECT(MAP_TYPE, "tensorDataType");
	}
	map = map_of(tiled_call(TMA_MAP_DATA_FLOAT32, 3));
	set(&map, 75, 2, 3);
	EXPECT(MAP_LAYOUT, "interleave");
	set(&map, 75, 2, 0);
	set(&map, 86, 2, 1);
	EXPECT(MAP_LAYOUT, "mode");
	map = map_of(wide_call(TMA_MAP_DATA_FLOAT32, 3));
	set(&map, 86, 2, 3);
	EXPECT(MAP_LAYOUT, "mode");
}

TEST(illegal_swizzles)
{
	struct tma_map map = map_of(tiled_call(TMA_MAP_DATA_FLOAT32, 3));

	for (uint64_t bits = 0; bits < 32; bits++) {
		uint64_t swizzle = bits & 3, atom = bits >> 2 & 3;
		bool s96 = bits >> 4;

		set(&map, 77, 2, swizzle);
		set(&map, 83, 2, atom);
		set(&map, 85, 1, s96);
		if ((atom && swizzle != 3) || (s96 && (swizzle || atom)))
			EXPECT(MAP_SWIZZLE, "swizzle");
		else if (swizzle == 1) /* 16 elements of 4 bytes are more than 32 */
			EXPECT(MAP_BOX, "boxDim[0]");
		else
			LEGAL();
	}
	map = map_of(tiled_call(TMA_MAP_DATA_FLOAT32, 3));
	set(&map, 75, 2, 1);
	LEGAL();
	set(&map, 85, 1, 1);
	EXPECT(MAP_SWIZZLE, "swizzle");
}

/* One rule each that needs no strange header, and two at once. */
TEST(illegal_values)
{
	struct tma_map map = map_of(tiled_call(TMA_MAP_DATA_UINT32, 3));

	set(&map, 79, 1, 1);
	EXPECT(MAP_FILL, "oobFill");
	flip(&map, 3);
	EXPECT(MAP_FILL, "oobFill");
	set(&map, 79, 1, 0);
	EXPECT(MAP_ADDRESS, "globalAddress");

	map = map_of(tiled_call(TMA_MAP_DATA_16U4_ALIGN16B, 3));
	set(&map, 256, 32, 64);
	EXPECT(MAP_DIM, "globalDim[0]");
	set(&map, 256, 32, 127);
	LEGAL();
	set(&map, 128, 1, 1);
	EXPECT(MAP_STRIDE, "globalStrides[1]");
	set(&map, 128, 1, 0);
	set(&map, 440, 8, 63);
	EXPECT(MAP_BOX, "boxDim[0]");
	set(&map, 440, 8, 127);
	set(&map, 448, 16, 0xFFFF); /* 256 x 256 rows of 64 bytes, strides of 2 and 3 */
	EXPECT(MAP_SIZE, "boxDim");

	map = map_of(im2col_call(TMA_MAP_DATA_UINT32, 4));
	set(&map, 288, 32, 2);
	set(&map, 448, 8, 6); /* lower 6, dim 3, upper 3 */
	EXPECT(MAP_CORNERS, "pixelBoxLowerCorner[0]");
	set(&map, 448, 8, 5);
	LEGAL();
	set(&map, 288, 32, 0x7FFFFFFF); /* 2^31 pixels and 3: negative */
	EXPECT(MAP_CORNERS, "pixelBoxLowerCorner[0]");
}

int run_decode_tests(void)
{
	return run_file_tests("tests");
}
