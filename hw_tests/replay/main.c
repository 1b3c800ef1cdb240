/* SPDX-License-Identifier: Apache-2.0 */
/* tma_replay - runs recorded vectors on the C model or on the RTL and compares every byte. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "replay/backend.h"
#include "replay/stream.h"
#include "wave.h"

#define EXIT_USAGE   CLI_USAGE
#define DEFAULT_SEED 1

static const struct replay_backend *const backends[] = { &replay_model, &replay_late, &replay_rtl };

static const char usage[] =
	"usage: tma_replay [--backend model|late|rtl] [--config small|default|max] [--seed N]\n"
	"                  [--front direct|ring|alternate] [--record N | --every N] [--fst PATH] FILE...\n"
	"\n"
	"Runs every record of the vector files (.vec, .mbr, plain or .xz) on an engine, several at a\n"
	"time, and compares every byte of memory, every barrier and every answer with the recording.\n"
	"\n"
	"  --backend B  model (default): the C model; late: the C model, its copies late and in any\n"
	"               order; rtl: the Verilated engine\n"
	"  --config C   shape of the engine: small, default (default) or max\n"
	"  --seed N     of all random choices: queues, memory, latency, stalls (default 1)\n"
	"  --front F    where commands and records go: direct, the command port; ring, rings in memory;\n"
	"               alternate (default), every other record through a ring\n"
	"  --record N   only record (or program) N of each file, counted from 0\n"
	"  --every N    one of N records; another seed takes others\n"
	"  --fst PATH   rtl: write a waveform; one file with vectors at a time\n"
	"\n"
	"Prints a line per file, then `N passed, N failed, N skipped`.\n"
	"\n"
	"Exit status: 0 nothing failed and something passed, 1 otherwise, 2 a wrong option or file.\n";

static const struct replay_backend *find_backend(const char *name)
{
	for (size_t i = 0; i < sizeof(backends) / sizeof(backends[0]); i++)
		if (!strcmp(backends[i]->name, name))
			return backends[i];
	return NULL;
}

static int parse_front(const char *text, enum stream_front *front)
{
	static const char *const names[] = {
		[STREAM_ALTERNATE] = "alternate",
		[STREAM_DIRECT] = "direct",
		[STREAM_RING] = "ring",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], text))
			continue;
		*front = (enum stream_front)i;
		return 0;
	}
	fprintf(stderr, "tma_replay: --front %s: must be direct, ring or alternate\n", text);
	return -1;
}

/* 0 go on, else 1 + the exit status. */
static int parse_options(int argc, char **argv, struct stream_options *options, int *first)
{
	const char *backend = NULL, *front = NULL;
	uint64_t only = STREAM_ALL, every = 0;
	const struct cli_option known[] = {
		{ .name = "backend", .kind = CLI_TEXT, .to = &backend },
		{ .name = "config", .kind = CLI_TEXT, .to = &options->config },
		{ .name = "seed", .kind = CLI_NUMBER, .to = &options->seed, .max = UINT64_MAX },
		{ .name = "front", .kind = CLI_TEXT, .to = &front },
		{ .name = "record", .kind = CLI_NUMBER, .to = &only, .max = STREAM_ALL - 1 },
		{ .name = "fst", .kind = CLI_TEXT, .to = &options->fst },
		{ .name = "every", .kind = CLI_NUMBER, .to = &every, .max = UINT32_MAX },
	};
	const struct cli cli = { "tma_replay", usage, known, sizeof(known) / sizeof(known[0]) };
	int status = cli_parse(&cli, argc, argv, first);

	if (status != CLI_GO_ON)
		return 1 + status;
	options->only = (uint32_t)only;
	options->every = (uint32_t)every;
	if (backend)
		options->backend = find_backend(backend);
	if (!options->backend) {
		fprintf(stderr, "tma_replay: --backend %s: must be model, late or rtl\n", backend);
		return 1 + EXIT_USAGE;
	}
	if (front && parse_front(front, &options->front))
		return 1 + EXIT_USAGE;
	if (options->fst && !options->backend->has_fst) {
		fprintf(stderr, "tma_replay: --fst: the %s has no waveform\n", options->backend->name);
		return 1 + EXIT_USAGE;
	}
	if (options->fst && argc - *first != 1) {
		fputs("tma_replay: --fst: needs exactly one file of vectors\n", stderr);
		return 1 + EXIT_USAGE;
	}
	if (*first == argc) {
		fputs("tma_replay: no files; see tma_replay --help\n", stderr);
		return 1 + EXIT_USAGE;
	}
	return 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void print_result(const char *path, const struct stream_result *r)
{
	printf("%-44s %6u passed %5u failed %5u skipped", base_name(path), r->passed, r->failed, r->skipped);
	for (uint32_t i = 0; i < r->num_skips; i++)
		printf("%s%u: %s", i ? "; " : " (", r->skips[i].count, r->skips[i].reason);
	puts(r->num_skips ? ")" : "");
	fflush(stdout);
}

static int run(char **paths, struct vec **files, int num_files, const struct stream_options *options)
{
	uint64_t passed = 0, failed = 0, skipped = 0;

	for (int i = 0; i < num_files; i++) {
		struct stream_result result;

		if (stream_run(files[i], options, &result)) {
			fprintf(stderr, "tma_replay: --config %s: the %s has no such configuration%s\n",
			        options->config, options->backend->name,
			        options->fst ? ", or the waveform cannot be written" : "");
			return EXIT_USAGE;
		}
		print_result(paths[i], &result);
		passed += result.passed;
		failed += result.failed;
		skipped += result.skipped;
	}
	printf("%" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " skipped\n", passed, failed, skipped);
	return !failed && passed ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* False: no file has the one record that is asked for, which has been said. */
static bool has_record(char **paths, struct vec **files, int num_files, uint32_t only)
{
	int most = 0;

	for (int i = 0; i < num_files; i++) {
		if (only == STREAM_ALL || only < vec_count(files[i]))
			return true;
		if (vec_count(files[i]) > vec_count(files[most]))
			most = i;
	}
	if (!vec_count(files[most]))
		fprintf(stderr, "tma_replay: --record %" PRIu32 ": %s has no records\n", only, paths[most]);
	else
		fprintf(stderr, "tma_replay: --record %" PRIu32 ": %s has the records 0 to %" PRIu32 "%s\n",
		        only, paths[most], vec_count(files[most]) - 1,
		        num_files > 1 ? ", the other files no more" : "");
	return false;
}

int main(int argc, char **argv)
{
	struct stream_options options = { .backend = backends[0],
		                          .config = "default",
		                          .seed = DEFAULT_SEED,
		                          .only = STREAM_ALL,
		                          .log = stdout };
	struct vec **files = NULL;
	int status = EXIT_USAGE;
	int num_files, first, parsed = parse_options(argc, argv, &options, &first);

	if (parsed)
		return parsed - 1;
	argv += first;
	num_files = argc - first;
	files = calloc((size_t)num_files, sizeof(struct vec *));
	if (!files) {
		fputs("tma_replay: out of memory\n", stderr);
		return EXIT_USAGE;
	}
	/* All files first: a wrong one is known before the long run. */
	for (int i = 0; i < num_files; i++) {
		struct vec_error error;

		files[i] = vec_open(argv[i], &error);
		if (!files[i]) {
			fprintf(stderr, "tma_replay: %s: %s\n", argv[i], error.text);
			goto out;
		}
	}
	if (!has_record(argv, files, num_files, options.only) || wave_begin("tma_replay", options.fst))
		goto out;
	status = run(argv, files, num_files, &options);
	if (status != EXIT_USAGE)
		status = cli_end("tma_replay", wave_end("tma_replay", options.fst, status));
out:
	for (int i = 0; i < num_files; i++)
		vec_close(files[i]);
	free(files);
	return status;
}
