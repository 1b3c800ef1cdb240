/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wavecheck_run - a recorded run for the tests of wavecheck: loads of two queues, masked stores, shared
 * copies, barriers, groups, faults; and in which cycles it did what.
 */
#ifndef WAVECHECK_RUN_H
#define WAVECHECK_RUN_H

#include <stdbool.h>
#include <stdint.h>

/* Handshakes that a test may want to hit. */
enum mark {
	MARK_AR,
	MARK_R,
	MARK_AW,
	MARK_W,
	MARK_B,
	MARK_RECORD,
	MARK_EXT_DATA, /* of CTA 0 */
	NUM_MARKS,
};

#define RUN_MAX_MARKS 4096

struct run_marks {
	uint32_t count[NUM_MARKS];
	uint64_t cycle[NUM_MARKS][RUN_MAX_MARKS];
	/* Cycles of special ones. */
	uint64_t second_read;  /* data of bytes that were read before */
	uint64_t barrier_seen; /* data of an external read of a barrier, the engine being idle */
	uint64_t masked_beat;  /* a beat of which some bytes are not written */
};

/** Run it and write the waveform. False: the rig saw a failure. */
bool wavecheck_run(const char *fst, struct run_marks *marks);

#endif
