/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensor copies: what a tensor map says, and the rows in which a box or a column of pixels moves.
 *
 * Dimension 0 is the fastest. With interleave dimensions 0 to rank-3 are spatial ones, rank-2 counts
 * slices of channels and rank-1 is the image; without it 0 is the channel, 1 to rank-2 are spatial.
 */
#ifndef TENSOR_H
#define TENSOR_H

#include "model.h"

#define MAP_BYTES       128u
#define MAP_WORDS       16u
#define MAX_RANK        5u
#define MAX_SPATIAL     3u
#define MAX_ROW_BYTES   2048u /* 256 elements of 8 bytes */
#define PADDED_ELEMENTS 128u  /* a row of a padded type, and its bytes in shared memory */
#define TWISTS          8u    /* lines of shared memory until the swizzle begins again */
#define W_128_SEGMENTS  4u    /* of an im2col::w::128 copy */
#define W_128_PIXELS    32u   /* of one of its segments, halo aside */

enum tensor_kind { TILED, IM2COL, IM2COL_W, IM2COL_W_128 };

/* A tensor map, unpacked. Fields of dimensions beyond the rank mean nothing. */
struct tensor_map {
	uint64_t words[MAP_WORDS];
	uint64_t address;
	uint32_t rank; /* 1..8, legal to 5 */
	uint32_t type;
	uint32_t interleave;
	uint32_t swizzle;
	uint32_t atom;
	bool swizzle96;
	bool nan_fill;
	bool tf32;
	bool im2col;
	uint32_t wide;
	uint64_t dim[MAX_RANK];    /* elements; slices */
	uint64_t stride[MAX_RANK]; /* bytes; that of dimension 0 is unused */
	uint32_t element_stride[MAX_RANK];
	uint32_t box[MAX_RANK];     /* im2col: of dimension 0 the channels per pixel, else unused */
	int32_t lower[MAX_SPATIAL]; /* im2col: corners of the window, W first */
	int32_t upper[MAX_SPATIAL];
	uint32_t pixels; /* im2col: per column */
};

/* A tensor copy with its map. What stands behind `map` is set once the map is known to be legal. */
struct tensor_copy {
	const struct issue *issue;
	struct tensor_map map;
	uint32_t rows;
	uint32_t row_bytes;    /* of one row in global memory, fully inside the tensor */
	uint32_t shared_bytes; /* of one row in shared memory */
	uint32_t pitch;        /* from row to row in shared memory */
	uint32_t run;          /* rows from a multiple of `run` on lie `step` bytes apart in global memory */
	uint64_t step;
	uint32_t twist[TWISTS]; /* what the swizzle XORs in the lines of shared memory, in turn */
};

/* One row: bytes first..first+bytes-1 of its row_bytes lie in the tensor, from `address` on. */
struct tensor_row {
	uint64_t address;
	uint32_t first;
	uint32_t bytes;
};

/* A rule that the map, or the command together with it, keeps or breaks. */
struct tensor_rule {
	uint16_t fault;
	bool (*broken)(const struct tensor_copy *t);
	uint64_t (*address)(const struct tensor_copy *t);
};

/* Types that have pad bytes in shared memory. */
static inline bool model_map_padded(const struct tensor_map *map)
{
	return map->type == TMA_RAW_TYPE_B4X16_P64 || map->type == TMA_RAW_TYPE_B6X16_P32;
}

static inline bool model_map_swizzled(const struct tensor_map *map)
{
	return map->swizzle != TMA_RAW_SWIZZLE_NONE || map->swizzle96;
}

/* tensor_map.c */
struct fault model_map_read(const struct issue *issue, struct tensor_map *map);
enum tensor_kind model_map_kind(const struct tensor_map *map);
uint32_t model_map_element_bits(const struct tensor_map *map);
uint32_t model_map_slice(const struct tensor_map *map);
uint32_t model_map_first_spatial(const struct tensor_map *map);
uint32_t model_map_spatial(const struct tensor_map *map);
uint32_t model_map_count(const struct tensor_map *map, uint32_t i);
uint32_t model_map_span(const struct tensor_map *map);

/* tensor_map_rules.c */
struct fault model_first_broken(const struct tensor_copy *t, const struct tensor_rule *rules, size_t count);
struct fault model_map_check(const struct tensor_copy *t);

/* tensor.c */
struct fault model_tensor_prepare(const struct issue *issue, struct tensor_copy *t);
struct reduction model_reduction(const struct tensor_copy *t);
uint32_t model_tensor_transaction(const struct tensor_copy *t);
uint32_t model_tensor_read_row(const struct tensor_copy *t, uint32_t k, unsigned char *image,
                               struct fault *fault);
void model_tensor_change_row(const struct tensor_copy *t, uint32_t k, const struct change *change,
                             struct fault *fault);

/* late_maps.c: with a seed */
bool model_late_map(const struct issue *issue, struct tensor_map *map);
void model_late_keep_map(const struct issue *issue, const struct tensor_map *map);
void model_late_forget_map(const struct issue *issue);

/* tensor_rules.c */
bool model_tensor_stores(const struct tensor_copy *t);
struct fault model_tensor_check(const struct tensor_copy *t);

/* tensor_walk.c */
void model_tensor_shape(struct tensor_copy *t);
struct tensor_row model_tensor_row(const struct tensor_copy *t, uint32_t k);
bool model_tensor_whole(const struct tensor_copy *t, uint32_t k);

/* tensor_place.c */
void model_place_twist(struct tensor_copy *t);
void model_place_fill(const struct tensor_copy *t, unsigned char *image);
void model_place_bytes(const struct tensor_copy *t, unsigned char *image, const unsigned char *bytes,
                       uint32_t first, uint32_t count);
void model_place_put(const struct tensor_copy *t, unsigned char *smem, uint32_t k, const unsigned char *image,
                     uint32_t count);
void model_place_put_run(const struct tensor_copy *t, unsigned char *smem, uint32_t k,
                         const unsigned char *from);
void model_place_get(const struct tensor_copy *t, const unsigned char *smem, uint32_t k,
                     unsigned char *bytes);
void model_place_get_run(const struct tensor_copy *t, const unsigned char *smem, uint32_t k,
                         unsigned char *to);

#endif
