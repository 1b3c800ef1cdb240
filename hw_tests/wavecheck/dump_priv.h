/* SPDX-License-Identifier: Apache-2.0 */
/* What the two halves of the dump reader share: names to variables, variables to values. */
#ifndef WAVECHECK_DUMP_PRIV_H
#define WAVECHECK_DUMP_PRIV_H

#include "wavecheck/dump.h"

/* A variable of the dump that holds a port or an element of one. */
struct var {
	uint32_t handle, bits;
	uint8_t *value; /* bit i in byte i / 8 */
};

/* Where an element of a port is. */
struct place {
	char *name; /* full */
	uint32_t var, lsb, bits;
};

struct dump {
	void *fst;
	struct shape shape;
	int exponent; /* of its unit of time in seconds: 10 to it; known at the end of reading */
	uint32_t max_handle, longest;
	int32_t *by_handle; /* index of the variable, -1: none of ours */
	struct var vars[NUM_PORTS * DUMP_MAX_UNITS];
	uint32_t num_vars;
	struct place place[NUM_PORTS][DUMP_MAX_UNITS];
	/* Handles of the constants, 0: not in the dump. */
	uint32_t smem_bytes, windows, multimem, packed, reductions, floats;
	char error[512];
};

/* Find the engine's scope, its ports and its shape. NULL or an error. */
const char *dump_bind(struct dump *d, const char *scope);

#endif
