/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_test - the bench's verdicts can fail.
 *
 * Checks: a row short of each kind of contract is not met, a row on the limit is; wrong data fails any
 *         row; the CSV holds a line per row and the columns of its header; a path that cannot be
 *         written is an error.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"

struct verdict_case {
	const char *name;
	struct bench_row row;
	bool meets;
	const char *verdict;
};

static const struct verdict_case verdicts[] = {
	{ "cycles on the limit", { .rule = BENCH_AT_MOST, .limit = 4, .cycles = 4 }, true, "meets" },
	{ "a cycle too many", { .rule = BENCH_AT_MOST, .limit = 4, .cycles = 5 }, false, "SHORT" },
	{ "stretch", { .rule = BENCH_AT_MOST, .limit = 4, .stretch = 2, .cycles = 2 }, true, "stretch" },
	{ "short of the stretch",
	  { .rule = BENCH_AT_MOST, .limit = 4, .stretch = 2, .cycles = 3 },
	  true,
	  "meets" },
	{ "share on the limit", { .rule = BENCH_SHARE, .limit = 0.97, .share = 0.97 }, true, "meets" },
	{ "share short", { .rule = BENCH_SHARE, .limit = 0.97, .share = 0.9699 }, false, "SHORT" },
	{ "rate on the limit", { .rule = BENCH_RATE, .limit = 60, .bytes_per_cycle = 60 }, true, "meets" },
	{ "rate short", { .rule = BENCH_RATE, .limit = 60, .bytes_per_cycle = 59.9 }, false, "SHORT" },
	{ "reported", { .rule = BENCH_REPORT }, true, "-" },
	{ "reported, wrong data", { .rule = BENCH_REPORT, .failed = true }, false, "FAILED" },
	{ "fast, wrong data",
	  { .rule = BENCH_SHARE, .limit = 0.97, .share = 1.0, .failed = true },
	  false,
	  "FAILED" },
};

static void test_verdicts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(*verdicts); i++) {
		print_message("         %s\n", verdicts[i].name);
		assert_int_equal(bench_meets(&verdicts[i].row), verdicts[i].meets);
		assert_string_equal(bench_verdict(&verdicts[i].row), verdicts[i].verdict);
	}
}

static uint32_t commas(const char *line)
{
	uint32_t n = 0;

	for (; *line; line++)
		n += *line == ',';
	return n;
}

static void test_csv(void **state)
{
	static const struct bench_case c = { .name = "a case",
		                             .config = "small",
		                             .latency = 100,
		                             .bytes = 64,
		                             .rule = BENCH_SHARE,
		                             .limit = 0.97,
		                             .reference = "" };
	struct bench_rows rows = { 0 };
	char line[256];
	const char *path = BENCH_TEST_CSV;
	FILE *in;

	(void)state;
	for (int i = 0; i < 3; i++)
		bench_add(&rows, &c)->share = 0.5;
	assert_int_equal(bench_write_csv(path, &rows), 0);
	in = fopen(path, "r");
	assert_non_null(in);
	assert_non_null(fgets(line, sizeof(line), in));
	assert_string_equal(
		line,
		"case,config,latency,bytes,count,cycles,bytes_per_cycle,share_of_bound,contract,verdict\n");
	for (int i = 0; i < 3; i++) {
		assert_non_null(fgets(line, sizeof(line), in));
		assert_int_equal(commas(line), 9);
		assert_non_null(strstr(line, ",SHORT\n"));
	}
	assert_null(fgets(line, sizeof(line), in));
	fclose(in);
	remove(path);
	free(rows.row);
}

static void test_unwritable(void **state)
{
	struct bench_rows rows = { 0 };

	(void)state;
	assert_int_equal(bench_write_csv("/nonexistent/bench.csv", &rows), -1);
	assert_int_equal(bench_write_svg("/nonexistent/bench.svg", &rows), -1);
}

/* Every contract that has a rule is in the list: nothing drops out unseen. */
static void test_list(void **state)
{
	uint32_t bound = 0;

	(void)state;
	for (uint32_t i = 0; i < bench_num_cases; i++)
		bound += bench_cases[i].rule != BENCH_REPORT;
	assert_in_range(bound, 38, 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_unwritable),
		cmocka_unit_test(test_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
