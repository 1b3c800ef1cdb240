/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that holds a barrier at one time and data at another. */
#include "crosscheck/gen.h"

#define INVAL_PERCENT 70

static struct access word_of(const struct bar *b, uint32_t step)
{
	return (struct access){ .space = b->cta,
		                .write = true,
		                .at_once = true,
		                .mask = 0xffff,
		                .first = b->offset / CHUNK_BYTES,
		                .last = b->offset / CHUNK_BYTES,
		                .step = step };
}

/* The queue knows that nothing is going on at the barrier: its 64 bits are certain. */
bool known_quiet(struct gen *g, uint8_t queue, struct bar *b)
{
	if (b->busy || b->event < 0)
		return false;
	if ((b->copies || b->need) && !phase_close(g, b))
		return false;
	b->busy = true;
	if (b->before < 0 || known_event(g, queue, b->before)) {
		uint8_t q = 0;

		while (q < MAX_ACTORS && known_retired(g, queue, q, b->used[q]))
			q++;
		b->busy = false;
		/* Whoever was asked may have waited at this very barrier. */
		for (q = 0; q < MAX_ACTORS; q++)
			if (gen_later(g, queue, q, b->used[q]))
				return false;
		return !b->copies && !b->need;
	}
	b->busy = false;
	return false;
}

/* inval by a queue of the barrier's CTA. */
bool known_inval(struct gen *g, uint8_t queue, struct bar *b)
{
	struct access word = word_of(b, 0);

	if (g->p->queue[queue].cta != b->cta || g->dead[queue] || b->zero_signal ||
	    !known_accesses(g, queue, &word) || !known_quiet(g, queue, b))
		return false;
	b->live = false;
	word.step = bar_command(g, queue, b, (struct tma_command){ .opcode = TMA_MBARRIER_INVAL });
	known_add_access(g, &word);
	return true;
}

/* Data goes over the barrier without an inval: the engine does not care. */
static bool abandon(struct gen *g, uint8_t queue, struct bar *b)
{
	struct program *p = g->p;
	struct access word;

	if (b->zero_signal || !known_quiet(g, queue, b))
		return false;
	b->live = false;
	if (queue >= MAX_QUEUES) {
		word = word_of(b, p->sm[queue - MAX_QUEUES].num - 1);
		word.sm = (uint8_t)(queue - MAX_QUEUES + 1);
		if (p->sm[queue - MAX_QUEUES].num)
			known_add_access(g, &word);
		return true;
	}
	/* Whoever comes next has to know at least what this queue knows now: nothing, before its first step. */
	for (uint32_t i = p->num_steps; i-- > 0;) {
		if (p->steps[i].queue != queue)
			continue;
		word = word_of(b, i);
		known_add_access(g, &word);
		break;
	}
	return true;
}

static bool make_room(struct gen *g, uint8_t queue, struct bar *b)
{
	uint8_t list[MAX_QUEUES];
	uint32_t count = gen_live_queues(g, list);

	if (!rng_percent(&g->rng, INVAL_PERCENT))
		return abandon(g, queue, b);
	for (uint32_t i = 0; i < count; i++)
		if (known_inval(g, list[i], b))
			return true;
	return false;
}

/* The queue may do this access: no conflict with copies, and no live barrier in its way. A barrier
 * may be read where it is quiet. */
bool known_free(struct gen *g, uint8_t queue, const struct access *a)
{
	if (a->space >= 0) {
		for (uint32_t s = 0; s < g->num_slots; s++) {
			struct bar *b = &g->bar[a->space][s];
			uint64_t chunk = b->offset / CHUNK_BYTES;

			if (!b->live || chunk < a->first || chunk > a->last)
				continue;
			if (!b->recycled || !(a->write ? make_room(g, queue, b) : known_quiet(g, queue, b)))
				return false;
		}
	}
	return known_accesses(g, queue, a);
}

/* Is a barrier quiet, for all that the queue knows by now? */
static bool is_quiet(const struct gen *g, uint8_t queue, const struct bar *b)
{
	for (uint8_t q = 0; q < MAX_ACTORS; q++)
		if (gen_later(g, queue, q, b->used[q]))
			return false;
	return !b->copies && !b->need && (b->before < 0 || know_event(&g->queue[queue], b->before));
}

/* The same as known_free() for a read, but at once: while the queue learnt other things, a barrier
 * that it was about to read may have been used again. */
static bool still_free(struct gen *g, uint8_t queue, const struct access *a)
{
	for (uint32_t s = 0; s < g->num_slots; s++) {
		const struct bar *b = &g->bar[a->space][s];
		uint64_t chunk = b->offset / CHUNK_BYTES;

		if (b->live && chunk >= a->first && chunk <= a->last && !is_quiet(g, queue, b))
			return false;
	}
	return true;
}

/* The last thing before a command that reads shared memory. */
bool known_free_now(struct gen *g, uint8_t queue, const struct access *a)
{
	for (int i = 0; i < 3 && !still_free(g, queue, a); i++)
		if (!known_free(g, queue, a))
			return false;
	return still_free(g, queue, a);
}

/* init, where the word is free or the barrier there is quiet. */
bool known_init(struct gen *g, uint8_t queue, struct bar *b, uint32_t count)
{
	struct access word = word_of(b, 0);

	if (g->p->queue[queue].cta != b->cta || g->dead[queue] || b->busy ||
	    !known_accesses(g, queue, &word) || (b->live && !known_quiet(g, queue, b)))
		return false;
	bar_command(g, queue, b, (struct tma_command){ .opcode = TMA_MBARRIER_INIT, .count = count });
	b->phase = 0;
	b->born_queue = queue;
	b->born = g->queue[queue].retired[queue];
	bar_start(g, b, count);
	return true;
}
