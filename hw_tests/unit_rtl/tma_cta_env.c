/* SPDX-License-Identifier: Apache-2.0 */
/* See tma_cta_env.h. */
#include "unit_rtl/tma_cta_env.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tma_abi.h"

/* No request waits longer than this, whatever else goes on. */
#define WAIT_LIMIT 1000u

const struct bar_request env_expect_100 = { .op = BAR_EXPECT, .tx = 100 };

uint32_t env_bank(const struct env *e, uint32_t addr)
{
	return addr % e->chunks;
}

uint64_t env_word(const struct env *e, uint32_t barrier)
{
	uint64_t word;

	memcpy(&word, e->mem + 8 * (size_t)barrier, 8);
	return word;
}

static void set_word(struct env *e, uint32_t barrier, uint64_t word)
{
	memcpy(e->mem + 8 * (size_t)barrier, &word, 8);
}

/*
 * Answers to the cycle before.
 */

static void check_read(struct env *e, uint32_t port)
{
	/* Rows behind the end of memory may hold anything. */
	for (uint32_t b = 0; b < e->chunks; b++)
		if (e->rd_rows[port][b] < e->rows &&
		    memcmp(e->out->rd_data[port] + CHUNK * b, e->rd_wanted[port] + CHUNK * b, CHUNK))
			fail_msg("cycle %" PRIu64 ": read port %u, bank %u, row %u", e->cycle, port, b,
			         e->rd_rows[port][b]);
}

static void check_answers(struct env *e)
{
	for (uint32_t port = 0; port < 2; port++) {
		/* Port 0 holds its data until the next read. */
		if (e->rd_due[port] || (port == 0 && e->rd_held))
			check_read(e, port);
		e->rd_held |= port == 0 && e->rd_due[port];
		e->rd_due[port] = false;
	}
	REQUIRE(e, e->out->ext_rvalid == e->ext_due);
	for (uint32_t w = 0; e->ext_due && w < CHUNK; w += 8)
		REQUIRE(e, !memcmp(e->out->ext_rdata + w, e->ext_wanted[0] + w, 8) ||
		                   !memcmp(e->out->ext_rdata + w, e->ext_wanted[1] + w, 8));
	e->ext_due = false;
	REQUIRE(e, e->out->bar_update == e->update_due);
	e->update_due = false;
}

/*
 * What happens in this cycle.
 */

static void handshake(struct env *e, enum port port, bool valid, bool ready)
{
	e->took[port] = valid && ready;
	if (!valid || ready)
		e->waited[port] = 0;
	else if (++e->waited[port] > e->longest[port])
		e->longest[port] = e->waited[port];
	if (e->waited[port] > WAIT_LIMIT)
		fail_msg("cycle %" PRIu64 ": port %d waits", e->cycle, (int)port);
	e->done[port] += e->took[port];
}

/* Chunk of a bank's row. */
static uint8_t *bank_chunk(const struct env *e, uint32_t bank, uint32_t row)
{
	return e->mem + CHUNK * ((size_t)row * e->chunks + bank);
}

static void take_reads(struct env *e)
{
	for (uint32_t port = 0; port < 2; port++) {
		const uint16_t *rows = e->in->rd_rows[port];

		if (!e->took[PORT_RD0 + port])
			continue;
		e->rd_due[port] = true;
		memcpy(e->rd_rows[port], rows, sizeof(e->rd_rows[port]));
		for (uint32_t b = 0; b < e->chunks; b++)
			if (rows[b] < e->rows)
				memcpy(e->rd_wanted[port] + CHUNK * b, bank_chunk(e, b, rows[b]), CHUNK);
	}
}

static void take_ext_read(struct env *e, uint8_t wanted[CHUNK])
{
	uint32_t addr = e->ext.addr;

	if (addr < e->info->smem_bytes)
		memcpy(wanted, e->mem + addr, CHUNK);
	else
		memset(wanted, 0, CHUNK);
}

static void take_b(struct env *e)
{
	struct bar_request r = { .op = BAR_COMPLETE, .tx = e->in->bar_b_tx };
	struct bar_request arrival = { .op = BAR_ARRIVE, .count = 1 };
	uint64_t word = env_word(e, e->in->bar_b_addr);
	bool flip;
	uint32_t fault = bar_apply(&word, e->in->bar_b_arrive ? &arrival : &r, &flip);

	if (fault)
		fault = fault == TMA_FAULT_BARRIER_DEAD        ? TMA_FAULT_SIGNAL_BARRIER_DEAD
		        : fault == TMA_FAULT_PENDING_UNDERFLOW ? TMA_FAULT_SIGNAL_PENDING_UNDERFLOW
		                                               : TMA_FAULT_SIGNAL_TX_COUNT_RANGE;
	REQUIRE(e, e->out->bar_b_fault == fault);
	set_word(e, e->in->bar_b_addr, word);
	e->update_due |= flip;
}

static void take_a(struct env *e)
{
	uint64_t word = env_word(e, e->a_addr);
	struct bar_fields before = bar_unpack(word);
	uint32_t fault, op = e->a.op;
	bool flip;

	fault = bar_apply(&word, &e->a, &flip);
	REQUIRE(e, e->out->bar_a_rsp.fault == fault);
	if (before.live == 2 && op != BAR_CHECK) {
		REQUIRE(e, e->out->bar_a_rsp.phase == before.phase);
		REQUIRE(e, e->out->bar_a_rsp.pending == before.pending);
	}
	if (!e->a_commit || fault)
		return;
	set_word(e, e->a_addr, word);
	e->update_due |= flip || op == BAR_INIT || op == BAR_INVAL;
}

static void put_write(struct env *e)
{
	e->wr_goes = e->took[PORT_WR];
	e->wr = e->in->wr;
}

static void take_writes(struct env *e)
{
	const struct tma_ext_in *x = &e->ext;

	if (!e->info->short_paths)
		put_write(e);
	REQUIRE(e, !(e->wr_goes && e->took[PORT_EXT_WRITE]));
	for (uint32_t i = 0; e->wr_goes && i < e->info->data_bytes; i++)
		if (e->wr.be[i / 8] >> i % 8 & 1)
			bank_chunk(e, i / CHUNK, e->wr.rows[i / CHUNK])[i % CHUNK] = e->wr.data[i];
	for (uint32_t b = 0; e->took[PORT_EXT_WRITE] && x->addr < e->info->smem_bytes && b < CHUNK; b++)
		if (x->strb >> b & 1)
			e->mem[x->addr + b] = x->wdata[b];
	if (e->info->short_paths)
		put_write(e);
}

static void put_requests(struct env *e)
{
	struct cta_in *in = e->in;

	in->ext_valid = e->ext.valid;
	in->ext_write = e->ext.write;
	in->ext_addr = e->ext.addr;
	in->ext_strb = e->ext.strb;
	memcpy(in->ext_wdata, e->ext.wdata, CHUNK);
	in->bar_a_valid = e->a_valid;
	in->bar_a_commit = e->a_commit;
	in->bar_a_req = (struct cta_bar_req){
		.op = (uint8_t)e->a.op,
		.addr = (uint16_t)e->a_addr,
		.count = e->a.count,
		.tx = e->a.tx,
		.drop = e->a.drop,
		.no_complete = e->a.no_complete,
	};
	in->bar_a_again = e->a_valid && e->a_waits && e->a_addr == e->a_addr_before &&
	                  e->a.op == e->a_before.op && e->a.count == e->a_before.count &&
	                  e->a.tx == e->a_before.tx && e->a.drop == e->a_before.drop &&
	                  e->a.no_complete == e->a_before.no_complete;
}

void env_step(struct env *e)
{
	const struct cta_in *in = e->in;
	const struct cta_out *out = e->out;

	put_requests(e);
	cta_eval(e->cta);
	check_answers(e);

	handshake(e, PORT_WR, in->wr_valid, out->wr_ready);
	handshake(e, PORT_RD0, in->rd_valid[0], out->rd_ready[0]);
	handshake(e, PORT_RD1, in->rd_valid[1], out->rd_ready[1]);
	handshake(e, PORT_EXT_READ, e->ext.valid && !e->ext.write, out->ext_ready);
	handshake(e, PORT_EXT_WRITE, e->ext.valid && e->ext.write, out->ext_ready);
	handshake(e, PORT_A, e->a_valid, out->bar_a_ready);
	handshake(e, PORT_B, in->bar_b_valid, out->bar_b_ready);

	if (e->took[PORT_RD0])
		e->rd_held = false;
	take_reads(e);
	if (e->took[PORT_EXT_READ])
		take_ext_read(e, e->ext_wanted[0]);
	if (e->took[PORT_B])
		take_b(e);
	if (e->took[PORT_A])
		take_a(e);
	if (e->took[PORT_EXT_READ]) {
		take_ext_read(e, e->ext_wanted[1]);
		e->ext_due = true;
	}
	take_writes(e);
	e->a_waits = e->a_valid && !out->bar_a_ready;
	e->a_addr_before = e->a_addr;
	e->a_before = e->a;
	cta_tick(e->cta);
	e->cycle++;
}

/*
 * Requests.
 */

void env_quiet(struct env *e)
{
	memset(e->in, 0, sizeof(*e->in));
	memset(&e->ext, 0, sizeof(e->ext));
	memset(&e->a, 0, sizeof(e->a));
	e->a_valid = e->a_commit = 0;
	e->a_addr = 0;
	e->in->wr.ctas = 1;
	e->in->rst_n = 1;
}

void env_rows(const struct env *e, uint16_t *rows, uint32_t addr)
{
	for (uint32_t i = 0; i < e->chunks; i++)
		rows[env_bank(e, addr + i)] = (uint16_t)((addr + i) / e->chunks);
}

void env_read(struct env *e, uint32_t port, uint32_t addr)
{
	e->in->rd_valid[port] = 1;
	env_rows(e, e->in->rd_rows[port], addr);
}

void env_line(struct env *e, uint32_t addr, uint32_t count, const uint8_t *data)
{
	e->in->wr_valid = 1;
	env_rows(e, e->in->wr.rows, addr);
	memset(e->in->wr.be, 0, sizeof(e->in->wr.be));
	for (uint32_t i = 0; i < count; i++) {
		uint32_t lane = env_bank(e, addr + i);

		memset(e->in->wr.be + 2 * lane, 0xFF, 2);
		memcpy(e->in->wr.data + CHUNK * lane, data + CHUNK * i, CHUNK);
	}
}

static void withdraw(struct env *e, enum port port)
{
	switch (port) {
	case PORT_WR:
		e->in->wr_valid = 0;
		break;
	case PORT_RD0:
	case PORT_RD1:
		e->in->rd_valid[port - PORT_RD0] = 0;
		break;
	case PORT_A:
		e->a_valid = 0;
		break;
	case PORT_B:
		e->in->bar_b_valid = 0;
		break;
	default:
		e->ext.valid = 0;
		break;
	}
}

void env_until(struct env *e, enum port port, uint32_t limit)
{
	for (uint32_t i = 0; i < limit; i++) {
		env_step(e);
		if (e->took[port]) {
			withdraw(e, port);
			return;
		}
	}
	fail_msg("cycle %" PRIu64 ": port %d was not served in %u cycles", e->cycle, (int)port, limit);
}

void env_arrive(struct env *e, uint32_t barrier, struct bar_request r)
{
	e->a_valid = 1;
	e->a_commit = 1;
	e->a_addr = barrier;
	e->a = r;
	env_until(e, PORT_A, 100);
}

void env_complete(struct env *e, uint32_t barrier, uint32_t tx)
{
	e->in->bar_b_valid = 1;
	e->in->bar_b_arrive = 0;
	e->in->bar_b_addr = (uint16_t)(barrier);
	e->in->bar_b_tx = tx;
	env_until(e, PORT_B, 100);
}

void env_signal_arrival(struct env *e, uint32_t barrier)
{
	e->in->bar_b_valid = e->in->bar_b_arrive = 1;
	e->in->bar_b_addr = (uint16_t)(barrier);
	e->in->bar_b_tx = 0;
	env_until(e, PORT_B, 100);
	e->in->bar_b_arrive = 0;
}

/*
 * Begin and end.
 */

void env_open(struct env *e)
{
	uint8_t line[TMA_SIM_MAX_BEAT];

	memset(e, 0, sizeof(*e));
	e->cta = cta_open();
	e->in = cta_in(e->cta);
	e->out = cta_out(e->cta);
	e->info = unit_shape();
	e->chunks = e->info->data_bytes / CHUNK;
	e->total = e->info->smem_bytes / CHUNK;
	e->rows = e->total / e->chunks;
	e->mem = malloc(e->info->smem_bytes);
	assert_non_null(e->mem);

	for (uint32_t i = 0; i < 2; i++) {
		cta_eval(e->cta);
		cta_tick(e->cta);
	}
	env_quiet(e);
	for (uint32_t addr = 0; addr < e->total; addr += e->chunks) {
		for (uint32_t i = 0; i < e->info->data_bytes; i++)
			line[i] = (uint8_t)((addr * CHUNK + i) * 0x9E3779B1u >> 24);
		env_line(e, addr, e->chunks, line);
		env_until(e, PORT_WR, 1);
	}
	env_step(e);
}

void env_close(struct env *e)
{
	env_quiet(e);
	env_step(e);
	cta_close(e->cta);
	free(e->mem);
}

void env_check_all(struct env *e)
{
	env_quiet(e);
	for (uint32_t addr = 0; addr < e->total; addr++) {
		e->ext = (struct tma_ext_in){ .valid = 1, .addr = addr * CHUNK };
		env_until(e, PORT_EXT_READ, 20);
	}
	for (uint32_t port = 0; port < 2; port++) {
		for (uint32_t addr = 0; addr < e->total; addr += e->chunks) {
			env_read(e, port, addr);
			env_until(e, PORT_RD0 + port, 40);
		}
	}
	env_step(e);
}

void env_init(struct env *e, uint32_t barrier, uint32_t count)
{
	env_arrive(e, barrier, (struct bar_request){ .op = BAR_INIT, .count = count });
}

void env_busy(struct env *e)
{
	uint8_t line[TMA_SIM_MAX_BEAT];

	memset(line, 0xFF, sizeof(line));
	env_line(e, e->total - e->chunks, e->chunks, line);
}

void env_finish(struct env *e)
{
	env_check_all(e);
	env_close(e);
}
