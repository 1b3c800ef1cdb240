/* SPDX-License-Identifier: Apache-2.0 */
#include "board/tma_board_line_env.h"

#define FLAG  0x7Eu
#define QUIET 3000u /* cycles */

void env_open(struct env *e, uint64_t seed, uint32_t stall)
{
	BENCH_OPEN(e, board_line, seed);
	e->stall = stall;
	for (uint32_t i = 0; i < MEMORY; i++)
		e->state.memory[i] = (uint8_t)rng_next(&e->rng);
	for (uint32_t i = 0; i < CTAS * SMEM; i++)
		e->state.shared[i / SMEM][i % SMEM] = (uint8_t)rng_next(&e->rng);
	for (uint32_t i = 0; i < REGS; i++)
		e->state.regs[i] = (uint32_t)rng_next(&e->rng);
	e->ref.state = e->state;
	e->in->tx_ready = 1;
	board_line_start(e->unit);
	for (uint32_t i = 0; i < 20; i++)
		env_step(e, -1, false);
}

void env_compare(struct env *e)
{
	struct state *is = &e->state, *has_to = &e->ref.state;

	assert_memory_equal(is->memory, has_to->memory, MEMORY);
	assert_memory_equal(is->shared, has_to->shared, CTAS * SMEM);
	assert_memory_equal(is->regs, has_to->regs, sizeof(is->regs));
	assert_int_equal(is->reg_writes, has_to->reg_writes);
	assert_int_equal(is->reg_reads, has_to->reg_reads);
	assert_int_equal(is->resets, has_to->resets);
	assert_int_equal(e->broken_answers, 0);
}

void env_close(struct env *e)
{
	env_compare(e);
	board_line_close(e->unit);
}

static bool ready(struct env *e)
{
	return !rng_percent(&e->rng, e->stall);
}

/* What the registers offer in this cycle. Only a dead one is silent. */
static void offer_registers(struct env *e)
{
	struct board_line_axil_rsp *r = &e->in->axil;
	bool answer = !e->dead_regs && ready(e), write = e->aw && e->w;

	memset(r, 0, sizeof(*r));
	r->awready = !e->aw && !e->dead_regs && ready(e);
	r->wready = !e->w && !e->dead_regs && ready(e);
	r->arready = !e->ar && !e->dead_regs && ready(e);
	r->bvalid = write && answer;
	r->bresp = e->aw_addr >= REFUSES ? 2 : 0;
	r->rvalid = e->ar && answer;
	r->rresp = e->ar_addr >= REFUSES ? 2 : 0;
	r->rdata = e->ar_addr >= REFUSES ? 0xDEADDEAD : e->state.regs[e->ar_addr / 4];
}

static void take_registers(struct env *e)
{
	const struct board_line_axil_req *q = &e->out->axil;
	const struct board_line_axil_rsp *r = &e->in->axil;

	REQUIRE(e, !(q->awvalid && q->arvalid));
	if (r->bvalid) {
		REQUIRE(e, q->bready);
		e->aw = e->w = false;
		e->state.reg_writes++;
		if (e->aw_addr < REFUSES)
			e->state.regs[e->aw_addr / 4] = e->w_data;
	}
	if (r->rvalid) {
		REQUIRE(e, q->rready);
		e->ar = false;
		e->state.reg_reads++;
	}
	if (q->awvalid && r->awready) {
		e->aw = true;
		e->aw_addr = q->awaddr;
	}
	if (q->wvalid && r->wready) {
		REQUIRE(e, q->wstrb == 15);
		e->w = true;
		e->w_data = q->wdata;
	}
	if (q->arvalid && r->arready) {
		e->ar = true;
		e->ar_addr = q->araddr;
	}
}

static void write_line(uint8_t *to, const uint8_t *from, uint16_t strb)
{
	for (uint32_t i = 0; i < 16; i++)
		if (strb >> i & 1)
			to[i] = from[i];
}

static void offer_lines(struct env *e)
{
	bool mem = e->mem_owed && ready(e);

	memset(&e->in->mem, 0, sizeof(e->in->mem));
	memset(e->in->ext_rdata, 0xEE, sizeof(e->in->ext_rdata));
	memset(e->in->mem.rdata, 0xEE, 16);
	e->in->mem.ready =
		!e->dead_memory && !e->mem_owed && ready(e) && (!e->period || e->cycle % e->period == 0);
	e->in->mem.rvalid = mem;
	if (mem)
		memcpy(e->in->mem.rdata, e->state.memory + e->mem_addr, 16);
	e->mem_owed = e->mem_owed && !mem;

	e->in->ext_ready = e->dead_shared ? 0 : ready(e) * 1 + ready(e) * 2;
	e->in->ext_rvalid = (uint8_t)(e->ext_owed << e->ext_cta);
	if (e->ext_owed)
		memcpy(e->in->ext_rdata[e->ext_cta], e->state.shared[e->ext_cta] + e->ext_addr, 16);
	e->ext_owed = false;
}

static void take_lines(struct env *e)
{
	const struct board_line_line_req *m = &e->out->mem;

	if (e->out->mem_valid && e->in->mem.ready) {
		REQUIRE(e, m->addr % 16 == 0 && m->addr < MEMORY);
		if (m->write)
			write_line(e->state.memory + m->addr, m->wdata, m->strb);
		e->mem_owed = !m->write;
		e->mem_addr = m->addr;
	}
	REQUIRE(e, e->out->ext_valid != 3);
	for (uint32_t c = 0; c < CTAS; c++) {
		uint32_t addr = e->out->ext_addr[c];

		if (!(e->out->ext_valid & e->in->ext_ready & 1u << c))
			continue;
		REQUIRE(e, addr % 16 == 0 && addr < SMEM);
		if (e->out->ext_write >> c & 1)
			write_line(e->state.shared[c] + addr, e->out->ext_wdata[c], e->out->ext_strb[c]);
		e->ext_owed = !(e->out->ext_write >> c & 1);
		e->ext_addr = addr;
		e->ext_cta = c;
	}
}

static void take_answer_byte(struct env *e, uint8_t byte)
{
	if (byte != FLAG) {
		REQUIRE(e, e->coming && e->coming_count < sizeof(e->coming_bytes));
		e->coming_bytes[e->coming_count++] = byte;
		return;
	}
	if (e->coming && e->coming_count) {
		if (line_answer(e->coming_bytes, e->coming_count, &e->answer))
			e->answers++;
		else
			e->broken_answers++;
	}
	e->coming = true;
	e->coming_count = 0;
}

/* The second opinion on what a byte does, between the flags and behind a request that is not answered yet. */
static void ref_byte(struct env *e, uint8_t byte, bool error, bool held)
{
	struct reference *ref = &e->ref;
	uint8_t request[MAX_LINE_REQ + 4];
	size_t size;

	if (error || byte != FLAG) {
		ref->broken = ref->broken || error;
		if (held)
			ref->inside = false;
		else if (!error && ref->count < sizeof(ref->frame))
			ref->frame[ref->count++] = byte;
		return;
	}
	if (ref->inside && !held && (ref->count || ref->broken)) {
		size = ref->broken ? 0 : line_unframe(ref->frame, ref->count, request, sizeof(request));
		if (size) {
			ref->good++;
			ref_request(ref, request, size, e->irq);
		} else {
			ref->bad++;
		}
	}
	ref->inside = true;
	ref->broken = false;
	ref->count = 0;
}

void env_step(struct env *e, int byte, bool error)
{
	e->in->rx_valid = byte >= 0;
	e->in->rx_error = byte >= 0 && error;
	e->in->rx_byte = (uint8_t)byte;
	e->in->tx_ready = ready(e);
	e->in->irq = e->irq;
	offer_registers(e);
	offer_lines(e);
	board_line_eval(e->unit);
	if (byte >= 0)
		ref_byte(e, (uint8_t)byte, error, e->out->held);
	if (e->out->tx_valid && e->in->tx_ready)
		take_answer_byte(e, e->out->tx_byte);
	if (e->out->rst_n) {
		take_registers(e);
		take_lines(e);
	} else {
		e->aw = e->w = e->ar = e->mem_owed = e->ext_owed = false;
	}
	e->state.resets += e->out->reset;
	board_line_tick(e->unit);
	e->cycle++;
}

void env_byte(struct env *e, uint8_t byte, bool error)
{
	env_step(e, byte, error);
	for (uint32_t i = rng_below(&e->rng, 4); i; i--)
		env_step(e, -1, false);
}

bool env_answer(struct env *e, uint32_t cycles)
{
	uint64_t answers = e->answers;

	while (e->answers == answers && cycles--)
		env_step(e, -1, false);
	return e->answers != answers;
}

void env_quiet(struct env *e)
{
	while (env_answer(e, QUIET))
		;
}

void env_send(struct env *e, const uint8_t *request, size_t size)
{
	uint8_t frame[2 * (MAX_LINE_REQ + 64) + 2];
	size_t count = line_frame(frame, request, size);

	for (size_t i = 0; i < count; i++)
		env_byte(e, frame[i], false);
}

int env_request(struct env *e, const uint8_t *request, size_t size)
{
	const struct line_answer *is = &e->answer, *has_to = &e->ref.last;

	env_send(e, request, size);
	REQUIRE(e, env_answer(e, 200000));
	assert_int_equal(is->sequence, has_to->sequence);
	assert_int_equal(is->op, has_to->op);
	assert_int_equal(is->status, has_to->status);
	assert_int_equal(is->size, has_to->size);
	assert_memory_equal(is->results, has_to->results, has_to->size);
	assert_int_equal(e->out->trouble, is->status != LINE_OKAY);
	return is->status;
}
