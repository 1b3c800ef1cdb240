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

	if (!(b->gone & bit))
		return PENDING;
	if (b->answered & bit)
		return b->resp[p] ? bus_code(false, b->resp[p]) : 0;
	if (b->failed & bit)
		return bus_code(true, burst_read_error(e, b, p));
	if (b->asks & bit || !burst_read_error(e, b, p))
		return dead ? TMA_FAULT_PORT_DEAD : PENDING;
	return dead ? EITHER : bus_code(true, burst_read_error(e, b, p));
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

static void add(struct env *e, struct env_queue *q, struct env_cmd *c, struct env_burst *b)
{
	REQUIRE(e, q->tail - q->head < ENV_FLIGHT);
	q->at[q->tail++ % ENV_FLIGHT] = (struct env_flight){ c, b };
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

/* Without a read of its own: the youngest that touches it has all of it, and was in flight when the command came. */
static bool may_follow(const struct env *e, uint32_t cmd, uint32_t index, uint32_t p)
{
	const struct env_cmd *me = &e->cmds[cmd];
	const struct env_burst *b = &me->burst[index];

	for (uint32_t n = cmd + 1; n-- > 0;) {
		const struct env_cmd *c = &e->cmds[n];

		for (uint32_t i = n == cmd ? index : c->bursts; i-- > 0;) {
			const struct env_burst *a = &c->burst[i];

			if (!(a->gone >> p & 1) || !burst_touches(a, b, p))
				continue;
			return burst_in_a_line(e, b, p) && burst_in_a_line(e, a, p) && a->valid == a->bytes &&
			       !a->apart && a->at[p] <= b->at[p] &&
			       a->at[p] + a->bytes >= b->at[p] + b->bytes &&
			       (!(a->answered >> p & 1) || a->over[p] > me->accept);
		}
	}
	return false;
}

/* What is left of a command that does not go on was not needed, for an error. */
static void left_out(struct env *e, const struct env_cmd *c, uint32_t turn)
{
	uint32_t ports = e->info->ports;

	for (; turn < c->bursts * ports; turn++)
		REQUIRE(e, e->dead || !burst_is_at(&c->burst[turn / ports], turn % ports) ||
		                   turn > certain(e, c));
}

/* A burst goes: commands in order, each with its bursts from the first on, and each of these port by port. */
static void see_go(struct env *e)
{
	const struct reduce_aw *aw = &e->out->target.aw;
	uint32_t p = e->out->target.port, ports = e->info->ports;
	struct env_port *port = &e->port[p];
	struct env_burst *b;
	struct env_cmd *c;

	if (!e->out->go)
		return;
	for (c = &e->cmds[e->go_cmd]; name_of(c) != (uint8_t)(aw->qos << 4 | (aw->user & 15));
	     c = &e->cmds[e->go_cmd]) {
		left_out(e, c, e->go_turn);
		e->go_turn = 0;
		REQUIRE(e, ++e->go_cmd < e->accepted);
	}
	while (e->go_turn < c->bursts * ports &&
	       !burst_is_at(&c->burst[e->go_turn / ports], e->go_turn % ports))
		e->go_turn++;
	REQUIRE(e, e->go_turn < c->bursts * ports && e->go_turn % ports == p);
	b = &c->burst[e->go_turn / ports];
	REQUIRE(e, address_fits(e, b, p, aw->addr, aw->len));
	b->gone |= (uint8_t)(1u << p);
	if (e->out->follows) {
		REQUIRE(e, may_follow(e, e->go_cmd, e->go_turn / ports, p));
		e->followed++;
	} else {
		/* Nobody reads what is about to change. */
		for (uint32_t i = 0; i < port->lives && !((e->dead | e->died) >> p & 1); i++)
			REQUIRE(e, !burst_touches(b, port->live[i].b, p));
		b->asks |= (uint8_t)(1u << p);
		add(e, &port->ar, c, b);
	}
	if (!burst_read_error(e, b, p)) {
		add(e, &port->aw, c, b);
		REQUIRE(e, port->lives < ENV_FLIGHT);
		port->live[port->lives++] = (struct env_flight){ c, b };
	}
	e->go_turn++;
}

static void see_ar(struct env *e, uint32_t p)
{
	struct env_port *port = &e->port[p];
	const struct tma_axi_out *ar = &port->out;
	struct env_flight *f;

	if (!ar->ar_valid || !port->in.ar_ready || (e->dead | e->died) >> p & 1)
		return;
	REQUIRE(e, port->ar.head < port->ar.tail);
	f = &port->ar.at[port->ar.head++ % ENV_FLIGHT];
	REQUIRE(e, name_of(f->c) == (uint8_t)(ar->ar_qos << 4 | (ar->ar_user & 15)));
	REQUIRE(e, address_fits(e, f->b, p, ar->ar_addr, ar->ar_len));
	REQUIRE(e, ar->ar_id == AXI_ID);
	see_attributes(e, f->c, ar->ar_cache, ar->ar_prot, ar->ar_user);
	if (f->c->first_ar == ENV_NEVER)
		f->c->first_ar = e->cycle;
	f->c->asked++;
	e->asked++;
	f->b->asked |= (uint8_t)(1u << p);
	add(e, &port->r, f->c, f->b);
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
	REQUIRE(e, port->r.head < port->r.tail);
	b = port->r.at[port->r.head % ENV_FLIGHT].b;
	if (in->r_resp)
		b->failed |= (uint8_t)(1u << p);
	e->last_r = e->cycle;
	if (in->r_last) {
		b->read |= (uint8_t)(1u << p);
		port->r.head++;
	}
}

static void see_aw(struct env *e, uint32_t p)
{
	struct env_port *port = &e->port[p];
	const struct tma_axi_out *aw = &port->out;
	struct env_flight *f;

	if (!aw->aw_valid || !port->in.aw_ready || e->dead >> p & 1)
		return;
	REQUIRE(e, port->aw.head < port->aw.tail);
	f = &port->aw.at[port->aw.head++ % ENV_FLIGHT];
	REQUIRE(e, name_of(f->c) == (uint8_t)(aw->aw_qos << 4 | (aw->aw_user & 15)));
	REQUIRE(e, address_fits(e, f->b, p, aw->aw_addr, aw->aw_len));
	REQUIRE(e, aw->aw_id == (e->info->ports > 1 ? 2u : 1u));
	see_attributes(e, f->c, aw->aw_cache, aw->aw_prot, aw->aw_user);
	/* All that it was to read is there. */
	REQUIRE(e, !(f->b->asks & ~f->b->read & 1u << p));
	if (f->c->first_aw == ENV_NEVER)
		f->c->first_aw = e->cycle;
	f->c->sent++;
	e->bursts++;
	e->beats += aw->aw_len + 1u;
	f->b->sent |= (uint8_t)(1u << p);
	add(e, &port->b, f->c, f->b);
	e->last_aw = e->cycle;
}

static void see_b(struct env *e, uint32_t p)
{
	struct env_port *port = &e->port[p];
	struct env_flight *f = &port->b.at[port->b.head % ENV_FLIGHT];

	REQUIRE(e, port->out.b_ready);
	if (!port->in.b_valid || e->dead >> p & 1)
		return;
	REQUIRE(e, port->b.head++ < port->b.tail);
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
			uint8_t bit = (uint8_t)(1u << p);

			/* Who has begun with the ports of a burst goes on to all of them. */
			REQUIRE(e, !b->gone || !burst_is_at(b, p) || b->gone & bit);
			REQUIRE(e, !(b->gone & bit) || state_of(e, b, p) != PENDING);
			REQUIRE(e, (e->dead | e->died) & bit || !(b->asks & ~b->read & bit));
		}
	}
	/* Of a later command something may have gone. */
	if (&e->cmds[e->go_cmd] <= c)
		left_out(e, c, &e->cmds[e->go_cmd] == c ? e->go_turn : 0);
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

static bool is_quiet(const struct env_port *port)
{
	return !port->lives && port->ar.head == port->ar.tail && port->r.head == port->r.tail &&
	       port->aw.head == port->aw.tail && port->b.head == port->b.tail;
}

void ref_step(struct env *e)
{
	bool stall = false;

	see_go(e);
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
		REQUIRE(e, !e->out->idle || e->dead >> p & 1 || is_quiet(port));
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
		REQUIRE(e, is_quiet(port));
		assert_memory_equal(port->actual, port->wanted, ENV_BYTES);
	}
	for (uint32_t i = 0; i < e->num; i++)
		clean = clean && !e->cmds[i].code;
	/* Of bursts to dead ports, and of those that fail, not all is seen. */
	REQUIRE(e, !clean || e->reads == e->done_reads);
	REQUIRE(e, e->dead || (e->aw_events == e->bursts && e->w_events == e->beats));
	reduce_ref_end();
}
