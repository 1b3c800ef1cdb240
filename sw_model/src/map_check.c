/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensor maps: the rules for what their fields can hold, the same for encoding one and for executing
 * it, in the order of the fault codes. Section 2.2 of the semantics.
 */
#include "map_priv.h"

int map_refuse(struct tma_map_error *error, enum tma_fault fault, const char *parameter, const char *rule)
{
	if (error)
		*error = (struct tma_map_error){ .parameter = parameter, .rule = rule, .fault = fault };
	return 1;
}

const char *map_element_name(enum map_array array, uint32_t i)
{
#define NAMES(name)                                                         \
	{                                                                   \
		name "[0]", name "[1]", name "[2]", name "[3]", name "[4]", \
	}
	static const char *const names[][TMA_MAP_MAX_RANK] = {
		[MAP_DIMS] = NAMES("globalDim"),
		[MAP_STRIDES] = NAMES("globalStrides"),
		[MAP_BOX] = NAMES("boxDim"),
		[MAP_ELEMENT_STRIDES] = NAMES("elementStrides"),
		[MAP_LOWER] = NAMES("pixelBoxLowerCorner"),
		[MAP_UPPER] = NAMES("pixelBoxUpperCorner"),
	};
#undef NAMES

	return names[array][i];
}

uint32_t map_swizzle_span(uint32_t swizzle)
{
	static const uint8_t spans[] = { 0, 32, 64, 128, 128, 128, 128, 96 };

	return swizzle < sizeof(spans) ? spans[swizzle] : 0;
}

uint32_t map_slice(uint32_t interleave)
{
	return interleave == TMA_MAP_INTERLEAVE_NONE ? 0 : interleave == TMA_MAP_INTERLEAVE_16B ? 16 : 32;
}

uint32_t map_box_elements(const struct tma_map_info *info, uint32_t i)
{
	if (!i && info->interleave == TMA_MAP_INTERLEAVE_NONE)
		return info->box[0];
	return (info->box[i] + info->element_strides[i] - 1) / info->element_strides[i];
}

/* At most 256^5 elements of 64 bits: no overflow. */
uint64_t map_box_bits(const struct tma_map_info *info)
{
	uint64_t bits = map_type_bits(info->type);

	if (info->kind == TMA_MAP_IM2COL)
		return bits * info->channels * info->pixels;
	for (uint32_t i = 0; i < info->rank; i++)
		bits *= map_box_elements(info, i);
	return bits;
}

static int check_rank(const struct tma_map_info *info, struct tma_map_error *error)
{
	const char *rule = NULL;

	if (info->rank < 1 || info->rank > TMA_MAP_MAX_RANK)
		rule = "must be 1 to 5";
	else if (info->kind == TMA_MAP_IM2COL && info->rank < 3)
		rule = "must be 3 to 5 for im2col maps";
	else if (info->interleave != TMA_MAP_INTERLEAVE_NONE && info->rank < 3)
		rule = "must be 3 to 5 with interleave";
	return rule ? map_refuse(error, TMA_FAULT_MAP_RANK, "tensorRank", rule) : 0;
}

static int check_type(const struct tma_map_info *info, struct tma_map_error *error)
{
	if (map_type_bits(info->type))
		return 0;
	return map_refuse(error, TMA_FAULT_MAP_TYPE, "tensorDataType",
	                  "must be a type that exists, and tf32 goes with f32 and f32.ftz alone");
}

static int check_layout(const struct tma_map_info *info, struct tma_map_error *error)
{
	bool interleaved = info->interleave != TMA_MAP_INTERLEAVE_NONE;
	const char *rule = NULL;

	if (info->interleave > TMA_MAP_INTERLEAVE_32B)
		rule = "must be NONE, 16B or 32B";
	else if (interleaved && info->wide != TMA_RAW_WIDE_NONE)
		rule = "must be NONE in im2col wide maps";
	else if (interleaved && map_type_padded(info->type))
		rule = "must be NONE with 16U4_ALIGN16B and 16U6_ALIGN16B";
	if (rule)
		return map_refuse(error, TMA_FAULT_MAP_LAYOUT, "interleave", rule);

	if (info->wide > TMA_RAW_WIDE_W_128)
		rule = "must be W or W128";
	else if (info->wide != TMA_RAW_WIDE_NONE && info->kind != TMA_MAP_IM2COL)
		rule = "cannot be wide in a tiled map";
	return rule ? map_refuse(error, TMA_FAULT_MAP_LAYOUT, "mode", rule) : 0;
}

static const char *swizzle_rule(const struct tma_map_info *info)
{
	uint32_t swizzle = info->swizzle;
	bool flip = swizzle == TMA_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B;

	if (swizzle > TMA_MAP_SWIZZLE_96B)
		return "must exist: atoms of 32 and 64 bytes are of 128B alone, and 96B stands by itself";
	if (swizzle == TMA_MAP_SWIZZLE_96B) {
		if (info->interleave != TMA_MAP_INTERLEAVE_NONE)
			return "must not be 96B with interleave";
		if (map_type_padded(info->type))
			return "must not be 96B with 16U4_ALIGN16B and 16U6_ALIGN16B";
		if (info->wide == TMA_RAW_WIDE_W_128)
			return "must not be 96B with mode W128";
	} else if (map_type_padded(info->type)) {
		if (swizzle != TMA_MAP_SWIZZLE_NONE && (swizzle < TMA_MAP_SWIZZLE_128B || flip))
			return "must be NONE or 128B without flip with 16U4_ALIGN16B and 16U6_ALIGN16B";
	}
	if (info->wide != TMA_RAW_WIDE_NONE && swizzle != TMA_MAP_SWIZZLE_64B &&
	    swizzle != TMA_MAP_SWIZZLE_128B && swizzle != TMA_MAP_SWIZZLE_128B_ATOM_32B &&
	    swizzle != TMA_MAP_SWIZZLE_96B)
		return "must be 64B, 96B, 128B or 128B_ATOM_32B in im2col wide maps";
	return NULL;
}

static int check_fill(const struct tma_map_info *info, struct tma_map_error *error)
{
	bool floating = info->type >= TMA_MAP_DATA_FLOAT16 && info->type <= TMA_MAP_DATA_TFLOAT32_FTZ;

	if (info->fill == TMA_MAP_FILL_ZERO || floating)
		return 0;
	return map_refuse(error, TMA_FAULT_MAP_FILL, "oobFill",
	                  "must be zero with types that are not floating");
}

/* Interleave 32B and the padded types want 32 bytes of everything in global memory. */
static bool wants_32(const struct tma_map_info *info)
{
	return info->interleave == TMA_MAP_INTERLEAVE_32B || map_type_padded(info->type);
}

static const char *address_rule(const struct tma_map_info *info)
{
	if (info->address % 16)
		return "must be a multiple of 16 bytes";
	if (wants_32(info) && info->address % 32)
		return "must be a multiple of 32 bytes with interleave 32B, 16U4_ALIGN16B and 16U6_ALIGN16B";
	return NULL;
}

static const char *dim_rule(const struct tma_map_info *info)
{
	if (map_type_padded(info->type) && info->dim[0] % 128)
		return "must be a multiple of 128 elements with 16U4_ALIGN16B and 16U6_ALIGN16B";
	if (info->type == TMA_MAP_DATA_16U4_ALIGN8B && info->dim[0] % 2)
		return "must be a multiple of 2 elements with 16U4_ALIGN8B";
	return NULL;
}

static int check_strides(const struct tma_map_info *info, struct tma_map_error *error)
{
	for (uint32_t i = 0; wants_32(info) && i + 1 < info->rank; i++)
		if (info->strides[i] % 32)
			return map_refuse(
				error, TMA_FAULT_MAP_STRIDE, map_element_name(MAP_STRIDES, i),
				"must be a multiple of 32 bytes with interleave 32B, 16U4_ALIGN16B and "
				"16U6_ALIGN16B");
	return 0;
}

/* The row of a box, or the channels of a pixel. */
static const char *row_rule(const struct tma_map_info *info)
{
	uint32_t elements = info->kind == TMA_MAP_TILED ? info->box[0] : info->channels;
	uint32_t bits = elements * map_type_bits(info->type), span = map_swizzle_span(info->swizzle);

	if (bits % 128)
		return "times the element size must be a multiple of 16 bytes";
	if (map_type_padded(info->type) && elements != 128)
		return "must be 128 with 16U4_ALIGN16B and 16U6_ALIGN16B";
	if (info->interleave == TMA_MAP_INTERLEAVE_NONE && span && bits > 8 * span)
		return "times the element size must be at most the span of the swizzle";
	return NULL;
}

/* The driver computes the end of the window in 32 bits, and so does the engine. */
static int check_corners(const struct tma_map_info *info, struct tma_map_error *error)
{
	struct map_spatial spatial = map_spatial(info);

	for (uint32_t i = 0; i < spatial.count; i++) {
		uint32_t last = (uint32_t)(info->dim[spatial.first + i] - 1) + (uint32_t)info->upper[i];

		if (info->lower[i] > (int32_t)last)
			return map_refuse(error, TMA_FAULT_MAP_CORNERS, map_element_name(MAP_LOWER, i),
			                  "must be at most globalDim - 1 + pixelBoxUpperCorner: the window "
			                  "is empty");
	}
	return 0;
}

int map_check(const struct tma_map_info *info, struct tma_map_error *error)
{
	const char *rule;

	if (check_rank(info, error) || check_type(info, error) || check_layout(info, error))
		return 1;
	rule = swizzle_rule(info);
	if (rule)
		return map_refuse(error, TMA_FAULT_MAP_SWIZZLE, "swizzle", rule);
	if (check_fill(info, error))
		return 1;
	rule = address_rule(info);
	if (rule)
		return map_refuse(error, TMA_FAULT_MAP_ADDRESS, "globalAddress", rule);
	rule = dim_rule(info);
	if (rule)
		return map_refuse(error, TMA_FAULT_MAP_DIM, map_element_name(MAP_DIMS, 0), rule);
	if (check_strides(info, error))
		return 1;
	rule = row_rule(info);
	if (rule)
		return map_refuse(error, TMA_FAULT_MAP_BOX,
		                  info->kind == TMA_MAP_TILED ? "boxDim[0]" : "channelsPerPixel", rule);
	if (map_box_bits(info) > 8 * MAP_MAX_BYTES)
		return map_refuse(error, TMA_FAULT_MAP_SIZE,
		                  info->kind == TMA_MAP_TILED ? "boxDim" : "pixelsPerColumn",
		                  "must make a box of at most 232,448 bytes");
	return check_corners(info, error);
}
