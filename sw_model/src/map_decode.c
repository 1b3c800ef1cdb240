/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor maps: from bits to fields, with the bits that must be zero, as the engine checks them. */
#include "map_priv.h"

#define NUM_WORDS 16

/* Leave only bits that no field of the map names. */
static void clear(struct tma_map *map, uint32_t lsb, uint32_t bits)
{
	map_set(map, lsb, bits, 0);
}

static void clear_elements(struct tma_map *map, uint32_t lsb, uint32_t bits, uint32_t elements)
{
	for (uint32_t i = 0; i < elements; i++)
		clear(map, lsb + i * bits, bits);
}

#define CLEAR(map, field) clear(map, TMA_MAP_##field##_LSB, TMA_MAP_##field##_BITS)
#define CLEAR_ALL(map, field) \
	clear_elements(map, TMA_MAP_##field##_LSB, TMA_MAP_##field##_BITS, TMA_MAP_##field##_ELEMENTS)

/* The header, and what has nothing to do with rank and kind. */
static void clear_fixed(struct tma_map *map)
{
	CLEAR(map, GLOBAL_ADDRESS);
	CLEAR(map, IM2COL);
	CLEAR(map, RANK);
	CLEAR(map, TYPE);
	CLEAR(map, INTERLEAVE);
	CLEAR(map, SWIZZLE);
	CLEAR(map, FILL);
	CLEAR(map, TF32);
	CLEAR(map, PROMOTION);
	CLEAR(map, ATOM);
	CLEAR(map, SWIZZLE96);
	CLEAR(map, WIDE);
	clear_elements(map, TMA_MAP_HINTS_LSB, 64, TMA_MAP_HINTS_BITS / 64);
}

/* What is beyond the rank may hold anything: tensormap.replace lowers a rank and leaves the rest. */
static const char *reserved_rule(const struct tma_map *map)
{
	uint32_t rank = (uint32_t)MAP_GET(map, RANK) + 1;
	bool tiled = !MAP_GET(map, IM2COL), wide = MAP_GET(map, WIDE) != TMA_RAW_WIDE_NONE;
	struct tma_map rest = *map;
	uint64_t left = 0;

	clear_fixed(&rest);
	CLEAR_ALL(&rest, DIM);
	CLEAR_ALL(&rest, ELEMENT_STRIDE);
	CLEAR_ALL(&rest, STRIDE_LOW);
	CLEAR_ALL(&rest, STRIDE_HIGH);
	CLEAR_ALL(&rest, BOX);
	if (!tiled)
		CLEAR(&rest, PIXELS);
	for (uint32_t i = 0; i < NUM_WORDS; i++)
		left |= rest.word[i];
	if (left)
		return "must be zero in the bits that it does not use";
	/* Six corners of five bits leave two over. */
	if (!tiled && !wide && rank == 5 && map_get(map, MAP_CORNERS_LSB, 32) & 0x80008000)
		return "must be zero in bits 15 and 31 of its corners with rank 5";
	return NULL;
}

int tma_map_decode(const struct tma_map *map, struct tma_map_info *info, struct tma_map_error *error)
{
	struct tma_map_info read;
	const char *rule;

	if (!map)
		return map_refuse(error, TMA_FAULT_NONE, "tensorMap", "must not be NULL");
	if (!info)
		return map_refuse(error, TMA_FAULT_NONE, "info", "must not be NULL");
	rule = reserved_rule(map);
	if (rule)
		return map_refuse(error, TMA_FAULT_MAP_RESERVED, "tensorMap", rule);
	map_read(map, &read);
	if (map_check(&read, error))
		return 1;
	*info = read;
	return 0;
}
