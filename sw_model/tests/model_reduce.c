/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_reduce - which reductions there are, where they go, and what stops them.
 *
 * Spec: semantics 1.5, 1.7, 1.9, 3, M30, M36; fault codes 0x14, 0x79
 * Checks: every pair of operator and type is known or refused, by instruction and by what is built; the bytes of
 *         the destination are what add.u32 makes of them, once per element, all others stay; groups and
 *         barriers hear of it as of copies; a window or a bus that refuses reads or writes changes nothing.
 *         The arithmetic itself: reduce_test.
 */
#include "model_cases.h"
#include "model_tensor.h"

#define WHOLE (TMA_MODEL_REDUCE_F64 | TMA_MODEL_REDUCE)
#define RW    (TMA_WINDOW_READ | TMA_WINDOW_WRITE)
#define OPS   8u
#define TYPES 10u

/* u32 s32 u64 s64 f16 bf16 f32 f64 b32 b64 */
static const char *const global_pairs[OPS] = {
	"yyy.yyyy..", /* add */
	"yyyyyy....", /* min */
	"yyyyyy....", /* max */
	"y.........", /* inc */
	"y.........", /* dec */
	"........yy", /* and */
	"........yy", /* or */
	"........yy", /* xor */
};

static const char *const shared_pairs[OPS] = {
	"yyy.......", "yy........", "yy........", "y.........",
	"y.........", "........y.", "........y.", "........y.",
};

/* u8 u16 u32 s32 u64 s64 f16 f32 f32_ftz f64 bf16 */
static const char *const map_pairs[OPS] = {
	"..yyy.yyyyy", "..yyyyy...y", "..yyyyy...y", "..y........",
	"..y........", "..yyy......", "..yyy......", "..yyy......",
};

static struct tma_command reduction(uint8_t opcode, uint8_t op, uint8_t type, uint64_t dst, uint32_t size)
{
	struct tma_command c = store(dst, AT(0, SRC), size);

	c.opcode = opcode;
	c.op = op;
	c.type = type;
	return c;
}

/* The fault of a command on an engine that has nothing mapped. */
static uint16_t fault_on(struct tma_model *m, struct tma_command c)
{
	struct tma_queue_config queue = { .enable = 1, .cta_mask = 0xf };
	struct tma_queue_status s;

	assert_int_equal(tma_model_queue(m, 0, &queue), 0);
	assert_int_equal(tma_model_submit(m, 0, &c), 0);
	tma_model_run(m);
	s = model_status(m, 0);
	queue.enable = 0;
	assert_int_equal(tma_model_queue(m, 0, &queue), 0);
	return s.fault;
}

static void try_pairs(uint32_t built, uint8_t opcode, const char *const pairs[OPS])
{
	struct tma_model *m = tma_model_new(&(struct tma_model_config){ .reductions = built });

	for (unsigned int op = 0; op < 16; op++)
		for (unsigned int type = 0; type < 16; type++) {
			bool legal = op < OPS && type < TYPES && pairs[op][type] == 'y' &&
			             (type < TMA_TYPE_F16 || type > TMA_TYPE_F64 ||
			              (type == TMA_TYPE_F64 ? built == WHOLE
			                                    : !(built & TMA_MODEL_REDUCE_INTEGERS)));
			struct tma_command c = reduction(opcode, (uint8_t)op, (uint8_t)type, 0, 0);
			uint16_t want = !built ? TMA_FAULT_UNKNOWN_OPCODE : legal ? 0 : TMA_FAULT_REDUCE_OP;

			if (opcode == TMA_BULK_REDUCE_SHARED) {
				c.global_address = 0;
				c.barrier = AT(0, BAR);
				want = want ? want : TMA_FAULT_BARRIER_DEAD;
			}
			if (fault_on(m, c) != want)
				fail_msg("opcode 0x%02x, operator %u, type %u, built %u", opcode, op, type,
				         built);
		}
	tma_model_free(m);
}

TEST(pairs)
{
	static const uint32_t built[] = { 0, TMA_MODEL_REDUCE, WHOLE,
		                          TMA_MODEL_REDUCE | TMA_MODEL_REDUCE_INTEGERS };

	for (size_t i = 0; i < ARRAY_SIZE(built); i++) {
		try_pairs(built[i], TMA_BULK_REDUCE, global_pairs);
		try_pairs(built[i], TMA_MULTIMEM_BULK_REDUCE, global_pairs);
		try_pairs(built[i], TMA_BULK_REDUCE_SHARED, shared_pairs);
	}
}

/* What a fault says of the pair. */
FIXTURE_TEST(a_pair_that_does_not_exist)
{
	issue(f, 0, reduction(TMA_BULK_REDUCE, TMA_REDUCE_XOR, TMA_TYPE_F32, GLOBAL, 16));
	expect_fault(f, 0, TMA_FAULT_REDUCE_OP, TMA_TYPE_F32 << 8 | TMA_REDUCE_XOR);
	expect_all_memory(f);
}

/* `to` as it is expected once add.u32 has run. */
static void add_words(uint8_t *to, const uint8_t *from, uint32_t size)
{
	for (uint32_t i = 0; i < size; i += 4) {
		uint32_t a, b;

		memcpy(&a, to + i, 4);
		memcpy(&b, from + i, 4);
		a += b;
		memcpy(to + i, &a, 4);
	}
}

static struct tma_command add_u32(uint64_t dst, uint32_t size)
{
	return reduction(TMA_BULK_REDUCE, TMA_REDUCE_ADD, TMA_TYPE_U32, dst, size);
}

static uint8_t *expected_at(struct fixture *f, uint64_t address)
{
	return f->expected.global + PAGE + (address - GLOBAL);
}

FIXTURE_TEST(to_global)
{
	add_words(expected_at(f, GLOBAL + 0xff0), tma_model_smem(f->m, 0) + SRC, 0x1020);
	expect_quiet(f, 0, add_u32(GLOBAL + 0xff0, 0x1020));
	expect_all_memory(f);
	assert_int_equal(status_of(f, 0).open_stores, 1);
	/* Nothing of no bytes. */
	expect_quiet(f, 0, add_u32(GLOBAL, 0));
	assert_int_equal(status_of(f, 0).open_stores, 1);
	expect_all_memory(f);
}

static struct tma_command to_shared(uint32_t dst, uint32_t src, uint32_t size)
{
	struct tma_command c = copy(dst, src, size, AT(dst >> 24, BAR));

	c.opcode = TMA_BULK_REDUCE_SHARED;
	c.op = TMA_REDUCE_ADD;
	c.type = TMA_TYPE_U32;
	return c;
}

FIXTURE_TEST(to_another_cta)
{
	add_words(f->expected.smem[2] + DST, tma_model_smem(f->m, 0) + SRC, 0x210);
	expect_barrier(f, 2, BAR, barrier_word(1, 1, -0x210, 0));
	expect_quiet(f, 0, to_shared(AT(2, DST), AT(0, SRC), 0x210));
	expect_all_memory(f);
}

/* M36 */
FIXTURE_TEST(to_the_own_cta)
{
	add_words(f->expected.smem[0] + DST, tma_model_smem(f->m, 0) + SRC, 0x100);
	expect_barrier(f, 0, BAR, barrier_word(1, 1, -0x100, 0));
	expect_quiet(f, 0, to_shared(AT(0, DST), AT(0, SRC), 0x100));
	expect_all_memory(f);
}

struct stop_case {
	const char *name;
	uint32_t attr; /* of the window, pages 0 to 1 */
	int read_resp, write_resp;
	uint32_t moved;
	uint16_t fault;
};

/* 48 bytes from 16 in front of page 1 on, whose second beat answers with an error. */
static const struct stop_case stop_cases[] = {
	{ "reduction, all is well", RW, 0, 0, 48, 0 },
	{ "reduction without reads", TMA_WINDOW_WRITE, 0, 0, 0, TMA_FAULT_WINDOW_READ },
	{ "reduction without writes", TMA_WINDOW_READ, 0, 0, 0, TMA_FAULT_WINDOW_WRITE },
	{ "reduction whose read fails", RW, 2, 0, 16, TMA_FAULT_READ_SLVERR },
	{ "reduction whose write fails", RW, 0, 3, 16, TMA_FAULT_WRITE_DECERR },
	{ "reduction whose halves fail: the read's", RW, 3, 2, 16, TMA_FAULT_READ_DECERR },
};

FIXTURE_CASE(stops, const struct stop_case *c)
{
	uint64_t at = GLOBAL + PAGE - 16;
	struct tma_window window = { GLOBAL, GLOBAL + 2 * PAGE - 1, c->attr };
	struct tma_queue_config queue = f->queues[0];

	requeue(f, 0, &queue, &window);
	if (c->read_resp || c->write_resp)
		assert_int_equal(
			tma_model_map_error(f->m, 0, GLOBAL + PAGE, PAGE, c->read_resp, c->write_resp), 0);
	add_words(expected_at(f, at), tma_model_smem(f->m, 0) + SRC, c->moved);
	issue(f, 0, add_u32(at, 48));
	if (c->fault)
		expect_fault(f, 0, c->fault, at + c->moved);
	expect_all_memory(f);
}

TABLE_SUITE(test_model_reduce_stops, stop_cases, stops)

/* Bursts of a reduction end with every 16 beats, in the middle of a page as well: the one with the bad beat, the
 * third of four, keeps its bytes. */
FIXTURE_TEST(ends_between_bursts)
{
	uint64_t at = GLOBAL + 0x3e0, bad = GLOBAL + 0x800;

	assert_int_equal(tma_model_map_error(f->m, 0, bad + 0x200, 16, 0, 2), 0);
	add_words(expected_at(f, at), tma_model_smem(f->m, 0) + SRC, (uint32_t)(bad - at));
	issue(f, 0, add_u32(at, 0x1000 - 0x3e0));
	expect_fault(f, 0, TMA_FAULT_WRITE_SLVERR, bad);
	expect_all_memory(f);
}

/* A tensor of `type`: 4 rows of 48 bytes, 64 apart. */
static struct map_fields rows_of(uint32_t type)
{
	uint32_t bytes = element_bits(type) / 8;

	return (struct map_fields){ .address = TENSOR,
		                    .rank = 2,
		                    .type = type,
		                    .dim = { 48 / bytes, 4 },
		                    .stride = { 64 },
		                    .box = { 32 / bytes, 4 },
		                    .es = { 1, 1 } };
}

static struct tma_command tensor_reduction(uint8_t op, int32_t c0, int32_t c1)
{
	struct tma_command c = tensor(TMA_TENSOR_REDUCE, TMA_MODE_TILE, 2, c0, c1, 0, 0, 0);

	c.op = op;
	return c;
}

/* Three rows of four lie in the tensor, and 16 of their 32 bytes. */
FIXTURE_TEST(to_a_tensor)
{
	struct map_fields m = rows_of(TMA_RAW_TYPE_U32);

	put_map(f, &m);
	for (uint32_t k = 0; k < 3; k++)
		add_words(expected_at(f, TENSOR + 64 * (k + 1) + 32), tma_model_smem(f->m, 0) + BOX + 32 * k,
		          16);
	expect_quiet(f, 0, tensor_reduction(TMA_REDUCE_ADD, 8, 1));
	expect_all_memory(f);
	assert_int_equal(status_of(f, 0).open_stores, 1);
}

/* A stride of 0: all rows into the same elements, each of them counts. */
FIXTURE_TEST(to_the_same_row)
{
	struct map_fields m = rows_of(TMA_RAW_TYPE_U32);

	m.stride[0] = 0;
	put_map(f, &m);
	for (uint32_t k = 0; k < 4; k++)
		add_words(expected_at(f, TENSOR), tma_model_smem(f->m, 0) + BOX + 32 * k, 32);
	expect_quiet(f, 0, tensor_reduction(TMA_REDUCE_ADD, 0, 0));
	expect_all_memory(f);
}

FIXTURE_TEST(types_of_maps)
{
	struct tma_queue_config queue = f->queues[0];

	for (uint8_t op = 0; op < OPS; op++)
		for (uint32_t type = 0; map_pairs[op][type]; type++) {
			struct map_fields m = rows_of(type);
			bool legal = map_pairs[op][type] == 'y';

			put_map(f, &m);
			requeue(f, 0, &queue, NULL);
			issue(f, 0, tensor_reduction(op, 0, 0));
			if (legal)
				expect_no_record(f);
			else
				expect_fault(f, 0, TMA_FAULT_TENSOR_REDUCE, op);
		}
	requeue(f, 0, &queue, NULL);
	issue(f, 0, tensor_reduction(OPS, 0, 0));
	expect_fault(f, 0, TMA_FAULT_REDUCE_OP, OPS);
}

FIXTURE_TEST(a_negative_coordinate)
{
	struct map_fields m = rows_of(TMA_RAW_TYPE_U32);

	put_map(f, &m);
	issue(f, 0, tensor_reduction(TMA_REDUCE_ADD, 0, -1));
	expect_fault(f, 0, TMA_FAULT_NEGATIVE_COORDINATE, UINT32_MAX);
	expect_all_memory(f);
}

LIST_SUITE(test_model_reduce)
