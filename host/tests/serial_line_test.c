/* SPDX-License-Identifier: Apache-2.0 */
/*
 * serial_line_test - requests and answers over a line that loses, doubles and changes bytes and answers.
 *
 * Spec: docs/board.md ("The line"), serial_line.h
 * Checks: whatever happens on the line, each request is answered and was carried out once, or the line says why not,
 *         and says it again for each later request; what is in the memory of the board is what was written. The
 *         stand-in counts what it carries out.
 */
#include <stdio.h>
#include <string.h>

#include "lib/rng.h"
#include "serial_port.h"
#include "serial_test.h"
#include "standin/standin.h"
#include "tma_regs.h"

struct bench {
	struct standin *standin;
	struct serial_line *line;
	uint64_t asked; /* but HELLO */
	uint8_t memory[STANDIN_BYTES];
};

static struct bench *begin(const struct standin_faults *faults)
{
	struct bench *b = calloc(1, sizeof(*b));
	char why[SERIAL_WHY_ROOM];

	assert_non_null(b);
	b->standin = standin_start("small", faults);
	assert_non_null(b->standin);
	b->line = serial_line_open(standin_device(b->standin), 3000000, why);
	if (!b->line)
		fail_msg("%s", why);
	return b;
}

/* @return what the board has carried out but HELLO */
static uint64_t end(struct bench *b)
{
	struct board *board;
	uint64_t executed;

	serial_line_close(b->line);
	board = standin_stop(b->standin);
	executed = board_executed_all(board);
	board_free(board);
	free(b);
	return executed;
}

static int ask(struct bench *b, enum serial_operation operation, const void *operands, size_t bytes,
               size_t results, const uint8_t **result)
{
	struct serial_request request = { .operation = (uint8_t)operation,
		                          .operands = operands,
		                          .operand_bytes = bytes,
		                          .result_bytes = results };
	int status = serial_line_ask(b->line, &request);

	b->asked += operation != SERIAL_HELLO;
	if (result)
		*result = request.result;
	return status;
}

static int hello(struct bench *b)
{
	static const uint8_t nonce[4] = { 1, 2, 3, 4 };
	const uint8_t *result;
	int status = ask(b, SERIAL_HELLO, nonce, sizeof(nonce), SERIAL_HELLO_SIZE, &result);

	if (!status)
		assert_memory_equal(result, nonce, sizeof(nonce));
	return status;
}

static void put(uint8_t *bytes, uint64_t value, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
}

static void write_memory(struct bench *b, uint32_t offset, uint32_t bytes)
{
	uint8_t operands[8 + SERIAL_DATA_BYTES];

	put(operands, STANDIN_BASE + offset, 8);
	memcpy(operands + 8, b->memory + offset, bytes);
	assert_int_equal(ask(b, SERIAL_MEM_WRITE, operands, 8 + bytes, 0, NULL), SERIAL_OKAY);
}

static void read_memory(struct bench *b, uint32_t offset, uint32_t bytes)
{
	const uint8_t *result;
	uint8_t operands[10];

	put(operands, STANDIN_BASE + offset, 8);
	put(operands + 8, bytes, 2);
	assert_int_equal(ask(b, SERIAL_MEM_READ, operands, sizeof(operands), bytes, &result), SERIAL_OKAY);
	assert_memory_equal(result, b->memory + offset, bytes);
}

/* Pieces of up to so many bytes are written, and others read. */
static void traffic(struct bench *b, uint32_t requests, uint32_t most)
{
	struct rng rng = rng_make(requests, most);
	uint32_t i, k, offset, bytes;

	assert_int_equal(hello(b), SERIAL_OKAY);
	memset(b->memory, 0xA5, sizeof(b->memory)); /* as the stand-in begins */
	for (i = 0; i < requests; i++) {
		bytes = 1 + rng_below(&rng, most);
		offset = rng_below(&rng, (uint32_t)STANDIN_BYTES / 64 - bytes);
		if (i % 2 == 0) {
			for (k = 0; k < bytes; k++)
				b->memory[offset + k] =
					rng_percent(&rng, 20) ? 0x7E : (uint8_t)rng_next(&rng);
			write_memory(b, offset, bytes);
		} else {
			read_memory(b, offset, bytes);
		}
	}
	for (offset = 0; offset < STANDIN_BYTES / 64; offset += most)
		read_memory(b, offset, most);
}

/* Carried out as often as it was asked: once each. @return what the line has counted */
static struct serial_counts survives(const struct standin_faults *faults, uint32_t requests, uint32_t most)
{
	struct bench *b = begin(faults);
	struct serial_counts counts;
	uint64_t asked;

	traffic(b, requests, most);
	counts = *serial_line_counts(b->line);
	asked = b->asked;
	assert_null(serial_line_why(b->line));
	assert_true(counts.requests == asked + 1);
	assert_true(end(b) == asked);
	return counts;
}

TEST(test_good_line)
{
	struct serial_counts c = survives(&(struct standin_faults){ 0 }, 2000, 1024);

	assert_int_equal(c.retries + c.silent + c.damaged + c.refused + c.old, 0);
	assert_true(c.sent > 500 * 1000 && c.received > 500 * 1000 && c.microseconds > 0);
}

TEST(test_bytes_lost)
{
	struct serial_counts c = survives(&(struct standin_faults){ .lose = 200, .seed = 1 }, 120, 256);

	assert_true(c.retries > 20 && c.damaged > 0 && c.refused > 0);
}

TEST(test_bytes_doubled)
{
	struct serial_counts c = survives(&(struct standin_faults){ .twice = 500, .seed = 2 }, 300, 256);

	assert_true(c.retries > 100 && c.damaged > 0 && c.refused > 0);
}

TEST(test_bits_flipped)
{
	struct serial_counts c = survives(&(struct standin_faults){ .flip = 300, .seed = 3 }, 200, 256);

	assert_true(c.retries > 50 && c.damaged > 0 && c.refused > 0);
}

TEST(test_everything_at_once)
{
	const struct standin_faults faults = { .lose = 100,
		                               .twice = 100,
		                               .flip = 100,
		                               .late_answers = 5,
		                               .lost_answers = 2,
		                               .twice_answers = 10,
		                               .garbage = 3,
		                               .seed = 4 };
	struct serial_counts c = survives(&faults, 150, 200);

	assert_true(c.retries > 50 && c.old > 5);
}

TEST(test_answers_lost)
{
	struct serial_counts c = survives(&(struct standin_faults){ .lost_answers = 10, .seed = 5 }, 20, 64);

	assert_true(c.silent > 3 && c.silent == c.retries);
}

TEST(test_answers_doubled)
{
	struct serial_counts c = survives(&(struct standin_faults){ .twice_answers = 100 }, 300, 1024);

	/* Each but the last is in front of the next answer. */
	assert_true(c.retries == 0 && c.old >= c.requests - 1);
}

/* Late ones come behind the request that was sent again, in front of its answer. */
TEST(test_answers_late)
{
	struct serial_counts c = survives(&(struct standin_faults){ .late_answers = 20, .seed = 6 }, 30, 64);

	assert_true(c.silent > 3 && c.old > 3);
}

TEST(test_garbage_in_front)
{
	struct serial_counts c = survives(&(struct standin_faults){ .garbage = 40, .seed = 7 }, 200, 256);

	assert_true(c.damaged > 100);
}

/* The first request may be part of what is lost. */
TEST(test_many_beginnings)
{
	uint64_t seed;

	for (seed = 0; seed < 20; seed++) {
		struct bench *b = begin(&(struct standin_faults){ .flip = 2000, .seed = seed });

		assert_int_equal(hello(b), SERIAL_OKAY);
		assert_int_equal(ask(b, SERIAL_RESET, "", 0, 0, NULL), SERIAL_OKAY);
		assert_int_equal(hello(b), SERIAL_OKAY);
		assert_true(end(b) >= 1);
	}
}

/*
 * Statuses are answers as others.
 */

TEST(test_statuses)
{
	struct bench *b = begin(&(struct standin_faults){ 0 });
	uint8_t operands[16];
	uint64_t executed;

	assert_int_equal(hello(b), SERIAL_OKAY);
	put(operands, 2, 4);
	assert_int_equal(ask(b, SERIAL_REG_READ, operands, 4, 4, NULL), SERIAL_ADDRESS);
	put(operands, 0x20000, 4);
	assert_int_equal(ask(b, SERIAL_REG_READ, operands, 4, 4, NULL), SERIAL_ADDRESS);
	assert_int_equal(ask(b, SERIAL_REG_READ, operands, 5, 4, NULL), SERIAL_LENGTH);
	put(operands, STANDIN_BASE + STANDIN_BYTES - 1, 8);
	put(operands + 8, 2, 2);
	assert_int_equal(ask(b, SERIAL_MEM_READ, operands, 10, 2, NULL), SERIAL_ADDRESS);
	put(operands, 2u << 24, 4);
	assert_int_equal(ask(b, SERIAL_SMEM_WRITE, operands, 5, 0, NULL), SERIAL_ADDRESS);
	assert_int_equal(ask(b, (enum serial_operation)9, operands, 0, 0, NULL), SERIAL_OPERATION);
	assert_null(serial_line_why(b->line));
	executed = b->asked - 1; /* operation 9 is none */
	assert_true(end(b) == executed);
}

/*
 * What is not survived is said, once and for all.
 */

static void fails(struct bench *b, const char *why)
{
	const uint8_t address[4] = { 0 };
	char expected[SERIAL_WHY_ROOM];
	uint64_t start;

	snprintf(expected, sizeof(expected), "%s: %s", standin_device(b->standin), why);
	assert_string_equal(serial_line_why(b->line), expected);
	start = serial_now();
	assert_int_equal(ask(b, SERIAL_REG_READ, address, 4, 4, NULL), -1);
	assert_true(serial_now() - start < 100000);
	assert_string_equal(serial_line_why(b->line), expected);
}

TEST(test_nobody)
{
	struct bench *b = begin(&(struct standin_faults){ .silent_from = 1 });

	assert_int_equal(hello(b), -1);
	fails(b, "nobody answers at 3000000 baud: is the board configured, is that its baud?");
	assert_int_equal(serial_line_counts(b->line)->silent, 3);
	assert_true(end(b) == 0);
}

/* As with another baud: bytes come, and none is what was sent. */
TEST(test_no_answer_of_a_board)
{
	struct bench *b = begin(&(struct standin_faults){ .babble = true });

	assert_int_equal(hello(b), -1);
	fails(b, "what comes is no answer of a board: is 3000000 its baud?");
	assert_true(end(b) == 0);
}

TEST(test_silence)
{
	struct bench *b = begin(&(struct standin_faults){ .silent_from = 2 });
	const uint8_t address[4] = { 0 };

	assert_int_equal(hello(b), SERIAL_OKAY);
	assert_int_equal(ask(b, SERIAL_REG_READ, address, 4, 4, NULL), -1);
	fails(b, "the board does not answer any more, after 8 tries at 3000000 baud");
	assert_true(end(b) == 0);
}

TEST(test_too_noisy)
{
	struct bench *b = begin(&(struct standin_faults){ .flip = 1500, .seed = 11 });
	uint8_t operands[8 + SERIAL_DATA_BYTES] = { 0 };

	assert_int_equal(hello(b), SERIAL_OKAY);
	put(operands, STANDIN_BASE, 8);
	assert_int_equal(ask(b, SERIAL_MEM_WRITE, operands, sizeof(operands), 0, NULL), -1);
	fails(b, "no request gets through undamaged, after 40 tries at 3000000 baud");
	end(b);
}

TEST(test_unplugged)
{
	struct bench *b = begin(&(struct standin_faults){ .unplug_at = 2 });
	const uint8_t address[4] = { 0 };

	assert_int_equal(hello(b), SERIAL_OKAY);
	assert_int_equal(ask(b, SERIAL_REG_READ, address, 4, 4, NULL), -1);
	fails(b, "the device has gone: Input/output error");
	end(b);
}

TEST(test_wrong_length)
{
	struct bench *b = begin(&(struct standin_faults){ .long_answers = true });
	uint8_t address[4];

	put(address, TMA_REG_MAGIC, 4);
	assert_int_equal(hello(b), SERIAL_OKAY);
	assert_int_equal(ask(b, SERIAL_REG_READ, address, 4, 4, NULL), -1);
	fails(b, "5 bytes answer operation 0x01, not 4: that is no board");
	end(b);
}

int run_serial_line_tests(void)
{
	return run_file_tests("serial line");
}
