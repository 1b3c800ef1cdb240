/* SPDX-License-Identifier: Apache-2.0 */
/*
 * barrier_ref - what one operation does to an mbarrier object, written down as plainly as possible.
 *
 * Thread-safe, no state.
 */
#ifndef BARRIER_REF_H
#define BARRIER_REF_H

#include <stdbool.h>
#include <stdint.h>

/* As the RTL numbers them. */
enum bar_op {
	BAR_CHECK,
	BAR_INIT,
	BAR_INVAL,
	BAR_EXPECT,
	BAR_COMPLETE,
	BAR_ARRIVE,
	BAR_TEST,
	BAR_PEND,
	BAR_OPS,
};

struct bar_request {
	uint32_t op, count, tx; /* 20 bits each */
	uint8_t drop, no_complete;
};

/* Fields of an object. */
struct bar_fields {
	uint32_t expected, pending;
	int32_t tx; /* -2^20 .. 2^20-1 */
	uint32_t phase, live;
};

struct bar_fields bar_unpack(uint64_t word);
uint64_t bar_pack(struct bar_fields f);

/** Fault code, 0 none; then *word is changed if the operation changes it, and *flip says whether a
 * phase was completed. */
uint32_t bar_apply(uint64_t *word, const struct bar_request *r, bool *flip);

#endif
