/* SPDX-License-Identifier: Apache-2.0 */
/* vec_rules - what the vector format allows in a record's and in a program step's fields. */
#ifndef VEC_RULES_H
#define VEC_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/vec.h"

#define VEC_MAX_COUNT ((1u << 20) - 1) /* of an mbarrier: count and tx */

/* A field that breaks a rule. The strings are static. */
struct vec_bad {
	const char *field, *rule;
	uint64_t value;
};

/** The record's payload is the global region afterwards, not the shared windows. */
bool vec_writes_global(uint32_t op);

/** The op's operands are a tensor map and coordinates. */
bool vec_is_tensor(uint32_t op);

/** im2col offsets, or wHalo and wOffset, of a tensor op: so many of `offs` are operands. */
uint32_t vec_offsets(const struct vec_record *r);

/** Bytes of payload that the (checked) fields call for. */
uint64_t vec_payload_bytes(const struct vec_record *r);

/** Check all fields but size. -1 and *bad filled, or 0. */
int vec_check_fields(const struct vec_record *r, struct vec_bad *bad);

/** Check a step; *has_state tells whether an arrive has returned a state before. As above. */
int vec_check_step(const struct vec_step *step, bool *has_state, struct vec_bad *bad);

#endif
