/* SPDX-License-Identifier: Apache-2.0 */
/* cmocka.h behind the headers that it needs and does not include; tests that run as they are written. */
#ifndef CMOCKA_ALL_H
#define CMOCKA_ALL_H

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
/* clang-format on */

/*
 * TEST(name) { ... } is a test; behind a setup of cmocka's kind, TEST_BEHIND(name, setup). run_file_tests(suite)
 * runs all of its file, in their order, and returns how many failed; run_file_tests_on() gives each of them a
 * state, run_file_tests_within() has a setup before all and a teardown behind. With ONE_TEST_LIST the program
 * has one list for all its files, and defines add_test().
 */
#define TEST(name) TEST_BEHIND(name, NULL)
#define TEST_BEHIND(name, setup)                                                  \
	static void name(void **state);                                           \
	__attribute__((constructor)) static void add_##name(void)                 \
	{                                                                         \
		add_test((struct CMUnitTest)cmocka_unit_test_setup(name, setup)); \
	}                                                                         \
	static void name(__attribute__((unused)) void **state)

/* A test with what `make` returns, its only parameter, for as long as it runs. */
#define TEST_WITH(name, parameter, make, end) \
	static void name##_with(parameter);   \
	TEST(name)                            \
	{                                     \
		void *made = make;            \
                                              \
		name##_with(made);            \
		end(made);                    \
	}                                     \
	static void name##_with(parameter)

#ifdef ONE_TEST_LIST
void add_test(struct CMUnitTest test);
#else
static struct CMUnitTest file_tests[100];
static size_t num_file_tests;

static inline void add_test(struct CMUnitTest test)
{
	if (num_file_tests == sizeof(file_tests) / sizeof(file_tests[0]))
		abort();
	file_tests[num_file_tests++] = test;
}

static inline int run_file_tests_within(const char *suite, int (*setup)(void **), int (*teardown)(void **))
{
	return _cmocka_run_group_tests(suite, file_tests, num_file_tests, setup, teardown);
}

static inline int run_file_tests(const char *suite)
{
	return run_file_tests_within(suite, NULL, NULL);
}

static inline int run_file_tests_on(const char *suite, void *state)
{
	for (size_t i = 0; i < num_file_tests; i++)
		file_tests[i].initial_state = state;
	return run_file_tests(suite);
}

#endif

#endif
