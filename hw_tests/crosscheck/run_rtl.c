/* SPDX-License-Identifier: Apache-2.0 */
/* A program on the RTL. */
#include "crosscheck/run_rtl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crosscheck/order.h"
#include "crosscheck/order_rows.h"
#include "crosscheck/run_guest.h"
#include "crosscheck/run_rtl_priv.h"
#include "lib/must.h"
#include "lib/rng.h"
#include "tma_regs.h"

#define STREAM_FILL 11
#define POKE_EVERY  13   /* cycles */
#define MARGIN      256u /* bytes around the used part of a CTA that are compared as well */

/*
 * Hooks: they look only while a program runs.
 */

static void poke(struct engine *e)
{
	const struct poke *poke = &e->p->pokes[e->pokes++];

	rig_smem_post_write(e->rig, poke->cta, poke->offset, &poke->word, sizeof(poke->word));
}

static void on_cycle(void *arg, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out)
{
	struct engine *e = arg;

	if (!e->trace)
		return;
	trace_cycle(e->trace, cycle, in, out);
	smem_cycle(e->smem, cycle, &out->inside);
	if (e->pokes < e->p->num_pokes && cycle % POKE_EVERY == 0)
		poke(e);
}

/* Commands go as soon as no SM has to be waited for, in their order; where the rig keeps the order of all
 * queues, so does this. */
static void submit(struct engine *e)
{
	const struct program *p = e->p;
	bool held[MAX_QUEUES] = { false };

	while (e->first < p->num_steps && e->submitted[e->first])
		e->first++;
	for (uint32_t i = e->first; i < p->num_steps; i++) {
		const struct step *s = &p->steps[i];

		if (e->submitted[i] || held[s->queue])
			continue;
		if (sm_open(sm_done(e->sms), s->gate)) {
			rig_submit(e->rig, s->queue, &s->cmd);
			e->submitted[i] = true;
			continue;
		}
		held[s->queue] = true;
		if (p->weather.pick == RIG_PICK_IN_ORDER)
			return;
	}
}

static bool all_given(void *arg)
{
	struct engine *e = arg;

	while (e->first < e->p->num_steps && e->submitted[e->first])
		e->first++;
	return e->first == e->p->num_steps && sm_over(e->p, sm_done(e->sms));
}

static void on_end(void *arg)
{
	struct engine *e = arg;

	if (!e->trace || !e->p->with_sm)
		return;
	sm_cycle(e->sms, rig_cycle(e->rig));
	submit(e);
}

static void on_command(void *arg, uint64_t cycle, uint32_t queue, uint32_t index,
                       const struct tma_command *cmd)
{
	struct engine *e = arg;

	if (e->trace)
		trace_command(e->trace, cycle, queue, index, cmd);
}

static void on_record(void *arg, uint64_t cycle, const struct tma_record *record)
{
	struct engine *e = arg;

	if (e->trace)
		trace_record(e->trace, cycle, record);
}

/*
 * Life.
 */

static bool same_shape(const struct shape *s, const struct tma_sim_info *i)
{
	return s->data_bytes == i->data_bytes && s->ctas == i->ctas && s->smem_bytes == i->smem_bytes &&
	       s->queues == i->queues && s->windows == i->windows && s->ports == i->ports &&
	       s->multimem == i->multimem;
}

static void fill(struct engine *e, uint64_t seed)
{
	struct rng rng = rng_make(seed, STREAM_FILL);

	for (uint32_t c = 0; c < e->shape->ctas; c++) {
		for (uint32_t i = 0; i < e->shape->smem_bytes; i++)
			e->memory.smem[c][i] = (uint8_t)rng_next(&rng);
		rig_smem_post_write(e->rig, c, 0, e->memory.smem[c], e->shape->smem_bytes);
	}
	rig_smem_flush(e->rig);
}

struct engine *engine_open(const struct shape *shape, uint64_t seed, const char *fst)
{
	struct engine *e = calloc(1, sizeof(*e));
	struct rig_hooks hooks = { e, on_cycle, on_command, on_record, on_end };

	if (!e)
		return NULL;
	e->shape = shape;
	memory_init(&e->memory, shape);
	for (uint32_t i = 1; i < shape->ports; i++)
		e->port[i] = calloc(1, PORT_BYTES);
	e->rig = rig_open(shape->name, &(struct rig_opts){ .size = sizeof(struct rig_opts),
	                                                   .seed = seed,
	                                                   .start_seed = seed + 1,
	                                                   .fst = fst });
	if (!e->rig || !same_shape(shape, rig_info(e->rig)) || rig_hook(e->rig, &hooks)) {
		engine_close(e);
		return NULL;
	}
	fill(e, seed);
	return e;
}

bool engine_close(struct engine *e)
{
	bool good;

	if (!e)
		return true;
	good = !rig_close(e->rig);
	memory_free(&e->memory);
	free(e->global);
	free(e->rings);
	for (uint32_t i = 0; i < MAX_PORTS; i++)
		free(e->port[i]);
	free(e);
	return good;
}

uint64_t engine_cycles(const struct engine *e)
{
	return rig_cycle(e->rig);
}

/*
 * What it left.
 */

static void read_queue(struct engine *e, uint32_t q, struct result *result)
{
	struct queue_result *r = &result->queue[q];
	struct rig_fault fault = rig_fault(e->rig, q);
	const struct rig_record *records;
	uint32_t n;

	r->head = rig_csr(e->rig, TMA_REG_QUEUE_HEAD(q));
	r->fault = fault.code;
	r->fault_count = fault.count;
	r->fault_sequence = fault.sequence;
	r->fault_tag = fault.tag;
	r->fault_address = fault.address;
	records = rig_records(e->rig, q, &n);
	for (uint32_t i = 0; i < n; i++)
		result_add_record(result, &records[i].record);
}

struct rig *engine_rig(struct engine *e)
{
	return e->rig;
}

void engine_read_memory(struct engine *e, const struct program *p, struct memory *memory)
{
	uint32_t from = p->arena_at > MARGIN ? p->arena_at - MARGIN : 0;
	uint32_t to = p->arena_at + p->arena_bytes + MARGIN;

	if (to > e->shape->smem_bytes)
		to = e->shape->smem_bytes;
	for (uint32_t c = 0; c < e->shape->ctas; c++)
		rig_smem_post_read(e->rig, c, from, memory->smem[c] + from, to - from);
	rig_smem_flush(e->rig);
	memcpy(memory->global, e->global, p->global_bytes);
	for (uint32_t i = 1; i < e->shape->ports; i++)
		memcpy(memory->port[i], e->port[i], PORT_BYTES);
}

void engine_read_all(struct engine *e, const struct program *p, struct memory *memory)
{
	for (uint32_t c = 0; c < e->shape->ctas; c++)
		rig_smem_post_read(e->rig, c, 0, memory->smem[c], e->shape->smem_bytes);
	rig_smem_flush(e->rig);
	memcpy(memory->global, e->global, p->global_bytes);
	for (uint32_t i = 1; i < e->shape->ports; i++)
		memcpy(memory->port[i], e->port[i], PORT_BYTES);
}

static void read_result(struct engine *e, const struct program *p, struct result *result)
{
	uint64_t now[COUNTED];

	for (uint32_t q = 0; q < e->shape->queues; q++)
		if (p->queue[q].used)
			read_queue(e, q, result);
	engine_count(e, now);
	for (uint32_t i = 0; i < COUNTED; i++)
		result->counters[i] = now[i] - e->counters[i];
	result->counters_known = true;
	memory_init(&result->memory, e->shape);
	memory_copy(&result->memory, &e->memory);
	engine_read_memory(e, p, &result->memory);
}

static bool rows_allowed(const struct program *p, const struct trace *trace, char *text, size_t room)
{
	uint32_t count;
	const struct trace_burst *bursts = trace_bursts(trace, &count);

	return order_rows(p, bursts, count, text, room);
}

bool engine_run(struct engine *e, const struct program *p, struct result *result, char *text, size_t room)
{
	struct trace *trace = trace_new(p);
	int before = rig_failed(e->rig);
	bool good = engine_set_up(e, p), given, idle, sms_good, guest = true;
	const char *sms_say;

	e->p = p;
	e->pokes = 0;
	e->smem = smem_new(p);
	e->sms = sm_start(e->rig, p, trace_seen(trace), e->smem, result);
	e->submitted = must(calloc(p->num_steps + 1, sizeof(*e->submitted)));
	e->first = 0;
	e->trace = trace;
	if (good)
		submit(e);
	text[0] = '\0';
	if (good && p->guest.on)
		guest = run_guest(e->rig, p, &e->memory, e->global, &result->guest, text, room);
	given = good && !rig_wait(e->rig, all_given, e, engine_limit(p));
	idle = given && !rig_wait_idle(e->rig, engine_limit(p));
	e->trace = NULL;
	sms_good = sm_end(e->sms, &sms_say);
	while (e->pokes < p->num_pokes)
		poke(e);
	read_result(e, p, result);
	if (!guest)
		;
	else if (good && !given)
		snprintf(text, room, "the SMs do not come to an end: %s", sm_stuck(e->sms));
	else if (!idle)
		snprintf(text, room, good ? "it does not come to an end" : "the set-up fails");
	else if (rig_failed(e->rig) != before)
		snprintf(text, room, "a protocol is broken, or an assertion of the RTL: see above");
	else if (!sms_good)
		snprintf(text, room, "%s", sms_say);
	else if (trace_error(trace))
		snprintf(text, room, "%s", trace_error(trace));
	else if (order_allowed(p, trace_seen(trace), text, room) && rows_allowed(p, trace, text, room) &&
	         smem_allowed(p, trace_seen(trace), e->smem, text, room))
		text[0] = '\0';
	trace_free(trace);
	sm_free(e->sms);
	smem_free(e->smem);
	free(e->submitted);
	return !text[0];
}

void engine_keep(struct engine *e, const struct result *result)
{
	memory_copy(&e->memory, &result->memory);
}

bool engine_check_all(struct engine *e, char *text, size_t room)
{
	uint8_t *bytes = must(malloc((size_t)e->shape->ctas * e->shape->smem_bytes));
	bool good = true;

	for (uint32_t c = 0; c < e->shape->ctas; c++)
		rig_smem_post_read(e->rig, c, 0, bytes + (size_t)c * e->shape->smem_bytes,
		                   e->shape->smem_bytes);
	rig_smem_flush(e->rig);
	for (uint32_t c = 0; c < e->shape->ctas && good; c++) {
		const uint8_t *is = bytes + (size_t)c * e->shape->smem_bytes, *should = e->memory.smem[c];
		uint32_t i = 0;

		while (i < e->shape->smem_bytes && is[i] == should[i])
			i++;
		good = i == e->shape->smem_bytes;
		if (!good)
			snprintf(text, room,
			         "CTA %u offset %#x is %02x and should be %02x: written by a program "
			         "that has no business there",
			         c, i, is[i], should[i]);
	}
	free(bytes);
	return good;
}
