/* SPDX-License-Identifier: Apache-2.0 */
/* Random tensor copies in which nothing is wrong. */
#include "model_tensor.h"

#define ROOM       (SMEM_BYTES - BOX - 8)
#define DATA_BYTES (12 * PAGE)

static uint32_t between(struct rng *r, uint32_t least, uint32_t most)
{
	return least + rng_below(r, most - least + 1);
}

static uint8_t draw_mode(struct rng *r, bool stores)
{
	static const uint8_t loads[] = { 0, 0, 0, 1, 1, 3, 5, 6 }, of_stores[] = { 0, 0, 0, 2, 2, 4 };

	return stores ? of_stores[rng_below(r, 6)] : loads[rng_below(r, 8)];
}

static bool swizzle_fits(const struct map_fields *m, bool stores)
{
	if (m->atom && m->swizzle != 3)
		return false;
	if (m->swizzle96 && (m->swizzle || m->interleave || is_padded(m->type) || m->wide == 2))
		return false;
	if (is_padded(m->type) && m->swizzle && (m->swizzle != 3 || m->atom == 2))
		return false;
	if (stores && m->atom == 2)
		return false;
	return !m->wide || m->swizzle96 || m->swizzle == 2 || (m->swizzle == 3 && m->atom < 2);
}

static void draw_type(struct rng *r, struct map_fields *m, bool stores)
{
	static const uint8_t types[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 15, 14 };

	m->type = types[rng_below(r, stores ? 13 : 14)];
	m->tf32 = (m->type == 7 || m->type == 8) && rng_percent(r, 50);
	m->nan = m->type >= 6 && m->type <= 10 && rng_percent(r, 50);
	m->interleave = 0;
	if (m->rank >= 3 && !m->wide && !is_padded(m->type) && rng_percent(r, 30))
		m->interleave = between(r, 1, 2);
	do {
		m->swizzle = rng_below(r, 4);
		m->atom = m->swizzle == 3 ? rng_below(r, 4) : 0;
		m->swizzle96 = rng_percent(r, 15);
	} while (!swizzle_fits(m, stores));
}

/* Dimension 0 of the box, and that of the tensor. */
static void draw_row(struct rng *r, struct map_fields *m)
{
	static const uint32_t spans[] = { 256, 32, 64, 128 };
	uint32_t bits = element_bits(m->type);
	uint32_t most = m->interleave ? 48 : m->swizzle96 ? 96 : spans[m->swizzle];

	if (is_padded(m->type)) {
		m->box[0] = 128;
		m->dim[0] = 128 * between(r, 1, 3);
		return;
	}
	do
		m->box[0] = 16 * between(r, 1, most / 16) * 8 / bits;
	while (m->box[0] > 256);
	m->dim[0] = m->interleave ? between(r, 1, 20) : between(r, 1, 2 * m->box[0]);
	if (m->type == 13)
		m->dim[0] += m->dim[0] % 2;
}

static void draw_shape(struct rng *r, struct map_fields *m)
{
	uint64_t row = m->interleave ? m->dim[0] * 16 * m->interleave : m->dim[0] * element_bits(m->type) / 8;

	m->address = TENSOR + 32 * rng_below(r, 64);
	/* As of a map whose rank was lowered: whatever is beyond it. */
	for (uint32_t i = m->rank; i < 5 && rng_percent(r, 25); i++) {
		m->dim[i] = 1 + rng_below(r, UINT32_MAX);
		m->stride[i - 1] = (rng_next(r) >> 28) * 16;
		m->box[i] = between(r, 1, 256);
		m->es[i] = between(r, 1, 8);
	}
	for (uint32_t i = 0; i < m->rank; i++) {
		m->es[i] = between(r, 1, 3);
		if (i) {
			m->dim[i] = between(r, 1, 6);
			m->stride[i - 1] = (row + 31) / 32 * 32 + 32 * rng_below(r, 2);
			row = m->stride[i - 1] * m->dim[i];
			m->box[i] = between(r, 1, 5);
		}
	}
	m->pixels = between(r, 1, 60);
}

static bool draw_window(struct rng *r, struct map_fields *m, bool stores)
{
	uint32_t first = m->interleave ? 0 : 1, ns = m->wide ? 1 : m->rank - 2;

	for (uint32_t i = 0; i < ns; i++) {
		m->lower[i] = stores ? (int32_t)rng_below(r, 3) : (int32_t)rng_below(r, 7) - 3;
		m->upper[i] = stores ? -(int32_t)rng_below(r, 3) : (int32_t)rng_below(r, 7) - 3;
		if (m->lower[i] > (int32_t)m->dim[first + i] - 1 + m->upper[i])
			return false;
	}
	return true;
}

static int32_t coordinate(struct rng *r, uint64_t dim, bool stores)
{
	if (!stores && rng_percent(r, 2))
		return rng_percent(r, 50) ? INT32_MIN : INT32_MAX;
	return stores ? (int32_t)rng_below(r, (uint32_t)dim + 2)
	              : (int32_t)rng_below(r, (uint32_t)dim + 6) - 3;
}

static void draw_coordinates(struct rng *r, const struct map_fields *m, struct tma_command *c, bool stores)
{
	uint32_t first = m->interleave ? 0 : 1, ns = m->wide ? 1 : m->im2col ? m->rank - 2 : 0;
	uint32_t n = c->mode == TMA_MODE_GATHER4 || c->mode == TMA_MODE_SCATTER4 ? 5 : m->rank;
	int32_t granule = is_padded(m->type) ? 128 : 128 / (int32_t)element_bits(m->type);

	for (uint32_t i = 0; i < n; i++)
		c->coord[i] = coordinate(r, m->dim[n == 5 && i && m->rank == 2 ? 1 : i], stores);
	if (!m->interleave) {
		c->coord[0] = (int32_t)rng_below(r, (uint32_t)m->dim[0] / (uint32_t)granule + 4) - 2;
		c->coord[0] = (stores && c->coord[0] < 0 ? 0 : c->coord[0]) * granule;
	}
	for (uint32_t i = 0; i < ns; i++) {
		int32_t last = (int32_t)m->dim[first + i] - 1 + m->upper[i];

		c->coord[first + i] = m->lower[i] + (int32_t)rng_below(r, (uint32_t)(last - m->lower[i] + 1));
		if (m->wide && rng_percent(r, 30))
			c->coord[first + i] -= 4;
	}
	if (m->wide)
		*c = with_im2col(*c, (uint16_t)rng_below(r, 6), (uint16_t)rng_below(r, 4), 0);
	for (uint32_t i = 0; i < ns && c->mode == TMA_MODE_IM2COL; i++)
		c->im2col[i] = (uint16_t)rng_below(r, 4);
}

/* Does all of it fit in the fixture's memories? */
static bool fits(const struct map_fields *m, const struct tma_command *c)
{
	static struct spot spots[MAX_ROWS];
	uint64_t bytes = m->rank > 1 ? m->stride[m->rank - 2] * m->dim[m->rank - 1] : m->dim[0] * 8;
	uint32_t rows = 1;

	for (uint32_t i = 0; i < m->rank; i++)
		rows *= m->im2col || (i == 0 && !m->interleave) ? 1 : (m->box[i] + m->es[i] - 1) / m->es[i];
	if (bytes > DATA_BYTES || rows > MAX_ROWS)
		return false;
	return oracle_spots(m, c, spots) * oracle_pitch(m) + 128 <= ROOM - (c->shared_dst - BOX);
}

void draw_copy(struct rng *r, uint8_t opcode, struct map_fields *m, struct tma_command *c)
{
	bool stores = opcode == TMA_TENSOR_STORE, legal;

	do {
		uint8_t mode = draw_mode(r, stores);
		bool four = mode == TMA_MODE_GATHER4 || mode == TMA_MODE_SCATTER4;

		*m = (struct map_fields){ .rank = mode == TMA_MODE_TILE ? between(r, 1, 5)
			                          : four                ? 2
			                                                : between(r, 3, 5) };
		m->im2col = mode != TMA_MODE_TILE && !four;
		m->wide = mode == TMA_MODE_IM2COL_W ? 1 : mode == TMA_MODE_IM2COL_W_128 ? 2 : 0;
		draw_type(r, m, stores);
		draw_row(r, m);
		draw_shape(r, m);
		if (four)
			m->box[1] = 1;
		legal = !m->im2col || draw_window(r, m, stores);
		if (!legal)
			continue;
		*c = tensor(opcode, mode, (uint8_t)m->rank, 0, 0, 0, 0, 0);
		c->shared_dst += opcode == TMA_TENSOR_PREFETCH ? 0 : 128 * rng_below(r, 9);
		draw_coordinates(r, m, c, stores);
		legal = fits(m, c);
	} while (!legal);
}
