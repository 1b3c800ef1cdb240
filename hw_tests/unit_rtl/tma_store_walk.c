/* SPDX-License-Identifier: Apache-2.0 */
/* Set-up of tensor commands around the store path: it takes them and gives walks. See tma_store_env.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h needs the ones above. */
#include <cmocka.h>

#include "unit_rtl/tma_store_env.h"

#define CHUNK   16u
#define HOLDS   3u /* commands between the FIFO and the walker */
#define MASK_60 ((UINT64_C(1) << 60) - 1)
#define MASK_39 ((UINT64_C(1) << 39) - 1)

static void make_level(const struct env_tensor *t, uint32_t i, struct store_level *l)
{
	int64_t start = t->start[i], end = start + (int64_t)(t->count[i] - 1) * t->step[i];

	l->used = !t->gather;
	l->bounded = 1;
	l->start = l->low = start;
	l->high = end;
	l->last = t->dim[i] - 1;
	l->step = (uint8_t)t->step[i];
	l->addr = l->addr_low = (uint64_t)(start * t->stride[i]) & MASK_60;
	l->addr_step = (uint64_t)t->step[i] * t->stride[i] & MASK_39;
}

static void make_walk(const struct env_cmd *c, struct store_walk *w)
{
	const struct env_tensor *t = &c->tensor;
	uint32_t i;

	memset(w, 0, sizeof(*w));
	w->cta = t->cta;
	w->swizzle = t->swizzle;
	w->qos = c->cmd.qos;
	w->evict = c->cmd.evict;
	w->queue = c->cmd.queue;
	w->seq = c->cmd.seq;
	w->tag = c->cmd.tag;
	w->fault = t->fault;
	w->fault_addr = t->fault_address;
	w->saddr = t->saddr;
	w->pitch = t->pitch;
	w->chunks = t->chunks;
	w->odd = t->odd;
	w->empty = t->empty;
	w->outside = t->outside;
	w->gather = t->gather;
	w->base = (ENV_BASE + t->offset) / CHUNK;
	for (i = 0; i < t->loops; i++) {
		make_level(t, i, &w->level[i]);
		if (!t->gather || !i)
			w->base -= w->level[i].addr;
	}
	w->base &= MASK_60;
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
	const struct store_cmd *cmd = &e->out->tensor;

	/* What leaves is the command that comes next, with all its fields. */
	if (e->out->tensor_valid && e->in->tensor_ready) {
		uint32_t next = e->num_set_up ? e->set_up[e->num_set_up - 1] + 1 : 0;

		while (next < e->offered && !e->cmds[next].cmd.tensor)
			next++;
		REQUIRE(e, next < e->offered);
		REQUIRE(e, !memcmp(cmd, &e->cmds[next].cmd, sizeof(*cmd)));
		e->set_up[e->num_set_up++] = next;
	}
	if (e->in->walk_valid && e->out->walk_ready) {
		e->in->walk_valid = 0;
		e->walked++;
	}
}
