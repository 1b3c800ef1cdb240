/* SPDX-License-Identifier: Apache-2.0 */
/* What commands of the load path have to do. See tma_load_env.h. */
#include "unit_rtl/tma_load_env.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tma_abi.h"

#define CHUNK ENV_CHUNK

bool env_allowed(const struct env *e, uint32_t queue, uint32_t page)
{
	uint64_t number = ENV_BASE / ENV_PAGE + page;

	for (uint32_t i = 0; i < e->num_windows[queue]; i++) {
		const struct load_window *w = &e->windows[queue][i];

		if (w->read && w->base <= number && number <= w->limit)
			return true;
	}
	return false;
}

uint32_t env_code(uint32_t resp)
{
	return resp == AXI_SLVERR ? TMA_FAULT_READ_SLVERR : TMA_FAULT_READ_DECERR;
}

/*
 * Bursts, and the faults that follow from them.
 */

static void add_burst(struct env_cmd *c, uint32_t offset, uint32_t bytes, uint32_t data)
{
	c->bursts = realloc(c->bursts, (c->num_bursts + 1) * sizeof(*c->bursts));
	assert_non_null(c->bursts);
	c->bursts[c->num_bursts++] = (struct env_burst){ offset, bytes, data, 0 };
}

void env_burst(struct env *e, struct env_cmd *c, uint32_t offset, uint32_t bytes, uint32_t data)
{
	assert_true(bytes && offset < ENV_BYTES && bytes <= ENV_BYTES - offset);
	(void)e;
	while (bytes) {
		uint32_t part = ENV_PAGE - offset % ENV_PAGE;

		part = part < bytes ? part : bytes;
		add_burst(c, offset, part, part < bytes ? part : data);
		offset += part;
		bytes -= part;
		data -= part;
	}
}

static void expect_beats(const struct env *e, struct env_cmd *c, uint32_t index)
{
	uint32_t beat = e->info->data_bytes, at, offset = c->bursts[index].offset;

	for (at = offset / beat * beat; at < offset + c->bursts[index].bytes; at += beat) {
		uint32_t resp = e->error[at / ENV_GRAIN];

		if (!resp)
			continue;
		if (c->cmd.client == LOAD_PREFETCH) {
			c->errors++;
		} else if (!c->code) {
			c->code = env_code(resp);
			c->address = ENV_BASE + (at > offset ? at : offset);
			c->certain = index + 1;
		}
	}
}

/* The first bad byte in the order of the walk decides. */
void env_expect(struct env *e, struct env_cmd *c)
{
	uint32_t i, kept = 0;

	/* A prefetch leaves out what it may not read, and counts it. */
	for (i = 0; c->cmd.client == LOAD_PREFETCH && i < c->num_bursts; i++) {
		if (env_allowed(e, c->cmd.signal.origin.qid, c->bursts[i].offset / ENV_PAGE))
			c->bursts[kept++] = c->bursts[i];
		else
			c->errors++;
	}
	if (c->cmd.client == LOAD_PREFETCH)
		c->num_bursts = kept;
	for (i = 0; i < c->num_bursts; i++) {
		if (!env_allowed(e, c->cmd.signal.origin.qid, c->bursts[i].offset / ENV_PAGE)) {
			if (!c->code) {
				c->code = TMA_FAULT_WINDOW_READ;
				c->address = ENV_BASE + c->bursts[i].offset;
			}
			break;
		}
		expect_beats(e, c, i);
	}
	c->possible = i;
	if (!c->code || c->code == TMA_FAULT_WINDOW_READ)
		c->certain = i;
	e->expected_errors += c->errors;
}

/*
 * Commands.
 */

struct env_cmd *env_new(struct env *e, uint32_t queue, uint64_t gaddr, enum load_client client)
{
	struct env_cmd *c = &e->cmds[e->num];

	assert_true(e->num < ENV_COMMANDS);
	memset(c, 0, sizeof(*c));
	c->cmd.gaddr = gaddr;
	c->cmd.client = (uint8_t)client;
	c->cmd.hint.qos = e->num >> 4 & 15;
	c->cmd.hint.evict = e->num & 15;
	/* What the signal says is for others; the data does not go by it. */
	c->cmd.signal.ctas = (uint16_t)rng_below(&e->rng, 1u << e->info->ctas);
	c->cmd.signal.again = (uint16_t)rng_below(&e->rng, 1u << e->info->ctas);
	c->cmd.signal.barrier = (uint16_t)rng_below(&e->rng, e->info->smem_bytes / 8);
	c->cmd.signal.origin.qid = (uint8_t)queue;
	c->cmd.signal.origin.seq = (e->first_seq + e->num) & 0xFFFF;
	c->cmd.signal.origin.tag = (uint32_t)rng_next(&e->rng);
	c->accept = c->walked = c->first_ar = c->first_write = c->last_write = ENV_NEVER;
	c->signal = c->fault = c->read = ENV_NEVER;
	e->num++;
	return c;
}

void env_own(struct env *e, uint32_t at, uint8_t want, enum env_kind kind)
{
	assert_true(at < e->info->smem_bytes);
	assert_int_equal(e->owner[at], 0);
	e->owner[at] = (uint16_t)e->num;
	e->want[at] = want;
	e->kind[at] = (uint8_t)kind;
	e->cmds[e->num - 1].total++;
	e->cmds[e->num - 1].total_data += kind == ENV_DATA;
}

void env_spread(struct env *e, struct env_cmd *c)
{
	uint32_t kind = c->cmd.tensor, half = ENV_ID_UNIT / 2;

	if (c->cmd.client == LOAD_LOAD)
		c->channel = kind * half + e->loads[kind]++ % half;
}

struct env_cmd *env_command(struct env *e, uint32_t queue, uint32_t offset, uint32_t chunks, uint32_t saddr,
                            uint32_t ctas)
{
	struct env_cmd *c = env_new(e, queue, ENV_BASE + offset, ctas ? LOAD_LOAD : LOAD_PREFETCH);

	c->cmd.chunks = chunks;
	c->cmd.saddr = saddr;
	c->cmd.dst = ctas;
	c->cmd.signal.bytes = chunks * CHUNK;
	env_spread(e, c);
	env_burst(e, c, offset, chunks * CHUNK, chunks * CHUNK);
	env_expect(e, c);
	for (uint32_t i = 0; ctas && i < chunks * CHUNK; i++)
		env_own(e, saddr * CHUNK + i, e->global[offset + i], ENV_DATA);
	return c;
}

/*
 * What is written.
 */

static void see_byte(struct env *e, struct env_cmd *c, uint32_t offset, uint8_t value)
{
	REQUIRE(e, value == e->want[offset]);
	REQUIRE(e, e->out->wr.ctas == c->cmd.dst);
	for (uint32_t k = 0; k < e->info->ctas; k++)
		if (e->out->wr.ctas >> k & 1) {
			uint8_t *written = &e->written[k * e->info->smem_bytes + offset];

			REQUIRE(e, !*written);
			*written = 1;
		}
	c->bytes++;
	c->data += e->kind[offset] == ENV_DATA;
}

void env_see_write(struct env *e)
{
	uint32_t bytes = e->info->data_bytes, lanes = bytes / CHUNK, i, owner = 0;
	const struct load_out *o = e->out;
	bool fill = true;
	struct env_cmd *c;

	if (!o->wr_valid || !e->in->wr_ready)
		return;
	for (i = 0; i < bytes; i++) {
		/* Lane b holds the chunks whose address is b modulo the lanes. */
		uint32_t lane = i / CHUNK, offset = (o->wr.rows[lane] * lanes + lane) * CHUNK + i % CHUNK;

		if (!(o->wr.be[i / 8] >> i % 8 & 1))
			continue;
		REQUIRE(e, offset < e->info->smem_bytes);
		REQUIRE(e, e->owner[offset] && (!owner || owner == e->owner[offset]));
		owner = e->owner[offset];
		see_byte(e, &e->cmds[owner - 1], offset, o->wr.data[i]);
		fill &= e->kind[offset] == ENV_FILL;
	}
	REQUIRE(e, owner);
	c = &e->cmds[owner - 1];
	/* A queue whose copies are over is not written for. */
	REQUIRE(e, !fill || e->flight[c->cmd.signal.origin.qid] > 0);
	if (c->first_write == ENV_NEVER)
		c->first_write = e->cycle;
	c->last_write = e->cycle;
	e->writes++;
	if (e->first_line == ENV_NEVER)
		e->first_line = e->cycle;
	e->last_line = e->cycle;
}
