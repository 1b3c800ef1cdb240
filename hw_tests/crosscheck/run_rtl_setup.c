/* SPDX-License-Identifier: Apache-2.0 */
/* The engine before a program: memories, windows, queues. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "crosscheck/run_rtl_priv.h"
#include "lib/must.h"
#include "lib/rig_tune.h"
#include "lib/rng.h"
#include "tma_regs.h"

#define STREAM_RINGS 12
#define CLOSE_EVERY  50 /* cycles between two looks at what is in flight */
#define CLOSE_LOOKS  2000
#define READY_WAIT   10
#define FILL_WAIT    32

/* Of all tensor copies: each may be a burst. */
static uint64_t rows(const struct program *p)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < p->num_tensors; i++)
		sum += p->tensors[i].span.rows;
	return sum;
}

/* Of all SMs. */
static uint64_t acts(const struct program *p)
{
	uint64_t sum = 0;

	for (uint32_t c = 0; c < MAX_CTAS; c++)
		sum += p->sm[c].num;
	return sum;
}

uint64_t engine_limit(const struct program *p)
{
	/* A reduction may wait for itself, row by row. */
	uint64_t row = p->reduce ? UINT64_C(1500) : UINT64_C(200);

	return (UINT64_C(20000) + (p->num_steps + acts(p)) * UINT64_C(1500) + rows(p) * row) *
	       (p->weather.slow ? 5 : 1);
}

const struct memory *engine_prepare(struct engine *e, const struct program *p)
{
	memory_global(&e->memory, p);
	memory_images(&e->memory, p);
	return &e->memory;
}

/* What must never be taken for a command: random, so that it faults if it is. */
static void map_rings(struct engine *e, const struct program *p)
{
	struct rng rng = rng_make(p->seed ^ p->number, STREAM_RINGS);

	free(e->rings);
	e->rings = must(malloc(p->rings_bytes));
	for (uint32_t i = 0; i < p->rings_bytes; i++)
		e->rings[i] = (uint8_t)rng_next(&rng);
	rig_map(e->rig, 0, p->rings_base, p->rings_bytes, e->rings);
}

/* A record that is torn would be one for the rig, as for all software. */
static bool torn(const struct program *p, const struct bus_error *b)
{
	return p->weather.torn && (b->port || b->address - p->rings_base >= p->rings_bytes);
}

static void map(struct engine *e, const struct program *p)
{
	uint64_t to_end = -p->global_base;
	uint64_t first = p->global_base && to_end < p->mapped ? to_end : p->mapped;

	free(e->global);
	e->global = must(malloc(p->global_bytes));
	memcpy(e->global, e->memory.global, p->global_bytes);
	rig_map(e->rig, 0, p->global_base, first, e->global);
	if (first < p->mapped)
		rig_map(e->rig, 0, 0, p->mapped - first, e->global + first);
	for (uint32_t i = 1; i < e->shape->ports; i++) {
		memcpy(e->port[i], e->memory.port[i], PORT_BYTES);
		rig_map(e->rig, i, p->port_base[i], PORT_BYTES, e->port[i]);
	}
	map_rings(e, p);
	for (uint32_t i = 0; i < p->num_errors; i++) {
		const struct bus_error *b = &p->errors[i];

		rig_map_error(e->rig, b->port,
		              (b->read ? RIG_READ : 0) | (b->write ? RIG_WRITE : 0) |
		                      (torn(p, b) ? RIG_TORN : 0),
		              b->address, b->bytes, b->resp);
	}
}

/* All windows, those that the program does not use closed. No queue is enabled. */
static void set_up_multimem(struct engine *e, const struct program *p)
{
	for (uint32_t i = 0; i < e->shape->multimem; i++) {
		const struct multimem *m = &p->multimem[i];
		struct rig_multimem window = { m->base, m->base + m->bytes - 1, m->ports, { 0 } };

		for (uint32_t port = 0; port < e->shape->ports; port++)
			window.port_base[port] = m->port_base[port];
		if (i >= p->num_multimem)
			window = (struct rig_multimem){ 0 };
		rig_multimem(e->rig, i, &window);
	}
}

int engine_set_up_queue(struct rig *rig, const struct program *p, uint32_t queue, const struct queue_setup *s)
{
	struct rig_window windows[MAX_WINDOWS];
	struct rig_queue setup = { .cta = s->cta,
		                   .cta_mask = s->cta_mask,
		                   .stream = s->stream,
		                   .prot = s->prot,
		                   .windows = windows,
		                   .num_windows = s->num_windows,
		                   .cancel_mask = s->cancel_mask,
		                   .interrupt = s->interrupt,
		                   .first_command = s->first_command,
		                   .first_record = s->first_record,
		                   .front = s->ring ? RIG_RING : RIG_DIRECT,
		                   .ring_log2 = s->ring_log2,
		                   .completion_log2 = s->records_log2,
		                   .bell = (enum rig_bell)s->bell,
		                   .consumer = (enum rig_consumer)s->consumer,
		                   .own_rings = true,
		                   .ring_base = p->rings_base + s->ring_at,
		                   .completion_base = p->rings_base + s->records_at };

	for (uint32_t w = 0; w < s->num_windows; w++)
		windows[w] =
			(struct rig_window){ s->windows[w].base, s->windows[w].limit, s->windows[w].attr };
	return rig_queue_setup(rig, queue, &setup);
}

/* The program before may have had others where those of this one are. */
static bool fence_maps(struct engine *e, const struct program *p)
{
	const struct rig_window all = { 0, UINT64_MAX, RIG_READ };

	if (!p->num_maps)
		return true;
	rig_queue_setup(e->rig, 0, &(struct rig_queue){ .windows = &all, .num_windows = 1 });
	for (uint32_t i = 0; i < p->num_maps; i++)
		rig_submit(e->rig, 0,
		           &(struct tma_command){ .opcode = TMA_MAP_FENCE,
		                                  .version = TMA_COMMAND_VERSION,
		                                  .global_address = p->global_base + p->maps[i].at });
	return !rig_wait_idle(e->rig, engine_limit(p)) && !rig_queue_disable(e->rig, 0);
}

void engine_count(struct engine *e, uint64_t counters[COUNTED])
{
	for (uint32_t i = 0; i < COUNTED; i++)
		counters[i] = rig_counter(e->rig, counted[i]);
}

static bool is_closing(const struct engine *e)
{
	for (uint32_t q = 0; q < e->shape->queues; q++)
		if (rig_csr(e->rig, TMA_REG_QUEUE_STATUS(q)) & TMA_REG_QUEUE_STATUS_CLOSING_MASK)
			return true;
	return false;
}

bool engine_set_up(struct engine *e, const struct program *p)
{
	const struct weather *w = &p->weather;
	struct rig_opts opts = {
		.size = sizeof(opts),
		.seed = p->seed ^ p->number,
		.latency = w->latency,
		.random_latency = w->random_latency,
		.stall_percent = w->stall,
		.command_percent = w->commands,
		.record_percent = w->records,
		.ext_busy_every = w->ext_busy,
		.reads_in_order = w->in_order,
		/* Without fill: one access of an external port, which has waited its 8. Fill and ends of
		 * loads take 16 cycles, and the beat may be two writes. */
		.ready_wait = p->tensor ? FILL_WAIT : READY_WAIT,
		.pick = (enum rig_pick)w->pick
	};

	int err = -EBUSY;

	memcpy(opts.manners, w->manners, sizeof(w->manners));
	/* The rings of the program before must not be looked at where those of this one are. */
	for (uint32_t q = 0; q < e->shape->queues; q++)
		rig_queue_disable(e->rig, q);
	/* What they have in flight comes to its end: also addresses of prefetches that the memory has not taken. */
	for (uint32_t i = 0; i < CLOSE_LOOKS; i++) {
		err = is_closing(e) ? -EBUSY : rig_tune(e->rig, &opts);
		if (err != -EBUSY)
			break;
		rig_run(e->rig, CLOSE_EVERY);
	}
	if (err)
		return false;
	if (w->reset)
		rig_reset(e->rig);
	map(e, p);
	set_up_multimem(e, p);
	rig_csr_write(e->rig, TMA_REG_BEHAVIOUR, program_behaviour(p));
	if (!fence_maps(e, p))
		return false;
	for (uint32_t q = 0; q < e->shape->queues; q++)
		if (p->queue[q].used)
			engine_set_up_queue(e->rig, p, q, &p->queue[q]);
	for (uint32_t i = 0; i < p->num_images; i++)
		rig_smem_post_write(e->rig, p->images[i].cta, p->images[i].offset, &p->images[i].word,
		                    BARRIER_BYTES);
	engine_count(e, e->counters);
	return !rig_smem_flush(e->rig);
}
