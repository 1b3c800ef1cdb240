/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of the model, each beside memcpy() of the same bytes from the same place to the same place.
 *
 * The two take turns and the best time of each counts, so that what else the machine does disturbs
 * little. The bytes are those of one CTA, so they stay in the caches of both.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "tma_command.h"
#include "tma_map.h"
#include "tma_model.h"

#define SMEM_BYTES   (512u << 10)
#define COPY_BYTES   (64u << 10)
#define GLOBAL       UINT64_C(0x100000000)
#define MAP_PLACE    (GLOBAL + GLOBAL_BYTES - 4096)
#define GLOBAL_BYTES (8u << 20)
#define MBAR         0u
#define SHARED       4096u /* where data goes to and comes from */
#define SPREAD       4u    /* places that the copies of a batch take turns in, each with COPY_BYTES */
#define BATCH        8u    /* 64 KiB copies in flight until their barrier is told: within its tx-count */
#define SMALL_BATCH  512u
#define ROUNDS       200u
#define SMALL_ROUNDS 5000u /* no memcpy() beside them: a third of a second, for a quiet moment */
#define APART        1024u /* bytes from row to row of a tensor that is no dense one */

struct place {
	uint32_t shared;
	uint64_t global;
};

struct bench {
	struct tma_model *model;
	uint8_t *global; /* at the address GLOBAL */
};

/* Rows of `row` bytes, `rows` of them in a copy. pitch 0: bulk copies. */
struct kind {
	const char *name;
	bool store;
	uint32_t row, rows;
	uint64_t pitch;
	uint32_t swizzle;
	double contract;
};

static const struct kind kinds[] = {
	{ "bulk load, 64 KiB", false, COPY_BYTES, 1, 0, 0, 0.5 },
	{ "bulk store, 64 KiB", true, COPY_BYTES, 1, 0, 0, 0.5 },
	{ "tile load, 64 KiB, dense, rows of 256 B", false, 256, 256, 256, 0, 0.5 },
	{ "tile store, 64 KiB, dense, rows of 256 B", true, 256, 256, 256, 0, 0.5 },
	{ "tile load, 64 KiB, dense, rows of 64 B", false, 64, 1024, 64, 0, 0.5 },
	{ "tile store, 64 KiB, dense, rows of 64 B", true, 64, 1024, 64, 0, 0.5 },
	{ "tile load, 64 KiB, 128B swizzle", false, 128, 512, 128, TMA_MAP_SWIZZLE_128B, 0.25 },
	{ "tile store, 64 KiB, 128B swizzle", true, 128, 512, 128, TMA_MAP_SWIZZLE_128B, 0.25 },
	{ "tile load, 64 KiB, rows of 256 B, 1 KiB apart", false, 256, 256, APART, 0, 0 },
	{ "tile load, 64 KiB, rows of 128 B, 1 KiB apart, 128B swizzle", false, 128, 512, APART,
	  TMA_MAP_SWIZZLE_128B, 0 },
};

static struct place place_of(const struct kind *k, uint32_t i)
{
	uint64_t extent = k->pitch ? k->pitch * k->rows : COPY_BYTES;

	return (struct place){ SHARED + i % SPREAD * COPY_BYTES, GLOBAL + i % SPREAD * extent };
}

static void fill(uint8_t *bytes, uint32_t count, uint32_t salt)
{
	for (uint32_t i = 0; i < count; i++)
		bytes[i] = (uint8_t)((i + salt) * 2654435761u >> 23);
}

static bool open_bench(struct bench *b)
{
	const struct tma_model_config config = { .smem_bytes = SMEM_BYTES, .ctas = 1 };
	const struct tma_queue_config queue = { .enable = 1, .cta_mask = 1 };
	const struct tma_window window = { GLOBAL, GLOBAL + GLOBAL_BYTES - 1,
		                           TMA_WINDOW_READ | TMA_WINDOW_WRITE };
	struct tma_command c;

	b->model = tma_model_new(&config);
	b->global = aligned_alloc(4096, GLOBAL_BYTES);
	if (!b->model || !b->global)
		return false;
	fill(b->global, GLOBAL_BYTES, 1);
	fill(tma_model_smem(b->model, 0), SMEM_BYTES, 2);
	tma_mbarrier_init(&c, MBAR, 1);
	return !tma_model_map(b->model, 0, GLOBAL, GLOBAL_BYTES, b->global) &&
	       !tma_model_window(b->model, 0, 0, &window) && !tma_model_queue(b->model, 0, &queue) &&
	       !tma_model_submit(b->model, 0, &c) && tma_model_run(b->model) == 1;
}

static void close_bench(struct bench *b)
{
	tma_model_free(b->model);
	free(b->global);
}

/* The map of all boxes of a kind, one behind the other in dimension 2. A box has at most 256 rows in one
 * dimension. */
static bool put_map(const struct bench *b, const struct kind *k)
{
	uint32_t across = k->rows < 256 ? k->rows : 256;
	const uint64_t dim[] = { k->row, across, k->rows / across * SPREAD };
	const uint64_t strides[] = { k->pitch, k->pitch * across };
	const uint32_t box[] = { k->row, across, k->rows / across }, steps[] = { 1, 1, 1 };
	struct tma_map map;

	if (tma_map_encode_tiled(&map, TMA_MAP_SM_90, TMA_MAP_DATA_UINT8, 3, GLOBAL, dim, strides, box, steps,
	                         TMA_MAP_INTERLEAVE_NONE, k->swizzle, TMA_MAP_PROMOTION_NONE,
	                         TMA_MAP_FILL_ZERO, NULL))
		return false;
	memcpy(b->global + (MAP_PLACE - GLOBAL), &map, sizeof(map));
	return true;
}

static struct tma_command command_of(const struct kind *k, uint32_t i)
{
	struct place p = place_of(k, i);
	uint32_t boxes = k->rows < 256 ? 1 : k->rows / 256; /* one step of a box in dimension 2 */
	const int32_t coord[] = { 0, 0, (int32_t)(i % SPREAD * boxes) };
	struct tma_command c;

	if (!k->pitch && k->store)
		tma_cp_async_bulk_store(&c, p.global, p.shared, COPY_BYTES);
	else if (!k->pitch)
		tma_cp_async_bulk_load(&c, p.shared, p.global, COPY_BYTES, MBAR);
	else if (k->store)
		tma_cp_async_bulk_tensor_store(&c, TMA_MODE_TILE, 3, MAP_PLACE, coord, p.shared);
	else
		tma_cp_async_bulk_tensor_load(&c, TMA_MODE_TILE, 3, p.shared, MAP_PLACE, coord, MBAR, NULL);
	return c;
}

/* All commands of a batch have left the queue, and none has anything to report. */
static bool run_batch(struct bench *b, const struct tma_command *commands, uint32_t count)
{
	struct tma_record record;

	for (uint32_t i = 0; i < count; i++)
		if (tma_model_submit(b->model, 0, &commands[i]))
			return false;
	return tma_model_run(b->model) == (int)count && !tma_model_next_record(b->model, &record);
}

/* A copy that keeps the order of bytes leaves what memcpy() would, in each place. */
static bool moves(struct bench *b, const struct kind *k, const struct tma_command *commands, uint32_t count)
{
	uint8_t *smem = tma_model_smem(b->model, 0);
	bool same = true;

	for (uint32_t i = 0; i < SPREAD; i++) {
		struct place p = place_of(k, i);

		memset(k->store ? b->global + (p.global - GLOBAL) : smem + p.shared, 0, COPY_BYTES);
	}
	if (!run_batch(b, commands, count))
		return false;
	for (uint32_t i = 0; i < SPREAD; i++) {
		struct place p = place_of(k, i);

		same &= !memcmp(smem + p.shared, b->global + (p.global - GLOBAL), COPY_BYTES);
	}
	return same || k->swizzle || (k->pitch && k->pitch != k->row);
}

/* The compiler must not find out that nobody looks at the copies. */
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;

static void run_memcpy(const struct bench *b, const struct kind *k)
{
	uint8_t *smem = tma_model_smem(b->model, 0);

	for (uint32_t i = 0; i < BATCH; i++) {
		struct place p = place_of(k, i);

		if (k->store)
			copy(b->global + (p.global - GLOBAL), smem + p.shared, COPY_BYTES);
		else
			copy(smem + p.shared, b->global + (p.global - GLOBAL), COPY_BYTES);
	}
}

static struct bench_row measure_copy(struct bench *b, const struct kind *k)
{
	struct bench_row row = {
		.name = k->name, .unit = "of memcpy", .limit = k->contract, .at_least = true
	};
	struct tma_command commands[BATCH + 1];
	uint32_t count = BATCH;
	double plain = 1, model = 1;

	if (k->pitch && !put_map(b, k))
		row.failed = true;
	for (uint32_t i = 0; i < BATCH; i++)
		commands[i] = command_of(k, i);
	if (!k->store)
		tma_mbarrier_expect_tx(&commands[count++], MBAR, BATCH * COPY_BYTES);
	row.failed = row.failed || !moves(b, k, commands, count);
	for (uint32_t round = 0; round < ROUNDS && !row.failed; round++) {
		double start = bench_now(), between, end;

		run_memcpy(b, k);
		between = bench_now();
		row.failed = !run_batch(b, commands, count);
		end = bench_now();
		plain = between - start < plain ? between - start : plain;
		model = end - between < model ? end - between : model;
	}
	row.value = plain / model;
	return row;
}

static struct bench_row measure_small(struct bench *b, const char *name, bool store)
{
	struct bench_row row = { .name = name, .unit = "ns each", .limit = 150 };
	struct tma_command commands[SMALL_BATCH + 1];
	uint32_t count = SMALL_BATCH;
	double best = 1;

	for (uint32_t i = 0; i < SMALL_BATCH; i++)
		if (store)
			tma_cp_async_bulk_store(&commands[i], GLOBAL + 64 * i, SHARED + 64 * i, 64);
		else
			tma_cp_async_bulk_load(&commands[i], SHARED + 64 * i, GLOBAL + 64 * i, 64, MBAR);
	if (!store)
		tma_mbarrier_expect_tx(&commands[count++], MBAR, SMALL_BATCH * 64);
	for (uint32_t round = 0; round < SMALL_ROUNDS && !row.failed; round++) {
		double start = bench_now(), taken;

		row.failed = !run_batch(b, commands, count);
		taken = bench_now() - start;
		best = taken < best ? taken : best;
	}
	row.value = 1e9 * best / count;
	return row;
}

uint32_t bench_copies(struct bench_row *rows, uint32_t room)
{
	struct bench b = { 0 };
	uint32_t count = 0;

	if (!open_bench(&b)) {
		rows[count++] = (struct bench_row){ .name = "copies: no memory", .unit = "", .failed = true };
	} else {
		for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]) && count < room; k++)
			rows[count++] = measure_copy(&b, &kinds[k]);
		if (count < room)
			rows[count++] = measure_small(&b, "bulk load, 64 B", false);
		if (count < room)
			rows[count++] = measure_small(&b, "bulk store, 64 B", true);
	}
	close_bench(&b);
	return count;
}
