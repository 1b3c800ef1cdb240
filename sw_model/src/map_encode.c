/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensor maps: the driver's encoders. Here are the rules for arguments that no map could hold, and
 * those of the target; map_check() has the others. Rules R1 to R34 of section 2.2 of the semantics.
 */
#include <string.h>

#include "map_priv.h"

/* What all encoders take; of enums the number, which may be any. */
struct request {
	enum tma_map_target target;
	uint32_t type, rank;
	uint64_t address;
	const uint64_t *dim, *strides;
	const uint32_t *element_strides;
	uint32_t interleave, swizzle, promotion, fill;
};

/* A rule for one argument alone: no copy could ever meet what breaks it. */
static int refuse(struct tma_map_error *error, const char *parameter, const char *rule)
{
	return map_refuse(error, TMA_FAULT_NONE, parameter, rule);
}

static bool between(int64_t value, int64_t first, int64_t last)
{
	return first <= value && value <= last;
}

static int check_enums(const struct request *r, struct tma_map_error *error)
{
	bool sm_90 = r->target == TMA_MAP_SM_90;

	if (!sm_90 && r->target != TMA_MAP_SM_100)
		return refuse(error, "target", "must be sm_90 or sm_100");
	if (r->type > TMA_MAP_DATA_16U6_ALIGN16B) /* R2 */
		return refuse(error, "tensorDataType", "must be 0 to 15");
	if (sm_90 && r->type > TMA_MAP_DATA_TFLOAT32_FTZ)
		return refuse(error, "tensorDataType",
		              "must be 0 to 12 on sm_90: 4- and 6-bit types need sm_100");
	if (r->interleave > TMA_MAP_INTERLEAVE_32B) /* R34 */
		return refuse(error, "interleave", "must be NONE, 16B or 32B");
	if (r->swizzle > TMA_MAP_SWIZZLE_96B) /* R32 */
		return refuse(error, "swizzle", "must be 0 to 7");
	if (sm_90 && r->swizzle > TMA_MAP_SWIZZLE_128B)
		return refuse(error, "swizzle",
		              "must be NONE, 32B, 64B or 128B on sm_90: the others need sm_100");
	if (r->promotion > TMA_MAP_PROMOTION_256B) /* R30 */
		return refuse(error, "l2Promotion", "must be NONE, 64B, 128B or 256B");
	if (r->fill > TMA_MAP_FILL_NAN) /* R34 */
		return refuse(error, "oobFill", "must be zero or NaN");
	return 0;
}

static int check_arrays(const struct request *r, struct tma_map_error *error)
{
	if (!r->dim)
		return refuse(error, "globalDim", "must not be NULL");
	if (!r->strides && r->rank > 1)
		return refuse(error, "globalStrides", "must not be NULL");
	if (!r->element_strides)
		return refuse(error, "elementStrides", "must not be NULL");
	for (uint32_t i = 0; i < r->rank; i++) {
		if (!r->dim[i] || r->dim[i] > UINT64_C(1) << 32) /* R8 */
			return refuse(error, map_element_name(MAP_DIMS, i), "must be 1 to 2^32");
		if (i && r->strides[i - 1] % 16) /* R11 */
			return refuse(error, map_element_name(MAP_STRIDES, i - 1),
			              "must be a multiple of 16 bytes");
		if (i && r->strides[i - 1] >> 40)
			return refuse(error, map_element_name(MAP_STRIDES, i - 1),
			              "must be below 2^40 bytes");
		if (!between(r->element_strides[i], 1, 8)) /* R17 */
			return refuse(error, map_element_name(MAP_ELEMENT_STRIDES, i), "must be 1 to 8");
	}
	return 0;
}

/* Take over what all encoders have in common. */
static int take(const struct tma_map *map, const struct request *r, struct tma_map_info *info,
                struct tma_map_error *error)
{
	if (!map || (uintptr_t)map % 64) /* R1 */
		return refuse(error, "tensorMap", "must be at a multiple of 64 bytes");
	if (!between(r->rank, info->kind == TMA_MAP_IM2COL ? 3 : 1, TMA_MAP_MAX_RANK)) /* R3, R4 */
		return map_refuse(error, TMA_FAULT_MAP_RANK, "tensorRank",
		                  info->kind == TMA_MAP_IM2COL ? "must be 3 to 5 for im2col maps"
		                                               : "must be 1 to 5");
	if (!r->address) /* R5; edits allow it, for engines with memory there */
		return refuse(error, "globalAddress", "must not be NULL");
	if (check_enums(r, error) || check_arrays(r, error))
		return 1;

	info->type = r->type;
	info->rank = r->rank;
	info->address = r->address;
	info->interleave = r->interleave;
	info->swizzle = r->swizzle;
	info->promotion = r->promotion;
	info->fill = r->fill;
	memcpy(info->dim, r->dim, r->rank * sizeof(info->dim[0]));
	memcpy(info->element_strides, r->element_strides, r->rank * sizeof(info->element_strides[0]));
	if (r->rank > 1)
		memcpy(info->strides, r->strides, (r->rank - 1) * sizeof(info->strides[0]));
	return 0;
}

/* R28, R29; R28b and what depends on the type is map_check()'s. */
static int take_column(struct tma_map_info *info, uint32_t channels, uint32_t pixels,
                       struct tma_map_error *error)
{
	if (!between(channels, 1, 256))
		return refuse(error, "channelsPerPixel", "must be 1 to 256");
	if (info->wide == TMA_RAW_WIDE_W_128)
		pixels = 128;
	if (!between(pixels, 1, 1024))
		return refuse(error, "pixelsPerColumn", "must be 1 to 1024");
	info->channels = channels;
	info->pixels = pixels;
	return 0;
}

static int finish(struct tma_map *map, const struct tma_map_info *info, struct tma_map_error *error)
{
	if (map_check(info, error))
		return 1;
	map_write(map, info);
	return 0;
}

int tma_map_encode_tiled(struct tma_map *map, enum tma_map_target target, enum tma_map_data_type type,
                         uint32_t rank, uint64_t address, const uint64_t *dim, const uint64_t *strides,
                         const uint32_t *box, const uint32_t *element_strides,
                         enum tma_map_interleave interleave, enum tma_map_swizzle swizzle,
                         enum tma_map_promotion promotion, enum tma_map_fill fill,
                         struct tma_map_error *error)
{
	const struct request r = { target,          type,       rank,    address,   dim, strides,
		                   element_strides, interleave, swizzle, promotion, fill };
	struct tma_map_info info = { .kind = TMA_MAP_TILED };

	if (take(map, &r, &info, error))
		return 1;
	if (!box)
		return refuse(error, "boxDim", "must not be NULL");
	for (uint32_t i = 0; i < rank; i++) {
		if (!between(box[i], 1, 256)) /* R14 */
			return refuse(error, map_element_name(MAP_BOX, i), "must be 1 to 256");
		info.box[i] = box[i];
	}
	return finish(map, &info, error);
}

int tma_map_encode_im2col(struct tma_map *map, enum tma_map_target target, enum tma_map_data_type type,
                          uint32_t rank, uint64_t address, const uint64_t *dim, const uint64_t *strides,
                          const int32_t *lower, const int32_t *upper, uint32_t channels_per_pixel,
                          uint32_t pixels_per_column, const uint32_t *element_strides,
                          enum tma_map_interleave interleave, enum tma_map_swizzle swizzle,
                          enum tma_map_promotion promotion, enum tma_map_fill fill,
                          struct tma_map_error *error)
{
	static const char *const ranges[] = { "must be -32768 to 32767 with rank 3",
		                              "must be -128 to 127 with rank 4",
		                              "must be -16 to 15 with rank 5" };
	const struct request r = { target,          type,       rank,    address,   dim, strides,
		                   element_strides, interleave, swizzle, promotion, fill };
	struct tma_map_info info = { .kind = TMA_MAP_IM2COL };
	struct map_spatial spatial;
	int64_t limit;

	if (take(map, &r, &info, error) || take_column(&info, channels_per_pixel, pixels_per_column, error))
		return 1;
	if (!lower)
		return refuse(error, "pixelBoxLowerCorner", "must not be NULL");
	if (!upper)
		return refuse(error, "pixelBoxUpperCorner", "must not be NULL");
	spatial = map_spatial(&info);
	limit = INT64_C(1) << (spatial.bits - 1);
	for (uint32_t i = 0; i < spatial.count; i++) { /* R26 */
		if (!between(lower[i], -limit, limit - 1))
			return refuse(error, map_element_name(MAP_LOWER, i), ranges[rank - 3]);
		if (!between(upper[i], -limit, limit - 1))
			return refuse(error, map_element_name(MAP_UPPER, i), ranges[rank - 3]);
		info.lower[i] = lower[i];
		info.upper[i] = upper[i];
	}
	return finish(map, &info, error);
}

int tma_map_encode_im2col_wide(struct tma_map *map, enum tma_map_target target, enum tma_map_data_type type,
                               uint32_t rank, uint64_t address, const uint64_t *dim, const uint64_t *strides,
                               int32_t lower_width, int32_t upper_width, uint32_t channels_per_pixel,
                               uint32_t pixels_per_column, const uint32_t *element_strides,
                               enum tma_map_interleave interleave, enum tma_map_wide_mode mode,
                               enum tma_map_swizzle swizzle, enum tma_map_promotion promotion,
                               enum tma_map_fill fill, struct tma_map_error *error)
{
	const struct request r = { target,          type,       rank,    address,   dim, strides,
		                   element_strides, interleave, swizzle, promotion, fill };
	struct tma_map_info info = { .kind = TMA_MAP_IM2COL };

	if (target == TMA_MAP_SM_90) /* R27 */
		return refuse(error, "target", "must be sm_100 for im2col wide maps");
	if ((uint32_t)mode > TMA_MAP_WIDE_MODE_W128) /* R31 */
		return refuse(error, "mode", "must be W or W128");
	info.wide = mode == TMA_MAP_WIDE_MODE_W ? TMA_RAW_WIDE_W : TMA_RAW_WIDE_W_128;
	if (take(map, &r, &info, error) || take_column(&info, channels_per_pixel, pixels_per_column, error))
		return 1;
	if (!between(lower_width, INT16_MIN, INT16_MAX)) /* R27 */
		return refuse(error, "pixelBoxLowerCornerWidth", "must be -32768 to 32767");
	if (!between(upper_width, INT16_MIN, INT16_MAX))
		return refuse(error, "pixelBoxUpperCornerWidth", "must be -32768 to 32767");
	info.lower[0] = lower_width;
	info.upper[0] = upper_width;
	return finish(map, &info, error);
}
