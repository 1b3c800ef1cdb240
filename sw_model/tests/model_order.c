/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_order - of several broken rules the lowest code is the fault.
 *
 * Spec: rtl/spec/tma.toml: "code order is check order, the lowest code wins"
 * Checks: a command that breaks every rule it can is mended one rule at a time; each step shows the
 *         next code of the table.
 */
#include "model_cases.h"

/* One row mends what the rows before it showed, then expects `fault`. */
struct rung {
	struct edit edits[MAX_EDITS];
	uint16_t fault;
};

/* clang-format off */
static const struct rung load_ladder[] = {
	{ { { 0 } }, TMA_FAULT_UNKNOWN_VERSION },
	{ { SET(version, 1) }, TMA_FAULT_UNKNOWN_OPCODE },
	{ { SET(opcode, TMA_BULK_LOAD), SET(mode, 0), { 3, 3, 0 } }, TMA_FAULT_RESERVED_BITS },
	{ { SET(flags, TMA_FLAG_MULTICAST | TMA_FLAG_CTA_LOCAL), SET(shared_src, 0), { 24, 8, 0 },
	    { 32, 4, 0 } }, TMA_FAULT_RESERVED_BITS },
	{ { { 44, 6, 0 }, SET(policy, 0) }, TMA_FAULT_FLAG_CONFLICT },
	{ { SET(flags, TMA_FLAG_CTA_LOCAL), SET(cta_mask, 0) }, TMA_FAULT_SIZE_GRANULE },
	{ { SET(size, 0xfffffff0) }, TMA_FAULT_SIZE_RANGE },
	{ { SET(size, 0x10000) }, TMA_FAULT_GLOBAL_MISALIGNED },
	{ { SET(global_address, GLOBAL_END) }, TMA_FAULT_DST_MISALIGNED },
	{ { SET(shared_dst, 0xfffffff0) }, TMA_FAULT_BARRIER_MISALIGNED },
	{ { SET(barrier, 0xfffffff8) }, TMA_FAULT_DST_CTA },
	{ { SET(shared_dst, AT(2, 0xfffff0)) }, TMA_FAULT_DST_NOT_LOCAL },
	{ { SET(flags, TMA_FLAG_MULTICAST), SET(cta_mask, 0xffff) }, TMA_FAULT_MASK_CTA },
	{ { SET(cta_mask, 0xf) }, TMA_FAULT_BARRIER_CTA },
	{ { SET(barrier, AT(3, 0xfffff8)) }, TMA_FAULT_CTA_DENIED },
	{ { SET(cta_mask, 0x3) }, TMA_FAULT_DST_RANGE },
	{ { SET(shared_dst, AT(2, DST)), SET(size, 64) }, TMA_FAULT_BARRIER_RANGE },
	{ { SET(barrier, AT(3, BAR_DEAD)) }, TMA_FAULT_BARRIER_DEAD },
	{ { SET(barrier, AT(3, BAR_LAST)) }, TMA_FAULT_WINDOW_READ },
	{ { SET(global_address, GLOBAL_END - PAGE) }, TMA_FAULT_READ_SLVERR },
	{ { SET(global_address, GLOBAL) }, TMA_FAULT_SIGNAL_TX_COUNT_RANGE },
	{ { SET(barrier, AT(3, BAR)) }, TMA_FAULT_NONE },
};

static const struct rung shared_ladder[] = {
	{ { SET(version, 1), SET(opcode, TMA_BULK_SHARED), { 2, 14, 0 }, { 44, 20, 0 } }, TMA_FAULT_RESERVED_BITS },
	{ { { 24, 8, 0 }, { 32, 4, 0 } }, TMA_FAULT_SIZE_GRANULE },
	{ { SET(size, 0x100000) }, TMA_FAULT_SIZE_RANGE },
	{ { SET(size, 0x10000) }, TMA_FAULT_SRC_MISALIGNED },
	{ { SET(shared_src, 0xfffffff0) }, TMA_FAULT_DST_MISALIGNED },
	{ { SET(shared_dst, 0xfffffff0) }, TMA_FAULT_BARRIER_MISALIGNED },
	{ { SET(barrier, 0xfffffff8) }, TMA_FAULT_SRC_CTA },
	{ { SET(shared_src, AT(0, 0xfffff0)) }, TMA_FAULT_DST_CTA },
	{ { SET(shared_dst, AT(0, 0xfffff0)) }, TMA_FAULT_DST_LOCAL },
	{ { SET(shared_dst, AT(2, 0xfffff0)) }, TMA_FAULT_BARRIER_CTA },
	{ { SET(barrier, AT(2, 0xfffff8)) }, TMA_FAULT_CTA_DENIED },
	{ { SET(shared_dst, AT(1, 0xfffff0)), SET(barrier, AT(1, 0xfffff8)) }, TMA_FAULT_SRC_RANGE },
	{ { SET(shared_src, AT(0, 0)) }, TMA_FAULT_SRC_RANGE },
	{ { SET(size, 64) }, TMA_FAULT_DST_RANGE },
	{ { SET(shared_dst, AT(1, DST)) }, TMA_FAULT_BARRIER_RANGE },
	{ { SET(barrier, AT(1, BAR_DEAD)) }, TMA_FAULT_BARRIER_DEAD },
	{ { SET(barrier, AT(1, BAR_LAST)) }, TMA_FAULT_SIGNAL_TX_COUNT_RANGE },
	{ { SET(barrier, AT(1, BAR)) }, TMA_FAULT_NONE },
};

static const struct rung store_ladder[] = {
	{ { SET(version, 1), SET(opcode, TMA_BULK_STORE), { 2, 6, 0 }, { 24, 40, 0 } }, TMA_FAULT_SIZE_GRANULE },
	{ { SET(size, 0x100000) }, TMA_FAULT_SIZE_RANGE },
	{ { SET(size, 0x10000) }, TMA_FAULT_GLOBAL_MISALIGNED },
	{ { SET(global_address, GLOBAL_END) }, TMA_FAULT_SRC_MISALIGNED },
	{ { SET(shared_src, 0xfffffff0) }, TMA_FAULT_SRC_CTA },
	{ { SET(shared_src, AT(0, 0xfffff0)) }, TMA_FAULT_SRC_RANGE },
	{ { SET(shared_src, AT(0, SRC)), SET(size, 64) }, TMA_FAULT_WINDOW_WRITE },
	{ { SET(global_address, GLOBAL_END - PAGE) }, TMA_FAULT_WRITE_DECERR },
	{ { SET(global_address, GLOBAL) }, TMA_FAULT_NONE },
};

static const struct rung arrive_ladder[] = {
	{ { SET(version, 1), SET(opcode, TMA_MBARRIER_ARRIVE), { 2, 4, 0 }, { 44, 20, 0 } },
	  TMA_FAULT_RESERVED_BITS },
	{ { SET(flags, TMA_FLAG_EXPECT_TX | TMA_FLAG_NO_COMPLETE), { 8, 8, 0 }, { 16, 8, 0 }, { 24, 4, 0 } },
	  TMA_FAULT_RESERVED_BITS },
	{ { SET(shared_dst, 0) }, TMA_FAULT_FLAG_CONFLICT },
	{ { SET(flags, TMA_FLAG_EXPECT_TX | TMA_FLAG_DROP) }, TMA_FAULT_COUNT_RANGE },
	{ { SET(count, 1) }, TMA_FAULT_TX_RANGE },
	{ { SET(tx, 0xfffff) }, TMA_FAULT_BARRIER_MISALIGNED },
	{ { SET(barrier, 0xfffffff8) }, TMA_FAULT_BARRIER_CTA },
	{ { SET(barrier, AT(2, 0xfffff8)) }, TMA_FAULT_CTA_DENIED },
	{ { SET(barrier, AT(1, 0xfffff8)) }, TMA_FAULT_BARRIER_RANGE },
	{ { SET(barrier, AT(1, BAR_DEAD)) }, TMA_FAULT_BARRIER_DEAD },
	/* pending 0, expected 0, tx 1 */
	{ { SET(barrier, AT(1, 0x88)) }, TMA_FAULT_PENDING_UNDERFLOW },
	/* pending 2, expected 0, tx 1: tx + t leaves the range, then drop leaves the expected count */
	{ { SET(barrier, AT(1, 0x90)) }, TMA_FAULT_TX_COUNT_RANGE },
	{ { SET(tx, 16) }, TMA_FAULT_EXPECTED_UNDERFLOW },
	/* pending 1, expected 0, tx 0: noComplete comes before the expected count */
	{ { SET(barrier, AT(1, 0x98)), SET(flags, TMA_FLAG_NO_COMPLETE | TMA_FLAG_DROP), SET(tx, 0) },
	  TMA_FAULT_NO_COMPLETE_COMPLETES },
	{ { SET(flags, TMA_FLAG_DROP) }, TMA_FAULT_EXPECTED_UNDERFLOW },
	{ { SET(flags, 0) }, TMA_FAULT_NONE },
};

static const struct rung wait_ladder[] = {
	{ { SET(version, 1), SET(opcode, TMA_MBARRIER_TEST_WAIT), { 2, 4, 0 }, { 44, 20, 0 } },
	  TMA_FAULT_RESERVED_BITS },
	{ { SET(flags, TMA_FLAG_PARITY | TMA_FLAG_LAST_STATE), { 8, 8, 0 }, { 16, 12, 0 }, { 32, 8, 0 } },
	  TMA_FAULT_FLAG_CONFLICT },
	{ { SET(flags, TMA_FLAG_PARITY) }, TMA_FAULT_PARITY_RANGE },
	{ { SET(count, 1) }, TMA_FAULT_BARRIER_MISALIGNED },
	{ { SET(barrier, 0xfffffff8) }, TMA_FAULT_BARRIER_CTA },
	{ { SET(barrier, AT(2, 0xfffff8)) }, TMA_FAULT_BARRIER_NOT_LOCAL },
	{ { SET(barrier, AT(0, 0xfffff8)) }, TMA_FAULT_BARRIER_RANGE },
	{ { SET(flags, TMA_FLAG_LAST_STATE), SET(count, 0), SET(barrier, AT(0, BAR_DEAD)) }, TMA_FAULT_NO_STATE },
	{ { SET(flags, TMA_FLAG_PARITY) }, TMA_FAULT_BARRIER_DEAD },
	{ { SET(barrier, AT(0, BAR)) }, TMA_FAULT_NONE },
};

static const struct rung cp_ladder[] = {
	{ { SET(version, 1), SET(opcode, TMA_CP_ASYNC), { 3, 3, 0 }, { 44, 12, 0 } }, TMA_FAULT_RESERVED_BITS },
	{ { SET(flags, TMA_FLAG_SRC_SIZE | TMA_FLAG_IGNORE_SRC | TMA_FLAG_CG), SET(shared_src, 0), { 24, 4, 0 },
	    { 32, 4, 0 } }, TMA_FAULT_RESERVED_BITS },
	{ { SET(barrier, 0), { 44, 20, 0 } }, TMA_FAULT_FLAG_CONFLICT },
	{ { SET(flags, TMA_FLAG_SRC_SIZE | TMA_FLAG_CG) }, TMA_FAULT_CP_SIZE },
	{ { SET(size, 16) }, TMA_FAULT_SRC_SIZE_RANGE },
	{ { SET(count, 16) }, TMA_FAULT_PREFETCH_SIZE_RANGE },
	{ { SET(mode, 3) }, TMA_FAULT_GLOBAL_MISALIGNED },
	{ { SET(global_address, GLOBAL_END) }, TMA_FAULT_DST_MISALIGNED },
	{ { SET(shared_dst, 0xfffffff0) }, TMA_FAULT_DST_CTA },
	{ { SET(shared_dst, AT(2, 0xfffff0)) }, TMA_FAULT_DST_NOT_LOCAL },
	{ { SET(shared_dst, AT(0, 0xfffff0)) }, TMA_FAULT_DST_RANGE },
	{ { SET(shared_dst, AT(0, DST)) }, TMA_FAULT_WINDOW_READ },
	{ { SET(global_address, GLOBAL_END - PAGE) }, TMA_FAULT_READ_SLVERR },
	{ { SET(global_address, GLOBAL) }, TMA_FAULT_NONE },
};

static const struct rung cp_arrive_ladder[] = {
	{ { SET(version, 1), SET(opcode, TMA_CP_ASYNC_MBARRIER_ARRIVE), { 2, 4, 0 }, { 44, 20, 0 } },
	  TMA_FAULT_RESERVED_BITS },
	{ { SET(flags, 0), { 8, 32, 0 } }, TMA_FAULT_BARRIER_MISALIGNED },
	{ { SET(barrier, 0xfffffff8) }, TMA_FAULT_BARRIER_CTA },
	{ { SET(barrier, AT(2, 0xfffff8)) }, TMA_FAULT_BARRIER_NOT_LOCAL },
	{ { SET(barrier, AT(0, 0xfffff8)) }, TMA_FAULT_BARRIER_RANGE },
	{ { SET(barrier, AT(0, BAR_DEAD)) }, TMA_FAULT_BARRIER_DEAD },
	{ { SET(barrier, AT(0, 0xa0)) }, TMA_FAULT_PENDING_OVERFLOW },
	{ { SET(barrier, AT(0, 0x88)), SET(flags, TMA_FLAG_NOINC) }, TMA_FAULT_SIGNAL_PENDING_UNDERFLOW },
	{ { SET(flags, 0) }, TMA_FAULT_NONE },
};

static const struct rung tensor_load_ladder[] = {
	{ { SET(version, 1), SET(opcode, TMA_TENSOR_LOAD), { 4, 2, 0 } }, TMA_FAULT_RESERVED_BITS },
	{ { SET(flags, TMA_FLAG_MULTICAST | TMA_FLAG_CTA_LOCAL | TMA_FLAG_CTA_GROUP_2), SET(policy, 0) },
	  TMA_FAULT_FLAG_CONFLICT },
	{ { SET(flags, TMA_FLAG_CTA_LOCAL | TMA_FLAG_CTA_GROUP_2), SET(cta_mask, 0) },
	  TMA_FAULT_DST_MISALIGNED },
	{ { SET(shared_dst, 0xffffff80) }, TMA_FAULT_BARRIER_MISALIGNED },
	{ { SET(barrier, 0xfffffff8) }, TMA_FAULT_MAP_MISALIGNED },
	{ { SET(global_address, GLOBAL_END) }, TMA_FAULT_TENSOR_MODE },
	{ { SET(mode, TMA_MODE_IM2COL) }, TMA_FAULT_TENSOR_DIM },
	{ { SET(dim, 3) }, TMA_FAULT_TENSOR_UNUSED },
	{ { { 28, 8, 0 } }, TMA_FAULT_TENSOR_UNUSED },
	{ { { 46, 4, 0 } }, TMA_FAULT_DST_CTA },
	{ { SET(shared_dst, AT(2, 0xffff80)) }, TMA_FAULT_DST_NOT_LOCAL },
	{ { SET(flags, TMA_FLAG_MULTICAST | TMA_FLAG_CTA_GROUP_2), SET(cta_mask, 0xffff) }, TMA_FAULT_MASK_CTA },
	{ { SET(cta_mask, 0xf) }, TMA_FAULT_BARRIER_CTA },
	{ { SET(barrier, AT(3, 0xfffff8)) }, TMA_FAULT_CTA_DENIED },
	{ { SET(cta_mask, 0x3) }, TMA_FAULT_BARRIER_RANGE },
	{ { SET(barrier, AT(3, BAR_DEAD)) }, TMA_FAULT_BARRIER_DEAD },
	{ { SET(barrier, AT(3, BAR_LAST)) }, TMA_FAULT_MAP_WINDOW },
	{ { SET(global_address, GLOBAL_END - PAGE) }, TMA_FAULT_MAP_SLVERR },
	{ { SET(global_address, GLOBAL) }, TMA_FAULT_MAP_RESERVED },
};

static const struct rung tensor_store_ladder[] = {
	{ { SET(version, 1), SET(opcode, TMA_TENSOR_STORE), { 4, 4, 0 } }, TMA_FAULT_RESERVED_BITS },
	{ { SET(barrier, 0), { 44, 20, 0 } }, TMA_FAULT_SRC_MISALIGNED },
	{ { SET(shared_dst, 0xffffff80) }, TMA_FAULT_MAP_MISALIGNED },
	{ { SET(global_address, GLOBAL_END) }, TMA_FAULT_TENSOR_MODE },
	{ { SET(mode, TMA_MODE_TILE) }, TMA_FAULT_TENSOR_DIM },
	{ { SET(dim, 4) }, TMA_FAULT_TENSOR_UNUSED },
	{ { SET(dim, 5) }, TMA_FAULT_SRC_CTA },
	{ { SET(shared_dst, AT(0, SMEM_BYTES)) }, TMA_FAULT_MAP_WINDOW },
	{ { SET(global_address, GLOBAL_END - PAGE) }, TMA_FAULT_MAP_SLVERR },
	{ { SET(global_address, GLOBAL) }, TMA_FAULT_MAP_RESERVED },
};

static const struct rung multimem_ladder[] = {
	{ { SET(version, 1), SET(opcode, TMA_MULTIMEM_BULK_STORE), { 2, 6, 0 }, { 24, 40, 0 } },
	  TMA_FAULT_SIZE_GRANULE },
	{ { SET(size, 0x100000) }, TMA_FAULT_SIZE_RANGE },
	{ { SET(size, 0x10000) }, TMA_FAULT_GLOBAL_MISALIGNED },
	{ { SET(global_address, GLOBAL_END) }, TMA_FAULT_SRC_MISALIGNED },
	{ { SET(shared_src, 0xfffffff0) }, TMA_FAULT_SRC_CTA },
	{ { SET(shared_src, AT(0, 0xfffff0)) }, TMA_FAULT_SRC_RANGE },
	{ { SET(shared_src, AT(0, SRC)), SET(size, 64) }, TMA_FAULT_WINDOW_MULTIMEM },
	{ { SET(global_address, GLOBAL + 14 * PAGE) }, TMA_FAULT_MULTIMEM_UNMAPPED },
	{ { SET(global_address, GLOBAL_END - PAGE) }, TMA_FAULT_WRITE_DECERR },
};

static const struct rung cancel_ladder[] = {
	{ { SET(opcode, TMA_CANCEL) }, TMA_FAULT_UNKNOWN_VERSION },
	{ { SET(version, 1) }, TMA_FAULT_RESERVED_BITS },
	{ { { 2, 26, 0 }, { 32, 32, 0 } }, TMA_FAULT_CANCEL_DENIED },
	{ { SET(count, 0) }, TMA_FAULT_NONE },
};
/* clang-format on */

struct ladder {
	const char *name;
	const struct rung *rungs;
	size_t count;
};

static const struct ladder ladders[] = {
	{ "load", load_ladder, ARRAY_SIZE(load_ladder) },
	{ "CTA to CTA", shared_ladder, ARRAY_SIZE(shared_ladder) },
	{ "store", store_ladder, ARRAY_SIZE(store_ladder) },
	{ "arrive", arrive_ladder, ARRAY_SIZE(arrive_ladder) },
	{ "test_wait", wait_ladder, ARRAY_SIZE(wait_ladder) },
	{ "cp.async", cp_ladder, ARRAY_SIZE(cp_ladder) },
	{ "arrive of cp.async", cp_arrive_ladder, ARRAY_SIZE(cp_arrive_ladder) },
	{ "multimem store", multimem_ladder, ARRAY_SIZE(multimem_ladder) },
	{ "tensor load", tensor_load_ladder, ARRAY_SIZE(tensor_load_ladder) },
	{ "tensor store", tensor_store_ladder, ARRAY_SIZE(tensor_store_ladder) },
	{ "cancel", cancel_ladder, ARRAY_SIZE(cancel_ladder) },
};

static struct tma_command current;

static struct tma_command base_current(void)
{
	return current;
}

/* Multimem copies may go to the last two pages, of which the last one lies on a port. */
static struct fixture *broken_world(void)
{
	static const struct tma_window window = { GLOBAL + 14 * PAGE, GLOBAL_END - 1, TMA_WINDOW_MULTIMEM };
	static const struct tma_multimem multimem = {
		GLOBAL_END - PAGE, GLOBAL_END - 1, 1, { GLOBAL_END - PAGE }
	};
	struct fixture *f = fixture_new();
	struct tma_queue_config on = f->queues[2];

	for (uint32_t rank = 0; rank < CTAS; rank++) {
		put_barrier(f, rank, BAR_DEAD, 0);
		put_barrier(f, rank, BAR_LAST, barrier_word(1, 1, -(int32_t)COUNT_MAX, 0));
		put_barrier(f, rank, 0x88, barrier_word(0, 0, 1, 0));
		put_barrier(f, rank, 0x90, barrier_word(0, 2, 1, 0));
		put_barrier(f, rank, 0x98, barrier_word(0, 1, 0, 0));
		put_barrier(f, rank, 0xa0, barrier_word(1, COUNT_MAX, 0, 0));
	}
	assert_int_equal(tma_model_map_error(f->m, 0, GLOBAL_END - PAGE, PAGE, 2, 3), 0);
	on.cancel_mask = 0x1;
	requeue(f, 2, &(struct tma_queue_config){ 0 }, NULL);
	assert_int_equal(tma_model_window(f->m, 2, 1, &window), 0);
	assert_int_equal(tma_model_multimem(f->m, 0, &multimem), 0);
	requeue(f, 2, &on, NULL);
	return f;
}

/* Queue 2 runs for CTA 0 and may touch CTAs 0 and 1. */
static void climb(void **state)
{
	const struct ladder *l = *state;

	memset(&current, 0xff, sizeof(current));
	for (size_t i = 0; i < l->count; i++) {
		struct fixture *f = broken_world();

		current = build(base_current, l->rungs[i].edits);
		issue(f, 2, current);
		if (status_of(f, 2).fault != l->rungs[i].fault)
			fail_msg("rung %zu: fault 0x%04x, expected 0x%04x", i, status_of(f, 2).fault,
			         l->rungs[i].fault);
		fixture_free(f);
	}
}

TABLE_SUITE(test_model_order, ladders, climb)
