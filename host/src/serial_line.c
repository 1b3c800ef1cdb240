/* SPDX-License-Identifier: Apache-2.0 */
/* Requests and answers: time-outs, tries, old answers. */
#include "serial_line.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serial_frame.h"
#include "serial_port.h"

/* Microseconds for a try: this long, and four times what the bytes take; twice as long after each time that nothing
 * came, up to MOST_PATIENCE times. */
#define PATIENCE      250000u
#define MOST_PATIENCE 8u
/* A damaged frame may come in pieces. The next try waits until there was silence for so long, and for some bytes. */
#define SETTLE       2000u
#define SETTLE_BYTES 20u
/* The wait of a board is of its own clock, which may be a slow simulation's: so many times as long, but not longer
 * than this. */
#define WAIT_FACTOR 256u
#define WAIT_MOST   1000000u
/* Tries until the line counts as dead, and how many of them with nothing but silence, the first time and later. */
#define MOST_TRIES   40u
#define MOST_SILENT  8u
#define FIRST_TRIES  16u
#define FIRST_SILENT 4u

#define HEAD 3u /* bytes of an answer in front of its results */
#define ECHO 4u /* those of HELLO that are as they were asked */

struct serial_line {
	struct serial_port *port;
	char *device;
	uint32_t baud;
	uint8_t sequence;
	bool heard, answered; /* a byte, a frame, ever */
	bool failed;
	char why[SERIAL_WHY_ROOM];
	struct serial_counts counts;
	struct serial_decoder decoder;
	uint8_t input[512]; /* as it was read, from input_at on not decoded */
	size_t input_at, input_end;
	uint8_t output[SERIAL_LINE_BYTES(SERIAL_MAX_BYTES)];
	size_t output_bytes;
};

/* What ends waiting for an answer. */
enum outcome {
	ANSWERED,
	SILENCE, /* no answer, and no damaged frame, came in this time */
	DAMAGED, /* a frame was, here or there: the request has to be sent again */
	GONE,
};

void serial_line_fail(struct serial_line *line, const char *format, ...)
{
	va_list args;
	int used;

	if (line->failed)
		return;
	line->failed = true;
	used = snprintf(line->why, sizeof(line->why), "%.150s: ", line->device);
	va_start(args, format);
	vsnprintf(line->why + used, sizeof(line->why) - (size_t)used, format, args);
	va_end(args);
}

const char *serial_line_why(const struct serial_line *line)
{
	return line->failed ? line->why : NULL;
}

const struct serial_counts *serial_line_counts(const struct serial_line *line)
{
	return &line->counts;
}

struct serial_line *serial_line_open(const char *device, uint32_t baud, char *why)
{
	struct serial_line *line = calloc(1, sizeof(*line));
	size_t room = strlen(device) + 1;

	if (line)
		line->device = malloc(room);
	if (!line || !line->device) {
		snprintf(why, SERIAL_WHY_ROOM, "%.150s: the host is out of memory", device);
		free(line);
		return NULL;
	}
	memcpy(line->device, device, room);
	line->baud = baud;
	line->sequence = (uint8_t)serial_now();
	line->port = serial_port_open(device, baud, why);
	if (line->port)
		return line;
	serial_line_close(line);
	return NULL;
}

void serial_line_close(struct serial_line *line)
{
	if (!line)
		return;
	serial_port_close(line->port);
	free(line->device);
	free(line);
}

/* Microseconds that so many bytes take on the line. */
static uint64_t time_of(const struct serial_line *line, uint64_t bytes)
{
	return bytes * 10u * 1000000u / line->baud + 1;
}

/* Bytes out of what was read, and the next piece of it until then. @return 1 a byte, 0 none came, -1 the device has gone */
static int next_byte(struct serial_line *line, uint64_t until, uint8_t *byte)
{
	size_t count;
	int error;

	if (line->input_at == line->input_end) {
		error = serial_port_read(line->port, line->input, sizeof(line->input), until, &count);
		if (error) {
			serial_line_fail(line, "the device has gone: %s", strerror(error));
			return -1;
		}
		if (!count)
			return 0;
		line->counts.received += count;
		line->input_at = 0;
		line->input_end = count;
	}
	*byte = line->input[line->input_at++];
	return 1;
}

/* Is the frame the answer to this request? Otherwise it is an old one. */
static bool is_answer(const struct serial_line *line, const struct serial_request *request, size_t count)
{
	const uint8_t *bytes = line->decoder.bytes;

	if (count < HEAD || bytes[0] != line->sequence || bytes[1] != (request->operation | SERIAL_ANSWER))
		return false;
	/* By chance a program of the past has used the number for its own. */
	return request->operation != SERIAL_HELLO ||
	       (count >= HEAD + ECHO && !memcmp(bytes + HEAD, request->operands, ECHO));
}

/* Of a frame or of the end of none: does it end the wait? */
static bool look_at(struct serial_line *line, struct serial_request *request, enum serial_event event,
                    size_t count, enum outcome *outcome)
{
	const uint8_t *bytes = line->decoder.bytes;

	line->answered = line->answered || event == SERIAL_FRAME;
	if (event == SERIAL_FRAME && is_answer(line, request, count)) {
		request->result = bytes + HEAD;
		request->got = count - HEAD;
		*outcome = ANSWERED;
		return true;
	}
	if (event == SERIAL_BAD)
		line->counts.damaged++;
	else if (count == HEAD && bytes[1] == SERIAL_FRAME_WAS && bytes[2] == SERIAL_FRAME_BAD)
		line->counts.refused++;
	else
		line->counts.old++;
	if (event == SERIAL_BAD || bytes[1] == SERIAL_FRAME_WAS)
		*outcome = DAMAGED;
	return false;
}

/*
 * Wait for the answer. Once a frame was damaged only until there is silence: an answer that comes all the same is
 * taken.
 */
static enum outcome await(struct serial_line *line, struct serial_request *request, uint64_t until)
{
	const uint64_t settle = SETTLE + time_of(line, SETTLE_BYTES);
	enum outcome outcome = SILENCE;
	enum serial_event event;
	uint64_t end = until;
	size_t count = 0;
	uint8_t byte;
	int got;

	while ((got = next_byte(line, end, &byte)) > 0) {
		line->heard = true;
		event = serial_decode(&line->decoder, byte, &count);
		if (event != SERIAL_NOTHING && look_at(line, request, event, count, &outcome))
			return outcome;
		/* What never stops is no answer either. */
		if (serial_now() >= until)
			break;
		if (outcome == DAMAGED)
			end = serial_now() + settle < until ? serial_now() + settle : until;
	}
	return got < 0 ? GONE : outcome;
}

/* @return false: the device has gone */
static bool send(struct serial_line *line, uint64_t until)
{
	int error = serial_port_write(line->port, line->output, line->output_bytes, until);

	line->counts.sent += line->output_bytes;
	/* What is not taken in that time gets no answer in it. */
	if (!error || error == ETIME)
		return true;
	serial_line_fail(line, "the device has gone: %s", strerror(error));
	return false;
}

/* Number, operation, operands, data. */
static void prepare(struct serial_line *line, const struct serial_request *request)
{
	uint8_t bytes[SERIAL_MAX_BYTES] = { ++line->sequence, request->operation };
	size_t count = 2;

	memcpy(bytes + count, request->operands, request->operand_bytes);
	count += request->operand_bytes;
	if (request->data_bytes)
		memcpy(bytes + count, request->data, request->data_bytes);
	count += request->data_bytes;
	line->output_bytes = serial_encode(bytes, count, line->output);
}

static void give_up(struct serial_line *line, unsigned int tries, unsigned int silent)
{
	if (!line->heard)
		serial_line_fail(line,
		                 "nobody answers at %u baud: is the board configured, is that its baud?",
		                 line->baud);
	else if (!line->answered)
		serial_line_fail(line, "what comes is no answer of a board: is %u its baud?", line->baud);
	else if (silent)
		serial_line_fail(line, "the board does not answer any more, after %u tries at %u baud",
		                 silent, line->baud);
	else
		serial_line_fail(line, "no request gets through undamaged, after %u tries at %u baud", tries,
		                 line->baud);
}

/* For a board that waits before it answers. */
static uint64_t slack(uint32_t wait)
{
	uint64_t more = (uint64_t)WAIT_FACTOR * wait;

	return wait + (more < WAIT_MOST ? more : WAIT_MOST);
}

/* Send it until it is answered. @return false: the line has failed */
static bool try_all(struct serial_line *line, struct serial_request *request)
{
	const uint64_t time =
		PATIENCE + slack(request->wait) +
		4 * time_of(line, line->output_bytes + SERIAL_LINE_BYTES(HEAD + request->result_bytes));
	unsigned int tries, silent = 0, patience = 1;
	enum outcome outcome;
	uint64_t until;

	for (tries = 1;; tries++) {
		until = serial_now() + patience * time;
		outcome = send(line, until) ? await(line, request, until) : GONE;
		if (outcome == ANSWERED || outcome == GONE)
			return outcome == ANSWERED;
		silent = outcome == SILENCE ? silent + 1 : 0;
		if (silent == (line->answered ? MOST_SILENT : FIRST_SILENT) ||
		    tries == (line->answered ? MOST_TRIES : FIRST_TRIES))
			break;
		line->counts.silent += outcome == SILENCE;
		line->counts.retries++;
		if (silent > 1 && patience < MOST_PATIENCE)
			patience *= 2;
	}
	give_up(line, tries, silent);
	return false;
}

int serial_line_ask(struct serial_line *line, struct serial_request *request)
{
	uint64_t start = serial_now();
	uint8_t status;

	if (line->failed)
		return -1;
	prepare(line, request);
	line->counts.requests++;
	if (!try_all(line, request))
		return -1;
	line->counts.microseconds += serial_now() - start;
	status = request->result[-1];
	/* Another version may say hello in other words. */
	if (status != SERIAL_OKAY || request->operation == SERIAL_HELLO ||
	    request->got == request->result_bytes)
		return status;
	serial_line_fail(line, "%zu bytes answer operation 0x%02x, not %zu: that is no board", request->got,
	                 request->operation, request->result_bytes);
	return -1;
}
