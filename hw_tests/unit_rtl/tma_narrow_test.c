/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_narrow_test - a port between the engine's full-width bursts and a 64-bit bus.
 *
 * Requirement: a burst comes at the bus as one of 64-bit beats with its id and attributes, or as two if it has more than 256;
 * reads give every line as memory has it, however the beats of ids interleave; writes change the bytes that have
 * a strobe; a burst is answered once, with the worst of what the bus has answered, a line of a read with the worst of its
 * beats. A beat per cycle and direction, also of the shortest bursts. Data is not ahead of its address.
 * Checks: every address at the bus; all data and responses; memory at the end; the AXI checker on both sides; beats per
 * cycle; the units' assertions.
 */
#include "unit_rtl/tma_narrow_env.h"

/* The lists are large. */
static struct env the_env;

#define ENV_TEST(name)                        \
	static void name##_in(struct env *e); \
	TEST(name)                            \
	{                                     \
		name##_in(&the_env);          \
	}                                     \
	static void name##_in(struct env *e)

static void random_run(struct env *e, uint64_t seed, const struct axi_mem_opts *opts, uint32_t cycles)
{
	env_open(e, seed, opts);
	e->ask[NARROW_AR] = 10 + rng_below(&e->rng, 91);
	e->ask[NARROW_AW] = 10 + rng_below(&e->rng, 91);
	e->data = 20 + rng_below(&e->rng, 81);
	e->take = 30 + rng_below(&e->rng, 71);
	env_run(e, cycles);
	env_drain(e);
	for (uint32_t d = 0; d < NARROW_DIRECTIONS; d++)
		assert_true(e->split[d] > 3 && e->bus_beats[d] > cycles / 8);
	env_close(e);
}

ENV_TEST(random_bursts)
{
	struct axi_mem_opts opts = { .latency = 10, .random_latency = 40, .stall_percent = 10 };

	for (uint64_t seed = 1; seed <= 4; seed++)
		random_run(e, seed, &opts, 12000);
}

/* The other orders that AXI allows; an early write has its data and its address at once. */
ENV_TEST(manners_of_the_bus)
{
	struct rng rng = rng_make(5, 1);

	for (uint64_t seed = 10; seed < 18; seed++) {
		struct axi_mem_opts opts = { .latency = 5, .random_latency = 20 };

		do {
			opts.manners = axi_manners_draw(&rng, false);
		} while (axi_manners_slow(&opts.manners));
		env_open(e, seed, &opts);
		env_run(e, 4000);
		env_drain(e);
		env_close(e);
	}
}

ENV_TEST(reads_in_order)
{
	struct axi_mem_opts opts = { .latency = 10, .reads_in_order = true };

	random_run(e, 20, &opts, 8000);
}

/* One beat is bad, or two of a line, or one of either part, the milder one first or last. */
ENV_TEST(responses)
{
	struct axi_mem_opts opts = { .latency = 10, .random_latency = 10 };

	for (uint64_t seed = 30; seed < 34; seed++) {
		uint32_t write = NARROW_READ + (seed & 1) * 2 * NARROW_PAGE;

		env_open(e, seed, &opts);
		env_error(e, NARROW_AR, 0x208, 8, AXI_DECERR);
		env_error(e, NARROW_AR, 0x300, 8, AXI_SLVERR);
		env_error(e, NARROW_AR, NARROW_PAGE + 0x400, 8, AXI_SLVERR);
		env_error(e, NARROW_AR, NARROW_PAGE + 0x408, 8, AXI_DECERR);
		env_error(e, NARROW_AR, NARROW_PAGE + 0x500, 8, AXI_DECERR);
		env_error(e, NARROW_AR, NARROW_PAGE + 0x508, 8, AXI_SLVERR);
		env_error(e, NARROW_AR, 2 * NARROW_PAGE + 0xC00, 0x400, AXI_SLVERR);
		env_error(e, NARROW_AW, write + 0x18, 8, AXI_DECERR);
		env_error(e, NARROW_AW, write + 0xFF8, 8, AXI_SLVERR);
		env_error(e, NARROW_AW, write + NARROW_PAGE + 0x10, 8, AXI_SLVERR);
		env_error(e, NARROW_AW, write + NARROW_PAGE + 0xF00, 0x100, AXI_DECERR);
		env_run(e, 8000);
		env_drain(e);
		assert_true(e->bad_answers > 20);
		env_close(e);
	}
}

/* Beats per cycle at the bus while bursts of `bytes` queue up. */
static double rate(struct env *e, uint32_t bytes, uint32_t direction)
{
	struct axi_mem_opts opts = { .latency = 10 };
	double beats, cycles;

	env_open(e, 40, &opts);
	e->fixed_bytes = bytes;
	if (direction < NARROW_DIRECTIONS)
		e->left[!direction] = 0;
	env_run(e, 6000);
	direction %= NARROW_DIRECTIONS;
	beats = e->bus_beats[direction];
	cycles = (double)(e->last[direction] - e->first[direction] + 1);
	env_drain(e);
	env_close(e);
	return beats / cycles;
}

ENV_TEST(a_beat_per_cycle)
{
	uint32_t bytes = unit_shape()->data_bytes;

	for (uint32_t size = bytes; size <= NARROW_PAGE; size *= 2) {
		for (uint32_t direction = 0; direction < 2; direction++)
			assert_true(rate(e, size, direction) > 0.999);
		/* Both directions at once. */
		assert_true(rate(e, size, NARROW_AR + NARROW_DIRECTIONS) > 0.999);
		assert_true(rate(e, size, NARROW_AW + NARROW_DIRECTIONS) > 0.999);
	}
}

/* So many bursts of one id are on the way, and no more are asked for until one has ended; then all goes on. */
ENV_TEST(bursts_on_the_way)
{
	struct axi_mem_opts opts = { .latency = 2000 };

	env_open(e, 50, &opts);
	e->fixed_bytes = e->bytes;
	e->one_id = 1;
	env_run(e, 1500);
	for (uint32_t d = 0; d < NARROW_DIRECTIONS; d++)
		assert_int_equal(e->parts[d].got, 16);
	env_drain(e);
	env_close(e);
}
