/* SPDX-License-Identifier: Apache-2.0 */
/* tma_bench_model - prints how fast the C model is, and fails where it falls short. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"
#include "cli.h"

static const char usage[] =
	"usage: tma_bench_model\n"
	"\n"
	"Measures the C model beside memcpy() in the same run, and prints each row beside its contract.\n"
	"\n"
	"Exit status: 0 every contract is met, 1 a row falls short or fails, 2 a wrong option.\n";

#define MAX_ROWS 32

double bench_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool falls_short(const struct bench_row *row)
{
	if (row->failed || !row->limit)
		return row->failed;
	return row->at_least ? row->value < row->limit : row->value > row->limit;
}

static void print_row(const struct bench_row *row)
{
	const char *verdict = falls_short(row) ? "FAIL" : row->limit ? "ok" : "";
	char contract[32] = "-";

	if (row->limit)
		snprintf(contract, sizeof(contract), "%s %g", row->at_least ? ">=" : "<=", row->limit);
	printf("%-60s %9.3f  %-9s  %-8s  %s\n", row->name, row->value, row->unit, contract, verdict);
}

int main(int argc, char **argv)
{
	const struct cli cli = { .tool = "tma_bench_model", .usage = usage };
	struct bench_row rows[MAX_ROWS];
	uint32_t failed = 0, contracts = 0, count;
	int first, status = cli_parse(&cli, argc, argv, &first);

	if (status != CLI_GO_ON)
		return status;
	if (first < argc)
		return cli_refuse(cli.tool, argv[first], "takes no file; see tma_bench_model --help");
	count = bench_copies(rows, MAX_ROWS);
	count += bench_buffers(rows + count, MAX_ROWS - count);
	printf("%-60s %9s  %-9s  %-8s  %s\n", "C model", "measured", "unit", "contract", "verdict");
	for (uint32_t i = 0; i < count; i++) {
		print_row(&rows[i]);
		failed += falls_short(&rows[i]);
		contracts += rows[i].failed || rows[i].limit;
	}
	printf("%u passed, %u failed\n", contracts - failed, failed);
	return cli_end(cli.tool, failed ? EXIT_FAILURE : EXIT_SUCCESS);
}
