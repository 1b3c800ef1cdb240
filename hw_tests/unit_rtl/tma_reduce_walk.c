/* SPDX-License-Identifier: Apache-2.0 */
/* Set-up of tensor commands around the reductions: it takes them and gives walks. See tma_reduce_env.h. */
#include <string.h>

#include "unit_rtl/tma_reduce_env.h"

#define HOLDS   3u /* commands between the FIFO and the walker */
#define MASK_60 ((UINT64_C(1) << 60) - 1)
#define MASK_39 ((UINT64_C(1) << 39) - 1)

/* A level that does not move. */
static const struct reduce_walk_level still = { .over = 1, .is_in = 1, .low_over = 1, .low_in = 1 };

static bool inside(int64_t c, uint32_t dim)
{
	return c >= 0 && c < dim;
}

/* From its first position to its last one, and the same again whenever one above moves. */
static struct reduce_walk_level make_loop(const struct env_tensor *t, uint32_t i, uint64_t first)
{
	struct reduce_walk_level l = still;

	l.over = l.low_over = t->count[i] == 1;
	l.is_in = l.low_in = inside(t->start[i], t->dim[i]);
	l.next = l.low_next = (int64_t)t->start[i] + t->step[i];
	l.limit = (int64_t)t->start[i] + ((int64_t)t->count[i] - 2) * t->step[i];
	l.last = t->dim[i] - 1;
	l.step = (uint8_t)t->step[i];
	l.addr = first;
	l.addr_step = (uint64_t)t->step[i] * t->stride[i] & MASK_39;
	return l;
}

/* Row i of a gather is where level i moves to; those below are at rest again. */
static struct reduce_walk_level make_turn(const struct env_tensor *t, uint32_t i, uint64_t first)
{
	struct reduce_walk_level l = still;

	l.addr = (first + (uint64_t)(((int64_t)t->start[i] - t->start[0]) * t->stride[i])) & MASK_60;
	l.last = t->dim[i] - 1;
	if (i) {
		l.over = 0;
		l.next = t->start[i];
		l.limit = -(INT64_C(1) << 34);
	} else {
		l.is_in = inside(t->start[0], t->dim[0]);
	}
	return l;
}

static void make_walk(const struct env_cmd *c, struct reduce_walk *w)
{
	const struct env_tensor *t = &c->tensor;
	uint64_t first = (ENV_BASE + t->offset) / CHUNK;

	/* What means nothing to reductions is all ones. */
	memset(w, 0xFF, sizeof(*w));
	w->item.cta = (uint8_t)t->cta;
	w->item.layout.swizzle = (uint8_t)t->swizzle;
	w->item.layout.format = 1;
	w->item.hint = c->cmd.copy.hint;
	w->item.signal.origin = c->cmd.copy.origin;
	w->item.how = c->how;
	w->item.fault = (uint16_t)t->fault;
	w->low = t->empty ? t->fault_address & 15 : 0;
	w->saddr = (uint16_t)t->saddr;
	w->pitch = (uint16_t)t->pitch;
	w->head = 0;
	w->chunks = (uint16_t)t->chunks;
	w->odd = (uint8_t)t->odd;
	w->empty = t->empty;
	w->outside = t->outside;
	w->counted = 0;
	w->pixels = 0;
	w->halo = 0;
	w->runs = 0;
	for (uint32_t i = 0; i < ENV_LEVELS; i++) {
		w->level[i] = i >= t->loops ? still
		              : t->gather   ? make_turn(t, i, first)
		                            : make_loop(t, i, first);
		if (i >= t->loops)
			w->level[i].addr = first;
		if (t->empty)
			w->level[i].addr = t->fault_address >> 4;
	}
}

void walk_drive(struct env *e)
{
	bool waits = rng_percent(&e->rng, e->o.tensor_percent);

	e->in->tensor_ready = !waits && e->num_set_up - e->walked < HOLDS;
	if (!e->in->walk_valid && e->walked < e->num_set_up && !rng_percent(&e->rng, e->o.tensor_percent)) {
		e->in->walk_valid = 1;
		make_walk(&e->cmds[e->set_up[e->walked]], &e->in->walk);
	}
}

void walk_step(struct env *e)
{
	/* What leaves is the command that comes next, with all its fields. */
	if (e->out->tensor_valid && e->in->tensor_ready) {
		uint32_t next = e->num_set_up ? e->set_up[e->num_set_up - 1] + 1 : 0;

		while (next < e->offered && !e->cmds[next].cmd.copy.tensor)
			next++;
		REQUIRE(e, next < e->offered);
		REQUIRE(e, !memcmp(&e->out->tensor, &e->cmds[next].cmd, sizeof(e->out->tensor)));
		e->set_up[e->num_set_up++] = next;
	}
	if (e->in->walk_valid && e->out->walk_ready) {
		e->in->walk_valid = 0;
		e->walked++;
	}
}
