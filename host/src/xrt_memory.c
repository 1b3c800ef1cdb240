/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the section MEM_TOPOLOGY; xclbin.h of XRT has the format (struct axlf), but not where all versions have it. */
#include "xrt_memory.h"

#include <stdio.h>
#include <string.h>

#define HEAD_BYTES    456u
#define NUM_SECTIONS  (304u + 144u) /* where it is in the head */
#define SECTION_BYTES 40u
#define MAX_SECTIONS  1000u
#define MEM_TOPOLOGY  6u
#define BANK_BYTES    40u
#define MAX_BANKS     1000u
#define PAGE          UINT64_C(4096)

static uint64_t word(const uint8_t *at, unsigned int bytes)
{
	uint64_t value = 0;

	while (bytes--)
		value = value << 8 | at[bytes];
	return value;
}

static bool read_at(FILE *file, uint64_t offset, void *bytes, size_t size)
{
	return offset < INT32_MAX && !fseek(file, (long)offset, SEEK_SET) &&
	       fread(bytes, 1, size, file) == size;
}

/* Where the section's bytes are. */
static bool find_section(FILE *file, uint64_t *offset)
{
	uint8_t head[HEAD_BYTES], entry[SECTION_BYTES];
	uint64_t count, i;

	if (!read_at(file, 0, head, sizeof(head)) || memcmp(head, "xclbin2", 8) != 0)
		return false;
	count = word(head + NUM_SECTIONS, 4);
	for (i = 0; i < count && i < MAX_SECTIONS; i++) {
		if (!read_at(file, HEAD_BYTES + i * SECTION_BYTES, entry, sizeof(entry)))
			return false;
		if (word(entry, 4) == MEM_TOPOLOGY) {
			*offset = word(entry + 24, 8);
			return true;
		}
	}
	return false;
}

/* First and last byte of all banks. */
static bool read_banks(FILE *file, uint64_t offset, uint64_t *first, uint64_t *last)
{
	uint8_t count[8], bank[BANK_BYTES];
	uint64_t i, base, size;

	if (!read_at(file, offset, count, sizeof(count)) || word(count, 4) > MAX_BANKS)
		return false;
	*first = UINT64_MAX;
	*last = 0;
	for (i = 0; i < word(count, 4); i++) {
		if (!read_at(file, offset + sizeof(count) + i * BANK_BYTES, bank, sizeof(bank)))
			return false;
		size = word(bank + 8, 8) * 1024;
		base = word(bank + 16, 8);
		if (!word(bank + 1, 1) || !size || base + (size - 1) < base)
			continue;
		*first = base < *first ? base : *first;
		*last = base + (size - 1) > *last ? base + (size - 1) : *last;
	}
	return *first <= *last;
}

bool xrt_memory_range(const char *xclbin, uint64_t *base, uint64_t *bytes)
{
	FILE *file = fopen(xclbin, "rb");
	uint64_t offset, first, last;
	bool found;

	if (!file)
		return false;
	found = find_section(file, &offset) && read_banks(file, offset, &first, &last);
	fclose(file);
	if (!found)
		return false;
	*base = first & ~(PAGE - 1);
	*bytes = (last & ~(PAGE - 1)) + PAGE - *base;
	return *bytes != 0;
}
