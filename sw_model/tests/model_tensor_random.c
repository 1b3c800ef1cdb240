/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_tensor_random - random tensor copies against the documentation, element by element.
 *
 * Spec: semantics 2.3 to 2.12; M1 to M10
 * Checks: every byte of all memories after loads and stores of every mode, type, swizzle and layout;
 *         the bytes that the barrier counts; that stores write nothing outside their tensor, and
 *         with store_granule16 what an H200 writes; a store after a load of the same box restores it.
 */
#include "tma_regs.h"
#include "model_tensor.h"

#define LOADS  3000
#define STORES 1500

/* A copy that went wrong, as a C initialiser nearly. */
static void describe(const struct map_fields *m, const struct tma_command *c, uint32_t n)
{
	print_message(
		"case %u: mode %u rank %u type %u interleave %u swizzle %u/%u/%u fill %u tf32 %u wide %u "
		"pixels %u im2col %u %u %u dst 0x%x\n",
		n, c->mode, m->rank, m->type, m->interleave, m->swizzle, m->atom, m->swizzle96, m->nan,
		m->tf32, m->wide, m->pixels, c->im2col[0], c->im2col[1], c->im2col[2], c->shared_dst);
	for (uint32_t i = 0; i < 5; i++)
		print_message("  dim %llu stride %llu box %u es %u corners %d %d coord %d\n",
		              (unsigned long long)m->dim[i], (unsigned long long)(i ? m->stride[i - 1] : 0),
		              m->box[i], m->es[i], i < 3 ? m->lower[i] : 0, i < 3 ? m->upper[i] : 0,
		              c->coord[i]);
}

static void expect_equal(struct fixture *f, const struct map_fields *m, const struct tma_command *c,
                         uint32_t n)
{
	bool same = true;

	for (uint32_t rank = 0; rank < CTAS; rank++)
		same &= !memcmp(tma_model_smem(f->m, rank), f->expected.smem[rank], SMEM_BYTES);
	same &= !memcmp(f->global_store, f->expected.global, sizeof(f->global_store));
	if (same && !status_of(f, 0).faulted)
		return;
	describe(m, c, n);
	expect_no_record(f);
	expect_all_memory(f);
	fail();
}

FIXTURE_TEST(loads)
{
	struct rng r = rng_make(11, 0);

	for (uint32_t n = 0; n < LOADS; n++) {
		struct map_fields m;
		struct tma_command c;

		draw_copy(&r, TMA_TENSOR_LOAD, &m, &c);
		put_map(f, &m);
		put_barrier(f, 0, BAR, barrier_word(1, 1, 0, 0));
		oracle_load(f, &m, &c, f->expected.smem[0]);
		expect_barrier(f, 0, BAR, barrier_word(1, 1, -(int32_t)oracle_bytes(&m, &c), 0));
		issue(f, 0, c);
		expect_equal(f, &m, &c, n);
	}
}

static void store_with(bool granule16)
{
	struct fixture *f = fixture_new();
	struct rng r = rng_make(12, granule16);

	assert_int_equal(tma_model_reg_write(f->m, TMA_REG_BEHAVIOUR, granule16), 0);
	for (uint32_t n = 0; n < STORES; n++) {
		struct map_fields m;
		struct tma_command c;

		draw_copy(&r, TMA_TENSOR_STORE, &m, &c);
		put_map(f, &m);
		oracle_store(f, &m, &c, granule16);
		issue(f, 0, c);
		expect_equal(f, &m, &c, n);
	}
	fixture_free(f);
}

TEST(stores)
{
	store_with(false);
}

TEST(stores_of_granules)
{
	store_with(true);
}

/* Loaded, changed in memory, stored: the bytes of the tensor are back, where rows do not overlap. Values of
 * 6 bits are stored from another layout than they are loaded into. */
FIXTURE_TEST(store_after_load_restores)
{
	struct rng r = rng_make(13, 0);

	for (uint32_t n = 0; n < 500; n++) {
		struct map_fields m;
		struct tma_command c, back;

		do
			draw_copy(&r, TMA_TENSOR_STORE, &m, &back);
		while (m.type == TMA_RAW_TYPE_B6X16_P32);
		m.tf32 = 0;
		c = tensor(TMA_TENSOR_LOAD,
		           back.mode == TMA_MODE_SCATTER4         ? TMA_MODE_GATHER4
		           : back.mode == TMA_MODE_IM2COL_NO_OFFS ? TMA_MODE_IM2COL
		                                                  : TMA_MODE_TILE,
		           back.dim, back.coord[0], back.coord[1], back.coord[2], back.coord[3],
		           back.coord[4]);
		c.shared_dst = back.shared_dst;
		put_map(f, &m);
		put_barrier(f, 0, BAR, barrier_word(1, 1, 0, 0));
		remember(f);
		issue(f, 0, c);
		oracle_load(f, &m, &c, f->expected.smem[0]);
		/* other bytes where the box is, and only there */
		for (uint32_t i = 0; i < 15 * PAGE; i++)
			f->global[i] ^= 0xa5;
		issue(f, 0, back);
		for (uint32_t i = 0; i < 15 * PAGE; i++)
			if (f->global[i] != f->expected.global[PAGE + i])
				f->global[i] ^= 0xa5;
		memcpy(tma_model_smem(f->m, 0) + BAR, f->expected.smem[0] + BAR, 8);
		expect_equal(f, &m, &back, n);
	}
}

TEST(swizzles_are_their_own_inverse)
{
	static const struct map_fields swizzles[] = {
		{ .swizzle = 0 },
		{ .swizzle = 1 },
		{ .swizzle = 2 },
		{ .swizzle = 3 },
		{ .swizzle = 3, .atom = 1 },
		{ .swizzle = 3, .atom = 2 },
		{ .swizzle = 3, .atom = 3 },
		{ .swizzle96 = 1 },
	};

	for (uint32_t i = 0; i < ARRAY_SIZE(swizzles); i++)
		for (uint32_t a = 0; a < 4096; a++) {
			uint32_t there = oracle_swizzle(&swizzles[i], a);

			assert_int_equal(there / 128, a / 128);
			assert_int_equal(oracle_swizzle(&swizzles[i], there), a);
		}
}

LIST_SUITE(test_model_tensor_random)
