/* SPDX-License-Identifier: Apache-2.0 */
/* Structs that grow at their end: a caller's may come from a newer header than this library. */
#include <string.h>

#include "device.h"

/* Beyond this a size was never set: nothing behind the struct is looked at or cleared. */
#define MAX_SIZE 4096

static int check_size(size_t theirs, size_t size)
{
	if (theirs >= size && theirs <= MAX_SIZE)
		return 0;
	return because(TMA_ESIZE, "size = %zu: must be set to the size of the struct, %zu bytes", theirs,
	               size);
}

int options_in(void *to, size_t size, const void *from)
{
	const uint8_t *bytes = from;
	size_t theirs, i;

	memset(to, 0, size);
	if (!from)
		return 0;

	memcpy(&theirs, from, sizeof(theirs));
	if (check_size(theirs, size))
		return TMA_ESIZE;
	for (i = size; i < theirs; i++)
		if (bytes[i])
			return because(TMA_ESIZE,
			               "size = %zu: byte %zu is set, and this library knows %zu alone",
			               theirs, i, size);
	memcpy(to, from, size);
	return 0;
}

int options_out(void *to, size_t size, const void *from)
{
	size_t theirs;

	memcpy(&theirs, to, sizeof(theirs));
	if (check_size(theirs, size))
		return TMA_ESIZE;
	memcpy((uint8_t *)to + sizeof(theirs), (const uint8_t *)from + sizeof(theirs), size - sizeof(theirs));
	memset((uint8_t *)to + size, 0, theirs - size);
	return 0;
}
