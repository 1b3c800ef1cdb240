/* SPDX-License-Identifier: Apache-2.0 */
/* The pixels of a PPM: found in the file, and as the tensor copies find them in memory. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "demo.h"

#define MAX_EDGE 16384u

/* The next number of the header behind white space and comments. @return false: there is none */
static bool next_number(const struct demo_file *file, uint32_t *at, uint32_t *number)
{
	const uint8_t *bytes = file->bytes;
	uint64_t value = 0;
	bool digits = false;

	while (*at < file->size && (isspace(bytes[*at]) || bytes[*at] == '#'))
		if (bytes[(*at)++] == '#')
			while (*at < file->size && bytes[*at] != '\n')
				(*at)++;
	for (; *at < file->size && isdigit(bytes[*at]); digits = true) {
		value = value * 10 + (bytes[(*at)++] - '0');
		/* More than any picture has, however many digits follow. */
		if (value > UINT32_MAX)
			value = UINT32_MAX;
	}
	*number = (uint32_t)value;
	return digits;
}

const char *demo_find_pixels(struct demo_file *file)
{
	uint32_t at = 2, levels;

	file->pixels = NULL;
	if (file->size < 3 || memcmp(file->bytes, "P6", 2) ||
	    !(isspace(file->bytes[2]) || file->bytes[2] == '#'))
		return NULL;
	if (!next_number(file, &at, &file->width) || !next_number(file, &at, &file->height) ||
	    !next_number(file, &at, &levels) || at == file->size || !isspace(file->bytes[at]))
		return "begins as a PPM, but is none: the header must be P6, width, height and 255";
	if (levels != 255)
		return "a PPM must have 255 levels for each colour";
	if (!file->width || !file->height || file->width > MAX_EDGE || file->height > MAX_EDGE)
		return "a PPM must have 1 to 16,384 pixels in each direction";
	at++;
	if (file->size - at < (uint64_t)3 * file->width * file->height)
		return "the PPM ends before its last pixel";
	file->pixels = file->bytes + at;
	return NULL;
}

uint8_t *demo_pixels(const struct demo_file *file, const struct demo_layout *layout)
{
	uint8_t *bytes = malloc((size_t)layout->pitch * layout->height);
	uint32_t x, y;

	if (!bytes)
		return NULL;
	/* What lies between the last pixel of a row and the next row must not be moved. */
	memset(bytes, 0x3C, (size_t)layout->pitch * layout->height);
	for (y = 0; y < file->height; y++)
		for (x = 0; x < file->width; x++) {
			uint8_t *pixel = bytes + (size_t)y * layout->pitch + 4 * x;

			memcpy(pixel, file->pixels + 3 * ((size_t)y * file->width + x), 3);
			pixel[3] = 255;
		}
	return bytes;
}

float *demo_floats(const struct demo_file *file, const struct demo_layout *layout)
{
	float *floats = malloc((size_t)layout->crop_width * layout->crop_height * 4 * sizeof(*floats));
	uint32_t x, y, channel;

	if (!floats)
		return NULL;
	for (y = 0; y < layout->crop_height; y++)
		for (x = 0; x < layout->crop_width; x++) {
			size_t from = (size_t)(layout->crop_y + y) * file->width + layout->crop_x + x;
			float *to = floats + 4 * ((size_t)y * layout->crop_width + x);

			for (channel = 0; channel < 3; channel++)
				to[channel] = (float)file->pixels[3 * from + channel] / 255;
			to[3] = 1;
		}
	return floats;
}
