/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_example_soc_test - the engine with the example's compute unit beside it.
 *
 * Requirement: a job leaves source[i] + addend at its target, and nothing else in memory; it is done when that is in
 * memory. A job that reads beside the window fails, moves nothing, and its queue works again when the host has reset it.
 * Checks: all of memory after each job, with a memory that is quick, and one that stalls; the fault in the registers;
 * the AXI rules; the assertions of engine and unit.
 */
#include "unit_rtl/unit_test.h"
#include "tma_regs.h"
#include "unit_rtl/tma_example_bench.h"

#define TARGET_OF(job) ((uint32_t)((job)->target - EXAMPLE_BASE))
#define SOURCE_OF(job) ((uint32_t)((job)->source - EXAMPLE_BASE))

static void open_bench(struct example_bench *b, const struct axi_mem_opts *opts)
{
	struct rng rng = rng_make(opts->seed, 7);

	memset(b, 0, sizeof(*b));
	for (uint32_t i = 0; i < EXAMPLE_MEMORY; i++)
		b->memory[i] = (uint8_t)rng_next(&rng);
	assert_int_equal(example_bench_open(b, opts), 0);
}

static void good_job(struct example_bench *b, const struct example_soc_job *job)
{
	uint8_t wanted[EXAMPLE_MEMORY];

	memcpy(wanted, b->memory, EXAMPLE_MEMORY);
	for (uint32_t i = 0; i < job->bytes; i += 4) {
		uint32_t element;

		memcpy(&element, b->memory + SOURCE_OF(job) + i, 4);
		element += job->addend;
		memcpy(wanted + TARGET_OF(job) + i, &element, 4);
	}
	assert_int_equal(example_job(b, job), 0);
	assert_memory_equal(b->memory, wanted, EXAMPLE_MEMORY);
}

TEST(sums)
{
	static const struct axi_mem_opts memories[] = {
		{ .latency = 10, .seed = 1 },
		{ .latency = 30, .random_latency = 40, .stall_percent = 30, .seed = 2 }
	};
	static const struct example_soc_job jobs[] = {
		{ EXAMPLE_BASE, EXAMPLE_BASE + 2 * EXAMPLE_PAGE, 16, 1 },
		{ EXAMPLE_BASE + 0x30, EXAMPLE_BASE + 0xFF0, 4080, 0x01020304 },
		{ EXAMPLE_BASE + 0x100, EXAMPLE_BASE + 0x100, 512, 0xFFFFFFFF }, /* in place */
		{ EXAMPLE_BASE + 3 * EXAMPLE_PAGE, EXAMPLE_BASE + 0xFE0, 64, 77 },
	};

	for (uint32_t m = 0; m < 2; m++) {
		struct example_bench b;

		open_bench(&b, &memories[m]);
		for (uint32_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
			good_job(&b, &jobs[i]);
		assert_int_equal(example_bench_close(&b), 0);
	}
}

TEST(fault_and_reset)
{
	const struct axi_mem_opts memory = { .latency = 10, .seed = 3 };
	const struct example_soc_job bad = { EXAMPLE_BASE - 16, EXAMPLE_BASE, 16, 1 };
	const struct example_soc_job good = { EXAMPLE_BASE, EXAMPLE_BASE + EXAMPLE_PAGE, 64, 1 };
	uint8_t before[EXAMPLE_MEMORY];
	struct example_bench b;
	uint32_t value;

	open_bench(&b, &memory);
	memcpy(before, b.memory, EXAMPLE_MEMORY);
	assert_int_equal(example_job(&b, &bad), 1);
	assert_memory_equal(b.memory, before, EXAMPLE_MEMORY);
	assert_int_equal(example_get(&b, TMA_REG_DOOR_FAULT(0), &value), 0);
	assert_int_equal(value & 0xFFFF, TMA_FAULT_WINDOW_READ);
	assert_int_equal(example_put(&b, TMA_REG_DOOR_RESET(0), 1), 0);
	do
		assert_int_equal(example_get(&b, TMA_REG_DOOR_STATUS(0), &value), 0);
	while (value & TMA_REG_DOOR_STATUS_CLOSING_MASK);
	assert_int_equal(example_put(&b, TMA_REG_QUEUE_CONTROL(0), TMA_REG_QUEUE_CONTROL_ENABLE_MASK), 0);
	good_job(&b, &good);
	assert_int_equal(example_bench_close(&b), 0);
}
