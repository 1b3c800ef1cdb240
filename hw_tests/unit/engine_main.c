/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the tests of faults on the real engine, in every configuration, without and with stalls. */
#include <stdio.h>

#include "unit/engine_tests.h"

static int run(const char *config, const struct rig_opts *opts)
{
	char name[48];

	snprintf(name, sizeof(name), "faults_%s%s", config, opts->stall_percent ? "_stalls" : "");
	return engine_faults(name, config, opts);
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
