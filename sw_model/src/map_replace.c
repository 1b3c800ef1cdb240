/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor maps: edits, the driver's and those of tensormap.replace. Section 1.13 of the semantics. */
#include "map_priv.h"

int tma_map_replace_address(struct tma_map *map, uint64_t address, struct tma_map_error *error)
{
	struct tma_map_info info;
	bool wants_32;

	if (!map)
		return map_refuse(error, TMA_FAULT_NONE, "tensorMap", "must not be NULL");
	map_read(map, &info);
	wants_32 = info.interleave == TMA_MAP_INTERLEAVE_32B || map_type_padded(info.type);
	if (address % (wants_32 ? 32 : 16)) /* R33 */
		return map_refuse(error, TMA_FAULT_MAP_ADDRESS, "globalAddress",
		                  wants_32 ? "must be a multiple of 32 bytes with this map"
		                           : "must be a multiple of 16 bytes");
	MAP_SET(map, GLOBAL_ADDRESS, address);
	return 0;
}

/* Can the edit be made at all? */
static int check(const struct tma_map *map, bool fits, const char *field, const char *rule,
                 struct tma_map_error *error)
{
	if (!map)
		return map_refuse(error, TMA_FAULT_NONE, "tensorMap", "must not be NULL");
	if (MAP_GET(map, IM2COL))
		return map_refuse(error, TMA_FAULT_NONE, "tensorMap", "must be tiled");
	return fits ? 0 : map_refuse(error, TMA_FAULT_NONE, field, rule);
}

int tma_map_replace_global_address(struct tma_map *map, uint64_t value, struct tma_map_error *error)
{
	if (check(map, true, "global_address", "", error))
		return 1;
	MAP_SET(map, GLOBAL_ADDRESS, value);
	return 0;
}

int tma_map_replace_rank(struct tma_map *map, uint32_t value, struct tma_map_error *error)
{
	if (check(map, value < TMA_MAP_MAX_RANK, "rank", "must be 0 to 4: the rank less one", error))
		return 1;
	MAP_SET(map, RANK, value);
	return 0;
}

int tma_map_replace_box_dim(struct tma_map *map, uint32_t ord, uint32_t value, struct tma_map_error *error)
{
	if (check(map, ord < TMA_MAP_BOX_ELEMENTS, "ord", "must be 0 to 4", error) ||
	    check(map, value - 1 < 256, "box_dim", "must be 1 to 256", error))
		return 1;
	MAP_SET_AT(map, BOX, ord, value - 1);
	return 0;
}

int tma_map_replace_global_dim(struct tma_map *map, uint32_t ord, uint32_t value, struct tma_map_error *error)
{
	if (check(map, ord < TMA_MAP_DIM_ELEMENTS, "ord", "must be 0 to 4", error) ||
	    check(map, value, "global_dim", "must be at least 1", error))
		return 1;
	MAP_SET_AT(map, DIM, ord, value - 1);
	return 0;
}

int tma_map_replace_global_stride(struct tma_map *map, uint32_t ord, uint64_t value,
                                  struct tma_map_error *error)
{
	if (check(map, ord < TMA_MAP_STRIDE_LOW_ELEMENTS, "ord", "must be 0 to 3", error) ||
	    check(map, !(value % 16) && !(value >> 40), "global_stride",
	          "must be a multiple of 16 bytes below 2^40", error))
		return 1;
	MAP_SET_AT(map, STRIDE_LOW, ord, value >> 4);
	MAP_SET_AT(map, STRIDE_HIGH, ord, value >> 36);
	return 0;
}

int tma_map_replace_element_stride(struct tma_map *map, uint32_t ord, uint32_t value,
                                   struct tma_map_error *error)
{
	if (check(map, ord < TMA_MAP_ELEMENT_STRIDE_ELEMENTS, "ord", "must be 0 to 4", error) ||
	    check(map, value - 1 < 8, "element_stride", "must be 1 to 8", error))
		return 1;
	MAP_SET_AT(map, ELEMENT_STRIDE, ord, value - 1);
	return 0;
}

/* PTX counts the tf32 types where a map has a bit for them, and otherwise as a map does. */
int tma_map_replace_elemtype(struct tma_map *map, enum tma_ptx_elemtype value, struct tma_map_error *error)
{
	bool tf32 = value == TMA_PTX_ELEMTYPE_TF32 || value == TMA_PTX_ELEMTYPE_TF32_FTZ;
	uint32_t type = value;

	if (check(map, type <= TMA_PTX_ELEMTYPE_B6X16_P32, "elemtype", "must be 0 to 15", error))
		return 1;
	if (tf32)
		type = value == TMA_PTX_ELEMTYPE_TF32 ? TMA_RAW_TYPE_F32 : TMA_RAW_TYPE_F32_FTZ;
	MAP_SET(map, TYPE, type);
	MAP_SET(map, TF32, tf32);
	return 0;
}

int tma_map_replace_interleave_layout(struct tma_map *map, enum tma_ptx_interleave_layout value,
                                      struct tma_map_error *error)
{
	if (check(map, (uint32_t)value <= TMA_PTX_INTERLEAVE_LAYOUT_32B, "interleave_layout",
	          "must be 0 to 2", error))
		return 1;
	MAP_SET(map, INTERLEAVE, value);
	return 0;
}

int tma_map_replace_swizzle_mode(struct tma_map *map, enum tma_ptx_swizzle_mode value,
                                 struct tma_map_error *error)
{
	bool is_96 = value == TMA_PTX_SWIZZLE_MODE_96B;

	if (check(map, (uint32_t)value <= TMA_PTX_SWIZZLE_MODE_96B, "swizzle_mode", "must be 0 to 4", error))
		return 1;
	MAP_SET(map, SWIZZLE, is_96 ? (uint32_t)TMA_RAW_SWIZZLE_NONE : (uint32_t)value);
	MAP_SET(map, SWIZZLE96, is_96);
	return 0;
}

int tma_map_replace_swizzle_atomicity(struct tma_map *map, enum tma_ptx_swizzle_atomicity value,
                                      struct tma_map_error *error)
{
	if (check(map, (uint32_t)value <= TMA_PTX_SWIZZLE_ATOMICITY_64B, "swizzle_atomicity",
	          "must be 0 to 3", error))
		return 1;
	MAP_SET(map, ATOM, value);
	return 0;
}

int tma_map_replace_fill_mode(struct tma_map *map, enum tma_ptx_fill_mode value, struct tma_map_error *error)
{
	if (check(map, (uint32_t)value <= TMA_PTX_FILL_MODE_NAN, "fill_mode", "must be 0 or 1", error))
		return 1;
	MAP_SET(map, FILL, value);
	return 0;
}
