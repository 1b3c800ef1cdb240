/* SPDX-License-Identifier: Apache-2.0 */
/* Surroundings and reference of the issue stage. See tma_issue_env.h. */
#include "unit_rtl/tma_issue_env.h"

#include <inttypes.h>
#include <string.h>

#include "tma_abi.h"
#include "unit_rtl/tma_issue_ref.h"

void env_open(struct env *e, uint64_t seed)
{
	BENCH_OPEN(e, issue, seed);
	e->info = unit_shape();
	issue_start(e->unit);
	for (uint32_t i = 0; i < e->info->queues; i++) {
		e->queue[i].enabled = true;
		e->queue[i].room = ENV_FOREVER;
	}
}

bool env_room(const struct env *e, uint32_t queue)
{
	return e->queue[queue].enabled && e->queue[queue].count < ENV_DEPTH;
}

void env_push(struct env *e, const struct issue_issue *cmd)
{
	struct env_queue *q = &e->queue[cmd->qid];

	assert_true(env_room(e, cmd->qid));
	q->held[q->count] = *cmd;
	q->held[q->count++].bar_op = issue_request(&cmd->cmd).op;
}

void env_touch(struct env *e, uint32_t cta, uint32_t barrier, const struct bar_request *r)
{
	bool flip;

	bar_apply(&e->bar[cta][barrier], r, &flip);
	if (flip || r->op == BAR_INIT || r->op == BAR_INVAL)
		e->updates |= 1u << cta;
}

/*
 * Barriers.
 */

static struct bar_request request_of(const struct issue_bar_req *pins)
{
	return (struct bar_request){ pins->op, pins->count, pins->tx, pins->drop, pins->no_complete };
}

/* Answers of all barrier units to what is on offer now. */
static void answer_barriers(struct env *e)
{
	const struct bar_request asked = request_of(&e->out->bar_req);
	uint32_t c, index = e->out->bar_req.addr % ENV_BARRIERS;
	bool flip;

	for (c = 0; c < e->info->ctas; c++) {
		uint64_t word = e->bar[c][index];
		struct bar_fields f = bar_unpack(word);

		e->in->bar_rsp[c].fault = bar_apply(&word, &asked, &flip);
		e->in->bar_rsp[c].phase = f.phase;
		e->in->bar_rsp[c].pending = f.pending;
	}
	/* A unit that was ready stays so until its operation is done. One that has answered a check need not. */
	for (c = 0; c < e->info->ctas; c++) {
		bool ready = !rng_percent(&e->rng, e->delay_percent) || e->waited[c] >= 40;

		e->waited[c] = e->out->bar_valid >> c & 1 ? e->waited[c] + 1 : 0;
		if (e->hammered)
			ready = (e->cycle + 2 * c) % 5 == 0;
		if (!(e->bar_valid & e->bar_ready & 1u << c))
			e->in->bar_ready = (uint16_t)((e->in->bar_ready & ~(1u << c)) | ready << c);
	}
}

/* Answers to checks and signals are gathered. */
static bool gathers(const struct env *e)
{
	return e->info->short_paths || e->tail || issue_request(&e->cmd.cmd).op == BAR_CHECK;
}

/* A request that may change its barrier. */
static bool changes(const struct tma_command *c)
{
	uint32_t op = issue_request(c).op;

	return op != BAR_CHECK && op != BAR_TEST;
}

/* Short paths: a request that is answered now takes effect. */
static bool commits(const struct env *e)
{
	return e->tail || (!e->dead && (!issue_records(&e->cmd.cmd) || e->room));
}

static const struct bar_request signal_none = { .op = BAR_COMPLETE };

static void check_request(struct env *e, uint32_t ctas)
{
	const struct bar_request want = e->tail ? signal_none : issue_request(&e->cmd.cmd);
	const struct issue_bar_req *got = &e->out->bar_req;

	REQUIRE(e, e->out->bar_valid == ctas);
	/* Once raised it stays. */
	REQUIRE(e, !(e->bar_valid & ~ctas));
	if (!ctas)
		return;
	REQUIRE(e, e->out->bar_req.addr == (e->cmd.cmd.barrier & 0xFFFFFF) / 8);
	REQUIRE(e, got->op == want.op);
	if (want.op == BAR_INIT || want.op == BAR_ARRIVE)
		REQUIRE(e, got->count == want.count);
	if (want.op >= BAR_EXPECT && want.op <= BAR_ARRIVE)
		REQUIRE(e, got->tx == want.tx);
	if (want.op == BAR_ARRIVE)
		REQUIRE(e, got->drop == want.drop && got->no_complete == want.no_complete);
}

static void apply_barriers(struct env *e, const struct bar_request *r, uint32_t ctas)
{
	for (uint32_t c = 0; c < e->info->ctas; c++)
		if (ctas >> c & 1)
			env_touch(e, c, (e->cmd.cmd.barrier & 0xFFFFFF) / 8, r);
}

/* What the units were asked in this cycle, and what becomes of it. */
static void gather(struct env *e, const struct issue_outcome *o)
{
	uint32_t now = o->bar_valid & e->in->bar_ready;
	const struct bar_request r = issue_request(&e->cmd.cmd);

	if (e->tail)
		apply_barriers(e, &signal_none, now);
	e->bar_ready = e->in->bar_ready;
	e->bar_valid = o->done || o->turns ? 0 : gathers(e) ? o->bar_valid & ~now : o->bar_valid;
	for (uint32_t c = 0; c < e->info->ctas; c++) {
		if (!(now >> c & 1))
			continue;
		if (e->in->bar_rsp[c].fault)
			e->bad |= 1u << c;
		else if (e->info->short_paths && changes(&e->cmd.cmd) && commits(e))
			apply_barriers(e, &r, 1u << c);
		e->rsp[c] = e->in->bar_rsp[c];
	}
	e->told |= now;
	if (!e->begun)
		e->room = e->queue[e->cmd.qid].room;
	e->begun = e->info->short_paths && o->asks && !o->done && !o->turns;
	if (o->done || o->turns || !gathers(e))
		e->told = e->bad = 0;
	e->tail = !o->done && (e->tail || o->turns);
}

/*
 * Effects.
 */

static void check_answer(struct env *e, const struct issue_outcome *o)
{
	const struct tma_command *c = &e->cmd.cmd;
	const struct env_queue *q = &e->queue[e->cmd.qid];
	uint32_t pending = issue_wants_state(c) ? q->state_pending : (uint32_t)(c->global_address & 0xFFFFF);
	struct tma_record want = { 0 };

	REQUIRE(e, e->out->ans_valid == (o->retires && issue_records(c)));
	if (!e->out->ans_valid)
		return;
	want.sequence = q->head;
	want.queue = e->cmd.qid;
	want.tag = c->tag;
	want.kind = TMA_KIND_ANSWER;
	switch (c->opcode) {
	case TMA_SIGNAL:
		want.kind = TMA_KIND_SIGNAL;
		break;
	case TMA_MBARRIER_ARRIVE:
		want.value = o->pending | (uint64_t)o->phase << 20;
		break;
	case TMA_MBARRIER_PENDING_COUNT:
		want.value = pending;
		break;
	case TMA_MBARRIER_TEST_WAIT:
	case TMA_MBARRIER_TRY_WAIT:
		want.value = o->passed;
		break;
	default:
		want.kind = TMA_KIND_RETIRED;
		break;
	}
	REQUIRE(e, !memcmp(&e->out->ans, &want, sizeof(want)));
	e->answer = want;
}

static void check_fault(struct env *e, const struct issue_outcome *o)
{
	const struct issue_out *out = e->out;

	REQUIRE(e, out->fault_valid == (o->fault != 0));
	if (!o->fault)
		return;
	REQUIRE(e, out->fault.code == o->fault);
	REQUIRE(e, out->fault.address == o->address);
	REQUIRE(e, out->fault.origin.qid == e->cmd.qid);
	REQUIRE(e, out->fault.origin.seq == (e->queue[e->cmd.qid].head & 0xFFFF));
	REQUIRE(e, out->fault.origin.tag == e->cmd.cmd.tag);
}

static void end_wait(struct env_queue *q)
{
	q->asleep = q->waiting = q->timed = q->cancelled = false;
}

static void retire(struct env *e, const struct issue_outcome *o)
{
	const struct bar_request r = issue_request(&e->cmd.cmd);
	struct env_queue *q = &e->queue[e->cmd.qid];
	const struct tma_command *c = &e->cmd.cmd;

	REQUIRE(e, q->picked && !memcmp(&q->held[0].cmd, c, sizeof(*c)));
	if (!e->info->short_paths)
		apply_barriers(e, &r, e->cmd.ctas);
	e->expired += q->waiting && c->opcode == TMA_MBARRIER_TRY_WAIT && !o->passed;
	end_wait(q);
	e->retired++;
	if (issue_records(c) && q->room != ENV_FOREVER)
		q->room--;
	switch (c->opcode) {
	case TMA_MBARRIER_ARRIVE:
		q->has_state = true;
		q->state_phase = o->phase;
		q->state_pending = o->pending;
		break;
	case TMA_BULK_COMMIT_GROUP:
		q->pending_read++;
		q->pending_write++;
		break;
	case TMA_CP_ASYNC:
		q->cp_ops++;
		break;
	case TMA_CP_ASYNC_COMMIT_GROUP:
		q->cp_pending++;
		break;
	default:
		break;
	}
	memmove(q->held, q->held + 1, (ENV_DEPTH - 1) * sizeof(q->held[0]));
	q->count--;
	q->picked--;
	q->head++;
}

static void sleep_on(struct env *e, const struct issue_outcome *o)
{
	const struct tma_command *c = &e->cmd.cmd;
	struct env_queue *q = &e->queue[e->cmd.qid];

	q->asleep = q->waiting = true;
	q->wait = o->wait;
	q->groups = o->sleep_groups;
	q->cta = c->barrier >> 24;
	q->slept = e->cycle;
	e->sleeps++;
	e->fulls += o->wait == ENV_ROOM;
	if (o->wait != ENV_BARRIER)
		return;
	if (!q->timed)
		q->first_try = e->cycle;
	q->timed = c->tx != ENV_FOREVER;
	q->limit = c->tx;
}

/* Who waits in this cycle is cancelled, whatever becomes of its command in it; all else is not. */
static void cancel(struct env *e, const struct issue_outcome *o)
{
	const struct tma_command *c = &e->cmd.cmd;

	for (uint32_t i = 0; i < e->info->queues; i++) {
		struct env_queue *q = &e->queue[i];

		if (q->waiting && (q->cancel || (o->retires && c->opcode == TMA_CANCEL && c->count == i)))
			q->cancelled = true;
		q->cancel = false;
	}
}

/*
 * Sleepers: a reason to wake wakes at once; without one, barrier waits try again each 64 cycles.
 */

static bool reason(const struct env *e, const struct env_queue *q)
{
	if (q->cancelled)
		return true;
	switch (q->wait) {
	case ENV_BARRIER:
		return ((e->info->short_paths ? e->update : e->in->bar_update) >> q->cta & 1) ||
		       (q->timed && e->cycle - q->first_try >= q->limit);
	case ENV_READ:
		return q->pending_read <= q->groups;
	case ENV_WRITE:
		return q->pending_write <= q->groups;
	case ENV_CP:
		return q->cp_pending <= q->groups;
	case ENV_CP_ALL:
		return !q->cp_ops;
	default:
		return q->room;
	}
}

static void wake(struct env *e, uint32_t queue)
{
	struct env_queue *q = &e->queue[queue];
	bool asleep = e->out->asleep >> queue & 1;

	if (!q->asleep) {
		REQUIRE(e, !asleep);
		return;
	}
	REQUIRE(e, !q->woken || !asleep);
	if (!q->woken && !asleep) {
		REQUIRE(e, q->wait == ENV_BARRIER);
		REQUIRE(e, !e->turn_seen || e->turn == e->cycle % 64);
		e->turn_seen = true;
		e->turn = (uint32_t)(e->cycle % 64);
	}
	REQUIRE(e, q->wait != ENV_BARRIER || !asleep || e->cycle - q->slept <= 65);
	q->asleep = asleep;
}

/*
 * One cycle.
 */

/* One queue after another offers its next command. */
static void offer(struct env *e)
{
	uint32_t start = rng_below(&e->rng, e->info->queues), i;

	if (e->in->valid)
		return;
	for (i = 0; i < e->info->queues; i++) {
		struct env_queue *q = &e->queue[(start + i) % e->info->queues];

		if (!q->enabled || q->stopped || q->asleep || q->picked == q->count)
			continue;
		e->in->issue = q->held[q->picked++];
		e->in->valid = 1;
		return;
	}
}

static void put_inputs(struct env *e)
{
	e->in->enable = e->in->stopped = e->in->group.full = e->in->group.cp_full = e->in->group.cp_busy = 0;
	e->in->resume = e->in->cancel = e->in->record_room = 0;
	for (uint32_t i = 0; i < e->info->queues; i++) {
		const struct env_queue *q = &e->queue[i];

		e->in->enable |= (uint32_t)q->enabled << i;
		e->in->stopped |= (uint32_t)q->stopped << i;
		e->in->group.full |= (uint32_t)(q->pending_write == 32) << i;
		e->in->group.pending_read[i] = q->pending_read;
		e->in->group.pending_write[i] = q->pending_write;
		e->in->group.cp_full |= (uint32_t)(q->cp_pending == 32) << i;
		e->in->group.cp_busy |= (uint32_t)(q->cp_ops != 0) << i;
		e->in->group.cp_pending[i] = q->cp_pending;
		e->in->record_room |= (uint32_t)(q->room != 0) << i;
		e->in->cancel |= (uint32_t)q->cancel << i;
		e->in->resume |= (uint32_t)q->resume << i;
		if (q->resume)
			e->in->resume_index = q->resume_index;
	}
	e->in->bar_update = e->updates;
	e->updates = 0;
	e->in->fault_ready = !rng_percent(&e->rng, e->fault_percent);
}

/* A disabled queue forgets, a resumed one what it is told to; a command in the register is dead. */
static void new_life(struct env *e, uint32_t queue)
{
	struct env_queue *q = &e->queue[queue];

	if (q->enabled && !q->resume)
		return;
	if (!q->enabled) {
		q->count = q->head = 0;
		q->pending_read = q->pending_write = q->cp_pending = q->cp_ops = 0;
		q->has_state = false;
	} else {
		q->head = q->resume_index;
		q->count -= q->skip;
		memmove(q->held, q->held + q->skip, q->count * sizeof(q->held[0]));
	}
	q->stopped = q->resume = false;
	q->picked = 0;
	end_wait(q);
	if (e->in->valid && e->in->issue.qid == queue)
		e->in->valid = 0;
	if (e->valid && e->cmd.qid == queue)
		e->dead = true;
}

/* Short paths: a command whose barriers have answered makes room for the next one, but for a multicast. */
static bool ends(const struct env *e, const struct issue_outcome *o)
{
	bool may_turn = issue_request(&e->cmd.cmd).op == BAR_CHECK && (e->cmd.cmd.flags & TMA_FLAG_MULTICAST);

	return e->begun && !o->bar_valid && !e->tail && !may_turn && e->in->fault_ready;
}

void env_step(struct env *e)
{
	bool taken, flush, ready;
	struct issue_outcome o;

	put_inputs(e);
	offer(e);
	issue_eval(e->unit);
	answer_barriers(e);
	issue_eval(e->unit);

	o = issue_find(e);
	for (uint32_t i = 0; i < e->info->queues; i++) {
		wake(e, i);
		REQUIRE(e, (e->out->waiting >> i & 1) == e->queue[i].waiting);
		REQUIRE(e, (e->out->full >> i & 1) == (e->queue[i].waiting && e->queue[i].wait == ENV_ROOM));
		REQUIRE(e, e->out->head[i] == e->queue[i].head);
		e->queue[i].woken = e->queue[i].asleep && reason(e, &e->queue[i]);
	}
	flush = o.done && !o.retires && !e->tail;
	REQUIRE(e, e->out->issuing == (uint32_t)e->valid << e->cmd.qid);
	ready = !e->valid || (e->info->short_paths ? ends(e, &o) : o.done);
	REQUIRE(e, e->out->ready == ready);
	REQUIRE(e, e->out->retire == o.retires);
	REQUIRE(e, e->out->flush == flush);
	REQUIRE(e, !o.done || e->out->queue == e->cmd.qid);
	/* Of units that are not ready, that find a fault or that change nothing it says nothing. */
	if (o.bar_valid & e->in->bar_ready && !o.fault && (e->tail || changes(&e->cmd.cmd)))
		REQUIRE(e, e->out->bar_commit == (e->info->short_paths ? commits(e) : o.retires || e->tail));
	check_request(e, o.bar_valid);
	issue_check_copies(e, o.retires);
	check_answer(e, &o);
	check_fault(e, &o);

	taken = e->in->valid && e->out->ready;
	issue_tick(e->unit);
	e->held = e->valid && !o.done;
	cancel(e, &o);
	if (o.retires)
		retire(e, &o);
	gather(e, &o);
	if (o.waits)
		sleep_on(e, &o);
	if (flush)
		e->queue[e->cmd.qid].picked = 0;
	/* With short paths that drops what is on offer, too. */
	if (flush && e->in->valid && !taken && e->in->issue.qid == e->cmd.qid)
		e->in->valid = 0;
	if (o.fault && o.done) {
		e->queue[e->cmd.qid].stopped = true;
		e->faults++;
		e->cancelled += o.fault == TMA_FAULT_CANCELLED;
	}
	for (uint32_t i = 0; i < e->info->queues; i++)
		if (e->in->stopped >> i & 1)
			end_wait(&e->queue[i]);
	if (ready)
		e->group = e->in->group;
	e->update = e->in->bar_update;
	if (!e->held) {
		e->valid = taken && e->queue[e->in->issue.qid].enabled &&
		           !e->queue[e->in->issue.qid].resume && !(flush && e->in->issue.qid == e->cmd.qid);
		e->cmd = e->in->issue;
		e->dead = false;
	}
	if (taken)
		e->in->valid = 0;
	for (uint32_t i = 0; i < e->info->queues; i++)
		new_life(e, i);
	e->cycle++;
}

void env_steps(struct env *e, uint32_t count)
{
	while (count--)
		env_step(e);
}
