/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of tensor maps by themselves, in the order of the fault table. */
#include "tensor.h"

#define BOX_LIMIT     232448u /* bytes: the shared memory of one CTA of an H200 */
#define GRANULE_BITS  128u
#define CORNERS_LSB   (TMA_MAP_BOX_LSB + TMA_MAP_BOX_BITS)
#define CORNERS_BITS  32u
#define CORNER_UNUSED (1u << 15 | 1u << 31) /* with three corners of 5 bits */

static uint64_t map_address(const struct tensor_copy *t)
{
	return t->issue->command->global_address;
}

static void use(uint64_t used[MAP_WORDS], uint32_t lsb, uint32_t bits)
{
	uint32_t n; /* of the same word */

	for (uint32_t b = lsb; b < lsb + bits; b += n) {
		n = 64 - b % 64 < lsb + bits - b ? 64 - b % 64 : lsb + bits - b;
		used[b / 64] |= UINT64_MAX >> (64 - n) << b % 64;
	}
}

#define USE(used, name)             use(used, TMA_MAP_##name##_LSB, TMA_MAP_##name##_BITS)
#define USE_ELEMENTS(used, name, n) use(used, TMA_MAP_##name##_LSB, (n)*TMA_MAP_##name##_BITS)

/* The bits that a map of such a kind has. Fields of dimensions beyond the rank count: they may hold
 * what they held before the rank was lowered. */
static void used_bits(const struct tensor_map *map, uint64_t used[MAP_WORDS])
{
	USE(used, GLOBAL_ADDRESS);
	USE(used, IM2COL);
	USE(used, RANK);
	USE(used, TYPE);
	USE(used, INTERLEAVE);
	USE(used, SWIZZLE);
	USE(used, FILL);
	USE(used, TF32);
	USE(used, PROMOTION);
	USE(used, ATOM);
	USE(used, SWIZZLE96);
	USE(used, WIDE);
	USE(used, HINTS);
	USE_ELEMENTS(used, DIM, MAX_RANK);
	USE_ELEMENTS(used, ELEMENT_STRIDE, MAX_RANK);
	USE_ELEMENTS(used, STRIDE_LOW, MAX_RANK - 1);
	USE_ELEMENTS(used, STRIDE_HIGH, MAX_RANK - 1);
	if (!map->im2col) {
		USE_ELEMENTS(used, BOX, MAX_RANK);
		return;
	}
	USE(used, BOX);
	USE(used, PIXELS);
	use(used, CORNERS_LSB, CORNERS_BITS);
	if (map->rank == 5 && map->wide == TMA_RAW_WIDE_NONE)
		used[CORNERS_LSB / 64] &= ~((uint64_t)CORNER_UNUSED << CORNERS_LSB % 64);
}

static bool reserved(const struct tensor_copy *t)
{
	uint64_t used[MAP_WORDS] = { 0 };

	used_bits(&t->map, used);
	for (uint32_t w = 0; w < MAP_WORDS; w++)
		if (t->map.words[w] & ~used[w])
			return true;
	return false;
}

static bool rank(const struct tensor_copy *t)
{
	return t->map.rank > MAX_RANK ||
	       ((t->map.im2col || t->map.interleave != TMA_RAW_INTERLEAVE_NONE) && t->map.rank < 3);
}

static bool type(const struct tensor_copy *t)
{
	const struct tensor_map *map = &t->map;

	if (!model_map_element_bits(map))
		return true;
	if (model_map_padded(map) && t->issue->model->config.without_packed)
		return true;
	return map->tf32 && map->type != TMA_RAW_TYPE_F32 && map->type != TMA_RAW_TYPE_F32_FTZ;
}

static bool layout(const struct tensor_copy *t)
{
	const struct tensor_map *map = &t->map;

	if (map->interleave > TMA_RAW_INTERLEAVE_32B || map->wide > TMA_RAW_WIDE_W_128)
		return true;
	if (map->interleave != TMA_RAW_INTERLEAVE_NONE && (map->wide || model_map_padded(map)))
		return true;
	return map->wide && !map->im2col;
}

static bool wide_swizzle(const struct tensor_map *map)
{
	return map->swizzle96 || map->swizzle == TMA_RAW_SWIZZLE_64B ||
	       (map->swizzle == TMA_RAW_SWIZZLE_128B &&
	        (map->atom == TMA_RAW_ATOM_16B || map->atom == TMA_RAW_ATOM_32B));
}

static bool swizzle(const struct tensor_copy *t)
{
	const struct tensor_map *map = &t->map;
	bool padded = model_map_padded(map);

	if (map->atom != TMA_RAW_ATOM_16B && map->swizzle != TMA_RAW_SWIZZLE_128B)
		return true;
	if (map->swizzle96 &&
	    (map->swizzle != TMA_RAW_SWIZZLE_NONE || map->interleave != TMA_RAW_INTERLEAVE_NONE || padded ||
	     map->wide == TMA_RAW_WIDE_W_128))
		return true;
	if (padded && map->swizzle != TMA_RAW_SWIZZLE_NONE &&
	    (map->swizzle != TMA_RAW_SWIZZLE_128B || map->atom == TMA_RAW_ATOM_32B_FLIP_8B))
		return true;
	return map->wide && !wide_swizzle(map);
}

static bool fill(const struct tensor_copy *t)
{
	return t->map.nan_fill && (t->map.type < TMA_RAW_TYPE_F16 || t->map.type > TMA_RAW_TYPE_BF16);
}

/* What interleave 32B and padded types ask of addresses. */
static bool wants_32(const struct tensor_map *map)
{
	return map->interleave == TMA_RAW_INTERLEAVE_32B || model_map_padded(map);
}

static bool address(const struct tensor_copy *t)
{
	return t->map.address % (wants_32(&t->map) ? 32 : 16);
}

static bool dim(const struct tensor_copy *t)
{
	if (model_map_padded(&t->map))
		return t->map.dim[0] % PADDED_ELEMENTS;
	return t->map.type == TMA_RAW_TYPE_B4X16 && t->map.dim[0] % 2;
}

static bool stride(const struct tensor_copy *t)
{
	for (uint32_t i = 1; wants_32(&t->map) && i < t->map.rank; i++)
		if (t->map.stride[i] % 32)
			return true;
	return false;
}

static bool box(const struct tensor_copy *t)
{
	const struct tensor_map *map = &t->map;
	uint32_t row_bits = map->box[0] * model_map_element_bits(map);
	uint32_t longest = map->swizzle96 ? 96 : model_map_span(map);

	if (row_bits % GRANULE_BITS)
		return true;
	if (model_map_padded(map) && map->box[0] != PADDED_ELEMENTS)
		return true;
	return map->interleave == TMA_RAW_INTERLEAVE_NONE && model_map_swizzled(map) &&
	       row_bits / 8 > longest;
}

static bool size(const struct tensor_copy *t)
{
	const struct tensor_map *map = &t->map;
	uint64_t bits = model_map_element_bits(map);

	switch (model_map_kind(map)) {
	case TILED:
		for (uint32_t i = 0; i < map->rank; i++)
			bits *= model_map_count(map, i);
		break;
	case IM2COL_W_128:
		bits *= map->box[0] * W_128_SEGMENTS * W_128_PIXELS;
		break;
	default:
		bits *= map->box[0] * map->pixels;
	}
	return bits > 8 * (uint64_t)BOX_LIMIT;
}

/* As a driver computes it, in 32 bits: sizes from 2^31 on count as negative. */
static bool corners(const struct tensor_copy *t)
{
	const struct tensor_map *map = &t->map;

	for (uint32_t i = 0; i < model_map_spatial(map); i++) {
		uint64_t last = map->dim[model_map_first_spatial(map) + i] - 1;
		uint32_t end = (uint32_t)last + (uint32_t)map->upper[i];

		if (map->lower[i] > (int64_t)end - (end >> 31 ? INT64_C(1) << 32 : 0))
			return true;
	}
	return false;
}

static const struct tensor_rule rules[] = {
	{ TMA_FAULT_MAP_RESERVED, reserved, map_address }, { TMA_FAULT_MAP_RANK, rank, map_address },
	{ TMA_FAULT_MAP_TYPE, type, map_address },         { TMA_FAULT_MAP_LAYOUT, layout, map_address },
	{ TMA_FAULT_MAP_SWIZZLE, swizzle, map_address },   { TMA_FAULT_MAP_FILL, fill, map_address },
	{ TMA_FAULT_MAP_ADDRESS, address, map_address },   { TMA_FAULT_MAP_DIM, dim, map_address },
	{ TMA_FAULT_MAP_STRIDE, stride, map_address },     { TMA_FAULT_MAP_BOX, box, map_address },
	{ TMA_FAULT_MAP_SIZE, size, map_address },         { TMA_FAULT_MAP_CORNERS, corners, map_address },
};

struct fault model_first_broken(const struct tensor_copy *t, const struct tensor_rule *list, size_t count)
{
	for (size_t r = 0; r < count; r++)
		if (list[r].broken(t))
			return (struct fault){ list[r].fault, list[r].address(t) };
	return (struct fault){ 0 };
}

struct fault model_map_check(const struct tensor_copy *t)
{
	return model_first_broken(t, rules, sizeof(rules) / sizeof(rules[0]));
}
