/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_rtl/tma_shell_env.h"

#include <stdlib.h>

#define CHUNK 16u
#define LIMIT 500u /* cycles of a transfer */

void bench_open(struct bench *b, uint64_t seed)
{
	const struct unit_shape *shape = unit_shape();

	BENCH_OPEN(b, shell, seed);
	b->strobe = 0xF;
	for (uint32_t c = 0; c < shape->ctas; c++) {
		b->memory[c] = must(malloc(shape->smem_bytes));
		b->shadow[c] = must(malloc(shape->smem_bytes));
		for (uint32_t i = 0; i < shape->smem_bytes; i++)
			b->shadow[c][i] = b->memory[c][i] = (uint8_t)rng_next(&b->rng);
	}
	b->in->idle = 1;
	shell_start(b->unit);
}

void bench_close(struct bench *b)
{
	for (uint32_t c = 0; c < unit_shape()->ctas; c++) {
		assert_memory_equal(b->memory[c], b->shadow[c], unit_shape()->smem_bytes);
		free(b->memory[c]);
		free(b->shadow[c]);
	}
	shell_close(b->unit);
}

static bool lazy(struct bench *b)
{
	return rng_percent(&b->rng, b->lazy_percent);
}

/*
 * The engine.
 */

bool engine_refuses(uint32_t address)
{
	return address & 0x40;
}

uint32_t engine_data(uint32_t address)
{
	return address * UINT32_C(0x9E3779B1);
}

/*
 * What the registers mean: one access after the other, in the order in which they are taken.
 */

static bool is_here(uint32_t address)
{
	return address < 0x10 || (address >= TMA_SHELL_ARGUMENT(0) && address < TMA_SHELL_ARGUMENT(0) + 0x40);
}

/* The word that SMEM_DATA is; NULL: there is none. */
static uint8_t *shared_word(struct bench *b)
{
	uint32_t cta = b->address >> 24, offset = b->address & 0xFFFFFF;

	if (cta >= unit_shape()->ctas || offset + 4 > unit_shape()->smem_bytes)
		return NULL;
	b->shared++;
	return b->shadow[cta] + offset;
}

static uint32_t with_strobes(const struct transfer *t, uint32_t old)
{
	for (uint32_t i = 0; i < 4; i++)
		if (t->strobes >> i & 1)
			old = (old & ~(0xFFu << 8 * i)) | (t->data & 0xFFu << 8 * i);
	return old;
}

static void write_shared(struct bench *b, struct transfer *t)
{
	uint8_t *word = shared_word(b);

	t->refused = !word;
	t->shared = word;
	t->cta = b->address >> 24;
	t->place = b->address & 0xFFFFFF;
	for (uint32_t i = 0; i < 4 && word; i++)
		if (b->strobe & t->strobes & 1u << i)
			word[i] = (uint8_t)(t->data >> 8 * i);
	b->address += 4;
}

static void write_register(struct bench *b, struct transfer *t)
{
	switch (t->address & ~3u) {
	case TMA_SHELL_CTRL:
		if (!(t->data & t->strobes & 1))
			break;
		b->done = 1;
		b->isr |= b->ier;
		break;
	case TMA_SHELL_GIE:
		b->gie = with_strobes(t, b->gie) & 1;
		break;
	case TMA_SHELL_IER:
		b->ier = with_strobes(t, b->ier) & 3;
		break;
	case TMA_SHELL_ISR:
		b->isr &= t->strobes & 1 ? ~t->data : ~0u;
		break;
	case TMA_SHELL_SMEM_ADDRESS:
		b->address = with_strobes(t, b->address) & ~3u;
		break;
	case TMA_SHELL_SMEM_DATA:
		write_shared(b, t);
		break;
	case TMA_SHELL_SMEM_STROBE:
		b->strobe = with_strobes(t, b->strobe) & 0xF;
		break;
	default:
		t->refused = true;
	}
}

static void read_register(struct bench *b, struct transfer *t)
{
	const uint8_t *word;

	switch (t->address & ~3u) {
	case TMA_SHELL_CTRL:
		t->value = b->done << 3 | (uint32_t)b->in->idle << 2 | b->done << 1;
		b->done = 0;
		break;
	case TMA_SHELL_GIE:
		t->value = b->gie;
		break;
	case TMA_SHELL_IER:
		t->value = b->ier;
		break;
	case TMA_SHELL_ISR:
		t->value = b->isr;
		break;
	case TMA_SHELL_SHELL:
		memcpy(&t->value, "TMS1", 4);
		break;
	case TMA_SHELL_REFUSALS:
		t->value = b->refusals;
		t->counts = true;
		break;
	case TMA_SHELL_SMEM_ADDRESS:
		t->value = b->address;
		break;
	case TMA_SHELL_SMEM_DATA:
		word = shared_word(b);
		t->refused = !word;
		if (word)
			memcpy(&t->value, word, 4);
		b->address += 4;
		break;
	case TMA_SHELL_SMEM_STROBE:
		t->value = b->strobe;
		break;
	default:
		t->refused = true;
	}
}

/*
 * Shared memory: asked one CTA at a time, for what it has.
 */

static void answer_shared(struct bench *b, uint32_t cta, bool taken)
{
	uint8_t *chunk = b->memory[cta] + b->out->ext_addr[cta];

	REQUIRE(b, b->out->ext_valid == 1u << cta);
	REQUIRE(b, b->out->ext_addr[cta] % CHUNK == 0 && b->out->ext_addr[cta] < unit_shape()->smem_bytes);
	if (!taken)
		return;
	if (b->out->ext_write & 1u << cta) {
		for (uint32_t i = 0; i < CHUNK; i++)
			if (b->out->ext_strb[cta] >> i & 1)
				chunk[i] = b->out->ext_wdata[cta][i];
		return;
	}
	b->in->ext_rvalid = (uint16_t)(1u << cta);
	memcpy(b->in->ext_rdata[cta], chunk, CHUNK);
}

/* For the next cycle. */
static void step_shared(struct bench *b)
{
	uint16_t ready = b->in->ext_ready;

	b->in->ext_rvalid = 0;
	for (uint32_t c = 0; c < unit_shape()->ctas; c++) {
		for (uint32_t i = 0; i < CHUNK; i++)
			b->in->ext_rdata[c][i] = (uint8_t)rng_next(&b->rng);
		if (b->out->ext_valid >> c & 1)
			answer_shared(b, c, ready >> c & 1);
	}
}

/*
 * A cycle.
 */

static void drive_host(struct bench *b)
{
	const struct transfer *w = &b->host[WRITE], *r = &b->host[READ];
	struct shell_axil_req *host = &b->in->host;

	if (w->active) {
		host->awvalid = host->awvalid || !lazy(b);
		host->wvalid = host->wvalid || !lazy(b);
	}
	host->awaddr = w->address;
	host->wdata = w->data;
	host->wstrb = (uint8_t)w->strobes;
	host->bready = !lazy(b);
	host->arvalid = r->active && (host->arvalid || !lazy(b));
	host->araddr = r->address;
	host->rready = !lazy(b);
}

static void drive(struct bench *b)
{
	struct shell_axil_rsp *engine = &b->in->engine;

	drive_host(b);
	engine->bvalid = b->engine[WRITE].active && !b->engine[WRITE].delay;
	engine->bresp = (uint8_t)b->engine[WRITE].resp;
	engine->rvalid = b->engine[READ].active && !b->engine[READ].delay;
	engine->rresp = (uint8_t)b->engine[READ].resp;
	engine->rdata = b->engine[READ].data;
	engine->awready = engine->wready = engine->arready = 0;
	b->in->ext_ready = 0;
	shell_eval(b->unit);
	/* As the engine's registers do it: both channels of a write or none. */
	REQUIRE(b, b->out->engine.awvalid == b->out->engine.wvalid);
	engine->awready = engine->wready = b->out->engine.awvalid && !b->engine[WRITE].active && !lazy(b);
	engine->arready = b->out->engine.arvalid && !b->engine[READ].active && !lazy(b);
	if (!lazy(b))
		b->in->ext_ready = b->out->ext_valid;
	shell_eval(b->unit);
}

static void take(struct bench *b, uint32_t direction, bool taken, bool passed)
{
	struct transfer *t = &b->host[direction];

	if (!taken) {
		REQUIRE(b, !passed);
		return;
	}
	REQUIRE(b, t->active && !b->flight[direction].active && passed == !is_here(t->address));
	if (!passed) {
		(direction == WRITE ? write_register : read_register)(b, t);
	} else {
		t->refused = engine_refuses(t->address);
		t->value = t->refused ? 0 : engine_data(t->address);
		/* What is refused comes with data that nobody must see. */
		b->engine[direction] = (struct answer){ true, rng_below(&b->rng, 4), t->refused ? 2 : 0,
			                                engine_data(t->address) };
	}
	b->flight[direction] = *t;
	t->active = false;
}

static void take_both(struct bench *b)
{
	const struct transfer *w = &b->host[WRITE], *r = &b->host[READ];
	struct shell_in *in = b->in;
	const struct shell_out *out = b->out;

	REQUIRE(b, out->host.awready == out->host.wready);
	if (in->engine.awready) {
		REQUIRE(b, out->engine.awaddr == w->address && out->engine.wdata == w->data &&
		                   out->engine.wstrb == w->strobes);
	}
	if (in->engine.arready)
		REQUIRE(b, out->engine.araddr == r->address);
	take(b, WRITE, in->host.awvalid && out->host.awready, in->engine.awready);
	take(b, READ, in->host.arvalid && out->host.arready, in->engine.arready);
	if (!w->active)
		in->host.awvalid = in->host.wvalid = 0;
	if (!r->active)
		in->host.arvalid = 0;
}

static void finish(struct bench *b, uint32_t direction, bool valid, bool ready, uint32_t resp)
{
	struct transfer *t = &b->flight[direction];

	if (!valid)
		return;
	REQUIRE(b, t->active && resp == 0);
	/* What a write has done to shared memory is done. */
	if (t->shared)
		assert_memory_equal(b->memory[t->cta] + t->place, b->shadow[t->cta] + t->place, 4);
	if (!ready)
		return;
	if (direction == READ) {
		b->got = b->out->host.rdata;
		REQUIRE(b, t->counts ? b->got - t->value <= b->refusals - t->value : b->got == t->value);
	}
	b->refusals += t->refused;
	b->transfers[direction]++;
	t->active = false;
}

void step(struct bench *b)
{
	const struct shell_out *out = b->out;

	drive(b);
	/* Once a write is answered, its effect is there. */
	if (!b->flight[WRITE].active)
		REQUIRE(b, out->interrupt == ((b->gie && b->isr) || b->in->irq));
	for (uint32_t i = 0; i < DIRECTIONS; i++)
		b->engine[i].delay -= b->engine[i].delay != 0;
	if (b->in->engine.bvalid && out->engine.bready)
		b->engine[WRITE].active = false;
	if (b->in->engine.rvalid && out->engine.rready)
		b->engine[READ].active = false;
	finish(b, WRITE, out->host.bvalid, b->in->host.bready, out->host.bresp);
	finish(b, READ, out->host.rvalid, b->in->host.rready, out->host.rresp);
	take_both(b);
	step_shared(b);
	shell_tick(b->unit);
	b->cycle++;
}

void settle(struct bench *b)
{
	for (uint32_t i = 0; i < LIMIT; i++) {
		if (!b->host[WRITE].active && !b->flight[WRITE].active && !b->host[READ].active &&
		    !b->flight[READ].active)
			return;
		step(b);
	}
	fail_msg("cycle %" PRIu64 ": no answer", b->cycle);
}

void put_strobed(struct bench *b, uint32_t address, uint32_t data, uint32_t strobes)
{
	b->host[WRITE] =
		(struct transfer){ .active = true, .address = address, .data = data, .strobes = strobes };
	settle(b);
}

void put(struct bench *b, uint32_t address, uint32_t data)
{
	put_strobed(b, address, data, 15);
}

uint32_t get(struct bench *b, uint32_t address)
{
	b->host[READ] = (struct transfer){ .active = true, .address = address };
	settle(b);
	return b->got;
}
