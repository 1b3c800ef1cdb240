/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor maps and copies as the semantics have them, their rules, and the rows that they are. */
#ifndef TMA_WALKS_REF_H
#define TMA_WALKS_REF_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/rng.h"
#include "tma_walks_pins.h"

/* Encodings of the RTL's types. */
enum { WALKS_TILED, WALKS_IM2COL, WALKS_W, WALKS_W128 };
enum { WALKS_PLAIN, WALKS_TF32, WALKS_PAD4, WALKS_PAD6 };
enum { WALKS_LOAD, WALKS_PREFETCH };

#define WALKS_LEVELS 4

/* As tensor_row_t, of any size. */
struct ref_row {
	uint64_t gaddr;
	uint32_t saddr, head, chunks, odd, tail;
	uint8_t none, first, last;
};

#define CHUNK    16u
#define MAX_ROWS 70000u

/* A tensor map. Spatial dimensions of im2col count from their first one. */
struct tensor {
	uint32_t kind, rank;
	uint32_t slice; /* bytes of an interleaved map's slice, else 0 */
	uint32_t bits;  /* of an element */
	uint32_t pad;   /* 4 or 6: a padded format */
	uint32_t span;  /* bytes from row to row in shared memory, 0: those of the row */
	uint64_t base;
	uint64_t dim[5], stride[5]; /* stride[i] is that of dimension i, in bytes */
	uint32_t box[5], es[5];
	int32_t lower[3], upper[3];
	uint32_t pixels;
	uint32_t folds; /* levels whose decoded map allows to fold them */
	bool runs;      /* its decoded map says that pixels along W are neighbours */
	bool flip, nan, tf32;
	uint32_t swizzle, promotion;
	uint32_t ops, arith; /* operators that its elements take, and as what */
	bool flush;
};

/** What it says of reductions, at random: not what its other fields would say. */
void tensor_random_arithmetic(struct tensor *t, struct rng *rng);

/** A random map that keeps the rules of maps, most of the time with boxes of at most `most` rows. */
void tensor_random(struct tensor *t, struct rng *rng, uint32_t kind, uint32_t most, bool padded);

/** What a decoder makes of it. */
void tensor_decode(const struct tensor *t, struct walks_map_info *m);

/* Levels: the dimensions around the row, inner ones first. Returns how many. */
uint32_t tensor_levels(const struct tensor *t, uint32_t dims[4]);
/* A row is all of dimension 0, else one slice. */
bool tensor_row_used(const struct tensor *t);
/* Positions of a tiled box along dimension i. */
uint32_t tensor_count(const struct tensor *t, uint32_t i);
/* Bytes of a row in the tensor, and from row to row in shared memory. */
uint32_t tensor_row_bytes(const struct tensor *t);
uint32_t tensor_pitch(const struct tensor *t);

/* All that a copy does. */
struct ref {
	uint16_t fault;
	uint64_t fault_addr;
	uint32_t bytes, count;
	bool outside; /* a store or prefetch of nothing */
	struct ref_row *rows;
};

/** `smem`: bytes of shared memory. */
void ref_copy(const struct tensor *t, const struct walks_setup_cmd *c, bool granule16, uint32_t smem,
              struct ref *ref);

#endif
