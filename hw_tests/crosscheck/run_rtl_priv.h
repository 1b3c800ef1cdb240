/* SPDX-License-Identifier: Apache-2.0 */
/* run_rtl_priv - what the sources of run_rtl share. */
#ifndef CROSSCHECK_RUN_RTL_PRIV_H
#define CROSSCHECK_RUN_RTL_PRIV_H

#include "crosscheck/run_rtl.h"
#include "crosscheck/sm.h"
#include "lib/rig.h"

struct engine {
	const struct shape *shape;
	struct rig *rig;
	struct memory memory; /* before the program in work */
	uint8_t *global;      /* what the engine sees */
	uint8_t *port[MAX_PORTS];
	uint8_t *rings;
	struct trace *trace; /* NULL: between programs */
	const struct program *p;
	uint32_t pokes; /* given to the external ports */
	struct smem *smem;
	struct sm_run *sms;
	bool *submitted; /* by step */
	uint32_t first;  /* step that is not */
	uint64_t counters[COUNTED];
};

/* run_rtl_setup.c */
/** Cycles for a program: a command may take a latency of its own, with every stall. */
uint64_t engine_limit(const struct program *p);
void engine_count(struct engine *e, uint64_t counters[COUNTED]);

#endif
