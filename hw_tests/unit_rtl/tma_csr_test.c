/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_csr_test - every word of the register space, what it refuses, and the counters.
 *
 * Requirement: the register table (rtl/spec/tma.rdl). A refused access answers SLVERR and changes
 * nothing: unknown or read-only addresses, set-up and windows of a queue that is enabled or closing,
 * multimem windows that such a queue may use, CTAs, queues, ports and windows that do not exist, sizes of rings
 * that are out of range; on the page of a queue what does not fit its state. Byte strobes hold, for
 * bits that are cleared by a 1 too.
 * Checks: responses and data against a map of the registers in C; the set-up outputs; doorbells,
 * recovery pulses and the interrupt in every cycle; counters to the cycle; AXI4-Lite order and
 * stability; the latency of a doorbell; the unit's assertions.
 */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/tma_csr_env.h"

#define SPACE 0x20000u

/* After reset the whole space reads as the table says. */
BENCH_TEST(every_word_reads, 1)
{
	for (uint32_t a = 0; a < SPACE; a += 4)
		check_read(b, a);
	random_state(b);
	b->in->idle = 1;
	for (uint32_t a = 0; a < 0x3100; a += 4)
		check_read(b, a);
}

/* Writes to the whole space, registers with a function excepted, are refused and change nothing. */
BENCH_TEST(every_other_word_refuses, 2)
{
	struct csr_map before;

	for (uint32_t a = 0; a < SPACE; a += 4) {
		if (csr_map_writable(&b->map, a))
			continue;
		before = b->map;
		do_write(b, a, (uint32_t)rng_next(&b->rng), ALL);
		assert_memory_equal(&before, &b->map, sizeof(before));
	}
	check_setup(b);
	for (uint32_t a = 0; a < 0x3100; a += 4)
		check_read(b, a);
}

BENCH_TEST(windows, 3)
{
	const struct unit_shape *info = unit_shape();
	uint32_t q, w;

	for (q = 0; q < info->queues; q++) {
		for (w = 0; w < info->windows; w++) {
			do_write(b, CSR_WINDOW_INDEX, q << 8 | w, ALL);
			for (uint32_t k = CSR_WINDOW_ATTR; k <= CSR_WINDOW_LIMIT_HI; k += 4)
				do_write(b, k, (uint32_t)rng_next(&b->rng), ALL);
		}
	}
	check_setup(b);
	for (uint32_t i = 0; i < 100; i++) {
		q = rng_below(&b->rng, info->queues);
		w = rng_below(&b->rng, info->windows);
		do_write(b, CSR_WINDOW_INDEX, q << 8 | w, ALL);
		for (uint32_t k = CSR_WINDOW_INDEX; k <= CSR_WINDOW_LIMIT_HI; k += 4)
			check_read(b, k);
		/* What does not exist cannot be selected. */
		do_write(b, CSR_WINDOW_INDEX, q << 8 | (info->windows + rng_below(&b->rng, 200)), ALL);
		do_write(b, CSR_WINDOW_INDEX, (info->queues + rng_below(&b->rng, 200)) << 8 | w, ALL);
		check_read(b, CSR_WINDOW_INDEX);
	}
	/* A reset closes them all. */
	bench_reset(b);
	for (uint32_t k = CSR_WINDOW_INDEX; k <= CSR_WINDOW_LIMIT_HI; k += 4)
		check_read(b, k);
	check_setup(b);
}

/* The set-up of a queue that is enabled, or closing, is locked, everything else is not. */
BENCH_TEST(locked, 4)
{
	static const uint32_t set_up[] = { CSR_CTA,           CSR_STREAM,          CSR_RING_BASE,
		                           CSR_RING_BASE + 4, CSR_COMPLETION_BASE, CSR_COMPLETION_BASE + 4,
		                           CSR_RING_SIZE,     CSR_CANCEL_MASK };
	uint32_t i, k, last = unit_shape()->queues - 1;

	for (i = 0; i < 8; i++)
		assert_int_equal(do_write(b, CSR_QUEUE(0) + set_up[i], 0x06050001, ALL),
		                 set_up[i] == CSR_RING_SIZE ? SLVERR : OKAY);
	assert_int_equal(do_write(b, CSR_QUEUE(0) + CSR_CONTROL, 1, ALL), OKAY);
	check_setup(b);
	for (i = 0; i < 8; i++)
		assert_int_equal(do_write(b, CSR_QUEUE(0) + set_up[i], 0x00000505, ALL), SLVERR);
	for (k = CSR_WINDOW_ATTR; k <= CSR_WINDOW_LIMIT_HI; k += 4)
		assert_int_equal(do_write(b, k, ~0u, ALL), SLVERR);
	check_setup(b);
	/* Another queue's are open. */
	for (i = 0; i < 8; i++)
		assert_int_equal(do_write(b, CSR_QUEUE(last) + set_up[i], 0x00000601, ALL),
		                 set_up[i] == CSR_RING_SIZE ? SLVERR : OKAY);
	do_write(b, CSR_WINDOW_INDEX, last << 8, ALL);
	for (k = CSR_WINDOW_ATTR; k <= CSR_WINDOW_LIMIT_HI; k += 4)
		assert_int_equal(do_write(b, k, ~0u, ALL), OKAY);
	assert_int_equal(do_write(b, CSR_AXCACHE, 0xF, ALL), OKAY);
	assert_int_equal(do_write(b, CSR_WATCHDOG, 77, ALL), OKAY);
	assert_int_equal(do_write(b, CSR_BEHAVIOUR, 1, ALL), OKAY);
	check_setup(b);
	/* And so are its own, once it is disabled and has closed. */
	assert_int_equal(do_write(b, CSR_QUEUE(0) + CSR_CONTROL, 0, ALL), OKAY);
	do_write(b, CSR_WINDOW_INDEX, 0, ALL);
	for (k = 0; k < 2; k++) {
		b->in->active[0] = k == 0;
		b->in->closing[0] = k == 1;
		for (i = 0; i < 8; i++)
			assert_int_equal(do_write(b, CSR_QUEUE(0) + set_up[i], 0x00000505, ALL), SLVERR);
		assert_int_equal(do_write(b, CSR_WINDOW_BASE_LO, ~0u, ALL), SLVERR);
		check_setup(b);
	}
	b->in->closing[0] = 0;
	assert_int_equal(do_write(b, CSR_WINDOW_BASE_LO, ~0u, ALL), OKAY);
	for (i = 0; i < 8; i++)
		assert_int_equal(do_write(b, CSR_QUEUE(0) + set_up[i],
		                          0x00000800 | 4 * (set_up[i] != CSR_CTA), ALL),
		                 OKAY);
	check_setup(b);
	assert_int_equal(b->map.cfg[0].cta_mask, 0);
}

/* A queue changes its front end while it is disabled, or together with that. */
BENCH_TEST(front_ends, 9)
{
	uint32_t control = CSR_QUEUE(1) + CSR_CONTROL;

	assert_int_equal(do_write(b, control, 2, ALL), OKAY);
	assert_int_equal(do_write(b, control, 0, ALL), OKAY);
	assert_int_equal(do_write(b, control, 3, ALL), OKAY);
	assert_int_equal(do_write(b, control, 1, ALL), SLVERR);
	assert_int_equal(do_write(b, control, 3, ALL), OKAY);
	check_setup(b);
	assert_int_equal(do_write(b, control, 0, ALL), OKAY);
	assert_int_equal(do_write(b, control, 1, ALL), OKAY);
	assert_int_equal(do_write(b, control, 3, ALL), SLVERR);
	assert_int_equal(do_write(b, control, 2, ALL), OKAY);
	check_setup(b);
	assert_int_equal(b->map.cfg[1].ring, 1);
}

/* Rings have 2^4 to 2^16 slots, whatever the bits around the sizes are. */
BENCH_TEST(ring_sizes, 10)
{
	b->impatient = true;
	for (uint32_t ring = 0; ring < 32; ring++) {
		for (uint32_t completion = 0; completion < 32; completion++)
			assert_int_equal(
				do_write(b, CSR_QUEUE(1) + CSR_RING_SIZE,
			                 ring | completion << 8 | ((uint32_t)rng_next(&b->rng) & ~0x1F1Fu),
			                 ALL),
				ring >= 4 && ring <= 16 && completion >= 4 && completion <= 16 ? OKAY
											       : SLVERR);
		check_read(b, CSR_QUEUE(1) + CSR_RING_SIZE);
		check_setup(b);
	}
}

BENCH_TEST(multimem, 11)
{
	const struct unit_shape *info = unit_shape();
	uint32_t w, p, k, last = info->queues - 1;

	for (w = 0; w < info->multimem; w++) {
		for (p = 0; p < info->ports; p++) {
			assert_int_equal(do_write(b, CSR_MULTIMEM_INDEX, p << 8 | w, ALL), OKAY);
			for (k = CSR_MULTIMEM_PORTS; k <= CSR_MULTIMEM_PORT + 4; k += 4)
				assert_int_equal(do_write(b, k, (uint32_t)rng_next(&b->rng), ALL), OKAY);
		}
	}
	check_setup(b);
	for (w = 0; w < info->multimem; w++) {
		for (p = 0; p < info->ports; p++) {
			do_write(b, CSR_MULTIMEM_INDEX, p << 8 | w, ALL);
			for (k = CSR_MULTIMEM_INDEX; k <= CSR_MULTIMEM_PORT + 4; k += 4)
				check_read(b, k);
			/* What does not exist cannot be selected. */
			assert_int_equal(do_write(b, CSR_MULTIMEM_INDEX, p << 8 | info->multimem, ALL),
			                 SLVERR);
			assert_int_equal(do_write(b, CSR_MULTIMEM_INDEX, info->ports << 8 | w, ALL), SLVERR);
			check_read(b, CSR_MULTIMEM_INDEX);
		}
	}
	/* A queue locks them when it is enabled and has a window that lets it use them. */
	do_write(b, CSR_WINDOW_INDEX, last << 8 | (info->windows - 1), ALL);
	do_write(b, CSR_WINDOW_ATTR, 3, ALL);
	do_write(b, CSR_QUEUE(last) + CSR_CONTROL, 1, ALL);
	assert_int_equal(do_write(b, CSR_MULTIMEM_PORTS, 1, ALL), OKAY);
	do_write(b, CSR_QUEUE(last) + CSR_CONTROL, 0, ALL);
	do_write(b, CSR_WINDOW_ATTR, 4, ALL);
	assert_int_equal(do_write(b, CSR_MULTIMEM_PORTS, 0, ALL), OKAY);
	do_write(b, CSR_QUEUE(0) + CSR_CONTROL, 1, ALL);
	assert_int_equal(do_write(b, CSR_MULTIMEM_PORTS, 1, ALL), OKAY);
	do_write(b, CSR_QUEUE(last) + CSR_CONTROL, 1, ALL);
	for (k = CSR_MULTIMEM_PORTS; k <= CSR_MULTIMEM_PORT + 4; k += 4)
		assert_int_equal(do_write(b, k, 0x5000, ALL), SLVERR);
	assert_int_equal(do_write(b, CSR_MULTIMEM_INDEX, 0, ALL), OKAY);
	check_setup(b);
	/* A reset closes them all. */
	bench_reset(b);
	for (k = CSR_MULTIMEM_INDEX; k <= CSR_MULTIMEM_PORT + 4; k += 4)
		check_read(b, k);
	check_setup(b);
}

/* An address that hits something, and a value that may be accepted there. */
static uint32_t random_address(struct bench *b, uint32_t *value)
{
	static const uint32_t ringed[] = { CSR_TAIL, CSR_RESUME, CSR_RESUME };
	uint32_t q = rng_below(&b->rng, unit_shape()->queues + 1);
	uint32_t known = q % unit_shape()->queues;

	/* Small values are the ones that indexes, sizes and ranks accept. */
	*value = (uint32_t)rng_next(&b->rng) & (rng_percent(&b->rng, 50) ? ~0u : 0x707);
	switch (rng_below(&b->rng, 7)) {
	case 0:
		return rng_below(&b->rng, 0x90);
	case 1:
		return CSR_WINDOW_INDEX + 4 * rng_below(&b->rng, 6);
	case 2:
		return CSR_MULTIMEM_INDEX + 4 * rng_below(&b->rng, 8);
	case 3:
		return CSR_QUEUE(q) + rng_below(&b->rng, 0x48);
	case 4:
		return CSR_DOOR(q) + rng_below(&b->rng, 0x48);
	case 5:
		if (rng_percent(&b->rng, 50)) {
			uint32_t taken = b->map.consumer[known];

			*value = near(b, taken, taken + b->in->held_records[known]);
			return CSR_DOOR(q) + CSR_CONSUMER;
		}
		*value = near(b, b->in->head[known], b->in->tail[known]);
		return CSR_DOOR(q) + ringed[rng_below(&b->rng, 3)];
	default:
		return rng_below(&b->rng, SPACE);
	}
}

/* Reads and writes of everything, in any order, with any strobes. */
BENCH_TEST(random_accesses, 5)
{
	uint32_t a, value;

	b->record_percent = 5;
	for (uint32_t i = 0; i < 30000; i++) {
		a = random_address(b, &value);
		if (a >= CSR_COUNTER(0) && a < CSR_COUNTER(CSR_COUNTERS))
			continue;
		if (rng_percent(&b->rng, 50))
			check_read(b, a);
		else
			do_write(b, a, value, rng_percent(&b->rng, 70) ? ALL : rng_below(&b->rng, 16));
		if (i % 16 == 0)
			check_setup(b);
		if (i % 64 == 0)
			random_state(b);
	}
}

/* Every counter counts its event, exactly, whatever the reads in between. */
BENCH_TEST(counters, 6)
{
	uint64_t at[CSR_COUNTERS];
	uint32_t k, low, high;

	for (uint32_t i = 0; i < 3000; i++) {
		b->event_percent = i % 7 * 16;
		b->in->idle = i % 5 != 0;
		k = rng_below(&b->rng, CSR_COUNTERS);
		assert_int_equal(read_word(b, CSR_COUNTER(k), &low, at), 0);
		assert_int_equal(low, at[k]);
		assert_int_equal(read_word(b, CSR_COUNTER(k) + 4, &high, NULL), 0);
		assert_int_equal(high, 0);
		while (rng_percent(&b->rng, 60))
			step(b);
	}
}

/* The halves belong together, and every counter keeps a high half of its own. */
BENCH_TEST(high_halves, 7)
{
	static const uint64_t start[] = { UINT64_C(0x12FFFFFFFD), UINT64_C(0x45FFFFFFFE), UINT64_MAX - 5 };
	uint64_t at[3][CSR_COUNTERS];
	uint32_t low, high;

	/* The first access waits until the window table is cleared; every counter has had its turn then. */
	check_read(b, CSR_MAGIC);
	for (uint32_t k = 0; k < 40; k++)
		step(b);
	for (uint32_t k = 0; k < 3; k++) {
		csr_poke_counter(b->unit, k, start[k]);
		b->counted[k] = start[k];
	}
	b->event_percent = 100;
	for (uint32_t k = 0; k < 3; k++) {
		assert_int_equal(read_word(b, CSR_COUNTER(k), &low, at[k]), 0);
		assert_int_equal(low, (uint32_t)at[k][k]);
	}
	for (uint32_t k = 0; k < 100; k++)
		step(b);
	for (uint32_t k = 0; k < 3; k++) {
		assert_int_equal(read_word(b, CSR_COUNTER(k) + 4, &high, NULL), 0);
		assert_int_equal(high, (uint32_t)(at[k][k] >> 32));
	}
	/* The first one has wrapped since, the second one before its read. */
	assert_true(at[0][0] >> 32 == 0x12 && b->counted[0] >> 32 == 0x13);
	assert_true(at[1][1] >> 32 == 0x46);
}

/* Reads and writes that wait at once take turns, so neither keeps the other out. */
BENCH_TEST(take_turns, 8)
{
	uint32_t i, reads = 0, writes = 0;

	b->in->axil.awvalid = b->in->axil.wvalid = b->in->axil.arvalid = 1;
	b->in->axil.bready = b->in->axil.rready = 1;
	b->in->axil.awaddr = CSR_AXCACHE;
	b->in->axil.wdata = 5;
	b->in->axil.wstrb = 15;
	b->in->axil.araddr = CSR_MAGIC;
	/* The window table is cleared first. */
	eval(b);
	for (i = 0; !b->out->axil.awready && !b->out->axil.arready; i++) {
		assert_true(i < 200);
		step(b);
		eval(b);
	}
	for (i = 0; i < 50u * (9 + 2 * unit_shape()->short_paths); i++) {
		eval(b);
		reads += b->out->axil.arready;
		writes += b->out->axil.awready;
		step(b);
	}
	assert_int_equal(reads, 50);
	assert_int_equal(writes, 50);
}
