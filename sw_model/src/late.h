/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Late completion, of a model with a seed: copies in flight, and who moves next.
 *
 *	issue ---> flight: start ---> read, write, in pieces, in any order ---> signals ---> end
 *
 * A start reads the tensor map and looks for what is wrong, in the order of the walk. A piece is read into the
 * flight's own bytes and written from there, some time later; with several targets to each at another time. A
 * target's barrier hears of the copy when all of its bytes are there. The end is where groups are told, and faults.
 */
#ifndef LATE_H
#define LATE_H

#include "tensor.h"

#define MAX_PIECES 8u
#define MAX_MAPS   16u

struct flight;

/* What becomes of copies of one kind. All but `start` may be NULL, where a copy has no pieces. */
struct course {
	uint8_t opcode;
	bool signals;                                           /* the barriers of its targets */
	int (*start)(struct flight *f);                         /* TMA_MODEL_ENOMEM: not yet */
	struct fault (*read)(struct flight *f, uint32_t piece); /* none of the piece if it fails */
	struct fault (*write)(struct flight *f, uint32_t target, uint32_t piece);
};

/* Groups that a copy belongs to, and what of it they wait for. */
enum member { NO_GROUP, BULK_READS, BULK_WRITES, CP_WRITES };

struct flight {
	struct tma_command command;
	struct issue issue; /* of it */
	const struct course *course;
	uint32_t sequence;
	enum member member;
	uint32_t group;
	bool started;
	bool dropped; /* an arrival: a cp.async in front of it has failed */
	struct fault fault;

	uint32_t total, skew, step; /* bytes or rows; pieces end at multiples of `step`, less `skew` */
	uint8_t unread;             /* pieces */
	uint8_t unwritten[TMA_MODEL_MAX_CTAS]; /* of each target */
	uint32_t unsignalled;                  /* targets */
	uint32_t transaction;                  /* bytes that the signals tell of */
	unsigned char *bytes;                  /* that were read */
	uint32_t pitch;                        /* of rows, in `bytes` */
	struct reduction reduction;
	bool reduces;
	struct tensor_copy tensor;

	uint32_t favourite;  /* target that is served first as a rule */
	uint32_t pace;       /* how often it moves, compared with others */
	uint64_t held_until; /* it moves only if nothing else can */
};

/* A tensor map as it was. */
struct old_map {
	uint64_t address;
	uint64_t words[MAP_WORDS];
};

struct late {
	uint64_t chance;         /* state of the generator */
	uint64_t now;            /* counts calls of model_late_run() */
	struct flight **flights; /* in the order of issue */
	size_t count, room;
	struct flight *spare;                        /* for the next copy */
	uint32_t pace[TMA_MODEL_MAX_QUEUES];         /* of the queues */
	uint64_t asleep_since[TMA_MODEL_MAX_QUEUES]; /* of those that are asleep */
	struct old_map maps[MAX_MAPS];
	uint32_t num_maps;
};

/* late.c */
uint32_t model_chance(struct late *l, uint32_t below);
void model_flight_pace(struct late *l, struct flight *f);

/* flight.c */
const struct course *model_course(uint8_t opcode);
enum member model_flight_member(const struct issue *issue);
bool model_flight_read(const struct flight *f);
int model_flight_move(struct late *l, struct flight *f);

#endif
