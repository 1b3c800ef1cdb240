/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_arguments - arguments out of range, sizes of structs, handles of the past.
 *
 * Spec: tma.h (errors), tma_command.h (what no command can hold)
 * Checks: what a call returns, and what tma_last_error() says of it; that a wrong number never becomes the right
 *         number of something else.
 */
#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "backend.h"
#include "host_reason.h"

/* A command as it is built on the spot faults so, on a queue of its own. */
#define FAULTS(fault, ...)                                              \
	do {                                                            \
		struct tma_queue *own_queue = open_queue(device, 0, 0); \
		struct tma_command c;                                   \
                                                                        \
		__VA_ARGS__;                                            \
		expect_fault(own_queue, &c, fault);                     \
		tma_queue_close(own_queue);                             \
	} while (0)

/* Numbers whose low byte is a right one, and one that is nearly one. */
TEST_WITH(test_wrong_enums, struct tma_device *device, open_model(), tma_close)
{
	static const uint32_t wrong[] = { 256, 257, 512, 0x10001, 255, UINT32_MAX };
	static const int32_t at[5] = { 0 };
	uint64_t global = tma_memory_address(alloc_memory(device, 4096));

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		uint32_t w = wrong[i];

		FAULTS(TMA_FAULT_TENSOR_MODE,
		       tma_cp_async_bulk_tensor_load(&c, (enum tma_mode)w, 1, 0, global, at, 0, NULL));
		FAULTS(TMA_FAULT_TENSOR_MODE,
		       tma_cp_async_bulk_tensor_store(&c, (enum tma_mode)w, 1, global, at, 0));
		FAULTS(TMA_FAULT_TENSOR_MODE,
		       tma_cp_async_bulk_prefetch_tensor(&c, (enum tma_mode)w, 1, global, at, NULL));
		FAULTS(TMA_FAULT_TENSOR_DIM,
		       tma_cp_async_bulk_tensor_load(&c, TMA_MODE_TILE, w, 0, global, at, 0, NULL));
		FAULTS(TMA_FAULT_REDUCE_OP,
		       tma_cp_reduce_async_bulk(&c, (enum tma_reduce)w, TMA_TYPE_U32, global, 0, 16));
		FAULTS(TMA_FAULT_REDUCE_OP,
		       tma_cp_reduce_async_bulk_shared(&c, TMA_REDUCE_ADD, (enum tma_type)w, 0, 0, 16, 0));
		FAULTS(TMA_FAULT_REDUCE_OP, tma_multimem_cp_reduce_async_bulk(&c, (enum tma_reduce)w,
		                                                              TMA_TYPE_U32, global, 0, 16));
		FAULTS(TMA_FAULT_TENSOR_MODE,
		       tma_cp_reduce_async_bulk_tensor(&c, TMA_REDUCE_ADD, (enum tma_mode)w, 1, global, at,
		                                       0));
		FAULTS(TMA_FAULT_PREFETCH_SIZE_RANGE, tma_cp_async(&c, 0, global, 4);
		       tma_set_l2_prefetch(&c, (enum tma_l2_prefetch)w));
	}
	FAULTS(TMA_FAULT_REDUCE_OP,
	       tma_cp_reduce_async_bulk_tensor(&c, (enum tma_reduce)256, TMA_MODE_TILE, 1, global, at, 0));
}

/* The prefetch size of a cp.async and the mode of a tensor copy are the same byte. */
TEST_WITH(test_modifier_of_another, struct tma_device *device, open_model(), tma_close)
{
	static const int32_t at[5] = { 0 };
	uint64_t global = tma_memory_address(alloc_memory(device, 4096));

	FAULTS(TMA_FAULT_TENSOR_MODE,
	       tma_cp_async_bulk_tensor_load(&c, TMA_MODE_TILE, 3, 0, global, at, 0, NULL);
	       tma_set_l2_prefetch(&c, TMA_L2_64B));
	FAULTS(TMA_FAULT_RESERVED_BITS, tma_signal(&c, 0); tma_set_l2_prefetch(&c, TMA_L2_NONE));
}

TEST_WITH(test_null_coordinates, struct tma_device *device, open_model(), tma_close)
{
	uint64_t global = tma_memory_address(alloc_memory(device, 4096));

	FAULTS(TMA_FAULT_TENSOR_DIM,
	       tma_cp_async_bulk_tensor_load(&c, TMA_MODE_TILE, 2, 0, global, NULL, 0, NULL));
	FAULTS(TMA_FAULT_TENSOR_DIM,
	       tma_cp_async_bulk_tensor_store(&c, TMA_MODE_SCATTER4, 2, global, NULL, 0));
	FAULTS(TMA_FAULT_TENSOR_DIM,
	       tma_cp_async_bulk_prefetch_tensor(&c, TMA_MODE_IM2COL, 4, global, NULL, NULL));
	FAULTS(TMA_FAULT_TENSOR_DIM,
	       tma_cp_reduce_async_bulk_tensor(&c, TMA_REDUCE_ADD, TMA_MODE_TILE, 1, global, NULL, 0));
}

/* What would be the address of another CTA if it was cut is none, wherever it is used. */
TEST_WITH(test_no_shared_address, struct tma_device *device, open_model(), tma_close)
{
	static const uint32_t wrong[][2] = { { 256, 0 },        { 255, 0 },     { 257, 64 },
		                             { UINT32_MAX, 0 }, { 0, 1 << 24 }, { 1, UINT32_MAX },
		                             { 0, 1u << 31 } };
	static const int32_t at[5] = { 0 };
	uint64_t global = tma_memory_address(alloc_memory(device, 4096));
	uint32_t none = TMA_SHARED_NONE;
	char byte;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_true(tma_shared(wrong[i][0], wrong[i][1]) == none);
	assert_true(tma_shared(254, 0xFFFFFF) == 0xFEFFFFFF);
	assert_true(tma_shared(3, 0x123456) == 0x03123456);

	for (uint32_t behind = 0; behind < 1 << 24; behind += 0x55555 & ~127u) {
		none = TMA_SHARED_NONE + behind;
		FAULTS(TMA_FAULT_DST_CTA, tma_cp_async_bulk_load(&c, none, global, 16, 0));
		FAULTS(TMA_FAULT_BARRIER_CTA, tma_cp_async_bulk_load(&c, 64, global, 0, none));
		FAULTS(TMA_FAULT_DST_CTA, tma_cp_async_bulk_load_multicast(&c, none, global, 16, 0, 1));
		FAULTS(TMA_FAULT_SRC_CTA, tma_cp_async_bulk_store(&c, global, none, 0));
		FAULTS(TMA_FAULT_DST_CTA, tma_cp_async_bulk_shared(&c, none, 0, 16, 0));
		FAULTS(TMA_FAULT_SRC_CTA, tma_cp_async_bulk_shared(&c, tma_shared(1, 0), none, 16, 0));
		FAULTS(TMA_FAULT_DST_CTA, tma_cp_async(&c, none, global, 4));
		FAULTS(TMA_FAULT_BARRIER_CTA, tma_mbarrier_init(&c, none, 1));
		FAULTS(TMA_FAULT_BARRIER_CTA, tma_mbarrier_arrive(&c, none, 1));
		FAULTS(TMA_FAULT_BARRIER_CTA, tma_mbarrier_try_wait_parity(&c, none, 0, 0));
		FAULTS(TMA_FAULT_DST_CTA,
		       tma_cp_async_bulk_tensor_load(&c, TMA_MODE_TILE, 1, none, global, at, 0, NULL));
		FAULTS(TMA_FAULT_SRC_CTA,
		       tma_cp_async_bulk_tensor_store(&c, TMA_MODE_TILE, 1, global, at, none));
		assert_int_equal(tma_smem_read(device, none, &byte, 0), TMA_EINVAL);
	}
	REFUSED(tma_smem_write(device, TMA_SHARED_NONE, &byte, 1), "address is TMA_SHARED_NONE");
}

/* Which argument, and what it has to be. */
TEST_WITH(test_reasons, struct tma_device *device, open_model(), tma_close)
{
	struct tma_queue_window window = { .address = 4096, .bytes = 1, .allow = 1 };
	struct tma_queue_options options = { .size = sizeof(options), .cta = 9 };
	struct tma_multimem_object *multimem;
	struct tma_memory *memory = alloc_memory(device, 10);
	struct tma_queue *queue = open_queue(device, 1, 0);
	struct tma_record record;
	uint64_t value;
	char bytes[16];

	REFUSED(tma_queue_open(device, 2, &options, &queue), "cta = 9: the device has CTAs 0 to 3");
	options.cta = 0;
	options.cta_mask = 0x10;
	REFUSED(tma_queue_open(device, 2, &options, &queue), "cta_mask = 0x10: the device has CTAs 0xf");
	options.cta_mask = 0;
	options.front = (enum tma_front)2;
	REFUSED(tma_queue_open(device, 2, &options, &queue), "front = 2: must be");
	options.front = TMA_FRONT_RING;
	options.ring_slots = 17;
	REFUSED(tma_queue_open(device, 2, &options, &queue),
	        "ring_slots = 17: must be a power of two, 16 to 65536");
	options.ring_slots = 16;
	options.record_slots = 8;
	REFUSED(tma_queue_open(device, 2, &options, &queue), "record_slots = 8: must be");
	options = (struct tma_queue_options){ .size = sizeof(options), .windows = &window, .num_windows = 1 };
	options.front = TMA_FRONT_RING;
	options.num_windows = UINT32_MAX;
	REFUSED_AS(TMA_ENOSPC, tma_queue_open(device, 2, &options, &queue),
	           "num_windows = 4294967295: a queue has 4, one of them for its rings");
	options.front = TMA_FRONT_DIRECT;
	options.num_windows = 1;
	window.address = 0x1010;
	REFUSED(tma_queue_open(device, 2, &options, &queue),
	        "windows[0].address = 0x1010: must be a multiple of 4096");
	REFUSED(tma_queue_open(device, 8, NULL, &queue), "index = 8: the device has queues 0 to 7");
	REFUSED_AS(TMA_EBUSY, tma_queue_open(device, 1, NULL, &queue), "queue 1 is open");

	REFUSED(tma_copy_in(memory, 4, bytes, 7), "7 bytes at offset 4: the buffer has 10");
	REFUSED(tma_memory_alloc(device, 0, &memory), "bytes = 0: must be at least 1");
	REFUSED_AS(TMA_ENOSPC, tma_memory_alloc(device, UINT64_C(1) << 40, &memory),
	           "1099511627776 bytes: 4096 of 268435456 are taken");
	REFUSED(tma_multimem_open(device, 1, 4, &multimem), "ports = 0x4: the device has ports 0x3");
	REFUSED(tma_counter(device, (enum tma_counter)1000, &value), "which = 1000: the counters are 0 to ");
	REFUSED(tma_set_behaviour(device, 0x80000000), "bits = 0x80000000: there are none but 0x");
	REFUSED(tma_smem_read(device, tma_shared(4, 0), bytes, 1),
	        "address = 0x4000000: CTA 4: the device has");
	REFUSED(tma_smem_read(device, 65530, bytes, 7), "7 bytes at offset 65530: a CTA has 65536 bytes");
	REFUSED(tma_resume(queue, 0), "queue 1 has not faulted");
	REFUSED_AS(TMA_ENOTSUP, tma_replace(queue, 0, &(struct tma_command){ 0 }), "queue 1 is not a ring");
	REFUSED_AS(TMA_ETIMEDOUT, tma_wait(queue, &record, 9), "queue 1: 0 commands so far, idle; no record");
	REFUSED_AS(TMA_ETIMEDOUT, tma_wait_ns(queue, &record, 9),
	           "queue 1: 0 commands so far, idle; no record");
}

/* A fault is why a wait fails, in its own words, and then why nothing can be submitted. */
TEST_WITH(test_reason_of_fault, struct tma_device *device, open_model(), tma_close)
{
	struct tma_queue *queue = open_queue(device, 2, 0);
	struct tma_command command;
	struct tma_record record;
	char text[400];

	tma_cp_async_bulk_store(&command, 0x100000000, 0, 0x31);
	submit(queue, &command);
	assert_int_equal(tma_wait(queue, &record, LIMIT), TMA_EFAULT);
	tma_fault_text(queue, &record, text, sizeof(text));
	assert_non_null(strstr(text, "SIZE_GRANULE"));
	expect_reason("tma_wait(", text);
	REFUSED_AS(TMA_EFAULT, tma_submit(queue, &command), "queue 2 has stopped");
	REFUSED(tma_resume(queue, 2), "sequence = 2: must be 0, the next of the queue,");
	/* The record of another queue: the command there may be any. */
	record.queue = 1;
	tma_fault_text(queue, &record, text, sizeof(text));
	assert_non_null(strstr(text, "queue 1, command 0 (tag"));
}

static int try_options(struct tma_options options)
{
	struct tma_device *device = NULL;
	int error = tma_open(&options, &device);

	tma_close(device);
	return error;
}

static int has_no_config(const struct tma_options *options, struct tma_backend_engine *about, void **engine)
{
	(void)options, (void)about, (void)engine;
	return TMA_ECONFIG;
}

TEST(test_reason_of_open)
{
	struct tma_backend other = tma_backend_model;
	const struct tma_backend *const backends[] = { &other, NULL };
	struct tma_options options = { .size = sizeof(options), .config = "tiny", .backends = backends };

	assert_int_equal(try_options(options), TMA_ECONFIG);
	assert_string_equal(tma_last_error(),
	                    "tma_open: config = \"tiny\": the back end \"model\" has no such configuration");
	options.config = NULL;
	other.name = options.backend = "other";
	other.open = has_no_config;
	assert_int_equal(try_options(options), TMA_ECONFIG);
	assert_string_equal(
		tma_last_error(),
		"tma_open: config = \"default\": the back end \"other\" has no such configuration");
	options.backend = "no/name";
	assert_int_equal(try_options(options), TMA_EBACKEND);
	assert_string_equal(tma_last_error(), "tma_open: \"no/name\" is no name of a back end");
	options.backend = "none_there";
	assert_int_equal(try_options(options), TMA_EBACKEND);
	assert_non_null(strstr(tma_last_error(), "tma_open: back end \"none_there\" cannot be loaded:\n\t"));
	assert_non_null(strstr(tma_last_error(), "libtma_none_there.so: cannot open shared object file"));
}

/* Sizes of structs that are too small, too large to be true, or 0. */
TEST_WITH(test_struct_sizes, struct tma_device *device, open_model(), tma_close)
{
	struct tma_queue *queue = open_queue(device, 0, 0), *other;
	const size_t wrong[] = { 0, 1, sizeof(size_t), 4097, SIZE_MAX };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct tma_queue_options queue_options = { .size = wrong[i] };
		struct tma_device_info info = { .size = wrong[i] };
		struct tma_queue_state state = { .size = wrong[i] };

		assert_int_equal(try_options((struct tma_options){ .size = wrong[i] }), TMA_ESIZE);
		REFUSED_AS(TMA_ESIZE, tma_queue_open(device, 1, &queue_options, &other), "size = ");
		REFUSED_AS(TMA_ESIZE, tma_device_info(device, &info), "size = ");
		REFUSED_AS(TMA_ESIZE, tma_queue_state(queue, &state), "size = ");
	}
}

/* A larger struct of a newer program: what this library does not know it clears, and must not be asked for. */
TEST_WITH(test_newer_structs, struct tma_device *device, open_model(), tma_close)
{
	struct {
		struct tma_device_info info;
		uint64_t newer;
	} info = { { .size = sizeof(info) }, 7 };
	struct {
		struct tma_queue_state state;
		uint64_t newer;
	} state = { { .size = sizeof(state) }, 7 };
	struct {
		struct tma_queue_options options;
		uint64_t newer;
	} options = { { .size = sizeof(options) }, 7 };
	struct tma_queue *queue;

	assert_int_equal(tma_device_info(device, &info.info), 0);
	assert_int_equal(info.newer, 0);
	assert_int_equal(info.info.size, sizeof(info));
	REFUSED_AS(TMA_ESIZE, tma_queue_open(device, 0, &options.options, &queue), "size = ");
	options.newer = 0;
	assert_int_equal(tma_queue_open(device, 0, &options.options, &queue), 0);
	assert_int_equal(tma_queue_state(queue, &state.state), 0);
	assert_int_equal(state.newer, 0);
}

/* A buffer of a multimem object is the object's; an object that is in use stays. */
TEST_WITH(test_lent_memory, struct tma_device *device, open_model(), tma_close)
{
	struct tma_queue_window window = { .bytes = 4096, .allow = TMA_ALLOW_MULTIMEM };
	const struct tma_queue_options options = { .size = sizeof(options),
		                                   .windows = &window,
		                                   .num_windows = 1 };
	struct tma_multimem_object *multimem;
	struct tma_queue *queue;

	assert_int_equal(tma_multimem_open(device, 1, 0, &multimem), 0);
	IGNORED(tma_memory_free(tma_multimem_memory(multimem, 1)), "memory is a multimem object's");
	assert_int_equal(tma_memory_bytes(tma_multimem_memory(multimem, 1)), 4096);
	window.address = tma_multimem_address(multimem);
	assert_int_equal(tma_queue_open(device, 0, &options, &queue), 0);
	IGNORED(tma_multimem_close(multimem), "it stays open");
	assert_int_equal(tma_multimem_bytes(multimem), 4096);
	tma_queue_close(queue);
	tma_multimem_close(multimem);
	assert_int_equal(tma_device_check(device), 0);
}

/* One handle in the place of another. */
TEST_WITH(test_foreign_handles, struct tma_device *device, open_model(), tma_close)
{
	struct tma_memory *memory = alloc_memory(device, 1);
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_record record;

	REFUSED(tma_wait((struct tma_queue *)(void *)memory, &record, 0), "queue = 0x");
	REFUSED(tma_device_check((struct tma_device *)(void *)queue), "device = 0x");
	REFUSED(tma_memory_to_device((struct tma_memory *)(void *)device, 0, 0), "memory = 0x");
	NOTHING(tma_multimem_bytes((struct tma_multimem_object *)(void *)device), "multimem = 0x");
	IGNORED(tma_queue_close((struct tma_queue *)(void *)device), "queue = 0x");
	IGNORED(tma_close((struct tma_device *)(void *)memory), "device = 0x");
	IGNORED(tma_memory_free((struct tma_memory *)(void *)queue), "memory = 0x");
	IGNORED(tma_multimem_close((struct tma_multimem_object *)(void *)queue), "multimem = 0x");
}

/* A look at freed memory, which sanitizers would stop: what they are for. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/* Hidden from the compiler, which would see what this is about. */
static void *volatile stale;

TEST(test_freed_handles)
{
	struct tma_device *device = open_model();
	struct tma_multimem_object *multimem;

	stale = open_queue(device, 0, 0);
	tma_queue_close(stale);
	IGNORED(tma_queue_close(stale), "queue = 0x");
	REFUSED(tma_cancel(stale), "queue = 0x");
	stale = alloc_memory(device, 4096);
	tma_memory_free(stale);
	IGNORED(tma_memory_free(stale), "memory = 0x");
	NOTHING(tma_memory_host(stale), "memory = 0x");
	assert_int_equal(tma_multimem_open(device, 1, 0, &multimem), 0);
	stale = multimem;
	tma_multimem_close(stale);
	IGNORED(tma_multimem_close(stale), "multimem = 0x");
	stale = device;
	tma_close(stale);
	IGNORED(tma_close(stale), "device = 0x");
	REFUSED(tma_device_check(stale), "device = 0x");
}
#endif

static void *other_thread(void *text)
{
	bool *good = text;

	*good = !strcmp(tma_last_error(), "");
	*good = *good && tma_device_check(NULL) == TMA_EINVAL;
	*good = *good && !strcmp(tma_last_error(), "tma_device_check: device is NULL");
	return NULL;
}

/* Each thread has its own, and what succeeds does not change it. */
TEST_WITH(test_last_error, struct tma_device *device, open_model(), tma_close)
{
	pthread_t thread;
	bool good = false;

	REFUSED(tma_memory_alloc(device, 0, NULL), "memory is NULL");
	assert_int_equal(pthread_create(&thread, NULL, other_thread, &good), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_true(good);
	alloc_memory(device, 1);
	assert_int_equal(tma_device_check(device), 0);
	assert_string_equal(tma_last_error(), "tma_memory_alloc: memory is NULL");
}

TEST(test_error_names)
{
	static const struct {
		int error;
		const char *name;
	} names[] = {
#define NAME(error) { error, #error }
		NAME(TMA_OK),       NAME(TMA_EINVAL),    NAME(TMA_ESIZE),   NAME(TMA_ENOMEM),
		NAME(TMA_ENOSPC),   NAME(TMA_EBACKEND),  NAME(TMA_ECONFIG), NAME(TMA_EBUSY),
		NAME(TMA_EFULL),    NAME(TMA_ETIMEDOUT), NAME(TMA_EFAULT),  NAME(TMA_EDEVICE),
		NAME(TMA_EVERSION), NAME(TMA_ENOTSUP),
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_string_equal(tma_error_name(names[i].error), names[i].name);
	assert_null(tma_error_name(TMA_ENOTSUP - 1));
	assert_null(tma_error_name(1));
	assert_null(tma_error_name(INT_MIN));
	assert_string_equal(tma_strerror(INT_MIN), "unknown error");
}

int run_argument_tests(void)
{
	return run_file_tests("arguments");
}
