/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of vectors: what it makes of files, and what it says of broken ones. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cmocka_all.h"

#include <lzma.h>
#include <unistd.h>

#include "lib/test/vec_image.h"

TEST(every_field_is_read)
{
	struct image f;
	struct vec_error error;
	struct vec *v;
	struct vec_record r;
	size_t at;

	image_header(&f, "TMAVEC1", 2, FIXED);
	image_record(&f, VEC_BULK_STORE, 1, REGION, 1, WINDOW + REGION + REGION);
	at = image_record(&f, VEC_BULK_SHARED, 2, 0, 0, 2 * WINDOW);
	image_put(f.bytes + at + 272, 0x1122334455667788u, 8);
	image_put(f.bytes + at + 80 + 3 * 8, 0xFFEEDDCCBBAA9988u, 8);
	image_put32(&f, at + 164 + 2 * 4, 0xFFFFFFFB);
	v = vec_parse(f.bytes, f.size, &error);
	assert_non_null(v);
	assert_int_equal(vec_kind(v), VEC_RECORDS);
	assert_int_equal(vec_count(v), 2);
	assert_string_equal(vec_device(v), "some device");

	vec_record(v, 0, &r);
	assert_int_equal(r.op, VEC_BULK_STORE);
	assert_int_equal(r.offset, HEADER);
	assert_int_equal(r.nbytes, 32);
	assert_int_equal(r.gmem_len, REGION);
	assert_ptr_equal(r.init_smem, f.bytes + HEADER + FIXED);
	assert_ptr_equal(r.init_gmem, r.init_smem + WINDOW);
	assert_ptr_equal(r.gmem, r.init_gmem + REGION);
	assert_null(r.smem);

	vec_record(v, 1, &r);
	assert_int_equal(r.number, 1);
	assert_int_equal(r.smem_seed, 0x1122334455667788u);
	assert_int_equal(r.stride[3], 0xFFEEDDCCBBAA9988u);
	assert_int_equal((int32_t)r.upper[2], -5);
	assert_int_equal(r.tx_bytes, 32);
	assert_ptr_equal(r.smem, f.bytes + at + FIXED);
	assert_null(r.init_smem);
	assert_null(r.gmem);
	vec_close(v);
}

/* A later revision adds fields at the end of the fixed part. */
TEST(longer_fixed_part)
{
	struct image f;
	struct vec_error error;
	struct vec *v;
	struct vec_record r;

	image_header(&f, "TMAVEC1", 1, FIXED + 8);
	image_record(&f, VEC_BULK_LOAD, 1, 0, 0, WINDOW);
	image_put32(&f, HEADER, FIXED + 8 + WINDOW);
	f.size += 8;
	v = vec_parse(f.bytes, f.size, &error);
	assert_non_null(v);
	vec_record(v, 0, &r);
	assert_ptr_equal(r.smem, f.bytes + HEADER + FIXED + 8);
	vec_close(v);
}

TEST(programs)
{
	struct image f;
	struct vec_error error;
	struct vec *v;
	struct vec_program p;

	image_header(&f, "TMAMBR1", 2, 0);
	image_put32(&f, f.size, 0); /* a program without steps */
	image_put32(&f, f.size + 4, 7);
	f.size += 8;
	image_put32(&f, f.size, 2);
	image_put32(&f, f.size + 4, 9);
	f.size += 8;
	image_step(&f, VEC_ARRIVE, 3, 0);
	image_step(&f, VEC_PENDING_COUNT, 2, 6);
	v = vec_parse(f.bytes, f.size, &error);
	assert_non_null(v);
	assert_int_equal(vec_kind(v), VEC_PROGRAMS);
	vec_program(v, 0, &p);
	assert_int_equal(p.num_steps, 0);
	assert_int_equal(p.init, 7);
	vec_program(v, 1, &p);
	assert_int_equal(p.offset, HEADER + 8);
	assert_int_equal(p.num_steps, 2);
	assert_int_equal(p.init, 9);
	assert_int_equal(vec_step(&p, 0).op, VEC_ARRIVE);
	assert_int_equal(vec_step(&p, 1).arg, 2);
	assert_int_equal(vec_step(&p, 1).result, 6);
	vec_close(v);
}

/* No prefix of a file is a file. */
TEST(truncated_anywhere)
{
	struct image records, progs;

	image_header(&records, "TMAVEC1", 2, FIXED);
	image_record(&records, VEC_BULK_LOAD, 1, 0, 0, WINDOW);
	image_record(&records, VEC_BULK_STORE, 1, REGION, 0, REGION);
	image_takes(&records);
	while (records.size--)
		image_refuses(&records, "");

	image_header(&progs, "TMAMBR1", 1, 0);
	image_put32(&progs, 64, 2);
	image_put32(&progs, 68, 1);
	progs.size += 8;
	image_step(&progs, VEC_ARRIVE, 1, 0);
	image_step(&progs, VEC_TEST_WAIT_PARITY, 0, 1);
	image_takes(&progs);
	while (progs.size--)
		image_refuses(&progs, "");
}

/* The first eight bytes as another language's arithmetic has them; any part equals the whole. */
TEST(pattern)
{
	static const uint8_t seed0[8] = { 0x6F, 0x7E, 0x19, 0x4D, 0x2F, 0xDD, 0x06, 0xA7 };
	uint8_t whole[256], part[256];

	vec_pattern(0, 0, whole, 8);
	assert_memory_equal(whole, seed0, 8);
	vec_pattern(0x0123456789ABCDEFu, 0, whole, sizeof(whole));
	for (uint32_t first = 0; first < sizeof(whole); first++) {
		vec_pattern(0x0123456789ABCDEFu, first, part, sizeof(whole) - first);
		assert_memory_equal(part, whole + first, sizeof(whole) - first);
	}
}

static size_t pack(const struct image *f, uint8_t *packed, size_t room)
{
	size_t size = 0;

	assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, f->bytes, f->size, packed, &size,
	                                         room),
	                 LZMA_OK);
	return size;
}

static void refuses_packed(const uint8_t *packed, size_t size, const char *words)
{
	struct vec_error error = { "" };
	uint8_t *bytes;
	size_t unpacked;

	assert_true(vec_unpack(packed, size, &bytes, &unpacked, &error) < 0);
	assert_null(bytes);
	if (!strstr(error.text, words))
		fail_msg("refused with \"%s\", not with \"%s\"", error.text, words);
}

TEST(packed_files)
{
	struct image f;
	struct vec_error error;
	uint8_t packed[FILE_BYTES], *bytes;
	size_t size, unpacked;

	image_header(&f, "TMAVEC1", 1, FIXED);
	image_record(&f, VEC_BULK_LOAD, 1, 0, 0, WINDOW);
	size = pack(&f, packed, sizeof(packed));
	assert_int_equal(vec_unpack(packed, size, &bytes, &unpacked, &error), 0);
	assert_int_equal(unpacked, f.size);
	assert_memory_equal(bytes, f.bytes, f.size);
	free(bytes);

	for (size_t cut = 0; cut < size; cut++)
		refuses_packed(packed, cut, "truncated");
	packed[size / 2] ^= 1;
	refuses_packed(packed, size, "corrupt");
	packed[0] = 0;
	refuses_packed(packed, size, "not an .xz file");
}

/* Packed or not, a file is told by its content. */
TEST(files)
{
	char path[] = "/tmp/vec_test.XXXXXX";
	struct image f;
	struct vec_error error;
	uint8_t packed[FILE_BYTES];
	struct vec *v;
	FILE *file;
	size_t size;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	remove(path);
	assert_null(vec_open(path, &error));
	assert_non_null(strstr(error.text, "cannot open: No such file"));
	assert_null(vec_open("/", &error));
	assert_non_null(strstr(error.text, "cannot read"));

	image_header(&f, "TMAVEC1", 1, FIXED);
	image_record(&f, VEC_BULK_LOAD, 1, 0, 0, WINDOW);
	size = pack(&f, packed, sizeof(packed));
	for (int xz = 0; xz < 2; xz++) {
		file = fopen(path, "wb");
		assert_non_null(file);
		fwrite(xz ? packed : f.bytes, 1, xz ? size : f.size, file);
		fclose(file);
		v = vec_open(path, &error);
		assert_non_null(v);
		assert_int_equal(vec_count(v), 1);
		vec_close(v);
	}
	remove(path);
}

int main(void)
{
	return run_file_tests("tests");
}
