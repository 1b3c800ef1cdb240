/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor copies for the tests of wavecheck, see wavecheck_run.h. */
#include <stdlib.h>
#include <string.h>

#include "lib/rig.h"
#include "tma_map.h"
#include "wavecheck_run.h"

#define BASE    RUN_BASE
#define SIZE    RUN_SIZE
#define LIMIT   20000u
#define CTA1    (1u << 24)
#define LOADS   0x8000u /* maps, from BASE on */
#define STORES  0x8080u
#define COLUMNS 0x8fc0u /* across the end of a page */

/* The box of a load at (24, 2): of each row the second half, of the rows the last four out of bounds. */
#define BOX_BYTES 512u

static void encode_tile(uint8_t *memory, uint32_t at, uint64_t address)
{
	static const uint64_t dim[] = { 40, 6 }, stride[] = { 96 };
	static const uint32_t box[] = { 32, 8 }, step[] = { 1, 1 };
	struct tma_map map;

	if (tma_map_encode_tiled(&map, TMA_MAP_SM_90, TMA_MAP_DATA_FLOAT16, 2, address, dim, stride, box,
	                         step, 0, TMA_MAP_SWIZZLE_64B, TMA_MAP_PROMOTION_128B, TMA_MAP_FILL_NAN,
	                         NULL))
		abort();
	memcpy(memory + at, &map, sizeof(map));
}

static void encode_bytes(uint8_t *memory)
{
	static const uint64_t dim[] = { 100, 5 }, stride[] = { 112 };
	static const uint32_t box[] = { 48, 3 }, step[] = { 1, 1 };
	struct tma_map map;

	if (tma_map_encode_tiled(&map, TMA_MAP_SM_90, TMA_MAP_DATA_UINT8, 2, BASE + 0x3000, dim, stride, box,
	                         step, 0, 0, 0, 0, NULL))
		abort();
	memcpy(memory + STORES, &map, sizeof(map));
}

static void encode_columns(uint8_t *memory)
{
	static const uint64_t dim[] = { 16, 5, 4, 2 }, stride[] = { 32, 160, 640 };
	static const int32_t lower[] = { -1, -1 }, upper[] = { -1, -1 };
	static const uint32_t step[] = { 1, 1, 1, 1 };
	struct tma_map map;

	if (tma_map_encode_im2col(&map, TMA_MAP_SM_90, TMA_MAP_DATA_FLOAT16, 4, BASE + 0x5000, dim, stride,
	                          lower, upper, 16, 24, step, 0, TMA_MAP_SWIZZLE_32B, 0, 0, NULL))
		abort();
	memcpy(memory + COLUMNS, &map, sizeof(map));
}

static void expect(struct rig *rig, uint32_t queue, uint32_t barrier, uint32_t bytes)
{
	run_do(rig, queue, TMA_MBARRIER_ARRIVE, .flags = TMA_FLAG_EXPECT_TX, .barrier = barrier, .count = 1,
	       .tx = bytes);
}

static void wait_phase(struct rig *rig, uint32_t queue, uint32_t barrier, uint32_t parity)
{
	run_do(rig, queue, TMA_MBARRIER_TRY_WAIT, .flags = TMA_FLAG_PARITY | TMA_FLAG_RECORD,
	       .barrier = barrier, .count = parity, .tx = 0xffffffff);
}

static struct tma_command tile(uint8_t opcode, uint32_t map, uint32_t shared, int32_t column, int32_t row)
{
	return (struct tma_command){ .opcode = opcode,
		                     .mode = TMA_MODE_TILE,
		                     .dim = 2,
		                     .global_address = BASE + map,
		                     .coord = { column, row },
		                     .shared_dst = shared };
}

/* A load that is waited for, and a store of other bytes. */
static void copies(struct rig *rig)
{
	expect(rig, 0, 0, BOX_BYTES);
	run_submit(rig, 0, tile(TMA_TENSOR_LOAD, LOADS, 0x400, 24, 2));
	wait_phase(rig, 0, 0, 0);
	run_submit(rig, 0, tile(TMA_TENSOR_STORE, STORES, 0x2000, 64, 1));
	run_wait_stores(rig, 0);
	rig_wait_idle(rig, LIMIT);
}

/* To both CTAs, one barrier for the two. */
static void pair(struct rig *rig)
{
	struct tma_command command = { .opcode = TMA_TENSOR_LOAD,
		                       .mode = TMA_MODE_IM2COL,
		                       .dim = 4,
		                       .flags = TMA_FLAG_MULTICAST | TMA_FLAG_CTA_GROUP_2,
		                       .cta_mask = 3,
		                       .global_address = BASE + COLUMNS,
		                       .coord = { 0, -1, -1, 0 },
		                       .im2col = { 1, 1 },
		                       .shared_dst = 0x800,
		                       .barrier = 8 };

	expect(rig, 0, 8, 2 * 24 * 32);
	run_submit(rig, 0, command);
	wait_phase(rig, 0, 8, 0);
	rig_wait_idle(rig, LIMIT);
}

/* A map that is there is asked for again; then it changes, and a fence says so. */
static void maps(struct rig *rig, uint8_t *memory, struct run_marks *m)
{
	struct tma_command map = { .opcode = TMA_PREFETCH_TENSORMAP, .global_address = BASE + LOADS };

	run_submit(rig, 0, map);
	m->map_asked = m->count[MARK_COMMAND];
	expect(rig, 0, 0, BOX_BYTES);
	run_submit(rig, 0, tile(TMA_TENSOR_LOAD, LOADS, 0x600, 0, 0));
	wait_phase(rig, 0, 0, 1);
	rig_wait_idle(rig, LIMIT);
	encode_tile(memory, LOADS, BASE + 0x1800);
	map.opcode = TMA_MAP_FENCE;
	run_submit(rig, 0, map);
	expect(rig, 0, 0, BOX_BYTES);
	run_submit(rig, 0, tile(TMA_TENSOR_LOAD, LOADS, 0x600, 0, 1));
	wait_phase(rig, 0, 0, 0);
	rig_wait_idle(rig, LIMIT);
}

/* The map has another rank. */
static void fault(struct rig *rig)
{
	struct tma_command command = tile(TMA_TENSOR_PREFETCH, LOADS, 0, 0, 0);

	command.dim = 3;
	run_submit(rig, 1, command);
	rig_run(rig, 500);
	rig_queue_disable(rig, 1);
	rig_wait_idle(rig, LIMIT);
}

static void run(struct rig *rig, uint8_t *memory, struct run_marks *m)
{
	struct rig_window window = { BASE, BASE + SIZE - 1, RIG_BOTH };
	uint8_t bytes[0x600];

	for (uint32_t q = 0; q < 2; q++) {
		struct rig_queue setup = {
			.cta = (uint8_t)q, .stream = (uint8_t)(0x11 + q), .windows = &window, .num_windows = 1
		};

		rig_queue_setup(rig, q, &setup);
	}
	for (uint32_t barrier = 0; barrier < 16; barrier += 8)
		run_init(rig, 0, barrier, 1);
	rig_wait_idle(rig, LIMIT);
	for (uint32_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 5 + 1);
	rig_smem_write(rig, 0, 0x2000, bytes, 0x100);
	copies(rig);
	m->box_seen = m->count[MARK_EXT_DATA];
	rig_smem_read(rig, 0, 0x400, bytes, BOX_BYTES);
	maps(rig, memory, m);
	rig_smem_read(rig, 0, 0x600, bytes, BOX_BYTES);
	pair(rig);
	m->barrier_read = m->count[MARK_EXT_DATA];
	rig_smem_read(rig, 0, 0, bytes, 16);
	m->columns_seen = m->count[MARK_EXT_DATA];
	rig_smem_read(rig, 0, 0x800, bytes, 24 * 32);
	rig_smem_read(rig, 1, 0x800, bytes, 24 * 32);
	fault(rig);
}

bool wavecheck_tensor_run(const char *fst, const char *config, struct run_marks *m)
{
	struct rig_opts opts = {
		.size = sizeof(opts), .seed = 3, .latency = 30, .stall_percent = 10, .fst = fst
	};
	struct run_scene s;

	if (run_open(&s, config, &opts, 11, 8, m)) {
		encode_tile(s.memory[0], LOADS, BASE + 0x1000);
		encode_bytes(s.memory[0]);
		encode_columns(s.memory[0]);
		run(s.rig, s.memory[0], m);
	}
	return run_close(&s);
}
