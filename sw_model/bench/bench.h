/* SPDX-License-Identifier: Apache-2.0 */
/* tma_bench_model - how fast the C model is: its rows, and how they are timed. */
#ifndef BENCH_MODEL_H
#define BENCH_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* A measured number with its contract: a share of memcpy() that must be reached, or a value that must not be
 * passed. limit 0: reported alone. */
struct bench_row {
	const char *name;
	const char *unit;
	double value, limit;
	bool at_least;
	bool failed; /* it could not be measured, or the model did something wrong */
};

/** Seconds on a clock that never goes back. */
double bench_now(void);

/** Copies of the model beside memcpy() of the same bytes, and small commands by themselves.
 * @return rows, at most @p room */
uint32_t bench_copies(struct bench_row *rows, uint32_t room);

/** Buffers of the host library: how time grows with their number. */
uint32_t bench_buffers(struct bench_row *rows, uint32_t room);

#endif
