/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map_vectors - the answers of the CUDA driver's encoders, all of them.
 *
 * Spec: semantics M19, M20; hw_tests/vectors/FORMAT.md
 * Checks: accepted or refused as recorded, and if accepted every bit but the driver's hints, also
 *         that decoding gives back what was encoded; each wrong bit of a recorded answer is seen.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/map_answer.h"
#include "map_test.h"

#define VECTORS "hw_tests/vectors/encode.vec.xz"

static struct map_call call_of(const struct vec_record *r)
{
	struct map_call call = {
		.function = r->map_kind == 1 ? ENCODE_TILED : ENCODE_IM2COL,
		.target = TMA_MAP_SM_90,
		.type = r->dtype,
		.rank = r->rank,
		.address = MAP_ANSWER_BASE + r->base,
		.channels = r->cpp,
		.pixels = r->ppc,
		.interleave = r->interleave,
		.swizzle = r->swizzle,
		.promotion = r->l2promo,
		.fill = r->oob,
	};

	memcpy(call.dim, r->dim, sizeof(call.dim));
	memcpy(call.strides, r->stride, sizeof(call.strides));
	memcpy(call.box, r->box, sizeof(call.box));
	memcpy(call.element_strides, r->estride, sizeof(call.element_strides));
	memcpy(call.lower, r->lower, sizeof(call.lower));
	memcpy(call.upper, r->upper, sizeof(call.upper));
	return call;
}

/* The driver's own map, with its hints. */
static void check_decoded(const struct vec_record *r)
{
	const struct map_call call = call_of(r);
	const struct tma_map_info expected = map_call_info(&call);
	struct tma_map driver;
	struct tma_map_info info;
	char text[2000];

	memcpy(driver.word, r->map, sizeof(driver.word));
	memset(&info, 0xEE, sizeof(info));
	assert_int_equal(tma_map_decode(&driver, &info, NULL), 0);
	assert_memory_equal(&info, &expected, sizeof(info));
	tma_map_describe(&driver, text, sizeof(text));
	assert_null(strstr(text, "illegal"));
}

static struct vec *open_vectors(void)
{
	struct vec_error error;
	struct vec *v = vec_open(VECTORS, &error);

	if (!v)
		fail_msg("%s", error.text);
	return v;
}

TEST(every_answer)
{
	struct vec *v = open_vectors();
	uint32_t accepted = 0, refused = 0;
	struct vec_record r;
	char text[500];

	for (uint32_t i = 0; i < vec_count(v); i++) {
		vec_record(v, i, &r);
		assert_int_equal(r.op, VEC_ENCODE);
		if (map_answer_differs(&r, text, sizeof(text)))
			fail_msg("%s", text);
		if (r.result) {
			refused++;
		} else {
			check_decoded(&r);
			accepted++;
		}
	}
	vec_close(v);
	/* The file as it is checked in. */
	assert_int_equal(accepted, 1973);
	assert_int_equal(refused, 2027);
}

/* The first record of this kind of map that the driver accepted, or refused. */
static struct vec_record find(const struct vec *v, uint32_t map_kind, bool accepted)
{
	struct vec_record r;
	uint32_t i = 0;

	do {
		assert_true(i < vec_count(v));
		vec_record(v, i++, &r);
	} while (r.map_kind != map_kind || !r.result != accepted);
	return r;
}

/* A wrong bit in a recorded map, in every place; the driver's hints may be anything. */
TEST(wrong_bits)
{
	struct vec *v = open_vectors();
	char text[500], word[20];

	for (uint32_t kind = 1; kind <= 2; kind++) {
		struct vec_record r = find(v, kind, true);
		uint8_t map[128];

		memcpy(map, r.map, sizeof(map));
		r.map = map;
		for (uint32_t bit = 0; bit < 1024; bit++) {
			const bool hint = bit / 64 == MAP_ANSWER_HINTS || bit / 64 == MAP_ANSWER_HINTS + 1;

			map[bit / 8] ^= (uint8_t)(1 << bit % 8);
			assert_int_equal(map_answer_differs(&r, text, sizeof(text)), !hint);
			snprintf(word, sizeof(word), ", word %u: ", bit / 64);
			if (!hint)
				assert_non_null(strstr(text, word));
			map[bit / 8] ^= (uint8_t)(1 << bit % 8);
		}
		assert_false(map_answer_differs(&r, text, sizeof(text)));
	}
	vec_close(v);
}

/* A recorded answer that is another one, and another number of the same; a call that is another one. */
TEST(wrong_answers)
{
	struct vec *v = open_vectors();
	char text[500];

	for (uint32_t kind = 1; kind <= 2; kind++) {
		struct vec_record r = find(v, kind, true);

		r.result = 1;
		assert_true(map_answer_differs(&r, text, sizeof(text)));
		r = find(v, kind, false);
		assert_int_equal(r.result, 1);
		for (r.result = 0; r.result <= 2; r.result += 2)
			assert_true(map_answer_differs(&r, text, sizeof(text)));
		r = find(v, kind, true);
		r.rank = 6;
		assert_true(map_answer_differs(&r, text, sizeof(text)));
	}
	vec_close(v);
}

int run_vector_tests(void)
{
	return run_file_tests("vectors");
}
