/* SPDX-License-Identifier: Apache-2.0 */
/* Reference of the store path: what its commands and records have to do. See tma_store_env.h. */
#include <string.h>

#include "tma_abi.h"
#include "unit_rtl/tma_store_env.h"

#define AXCACHE 0xEu /* as env_open() sets it */

uint8_t ref_stream(uint32_t queue)
{
	return (uint8_t)(0x51 + 37 * queue);
}

uint8_t ref_prot(uint32_t queue)
{
	return (uint8_t)((queue + 3) % 8);
}

uint64_t ref_base(uint32_t port)
{
	return port ? UINT64_C(0x123450000000) * port : ENV_BASE;
}

/*
 * Outcome.
 */

/* Ports that answer this burst with an error, or not at all. */
static uint8_t bad_ports(const struct env *e, const struct env_burst *b)
{
	uint8_t bad = b->ports & e->dead & (uint8_t)~b->answered;

	for (uint32_t p = 0; p < e->info->ports; p++)
		if (b->answered >> p & 1 && b->resp[p])
			bad |= (uint8_t)(1u << p);
	return bad;
}

static uint32_t bus_code(const struct env_cmd *c, const struct env_burst *b, uint32_t p)
{
	if (!(b->answered >> p & 1))
		return TMA_FAULT_PORT_DEAD;
	if (b->resp[p] == AXI_DECERR)
		return c->record ? TMA_FAULT_COMPLETION_DECERR : TMA_FAULT_WRITE_DECERR;
	return c->record ? TMA_FAULT_COMPLETION_SLVERR : TMA_FAULT_WRITE_SLVERR;
}

/* No burst comes behind one that failed, unless all that failed are dead ports beside living ones. */
static bool is_fatal(const struct env *e, const struct env_burst *b)
{
	uint8_t bad = bad_ports(e, b);

	return bad && ((bad & b->answered) || bad == b->ports);
}

/* Bursts that have to be issued, as far as the responses are known. */
static uint32_t certain(const struct env *e, const struct env_cmd *c)
{
	for (uint32_t i = 0; i < c->bursts; i++)
		if (is_fatal(e, &c->burst[i]))
			return i + 1;
	return c->bursts;
}

/* The fault of a command: its first bad burst, and there the lowest port. */
static uint32_t outcome(const struct env *e, const struct env_cmd *c, uint64_t *address)
{
	for (uint32_t i = 0; i < c->bursts; i++) {
		uint8_t bad = bad_ports(e, &c->burst[i]);

		*address = ENV_BASE + c->burst[i].offset;
		if (bad)
			return bus_code(c, &c->burst[i], (uint32_t)__builtin_ctz(bad));
	}
	*address = c->deny_address;
	return c->deny_code;
}

/*
 * Pins.
 */

static uint8_t name_of(const struct env_cmd *c)
{
	return (uint8_t)(c->cmd.hint.qos << 4 | c->cmd.hint.evict);
}

/* Bits of a byte address that a swizzle XORs, and with which. */
static uint32_t swizzled(uint32_t swizzle, uint32_t a)
{
	switch (swizzle) {
	case 1: /* 32 bytes */
		return a ^ ((a >> 7 & 1) << 4);
	case 2: /* 64 bytes */
		return a ^ ((a >> 7 & 3) << 4);
	case 3: /* 128 bytes */
		return a ^ ((a >> 7 & 7) << 4);
	case 4: /* 128 bytes, atoms of 32 */
		return a ^ ((a >> 7 & 3) << 5);
	case 6: /* 128 bytes, atoms of 64 */
		return a ^ ((a >> 7 & 1) << 6);
	default:
		return a;
	}
}

/* Byte k of a row of 6-bit values, of which there is one in each byte of shared memory from `row` on. */
static uint8_t packed_byte(const struct env_cmd *c, const uint8_t *smem, uint32_t row, uint32_t k)
{
	uint32_t bits = 0, bit;

	for (bit = 8 * k; bit < 8 * k + 8; bit++)
		bits |= (uint32_t)(smem[swizzled(c->tensor.swizzle, row + bit / 6)] >> bit % 6 & 1)
		        << bit % 8;
	return (uint8_t)bits;
}

static void write_wanted(struct env *e, const struct env_cmd *c, const struct env_burst *b, uint32_t p)
{
	const uint8_t *smem = e->smem + (size_t)c->cmd.cta * e->info->smem_bytes;

	if (e->error[p][b->at[p] / ENV_PAGE])
		return;
	for (uint32_t i = 0; i < b->valid; i++) {
		uint32_t gap = b->apart && i >= CHUNK ? b->apart - CHUNK : 0;
		uint8_t *to = &e->wanted[p][b->at[p] + i + gap];

		if (c->record)
			*to = c->data[b->offset + i - (uint32_t)(c->cmd.gaddr - ENV_BASE)];
		else if (c->tensor.pack)
			*to = packed_byte(c, smem, b->from / 128 * 128, b->from % 128 + i);
		else if (c->cmd.tensor)
			*to = smem[swizzled(c->tensor.swizzle, b->from + i)];
		else if (c->cmd.byte_mask >> (b->offset + i) % CHUNK & 1)
			*to = smem[b->from + i];
	}
}

/* A read per beat, and one more where a swizzled beat lies in two lines of 128 bytes; of values that are
 * packed all of the row; one of two rows that are joined. */
static uint32_t reads_of(const struct env *e, const struct env_cmd *c, const struct env_burst *b)
{
	uint32_t beat = e->info->data_bytes, at = b->offset, end = at + b->bytes, reads = 0;

	if (c->tensor.pack)
		return 128 / beat;
	if (b->apart)
		return 1;
	while (at < end && !c->record) {
		uint32_t next = (at / beat + 1) * beat, from = b->from + at - b->offset;

		next = next < end ? next : end;
		reads++;
		if (c->cmd.tensor && c->tensor.swizzle && from / 128 != (from + next - at - 1) / 128)
			reads++;
		at = next;
	}
	return reads;
}

/* The command or record of an address, and which of its bursts. Commands of a lane come in order, each
 * with its bursts from the first on; records among them in an order of their own. */
static struct env_cmd *whose(struct env *e, uint32_t p, uint32_t *index)
{
	const struct tma_axi_out *aw = &e->axi_out[p];
	uint8_t name = (uint8_t)(aw->aw_qos << 4 | (aw->aw_user & 15));
	uint32_t lane = e->info->ports > 1 && name >= 128;
	uint32_t i = e->aw_burst[lane][p], *cmd = &e->aw_cmd[lane][p];
	struct env_cmd *c;

	if (!name) {
		/* Not in the middle of a command. */
		for (c = &e->cmds[*cmd]; i && i < c->bursts; i++)
			REQUIRE(e, !(c->burst[i].ports >> p & 1) || i >= certain(e, c) || !c->issued);
		while (!e->recs[e->aw_rec[p]].bursts)
			e->aw_rec[p]++;
		*index = 0;
		REQUIRE(e, e->aw_rec[p] < e->recs_taken);
		return &e->recs[e->aw_rec[p]++];
	}
	while (name_of(&e->cmds[*cmd]) != name) {
		i = 0;
		REQUIRE(e, ++*cmd < e->num);
	}
	c = &e->cmds[*cmd];
	REQUIRE(e, c->accept != ENV_NEVER);
	while (i < c->bursts && !(c->burst[i].ports >> p & 1))
		i++;
	REQUIRE(e, i < c->bursts);
	e->aw_burst[lane][p] = i + 1;
	*index = i;
	return c;
}

/* The address on the pins had left the guard by a cycle: it was there, or right behind one that was. */
static bool left_by(const struct env *e, uint32_t p, uint64_t cycle)
{
	return e->aw_since[p] <= cycle || (e->aw_before[p] <= cycle && e->aw_since[p] == e->aw_taken[p] + 1);
}

static void see_aw(struct env *e, uint32_t p)
{
	const struct tma_axi_out *aw = &e->axi_out[p];
	uint32_t beat = e->info->data_bytes, lane = aw->aw_id, index;
	struct env_burst *b;
	struct env_cmd *c;

	if (!aw->aw_valid)
		return;
	if (e->aw_since[p] == ENV_NEVER)
		e->aw_since[p] = e->cycle;
	if (!e->axi_in[p].aw_ready)
		return;

	c = whose(e, p, &index);
	b = &c->burst[index];
	REQUIRE(e, lane == (e->info->ports > 1 && c->cmd.multimem));
	REQUIRE(e, aw->aw_addr == ((ref_base(p) + b->at[p]) & ~(uint64_t)(beat - 1)));
	REQUIRE(e, aw->aw_len == (b->offset + b->bytes - 1) / beat - b->offset / beat);
	REQUIRE(e, aw->aw_cache == AXCACHE);
	REQUIRE(e, aw->aw_prot == ref_prot(c->cmd.origin.qid));
	REQUIRE(e, aw->aw_user >> 8 == ref_stream(c->cmd.origin.qid) && !(aw->aw_user & 0xF0));
	/* A burst may be on its way to AW when an error arrives, and no other after it. A port of several streams holds
	 * responses, so that nobody here knows when it arrives. */
	REQUIRE(e, e->info->ports > 1 || e->info->reductions || c->error == ENV_NEVER ||
	                   left_by(e, p, c->error + 1));
	/* On other ports than 0 addresses may wait for the pins. */
	REQUIRE(e, p || c->fault == ENV_NEVER || left_by(e, p, c->fault) || index < certain(e, c));
	REQUIRE(e, c->done == ENV_NEVER || e->dead >> p & 1);

	if (!b->sent) {
		if (!c->issued)
			c->first_aw = e->aw_since[p];
		c->issued++;
		c->reads += reads_of(e, c, b);
		e->bursts++;
		e->beats += aw->aw_len + 1u;
		e->wanted_reads += reads_of(e, c, b);
	}
	b->sent |= (uint8_t)(1u << p);
	e->flight[p][lane][e->flight_tail[p][lane]] = b;
	e->flight_cmd[p][lane][e->flight_tail[p][lane]++] = c;
	e->last_aw = e->cycle;
	e->aw_before[p] = e->aw_since[p];
	e->aw_taken[p] = e->cycle;
	e->aw_since[p] = ENV_NEVER;
}

static void see_w_and_b(struct env *e, uint32_t p)
{
	const struct tma_axi_out *out = &e->axi_out[p];
	const struct tma_axi_in *in = &e->axi_in[p];
	uint32_t lane = in->b_valid ? in->b_id : 0, head = e->flight_head[p][lane];
	bool dead = e->dead >> p & 1;

	if (out->w_valid && in->w_ready) {
		e->port_beats[p]++;
		e->lasts[p] += out->w_last;
		e->last_w = e->cycle;
	}
	REQUIRE(e, !dead || out->b_ready);
	if (!in->b_valid || !out->b_ready)
		return;
	REQUIRE(e, head < e->flight_tail[p][lane]);
	e->flight_head[p][lane]++;
	if (dead)
		return;
	/* Lanes get to the memory in the order of their answers. */
	write_wanted(e, e->flight_cmd[p][lane][head], e->flight[p][lane][head], p);
	e->flight[p][lane][head]->answered |= (uint8_t)(1u << p);
	e->flight[p][lane][head]->resp[p] = in->b_resp;
	if (in->b_resp && e->flight_cmd[p][lane][head]->error == ENV_NEVER)
		e->flight_cmd[p][lane][head]->error = e->cycle;
}

static void see_fault(struct env *e)
{
	uint64_t address;
	struct env_cmd *c;
	uint32_t seq = e->out->fault.origin.seq;

	if (!e->out->fault_valid || !e->in->fault_ready)
		return;
	REQUIRE(e, seq < 0x8000 ? seq < e->num : seq - 0x8000 < e->num_recs);
	c = seq < 0x8000 ? &e->cmds[seq] : &e->recs[seq - 0x8000];
	REQUIRE(e, c->fault == ENV_NEVER);
	c->code = outcome(e, c, &address);
	c->address = address;
	REQUIRE(e, c->code);
	REQUIRE(e, e->out->fault.origin.qid == c->cmd.origin.qid);
	REQUIRE(e, e->out->fault.origin.tag == c->cmd.origin.tag);
	REQUIRE(e, e->out->fault.code == c->code);
	REQUIRE(e, e->out->fault.address == c->address);
	c->fault = e->cycle;
}

/* All that had to be sent was sent and answered. */
static void see_end(struct env *e, struct env_cmd *c)
{
	uint64_t address;

	for (uint32_t i = 0; i < c->bursts; i++) {
		const struct env_burst *b = &c->burst[i];

		if (i < certain(e, c))
			REQUIRE(e, (b->ports & ~b->sent & ~e->dead) == 0);
		REQUIRE(e, (b->sent & ~b->answered & ~e->dead) == 0);
	}
	/* Nobody takes a command for done before its fault was taken. */
	REQUIRE(e, !outcome(e, c, &address) == (c->fault == ENV_NEVER));
	REQUIRE(e, c->fault == ENV_NEVER || c->fault < e->cycle);
	c->done = e->cycle;
}

/* The next command of the lane. */
static struct env_cmd *next_of(struct env *e, uint32_t lane, uint32_t *next)
{
	uint32_t i = env_next(e, lane, *next);

	*next = i + 1;
	REQUIRE(e, i < e->num && e->cmds[i].accept != ENV_NEVER);
	return &e->cmds[i];
}

static void see_read_done(struct env *e, uint32_t lane)
{
	struct env_cmd *c = next_of(e, lane, &e->next_read[lane]);

	e->reads_done++;
	REQUIRE(e, e->out->read_done[lane].qid == c->cmd.origin.qid);
	c->read_done = e->cycle;
	e->done_reads += c->reads;
	REQUIRE(e, e->reads >= e->done_reads);
	/* Nobody may take the source for read before the queue stops for what was denied. */
	REQUIRE(e, !c->code || c->code != c->deny_code || c->fault < e->cycle);
}

static void see_write_done(struct env *e, uint32_t lane)
{
	struct env_cmd *c = next_of(e, lane, &e->next_write[lane]);

	e->writes_done++;
	REQUIRE(e, e->out->write_done[lane].qid == c->cmd.origin.qid);
	REQUIRE(e, c->read_done <= e->cycle);
	see_end(e, c);
}

static void see_done(struct env *e)
{
	for (uint32_t lane = 0; lane < ENV_LANES; lane++) {
		if (e->out->read_done[lane].valid)
			see_read_done(e, lane);
		if (e->out->write_done[lane].valid)
			see_write_done(e, lane);
	}
	if (e->out->rec_done.valid) {
		struct env_cmd *c = &e->recs[e->recs_done++];

		/* Its bytes may be overwritten from now on. */
		REQUIRE(e, e->recs_done <= e->recs_popped);
		REQUIRE(e, e->out->rec_done.qid == c->cmd.origin.qid);
		see_end(e, c);
	}
}

void ref_step(struct env *e)
{
	bool stall = false;

	for (uint32_t p = 0; p < e->info->ports; p++) {
		see_aw(e, p);
		see_w_and_b(e, p);
		stall |= e->axi_out[p].w_valid && !e->axi_in[p].w_ready && !(e->dead >> p & 1);
	}
	see_done(e);
	see_fault(e);
	e->stalls += stall;
	e->aw_events += e->out->counts.aw;
	e->w_events += e->out->counts.w;
	e->w_stalls += e->out->counts.w_stall;
}

void ref_finish(struct env *e)
{
	REQUIRE(e, e->reads_done == e->num && e->recs_done == e->num_recs);
	REQUIRE(e, e->recs_popped == e->num_recs);
	REQUIRE(e, e->walked == e->num_set_up);
	REQUIRE(e, (e->out->write_pending & ~e->dead) == 0);
	REQUIRE(e, e->w_stalls == e->stalls);
	for (uint32_t p = 0; p < e->info->ports; p++) {
		assert_int_equal(axi_check_failed(e->check[p]), 0);
		if (e->dead >> p & 1)
			continue;
		REQUIRE(e, axi_mem_outstanding(e->mem[p]) == 0);
		for (uint32_t l = 0; l < ENV_LANES; l++)
			REQUIRE(e, e->flight_head[p][l] == e->flight_tail[p][l]);
		assert_memory_equal(e->actual[p], e->wanted[p], ENV_BYTES);
	}
	/* Of bursts to dead ports nothing is seen. */
	if (e->dead)
		return;
	REQUIRE(e, e->reads == e->wanted_reads);
	REQUIRE(e, e->aw_events == e->bursts);
	REQUIRE(e, e->w_events == e->beats);
	REQUIRE(e, e->info->ports > 1 || e->port_beats[0] == e->beats);
}
