/* SPDX-License-Identifier: Apache-2.0 */
/* tma selftest - has an engine do everything that it can, and compares what comes out. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "selftest.h"

static const char usage[] =
	"usage: tma selftest [--backend NAME] [--config NAME] [--device PATH] [--baud N] [--seed N] [--quick] [--memory MIB]\n"
	"                    [--json]\n"
	"\n"
	"Walks the memories of an engine, runs every family of instructions on both ways in, every queue and every\n"
	"counter, and one fault. What has to come out is worked out here, not by the model. Prints a line for each\n"
	"group of tests and, where one fails, the first difference.\n"
	"\n"
	"  --backend NAME  model (default), serial, rtl, or another NAME whose libtma_NAME.so is installed\n"
	"  --config NAME   shape of an engine that is simulated: small, default (default) or max\n"
	"  --device PATH   serial: the line to a board, default TMA_SERIAL_DEVICE or /dev/ttyUSB0\n"
	"  --baud N        serial: its speed, default TMA_SERIAL_BAUD or 1000000\n"
	"  --seed N        random latency and stalls of a simulated engine, late copies of the model; 0 (default): none\n"
	"  --quick         walk the ends of memory alone\n"
	"  --memory MIB    global memory to walk, 1 to 256, default 1, or as much as the engine has\n"
	"  --json          for programs\n"
	"\n"
	"Exit status: 0 every group passes, 1 one fails, 2 a wrong option, or no such back end or configuration.\n";

#define QUICK_WALK 8192u /* bytes of global memory that are brought by the walk, with --quick */

/* One group of tests. */
static const struct group {
	const char *name;
	void (*run)(struct selftest *t);
	bool once; /* not for each way in */
} groups[] = {
	{ "shared memory, external port", st_walk_port, true },
	{ "shared memory, through copies", st_walk_shared, true },
	{ "global memory, through copies", st_walk_global, true },
	{ "bulk load", st_bulk_load, false },
	{ "bulk load, multicast", st_bulk_multicast, false },
	{ "bulk store", st_bulk_store, false },
	{ "bulk copy from CTA to CTA", st_bulk_shared, false },
	{ "bulk groups", st_bulk_groups, false },
	{ "prefetch", st_prefetch, false },
	{ "multimem store", st_multimem, false },
	{ "cp.async", st_cp_async, false },
	{ "mbarrier", st_mbarrier, false },
	{ "tensor load, tile", st_tensor_tile, false },
	{ "tensor load, swizzle", st_tensor_swizzle, false },
	{ "tensor load, interleave", st_tensor_interleave, false },
	{ "tensor load, im2col", st_tensor_im2col, false },
	{ "tensor load, im2col::w", st_tensor_wide, false },
	{ "tensor gather4, scatter4", st_tensor_gather, false },
	{ "tensor store", st_tensor_store, false },
	{ "tensor load, multicast", st_tensor_multicast, false },
	{ "tensor map fence", st_tensor_fence, false },
	{ "reduction, global memory", st_reduce_global, false },
	{ "reduction, floating point", st_reduce_float, false },
	{ "reduction, shared memory", st_reduce_shared, false },
	{ "reduction, multimem", st_reduce_multimem, false },
	{ "reduction, tensor", st_reduce_tensor, false },
	{ "records and signals", st_records, false },
	{ "fault and recovery", st_fault, false },
	{ "cancel", st_cancel, false },
	{ "all queues at once", st_all_queues, false },
	{ "counters", st_counters, false },
	{ "rules of bus and engine", st_rules, true },
};

#define GROUPS (sizeof(groups) / sizeof(groups[0]))

/* What was found so far. */
struct tally {
	uint32_t passed, failed, skipped;
	struct json *json; /* NULL: text */
};

static const char *verdict_name(enum st_verdict verdict)
{
	return verdict == ST_PASS ? "pass" : verdict == ST_SKIP ? "skip" : "FAIL";
}

static void print_json(struct json *json, const char *name, const struct st_result *result)
{
	const struct st_difference *d = &result->difference;

	json_begin(json, NULL, '{');
	json_text(json, "group", name);
	json_text(json, "result", result->verdict == ST_FAIL ? "fail" : verdict_name(result->verdict));
	json_text(json, "note", result->note);
	if (d->place) {
		json_begin(json, "difference", '{');
		json_text(json, "place", d->place);
		json_hex(json, "address", d->address);
		json_hex(json, "expected", d->expected);
		json_hex(json, "got", d->got);
		json_end(json, '}');
	}
	json_end(json, '}');
}

static void report(struct tally *tally, const char *name, const struct st_result *result)
{
	tally->passed += result->verdict == ST_PASS;
	tally->failed += result->verdict == ST_FAIL;
	tally->skipped += result->verdict == ST_SKIP;
	if (tally->json)
		print_json(tally->json, name, result);
	else
		printf("%-38s %s%s%s\n", name, verdict_name(result->verdict), *result->note ? "  " : "",
		       result->note);
	fflush(stdout);
}

static void run_group(struct selftest *t, const struct group *group, struct tally *tally)
{
	struct st_result result = { .verdict = ST_PASS };
	char name[64];

	snprintf(name, sizeof(name), "%s%s", group->name,
	         group->once                    ? ""
	         : t->front == TMA_FRONT_DIRECT ? ", direct"
	                                        : ", ring");
	t->result = &result;
	t->commands = t->num_answers = 0;
	t->group = name;
	t->what = NULL;
	t->shared_bytes = ST_SHARED_BYTES;
	progress_say(&t->progress, "%s", name);
	group->run(t);
	if (!t->quick || group == &groups[GROUPS - 1])
		st_compare_rest(t);
	if (st_failed(t))
		st_forget(t);
	/* What is in flight still belongs to this group. */
	st_close_queues(t);
	progress_clear(&t->progress);
	report(tally, name, &result);
}

/* Which ways in there are. */
static int find_fronts(struct selftest *t)
{
	struct tma_queue_options options;
	struct tma_queue *queue;
	int error = 0, front;

	for (front = TMA_FRONT_DIRECT; front <= TMA_FRONT_RING && !error; front++) {
		t->front = (enum tma_front)front;
		options = st_queue_options(t, NULL);
		error = tma_queue_open(t->device, 0, &options, &queue);
		t->has_front[front] = !error;
		if (!error)
			tma_queue_close(queue);
		if (error == TMA_ENOTSUP)
			error = 0;
	}
	return error;
}

/* What goes once goes first, but for the last group, which sums up. */
static void run_groups(struct selftest *t, struct tally *tally)
{
	struct st_result none = { .verdict = ST_SKIP, .note = "the back end does not have it" };
	int front;
	size_t i;

	t->front = t->has_front[TMA_FRONT_DIRECT] ? TMA_FRONT_DIRECT : TMA_FRONT_RING;
	for (i = 0; i + 1 < GROUPS; i++)
		if (groups[i].once)
			run_group(t, &groups[i], tally);
	for (front = TMA_FRONT_DIRECT; front <= TMA_FRONT_RING; front++) {
		t->front = (enum tma_front)front;
		if (!t->has_front[front])
			report(tally, front == TMA_FRONT_DIRECT ? "direct port" : "rings", &none);
		for (i = 0; i < GROUPS && t->has_front[front]; i++)
			if (!groups[i].once)
				run_group(t, &groups[i], tally);
	}
	run_group(t, &groups[GROUPS - 1], tally);
}

static void begin_report(const struct selftest *t, struct tally *tally)
{
	if (!tally->json) {
		printf("selftest of %s, configuration %s\n", t->info.backend,
		       t->info.config ? t->info.config : "-");
		return;
	}
	json_begin(tally->json, NULL, '{');
	json_text(tally->json, "backend", t->info.backend);
	json_text(tally->json, "config", t->info.config ? t->info.config : "");
	json_begin(tally->json, "groups", '[');
}

static void end_report(struct tally *tally)
{
	if (tally->json) {
		json_end(tally->json, ']');
		json_number(tally->json, "passed", tally->passed);
		json_number(tally->json, "failed", tally->failed);
		json_number(tally->json, "skipped", tally->skipped);
		json_text(tally->json, "result", tally->failed ? "fail" : "pass");
		json_end(tally->json, '}');
		return;
	}
	printf("%s: %" PRIu32 " passed, %" PRIu32 " failed, %" PRIu32 " skipped\n",
	       tally->failed ? "FAIL" : "pass", tally->passed, tally->failed, tally->skipped);
}

/* Two buffers of that are taken, beside what is taken already and the rings of a queue. Over a line in pieces that
 * are brought, quick is less. */
static void limit_walk(struct selftest *t)
{
	uint64_t taken = ST_GLOBAL_BYTES + ST_RING_BYTES + 4 * 4096; /* and a page behind each */
	uint64_t most =
		t->info.memory_bytes > taken ? (t->info.memory_bytes - taken) / 2 & ~UINT64_C(4095) : 0;

	if (t->quick && !t->info.coherent && most > QUICK_WALK)
		most = QUICK_WALK;
	if (t->walk_bytes > most)
		t->walk_bytes = most;
}

/* @return exit status */
static int test_device(struct selftest *t, struct tally *tally)
{
	int error;

	t->info.size = sizeof(t->info);
	error = tma_device_info(t->device, &t->info);
	if (!error && (t->info.ctas > ST_MAX_CTAS || t->info.queues > ST_MAX_QUEUES)) {
		fprintf(stderr, "%s: the engine has more CTAs or queues than are known here\n",
		        tool_selftest.full);
		return TOOL_FAIL;
	}
	if (!error)
		error = tma_memory_alloc(t->device, ST_GLOBAL_BYTES, &t->memory);
	if (!error)
		error = find_fronts(t);
	if (error) {
		fprintf(stderr, "%s: %s\n", tool_selftest.full, tma_last_error());
		return TOOL_FAIL;
	}
	limit_walk(t);
	progress_open(&t->progress);
	begin_report(t, tally);
	run_groups(t, tally);
	end_report(tally);
	return tally->failed || !tally->passed ? TOOL_FAIL : TOOL_PASS;
}

static int run(int argc, char **argv)
{
	struct selftest *t = calloc(1, sizeof(*t));
	struct tool_target target = { .backend = NULL };
	uint64_t memory_mib = 1;
	bool as_json = false, quick = false;
	const struct cli_option options[] = {
		TOOL_TARGET_OPTIONS(target),
		{ .name = "seed", .kind = CLI_NUMBER, .to = &target.seed, .max = UINT64_MAX },
		{ .name = "quick", .kind = CLI_FLAG, .to = &quick },
		{ .name = "memory", .kind = CLI_NUMBER, .to = &memory_mib, .min = 1, .max = 256 },
		{ .name = "json", .kind = CLI_FLAG, .to = &as_json },
	};
	const struct cli cli = { tool_selftest.full, usage, options, sizeof(options) / sizeof(options[0]) };
	struct json json = { .file = stdout };
	struct tally tally = { .passed = 0 };
	int first, status = cli_parse(&cli, argc, argv, &first);

	if (status != CLI_GO_ON)
		goto out;
	status = TOOL_USAGE;
	if (first < argc) {
		cli_refuse(cli.tool, argv[first], "takes no operand; see tma selftest --help");
		goto out;
	}
	if (!t) {
		fprintf(stderr, "%s: %s\n", cli.tool, tma_strerror(TMA_ENOMEM));
		goto out;
	}
	tally.json = as_json ? &json : NULL;
	t->quick = quick;
	t->walk_bytes = quick ? 4 * ST_GLOBAL_BYTES : memory_mib << 20;
	status = tool_open(cli.tool, &target, &t->device);
	if (!status) {
		status = test_device(t, &tally);
		tma_close(t->device);
		status = cli_end(cli.tool, status);
	}
out:
	free(t);
	return status;
}

const struct tool_command tool_selftest = {
	.name = "selftest",
	.full = "tma selftest",
	.summary = "has an engine do everything that it can, and compares",
	.usage = usage,
	.run = run,
};
