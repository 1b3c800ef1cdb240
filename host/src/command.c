/* SPDX-License-Identifier: Apache-2.0 */
/* Fills commands, one function per PTX instruction. */
#include "command.h"

void tma_set_record(struct tma_command *command, uint32_t tag)
{
	command->flags |= TMA_FLAG_RECORD;
	command->tag = tag;
}

void tma_set_tag(struct tma_command *command, uint32_t tag)
{
	command->tag = tag;
}

void tma_set_cache_hint(struct tma_command *command, uint64_t policy)
{
	command->flags |= TMA_FLAG_CACHE_HINT;
	command->policy = policy;
}

void tma_set_cta_local(struct tma_command *command)
{
	command->flags |= TMA_FLAG_CTA_LOCAL;
}

void tma_cp_async_bulk_load(struct tma_command *command, uint32_t dst, uint64_t src, uint32_t size,
                            uint32_t mbar)
{
	start_barrier(command, TMA_BULK_LOAD, 0, mbar);
	command->shared_dst = dst;
	command->global_address = src;
	command->size = size;
}

void tma_cp_async_bulk_load_multicast(struct tma_command *command, uint32_t dst, uint64_t src, uint32_t size,
                                      uint32_t mbar, uint16_t cta_mask)
{
	tma_cp_async_bulk_load(command, dst, src, size, mbar);
	command->flags |= TMA_FLAG_MULTICAST;
	command->cta_mask = cta_mask;
}

void tma_cp_async_bulk_store(struct tma_command *command, uint64_t dst, uint32_t src, uint32_t size)
{
	start(command, TMA_BULK_STORE, 0);
	command->global_address = dst;
	command->shared_src = src;
	command->size = size;
}

void tma_cp_async_bulk_store_masked(struct tma_command *command, uint64_t dst, uint32_t src, uint32_t size,
                                    uint16_t byte_mask)
{
	tma_cp_async_bulk_store(command, dst, src, size);
	command->flags |= TMA_FLAG_CP_MASK;
	command->byte_mask = byte_mask;
}

void tma_cp_async_bulk_shared(struct tma_command *command, uint32_t dst, uint32_t src, uint32_t size,
                              uint32_t mbar)
{
	start_barrier(command, TMA_BULK_SHARED, 0, mbar);
	command->shared_dst = dst;
	command->shared_src = src;
	command->size = size;
}

/* An operator or a type that is none stays none. */
static void set_operation(struct tma_command *command, enum tma_reduce op, enum tma_type type)
{
	command->op = (uint8_t)((uint32_t)op < UINT8_MAX ? (uint32_t)op : UINT8_MAX);
	command->type = (uint8_t)((uint32_t)type < UINT8_MAX ? (uint32_t)type : UINT8_MAX);
}

void tma_cp_reduce_async_bulk(struct tma_command *command, enum tma_reduce op, enum tma_type type,
                              uint64_t dst, uint32_t src, uint32_t size)
{
	tma_cp_async_bulk_store(command, dst, src, size);
	command->opcode = TMA_BULK_REDUCE;
	set_operation(command, op, type);
}

void tma_cp_reduce_async_bulk_shared(struct tma_command *command, enum tma_reduce op, enum tma_type type,
                                     uint32_t dst, uint32_t src, uint32_t size, uint32_t mbar)
{
	tma_cp_async_bulk_shared(command, dst, src, size, mbar);
	command->opcode = TMA_BULK_REDUCE_SHARED;
	set_operation(command, op, type);
}

void tma_multimem_cp_reduce_async_bulk(struct tma_command *command, enum tma_reduce op, enum tma_type type,
                                       uint64_t dst, uint32_t src, uint32_t size)
{
	tma_cp_async_bulk_store(command, dst, src, size);
	command->opcode = TMA_MULTIMEM_BULK_REDUCE;
	set_operation(command, op, type);
}

void tma_cp_async_bulk_prefetch(struct tma_command *command, uint64_t src, uint32_t size)
{
	start(command, TMA_BULK_PREFETCH, 0);
	command->global_address = src;
	command->size = size;
}

void tma_cp_async_bulk_commit_group(struct tma_command *command)
{
	start(command, TMA_BULK_COMMIT_GROUP, 0);
}

void tma_cp_async_bulk_wait_group(struct tma_command *command, uint32_t n)
{
	start(command, TMA_BULK_WAIT_GROUP, 0);
	command->count = n;
}

void tma_cp_async_bulk_wait_group_read(struct tma_command *command, uint32_t n)
{
	start(command, TMA_BULK_WAIT_GROUP, TMA_FLAG_READ);
	command->count = n;
}

void tma_mbarrier_init(struct tma_command *command, uint32_t mbar, uint32_t count)
{
	start_barrier(command, TMA_MBARRIER_INIT, 0, mbar);
	command->count = count;
}

void tma_mbarrier_inval(struct tma_command *command, uint32_t mbar)
{
	start_barrier(command, TMA_MBARRIER_INVAL, 0, mbar);
}

void tma_mbarrier_expect_tx(struct tma_command *command, uint32_t mbar, uint32_t tx)
{
	start_barrier(command, TMA_MBARRIER_EXPECT_TX, 0, mbar);
	command->tx = tx;
}

void tma_mbarrier_complete_tx(struct tma_command *command, uint32_t mbar, uint32_t tx)
{
	start_barrier(command, TMA_MBARRIER_COMPLETE_TX, 0, mbar);
	command->tx = tx;
}

static void arrive(struct tma_command *command, uint32_t flags, uint32_t mbar, uint32_t count)
{
	start_barrier(command, TMA_MBARRIER_ARRIVE, flags, mbar);
	command->count = count;
}

void tma_mbarrier_arrive(struct tma_command *command, uint32_t mbar, uint32_t count)
{
	arrive(command, 0, mbar, count);
}

void tma_mbarrier_arrive_expect_tx(struct tma_command *command, uint32_t mbar, uint32_t tx)
{
	arrive(command, TMA_FLAG_EXPECT_TX, mbar, 1);
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
	arrive(command, TMA_FLAG_DROP | TMA_FLAG_EXPECT_TX, mbar, 1);
	command->tx = tx;
}

void tma_mbarrier_arrive_drop_no_complete(struct tma_command *command, uint32_t mbar, uint32_t count)
{
	arrive(command, TMA_FLAG_DROP | TMA_FLAG_NO_COMPLETE, mbar, count);
}

void tma_mbarrier_pending_count(struct tma_command *command, uint64_t state)
{
	start(command, TMA_MBARRIER_PENDING_COUNT, 0);
	command->global_address = state;
}

void tma_mbarrier_pending_count_last(struct tma_command *command)
{
	start(command, TMA_MBARRIER_PENDING_COUNT, TMA_FLAG_LAST_STATE);
}

void tma_mbarrier_test_wait(struct tma_command *command, uint32_t mbar, uint64_t state)
{
	start_barrier(command, TMA_MBARRIER_TEST_WAIT, 0, mbar);
	command->global_address = state;
}

void tma_mbarrier_test_wait_last(struct tma_command *command, uint32_t mbar)
{
	start_barrier(command, TMA_MBARRIER_TEST_WAIT, TMA_FLAG_LAST_STATE, mbar);
}

void tma_mbarrier_test_wait_parity(struct tma_command *command, uint32_t mbar, uint32_t parity)
{
	start_barrier(command, TMA_MBARRIER_TEST_WAIT, TMA_FLAG_PARITY, mbar);
	command->count = parity;
}

void tma_mbarrier_try_wait(struct tma_command *command, uint32_t mbar, uint64_t state, uint32_t limit)
{
	start_barrier(command, TMA_MBARRIER_TRY_WAIT, 0, mbar);
	command->global_address = state;
	command->tx = limit;
}

void tma_mbarrier_try_wait_last(struct tma_command *command, uint32_t mbar, uint32_t limit)
{
	start_barrier(command, TMA_MBARRIER_TRY_WAIT, TMA_FLAG_LAST_STATE, mbar);
	command->tx = limit;
}

void tma_mbarrier_try_wait_parity(struct tma_command *command, uint32_t mbar, uint32_t parity, uint32_t limit)
{
	start_barrier(command, TMA_MBARRIER_TRY_WAIT, TMA_FLAG_PARITY, mbar);
	command->count = parity;
	command->tx = limit;
}

void tma_signal(struct tma_command *command, uint32_t tag)
{
	start(command, TMA_SIGNAL, 0);
	command->tag = tag;
}

void tma_cancel_queue(struct tma_command *command, uint32_t queue)
{
	start(command, TMA_CANCEL, 0);
	command->count = queue;
}

void tma_multimem_cp_async_bulk(struct tma_command *command, uint64_t dst, uint32_t src, uint32_t size)
{
	tma_cp_async_bulk_store(command, dst, src, size);
	command->opcode = TMA_MULTIMEM_BULK_STORE;
}

void tma_multimem_cp_async_bulk_masked(struct tma_command *command, uint64_t dst, uint32_t src, uint32_t size,
                                       uint16_t byte_mask)
{
	tma_cp_async_bulk_store_masked(command, dst, src, size, byte_mask);
	command->opcode = TMA_MULTIMEM_BULK_STORE;
}

void tma_cp_async(struct tma_command *command, uint32_t dst, uint64_t src, uint32_t cp_size)
{
	start(command, TMA_CP_ASYNC, 0);
	command->shared_dst = dst;
	command->global_address = src;
	command->size = cp_size;
}

void tma_cp_async_src_size(struct tma_command *command, uint32_t dst, uint64_t src, uint32_t cp_size,
                           uint32_t src_size)
{
	tma_cp_async(command, dst, src, cp_size);
	command->flags |= TMA_FLAG_SRC_SIZE;
	command->count = src_size;
}

void tma_cp_async_ignore_src(struct tma_command *command, uint32_t dst, uint64_t src, uint32_t cp_size,
                             bool ignore_src)
{
	tma_cp_async(command, dst, src, cp_size);
	if (ignore_src)
		command->flags |= TMA_FLAG_IGNORE_SRC;
}

void tma_set_cg(struct tma_command *command)
{
	command->flags |= TMA_FLAG_CG;
}

void tma_set_l2_prefetch(struct tma_command *command, enum tma_l2_prefetch size)
{
	command->mode = (uint8_t)size;
}

void tma_cp_async_commit_group(struct tma_command *command)
{
	start(command, TMA_CP_ASYNC_COMMIT_GROUP, 0);
}

void tma_cp_async_wait_group(struct tma_command *command, uint32_t n)
{
	start(command, TMA_CP_ASYNC_WAIT_GROUP, 0);
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
