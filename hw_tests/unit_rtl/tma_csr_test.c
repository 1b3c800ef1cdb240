/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_csr_test - every word of the register space, what it refuses, and the counters.
 *
 * Requirement: the register table (rtl/spec/tma.rdl). A refused access answers SLVERR and changes
 * nothing: unknown or read-only addresses, set-up and windows of an enabled queue, CTAs, queues and
 * windows that do not exist.
 * Checks: responses and data against a map of the registers in C; the set-up outputs; counters to
 * the cycle; AXI4-Lite order and stability; the unit's assertions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the ones above. */
#include <cmocka.h>

#include "lib/rng.h"
#include "unit_rtl/tma_csr_map.h"
#include "unit_rtl/tma_csr_shim.h"

#define SPACE 0x10000u

struct bench {
	struct csr *unit;
	struct csr_in *in;
	const struct csr_out *out;
	struct csr_map map;
	struct rng rng;
	uint64_t counted[CSR_COUNTERS], cycle;
	uint32_t event_percent;
};

static void step(struct bench *b)
{
	uint32_t i;

	b->in->events = 0;
	for (i = 0; i < CSR_COUNTERS; i++)
		b->in->events |= (uint16_t)(rng_percent(&b->rng, b->event_percent) << i);
	csr_eval(b->unit);
	csr_tick(b->unit);
	for (i = 0; i < CSR_COUNTERS; i++)
		b->counted[i] += (b->in->events >> i & 1) || (i == 0 && !b->in->idle);
	b->cycle++;
}

static void reset(struct bench *b)
{
	uint32_t i;

	memset(&b->in->axil, 0, sizeof(b->in->axil));
	b->in->rst_n = 0;
	for (i = 0; i < 3; i++) {
		csr_eval(b->unit);
		csr_tick(b->unit);
	}
	b->in->rst_n = 1;
	memset(b->counted, 0, sizeof(b->counted));
	csr_map_reset(&b->map, csr_info());
}

static void bench_open(struct bench *b, uint64_t seed)
{
	memset(b, 0, sizeof(*b));
	b->rng = rng_make(seed, 1);
	b->unit = csr_open();
	b->in = csr_in(b->unit);
	b->out = csr_out(b->unit);
	b->in->idle = 1;
	reset(b);
}

static void bench_close(struct bench *b)
{
	csr_close(b->unit);
	assert_int_equal(unit_failed(), 0);
}

/* One read. `counted`, if given, gets what the counters were when it was taken. */
static uint32_t read_word(struct bench *b, uint32_t address, uint32_t *value, uint64_t *counted)
{
	uint32_t limit = 0, resp;

	b->in->axil.ar_valid = 1;
	b->in->axil.ar_addr = address;
	csr_eval(b->unit);
	while (!b->out->axil.ar_ready) {
		assert_true(limit++ < 200);
		step(b);
		csr_eval(b->unit);
	}
	step(b);
	if (counted)
		memcpy(counted, b->counted, sizeof(b->counted));
	b->in->axil.ar_valid = 0;
	csr_eval(b->unit);
	while (!b->out->axil.r_valid) {
		assert_true(limit++ < 200);
		step(b);
		csr_eval(b->unit);
	}
	while (rng_percent(&b->rng, 30))
		step(b);
	b->in->axil.r_ready = 1;
	csr_eval(b->unit);
	resp = b->out->axil.r_resp;
	*value = b->out->axil.r_data;
	step(b);
	b->in->axil.r_ready = 0;
	return resp;
}

/* One write; address and data come together or one after the other. */
static uint32_t write_word(struct bench *b, uint32_t address, uint32_t value, uint32_t strobes)
{
	uint32_t limit = 0, resp, order = rng_below(&b->rng, 3);

	b->in->axil.aw_valid = order != 1;
	b->in->axil.w_valid = order != 2;
	b->in->axil.aw_addr = address;
	b->in->axil.w_data = value;
	b->in->axil.w_strb = (uint8_t)strobes;
	while (order && rng_percent(&b->rng, 50)) {
		csr_eval(b->unit);
		/* Taken together or not at all, and never one of them alone. */
		assert_int_equal(b->out->axil.aw_ready, 0);
		assert_int_equal(b->out->axil.w_ready, 0);
		step(b);
	}
	b->in->axil.aw_valid = b->in->axil.w_valid = 1;
	csr_eval(b->unit);
	while (!b->out->axil.aw_ready) {
		assert_true(limit++ < 200);
		step(b);
		csr_eval(b->unit);
	}
	assert_int_equal(b->out->axil.w_ready, 1);
	step(b);
	b->in->axil.aw_valid = b->in->axil.w_valid = 0;
	csr_eval(b->unit);
	while (!b->out->axil.b_valid) {
		assert_true(limit++ < 200);
		step(b);
		csr_eval(b->unit);
	}
	while (rng_percent(&b->rng, 30))
		step(b);
	b->in->axil.b_ready = 1;
	csr_eval(b->unit);
	resp = b->out->axil.b_resp;
	step(b);
	b->in->axil.b_ready = 0;
	return resp;
}

/* The set-up that the engine sees is the map's. */
static void check_setup(struct bench *b)
{
	const struct csr_info *info = csr_info();
	uint32_t q, w;

	csr_eval(b->unit);
	csr_get_setup(b->unit);
	assert_int_equal(b->out->axcache, b->map.axcache);
	for (q = 0; q < info->queues; q++) {
		const struct csr_cfg *got = &b->out->cfg[q], *want = &b->map.cfg[q];

		assert_int_equal(got->enable, want->enable);
		assert_int_equal(got->cta, want->cta);
		assert_int_equal(got->cta_mask, want->cta_mask);
		assert_int_equal(got->stream, want->stream);
		assert_int_equal(got->prot, want->prot);
		for (w = 0; w < info->windows; w++) {
			const struct csr_window *x = &b->out->windows[q][w], *y = &b->map.windows[q][w];

			assert_true(x->base == y->base && x->limit == y->limit);
			assert_true(x->read == y->read && x->write == y->write && x->multimem == y->multimem);
		}
	}
}

/* Read and compare, but for counters: those move. */
static void check_read(struct bench *b, uint32_t address)
{
	uint32_t value, want = 0, resp = csr_map_read(&b->map, b->in, address, &want);

	assert_int_equal(read_word(b, address, &value, NULL), resp);
	assert_int_equal(value, want);
}

static void do_write(struct bench *b, uint32_t address, uint32_t value, uint32_t strobes)
{
	uint32_t resp = csr_map_write(&b->map, b->in, address, value, strobes);

	assert_int_equal(write_word(b, address, value, strobes), resp);
}

/* Values that differ from register to register and from queue to queue. */
static void random_state(struct bench *b)
{
	uint32_t q;

	b->in->idle = rng_below(&b->rng, 2) != 0;
	for (q = 0; q < CSR_MAX_QUEUES; q++) {
		struct csr_status *s = &b->in->status[q];

		b->in->busy[q] = rng_below(&b->rng, 2) != 0;
		b->in->waiting[q] = rng_below(&b->rng, 2) != 0;
		b->in->head[q] = (uint32_t)rng_next(&b->rng);
		s->faulted = rng_below(&b->rng, 2) != 0;
		s->code = (uint16_t)rng_next(&b->rng);
		s->count = (uint16_t)rng_next(&b->rng);
		s->seq = (uint32_t)rng_next(&b->rng);
		s->tag = (uint32_t)rng_next(&b->rng);
		s->address = rng_next(&b->rng);
	}
}

/* After reset the whole space reads as the table says. */
static void every_word_reads(void **state)
{
	uint32_t a;
	struct bench b;

	(void)state;
	bench_open(&b, 1);
	for (a = 0; a < SPACE; a += 4)
		check_read(&b, a);
	random_state(&b);
	b.in->idle = 1;
	for (a = 0; a < 0x1100; a += 4)
		check_read(&b, a);
	bench_close(&b);
}

/* Writes to the whole space, registers with a function excepted, are refused and change nothing. */
static void every_other_word_refuses(void **state)
{
	struct csr_map before;
	uint32_t a;
	struct bench b;

	(void)state;
	bench_open(&b, 2);
	for (a = 0; a < SPACE; a += 4) {
		if (csr_map_writable(&b.map, a))
			continue;
		before = b.map;
		do_write(&b, a, (uint32_t)rng_next(&b.rng), 15);
		assert_memory_equal(&before, &b.map, sizeof(before));
	}
	check_setup(&b);
	for (a = 0; a < 0x1100; a += 4)
		check_read(&b, a);
	bench_close(&b);
}

static void windows(void **state)
{
	const struct csr_info *info = csr_info();
	uint32_t i, q, w, k;
	struct bench b;

	(void)state;
	bench_open(&b, 3);
	for (q = 0; q < info->queues; q++) {
		for (w = 0; w < info->windows; w++) {
			do_write(&b, CSR_WINDOW_INDEX, q << 8 | w, 15);
			for (k = CSR_WINDOW_ATTR; k <= CSR_WINDOW_LIMIT_HI; k += 4)
				do_write(&b, k, (uint32_t)rng_next(&b.rng), 15);
		}
	}
	check_setup(&b);
	for (i = 0; i < 100; i++) {
		q = rng_below(&b.rng, info->queues);
		w = rng_below(&b.rng, info->windows);
		do_write(&b, CSR_WINDOW_INDEX, q << 8 | w, 15);
		for (k = CSR_WINDOW_INDEX; k <= CSR_WINDOW_LIMIT_HI; k += 4)
			check_read(&b, k);
		/* What does not exist cannot be selected. */
		do_write(&b, CSR_WINDOW_INDEX, q << 8 | (info->windows + rng_below(&b.rng, 200)), 15);
		do_write(&b, CSR_WINDOW_INDEX, (info->queues + rng_below(&b.rng, 200)) << 8 | w, 15);
		check_read(&b, CSR_WINDOW_INDEX);
	}
	/* A reset closes them all. */
	reset(&b);
	for (k = CSR_WINDOW_INDEX; k <= CSR_WINDOW_LIMIT_HI; k += 4)
		check_read(&b, k);
	check_setup(&b);
	bench_close(&b);
}

/* The set-up of an enabled queue is locked, everything else is not. */
static void locked(void **state)
{
	uint32_t k, last = csr_info()->queues - 1;
	struct bench b;

	(void)state;
	bench_open(&b, 4);
	do_write(&b, CSR_QUEUE(0) + CSR_CTA, 0x00010001, 15);
	do_write(&b, CSR_QUEUE(0) + CSR_STREAM, 0x00000212, 15);
	do_write(&b, CSR_QUEUE(0) + CSR_CONTROL, 1, 15);
	assert_int_equal(b.map.cfg[0].enable, 1);
	assert_int_equal(write_word(&b, CSR_QUEUE(0) + CSR_CTA, 0, 15), 2);
	assert_int_equal(write_word(&b, CSR_QUEUE(0) + CSR_STREAM, 0, 15), 2);
	for (k = CSR_WINDOW_ATTR; k <= CSR_WINDOW_LIMIT_HI; k += 4)
		assert_int_equal(write_word(&b, k, ~0u, 15), 2);
	check_setup(&b);
	/* Another queue's are open. */
	do_write(&b, CSR_QUEUE(last) + CSR_STREAM, 0x7FF, 15);
	do_write(&b, CSR_WINDOW_INDEX, last << 8, 15);
	for (k = CSR_WINDOW_ATTR; k <= CSR_WINDOW_LIMIT_HI; k += 4)
		assert_int_equal(csr_map_write(&b.map, b.in, k, ~0u, 15), write_word(&b, k, ~0u, 15));
	do_write(&b, CSR_AXCACHE, 0xF, 15);
	check_setup(&b);
	/* And so are its own, once it is disabled. */
	do_write(&b, CSR_QUEUE(0) + CSR_CONTROL, 0, 15);
	do_write(&b, CSR_QUEUE(0) + CSR_CTA, 0, 15);
	check_setup(&b);
	assert_int_equal(b.map.cfg[0].cta_mask, 0);
	bench_close(&b);
}

/* Reads and writes of everything, in any order, with any strobes. */
static void random_accesses(void **state)
{
	const struct csr_info *info = csr_info();
	uint32_t i, a;
	struct bench b;

	(void)state;
	bench_open(&b, 5);
	for (i = 0; i < 20000; i++) {
		switch (rng_below(&b.rng, 4)) {
		case 0:
			a = rng_below(&b.rng, 0x60);
			break;
		case 1:
			a = CSR_WINDOW_INDEX + 4 * rng_below(&b.rng, 6);
			break;
		case 2:
			a = CSR_QUEUE(rng_below(&b.rng, info->queues + 1)) + rng_below(&b.rng, 0x30);
			break;
		default:
			a = rng_below(&b.rng, SPACE);
			break;
		}
		if (a >= CSR_COUNTER(0) && a < CSR_COUNTER(CSR_COUNTERS))
			continue;
		if (rng_below(&b.rng, 2)) {
			check_read(&b, a);
			continue;
		}
		/* Small values are the ones that indexes and ranks accept. */
		do_write(&b, a, (uint32_t)rng_next(&b.rng) & (rng_below(&b.rng, 2) ? ~0u : 0x303),
		         rng_below(&b.rng, 2) ? 15 : rng_below(&b.rng, 16));
		if (i % 16 == 0)
			check_setup(&b);
		if (i % 256 == 0)
			random_state(&b);
	}
	bench_close(&b);
}

/* Every counter counts its event, exactly, whatever the reads in between. */
static void counters(void **state)
{
	uint64_t at[CSR_COUNTERS];
	uint32_t i, k, low, high;
	struct bench b;

	(void)state;
	bench_open(&b, 6);
	for (i = 0; i < 3000; i++) {
		b.event_percent = i % 7 * 16;
		b.in->idle = i % 5 != 0;
		k = rng_below(&b.rng, CSR_COUNTERS);
		assert_int_equal(read_word(&b, CSR_COUNTER(k), &low, at), 0);
		assert_int_equal(low, at[k]);
		assert_int_equal(read_word(&b, CSR_COUNTER(k) + 4, &high, NULL), 0);
		assert_int_equal(high, 0);
		while (rng_percent(&b.rng, 60))
			step(&b);
	}
	bench_close(&b);
}

/* The halves belong together, and every counter keeps a high half of its own. */
static void high_halves(void **state)
{
	static const uint64_t start[] = { UINT64_C(0x12FFFFFFFE), UINT64_C(0x45FFFFFFFE), UINT64_MAX - 5 };
	uint64_t at[3][CSR_COUNTERS];
	uint32_t k, low, high;
	struct bench b;

	(void)state;
	bench_open(&b, 7);
	/* The first access waits until the window table is cleared; every counter has had its turn then. */
	check_read(&b, CSR_MAGIC);
	for (k = 0; k < 40; k++)
		step(&b);
	for (k = 0; k < 3; k++) {
		csr_poke_counter(b.unit, k, start[k]);
		b.counted[k] = start[k];
	}
	b.event_percent = 100;
	for (k = 0; k < 3; k++) {
		assert_int_equal(read_word(&b, CSR_COUNTER(k), &low, at[k]), 0);
		assert_int_equal(low, (uint32_t)at[k][k]);
	}
	for (k = 0; k < 100; k++)
		step(&b);
	for (k = 0; k < 3; k++) {
		assert_int_equal(read_word(&b, CSR_COUNTER(k) + 4, &high, NULL), 0);
		assert_int_equal(high, (uint32_t)(at[k][k] >> 32));
	}
	/* The first one has wrapped since, the second one before its read. */
	assert_true(at[0][0] >> 32 == 0x12 && b.counted[0] >> 32 == 0x13);
	assert_true(at[1][1] >> 32 == 0x46);
	bench_close(&b);
}

/* Reads and writes that wait at once take turns, so neither keeps the other out. */
static void take_turns(void **state)
{
	uint32_t i, reads = 0, writes = 0;
	struct bench b;

	(void)state;
	bench_open(&b, 8);
	b.in->axil = (struct tma_csr_in){ .aw_valid = 1,
		                          .w_valid = 1,
		                          .b_ready = 1,
		                          .ar_valid = 1,
		                          .r_ready = 1,
		                          .w_strb = 15,
		                          .aw_addr = CSR_AXCACHE,
		                          .w_data = 5,
		                          .ar_addr = CSR_MAGIC };
	/* The window table is cleared first. */
	csr_eval(b.unit);
	for (i = 0; !b.out->axil.aw_ready && !b.out->axil.ar_ready; i++) {
		assert_true(i < 200);
		step(&b);
		csr_eval(b.unit);
	}
	for (i = 0; i < 350; i++) {
		csr_eval(b.unit);
		reads += b.out->axil.ar_ready;
		writes += b.out->axil.aw_ready;
		step(&b);
	}
	assert_int_equal(reads, 50);
	assert_int_equal(writes, 50);
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_word_reads), cmocka_unit_test(every_other_word_refuses),
		cmocka_unit_test(windows),          cmocka_unit_test(locked),
		cmocka_unit_test(random_accesses),  cmocka_unit_test(counters),
		cmocka_unit_test(high_halves),      cmocka_unit_test(take_turns),
	};

	return cmocka_run_group_tests_name("tma_csr", tests, NULL, NULL);
}
