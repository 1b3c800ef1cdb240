/* SPDX-License-Identifier: Apache-2.0 */
/* tma_groups_env - the unit under the reference of tma_groups_test: every group of every queue, and its
 * operations. */
#ifndef TMA_GROUPS_ENV_H
#define TMA_GROUPS_ENV_H

#include <stdbool.h>
#include "unit_rtl/unit_test.h"
#include "tma_groups_pins.h"

#define SLOTS         32
#define CP_OPERATIONS 80u /* of a queue that the load path can hold */
#define CHANNELS      4
#define STREAMS       3u  /* stores, with several ports two; reductions, if there are any, are the last */
#define LOADS         256 /* in flight, more than fit */

/* What one kind of report (reads, writes, cp.async) has left to do, by stream. left[0] is the oldest
 * group. */
struct side {
	uint32_t groups;
	bool over; /* with short paths: the oldest was done a cycle ago */
	struct {
		uint32_t stream[STREAMS];
	} left[SLOTS], open, orphans; /* of the open group; from before a disable */
};

/* Loads of a channel, oldest first, each with the number of its group. */
struct channel {
	uint32_t loads, group[LOADS];
};

struct queue {
	struct side read, write, cp;
	struct channel channel[CHANNELS];
	uint32_t commits, loads; /* in all; in flight */
	uint32_t issued[STREAMS], read_ops[STREAMS], written_ops[STREAMS], cp_issued, cp_ops;
};

struct bench {
	struct groups *unit;
	struct groups_in *in;
	const struct groups_out *out;
	uint32_t queues, streams;
	struct queue q[16];
	uint32_t turn[2]; /* channel of the next load, of whatever queue, tensor loads: 1 */
	struct rng rng;
};

void bench_open(struct bench *b, uint64_t seed);
/* One cycle: what shows before its edge is compared; pulses of the inputs last for it alone. */
void step(struct bench *b);
void steps(struct bench *b, uint32_t count);

#endif
