/* SPDX-License-Identifier: Apache-2.0 */
/* A list of ranges of 64-bit addresses, each with a number that means something to the user. */
#ifndef RANGES_H
#define RANGES_H

#include <stdbool.h>
#include <stdint.h>

struct range {
	uint64_t first, last; /* both included */
	uint32_t kind, owner;
};

/* Zero-initialised is empty. */
struct ranges {
	struct range *list;
	uint32_t count, room;
};

/** @retval -EINVAL  empty, or wraps at 2^64
 *  @retval -ENOMEM */
int ranges_add(struct ranges *r, uint64_t base, uint64_t size, uint32_t kind, uint32_t owner);
void ranges_clear(struct ranges *r);
/** Remove what @p owner added. */
void ranges_drop(struct ranges *r, uint32_t owner);

/** First range, in the order of ranges_add(), that holds a byte of base..base+size-1 and whose kind
 * has a bit of @p kinds, or NULL. */
const struct range *ranges_touch(const struct ranges *r, uint64_t base, uint64_t size, uint32_t kinds);

#endif
