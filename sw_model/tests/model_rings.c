/* SPDX-License-Identifier: Apache-2.0 */
/* Rings for the model's tests. */
#include "model_rings.h"

struct tma_queue_config ring_config(const struct fixture *f, uint32_t q)
{
	struct tma_queue_config c = f->queues[q];

	c.enable = 1;
	c.ring = 1;
	c.ring_slots_log2 = RING_SLOTS_LOG2;
	c.completion_slots_log2 = RING_SLOTS_LOG2;
	c.ring_base = RING_AT(q);
	c.completion_base = COMPLETION_AT(q);
	return c;
}

/* Records of a former life would look like new ones. */
void ring_start(struct fixture *f, uint32_t q)
{
	struct tma_queue_config c = ring_config(f, q);

	memset(f->global + (COMPLETION_AT(q) - GLOBAL), 0, PAGE);
	requeue(f, q, &c, NULL);
	remember(f);
}

void ring_put(struct fixture *f, uint32_t q, uint32_t n, struct tma_command command)
{
	memcpy(f->global + (SLOT_AT(q, n) - GLOBAL), &command, sizeof(command));
}

void ring_doorbell(struct fixture *f, uint32_t q, uint32_t tail)
{
	assert_int_equal(tma_model_doorbell(f->m, q, tail), 0);
}

void ring_submit(struct fixture *f, uint32_t q, struct tma_command command)
{
	uint32_t tail = status_of(f, q).tail;

	ring_put(f, q, tail, command);
	ring_doorbell(f, q, tail + 1);
}

void ring_issue(struct fixture *f, uint32_t q, struct tma_command command)
{
	ring_submit(f, q, command);
	assert_true(tma_model_run(f->m) >= 0);
}

void ring_take(struct fixture *f, uint32_t q, uint32_t left)
{
	assert_int_equal(tma_model_consumer(f->m, q, status_of(f, q).producer - left), 0);
}

void expect_ring_record(struct fixture *f, uint32_t q, uint32_t n, struct tma_record expected)
{
	struct tma_record r;

	expected.queue = (uint8_t)q;
	expected.phase = n / RING_SLOTS % 2 == 0;
	assert_true(status_of(f, q).producer - n - 1 < RING_SLOTS);
	memcpy(&r, f->global + (RECORD_AT(q, n) - GLOBAL), sizeof(r));
	assert_memory_equal(&r, &expected, sizeof(r));
}

void expect_ring_fault(struct fixture *f, uint32_t q, uint32_t n, uint16_t code, uint64_t address)
{
	struct tma_queue_status s = status_of(f, q);

	assert_int_equal(s.faulted, 1);
	assert_int_equal(s.waiting, 0);
	assert_int_equal(s.full, 0);
	assert_int_equal(s.fault, code);
	assert_int_equal(s.fault_count, 1);
	assert_int_equal(s.fault_address, address);
	expect_ring_record(f, q, n,
	                   (struct tma_record){ .sequence = s.fault_sequence,
	                                        .kind = TMA_KIND_FAULT,
	                                        .fault = code,
	                                        .address = address,
	                                        .tag = s.fault_tag });
}
