/* SPDX-License-Identifier: Apache-2.0 */
/* A rig with one queue for the rig's own tests. */
#ifndef RIG_BENCH_H
#define RIG_BENCH_H

#include <stdint.h>

#include "lib/cmocka_all.h"
#include "lib/rig.h"

#define BASE  UINT64_C(0x123456789000)
#define SIZE  0x4000u
#define LIMIT 20000u

/* What a test runs on: cmocka's initial state. */
struct where {
	const char *config;
	struct rig_opts opts;
};

struct bench {
	struct rig *rig;
	uint8_t memory[SIZE];
	int failures; /* that there have to be in the end */
};

/** A queue's smallest rings, of 16 slots each. */
extern const struct rig_queue small_ring;

/** Rig with SIZE bytes at BASE of port 0, all of which queue 1 may read and write. */
void bench_open(struct bench *b, const struct where *w);
/** The same with a queue of the test's own: its windows and stream are filled in. */
void bench_open_queue(struct bench *b, const struct where *w, struct rig_queue setup);
/** A map of 2D bytes at BASE + @p tensor, in the memory @p at. */
void bench_put_map(struct bench *b, uint32_t at, uint32_t tensor, const uint64_t dim[2], uint64_t stride,
                   const uint32_t box[2]);
void bench_close(struct bench *b);
/** Closes it; the test counts as skipped: the configuration has not what it needs. Does not return. */
void bench_skip(struct bench *b);
void bench_wait_idle(struct bench *b);
/** How many records queue 1 has got. */
uint32_t bench_records(const struct bench *b);

/* A test with a bench `b`, whose queue is the test's own: from its opening to its end. */
#define BENCH_TEST_OF(name, setup)                   \
	static void name##_on(struct bench *b);      \
	TEST(name)                                   \
	{                                            \
		struct bench b;                      \
                                                     \
		bench_open_queue(&b, *state, setup); \
		name##_on(&b);                       \
		bench_close(&b);                     \
	}                                            \
	static void name##_on(struct bench *b)
#define BENCH_TEST(name) BENCH_TEST_OF(name, (struct rig_queue){ 0 })

/** Submit to queue 1. */
void bench_submit(struct bench *b, struct tma_command c);
/* The same with an opcode and further fields. */
#define bench_do(b, ...) bench_submit(b, (struct tma_command){ .opcode = __VA_ARGS__ })

/* Every test of a file on one kind of rig. Each returns the number of those that failed. */
int rig_tests(const char *name, struct where *w);
int ring_tests(const char *name, struct where *w);
int recovery_tests(const char *name, struct where *w);
int group_tests(const char *name, struct where *w);
int order_tests(const char *name, struct where *w);
int progress_tests(const char *name, struct where *w);
int pair_tests(const char *name, struct where *w);
int isolation_tests(const char *name, struct where *w);
int wait_tests(const char *name, struct where *w);
int wait_port_tests(const char *name, struct where *w);
int reader_tests(const char *name, struct where *w);
int contention_tests(const char *name, struct where *w);

#endif
