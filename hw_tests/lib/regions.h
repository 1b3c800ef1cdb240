/* SPDX-License-Identifier: Apache-2.0 */
/* Host memory by the 64-bit addresses at which an engine sees it. Zero-initialised is empty. */
#ifndef REGIONS_H
#define REGIONS_H

#include <stdint.h>

struct region {
	uint64_t first, last;
	uint8_t *memory;
};

struct regions {
	struct region *list;
	uint32_t count;
};

/** @p base and @p size are multiples of 4096.
 * @retval -EINVAL  they are not, or the region is empty, wraps or overlaps another
 * @retval -ENOMEM */
int regions_add(struct regions *r, uint64_t base, uint64_t size, void *memory);
/** Drop the region that begins at @p base, if there is one; all. */
void regions_drop(struct regions *r, uint64_t base);
void regions_clear(struct regions *r);
/** What backs this address, or NULL: nothing does. */
uint8_t *regions_at(const struct regions *r, uint64_t addr);

#endif
