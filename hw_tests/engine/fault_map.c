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

/* As REFUSED and ISSUED do; the address is that of the map. */
#define STILL(name, command, address, ...) CHANGED(name, command, still(p, c, address), __VA_ARGS__)
#define BAD_MAP(name, command, ...)        BUILD(name, bad_map(p, command), __VA_ARGS__)

static void still(struct fault_program *p, struct tma_command c, uint64_t address)
{
	fault_issued(p, c, address);
	p->moves = false;
}

static void bad_map(struct fault_program *p, struct tma_command c)
{
	still(p, c, FAULT_MAP);
}

STILL(map_behind_the_windows, fault_tile(p, TMA_TENSOR_LOAD), PAGE(FAULT_CLOSED_PAGE),
      c.global_address = PAGE(FAULT_CLOSED_PAGE))

/* The page of the ring may be read, that of the records may not. */
STILL(half_a_map, fault_tile(p, TMA_TENSOR_PREFETCH), PAGE(FAULT_COMPLETION_PAGE),
      c.global_address = PAGE(FAULT_COMPLETION_PAGE) - 64)
BUILD(map_slverr, fault_bad_page(p, FAULT_MAP_PAGE, SLVERR), bad_map(p, fault_tile(p, TMA_TENSOR_STORE)))
BUILD(map_decerr, fault_bad_page(p, FAULT_MAP_PAGE, DECERR), bad_map(p, fault_tile(p, TMA_TENSOR_PREFETCH)))
BAD_MAP(highest_map_bit, fault_tile(p, TMA_TENSOR_LOAD), fault_set_map(p, 1023, 1, 1))
BAD_MAP(bit_between_fields, fault_tile(p, TMA_TENSOR_STORE),
        fault_set_map(p, TMA_MAP_WIDE_LSB + TMA_MAP_WIDE_BITS, 1, 1))
BAD_MAP(rank_6, fault_tile(p, TMA_TENSOR_LOAD), SET(p, RANK, 5))
BAD_MAP(interleave_of_2, fault_tile(p, TMA_TENSOR_PREFETCH), SET(p, INTERLEAVE, TMA_RAW_INTERLEAVE_16B))
BAD_MAP(type_11, fault_tile(p, TMA_TENSOR_LOAD), SET(p, TYPE, 11))
BAD_MAP(tf32_of_bytes, fault_tile(p, TMA_TENSOR_LOAD), SET(p, TF32, 1))
BAD_MAP(wide_tile, fault_tile(p, TMA_TENSOR_LOAD), SET(p, WIDE, TMA_RAW_WIDE_W))
BAD_MAP(atom_without_128, fault_tile(p, TMA_TENSOR_LOAD), SET(p, SWIZZLE, TMA_RAW_SWIZZLE_64B),
        SET(p, ATOM, TMA_RAW_ATOM_32B))
BAD_MAP(nan_of_bytes, fault_tile(p, TMA_TENSOR_LOAD), SET(p, FILL, TMA_RAW_FILL_NAN))
BAD_MAP(tensor_by_8, fault_tile(p, TMA_TENSOR_STORE), SET(p, GLOBAL_ADDRESS, FAULT_GLOBAL + 8))
BAD_MAP(odd_nibbles, fault_tile(p, TMA_TENSOR_LOAD), SET(p, TYPE, TMA_RAW_TYPE_B4X16), SET(p, DIM, 63 - 1))
BAD_MAP(interleave_32_stride, fault_im2col(p, TMA_TENSOR_LOAD), SET(p, INTERLEAVE, TMA_RAW_INTERLEAVE_32B),
        SET(p, STRIDE_LOW, 48 / 16))
BAD_MAP(box_of_24, fault_tile(p, TMA_TENSOR_LOAD), SET(p, BOX, 24 - 1))
BAD_MAP(box_beyond_the_span, fault_tile(p, TMA_TENSOR_STORE), SET(p, SWIZZLE, TMA_RAW_SWIZZLE_32B))
BAD_MAP(a_box_too_large, fault_tile(p, TMA_TENSOR_PREFETCH), SET(p, TYPE, TMA_RAW_TYPE_U32),
        SET(p, BOX, 256 - 1), SET_ELEMENT(p, BOX, 1, 228 - 1))
BAD_MAP(an_empty_window, fault_im2col(p, TMA_TENSOR_LOAD), fault_set_map(p, CORNERS_LSB, 16, 8))
STILL(tile_1_of_2, fault_tile(p, TMA_TENSOR_LOAD), c.dim, c.dim = 1)
STILL(tile_of_an_im2col_map, fault_im2col(p, TMA_TENSOR_LOAD), c.mode, c.mode = TMA_MODE_TILE)
STILL(w_of_an_im2col_map, fault_im2col(p, TMA_TENSOR_PREFETCH), c.mode, c.mode = TMA_MODE_IM2COL_W)
STILL(gather_of_2_rows, fault_tile(p, TMA_TENSOR_LOAD), c.mode, c.mode = TMA_MODE_GATHER4,
      SET_ELEMENT(p, BOX, 1, 1))
BAD_MAP(store_with_flip, fault_tile(p, TMA_TENSOR_STORE), SET(p, SWIZZLE, TMA_RAW_SWIZZLE_128B),
        SET(p, ATOM, TMA_RAW_ATOM_32B_FLIP_8B))
BAD_MAP(store_into_the_padding, fault_im2col(p, TMA_TENSOR_STORE), fault_set_map(p, CORNERS_LSB, 16, 0xffff))
STILL(box_at_8, fault_tile(p, TMA_TENSOR_LOAD), 0xfffffff8, c.coord[0] = -8)
STILL(store_at_minus_1, fault_tile(p, TMA_TENSOR_STORE), 0xffffffff, c.coord[1] = -1)
STILL(start_right_of_the_window, fault_im2col(p, TMA_TENSOR_LOAD), 8, c.coord[1] = 8)
STILL(an_offset_of_9_bits, fault_im2col(p, TMA_TENSOR_LOAD), 256, c.dim = 4, c.im2col[1] = 256,
      SET(p, RANK, 4 - 1))
STILL(box_behind_the_memory, fault_tile(p, TMA_TENSOR_LOAD), c.shared_dst,
      c.shared_dst = p->shape.smem_bytes - 128, SET_ELEMENT(p, BOX, 1, 3 - 1))
STILL(source_behind_the_memory, fault_tile(p, TMA_TENSOR_STORE), c.shared_dst,
      c.shared_dst = p->shape.smem_bytes)

static void max_of_bytes(struct fault_program *p)
{
	struct tma_command c = fault_tile(p, TMA_TENSOR_REDUCE);

	c.op = TMA_REDUCE_MAX;
	fault_issued(p, c, TMA_REDUCE_MAX);
	if (!p->shape.reductions)
		p->skip = "reductions are not built";
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
	{ TMA_FAULT_TENSOR_REDUCE, "max of bytes", FAULT_BOTH_FRONTS, max_of_bytes },
};

const struct fault_list fault_map_cases = FAULT_LIST(cases);
