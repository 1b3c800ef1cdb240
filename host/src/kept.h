/* SPDX-License-Identifier: Apache-2.0 */
/* Records that the library has taken out of a queue, and that its program has not asked for yet. */
#ifndef KEPT_H
#define KEPT_H

#include <stddef.h>

#include "tma.h"

struct kept {
	struct tma_record *records;
	size_t first, count, room; /* records first..count-1 are there */
};

/** Room for one more. @retval TMA_ENOMEM */
int kept_reserve(struct kept *kept);
/** Put one behind the others; there is room. */
void kept_add(struct kept *kept, const struct tma_record *record);
/** Take the oldest. @return 1 it is in *record, 0 there is none */
int kept_take(struct kept *kept, struct tma_record *record);
/** Forget all. */
void kept_clear(struct kept *kept);

#endif
