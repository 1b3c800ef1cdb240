/* SPDX-License-Identifier: Apache-2.0 */
/* rig_recovery_test - RESUME, RESET, CANCEL, dead ports and multimem windows through the rig. */
#include <stdlib.h>
#include <string.h>

#include "lib/cmocka_all.h"

#include <errno.h>

#include "tma_regs.h"
#include "engine/rig_bench.h"

#define BAR    64u
#define MAP_AT 1024u /* in the memory */

static const struct rig_queue fronts[] = {
	{ .front = RIG_DIRECT },
	{ .front = RIG_RING, .ring_log2 = 4, .completion_log2 = 4, .bell = RIG_BELL_RANDOM },
	{ .front = RIG_RING, .ring_log2 = 4, .completion_log2 = 5, .consumer = RIG_CONSUMER_LAZY },
};
#define NUM_FRONTS (sizeof(fronts) / sizeof(fronts[0]))

static const struct tma_command signal_command = { .opcode = TMA_SIGNAL };
static const struct tma_command bad_command = { .opcode = 0xEE, .tag = 7 };
static const struct tma_command wait_forever = { .opcode = TMA_MBARRIER_TRY_WAIT,
	                                         .barrier = BAR,
	                                         .flags = TMA_FLAG_PARITY,
	                                         .tx = UINT32_MAX,
	                                         .count = 1 };

/* Bad commands among good ones: each stops the queue, each is skipped. */
static void resume_case(const struct where *w, struct rig_queue front)
{
	enum { GROUPS = 8, EACH = 5 };
	const struct rig_record *records;
	struct bench b;
	uint32_t n;

	bench_open_queue(&b, w, front);
	assert_int_equal(rig_resume(b.rig, 1, 0), RIG_SLVERR);
	for (uint32_t i = 0; i < GROUPS; i++)
		for (uint32_t k = 0; k < EACH; k++)
			bench_submit(&b, k + 1 < EACH ? signal_command : bad_command);
	for (uint32_t i = 0; i < GROUPS; i++) {
		uint32_t bad = i * EACH + EACH - 1;

		bench_wait_idle(&b);
		assert_true(rig_faulted(b.rig, 1));
		assert_int_equal(rig_fault(b.rig, 1).code, TMA_FAULT_UNKNOWN_OPCODE);
		assert_int_equal(rig_fault(b.rig, 1).sequence, bad);
		assert_int_equal(rig_door_read(b.rig, 1).head, bad);
		assert_int_equal(rig_resume(b.rig, 1, bad - 1), RIG_SLVERR);
		assert_int_equal(rig_resume(b.rig, 1, rig_accepted(b.rig, 1) + 1), RIG_SLVERR);
		assert_true(rig_faulted(b.rig, 1));
		assert_int_equal(rig_resume(b.rig, 1, bad + 1), RIG_OKAY);
		assert_false(rig_faulted(b.rig, 1));
	}
	bench_wait_idle(&b);
	assert_int_equal(rig_fault(b.rig, 1).code, 0);
	assert_int_equal(rig_waiting(b.rig, 1), 0);
	records = rig_records(b.rig, 1, &n);
	assert_int_equal(n, GROUPS * EACH);
	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(records[i].record.sequence, i);
		assert_int_equal(records[i].record.kind,
		                 i % EACH + 1 < EACH ? TMA_KIND_SIGNAL : TMA_KIND_FAULT);
	}
	bench_close(&b);
}

TEST(test_resume)
{
	for (uint32_t i = 0; i < NUM_FRONTS; i++)
		resume_case(*state, fronts[i]);
}

/* A queue in the middle of much: all of it is gone, and it works again. */
static void reset_case(const struct where *w, struct rig_queue front)
{
	struct bench b;

	bench_open_queue(&b, w, front);
	assert_int_equal(rig_smem_write(b.rig, 0, BAR, (uint8_t[8]){ 0 }, 8), 0);
	for (uint32_t round = 0; round < 4; round++) {
		bench_do(&b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
		for (uint32_t i = 0; i < 10; i++)
			bench_do(&b, TMA_BULK_LOAD, .global_address = BASE, .size = 1024, .shared_dst = 1024,
			         .barrier = BAR);
		bench_submit(&b, round % 2 ? bad_command : wait_forever);
		for (uint32_t i = 0; i < 100; i++)
			bench_submit(&b, signal_command);
		rig_run(b.rig, 100 * round);
		assert_int_equal(rig_queue_reset(b.rig, 1), RIG_OKAY);
		assert_int_equal(rig_waiting(b.rig, 1), 0);
		assert_int_equal(rig_accepted(b.rig, 1), 0);
		assert_int_equal(bench_records(&b), 0);
		assert_false(rig_faulted(b.rig, 1));
		for (uint32_t i = 0; i < 40; i++)
			bench_submit(&b, signal_command);
		bench_wait_idle(&b);
		assert_int_equal(bench_records(&b), 40);
		assert_int_equal(rig_door_read(b.rig, 1).head, 40);
	}
	assert_int_equal(rig_queue_disable(b.rig, 1), 0);
	assert_int_equal(rig_queue_reset(b.rig, 1), RIG_SLVERR);
	assert_int_equal(rig_cancel(b.rig, 1), RIG_SLVERR);
	assert_int_equal(rig_doorbell(b.rig, 1, 1), RIG_SLVERR);
	bench_close(&b);
}

TEST(test_reset_of_a_queue)
{
	for (uint32_t i = 0; i < NUM_FRONTS; i++)
		reset_case(*state, fronts[i]);
}

/* Disabled and unbound from its ring with one write, in whatever it does: not a record goes elsewhere. */
TEST(test_disable_in_flow)
{
	struct bench b;

	for (uint32_t round = 0; round < 40; round++) {
		bench_open_queue(&b, *state, fronts[2]);
		for (uint32_t i = 0; i < 200; i++)
			bench_submit(&b, round % 4 == 3 && i == round ? bad_command : signal_command);
		rig_run(b.rig, 60 + 5 * round + round % 5);
		assert_int_equal(rig_queue_disable(b.rig, 1), 0);
		rig_run(b.rig, 200);
		bench_close(&b);
	}
}

TEST(test_cancel)
{
	struct rig_fault fault;
	struct bench b;

	for (uint32_t i = 0; i < NUM_FRONTS; i++) {
		bench_open_queue(&b, *state, fronts[i]);
		/* Nothing waits: nothing happens. */
		assert_int_equal(rig_cancel(b.rig, 1), RIG_OKAY);
		bench_do(&b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
		bench_submit(&b, wait_forever);
		bench_submit(&b, signal_command);
		rig_run(b.rig, 1000);
		/* Parity 1 of a barrier in phase 0 is over; parity 0 is not. */
		assert_int_equal(bench_records(&b), 2);
		bench_do(&b, TMA_MBARRIER_TRY_WAIT, .barrier = BAR, .flags = TMA_FLAG_PARITY,
		         .tx = UINT32_MAX);
		rig_run(b.rig, 1000);
		assert_int_equal(bench_records(&b), 2);
		assert_int_equal(rig_door_read(b.rig, 1).status,
		                 TMA_REG_DOOR_STATUS_BUSY_MASK | TMA_REG_DOOR_STATUS_WAITING_MASK);
		assert_int_equal(rig_cancel(b.rig, 1), RIG_OKAY);
		assert_int_equal(rig_wait_records(b.rig, 1, 3, LIMIT), 0);
		assert_true(rig_faulted(b.rig, 1));
		fault = rig_fault(b.rig, 1);
		assert_int_equal(fault.code, TMA_FAULT_CANCELLED);
		assert_int_equal(fault.sequence, 3);
		bench_wait_idle(&b);
		bench_close(&b);
	}
}

BENCH_TEST_OF(test_overrun, fronts[1])
{
	struct rig_fault fault;

	bench_submit(b, signal_command);
	bench_wait_idle(b);
	assert_int_equal(rig_doorbell(b->rig, 1, 1 + 17), RIG_OKAY);
	assert_int_equal(rig_wait_records(b->rig, 1, 2, LIMIT), 0);
	assert_true(rig_faulted(b->rig, 1));
	fault = rig_fault(b->rig, 1);
	assert_int_equal(fault.code, TMA_FAULT_RING_OVERRUN);
	assert_int_equal(fault.address, 18);
	assert_int_equal(fault.sequence, 1);
	assert_int_equal(rig_accepted(b->rig, 1), 1);
	bench_wait_idle(b);
	assert_int_equal(rig_resume(b->rig, 1, 1), RIG_OKAY);
	bench_submit(b, signal_command);
	bench_wait_idle(b);
	assert_int_equal(bench_records(b), 3);
}

/* Completion rings where nothing is mapped: no FAULT record comes, the wait sees it all the same. */
BENCH_TEST(test_fault_without_a_record)
{
	static const struct rig_window windows[] = { { BASE, BASE + 2 * SIZE - 1, RIG_BOTH } };
	const struct rig_queue setup = { .front = RIG_RING,
		                         .windows = windows,
		                         .num_windows = 1,
		                         .own_rings = true,
		                         .ring_base = BASE,
		                         .completion_base = BASE + SIZE };

	assert_int_equal(rig_queue_setup(b->rig, 1, &setup), 0);
	bench_submit(b, signal_command);
	bench_submit(b, signal_command);
	bench_wait_idle(b);
	assert_true(rig_faulted(b->rig, 1));
	assert_int_equal(rig_fault(b->rig, 1).code, TMA_FAULT_COMPLETION_DECERR);
	assert_int_equal(rig_fault(b->rig, 1).address, BASE + SIZE);
	assert_int_equal(bench_records(b), 0);
}

/* A box of 4 KiB, dense in shared memory, of a tensor at BASE. */
static void put_map(struct bench *b)
{
	bench_put_map(b, MAP_AT, 0, (const uint64_t[]){ 16, 16 }, 16, (const uint32_t[]){ 16, 256 });
}

/* A queue stops while loads before the fault are still at work, on boxes that lie outside of the tensor:
 * nothing moves at any port, but the wait ends behind them all. */
static void fill_case(const struct where *w, struct rig_queue front)
{
	enum { LOADS = 12, BYTES = 4096, DST = 4096, LAST = DST + BYTES, ROW = 16 };
	static const uint8_t zero[BYTES];
	uint8_t got[BYTES];
	uint64_t barrier;
	struct bench b;

	bench_open_queue(&b, w, front);
	put_map(&b);
	memset(got, 0xC5, sizeof(got));
	assert_int_equal(rig_smem_write(b.rig, 0, DST, got, BYTES), 0);
	assert_int_equal(rig_smem_write(b.rig, 0, LAST, got, BYTES), 0);
	bench_do(&b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
	bench_do(&b, TMA_MBARRIER_ARRIVE, .barrier = BAR, .count = 1, .tx = LOADS * BYTES,
	         .flags = TMA_FLAG_EXPECT_TX);
	for (uint32_t i = 1; i <= LOADS; i++)
		bench_do(&b, TMA_TENSOR_LOAD, .dim = 2, .global_address = BASE + MAP_AT, .coord = { 0, 16 },
		         .shared_dst = i < LOADS ? DST : LAST, .barrier = BAR);
	bench_submit(&b, bad_command);
	bench_submit(&b, signal_command);
	bench_wait_idle(&b);
	assert_true(rig_faulted(b.rig, 1));
	assert_int_equal(rig_fault(b.rig, 1).sequence, LOADS + 2);
	/* What comes last first: looking takes time. */
	assert_int_equal(rig_smem_read(b.rig, 0, BAR, &barrier, sizeof(barrier)), 0);
	assert_int_equal(barrier >> 61 & 1, 1);
	assert_int_equal(rig_smem_read(b.rig, 0, LAST + BYTES - ROW, got, ROW), 0);
	assert_memory_equal(got, zero, ROW);
	assert_int_equal(rig_smem_read(b.rig, 0, LAST, got, BYTES), 0);
	assert_memory_equal(got, zero, BYTES);
	bench_close(&b);
}

TEST(test_fill_behind_a_fault)
{
	for (uint32_t i = 0; i < NUM_FRONTS; i++)
		fill_case(*state, fronts[i]);
}

static void stop_case(const struct where *w, uint32_t channel, bool store)
{
	struct bench b;

	bench_open(&b, w);
	assert_int_equal(rig_watchdog(b.rig, 600), 0);
	assert_int_equal(rig_dead_ports(b.rig), 0);
	bench_do(&b, TMA_MBARRIER_INIT, .barrier = BAR, .count = 1);
	assert_int_equal(rig_port_stop(b.rig, 0, channel, 50), 0);
	rig_run(b.rig, 100);
	for (uint32_t i = 0; i < 3; i++)
		bench_do(&b, store ? TMA_BULK_STORE : TMA_BULK_LOAD, .global_address = BASE, .size = 2048,
		         .shared_dst = store ? 0 : 1024, .shared_src = store ? 1024 : 0,
		         .barrier = store ? 0 : BAR);
	bench_wait_idle(&b);
	assert_true(rig_faulted(b.rig, 1));
	assert_int_equal(rig_fault(b.rig, 1).code, TMA_FAULT_PORT_DEAD);
	assert_int_equal(rig_dead_ports(b.rig), 1);
	/* What comes late is dropped; what is new finds the port dead. */
	assert_int_equal(rig_port_stop(b.rig, 0, 0, 0), 0);
	rig_run(b.rig, 500);
	assert_int_equal(rig_queue_reset(b.rig, 1), RIG_OKAY);
	bench_do(&b, TMA_BULK_PREFETCH, .global_address = BASE, .size = 64);
	bench_do(&b, TMA_BULK_STORE, .global_address = BASE, .size = 64);
	bench_wait_idle(&b);
	assert_int_equal(rig_fault(b.rig, 1).code, TMA_FAULT_PORT_DEAD);
	assert_int_equal(rig_fault(b.rig, 1).sequence, 1);
	rig_reset(b.rig);
	assert_int_equal(rig_dead_ports(b.rig), 0);
	bench_close(&b);
}

TEST(test_dead_port)
{
	const struct where *w = *state;

	stop_case(w, RIG_AR, false);
	stop_case(w, RIG_R, false);
	stop_case(w, RIG_AW, true);
	stop_case(w, RIG_W, true);
	stop_case(w, RIG_B, true);
	stop_case(w, RIG_ALL_CHANNELS, true);
}

/* A stop that is shorter than the watchdog's patience is a stall. */
BENCH_TEST(test_stop_that_ends)
{
	assert_int_equal(rig_watchdog(b->rig, 2000), 0);
	assert_int_equal(rig_port_stop(b->rig, 0, RIG_ALL_CHANNELS, 0), 0);
	bench_do(b, TMA_BULK_STORE, .global_address = BASE, .size = 2048);
	rig_run(b->rig, 1500);
	assert_int_equal(rig_port_stop(b->rig, 0, 0, 0), 0);
	bench_wait_idle(b);
	assert_false(rig_faulted(b->rig, 1));
	assert_int_equal(rig_dead_ports(b->rig), 0);
}

/* A store to every port of the build, at another place of each. */
TEST(test_multimem)
{
	enum { WINDOW = 0x3000, BYTES = 0x1100, AT = 0x0F80 };
	static const struct rig_window windows[] = { { BASE, BASE + SIZE - 1, RIG_BOTH },
		                                     { 0x777000, 0x777000 + WINDOW - 1, RIG_MULTIMEM } };
	const struct rig_queue setup = { .windows = windows, .num_windows = 2 };
	struct rig_multimem mm = { .base = 0x777000, .limit = 0x777000 + WINDOW - 1 };
	uint8_t bytes[BYTES], *memory[TMA_SIM_MAX_PORTS];
	struct bench b;
	uint32_t ports;

	bench_open(&b, *state);
	ports = rig_info(b.rig)->ports;
	mm.ports = (1u << ports) - 1;
	for (uint32_t p = 0; p < ports; p++) {
		mm.port_base[p] = UINT64_C(0xABC0000000) + p * 0x10000;
		memory[p] = calloc(1, WINDOW);
		assert_non_null(memory[p]);
		assert_int_equal(rig_map(b.rig, p, mm.port_base[p], WINDOW, memory[p]), 0);
	}
	assert_int_equal(rig_multimem(b.rig, rig_info(b.rig)->multimem, &mm), -EINVAL);
	assert_int_equal(rig_multimem(b.rig, rig_info(b.rig)->multimem - 1, &mm), 0);
	assert_int_equal(rig_queue_setup(b.rig, 1, &setup), 0);
	for (uint32_t i = 0; i < BYTES; i++)
		bytes[i] = (uint8_t)(i * 29 + 3);
	assert_int_equal(rig_smem_write(b.rig, 0, 2048, bytes, BYTES), 0);
	bench_do(&b, TMA_MULTIMEM_BULK_STORE, .global_address = 0x777000 + AT, .size = BYTES,
	         .shared_src = 2048);
	bench_wait_idle(&b);
	assert_false(rig_faulted(b.rig, 1));
	for (uint32_t p = 0; p < ports; p++) {
		assert_memory_equal(memory[p] + AT, bytes, BYTES);
		for (uint32_t i = 0; i < WINDOW; i++)
			assert_true((i >= AT && i < AT + BYTES) || !memory[p][i]);
	}
	assert_int_equal(rig_failed(b.rig), 0);
	/* Not while a queue may use it. */
	assert_int_equal(rig_multimem(b.rig, 0, &mm), -EIO);
	b.failures = 1;
	bench_close(&b);
	for (uint32_t p = 0; p < ports; p++)
		free(memory[p]);
}

BENCH_TEST(test_wrong_queues)
{
	const struct rig_multimem mm = { 0 };

	assert_int_equal(rig_resume(b->rig, 16, 0), -EINVAL);
	assert_int_equal(rig_queue_reset(b->rig, 16), -EINVAL);
	assert_int_equal(rig_cancel(b->rig, 16), -EINVAL);
	assert_int_equal(rig_doorbell(b->rig, 16, 0), -EINVAL);
	assert_int_equal(rig_consume(b->rig, 16), -EINVAL);
	assert_int_equal(rig_port_stop(b->rig, 4, RIG_AR, 0), -EINVAL);
	assert_int_equal(rig_multimem(b->rig, 8, &mm), -EINVAL);
	/* Doorbells of a queue that is bound to the direct port. */
	assert_int_equal(rig_doorbell(b->rig, 1, 1), RIG_SLVERR);
	assert_null(rig_ring_slot(b->rig, 1, 0));
	assert_null(rig_completion_slot(b->rig, 1, 0));
}

int recovery_tests(const char *name, struct where *w)
{
	return run_file_tests_on(name, w);
}
