/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of RFC 1662 with the FCS-32. */
#include "board/client.h"

#define FLAG   0x7Eu
#define ESCAPE 0x7Du
#define FLIP   0x20u

size_t line_put(uint8_t *to, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		to[i] = (uint8_t)(value >> 8 * i);
	return bytes;
}

uint64_t line_get(const uint8_t *from, size_t bytes)
{
	uint64_t value = 0;

	for (size_t i = 0; i < bytes; i++)
		value |= (uint64_t)from[i] << 8 * i;
	return value;
}

uint32_t line_fcs(const uint8_t *bytes, size_t size)
{
	uint32_t fcs = UINT32_MAX;

	for (size_t i = 0; i < size; i++) {
		fcs ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			fcs = fcs >> 1 ^ (fcs & 1 ? 0xEDB88320u : 0);
	}
	return ~fcs;
}

static size_t put_escaped(uint8_t *to, uint8_t byte)
{
	if (byte != FLAG && byte != ESCAPE) {
		to[0] = byte;
		return 1;
	}
	to[0] = ESCAPE;
	to[1] = byte ^ FLIP;
	return 2;
}

size_t line_frame(uint8_t *to, const void *bytes, size_t size)
{
	const uint8_t *from = bytes;
	uint8_t fcs[4];
	size_t count = 0;

	line_put(fcs, line_fcs(from, size), sizeof(fcs));
	to[count++] = FLAG;
	for (size_t i = 0; i < size; i++)
		count += put_escaped(to + count, from[i]);
	for (size_t i = 0; i < sizeof(fcs); i++)
		count += put_escaped(to + count, fcs[i]);
	to[count++] = FLAG;
	return count;
}
