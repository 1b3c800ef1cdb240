/* SPDX-License-Identifier: Apache-2.0 */
/*
 * box - what the model makes of a tensor copy with its map: its rows in global memory, where their bytes
 * lie in shared memory, what a row becomes on its way. The model's own functions, under names that do
 * not meet those of the checker.
 */
#ifndef WAVECHECK_BOX_H
#define WAVECHECK_BOX_H

#include <stdbool.h>
#include <stdint.h>

#include "tma_map.h"
#include "tma_model.h"

/* Bytes of a row, in either memory. */
#define BOX_ROW_BYTES 2048u

struct box;

/** Of a command that the model has found to be legal with this map. The model must be able to read the map
 * at its address, through the windows of the queue. NULL: no memory. */
struct box *box_new(struct tma_model *m, uint32_t queue, const struct tma_command *command);
void box_free(struct box *box);

uint32_t box_rows(const struct box *box);
/** Bytes that each signal counts. */
uint32_t box_tx(const struct box *box);
/** Rows are numbered as they go over the bus. Of row k the bytes first..first+bytes-1 lie in the tensor, from *address on. Returns `bytes`. */
uint32_t box_row(const struct box *box, uint32_t k, uint64_t *address, uint32_t *first);
/** Whether row k is read or written as one with that before it, where both lie in the tensor, over a bus of
 * @p beat bytes: slices of channels that follow each other in dimension 0; beyond them all of a tile's inner
 * dimensions that are dense in global and in shared memory and of which the box is inside; pixels of im2col
 * side by side in both memories, to the end of the window along W. */
bool box_goes_on(const struct box *box, uint32_t k, uint32_t beat);
/** Whether rows k - 1 and k are of a chunk each and lie one behind the other in shared memory. */
bool box_joins(const struct box *box, uint32_t k);
/** Whether one read finds the two: behind a swizzle they are of one line. */
bool box_joins_line(const struct box *box, uint32_t k);
/** Bytes of a row in shared memory. */
uint32_t box_shared_bytes(const struct box *box);
/** Is byte b of a row in shared memory padding, which no load writes? */
bool box_padding(const struct box *box, uint32_t b);
/** Places in shared memory of the bytes of row k. */
void box_places(const struct box *box, uint32_t k, uint32_t *places);
/** A store makes byte b of a row in global memory of two of its bytes in shared memory, which may be the
 * same: of which, and what of them. */
void box_sources(const struct box *box, uint32_t b, uint32_t sources[2]);
uint8_t box_stored(const struct box *box, uint32_t b, uint8_t low, uint8_t high);
/** What a load makes of `count` bytes of a row from `first` on: all of its bytes in shared memory. */
void box_image(const struct box *box, const uint8_t *bytes, uint32_t first, uint32_t count, uint8_t *image);

/** The type of the elements that a reduction adds up, and whether subnormals are zeros. */
uint8_t box_reduction(const struct box *box, bool *flush);

/** The CTA whose barrier hears of the data of CTA @p target. */
uint32_t box_barrier_rank(const struct tma_command *command, uint32_t target);
/** What the map says to the memory system. */
uint8_t box_promotion(const uint8_t *map);

#endif
