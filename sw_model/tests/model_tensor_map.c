/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor maps from plain fields, and commands on them. */
#include "model_tensor.h"

static void put(uint64_t words[16], unsigned int lsb, unsigned int bits, uint64_t value)
{
	for (unsigned int b = 0; b < bits; b++)
		if (value >> b & 1)
			words[(lsb + b) / 64] |= UINT64_C(1) << (lsb + b) % 64;
}

/* Sizes are kept less one; a field that was left zero is one. */
static uint64_t less_one(uint64_t value)
{
	return value ? value - 1 : 0;
}

static void put_corners(uint64_t words[16], const struct map_fields *m)
{
	unsigned int n = m->wide ? 1 : m->rank - 2;
	unsigned int width = n == 1 ? 16 : n == 2 ? 8 : 5;

	for (unsigned int i = 0; i < n; i++) {
		put(words, 7 * 64 + i * width, width, (uint32_t)m->lower[i]);
		put(words, 7 * 64 + 16 + i * width, width, (uint32_t)m->upper[i]);
	}
}

void map_encode(const struct map_fields *m, uint64_t words[16])
{
	memset(words, 0, 16 * sizeof(*words));
	put(words, 0, 64, m->address);
	put(words, 64 + 0, 1, m->im2col);
	put(words, 64 + 4, 3, m->rank - 1);
	put(words, 64 + 7, 4, m->type);
	put(words, 64 + 11, 2, m->interleave);
	put(words, 64 + 13, 2, m->swizzle);
	put(words, 64 + 15, 1, m->nan);
	put(words, 64 + 16, 1, m->tf32);
	put(words, 64 + 19, 2, m->atom);
	put(words, 64 + 21, 1, m->swizzle96);
	put(words, 64 + 22, 2, m->wide);
	for (unsigned int i = 0; i < 4; i++) {
		put(words, 96 + 32 * i, 32, m->stride[i] >> 4 & UINT32_MAX);
		put(words, 3 * 64 + 32 + 4 * i, 4, m->stride[i] >> 36);
	}
	for (unsigned int i = 0; i < 5; i++) {
		put(words, 4 * 64 + 32 * i, 32, less_one(m->dim[i]));
		put(words, 6 * 64 + 32 + 3 * i, 3, less_one(m->es[i]));
	}
	put(words, 6 * 64 + 56, 8, less_one(m->box[0]));
	if (m->im2col) {
		put_corners(words, m);
		put(words, 7 * 64 + 32, 10, less_one(m->pixels));
		return;
	}
	for (unsigned int i = 1; i < 5; i++)
		put(words, 7 * 64 + 8 * (i - 1), 8, less_one(m->box[i]));
}

void put_words(struct fixture *f, uint64_t at, const uint64_t words[16])
{
	for (unsigned int i = 0; i < 128; i++) {
		uint8_t byte = (uint8_t)(words[i / 8] >> 8 * (i % 8));

		f->global[at - GLOBAL + i] = byte;
		f->expected.global[PAGE + at - GLOBAL + i] = byte;
	}
}

void put_map(struct fixture *f, const struct map_fields *m)
{
	uint64_t words[16];

	map_encode(m, words);
	put_words(f, MAP, words);
}

uint32_t element_bits(uint32_t type)
{
	static const uint8_t bits[] = { 8, 16, 32, 32, 64, 64, 16, 32, 32, 64, 16, 0, 0, 4, 4, 6 };

	return bits[type];
}

bool is_padded(uint32_t type)
{
	return type == 14 || type == 15;
}

struct tma_command tensor(uint8_t opcode, uint8_t mode, uint8_t dim, int32_t c0, int32_t c1, int32_t c2,
                          int32_t c3, int32_t c4)
{
	struct tma_command c = command(opcode);

	c.mode = mode;
	c.dim = dim;
	c.global_address = MAP;
	c.coord[0] = c0;
	c.coord[1] = c1;
	c.coord[2] = c2;
	c.coord[3] = c3;
	c.coord[4] = c4;
	if (opcode != TMA_TENSOR_PREFETCH)
		c.shared_dst = BOX;
	if (opcode == TMA_TENSOR_LOAD)
		c.barrier = BAR;
	return c;
}

struct tma_command with_im2col(struct tma_command c, uint16_t i0, uint16_t i1, uint16_t i2)
{
	c.im2col[0] = i0;
	c.im2col[1] = i1;
	c.im2col[2] = i2;
	return c;
}
