/* SPDX-License-Identifier: Apache-2.0 */
/* tma_bench - measures the RTL against its performance contract. */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "cli.h"
#include "sim/tma_sim.h"

#define QUICK_BYTES 1024u

static const char usage[] =
	"usage: tma_bench [--quick] [--case PATTERN] [--config small|default|max] [--csv PATH] [--svg PATH] [--list]\n"
	"\n"
	"Measures the engine's RTL and prints each case beside its contract.\n"
	"\n"
	"  --case PATTERN  only the cases whose name matches the shell pattern\n"
	"  --config C      only the cases of this configuration\n"
	"  --csv PATH      write the rows as CSV\n"
	"  --svg PATH      draw bus share against transfer size\n"
	"  --quick         of each kind of case with a contract one that costs little\n"
	"  --list          print the cases and stop\n"
	"\n"
	"Exit status: 0 every contract is met, 1 a row falls short or fails, 2 a wrong option or file.\n";

struct options {
	const char *pattern, *config, *csv, *svg;
	bool list, quick;
};

/* 0, or the exit status with which to stop, plus 1 so that a clean stop differs. */
static int parse(int argc, char **argv, struct options *o)
{
	const struct cli_option known[] = {
		{ .name = "case", .kind = CLI_TEXT, .to = &o->pattern },
		{ .name = "config", .kind = CLI_TEXT, .to = &o->config },
		{ .name = "csv", .kind = CLI_TEXT, .to = &o->csv },
		{ .name = "svg", .kind = CLI_TEXT, .to = &o->svg },
		{ .name = "list", .kind = CLI_FLAG, .to = &o->list },
		{ .name = "quick", .kind = CLI_FLAG, .to = &o->quick },
	};
	const struct cli cli = { "tma_bench", usage, known, sizeof(known) / sizeof(known[0]) };
	int first, status = cli_parse(&cli, argc, argv, &first);

	if (status != CLI_GO_ON)
		return 1 + status;
	if (first < argc)
		return 1 + cli_refuse("tma_bench", argv[first], "takes no file; see tma_bench --help");
	return 0;
}

/* A file that cannot be written is better known before the long run. */
static int check_path(const char *path)
{
	FILE *f = path ? fopen(path, "a") : NULL;

	if (path && !f) {
		fprintf(stderr, "tma_bench: %s: %s\n", path, strerror(errno));
		return 2;
	}
	return f && fclose(f) ? 2 : 0;
}

/* Short latency, small operations. */
static bool is_cheap(const struct bench_case *c)
{
	return c->rule != BENCH_REPORT && !strcmp(c->config, "default") && c->latency <= 100 &&
	       c->bytes <= QUICK_BYTES;
}

/* Of every kind the first that costs few cycles: a name is a kind, and cases stand in the order of their sizes. */
static bool is_quick(const struct bench_case *c)
{
	const struct bench_case *other;

	for (uint32_t i = 0; (other = bench_case_at(i)) != c; i++)
		if (is_cheap(other) && !strcmp(other->name, c->name))
			return false;
	return is_cheap(c);
}

static bool chosen(const struct options *o, const struct bench_case *c)
{
	return (!o->quick || is_quick(c)) && (!o->pattern || !fnmatch(o->pattern, c->name, 0)) &&
	       (!o->config || !strcmp(o->config, c->config));
}

/* A case of an engine that was not built could not be measured. False: there is one, which has been said. */
static bool all_built(const struct options *o)
{
	const char *const *built = tma_sim_configs();

	for (uint32_t i = 0; bench_case_at(i); i++) {
		const struct bench_case *c = bench_case_at(i);

		if (!chosen(o, c) || bench_is_built(c->config, built))
			continue;
		fprintf(stderr, "tma_bench: %s: needs configuration %s, and this program has", c->name,
		        c->config);
		for (uint32_t k = 0; built[k]; k++)
			fprintf(stderr, " %s", built[k]);
		fputs(" alone; --config chooses\n", stderr);
		return false;
	}
	return true;
}

static int save(const char *path, const struct bench_rows *rows,
                int (*write)(const char *, const struct bench_rows *))
{
	if (!path || write(path, rows) == 0)
		return 0;
	fprintf(stderr, "tma_bench: %s: %s\n", path, strerror(errno));
	return 2;
}

static int judge(const struct bench_rows *rows)
{
	uint32_t bound = 0, met = 0;

	for (uint32_t i = 0; i < rows->count; i++) {
		const struct bench_row *row = &rows->row[i];

		bound += row->rule != BENCH_REPORT || row->failed;
		met += (row->rule != BENCH_REPORT || row->failed) && bench_meets(row);
	}
	printf("\n%u rows measured, %u of %u with a contract meet it\n", rows->count, met, bound);
	if (met == bound) {
		printf("%u passed, 0 failed\n", rows->count);
		return 0;
	}
	for (uint32_t i = 0; i < rows->count; i++)
		if (!bench_meets(&rows->row[i]))
			bench_print_row(stdout, &rows->row[i]);
	printf("%u passed, %u failed\n", rows->count - (bound - met), bound - met);
	return 1;
}

int main(int argc, char **argv)
{
	struct options o = { 0 };
	struct bench_rows rows = { 0 };
	int status = parse(argc, argv, &o);
	bool any = false;

	if (status)
		return status - 1;
	for (uint32_t i = 0; bench_case_at(i); i++)
		any |= chosen(&o, bench_case_at(i));
	if (!any) {
		fprintf(stderr, "tma_bench: %s: matches no case; --list prints them\n",
		        o.pattern  ? o.pattern
		        : o.config ? o.config
		                   : "--quick");
		return 2;
	}
	if (!o.list && !all_built(&o))
		return 2;
	if (check_path(o.csv) || check_path(o.svg))
		return 2;
	bench_print_header(stdout);
	for (uint32_t i = 0; bench_case_at(i); i++) {
		const struct bench_case *c = bench_case_at(i);
		uint32_t before = rows.count;

		if (!chosen(&o, c))
			continue;
		if (o.list) {
			printf("%-34s %-8s %5u %7u\n", c->name, c->config, c->latency, c->bytes);
			continue;
		}
		c->run(c, &rows);
		for (; before < rows.count; before++)
			bench_print_row(stdout, &rows.row[before]);
		fflush(stdout);
	}
	if (o.list)
		return cli_end("tma_bench", 0);
	status = judge(&rows);
	if (save(o.csv, &rows, bench_write_csv) || save(o.svg, &rows, bench_write_svg))
		status = 2;
	free(rows.row);
	return cli_end("tma_bench", status);
}
