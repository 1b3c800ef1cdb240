/* SPDX-License-Identifier: Apache-2.0 */
/* What a model is built with, so that it is the model of a given engine. */
#ifndef REDUCTIONS_H
#define REDUCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "tma_model.h"

/* Value of `reductions` of a struct tma_model_config, by what an engine's CAP says: are there any, those of
 * floating point, those of f64? */
static inline uint32_t reductions_of(bool built, bool floats, bool f64)
{
	if (!built)
		return 0;
	return TMA_MODEL_REDUCE | (f64 ? TMA_MODEL_REDUCE_F64 : 0) | (floats ? 0 : TMA_MODEL_REDUCE_INTEGERS);
}

#endif
