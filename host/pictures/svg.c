/* SPDX-License-Identifier: Apache-2.0 */
/* SVG in whole numbers, so that the same picture has the same bytes everywhere. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "pictures.h"

void open_svg(struct svg *svg, const char *directory, const char *name, const char *title, uint32_t width,
              uint32_t height)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s.svg", directory, name);
	svg->file = fopen(path, "w");
	if (!svg->file) {
		fprintf(stderr, "tensor_pictures: %s: %s\n", path, strerror(errno));
		exit(1);
	}
	fprintf(svg->file,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" width=\"%u\" "
	        "font-family=\"Helvetica, Arial, sans-serif\">\n<title>%s</title>\n"
	        "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n",
	        width, height, width, title, width, height);
}

void close_svg(struct svg *svg)
{
	bool bad;

	fputs("</svg>\n", svg->file);
	bad = ferror(svg->file);
	if (!fclose(svg->file) && !bad)
		return;
	fprintf(stderr, "tensor_pictures: cannot be written: %s\n", strerror(errno));
	exit(1);
}

void put_text(struct svg *svg, uint32_t x, uint32_t y, uint32_t size, const char *anchor, const char *colour,
              const char *format, ...)
{
	va_list arguments;

	fprintf(svg->file, "<text x=\"%u\" y=\"%u\" font-size=\"%u\" text-anchor=\"%s\" fill=\"%s\">", x, y,
	        size, anchor, colour);
	va_start(arguments, format);
	vfprintf(svg->file, format, arguments);
	va_end(arguments);
	fputs("</text>\n", svg->file);
}

void put_box(struct svg *svg, uint32_t x, uint32_t y, uint32_t width, uint32_t height, const char *fill,
             const char *stroke)
{
	fprintf(svg->file, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"%s\" stroke=\"%s\"/>\n",
	        x, y, width, height, fill, stroke);
}

void put_outline(struct svg *svg, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
	fprintf(svg->file,
	        "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"none\" stroke=\"#e03131\" "
	        "stroke-width=\"2\" stroke-dasharray=\"6 4\"/>\n",
	        x, y, width, height);
}

const char *colour_of(uint32_t index, uint32_t count, char text[8])
{
	static const uint32_t stops[3][3] = { { 116, 192, 252 }, { 192, 235, 117 }, { 255, 192, 120 } };
	uint32_t last = count > 1 ? count - 1 : 1, place = 512 * index / last;
	uint32_t stop = place / 256 < 1 ? 0 : 1, part = place - 256 * stop, rgb[3], i;

	for (i = 0; i < 3; i++)
		rgb[i] = (stops[stop][i] * (256 - part) + stops[stop + 1][i] * part) / 256;
	snprintf(text, 8, "#%02x%02x%02x", rgb[0] & 255, rgb[1] & 255, rgb[2] & 255);
	return text;
}
