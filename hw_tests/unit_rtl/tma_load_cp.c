/* SPDX-License-Identifier: Apache-2.0 */
/* cp.async and the arrivals behind them. See tma_load_env.h. */
#include "unit_rtl/tma_load_env.h"

#include <inttypes.h>
#include <string.h>

#include "tma_abi.h"

struct env_cmd *env_cp(struct env *e, uint32_t queue, uint32_t offset, uint32_t size, uint32_t valid,
                       uint32_t to, uint32_t cta)
{
	struct env_cmd *c = env_new(e, queue, ENV_BASE + offset, LOAD_CP);
	uint32_t beat = e->info->data_bytes, resp;

	assert_true(offset % size == 0 && to % size == 0 && valid <= size);
	c->cmd.chunks = 1;
	c->cmd.saddr = to / ENV_CHUNK;
	c->cmd.cp = (struct load_cp){ .dst = (uint8_t)(to % ENV_CHUNK),
		                      .size = (uint8_t)size,
		                      .valid = (uint8_t)valid };
	c->cmd.hint.prefetch = rng_below(&e->rng, 4);
	c->cmd.hint.cg = rng_below(&e->rng, 2);
	c->cmd.signal.ctas = 1u << cta;
	if (!valid)
		return c;
	resp = e->error[offset / beat * beat / ENV_GRAIN];
	c->address = c->cmd.gaddr;
	if (!env_allowed(e, queue, offset / ENV_PAGE)) {
		c->code = TMA_FAULT_WINDOW_READ;
		return c;
	}
	c->possible = c->certain = 1;
	if (resp)
		c->code = env_code(resp);
	return c;
}

struct env_cmd *env_arrival(struct env *e, uint32_t queue, uint32_t cta)
{
	struct env_cmd *c = env_new(e, queue, rng_next(&e->rng) & ~(uint64_t)(ENV_CHUNK - 1), LOAD_CP);

	c->cmd.chunks = 1;
	c->cmd.cp.arrive = c->cmd.signal.arrive = 1;
	c->cmd.signal.ctas = 1u << cta;
	return c;
}

void env_resume(struct env *e, uint32_t queue)
{
	e->in->restart |= 1u << queue;
	e->cp_failed[queue] = false;
}

/* All in the order of commands. */
static struct env_cmd *next_cp(struct env *e)
{
	while (e->cp_next < e->offered && e->cmds[e->cp_next].cmd.client != LOAD_CP)
		e->cp_next++;
	REQUIRE(e, e->cp_next < e->offered);
	return &e->cmds[e->cp_next++];
}

static void check_chunk(struct env *e, const struct load_load_cmd *cmd)
{
	const uint8_t *source = e->global + (cmd->gaddr - ENV_BASE);

	REQUIRE(e, 1u << e->out->cp_wr.cta == cmd->signal.ctas);
	REQUIRE(e, e->out->cp_wr.addr == cmd->saddr);
	REQUIRE(e, e->out->cp_wr.be == ((1u << cmd->cp.size) - 1) << cmd->cp.dst);
	for (uint32_t i = 0; i < cmd->cp.size; i++)
		REQUIRE(e, e->out->cp_wr.data[cmd->cp.dst + i] == (i < cmd->cp.valid ? source[i] : 0));
}

static void see_copy(struct env *e, bool written)
{
	struct env_cmd *c = next_cp(e);
	uint32_t queue = c->cmd.signal.origin.qid;

	REQUIRE(e, !c->cmd.cp.arrive);
	REQUIRE(e, e->out->events.cp_done.valid && e->out->events.cp_done.qid == queue);
	if (written) {
		REQUIRE(e, !c->code);
		check_chunk(e, &c->cmd);
		c->signal = c->first_write = e->cycle;
		e->chunks++;
		if (e->first_chunk == ENV_NEVER)
			e->first_chunk = e->cycle;
		e->last_chunk = e->cycle;
		return;
	}
	if (e->dead && !c->code && c->cmd.cp.valid)
		c->code = TMA_FAULT_PORT_DEAD;
	REQUIRE(e, c->code);
	c->failed = true;
	e->cp_failed[queue] = true;
}

static void see_arrival(struct env *e, bool dropped)
{
	struct env_cmd *c = next_cp(e);
	const struct load_signal *s = &e->out->sig[1], *want = &c->cmd.signal;

	REQUIRE(e, c->cmd.cp.arrive);
	REQUIRE(e, dropped == e->cp_failed[want->origin.qid]);
	if (dropped) {
		REQUIRE(e, e->out->events.cp_drop.qid == want->origin.qid);
		c->dropped = true;
		e->drops++;
		return;
	}
	REQUIRE(e, e->out->sig[1].arrive && s->bytes == 0);
	REQUIRE(e, s->ctas == want->ctas && s->barrier == want->barrier);
	REQUIRE(e, s->origin.qid == want->origin.qid && s->origin.seq == want->origin.seq &&
	                   s->origin.tag == want->origin.tag);
	c->signal = e->cycle;
	e->arrivals++;
}

/* One thing per cycle, so done and dropped never meet. */
void env_see_cp(struct env *e)
{
	bool written = e->out->cp_wr_valid && e->in->cp_wr_ready;
	bool arrived = e->out->sig_valid[1] && e->in->sig_ready[1];

	REQUIRE(e, (e->out->cp_wr_valid + e->out->sig_valid[1] + e->out->events.cp_drop.valid) <= 1);
	if (written || e->out->events.cp_done.valid)
		see_copy(e, written);
	if (arrived || e->out->events.cp_drop.valid)
		see_arrival(e, e->out->events.cp_drop.valid);
}
