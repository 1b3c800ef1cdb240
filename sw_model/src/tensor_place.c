/* SPDX-License-Identifier: Apache-2.0 */
/* Where the bytes of a row lie in shared memory: padding, pitch and swizzle; the fill; tf32; 6-bit values. */
#include <string.h>

#include "tensor.h"

#define GRAIN 8u /* no swizzle takes 8 aligned bytes apart */

/* Bits `count` from `to` on, XORed with as many from `from` on. */
static uint32_t xor_bits(uint32_t address, uint32_t to, uint32_t from, uint32_t count)
{
	return address ^ (address >> from & ((1u << count) - 1)) << to;
}

static uint32_t swizzle_128(uint32_t atom, uint32_t a)
{
	switch (atom) {
	case TMA_ATOM_16B:
		return xor_bits(a, 4, 7, 3);
	case TMA_ATOM_32B:
		return xor_bits(a, 5, 7, 2);
	case TMA_ATOM_32B_FLIP_8B:
		return xor_bits(xor_bits(a, 5, 7, 2), 3, 7, 1);
	default:
		return xor_bits(a, 6, 7, 1);
	}
}

/* A function of the absolute address, and its own inverse. */
static uint32_t swizzle(const struct tensor_map *map, uint32_t a)
{
	if (map->swizzle96)
		return xor_bits(a, 4, 7, 1);
	switch (map->swizzle) {
	case TMA_SWIZZLE_32B:
		return xor_bits(a, 4, 7, 1);
	case TMA_SWIZZLE_64B:
		return xor_bits(a, 4, 7, 2);
	case TMA_SWIZZLE_128B:
		return swizzle_128(map->atom, a);
	default:
		return a;
	}
}

/* Of a padded type: bytes of data at the start of every 16 in shared memory. */
static uint32_t chunk_bytes(const struct tensor_map *map)
{
	return 16 * model_map_element_bits(map) / 8;
}

/* Where byte `b` of row k is, and how many from there on stand together. */
static uint32_t placed(const struct tensor_copy *t, uint32_t k, uint32_t b, uint32_t count, uint32_t *stretch)
{
	bool apart = model_map_swizzled(&t->map) || model_map_padded(&t->map);
	uint32_t grain = apart ? GRAIN - b % GRAIN : count;

	*stretch = grain < count ? grain : count;
	return swizzle(&t->map, address_offset(t->issue->command->shared_dst) + k * t->pitch + b);
}

/* How many of `stretch` bytes from `b` on are not padding. They lie within GRAIN in a padded type. */
static uint32_t data_bytes(const struct tensor_map *map, uint32_t b, uint32_t stretch)
{
	uint32_t left = b % 16 < chunk_bytes(map) ? chunk_bytes(map) - b % 16 : 0;

	return !model_map_padded(map) || stretch < left ? stretch : left;
}

/* The first `count` bytes of a row's image into shared memory, but for its padding. */
void model_place_put(const struct tensor_copy *t, unsigned char *smem, uint32_t k, const unsigned char *image,
                     uint32_t count)
{
	uint32_t stretch;

	for (uint32_t b = 0; b < count; b += stretch) {
		uint32_t at = placed(t, k, b, count - b, &stretch);

		memcpy(smem + at, image + b, data_bytes(&t->map, b, stretch));
	}
}

/* The low 6 bits of every byte, without gaps, the first in the low bits. */
static void pack_6bit(unsigned char *bytes, const unsigned char *values, uint32_t count)
{
	memset(bytes, 0, count * 6 / 8);
	for (uint32_t bit = 0; bit < 6 * count; bit++)
		bytes[bit / 8] |= (unsigned char)((values[bit / 6] >> bit % 6 & 1) << bit % 8);
}

/* A whole row out of shared memory, as it will be in global memory. */
void model_place_get(const struct tensor_copy *t, const unsigned char *smem, uint32_t k, unsigned char *bytes)
{
	unsigned char image[MAX_ROW_BYTES];
	uint32_t stretch;

	for (uint32_t b = 0; b < t->shared_bytes; b += stretch) {
		uint32_t at = placed(t, k, b, t->shared_bytes - b, &stretch);

		memcpy(image + b, smem + at, stretch);
	}
	if (t->map.type == TMA_MAP_TYPE_B6X16_P32)
		pack_6bit(bytes, image, PADDED_ELEMENTS);
	else
		memcpy(bytes, image, t->row_bytes);
}

/* A row of nothing but fill. */
void model_place_fill(const struct tensor_copy *t, unsigned char *image)
{
	memset(image, 0, t->shared_bytes);
	for (uint32_t b = 0; t->map.nan_fill && b < t->shared_bytes; b += 2) {
		image[b] = 0xf7;
		image[b + 1] = 0x7f;
	}
}

/* The other 13 bits of the fraction are rounded away, to the nearest, ties to even. */
static uint32_t round_to_tf32(uint32_t f32)
{
	if ((f32 & 0x7fffffff) > 0x7f800000)
		return 0x7fffe000;
	return (f32 + 0xfff + (f32 >> 13 & 1)) & ~UINT32_C(0x1fff);
}

static void round_bytes(unsigned char *bytes, uint32_t count)
{
	for (uint32_t b = 0; b + 4 <= count; b += 4) {
		uint32_t value = 0;

		for (uint32_t i = 0; i < 4; i++)
			value |= (uint32_t)bytes[b + i] << 8 * i;
		value = round_to_tf32(value);
		for (uint32_t i = 0; i < 4; i++)
			bytes[b + i] = (unsigned char)(value >> 8 * i);
	}
}

/* Bytes first..first+count-1 of the row, as they are in global memory, into its image. */
void model_place_bytes(const struct tensor_copy *t, unsigned char *image, const unsigned char *bytes,
                       uint32_t first, uint32_t count)
{
	if (model_map_padded(&t->map)) {
		for (uint32_t b = first; b < first + count; b++)
			image[b / chunk_bytes(&t->map) * 16 + b % chunk_bytes(&t->map)] = bytes[b - first];
		return;
	}
	memcpy(image + first, bytes, count);
	if (t->map.tf32)
		round_bytes(image + first, count);
}
