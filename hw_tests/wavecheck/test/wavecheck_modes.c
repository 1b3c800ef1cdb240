/* SPDX-License-Identifier: Apache-2.0 */
/* A copy of every mode for the tests of wavecheck, see wavecheck_run.h. */
#include <stdlib.h>
#include <string.h>

#include "lib/rig.h"
#include "wavecheck_run.h"

#define BASE    RUN_BASE
#define SIZE    RUN_SIZE
#define TENSOR  (BASE + 0x1000)
#define MAP     (BASE + 0xf000)
#define LIMIT   20000u
#define BOX     0x800u /* in shared memory; the barrier is at 0 */
#define BOX_END 0x2a00u

#define LOAD_OF(mode_)     .opcode = TMA_TENSOR_LOAD, .mode = TMA_MODE_##mode_
#define STORE_OF(mode_)    .opcode = TMA_TENSOR_STORE, .mode = TMA_MODE_##mode_
#define PREFETCH_OF(mode_) .opcode = TMA_TENSOR_PREFETCH, .mode = TMA_MODE_##mode_

/* Boxes that the tensor ends in, where the mode has such. */
#define ROWS_2D \
	.type = TMA_MAP_DATA_UINT8, .rank = 2, .dim = { 200, 20 }, .strides = { 256 }, .box = { 64, 6 }
#define LIST_2D \
	.type = TMA_MAP_DATA_UINT8, .rank = 2, .dim = { 200, 20 }, .strides = { 256 }, .box = { 64, 1 }
#define IMAGES                                                                               \
	.im2col_map = true, .type = TMA_MAP_DATA_FLOAT16, .rank = 4, .dim = { 16, 6, 5, 2 }, \
	.strides = { 32, 192, 960 }, .lower = { -1, -1 }, .upper = { -1, -1 }, .channels = 16, .pixels = 24
#define WIDE(mode_)                                                                                    \
	.im2col_map = true, .wide = TMA_RAW_WIDE_##mode_, .target = TMA_MAP_SM_100,                    \
	.type = TMA_MAP_DATA_FLOAT16, .rank = 4, .dim = { 16, 9, 4, 5 }, .strides = { 32, 288, 1152 }, \
	.lower = { -1 }, .upper = { -1 }, .channels = 16, .pixels = 20, .swizzle = TMA_MAP_SWIZZLE_64B

const struct wave_mode wave_modes[] = {
	{ "tile 1D", LOAD_OF(TILE), .type = TMA_MAP_DATA_UINT32, .rank = 1, .dim = { 100 }, .box = { 64 },
	  .coord = { 60 } },
	{ "tile 2D, as one", LOAD_OF(TILE), .type = TMA_MAP_DATA_UINT8, .rank = 2, .dim = { 64, 20 },
	  .strides = { 64 }, .box = { 64, 8 }, .coord = { 0, 4 } },
	{ "tile 3D, swizzle 128B", LOAD_OF(TILE), .type = TMA_MAP_DATA_FLOAT16, .rank = 3,
	  .dim = { 64, 6, 4 }, .strides = { 128, 768 }, .box = { 64, 3, 2 }, .coord = { 0, 4, 1 },
	  .swizzle = TMA_MAP_SWIZZLE_128B },
	{ "tile 4D, element strides, NaN", LOAD_OF(TILE), .type = TMA_MAP_DATA_FLOAT32, .rank = 4,
	  .dim = { 16, 8, 3, 3 }, .strides = { 64, 512, 1536 }, .box = { 16, 4, 2, 2 },
	  .element_strides = { 1, 2, 1, 1 }, .coord = { 0, 1, 1, -1 }, .fill = TMA_MAP_FILL_NAN },
	{ "tile 5D, swizzle 32B", LOAD_OF(TILE), .type = TMA_MAP_DATA_UINT16, .rank = 5,
	  .dim = { 16, 4, 3, 3, 2 }, .strides = { 48, 192, 640, 2048 }, .box = { 16, 2, 2, 2, 2 },
	  .coord = { 0, 1, 1, 1, 0 }, .swizzle = TMA_MAP_SWIZZLE_32B },
	{ "tile, atoms of 64B", LOAD_OF(TILE), ROWS_2D, .coord = { 0, 3 }, .target = TMA_MAP_SM_100,
	  .swizzle = TMA_MAP_SWIZZLE_128B_ATOM_64B },
	{ "tile, rounded to tf32", LOAD_OF(TILE), .type = TMA_MAP_DATA_TFLOAT32, .rank = 2, .dim = { 40, 9 },
	  .strides = { 160 }, .box = { 16, 4 }, .coord = { 8, 2 } },
	{ "tile, 4 bits padded", LOAD_OF(TILE), .packed = true, .type = TMA_MAP_DATA_16U4_ALIGN16B,
	  .target = TMA_MAP_SM_100, .rank = 2, .dim = { 256, 8 }, .strides = { 128 }, .box = { 128, 4 },
	  .coord = { 128, 2 } },
	{ "tile, 6 bits padded", LOAD_OF(TILE), .packed = true, .type = TMA_MAP_DATA_16U6_ALIGN16B,
	  .target = TMA_MAP_SM_100, .rank = 2, .dim = { 256, 8 }, .strides = { 192 }, .box = { 128, 4 },
	  .coord = { 0, 2 } },
	{ "tile, interleaved 16B", LOAD_OF(TILE), .type = TMA_MAP_DATA_UINT16, .rank = 4,
	  .dim = { 16, 6, 3, 2 }, .strides = { 128, 1024, 4096 }, .box = { 8, 3, 1, 2 },
	  .coord = { 2, 1, 1, 0 }, .interleave = TMA_MAP_INTERLEAVE_16B },
	{ "tile, interleaved 32B", LOAD_OF(TILE), .type = TMA_MAP_DATA_UINT16, .rank = 4,
	  .dim = { 16, 6, 3, 2 }, .strides = { 256, 2048, 8192 }, .box = { 8, 3, 1, 2 },
	  .coord = { 6, 1, 1, 0 }, .interleave = TMA_MAP_INTERLEAVE_32B, .swizzle = TMA_MAP_SWIZZLE_32B },
	{ "gather4", LOAD_OF(GATHER4), LIST_2D, .coord = { 16, 3, 17, 30, 5 } },
	{ "im2col 3D", LOAD_OF(IM2COL), .im2col_map = true, .type = TMA_MAP_DATA_FLOAT32, .rank = 3,
	  .dim = { 8, 9, 3 }, .strides = { 32, 288 }, .lower = { -1 }, .upper = { -1 }, .channels = 8,
	  .pixels = 12, .coord = { 0, 2, 0 }, .im2col = { 1 } },
	{ "im2col 4D, swizzle 32B", LOAD_OF(IM2COL), IMAGES, .coord = { 0, -1, -1, 0 }, .im2col = { 1, 2 },
	  .swizzle = TMA_MAP_SWIZZLE_32B },
	{ "im2col 5D", LOAD_OF(IM2COL), .im2col_map = true, .type = TMA_MAP_DATA_UINT8, .rank = 5,
	  .dim = { 16, 4, 4, 3, 2 }, .strides = { 16, 64, 256, 768 }, .lower = { -1, 0, -1 },
	  .upper = { -1, 0, -1 }, .channels = 16, .pixels = 40, .coord = { 0, -1, 0, -1, 0 },
	  .im2col = { 2, 0, 1 } },
	{ "im2col::w", LOAD_OF(IM2COL_W), WIDE(W), .coord = { 0, 2, 1, 0 }, .im2col = { 2, 1 } },
	{ "im2col::w::128", LOAD_OF(IM2COL_W_128), WIDE(W_128), .coord = { 0, 2, 1, 0 }, .im2col = { 1, 1 } },
	{ "store, tile 2D, as one", STORE_OF(TILE), .type = TMA_MAP_DATA_UINT8, .rank = 2, .dim = { 64, 20 },
	  .strides = { 64 }, .box = { 64, 8 }, .coord = { 0, 4 } },
	{ "store, tile 3D, swizzle 64B", STORE_OF(TILE), .type = TMA_MAP_DATA_FLOAT16, .rank = 3,
	  .dim = { 32, 6, 4 }, .strides = { 64, 512 }, .box = { 32, 3, 2 }, .coord = { 0, 4, 1 },
	  .swizzle = TMA_MAP_SWIZZLE_64B },
	{ "store, interleaved 16B", STORE_OF(TILE), .type = TMA_MAP_DATA_UINT16, .rank = 4,
	  .dim = { 16, 6, 3, 2 }, .strides = { 128, 1024, 4096 }, .box = { 8, 3, 1, 2 },
	  .coord = { 6, 1, 1, 0 }, .interleave = TMA_MAP_INTERLEAVE_16B },
	{ "store, 6 bits", STORE_OF(TILE), .packed = true, .type = TMA_MAP_DATA_16U6_ALIGN16B,
	  .target = TMA_MAP_SM_100, .rank = 2, .dim = { 256, 8 }, .strides = { 192 }, .box = { 128, 4 },
	  .coord = { 128, 2 } },
	{ "store, 6 bits, atoms of 32B", STORE_OF(TILE), .packed = true, .type = TMA_MAP_DATA_16U6_ALIGN16B,
	  .target = TMA_MAP_SM_100, .rank = 2, .dim = { 256, 8 }, .strides = { 192 }, .box = { 128, 4 },
	  .coord = { 0, 5 }, .swizzle = TMA_MAP_SWIZZLE_128B_ATOM_32B },
	{ "scatter4", STORE_OF(SCATTER4), LIST_2D, .coord = { 16, 3, 17, 30, 5 } },
	{ "im2col_no_offs", STORE_OF(IM2COL_NO_OFFS), .im2col_map = true, .type = TMA_MAP_DATA_FLOAT16,
	  .rank = 4, .dim = { 16, 6, 5, 2 }, .strides = { 32, 192, 960 }, .channels = 16, .pixels = 24,
	  .coord = { 0, 1, 3, 0 } },
	{ "prefetch, tile 2D", PREFETCH_OF(TILE), ROWS_2D, .coord = { 16, 3 } },
	{ "prefetch, gather4", PREFETCH_OF(GATHER4), LIST_2D, .coord = { 16, 3, 17, 30, 5 } },
	{ "prefetch, im2col", PREFETCH_OF(IM2COL), IMAGES, .coord = { 0, -1, -1, 0 }, .im2col = { 1, 2 } },
	{ "prefetch, im2col::w", PREFETCH_OF(IM2COL_W), WIDE(W), .coord = { 0, 2, 1, 0 },
	  .im2col = { 2, 1 } },
	{ "prefetch, im2col::w::128", PREFETCH_OF(IM2COL_W_128), WIDE(W_128), .coord = { 0, 2, 1, 0 },
	  .im2col = { 1, 1 } },
};
const unsigned num_wave_modes = sizeof(wave_modes) / sizeof(wave_modes[0]);

static int encode(const struct wave_mode *t, struct tma_map *map)
{
	uint32_t steps[5];

	for (uint32_t i = 0; i < t->rank; i++)
		steps[i] = t->element_strides[i] ? t->element_strides[i] : 1;
	if (!t->im2col_map)
		return tma_map_encode_tiled(map, t->target, t->type, t->rank, TENSOR, t->dim, t->strides,
		                            t->box, steps, t->interleave, t->swizzle, 0, t->fill, NULL);
	if (t->wide != TMA_RAW_WIDE_NONE)
		return tma_map_encode_im2col_wide(
			map, t->target, t->type, t->rank, TENSOR, t->dim, t->strides, t->lower[0],
			t->upper[0], t->channels, t->pixels, steps, t->interleave,
			t->wide == TMA_RAW_WIDE_W ? TMA_MAP_WIDE_MODE_W : TMA_MAP_WIDE_MODE_W128, t->swizzle,
			0, t->fill, NULL);
	return tma_map_encode_im2col(map, t->target, t->type, t->rank, TENSOR, t->dim, t->strides, t->lower,
	                             t->upper, t->channels, t->pixels, steps, t->interleave, t->swizzle, 0,
	                             t->fill, NULL);
}

static void run(struct rig *rig, const struct wave_mode *t, struct run_marks *m)
{
	struct rig_window window = { BASE, BASE + SIZE - 1, RIG_BOTH };
	struct rig_queue setup = { .windows = &window, .num_windows = 1, .stream = 0x11 };
	struct tma_command copy = { .opcode = t->opcode,
		                    .mode = t->mode,
		                    .dim = (uint8_t)t->rank,
		                    .global_address = MAP,
		                    .shared_dst = t->opcode == TMA_TENSOR_PREFETCH ? 0 : BOX };
	uint8_t bytes[BOX_END - BOX];

	memcpy(copy.coord, t->coord, sizeof(copy.coord));
	memcpy(copy.im2col, t->im2col, sizeof(copy.im2col));
	rig_queue_setup(rig, 0, &setup);
	run_init(rig, 0, 0, 1);
	rig_wait_idle(rig, LIMIT);
	for (uint32_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 7 + i / 64);
	/* A load leaves its padding as it is. */
	rig_smem_write(rig, 0, BOX, bytes, sizeof(bytes));
	run_submit(rig, 0, copy);
	rig_wait_idle(rig, LIMIT);
	if (t->opcode != TMA_TENSOR_LOAD)
		return;
	/* So that the dump shows it idle before it is asked. */
	rig_run(rig, 4);
	/* The load's bytes have been counted, and none was expected. */
	m->barrier_read = m->count[MARK_EXT_DATA];
	rig_smem_read(rig, 0, 0, bytes, 16);
	m->box_seen = m->count[MARK_EXT_DATA];
	rig_smem_read(rig, 0, BOX, bytes, sizeof(bytes));
}

bool wavecheck_mode_run(const char *fst, const char *config, const struct wave_mode *t, struct run_marks *m)
{
	struct rig_opts opts = {
		.size = sizeof(opts), .seed = 7, .latency = 20, .stall_percent = 10, .fst = fst
	};
	struct run_scene s;
	struct tma_map map;
	bool good = run_open(&s, config, &opts, 13, 7, m) && !encode(t, &map);

	if (good) {
		memcpy(s.memory[0] + (MAP - BASE), &map, sizeof(map));
		run(s.rig, t, m);
	}
	return run_close(&s) && good;
}

/* Waits on groups of loads, and prefetches that leave the windows in their middle and begin outside. */
static void hints(struct rig *rig)
{
	struct rig_window windows[] = { { BASE, BASE + 0x2fff, RIG_BOTH },
		                        { BASE + 0x5000, BASE + SIZE - 1, RIG_BOTH } };
	struct rig_queue setup = { .windows = windows, .num_windows = 2, .stream = 0x11 };
	struct tma_command load = {
		.opcode = TMA_BULK_LOAD, .size = 0x800, .global_address = BASE + 0x6000, .shared_dst = BOX
	};
	struct tma_command commit = { .opcode = TMA_BULK_COMMIT_GROUP };
	struct tma_command wait = { .opcode = TMA_BULK_WAIT_GROUP, .flags = TMA_FLAG_READ | TMA_FLAG_RECORD };
	struct tma_command prefetch = { .opcode = TMA_BULK_PREFETCH,
		                        .size = 0x6000,
		                        .global_address = BASE + 0x1000 };

	rig_queue_setup(rig, 0, &setup);
	run_init(rig, 0, 0, 1);
	run_submit(rig, 0, load);
	run_submit(rig, 0, commit);
	wait.count = 1;
	run_submit(rig, 0, wait);
	run_submit(rig, 0, prefetch);
	load.shared_dst += load.size;
	run_submit(rig, 0, load);
	prefetch.global_address = BASE - 0x1000;
	prefetch.size = 0x1040;
	run_submit(rig, 0, prefetch);
	run_submit(rig, 0, commit);
	wait.count = 0;
	run_submit(rig, 0, wait);
	rig_wait_idle(rig, LIMIT);
}

bool wavecheck_hint_run(const char *fst, const char *config, struct run_marks *m)
{
	struct rig_opts opts = { .size = sizeof(opts), .seed = 9, .latency = 100, .fst = fst };
	struct run_scene s;

	if (run_open(&s, config, &opts, 0, 31, m))
		hints(s.rig);
	return run_close(&s);
}
