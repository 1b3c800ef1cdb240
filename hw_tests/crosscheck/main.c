/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_crosscheck - random programs on several queues at once, on the RTL and on the C model.
 *
 * Everything comes from the seed and the program's number. Last line: N passed, N failed.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "crosscheck/session.h"
#include "sim/tma_sim.h"

static const char help[] = "usage: tma_crosscheck [OPTION]...\n"
			   "Run random programs on the RTL and on the C model and compare what they leave.\n"
			   "\n"
			   "  --config C     small, default or max (default: default)\n"
			   "  --programs N   how many (default: 100)\n"
			   "  --seed S       of all of them (default: 1)\n"
			   "  --first K      number of the first one (default: 0)\n"
			   "  --faults       one queue of each program has an illegal command\n"
			   "  --tensor       with tensor copies and tensor maps\n"
			   "  --no-reduce    without reductions; an engine that has none gets none\n"
			   "  --from-zero    no queue's counts begin near 2^32, for waveforms\n"
			   "  --same-both    run each on the direct port and on rings as well\n"
			   "  --keep-going   do not stop at the first failure\n"
			   "  --shrink       leave out what a failing program does not need to fail\n"
			   "  --model        no RTL: the model against itself in other orders\n"
			   "  --list         print every program\n"
			   "  --stats        print what was covered\n"
			   "  --fst PATH     write a waveform\n"
			   "  --pins PATH    .. of the pins alone, in little time\n"
			   "  --help         print this\n"
			   "\n"
			   "Exit status: 0 all agree, 1 some do not, 2 a wrong option.\n";

enum {
	CONFIG = 1,
	PROGRAMS,
	SEED,
	FIRST,
	FAULTS,
	TENSOR,
	FROM,
	NO_REDUCE,
	SAME_BOTH,
	KEEP_GOING,
	SHRINK,
	MODEL,
	LIST,
	STATS,
	FST,
	PINS,
	HELP
};

static const struct option long_options[] = {
	{ "config", required_argument, NULL, CONFIG },
	{ "programs", required_argument, NULL, PROGRAMS },
	{ "seed", required_argument, NULL, SEED },
	{ "first", required_argument, NULL, FIRST },
	{ "faults", no_argument, NULL, FAULTS },
	{ "tensor", no_argument, NULL, TENSOR },
	{ "from-zero", no_argument, NULL, FROM },
	{ "no-reduce", no_argument, NULL, NO_REDUCE },
	{ "same-both", no_argument, NULL, SAME_BOTH },
	{ "keep-going", no_argument, NULL, KEEP_GOING },
	{ "shrink", no_argument, NULL, SHRINK },
	{ "model", no_argument, NULL, MODEL },
	{ "list", no_argument, NULL, LIST },
	{ "stats", no_argument, NULL, STATS },
	{ "fst", required_argument, NULL, FST },
	/* wavecheck needs no more */
	{ "pins", required_argument, NULL, PINS },
	{ "help", no_argument, NULL, HELP },
	{ NULL, 0, NULL, 0 },
};

static bool number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	if (*text && *text != '-' && !*end && !errno && *value >= min && *value <= max)
		return true;
	fprintf(stderr, "tma_crosscheck: %s %s: must be a number from %llu to %llu\n", option, text,
	        (unsigned long long)min, (unsigned long long)max);
	return false;
}

/* One option. False: it is wrong, and that has been said. */
static bool take(struct options *o, int option)
{
	uint64_t value = 0;

	switch (option) {
	case CONFIG:
		o->shape = shape_find(optarg);
		if (!o->shape)
			fprintf(stderr, "tma_crosscheck: --config %s: must be small, default or max\n",
			        optarg);
		return o->shape;
	case PROGRAMS:
		if (!number("--programs", optarg, 1, UINT32_MAX / 2, &value))
			return false;
		o->programs = (uint32_t)value;
		return true;
	case FIRST:
		if (!number("--first", optarg, 0, UINT32_MAX / 2, &value))
			return false;
		o->first = (uint32_t)value;
		return true;
	case SEED:
		return number("--seed", optarg, 0, UINT64_MAX, &o->seed);
	case FAULTS:
		return o->faults = true;
	case TENSOR:
		return o->tensor = true;
	case FROM:
		return o->from_zero = true;
	case NO_REDUCE:
		return o->no_reduce = true;
	case SAME_BOTH:
		return o->same_both = true;
	case KEEP_GOING:
		return o->keep_going = true;
	case SHRINK:
		return o->shrink = true;
	case MODEL:
		return o->model_only = true;
	case LIST:
		return o->list = true;
	case STATS:
		return o->stats = true;
	case FST:
	case PINS:
		tma_sim_trace_pins(option == PINS);
		o->fst = optarg;
		return true;
	default:
		return false;
	}
}

int main(int argc, char **argv)
{
	struct options o = { .shape = shape_find("default"), .seed = 1, .programs = 100 };
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
		if (option == HELP) {
			fputs(help, stdout);
			return 0;
		}
		if (option == '?' || option == ':')
			return fprintf(stderr, "tma_crosscheck: %s: %s; see tma_crosscheck --help\n",
			               argv[optind - 1],
			               option == ':' ? "needs a value" : "there is no such option"),
			       2;
		if (!take(&o, option))
			return 2;
	}
	if (optind != argc)
		return fprintf(stderr, "tma_crosscheck: %s: takes no file; see tma_crosscheck --help\n",
		               argv[optind]),
		       2;
	printf("%s: programs %u..%u of seed %llu%s%s%s\n", o.shape->name, o.first, o.first + o.programs - 1,
	       (unsigned long long)o.seed, o.tensor ? ", with tensor copies" : "",
	       o.faults ? ", with faults" : "", o.model_only ? ", model alone" : "");
	fflush(stdout);
	return session_run(&o);
}
