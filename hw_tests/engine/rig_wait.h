/* SPDX-License-Identifier: Apache-2.0 */
/* A rig whose queues are full of the commands of strangers, but for the victim's: how long does it wait? */
#ifndef RIG_WAIT_H
#define RIG_WAIT_H

#include "lib/cmocka_all.h"

#include "tma_regs.h"
#include "engine/rig_bench.h"

#define PATH_DEPTH 8u  /* commands that a path holds */
#define DECODE     32u /* cycles from the last beat of a map to its use */
#define SMEM_WAIT  9u  /* cycles of a line that load data goes before */
#define ISSUE      3u  /* commands between the pick and their record */
#define EXTERNAL   8u  /* cycles that an external access waits */
#define INTERRUPT  8u  /* cycles from the response of a record */
#define SOME       64u /* cycles of registers on the way, whatever it is */
#define PAGE       4096u
#define LINE       64u /* from row to row in memory: no two of them become one */

#define VICTIM   1u
#define STREAM   0x77u
#define QUEUES   16u
#define MAPS     16u /* of each direction: more than are kept */
#define PROGRAM  (2 * MAPS)
#define MEMORY   (1u << 20)
#define MAP_AT   0x80000u
#define OWN_MAP  (2 * MAPS) /* number of the victim's */
#define OBJECT   UINT64_C(0x4000000000)
#define ARRIVALS 0x100u /* barriers of queues, 16 bytes apart */

/* What of the victim is waited for: an address for data, of port 0; a signal of a copy from CTA to CTA. */
enum pins {
	READ,
	WRITE,
	SIGNAL,
};

struct wait {
	struct rig *rig;
	const struct tma_sim_info *info;
	uint32_t row_cycles;      /* of a row of a walk */
	uint32_t outside_cycles;  /* of one that lies outside */
	uint32_t fill_cycles;     /* for a barrier that is not here, and one written back for it */
	uint32_t least;           /* of a bound on commands in front, percent: short paths keep fewer there */
	uint32_t register_cycles; /* of a read and a write behind each other */
	bool faults;              /* of all strangers, in the end */
	uint32_t latency;
	struct rig_window windows[2];
	struct tma_command program[QUEUES][PROGRAM]; /* of each stranger, again and again */
	uint32_t length[QUEUES], next[QUEUES];
	enum pins pins;
	uint32_t asked,
		came;  /* the victim's addresses since a measurement began: that it waits for, that went */
	uint64_t seen; /* when the last of them went */
	struct access {
		bool goes;
		uint64_t since, most;
	} access[2]; /* of registers: reads, writes */
	/* Bursts and responses of port 0, which come in order; the victim's last burst; its response, 0: none. */
	uint32_t bursts, responses, burst;
	uint64_t answered;
	uint32_t stall, stalled; /* cycles in a row in which the external port of CTA 0 waits, at most */
	uint64_t late;           /* cycles from that to the interrupt, at most */
};

/** A rig with strangers on all queues but the victim's. */
void wait_open(struct wait *w, const struct where *where, uint32_t latency, enum rig_front front);
/** What is under way is forgotten. */
void wait_close(struct wait *w);
/** Closes it; the test counts as skipped: the configuration has not what it needs. Does not return. */
void wait_skip(struct wait *w);
/** Map `number` is of boxes of `rows` rows of 16 bytes, each in a line of its own; so large is the tensor. */
void wait_put_map(uint32_t number, uint32_t rows);
/** Copies between the first 64 KiB of memory and shared memory, of the barriers' CTA 0. */
struct tma_command wait_tensor(uint8_t opcode, uint32_t map);
struct tma_command wait_bulk(uint8_t opcode, uint32_t size);
/** With the barrier of this queue, if it has one. */
int wait_submit(struct wait *w, uint32_t queue, struct tma_command c);
/** Every stranger does this too. */
void wait_add(struct wait *w, struct tma_command c);
void wait_run(struct wait *w, uint32_t cycles);
/** Barriers of each queue in two CTAs that expect an arrival, and more bytes than come. */
void wait_begin(struct wait *w);
/** Cycles from the taking of this command of the victim, with one address, to that; as many as were waited if they
 * are more than @p bound. */
uint64_t wait_measure(struct wait *w, struct tma_command c, enum pins pins, uint64_t bound);
/** The same of a command that comes when its queue has just had its turn: one of the same kind goes before. */
uint64_t wait_measure_second(struct wait *w, struct tma_command c, enum pins pins, uint64_t bound);
/** What was measured is within the bound, and at least `least` per cent of it, so that it says something. */
void wait_judge(const struct wait *w, const char *what, uint64_t got, uint64_t bound, uint32_t least);
/** Commands that can be in front of one that is at the head of its queue: a path full of them, one of each other
 * queue, and one on its way out. */
uint32_t wait_in_front(const struct wait *w);
/** Two misses, since those of loads and of stores take turns. */
uint32_t wait_misses(const struct wait *w);

#endif
