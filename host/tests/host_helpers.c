/* SPDX-License-Identifier: Apache-2.0 */
/* Short forms of what every test of the host library does; each fails the test when it fails. */
#include <string.h>

#include "host_test.h"

static struct host_case current;

struct tma_device *open_device(const struct host_case *c)
{
	const struct tma_options options = {
		.size = sizeof(options),
		.backend = c->backend,
		.config = c->config,
		.seed = c->seed,
		.memory_bytes = 1 << 20,
		.submit_limit = LIMIT,
		.backends = host_backends(),
	};
	struct tma_device *device = NULL;

	current = *c;
	assert_int_equal(tma_open(&options, &device), 0);
	assert_non_null(device);
	return device;
}

const struct host_case *host_case(void)
{
	return &current;
}

/* An engine that is not simulated in this process, or looks like that. */
static bool is_away(void)
{
	return !strcmp(current.backend, "xrt") || !strcmp(current.backend, "serial");
}

enum tma_front plain_front(void)
{
	return is_away() ? TMA_FRONT_RING : TMA_FRONT_DIRECT;
}

bool goes_on(struct tma_device *device)
{
	return device_info(device).clocked || current.seed || is_away();
}

bool has_gaps(void)
{
	return !is_away();
}

struct tma_device_info device_info(const struct tma_device *device)
{
	struct tma_device_info info = { .size = sizeof(info) };

	assert_int_equal(tma_device_info(device, &info), 0);
	return info;
}

struct tma_queue *open_queue(struct tma_device *device, uint32_t index, uint32_t cta)
{
	const struct tma_queue_options options = { .size = sizeof(options),
		                                   .cta = cta,
		                                   .front = current.front };
	struct tma_queue *queue = NULL;

	assert_int_equal(tma_queue_open(device, index, &options, &queue), 0);
	assert_non_null(queue);
	return queue;
}

struct tma_queue *open_ring(struct tma_device *device, uint32_t index, uint32_t slots)
{
	const struct tma_queue_options options = {
		.size = sizeof(options), .front = TMA_FRONT_RING, .ring_slots = slots, .record_slots = slots
	};
	struct tma_queue *queue = NULL;

	assert_int_equal(tma_queue_open(device, index, &options, &queue), 0);
	return queue;
}

struct tma_memory *alloc_memory(struct tma_device *device, uint64_t bytes)
{
	struct tma_memory *memory = NULL;

	assert_int_equal(tma_memory_alloc(device, bytes, &memory), 0);
	assert_non_null(memory);
	return memory;
}

void submit(struct tma_queue *queue, const struct tma_command *command)
{
	int64_t sequence = tma_submit(queue, command);

	if (sequence < 0)
		fail_msg("tma_submit: %s", tma_strerror((int)sequence));
}

static void fail_with_fault(const struct tma_queue *queue, const struct tma_record *record)
{
	char text[400];

	tma_fault_text(queue, record, text, sizeof(text));
	fail_msg("%s", text);
}

struct tma_record wait_kind(struct tma_queue *queue, enum tma_kind kind)
{
	struct tma_record record = { 0 };
	int error = tma_wait(queue, &record, LIMIT);

	if (error == TMA_EFAULT)
		fail_with_fault(queue, &record);
	if (error)
		fail_msg("tma_wait: %s", tma_strerror(error));
	assert_int_equal(record.kind, kind);
	assert_int_equal(record.fault, TMA_FAULT_NONE);
	assert_int_equal(record.address, 0);
	return record;
}

uint64_t ask(struct tma_queue *queue, const struct tma_command *command)
{
	submit(queue, command);
	return wait_kind(queue, TMA_KIND_ANSWER).value;
}

struct tma_record expect_fault(struct tma_queue *queue, const struct tma_command *command,
                               enum tma_fault fault)
{
	struct tma_record record = { 0 };

	submit(queue, command);
	assert_int_equal(tma_wait(queue, &record, LIMIT), TMA_EFAULT);
	assert_int_equal(record.kind, TMA_KIND_FAULT);
	assert_int_equal(record.fault, fault);
	return record;
}

void init_barrier(struct tma_queue *queue, uint32_t mbar, uint32_t count)
{
	SUBMIT(queue, tma_mbarrier_init(&c, mbar, count); tma_set_record(&c, 0));
	wait_kind(queue, TMA_KIND_RETIRED);
}

void expect_bytes(struct tma_queue *queue, uint32_t mbar, uint32_t bytes)
{
	ASK(queue, tma_mbarrier_arrive_expect_tx(&c, mbar, bytes); tma_set_record(&c, 0));
}

void wait_phase(struct tma_queue *queue, uint32_t mbar, uint32_t parity)
{
	assert_int_equal(ASK(queue, tma_mbarrier_try_wait_parity(&c, mbar, parity, TMA_NO_LIMIT)), 1);
}

void wait_stores(struct tma_queue *queue)
{
	SUBMIT(queue, tma_cp_async_bulk_commit_group(&c));
	SUBMIT(queue, tma_cp_async_bulk_wait_group(&c, 0); tma_set_record(&c, 0x77));
	assert_int_equal(wait_kind(queue, TMA_KIND_RETIRED).tag, 0x77);
}

uint8_t pattern(uint64_t i)
{
	return (uint8_t)(i * 37 + (i >> 8) * 101 + 11);
}

void fill_pattern(uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		bytes[i] = pattern(i);
}
