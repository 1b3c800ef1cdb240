/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor maps: the bits of their fields. Section 2.13 of the semantics. */
#include <string.h>

#include "map_priv.h"

uint64_t map_get(const struct tma_map *map, uint32_t lsb, uint32_t bits)
{
	return map->word[lsb / 64] >> lsb % 64 & UINT64_MAX >> (64 - bits);
}

void map_set(struct tma_map *map, uint32_t lsb, uint32_t bits, uint64_t value)
{
	uint64_t mask = UINT64_MAX >> (64 - bits);
	uint64_t *word = &map->word[lsb / 64];

	*word = (*word & ~(mask << lsb % 64)) | (value & mask) << lsb % 64;
}

/* The engine's type and tf32 bit of the driver's types. */
static const struct {
	uint8_t type, tf32, bits;
} types[] = {
	[TMA_MAP_DATA_UINT8] = { TMA_RAW_TYPE_U8, 0, 8 },
	[TMA_MAP_DATA_UINT16] = { TMA_RAW_TYPE_U16, 0, 16 },
	[TMA_MAP_DATA_UINT32] = { TMA_RAW_TYPE_U32, 0, 32 },
	[TMA_MAP_DATA_INT32] = { TMA_RAW_TYPE_S32, 0, 32 },
	[TMA_MAP_DATA_UINT64] = { TMA_RAW_TYPE_U64, 0, 64 },
	[TMA_MAP_DATA_INT64] = { TMA_RAW_TYPE_S64, 0, 64 },
	[TMA_MAP_DATA_FLOAT16] = { TMA_RAW_TYPE_F16, 0, 16 },
	[TMA_MAP_DATA_FLOAT32] = { TMA_RAW_TYPE_F32, 0, 32 },
	[TMA_MAP_DATA_FLOAT64] = { TMA_RAW_TYPE_F64, 0, 64 },
	[TMA_MAP_DATA_BFLOAT16] = { TMA_RAW_TYPE_BF16, 0, 16 },
	[TMA_MAP_DATA_FLOAT32_FTZ] = { TMA_RAW_TYPE_F32_FTZ, 0, 32 },
	[TMA_MAP_DATA_TFLOAT32] = { TMA_RAW_TYPE_F32, 1, 32 },
	[TMA_MAP_DATA_TFLOAT32_FTZ] = { TMA_RAW_TYPE_F32_FTZ, 1, 32 },
	[TMA_MAP_DATA_16U4_ALIGN8B] = { TMA_RAW_TYPE_B4X16, 0, 4 },
	[TMA_MAP_DATA_16U4_ALIGN16B] = { TMA_RAW_TYPE_B4X16_P64, 0, 4 },
	[TMA_MAP_DATA_16U6_ALIGN16B] = { TMA_RAW_TYPE_B6X16_P32, 0, 6 },
};
#define NUM_TYPES (sizeof(types) / sizeof(types[0]))

uint32_t map_type_bits(uint32_t type)
{
	return type < NUM_TYPES ? types[type].bits : 0;
}

bool map_type_padded(uint32_t type)
{
	return type == TMA_MAP_DATA_16U4_ALIGN16B || type == TMA_MAP_DATA_16U6_ALIGN16B;
}

uint32_t map_type_of_bits(uint32_t type, bool tf32)
{
	for (uint32_t i = 0; i < NUM_TYPES; i++)
		if (types[i].type == type && types[i].tf32 == tf32)
			return i;
	return MAP_NO_TYPE;
}

void map_type_to_bits(uint32_t data_type, uint32_t *type, bool *tf32)
{
	*type = types[data_type].type;
	*tf32 = types[data_type].tf32;
}

/* The driver's swizzle of the three fields: the atoms of 128B follow it in their own order. */
static uint32_t read_swizzle(const struct tma_map *map)
{
	uint32_t swizzle = (uint32_t)MAP_GET(map, SWIZZLE), atom = (uint32_t)MAP_GET(map, ATOM);

	if (MAP_GET(map, SWIZZLE96))
		return swizzle || atom ? MAP_NO_SWIZZLE : TMA_MAP_SWIZZLE_96B;
	if (atom && swizzle != TMA_RAW_SWIZZLE_128B)
		return MAP_NO_SWIZZLE;
	return swizzle + atom;
}

static void write_swizzle(struct tma_map *map, uint32_t swizzle)
{
	if (swizzle == TMA_MAP_SWIZZLE_96B) {
		MAP_SET(map, SWIZZLE96, 1);
	} else if (swizzle > TMA_MAP_SWIZZLE_128B) {
		MAP_SET(map, SWIZZLE, TMA_RAW_SWIZZLE_128B);
		MAP_SET(map, ATOM, swizzle - TMA_MAP_SWIZZLE_128B);
	} else {
		MAP_SET(map, SWIZZLE, swizzle);
	}
}

/* Two's complement of a few bits. */
static int32_t sign_extend(uint64_t value, uint32_t bits)
{
	uint64_t sign = UINT64_C(1) << (bits - 1);

	return (int32_t)((int64_t)(value ^ sign) - (int64_t)sign);
}

struct map_spatial map_spatial(const struct tma_map_info *info)
{
	static const uint8_t bits[] = { 0, 16, 8, 5 };
	uint32_t rank = info->rank < TMA_MAP_MAX_RANK ? info->rank : TMA_MAP_MAX_RANK;
	struct map_spatial spatial = { .first = info->interleave == TMA_MAP_INTERLEAVE_NONE };

	if (info->kind == TMA_MAP_IM2COL && rank > 2)
		spatial.count = info->wide == TMA_RAW_WIDE_NONE ? rank - 2 : 1;
	spatial.bits = bits[spatial.count];
	return spatial;
}

/* Lower corners from bit 0 of the 32, upper ones from bit 16. */
static uint32_t corner_lsb(const struct map_spatial *spatial, uint32_t i, bool upper)
{
	return MAP_CORNERS_LSB + 16 * upper + i * spatial->bits;
}

static void read_im2col(const struct tma_map *map, struct tma_map_info *info)
{
	struct map_spatial spatial = map_spatial(info);

	info->channels = (uint32_t)MAP_AT(map, BOX, 0) + 1;
	info->pixels = info->wide == TMA_RAW_WIDE_W_128 ? 128 : (uint32_t)MAP_GET(map, PIXELS) + 1;
	for (uint32_t i = 0; i < spatial.count; i++) {
		info->lower[i] =
			sign_extend(map_get(map, corner_lsb(&spatial, i, false), spatial.bits), spatial.bits);
		info->upper[i] =
			sign_extend(map_get(map, corner_lsb(&spatial, i, true), spatial.bits), spatial.bits);
	}
}

static void write_im2col(struct tma_map *map, const struct tma_map_info *info)
{
	struct map_spatial spatial = map_spatial(info);

	MAP_SET_AT(map, BOX, 0, info->channels - 1);
	if (info->wide != TMA_RAW_WIDE_W_128)
		MAP_SET(map, PIXELS, info->pixels - 1);
	for (uint32_t i = 0; i < spatial.count; i++) {
		map_set(map, corner_lsb(&spatial, i, false), spatial.bits, (uint32_t)info->lower[i]);
		map_set(map, corner_lsb(&spatial, i, true), spatial.bits, (uint32_t)info->upper[i]);
	}
}

void map_read(const struct tma_map *map, struct tma_map_info *info)
{
	memset(info, 0, sizeof(*info));
	info->kind = MAP_GET(map, IM2COL) ? TMA_MAP_IM2COL : TMA_MAP_TILED;
	info->wide = (enum tma_raw_wide)MAP_GET(map, WIDE);
	info->type = map_type_of_bits((uint32_t)MAP_GET(map, TYPE), MAP_GET(map, TF32));
	info->rank = (uint32_t)MAP_GET(map, RANK) + 1;
	info->address = MAP_GET(map, GLOBAL_ADDRESS);
	info->interleave = (uint32_t)MAP_GET(map, INTERLEAVE);
	info->swizzle = read_swizzle(map);
	info->promotion = (uint32_t)MAP_GET(map, PROMOTION);
	info->fill = (uint32_t)MAP_GET(map, FILL);
	for (uint32_t i = 0; i < TMA_MAP_MAX_RANK && i < info->rank; i++) {
		info->dim[i] = MAP_AT(map, DIM, i) + 1;
		info->element_strides[i] = (uint32_t)MAP_AT(map, ELEMENT_STRIDE, i) + 1;
		if (info->kind == TMA_MAP_TILED)
			info->box[i] = (uint32_t)MAP_AT(map, BOX, i) + 1;
		if (i)
			info->strides[i - 1] =
				(MAP_AT(map, STRIDE_HIGH, i - 1) << 32 | MAP_AT(map, STRIDE_LOW, i - 1)) << 4;
	}
	if (info->kind == TMA_MAP_IM2COL)
		read_im2col(map, info);
}

void map_write(struct tma_map *map, const struct tma_map_info *info)
{
	uint32_t type;
	bool tf32;

	memset(map, 0, sizeof(*map));
	map_type_to_bits(info->type, &type, &tf32);
	MAP_SET(map, GLOBAL_ADDRESS, info->address);
	MAP_SET(map, IM2COL, info->kind == TMA_MAP_IM2COL);
	MAP_SET(map, WIDE, info->wide);
	MAP_SET(map, RANK, info->rank - 1);
	MAP_SET(map, TYPE, type);
	MAP_SET(map, TF32, tf32);
	MAP_SET(map, INTERLEAVE, info->interleave);
	write_swizzle(map, info->swizzle);
	MAP_SET(map, PROMOTION, info->promotion);
	MAP_SET(map, FILL, info->fill);
	for (uint32_t i = 0; i < info->rank; i++) {
		MAP_SET_AT(map, DIM, i, info->dim[i] - 1);
		MAP_SET_AT(map, ELEMENT_STRIDE, i, info->element_strides[i] - 1);
		if (info->kind == TMA_MAP_TILED)
			MAP_SET_AT(map, BOX, i, info->box[i] - 1);
		if (i) {
			MAP_SET_AT(map, STRIDE_LOW, i - 1, info->strides[i - 1] >> 4);
			MAP_SET_AT(map, STRIDE_HIGH, i - 1, info->strides[i - 1] >> 36);
		}
	}
	if (info->kind == TMA_MAP_IM2COL)
		write_im2col(map, info);
}
