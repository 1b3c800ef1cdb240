/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_tensor_moves - what tensor copies have in common with each other, and what they signal.
 *
 * Spec: semantics 1.8, 1.10 to 1.12, 2.3, 2.8, 2.10; M9, M16, M22, M25
 * Checks: tiles of a whole tensor are the tensor; gather4 is four tiles; im2col of one pixel is a tile;
 *         multicast and cta_group::2; groups; prefetches; maps that change; addresses beyond 2^36.
 */
#include <string.h>

#include "tma_regs.h"
#include "model_tensor_bases.h"

static struct tma_command load_tile(int32_t column, int32_t row, uint32_t dst)
{
	struct tma_command c = tensor(TMA_TENSOR_LOAD, TMA_MODE_TILE, 2, column, row, 0, 0, 0);

	c.shared_dst = dst;
	return c;
}

static struct fixture *with_base(enum base base)
{
	struct fixture *f = fixture_new();

	put_map(f, &bases[base]);
	return f;
}

/* 64 x 16 bytes in tiles of 16 x 4, from one end of a memory to another. */
FIXTURE_TEST_OF(tiles_of_a_whole_tensor, with_base(TILE2))
{
	struct map_fields to = bases[TILE2];

	for (int32_t row = 0; row < 16; row += 4)
		for (int32_t column = 0; column < 64; column += 16) {
			uint32_t box = BOX + 128 * (uint32_t)(row + column / 16);

			expect_quiet(f, 0, load_tile(column, row, box));
		}
	to.address = TENSOR + 2 * PAGE;
	put_map(f, &to);
	memcpy(f->expected.global + PAGE + 2 * PAGE, f->global, 64 * 16);
	for (int32_t row = 0; row < 16; row += 4)
		for (int32_t column = 0; column < 64; column += 16) {
			struct tma_command c =
				tensor(TMA_TENSOR_STORE, TMA_MODE_TILE, 2, column, row, 0, 0, 0);

			c.shared_dst = BOX + 128 * (uint32_t)(row + column / 16);
			expect_quiet(f, 0, c);
		}
	assert_memory_equal(f->global_store, f->expected.global, sizeof(f->global_store));
	assert_int_equal(status_of(f, 0).open_stores, 16);
}

/* Row -1 is fill, row 3 comes twice. */
FIXTURE_TEST(gather4_is_four_tiles)
{
	static const int32_t rows[] = { 3, -1, 3, 15 };
	struct map_fields m = bases[TILE2];

	m.box[0] = 128;
	m.box[1] = 1;
	m.dim[0] = 200;
	m.stride[0] = 256;
	m.swizzle = 3;
	put_map(f, &m);
	expect_quiet(f, 0,
	             tensor(TMA_TENSOR_LOAD, TMA_MODE_GATHER4, 2, 128, rows[0], rows[1], rows[2], rows[3]));
	assert_int_equal(get_barrier(f, 0, BAR), barrier_word(1, 1, -4 * 128, 0));
	/* as the tiles lie 1024 bytes further on, their lines are swizzled alike */
	for (uint32_t j = 0; j < 4; j++) {
		expect_quiet(f, 0, load_tile(128, rows[j], BOX + 1024 + 128 * j));
		assert_memory_equal(tma_model_smem(f->m, 0) + BOX + 1024 + 128 * j,
		                    tma_model_smem(f->m, 0) + BOX + 128 * j, 128);
	}
}

FIXTURE_TEST(im2col_of_one_pixel_is_a_tile)
{
	struct map_fields m = bases[PIXELS4];

	for (int32_t w = -1; w < 8; w++) {
		struct tma_command c =
			with_im2col(tensor(TMA_TENSOR_LOAD, TMA_MODE_IM2COL, 4, 16, w, 2, 1, 0), 1, 2, 0);

		m = bases[PIXELS4];
		m.pixels = 1;
		m.lower[0] = -1;
		put_map(f, &m);
		expect_quiet(f, 0, c);
		m.im2col = 0;
		m.box[1] = m.box[2] = m.box[3] = 1;
		put_map(f, &m);
		c = tensor(TMA_TENSOR_LOAD, TMA_MODE_TILE, 4, 16, w + 1, 4, 1, 0);
		c.shared_dst = BOX + 128;
		expect_quiet(f, 0, c);
		assert_memory_equal(tma_model_smem(f->m, 0) + BOX, tma_model_smem(f->m, 0) + BOX + 128, 16);
	}
}

static void expect_box(struct fixture *f, uint32_t rank)
{
	struct tma_command c = load_of(TILE2);

	oracle_load(f, &bases[TILE2], &c, f->expected.smem[rank]);
}

struct group_case {
	const char *name;
	uint16_t flags, mask;
	uint32_t dst, barrier; /* ranks */
	uint16_t data;         /* CTAs that get the box */
	uint8_t signals[CTAS]; /* how often the barrier of each CTA gets all bytes */
	uint16_t fault;
	uint64_t address;
};

#define MC TMA_FLAG_MULTICAST
#define G2 TMA_FLAG_CTA_GROUP_2

/* clang-format off */
static const struct group_case group_cases[] = {
	{ "to CTA 2", 0, 0, 2, 2, 0x4, { 0, 0, 1, 0 }, NONE, 0 },
	{ "to CTA 2, the pair's barrier", 0, 0, 2, 3, 0, { 0 }, TMA_FAULT_BARRIER_CTA, AT(3, BAR) },
	{ "cta_group::2, the own barrier", G2, 0, 2, 2, 0x4, { 0, 0, 1, 0 }, NONE, 0 },
	{ "cta_group::2, the pair's barrier", G2, 0, 2, 3, 0x4, { 0, 0, 0, 1 }, NONE, 0 },
	{ "cta_group::2, of odd to even", G2, 0, 1, 0, 0x2, { 1, 0, 0, 0 }, NONE, 0 },
	{ "cta_group::2, another pair's barrier", G2, 0, 2, 1, 0, { 0 }, TMA_FAULT_BARRIER_CTA, AT(1, BAR) },
	{ "multicast", MC, 0xb, 0, 0, 0xb, { 1, 1, 0, 1 }, NONE, 0 },
	{ "multicast ignores ranks", MC, 0x6, 3, 1, 0x6, { 0, 1, 1, 0 }, NONE, 0 },
	{ "multicast to nobody", MC, 0, 0, 0, 0, { 0 }, NONE, 0 },
	{ "multicast to pairs, even barriers", MC | G2, 0xf, 0, 0, 0xf, { 2, 0, 2, 0 }, NONE, 0 },
	{ "multicast to pairs, odd barriers", MC | G2, 0xf, 0, 3, 0xf, { 0, 2, 0, 2 }, NONE, 0 },
	{ "multicast to one of each pair", MC | G2, 0x9, 0, 1, 0x9, { 0, 1, 0, 1 }, NONE, 0 },
	{ "multicast with the own group", MC | G2, 0x4, 0, 2, 0x4, { 0, 0, 1, 0 }, NONE, 0 },
};
/* clang-format on */

FIXTURE_CASE(groups, const struct group_case *g)
{
	struct tma_command c = with_flags(load_of(TILE2), g->flags);
	struct tma_model_counters counters;

	put_map(f, &bases[TILE2]);
	c.cta_mask = g->mask;
	c.shared_dst |= AT(g->dst, 0);
	c.barrier |= AT(g->barrier, 0);
	for (uint32_t rank = 0; rank < CTAS; rank++) {
		put_barrier(f, rank, BAR, barrier_word(1, 1, 0, 0));
		if (g->data >> rank & 1)
			expect_box(f, rank);
		expect_barrier(f, rank, BAR, barrier_word(1, 1, -64 * g->signals[rank], 0));
	}
	issue(f, 0, c);
	if (g->fault)
		expect_fault(f, 0, g->fault, g->address);
	expect_no_record(f);
	expect_all_memory(f);
	assert_int_equal(tma_model_counters(f->m, &counters), 0);
	assert_int_equal(counters.signals, g->data != 0);
}

TABLE_SUITE(test_model_tensor_groups, group_cases, groups)

/* Three CTAs: the last one has no pair. */
MODEL_TEST(a_pair_that_does_not_exist, tma_model_new(&(struct tma_model_config){ .ctas = 3 }))
{
	struct tma_command c = with_flags(load_of(TILE2), MC | G2);

	assert_int_equal(tma_model_queue(m, 0, &(struct tma_queue_config){ .enable = 1, .cta_mask = 7 }), 0);
	c.cta_mask = 0x6;
	c.barrier = AT(1, BAR);
	assert_int_equal(tma_model_submit(m, 0, &c), 0);
	assert_int_equal(tma_model_step(m, 0), 1);
	assert_int_equal(model_status(m, 0).fault, TMA_FAULT_BARRIER_CTA);
	assert_int_equal(model_status(m, 0).fault_address, AT(1, BAR));
}

/* Queue 2 may touch CTAs 0 and 1: barriers count. */
FIXTURE_TEST_OF(barriers_are_touched, with_base(TILE2))
{
	struct tma_command c = with_flags(load_of(TILE2), G2);

	c.shared_dst |= AT(1, 0);
	expect_quiet(f, 2, c);
	c.shared_dst = AT(2, BOX);
	c.barrier = AT(3, BAR);
	issue(f, 2, c);
	expect_fault(f, 2, TMA_FAULT_CTA_DENIED, 0xc);
}

/* The map of a multicast to nobody is not even looked at, its alignment is. */
FIXTURE_TEST(a_multicast_to_nobody)
{
	struct tma_command c = with_flags(load_of(TILE2), MC);

	c.global_address = GLOBAL_END;
	expect_quiet(f, 0, c);
	c.global_address += 32;
	issue(f, 0, c);
	expect_fault(f, 0, TMA_FAULT_MAP_MISALIGNED, GLOBAL_END + 32);
	expect_all_memory(f);
}

/* Clipped to nothing or broken, a store is a member. */
FIXTURE_TEST_OF(stores_are_members, with_base(TILE2))
{
	expect_quiet(f, 0, tensor(TMA_TENSOR_STORE, TMA_MODE_TILE, 2, 64, 0, 0, 0, 0));
	assert_int_equal(status_of(f, 0).open_stores, 1);
	issue(f, 0, tensor(TMA_TENSOR_STORE, TMA_MODE_TILE, 2, 8, 0, 0, 0, 0));
	expect_fault(f, 0, TMA_FAULT_MISALIGNED_BOX, 8);
	assert_int_equal(status_of(f, 0).open_stores, 2);
	expect_all_memory(f);
}

/* The record of a command that its map breaks: it has left its queue first. */
FIXTURE_TEST(a_recorded_command)
{
	struct tma_command c = tagged(with_flags(load_of(TILE2), TMA_FLAG_RECORD), 77);

	issue(f, 0, c);
	expect_record(f, (struct tma_record){ .kind = TMA_KIND_RETIRED, .tag = 77 });
	expect_fault(f, 0, TMA_FAULT_MAP_RESERVED, MAP);
	assert_int_equal(status_of(f, 0).next_sequence, 1);
	expect_all_memory(f);
}

static uint64_t prefetch_errors(struct fixture *f)
{
	struct tma_model_counters counters;

	assert_int_equal(tma_model_counters(f->m, &counters), 0);
	return counters.prefetch_errors;
}

static struct tma_command on_map(uint8_t opcode, uint64_t map)
{
	struct tma_command c = command(opcode);

	c.global_address = map;
	return c;
}

FIXTURE_TEST(prefetches)
{
	struct map_fields m = bases[TILE2];

	m.stride[0] = 2 * PAGE;
	m.box[1] = 8;
	put_map(f, &m);
	/* rows 1 and 3 answer errors, rows 7 and up of the box lie beyond: -1 is out of bounds */
	assert_int_equal(tma_model_map_error(f->m, 0, TENSOR + 2 * PAGE, PAGE, 2, 0), 0);
	assert_int_equal(tma_model_map_error(f->m, 0, TENSOR + 6 * PAGE, PAGE, 3, 0), 0);
	expect_quiet(f, 0, tensor(TMA_TENSOR_PREFETCH, TMA_MODE_TILE, 2, 0, -1, 0, 0, 0));
	assert_int_equal(prefetch_errors(f), 2);
	/* row 8 is the first of no window */
	expect_quiet(f, 0, tensor(TMA_TENSOR_PREFETCH, TMA_MODE_TILE, 2, 0, 2, 0, 0, 0));
	assert_int_equal(prefetch_errors(f), 2 + 1 + 2);
	/* its map is an operand, though */
	f->global[MAP - GLOBAL + 127] = 1;
	remember(f);
	issue(f, 0, tensor(TMA_TENSOR_PREFETCH, TMA_MODE_TILE, 2, 0, 2, 0, 0, 0));
	expect_fault(f, 0, TMA_FAULT_MAP_RESERVED, MAP);
	expect_all_memory(f);
}

FIXTURE_TEST(prefetches_of_maps)
{
	/* bytes that are no map, an error, half a map without a window */
	expect_quiet(f, 0, on_map(TMA_PREFETCH_TENSORMAP, MAP));
	assert_int_equal(prefetch_errors(f), 0);
	assert_int_equal(tma_model_map_error(f->m, 0, MAP, 256, 2, 0), 0);
	expect_quiet(f, 0, on_map(TMA_PREFETCH_TENSORMAP, MAP));
	assert_int_equal(prefetch_errors(f), 1);
	expect_quiet(f, 0, on_map(TMA_MAP_FENCE, GLOBAL_END));
	expect_quiet(f, 0, on_map(TMA_PREFETCH_TENSORMAP, GLOBAL_END - 64));
	assert_int_equal(prefetch_errors(f), 2);
	expect_all_memory(f);
}

/* Half of the map lies in the next page, where beats of 64 bytes fail; the window comes first. */
FIXTURE_TEST(halves_of_a_map)
{
	const uint64_t at = GLOBAL_END - PAGE - 64;
	struct tma_command c = load_of(TILE2);
	uint64_t words[16];

	map_encode(&bases[TILE2], words);
	put_words(f, at, words);
	c.global_address = at;
	expect_box(f, 0);
	expect_barrier(f, 0, BAR, barrier_word(1, 1, -64, 0));
	expect_quiet(f, 0, c);
	expect_all_memory(f);
	assert_int_equal(tma_model_map_error(f->m, 0, at + 127, 1, 3, 0), 0);
	issue(f, 0, c);
	expect_fault(f, 0, TMA_FAULT_MAP_DECERR, at + 64);
	assert_int_equal(tma_model_resume(f->m, 0, 2), 0);
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL_END - 64, 1, 2, 0), 0);
	c.global_address = GLOBAL_END - 64;
	issue(f, 0, c);
	expect_fault(f, 0, TMA_FAULT_MAP_WINDOW, GLOBAL_END);
	expect_all_memory(f);
}

/* The same command with another map in the same place. */
FIXTURE_TEST_OF(a_map_that_changes, with_base(TILE2))
{
	struct map_fields m = bases[TILE2];
	struct tma_command c = load_of(TILE2);

	expect_quiet(f, 0, c);
	m.address = TENSOR + 5 * PAGE;
	m.box[1] = 2;
	put_map(f, &m);
	remember(f);
	oracle_load(f, &m, &c, f->expected.smem[0]);
	expect_barrier(f, 0, BAR, barrier_word(1, 1, -64 - 32, 0));
	expect_quiet(f, 0, on_map(TMA_MAP_FENCE, MAP));
	expect_quiet(f, 0, c);
	expect_all_memory(f);
}

TEST(types_that_are_not_built)
{
	struct tma_model *m = tma_model_new(&(struct tma_model_config){ .without_packed = 1, .maps = 2 });
	uint32_t cap;

	assert_int_equal(tma_model_reg_read(m, TMA_REG_CAP(3), &cap), 0);
	assert_int_equal(cap, 0x233);
	for (uint32_t type = 13; type < 16; type++) {
		const struct tma_window window = { GLOBAL, GLOBAL + PAGE - 1, TMA_WINDOW_READ };
		struct map_fields fields = { .address = GLOBAL, .rank = 1, .type = type };
		struct tma_command c = on_map(TMA_TENSOR_PREFETCH, GLOBAL);
		static uint64_t words[PAGE / 8];

		fields.dim[0] = fields.box[0] = 128;
		map_encode(&fields, words);
		c.dim = 1;
		assert_int_equal(tma_model_map(m, 0, GLOBAL, PAGE, words), 0);
		assert_int_equal(tma_model_queue(m, 0, &(struct tma_queue_config){ 0 }), 0);
		assert_int_equal(tma_model_window(m, 0, 0, &window), 0);
		assert_int_equal(tma_model_queue(m, 0, &(struct tma_queue_config){ .enable = 1 }), 0);
		assert_int_equal(tma_model_submit(m, 0, &c), 0);
		assert_int_equal(tma_model_run(m), 1);
		assert_int_equal(model_status(m, 0).fault, type == 13 ? TMA_FAULT_NONE : TMA_FAULT_MAP_TYPE);
	}
	tma_model_free(m);
}

/* Row 1 lies 2^38 bytes on, row 2 past the end of the address space; in a tensor of 2^32 columns. */
FIXTURE_TEST(far_rows)
{
	static const uint64_t stride = UINT64_C(1) << 38;
	struct map_fields m = bases[TILE2];
	struct tma_command c = tensor(TMA_TENSOR_LOAD, TMA_MODE_TILE, 2, 64, 0, 0, 0, 0);
	struct tma_queue_config on = f->queues[0];
	static uint8_t far[PAGE], wrapped[PAGE];
	const uint64_t base = UINT64_C(0) - stride - 2 * PAGE;

	memset(far, 0x11, sizeof(far));
	memset(wrapped, 0x22, sizeof(wrapped));
	assert_int_equal(tma_model_map(f->m, 0, base + stride, PAGE, far), 0);
	assert_int_equal(tma_model_map(f->m, 0, stride - 2 * PAGE, PAGE, wrapped), 0);
	requeue(f, 0, &(struct tma_queue_config){ 0 }, NULL);
	assert_int_equal(tma_model_window(f->m, 0, 1, &(struct tma_window){ 0, UINT64_MAX, TMA_WINDOW_READ }),
	                 0);
	requeue(f, 0, &on, NULL);
	m.address = base;
	m.stride[0] = stride;
	m.dim[0] = UINT64_C(1) << 32;
	m.box[1] = 2;
	put_map(f, &m);
	c.coord[1] = 1;
	memset(f->expected.smem[0] + BOX, 0x11, 16);
	memset(f->expected.smem[0] + BOX + 16, 0x22, 16);
	expect_barrier(f, 0, BAR, barrier_word(1, 1, -32, 0));
	expect_quiet(f, 0, c);
	expect_all_memory(f);
}

LIST_SUITE(test_model_tensor_moves)
