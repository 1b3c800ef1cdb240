/* SPDX-License-Identifier: Apache-2.0 */
/* Self-test: tensor copies, element by element from the formulas of docs/semantics.md, section 2. */
#include <string.h>

#include "selftest_tensor.h"

void st_tensor_encode(struct selftest *t, struct tensor_case *c)
{
	const struct tma_map_info *m = &c->map;
	struct tma_map_error error = { .parameter = NULL };
	struct tma_map map;
	int refused;

	if (m->kind == TMA_MAP_TILED)
		refused =
			tma_map_encode_tiled(&map, TMA_MAP_SM_100, m->type, m->rank, st_address(t, ST_TENSOR),
		                             m->dim, m->strides, m->box, m->element_strides, m->interleave,
		                             m->swizzle, m->promotion, m->fill, &error);
	else if (m->wide == TMA_RAW_WIDE_NONE)
		refused = tma_map_encode_im2col(&map, TMA_MAP_SM_100, m->type, m->rank,
		                                st_address(t, ST_TENSOR), m->dim, m->strides, m->lower,
		                                m->upper, m->channels, m->pixels, m->element_strides,
		                                m->interleave, m->swizzle, m->promotion, m->fill, &error);
	else
		refused = tma_map_encode_im2col_wide(
			&map, TMA_MAP_SM_100, m->type, m->rank, st_address(t, ST_TENSOR), m->dim, m->strides,
			m->lower[0], m->upper[0], m->channels, m->pixels, m->element_strides, m->interleave,
			m->wide == TMA_RAW_WIDE_W ? TMA_MAP_WIDE_MODE_W : TMA_MAP_WIDE_MODE_W128, m->swizzle,
			m->promotion, m->fill, &error);
	if (refused) {
		st_fail(t, "the map was refused: %s %s", error.parameter, error.rule);
		return;
	}
	memcpy(t->global + ST_MAP, &map, sizeof(map));
	st_put_global(t, ST_MAP, sizeof(map));
	tma_fence_proxy_tensormap(st_next(t), st_address(t, ST_MAP));
}

/* Bytes of an element; of types without padding. */
static uint32_t element_bytes(const struct tma_map_info *m)
{
	switch (m->type) {
	case TMA_MAP_DATA_UINT8:
		return 1;
	case TMA_MAP_DATA_UINT16:
	case TMA_MAP_DATA_FLOAT16:
	case TMA_MAP_DATA_BFLOAT16:
		return 2;
	case TMA_MAP_DATA_UINT64:
	case TMA_MAP_DATA_INT64:
	case TMA_MAP_DATA_FLOAT64:
		return 8;
	default:
		return 4;
	}
}

/* Address bits that each swizzle changes. */
static uint32_t swizzled(uint32_t address, uint32_t swizzle)
{
	switch (swizzle) {
	case TMA_MAP_SWIZZLE_32B:
	case TMA_MAP_SWIZZLE_96B:
		return address ^ (address >> 7 & 1) << 4;
	case TMA_MAP_SWIZZLE_64B:
		return address ^ (address >> 7 & 3) << 4;
	case TMA_MAP_SWIZZLE_128B:
		return address ^ (address >> 7 & 7) << 4;
	case TMA_MAP_SWIZZLE_128B_ATOM_32B:
		return address ^ (address >> 7 & 3) << 5;
	case TMA_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B:
		return address ^ (address >> 7 & 3) << 5 ^ (address >> 7 & 1) << 3;
	case TMA_MAP_SWIZZLE_128B_ATOM_64B:
		return address ^ (address >> 7 & 1) << 6;
	default:
		return address;
	}
}

/* From row to row in shared memory: a row that is shorter than its swizzle's span takes all of that. */
static uint32_t pitch_of(const struct tma_map_info *m, uint32_t row_bytes)
{
	static const uint32_t spans[] = { 0, 32, 64, 128, 128, 128, 128, 96 };
	uint32_t span = spans[m->swizzle & 7];

	return !m->interleave && span > row_bytes ? span : row_bytes;
}

/* One element, or with interleave one slice: where it is in both memories. */
static void place(struct selftest *t, const struct tensor_case *c, const int64_t *at, uint32_t shared,
                  uint32_t bytes)
{
	const struct tma_map_info *m = &c->map;
	uint64_t global = ST_TENSOR + (uint64_t)at[0] * bytes;
	bool inside = true;
	uint32_t i, b;

	for (i = 0; i < m->rank; i++)
		inside = inside && at[i] >= 0 && (uint64_t)at[i] < m->dim[i];
	for (i = 1; i < m->rank; i++)
		global += (uint64_t)at[i] * m->strides[i - 1];
	for (b = 0; b < bytes; b++) {
		uint8_t *s = &t->shared[c->cta][swizzled(c->shared + shared + b, m->swizzle)];

		if (c->use)
			c->use(t, inside ? &t->global[global + b] : NULL, s, m, b, c->argument);
		else if (c->store && inside)
			t->global[global + b] = *s;
		else if (!c->store)
			*s = inside ? t->global[global + b] : m->fill ? (b & 1 ? 0x7F : 0xF7) : 0;
	}
}

/* A row: elements next to each other in dimension 0, all of them or those of one slice. */
static void place_row(struct selftest *t, const struct tensor_case *c, const int64_t *at, uint32_t row,
                      uint32_t count)
{
	uint32_t bytes = element_bytes(&c->map), pitch = pitch_of(&c->map, count * bytes), i;
	int64_t element[5];

	memcpy(element, at, sizeof(element));
	for (i = 0; i < count; i++, element[0]++)
		place(t, c, element, row * pitch + i * bytes, bytes);
}

/* Positions of a box in a dimension. */
static uint32_t steps(const struct tma_map_info *m, uint32_t i)
{
	return (m->box[i] + m->element_strides[i] - 1) / m->element_strides[i];
}

uint32_t st_tensor_tile_bytes(const struct tma_map_info *m)
{
	uint32_t slice = m->interleave == TMA_MAP_INTERLEAVE_16B ? 16 : 32, i;
	uint32_t bytes = m->interleave ? slice * steps(m, 0) : element_bytes(m) * m->box[0];

	for (i = 1; i < m->rank; i++)
		bytes *= m->interleave && i == m->rank - 2 ? 1 : steps(m, i);
	return bytes;
}

void st_tensor_tile_image(struct selftest *t, const struct tensor_case *c)
{
	const struct tma_map_info *m = &c->map;
	uint32_t slice = m->interleave == TMA_MAP_INTERLEAVE_16B ? 16 : 32;
	uint32_t rows = st_tensor_tile_bytes(m) / (m->interleave ? slice : element_bytes(m) * m->box[0]), row,
		 i, k;
	int64_t at[5];

	for (row = 0; row < rows; row++) {
		for (i = 0, k = row; i < m->rank; i++) {
			bool walks = m->interleave ? i != m->rank - 2 : i != 0;

			at[i] = c->coord[i];
			if (!walks)
				continue;
			at[i] += (int64_t)(k % steps(m, i)) * m->element_strides[i];
			k /= steps(m, i);
		}
		if (m->interleave)
			place(t, c, at, row * slice, slice);
		else
			place_row(t, c, at, row, m->box[0]);
	}
}

void st_tensor_gather_image(struct selftest *t, const struct tensor_case *c)
{
	uint32_t row;

	for (row = 0; row < 4; row++) {
		const int64_t at[5] = { c->coord[0], c->coord[1 + row] };

		place_row(t, c, at, row, c->map.box[0]);
	}
}

/* The next pixel of a walk: in the window, then in the next row of it, at last in the next image. */
static void step(const struct tma_map_info *m, int64_t *at, uint32_t spatial)
{
	uint32_t i;

	for (i = 0; i < spatial; i++) {
		at[i + 1] += m->element_strides[i + 1];
		if (at[i + 1] <= (int64_t)m->dim[i + 1] - 1 + m->upper[i])
			return;
		at[i + 1] = m->lower[i];
	}
	at[m->rank - 1] += m->element_strides[m->rank - 1];
}

void st_tensor_im2col_image(struct selftest *t, const struct tensor_case *c)
{
	const struct tma_map_info *m = &c->map;
	uint32_t pixel, i;
	int64_t at[5], source[5];

	for (i = 0; i < 5; i++)
		at[i] = c->coord[i];
	for (pixel = 0; pixel < m->pixels; pixel++) {
		memcpy(source, at, sizeof(source));
		for (i = 0; i + 2 < m->rank; i++)
			source[i + 1] += c->offset[i];
		place_row(t, c, source, pixel, m->channels);
		step(m, at, m->rank - 2);
	}
}

/* Of im2col::w: a walk along W alone, its window moved by the offset; then the halo, with which it would go on. */
static void wide_row(struct selftest *t, const struct tensor_case *c, int64_t *at, uint32_t row)
{
	const struct tma_map_info *m = &c->map;
	int64_t source[5];

	memcpy(source, at, sizeof(source));
	source[1] += c->offset[1];
	place_row(t, c, source, row, m->channels);
	step(m, at, 1);
}

static void start_of(const struct tensor_case *c, int64_t *at)
{
	uint32_t i;

	for (i = 0; i < 5; i++)
		at[i] = c->coord[i];
}

void st_tensor_wide_image(struct selftest *t, const struct tensor_case *c)
{
	uint32_t halo = c->offset[0], pixel, segment, k;
	int64_t at[5], on[5];

	start_of(c, at);
	if (c->map.wide == TMA_RAW_WIDE_W) {
		for (pixel = 0; pixel < c->map.pixels + halo; pixel++)
			wide_row(t, c, at, pixel);
		return;
	}
	/* Four segments of 32; behind all of them the first halo pixel of each, then the second. */
	for (segment = 0; segment < 4; segment++) {
		for (pixel = 0; pixel < 32; pixel++)
			wide_row(t, c, at, 32 * segment + pixel);
		memcpy(on, at, sizeof(on));
		for (k = 0; k < halo; k++)
			wide_row(t, c, on, 128 + 4 * k + segment);
	}
}
