/* SPDX-License-Identifier: Apache-2.0 */
/* Random completion records, for the tests of the units that they pass through. */
#ifndef RECORD_DRAW_H
#define RECORD_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/rng.h"
#include "tma_abi.h"

/** A record of a queue: of a fault, or an answer. All fields are drawn, but the phase is 0. */
struct tma_record record_draw(struct rng *rng, uint32_t queue, bool fault);

#endif
