/* SPDX-License-Identifier: Apache-2.0 */
/* cp.async: copies of a few bytes, their groups, their arrive on a barrier. */
#include "crosscheck/bus.h"
#include "crosscheck/gen.h"

#define COMMIT_PERCENT  30
#define NOINC_PERCENT   50
#define HUGE_N_PERCENT  10
#define NEVER_OVERFLOWS (1u << 19)

static bool is_copy(const struct step *s, uint8_t queue)
{
	return s->queue == queue && s->cmd.opcode == TMA_CP_ASYNC && s->writes_done >= 0;
}

/*
 * Groups.
 */

void known_commit_copies(struct gen *g, uint8_t queue)
{
	struct program *p = g->p;

	gen_emit(g, queue, &(struct tma_command){ .opcode = TMA_CP_ASYNC_COMMIT_GROUP });
	for (uint32_t i = 0; i < p->num_steps; i++)
		if (is_copy(&p->steps[i], queue) && p->steps[i].group == UINT32_MAX)
			p->steps[i].group = g->copy_groups[queue];
	g->copy_groups[queue]++;
}

/* At most so many of the youngest groups may be pending. */
void known_wait_copies(struct gen *g, uint8_t queue, uint32_t pending)
{
	struct tma_command cmd = { .opcode = TMA_CP_ASYNC_WAIT_GROUP, .count = pending };
	uint32_t step;

	if (pending >= g->copy_groups[queue] && rng_percent(&g->rng, HUGE_N_PERCENT))
		cmd.count = (uint32_t)rng_next(&g->rng) | 64;
	step = gen_emit(g, queue, &cmd);
	for (uint32_t i = 0; i < step; i++) {
		const struct step *s = &g->p->steps[i];

		if (is_copy(s, queue) && s->group != UINT32_MAX &&
		    (uint64_t)s->group + pending < g->copy_groups[queue])
			gen_learn_event(g, step, s->writes_done);
	}
}

/* The open group as well, which is empty then: its copies are in no group that is committed later. */
void known_wait_all_copies(struct gen *g, uint8_t queue)
{
	uint32_t step = gen_emit(g, queue, &(struct tma_command){ .opcode = TMA_CP_ASYNC_WAIT_ALL });

	for (uint32_t i = 0; i < step; i++)
		if (is_copy(&g->p->steps[i], queue))
			gen_learn_event(g, step, g->p->steps[i].writes_done);
}

/*
 * Copies.
 */

static uint16_t bytes_of(uint32_t bytes, uint32_t at)
{
	return (uint16_t)(((1u << bytes) - 1) << at);
}

/* One of the forms; the address is that of the chunk. */
static struct tma_command any_form(struct gen *g, uint64_t global, uint32_t shared)
{
	static const uint32_t sizes[] = { 4, 8, 16, 16 };
	struct tma_command cmd = { .opcode = TMA_CP_ASYNC,
		                   .size = sizes[rng_below(&g->rng, 4)],
		                   .mode = (uint8_t)rng_below(&g->rng, 4) };
	uint32_t places = CHUNK_BYTES / cmd.size, form = rng_below(&g->rng, 8);

	if (cmd.size == CHUNK_BYTES && rng_percent(&g->rng, 50))
		cmd.flags = TMA_FLAG_CG;
	if (form == 0)
		cmd.flags |= TMA_FLAG_IGNORE_SRC;
	if (form == 1 || form == 2) {
		cmd.flags |= TMA_FLAG_SRC_SIZE;
		cmd.count = rng_below(&g->rng, cmd.size + 1);
	}
	cmd.global_address = global + rng_below(&g->rng, places) * cmd.size;
	cmd.shared_dst = shared + rng_below(&g->rng, places) * cmd.size;
	/* Nothing is read: no window matters, and no memory. */
	if (!bus_bytes(&cmd) && rng_percent(&g->rng, 50))
		cmd.global_address = rng_next(&g->rng) & ~UINT64_C(15);
	return cmd;
}

bool lower_cp(struct gen *g, const struct txn *t)
{
	uint8_t cta = g->p->queue[t->queue].cta;
	uint64_t from_chunk = g->data_at / CHUNK_BYTES + t->global,
		 to_chunk = g->p->arena_at / CHUNK_BYTES + t->dst;
	struct tma_command cmd = any_form(g, g->p->global_base + from_chunk * CHUNK_BYTES,
	                                  (uint32_t)cta << 24 | (uint32_t)to_chunk * CHUNK_BYTES);
	struct access from = { .space = GLOBAL,
		               .mask = bytes_of(bus_bytes(&cmd), cmd.global_address % CHUNK_BYTES),
		               .first = from_chunk,
		               .last = from_chunk };
	struct access to = { .space = cta,
		             .write = true,
		             .mask = bytes_of(cmd.size, cmd.shared_dst % CHUNK_BYTES),
		             .first = to_chunk,
		             .last = to_chunk };
	int event;

	if (g->dead[t->queue] || g->num_events + 1 > MAX_EVENTS / 2 || !known_free(g, t->queue, &from) ||
	    !known_free(g, t->queue, &to))
		return false;
	event = gen_new_event(g, (struct event){ .kind = EVENT_COPY, .step = g->p->num_steps });
	if (event < 0)
		return false;
	from.step = to.step = gen_emit(g, t->queue, &cmd);
	g->p->steps[to.step].writes_done = event;
	known_add_access(g, &from);
	known_add_access(g, &to);
	if (!t->credit && rng_percent(&g->rng, COMMIT_PERCENT))
		known_commit_copies(g, t->queue);
	return true;
}

/*
 * Arrive.
 */

/* Whoever sees the end of the phase knows that the queue's copies so far are complete. */
static void tell_copies(struct gen *g, uint8_t queue, struct bar *b)
{
	for (uint32_t i = 0; i < g->p->num_steps; i++)
		if (is_copy(&g->p->steps[i], queue))
			know_add_event(&b->sum, g->p->steps[i].writes_done);
}

static void arrive(struct gen *g, uint8_t queue, struct bar *b, bool noinc)
{
	struct tma_command cmd = { .opcode = TMA_CP_ASYNC_MBARRIER_ARRIVE,
		                   .flags = noinc ? TMA_FLAG_NOINC : 0 };
	bool guard = bar_knows_must(g, queue, b);

	uint32_t step = bar_command(g, queue, b, cmd);

	g->p->steps[step].arrives_in = b->event;
	tell_copies(g, queue, b);
	if (noinc) {
		b->left--;
		b->guarded |= guard;
	} else {
		/* It counts itself first, and that has to be in this phase. */
		bar_must(g, queue, b);
	}
	bar_contribute(g, queue, b, 0, true);
}

bool lower_cp_arrive(struct gen *g, const struct txn *t)
{
	struct bar *b = &g->bar[g->p->queue[t->queue].cta][rng_below(&g->rng, g->num_slots)];
	bool noinc = rng_percent(&g->rng, NOINC_PERCENT), joined;

	if (g->dead[t->queue] || !bar_usable(b))
		return false;
	b->busy = true;
	joined = phase_join(g, t->queue, b);
	/* The last arrival comes after all that the phase's end has to wait for. */
	if (joined && noinc && b->left == 1 && !b->guarded)
		joined = known_must(g, t->queue, b) && bar_knows_must(g, t->queue, b);
	b->busy = false;
	if (!joined || !b->left || b->expected >= NEVER_OVERFLOWS)
		return false;
	/* Bytes that nobody expects yet would let the phase end before they come. */
	if (noinc && b->left == 1 && b->need > 0)
		bar_expect(g, t->queue, b, (uint32_t)b->need);
	arrive(g, t->queue, b, noinc);
	return true;
}
