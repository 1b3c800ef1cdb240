/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the rows of a tensor copy lie in the tensor: every row by a formula of its own number.
 *
 * A row is what stands together in shared memory: a row of the box in dimension 0, the channels of
 * a pixel, with interleave one slice of channels.
 */
#include "tensor.h"

/* The first element of a row, out of bounds or not. */
struct position {
	int64_t c[MAX_RANK];
};

static bool interleaved(const struct tensor_map *map)
{
	return map->interleave != TMA_RAW_INTERLEAVE_NONE;
}

/* Halo pixels of a segment of a wide copy. */
static uint32_t halo(const struct tensor_copy *t)
{
	return t->issue->command->im2col[0];
}

/* Does the walk of a tile step in dimension i? Channels within a row and the one slice do not count. */
static bool steps(const struct tensor_map *map, uint32_t i)
{
	return interleaved(map) ? i != map->rank - 2 : i != 0;
}

static uint32_t rows(const struct tensor_copy *t)
{
	uint32_t n = 1;

	switch (t->issue->command->mode) {
	case TMA_MODE_TILE:
		for (uint32_t i = 0; i < t->map.rank; i++)
			n *= steps(&t->map, i) ? model_map_count(&t->map, i) : 1;
		return n;
	case TMA_MODE_GATHER4:
	case TMA_MODE_SCATTER4:
		return 4;
	case TMA_MODE_IM2COL_W:
		return t->map.pixels + halo(t);
	case TMA_MODE_IM2COL_W_128:
		return W_128_SEGMENTS * (W_128_PIXELS + halo(t));
	default:
		return t->map.pixels;
	}
}

/* From one step of a tile in dimension i to the next, in global memory. */
static uint64_t step_bytes(const struct tensor_copy *t, uint32_t i)
{
	return (i ? t->map.stride[i] : t->row_bytes) * t->map.element_stride[i];
}

/* The rows of the first dimension in which a tile steps follow each other at one step, and those of the next
 * dimensions as long as each goes on where the one before it ends. */
static void find_run(struct tensor_copy *t)
{
	t->run = 1;
	for (uint32_t i = 0; t->issue->command->mode == TMA_MODE_TILE && i < t->map.rank; i++) {
		uint32_t n = steps(&t->map, i) ? model_map_count(&t->map, i) : 1;

		if (n == 1)
			continue;
		if (t->run == 1)
			t->step = step_bytes(t, i);
		else if (step_bytes(t, i) != t->step * t->run)
			return;
		t->run *= n;
	}
}

/* Of a copy whose map is legal by itself. Without interleave a swizzled row takes a whole span. */
void model_tensor_shape(struct tensor_copy *t)
{
	const struct tensor_map *map = &t->map;

	t->rows = rows(t);
	t->row_bytes =
		interleaved(map) ? model_map_slice(map) : map->box[0] * model_map_element_bits(map) / 8;
	t->shared_bytes = model_map_padded(map) ? PADDED_ELEMENTS : t->row_bytes;
	t->pitch = t->shared_bytes;
	if (!interleaved(map) && model_map_swizzled(map))
		t->pitch = map->swizzle96 ? 96 : model_map_span(map);
	find_run(t);
	model_place_twist(t);
}

static struct position start(const struct tensor_copy *t)
{
	struct position p = { { 0 } };

	for (uint32_t i = 0; i < t->map.rank; i++)
		p.c[i] = t->issue->command->coord[i];
	return p;
}

static struct position tile_position(const struct tensor_copy *t, uint32_t k)
{
	struct position p = start(t);

	for (uint32_t i = 0; i < t->map.rank; i++) {
		uint32_t n = model_map_count(&t->map, i);

		if (!steps(&t->map, i))
			continue;
		p.c[i] += (int64_t)(k % n) * t->map.element_stride[i];
		k /= n;
	}
	return p;
}

static struct position gather_position(const struct tensor_copy *t, uint32_t k)
{
	const int32_t *coord = t->issue->command->coord;

	return (struct position){ { coord[0], coord[1 + k] } };
}

/*
 * `*c` after `k` steps in a window that ends at `last`: a step beyond it goes to `first`, whatever
 * the phase the walk began with. Returns how often that has happened.
 */
static uint64_t step_in_window(int64_t *c, uint64_t k, int64_t first, int64_t last, uint32_t stride)
{
	uint64_t until_end = (uint64_t)(last - *c) / stride + 1;
	uint64_t per_lap = (uint64_t)(last - first) / stride + 1;

	if (k < until_end) {
		*c += (int64_t)(k * stride);
		return 0;
	}
	*c = first + (int64_t)((k - until_end) % per_lap * stride);
	return 1 + (k - until_end) / per_lap;
}

/* Pixel k of the walk along dimension `first` and those behind it, images last; without offsets. */
static struct position walk(const struct tensor_copy *t, uint32_t k, uint32_t image_stride)
{
	const struct tensor_map *map = &t->map;
	struct position p = start(t);
	uint64_t carry = k;

	for (uint32_t s = 0; s < model_map_spatial(map); s++) {
		uint32_t i = model_map_first_spatial(map) + s;
		int64_t last = (int64_t)map->dim[i] - 1 + map->upper[s];

		carry = step_in_window(&p.c[i], carry, map->lower[s], last, map->element_stride[i]);
	}
	p.c[map->rank - 1] += (int64_t)(carry * image_stride);
	return p;
}

static struct position im2col_position(const struct tensor_copy *t, uint32_t k)
{
	struct position p = walk(t, k, t->map.element_stride[t->map.rank - 1]);

	for (uint32_t s = 0; s < model_map_spatial(&t->map); s++)
		p.c[model_map_first_spatial(&t->map) + s] += t->issue->command->im2col[s];
	return p;
}

/* The pixel of the walk that stands in row k. Of w::128 the halos stand behind all main pixels, the
 * first of every segment, then the second of every segment. */
static uint32_t wide_pixel(const struct tensor_copy *t, uint32_t k)
{
	uint32_t main_pixels = W_128_SEGMENTS * W_128_PIXELS;
	uint32_t halo_row = k - main_pixels;

	if (t->issue->command->mode == TMA_MODE_IM2COL_W || k < main_pixels)
		return k;
	return W_128_PIXELS * (halo_row % W_128_SEGMENTS + 1) + halo_row / W_128_SEGMENTS;
}

/* Halo pixels are those with which the walk would go on. */
static struct position wide_position(const struct tensor_copy *t, uint32_t k)
{
	struct position p = walk(t, wide_pixel(t, k), 1);

	p.c[1] += t->issue->command->im2col[1];
	return p;
}

static struct position position(const struct tensor_copy *t, uint32_t k)
{
	switch (t->issue->command->mode) {
	case TMA_MODE_TILE:
		return tile_position(t, k);
	case TMA_MODE_GATHER4:
	case TMA_MODE_SCATTER4:
		return gather_position(t, k);
	case TMA_MODE_IM2COL_W:
	case TMA_MODE_IM2COL_W_128:
		return wide_position(t, k);
	default:
		return im2col_position(t, k);
	}
}

/* Is the row in the tensor, as far as the dimensions across it say? */
static bool inside(const struct tensor_map *map, const struct position *p)
{
	for (uint32_t i = interleaved(map) ? 0 : 1; i < map->rank; i++)
		if (p->c[i] < 0 || p->c[i] >= (int64_t)map->dim[i])
			return false;
	return true;
}

/* Address of what lies at element 0 of dimension 0 there, modulo 2^64. */
static uint64_t address_across(const struct tensor_map *map, const struct position *p)
{
	uint64_t address = map->address;

	for (uint32_t i = 1; i < map->rank; i++)
		address += (uint64_t)p->c[i] * map->stride[i];
	return address;
}

/* The part of row k that lies in the tensor; bytes 0: none. */
struct tensor_row model_tensor_row(const struct tensor_copy *t, uint32_t k)
{
	const struct tensor_map *map = &t->map;
	struct position p = position(t, k);
	uint64_t address = address_across(map, &p);
	uint32_t bits = model_map_element_bits(map);
	int64_t from = p.c[0] < 0 ? 0 : p.c[0]; /* elements from..to-1 */
	int64_t to = p.c[0] + map->box[0];

	if (!inside(map, &p))
		return (struct tensor_row){ 0 };
	if (interleaved(map))
		return (struct tensor_row){ address + (uint64_t)p.c[0] * t->row_bytes, 0, t->row_bytes };
	if (to > (int64_t)map->dim[0])
		to = (int64_t)map->dim[0];
	if (from >= to)
		return (struct tensor_row){ 0 };
	return (struct tensor_row){ address + (uint64_t)from * bits / 8,
		                    (uint32_t)((from - p.c[0]) * bits / 8),
		                    (uint32_t)((to - from) * bits / 8) };
}

/* Does all of the run that begins with row k lie in the tensor? The first of its rows and the last tell, for a
 * box is convex. */
bool model_tensor_whole(const struct tensor_copy *t, uint32_t k)
{
	return model_tensor_row(t, k).bytes == t->row_bytes &&
	       model_tensor_row(t, k + t->run - 1).bytes == t->row_bytes;
}
