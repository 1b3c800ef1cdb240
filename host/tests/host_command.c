/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_command - the functions of the instructions.
 *
 * Spec: the command table (docs/gen/commands.md)
 * Checks: opcode and version, every operand in its field, no bit that the command does not use.
 */
#include <string.h>

#include "host_test.h"
#include "tma_tables.h"

/* Operands with every bit of interest set, so that a field in the wrong place shows. */
#define DST    0x01002340u
#define SRC    0x00001230u
#define GLOBAL UINT64_C(0x123456789ABCDE00)
#define SIZE   0x000FFFF0u
#define MBAR   0x01000FF8u
#define COUNT  0x000ABCDEu
#define TX     0x000FEDCBu
#define LIMIT_ UINT32_C(0x89ABCDEF)
#define STATE  UINT64_C(0x1FFFFF)

static void check_bits(const struct tma_command *command)
{
	uint8_t bytes[sizeof(*command)], used[64];

	assert_int_equal(command->version, TMA_COMMAND_VERSION);
	memcpy(bytes, command, sizeof(bytes));
	tma_command_used_bits(command, used);
	for (size_t i = 0; i < sizeof(bytes); i++)
		if (bytes[i] & ~used[i])
			fail_msg("%s: byte %zu is 0x%02x", tma_opcode_name(command->opcode), i, bytes[i]);
}

/* Build into a command full of other bits, then compare it with the fields that are meant. */
#define CHECK(call, ...)                                                                             \
	do {                                                                                         \
		const struct tma_command expected = { .version = TMA_COMMAND_VERSION, __VA_ARGS__ }; \
		struct tma_command command;                                                          \
		memset(&command, 0xFF, sizeof(command));                                             \
		call;                                                                                \
		check_bits(&command);                                                                \
		assert_memory_equal(&command, &expected, sizeof(command));                           \
	} while (0)

TEST(test_copies)
{
	CHECK(tma_cp_async_bulk_load(&command, DST, GLOBAL, SIZE, MBAR), .opcode = TMA_BULK_LOAD,
	      .shared_dst = DST, .global_address = GLOBAL, .size = SIZE, .barrier = MBAR);
	CHECK(tma_cp_async_bulk_load_multicast(&command, DST, GLOBAL, SIZE, MBAR, 0x8421),
	      .opcode = TMA_BULK_LOAD, .flags = TMA_FLAG_MULTICAST, .shared_dst = DST,
	      .global_address = GLOBAL, .size = SIZE, .barrier = MBAR, .cta_mask = 0x8421);
	CHECK(tma_cp_async_bulk_store(&command, GLOBAL, SRC, SIZE), .opcode = TMA_BULK_STORE,
	      .global_address = GLOBAL, .shared_src = SRC, .size = SIZE);
	CHECK(tma_cp_async_bulk_store_masked(&command, GLOBAL, SRC, SIZE, 0xA5C3), .opcode = TMA_BULK_STORE,
	      .flags = TMA_FLAG_CP_MASK, .global_address = GLOBAL, .shared_src = SRC, .size = SIZE,
	      .byte_mask = 0xA5C3);
	CHECK(tma_cp_async_bulk_shared(&command, DST, SRC, SIZE, MBAR), .opcode = TMA_BULK_SHARED,
	      .shared_dst = DST, .shared_src = SRC, .size = SIZE, .barrier = MBAR);
	CHECK(tma_cp_async_bulk_prefetch(&command, GLOBAL, SIZE), .opcode = TMA_BULK_PREFETCH,
	      .global_address = GLOBAL, .size = SIZE);
}

TEST(test_multimem)
{
	CHECK(tma_multimem_cp_async_bulk(&command, GLOBAL, SRC, SIZE), .opcode = TMA_MULTIMEM_BULK_STORE,
	      .global_address = GLOBAL, .shared_src = SRC, .size = SIZE);
	CHECK(tma_multimem_cp_async_bulk_masked(&command, GLOBAL, SRC, SIZE, 0x5A3C),
	      .opcode = TMA_MULTIMEM_BULK_STORE, .flags = TMA_FLAG_CP_MASK, .global_address = GLOBAL,
	      .shared_src = SRC, .size = SIZE, .byte_mask = 0x5A3C);
}

TEST(test_reductions)
{
	static const int32_t at[] = { 8, -3 };

	CHECK(tma_cp_reduce_async_bulk(&command, TMA_REDUCE_XOR, TMA_TYPE_B64, GLOBAL, SRC, SIZE),
	      .opcode = TMA_BULK_REDUCE, .op = TMA_REDUCE_XOR, .type = TMA_TYPE_B64, .global_address = GLOBAL,
	      .shared_src = SRC, .size = SIZE);
	CHECK(tma_cp_reduce_async_bulk_shared(&command, TMA_REDUCE_INC, TMA_TYPE_U32, DST, SRC, SIZE, MBAR),
	      .opcode = TMA_BULK_REDUCE_SHARED, .op = TMA_REDUCE_INC, .type = TMA_TYPE_U32, .shared_dst = DST,
	      .shared_src = SRC, .size = SIZE, .barrier = MBAR);
	CHECK(tma_multimem_cp_reduce_async_bulk(&command, TMA_REDUCE_ADD, TMA_TYPE_F64, GLOBAL, SRC, SIZE),
	      .opcode = TMA_MULTIMEM_BULK_REDUCE, .op = TMA_REDUCE_ADD, .type = TMA_TYPE_F64,
	      .global_address = GLOBAL, .shared_src = SRC, .size = SIZE);
	CHECK(tma_cp_reduce_async_bulk_tensor(&command, TMA_REDUCE_MAX, TMA_MODE_TILE, 2, GLOBAL, at, SRC),
	      .opcode = TMA_TENSOR_REDUCE, .op = TMA_REDUCE_MAX, .mode = TMA_MODE_TILE, .dim = 2,
	      .global_address = GLOBAL, .coord = { 8, -3 }, .shared_dst = SRC);
	/* What does not fit into the field does not become something else. */
	CHECK(tma_cp_reduce_async_bulk(&command, (enum tma_reduce)256, (enum tma_type)0x10006, GLOBAL, SRC,
	                               SIZE),
	      .opcode = TMA_BULK_REDUCE, .op = 255, .type = 255, .global_address = GLOBAL, .shared_src = SRC,
	      .size = SIZE);
}

TEST(test_cp_async)
{
	CHECK(tma_cp_async(&command, DST, GLOBAL, 8), .opcode = TMA_CP_ASYNC, .shared_dst = DST,
	      .global_address = GLOBAL, .size = 8);
	CHECK(tma_cp_async_src_size(&command, DST, GLOBAL, 16, 5), .opcode = TMA_CP_ASYNC,
	      .flags = TMA_FLAG_SRC_SIZE, .shared_dst = DST, .global_address = GLOBAL, .size = 16,
	      .count = 5);
	CHECK(tma_cp_async_ignore_src(&command, DST, GLOBAL, 4, true), .opcode = TMA_CP_ASYNC,
	      .flags = TMA_FLAG_IGNORE_SRC, .shared_dst = DST, .global_address = GLOBAL, .size = 4);
	CHECK(tma_cp_async_ignore_src(&command, DST, GLOBAL, 4, false), .opcode = TMA_CP_ASYNC,
	      .shared_dst = DST, .global_address = GLOBAL, .size = 4);
	CHECK(tma_cp_async(&command, DST, GLOBAL, 16); tma_set_cg(&command);
	      tma_set_l2_prefetch(&command, TMA_L2_256B);
	      tma_set_cache_hint(&command, GLOBAL), .opcode = TMA_CP_ASYNC, .mode = 3,
	      .flags = TMA_FLAG_CG | TMA_FLAG_CACHE_HINT, .shared_dst = DST, .global_address = GLOBAL,
	      .size = 16, .policy = GLOBAL);
	CHECK(tma_cp_async_commit_group(&command), .opcode = TMA_CP_ASYNC_COMMIT_GROUP);
	CHECK(tma_cp_async_wait_group(&command, COUNT), .opcode = TMA_CP_ASYNC_WAIT_GROUP, .count = COUNT);
	CHECK(tma_cp_async_wait_all(&command), .opcode = TMA_CP_ASYNC_WAIT_ALL);
	CHECK(tma_cp_async_mbarrier_arrive(&command, MBAR), .opcode = TMA_CP_ASYNC_MBARRIER_ARRIVE,
	      .barrier = MBAR);
	CHECK(tma_cp_async_mbarrier_arrive_noinc(&command, MBAR), .opcode = TMA_CP_ASYNC_MBARRIER_ARRIVE,
	      .flags = TMA_FLAG_NOINC, .barrier = MBAR);
	CHECK(tma_cancel_queue(&command, 7), .opcode = TMA_CANCEL, .count = 7);
}

static const int32_t coord[5] = { -1, INT32_MIN, 0x12345678, INT32_MAX, -5 };
static const uint16_t im2col[3] = { 0xFFFF, 0x1234, 0x8001 };

/* Of every mode and dim as many coordinates and offsets as it has. */
TEST(test_tensor)
{
	CHECK(tma_cp_async_bulk_tensor_load(&command, TMA_MODE_TILE, 1, DST, GLOBAL, coord, MBAR, im2col),
	      .opcode = TMA_TENSOR_LOAD, .dim = 1, .global_address = GLOBAL, .shared_dst = DST,
	      .barrier = MBAR, .coord = { -1 });
	CHECK(tma_cp_async_bulk_tensor_load(&command, TMA_MODE_TILE, 5, DST, GLOBAL, coord, MBAR, NULL),
	      .opcode = TMA_TENSOR_LOAD, .dim = 5, .global_address = GLOBAL, .shared_dst = DST,
	      .barrier = MBAR, .coord = { -1, INT32_MIN, 0x12345678, INT32_MAX, -5 });
	CHECK(tma_cp_async_bulk_tensor_load(&command, TMA_MODE_GATHER4, 2, DST, GLOBAL, coord, MBAR, NULL),
	      .opcode = TMA_TENSOR_LOAD, .mode = 3, .dim = 2, .global_address = GLOBAL, .shared_dst = DST,
	      .barrier = MBAR, .coord = { -1, INT32_MIN, 0x12345678, INT32_MAX, -5 });
	CHECK(tma_cp_async_bulk_tensor_load(&command, TMA_MODE_IM2COL, 3, DST, GLOBAL, coord, MBAR, im2col),
	      .opcode = TMA_TENSOR_LOAD, .mode = 1, .dim = 3, .global_address = GLOBAL, .shared_dst = DST,
	      .barrier = MBAR, .coord = { -1, INT32_MIN, 0x12345678 }, .im2col = { 0xFFFF });
	CHECK(tma_cp_async_bulk_tensor_load(&command, TMA_MODE_IM2COL, 5, DST, GLOBAL, coord, MBAR, im2col),
	      .opcode = TMA_TENSOR_LOAD, .mode = 1, .dim = 5, .global_address = GLOBAL, .shared_dst = DST,
	      .barrier = MBAR, .coord = { -1, INT32_MIN, 0x12345678, INT32_MAX, -5 },
	      .im2col = { 0xFFFF, 0x1234, 0x8001 });
	CHECK(tma_cp_async_bulk_tensor_load(&command, TMA_MODE_IM2COL_W, 3, DST, GLOBAL, coord, MBAR, im2col),
	      .opcode = TMA_TENSOR_LOAD, .mode = 5, .dim = 3, .global_address = GLOBAL, .shared_dst = DST,
	      .barrier = MBAR, .coord = { -1, INT32_MIN, 0x12345678 }, .im2col = { 0xFFFF, 0x1234 });
	CHECK(tma_cp_async_bulk_tensor_store(&command, TMA_MODE_IM2COL_NO_OFFS, 4, GLOBAL, coord, SRC),
	      .opcode = TMA_TENSOR_STORE, .mode = 2, .dim = 4, .global_address = GLOBAL, .shared_dst = SRC,
	      .coord = { -1, INT32_MIN, 0x12345678, INT32_MAX });
	CHECK(tma_cp_async_bulk_tensor_store(&command, TMA_MODE_SCATTER4, 2, GLOBAL, coord, SRC),
	      .opcode = TMA_TENSOR_STORE, .mode = 4, .dim = 2, .global_address = GLOBAL, .shared_dst = SRC,
	      .coord = { -1, INT32_MIN, 0x12345678, INT32_MAX, -5 });
	CHECK(tma_cp_async_bulk_prefetch_tensor(&command, TMA_MODE_IM2COL_W_128, 4, GLOBAL, coord, im2col),
	      .opcode = TMA_TENSOR_PREFETCH, .mode = 6, .dim = 4, .global_address = GLOBAL,
	      .coord = { -1, INT32_MIN, 0x12345678, INT32_MAX }, .im2col = { 0xFFFF, 0x1234 });
	CHECK(tma_prefetch_tensormap(&command, GLOBAL), .opcode = TMA_PREFETCH_TENSORMAP,
	      .global_address = GLOBAL);
	CHECK(tma_fence_proxy_tensormap(&command, GLOBAL), .opcode = TMA_MAP_FENCE, .global_address = GLOBAL);
}

TEST(test_tensor_modifiers)
{
	CHECK(tma_cp_async_bulk_tensor_load(&command, TMA_MODE_TILE, 2, DST, GLOBAL, coord, MBAR, NULL);
	      tma_set_multicast(&command, 0x8421); tma_set_cta_group_2(&command);
	      tma_set_cache_hint(&command, GLOBAL), .opcode = TMA_TENSOR_LOAD, .dim = 2,
	      .flags = TMA_FLAG_MULTICAST | TMA_FLAG_CTA_GROUP_2 | TMA_FLAG_CACHE_HINT,
	      .global_address = GLOBAL, .shared_dst = DST, .barrier = MBAR, .coord = { -1, INT32_MIN },
	      .cta_mask = 0x8421, .policy = GLOBAL);
	/* A dim or a mode that there is not stays one, and no more than five coordinates are read. */
	CHECK(tma_cp_async_bulk_tensor_load(&command, TMA_MODE_IM2COL, 0x106, DST, GLOBAL, coord, MBAR,
	                                    im2col),
	      .opcode = TMA_TENSOR_LOAD, .mode = 1, .dim = 255, .global_address = GLOBAL, .shared_dst = DST,
	      .barrier = MBAR, .coord = { -1, INT32_MIN, 0x12345678, INT32_MAX, -5 },
	      .im2col = { 0xFFFF, 0x1234, 0x8001 });
	CHECK(tma_cp_async_bulk_tensor_store(&command, (enum tma_mode)0x100, 0, GLOBAL, coord, SRC),
	      .opcode = TMA_TENSOR_STORE, .mode = 255, .global_address = GLOBAL, .shared_dst = SRC);
}

TEST(test_groups)
{
	CHECK(tma_cp_async_bulk_commit_group(&command), .opcode = TMA_BULK_COMMIT_GROUP);
	CHECK(tma_cp_async_bulk_wait_group(&command, COUNT), .opcode = TMA_BULK_WAIT_GROUP, .count = COUNT);
	CHECK(tma_cp_async_bulk_wait_group_read(&command, COUNT), .opcode = TMA_BULK_WAIT_GROUP,
	      .flags = TMA_FLAG_READ, .count = COUNT);
}

TEST(test_barriers)
{
	CHECK(tma_mbarrier_init(&command, MBAR, COUNT), .opcode = TMA_MBARRIER_INIT, .barrier = MBAR,
	      .count = COUNT);
	CHECK(tma_mbarrier_inval(&command, MBAR), .opcode = TMA_MBARRIER_INVAL, .barrier = MBAR);
	CHECK(tma_mbarrier_expect_tx(&command, MBAR, TX), .opcode = TMA_MBARRIER_EXPECT_TX, .barrier = MBAR,
	      .tx = TX);
	CHECK(tma_mbarrier_complete_tx(&command, MBAR, TX), .opcode = TMA_MBARRIER_COMPLETE_TX,
	      .barrier = MBAR, .tx = TX);
}

TEST(test_arrives)
{
	CHECK(tma_mbarrier_arrive(&command, MBAR, COUNT), .opcode = TMA_MBARRIER_ARRIVE, .barrier = MBAR,
	      .count = COUNT);
	CHECK(tma_mbarrier_arrive_expect_tx(&command, MBAR, TX), .opcode = TMA_MBARRIER_ARRIVE,
	      .flags = TMA_FLAG_EXPECT_TX, .barrier = MBAR, .count = 1, .tx = TX);
	CHECK(tma_mbarrier_arrive_no_complete(&command, MBAR, COUNT), .opcode = TMA_MBARRIER_ARRIVE,
	      .flags = TMA_FLAG_NO_COMPLETE, .barrier = MBAR, .count = COUNT);
	CHECK(tma_mbarrier_arrive_drop(&command, MBAR, COUNT), .opcode = TMA_MBARRIER_ARRIVE,
	      .flags = TMA_FLAG_DROP, .barrier = MBAR, .count = COUNT);
	CHECK(tma_mbarrier_arrive_drop_expect_tx(&command, MBAR, TX), .opcode = TMA_MBARRIER_ARRIVE,
	      .flags = TMA_FLAG_DROP | TMA_FLAG_EXPECT_TX, .barrier = MBAR, .count = 1, .tx = TX);
	CHECK(tma_mbarrier_arrive_drop_no_complete(&command, MBAR, COUNT), .opcode = TMA_MBARRIER_ARRIVE,
	      .flags = TMA_FLAG_DROP | TMA_FLAG_NO_COMPLETE, .barrier = MBAR, .count = COUNT);
}

TEST(test_waits)
{
	CHECK(tma_mbarrier_pending_count(&command, STATE), .opcode = TMA_MBARRIER_PENDING_COUNT,
	      .global_address = STATE);
	CHECK(tma_mbarrier_pending_count_last(&command), .opcode = TMA_MBARRIER_PENDING_COUNT,
	      .flags = TMA_FLAG_LAST_STATE);
	CHECK(tma_mbarrier_test_wait(&command, MBAR, STATE), .opcode = TMA_MBARRIER_TEST_WAIT,
	      .barrier = MBAR, .global_address = STATE);
	CHECK(tma_mbarrier_test_wait_last(&command, MBAR), .opcode = TMA_MBARRIER_TEST_WAIT,
	      .flags = TMA_FLAG_LAST_STATE, .barrier = MBAR);
	CHECK(tma_mbarrier_test_wait_parity(&command, MBAR, 1), .opcode = TMA_MBARRIER_TEST_WAIT,
	      .flags = TMA_FLAG_PARITY, .barrier = MBAR, .count = 1);
	CHECK(tma_mbarrier_try_wait(&command, MBAR, STATE, LIMIT_), .opcode = TMA_MBARRIER_TRY_WAIT,
	      .barrier = MBAR, .global_address = STATE, .tx = LIMIT_);
	CHECK(tma_mbarrier_try_wait_last(&command, MBAR, LIMIT_), .opcode = TMA_MBARRIER_TRY_WAIT,
	      .flags = TMA_FLAG_LAST_STATE, .barrier = MBAR, .tx = LIMIT_);
	CHECK(tma_mbarrier_try_wait_parity(&command, MBAR, 1, LIMIT_), .opcode = TMA_MBARRIER_TRY_WAIT,
	      .flags = TMA_FLAG_PARITY, .barrier = MBAR, .count = 1, .tx = LIMIT_);
	CHECK(tma_signal(&command, 0x76543210), .opcode = TMA_SIGNAL, .tag = 0x76543210);
}

TEST(test_modifiers)
{
	struct tma_command command;

	tma_cp_async_bulk_load(&command, DST, GLOBAL, SIZE, MBAR);
	tma_set_record(&command, 0xFEDCBA98);
	tma_set_cache_hint(&command, UINT64_C(0xF500000000000001));
	tma_set_cta_local(&command);
	check_bits(&command);
	assert_int_equal(command.flags, TMA_FLAG_RECORD | TMA_FLAG_CACHE_HINT | TMA_FLAG_CTA_LOCAL);
	assert_int_equal(command.tag, 0xFEDCBA98);
	assert_true(command.policy == UINT64_C(0xF500000000000001));
	assert_int_equal(tma_shared(3, 0x1230), 0x03001230);
}

int run_command_tests(void)
{
	return run_file_tests("commands");
}
