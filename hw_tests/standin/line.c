/* SPDX-License-Identifier: Apache-2.0 */
/* The line between a pseudo-terminal and a board: bytes and answers that are lost, doubled, changed, or late. */
#define _GNU_SOURCE /* ptsname_r() */
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/rng.h"
#include "standin.h"

#define NAME_ROOM  64
#define SLICE_MS   20 /* until a stop is seen */
#define CLOSED_MS  1  /* between looks whether a program has opened the device */
#define MOST_BYTES (3u + SERIAL_DATA_BYTES)

struct standin {
	int master;
	char device[NAME_ROOM];
	struct board *board;
	struct standin_faults faults;
	struct rng rng;
	struct serial_decoder decoder;
	uint64_t requests;
	_Atomic uint64_t damaged; /* bytes and answers */
	bool unplugged;
	uint8_t late[MOST_BYTES]; /* an answer that goes out in front of the next one */
	size_t late_bytes;
	pthread_t thread;
	atomic_bool stop;
};

const char *standin_device(const struct standin *s)
{
	return s->device;
}

uint32_t standin_baud(const struct standin *s)
{
	struct termios2 termios = { .c_ospeed = 0 };

	return ioctl(s->master, TCGETS2, &termios) ? 0 : termios.c_ospeed;
}

uint64_t standin_damaged(const struct standin *s)
{
	return s->damaged;
}

/* To a byte or an answer. */
static bool happens(struct standin *s, uint32_t of, uint32_t all)
{
	bool now = of && rng_below(&s->rng, all) < of;

	s->damaged += now;
	return now;
}

/* What comes of a byte on the line. @return how many do */
static size_t carry(struct standin *s, uint8_t byte, uint8_t *come)
{
	if (happens(s, s->faults.flip, 100000))
		byte ^= (uint8_t)(1u << rng_below(&s->rng, 8));
	come[0] = come[1] = byte;
	if (happens(s, s->faults.lose, 100000))
		return 0;
	return happens(s, s->faults.twice, 100000) ? 2 : 1;
}

static void send_bytes(struct standin *s, const uint8_t *bytes, size_t count)
{
	struct pollfd file = { s->master, POLLOUT, 0 };
	ssize_t taken;

	while (count && !atomic_load(&s->stop)) {
		taken = write(s->master, bytes, count);
		if (taken > 0) {
			bytes += taken;
			count -= (size_t)taken;
		} else if (taken < 0 && errno != EAGAIN && errno != EINTR) {
			return;
		} else {
			poll(&file, 1, SLICE_MS);
		}
	}
}

static void send_frame(struct standin *s, const uint8_t *bytes, size_t count)
{
	uint8_t line[SERIAL_LINE_BYTES(MOST_BYTES)], out[2 * sizeof(line)];
	size_t whole = serial_encode(bytes, count, line), i, n = 0;

	for (i = 0; i < whole; i++)
		n += carry(s, line[i], out + n);
	send_bytes(s, out, n);
}

static void send_garbage(struct standin *s)
{
	uint8_t byte;
	uint32_t i;

	for (i = 0; i < s->faults.garbage; i++) {
		byte = (uint8_t)rng_next(&s->rng);
		send_bytes(s, &byte, 1);
	}
}

/* Of another board to another program. */
static void send_stale_hello(struct standin *s, const uint8_t *answer, size_t count)
{
	uint8_t stale[MOST_BYTES];
	size_t i;

	memcpy(stale, answer, count);
	for (i = 3; i < count; i++)
		stale[i] ^= 0xFF;
	send_frame(s, stale, count);
}

static void send_answer(struct standin *s, const uint8_t *answer, size_t count)
{
	send_garbage(s);
	if (s->faults.stale_hello && answer[1] == (SERIAL_HELLO | SERIAL_ANSWER))
		send_stale_hello(s, answer, count);
	if (s->late_bytes)
		send_frame(s, s->late, s->late_bytes);
	s->late_bytes = 0;
	if (happens(s, s->faults.late_answers, 100)) {
		memcpy(s->late, answer, count);
		s->late_bytes = count;
		return;
	}
	if (happens(s, s->faults.lost_answers, 100))
		return;
	send_frame(s, answer, count);
	if (happens(s, s->faults.twice_answers, 100))
		send_frame(s, answer, count);
}

static void take_byte(struct standin *s, uint8_t byte)
{
	const struct standin_faults *f = &s->faults;
	uint8_t answer[MOST_BYTES];
	size_t count;

	if (f->babble) {
		answer[0] = (uint8_t)rng_next(&s->rng);
		send_bytes(s, answer, 1);
		return;
	}
	switch (serial_decode(&s->decoder, byte, &count)) {
	case SERIAL_FRAME:
		s->requests++;
		s->unplugged = f->unplug_at && s->requests >= f->unplug_at;
		if (s->unplugged || (f->silent_from && s->requests >= f->silent_from))
			return;
		send_answer(s, answer, board_answer(s->board, s->decoder.bytes, count, answer));
		break;
	case SERIAL_BAD:
		if (!f->silent_from || s->requests < f->silent_from)
			send_frame(s, answer, board_answer_bad(answer));
		break;
	case SERIAL_NOTHING:
		break;
	}
}

static void take_bytes(struct standin *s, const uint8_t *bytes, size_t count)
{
	uint8_t come[2];
	size_t i, k, n;

	for (i = 0; i < count; i++) {
		n = carry(s, bytes[i], come);
		for (k = 0; k < n && !s->unplugged; k++)
			take_byte(s, come[k]);
	}
}

static void *run(void *state)
{
	struct standin *s = state;
	struct pollfd file = { s->master, POLLIN, 0 };
	uint8_t bytes[256];
	ssize_t got;

	while (!atomic_load(&s->stop) && !s->unplugged) {
		poll(&file, 1, SLICE_MS);
		got = read(s->master, bytes, sizeof(bytes));
		if (got > 0)
			take_bytes(s, bytes, (size_t)got);
		else if (got < 0 && errno == EIO)
			poll(NULL, 0, CLOSED_MS); /* no program has it open */
	}
	if (s->unplugged) {
		close(s->master);
		s->master = -1;
	}
	return NULL;
}

/* A terminal that leaves bytes alone, before any program has it. */
static int open_master(char *device)
{
	struct termios2 raw = { .c_cflag = CS8 | CREAD | B9600 };
	int master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

	if (master < 0)
		return -1;
	if (!grantpt(master) && !unlockpt(master) && !ptsname_r(master, device, NAME_ROOM) &&
	    !ioctl(master, TCSETS2, &raw))
		return master;
	close(master);
	return -1;
}

struct standin *standin_start(const char *config, const struct standin_faults *faults)
{
	struct standin *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->faults = *faults;
	s->rng = rng_make(faults->seed, 1);
	s->board = board_new(config, faults);
	s->master = s->board ? open_master(s->device) : -1;
	atomic_init(&s->stop, false);
	if (s->master >= 0 && !pthread_create(&s->thread, NULL, run, s))
		return s;
	if (s->master >= 0)
		close(s->master);
	board_free(s->board);
	free(s);
	return NULL;
}

struct board *standin_stop(struct standin *s)
{
	struct board *board = s->board;

	atomic_store(&s->stop, true);
	pthread_join(s->thread, NULL);
	if (s->master >= 0)
		close(s->master);
	free(s);
	return board;
}
