/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of RFC 1662 with the FCS-32. */
#include "board/client.h"

#include <string.h>

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

size_t line_unframe(const uint8_t *bytes, size_t size, uint8_t *to, size_t room)
{
	uint8_t flip = 0;
	size_t count = 0;

	for (size_t i = 0; i < size; i++) {
		if (bytes[i] == ESCAPE && !flip) {
			flip = FLIP;
			continue;
		}
		if (count == room)
			return 0;
		to[count++] = bytes[i] ^ flip;
		flip = 0;
	}
	if (flip || count < 6 || line_fcs(to, count - 4) != line_get(to + count - 4, 4))
		return 0;
	return count - 4;
}

bool line_answer(const uint8_t *bytes, size_t size, struct line_answer *answer)
{
	uint8_t frame[LINE_FRAME];
	size_t count = line_unframe(bytes, size, frame, sizeof(frame));

	if (count < 3)
		return false;
	answer->sequence = frame[0];
	answer->op = frame[1];
	answer->status = frame[2];
	answer->size = count - 3;
	memcpy(answer->results, frame + 3, answer->size);
	return true;
}
