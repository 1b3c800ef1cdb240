/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the model's unit tests share: a small engine in a known state, expectations on all of its
 * memory, and tables of cases that run as one named test each.
 *
 * The engine: 4 CTAs of 32 KiB, 3 queues, 2 windows, 64-byte beats, all reductions; 16 pages of global memory. All
 * bytes hold a pattern. Every CTA has a live barrier of count 1 at BAR and at BAR_LAST.
 *
 *	queue 0: CTA 0, may touch every CTA	queue 1: CTA 1, the same
 *	queue 2: CTA 0, may touch CTAs 0 and 1
 *
 * Window 0 of every queue is the whole of global memory, read and write; window 1 is disabled.
 */
#ifndef MODEL_FIXTURE_H
#define MODEL_FIXTURE_H

#include <string.h>

#include "lib/cmocka_all.h"
#include "tma_model.h"

#define CTAS         4u
#define QUEUES       3u
#define SMEM_BYTES   32768u
#define PAGE         4096u
#define GLOBAL       UINT64_C(0x700000000000)
#define GLOBAL_BYTES (16 * PAGE)
#define GLOBAL_END   (GLOBAL + GLOBAL_BYTES)
#define BAR          0x40u
#define BAR_LAST     (SMEM_BYTES - 8)
#define COUNT_MAX    0xfffffu /* 2^20-1, the largest count and tx-count */

/* A shared::cluster address. */
#define AT(rank, offset) ((uint32_t)(rank) << 24 | (uint32_t)(offset))

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* All memory that a test can see. `global` has a page before and after what is mapped. */
struct memory {
	uint8_t smem[CTAS][SMEM_BYTES];
	uint8_t global[GLOBAL_BYTES + 2 * PAGE];
};

struct fixture {
	struct tma_model *m;
	uint8_t *global; /* of the model, one page in */
	uint8_t global_store[GLOBAL_BYTES + 2 * PAGE];
	struct tma_queue_config queues[QUEUES];
	struct memory expected; /* edit it, then expect_all_memory() */
};

struct fixture *fixture_new(void);
/** The same with late copies; seed 0 is fixture_new(). */
struct fixture *fixture_late(uint64_t seed);
void fixture_free(struct fixture *f);

/** Disable queue @p q, set its window 0 if there is a new one, configure it anew. */
void requeue(struct fixture *f, uint32_t q, const struct tma_queue_config *config,
             const struct tma_window *window);

/** Let everything run: with a seed that takes many calls. Returns them. */
uint32_t run_all(struct fixture *f);
/** Submit commands and let everything run. */
void submit(struct fixture *f, uint32_t q, struct tma_command command);
void issue(struct fixture *f, uint32_t q, struct tma_command command);

/** The next record is this one, in every field. */
void expect_record(struct fixture *f, struct tma_record expected);
void expect_no_record(struct fixture *f);
/** The next record is queue @p q's fault, and its status says the same. */
void expect_fault(struct fixture *f, uint32_t q, uint16_t code, uint64_t address);
/** Command runs without any record. */
void expect_quiet(struct fixture *f, uint32_t q, struct tma_command command);

struct tma_queue_status status_of(struct fixture *f, uint32_t q);

/** A model without a fixture, of one CTA of 1 KiB. @p data_bytes 0: beats of 64 bytes */
struct tma_model *small_model(uint32_t data_bytes);
struct tma_queue_status model_status(struct tma_model *m, uint32_t q);

/** Take what memory holds now as the expectation. */
void remember(struct fixture *f);
/** Every byte of shared and global memory, and around it, is as expected. */
void expect_all_memory(struct fixture *f);

/** Expected bytes: @p size bytes of global memory in CTA @p rank at @p offset. */
void expect_loaded(struct fixture *f, uint32_t rank, uint32_t offset, uint64_t address, uint32_t size);
/** Expected bytes: @p size bytes of CTA @p rank in global memory. */
void expect_stored(struct fixture *f, uint64_t address, uint32_t rank, uint32_t offset, uint32_t size);

/** A barrier object by its layout in the specification. */
uint64_t barrier_word(uint32_t expected, uint32_t pending, int32_t tx, uint32_t phase);
void put_barrier(struct fixture *f, uint32_t rank, uint32_t offset, uint64_t word);
uint64_t get_barrier(struct fixture *f, uint32_t rank, uint32_t offset);
void expect_barrier(struct fixture *f, uint32_t rank, uint32_t offset, uint64_t word);

/* Commands. Legal unless the arguments are not. */
struct tma_command command(uint8_t opcode);
struct tma_command load(uint32_t dst, uint64_t src, uint32_t size, uint32_t bar);
struct tma_command multicast(uint32_t dst, uint64_t src, uint32_t size, uint32_t bar, uint16_t mask);
struct tma_command store(uint64_t dst, uint32_t src, uint32_t size);
struct tma_command store_masked(uint64_t dst, uint32_t src, uint32_t size, uint16_t byte_mask);
struct tma_command copy(uint32_t dst, uint32_t src, uint32_t size, uint32_t bar);
struct tma_command prefetch(uint64_t src, uint32_t size);
struct tma_command barrier_init(uint32_t bar, uint32_t count);
struct tma_command barrier_tx(uint8_t opcode, uint32_t bar, uint32_t tx);
struct tma_command arrive(uint32_t bar, uint32_t count, uint16_t flags);
struct tma_command arrive_expect_tx(uint32_t bar, uint32_t tx, uint16_t flags);
struct tma_command wait_parity(uint8_t opcode, uint32_t bar, uint32_t parity);
struct tma_command wait_state(uint8_t opcode, uint32_t bar, uint64_t state);
struct tma_command with_flags(struct tma_command c, unsigned int flags);
struct tma_command tagged(struct tma_command c, uint32_t tag);

/*
 * What begins a test that has a fixture `f`, or a model `m`, from its begin to its end:
 *
 *	FIXTURE_TEST(name)
 *	{
 *		issue(f, 0, ...
 */
#define FIXTURE_TEST(name)          TEST_WITH(name, struct fixture *f, fixture_new(), fixture_free)
#define FIXTURE_TEST_OF(name, make) TEST_WITH(name, struct fixture *f, make, fixture_free)
#define MODEL_TEST(name, make)      TEST_WITH(name, struct tma_model *m, make, tma_model_free)

/* What a table's test does with each `row`, a parameter, and a fixture `f` of its own. */
#define FIXTURE_CASE(name, row)                          \
	static void name##_with(struct fixture *f, row); \
	static void name(void **state)                   \
	{                                                \
		struct fixture *made = fixture_new();    \
                                                         \
		name##_with(made, *state);               \
		fixture_free(made);                      \
	}                                                \
	static void name##_with(struct fixture *f, row)

/*
 * A suite is a function that runs tests and returns how many failed; main() runs all that there are.
 * TABLE_SUITE makes one whose tests are the rows of a table; a row's first member is its name, and
 * test(state) gets the row. LIST_SUITE makes one of all that TEST() and the like began in its file.
 */
#define SUITE(suite)                                               \
	static int suite(void);                                    \
	__attribute__((constructor)) static void add_##suite(void) \
	{                                                          \
		add_suite(suite);                                  \
	}                                                          \
	static int suite(void)

#define TABLE_SUITE(suite, cases, test)                                                                      \
	SUITE(suite)                                                                                         \
	{                                                                                                    \
		struct CMUnitTest tests[ARRAY_SIZE(cases)];                                                  \
                                                                                                             \
		for (size_t i = 0; i < ARRAY_SIZE(cases); i++)                                               \
			tests[i] = (struct CMUnitTest){ .name = (cases)[i].name,                             \
				                        .test_func = (test),                                 \
				                        .initial_state = (void *)(uintptr_t) & (cases)[i] }; \
		return cmocka_run_group_tests_name(#suite, tests, NULL, NULL);                               \
	}

#define LIST_SUITE(suite)                      \
	SUITE(suite)                           \
	{                                      \
		return run_file_tests(#suite); \
	}

void add_suite(int (*suite)(void));

#endif
