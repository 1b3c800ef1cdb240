/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of tensor copies share: tensor maps from plain fields, commands, and an oracle that
 * follows the documentation element by element and pixel by pixel.
 */
#ifndef MODEL_TENSOR_H
#define MODEL_TENSOR_H

#include <stdbool.h>

#include "lib/rng.h"
#include "model_fixture.h"

#define MAP      (GLOBAL + 15 * PAGE) /* where tests put their map */
#define TENSOR   GLOBAL               /* where tensors begin */
#define BOX      0x400u               /* in shared memory */
#define MAX_ROWS 2048u

/* A tensor map in plain numbers: sizes and strides as they are, not less one. Zeroes mean one where a
 * size cannot be zero. */
struct map_fields {
	uint64_t address;
	uint32_t rank, type, interleave, swizzle, atom, swizzle96, nan, tf32, im2col, wide;
	uint64_t dim[5];
	uint64_t stride[4];
	uint32_t box[5]; /* im2col: channels per pixel in [0] */
	uint32_t es[5];
	int32_t lower[3], upper[3];
	uint32_t pixels;
};

/** The 128 bytes, bit by bit as semantics 2.13 lists them. */
void map_encode(const struct map_fields *m, uint64_t words[16]);
/** Write a map into global memory, also as expected. */
void put_words(struct fixture *f, uint64_t at, const uint64_t words[16]);
void put_map(struct fixture *f, const struct map_fields *m);

uint32_t element_bits(uint32_t type);
bool is_padded(uint32_t type);

/* Commands on the map at MAP, of BOX and BAR in CTA 0; coordinates by dimension. */
struct tma_command tensor(uint8_t opcode, uint8_t mode, uint8_t dim, int32_t c0, int32_t c1, int32_t c2,
                          int32_t c3, int32_t c4);
struct tma_command with_im2col(struct tma_command c, uint16_t i0, uint16_t i1, uint16_t i2);

/* The first element of one row: of the box, of a pixel; with interleave that of a slice. */
struct spot {
	int64_t c[5];
};

/** Rows of a copy in the order of shared memory, by walking; returns how many. */
uint32_t oracle_spots(const struct map_fields *m, const struct tma_command *c, struct spot spots[MAX_ROWS]);
/** Where the byte at @p a of a box without swizzle is. */
uint32_t oracle_swizzle(const struct map_fields *m, uint32_t a);
/** Bytes from one row to the next in shared memory. */
uint32_t oracle_pitch(const struct map_fields *m);
/** Bytes that the copy counts. */
uint32_t oracle_bytes(const struct map_fields *m, const struct tma_command *c);
/** What a load makes of @p smem, what a store makes of f->expected.global. */
void oracle_load(const struct fixture *f, const struct map_fields *m, const struct tma_command *c,
                 uint8_t smem[SMEM_BYTES]);
void oracle_store(struct fixture *f, const struct map_fields *m, const struct tma_command *c, bool granule16);

/** A legal map and a legal command for it, of a tensor inside the fixture's first pages. */
void draw_copy(struct rng *r, uint8_t opcode, struct map_fields *m, struct tma_command *c);

#endif
