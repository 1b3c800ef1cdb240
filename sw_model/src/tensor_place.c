/* SPDX-License-Identifier: Apache-2.0 */
/* Where the bytes of a row lie in shared memory: padding, pitch and swizzle; the fill; tf32; 6-bit values. */
#include <string.h>

#include "tensor.h"

#define LINE  128u /* no swizzle looks at the bits of an address below this, and none moves a byte out of it */
#define CHUNK 16u  /* of a padded type, data in front and padding behind */

/* Bits `count` from `to` on, XORed with as many from `from` on. */
static uint32_t xor_bits(uint32_t address, uint32_t to, uint32_t from, uint32_t count)
{
	return address ^ (address >> from & ((1u << count) - 1)) << to;
}

static uint32_t swizzle_128(uint32_t atom, uint32_t a)
{
	switch (atom) {
	case TMA_RAW_ATOM_16B:
		return xor_bits(a, 4, 7, 3);
	case TMA_RAW_ATOM_32B:
		return xor_bits(a, 5, 7, 2);
	case TMA_RAW_ATOM_32B_FLIP_8B:
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
	case TMA_RAW_SWIZZLE_32B:
		return xor_bits(a, 4, 7, 1);
	case TMA_RAW_SWIZZLE_64B:
		return xor_bits(a, 4, 7, 2);
	case TMA_RAW_SWIZZLE_128B:
		return swizzle_128(map->atom, a);
	default:
		return a;
	}
}

/* The swizzle looks at three bits of the address and XORs those below them: a line for each of their values. */
void model_place_twist(struct tensor_copy *t)
{
	for (uint32_t line = 0; line < TWISTS; line++)
		t->twist[line] = swizzle(&t->map, line * LINE) ^ line * LINE;
}

/* What the swizzle XORs at an address. */
static uint32_t twist(const struct tensor_copy *t, uint32_t a)
{
	return t->twist[a / LINE % TWISTS];
}

/* Of a padded type: bytes of data at the start of every 16 in shared memory. */
static uint32_t chunk_bytes(const struct tensor_map *map)
{
	return CHUNK * model_map_element_bits(map) / 8;
}

/* Where byte `b` of row k would be without swizzle. */
static uint32_t place(const struct tensor_copy *t, uint32_t k, uint32_t b)
{
	return address_offset(t->issue->command->shared_dst) + k * t->pitch + b;
}

/* How many of `count` bytes from `a` on lie in the same line: their swizzle is that of `a`. */
static uint32_t in_line(uint32_t a, uint32_t count)
{
	return LINE - a % LINE < count ? LINE - a % LINE : count;
}

/* Whole units from address `a` on, where they are XORed with x, a multiple of the unit. How many bytes that was. The
 * unit is a constant where this is called: moves of a fixed size are a few instructions. */
static inline uint32_t put_units(unsigned char *smem, uint32_t a, uint32_t x, const unsigned char *image,
                                 uint32_t count, uint32_t unit)
{
	uint32_t done;

	for (done = 0; done + unit <= count; done += unit)
		memcpy(smem + ((a + done) ^ x), image + done, unit);
	return done;
}

static inline uint32_t get_units(const unsigned char *smem, uint32_t a, uint32_t x, unsigned char *image,
                                 uint32_t count, uint32_t unit)
{
	uint32_t done;

	for (done = 0; done + unit <= count; done += unit)
		memcpy(image + done, smem + ((a + done) ^ x), unit);
	return done;
}

/* The lowest bit that the address or what it is XORed with sets: so many bytes stay together. */
static uint32_t unit_of(uint32_t a, uint32_t x)
{
	uint32_t bits = x | a % LINE;

	return bits & (0u - bits);
}

/* Bytes of one line from address `a` on, which are XORed with x. */
static void put_line(unsigned char *smem, uint32_t a, uint32_t x, const unsigned char *image, uint32_t count)
{
	uint32_t done = 0;

	if (!x) {
		memcpy(smem + a, image, count);
		return;
	}
	switch (unit_of(a, x)) {
	case 64:
		done = put_units(smem, a, x, image, count, 64);
		break;
	case 32:
		done = put_units(smem, a, x, image, count, 32);
		break;
	case 16:
		done = put_units(smem, a, x, image, count, 16);
		break;
	case 8:
		done = put_units(smem, a, x, image, count, 8);
		break;
	default:
		break;
	}
	for (; done < count; done++)
		smem[(a + done) ^ x] = image[done];
}

static void get_line(const unsigned char *smem, uint32_t a, uint32_t x, unsigned char *image, uint32_t count)
{
	uint32_t done = 0;

	if (!x) {
		memcpy(image, smem + a, count);
		return;
	}
	switch (unit_of(a, x)) {
	case 64:
		done = get_units(smem, a, x, image, count, 64);
		break;
	case 32:
		done = get_units(smem, a, x, image, count, 32);
		break;
	case 16:
		done = get_units(smem, a, x, image, count, 16);
		break;
	case 8:
		done = get_units(smem, a, x, image, count, 8);
		break;
	default:
		break;
	}
	for (; done < count; done++)
		image[done] = smem[(a + done) ^ x];
}

/* The first `count` bytes of a row of a padded type, but for its padding. */
static void put_padded(const struct tensor_copy *t, unsigned char *smem, uint32_t k,
                       const unsigned char *image, uint32_t count)
{
	for (uint32_t b = 0; b < count; b += CHUNK)
		memcpy(smem + (place(t, k, b) ^ twist(t, place(t, k, b))), image + b, chunk_bytes(&t->map));
}

/* Bytes that would lie from address `first` on without swizzle. */
static void put_bytes(const struct tensor_copy *t, unsigned char *smem, uint32_t first,
                      const unsigned char *bytes, uint32_t count)
{
	uint32_t stretch;

	if (!model_map_swizzled(&t->map)) {
		memcpy(smem + first, bytes, count);
		return;
	}
	for (uint32_t b = 0; b < count; b += stretch) {
		uint32_t a = first + b;

		stretch = in_line(a, count - b);
		put_line(smem, a, twist(t, a), bytes + b, stretch);
	}
}

/* The first `count` bytes of a row's image into shared memory, but for its padding. */
void model_place_put(const struct tensor_copy *t, unsigned char *smem, uint32_t k, const unsigned char *image,
                     uint32_t count)
{
	if (model_map_padded(&t->map))
		put_padded(t, smem, k, image, count);
	else
		put_bytes(t, smem, place(t, k, 0), image, count);
}

/* Rows of a run that move at once: all, where they lie back to back in both memories. */
static uint32_t together(const struct tensor_copy *t)
{
	return t->step == t->row_bytes && t->pitch == t->row_bytes ? t->run : 1;
}

/* The run that begins with row k, of a type without padding, as it is in global memory. */
void model_place_put_run(const struct tensor_copy *t, unsigned char *smem, uint32_t k,
                         const unsigned char *from)
{
	uint32_t rows = together(t), first = place(t, k, 0);

	for (uint32_t i = 0; i < t->run; i += rows)
		put_bytes(t, smem, first + i * t->pitch, from + i * t->step, rows * t->row_bytes);
}

/* The low 6 bits of every byte, without gaps, the first in the low bits. */
static void pack_6bit(unsigned char *bytes, const unsigned char *values, uint32_t count)
{
	memset(bytes, 0, count * 6 / 8);
	for (uint32_t bit = 0; bit < 6 * count; bit++)
		bytes[bit / 8] |= (unsigned char)((values[bit / 6] >> bit % 6 & 1) << bit % 8);
}

/* Bytes that would lie from address `first` on without swizzle. */
static void get_bytes(const struct tensor_copy *t, const unsigned char *smem, uint32_t first,
                      unsigned char *bytes, uint32_t count)
{
	uint32_t stretch;

	if (!model_map_swizzled(&t->map)) {
		memcpy(bytes, smem + first, count);
		return;
	}
	for (uint32_t b = 0; b < count; b += stretch) {
		uint32_t a = first + b;

		stretch = in_line(a, count - b);
		get_line(smem, a, twist(t, a), bytes + b, stretch);
	}
}

/* A whole row out of shared memory, as it will be in global memory. */
void model_place_get(const struct tensor_copy *t, const unsigned char *smem, uint32_t k, unsigned char *bytes)
{
	unsigned char image[PADDED_ELEMENTS];

	if (t->map.type != TMA_RAW_TYPE_B6X16_P32) {
		get_bytes(t, smem, place(t, k, 0), bytes, t->row_bytes);
		return;
	}
	get_bytes(t, smem, place(t, k, 0), image, PADDED_ELEMENTS);
	pack_6bit(bytes, image, PADDED_ELEMENTS);
}

/* The run that begins with row k, of a type without padding. */
void model_place_get_run(const struct tensor_copy *t, const unsigned char *smem, uint32_t k,
                         unsigned char *to)
{
	uint32_t rows = together(t), first = place(t, k, 0);

	for (uint32_t i = 0; i < t->run; i += rows)
		get_bytes(t, smem, first + i * t->pitch, to + i * t->step, rows * t->row_bytes);
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
