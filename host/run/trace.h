/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace - a time line of a run: of commands, of what the host does, and of bursts and stalls where the back end sees
 * them. Nothing is done where none was asked for. trace.c collects, trace_write.c writes.
 *
 * Time is cycles of the device; where there are none a step for each thing that happens.
 */
#ifndef RUN_TRACE_H
#define RUN_TRACE_H

#include "run.h"

enum trace_kind {
	TRACE_COMMAND, /* from when it was at the head of its queue until it had left it */
	TRACE_HOST,    /* a step of the program that the host did */
	TRACE_READ,    /* a burst, from its address to its last answer */
	TRACE_WRITE,
	TRACE_READ_STALL,
	TRACE_WRITE_STALL,
	TRACE_KINDS,
};

/* Which elements of a tensor a tile copy names. */
struct trace_box {
	uint32_t rank, element; /* bytes of an element */
	uint64_t address, strides[4];
	int64_t low[5], high[5];
};

struct trace_event {
	enum trace_kind kind;
	uint32_t where; /* queue or port */
	uint32_t lane;  /* of a burst: so that those of a lane do not overlap */
	uint64_t given; /* of a command: when it went into its queue */
	uint64_t begin, end;
	const struct run_step *step; /* command, host */
	uint32_t sequence;
	uint64_t low, high;              /* global memory of a command; a burst's */
	bool reads, writes;              /* of a command: it does so to its memory */
	uint64_t map;                    /* of a tensor copy; 0: none */
	const struct trace_box *box;     /* of a tile copy; NULL: any part of the tensor may be meant */
	const struct run_symbol *object; /* of a multimem copy: low and high are in this, at every port */
	uint32_t stream;                 /* of a burst: 1 + its queue, 0: unknown */
	uint64_t flow;                   /* of a burst: 1 + index of its command, 0: unknown */
	bool answered;                   /* it has ended */
};

struct run_trace {
	FILE *file;
	struct trace_event *events;
	uint64_t count, room;
	bool failed; /* no memory is left */
	uint64_t steps;
	uint64_t left[RUN_QUEUES];   /* when the last command left */
	uint64_t *given[RUN_QUEUES]; /* when each was given, by its place in run_queue.sent */
	uint32_t room_given[RUN_QUEUES];
};

/** @return 0, or the exit status: the file cannot be written; said */
int trace_open(struct run *run);
/** Write the events, in the order of their time. @return as above */
int trace_close(struct run *run);

/** A command was given to its queue; its record tells that it has left. */
void trace_submit(struct run *run, uint32_t queue, uint32_t sequence);
void trace_record(struct run *run, uint32_t queue, const struct tma_record *record);
/** The host did a step of the program. */
uint64_t trace_now(struct run *run);
void trace_host(struct run *run, const struct run_step *step, uint64_t begin);

/** (trace_write.c) @return 0, -1: no memory is left */
int trace_write(const struct run *run, FILE *file);

#endif
