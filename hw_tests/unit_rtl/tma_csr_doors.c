/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the queues' pages. */
#include "unit_rtl/tma_csr_env.h"

/* An active queue with this ring and completion ring. */
static void make_active(struct bench *b, uint32_t q, uint32_t head, uint32_t tail, uint32_t producer)
{
	do_write(b, CSR_QUEUE(q) + CSR_CONTROL, 3, ALL);
	b->in->active[q] = b->in->drained[q] = 1;
	b->in->closing[q] = b->in->busy[q] = b->in->waiting[q] = b->in->full[q] = 0;
	b->in->head[q] = head;
	b->in->tail[q] = tail;
	b->in->producer[q] = b->in->held_records[q] = producer;
	b->map.status[q] = (struct csr_queue_status){ 0 };
}

/* Who may ring, and how soon it is heard: the cycle before BVALID, three behind the handshake. */
BENCH_TEST(csr_doorbell, 12)
{
	uint32_t q, last = unit_shape()->queues - 1;
	uint64_t begin;

	b->impatient = true;
	for (q = 0; q <= last; q += last) {
		uint32_t tail = CSR_DOOR(q) + CSR_TAIL;

		assert_int_equal(do_write(b, tail, 1, ALL), SLVERR);
		do_write(b, CSR_QUEUE(q) + CSR_CONTROL, 1, ALL);
		b->in->active[q] = 1;
		assert_int_equal(do_write(b, tail, 1, ALL), SLVERR);
		do_write(b, CSR_QUEUE(q) + CSR_CONTROL, 0, ALL);
		make_active(b, q, 100, 0x12345678, 0);
		begin = b->cycle;
		assert_int_equal(do_write(b, tail, 101, ALL), OKAY);
		assert_int_equal(b->cycle - begin, 5 + unit_shape()->short_paths);
		/* Bytes that are not strobed are the tail's. */
		assert_int_equal(do_write(b, tail, 0xFFFFFFFF, 2), OKAY);
		assert_int_equal(do_write(b, tail, 0, 0), OKAY);
		/* No refusal for what is out of reach: that is a fault. */
		assert_int_equal(do_write(b, tail, 0x80000000, ALL), OKAY);
		b->in->active[q] = 0;
		b->in->closing[q] = 1;
		assert_int_equal(do_write(b, tail, 1, ALL), SLVERR);
	}
}

BENCH_TEST(csr_consumer, 13)
{
	uint32_t address = CSR_DOOR(1) + CSR_CONSUMER, at = 0;

	assert_int_equal(do_write(b, address, 0, ALL), SLVERR);
	make_active(b, 1, 0, 0, 10);
	assert_int_equal(do_write(b, address, 11, ALL), SLVERR);
	/* Software may have seen a record that PRODUCER does not count yet. */
	b->in->producer[1] = 7;
	assert_int_equal(do_write(b, address, 10, ALL), OKAY);
	b->in->held_records[1] = 0;
	assert_int_equal(do_write(b, address, 9, ALL), SLVERR);
	assert_int_equal(do_write(b, address, 10, ALL), OKAY);
	check_setup(b);
	/* All the way round. */
	b->in->held_records[1] = 1u << 16;
	assert_int_equal(do_write(b, address, 10 + (1u << 16) + 1, ALL), SLVERR);
	for (at = 10; at < 0u - (1u << 16); at += 1u << 16)
		assert_int_equal(do_write(b, address, at, ALL), OKAY);
	assert_int_equal(do_write(b, address, at, ALL), OKAY);
	b->in->held_records[1] = 12;
	assert_int_equal(do_write(b, address, at + 13, ALL), SLVERR);
	b->in->held_records[1] = 1u << 16;
	assert_int_equal(do_write(b, address, 2, ALL), OKAY);
	check_read(b, address);
	/* The queue's next life begins at 0. */
	b->in->active[1] = 0;
	assert_int_equal(do_write(b, address, 2, ALL), SLVERR);
	check_read(b, address);
	check_setup(b);
	b->in->active[1] = 1;
	check_read(b, address);
}

/* One bit per queue: set by records, cleared by a 1 whose byte is strobed. */
BENCH_TEST(csr_interrupts, 14)
{
	const struct unit_shape *info = unit_shape();
	uint32_t q;

	for (q = 0; q < info->queues; q++) {
		b->in->active[q] = 1;
		do_write(b, CSR_DOOR(q) + CSR_INT_ENABLE, q & 1, ALL);
	}
	b->record_percent = 100;
	while (b->map.pending != (1u << info->queues) - 1)
		step(b);
	b->record_percent = 0;
	check_read(b, CSR_DOOR(1) + CSR_PENDING);
	assert_int_equal(b->out->irq, 1);
	do_write(b, CSR_DOOR(1) + CSR_PENDING, 1, 14);
	do_write(b, CSR_DOOR(1) + CSR_PENDING, 0xFFFFFFFE, ALL);
	assert_int_equal(b->map.pending >> 1 & 1, 1);
	check_read(b, CSR_DOOR(1) + CSR_PENDING);
	do_write(b, CSR_DOOR(1) + CSR_PENDING, 1, 1);
	check_read(b, CSR_DOOR(1) + CSR_PENDING);
	/* Bits of other queues stay; those that end their life do not. */
	check_read(b, CSR_DOOR(0) + CSR_PENDING);
	b->in->active[0] = 0;
	step(b);
	b->in->active[0] = 1;
	check_read(b, CSR_DOOR(0) + CSR_PENDING);
	/* Records come whenever they like, also in the cycle in which their bit is cleared. */
	for (uint32_t i = 0; i < 3000; i++) {
		b->record_percent = i % 4 * 20;
		q = rng_below(&b->rng, info->queues);
		b->in->active[q] = rng_percent(&b->rng, 90);
		q = rng_below(&b->rng, info->queues);
		if (rng_percent(&b->rng, 30))
			do_write(b, CSR_DOOR(q) + CSR_INT_ENABLE, rng_below(&b->rng, 2),
			         rng_below(&b->rng, 16));
		else if (rng_percent(&b->rng, 30))
			check_read(b, CSR_DOOR(q) + CSR_PENDING);
		else
			do_write(b, CSR_DOOR(q) + CSR_PENDING, rng_below(&b->rng, 4), rng_below(&b->rng, 16));
	}
}

/* RESUME wants a fault, nothing in flight, and a place in the ring; RESET and CANCEL a queue that is on. */
BENCH_TEST(csr_recovery, 15)
{
	uint32_t resume = CSR_DOOR(1) + CSR_RESUME, reset = CSR_DOOR(1) + CSR_RESET;
	uint32_t cancel = CSR_DOOR(1) + CSR_CANCEL;

	assert_int_equal(do_write(b, reset, 1, ALL), SLVERR);
	assert_int_equal(do_write(b, cancel, 1, ALL), SLVERR);
	make_active(b, 1, 0xFFFFFFFE, 2, 0);
	assert_int_equal(do_write(b, resume, 0, ALL), SLVERR);
	b->map.status[1].faulted = 1;
	b->in->drained[1] = 0;
	assert_int_equal(do_write(b, resume, 0, ALL), SLVERR);
	b->in->drained[1] = 1;
	assert_int_equal(do_write(b, resume, 0xFFFFFFFD, ALL), SLVERR);
	assert_int_equal(do_write(b, resume, 3, ALL), SLVERR);
	assert_int_equal(do_write(b, resume, 0xFFFFFFFE, ALL), OKAY);
	assert_int_equal(do_write(b, resume, 0, ALL), OKAY);
	assert_int_equal(do_write(b, resume, 2, ALL), OKAY);
	/* TAIL went back behind HEAD: nothing is held. */
	b->in->tail[1] = 0xFFFFFFFB;
	assert_int_equal(do_write(b, resume, 0xFFFFFFFB, ALL), SLVERR);
	assert_int_equal(do_write(b, resume, 0xFFFFFFFF, ALL), SLVERR);
	assert_int_equal(do_write(b, resume, 0xFFFFFFFE, ALL), OKAY);
	b->in->tail[1] = 2;
	/* Without a strobe it is no RESUME. */
	assert_int_equal(do_write(b, resume, 1, 0), OKAY);
	assert_int_equal(do_write(b, resume, 0xFF01, 1), OKAY);
	assert_int_equal(do_write(b, reset, 1, ALL), OKAY);
	assert_int_equal(do_write(b, reset, 0xFFFFFFFE, ALL), OKAY);
	assert_int_equal(do_write(b, reset, 1, 14), OKAY);
	assert_int_equal(do_write(b, cancel, 1, ALL), OKAY);
	assert_int_equal(do_write(b, cancel, 0xFFFFFFFE, ALL), OKAY);
	assert_int_equal(do_write(b, cancel, 1, 14), OKAY);
	/* A queue on its way out can be reset and cancelled still; a direct one has no other rules. */
	b->in->active[1] = 0;
	assert_int_equal(do_write(b, reset, 1, ALL), OKAY);
	assert_int_equal(do_write(b, cancel, 1, ALL), OKAY);
	do_write(b, CSR_QUEUE(1) + CSR_CONTROL, 0, ALL);
	do_write(b, CSR_QUEUE(1) + CSR_CONTROL, 1, ALL);
	b->in->active[1] = 1;
	assert_int_equal(do_write(b, resume, 1, ALL), OKAY);
	assert_int_equal(do_write(b, cancel, 1, ALL), OKAY);
}
