/* SPDX-License-Identifier: Apache-2.0 */
/*
 * xclbin_test - the container that xclbin_write() makes, field by field.
 *
 * Spec: xclbin.h of XRT (struct axlf)
 * Checks: head, table, sections and their places; banks and arguments of each port; another content has another uuid;
 *         cards that cannot be; files that cannot be written; what the back end "xrt" reads back, from files that are
 *         right, cut off and wrong.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "card/xclbin.h"
#include "lib/cmocka_all.h"
#include "xrt_memory.h"

#define HEAD     456u
#define SECTIONS 5u

static uint8_t *made;
static size_t size;

static int make(const struct xclbin_card *card)
{
	FILE *file = open_memstream((char **)&made, &size);
	int error;

	assert_non_null(file);
	error = xclbin_write(file, card);
	fclose(file);
	return error;
}

static uint64_t word(size_t at, unsigned int bytes)
{
	uint64_t value = 0;

	assert_true(at + bytes <= size);
	for (unsigned int i = 0; i < bytes; i++)
		value |= (uint64_t)made[at + i] << 8 * i;
	return value;
}

/* Where a section is; its length. */
static size_t section(uint32_t kind, size_t *length)
{
	for (size_t i = 0; i < SECTIONS; i++) {
		size_t entry = HEAD + 40 * i;

		if (word(entry, 4) != kind)
			continue;
		*length = word(entry + 32, 8);
		assert_true(word(entry + 24, 8) % 8 == 0);
		assert_true(word(entry + 24, 8) + *length <= size);
		return word(entry + 24, 8);
	}
	fail_msg("no section %u", kind);
	return 0;
}

static const struct xclbin_card good = {
	.ports = 2, .bank_bytes = 1 << 20, .bits = "default", .num_bits = 7
};

TEST(test_head)
{
	assert_int_equal(make(&good), 0);
	assert_memory_equal(made, "xclbin2", 8);
	assert_true(word(8, 4) == UINT32_MAX);
	assert_true(word(295, 1) == 0xFF);
	assert_true(word(304, 8) == size);
	assert_int_equal(word(304 + 28, 2), 6);
	assert_int_equal(word(304 + 144, 4), SECTIONS);
	assert_true(word(304 + 112, 8) != 0);
	free(made);
}

TEST(test_sections)
{
	size_t at, length;

	assert_int_equal(make(&good), 0);
	at = section(0, &length);
	assert_int_equal(length, 7);
	assert_memory_equal(made + at, "default", 7);
	at = section(6, &length);
	assert_int_equal(length, 8 + 2 * 40);
	assert_int_equal(word(at, 4), 2);
	assert_int_equal(word(at + 8, 1), 6);
	assert_int_equal(word(at + 9, 1), 1);
	assert_int_equal(word(at + 48 + 8, 8), 1024);
	assert_true(word(at + 48 + 16, 8) == XCLBIN_MEMORY + (1 << 20));
	assert_string_equal(made + at + 48 + 24, "HBM[1]");
	at = section(7, &length);
	assert_int_equal(length, 4 + 2 * 12);
	assert_int_equal(word(at + 4 + 12, 4), 1);
	assert_int_equal(word(at + 4 + 20, 4), 1);
	at = section(8, &length);
	assert_int_equal(length, 8 + 80);
	assert_int_equal(word(at + 8, 4), 1);
	assert_int_equal(word(at + 16, 8), XCLBIN_BASE);
	assert_string_equal(made + at + 24, "tma_kernel:tma_kernel_1");
	at = section(2, &length);
	assert_non_null(memmem(made + at, length, "<arg name=\"memory1\"", 19));
	assert_non_null(memmem(made + at, length, "offset=\"0x7C8\"", 14));
	assert_null(memmem(made + at, length, "<arg name=\"memory2\"", 19));
	free(made);
}

TEST(test_uuid)
{
	struct xclbin_card other = good;
	uint8_t uuid[16];

	assert_int_equal(make(&good), 0);
	memcpy(uuid, made + 304 + 112, 16);
	free(made);
	assert_int_equal(make(&good), 0);
	assert_memory_equal(uuid, made + 304 + 112, 16);
	free(made);
	other.bits = "defaulu";
	assert_int_equal(make(&other), 0);
	assert_memory_not_equal(uuid, made + 304 + 112, 16);
	free(made);
	other = good;
	other.bank_bytes *= 2;
	assert_int_equal(make(&other), 0);
	assert_memory_not_equal(uuid, made + 304 + 112, 16);
	free(made);
}

TEST(test_impossible)
{
	const struct xclbin_card bad[] = {
		{ .ports = 0, .bank_bytes = 4096 },
		{ .ports = 5, .bank_bytes = 4096 },
		{ .ports = 1, .bank_bytes = 0 },
		{ .ports = 1, .bank_bytes = 4095 },
		{ .ports = 1, .bank_bytes = UINT64_C(1) << 63 },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(make(&bad[i]), -EINVAL);
		assert_int_equal(size, 0);
		free(made);
	}
}

TEST(test_full)
{
	FILE *full = fopen("/dev/full", "wb");

	assert_non_null(full);
	assert_int_equal(xclbin_write(full, &good), -EIO);
	fclose(full);
}

/* What the back end reads of it: the memory of the card. */
static bool range_of(const uint8_t *bytes, size_t count, uint64_t *base, uint64_t *length)
{
	char path[] = "/tmp/xclbin_test.XXXXXX";
	int file = mkstemp(path);
	bool found;

	assert_true(file >= 0);
	assert_int_equal(write(file, bytes, count), count);
	close(file);
	found = xrt_memory_range(path, base, length);
	unlink(path);
	return found;
}

TEST(test_memory)
{
	uint64_t base = 0, length = 0;
	size_t at, end, ignored;

	assert_int_equal(make(&good), 0);
	assert_true(range_of(made, size, &base, &length));
	assert_true(base == XCLBIN_MEMORY && length == 2 << 20);
	/* Cut off anywhere in front of its end, it has none. */
	end = section(6, &ignored) + 8 + 2 * 40;
	for (at = 0; at < end; at += 1 + at / 8)
		assert_false(range_of(made, at, &base, &length));
	assert_false(range_of(made, end - 1, &base, &length));
	assert_true(range_of(made, end, &base, &length));
	/* One bank is not used, then none is. */
	at = section(6, &ignored);
	made[at + 8 + 1] = 0;
	assert_true(range_of(made, size, &base, &length));
	assert_true(base == XCLBIN_MEMORY + (1 << 20) && length == 1 << 20);
	made[at + 48 + 1] = 0;
	assert_false(range_of(made, size, &base, &length));
	/* A bank that runs over the end of all addresses; more banks than there can be. */
	made[at + 48 + 1] = 1;
	memset(made + at + 48 + 16, 0xFF, 8);
	assert_false(range_of(made, size, &base, &length));
	memset(made + at, 0xFF, 4);
	assert_false(range_of(made, size, &base, &length));
	made[0] = 'X';
	assert_false(range_of(made, size, &base, &length));
	assert_false(xrt_memory_range("/tmp/there/is/none", &base, &length));
	free(made);
}

int main(void)
{
	return run_file_tests("xclbin");
}
