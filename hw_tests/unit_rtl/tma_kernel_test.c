/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_kernel_test - the engine behind the ports of a kernel, used as a host would.
 *
 * Requirement: the shell's registers in front of the engine's, which are at their addresses, a memory
 * port for each global port, an interrupt; work comes through a ring in global memory.
 * Checks: identity and ap_ctrl; shared memory of every CTA through the shell; a program that loads into shared memory and
 * stores to all ports at once, its records in memory and the interrupt; every byte that was moved; that the pages of all
 * queues are in reach, and what is behind them is refused; the AXI rules on every port; the assertions of the whole engine.
 */
#include <stdbool.h>
#include <string.h>

#include "unit_rtl/kernel_bench.h"
#include "unit_rtl/unit_test.h"
#include "tma_abi.h"
#include "tma_kernel_pins.h"
#include "tma_regs.h"
#include "tma_shell.h"

#define MAX_PORTS 2 /* of a kernel */

/* Memory of port 0 and of port 1: other addresses, so that what goes astray is noticed. */
#define PAGE       4096u
#define REGION     (8 * PAGE)
#define BASE(port) (UINT64_C(0x100000000) * ((port) + 1))
#define RING       BASE(0)
#define COMPLETION (BASE(0) + PAGE)
#define SOURCE     (BASE(0) + 2 * PAGE)
#define TARGET     (4 * PAGE) /* in every region */
#define MULTIMEM   UINT64_C(0x7000000000)
#define BYTES      PAGE
#define SHARED     0x1000u
#define BARRIER    0x40u
#define QUEUE      1u
#define STREAM     0x5Au
#define WAIT_LIMIT 5000u

struct bench {
	struct kernel_bench kernel;
	uint8_t memory[MAX_PORTS][REGION];
};

static void bench_open(struct bench *b)
{
	const struct kernel_bench_opts opts = { .latency = 20, .stall_percent = 20 };
	struct rng rng = rng_make(1, 1);

	memset(b, 0, sizeof(*b));
	assert_true(kernel_bench_open(&b->kernel, &opts));
	for (uint32_t p = 0; p < unit_shape()->ports; p++)
		assert_int_equal(kernel_bench_map(&b->kernel, p, BASE(p), REGION, b->memory[p]), 0);
	for (uint32_t i = 0; i < BYTES; i++)
		b->memory[0][SOURCE - BASE(0) + i] = (uint8_t)rng_next(&rng);
}

/* Every test lets the engine come to its end. */
static void bench_close(struct bench *b)
{
	bool idle = false;

	for (uint32_t i = 0; i < WAIT_LIMIT && !idle; i++)
		idle = kernel_bench_idle(&b->kernel);
	assert_true(idle);
	assert_int_equal(kernel_bench_close(&b->kernel), 0);
}

#define BENCH_TEST(name) TEST_IN(name, struct bench, b, bench_open(b), bench_close(b))

/*
 * The host.
 */

static uint32_t get(struct bench *b, uint32_t address)
{
	return kernel_bench_read(&b->kernel, address);
}

static void put(struct bench *b, uint32_t address, uint32_t value)
{
	kernel_bench_write(&b->kernel, address, value);
}

static void put64(struct bench *b, uint32_t address, uint64_t value)
{
	put(b, address, (uint32_t)value);
	put(b, address + 4, (uint32_t)(value >> 32));
}

static void put_window(struct bench *b, uint32_t window, uint32_t attr, uint64_t base, uint64_t size)
{
	put(b, TMA_REG_WINDOW_INDEX, QUEUE << 8 | window);
	put64(b, TMA_REG_WINDOW_BASE_LO, base);
	put64(b, TMA_REG_WINDOW_LIMIT_LO, base + size - 1);
	put(b, TMA_REG_WINDOW_ATTR, attr);
}

static void set_up_queue(struct bench *b)
{
	uint32_t p, ports = unit_shape()->ports;

	put_window(b, 0, 3, BASE(0), REGION);
	put_window(b, 1, 4, MULTIMEM, BYTES);
	for (p = 0; p < ports; p++) {
		put(b, TMA_REG_MULTIMEM_INDEX, p << 8);
		put64(b, TMA_REG_MULTIMEM_PORT_BASE_LO, BASE(p) + TARGET);
	}
	put64(b, TMA_REG_MULTIMEM_BASE_LO, MULTIMEM);
	put64(b, TMA_REG_MULTIMEM_LIMIT_LO, MULTIMEM + BYTES - 1);
	put(b, TMA_REG_MULTIMEM_PORTS, (1u << ports) - 1);
	put(b, TMA_REG_QUEUE_CTA(QUEUE), 1u << 16);
	put(b, TMA_REG_QUEUE_STREAM(QUEUE), STREAM);
	put64(b, TMA_REG_QUEUE_RING_BASE_LO(QUEUE), RING);
	put64(b, TMA_REG_QUEUE_COMPLETION_BASE_LO(QUEUE), COMPLETION);
	put(b, TMA_REG_QUEUE_RING_SIZE(QUEUE), 4 << 8 | 4);
	put(b, TMA_REG_QUEUE_CONTROL(QUEUE), 3);
	assert_int_equal(get(b, TMA_REG_QUEUE_CONTROL(QUEUE)), 3);
}

/* Load, wait for it, store to all ports, wait for that, say so. */
static uint32_t write_program(struct bench *b)
{
	const struct tma_command program[] = {
		{ .opcode = TMA_MBARRIER_INIT, .barrier = BARRIER, .count = 1 },
		{ .opcode = TMA_MBARRIER_ARRIVE,
		  .flags = TMA_FLAG_EXPECT_TX,
		  .barrier = BARRIER,
		  .count = 1,
		  .tx = BYTES },
		{ .opcode = TMA_BULK_LOAD,
		  .global_address = SOURCE,
		  .size = BYTES,
		  .shared_dst = SHARED,
		  .barrier = BARRIER },
		{ .opcode = TMA_MBARRIER_TRY_WAIT,
		  .flags = TMA_FLAG_PARITY,
		  .barrier = BARRIER,
		  .tx = ~0u,
		  .tag = 3 },
		{ .opcode = TMA_MULTIMEM_BULK_STORE,
		  .global_address = MULTIMEM,
		  .shared_src = SHARED,
		  .size = BYTES },
		{ .opcode = TMA_BULK_COMMIT_GROUP },
		{ .opcode = TMA_BULK_WAIT_GROUP },
		{ .opcode = TMA_SIGNAL, .tag = 7 },
	};
	uint32_t i, count = sizeof(program) / sizeof(program[0]);

	for (i = 0; i < count; i++) {
		struct tma_command c = program[i];

		c.version = TMA_COMMAND_VERSION;
		memcpy(b->memory[0] + RING - BASE(0) + 64 * i, &c, sizeof(c));
	}
	return count;
}

static struct tma_record record(const struct bench *b, uint32_t index)
{
	struct tma_record r;

	memcpy(&r, b->memory[0] + COMPLETION - BASE(0) + sizeof(r) * index, sizeof(r));
	return r;
}

BENCH_TEST(identity)
{
	const struct unit_shape *info = unit_shape();

	assert_int_equal(get(b, TMA_REG_MAGIC), TMA_REG_MAGIC_RESET);
	assert_int_equal(get(b, TMA_REG_CAP(0)),
	                 info->ports << 24 | info->queues << 16 | info->ctas << 8 | info->data_bytes);
	assert_int_equal(get(b, TMA_REG_CAP(1)), info->smem_bytes);
	/* The last queue's page, and the one behind it. */
	put(b, TMA_REG_DOOR_INTERRUPT_ENABLE(info->queues - 1), 1);
	assert_int_equal(get(b, TMA_REG_DOOR_INTERRUPT_ENABLE(info->queues - 1)), 1);
	assert_int_equal(get(b, TMA_SHELL_REFUSALS), 0);
	assert_int_equal(get(b, TMA_REG_DOOR_INTERRUPT_ENABLE(info->queues)), 0);
	assert_int_equal(get(b, TMA_SHELL_REFUSALS), 1);
}

BENCH_TEST(control)
{
	assert_int_equal(get(b, TMA_SHELL_CTRL), 0x4);
	put(b, TMA_SHELL_GIE, 1);
	put(b, TMA_SHELL_IER, 1);
	put(b, TMA_SHELL_CTRL, 1);
	assert_int_equal(kernel_bench_interrupt(&b->kernel), 1);
	assert_int_equal(get(b, TMA_SHELL_CTRL), 0xE);
	assert_int_equal(get(b, TMA_SHELL_CTRL), 0x4);
	put(b, TMA_SHELL_ISR, 1);
	assert_int_equal(kernel_bench_interrupt(&b->kernel), 0);
	assert_int_equal(get(b, TMA_REG_STATUS), 1);
}

/* A word in every CTA, written byte by byte. */
BENCH_TEST(shared_memory)
{
	const struct unit_shape *info = unit_shape();
	uint32_t place = info->smem_bytes - 20, c, i;

	for (c = 0; c < info->ctas; c++) {
		for (i = 0; i < 4; i++) {
			put(b, TMA_SHELL_SMEM_STROBE, 1u << i);
			put(b, TMA_SHELL_SMEM_ADDRESS, c << 24 | place);
			put(b, TMA_SHELL_SMEM_DATA, (c + 1) * 0x04030201);
		}
	}
	for (c = 0; c < info->ctas; c++) {
		put(b, TMA_SHELL_SMEM_ADDRESS, c << 24 | place);
		assert_int_equal(get(b, TMA_SHELL_SMEM_DATA), (c + 1) * 0x04030201);
	}
	assert_int_equal(get(b, TMA_SHELL_REFUSALS), 0);
	put(b, TMA_SHELL_SMEM_ADDRESS, info->ctas << 24);
	assert_int_equal(get(b, TMA_SHELL_SMEM_DATA), 0);
	assert_int_equal(get(b, TMA_SHELL_REFUSALS), 1);
}

BENCH_TEST(ring_program)
{
	uint32_t count, limit = 0, p;
	bool busy_seen = false;

	set_up_queue(b);
	put(b, TMA_REG_DOOR_INTERRUPT_ENABLE(QUEUE), 1);
	count = write_program(b);
	put(b, TMA_REG_DOOR_TAIL(QUEUE), count);
	while (get(b, TMA_REG_DOOR_PRODUCER(QUEUE)) < 2) {
		assert_true(limit++ < WAIT_LIMIT);
		assert_int_equal(get(b, TMA_REG_DOOR_FAULT(QUEUE)), 0);
		busy_seen |= !(get(b, TMA_SHELL_CTRL) & 0x4);
	}
	assert_true(busy_seen);
	assert_int_equal(kernel_bench_interrupt(&b->kernel), 1);
	assert_int_equal(record(b, 0).kind, TMA_KIND_ANSWER);
	assert_int_equal(record(b, 0).value, 1);
	assert_int_equal(record(b, 0).tag, 3);
	assert_int_equal(record(b, 1).kind, TMA_KIND_SIGNAL);
	assert_int_equal(record(b, 1).tag, 7);
	assert_int_equal(record(b, 1).sequence, count - 1);
	assert_int_equal(record(b, 1).queue, QUEUE);
	assert_int_equal(record(b, 1).phase, 1);
	for (p = 0; p < unit_shape()->ports; p++)
		assert_memory_equal(b->memory[p] + TARGET, b->memory[0] + SOURCE - BASE(0), BYTES);
	/* What was loaded is seen through the window. */
	put(b, TMA_SHELL_SMEM_ADDRESS, SHARED);
	for (p = 0; p < BYTES; p += 4) {
		uint32_t word = get(b, TMA_SHELL_SMEM_DATA);

		assert_memory_equal(&word, b->memory[0] + SOURCE - BASE(0) + p, 4);
	}

	put(b, TMA_REG_DOOR_CONSUMER(QUEUE), 2);
	put(b, TMA_REG_DOOR_INTERRUPT_PENDING(QUEUE), 1);
	assert_int_equal(kernel_bench_interrupt(&b->kernel), 0);
	assert_int_equal(get(b, TMA_REG_DOOR_HEAD(QUEUE)), count);
	assert_int_equal(get(b, TMA_SHELL_CTRL), 0x4);
}
