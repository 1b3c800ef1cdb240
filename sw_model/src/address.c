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

/* The shared source of a store or reduction; that of one of a tensor stands where others have a destination. */
uint32_t model_source(const struct tma_command *command)
{
	return model_to_tensor(command) ? command->shared_dst : command->shared_src;
}

/* CTAs that receive a copy's data. Multicast ignores the rank of the destination. */
uint32_t model_targets(const struct issue *issue)
{
	const struct tma_command *c = issue->command;

	if (has_flag(c, TMA_FLAG_MULTICAST))
		return c->cta_mask;
	return 1u << address_rank(c->shared_dst);
}

/* The CTA whose barrier hears of the data of CTA `target`: that one, with CTA_GROUP_2 the one of its pair
 * that the barrier's address chooses. */
uint32_t model_barrier_rank(const struct tma_command *command, uint32_t target)
{
	if (has_flag(command, TMA_FLAG_CTA_GROUP_2))
		return (target & ~1u) | (address_rank(command->barrier) & 1);
	return target;
}

/* CTAs whose barriers a copy signals. */
static uint32_t signalled(const struct issue *issue)
{
	uint32_t targets = model_targets(issue), barriers = 0;

	for (uint32_t target = 0; targets >> target; target++)
		if (targets >> target & 1)
			barriers |= 1u << model_barrier_rank(issue->command, target);
	return barriers;
}

/* All CTAs that the command reads, writes or signals. Ranks lie in the cluster by now. */
uint32_t model_touched(const struct issue *issue)
{
	const struct tma_command *c = issue->command;
	unsigned int operands = issue->operation->operands;
	uint32_t touched = 0;

	if (operands & OPERAND_SRC)
		touched |= 1u << address_rank(model_source(c));
	if (operands & OPERAND_DST)
		touched |= model_targets(issue);
	if (operands & OPERAND_BARRIER)
		touched |= operands & OPERAND_DST ? signalled(issue) : 1u << address_rank(c->barrier);
	return touched;
}

unsigned char *model_shared(const struct tma_model *m, uint32_t rank, uint32_t offset)
{
	return m->smem[rank] + offset;
}
