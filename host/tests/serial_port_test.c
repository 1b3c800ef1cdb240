/* SPDX-License-Identifier: Apache-2.0 */
/*
 * serial_port_test - the device of the line, on pseudo-terminals.
 *
 * Spec: serial_port.h
 * Checks: the line is raw, at the baud that was asked for, odd ones too; it is as it was found when it is closed; one
 *         program has it, whether the other one asks for the lock or not; time-outs; a device that goes; each device
 *         that is none, and what is said of it; options and the environment.
 * Not here: a baud that a driver refuses, and its delay: pseudo-terminals have every one, and none.
 */
#define _GNU_SOURCE /* ptsname_r() */
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serial_options.h"
#include "serial_port.h"
#include "serial_test.h"

#define NOBODY 65534

struct pair {
	int master;
	char device[64];
	char why[SERIAL_WHY_ROOM];
};

static struct pair *open_pair(void)
{
	struct pair *p = calloc(1, sizeof(*p));

	assert_non_null(p);
	p->master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(p->master >= 0);
	assert_int_equal(grantpt(p->master) | unlockpt(p->master), 0);
	assert_int_equal(ptsname_r(p->master, p->device, sizeof(p->device)), 0);
	return p;
}

static void close_pair(struct pair *p)
{
	if (p->master >= 0)
		close(p->master);
	free(p);
}

static struct termios2 settings(const struct pair *p)
{
	struct termios2 t;

	assert_int_equal(ioctl(p->master, TCGETS2, &t), 0);
	return t;
}

static struct serial_port *open_port(struct pair *p, uint32_t baud)
{
	struct serial_port *port = serial_port_open(p->device, baud, p->why);

	if (!port)
		fail_msg("%s", p->why);
	return port;
}

/* Not opened, and this is why. */
static void refuses(struct pair *p, const char *device, const char *why)
{
	char expected[SERIAL_WHY_ROOM];

	assert_null(serial_port_open(device, 3000000, p->why));
	snprintf(expected, sizeof(expected), "%s: %s", device, why);
	assert_string_equal(p->why, expected);
}

TEST_WITH(test_raw, struct pair *p, open_pair(), close_pair)
{
	static const uint32_t bauds[] = { 300, 9600, 115200, 250000, 1234567, 3000000, 12000000 };
	struct termios2 t;
	size_t i;

	for (i = 0; i < sizeof(bauds) / sizeof(bauds[0]); i++) {
		struct serial_port *port = open_port(p, bauds[i]);

		t = settings(p);
		assert_int_equal(t.c_ospeed, bauds[i]);
		assert_int_equal(t.c_iflag | t.c_oflag | t.c_lflag, 0);
		assert_int_equal(t.c_cflag & (CSIZE | PARENB | CSTOPB | CRTSCTS | CREAD | CLOCAL),
		                 CS8 | CREAD | CLOCAL);
		serial_port_close(port);
	}
}

/* Every byte as it is, both ways: nothing of a terminal is left. */
TEST_WITH(test_bytes, struct pair *p, open_pair(), close_pair)
{
	struct serial_port *port = open_port(p, 3000000);
	uint8_t out[256], in[256];
	size_t i, count, got = 0;

	for (i = 0; i < sizeof(out); i++)
		out[i] = (uint8_t)i;
	assert_int_equal(serial_port_write(port, out, sizeof(out), serial_now() + 1000000), 0);
	assert_int_equal(read(p->master, in, sizeof(in)), sizeof(in));
	assert_memory_equal(in, out, sizeof(out));
	assert_int_equal(write(p->master, out, sizeof(out)), sizeof(out));
	memset(in, 0, sizeof(in));
	while (got < sizeof(in)) {
		assert_int_equal(serial_port_read(port, in + got, sizeof(in) - got, serial_now() + 1000000,
		                                  &count),
		                 0);
		assert_true(count > 0);
		got += count;
	}
	assert_memory_equal(in, out, sizeof(out));
	serial_port_close(port);
}

TEST_WITH(test_as_found, struct pair *p, open_pair(), close_pair)
{
	struct termios2 before = settings(p), after;
	struct serial_port *port;

	before.c_lflag ^= ECHO;
	before.c_cflag = (before.c_cflag & ~(tcflag_t)(CBAUD | CSTOPB)) | B19200 | PARENB;
	assert_int_equal(ioctl(p->master, TCSETS2, &before), 0);
	before = settings(p);
	port = open_port(p, 3000000);
	after = settings(p);
	assert_memory_not_equal(&before, &after, sizeof(before));
	serial_port_close(port);
	after = settings(p);
	assert_memory_equal(&before, &after, sizeof(before));
}

/* Nothing comes of this byte. */
static void expect_nothing(struct serial_port *port)
{
	uint8_t byte;
	size_t count;

	assert_int_equal(serial_port_read(port, &byte, 1, serial_now() + 10000, &count), 0);
	assert_int_equal(count, 0);
	serial_port_close(port);
}

/* What a program of the past has left is not the answer to a new one, whether that was this library's or not. */
TEST_WITH(test_past, struct pair *p, open_pair(), close_pair)
{
	struct serial_port *port = open_port(p, 3000000);
	const uint8_t bytes[2] = { 1, '\n' };
	int other;

	assert_int_equal(write(p->master, bytes, 2), 2);
	serial_port_close(port);
	expect_nothing(open_port(p, 3000000));
	other = open(p->device, O_RDWR | O_NOCTTY);
	assert_true(other >= 0);
	assert_int_equal(write(p->master, bytes, 2), 2);
	expect_nothing(open_port(p, 3000000));
	close(other);
}

TEST_WITH(test_in_use, struct pair *p, open_pair(), close_pair)
{
	struct serial_port *port = open_port(p, 3000000);
	int other;

	refuses(p, p->device, "is in use by another program");
	/* One that asks for no lock; the kernel lets root in. */
	assert_int_equal(chmod(p->device, 0666), 0);
	if (!geteuid())
		assert_int_equal(seteuid(NOBODY), 0);
	other = open(p->device, O_RDWR | O_NOCTTY);
	assert_int_equal(other, -1);
	assert_int_equal(errno, EBUSY);
	refuses(p, p->device, "is in use by another program");
	if (!getuid())
		assert_int_equal(seteuid(0), 0);
	serial_port_close(port);
	other = open(p->device, O_RDWR | O_NOCTTY);
	assert_true(other >= 0);
	assert_int_equal(flock(other, LOCK_EX | LOCK_NB), 0);
	refuses(p, p->device, "is in use by another program");
	close(other);
	serial_port_close(open_port(p, 3000000));
}

TEST_WITH(test_time_out, struct pair *p, open_pair(), close_pair)
{
	struct serial_port *port = open_port(p, 3000000);
	uint64_t start = serial_now();
	static uint8_t many[1 << 20];
	uint8_t byte;
	size_t count = 9;

	assert_int_equal(serial_port_read(port, &byte, 1, start + 50000, &count), 0);
	assert_int_equal(count, 0);
	assert_true(serial_now() - start >= 49000);
	/* Nobody takes them. */
	start = serial_now();
	assert_int_equal(serial_port_write(port, many, sizeof(many), start + 50000), ETIME);
	assert_true(serial_now() - start >= 49000);
	serial_port_close(port);
}

TEST_WITH(test_gone, struct pair *p, open_pair(), close_pair)
{
	struct serial_port *port = open_port(p, 3000000);
	uint8_t byte = 0;
	size_t count;

	close(p->master);
	p->master = -1;
	assert_int_equal(serial_port_read(port, &byte, 1, serial_now() + 1000000, &count), EIO);
	assert_int_equal(serial_port_write(port, &byte, 1, serial_now() + 1000000), EIO);
	serial_port_close(port);
}

TEST_WITH(test_no_device, struct pair *p, open_pair(), close_pair)
{
	char path[] = "/tmp/serial_port_test.XXXXXX";
	int file = mkstemp(path);

	assert_true(file >= 0);
	refuses(p, "/dev/no_such_line", "there is no such device: is the board plugged in?");
	refuses(p, "/dev/null", "is not a terminal, as serial lines are");
	refuses(p, path, "is not a terminal, as serial lines are");
	refuses(p, "/tmp", "Is a directory");
	assert_int_equal(fchmod(file, 0), 0);
	if (!geteuid())
		assert_int_equal(seteuid(NOBODY), 0);
	refuses(p, path, "no permission: serial devices are often for the group dialout");
	if (!getuid())
		assert_int_equal(seteuid(0), 0);
	unlink(path);
	close(file);
}

/*
 * Which line.
 */

static struct serial_options chosen;

static bool choose(const char *device, uint32_t baud, char *why)
{
	const struct tma_options options = { .size = sizeof(options), .device = device, .baud = baud };

	memset(&chosen, 0, sizeof(chosen));
	return serial_options(&options, &chosen, why);
}

TEST(test_options)
{
	char why[SERIAL_WHY_ROOM];

	unsetenv("TMA_SERIAL_DEVICE");
	unsetenv("TMA_SERIAL_BAUD");
	unsetenv("TMA_SERIAL_STATS");
	assert_true(choose(NULL, 0, why));
	assert_string_equal(chosen.device, "/dev/ttyUSB0");
	assert_int_equal(chosen.baud, 1000000);
	assert_null(chosen.stats);
	setenv("TMA_SERIAL_DEVICE", "/dev/ttyUSB7", 1);
	setenv("TMA_SERIAL_BAUD", "115200", 1);
	setenv("TMA_SERIAL_STATS", "file", 1);
	assert_true(choose(NULL, 0, why));
	assert_string_equal(chosen.device, "/dev/ttyUSB7");
	assert_int_equal(chosen.baud, 115200);
	assert_string_equal(chosen.stats, "file");
	assert_true(choose("/dev/ttyACM0", 1000000, why));
	assert_string_equal(chosen.device, "/dev/ttyACM0");
	assert_int_equal(chosen.baud, 1000000);
	setenv("TMA_SERIAL_DEVICE", "", 1);
	setenv("TMA_SERIAL_BAUD", "", 1);
	assert_true(choose(NULL, 0, why));
	assert_string_equal(chosen.device, "/dev/ttyUSB0");
	assert_int_equal(chosen.baud, 1000000);
}

TEST(test_wrong_bauds)
{
	static const char *const wrong[] = {
		"fast",    "0",       "299",    "100000001", "115200x",
		" 115200", "-115200", "0x1000", "1e6",       "99999999999999999999999"
	};
	char why[SERIAL_WHY_ROOM], expected[SERIAL_WHY_ROOM];
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		setenv("TMA_SERIAL_BAUD", wrong[i], 1);
		assert_false(choose(NULL, 0, why));
		snprintf(expected, sizeof(expected),
		         "TMA_SERIAL_BAUD is %s: must be a number from 300 to 100000000", wrong[i]);
		assert_string_equal(why, expected);
		assert_true(choose(NULL, 9600, why)); /* is not looked at */
	}
	unsetenv("TMA_SERIAL_BAUD");
	unsetenv("TMA_SERIAL_DEVICE");
	unsetenv("TMA_SERIAL_STATS");
	assert_false(choose(NULL, 299, why));
	assert_string_equal(why, "baud = 299: must be 300 to 100000000");
	assert_false(choose(NULL, 100000001, why));
}

int run_serial_port_tests(void)
{
	return run_file_tests("serial devices");
}
