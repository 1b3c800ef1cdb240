/* SPDX-License-Identifier: Apache-2.0 */
/* What the views have to be, straight from the picture: no tensor map, no walk, a loop for each. */
#include <stdlib.h>
#include <string.h>

#include "demo.h"

struct source {
	const struct demo_layout *layout;
	const uint8_t *pixels;
	const float *floats;
};

/* A pixel of the picture, or what is outside. */
static void put_pixel(const struct source *s, int64_t x, int64_t y, uint32_t outside, uint8_t *to)
{
	const struct demo_layout *l = s->layout;
	uint32_t i;

	if (x >= 0 && y >= 0 && x < l->width && y < l->height)
		memcpy(to, s->pixels + (size_t)y * l->pitch + 4 * (size_t)x, 4);
	else
		for (i = 0; i < 4; i++)
			to[i] = (uint8_t)(outside >> 8 * i);
}

static void put_tile(const struct source *s, int64_t x, int64_t y, uint8_t *to)
{
	uint32_t i, j;

	for (j = 0; j < DEMO_TILE; j++)
		for (i = 0; i < DEMO_TILE; i++)
			put_pixel(s, x + i, y + j, DEMO_OUTSIDE, to + 4 * (j * DEMO_TILE + i));
}

static void expect_tiles(const struct source *s, uint8_t *to)
{
	int64_t x, y;

	for (y = 0; y < s->layout->tiles_y; y++)
		for (x = 0; x < s->layout->tiles_x; x++, to += DEMO_SLOT_BYTES)
			put_tile(s, x * DEMO_TILE - DEMO_BORDER, y * DEMO_TILE - DEMO_BORDER, to);
}

/* Slots begin at multiples of 1024, so offsets in them have the bits of addresses that matter. */
static uint32_t swizzled(const struct demo_swizzle *swizzle, uint32_t offset)
{
	uint32_t line = offset >> 7;

	offset ^= (line & ((1u << swizzle->bits) - 1)) << swizzle->at;
	return swizzle->flip ? offset ^ (line & 1) << 3 : offset;
}

static void expect_swizzles(const struct source *s, uint8_t *to)
{
	const struct demo_swizzle *swizzle;
	uint32_t x, y;
	int32_t at[2];

	demo_swizzle_at(s->layout, at);
	for (swizzle = demo_swizzles; swizzle < demo_swizzles + DEMO_SWIZZLES;
	     swizzle++, to += DEMO_SLOT_BYTES)
		for (y = 0; y < DEMO_TILE; y++)
			for (x = 0; x < swizzle->pixels; x++)
				put_pixel(s, (int64_t)at[0] + x, (int64_t)at[1] + y, 0,
				          to + swizzled(swizzle, 4 * (y * swizzle->pixels + x)));
}

static void expect_multicast(const struct source *s, const struct tma_device_info *info, uint8_t *to)
{
	uint32_t tiles = s->layout->shots_x * s->layout->shots_y, cta, i;
	int32_t at[2];

	for (cta = 0; cta < info->ctas; cta++)
		for (i = 0; i < tiles; i++, to += DEMO_SLOT_BYTES) {
			demo_multicast_at(s->layout, i, at);
			if (demo_multicast_mask(info, i) >> cta & 1)
				put_tile(s, at[0], at[1], to);
			else
				memset(to, 0, DEMO_SLOT_BYTES);
		}
}

/* Tap by tap, the pixel of each step; behind the last step, the next image, which there is not. */
static void expect_im2col(const struct source *s, uint8_t *to)
{
	static const uint32_t outside[4] = { DEMO_OUTSIDE, DEMO_OUTSIDE, DEMO_OUTSIDE, DEMO_OUTSIDE };
	const struct demo_layout *l = s->layout;
	uint32_t tap, i;

	for (tap = 0; tap < DEMO_TAPS * DEMO_TAPS; tap++)
		for (i = 0; i < l->columns * DEMO_COLUMN; i++, to += sizeof(outside)) {
			int64_t x = (int64_t)(i % l->steps_x * DEMO_STEP + tap % DEMO_TAPS * DEMO_DILATION);
			int64_t y = (int64_t)(i / l->steps_x * DEMO_STEP + tap / DEMO_TAPS * DEMO_DILATION);

			x -= DEMO_DILATION;
			y -= DEMO_DILATION;
			if (i < l->steps_x * l->steps_y && x >= 0 && y >= 0 && x < l->crop_width &&
			    y < l->crop_height)
				memcpy(to, s->floats + 4 * ((size_t)y * l->crop_width + (size_t)x),
				       sizeof(outside));
			else
				memcpy(to, outside, sizeof(outside));
		}
}

static void expect_stored(const struct source *s, uint8_t *to)
{
	uint32_t y;

	for (y = 0; y < s->layout->height; y++)
		memcpy(to + (size_t)y * s->layout->pitch, s->pixels + (size_t)y * s->layout->pitch,
		       4 * s->layout->width);
}

int demo_expect_views(const struct demo_file *file, const struct tma_device_info *info, uint8_t *output)
{
	struct demo_layout layout;
	struct source source = { .layout = &layout };
	uint8_t *pixels;
	float *floats;

	demo_lay_out(&layout, file, info);
	source.pixels = pixels = demo_pixels(file, &layout);
	source.floats = floats = demo_floats(file, &layout);
	memset(output, DEMO_BLANK, layout.total);
	if (pixels && floats) {
		expect_tiles(&source, output + layout.offset[DEMO_TILES]);
		expect_swizzles(&source, output + layout.offset[DEMO_SWIZZLE]);
		expect_multicast(&source, info, output + layout.offset[DEMO_MULTICAST]);
		expect_im2col(&source, output + layout.offset[DEMO_IM2COL]);
		expect_stored(&source, output + layout.offset[DEMO_STORED]);
	}
	free(pixels);
	free(floats);
	return pixels && floats ? 0 : -1;
}
