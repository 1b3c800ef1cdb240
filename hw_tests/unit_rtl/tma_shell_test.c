/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_shell_test - the shell between a host and the engine.
 *
 * Requirement: the registers of rtl/spec/shell.rdl; everything else reaches the engine as the host has sent it, once; no
 * access is answered with an error, but what is refused, by the engine or here, reads 0 and is counted; an access of shared
 * memory is answered when it has happened.
 * Checks: data and responses of a host that reads and writes at the same time, against registers in C, shared memories that
 * let it wait, and an engine that answers when it likes; every request at shared memory, and all of its bytes at the end; the
 * interrupt; the unit's assertions.
 */
#include "unit_rtl/tma_shell_env.h"

#define ADDRESS TMA_SHELL_SMEM_ADDRESS
#define DATA    TMA_SHELL_SMEM_DATA
#define STROBE  TMA_SHELL_SMEM_STROBE

static uint32_t word_of(const uint8_t *memory, uint32_t at)
{
	uint32_t word;

	memcpy(&word, memory + at, sizeof(word));
	return word;
}

BENCH_TEST(out_of_reset, 1)
{
	assert_int_equal(get(b, TMA_SHELL_SHELL), 0x31534D54);
	assert_int_equal(get(b, TMA_SHELL_REFUSALS), 0);
	assert_int_equal(get(b, ADDRESS), 0);
	assert_int_equal(get(b, STROBE), 0xF);
	assert_int_equal(get(b, TMA_SHELL_CTRL), 4);
}

BENCH_TEST(refusals, 2)
{
	/* The engine's. */
	assert_true(engine_refuses(0x40) && !engine_refuses(0x10));
	assert_int_equal(get(b, 0x40), 0);
	put(b, 0x40, 1);
	assert_int_equal(get(b, 0x10), engine_data(0x10));
	put(b, 0x10, 1);
	assert_int_equal(get(b, TMA_SHELL_REFUSALS), 2);
	/* The shell's. */
	put(b, TMA_SHELL_SHELL, 0);
	put(b, TMA_SHELL_REFUSALS, 0);
	assert_int_equal(get(b, TMA_SHELL_REFUSALS), 4);
	for (uint32_t i = 0; i < TMA_SHELL_ARGUMENT_COUNT; i++) {
		put(b, TMA_SHELL_ARGUMENT_LO(i), 5);
		assert_int_equal(get(b, TMA_SHELL_ARGUMENT_HI(i)), 0);
	}
	assert_int_equal(get(b, TMA_SHELL_REFUSALS), 4 + 2 * TMA_SHELL_ARGUMENT_COUNT);
	assert_int_equal(get(b, TMA_SHELL_SHELL), 0x31534D54);
}

BENCH_TEST(shared_memory, 3)
{
	uint32_t last = unit_shape()->ctas - 1, i;

	put(b, ADDRESS, last << 24 | 0x23);
	assert_int_equal(get(b, ADDRESS), last << 24 | 0x20);
	for (i = 0; i < 10; i++)
		put(b, DATA, 0x01020304 * i);
	assert_int_equal(get(b, ADDRESS), last << 24 | 0x48);
	for (i = 0; i < 10; i++)
		assert_int_equal(word_of(b->memory[last], 0x20 + 4 * i), 0x01020304 * i);
	put(b, ADDRESS, last << 24 | 0x20);
	for (i = 0; i < 10; i++)
		assert_int_equal(get(b, DATA), 0x01020304 * i);
	/* Bytes. */
	put(b, STROBE, 0x6);
	put(b, ADDRESS, 0x34);
	i = word_of(b->memory[0], 0x34);
	put(b, DATA, ~i);
	put_strobed(b, ADDRESS, 0x34, 15);
	assert_int_equal(get(b, DATA), i ^ 0x00FFFF00);
	assert_int_equal(get(b, STROBE), 0x6);
	assert_int_equal(get(b, TMA_SHELL_REFUSALS), 0);
}

BENCH_TEST(outside_of_shared_memory, 4)
{
	uint32_t end = unit_shape()->smem_bytes, ctas = unit_shape()->ctas;

	put(b, ADDRESS, end - 4);
	put(b, DATA, 7);
	put(b, DATA, 8);
	assert_int_equal(get(b, TMA_SHELL_REFUSALS), 1);
	assert_int_equal(get(b, ADDRESS), end + 4);
	assert_int_equal(word_of(b->memory[0], end - 4), 7);
	assert_int_equal(get(b, DATA), 0);
	put(b, ADDRESS, ctas << 24);
	assert_int_equal(get(b, DATA), 0);
	assert_int_equal(get(b, TMA_SHELL_REFUSALS), 3);
	/* From the end of one CTA's offsets to the next. */
	put(b, ADDRESS, 0x00FFFFFC);
	assert_int_equal(get(b, DATA), 0);
	assert_int_equal(get(b, ADDRESS), 0x01000000);
	assert_int_equal(get(b, DATA), word_of(b->memory[1], 0));
	assert_int_equal(get(b, TMA_SHELL_REFUSALS), 4);
	/* And from the last word to the first. */
	put(b, ADDRESS, 0xFFFFFFFC);
	put(b, DATA, 1);
	assert_int_equal(get(b, ADDRESS), 0);
}

static uint32_t draw_address(struct bench *b)
{
	static const uint32_t control[] = { TMA_SHELL_CTRL, TMA_SHELL_GIE, TMA_SHELL_IER, TMA_SHELL_ISR };
	uint32_t what = rng_below(&b->rng, 100);

	if (what < 20)
		return control[rng_below(&b->rng, 4)];
	if (what < 60)
		return DATA;
	if (what < 75)
		return TMA_SHELL_ARGUMENT(0) + rng_below(&b->rng, 64);
	return rng_below(&b->rng, 0x10000);
}

/* Near the beginning and the end of the memory of a CTA, and of its offsets. */
static uint32_t draw_place(struct bench *b)
{
	uint32_t end = unit_shape()->smem_bytes, cta = rng_below(&b->rng, unit_shape()->ctas + 1);
	const uint32_t from[] = { 0, rng_below(&b->rng, end), end - 8, 0xFFFFF8 };

	return cta << 24 | (from[rng_below(&b->rng, 4)] + rng_below(&b->rng, 16));
}

static struct transfer draw(struct bench *b, uint32_t direction)
{
	struct transfer t = { .active = true,
		              .address = draw_address(b),
		              .data = (uint32_t)rng_next(&b->rng),
		              .strobes = rng_percent(&b->rng, 80) ? 15 : rng_below(&b->rng, 16) };

	if (direction == WRITE && rng_percent(&b->rng, 10)) {
		t.address = ADDRESS;
		t.data = draw_place(b);
		t.strobes = 15;
	}
	return t;
}

/* Reads and writes of both sides at once, with pauses of everyone. */
BENCH_TEST(random_transfers, 5)
{
	for (uint32_t i = 0; i < 60000; i++) {
		if (i % 1000 == 0)
			b->lazy_percent = rng_below(&b->rng, 3) * 40;
		b->in->irq = rng_percent(&b->rng, 10);
		/* A read on its way sees the engine's idle as of one cycle or another. */
		if (!b->host[READ].active && !b->flight[READ].active && rng_percent(&b->rng, 50)) {
			b->in->idle = !b->in->idle;
			step(b);
		}
		for (uint32_t d = 0; d < DIRECTIONS; d++)
			if (!b->host[d].active && rng_percent(&b->rng, 70))
				b->host[d] = draw(b, d);
		step(b);
	}
	settle(b);
	assert_int_equal(get(b, TMA_SHELL_REFUSALS), b->refusals);
	assert_true(b->transfers[WRITE] > 4000 && b->transfers[READ] > 4000 && b->shared > 1000);
}
