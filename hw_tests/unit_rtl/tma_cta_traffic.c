/* SPDX-License-Identifier: Apache-2.0 */
/* Random requests on all ports of a CTA at once, around barriers that data is written over. */
#include <string.h>

#include "unit_rtl/tma_cta_env.h"

#define CYCLES    20000u
#define EPISODES  10u
#define MAX_BARS  32u
#define MAX_COUNT 0xFFFFFu

/* Percent, but for the counts. */
struct traffic {
	uint32_t wr, rd, ext, a, b; /* a new request while there is none */
	uint32_t ext_write;         /* of external requests */
	uint32_t words;             /* of engine writes: single words only */
	uint32_t wild;              /* of operands: any value */
	uint32_t apart;             /* of lines: any row in every bank */
	uint32_t leave;             /* of A's waiting cycles: another request instead */
	uint32_t span;              /* chunks that all of this happens in */
	uint32_t bars;
};

struct run {
	struct env e;
	const struct traffic *t;
	struct rng r;
	uint32_t base;
	uint32_t bars[MAX_BARS];
};

static uint32_t draw_bar(struct run *x)
{
	return x->bars[rng_below(&x->r, x->t->bars)];
}

/* A chunk of the region. */
static uint32_t draw_chunk(struct run *x)
{
	return x->base + rng_below(&x->r, x->t->span);
}

/* Now and then each bank's row by itself. Memory has them all. */
static void draw_rows(struct run *x, uint16_t *rows)
{
	if (rng_percent(&x->r, x->t->apart))
		for (uint32_t b = 0; b < x->e.chunks; b++)
			rows[b] = draw_chunk(x) / x->e.chunks;
}

/* Data that often looks like an mbarrier. */
static void draw_data(struct run *x, uint8_t *data, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i += 8) {
		uint64_t word = rng_next(&x->r);

		if (!rng_percent(&x->r, x->t->wild)) {
			struct bar_fields f = { .expected = 1 + rng_below(&x->r, 3),
				                .pending = rng_below(&x->r, 3),
				                .phase = rng_below(&x->r, 2),
				                .live = 2 };

			f.tx = (int32_t)rng_below(&x->r, 65) - 32;
			word = bar_pack(f);
		}
		memcpy(data + i, &word, 8);
	}
}

static void draw_write(struct run *x)
{
	uint8_t line[TMA_SIM_MAX_BEAT];
	struct env *e = &x->e;
	uint32_t addr = draw_chunk(x), lo, hi, i;

	/* Some chunks in the middle of a line, none behind the end of memory. */
	lo = rng_below(&x->r, e->chunks);
	hi = 1 + lo + rng_below(&x->r, e->chunks - lo);
	if (rng_percent(&x->r, 50)) {
		lo = 0;
		hi = e->chunks;
	}
	draw_data(x, line, e->info->data_bytes);
	env_line(e, addr, e->chunks, line);
	for (i = 0; i < e->chunks; i++) {
		uint32_t lane = 2 * env_bank(e, addr + i);
		uint16_t be = 0xFFFF;

		if (rng_percent(&x->r, x->t->words))
			be = (uint16_t)(0xFu << 4 * rng_below(&x->r, 4) | 0xFu << 4 * rng_below(&x->r, 4));
		if (i < lo || i >= hi || addr + i >= e->total)
			be = 0;
		memcpy(e->in->wr.be + lane, &be, 2);
	}
	draw_rows(x, e->in->wr.rows);
}

static void draw_ext(struct run *x)
{
	struct tma_ext_in *ext = &x->e.ext;

	ext->valid = 1;
	ext->write = rng_percent(&x->r, x->t->ext_write);
	ext->addr = CHUNK * draw_chunk(x);
	if (ext->write) {
		draw_data(x, ext->wdata, CHUNK);
		ext->strb = rng_percent(&x->r, 50) ? 0xFFFF : (uint16_t)rng_next(&x->r);
	}
}

/* A number that often meets the one given. */
static uint32_t draw_operand(struct run *x, uint32_t value)
{
	if (rng_percent(&x->r, x->t->wild))
		return rng_percent(&x->r, 50) ? MAX_COUNT - rng_below(&x->r, 2)
		                              : (uint32_t)rng_next(&x->r) & MAX_COUNT;
	return (rng_percent(&x->r, 60) ? value : rng_below(&x->r, 33)) & MAX_COUNT;
}

static void draw_a(struct run *x)
{
	static const uint32_t ops[] = { BAR_CHECK,  BAR_INIT,     BAR_INVAL,  BAR_EXPECT, BAR_EXPECT,
		                        BAR_EXPECT, BAR_COMPLETE, BAR_ARRIVE, BAR_ARRIVE, BAR_ARRIVE,
		                        BAR_ARRIVE, BAR_TEST,     BAR_INIT,   BAR_PEND,   BAR_PEND };
	struct env *e = &x->e;
	struct bar_request *q = &e->a;
	struct bar_fields f;

	e->a_valid = 1;
	e->a_commit = rng_percent(&x->r, 85);
	e->a_addr = draw_bar(x);
	f = bar_unpack(env_word(e, e->a_addr));
	memset(q, 0, sizeof(*q));
	q->op = ops[rng_below(&x->r, sizeof(ops) / sizeof(*ops))];
	q->count = q->op == BAR_ARRIVE ? draw_operand(x, f.pending) : 1 + rng_below(&x->r, 3);
	if (q->op != BAR_PEND && (q->op != BAR_ARRIVE || rng_percent(&x->r, 40)))
		q->tx = draw_operand(x, (uint32_t)(f.tx < 0 ? -f.tx : f.tx));
	q->drop = q->op == BAR_ARRIVE && rng_percent(&x->r, 10);
	q->no_complete = q->op == BAR_ARRIVE && rng_percent(&x->r, 10);
}

static void draw_b(struct run *x)
{
	struct cta_in *in = x->e.in;
	struct bar_fields f;

	in->bar_b_valid = 1;
	in->bar_b_addr = (uint16_t)(rng_percent(&x->r, 30) && x->e.a_valid ? x->e.a_addr : draw_bar(x));
	f = bar_unpack(env_word(&x->e, in->bar_b_addr));
	in->bar_b_arrive = rng_percent(&x->r, 30);
	in->bar_b_tx = in->bar_b_arrive ? 0 : draw_operand(x, f.tx > 0 ? (uint32_t)f.tx : 0);
}

/* Requests stay until they are taken; A's alone may leave. */
static void draw_cycle(struct run *x)
{
	const struct traffic *t = x->t;
	struct env *e = &x->e;

	if (e->took[PORT_WR])
		e->in->wr_valid = 0;
	if (e->took[PORT_EXT_READ] || e->took[PORT_EXT_WRITE])
		e->ext.valid = 0;
	if (e->took[PORT_A] || rng_percent(&x->r, t->leave))
		e->a_valid = 0;
	if (e->took[PORT_B])
		e->in->bar_b_valid = 0;

	if (!e->in->wr_valid && rng_percent(&x->r, t->wr))
		draw_write(x);
	for (uint32_t port = 0; port < 2; port++) {
		if (e->took[PORT_RD0 + port])
			e->in->rd_valid[port] = 0;
		if (!e->in->rd_valid[port] && rng_percent(&x->r, t->rd)) {
			env_read(e, port, draw_chunk(x));
			draw_rows(x, e->in->rd_rows[port]);
		}
	}
	if (!e->ext.valid && rng_percent(&x->r, t->ext))
		draw_ext(x);
	if (!e->a_valid && rng_percent(&x->r, t->a))
		draw_a(x);
	if (!e->in->bar_b_valid && rng_percent(&x->r, t->b))
		draw_b(x);
}

/* Several places of memory, the last of them its end. */
static void run(const struct traffic *t, uint64_t seed)
{
	struct run x = { .t = t, .r = rng_make(seed, 1) };

	env_open(&x.e);
	for (uint32_t episode = 1; episode <= EPISODES; episode++) {
		x.base = rng_below(&x.r, x.e.total - t->span);
		if (episode == EPISODES)
			x.base = x.e.total - t->span;
		for (uint32_t i = 0; i < t->bars; i++)
			x.bars[i] = 2 * draw_chunk(&x) + rng_below(&x.r, 2);
		for (uint32_t i = 0; i < CYCLES / EPISODES; i++) {
			draw_cycle(&x);
			env_step(&x.e);
		}
	}
	env_check_all(&x.e);
	assert_true(x.e.longest[PORT_WR] <= 3);
	assert_true(x.e.longest[PORT_EXT_READ] <= 8);
	env_close(&x.e);
}

/* wr, rd, ext, a, b, ext_write, words, wild, apart, leave, span, bars */
static const struct traffic mixed = { 40, 30, 30, 60, 50, 40, 5, 3, 30, 1, 40, 14 };
static const struct traffic hot = { 95, 95, 95, 100, 100, 30, 0, 1, 50, 0, 24, 10 };
static const struct traffic words = { 30, 20, 50, 90, 80, 10, 90, 1, 30, 0, 10, 9 };
static const struct traffic reads = { 3, 100, 90, 100, 100, 5, 0, 1, 40, 0, 20, 16 };
static const struct traffic wild = { 10, 10, 10, 90, 70, 30, 10, 50, 10, 40, 8, 12 };

TEST(traffic_mixed)
{
	run(&mixed, 1);
	run(&mixed, 2);
}

TEST(traffic_hot)
{
	run(&hot, 3);
}

TEST(traffic_words)
{
	run(&words, 4);
}

TEST(traffic_reads)
{
	run(&reads, 5);
}

TEST(traffic_wild)
{
	run(&wild, 6);
}
