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
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/unit_test.h"
#include "tma_ap_ctrl_pins.h"

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
	BENCH_OPEN(b, ap_ctrl, seed);
	b->in->idle = 1;
	ap_ctrl_start(b->unit);
}

#define BENCH_TEST(name, ...) \
	TEST_IN(name, struct bench, b, bench_open(b, __VA_ARGS__), ap_ctrl_close(b->unit))

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
	struct ap_ctrl_in *in = b->in;

	if (w->active) {
		in->host.awvalid = in->host.awvalid || !lazy(b);
		in->host.wvalid = in->host.wvalid || !lazy(b);
	}
	in->host.awaddr = (uint16_t)w->address;
	in->host.wdata = w->data;
	in->host.wstrb = (uint8_t)w->strobes;
	in->host.bready = !lazy(b);
	in->host.arvalid = r->active && (in->host.arvalid || !lazy(b));
	in->host.araddr = (uint16_t)r->address;
	in->host.rready = !lazy(b);

	in->engine.bvalid = b->engine[WRITE].active && !b->engine[WRITE].delay;
	in->engine.bresp = (uint8_t)b->engine[WRITE].resp;
	in->engine.rvalid = b->engine[READ].active && !b->engine[READ].delay;
	in->engine.rresp = (uint8_t)b->engine[READ].resp;
	in->engine.rdata = b->engine[READ].data;
	in->engine.awready = in->engine.wready = in->engine.arready = 0;
	ap_ctrl_eval(b->unit);
	/* As the engine's registers do it: both channels of a write or none. */
	assert_int_equal(b->out->engine.awvalid, b->out->engine.wvalid);
	in->engine.awready = in->engine.wready =
		b->out->engine.awvalid && !b->engine[WRITE].active && !lazy(b);
	in->engine.arready = b->out->engine.arvalid && !b->engine[READ].active && !lazy(b);
	ap_ctrl_eval(b->unit);
}

static void take_write(struct bench *b)
{
	struct transfer *t = &b->host[WRITE];
	bool here = t->address < 0x10;

	assert_int_equal(b->out->host.awready, b->out->host.wready);
	if (!b->out->host.awready || !b->in->host.awvalid) {
		assert_int_equal(b->in->engine.awready, 0);
		return;
	}
	assert_true(b->in->host.wvalid && !b->flight[WRITE].active);
	assert_int_equal(b->in->engine.awready, !here);
	if (here) {
		write_here(b, t);
	} else {
		assert_int_equal(b->out->engine.awaddr, t->address);
		assert_int_equal(b->out->engine.wdata, t->data);
		assert_int_equal(b->out->engine.wstrb, t->strobes);
		t->resp = engine_resp(t->address);
		b->engine[WRITE] = (struct answer){ true, rng_below(&b->rng, 4), t->resp, 0 };
	}
	b->flight[WRITE] = *t;
	t->active = false;
	b->in->host.awvalid = b->in->host.wvalid = 0;
}

static void take_read(struct bench *b)
{
	struct transfer *t = &b->host[READ];
	bool here = t->address < 0x10;

	if (!b->out->host.arready || !b->in->host.arvalid) {
		assert_int_equal(b->in->engine.arready, 0);
		return;
	}
	assert_false(b->flight[READ].active);
	assert_int_equal(b->in->engine.arready, !here);
	if (here) {
		read_here(b, t);
	} else {
		assert_int_equal(b->out->engine.araddr, t->address);
		t->resp = engine_resp(t->address);
		t->value = engine_data(t->address);
		b->engine[READ] = (struct answer){ true, rng_below(&b->rng, 4), t->resp, t->value };
	}
	b->flight[READ] = *t;
	t->active = false;
	b->in->host.arvalid = 0;
}

static void finish(struct bench *b, uint32_t direction, bool valid, bool ready, uint32_t resp)
{
	struct transfer *t = &b->flight[direction];

	if (!valid)
		return;
	assert_true(t->active);
	assert_int_equal(resp, t->resp);
	if (direction == READ)
		assert_int_equal(b->out->host.rdata, t->value);
	if (!ready)
		return;
	b->got = t->value;
	b->done_transfers[direction]++;
	t->active = false;
}

static void step(struct bench *b)
{
	const struct ap_ctrl_out *out = b->out;

	drive(b);
	/* Once a write is answered, its effect is there. */
	if (!b->flight[WRITE].active)
		assert_int_equal(out->interrupt, (b->gie && b->isr) || b->in->irq);
	for (uint32_t i = 0; i < DIRECTIONS; i++)
		b->engine[i].delay -= b->engine[i].delay != 0;
	if (b->in->engine.bvalid && out->engine.bready)
		b->engine[WRITE].active = false;
	if (b->in->engine.rvalid && out->engine.rready)
		b->engine[READ].active = false;
	finish(b, WRITE, out->host.bvalid, b->in->host.bready, out->host.bresp);
	finish(b, READ, out->host.rvalid, b->in->host.rready, out->host.rresp);
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

BENCH_TEST(start, 1)
{
	assert_int_equal(get(b, CTRL), IDLE);
	put(b, CTRL, 1, 15);
	assert_int_equal(get(b, CTRL), DONE_IDLE_READY);
	assert_int_equal(get(b, CTRL), IDLE);
	/* What is not a start, bits that reset or restart a kernel among it, does nothing. */
	put(b, CTRL, 1, 14);
	put(b, CTRL, 0xFFFFFFFE, 15);
	assert_int_equal(get(b, CTRL), IDLE);
	/* The engine's idle has nothing to do with it. */
	b->in->idle = 0;
	step(b);
	assert_int_equal(get(b, CTRL), 0);
	put(b, CTRL, 1, 1);
	assert_int_equal(get(b, CTRL), DONE_IDLE_READY & ~IDLE);
}

BENCH_TEST(interrupts, 2)
{
	put(b, CTRL, 1, 15);
	assert_int_equal(get(b, ISR), 0);
	put(b, IER, 2, 15);
	put(b, CTRL, 1, 15);
	assert_int_equal(get(b, ISR), 2);
	assert_int_equal(b->out->interrupt, 0);
	put(b, GIE, 1, 15);
	assert_int_equal(b->out->interrupt, 1);
	put(b, ISR, 3, 14);
	put(b, ISR, 1, 15);
	assert_int_equal(get(b, ISR), 2);
	put(b, ISR, 2, 1);
	assert_int_equal(get(b, ISR), 0);
	assert_int_equal(b->out->interrupt, 0);
	put(b, IER, 3, 15);
	put(b, CTRL, 1, 15);
	assert_int_equal(get(b, ISR), 3);
	put(b, GIE, 0, 15);
	assert_int_equal(b->out->interrupt, 0);
	/* The engine's own has masks of its own. */
	b->in->irq = 1;
	step(b);
	assert_int_equal(b->out->interrupt, 1);
}

/* What is not here reaches the engine in the cycle in which the host sends it. */
BENCH_TEST(way_through, 3)
{
	for (uint32_t a = 0x10; a < 0x10000; a = a * 2 + 4) {
		b->host[WRITE] = (struct transfer){ .active = true, .address = a, .data = ~a, .strobes = 5 };
		b->host[READ] = (struct transfer){ .active = true, .address = a };
		step(b);
		assert_true(b->engine[WRITE].active && b->engine[READ].active);
		while (b->flight[WRITE].active || b->flight[READ].active)
			step(b);
	}
}

/* Reads and writes of both sides at once, with pauses of everyone. */
BENCH_TEST(random_transfers, 4)
{
	for (uint32_t i = 0; i < 60000; i++) {
		if (i % 1000 == 0)
			b->lazy_percent = rng_below(&b->rng, 3) * 40;
		b->in->irq = rng_percent(&b->rng, 10);
		/* A read on its way sees the engine's idle as of one cycle or another. */
		if (!b->host[READ].active && !b->flight[READ].active && rng_percent(&b->rng, 50)) {
			b->in->idle = !b->in->idle;
			step(b);
		}
		for (uint32_t d = 0; d < DIRECTIONS; d++) {
			if (b->host[d].active || rng_percent(&b->rng, 30))
				continue;
			b->host[d] = (struct transfer){
				.active = true,
				.address = rng_percent(&b->rng, 60) ? rng_below(&b->rng, 16)
				                                    : rng_below(&b->rng, 0x10000),
				.data = (uint32_t)rng_next(&b->rng),
				.strobes = rng_percent(&b->rng, 70) ? 15 : rng_below(&b->rng, 16)
			};
		}
		step(b);
	}
	assert_true(b->done_transfers[WRITE] > 5000 && b->done_transfers[READ] > 5000);
}
