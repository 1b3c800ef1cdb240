/* SPDX-License-Identifier: Apache-2.0 */
/* tma_bench_model - prints how fast the C model is, and fails where it falls short. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench.h"

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

int main(void)
{
	struct bench_row rows[MAX_ROWS];
	uint32_t count = bench_copies(rows, MAX_ROWS);
	uint32_t failed = 0, contracts = 0;

	count += bench_buffers(rows + count, MAX_ROWS - count);
	printf("%-60s %9s  %-9s  %-8s  %s\n", "C model", "measured", "unit", "contract", "verdict");
	for (uint32_t i = 0; i < count; i++) {
		print_row(&rows[i]);
		failed += falls_short(&rows[i]);
		contracts += rows[i].failed || rows[i].limit;
	}
	printf("%u passed, %u failed\n", contracts - failed, failed);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
