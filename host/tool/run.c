/* SPDX-License-Identifier: Apache-2.0 */
/* tma run - a program in PTX text, executed, compared, and told of. */
#include <string.h>

#include "run.h"
#include "tool.h"
#include "trace.h"

static const char usage[] =
	"usage: tma run [OPTION]... [PROGRAM.ptx]\n"
	"\n"
	"Executes a straight-line program in PTX text: variables with their contents, instructions of several threads,\n"
	"and what to compare or dump. docs/ptx-programs.md has the notation. Without PROGRAM, or as -, standard input.\n"
	"\n"
	"  --backend NAME  model (default), serial, rtl, or another NAME whose libtma_NAME.so is installed\n"
	"  --config NAME   shape of an engine that is simulated: small, default (default) or max\n"
	"  --device PATH   serial: the line to a board, default TMA_SERIAL_DEVICE or /dev/ttyUSB0\n"
	"  --baud N        serial: its speed, default TMA_SERIAL_BAUD or 1000000\n"
	"  --seed N        random latency and stalls of a simulated engine, late copies of the model; 0 (default): none\n"
	"  --rings         commands travel through rings, where there is a direct port too\n"
	"  --limit CYCLES  a wait gives up after so many cycles in which no queue went on, default 1000000\n"
	"  --output DIR    folder that .dump writes its files to, default the current one\n"
	"  --trace FILE    write a time line for Perfetto: commands, waits, bursts as far as the back end knows them\n"
	"  --trace-text    print each instruction as PTX, with its thread and number, and each answer\n"
	"  --quiet         print what is wrong alone\n"
	"  --json          for programs\n"
	"\n"
	"Exit status: 0 all compares are equal, 1 one is not, a fault came or a wait does not end, 2 a wrong option,\n"
	"program or file.\n";

struct arguments {
	struct tool_target target;
	struct run_options run;
};

/* On an open device. @return exit status */
static int run_on(struct run *run)
{
	uint64_t before[TMA_REG_COUNTER_COUNT], after[TMA_REG_COUNTER_COUNT];
	int status = trace_open(run), traced;

	if (status) {
		run_close(run);
		return status;
	}
	status = run_layout(run);
	if (status) {
		trace_close(run);
		run_close(run);
		return status;
	}
	run_read_counters(run, before);
	status = run_execute(run);
	run_read_counters(run, after);
	for (uint32_t i = 0; i < TMA_REG_COUNTER_COUNT; i++)
		run->counters[i] = after[i] - before[i];
	progress_clear(run->progress);
	traced = trace_close(run);
	status = traced ? traced : status;
	if (status != TOOL_USAGE)
		run_report(run, status);
	run_close(run);
	return status;
}

static int run_program(struct run_program *program, const struct arguments *arguments)
{
	struct progress progress;
	struct json json = { .file = stdout };
	struct run run = {
		.program = program,
		.options = arguments->run,
		.progress = &progress,
		.json = arguments->run.as_json ? &json : NULL,
		.checking = true,
	};
	int status;

	progress_open(&progress);
	status = tool_open(program->tool, &arguments->target, &run.device);
	if (status)
		return status;
	status = run_on(&run);
	tma_close(run.device);
	return status;
}

static int run(int argc, char **argv)
{
	struct arguments a = { .run = { .limit = 1000000 } };
	const struct cli_option options[] = {
		TOOL_TARGET_OPTIONS(a.target),
		{ .name = "seed", .kind = CLI_NUMBER, .to = &a.target.seed, .max = UINT64_MAX },
		{ .name = "rings", .kind = CLI_FLAG, .to = &a.run.rings },
		{ .name = "limit", .kind = CLI_NUMBER, .to = &a.run.limit, .min = 1, .max = UINT64_MAX },
		{ .name = "output", .kind = CLI_TEXT, .to = &a.run.output },
		{ .name = "trace", .kind = CLI_TEXT, .to = &a.run.trace },
		{ .name = "trace-text", .kind = CLI_FLAG, .to = &a.run.trace_text },
		{ .name = "quiet", .kind = CLI_FLAG, .to = &a.run.quiet },
		{ .name = "json", .kind = CLI_FLAG, .to = &a.run.as_json },
	};
	const struct cli cli = { tool_run.full, usage, options, sizeof(options) / sizeof(options[0]) };
	struct run_program program;
	int first, status = cli_parse(&cli, argc, argv, &first);

	if (status != CLI_GO_ON)
		return status;
	if (argc - first > 1)
		return cli_refuse(cli.tool, argv[first + 1], "one program at a time; see tma run --help");
	if (a.run.as_json && a.run.trace_text)
		return cli_refuse(cli.tool, "--trace-text", "not together with --json");
	status = run_read(&program, cli.tool, first < argc ? argv[first] : NULL);
	if (!status)
		status = run_program(&program, &a);
	run_free(&program);
	return cli_end(cli.tool, status);
}

const struct tool_command tool_run = {
	.name = "run",
	.full = "tma run",
	.summary = "executes a program in PTX text, and compares what comes out",
	.usage = usage,
	.run = run,
};
