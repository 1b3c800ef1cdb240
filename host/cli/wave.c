/* SPDX-License-Identifier: Apache-2.0 */
/* An FST file is a row of blocks, each with its kind and its length in front. */
#define _POSIX_C_SOURCE 200809L /* fileno(), ftello() */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "wave.h"

#define KIND_HEADER  0   /* the first block */
#define KIND_PENDING 255 /* one that was begun and not ended */
#define LENGTH_BYTES 8   /* big end first; counted in the length, the kind in front is not */

int wave_begin(const char *tool, const char *path)
{
	struct stat found;
	FILE *file;

	if (!path)
		return 0;
	if (!stat(path, &found) && !S_ISREG(found.st_mode))
		return cli_refuse(tool, path,
		                  S_ISDIR(found.st_mode) ? strerror(EISDIR) : "must be a regular file");
	file = fopen(path, "w");
	if (!file || fclose(file))
		return cli_refuse(tool, path, strerror(errno));
	return 0;
}

/* The block at the place of the file; goes behind it. False: it is none, or cut off. */
static bool next_block(FILE *file, off_t size, int *kind)
{
	uint64_t length = 0;
	off_t at = ftello(file);
	int i, c;

	*kind = fgetc(file);
	for (i = 0; i < LENGTH_BYTES; i++) {
		c = fgetc(file);
		if (c == EOF)
			return false;
		length = length << 8 | (uint64_t)c;
	}
	return length >= LENGTH_BYTES && length <= (uint64_t)(size - at - 1) &&
	       !fseeko(file, at + 1 + (off_t)length, SEEK_SET);
}

static bool is_whole(FILE *file)
{
	struct stat found;
	uint32_t blocks = 0;
	int kind;

	if (fstat(fileno(file), &found))
		return false;
	while (ftello(file) < found.st_size) {
		if (!next_block(file, found.st_size, &kind) || kind == KIND_PENDING ||
		    (!blocks && kind != KIND_HEADER))
			return false;
		blocks++;
	}
	/* What there is to see has blocks of its own. */
	return blocks > 1;
}

int wave_end(const char *tool, const char *path, int status)
{
	FILE *file = path ? fopen(path, "rb") : NULL;
	bool whole;

	if (!path)
		return status;
	if (!file)
		return cli_refuse(tool, path, strerror(errno));
	whole = is_whole(file);
	fclose(file);
	return whole ? status : cli_refuse(tool, path, "the waveform could not be written whole");
}
