/* SPDX-License-Identifier: Apache-2.0 */
/* A pseudo-terminal whose slave side looks like a serial line. */
#ifndef PTY_H
#define PTY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pty {
	int master, slave; /* the slave stays open, so that programs may come and go */
	char name[128];    /* of the slave */
	const char *link;  /* a symbolic link to it, or NULL */
};

/**
 * Open one, raw. @p link: a name of your own for the slave; a symbolic link of that name is replaced, anything else
 * is not. @return 0, or -1 with errno
 */
int pty_open(struct pty *pty, const char *link);
/** Close it, and remove the link. */
void pty_close(struct pty *pty);

/** Bytes that have come, as many as there are. @return how many, 0: none */
size_t pty_read(struct pty *pty, uint8_t *bytes, size_t count);
/** Bytes for whoever has the slave open. @return how many found room */
size_t pty_write(struct pty *pty, const uint8_t *bytes, size_t count);

#endif
