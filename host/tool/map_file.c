/* SPDX-License-Identifier: Apache-2.0 */
/* Maps in files: 128 bytes, or 256 hexadecimal digits with white space between them as one likes. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "map.h"
#include "tma_tables.h"

#define ROOM         4096u /* of the text of a map, generously */
#define BYTES_A_LINE 32u

static bool is_standard(const char *path)
{
	return !path || !strcmp(path, "-");
}

/* @return bytes read, ROOM + 1: more than that; -1 with errno */
static long read_all(const char *path, char *text)
{
	FILE *file = is_standard(path) ? stdin : fopen(path, "rb");
	size_t size;
	bool bad;
	int error;

	if (!file)
		return -1;
	errno = 0;
	size = fread(text, 1, ROOM + 1, file);
	bad = ferror(file);
	error = errno;
	if (file != stdin)
		fclose(file);
	errno = error;
	return bad ? -1 : (long)size;
}

static int digit(char c)
{
	return isdigit((unsigned char)c)    ? c - '0'
	       : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
	                                    : -1;
}

/* @return why it is no map, or NULL */
static const char *parse_digits(const char *text, size_t size, uint8_t bytes[TMA_MAP_BYTES])
{
	size_t i, digits = 0;

	memset(bytes, 0, TMA_MAP_BYTES);
	for (i = 0; i < size; i++) {
		if (isspace((unsigned char)text[i]))
			continue;
		if (digit(text[i]) < 0)
			return "is neither 128 bytes nor hexadecimal digits";
		if (digits == 2 * TMA_MAP_BYTES)
			return "has more than 256 hexadecimal digits";
		bytes[digits / 2] |= (uint8_t)(digit(text[i]) << (digits % 2 ? 0 : 4));
		digits++;
	}
	return digits == 2 * TMA_MAP_BYTES ? NULL : "has less than 256 hexadecimal digits";
}

int map_read(const char *tool, const char *path, struct tma_map *map)
{
	const char *name = is_standard(path) ? "standard input" : path, *why;
	uint8_t bytes[TMA_MAP_BYTES];
	char text[ROOM + 1];
	long size = read_all(path, text);

	if (size < 0)
		return cli_refuse(tool, name, strerror(errno));
	/* So many digits would be half a map. */
	if (size == TMA_MAP_BYTES) {
		memcpy(map, text, TMA_MAP_BYTES);
		return 0;
	}
	why = parse_digits(text, (size_t)size, bytes);
	if (why)
		return cli_refuse(tool, name, why);
	memcpy(map, bytes, TMA_MAP_BYTES);
	return 0;
}

static void print_digits(const struct tma_map *map)
{
	const uint8_t *bytes = (const uint8_t *)map;
	uint32_t i;

	for (i = 0; i < TMA_MAP_BYTES; i++)
		printf("%02x%s", bytes[i], (i + 1) % BYTES_A_LINE ? "" : "\n");
}

int map_write(const char *tool, const char *path, const struct tma_map *map)
{
	FILE *file;

	if (is_standard(path)) {
		print_digits(map);
		return cli_end(tool, TOOL_PASS);
	}
	file = fopen(path, "wb");
	if (!file)
		return cli_refuse(tool, path, strerror(errno));
	fwrite(map, 1, TMA_MAP_BYTES, file);
	return cli_close(file) ? cli_refuse(tool, path, strerror(errno)) : TOOL_PASS;
}

int map_read_legal(const char *tool, const char *path, struct tma_map_info *info)
{
	struct tma_map_error error;
	struct tma_map map;
	int status = map_read(tool, path, &map);

	if (status || !tma_map_decode(&map, info, &error))
		return status;
	fprintf(stderr, "%s: %s: is no legal map: %s %s (%s)\n", tool,
	        is_standard(path) ? "standard input" : path, error.parameter, error.rule,
	        tma_fault_info(error.fault)->name);
	return TOOL_FAIL;
}
