/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all tests of single RTL units share.
 *
 * A unit's shim shows its pins as two plain structs: pins.py makes them. One cycle: write `in`, eval()
 * to settle, read `out`, then tick() for the rising edge, behind which `out` is settled again, or edge(), behind which `out`
 * is as it was until the next eval(). start() resets: two cycles with the inputs as they are. Threads: one unit belongs to one thread.
 */
#ifndef UNIT_H
#define UNIT_H

#include <inttypes.h>
#include <stdint.h>

/* Stop the test, and say in which cycle of its environment `e`. */
#define REQUIRE(e, condition)                                                      \
	do {                                                                       \
		if (!(condition))                                                  \
			fail_msg("cycle %" PRIu64 ": %s", (e)->cycle, #condition); \
	} while (0)

#ifdef __cplusplus
class VerilatedContext;

/* Random start values, the same in every run. */
void unit_prepare(VerilatedContext &context);
/* Write what was covered into the directory that UNIT_COVERS names, if it does. */
void unit_save_covers(VerilatedContext &context);

extern "C" {
#endif

/** The configuration that the unit was built in: what its package says. */
struct unit_shape {
	uint32_t data_bytes, ctas, smem_bytes, queues, ports, windows, reads, writes, multimem;
	uint32_t ring_depth, maps, barriers, packed, short_paths;
	uint32_t reductions, floats;
};

const struct unit_shape *unit_shape(void);

/** How many of `all` rounds of a random test are run: a quarter, at least one; all of them where UNIT_ALL is set. */
uint32_t unit_rounds(uint32_t all);

/** Assertions of the RTL that have failed in this process; each is printed on stderr. */
int unit_failed(void);

#ifdef __cplusplus
}
#endif
#endif
