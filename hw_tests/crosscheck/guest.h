/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guest - a queue on which software acts while the others run their program.
 *
 * It has memory and barriers of its own, so nobody depends on it and all that it leaves is certain but
 * where a life of it is cut short. It lives several times, each time perhaps in another CTA, with other
 * windows and another front:
 *
 *	a life that is cut: reset or disabled after some cycles, whatever it is about to do. Its records
 *	are the first ones of the model, and each byte is one that the model has at some time.
 *	one that is not: it faults and is resumed, it waits for ever and is cancelled, and comes to its
 *	end. Records, faults and bytes are the model's.
 *
 * Between its copies come fences of maps that the others use.
 */
#ifndef CROSSCHECK_GUEST_H
#define CROSSCHECK_GUEST_H

#include "crosscheck/feed.h"

#define GUEST_LIVES    5
#define GUEST_COMMANDS 64
/* The upper bits of a tag are the life's number. */
#define GUEST_TAG_SHIFT 28

struct guest_life {
	struct queue_setup setup;
	bool renew;   /* it begins with a set-up; else with a reset of the life before, whose set-up it has */
	uint32_t cut; /* cycles until it is over, 0: it comes to its end */
	struct tma_command commands[GUEST_COMMANDS];
	bool hold[GUEST_COMMANDS]; /* waits for the fault of the command before it: nobody resumes there */
	uint32_t count;
};

/* The last one is not cut. */
struct guest_lives {
	struct guest_life life[GUEST_LIVES];
	uint32_t count;
};

/* Bytes that belong to the guest, of shared memories and the first port's. */
struct guest_bytes {
	uint8_t *shared[MAX_CTAS], *global;
};

/** The page that fails. */
struct bus_error guest_error(const struct program *p);

struct guest_bytes guest_bytes_new(const struct program *p);
void guest_bytes_free(struct guest_bytes *b);
void guest_bytes_take(const struct program *p, struct guest_bytes *b, const struct memory *m);
/** Make them part of the memories. */
void guest_bytes_give(const struct program *p, const struct guest_bytes *b, struct memory *m);

/* A life on a model of its own. */
struct guest_model {
	struct program p; /* with no other queue */
	struct feed feed;
	struct result result;
	/* After each command, of a life that is cut; else the last ones alone. */
	struct guest_bytes states[GUEST_COMMANDS + 1];
	uint32_t num_states;
};

/** From these bytes on, with the first command. */
void guest_model_begin(struct guest_model *m, const struct program *p, const struct guest_life *life,
                       const struct memory *before, const struct guest_bytes *now);
/** Let it go on behind its fault, or end the wait that it is blocked in. */
void guest_model_resume(struct guest_model *m, uint32_t index);
void guest_model_cancel(struct guest_model *m);
struct tma_queue_status guest_model_status(const struct guest_model *m);
/** Bytes of now; valid until the next call. */
const struct guest_bytes *guest_model_bytes(struct guest_model *m);
void guest_model_end(struct guest_model *m);

/** Where a cut life may leave these bytes, or, of one that was not cut, has to. False: @p text is the
 * first that is something else. */
bool guest_bytes_agree(const struct guest_model *m, const struct guest_life *life,
                       const struct guest_bytes *is, char *text, size_t room);
/** The records so far: @p all: there are no more to come. */
bool guest_records_agree(const struct guest_model *m, const struct tma_record *records, uint32_t count,
                         bool all, char *text, size_t room);

#endif
