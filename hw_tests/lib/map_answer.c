/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/map_answer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tma_map.h"

#define WORDS 16u

static int encode(const struct vec_record *r, struct tma_map *map, struct tma_map_error *error)
{
	const uint64_t address = MAP_ANSWER_BASE + r->base;
	int32_t lower[3], upper[3];

	memcpy(lower, r->lower, sizeof(lower));
	memcpy(upper, r->upper, sizeof(upper));
	if (r->map_kind == 1)
		return tma_map_encode_tiled(map, TMA_MAP_SM_90, r->dtype, r->rank, address, r->dim, r->stride,
		                            r->box, r->estride, r->interleave, r->swizzle, r->l2promo, r->oob,
		                            error);
	return tma_map_encode_im2col(map, TMA_MAP_SM_90, r->dtype, r->rank, address, r->dim, r->stride, lower,
	                             upper, r->cpp, r->ppc, r->estride, r->interleave, r->swizzle, r->l2promo,
	                             r->oob, error);
}

bool map_answer_differs(const struct vec_record *r, char *text, size_t size)
{
	struct tma_map_error error = { 0 };
	struct tma_map map;
	const int result = encode(r, &map, &error);

	if ((uint32_t)result != r->result) {
		snprintf(text, size, "record %" PRIu32 ": %s, the driver answered %" PRIu32 " (%s %s)",
		         r->number, result ? "refused" : "accepted", r->result, result ? error.parameter : "",
		         result ? error.rule : "");
		return true;
	}
	for (uint32_t i = 0; i < WORDS && !result; i++) {
		uint64_t word;

		memcpy(&word, r->map + 8 * i, sizeof(word));
		if (i == MAP_ANSWER_HINTS || i == MAP_ANSWER_HINTS + 1 || map.word[i] == word)
			continue;
		snprintf(text, size,
		         "record %" PRIu32 ", word %" PRIu32 ": 0x%016" PRIx64
		         ", the driver's is 0x%016" PRIx64,
		         r->number, i, map.word[i], word);
		return true;
	}
	return false;
}
