/* SPDX-License-Identifier: Apache-2.0 */
/* See tma_issue_random.h. */
#include "unit_rtl/tma_issue_random.h"

#include "tma_abi.h"

struct issue_issue issue_command(uint32_t queue, uint8_t opcode, uint16_t flags)
{
	struct issue_issue x = { .qid = (uint8_t)queue };

	x.cmd.opcode = opcode;
	x.cmd.version = TMA_COMMAND_VERSION;
	x.cmd.flags = flags;
	return x;
}

void issue_on_barrier(struct issue_issue *x, uint32_t cta, uint32_t barrier)
{
	x->ctas = 1u << cta;
	x->cmd.barrier = cta << 24 | barrier * 8;
}

static uint32_t shared_address(struct env *e, uint32_t grain)
{
	uint32_t cta = rng_below(&e->rng, e->info->ctas);

	return cta << 24 | ((uint32_t)rng_next(&e->rng) % e->info->smem_bytes & ~(grain - 1));
}

static void random_cp(struct env *e, struct issue_issue *x)
{
	struct tma_command *c = &x->cmd;

	c->size = 4u << rng_below(&e->rng, 3);
	c->mode = (uint8_t)rng_below(&e->rng, 4);
	c->global_address = rng_next(&e->rng) & ~(uint64_t)(c->size - 1);
	c->shared_dst = shared_address(e, c->size);
	c->policy = rng_next(&e->rng);
	if (rng_percent(&e->rng, 40)) {
		c->flags |= TMA_FLAG_SRC_SIZE;
		c->count = rng_below(&e->rng, c->size + 1);
	} else if (rng_percent(&e->rng, 20)) {
		c->flags |= TMA_FLAG_IGNORE_SRC;
	}
	if (c->size == 16 && rng_percent(&e->rng, 50))
		c->flags |= TMA_FLAG_CG;
}

static void random_copy(struct env *e, struct issue_issue *x)
{
	struct tma_command *c = &x->cmd;
	uint32_t cta = rng_below(&e->rng, e->info->ctas);

	c->size = (uint32_t)rng_next(&e->rng) & (c->opcode == TMA_BULK_PREFETCH ? 0xFFFFFFF0 : 0xFFFF0);
	if (rng_percent(&e->rng, 15))
		c->size = 0;
	c->global_address = rng_next(&e->rng) & ~UINT64_C(15);
	c->shared_src = shared_address(e, 16);
	c->shared_dst = cta << 24 | (shared_address(e, 16) & 0xFFFFFF);
	c->byte_mask = (uint16_t)rng_next(&e->rng);
	c->policy = rng_next(&e->rng);
	if (c->opcode == TMA_BULK_STORE || c->opcode == TMA_MULTIMEM_BULK_STORE)
		c->flags |= rng_percent(&e->rng, 50) ? TMA_FLAG_CP_MASK : 0;
	if (c->opcode >= TMA_BULK_REDUCE) {
		c->op = (uint8_t)rng_below(&e->rng, 8);
		c->type = (uint8_t)rng_below(&e->rng, 10);
	}
	if (c->opcode != TMA_BULK_LOAD && c->opcode != TMA_BULK_SHARED && c->opcode != TMA_BULK_REDUCE_SHARED)
		return;
	issue_on_barrier(x, cta, rng_below(&e->rng, ENV_BARRIERS));
	if (c->opcode == TMA_BULK_LOAD && rng_percent(&e->rng, 40)) {
		c->flags |= TMA_FLAG_MULTICAST;
		x->ctas = rng_below(&e->rng, 1u << e->info->ctas);
		c->cta_mask = (uint16_t)x->ctas;
	}
}

static void random_tensor(struct env *e, struct issue_issue *x)
{
	struct tma_command *c = &x->cmd;
	uint32_t i, cta = rng_below(&e->rng, e->info->ctas);

	c->mode = (uint8_t)rng_below(&e->rng, 7);
	c->dim = (uint8_t)(1 + rng_below(&e->rng, 5));
	c->global_address = rng_next(&e->rng) & ~UINT64_C(63);
	for (i = 0; i < 5; i++)
		c->coord[i] = (int32_t)rng_next(&e->rng);
	for (i = 0; i < 3; i++)
		c->im2col[i] = (uint16_t)rng_next(&e->rng);
	c->policy = rng_next(&e->rng);
	c->shared_dst = cta << 24 | (shared_address(e, 128) & 0xFFFFFF);
	if (c->opcode == TMA_TENSOR_REDUCE)
		c->op = (uint8_t)rng_below(&e->rng, 8);
	if (c->opcode != TMA_TENSOR_LOAD)
		return;
	issue_on_barrier(x, cta, rng_below(&e->rng, ENV_BARRIERS));
	if (rng_percent(&e->rng, 40)) {
		c->flags |= TMA_FLAG_MULTICAST;
		c->cta_mask = (uint16_t)rng_below(&e->rng, 1u << e->info->ctas);
		x->ctas = c->cta_mask;
		x->again = x->ctas & rng_below(&e->rng, 1u << e->info->ctas);
	}
}

static void random_wait(struct env *e, struct tma_command *c)
{
	static const uint32_t limit[] = { 0, 1, 5, 40, 100, ENV_FOREVER };

	c->global_address = rng_next(&e->rng);
	if (rng_percent(&e->rng, 20)) {
		c->flags |= TMA_FLAG_LAST_STATE;
	} else if (c->opcode != TMA_MBARRIER_PENDING_COUNT && rng_percent(&e->rng, 50)) {
		c->flags |= TMA_FLAG_PARITY;
		c->count = rng_below(&e->rng, 2);
	}
	if (c->opcode == TMA_MBARRIER_TRY_WAIT)
		c->tx = limit[rng_below(&e->rng, 6)];
}

static void random_sync(struct env *e, struct issue_issue *x)
{
	struct tma_command *c = &x->cmd;

	switch (c->opcode) {
	case TMA_BULK_WAIT_GROUP:
		c->flags |= rng_percent(&e->rng, 50) ? TMA_FLAG_READ : 0;
		/* fall through */
	case TMA_CP_ASYNC_WAIT_GROUP:
		c->count = rng_percent(&e->rng, 20) ? (uint32_t)rng_next(&e->rng) : rng_below(&e->rng, 34);
		return;
	case TMA_CANCEL:
		c->count = rng_below(&e->rng, e->info->queues);
		return;
	case TMA_MBARRIER_INIT:
		c->count = 1 + rng_below(&e->rng, 3);
		break;
	case TMA_MBARRIER_EXPECT_TX:
	case TMA_MBARRIER_COMPLETE_TX:
		c->tx = rng_below(&e->rng, 3) * 16;
		break;
	case TMA_MBARRIER_ARRIVE:
		c->count = 1 + rng_below(&e->rng, 3);
		c->flags |= rng_percent(&e->rng, 20) ? TMA_FLAG_DROP : 0;
		c->flags |= rng_percent(&e->rng, 30)   ? TMA_FLAG_EXPECT_TX
		            : rng_percent(&e->rng, 10) ? TMA_FLAG_NO_COMPLETE
		                                       : 0;
		c->tx = c->flags & TMA_FLAG_EXPECT_TX ? rng_below(&e->rng, 3) * 16 : 0;
		break;
	case TMA_CP_ASYNC_MBARRIER_ARRIVE:
		c->flags |= rng_percent(&e->rng, 50) ? TMA_FLAG_NOINC : 0;
		break;
	case TMA_MBARRIER_PENDING_COUNT:
		random_wait(e, c);
		return;
	case TMA_MBARRIER_TEST_WAIT:
	case TMA_MBARRIER_TRY_WAIT:
		random_wait(e, c);
		break;
	case TMA_MBARRIER_INVAL:
		break;
	default:
		return;
	}
	issue_on_barrier(x, rng_below(&e->rng, e->info->ctas), rng_below(&e->rng, ENV_BARRIERS));
}

void issue_random_command(struct env *e, uint32_t queue)
{
	static const uint8_t opcodes[] = {
		TMA_BULK_LOAD,
		TMA_BULK_STORE,
		TMA_BULK_SHARED,
		TMA_BULK_PREFETCH,
		TMA_MULTIMEM_BULK_STORE,
		TMA_TENSOR_LOAD,
		TMA_TENSOR_STORE,
		TMA_TENSOR_PREFETCH,
		TMA_PREFETCH_TENSORMAP,
		TMA_MAP_FENCE,
		TMA_CP_ASYNC,
		TMA_CP_ASYNC,
		TMA_CP_ASYNC_COMMIT_GROUP,
		TMA_CP_ASYNC_WAIT_GROUP,
		TMA_CP_ASYNC_WAIT_ALL,
		TMA_CP_ASYNC_MBARRIER_ARRIVE,
		TMA_BULK_COMMIT_GROUP,
		TMA_BULK_WAIT_GROUP,
		TMA_MBARRIER_EXPECT_TX,
		TMA_MBARRIER_COMPLETE_TX,
		TMA_MBARRIER_ARRIVE,
		TMA_MBARRIER_ARRIVE,
		TMA_MBARRIER_ARRIVE,
		TMA_MBARRIER_PENDING_COUNT,
		TMA_MBARRIER_TEST_WAIT,
		TMA_MBARRIER_TRY_WAIT,
		TMA_MBARRIER_INIT,
		TMA_MBARRIER_INIT,
		TMA_MBARRIER_INVAL,
		TMA_SIGNAL,
		TMA_CANCEL,
		/* What not every build has. */
		TMA_BULK_REDUCE,
		TMA_BULK_REDUCE_SHARED,
		TMA_MULTIMEM_BULK_REDUCE,
		TMA_TENSOR_REDUCE,
	};
	uint32_t choice = rng_below(&e->rng, sizeof(opcodes) - (e->info->reductions ? 0 : 4));
	struct issue_issue x;

	/* Most barriers should live for a while, and so should waits. */
	if ((opcodes[choice] == TMA_MBARRIER_INVAL || opcodes[choice] == TMA_CANCEL) &&
	    rng_percent(&e->rng, 75))
		return;
	x = issue_command(queue, opcodes[choice], rng_percent(&e->rng, 40) ? TMA_FLAG_RECORD : 0);
	x.cmd.tag = (uint32_t)rng_next(&e->rng);
	if (x.cmd.opcode <= TMA_MULTIMEM_BULK_REDUCE)
		random_copy(e, &x);
	else if (x.cmd.opcode <= TMA_MAP_FENCE)
		random_tensor(e, &x);
	else if (x.cmd.opcode == TMA_CP_ASYNC)
		random_cp(e, &x);
	else
		random_sync(e, &x);
	if (rng_percent(&e->rng, 1)) {
		x.fault = TMA_FAULT_RESERVED_BITS + rng_below(&e->rng, 16);
		x.fault_addr = rng_next(&e->rng);
	}
	env_push(e, &x);
}

void issue_random_room(struct env *e)
{
	for (uint32_t i = 0; i < e->info->queues; i++)
		e->queue[i].room = rng_percent(&e->rng, 50) ? ENV_FOREVER : 0;
}

static void disturb_groups(struct env *e, struct env_queue *q)
{
	if (q->pending_read && rng_percent(&e->rng, 5))
		q->pending_read--;
	if (q->pending_write > q->pending_read && rng_percent(&e->rng, 10))
		q->pending_write--;
	if (q->cp_pending && rng_percent(&e->rng, 4))
		q->cp_pending--;
	if (q->cp_ops && rng_percent(&e->rng, 6))
		q->cp_ops--;
	/* Software gives room, and may take it away again. */
	if (q->room < 4 && rng_percent(&e->rng, 8))
		q->room++;
	else if (q->room == 1 && rng_percent(&e->rng, 3))
		q->room = 0;
}

void issue_disturb(struct env *e, bool restless)
{
	struct bar_request r = { .op = BAR_COMPLETE, .count = 2 };
	bool resumed = false;

	r.tx = rng_below(&e->rng, 3) * 16;
	if (rng_percent(&e->rng, 10))
		r.op = rng_percent(&e->rng, 50) ? BAR_INIT : BAR_ARRIVE;
	if (rng_percent(&e->rng, 10))
		env_touch(e, rng_below(&e->rng, e->info->ctas), rng_below(&e->rng, ENV_BARRIERS), &r);
	for (uint32_t i = 0; i < e->info->queues; i++) {
		struct env_queue *q = &e->queue[i];

		disturb_groups(e, q);
		q->cancel = restless && rng_percent(&e->rng, 1);
		if (q->enabled && q->stopped && !resumed && rng_percent(&e->rng, 8)) {
			q->resume = resumed = true;
			q->resume_index =
				rng_percent(&e->rng, 20) ? (uint32_t)rng_next(&e->rng) : q->head + 1;
			q->skip = rng_percent(&e->rng, 80) && q->count ? 1 : rng_below(&e->rng, q->count + 1);
			continue;
		}
		if (!q->enabled)
			q->enabled = rng_percent(&e->rng, 60);
		else if ((q->stopped && rng_percent(&e->rng, 2)) || (restless && rng_percent(&e->rng, 2)))
			q->enabled = false;
		else if (restless && rng_below(&e->rng, 500) == 0)
			q->stopped = true;
	}
}
