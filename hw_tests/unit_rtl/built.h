/* SPDX-License-Identifier: Apache-2.0 */
/* Which reductions a configuration has, if it has any. */
#ifndef BUILT_H
#define BUILT_H

#include <stdbool.h>

#include "tma_abi.h"
#include "unit_rtl/unit.h"

/** Is the arithmetic of this type, a TMA_TYPE_*, built? */
static inline bool built(const struct unit_shape *shape, uint32_t type)
{
	bool floating = type >= TMA_TYPE_F16 && type <= TMA_TYPE_F64;

	return !floating || shape->floats > (type == TMA_TYPE_F64 ? 1u : 0u);
}

#endif
