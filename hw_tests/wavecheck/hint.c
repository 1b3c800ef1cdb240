/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prefetches are hints. What no window allows of one is passed over, and it goes on. Those of bulk have a path
 * of their own in front of the guard: their pages come beside the reads of other commands, and those that are
 * there take turns. Of one whose queue closes the rest does not come.
 */
#include "wavecheck/check.h"

#define PAGE 4096u

void hint_skip(const struct check *c, struct copy *copy)
{
	uint64_t *covered = &copy->covered[read_path(copy)];

	while (copy->prefetch && *covered < copy->allowed) {
		uint64_t address = copy_address(copy, *covered);
		uint64_t left = copy_left(copy, *covered), to_page = PAGE - address % PAGE;

		if (copy_window_allows(c, copy->queue, address, TMA_WINDOW_READ))
			return;
		*covered += to_page < left ? to_page : left;
	}
}

void hint_start(struct check *c, struct copy *copy)
{
	copy->paths = c->dead & 1 ? 0 : 1u << READS;
	hint_skip(c, copy);
	if (copy_finished(copy)) {
		copy_done(c, copy);
		return;
	}
	c->hints = grow(c->hints, c->num_hints, &c->hints_capacity, sizeof(struct copy *));
	c->hints[c->num_hints++] = copy;
}

/* Prefetches of one place differ in their hints, and in where they end. */
static bool asks_like_it(const struct check *c, const struct copy *copy)
{
	uint64_t policy = copy->command.policy, left = copy_left(copy, copy->covered[READS]);
	uint64_t to_page = PAGE - c->now->addr % PAGE, bytes = to_page < left ? to_page : left;

	return c->now->burst.qos == policy >> 60 && (c->now->burst.user & 0xff) == (policy >> 56 & 0xf) &&
	       (bytes + c->shape.data_bytes - 1) / c->shape.data_bytes == c->now->burst.len + 1u;
}

struct copy *hint_find(struct check *c)
{
	struct copy *found = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < c->num_hints; i++) {
		struct copy *copy = c->hints[i];

		if (copy->done || copy_finished(copy))
			continue;
		c->hints[kept++] = copy;
		if ((!found || (!asks_like_it(c, found) && asks_like_it(c, copy))) &&
		    c->now->id >> ID_CLIENT_SHIFT == CLIENT_PREFETCH &&
		    c->now->addr == copy_address(copy, copy->covered[READS]) &&
		    c->now->burst.user >> 8 == c->queues[copy->queue].config.stream)
			found = copy;
	}
	c->num_hints = kept;
	return found;
}

/* Of one of a life that has ended a page may still come, and the rest not. */
const struct copy *hint_awaited(const struct check *c)
{
	for (size_t i = 0; i < c->num_hints; i++) {
		const struct copy *copy = c->hints[i];

		if (!copy->done && !copy_finished(copy) && !copy->doubtful &&
		    copy->life == c->queues[copy->queue].life)
			return copy;
	}
	return NULL;
}

void hint_drop(struct check *c, uint32_t queue)
{
	for (size_t i = 0; i < c->num_hints; i++)
		if (c->hints[i]->queue == queue)
			c->hints[i]->doubtful = true;
}

void hint_forget(struct check *c, uint32_t queue)
{
	for (size_t i = 0; i < c->num_hints; i++)
		if (c->hints[i]->queue == queue && !c->hints[i]->done)
			copy_abandon(c, c->hints[i]);
}

void hint_check_idle(struct check *c)
{
	const struct copy *missing = hint_awaited(c);

	if (missing && !c->queues[missing->queue].stopped)
		differ(c, P_m_axi_arvalid_o, 0, "the engine says idle, but a burst of %s is missing",
		       name_copy(missing));
	while (c->num_hints) {
		struct copy *copy = c->hints[--c->num_hints];

		if (!copy->done)
			copy_abandon(c, copy);
	}
}
