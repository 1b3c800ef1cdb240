/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_ref - one element of a reduction by GNU MPFR, for tests of the model and of the RTL.
 *
 * Sums are those of MPFR, whose rounding and subnormal numbers are proven ground; what a NaN comes to is
 * written out beside them (semantics 3, M10-M15). Neither the model's code nor floating point of the host.
 */
#ifndef REDUCE_REF_H
#define REDUCE_REF_H

#include <stdbool.h>
#include <stdint.h>

/** dst = OP(dst, src), the element in the low bits. @p op TMA_REDUCE_*, @p type TMA_TYPE_*, a pair that exists.
 * @p flush: add.f32 takes subnormal numbers for zeros. */
uint64_t reduce_ref(uint32_t op, uint32_t type, bool flush, uint64_t dst, uint64_t src);

/** Give back what MPFR keeps. */
void reduce_ref_end(void);

#endif
