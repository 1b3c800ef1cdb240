/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_programs - correct programs, the same on every back end.
 *
 * Spec: PTX ISA cp.async.bulk, mbarrier; tma.h
 * Checks: bytes at the destination, bytes beside it, answers and records, on one queue and across
 *         queues and CTAs.
 */
#include <string.h>

#include "host_test.h"

#define BYTES 4096u
#define GUARD 64u /* bytes looked at on either side of a destination */
#define MBAR  0u
#define FIRST 1024u /* data in shared memory */

static struct tma_memory *memory_with_pattern(struct tma_device *device, uint64_t bytes)
{
	struct tma_memory *memory = alloc_memory(device, bytes);

	fill_pattern(tma_memory_host(memory), bytes);
	assert_int_equal(tma_memory_to_device(memory, 0, bytes), 0);
	return memory;
}

static void clear_smem(struct tma_device *device, uint32_t cta)
{
	uint8_t bytes[FIRST + BYTES + GUARD];

	memset(bytes, 0xEE, sizeof(bytes));
	assert_int_equal(tma_smem_write(device, tma_shared(cta, 0), bytes, sizeof(bytes)), 0);
}

/* The CTA holds the pattern, shifted by `skip`, and its neighbours are as clear_smem() left them. */
static void check_smem(struct tma_device *device, uint32_t cta, uint32_t skip)
{
	uint8_t bytes[GUARD + BYTES + GUARD];

	assert_int_equal(tma_smem_read(device, tma_shared(cta, FIRST - GUARD), bytes, sizeof(bytes)), 0);
	for (uint32_t i = 0; i < sizeof(bytes); i++) {
		bool inside = i >= GUARD && i < GUARD + BYTES;
		uint8_t expected = inside ? pattern(i - GUARD + skip) : 0xEE;

		if (bytes[i] != expected)
			fail_msg("CTA %u, byte %d: 0x%02x instead of 0x%02x", cta, (int)i - (int)GUARD,
			         bytes[i], expected);
	}
}

static void test_info(struct tma_device *device)
{
	static const struct shape {
		const char *config;
		uint32_t data_bytes, ctas, smem_bytes, queues, windows, ports, maps;
	} shapes[] = { { "small", 16, 2, 16384, 2, 4, 1, 2 },
		       { "default", 64, 4, 65536, 8, 4, 2, 4 },
		       { "max", 128, 16, 232448, 16, 8, 4, 8 } };
	const struct shape *shape = shapes;
	const struct host_case *c = host_case();
	struct tma_device_info info = device_info(device);

	assert_string_equal(info.backend, c->backend);
	assert_string_equal(info.config, c->config);
	assert_int_equal(info.clocked, tma_cycles(device) > 0);
	assert_int_equal(info.abi_minor, TMA_ABI_MINOR);
	assert_true(info.tensor);
	assert_int_equal(info.packed, strcmp(c->config, "small") != 0);
	while (strcmp(c->config, shape->config) != 0)
		assert_true(++shape < shapes + sizeof(shapes) / sizeof(shapes[0]));
	assert_int_equal(info.data_bytes, shape->data_bytes);
	assert_int_equal(info.ctas, shape->ctas);
	assert_int_equal(info.smem_bytes, shape->smem_bytes);
	assert_int_equal(info.queues, shape->queues);
	assert_int_equal(info.windows, shape->windows);
	assert_int_equal(info.ports, shape->ports);
	assert_int_equal(info.maps, shape->maps);
}

/* Any offset and length of shared memory, not only what the port's width likes. */
static void test_smem(struct tma_device *device)
{
	uint32_t top = device_info(device).smem_bytes;
	uint8_t out[300], in[300];

	fill_pattern(out, sizeof(out));
	clear_smem(device, 1);
	assert_int_equal(tma_smem_write(device, tma_shared(1, 1003), out, 277), 0);
	assert_int_equal(tma_smem_read(device, tma_shared(1, 1002), in, 279), 0);
	assert_int_equal(in[0], 0xEE);
	assert_memory_equal(in + 1, out, 277);
	assert_int_equal(in[278], 0xEE);
	assert_int_equal(tma_smem_write(device, tma_shared(0, top - 5), out, 5), 0);
	assert_int_equal(tma_smem_read(device, tma_shared(0, top - 5), in, 5), 0);
	assert_memory_equal(in, out, 5);
}

/* Addresses for the engine, contents, and that freed space is used again without disturbing the
 * rest. */
static void test_memory(struct tma_device *device)
{
	struct tma_memory *a = memory_with_pattern(device, 5000);
	struct tma_memory *b = alloc_memory(device, 1);
	struct tma_memory *c = memory_with_pattern(device, 8192);
	uint64_t at = tma_memory_address(b);
	uint8_t bytes[5000], expected[5000];

	fill_pattern(expected, sizeof(expected));
	assert_true(tma_memory_address(a) % 4096 == 0 && at % 4096 == 0);
	assert_true(tma_memory_bytes(a) == 5000 && tma_memory_bytes(b) == 1);
	assert_true(at - tma_memory_address(a) > 8192); /* an unmapped page between them */
	assert_int_equal(tma_copy_out(b, 0, bytes, 1), 0);
	assert_int_equal(bytes[0], 0);

	tma_memory_free(b);
	/* The gap has room for two pages, but not for a free one behind them. */
	assert_true(tma_memory_address(alloc_memory(device, 8192)) > tma_memory_address(c));
	b = alloc_memory(device, 4096);
	assert_true(tma_memory_address(b) == at);
	tma_memory_free(a);
	tma_memory_free(NULL);
	assert_int_equal(tma_copy_in(b, 100, expected, 50), 0);
	assert_int_equal(tma_copy_out(b, 99, bytes, 52), 0);
	assert_int_equal(bytes[0], 0);
	assert_memory_equal(bytes + 1, expected, 50);
	assert_int_equal(bytes[51], 0);
	assert_int_equal(tma_copy_out(c, 0, bytes, sizeof(bytes)), 0);
	assert_memory_equal(bytes, expected, sizeof(bytes));
}

/* Memory mapped before and after the queue was opened, and after another buffer was freed. */
static void test_load(struct tma_device *device)
{
	struct tma_memory *gone = alloc_memory(device, BYTES);
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_memory *memory = memory_with_pattern(device, 2 * BYTES);

	tma_memory_free(gone);
	clear_smem(device, 0);
	init_barrier(queue, MBAR, 1);
	expect_bytes(queue, MBAR, BYTES);
	SUBMIT(queue,
	       tma_cp_async_bulk_load(&c, tma_shared(0, FIRST), tma_memory_address(memory) + 48, BYTES, MBAR);
	       tma_set_cta_local(&c); tma_set_cache_hint(&c, UINT64_C(0x5A) << 56));
	wait_phase(queue, MBAR, 0);
	check_smem(device, 0, 48);
}

/* Into every CTA of a mask that leaves out the last one; each CTA's own barrier tells. */
static void test_multicast(struct tma_device *device)
{
	struct tma_memory *memory = memory_with_pattern(device, BYTES);
	uint32_t ctas = device_info(device).ctas, targets = ctas > 2 ? ctas - 1 : ctas;
	struct tma_queue *queues[TMA_REG_QUEUE_COUNT] = { NULL };
	uint8_t bytes[16];
	uint32_t r;

	for (r = 0; r < ctas; r++) {
		clear_smem(device, r);
		queues[r] = open_queue(device, r, r);
		init_barrier(queues[r], tma_shared(r, MBAR), 1);
		expect_bytes(queues[r], tma_shared(r, MBAR), BYTES);
	}
	SUBMIT(queues[0], tma_cp_async_bulk_load_multicast(&c, FIRST, tma_memory_address(memory), BYTES, MBAR,
	                                                   (uint16_t)((1u << targets) - 1)));
	for (r = 0; r < targets; r++) {
		wait_phase(queues[r], tma_shared(r, MBAR), 0);
		check_smem(device, r, 0);
	}
	for (; r < ctas; r++) {
		assert_int_equal(tma_smem_read(device, tma_shared(r, FIRST), bytes, 16), 0);
		assert_int_equal(bytes[0], 0xEE);
	}
}

static void store(struct tma_device *device, uint16_t mask, bool masked)
{
	struct tma_memory *memory = alloc_memory(device, BYTES + 2 * GUARD);
	struct tma_queue *queue = open_queue(device, 1, 1);
	uint64_t to = tma_memory_address(memory) + GUARD;
	struct tma_command command;
	uint8_t bytes[BYTES + 2 * GUARD];

	fill_pattern(bytes, sizeof(bytes));
	assert_int_equal(tma_smem_write(device, tma_shared(1, FIRST), bytes, BYTES), 0);
	memset(bytes, 0xEE, sizeof(bytes));
	assert_int_equal(tma_copy_in(memory, 0, bytes, sizeof(bytes)), 0);
	if (masked)
		tma_cp_async_bulk_store_masked(&command, to, tma_shared(1, FIRST), BYTES, mask);
	else
		tma_cp_async_bulk_store(&command, to, tma_shared(1, FIRST), BYTES);
	submit(queue, &command);
	wait_stores(queue);
	assert_int_equal(tma_copy_out(memory, 0, bytes, sizeof(bytes)), 0);
	for (uint32_t i = 0; i < sizeof(bytes); i++) {
		bool inside = i >= GUARD && i < GUARD + BYTES;
		bool written = inside && mask >> (i - GUARD) % 16 & 1;

		assert_int_equal(bytes[i], written ? pattern(i - GUARD) : 0xEE);
	}
}

static void test_store(struct tma_device *device)
{
	store(device, 0xFFFF, false);
}

static void test_store_masked(struct tma_device *device)
{
	store(device, 0x8F31, true);
}

/* From CTA 0 into CTA 1, whose barrier tells. */
static void test_shared(struct tma_device *device)
{
	struct tma_queue *from = open_queue(device, 0, 0);
	struct tma_queue *to = open_queue(device, 1, 1);
	uint32_t mbar = tma_shared(1, MBAR);
	uint8_t bytes[BYTES];

	clear_smem(device, 1);
	fill_pattern(bytes, sizeof(bytes));
	assert_int_equal(tma_smem_write(device, tma_shared(0, 2 * FIRST), bytes, BYTES), 0);
	init_barrier(to, mbar, 1);
	expect_bytes(from, mbar, BYTES);
	SUBMIT(from,
	       tma_cp_async_bulk_shared(&c, tma_shared(1, FIRST), tma_shared(0, 2 * FIRST), BYTES, mbar));
	wait_phase(to, mbar, 0);
	check_smem(device, 1, 0);
}

/* State tokens, both forms of the waits, drops and the pending count. */
static void test_barrier_answers(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 0);
	uint64_t token;

	init_barrier(queue, MBAR, 3);
	token = ASK(queue, tma_mbarrier_arrive_no_complete(&c, MBAR, 1); tma_set_record(&c, 0));
	assert_int_equal(ASK(queue, tma_mbarrier_pending_count(&c, token)), 3);
	assert_int_equal(ASK(queue, tma_mbarrier_pending_count_last(&c)), 3);
	assert_int_equal(ASK(queue, tma_mbarrier_test_wait(&c, MBAR, token)), 0);
	assert_int_equal(ASK(queue, tma_mbarrier_test_wait_parity(&c, MBAR, 1)),
	                 1); /* the phase before the first one */
	assert_int_equal(ASK(queue, tma_mbarrier_try_wait_parity(&c, MBAR, 0, 20)),
	                 0); /* nobody else will arrive */

	SUBMIT(queue, tma_mbarrier_arrive_drop(&c, MBAR, 1));
	SUBMIT(queue, tma_mbarrier_arrive(&c, MBAR, 1));
	assert_int_equal(ASK(queue, tma_mbarrier_try_wait_last(&c, MBAR, TMA_NO_LIMIT)), 1);
	assert_int_equal(ASK(queue, tma_mbarrier_test_wait(&c, MBAR, token)), 1);
	assert_int_equal(ASK(queue, tma_mbarrier_test_wait_parity(&c, MBAR, 0)), 1);

	/* The second phase expects one arrival less. */
	SUBMIT(queue, tma_mbarrier_arrive(&c, MBAR, 2));
	assert_int_equal(ASK(queue, tma_mbarrier_test_wait_last(&c, MBAR)), 1);
}

/* A queue that waits does not hold up another one, which is who ends its wait. */
static void test_two_queues(struct tma_device *device)
{
	struct tma_queue *waiter = open_queue(device, 1, 1);
	struct tma_queue *other = open_queue(device, 0, 0);
	struct tma_queue_state waiting = { .size = sizeof(waiting) };
	struct tma_record record;

	init_barrier(waiter, tma_shared(1, MBAR), 2);
	SUBMIT(waiter, tma_mbarrier_try_wait_parity(&c, tma_shared(1, MBAR), 0, TMA_NO_LIMIT); c.tag = 5);
	for (uint32_t i = 0; i < 200; i++)
		assert_int_equal(tma_poll(waiter, &record), 0);
	assert_int_equal(tma_queue_state(waiter, &waiting), 0);
	assert_true(waiting.blocked && !waiting.faulted);
	assert_int_equal(waiting.next_sequence, 1);
	assert_int_equal(waiting.waiting, 1);

	SUBMIT(other, tma_mbarrier_arrive(&c, tma_shared(1, MBAR), 2));
	record = wait_kind(waiter, TMA_KIND_ANSWER);
	assert_int_equal(record.value, 1);
	assert_int_equal(record.tag, 5);
	assert_int_equal(record.queue, 1);
	assert_int_equal(record.sequence, 1);
	assert_int_equal(tma_queue_state(waiter, &waiting), 0);
	assert_false(waiting.blocked);
	assert_int_equal(waiting.waiting, 0);
}

/* What moves nothing: it retires all the same. */
static void test_nothing_to_do(struct tma_device *device)
{
	struct tma_memory *memory = memory_with_pattern(device, BYTES);
	struct tma_queue *queue = open_queue(device, 0, 0);
	uint64_t address = tma_memory_address(memory);

	clear_smem(device, 0);
	init_barrier(queue, MBAR, 1);
	expect_bytes(queue, MBAR, 0);
	wait_phase(queue, MBAR, 0);
	SUBMIT(queue, tma_cp_async_bulk_load(&c, FIRST, address, 0, MBAR));
	SUBMIT(queue, tma_cp_async_bulk_load_multicast(&c, FIRST, address, BYTES, MBAR, 0));
	SUBMIT(queue, tma_cp_async_bulk_store(&c, address, FIRST, 0));
	SUBMIT(queue, tma_cp_async_bulk_prefetch(&c, address, 0));
	SUBMIT(queue, tma_cp_async_bulk_prefetch(&c, address, BYTES));
	SUBMIT(queue, tma_cp_async_bulk_wait_group_read(&c, 0xFFFFFFFF));
	wait_stores(queue);
	SUBMIT(queue, tma_signal(&c, 0xCAFE));
	assert_int_equal(wait_kind(queue, TMA_KIND_SIGNAL).tag, 0xCAFE);
}

/* More commands than the queue is deep; sequence numbers and tags come back; a queue that is
 * opened again starts anew. */
static void test_sequence(struct tma_device *device)
{
	const struct tma_queue_options options = { .size = sizeof(options),
		                                   .depth = 4,
		                                   .front = plain_front() };
	struct tma_queue *queue;
	struct tma_record record;
	struct tma_command command;
	uint64_t commands, before = 0;

	for (uint32_t round = 0; round < 2; round++) {
		assert_int_equal(tma_queue_open(device, 0, &options, &queue), 0);
		for (uint32_t i = 0; i < 50; i++) {
			tma_signal(&command, 1000 + i);
			assert_int_equal(tma_submit(queue, &command), i);
		}
		for (uint32_t i = 0; i < 50; i++) {
			record = wait_kind(queue, TMA_KIND_SIGNAL);
			assert_int_equal(record.sequence, i);
			assert_int_equal(record.tag, 1000 + i);
		}
		assert_int_equal(tma_poll(queue, &record), 0);
		tma_queue_close(queue);
		assert_int_equal(tma_counter(device, TMA_COUNTER_COMMANDS, &commands), 0);
		assert_int_equal(commands - before, 50);
		before = commands;
	}
}

/* Closing a queue drops what is blocked in it, and records that nobody has taken. */
static void test_close_blocked(struct tma_device *device)
{
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct tma_record record;

	init_barrier(queue, MBAR, 1);
	SUBMIT(queue, tma_signal(&c, 7));
	SUBMIT(queue, tma_signal(&c, 8));
	SUBMIT(queue, tma_mbarrier_try_wait_parity(&c, MBAR, 0, TMA_NO_LIMIT));
	SUBMIT(queue, tma_signal(&c, 1));
	assert_int_equal(wait_kind(queue, TMA_KIND_SIGNAL).tag, 7);
	tma_queue_close(queue);

	queue = open_queue(device, 0, 0);
	SUBMIT(queue, tma_signal(&c, 2));
	record = wait_kind(queue, TMA_KIND_SIGNAL);
	assert_int_equal(record.tag, 2);
	assert_int_equal(record.sequence, 0);
}

const struct host_test program_tests[] = {
	{ "info", test_info },
	{ "smem", test_smem },
	{ "memory", test_memory },
	{ "load", test_load },
	{ "multicast", test_multicast },
	{ "store", test_store },
	{ "store_masked", test_store_masked },
	{ "shared", test_shared },
	{ "barrier_answers", test_barrier_answers },
	{ "two_queues", test_two_queues },
	{ "nothing_to_do", test_nothing_to_do },
	{ "sequence", test_sequence },
	{ "close_blocked", test_close_blocked },
	{ 0 },
};
