/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map_vectors - the answers of the CUDA driver's encoders, all of them.
 *
 * Spec: semantics M19, M20; hw_tests/vectors/FORMAT.md
 * Checks: accepted or refused as recorded, and if accepted every bit but the driver's hints, also
 *         that decoding gives back what was encoded.
 */
#include <string.h>

#include "lib/vec.h"
#include "map_test.h"

#define VECTORS "hw_tests/vectors/encode.vec.xz"
#define BASE    (UINT64_C(1) << 40) /* what a record's address counts from */

static struct map_call call_of(const struct vec_record *r)
{
	struct map_call call = {
		.function = r->map_kind == 1 ? ENCODE_TILED : ENCODE_IM2COL,
		.target = TMA_MAP_SM_90,
		.type = r->dtype,
		.rank = r->rank,
		.address = BASE + r->base,
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

static void check_map(const struct vec_record *r, const struct map_call *call, const struct tma_map *map)
{
	const struct tma_map_info expected = map_call_info(call);
	struct tma_map driver;
	struct tma_map_info info;
	char text[2000];

	memcpy(driver.word, r->map, sizeof(driver.word));
	for (uint32_t i = 0; i < 16; i++)
		if (i != 8 && i != 9 && map->word[i] != driver.word[i])
			fail_msg("record %u, word %u: 0x%016llx, the driver's is 0x%016llx", r->number, i,
			         (unsigned long long)map->word[i], (unsigned long long)driver.word[i]);
	/* The driver's own map, with its hints. */
	memset(&info, 0xEE, sizeof(info));
	assert_int_equal(tma_map_decode(&driver, &info, NULL), 0);
	assert_memory_equal(&info, &expected, sizeof(info));
	tma_map_describe(&driver, text, sizeof(text));
	assert_null(strstr(text, "illegal"));
}

static void every_answer(void **state)
{
	struct vec_error vec_error;
	struct vec *v = vec_open(VECTORS, &vec_error);
	uint32_t accepted = 0, refused = 0, count;

	(void)state;
	if (!v)
		fail_msg("%s", vec_error.text);
	count = vec_count(v);
	for (uint32_t i = 0; i < count; i++) {
		struct tma_map_error error = { 0 };
		struct map_call call;
		struct vec_record r;
		struct tma_map map;
		int result;

		vec_record(v, i, &r);
		assert_int_equal(r.op, VEC_ENCODE);
		call = call_of(&r);
		result = map_call(&call, &map, &error);
		if ((uint32_t)result != r.result)
			fail_msg("record %u: %s, the driver answered %u (%s %s)", i,
			         result ? "refused" : "accepted", r.result, result ? error.parameter : "",
			         result ? error.rule : "");
		if (result)
			refused++;
		else
			accepted++;
		if (!result)
			check_map(&r, &call, &map);
	}
	vec_close(v);
	/* The file as it is checked in. */
	assert_int_equal(accepted, 1973);
	assert_int_equal(refused, 2027);
}

int run_vector_tests(void)
{
	const struct CMUnitTest vectors[] = { cmocka_unit_test(every_answer) };

	return cmocka_run_group_tests(vectors, NULL, NULL);
}
