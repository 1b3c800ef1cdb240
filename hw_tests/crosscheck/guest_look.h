/* SPDX-License-Identifier: Apache-2.0 */
/* guest_look - how far a queue of the engine has come, by its registers. */
#ifndef CROSSCHECK_GUEST_LOOK_H
#define CROSSCHECK_GUEST_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/rig.h"

/**
 * Whether @p queue is at command @p head with these @p bits of STATUS, of those in @p mask. Time passes between the
 * reads, so one look at each is not enough: a queue whose wait ends between them is at the next command, and does
 * not wait for it yet.
 */
bool guest_is_at(struct rig *rig, uint32_t queue, uint32_t mask, uint32_t bits, uint32_t head);

#endif
