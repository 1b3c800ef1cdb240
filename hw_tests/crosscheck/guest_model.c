/* SPDX-License-Identifier: Apache-2.0 */
/* A life of the guest on the C model, and what of it has to be so in the engine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crosscheck/guest.h"
#include "crosscheck/model_setup.h"
#include "crosscheck/run_model.h"
#include "lib/must.h"
#include "tma_tables.h"

static void check(int status)
{
	if (status >= 0)
		return;
	fprintf(stderr, "crosscheck: the model refuses an act on the guest: %d\n", status);
	abort();
}

/*
 * Bytes.
 */

struct guest_bytes guest_bytes_new(const struct program *p)
{
	struct guest_bytes b = { .global = must(malloc(GUEST_PAGES * PAGE_BYTES)) };

	for (uint32_t c = 0; c < p->shape->ctas; c++)
		b.shared[c] = must(malloc(p->guest.shared_bytes));
	return b;
}

void guest_bytes_free(struct guest_bytes *b)
{
	for (uint32_t c = 0; c < MAX_CTAS; c++)
		free(b->shared[c]);
	free(b->global);
}

void guest_bytes_take(const struct program *p, struct guest_bytes *b, const struct memory *m)
{
	for (uint32_t c = 0; c < p->shape->ctas; c++)
		memcpy(b->shared[c], m->smem[c] + p->guest.shared_at, p->guest.shared_bytes);
	memcpy(b->global, m->global + p->guest.global_at, GUEST_PAGES * PAGE_BYTES);
}

void guest_bytes_give(const struct program *p, const struct guest_bytes *b, struct memory *m)
{
	for (uint32_t c = 0; c < p->shape->ctas; c++)
		memcpy(m->smem[c] + p->guest.shared_at, b->shared[c], p->guest.shared_bytes);
	memcpy(m->global + p->guest.global_at, b->global, GUEST_PAGES * PAGE_BYTES);
}

/*
 * The model.
 */

static void keep_state(struct guest_model *m)
{
	struct guest_bytes b = guest_bytes_new(&m->p);

	model_take(&m->feed, &m->result);
	guest_bytes_take(&m->p, &b, &m->result.memory);
	m->states[m->num_states++] = b;
}

/* Errors are the page's alone. */
static void alone(struct program *p, const struct program *all, const struct guest_life *life)
{
	*p = *all;
	for (uint32_t q = 0; q < MAX_QUEUES; q++)
		p->queue[q] = (struct queue_setup){ 0 };
	p->queue[p->guest.queue] = life->setup;
	memset(p->sm, 0, sizeof(p->sm));
	p->num_steps = 0;
	p->num_errors = 1;
	p->errors[0] = guest_error(all);
}

void guest_model_begin(struct guest_model *m, const struct program *p, const struct guest_life *life,
                       const struct memory *before, const struct guest_bytes *now)
{
	struct memory memory = { 0 };

	*m = (struct guest_model){ 0 };
	alone(&m->p, p, life);
	memory_init(&memory, p->shape);
	memory_copy(&memory, before);
	guest_bytes_give(p, now, &memory);
	model_begin(&m->feed, &m->p, &memory, &m->result);
	memory_free(&memory);
	if (life->cut)
		keep_state(m);
	for (uint32_t i = 0; i < life->count; i++) {
		feed_add(&m->feed, p->guest.queue, &life->commands[i]);
		if (!life->cut)
			continue;
		feed_run(&m->feed, &m->result);
		keep_state(m);
	}
	feed_run(&m->feed, &m->result);
}

void guest_model_resume(struct guest_model *m, uint32_t index)
{
	check(tma_model_resume(m->feed.m, m->p.guest.queue, index));
	feed_run(&m->feed, &m->result);
}

void guest_model_cancel(struct guest_model *m)
{
	check(tma_model_cancel(m->feed.m, m->p.guest.queue));
	feed_run(&m->feed, &m->result);
}

struct tma_queue_status guest_model_status(const struct guest_model *m)
{
	struct tma_queue_status status;

	check(tma_model_queue_status(m->feed.m, m->p.guest.queue, &status));
	return status;
}

const struct guest_bytes *guest_model_bytes(struct guest_model *m)
{
	keep_state(m);
	return &m->states[m->num_states - 1];
}

void guest_model_end(struct guest_model *m)
{
	for (uint32_t i = 0; i < m->num_states; i++)
		guest_bytes_free(&m->states[i]);
	model_end(&m->feed);
	result_free(&m->result);
}

/*
 * Comparison.
 */

/* What the model has in some state. A barrier in between may be more than the model says. */
static bool bytes_agree(const struct guest_model *m, bool cut, int cta, const uint8_t *is, uint32_t bytes,
                        char *text, size_t room)
{
	uint32_t first = cta >= 0 && cut ? CHUNK_BYTES : 0;

	for (uint32_t i = first; i < bytes; i++) {
		uint32_t s = 0;

		while (s < m->num_states &&
		       (cta < 0 ? m->states[s].global : m->states[s].shared[cta])[i] != is[i])
			s++;
		if (s < m->num_states)
			continue;
		snprintf(text, room, "%s %d offset +%#x of the guest is %02x, should be %02x%s",
		         cta < 0 ? "global memory" : "CTA", cta < 0 ? 0 : cta, i, is[i],
		         (cta < 0 ? m->states[m->num_states - 1].global
		                  : m->states[m->num_states - 1].shared[cta])[i],
		         cut ? " or what it was before" : "");
		return false;
	}
	return true;
}

bool guest_bytes_agree(const struct guest_model *m, const struct guest_life *life,
                       const struct guest_bytes *is, char *text, size_t room)
{
	for (uint32_t c = 0; c < m->p.shape->ctas; c++)
		if (!bytes_agree(m, life->cut, (int)c, is->shared[c], m->p.guest.shared_bytes, text, room))
			return false;
	return bytes_agree(m, life->cut, GLOBAL, is->global, GUEST_PAGES * PAGE_BYTES, text, room);
}

bool guest_records_agree(const struct guest_model *m, const struct tma_record *records, uint32_t count,
                         bool all, char *text, size_t room)
{
	const struct queue_result *q = &m->result.queue[m->p.guest.queue];

	for (uint32_t i = 0; i < count && i < q->num_records; i++) {
		const struct tma_record *a = &q->records[i], *b = &records[i];

		if (!memcmp(a, b, sizeof(*a)))
			continue;
		snprintf(text, room,
		         "record %u: model {sequence %u %s fault %#x value %#llx address %#llx tag %#x}, run "
		         "{sequence %u %s fault %#x value %#llx address %#llx tag %#x}",
		         i, a->sequence, tma_kind_name(a->kind), a->fault, (unsigned long long)a->value,
		         (unsigned long long)a->address, a->tag, b->sequence, tma_kind_name(b->kind),
		         b->fault, (unsigned long long)b->value, (unsigned long long)b->address, b->tag);
		return false;
	}
	if (count == q->num_records || (!all && count < q->num_records))
		return true;
	snprintf(text, room, "%u records in the model, %u in the run", q->num_records, count);
	return false;
}
