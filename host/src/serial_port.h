/* SPDX-License-Identifier: Apache-2.0 */
/*
 * serial_port - the device of a serial line: bytes out and in, raw, 8N1, for this program alone.
 *
 * Linux: any baud that the driver offers. What is found is put back when it is closed.
 */
#ifndef SERIAL_PORT_H
#define SERIAL_PORT_H

#include <stddef.h>
#include <stdint.h>

#define SERIAL_WHY_ROOM 256

struct serial_port;

/**
 * Open it, with nothing of the past in its buffers.
 *
 * @param why  filled on failure, room for SERIAL_WHY_ROOM: one line that begins with the device
 * @return NULL: there is none, no permission, in use, no terminal, not that baud
 */
struct serial_port *serial_port_open(const char *device, uint32_t baud, char *why);

/** Put back what was found. NULL is allowed. */
void serial_port_close(struct serial_port *port);

/** Microseconds of a clock that goes on steadily. */
uint64_t serial_now(void);

/** Hand over all of it until then. @return 0, or an errno: ETIME it was not taken in time */
int serial_port_write(struct serial_port *port, const uint8_t *bytes, size_t count, uint64_t until);

/**
 * What has come, or comes until then.
 * @param count  filled with the bytes of it, 0: nothing came
 * @return 0, or an errno: the device has gone
 */
int serial_port_read(struct serial_port *port, uint8_t *bytes, size_t room, uint64_t until, size_t *count);

#endif
