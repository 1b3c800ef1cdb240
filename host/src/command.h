/* SPDX-License-Identifier: Apache-2.0 */
/* How every function of an instruction begins. */
#ifndef COMMAND_H
#define COMMAND_H

#include <string.h>

#include "tma_command.h"

static inline void start(struct tma_command *command, enum tma_opcode opcode, uint32_t flags)
{
	memset(command, 0, sizeof(*command));
	command->opcode = (uint8_t)opcode;
	command->version = TMA_COMMAND_VERSION;
	command->flags = (uint16_t)flags;
}

static inline void start_barrier(struct tma_command *command, enum tma_opcode opcode, uint32_t flags,
                                 uint32_t mbar)
{
	start(command, opcode, flags);
	command->barrier = mbar;
}

#endif
