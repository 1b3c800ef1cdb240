/* SPDX-License-Identifier: Apache-2.0 */
/* The configurations that the RTL is built as: docs/gen/configuration.md. */
#include <string.h>

#include "shapes.h"

static const struct shape shapes[] = {
	{ "small",
	  { .ctas = 2,
	    .smem_bytes = 16384,
	    .queues = 2,
	    .windows = 4,
	    .ports = 1,
	    .data_bytes = 16,
	    .multimem_windows = 1,
	    .reads = 16,
	    .maps = 2,
	    .without_packed = 1 } },
	{ "default",
	  { .ctas = 4,
	    .smem_bytes = 65536,
	    .queues = 8,
	    .windows = 4,
	    .ports = 2,
	    .data_bytes = 64,
	    .multimem_windows = 2,
	    .reads = 256,
	    .maps = 4 } },
	{ "max",
	  { .ctas = 16,
	    .smem_bytes = 232448,
	    .queues = 16,
	    .windows = 8,
	    .ports = 4,
	    .data_bytes = 128,
	    .multimem_windows = 4,
	    .reads = 128,
	    .maps = 8 } },
};

#define NUM_SHAPES (sizeof(shapes) / sizeof(shapes[0]))

const struct shape *shape_find(const char *name)
{
	size_t i;

	for (i = 0; i < NUM_SHAPES; i++)
		if (!strcmp(shapes[i].name, name))
			return &shapes[i];
	return NULL;
}

const char *shape_name(const struct tma_device_info *info)
{
	size_t i;

	for (i = 0; i < NUM_SHAPES; i++) {
		const struct tma_model_config *m = &shapes[i].model;

		if (m->data_bytes == info->data_bytes && m->ctas == info->ctas &&
		    m->smem_bytes == info->smem_bytes && m->queues == info->queues &&
		    m->windows == info->windows && m->ports == info->ports)
			return shapes[i].name;
	}
	return "custom";
}
