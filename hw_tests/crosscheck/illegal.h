/* SPDX-License-Identifier: Apache-2.0 */
/* illegal - a command that breaks a rule that needs no state: nothing moves, whatever else goes on. */
#ifndef CROSSCHECK_ILLEGAL_H
#define CROSSCHECK_ILLEGAL_H

#include "crosscheck/gen.h"

struct tma_command illegal_command(struct gen *g, uint8_t queue);

/** The same of the commands with tensor maps. opcode 0: none was found. */
struct tma_command illegal_tensor(struct gen *g, uint8_t queue);

/** The parts of both. */
void illegal_break(struct gen *g, struct tma_command *cmd, uint16_t fault);
uint16_t illegal_judge(const struct gen *g, uint8_t queue, const struct tma_command *cmd);

#endif
