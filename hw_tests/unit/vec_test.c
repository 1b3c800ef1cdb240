/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of vectors: what it takes, and what it refuses with which words. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the four above. */
#include <cmocka.h>

#include <lzma.h>
#include <unistd.h>

#include "lib/vec.h"

#define HEADER     64u
#define FIXED      304u
#define WINDOW     64u
#define REGION     32u
#define FILE_BYTES 4096u

struct image {
	uint8_t bytes[FILE_BYTES];
	size_t size;
};

static void put(uint8_t *bytes, uint64_t value, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
}

static void put32(struct image *f, size_t at, uint32_t value)
{
	put(f->bytes + at, value, 4);
}

static void header(struct image *f, const char *magic, uint32_t count, uint32_t fixed)
{
	memset(f, 0, sizeof(*f));
	memcpy(f->bytes, magic, 8);
	put32(f, 8, count);
	put32(f, 12, fixed);
	memcpy(f->bytes + 16, "some device", 11);
	f->size = HEADER;
}

/* A record of the op that breaks no rule; byte i of its payload is i. */
static size_t add_record(struct image *f, uint32_t op, uint32_t nctas, uint32_t gmem, uint32_t init,
                         uint32_t payload)
{
	size_t at = f->size;

	put32(f, at, FIXED + payload);
	put32(f, at + 4, op);
	put32(f, at + 236, 32); /* nbytes */
	put32(f, at + 232, 16); /* smem_off */
	put32(f, at + 240, 1);  /* cta_mask */
	put32(f, at + 244, nctas);
	put32(f, at + 248, 16); /* cp_size */
	put32(f, at + 268, 32); /* tx_bytes */
	put32(f, at + 288, WINDOW);
	put32(f, at + 292, gmem);
	put32(f, at + 296, init);
	for (uint32_t i = 0; i < payload; i++)
		f->bytes[at + FIXED + i] = (uint8_t)i;
	f->size += FIXED + payload;
	return at;
}

static size_t add_tensor(struct image *f)
{
	size_t at = add_record(f, VEC_TENSOR_LOAD, 1, 0, 0, WINDOW);

	put32(f, at + 20, 1); /* map_kind */
	put32(f, at + 28, 2); /* rank */
	return at;
}

static void add_step(struct image *f, uint32_t op, uint32_t arg, uint32_t result)
{
	put32(f, f->size, op);
	put32(f, f->size + 4, arg);
	put32(f, f->size + 8, result);
	f->size += 16;
}

static struct vec *parse(const struct image *f, struct vec_error *error)
{
	/* Exactly its size, so that valgrind and the sanitizers see a byte too far. */
	uint8_t *bytes = malloc(f->size ? f->size : 1);
	struct vec *v;

	memcpy(bytes, f->bytes, f->size);
	strcpy(error->text, "");
	v = vec_parse(bytes, f->size, error);
	if (v)
		vec_close(v);
	free(bytes);
	return v; /* for its being NULL or not alone */
}

static void takes(const struct image *f)
{
	struct vec_error error;

	if (!parse(f, &error))
		fail_msg("refused: %s", error.text);
}

static void refuses(const struct image *f, const char *words)
{
	struct vec_error error;

	if (parse(f, &error))
		fail_msg("taken, but should be refused: %s", words);
	if (!strstr(error.text, words))
		fail_msg("refused with \"%s\", not with \"%s\"", error.text, words);
}

static void every_field_is_read(void **state)
{
	struct image f;
	struct vec_error error;
	struct vec *v;
	struct vec_record r;
	size_t at;

	(void)state;
	header(&f, "TMAVEC1", 2, FIXED);
	add_record(&f, VEC_BULK_STORE, 1, REGION, 1, WINDOW + REGION + REGION);
	at = add_record(&f, VEC_BULK_SHARED, 2, 0, 0, 2 * WINDOW);
	put(f.bytes + at + 272, 0x1122334455667788u, 8);
	put(f.bytes + at + 80 + 3 * 8, 0xFFEEDDCCBBAA9988u, 8);
	put32(&f, at + 164 + 2 * 4, 0xFFFFFFFB);
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
static void longer_fixed_part(void **state)
{
	struct image f;
	struct vec_error error;
	struct vec *v;
	struct vec_record r;

	(void)state;
	header(&f, "TMAVEC1", 1, FIXED + 8);
	add_record(&f, VEC_BULK_LOAD, 1, 0, 0, WINDOW);
	put32(&f, HEADER, FIXED + 8 + WINDOW);
	f.size += 8;
	v = vec_parse(f.bytes, f.size, &error);
	assert_non_null(v);
	vec_record(v, 0, &r);
	assert_ptr_equal(r.smem, f.bytes + HEADER + FIXED + 8);
	vec_close(v);
}

static void programs(void **state)
{
	struct image f;
	struct vec_error error;
	struct vec *v;
	struct vec_program p;

	(void)state;
	header(&f, "TMAMBR1", 2, 0);
	put32(&f, f.size, 0); /* a program without steps */
	put32(&f, f.size + 4, 7);
	f.size += 8;
	put32(&f, f.size, 2);
	put32(&f, f.size + 4, 9);
	f.size += 8;
	add_step(&f, VEC_ARRIVE, 3, 0);
	add_step(&f, VEC_PENDING_COUNT, 2, 6);
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

static void bad_headers(void **state)
{
	struct image f;

	(void)state;
	header(&f, "TMAVEC2", 0, FIXED);
	refuses(&f, "byte 0: field magic");
	header(&f, "TMAVEC1", 0, FIXED - 4);
	refuses(&f, "byte 12: field fixed size is 300: must be 304 or more");
	header(&f, "TMAVEC1", 1, FIXED);
	refuses(&f, "byte 8: field count is 1: 64 bytes hold 0 at most");
	header(&f, "TMAMBR1", 0xFFFFFFFF, 0);
	refuses(&f, "byte 8: field count is 4294967295");
	header(&f, "TMAVEC1", 0, FIXED);
	takes(&f);
	f.size++;
	refuses(&f, "byte 64: 1 bytes behind the last of 0");
}

/* No prefix of a file is a file. */
static void truncated_anywhere(void **state)
{
	struct image records, progs;

	(void)state;
	header(&records, "TMAVEC1", 2, FIXED);
	add_record(&records, VEC_BULK_LOAD, 1, 0, 0, WINDOW);
	add_record(&records, VEC_BULK_STORE, 1, REGION, 0, REGION);
	takes(&records);
	while (records.size--)
		refuses(&records, "");

	header(&progs, "TMAMBR1", 1, 0);
	put32(&progs, 64, 2);
	put32(&progs, 68, 1);
	progs.size += 8;
	add_step(&progs, VEC_ARRIVE, 1, 0);
	add_step(&progs, VEC_TEST_WAIT_PARITY, 0, 1);
	takes(&progs);
	while (progs.size--)
		refuses(&progs, "");
}

struct broken {
	uint32_t op, at, value;
	const char *words;
};

static const struct broken broken_records[] = {
	{ VEC_BULK_LOAD, 0, 4, "field size is 4: must be the fixed part and the payload" },
	{ VEC_BULK_LOAD, 0, FIXED + WINDOW + 4, "field size" },
	{ VEC_BULK_LOAD, 0, 0xFFFFFFFF, "field size" },
	{ VEC_BULK_LOAD, 4, 11, "field op is 11: must be 0 to 10" },
	{ VEC_BULK_LOAD, 244, 0, "field nctas is 0: must be 1 to 16" },
	{ VEC_BULK_LOAD, 244, 17, "field nctas is 17" },
	{ VEC_BULK_LOAD, 232, 8, "field smem_off is 8: must be aligned" },
	{ VEC_BULK_LOAD, 232, 48, "field smem_off is 48: offset and size must stay inside" },
	{ VEC_BULK_LOAD, 232, 0xFFFFFFF0, "field smem_off is 4294967280: must lie inside" },
	{ VEC_BULK_LOAD, 236, 24, "field nbytes is 24: must be a multiple of 16" },
	{ VEC_BULK_LOAD, 236, 1u << 20, "field nbytes is 1048576: must be below" },
	{ VEC_BULK_LOAD, 32, 8, "field base is 8: must be aligned" },
	{ VEC_BULK_LOAD, 32, 8 << 20, "field base is 8388608: address and size" },
	{ VEC_BULK_LOAD, 36, 0xFFFFFFFF, "address and size must stay inside" },
	{ VEC_BULK_LOAD, 288, 72, "field smem_len is 72: must be a multiple of 16" },
	{ VEC_BULK_LOAD, 288, 0xFFFFFFF0, "field smem_len is 4294967280: must be at most" },
	{ VEC_BULK_LOAD, 292, 32, NULL }, /* a buffer of its own, just long enough */
	{ VEC_BULK_LOAD, 292, 16, "field base is 0: address and size" },
	{ VEC_BULK_LOAD, 296, 2, "field has_init is 2: must be 0 or 1" },
	{ VEC_BULK_LOAD, 296, 1, "field size" },
	{ VEC_BULK_LOAD, 300, 128, "field extra is 128: must be 0" },
	{ VEC_BULK_LOAD, 240, 0xFFFF, NULL }, /* without multicast, the mask may be anything */
	{ VEC_BULK_LOAD, 8, 99, NULL },       /* so may a tensor's field */
	{ VEC_BULK_STORE, 292, 0, "field gmem_len is 0" },
	{ VEC_BULK_STORE, 244, 2, "field nctas is 2: must be 1" },
	{ VEC_BULK_SHARED, 244, 3, "field nctas is 3: must be 2" },
	{ VEC_BULK_REDUCE, 12, 8, "field redop is 8" },
	{ VEC_BULK_REDUCE, 16, 10, "field type is 10" },
	{ VEC_CP_ASYNC, 248, 12, "field cp_size is 12: must be 4, 8 or 16" },
	{ VEC_CP_ASYNC, 252, 17, "field src_size is 17" },
	{ VEC_CP_ASYNC, 256, 3, "field ignore_src is 3" },
	{ VEC_ENCODE, 264, 1, "field extra is 128" },
	{ VEC_ENCODE, 296, 1, "field has_init is 1: must be 0" },
	{ VEC_TENSOR_LOAD, 8, 3, "field mode is 3" },
	{ VEC_TENSOR_LOAD, 8, 1, "field mode is 1: must fit the kind of the map" },
	{ VEC_TENSOR_LOAD, 20, 0, "field map_kind is 0" },
	{ VEC_TENSOR_LOAD, 24, 13, "field dtype is 13" },
	{ VEC_TENSOR_LOAD, 28, 6, "field rank is 6" },
	{ VEC_TENSOR_LOAD, 184, 3, "field interleave is 3" },
	{ VEC_TENSOR_LOAD, 188, 7, "field swizzle is 7" },
	{ VEC_TENSOR_LOAD, 192, 4, "field l2promo is 4" },
	{ VEC_TENSOR_LOAD, 196, 2, "field oob is 2" },
	{ VEC_TENSOR_LOAD, 264, 1, "field result is 1" },
};

static size_t add_op(struct image *f, uint32_t op)
{
	size_t at;

	switch (op) {
	case VEC_TENSOR_LOAD:
		return add_tensor(f);
	case VEC_BULK_STORE:
	case VEC_BULK_REDUCE:
		return add_record(f, op, 1, REGION, 0, REGION);
	case VEC_BULK_SHARED:
		return add_record(f, op, 2, 0, 0, 2 * WINDOW);
	case VEC_ENCODE:
		at = add_record(f, op, 0, 0, 0, 128);
		put32(f, at + 300, 128);
		return at;
	default:
		return add_record(f, op, 1, 0, 0, WINDOW);
	}
}

/* The error names the field, and the byte of the file at which it lies. */
static void broken_fields(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(broken_records) / sizeof(broken_records[0]); i++) {
		const struct broken *b = &broken_records[i];
		struct image f;
		char place[32];
		size_t at;

		header(&f, "TMAVEC1", 2, FIXED);
		add_record(&f, VEC_BULK_LOAD, 1, 0, 0, WINDOW);
		at = add_op(&f, b->op);
		takes(&f);
		put32(&f, at + b->at, b->value);
		if (!b->words) {
			takes(&f);
			continue;
		}
		refuses(&f, b->words);
		refuses(&f, "record 1: ");
		snprintf(place, sizeof(place), "byte %zu: ", at + b->at);
		if (strstr(b->words, "field op") || strstr(b->words, "field nbytes"))
			refuses(&f, place);
	}
}

static void multicast_mask(void **state)
{
	struct image f;
	size_t at;

	(void)state;
	header(&f, "TMAVEC1", 1, FIXED);
	at = add_record(&f, VEC_BULK_LOAD, 2, 0, 0, 2 * WINDOW);
	put32(&f, at + 240, 3);
	takes(&f);
	put32(&f, at + 240, 5);
	refuses(&f, "field cta_mask is 5: must name CTAs of the cluster alone");
}

static const struct {
	uint32_t init, op, arg, result;
	const char *words;
} broken_steps[] = {
	{ 0, VEC_ARRIVE, 1, 0, "byte 68: program 0: field init is 0" },
	{ 1u << 20, VEC_ARRIVE, 1, 0, "field init is 1048576" },
	{ 1, 0, 1, 0, "byte 72: program 0, step 0: field op is 0: must be 1 to 10" },
	{ 1, 11, 1, 0, "field op is 11" },
	{ 1, VEC_EXPECT_TX, 1u << 20, 0, "field arg is 1048576" },
	{ 1, VEC_COMPLETE_TX, 1u << 20, 0, "field arg is 1048576" },
	{ 1, VEC_ARRIVE, 0, 0, "field arg is 0: must be 1 to 1048575" },
	{ 1, VEC_ARRIVE_DROP, 0, 0, "field arg is 0" },
	{ 1, VEC_ARRIVE_EXPECT_TX, 1u << 20, 0, "field arg is 1048576" },
	{ 1, VEC_ARRIVE, 1, 1, "field result is 1: must be 0" },
	{ 1, VEC_PENDING_COUNT, 0, 1, "field arg is 0" },
	{ 1, VEC_PENDING_COUNT, 1, 1u << 20, "field result is 1048576" },
	{ 1, VEC_TEST_WAIT_PARITY, 2, 0, "field arg is 2: must be 0 or 1" },
	{ 1, VEC_TRY_WAIT_PARITY, 0, 2, "field result is 2: must be 0 or 1" },
	{ 1, VEC_TEST_WAIT_STATE, 0, 0, "tests a state, but no arrive has returned one" },
};

static void broken_programs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(broken_steps) / sizeof(broken_steps[0]); i++) {
		struct image f;

		header(&f, "TMAMBR1", 1, 0);
		put32(&f, f.size, 1);
		put32(&f, f.size + 4, broken_steps[i].init);
		f.size += 8;
		add_step(&f, broken_steps[i].op, broken_steps[i].arg, broken_steps[i].result);
		refuses(&f, broken_steps[i].words);
	}
}

/* The first eight bytes as another language's arithmetic has them; any part equals the whole. */
static void pattern(void **state)
{
	static const uint8_t seed0[8] = { 0x6F, 0x7E, 0x19, 0x4D, 0x2F, 0xDD, 0x06, 0xA7 };
	uint8_t whole[256], part[256];

	(void)state;
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

static void packed_files(void **state)
{
	struct image f;
	struct vec_error error;
	uint8_t packed[FILE_BYTES], *bytes;
	size_t size, unpacked;

	(void)state;
	header(&f, "TMAVEC1", 1, FIXED);
	add_record(&f, VEC_BULK_LOAD, 1, 0, 0, WINDOW);
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
static void files(void **state)
{
	char path[] = "/tmp/vec_test.XXXXXX";
	struct image f;
	struct vec_error error;
	uint8_t packed[FILE_BYTES];
	struct vec *v;
	FILE *file;
	size_t size;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	remove(path);
	assert_null(vec_open(path, &error));
	assert_non_null(strstr(error.text, "cannot open: No such file"));
	assert_null(vec_open("/", &error));
	assert_non_null(strstr(error.text, "cannot read"));

	header(&f, "TMAVEC1", 1, FIXED);
	add_record(&f, VEC_BULK_LOAD, 1, 0, 0, WINDOW);
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
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_is_read),
		cmocka_unit_test(longer_fixed_part),
		cmocka_unit_test(programs),
		cmocka_unit_test(bad_headers),
		cmocka_unit_test(truncated_anywhere),
		cmocka_unit_test(broken_fields),
		cmocka_unit_test(multicast_mask),
		cmocka_unit_test(broken_programs),
		cmocka_unit_test(pattern),
		cmocka_unit_test(packed_files),
		cmocka_unit_test(files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
