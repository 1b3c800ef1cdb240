/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs all tests that are linked with it. See unit_test.h. With UNIT_FIRST=NAME in the environment that test goes first, if
 * there is one, and the first that fails is the last: whether there is one that fails is all that a mutant wants to know.
 */
#include "unit_rtl/unit_test.h"

#include <stdlib.h>

#include "unit_rtl/unit.h"

#define MOST 64u

static struct CMUnitTest tests[MOST];
static size_t num_tests;

static int assertions_held(void **state)
{
	(void)state;
	return unit_failed() ? -1 : 0;
}

void add_test(struct CMUnitTest test)
{
	test.teardown_func = assertions_held;
	/* One too many writes no further: main() fails. */
	if (num_tests++ < MOST)
		tests[num_tests - 1] = test;
}

static int until_one_fails(const char *group, const char *first)
{
	size_t i, start = 0;

	for (i = 0; i < num_tests; i++) {
		if (strcmp(tests[i].name, first) == 0)
			start = i;
	}
	if (_cmocka_run_group_tests(group, tests + start, 1, NULL, NULL))
		return 1;
	for (i = 0; i < num_tests; i++) {
		if (i != start && _cmocka_run_group_tests(group, tests + i, 1, NULL, NULL))
			return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *first = getenv("UNIT_FIRST");

	if (!argc || !num_tests || num_tests > MOST)
		return 1;
	if (first)
		return until_one_fails(argv[0], first);
	return _cmocka_run_group_tests(argv[0], tests, num_tests, NULL, NULL);
}
