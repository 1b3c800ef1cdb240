/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views - the commands that cut a picture up with tensor copies.
 *
 * Shared memory: a barrier for each slot, then slots of 4 KiB. All views but the multicast are streams: a
 * tile or a column is loaded into a slot and stored from it, half the slots ahead of each other, by queue 0.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo.h"

/* The tensor maps, in front of the pixels. */
enum map {
	MAP_TILES,  /* outside is NaN */
	MAP_CELLS,  /* swizzled, outside is zero */
	MAP_STORED, /* the same of the picture that is put together again */
	MAP_IM2COL,
	MAP_SWIZZLE, /* one for each swizzle */
	NUM_MAPS = MAP_SWIZZLE + DEMO_SWIZZLES,
};

#define MAPS_BYTES 4096u

struct views {
	struct demo_engine *engine;
	struct demo_layout layout;
	uint64_t maps, pixels, floats; /* global addresses */
	uint64_t output;
};

/* One tile or column of a stream. */
struct job {
	struct tma_command load, store;
	uint32_t bytes;
};

static uint32_t barrier_of(uint32_t cta, uint32_t slot)
{
	return tma_shared(cta, 8 * slot);
}

static uint32_t slot_at(uint32_t cta, uint32_t slot)
{
	return tma_shared(cta, DEMO_SLOTS + slot * DEMO_SLOT_BYTES);
}

static uint64_t map_at(const struct views *v, uint32_t map)
{
	return v->maps + map * TMA_MAP_BYTES;
}

/* ---- Tensor maps ---- */

static int encode_tiled(struct tma_map *map, const struct demo_layout *l, uint64_t address, uint32_t type,
                        uint32_t columns, uint32_t swizzle, uint32_t fill, struct tma_map_error *error)
{
	const uint64_t size[] = { l->width, l->height }, stride[] = { l->pitch };
	const uint32_t box[] = { columns, DEMO_TILE }, step[] = { 1, 1 };

	return tma_map_encode_tiled(map, TMA_MAP_SM_100, type, 2, address, size, stride, box, step,
	                            TMA_MAP_INTERLEAVE_NONE, swizzle, TMA_MAP_PROMOTION_NONE, fill, error);
}

/* Pixels of four floats. The filter hangs over the edge by one tap on each side. */
static int encode_im2col(struct tma_map *map, const struct demo_layout *l, uint64_t address,
                         struct tma_map_error *error)
{
	const uint64_t size[] = { 4, l->crop_width, l->crop_height, 1 };
	const uint64_t row = 16 * (uint64_t)l->crop_width, stride[] = { 16, row, row * l->crop_height };
	const int32_t corner[] = { -(int32_t)DEMO_DILATION, -(int32_t)DEMO_DILATION };
	const uint32_t step[] = { 1, DEMO_STEP, DEMO_STEP, 1 };

	return tma_map_encode_im2col(map, TMA_MAP_SM_90, TMA_MAP_DATA_FLOAT32, 4, address, size, stride,
	                             corner, corner, 4, DEMO_COLUMN, step, TMA_MAP_INTERLEAVE_NONE,
	                             TMA_MAP_SWIZZLE_NONE, TMA_MAP_PROMOTION_NONE, TMA_MAP_FILL_NAN, error);
}

static int encode_maps(const struct views *v, struct tma_map maps[NUM_MAPS])
{
	const struct demo_layout *l = &v->layout;
	struct tma_map_error error;
	uint32_t i;
	int refused;

	refused = encode_tiled(&maps[MAP_TILES], l, v->pixels, TMA_MAP_DATA_FLOAT32, DEMO_TILE,
	                       TMA_MAP_SWIZZLE_NONE, TMA_MAP_FILL_NAN, &error);
	if (!refused)
		refused = encode_tiled(&maps[MAP_CELLS], l, v->pixels, TMA_MAP_DATA_UINT32, DEMO_TILE,
		                       TMA_MAP_SWIZZLE_128B, TMA_MAP_FILL_ZERO, &error);
	if (!refused)
		refused = encode_tiled(&maps[MAP_STORED], l, v->output + l->offset[DEMO_STORED],
		                       TMA_MAP_DATA_UINT32, DEMO_TILE, TMA_MAP_SWIZZLE_128B,
		                       TMA_MAP_FILL_ZERO, &error);
	if (!refused)
		refused = encode_im2col(&maps[MAP_IM2COL], l, v->floats, &error);
	for (i = 0; !refused && i < DEMO_SWIZZLES; i++)
		refused = encode_tiled(&maps[MAP_SWIZZLE + i], l, v->pixels, TMA_MAP_DATA_UINT32,
		                       demo_swizzles[i].pixels, demo_swizzles[i].code, TMA_MAP_FILL_ZERO,
		                       &error);
	if (refused)
		fprintf(stderr, "tma_demo: tensor map: %s %s\n", error.parameter, error.rule);
	return refused;
}

/* Maps, pixels and floats into global memory. @return a negative enum tma_error, with the reason on stderr */
static int put_input(struct views *v, const struct demo_file *file)
{
	const struct demo_layout *l = &v->layout;
	uint64_t pixels = (uint64_t)l->pitch * l->height;
	uint64_t floats = (uint64_t)l->crop_width * l->crop_height * 16;
	uint8_t *rows = demo_pixels(file, l);
	float *channels = demo_floats(file, l);
	struct tma_map maps[NUM_MAPS];
	struct tma_memory *input;
	int error = rows && channels ? 0 : TMA_ENOMEM;

	if (!error)
		error = tma_memory_alloc(v->engine->device, MAPS_BYTES + pixels + floats, &input);
	if (!error) {
		v->maps = tma_memory_address(input);
		v->pixels = v->maps + MAPS_BYTES;
		v->floats = v->pixels + pixels;
		error = encode_maps(v, maps) ? TMA_EINVAL : 0;
	}
	if (!error)
		error = tma_copy_in(input, 0, maps, sizeof(maps));
	if (!error)
		error = tma_copy_in(input, MAPS_BYTES, rows, pixels);
	if (!error)
		error = tma_copy_in(input, MAPS_BYTES + pixels, channels, floats);
	if (error)
		fprintf(stderr, "tma_demo: %s: the picture cannot be put into memory: %s\n",
		        v->engine->info.backend, tma_strerror(error));
	free(rows);
	free(channels);
	return error;
}

/* ---- Streams ---- */

static void make_im2col(const struct views *v, uint32_t index, uint32_t slot, struct job *job)
{
	uint32_t tap = index / v->layout.columns, first = index % v->layout.columns * DEMO_COLUMN;
	uint16_t offsets[] = { (uint16_t)(tap % DEMO_TAPS * DEMO_DILATION),
		               (uint16_t)(tap / DEMO_TAPS * DEMO_DILATION) };
	int32_t at[4] = { 0, 0, 0, 0 };

	/* Where the walk of the column before has ended. */
	at[1] = (int32_t)(first % v->layout.steps_x * DEMO_STEP) - (int32_t)DEMO_DILATION;
	at[2] = (int32_t)(first / v->layout.steps_x * DEMO_STEP) - (int32_t)DEMO_DILATION;
	tma_cp_async_bulk_tensor_load(&job->load, TMA_MODE_IM2COL, 4, slot_at(0, slot), map_at(v, MAP_IM2COL),
	                              at, barrier_of(0, slot), offsets);
}

static void make_job(const struct views *v, enum demo_view view, uint32_t index, uint32_t slot,
                     struct job *job)
{
	const struct demo_layout *l = &v->layout;
	uint32_t map = MAP_TILES, across = view == DEMO_TILES ? l->tiles_x : l->cells_x;
	int32_t at[2] = { (int32_t)(index % across * DEMO_TILE), (int32_t)(index / across * DEMO_TILE) };

	job->bytes = DEMO_SLOT_BYTES;
	switch (view) {
	case DEMO_TILES:
		at[0] -= (int32_t)DEMO_BORDER;
		at[1] -= (int32_t)DEMO_BORDER;
		break;
	case DEMO_SWIZZLE:
		map = MAP_SWIZZLE + index;
		job->bytes = demo_swizzles[index].pixels * 4 * DEMO_TILE;
		demo_swizzle_at(l, at);
		break;
	default:
		map = MAP_CELLS;
		break;
	}
	if (view == DEMO_IM2COL)
		make_im2col(v, index, slot, job);
	else
		tma_cp_async_bulk_tensor_load(&job->load, TMA_MODE_TILE, 2, slot_at(0, slot), map_at(v, map),
		                              at, barrier_of(0, slot), NULL);
	if (view == DEMO_STORED)
		tma_cp_async_bulk_tensor_store(&job->store, TMA_MODE_TILE, 2, map_at(v, MAP_STORED), at,
		                               slot_at(0, slot));
	else
		tma_cp_async_bulk_store(&job->store,
		                        v->output + l->offset[view] + (uint64_t)index * DEMO_SLOT_BYTES,
		                        slot_at(0, slot), job->bytes);
}

/* A barrier for each slot of a CTA, and wait until they are there. */
static int make_barriers(const struct views *v, uint32_t cta)
{
	struct tma_command c;
	uint32_t slot;

	for (slot = 0; slot < v->layout.slots; slot++) {
		tma_mbarrier_init(&c, barrier_of(cta, slot), 1);
		if (demo_put(v->engine, cta, &c))
			return -1;
	}
	return demo_put_end(v->engine, cta) || demo_wait_end(v->engine, cta) ? -1 : 0;
}

static int put_load(const struct views *v, enum demo_view view, uint32_t index)
{
	uint32_t slot = index % v->layout.slots;
	struct tma_command expect;
	struct job job;

	make_job(v, view, index, slot, &job);
	tma_mbarrier_arrive_expect_tx(&expect, barrier_of(0, slot), job.bytes);
	return demo_put(v->engine, 0, &expect) | demo_put(v->engine, 0, &job.load);
}

static int put_store(const struct views *v, enum demo_view view, uint32_t index)
{
	uint32_t slot = index % v->layout.slots;
	struct tma_command wait;
	struct job job;

	make_job(v, view, index, slot, &job);
	tma_mbarrier_try_wait_parity(&wait, barrier_of(0, slot), index / v->layout.slots % 2, TMA_NO_LIMIT);
	return demo_put(v->engine, 0, &wait) | demo_put(v->engine, 0, &job.store) |
	       demo_put_commit(v->engine, 0);
}

/* Jobs 0 to count - 1, each stored when `lag` more have been loaded. */
static int stream(const struct views *v, enum demo_view view, uint32_t count, uint64_t *cycles)
{
	uint32_t slots = v->layout.slots, lag = slots / 2, i;
	uint64_t start;

	if (make_barriers(v, 0))
		return -1;
	start = tma_cycles(v->engine->device);
	for (i = 0; i < count + lag; i++) {
		/* Of the stores, that of the job which had the slot must have read it. */
		if (i >= slots && i < count && demo_put_wait_read(v->engine, 0, slots - lag - 1))
			return -1;
		if (i < count && put_load(v, view, i))
			return -1;
		if (i >= lag && put_store(v, view, i - lag))
			return -1;
	}
	if (demo_put_wait_written(v->engine, 0) || demo_wait_end(v->engine, 0))
		return -1;
	*cycles = tma_cycles(v->engine->device) - start;
	return 0;
}

/* ---- Multicast ---- */

/* Every CTA expects the tiles whose masks name it, on its first barrier. */
static int put_expect(const struct views *v, uint32_t cta, uint32_t tiles)
{
	struct tma_command c;
	uint32_t i, bytes = 0;

	for (i = 0; i < tiles; i++)
		if (demo_multicast_mask(&v->engine->info, i) >> cta & 1)
			bytes += DEMO_SLOT_BYTES;
	tma_mbarrier_arrive_expect_tx(&c, barrier_of(cta, 0), bytes);
	return demo_put(v->engine, cta, &c);
}

static int put_multicast(const struct views *v, uint32_t index)
{
	struct tma_command c;
	int32_t at[2];

	demo_multicast_at(&v->layout, index, at);
	tma_cp_async_bulk_tensor_load(&c, TMA_MODE_TILE, 2, slot_at(0, index), map_at(v, MAP_TILES), at,
	                              barrier_of(0, 0), NULL);
	tma_set_multicast(&c, demo_multicast_mask(&v->engine->info, index));
	return demo_put(v->engine, 0, &c);
}

/* What CTA r has in its slots goes to global memory. */
static int put_dump(const struct views *v, uint32_t cta, uint32_t tiles)
{
	uint32_t bytes = tiles * DEMO_SLOT_BYTES;
	struct tma_command c;

	tma_cp_async_bulk_store(&c, v->output + v->layout.offset[DEMO_MULTICAST] + (uint64_t)cta * bytes,
	                        slot_at(cta, 0), bytes);
	return demo_put(v->engine, cta, &c) | demo_put_commit(v->engine, cta) |
	       demo_put_wait_written(v->engine, cta);
}

static int multicast(const struct views *v, uint64_t *cycles)
{
	uint32_t ctas = v->engine->info.ctas, tiles = v->layout.shots_x * v->layout.shots_y, i;
	struct tma_command wait;
	uint64_t start;

	for (i = 0; i < ctas; i++)
		if (make_barriers(v, i))
			return -1;
	start = tma_cycles(v->engine->device);
	for (i = 0; i < ctas; i++)
		if (put_expect(v, i, tiles))
			return -1;
	for (i = 0; i < tiles; i++)
		if (put_multicast(v, i))
			return -1;
	for (i = 0; i < ctas; i++) {
		tma_mbarrier_try_wait_parity(&wait, barrier_of(i, 0), 0, TMA_NO_LIMIT);
		if (demo_put(v->engine, i, &wait) || demo_put_end(v->engine, i))
			return -1;
	}
	for (i = 0; i < ctas; i++)
		if (demo_wait_end(v->engine, i))
			return -1;
	*cycles = tma_cycles(v->engine->device) - start;

	for (i = 0; i < ctas; i++)
		if (put_dump(v, i, tiles))
			return -1;
	for (i = 0; i < ctas; i++)
		if (demo_wait_end(v->engine, i))
			return -1;
	return 0;
}

int demo_views(struct demo_engine *engine, const struct demo_file *file, struct tma_memory *output,
               uint64_t cycles[DEMO_VIEWS])
{
	struct views v = { .engine = engine, .output = tma_memory_address(output) };
	const struct demo_layout *l = &v.layout;

	demo_lay_out(&v.layout, file, &engine->info);
	if (put_input(&v, file))
		return -1;
	/* First, while the slots that get nothing are still zero. */
	if (multicast(&v, &cycles[DEMO_MULTICAST]))
		return -1;
	if (stream(&v, DEMO_TILES, l->tiles_x * l->tiles_y, &cycles[DEMO_TILES]) ||
	    stream(&v, DEMO_SWIZZLE, DEMO_SWIZZLES, &cycles[DEMO_SWIZZLE]) ||
	    stream(&v, DEMO_IM2COL, DEMO_TAPS * DEMO_TAPS * l->columns, &cycles[DEMO_IM2COL]) ||
	    stream(&v, DEMO_STORED, l->cells_x * l->cells_y, &cycles[DEMO_STORED]))
		return -1;
	return 0;
}
