/* SPDX-License-Identifier: Apache-2.0 */
/* The run of wavecheck_run.h with reductions. Nothing else writes global memory in it. */
#include <string.h>

#include "lib/rig.h"
#include "tma_regs.h"
#include "wavecheck_run.h"

#define BASE     RUN_BASE
#define SIZE     RUN_SIZE
#define LIMIT    40000u
#define MULTIMEM UINT64_C(0x7000000000)
#define MAP      (BASE + 0xf000)
#define CTA1     (1u << 24)

static void reduce(struct rig *rig, uint32_t queue, uint32_t op, uint32_t type, uint64_t to, uint32_t size)
{
	run_do(rig, queue, TMA_BULK_REDUCE, .op = (uint8_t)op, .type = (uint8_t)type, .global_address = to,
	       .size = size, .shared_src = queue << 24 | 0x400);
}

/* Of both queues at the same time: bursts and a rest, and many to one line. */
static void sums(struct rig *rig)
{
	reduce(rig, 0, TMA_REDUCE_ADD, TMA_TYPE_U32, BASE + 0x1f0, 0x310);
	reduce(rig, 1, TMA_REDUCE_ADD, TMA_TYPE_F32, BASE + 0x3000, 0x200);
	reduce(rig, 0, TMA_REDUCE_MIN, TMA_TYPE_S64, BASE + 0xff0, 0x420);
	reduce(rig, 1, TMA_REDUCE_ADD, TMA_TYPE_BF16, BASE + 0x3310, 0x40);
	rig_wait_idle(rig, LIMIT);
	for (uint32_t i = 0; i < 5; i++)
		for (uint32_t q = 0; q < 2; q++)
			reduce(rig, q, TMA_REDUCE_ADD, TMA_TYPE_U32, BASE + 0x4000 + 16 * (i % 2),
			       16 + 16 * (i == 3));
	for (uint32_t q = 0; q < 2; q++)
		run_wait_stores(rig, q);
	rig_wait_idle(rig, LIMIT);
}

/* Two that do not meet, but would if a bit of an address were another one. */
static void strangers(struct rig *rig, uint64_t to, uint32_t size)
{
	reduce(rig, 0, TMA_REDUCE_ADD, TMA_TYPE_U64, to, size);
	reduce(rig, 1, TMA_REDUCE_ADD, TMA_TYPE_U64, to + 0x100, size);
	rig_wait_idle(rig, LIMIT);
}

/* A wait that lets one group stand; once more what was there. */
static void groups(struct rig *rig, struct run_marks *m)
{
	reduce(rig, 0, TMA_REDUCE_XOR, TMA_TYPE_B32, BASE + 0x6000, 0x100);
	run_do(rig, 0, TMA_BULK_COMMIT_GROUP);
	m->wait = m->count[MARK_COMMAND] + 2;
	run_do(rig, 0, TMA_BULK_WAIT_GROUP, .flags = TMA_FLAG_RECORD, .count = 1);
	rig_wait_idle(rig, LIMIT);
	m->again.old = m->count[MARK_OLD_R];
	m->again.sum = m->count[MARK_W];
	reduce(rig, 0, TMA_REDUCE_XOR, TMA_TYPE_B32, BASE + 0x6000, 0x40);
	rig_wait_idle(rig, LIMIT);
}

/* Into the memory of CTA 0, from both; its sums are read. */
static void shared(struct rig *rig, struct run_marks *m)
{
	uint8_t bytes[0x100];

	run_init(rig, 0, 0, 1);
	run_expect(rig, 0, 0, 4 * 0x80 + 0x40);
	rig_wait_idle(rig, LIMIT);
	for (uint32_t i = 0; i < 4; i++)
		run_do(rig, i % 2, TMA_BULK_REDUCE_SHARED, .op = TMA_REDUCE_ADD, .type = TMA_TYPE_U32,
		       .size = 0x80, .shared_src = (i % 2) << 24 | 0x420, .shared_dst = 0x900, .barrier = 0);
	run_do(rig, 1, TMA_BULK_REDUCE_SHARED, .op = TMA_REDUCE_MAX, .type = TMA_TYPE_S32, .size = 0x40,
	       .shared_src = CTA1 | 0x480, .shared_dst = 0x980, .barrier = 0);
	run_wait(rig, 0, 0, 0);
	reduce(rig, 0, TMA_REDUCE_AND, TMA_TYPE_B64, BASE + 0x6400, 0x80);
	rig_wait_idle(rig, LIMIT);
	m->sum_seen = m->count[MARK_EXT_DATA];
	rig_smem_read(rig, 0, 0x900, bytes, sizeof(bytes));
}

static void tensor(struct rig *rig, uint8_t *memory)
{
	const uint64_t dim[] = { 20, 12 }, strides[] = { 96 };
	const uint32_t box[] = { 8, 4 }, steps[] = { 1, 1 };
	struct tma_map map;

	if (tma_map_encode_tiled(&map, TMA_MAP_SM_90, TMA_MAP_DATA_INT32, 2, BASE + 0x8000, dim, strides, box,
	                         steps, TMA_MAP_INTERLEAVE_NONE, TMA_MAP_SWIZZLE_NONE, 0, 0, NULL))
		rig_error(rig, "no map");
	memcpy(memory + (MAP - BASE), &map, sizeof(map));
	run_do(rig, 0, TMA_TENSOR_REDUCE, .mode = TMA_MODE_TILE, .dim = 2, .op = TMA_REDUCE_ADD,
	       .global_address = MAP, .shared_dst = 0x400, .coord = { 16, 10 });
	rig_wait_idle(rig, LIMIT);
}

static void multimem(struct rig *rig)
{
	for (uint32_t i = 0; i < 3; i++)
		run_do(rig, 0, TMA_MULTIMEM_BULK_REDUCE, .op = TMA_REDUCE_ADD, .type = TMA_TYPE_S32,
		       .global_address = MULTIMEM + 0xf80 + 0x40 * i, .size = 0x210, .shared_src = 0x400);
	run_wait_stores(rig, 0);
	rig_wait_idle(rig, LIMIT);
}

/* Old data that is an error, and a page that no window allows. */
static void faults(struct rig *rig)
{
	rig_map_error(rig, 0, RIG_READ, BASE + 0xa340, 16, RIG_SLVERR);
	reduce(rig, 0, TMA_REDUCE_ADD, TMA_TYPE_U32, BASE + 0xa010, 0x500);
	reduce(rig, 1, TMA_REDUCE_ADD, TMA_TYPE_U32, BASE + SIZE - 0x40, 0x80);
	rig_wait_idle(rig, LIMIT);
	rig_fault(rig, 0);
	rig_fault(rig, 1);
}

static void set_up(struct rig *rig)
{
	const struct rig_window windows[] = { { BASE, BASE + SIZE - 1, RIG_BOTH },
		                              { MULTIMEM, MULTIMEM + 0x3fff, RIG_MULTIMEM } };

	for (uint32_t q = 0; q < 2; q++) {
		struct rig_queue setup = {
			.cta = (uint8_t)q, .stream = (uint8_t)(0x11 + q), .windows = windows, .num_windows = 2
		};

		rig_queue_setup(rig, q, &setup);
	}
}

/* Both fail, of which only the first one has read. */
static void follower(struct rig *rig)
{
	set_up(rig);
	for (uint32_t q = 0; q < 2; q++)
		reduce(rig, q, TMA_REDUCE_ADD, TMA_TYPE_U32, BASE + 0xa340, 16);
	rig_wait_idle(rig, LIMIT);
	rig_fault(rig, 0);
	rig_fault(rig, 1);
}

static void sources(struct rig *rig)
{
	uint8_t bytes[0x800];

	for (uint32_t cta = 0; cta < 2; cta++) {
		for (uint32_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = (uint8_t)(i * (5 + 2 * cta) + i / 64);
		rig_smem_write(rig, cta, 0x400, bytes, sizeof(bytes));
	}
}

/* Subnormal numbers, which are kept, and then are zeros: BEHAVIOUR.f32_ftz. */
static void subnormal(struct rig *rig, uint8_t *memory)
{
	static const uint32_t old[4] = { 0x80000003, 0x80000003, 1, 2 }, source[4] = { 1, 1, 1, 1 };

	memcpy(memory + 0x5600, old, sizeof(old));
	rig_smem_write(rig, 0, 0xc00, source, sizeof(source));
	for (uint32_t flush = 0; flush < 2; flush++) {
		rig_csr_write(rig, TMA_REG_BEHAVIOUR, flush ? TMA_REG_BEHAVIOUR_F32_FTZ_MASK : 0);
		run_do(rig, 0, TMA_BULK_REDUCE, .op = TMA_REDUCE_ADD, .type = TMA_TYPE_F32,
		       .global_address = BASE + 0x5600, .size = sizeof(source), .shared_src = 0xc00);
		rig_wait_idle(rig, LIMIT);
	}
	rig_csr_write(rig, TMA_REG_BEHAVIOUR, 0);
}

bool wavecheck_reduce_run(const char *fst, const char *config, struct run_marks *m)
{
	struct rig_opts opts = { .size = sizeof(opts), .seed = 5, .latency = 60, .fst = fst };
	struct rig_multimem place = { MULTIMEM, MULTIMEM + 0x3fff, 3, { BASE + 0xb000, BASE + 0x5000 } };
	struct run_scene s;

	if (run_open(&s, config, &opts, 7, 6, m)) {
		rig_multimem(s.rig, 0, &place);
		set_up(s.rig);
		memset(s.memory[0] + 0x5000, 0, 0x1000);
		sources(s.rig);
		sums(s.rig);
		m->pair.command = m->count[MARK_COMMAND] + 1;
		m->pair.old = m->count[MARK_OLD] + 1;
		m->pair.write = m->count[MARK_AW] + 1;
		strangers(s.rig, BASE + 0x5000, 0x100);
		m->lines.command = m->count[MARK_COMMAND] + 1;
		m->lines.old = m->count[MARK_OLD] + 1;
		m->lines.write = m->count[MARK_AW] + 1;
		strangers(s.rig, BASE + 0x5400, 16);
		subnormal(s.rig, s.memory[0]);
		groups(s.rig, m);
		shared(s.rig, m);
		tensor(s.rig, s.memory[0]);
		multimem(s.rig);
		faults(s.rig);
		follower(s.rig);
	}
	return run_close(&s);
}
