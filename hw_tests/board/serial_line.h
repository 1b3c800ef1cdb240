/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The far end of a serial line, a clock at a time: bytes to levels of the board's receiver and back.
 *
 * 8 data bits, no parity, one stop bit. Bytes that wait to be sent, and those that have come, are in two queues.
 */
#ifndef SERIAL_LINE_H
#define SERIAL_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SERIAL_QUEUE 8192u

/* A queue of bytes, as many as it has room for. */
struct serial_queue {
	uint8_t bytes[SERIAL_QUEUE];
	uint32_t first, count;
};

struct serial_line {
	unsigned clocks_per_bit;
	struct serial_queue out, in; /* to the board, from it */

	/* What is on the line: bits of a byte, low one first, and clocks of the bit that is there. */
	uint32_t out_bits, in_bits;
	unsigned out_left, out_clock, in_left, in_clock;
	uint64_t no_stop_bit, lost; /* bytes from the board that had none; that found no room */
};

void serial_line_start(struct serial_line *line, unsigned clocks_per_bit);

/** False: there is no room. */
bool serial_push(struct serial_queue *queue, uint8_t byte);
/** False: there is none. */
bool serial_pop(struct serial_queue *queue, uint8_t *byte);

/** The level that the board's receiver sees in this clock. */
bool serial_line_level(struct serial_line *line);
/** The level of the board's transmitter behind it. */
void serial_line_see(struct serial_line *line, bool level);

/** Something is on its way, or waits to be sent. */
bool serial_line_moves(const struct serial_line *line);

#endif
