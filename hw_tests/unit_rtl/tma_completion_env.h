/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_completion_env - issue, the paths, the store path and software around the completion rings, and
 * what has to become of every record.
 *
 * step() runs one cycle and checks every output of the unit in it.
 */
#ifndef TMA_COMPLETION_ENV_H
#define TMA_COMPLETION_ENV_H

#include <stdbool.h>
#include <stdint.h>

#include "tma_completion_pins.h"
#include "unit_rtl/unit_test.h"

#define DEPTH    16u
#define PIPELINE 3u  /* stages of issue; answers between the look at the level and the queue */
#define MOST     64u /* records that are in flight */
#define IN_STORE 8u  /* of these, in the store path */

struct queue {
	uint32_t taken, flight, producer; /* of this life */
	uint32_t consumer;                /* in the cycle before */
	bool fresh;                       /* the first cycle of this life */
};

struct held {
	struct tma_record record; /* as it has to be written */
	uint64_t address;
};

struct bench {
	struct completion *unit;
	struct completion_in *in;
	const struct completion_out *out;
	uint32_t queues;
	struct queue queue[16];
	struct held waiting[MOST]; /* their command has not been seen, oldest first */
	uint32_t num_waiting;
	struct held sent[MOST];        /* it has */
	uint32_t commands, data, done; /* counts: sent, data read, done */
	bool coming[PIPELINE - 1];     /* picked in the cycle before, and before that */
	uint32_t answer_queue;
	bool issued; /* with short paths: an answer was issued in the cycle before */
	struct tma_record answer;
	uint32_t direct; /* records that wait to be counted, of direct queues */
	uint64_t answers, faults, dropped, events, owed, waits, longest_wait;
	uint32_t stall_percent, lazy_percent; /* issue stalls; software takes no record */
	struct rng rng;
};

/** A new life, somewhere else. The rings lie on either side of 2^32. */
void enable(struct bench *b, uint32_t queue, uint32_t slots_log2);

/** All queues enabled, with rings of so many slots. */
void bench_open(struct bench *b, uint64_t seed, uint32_t slots_log2);

/** Without a failed assertion. */

#define BENCH_TEST(name, ...) \
	TEST_IN(name, struct bench, b, bench_open(b, __VA_ARGS__), completion_close(b->unit))

/** One cycle. @p issue_percent, @p speed: commands with an answer, steps of the store path; per cycle. */
void step(struct bench *b, uint32_t issue_percent, uint32_t speed);

/** A fault record of any queue, if none is on offer. */
void offer_fault(struct bench *b);

/** Until every record is in its ring. */
void drain(struct bench *b);

#endif
