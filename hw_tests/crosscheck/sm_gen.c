/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the SMs do, and how they come to know something.
 *
 *	SM     learns from a barrier of its CTA, which it polls, or from a record of a queue
 *	queue  learns from an SM: its next command is submitted when the SM has got so far
 */
#include <string.h>

#include "crosscheck/gen.h"

#define MAX_ACTS        400 /* of one SM */
#define LOOK_BACK       24u /* accesses */
#define LOOK_TRIES      16
#define POLL_TRIES      12 /* of those */
#define POLL_PERCENT    80
#define AT_ONCE_PERCENT 70
#define AHEAD_PERCENT   50
#define PAUSE           40u
#define LONG_PAUSE      600u

static struct sm *sm_of(struct gen *g, uint8_t actor)
{
	return &g->p->sm[actor - MAX_QUEUES];
}

/* Append an act; what it makes known is in its know. */
static struct sm_act *emit(struct gen *g, uint8_t actor, const struct sm_act *act)
{
	struct sm *sm = sm_of(g, actor);
	struct know *know = &g->queue[actor];
	struct sm_act *a;

	sm->act = must_grow(sm->act, sm->num, &sm->room, sizeof(*sm->act));
	a = &sm->act[sm->num++];
	*a = *act;
	a->txn = g->txn;
	memcpy(a->gate, g->gate[actor], sizeof(a->gate));
	if (!rng_percent(&g->rng, AT_ONCE_PERCENT))
		a->pause = rng_below(&g->rng, rng_percent(&g->rng, 90) ? PAUSE : LONG_PAUSE);
	know->retired[actor] = sm->num;
	know_join(know, &a->know);
	a->know = *know;
	return a;
}

/*
 * Knowledge.
 */

/* The actor goes on when the SM has done so many acts, and knows what the SM knew then. */
bool sm_gate(struct gen *g, uint8_t actor, uint8_t cta, uint32_t acts)
{
	if (g->dead[actor])
		return false;
	if (g->gate[actor][cta] < acts)
		g->gate[actor][cta] = acts;
	know_join(&g->queue[actor], &g->p->sm[cta].act[acts - 1].know);
	return true;
}

/* A queue hears of the event from an SM that knows of it. */
bool sm_tells(struct gen *g, uint8_t queue, int event)
{
	uint32_t start = rng_below(&g->rng, g->shape->ctas);

	for (uint32_t i = 0; i < g->shape->ctas; i++) {
		uint8_t c = (uint8_t)((start + i) % g->shape->ctas);

		if (know_event(&g->queue[SM_ACTOR(c)], event))
			return sm_gate(g, queue, c, g->p->sm[c].num);
	}
	return false;
}

/* The SM waits for the record of the queue's newest command, which need not know all that the queue does: a gate tells
 * the next one. */
static bool record(struct gen *g, uint8_t actor, uint8_t queue)
{
	struct program *p = g->p;
	struct sm_act act = { .kind = SM_RECORD, .queue = queue };
	uint32_t i = p->num_steps;

	if (g->dead[queue])
		return false;
	while (i && p->steps[i - 1].queue != queue)
		i--;
	if (!i--)
		return false;
	p->steps[i].cmd.flags |= TMA_FLAG_RECORD;
	act.index = p->steps[i].index;
	act.know = p->steps[i].know;
	act.know.retired[queue] = act.index + 1;
	emit(g, actor, &act);
	return true;
}

bool sm_known_retired(struct gen *g, uint8_t actor, uint8_t queue, uint32_t retired)
{
	uint8_t list[MAX_QUEUES];
	uint32_t count = gen_live_queues(g, list);

	if (rng_percent(&g->rng, POLL_PERCENT) && record(g, actor, queue))
		return true;
	for (uint32_t i = 0; i < count; i++)
		if (g->queue[list[i]].retired[queue] >= retired && record(g, actor, list[i]) &&
		    g->queue[actor].retired[queue] >= retired)
			return true;
	return record(g, actor, queue);
}

/* As bar_wait(), for an SM of the barrier's CTA. */
static bool poll(struct gen *g, uint8_t actor, int event)
{
	const struct event *e = &g->event[event];
	struct bar *b = &g->bar[e->cta][e->slot];
	struct sm_act act = { .kind = SM_POLL, .offset = b->offset };

	if (SM_ACTOR(e->cta) != actor || !b->live || b->before != event || !b->left || b->event < 0 ||
	    gen_later(g, actor, b->born_queue, b->born) ||
	    (b->earlier >= 0 && !know_event(&g->queue[actor], b->earlier)))
		return false;
	act.phase = b->phase % 2;
	act.known = know_event(&g->queue[actor], event);
	act.know = g->event_know[event];
	emit(g, actor, &act);
	b->used[actor] = g->queue[actor].retired[actor];
	bar_must(g, actor, b);
	return true;
}

/* The same, with what it needs to know before. */
static bool poll_ready(struct gen *g, uint8_t actor, int event)
{
	const struct event *e = &g->event[event];
	struct bar *b = &g->bar[e->cta][e->slot];

	if (SM_ACTOR(e->cta) != actor || b->before != event ||
	    !known_retired(g, actor, b->born_queue, b->born) ||
	    (b->earlier >= 0 && !known_event(g, actor, b->earlier)))
		return false;
	return know_event(&g->queue[actor], event) || poll(g, actor, event);
}

bool sm_known_event(struct gen *g, uint8_t actor, int event)
{
	const struct event *e = &g->event[event];
	uint8_t list[MAX_QUEUES];
	uint32_t count = gen_live_queues(g, list);
	bool phase = e->kind == EVENT_PHASE;

	if (know_event(&g->queue[actor], event) ||
	    (phase && rng_percent(&g->rng, POLL_PERCENT) && poll_ready(g, actor, event)))
		return true;
	for (uint32_t i = 0; i < 2 * count; i++) {
		uint8_t queue = list[i % count];

		if (!(i < count ? know_event(&g->queue[queue], event) : known_observe(g, queue, event)) ||
		    !record(g, actor, queue) || !know_event(&g->queue[actor], event))
			continue;
		/* The barrier has to show what the record says. */
		if (phase)
			poll(g, actor, event);
		return true;
	}
	return phase && poll_ready(g, actor, event);
}

/*
 * Acts.
 */

static void add_access(struct gen *g, struct access a, uint8_t actor)
{
	a.sm = (uint8_t)(actor - MAX_QUEUES + 1);
	a.at_once = true;
	a.step = sm_of(g, actor)->num - 1;
	known_add_access(g, &a);
}

/* The last chunk first, then any. */
static void read_some(struct gen *g, uint8_t actor, uint64_t first, uint64_t last, uint16_t mask)
{
	struct sm *sm = sm_of(g, actor);
	struct sm_act act = { .kind = SM_READ, .mask = mask, .chunk = { (uint32_t)last } }, *a, *before;
	uint32_t some = rng_below(&g->rng, MAX_LOOKS);

	for (act.chunks = 1; act.chunks <= some; act.chunks++)
		act.chunk[act.chunks] = (uint32_t)first + rng_below(&g->rng, (uint32_t)(last - first) + 1);
	act.at = sm->bytes;
	sm->bytes += act.chunks * CHUNK_BYTES;
	a = emit(g, actor, &act);
	before = a - 1;
	if (sm->num < 2 || before->kind != SM_POLL || before->txn != a->txn)
		return;
	a->pause = 0;
	before->ahead =
		!memcmp(before->gate, a->gate, sizeof(a->gate)) && rng_percent(&g->rng, AHEAD_PERCENT);
}

/* The end of a copy, or -1: in shared memory its write. */
static int end_of(const struct gen *g, const struct access *a)
{
	const struct step *s = &g->p->steps[a->step];

	if (a->space < 0 || !a->write || a->at_once || a->sm)
		return -1;
	return s->writes_done >= 0 ? s->writes_done : s->phase[a->space];
}

/* The SM can poll for the event, or can when the phase is brought to its end. */
static bool can_poll(const struct gen *g, uint8_t actor, int event)
{
	const struct event *e = &g->event[event];
	const struct bar *b = &g->bar[e->cta][e->slot];

	return e->kind == EVENT_PHASE && SM_ACTOR(e->cta) == actor &&
	       (b->before == event || b->event == event);
}

static bool look(struct gen *g)
{
	for (uint32_t i = 0; i < LOOK_TRIES && g->num_access; i++) {
		uint32_t back = g->num_access < LOOK_BACK ? g->num_access : LOOK_BACK;
		struct access a = g->access[g->num_access - 1 - rng_below(&g->rng, back)];
		int event = end_of(g, &a);
		uint8_t actor;

		if (event < 0)
			continue;
		actor = (uint8_t)SM_ACTOR(a.space);
		a.write = false;
		a.update = 0;
		if (know_event(&g->queue[actor], event) || sm_of(g, actor)->num > MAX_ACTS ||
		    (i < POLL_TRIES && !can_poll(g, actor, event)) || !known_event(g, actor, event))
			continue;
		if (!known_free(g, actor, &a) || !known_free_now(g, actor, &a))
			return false;
		read_some(g, actor, a.first, a.last, a.mask);
		add_access(g, a, actor);
		return true;
	}
	return false;
}

static bool tile(struct gen *g, const struct txn *t)
{
	uint8_t cta = g->p->queue[t->queue].cta, actor = (uint8_t)SM_ACTOR(cta);
	struct access to = copy_shared_access(g, cta, t->dst, t->chunks, true);

	to.mask = t->byte_mask;
	if (!known_free(g, actor, &to))
		return false;
	emit(g, actor,
	     &(struct sm_act){ .kind = SM_WRITE,
	                       .chunk = { (uint32_t)to.first },
	                       .chunks = t->chunks,
	                       .mask = t->byte_mask,
	                       .seed = rng_next(&g->rng) });
	add_access(g, to, actor);
	return true;
}

/* A live barrier, of those that were used last. */
static struct bar *late_bar(struct gen *g)
{
	const struct program *p = g->p;

	for (uint32_t i = p->num_steps, tries = 0; i-- && tries < LOOK_TRIES; tries++) {
		const struct tma_command *c = &p->steps[i].cmd;

		for (uint32_t s = 0; s < g->num_slots; s++)
			if ((c->barrier & 0xffffff) == g->slot_offset[s] &&
			    c->barrier >> 24 < g->shape->ctas && bar_usable(&g->bar[c->barrier >> 24][s]) &&
			    rng_percent(&g->rng, 60))
				return &g->bar[c->barrier >> 24][s];
	}
	return &g->bar[rng_below(&g->rng, g->shape->ctas)][rng_below(&g->rng, g->num_slots)];
}

/* Part of what was a barrier and is none any more. */
static bool over(struct gen *g)
{
	struct bar *b = late_bar(g);
	uint8_t actor = (uint8_t)SM_ACTOR(b->cta);
	struct access to = { .space = b->cta,
		             .write = true,
		             .mask = (uint16_t)rng_next(&g->rng),
		             .first = b->offset / CHUNK_BYTES,
		             .last = b->offset / CHUNK_BYTES };

	if (!b->recycled || !known_free(g, actor, &to))
		return false;
	emit(g, actor,
	     &(struct sm_act){ .kind = SM_WRITE,
	                       .chunk = { (uint32_t)to.first },
	                       .chunks = 1,
	                       .mask = to.mask,
	                       .seed = rng_next(&g->rng) });
	add_access(g, to, actor);
	return true;
}

/* At a barrier that nobody uses for now every bit is certain. */
static bool peek(struct gen *g)
{
	struct bar *b = late_bar(g);
	uint8_t cta = b->cta, actor = (uint8_t)SM_ACTOR(cta);
	uint64_t chunk = b->offset / CHUNK_BYTES;
	struct access word = {
		.space = cta, .mask = b->offset % CHUNK_BYTES ? 0xff00 : 0x00ff, .first = chunk, .last = chunk
	};

	if (!bar_usable(b) || !known_retired(g, actor, b->born_queue, b->born) ||
	    !known_accesses(g, actor, &word) || !bar_usable(b) || !known_quiet(g, actor, b) || !b->live)
		return false;
	read_some(g, actor, chunk, chunk, word.mask);
	b->used[actor] = g->queue[actor].retired[actor];
	add_access(g, word, actor);
	return true;
}

/* What nobody else touches: at any time. */
static bool own(struct gen *g)
{
	uint8_t actor = (uint8_t)SM_ACTOR(rng_below(&g->rng, g->shape->ctas));
	uint32_t chunk = g->own_offset / CHUNK_BYTES;

	for (uint32_t i = 1 + rng_below(&g->rng, 3); i; i--) {
		if (rng_percent(&g->rng, 60))
			emit(g, actor,
			     &(struct sm_act){ .kind = SM_WRITE,
			                       .chunk = { chunk },
			                       .chunks = 1,
			                       .mask = (uint16_t)rng_next(&g->rng),
			                       .seed = rng_next(&g->rng) });
		else
			read_some(g, actor, chunk, chunk, 0xffff);
	}
	return true;
}

bool lower_sm(struct gen *g, const struct txn *t)
{
	for (uint32_t c = 0; c < g->shape->ctas; c++)
		if (g->p->sm[c].num > MAX_ACTS)
			return false;
	switch (t->kind) {
	case TXN_SM_LOOK:
		return look(g);
	case TXN_SM_TILE:
		return tile(g, t);
	case TXN_SM_PEEK:
		return peek(g);
	case TXN_SM_OVER:
		return over(g);
	default:
		return own(g);
	}
}
