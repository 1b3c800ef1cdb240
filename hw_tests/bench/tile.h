/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams of tensor copies: their tensor map, the command of each operation, and what the C model says
 * that they leave in memory.
 */
#ifndef BENCH_TILE_H
#define BENCH_TILE_H

#include "stage.h"
#include "tma_map.h"

#define TILE_DIMS 5u

/* One tensor and the boxes of it that a stream copies: operation i has the coordinates start + step * k,
 * k counting through `count`, fastest dimension first. Where the list of boxes ends, it starts again. */
struct bench_tile {
	uint8_t mode;    /* enum tma_mode */
	uint32_t type;   /* enum tma_map_data_type */
	uint32_t offset; /* bytes that the tensor lies behind the start of its half of the memory */
	uint32_t rank;
	uint64_t dim[TILE_DIMS], strides[TILE_DIMS - 1];
	uint32_t box[TILE_DIMS];
	int32_t lower[2], upper[2]; /* im2col: of W and H; offsets go through taps x taps */
	uint32_t taps;              /* 0: 3 */
	uint32_t channels, pixels;  /* im2col */
	uint32_t interleave, swizzle;
	int32_t start[TILE_DIMS];
	uint32_t step[TILE_DIMS], count[TILE_DIMS];

	uint32_t shared; /* bytes of shared memory of one box, 0: those that it counts */
	uint32_t beats;  /* of the bus, for one box; 0: differs */
	uint32_t bound;  /* lines of shared memory of one box where they are more than its beats, else 0 */
};

extern const struct bench_tile bench_tiles[], bench_reduce_tiles[];

/** Bytes of shared memory from one buffer of the stream to the next, a multiple of 128. */
uint32_t tile_step(const struct bench_tile *t, uint32_t bytes);

/** Write the map of the tensor, which lies behind @p half (0 or STAGE_HALF), into the stage's memory.
 * false: refused, said on stderr. */
bool tile_map(struct stage *s, const struct bench_tile *t, uint32_t half);

/** Have queue 0 fetch the map, and wait. */
bool tile_warm(struct stage *s);

/** Give the padding of boxes, which loads leave alone, bytes that tile_loaded() knows. false: refused. */
bool tile_ground(struct stage *s, const struct bench_tile *t);

/** Command @p opcode of operation @p i of the stream. */
struct tma_command tile_command(const struct bench_tile *t, uint8_t opcode, uint32_t i);

/** Shared memory of CTA 0 holds what the loads of operations 0..n-1 leave there; operation i goes to
 * @p to + i % slots * step. Loads in flight together may share a destination, then any of their data may
 * be the last: of the newest @p in_flight ones. */
bool tile_loaded(struct stage *s, const struct bench_tile *t, uint32_t n, uint32_t bytes, uint32_t slots,
                 uint32_t in_flight);

/** The destination half of global memory is what stores 0..n-1 make of @p before, with the source buffers
 * in @p shared (from STAGE_SMEM on). */
bool tile_stored(struct stage *s, const struct bench_tile *t, uint32_t n, uint32_t step, uint32_t slots,
                 uint8_t *before, const uint8_t *shared, uint32_t shared_bytes);

#endif
