/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_null - NULL for every pointer of every function of the host library.
 *
 * Spec: tma.h (errors), tma_command.h
 * Checks: what the call returns, what tma_last_error() says, that nothing has changed.
 */
#include <string.h>

#include "host_reason.h"
#include "tma_print.h"

void expect_reason(const char *call, const char *words)
{
	const char *reason = tma_last_error();
	size_t name = strcspn(call, "(");

	if (strncmp(reason, call, name) || strncmp(reason + name, ": ", 2) ||
	    strncmp(reason + name + 2, words, strlen(words)))
		fail_msg("%s: \"%s\" does not say \"%s\"", call, reason, words);
}

struct tma_device *open_model(void)
{
	const struct tma_options options = { .size = sizeof(options), .reductions = true };
	struct tma_device *device = NULL;

	assert_int_equal(tma_open(&options, &device), 0);
	return device;
}

TEST_WITH(test_null_device, struct tma_device *device, open_model(), tma_close)
{
	struct tma_device_info info = { .size = sizeof(info) };
	struct tma_multimem_object *multimem;
	struct tma_memory *memory;
	struct tma_queue *queue;
	uint64_t value;
	char byte = 0;

	REFUSED(tma_open(NULL, NULL), "device is NULL");
	REFUSED(tma_device_info(NULL, &info), "device is NULL");
	REFUSED(tma_device_info(device, NULL), "info is NULL");
	NOTHING(tma_cycles(NULL), "device is NULL");
	REFUSED(tma_counter(NULL, TMA_COUNTER_COMMANDS, &value), "device is NULL");
	REFUSED(tma_counter(device, TMA_COUNTER_COMMANDS, NULL), "value is NULL");
	REFUSED(tma_set_behaviour(NULL, 0), "device is NULL");
	REFUSED(tma_device_check(NULL), "device is NULL");
	REFUSED(tma_memory_alloc(NULL, 1, &memory), "device is NULL");
	REFUSED(tma_memory_alloc(device, 1, NULL), "memory is NULL");
	REFUSED(tma_multimem_open(NULL, 1, 0, &multimem), "device is NULL");
	REFUSED(tma_multimem_open(device, 1, 0, NULL), "multimem is NULL");
	REFUSED(tma_smem_read(NULL, 0, &byte, 1), "device is NULL");
	REFUSED(tma_smem_read(device, 0, NULL, 1), "bytes is NULL");
	REFUSED(tma_smem_write(NULL, 0, &byte, 1), "device is NULL");
	REFUSED(tma_smem_write(device, 0, NULL, 1), "bytes is NULL");
	assert_int_equal(tma_smem_write(device, 0, NULL, 0), 0);
	REFUSED(tma_queue_open(NULL, 0, NULL, &queue), "device is NULL");
	REFUSED(tma_queue_open(device, 0, NULL, NULL), "queue is NULL");
	tma_close(NULL);
}

TEST_WITH(test_null_memory, struct tma_device *device, open_model(), tma_close)
{
	struct tma_memory *memory = alloc_memory(device, 10);
	char byte = 0;

	NOTHING(tma_memory_address(NULL), "memory is NULL");
	NOTHING(tma_memory_bytes(NULL), "memory is NULL");
	NOTHING(tma_memory_host(NULL), "memory is NULL");
	REFUSED(tma_memory_to_device(NULL, 0, 0), "memory is NULL");
	REFUSED(tma_memory_from_device(NULL, 0, 0), "memory is NULL");
	REFUSED(tma_copy_in(NULL, 0, &byte, 1), "memory is NULL");
	REFUSED(tma_copy_in(memory, 0, NULL, 1), "source is NULL");
	assert_int_equal(tma_copy_in(memory, 10, NULL, 0), 0);
	REFUSED(tma_copy_out(NULL, 0, &byte, 1), "memory is NULL");
	REFUSED(tma_copy_out(memory, 0, NULL, 1), "destination is NULL");
	assert_int_equal(tma_copy_out(memory, 10, NULL, 0), 0);
	NOTHING(tma_multimem_address(NULL), "multimem is NULL");
	NOTHING(tma_multimem_bytes(NULL), "multimem is NULL");
	NOTHING(tma_multimem_memory(NULL, 0), "multimem is NULL");
	tma_memory_free(NULL);
	tma_multimem_close(NULL);
}

TEST_WITH(test_null_queue, struct tma_device *device, open_model(), tma_close)
{
	struct tma_queue *queue = open_ring(device, 0, 16);
	struct tma_queue_state state = { .size = sizeof(state) };
	struct tma_record record = { 0 };
	struct tma_command command;
	char text[8];

	tma_signal(&command, 0);
	REFUSED(tma_submit(NULL, &command), "queue is NULL");
	REFUSED(tma_submit(queue, NULL), "command is NULL");
	REFUSED(tma_submit_all(NULL, &command, 1), "queue is NULL");
	REFUSED(tma_submit_all(queue, NULL, 1), "commands is NULL");
	assert_int_equal(tma_submit_all(queue, NULL, 0), 0);
	REFUSED(tma_submit_some(NULL, &command, 1), "queue is NULL");
	REFUSED(tma_submit_some(queue, NULL, 1), "commands is NULL");
	REFUSED(tma_queue_room(NULL), "queue is NULL");
	REFUSED(tma_queue_event(NULL), "queue is NULL");
	REFUSED(tma_sync(NULL), "queue is NULL");
	REFUSED(tma_wait_command(NULL, 0, 0), "queue is NULL");
	REFUSED(tma_wait_barrier(NULL, 0, 0, 0), "device is NULL");
	REFUSED(tma_poll_many(NULL, &record, 1), "queue is NULL");
	REFUSED(tma_poll_many(queue, NULL, 1), "records is NULL");
	assert_int_equal(tma_poll_many(queue, NULL, 0), 0);
	REFUSED(tma_poll(NULL, &record), "queue is NULL");
	REFUSED(tma_poll(queue, NULL), "record is NULL");
	REFUSED(tma_wait(NULL, &record, 0), "queue is NULL");
	REFUSED(tma_wait(queue, NULL, 0), "record is NULL");
	REFUSED(tma_wait_ns(NULL, &record, 0), "queue is NULL");
	REFUSED(tma_wait_ns(queue, NULL, 0), "record is NULL");
	REFUSED(tma_resume(NULL, 0), "queue is NULL");
	REFUSED(tma_replace(NULL, 0, &command), "queue is NULL");
	REFUSED(tma_replace(queue, 0, NULL), "command is NULL");
	REFUSED(tma_queue_reset(NULL), "queue is NULL");
	REFUSED(tma_cancel(NULL), "queue is NULL");
	REFUSED(tma_queue_state(NULL, &state), "queue is NULL");
	REFUSED(tma_queue_state(queue, NULL), "state is NULL");
	REFUSED(tma_fault_text(queue, NULL, text, sizeof(text)), "record is NULL");
	REFUSED(tma_fault_text(queue, &record, NULL, 1), "text is NULL");
	assert_true(tma_fault_text(queue, &record, NULL, 0) > 0);
	tma_queue_close(NULL);
	/* None of it has gone into the queue. */
	assert_int_equal(tma_submit(queue, &command), 0);
}

TEST_WITH(test_null_print, struct tma_device *device, open_model(), tma_close)
{
	struct tma_queue *queue = open_ring(device, 0, 16);
	struct tma_record record = { 0 };
	struct tma_command command;
	uint32_t address;
	char text[8];

	tma_signal(&command, 0);
	REFUSED(tma_queue_text(NULL, text, sizeof(text)), "queue is NULL");
	REFUSED(tma_queue_text(queue, NULL, 1), "text is NULL");
	REFUSED(tma_dump(NULL, stdout), "device is NULL");
	REFUSED(tma_dump(device, NULL), "file is NULL");
	REFUSED(tma_command_text(NULL, text, sizeof(text)), "command is NULL");
	REFUSED(tma_command_text(&command, NULL, 1), "text is NULL");
	REFUSED(tma_record_text(NULL, text, sizeof(text)), "record is NULL");
	REFUSED(tma_record_text(&record, NULL, 1), "text is NULL");
	REFUSED(tma_register_name(TMA_REG_MAGIC, NULL, 1), "text is NULL");
	REFUSED(tma_register_name(1, text, sizeof(text)), "address = 0x1: there is no register");
	REFUSED(tma_register_text(TMA_REG_MAGIC, 0, NULL, 1), "text is NULL");
	REFUSED(tma_register_find(NULL, &address), "name is NULL");
	REFUSED(tma_register_find("MAGIC", NULL), "address is NULL");
}

/* Each function of tma_command.h, with everything right but the command. */
TEST(test_null_command)
{
	static const int32_t at[5] = { 0 };
	static const uint16_t offsets[3] = { 0 };

	tma_set_record(NULL, 1);
	tma_set_tag(NULL, 1);
	tma_set_cache_hint(NULL, 1);
	tma_set_cta_local(NULL);
	tma_set_cg(NULL);
	tma_set_l2_prefetch(NULL, TMA_L2_64B);
	tma_set_multicast(NULL, 1);
	tma_set_cta_group_2(NULL);
	tma_cp_async_bulk_load(NULL, 0, 0, 16, 0);
	tma_cp_async_bulk_load_multicast(NULL, 0, 0, 16, 0, 1);
	tma_cp_async_bulk_store(NULL, 0, 0, 16);
	tma_cp_async_bulk_store_masked(NULL, 0, 0, 16, 1);
	tma_cp_async_bulk_shared(NULL, 0, 0, 16, 0);
	tma_cp_async_bulk_prefetch(NULL, 0, 16);
	tma_multimem_cp_async_bulk(NULL, 0, 0, 16);
	tma_multimem_cp_async_bulk_masked(NULL, 0, 0, 16, 1);
	tma_cp_reduce_async_bulk(NULL, TMA_REDUCE_ADD, TMA_TYPE_U32, 0, 0, 16);
	tma_cp_reduce_async_bulk_shared(NULL, TMA_REDUCE_ADD, TMA_TYPE_U32, 0, 0, 16, 0);
	tma_multimem_cp_reduce_async_bulk(NULL, TMA_REDUCE_ADD, TMA_TYPE_U32, 0, 0, 16);
	tma_cp_reduce_async_bulk_tensor(NULL, TMA_REDUCE_ADD, TMA_MODE_TILE, 1, 0, at, 0);
	tma_cp_async(NULL, 0, 0, 4);
	tma_cp_async_src_size(NULL, 0, 0, 4, 1);
	tma_cp_async_ignore_src(NULL, 0, 0, 4, true);
	tma_cp_async_commit_group(NULL);
	tma_cp_async_wait_group(NULL, 0);
	tma_cp_async_wait_all(NULL);
	tma_cp_async_mbarrier_arrive(NULL, 0);
	tma_cp_async_mbarrier_arrive_noinc(NULL, 0);
	tma_cp_async_bulk_tensor_load(NULL, TMA_MODE_TILE, 1, 0, 0, at, 0, offsets);
	tma_cp_async_bulk_tensor_store(NULL, TMA_MODE_TILE, 1, 0, at, 0);
	tma_cp_async_bulk_prefetch_tensor(NULL, TMA_MODE_TILE, 1, 0, at, offsets);
	tma_prefetch_tensormap(NULL, 0);
	tma_fence_proxy_tensormap(NULL, 0);
	tma_cp_async_bulk_commit_group(NULL);
	tma_cp_async_bulk_wait_group(NULL, 0);
	tma_cp_async_bulk_wait_group_read(NULL, 0);
	tma_mbarrier_init(NULL, 0, 1);
	tma_mbarrier_inval(NULL, 0);
	tma_mbarrier_expect_tx(NULL, 0, 1);
	tma_mbarrier_complete_tx(NULL, 0, 1);
	tma_mbarrier_arrive(NULL, 0, 1);
	tma_mbarrier_arrive_expect_tx(NULL, 0, 1);
	tma_mbarrier_arrive_no_complete(NULL, 0, 1);
	tma_mbarrier_arrive_drop(NULL, 0, 1);
	tma_mbarrier_arrive_drop_expect_tx(NULL, 0, 1);
	tma_mbarrier_arrive_drop_no_complete(NULL, 0, 1);
	tma_mbarrier_pending_count(NULL, 0);
	tma_mbarrier_pending_count_last(NULL);
	tma_mbarrier_test_wait(NULL, 0, 0);
	tma_mbarrier_test_wait_last(NULL, 0);
	tma_mbarrier_test_wait_parity(NULL, 0, 0);
	tma_mbarrier_try_wait(NULL, 0, 0, 0);
	tma_mbarrier_try_wait_last(NULL, 0, 0);
	tma_mbarrier_try_wait_parity(NULL, 0, 0, 0);
	tma_signal(NULL, 0);
	tma_cancel_queue(NULL, 0);
}

int run_null_tests(void)
{
	return run_file_tests("null");
}
