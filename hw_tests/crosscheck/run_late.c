/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program on the C model in an order of chance, with copies that are late.
 *
 *	issue --(some time)--> source is read --(some time)--> copy executes, as on a queue of its own
 *
 * When it executes, the source holds for that moment the bytes that were read before.
 */
#include <stdlib.h>
#include <string.h>

#include "crosscheck/bus.h"
#include "crosscheck/gen.h"
#include "crosscheck/model_setup.h"
#include "crosscheck/run_model.h"
#include "crosscheck/sm.h"
#include "lib/must.h"
#include "lib/rng.h"

#define OWN_QUEUES 8
#define LONG_LIMIT (1u << 28)

struct flight {
	const struct step *step;
	uint8_t *data; /* what was read, NULL: not yet */
};

/* Where a copy reads. */
struct source {
	uint8_t *bytes;
	uint32_t size;
};

#define MAX_SOURCES 2

struct late {
	const struct program *p;
	struct tma_model *m;
	struct result *result;
	struct rng rng;
	struct flight *flights;
	uint32_t num_flights;
	uint32_t next[OWN_QUEUES];
	bool offered[OWN_QUEUES]; /* the next command is in the model, blocked */
	uint32_t groups[OWN_QUEUES], copy_groups[OWN_QUEUES];
	bool stopped[OWN_QUEUES]; /* by its illegal command */
	uint32_t sm[MAX_CTAS];    /* acts done */
};

static bool is_copy(const struct step *s)
{
	switch (s->cmd.opcode) {
	case TMA_BULK_LOAD:
	case TMA_BULK_STORE:
	case TMA_BULK_SHARED:
	case TMA_MULTIMEM_BULK_STORE:
	case TMA_BULK_REDUCE:
	case TMA_BULK_REDUCE_SHARED:
	case TMA_MULTIMEM_BULK_REDUCE:
	case TMA_CP_ASYNC:
	case TMA_CP_ASYNC_MBARRIER_ARRIVE:
		return true;
	case TMA_TENSOR_LOAD:
	case TMA_TENSOR_STORE:
	case TMA_TENSOR_REDUCE:
		return s->tensor >= 0;
	default:
		return false;
	}
}

/* The queue has cp.async in flight that are older than the step. */
static bool copies_before(const struct late *l, const struct step *s)
{
	for (uint32_t i = 0; i < l->num_flights; i++) {
		const struct step *other = l->flights[i].step;

		if (other->queue == s->queue && other->index < s->index && other->cmd.opcode == TMA_CP_ASYNC)
			return true;
	}
	return false;
}

/* Its map, and the rows of one side. */
static uint32_t tensor_sources(struct late *l, const struct step *s, struct source sources[MAX_SOURCES])
{
	const struct tensor_span *span = &l->p->tensors[s->tensor].span;
	uint8_t *global = l->result->memory.global;

	sources[0] = (struct source){ global + (s->cmd.global_address - l->p->global_base), MAP_BYTES };
	if (tensor_is_written(s->cmd.opcode))
		sources[1] = (struct source){ tma_model_smem(l->m, s->cmd.shared_dst >> 24) +
			                              (s->cmd.shared_dst & 0xffffff),
			                      span->shared };
	else if (span->inside)
		sources[1] =
			(struct source){ global + span->first, (uint32_t)(span->last + 1 - span->first) };
	else
		sources[1] = (struct source){ 0 };
	return 2;
}

static uint32_t find_sources(struct late *l, const struct step *s, struct source sources[MAX_SOURCES])
{
	const struct tma_command *c = &s->cmd;

	if (s->tensor >= 0)
		return tensor_sources(l, s, sources);
	sources->size =
		c->opcode == TMA_BULK_SHARED || c->opcode == TMA_BULK_REDUCE_SHARED ? c->size : bus_bytes(c);
	if (!sources->size)
		return 0;
	if (c->opcode == TMA_BULK_LOAD || c->opcode == TMA_CP_ASYNC)
		sources->bytes = l->result->memory.global + (c->global_address - l->p->global_base);
	else
		sources->bytes = tma_model_smem(l->m, c->shared_src >> 24) + (c->shared_src & 0xffffff);
	return 1;
}

/* The sources' bytes as they are now. */
static uint8_t *gather(const struct source *sources, uint32_t count)
{
	uint8_t *bytes = must(malloc(1 + sources[0].size * (count > 0) + sources[1].size * (count > 1))),
		*to = bytes;

	for (uint32_t i = 0; i < count; to += sources[i++].size)
		if (sources[i].size)
			memcpy(to, sources[i].bytes, sources[i].size);
	return bytes;
}

static void scatter(const struct source *sources, uint32_t count, const uint8_t *bytes)
{
	for (uint32_t i = 0; i < count; bytes += sources[i++].size)
		if (sources[i].size)
			memcpy(sources[i].bytes, bytes, sources[i].size);
}

static void land(struct late *l, uint32_t i)
{
	struct flight f = l->flights[i];
	struct source sources[MAX_SOURCES] = { { 0 } };
	uint32_t count = find_sources(l, f.step, sources), queue = f.step->queue + OWN_QUEUES;
	struct tma_command cmd = f.step->cmd;
	uint8_t *now;

	if (cmd.opcode == TMA_CP_ASYNC_MBARRIER_ARRIVE) {
		if (copies_before(l, f.step))
			return;
		/* Its increment was made when it issued. */
		cmd.flags |= TMA_FLAG_NOINC;
	}
	if (!f.data) {
		l->flights[i].data = gather(sources, count);
		return;
	}
	now = gather(sources, count);
	scatter(sources, count, f.data);
	cmd.flags &= (uint16_t)~TMA_FLAG_RECORD;
	tma_model_submit(l->m, queue, &cmd);
	tma_model_step(l->m, queue);
	scatter(sources, count, now);
	free(now);
	free(f.data);
	l->flights[i] = l->flights[--l->num_flights];
}

/* Records of the command that has just left the queue, or of a fault that should not be. */
static void take_records(struct late *l, const struct step *s)
{
	struct tma_record record;

	while (tma_model_next_record(l->m, &record)) {
		record.queue %= OWN_QUEUES;
		if (s)
			record.sequence = s->index;
		result_add_record(l->result, &record);
	}
}

/* One arrival more is pending. */
static void count_arrival(struct late *l, uint32_t barrier)
{
	uint8_t *bytes = tma_model_smem(l->m, barrier >> 24) + (barrier & 0xffffff);
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	word += UINT64_C(1) << TMA_BARRIER_PENDING_LSB;
	memcpy(bytes, &word, sizeof(word));
}

static void take_off(struct late *l, const struct step *s)
{
	l->flights[l->num_flights++] = (struct flight){ .step = s };
	if (s->cmd.opcode == TMA_CP_ASYNC_MBARRIER_ARRIVE && !(s->cmd.flags & TMA_FLAG_NOINC))
		count_arrival(l, s->cmd.barrier);
	if (s->cmd.flags & TMA_FLAG_RECORD)
		result_add_record(l->result, &(struct tma_record){ .sequence = s->index,
		                                                   .queue = s->queue,
		                                                   .kind = TMA_KIND_RETIRED,
		                                                   .tag = s->cmd.tag });
}

static bool is_store(const struct step *s)
{
	return s->cmd.opcode == TMA_BULK_STORE || s->cmd.opcode == TMA_MULTIMEM_BULK_STORE ||
	       s->cmd.opcode == TMA_TENSOR_STORE || bus_updates(s->cmd.opcode);
}

static bool copies_pending(const struct late *l, const struct step *s)
{
	for (uint32_t i = 0; i < l->num_flights; i++) {
		const struct step *f = l->flights[i].step;

		if (f->queue == s->queue && f->cmd.opcode == TMA_CP_ASYNC &&
		    (s->cmd.opcode == TMA_CP_ASYNC_WAIT_ALL ||
		     (f->group != UINT32_MAX &&
		      (uint64_t)f->group + s->cmd.count < l->copy_groups[s->queue])))
			return true;
	}
	return false;
}

/* Copies that a wait_group has to wait for: stores, with .read those that have not been read; loads that
 * have not read. */
static bool group_pending(const struct late *l, const struct step *s)
{
	for (uint32_t i = 0; i < l->num_flights; i++) {
		const struct flight *f = &l->flights[i];

		bool read = s->cmd.flags & TMA_FLAG_READ || !is_store(f->step);

		if (f->step->queue == s->queue && f->step->reads_done >= 0 && f->step->group != UINT32_MAX &&
		    !(read && f->data) && (uint64_t)f->step->group + s->cmd.count < l->groups[s->queue])
			return true;
	}
	return false;
}

/* The illegal command, which faults at once. */
static void stop_queue(struct late *l, const struct step *s)
{
	struct queue_result *r = &l->result->queue[s->queue];
	struct tma_queue_status status;

	tma_model_submit(l->m, s->queue, &s->cmd);
	tma_model_step(l->m, s->queue);
	take_records(l, s);
	tma_model_queue_status(l->m, s->queue, &status);
	r->fault = status.fault;
	r->fault_count = status.fault_count;
	r->fault_sequence = s->index;
	r->fault_tag = status.fault_tag;
	r->fault_address = status.fault_address;
	l->stopped[s->queue] = true;
}

static bool queue_done(const struct late *l, uint32_t queue)
{
	return l->stopped[queue] || l->next[queue] == l->p->queue[queue].steps;
}

static bool is_copy_wait(const struct step *s)
{
	return s->cmd.opcode == TMA_CP_ASYNC_WAIT_GROUP || s->cmd.opcode == TMA_CP_ASYNC_WAIT_ALL;
}

static bool step_queue(struct late *l, uint32_t queue)
{
	const struct step *s;
	struct tma_command cmd;

	if (queue_done(l, queue))
		return false;
	s = program_step(l->p, queue, l->next[queue]);
	if (!sm_open(l->sm, s->gate))
		return false;
	if (s->fault) {
		stop_queue(l, s);
		return true;
	}
	if (is_copy(s)) {
		take_off(l, s);
		l->next[queue]++;
		return true;
	}
	if ((s->cmd.opcode == TMA_BULK_WAIT_GROUP && group_pending(l, s)) ||
	    (is_copy_wait(s) && copies_pending(l, s)))
		return false;
	cmd = s->cmd;
	/* Expiry is for waits that may see it. */
	if (cmd.opcode == TMA_MBARRIER_TRY_WAIT && cmd.tx >= LONG_LIMIT)
		cmd.tx = FOREVER;
	if (!l->offered[queue])
		tma_model_submit(l->m, queue, &cmd);
	l->offered[queue] = true;
	if (!tma_model_step(l->m, queue))
		return false;
	take_records(l, s);
	l->offered[queue] = false;
	l->groups[queue] += cmd.opcode == TMA_BULK_COMMIT_GROUP;
	l->copy_groups[queue] += cmd.opcode == TMA_CP_ASYNC_COMMIT_GROUP;
	l->next[queue]++;
	return true;
}

/* Blocked waits with a limit end, each answer going to its step. */
static bool expire(struct late *l)
{
	struct tma_record record;
	bool any = false;

	tma_model_run(l->m);
	while (tma_model_next_record(l->m, &record)) {
		const struct step *s = program_step(l->p, record.queue, l->next[record.queue]);

		record.sequence = s->index;
		result_add_record(l->result, &record);
		l->offered[record.queue] = false;
		l->next[record.queue]++;
		any = true;
	}
	return any;
}

static bool done(const struct late *l)
{
	for (uint32_t q = 0; q < OWN_QUEUES; q++)
		if (!queue_done(l, q))
			return false;
	return !l->num_flights && sm_over(l->p, l->sm);
}

static bool has_retired(void *late, uint32_t queue, uint32_t index)
{
	const struct late *l = late;

	return l->next[queue] > index;
}

static bool step_sm(struct late *l, uint32_t cta)
{
	return sm_step(l->p, cta, l->sm, tma_model_smem(l->m, cta), l->result, has_retired, l);
}

static void run(struct late *l)
{
	uint32_t idle = 0, slow = 1 + rng_below(&l->rng, rng_percent(&l->rng, 70) ? 6 : 40);

	while (!done(l) && idle < 1000) {
		bool moved = false;

		/* Mostly commands, so that many copies are in flight; or the other way round. */
		if (l->num_flights && rng_below(&l->rng, 40) < slow) {
			land(l, rng_below(&l->rng, l->num_flights));
			take_records(l, NULL);
			moved = true;
		} else if (l->p->with_sm && rng_percent(&l->rng, 40)) {
			moved = step_sm(l, rng_below(&l->rng, l->p->shape->ctas));
		} else {
			moved = step_queue(l, rng_below(&l->rng, OWN_QUEUES));
		}
		idle = moved ? 0 : idle + 1;
		if (idle == 500 && !l->num_flights && expire(l))
			idle = 0;
	}
}

bool run_model_late(const struct program *p, const struct memory *before, uint64_t seed,
                    struct result *result)
{
	struct late l = { .p = p, .result = result, .rng = rng_make(seed, p->number) };
	bool all;

	sm_answers(result, p);
	l.m = model_new(p, before, 2 * OWN_QUEUES, result);
	l.flights = must(malloc((p->num_steps + 1) * sizeof(*l.flights)));
	for (uint32_t q = 0; q < OWN_QUEUES; q++) {
		if (!p->queue[q].used)
			continue;
		model_queue(l.m, q, &p->queue[q], 0);
		model_queue(l.m, q + OWN_QUEUES, &p->queue[q], 0);
	}
	run(&l);
	all = done(&l);
	for (uint32_t q = 0; q < OWN_QUEUES; q++)
		result->queue[q].head = l.next[q];
	free(l.flights);
	model_finish(l.m, result);
	/* Its own count of commands and records is not the program's. */
	result->counters_known = false;
	return all;
}
