/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs what goes wrong on the real engine, in every configuration, without and with stalls.
 *
 * usage: test_engine [--quick] SUITE...
 *
 * --quick leaves out `max`, and of what is larger than `small` the runs without stalls. There it tries every fourth distance of a
 * corner, and one moment of a stop for each channel; of corners on `small` with stalls every second distance.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "engine/engine_tests.h"
#include "engine/stalls.h"

static const struct {
	const char *name;
	int (*run)(const char *name, const char *config, const struct rig_opts *opts);
} suites[] = {
	{ "faults", engine_faults }, { "watchdog", engine_watchdog },   { "patience", engine_patience },
	{ "errors", engine_errors }, { "registers", engine_registers }, { "corners", engine_corners },
};
#define NUM_SUITES (sizeof(suites) / sizeof(suites[0]))

static bool engine_quick;

uint32_t engine_step(const char *config, bool stalls)
{
	return !engine_quick ? 1 : strcmp(config, "small") ? 4 : stalls ? 2 : 1;
}

static int run(size_t suite, const char *config, const struct rig_opts *opts)
{
	char name[48];

	snprintf(name, sizeof(name), "%s_%s%s", suites[suite].name, config,
	         opts->stall_percent ? "_stalls" : "");
	return suites[suite].run(name, config, opts);
}

static int run_everywhere(size_t suite)
{
	static const struct rig_opts steady = { .size = sizeof(steady), .latency = 20 };
	static const struct rig_opts stalls = STALLS(29, 20);
	const char *const *config;
	int failed = 0;

	for (config = tma_sim_configs(); *config; config++) {
		if (engine_quick && !strcmp(*config, "max"))
			continue;
		if (!engine_quick || !strcmp(*config, "small"))
			failed += run(suite, *config, &steady);
		failed += run(suite, *config, &stalls);
	}
	return failed + (suites[suite].run == engine_faults ? engine_fault_table() : 0);
}

int main(int argc, char **argv)
{
	int failed = 0;

	/* The rig reports on stderr: whole lines of both, or the report cannot be counted. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++) {
		size_t suite = 0;

		if (!strcmp(argv[i], "--quick")) {
			engine_quick = true;
			continue;
		}
		while (suite < NUM_SUITES && strcmp(suites[suite].name, argv[i]))
			suite++;
		if (suite == NUM_SUITES) {
			fprintf(stderr, "test_engine: no suite %s\n", argv[i]);
			return 2;
		}
		failed += run_everywhere(suite);
	}
	return failed != 0;
}
