/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_faults_test - faults of all sources against a reference of what each queue remembers.
 *
 * Requirement: the first fault stops its queue, is kept for the registers and announced once, with
 * the whole sequence number; later ones are counted; RESUME and the end of a life forget, and
 * withdraw the record; issue goes first, with short paths in the cycle behind its fault; direct and
 * ring queues do not wait for each other, nor ring queues for the full completion ring of another; idle
 * is low from the fault on until its record was taken.
 * Checks: ready, stopped, pending, idle and the status of one queue in every cycle, every record,
 * how long one waits, the unit's assertions.
 */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_faults_pins.h"

#define MAX_QUEUES   16
#define MOST_SOURCES 6 /* issue, the paths, signals, the ring */
#define OUTPUTS      2 /* direct queues, ring queues */

struct kept {
	bool stopped, announced; /* announced: the record has not been taken */
	bool late;               /* the first fault is that of issue, and will be taken in this cycle */
	bool fresh;     /* short paths: it was taken in the cycle before, and is written in this one */
	uint32_t waits; /* cycles in which the record could have been taken */
	struct faults_queue_status first;
	struct tma_record record;
};

struct bench {
	struct faults *unit;
	struct faults_in *in;
	const struct faults_out *out;
	uint32_t queues, sources, records[OUTPUTS], longest_wait;
	struct kept kept[MAX_QUEUES];
	bool has_late;
	struct faults_fault late; /* of issue, from the cycle before, when paths are short */
	struct rng rng;
};

static void bench_open(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, faults, seed);
	b->queues = unit_shape()->queues;
	b->sources = MOST_SOURCES - !unit_shape()->reductions;
	faults_start(b->unit);
	for (uint32_t i = 0; i < OUTPUTS; i++)
		b->in->rec_ready[i] = 1;
	for (uint32_t i = 0; i < b->queues; i++) {
		b->in->active[i] = 1;
		b->in->room[i] = 1;
	}
}

#define BENCH_TEST(name, ...) \
	TEST_IN(name, struct bench, b, bench_open(b, __VA_ARGS__), faults_close(b->unit))

/* The youngest number with this low half that is not newer than the head. */
static uint32_t whole(uint32_t head, uint32_t low)
{
	uint32_t seq = (head & 0xFFFF0000u) | low;

	return low > (head & 0xFFFF) ? seq - 0x10000 : seq;
}

static void take(struct bench *b, const struct faults_fault *f)
{
	struct kept *k = &b->kept[f->origin.qid];

	if (!b->in->active[f->origin.qid])
		return;
	if (k->stopped && !k->late) {
		k->first.count += k->first.count != 0xFFFF;
		return;
	}
	k->stopped = k->announced = true;
	k->late = false;
	k->fresh = unit_shape()->short_paths;
	k->waits = 0;
	k->first = (struct faults_queue_status){
		.faulted = 1,
		.code = f->code,
		.count = 1,
		.seq = whole(b->in->head[f->origin.qid], f->origin.seq),
		.tag = f->origin.tag,
		.address = f->address,
	};
	k->record = (struct tma_record){ 0 };
	k->record.sequence = k->first.seq;
	k->record.queue = f->origin.qid;
	k->record.kind = TMA_KIND_FAULT;
	k->record.fault = f->code;
	k->record.address = f->address;
	k->record.tag = f->origin.tag;
}

/* The source whose fault is taken in this cycle, `sources` without one. */
static uint32_t next_source(const struct bench *b)
{
	uint32_t i;

	if (b->has_late)
		return b->sources;
	for (i = unit_shape()->short_paths; i < b->sources && !b->in->fault_valid[i]; i++)
		;
	return i;
}

static bool hidden(const struct kept *k)
{
	return k->late || k->fresh;
}

static void check_status(const struct bench *b)
{
	const struct kept *k = &b->kept[b->in->status_queue];
	const struct faults_queue_status none = { 0 }, *want = k->stopped && !hidden(k) ? &k->first : &none;

	assert_int_equal(b->out->status.faulted, want->faulted);
	assert_int_equal(b->out->status.code, want->code);
	assert_int_equal(b->out->status.count, want->count);
	assert_int_equal(b->out->status.seq, want->seq);
	assert_int_equal(b->out->status.tag, want->tag);
	assert_true(b->out->status.address == want->address);
}

/* The records on offer are whole and wanted; takes those that the inputs take. */
static void check_records(struct bench *b)
{
	for (uint32_t q = 0; q < b->queues; q++) {
		struct kept *k = &b->kept[q];
		bool wanted = b->in->active[q] && (!b->in->ring[q] || b->in->room[q]);

		k->waits += k->announced && !hidden(k) && wanted && b->in->rec_ready[b->in->ring[q]];
		if (k->announced && k->waits > b->longest_wait)
			b->longest_wait = k->waits;
	}
	for (uint32_t i = 0; i < OUTPUTS; i++) {
		struct kept *k = &b->kept[b->out->rec[i].queue];

		if (!b->out->rec_valid[i])
			continue;
		assert_int_equal(b->in->ring[b->out->rec[i].queue], i);
		assert_int_equal(b->in->active[b->out->rec[i].queue], 1);
		assert_true(!i || b->in->room[b->out->rec[i].queue]);
		assert_true(k->announced && !hidden(k));
		assert_memory_equal(&b->out->rec[i], &k->record, sizeof(k->record));
		if (b->in->rec_ready[i]) {
			k->announced = false;
			b->records[i]++;
		}
	}
}

/* Short paths: a fault of issue stops its queue at once, and is taken in the next cycle. */
static void take_late(struct bench *b)
{
	const struct faults_fault *f = &b->in->fault[0];
	struct kept *k = &b->kept[f->origin.qid];

	if (b->has_late && b->kept[b->late.origin.qid].stopped)
		take(b, &b->late);
	b->has_late = b->in->fault_valid[0] && unit_shape()->short_paths;
	if (!b->has_late)
		return;
	b->late = *f;
	if (b->in->active[f->origin.qid] && !k->stopped)
		k->stopped = k->announced = k->late = true;
	b->in->fault_valid[0] = 0;
}

static void step(struct bench *b)
{
	uint32_t i, source = next_source(b);
	bool idle = true;

	faults_eval(b->unit);
	for (i = 0; i < b->queues; i++) {
		assert_int_equal(b->out->stopped[i], b->kept[i].stopped);
		assert_int_equal(b->out->pending[i], b->kept[i].announced);
		idle &= !b->kept[i].announced;
	}
	assert_int_equal(b->out->idle, idle);
	check_status(b);
	for (i = 0; i < b->sources; i++)
		assert_int_equal(b->out->fault_ready[i],
		                 i == source || (i == 0 && unit_shape()->short_paths));
	assert_int_equal(b->out->event, source < b->sources || b->has_late);
	check_records(b);
	for (i = 0; i < b->queues; i++)
		if (b->in->resume[i])
			b->kept[i].stopped = false;
	for (i = 0; i < b->queues; i++)
		b->kept[i].fresh = false;
	if (source < b->sources)
		take(b, &b->in->fault[source]);
	faults_tick(b->unit);
	take_late(b);
	if (source < b->sources)
		b->in->fault_valid[source] = 0;
	for (i = 0; i < b->queues; i++) {
		b->in->resume[i] = 0;
		if (!b->in->active[i])
			b->kept[i].stopped = b->kept[i].announced = b->kept[i].late = b->kept[i].fresh =
				false;
	}
}

static void raise(struct bench *b, uint32_t source, uint32_t queue, uint32_t seq)
{
	b->in->fault_valid[source] = 1;
	b->in->fault[source] = (struct faults_fault){
		.origin = { (uint8_t)queue, (uint16_t)seq, (uint32_t)rng_next(&b->rng) },
		.code = (uint16_t)(1 + rng_below(&b->rng, 0xFFFF)),
		.address = rng_next(&b->rng),
	};
}

/* Stopped in the next cycle, announced two cycles after the fault, with short paths three. */
BENCH_TEST(latency, 1)
{
	raise(b, 2, 1, 0);
	step(b);
	faults_eval(b->unit);
	assert_int_equal(b->out->stopped[1], 1);
	for (uint32_t i = 0; i < 1u + unit_shape()->short_paths; i++) {
		assert_int_equal(b->out->rec_valid[0], 0);
		step(b);
		faults_eval(b->unit);
	}
	assert_int_equal(b->out->rec_valid[0], 1);
}

/* All sources at once: issue first, the others behind it, one per cycle. */
BENCH_TEST(order_of_sources, 2)
{
	for (uint32_t i = 0; i < b->sources; i++)
		raise(b, i, 0, 0);
	for (uint32_t i = 0; i < b->sources; i++) {
		faults_eval(b->unit);
		/* With short paths the second one is taken beside that of issue, which is taken next. */
		assert_int_equal(b->out->fault_ready[unit_shape()->short_paths && i < 2 ? 1 - i : i], 1);
		if (unit_shape()->short_paths && i == 1)
			assert_int_equal(b->out->fault_ready[2], 0);
		step(b);
	}
	step(b);
	assert_int_equal(b->kept[0].first.count, b->sources);
	assert_int_equal(b->records[0], 1);
}

BENCH_TEST(sequence_numbers, 3)
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

	for (uint32_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		b->in->head[0] = cases[i].head;
		raise(b, 1, 0, cases[i].low);
		step(b);
		assert_int_equal(b->kept[0].first.seq, cases[i].seq);
		while (b->kept[0].announced)
			step(b);
		b->in->active[0] = 0;
		step(b);
		b->in->active[0] = 1;
	}
}

BENCH_TEST(count_saturates, 4)
{
	for (uint32_t i = 0; i < 0x10010; i++) {
		raise(b, i % b->sources, 1, 7);
		b->in->status_queue = 1;
		step(b);
	}
	assert_int_equal(b->kept[1].first.count, 0xFFFF);
	step(b);
}

/* A record on offer goes with its queue's life; the next life has one of its own. */
BENCH_TEST(next_life, 5)
{
	b->in->rec_ready[0] = 0;
	raise(b, 0, 0, 3);
	for (uint32_t i = 0; i < 4; i++)
		step(b);
	assert_int_equal(b->out->rec_valid[0], 1);
	b->in->active[0] = 0;
	step(b);
	assert_int_equal(b->out->rec_valid[0], 0);
	b->in->active[0] = 1;
	raise(b, 2, 0, 5);
	b->in->rec_ready[0] = 1;
	for (uint32_t i = 0; i < 6; i++)
		step(b);
	assert_int_equal(b->records[0], 1);
	assert_int_equal(b->kept[0].first.seq, 0xFFFF0005);
}

/* RESUME: the queue goes on, its count starts anew, and so does its record. */
BENCH_TEST(resumed, 6)
{
	b->in->head[1] = 9;
	b->in->status_queue = 1;
	for (uint32_t i = 0; i < 3; i++) {
		raise(b, 1, 1, i);
		step(b);
	}
	for (uint32_t i = 0; i < 3; i++)
		step(b);
	assert_int_equal(b->kept[1].first.count, 3);
	b->in->resume[1] = 1;
	step(b);
	raise(b, b->sources - 1, 1, 8);
	step(b);
	assert_int_equal(b->kept[1].first.count, 1);
	assert_int_equal(b->kept[1].first.seq, 8);
	for (uint32_t i = 0; i < 3; i++)
		step(b);
	assert_int_equal(b->records[0], 2);
}

/* A full completion ring and a deaf host hold up their own queues alone. */
TEST(independent)
{
	struct bench b;

	bench_open(&b, 7);
	if (b.queues < 4) {
		faults_close(b.unit);
		skip();
	}
	b.in->rec_ready[0] = 0;
	b.in->room[1] = 0;
	for (uint32_t i = 1; i < 4; i++)
		b.in->ring[i] = 1;
	for (uint32_t i = 0; i < 4; i++) {
		raise(&b, 3, i, 0);
		step(&b);
	}
	for (uint32_t i = 0; i < 6; i++)
		step(&b);
	assert_int_equal(b.records[1], 2);
	assert_true(b.kept[0].announced && b.kept[1].announced);
	b.in->room[1] = 1;
	for (uint32_t i = 0; i < 3; i++)
		step(&b);
	assert_int_equal(b.records[1], 3);
	assert_int_equal(b.records[0], 0);
	b.in->rec_ready[0] = 1;
	step(&b);
	assert_int_equal(b.records[0], 1);
	faults_close(b.unit);
}

/* A queue lives on, or another life of it begins, perhaps at another front end. */
static void random_life(struct bench *b, uint32_t queue, uint32_t life)
{
	b->in->head[queue] += rng_below(&b->rng, 3);
	b->in->room[queue] = b->in->room[queue] || rng_percent(&b->rng, 20);
	if (!b->in->active[queue]) {
		b->in->ring[queue] = rng_percent(&b->rng, 50);
		b->in->room[queue] = rng_percent(&b->rng, 50);
		b->in->active[queue] = rng_percent(&b->rng, 30);
	} else if (!rng_below(&b->rng, life)) {
		b->in->active[queue] = 0;
	}
}

BENCH_TEST(random_faults, 8)
{
	uint32_t k, life, rate;

	for (uint32_t i = 0; i < 200000; i++) {
		life = i / 20000 % 2 ? 20 : 400;
		rate = i / 7000 % 2 ? 15 : 1;
		for (k = 0; k < OUTPUTS; k++)
			b->in->rec_ready[k] = rng_percent(&b->rng, i / 5000 % 3 * 45 + 5);
		b->in->status_queue = rng_below(&b->rng, b->queues);
		for (k = 0; k < b->sources; k++)
			if (!b->in->fault_valid[k] && rng_percent(&b->rng, rate))
				raise(b, k, rng_below(&b->rng, b->queues), rng_below(&b->rng, 0x10000));
		for (k = 0; k < b->queues; k++)
			random_life(b, k, life);
		/* Software resumes a queue of which nothing is on its way. */
		k = rng_below(&b->rng, b->queues);
		b->in->resume[k] = next_source(b) == b->sources && !b->in->fault_valid[0] && !b->has_late &&
		                   b->kept[k].stopped && !b->kept[k].announced;
		step(b);
	}
	assert_true(b->records[0] > 1000 && b->records[1] > 1000);
	/* Its turn comes after those of all other queues of its kind, and a cycle each to pick it. */
	assert_true(b->longest_wait <= 2 * b->queues + 2);
}
