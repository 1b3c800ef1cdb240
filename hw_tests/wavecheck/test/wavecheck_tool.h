/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wavecheck_tool - runs wavecheck, and fst_corrupt, which puts a fault into a dump, on behalf of a test.
 * The tools are run as programs: their paths come from WAVECHECK and FST_CORRUPT.
 */
#ifndef WAVECHECK_TOOL_H
#define WAVECHECK_TOOL_H

#include <stddef.h>
#include <stdint.h>

#include "wavecheck/test/wavecheck_run.h"

/* What is wrong, when, and the signal that has to be named. */
struct corruption {
	const char *name, *signal, *named, *options;
	unsigned bit;
	enum mark mark;
	int which;             /* of the marks; negative: from the last one */
	const uint64_t *cycle; /* or this cycle */
	uint32_t cycles;       /* how long; 0 is 1 */
};

/** Folder for dumps, before all tests and behind them. 0, or -1: something is missing. */
int tool_open(void **state);
int tool_close(void **state);

/** Paths of the good dump and of the one with a fault, in that folder. */
const char *tool_good(void);
const char *tool_bad(void);

/** Exit status of wavecheck; what it prints is in tool_output(). */
int tool_check(const char *path, const char *options);
const char *tool_output(void);

/** From the good dump to the bad one: one bit of a signal is wrong. */
void tool_corrupt(const char *signal, unsigned bit, uint64_t cycle, uint32_t cycles);
/** One more wrong bit, in the bad dump. */
void tool_corrupt_more(const char *signal, unsigned bit, uint64_t cycle, uint32_t cycles);
/** Each of them has to be found. */
void tool_caught(const struct run_marks *marks, const struct corruption *corruptions, size_t count);

#endif
