/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_walks_test - tensor copies become the rows that the semantics say.
 *
 * Requirement: of every mode, layout and element the rows, where they lie in both memories, their
 * fill and odd ends, the bytes of the signal, the arithmetic of a reduction; the rules in the order of
 * their codes, with the address that each reports; one row per cycle, the next walk without a bubble;
 * a walk that is stopped leaves no row; set-up never waits for a walk of the other direction.
 * Checks: every row and item against a reference that goes pixel by pixel, in every cycle what is on
 * offer, launch and rate in cycles, the units' assertions.
 */
#include <stdbool.h>
#include <string.h>

#include "tma_abi.h"
#include "unit_rtl/tma_walks_env.h"

static void random_run(struct bench *b, uint32_t commands)
{
	uint32_t d, idle = 0;
	bool valid = false;

	while (b->commands < commands || idle < 40) {
		valid = b->in->cmd_valid;
		if (!valid && b->commands < commands && rng_percent(&b->rng, 80)) {
			bench_random_command(b);
			b->in->cmd_valid = 1;
		}
		if (b->cycle % 64 == 0)
			b->in->granule16 = rng_percent(&b->rng, 50);
		for (d = 0; d < 2; d++) {
			b->in->row_ready[d] = rng_percent(&b->rng, b->ready);
			b->in->stop[d] = rng_percent(&b->rng, b->stop);
		}
		bench_cycle(b);
		idle = b->head[0] == b->tail[0] && b->head[1] == b->tail[1] ? idle + 1 : 0;
	}
	for (d = 0; d < 2; d++)
		assert_int_equal(b->out->walk_valid[d], 0);
}

static void run_modes(uint32_t modes, uint64_t seed, uint32_t commands, uint32_t ready, uint32_t stop)
{
	struct bench b;

	bench_open(&b, seed);
	b.modes = modes;
	b.ready = ready;
	b.stop = stop;
	random_run(&b, commands);
	assert_true(b.rows > commands);
	assert_true(b.fill > commands / 8);
	assert_true(!stop || b.stopped > commands / 20);
	assert_true(b.outside > commands / 100);
	assert_true(!(modes & (1u << IM2COL | 1u << W)) || b.info->data_bytes == 16 ||
	            b.runs > commands / 40);
	for (uint32_t op = 0; op < 8; op++)
		assert_true(!(modes & (1u << TILE | 1u << NO_OFFS | 1u << SCATTER)) || !b.info->reductions ||
		            b.reduced[op] > commands / 400);
	bench_close(&b);
}

TEST(tiles)
{
	run_modes(1u << TILE, 1, 6000, 100, 0);
}

TEST(lists)
{
	run_modes(1u << GATHER | 1u << SCATTER, 2, 4000, 100, 0);
}

TEST(im2col_walks)
{
	run_modes(1u << IM2COL | 1u << NO_OFFS, 3, 6000, 100, 0);
}

TEST(wide_walks)
{
	run_modes(1u << W | 1u << W128, 4, 3000, 100, 0);
}

TEST(back_pressure)
{
	run_modes((1u << MODES) - 1, 5, 4000, 50, 0);
}

TEST(stops)
{
	run_modes((1u << MODES) - 1, 6, 6000, 70, 4);
}

/* A copy of one row of 64 bytes, or of one pixel of an im2col map. */
static void one_row(struct bench *b, uint32_t rank, bool im2col, bool store)
{
	struct walks_setup_cmd *c = &b->in->cmd;
	struct tensor *t = &b->tensor;

	memset(c, 0, sizeof(*c));
	memset(t, 0, sizeof(*t));
	t->kind = im2col ? WALKS_IM2COL : WALKS_TILED;
	t->rank = rank;
	t->bits = 32;
	t->pixels = im2col;
	for (uint32_t i = 0; i < rank; i++) {
		t->dim[i] = 100;
		t->box[i] = i ? 1 : 16;
		t->es[i] = 1;
		t->stride[i] = 4096 << i;
		c->op.coord[i] = 16;
	}
	c->op.mode = im2col ? IM2COL : TILE;
	c->op.dim = (uint8_t)rank;
	c->store = store;
	tensor_decode(t, &b->in->info);
}

/* A store or prefetch of many rows, all in front of the tensor or behind it in one of its dimensions, is over
 * as soon as it is set up. A load has to fill. */
BENCH_TEST(outside_is_over, 14)
{
	static const int32_t away[] = { -64, 112, 0x7FFFFFF0, INT32_MIN };

	b->in->row_ready[0] = b->in->row_ready[1] = 1;
	for (uint32_t i = 0; i < 36; i++) {
		struct walks_setup_cmd *c = &b->in->cmd;
		uint64_t start = b->cycle, rows = b->rows;
		int32_t at = away[i / 9];

		if (i % 3 == 1 && at < 0)
			continue; /* no store has negative coordinates */
		one_row(b, 3, false, i % 3 == 1);
		b->tensor.box[1] = b->tensor.box[2] = 16;
		c->client = i % 3 == 2 ? WALKS_PREFETCH : WALKS_LOAD;
		c->op.coord[i / 3 % 3] = (uint32_t)at;
		tensor_decode(&b->tensor, &b->in->info);
		b->in->cmd_valid = 1;
		while (b->in->cmd_valid || b->head[0] != b->tail[0] || b->head[1] != b->tail[1])
			bench_cycle(b);
		assert_int_equal(b->rows - rows, i % 3 ? 1 : 256);
		assert_true(i % 3 == 0 || b->cycle - start < 20);
	}
}

BENCH_TEST(rules, 7)
{
	b->wrong = 80;
	b->most = 10;
	random_run(b, 16000);
	for (uint32_t i = 0; i <= TMA_FAULT_TENSOR_REDUCE - TMA_FAULT_TENSOR_RANK; i++) {
		if (i == TMA_FAULT_TENSOR_REDUCE - TMA_FAULT_TENSOR_RANK && !b->info->reductions)
			break;
		if (b->faults[i] < 20)
			print_error("rule 0x%x: %u times\n", TMA_FAULT_TENSOR_RANK + i, b->faults[i]);
		assert_true(b->faults[i] >= 20);
	}
}

/*
 * Wide halos, as silicon was seen to place them.
 */

#define MAX_WIDE 136u

/* Of C, W, H, N: 8 channels of 32 bits are copied; 64 bytes from pixel to pixel, 64 KiB from image to image. */
static void wide_map(struct bench *b, uint32_t kind, uint32_t width, int32_t corner, uint32_t step)
{
	b->tensor = (struct tensor){ .kind = kind,
		                     .rank = 4,
		                     .bits = 32,
		                     .span = 64,
		                     .dim = { 16, width, 8, 64 },
		                     .stride = { 0, 64, 4096, 65536 },
		                     .box = { 8 },
		                     .es = { 1, step, 1, 1 },
		                     .lower = { corner },
		                     .upper = { corner },
		                     .pixels = 13 };
	b->in->cmd = (struct walks_setup_cmd){ .op = { .mode = kind == WALKS_W ? W : W128, .dim = 4 } };
}

/* The (w, n) of each row of shared memory, n in the upper half. */
static uint32_t wide_rows(struct bench *b, uint32_t *pixels)
{
	uint32_t n = 0, pitch = 64 / CHUNK;

	tensor_decode(&b->tensor, &b->in->info);
	b->in->row_ready[0] = 1;
	b->in->cmd_valid = 1;
	memset(pixels, 0xFF, MAX_WIDE * sizeof(*pixels));
	do {
		const struct walks_tensor_row *row = &b->out->row[0];

		if (b->out->row_valid[0]) {
			assert_int_equal(row->chunks, 2);
			assert_true(row->saddr % pitch == 0 && row->saddr / pitch < MAX_WIDE);
			pixels[row->saddr / pitch] =
				(uint32_t)(row->gaddr / 65536 << 16 | row->gaddr % 65536 / 64);
			n++;
		}
		bench_cycle(b);
	} while (b->in->cmd_valid || b->head[0] != b->tail[0]);
	return n;
}

/* Pixels of 16 bytes, all channels, of C, W, H, N: an image of 6 x 3 whose window is wider by one or two. */
static void dense_map(struct bench *b, uint32_t kind, bool store)
{
	b->tensor = (struct tensor){ .kind = kind,
		                     .rank = 4,
		                     .bits = 32,
		                     .dim = { 4, 6, 3, 2 },
		                     .stride = { 0, 16, 128, 1024 },
		                     .box = { 4 },
		                     .es = { 1, 1, 1, 1 },
		                     .lower = { store ? 0 : -1, store ? 0 : -1 },
		                     .upper = { store ? 0 : 2, 0 },
		                     .pixels = 30,
		                     .runs = b->info->data_bytes > 16 };
	b->in->cmd = (struct walks_setup_cmd){ .op = { .mode = kind == WALKS_W ? W : IM2COL, .dim = 4 } };
	b->in->cmd.store = store;
	if (store)
		b->in->cmd.op.mode = NO_OFFS;
	tensor_decode(&b->tensor, &b->in->info);
}

/* Fill, data and fill of each row, a row in each cycle. */
static void expect_runs(struct bench *b, const uint32_t (*rows)[4], uint32_t count)
{
	uint32_t d = b->in->cmd.store, n = 0;

	b->in->row_ready[d] = 1;
	b->in->cmd_valid = 1;
	do {
		const struct walks_tensor_row *row = &b->out->row[d];

		if (b->out->row_valid[d]) {
			assert_true(n < count);
			assert_int_equal(row->head, rows[n][0]);
			assert_int_equal(row->chunks, rows[n][1]);
			assert_int_equal(row->tail, rows[n][2]);
			if (row->chunks)
				assert_int_equal(row->gaddr, rows[n][3]);
			n++;
		} else {
			assert_int_equal(n, 0);
		}
		bench_cycle(b);
	} while (b->in->cmd_valid || b->head[d] != b->tail[d]);
	assert_int_equal(n, count);
}

/* From the fourth pixel of the second line on, into the lines behind it, one of which is outside. */
BENCH_TEST(dense_pixels, 15)
{
	static const uint32_t load[][4] = {
		{ 0, 3, 2, 176 },
		{ 1, 6, 2, 256 },
		{ 9, 0, 0, 0 },
		{ 1, 6, 0, 1024 },
	};
	/* Two to the right: nothing in front of the tensor, more behind it. */
	static const uint32_t right[][4] = {
		{ 0, 1, 4, 208 },
		{ 0, 5, 4, 272 },
		{ 9, 0, 0, 0 },
		{ 0, 5, 2, 1040 },
	};
	static const uint32_t prefetch[][4] = {
		{ 0, 3, 0, 176 },
		{ 0, 6, 0, 256 },
		{ 0, 0, 0, 0 },
		{ 0, 6, 0, 1024 },
	};
	static const uint32_t store[][4] = {
		{ 0, 3, 0, 176 },  { 0, 6, 0, 256 },  { 0, 6, 0, 1024 },
		{ 0, 6, 0, 1152 }, { 0, 6, 0, 1280 }, { 0, 0, 0, 0 },
	};

	if (b->info->data_bytes == 16)
		return;
	for (uint32_t i = 0; i < 4; i++) {
		dense_map(b, WALKS_IM2COL, i == 3);
		b->in->cmd.op.coord[1] = 3;
		b->in->cmd.op.coord[2] = 1;
		b->in->cmd.im2col[0] = i == 1 ? 2 : 0;
		b->in->cmd.client = i == 2 ? WALKS_PREFETCH : WALKS_LOAD;
		expect_runs(b, i == 0 ? load : i == 1 ? right : i == 2 ? prefetch : store, i == 3 ? 6 : 4);
	}
}

/* A window that ends in front of the tensor: all of each line is fill, and no more than the line. */
BENCH_TEST(dense_pixels_in_front, 16)
{
	static const uint32_t rows[][4] = { { 4, 0, 0, 0 }, { 16, 0, 0, 0 }, { 10, 0, 0, 0 } };

	if (b->info->data_bytes == 16)
		return;
	dense_map(b, WALKS_IM2COL, false);
	b->tensor.lower[0] = -20;
	b->tensor.upper[0] = -10;
	b->in->cmd.op.coord[1] = (uint32_t)-8;
	b->in->cmd.op.coord[2] = 1;
	tensor_decode(&b->tensor, &b->in->info);
	expect_runs(b, rows, 3);
}

/* An RTX 5080's answer: the halo goes on in the next image. */
BENCH_TEST(halo_wraps, 12)
{
	static const uint32_t wanted[][2] = { { 2, 0 }, { 4, 0 }, { 0, 1 }, { 2, 1 }, { 4, 1 },
		                              { 0, 2 }, { 2, 2 }, { 4, 2 }, { 0, 3 }, { 2, 3 },
		                              { 4, 3 }, { 0, 4 }, { 2, 4 }, { 4, 4 }, { 0, 5 } };
	uint32_t pixels[MAX_WIDE], i;

	wide_map(b, WALKS_W, 5, -1, 2);
	b->in->cmd.op.coord[1] = 1;
	b->in->cmd.im2col[0] = 2;
	b->in->cmd.im2col[1] = 1;
	assert_int_equal(wide_rows(b, pixels), 15);
	for (i = 0; i < 15; i++)
		assert_int_equal(pixels[i], wanted[i][1] << 16 | wanted[i][0]);
}

/* Rows 128.. of an SM100's answer are pixels 32, 64, 96, 128, 33, 65, 97, 129 of the walk. */
BENCH_TEST(halos_behind_all, 13)
{
	static const uint32_t halos[] = { 32, 64, 96, 128, 33, 65, 97, 129 };
	uint32_t pixels[MAX_WIDE], i;

	wide_map(b, WALKS_W128, 4, 0, 1);
	b->in->cmd.im2col[0] = 2;
	assert_int_equal(wide_rows(b, pixels), 136);
	for (i = 0; i < 136; i++) {
		uint32_t pixel = i < 128 ? i : halos[i - 128];

		assert_int_equal(pixels[i], pixel / 4 << 16 | pixel % 4);
	}
}

/*
 * Cycles.
 */

/* Steps of set-up: groups of levels with starts, and with restarts. */
static uint32_t steps(const struct bench *b, uint32_t rank, bool im2col)
{
	uint32_t lanes = b->info->data_bytes >= 64 ? 4 : b->info->data_bytes == 32 ? 2 : 1;
	uint32_t levels = rank > 1 ? rank - 1 : 1, n = (levels + lanes - 1) / lanes;

	if (im2col)
		n += (rank - 2 + lanes - 1) / lanes;
	return n + (lanes < 4);
}

BENCH_TEST(launch, 8)
{
	uint32_t i;

	b->in->row_ready[0] = 1;
	for (uint32_t im2col = 0; im2col < 2; im2col++)
		for (uint32_t rank = im2col ? 3 : 1; rank <= 5; rank++) {
			one_row(b, rank, im2col, false);
			b->in->cmd_valid = 1;
			assert_true(bench_cycle(b));
			/* Cycle 1 is the next one. The walk is on offer the cycle before its row. */
			for (i = 1; !b->out->row_valid[0]; i++)
				bench_cycle(b);
			assert_int_equal(i, 3 + steps(b, rank, im2col));
			while (b->head[0] != b->tail[0])
				bench_cycle(b);
		}
}

/* Commands of one row each, in one direction or in turn. */
static void rate_of(struct bench *b, bool both, uint32_t wanted)
{
	uint64_t start = 0;
	uint32_t n = 0;

	b->in->row_ready[0] = b->in->row_ready[1] = 1;
	while (n < 101) {
		if (!b->in->cmd_valid) {
			one_row(b, 4, false, both && n % 2);
			b->in->cmd_valid = 1;
		}
		if (!bench_cycle(b))
			continue;
		if (n++ == 0)
			start = b->cycle;
	}
	assert_int_equal(b->cycle - start, 100 * wanted);
	while (b->head[0] != b->tail[0] || b->head[1] != b->tail[1])
		bench_cycle(b);
}

BENCH_TEST(rate, 9)
{
	rate_of(b, false, 2 + steps(b, 4, false));
	rate_of(b, true, 1 + steps(b, 4, false));
}

/* A direction whose walk waits for ever lets the other one go on. */
TEST(apart)
{
	struct bench b;

	for (uint32_t d = 0; d < 2; d++) {
		bench_open(&b, 10 + d);
		b.in->row_ready[!d] = 1;
		/* One walk in the walker, one that waits. */
		for (uint32_t n = 0; n < 2; n++) {
			one_row(&b, 2, false, d);
			b.in->cmd_valid = 1;
			while (!bench_cycle(&b))
				;
		}
		for (uint32_t i = 0; i < 20; i++)
			bench_cycle(&b);
		assert_int_equal(b.out->walk_valid[d], 1);
		for (uint32_t n = 0; n < 20; n++) {
			one_row(&b, 2, false, !d);
			b.in->cmd_valid = 1;
			for (uint32_t i = 0; !bench_cycle(&b); i++)
				assert_true(i < 10);
		}
		one_row(&b, 2, false, d);
		b.in->cmd_valid = 1;
		for (uint32_t i = 0; i < 50; i++)
			assert_false(bench_cycle(&b));
		b.in->row_ready[d] = 1;
		for (uint32_t i = 0; !bench_cycle(&b); i++)
			assert_true(i < 3);
		while (b.head[0] != b.tail[0] || b.head[1] != b.tail[1])
			bench_cycle(&b);
		bench_close(&b);
	}
}
