/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arith - one element of a reduction, on integers alone: dst = OP(dst, src). Semantics 3, M10-M15.
 *
 * Operators and types are TMA_REDUCE_* and TMA_TYPE_*. An element stands in the low bits of 64, those
 * above it are zero; b32 and b64 are words of bits. Add rounds to the nearest, ties to even, keeps subnormals
 * and overflows to infinity. What a NaN comes to depends on the type, as the silicon has it.
 */
#ifndef ARITH_H
#define ARITH_H

#include <stdbool.h>
#include <stdint.h>

/** Bytes of an element: 2, 4 or 8; 0: no such type. */
uint32_t arith_bytes(uint32_t type);

/** @p op on elements of @p type.
 *
 * @param flush  add.f32: subnormal operands and results are zeros of their sign
 * @return the new destination. @p op must be one that the type has: add of all but s64, b32 and b64; min
 *         and max of u32, s32, u64, s64, f16 and bf16; inc and dec of u32; and, or, xor of any.
 */
uint64_t arith_reduce(uint32_t op, uint32_t type, bool flush, uint64_t dst, uint64_t src);

#endif
