/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the views as PNG pictures, from the bytes that the engine has left in memory. */
#include <inttypes.h>
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

/* ---- Labelled pictures: a heading of two lines, then parts with two lines above and two below ---- */

#define GAP      24u /* around everything, and between parts */
#define LINE     (TEXT_HEIGHT + 6u)
#define HEADING  (2 * LINE + 12u)
#define ABOVE    (2 * LINE + 2u)
#define TO_BELOW 10u /* from what it shows to the labels below */
#define BELOW    (TO_BELOW + LINE + TEXT_HEIGHT)
#define LABEL    48u /* bytes of a text */
#define NUM_TEXT 4u

/* A part of a picture is as wide as what it shows, or as its widest label. */
struct part {
	char text[NUM_TEXT][LABEL];
	uint32_t width, height; /* of what it shows */
};

static uint32_t most(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint32_t part_width(const struct part *part)
{
	uint32_t width = part->width, i;

	for (i = 0; i < NUM_TEXT; i++)
		width = most(width, text_width(part->text[i]));
	return width;
}

static uint32_t part_height(const struct part *part)
{
	return ABOVE + part->height + BELOW;
}

static void put_heading(struct canvas *c, const char *const heading[2])
{
	put_text(c, GAP, GAP, TEXT_LEFT, INK, heading[0]);
	put_text(c, GAP, GAP + LINE, TEXT_LEFT, FAINT, heading[1]);
}

/* Its labels, if its upper left corner is at (x, y). @return the y of what it shows */
static uint32_t put_labels(struct canvas *c, uint32_t x, uint32_t y, const struct part *part)
{
	uint32_t below = y + ABOVE + part->height + TO_BELOW;

	put_text(c, x, y, TEXT_LEFT, INK, part->text[0]);
	put_text(c, x, y + LINE, TEXT_LEFT, FAINT, part->text[1]);
	put_text(c, x, below, TEXT_LEFT, FAINT, part->text[2]);
	put_text(c, x, below + LINE, TEXT_LEFT, FAINT, part->text[3]);
	return y + ABOVE;
}

/* A canvas for a heading and, below it, parts on an area of this size. */
static bool open_labelled(struct canvas *c, const char *const heading[2], uint32_t width, uint32_t height)
{
	width = most(width, most(text_width(heading[0]), text_width(heading[1])));
	if (!open_canvas(c, width + 2 * GAP, HEADING + height + 2 * GAP))
		return false;
	put_heading(c, heading);
	return true;
}

static void describe_swizzle(struct part *part, const struct demo_swizzle *swizzle, uint32_t scale)
{
	snprintf(part->text[0], LABEL, "%s", swizzle->name);
	snprintf(part->text[1], LABEL, "%s", swizzle->detail);
	snprintf(part->text[2], LABEL, "%u rows of", DEMO_TILE);
	snprintf(part->text[3], LABEL, "%" PRIu32 " bytes", 4 * swizzle->pixels);
	part->width = swizzle->pixels * scale;
	part->height = DEMO_TILE * scale;
}

static bool draw_swizzles(struct canvas *c, const uint8_t *bytes)
{
	static const char *const heading[2] = {
		"one tile as it lies in shared memory: unswizzled, and in each swizzle mode",
		"a square is a pixel of 4 bytes. rows are cut to what the mode takes. grey: outside the picture",
	};
	struct part parts[DEMO_SWIZZLES];
	const uint32_t scale = 6;
	uint32_t i, x = GAP, width = 0;

	for (i = 0; i < DEMO_SWIZZLES; i++) {
		describe_swizzle(&parts[i], &demo_swizzles[i], scale);
		width += part_width(&parts[i]) + (i ? GAP : 0);
	}
	if (!open_labelled(c, heading, width, part_height(&parts[0])))
		return false;
	for (i = 0; i < DEMO_SWIZZLES; i++, bytes += DEMO_SLOT_BYTES) {
		uint32_t pixels = demo_swizzles[i].pixels, y = put_labels(c, x, GAP + HEADING, &parts[i]);

		put_pixels(c, x, y, scale, bytes, pixels, DEMO_TILE, 4 * pixels);
		x += part_width(&parts[i]) + GAP;
	}
	return true;
}

/* A tile that a CTA did not get is zero; in one that it got a pixel has 255 or the NaN of the outside. */
static bool has_tile(const uint8_t *tile)
{
	return tile[3];
}

#define SHOT_SCALE 2u
#define SHOT_EDGE  (SHOT_SCALE * DEMO_TILE + 2u)

static void describe_cta(struct part *part, const struct demo_layout *l, uint32_t cta, const uint8_t *bytes)
{
	uint32_t tiles = l->shots_x * l->shots_y, got = 0, i;
	char number[27];

	for (i = 0; i < tiles; i++)
		got += has_tile(bytes + (size_t)i * DEMO_SLOT_BYTES);
	snprintf(part->text[0], LABEL, "CTA %" PRIu32, cta);
	snprintf(part->text[1], LABEL, "unswizzled");
	snprintf(part->text[2], LABEL, "%" PRIu32 " of %" PRIu32 " tiles", got, tiles);
	snprintf(part->text[3], LABEL, "%s bytes", demo_grouped((uint64_t)got * DEMO_SLOT_BYTES, number));
	part->width = l->shots_x * SHOT_EDGE - 2;
	part->height = l->shots_y * SHOT_EDGE - 2;
}

static void put_cta(struct canvas *c, uint32_t x, uint32_t y, const struct demo_layout *l,
                    const struct part *part, const uint8_t *bytes)
{
	uint32_t i;

	y = put_labels(c, x, y, part);
	for (i = 0; i < l->shots_x * l->shots_y; i++, bytes += DEMO_SLOT_BYTES)
		put_tile(c, x + i % l->shots_x * SHOT_EDGE, y + i / l->shots_x * SHOT_EDGE, SHOT_SCALE,
		         bytes);
}

/* CTA by CTA, in a square. */
static bool draw_multicast(struct canvas *c, const struct demo_layout *l, uint32_t ctas, const uint8_t *bytes)
{
	static const char *const heading[2] = {
		"multicast: a tile is read once, and written to several CTAs",
		"grey: not sent to this CTA. pink: outside the picture",
	};
	size_t cta_bytes = (size_t)l->shots_x * l->shots_y * DEMO_SLOT_BYTES;
	uint32_t across = 1, down, width = 0, height, cta;
	struct part part;

	while (across * across < ctas)
		across++;
	down = (ctas + across - 1) / across;
	for (cta = 0; cta < ctas; cta++) {
		describe_cta(&part, l, cta, bytes + cta * cta_bytes);
		width = most(width, part_width(&part));
	}
	height = part_height(&part);
	if (!open_labelled(c, heading, across * (width + GAP) - GAP, down * (height + GAP) - GAP))
		return false;
	for (cta = 0; cta < ctas; cta++, bytes += cta_bytes) {
		describe_cta(&part, l, cta, bytes);
		put_cta(c, GAP + cta % across * (width + GAP), GAP + HEADING + cta / across * (height + GAP),
		        l, &part, bytes);
	}
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
