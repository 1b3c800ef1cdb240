/* SPDX-License-Identifier: Apache-2.0 */
/* Commands made illegal: a legal one with one or a few fields changed, until the model objects. */
#include <stdlib.h>
#include <string.h>

#include "crosscheck/illegal.h"
#include "tma_model.h"

#define TRIES            60
#define ONE_RULE_PERCENT 70
#define AGAIN_PERCENT    85

static uint32_t any_rank(struct gen *g)
{
	return rng_below(&g->rng, rng_percent(&g->rng, 50) ? g->shape->ctas : 256);
}

/* An address beside one that may be right. */
static uint32_t other_address(struct gen *g, uint32_t address)
{
	switch (rng_below(&g->rng, 3)) {
	case 0:
		return address + 1 + rng_below(&g->rng, 15);
	case 1:
		return (address & 0xffffff) | any_rank(g) << 24;
	default:
		return (address & 0xff000000) | (g->shape->smem_bytes - 16 * rng_below(&g->rng, 8));
	}
}

static void change(struct gen *g, struct tma_command *cmd)
{
	uint8_t bytes[sizeof(*cmd)];

	switch (rng_below(&g->rng, 14)) {
	case 0:
		cmd->version = (uint8_t)rng_next(&g->rng);
		break;
	case 1:
		cmd->opcode = (uint8_t)rng_next(&g->rng);
		break;
	case 2:
	case 3:
		/* One bit, wherever: reserved in most places. */
		memcpy(bytes, cmd, sizeof(bytes));
		bytes[rng_below(&g->rng, sizeof(bytes))] ^= (uint8_t)(1u << rng_below(&g->rng, 8));
		memcpy(cmd, bytes, sizeof(bytes));
		break;
	case 4:
		cmd->flags ^= (uint16_t)(1u << rng_below(&g->rng, 16));
		break;
	case 5:
		cmd->size += 1 + rng_below(&g->rng, 15);
		break;
	case 6:
		cmd->size = 1u << (14 + rng_below(&g->rng, 18));
		break;
	case 7:
		cmd->count = rng_percent(&g->rng, 50) ? 0 : 1u << rng_below(&g->rng, 32);
		break;
	case 8:
		cmd->tx = 1u << rng_below(&g->rng, 32);
		break;
	case 9:
		cmd->global_address += 1 + rng_below(&g->rng, 15);
		break;
	case 10:
		cmd->shared_src = other_address(g, cmd->shared_src);
		break;
	case 11:
		cmd->shared_dst = other_address(g, cmd->shared_dst);
		break;
	case 12:
		cmd->barrier = other_address(g, cmd->barrier);
		break;
	default:
		cmd->cta_mask ^= (uint16_t)(1u << rng_below(&g->rng, 16));
	}
}

/* The fault of the command by itself, on an engine whose barriers are all dead. */
static uint16_t judge(const struct gen *g, uint8_t queue, const struct tma_command *cmd)
{
	const struct queue_setup *s = &g->p->queue[queue];
	struct tma_model *m = tma_model_new(&(struct tma_model_config){ .ctas = g->shape->ctas,
	                                                                .smem_bytes = g->shape->smem_bytes,
	                                                                .queues = g->shape->queues,
	                                                                .windows = g->shape->windows,
	                                                                .ports = g->shape->ports,
	                                                                .data_bytes = g->shape->data_bytes });
	struct tma_queue_status status = { 0 };

	if (!m)
		abort();
	tma_model_queue(m, queue,
	                &(struct tma_queue_config){ .enable = 1, .cta = s->cta, .cta_mask = s->cta_mask });
	tma_model_submit(m, queue, cmd);
	tma_model_step(m, queue);
	tma_model_queue_status(m, queue, &status);
	tma_model_free(m);
	return status.fault;
}

/* A command to start from: one of the program's, whosever it is, or an empty one. */
static struct tma_command start(struct gen *g)
{
	const struct program *p = g->p;

	if (!p->num_steps || rng_percent(&g->rng, 10))
		return (struct tma_command){ .opcode = TMA_SIGNAL, .version = TMA_COMMAND_VERSION };
	return p->steps[rng_below(&g->rng, p->num_steps)].cmd;
}

struct tma_command illegal_command(struct gen *g, uint8_t queue)
{
	for (uint32_t i = 0; i < TRIES; i++) {
		uint32_t changes = rng_percent(&g->rng, ONE_RULE_PERCENT) ? 1 : 2 + rng_below(&g->rng, 2);
		struct tma_command cmd = start(g);
		uint16_t fault;

		while (changes--)
			change(g, &cmd);
		fault = judge(g, queue, &cmd);
		/* Most changes hit a bit that has to be zero: not all of those, please. */
		if (fault == TMA_FAULT_RESERVED_BITS && rng_percent(&g->rng, AGAIN_PERCENT))
			continue;
		if (fault && fault < TMA_FAULT_NO_STATE)
			return cmd;
	}
	return (struct tma_command){ .opcode = TMA_SIGNAL, .version = TMA_COMMAND_VERSION + 1 };
}
