/* SPDX-License-Identifier: Apache-2.0 */
/* A canvas of pixels in memory, written as a PNG. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "canvas.h"

bool open_canvas(struct canvas *c, uint32_t width, uint32_t height)
{
	c->width = width;
	c->height = height;
	c->rgb = malloc(3 * (size_t)width * height);
	if (c->rgb)
		put_rectangle(c, 0, 0, width, height, PAPER);
	return c->rgb;
}

void put_square(struct canvas *c, uint32_t x, uint32_t y, uint32_t scale, const uint8_t rgb[3])
{
	uint32_t i, j;

	for (j = 0; j < scale; j++)
		for (i = 0; i < scale; i++)
			memcpy(c->rgb + 3 * ((size_t)(y + j) * c->width + x + i), rgb, 3);
}

void put_pixels(struct canvas *c, uint32_t x, uint32_t y, uint32_t scale, const uint8_t *pixels,
                uint32_t width, uint32_t height, size_t pitch)
{
	static const uint8_t empty[3] = { EMPTY >> 16, EMPTY >> 8 & 255, EMPTY & 255 };
	uint32_t i, j;

	for (j = 0; j < height; j++)
		for (i = 0; i < width; i++) {
			const uint8_t *pixel = pixels + j * pitch + 4 * i;

			put_square(c, x + i * scale, y + j * scale, scale, pixel[3] ? pixel : empty);
		}
}

void put_rectangle(struct canvas *c, uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint32_t colour)
{
	const uint8_t rgb[3] = { (uint8_t)(colour >> 16), (uint8_t)(colour >> 8), (uint8_t)colour };
	uint32_t i, j;

	for (j = 0; j < height; j++)
		for (i = 0; i < width; i++)
			put_square(c, x + i, y + j, 1, rgb);
}

int write_png(const struct canvas *c, const char *path)
{
	png_image image = { .version = PNG_IMAGE_VERSION, .width = c->width, .height = c->height };

	image.format = PNG_FORMAT_RGB;
	if (png_image_write_to_file(&image, path, 0, c->rgb, 0, NULL))
		return 0;
	fprintf(stderr, "tma_demo: %s: %s\n", path, image.message);
	return -1;
}
