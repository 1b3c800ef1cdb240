/* SPDX-License-Identifier: Apache-2.0 */
/* Rows: judging them, printing them, writing them as CSV. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "cli.h"

struct bench_row *bench_add(struct bench_rows *rows, const struct bench_case *c)
{
	struct bench_row *row;

	if (rows->count == rows->room) {
		rows->room = rows->room ? 2 * rows->room : 64;
		rows->row = realloc(rows->row, rows->room * sizeof(*rows->row));
		if (!rows->row) {
			fprintf(stderr, "tma_bench: out of memory\n");
			exit(2);
		}
	}
	row = &rows->row[rows->count++];
	*row = (struct bench_row){
		.config = c->config,
		.latency = c->latency,
		.bytes = c->bytes,
		.rule = c->rule,
		.limit = c->limit,
		.stretch = c->stretch,
		.reference = c->reference,
	};
	snprintf(row->name, sizeof(row->name), "%s", c->name);
	return row;
}

double bench_each(const struct bench_row *row)
{
	return row->count > 1 ? (double)row->cycles / (row->count - 1) : 0;
}

static bool reaches(const struct bench_row *row, double limit)
{
	switch (row->rule) {
	case BENCH_AT_MOST:
		return (double)row->cycles <= limit;
	case BENCH_EACH:
		return bench_each(row) <= limit;
	case BENCH_SHARE:
		return row->share >= limit;
	case BENCH_NO_MORE:
		return row->share <= limit;
	case BENCH_RATE:
		return row->bytes_per_cycle >= limit;
	case BENCH_REPORT:
		break;
	}
	return true;
}

bool bench_meets(const struct bench_row *row)
{
	return !row->failed && reaches(row, row->limit);
}

const char *bench_verdict(const struct bench_row *row)
{
	if (row->failed)
		return "FAILED";
	if (row->rule == BENCH_REPORT)
		return "-";
	if (!reaches(row, row->limit))
		return "SHORT";
	return row->stretch > 0 && reaches(row, row->stretch) ? "stretch" : "meets";
}

const char *bench_contract(const struct bench_row *row, char *buf, size_t size)
{
	switch (row->rule) {
	case BENCH_AT_MOST:
		if (row->stretch > 0)
			snprintf(buf, size, "<= %.0f (%.0f) cycles", row->limit, row->stretch);
		else
			snprintf(buf, size, "<= %.0f cycles", row->limit);
		break;
	case BENCH_EACH:
		snprintf(buf, size, "<= %.0f cycles each", row->limit);
		break;
	case BENCH_SHARE:
		snprintf(buf, size, ">= %.2f of bound", row->limit);
		break;
	case BENCH_NO_MORE:
		snprintf(buf, size, "<= %.2f of bound", row->limit);
		break;
	case BENCH_RATE:
		snprintf(buf, size, ">= %.0f B/cycle", row->limit);
		break;
	case BENCH_REPORT:
		snprintf(buf, size, "-");
		break;
	}
	return buf;
}

bool bench_is_built(const char *config, const char *const *built)
{
	for (; *built; built++)
		if (!strcmp(config, *built))
			return true;
	return false;
}

void bench_print_header(FILE *out)
{
	fprintf(out, "%-34s %-8s %5s %7s %6s %8s %8s %6s  %-18s %-8s %s\n", "case", "config", "L", "bytes",
	        "count", "cycles", "B/cycle", "share", "contract", "verdict", "reference");
}

void bench_print_row(FILE *out, const struct bench_row *row)
{
	char contract[32], rate[16] = "", share[16] = "";

	if (row->share > 0) {
		snprintf(rate, sizeof(rate), "%.2f", row->bytes_per_cycle);
		snprintf(share, sizeof(share), "%.3f", row->share);
	}
	fprintf(out, "%-34s %-8s %5u %7u %6u %8llu %8s %6s  %-18s %-8s %s\n", row->name, row->config,
	        row->latency, row->bytes, row->count, (unsigned long long)row->cycles, rate, share,
	        bench_contract(row, contract, sizeof(contract)), bench_verdict(row), row->reference);
}

int bench_write_csv(const char *path, const struct bench_rows *rows)
{
	FILE *out = fopen(path, "w");

	if (!out)
		return -1;
	fprintf(out,
	        "case,config,latency,bytes,count,cycles,bytes_per_cycle,share_of_bound,contract,verdict\n");
	for (uint32_t i = 0; i < rows->count; i++) {
		const struct bench_row *row = &rows->row[i];
		char contract[32];

		fprintf(out, "%s,%s,%u,%u,%u,%llu,%.3f,%.4f,%s,%s\n", row->name, row->config, row->latency,
		        row->bytes, row->count, (unsigned long long)row->cycles, row->bytes_per_cycle,
		        row->share, bench_contract(row, contract, sizeof(contract)), bench_verdict(row));
	}
	return cli_close(out);
}
