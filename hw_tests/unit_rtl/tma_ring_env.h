/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_ring_env - software, memory and command queues around the ring front end, and what it must do.
 *
 * bench_step() runs one cycle and checks every output of the unit in it: which fetches it offers and
 * when, that commands come in order with the bytes that were in their slot before TAIL, or with the
 * gravest error of their beats, and all status. A test sets what moves: doorbells, errors, stops.
 */
#ifndef TMA_RING_ENV_H
#define TMA_RING_ENV_H

#include <stdbool.h>
#include <stdint.h>

#include "tma_ring_pins.h"
#include "unit_rtl/unit_test.h"

#define RING_QUEUES 16  /* at most */
#define SLOT        64u /* bytes of a command */
#define QUEUE_ROOM  8u  /* commands that a queue behind the unit holds */
#define MAX_FETCHES 16u /* under way */
#define MAX_DEPTH   128u
#define MAX_PLANS   8u

/* fetch_e of tma_front_pkg, and a command that is still to come. */
enum { CAME_OK, CAME_WINDOW, CAME_SLVERR, CAME_DECERR, CAME_DEAD, CAME_NOT };

/* One queue, as the unit should see it. */
struct ring_queue {
	uint32_t head, tail;
	uint32_t sent, fetched;  /* sequence numbers behind what was sent, and behind fetches on offer */
	uint32_t under_way;      /* fetches */
	uint32_t generation;     /* of fresh starts */
	bool dropping;           /* fetches of an earlier generation are under way */
	bool denied, failed;     /* nothing is fetched any more */
	bool closed;             /* the command that failed was sent */
	uint32_t *version;       /* of each slot's content */
	uint8_t came[MAX_DEPTH]; /* by sequence number modulo depth */
};

struct ring_read {
	uint32_t queue, seq, num, generation, beat;
	uint64_t addr, ready_at;
	uint8_t error; /* of the command that is coming */
};

/* What happens to a beat: part `part` of a command; with 1024 bits a beat has two commands. */
struct ring_plan {
	uint32_t queue, seq, part;
	uint8_t resp, dead;
};

/* A doorbell, and HEAD when it rang. */
struct ring_rung {
	bool valid;
	uint32_t queue, tail, head;
};

struct bench {
	struct ring *unit;
	struct ring_in *in;
	const struct ring_out *out;
	const struct unit_shape *shape;
	uint32_t fetch_cmds; /* commands of the longest fetch */
	uint32_t parts;      /* beats of a command */
	struct rng rng;
	struct ring_queue queue[RING_QUEUES];
	uint64_t cycle;

	/* What the test asks for. Percentages are of cycles, beats or fetches. */
	uint32_t latency, fetch_percent, beat_percent, cmd_percent, retire_percent, fault_percent;
	uint32_t error_percent, dead_percent, deny_percent;
	struct ring_plan plan[MAX_PLANS];
	uint32_t plans, deny_queue, deny_seq; /* the fetch from deny_seq on is refused; ~0: none */
	uint32_t no_room;                     /* mask */

	/* Fetches taken, oldest first; the newest of them may be about to be refused. */
	struct ring_read fetch[MAX_FETCHES];
	uint32_t fetches, deny_in;
	struct ring_read refused;
	bool offered;
	struct ring_fetch offer; /* the fetch on offer */
	uint32_t offer_seq, offer_num, offer_generation;

	uint32_t room[3]; /* of the last cycles, newest first */
	bool was_sent;
	struct {
		uint32_t queue, seq, tail;
	} fault[RING_QUEUES]; /* waiting, oldest first */
	uint32_t faults;
	struct ring_rung rung; /* short paths: the doorbell of the cycle before */

	/* Totals. */
	uint32_t commands, failures, fetches_taken, overruns, denials, restarts;
	uint64_t command_cycle; /* of the last command that was sent */
	uint32_t last_came;
};

void bench_open(struct bench *b, uint64_t seed);
/* Fails when an assertion of the unit did. */
void bench_close(struct bench *b);

#define BENCH_TEST(name, ...) TEST_IN(name, struct bench, b, bench_open(b, __VA_ARGS__), bench_close(b))
/* Bind a queue to a ring of 2^slots and enable it. */
void bench_enable(struct bench *b, uint32_t q, uint32_t slots);
/* From this cycle on. The queue's state is gone with it. */
void bench_disable(struct bench *b, uint32_t q);
/* Write `count` commands behind TAIL; the doorbell rings in the next step. */
void bench_put(struct bench *b, uint32_t q, uint32_t count);
/* The doorbell alone, in the next step. */
void bench_door(struct bench *b, uint32_t q, uint32_t tail);
/* Go on at `index`, in the next step; the queue must be stopped. */
void bench_restart(struct bench *b, uint32_t q, uint32_t index);
/* A cycle; with short paths a doorbell takes another one. */
void bench_step(struct bench *b);
void bench_steps(struct bench *b, uint32_t cycles);
/* Until a queue's commands are all sent; fails when that takes too long. */
void bench_drain(struct bench *b, uint32_t q);

/* ---- the memory of the rings --------------------------------------------------------------- */

bool bench_live(const struct bench *b, uint32_t q);
/* Slots of a ring. */
uint32_t bench_size(const struct bench *b, uint32_t q);
uint64_t bench_slot_addr(const struct bench *b, uint32_t q, uint32_t seq);
/* What software wrote into a slot. */
void bench_slot_bytes(const struct bench *b, uint32_t q, uint32_t index, uint8_t *bytes);
/* The command that a fetch's next beat is part of, or the first of two; it need not be asked for. */
uint32_t bench_beat_seq(const struct bench *b, const struct ring_read *f);
uint32_t bench_beat_part(const struct bench *b, const struct ring_read *f);
bool bench_asked_for(const struct ring_read *f, uint32_t seq);
/* The inputs of this cycle: a beat of the oldest fetch, or none. */
void bench_put_beat(struct bench *b);

#endif
