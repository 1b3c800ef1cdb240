/* SPDX-License-Identifier: Apache-2.0 */
/* session - programs one after the other, on the model and on the RTL; what to say when they differ. */
#ifndef CROSSCHECK_SESSION_H
#define CROSSCHECK_SESSION_H

#include "crosscheck/run_rtl.h"
#include "crosscheck/stats.h"

/* What is wrong, in words: with --ptx a command and its text. */
#define SESSION_TEXT 2000

struct options {
	const struct shape *shape;
	struct shape built; /* the same, as the engine is */
	uint64_t seed;
	uint32_t first, programs;
	bool faults, tensor, from_zero, same_both, keep_going, shrink, stats, list, model_only, no_reduce,
		reduce, ptx;
	const char *fst;
};

struct session {
	struct options o;
	struct engine *engine; /* NULL with model_only */
	uint32_t opened_at;    /* number of the first program on this engine */
	struct memory memory;  /* without an engine */
	struct stats stats;
	uint32_t passed, failed;
};

/** 0: all programs agree. 1: some do not. 2: no engine. */
int session_run(const struct options *o);

/** One program, its fronts bound as at first or anew: true when model and RTL agree and nothing else is
 * wrong. @p text: what is. */
bool session_program(struct session *s, struct program *p, char *text, size_t room);

/** An engine for the program @p number, a new one where it is time for that. */
bool session_engine(struct session *s, uint32_t number);
void session_drop_engine(struct session *s);

/** Leave out transactions as long as the program still fails, each time on a new engine; then print
 * what is left. */
void shrink(struct session *s, const struct program *p);

#endif
