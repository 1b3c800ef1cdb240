/* SPDX-License-Identifier: Apache-2.0 */
/* The configurations that the RTL is built as, by name. */
#ifndef SHAPES_H
#define SHAPES_H

#include "tma.h"
#include "tma_model.h"

struct shape {
	const char *name;
	struct tma_model_config model;
};

/** NULL: there is none of that name. */
const struct shape *shape_find(const char *name);
/** Name of the one that an engine is, as its capabilities show it; "custom" if it is none. */
const char *shape_name(const struct tma_device_info *info);

#endif
