/* SPDX-License-Identifier: Apache-2.0 */
#include "board/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

/* No echo, no lines, no signals: every byte as it is. */
static int make_raw(int fd)
{
	struct termios t;

	if (tcgetattr(fd, &t))
		return -1;
	t.c_iflag &= (tcflag_t) ~(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
	t.c_oflag &= (tcflag_t)~OPOST;
	t.c_lflag &= (tcflag_t) ~(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
	t.c_cflag &= (tcflag_t) ~(CSIZE | PARENB);
	t.c_cflag |= CS8;
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	return tcsetattr(fd, TCSANOW, &t);
}

static int make_link(const char *name, const char *link)
{
	struct stat st;

	if (!lstat(link, &st)) {
		if (!S_ISLNK(st.st_mode)) {
			errno = EEXIST;
			return -1;
		}
		if (unlink(link))
			return -1;
	}
	return symlink(name, link);
}

int pty_open(struct pty *pty, const char *link)
{
	const char *name;
	int error;

	*pty = (struct pty){ .master = posix_openpt(O_RDWR | O_NOCTTY), .slave = -1 };
	if (pty->master < 0)
		return -1;
	if (grantpt(pty->master) || unlockpt(pty->master) || !(name = ptsname(pty->master)))
		goto fail;
	if (strlen(name) >= sizeof(pty->name)) {
		errno = ENAMETOOLONG;
		goto fail;
	}
	strcpy(pty->name, name);
	pty->slave = open(name, O_RDWR | O_NOCTTY);
	if (pty->slave < 0 || make_raw(pty->slave))
		goto fail;
	if (fcntl(pty->master, F_SETFL, O_NONBLOCK) < 0)
		goto fail;
	if (link) {
		if (make_link(name, link))
			goto fail;
		pty->link = link;
	}
	return 0;
fail:
	error = errno;
	pty_close(pty);
	errno = error;
	return -1;
}

void pty_close(struct pty *pty)
{
	char to[sizeof(pty->name)];
	ssize_t length = pty->link ? readlink(pty->link, to, sizeof(to)) : -1;

	/* Somebody else's by now, maybe. */
	if (length == (ssize_t)strlen(pty->name) && !memcmp(to, pty->name, (size_t)length))
		unlink(pty->link);
	if (pty->slave >= 0)
		close(pty->slave);
	if (pty->master >= 0)
		close(pty->master);
}

size_t pty_read(struct pty *pty, uint8_t *bytes, size_t count)
{
	ssize_t got = read(pty->master, bytes, count);

	return got > 0 ? (size_t)got : 0;
}

size_t pty_write(struct pty *pty, const uint8_t *bytes, size_t count)
{
	ssize_t put = write(pty->master, bytes, count);

	return put > 0 ? (size_t)put : 0;
}
