/* SPDX-License-Identifier: Apache-2.0 */
/* tma_bench - measures the RTL against its performance contract. */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

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
	"  --quick         only a few cases with a contract, a minute's worth\n"
	"  --list          print the cases and stop\n"
	"\n"
	"Exit status: 0 every contract is met, 1 a row falls short or fails, 2 a wrong option or file.\n";

struct options {
	const char *pattern, *config, *csv, *svg;
	bool list, quick;
};

static int wrong(const char *what, const char *arg)
{
	fprintf(stderr, "tma_bench: %s: %s; see tma_bench --help\n", arg, what);
	return 2;
}

/* 0, or the exit status with which to stop, plus 1 so that a clean stop differs. */
static int parse(int argc, char **argv, struct options *o)
{
	for (int i = 1; i < argc; i++) {
		const char **value = !strcmp(argv[i], "--case")     ? &o->pattern
		                     : !strcmp(argv[i], "--config") ? &o->config
		                     : !strcmp(argv[i], "--csv")    ? &o->csv
		                     : !strcmp(argv[i], "--svg")    ? &o->svg
		                                                    : NULL;

		if (!strcmp(argv[i], "--help")) {
			fputs(usage, stdout);
			return 1;
		}
		if (!strcmp(argv[i], "--list")) {
			o->list = true;
		} else if (!strcmp(argv[i], "--quick")) {
			o->quick = true;
		} else if (!value) {
			return wrong(*argv[i] == '-' ? "there is no such option" : "takes no file", argv[i]) +
			       1;
		} else if (i + 1 == argc) {
			return wrong("needs a value", argv[i]) + 1;
		} else {
			*value = argv[++i];
		}
	}
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

/* Short latency, small operations: what costs few cycles, of every kind. */
static bool is_quick(const struct bench_case *c)
{
	return c->rule != BENCH_REPORT && !strcmp(c->config, "default") && c->latency <= 100 &&
	       c->bytes <= QUICK_BYTES;
}

static bool chosen(const struct options *o, const struct bench_case *c)
{
	return (!o->quick || is_quick(c)) && (!o->pattern || !fnmatch(o->pattern, c->name, 0)) &&
	       (!o->config || !strcmp(o->config, c->config));
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
		return 0;
	status = judge(&rows);
	if (save(o.csv, &rows, bench_write_csv) || save(o.svg, &rows, bench_write_svg))
		status = 2;
	free(rows.row);
	return status;
}
