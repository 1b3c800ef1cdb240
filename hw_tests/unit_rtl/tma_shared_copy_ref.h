/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions in shared memory as semantics 1.5 and 3 say them. */
#ifndef TMA_SHARED_COPY_REF_H
#define TMA_SHARED_COPY_REF_H

#include <stdint.h>

/* Operators and types that go together: TMA_REDUCE_*, TMA_TYPE_*. */
struct pair {
	uint8_t op, type;
};

#define PAIRS 12u
extern const struct pair shared_pairs[PAIRS];

/** Bytes of an element of a pair. */
uint32_t pair_bytes(struct pair pair);

/** OP(dst, src) of one element, in the low bits. */
uint64_t pair_result(struct pair pair, uint64_t dst, uint64_t src);

#endif
