/* SPDX-License-Identifier: Apache-2.0 */
/* The back end "serial": an engine on a board, at the other end of a serial line. docs/board.md is the contract. */
#define _POSIX_C_SOURCE 200809L /* strdup() */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "serial_frame.h"
#include "serial_line.h"
#include "serial_memory.h"
#include "serial_options.h"
#include "serial_port.h"

/* Data of a request. Long ones are damaged more often: pieces get shorter then, and longer again behind some good ones. */
#define LEAST_PIECE 64u
#define MOST_GOOD   16u

struct board {
	struct serial_line *line;
	void (*because)(const char *why);
	char *stats;                /* file for a line about the line, NULL: none */
	uint32_t data_bytes, piece; /* of one request: at most, and now */
	uint32_t good;              /* pieces behind each other that went over at once */
	struct serial_memory memory;
};

static void put(uint8_t *bytes, uint64_t value, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get(const uint8_t *bytes, uint32_t count)
{
	uint64_t value = 0;

	while (count--)
		value = value << 8 | bytes[count];
	return value;
}

/*
 * One request.
 */

static int say(const struct board *board, const char *why)
{
	board->because(why);
	return TMA_EDEVICE;
}

/* @return 0, TMA_REFUSED, TMA_EDEVICE */
static int ask(struct board *board, struct serial_request *request)
{
	static const char *const names[] = { "OKAY", "REFUSED", "ADDRESS", "LENGTH", "OPERATION", "STUCK" };
	int status = serial_line_ask(board->line, request);
	char why[128];

	switch (status) {
	case SERIAL_OKAY:
		return 0;
	case SERIAL_REFUSED:
		return TMA_REFUSED;
	case -1:
		break;
	case SERIAL_STUCK:
		serial_line_fail(
			board->line,
			"the board's engine or memory is stuck; it is reset when the line is opened again");
		break;
	default:
		snprintf(why, sizeof(why), "the board answers operation 0x%02x with status %d%s%s",
		         request->operation, status, status < 6 ? ", " : "", status < 6 ? names[status] : "");
		return say(board, why);
	}
	return say(board, serial_line_why(board->line));
}

/* The same, where the engine has nothing to refuse. */
static int ask_plainly(struct board *board, struct serial_request *request)
{
	int error = ask(board, request);

	return error == TMA_REFUSED ? say(board, "the board refuses an access to memory") : error;
}

/*
 * Registers, and the interrupt.
 */

static int board_reg_read(void *engine, uint32_t address, uint32_t *value)
{
	uint8_t operands[4];
	struct serial_request request = { .operation = SERIAL_REG_READ, .result_bytes = 4 };
	int error;

	put(operands, address, 4);
	request.operands = operands;
	request.operand_bytes = sizeof(operands);
	error = ask(engine, &request);
	if (!error)
		*value = (uint32_t)get(request.result, 4);
	return error;
}

static int board_reg_write(void *engine, uint32_t address, uint32_t value)
{
	uint8_t operands[8];
	struct serial_request request = { .operation = SERIAL_REG_WRITE };

	put(operands, address, 4);
	put(operands + 4, value, 4);
	request.operands = operands;
	request.operand_bytes = sizeof(operands);
	return ask(engine, &request);
}

static int board_interrupt(void *engine, uint32_t microseconds)
{
	uint8_t operands[4];
	struct serial_request request = { .operation = SERIAL_WAIT, .result_bytes = 1 };
	int error;

	request.wait = microseconds < SERIAL_MAX_WAIT ? microseconds : SERIAL_MAX_WAIT;
	put(operands, request.wait, 4);
	request.operands = operands;
	request.operand_bytes = sizeof(operands);
	error = ask_plainly(engine, &request);
	return error ? error : request.result[0] != 0;
}

/*
 * Bytes of both memories, in pieces.
 */

static uint32_t next_piece(const struct board *board, uint64_t left)
{
	return left < board->piece ? (uint32_t)left : board->piece;
}

/* One piece. Operands are an address of so many bytes, then, to read, how many. */
static int move_piece(struct board *board, struct serial_request *request, uint64_t address,
                      uint32_t address_bytes, uint32_t bytes)
{
	const uint64_t retries = serial_line_counts(board->line)->retries;
	uint8_t operands[10];
	int error;

	put(operands, address, address_bytes);
	request->operands = operands;
	request->operand_bytes = address_bytes;
	if (!request->data) {
		put(operands + address_bytes, bytes, 2);
		request->operand_bytes += 2;
		request->result_bytes = bytes;
	} else {
		request->data_bytes = bytes;
	}
	error = ask_plainly(board, request);
	if (serial_line_counts(board->line)->retries != retries) {
		board->good = 0;
		if (board->piece > LEAST_PIECE)
			board->piece /= 2;
	} else if (++board->good >= MOST_GOOD && board->piece < board->data_bytes) {
		board->good = 0;
		board->piece = 2 * board->piece < board->data_bytes ? 2 * board->piece : board->data_bytes;
	}
	return error;
}

static int read_bytes(struct board *board, uint8_t operation, uint64_t address, uint32_t address_bytes,
                      uint8_t *bytes, uint64_t count)
{
	struct serial_request request = { .operation = operation };
	uint32_t piece;
	int error = 0;

	for (; count && !error; count -= piece, address += piece, bytes += piece) {
		piece = next_piece(board, count);
		error = move_piece(board, &request, address, address_bytes, piece);
		if (!error)
			memcpy(bytes, request.result, piece);
	}
	return error;
}

static int write_bytes(struct board *board, uint8_t operation, uint64_t address, uint32_t address_bytes,
                       const uint8_t *bytes, uint64_t count)
{
	struct serial_request request = { .operation = operation };
	uint32_t piece;
	int error = 0;

	for (; count && !error; count -= piece, address += piece, bytes += piece) {
		piece = next_piece(board, count);
		request.data = bytes;
		error = move_piece(board, &request, address, address_bytes, piece);
	}
	return error;
}

static int board_smem_read(void *engine, uint32_t cta, uint32_t offset, void *bytes, uint32_t size)
{
	return read_bytes(engine, SERIAL_SMEM_READ, cta << 24 | offset, 4, bytes, size);
}

static int board_smem_write(void *engine, uint32_t cta, uint32_t offset, const void *bytes, uint32_t size)
{
	return write_bytes(engine, SERIAL_SMEM_WRITE, cta << 24 | offset, 4, bytes, size);
}

static int board_memory_sync(void *engine, const struct tma_backend_memory *memory, uint64_t offset,
                             uint64_t bytes, bool to_device)
{
	uint8_t *host = (uint8_t *)memory->host + offset;
	uint64_t address = memory->address + offset;

	return to_device ? write_bytes(engine, SERIAL_MEM_WRITE, address, 8, host, bytes)
	                 : read_bytes(engine, SERIAL_MEM_READ, address, 8, host, bytes);
}

/*
 * Memory: pages of the board's, and a host's view of them.
 */

static int board_memory_alloc(void *engine, struct tma_backend_memory *memory)
{
	struct board *board = engine;
	char why[128];
	int error;

	if (memory->port)
		return say(board, "the board has memory on global port 0 alone");
	error = serial_memory_take(&board->memory, memory->bytes, &memory->address);
	if (error == TMA_ENOSPC) {
		snprintf(why, sizeof(why),
		         "%" PRIu64 " bytes: the board has %" PRIu64 ", and no gap of that size is left",
		         memory->bytes, board->memory.bytes);
		board->because(why);
	}
	if (error)
		return error;
	memory->host = aligned_alloc(PAGE_BYTES, memory->bytes);
	if (memory->host)
		return 0;
	serial_memory_give(&board->memory, memory->address);
	return TMA_ENOMEM;
}

static void board_memory_free(void *engine, const struct tma_backend_memory *memory)
{
	serial_memory_give(&((struct board *)engine)->memory, memory->address);
	free(memory->host);
}

/*
 * The board.
 */

static int board_check(const void *engine)
{
	const struct board *board = engine;
	const char *why = serial_line_why(board->line);

	return why ? say(board, why) : 0;
}

/* One line for each time that the line was open. */
static void write_stats(const struct board *board)
{
	const struct serial_counts *c = serial_line_counts(board->line);
	FILE *file = board->stats ? fopen(board->stats, "a") : NULL;
	uint64_t time = c->microseconds ? c->microseconds : 1;

	if (!file)
		return;
	fprintf(file,
	        "%" PRIu64 " requests, %" PRIu64 " bytes out, %" PRIu64 " in, %.3f s on the line, %" PRIu64
	        " bytes/s; %" PRIu64 " sent again, %" PRIu64 " of them after silence; answers: %" PRIu64
	        " damaged, %" PRIu64 " old; requests: %" PRIu64 " damaged\n",
	        c->requests, c->sent, c->received, (double)time / 1e6,
	        (c->sent + c->received) * 1000000u / time, c->retries, c->silent, c->damaged, c->old,
	        c->refused);
	fclose(file);
}

static void board_close(void *engine)
{
	struct board *board = engine;

	if (board->line)
		write_stats(board);
	serial_line_close(board->line);
	free(board->stats);
	free(board);
}

/* What HELLO says has to be possible: the rest goes by it. */
static int look_at(struct board *board, struct tma_backend_engine *about, const uint8_t *hello, size_t count)
{
	if (count < 10 || get(hello + 4, 4) != SERIAL_MAGIC) {
		serial_line_fail(board->line, "what answers is no board");
	} else if (get(hello + 8, 2) != SERIAL_VERSION) {
		serial_line_fail(board->line,
		                 "the board speaks version %u of the line, this library version %u",
		                 (unsigned int)get(hello + 8, 2), SERIAL_VERSION);
	} else if (count != SERIAL_HELLO_SIZE) {
		serial_line_fail(board->line, "the board says HELLO in %zu bytes, not %u", count,
		                 SERIAL_HELLO_SIZE);
	} else {
		board->data_bytes = (uint32_t)get(hello + 10, 2);
		about->memory_base = get(hello + 16, 8);
		about->memory_bytes = get(hello + 24, 8);
		if (!board->data_bytes)
			serial_line_fail(board->line, "the board takes requests of 0 bytes of data");
		else if (!about->memory_bytes || (about->memory_base | about->memory_bytes) % PAGE_BYTES ||
		         about->memory_base + about->memory_bytes - 1 < about->memory_base)
			serial_line_fail(board->line,
			                 "the board has 0x%" PRIx64 " bytes of memory at 0x%" PRIx64
			                 ", which are no whole pages of 4096",
			                 about->memory_bytes, about->memory_base);
	}
	return serial_line_why(board->line) ? say(board, serial_line_why(board->line)) : 0;
}

static int hello(struct board *board, struct tma_backend_engine *about)
{
	uint8_t nonce[4];
	struct serial_request request = { .operation = SERIAL_HELLO,
		                          .operands = nonce,
		                          .operand_bytes = sizeof(nonce),
		                          .result_bytes = SERIAL_HELLO_SIZE };
	int error;

	put(nonce, serial_now(), sizeof(nonce));
	error = ask_plainly(board, &request);
	return error ? error : look_at(board, about, request.result, request.got);
}

/* A program that was killed may have left anything, and an engine that is stuck. */
static int reset(struct board *board)
{
	struct serial_request request = { .operation = SERIAL_RESET, .operands = (const uint8_t *)"" };

	return ask_plainly(board, &request);
}

static int board_open(const struct tma_options *options, struct tma_backend_engine *about, void **engine)
{
	struct board *board = calloc(1, sizeof(*board));
	struct serial_options chosen;
	char why[SERIAL_WHY_ROOM];
	int error;

	if (!board)
		return TMA_ENOMEM;
	board->because = about->because;
	if (!serial_options(options, &chosen, why)) {
		free(board);
		about->because(why);
		return TMA_EINVAL;
	}
	board->line = serial_line_open(chosen.device, chosen.baud, why);
	if (!board->line) {
		free(board);
		about->because(why);
		return TMA_EDEVICE;
	}
	board->stats = chosen.stats ? strdup(chosen.stats) : NULL;
	error = hello(board, about);
	error = error ? error : reset(board);
	if (error) {
		board_close(board);
		return error;
	}
	board->data_bytes = board->data_bytes < SERIAL_DATA_BYTES ? board->data_bytes : SERIAL_DATA_BYTES;
	board->piece = board->data_bytes;
	board->memory = (struct serial_memory){ .base = about->memory_base, .bytes = about->memory_bytes };
	*engine = board;
	return 0;
}

const struct tma_backend tma_backend_serial = {
	.name = "serial",
	.size = sizeof(struct tma_backend),
	.version = TMA_BACKEND_VERSION,
	.open = board_open,
	.close = board_close,
	.reg_read = board_reg_read,
	.reg_write = board_reg_write,
	.memory_alloc = board_memory_alloc,
	.memory_free = board_memory_free,
	.memory_sync = board_memory_sync,
	.smem_read = board_smem_read,
	.smem_write = board_smem_write,
	.check = board_check,
	.interrupt = board_interrupt,
};
