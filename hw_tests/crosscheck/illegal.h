/* SPDX-License-Identifier: Apache-2.0 */
/* illegal - a command that breaks a rule that needs no state: nothing moves, whatever else goes on. */
#ifndef CROSSCHECK_ILLEGAL_H
#define CROSSCHECK_ILLEGAL_H

#include "crosscheck/gen.h"

struct tma_command illegal_command(struct gen *g, uint8_t queue);

#endif
