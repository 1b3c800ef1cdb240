/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_uarts_test - receivers and transmitters of 4, 5, 16 and 27 clocks per bit.
 *
 * Requirement: 8 data bits, no parity, one stop bit; a sender may be a little fast or slow, and begins when it likes.
 * Checks: every byte once, in order; glitches of one sample are nothing; a byte without a stop bit comes as an error, and
 * after a break the next one is found; what is sent, level by level, without gaps.
 */
#include "unit_rtl/unit_test.h"
#include "tma_uarts_pins.h"

#define UARTS 4u
#define BITS  10u
#define PART  1000u /* of a clock: times are in these */

static const uint32_t clocks[UARTS] = { 4, 5, 16, 27 };

struct bench {
	struct uarts *unit;
	struct uarts_in *in;
	const struct uarts_out *out;
	struct rng rng;
	uint64_t cycle;
};

static void start_bench(struct bench *b, uint64_t seed)
{
	BENCH_OPEN(b, uarts, seed);
	memset(b->in->rx_line, 1, UARTS);
	uarts_start(b->unit);
}

/* A cycle, and the byte that a receiver has in it: -1 none, -2 an error. */
static int step(struct bench *b, uint32_t u)
{
	int byte = -1;

	uarts_eval(b->unit);
	if (b->out->rx_valid[u])
		byte = b->out->rx_error[u] ? -2 : b->out->rx_byte[u];
	for (uint32_t other = 0; other < UARTS; other++)
		REQUIRE(b, other == u || !b->out->rx_valid[other]);
	uarts_tick(b->unit);
	b->cycle++;
	return byte;
}

static void rest(struct bench *b, uint32_t u, uint32_t cycles)
{
	b->in->rx_line[u] = 1;
	for (uint32_t i = 0; i < cycles; i++)
		REQUIRE(b, step(b, u) == -1);
}

/* One sender: bits of `length`, from `phase` of the first clock on. @return what the receiver had, in order */
static size_t send(struct bench *b, uint32_t u, const uint8_t *bytes, size_t count, uint32_t length,
                   uint32_t phase, uint8_t *got)
{
	size_t have = 0;
	uint64_t end = (uint64_t)count * BITS * length + phase;

	for (uint64_t t = 0; t < end + 2 * PART; t += PART) {
		uint64_t bit = t < phase ? UINT64_MAX : (t - phase) / length;
		uint32_t frame = bit < count * BITS ? 1u << 9 | (uint32_t)bytes[bit / BITS] << 1 : UINT32_MAX;
		int byte;

		b->in->rx_line[u] = frame >> bit % BITS & 1;
		byte = step(b, u);
		REQUIRE(b, byte != -2);
		if (byte >= 0) {
			REQUIRE(b, have < count);
			got[have++] = (uint8_t)byte;
		}
	}
	return have;
}

TEST(bytes_are_received)
{
	static const uint32_t permille[UARTS] = { 15, 20, 35, 35 };
	struct bench b;
	uint8_t bytes[12], got[12];

	start_bench(&b, 1);
	for (uint32_t i = 0; i < 600; i++) {
		uint32_t u = i % UARTS, off = permille[u];
		uint32_t length = clocks[u] * (PART - off + rng_below(&b.rng, 2 * off + 1));
		size_t count = 1 + rng_below(&b.rng, sizeof(bytes));

		for (size_t k = 0; k < count; k++)
			bytes[k] = (uint8_t)rng_next(&b.rng);
		/* Somebody who is too fast has to leave the rest of a stop bit now and then: here, between two sends. */
		assert_int_equal(send(&b, u, bytes, count, length, rng_below(&b.rng, PART), got), count);
		assert_memory_equal(got, bytes, count);
		rest(&b, u, 2 + rng_below(&b.rng, 3 * clocks[u]));
	}
	uarts_close(b.unit);
}

/* One sample that is wrong, anywhere: not at rest, not in a bit, whose middle two others confirm. */
TEST(glitches_are_nothing)
{
	struct bench b;

	start_bench(&b, 2);
	for (uint32_t i = 0; i < 400; i++) {
		uint32_t u = i % UARTS, bit = rng_below(&b.rng, BITS),
			 at = 1 + rng_below(&b.rng, clocks[u] - 1);
		uint8_t byte = (uint8_t)rng_next(&b.rng);
		int got = -1;

		b.in->rx_line[u] = 0;
		step(&b, u);
		rest(&b, u, 2 * clocks[u]);
		for (uint32_t c = 0; c < BITS * clocks[u]; c++) {
			uint32_t level = (1u << 9 | (uint32_t)byte << 1) >> c / clocks[u] & 1;
			int now;

			b.in->rx_line[u] = (uint8_t)(level ^ (c == bit * clocks[u] + at));
			now = step(&b, u);
			got = now == -1 ? got : now;
		}
		assert_int_equal(got, byte);
		rest(&b, u, 2 * clocks[u]);
	}
	uarts_close(b.unit);
}

TEST(no_stop_bit_is_an_error)
{
	struct bench b;

	start_bench(&b, 3);
	for (uint32_t i = 0; i < 200; i++) {
		uint32_t u = i % UARTS, low = (uint32_t)(BITS + rng_below(&b.rng, 40)) * clocks[u],
			 errors = 0;
		uint8_t byte = (uint8_t)rng_next(&b.rng), got;

		rest(&b, u, 2);
		b.in->rx_line[u] = 0;
		for (uint32_t c = 0; c < low; c++) {
			int now = step(&b, u);

			REQUIRE(&b, now == -1 || now == -2);
			errors += now == -2;
		}
		assert_int_equal(errors, 1);
		rest(&b, u, 2);
		assert_int_equal(send(&b, u, &byte, 1, clocks[u] * PART, 0, &got), 1);
		assert_int_equal(got, byte);
		rest(&b, u, clocks[u]);
	}
	uarts_close(b.unit);
}

/* Level by level: the line is at rest, or a byte follows the one before at once. */
TEST(bytes_are_sent)
{
	struct bench b;

	start_bench(&b, 4);
	for (uint32_t u = 0; u < UARTS; u++) {
		uint32_t frame = 0, left = 0, sent = 0, gaps = 0;
		bool offered = false;

		for (uint32_t c = 0; sent < 300; c++) {
			if (!offered && rng_percent(&b.rng, sent % 100 < 50 ? 100 : 3)) {
				offered = true;
				b.in->tx_byte[u] = (uint8_t)rng_next(&b.rng);
			}
			b.in->tx_valid[u] = offered;
			uarts_eval(b.unit);
			REQUIRE(&b, b.out->tx_line[u] ==
			                    (left ? frame >> (BITS * clocks[u] - left) / clocks[u] & 1 : 1));
			REQUIRE(&b, b.out->tx_ready[u] == (left <= 1));
			left -= left > 0;
			if (offered && b.out->tx_ready[u]) {
				gaps += left > 0;
				frame = 1u << 9 | (uint32_t)b.in->tx_byte[u] << 1;
				left = BITS * clocks[u];
				offered = false;
				sent++;
			}
			uarts_tick(b.unit);
			b.cycle++;
		}
		b.in->tx_valid[u] = 0;
		assert_int_equal(gaps, 0);
	}
	uarts_close(b.unit);
}
