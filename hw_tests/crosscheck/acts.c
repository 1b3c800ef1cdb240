/* SPDX-License-Identifier: Apache-2.0 */
/* Acts: which one comes next, and the model's part. */
#include "crosscheck/acts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crosscheck/model_setup.h"

#define STREAM_ACTS  14
#define MAX_ACTS     8u
#define MAX_CYCLES   400u /* from commands to the reset that drops them */
#define MAX_NOISE    40u
#define NOISE_CHUNKS 64u
#define READ_WRITE   3u
#define IN_ORDER     2u /* of the rig: a queue that stops would hold up all others */
#define MAX_BYTES    256u
#define SHORT_LIMIT  60u
#define SLOT_LAP     40u /* records that fill a small ring */

const char *act_name(enum act_kind kind)
{
	static const char *const names[NUM_ACT_KINDS] = { "go",     "resume",    "refused resume", "reset",
		                                          "cancel", "cancel by", "overrun" };

	return names[kind];
}

static void check(int status)
{
	if (status >= 0)
		return;
	fprintf(stderr, "crosscheck: the model refuses an act: %d\n", status);
	abort();
}

static const struct queue_setup *setup_of(const struct acts *a)
{
	return &a->p->queue[a->queue];
}

static uint8_t any_queue(struct acts *a)
{
	uint8_t queue;

	do
		queue = (uint8_t)rng_below(&a->rng, a->p->shape->queues);
	while (!a->p->queue[queue].used);
	return queue;
}

uint32_t acts_begin(struct acts *a, const struct program *p, struct feed *f)
{
	*a = (struct acts){ .p = p, .f = f, .rng = rng_make(p->seed ^ (uint64_t)p->faults << 63, p->number) };
	rng_next(&a->rng);
	a->rng = rng_make(rng_next(&a->rng), STREAM_ACTS);
	a->queue = p->num_victims ? p->victims[0].queue : any_queue(a);
	if (!p->faults && (p->weather.pick == IN_ORDER || !rng_percent(&a->rng, 35)))
		return 0;
	return 1 + rng_below(&a->rng, MAX_ACTS);
}

/*
 * Commands. Each waits for what the one before it has begun.
 */

static void add(struct acts *a, struct act *act, struct tma_command cmd)
{
	cmd.version = TMA_COMMAND_VERSION;
	cmd.tag = (uint32_t)rng_next(&a->rng);
	act->commands[act->num_commands++] = cmd;
}

/* Mapped bytes that the queue may read and write. False: none were found. */
static bool any_global(struct acts *a, uint32_t bytes, uint64_t *address)
{
	const struct queue_setup *s = setup_of(a);

	for (uint32_t i = 0; i < 20; i++) {
		const struct window *w = &s->windows[rng_below(&a->rng, s->num_windows)];
		uint64_t at = w->base + rng_below(&a->rng, (uint32_t)(w->limit - w->base) / 16) * 16;

		if ((w->attr & READ_WRITE) != READ_WRITE || w->limit - at < bytes - 1 ||
		    at - a->p->global_base >= a->p->mapped || at - a->p->global_base > a->p->mapped - bytes)
			continue;
		*address = at;
		return true;
	}
	return false;
}

static uint32_t any_shared(struct acts *a, uint32_t cta, uint32_t bytes)
{
	return cta << 24 | (a->p->arena_at + rng_below(&a->rng, (a->p->arena_bytes - bytes) / 16) * 16);
}

static uint32_t any_barrier(struct acts *a, bool local)
{
	const struct image *im;

	do
		im = &a->p->images[rng_below(&a->rng, a->p->num_images)];
	while (local && im->cta != setup_of(a)->cta);
	return (uint32_t)im->cta << 24 | im->offset;
}

static void add_store(struct acts *a, struct act *act)
{
	uint32_t bytes = 16 * (1 + rng_below(&a->rng, MAX_BYTES / 16));
	struct tma_command cmd = { .opcode = TMA_BULK_STORE,
		                   .size = bytes,
		                   .shared_src = any_shared(a, setup_of(a)->cta, bytes) };

	if (!any_global(a, bytes, &cmd.global_address))
		return;
	add(a, act, cmd);
	add(a, act, (struct tma_command){ .opcode = TMA_BULK_COMMIT_GROUP });
	add(a, act, (struct tma_command){ .opcode = TMA_BULK_WAIT_GROUP, .flags = TMA_FLAG_RECORD });
}

/* False: with an arrive, for which nobody waits. */
static bool add_copy(struct acts *a, struct act *act)
{
	struct tma_command cmd = { .opcode = TMA_CP_ASYNC,
		                   .size = 16,
		                   .shared_dst = any_shared(a, setup_of(a)->cta, 16) };
	uint32_t barrier;

	if (!any_global(a, 16, &cmd.global_address))
		return true;
	add(a, act, cmd);
	/* Nothing orders the copy's bytes before the arrive looks at its barrier. */
	barrier = any_barrier(a, true);
	if (rng_percent(&a->rng, 30) && barrier - cmd.shared_dst >= cmd.size) {
		add(a, act,
		    (struct tma_command){ .opcode = TMA_CP_ASYNC_MBARRIER_ARRIVE,
		                          .flags = TMA_FLAG_NOINC,
		                          .barrier = barrier });
		return false;
	}
	add(a, act, (struct tma_command){ .opcode = TMA_CP_ASYNC_WAIT_ALL, .flags = TMA_FLAG_RECORD });
	return true;
}

static void add_load(struct acts *a, struct act *act)
{
	uint32_t bytes = 16 * (1 + rng_below(&a->rng, MAX_BYTES / 16)), barrier = any_barrier(a, false);
	struct tma_command cmd = { .opcode = TMA_BULK_LOAD,
		                   .flags = TMA_FLAG_RECORD,
		                   .size = bytes,
		                   .shared_dst = any_shared(a, barrier >> 24, bytes),
		                   .barrier = barrier };

	if (any_global(a, bytes, &cmd.global_address))
		add(a, act, cmd);
}

static void add_wait(struct acts *a, struct act *act)
{
	add(a, act,
	    (struct tma_command){ .opcode = TMA_MBARRIER_TRY_WAIT,
	                          .flags = TMA_FLAG_PARITY,
	                          .count = rng_below(&a->rng, 2),
	                          .barrier = any_barrier(a, true),
	                          .tx = rng_percent(&a->rng, 50) ? FOREVER
	                                                         : rng_below(&a->rng, SHORT_LIMIT) });
}

/* False: nothing may follow it, since nobody knows when it is done. */
static bool add_one(struct acts *a, struct act *act)
{
	switch (rng_below(&a->rng, 10)) {
	case 0:
	case 1:
		add_store(a, act);
		return true;
	case 2:
		return add_copy(a, act);
	case 3:
		add(a, act,
		    (struct tma_command){
			    .opcode = TMA_MBARRIER_ARRIVE, .count = 1, .barrier = any_barrier(a, false) });
		return true;
	case 4:
		add_wait(a, act);
		return true;
	case 5:
		add(a, act,
		    (struct tma_command){ .opcode = TMA_MBARRIER_INIT,
		                          .count = 1 + rng_below(&a->rng, 3),
		                          .barrier = any_barrier(a, true) });
		return true;
	case 6:
		add(a, act, (struct tma_command){ .opcode = TMA_SIGNAL });
		act->commands[act->num_commands - 1].version++;
		return true;
	case 7:
		add_load(a, act);
		return false;
	default:
		add(a, act, (struct tma_command){ .opcode = TMA_SIGNAL, .flags = TMA_FLAG_RECORD });
		return true;
	}
}

static void add_commands(struct acts *a, struct act *act)
{
	uint32_t count = 1 + rng_below(&a->rng, 6);
	bool more = true;

	if (rng_percent(&a->rng, 15))
		for (uint32_t i = 0; i < SLOT_LAP; i++)
			add(a, act, (struct tma_command){ .opcode = TMA_SIGNAL, .flags = TMA_FLAG_RECORD });
	while (count-- && more)
		more = add_one(a, act);
}

/*
 * Choice.
 */

/* The next command cannot be fetched, or the next record not be written. */
static void spoil(struct acts *a, struct act *act)
{
	const struct queue_setup *s = setup_of(a);
	struct feed_queue *q = &a->f->queue[a->queue];
	uint32_t slot = (q->first_command + q->count) & ((1u << s->ring_log2) - 1);

	act->spoilt = true;
	act->error.resp = rng_percent(&a->rng, 50) ? 2 : 3;
	if (rng_percent(&a->rng, 60)) {
		act->error.read = true;
		act->error.address =
			a->p->rings_base + s->ring_at + slot * SLOT_BYTES + rng_below(&a->rng, SLOT_BYTES);
		act->error.bytes = 1;
		add_commands(a, act);
		return;
	}
	act->error.write = true;
	act->error.address = a->p->rings_base + s->records_at;
	act->error.bytes = RECORD_BYTES << s->records_log2;
	act->lost = true;
	add(a, act, (struct tma_command){ .opcode = TMA_SIGNAL, .flags = TMA_FLAG_RECORD });
}

static void choose_go(struct acts *a, const struct act_view *view, struct act *act)
{
	const struct queue_setup *s = setup_of(a);

	act->kind = ACT_GO;
	if (rng_percent(&a->rng, 10)) {
		act->kind = ACT_BAD_RESUME;
		act->value = view->head;
	} else if (s->ring && rng_percent(&a->rng, 15)) {
		act->kind = ACT_OVERRUN;
		act->value = view->head + (1u << s->ring_log2) + 1 + rng_below(&a->rng, 1u << 30);
	} else if (rng_percent(&a->rng, 10)) {
		act->kind = ACT_RESET;
		add_commands(a, act);
	} else if (s->ring && rng_percent(&a->rng, 30)) {
		spoil(a, act);
	} else {
		add_commands(a, act);
	}
}

static void choose_resume(struct acts *a, const struct act_view *view, uint32_t model_tail, struct act *act)
{
	uint32_t tail = view->tail - view->head < model_tail - view->head ? view->tail : model_tail;

	act->kind = ACT_RESUME;
	act->value = view->head;
	/* Mostly just behind the command that has stopped the queue. */
	if (tail != view->head)
		act->value += rng_percent(&a->rng, 60) ? 1 : rng_below(&a->rng, tail - view->head + 1);
	act->mend = setup_of(a)->ring && act->value != tail && rng_percent(&a->rng, 60);
	act->repair = (struct tma_command){ .opcode = TMA_SIGNAL,
		                            .version = TMA_COMMAND_VERSION,
		                            .flags = TMA_FLAG_RECORD,
		                            .tag = (uint32_t)rng_next(&a->rng) };
	/* What is left would not be waited for. */
	if (act->value == a->f->queue[a->queue].count && rng_percent(&a->rng, 50))
		add_commands(a, act);
}

static void choose_cancel(struct acts *a, struct act *act)
{
	uint8_t by = any_queue(a);
	struct tma_queue_status status = feed_status(a->f, by);

	act->kind = ACT_CANCEL;
	if (by == a->queue || !(a->p->queue[by].cancel_mask >> a->queue & 1) || status.faulted ||
	    status.waiting || status.queued || a->f->queue[by].count != a->f->queue[by].given)
		return;
	act->kind = ACT_CANCEL_BY;
	act->by = by;
	add(a, act,
	    (struct tma_command){ .opcode = TMA_CANCEL, .count = a->queue, .flags = TMA_FLAG_RECORD });
}

/* Prefetches and records that nobody waits for any more when the queue is reset. */
static void doom(struct acts *a, struct act *act)
{
	act->doomed[0] = (struct tma_command){ .opcode = TMA_SIGNAL,
		                               .version = TMA_COMMAND_VERSION,
		                               .flags = TMA_FLAG_RECORD };
	act->doomed[1] = (struct tma_command){ .opcode = TMA_BULK_PREFETCH,
		                               .version = TMA_COMMAND_VERSION,
		                               .size = 16 * (1 + rng_below(&a->rng, NOISE_CHUNKS)) };
	act->cycles = rng_below(&a->rng, MAX_CYCLES);
	if (rng_percent(&a->rng, 70) && any_global(a, act->doomed[1].size, &act->doomed[1].global_address))
		act->num_doomed = 1 + rng_below(&a->rng, MAX_NOISE);
}

/* A queue that has nothing to do and nothing against it. */
static void make_noise(struct acts *a, struct act *act)
{
	uint8_t queue = any_queue(a), mine = a->queue;
	struct tma_queue_status status = feed_status(a->f, queue);

	if (queue == mine || (act->kind == ACT_CANCEL_BY && queue == act->by) || status.faulted ||
	    status.waiting || rng_percent(&a->rng, 40))
		return;
	act->noisy = queue;
	act->noise = (struct tma_command){ .opcode = TMA_BULK_PREFETCH,
		                           .version = TMA_COMMAND_VERSION,
		                           .size = 16 * (1 + rng_below(&a->rng, NOISE_CHUNKS)) };
	a->queue = queue;
	if (any_global(a, act->noise.size, &act->noise.global_address))
		act->num_noise = 1 + rng_below(&a->rng, MAX_NOISE);
	a->queue = mine;
}

uint8_t acts_queue(struct acts *a)
{
	struct tma_queue_status status = feed_status(a->f, a->queue);

	/* A queue that waits must not be left alone: nothing would be at rest. */
	if (!a->must_reset && !status.waiting && rng_percent(&a->rng, 25))
		a->queue = any_queue(a);
	return a->queue;
}

void acts_choose(struct acts *a, const struct act_view *view, struct act *act)
{
	struct tma_queue_status status = feed_status(a->f, a->queue);

	*act = (struct act){ .queue = a->queue };
	if (a->must_reset || (status.faulted && rng_percent(&a->rng, 25))) {
		act->kind = ACT_RESET;
		add_commands(a, act);
	} else if (status.faulted && rng_percent(&a->rng, 10)) {
		act->kind = ACT_BAD_RESUME;
		act->value = (view->tail - status.tail < 1u << 31 ? view->tail : status.tail) + 1 +
		             rng_below(&a->rng, 1u << 20);
	} else if (status.faulted) {
		choose_resume(a, view, status.tail, act);
	} else if (status.waiting) {
		choose_cancel(a, act);
	} else {
		choose_go(a, view, act);
	}
	a->must_reset = act->lost;
	make_noise(a, act);
	if (act->kind == ACT_RESET && !act->lost)
		doom(a, act);
}

/*
 * The model.
 */

static void resume(struct feed *f, const struct act *act)
{
	if (act->mend)
		memcpy(feed_slot(f, act->queue, act->value), &act->repair, SLOT_BYTES);
	check(tma_model_resume(f->m, act->queue, f->queue[act->queue].first_command + act->value));
}

static void apply(struct feed *f, const struct act *act)
{
	uint32_t from = f->queue[act->queue].first_command;

	switch (act->kind) {
	case ACT_RESUME:
		resume(f, act);
		break;
	case ACT_BAD_RESUME:
		if (!tma_model_resume(f->m, act->queue, from + act->value))
			abort();
		break;
	case ACT_RESET:
		feed_reset(f, act->queue);
		break;
	case ACT_CANCEL:
		check(tma_model_cancel(f->m, act->queue));
		break;
	case ACT_OVERRUN:
		check(tma_model_doorbell(f->m, act->queue, from + act->value));
		break;
	default:
		break;
	}
}

void acts_model(struct acts *a, const struct act *act, struct result *result, struct act_outcome *outcome)
{
	uint8_t to = act->kind == ACT_CANCEL_BY ? act->by : act->queue;
	struct tma_queue_status status;

	model_errors(a->f, result, act->spoilt ? &act->error : NULL);
	for (uint32_t i = 0; i < act->num_noise; i++)
		feed_add(a->f, act->noisy, &act->noise);
	apply(a->f, act);
	for (uint32_t i = 0; i < act->num_commands; i++)
		feed_add(a->f, to, &act->commands[i]);
	feed_run(a->f, result);
	status = feed_status(a->f, act->queue);
	outcome->blocked = status.waiting;
	outcome->state = (struct queue_result){ .head = status.next_sequence,
		                                .fault = status.fault,
		                                .fault_count = status.fault_count,
		                                .fault_sequence = status.fault_sequence,
		                                .fault_tag = status.fault_tag,
		                                .fault_address = status.fault_address };
}
