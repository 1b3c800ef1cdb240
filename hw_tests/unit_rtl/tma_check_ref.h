/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reference of the rules that follow from a command alone, written from the table of faults.
 *
 * Every rule is a function that says whether a command breaks it; their table is in code order.
 * Which fields and flags an opcode has is a table of its own here, not the generated one.
 */
#ifndef TMA_CHECK_REF_H
#define TMA_CHECK_REF_H

#include <stdbool.h>
#include <stdint.h>

#include "unit_rtl/barrier_ref.h"
#include "tma_check_pins.h"

struct check_fault {
	uint32_t code; /* 0 none */
	uint64_t address;
};

struct check_fault check_ref_fault(const struct unit_shape *info, const struct check_in *in);

/** CTAs whose barriers a legal command works on, those that it signals twice, and what it does to them. */
uint32_t check_ref_ctas(const struct tma_command *c, uint32_t *again);
enum bar_op check_ref_op(const struct tma_command *c);

/** Whether a bulk reduction to this kind of memory may have this operator and this type. */
bool check_ref_pair(const struct unit_shape *info, bool shared, uint32_t op, uint32_t type);

#endif
