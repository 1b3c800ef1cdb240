/* SPDX-License-Identifier: Apache-2.0 */
/* One barrier while a program is made: what each command does to its open phase. */
#include <string.h>

#include "crosscheck/gen.h"

#define LAST_STATE_PERCENT 60
#define PARITY_PERCENT     50
/* A limit that no run reaches counts as none. */
#define LONG_LIMIT         (1u << 28)
#define LONG_LIMIT_PERCENT 20

static void open_phase(struct gen *g, struct bar *b, uint32_t slot)
{
	b->expected = b->next;
	b->left = b->next;
	b->need = 0;
	b->copies = false;
	b->touched = false;
	b->guarded = true;
	b->sum = (struct know){ 0 };
	memset(b->must, 0, sizeof(b->must));
	b->spent = !b->next;
	b->event =
		gen_new_event(g, (struct event){ .kind = EVENT_PHASE, .cta = b->cta, .slot = (uint8_t)slot });
}

static uint32_t slot_of(const struct gen *g, const struct bar *b)
{
	return (uint32_t)(b - g->bar[b->cta]);
}

/* The barrier comes to life, or starts again. */
void bar_start(struct gen *g, struct bar *b, uint32_t count)
{
	b->live = true;
	b->next = count;
	b->before = -1;
	b->earlier = -1;
	open_phase(g, b, slot_of(g, b));
}

bool bar_usable(const struct bar *b)
{
	return b->live && !b->busy && !b->spent && b->event >= 0;
}

/* Does the queue's next command come after all that the end of the open phase has to wait for? */
bool bar_knows_must(const struct gen *g, uint8_t queue, const struct bar *b)
{
	for (uint8_t q = 0; q < MAX_ACTORS; q++)
		if (gen_later(g, queue, q, b->must[q]))
			return false;
	return true;
}

/* May the queue contribute to the open phase as it is, without learning anything? */
bool bar_ready_for(const struct gen *g, uint8_t queue, const struct bar *b)
{
	return gen_may_touch(g, queue, b->cta) && !gen_later(g, queue, b->born_queue, b->born) &&
	       (b->before < 0 || know_event(&g->queue[queue], b->before));
}

/* The open phase must not end before the queue's last command has retired. */
void bar_must(struct gen *g, uint8_t queue, struct bar *b)
{
	b->must[queue] = g->queue[queue].retired[queue];
	b->guarded = false;
}

static void end_phase(struct gen *g, struct bar *b)
{
	know_add_event(&b->sum, b->event);
	g->event_know[b->event] = b->sum;
	g->event[b->event].closed = true;
	b->earlier = b->before;
	b->before = b->event;
	b->phase++;
	open_phase(g, b, slot_of(g, b));
}

/* The queue's last command contributes; bytes are completed (positive) or expected (negative). */
void bar_contribute(struct gen *g, uint8_t queue, struct bar *b, int64_t completed, bool copy)
{
	b->need += completed;
	b->copies |= copy;
	b->touched = true;
	know_join(&b->sum, &g->queue[queue]);
	if (!b->left && !b->need)
		end_phase(g, b);
}

/* Any command on the barrier, without its effect. */
uint32_t bar_command(struct gen *g, uint8_t queue, struct bar *b, struct tma_command cmd)
{
	uint32_t step;

	cmd.barrier = (uint32_t)b->cta << 24 | b->offset;
	step = gen_emit(g, queue, &cmd);
	b->used[queue] = g->queue[queue].retired[queue];
	return step;
}

void bar_expect(struct gen *g, uint8_t queue, struct bar *b, uint32_t bytes)
{
	bar_command(g, queue, b, (struct tma_command){ .opcode = TMA_MBARRIER_EXPECT_TX, .tx = bytes });
	if (b->left)
		bar_must(g, queue, b);
	bar_contribute(g, queue, b, -(int64_t)bytes, false);
}

void bar_complete(struct gen *g, uint8_t queue, struct bar *b, uint32_t bytes)
{
	bar_command(g, queue, b, (struct tma_command){ .opcode = TMA_MBARRIER_COMPLETE_TX, .tx = bytes });
	bar_contribute(g, queue, b, bytes, false);
}

/* flags: DROP, EXPECT_TX, NO_COMPLETE. */
void bar_arrive(struct gen *g, uint8_t queue, struct bar *b, uint32_t count, uint32_t bytes,
                unsigned int flags)
{
	struct tma_command cmd = { .opcode = TMA_MBARRIER_ARRIVE, .count = count, .flags = (uint16_t)flags };
	bool guard = bar_knows_must(g, queue, b);
	struct step *s;
	uint32_t step;

	if (flags & TMA_FLAG_EXPECT_TX)
		cmd.tx = bytes;
	step = bar_command(g, queue, b, cmd);
	s = &g->p->steps[step];
	s->arrives_in = b->event;
	s->phase_starts = b->expected;
	g->last_arrive[queue] = (int)step;
	g->last_phase[queue] = b->phase;
	b->left -= count;
	if (flags & TMA_FLAG_DROP)
		b->next -= count;
	if (flags & TMA_FLAG_NO_COMPLETE)
		bar_must(g, queue, b);
	else
		b->guarded |= guard;
	bar_contribute(g, queue, b, flags & TMA_FLAG_EXPECT_TX ? -(int64_t)bytes : 0, false);
}

/* One of the ways to name a phase: its parity, a token, the queue's last token. */
void bar_wait_form(struct gen *g, uint8_t queue, uint32_t phase, struct tma_command *cmd)
{
	uint64_t noise = rng_next(&g->rng);

	if (g->last_arrive[queue] >= 0 && g->last_phase[queue] % 2 == phase % 2 &&
	    rng_percent(&g->rng, LAST_STATE_PERCENT)) {
		cmd->flags |= TMA_FLAG_LAST_STATE;
	} else if (rng_percent(&g->rng, PARITY_PERCENT)) {
		cmd->flags |= TMA_FLAG_PARITY;
		cmd->count = phase % 2;
	} else {
		/* Whatever else the token holds is to be ignored. */
		cmd->global_address = (noise & ~(UINT64_C(1) << TMA_STATE_PHASE_LSB)) |
		                      (uint64_t)(phase % 2) << TMA_STATE_PHASE_LSB;
	}
}

/*
 * The queue waits until the phase before the open one has ended. False, and nothing happens, where
 * it cannot: another CTA's barrier, another phase, or an open phase that could end meanwhile. A wait
 * names a phase by its parity, so the queue also has to know that the phase before has ended.
 */
bool bar_wait(struct gen *g, uint8_t queue, struct bar *b, int event)
{
	struct tma_command cmd = { .opcode = TMA_MBARRIER_TRY_WAIT, .tx = FOREVER };
	uint32_t step;

	if (g->dead[queue] || !b->live || b->before != event || event < 0 || !b->left || b->event < 0 ||
	    g->p->queue[queue].cta != b->cta || gen_later(g, queue, b->born_queue, b->born) ||
	    (b->earlier >= 0 && !know_event(&g->queue[queue], b->earlier)))
		return false;
	if (rng_percent(&g->rng, LONG_LIMIT_PERCENT))
		cmd.tx = LONG_LIMIT + rng_below(&g->rng, LONG_LIMIT);
	bar_wait_form(g, queue, b->phase - 1, &cmd);
	step = bar_command(g, queue, b, cmd);
	gen_learn(g, step, &g->event_know[event]);
	bar_must(g, queue, b);
	return true;
}
