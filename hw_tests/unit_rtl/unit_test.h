/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of one list: those of a file run in their order, files in the order in which they are linked.
 * unit_main.c runs them; each fails too if an assertion of the RTL has failed by its end.
 */
#ifndef UNIT_TEST_H
#define UNIT_TEST_H

#include <string.h>

#ifdef CMOCKA_ALL_H
#error "its TEST() has another list"
#endif
#define ONE_TEST_LIST
#include "lib/cmocka_all.h"
#include "lib/must.h"
#include "lib/rng.h"

/* A test with a pointer `v` to a `type`, which `open` has opened, and `close` closes behind the test. */
#define TEST_IN(name, type, v, open, close) \
	static void name##_in(type *v);     \
	TEST(name)                          \
	{                                   \
		type opened, *v = &opened;  \
                                            \
		open;                       \
		name##_in(v);               \
		close;                      \
	}                                   \
	static void name##_in(type *v)

/* What every `struct bench` begins with: a unit of this name, its pins, random numbers; all else 0. */
#define BENCH_OPEN(b, name, seed)                 \
	do {                                      \
		memset(b, 0, sizeof(*(b)));       \
		(b)->rng = rng_make(seed, 1);     \
		(b)->unit = name##_open();        \
		(b)->in = name##_in((b)->unit);   \
		(b)->out = name##_out((b)->unit); \
	} while (0)

#endif
