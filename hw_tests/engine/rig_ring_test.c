/* SPDX-License-Identifier: Apache-2.0 */
/* rig_ring_test - ring queues: to the caller they are what direct queues are. */
#include <string.h>

#include "lib/cmocka_all.h"

#include <errno.h>

#include "tma_regs.h"
#include "engine/rig_bench.h"
#include "lib/rig_tune.h"

#define SLOTS   16u /* the smallest rings */
#define MIN_LOG 4u

static void signals(struct bench *b, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		bench_do(b, TMA_SIGNAL, .tag = 1000 + i);
}

/* Records first..first+count-1 are those of signals(), and there are no others. */
static void check_signals(struct bench *b, uint32_t first, uint32_t count)
{
	uint32_t n;
	const struct rig_record *records = rig_records(b->rig, 1, &n);

	assert_int_equal(n, first + count);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(records[first + i].record.kind, TMA_KIND_SIGNAL);
		assert_int_equal(records[first + i].record.queue, 1);
		assert_int_equal(records[first + i].record.tag, 1000 + i);
		assert_int_equal(records[first + i].record.phase, 0);
		assert_true(!i || records[first + i].cycle > records[first + i - 1].cycle);
	}
}

/* Many laps of both rings, in every manner of doorbells and of consuming. */
static void manner(const struct where *w, enum rig_bell bell, enum rig_consumer consumer, bool interrupt)
{
	enum { N = 20 * SLOTS + 3 };
	struct rig_queue setup = small_ring;
	const struct rig_record *records;
	struct rig_door door;
	struct bench b;
	uint32_t n;

	setup.bell = bell;
	setup.consumer = consumer;
	setup.interrupt = interrupt;
	bench_open_queue(&b, w, setup);
	signals(&b, N);
	assert_int_equal(rig_waiting(b.rig, 1), N);
	assert_int_equal(rig_accepted(b.rig, 1), 0);
	assert_int_equal(rig_wait_idle(b.rig, 10 * LIMIT), 0);
	assert_int_equal(rig_waiting(b.rig, 1), 0);
	assert_int_equal(rig_accepted(b.rig, 1), N);
	check_signals(&b, 0, N);
	records = rig_records(b.rig, 1, &n);
	for (uint32_t i = 0; i < N; i++) {
		assert_int_equal(records[i].record.sequence, i);
		assert_true(rig_accept_cycle(b.rig, 1, i) < records[i].cycle);
		assert_true(!i || rig_accept_cycle(b.rig, 1, i) >= rig_accept_cycle(b.rig, 1, i - 1));
		if (i && bell == RIG_BELL_SINGLE)
			assert_true(rig_accept_cycle(b.rig, 1, i) > rig_accept_cycle(b.rig, 1, i - 1));
	}
	/* By then the laziest has told of all. */
	rig_run(b.rig, 700);
	door = rig_door_read(b.rig, 1);
	assert_int_equal(door.tail, N);
	assert_int_equal(door.head, N);
	assert_int_equal(door.producer, N);
	assert_int_equal(door.consumer, N);
	assert_int_equal(door.status, 0);
	assert_int_equal(door.enable, interrupt);
	assert_int_equal(door.pending, !interrupt);
	assert_int_equal(tma_sim_out(rig_sim(b.rig))->irq, 0);
	bench_close(&b);
}

TEST(test_manners)
{
	for (uint32_t bell = RIG_BELL_ALL; bell <= RIG_BELL_RANDOM; bell++) {
		manner(*state, (enum rig_bell)bell, RIG_CONSUMER_EAGER, false);
		manner(*state, (enum rig_bell)bell, RIG_CONSUMER_LAZY, bell == RIG_BELL_RANDOM);
	}
	manner(*state, RIG_BELL_SINGLE, RIG_CONSUMER_EAGER, true);
}

/* A load and a store, in both kinds of memory: theirs and the ring's. */
BENCH_TEST_OF(test_copies, small_ring)
{
	enum { BAR = 64, DST = 1024, BYTES = 512, TO = 0x2000 };
	uint32_t n;

	bench_do(b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
	bench_do(b, TMA_MBARRIER_ARRIVE, .barrier = BAR, .count = 1, .tx = BYTES,
	         .flags = TMA_FLAG_EXPECT_TX | TMA_FLAG_RECORD);
	bench_do(b, TMA_BULK_LOAD, .global_address = BASE + 4096 - 64, .size = BYTES, .shared_dst = DST,
	         .barrier = BAR);
	bench_do(b, TMA_MBARRIER_TRY_WAIT, .flags = TMA_FLAG_PARITY, .barrier = BAR, .tx = UINT32_MAX);
	bench_do(b, TMA_BULK_STORE, .global_address = BASE + TO, .size = BYTES, .shared_src = DST);
	bench_do(b, TMA_BULK_COMMIT_GROUP);
	bench_do(b, TMA_BULK_WAIT_GROUP, .flags = TMA_FLAG_RECORD);
	/* The record comes when the bytes are in memory. */
	assert_int_equal(rig_wait_records(b->rig, 1, 3, LIMIT), 0);
	assert_memory_equal(b->memory + TO, b->memory + 4096 - 64, BYTES);
	bench_wait_idle(b);
	assert_int_equal(rig_records(b->rig, 1, &n)[1].record.value, 1);
	assert_int_equal(n, 3);
}

/* Only the rings are legal besides what is named. */
BENCH_TEST_OF(test_rings_stay_legal, small_ring)
{
	rig_legal_none(b->rig);
	signals(b, 5);
	bench_wait_idle(b);
	check_signals(b, 0, 5);
	rig_unmap_all(b->rig);
	signals(b, 5);
	bench_wait_idle(b);
	check_signals(b, 5, 5);
}

/* Rings in the caller's memory, which also looks for the records itself. */
TEST(test_own_rings)
{
	const struct rig_queue setup = { .front = RIG_RING,
		                         .ring_log2 = MIN_LOG,
		                         .completion_log2 = MIN_LOG,
		                         .own_rings = true,
		                         .ring_base = BASE + 0x1000,
		                         .completion_base = BASE + 0x3000,
		                         .consumer = RIG_CONSUMER_OFF };
	const struct tma_record *records;
	const struct tma_command *commands;
	struct bench b;
	uint32_t n;

	bench_open_queue(&b, *state, setup);
	assert_int_equal(rig_ring_base(b.rig, 1), BASE + 0x1000);
	assert_int_equal(rig_completion_base(b.rig, 1), BASE + 0x3000);
	assert_ptr_equal(rig_ring_slot(b.rig, 1, SLOTS + 2), b.memory + 0x1000 + 2 * 64);
	assert_ptr_equal(rig_completion_slot(b.rig, 1, SLOTS + 2), b.memory + 0x3000 + 2 * 32);
	/* A slot less one: the last is kept for a fault. */
	signals(&b, SLOTS - 1);
	bench_wait_idle(&b);
	rig_records(b.rig, 1, &n);
	assert_int_equal(n, 0);
	commands = (const struct tma_command *)(const void *)(b.memory + 0x1000);
	records = (const struct tma_record *)(const void *)(b.memory + 0x3000);
	for (uint32_t i = 0; i < SLOTS - 1; i++) {
		assert_int_equal(commands[i].tag, 1000 + i);
		assert_int_equal(records[i].sequence, i);
		assert_int_equal(records[i].tag, 1000 + i);
		assert_int_equal(records[i].phase, 1);
	}
	assert_int_equal(rig_csr_write(b.rig, TMA_REG_DOOR_CONSUMER(1), SLOTS - 1), RIG_OKAY);
	assert_int_equal(rig_csr_write(b.rig, TMA_REG_DOOR_CONSUMER(1), SLOTS), RIG_SLVERR);
	signals(&b, 2);
	bench_wait_idle(&b);
	assert_int_equal(records[SLOTS - 1].phase, 1);
	assert_int_equal(records[0].sequence, SLOTS);
	assert_int_equal(records[0].phase, 0);
	bench_close(&b);
}

/* Sequence numbers and records pass 2^32: registers, slots and records have the engine's counts, the rig's
 * caller sees those since the set-up. The next life begins at 0. */
TEST(test_counts_wrap)
{
	const struct rig_queue direct = { .first_command = -5u }, ring = { .front = RIG_RING,
		                                                           .ring_log2 = MIN_LOG,
		                                                           .completion_log2 = MIN_LOG,
		                                                           .own_rings = true,
		                                                           .ring_base = BASE + 0x1000,
		                                                           .completion_base = BASE + 0x3000,
		                                                           .consumer = RIG_CONSUMER_OFF,
		                                                           .first_command = -5u,
		                                                           .first_record = -3u };
	const struct tma_record *records;
	const struct tma_command *commands;
	struct rig_door door;
	struct bench b;
	uint32_t i;

	bench_open_queue(&b, *state, direct);
	signals(&b, 3);
	bench_submit(&b, (struct tma_command){ .opcode = 0xff });
	signals(&b, 3);
	bench_wait_idle(&b);
	assert_int_equal(rig_fault(b.rig, 1).sequence, 3);
	assert_int_equal(rig_door_read(b.rig, 1).head, 3);
	assert_int_equal(rig_door_read(b.rig, 1).tail, 7);
	assert_int_equal(rig_resume(b.rig, 1, 8), RIG_SLVERR);
	assert_int_equal(rig_resume(b.rig, 1, 6), RIG_OKAY);
	bench_wait_idle(&b);
	assert_int_equal(rig_records(b.rig, 1, &i)[4].record.sequence, 6);
	assert_int_equal(i, 5);
	assert_int_equal(rig_door_read(b.rig, 1).head, 7);
	bench_close(&b);

	bench_open_queue(&b, *state, ring);
	commands = (const struct tma_command *)(const void *)(b.memory + 0x1000);
	records = (const struct tma_record *)(const void *)(b.memory + 0x3000);
	signals(&b, SLOTS - 1);
	bench_wait_idle(&b);
	for (i = 0; i < SLOTS - 1; i++) {
		const struct tma_record *r = &records[(i - 3) % SLOTS];

		assert_int_equal(commands[(i - 5) % SLOTS].tag, 1000 + i);
		assert_int_equal(r->sequence, i - 5);
		assert_int_equal(r->tag, 1000 + i);
		assert_int_equal(r->phase, i < 3 ? 0 : 1);
	}
	assert_int_equal(rig_csr_write(b.rig, TMA_REG_DOOR_CONSUMER(1), SLOTS), RIG_SLVERR);
	assert_int_equal(rig_csr_write(b.rig, TMA_REG_DOOR_CONSUMER(1), SLOTS - 1), RIG_OKAY);
	door = rig_door_read(b.rig, 1);
	assert_int_equal(door.head, SLOTS - 1);
	assert_int_equal(door.tail, SLOTS - 1);
	assert_int_equal(door.consumer, SLOTS - 1);
	assert_int_equal(door.producer, SLOTS - 1);
	assert_int_equal(rig_queue_reset(b.rig, 1), RIG_OKAY);
	signals(&b, 1);
	bench_wait_idle(&b);
	assert_int_equal(records[0].sequence, 0);
	assert_int_equal(records[0].phase, 1);
	bench_close(&b);
}

/* Slots that the caller writes, doorbells that it rings, and after them the rig's own. */
BENCH_TEST_OF(test_own_slots, small_ring)
{
	const struct tma_command command = { .opcode = TMA_SIGNAL, .version = TMA_COMMAND_VERSION };
	uint32_t n;

	for (uint32_t i = 0; i < 3; i++) {
		struct tma_command c = command;

		c.tag = 1000 + i;
		memcpy(rig_ring_slot(b->rig, 1, i), &c, sizeof(c));
	}
	assert_int_equal(rig_doorbell(b->rig, 1, 3), RIG_OKAY);
	assert_int_equal(rig_accepted(b->rig, 1), 3);
	assert_true(rig_accept_cycle(b->rig, 1, 2) < rig_cycle(b->rig));
	bench_wait_idle(b);
	check_signals(b, 0, 3);
	assert_int_equal(rig_submit(b->rig, 1, &command), 3);
	bench_wait_idle(b);
	assert_int_equal(rig_records(b->rig, 1, &n)[3].record.sequence, 3);
	assert_int_equal(n, 4);
	assert_int_equal(rig_door_read(b->rig, 1).tail, 4);
}

/* CONSUMER stands still: all slots but one fill, the queue waits, and goes on when it is told. */
BENCH_TEST_OF(test_full_ring, small_ring)
{
	struct rig_door door;
	uint32_t n;

	rig_consumer(b->rig, 1, RIG_CONSUMER_HELD);
	signals(b, 3 * SLOTS);
	assert_int_equal(rig_wait_records(b->rig, 1, SLOTS - 1, LIMIT), 0);
	rig_run(b->rig, 2000);
	rig_records(b->rig, 1, &n);
	assert_int_equal(n, SLOTS - 1);
	door = rig_door_read(b->rig, 1);
	assert_int_equal(door.consumer, 0);
	assert_int_equal(door.producer, SLOTS - 1);
	assert_int_equal(door.head, SLOTS - 1);
	assert_int_equal(door.status, TMA_REG_DOOR_STATUS_BUSY_MASK | TMA_REG_DOOR_STATUS_WAITING_MASK |
	                                      TMA_REG_DOOR_STATUS_FULL_MASK);
	assert_int_equal(rig_consume(b->rig, 1), RIG_OKAY);
	assert_int_equal(rig_wait_records(b->rig, 1, 2 * (SLOTS - 1), LIMIT), 0);
	rig_run(b->rig, 500);
	rig_records(b->rig, 1, &n);
	assert_int_equal(n, 2 * (SLOTS - 1));
	rig_consumer(b->rig, 1, RIG_CONSUMER_EAGER);
	bench_wait_idle(b);
	check_signals(b, 0, 3 * SLOTS);
}

/* A byte of the completion ring that no record explains. */
BENCH_TEST_OF(test_stray_write_is_seen, small_ring)
{
	b->failures = 1;
	signals(b, 3);
	bench_wait_idle(b);
	assert_int_equal(rig_failed(b->rig), 0);
	*((uint8_t *)rig_completion_slot(b->rig, 1, 9) + 5) ^= 1;
	signals(b, 1);
	bench_wait_idle(b);
}

static void hash_pins(void *arg, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out)
{
	uint64_t *hash = arg;
	uint64_t word = (uint64_t)in->csr.aw_valid | (uint64_t)in->csr.ar_valid << 1 |
	                (uint64_t)out->axi[0].ar_valid << 2 | (uint64_t)out->axi[0].aw_valid << 3;

	*hash = (*hash ^ word ^ cycle << 8) * UINT64_C(0x100000001B3);
}

static uint64_t program(const struct where *w, uint64_t seed)
{
	struct rig_queue setup = small_ring;
	struct where again = *w;
	uint64_t hash = 0;
	struct bench b;

	again.opts.seed = seed;
	setup.bell = RIG_BELL_RANDOM;
	setup.consumer = RIG_CONSUMER_LAZY;
	bench_open_queue(&b, &again, setup);
	assert_int_equal(rig_hook(b.rig, &(struct rig_hooks){ .arg = &hash, .cycle = hash_pins }), 0);
	signals(&b, 5 * SLOTS);
	bench_wait_idle(&b);
	bench_close(&b);
	return hash;
}

TEST(test_seed_decides)
{
	uint64_t one = program(*state, 1);

	assert_true(one == program(*state, 1));
	assert_true(one != program(*state, 2));
}

/* A ring queue becomes a direct one and a ring again; its windows are counted. */
BENCH_TEST_OF(test_binding_changes, small_ring)
{
	static const struct rig_window windows[8] = { { BASE, BASE + SIZE - 1, RIG_BOTH } };
	struct rig_queue setup = { .windows = windows };

	setup.num_windows = rig_info(b->rig)->windows;
	for (uint32_t i = 0; i < 4; i++) {
		setup.front = i % 2 ? RIG_RING : RIG_DIRECT;
		if (setup.front == RIG_RING) {
			setup.num_windows = rig_info(b->rig)->windows;
			assert_int_equal(rig_queue_setup(b->rig, 1, &setup), -EINVAL);
			setup.num_windows--;
		}
		assert_int_equal(rig_queue_setup(b->rig, 1, &setup), 0);
		signals(b, 20);
		bench_wait_idle(b);
		check_signals(b, 0, 20);
	}
	setup.ring_log2 = 3;
	assert_int_equal(rig_queue_setup(b->rig, 1, &setup), -EINVAL);
	setup.ring_log2 = 0;
	setup.completion_log2 = 17;
	assert_int_equal(rig_queue_setup(b->rig, 1, &setup), -EINVAL);
	setup.completion_log2 = 0;
	setup.own_rings = true;
	setup.ring_base = 64;
	assert_int_equal(rig_queue_setup(b->rig, 1, &setup), -EINVAL);
}

/* The response port takes nothing until the queue has become a ring: its records still come, and are not of that life. */
TEST(test_records_of_the_life_before)
{
	enum { N = 20 };
	static const struct rig_window window = { BASE, BASE + SIZE - 1, RIG_BOTH };
	const struct where *w = *state;
	struct rig_queue setup = small_ring;
	struct rig_opts deaf = w->opts;
	struct bench b;

	setup.windows = &window;
	setup.num_windows = 1;
	deaf.record_percent = 100;
	bench_open(&b, w);
	assert_int_equal(rig_tune(b.rig, &deaf), 0);
	signals(&b, N);
	rig_run(b.rig, 400);
	assert_int_equal(rig_queue_setup(b.rig, 1, &setup), 0);
	assert_true(tma_sim_out(rig_sim(b.rig))->rsp_valid);
	assert_int_equal(rig_tune(b.rig, &w->opts), 0);
	signals(&b, N);
	bench_wait_idle(&b);
	check_signals(&b, 0, N);
	bench_close(&b);
}

int ring_tests(const char *name, struct where *w)
{
	return run_file_tests_on(name, w);
}
