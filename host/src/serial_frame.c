/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of RFC 1662 for asynchronous lines, without its compression and its map of control characters. */
#include "serial_frame.h"

#define FLIP       0x20u
#define POLYNOMIAL 0xEDB88320u /* from the lowest bit on, as bits go over the line */

uint32_t serial_fcs(const uint8_t *bytes, size_t count)
{
	uint32_t fcs = UINT32_MAX;
	size_t i;
	int bit;

	for (i = 0; i < count; i++) {
		fcs ^= bytes[i];
		for (bit = 0; bit < 8; bit++)
			fcs = fcs >> 1 ^ (fcs & 1 ? POLYNOMIAL : 0);
	}
	return ~fcs;
}

static uint8_t *put(uint8_t *line, uint8_t byte)
{
	if (byte == SERIAL_FLAG || byte == SERIAL_ESCAPE) {
		*line++ = SERIAL_ESCAPE;
		byte ^= FLIP;
	}
	*line++ = byte;
	return line;
}

size_t serial_encode(const uint8_t *bytes, size_t count, uint8_t *line)
{
	const uint32_t fcs = serial_fcs(bytes, count);
	uint8_t *end = line;
	size_t i;

	*end++ = SERIAL_FLAG;
	for (i = 0; i < count; i++)
		end = put(end, bytes[i]);
	for (i = 0; i < SERIAL_FCS_BYTES; i++)
		end = put(end, (uint8_t)(fcs >> 8 * i));
	*end++ = SERIAL_FLAG;
	return (size_t)(end - line);
}

static bool is_frame(const struct serial_decoder *d)
{
	size_t count = d->count - SERIAL_FCS_BYTES, i;
	uint32_t fcs = 0;

	if (d->escape || d->count < SERIAL_MIN_BYTES + SERIAL_FCS_BYTES || d->count > sizeof(d->bytes))
		return false;
	for (i = 0; i < SERIAL_FCS_BYTES; i++)
		fcs |= (uint32_t)d->bytes[count + i] << 8 * i;
	return fcs == serial_fcs(d->bytes, count);
}

enum serial_event serial_decode(struct serial_decoder *d, uint8_t byte, size_t *count)
{
	bool good;

	if (byte == SERIAL_FLAG) {
		if (!d->count && !d->escape)
			return SERIAL_NOTHING;
		good = is_frame(d);
		*count = good ? d->count - SERIAL_FCS_BYTES : 0;
		d->count = 0;
		d->escape = false;
		return good ? SERIAL_FRAME : SERIAL_BAD;
	}
	if (byte == SERIAL_ESCAPE && !d->escape) {
		d->escape = true;
		return SERIAL_NOTHING;
	}
	if (d->escape)
		byte ^= FLIP;
	d->escape = false;
	if (d->count < sizeof(d->bytes))
		d->bytes[d->count] = byte;
	/* Of what is too long it counts that it is. */
	if (d->count <= sizeof(d->bytes))
		d->count++;
	return SERIAL_NOTHING;
}
