/* SPDX-License-Identifier: Apache-2.0 */
/* What a run was: its instructions, its comparisons, and counters beside their bounds. */
#include <inttypes.h>
#include <string.h>

#include "run.h"
#include "tma_print.h"
#include "tool.h"

void run_read_counters(struct run *run, uint64_t values[TMA_REG_COUNTER_COUNT])
{
	for (uint32_t i = 0; i < TMA_REG_COUNTER_COUNT; i++) {
		values[i] = 0;
		run->has_counter[i] = !tma_counter(run->device, (enum tma_counter)i, &values[i]);
	}
}

/* Bytes that the bus moved in a direction, and how many a cycle beside the bound. With several ports reads are counted at
 * port 0 alone. */
static void print_bus(const struct run *run, const char *name, enum tma_counter beats)
{
	const bool first = beats == TMA_COUNTER_READ_BEATS && run->info.ports > 1;
	const uint64_t bytes = run->counters[beats] * run->info.data_bytes;
	const uint64_t cycles = run->counters[TMA_COUNTER_CYCLES];
	const uint32_t ports = first ? 1 : run->info.ports;

	if (!run->has_counter[beats])
		return;
	printf("%-16s %12" PRIu64 " bytes%s", name, bytes, first ? " at port 0" : "");
	if (cycles && run->has_counter[TMA_COUNTER_CYCLES])
		printf(", %.2f a cycle of %" PRIu32 " that %" PRIu32 " port%s can",
		       (double)bytes / (double)cycles, run->info.data_bytes * ports, ports,
		       ports > 1 ? "s" : "");
	putchar('\n');
}

static void print_counters(const struct run *run)
{
	const uint64_t cycles = run->counters[TMA_COUNTER_CYCLES];

	printf("%-16s %12" PRIu64 " by the engine, %" PRIu32 " by the host, %" PRIu32 " hints, %" PRIu32
	       " guarded off\n",
	       "instructions", (uint64_t)run->commands, run->done_on_host, run->hints, run->skipped);
	printf("%-16s %12" PRIu64 " bytes\n", "copies name", run->asked);
	if (run->has_counter[TMA_COUNTER_CYCLES]) {
		printf("%-16s %12" PRIu64 " in which the engine was not idle", "cycles", cycles);
		if (cycles)
			printf("; of what the copies name %.2f bytes a cycle",
			       (double)run->asked / (double)cycles);
		putchar('\n');
	}
	print_bus(run, "bus reads", TMA_COUNTER_READ_BEATS);
	print_bus(run, "bus writes", TMA_COUNTER_WRITE_BEATS);
	for (uint32_t i = 0; i < TMA_REG_COUNTER_COUNT; i++)
		if (run->has_counter[i] && i != TMA_COUNTER_CYCLES && i != TMA_COUNTER_READ_BEATS &&
		    i != TMA_COUNTER_WRITE_BEATS && run->counters[i])
			printf("%-16s %12" PRIu64 "\n", tma_counter_name((enum tma_counter)i),
			       run->counters[i]);
}

static void json_counters(const struct run *run, struct json *json)
{
	json_begin(json, "counters", '{');
	for (uint32_t i = 0; i < TMA_REG_COUNTER_COUNT; i++)
		if (run->has_counter[i])
			json_number(json, tma_counter_name((enum tma_counter)i), (int64_t)run->counters[i]);
	json_end(json, '}');
	json_begin(json, "bounds", '{');
	json_number(json, "ports", run->info.ports);
	json_number(json, "bytes_a_cycle_of_a_port", run->info.data_bytes);
	json_end(json, '}');
}

static void json_comparisons(const struct run *run, struct json *json)
{
	char name[100];

	json_begin(json, "compares", '[');
	for (uint32_t i = 0; i < run->num_comparisons; i++) {
		const struct run_comparison *comparison = &run->comparisons[i];

		json_begin(json, NULL, '{');
		json_text(json, "what",
		          run_target_text(run->program, &comparison->step->target, name, sizeof(name)));
		json_number(json, "line", comparison->step->place.line);
		json_bool(json, "equal", comparison->equal);
		if (!comparison->equal)
			json_text(json, "difference", comparison->text);
		json_end(json, '}');
	}
	json_end(json, ']');
}

static void json_fault(const struct run *run, struct json *json)
{
	if (!run->faulted)
		return;
	json_begin(json, "fault", '{');
	json_text(json, "text", run->fault);
	json_text(json, "ptx", run->fault_ptx);
	json_number(json, "line", run->fault_step ? run->fault_step->place.line : 0);
	json_end(json, '}');
}

static void report_json(const struct run *run, int status)
{
	struct json *json = run->json;

	json_begin(json, NULL, '{');
	json_text(json, "program", run->program->path);
	json_text(json, "backend", run->info.backend);
	json_text(json, "config", run->info.config ? run->info.config : "");
	json_number(json, "commands", run->commands);
	json_number(json, "host", run->done_on_host);
	json_number(json, "hints", run->hints);
	json_number(json, "guarded_off", run->skipped);
	json_number(json, "bytes", (int64_t)run->asked);
	json_comparisons(run, json);
	json_fault(run, json);
	json_counters(run, json);
	json_text(json, "result", status == TOOL_PASS ? "pass" : "fail");
	json_end(json, '}');
}

void run_report(struct run *run, int status)
{
	if (run->json) {
		report_json(run, status);
		return;
	}
	if (run->options.quiet)
		return;
	print_counters(run);
	printf("%s: %s on %s %s, %" PRIu32 " of %" PRIu32 " compares equal%s\n",
	       status == TOOL_PASS ? "pass" : "FAIL", run->program->path, run->info.backend,
	       run->info.config ? run->info.config : "-", run->num_comparisons - run->differences,
	       run->num_comparisons, run->faulted ? ", a fault" : "");
}
