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

void c_used_bits(unsigned int opcode, unsigned int flags, uint32_t *used)
{
	struct tma_command command;
	uint8_t bytes[sizeof(command)];

	memset(&command, 0, sizeof(command));
	command.opcode = (uint8_t)opcode;
	command.flags = (uint16_t)flags;
	tma_command_used_bits(&command, bytes);
	/* Word 0 of the vector holds bits 31:0, so both sides are little-endian. */
	memcpy(used, bytes, sizeof(bytes));
}

/* Bit 0: the opcode names a command, bit 1: it answers, bit 2: it is a reduction. */
unsigned int c_command(unsigned int opcode)
{
	const char *needs = tma_opcode_info((uint8_t)opcode)->needs;

	return (tma_opcode_name((uint8_t)opcode) ? 1u : 0u) |
	       (tma_command_answers((uint8_t)opcode) ? 2u : 0u) |
	       (needs && !strcmp(needs, "REDUCE") ? 4u : 0u);
}

#ifdef __cplusplus
}
#endif
