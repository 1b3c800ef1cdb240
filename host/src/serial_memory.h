/* SPDX-License-Identifier: Apache-2.0 */
/* serial_memory - which pages of a board's memory are given: first fit, from its first address on. No two buffers
 * touch: a page stays free between them. */
#ifndef SERIAL_MEMORY_H
#define SERIAL_MEMORY_H

#include <stdint.h>

struct serial_block {
	uint64_t offset, bytes;    /* with the page behind it */
	struct serial_block *next; /* at a higher one */
};

struct serial_memory {
	uint64_t base, bytes;
	struct serial_block *blocks;
};

/** Take the lowest gap that is large enough. @return TMA_ENOSPC, TMA_ENOMEM */
int serial_memory_take(struct serial_memory *memory, uint64_t bytes, uint64_t *address);
/** Give back what was taken there. */
void serial_memory_give(struct serial_memory *memory, uint64_t address);

#endif
