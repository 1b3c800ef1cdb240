/* SPDX-License-Identifier: Apache-2.0 */
/* Runs all tests that are linked with it. See unit_test.h. */
#include "unit_rtl/unit_test.h"

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

int main(int argc, char **argv)
{
	if (!argc || !num_tests || num_tests > MOST)
		return 1;
	return _cmocka_run_group_tests(argv[0], tests, num_tests, NULL, NULL);
}
