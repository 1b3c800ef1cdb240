/* SPDX-License-Identifier: Apache-2.0 */
/* Self-test: the groups of tensor copies. */
#include <string.h>

#include "selftest_tensor.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Matrix of 100 x 20 elements of 16 bits, 208 bytes from row to row: its rows end within 16 bytes. */
#define MATRIX .kind = TMA_MAP_TILED, .rank = 2, .dim = { 100, 20 }, .strides = { 208 }

static bool lacks_tensors(struct selftest *t)
{
	if (!t->info.tensor)
		st_skip(t, "the engine is built without tensor copies");
	return !t->info.tensor;
}

/* One load, which its CTA waits for; image: what it leaves. */
static void load(struct selftest *t, struct tensor_case *c, uint32_t bytes,
                 void (*image)(struct selftest *, const struct tensor_case *))
{
	uint32_t barrier = tma_shared(c->cta, ST_BARRIER);

	t->what = c->name;
	st_fresh(t, 40 + bytes, 1u << c->cta);
	st_tensor_encode(t, c);
	st_expect(t, c->cta, bytes);
	tma_cp_async_bulk_prefetch_tensor(st_next(t), c->mode, c->map.rank, st_address(t, ST_MAP), c->coord,
	                                  c->offset);
	tma_cp_async_bulk_tensor_load(st_next(t), c->mode, c->map.rank, tma_shared(c->cta, c->shared),
	                              st_address(t, ST_MAP), c->coord, barrier, c->offset);
	st_arrived(t, c->cta);
	st_run(t, c->cta);
	image(t, c);
	st_compare(t);
}

static void load_tiles(struct selftest *t, const struct tensor_case *cases, size_t count)
{
	size_t i;

	if (lacks_tensors(t))
		return;
	for (i = 0; i < count && !st_failed(t); i++) {
		struct tensor_case c = cases[i];

		if (!c.shared)
			c.shared = ST_DATA;
		load(t, &c, st_tensor_tile_bytes(&c.map), st_tensor_tile_image);
	}
	st_note(t, "%u loads", (unsigned int)count);
}

void st_tensor_tile(struct selftest *t)
{
	static const struct tensor_case cases[] = {
		{ .name = "rank 1",
		  .map = { .rank = 1,
		           .type = TMA_MAP_DATA_UINT8,
		           .dim = { 1000 },
		           .box = { 256 },
		           .element_strides = { 1 } },
		  .coord = { 880 } },
		{ .name = "rank 2, over two edges",
		  .map = { MATRIX, .type = TMA_MAP_DATA_UINT16, .box = { 32, 8 },
		           .element_strides = { 1, 1 } },
		  .coord = { -8, -3 } },
		{ .name = "rank 2, NaN outside",
		  .map = { MATRIX, .type = TMA_MAP_DATA_FLOAT16, .box = { 32, 8 },
		           .element_strides = { 1, 1 }, .fill = TMA_MAP_FILL_NAN },
		  .coord = { 80, 16 } },
		{ .name = "rank 2, every third row",
		  .map = { MATRIX, .type = TMA_MAP_DATA_UINT16, .box = { 16, 16 },
		           .element_strides = { 1, 3 } },
		  .coord = { 8, 1 } },
		{ .name = "rank 2, all outside",
		  .map = { MATRIX, .type = TMA_MAP_DATA_UINT16, .box = { 8, 4 },
		           .element_strides = { 1, 1 } },
		  .coord = { 0, INT32_MIN } },
		{ .name = "rank 3",
		  .map = { .rank = 3,
		           .type = TMA_MAP_DATA_UINT32,
		           .dim = { 20, 6, 5 },
		           .strides = { 96, 576 },
		           .box = { 8, 4, 4 },
		           .element_strides = { 1, 2, 1 } },
		  .coord = { 16, -1, 2 } },
		{ .name = "rank 4",
		  .map = { .rank = 4,
		           .type = TMA_MAP_DATA_UINT64,
		           .dim = { 6, 4, 3, 3 },
		           .strides = { 48, 192, 576 },
		           .box = { 2, 3, 2, 2 },
		           .element_strides = { 1, 1, 1, 1 } },
		  .coord = { 2, 1, 1, 2 } },
		{ .name = "rank 5",
		  .map = { .rank = 5,
		           .type = TMA_MAP_DATA_INT32,
		           .dim = { 8, 3, 3, 3, 3 },
		           .strides = { 32, 96, 288, 864 },
		           .box = { 4, 2, 2, 2, 2 },
		           .element_strides = { 1, 1, 1, 1, 1 } },
		  .coord = { 4, 1, -1, 1, 2 } },
	};

	load_tiles(t, cases, COUNT(cases));
}

/* Rows as long as the span, then shorter ones, at an address that is no multiple of the pattern's period. */
void st_tensor_swizzle(struct selftest *t)
{
	static const struct {
		const char *name;
		uint32_t code, row_bytes;
	} swizzles[] = {
		{ "swizzle 32B", TMA_MAP_SWIZZLE_32B, 32 },
		{ "swizzle 64B", TMA_MAP_SWIZZLE_64B, 64 },
		{ "swizzle 128B", TMA_MAP_SWIZZLE_128B, 128 },
		{ "swizzle 96B", TMA_MAP_SWIZZLE_96B, 96 },
		{ "swizzle 128B, atoms of 32 bytes", TMA_MAP_SWIZZLE_128B_ATOM_32B, 128 },
		{ "swizzle 128B, atoms of 32 bytes, flip", TMA_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B, 128 },
		{ "swizzle 128B, atoms of 64 bytes", TMA_MAP_SWIZZLE_128B_ATOM_64B, 128 },
		{ "swizzle 128B, short rows", TMA_MAP_SWIZZLE_128B, 48 },
	};
	struct tensor_case cases[2 * COUNT(swizzles)];
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		uint32_t row = swizzles[i / 2].row_bytes;

		cases[i] = (struct tensor_case){
			.name = swizzles[i / 2].name,
			.map = { .rank = 2,
			         .type = TMA_MAP_DATA_UINT32,
			         .dim = { row / 4, 40 },
			         .strides = { 144 },
			         .box = { row / 4, 16 },
			         .element_strides = { 1, 1 },
			         .swizzle = swizzles[i / 2].code },
			.coord = { 0, 7 },
			.shared = i % 2 ? 1024 + 384 : 1024,
		};
	}
	load_tiles(t, cases, COUNT(cases));
}

/* W, slices of channels, images. */
void st_tensor_interleave(struct selftest *t)
{
	static const struct tensor_case cases[] = {
		{ .name = "interleave 16B",
		  .map = { .rank = 3,
		           .type = TMA_MAP_DATA_UINT16,
		           .dim = { 10, 3, 4 },
		           .strides = { 160, 480 },
		           .box = { 8, 1, 3 },
		           .element_strides = { 1, 1, 1 },
		           .interleave = TMA_MAP_INTERLEAVE_16B },
		  .coord = { 8, 1, 2 } },
		{ .name = "interleave 32B",
		  .map = { .rank = 3,
		           .type = TMA_MAP_DATA_UINT8,
		           .dim = { 20, 2, 4 },
		           .strides = { 640, 1280 },
		           .box = { 16, 1, 2 },
		           .element_strides = { 2, 1, 1 },
		           .interleave = TMA_MAP_INTERLEAVE_32B,
		           .swizzle = TMA_MAP_SWIZZLE_32B },
		  .coord = { 0, 1, 1 } },
	};

	load_tiles(t, cases, COUNT(cases));
}

/* Four dimensions with a filter tap that hangs over the edges, five with steps, in images that end. */
void st_tensor_im2col(struct selftest *t)
{
	struct tensor_case cases[] = {
		{ .name = "im2col, rank 4",
		  .map = { .kind = TMA_MAP_IM2COL,
		           .rank = 4,
		           .type = TMA_MAP_DATA_UINT16,
		           .dim = { 16, 6, 5, 3 },
		           .strides = { 32, 192, 960 },
		           .lower = { -1, -1 },
		           .upper = { -1, -1 },
		           .channels = 16,
		           .pixels = 40,
		           .element_strides = { 1, 1, 1, 1 } },
		  .mode = TMA_MODE_IM2COL,
		  .coord = { 0, 2, 1, 1 },
		  .offset = { 2, 0 } },
		{ .name = "im2col, rank 5",
		  .map = { .kind = TMA_MAP_IM2COL,
		           .rank = 5,
		           .type = TMA_MAP_DATA_UINT32,
		           .dim = { 8, 4, 3, 2, 2 },
		           .strides = { 32, 128, 384, 768 },
		           .channels = 4,
		           .pixels = 30,
		           .element_strides = { 1, 2, 1, 1, 1 },
		           .swizzle = TMA_MAP_SWIZZLE_32B },
		  .mode = TMA_MODE_IM2COL,
		  .coord = { 4, 1, 0, 1, 0 },
		  .offset = { 1, 0, 0 } },
	};
	size_t i;

	if (lacks_tensors(t))
		return;
	for (i = 0; i < COUNT(cases) && !st_failed(t); i++) {
		cases[i].shared = ST_DATA;
		load(t, &cases[i], cases[i].map.pixels * (i ? 16 : 32), st_tensor_im2col_image);
	}
	st_note(t, "%u loads", (unsigned int)COUNT(cases));
}

void st_tensor_wide(struct selftest *t)
{
	struct tensor_case cases[] = {
		{ .name = "im2col::w",
		  .map = { .wide = TMA_RAW_WIDE_W, .lower = { -1 }, .upper = { 0 }, .pixels = 20 },
		  .mode = TMA_MODE_IM2COL_W,
		  .coord = { 0, 3, 1 },
		  .offset = { 2, 1 } },
		{ .name = "im2col::w::128",
		  .map = { .wide = TMA_RAW_WIDE_W_128, .pixels = 128 },
		  .mode = TMA_MODE_IM2COL_W_128,
		  .coord = { 0, 2, 0 },
		  .offset = { 1, 0 } },
	};
	size_t i;

	if (lacks_tensors(t))
		return;
	for (i = 0; i < COUNT(cases) && !st_failed(t); i++) {
		struct tensor_case *c = &cases[i];
		uint32_t rows = c->map.pixels + (i ? 4u : 1u) * c->offset[0];

		c->map.kind = TMA_MAP_IM2COL;
		c->map.rank = 3;
		c->map.type = TMA_MAP_DATA_UINT16;
		c->map.dim[0] = c->map.channels = 32;
		c->map.dim[1] = 9;
		c->map.dim[2] = 16;
		c->map.strides[0] = 64;
		c->map.strides[1] = 576;
		c->map.element_strides[0] = c->map.element_strides[1] = c->map.element_strides[2] = 1;
		c->map.swizzle = TMA_MAP_SWIZZLE_64B;
		c->shared = ST_DATA;
		t->shared_bytes = ST_SHARED_MOST;
		load(t, c, 64 * rows, st_tensor_wide_image);
	}
	st_note(t, "%u loads", (unsigned int)COUNT(cases));
}

static void store(struct selftest *t, struct tensor_case *c,
                  void (*image)(struct selftest *, const struct tensor_case *))
{
	c->store = true;
	c->shared = ST_DATA;
	t->what = c->name;
	st_fresh(t, 60 + c->mode, 1u << c->cta);
	st_tensor_encode(t, c);
	tma_cp_async_bulk_tensor_store(st_next(t), c->mode, c->map.rank, st_address(t, ST_MAP), c->coord,
	                               tma_shared(c->cta, c->shared));
	st_stored(t);
	st_run(t, c->cta);
	image(t, c);
	st_compare(t);
}

void st_tensor_gather(struct selftest *t)
{
	const struct tma_map_info map = { MATRIX, .type = TMA_MAP_DATA_UINT16, .box = { 32, 1 },
		                          .element_strides = { 1, 1 }, .swizzle = TMA_MAP_SWIZZLE_64B };
	struct tensor_case gather = { .name = "gather4",
		                      .map = map,
		                      .mode = TMA_MODE_GATHER4,
		                      .coord = { 80, 3, -1, 19, 20 },
		                      .shared = ST_DATA };
	struct tensor_case scatter = {
		.name = "scatter4", .map = map, .mode = TMA_MODE_SCATTER4, .coord = { 72, 7, 2, 25, 19 }
	};

	if (lacks_tensors(t))
		return;
	load(t, &gather, 4 * 64, st_tensor_gather_image);
	store(t, &scatter, st_tensor_gather_image);
}

void st_tensor_store(struct selftest *t)
{
	struct tensor_case tile = { .name = "tile",
		                    .map = { MATRIX, .type = TMA_MAP_DATA_UINT16, .box = { 64, 8 },
		                             .element_strides = { 1, 1 }, .swizzle = TMA_MAP_SWIZZLE_128B },
		                    .mode = TMA_MODE_TILE,
		                    .coord = { 48, 14 } };
	struct tensor_case column = { .name = "im2col_no_offs",
		                      .map = { .kind = TMA_MAP_IM2COL,
		                               .rank = 4,
		                               .type = TMA_MAP_DATA_UINT16,
		                               .dim = { 16, 6, 5, 3 },
		                               .strides = { 32, 192, 960 },
		                               .lower = { 1, 0 },
		                               .upper = { 0, -1 },
		                               .channels = 16,
		                               .pixels = 50,
		                               .element_strides = { 1, 1, 1, 1 } },
		                      .mode = TMA_MODE_IM2COL_NO_OFFS,
		                      .coord = { 0, 2, 1, 1 } };

	if (lacks_tensors(t))
		return;
	store(t, &tile, st_tensor_tile_image);
	store(t, &column, st_tensor_im2col_image);
}

static struct tensor_case a_tile(void)
{
	return (struct tensor_case){ .map = { MATRIX, .type = TMA_MAP_DATA_UINT16, .box = { 32, 8 },
		                              .element_strides = { 1, 1 } },
		                     .mode = TMA_MODE_TILE,
		                     .coord = { 16, 4 },
		                     .shared = ST_DATA };
}

/* To every CTA, and with the barrier in the pair CTA. */
void st_tensor_multicast(struct selftest *t)
{
	uint32_t all = (1u << t->info.ctas) - 1, cta;
	struct tensor_case c = a_tile();

	if (lacks_tensors(t))
		return;
	st_fresh(t, 70, all);
	for (cta = 0; cta < t->info.ctas; cta++) {
		st_expect(t, cta, 512);
		st_run(t, cta);
	}
	st_tensor_encode(t, &c);
	tma_cp_async_bulk_tensor_load(st_next(t), c.mode, 2, tma_shared(0, c.shared), st_address(t, ST_MAP),
	                              c.coord, tma_shared(0, ST_BARRIER), NULL);
	tma_set_multicast(&t->program[t->commands - 1], (uint16_t)all);
	st_run(t, 0);
	for (c.cta = 0; c.cta < t->info.ctas; c.cta++) {
		st_arrived(t, c.cta);
		st_run(t, c.cta);
		st_tensor_tile_image(t, &c);
	}
	st_compare(t);
	if (t->info.ctas < 2 || st_failed(t))
		return;

	t->what = "cta_group::2";
	st_fresh(t, 71, 3);
	st_expect(t, 1, 512);
	st_run(t, 1);
	c.cta = 0;
	st_tensor_encode(t, &c);
	tma_cp_async_bulk_tensor_load(st_next(t), c.mode, 2, tma_shared(0, c.shared), st_address(t, ST_MAP),
	                              c.coord, tma_shared(1, ST_BARRIER), NULL);
	tma_set_cta_group_2(&t->program[t->commands - 1]);
	st_run(t, 0);
	st_arrived(t, 1);
	st_run(t, 1);
	st_tensor_tile_image(t, &c);
	st_compare(t);
}

/* Another map in the place of one that was used: with a fence the new one holds. */
void st_tensor_fence(struct selftest *t)
{
	struct tensor_case c = a_tile();
	uint32_t i;

	if (lacks_tensors(t))
		return;
	st_fresh(t, 72, 1);
	for (i = 0; i < 3 && !st_failed(t); i++) {
		c.map.dim[1] = 10 - i;
		c.map.strides[0] = 208 + 16 * i;
		c.shared = ST_DATA + 512 * i;
		st_tensor_encode(t, &c);
		st_expect(t, 0, 512);
		tma_cp_async_bulk_tensor_load(st_next(t), c.mode, 2, tma_shared(0, c.shared),
		                              st_address(t, ST_MAP), c.coord, tma_shared(0, ST_BARRIER),
		                              NULL);
		st_arrived(t, 0);
		st_run(t, 0);
		st_tensor_tile_image(t, &c);
	}
	st_compare(t);
}
