/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm - the acts of a program's SMs: on the model, where each is one step, and on the RTL, through the
 * external ports.
 *
 * What an SM reads goes to the result's `sm` bytes, at the act's place.
 */
#ifndef CROSSCHECK_SM_H
#define CROSSCHECK_SM_H

#include "crosscheck/result.h"
#include "crosscheck/smem.h"

struct rig;

/** Have the SMs done as much as that? */
bool sm_open(const uint32_t done[MAX_CTAS], const uint32_t gate[MAX_CTAS]);
/** Have they done everything? */
bool sm_over(const struct program *p, const uint32_t done[MAX_CTAS]);
/** Bytes that a write act writes, CHUNK_BYTES for each chunk, those without a strobe too. */
void sm_bytes(const struct sm_act *a, uint8_t *bytes);
/** Room for what the SMs read. Aborts without memory. */
void sm_answers(struct result *result, const struct program *p);

/** On a model: the next act of the CTA, if it can go on. @p retired: has the queue's command retired? */
bool sm_step(const struct program *p, uint32_t cta, uint32_t done[MAX_CTAS], uint8_t *smem,
             struct result *result, bool (*retired)(void *arg, uint32_t queue, uint32_t index), void *arg);

/* On the RTL. */
struct sm_run;

struct sm_run *sm_start(struct rig *rig, const struct program *p, const struct seen *seen, struct smem *smem,
                        struct result *result);
void sm_free(struct sm_run *r);
/** At the end of a cycle. */
void sm_cycle(struct sm_run *r, uint64_t cycle);
/** When all acts are done and nothing is in flight. False: an SM has read of its own chunk what it did not
 * write; @p text says so. */
bool sm_end(struct sm_run *r, const char **text);
/** Acts done, by CTA. */
const uint32_t *sm_done(const struct sm_run *r);
/** First act that is not done: "CTA 1 act 7 (poll)". */
const char *sm_stuck(const struct sm_run *r);

#endif
