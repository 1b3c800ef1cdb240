/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a queue comes to know that something has happened: it waits for it, or for a queue that knows.
 *
 * All of this can fail, where nobody is left who could know or tell; the transaction that needed
 * the knowledge is then left out. What was emitted on the way is legal and stays.
 */
#include "crosscheck/gen.h"

#define LINK_TRIES       3
#define READ_PERCENT     80
#define HUGE_N_PERCENT   10
#define WAIT_ALL_PERCENT 30
#define GROUP_PERCENT    60
#define SM_LINK_PERCENT  20 /* an SM's progress is learnt from another queue */
#define SM_TELLS_PERCENT 25
#define SLICE_CHUNKS     8
#define SPACE_TURN       13 /* slices of one number in two spaces are two */

/*
 * Links: one queue ends a phase of a barrier in the other's CTA, and the other waits for it.
 */

static bool link_over(struct gen *g, uint8_t from, uint8_t to, struct bar *b)
{
	int event = b->event;
	bool ended;

	b->busy = true;
	ended = phase_join(g, from, b) && known_must(g, from, b) &&
	        known_retired(g, to, b->born_queue, b->born) &&
	        (b->before < 0 || known_event(g, to, b->before)) && phase_arrive(g, from, b, 0);
	b->busy = false;
	return ended && bar_wait(g, to, b, event);
}

/* Barriers of the CTA whose open phase has contributions or has none, in random order. */
static uint32_t some_bars(struct gen *g, uint8_t cta, bool touched, uint8_t list[MAX_SLOTS])
{
	uint32_t count = 0;

	for (uint8_t s = 0; s < g->num_slots; s++) {
		const struct bar *b = &g->bar[cta][s];

		if (bar_usable(b) && b->touched == touched && (touched || b->left))
			list[count++] = s;
	}
	gen_shuffle(&g->rng, list, count);
	return count;
}

bool known_link(struct gen *g, uint8_t from, uint8_t to)
{
	uint8_t cta = g->p->queue[to].cta, list[MAX_SLOTS];
	uint32_t count;
	bool linked = false;

	if (g->dead[from] || g->dead[to] || from == to || !gen_may_touch(g, from, cta) || !gen_search(g))
		return false;
	count = some_bars(g, cta, false, list);
	for (uint32_t i = 0; i < count && !linked; i++) {
		struct bar *b = &g->bar[cta][list[i]];

		if (bar_ready_for(g, from, b) && bar_knows_must(g, from, b) && bar_ready_for(g, to, b))
			linked = link_over(g, from, to, b);
	}
	for (uint32_t i = 0; i < count && i < LINK_TRIES && !linked; i++) {
		struct bar *b = &g->bar[cta][list[i]];

		if (bar_usable(b) && b->left && !b->touched)
			linked = link_over(g, from, to, b);
	}
	/* What others have begun can be brought to an end. */
	count = linked ? 0 : some_bars(g, cta, true, list);
	for (uint32_t i = 0; i < count && i < LINK_TRIES && !linked; i++) {
		struct bar *b = &g->bar[cta][list[i]];

		if (bar_usable(b) && phase_close(g, b) && bar_usable(b) && b->left && !b->touched)
			linked = link_over(g, from, to, b);
	}
	g->depth--;
	g->p->shared |= linked;
	return linked;
}

/* From any queue that fulfils the condition. */
static bool link_from_one(struct gen *g, uint8_t to, bool (*knows)(struct gen *, uint8_t, int, uint32_t),
                          int what, uint32_t count)
{
	uint8_t list[MAX_QUEUES], cta = g->p->queue[to].cta;
	uint32_t n = gen_live_queues(g, list);

	/* Nobody has to learn what he cannot tell. */
	for (uint32_t i = 0; i < n && g->depth < MAX_DEPTH && !g->dead[to]; i++)
		if (list[i] != to && gen_may_touch(g, list[i], cta) && knows(g, list[i], what, count) &&
		    known_link(g, list[i], to))
			return true;
	return false;
}

/*
 * Another queue's progress.
 */

static bool has_retired(struct gen *g, uint8_t queue, int other, uint32_t retired)
{
	return g->queue[queue].retired[other] >= retired;
}

bool known_retired(struct gen *g, uint8_t queue, int other, uint32_t retired)
{
	if (!gen_later(g, queue, other, retired))
		return true;
	if (queue >= MAX_QUEUES && other < MAX_QUEUES)
		return sm_known_retired(g, queue, (uint8_t)other, retired);
	if (other >= MAX_QUEUES && (queue >= MAX_QUEUES || !rng_percent(&g->rng, SM_LINK_PERCENT) ||
	                            !link_from_one(g, queue, has_retired, other, retired)))
		return sm_gate(g, queue, (uint8_t)(other - MAX_QUEUES), retired);
	return other >= MAX_QUEUES || link_from_one(g, queue, has_retired, other, retired);
}

bool known_must(struct gen *g, uint8_t queue, const struct bar *b)
{
	for (uint8_t q = 0; q < MAX_ACTORS; q++)
		if (!known_retired(g, queue, q, b->must[q]))
			return false;
	return true;
}

/*
 * Events.
 */

void known_commit(struct gen *g, uint8_t queue)
{
	struct program *p = g->p;

	gen_emit(g, queue, &(struct tma_command){ .opcode = TMA_BULK_COMMIT_GROUP });
	for (uint32_t i = 0; i < p->num_steps; i++) {
		struct step *s = &p->steps[i];

		if (s->queue == queue && s->reads_done >= 0 && s->group == UINT32_MAX)
			s->group = g->groups[queue];
	}
	g->groups[queue]++;
}

/* wait_group: at most so many of the youngest groups may be pending. */
void known_wait_group(struct gen *g, uint8_t queue, uint32_t pending, bool read)
{
	struct tma_command cmd = { .opcode = TMA_BULK_WAIT_GROUP, .count = pending };
	struct program *p = g->p;
	uint32_t step;

	if (pending >= g->groups[queue] && rng_percent(&g->rng, HUGE_N_PERCENT))
		cmd.count = (uint32_t)rng_next(&g->rng) | 64;
	if (read)
		cmd.flags = TMA_FLAG_READ;
	step = gen_emit(g, queue, &cmd);
	for (uint32_t i = 0; i < step; i++) {
		const struct step *s = &p->steps[i];

		if (s->queue != queue || s->reads_done < 0 || s->group == UINT32_MAX ||
		    (uint64_t)s->group + pending >= g->groups[queue])
			continue;
		gen_learn_event(g, step, s->reads_done);
		if (!read && p->steps[i].writes_done >= 0)
			gen_learn_event(g, step, p->steps[i].writes_done);
	}
}

/* A store, or the reads of a load. */
static bool wait_for_group(struct gen *g, int event)
{
	const struct event *e = &g->event[event];
	const struct step *s = &g->p->steps[e->step];
	uint8_t queue = s->queue;
	bool read = e->kind == EVENT_READS && rng_percent(&g->rng, READ_PERCENT);
	uint32_t younger;

	if (s->group == UINT32_MAX)
		known_commit(g, queue);
	younger = g->groups[queue] - 1 - g->p->steps[e->step].group;
	known_wait_group(g, queue, younger ? younger - rng_below(&g->rng, younger + 1) : 0, read);
	return true;
}

static bool wait_for_copy(struct gen *g, int event)
{
	uint32_t step = g->event[event].step, younger;
	uint8_t queue = g->p->steps[step].queue;

	if (rng_percent(&g->rng, WAIT_ALL_PERCENT)) {
		known_wait_all_copies(g, queue);
		return true;
	}
	if (g->p->steps[step].group == UINT32_MAX)
		known_commit_copies(g, queue);
	younger = g->copy_groups[queue] - 1 - g->p->steps[step].group;
	known_wait_copies(g, queue, younger ? younger - rng_below(&g->rng, younger + 1) : 0);
	return true;
}

static bool has_event(struct gen *g, uint8_t queue, int event, uint32_t unused)
{
	(void)unused;
	return know_event(&g->queue[queue], event);
}

/* The queue, if it can, waits for the event itself. */
static bool observe(struct gen *g, uint8_t queue, int event, uint32_t unused)
{
	const struct event *e = &g->event[event];

	(void)unused;
	if (g->dead[queue])
		return false;
	if (e->kind == EVENT_PHASE)
		return bar_wait(g, queue, &g->bar[e->cta][e->slot], event);
	if (g->p->steps[e->step].queue != queue)
		return false;
	return e->kind == EVENT_COPY ? wait_for_copy(g, event) : wait_for_group(g, event);
}

bool known_observe(struct gen *g, uint8_t queue, int event)
{
	return observe(g, queue, event, 0);
}

/* The event, a phase's, is one that comes. */
bool known_phase_ends(struct gen *g, int event)
{
	const struct event *e = &g->event[event];
	struct bar *b = &g->bar[e->cta][e->slot];

	return e->closed || (b->event == event && phase_close(g, b));
}

bool known_event(struct gen *g, uint8_t queue, int event)
{
	bool known = false;

	if (know_event(&g->queue[queue], event))
		return true;
	if (!gen_search(g))
		return false;
	if (g->event[event].kind == EVENT_PHASE && !known_phase_ends(g, event))
		known = false;
	else if (queue >= MAX_QUEUES)
		known = sm_known_event(g, queue, event);
	else if (g->p->with_sm && rng_percent(&g->rng, SM_TELLS_PERCENT) && sm_tells(g, queue, event))
		known = true;
	else
		known = know_event(&g->queue[queue], event) || observe(g, queue, event, 0) ||
		        link_from_one(g, queue, has_event, event, 0) ||
		        link_from_one(g, queue, observe, event, 0);
	g->depth--;
	return known;
}

/*
 * Memory: which accesses are over.
 */

/* Is it certain, or can it be made certain, that the step's part of the access is over? */
static bool access_over(struct gen *g, uint8_t queue, const struct access *a, bool learn)
{
	const struct step *s = &g->p->steps[a->step];
	int cta = a->space;

	if (a->sm)
		return learn ? known_retired(g, queue, SM_ACTOR(a->sm - 1), a->step + 1)
		             : !gen_later(g, queue, SM_ACTOR(a->sm - 1), a->step + 1);
	if (a->at_once)
		return learn ? known_retired(g, queue, s->queue, s->index + 1)
		             : !gen_later(g, queue, s->queue, s->index + 1);
	if (s->writes_done >= 0) {
		int event = a->write || s->reads_done < 0 ? s->writes_done : s->reads_done;

		return know_event(&g->queue[queue], event) || (learn && known_event(g, queue, event));
	}
	/* A read is over where its group says so. */
	if (!a->write && s->reads_done >= 0 &&
	    (know_event(&g->queue[queue], s->reads_done) ||
	     (learn && rng_percent(&g->rng, GROUP_PERCENT) && known_event(g, queue, s->reads_done))))
		return true;
	/* A write is over where its phase is; a read is over where any of the copy's phases is. */
	for (int c = 0; c < MAX_CTAS; c++) {
		int event = g->p->steps[a->step].phase[c];

		if (event < 0 || (a->write && c != cta))
			continue;
		if (know_event(&g->queue[queue], event) || (learn && known_event(g, queue, event)))
			return true;
	}
	return false;
}

static bool touches(const struct access *a, uint64_t chunk)
{
	return !a->rows || a->rows[(chunk - a->first) / 64] >> (chunk - a->first) % 64 & 1;
}

/* Do two whose ranges overlap touch the same chunk? */
static bool meet(const struct access *a, const struct access *b)
{
	uint64_t chunk = a->first > b->first ? a->first : b->first,
		 last = a->last < b->last ? a->last : b->last;

	while (chunk <= last && !(touches(a, chunk) && touches(b, chunk)))
		chunk++;
	return chunk <= last;
}

static bool overlap(const struct access *a, const struct access *b)
{
	return a->space == b->space && (a->mask & b->mask) && a->first <= b->last && b->first <= a->last &&
	       meet(a, b);
}

static bool alike(const struct access *a, const struct access *b)
{
	return a->update && a->update == b->update;
}

static bool conflict(const struct access *a, const struct access *b)
{
	return (a->write || b->write) && !alike(a, b) && overlap(a, b);
}

/* The access, an update by this step, goes on beside others like it. They are told, too. */
bool known_shares(struct gen *g, uint8_t queue, const struct access *a, uint32_t step)
{
	bool shares = false;

	for (uint32_t i = 0; i < g->num_access; i++) {
		const struct access *other = &g->access[i];

		if (other->step == step || !alike(other, a) || !overlap(other, a) ||
		    access_over(g, queue, other, false))
			continue;
		g->p->steps[other->step].shares = shares = true;
	}
	return shares;
}

/* The slices of memory that the access lies in, a bit each. Two that have none in common do not overlap. */
static uint64_t reach_of(const struct access *a)
{
	uint64_t first = a->first / SLICE_CHUNKS, slices = a->last / SLICE_CHUNKS - first + 1;
	uint64_t bits = slices < 64 ? (1ull << slices) - 1 : UINT64_MAX;
	unsigned int turn = (unsigned int)(first + (uint64_t)a->space * SPACE_TURN) % 64;

	return bits << turn | bits >> (64 - turn) % 64;
}

/* The queue waits until no earlier access conflicts with this one. */
bool known_accesses(struct gen *g, uint8_t queue, const struct access *a)
{
	uint64_t reach = reach_of(a);

	for (uint32_t i = 0; i < g->num_access; i++) {
		struct access other;

		if (!(g->reach[i] & reach))
			continue;
		other = g->access[i];
		if (conflict(&other, a) && !access_over(g, queue, &other, false) &&
		    !access_over(g, queue, &other, true))
			return false;
	}
	return true;
}

void known_add_access(struct gen *g, const struct access *a)
{
	g->access = must_grow(g->access, g->num_access, &g->room_access, sizeof(*g->access));
	g->reach = must_grow(g->reach, g->num_access, &g->room_reach, sizeof(*g->reach));
	g->reach[g->num_access] = reach_of(a);
	g->access[g->num_access++] = *a;
}
