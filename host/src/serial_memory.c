/* SPDX-License-Identifier: Apache-2.0 */
#include "serial_memory.h"

#include <stdlib.h>

#include "backend.h"

int serial_memory_take(struct serial_memory *memory, uint64_t bytes, uint64_t *address)
{
	struct serial_block **place = &memory->blocks, *block;
	/* As if the memory had a page more, as the last buffer needs none behind it. */
	uint64_t from = 0, left = memory->bytes + PAGE_BYTES;

	if (bytes > memory->bytes)
		return TMA_ENOSPC;
	bytes += PAGE_BYTES;
	for (; *place && (*place)->offset - from < bytes; place = &(*place)->next)
		from = (*place)->offset + (*place)->bytes;
	if (!*place && left - from < bytes)
		return TMA_ENOSPC;
	block = malloc(sizeof(*block));
	if (!block)
		return TMA_ENOMEM;
	*block = (struct serial_block){ from, bytes, *place };
	*place = block;
	*address = memory->base + from;
	return 0;
}

void serial_memory_give(struct serial_memory *memory, uint64_t address)
{
	struct serial_block **place = &memory->blocks, *block;

	while (memory->base + (*place)->offset != address)
		place = &(*place)->next;
	block = *place;
	*place = block->next;
	free(block);
}
