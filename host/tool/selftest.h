/* SPDX-License-Identifier: Apache-2.0 */
/*
 * selftest - what the groups of `tma selftest` share.
 *
 * A group fills a piece of global and of shared memory with a pattern, has an engine run commands, does to an image
 * of that memory on the host what the commands say, by formulas of its own, and compares all of both. So what is
 * written beside the right place is found as well.
 *
 * The first thing that goes wrong is kept, and every function below does nothing from then on: groups go straight
 * on to their end.
 */
#ifndef SELFTEST_H
#define SELFTEST_H

#include "tool.h"

#define ST_GLOBAL_BYTES 65536u
#define ST_SHARED_BYTES 4096u  /* of each CTA, from offset 0 */
#define ST_SHARED_MOST  12288u /* the same, for groups that need more; every engine has it */
#define ST_MAX_CTAS     16u
#define ST_MAX_QUEUES   16u
#define ST_MAX_COMMANDS 96u
#define ST_MAX_ANSWERS  96u

/* Where groups put things, for most: maps in global memory, tensors behind them; barriers, then data. */
#define ST_MAP     0u
#define ST_TENSOR  8192u
#define ST_BARRIER 0u
#define ST_DATA    1024u

/* Slots of rings: room for a program. Its answers may wait for room: every slot of a record is cleared. */
#define ST_SLOTS        128u
#define ST_RECORD_SLOTS 32u
#define ST_RING_BYTES   12288u /* of both, in whole pages */

/* That the next record may take: cycles, or where nobody counts them and each look takes its time, seconds. */
#define ST_LIMIT   300000u
#define ST_SECONDS 60u

enum st_verdict {
	ST_PASS,
	ST_FAIL,
	ST_SKIP, /* the engine or the back end does not have it */
};

/* The first difference, of a byte or of a value. */
struct st_difference {
	const char *place; /* "global memory", "shared memory", "answer", ..; NULL: there is none */
	uint64_t address;  /* or number */
	uint64_t expected, got;
};

struct st_result {
	enum st_verdict verdict;
	char note[512]; /* what was not as it should be, what was left out, or how much was tested */
	struct st_difference difference;
};

struct selftest {
	struct tma_device *device;
	struct tma_device_info info;
	struct tma_memory *memory; /* ST_GLOBAL_BYTES */
	struct tma_queue *queue[ST_MAX_QUEUES];
	uint32_t cta_of[ST_MAX_QUEUES];
	enum tma_front front; /* of queues that are opened from now on */
	bool has_front[2];
	bool quick;
	uint64_t walk_bytes; /* of global memory to walk */
	struct progress progress;
	const char *group; /* that runs */
	const char *what;  /* its case, for messages; NULL: it has none */
	struct st_result *result;
	/* What memory has to hold. */
	uint8_t global[ST_GLOBAL_BYTES];
	uint8_t shared[ST_MAX_CTAS][ST_SHARED_MOST];
	uint32_t shared_bytes; /* of them; a group may change it before st_fresh() */
	uint32_t ctas;         /* bit r: CTA r is compared */
	/* What it held when it was last looked at, where that is valid. */
	uint8_t known_global[ST_GLOBAL_BYTES];
	uint8_t known_shared[ST_MAX_CTAS][ST_SHARED_MOST];
	bool global_valid, shared_valid[ST_MAX_CTAS];
	uint32_t known_bytes[ST_MAX_CTAS];
	/* The program that grows, and what the last one has answered. */
	struct tma_command program[ST_MAX_COMMANDS];
	uint32_t commands;
	uint64_t answers[ST_MAX_ANSWERS];
	uint32_t num_answers;
};

/* ---- Verdicts (selftest_check.c) ---------------------------------------------------------------- */

/** True: something has gone wrong already. */
bool st_failed(const struct selftest *t);
void st_fail(struct selftest *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** An error of the library. False: it is none. */
bool st_error(struct selftest *t, const char *what, int64_t error);
/** The engine lacks what the group is for. */
void st_skip(struct selftest *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** How much was tested, or what was left out, unless the group has failed. */
void st_note(struct selftest *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** A value that is not at an address of memory. */
void st_value(struct selftest *t, const char *place, uint64_t number, uint64_t expected, uint64_t got);
/** Bytes that lie at @p address; the first that differs is kept. */
void st_bytes(struct selftest *t, const char *place, uint64_t address, const void *expected, const void *got,
              uint64_t bytes);

/** "memory of port 2" */
const char *st_port_name(uint32_t port);

/* ---- Memories (selftest_image.c) ----------------------------------------------------------------- */

/** Fill the images with a pattern that @p salt changes, and the memories with them; bit r of @p ctas: CTA r. */
void st_fresh(struct selftest *t, uint32_t salt, uint32_t ctas);
/** Bring a piece of the images into the memories. */
void st_put_global(struct selftest *t, uint32_t offset, uint32_t bytes);
void st_put_shared(struct selftest *t, uint32_t cta, uint32_t offset, uint32_t bytes);
/** The memories are as the images say. */
void st_compare(struct selftest *t);

/** Something else was written, or went wrong: what the memories hold is not known any more. */
void st_forget(struct selftest *t);
void st_forget_shared(struct selftest *t);
/** Behind a group: all of it, where st_compare() has left out what should not have changed. */
void st_compare_rest(struct selftest *t);

/** The word at an address of a memory that is filled with a pattern: no two near each other are alike. */
uint32_t st_pattern(uint64_t address, uint32_t salt);

/* ---- Programs (selftest_run.c) ------------------------------------------------------------------ */

/** Address of a byte of the global memory that is compared. */
uint64_t st_address(const struct selftest *t, uint32_t offset);
/** Of queues of the front that is tested. @param window  the one of the queue, NULL: all memory */
struct tma_queue_options st_queue_options(const struct selftest *t, const struct tma_queue_window *window);
/** A queue that executes in @p cta, of the front that is tested; NULL after a failure. */
struct tma_queue *st_queue(struct selftest *t, uint32_t cta);
void st_close_queues(struct selftest *t);

/** Room for the next command of the program. */
struct tma_command *st_next(struct selftest *t);
/** Submit the program to a queue, with a signal behind it. */
void st_submit(struct selftest *t, struct tma_queue *queue);
/** tma_wait(), for as long as a record may take. */
int st_wait(const struct selftest *t, struct tma_queue *queue, struct tma_record *record);
/** Take answers until the signal of that program. */
void st_take(struct selftest *t, struct tma_queue *queue);
/** Both, on the queue of a CTA. */
void st_run(struct selftest *t, uint32_t cta);
/** Answer @p index of the last program. */
void st_answer(struct selftest *t, uint32_t index, uint64_t expected);

/** A barrier at ST_BARRIER of @p cta that expects @p bytes in one phase. */
void st_expect(struct selftest *t, uint32_t cta, uint32_t bytes);
/** Wait for that phase, and give up the barrier: 8 bytes of zeros. */
void st_arrived(struct selftest *t, uint32_t cta);
/** Commit the stores, and wait until they are in memory. */
void st_stored(struct selftest *t);

/* ---- Groups -------------------------------------------------------------------------------------- */

void st_walk_port(struct selftest *t);
void st_walk_shared(struct selftest *t);
void st_walk_global(struct selftest *t);

void st_bulk_load(struct selftest *t);
void st_bulk_multicast(struct selftest *t);
void st_bulk_store(struct selftest *t);
void st_bulk_shared(struct selftest *t);
void st_bulk_groups(struct selftest *t);
void st_prefetch(struct selftest *t);
void st_multimem(struct selftest *t);
void st_cp_async(struct selftest *t);
void st_mbarrier(struct selftest *t);

void st_tensor_tile(struct selftest *t);
void st_tensor_swizzle(struct selftest *t);
void st_tensor_interleave(struct selftest *t);
void st_tensor_im2col(struct selftest *t);
void st_tensor_wide(struct selftest *t);
void st_tensor_gather(struct selftest *t);
void st_tensor_store(struct selftest *t);
void st_tensor_multicast(struct selftest *t);
void st_tensor_fence(struct selftest *t);

void st_reduce_global(struct selftest *t);
void st_reduce_float(struct selftest *t);
void st_reduce_shared(struct selftest *t);
void st_reduce_multimem(struct selftest *t);
void st_reduce_tensor(struct selftest *t);

void st_records(struct selftest *t);
void st_fault(struct selftest *t);
void st_cancel(struct selftest *t);
void st_all_queues(struct selftest *t);
void st_counters(struct selftest *t);
void st_rules(struct selftest *t);

#endif
