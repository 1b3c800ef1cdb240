/* SPDX-License-Identifier: Apache-2.0 */
/*
 * job - one record or barrier program on its way through an engine.
 *
 * The stream (stream.h) gives a job its queue, CTAs and memory; a builder turns the record into
 * steps and says what its barriers have to hold in the end.
 */
#ifndef REPLAY_JOB_H
#define REPLAY_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/vec.h"
#include "replay/backend.h"
#include "lib/rng.h"

#define STEP_NONE     UINT32_MAX
#define JOB_MAP_BYTES 128u
#define MAX_STEPS     0xFFFFu /* a tag has 16 bits for the step */

/* A command, and the record that it has to bring. */
struct step {
	struct tma_command command;
	uint8_t kind;      /* of the record, 0: none comes */
	uint64_t value;    /* in the record */
	uint32_t state_of; /* step whose answer is this one's state operand, or STEP_NONE */
	uint64_t junk;     /* to be or-ed into the state operand's unused bits */
	bool answered;
	uint64_t answer;
};

struct job {
	bool active;
	uint16_t serial; /* upper half of its commands' tags */
	uint32_t number; /* of the record or program in the file */
	size_t offset;   /* in the file */
	uint32_t queue;
	uint32_t cta; /* executing CTA of the queue */
	bool is_program;

	struct vec_record record;
	struct vec_program program;

	uint32_t num_ctas;                /* of the record */
	uint8_t rank[REPLAY_MAX_CTAS];    /* engine's CTA for the record's CTA c */
	uint32_t window;                  /* offset of the window in each of them, or SPACE_NONE */
	uint32_t barrier;                 /* offset of the barrier in each of them, or SPACE_NONE */
	uint32_t region, buffer, map;     /* see space.h, or SPACE_NONE */
	uint64_t address;                 /* global address of the record's byte 0 */
	uint8_t *region_bytes;            /* memory behind the region */
	uint8_t map_bytes[JOB_MAP_BYTES]; /* the record's tensor map */
	uint64_t map_address;             /* of its memory */
	bool map_stale;                   /* which has held another map */
	uint8_t *windows;                 /* what the windows have to hold, num_ctas x smem_len */
	uint8_t *region_wanted;           /* what the region has to hold, gmem_len */

	/* Per CTA of the record: barrier before (0: not initialised) and in the end. */
	uint32_t checked; /* bit c: the barrier in CTA c is checked */
	uint64_t barrier_before[REPLAY_MAX_CTAS], barrier_after[REPLAY_MAX_CTAS];
	uint64_t barrier_now[REPLAY_MAX_CTAS];

	struct step *steps;
	uint32_t num_steps, max_steps, next;
	uint32_t awaited; /* records that are still to come */
	bool in_group;    /* done only when its bulk group is */
	uint32_t group;   /* serial number of that group in the queue */

	char reason[192]; /* why it failed, or empty */
};

/** A step with opcode and version filled in; the job has room for it. */
struct step *job_step(struct job *job, uint8_t opcode);
/** Let the step bring a record of this kind and value. */
void job_await(struct step *step, uint8_t kind, uint64_t value);
/** shared::cluster address of @p offset in the record's CTA. */
uint32_t job_shared(const struct job *job, uint32_t cta, uint32_t offset);

#endif
