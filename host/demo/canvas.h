/* SPDX-License-Identifier: Apache-2.0 */
/* A canvas of pixels: squares, rectangles and text go onto it, and it becomes a PNG. */
#ifndef CANVAS_H
#define CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Colours, 0xRRGGBB. */
#define PAPER 0xF1F3F5u /* behind everything */
#define EMPTY 0xCED4DAu /* a tile that a CTA did not get */
#define INK   0x212529u /* headings */
#define FAINT 0x495057u /* what stands under a picture or beside an axis */
#define RULED 0xDEE2E6u /* lines behind a chart */
#define AXIS  0xADB5BDu
#define BAR   0x1971C2u

struct canvas {
	uint32_t width, height;
	uint8_t *rgb;
};

/** A canvas of paper; its rgb is the caller's to free. @return false: no memory */
bool open_canvas(struct canvas *c, uint32_t width, uint32_t height);

/** A pixel as a square of @p scale. */
void put_square(struct canvas *c, uint32_t x, uint32_t y, uint32_t scale, const uint8_t rgb[3]);

/** Rows of four-byte pixels, each a square; one whose last byte is zero is empty. */
void put_pixels(struct canvas *c, uint32_t x, uint32_t y, uint32_t scale, const uint8_t *pixels,
                uint32_t width, uint32_t height, size_t pitch);

void put_rectangle(struct canvas *c, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                   uint32_t colour);

/* Rows that a line of text takes, from the top of its capitals to below its longest letters. */
#define TEXT_HEIGHT 18u

enum text_align { TEXT_LEFT, TEXT_CENTRE, TEXT_RIGHT };

/** A line of text, of the characters that text.c draws. @p x is its left end, middle or right end,
 * @p y its top. It must fit. */
void put_text(struct canvas *c, uint32_t x, uint32_t y, enum text_align align, uint32_t colour,
              const char *text);
/** Pixels that it is wide. */
uint32_t text_width(const char *text);

/** @return 0; or -1, and the reason is on stderr */
int write_png(const struct canvas *c, const char *path);

#endif
