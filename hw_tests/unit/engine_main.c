/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the tests of faults on the real engine, in every configuration, without and with stalls. */
#include <stdio.h>

#include "unit/engine_tests.h"

static const struct {
	const char *name;
	int (*run)(const char *name, const char *config, const struct rig_opts *opts);
} suites[] = {
	{ "faults", engine_faults },
	{ "watchdog", engine_watchdog },
	{ "patience", engine_patience },
	{ "errors", engine_errors },
};

static int run(const char *config, const struct rig_opts *opts)
{
	char name[48];
	int failed = 0;

	for (size_t i = 0; i < sizeof(suites) / sizeof(suites[0]); i++) {
		snprintf(name, sizeof(name), "%s_%s%s", suites[i].name, config,
		         opts->stall_percent ? "_stalls" : "");
		failed += suites[i].run(name, config, opts);
	}
	return failed;
}

int main(void)
{
	static const struct rig_opts steady = { .size = sizeof(steady), .latency = 20 };
	static const struct rig_opts stalls = {
		.size = sizeof(stalls),
		.seed = 29,
		.latency = 20,
		.random_latency = 40,
		.stall_percent = 30,
		.command_percent = 20,
		.record_percent = 40,
		.ext_busy_every = 3,
		.pick = RIG_PICK_RANDOM,
	};
	const char *const *config;
	int failed = 0;

	/* The rig reports on stderr: whole lines of both, or the report cannot be counted. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (config = tma_sim_configs(); *config; config++) {
		failed += run(*config, &steady);
		failed += run(*config, &stalls);
	}
	return failed + engine_fault_table() != 0;
}
