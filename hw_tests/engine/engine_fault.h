/* SPDX-License-Identifier: Apache-2.0 */
/* The programs of fault_cases.h on the Verilated engine. */
#ifndef ENGINE_FAULT_H
#define ENGINE_FAULT_H

#include "lib/rig.h"
#include "engine/fault_cases.h"

/* How FAULT_QUEUE gets going again. */
enum engine_recovery {
	ENGINE_AS_THE_PROGRAM, /* if that says that the fault lasts: the engine's reset */
	ENGINE_MENDED,         /* another command in the slot of the one that failed, RESUME at it */
	ENGINE_RESET,          /* RESET of the queue, then windows if the program closed some */
	ENGINE_RECOVERIES,
};

struct engine;

/** @return NULL  no such configuration, or no memory */
struct engine *engine_open(const char *config, const struct rig_opts *opts);
/** @return failures of the rig, and bytes of shared memory that a program must not have touched */
int engine_close(struct engine *e);

struct fault_shape engine_shape(const struct engine *e);
uint32_t engine_data_bytes(const struct engine *e);

/** Can a program be run like this? */
bool engine_recovers(const struct fault_program *p, enum engine_recovery how);

/** Run a program in an engine that was reset.
 * @return NULL: as it must be; else what is not */
const char *engine_run(struct engine *e, const struct fault_program *p, enum engine_recovery how);

#endif
