/* SPDX-License-Identifier: Apache-2.0 */
/* tma bench - how fast programs in PTX text are: each is repeated, and measured by the engine's own counters. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime() */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "run.h"
#include "tma_print.h"
#include "tool.h"

static const char usage[] =
	"usage: tma bench [OPTION]... PROGRAM.ptx...\n"
	"\n"
	"Repeats programs in PTX text and says how fast they are: clock cycles in which the engine was not idle, and bytes a\n"
	"cycle, beside what the ports can move; commands a second of the back end. The first time, which is not measured, is\n"
	"compared as `tma run` does.\n"
	"\n"
	"  --backend NAME  model (default), serial, rtl, or another NAME whose libtma_NAME.so is installed\n"
	"  --config NAME   shape of an engine that is simulated: small, default (default) or max\n"
	"  --device PATH   serial: the line to a board, default TMA_SERIAL_DEVICE or /dev/ttyUSB0\n"
	"  --baud N        serial: its speed, default TMA_SERIAL_BAUD or 1000000\n"
	"  --seed N        random latency and stalls of a simulated engine, late copies of the model; 0 (default): none\n"
	"  --rings         commands travel through rings, where there is a direct port too\n"
	"  --limit CYCLES  a wait gives up after so many cycles in which no queue went on, default 1000000\n"
	"  --repeat N      how often each is measured, default 10, at most 1000000\n"
	"  --json          for programs\n"
	"\n"
	"Exit status: 0 all were measured, 1 a compare differs, a fault came or a wait does not end, 2 a wrong option,\n"
	"program or file.\n";

struct arguments {
	struct tool_target target;
	struct run_options run;
	uint64_t repeat;
};

/* Of the repetitions of a program. */
struct measure {
	uint64_t least, most, sum; /* cycles */
	uint64_t nanoseconds;
	uint64_t read, written; /* beats */
	uint64_t commands, asked;
};

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

static void add(struct measure *m, const struct run *run, const uint64_t *before, const uint64_t *after,
                uint64_t nanoseconds)
{
	const uint64_t cycles = after[TMA_COUNTER_CYCLES] - before[TMA_COUNTER_CYCLES];

	m->least = !m->sum || cycles < m->least ? cycles : m->least;
	m->most = cycles > m->most ? cycles : m->most;
	m->sum += cycles;
	m->nanoseconds += nanoseconds;
	m->read += after[TMA_COUNTER_READ_BEATS] - before[TMA_COUNTER_READ_BEATS];
	m->written += after[TMA_COUNTER_WRITE_BEATS] - before[TMA_COUNTER_WRITE_BEATS];
	m->commands += run->commands;
	m->asked += run->asked;
}

/* @return exit status */
static int repeat(struct run *run, uint64_t times, struct measure *m)
{
	uint64_t before[TMA_REG_COUNTER_COUNT], after[TMA_REG_COUNTER_COUNT], begin;
	int status = run_execute(run);

	run->checking = false;
	for (uint64_t i = 0; i < times && !status; i++) {
		progress_say(run->progress, "%s: %" PRIu64 " of %" PRIu64, run->program->path, i, times);
		run_read_counters(run, before);
		begin = now();
		status = run_execute(run);
		begin = now() - begin;
		run_read_counters(run, after);
		add(m, run, before, after, begin);
	}
	progress_clear(run->progress);
	return status;
}

static double ratio(uint64_t a, uint64_t b)
{
	return b ? (double)a / (double)b : 0;
}

static void print(const struct run *run, const struct measure *m, uint64_t times)
{
	const uint32_t beat = run->info.data_bytes;

	printf("%s, %" PRIu64 " times: %" PRIu64 " commands, %" PRIu64 " bytes\n", run->program->path, times,
	       m->commands / times, m->asked / times);
	if (run->has_counter[TMA_COUNTER_CYCLES])
		printf("  cycles         %.1f, %" PRIu64 " to %" PRIu64 "\n"
		       "  bytes a cycle  %.2f by the copies, %.2f read%s, %.2f written; %" PRIu32
		       " ports of %" PRIu32 "\n",
		       ratio(m->sum, times), m->least, m->most, ratio(m->asked, m->sum),
		       ratio(m->read * beat, m->sum), run->info.ports > 1 ? " at port 0" : "",
		       ratio(m->written * beat, m->sum), run->info.ports, beat);
	printf("  a second       %.0f commands, %.0f bytes\n", 1e9 * ratio(m->commands, m->nanoseconds),
	       1e9 * ratio(m->asked, m->nanoseconds));
}

/* Sums of all repetitions rather than means: whole numbers. */
static void print_json(const struct run *run, const struct measure *m, uint64_t times, struct json *json)
{
	const uint32_t beat = run->info.data_bytes;

	json_begin(json, NULL, '{');
	json_text(json, "program", run->program->path);
	json_text(json, "backend", run->info.backend);
	json_text(json, "config", run->info.config ? run->info.config : "");
	json_number(json, "repetitions", (int64_t)times);
	json_number(json, "commands", (int64_t)(m->commands / times));
	json_number(json, "bytes", (int64_t)(m->asked / times));
	if (run->has_counter[TMA_COUNTER_CYCLES]) {
		json_number(json, "cycles_least", (int64_t)m->least);
		json_number(json, "cycles_most", (int64_t)m->most);
		json_number(json, "cycles_of_all", (int64_t)m->sum);
		json_number(json, "bytes_read_of_all", (int64_t)(m->read * beat));
		json_number(json, "bytes_written_of_all", (int64_t)(m->written * beat));
	}
	json_number(json, "nanoseconds_of_all", (int64_t)m->nanoseconds);
	json_number(json, "ports", run->info.ports);
	json_number(json, "bytes_a_cycle_of_a_port", beat);
	json_end(json, '}');
}

/* On a device of its own, so that no program finds what another one has left. */
static int measure(struct run *run, const struct arguments *a)
{
	struct measure m = { .least = 0 };
	int status = tool_open(run->program->tool, &a->target, &run->device);

	if (status)
		return status;
	status = run_layout(run);
	if (!status)
		status = repeat(run, a->repeat, &m);
	if (!status && run->json)
		print_json(run, &m, a->repeat, run->json);
	else if (!status)
		print(run, &m, a->repeat);
	run_close(run);
	tma_close(run->device);
	return status;
}

static int measure_file(const struct arguments *a, const char *path, struct json *json)
{
	struct run_program program;
	struct progress progress;
	struct run run = { .program = &program, .options = a->run, .progress = &progress, .checking = true };
	int status = run_read(&program, tool_bench.full, path);

	progress_open(&progress);
	run.json = a->run.as_json ? json : NULL;
	/* What a program shows is not what is asked for. */
	for (uint32_t i = 0; i < program.num_steps; i++)
		if (program.steps[i].kind == RUN_DUMP)
			program.steps[i].kind = RUN_WAIT;
	if (!status)
		status = measure(&run, a);
	run_free(&program);
	return status;
}

static int run(int argc, char **argv)
{
	struct arguments a = { .run = { .limit = 1000000 }, .repeat = 10 };
	const struct cli_option options[] = {
		TOOL_TARGET_OPTIONS(a.target),
		{ .name = "seed", .kind = CLI_NUMBER, .to = &a.target.seed, .max = UINT64_MAX },
		{ .name = "rings", .kind = CLI_FLAG, .to = &a.run.rings },
		{ .name = "limit", .kind = CLI_NUMBER, .to = &a.run.limit, .min = 1, .max = UINT64_MAX },
		{ .name = "repeat", .kind = CLI_NUMBER, .to = &a.repeat, .min = 1, .max = 1000000 },
		{ .name = "json", .kind = CLI_FLAG, .to = &a.run.as_json },
	};
	const struct cli cli = { tool_bench.full, usage, options, sizeof(options) / sizeof(options[0]) };
	struct json json = { .file = stdout };
	int first, status = cli_parse(&cli, argc, argv, &first);

	if (status != CLI_GO_ON)
		return status;
	if (first == argc)
		return cli_refuse(cli.tool, "PROGRAM.ptx", "is missing; see tma bench --help");
	if (a.run.as_json)
		json_begin(&json, NULL, '[');
	for (status = TOOL_PASS; first < argc && !status; first++)
		status = measure_file(&a, argv[first], &json);
	if (a.run.as_json)
		json_end(&json, ']');
	return cli_end(cli.tool, status);
}

const struct tool_command tool_bench = {
	.name = "bench",
	.full = "tma bench",
	.summary = "says how fast programs in PTX text are",
	.usage = usage,
	.run = run,
};
