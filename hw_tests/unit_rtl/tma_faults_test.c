/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_faults_test - faults of four sources against a reference of what each queue remembers.
 *
 * Requirement: the first fault stops its queue, is kept for the registers and announced once, with
 * the whole sequence number; later ones are counted; disabling forgets; issue goes first; idle is
 * low from the fault on until its record was taken.
 * Checks: ready, stopped, idle and the status of one queue in every cycle, every record, the unit's
 * assertions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka.h needs the ones above. */
#include <cmocka.h>

#include "lib/rng.h"
#include "unit_rtl/tma_faults_shim.h"

struct kept {
	bool stopped, announced; /* announced: the record has not been taken */
	struct faults_status first;
	struct tma_record record;
};

struct bench {
	struct faults *unit;
	struct faults_in *in;
	const struct faults_out *out;
	uint32_t queues, records;
	struct kept kept[FAULTS_MAX_QUEUES];
	struct rng rng;
};

static void bench_open(struct bench *b, uint64_t seed)
{
	uint32_t i;

	memset(b, 0, sizeof(*b));
	b->rng = rng_make(seed, 1);
	b->unit = faults_open();
	b->in = faults_in(b->unit);
	b->out = faults_out(b->unit);
	b->queues = faults_queues();
	for (i = 0; i < 2; i++) {
		faults_eval(b->unit);
		faults_tick(b->unit);
	}
	b->in->rst_n = 1;
	b->in->rec_ready = 1;
	for (i = 0; i < b->queues; i++)
		b->in->enable[i] = 1;
}

static void bench_close(struct bench *b)
{
	faults_close(b->unit);
	assert_int_equal(unit_failed(), 0);
}

/* The youngest number with this low half that is not newer than the head. */
static uint32_t whole(uint32_t head, uint32_t low)
{
	uint32_t seq = (head & 0xFFFF0000u) | low;

	return low > (head & 0xFFFF) ? seq - 0x10000 : seq;
}

static void take(struct bench *b, const struct faults_fault *f)
{
	struct kept *k = &b->kept[f->queue];

	if (!b->in->enable[f->queue])
		return;
	if (k->stopped) {
		k->first.count += k->first.count != 0xFFFF;
		return;
	}
	k->stopped = k->announced = true;
	k->first = (struct faults_status){ 1,      f->code,   1, whole(b->in->head[f->queue], f->seq),
		                           f->tag, f->address };
	k->record = (struct tma_record){ 0 };
	k->record.sequence = k->first.seq;
	k->record.queue = (uint8_t)f->queue;
	k->record.kind = TMA_KIND_FAULT;
	k->record.fault = (uint16_t)f->code;
	k->record.address = f->address;
	k->record.tag = f->tag;
}

static void step(struct bench *b)
{
	const struct faults_status none = { 0 }, *want;
	bool on_offer[FAULTS_MAX_QUEUES] = { false };
	uint32_t i, source = FAULTS_SOURCES;
	bool idle = true;

	faults_eval(b->unit);
	for (i = 0; i < b->queues; i++) {
		assert_int_equal(b->out->stopped[i], b->kept[i].stopped);
		idle &= !b->kept[i].announced;
	}
	assert_int_equal(b->out->idle, idle);
	want = b->kept[b->in->status_queue].stopped ? &b->kept[b->in->status_queue].first : &none;
	assert_int_equal(b->out->status.faulted, want->faulted);
	assert_int_equal(b->out->status.code, want->code);
	assert_int_equal(b->out->status.count, want->count);
	assert_int_equal(b->out->status.seq, want->seq);
	assert_int_equal(b->out->status.tag, want->tag);
	assert_true(b->out->status.address == want->address);

	for (i = FAULTS_SOURCES; i-- > 0;)
		if (b->in->fault[i].valid)
			source = i;
	if (source < FAULTS_SOURCES) {
		uint32_t q = b->in->fault[source].queue;

		/* A first fault waits for the record of the queue's life before. */
		if (b->kept[q].announced && !b->kept[q].stopped && b->in->enable[q])
			source = FAULTS_SOURCES;
	}
	for (i = 0; i < FAULTS_SOURCES; i++)
		assert_int_equal(b->out->ready[i], i == source);
	assert_int_equal(b->out->event, source < FAULTS_SOURCES);

	if (b->out->rec_valid) {
		struct kept *k = &b->kept[b->out->rec.queue];

		assert_true(k->announced);
		assert_memory_equal(&b->out->rec, &k->record, sizeof(k->record));
		on_offer[b->out->rec.queue] = true;
		if (b->in->rec_ready) {
			k->announced = false;
			b->records++;
		}
	}
	if (source < FAULTS_SOURCES)
		take(b, &b->in->fault[source]);
	faults_tick(b->unit);
	if (source < FAULTS_SOURCES)
		b->in->fault[source].valid = 0;
	for (i = 0; i < b->queues; i++) {
		if (b->in->enable[i])
			continue;
		b->kept[i].stopped = false;
		b->kept[i].announced = b->kept[i].announced && on_offer[i];
	}
}

static void raise(struct bench *b, uint32_t source, uint32_t queue, uint32_t seq)
{
	b->in->fault[source] = (struct faults_fault){
		.valid = 1,
		.queue = queue,
		.seq = seq,
		.tag = (uint32_t)rng_next(&b->rng),
		.code = 1 + rng_below(&b->rng, 0xFFFF),
		.address = rng_next(&b->rng),
	};
}

/* Stopped in the next cycle, announced two cycles after the fault. */
static void latency(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, 1);
	raise(&b, 2, 1, 0);
	step(&b);
	faults_eval(b.unit);
	assert_int_equal(b.out->stopped[1], 1);
	assert_int_equal(b.out->rec_valid, 0);
	step(&b);
	faults_eval(b.unit);
	assert_int_equal(b.out->rec_valid, 1);
	bench_close(&b);
}

/* All sources at once: issue first, the others behind it, one per cycle. */
static void order_of_sources(void **state)
{
	uint32_t i;
	struct bench b;

	(void)state;
	bench_open(&b, 2);
	for (i = 0; i < FAULTS_SOURCES; i++)
		raise(&b, i, 0, 0);
	for (i = 0; i < FAULTS_SOURCES; i++) {
		faults_eval(b.unit);
		assert_int_equal(b.out->ready[i], 1);
		step(&b);
	}
	step(&b);
	assert_int_equal(b.kept[0].first.count, 4);
	assert_int_equal(b.records, 1);
	bench_close(&b);
}

static void sequence_numbers(void **state)
{
	static const struct {
		uint32_t head, low, seq;
	} cases[] = {
		{ 0, 0, 0 },
		{ 0x0000FFFF, 0xFFFF, 0x0000FFFF },
		{ 0x00010000, 0xFFFF, 0x0000FFFF },
		{ 0x00010005, 0x0005, 0x00010005 },
		{ 0x00010005, 0x0006, 0x00000006 },
		{ 0xFFFF0003, 0xFFF0, 0xFFFEFFF0 },
		{ 0x00000002, 0xFFFE, 0xFFFFFFFE },
	};
	uint32_t i;
	struct bench b;

	(void)state;
	bench_open(&b, 3);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		b.in->head[0] = cases[i].head;
		raise(&b, 1, 0, cases[i].low);
		step(&b);
		assert_int_equal(b.kept[0].first.seq, cases[i].seq);
		for (b.in->rec_ready = 1; b.kept[0].announced;)
			step(&b);
		b.in->enable[0] = 0;
		step(&b);
		b.in->enable[0] = 1;
	}
	bench_close(&b);
}

static void count_saturates(void **state)
{
	uint32_t i;
	struct bench b;

	(void)state;
	bench_open(&b, 4);
	for (i = 0; i < 0x10010; i++) {
		raise(&b, i % 4, 1, 7);
		b.in->status_queue = 1;
		step(&b);
	}
	assert_int_equal(b.kept[1].first.count, 0xFFFF);
	step(&b);
	bench_close(&b);
}

/* A record on offer outlives its queue's disable; the next life's first fault waits for it. */
static void next_life(void **state)
{
	uint32_t i;
	struct bench b;

	(void)state;
	bench_open(&b, 5);
	b.in->rec_ready = 0;
	raise(&b, 0, 0, 3);
	for (i = 0; i < 4; i++)
		step(&b);
	b.in->enable[0] = 0;
	step(&b);
	raise(&b, 1, 0, 4);
	step(&b);
	b.in->enable[0] = 1;
	raise(&b, 2, 0, 5);
	for (i = 0; i < 4; i++)
		step(&b);
	assert_int_equal(b.in->fault[2].valid, 1);
	b.in->rec_ready = 1;
	for (i = 0; i < 6; i++)
		step(&b);
	assert_int_equal(b.records, 2);
	assert_int_equal(b.kept[0].first.seq, 0xFFFF0005);
	bench_close(&b);
}

static void random_faults(void **state)
{
	uint32_t i, k, life;
	struct bench b;

	(void)state;
	bench_open(&b, 6);
	for (i = 0; i < 200000; i++) {
		life = i / 20000 % 2 ? 20 : 400;
		b.in->rec_ready = rng_percent(&b.rng, i / 5000 % 3 * 45 + 5);
		b.in->status_queue = rng_below(&b.rng, b.queues);
		for (k = 0; k < FAULTS_SOURCES; k++)
			if (!b.in->fault[k].valid && rng_percent(&b.rng, 15))
				raise(&b, k, rng_below(&b.rng, b.queues), rng_below(&b.rng, 0x10000));
		for (k = 0; k < b.queues; k++) {
			b.in->enable[k] =
				b.in->enable[k] ? rng_below(&b.rng, life) != 0 : rng_below(&b.rng, 3) == 0;
			b.in->head[k] += rng_below(&b.rng, 3);
		}
		step(&b);
	}
	assert_true(b.records > 1000);
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(latency),          cmocka_unit_test(order_of_sources),
		cmocka_unit_test(sequence_numbers), cmocka_unit_test(count_saturates),
		cmocka_unit_test(next_life),        cmocka_unit_test(random_faults),
	};

	return cmocka_run_group_tests_name("tma_faults", tests, NULL, NULL);
}
