/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small client of the board's line, for its tests: requests and answers as docs/board.md has them, and bytes that are
 * no such thing. It shares no code with the host library.
 */
#ifndef BOARD_CLIENT_H
#define BOARD_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINE_DATA  1024u
#define LINE_FRAME (3u + LINE_DATA + 4u) /* the longest answer with its FCS; requests are longer by 7 */

enum line_op {
	LINE_HELLO,
	LINE_REG_READ,
	LINE_REG_WRITE,
	LINE_MEM_READ,
	LINE_MEM_WRITE,
	LINE_SMEM_READ,
	LINE_SMEM_WRITE,
	LINE_WAIT,
	LINE_RESET,
};

enum line_status {
	LINE_OKAY,
	LINE_REFUSED,
	LINE_ADDRESS,
	LINE_LENGTH,
	LINE_OPERATION,
	LINE_STUCK,
	LINE_BAD_FRAME,
	LINE_SILENT = -1, /* nothing came in time */
};

struct line_answer {
	uint8_t sequence, op;
	int status;
	size_t size; /* of the results */
	uint8_t results[LINE_DATA];
};

struct client {
	int fd;
	uint8_t sequence; /* of the last request */
	int patience;     /* milliseconds for an answer */
	unsigned tries;   /* of a request */
	uint64_t again;   /* requests that were sent again */
	bool inside;      /* of a frame that comes */
	size_t count;
	uint8_t frame[2 * LINE_FRAME];
};

/** Open a terminal that is raw already. @return 0, or -1 with errno */
int client_open(struct client *client, const char *path);
void client_close(struct client *client);

/** Bytes as they are. */
void client_send_raw(struct client *client, const void *bytes, size_t size);
/** A frame around them, once. */
void client_send(struct client *client, const void *bytes, size_t size);
/** The next good frame. @return its status, LINE_SILENT */
int client_receive(struct client *client, struct line_answer *answer, int milliseconds);

/** A request under a number of its own, again until it is answered. @return its status, LINE_SILENT */
int client_request(struct client *client, enum line_op op, const void *operands, size_t size,
                   struct line_answer *answer);

/* Each of the operations. @return the status */
int client_hello(struct client *client, uint32_t word, struct line_answer *answer);
int client_reg_read(struct client *client, uint32_t address, uint32_t *value);
int client_reg_write(struct client *client, uint32_t address, uint32_t value);
int client_mem_read(struct client *client, uint64_t address, void *bytes, size_t size);
int client_mem_write(struct client *client, uint64_t address, const void *bytes, size_t size);
int client_smem_read(struct client *client, uint32_t place, void *bytes, size_t size);
int client_smem_write(struct client *client, uint32_t place, const void *bytes, size_t size);
int client_wait(struct client *client, uint32_t microseconds, bool *interrupt);
int client_reset(struct client *client);

/** What a request or answer is in memory: little-endian. */
size_t line_put(uint8_t *to, uint64_t value, size_t bytes);
uint64_t line_get(const uint8_t *from, size_t bytes);
uint32_t line_fcs(const uint8_t *bytes, size_t size);
/** What is between two flags. @return false: it is no good answer */
bool line_answer(const uint8_t *bytes, size_t size, struct line_answer *answer);
/** The same of any frame, without its FCS into @p to. @return bytes of it, 0: it is not good */
size_t line_unframe(const uint8_t *bytes, size_t size, uint8_t *to, size_t room);
/** Flag, bytes with escapes, their FCS, flag. @p to has room for 2 * (size + 4) + 2. @return bytes of it */
size_t line_frame(uint8_t *to, const void *bytes, size_t size);

#endif
