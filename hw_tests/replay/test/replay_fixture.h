/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of files of vectors, with what the replay says of them. */
#ifndef REPLAY_FIXTURE_H
#define REPLAY_FIXTURE_H

#include <stddef.h>
#include <stdint.h>

#include "replay/stream.h"

#define LOG_SIZE 4096

/* A file of vectors whose bytes can be changed. */
struct file {
	uint8_t *bytes;
	size_t size;
};

/** What the last run has printed. */
extern char fixture_log[LOG_SIZE];

/** One of hw_tests/vectors; free(bytes). */
struct file fixture_load(const char *name);

/** Where the commands of the runs go; at first STREAM_ALTERNATE. */
extern enum stream_front fixture_front;

/** Run a file, or record @p only of it. */
struct stream_result fixture_run(const struct file *f, const struct replay_backend *backend,
                                 const char *config, uint32_t only, uint64_t seed);

/** Another engine for each test: the C model, of which the test changes a part. */
extern struct replay_backend fixture_backend;
int fixture_setup(void **state);
#define FIXTURE_TEST(name) TEST_BEHIND(name, fixture_setup)

/** Run a whole file on it. */
struct stream_result fixture_whole(const char *name);

/** The file's first record of the op that moves anything. */
void fixture_first(const struct file *f, uint32_t op, struct vec_record *r);

/** The record alone passes as it was recorded, and fails with these words when byte @p at of the file is
 * another one. */
void fixture_tampered(struct file *f, uint32_t number, size_t at, const char *words);

struct fixture_family {
	const char *name; /* of the file */
	uint32_t op;
	const char *words;
};

/** fixture_tampered() with the first record of each, at every @p step bytes of the memory after it, in every
 * CTA, and at the last one. */
void fixture_every_byte(const struct fixture_family *families, size_t count, size_t step);

/** Fail the test unless the last run has printed these words. */
void fixture_logged(const char *words);

#endif
