/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is added up and counted: a sample of the picture, and exposures of it.
 *
 * An exposure is what a short look at the picture sees: each unit of light of each channel falls into one of
 * the exposures, by chance. So every one of them is grainy, and the sum of all is the picture.
 */
#include <stdlib.h>
#include <string.h>

#include "demo.h"

#define SAMPLE_WIDTH  256u
#define SAMPLE_HEIGHT 192u
#define SEED          UINT64_C(0x7472616D776179)

static uint32_t pieces_of(uint32_t size, uint32_t piece)
{
	return (size + piece - 1) / piece;
}

void demo_take_sample(struct demo_sample *s, const struct demo_file *file)
{
	uint32_t across = pieces_of(file->width, SAMPLE_WIDTH), down = pieces_of(file->height, SAMPLE_HEIGHT);

	s->step = across > down ? across : down;
	s->width = pieces_of(file->width, s->step);
	s->height = pieces_of(file->height, s->step);
	s->pixels = s->width * s->height;
	s->bytes = (4 * s->pixels + 15) & ~15u;
}

uint8_t *demo_sample_pixels(const struct demo_file *file, const struct demo_sample *s)
{
	uint8_t *bytes = calloc(1, s->bytes), *pixel = bytes;
	uint32_t x, y;

	if (!bytes)
		return NULL;
	for (y = 0; y < file->height; y += s->step)
		for (x = 0; x < file->width; x += s->step, pixel += 4) {
			memcpy(pixel, file->pixels + 3 * ((size_t)y * file->width + x), 3);
			pixel[3] = 255;
		}
	return bytes;
}

/* The next of a row of random numbers (splitmix64). */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

uint8_t *demo_exposures(const uint8_t *pixels, const struct demo_sample *s)
{
	uint8_t *exposures = calloc(DEMO_EXPOSURES, s->bytes);
	uint64_t state = SEED, random = 0;
	uint32_t i, unit;

	if (!exposures)
		return NULL;
	for (i = 0; i < s->bytes; i++)
		for (unit = 0; unit < pixels[i]; unit++) {
			/* A byte of each number for each unit. */
			random = unit % 8 ? random >> 8 : next_random(&state);
			exposures[random % DEMO_EXPOSURES * (size_t)s->bytes + i]++;
		}
	return exposures;
}

uint32_t demo_brightness(const uint8_t *pixel)
{
	return (77u * pixel[0] + 150u * pixel[1] + 29u * pixel[2]) >> 8;
}
