/* SPDX-License-Identifier: Apache-2.0 */
/* The configurations, so that programs can be made without an engine; a run compares them with it. */
#include "crosscheck/shape.h"

#include <stddef.h>
#include <string.h>

#include "lib/must.h"
#include "lib/reductions.h"
#include "tma_model.h"

static const struct shape shapes[] = {
	{ "small", 16, 2, 16384, 2, 4, 1, 1, 2, false, true, true, false },
	{ "default", 64, 4, 65536, 8, 4, 2, 2, 4, true, true, true, true },
	{ "max", 128, 16, 232448, 16, 8, 4, 4, 8, true, true, true, true },
};

const struct shape *shape_find(const char *name)
{
	for (unsigned int i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (!strcmp(shapes[i].name, name))
			return &shapes[i];
	return NULL;
}

struct tma_model *shape_model(const struct shape *s, uint32_t queues)
{
	uint32_t reductions = reductions_of(s->reduce, s->floats, s->f64);

	return must(tma_model_new(&(struct tma_model_config){ .ctas = s->ctas,
	                                                      .smem_bytes = s->smem_bytes,
	                                                      .queues = queues,
	                                                      .windows = s->windows,
	                                                      .ports = s->ports,
	                                                      .data_bytes = s->data_bytes,
	                                                      .multimem_windows = s->multimem,
	                                                      .maps = s->maps,
	                                                      .without_packed = !s->packed,
	                                                      .reductions = reductions }));
}
