/* SPDX-License-Identifier: Apache-2.0 */
/* Reference of the reductions: what their commands have to do. See tma_reduce_env.h. */
#include "reduce_ref.h"

#include <string.h>

#include "tma_abi.h"
#include "unit_rtl/tma_reduce_env.h"

#define AXCACHE  0xEu /* as env_open() sets it */
#define AXI_ID   16u  /* of reads: ClientReduce, channel 0 */
#define PENDING  0xFFFFu
#define EITHER   0xFFFEu /* a read that failed, or was lost with its port */
#define NO_LIMIT UINT32_MAX

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
 * Bursts.
 */

/* Bursts go port by port. */
static uint32_t turn_of(const struct env *e, uint32_t index, uint32_t p)
{
	return index * e->info->ports + p;
}

/* The last one of the burst that an error meets first: up to it all have to be sent. */
static uint32_t certain(const struct env *e, const struct env_cmd *c)
{
	for (uint32_t i = 0; i < c->bursts; i++)
		for (uint32_t p = 0; p < e->info->ports; p++)
			if (burst_is_at(&c->burst[i], p) &&
			    (burst_read_error(e, &c->burst[i], p) || burst_write_error(e, &c->burst[i], p)))
				return turn_of(e, i, e->info->ports - 1);
	return NO_LIMIT;
}

static uint32_t bus_code(bool read, uint8_t resp)
{
	if (read)
		return resp == AXI_DECERR ? TMA_FAULT_READ_DECERR : TMA_FAULT_READ_SLVERR;
	return resp == AXI_DECERR ? TMA_FAULT_WRITE_DECERR : TMA_FAULT_WRITE_SLVERR;
}

/* What became of a burst at a port: 0 is well. */
static uint32_t state_of(const struct env *e, const struct env_burst *b, uint32_t p)
{
	uint8_t bit = (uint8_t)(1u << p);
	bool dead = e->dead & bit;

	if (b->answered & bit)
		return b->resp[p] ? bus_code(false, b->resp[p]) : 0;
	if (burst_read_error(e, b, p)) {
		if (b->failed & bit)
			return bus_code(true, burst_read_error(e, b, p));
		if (b->asked & bit)
			return dead ? TMA_FAULT_PORT_DEAD : PENDING;
		return dead ? EITHER : bus_code(true, burst_read_error(e, b, p));
	}
	return dead ? TMA_FAULT_PORT_DEAD : PENDING;
}

/* The fault of a command: that of its first bad burst. */
static uint32_t outcome(struct env *e, const struct env_cmd *c, uint64_t *address)
{
	for (uint32_t i = 0; i < c->bursts; i++) {
		const struct env_burst *b = &c->burst[i];

		for (uint32_t p = 0; p < e->info->ports; p++) {
			uint32_t state = burst_is_at(b, p) ? state_of(e, b, p) : 0;

			*address = ENV_BASE + b->offset;
			/* What comes later is not told before. */
			REQUIRE(e, state != PENDING);
			if (state == EITHER && e->out->fault_valid)
				state = e->out->fault.code == TMA_FAULT_PORT_DEAD
				                ? TMA_FAULT_PORT_DEAD
				                : bus_code(true, burst_read_error(e, b, p));
			if (state)
				return state;
		}
	}
	*address = c->deny_address;
	return c->deny_code;
}

/*
 * Memory.
 */

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

/* Beats whose write failed stay. */
static void update_wanted(struct env *e, const struct env_cmd *c, const struct env_burst *b, uint32_t p)
{
	const uint8_t *smem = e->smem + (size_t)c->cmd.copy.cta * e->info->smem_bytes;
	uint32_t bytes = env_element(&c->how);

	for (uint32_t i = 0; i < b->valid; i += bytes) {
		uint32_t gap = b->apart && i >= CHUNK ? b->apart - CHUNK : 0;
		uint32_t at = b->at[p] + i + gap;
		uint8_t *to = &e->port[p].wanted[at];
		uint64_t dst = 0, src = 0;

		if (e->port[p].write_error[at / ENV_GRAIN])
			continue;
		memcpy(&dst, to, bytes);
		memcpy(&src, smem + swizzled(c->cmd.copy.tensor ? c->tensor.swizzle : 0, b->from + i), bytes);
		dst = reduce_ref(c->how.op, c->how.kind, c->how.flush, dst, src);
		memcpy(to, &dst, bytes);
	}
}

/*
 * Pins.
 */

static uint8_t name_of(const struct env_cmd *c)
{
	return (uint8_t)(c->cmd.copy.hint.qos << 4 | c->cmd.copy.hint.evict);
}

static bool address_fits(const struct env *e, const struct env_burst *b, uint32_t p, uint64_t addr,
                         uint32_t len)
{
	uint32_t beat = e->info->data_bytes;

	return addr == ((ref_base(p) + b->at[p]) & ~(uint64_t)(beat - 1)) &&
	       len == (b->at[p] + b->bytes - 1) / beat - b->at[p] / beat;
}

static void see_attributes(struct env *e, const struct env_cmd *c, uint8_t cache, uint8_t prot, uint16_t user)
{
	uint32_t queue = c->cmd.copy.origin.qid;

	REQUIRE(e, c->accept != ENV_NEVER && c->done == ENV_NEVER);
	REQUIRE(e, cache == AXCACHE);
	REQUIRE(e, prot == ref_prot(queue));
	REQUIRE(e, user >> 8 == ref_stream(queue) && !(user & 0xF0));
}

static void lives(struct env *e, uint32_t p, struct env_cmd *c, struct env_burst *b)
{
	REQUIRE(e, e->port[p].lives < ENV_FLIGHT);
	e->port[p].live[e->port[p].lives++] = (struct env_flight){ c, b };
}

static void lives_no_more(struct env *e, uint32_t p, const struct env_burst *b)
{
	struct env_port *port = &e->port[p];
	uint32_t i = 0;

	while (i < port->lives && port->live[i].b != b)
		i++;
	REQUIRE(e, i < port->lives);
	port->live[i] = port->live[--port->lives];
}

/* Commands come in order, each with its bursts from the first on. One that follows another one is not read, so which of
 * several that are alike is meant is anybody's guess. */
static void see_ar(struct env *e, uint32_t p)
{
	struct env_port *port = &e->port[p];
	const struct tma_axi_out *ar = &port->out;
	struct env_place *at = &port->ar;
	struct env_burst *b = NULL;
	struct env_cmd *c = NULL;

	if (!ar->ar_valid || !port->in.ar_ready || (e->dead | e->died) >> p & 1)
		return;
	while (!b) {
		REQUIRE(e, at->cmd < e->num && e->cmds[at->cmd].accept != ENV_NEVER);
		c = &e->cmds[at->cmd];
		if (name_of(c) != (uint8_t)(ar->ar_qos << 4 | (ar->ar_user & 15)) || at->burst == c->bursts) {
			*at = (struct env_place){ at->cmd + 1, 0 };
			continue;
		}
		b = &c->burst[at->burst++];
		if (!burst_is_at(b, p) || b->sent >> p & 1 || !address_fits(e, b, p, ar->ar_addr, ar->ar_len))
			b = NULL;
	}
	see_attributes(e, c, ar->ar_cache, ar->ar_prot, ar->ar_user);
	REQUIRE(e, ar->ar_id == AXI_ID);
	/* Nobody reads what is about to change. Whose read of one beat it is, another chunk of its line or another one that
	 * is alike, is a guess: there the sums tell. */
	for (uint32_t i = 0; i < port->lives && ar->ar_len; i++)
		REQUIRE(e, !burst_touches(b, port->live[i].b, p));
	if (c->first_ar == ENV_NEVER)
		c->first_ar = e->cycle;
	c->asked++;
	e->asked++;
	b->asked |= (uint8_t)(1u << p);
	lives(e, p, c, b);
	REQUIRE(e, port->r_tail - port->r_head < ENV_FLIGHT);
	port->r[port->r_tail++ % ENV_FLIGHT] = (struct env_flight){ c, b };
	e->last_ar = e->cycle;
}

/* A beat that comes as its port dies still counts. */
static void see_r(struct env *e, uint32_t p)
{
	struct env_port *port = &e->port[p];
	const struct tma_axi_in *in = &port->in;
	struct env_burst *b;

	REQUIRE(e, port->out.r_ready);
	if (!in->r_valid || e->died >> p & 1)
		return;
	REQUIRE(e, port->r_head < port->r_tail);
	b = port->r[port->r_head % ENV_FLIGHT].b;
	if (in->r_resp)
		b->failed |= (uint8_t)(1u << p);
	e->last_r = e->cycle;
	if (!in->r_last)
		return;
	b->read |= (uint8_t)(1u << p);
	port->r_head++;
	if (b->failed >> p & 1)
		lives_no_more(e, p, b);
}

/* Without a read of its own: the youngest that touches it has all of it, and was in flight. */
static bool may_follow(const struct env *e, uint32_t cmd, uint32_t index, uint32_t p)
{
	const struct env_cmd *me = &e->cmds[cmd];
	const struct env_burst *b = &me->burst[index];

	for (uint32_t n = cmd + 1; n-- > 0;) {
		const struct env_cmd *c = &e->cmds[n];

		for (uint32_t i = n == cmd ? index : c->bursts; i-- > 0;) {
			const struct env_burst *a = &c->burst[i];

			if (!burst_is_at(a, p) || !burst_touches(a, b, p) ||
			    (!(a->sent >> p & 1) && turn_of(e, i, p) > certain(e, c)))
				continue;
			return burst_in_a_line(e, b, p) && burst_in_a_line(e, a, p) && a->valid == a->bytes &&
			       !a->apart && a->at[p] <= b->at[p] &&
			       a->at[p] + a->bytes >= b->at[p] + b->bytes &&
			       (!(a->answered >> p & 1) || a->over[p] > me->accept);
		}
	}
	return false;
}

/* What was thought to be the read of another burst in this line was its own. */
static void own_read(struct env *e, uint32_t p, struct env_cmd *c, struct env_burst *b,
                     const struct tma_axi_out *aw)
{
	struct env_port *port = &e->port[p];
	uint8_t bit = (uint8_t)(1u << p);

	for (uint32_t i = 0; i < port->lives && !(b->asked & bit); i++) {
		struct env_burst *other = port->live[i].b;
		struct env_cmd *owner = port->live[i].c;

		if (!(other->asked & other->read & bit) ||
		    !address_fits(e, other, p, aw->aw_addr, aw->aw_len))
			continue;
		if (!(other->sent & bit))
			port->live[i] = (struct env_flight){ c, b };
		else if (may_follow(e, (uint32_t)(owner - e->cmds), (uint32_t)(other - owner->burst), p))
			lives(e, p, c, b);
		else
			continue;
		other->asked &= (uint8_t)~bit;
		other->read &= (uint8_t)~bit;
		b->asked |= bit;
		b->read |= bit;
	}
}

static void see_aw(struct env *e, uint32_t p)
{
	struct env_port *port = &e->port[p];
	const struct tma_axi_out *aw = &port->out;
	struct env_place *at = &port->aw;
	struct env_burst *b = NULL;
	struct env_cmd *c = NULL;

	if (!aw->aw_valid || !port->in.aw_ready || e->dead >> p & 1)
		return;
	for (; !b; at->burst++) {
		REQUIRE(e, at->cmd < e->num && e->cmds[at->cmd].accept != ENV_NEVER);
		c = &e->cmds[at->cmd];
		if (at->burst == c->bursts) {
			*at = (struct env_place){ at->cmd + 1, UINT32_MAX };
			continue;
		}
		if (!burst_is_at(&c->burst[at->burst], p) || burst_read_error(e, &c->burst[at->burst], p))
			continue;
		if (name_of(c) == (uint8_t)(aw->aw_qos << 4 | (aw->aw_user & 15)))
			b = &c->burst[at->burst];
		else
			REQUIRE(e, turn_of(e, at->burst, p) > certain(e, c));
	}
	see_attributes(e, c, aw->aw_cache, aw->aw_prot, aw->aw_user);
	REQUIRE(e, address_fits(e, b, p, aw->aw_addr, aw->aw_len));
	REQUIRE(e, aw->aw_id == (e->info->ports > 1 ? 2u : 1u));
	if (!may_follow(e, at->cmd, at->burst - 1, p))
		own_read(e, p, c, b, aw);
	if (b->asked >> p & 1) {
		REQUIRE(e, b->read >> p & 1);
	} else {
		REQUIRE(e, may_follow(e, at->cmd, at->burst - 1, p));
		lives(e, p, c, b);
		e->followed++;
	}
	if (c->first_aw == ENV_NEVER)
		c->first_aw = e->cycle;
	c->sent++;
	e->bursts++;
	e->beats += aw->aw_len + 1u;
	b->sent |= (uint8_t)(1u << p);
	REQUIRE(e, port->b_tail - port->b_head < ENV_FLIGHT);
	port->b[port->b_tail++ % ENV_FLIGHT] = (struct env_flight){ c, b };
	e->last_aw = e->cycle;
}

static void see_b(struct env *e, uint32_t p)
{
	struct env_port *port = &e->port[p];
	struct env_flight *f = &port->b[port->b_head % ENV_FLIGHT];

	REQUIRE(e, port->out.b_ready);
	if (!port->in.b_valid || e->dead >> p & 1)
		return;
	REQUIRE(e, port->b_head++ < port->b_tail);
	REQUIRE(e, port->in.b_resp == burst_write_error(e, f->b, p));
	f->b->answered |= (uint8_t)(1u << p);
	f->b->resp[p] = port->in.b_resp;
	f->b->over[p] = e->cycle;
	update_wanted(e, f->c, f->b, p);
	lives_no_more(e, p, f->b);
}

static void see_fault(struct env *e)
{
	uint32_t seq = e->out->fault.origin.seq;
	struct env_cmd *c;

	if (!e->out->fault_valid || !e->in->fault_ready)
		return;
	REQUIRE(e, seq < e->accepted);
	c = &e->cmds[seq];
	REQUIRE(e, c->fault == ENV_NEVER && c->done == ENV_NEVER);
	c->code = outcome(e, c, &c->address);
	REQUIRE(e, c->code);
	REQUIRE(e, e->out->fault.origin.qid == c->cmd.copy.origin.qid);
	REQUIRE(e, e->out->fault.origin.tag == c->cmd.copy.origin.tag);
	REQUIRE(e, e->out->fault.code == c->code);
	REQUIRE(e, e->out->fault.address == c->address);
	c->fault = e->cycle;
}

/* All that had to be done was done and answered. */
static void see_write_done(struct env *e)
{
	struct env_cmd *c = &e->cmds[e->writes_done];
	uint64_t address;

	REQUIRE(e, e->writes_done++ < e->accepted);
	REQUIRE(e, e->out->write_done.qid == c->cmd.copy.origin.qid);
	REQUIRE(e, c->read_done <= e->cycle);
	for (uint32_t i = 0; i < c->bursts; i++) {
		const struct env_burst *b = &c->burst[i];

		for (uint32_t p = 0; p < e->info->ports; p++) {
			bool pending = burst_is_at(b, p) && state_of(e, b, p) == PENDING;

			REQUIRE(e, !pending || (turn_of(e, i, p) > certain(e, c) &&
			                        !((b->asked | b->sent) >> p & 1)));
			REQUIRE(e, (e->dead | e->died) >> p & 1 || !(b->asked & ~b->read & 1u << p));
			REQUIRE(e, e->dead >> p & 1 || !(b->sent & ~b->answered & 1u << p));
			/* Who has begun with the ports of a burst goes on to all of them. */
			REQUIRE(e, e->dead || !(b->asked | b->sent) || !burst_is_at(b, p) ||
			                   (b->asked | b->sent) >> p & 1 || burst_read_error(e, b, p));
		}
	}
	/* Nobody takes a command for done before its fault was taken. */
	REQUIRE(e, c->code || !outcome(e, c, &address));
	REQUIRE(e, c->fault == ENV_NEVER || c->fault < e->cycle);
	c->done = e->cycle;
}

static void see_read_done(struct env *e)
{
	struct env_cmd *c = &e->cmds[e->reads_done];

	REQUIRE(e, e->reads_done++ < e->accepted);
	REQUIRE(e, e->out->read_done.qid == c->cmd.copy.origin.qid);
	c->read_done = e->cycle;
	if (!c->deny_code && certain(e, c) == NO_LIMIT && !e->dead)
		e->done_reads += c->reads;
	REQUIRE(e, e->dead || e->reads >= e->done_reads);
	/* Nobody may take the source for read before the queue stops for what was denied. */
	REQUIRE(e, !c->code || c->code != c->deny_code || c->fault < e->cycle);
}

void ref_step(struct env *e)
{
	bool stall = false;

	for (uint32_t p = 0; p < e->info->ports; p++) {
		const struct env_port *port = &e->port[p];

		see_ar(e, p);
		see_r(e, p);
		see_aw(e, p);
		see_b(e, p);
		if (port->out.w_valid && port->in.w_ready) {
			e->first_w = e->first_w == ENV_NEVER ? e->cycle : e->first_w;
			e->last_w = e->cycle;
		}
		stall |= port->out.w_valid && !port->in.w_ready && !(e->dead >> p & 1);
		REQUIRE(e, !e->out->idle || e->dead >> p & 1 ||
		                   (!port->lives && port->r_head == port->r_tail &&
		                    port->b_head == port->b_tail));
	}
	if (e->out->read_done.valid)
		see_read_done(e);
	if (e->out->write_done.valid)
		see_write_done(e);
	see_fault(e);
	REQUIRE(e, !e->out->idle || e->writes_done == e->accepted);
	e->stalls += stall;
	e->aw_events += e->out->counts.aw;
	e->w_events += e->out->counts.w;
	e->w_stalls += e->out->counts.w_stall;
}

void ref_finish(struct env *e)
{
	bool clean = !e->dead;

	REQUIRE(e, e->reads_done == e->num && e->accepted == e->num);
	REQUIRE(e, e->walked == e->num_set_up);
	REQUIRE(e, e->w_stalls == e->stalls);
	for (uint32_t p = 0; p < e->info->ports; p++) {
		const struct env_port *port = &e->port[p];

		assert_int_equal(axi_check_failed(port->check), 0);
		if (e->dead >> p & 1)
			continue;
		REQUIRE(e, axi_mem_outstanding(port->mem) == 0);
		REQUIRE(e, port->r_head == port->r_tail && port->b_head == port->b_tail && !port->lives);
		assert_memory_equal(port->actual, port->wanted, ENV_BYTES);
	}
	for (uint32_t i = 0; i < e->num; i++)
		clean = clean && !e->cmds[i].code;
	/* Of bursts to dead ports, and of those that fail, not all is seen. */
	REQUIRE(e, !clean || e->reads == e->done_reads);
	REQUIRE(e, e->dead || (e->aw_events == e->bursts && e->w_events == e->beats));
	reduce_ref_end();
}
