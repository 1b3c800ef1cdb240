/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_tensor_commands - every rule of tensor copies together with their map, at both of its edges.
 *
 * Spec: rtl/spec/tma.toml, faults 0x70 to 0x78; semantics 1.8, 2.2; M7, M24, M26, M27, M29
 * Checks: code and address of the fault, or none; of several broken rules the lowest code; nothing has
 *         moved and no barrier is told.
 */
#include "model_tensor_bases.h"

struct command_case {
	const char *name;
	enum base base;
	struct map_edit edits[3];
	struct tma_command command; /* but for the map's address and the barrier */
	uint16_t fault;
	uint64_t address;
};

#define LOAD(mode_, dim_, ...)                                                                           \
	{                                                                                                \
		.opcode = TMA_TENSOR_LOAD, .mode = (mode_), .dim = (dim_), .shared_dst = BOX, .coord = { \
			__VA_ARGS__                                                                      \
		}                                                                                        \
	}
#define STORE(mode_, dim_, ...)                                                                           \
	{                                                                                                 \
		.opcode = TMA_TENSOR_STORE, .mode = (mode_), .dim = (dim_), .shared_dst = BOX, .coord = { \
			__VA_ARGS__                                                                       \
		}                                                                                         \
	}
#define PREFETCH(mode_, dim_, ...)                                                                      \
	{                                                                                               \
		.opcode = TMA_TENSOR_PREFETCH, .mode = (mode_), .dim = (dim_), .coord = { __VA_ARGS__ } \
	}
#define LOAD_TO(dst, dim_)                                                    \
	{                                                                     \
		.opcode = TMA_TENSOR_LOAD, .dim = (dim_), .shared_dst = (dst) \
	}
#define OFFSETS(mode_, dim_, ...)                                                                         \
	{                                                                                                 \
		.opcode = TMA_TENSOR_LOAD, .mode = (mode_), .dim = (dim_), .shared_dst = BOX, .im2col = { \
			__VA_ARGS__                                                                       \
		}                                                                                         \
	}
#define MINUS(n) (UINT64_C(0x100000000) - (n))

/* clang-format off */
static const struct command_case command_cases[] = {
	{ "3 of 2 dimensions", TILE2, { { 0 } }, LOAD(0, 3, 0), TMA_FAULT_TENSOR_RANK, 3 },
	{ "4 of 5 dimensions, prefetch", TILE5, { { 0 } }, PREFETCH(0, 4, 0), TMA_FAULT_TENSOR_RANK, 4 },
	{ "3 of 4 dimensions, im2col", PIXELS4, { { 0 } }, LOAD(1, 3, 0), TMA_FAULT_TENSOR_RANK, 3 },
	{ "tile of im2col", PIXELS3, { { 0 } }, LOAD(0, 3, 0), TMA_FAULT_TENSOR_KIND, 0 },
	{ "im2col of a tile", TILE5, { { 0 } }, LOAD(1, 5, 0), TMA_FAULT_TENSOR_KIND, 1 },
	{ "im2col_no_offs of a tile", TILE5, { { 0 } }, STORE(2, 5, 0), TMA_FAULT_TENSOR_KIND, 2 },
	{ "im2col of w", W3, { { 0 } }, LOAD(1, 3, 0), TMA_FAULT_TENSOR_KIND, 1 },
	{ "w of im2col", PIXELS3, { { 0 } }, LOAD(5, 3, 0), TMA_FAULT_TENSOR_KIND, 5 },
	{ "w of w::128", W128, { { 0 } }, LOAD(5, 3, 0), TMA_FAULT_TENSOR_KIND, 5 },
	{ "w::128 of w", W3, { { 0 } }, PREFETCH(6, 3, 0), TMA_FAULT_TENSOR_KIND, 6 },
	{ "im2col_no_offs of w", W3, { { 0 } }, STORE(2, 3, 0), TMA_FAULT_TENSOR_KIND, 2 },
	{ "gather4, a box of 4 rows", TILE2, { { 0 } }, LOAD(3, 2, 0), TMA_FAULT_TENSOR_GATHER, 3 },
	{ "scatter4, a box of 4 rows", TILE2, { { 0 } }, STORE(4, 2, 0), TMA_FAULT_TENSOR_GATHER, 4 },
	{ "gather4, a box of one row", TILE2, { { BOX_(1), 0 } }, LOAD(3, 2, 0), NONE, 0 },
	{ "scatter4, a box of one row", TILE2, { { BOX_(1), 0 } }, STORE(4, 2, 0), NONE, 0 },
	{ "gather4 prefetch", TILE2, { { BOX_(1), 0 } }, PREFETCH(3, 2, 0), NONE, 0 },
	{ "store with flip", TILE2, { { SWIZZLE, 3 }, { ATOM, 2 } }, STORE(0, 2, 0), TMA_FAULT_TENSOR_STORE, MAP },
	{ "store with 32-byte atoms", TILE2, { { SWIZZLE, 3 }, { ATOM, 1 } }, STORE(0, 2, 0), NONE, 0 },
	{ "store with 64-byte atoms", TILE2, { { SWIZZLE, 3 }, { ATOM, 3 } }, STORE(0, 2, 0), NONE, 0 },
	{ "store of b4x16_p64", PADDED, { { 0 } }, STORE(0, 2, 0), TMA_FAULT_TENSOR_STORE, MAP },
	{ "store of b6p2x16", PADDED, { { TYPE, 15 } }, STORE(0, 2, 0), NONE, 0 },
	{ "store of b6p2x16, 64-byte atoms", PADDED, { { TYPE, 15 }, { SWIZZLE, 3 }, { ATOM, 3 } }, STORE(0, 2, 0), NONE, 0 },
	{ "scatter4 of b6p2x16", PADDED, { { TYPE, 15 }, { BOX_(1), 0 } }, STORE(4, 2, 0), NONE, 0 },
	{ "scatter4 of b4x16_p64", PADDED, { { BOX_(1), 0 } }, STORE(4, 2, 0), TMA_FAULT_TENSOR_STORE, MAP },
	{ "b6p2x16 from 64 on, store", PADDED, { { TYPE, 15 } }, STORE(0, 2, 64), TMA_FAULT_MISALIGNED_BOX, 64 },
	{ "b6p2x16 from -128 on, store", PADDED, { { TYPE, 15 } }, STORE(0, 2, -128), TMA_FAULT_NEGATIVE_COORDINATE,
	  MINUS(128) },
	{ "b4x16_p64 from 32 on", PADDED, { { 0 } }, LOAD(0, 2, 32), TMA_FAULT_MISALIGNED_BOX, 32 },
	{ "b6x16_p32 from -64 on", PADDED, { { TYPE, 15 } }, LOAD(0, 2, -64), TMA_FAULT_MISALIGNED_BOX, MINUS(64) },
	{ "b6x16_p32 from -128 on", PADDED, { { TYPE, 15 } }, LOAD(0, 2, -128), NONE, 0 },
	{ "store to left of the tensor", PIXELS3, { { LOWER, 0xffff } }, STORE(2, 3, 0), TMA_FAULT_TENSOR_STORE, MAP },
	{ "store to right of the tensor", PIXELS3, { { UPPER, 1 } }, STORE(2, 3, 0), TMA_FAULT_TENSOR_STORE, MAP },
	{ "store to behind the tensor", PIXELS4, { { UPPER8(1), 1 } }, STORE(2, 4, 0), TMA_FAULT_TENSOR_STORE, MAP },
	{ "store into less than the tensor", PIXELS3, { { LOWER, 1 }, { UPPER, 0xffff } }, STORE(2, 3, 0, 1), NONE, 0 },
	{ "load from left of the tensor", PIXELS3, { { LOWER, 0xffff } }, LOAD(1, 3, 0), NONE, 0 },
	{ "bytes from 8 on", TILE2, { { 0 } }, LOAD(0, 2, 8), TMA_FAULT_MISALIGNED_BOX, 8 },
	{ "bytes from -8 on", TILE2, { { 0 } }, LOAD(0, 2, -8), TMA_FAULT_MISALIGNED_BOX, MINUS(8) },
	{ "bytes from -16 on", TILE2, { { 0 } }, LOAD(0, 2, -16), NONE, 0 },
	{ "bytes from 8 on, store", TILE2, { { 0 } }, STORE(0, 2, 8), TMA_FAULT_MISALIGNED_BOX, 8 },
	{ "bytes from 8 on, prefetch", TILE2, { { 0 } }, PREFETCH(0, 2, 8), TMA_FAULT_MISALIGNED_BOX, 8 },
	{ "bytes from 8 on, gather4", TILE2, { { BOX_(1), 0 } }, LOAD(3, 2, 8), TMA_FAULT_MISALIGNED_BOX, 8 },
	{ "channels from 8 on", PIXELS3, { { 0 } }, LOAD(1, 3, 8), TMA_FAULT_MISALIGNED_BOX, 8 },
	{ "u64 from 1 on", TILE2, { { TYPE, 4 } }, LOAD(0, 2, 1), TMA_FAULT_MISALIGNED_BOX, 1 },
	{ "u64 from 2 on", TILE2, { { TYPE, 4 } }, LOAD(0, 2, 2), NONE, 0 },
	{ "b4x16 from 16 on", TILE2, { { TYPE, 13 }, { BOX_(0), 31 } }, LOAD(0, 2, 16), TMA_FAULT_MISALIGNED_BOX, 16 },
	{ "b4x16 from 32 on", TILE2, { { TYPE, 13 }, { BOX_(0), 31 } }, LOAD(0, 2, 32), NONE, 0 },
	{ "pixels from 1 on, interleaved", LAYERED, { { 0 } }, LOAD(0, 4, 1), NONE, 0 },
	{ "store of column -16", TILE2, { { 0 } }, STORE(0, 2, -16, -1), TMA_FAULT_NEGATIVE_COORDINATE, MINUS(16) },
	{ "store of row -1", TILE2, { { 0 } }, STORE(0, 2, 16, -1), TMA_FAULT_NEGATIVE_COORDINATE, MINUS(1) },
	{ "store, the last dimension", TILE5, { { 0 } }, STORE(0, 5, 0, 0, 0, 0, -7), TMA_FAULT_NEGATIVE_COORDINATE,
	  MINUS(7) },
	{ "scatter4, the last row", TILE2, { { BOX_(1), 0 } }, STORE(4, 2, 0, 0, 0, 0, -7),
	  TMA_FAULT_NEGATIVE_COORDINATE, MINUS(7) },
	{ "store of image -1", PIXELS3, { { 0 } }, STORE(2, 3, 0, 0, -1), TMA_FAULT_NEGATIVE_COORDINATE, MINUS(1) },
	{ "load of row -1", TILE2, { { 0 } }, LOAD(0, 2, 0, -1), NONE, 0 },
	{ "start left of the window", PIXELS3, { { LOWER, 2 } }, LOAD(1, 3, 0, 1), TMA_FAULT_IM2COL_START, 1 },
	{ "start at its left", PIXELS3, { { LOWER, 2 } }, LOAD(1, 3, 0, 2), NONE, 0 },
	{ "start at its right", PIXELS3, { { UPPER, 0xffff } }, LOAD(1, 3, 0, 6), NONE, 0 },
	{ "start right of it", PIXELS3, { { UPPER, 0xffff } }, LOAD(1, 3, 0, 7), TMA_FAULT_IM2COL_START, 7 },
	{ "start below it", PIXELS4, { { 0 } }, LOAD(1, 4, 0, 7, 4), TMA_FAULT_IM2COL_START, 4 },
	{ "start above it, and left", PIXELS4, { { 0 } }, LOAD(1, 4, 0, -2, -3), TMA_FAULT_IM2COL_START, MINUS(2) },
	{ "start above it, prefetch", PIXELS4, { { 0 } }, PREFETCH(1, 4, 0, 0, -3), TMA_FAULT_IM2COL_START, MINUS(3) },
	{ "start right of it, store", PIXELS3, { { 0 } }, STORE(2, 3, 0, 8), TMA_FAULT_IM2COL_START, 8 },
	{ "images are no part of it", PIXELS3, { { 0 } }, LOAD(1, 3, 0, 0, 100), NONE, 0 },
	{ "wide: start left of it", W3, { { 0 } }, LOAD(5, 3, 0, -100), NONE, 0 },
	{ "wide: start right of it", W3, { { 0 } }, LOAD(5, 3, 0, 8), TMA_FAULT_IM2COL_START, 8 },
	{ "wide: start right of it, 128", W128, { { UPPER, 0xffff } }, LOAD(6, 3, 0, 7), TMA_FAULT_IM2COL_START, 7 },
	{ "offset of 16 bits", PIXELS3, { { 0 } }, OFFSETS(1, 3, 0xffff), NONE, 0 },
	{ "offsets of 8 bits", PIXELS4, { { 0 } }, OFFSETS(1, 4, 255, 255), NONE, 0 },
	{ "offset of 9 bits", PIXELS4, { { 0 } }, OFFSETS(1, 4, 256, 300), TMA_FAULT_IM2COL_OFFSETS, 256 },
	{ "second offset of 9 bits", PIXELS4, { { 0 } }, OFFSETS(1, 4, 255, 300), TMA_FAULT_IM2COL_OFFSETS, 300 },
	{ "offsets of 5 bits", PIXELS5, { { 0 } }, OFFSETS(1, 5, 31, 31, 31), NONE, 0 },
	{ "third offset of 6 bits", PIXELS5, { { 0 } }, OFFSETS(1, 5, 31, 31, 32), TMA_FAULT_IM2COL_OFFSETS, 32 },
	{ "w: halo 256", W3, { { 0 } }, OFFSETS(5, 3, 256, 31), NONE, 0 },
	{ "w: halo 512", W3, { { 0 } }, OFFSETS(5, 3, 512, 32), TMA_FAULT_IM2COL_OFFSETS, 512 },
	{ "w: offset 32", W3, { { 0 } }, OFFSETS(5, 3, 1, 32), TMA_FAULT_IM2COL_OFFSETS, 32 },
	{ "w::128: halo 31", W128, { { 0 } }, OFFSETS(6, 3, 31, 31), NONE, 0 },
	{ "w::128: halo 32", W128, { { 0 } }, OFFSETS(6, 3, 32, 0), TMA_FAULT_IM2COL_OFFSETS, 32 },
	{ "w::128: offset 32", W128, { { 0 } }, OFFSETS(6, 3, 0, 32), TMA_FAULT_IM2COL_OFFSETS, 32 },
	{ "8 rows at the end of memory", TILE2, { { BOX_(1), 7 } }, LOAD_TO(SMEM_BYTES - 128, 2), NONE, 0 },
	{ "9 rows", TILE2, { { BOX_(1), 8 } }, LOAD_TO(SMEM_BYTES - 128, 2), TMA_FAULT_TENSOR_RANGE, SMEM_BYTES - 128 },
	{ "4 rows of a 32-byte span", TILE2, { { SWIZZLE, 1 } }, LOAD_TO(SMEM_BYTES - 128, 2), NONE, 0 },
	{ "4 rows of a 64-byte span", TILE2, { { SWIZZLE, 2 } }, LOAD_TO(SMEM_BYTES - 128, 2), TMA_FAULT_TENSOR_RANGE,
	  SMEM_BYTES - 128 },
	{ "one row of 96 bytes", TILE2, { { SWIZZLE96, 1 }, { BOX_(1), 0 } }, LOAD_TO(SMEM_BYTES - 128, 2), NONE, 0 },
	{ "two rows of 96 bytes", TILE2, { { SWIZZLE96, 1 }, { BOX_(1), 1 } }, LOAD_TO(SMEM_BYTES - 128, 2),
	  TMA_FAULT_TENSOR_RANGE, SMEM_BYTES - 128 },
	{ "behind the memory", TILE2, { { 0 } }, LOAD_TO(SMEM_BYTES, 2), TMA_FAULT_TENSOR_RANGE, SMEM_BYTES },
	{ "far behind the memory", TILE2, { { 0 } }, LOAD_TO(0xffff80, 2), TMA_FAULT_TENSOR_RANGE, 0xffff80 },
};
/* clang-format on */

FIXTURE_CASE(command_rule, const struct command_case *t)
{
	struct tma_command c = t->command;
	uint64_t words[16];

	map_encode(&bases[t->base], words);
	for (uint32_t e = 0; e < ARRAY_SIZE(t->edits); e++)
		map_edit(words, &t->edits[e]);
	put_words(f, MAP, words);
	c.version = TMA_COMMAND_VERSION;
	c.global_address = MAP;
	if (c.opcode == TMA_TENSOR_LOAD)
		c.barrier = BAR;
	issue(f, 0, c);
	if (t->fault == NONE)
		expect_no_record(f);
	else
		expect_still(f, t->fault, t->address);
}

TABLE_SUITE(test_model_tensor_commands, command_cases, command_rule)

/* The rest of the order, with a legal map: the command is mended. */
TEST(order_of_instruction_rules)
{
	struct map_fields m = bases[PIXELS4];
	struct fixture *f;
	struct tma_command c = tensor(TMA_TENSOR_STORE, TMA_MODE_SCATTER4, 2, 8, -3, -1, 0, 0);
	static const uint16_t faults[] = { TMA_FAULT_TENSOR_RANK,         TMA_FAULT_TENSOR_KIND,
		                           TMA_FAULT_TENSOR_STORE,        TMA_FAULT_MISALIGNED_BOX,
		                           TMA_FAULT_NEGATIVE_COORDINATE, TMA_FAULT_IM2COL_START,
		                           TMA_FAULT_TENSOR_RANGE,        NONE };

	m.upper[0] = 1;
	c.shared_dst = SMEM_BYTES;
	for (uint32_t i = 0; i < ARRAY_SIZE(faults); i++) {
		f = fixture_new();
		put_map(f, &m);
		issue(f, 0, c);
		assert_int_equal(status_of(f, 0).fault, faults[i]);
		fixture_free(f);
		switch (i) {
		case 0:
			c.mode = TMA_MODE_TILE;
			c.dim = 4;
			break;
		case 1:
			c.mode = TMA_MODE_IM2COL_NO_OFFS;
			break;
		case 2:
			m.upper[0] = 0;
			break;
		case 3:
			c.coord[0] = 0;
			break;
		case 4:
			c.coord[1] = 8;
			c.coord[2] = 0;
			break;
		case 5:
			c.coord[1] = 0;
			break;
		default:
			c.shared_dst = BOX;
		}
	}
}

LIST_SUITE(test_model_tensor_order)
