/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the views as PNG pictures, from the bytes that the engine has left in memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canvas.h"
#include "demo.h"

static void put_tile(struct canvas *c, uint32_t x, uint32_t y, uint32_t scale, const uint8_t *tile)
{
	put_pixels(c, x, y, scale, tile, DEMO_TILE, DEMO_TILE, 4 * DEMO_TILE);
}

/* ---- The views; each draws what it finds at `bytes` ---- */

static bool draw_tiles(struct canvas *c, const struct demo_layout *l, const uint8_t *bytes)
{
	const uint32_t scale = l->tiles_x * l->tiles_y < 400 ? 2 : 1, gap = 3 * scale;
	const uint32_t step = scale * DEMO_TILE + gap;
	uint32_t x, y;

	if (!open_canvas(c, l->tiles_x * step + gap, l->tiles_y * step + gap))
		return false;
	for (y = 0; y < l->tiles_y; y++)
		for (x = 0; x < l->tiles_x; x++, bytes += DEMO_SLOT_BYTES)
			put_tile(c, gap + x * step, gap + y * step, scale, bytes);
	return true;
}

static bool draw_swizzles(struct canvas *c, const uint8_t *bytes)
{
	const uint32_t scale = 6, gap = 24;
	uint32_t i, x = gap, width = gap;

	for (i = 0; i < DEMO_SWIZZLES; i++)
		width += demo_swizzles[i].pixels * scale + gap;
	if (!open_canvas(c, width, DEMO_TILE * scale + 2 * gap))
		return false;
	for (i = 0; i < DEMO_SWIZZLES; i++, bytes += DEMO_SLOT_BYTES) {
		uint32_t pixels = demo_swizzles[i].pixels;

		put_pixels(c, x, gap, scale, bytes, pixels, DEMO_TILE, 4 * pixels);
		x += pixels * scale + gap;
	}
	return true;
}

/* CTA by CTA, in a square. */
static bool draw_multicast(struct canvas *c, const struct demo_layout *l, uint32_t ctas, const uint8_t *bytes)
{
	const uint32_t scale = 2, gap = 24, edge = scale * DEMO_TILE + 2, tiles = l->shots_x * l->shots_y;
	const uint32_t step_x = l->shots_x * edge + gap, step_y = l->shots_y * edge + gap;
	uint32_t across = 1, cta, i;

	while (across * across < ctas)
		across++;
	if (!open_canvas(c, across * step_x + gap, (ctas + across - 1) / across * step_y + gap))
		return false;
	for (cta = 0; cta < ctas; cta++)
		for (i = 0; i < tiles; i++, bytes += DEMO_SLOT_BYTES)
			put_tile(c, gap + cta % across * step_x + i % l->shots_x * edge,
			         gap + cta / across * step_y + i / l->shots_x * edge, scale, bytes);
	return true;
}

/* Four floats from 0 to 1 into a pixel; the NaN of the outside is that pattern itself. */
static void pixel_of(const uint8_t *floats, uint8_t rgb[3])
{
	float channels[3];
	uint32_t i, word;

	memcpy(&word, floats, sizeof(word));
	memcpy(channels, floats, sizeof(channels));
	for (i = 0; i < 3; i++)
		rgb[i] =
			word == DEMO_OUTSIDE ? (uint8_t)(word >> 8 * i) : (uint8_t)(channels[i] * 255 + 0.5f);
}

static bool draw_im2col(struct canvas *c, const struct demo_layout *l, const uint8_t *bytes)
{
	const uint32_t scale = 4, gap = 12, step_x = l->steps_x * scale + gap,
		       step_y = l->steps_y * scale + gap;
	uint32_t tap, i;

	if (!open_canvas(c, DEMO_TAPS * step_x + gap, DEMO_TAPS * step_y + gap))
		return false;
	for (tap = 0; tap < DEMO_TAPS * DEMO_TAPS; tap++, bytes += (size_t)l->columns * DEMO_SLOT_BYTES)
		for (i = 0; i < l->steps_x * l->steps_y; i++) {
			uint8_t rgb[3];

			pixel_of(bytes + 16 * (size_t)i, rgb);
			put_square(c, gap + tap % DEMO_TAPS * step_x + i % l->steps_x * scale,
			           gap + tap / DEMO_TAPS * step_y + i / l->steps_x * scale, scale, rgb);
		}
	return true;
}

static bool draw_stored(struct canvas *c, const struct demo_layout *l, const uint8_t *bytes)
{
	if (!open_canvas(c, l->width, l->height))
		return false;
	put_pixels(c, 0, 0, 1, bytes, l->width, l->height, l->pitch);
	return true;
}

static bool draw(struct canvas *c, enum demo_view view, const struct demo_layout *l, uint32_t ctas,
                 const uint8_t *bytes)
{
	switch (view) {
	case DEMO_TILES:
		return draw_tiles(c, l, bytes);
	case DEMO_SWIZZLE:
		return draw_swizzles(c, bytes);
	case DEMO_MULTICAST:
		return draw_multicast(c, l, ctas, bytes);
	case DEMO_IM2COL:
		return draw_im2col(c, l, bytes);
	default:
		return draw_stored(c, l, bytes);
	}
}

int demo_draw(const struct demo_file *file, const struct demo_result *result, const char *directory)
{
	struct demo_layout layout;
	enum demo_view view;
	char path[4096];
	int error = 0;

	demo_lay_out(&layout, file, &result->info);
	for (view = 0; !error && view < DEMO_VIEWS; view++) {
		const uint8_t *bytes = result->global[DEMO_PASS_TENSOR] + layout.offset[view];
		struct canvas canvas;

		snprintf(path, sizeof(path), "%s/%s.png", directory, demo_view_name(view));
		if (draw(&canvas, view, &layout, result->info.ctas, bytes)) {
			error = write_png(&canvas, path);
		} else {
			fprintf(stderr, "tma_demo: not enough memory\n");
			error = -1;
		}
		free(canvas.rgb);
	}
	return error;
}
