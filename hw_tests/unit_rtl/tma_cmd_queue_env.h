/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_cmd_queue_env - issue behind the command queues, and a list of what each of them holds.
 *
 * step() runs one cycle and checks every output of the unit in it.
 */
#ifndef TMA_CMD_QUEUE_ENV_H
#define TMA_CMD_QUEUE_ENV_H

#include <stdbool.h>
#include <stdint.h>

#include "tma_abi.h"
#include "tma_cmd_queue_pins.h"
#include "unit_rtl/unit_test.h"

#define MAX_QUEUES 16
#define DEPTH      8u /* CmdDepth of tma_front_pkg */
#define LOAD       1u /* bits of path_ready */
#define STORE      2u
#define SHARED     4u
#define SYNC       8u
#define PREFETCH   16u
#define TENSOR     32u
#define MULTIMEM   64u /* with one port, that of stores is the path */
#define REDUCE     128u
#define ALL        255u
#define PATHS      8u
#define ALL_QUEUES 0xFFu /* of `default` */

#define CLASSES 19

/* Commands that differ in what may hold them back. */
struct command_class {
	uint8_t opcode, path, answers;
};
extern const struct command_class classes[];

struct held {
	struct tma_command command;
	uint32_t fetch;
};

struct ref {
	struct held held[DEPTH]; /* from the oldest on */
	uint32_t count, picked;
};

struct bench {
	struct cmd_queue *unit;
	struct cmd_queue_in *in;
	const struct cmd_queue_out *out;
	uint32_t queues;
	struct ref ref[MAX_QUEUES];
	struct rng rng;
	uint32_t tag, retired, flushed, resumed;
	uint32_t room;                 /* short paths: queues with room in the cycle before */
	uint32_t latency, period;      /* cycles from a command to the output, from one there to the next */
	uint32_t wake;                 /* from when nothing holds a command back any more to the output */
	struct cmd_queue_in before[3]; /* inputs of the cycle before, and of those before that */
	bool free[2];                  /* the unit's register was free then, or is in its last cycle */
	/* The register of issue. */
	bool valid;
	uint32_t queue;
};

void bench_open(struct bench *b, uint64_t seed);
/* Fails when an assertion of the unit did. */

#define BENCH_TEST(name, ...) \
	TEST_IN(name, struct bench, b, bench_open(b, __VA_ARGS__), cmd_queue_close(b->unit))
/* Offer a command on the direct port until it is taken. */
void offer(struct bench *b, uint32_t queue, uint32_t class, bool record);
/* From the ring; `fetch` is not 0: it failed to come, and the command is no command. */
void offer_ring(struct bench *b, uint32_t queue, uint32_t class, bool record, uint32_t fetch);
/* Bit of path_ready, and whether the opcode writes a record. */
uint32_t path_of(uint8_t opcode, bool *answers);
/* One cycle. `retire`, `flush`: what issue does with what it holds; then it takes the next one. */
void step(struct bench *b, bool retire, bool flush);
void idle(struct bench *b, uint32_t cycles);
/* Cycles without a flush until a command that came in the last one is at the output. */
void settle(struct bench *b, bool retire);

#endif
