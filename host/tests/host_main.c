/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the tests of the host library on every engine that this program is linked with. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host_test.h"
#ifdef HOST_TEST_RTL
#include "tma_backend_rtl.h"
#endif
#ifdef HOST_TEST_XRT
extern const struct tma_backend tma_backend_xrt;
#endif

const struct tma_backend *const *host_backends(void)
{
	static const struct tma_backend *backends[7];

	backends[0] = staged_backend();
	backends[1] = astray_backend();
	backends[2] = endless_backend();
	backends[3] = older_backend();
	backends[4] = busy_backend();
#ifdef HOST_TEST_RTL
	backends[5] = &tma_backend_rtl;
#endif
#ifdef HOST_TEST_XRT
	backends[5] = &tma_backend_xrt;
#endif
	return backends;
}

static const struct host_case cases[] = {
#ifdef HOST_TEST_RTL
	{ "rtl small", "rtl", "small", 0, TMA_FRONT_DIRECT },
	{ "rtl small, ring, stalls", "rtl", "small", 7, TMA_FRONT_RING },
/* A sanitizer watches `small` alone: the others differ in nothing that threads share. */
#ifndef HOST_TEST_THREADS
	{ "rtl default, stalls", "rtl", "default", 11, TMA_FRONT_DIRECT },
	{ "rtl default, ring", "rtl", "default", 0, TMA_FRONT_RING },
	{ "rtl max, ring, stalls", "rtl", "max", 13, TMA_FRONT_RING },
#endif
#elif defined(HOST_TEST_XRT)
	{ "xrt small", "xrt", "small", 0, TMA_FRONT_RING },
#elif defined(HOST_TEST_SERIAL)
	{ "serial small", "serial", "small", 0, TMA_FRONT_RING },
#else
	{ "model small", "model", "small", 0, TMA_FRONT_DIRECT },
	{ "model default", "model", "default", 0, TMA_FRONT_DIRECT },
	{ "model default, ring", "model", "default", 0, TMA_FRONT_RING },
	{ "model max", "model", "max", 0, TMA_FRONT_DIRECT },
	{ "staged, ring", "staged", "default", 0, TMA_FRONT_RING },
	{ "model small, late", "model", "small", 3, TMA_FRONT_RING },
	{ "model default, late", "model", "default", 5, TMA_FRONT_DIRECT },
	{ "model default, late, ring", "model", "default", 8, TMA_FRONT_RING },
	{ "model max, late, ring", "model", "max", 13, TMA_FRONT_RING },
	{ "staged, late, ring", "staged", "default", 21, TMA_FRONT_RING },
#endif
};

#define MAX_TESTS 32

struct run {
	const struct host_case *c;
	const struct host_test *test;
};

static void run_one(void **state)
{
	const struct run *run = *state;
	struct tma_device *device = open_device(run->c);

	run->test->run(device);
	assert_int_equal(tma_device_check(device), 0);
	tma_close(device);
}

/* Each test under its own name and the engine's. */
static int run_on(const struct host_case *c, const struct host_test *tests)
{
	struct CMUnitTest unit[MAX_TESTS] = { { 0 } };
	struct run runs[MAX_TESTS];
	char names[MAX_TESTS][64];
	size_t i;

	for (i = 0; tests[i].name; i++) {
		assert(i < MAX_TESTS);
		snprintf(names[i], sizeof(names[i]), "%s: %s", c->name, tests[i].name);
		runs[i] = (struct run){ c, &tests[i] };
		unit[i] = (struct CMUnitTest){ names[i], run_one, NULL, NULL, &runs[i] };
	}
	return _cmocka_run_group_tests(c->name, unit, i, NULL, NULL);
}

/* Under a sanitizer of threads those with threads are enough. */
#ifdef HOST_TEST_THREADS
static int run_without_engine(void)
{
	return run_turn_tests();
}

static const struct host_test *const tests[] = { thread_tests };
#else
static int run_without_engine(void)
{
	return run_backend_tests() + run_command_tests() + run_library_tests() + run_memory_tests() +
	       run_reduce_tests() + run_null_tests() + run_argument_tests() + run_turn_tests() +
	       run_late_tests() + run_explain_tests() + run_print_tests() + run_layout_tests() +
	       run_kept_tests();
}

static const struct host_test *const tests[] = { program_tests, error_tests,        protocol_tests,
	                                         tensor_tests,  tensor_fault_tests, hint_tests,
	                                         thread_tests,  explain_tests,      wait_tests,
	                                         watch_tests };
#endif

static bool is_of(const struct host_case *c, const char *config)
{
	return !config || !strcmp(c->config, config);
}

/* All that runs on an engine, of this configuration or of each. -1: there is no such configuration. */
static int run_engines(const char *config)
{
	int failed = 0;
	size_t ran = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (!is_of(&cases[i], config))
			continue;
		for (size_t t = 0; t < sizeof(tests) / sizeof(tests[0]); t++, ran++)
			failed += run_on(&cases[i], tests[t]);
	}
	return ran ? failed : -1;
}

/* CONFIG...: on these alone. */
int main(int argc, char **argv)
{
	int failed = run_without_engine();

	for (int i = argc > 1; i < argc; i++) {
		int failed_here = run_engines(i ? argv[i] : NULL);

		if (failed_here < 0) {
			fprintf(stderr, "%s: %s: no engine of this configuration\n", argv[0], argv[i]);
			return 2;
		}
		failed += failed_here;
	}
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
