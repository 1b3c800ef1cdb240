/* SPDX-License-Identifier: Apache-2.0 */
/* The C header's answers, for used_bits.sv. */
#include <stdint.h>
#include <string.h>

#include "tma_tables.h"

#ifdef __cplusplus
extern "C" {
#endif

void c_used_bits(unsigned int opcode, unsigned int flags, uint32_t *used);
unsigned int c_command(unsigned int opcode);

/* What the package does not have is unknown to it. */
static uint8_t built(unsigned int opcode)
{
	return tma_opcode_info((uint8_t)opcode)->needs ? 0 : (uint8_t)opcode;
}

void c_used_bits(unsigned int opcode, unsigned int flags, uint32_t *used)
{
	struct tma_command command;
	uint8_t bytes[sizeof(command)];

	memset(&command, 0, sizeof(command));
	command.opcode = built(opcode);
	command.flags = (uint16_t)flags;
	tma_command_used_bits(&command, bytes);
	/* Word 0 of the vector holds bits 31:0, so both sides are little-endian. */
	memcpy(used, bytes, sizeof(bytes));
}

/* Bit 0: the opcode names a command, bit 1: it answers. */
unsigned int c_command(unsigned int opcode)
{
	return (tma_opcode_name(built(opcode)) ? 1u : 0u) | (tma_command_answers(built(opcode)) ? 2u : 0u);
}

#ifdef __cplusplus
}
#endif
