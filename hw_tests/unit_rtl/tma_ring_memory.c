/* SPDX-License-Identifier: Apache-2.0 */
/* The memory that holds the rings: what is in a slot, and which part of it a beat brings. */
#include <string.h>

#include "unit_rtl/tma_ring_env.h"

bool bench_live(const struct bench *b, uint32_t q)
{
	return b->in->cfg[q].enable && b->in->cfg[q].ring;
}

uint32_t bench_size(const struct bench *b, uint32_t q)
{
	return 1u << b->in->ring_cfg[q].slots;
}

uint64_t bench_slot_addr(const struct bench *b, uint32_t q, uint32_t seq)
{
	return (b->in->ring_cfg[q].base << 12) + (uint64_t)SLOT * (seq & (bench_size(b, q) - 1));
}

void bench_slot_bytes(const struct bench *b, uint32_t q, uint32_t index, uint8_t *bytes)
{
	struct rng r = rng_make(((uint64_t)q << 32) + index, b->queue[q].version[index]);
	uint64_t word;

	for (uint32_t i = 0; i < SLOT; i += sizeof(word)) {
		word = rng_next(&r);
		memcpy(bytes + i, &word, sizeof(word));
	}
}

static const struct ring_plan *planned(const struct bench *b, uint32_t q, uint32_t seq, uint32_t part)
{
	for (uint32_t i = 0; i < b->plans; i++)
		if (b->plan[i].queue == q && b->plan[i].seq == seq && b->plan[i].part == part)
			return &b->plan[i];
	return NULL;
}

uint32_t bench_beat_seq(const struct bench *b, const struct ring_read *f)
{
	uint32_t bytes = b->shape->data_bytes;

	return f->seq - (uint32_t)(f->addr % (bytes > SLOT ? bytes : SLOT)) / SLOT + f->beat * bytes / SLOT;
}

uint32_t bench_beat_part(const struct bench *b, const struct ring_read *f)
{
	return f->beat % b->parts;
}

bool bench_asked_for(const struct ring_read *f, uint32_t seq)
{
	return seq - f->seq < f->num;
}

static bool last_beat(const struct bench *b, const struct ring_read *f)
{
	uint32_t bytes = b->shape->data_bytes;

	return (f->beat + 1) * bytes >= (uint32_t)(f->addr % bytes) + f->num * SLOT;
}

/* The data of a beat as memory has it now: past TAIL there is anything. */
static void put_data(struct bench *b, const struct ring_read *f)
{
	struct ring_queue *q = &b->queue[f->queue];
	uint32_t seq = bench_beat_seq(b, f), bytes = b->shape->data_bytes, i, chunk;
	uint8_t slot[SLOT];

	for (i = 0; i < bytes; i++)
		b->in->r.data[i] = (uint8_t)rng_next(&b->rng);
	if (f->generation != q->generation || !bench_live(b, f->queue))
		return;
	chunk = bytes < SLOT ? bytes : SLOT;
	for (i = 0; i < bytes; i += SLOT, seq++) {
		if (seq - q->head >= q->tail - q->head)
			continue;
		bench_slot_bytes(b, f->queue, seq & (bench_size(b, f->queue) - 1), slot);
		memcpy(b->in->r.data + i, slot + bench_beat_part(b, f) * chunk, chunk);
	}
}

void bench_put_beat(struct bench *b)
{
	const struct ring_read *f = &b->fetch[0];
	const struct ring_plan *p;

	b->in->r_valid = b->fetches && b->cycle >= f->ready_at && rng_percent(&b->rng, b->beat_percent);
	if (!b->in->r_valid)
		return;
	put_data(b, f);
	b->in->r.last = last_beat(b, f);
	b->in->r.resp = rng_percent(&b->rng, 10); /* EXOKAY is no error */
	b->in->r.dead = 0;
	if (rng_percent(&b->rng, b->error_percent))
		b->in->r.resp = (uint8_t)(2 + rng_below(&b->rng, 2));
	p = planned(b, f->queue, bench_beat_seq(b, f), bench_beat_part(b, f));
	if (p && f->generation == b->queue[f->queue].generation)
		b->in->r.resp = p->resp;
	if (rng_percent(&b->rng, b->dead_percent) || (p && p->dead))
		b->in->r.dead = b->in->r.last = 1;
}
