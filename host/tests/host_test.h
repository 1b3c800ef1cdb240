/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the host library share: they run on every engine of a table. */
#ifndef HOST_TEST_H
#define HOST_TEST_H

#include "lib/cmocka_all.h"
#include "tma.h"

/* Cycles in which everything that these tests do is done, stalls included. Where no cycles are counted they are looks,
 * and over a line each takes some milliseconds, on a simulated card half a one. */
#ifdef HOST_TEST_SERIAL
#define LIMIT 400
#elif defined(HOST_TEST_XRT)
#define LIMIT 4000
#else
#define LIMIT 20000
#endif

/* An engine that the tests run on. */
struct host_case {
	const char *name;
	const char *backend, *config;
	uint64_t seed;
	enum tma_front front; /* of the queues that the tests open with open_queue() */
};

/* A test that runs on every engine, with a device that is looked at and closed behind it. */
struct host_test {
	const char *name;
	void (*run)(struct tma_device *device);
};

/** The model behind memory that is not coherent. */
const struct tma_backend *staged_backend(void);
/** The same where a record comes in two pieces, between which the engine goes on. */
const struct tma_backend *torn_backend(void);
/** The model with completion rings that cannot be written. */
const struct tma_backend *astray_backend(void);
/** The model with a queue 0 that never closes. */
const struct tma_backend *endless_backend(void);
/** The model without what came with minor version 2. */
const struct tma_backend *older_backend(void);
/** The model with an engine that always goes on, slowly. */
const struct tma_backend *busy_backend(void);
/** The back ends that this program is linked with, besides the model. */
const struct tma_backend *const *host_backends(void);

/** The engine of a case, which is host_case() from then on. */
struct tma_device *open_device(const struct host_case *c);
const struct host_case *host_case(void);

/** How a queue of the case is opened where it does not matter: direct, if that is possible. */
enum tma_front plain_front(void);

/** Does the engine go on in calls that only look, or by itself? Late models pass time with each register access. */
bool goes_on(struct tma_device *device);
/** Nothing is where no buffer is. The memory of a card is there, whether it was allocated or not. */
bool has_gaps(void);

struct tma_device_info device_info(const struct tma_device *device);

/** A queue with all defaults but its executing CTA. */
struct tma_queue *open_queue(struct tma_device *device, uint32_t index, uint32_t cta);

/** One with rings of so many slots. */
struct tma_queue *open_ring(struct tma_device *device, uint32_t index, uint32_t slots);

struct tma_memory *alloc_memory(struct tma_device *device, uint64_t bytes);

/** Submit, and check the sequence number. */
void submit(struct tma_queue *queue, const struct tma_command *command);

/** Wait for a record, check its kind and give it back. */
struct tma_record wait_kind(struct tma_queue *queue, enum tma_kind kind);

/** Submit a command that answers, and give back its answer. */
uint64_t ask(struct tma_queue *queue, const struct tma_command *command);

/* The same with a command `c` as it is built on the spot: SUBMIT(queue, tma_signal(&c, 1)). */
#define SUBMIT(queue, ...)            \
	do {                          \
		struct tma_command c; \
		__VA_ARGS__;          \
		submit(queue, &c);    \
	} while (0)
#define ASK(queue, ...)               \
	({                            \
		struct tma_command c; \
		__VA_ARGS__;          \
		ask(queue, &c);       \
	})

/** Submit a command that faults, wait for its record and check the code. */
struct tma_record expect_fault(struct tma_queue *queue, const struct tma_command *command,
                               enum tma_fault fault);

/** Initialise a barrier in the queue's CTA; it is alive when this returns. */
void init_barrier(struct tma_queue *queue, uint32_t mbar, uint32_t count);

/** Arrive, and expect so many bytes. */
void expect_bytes(struct tma_queue *queue, uint32_t mbar, uint32_t bytes);

/** Wait until the phase of that parity is complete. */
void wait_phase(struct tma_queue *queue, uint32_t mbar, uint32_t parity);

/** Commit what was stored and wait until it is there. */
void wait_stores(struct tma_queue *queue);

/** Byte i of a pattern that no shift by a multiple of 16 maps onto itself. */
uint8_t pattern(uint64_t i);
void fill_pattern(uint8_t *bytes, size_t count);

/* Each ends with one without a name. */
extern const struct host_test program_tests[], error_tests[], protocol_tests[], tensor_tests[];
extern const struct host_test tensor_fault_tests[], hint_tests[], thread_tests[], explain_tests[];
extern const struct host_test wait_tests[], watch_tests[];

/** Tests that need no engine. @return number of failed tests */
int run_backend_tests(void);
int run_command_tests(void);
int run_library_tests(void);
int run_memory_tests(void);
int run_reduce_tests(void);
int run_argument_tests(void);
int run_null_tests(void);
int run_turn_tests(void);
int run_late_tests(void);
int run_explain_tests(void);
int run_print_tests(void);
int run_layout_tests(void);
int run_kept_tests(void);

#endif
