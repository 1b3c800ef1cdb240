/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_cp_async_test - cp.async and arrivals, from their contexts and beats on.
 *
 * Requirement: all end in the order of their contexts, each in one way: written with the right bytes,
 * failed with its fault, signalled, or dropped behind a failure of its queue. The unit takes a beat
 * in every cycle and as many contexts as it says.
 * Checks: every answer against a queue of what was sent; the unit's assertions.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_abi.h"
#include "tma_cp_async_pins.h"

#define CHUNK  16u
#define HELD   128u /* more than the unit holds */
#define SLVERR 2u
#define DECERR 3u

/* Percent. */
struct opts {
	uint64_t seed;
	uint32_t take, ctx, beat;         /* per cycle, where there may be one */
	uint32_t arrive, zero, deny, bad; /* of contexts */
	uint32_t wr_stall, sig_stall, fault_stall;
};

struct job {
	struct cp_async_cp_ctx ctx;
	uint8_t source[CHUNK];
	uint32_t code; /* of its fault, 0 none */
	bool reads;
};

struct env {
	struct cp_async *unit;
	struct cp_async_in *in;
	const struct cp_async_out *out;
	const struct unit_shape *info;
	uint32_t depth;
	struct opts o;
	struct rng rng;
	uint64_t cycle;
	struct job jobs[HELD];
	uint32_t taken, sent, fed, ended; /* contexts: promised, sent, with their beat, ended */
	bool failed[16];
	uint64_t writes, signals, drops, faults;
};

static void open_env(struct env *e, const struct opts *o)
{
	BENCH_OPEN(e, cp_async, o->seed);
	e->o = *o;
	e->info = unit_shape();
	e->depth = e->info->reads < 64 ? 16 : 64;
	e->in->beat.last = 1;
	e->in->beat.id = 5 << 2; /* client cp.async */
	e->in->active = (1u << e->info->queues) - 1;
	cp_async_start(e->unit);
}

static struct job *job(struct env *e, uint32_t index)
{
	return &e->jobs[index % HELD];
}

static void draw(struct env *e, struct job *j)
{
	uint32_t size = 4u << rng_below(&e->rng, 3);
	struct cp_async_cp_ctx *x = &j->ctx;

	memset(j, 0, sizeof(*j));
	x->cp.arrive = x->signal.arrive = rng_percent(&e->rng, e->o.arrive);
	x->cp.size = (uint8_t)size;
	x->cp.valid = (uint8_t)(rng_percent(&e->rng, e->o.zero) ? rng_below(&e->rng, size) : size);
	x->cp.dst = (uint8_t)(rng_below(&e->rng, CHUNK / size) * size);
	x->gaddr = rng_next(&e->rng) & ~(uint64_t)(size - 1);
	x->saddr = rng_below(&e->rng, e->info->smem_bytes / CHUNK);
	x->signal.ctas = (uint16_t)(1u << rng_below(&e->rng, e->info->ctas));
	x->signal.barrier = rng_below(&e->rng, e->info->smem_bytes / 8);
	x->signal.origin.qid = rng_below(&e->rng, e->info->queues);
	x->signal.origin.seq = (uint16_t)rng_next(&e->rng);
	x->signal.origin.tag = (uint32_t)rng_next(&e->rng);
	x->signal.bytes = x->signal.origin.tag & 0xFFFFF; /* of an arrival they mean nothing */
	j->reads = !x->cp.arrive && x->cp.valid;
	x->denied = j->reads && rng_percent(&e->rng, e->o.deny);
	j->code = x->denied ? TMA_FAULT_WINDOW_READ : 0;
	j->reads &= !x->denied;
}

/* The next context that reads gets its beat. */
static void feed(struct env *e)
{
	static const uint32_t codes[] = { TMA_FAULT_READ_SLVERR, TMA_FAULT_READ_DECERR, TMA_FAULT_PORT_DEAD };
	uint32_t i, kind = rng_below(&e->rng, 3), lane;
	struct job *j;

	while (e->fed < e->sent && !job(e, e->fed)->reads)
		e->fed++;
	e->in->beat_valid = e->fed < e->sent && rng_percent(&e->rng, e->o.beat);
	if (!e->in->beat_valid)
		return;
	j = job(e, e->fed++);
	for (i = 0; i < e->info->data_bytes; i++)
		e->in->beat.data[i] = (uint8_t)rng_next(&e->rng);
	lane = (uint32_t)(j->ctx.gaddr % e->info->data_bytes / CHUNK);
	memcpy(j->source, e->in->beat.data + CHUNK * lane, CHUNK);
	e->in->beat.resp = e->in->beat.dead = 0;
	if (!rng_percent(&e->rng, e->o.bad))
		return;
	j->code = codes[kind];
	e->in->beat.resp = (uint8_t)(kind == 0 ? SLVERR : kind == 1 ? DECERR : rng_below(&e->rng, 4));
	e->in->beat.dead = kind == 2;
}

/* A context comes in a later cycle than its promise, and at most one is outstanding by then. */
static void send(struct env *e)
{
	struct job *j;

	e->in->ctx_valid = e->sent < e->taken && rng_percent(&e->rng, e->o.ctx);
	if (!e->in->ctx_valid)
		return;
	j = job(e, e->sent);
	draw(e, j);
	e->in->ctx = j->ctx;
	e->in->ctx_lane = (uint32_t)(j->ctx.gaddr % e->info->data_bytes / CHUNK);
}

static struct job *next(struct env *e)
{
	REQUIRE(e, e->ended < e->sent);
	return job(e, e->ended++);
}

static void see_copy(struct env *e)
{
	const struct cp_async_out *o = e->out;
	struct job *j = next(e);
	const struct cp_async_cp_ctx *x = &j->ctx;

	REQUIRE(e, !x->cp.arrive && o->done_queue == x->signal.origin.qid);
	REQUIRE(e, !j->reads || e->ended <= e->fed);
	if (o->fault_valid) {
		REQUIRE(e, j->code && o->fault.code == j->code && o->fault.address == x->gaddr);
		REQUIRE(e, o->fault.origin.qid == x->signal.origin.qid &&
		                   o->fault.origin.seq == x->signal.origin.seq &&
		                   o->fault.origin.tag == x->signal.origin.tag);
		e->failed[x->signal.origin.qid] = true;
		e->faults++;
		return;
	}
	REQUIRE(e, o->wr_valid && !j->code);
	REQUIRE(e, 1u << o->wr.cta == x->signal.ctas && o->wr.addr == x->saddr);
	REQUIRE(e, o->wr.be == ((1u << x->cp.size) - 1) << x->cp.dst);
	for (uint32_t i = 0; i < x->cp.size; i++)
		REQUIRE(e,
		        o->wr.data[x->cp.dst + i] == (i < x->cp.valid ? j->source[x->gaddr % CHUNK + i] : 0));
	e->writes++;
}

static void see_arrival(struct env *e)
{
	const struct cp_async_out *o = e->out;
	const struct cp_async_cp_ctx *x = &next(e)->ctx;

	REQUIRE(e, x->cp.arrive && o->drop == e->failed[x->signal.origin.qid]);
	REQUIRE(e, !o->drop || o->drop_queue == x->signal.origin.qid);
	e->drops += o->drop;
	if (o->drop)
		return;
	REQUIRE(e, o->sig.arrive && o->sig.bytes == 0 && o->sig.ctas == x->signal.ctas);
	REQUIRE(e, o->sig.barrier == x->signal.barrier && o->sig.origin.qid == x->signal.origin.qid);
	REQUIRE(e, o->sig.origin.seq == x->signal.origin.seq && o->sig.origin.tag == x->signal.origin.tag);
	e->signals++;
}

static void step(struct env *e)
{
	struct cp_async_in *in = e->in;
	const struct cp_async_out *o = e->out;

	feed(e);
	send(e);
	in->take = 0;
	in->wr_ready = !rng_percent(&e->rng, e->o.wr_stall);
	in->sig_ready = !rng_percent(&e->rng, e->o.sig_stall);
	in->fault_ready = !rng_percent(&e->rng, e->o.fault_stall);
	cp_async_eval(e->unit);
	if (!o->full && e->taken - e->sent <= in->ctx_valid && rng_percent(&e->rng, e->o.take)) {
		in->take = 1;
		cp_async_eval(e->unit);
	}
	/* One may be behind the contexts already. */
	REQUIRE(e, o->full ? e->taken - e->ended >= e->depth : e->taken - e->ended <= e->depth);
	REQUIRE(e, o->wr_valid + o->sig_valid + o->fault_valid + o->drop <= 1);
	REQUIRE(e, o->done == ((o->wr_valid && in->wr_ready) || (o->fault_valid && in->fault_ready)));
	REQUIRE(e, o->idle == (e->taken == e->ended));
	if (o->done)
		see_copy(e);
	if (o->drop || (o->sig_valid && in->sig_ready))
		see_arrival(e);
	e->sent += in->ctx_valid;
	e->taken += in->take;
	cp_async_tick(e->unit);
	in->restart = 0;
	e->cycle++;
}

static void drain(struct env *e)
{
	uint32_t take = e->o.take, i;

	e->o.take = 0;
	for (i = 0; i < 10000 && !e->out->idle; i++)
		step(e);
	assert_true(e->out->idle);
	e->o.take = take;
}

/* One of them per cycle, with short paths every other cycle, whatever they are, and a beat in each. */
TEST(full_rate)
{
	const struct opts mixes[] = {
		{ .seed = 1, .take = 100, .ctx = 100, .beat = 100 },
		{ .seed = 2, .take = 100, .ctx = 100, .beat = 100, .arrive = 30, .zero = 30 },
		{ .seed = 3, .take = 100, .ctx = 100, .beat = 100, .arrive = 30, .deny = 30, .bad = 30 },
	};
	struct env e;
	uint32_t i, ended;

	for (uint32_t k = 0; k < sizeof(mixes) / sizeof(*mixes); k++) {
		open_env(&e, &mixes[k]);
		for (i = 0; i < 10; i++)
			step(&e);
		for (ended = e.ended; i < 1010; i++)
			step(&e);
		assert_int_equal(e.ended - ended, unit_shape()->short_paths ? 500 : 1000);
		drain(&e);
		cp_async_close(e.unit);
	}
}

/* It holds as many as it has contexts for, and their data too. */
TEST(depth)
{
	const struct opts opts = { .seed = 4, .take = 100, .ctx = 100, .beat = 100, .wr_stall = 100 };
	struct env e;

	open_env(&e, &opts);
	for (uint32_t i = 0; i < 2 * e.depth; i++)
		step(&e);
	/* One more is on its way to memory. */
	assert_int_equal(e.sent, e.depth + 1);
	assert_int_equal(e.fed, e.sent);
	assert_true(e.out->full);
	e.o.wr_stall = 0;
	drain(&e);
	assert_int_equal(e.writes, e.depth + 1);
	cp_async_close(e.unit);
}

TEST(random_contexts)
{
	static const struct opts opts[] = {
		/* seed, take, ctx, beat, arrive, zero, deny, bad, wr_stall, sig_stall, fault_stall */
		{ 5, 60, 70, 50, 30, 40, 0, 0, 20, 0, 0 },
		{ 6, 90, 90, 90, 40, 20, 1, 1, 60, 60, 80 },
		{ 7, 80, 30, 20, 50, 60, 0, 5, 0, 95, 50 },
		{ 8, 100, 100, 10, 10, 70, 10, 0, 0, 0, 0 },
	};
	struct env e;
	uint32_t q;

	for (uint32_t k = 0; k < sizeof(opts) / sizeof(*opts); k++) {
		open_env(&e, &opts[k]);
		for (uint32_t round = 0; round < 40; round++) {
			for (uint32_t i = 0; i < 500; i++)
				step(&e);
			drain(&e);
			/* Resumed, or disabled and enabled, or neither. */
			q = rng_below(&e.rng, e.info->queues);
			if (round % 3 == 0)
				e.in->restart = 1u << q;
			if (round % 3 == 1)
				e.in->active &= ~(1u << q);
			step(&e);
			e.in->active |= 1u << q;
			step(&e);
			if (round % 3 != 2)
				e.failed[q] = false;
			drain(&e);
		}
		assert_true(e.writes > 1000 && e.signals > 10);
		assert_true((e.faults > 50 && e.drops > 50) || (!opts[k].deny && !opts[k].bad));
		cp_async_close(e.unit);
	}
}
