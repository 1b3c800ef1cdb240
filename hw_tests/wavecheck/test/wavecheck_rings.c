/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of wavecheck_run.h that use rings, cp.async and multimem stores. */
#include <stdlib.h>
#include <string.h>

#include "lib/rig_tune.h"
#include "tma_regs.h"
#include "wavecheck/test/wavecheck_run.h"

#define BASE  RUN_BASE
#define SIZE  RUN_SIZE
#define LIMIT 40000u
#define SLOTS 16u

static const struct rig_window window = { BASE, BASE + SIZE - 1, RIG_BOTH };

static struct rig_queue ring_queue(uint8_t cta)
{
	return (struct rig_queue){ .cta = cta,
		                   .stream = (uint8_t)(0x11 + 0x11 * cta),
		                   .prot = 2,
		                   .windows = &window,
		                   .num_windows = 1,
		                   .front = RIG_RING,
		                   .ring_log2 = 4,
		                   .completion_log2 = 4,
		                   .bell = RIG_BELL_RANDOM,
		                   .consumer = RIG_CONSUMER_LAZY };
}

static struct rig_opts scene_opts(const char *fst)
{
	return (struct rig_opts){ .size = sizeof(struct rig_opts),
		                  .seed = 9,
		                  .latency = 30,
		                  .random_latency = 20,
		                  .stall_percent = 15,
		                  .fst = fst };
}

static bool open_scene(struct run_scene *s, const char *fst, const char *config, struct run_marks *m)
{
	struct rig_opts opts = scene_opts(fst);

	return run_open(s, config, &opts, 5, 7, m);
}

/* A load, and a store of what it brought. */
static void pass_on(struct rig *rig, uint32_t queue, uint32_t turn)
{
	uint32_t here = queue << 24;

	run_expect(rig, queue, here, 528);
	run_do(rig, queue, TMA_BULK_LOAD, .global_address = BASE + 0xfc0 + 0x210 * turn, .size = 528,
	       .shared_dst = here + 0x400, .barrier = here);
	run_wait(rig, queue, here, turn & 1);
	run_do(rig, queue, TMA_BULK_STORE, .global_address = BASE + 0x8000 + 0x1000 * queue + 0x210 * turn,
	       .size = 528, .shared_src = here + 0x400);
	run_wait_stores(rig, queue);
}

static void signals(struct rig *rig, uint32_t queue, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		run_do(rig, queue, TMA_SIGNAL);
}

/* Software that does not take records: the queue waits with a slot to spare. */
static void fill_up(struct rig *rig, struct run_marks *m)
{
	uint32_t before, count;

	rig_wait_idle(rig, LIMIT);
	rig_consume(rig, 1);
	rig_consumer(rig, 1, RIG_CONSUMER_HELD);
	signals(rig, 1, SLOTS / 2);
	rig_wait_idle(rig, LIMIT);
	rig_consume(rig, 1);
	m->consumed = rig_cycle(rig) - 1;
	rig_records(rig, 1, &before);
	signals(rig, 1, 2 * SLOTS);
	rig_wait_records(rig, 1, before + SLOTS - 1, LIMIT);
	rig_run(rig, 300);
	rig_records(rig, 1, &count);
	if (count != before + SLOTS - 1)
		rig_error(rig, "%u records in a ring of %u", count - before, SLOTS);
	rig_door_read(rig, 1);
	rig_consumer(rig, 1, RIG_CONSUMER_EAGER);
	rig_wait_idle(rig, LIMIT);
}

bool wavecheck_ring_run(const char *fst, const char *config, struct run_marks *m)
{
	struct run_scene s;
	uint32_t bad;

	if (open_scene(&s, fst, config, m)) {
		struct rig_queue setup = ring_queue(0);

		rig_queue_setup(s.rig, 0, &setup);
		setup = ring_queue(1);
		setup.interrupt = true;
		rig_queue_setup(s.rig, 1, &setup);
		for (uint32_t q = 0; q < 2; q++)
			run_init(s.rig, q, q << 24, 1);
		for (uint32_t turn = 0; turn < 7; turn++)
			for (uint32_t q = 0; q < 2; q++)
				pass_on(s.rig, q, turn);
		fill_up(s.rig, m);
		rig_door_read(s.rig, 1);
		run_do(s.rig, 0, 0xee);
		rig_wait_idle(s.rig, LIMIT);
		bad = rig_fault(s.rig, 0).sequence;
		rig_doorbell(s.rig, 1, rig_accepted(s.rig, 1) + SLOTS + 1);
		m->overrun = m->cycle[MARK_DOOR][m->count[MARK_DOOR] - 1];
		rig_wait_idle(s.rig, LIMIT);
		rig_fault(s.rig, 1);
		rig_csr(s.rig, TMA_REG_DOOR_TAIL(1));
		rig_csr(s.rig, TMA_REG_DOOR_HEAD(1));
		rig_csr(s.rig, TMA_REG_DOOR_PRODUCER(1));
		rig_csr(s.rig, TMA_REG_DOOR_CONSUMER(1));
		rig_csr(s.rig, TMA_REG_DOOR_INTERRUPT_PENDING(1));
		rig_csr(s.rig, TMA_REG_DOOR_INTERRUPT_PENDING(1));
		rig_csr(s.rig, TMA_REG_DOOR_FAULT(1));
		rig_csr(s.rig, TMA_REG_DOOR_FAULT_ADDRESS_LO(0));
		/* An interrupt that nobody clears. */
		rig_csr_write(s.rig, TMA_REG_DOOR_INTERRUPT_ENABLE(0), 1);
		rig_resume(s.rig, 0, bad + 1);
		signals(s.rig, 0, 1);
		rig_wait_idle(s.rig, LIMIT);
		rig_run(s.rig, 200);
	}
	return run_close(&s);
}

static void cp(struct rig *rig, uint32_t from, uint32_t to, uint32_t size, unsigned flags, uint32_t count)
{
	run_do(rig, 0, TMA_CP_ASYNC, .flags = (uint16_t)flags, .mode = (uint8_t)(to % 3),
	       .global_address = BASE + from, .shared_dst = to, .size = size, .count = count);
}

static void cp_batch(struct rig *rig, uint32_t turn)
{
	uint32_t from = 0x100 + 0x40 * turn, to = 0x400 + 0x40 * turn;

	cp(rig, from + 4, to, 4, 0, 0);
	cp(rig, from + 8, to + 8, 8, 0, 0);
	cp(rig, from + 16, to + 16, 16, TMA_FLAG_CG, 0);
	cp(rig, from + 40, to + 32, 8, TMA_FLAG_SRC_SIZE, 3);
	cp(rig, from + 48, to + 48, 16, turn % 2 ? TMA_FLAG_IGNORE_SRC : TMA_FLAG_SRC_SIZE, 0);
	run_do(rig, 0, TMA_CP_ASYNC_COMMIT_GROUP);
}

static void store_back(struct rig *rig, uint32_t bytes)
{
	run_do(rig, 0, TMA_BULK_STORE, .global_address = BASE + 0x8000, .size = bytes, .shared_src = 0x400);
}

bool wavecheck_cp_run(const char *fst, const char *config, struct run_marks *m)
{
	struct run_scene s;
	uint8_t bytes[0x200];

	if (open_scene(&s, fst, config, m)) {
		struct rig_queue setup = ring_queue(0);

		rig_queue_setup(s.rig, 0, &setup);
		memset(bytes, 0xa5, sizeof(bytes));
		rig_smem_write(s.rig, 0, 0x400, bytes, sizeof(bytes));
		run_init(s.rig, 0, 0, 1);
		for (uint32_t turn = 0; turn < 4; turn++)
			cp_batch(s.rig, turn);
		run_do(s.rig, 0, TMA_CP_ASYNC_WAIT_GROUP, .count = 2);
		store_back(s.rig, 0x80);
		run_do(s.rig, 0, TMA_CP_ASYNC_WAIT_ALL, .flags = TMA_FLAG_RECORD);
		store_back(s.rig, 0x100);
		cp_batch(s.rig, 4);
		run_do(s.rig, 0, TMA_CP_ASYNC_MBARRIER_ARRIVE, .flags = TMA_FLAG_NOINC, .barrier = 0);
		run_wait(s.rig, 0, 0, 0);
		store_back(s.rig, 0x140);
		run_do(s.rig, 0, TMA_CP_ASYNC_MBARRIER_ARRIVE, .barrier = 0);
		rig_wait_idle(s.rig, LIMIT);
		rig_smem_read(s.rig, 0, 0x400, bytes, sizeof(bytes));
		rig_smem_read(s.rig, 0, 0, bytes, 16);
		m->barrier_seen = m->cycle[MARK_EXT_DATA][m->count[MARK_EXT_DATA] - 1];
		rig_map_error(s.rig, 0, RIG_READ, BASE + 0x700, 16, RIG_SLVERR);
		cp(s.rig, 0x708, 0x500, 8, 0, 0);
		rig_wait_idle(s.rig, LIMIT);
		rig_smem_read(s.rig, 0, 0x500, bytes, 16);
	}
	return run_close(&s);
}

static void multimem_store(struct rig *rig, uint32_t from, uint32_t to, uint32_t size, uint16_t mask)
{
	run_do(rig, 0, TMA_MULTIMEM_BULK_STORE, .flags = mask ? TMA_FLAG_CP_MASK : 0, .byte_mask = mask,
	       .global_address = UINT64_C(0x7000000000) + to, .size = size, .shared_src = from);
}

bool wavecheck_multimem_run(const char *fst, const char *config, struct run_marks *m)
{
	static const struct rig_window windows[] = {
		{ BASE, BASE + SIZE - 1, RIG_BOTH },
		{ UINT64_C(0x7000000000), UINT64_C(0x7000004fff), RIG_MULTIMEM },
	};
	struct rig_multimem place = {
		UINT64_C(0x7000000000), UINT64_C(0x7000003fff), 3, { BASE + 0x8000, BASE + 0x4000 }
	};
	struct run_scene s;
	uint8_t bytes[0x800];

	if (open_scene(&s, fst, config, m)) {
		struct rig_queue setup = ring_queue(0);

		rig_multimem(s.rig, 0, &place);
		setup.windows = windows;
		setup.num_windows = 2;
		rig_queue_setup(s.rig, 0, &setup);
		for (uint32_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = (uint8_t)(i * 3 ^ i >> 4);
		rig_smem_write(s.rig, 0, 0x400, bytes, sizeof(bytes));
		for (uint32_t i = 0; i < 6; i++) {
			multimem_store(s.rig, 0x400 + 16 * i, 0xf00 + 0x110 * i, 0x310, i % 2 ? 0x5a5a : 0);
			run_do(s.rig, 0, TMA_BULK_STORE, .global_address = BASE + 0x100 * i, .size = 0x80,
			       .shared_src = 0x500);
		}
		/* Bytes that nothing in the dump has shown. */
		multimem_store(s.rig, 0x1800, 0x2000, 0x100, 0);
		run_wait_stores(s.rig, 0);
		rig_wait_idle(s.rig, LIMIT);
		multimem_store(s.rig, 0x400, 0x3f00, 0x200, 0);
		rig_wait_idle(s.rig, LIMIT);
		rig_fault(s.rig, 0);
	}
	return run_close(&s);
}

static void wait_forever(struct rig *rig, uint32_t queue)
{
	run_wait(rig, queue, queue << 24 | 8, 0);
	rig_run(rig, 400);
}

/* Faults in order, late, by cancelling; each time the queue goes on behind it. */
static void stop_and_go(struct rig *rig, uint32_t queue)
{
	uint32_t here = queue << 24;

	run_init(rig, queue, here + 8, 1);
	run_do(rig, queue, 0xee);
	signals(rig, queue, 5);
	rig_wait_idle(rig, LIMIT);
	rig_resume(rig, queue, rig_fault(rig, queue).sequence + 1);
	rig_wait_idle(rig, LIMIT);
	run_do(rig, queue, TMA_BULK_STORE, .global_address = BASE + SIZE - 64, .size = 128,
	       .shared_src = here + 0x400);
	signals(rig, queue, 5);
	rig_wait_idle(rig, LIMIT);
	rig_resume(rig, queue, rig_door_read(rig, queue).head);
	rig_wait_idle(rig, LIMIT);
	wait_forever(rig, queue);
	rig_cancel(rig, queue);
	rig_wait_idle(rig, LIMIT);
	rig_resume(rig, queue, rig_fault(rig, queue).sequence + 1);
	signals(rig, queue, 3);
	rig_wait_idle(rig, LIMIT);
	wait_forever(rig, queue);
	signals(rig, queue, 3);
	rig_queue_reset(rig, queue);
	signals(rig, queue, 3);
	rig_wait_idle(rig, LIMIT);
}

/* A queue without a ring, whose records nobody takes until it has one. */
static void leave_records(struct rig *rig)
{
	struct rig_opts opts = scene_opts(NULL), deaf = opts;
	struct rig_queue setup = ring_queue(1);

	setup.front = RIG_DIRECT;
	rig_queue_setup(rig, 1, &setup);
	deaf.record_percent = 100;
	rig_tune(rig, &deaf);
	signals(rig, 1, 4);
	rig_run(rig, 100);
	setup = ring_queue(1);
	rig_queue_setup(rig, 1, &setup);
	rig_tune(rig, &opts);
	signals(rig, 1, 4);
	rig_wait_idle(rig, LIMIT);
}

bool wavecheck_recover_run(const char *fst, const char *config, struct run_marks *m)
{
	struct run_scene s;

	if (open_scene(&s, fst, config, m)) {
		struct rig_queue setup = ring_queue(1);

		leave_records(s.rig);
		rig_queue_setup(s.rig, 1, &setup);
		setup = ring_queue(0);
		setup.front = RIG_DIRECT;
		setup.cancel_mask = 2;
		rig_queue_setup(s.rig, 0, &setup);
		stop_and_go(s.rig, 0);
		stop_and_go(s.rig, 1);
		/* One queue cancels the other. */
		wait_forever(s.rig, 1);
		run_do(s.rig, 0, TMA_CANCEL, .count = 1);
		rig_wait_idle(s.rig, LIMIT);
		rig_watchdog(s.rig, 200);
		run_do(s.rig, 0, TMA_BULK_STORE, .global_address = BASE, .size = 0x100, .shared_src = 0x400);
		rig_port_stop(s.rig, 0, RIG_B, 0);
		rig_run(s.rig, 800);
		rig_dead_ports(s.rig);
		rig_fault(s.rig, 0);
	}
	return run_close(&s);
}
