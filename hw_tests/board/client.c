/* SPDX-License-Identifier: Apache-2.0 */
#include "board/client.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FLAG        0x7Eu
#define FCS         4u
#define MAX_REQUEST (2u + 8u + LINE_DATA)

int client_open(struct client *c, const char *path)
{
	*c = (struct client){ .fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK),
		              .patience = 2000,
		              .tries = 10 };
	return c->fd < 0 ? -1 : 0;
}

void client_close(struct client *c)
{
	close(c->fd);
}

void client_send_raw(struct client *c, const void *bytes, size_t size)
{
	const uint8_t *from = bytes;
	struct pollfd fd = { .fd = c->fd, .events = POLLOUT };

	for (size_t done = 0; done < size;) {
		ssize_t put = write(c->fd, from + done, size - done);

		if (put > 0)
			done += (size_t)put;
		else if (poll(&fd, 1, c->patience) <= 0)
			return; /* nobody takes them: there will be no answer */
	}
}

void client_send(struct client *c, const void *bytes, size_t size)
{
	uint8_t frame[2 * (MAX_REQUEST + 64 + FCS) + 2];

	if (size <= MAX_REQUEST + 64)
		client_send_raw(c, frame, line_frame(frame, bytes, size));
}

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int client_receive(struct client *c, struct line_answer *answer, int milliseconds)
{
	struct pollfd fd = { .fd = c->fd, .events = POLLIN };
	const int64_t end = now() + milliseconds;
	uint8_t byte;

	for (;;) {
		ssize_t got = read(c->fd, &byte, 1);

		if (got != 1) {
			int64_t left = end - now();

			if (left <= 0 || poll(&fd, 1, (int)left) <= 0)
				return LINE_SILENT;
			continue;
		}
		if (byte == FLAG) {
			bool good = c->inside && c->count && line_answer(c->frame, c->count, answer);

			c->inside = true;
			c->count = 0;
			if (good)
				return answer->status;
		} else if (c->count == sizeof(c->frame)) {
			c->inside = false;
		} else {
			c->frame[c->count++] = byte;
		}
	}
}

int client_request(struct client *c, enum line_op op, const void *operands, size_t size,
                   struct line_answer *answer)
{
	uint8_t request[MAX_REQUEST + 64];

	if (size > sizeof(request) - 2)
		return LINE_SILENT;
	request[0] = ++c->sequence;
	request[1] = (uint8_t)op;
	if (size)
		memcpy(request + 2, operands, size);
	for (unsigned i = 0; i < c->tries; i++) {
		int status;

		c->again += i > 0;
		client_send(c, request, size + 2);
		do
			status = client_receive(c, answer, c->patience);
		while (status != LINE_SILENT && status != LINE_BAD_FRAME && answer->sequence != request[0]);
		if (status != LINE_SILENT && status != LINE_BAD_FRAME)
			return answer->op == (op | 0x80) ? status : LINE_SILENT;
	}
	return LINE_SILENT;
}

int client_hello(struct client *c, uint32_t word, struct line_answer *answer)
{
	uint8_t operands[4];

	return client_request(c, LINE_HELLO, operands, line_put(operands, word, 4), answer);
}

/* Results of this size, or the status says why not. */
static int results(int status, const struct line_answer *answer, void *to, size_t size)
{
	if (status != LINE_OKAY)
		return status;
	if (answer->size != size)
		return LINE_SILENT;
	if (size)
		memcpy(to, answer->results, size);
	return LINE_OKAY;
}

int client_reg_read(struct client *c, uint32_t address, uint32_t *value)
{
	struct line_answer answer;
	uint8_t operands[4], bytes[4] = { 0 };
	int status = client_request(c, LINE_REG_READ, operands, line_put(operands, address, 4), &answer);

	status = results(status, &answer, bytes, sizeof(bytes));
	*value = (uint32_t)line_get(bytes, sizeof(bytes));
	return status;
}

int client_reg_write(struct client *c, uint32_t address, uint32_t value)
{
	struct line_answer answer;
	uint8_t operands[8];
	int status;

	line_put(operands, address, 4);
	line_put(operands + 4, value, 4);
	status = client_request(c, LINE_REG_WRITE, operands, sizeof(operands), &answer);
	return results(status, &answer, NULL, 0);
}

/* An address of @p width bytes in front of a number of bytes, or of the bytes. */
static int move(struct client *c, enum line_op op, uint64_t address, size_t width, const void *from, void *to,
                size_t size)
{
	uint8_t operands[8 + LINE_DATA];
	struct line_answer answer;
	int status;

	line_put(operands, address, width);
	if (from && size <= LINE_DATA)
		memcpy(operands + width, from, size);
	else
		line_put(operands + width, size, 2);
	status = client_request(c, op, operands, width + (from ? size : 2), &answer);
	return results(status, &answer, to, from ? 0 : size);
}

int client_mem_read(struct client *c, uint64_t address, void *bytes, size_t size)
{
	return move(c, LINE_MEM_READ, address, 8, NULL, bytes, size);
}

int client_mem_write(struct client *c, uint64_t address, const void *bytes, size_t size)
{
	return move(c, LINE_MEM_WRITE, address, 8, bytes, NULL, size);
}

int client_smem_read(struct client *c, uint32_t place, void *bytes, size_t size)
{
	return move(c, LINE_SMEM_READ, place, 4, NULL, bytes, size);
}

int client_smem_write(struct client *c, uint32_t place, const void *bytes, size_t size)
{
	return move(c, LINE_SMEM_WRITE, place, 4, bytes, NULL, size);
}

int client_wait(struct client *c, uint32_t microseconds, bool *interrupt)
{
	struct line_answer answer;
	uint8_t operands[4], byte = 0;
	int status = client_request(c, LINE_WAIT, operands, line_put(operands, microseconds, 4), &answer);

	status = results(status, &answer, &byte, 1);
	*interrupt = byte == 1;
	return status;
}

int client_reset(struct client *c)
{
	struct line_answer answer;

	return results(client_request(c, LINE_RESET, NULL, 0, &answer), &answer, NULL, 0);
}
