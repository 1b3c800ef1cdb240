/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_test - the bench's verdicts can fail.
 *
 * Checks: a row short of each kind of contract is not met, a row on the limit is; wrong data fails any
 *         row; the CSV holds a line per row and the columns of its header; a path that cannot be
 *         written is an error; the boxes of a stream are those of its list, and a wrong byte that tensor
 *         copies leave is found.
 */

#include "lib/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tile.h"

/* Rows with a contract in the lists of cases. */
#define CONTRACTS        79u
#define TENSOR_CONTRACTS 54u

/* Boxes of two rows, of so many bytes each, which become 128 of shared memory. */
#define PADDED(data, bytes)                                                                   \
	.type = data, .rank = 2, .dim = { 128, 64 }, .strides = { bytes }, .box = { 128, 2 }, \
	.count = { 1, 1 }, .shared = 256

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
	{ "cycles each on the limit",
	  { .rule = BENCH_EACH, .limit = 3, .cycles = 300, .count = 101 },
	  true,
	  "meets" },
	{ "one of them late",
	  { .rule = BENCH_EACH, .limit = 3, .cycles = 301, .count = 101 },
	  false,
	  "SHORT" },
	{ "share on the limit", { .rule = BENCH_SHARE, .limit = 0.97, .share = 0.97 }, true, "meets" },
	{ "share short", { .rule = BENCH_SHARE, .limit = 0.97, .share = 0.9699 }, false, "SHORT" },
	{ "no more than the limit", { .rule = BENCH_NO_MORE, .limit = 1.05, .share = 1.05 }, true, "meets" },
	{ "more than the limit", { .rule = BENCH_NO_MORE, .limit = 1.05, .share = 1.051 }, false, "SHORT" },
	{ "rate on the limit", { .rule = BENCH_RATE, .limit = 60, .bytes_per_cycle = 60 }, true, "meets" },
	{ "rate short", { .rule = BENCH_RATE, .limit = 60, .bytes_per_cycle = 59.9 }, false, "SHORT" },
	{ "reported", { .rule = BENCH_REPORT }, true, "-" },
	{ "reported, wrong data", { .rule = BENCH_REPORT, .failed = true }, false, "FAILED" },
	{ "fast, wrong data",
	  { .rule = BENCH_SHARE, .limit = 0.97, .share = 1.0, .failed = true },
	  false,
	  "FAILED" },
};

TEST(test_verdicts)
{
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

TEST(test_csv)
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

TEST(test_unwritable)
{
	struct bench_rows rows = { 0 };

	assert_int_equal(bench_write_csv("/nonexistent/bench.csv", &rows), -1);
	assert_int_equal(bench_write_svg("/nonexistent/bench.svg", &rows), -1);
}

/* Every contract that has a rule is in the list: nothing drops out unseen. Nothing is measured twice. */
TEST(test_list)
{
	uint32_t bound = 0, tensor = 0, n = 0;

	for (; bench_case_at(n); n++) {
		const struct bench_case *c = bench_case_at(n);

		bound += c->rule != BENCH_REPORT;
		for (uint32_t i = 0; i < n; i++) {
			const struct bench_case *d = bench_case_at(i);

			assert_false(!strcmp(c->name, d->name) && !strcmp(c->config, d->config) &&
			             c->latency == d->latency && c->bytes == d->bytes &&
			             c->argument == d->argument);
		}
	}
	for (uint32_t i = 0; i < bench_num_tensor_cases; i++) {
		tensor += bench_tensor_cases[i].rule != BENCH_REPORT;
		assert_ptr_equal(bench_case_at(n - bench_num_tensor_cases + i), &bench_tensor_cases[i]);
	}
	assert_int_equal(bound - tensor, CONTRACTS);
	assert_int_equal(tensor, TENSOR_CONTRACTS);
}

/* What a stream of boxes does: the coordinates step, and start again after an odd number of boxes. */
TEST(test_boxes)
{
	static const struct bench_tile tile = {
		.rank = 2, .start = { -1, 5 }, .step = { 16, 2 }, .count = { 2, 3 }
	};
	static const int32_t expected[][2] = { { -1, 5 }, { 15, 5 }, { -1, 7 },
		                               { 15, 7 }, { -1, 9 }, { -1, 5 } };

	for (uint32_t i = 0; i < 6; i++) {
		struct tma_command c = tile_command(&tile, TMA_TENSOR_LOAD, i);

		assert_int_equal(c.opcode, TMA_TENSOR_LOAD);
		assert_int_equal(c.dim, 2);
		assert_int_equal(c.coord[0], expected[i][0]);
		assert_int_equal(c.coord[1], expected[i][1]);
		assert_int_equal(c.coord[2], 0);
	}
	assert_int_equal(tile_step(&tile, 16), 128);
	assert_int_equal(tile_step(&tile, 256), 256);
	assert_int_equal(tile_step(&(struct bench_tile){ .shared = 2048 }, 1024), 2048);
}

/* Of those that are built, the first one, or the first one that has padded types. */
static const char *configuration(bool padded)
{
	const char *const *config = tma_sim_configs();

	while (padded && *config && !strcmp(*config, "small"))
		config++;
	return *config;
}

/* The first box of a tile on the engine, then one bit of its last byte turned behind its back. */
static struct stage *wrong_load(const struct bench_tile *t, uint32_t bytes)
{
	const struct bench_case c = { .name = "a case", .config = configuration(t->shared), .latency = 10 };
	struct stage *s = stage_open(&c, NULL, NULL);
	struct tma_command load = tile_command(t, TMA_TENSOR_LOAD, 0);
	uint32_t last = STAGE_SMEM + (t->shared ? t->shared : bytes) - 1;
	uint8_t byte;

	assert_non_null(s);
	assert_true(tile_map(s, t, 0) && tile_ground(s, t));
	load.shared_dst = STAGE_SMEM;
	stage_init(s, 0, 0, 1);
	stage_submit(s, 0, load);
	assert_true(stage_drain(s));
	assert_true(tile_loaded(s, t, 1, bytes, 1, 0));
	assert_int_equal(rig_smem_read(s->rig, 0, last, &byte, 1), 0);
	byte ^= 1;
	assert_int_equal(rig_smem_write(s->rig, 0, last, &byte, 1), 0);
	assert_false(tile_loaded(s, t, 1, bytes, 1, 0));
	return s;
}

/* A buffer of a stream that does not hold what the model says is found, and so is padding that does not
 * hold what it had, and a byte too many of a store. */
TEST(test_wrong_bytes)
{
	static const struct bench_tile padded[] = {
		{ PADDED(TMA_MAP_DATA_16U4_ALIGN16B, 64) },
		{ PADDED(TMA_MAP_DATA_16U6_ALIGN16B, 96) },
	};
	const struct bench_tile *t = &bench_tiles[0];
	struct stage *s;
	uint8_t *before = malloc(STAGE_HALF);

	assert_non_null(before);
	for (int i = 0; i < 2 && configuration(true); i++)
		stage_close(wrong_load(&padded[i], i ? 192 : 128), NULL);
	s = wrong_load(t, 256);

	assert_true(tile_map(s, t, STAGE_HALF));
	memcpy(before, s->memory + STAGE_HALF, STAGE_HALF);
	assert_true(tile_stored(s, t, 0, 256, 1, before, s->memory, 256));
	s->memory[STAGE_HALF + 16] ^= 1;
	assert_false(tile_stored(s, t, 0, 256, 1, before, s->memory, 256));
	free(before);
	stage_close(s, NULL);
}

/* What the program was not built with is known by its name, whole. */
TEST(test_built)
{
	static const char *const built[] = { "small", "default", NULL };

	assert_true(bench_is_built("small", built));
	assert_true(bench_is_built("default", built));
	assert_false(bench_is_built("max", built));
	assert_false(bench_is_built("smal", built));
	assert_false(bench_is_built("small", &built[2]));
}

int main(void)
{
	return run_file_tests("tests");
}
