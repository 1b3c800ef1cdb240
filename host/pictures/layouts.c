/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of where bytes go: swizzles in shared memory, and the end of a row that a store writes. */
#include <inttypes.h>

#include "pictures.h"

#define MARGIN 24u
#define LINE   128u /* bytes of shared memory in one line of a picture */

struct swizzle {
	const char *name;
	uint32_t code, row_bytes;
};

static const struct swizzle swizzles[] = {
	{ "none", TMA_MAP_SWIZZLE_NONE, 128 },
	{ "32B", TMA_MAP_SWIZZLE_32B, 32 },
	{ "64B", TMA_MAP_SWIZZLE_64B, 64 },
	{ "96B", TMA_MAP_SWIZZLE_96B, 96 },
	{ "128B", TMA_MAP_SWIZZLE_128B, 128 },
	{ "128B, 32-byte atoms", TMA_MAP_SWIZZLE_128B_ATOM_32B, 128 },
	{ "128B, 32-byte atoms, flip", TMA_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B, 128 },
	{ "128B, 64-byte atoms", TMA_MAP_SWIZZLE_128B_ATOM_64B, 128 },
};

/* ---- Swizzles ---- */

#define SWIZZLES     8u
#define LINES        8u
#define SMEM_WORDS   (LINES * LINE / 4)
#define CHUNKS       8u  /* of a line */
#define CHUNK        58u /* width of 16 bytes */
#define SWIZZLE_WIDE (CHUNKS * CHUNK + 2 * MARGIN)
#define SWIZZLE_HIGH (LINES * 22 + 48 + CAPTION_HIGH)

/* A box of as many rows as eight lines have; its words are numbered. */
static void load_swizzled(const struct swizzle *s, struct copy *copy, uint32_t *smem)
{
	const uint32_t rows = (LINES * LINE + s->row_bytes - 1) / s->row_bytes;
	const uint64_t size[] = { s->row_bytes / 4, rows }, stride[] = { s->row_bytes };
	const uint32_t box[] = { s->row_bytes / 4, rows }, steps[] = { 1, 1 };
	struct tma_map_error error;

	*copy = (struct copy){ .mode = TMA_MODE_TILE, .dim = 2 };
	number_words(rows * s->row_bytes / 4);
	must_encode(tma_map_encode_tiled(&copy->map, TMA_MAP_SM_100, TMA_MAP_DATA_UINT32, 2, tensor_address(),
	                                 size, stride, box, steps, TMA_MAP_INTERLEAVE_NONE, s->code,
	                                 TMA_MAP_PROMOTION_NONE, TMA_MAP_FILL_ZERO, &error),
	            &error);
	load(copy, smem, SMEM_WORDS);
}

/* Sixteen bytes: the row of the box that they come from and their chunk in it; their halves if swapped. */
static void put_chunk(struct svg *svg, const struct swizzle *s, uint32_t x, uint32_t y, const uint32_t *smem)
{
	uint32_t word = smem[0] - 1, byte = word * 4 % s->row_bytes, row = word * 4 / s->row_bytes;
	bool swapped = smem[2] != smem[0] + 2;
	char colour[8];

	put_box(svg, x, y, CHUNK, 22, colour_of(byte / 16, s->row_bytes / 16, colour), "#adb5bd");
	put_text(svg, x + CHUNK / 2, y + 15, 10, "middle", "#212529", "%u.%u%s", row, byte / 16,
	         swapped ? " b|a" : "");
}

static void put_swizzle(struct svg *svg, const struct swizzle *s, uint32_t x, uint32_t y)
{
	uint32_t smem[SMEM_WORDS], line, chunk;
	struct copy copy;

	load_swizzled(s, &copy, smem);
	put_text(svg, x, y + 14, 14, "start", "#212529", "%s; rows of %u bytes", s->name, s->row_bytes);
	for (line = 0; line < LINES; line++)
		for (chunk = 0; chunk < CHUNKS; chunk++)
			put_chunk(svg, s, x + chunk * CHUNK, y + 24 + line * 22,
			          smem + line * LINE / 4 + chunk * 4);
	put_load_caption(svg, x, y + 24 + LINES * 22 + 18, &copy, LINES * LINE, "; a cell is 16 bytes");
}

void draw_swizzles(const char *directory)
{
	struct svg svg;
	uint32_t i;

	open_svg(&svg, directory, "tensor_swizzle", "Shared memory, 128 bytes in a line, for each swizzle",
	         2 * SWIZZLE_WIDE, SWIZZLES / 2 * SWIZZLE_HIGH + MARGIN);
	for (i = 0; i < SWIZZLES; i++)
		put_swizzle(&svg, &swizzles[i], MARGIN + i % 2 * SWIZZLE_WIDE, MARGIN + i / 2 * SWIZZLE_HIGH);
	close_svg(&svg);
}

/* ---- Stores ---- */

#define ROW_WORDS   16u /* from row to row in memory */
#define SIZE_WORDS  10u /* of a row of the tensor */
#define ROWS        5u  /* of memory that are drawn */
#define SIZE_ROWS   3u  /* of the tensor */
#define STORE_CELL  36u
#define STORE_WIDTH (ROW_WORDS * STORE_CELL + 2 * MARGIN)
#define STORE_HIGH  (ROWS * STORE_CELL + 60 + STORE_CAPTION_HIGH)

static void put_store(struct svg *svg, const char *title, uint32_t behaviour, uint32_t top)
{
	const uint64_t size[] = { SIZE_WORDS, SIZE_ROWS }, stride[] = { 4 * ROW_WORDS };
	const uint32_t box[] = { 8, 4 }, steps[] = { 1, 1 };
	struct copy copy = { .mode = TMA_MODE_TILE, .dim = 2, .coord = { 4, 1 } };
	uint32_t tensor[ROWS * ROW_WORDS], i;
	char shown[100];
	struct tma_map_error error;

	must_encode(tma_map_encode_tiled(&copy.map, TMA_MAP_SM_90, TMA_MAP_DATA_UINT32, 2, tensor_address(),
	                                 size, stride, box, steps, TMA_MAP_INTERLEAVE_NONE,
	                                 TMA_MAP_SWIZZLE_NONE, TMA_MAP_PROMOTION_NONE, TMA_MAP_FILL_ZERO,
	                                 &error),
	            &error);
	store(&copy, behaviour, tensor, ROWS * ROW_WORDS);
	put_text(svg, MARGIN, top + 14, 14, "start", "#212529", "%s", title);
	for (i = 0; i < ROWS * ROW_WORDS; i++) {
		uint32_t column = i % ROW_WORDS, row = i / ROW_WORDS;
		bool inside = column < SIZE_WORDS && row < SIZE_ROWS;

		put_box(svg, MARGIN + column * STORE_CELL, top + 34 + row * STORE_CELL, STORE_CELL,
		        STORE_CELL,
		        tensor[i] ? inside ? "#74c0fc" : "#ffa8a8"
		        : inside  ? "#f8f9fa"
		                  : "#fff",
		        "#ced4da");
		if (tensor[i])
			put_text(svg, MARGIN + column * STORE_CELL + STORE_CELL / 2,
			         top + 34 + row * STORE_CELL + STORE_CELL / 2 + 4, 11, "middle", "#212529",
			         "%s", inside ? "new" : "past");
	}
	for (i = 0; i <= ROW_WORDS; i += 4)
		put_text(svg, MARGIN + i * STORE_CELL, top + 30, 10, "middle", "#868e96", "%u", i);
	put_box(svg, MARGIN, top + 34, SIZE_WORDS * STORE_CELL, SIZE_ROWS * STORE_CELL, "none", "#495057");
	put_outline(svg, MARGIN + 4 * STORE_CELL, top + 34 + STORE_CELL, box[0] * STORE_CELL,
	            box[1] * STORE_CELL);
	snprintf(shown, sizeof(shown), "all %" PRIu64 " bytes of the box; a cell is an element, 4 bytes",
	         tma_map_box_bytes(&copy.map));
	put_store_caption(svg, MARGIN, top + 34 + ROWS * STORE_CELL + 18, &copy, behaviour, shown);
}

void draw_stores(const char *directory)
{
	struct svg svg;

	open_svg(&svg, directory, "tensor_store",
	         "What a store writes at the end of a row that is no multiple of 16", STORE_WIDTH,
	         2 * STORE_HIGH + MARGIN);
	put_store(&svg, "tensor of 10 x 3 words, rows 16 apart; a store of 8 x 4 at (4, 1): per element", 0,
	          MARGIN / 2);
	put_store(&svg, "the same with STORE_GRANULE16: whole 16 bytes, as an H200",
	          TMA_REG_BEHAVIOUR_STORE_GRANULE16_MASK, MARGIN / 2 + STORE_HIGH);
	close_svg(&svg);
}
