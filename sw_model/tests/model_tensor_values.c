/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_tensor_values - values that tensor copies change, what stays when they fail, and maps that are
 * no maps.
 *
 * Spec: semantics 2.4, 2.7; M6, M8, M9; rtl/spec/tma.rdl, BEHAVIOUR
 * Checks: tf32 of chosen values; fill of every type; padding; stores at the end of a row; what has
 *         arrived before a row fails, byte for byte, and that nobody is told; random maps touch
 *         nothing outside their windows and their CTA.
 */
#include "tma_regs.h"
#include "model_tensor_bases.h"

struct tf32_case {
	const char *name;
	uint32_t from, to;
};

static const struct tf32_case tf32_cases[] = {
	{ "one", 0x3f800000, 0x3f800000 },
	{ "below half a unit", 0x3f800fff, 0x3f800000 },
	{ "half a unit on even", 0x3f801000, 0x3f800000 },
	{ "more than half a unit", 0x3f801001, 0x3f802000 },
	{ "half a unit on odd", 0x3f803000, 0x3f804000 },
	{ "negative, half a unit on odd", 0xbf803000, 0xbf804000 },
	{ "into the next exponent", 0x3fffffff, 0x40000000 },
	{ "into infinity", 0x7f7fffff, 0x7f800000 },
	{ "infinity", 0xff800000, 0xff800000 },
	{ "quiet NaN", 0x7fc00000, 0x7fffe000 },
	{ "negative signalling NaN", 0xff800001, 0x7fffe000 },
	{ "subnormal", 0x00002000, 0x00002000 },
	{ "subnormal, half a unit on odd", 0x00003000, 0x00004000 },
	{ "subnormal into normal", 0x007fffff, 0x00800000 },
	{ "smallest subnormal", 0x80000001, 0x80000000 },
};

static struct fixture *with_map(const struct map_fields *base, uint32_t type)
{
	struct fixture *f = fixture_new();
	struct map_fields m = *base;

	m.type = type;
	put_map(f, &m);
	return f;
}

static void set_granule16(struct fixture *f, uint32_t on)
{
	assert_int_equal(tma_model_reg_write(f->m, TMA_REG_BEHAVIOUR, on), 0);
}

static uint32_t word(const uint8_t *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, 4);
	return value;
}

/* Both types; stores leave the bits alone. */
static void tf32(void **state)
{
	const struct tf32_case *t = *state;

	for (uint32_t type = 7; type <= 8; type++) {
		struct fixture *f = fixture_new();
		struct map_fields m = { .address = TENSOR, .rank = 1, .type = type, .tf32 = 1 };
		uint8_t *smem = tma_model_smem(f->m, 0);

		m.dim[0] = 5;
		m.box[0] = 8;
		m.nan = 1;
		memcpy(f->global + 12, &t->from, 4);
		put_map(f, &m);
		expect_quiet(f, 0, tensor(TMA_TENSOR_LOAD, TMA_MODE_TILE, 1, 0, 0, 0, 0, 0));
		assert_int_equal(word(smem + BOX + 12), t->to);
		assert_int_equal(word(smem + BOX + 20), 0x7ff77ff7);
		memcpy(smem + BOX + 12, &t->from, 4);
		memset(f->global + 12, 0, 4);
		expect_quiet(f, 0, tensor(TMA_TENSOR_STORE, TMA_MODE_TILE, 1, 0, 0, 0, 0, 0));
		assert_int_equal(word(f->global + 12), t->from);
		fixture_free(f);
	}
}

TABLE_SUITE(test_model_tensor_tf32, tf32_cases, tf32)

/* Of a row in shared memory: 8 of 16 bytes of the padded 4-bit type, 4 of the 6-bit one. */
static bool is_padding(uint32_t type, uint32_t b)
{
	return (type == 14 && b % 16 >= 8) || (type == 15 && b % 16 >= 12);
}

/* A box beside the tensor: nothing but fill, of 16-bit halves 0x7FF7 or zero. */
TEST(fills)
{
	for (uint32_t type = 0; type < 16; type++) {
		struct fixture *f = fixture_new();
		struct map_fields m = { .address = TENSOR, .rank = 1, .type = type };

		if (!element_bits(type)) {
			fixture_free(f);
			continue;
		}
		m.nan = type >= 6 && type <= 10;
		m.dim[0] = 128;
		m.box[0] = 128;
		put_map(f, &m);
		expect_quiet(f, 0, tensor(TMA_TENSOR_LOAD, TMA_MODE_TILE, 1, -128, 0, 0, 0, 0));
		for (uint32_t b = 0; b < oracle_pitch(&m); b++)
			assert_int_equal(tma_model_smem(f->m, 0)[BOX + b],
			                 is_padding(type, b) ? f->expected.smem[0][BOX + b]
			                 : !m.nan            ? 0
			                 : b % 2             ? 0x7f
			                                     : 0xf7);
		/* counted as in global memory */
		assert_int_equal(get_barrier(f, 0, BAR),
		                 barrier_word(1, 1, -(int32_t)(16 * element_bits(type)), 0));
		fixture_free(f);
	}
}

/* Padding keeps what it was. */
TEST(padding)
{
	for (uint32_t type = 14; type <= 15; type++) {
		struct fixture *f = with_map(&bases[PADDED], type);
		uint32_t data = type == 14 ? 8 : 12;
		const uint8_t *row = tma_model_smem(f->m, 0) + BOX, *before = f->expected.smem[0] + BOX;

		expect_quiet(f, 0, tensor(TMA_TENSOR_LOAD, TMA_MODE_TILE, 2, 128, 3, 0, 0, 0));
		for (uint32_t chunk = 0; chunk < 8; chunk++) {
			assert_memory_equal(row + 16 * chunk, f->global + 3 * 192 + (8 + chunk) * data, data);
			assert_memory_equal(row + 16 * chunk + data, before + 16 * chunk + data, 16 - data);
		}
		assert_int_equal(get_barrier(f, 0, BAR), barrier_word(1, 1, -(int32_t)(4 * 8 * data), 0));
		fixture_free(f);
	}
}

struct clip_case {
	const char *name;
	uint32_t type, dim, box;
	int32_t column;
	uint32_t exact, granules; /* bytes of a row that are written */
};

static const struct clip_case clip_cases[] = {
	{ "u8, 45 of 64", 0, 45, 64, 0, 45, 48 },
	{ "u8, 48 of 64", 0, 48, 64, 0, 48, 48 },
	{ "u16, 9 of 16, from 8 on", 1, 17, 16, 8, 18, 32 },
	{ "u32, 1 of 8", 2, 1, 8, 0, 4, 16 },
	{ "f64, 3 of 4", 9, 3, 4, 0, 24, 32 },
	{ "b4x16, 34 of 64", 13, 34, 64, 0, 17, 32 },
	{ "u8, beyond the row", 0, 16, 16, 16, 0, 0 },
};

static void clip(void **state)
{
	const struct clip_case *t = *state;

	for (uint32_t granule16 = 0; granule16 < 2; granule16++) {
		struct fixture *f = fixture_new();
		struct map_fields m = { .address = TENSOR, .rank = 2, .type = t->type, .stride = { 256 } };
		uint32_t row = t->box * element_bits(t->type) / 8;

		m.dim[0] = t->dim;
		m.dim[1] = 2;
		m.box[0] = t->box;
		m.box[1] = 3;
		put_map(f, &m);
		set_granule16(f, granule16);
		for (uint32_t y = 0; y < 2; y++)
			expect_stored(f, TENSOR + 256 * y + (uint32_t)t->column * element_bits(t->type) / 8,
			              0, BOX + y * row, granule16 ? t->granules : t->exact);
		expect_quiet(f, 0, tensor(TMA_TENSOR_STORE, TMA_MODE_TILE, 2, t->column, 0, 0, 0, 0));
		expect_all_memory(f);
		fixture_free(f);
	}
}

TABLE_SUITE(test_model_tensor_clips, clip_cases, clip)

/* Rows of 128 bytes, beats of 64: row 1 fails in its second beat. */
static struct fixture *second_beat_fails(uint32_t swizzle)
{
	struct fixture *f = fixture_new();
	struct map_fields m = { .address = TENSOR, .rank = 2, .swizzle = swizzle, .stride = { 256 } };

	m.dim[0] = 256;
	m.dim[1] = 8;
	m.box[0] = 128;
	m.box[1] = 4;
	put_map(f, &m);
	assert_int_equal(tma_model_map_error(f->m, 0, TENSOR + 256 + 64, 1, 2, 2), 0);
	return f;
}

TEST(a_load_that_fails)
{
	for (uint32_t swizzle = 0; swizzle < 4; swizzle += 3) {
		struct fixture *f = second_beat_fails(swizzle);
		const struct map_fields m = { .swizzle = swizzle };

		for (uint32_t b = 0; b < 128 + 64; b++)
			f->expected.smem[0][oracle_swizzle(&m, BOX + b)] = f->global[b / 128 * 256 + b % 128];
		issue(f, 0, tensor(TMA_TENSOR_LOAD, TMA_MODE_TILE, 2, 0, 0, 0, 0, 0));
		expect_fault(f, 0, TMA_FAULT_READ_SLVERR, TENSOR + 256 + 64);
		expect_all_memory(f);
		fixture_free(f);
	}
}

/* What is left of the tensor is fill, and arrives with the row's first bytes. */
FIXTURE_TEST_OF(a_load_that_fails_behind_its_fill, second_beat_fails(0))
{
	uint8_t *box = f->expected.smem[0] + BOX;

	memset(box, 0, 2 * 128);
	memcpy(box + 32, f->global, 96);
	memcpy(box + 128 + 32, f->global + 256, 64);
	memcpy(box + 128 + 96, tma_model_smem(f->m, 0) + BOX + 128 + 96, 32);
	issue(f, 0, tensor(TMA_TENSOR_LOAD, TMA_MODE_TILE, 2, -32, 0, 0, 0, 0));
	expect_fault(f, 0, TMA_FAULT_READ_SLVERR, TENSOR + 256 + 64);
	expect_all_memory(f);
}

/* The second row of a padded type keeps its old bytes. */
FIXTURE_TEST_OF(a_padded_load_that_fails, with_map(&bases[PADDED], 15))
{
	uint8_t *box = f->expected.smem[0] + BOX;

	assert_int_equal(tma_model_map_error(f->m, 0, TENSOR + 192 + 64, 1, 3, 0), 0);
	for (uint32_t chunk = 0; chunk < 8; chunk++)
		memcpy(box + 16 * chunk, f->global + 12 * chunk, 12);
	issue(f, 0, tensor(TMA_TENSOR_LOAD, TMA_MODE_TILE, 2, 0, 0, 0, 0, 0));
	expect_fault(f, 0, TMA_FAULT_READ_DECERR, TENSOR + 192 + 64);
	expect_all_memory(f);
}

/* A burst is what of a row lies in a page: row 1 begins in one page and ends in the next. */
FIXTURE_TEST(a_store_that_fails)
{
	struct map_fields m = { .address = TENSOR + PAGE - 256 - 64, .rank = 2, .stride = { 256 } };

	m.dim[0] = 256;
	m.dim[1] = 8;
	m.box[0] = 128;
	m.box[1] = 4;
	put_map(f, &m);
	assert_int_equal(tma_model_map_error(f->m, 0, TENSOR + PAGE + 32, 1, 2, 3), 0);
	expect_stored(f, m.address, 0, BOX, 128);
	expect_stored(f, m.address + 256, 0, BOX + 128, 64);
	issue(f, 0, tensor(TMA_TENSOR_STORE, TMA_MODE_TILE, 2, 0, 0, 0, 0, 0));
	expect_fault(f, 0, TMA_FAULT_WRITE_DECERR, TENSOR + PAGE);
	expect_all_memory(f);
}

/* Pages 0 to 7 are the queue's, of the rest it may read its map. */
static struct fixture *fenced(void)
{
	static const struct tma_window data = { GLOBAL, GLOBAL + 8 * PAGE - 1,
		                                TMA_WINDOW_READ | TMA_WINDOW_WRITE };
	static const struct tma_window map = { MAP, MAP + PAGE - 1, TMA_WINDOW_READ };
	struct fixture *f = fixture_new();
	struct tma_queue_config on = f->queues[0];

	requeue(f, 0, &(struct tma_queue_config){ 0 }, &data);
	assert_int_equal(tma_model_window(f->m, 0, 1, &map), 0);
	requeue(f, 0, &on, NULL);
	return f;
}

/* Bits of a good map are changed, or all of it is random. */
static void garbage_words(struct rng *r, uint64_t words[16])
{
	uint32_t changes = rng_below(r, 8);

	for (uint32_t i = 0; i < changes; i++) {
		uint32_t bit = rng_below(r, rng_percent(r, 90) ? 490 : 1024);

		words[bit / 64] ^= UINT64_C(1) << bit % 64;
	}
	for (uint32_t i = 0; rng_percent(r, 5) && i < 16; i++)
		words[i] = rng_next(r);
}

static void expect_fences(const struct fixture *f, uint8_t opcode)
{
	for (uint32_t rank = opcode == TMA_TENSOR_LOAD ? 1 : 0; rank < CTAS; rank++)
		assert_memory_equal(tma_model_smem(f->m, rank), f->expected.smem[rank], SMEM_BYTES);
	assert_memory_equal(f->global_store, f->expected.global, PAGE);
	assert_memory_equal(f->global_store + 9 * PAGE, f->expected.global + 9 * PAGE,
	                    sizeof(f->global_store) - 9 * PAGE);
	if (opcode != TMA_TENSOR_STORE)
		assert_memory_equal(f->global, f->expected.global + PAGE, 8 * PAGE);
}

/* The command says where it may write; random maps do not change that. Most of the codes are met. */
FIXTURE_TEST_OF(garbage, fenced())
{
	static const uint8_t opcodes[] = { TMA_TENSOR_LOAD, TMA_TENSOR_STORE, TMA_TENSOR_PREFETCH };
	struct tma_queue_config on = f->queues[0];
	struct rng r = rng_make(14, 0);
	uint32_t codes = 0, good = 0;
	bool seen[0x100] = { false };

	for (uint32_t n = 0; n < 6000; n++) {
		uint8_t opcode = opcodes[rng_below(&r, 3)];
		struct map_fields m;
		struct tma_command c;
		uint64_t words[16];

		draw_copy(&r, opcode == TMA_TENSOR_STORE ? opcode : TMA_TENSOR_LOAD, &m, &c);
		if (opcode == TMA_TENSOR_PREFETCH)
			c.barrier = c.shared_dst = 0;
		c.opcode = opcode;
		if (rng_percent(&r, 10))
			c.coord[rng_below(&r, c.dim)] = (int32_t)(rng_next(&r) >> 32) >> rng_below(&r, 32);
		map_encode(&m, words);
		garbage_words(&r, words);
		put_words(f, MAP, words);
		put_barrier(f, 0, BAR, barrier_word(1, 1, 0, 0));
		remember(f);
		issue(f, 0, c);
		expect_fences(f, opcode);
		seen[status_of(f, 0).fault & 0xff] = true;
		good += !status_of(f, 0).faulted;
		if (status_of(f, 0).faulted)
			requeue(f, 0, &on, NULL);
	}
	for (uint32_t code = 0x60; code < 0x80; code++)
		codes += seen[code];
	assert_true(good > 1000);
	/* all but the three of the map's read, large boxes and offsets that are not drawn */
	assert_true(codes >= 19);
}

LIST_SUITE(test_model_tensor_values)
