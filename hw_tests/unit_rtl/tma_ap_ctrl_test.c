/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_ap_ctrl_test - the control registers of a kernel, and the way through them.
 *
 * Requirement: 0x00 to 0x0F behave as an ap_ctrl_hs kernel's: a start is done at once, ap_done and
 * ap_ready are cleared by a read, ISR by writing 1 to a strobed byte; everything else reaches the
 * engine as the host has sent it, once, and its answer the host.
 * Checks: data and responses of a host that reads and writes at the same time, against four
 * registers in C and an engine that answers when it likes; the order of responses; the interrupt;
 * that the way through takes no cycle; the unit's assertions.
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
#include "unit_rtl/tma_ap_ctrl_shim.h"

#define CTRL 0x00u
#define GIE  0x04u
#define IER  0x08u
#define ISR  0x0Cu

#define DONE_IDLE_READY 0xEu
#define IDLE            0x4u

enum { WRITE, READ, DIRECTIONS };

/* A transfer of the host, and what the engine does with one of its own. */
struct transfer {
	bool active;
	uint32_t address, data, strobes;
	uint32_t resp, value; /* that are due */
};

struct answer {
	bool active;
	uint32_t delay, resp, data;
};

struct bench {
	struct ap_ctrl *unit;
	struct ap_ctrl_in *in;
	const struct ap_ctrl_out *out;
	struct rng rng;
	struct transfer host[DIRECTIONS], flight[DIRECTIONS]; /* offered, taken */
	struct answer engine[DIRECTIONS];
	uint32_t lazy_percent;                    /* cycles in which host and engine do nothing */
	uint32_t gie, ier, isr, done;             /* the registers */
	uint32_t done_transfers[DIRECTIONS], got; /* got: data of the last read */
};

static void bench_open(struct bench *b, uint64_t seed)
{
	uint32_t i;

	memset(b, 0, sizeof(*b));
	b->rng = rng_make(seed, 1);
	b->unit = ap_ctrl_open();
	b->in = ap_ctrl_in(b->unit);
	b->out = ap_ctrl_out(b->unit);
	b->in->idle = 1;
	for (i = 0; i < 3; i++) {
		ap_ctrl_eval(b->unit);
		ap_ctrl_tick(b->unit);
	}
	b->in->rst_n = 1;
}

static void bench_close(struct bench *b)
{
	ap_ctrl_close(b->unit);
	assert_int_equal(unit_failed(), 0);
}

static bool lazy(struct bench *b)
{
	return rng_percent(&b->rng, b->lazy_percent);
}

static uint32_t engine_resp(uint32_t address)
{
	return address & 0x40 ? 2 : 0;
}

static uint32_t engine_data(uint32_t address)
{
	return address * UINT32_C(0x9E3779B1);
}

/* Accesses of these registers come one after the other, in the order in which they are taken. */
static void write_here(struct bench *b, struct transfer *t)
{
	t->resp = 0;
	if (!(t->strobes & 1))
		return;
	switch (t->address & ~3u) {
	case CTRL:
		if (!(t->data & 1))
			break;
		b->done = 1;
		b->isr |= b->ier;
		break;
	case GIE:
		b->gie = t->data & 1;
		break;
	case IER:
		b->ier = t->data & 3;
		break;
	default:
		b->isr &= ~t->data;
		break;
	}
}

static void read_here(struct bench *b, struct transfer *t)
{
	t->resp = 0;
	switch (t->address & ~3u) {
	case CTRL:
		t->value = b->done << 3 | (uint32_t)b->in->idle << 2 | b->done << 1;
		b->done = 0;
		break;
	case GIE:
		t->value = b->gie;
		break;
	case IER:
		t->value = b->ier;
		break;
	default:
		t->value = b->isr;
		break;
	}
}

static void drive(struct bench *b)
{
	struct transfer *w = &b->host[WRITE], *r = &b->host[READ];
	struct tma_csr_in *host = &b->in->host;
	struct tma_csr_out *engine = &b->in->engine;

	if (w->active) {
		host->aw_valid = host->aw_valid || !lazy(b);
		host->w_valid = host->w_valid || !lazy(b);
	}
	host->aw_addr = w->address;
	host->w_data = w->data;
	host->w_strb = (uint8_t)w->strobes;
	host->b_ready = !lazy(b);
	host->ar_valid = r->active && (host->ar_valid || !lazy(b));
	host->ar_addr = r->address;
	host->r_ready = !lazy(b);

	engine->b_valid = b->engine[WRITE].active && !b->engine[WRITE].delay;
	engine->b_resp = (uint8_t)b->engine[WRITE].resp;
	engine->r_valid = b->engine[READ].active && !b->engine[READ].delay;
	engine->r_resp = (uint8_t)b->engine[READ].resp;
	engine->r_data = b->engine[READ].data;
	engine->aw_ready = engine->w_ready = engine->ar_ready = 0;
	ap_ctrl_eval(b->unit);
	/* As the engine's registers do it: both channels of a write or none. */
	assert_int_equal(b->out->engine.aw_valid, b->out->engine.w_valid);
	engine->aw_ready = engine->w_ready = b->out->engine.aw_valid && !b->engine[WRITE].active && !lazy(b);
	engine->ar_ready = b->out->engine.ar_valid && !b->engine[READ].active && !lazy(b);
	ap_ctrl_eval(b->unit);
}

static void take_write(struct bench *b)
{
	struct transfer *t = &b->host[WRITE];
	const struct tma_csr_in *engine = &b->out->engine;
	bool here = t->address < 0x10;

	assert_int_equal(b->out->host.aw_ready, b->out->host.w_ready);
	if (!b->out->host.aw_ready || !b->in->host.aw_valid) {
		assert_int_equal(b->in->engine.aw_ready, 0);
		return;
	}
	assert_true(b->in->host.w_valid && !b->flight[WRITE].active);
	assert_int_equal(b->in->engine.aw_ready, !here);
	if (here) {
		write_here(b, t);
	} else {
		assert_int_equal(engine->aw_addr, t->address);
		assert_int_equal(engine->w_data, t->data);
		assert_int_equal(engine->w_strb, t->strobes);
		t->resp = engine_resp(t->address);
		b->engine[WRITE] = (struct answer){ true, rng_below(&b->rng, 4), t->resp, 0 };
	}
	b->flight[WRITE] = *t;
	t->active = false;
	b->in->host.aw_valid = b->in->host.w_valid = 0;
}

static void take_read(struct bench *b)
{
	struct transfer *t = &b->host[READ];
	bool here = t->address < 0x10;

	if (!b->out->host.ar_ready || !b->in->host.ar_valid) {
		assert_int_equal(b->in->engine.ar_ready, 0);
		return;
	}
	assert_false(b->flight[READ].active);
	assert_int_equal(b->in->engine.ar_ready, !here);
	if (here) {
		read_here(b, t);
	} else {
		assert_int_equal(b->out->engine.ar_addr, t->address);
		t->resp = engine_resp(t->address);
		t->value = engine_data(t->address);
		b->engine[READ] = (struct answer){ true, rng_below(&b->rng, 4), t->resp, t->value };
	}
	b->flight[READ] = *t;
	t->active = false;
	b->in->host.ar_valid = 0;
}

static void finish(struct bench *b, uint32_t direction, bool valid, bool ready, uint32_t resp)
{
	struct transfer *t = &b->flight[direction];

	if (!valid)
		return;
	assert_true(t->active);
	assert_int_equal(resp, t->resp);
	if (direction == READ)
		assert_int_equal(b->out->host.r_data, t->value);
	if (!ready)
		return;
	b->got = t->value;
	b->done_transfers[direction]++;
	t->active = false;
}

static void step(struct bench *b)
{
	const struct ap_ctrl_out *out = b->out;
	uint32_t i;

	drive(b);
	/* Once a write is answered, its effect is there. */
	if (!b->flight[WRITE].active)
		assert_int_equal(out->interrupt, (b->gie && b->isr) || b->in->irq);
	for (i = 0; i < DIRECTIONS; i++)
		b->engine[i].delay -= b->engine[i].delay != 0;
	if (b->in->engine.b_valid && out->engine.b_ready)
		b->engine[WRITE].active = false;
	if (b->in->engine.r_valid && out->engine.r_ready)
		b->engine[READ].active = false;
	finish(b, WRITE, out->host.b_valid, b->in->host.b_ready, out->host.b_resp);
	finish(b, READ, out->host.r_valid, b->in->host.r_ready, out->host.r_resp);
	take_write(b);
	take_read(b);
	ap_ctrl_tick(b->unit);
}

static void run(struct bench *b, uint32_t direction, struct transfer t)
{
	uint32_t limit = 0;

	t.active = true;
	b->host[direction] = t;
	while (b->host[direction].active || b->flight[direction].active) {
		assert_true(limit++ < 200);
		step(b);
	}
}

static void put(struct bench *b, uint32_t address, uint32_t data, uint32_t strobes)
{
	run(b, WRITE, (struct transfer){ .address = address, .data = data, .strobes = strobes });
}

static uint32_t get(struct bench *b, uint32_t address)
{
	run(b, READ, (struct transfer){ .address = address });
	return b->got;
}

static void start(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, 1);
	assert_int_equal(get(&b, CTRL), IDLE);
	put(&b, CTRL, 1, 15);
	assert_int_equal(get(&b, CTRL), DONE_IDLE_READY);
	assert_int_equal(get(&b, CTRL), IDLE);
	/* What is not a start, bits that reset or restart a kernel among it, does nothing. */
	put(&b, CTRL, 1, 14);
	put(&b, CTRL, 0xFFFFFFFE, 15);
	assert_int_equal(get(&b, CTRL), IDLE);
	/* The engine's idle has nothing to do with it. */
	b.in->idle = 0;
	step(&b);
	assert_int_equal(get(&b, CTRL), 0);
	put(&b, CTRL, 1, 1);
	assert_int_equal(get(&b, CTRL), DONE_IDLE_READY & ~IDLE);
	bench_close(&b);
}

static void interrupts(void **state)
{
	struct bench b;

	(void)state;
	bench_open(&b, 2);
	put(&b, CTRL, 1, 15);
	assert_int_equal(get(&b, ISR), 0);
	put(&b, IER, 2, 15);
	put(&b, CTRL, 1, 15);
	assert_int_equal(get(&b, ISR), 2);
	assert_int_equal(b.out->interrupt, 0);
	put(&b, GIE, 1, 15);
	assert_int_equal(b.out->interrupt, 1);
	put(&b, ISR, 3, 14);
	put(&b, ISR, 1, 15);
	assert_int_equal(get(&b, ISR), 2);
	put(&b, ISR, 2, 1);
	assert_int_equal(get(&b, ISR), 0);
	assert_int_equal(b.out->interrupt, 0);
	put(&b, IER, 3, 15);
	put(&b, CTRL, 1, 15);
	assert_int_equal(get(&b, ISR), 3);
	put(&b, GIE, 0, 15);
	assert_int_equal(b.out->interrupt, 0);
	/* The engine's own has masks of its own. */
	b.in->irq = 1;
	step(&b);
	assert_int_equal(b.out->interrupt, 1);
	bench_close(&b);
}

/* What is not here reaches the engine in the cycle in which the host sends it. */
static void way_through(void **state)
{
	struct bench b;
	uint32_t a;

	(void)state;
	bench_open(&b, 3);
	for (a = 0x10; a < 0x10000; a = a * 2 + 4) {
		b.host[WRITE] = (struct transfer){ .active = true, .address = a, .data = ~a, .strobes = 5 };
		b.host[READ] = (struct transfer){ .active = true, .address = a };
		step(&b);
		assert_true(b.engine[WRITE].active && b.engine[READ].active);
		while (b.flight[WRITE].active || b.flight[READ].active)
			step(&b);
	}
	bench_close(&b);
}

/* Reads and writes of both sides at once, with pauses of everyone. */
static void random_transfers(void **state)
{
	struct bench b;
	uint32_t i, d;

	(void)state;
	bench_open(&b, 4);
	for (i = 0; i < 60000; i++) {
		if (i % 1000 == 0)
			b.lazy_percent = rng_below(&b.rng, 3) * 40;
		b.in->irq = rng_percent(&b.rng, 10);
		/* A read on its way sees the engine's idle as of one cycle or another. */
		if (!b.host[READ].active && !b.flight[READ].active && rng_percent(&b.rng, 50)) {
			b.in->idle = !b.in->idle;
			step(&b);
		}
		for (d = 0; d < DIRECTIONS; d++) {
			if (b.host[d].active || rng_percent(&b.rng, 30))
				continue;
			b.host[d] = (struct transfer){
				.active = true,
				.address = rng_percent(&b.rng, 60) ? rng_below(&b.rng, 16)
				                                   : rng_below(&b.rng, 0x10000),
				.data = (uint32_t)rng_next(&b.rng),
				.strobes = rng_percent(&b.rng, 70) ? 15 : rng_below(&b.rng, 16)
			};
		}
		step(&b);
	}
	assert_true(b.done_transfers[WRITE] > 5000 && b.done_transfers[READ] > 5000);
	bench_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(start),
		cmocka_unit_test(interrupts),
		cmocka_unit_test(way_through),
		cmocka_unit_test(random_transfers),
	};

	return cmocka_run_group_tests_name("tma_ap_ctrl", tests, NULL, NULL);
}
