/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded map encodings: the replay passes them, and sees a wrong answer and every wrong bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the four above. */
#include <cmocka.h>

#include "replay/test/replay_fixture.h"

#define FIXED      304u
#define MAP_BYTES  128u
#define HINT_FIRST 64u /* words 8 and 9 */
#define HINT_LAST  79u
#define BOX        112u
#define RESULT     264u
#define EXTRA      300u

static void put32(uint8_t *bytes, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
}

/* The first record of this kind of map that the driver accepted, or refused. */
static void find(const struct file *f, uint32_t map_kind, bool accepted, struct vec_record *r)
{
	struct vec_error error;
	struct vec *v = vec_parse(f->bytes, f->size, &error);
	uint32_t i = 0;

	assert_non_null(v);
	do {
		assert_true(i < vec_count(v));
		vec_record(v, i++, r);
	} while (r->map_kind != map_kind || !r->result != accepted);
	vec_close(v);
}

static void all_recorded(void **state)
{
	static const char *const configs[] = { "small", "default", "max" };
	struct file f = fixture_load("encode.vec.xz");

	(void)state;
	for (size_t c = 0; c < sizeof(configs) / sizeof(configs[0]); c++) {
		struct stream_result r = fixture_run(&f, &replay_model, configs[c], STREAM_ALL, 1);

		if (r.failed)
			fail_msg("%s", fixture_log);
		assert_int_equal(r.passed, 4000);
		assert_int_equal(r.skipped, 0);
	}
	free(f.bytes);
}

/* Every byte of both kinds of map, but the hints. */
static void every_byte_counts(void **state)
{
	struct file f = fixture_load("encode.vec.xz");

	(void)state;
	for (uint32_t kind = 1; kind <= 2; kind++) {
		struct vec_record r;

		find(&f, kind, true, &r);
		for (uint32_t at = 0; at < MAP_BYTES; at++) {
			size_t byte = r.offset + FIXED + at;
			char words[32];

			if (at < HINT_FIRST || at > HINT_LAST) {
				snprintf(words, sizeof(words), "word %u of the map", at / 8);
				fixture_tampered(&f, r.number, byte, words);
			} else {
				f.bytes[byte] ^= 0x10;
				assert_int_equal(
					fixture_run(&f, &replay_model, "default", r.number, 3).passed, 1);
			}
		}
	}
	free(f.bytes);
}

/* A map that the driver accepted, but the encoder does not. */
static void refused(void **state)
{
	struct file f = fixture_load("encode.vec.xz");
	struct vec_record r;
	struct stream_result result;

	(void)state;
	find(&f, 1, true, &r);
	put32(f.bytes + r.offset + BOX, 257);
	result = fixture_run(&f, &replay_model, "default", r.number, 1);
	assert_int_equal(result.failed, 1);
	assert_int_equal(result.passed, 0);
	fixture_logged("expected result 0, got 1: boxDim[0]: ");
	free(f.bytes);
}

/* Fields that an encoding does not use may hold anything. */
static void other_fields(void **state)
{
	struct file f = fixture_load("encode.vec.xz");
	struct vec_record r;

	(void)state;
	find(&f, 2, true, &r);
	put32(f.bytes + r.offset + 244, 99);         /* nctas */
	put32(f.bytes + r.offset + 288, UINT32_MAX); /* smem_len */
	put32(f.bytes + r.offset + 292, UINT32_MAX); /* gmem_len */
	assert_int_equal(fixture_run(&f, &replay_model, "small", r.number, 1).passed, 1);
	free(f.bytes);
}

/* A map that the driver refused, but the encoder does not; and with another number than the encoder. */
static void accepted(void **state)
{
	struct file all = fixture_load("encode.vec.xz"), f = { NULL, 64 + FIXED };
	struct vec_record r;
	struct stream_result result;

	(void)state;
	for (uint32_t kind = 1; kind <= 2; kind++) {
		find(&all, kind, true, &r);
		f.bytes = malloc(f.size);
		assert_non_null(f.bytes);
		memcpy(f.bytes, all.bytes, 64);
		memcpy(f.bytes + 64, all.bytes + r.offset, FIXED);
		put32(f.bytes + 8, 1);
		put32(f.bytes + 64, FIXED);
		put32(f.bytes + 64 + RESULT, 1);
		put32(f.bytes + 64 + EXTRA, 0);
		result = fixture_run(&f, &replay_model, "default", STREAM_ALL, 1);
		assert_int_equal(result.failed, 1);
		fixture_logged("record 0 (byte 64, map encoding): expected result 1, got 0;");
		free(f.bytes);
	}
	find(&all, 1, false, &r);
	put32(all.bytes + r.offset + RESULT, 2);
	result = fixture_run(&all, &replay_model, "default", r.number, 1);
	assert_int_equal(result.failed, 1);
	fixture_logged("expected result 2, got 1");
	free(all.bytes);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_recorded), cmocka_unit_test(every_byte_counts),
		cmocka_unit_test(refused),      cmocka_unit_test(accepted),
		cmocka_unit_test(other_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
