/* SPDX-License-Identifier: Apache-2.0 */
/* run_guest - the lives of the guest in the engine, while the other queues run. */
#ifndef CROSSCHECK_RUN_GUEST_H
#define CROSSCHECK_RUN_GUEST_H

#include <stddef.h>

#include "crosscheck/guest.h"
#include "lib/rig.h"

/**
 * The program's commands are with the rig; time passes in here alone.
 *
 * @param before  memories before the program
 * @param global  what the engine sees of them on the first port
 * @param counts  acts, and those while another queue was busy: counted on
 * @return false: something is not as it should be; @p text says what
 */
bool run_guest(struct rig *rig, const struct program *p, const struct memory *before, const uint8_t *global,
               struct guest_counts *counts, char *text, size_t room);

#endif
