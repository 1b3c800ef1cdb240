/* SPDX-License-Identifier: Apache-2.0 */
/* Memories and records of a run. */
#include "crosscheck/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/must.h"
#include "lib/rng.h"

#define STREAM_GLOBAL 7

const uint32_t counted[COUNTED] = {
	[COUNTED_COMMANDS] = 1,         [COUNTED_SIGNALS] = 7,  [COUNTED_FAULTS] = 8,
	[COUNTED_PREFETCH_ERRORS] = 12, [COUNTED_RECORDS] = 13,
};

void memory_init(struct memory *m, const struct shape *shape)
{
	*m = (struct memory){ .shape = shape };
	for (uint32_t c = 0; c < shape->ctas; c++)
		m->smem[c] = must(calloc(1, shape->smem_bytes));
	for (uint32_t i = 1; i < shape->ports; i++)
		m->port[i] = must(calloc(1, PORT_BYTES));
}

void memory_free(struct memory *m)
{
	for (uint32_t c = 0; c < MAX_CTAS; c++)
		free(m->smem[c]);
	for (uint32_t i = 0; i < MAX_PORTS; i++)
		free(m->port[i]);
	free(m->global);
	*m = (struct memory){ 0 };
}

static void resize_global(struct memory *m, uint32_t bytes)
{
	if (bytes > m->global_bytes || !m->global)
		m->global = must(realloc(m->global, bytes));
	m->global_bytes = bytes;
}

void memory_copy(struct memory *to, const struct memory *from)
{
	for (uint32_t c = 0; c < from->shape->ctas; c++)
		memcpy(to->smem[c], from->smem[c], from->shape->smem_bytes);
	resize_global(to, from->global_bytes);
	memcpy(to->global, from->global, from->global_bytes);
	for (uint32_t i = 1; i < from->shape->ports; i++)
		memcpy(to->port[i], from->port[i], PORT_BYTES);
}

static void randomize(struct rng *rng, uint8_t *bytes, uint32_t count)
{
	for (uint32_t i = 0; i < count; i += sizeof(uint64_t)) {
		uint64_t word = rng_next(rng);

		memcpy(bytes + i, &word, sizeof(word));
	}
}

void memory_global(struct memory *m, const struct program *p)
{
	struct rng rng = rng_make(p->seed ^ p->number, STREAM_GLOBAL);

	resize_global(m, p->global_bytes);
	randomize(&rng, m->global, p->global_bytes);
	for (uint32_t i = 1; i < m->shape->ports; i++)
		randomize(&rng, m->port[i], PORT_BYTES);
	for (uint32_t i = 0; i < p->num_maps; i++)
		memcpy(m->global + p->maps[i].at, p->maps[i].word, MAP_BYTES);
}

void memory_images(struct memory *m, const struct program *p)
{
	for (uint32_t i = 0; i < p->num_images; i++)
		memcpy(m->smem[p->images[i].cta] + p->images[i].offset, &p->images[i].word, BARRIER_BYTES);
}

void memory_pokes(struct memory *m, const struct program *p)
{
	for (uint32_t i = 0; i < p->num_pokes; i++)
		memcpy(m->smem[p->pokes[i].cta] + p->pokes[i].offset, &p->pokes[i].word, BARRIER_BYTES);
}

void result_free(struct result *r)
{
	memory_free(&r->memory);
	for (uint32_t q = 0; q < MAX_QUEUES; q++)
		free(r->queue[q].records);
	for (uint32_t c = 0; c < MAX_CTAS; c++)
		free(r->sm[c]);
	*r = (struct result){ 0 };
}

void result_add_record(struct result *r, const struct tma_record *record)
{
	struct queue_result *q = &r->queue[record->queue];

	q->records = must_grow(q->records, q->num_records, &q->room_records, sizeof(*q->records));
	q->records[q->num_records++] = *record;
}
