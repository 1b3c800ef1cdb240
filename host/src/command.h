/* SPDX-License-Identifier: Apache-2.0 */
/* How every function of an instruction begins, and what it makes of operands that no command can hold. */
#ifndef COMMAND_H
#define COMMAND_H

#include <string.h>

#include "tma_command.h"

/* An operand of a byte: what does not fit becomes the one value that is never right. */
static inline uint8_t byte_or_wrong(uint32_t value)
{
	return value < UINT8_MAX ? (uint8_t)value : UINT8_MAX;
}

/* @return false: there is no command to fill */
static inline bool start(struct tma_command *command, enum tma_opcode opcode, uint32_t flags)
{
	if (!command)
		return false;
	memset(command, 0, sizeof(*command));
	command->opcode = (uint8_t)opcode;
	command->version = TMA_COMMAND_VERSION;
	command->flags = (uint16_t)flags;
	return true;
}

static inline bool start_barrier(struct tma_command *command, enum tma_opcode opcode, uint32_t flags,
                                 uint32_t mbar)
{
	if (!start(command, opcode, flags))
		return false;
	command->barrier = mbar;
	return true;
}

/* For modifiers. */
static inline void set_flag(struct tma_command *command, uint32_t flag)
{
	if (command)
		command->flags |= (uint16_t)flag;
}

#endif
