/* SPDX-License-Identifier: Apache-2.0 */
/* What a command has to do. See tma_issue_ref.h. */
#include "unit_rtl/tma_issue_ref.h"

#include <string.h>

#include "tma_abi.h"
#include "tma_tables.h"

struct bar_request issue_request(const struct tma_command *c)
{
	struct bar_request r = { .op = BAR_CHECK, .count = c->count };

	switch (c->opcode) {
	case TMA_MBARRIER_INIT:
		r.op = BAR_INIT;
		break;
	case TMA_MBARRIER_INVAL:
		r.op = BAR_INVAL;
		break;
	case TMA_MBARRIER_EXPECT_TX:
		r.op = BAR_EXPECT;
		r.tx = c->tx;
		break;
	case TMA_MBARRIER_COMPLETE_TX:
		r.op = BAR_COMPLETE;
		r.tx = c->tx;
		break;
	case TMA_MBARRIER_ARRIVE:
		r.op = BAR_ARRIVE;
		r.tx = c->flags & TMA_FLAG_EXPECT_TX ? c->tx : 0;
		r.drop = (c->flags & TMA_FLAG_DROP) != 0;
		r.no_complete = (c->flags & TMA_FLAG_NO_COMPLETE) != 0;
		break;
	case TMA_MBARRIER_TEST_WAIT:
	case TMA_MBARRIER_TRY_WAIT:
		r.op = BAR_TEST;
		break;
	case TMA_CP_ASYNC_MBARRIER_ARRIVE:
		r.op = c->flags & TMA_FLAG_NOINC ? BAR_CHECK : BAR_PEND;
		break;
	default:
		r.op = c->size || c->opcode == TMA_TENSOR_LOAD || c->flags & TMA_FLAG_MULTICAST
		               ? BAR_CHECK
		               : BAR_COMPLETE;
		break;
	}
	return r;
}

bool issue_wants_state(const struct tma_command *c)
{
	return c->flags & TMA_FLAG_LAST_STATE;
}

bool issue_records(const struct tma_command *c)
{
	return tma_command_answers(c->opcode) || (c->flags & TMA_FLAG_RECORD);
}

/* What the command itself waits for. */
static void find_condition(const struct env *e, struct issue_outcome *o)
{
	const struct tma_command *c = &e->cmd.cmd;
	const struct env_queue *q = &e->queue[e->cmd.qid];
	const struct issue_group_state *g = e->info->short_paths ? &e->group : &e->in->group;
	uint32_t phase, qid = e->cmd.qid;

	o->sleep_groups =
		c->opcode == TMA_BULK_COMMIT_GROUP || c->opcode == TMA_CP_ASYNC_COMMIT_GROUP ? 31 : c->count;
	switch (c->opcode) {
	case TMA_BULK_COMMIT_GROUP:
		o->wait = ENV_WRITE;
		o->waits = g->full >> qid & 1;
		break;
	case TMA_BULK_WAIT_GROUP:
		o->wait = c->flags & TMA_FLAG_READ ? ENV_READ : ENV_WRITE;
		o->waits = (o->wait == ENV_READ ? g->pending_read : g->pending_write)[qid] > c->count;
		break;
	case TMA_CP_ASYNC_COMMIT_GROUP:
		o->wait = ENV_CP;
		o->waits = g->cp_full >> qid & 1;
		break;
	case TMA_CP_ASYNC_WAIT_GROUP:
		o->wait = ENV_CP;
		o->waits = g->cp_pending[qid] > c->count;
		break;
	case TMA_CP_ASYNC_WAIT_ALL:
		o->wait = ENV_CP_ALL;
		o->waits = g->cp_busy >> qid & 1;
		break;
	case TMA_MBARRIER_TEST_WAIT:
	case TMA_MBARRIER_TRY_WAIT:
		phase = c->flags & TMA_FLAG_PARITY ? c->count & 1
		        : issue_wants_state(c)     ? q->state_phase
		                                   : (uint32_t)(c->global_address >> 20 & 1);
		o->passed = o->phase != phase;
		if (o->passed || c->opcode == TMA_MBARRIER_TEST_WAIT || !c->tx)
			break;
		o->wait = ENV_BARRIER;
		o->waits = !(q->timed && e->cycle - q->first_try >= c->tx);
		break;
	default:
		break;
	}
}

uint32_t issue_room(const struct env *e)
{
	return e->begun ? e->room : e->queue[e->cmd.qid].room;
}

/* A command whose record has no room waits for that first. */
static void find_wait(const struct env *e, struct issue_outcome *o)
{
	find_condition(e, o);
	if (issue_records(&e->cmd.cmd) && !issue_room(e)) {
		o->wait = ENV_ROOM;
		o->waits = true;
	}
}

/* The lowest CTA's answer, and its fault if it has one. A check knows one fault alone. */
static void find_answer(const struct env *e, struct issue_outcome *o)
{
	for (uint32_t c = e->info->ctas; c-- > 0;) {
		bool told = e->told >> c & 1;
		const struct issue_bar_rsp *rsp = e->info->short_paths ? &e->rsp[c] : &e->in->bar_rsp[c];
		uint32_t fault = !told || e->info->short_paths ? rsp->fault
		                 : e->bad >> c & 1             ? TMA_FAULT_BARRIER_DEAD
		                                               : 0;

		if (!(e->cmd.ctas >> c & 1))
			continue;
		o->phase = rsp->phase;
		o->pending = rsp->pending;
		if (fault) {
			o->fault = fault;
			o->address = c << 24 | (e->cmd.cmd.barrier & 0xFFFFFF);
		}
	}
}

struct issue_outcome issue_find(const struct env *e)
{
	const struct issue_issue *cmd = &e->cmd;
	const struct env_queue *q = &e->queue[cmd->qid];
	bool dead = e->dead || !q->enabled || q->resume, begun = e->begun || e->bar_valid || e->told;
	uint32_t asked = cmd->ctas & ~e->told, missing = asked;
	struct issue_outcome o = { 0 };

	if (!e->valid)
		return o;
	/* With short paths it asks from the next cycle on, and knows the answer a cycle later. */
	if (!e->info->short_paths)
		missing &= ~e->in->bar_ready;
	else if (!e->begun)
		asked = 0;
	o.done = true;
	if (e->tail) {
		o.asks = true;
		o.bar_valid = asked;
		o.done = !missing;
		return o;
	}
	/* What a barrier unit has begun with, it ends; but no trace is left of a queue's life before. */
	if (!begun && (dead || (q->stopped && !e->held)))
		return o;
	if (cmd->fault) {
		o.fault = cmd->fault;
		o.address = cmd->fault_addr;
	} else if (issue_wants_state(&cmd->cmd) && !q->has_state && !begun) {
		o.fault = TMA_FAULT_NO_STATE;
		memcpy(&o.address, &cmd->cmd, sizeof(o.address));
	} else {
		o.asks = true;
		o.bar_valid = asked;
		o.done = !missing;
		if (o.done)
			find_answer(e, &o);
	}
	if (!o.done)
		return o;
	if (dead) {
		o.fault = 0;
		return o;
	}
	if (!o.fault) {
		find_wait(e, &o);
		if (o.waits && q->cancelled) {
			o.waits = false;
			o.fault = TMA_FAULT_CANCELLED;
			memcpy(&o.address, &cmd->cmd, sizeof(o.address));
		}
	}
	if (o.fault)
		o.done = e->in->fault_ready;
	o.retires = !o.fault && !o.waits;
	/* A multicast of no bytes stays until its barriers have their signals. */
	o.turns = o.retires && cmd->bar_op == BAR_CHECK && cmd->cmd.opcode == TMA_BULK_LOAD && !cmd->cmd.size;
	o.done = o.done && !o.turns;
	return o;
}

/* What cp.async and its arrive have beside a load. */
static void find_cp(const struct tma_command *c, struct issue_copy *x)
{
	x->client = 5;
	x->chunks = 1;
	x->cp_arrive = x->arrive = c->opcode == TMA_CP_ASYNC_MBARRIER_ARRIVE;
	if (x->arrive)
		return;
	x->ctas = 1u << (c->shared_dst >> 24);
	x->cp_dst = c->shared_dst & 15;
	x->cp_size = c->size;
	x->cp_valid = c->flags & TMA_FLAG_IGNORE_SRC ? 0 : c->flags & TMA_FLAG_SRC_SIZE ? c->count : c->size;
	x->cg = (c->flags & TMA_FLAG_CG) != 0;
	x->l2 = c->mode;
}

/* What a tensor copy has beside a bulk copy, `dst` and `src` are one operand. The paths do not look at
 * its size, nor at the operands that overlap its coordinates. */
static void find_tensor(const struct tma_command *c, struct issue_copy *x)
{
	x->tensor = 1;
	x->l2 = 0;
	if (c->opcode == TMA_PREFETCH_TENSORMAP)
		x->mode = 7;
	x->chunks = c->shared_dst >> 7 & 0xFFFF;
	if (c->opcode != TMA_TENSOR_STORE && c->opcode != TMA_TENSOR_REDUCE)
		return;
	x->cta = c->shared_dst >> 24;
	x->src = (c->shared_dst & 0xFFFFFF) / 16;
}

static bool is_tensor(const struct tma_command *c)
{
	return c->opcode >= TMA_TENSOR_LOAD && c->opcode <= TMA_PREFETCH_TENSORMAP;
}

/* Nothing but the bytes; up to 4 GiB of them. */
static struct issue_copy bulk_prefetch(const struct env *e)
{
	const struct tma_command *c = &e->cmd.cmd;

	return (struct issue_copy){ .queue = e->cmd.qid,
		                    .gaddr = c->global_address,
		                    .chunks = c->size / 16,
		                    .qos = (uint32_t)(c->policy >> 60),
		                    .evict = (uint32_t)(c->policy >> 56 & 15) };
}

struct issue_copy issue_copy_of(const struct env *e)
{
	const struct tma_command *c = &e->cmd.cmd;
	bool multimem = c->opcode == TMA_MULTIMEM_BULK_STORE || c->opcode == TMA_MULTIMEM_BULK_REDUCE;
	bool store = c->opcode == TMA_BULK_STORE || multimem || c->opcode == TMA_TENSOR_STORE ||
	             c->opcode == TMA_BULK_REDUCE || c->opcode == TMA_TENSOR_REDUCE;
	bool shared = c->opcode == TMA_BULK_SHARED || c->opcode == TMA_BULK_REDUCE_SHARED;
	struct issue_copy x = { 0 };

	if (c->opcode == TMA_BULK_PREFETCH)
		return bulk_prefetch(e);
	x.queue = e->cmd.qid;
	x.seq = e->queue[x.queue].head & 0xFFFF;
	x.tag = c->tag;
	x.chunks = c->size / 16 & 0xFFFF;
	x.reduce = c->opcode == TMA_BULK_REDUCE_SHARED;
	x.op = c->op;
	x.kind = c->type;
	if (!shared) {
		x.gaddr = c->global_address;
		x.qos = (uint32_t)(c->policy >> 60);
		x.evict = (uint32_t)(c->policy >> 56 & 15);
	}
	if (store || shared) {
		x.cta = c->shared_src >> 24;
		x.src = (c->shared_src & 0xFFFFFF) / 16;
	}
	for (uint32_t i = 0; i < 5; i++)
		x.coord[i] = (uint32_t)c->coord[i];
	x.mode = c->mode & 7;
	x.dim = c->dim & 7;
	x.l2 = c->mode & 3;
	if (is_tensor(c))
		find_tensor(c, &x);
	if (store) {
		x.byte_mask = c->flags & TMA_FLAG_CP_MASK ? c->byte_mask : 0xFFFF;
		if (is_tensor(c))
			x.byte_mask = (x.byte_mask & 0xFE00) | c->shared_dst >> 23;
		x.multimem = multimem;
		return x;
	}
	x.dst = (c->shared_dst & 0xFFFFFF) / 16;
	x.bytes = c->size & 0xFFFFF;
	if (is_tensor(c))
		x.bytes = (x.bytes & 0xFFE00) | c->shared_dst >> 23;
	x.ctas = e->cmd.ctas;
	x.again = e->cmd.again;
	x.barrier = (c->barrier & 0xFFFFFF) / 8;
	x.client = c->opcode == TMA_TENSOR_PREFETCH || c->opcode == TMA_PREFETCH_TENSORMAP;
	if (shared) {
		memset(x.coord, 0, sizeof(x.coord));
		x.mode = x.dim = x.l2 = 0;
		return x;
	}
	x.dst_ctas = c->flags & TMA_FLAG_MULTICAST ? c->cta_mask : 1u << (c->shared_dst >> 24);
	for (uint32_t i = 0; i < 3; i++)
		x.im2col[i] = c->im2col[i];
	if (c->opcode == TMA_CP_ASYNC || c->opcode == TMA_CP_ASYNC_MBARRIER_ARRIVE)
		find_cp(c, &x);
	return x;
}
