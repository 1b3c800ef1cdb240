/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pictures of walks: the pixels of a tensor with the places that they get in shared memory, and shared
 * memory with the pixels that lie there. Pixels have 16 bytes; a walk goes through them as it does
 * through the channels of real ones.
 */
#include <string.h>

#include "pictures.h"

#define CELL        34u
#define MARGIN      24u
#define HEAD        46u /* above shared memory */
#define NOBODY      0xFFFFFFFFu
#define LEAST_WIDTH (19 * CELL) /* for the caption */

/* A tensor of width x height x images pixels, and the numbers that a copy has left in shared memory. */
struct walk {
	uint32_t width, height, images;
	uint32_t count; /* pixels in shared memory */
	uint32_t pitch; /* from one to the next there, in pixels */
	uint32_t smem[MAX_PIXELS * PIXEL_WORDS];
	const char *names[2]; /* of the dimensions of a panel */
	struct copy copy;
};

/* The number of the pixel at place k, from 1 on; 0 is fill. */
static uint32_t pixel_at(const struct walk *w, uint32_t k)
{
	return w->smem[k * w->pitch * PIXEL_WORDS];
}

static void run(struct walk *w)
{
	number_pixels(w->width * w->height * w->images);
	load(&w->copy, w->smem, w->count * w->pitch * PIXEL_WORDS);
}

/* One cell of the tensor: the places that it has got. */
static void put_cell(struct svg *svg, const struct walk *w, uint32_t x, uint32_t y, uint32_t number)
{
	uint32_t k, found = 0, places[2] = { 0, 0 };
	char colour[8];

	for (k = 0; k < w->count; k++) {
		if (pixel_at(w, k) != number)
			continue;
		if (found == 2)
			give_up("a pixel has three places, and a cell shows two");
		places[found++] = k;
	}
	put_box(svg, x, y, CELL, CELL, found ? colour_of(places[0], w->count, colour) : "#f8f9fa", "#ced4da");
	if (found == 2 && places[1] >= 100) {
		put_text(svg, x + CELL / 2, y + CELL / 2 - 3, 10, "middle", "#212529", "%u,", places[0]);
		put_text(svg, x + CELL / 2, y + CELL / 2 + 10, 10, "middle", "#212529", "%u", places[1]);
	} else if (found == 2) {
		put_text(svg, x + CELL / 2, y + CELL / 2 + 4, 10, "middle", "#212529", "%u, %u", places[0],
		         places[1]);
	} else if (found) {
		put_text(svg, x + CELL / 2, y + CELL / 2 + 5, 13, "middle", "#212529", "%u", places[0]);
	}
}

/* Image `image` of the tensor, its first cell at (x, y). */
static void put_image(struct svg *svg, const struct walk *w, uint32_t image, uint32_t x, uint32_t y,
                      const char *title)
{
	uint32_t i, j;

	put_text(svg, x, y - CELL - 12, 14, "start", "#212529", "%s", title);
	for (i = 0; i < w->width; i++)
		put_text(svg, x + i * CELL + CELL / 2, y - 6, 10, "middle", "#868e96", "%s%u",
		         i ? "" : w->names[0], i);
	for (j = 0; j < w->height; j++) {
		put_text(svg, x - 5, y + j * CELL + CELL / 2 + 4, 10, "end", "#868e96", "%s%u",
		         j ? "" : w->names[1], j);
		for (i = 0; i < w->width; i++)
			put_cell(svg, w, x + i * CELL, y + j * CELL,
			         (image * w->height + j) * w->width + i + 1);
	}
}

/* What place k of shared memory has got: a pixel's coordinates, or fill. */
static void put_place(struct svg *svg, const struct walk *w, uint32_t x, uint32_t y, uint32_t k)
{
	uint32_t number = pixel_at(w, k), middle = x + CELL / 2;
	char colour[8];

	put_text(svg, middle, y - 3, 8, "middle", "#868e96", "%u", k);
	if (number == NOBODY)
		return;
	put_box(svg, x, y, CELL, 22, number ? colour_of(k, w->count, colour) : "#fcc2d7", "#ced4da");
	if (!number) {
		put_text(svg, middle, y + 15, 10, "middle", "#a61e4d", "fill");
		return;
	}
	number--;
	if (w->images > 1)
		put_text(svg, middle, y + 15, 9, "middle", "#212529", "%u,%u,%u", number % w->width,
		         number / w->width % w->height, number / w->width / w->height);
	else
		put_text(svg, middle, y + 15, 10, "middle", "#212529", "%u,%u", number % w->width,
		         number / w->width);
}

static uint32_t rows_of(const struct walk *w, uint32_t across)
{
	return (w->count + across - 1) / across;
}

/* Shared memory, `across` places in a line. */
static void put_shared(struct svg *svg, const struct walk *w, uint32_t x, uint32_t y, uint32_t across)
{
	uint32_t k;

	put_text(svg, x, y - 24, 14, "start", "#212529", "shared memory: which pixel lies there");
	for (k = 0; k < w->count; k++)
		put_place(svg, w, x + k % across * CELL, y + k / across * 36, k);
}

/* Only pixels are drawn, not the room of a row behind them. */
static void put_walk_caption(struct svg *svg, const struct walk *w, uint32_t x, uint32_t y)
{
	char hidden[100];

	snprintf(hidden, sizeof(hidden), "; a cell is %u elements, %u bytes", PIXEL_WORDS, PIXEL_BYTES);
	if (w->pitch > 1)
		snprintf(hidden, sizeof(hidden),
		         "; rows are %u bytes apart, %u of each shown, swizzle undone",
		         w->pitch * PIXEL_BYTES, PIXEL_BYTES);
	put_load_caption(svg, x, y, &w->copy, w->count * PIXEL_BYTES, hidden);
}

/* The images side by side, shared memory below; `outline` is a frame in pixels: x, y, width, height. */
static void draw_walk(const char *directory, const char *name, const char *title, const struct walk *w,
                      const char *const titles[], const int32_t outline[4])
{
	uint32_t step = (w->width + 2) * CELL, width = w->images * step + 2 * MARGIN, image;
	uint32_t left = MARGIN + CELL, top = MARGIN + CELL + 26, below;
	uint32_t across, caption, height;
	struct svg svg;

	if (width < LEAST_WIDTH)
		width = LEAST_WIDTH;
	across = (width - 2 * MARGIN) / CELL;
	below = top + w->height * CELL + HEAD + 20;
	caption = below + rows_of(w, across) * 36 + 16;
	height = caption + CAPTION_HIGH;
	open_svg(&svg, directory, name, title, width, height);
	for (image = 0; image < w->images; image++) {
		put_image(&svg, w, image, left + image * step, top, titles[image]);
		if (outline)
			put_outline(&svg, left + image * step + (uint32_t)(outline[0] * (int32_t)CELL),
			            top + (uint32_t)(outline[1] * (int32_t)CELL), (uint32_t)outline[2] * CELL,
			            (uint32_t)outline[3] * CELL);
	}
	put_shared(&svg, w, MARGIN, below, across);
	put_walk_caption(&svg, w, MARGIN, caption);
	close_svg(&svg);
}

/* ---- Tiles ---- */

/* A tensor of 16-byte pixels, width x height, as a map of three dimensions. */
static void encode_tiles(struct tma_map *map, const struct walk *w, uint32_t box_width, uint32_t box_height,
                         uint32_t step)
{
	const uint64_t size[] = { PIXEL_WORDS, w->width, w->height };
	const uint64_t stride[] = { PIXEL_BYTES, (uint64_t)PIXEL_BYTES * w->width };
	const uint32_t box[] = { PIXEL_WORDS, box_width, box_height }, steps[] = { 1, step, step };
	struct tma_map_error error;

	must_encode(tma_map_encode_tiled(map, TMA_MAP_SM_90, TMA_MAP_DATA_UINT32, 3, tensor_address(), size,
	                                 stride, box, steps, TMA_MAP_INTERLEAVE_NONE, TMA_MAP_SWIZZLE_NONE,
	                                 TMA_MAP_PROMOTION_NONE, TMA_MAP_FILL_ZERO, &error),
	            &error);
}

void draw_tile(const char *directory)
{
	static const char *const titles[] = { "tensor of 12 x 6; box of 6 x 4 at (8, -1)" };
	struct walk w = { .width = 12, .height = 6, .images = 1, .count = 24, .pitch = 1 };

	w.copy = (struct copy){ .mode = TMA_MODE_TILE, .dim = 3, .coord = { 0, 8, -1 } };
	w.names[0] = w.names[1] = "";
	encode_tiles(&w.copy.map, &w, 6, 4, 1);
	run(&w);
	draw_walk(directory, "tensor_tile", "Tile mode: a box that hangs over two edges of the tensor", &w,
	          titles, (const int32_t[]){ 8, -1, 6, 4 });
}

void draw_element_strides(const char *directory)
{
	static const char *const titles[] = {
		"the same tensor; box of 6 x 4 at (4, 1), element strides of 2"
	};
	struct walk w = { .width = 12, .height = 6, .images = 1, .count = 6, .pitch = 1 };

	w.copy = (struct copy){ .mode = TMA_MODE_TILE, .dim = 3, .coord = { 0, 4, 1 } };
	w.names[0] = w.names[1] = "";
	encode_tiles(&w.copy.map, &w, 6, 4, 2);
	run(&w);
	draw_walk(directory, "tensor_element_strides", "Tile mode with element strides", &w, titles,
	          (const int32_t[]){ 4, 1, 6, 4 });
}

void draw_gather4(const char *directory)
{
	static const char *const titles[] = {
		"tensor of 12 x 6 chunks of 16 bytes; column 4, rows 4, 1, 1, 7"
	};
	struct walk w = { .width = 12, .height = 6, .images = 1, .count = 20, .pitch = 1 };
	const uint64_t size[] = { 12 * PIXEL_WORDS, 6 }, stride[] = { 12 * PIXEL_BYTES };
	const uint32_t box[] = { 5 * PIXEL_WORDS, 1 }, steps[] = { 1, 1 };
	const int32_t coord[] = { 4 * PIXEL_WORDS, 4, 1, 1, 7 };
	struct tma_map_error error;

	w.copy = (struct copy){ .mode = TMA_MODE_GATHER4, .dim = 2 };
	w.names[0] = w.names[1] = "";
	memcpy(w.copy.coord, coord, sizeof(coord));
	must_encode(tma_map_encode_tiled(&w.copy.map, TMA_MAP_SM_100, TMA_MAP_DATA_UINT32, 2,
	                                 tensor_address(), size, stride, box, steps, TMA_MAP_INTERLEAVE_NONE,
	                                 TMA_MAP_SWIZZLE_NONE, TMA_MAP_PROMOTION_NONE, TMA_MAP_FILL_ZERO,
	                                 &error),
	            &error);
	run(&w);
	draw_walk(directory, "tensor_gather4", "gather4: four rows, in the order in which they are named", &w,
	          titles, NULL);
}

void draw_interleave(const char *directory)
{
	static const char *const titles[] = { "slice 0 of channels", "slice 1" };
	struct walk w = { .width = 8, .height = 5, .images = 2, .count = 12, .pitch = 1 };
	const uint64_t size[] = { 8, 5, 2, 1 };
	const uint64_t stride[] = { 8 * PIXEL_BYTES, 40 * PIXEL_BYTES, 80 * PIXEL_BYTES };
	const uint32_t box[] = { 4, 3, 2, 1 }, steps[] = { 1, 1, 1, 1 };
	struct tma_map_error error;

	w.copy = (struct copy){ .mode = TMA_MODE_TILE, .dim = 4, .coord = { 5, 2, 1, 0 } };
	w.names[0] = "w ";
	w.names[1] = "h ";
	must_encode(tma_map_encode_tiled(&w.copy.map, TMA_MAP_SM_90, TMA_MAP_DATA_UINT32, 4, tensor_address(),
	                                 size, stride, box, steps, TMA_MAP_INTERLEAVE_16B,
	                                 TMA_MAP_SWIZZLE_NONE, TMA_MAP_PROMOTION_NONE, TMA_MAP_FILL_ZERO,
	                                 &error),
	            &error);
	run(&w);
	draw_walk(directory, "tensor_interleave",
	          "Interleave: W, H, slices, N; a copy takes one slice of 16 or 32 bytes from each pixel", &w,
	          titles, NULL);
}

/* ---- im2col ---- */

/* The window goes from `lower` to the last pixel plus `upper`, in both directions. */
static void encode_im2col(struct tma_map *map, const struct walk *w, int32_t lower, int32_t upper,
                          uint32_t step)
{
	const uint64_t row = (uint64_t)PIXEL_BYTES * w->width;
	const uint64_t size[] = { PIXEL_WORDS, w->width, w->height, w->images };
	const uint64_t stride[] = { PIXEL_BYTES, row, row * w->height };
	const int32_t lowers[] = { lower, lower }, uppers[] = { upper, upper };
	const uint32_t steps[] = { 1, step, step, 1 };
	struct tma_map_error error;

	must_encode(tma_map_encode_im2col(map, TMA_MAP_SM_90, TMA_MAP_DATA_UINT32, 4, tensor_address(), size,
	                                  stride, lowers, uppers, PIXEL_WORDS, w->count, steps,
	                                  TMA_MAP_INTERLEAVE_NONE, TMA_MAP_SWIZZLE_NONE,
	                                  TMA_MAP_PROMOTION_NONE, TMA_MAP_FILL_ZERO, &error),
	            &error);
}

void draw_im2col(const char *directory)
{
	static const char *const titles[] = { "image 0; start at (5, 3)", "image 1" };
	struct walk w = { .width = 9, .height = 6, .images = 2, .count = 36, .pitch = 1 };

	w.copy = (struct copy){ .mode = TMA_MODE_IM2COL, .dim = 4, .coord = { 0, 5, 3, 0 } };
	w.names[0] = "w ";
	w.names[1] = "h ";
	encode_im2col(&w.copy.map, &w, -1, -1, 1);
	run(&w);
	draw_walk(
		directory, "tensor_im2col",
		"im2col: 36 pixels, corners -1 and -1; the walk fills its window and goes on in the next image",
		&w, titles, (const int32_t[]){ -1, -1, 9, 6 });
}

void draw_im2col_offsets(const char *directory)
{
	static const char *const titles[] = { "the same window, stride 2, offsets (2, 2)", "image 1" };
	struct walk w = { .width = 9, .height = 6, .images = 2, .count = 20, .pitch = 1 };

	w.copy = (struct copy){
		.mode = TMA_MODE_IM2COL, .dim = 4, .coord = { 0, -1, -1, 0 }, .im2col = { 2, 2 }
	};
	w.names[0] = "w ";
	w.names[1] = "h ";
	encode_im2col(&w.copy.map, &w, -1, -1, 2);
	run(&w);
	draw_walk(directory, "tensor_im2col_offsets",
	          "im2col with offsets: the walk is that of the window, what is read lies beside it", &w,
	          titles, (const int32_t[]){ -1, -1, 9, 6 });
}

/* Images below each other: a wide walk stays in a row and goes on in the next image. */
static void encode_wide(struct tma_map *map, const struct walk *w, uint32_t mode, uint32_t pixels)
{
	const uint64_t size[] = { PIXEL_WORDS, w->width, w->height };
	const uint64_t stride[] = { PIXEL_BYTES, (uint64_t)PIXEL_BYTES * w->width };
	const uint32_t steps[] = { 1, 1, 1 };
	struct tma_map_error error;

	must_encode(tma_map_encode_im2col_wide(map, TMA_MAP_SM_100, TMA_MAP_DATA_UINT32, 3, tensor_address(),
	                                       size, stride, 0, 0, PIXEL_WORDS, pixels, steps,
	                                       TMA_MAP_INTERLEAVE_NONE, mode, TMA_MAP_SWIZZLE_64B,
	                                       TMA_MAP_PROMOTION_NONE, TMA_MAP_FILL_ZERO, &error),
	            &error);
}

/* Rows have a pitch of 64 bytes, and 16-byte chunks 0 to 3 of them are swapped: take the one with data. */
static void undo_swizzle(struct walk *w)
{
	uint32_t k;

	for (k = 0; k < w->count; k++)
		w->smem[k * w->pitch * PIXEL_WORDS] = w->smem[(k * w->pitch + (k / 2 & 3)) * PIXEL_WORDS];
}

void draw_im2col_w(const char *directory)
{
	static const char *const titles[] = { "images n of one row; start at (3, 0), 23 pixels, wHalo 2" };
	struct walk w = { .width = 9, .height = 4, .images = 1, .count = 25, .pitch = 4 };

	w.copy = (struct copy){
		.mode = TMA_MODE_IM2COL_W, .dim = 3, .coord = { 0, 3, 0 }, .im2col = { 2, 0 }
	};
	w.names[0] = "w ";
	w.names[1] = "n ";
	encode_wide(&w.copy.map, &w, TMA_MAP_WIDE_MODE_W, 23);
	run(&w);
	undo_swizzle(&w);
	draw_walk(directory, "tensor_im2col_w", "im2col::w: a walk along W alone, and its halo", &w, titles,
	          NULL);
}

void draw_im2col_w_128(const char *directory)
{
	static const char *const titles[] = { "images n of one row; start at (1, 0), wHalo 2: 4 x (32 + 2)" };
	struct walk w = { .width = 24, .height = 6, .images = 1, .count = 136, .pitch = 4 };

	w.copy = (struct copy){
		.mode = TMA_MODE_IM2COL_W_128, .dim = 3, .coord = { 0, 1, 0 }, .im2col = { 2, 0 }
	};
	w.names[0] = "w ";
	w.names[1] = "n ";
	encode_wide(&w.copy.map, &w, TMA_MAP_WIDE_MODE_W128, 128);
	run(&w);
	undo_swizzle(&w);
	draw_walk(directory, "tensor_im2col_w_128", "im2col::w::128: four segments, their halos behind them",
	          &w, titles, NULL);
}
