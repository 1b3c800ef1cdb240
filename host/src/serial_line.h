/* SPDX-License-Identifier: Apache-2.0 */
/*
 * serial_line - a board at the other end of a serial line: one request, one answer, whatever happens to bytes on
 * the way. docs/board.md, "The line".
 *
 * A request whose answer does not come, or comes damaged, is sent again with the same number, so that the board does
 * not carry it out again. After a bounded number of tries, or when the device goes, the line has failed: from then on
 * every request fails at once, for the same reason.
 */
#ifndef SERIAL_LINE_H
#define SERIAL_LINE_H

#include <stddef.h>
#include <stdint.h>

#define SERIAL_VERSION 1u
#define SERIAL_MAGIC   0x42414D54u /* TMAB */

enum serial_operation {
	SERIAL_HELLO = 0x00,
	SERIAL_REG_READ = 0x01,
	SERIAL_REG_WRITE = 0x02,
	SERIAL_MEM_READ = 0x03,
	SERIAL_MEM_WRITE = 0x04,
	SERIAL_SMEM_READ = 0x05,
	SERIAL_SMEM_WRITE = 0x06,
	SERIAL_WAIT = 0x07,
	SERIAL_RESET = 0x08,
};

#define SERIAL_ANSWER     0x80u /* bit of the operation in an answer */
#define SERIAL_FRAME_WAS  0xFFu /* operation in the answer to a bad frame */
#define SERIAL_MAX_WAIT   (1u << 20)
#define SERIAL_HELLO_SIZE 32u /* results of HELLO */

enum serial_status {
	SERIAL_OKAY = 0,
	SERIAL_REFUSED = 1,
	SERIAL_ADDRESS = 2,
	SERIAL_LENGTH = 3,
	SERIAL_OPERATION = 4,
	SERIAL_STUCK = 5,
	SERIAL_FRAME_BAD = 6,
};

struct serial_line;

/* What went over the line since it was opened. */
struct serial_counts {
	uint64_t requests, sent, received; /* bytes, with those of frames */
	uint64_t retries, silent;          /* requests sent again; of them, because nothing came */
	uint64_t damaged, refused, old;    /* answers: damaged, of status FRAME, with another number */
	uint64_t microseconds;             /* between requests and their answers */
};

/* A request, and after serial_line_ask() its answer. */
struct serial_request {
	uint8_t operation;
	const uint8_t *operands; /* then `data` */
	size_t operand_bytes;
	const uint8_t *data;
	size_t data_bytes;
	size_t result_bytes;   /* of an answer that is OKAY; of HELLO the most that there are */
	uint32_t wait;         /* microseconds that the board may take over it */
	const uint8_t *result; /* until the next request */
	size_t got;            /* bytes of it */
};

/** Open the device, ask nothing yet. @param why  filled on failure, room for SERIAL_WHY_ROOM @return NULL on failure */
struct serial_line *serial_line_open(const char *device, uint32_t baud, char *why);
/** NULL is allowed. */
void serial_line_close(struct serial_line *line);

/** @return enum serial_status, -1: the line has failed; serial_line_why() says how */
int serial_line_ask(struct serial_line *line, struct serial_request *request);

/** Let it be failed: what is at the other end is not what it should be. */
void serial_line_fail(struct serial_line *line, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/** Why it has failed, NULL: it has not. One line, which begins with the device. */
const char *serial_line_why(const struct serial_line *line);

const struct serial_counts *serial_line_counts(const struct serial_line *line);

#endif
