/* SPDX-License-Identifier: Apache-2.0 */
/* run_acts - acts after a program, on the model and on the RTL. */
#ifndef CROSSCHECK_RUN_ACTS_H
#define CROSSCHECK_RUN_ACTS_H

#include "crosscheck/ptx.h"
#include "crosscheck/run_rtl.h"

/**
 * Both have come to rest with this program, and agree.
 *
 * @param model  the model's result; becomes that after the acts, as @p rtl does
 * @param done   how often each act was done, faults by code: counted on
 * @param list   print them
 * @param ptx    their commands go through PTX text, and are counted; NULL: they do not
 * @return false: they differ, or the engine hangs; @p text says how
 */
bool run_acts(struct engine *e, const struct program *p, struct feed *f, struct result *model,
              struct result *rtl, uint64_t done[NUM_ACT_KINDS], uint64_t faults[256], bool list,
              struct ptx_counts *ptx, char *text, size_t room);

#endif
