/* SPDX-License-Identifier: Apache-2.0 */
/* What a tensor map says and which rule it breaks, worked out from its fields the plain way. */
#ifndef TMA_MAP_REF_H
#define TMA_MAP_REF_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MAP_WORDS  32u /* of 32 bits */
#define MAP_LEVELS 4u

enum map_kind { MAP_TILED, MAP_IM2COL, MAP_W, MAP_W128 };

enum map_swizzle {
	MAP_SWIZZLE_OFF,
	MAP_SWIZZLE_XOR32,
	MAP_SWIZZLE_XOR64,
	MAP_SWIZZLE_XOR128,
	MAP_SWIZZLE_ATOM32,
	MAP_SWIZZLE_FLIP,
	MAP_SWIZZLE_ATOM64
};

enum map_format { MAP_PLAIN, MAP_TF32, MAP_PAD4, MAP_PAD6 };

/** As level_t. */
struct map_level {
	bool used, fixed, spatial;
	uint32_t dim, last, step, count;
	uint64_t stride;
	int32_t lower, upper;
};

/** As map_info_t of an engine with all reductions. */
struct map_info {
	uint64_t base;
	uint32_t rank, kind, swizzle, format, promotion, unit;
	bool interleaved, nan, row_used, half;
	uint32_t row_last, row_count, row_chunks, pitch;
	bool slice_used;
	uint32_t slice_dim, slice_last;
	uint64_t slice_stride;
	bool fold[MAP_LEVELS];
	uint32_t fold_chunks[MAP_LEVELS];
	struct map_level level[MAP_LEVELS];
	uint32_t pixels, bytes, chunks, row_bytes;
	bool one_row, runs, storable, window_inside;
	uint32_t ops, arith;
	bool flush;
};

/** Fields of the 128 bytes, as they are stored. */
struct map_fields {
	uint64_t address;
	uint32_t im2col, rank, type, interleave, swizzle, fill, tf32, promotion, atom, swizzle96, wide;
	uint32_t dim[5], es[5], box[5], pixels, corners;
	uint64_t stride[4];
};

/** The map of these fields. im2col maps have `corners`, others box[1..4]. */
void map_pack(const struct map_fields *f, uint32_t words[MAP_WORDS]);

/** The lowest rule that the map breaks, 0: none; then `info` is what it says. */
uint32_t map_ref(const uint32_t words[MAP_WORDS], bool packed, struct map_info *info);

#ifdef __cplusplus
}
#endif
#endif
