/* SPDX-License-Identifier: Apache-2.0 */
/* tma_replay - runs recorded vectors on the C model or on the RTL and compares every byte. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "replay/backend.h"
#include "replay/stream.h"

#define EXIT_USAGE   2
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

static int parse_number(const char *option, const char *text, uint64_t max, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	if (errno || end == text || *end || text[0] == '-' || *value > max) {
		fprintf(stderr, "tma_replay: %s %s: must be a number from 0 to %" PRIu64 "\n", option, text,
		        max);
		return -1;
	}
	return 0;
}

/* 0 go on, 1 help was asked for, -1 a wrong option. */
static int parse_options(int argc, char **argv, struct stream_options *options)
{
	static const struct option known[] = {
		{ "backend", required_argument, NULL, 'b' },
		{ "config", required_argument, NULL, 'c' },
		{ "seed", required_argument, NULL, 's' },
		{ "front", required_argument, NULL, 'F' },
		{ "record", required_argument, NULL, 'r' },
		{ "fst", required_argument, NULL, 'f' },
		{ "every", required_argument, NULL, 'e' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	uint64_t number;
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":", known, NULL)) != -1) {
		switch (c) {
		case 'b':
			options->backend = find_backend(optarg);
			if (!options->backend) {
				fprintf(stderr, "tma_replay: --backend %s: must be model, late or rtl\n",
				        optarg);
				return -1;
			}
			break;
		case 'c':
			options->config = optarg;
			break;
		case 's':
			if (parse_number("--seed", optarg, UINT64_MAX, &options->seed))
				return -1;
			break;
		case 'F':
			if (parse_front(optarg, &options->front))
				return -1;
			break;
		case 'r':
			if (parse_number("--record", optarg, STREAM_ALL - 1, &number))
				return -1;
			options->only = (uint32_t)number;
			break;
		case 'e':
			if (parse_number("--every", optarg, UINT32_MAX, &number))
				return -1;
			options->every = (uint32_t)number;
			break;
		case 'f':
			options->fst = optarg;
			break;
		case 'h':
			fputs(usage, stdout);
			return 1;
		default:
			fprintf(stderr, "tma_replay: %s: %s; see tma_replay --help\n", argv[optind - 1],
			        c == ':' ? "needs a value" : "there is no such option");
			return -1;
		}
	}
	if (options->fst && !options->backend->has_fst) {
		fprintf(stderr, "tma_replay: --fst: the %s has no waveform\n", options->backend->name);
		return -1;
	}
	if (options->fst && argc - optind != 1) {
		fputs("tma_replay: --fst: needs exactly one file of vectors\n", stderr);
		return -1;
	}
	if (optind == argc) {
		fputs("tma_replay: no files; see tma_replay --help\n", stderr);
		return -1;
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

int main(int argc, char **argv)
{
	struct stream_options options = { .backend = backends[0],
		                          .config = "default",
		                          .seed = DEFAULT_SEED,
		                          .only = STREAM_ALL,
		                          .log = stdout };
	struct vec **files = NULL;
	int status = EXIT_USAGE;
	int num_files, parsed = parse_options(argc, argv, &options);

	if (parsed)
		return parsed > 0 ? EXIT_SUCCESS : EXIT_USAGE;
	num_files = argc - optind;
	files = calloc((size_t)num_files, sizeof(struct vec *));
	if (!files) {
		fputs("tma_replay: out of memory\n", stderr);
		return EXIT_USAGE;
	}
	/* All files first: a wrong one is known before the long run. */
	for (int i = 0; i < num_files; i++) {
		struct vec_error error;

		files[i] = vec_open(argv[optind + i], &error);
		if (!files[i]) {
			fprintf(stderr, "tma_replay: %s: %s\n", argv[optind + i], error.text);
			goto out;
		}
	}
	status = run(argv + optind, files, num_files, &options);
out:
	for (int i = 0; i < num_files; i++)
		vec_close(files[i]);
	free(files);
	return status;
}
