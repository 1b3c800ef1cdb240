/* SPDX-License-Identifier: Apache-2.0 */
/* Commands with tensor maps made illegal, by rules that need no map. */
#include "crosscheck/illegal.h"
#include "tma_tables.h"

#define TRIES        20
#define MORE_PERCENT 30
#define BOX_ALIGN    128u

enum { LOAD = 1, STORE = 2, PREFETCH = 4, OF_MAP = 8 };

#define COPIES (LOAD | STORE | PREFETCH)
#define ALL    (COPIES | OF_MAP)

/* Commands that can break a rule. */
static const struct {
	uint16_t fault;
	uint8_t commands;
} rules[] = {
	{ TMA_FAULT_UNKNOWN_VERSION, ALL }, { TMA_FAULT_RESERVED_BITS, ALL },
	{ TMA_FAULT_FLAG_CONFLICT, LOAD },  { TMA_FAULT_SRC_MISALIGNED, STORE },
	{ TMA_FAULT_DST_MISALIGNED, LOAD }, { TMA_FAULT_BARRIER_MISALIGNED, LOAD },
	{ TMA_FAULT_MAP_MISALIGNED, ALL },  { TMA_FAULT_TENSOR_MODE, COPIES },
	{ TMA_FAULT_TENSOR_DIM, COPIES },   { TMA_FAULT_TENSOR_UNUSED, COPIES },
	{ TMA_FAULT_SRC_CTA, STORE },       { TMA_FAULT_DST_CTA, LOAD },
	{ TMA_FAULT_DST_NOT_LOCAL, LOAD },  { TMA_FAULT_MASK_CTA, LOAD },
	{ TMA_FAULT_BARRIER_CTA, LOAD },    { TMA_FAULT_CTA_DENIED, LOAD },
	{ TMA_FAULT_BARRIER_RANGE, LOAD },
};

#define NUM_RULES (sizeof(rules) / sizeof(rules[0]))

static struct tma_command legal(struct gen *g, uint8_t queue, uint8_t commands)
{
	const struct map_slot *m = &g->map[rng_below(&g->rng, g->num_map_slots)];
	uint32_t cta = (uint32_t)g->p->queue[queue].cta << 24;
	struct tma_command cmd = { .opcode = TMA_PREFETCH_TENSORMAP };
	uint8_t which;

	do
		which = (uint8_t)(1u << rng_below(&g->rng, 4));
	while (!(commands & which));
	if (which == OF_MAP && rng_percent(&g->rng, 50))
		cmd.opcode = TMA_MAP_FENCE;
	if (which != OF_MAP)
		cmd = tensor_command(g, &m->map,
		                     which == LOAD    ? TMA_TENSOR_LOAD
		                     : which == STORE ? TMA_TENSOR_STORE
		                                      : TMA_TENSOR_PREFETCH);
	/* The wide kinds have none. */
	if (which == STORE && m->map.wide)
		cmd = (struct tma_command){ .opcode = TMA_TENSOR_STORE, .dim = 1 };
	cmd.version = TMA_COMMAND_VERSION;
	cmd.global_address = g->p->global_base + m->at;
	if (which == LOAD || which == STORE)
		cmd.shared_dst = cta | g->area.reserve_at;
	if (which == LOAD)
		cmd.barrier = cta | g->area.scratch_offset[SCRATCH_THREE];
	return cmd;
}

/* Coordinates and offsets that the copy has no use for, or the fields themselves. */
static void break_shape(struct gen *g, struct tma_command *cmd, uint16_t fault)
{
	if (fault == TMA_FAULT_TENSOR_MODE)
		cmd->mode = (uint8_t)(rng_percent(&g->rng, 50) ? rng_below(&g->rng, 8) : rng_next(&g->rng));
	else if (fault == TMA_FAULT_TENSOR_DIM)
		cmd->dim = (uint8_t)(rng_percent(&g->rng, 70) ? rng_below(&g->rng, 8) : rng_next(&g->rng));
	else if (rng_percent(&g->rng, 50))
		cmd->coord[rng_below(&g->rng, MAX_RANK)] = 1 << rng_below(&g->rng, 31);
	else
		cmd->im2col[rng_below(&g->rng, MAX_SPATIAL)] = (uint16_t)(1u << rng_below(&g->rng, 16));
}

static void break_one(struct gen *g, struct tma_command *cmd, uint16_t fault)
{
	switch (fault) {
	case TMA_FAULT_TENSOR_MODE:
	case TMA_FAULT_TENSOR_DIM:
	case TMA_FAULT_TENSOR_UNUSED:
		break_shape(g, cmd, fault);
		break;
	case TMA_FAULT_MAP_MISALIGNED:
		cmd->global_address += 1 + rng_below(&g->rng, MAP_ALIGN - 1);
		break;
	case TMA_FAULT_SRC_MISALIGNED:
	case TMA_FAULT_DST_MISALIGNED:
		cmd->shared_dst += 1 + rng_below(&g->rng, BOX_ALIGN - 1);
		break;
	case TMA_FAULT_FLAG_CONFLICT:
		cmd->flags |= TMA_FLAG_MULTICAST | TMA_FLAG_CTA_LOCAL;
		break;
	case TMA_FAULT_SRC_CTA:
		cmd->shared_dst += (1 + rng_below(&g->rng, 255)) << 24;
		break;
	case TMA_FAULT_CTA_DENIED:
	case TMA_FAULT_BARRIER_CTA:
		/* With pairs, or with a mask, or neither. */
		if (rng_percent(&g->rng, 50))
			cmd->flags |= TMA_FLAG_CTA_GROUP_2;
		if (rng_percent(&g->rng, 50)) {
			cmd->flags |= TMA_FLAG_MULTICAST;
			cmd->cta_mask = (uint16_t)(rng_next(&g->rng) & ((1u << g->shape->ctas) - 1));
		}
		cmd->barrier += rng_below(&g->rng, g->shape->ctas + 1) << 24;
		if (rng_percent(&g->rng, 40))
			cmd->shared_dst += rng_below(&g->rng, g->shape->ctas) << 24;
		break;
	default:
		illegal_break(g, cmd, fault);
	}
}

static bool can_break(uint32_t rule, const struct tma_command *cmd)
{
	uint8_t command = cmd->opcode == TMA_TENSOR_LOAD       ? LOAD
	                  : cmd->opcode == TMA_TENSOR_STORE    ? STORE
	                  : cmd->opcode == TMA_TENSOR_PREFETCH ? PREFETCH
	                                                       : OF_MAP;

	return rules[rule].commands & command;
}

struct tma_command illegal_tensor(struct gen *g, uint8_t queue)
{
	for (uint32_t i = 0; i < TRIES; i++) {
		uint32_t rule = rng_below(&g->rng, NUM_RULES), more = rng_below(&g->rng, NUM_RULES);
		struct tma_command cmd = legal(g, queue, rules[rule].commands);
		uint16_t fault;

		break_one(g, &cmd, rules[rule].fault);
		/* The lowest code is the one that is reported. */
		if (rng_percent(&g->rng, MORE_PERCENT) && can_break(more, &cmd))
			break_one(g, &cmd, rules[more].fault);
		fault = illegal_judge(g, queue, &cmd);
		if (fault && fault < TMA_FAULT_NO_STATE)
			return cmd;
	}
	return (struct tma_command){ 0 };
}
