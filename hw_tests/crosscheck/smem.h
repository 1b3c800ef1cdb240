/* SPDX-License-Identifier: Apache-2.0 */
/*
 * smem - when each step of a program wrote and read shared memory, as the memory saw it, and whether that
 * was in time.
 *
 * A byte that several steps write is written by them one after the other, so a write belongs to the oldest
 * step that has still to write its bytes. What a step writes is reckoned here from its command alone.
 */
#ifndef CROSSCHECK_SMEM_H
#define CROSSCHECK_SMEM_H

#include "crosscheck/trace.h"

struct smem_seen {
	uint64_t wrote;          /* cycle of its last write, NOT_SEEN: none */
	uint32_t left[MAX_CTAS]; /* bytes that it has not written yet */
	bool judged;             /* false: nobody can say which bytes it writes */
	bool timed;              /* false: nor when, as others may write them as well */
};

/* One barrier took a signal. */
struct smem_signal {
	uint64_t cycle;
	uint8_t cta;
	bool arrive;
	uint32_t offset, tx;
};

struct smem;

struct smem *smem_new(const struct program *p);
void smem_free(struct smem *m);
/* In every cycle. */
void smem_cycle(struct smem *m, uint64_t cycle, const struct tma_inside *inside);
/** An act of an SM is done: it has seen in this cycle, or before, what it waited for. */
void smem_act(struct smem *m, uint64_t cycle, uint32_t cta, uint32_t act);

/** By step. */
const struct smem_seen *smem_seen(const struct smem *m);
const struct smem_signal *smem_signals(const struct smem *m, uint32_t *count);
uint64_t smem_act_done(const struct smem *m, uint32_t cta, uint32_t act);
/** The first write that belongs to no step, or store that was read too late, or NULL. */
const char *smem_error(const struct smem *m);

/**
 * Is the order one that the program allows?
 *
 *	- each byte of a load, cp.async, shared copy and reduction is written once; of reductions that share
 *	  bytes once each
 *	- each write of a copy comes before the signal of its barriers, and before the arrival behind a
 *	  cp.async
 *	- and before whatever goes on knowing that the copy is complete: records, first bursts, acts of SMs
 *	- a store has read its source when it says so
 *
 * False: @p text is the first violation.
 */
bool smem_allowed(const struct program *p, const struct seen *seen, const struct smem *m, char *text,
                  size_t room);

#endif
