/* SPDX-License-Identifier: Apache-2.0 */
/* A barrier's phase as a whole: who may contribute, how the missing arrivals are made up. */
#include "crosscheck/gen.h"

#define READY_FIRST_PERCENT 75
#define ALL_AT_ONCE_PERCENT 65
#define COMBINED_PERCENT    60
#define DECORATE_PERCENT    35
#define DROP_PERCENT        15
#define LARGE_PERCENT       5
/* Small against the range of the tx-count, beside the bytes of a program's copies. */
#define EXTRA_BYTES 1000u

/* Let the queue be one that may contribute to the open phase: it knows that the phase is open. */
bool phase_join(struct gen *g, uint8_t queue, struct bar *b)
{
	struct access word = { .space = b->cta,
		               .write = true,
		               .mask = 0xffff,
		               .first = b->offset / CHUNK_BYTES,
		               .last = b->offset / CHUNK_BYTES };

	if (g->dead[queue] || !b->live || b->event < 0 || !gen_may_touch(g, queue, b->cta) ||
	    !known_retired(g, queue, b->born_queue, b->born) ||
	    (b->before >= 0 && !known_event(g, queue, b->before)))
		return false;
	/* A copy that reads the object has to be done with it. */
	return known_accesses(g, queue, &word);
}

/* Bytes for a transaction that is opened and balanced by the same queue. */
static uint32_t extra_bytes(struct gen *g, const struct bar *b)
{
	if (!b->touched && rng_percent(&g->rng, LARGE_PERCENT))
		return BARRIER_MAX - rng_below(&g->rng, 2);
	return 1 + rng_below(&g->rng, EXTRA_BYTES);
}

/* expect_tx, whole or in two parts. */
static void expect(struct gen *g, uint8_t queue, struct bar *b, uint32_t bytes)
{
	if (bytes > 1 && rng_percent(&g->rng, 20)) {
		uint32_t part = 1 + rng_below(&g->rng, bytes - 1);

		bar_expect(g, queue, b, part);
		bytes -= part;
	}
	bar_expect(g, queue, b, bytes);
}

static unsigned int drop(struct gen *g, const struct bar *b, uint32_t count)
{
	if (!rng_percent(&g->rng, DROP_PERCENT) || b->next < count)
		return 0;
	/* Nobody can wait for a barrier that expects nobody, and each of its signals is a phase. */
	if (b->next == count && (b->zero_signal || !rng_percent(&g->rng, 20)))
		return 0;
	return TMA_FLAG_DROP;
}

/* Part of the arrivals, with noComplete or without; some are left. */
static void some_arrivals(struct gen *g, uint8_t queue, struct bar *b, uint32_t count)
{
	unsigned int flags = drop(g, b, count);

	if (rng_percent(&g->rng, 30))
		flags |= TMA_FLAG_NO_COMPLETE;
	else if (count == 1 && rng_percent(&g->rng, 20))
		flags |= TMA_FLAG_EXPECT_TX;
	bar_arrive(g, queue, b, count, 1 + rng_below(&g->rng, EXTRA_BYTES), flags);
}

/* The last arrivals of a phase that expects what it completes: with an ornament, perhaps. */
static void last_balanced(struct gen *g, uint8_t queue, struct bar *b, uint32_t count)
{
	uint32_t bytes = extra_bytes(g, b);
	unsigned int flags = drop(g, b, count);
	uint32_t form = rng_percent(&g->rng, DECORATE_PERCENT) ? rng_below(&g->rng, 3) : 3;

	if (form == 0 && !b->touched) {
		/* Completed before it is expected: the expect_tx ends the phase. */
		bar_complete(g, queue, b, bytes);
		bar_arrive(g, queue, b, count, 0, flags);
		bar_expect(g, queue, b, bytes);
	} else if (form == 1 && count == 1) {
		bar_arrive(g, queue, b, 1, bytes, flags | TMA_FLAG_EXPECT_TX);
		bar_complete(g, queue, b, bytes);
	} else if (form == 2) {
		bar_expect(g, queue, b, bytes);
		bar_complete(g, queue, b, bytes);
		bar_arrive(g, queue, b, count, 0, flags);
	} else {
		bar_arrive(g, queue, b, count, 0, flags);
	}
}

/* All arrivals that are left, by one queue; then `credit` bytes are still to come. */
static void last_arrivals(struct gen *g, uint8_t queue, struct bar *b, uint32_t count, uint32_t credit)
{
	int64_t missing = b->need + credit;

	if (missing > 0 && count == 1 && rng_percent(&g->rng, COMBINED_PERCENT)) {
		bar_arrive(g, queue, b, 1, (uint32_t)missing, drop(g, b, 1) | TMA_FLAG_EXPECT_TX);
		return;
	}
	if (missing > 0)
		expect(g, queue, b, (uint32_t)missing);
	else if (missing < 0)
		bar_complete(g, queue, b, (uint32_t)-missing);
	if (missing || credit)
		bar_arrive(g, queue, b, count, 0, drop(g, b, count));
	else
		last_balanced(g, queue, b, count);
}

/* Queues that may be able to contribute, mostly those first that can without learning. */
static uint32_t candidates(struct gen *g, const struct bar *b, uint8_t list[MAX_QUEUES])
{
	uint32_t count = gen_live_queues(g, list), ready = 0;

	if (!rng_percent(&g->rng, READY_FIRST_PERCENT))
		return count;
	for (uint32_t i = 0; i < count; i++) {
		uint8_t q = list[i];

		if (!bar_ready_for(g, q, b) || !bar_knows_must(g, q, b))
			continue;
		list[i] = list[ready];
		list[ready++] = q;
	}
	return count;
}

/* One queue's share of the arrivals. False: it can make none. */
static bool share(struct gen *g, uint8_t queue, struct bar *b, uint32_t credit)
{
	uint32_t count = b->left;

	if (!phase_join(g, queue, b))
		return false;
	if (count > 1 && !rng_percent(&g->rng, ALL_AT_ONCE_PERCENT)) {
		some_arrivals(g, queue, b, 1 + rng_below(&g->rng, count - 1));
		return true;
	}
	if (!b->guarded && !known_must(g, queue, b))
		return false;
	/* To learn it, others may have begun to wait here. */
	if (!b->guarded && !bar_knows_must(g, queue, b))
		return false;
	last_arrivals(g, queue, b, count, credit);
	return true;
}

/* Make all arrivals of the open phase, by @p queue or, -1, by any; `credit` bytes are then to come. */
bool phase_arrive(struct gen *g, int queue, struct bar *b, uint32_t credit)
{
	int event = b->event;

	while (b->event == event && b->left && !gen_full(g)) {
		uint8_t list[MAX_QUEUES] = { (uint8_t)queue };
		uint32_t count = queue >= 0 ? 1 : candidates(g, b, list), i = 0;

		while (i < count && !share(g, list[i], b, credit))
			i++;
		if (i == count)
			return false;
	}
	return b->event != event || !b->left;
}

/* Bytes that an armed phase still waits for, without a copy. */
static bool complete_credit(struct gen *g, struct bar *b)
{
	uint8_t list[MAX_QUEUES];
	uint32_t count = candidates(g, b, list);

	for (uint32_t i = 0; i < count; i++) {
		if (!phase_join(g, list[i], b))
			continue;
		bar_complete(g, list[i], b, (uint32_t)-b->need);
		return true;
	}
	return false;
}

/* Bring the open phase to its end. */
bool phase_close(struct gen *g, struct bar *b)
{
	int event = b->event;
	bool closed;

	if (!bar_usable(b))
		return false;
	b->busy = true;
	closed = phase_arrive(g, -1, b, 0);
	if (closed && b->event == event)
		closed = complete_credit(g, b);
	b->busy = false;
	return closed;
}

/* Contributions that leave the phase open; the queue has joined. */
void phase_part(struct gen *g, uint8_t queue, struct bar *b)
{
	if (!b->left)
		return;
	switch (rng_below(&g->rng, 3)) {
	case 0:
		bar_expect(g, queue, b, 1 + rng_below(&g->rng, EXTRA_BYTES));
		break;
	case 1:
		bar_complete(g, queue, b, 1 + rng_below(&g->rng, EXTRA_BYTES));
		break;
	default:
		if (b->left > 1)
			some_arrivals(g, queue, b, 1 + rng_below(&g->rng, b->left - 1));
	}
}
