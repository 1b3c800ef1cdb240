/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_crosscheck - random programs on several queues at once, on the RTL and on the C model.
 *
 * Everything comes from the seed and the program's number. Last line: N passed, N failed.
 */
#include <stdio.h>

#include "cli.h"
#include "crosscheck/session.h"
#include "sim/tma_sim.h"
#include "wave.h"

#define TOOL "tma_crosscheck"

static const char help[] =
	"usage: tma_crosscheck [OPTION]...\n"
	"Run random programs on the RTL and on the C model and compare what they leave.\n"
	"\n"
	"  --config C     small, default or max (default: default)\n"
	"  --programs N   how many (default: 100)\n"
	"  --seed S       of all of them (default: 1)\n"
	"  --first K      number of the first one (default: 0)\n"
	"  --faults       one queue of each program has an illegal command\n"
	"  --tensor       with tensor copies and tensor maps\n"
	"  --no-reduce    without reductions; an engine that has none gets none\n"
	"  --reduce       with reductions in every program, not in seven of ten\n"
	"  --from-zero    no queue's counts begin near 2^32, for waveforms\n"
	"  --same-both    run each on the direct port and on rings as well\n"
	"  --keep-going   do not stop at the first failure\n"
	"  --shrink       leave out what a failing program does not need to fail\n"
	"  --ptx          every command goes through PTX text before it is used\n"
	"  --model        no RTL: the model against itself in other orders\n"
	"  --list         print every program\n"
	"  --stats        print what was covered\n"
	"  --fst PATH     write a waveform\n"
	"  --pins PATH    .. of the pins alone, in little time\n"
	"  --help         print this\n"
	"\n"
	"Exit status: 0 all agree, 1 some do not, 2 a wrong option, or a file that cannot be written.\n";

/* What is asked for as text or as wide numbers. */
struct words {
	const char *config, *fst, *pins;
	uint64_t programs, first;
};

/* 0 go on, else 1 + the exit status. */
static int parse(int argc, char **argv, struct options *o)
{
	struct words w = { .config = "default", .programs = o->programs };
	const struct cli_option known[] = {
		{ .name = "config", .kind = CLI_TEXT, .to = &w.config },
		{ .name = "programs",
		  .kind = CLI_NUMBER,
		  .to = &w.programs,
		  .min = 1,
		  .max = UINT32_MAX / 2 },
		{ .name = "seed", .kind = CLI_NUMBER, .to = &o->seed, .max = UINT64_MAX },
		{ .name = "first", .kind = CLI_NUMBER, .to = &w.first, .max = UINT32_MAX / 2 },
		{ .name = "faults", .kind = CLI_FLAG, .to = &o->faults },
		{ .name = "tensor", .kind = CLI_FLAG, .to = &o->tensor },
		{ .name = "from-zero", .kind = CLI_FLAG, .to = &o->from_zero },
		{ .name = "no-reduce", .kind = CLI_FLAG, .to = &o->no_reduce },
		{ .name = "reduce", .kind = CLI_FLAG, .to = &o->reduce },
		{ .name = "same-both", .kind = CLI_FLAG, .to = &o->same_both },
		{ .name = "keep-going", .kind = CLI_FLAG, .to = &o->keep_going },
		{ .name = "shrink", .kind = CLI_FLAG, .to = &o->shrink },
		{ .name = "ptx", .kind = CLI_FLAG, .to = &o->ptx },
		{ .name = "model", .kind = CLI_FLAG, .to = &o->model_only },
		{ .name = "list", .kind = CLI_FLAG, .to = &o->list },
		{ .name = "stats", .kind = CLI_FLAG, .to = &o->stats },
		{ .name = "fst", .kind = CLI_TEXT, .to = &w.fst },
		/* wavecheck needs no more */
		{ .name = "pins", .kind = CLI_TEXT, .to = &w.pins },
	};
	const struct cli cli = { TOOL, help, known, sizeof(known) / sizeof(known[0]) };
	int first, status = cli_parse(&cli, argc, argv, &first);

	if (status != CLI_GO_ON)
		return 1 + status;
	if (first != argc)
		return 1 + cli_refuse(TOOL, argv[first], "takes no file; see tma_crosscheck --help");
	o->programs = (uint32_t)w.programs;
	o->first = (uint32_t)w.first;
	o->shape = shape_find(w.config);
	if (!o->shape) {
		fprintf(stderr, TOOL ": --config %s: must be small, default or max\n", w.config);
		return 1 + CLI_USAGE;
	}
	if (w.fst && w.pins)
		return 1 + cli_refuse(TOOL, "--pins", "not with --fst, which shows them too");
	if (o->reduce && o->no_reduce)
		return 1 + cli_refuse(TOOL, "--reduce", "not with --no-reduce, which leaves them out");
	tma_sim_trace_pins(w.pins);
	o->fst = w.pins ? w.pins : w.fst;
	/* Without the RTL there is nothing to see. */
	return o->model_only || !wave_begin(TOOL, o->fst) ? 0 : 1 + CLI_USAGE;
}

int main(int argc, char **argv)
{
	struct options o = { .seed = 1, .programs = 100 };
	int status = parse(argc, argv, &o);

	if (status)
		return status - 1;
	printf("%s: programs %u..%u of seed %llu%s%s%s%s\n", o.shape->name, o.first, o.first + o.programs - 1,
	       (unsigned long long)o.seed, o.tensor ? ", with tensor copies" : "",
	       o.faults ? ", with faults" : "", o.ptx ? ", through PTX text" : "",
	       o.model_only ? ", model alone" : "");
	fflush(stdout);
	status = session_run(&o);
	if (status == CLI_USAGE)
		return status;
	return cli_end(TOOL, o.model_only ? status : wave_end(TOOL, o.fst, status));
}
