/* SPDX-License-Identifier: Apache-2.0 */
/* Acts on the RTL, and the comparison after each of them. */
#include "crosscheck/run_acts.h"

#include <stdio.h>
#include <string.h>

#include "crosscheck/model_setup.h"
#include "lib/rig.h"
#include "tma_ptx.h"
#include "tma_regs.h"
#include "tma_tables.h"

#define LIMIT      100000u /* cycles for an act */
#define LOOK_EVERY 40u

struct run {
	struct engine *e;
	struct rig *rig;
	const struct program *p;
	struct acts acts;
	struct result *model, *rtl;
	uint32_t model_seen[MAX_QUEUES], rtl_seen[MAX_QUEUES]; /* records that were compared */
	uint32_t loose;                                        /* mask of queues whose HEAD is not certain */
	char *text;
	size_t room;
};

#define FAIL(r, ...) (snprintf((r)->text, (r)->room, __VA_ARGS__), false)

static struct act_view look(const struct run *r, uint32_t queue)
{
	return (struct act_view){ rig_csr(r->rig, TMA_REG_QUEUE_HEAD(queue)),
		                  rig_csr(r->rig, TMA_REG_DOOR_TAIL(queue)), rig_waiting(r->rig, queue) };
}

/* A fault's record may still be on its way into a ring that was full. */
static bool resume(struct run *r, const struct act *act)
{
	int resp = RIG_SLVERR;

	if (act->mend)
		memcpy(rig_ring_slot(r->rig, act->queue, act->value), &act->repair, SLOT_BYTES);
	for (uint32_t i = 0; i < LIMIT / LOOK_EVERY && resp == RIG_SLVERR; i++) {
		resp = rig_resume(r->rig, act->queue, act->value);
		rig_run(r->rig, LOOK_EVERY);
	}
	return resp == RIG_OKAY ||
	       FAIL(r, "RESUME of queue %u at %u: response %d", act->queue, act->value, resp);
}

static bool apply(struct run *r, const struct act *act)
{
	int resp, should = RIG_OKAY;

	switch (act->kind) {
	case ACT_RESUME:
		return resume(r, act);
	case ACT_BAD_RESUME:
		resp = rig_resume(r->rig, act->queue, act->value);
		should = RIG_SLVERR;
		break;
	case ACT_RESET:
		for (uint32_t i = 0; i < act->num_doomed; i++)
			rig_submit(r->rig, act->queue, &act->doomed[i % 2]);
		rig_run(r->rig, act->num_doomed ? act->cycles : 0);
		resp = rig_queue_reset(r->rig, act->queue);
		/* Records of before that wait at the response port come first. */
		if (resp == RIG_OKAY && act->num_doomed && rig_wait_idle(r->rig, LIMIT))
			return FAIL(r, "queue %u does not come to rest after its reset", act->queue);
		rig_records(r->rig, act->queue, &r->rtl_seen[act->queue]);
		break;
	case ACT_CANCEL:
		resp = rig_cancel(r->rig, act->queue);
		break;
	case ACT_OVERRUN:
		resp = rig_doorbell(r->rig, act->queue, act->value);
		break;
	default:
		return true;
	}
	return resp == should || FAIL(r, "response %d, should be %d", resp, should);
}

static uint32_t records_of(const struct run *r, uint32_t queue)
{
	uint32_t count;

	rig_records(r->rig, queue, &count);
	return count - r->rtl_seen[queue];
}

/* The queue is where the model's is, or the time is over. */
static bool wait_blocked(struct run *r, uint32_t queue, const struct act_outcome *should, uint32_t records)
{
	for (uint32_t i = 0; i < LIMIT / LOOK_EVERY; i++) {
		uint32_t status = rig_csr(r->rig, TMA_REG_QUEUE_STATUS(queue));

		rig_run(r->rig, LOOK_EVERY);
		if (status & TMA_REG_QUEUE_STATUS_WAITING_MASK && records_of(r, queue) == records &&
		    rig_csr(r->rig, TMA_REG_QUEUE_HEAD(queue)) == should->state.head)
			return true;
	}
	rig_dump(r->rig);
	return FAIL(r, "queue %u does not wait at command %u with %u records", queue, should->state.head,
	            records);
}

static bool wait_rest(struct run *r, uint32_t queue, const struct act_outcome *should, bool lost)
{
	uint32_t records = r->model->queue[queue].num_records - r->model_seen[queue];

	if (should->blocked)
		return wait_blocked(r, queue, should, records);
	if (rig_wait_idle(r->rig, LIMIT))
		return FAIL(r, "queue %u does not come to rest", queue);
	/* The last record may wait for a consumer that is lazy. */
	for (uint32_t i = 0; i < LIMIT / LOOK_EVERY && !lost && records_of(r, queue) < records; i++)
		rig_run(r->rig, LOOK_EVERY);
	return true;
}

static bool records_agree(struct run *r, uint32_t queue)
{
	const struct queue_result *m = &r->model->queue[queue];
	uint32_t have, model = m->num_records - r->model_seen[queue], rtl;
	const struct rig_record *records = rig_records(r->rig, queue, &have);

	rtl = have - r->rtl_seen[queue];
	for (uint32_t i = 0; i < model && i < rtl; i++) {
		const struct tma_record *a = &m->records[r->model_seen[queue] + i];
		const struct tma_record *b = &records[r->rtl_seen[queue] + i].record;

		if (memcmp(a, b, sizeof(*a)))
			return FAIL(r,
			            "queue %u record %u: model {sequence %u %s fault %#x value %#llx address "
			            "%#llx tag %#x}, run {sequence %u %s fault %#x value %#llx address %#llx "
			            "tag %#x}",
			            queue, i, a->sequence, tma_kind_name(a->kind), a->fault,
			            (unsigned long long)a->value, (unsigned long long)a->address, a->tag,
			            b->sequence, tma_kind_name(b->kind), b->fault,
			            (unsigned long long)b->value, (unsigned long long)b->address, b->tag);
	}
	if (model != rtl)
		return FAIL(r, "queue %u: %u records in the model, %u in the run", queue, model, rtl);
	return true;
}

static bool state_agrees(struct run *r, uint32_t queue, const struct queue_result *m)
{
	struct rig_fault f = rig_fault(r->rig, queue);
	uint32_t head = rig_csr(r->rig, TMA_REG_QUEUE_HEAD(queue));

	/* Behind a late fault a few commands more may have left the queue. */
	if ((head == m->head || r->loose >> queue & 1) && f.code == m->fault && f.count == m->fault_count &&
	    (!f.code || (f.sequence == m->fault_sequence && f.tag == m->fault_tag &&
	                 result_same_address(r->p, queue, f.code, m->fault_address, f.address))))
		return true;
	return FAIL(r,
	            "queue %u: model {HEAD %u fault %#x, %u seen, sequence %u tag %#x address %#llx}, run "
	            "{%u %#x, %u, %u %#x %#llx}",
	            queue, m->head, m->fault, m->fault_count, m->fault_sequence, m->fault_tag,
	            (unsigned long long)m->fault_address, head, f.code, f.count, f.sequence, f.tag,
	            (unsigned long long)f.address);
}

static bool agree(struct run *r, const struct act *act, const struct act_outcome *should)
{
	uint8_t queues[2] = { act->queue, act->by };
	bool good = state_agrees(r, act->queue, &should->state);

	for (uint32_t i = 0; i < (act->kind == ACT_CANCEL_BY ? 2u : 1u); i++) {
		uint32_t q = queues[i], count;

		good = good && (act->lost || records_agree(r, q));
		rig_records(r->rig, q, &count);
		r->rtl_seen[q] = count;
		r->model_seen[q] = r->model->queue[q].num_records;
	}
	return good;
}

static bool one(struct run *r, const struct act *act, const struct act_outcome *should)
{
	uint8_t to = act->kind == ACT_CANCEL_BY ? act->by : act->queue;

	rig_clear_errors(r->rig);
	if (act->spoilt)
		rig_map_error(r->rig, 0, act->error.read ? RIG_READ : RIG_WRITE, act->error.address,
		              act->error.bytes, (enum rig_resp)act->error.resp);
	for (uint32_t i = 0; i < act->num_noise; i++)
		rig_submit(r->rig, act->noisy, &act->noise);
	if (!apply(r, act))
		return false;
	if (act->kind == ACT_RESUME || act->kind == ACT_RESET)
		r->loose &= ~(1u << act->queue);
	for (uint32_t i = 0; i < act->num_commands; i++)
		rig_submit(r->rig, to, &act->commands[i]);
	return wait_rest(r, act->queue, should, act->lost) && agree(r, act, should);
}

static void print(const struct act *act, uint32_t i)
{
	fprintf(stderr, "act %u: %s of queue %u, value %u%s%s%s\n", i, act_name(act->kind), act->queue,
	        act->value, act->mend ? ", mended" : "", act->lost ? ", records cannot be written" : "",
	        act->spoilt && !act->lost ? ", a command cannot be fetched" : "");
	for (uint32_t c = 0; c < act->num_commands; c++) {
		char text[PTX_TEXT];

		tma_command_print(&act->commands[c], text, sizeof(text));
		fprintf(stderr, "  %s\n", text);
	}
}

static bool memories_agree(struct run *r)
{
	char text[400];

	if (result_memories_agree(r->p, &r->model->memory, &r->rtl->memory, text, sizeof(text)))
		return true;
	return FAIL(r, "after the acts: %s", text);
}

bool run_acts(struct engine *e, const struct program *p, struct feed *f, struct result *model,
              struct result *rtl, uint64_t done[NUM_ACT_KINDS], uint64_t faults[256], bool list,
              struct ptx_counts *ptx, char *text, size_t room)
{
	struct run r = {
		.e = e, .rig = engine_rig(e), .p = p, .model = model, .rtl = rtl, .text = text, .room = room
	};
	uint32_t count = acts_begin(&r.acts, p, f);
	int before = rig_failed(r.rig);
	char what[300];

	for (uint32_t i = 0; i < p->num_victims; i++)
		r.loose |= (uint32_t)p->steps[p->victims[i].step].late << p->victims[i].queue;
	/* What a faulted copy has left open is as the engine has it. */
	if (count)
		model_adopt(f, model, &rtl->memory);
	for (uint32_t q = 0; q < MAX_QUEUES; q++) {
		r.model_seen[q] = model->queue[q].num_records;
		r.rtl_seen[q] = rtl->queue[q].num_records;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct act_outcome should;
		struct act_view view = look(&r, acts_queue(&r.acts));
		struct act act;

		acts_choose(&r.acts, &view, &act);
		if (ptx && !ptx_act(&act, tma_command_print, ptx, text, room))
			return false;
		/* What noise has made of a queue before its reset is not compared, here as in apply(). */
		if (act.kind == ACT_RESET)
			r.model_seen[act.queue] = model->queue[act.queue].num_records;
		acts_model(&r.acts, &act, model, &should);
		if (list)
			print(&act, i);
		done[act.kind]++;
		if (should.state.fault)
			faults[should.state.fault & 255]++;
		r.text = what;
		r.room = sizeof(what);
		if (!one(&r, &act, &should) ||
		    (rig_failed(r.rig) != before &&
		     !FAIL(&r, "a protocol is broken, or an assertion of the RTL"))) {
			snprintf(text, room, "act %u of %u, %s of queue %u (value %u%s, %u commands): %s", i,
			         count, act_name(act.kind), act.queue, act.value, act.mend ? ", mended" : "",
			         act.num_commands, what);
			return false;
		}
	}
	if (!count)
		return true;
	r.text = text;
	r.room = room;
	model_take(f, model);
	engine_read_memory(e, p, &rtl->memory);
	return memories_agree(&r);
}
