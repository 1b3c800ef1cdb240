/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_tensor_examples - the worked examples of the documentation, pixel by pixel.
 *
 * Spec: semantics 2.3 (nvFuser), 2.8, 2.10 examples 1 to 3, 2.12
 * Checks: which element of the tensor is where in shared memory, which are fill, how many bytes count.
 *         Every 8 bytes of a tensor hold where they are, so that no swizzle hides it.
 */
#include "model_tensor.h"

#define BIG_BYTES (1200u * 1024)
#define BIG       UINT64_C(0x600000000000)
#define FILLED    0 /* of no element */

static uint64_t big[BIG_BYTES / 8];

/* Where an element, of a pixel or of a row, is. */
static uint64_t mark(uint32_t n, uint32_t h, uint32_t w)
{
	return UINT64_C(1) << 63 | (uint64_t)n << 32 | h << 16 | w;
}

/* A queue that reads the large tensor, which stands in memory of its own. */
static struct fixture *new_world(const struct map_fields *m)
{
	static const struct tma_window window = { BIG, BIG + BIG_BYTES - 1, TMA_WINDOW_READ };
	struct fixture *f = fixture_new();
	struct tma_queue_config on = f->queues[0];

	assert_int_equal(tma_model_map(f->m, 0, BIG, BIG_BYTES, big), 0);
	requeue(f, 0, &(struct tma_queue_config){ 0 }, NULL);
	assert_int_equal(tma_model_window(f->m, 0, 1, &window), 0);
	requeue(f, 0, &on, NULL);
	put_map(f, m);
	return f;
}

static uint64_t word_at(struct fixture *f, uint32_t offset)
{
	uint64_t word;

	memcpy(&word, tma_model_smem(f->m, 0) + offset, 8);
	return word;
}

/* Pixels of one line of the tensor, a step apart; those outside are fill. */
struct run {
	uint32_t count, n;
	int32_t h, w, step;
};

struct example {
	const char *name;
	struct map_fields map; /* dimensions C, W, H, N */
	uint8_t mode;
	int32_t n, h, w;
	uint16_t im2col[2];
	uint32_t pixels, filled;
	struct run runs[24];
};

#define OF_16 .type = 1, .rank = 4, .im2col = 1, .box = { 8 }
#define OF_128(width, count)                                                                           \
	.type = 0, .rank = 4, .im2col = 1, .box = { 128 }, .swizzle = 3, .dim = { 128, width, 7, 64 }, \
	.pixels = count

static const struct example examples[] = {
	{ "im2col, example 1: padding all around",
	  { OF_16, .dim = { 64, 9, 14, 64 }, .pixels = 64, .lower = { -1, -1 }, .upper = { -1, -1 } },
	  TMA_MODE_IM2COL,
	  7,
	  7,
	  4,
	  { 0, 0 },
	  64,
	  15,
	  { { 4, 7, 7, 4, 1 },
	    { 9, 7, 8, -1, 1 },
	    { 9, 7, 9, -1, 1 },
	    { 9, 7, 10, -1, 1 },
	    { 9, 7, 11, -1, 1 },
	    { 9, 7, 12, -1, 1 },
	    { 9, 8, -1, -1, 1 },
	    { 6, 8, 0, -1, 1 } } },
	{ "im2col, example 2: offsets",
	  { OF_16, .dim = { 64, 9, 14, 64 }, .pixels = 64, .lower = { 0, 0 }, .upper = { -2, -2 } },
	  TMA_MODE_IM2COL,
	  7,
	  7,
	  4,
	  { 2, 2 },
	  64,
	  0,
	  { { 3, 7, 9, 6, 1 },
	    { 7, 7, 10, 2, 1 },
	    { 7, 7, 11, 2, 1 },
	    { 7, 7, 12, 2, 1 },
	    { 7, 7, 13, 2, 1 },
	    { 7, 8, 2, 2, 1 },
	    { 7, 8, 3, 2, 1 },
	    { 7, 8, 4, 2, 1 },
	    { 7, 8, 5, 2, 1 },
	    { 5, 8, 6, 2, 1 } } },
	{ "im2col, example 3: strides and offsets",
	  { OF_16, .dim = { 64, 8, 14, 64 }, .es = { 1, 2, 2, 1 }, .pixels = 32, .lower = { -1, -1 },
	    .upper = { -1, -1 } },
	  TMA_MODE_IM2COL,
	  7,
	  7,
	  5,
	  { 1, 1 },
	  32,
	  0,
	  { { 1, 7, 8, 6, 2 },
	    { 4, 7, 10, 0, 2 },
	    { 4, 7, 12, 0, 2 },
	    { 4, 8, 0, 0, 2 },
	    { 4, 8, 2, 0, 2 },
	    { 4, 8, 4, 0, 2 },
	    { 4, 8, 6, 0, 2 },
	    { 4, 8, 8, 0, 2 },
	    { 3, 8, 10, 0, 2 } } },
	{ "im2col::w",
	  { OF_128(9, 128), .wide = 1 },
	  TMA_MODE_IM2COL_W,
	  7,
	  2,
	  3,
	  { 2, 0 },
	  130,
	  0,
	  { { 6, 7, 2, 3, 1 },
	    { 9, 8, 2, 0, 1 },
	    { 9, 9, 2, 0, 1 },
	    { 9, 10, 2, 0, 1 },
	    { 9, 11, 2, 0, 1 },
	    { 9, 12, 2, 0, 1 },
	    { 9, 13, 2, 0, 1 },
	    { 9, 14, 2, 0, 1 },
	    { 9, 15, 2, 0, 1 },
	    { 9, 16, 2, 0, 1 },
	    { 9, 17, 2, 0, 1 },
	    { 9, 18, 2, 0, 1 },
	    { 9, 19, 2, 0, 1 },
	    { 9, 20, 2, 0, 1 },
	    { 5, 21, 2, 0, 1 },
	    { 2, 21, 2, 5, 1 } } },
	{ "im2col::w::128",
	  { OF_128(9, 128), .wide = 2 },
	  TMA_MODE_IM2COL_W_128,
	  7,
	  2,
	  3,
	  { 2, 0 },
	  136,
	  3,
	  { { 6, 7, 2, 3, 1 },  { 9, 8, 2, 0, 1 },  { 9, 9, 2, 0, 1 },  { 8, 10, 2, 0, 1 },
	    { 2, 10, 2, 8, 1 }, { 1, 10, 2, 8, 1 }, { 9, 11, 2, 0, 1 }, { 9, 12, 2, 0, 1 },
	    { 9, 13, 2, 0, 1 }, { 4, 14, 2, 0, 1 }, { 2, 14, 2, 4, 1 }, { 5, 14, 2, 4, 1 },
	    { 9, 15, 2, 0, 1 }, { 9, 16, 2, 0, 1 }, { 9, 17, 2, 0, 1 }, { 2, 17, 2, 9, 1 },
	    { 9, 18, 2, 0, 1 }, { 9, 19, 2, 0, 1 }, { 9, 20, 2, 0, 1 }, { 5, 21, 2, 0, 1 },
	    { 2, 21, 2, 5, 1 } } },
	{ "im2col::w, wOffset example 1, first buffer",
	  { OF_128(9, 10), .wide = 1, .es = { 1, 2, 1, 1 }, .lower = { -1 } },
	  TMA_MODE_IM2COL_W,
	  3,
	  1,
	  -1,
	  { 1, 0 },
	  11,
	  3,
	  { { 5, 3, 1, -1, 2 }, { 5, 4, 1, -1, 2 }, { 1, 4, 1, 9, 1 } } },
	{ "im2col::w, wOffset example 1, second buffer",
	  { OF_128(9, 10), .wide = 1, .es = { 1, 2, 1, 1 }, .lower = { -1 } },
	  TMA_MODE_IM2COL_W,
	  3,
	  1,
	  -1,
	  { 0, 1 },
	  10,
	  0,
	  { { 5, 3, 1, 0, 2 }, { 5, 4, 1, 0, 2 } } },
	{ "im2col::w, wOffset example 2, offset 0",
	  { OF_128(7, 6), .wide = 1, .es = { 1, 3, 1, 1 }, .lower = { -1 }, .upper = { -1 } },
	  TMA_MODE_IM2COL_W,
	  0,
	  6,
	  -1,
	  { 0, 0 },
	  6,
	  2,
	  { { 3, 0, 6, -1, 3 }, { 3, 1, 6, -1, 3 } } },
	{ "im2col::w, wOffset example 2, offset 1",
	  { OF_128(7, 6), .wide = 1, .es = { 1, 3, 1, 1 }, .lower = { -1 }, .upper = { -1 } },
	  TMA_MODE_IM2COL_W,
	  0,
	  6,
	  -1,
	  { 0, 1 },
	  6,
	  0,
	  { { 3, 0, 6, 0, 3 }, { 3, 1, 6, 0, 3 } } },
	{ "im2col::w, wOffset example 2, offset 2",
	  { OF_128(7, 6), .wide = 1, .es = { 1, 3, 1, 1 }, .lower = { -1 }, .upper = { -1 } },
	  TMA_MODE_IM2COL_W,
	  0,
	  6,
	  -1,
	  { 0, 2 },
	  6,
	  2,
	  { { 3, 0, 6, 1, 3 }, { 3, 1, 6, 1, 3 } } },
};

/* The tensor, dense: 128 bytes of channels. */
static void fill_big(const struct map_fields *m)
{
	uint32_t at = 0;

	memset(big, 0, sizeof(big));
	for (uint32_t n = 0; n < m->dim[3]; n++)
		for (uint32_t h = 0; h < m->dim[2]; h++)
			for (uint32_t w = 0; w < m->dim[1]; w++)
				for (uint32_t i = 0; i < 128 / 8; i++)
					big[at++] = mark(n, h, w);
	assert_true(at <= BIG_BYTES / 8);
}

static void expect_pixel(struct fixture *f, uint32_t p, uint32_t bytes, uint64_t expected)
{
	for (uint32_t b = 0; b < bytes; b += 8)
		if (word_at(f, BOX + p * bytes + b) != expected)
			fail_msg("pixel %u: 0x%llx, expected 0x%llx", p,
			         (unsigned long long)word_at(f, BOX + p * bytes + b),
			         (unsigned long long)expected);
}

static void example(void **state)
{
	const struct example *e = *state;
	struct map_fields m = e->map;
	uint32_t box_bytes = m.type == 1 ? 16 : 128, p = 0, filled = 0;
	struct tma_command c = tensor(TMA_TENSOR_LOAD, e->mode, 4, 0, e->w, e->h, e->n, 0);
	struct fixture *f;

	m.address = BIG;
	m.stride[0] = 128;
	m.stride[1] = m.stride[0] * m.dim[1];
	m.stride[2] = m.stride[1] * m.dim[2];
	fill_big(&m);
	f = new_world(&m);
	expect_quiet(f, 0, with_im2col(c, e->im2col[0], e->im2col[1], 0));
	for (const struct run *r = e->runs; r->count; r++)
		for (uint32_t i = 0; i < r->count; i++) {
			int32_t w = r->w + (int32_t)i * r->step;
			bool in = w >= 0 && w < (int32_t)m.dim[1] && r->h >= 0 && r->h < (int32_t)m.dim[2];

			expect_pixel(f, p++, box_bytes,
			             in ? mark(r->n, (uint32_t)r->h, (uint32_t)w) : FILLED);
			filled += !in;
		}
	assert_int_equal(p, e->pixels);
	assert_int_equal(filled, e->filled);
	assert_int_equal(get_barrier(f, 0, BAR), barrier_word(1, 1, -(int32_t)(p * box_bytes), 0));
	fixture_free(f);
}

TABLE_SUITE(test_model_tensor_examples, examples, example)

/* A picture of 12 x 16 elements of 16 bytes, each two of u64. */
static struct map_fields picture(uint32_t width, uint32_t height)
{
	return (struct map_fields){ .address = BIG,
		                    .rank = 2,
		                    .type = TMA_MAP_TYPE_U64,
		                    .dim = { 2 * width, height },
		                    .stride = { 16 * width } };
}

static void fill_picture(const struct map_fields *m)
{
	for (uint32_t y = 0, at = 0; y < m->dim[1]; y++)
		for (uint32_t x = 0; x < m->dim[0]; x++)
			big[at++] = mark(0, y, x / 2);
}

/* Size (12,16), box (6,4), strides (1,3), at (9,1): rows 1 and 4, columns 9 to 14, of which 12 and up
 * are out of bounds. */
static void nvfuser(void **state)
{
	struct map_fields m = picture(12, 16);
	struct fixture *f;

	(void)state;
	m.box[0] = 12;
	m.box[1] = 4;
	m.es[0] = 1;
	m.es[1] = 3;
	fill_picture(&m);
	f = new_world(&m);
	expect_quiet(f, 0, tensor(TMA_TENSOR_LOAD, TMA_MODE_TILE, 2, 18, 1, 0, 0, 0));
	for (uint32_t y = 0; y < 2; y++)
		for (uint32_t x = 0; x < 6; x++)
			for (uint32_t half = 0; half < 2; half++)
				assert_int_equal(word_at(f, BOX + 16 * (6 * y + x) + 8 * half),
				                 9 + x < 12 ? mark(0, 1 + 3 * y, 9 + x) : FILLED);
	assert_int_equal(get_barrier(f, 0, BAR), barrier_word(1, 1, -(2 * 6 * 16), 0));
	fixture_free(f);
}

/* The figure's (1,2), (1,5), (1,0), (1,9), as column and row. */
static void gather4(void **state)
{
	static const uint32_t rows[] = { 2, 5, 0, 9 };
	struct map_fields m = picture(8, 10);
	struct fixture *f;

	(void)state;
	m.box[0] = 2 * 3;
	fill_picture(&m);
	f = new_world(&m);
	expect_quiet(f, 0, tensor(TMA_TENSOR_LOAD, TMA_MODE_GATHER4, 2, 2, 2, 5, 0, 9));
	for (uint32_t j = 0; j < 4; j++)
		for (uint32_t x = 0; x < 3; x++)
			assert_int_equal(word_at(f, BOX + 48 * j + 16 * x), mark(0, rows[j], 1 + x));
	assert_int_equal(get_barrier(f, 0, BAR), barrier_word(1, 1, -(4 * 48), 0));
	fixture_free(f);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(nvfuser),
	cmocka_unit_test(gather4),
};

LIST_SUITE(test_model_tensor_pictures, tests)
