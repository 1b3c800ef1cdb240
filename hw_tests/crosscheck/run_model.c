/* SPDX-License-Identifier: Apache-2.0 */
/* A program on the C model, each command at once. */
#include "crosscheck/run_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crosscheck/feed.h"
#include "crosscheck/model_setup.h"
#include "crosscheck/sm.h"
#include "lib/must.h"
#include "tma_regs.h"

static void check(int status)
{
	if (status >= 0)
		return;
	fprintf(stderr, "crosscheck: the model refuses a set-up: %d\n", status);
	abort();
}

/* Part of global memory, in two maps where the addresses run over their end. */
static void map(struct tma_model *m, const struct program *p, struct result *result)
{
	uint8_t *global = result->memory.global;
	uint64_t to_end = -p->global_base;
	uint64_t first = p->global_base && to_end < p->mapped ? to_end : p->mapped;

	check(tma_model_map(m, 0, p->global_base, first, global));
	if (first < p->mapped)
		check(tma_model_map(m, 0, 0, p->mapped - first, global + first));
	for (uint32_t i = 1; i < p->shape->ports; i++)
		check(tma_model_map(m, i, p->port_base[i], PORT_BYTES, result->memory.port[i]));
}

/* Those that the program has. */
static void errors(struct tma_model *m, const struct program *p)
{
	for (uint32_t i = 0; i < p->num_errors; i++) {
		const struct bus_error *e = &p->errors[i];

		check(tma_model_map_error(m, e->port, e->address, e->bytes, e->read ? e->resp : 0,
		                          e->write ? e->resp : 0));
	}
}

static void multimem(struct tma_model *m, const struct program *p)
{
	for (uint32_t i = 0; i < p->num_multimem; i++) {
		const struct multimem *w = &p->multimem[i];
		struct tma_multimem window = { w->base, w->base + w->bytes - 1, w->ports, { 0 } };

		for (uint32_t port = 0; port < p->shape->ports; port++)
			window.port_base[port] = w->port_base[port];
		check(tma_model_multimem(m, i, &window));
	}
}

void model_queue(struct tma_model *m, uint32_t queue, const struct queue_setup *s, uint64_t rings)
{
	for (uint32_t w = 0; w < s->num_windows; w++)
		check(tma_model_window(m, queue, w,
		                       &(struct tma_window){ s->windows[w].base, s->windows[w].limit,
		                                             s->windows[w].attr }));
	check(tma_model_queue(m, queue,
	                      &(struct tma_queue_config){ .enable = 1,
	                                                  .cta = s->cta,
	                                                  .cta_mask = s->cta_mask,
	                                                  .stream = s->stream,
	                                                  .prot = s->prot,
	                                                  .cancel_mask = s->cancel_mask,
	                                                  .ring = rings && s->ring,
	                                                  .ring_slots_log2 = s->ring_log2,
	                                                  .completion_slots_log2 = s->records_log2,
	                                                  .ring_base = rings ? rings + s->ring_at : 0,
	                                                  .completion_base =
	                                                          rings ? rings + s->records_at : 0 }));
}

struct tma_model *model_new(const struct program *p, const struct memory *before, uint32_t queues,
                            struct result *result)
{
	const struct shape *shape = p->shape;
	struct tma_model *m = shape_model(shape, queues);

	check(tma_model_reg_write(m, TMA_REG_BEHAVIOUR, program_behaviour(p)));
	memory_init(&result->memory, shape);
	memory_copy(&result->memory, before);
	for (uint32_t c = 0; c < shape->ctas; c++)
		memcpy(tma_model_smem(m, c), before->smem[c], shape->smem_bytes);
	map(m, p, result);
	errors(m, p);
	multimem(m, p);
	return m;
}

static void take(struct tma_model *m, struct result *result)
{
	struct tma_model_counters counters;

	for (uint32_t c = 0; c < result->memory.shape->ctas; c++)
		memcpy(result->memory.smem[c], tma_model_smem(m, c), result->memory.shape->smem_bytes);
	tma_model_counters(m, &counters);
	result->counters[COUNTED_COMMANDS] = counters.commands;
	result->counters[COUNTED_SIGNALS] = counters.signals;
	result->counters[COUNTED_FAULTS] = counters.faults;
	result->counters[COUNTED_PREFETCH_ERRORS] = counters.prefetch_errors;
	result->counters[COUNTED_RECORDS] = counters.records;
}

void model_take(struct feed *f, struct result *result)
{
	take(f->m, result);
}

void model_finish(struct tma_model *m, struct result *result)
{
	take(m, result);
	tma_model_free(m);
}

static bool finish_queue(struct feed *f, uint32_t queue, struct queue_result *r)
{
	struct tma_queue_status status = feed_status(f, queue);

	r->head = status.next_sequence;
	r->fault = status.fault;
	r->fault_count = status.fault_count;
	r->fault_sequence = status.fault_sequence;
	r->fault_tag = status.fault_tag;
	r->fault_address = status.fault_address;
	return status.faulted || r->head == f->queue[queue].count;
}

bool model_begin(struct feed *f, const struct program *p, const struct memory *before, struct result *result)
{
	bool done = true;

	*f = (struct feed){ .m = model_new(p, before, p->shape->queues, result), .p = p };
	f->rings = must(calloc(1, p->rings_bytes + 1));
	check(tma_model_map(f->m, 0, p->rings_base, p->rings_bytes, f->rings));
	for (uint32_t q = 0; q < p->shape->queues; q++) {
		const struct queue_setup *s = &p->queue[q];

		if (!s->used)
			continue;
		model_queue(f->m, q, s, p->rings_base);
		f->queue[q].first_command = s->first_command;
		f->queue[q].first_record = s->first_record;
		check(tma_model_count(f->m, q, s->first_command, s->first_record));
	}
	for (uint32_t i = 0; i < p->num_steps; i++)
		feed_add(f, p->steps[i].queue, &p->steps[i].cmd);
	sm_answers(result, p);
	feed_run(f, result);
	for (uint32_t q = 0; q < p->shape->queues; q++)
		done &= finish_queue(f, q, &result->queue[q]);
	done &= sm_over(p, f->sm);
	model_take(f, result);
	return done;
}

void model_end(struct feed *f)
{
	tma_model_free(f->m);
	feed_free(f);
}

bool run_model(const struct program *p, const struct memory *before, struct result *result)
{
	struct feed f;
	bool done = model_begin(&f, p, before, result);

	model_end(&f);
	return done;
}

void whole_copy(const struct program *p, uint32_t victim, const struct memory *before, struct memory *whole)
{
	const struct step *s = &p->steps[p->victims[victim].step];
	struct queue_setup open = p->queue[s->queue];
	struct program sound = *p;
	struct result result = { 0 };
	struct tma_model *m;

	sound.mapped = p->global_bytes;
	sound.num_errors = 0;
	open.windows[0] =
		(struct window){ 0, UINT64_MAX, TMA_WINDOW_READ | TMA_WINDOW_WRITE | TMA_WINDOW_MULTIMEM };
	open.num_windows = 1;
	m = model_new(&sound, before, p->shape->queues, &result);
	model_queue(m, s->queue, &open, 0);
	check(tma_model_submit(m, s->queue, &s->cmd));
	tma_model_step(m, s->queue);
	model_finish(m, &result);
	*whole = result.memory;
	result.memory = (struct memory){ 0 };
	result_free(&result);
}

void model_errors(struct feed *f, struct result *result, const struct bus_error *e)
{
	for (uint32_t i = 0; i < f->p->shape->ports; i++)
		check(tma_model_unmap_all(f->m, i));
	map(f->m, f->p, result);
	check(tma_model_map(f->m, 0, f->p->rings_base, f->p->rings_bytes, f->rings));
	if (e)
		check(tma_model_map_error(f->m, e->port, e->address, e->bytes, e->read ? e->resp : 0,
		                          e->write ? e->resp : 0));
}

void model_adopt(struct feed *f, struct result *result, const struct memory *memory)
{
	memory_copy(&result->memory, memory);
	for (uint32_t c = 0; c < memory->shape->ctas; c++)
		memcpy(tma_model_smem(f->m, c), memory->smem[c], memory->shape->smem_bytes);
}
