/* SPDX-License-Identifier: Apache-2.0 */
/* The 128 bytes of a tensor map: how they are read, what their fields are. */
#include "tensor.h"

#define FIELD(map, name) field(map, TMA_MAP_##name##_LSB, TMA_MAP_##name##_BITS)
#define ELEMENT(map, name, i) \
	field(map, TMA_MAP_##name##_LSB + (i)*TMA_MAP_##name##_BITS, TMA_MAP_##name##_BITS)
#define CORNERS_LSB (TMA_MAP_BOX_LSB + TMA_MAP_BOX_BITS)

/* No field crosses a multiple of 64 bits. */
static uint64_t field(const struct tensor_map *map, uint32_t lsb, uint32_t bits)
{
	uint64_t word = map->words[lsb / 64] >> lsb % 64;

	return bits == 64 ? word : word & ((UINT64_C(1) << bits) - 1);
}

static int32_t signed_field(const struct tensor_map *map, uint32_t lsb, uint32_t bits)
{
	int32_t value = (int32_t)field(map, lsb, bits);

	return value < 1 << (bits - 1) ? value : value - (1 << bits);
}

/* The corners share 32 bits, the lower ones the low half: one of 16 bits, two of 8, three of 5. */
static void decode_corners(struct tensor_map *map)
{
	static const uint32_t widths[] = { 16, 8, 5 };
	uint32_t n = model_map_spatial(map);

	for (uint32_t i = 0; i < n; i++) {
		map->lower[i] = signed_field(map, CORNERS_LSB + i * widths[n - 1], widths[n - 1]);
		map->upper[i] = signed_field(map, CORNERS_LSB + 16 + i * widths[n - 1], widths[n - 1]);
	}
}

static void decode(struct tensor_map *map)
{
	map->address = FIELD(map, GLOBAL_ADDRESS);
	map->im2col = FIELD(map, IM2COL);
	map->rank = (uint32_t)FIELD(map, RANK) + 1;
	map->type = (uint32_t)FIELD(map, TYPE);
	map->interleave = (uint32_t)FIELD(map, INTERLEAVE);
	map->swizzle = (uint32_t)FIELD(map, SWIZZLE);
	map->nan_fill = FIELD(map, FILL) == TMA_RAW_FILL_NAN;
	map->tf32 = FIELD(map, TF32);
	map->atom = (uint32_t)FIELD(map, ATOM);
	map->swizzle96 = FIELD(map, SWIZZLE96);
	map->wide = (uint32_t)FIELD(map, WIDE);
	for (uint32_t i = 0; i < MAX_RANK; i++) {
		map->dim[i] = ELEMENT(map, DIM, i) + 1;
		map->element_stride[i] = (uint32_t)ELEMENT(map, ELEMENT_STRIDE, i) + 1;
		map->box[i] = (uint32_t)ELEMENT(map, BOX, i) + 1;
	}
	for (uint32_t i = 1; i < MAX_RANK; i++)
		map->stride[i] = (ELEMENT(map, STRIDE_HIGH, i - 1) << 32 | ELEMENT(map, STRIDE_LOW, i - 1))
		                 << 4;
	map->pixels = (uint32_t)FIELD(map, PIXELS) + 1;
	decode_corners(map);
}

/* Read and unpack the map of a command, with a seed perhaps as it was. All of it must lie in windows before any of
 * it is read. */
struct fault model_map_read(const struct issue *issue, struct tensor_map *map)
{
	struct row row = model_row(issue, FOR_MAP, MAP_BYTES);
	unsigned char bytes[MAP_BYTES];
	struct fault fault = { 0 };

	*map = (struct tensor_map){ 0 };
	for (uint32_t done = 0; done < MAP_BYTES; done += model_part_bytes(&row, NULL, done))
		if (!model_window_allows(&row, row.address + done, &fault))
			return fault;
	if (!issue->model->late || !model_late_map(issue, map)) {
		model_global_read(&row, bytes, &fault);
		if (fault.code)
			return fault;
		for (uint32_t w = 0; w < MAP_WORDS; w++)
			map->words[w] = model_load64(bytes + 8 * w);
	}
	decode(map);
	return fault;
}

/* Of a map whose `wide` is legal. */
enum tensor_kind model_map_kind(const struct tensor_map *map)
{
	return map->im2col ? (enum tensor_kind)(IM2COL + map->wide) : TILED;
}

/* Bits of an element in global memory; 0: no such type. */
uint32_t model_map_element_bits(const struct tensor_map *map)
{
	static const uint8_t bits[1 << TMA_MAP_TYPE_BITS] = {
		[TMA_RAW_TYPE_U8] = 8,        [TMA_RAW_TYPE_U16] = 16,      [TMA_RAW_TYPE_U32] = 32,
		[TMA_RAW_TYPE_S32] = 32,      [TMA_RAW_TYPE_U64] = 64,      [TMA_RAW_TYPE_S64] = 64,
		[TMA_RAW_TYPE_F16] = 16,      [TMA_RAW_TYPE_F32] = 32,      [TMA_RAW_TYPE_F32_FTZ] = 32,
		[TMA_RAW_TYPE_F64] = 64,      [TMA_RAW_TYPE_BF16] = 16,     [TMA_RAW_TYPE_B4X16] = 4,
		[TMA_RAW_TYPE_B4X16_P64] = 4, [TMA_RAW_TYPE_B6X16_P32] = 6,
	};

	return bits[map->type];
}

/* Bytes of a slice of channels; 0 without interleave. */
uint32_t model_map_slice(const struct tensor_map *map)
{
	return map->interleave == TMA_RAW_INTERLEAVE_NONE ? 0 : 16 * map->interleave;
}

/* The first spatial dimension of an im2col map. */
uint32_t model_map_first_spatial(const struct tensor_map *map)
{
	return map->interleave == TMA_RAW_INTERLEAVE_NONE ? 1 : 0;
}

/* Spatial dimensions that a window covers; 0: the map has none. */
uint32_t model_map_spatial(const struct tensor_map *map)
{
	if (!map->im2col || map->rank < 3 || map->rank > MAX_RANK)
		return 0;
	return map->wide ? 1 : map->rank - 2;
}

/* Elements of dimension i of a tile that are copied. */
uint32_t model_map_count(const struct tensor_map *map, uint32_t i)
{
	if (i == 0 && map->interleave == TMA_RAW_INTERLEAVE_NONE)
		return map->box[0];
	return (map->box[i] + map->element_stride[i] - 1) / map->element_stride[i];
}

/* Bytes within which the swizzle moves a byte. */
uint32_t model_map_span(const struct tensor_map *map)
{
	return map->swizzle96 ? 32 : 16u << map->swizzle;
}
