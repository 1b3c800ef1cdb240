/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the tests of the host library on every engine that this program is linked with. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "host_test.h"
#ifdef HOST_TEST_RTL
#include "tma_backend_rtl.h"
#endif

const struct tma_backend *const *host_backends(void)
{
	static const struct tma_backend *backends[6];

	backends[0] = staged_backend();
	backends[1] = astray_backend();
	backends[2] = endless_backend();
	backends[3] = older_backend();
#ifdef HOST_TEST_RTL
	backends[4] = &tma_backend_rtl;
#endif
	return backends;
}

static struct host_case cases[] = {
#ifdef HOST_TEST_RTL
	{ "rtl small", "rtl", "small", 0, TMA_FRONT_DIRECT },
	{ "rtl small, ring, stalls", "rtl", "small", 7, TMA_FRONT_RING },
	{ "rtl default, stalls", "rtl", "default", 11, TMA_FRONT_DIRECT },
	{ "rtl default, ring", "rtl", "default", 0, TMA_FRONT_RING },
	{ "rtl max, ring, stalls", "rtl", "max", 13, TMA_FRONT_RING },
#else
	{ "model small", "model", "small", 0, TMA_FRONT_DIRECT },
	{ "model default", "model", "default", 0, TMA_FRONT_DIRECT },
	{ "model default, ring", "model", "default", 0, TMA_FRONT_RING },
	{ "model max", "model", "max", 0, TMA_FRONT_DIRECT },
	{ "staged, ring", "staged", "default", 0, TMA_FRONT_RING },
#endif
};

#define MAX_TESTS 32

/* Each test under its own name and the engine's. */
static int run_on(struct host_case *c, const struct host_test *tests, size_t count)
{
	struct CMUnitTest unit[MAX_TESTS] = { { 0 } };
	char names[MAX_TESTS][64];
	size_t i;

	assert(count <= MAX_TESTS);
	for (i = 0; i < count; i++) {
		snprintf(names[i], sizeof(names[i]), "%s: %s", c->name, tests[i].name);
		unit[i].name = names[i];
		unit[i].test_func = tests[i].run;
		unit[i].initial_state = c;
	}
	return _cmocka_run_group_tests(c->name, unit, count, NULL, NULL);
}

int main(void)
{
	size_t i;
	int failed = run_command_tests() + run_library_tests();

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		failed += run_on(&cases[i], program_tests, num_program_tests);
		failed += run_on(&cases[i], error_tests, num_error_tests);
		failed += run_on(&cases[i], protocol_tests, num_protocol_tests);
		failed += run_on(&cases[i], tensor_tests, num_tensor_tests);
		failed += run_on(&cases[i], tensor_fault_tests, num_tensor_fault_tests);
	}
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
