/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes by the number of their writers. */
#include "crosscheck/footprint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crosscheck/bus.h"
#include "crosscheck/gen.h"
#include "lib/must.h"

#define SPACES (MAX_CTAS + MAX_PORTS)
#define MANY   255u

/* A stretch of bytes that a copy writes; `from`: where they come from, NULL: nobody says. */
struct stretch {
	int to, from;
	uint64_t dst, src;
	uint32_t bytes;
	uint16_t mask;
};

struct footprint {
	const struct program *p;
	uint8_t *writers[SPACES];
	void (*visit)(struct footprint *f, const struct stretch *s);
	const struct memory *before, *now;
	char *text;
	size_t room;
	bool good;
};

#define INDEX(space) ((space) >= 0 ? (space) : MAX_CTAS + PORT_SPACE(space))
#define UNKNOWN      MAX_CTAS /* a source that is no space */

static uint64_t size_of(const struct program *p, int space)
{
	if (space >= 0)
		return p->shape->smem_bytes;
	return space == GLOBAL ? p->global_bytes : PORT_BYTES;
}

static uint8_t byte_of(const struct memory *m, int space, uint64_t at)
{
	if (space >= 0)
		return m->smem[space][at];
	return space == GLOBAL ? m->global[at] : m->port[PORT_SPACE(space)][at];
}

static void visit_barrier(struct footprint *f, int cta, uint32_t barrier)
{
	struct stretch s = {
		.to = cta, .from = UNKNOWN, .dst = barrier & 0xffffff, .bytes = BARRIER_BYTES, .mask = 0xffff
	};

	f->visit(f, &s);
}

static void visit_targets(struct footprint *f, const struct tma_command *c, int from, uint64_t src)
{
	bool multicast = c->flags & TMA_FLAG_MULTICAST;
	uint32_t targets = multicast ? c->cta_mask : 1u << (c->shared_dst >> 24);
	struct stretch s = {
		.from = from, .dst = c->shared_dst & 0xffffff, .src = src, .bytes = c->size, .mask = 0xffff
	};

	for (s.to = 0; s.to < (int)f->p->shape->ctas; s.to++) {
		if (!(targets >> s.to & 1))
			continue;
		f->visit(f, &s);
		if (c->opcode != TMA_CP_ASYNC)
			visit_barrier(f, s.to, c->barrier);
	}
}

static void visit_stores(struct footprint *f, const struct tma_command *c)
{
	/* Of a sum nobody says what it becomes. */
	int from = bus_updates(c->opcode) ? (int)UNKNOWN : (int)(c->shared_src >> 24);

	for (uint32_t port = 0; port < f->p->shape->ports; port++) {
		uint64_t base = port ? f->p->port_base[port] : f->p->global_base;
		uint32_t done = 0;
		struct bus_part part;

		for (; bus_next(f->p, c, port, &done, &part); done += part.bytes) {
			struct stretch s = { .to = PORT_SPACE(port),
				             .from = from,
				             .dst = part.address - base,
				             .src = (c->shared_src & 0xffffff) + done,
				             .bytes = part.bytes,
				             .mask = c->flags & TMA_FLAG_CP_MASK ? c->byte_mask : 0xffff };

			f->visit(f, &s);
		}
	}
}

static void visit_row(void *arg, uint64_t at, uint64_t bytes)
{
	struct stretch row = { .to = GLOBAL, .from = UNKNOWN, .mask = 0xffff };
	struct footprint *f = arg;
	uint32_t grain = f->p->granule16 ? CHUNK_BYTES : 1;

	row.dst = at / grain * grain;
	row.bytes = (uint32_t)((at + bytes + grain - 1) / grain * grain - row.dst);
	f->visit(f, &row);
}

/* All of the box, or its rows in the tensor: what they become, nobody says. */
static void visit_tensor(struct footprint *f, const struct tma_command *c, const struct tensor_copy *copy)
{
	const struct tensor_span *span = &copy->span;
	struct stretch rows = {
		.from = UNKNOWN, .dst = c->shared_dst & 0xffffff, .bytes = span->shared, .mask = 0xffff
	};
	uint32_t targets = c->flags & TMA_FLAG_MULTICAST ? c->cta_mask : 1u << (c->shared_dst >> 24);

	if (tensor_is_written(c->opcode)) {
		tensor_rows(&copy->map, c, f->p->global_base, visit_row, f);
		return;
	}
	for (rows.to = 0; rows.to < (int)f->p->shape->ctas; rows.to++) {
		uint32_t rank = (uint32_t)rows.to;

		if (!(targets >> rank & 1))
			continue;
		if (c->flags & TMA_FLAG_CTA_GROUP_2)
			rank = (rank & ~1u) | (c->barrier >> 24 & 1);
		f->visit(f, &rows);
		visit_barrier(f, (int)rank, c->barrier);
	}
}

static void visit_step(struct footprint *f, const struct step *step)
{
	const struct tma_command *c = &step->cmd;

	switch (c->opcode) {
	case TMA_BULK_LOAD:
		visit_targets(f, c, GLOBAL, c->global_address - f->p->global_base);
		break;
	case TMA_BULK_SHARED:
		visit_targets(f, c, (int)(c->shared_src >> 24), c->shared_src & 0xffffff);
		break;
	case TMA_BULK_REDUCE_SHARED:
		visit_targets(f, c, UNKNOWN, 0);
		break;
	case TMA_CP_ASYNC:
		/* All of it, or some zeros. */
		visit_targets(f, c, bus_bytes(c) == c->size ? GLOBAL : UNKNOWN,
		              c->global_address - f->p->global_base);
		break;
	case TMA_TENSOR_LOAD:
	case TMA_TENSOR_STORE:
	case TMA_TENSOR_REDUCE:
		if (step->tensor >= 0)
			visit_tensor(f, c, &f->p->tensors[step->tensor]);
		break;
	case TMA_BULK_STORE:
	case TMA_MULTIMEM_BULK_STORE:
	case TMA_BULK_REDUCE:
	case TMA_MULTIMEM_BULK_REDUCE:
		visit_stores(f, c);
		break;
	case TMA_CP_ASYNC_MBARRIER_ARRIVE:
	case TMA_MBARRIER_INIT:
	case TMA_MBARRIER_INVAL:
	case TMA_MBARRIER_EXPECT_TX:
	case TMA_MBARRIER_COMPLETE_TX:
	case TMA_MBARRIER_ARRIVE:
		visit_barrier(f, (int)(c->barrier >> 24), c->barrier);
		break;
	default:
		break;
	}
}

static void count(struct footprint *f, const struct stretch *s)
{
	for (uint32_t i = 0; i < s->bytes; i++) {
		uint8_t *writers = &f->writers[INDEX(s->to)][s->dst + i];

		if (s->mask >> (s->dst + i) % CHUNK_BYTES & 1)
			*writers =
				(uint8_t)(s->from == UNKNOWN ? MANY : *writers + (*writers < MANY ? 1u : 0u));
	}
}

static void report(struct footprint *f, int space, uint64_t at, uint8_t should)
{
	if (f->good)
		snprintf(f->text, f->room, "%s %d offset %#llx is %02x, was %02x and may at most become %02x",
		         space >= 0 ? "CTA" : "port", space >= 0 ? space : PORT_SPACE(space),
		         (unsigned long long)at, byte_of(f->now, space, at), byte_of(f->before, space, at),
		         should);
	f->good = false;
}

static void old_or_new(struct footprint *f, const struct stretch *s)
{
	for (uint32_t i = 0; i < s->bytes && s->from != UNKNOWN; i++) {
		uint8_t is = byte_of(f->now, s->to, s->dst + i), new;

		if (!(s->mask >> (s->dst + i) % CHUNK_BYTES & 1) ||
		    f->writers[INDEX(s->to)][s->dst + i] != 1 || f->writers[INDEX(s->from)][s->src + i])
			continue;
		new = byte_of(f->before, s->from, s->src + i);
		if (is != new &&is != byte_of(f->before, s->to, s->dst + i))
			report(f, s->to, s->dst + i, new);
	}
}

static void untouched(struct footprint *f, int space)
{
	for (uint64_t i = 0; i < size_of(f->p, space); i++)
		if (!f->writers[INDEX(space)][i] && byte_of(f->now, space, i) != byte_of(f->before, space, i))
			report(f, space, i, byte_of(f->before, space, i));
}

static void visit_sm(struct footprint *f, uint32_t cta)
{
	const struct sm *sm = &f->p->sm[cta];

	for (uint32_t i = 0; i < sm->num; i++) {
		struct stretch s = { .to = (int)cta,
			             .from = UNKNOWN,
			             .dst = sm->act[i].chunk[0] * CHUNK_BYTES,
			             .bytes = sm->act[i].chunks * CHUNK_BYTES,
			             .mask = sm->act[i].mask };

		if (sm->act[i].kind == SM_WRITE)
			f->visit(f, &s);
	}
}

static void visit_all(struct footprint *f, void (*visit)(struct footprint *f, const struct stretch *s))
{
	f->visit = visit;
	for (uint32_t i = 0; i < f->p->num_steps; i++)
		if (!step_is_dead(&f->p->steps[i]))
			visit_step(f, &f->p->steps[i]);
	for (uint32_t c = 0; c < f->p->shape->ctas; c++)
		visit_sm(f, c);
}

bool footprint_kept(const struct program *p, const struct memory *before, const struct memory *now,
                    char *text, size_t room)
{
	struct footprint f = {
		.p = p, .before = before, .now = now, .text = text, .room = room, .good = true
	};
	int first = -(int)p->shape->ports, last = (int)p->shape->ctas;

	for (int space = first; space < last; space++) {
		f.writers[INDEX(space)] = must(calloc(1, size_of(p, space)));
	}
	visit_all(&f, count);
	visit_all(&f, old_or_new);
	for (int space = first; space < last; space++) {
		untouched(&f, space);
		free(f.writers[INDEX(space)]);
	}
	return f.good;
}
