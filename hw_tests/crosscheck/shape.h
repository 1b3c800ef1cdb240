/* SPDX-License-Identifier: Apache-2.0 */
/* shape - what a generated program has to know of a configuration. */
#ifndef CROSSCHECK_SHAPE_H
#define CROSSCHECK_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

struct shape {
	const char *name;
	uint32_t data_bytes; /* one beat of a global port */
	uint32_t ctas;
	uint32_t smem_bytes; /* per CTA */
	uint32_t queues;
	uint32_t windows; /* per queue */
	uint32_t ports;
	uint32_t multimem;        /* windows */
	uint32_t maps;            /* tensor maps kept decoded */
	bool packed;              /* padded 4- and 6-bit types are built */
	bool reduce, floats, f64; /* reductions are, those of floating point, and those of f64 */
};

/** NULL: no such configuration. */
const struct shape *shape_find(const char *name);
/** A model of that shape, with so many queues. */
struct tma_model *shape_model(const struct shape *s, uint32_t queues);

#endif
