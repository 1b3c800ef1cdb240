/* SPDX-License-Identifier: Apache-2.0 */
/* Random commands for the test of tma_check: legal ones, and what brings them to a rule's limits. */
#ifndef TMA_CHECK_DRAW_H
#define TMA_CHECK_DRAW_H

#include <stdint.h>

#include "lib/rng.h"
#include "tma_check_pins.h"

#define DRAW_OPCODES 31u

struct draw {
	const struct unit_shape *info;
	struct rng *rng;
};

/** Every opcode that there is, and how many of them the build knows. */
extern const uint8_t draw_opcodes[DRAW_OPCODES];
uint32_t draw_known(const struct draw *d);

/** A legal command of any operands, from any queue, which may touch every CTA. */
struct check_in draw_legal(struct draw *d, uint8_t opcode);

/** Move one operand, or a permission of the queue, to one of the places where a rule changes its mind. */
void draw_mutate(struct draw *d, struct check_in *in);

#endif
