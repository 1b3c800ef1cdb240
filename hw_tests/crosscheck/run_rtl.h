/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run_rtl - programs on one Verilated engine, one after the other.
 *
 * The engine is opened once; before each program it is set up anew, sometimes reset, and shared
 * memory keeps what the programs before have left there.
 */
#ifndef CROSSCHECK_RUN_RTL_H
#define CROSSCHECK_RUN_RTL_H

#include <stddef.h>

#include "crosscheck/result.h"

struct engine;
struct rig;

/** NULL: no such configuration in this binary, or it has another shape. @p fst: waveform or NULL. */
struct engine *engine_open(const struct shape *shape, uint64_t seed, const char *fst);
/** false: it calls itself idle and owes answers on the bus. */
bool engine_close(struct engine *e);

/** Memories as they are now, with the program's barriers and its global memory: what run_model()
 * starts from. Valid until the next call. */
const struct memory *engine_prepare(struct engine *e, const struct program *p);

/**
 * Run the program that was prepared.
 *
 * @param result  empty; becomes the caller's. Shared memory that the program does not use is taken
 *                as unchanged, but for engine_check_all().
 * @return false: it timed out, broke a rule of a protocol, or of order_allowed(); @p text says what
 */
bool engine_run(struct engine *e, const struct program *p, struct result *result, char *text, size_t room);

/** The result was right: later programs start from it. */
void engine_keep(struct engine *e, const struct result *result);

/** Every byte of every CTA is what it should be, also where no program had business lately. */
bool engine_check_all(struct engine *e, char *text, size_t room);

/** Only set up what was prepared. */
bool engine_set_up(struct engine *e, const struct program *p);
/** A queue as this says. @return as rig_queue_setup() */
int engine_set_up_queue(struct rig *rig, const struct program *p, uint32_t queue,
                        const struct queue_setup *s);
/** All memories, whole; they are what later programs start from. */
void engine_read_all(struct engine *e, const struct program *p, struct memory *memory);
/** For what goes on after the program. */
struct rig *engine_rig(struct engine *e);
/** Memories as they are now. @p memory: those that engine_run() has read. */
void engine_read_memory(struct engine *e, const struct program *p, struct memory *memory);

/** Cycles so far. */
uint64_t engine_cycles(const struct engine *e);

#endif
