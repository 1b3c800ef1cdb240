/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cli_unit - what all tools share, where it meets what no tool can be made to meet: waveforms that are cut off.
 *
 * Checks: a file of whole blocks is one; each byte less or more, a block that was begun only, another kind in front or
 *         no block behind the header is none; numbers at their bounds; files on a full disk.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "lib/cmocka_all.h"
#include "wave.h"

#define HEADER_BYTES 330u /* kind, length, what is in it */
#define BLOCK_BYTES  50u
#define FILE_BYTES   (HEADER_BYTES + 2 * BLOCK_BYTES)

/* Kind and length of a block that takes so many bytes in all. */
static void put_block(uint8_t *at, uint8_t kind, uint32_t bytes)
{
	memset(at, 0x55, bytes);
	memset(at, 0, 9);
	at[0] = kind;
	at[7] = (uint8_t)((bytes - 1) >> 8);
	at[8] = (uint8_t)(bytes - 1);
}

static void put_wave(uint8_t *bytes)
{
	put_block(bytes, 0, HEADER_BYTES);
	put_block(bytes + HEADER_BYTES, 8, BLOCK_BYTES);
	put_block(bytes + HEADER_BYTES + BLOCK_BYTES, 3, BLOCK_BYTES);
}

/* The status that a tool ends with whose waveform has these bytes. */
static int status_of(const uint8_t *bytes, size_t size)
{
	char path[] = "/tmp/cli_unit.XXXXXX";
	int file = mkstemp(path), status;

	assert_true(file >= 0);
	assert_int_equal(write(file, bytes, size), (ssize_t)size);
	close(file);
	status = wave_end("cli_unit", path, 77);
	unlink(path);
	return status;
}

TEST(whole_waveform)
{
	uint8_t bytes[FILE_BYTES];

	put_wave(bytes);
	assert_int_equal(status_of(bytes, FILE_BYTES), 77);
	assert_int_equal(wave_end("cli_unit", NULL, 77), 77);
}

TEST(cut_waveform)
{
	uint8_t bytes[FILE_BYTES + 1] = { 0 };
	size_t size;

	put_wave(bytes);
	for (size = 0; size < FILE_BYTES; size++)
		if (size != HEADER_BYTES + BLOCK_BYTES)
			assert_int_equal(status_of(bytes, size), CLI_USAGE);
	assert_int_equal(status_of(bytes, FILE_BYTES + 1), CLI_USAGE);
	assert_int_equal(wave_end("cli_unit", "/tmp/none/x.fst", 77), CLI_USAGE);
}

TEST(wrong_blocks)
{
	uint8_t bytes[FILE_BYTES];

	put_wave(bytes);
	bytes[0] = 3;
	assert_int_equal(status_of(bytes, FILE_BYTES), CLI_USAGE);
	put_wave(bytes);
	bytes[HEADER_BYTES] = 255;
	assert_int_equal(status_of(bytes, FILE_BYTES), CLI_USAGE);
	/* A length that leads back, or nowhere. */
	put_wave(bytes);
	memset(bytes + HEADER_BYTES + 1, 0, 8);
	assert_int_equal(status_of(bytes, FILE_BYTES), CLI_USAGE);
	memset(bytes + HEADER_BYTES + 1, 0xFF, 8);
	assert_int_equal(status_of(bytes, FILE_BYTES), CLI_USAGE);
}

TEST(where_waveforms_can_be)
{
	char path[] = "/tmp/cli_unit.XXXXXX";
	int file = mkstemp(path);

	assert_true(file >= 0);
	close(file);
	assert_int_equal(wave_begin("cli_unit", NULL), 0);
	assert_int_equal(wave_begin("cli_unit", path), 0);
	assert_int_equal(wave_begin("cli_unit", "/dev/full"), CLI_USAGE);
	assert_int_equal(wave_begin("cli_unit", "/tmp"), CLI_USAGE);
	assert_int_equal(wave_begin("cli_unit", "/tmp/none/x.fst"), CLI_USAGE);
	unlink(path);
}

TEST(numbers)
{
	static const char *const wrong[] = { "",  "-1", "+1", " 1", "1 ", "0x", "1.0", "18446744073709551616",
		                             "6", "16" };
	uint64_t value;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_false(cli_number("cli_unit", "--n", wrong[i], 7, 15, &value));
	assert_true(cli_number("cli_unit", "--n", "7", 7, 15, &value) && value == 7);
	assert_true(cli_number("cli_unit", "--n", "0xF", 7, 15, &value) && value == 15);
	assert_true(cli_number("cli_unit", "--n", "18446744073709551615", 0, UINT64_MAX, &value));
	assert_true(value == UINT64_MAX);
	assert_true(cli_number("cli_unit", "--n", "010", 7, 15, &value) && value == 10);
	assert_true(cli_number("cli_unit", "--n", "08", 7, 15, &value) && value == 8);
}

/* What did not fit is an error, whether it has left the buffer before the file is closed or then. */
TEST(full_disk)
{
	static char block[1 << 16];
	FILE *file;

	for (size_t size = 1; size <= sizeof(block); size *= 256) {
		file = fopen("/dev/full", "w");
		assert_non_null(file);
		fwrite(block, 1, size, file);
		assert_int_equal(cli_close(file), -1);
		assert_int_equal(errno, ENOSPC);
	}
	file = fopen("/dev/null", "w");
	assert_non_null(file);
	fwrite(block, 1, sizeof(block), file);
	assert_int_equal(cli_close(file), 0);
}

int main(void)
{
	return run_file_tests("cli");
}
