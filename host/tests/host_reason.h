/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that are refused, with the reason that tma_last_error() gives: "name: words..". */
#ifndef HOST_REASON_H
#define HOST_REASON_H

#include "host_test.h"

/** Is the last error that of a call, which begins with its name and "(", and does its reason begin so? */
void expect_reason(const char *call, const char *words);

/** A model in its configuration `default`, with reductions. */
struct tma_device *open_model(void);

/* With an error code. */
#define REFUSED_AS(error, call, words)         \
	do {                                   \
		assert_int_equal(call, error); \
		expect_reason(#call, words);   \
	} while (0)
#define REFUSED(call, words) REFUSED_AS(TMA_EINVAL, call, words)

/* Functions that return a pointer or a number, or nothing: it is 0, if anything, and the reason is there. */
#define NOTHING(call, words)                 \
	do {                                 \
		assert_true(!(call));        \
		expect_reason(#call, words); \
	} while (0)
#define IGNORED(call, words)                 \
	do {                                 \
		call;                        \
		expect_reason(#call, words); \
	} while (0)

#endif
