/* SPDX-License-Identifier: Apache-2.0 */
/* What a test or a tool cannot do without, memory above all: it says so and ends. */
#ifndef MUST_H
#define MUST_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static inline void *must(void *p)
{
	if (!p) {
		fprintf(stderr, "out of memory\n");
		abort();
	}
	return p;
}

/* realloc() for one more element of an array. */
static inline void *must_grow(void *array, uint32_t count, uint32_t *room, size_t size)
{
	if (count < *room)
		return array;
	*room = *room ? 2 * *room : 64;
	return must(realloc(array, *room * size));
}

#endif
