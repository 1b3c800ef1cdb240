/* SPDX-License-Identifier: Apache-2.0 */
/* What a tensor map means for shared memory and for barriers; im2col windows of convolutions. */
#include "map_priv.h"

#define BITS_OF_A_BYTE 8u
#define SEGMENTS       4u /* of a W_128 column, each with its halo */
#define MAX_AXIS       32768u
#define MAX_STRIDE     8u /* of an element stride */

/* An interleaved copy moves a slice to a pixel, whatever the box says of channels. */
static uint64_t slices(const struct tma_map_info *info)
{
	uint64_t pixels = 1;
	uint32_t i;

	if (info->kind != TMA_MAP_TILED)
		return info->pixels;
	for (i = 0; i < info->rank && i < TMA_MAP_MAX_RANK; i++)
		if (i != info->rank - 2)
			pixels *= map_box_elements(info, i);
	return pixels;
}

uint64_t map_box_bytes(const struct tma_map_info *info)
{
	uint32_t slice = map_slice(info->interleave);

	return slice ? slice * slices(info) : map_box_bits(info) / BITS_OF_A_BYTE;
}

uint64_t tma_map_box_bytes(const struct tma_map *map)
{
	struct tma_map_info info;

	return map && !tma_map_decode(map, &info, NULL) ? map_box_bytes(&info) : 0;
}

/* Does a load of that mode take such a map? */
static bool fits(const struct tma_map_info *info, enum tma_mode mode)
{
	switch (mode) {
	case TMA_MODE_TILE:
		return info->kind == TMA_MAP_TILED;
	case TMA_MODE_GATHER4:
		return info->kind == TMA_MAP_TILED && info->rank == 2 && info->box[1] == 1;
	case TMA_MODE_IM2COL:
		return info->kind == TMA_MAP_IM2COL && info->wide == TMA_RAW_WIDE_NONE;
	case TMA_MODE_IM2COL_W:
		return info->kind == TMA_MAP_IM2COL && info->wide == TMA_RAW_WIDE_W;
	case TMA_MODE_IM2COL_W_128:
		return info->kind == TMA_MAP_IM2COL && info->wide == TMA_RAW_WIDE_W_128;
	default:
		return false;
	}
}

uint64_t tma_map_load_bytes(const struct tma_map *map, enum tma_mode mode, uint32_t halo)
{
	struct tma_map_info info;
	uint64_t bytes;

	if (!map || tma_map_decode(map, &info, NULL) || !fits(&info, mode))
		return 0;
	bytes = map_box_bytes(&info);
	switch (mode) {
	case TMA_MODE_GATHER4:
		return 4 * bytes;
	case TMA_MODE_IM2COL_W:
		return bytes / info.pixels * (info.pixels + halo);
	case TMA_MODE_IM2COL_W_128:
		return bytes / info.pixels * (info.pixels + SEGMENTS * (uint64_t)halo);
	default:
		return bytes;
	}
}

/* Bits `count` from `to` on, XORed with as many from `from` on. */
static uint32_t xor_bits(uint32_t address, uint32_t to, uint32_t from, uint32_t count)
{
	return address ^ (address >> from & ((1u << count) - 1)) << to;
}

uint32_t tma_swizzle(enum tma_map_swizzle mode, uint32_t address)
{
	switch (mode) {
	case TMA_MAP_SWIZZLE_32B:
	case TMA_MAP_SWIZZLE_96B:
		return xor_bits(address, 4, 7, 1);
	case TMA_MAP_SWIZZLE_64B:
		return xor_bits(address, 4, 7, 2);
	case TMA_MAP_SWIZZLE_128B:
		return xor_bits(address, 4, 7, 3);
	case TMA_MAP_SWIZZLE_128B_ATOM_32B:
		return xor_bits(address, 5, 7, 2);
	case TMA_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B:
		return xor_bits(xor_bits(address, 5, 7, 2), 3, 7, 1);
	case TMA_MAP_SWIZZLE_128B_ATOM_64B:
		return xor_bits(address, 6, 7, 1);
	default:
		return address;
	}
}

int tma_map_im2col_corner(const struct tma_map_axis *axis, int32_t *lower, int32_t *upper, uint32_t *outputs,
                          struct tma_map_error *error)
{
	int64_t low, high, last;

	if (!axis || !lower || !upper || !outputs)
		return map_refuse(error, TMA_FAULT_NONE, "axis, lower, upper, outputs", "must not be NULL");
	if (axis->filter - 1 >= MAX_AXIS || axis->dilation - 1 >= MAX_AXIS)
		return map_refuse(error, TMA_FAULT_NONE, "filter, dilation", "must be 1 to 32768");
	if (axis->stride - 1 >= MAX_STRIDE)
		return map_refuse(error, TMA_FAULT_NONE, "stride", "must be 1 to 8");
	low = -(int64_t)axis->pad_low;
	high = (int64_t)axis->pad_high - (int64_t)(axis->filter - 1) * axis->dilation;
	if (low < INT16_MIN || high < INT16_MIN || high > INT16_MAX)
		return map_refuse(error, TMA_FAULT_NONE, "corners", "must be -32768 to 32767");
	if (!axis->size)
		return map_refuse(error, TMA_FAULT_MAP_DIM, "size", "must not be 0");
	last = (int64_t)axis->size - 1 + high;
	if (last < low)
		return map_refuse(error, TMA_FAULT_MAP_CORNERS, "size",
		                  "must, with its padding, hold the filter once");
	/* The encoder looks at it in two's complement of 32 bits. */
	if (last > INT32_MAX)
		return map_refuse(error, TMA_FAULT_MAP_CORNERS, "size",
		                  "must, with its padding, end below 2^31");
	*lower = (int32_t)low;
	*upper = (int32_t)high;
	*outputs = (uint32_t)((last - low) / axis->stride + 1);
	return 0;
}
