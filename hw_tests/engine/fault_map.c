/* SPDX-License-Identifier: Apache-2.0 */
/* Faults 0x60 to 0x78: tensor maps that cannot be read, are none or do not fit their command. Nothing
 * moves, but the command has left its queue. */
#include "engine/fault_cases.h"

#define SLVERR  2
#define DECERR  3
#define PAGE(n) (FAULT_GLOBAL + (uint64_t)(n)*FAULT_PAGE)

#define SET(p, name, value) fault_set_map(p, TMA_MAP_##name##_LSB, TMA_MAP_##name##_BITS, value)
#define SET_ELEMENT(p, name, i, value) \
	fault_set_map(p, TMA_MAP_##name##_LSB + (i)*TMA_MAP_##name##_BITS, TMA_MAP_##name##_BITS, value)

/* The corners of an im2col map of rank 3. */
#define CORNERS_LSB (TMA_MAP_BOX_LSB + TMA_MAP_BOX_BITS)

static void still(struct fault_program *p, struct tma_command c, uint64_t address)
{
	fault_issued(p, c, address);
	p->moves = false;
}

static void bad_map(struct fault_program *p, struct tma_command c)
{
	still(p, c, FAULT_MAP);
}

static void map_behind_the_windows(struct fault_program *p)
{
	struct tma_command c = fault_tile(p, TMA_TENSOR_LOAD);

	c.global_address = PAGE(FAULT_CLOSED_PAGE);
	still(p, c, PAGE(FAULT_CLOSED_PAGE));
}

/* The page of the ring may be read, that of the records may not. */
static void half_a_map(struct fault_program *p)
{
	struct tma_command c = fault_tile(p, TMA_TENSOR_PREFETCH);

	c.global_address = PAGE(FAULT_COMPLETION_PAGE) - 64;
	still(p, c, PAGE(FAULT_COMPLETION_PAGE));
}

static void map_slverr(struct fault_program *p)
{
	fault_bad_page(p, FAULT_MAP_PAGE, SLVERR);
	bad_map(p, fault_tile(p, TMA_TENSOR_STORE));
}

static void map_decerr(struct fault_program *p)
{
	fault_bad_page(p, FAULT_MAP_PAGE, DECERR);
	bad_map(p, fault_tile(p, TMA_TENSOR_PREFETCH));
}

static void highest_map_bit(struct fault_program *p)
{
	bad_map(p, fault_tile(p, TMA_TENSOR_LOAD));
	fault_set_map(p, 1023, 1, 1);
}

static void bit_between_fields(struct fault_program *p)
{
	bad_map(p, fault_tile(p, TMA_TENSOR_STORE));
	fault_set_map(p, TMA_MAP_WIDE_LSB + TMA_MAP_WIDE_BITS, 1, 1);
}

static void rank_6(struct fault_program *p)
{
	bad_map(p, fault_tile(p, TMA_TENSOR_LOAD));
	SET(p, RANK, 5);
}

static void interleave_of_2(struct fault_program *p)
{
	bad_map(p, fault_tile(p, TMA_TENSOR_PREFETCH));
	SET(p, INTERLEAVE, TMA_INTERLEAVE_16B);
}

static void type_11(struct fault_program *p)
{
	bad_map(p, fault_tile(p, TMA_TENSOR_LOAD));
	SET(p, TYPE, 11);
}

static void tf32_of_bytes(struct fault_program *p)
{
	bad_map(p, fault_tile(p, TMA_TENSOR_LOAD));
	SET(p, TF32, 1);
}

static void wide_tile(struct fault_program *p)
{
	bad_map(p, fault_tile(p, TMA_TENSOR_LOAD));
	SET(p, WIDE, TMA_WIDE_W);
}

static void atom_without_128(struct fault_program *p)
{
	bad_map(p, fault_tile(p, TMA_TENSOR_LOAD));
	SET(p, SWIZZLE, TMA_SWIZZLE_64B);
	SET(p, ATOM, TMA_ATOM_32B);
}

static void nan_of_bytes(struct fault_program *p)
{
	bad_map(p, fault_tile(p, TMA_TENSOR_LOAD));
	SET(p, FILL, TMA_FILL_NAN);
}

static void tensor_by_8(struct fault_program *p)
{
	bad_map(p, fault_tile(p, TMA_TENSOR_STORE));
	SET(p, GLOBAL_ADDRESS, FAULT_GLOBAL + 8);
}

static void odd_nibbles(struct fault_program *p)
{
	bad_map(p, fault_tile(p, TMA_TENSOR_LOAD));
	SET(p, TYPE, TMA_MAP_TYPE_B4X16);
	SET(p, DIM, 63 - 1);
}

static void interleave_32_stride(struct fault_program *p)
{
	bad_map(p, fault_im2col(p, TMA_TENSOR_LOAD));
	SET(p, INTERLEAVE, TMA_INTERLEAVE_32B);
	SET(p, STRIDE_LOW, 48 / 16);
}

static void box_of_24(struct fault_program *p)
{
	bad_map(p, fault_tile(p, TMA_TENSOR_LOAD));
	SET(p, BOX, 24 - 1);
}

static void box_beyond_the_span(struct fault_program *p)
{
	bad_map(p, fault_tile(p, TMA_TENSOR_STORE));
	SET(p, SWIZZLE, TMA_SWIZZLE_32B);
}

static void a_box_too_large(struct fault_program *p)
{
	bad_map(p, fault_tile(p, TMA_TENSOR_PREFETCH));
	SET(p, TYPE, TMA_MAP_TYPE_U32);
	SET(p, BOX, 256 - 1);
	SET_ELEMENT(p, BOX, 1, 228 - 1);
}

static void an_empty_window(struct fault_program *p)
{
	bad_map(p, fault_im2col(p, TMA_TENSOR_LOAD));
	fault_set_map(p, CORNERS_LSB, 16, 8);
}

static void tile_1_of_2(struct fault_program *p)
{
	struct tma_command c = fault_tile(p, TMA_TENSOR_LOAD);

	c.dim = 1;
	still(p, c, c.dim);
}

static void tile_of_an_im2col_map(struct fault_program *p)
{
	struct tma_command c = fault_im2col(p, TMA_TENSOR_LOAD);

	c.mode = TMA_MODE_TILE;
	still(p, c, c.mode);
}

static void w_of_an_im2col_map(struct fault_program *p)
{
	struct tma_command c = fault_im2col(p, TMA_TENSOR_PREFETCH);

	c.mode = TMA_MODE_IM2COL_W;
	still(p, c, c.mode);
}

static void gather_of_2_rows(struct fault_program *p)
{
	struct tma_command c = fault_tile(p, TMA_TENSOR_LOAD);

	c.mode = TMA_MODE_GATHER4;
	SET_ELEMENT(p, BOX, 1, 1);
	still(p, c, c.mode);
}

static void store_with_flip(struct fault_program *p)
{
	bad_map(p, fault_tile(p, TMA_TENSOR_STORE));
	SET(p, SWIZZLE, TMA_SWIZZLE_128B);
	SET(p, ATOM, TMA_ATOM_32B_FLIP_8B);
}

static void store_into_the_padding(struct fault_program *p)
{
	bad_map(p, fault_im2col(p, TMA_TENSOR_STORE));
	fault_set_map(p, CORNERS_LSB, 16, 0xffff);
}

static void box_at_8(struct fault_program *p)
{
	struct tma_command c = fault_tile(p, TMA_TENSOR_LOAD);

	c.coord[0] = -8;
	still(p, c, 0xfffffff8);
}

static void store_at_minus_1(struct fault_program *p)
{
	struct tma_command c = fault_tile(p, TMA_TENSOR_STORE);

	c.coord[1] = -1;
	still(p, c, 0xffffffff);
}

static void start_right_of_the_window(struct fault_program *p)
{
	struct tma_command c = fault_im2col(p, TMA_TENSOR_LOAD);

	c.coord[1] = 8;
	still(p, c, 8);
}

static void an_offset_of_9_bits(struct fault_program *p)
{
	struct tma_command c = fault_im2col(p, TMA_TENSOR_LOAD);

	c.dim = 4;
	c.im2col[1] = 256;
	SET(p, RANK, 4 - 1);
	still(p, c, 256);
}

static void box_behind_the_memory(struct fault_program *p)
{
	struct tma_command c = fault_tile(p, TMA_TENSOR_LOAD);

	c.shared_dst = p->shape.smem_bytes - 128;
	SET_ELEMENT(p, BOX, 1, 3 - 1);
	still(p, c, c.shared_dst);
}

static void source_behind_the_memory(struct fault_program *p)
{
	struct tma_command c = fault_tile(p, TMA_TENSOR_STORE);

	c.shared_dst = p->shape.smem_bytes;
	still(p, c, c.shared_dst);
}

static const struct fault_case cases[] = {
	{ TMA_FAULT_MAP_WINDOW, "map behind the windows", FAULT_BOTH_FRONTS, map_behind_the_windows },
	{ TMA_FAULT_MAP_WINDOW, "second half of the map of a prefetch", FAULT_BOTH_FRONTS, half_a_map },
	{ TMA_FAULT_MAP_SLVERR, "map of a store", FAULT_BOTH_FRONTS, map_slverr },
	{ TMA_FAULT_MAP_DECERR, "map of a prefetch", FAULT_BOTH_FRONTS, map_decerr },
	{ TMA_FAULT_MAP_RESERVED, "highest bit", FAULT_BOTH_FRONTS, highest_map_bit },
	{ TMA_FAULT_MAP_RESERVED, "a bit between fields", FAULT_BOTH_FRONTS, bit_between_fields },
	{ TMA_FAULT_MAP_RANK, "rank 6", FAULT_BOTH_FRONTS, rank_6 },
	{ TMA_FAULT_MAP_RANK, "interleave with rank 2", FAULT_BOTH_FRONTS, interleave_of_2 },
	{ TMA_FAULT_MAP_TYPE, "type 11", FAULT_BOTH_FRONTS, type_11 },
	{ TMA_FAULT_MAP_TYPE, "tf32 of bytes", FAULT_BOTH_FRONTS, tf32_of_bytes },
	{ TMA_FAULT_MAP_LAYOUT, "a wide tile", FAULT_BOTH_FRONTS, wide_tile },
	{ TMA_FAULT_MAP_SWIZZLE, "32-byte atoms of swizzle 64B", FAULT_BOTH_FRONTS, atom_without_128 },
	{ TMA_FAULT_MAP_FILL, "NaN of bytes", FAULT_BOTH_FRONTS, nan_of_bytes },
	{ TMA_FAULT_MAP_ADDRESS, "tensor, by 8", FAULT_BOTH_FRONTS, tensor_by_8 },
	{ TMA_FAULT_MAP_DIM, "b4x16, an odd row", FAULT_BOTH_FRONTS, odd_nibbles },
	{ TMA_FAULT_MAP_STRIDE, "interleave 32B, stride 48", FAULT_BOTH_FRONTS, interleave_32_stride },
	{ TMA_FAULT_MAP_BOX, "a row of 24 bytes", FAULT_BOTH_FRONTS, box_of_24 },
	{ TMA_FAULT_MAP_BOX, "a row of 64 bytes, swizzle 32B", FAULT_BOTH_FRONTS, box_beyond_the_span },
	{ TMA_FAULT_MAP_SIZE, "1024 bytes too many", FAULT_BOTH_FRONTS, a_box_too_large },
	{ TMA_FAULT_MAP_CORNERS, "an empty window", FAULT_BOTH_FRONTS, an_empty_window },
	{ TMA_FAULT_TENSOR_RANK, "1 of 2 dimensions", FAULT_BOTH_FRONTS, tile_1_of_2 },
	{ TMA_FAULT_TENSOR_KIND, "a tile of an im2col map", FAULT_BOTH_FRONTS, tile_of_an_im2col_map },
	{ TMA_FAULT_TENSOR_KIND, "im2col_w of an im2col map", FAULT_BOTH_FRONTS, w_of_an_im2col_map },
	{ TMA_FAULT_TENSOR_GATHER, "a box of 2 rows", FAULT_BOTH_FRONTS, gather_of_2_rows },
	{ TMA_FAULT_TENSOR_STORE, "swizzle with flip", FAULT_BOTH_FRONTS, store_with_flip },
	{ TMA_FAULT_TENSOR_STORE, "a window beyond the tensor", FAULT_BOTH_FRONTS, store_into_the_padding },
	{ TMA_FAULT_MISALIGNED_BOX, "bytes from -8 on", FAULT_BOTH_FRONTS, box_at_8 },
	{ TMA_FAULT_NEGATIVE_COORDINATE, "row -1", FAULT_BOTH_FRONTS, store_at_minus_1 },
	{ TMA_FAULT_IM2COL_START, "right of the window", FAULT_BOTH_FRONTS, start_right_of_the_window },
	{ TMA_FAULT_IM2COL_OFFSETS, "rank 4, 9 bits", FAULT_BOTH_FRONTS, an_offset_of_9_bits },
	{ TMA_FAULT_TENSOR_RANGE, "load, a third row too far", FAULT_BOTH_FRONTS, box_behind_the_memory },
	{ TMA_FAULT_TENSOR_RANGE, "store from behind the memory", FAULT_BOTH_FRONTS,
	  source_behind_the_memory },
};

const struct fault_list fault_map_cases = FAULT_LIST(cases);
