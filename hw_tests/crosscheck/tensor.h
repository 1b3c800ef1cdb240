/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tensor - tensor maps and tensor copies as the generator knows them: what it puts into a map, and
 * what a copy touches. Written from docs/semantics.md 2, apart from the model.
 */
#ifndef CROSSCHECK_TENSOR_H
#define CROSSCHECK_TENSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "crosscheck/shape.h"
#include "lib/rng.h"
#include "tma_abi.h"

#define MAX_RANK    5u
#define MAX_SPATIAL 3u
#define MAP_BYTES   128u
#define MAP_WORDS   16u
#define MAP_ALIGN   64u

/* What a tensor map says. Dimension 0 is the fastest; with interleave its step is a slice. */
struct tensor {
	bool im2col, dense; /* of im2col pixels all channels are copied, and W has no gaps */
	uint32_t wide, rank, type, interleave, swizzle, atom, promotion;
	bool swizzle96, nan, tf32;
	uint64_t address;
	uint64_t dim[MAX_RANK];
	uint64_t stride[MAX_RANK]; /* bytes; [0] is not in the map */
	uint32_t box[MAX_RANK];    /* im2col: [0], the channels, alone */
	uint32_t step[MAX_RANK];   /* element strides */
	int32_t lower[MAX_SPATIAL], upper[MAX_SPATIAL];
	uint32_t pixels;
	uint64_t hints[2]; /* words that nobody looks at */
	uint64_t beyond;   /* nor at what dimensions beyond the rank have left, 0: nothing */
	/* Elements that are in memory: `extent` of them from coordinate `anchor` on. */
	int64_t anchor[MAX_RANK];
	uint32_t extent[MAX_RANK];
};

/* What a copy with a map touches. */
struct tensor_span {
	uint32_t rows, pitch; /* of shared memory */
	uint32_t shared;      /* bytes from the operand on, those between rows included */
	uint32_t tx;          /* bytes that the barriers count */
	uint64_t inside;      /* bytes in the tensor */
	uint64_t first, last; /* of those: offsets from the memory's base; first > last: there are none */
	bool fits;            /* all of them lie in the memory */
	bool twice;           /* 16 bytes that two rows touch */
};

/* tensor_map.c */

/** A legal map of a tensor in the @p bytes bytes from @p base on, whose box takes at most about @p room
 * bytes of shared memory. */
void tensor_choose(struct rng *rng, const struct shape *shape, uint64_t base, uint64_t bytes, uint32_t room,
                   struct tensor *t);
void tensor_encode(const struct tensor *t, uint64_t word[MAP_WORDS]);
/** The same, but a matrix of some columns of tiles: several boxes lie side by side in each of its rows. */
void tensor_choose_matrix(struct rng *rng, uint64_t base, uint64_t bytes, uint32_t room, struct tensor *t);
uint32_t tensor_element_bits(const struct tensor *t);
bool tensor_padded(const struct tensor *t);
/** Bytes of a slice, 0 without interleave. */
uint32_t tensor_slice(const struct tensor *t);
/** The spatial dimensions are tensor_spatial() from tensor_first_spatial() on, of any rank. */
uint32_t tensor_first_spatial(const struct tensor *t);
uint32_t tensor_spatial(const struct tensor *t);
/** Elements of the box in dimension i. */
uint32_t tensor_count(const struct tensor *t, uint32_t i);

/* tensor_walk.c */

/* Bytes of a row that lie in the tensor, @p at from the memory's base on. */
typedef void tensor_row_fn(void *arg, uint64_t at, uint64_t bytes);

/** Visit those of each row of the command, which fits the map, one after the other. Returns how many rows
 * it has, those that lie outside included. */
uint32_t tensor_rows(const struct tensor *t, const struct tma_command *cmd, uint64_t base,
                     tensor_row_fn *visit, void *arg);
/** What the command, which fits the map, touches of the @p bytes bytes of memory from @p base on. */
struct tensor_span tensor_measure(const struct tensor *t, const struct tma_command *cmd, uint64_t base,
                                  uint64_t bytes);
/** complete_tx bytes of one copy. */
uint32_t tensor_tx(const struct tensor *t, const struct tma_command *cmd);

#endif
