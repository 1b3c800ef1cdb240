/* SPDX-License-Identifier: Apache-2.0 */
/* tma info - opens an engine and says what it is. */
#include <inttypes.h>

#include "tool.h"
#include "tma_print.h"

static const char usage[] =
	"usage: tma info [--backend NAME] [--config NAME] [--device PATH] [--baud N] [--json]\n"
	"\n"
	"Opens an engine and prints what it is built as.\n"
	"\n"
	"  --backend NAME  how to reach it: model (default), serial, rtl, or another NAME whose libtma_NAME.so is installed\n"
	"  --config NAME   shape of an engine that is simulated: small, default (default) or max\n"
	"  --device PATH   serial: the line to a board, default TMA_SERIAL_DEVICE or /dev/ttyUSB0\n"
	"  --baud N        serial: its speed, default TMA_SERIAL_BAUD or 1000000\n"
	"  --json          for programs\n"
	"\n"
	"Exit status: 0 it was opened, 1 it was not, 2 a wrong option, or no such back end or configuration.\n";

/* The numbers of tma_device_info, in its order. */
struct row {
	const char *name, *words;
	uint32_t value;
};

static void print_memory(uint64_t bytes, struct json *json)
{
	if (json)
		json_number(json, "memory_bytes", (int64_t)bytes);
	else
		printf("%-14s %10" PRIu64 "  %s\n", "memory_bytes", bytes,
		       "bytes of global memory for buffers and rings");
}

static void print_rows(const struct row *rows, size_t count, struct json *json)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (json)
			json_number(json, rows[i].name, rows[i].value);
		else
			printf("%-14s %10" PRIu32 "  %s\n", rows[i].name, rows[i].value, rows[i].words);
}

static void print_bool(const char *name, const char *words, bool value, struct json *json)
{
	if (json)
		json_bool(json, name, value);
	else
		printf("%-14s %10s  %s\n", name, value ? "yes" : "no", words);
}

/* A counter that the back end has. */
static void print_counters(struct tma_device *device, struct json *json)
{
	uint32_t i, have = 0;
	uint64_t value;

	if (json)
		json_begin(json, "counters", '[');
	else
		printf("counters      ");
	for (i = 0; tma_counter_name((enum tma_counter)i); i++) {
		if (tma_counter(device, (enum tma_counter)i, &value))
			continue;
		have++;
		if (json)
			json_text(json, NULL, tma_counter_name((enum tma_counter)i));
		else
			printf(" %s", tma_counter_name((enum tma_counter)i));
	}
	if (json)
		json_end(json, ']');
	else
		printf("%s\n", have ? "" : " none");
}

static void print(struct tma_device *device, struct json *json)
{
	struct tma_device_info info = { .size = sizeof(info) };
	uint32_t version = tma_version();
	char library[32];

	tma_device_info(device, &info);
	snprintf(library, sizeof(library), "%u.%u.%u", version >> 16, version >> 8 & 0xFF, version & 0xFF);
	if (json) {
		json_begin(json, NULL, '{');
		json_text(json, "library", library);
		json_text(json, "backend", info.backend);
		json_text(json, "config", info.config ? info.config : "");
	} else {
		printf("%-14s %10s\n%-14s %10s\n%-14s %10s\n", "library", library, "backend", info.backend,
		       "config", info.config ? info.config : "-");
	}
	const struct row rows[] = {
		{ "abi_minor", "of the engine's interface", info.abi_minor },
		{ "ctas", "CTAs of the cluster", info.ctas },
		{ "smem_bytes", "bytes of shared memory of a CTA", info.smem_bytes },
		{ "queues", "queues", info.queues },
		{ "windows", "windows of global memory per queue", info.windows },
		{ "ports", "global ports", info.ports },
		{ "data_bytes", "bytes that a global port moves per cycle", info.data_bytes },
		{ "multimem", "multimem objects at once", info.multimem_windows },
		{ "maps", "tensor maps kept decoded", info.maps },
	};

	print_rows(rows, sizeof(rows) / sizeof(rows[0]), json);
	print_memory(info.memory_bytes, json);
	print_bool("tensor", "tensor copies", info.tensor, json);
	print_bool("packed", "padded types of 4 and 6 bits", info.packed, json);
	print_bool("reductions", "reductions", info.reductions, json);
	print_bool("floats", "reductions of f16, bf16 and f32", info.floats, json);
	print_bool("f64", "reductions of f64", info.f64, json);
	print_bool("coherent", "host and engine see one memory", info.coherent, json);
	print_bool("clocked", "cycles are counted", info.clocked, json);
	print_counters(device, json);
	if (json)
		json_end(json, '}');
}

static int run(int argc, char **argv)
{
	struct tool_target target = { .backend = NULL };
	bool as_json = false;
	const struct cli_option options[] = {
		TOOL_TARGET_OPTIONS(target),
		{ .name = "json", .kind = CLI_FLAG, .to = &as_json },
	};
	const struct cli cli = { tool_info.full, usage, options, sizeof(options) / sizeof(options[0]) };
	struct json json = { .file = stdout };
	struct tma_device *device;
	int first, status = cli_parse(&cli, argc, argv, &first);

	if (status != CLI_GO_ON)
		return status;
	if (first < argc)
		return cli_refuse(cli.tool, argv[first], "takes no operand; see tma info --help");
	status = tool_open(cli.tool, &target, &device);
	if (status)
		return status;
	print(device, as_json ? &json : NULL);
	tma_close(device);
	return cli_end(cli.tool, TOOL_PASS);
}

const struct tool_command tool_info = {
	.name = "info",
	.full = "tma info",
	.summary = "what an engine is built as",
	.usage = usage,
	.run = run,
};
