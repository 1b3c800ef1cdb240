/* SPDX-License-Identifier: Apache-2.0 */
/* A small engine in a known state, and expectations on all of its memory. */
#include "model_fixture.h"

#include <stdio.h>
#include <stdlib.h>

static uint8_t pattern(uint32_t memory, uint32_t index)
{
	uint32_t z = (memory + 1) * 0x9E3779B9u + index * 0x85EBCA6Bu;

	z = (z ^ z >> 15) * 0x2C1B3C6Du;
	return (uint8_t)(z >> 21);
}

struct fixture *fixture_new(void)
{
	return fixture_late(0);
}

struct fixture *fixture_late(uint64_t seed)
{
	const struct tma_model_config config = { .ctas = CTAS,
		                                 .smem_bytes = SMEM_BYTES,
		                                 .queues = QUEUES,
		                                 .windows = 2,
		                                 .ports = 2,
		                                 .reductions = TMA_MODEL_REDUCE | TMA_MODEL_REDUCE_F64,
		                                 .seed = seed };
	static const struct tma_window all = { GLOBAL, GLOBAL_END - 1, TMA_WINDOW_READ | TMA_WINDOW_WRITE };
	static const struct tma_queue_config queues[QUEUES] = {
		{ .enable = 1, .cta = 0, .cta_mask = 0xf },
		{ .enable = 1, .cta = 1, .cta_mask = 0xf },
		{ .enable = 1, .cta = 0, .cta_mask = 0x3 },
	};
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->m = tma_model_new(&config);
	assert_non_null(f->m);
	f->global = f->global_store + PAGE;
	for (uint32_t i = 0; i < sizeof(f->global_store); i++)
		f->global_store[i] = pattern(CTAS, i);
	for (uint32_t rank = 0; rank < CTAS; rank++) {
		for (uint32_t i = 0; i < SMEM_BYTES; i++)
			tma_model_smem(f->m, rank)[i] = pattern(rank, i);
		put_barrier(f, rank, BAR, barrier_word(1, 1, 0, 0));
		put_barrier(f, rank, BAR_LAST, barrier_word(1, 1, 0, 0));
	}
	assert_int_equal(tma_model_map(f->m, 0, GLOBAL, GLOBAL_BYTES, f->global), 0);
	for (uint32_t q = 0; q < QUEUES; q++)
		requeue(f, q, &queues[q], &all);
	remember(f);
	return f;
}

void fixture_free(struct fixture *f)
{
	tma_model_free(f->m);
	free(f);
}

void requeue(struct fixture *f, uint32_t q, const struct tma_queue_config *config,
             const struct tma_window *window)
{
	f->queues[q].enable = 0;
	assert_int_equal(tma_model_queue(f->m, q, &f->queues[q]), 0);
	if (window)
		assert_int_equal(tma_model_window(f->m, q, 0, window), 0);
	assert_int_equal(tma_model_queue(f->m, q, config), 0);
	f->queues[q] = *config;
}

void submit(struct fixture *f, uint32_t q, struct tma_command command)
{
	assert_int_equal(tma_model_submit(f->m, q, &command), 0);
}

uint32_t run_all(struct fixture *f)
{
	uint32_t calls = 0;
	int executed;

	do {
		executed = tma_model_run(f->m);
		assert_true(executed >= 0);
		calls++;
	} while (executed);
	return calls;
}

void issue(struct fixture *f, uint32_t q, struct tma_command command)
{
	submit(f, q, command);
	run_all(f);
}

void expect_record(struct fixture *f, struct tma_record expected)
{
	struct tma_record r;

	assert_int_equal(tma_model_next_record(f->m, &r), 1);
	assert_int_equal(r.queue, expected.queue);
	assert_int_equal(r.kind, expected.kind);
	assert_int_equal(r.fault, expected.fault);
	assert_int_equal(r.sequence, expected.sequence);
	assert_int_equal(r.value, expected.value);
	assert_int_equal(r.address, expected.address);
	assert_int_equal(r.tag, expected.tag);
	assert_int_equal(r.phase, 0);
}

void expect_no_record(struct fixture *f)
{
	struct tma_record r;

	if (!tma_model_next_record(f->m, &r))
		return;
	fail_msg("queue %u: record of kind %u, fault 0x%04x, address 0x%llx, value 0x%llx", r.queue, r.kind,
	         r.fault, (unsigned long long)r.address, (unsigned long long)r.value);
}

void expect_fault(struct fixture *f, uint32_t q, uint16_t code, uint64_t address)
{
	struct tma_queue_status s = status_of(f, q);

	expect_record(f, (struct tma_record){ .queue = (uint8_t)q,
	                                      .kind = TMA_KIND_FAULT,
	                                      .fault = code,
	                                      .sequence = s.fault_sequence,
	                                      .address = address,
	                                      .tag = s.fault_tag });
	assert_int_equal(s.faulted, 1);
	assert_int_equal(s.waiting, 0);
	assert_int_equal(s.fault, code);
	assert_int_equal(s.fault_count, 1);
	assert_int_equal(s.fault_address, address);
}

void expect_quiet(struct fixture *f, uint32_t q, struct tma_command command)
{
	issue(f, q, command);
	expect_no_record(f);
	assert_int_equal(status_of(f, q).queued, 0);
}

struct tma_model *small_model(uint32_t data_bytes)
{
	return tma_model_new(
		&(struct tma_model_config){ .ctas = 1, .smem_bytes = 1024, .data_bytes = data_bytes });
}

struct tma_queue_status model_status(struct tma_model *m, uint32_t q)
{
	struct tma_queue_status s;

	assert_int_equal(tma_model_queue_status(m, q, &s), 0);
	return s;
}

struct tma_queue_status status_of(struct fixture *f, uint32_t q)
{
	return model_status(f->m, q);
}

void remember(struct fixture *f)
{
	for (uint32_t rank = 0; rank < CTAS; rank++)
		memcpy(f->expected.smem[rank], tma_model_smem(f->m, rank), SMEM_BYTES);
	memcpy(f->expected.global, f->global_store, sizeof(f->global_store));
}

static void expect_bytes(const char *name, const uint8_t *got, const uint8_t *expected, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (got[i] != expected[i])
			fail_msg("%s: byte 0x%zx is 0x%02x, expected 0x%02x", name, i, got[i], expected[i]);
}

void expect_all_memory(struct fixture *f)
{
	for (uint32_t rank = 0; rank < CTAS; rank++) {
		char name[16];

		snprintf(name, sizeof(name), "CTA %u", rank);
		expect_bytes(name, tma_model_smem(f->m, rank), f->expected.smem[rank], SMEM_BYTES);
	}
	expect_bytes("global memory, a page in front", f->global_store, f->expected.global,
	             sizeof(f->global_store));
}

void expect_loaded(struct fixture *f, uint32_t rank, uint32_t offset, uint64_t address, uint32_t size)
{
	memcpy(f->expected.smem[rank] + offset, f->global + (address - GLOBAL), size);
}

void expect_stored(struct fixture *f, uint64_t address, uint32_t rank, uint32_t offset, uint32_t size)
{
	memcpy(f->expected.global + PAGE + (address - GLOBAL), tma_model_smem(f->m, rank) + offset, size);
}
