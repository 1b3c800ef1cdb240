/* SPDX-License-Identifier: Apache-2.0 */
/* Serial devices of Linux. The kernel's own headers: those of the C library know no odd bauds. */
#define _GNU_SOURCE /* ppoll() */
#include "serial_port.h"

#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/serial.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

struct serial_port {
	int file;
	struct termios2 found;
	bool tuned; /* `delay` was found, and changed */
	struct serial_struct delay;
};

uint64_t serial_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000u + (uint64_t)time.tv_nsec / 1000u;
}

static void say(char *why, const char *device, const char *what)
{
	snprintf(why, SERIAL_WHY_ROOM, "%.150s: %s", device, what);
}

static void say_open(char *why, const char *device, int error)
{
	switch (error) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		say(why, device, "there is no such device: is the board plugged in?");
		break;
	case EACCES:
		say(why, device, "no permission: serial devices are often for the group dialout");
		break;
	case EBUSY:
		say(why, device, "is in use by another program");
		break;
	default:
		say(why, device, strerror(error));
	}
}

/* A lock for those who ask for one, and a refusal by the kernel for others but root. */
static bool take(int file, const char *device, char *why)
{
	if (flock(file, LOCK_EX | LOCK_NB)) {
		say_open(why, device, errno == EWOULDBLOCK ? EBUSY : errno);
		return false;
	}
	if (ioctl(file, TIOCEXCL)) {
		say_open(why, device, errno);
		return false;
	}
	return true;
}

static bool is_near(uint32_t is, uint32_t wanted)
{
	uint32_t off = is > wanted ? is - wanted : wanted - is;

	return off <= wanted / 40;
}

/* The driver takes the nearest baud that it has, which need not be near. */
static bool set_up(struct serial_port *port, const char *device, uint32_t baud, char *why)
{
	struct termios2 raw = { .c_cflag = CS8 | CREAD | CLOCAL | BOTHER,
		                .c_ispeed = baud,
		                .c_ospeed = baud };

	raw.c_cc[VMIN] = 1;
	if (ioctl(port->file, TCSETS2, &raw) || ioctl(port->file, TCGETS2, &raw)) {
		snprintf(why, SERIAL_WHY_ROOM, "%.150s: cannot be set to %u baud: %s", device, baud,
		         strerror(errno));
		return false;
	}
	if (!is_near(raw.c_ospeed, baud)) {
		snprintf(why, SERIAL_WHY_ROOM, "%.150s: has no %u baud, the nearest is %u", device, baud,
		         raw.c_ospeed);
		return false;
	}
	return true;
}

/* Converters on USB keep what comes for some milliseconds unless told not to, which each request would wait for. */
static void tune(struct serial_port *port)
{
	struct serial_struct quick;

	memset(&port->delay, 0, sizeof(port->delay));
	if (ioctl(port->file, TIOCGSERIAL, &port->delay))
		return;
	quick = port->delay;
	quick.flags |= ASYNC_LOW_LATENCY;
	port->tuned = !ioctl(port->file, TIOCSSERIAL, &quick);
}

static bool set_port(struct serial_port *port, const char *device, uint32_t baud, char *why)
{
	if (!isatty(port->file)) {
		say(why, device, "is not a terminal, as serial lines are");
		return false;
	}
	if (!take(port->file, device, why))
		return false;
	if (ioctl(port->file, TCGETS2, &port->found)) {
		say_open(why, device, errno);
		ioctl(port->file, TIOCNXCL);
		return false;
	}
	if (!set_up(port, device, baud, why)) {
		ioctl(port->file, TCSETS2, &port->found);
		ioctl(port->file, TIOCNXCL);
		return false;
	}
	tune(port);
	ioctl(port->file, TCFLSH, TCIOFLUSH);
	return true;
}

struct serial_port *serial_port_open(const char *device, uint32_t baud, char *why)
{
	struct serial_port *port = calloc(1, sizeof(*port));

	if (!port) {
		say_open(why, device, ENOMEM);
		return NULL;
	}
	/* Without waiting for a modem's carrier. */
	port->file = open(device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (port->file < 0) {
		say_open(why, device, errno);
		free(port);
		return NULL;
	}
	if (set_port(port, device, baud, why))
		return port;
	close(port->file);
	free(port);
	return NULL;
}

void serial_port_close(struct serial_port *port)
{
	if (!port)
		return;
	ioctl(port->file, TCFLSH, TCIOFLUSH);
	if (port->tuned)
		ioctl(port->file, TIOCSSERIAL, &port->delay);
	ioctl(port->file, TCSETS2, &port->found);
	ioctl(port->file, TIOCNXCL);
	close(port->file);
	free(port);
}

/* Until the device can be written or read, or has gone. @return 1 it can, 0 not until then */
static int wait_for(const struct serial_port *port, short event, uint64_t until)
{
	uint64_t now = serial_now(), left = until > now ? until - now : 0;
	const struct timespec time = { (time_t)(left / 1000000), (long)(left % 1000000 * 1000) };
	struct pollfd file = { port->file, event, 0 };
	int ready = ppoll(&file, 1, &time, NULL);

	if (ready < 0 && errno == EINTR)
		return 1;
	return ready != 0;
}

int serial_port_write(struct serial_port *port, const uint8_t *bytes, size_t count, uint64_t until)
{
	ssize_t taken;

	while (count) {
		taken = write(port->file, bytes, count);
		if (taken > 0) {
			bytes += taken;
			count -= (size_t)taken;
		} else if (taken < 0 && errno != EAGAIN && errno != EINTR) {
			return errno;
		} else if (!wait_for(port, POLLOUT, until)) {
			return ETIME;
		}
	}
	return 0;
}

int serial_port_read(struct serial_port *port, uint8_t *bytes, size_t room, uint64_t until, size_t *count)
{
	ssize_t got;

	*count = 0;
	for (;;) {
		got = read(port->file, bytes, room);
		if (got > 0) {
			*count = (size_t)got;
			return 0;
		}
		/* The end of the file is that of the device. */
		if (!got)
			return EIO;
		if (errno != EAGAIN && errno != EINTR)
			return errno;
		if (!wait_for(port, POLLIN, until))
			return 0;
	}
}
