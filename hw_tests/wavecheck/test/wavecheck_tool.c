/* SPDX-License-Identifier: Apache-2.0 */
/* The tools of wavecheck_tool.h. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp() */
#include <stdlib.h>
#include <string.h>

#include "lib/cmocka_all.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wavecheck/test/wavecheck_tool.h"

/* A cycle of the rig is this many units of the dump's time. */
#define CYCLE_UNITS 10u

static char folder[] = "/tmp/wavecheck_XXXXXX";
static char good[64], bad[64], worse[64], output[4096];

/* Exit status of the command; what it prints is in `output`. */
static int run(const char *command)
{
	FILE *pipe = popen(command, "r");
	size_t size;
	int status;

	assert_non_null(pipe);
	size = fread(output, 1, sizeof(output) - 1, pipe);
	output[size] = 0;
	while (size && fgetc(pipe) != EOF)
		;
	status = pclose(pipe);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

int tool_open(void **state)
{
	(void)state;
	if (!getenv("WAVECHECK") || !getenv("FST_CORRUPT") || !mkdtemp(folder))
		return -1;
	snprintf(good, sizeof(good), "%s/good.fst", folder);
	snprintf(bad, sizeof(bad), "%s/bad.fst", folder);
	snprintf(worse, sizeof(worse), "%s/worse.fst", folder);
	tma_sim_trace_pins(true);
	return 0;
}

int tool_close(void **state)
{
	(void)state;
	unlink(good);
	unlink(bad);
	return rmdir(folder);
}

const char *tool_good(void)
{
	return good;
}

const char *tool_bad(void)
{
	return bad;
}

const char *tool_output(void)
{
	return output;
}

int tool_check(const char *path, const char *options)
{
	char command[512];

	snprintf(command, sizeof(command), "%s %s %s 2>&1", getenv("WAVECHECK"), path, options);
	return run(command);
}

static void corrupt(const char *from, const char *to, const char *signal, unsigned bit, uint64_t cycle,
                    uint32_t cycles)
{
	char command[512];

	snprintf(command, sizeof(command), "%s %s %s 'tma_engine.%s' %u %llu %llu 2>&1",
	         getenv("FST_CORRUPT"), from, to, signal, bit, (unsigned long long)(cycle * CYCLE_UNITS),
	         (unsigned long long)((cycle + cycles) * CYCLE_UNITS));
	if (run(command))
		fail_msg("%s", output);
}

void tool_corrupt(const char *signal, unsigned bit, uint64_t cycle, uint32_t cycles)
{
	corrupt(good, bad, signal, bit, cycle, cycles);
}

void tool_corrupt_more(const char *signal, unsigned bit, uint64_t cycle, uint32_t cycles)
{
	corrupt(bad, worse, signal, bit, cycle, cycles);
	assert_int_equal(rename(worse, bad), 0);
}

void tool_caught(const struct run_marks *marks, const struct corruption *corruptions, size_t count)
{
	unsigned missed = 0;

	for (size_t i = 0; i < count; i++) {
		const struct corruption *c = &corruptions[i];
		uint32_t which =
			c->which < 0 ? marks->count[c->mark] - (uint32_t)-c->which : (uint32_t)c->which;
		char named[128];
		int status;

		if (!c->cycle && which >= marks->count[c->mark])
			fail_msg("%s: only %u such cycles", c->name, marks->count[c->mark]);
		tool_corrupt(c->signal, c->bit, c->cycle ? *c->cycle : marks->cycle[c->mark][which],
		             c->cycles ? c->cycles : 1);
		status = tool_check(bad, c->options);
		snprintf(named, sizeof(named), " ns, tma_engine.%s", c->named ? c->named : c->signal);
		if (status != 1 || !strstr(output, named))
			missed++, print_error("%s: status %d: %s", c->name, status, output);
	}
	assert_int_equal(missed, 0);
}
