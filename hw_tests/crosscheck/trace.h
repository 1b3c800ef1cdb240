/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace - when each step of a program was seen at the engine's pins.
 *
 * Bursts are given to their command by queue (AxUSER's stream), policy (AxQOS and AxUSER) and
 * address. A burst that belongs to no command, or comes twice or out of turn, is an error at once.
 * Of a reduction a burst is a write; what it reads before is looked at, but not counted.
 */
#ifndef CROSSCHECK_TRACE_H
#define CROSSCHECK_TRACE_H

#include "crosscheck/program.h"
#include "sim/tma_sim.h"

#define NOT_SEEN UINT64_MAX

/* Cycles, or NOT_SEEN. */
struct seen {
	uint64_t accepted;
	uint64_t first;  /* valid of the first burst */
	uint64_t newest; /* the last one so far was not issued before */
	uint64_t last;   /* last R or B of the last burst, on any port */
	uint64_t error;  /* first R or B that is not OKAY */
	uint64_t record;
	uint64_t value; /* of the record */
	struct {
		uint32_t asked, done;      /* bursts */
		uint32_t bytes;            /* covered by the bursts asked for */
		uint32_t next;             /* byte of the operand behind them */
		uint32_t read;             /* the same of what a reduction reads */
		uint32_t reads, read_done; /* bursts of that */
	} port[MAX_PORTS];
};

/* A burst of a tensor copy. */
struct trace_burst {
	uint32_t step, beats;
	uint64_t address;
};

struct trace;

struct trace *trace_new(const struct program *p);
void trace_free(struct trace *t);

/* Hooks of a rig: @p trace is a struct trace. */
void trace_cycle(void *trace, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out);
void trace_command(void *trace, uint64_t cycle, uint32_t queue, uint32_t index,
                   const struct tma_command *cmd);
void trace_record(void *trace, uint64_t cycle, const struct tma_record *record);

/** By step. */
struct seen *trace_seen(struct trace *t);
/** Of tensor copies. */
const struct trace_burst *trace_bursts(const struct trace *t, uint32_t *count);
/** The first error, or NULL. */
const char *trace_error(const struct trace *t);

#endif
