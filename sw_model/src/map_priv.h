/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the tensor map library share. */
#ifndef MAP_PRIV_H
#define MAP_PRIV_H

#include <stdbool.h>

#include "tma_map.h"

/* Values of struct tma_map_info that no legal map has. */
#define MAP_NO_TYPE    16u
#define MAP_NO_SWIZZLE 8u

#define MAP_MAX_BYTES 232448u /* of a box: the shared memory of an H200's CTA */

/* A field of a map, FIELD as in tma_abi.h. No field crosses a word. */
#define MAP_GET(map, field)              map_get(map, TMA_MAP_##field##_LSB, TMA_MAP_##field##_BITS)
#define MAP_SET(map, field, value)       map_set(map, TMA_MAP_##field##_LSB, TMA_MAP_##field##_BITS, value)
#define MAP_AT(map, field, i)            map_get(map, MAP_LSB_AT(field, i), TMA_MAP_##field##_BITS)
#define MAP_SET_AT(map, field, i, value) map_set(map, MAP_LSB_AT(field, i), TMA_MAP_##field##_BITS, value)
#define MAP_LSB_AT(field, i)             (TMA_MAP_##field##_LSB + (i)*TMA_MAP_##field##_BITS)

/* Corners of im2col maps: the 32 bits behind the first box element. */
#define MAP_CORNERS_LSB (TMA_MAP_BOX_LSB + TMA_MAP_BOX_BITS)

uint64_t map_get(const struct tma_map *map, uint32_t lsb, uint32_t bits);
void map_set(struct tma_map *map, uint32_t lsb, uint32_t bits, uint64_t value);

/** Bits of an element of a driver's type, 0: there is no such type. */
uint32_t map_type_bits(uint32_t type);
/** Has it padding in shared memory (16U4_ALIGN16B, 16U6_ALIGN16B)? */
bool map_type_padded(uint32_t type);
/** The driver's type of the engine's type and tf32 bits, and back. MAP_NO_TYPE: there is none. */
uint32_t map_type_of_bits(uint32_t type, bool tf32);
void map_type_to_bits(uint32_t data_type, uint32_t *type, bool *tf32);

/** Bytes of the span that a swizzle works in; 0 without one. */
uint32_t map_swizzle_span(uint32_t swizzle);
/** Bytes of a slice; 0 without interleave. */
uint32_t map_slice(uint32_t interleave);

/* Dimensions with an im2col window: `count` of them, the first of the tensor's is `first`, and their
 * corners have `bits` each. */
struct map_spatial {
	uint32_t first, count, bits;
};
struct map_spatial map_spatial(const struct tma_map_info *info);

/** Elements of a tiled map's box, or of an im2col map's column without halo, all its bytes in bits. */
uint64_t map_box_bits(const struct tma_map_info *info);
/** The bytes that a tile or a column without halo moves, with interleave too. */
uint64_t map_box_bytes(const struct tma_map_info *info);
/** Elements that dimension @p i of a tiled box has in shared memory. */
uint32_t map_box_elements(const struct tma_map_info *info, uint32_t i);

/** Fill *error, if there is one. @return 1 */
int map_refuse(struct tma_map_error *error, enum tma_fault fault, const char *parameter, const char *rule);

/** "globalDim[i]" and so on. */
enum map_array { MAP_DIMS, MAP_STRIDES, MAP_BOX, MAP_ELEMENT_STRIDES, MAP_LOWER, MAP_UPPER };
const char *map_element_name(enum map_array array, uint32_t i);

/** Everything that a map's fields can hold and a legal map must not, in the order of the faults MAP_RANK
 * to MAP_CORNERS. @return 0, or 1 and *error */
int map_check(const struct tma_map_info *info, struct tma_map_error *error);

/** The fields as they are; a rank beyond 5 stays, with five dimensions. */
void map_read(const struct tma_map *map, struct tma_map_info *info);
/** Write all 128 bytes; the info is one that map_check() likes. */
void map_write(struct tma_map *map, const struct tma_map_info *info);

#endif
