/* SPDX-License-Identifier: Apache-2.0 */
/* Time, for tests with threads. Sources that include it ask for POSIX. */
#ifndef HOST_THREADS_H
#define HOST_THREADS_H

#include <time.h>

#include "host_test.h"

#define SECOND UINT64_C(1000000000) /* in nanoseconds */

static inline uint64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

static inline void sleep_us(uint32_t us)
{
	const struct timespec time = { .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000 };

	nanosleep(&time, NULL);
}

#endif
