/* SPDX-License-Identifier: Apache-2.0 */
/* run_death - a program during which a port stops, and what has to hold then. */
#ifndef CROSSCHECK_RUN_DEATH_H
#define CROSSCHECK_RUN_DEATH_H

#include "crosscheck/run_rtl.h"

/**
 * Run the program that was prepared on an engine that is set up for it; the engine is reset afterwards.
 *
 * Everything comes to rest in bounded time: a queue is done, stopped by PORT_DEAD, or waits for a
 * barrier. Each can be reset and used again. Bytes that no command writes are unchanged; those that
 * one command writes, from bytes that nobody writes, are old or new.
 *
 * @param rtl   memories; becomes what the engine has left
 * @param died  the port was in use when it stopped, or after
 */
bool run_death(struct rig *rig, struct engine *e, const struct program *p, const struct memory *before,
               struct memory *rtl, bool *died, char *text, size_t room);

#endif
