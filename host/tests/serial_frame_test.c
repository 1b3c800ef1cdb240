/* SPDX-License-Identifier: Apache-2.0 */
/*
 * serial_frame_test - frames of the serial line, and the pages of a board.
 *
 * Spec: docs/board.md ("The line"), RFC 1662 (4.2, C.3)
 * Checks: the FCS against its published check value; stuffing byte by byte; whatever was sent comes out, of any length;
 *         what is too short, too long, cut off, or has a bit, a byte or an escape too many or too few, is bad, and the
 *         next frame is good. First fit of pages.
 */
#include <string.h>

#include "lib/rng.h"
#include "serial_frame.h"
#include "serial_memory.h"
#include "serial_test.h"
#include "tma.h"

#define CHECK "123456789"

/* Bytes into a decoder. @return what the last one gave; the others gave nothing */
static enum serial_event feed(struct serial_decoder *d, const uint8_t *line, size_t bytes, size_t *count)
{
	enum serial_event event = SERIAL_NOTHING;
	size_t i;

	for (i = 0; i < bytes; i++) {
		assert_int_equal(event, SERIAL_NOTHING);
		event = serial_decode(d, line[i], count);
	}
	return event;
}

static void expect_frame(struct serial_decoder *d, const uint8_t *line, size_t bytes, const void *frame,
                         size_t length)
{
	size_t count = 0;

	assert_int_equal(feed(d, line, bytes, &count), SERIAL_FRAME);
	assert_int_equal(count, length);
	assert_memory_equal(d->bytes, frame, length);
}

/* A good frame comes out of this decoder, whatever it has been through. */
static void expect_sound(struct serial_decoder *d)
{
	uint8_t line[SERIAL_LINE_BYTES(9)];

	expect_frame(d, line, serial_encode((const uint8_t *)CHECK, 9, line), CHECK, 9);
}

TEST(test_fcs)
{
	assert_int_equal(serial_fcs((const uint8_t *)CHECK, 9), 0xCBF43926);
	assert_int_equal(serial_fcs(NULL, 0), 0);
}

TEST(test_line_bytes)
{
	static const uint8_t expected[] = { 0x7E, '1', '2',  '3',  '4',  '5',  '6', '7',
		                            '8',  '9', 0x26, 0x39, 0xF4, 0xCB, 0x7E };
	uint8_t line[SERIAL_LINE_BYTES(9)];

	assert_int_equal(serial_encode((const uint8_t *)CHECK, 9, line), sizeof(expected));
	assert_memory_equal(line, expected, sizeof(expected));
}

TEST(test_stuffing)
{
	static const uint8_t bytes[] = { 0x7E, 0x7D, 0x5E, 0x20 };
	static const uint8_t expected[] = { 0x7E, 0x7D, 0x5E, 0x7D, 0x5D, 0x5E, 0x20 };
	uint8_t line[SERIAL_LINE_BYTES(sizeof(bytes))];
	struct serial_decoder d = { .count = 0 };
	size_t count = serial_encode(bytes, sizeof(bytes), line);

	assert_memory_equal(line, expected, sizeof(expected));
	expect_frame(&d, line, count, bytes, sizeof(bytes));
}

/* Also where the FCS has bytes that are stuffed. */
TEST(test_stuffed_fcs)
{
	struct serial_decoder d = { .count = 0 };
	uint8_t line[SERIAL_LINE_BYTES(4)], bytes[4] = { 0 };
	uint32_t i, stuffed = 0;
	size_t count;

	for (i = 0; i < 2000; i++) {
		bytes[0] = (uint8_t)(i % 100);
		bytes[1] = (uint8_t)(i / 100);
		count = serial_encode(bytes, 4, line);
		stuffed += count > 10;
		expect_frame(&d, line, count, bytes, 4);
	}
	assert_true(stuffed > 20);
}

TEST(test_every_length)
{
	static uint8_t line[SERIAL_LINE_BYTES(SERIAL_MAX_BYTES)];
	struct serial_decoder d = { .count = 0 };
	struct rng rng = rng_make(1, 0);
	uint8_t bytes[SERIAL_MAX_BYTES];
	size_t length, i, count;

	for (length = SERIAL_MIN_BYTES; length <= SERIAL_MAX_BYTES; length++) {
		for (i = 0; i < length; i++)
			bytes[i] = rng_percent(&rng, 30) ? 0x7D + (uint8_t)rng_below(&rng, 2)
			                                 : (uint8_t)rng_next(&rng);
		count = serial_encode(bytes, length, line);
		assert_true(count <= SERIAL_LINE_BYTES(length));
		expect_frame(&d, line, count, bytes, length);
	}
}

TEST(test_flags)
{
	static const uint8_t flags[] = { 0x7E, 0x7E, 0x7E };
	struct serial_decoder d = { .count = 0 };
	uint8_t line[SERIAL_LINE_BYTES(9)];
	size_t count, bytes = serial_encode((const uint8_t *)CHECK, 9, line);

	assert_int_equal(feed(&d, flags, sizeof(flags), &count), SERIAL_NOTHING);
	expect_frame(&d, line, bytes, CHECK, 9);
	/* One flag between two frames is enough. */
	expect_frame(&d, line + 1, bytes - 1, CHECK, 9);
}

static void expect_bad(const uint8_t *line, size_t bytes)
{
	struct serial_decoder d = { .count = 0 };
	size_t count = 99;

	assert_int_equal(feed(&d, line, bytes, &count), SERIAL_BAD);
	assert_int_equal(count, 0);
	expect_sound(&d);
}

/* Their FCS is right: their length is what is wrong. */
TEST(test_wrong_lengths)
{
	static uint8_t line[SERIAL_LINE_BYTES(SERIAL_MAX_BYTES + 5000)], bytes[SERIAL_MAX_BYTES + 5000];

	expect_bad(line, serial_encode(bytes, 0, line));
	expect_bad(line, serial_encode(bytes, 1, line));
	expect_bad(line, serial_encode(bytes, SERIAL_MAX_BYTES + 1, line));
	expect_bad(line, serial_encode(bytes, SERIAL_MAX_BYTES + 4, line));
	expect_bad(line, serial_encode(bytes, SERIAL_MAX_BYTES + 5, line));
	expect_bad(line, serial_encode(bytes, sizeof(bytes), line));
}

TEST(test_short_pieces)
{
	static const uint8_t cut[] = { 0x7E, 1, 2, 3, 0x7D, 0x7E }, escape[] = { 0x7E, 0x7D, 0x7E },
			     one[] = { 0x7E, 1, 0x7E };

	expect_bad(cut, sizeof(cut));
	expect_bad(escape, sizeof(escape));
	expect_bad(one, sizeof(one));
}

TEST(test_every_bit)
{
	uint8_t line[SERIAL_LINE_BYTES(9)], damaged[sizeof(line)];
	size_t bytes = serial_encode((const uint8_t *)CHECK, 9, line), i, count;
	struct serial_decoder d = { .count = 0 };
	uint32_t bit;

	/* A flag in the middle makes two bad frames of one, an escape swallows a byte: never is one good. */
	for (i = 1; i + 1 < bytes; i++) {
		for (bit = 0; bit < 8; bit++) {
			size_t k;

			memcpy(damaged, line, bytes);
			damaged[i] ^= (uint8_t)(1u << bit);
			for (k = 0; k < bytes; k++)
				assert_int_not_equal(serial_decode(&d, damaged[k], &count), SERIAL_FRAME);
			expect_sound(&d);
		}
	}
}

TEST(test_lost_and_doubled_bytes)
{
	uint8_t line[SERIAL_LINE_BYTES(9)], damaged[sizeof(line) + 1];
	size_t bytes = serial_encode((const uint8_t *)CHECK, 9, line), i;

	for (i = 1; i + 1 < bytes; i++) {
		memcpy(damaged, line, i);
		memcpy(damaged + i, line + i + 1, bytes - i - 1);
		expect_bad(damaged, bytes - 1);
		memcpy(damaged, line, i + 1);
		memcpy(damaged + i + 1, line + i, bytes - i);
		expect_bad(damaged, bytes + 1);
	}
}

/*
 * Pages.
 */

#define BASE  UINT64_C(0x80000000)
#define PAGES 13u

static uint64_t take(struct serial_memory *m, uint32_t pages)
{
	uint64_t address = 0;

	assert_int_equal(serial_memory_take(m, pages * UINT64_C(4096), &address), 0);
	assert_true(address >= BASE && address % 4096 == 0);
	return (address - BASE) / 4096;
}

static void give(struct serial_memory *m, uint64_t page)
{
	serial_memory_give(m, BASE + page * 4096);
}

TEST(test_first_fit)
{
	struct serial_memory m = { .base = BASE, .bytes = PAGES * 4096u };
	uint64_t address;

	assert_int_equal(take(&m, 2), 0);
	assert_int_equal(take(&m, 1), 3);
	assert_int_equal(take(&m, 3), 5);
	assert_int_equal(take(&m, 2), 9);
	assert_int_equal(take(&m, 1), 12);
	assert_int_equal(serial_memory_take(&m, 4096, &address), TMA_ENOSPC);
	give(&m, 0);
	give(&m, 5);
	assert_int_equal(take(&m, 3), 5);
	assert_int_equal(take(&m, 1), 0);
	assert_int_equal(serial_memory_take(&m, 4096, &address), TMA_ENOSPC);
	give(&m, 9);
	assert_int_equal(serial_memory_take(&m, 3 * 4096, &address), TMA_ENOSPC);
	assert_int_equal(serial_memory_take(&m, UINT64_MAX - 4095, &address), TMA_ENOSPC);
	give(&m, 12);
	assert_int_equal(take(&m, 4), 9);
	give(&m, 0);
	give(&m, 9);
	give(&m, 3);
	give(&m, 5);
	assert_null(m.blocks);
	assert_int_equal(take(&m, PAGES), 0);
	give(&m, 0);
}

int run_serial_frame_tests(void)
{
	return run_file_tests("serial frames");
}
