/* SPDX-License-Identifier: Apache-2.0 */
/* Which CTAs a command's shared addresses name. */
#include "model.h"

/* The first eight bytes of a command, as the address report of several faults. */
uint64_t model_command_header(const struct tma_command *command)
{
	return (uint64_t)command->opcode | (uint64_t)command->version << 8 | (uint64_t)command->mode << 16 |
	       (uint64_t)command->dim << 24 | (uint64_t)command->op << 32 | (uint64_t)command->type << 40 |
	       (uint64_t)command->flags << 48;
}

/* CTAs that receive a copy's data and signal. Multicast ignores the ranks of the addresses. */
uint32_t model_targets(const struct issue *issue)
{
	const struct tma_command *c = issue->command;

	if (has_flag(c, TMA_FLAG_MULTICAST))
		return c->cta_mask;
	return 1u << address_rank(c->shared_dst);
}

/* All CTAs that the command reads, writes or signals. Ranks lie in the cluster by now. */
uint32_t model_touched(const struct issue *issue)
{
	const struct tma_command *c = issue->command;
	unsigned int operands = issue->operation->operands;
	uint32_t touched = 0;

	if (operands & OPERAND_SRC)
		touched |= 1u << address_rank(c->shared_src);
	if (operands & OPERAND_DST)
		touched |= model_targets(issue);
	if ((operands & OPERAND_BARRIER) && !has_flag(c, TMA_FLAG_MULTICAST))
		touched |= 1u << address_rank(c->barrier);
	return touched;
}

unsigned char *model_shared(const struct tma_model *m, uint32_t rank, uint32_t offset)
{
	return m->smem[rank] + offset;
}
