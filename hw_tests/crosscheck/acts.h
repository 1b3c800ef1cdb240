/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acts - what software does with a queue when a program has come to rest: it lets a stopped queue go
 * on, resets it, ends a wait, gives it more commands.
 *
 * Everything else is at rest by then, so each act has one outcome, that of the model.
 */
#ifndef CROSSCHECK_ACTS_H
#define CROSSCHECK_ACTS_H

#include "crosscheck/feed.h"
#include "lib/rng.h"

#define ACT_COMMANDS 64

enum act_kind {
	ACT_GO,         /* more commands */
	ACT_RESUME,     /* at command `value` */
	ACT_BAD_RESUME, /* ... where none is: refused */
	ACT_RESET,
	ACT_CANCEL,    /* the wait that the queue is blocked in */
	ACT_CANCEL_BY, /* the same by a command of queue `by` */
	ACT_OVERRUN,   /* a doorbell, `value`, that tells of too many commands */
	NUM_ACT_KINDS
};

struct act {
	enum act_kind kind;
	uint8_t queue, by;
	uint32_t value;
	bool mend; /* resume: the command there is exchanged for `repair` */
	struct tma_command repair;
	struct tma_command commands[ACT_COMMANDS];
	uint32_t num_commands;
	bool spoilt; /* `error` holds until the next act */
	struct bus_error error;
	bool lost; /* records are: only a reset helps */
	/* Another queue prefetches meanwhile, so often: that changes nothing but the time. */
	uint8_t noisy;
	uint32_t num_noise;
	struct tma_command noise;
	/* A reset comes so many cycles after so many commands: nothing of them is left but their time. */
	uint32_t num_doomed, cycles;
	struct tma_command doomed[2]; /* in turn */
};

/* A queue at rest. */
struct act_view {
	uint32_t head, tail; /* the engine's */
	uint32_t waiting;    /* commands that it has not taken */
};

/* What the model says of a queue after an act. */
struct act_outcome {
	bool blocked; /* in a wait */
	struct queue_result state;
};

struct acts {
	const struct program *p;
	struct feed *f;
	struct rng rng;
	uint8_t queue;
	bool must_reset;
};

/** How many acts follow the program. */
uint32_t acts_begin(struct acts *a, const struct program *p, struct feed *f);
/** The queue that the next act is about. */
uint8_t acts_queue(struct acts *a);
void acts_choose(struct acts *a, const struct act_view *view, struct act *act);
/** The model does it; records go to @p result. */
void acts_model(struct acts *a, const struct act *act, struct result *result, struct act_outcome *outcome);

const char *act_name(enum act_kind kind);

#endif
