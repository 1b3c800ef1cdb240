/* SPDX-License-Identifier: Apache-2.0 */
/* The few shapes that the pictures are made of. */
#include <stdarg.h>

#include "cli.h"
#include "svg.h"

void begin_svg(struct svg *svg, FILE *file, const char *title, uint32_t width, uint32_t height)
{
	svg->file = file;
	fprintf(svg->file,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" width=\"%u\" "
	        "font-family=\"Helvetica, Arial, sans-serif\">\n<title>%s</title>\n"
	        "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n",
	        width, height, width, title, width, height);
}

int end_svg(struct svg *svg)
{
	fputs("</svg>\n", svg->file);
	return cli_close(svg->file);
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

void put_code(struct svg *svg, uint32_t x, uint32_t y, const char *text)
{
	fprintf(svg->file,
	        "<text x=\"%u\" y=\"%u\" font-size=\"11\" font-family=\"Menlo, Consolas, monospace\" "
	        "fill=\"#495057\">%s</text>\n",
	        x, y, text);
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
