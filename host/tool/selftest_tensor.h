/* SPDX-License-Identifier: Apache-2.0 */
/* selftest_tensor - one tensor copy of the self-test, and what it does to the images of memory. */
#ifndef SELFTEST_TENSOR_H
#define SELFTEST_TENSOR_H

#include "selftest.h"

struct tensor_case {
	const char *name;
	struct tma_map_info map; /* of a tensor at ST_TENSOR; member address is not looked at */
	enum tma_mode mode;
	int32_t coord[5];
	uint16_t offset[3]; /* im2col: of the taps; wide: halo, offset */
	uint32_t cta, shared;
	bool store; /* to global memory */
	/* Instead of a copy: byte @p b of an element; NULL: it is outside the tensor. */
	void (*use)(struct selftest *t, uint8_t *global, uint8_t *shared, const struct tma_map_info *map,
	            uint32_t b, uint32_t argument);
	uint32_t argument;
};

/** Make the map, at ST_MAP, and have the engine read it anew. */
void st_tensor_encode(struct selftest *t, struct tensor_case *c);

/** Bytes of a box, those outside included. */
uint32_t st_tensor_tile_bytes(const struct tma_map_info *map);

/* What a copy leaves behind. */
void st_tensor_tile_image(struct selftest *t, const struct tensor_case *c);
void st_tensor_gather_image(struct selftest *t, const struct tensor_case *c);
void st_tensor_im2col_image(struct selftest *t, const struct tensor_case *c);
void st_tensor_wide_image(struct selftest *t, const struct tensor_case *c);

#endif
