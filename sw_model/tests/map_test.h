/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the tensor map library share: a call of an encoder that can be changed a little. */
#ifndef MAP_TEST_H
#define MAP_TEST_H

#include "lib/cmocka_all.h"
#include "tma_map.h"

enum map_function { ENCODE_TILED, ENCODE_IM2COL, ENCODE_WIDE };

/* Arguments of an encoder; those of other encoders are not looked at. */
struct map_call {
	enum map_function function;
	enum tma_map_target target;
	uint32_t type, rank;
	uint64_t address, dim[5], strides[4];
	uint32_t box[5], element_strides[5];
	int32_t lower[3], upper[3];
	uint32_t channels, pixels, interleave, mode, swizzle, promotion, fill;
};

/** Legal calls of three encoders, of a type and rank. Dimensions, strides, boxes are all different. */
struct map_call tiled_call(uint32_t type, uint32_t rank);
struct map_call im2col_call(uint32_t type, uint32_t rank);
struct map_call wide_call(uint32_t type, uint32_t rank);

/** Make the call. @return 0 or 1, as the encoder */
int map_call(const struct map_call *call, struct tma_map *map, struct tma_map_error *error);

/** The map of a legal call. */
struct tma_map map_of(struct map_call call);

/** What decoding the map of an accepted call must give. */
struct tma_map_info map_call_info(const struct map_call *call);

int run_rule_tests(void);
int run_decode_tests(void);
int run_describe_tests(void);
int run_replace_tests(void);
int run_vector_tests(void);
int run_model_tests(void);
int run_argument_tests(void);

#endif
