/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ptx_command - commands into text, and back.
 *
 * Spec: tma_ptx.h, tma_command.h
 * Checks: the text of each command; 100,000 random commands are the same when they are read back, none of them in words;
 *         so are 20,000 that are half right or random bytes.
 */
#include "lib/rng.h"
#include "ptx_test.h"
#include "tma_command.h"
#include "tma_tables.h"

#define MBAR 0x40u

static void read_back(const char *text, const struct tma_command *expected)
{
	struct tma_ptx_instruction instruction;
	struct tma_ptx_error error = { 0 };
	struct tma_command command;

	if (tma_ptx_parse(text, TMA_PTX_ENGINE, NULL, &instruction, &error) ||
	    tma_ptx_command(&instruction, NULL, &command, &error))
		fail_msg("%s: column %u: %s", text, error.place.column, error.message);
	if (memcmp(&command, expected, sizeof(command)) != 0)
		fail_msg("%s: was read as another command", text);
}

/* @return length of what was printed */
static int there_and_back(const struct tma_command *command, char *text, size_t size)
{
	int length = tma_command_print(command, text, size);

	assert_in_range(length, 1, size - 1);
	assert_int_equal(strlen(text), length);
	read_back(text, command);
	return length;
}

#define COMMAND(build, expected)                        \
	do {                                            \
		struct tma_command c;                   \
		char text[400];                         \
		build;                                  \
		there_and_back(&c, text, sizeof(text)); \
		assert_string_equal(text, expected);    \
	} while (0)

TEST(test_texts_of_copies)
{
	static const int32_t at[5] = { 0, -1, 2, 3, 70000 };
	static const uint16_t offsets[3] = { 1, 2, 65535 };

	COMMAND(tma_cp_async_bulk_load(&c, tma_shared(1, 0x400), 0x100000000, 256, tma_shared(1, MBAR)),
	        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [0x1000400], [0x100000000], 256, [0x1000040];");
	COMMAND(tma_cp_async_bulk_load_multicast(&c, 0, 16, 32, MBAR, 5);
	        tma_set_cache_hint(&c, 0x1000000000000000);
	        tma_set_record(&c, 7),
	        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint [0x0], "
	        "[0x10], 32, [0x40], 5, 0x1000000000000000; // tma: record tag=0x7");
	COMMAND(tma_cp_async_bulk_load(&c, 0, 16, 32, MBAR);
	        tma_set_cta_local(&c),
	        "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [0x0], [0x10], 32, [0x40];");
	COMMAND(tma_cp_async_bulk_store(&c, 16, 32, 48);
	        tma_set_tag(&c, 0xffffffff),
	        "cp.async.bulk.global.shared::cta.bulk_group [0x10], [0x20], 48; // tma: tag=0xffffffff");
	COMMAND(tma_cp_async_bulk_store_masked(&c, 16, 32, 48, 0xffff);
	        tma_set_cache_hint(&c, 1),
	        "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.cp_mask [0x10], [0x20], 48, 1, 65535;");
	COMMAND(tma_cp_async_bulk_shared(&c, 0x1000000, 0, 16, 0x1000040),
	        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [0x1000000], [0x0], 16, [0x1000040];");
	COMMAND(tma_cp_async_bulk_prefetch(&c, 0x1000, 0xfffffff0),
	        "cp.async.bulk.prefetch.L2.global [0x1000], 0xfffffff0;");
	COMMAND(tma_multimem_cp_async_bulk_masked(&c, 16, 32, 48, 3),
	        "multimem.cp.async.bulk.global.shared::cta.bulk_group.cp_mask [0x10], [0x20], 48, 3;");
	COMMAND(tma_cp_reduce_async_bulk(&c, TMA_REDUCE_ADD, TMA_TYPE_BF16, 16, 32, 48),
	        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [0x10], [0x20], 48;");
	COMMAND(tma_cp_reduce_async_bulk_shared(&c, TMA_REDUCE_XOR, TMA_TYPE_B32, 0x1000000, 0, 16, MBAR),
	        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.xor.b32 [0x1000000], [0x0], 16, [0x40];");
	COMMAND(tma_multimem_cp_reduce_async_bulk(&c, TMA_REDUCE_MIN, TMA_TYPE_S64, 16, 32, 48),
	        "multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s64 [0x10], [0x20], 48;");
	COMMAND(tma_cp_async_bulk_tensor_load(&c, TMA_MODE_IM2COL, 5, 128, 0x1000, at, MBAR, offsets);
	        tma_set_multicast(&c, 3);
	        tma_set_cta_group_2(&c),
	        "cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster.cta_group::2 "
	        "[0x80], [0x1000, {0, -1, 2, 3, 0x11170}], [0x40], {1, 2, 65535}, 3;");
	COMMAND(tma_cp_async_bulk_tensor_store(&c, TMA_MODE_SCATTER4, 2, 0x1000, at, 128),
	        "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [0x1000, {0, -1, 2, 3, 0x11170}], [0x80];");
	COMMAND(tma_cp_reduce_async_bulk_tensor(&c, TMA_REDUCE_INC, TMA_MODE_TILE, 1, 0x1000, at, 128),
	        "cp.reduce.async.bulk.tensor.1d.global.shared::cta.inc.tile.bulk_group [0x1000, {0}], [0x80];");
	COMMAND(tma_cp_async_bulk_prefetch_tensor(&c, TMA_MODE_IM2COL_W, 3, 0x1000, at, offsets),
	        "cp.async.bulk.prefetch.tensor.3d.L2.global.im2col::w [0x1000, {0, -1, 2}], {1, 2};");
	COMMAND(tma_cp_async(&c, 4, 8, 4); tma_set_l2_prefetch(&c, TMA_L2_256B),
	                                   "cp.async.ca.shared::cta.global.L2::256B [0x4], [0x8], 4;");
	COMMAND(tma_cp_async_src_size(&c, 0, 16, 16, 3);
	        tma_set_cg(&c), "cp.async.cg.shared::cta.global [0x0], [0x10], 16, 3;");
	COMMAND(tma_cp_async_ignore_src(&c, 0, 16, 8, true),
	        "cp.async.ca.shared::cta.global [0x0], [0x10], 8, !0;");
}

TEST(test_texts_of_the_rest)
{
	COMMAND(tma_cp_async_commit_group(&c), "cp.async.commit_group;");
	COMMAND(tma_cp_async_wait_group(&c, 3), "cp.async.wait_group 3;");
	COMMAND(tma_cp_async_wait_all(&c), "cp.async.wait_all;");
	COMMAND(tma_cp_async_mbarrier_arrive(&c, MBAR), "cp.async.mbarrier.arrive.shared::cta.b64 [0x40];");
	COMMAND(tma_cp_async_mbarrier_arrive_noinc(&c, MBAR),
	        "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [0x40];");
	COMMAND(tma_cp_async_bulk_commit_group(&c), "cp.async.bulk.commit_group;");
	COMMAND(tma_cp_async_bulk_wait_group(&c, UINT32_MAX), "cp.async.bulk.wait_group 0xffffffff;");
	COMMAND(tma_cp_async_bulk_wait_group_read(&c, 0), "cp.async.bulk.wait_group.read 0;");
	COMMAND(tma_prefetch_tensormap(&c, 0x1000), "prefetch.tensormap [0x1000];");
	COMMAND(tma_fence_proxy_tensormap(&c, 0x1000),
	        "fence.proxy.tensormap::generic.acquire.sys [0x1000], 128;");
	COMMAND(tma_mbarrier_init(&c, MBAR, 2), "mbarrier.init.shared::cta.b64 [0x40], 2;");
	COMMAND(tma_mbarrier_inval(&c, MBAR), "mbarrier.inval.shared::cta.b64 [0x40];");
	COMMAND(tma_mbarrier_expect_tx(&c, MBAR, 64),
	        "mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [0x40], 64;");
	COMMAND(tma_mbarrier_complete_tx(&c, MBAR, 64),
	        "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [0x40], 64;");
	COMMAND(tma_mbarrier_arrive(&c, MBAR, 2), "mbarrier.arrive.shared::cluster.b64 _, [0x40], 2;");
	COMMAND(tma_mbarrier_arrive_expect_tx(&c, MBAR, 64),
	        "mbarrier.arrive.expect_tx.shared::cluster.b64 _, [0x40], 64;");
	COMMAND(tma_mbarrier_arrive_no_complete(&c, MBAR, 1),
	        "mbarrier.arrive.noComplete.shared::cta.b64 _, [0x40], 1;");
	COMMAND(tma_mbarrier_arrive_drop(&c, MBAR, 1),
	        "mbarrier.arrive_drop.shared::cluster.b64 _, [0x40], 1;");
	COMMAND(tma_mbarrier_arrive_drop_expect_tx(&c, MBAR, 1),
	        "mbarrier.arrive_drop.expect_tx.shared::cluster.b64 _, [0x40], 1;");
	COMMAND(tma_mbarrier_arrive_drop_no_complete(&c, MBAR, 1),
	        "mbarrier.arrive_drop.noComplete.shared::cta.b64 _, [0x40], 1;");
	COMMAND(tma_mbarrier_test_wait(&c, MBAR, 0x123456789),
	        "mbarrier.test_wait.shared::cta.b64 _, [0x40], 0x123456789;");
	COMMAND(tma_mbarrier_test_wait_last(&c, MBAR),
	        "mbarrier.test_wait.shared::cta.b64 _, [0x40], 0; // tma: last_state");
	COMMAND(tma_mbarrier_test_wait_parity(&c, MBAR, 1),
	        "mbarrier.test_wait.parity.shared::cta.b64 _, [0x40], 1;");
	COMMAND(tma_mbarrier_try_wait(&c, MBAR, 5, 100),
	        "mbarrier.try_wait.shared::cta.b64 _, [0x40], 5, 100;");
	COMMAND(tma_mbarrier_try_wait_last(&c, MBAR, TMA_NO_LIMIT);
	        tma_set_record(&c, 0),
	        "mbarrier.try_wait.shared::cta.b64 _, [0x40], 0, 0xffffffff; // tma: record last_state");
	COMMAND(tma_mbarrier_try_wait_parity(&c, MBAR, 0, 0),
	        "mbarrier.try_wait.parity.shared::cta.b64 _, [0x40], 0, 0;");
	COMMAND(tma_mbarrier_pending_count(&c, 9), "mbarrier.pending_count.b64 _, 9;");
	COMMAND(tma_mbarrier_pending_count_last(&c), "mbarrier.pending_count.b64 _, 0; // tma: last_state");
	COMMAND(tma_signal(&c, 9), "tma.signal; // tma: tag=0x9");
	COMMAND(tma_cancel_queue(&c, 3), "tma.cancel 3;");
	COMMAND(memset(&c, 0, sizeof(c)), "tma.command {0, 0, 0, 0, 0, 0, 0, 0};");
	assert_int_equal(tma_command_print(NULL, NULL, 0), -1);
}

/* ---- Random commands ----------------------------------------------------------------------------- */

static const uint8_t opcodes[] = {
	TMA_BULK_LOAD,
	TMA_BULK_STORE,
	TMA_BULK_SHARED,
	TMA_BULK_PREFETCH,
	TMA_MULTIMEM_BULK_STORE,
	TMA_BULK_REDUCE,
	TMA_BULK_REDUCE_SHARED,
	TMA_MULTIMEM_BULK_REDUCE,
	TMA_TENSOR_LOAD,
	TMA_TENSOR_STORE,
	TMA_TENSOR_REDUCE,
	TMA_TENSOR_PREFETCH,
	TMA_PREFETCH_TENSORMAP,
	TMA_MAP_FENCE,
	TMA_CP_ASYNC,
	TMA_CP_ASYNC_COMMIT_GROUP,
	TMA_CP_ASYNC_WAIT_GROUP,
	TMA_CP_ASYNC_WAIT_ALL,
	TMA_CP_ASYNC_MBARRIER_ARRIVE,
	TMA_BULK_COMMIT_GROUP,
	TMA_BULK_WAIT_GROUP,
	TMA_MBARRIER_INIT,
	TMA_MBARRIER_INVAL,
	TMA_MBARRIER_EXPECT_TX,
	TMA_MBARRIER_COMPLETE_TX,
	TMA_MBARRIER_ARRIVE,
	TMA_MBARRIER_PENDING_COUNT,
	TMA_MBARRIER_TEST_WAIT,
	TMA_MBARRIER_TRY_WAIT,
	TMA_SIGNAL,
	TMA_CANCEL,
};

static void draw_bytes(struct rng *rng, void *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((uint8_t *)bytes)[i] = (uint8_t)rng_next(rng);
}

/* A mode that the command can have, and dimensions that go with it. */
static void draw_mode(struct rng *rng, struct tma_command *command)
{
	static const uint8_t loads[] = { TMA_MODE_TILE, TMA_MODE_IM2COL, TMA_MODE_GATHER4, TMA_MODE_IM2COL_W,
		                         TMA_MODE_IM2COL_W_128 };
	static const uint8_t stores[] = { TMA_MODE_TILE, TMA_MODE_IM2COL_NO_OFFS, TMA_MODE_SCATTER4 };
	const bool load = command->opcode == TMA_TENSOR_LOAD || command->opcode == TMA_TENSOR_PREFETCH;

	command->mode = load ? loads[rng_below(rng, 5)] : stores[rng_below(rng, 3)];
	command->dim = (uint8_t)(command->mode == TMA_MODE_TILE ? 1 + rng_below(rng, 5)
	                         : command->mode == TMA_MODE_GATHER4 || command->mode == TMA_MODE_SCATTER4
	                                 ? 2
	                                 : 3 + rng_below(rng, 3));
}

/* An operator and a type that go together. */
static void draw_operation(struct rng *rng, struct tma_command *command)
{
	static const uint8_t pairs[][2] = {
		{ TMA_REDUCE_ADD, TMA_TYPE_U32 },
		{ TMA_REDUCE_ADD, TMA_TYPE_S32 },
		{ TMA_REDUCE_ADD, TMA_TYPE_U64 },
		{ TMA_REDUCE_MIN, TMA_TYPE_S32 },
		{ TMA_REDUCE_MAX, TMA_TYPE_U32 },
		{ TMA_REDUCE_INC, TMA_TYPE_U32 },
		{ TMA_REDUCE_DEC, TMA_TYPE_U32 },
		{ TMA_REDUCE_AND, TMA_TYPE_B32 },
		{ TMA_REDUCE_XOR, TMA_TYPE_B32 },
		/* In global memory alone. */
		{ TMA_REDUCE_ADD, TMA_TYPE_F16 },
		{ TMA_REDUCE_ADD, TMA_TYPE_BF16 },
		{ TMA_REDUCE_ADD, TMA_TYPE_F32 },
		{ TMA_REDUCE_ADD, TMA_TYPE_F64 },
		{ TMA_REDUCE_MIN, TMA_TYPE_F16 },
		{ TMA_REDUCE_MAX, TMA_TYPE_BF16 },
		{ TMA_REDUCE_MIN, TMA_TYPE_S64 },
		{ TMA_REDUCE_OR, TMA_TYPE_B64 },
	};
	const uint32_t pair = rng_below(rng, command->opcode == TMA_BULK_REDUCE_SHARED ? 9 : 17);

	command->op = pairs[pair][0];
	command->type = command->opcode == TMA_TENSOR_REDUCE ? 0 : pairs[pair][1];
}

/* What its flags and opcode use is random, the rest zero: a command that the engine looks at. */
static void keep_used(struct tma_command *command)
{
	uint8_t used[64], *bytes = (uint8_t *)command;

	tma_command_used_bits(command, used);
	for (size_t i = 0; i < sizeof(used); i++)
		bytes[i] &= used[i];
}

/* Flags of one of its forms. */
static uint16_t draw_flags(struct rng *rng, uint8_t opcode)
{
	static const uint16_t arrives[] = { 0,
		                            TMA_FLAG_DROP,
		                            TMA_FLAG_EXPECT_TX,
		                            TMA_FLAG_DROP | TMA_FLAG_EXPECT_TX,
		                            TMA_FLAG_NO_COMPLETE,
		                            TMA_FLAG_DROP | TMA_FLAG_NO_COMPLETE };
	static const uint16_t sources[] = { 0, TMA_FLAG_SRC_SIZE, TMA_FLAG_IGNORE_SRC };
	static const uint16_t waits[] = { 0, TMA_FLAG_PARITY, TMA_FLAG_LAST_STATE };
	static const uint16_t casts[] = { 0, TMA_FLAG_MULTICAST, TMA_FLAG_CTA_LOCAL };
	const uint16_t any = (uint16_t)rng_next(rng);
	uint16_t flags = any & TMA_FLAG_RECORD;

	switch (opcode) {
	case TMA_BULK_LOAD:
		return flags | casts[rng_below(rng, 3)] | (any & TMA_FLAG_CACHE_HINT);
	case TMA_TENSOR_LOAD:
		return flags | casts[rng_below(rng, 3)] |
		       (any & (TMA_FLAG_CACHE_HINT | TMA_FLAG_CTA_GROUP_2));
	case TMA_BULK_STORE:
		return flags | (any & (TMA_FLAG_CACHE_HINT | TMA_FLAG_CP_MASK));
	case TMA_MULTIMEM_BULK_STORE:
		return flags | (any & TMA_FLAG_CP_MASK);
	case TMA_BULK_PREFETCH:
	case TMA_BULK_REDUCE:
	case TMA_TENSOR_STORE:
	case TMA_TENSOR_REDUCE:
	case TMA_TENSOR_PREFETCH:
		return flags | (any & TMA_FLAG_CACHE_HINT);
	case TMA_CP_ASYNC:
		return flags | sources[rng_below(rng, 3)] | (any & (TMA_FLAG_CACHE_HINT | TMA_FLAG_CG));
	case TMA_CP_ASYNC_MBARRIER_ARRIVE:
		return flags | (any & TMA_FLAG_NOINC);
	case TMA_BULK_WAIT_GROUP:
		return flags | (any & TMA_FLAG_READ);
	case TMA_MBARRIER_ARRIVE:
		return flags | arrives[rng_below(rng, 6)];
	case TMA_MBARRIER_TEST_WAIT:
	case TMA_MBARRIER_TRY_WAIT:
		return flags | waits[rng_below(rng, 3)];
	case TMA_MBARRIER_PENDING_COUNT:
		return flags | (any & TMA_FLAG_LAST_STATE);
	default:
		return flags;
	}
}

static void draw_command(struct rng *rng, struct tma_command *command)
{
	draw_bytes(rng, command, sizeof(*command));
	command->opcode = opcodes[rng_below(rng, sizeof(opcodes))];
	command->version = TMA_COMMAND_VERSION;
	command->flags = draw_flags(rng, command->opcode);
	if (rng_percent(rng, 50))
		command->tag = 0;
	draw_mode(rng, command);
	if (command->opcode == TMA_CP_ASYNC)
		command->mode = (uint8_t)rng_below(rng, 4);
	draw_operation(rng, command);
	keep_used(command);
	if (command->flags & TMA_FLAG_EXPECT_TX)
		command->count = 1;
	/* Coordinates and offsets that the mode does not have are zero. */
	if (command->opcode >= TMA_TENSOR_LOAD && command->opcode <= TMA_TENSOR_PREFETCH) {
		const bool rows = command->mode == TMA_MODE_GATHER4 || command->mode == TMA_MODE_SCATTER4;
		const uint32_t offsets =
			command->mode == TMA_MODE_IM2COL ? command->dim - 2u
			: command->mode == TMA_MODE_IM2COL_W || command->mode == TMA_MODE_IM2COL_W_128 ? 2
												       : 0;

		for (uint32_t i = rows ? 5 : command->dim; i < 5; i++)
			command->coord[i] = 0;
		for (uint32_t i = offsets; i < 3; i++)
			command->im2col[i] = 0;
	}
}

TEST(test_random_commands)
{
	struct rng rng = rng_make(17, 0);
	char text[700];

	for (uint32_t i = 0; i < 100000; i++) {
		struct tma_command command;

		draw_command(&rng, &command);
		there_and_back(&command, text, sizeof(text));
		/* What is right, PTX can say. */
		if (strstr(text, "tma.command"))
			fail_msg("opcode %#x, flags %#x, mode %u, dim %u: %s", command.opcode, command.flags,
			         command.mode, command.dim, text);
	}
}

TEST(test_random_bytes)
{
	struct rng rng = rng_make(18, 0);
	uint32_t in_words = 0;
	char text[700];

	for (uint32_t i = 0; i < 20000; i++) {
		struct tma_command command;

		draw_command(&rng, &command);
		if (i % 2)
			draw_bytes(&rng, (uint8_t *)&command + rng_below(&rng, 57), 1 + rng_below(&rng, 8));
		else if (i % 4)
			draw_bytes(&rng, &command, sizeof(command));
		there_and_back(&command, text, sizeof(text));
		in_words += strstr(text, "tma.command") != NULL;
	}
	assert_in_range(in_words, 5000, 16000);
}
