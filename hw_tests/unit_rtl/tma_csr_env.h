/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_csr_env - the registers with what is around them: a host on the AXI4-Lite port, the engine's
 * state, and the map that says what has to come out.
 *
 * Every cycle the pulses and the interrupt are compared with the map.
 */
#ifndef TMA_CSR_ENV_H
#define TMA_CSR_ENV_H

#include <stdbool.h>
#include <stdint.h>

#include "unit_rtl/tma_csr_map.h"
#include "unit_rtl/unit_test.h"

struct bench {
	struct csr *unit;
	struct csr_in *in;
	const struct csr_out *out;
	struct csr_map map;
	struct csr_window windows[16][8]; /* by what the unit has written */
	struct rng rng;
	uint64_t counted[CSR_COUNTERS], cycle;
	bool was_busy; /* in the cycle before */
	uint32_t event_percent, record_percent;
	bool impatient; /* the host takes responses at once, sends address and data together */
	bool writing;   /* this cycle writes what follows */
	uint32_t address, old, value, strobes;
	uint32_t resp;          /* and gets this response */
	struct csr_pulses last; /* pulses that are due in the next cycle */
};

void bench_open(struct bench *b, uint64_t seed);
/** Fails the test when an assertion of the RTL has failed. */

#define BENCH_TEST(name, ...) TEST_IN(name, struct bench, b, bench_open(b, __VA_ARGS__), csr_close(b->unit))
/** Set-up is gone, the pins that say what state the engine is in stay. */
void bench_reset(struct bench *b);
void eval(struct bench *b);
void step(struct bench *b);

/** One read. @p counted, if given, gets what the counters were when it was taken. */
uint32_t read_word(struct bench *b, uint32_t address, uint32_t *value, uint64_t *counted);
/** Read and compare, but for counters: those move. */
void check_read(struct bench *b, uint32_t address);
/** Write and compare the response and what comes of it. Returns the response. */
uint32_t do_write(struct bench *b, uint32_t address, uint32_t value, uint32_t strobes);
/** The set-up that the engine sees is the map's. */
void check_setup(struct bench *b);

/** Another state of the engine: queues that are active, faulted, full and so on. */
void random_state(struct bench *b);
/** A number that is sometimes from..to, sometimes next to it, sometimes far off. */
uint32_t near(struct bench *b, uint32_t from, uint32_t to);

#endif
