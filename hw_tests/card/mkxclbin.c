/* SPDX-License-Identifier: Apache-2.0 */
/* mkxclbin - makes the xclbin of a card with one engine; see usage(). */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "card/xclbin.h"

static int usage(void)
{
	fprintf(stderr, "usage: mkxclbin PORTS BANK_BYTES OUTPUT [BITSTREAM]\n"
	                "  PORTS       global ports of the engine, 1 to 4; each has a bank\n"
	                "  BANK_BYTES  of each bank, a multiple of 4096\n"
	                "  BITSTREAM   file that the xclbin carries; for hw_emu a zip with the simulator\n");
	return 2;
}

static int fail(const char *path)
{
	fprintf(stderr, "mkxclbin: %s: %s\n", path, strerror(errno));
	return 1;
}

/* @return whether the text is a number and nothing else */
static bool number(const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* The whole file; NULL and errno if it cannot be read. */
static void *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	char *bytes = NULL, *more;
	size_t room = 0, got;

	*size = 0;
	if (!file)
		return NULL;
	do {
		if (*size == room) {
			room = room ? 2 * room : 1 << 16;
			more = realloc(bytes, room);
			if (!more)
				break;
			bytes = more;
		}
		got = fread(bytes + *size, 1, room - *size, file);
		*size += got;
	} while (got);
	if (!feof(file)) {
		free(bytes);
		bytes = NULL;
		errno = errno ? errno : ENOMEM;
	}
	fclose(file);
	return bytes;
}

static int write_file(const char *path, const struct xclbin_card *card)
{
	FILE *file = fopen(path, "wb");
	struct stat is;
	int error;

	if (!file)
		return fail(path);
	error = xclbin_write(file, card);
	if (fclose(file) && !error)
		error = -errno;
	if (!error)
		return 0;
	/* Half of a file is none. Devices are no files. */
	if (!stat(path, &is) && S_ISREG(is.st_mode))
		remove(path);
	errno = -error;
	return fail(path);
}

int main(int argc, char **argv)
{
	struct xclbin_card card = { 0 };
	uint64_t ports;
	void *bits = NULL;
	int status;

	if (argc < 4 || argc > 5 || !number(argv[1], &ports) || !number(argv[2], &card.bank_bytes) ||
	    ports > XCLBIN_MAX_PORTS)
		return usage();
	card.ports = (uint32_t)ports;
	if (!xclbin_possible(&card))
		return usage();
	if (argc == 5) {
		bits = read_file(argv[4], &card.num_bits);
		if (!bits)
			return fail(argv[4]);
	}
	card.bits = bits;
	status = write_file(argv[3], &card);
	free(bits);
	return status;
}
