/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream - all records of a file through one engine, several in flight at once.
 *
 * Every record gets a random queue and random, disjoint memory. The engine is never reset; only
 * after a failure that leaves it in doubt is it opened anew for the records that remain.
 */
#ifndef REPLAY_STREAM_H
#define REPLAY_STREAM_H

#include <stdint.h>
#include <stdio.h>

#include "lib/vec.h"
#include "replay/backend.h"

#define STREAM_ALL     UINT32_MAX
#define STREAM_REASONS 16u

/* Where the commands of a record go. */
enum stream_front {
	STREAM_ALTERNATE, /* every other record through a ring */
	STREAM_DIRECT,
	STREAM_RING,
};

struct stream_options {
	const struct replay_backend *backend;
	const char *config; /* NULL: "default" */
	const char *fst;    /* waveform to write, or NULL */
	uint64_t seed;
	enum stream_front front;
	uint32_t only;  /* number of the one record to replay, or STREAM_ALL */
	uint32_t every; /* one of so many records, which ones by the seed; 0: all */
	FILE *log;      /* failures, one line each */
};

struct stream_result {
	uint32_t passed, failed, skipped;
	struct {
		const char *reason;
		uint32_t count;
	} skips[STREAM_REASONS];
	uint32_t num_skips;
};

/** Replay a file. 0, or -1: the engine could not be opened at all. */
int stream_run(const struct vec *file, const struct stream_options *options, struct stream_result *result);

#endif
