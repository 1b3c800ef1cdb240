/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pictures of docs/tensor-copies.md. What they show is what the C model does: the tensor's pixels are
 * numbered, a copy is executed, and the numbers that it leaves behind are drawn.
 */
#ifndef PICTURES_H
#define PICTURES_H

#include <stdio.h>

#include "svg.h"
#include "tma.h"

#define PIXEL_BYTES 16u /* the least that a box may have in dimension 0 */
#define PIXEL_WORDS 4u
#define MAX_PIXELS  1024u

/* ---- The model (copy.c); all of it ends the program when something fails ---- */

/* A tensor with its map in memory, and a copy of it. */
struct copy {
	struct tma_map map; /* of a tensor at tensor_address() */
	enum tma_mode mode;
	uint32_t dim;
	int32_t coord[5];
	uint16_t im2col[3];
};

void open_model(void);
void close_model(void);
uint64_t tensor_address(void);
/** Fill the tensor with 32-bit words: the number of each pixel from 1 on, four times; or of each word. */
void number_pixels(uint32_t pixels);
void number_words(uint32_t words);
/** Load into shared memory, which is all ones before; then read @p words of it. */
void load(const struct copy *copy, uint32_t *smem, uint32_t words);
/** Store shared memory, of which each word is all ones, into a tensor of zeros; then read that. */
void store(const struct copy *copy, uint32_t behaviour, uint32_t *tensor, uint32_t words);
/** End the program if an encoder has refused a map. */
void must_encode(int refused, const struct tma_map_error *error);

/** End the program, and say why. */
_Noreturn void give_up(const char *why);

/* ---- Captions (caption.c) ---- */

#define CAPTION_HIGH       80u /* of a load */
#define STORE_CAPTION_HIGH 95u

/** The map's arguments, the call, and how many bytes of the copy are drawn; @p y is the first line's.
 * @param hidden  what else is to be said of what is not drawn, behind that */
void put_load_caption(struct svg *svg, uint32_t x, uint32_t y, const struct copy *copy, uint32_t drawn,
                      const char *hidden);
void put_store_caption(struct svg *svg, uint32_t x, uint32_t y, const struct copy *copy, uint32_t behaviour,
                       const char *shown);

/* ---- Files (main.c); both end the program when something fails ---- */

void open_svg(struct svg *svg, const char *directory, const char *name, const char *title, uint32_t width,
              uint32_t height);
void close_svg(struct svg *svg);

/* ---- Pictures, each a file in a directory ---- */

void draw_tile(const char *directory);
void draw_element_strides(const char *directory);
void draw_im2col(const char *directory);
void draw_im2col_offsets(const char *directory);
void draw_im2col_w(const char *directory);
void draw_im2col_w_128(const char *directory);
void draw_gather4(const char *directory);
void draw_interleave(const char *directory);
void draw_swizzles(const char *directory);
void draw_stores(const char *directory);

#endif
