/* SPDX-License-Identifier: Apache-2.0 */
/* Commands made illegal: a legal one, changed such that it breaks the wanted rule, and perhaps more. */
#include <stdlib.h>
#include <string.h>

#include "crosscheck/illegal.h"
#include "tma_model.h"
#include "tma_tables.h"

#define TRIES        10
#define MORE_PERCENT 30

/* Legal commands of the queue, as far as they can be without a live barrier. */
enum base {
	LOAD,
	STORE,
	MULTIMEM,
	SHARED,
	PREFETCH,
	CP,
	CP_ARRIVE,
	CANCEL,
	ARRIVE,
	EXPECT,
	TRY_WAIT,
	REDUCE, /* from here on where there are reductions */
	MULTIMEM_REDUCE,
	REDUCE_SHARED,
	NUM_BASES
};

static struct tma_command legal(struct gen *g, uint8_t queue, enum base base)
{
	uint32_t cta = (uint32_t)g->p->queue[queue].cta << 24,
		 other = (cta + (1u << 24)) % (g->shape->ctas << 24);
	uint32_t shared = g->area.reserve_at, barrier = g->area.scratch_offset[SCRATCH_THREE];
	uint64_t global = g->p->global_base + g->data_at;
	struct tma_command cmd = { .version = TMA_COMMAND_VERSION };

	switch (base) {
	case LOAD:
		cmd.opcode = TMA_BULK_LOAD;
		cmd.global_address = global;
		cmd.shared_dst = cta | shared;
		cmd.barrier = cta | barrier;
		break;
	case STORE:
		cmd.opcode = TMA_BULK_STORE;
		cmd.global_address = global;
		cmd.shared_src = cta | shared;
		break;
	case MULTIMEM:
		cmd.opcode = TMA_MULTIMEM_BULK_STORE;
		cmd.global_address = global;
		cmd.shared_src = cta | shared;
		break;
	case CP:
		cmd.opcode = TMA_CP_ASYNC;
		cmd.global_address = global;
		cmd.size = 4u << rng_below(&g->rng, 3);
		cmd.shared_dst = cta | shared;
		break;
	case CP_ARRIVE:
		cmd.opcode = TMA_CP_ASYNC_MBARRIER_ARRIVE;
		cmd.barrier = cta | barrier;
		break;
	case CANCEL:
		cmd.opcode = TMA_CANCEL;
		break;
	case REDUCE:
	case MULTIMEM_REDUCE:
		cmd.opcode = base == REDUCE ? TMA_BULK_REDUCE : TMA_MULTIMEM_BULK_REDUCE;
		cmd.global_address = global;
		cmd.shared_src = cta | shared;
		reduce_any(g, false, &cmd);
		break;
	case REDUCE_SHARED:
		reduce_any(g, true, &cmd);
		/* fall through */
	case SHARED:
		cmd.opcode = base == SHARED ? TMA_BULK_SHARED : TMA_BULK_REDUCE_SHARED;
		cmd.shared_src = cta | shared;
		cmd.shared_dst = other | shared;
		cmd.barrier = other | barrier;
		break;
	case PREFETCH:
		cmd.opcode = TMA_BULK_PREFETCH;
		cmd.global_address = global;
		break;
	case ARRIVE:
		cmd.opcode = TMA_MBARRIER_ARRIVE;
		cmd.count = 1;
		cmd.barrier = cta | barrier;
		break;
	case EXPECT:
		cmd.opcode = rng_percent(&g->rng, 50) ? TMA_MBARRIER_EXPECT_TX : TMA_MBARRIER_COMPLETE_TX;
		cmd.tx = 16;
		cmd.barrier = cta | barrier;
		break;
	default:
		cmd.opcode = rng_percent(&g->rng, 50) ? TMA_MBARRIER_TRY_WAIT : TMA_MBARRIER_TEST_WAIT;
		cmd.flags = TMA_FLAG_PARITY;
		cmd.barrier = cta | barrier;
	}
	if (base <= PREFETCH || base >= REDUCE)
		cmd.size = CHUNK_BYTES * rng_below(&g->rng, 8);
	return cmd;
}

#define B(base)  (1u << (base))
#define UPDATES  (B(REDUCE) | B(MULTIMEM_REDUCE))
#define COPIES   (B(LOAD) | B(STORE) | B(MULTIMEM) | B(SHARED) | B(PREFETCH) | UPDATES | B(REDUCE_SHARED))
#define GLOBALS  (B(LOAD) | B(STORE) | B(MULTIMEM) | B(PREFETCH) | B(CP) | UPDATES)
#define SOURCES  (B(STORE) | B(MULTIMEM) | B(SHARED) | UPDATES | B(REDUCE_SHARED))
#define TARGETS  (B(LOAD) | B(SHARED) | B(REDUCE_SHARED))
#define BARRIERS (TARGETS | B(ARRIVE) | B(EXPECT) | B(TRY_WAIT) | B(CP_ARRIVE))
#define ALL      (B(NUM_BASES) - 1)

/* Commands that can break a rule. */
static const struct {
	uint16_t fault;
	uint32_t bases;
} rules[] = {
	{ TMA_FAULT_UNKNOWN_VERSION, ALL },
	{ TMA_FAULT_UNKNOWN_OPCODE, ALL },
	{ TMA_FAULT_RESERVED_BITS, ALL },
	{ TMA_FAULT_FLAG_CONFLICT, B(LOAD) | B(ARRIVE) | B(TRY_WAIT) | B(CP) },
	{ TMA_FAULT_SIZE_GRANULE, COPIES },
	{ TMA_FAULT_SIZE_RANGE, COPIES & ~B(PREFETCH) },
	{ TMA_FAULT_COUNT_RANGE, B(ARRIVE) },
	{ TMA_FAULT_TX_RANGE, B(EXPECT) | B(ARRIVE) },
	{ TMA_FAULT_PARITY_RANGE, B(TRY_WAIT) },
	{ TMA_FAULT_CP_SIZE, B(CP) },
	{ TMA_FAULT_SRC_SIZE_RANGE, B(CP) },
	{ TMA_FAULT_PREFETCH_SIZE_RANGE, B(CP) },
	{ TMA_FAULT_GLOBAL_MISALIGNED, GLOBALS },
	{ TMA_FAULT_SRC_MISALIGNED, SOURCES },
	{ TMA_FAULT_DST_MISALIGNED, TARGETS | B(CP) },
	{ TMA_FAULT_BARRIER_MISALIGNED, BARRIERS },
	{ TMA_FAULT_SRC_CTA, SOURCES },
	{ TMA_FAULT_DST_CTA, TARGETS | B(CP) },
	{ TMA_FAULT_DST_NOT_LOCAL, B(LOAD) | B(CP) },
	{ TMA_FAULT_DST_LOCAL, B(SHARED) },
	{ TMA_FAULT_MASK_CTA, B(LOAD) },
	{ TMA_FAULT_BARRIER_CTA, TARGETS | B(ARRIVE) | B(EXPECT) | B(CP_ARRIVE) },
	{ TMA_FAULT_BARRIER_NOT_LOCAL, B(TRY_WAIT) | B(CP_ARRIVE) },
	{ TMA_FAULT_CTA_DENIED, TARGETS | B(ARRIVE) },
	{ TMA_FAULT_SRC_RANGE, SOURCES },
	{ TMA_FAULT_DST_RANGE, TARGETS | B(CP) },
	{ TMA_FAULT_BARRIER_RANGE, BARRIERS },
	{ TMA_FAULT_CANCEL_DENIED, B(CANCEL) },
	{ TMA_FAULT_REDUCE_OP, UPDATES | B(REDUCE_SHARED) },
};

static uint32_t any_rule(struct gen *g)
{
	return rng_below(&g->rng, sizeof(rules) / sizeof(rules[0]) - !g->p->reduce);
}

static uint32_t other_rank(struct gen *g, uint32_t address, bool beyond)
{
	uint32_t rank = beyond ? g->shape->ctas + rng_below(&g->rng, 256 - g->shape->ctas)
	                       : (address >> 24) + 1 + rng_below(&g->rng, g->shape->ctas - 1);

	return (beyond ? rank : rank % g->shape->ctas) << 24 | (address & 0xffffff);
}

/* So near to the end that a few bytes do not fit, or beyond. */
static uint32_t near_end(struct gen *g, uint32_t address, uint32_t bytes, uint32_t grain)
{
	uint32_t offset = g->shape->smem_bytes - bytes + grain * (1 + rng_below(&g->rng, 4));

	return (address & 0xff000000) | offset;
}

static void flip_unused_bit(struct gen *g, struct tma_command *cmd)
{
	uint8_t used[sizeof(*cmd)], bytes[sizeof(*cmd)], bit;
	uint32_t i;

	tma_command_used_bits(cmd, used);
	do {
		i = rng_below(&g->rng, sizeof(bytes));
		bit = (uint8_t)(1u << rng_below(&g->rng, 8));
	} while (used[i] & bit);
	memcpy(bytes, cmd, sizeof(bytes));
	bytes[i] |= bit;
	memcpy(cmd, bytes, sizeof(bytes));
}

static void conflicting_flags(struct tma_command *cmd)
{
	if (cmd->opcode == TMA_BULK_LOAD)
		cmd->flags |= TMA_FLAG_MULTICAST | TMA_FLAG_CTA_LOCAL;
	else if (cmd->opcode == TMA_MBARRIER_ARRIVE)
		cmd->flags |= TMA_FLAG_EXPECT_TX | TMA_FLAG_NO_COMPLETE;
	else if (cmd->opcode == TMA_CP_ASYNC)
		cmd->flags |= TMA_FLAG_SRC_SIZE | TMA_FLAG_IGNORE_SRC;
	else
		cmd->flags |= TMA_FLAG_PARITY | TMA_FLAG_LAST_STATE;
}

/* The CTAs of a multicast: one beyond the cluster, or all, also those that the queue may not touch. */
static void multicast(struct gen *g, struct tma_command *cmd, bool beyond)
{
	cmd->flags |= TMA_FLAG_MULTICAST;
	cmd->cta_mask = (uint16_t)((1u << g->shape->ctas) - 1);
	if (beyond)
		cmd->cta_mask = (uint16_t)(rng_next(&g->rng) | 0x8000);
}

static void break_cta_rule(struct gen *g, struct tma_command *cmd, uint16_t fault)
{
	switch (fault) {
	case TMA_FAULT_SRC_CTA:
		cmd->shared_src = other_rank(g, cmd->shared_src, rng_percent(&g->rng, 50));
		break;
	case TMA_FAULT_DST_CTA:
		cmd->shared_dst = other_rank(g, cmd->shared_dst, true);
		break;
	case TMA_FAULT_DST_NOT_LOCAL:
		cmd->flags |= cmd->opcode == TMA_CP_ASYNC ? 0 : TMA_FLAG_CTA_LOCAL;
		cmd->shared_dst = other_rank(g, cmd->shared_dst, false);
		break;
	case TMA_FAULT_DST_LOCAL:
		cmd->shared_dst = (cmd->shared_src & 0xff000000) | (cmd->shared_dst & 0xffffff);
		break;
	case TMA_FAULT_MASK_CTA:
		multicast(g, cmd, true);
		break;
	case TMA_FAULT_CTA_DENIED:
		if (cmd->opcode == TMA_BULK_LOAD && rng_percent(&g->rng, 60))
			multicast(g, cmd, false);
		else
			cmd->barrier = cmd->shared_dst = other_rank(g, cmd->barrier, false);
		break;
	default:
		cmd->barrier = other_rank(g, cmd->barrier,
		                          fault == TMA_FAULT_BARRIER_CTA && rng_percent(&g->rng, 70));
	}
}

void illegal_break(struct gen *g, struct tma_command *cmd, uint16_t fault)
{
	switch (fault) {
	case TMA_FAULT_UNKNOWN_VERSION:
		cmd->version ^= (uint8_t)(1 + rng_below(&g->rng, 255));
		break;
	case TMA_FAULT_UNKNOWN_OPCODE:
		do
			cmd->opcode = (uint8_t)rng_next(&g->rng);
		while (tma_opcode_name(cmd->opcode));
		break;
	case TMA_FAULT_RESERVED_BITS:
		flip_unused_bit(g, cmd);
		break;
	case TMA_FAULT_FLAG_CONFLICT:
		conflicting_flags(cmd);
		break;
	case TMA_FAULT_SIZE_GRANULE:
		cmd->size += 1 + rng_below(&g->rng, 15);
		break;
	case TMA_FAULT_SIZE_RANGE:
		cmd->size |= 1u << (20 + rng_below(&g->rng, 12));
		break;
	case TMA_FAULT_COUNT_RANGE:
		cmd->count = rng_percent(&g->rng, 40) ? 0 : 1u << (20 + rng_below(&g->rng, 12));
		if (rng_percent(&g->rng, 30)) {
			cmd->flags |= TMA_FLAG_EXPECT_TX;
			cmd->count = 2;
		}
		break;
	case TMA_FAULT_TX_RANGE:
		cmd->tx = 1u << (20 + rng_below(&g->rng, 12));
		cmd->flags |= cmd->opcode == TMA_MBARRIER_ARRIVE ? TMA_FLAG_EXPECT_TX : 0;
		break;
	case TMA_FAULT_PARITY_RANGE:
		cmd->count |= 1u << (1 + rng_below(&g->rng, 31));
		break;
	case TMA_FAULT_CP_SIZE:
		cmd->size = rng_percent(&g->rng, 50) ? rng_below(&g->rng, 33) : 1u << rng_below(&g->rng, 32);
		if (rng_percent(&g->rng, 30))
			cmd->flags |= TMA_FLAG_CG;
		break;
	case TMA_FAULT_SRC_SIZE_RANGE:
		cmd->flags |= TMA_FLAG_SRC_SIZE;
		cmd->count = cmd->size + 1 + (rng_percent(&g->rng, 50) ? 0 : rng_below(&g->rng, 1u << 31));
		break;
	case TMA_FAULT_PREFETCH_SIZE_RANGE:
		cmd->mode |= (uint8_t)(4u << rng_below(&g->rng, 6));
		break;
	case TMA_FAULT_CANCEL_DENIED:
		cmd->count = rng_percent(&g->rng, 50) ? rng_below(&g->rng, g->shape->queues)
		                                      : (uint32_t)rng_next(&g->rng);
		break;
	case TMA_FAULT_REDUCE_OP:
		if (rng_percent(&g->rng, 50))
			cmd->op = (uint8_t)rng_below(&g->rng, rng_percent(&g->rng, 50) ? 8 : 256);
		else
			cmd->type = (uint8_t)rng_below(&g->rng, rng_percent(&g->rng, 50) ? 10 : 256);
		break;
	case TMA_FAULT_GLOBAL_MISALIGNED:
		cmd->global_address += 1 + rng_below(&g->rng, 15);
		break;
	case TMA_FAULT_SRC_MISALIGNED:
		cmd->shared_src += 1 + rng_below(&g->rng, 15);
		break;
	case TMA_FAULT_DST_MISALIGNED:
		cmd->shared_dst += 1 + rng_below(&g->rng, 15);
		break;
	case TMA_FAULT_BARRIER_MISALIGNED:
		cmd->barrier += 1 + rng_below(&g->rng, 7);
		break;
	case TMA_FAULT_SRC_RANGE:
		cmd->shared_src = near_end(g, cmd->shared_src, cmd->size, CHUNK_BYTES);
		break;
	case TMA_FAULT_DST_RANGE:
		cmd->shared_dst = near_end(g, cmd->shared_dst, cmd->size, CHUNK_BYTES);
		break;
	case TMA_FAULT_BARRIER_RANGE:
		cmd->barrier = near_end(g, cmd->barrier, BARRIER_BYTES, BARRIER_BYTES);
		break;
	default:
		break_cta_rule(g, cmd, fault);
	}
}

/* The fault of the command by itself, on an engine whose barriers are all dead. */
uint16_t illegal_judge(const struct gen *g, uint8_t queue, const struct tma_command *cmd)
{
	const struct queue_setup *s = &g->p->queue[queue];
	struct tma_model *m = shape_model(g->shape, g->shape->queues);
	struct tma_queue_status status = { 0 };

	tma_model_queue(
		m, queue,
		&(struct tma_queue_config){
			.enable = 1, .cta = s->cta, .cta_mask = s->cta_mask, .cancel_mask = s->cancel_mask });
	tma_model_submit(m, queue, cmd);
	tma_model_step(m, queue);
	tma_model_queue_status(m, queue, &status);
	tma_model_free(m);
	return status.fault;
}

/* One of the commands that can break the rule does. */
static struct tma_command broken(struct gen *g, uint8_t queue, uint32_t rule)
{
	struct tma_command cmd;
	uint32_t base;

	do
		base = rng_below(&g->rng, g->p->reduce ? NUM_BASES : REDUCE);
	while (!(rules[rule].bases >> base & 1));
	cmd = legal(g, queue, (enum base)base);
	illegal_break(g, &cmd, rules[rule].fault);
	return cmd;
}

struct tma_command illegal_command(struct gen *g, uint8_t queue)
{
	for (uint32_t i = 0; i < TRIES; i++) {
		struct tma_command cmd = broken(g, queue, any_rule(g));
		uint16_t fault;

		/* The lowest code is the one that is reported. */
		if (rng_percent(&g->rng, MORE_PERCENT))
			illegal_break(g, &cmd, rules[any_rule(g)].fault);
		fault = illegal_judge(g, queue, &cmd);
		if (fault && fault < TMA_FAULT_NO_STATE)
			return cmd;
	}
	return (struct tma_command){ .opcode = TMA_SIGNAL, .version = TMA_COMMAND_VERSION + 1 };
}
