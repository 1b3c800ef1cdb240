/* SPDX-License-Identifier: Apache-2.0 */
/* flight - the state of a stream: an engine, its memory, and the jobs in flight. */
#ifndef REPLAY_FLIGHT_H
#define REPLAY_FLIGHT_H

#include "replay/job.h"
#include "replay/space.h"
#include "replay/stream.h"

#define MAX_JOBS 32u
#define TAG_WAIT (1u << 31) /* tag of a wait_group: the number of groups that it retires */

struct queue {
	uint32_t cta;
	bool ring;
	uint32_t jobs;      /* in flight on it */
	uint32_t committed; /* bulk groups */
	uint32_t covered;   /* of those, groups that a wait was submitted for */
	uint32_t retired;   /* of those, groups whose wait is over */
};

struct flight {
	const struct stream_options *options;
	struct stream_result *result;
	const struct vec *file;

	void *engine;
	struct replay_shape shape;
	struct rng rng;
	struct space space;
	struct queue queues[REPLAY_MAX_QUEUES];
	struct job jobs[MAX_JOBS];
	uint32_t num_jobs; /* in flight */
	uint32_t goal;     /* number of them to have in flight */
	uint32_t next;     /* of the file's records */
	uint16_t serial;
	uint32_t quiet;    /* turns since anything was seen to happen */
	uint32_t reported; /* failures */
	bool filled;       /* shared memory holds its initial contents */
	bool broken;       /* no new jobs: the engine is in doubt */
};

/** Give up on a job, unless it has a reason already. */
void flight_fail(struct job *job, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Count and print a failure that belongs to no record. */
void flight_failure(struct flight *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Count the job, print why it failed. */
void flight_count(struct flight *f, const struct job *job);

/** The job is over: count it, print why it failed, free what it has. */
void flight_end(struct flight *f, struct job *job);

/* launch.c */

/** Start as many jobs as there is room for. Negative: the engine failed. */
int launch_some(struct flight *f);
/** Submit every command whose operands are known, and waits for bulk groups. Negative: as above. */
int launch_submit(struct flight *f);

/* answer.c */

/** Deal with one record of the engine. */
void answer_take(struct flight *f, const struct tma_record *record);

/* memory.c */

/** Find room for the job, whose record, queue and ranks are known: 1, 0 not now, -1 out of memory. */
int memory_place(struct flight *f, struct job *job);
void memory_release(struct flight *f, struct job *job);
/** Write the initial contents. Negative: the engine failed. */
int memory_prepare(struct flight *f, struct job *job);
/** Compare everything that the job may have touched; reports through flight_fail(). */
int memory_check(struct flight *f, struct job *job);
/** Fill shared memory before the first job. */
int memory_fill(struct flight *f);
/** Compare all of memory, when no job is in flight; reports through flight_failure(). */
int memory_check_all(struct flight *f);

#endif
