/* SPDX-License-Identifier: Apache-2.0 */
/* svg - pictures as SVG, in whole numbers, so that the same picture has the same bytes everywhere. */
#ifndef SVG_H
#define SVG_H

#include <stdint.h>
#include <stdio.h>

struct svg {
	FILE *file;
};

/** Begin a picture in an open file. */
void begin_svg(struct svg *svg, FILE *file, const char *title, uint32_t width, uint32_t height);
/** Its end; the file is closed. @return 0, or -1 with errno: not all of it was written */
int end_svg(struct svg *svg);

void put_text(struct svg *svg, uint32_t x, uint32_t y, uint32_t size, const char *anchor, const char *colour,
              const char *format, ...) __attribute__((format(printf, 7, 8)));
/** A line of a program: small, all letters equally wide. */
void put_code(struct svg *svg, uint32_t x, uint32_t y, const char *text);
void put_box(struct svg *svg, uint32_t x, uint32_t y, uint32_t width, uint32_t height, const char *fill,
             const char *stroke);
void put_outline(struct svg *svg, uint32_t x, uint32_t y, uint32_t width, uint32_t height);
/** Colour number @p index of @p count, from early to late. */
const char *colour_of(uint32_t index, uint32_t count, char text[8]);

#endif
