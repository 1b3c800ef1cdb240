/* SPDX-License-Identifier: Apache-2.0 */
/* Every instruction that the model has: its operands, its barrier rules and its action. */
#include "model.h"

static struct outcome signal_command(const struct issue *issue)
{
	(void)issue;
	return (struct outcome){ .kind = TMA_KIND_SIGNAL };
}

static const struct operation operations[] = {
	{ TMA_BULK_LOAD, OPERAND_SIZE | OPERAND_GLOBAL | OPERAND_DST | OPERAND_BARRIER, model_signal_check,
	  model_bulk_load },
	{ TMA_BULK_STORE, OPERAND_SIZE | OPERAND_GLOBAL | OPERAND_SRC, NULL, model_bulk_store },
	{ TMA_MULTIMEM_BULK_STORE, OPERAND_SIZE | OPERAND_GLOBAL | OPERAND_SRC, NULL, model_bulk_store },
	{ TMA_BULK_SHARED, OPERAND_SIZE | OPERAND_SRC | OPERAND_DST | OPERAND_DST_REMOTE | OPERAND_BARRIER,
	  model_signal_check, model_bulk_shared },
	{ TMA_BULK_REDUCE, OPERAND_REDUCE | OPERAND_SIZE | OPERAND_GLOBAL | OPERAND_SRC, NULL,
	  model_bulk_reduce },
	{ TMA_BULK_REDUCE_SHARED, OPERAND_REDUCE | OPERAND_SIZE | OPERAND_SRC | OPERAND_DST | OPERAND_BARRIER,
	  model_signal_check, model_bulk_reduce_shared },
	{ TMA_MULTIMEM_BULK_REDUCE, OPERAND_REDUCE | OPERAND_SIZE | OPERAND_GLOBAL | OPERAND_SRC, NULL,
	  model_bulk_reduce },
	{ TMA_BULK_PREFETCH, OPERAND_SIZE | OPERAND_GLOBAL, NULL, model_bulk_prefetch },
	{ TMA_TENSOR_LOAD, OPERAND_MAP | OPERAND_TENSOR | OPERAND_DST | OPERAND_BARRIER, model_signal_check,
	  model_tensor_load },
	{ TMA_TENSOR_STORE, OPERAND_MAP | OPERAND_TENSOR | OPERAND_SRC, NULL, model_tensor_store },
	{ TMA_TENSOR_REDUCE, OPERAND_REDUCE | OPERAND_MAP | OPERAND_TENSOR | OPERAND_SRC, NULL,
	  model_tensor_reduce },
	{ TMA_TENSOR_PREFETCH, OPERAND_MAP | OPERAND_TENSOR, NULL, model_tensor_prefetch },
	{ TMA_PREFETCH_TENSORMAP, OPERAND_MAP, NULL, model_prefetch_tensormap },
	{ TMA_MAP_FENCE, OPERAND_MAP, NULL, model_map_fence },
	{ TMA_CP_ASYNC, OPERAND_CP | OPERAND_GLOBAL | OPERAND_DST, NULL, model_cp_async },
	{ TMA_CP_ASYNC_COMMIT_GROUP, 0, NULL, model_cp_commit_group },
	{ TMA_CP_ASYNC_WAIT_GROUP, 0, NULL, model_wait_group },
	{ TMA_CP_ASYNC_WAIT_ALL, 0, NULL, model_cp_wait_all },
	{ TMA_CP_ASYNC_MBARRIER_ARRIVE, OPERAND_BARRIER | OPERAND_BARRIER_LOCAL, model_cp_arrive_check,
	  model_cp_arrive },
	{ TMA_BULK_COMMIT_GROUP, 0, NULL, model_commit_group },
	{ TMA_BULK_WAIT_GROUP, 0, NULL, model_wait_group },
	{ TMA_MBARRIER_INIT, OPERAND_BARRIER | OPERAND_BARRIER_LOCAL | OPERAND_COUNT, NULL, model_sync_init },
	{ TMA_MBARRIER_INVAL, OPERAND_BARRIER | OPERAND_BARRIER_LOCAL, model_sync_alive_check,
	  model_sync_inval },
	{ TMA_MBARRIER_EXPECT_TX, OPERAND_BARRIER | OPERAND_TX, model_sync_update_check, model_sync_update },
	{ TMA_MBARRIER_COMPLETE_TX, OPERAND_BARRIER | OPERAND_TX, model_sync_update_check,
	  model_sync_update },
	{ TMA_MBARRIER_ARRIVE, OPERAND_BARRIER | OPERAND_COUNT | OPERAND_TX, model_sync_update_check,
	  model_sync_update },
	{ TMA_MBARRIER_PENDING_COUNT, OPERAND_STATE, model_wait_check, model_pending_count },
	{ TMA_MBARRIER_TEST_WAIT, OPERAND_BARRIER | OPERAND_BARRIER_LOCAL | OPERAND_STATE, model_wait_check,
	  model_test_wait },
	{ TMA_MBARRIER_TRY_WAIT, OPERAND_BARRIER | OPERAND_BARRIER_LOCAL | OPERAND_STATE, model_wait_check,
	  model_try_wait },
	{ TMA_SIGNAL, 0, NULL, signal_command },
	{ TMA_CANCEL, OPERAND_QUEUE, NULL, model_cancel_command },
};

/* NULL: the model has no such command. */
const struct operation *model_operation(uint8_t opcode)
{
	for (unsigned int i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		if (operations[i].opcode == opcode)
			return &operations[i];
	return NULL;
}
