/* SPDX-License-Identifier: Apache-2.0 */
/* See tma_check_draw.h. */
#include "unit_rtl/tma_check_draw.h"

#include <stdbool.h>

#include "unit_rtl/tma_check_ref.h"

#define MAX_SIZE   0x100000u
#define REDUCTIONS 4u /* the last ones */

const uint8_t draw_opcodes[DRAW_OPCODES] = {
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
	TMA_CP_ASYNC_COMMIT_GROUP,
	TMA_CP_ASYNC_WAIT_GROUP,
	TMA_CP_ASYNC_WAIT_ALL,
	TMA_CP_ASYNC_MBARRIER_ARRIVE,
	TMA_BULK_COMMIT_GROUP,
	TMA_BULK_WAIT_GROUP,
	TMA_MBARRIER_INIT,
	TMA_MBARRIER_INVAL,
	TMA_MBARRIER_EXPECT_TX,
	TMA_MBARRIER_COMPLETE_TX,
	TMA_MBARRIER_ARRIVE,
	TMA_MBARRIER_PENDING_COUNT,
	TMA_MBARRIER_TEST_WAIT,
	TMA_MBARRIER_TRY_WAIT,
	TMA_SIGNAL,
	TMA_CANCEL,
	TMA_BULK_REDUCE,
	TMA_BULK_REDUCE_SHARED,
	TMA_MULTIMEM_BULK_REDUCE,
	TMA_TENSOR_REDUCE,
};

uint32_t draw_known(const struct draw *d)
{
	return d->info->reductions ? DRAW_OPCODES : DRAW_OPCODES - REDUCTIONS;
}

static uint32_t pick(struct rng *r, const uint32_t *list, uint32_t count)
{
	return list[rng_below(r, count)];
}

#define PICK(r, ...) \
	pick(r, (const uint32_t[]){ __VA_ARGS__ }, sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

/* A legal address of `bytes` bytes in this CTA. */
static uint32_t inside(struct draw *d, uint32_t cta, uint32_t bytes, uint32_t align)
{
	uint32_t places = (d->info->smem_bytes - bytes) / align + 1;

	return cta << 24 | (rng_percent(d->rng, 30) ? places - 1 : rng_below(d->rng, places)) * align;
}

/* A flag that the command may have, in one of two. */
static uint16_t maybe(struct rng *r, uint32_t flag)
{
	return (uint16_t)(rng_percent(r, 50) ? flag : 0);
}

static void hint(struct draw *d, struct tma_command *c)
{
	c->flags |= maybe(d->rng, TMA_FLAG_CACHE_HINT);
	if (c->flags & TMA_FLAG_CACHE_HINT)
		c->policy = rng_next(d->rng);
}

static void cp_async(struct draw *d, struct check_in *in)
{
	struct tma_command *c = &in->cmd.cmd;

	c->size = PICK(d->rng, 4, 8, 16);
	c->mode = (uint8_t)rng_below(d->rng, 4);
	c->global_address = rng_next(d->rng) & ~(uint64_t)(c->size - 1);
	c->shared_dst = inside(d, in->cta, c->size, c->size);
	c->flags |= (uint16_t)PICK(d->rng, 0, TMA_FLAG_SRC_SIZE, TMA_FLAG_IGNORE_SRC);
	if (c->flags & TMA_FLAG_SRC_SIZE)
		c->count = PICK(d->rng, 0, c->size, rng_below(d->rng, c->size));
	if (c->size == 16)
		c->flags |= maybe(d->rng, TMA_FLAG_CG);
	hint(d, c);
}

/* Of a bulk reduction. */
static void pair(struct draw *d, struct tma_command *c)
{
	do {
		c->op = (uint8_t)rng_below(d->rng, 8);
		c->type = (uint8_t)rng_below(d->rng, 10);
	} while (!check_ref_pair(d->info, c->opcode == TMA_BULK_REDUCE_SHARED, c->op, c->type));
}

static void copy(struct draw *d, struct check_in *in)
{
	struct tma_command *c = &in->cmd.cmd;
	bool reduce = c->opcode >= TMA_BULK_REDUCE;
	bool shared = c->opcode == TMA_BULK_SHARED || c->opcode == TMA_BULK_REDUCE_SHARED;
	bool multimem = c->opcode == TMA_MULTIMEM_BULK_STORE || c->opcode == TMA_MULTIMEM_BULK_REDUCE;
	uint32_t most = d->info->smem_bytes < MAX_SIZE ? d->info->smem_bytes : MAX_SIZE - 16;
	uint32_t target = in->cta;

	c->size = PICK(d->rng, 0, 16, 4096, most, rng_below(d->rng, most / 16) * 16);
	if (!shared)
		c->global_address = rng_next(d->rng) & ~UINT64_C(15);
	if (!shared && !multimem)
		hint(d, c);
	if (reduce)
		pair(d, c);
	if (c->opcode == TMA_BULK_PREFETCH)
		return;
	if (c->opcode != TMA_BULK_LOAD)
		c->shared_src = inside(d, in->cta, c->size, 16);
	if (c->opcode != TMA_BULK_LOAD && !shared) {
		c->flags |= maybe(d->rng, reduce ? 0 : TMA_FLAG_CP_MASK);
		if (c->flags & TMA_FLAG_CP_MASK)
			c->byte_mask = (uint16_t)rng_next(d->rng);
		return;
	}
	if (c->opcode == TMA_BULK_LOAD) {
		c->flags |= (uint16_t)PICK(d->rng, 0, TMA_FLAG_MULTICAST, TMA_FLAG_CTA_LOCAL);
		if (!(c->flags & TMA_FLAG_CTA_LOCAL))
			target = rng_below(d->rng, d->info->ctas);
	} else if (reduce) {
		target = rng_below(d->rng, d->info->ctas);
	} else {
		target = (in->cta + 1 + rng_below(d->rng, d->info->ctas - 1)) % d->info->ctas;
	}
	c->shared_dst = inside(d, target, c->size, 16);
	c->barrier = inside(d, target, 8, 8);
	if (c->flags & TMA_FLAG_MULTICAST)
		c->cta_mask = (uint16_t)(rng_next(d->rng) & ((1u << d->info->ctas) - 1));
}

/* A tensor copy in one of the modes that its opcode has. */
static void tensor(struct draw *d, struct check_in *in)
{
	struct tma_command *c = &in->cmd.cmd;
	bool store = c->opcode == TMA_TENSOR_STORE || c->opcode == TMA_TENSOR_REDUCE;
	uint32_t i, coords, offsets = 0, target = in->cta;

	c->global_address = rng_next(d->rng) & ~UINT64_C(63);
	c->mode = (uint8_t)(store ? PICK(d->rng, TMA_MODE_TILE, TMA_MODE_IM2COL_NO_OFFS, TMA_MODE_SCATTER4)
	                          : PICK(d->rng, TMA_MODE_TILE, TMA_MODE_IM2COL, TMA_MODE_GATHER4,
	                                 TMA_MODE_IM2COL_W, TMA_MODE_IM2COL_W_128));
	c->dim = (uint8_t)(1 + rng_below(d->rng, 5));
	if (c->mode == TMA_MODE_GATHER4 || c->mode == TMA_MODE_SCATTER4)
		c->dim = 2;
	else if (c->mode != TMA_MODE_TILE && c->dim < 3)
		c->dim = 3;
	coords = c->mode == TMA_MODE_GATHER4 || c->mode == TMA_MODE_SCATTER4 ? 5 : c->dim;
	if (c->mode == TMA_MODE_IM2COL)
		offsets = c->dim - 2u;
	else if (c->mode == TMA_MODE_IM2COL_W || c->mode == TMA_MODE_IM2COL_W_128)
		offsets = 2;
	for (i = 0; i < coords; i++)
		c->coord[i] = (int32_t)rng_next(d->rng);
	for (i = 0; i < offsets; i++)
		c->im2col[i] = (uint16_t)rng_next(d->rng);
	hint(d, c);
	if (c->opcode == TMA_TENSOR_REDUCE)
		c->op = (uint8_t)rng_below(d->rng, 8);
	if (c->opcode == TMA_TENSOR_PREFETCH)
		return;
	if (store) {
		c->shared_dst = inside(d, target, 128, 128);
		return;
	}
	c->flags |= (uint16_t)PICK(d->rng, 0, TMA_FLAG_MULTICAST, TMA_FLAG_CTA_LOCAL);
	c->flags |= maybe(d->rng, TMA_FLAG_CTA_GROUP_2);
	if (!(c->flags & TMA_FLAG_CTA_LOCAL))
		target = rng_below(d->rng, d->info->ctas);
	c->shared_dst = inside(d, target, 128, 128);
	if (c->flags & TMA_FLAG_CTA_GROUP_2 && (target | 1) < d->info->ctas)
		target ^= rng_below(d->rng, 2);
	c->barrier = inside(d, target, 8, 8);
	if (c->flags & TMA_FLAG_MULTICAST)
		c->cta_mask = (uint16_t)(rng_next(d->rng) & ((1u << d->info->ctas) - 1));
	/* A last CTA that has no pair has none of that parity. */
	if (c->flags & TMA_FLAG_CTA_GROUP_2 && target & d->info->ctas & 1)
		c->cta_mask &= (uint16_t) ~(1u << (d->info->ctas - 1));
}

static void barrier_op(struct draw *d, struct check_in *in)
{
	static const uint32_t remote[] = { TMA_MBARRIER_EXPECT_TX, TMA_MBARRIER_COMPLETE_TX,
		                           TMA_MBARRIER_ARRIVE };
	struct tma_command *c = &in->cmd.cmd;
	uint32_t i, cta = in->cta;

	for (i = 0; i < 3; i++)
		if (c->opcode == remote[i])
			cta = rng_below(d->rng, d->info->ctas);
	c->barrier = inside(d, cta, 8, 8);
	if (c->opcode == TMA_MBARRIER_INIT || c->opcode == TMA_MBARRIER_ARRIVE)
		c->count = PICK(d->rng, 1, 2, 0xFFFFF, 1 + rng_below(d->rng, 0xFFFFF));
	if (c->opcode == TMA_MBARRIER_EXPECT_TX || c->opcode == TMA_MBARRIER_COMPLETE_TX)
		c->tx = PICK(d->rng, 0, 16, 0xFFFFF, rng_below(d->rng, 0xFFFFF));
	if (c->opcode == TMA_MBARRIER_ARRIVE) {
		c->flags |= maybe(d->rng, TMA_FLAG_DROP);
		c->flags |= (uint16_t)PICK(d->rng, 0, TMA_FLAG_EXPECT_TX, TMA_FLAG_NO_COMPLETE);
		if (c->flags & TMA_FLAG_EXPECT_TX) {
			c->count = 1;
			c->tx = PICK(d->rng, 0, 0xFFFFF);
		}
	}
}

/* Of a wait or pending_count. */
static void state(struct draw *d, struct tma_command *c)
{
	c->flags |= maybe(d->rng, TMA_FLAG_LAST_STATE);
	if (c->opcode != TMA_MBARRIER_PENDING_COUNT && !c->flags && rng_percent(d->rng, 50)) {
		c->flags |= TMA_FLAG_PARITY;
		c->count = rng_below(d->rng, 2);
	}
	if (!(c->flags & (TMA_FLAG_LAST_STATE | TMA_FLAG_PARITY)))
		c->global_address = rng_next(d->rng);
	if (c->opcode == TMA_MBARRIER_TRY_WAIT)
		c->tx = (uint32_t)rng_next(d->rng);
}

struct check_in draw_legal(struct draw *d, uint8_t opcode)
{
	struct check_in in = { 0 };
	struct tma_command *c = &in.cmd.cmd;

	in.qid = (uint8_t)rng_below(d->rng, d->info->queues);
	in.cta = (uint8_t)rng_below(d->rng, d->info->ctas);
	in.cta_mask = (uint16_t)((1u << d->info->ctas) - 1);
	in.cancel_mask = (uint16_t)((1u << d->info->queues) - 1);
	c->opcode = opcode;
	c->version = TMA_COMMAND_VERSION;
	c->tag = (uint32_t)rng_next(d->rng);
	if (opcode <= TMA_MULTIMEM_BULK_REDUCE)
		copy(d, &in);
	else if (opcode <= TMA_TENSOR_PREFETCH)
		tensor(d, &in);
	else if (opcode == TMA_PREFETCH_TENSORMAP || opcode == TMA_MAP_FENCE)
		c->global_address = rng_next(d->rng) & ~UINT64_C(63);
	else if (opcode == TMA_CP_ASYNC)
		cp_async(d, &in);
	else if (opcode == TMA_BULK_WAIT_GROUP || opcode == TMA_CP_ASYNC_WAIT_GROUP)
		c->count = (uint32_t)rng_next(d->rng);
	else if (opcode == TMA_CANCEL)
		c->count = rng_below(d->rng, d->info->queues);
	else if (opcode == TMA_CP_ASYNC_MBARRIER_ARRIVE)
		c->barrier = inside(d, in.cta, 8, 8);
	else if (opcode >= TMA_MBARRIER_INIT && opcode <= TMA_MBARRIER_TRY_WAIT &&
	         opcode != TMA_MBARRIER_PENDING_COUNT)
		barrier_op(d, &in);
	if (opcode == TMA_CP_ASYNC_MBARRIER_ARRIVE)
		c->flags |= maybe(d->rng, TMA_FLAG_NOINC);
	if (opcode == TMA_BULK_WAIT_GROUP)
		c->flags |= maybe(d->rng, TMA_FLAG_READ);
	if (opcode >= TMA_MBARRIER_PENDING_COUNT && opcode <= TMA_MBARRIER_TRY_WAIT)
		state(d, c);
	c->flags |= maybe(d->rng, TMA_FLAG_RECORD);
	return in;
}

/* A shared address at one of the places where a rule changes its mind. */
static uint32_t shared_limit(struct draw *d, uint32_t bytes)
{
	uint32_t smem = d->info->smem_bytes, ctas = d->info->ctas;
	uint32_t rank = PICK(d->rng, 0, 1, ctas - 1, ctas, 15, 16, 255, rng_below(d->rng, ctas));
	uint32_t offset = PICK(d->rng, 0, 4, 8, 16, smem - 16, smem - 8, smem, smem + 8, smem - bytes,
	                       smem - bytes + 8, smem - bytes + 16, 0xFFFFF8, 0xFFFFF0);

	return rank << 24 | (offset & 0xFFFFFF);
}

void draw_mutate(struct draw *d, struct check_in *in)
{
	struct tma_command *c = &in->cmd.cmd;
	uint32_t smem = d->info->smem_bytes, room = smem - (c->shared_dst & 0xFFFFFF);
	uint8_t *bytes = (uint8_t *)c;
	uint32_t bit = rng_below(d->rng, 512);

	switch (rng_below(d->rng, 24)) {
	case 0:
		c->size = PICK(d->rng, 0, 1, 4, 5, 8, 12, 15, 16, 17, 32, smem, smem + 16, room, room + 16,
		               MAX_SIZE - 16, MAX_SIZE - 1, MAX_SIZE, MAX_SIZE + 16, 0xFFFFFFF0, 0x80000000);
		break;
	case 1:
	case 2:
		c->shared_src = shared_limit(d, c->size);
		break;
	case 3:
	case 4:
		c->shared_dst = shared_limit(d, c->size);
		break;
	case 5:
	case 6:
		c->barrier = shared_limit(d, 8);
		break;
	case 7:
		c->barrier = (c->barrier & 0xFFFFFF) | (c->shared_dst & 0xFF000000);
		break;
	case 8:
		c->count = PICK(d->rng, 0, 1, 2, 4, 5, 8, 9, 16, 17, 36, d->info->queues, 0xFFFFF, 0x100000,
		                0x80000001, 0xFFFFFFFF);
		break;
	case 9:
		c->tx = PICK(d->rng, 0, 1, 0xFFFFF, 0x100000, 0x80000000, 0xFFFFFFFF);
		break;
	case 10:
		c->flags ^= (uint16_t)(1u << rng_below(d->rng, 16));
		break;
	case 11:
		c->cta_mask = (uint16_t)PICK(d->rng, 0, 1, 1u << (d->info->ctas - 1),
		                             d->info->ctas < 16 ? 1u << d->info->ctas : 0, 0x8000, 0xFFFF);
		break;
	case 12:
	case 13:
		in->cta_mask &= ~(1u << rng_below(d->rng, d->info->ctas));
		break;
	case 14:
		c->global_address ^= UINT64_C(1) << rng_below(d->rng, 6);
		break;
	case 15:
		c->mode = (uint8_t)PICK(d->rng, 0, 3, 4, 128);
		c->shared_dst ^= 1u << rng_below(d->rng, 5);
		break;
	case 16:
		in->cancel_mask &= (uint32_t)rng_next(d->rng);
		break;
	case 18:
		c->mode = (uint8_t)PICK(d->rng, 0, 1, 2, 3, 4, 5, 6, 7, 8);
		break;
	case 19:
		c->dim = (uint8_t)PICK(d->rng, 0, 1, 2, 3, 4, 5, 6, 128);
		break;
	case 20:
		c->im2col[rng_below(d->rng, 3)] = (uint16_t)PICK(d->rng, 0, 1, 0x8000);
		break;
	case 21:
		c->op = (uint8_t)PICK(d->rng, 0, 1, 3, 5, 7, 8, 128);
		break;
	case 22:
		c->type = (uint8_t)PICK(d->rng, 0, 3, 6, 7, 9, 10, 16, 128);
		break;
	case 17:
		c->shared_dst = (uint32_t)in->cta << 24 | (c->shared_dst & 0xFFFFFF);
		break;
	default:
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		break;
	}
}
