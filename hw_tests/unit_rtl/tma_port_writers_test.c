/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_port_writers_test - stores and reductions in front of one write port.
 *
 * Requirement: an address passes in each cycle in which one is offered and may, and waits for one of the other writer
 * at most; with short paths one of reductions waits for a cycle besides. Data passes in the order of addresses, from the cycle behind its own on, named by its stream; so many
 * addresses are ahead of theirs at most. Nobody's `ready` for stores depends on what they offer. A dead port takes
 * everything.
 * Checks: every handshake against a queue of whose data comes next, the unit's assertions.
 */
#include <stdbool.h>

#include "unit_rtl/unit_test.h"
#include "tma_port_writers_pins.h"

#define AHEAD 16u
#define MANY  32768u

enum { STORES, REDUCTIONS, WRITERS };

struct bench {
	struct port_writers *unit;
	struct port_writers_in *in;
	const struct port_writers_out *out;
	struct rng rng;
	uint32_t ask[WRITERS], data[WRITERS], aw_ready, w_ready; /* percent */
	uint32_t order[MANY], stream[MANY], put, got; /* addresses that passed, and whose data did */
	uint32_t waits[WRITERS];                      /* of the other, since this one's address is on offer */
	uint32_t passed[WRITERS], turns, full;
	bool turn; /* with short paths: it is that of the reductions */
	bool dead;
};

static void bench_open(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, port_writers, seed);
	for (uint32_t k = 0; k < WRITERS; k++)
		b->ask[k] = b->data[k] = 100;
	b->aw_ready = b->w_ready = 100;
	port_writers_start(b->unit);
}

static uint32_t reductions(void)
{
	return unit_shape()->ports > 1 ? 2 : 1;
}

static struct port_writers_aw random_aw(struct bench *b, uint32_t stream)
{
	struct port_writers_aw aw = { .stream = (uint8_t)stream, .addr = rng_next(&b->rng) };

	aw.len = (uint8_t)rng_next(&b->rng);
	return aw;
}

static void random_w(struct bench *b, struct port_writers_write_beat *w)
{
	w->data[0] = (uint8_t)rng_next(&b->rng);
	w->last = rng_percent(&b->rng, 60);
}

static void drive(struct bench *b)
{
	struct port_writers_in *in = b->in;

	if (!in->store_aw_valid && rng_percent(&b->rng, b->ask[STORES])) {
		in->store_aw_valid = 1;
		in->store_aw = random_aw(b, rng_below(&b->rng, reductions()));
	}
	if (!in->reduce_aw_valid && rng_percent(&b->rng, b->ask[REDUCTIONS])) {
		in->reduce_aw_valid = 1;
		in->reduce_aw = random_aw(b, reductions());
	}
	/* Data may be offered before its address. */
	if (!in->store_w_valid && rng_percent(&b->rng, b->data[STORES])) {
		in->store_w_valid = 1;
		random_w(b, &in->store_w);
	}
	if (!in->reduce_w_valid && rng_percent(&b->rng, b->data[REDUCTIONS])) {
		in->reduce_w_valid = 1;
		random_w(b, &in->reduce_w);
	}
	in->aw_ready = b->dead || rng_percent(&b->rng, b->aw_ready);
	in->w_ready = b->dead || rng_percent(&b->rng, b->w_ready);
	in->dead = b->dead;
}

/* The stream of its next burst's data is known when its address has passed. */
static void name_stream(struct bench *b)
{
	for (uint32_t i = b->got; i < b->put; i++)
		if (b->order[i] == STORES) {
			b->in->store_w_stream = (uint8_t)b->stream[i];
			return;
		}
}

static void see_addresses(struct bench *b)
{
	const struct port_writers_in *in = b->in;
	const struct port_writers_out *o = b->out;
	bool room = b->put - b->got < AHEAD || b->dead, offered = in->store_aw_valid || in->reduce_aw_valid;
	bool slow = unit_shape()->short_paths;
	bool store = in->store_aw_valid && o->store_aw_ready,
	     reduce = in->reduce_aw_valid && o->reduce_aw_ready;
	const struct port_writers_aw *aw = store ? &in->store_aw : &in->reduce_aw;

	if (slow)
		offered = b->turn ? in->reduce_aw_valid : in->store_aw_valid;
	assert_int_equal(o->aw_valid, offered && room);
	assert_int_equal(store + reduce, o->aw_valid && in->aw_ready);
	b->full += !room;
	if (store || reduce) {
		assert_memory_equal(&o->aw, aw, sizeof(*aw));
		assert_true(b->put < MANY);
		b->passed[store ? STORES : REDUCTIONS]++;
		b->turns += in->store_aw_valid && in->reduce_aw_valid;
	}
	if (!b->dead && (store || reduce)) {
		b->order[b->put] = store ? STORES : REDUCTIONS;
		b->stream[b->put++] = aw->stream;
	}
	/* A reduction that waits for nobody waits for its turn. */
	b->turn = slow && in->reduce_aw_valid && !reduce && (b->turn || store || !in->store_aw_valid);
	b->waits[STORES] = in->store_aw_valid && !store ? b->waits[STORES] + reduce : 0;
	b->waits[REDUCTIONS] = in->reduce_aw_valid && !reduce ? b->waits[REDUCTIONS] + store : 0;
	assert_in_range(b->waits[STORES], 0, 1);
	assert_in_range(b->waits[REDUCTIONS], 0, 1);
}

/* @p before: addresses that had passed a cycle ago */
static void see_data(struct bench *b, uint32_t before)
{
	const struct port_writers_in *in = b->in;
	const struct port_writers_out *o = b->out;
	bool store = b->got < before && b->order[b->got] == STORES;
	bool reduce = b->got < before && b->order[b->got] == REDUCTIONS;
	const struct port_writers_write_beat *w = store ? &in->store_w : &in->reduce_w;

	if (b->dead) {
		assert_true(o->store_w_ready && o->reduce_w_ready);
		return;
	}
	assert_int_equal(o->w_valid, (store && in->store_w_valid) || (reduce && in->reduce_w_valid));
	assert_int_equal(o->store_w_ready, store && in->w_ready);
	assert_int_equal(o->reduce_w_ready, reduce && in->w_ready);
	if (!o->w_valid)
		return;
	assert_memory_equal(&o->w, w, sizeof(*w));
	assert_int_equal(o->w_stream, b->stream[b->got]);
	if (in->w_ready && w->last)
		b->got++;
}

static void step(struct bench *b)
{
	struct port_writers_in *in = b->in;
	const struct port_writers_out *o = b->out;
	uint32_t before = b->put;
	bool aw[WRITERS], w[WRITERS], ready;

	drive(b);
	name_stream(b);
	in->store_aw_valid = !in->store_aw_valid;
	port_writers_eval(b->unit);
	ready = o->store_aw_ready;
	in->store_aw_valid = !in->store_aw_valid;
	port_writers_eval(b->unit);
	assert_int_equal(o->store_aw_ready, ready);
	see_addresses(b);
	see_data(b, before);
	aw[STORES] = in->store_aw_valid && o->store_aw_ready;
	aw[REDUCTIONS] = in->reduce_aw_valid && o->reduce_aw_ready;
	w[STORES] = in->store_w_valid && o->store_w_ready;
	w[REDUCTIONS] = in->reduce_w_valid && o->reduce_w_ready;
	port_writers_tick(b->unit);
	in->store_aw_valid &= !aw[STORES];
	in->reduce_aw_valid &= !aw[REDUCTIONS];
	in->store_w_valid &= !w[STORES];
	in->reduce_w_valid &= !w[REDUCTIONS];
}

TEST(writers)
{
	static struct bench b;

	for (uint32_t i = 0; i < 40; i++) {
		bench_open(&b, i);
		b.ask[STORES] = 100 - i % 4 * 25;
		b.ask[REDUCTIONS] = 100 - i / 4 % 4 * 25;
		b.data[STORES] = 100 - i % 3 * 30;
		b.data[REDUCTIONS] = 100 - i % 5 * 20;
		b.aw_ready = 100 - i % 7 * 10;
		b.w_ready = 100 - i % 2 * 50;
		for (uint32_t k = 0; k < 1500; k++)
			step(&b);
		assert_true(b.got > 100 && b.passed[STORES] > 50 && b.passed[REDUCTIONS] > 50);
		b.dead = true;
		for (uint32_t k = 0; k < 100; k++)
			step(&b);
		port_writers_close(b.unit);
	}
}

/* Both want every address: one each. */
TEST(turns)
{
	static struct bench b;

	bench_open(&b, 1);
	for (uint32_t i = 0; i < 1000; i++)
		step(&b);
	assert_true(b.turns > 500);
	assert_in_range(b.passed[STORES], b.passed[REDUCTIONS], b.passed[REDUCTIONS] + 1);
	port_writers_close(b.unit);
}

/* No data: so many addresses, and no more, until one burst is over. */
TEST(ahead)
{
	static struct bench b;

	bench_open(&b, 2);
	b.w_ready = 0;
	for (uint32_t i = 0; i < 50; i++)
		step(&b);
	assert_int_equal(b.put, AHEAD);
	b.w_ready = 100;
	while (!b.got)
		step(&b);
	b.w_ready = 0;
	for (uint32_t i = 0; i < 50; i++)
		step(&b);
	assert_int_equal(b.put, AHEAD + b.got);
	assert_true(b.full > 50);
	port_writers_close(b.unit);
}
