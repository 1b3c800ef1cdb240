/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_tensor_examples - what silicon other than the H200 was recorded to do with wide maps.
 *
 * Spec: semantics 2.12, facts B1 and B5; the documentation's own examples are replayed, see
 *       hw_tests/vectors/examples.py
 * Checks: which pixel of the tensor is where in shared memory, and how many bytes count.
 */
#include "model_tensor.h"

#define MAX_PIXELS 136u

/* Pixels as they came, by their w and n. */
struct answer {
	const char *name;
	struct map_fields map; /* dense, behind TENSOR */
	uint8_t mode;
	int32_t w;
	uint16_t halo, offset;
	uint32_t pixels, bytes;
	uint8_t at[MAX_PIXELS][2];
};

/* clang-format off */
#define RTX5080_MAP .type = TMA_RAW_TYPE_U32, .im2col = 1, .wide = 1, .swizzle = 2, .box = { 8 }, .es = { 1, 2 }, \
	            .lower = { -1 }, .upper = { -1 }, .pixels = 13
#define RTX5080_PIXELS { { 2, 0 }, { 4, 0 }, { 0, 1 }, { 2, 1 }, { 4, 1 }, { 0, 2 }, { 2, 2 }, { 4, 2 }, { 0, 3 }, \
	                 { 2, 3 }, { 4, 3 }, { 0, 4 }, { 2, 4 }, { 4, 4 }, { 0, 5 } }

static const struct answer answers[] = {
	{ "RTX 5080: a halo in the next image", { RTX5080_MAP, .rank = 4, .dim = { 16, 5, 8, 8 } },
	  TMA_MODE_IM2COL_W, 1, 2, 1, 15, 480, RTX5080_PIXELS },
	{ "RTX 5080: the same with a depth", { RTX5080_MAP, .rank = 5, .dim = { 16, 5, 8, 2, 8 } },
	  TMA_MODE_IM2COL_W, 1, 2, 1, 15, 480, RTX5080_PIXELS },
	{ "SM100: halos behind all main pixels",
	  { .rank = 4, .im2col = 1, .wide = 2, .swizzle = 2, .dim = { 64, 4, 2, 40 }, .box = { 64 } },
	  TMA_MODE_IM2COL_W_128, 0, 2, 0, 136, 136 * 64,
	  { [32] = { 0, 8 }, [64] = { 0, 16 }, [96] = { 0, 24 }, [127] = { 3, 31 },
	    [128] = { 0, 8 }, { 0, 16 }, { 0, 24 }, { 0, 32 }, { 1, 8 }, { 1, 16 }, { 1, 24 }, { 1, 32 } } },
};
/* clang-format on */

/* Of the main pixels of the SM100 but those in the list: pixel p of images of four. */
static void complete(const struct answer *a, uint32_t p, uint8_t at[2])
{
	bool listed = a->mode == TMA_MODE_IM2COL_W || p == 0 || a->at[p][0] || a->at[p][1];

	at[0] = listed ? a->at[p][0] : (uint8_t)(p % 4);
	at[1] = listed ? a->at[p][1] : (uint8_t)(p / 4);
}

FIXTURE_CASE(answer, const struct answer *a)
{
	struct map_fields m = a->map;
	uint32_t row = m.box[0] * element_bits(m.type) / 8, last = m.rank - 2;
	struct tma_command c = tensor(TMA_TENSOR_LOAD, a->mode, (uint8_t)m.rank, 0, a->w, 0, 0, 0);

	m.address = TENSOR;
	m.stride[0] = m.dim[0] * element_bits(m.type) / 8;
	for (uint32_t i = 1; i + 1 < m.rank; i++)
		m.stride[i] = m.stride[i - 1] * m.dim[i];
	assert_true(m.stride[last] * m.dim[last + 1] <= MAP - TENSOR);
	put_map(f, &m);
	c.shared_dst = 0;
	c.barrier = BAR_LAST;
	expect_quiet(f, 0, with_im2col(c, a->halo, a->offset, 0));
	for (uint32_t p = 0; p < a->pixels; p++) {
		uint8_t at[2];
		const uint8_t *pixel;

		complete(a, p, at);
		pixel = f->global + at[0] * m.stride[0] + at[1] * m.stride[last];
		for (uint32_t b = 0; b < row; b++)
			if (tma_model_smem(f->m, 0)[oracle_swizzle(&m, p * 64 + b)] != pixel[b])
				fail_msg("pixel %u is not w %u of image %u", p, at[0], at[1]);
	}
	assert_int_equal(get_barrier(f, 0, BAR_LAST), barrier_word(1, 1, -(int32_t)a->bytes, 0));
}

TABLE_SUITE(test_model_tensor_examples, answers, answer)
