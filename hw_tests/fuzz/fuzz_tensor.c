/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor copies of fuzz_model: half of what is chosen fits together. */
#include "fuzz/fuzz_tensor.h"

#include <string.h>

#define MAP_BYTES 128u

static void put(uint8_t map[MAP_BYTES], uint32_t lsb, uint32_t bits, uint64_t value)
{
	for (uint32_t b = lsb; b < lsb + bits; b++, value >>= 1)
		map[b / 8] = (uint8_t)((map[b / 8] & ~(1u << b % 8)) | (value & 1) << b % 8);
}

#define PUT(map, name, value) put(map, TMA_MAP_##name##_LSB, TMA_MAP_##name##_BITS, value)
#define PUT_AT(map, name, i, value) \
	put(map, TMA_MAP_##name##_LSB + (i)*TMA_MAP_##name##_BITS, TMA_MAP_##name##_BITS, value)

static uint32_t element_bits(uint32_t type)
{
	static const uint8_t bits[] = { 8, 16, 32, 32, 64, 64, 16, 32, 32, 64, 16, 8, 8, 4, 4, 6 };

	return bits[type];
}

static void put_kind(struct input *in, uint8_t map[MAP_BYTES], const struct tma_command *c)
{
	bool wide = c->mode == TMA_MODE_IM2COL_W || c->mode == TMA_MODE_IM2COL_W_128;
	bool im2col = wide || c->mode == TMA_MODE_IM2COL || c->mode == TMA_MODE_IM2COL_NO_OFFS;

	PUT(map, RANK, mostly(in, c->dim - 1u, choose(in, 8)));
	PUT(map, IM2COL, mostly(in, im2col, choose(in, 2)));
	PUT(map, WIDE, mostly(in, wide ? c->mode - TMA_MODE_IM2COL_W + 1u : 0, choose(in, 4)));
	PUT(map, INTERLEAVE, choose(in, 4) ? 0 : choose(in, 4));
	PUT(map, SWIZZLE, wide ? mostly(in, 2 + choose(in, 2), choose(in, 2)) : choose(in, 4));
	PUT(map, ATOM, choose(in, 8) ? 0 : choose(in, 4));
	PUT(map, SWIZZLE96, choose(in, 16) == 0);
	PUT(map, FILL, choose(in, 8) == 0);
	PUT(map, TF32, choose(in, 8) == 0);
	PUT(map, PROMOTION, choose(in, 4));
}

/* Rows of a few granules, of dimensions of a few elements. */
static void put_shape(struct world *w, struct input *in, uint8_t map[MAP_BYTES], const struct tma_command *c)
{
	uint32_t type = mostly(in, choose(in, 11), choose(in, 16));
	uint32_t row = 16 * (1 + choose(in, 4)) * 8 / element_bits(type);

	PUT(map, TYPE, type);
	PUT(map, GLOBAL_ADDRESS, w->base + choose(in, GLOBAL_BYTES / 32) * 32u);
	for (uint32_t i = 0; i < c->dim && i < 5; i++) {
		uint32_t first = type >= 14 ? 128 * (1 + choose(in, 3)) - 1 : choose(in, 2 * row);

		PUT_AT(map, DIM, i, mostly(in, i ? choose(in, 8) : first, take(in, 4)));
		PUT_AT(map, ELEMENT_STRIDE, i, choose(in, 4) ? 0 : choose(in, 8));
		if (i + 1u < c->dim && i < 4) {
			PUT_AT(map, STRIDE_LOW, i, mostly(in, 2 * choose(in, 64), take(in, 4)));
			PUT_AT(map, STRIDE_HIGH, i, mostly(in, 0, choose(in, 16)));
		}
	}
	PUT(map, BOX, mostly(in, (type >= 14 ? 128 : row) - 1, choose(in, 256)));
}

static void put_box(struct input *in, uint8_t map[MAP_BYTES], const struct tma_command *c)
{
	if (c->mode == TMA_MODE_TILE) {
		for (uint32_t i = 1; i < c->dim && i < 5; i++)
			PUT_AT(map, BOX, i, mostly(in, choose(in, 4), choose(in, 256)));
		return;
	}
	if (c->mode == TMA_MODE_GATHER4 || c->mode == TMA_MODE_SCATTER4)
		return;
	/* corners of -2 to 1: of four dimensions they stand well for those of three and five */
	for (uint32_t i = 1; i < 5; i++)
		PUT_AT(map, BOX, i, mostly(in, choose(in, 4) - 2u, choose(in, 256)) & 0xff);
	PUT(map, PIXELS, mostly(in, choose(in, 24), choose(in, 1024)));
}

/* What a larger rank has left behind. */
static void put_beyond(struct input *in, uint8_t map[MAP_BYTES], const struct tma_command *c)
{
	for (uint32_t i = c->dim ? c->dim : 1; i < 5; i++) {
		PUT_AT(map, DIM, i, take(in, 4));
		PUT_AT(map, ELEMENT_STRIDE, i, take(in, 1));
		PUT_AT(map, STRIDE_LOW, i - 1, take(in, 4));
		if (c->mode == TMA_MODE_TILE)
			PUT_AT(map, BOX, i, take(in, 1));
	}
}

static void put_map(struct world *w, struct input *in, const struct tma_command *c, uint32_t at)
{
	uint8_t map[MAP_BYTES] = { 0 };
	uint32_t bit;

	put_kind(in, map, c);
	put_shape(w, in, map, c);
	put_box(in, map, c);
	if (choose(in, 4) == 0)
		put_beyond(in, map, c);
	if (choose(in, 8) == 0) {
		bit = choose(in, 1024);
		map[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	for (uint32_t i = 0; i < MAP_BYTES; i++)
		*world_byte(w, 0, at + i) = map[i];
}

static uint8_t some_mode(struct input *in, uint8_t opcode)
{
	static const uint8_t loads[] = { TMA_MODE_TILE,    TMA_MODE_TILE,     TMA_MODE_IM2COL,
		                         TMA_MODE_GATHER4, TMA_MODE_IM2COL_W, TMA_MODE_IM2COL_W_128 };
	static const uint8_t stores[] = { TMA_MODE_TILE, TMA_MODE_IM2COL_NO_OFFS, TMA_MODE_SCATTER4 };
	uint8_t mode = opcode == TMA_TENSOR_STORE ? stores[choose(in, 3)] : loads[choose(in, 6)];

	return (uint8_t)mostly(in, mode, choose(in, 8));
}

static uint8_t some_dim(struct input *in, uint8_t mode)
{
	if (mode == TMA_MODE_TILE)
		return (uint8_t)mostly(in, 1 + choose(in, 5), choose(in, 8));
	if (mode == TMA_MODE_GATHER4 || mode == TMA_MODE_SCATTER4)
		return (uint8_t)mostly(in, 2, choose(in, 8));
	return (uint8_t)mostly(in, 3 + choose(in, 3), choose(in, 8));
}

static void put_coordinates(struct input *in, struct tma_command *c)
{
	bool four = c->mode == TMA_MODE_GATHER4 || c->mode == TMA_MODE_SCATTER4;
	uint32_t used = mostly(in, four ? 5 : c->dim, 5);

	memset(c->coord, 0, sizeof(c->coord));
	memset(c->im2col, 0, sizeof(c->im2col));
	for (uint32_t i = 0; i < used && i < 5; i++)
		c->coord[i] = (int32_t)mostly(in, i ? choose(in, 6) : choose(in, 3) * 16, take(in, 4));
	if (c->opcode == TMA_TENSOR_LOAD && choose(in, 4) == 0)
		c->coord[choose(in, 5)] = -16;
	used = c->mode == TMA_MODE_IM2COL && c->dim > 2 ? c->dim - 2u : 2;
	if (c->mode == TMA_MODE_IM2COL || c->mode >= TMA_MODE_IM2COL_W)
		for (uint32_t i = 0; i < used && i < 3; i++)
			c->im2col[i] = (uint16_t)mostly(in, choose(in, 4), take(in, 2));
}

void fuzz_tensor(struct world *w, struct input *in, struct tma_command *c)
{
	uint32_t at = choose(in, (OPEN_PAGES * PAGE - MAP_BYTES) / 64 + 1) * 64;

	c->mode = some_mode(in, c->opcode);
	c->dim = some_dim(in, c->mode);
	c->global_address = w->base + mostly(in, at, choose(in, GLOBAL_BYTES / 32) * 32);
	put_coordinates(in, c);
	if (choose(in, 16))
		put_map(w, in, c, at);
}
