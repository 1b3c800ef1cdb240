/* SPDX-License-Identifier: Apache-2.0 */
/* Fills commands, one function per PTX instruction. */
#include "command.h"

void tma_set_record(struct tma_command *command, uint32_t tag)
{
	if (!command)
		return;
	command->flags |= TMA_FLAG_RECORD;
	command->tag = tag;
}

void tma_set_tag(struct tma_command *command, uint32_t tag)
{
	if (!command)
		return;
	command->tag = tag;
}

void tma_set_cache_hint(struct tma_command *command, uint64_t policy)
{
	if (!command)
		return;
	command->flags |= TMA_FLAG_CACHE_HINT;
	command->policy = policy;
}

void tma_set_cta_local(struct tma_command *command)
{
	set_flag(command, TMA_FLAG_CTA_LOCAL);
}

void tma_cp_async_bulk_load(struct tma_command *command, uint32_t dst, uint64_t src, uint32_t size,
                            uint32_t mbar)
{
	if (!start_barrier(command, TMA_BULK_LOAD, 0, mbar))
		return;
	command->shared_dst = dst;
	command->global_address = src;
	command->size = size;
}

void tma_cp_async_bulk_load_multicast(struct tma_command *command, uint32_t dst, uint64_t src, uint32_t size,
                                      uint32_t mbar, uint16_t cta_mask)
{
	if (!command)
		return;
	tma_cp_async_bulk_load(command, dst, src, size, mbar);
	command->flags |= TMA_FLAG_MULTICAST;
	command->cta_mask = cta_mask;
}

void tma_cp_async_bulk_store(struct tma_command *command, uint64_t dst, uint32_t src, uint32_t size)
{
	if (!start(command, TMA_BULK_STORE, 0))
		return;
	command->global_address = dst;
	command->shared_src = src;
	command->size = size;
}

void tma_cp_async_bulk_store_masked(struct tma_command *command, uint64_t dst, uint32_t src, uint32_t size,
                                    uint16_t byte_mask)
{
	if (!command)
		return;
	tma_cp_async_bulk_store(command, dst, src, size);
	command->flags |= TMA_FLAG_CP_MASK;
	command->byte_mask = byte_mask;
}

void tma_cp_async_bulk_shared(struct tma_command *command, uint32_t dst, uint32_t src, uint32_t size,
                              uint32_t mbar)
{
	if (!start_barrier(command, TMA_BULK_SHARED, 0, mbar))
		return;
	command->shared_dst = dst;
	command->shared_src = src;
	command->size = size;
}

/* An operator or a type that is none stays none. */
static void set_operation(struct tma_command *command, enum tma_reduce op, enum tma_type type)
{
	if (!command)
		return;
	command->op = byte_or_wrong((uint32_t)op);
	command->type = byte_or_wrong((uint32_t)type);
}

void tma_cp_reduce_async_bulk(struct tma_command *command, enum tma_reduce op, enum tma_type type,
                              uint64_t dst, uint32_t src, uint32_t size)
{
	if (!command)
		return;
	tma_cp_async_bulk_store(command, dst, src, size);
	command->opcode = TMA_BULK_REDUCE;
	set_operation(command, op, type);
}

void tma_cp_reduce_async_bulk_shared(struct tma_command *command, enum tma_reduce op, enum tma_type type,
                                     uint32_t dst, uint32_t src, uint32_t size, uint32_t mbar)
{
	if (!command)
		return;
	tma_cp_async_bulk_shared(command, dst, src, size, mbar);
	command->opcode = TMA_BULK_REDUCE_SHARED;
	set_operation(command, op, type);
}

void tma_multimem_cp_reduce_async_bulk(struct tma_command *command, enum tma_reduce op, enum tma_type type,
                                       uint64_t dst, uint32_t src, uint32_t size)
{
	if (!command)
		return;
	tma_cp_async_bulk_store(command, dst, src, size);
	command->opcode = TMA_MULTIMEM_BULK_REDUCE;
	set_operation(command, op, type);
}

void tma_cp_async_bulk_prefetch(struct tma_command *command, uint64_t src, uint32_t size)
{
	if (!start(command, TMA_BULK_PREFETCH, 0))
		return;
	command->global_address = src;
	command->size = size;
}

void tma_cp_async_bulk_commit_group(struct tma_command *command)
{
	start(command, TMA_BULK_COMMIT_GROUP, 0);
}

void tma_cp_async_bulk_wait_group(struct tma_command *command, uint32_t n)
{
	if (!start(command, TMA_BULK_WAIT_GROUP, 0))
		return;
	command->count = n;
}

void tma_cp_async_bulk_wait_group_read(struct tma_command *command, uint32_t n)
{
	if (!start(command, TMA_BULK_WAIT_GROUP, TMA_FLAG_READ))
		return;
	command->count = n;
}

void tma_mbarrier_init(struct tma_command *command, uint32_t mbar, uint32_t count)
{
	if (!start_barrier(command, TMA_MBARRIER_INIT, 0, mbar))
		return;
	command->count = count;
}

void tma_mbarrier_inval(struct tma_command *command, uint32_t mbar)
{
	start_barrier(command, TMA_MBARRIER_INVAL, 0, mbar);
}

void tma_mbarrier_expect_tx(struct tma_command *command, uint32_t mbar, uint32_t tx)
{
	if (!start_barrier(command, TMA_MBARRIER_EXPECT_TX, 0, mbar))
		return;
	command->tx = tx;
}

void tma_mbarrier_complete_tx(struct tma_command *command, uint32_t mbar, uint32_t tx)
{
	if (!start_barrier(command, TMA_MBARRIER_COMPLETE_TX, 0, mbar))
		return;
	command->tx = tx;
}

static bool arrive(struct tma_command *command, uint32_t flags, uint32_t mbar, uint32_t count)
{
	if (!start_barrier(command, TMA_MBARRIER_ARRIVE, flags, mbar))
		return false;
	command->count = count;
	return true;
}

void tma_mbarrier_arrive(struct tma_command *command, uint32_t mbar, uint32_t count)
{
	arrive(command, 0, mbar, count);
}

void tma_mbarrier_arrive_expect_tx(struct tma_command *command, uint32_t mbar, uint32_t tx)
{
	if (!arrive(command, TMA_FLAG_EXPECT_TX, mbar, 1))
		return;
	command->tx = tx;
}

void tma_mbarrier_arrive_no_complete(struct tma_command *command, uint32_t mbar, uint32_t count)
{
	arrive(command, TMA_FLAG_NO_COMPLETE, mbar, count);
}

void tma_mbarrier_arrive_drop(struct tma_command *command, uint32_t mbar, uint32_t count)
{
	arrive(command, TMA_FLAG_DROP, mbar, count);
}

void tma_mbarrier_arrive_drop_expect_tx(struct tma_command *command, uint32_t mbar, uint32_t tx)
{
	if (!arrive(command, TMA_FLAG_DROP | TMA_FLAG_EXPECT_TX, mbar, 1))
		return;
	command->tx = tx;
}

void tma_mbarrier_arrive_drop_no_complete(struct tma_command *command, uint32_t mbar, uint32_t count)
{
	arrive(command, TMA_FLAG_DROP | TMA_FLAG_NO_COMPLETE, mbar, count);
}

void tma_mbarrier_pending_count(struct tma_command *command, uint64_t state)
{
	if (!start(command, TMA_MBARRIER_PENDING_COUNT, 0))
		return;
	command->global_address = state;
}

void tma_mbarrier_pending_count_last(struct tma_command *command)
{
	start(command, TMA_MBARRIER_PENDING_COUNT, TMA_FLAG_LAST_STATE);
}

void tma_mbarrier_test_wait(struct tma_command *command, uint32_t mbar, uint64_t state)
{
	if (!start_barrier(command, TMA_MBARRIER_TEST_WAIT, 0, mbar))
		return;
	command->global_address = state;
}

void tma_mbarrier_test_wait_last(struct tma_command *command, uint32_t mbar)
{
	start_barrier(command, TMA_MBARRIER_TEST_WAIT, TMA_FLAG_LAST_STATE, mbar);
}

void tma_mbarrier_test_wait_parity(struct tma_command *command, uint32_t mbar, uint32_t parity)
{
	if (!start_barrier(command, TMA_MBARRIER_TEST_WAIT, TMA_FLAG_PARITY, mbar))
		return;
	command->count = parity;
}

void tma_mbarrier_try_wait(struct tma_command *command, uint32_t mbar, uint64_t state, uint32_t limit)
{
	if (!start_barrier(command, TMA_MBARRIER_TRY_WAIT, 0, mbar))
		return;
	command->global_address = state;
	command->tx = limit;
}

void tma_mbarrier_try_wait_last(struct tma_command *command, uint32_t mbar, uint32_t limit)
{
	if (!start_barrier(command, TMA_MBARRIER_TRY_WAIT, TMA_FLAG_LAST_STATE, mbar))
		return;
	command->tx = limit;
}

void tma_mbarrier_try_wait_parity(struct tma_command *command, uint32_t mbar, uint32_t parity, uint32_t limit)
{
	if (!start_barrier(command, TMA_MBARRIER_TRY_WAIT, TMA_FLAG_PARITY, mbar))
		return;
	command->count = parity;
	command->tx = limit;
}

void tma_signal(struct tma_command *command, uint32_t tag)
{
	if (!start(command, TMA_SIGNAL, 0))
		return;
	command->tag = tag;
}

void tma_cancel_queue(struct tma_command *command, uint32_t queue)
{
	if (!start(command, TMA_CANCEL, 0))
		return;
	command->count = queue;
}

void tma_multimem_cp_async_bulk(struct tma_command *command, uint64_t dst, uint32_t src, uint32_t size)
{
	if (!command)
		return;
	tma_cp_async_bulk_store(command, dst, src, size);
	command->opcode = TMA_MULTIMEM_BULK_STORE;
}

void tma_multimem_cp_async_bulk_masked(struct tma_command *command, uint64_t dst, uint32_t src, uint32_t size,
                                       uint16_t byte_mask)
{
	if (!command)
		return;
	tma_cp_async_bulk_store_masked(command, dst, src, size, byte_mask);
	command->opcode = TMA_MULTIMEM_BULK_STORE;
}

void tma_cp_async(struct tma_command *command, uint32_t dst, uint64_t src, uint32_t cp_size)
{
	if (!start(command, TMA_CP_ASYNC, 0))
		return;
	command->shared_dst = dst;
	command->global_address = src;
	command->size = cp_size;
}

void tma_cp_async_src_size(struct tma_command *command, uint32_t dst, uint64_t src, uint32_t cp_size,
                           uint32_t src_size)
{
	if (!command)
		return;
	tma_cp_async(command, dst, src, cp_size);
	command->flags |= TMA_FLAG_SRC_SIZE;
	command->count = src_size;
}

void tma_cp_async_ignore_src(struct tma_command *command, uint32_t dst, uint64_t src, uint32_t cp_size,
                             bool ignore_src)
{
	if (!command)
		return;
	tma_cp_async(command, dst, src, cp_size);
	if (ignore_src)
		command->flags |= TMA_FLAG_IGNORE_SRC;
}

void tma_set_cg(struct tma_command *command)
{
	set_flag(command, TMA_FLAG_CG);
}

void tma_set_l2_prefetch(struct tma_command *command, enum tma_l2_prefetch size)
{
	if (!command)
		return;
	/* A tensor copy has its mode there, which must not become another one. */
	command->mode = command->opcode == TMA_CP_ASYNC ? byte_or_wrong((uint32_t)size) : UINT8_MAX;
}

void tma_cp_async_commit_group(struct tma_command *command)
{
	start(command, TMA_CP_ASYNC_COMMIT_GROUP, 0);
}

void tma_cp_async_wait_group(struct tma_command *command, uint32_t n)
{
	if (!start(command, TMA_CP_ASYNC_WAIT_GROUP, 0))
		return;
	command->count = n;
}

void tma_cp_async_wait_all(struct tma_command *command)
{
	start(command, TMA_CP_ASYNC_WAIT_ALL, 0);
}

void tma_cp_async_mbarrier_arrive(struct tma_command *command, uint32_t mbar)
{
	start_barrier(command, TMA_CP_ASYNC_MBARRIER_ARRIVE, 0, mbar);
}

void tma_cp_async_mbarrier_arrive_noinc(struct tma_command *command, uint32_t mbar)
{
	start_barrier(command, TMA_CP_ASYNC_MBARRIER_ARRIVE, TMA_FLAG_NOINC, mbar);
}
