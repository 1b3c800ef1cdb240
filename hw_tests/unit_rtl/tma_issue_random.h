/* SPDX-License-Identifier: Apache-2.0 */
/* Commands for the issue stage, and what happens round it. Numbers come from the env's own rng. */
#ifndef TMA_ISSUE_RANDOM_H
#define TMA_ISSUE_RANDOM_H

#include "unit_rtl/tma_issue_env.h"

struct issue_issue issue_command(uint32_t queue, uint8_t opcode, uint16_t flags);
/** Let it work on a barrier. */
void issue_on_barrier(struct issue_issue *x, uint32_t cta, uint32_t barrier);

/** Push any command; there is room. */
void issue_random_command(struct env *e, uint32_t queue);
/** Other queues and copies: barriers, groups and room move, queues stop, are cancelled, go on. */
void issue_disturb(struct env *e, bool restless);
/** Which queues have a ring for their records. */
void issue_random_room(struct env *e);

#endif
