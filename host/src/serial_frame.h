/* SPDX-License-Identifier: Apache-2.0 */
/*
 * serial_frame - requests and answers as bytes on the serial line of a board: docs/board.md, "The line".
 *
 *	flag | bytes, flags and escapes escaped | FCS-32, the same | flag
 *
 * No state but that of the decoder, no system calls.
 */
#ifndef SERIAL_FRAME_H
#define SERIAL_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SERIAL_FLAG   0x7Eu
#define SERIAL_ESCAPE 0x7Du

#define SERIAL_FCS_BYTES 4u
#define SERIAL_MIN_BYTES 2u /* of a frame without its FCS */

/* The longest frame without its FCS, and the most that one becomes on the line. */
#define SERIAL_DATA_BYTES        1024u
#define SERIAL_MAX_BYTES         (1u + 1u + 8u + SERIAL_DATA_BYTES)
#define SERIAL_LINE_BYTES(bytes) (2u + 2u * ((bytes) + SERIAL_FCS_BYTES))

/** FCS-32 of RFC 1662, which is the CRC-32 of Ethernet. */
uint32_t serial_fcs(const uint8_t *bytes, size_t count);

/**
 * A frame with its FCS and its flags.
 *
 * @param line  room for SERIAL_LINE_BYTES(count)
 * @return bytes of it
 */
size_t serial_encode(const uint8_t *bytes, size_t count, uint8_t *line);

/* What has come of a frame. All zero at first: what comes before the first flag then counts as one. */
struct serial_decoder {
	uint8_t bytes[SERIAL_MAX_BYTES + SERIAL_FCS_BYTES];
	size_t count; /* that have come, also those that have no room */
	bool escape;  /* the next byte is an escaped one */
};

enum serial_event {
	SERIAL_NOTHING, /* yet */
	SERIAL_FRAME,   /* *count bytes of decoder->bytes are one, until the next call */
	SERIAL_BAD,     /* a flag ended what is no frame */
};

/** Take the next byte of the line. @param count  filled with SERIAL_FRAME: bytes without the FCS */
enum serial_event serial_decode(struct serial_decoder *decoder, uint8_t byte, size_t *count);

#endif
