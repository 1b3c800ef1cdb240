/* SPDX-License-Identifier: Apache-2.0 */
/* stats - what the programs of a run have covered. */
#ifndef CROSSCHECK_STATS_H
#define CROSSCHECK_STATS_H

#include <stdio.h>

#include "crosscheck/ptx.h"

struct stats {
	struct guest_counts guest;
	struct ptx_counts ptx; /* zero without --ptx */
	uint64_t programs, shared, steps, cycles;
	uint64_t opcode[256], flag[16], txn[NUM_TXN_KINDS], left_out[NUM_TXN_KINDS], rule[8];
	uint64_t answers[2], faults[256], queues[MAX_QUEUES + 1];
	uint64_t bytes, zero_bytes, empty_masks, targets, pages, misaligned, large, longest_steps;
	uint64_t pokes, resets, both;
	uint64_t with_sm, sm[4], sm_ahead, sm_bytes, gated; /* acts by kind; commands behind an SM */
	uint64_t deaths, late_stops;      /* ports that died, and those that stopped when nobody used them */
	uint64_t commands[2], records[2]; /* on the direct port, on rings */
	uint64_t laps, record_laps, interrupts;
	uint64_t wraps, record_wraps;                            /* of counts, at 2^32 */
	uint64_t modes[8], types[16], swizzles[16], kinds[3][4]; /* tensor copies; kinds: fill, interleave */
	uint64_t clipped, outside, rows, stepped, negative, granules, pairs;
	uint64_t operators[8], shared_updates; /* reductions; those that others may meet */
	uint64_t acts[NUM_ACT_KINDS], act_faults[256];
};

void stats_add(struct stats *s, const struct program *p, const struct result *model);
void stats_add_guest(struct stats *s, const struct guest_counts *c);
void stats_print(FILE *out, const struct stats *s);

#endif
