/* SPDX-License-Identifier: Apache-2.0 */
#include "serial_memory.h"

#include <stdlib.h>

#include "tma.h"

int serial_memory_take(struct serial_memory *memory, uint64_t bytes, uint64_t *address)
{
	struct serial_block **place = &memory->blocks, *block;
	uint64_t from = memory->base, end = memory->base + memory->bytes;

	for (; *place && (*place)->address - from < bytes; place = &(*place)->next)
		from = (*place)->address + (*place)->bytes;
	if (!*place && end - from < bytes)
		return TMA_ENOSPC;
	block = malloc(sizeof(*block));
	if (!block)
		return TMA_ENOMEM;
	*block = (struct serial_block){ from, bytes, *place };
	*place = block;
	*address = from;
	return 0;
}

void serial_memory_give(struct serial_memory *memory, uint64_t address)
{
	struct serial_block **place = &memory->blocks, *block;

	while ((*place)->address != address)
		place = &(*place)->next;
	block = *place;
	*place = block->next;
	free(block);
}
