/* SPDX-License-Identifier: Apache-2.0 */
/* Draws what reductions have left in memory: the sums beside what was added, and the counters as bars. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canvas.h"
#include "demo.h"

/* A box takes a sample of full size; a smaller one is drawn larger, as far as the box allows. */
#define BOX_WIDTH  256u
#define BOX_HEIGHT 192u
#define ACROSS     4u /* boxes of a row */
#define GAP        16u
#define MARGIN     32u
#define LINE       (TEXT_HEIGHT + 8u)
#define HEADING    (TEXT_HEIGHT + 14u)
#define ROW_GAP    24u
#define CAPTION    (8u + TEXT_HEIGHT) /* below a picture */
#define WIDTH      (2 * MARGIN + ACROSS * BOX_WIDTH + (ACROSS - 1) * GAP)

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* How large a pixel is in a box of `size` times the width and height. */
static uint32_t scale_of(const struct demo_sample *s, uint32_t size)
{
	return least(size * BOX_WIDTH / s->width, size * BOX_HEIGHT / s->height);
}

/* A sample in the middle of a box, which is as high as the sample needs. @return the y below it */
static uint32_t put_sample(struct canvas *c, uint32_t x, uint32_t y, uint32_t size, const uint8_t *pixels,
                           const struct demo_sample *s)
{
	uint32_t scale = scale_of(s, size);

	x += (size * BOX_WIDTH - scale * s->width) / 2;
	put_pixels(c, x, y, scale, pixels, s->width, s->height, 4 * (size_t)s->width);
	return y + scale * s->height;
}

/* ---- All-reduce ---- */

/* As bright as the sum of all will be; more than white is white. */
static void brighten(uint8_t *pixels, uint32_t bytes)
{
	uint32_t i;

	for (i = 0; i < bytes; i++)
		pixels[i] = (uint8_t)least(pixels[i] * DEMO_EXPOSURES, 255);
	/* A pixel whose last byte is zero would be an empty one. */
	for (i = 3; i < bytes; i += 4)
		pixels[i] = 255;
}

/* From the top of a row of boxes to what is below its captions. */
static uint32_t row_height(const struct demo_sample *s, uint32_t size)
{
	return scale_of(s, size) * s->height + CAPTION;
}

/* The exposures, each with its number and the CTA that holds it. @return the y below them */
static uint32_t put_exposures(struct canvas *c, uint32_t y, const uint8_t *exposures,
                              const struct demo_sample *s, uint32_t ctas)
{
	char text[64];
	uint32_t i;

	snprintf(text, sizeof(text), "%u exposures, drawn %u times as bright as they are", DEMO_EXPOSURES,
	         DEMO_EXPOSURES);
	put_text(c, MARGIN, y, TEXT_LEFT, INK, text);
	y += HEADING;
	for (i = 0; i < DEMO_EXPOSURES; i++) {
		uint32_t x = MARGIN + i % ACROSS * (BOX_WIDTH + GAP), below;

		below = put_sample(c, x, y, 1, exposures + (size_t)i * s->bytes, s);
		snprintf(text, sizeof(text), "%" PRIu32 ", in CTA %" PRIu32, i + 1, i % ctas);
		put_text(c, x + BOX_WIDTH / 2, below + 8, TEXT_CENTRE, FAINT, text);
		if (i % ACROSS == ACROSS - 1)
			y += row_height(s, 1) + ROW_GAP;
	}
	return y;
}

/* Up to two sums are twice as large. */
static uint32_t size_of_sums(uint32_t ports)
{
	return ports > 2 ? 1 : 2;
}

static void put_sums(struct canvas *c, uint32_t y, const uint8_t *sums, const struct demo_sample *s,
                     uint32_t ports)
{
	uint32_t size = size_of_sums(ports), width = size * BOX_WIDTH, across = ACROSS / size, port, below;
	uint32_t step = width + (WIDTH - 2 * MARGIN - across * width) / (across - 1);
	uint32_t x = ports > 1 ? MARGIN : (WIDTH - width) / 2;
	char text[64];

	put_text(c, MARGIN, y, TEXT_LEFT, INK,
	         "their sum, in the memory behind each port: multimem.cp.reduce.async.bulk add u32");
	y += HEADING;
	for (port = 0; port < ports; port++, x += step) {
		below = put_sample(c, x, y, size, sums + (size_t)port * s->bytes, s);
		snprintf(text, sizeof(text), "port %" PRIu32, port);
		put_text(c, x + width / 2, below + 8, TEXT_CENTRE, FAINT, text);
	}
}

static bool draw_allreduce(struct canvas *c, const struct demo_file *file, const struct demo_sample *s,
                           const struct tma_device_info *info, const uint8_t *sums)
{
	uint32_t height = 2 * MARGIN + 2 * HEADING + row_height(s, size_of_sums(info->ports));
	uint8_t *pixels = demo_sample_pixels(file, s), *exposures = pixels ? demo_exposures(pixels, s) : NULL;
	bool drawn;

	height += DEMO_EXPOSURES / ACROSS * (row_height(s, 1) + ROW_GAP);
	drawn = exposures && open_canvas(c, WIDTH, height);
	if (drawn) {
		brighten(exposures, DEMO_EXPOSURES * s->bytes);
		put_sums(c, put_exposures(c, MARGIN, exposures, s, info->ctas), sums, s, info->ports);
	}
	free(pixels);
	free(exposures);
	return drawn;
}

/* ---- Histogram ---- */

#define BAR_WIDTH  9u
#define BAR_STEP   11u
#define PLOT_WIDTH (DEMO_BINS * BAR_STEP - (BAR_STEP - BAR_WIDTH))
#define PLOT_LEFT  (WIDTH - MARGIN - PLOT_WIDTH)
#define PLOT_TOP   (MARGIN + HEADING)
#define PLOT_ROWS  320u
#define RAMP       14u /* height of the band of greys below the bars */

/* How many pixels are from one line to the next: 1, 2 or 5 with zeros, so that there are five lines at most. */
static uint32_t step_of(uint32_t most)
{
	uint32_t step = 1;

	while (most / step >= 5) {
		/* 1, 2, 5, 10: times two, but from 2 to 5. */
		uint32_t digit = step;

		while (digit >= 10)
			digit /= 10;
		step = digit == 2 ? step / 2 * 5 : step * 2;
	}
	return step;
}

static uint32_t rows_of(uint32_t count, uint32_t top)
{
	return (uint32_t)((uint64_t)count * PLOT_ROWS / top);
}

static void put_scale(struct canvas *c, uint32_t top, uint32_t step)
{
	uint32_t count;
	char text[27];

	for (count = 0; count <= top; count += step) {
		uint32_t y = PLOT_TOP + PLOT_ROWS - rows_of(count, top);

		put_rectangle(c, PLOT_LEFT - 8, y - 1, PLOT_WIDTH + 8, 2, count ? RULED : AXIS);
		/* The middle of the digits at the line. */
		put_text(c, PLOT_LEFT - 16, y - 7, TEXT_RIGHT, FAINT, demo_grouped(count, text));
	}
}

static void put_bars(struct canvas *c, const uint32_t counts[DEMO_BINS], uint32_t top)
{
	uint32_t bottom = PLOT_TOP + PLOT_ROWS, i;
	char text[8];

	for (i = 0; i < DEMO_BINS; i++) {
		uint32_t x = PLOT_LEFT + i * BAR_STEP, rows = rows_of(counts[i], top);
		uint32_t level = i * DEMO_LEVELS + DEMO_LEVELS / 2;

		/* A bin that is not empty shows. */
		if (counts[i] && !rows)
			rows = 1;
		put_rectangle(c, x, bottom - 1 - rows, BAR_WIDTH, rows, BAR);
		put_rectangle(c, x, bottom + 8, i + 1 < DEMO_BINS ? BAR_STEP : BAR_WIDTH, RAMP,
		              level * 0x010101u);
		if (i % 16)
			continue;
		snprintf(text, sizeof(text), "%" PRIu32, i * DEMO_LEVELS);
		put_text(c, x, bottom + RAMP + 16, i ? TEXT_CENTRE : TEXT_LEFT, FAINT, text);
	}
	put_text(c, WIDTH - MARGIN, bottom + RAMP + 16, TEXT_RIGHT, FAINT, "255");
}

/* The picture that was counted, and what there is to say about it. */
static void put_counted(struct canvas *c, const struct demo_sample *s, const uint8_t *picture,
                        uint32_t fullest)
{
	const char *plural = s->pixels == 1 ? "" : "s";
	uint32_t y = put_sample(c, MARGIN, PLOT_TOP, 1, picture, s) + 16;
	char number[27], text[64];

	put_text(c, MARGIN, MARGIN, TEXT_LEFT, INK, "picture");
	snprintf(text, sizeof(text), "%s pixel%s", demo_grouped(s->pixels, number), plural);
	put_text(c, MARGIN, y, TEXT_LEFT, FAINT, text);
	snprintf(text, sizeof(text), "%u bins of %u levels", DEMO_BINS, DEMO_LEVELS);
	put_text(c, MARGIN, y + LINE, TEXT_LEFT, FAINT, text);
	snprintf(text, sizeof(text), "fullest: %u to %u", fullest * DEMO_LEVELS,
	         fullest * DEMO_LEVELS + DEMO_LEVELS - 1);
	put_text(c, MARGIN, y + 2 * LINE, TEXT_LEFT, FAINT, text);
}

static bool draw_histogram(struct canvas *c, const struct demo_sample *s, const uint8_t *picture,
                           const uint8_t *counters)
{
	uint32_t counts[DEMO_BINS], fullest = 0, step, top, i;

	for (i = 0; i < DEMO_BINS; i++) {
		memcpy(&counts[i], counters + (size_t)i * DEMO_COUNTERS * 4, sizeof(counts[i]));
		if (counts[i] > counts[fullest])
			fullest = i;
	}
	step = step_of(counts[fullest]);
	top = counts[fullest] ? (counts[fullest] + step - 1) / step * step : 1;
	if (!open_canvas(c, WIDTH, PLOT_TOP + PLOT_ROWS + RAMP + 16 + TEXT_HEIGHT + MARGIN))
		return false;
	put_counted(c, s, picture, fullest);
	put_text(c, PLOT_LEFT, MARGIN, TEXT_LEFT, INK, "pixels by brightness: cp.reduce.async.bulk inc u32");
	put_scale(c, top, step);
	put_bars(c, counts, top);
	return true;
}

/* ---- Both ---- */

static int write_picture(struct canvas *c, bool drawn, const char *directory, enum demo_reduction reduction)
{
	char path[4096];
	int error = -1;

	snprintf(path, sizeof(path), "%s/%s.png", directory, demo_reduction_name(reduction));
	if (drawn)
		error = write_png(c, path);
	else
		fprintf(stderr, "tma_demo: not enough memory\n");
	free(c->rgb);
	return error;
}

int demo_draw_reductions(const struct demo_file *file, const struct demo_result *result,
                         const char *directory)
{
	const uint8_t *sums = result->global[DEMO_PASS_REDUCE];
	struct canvas c = { .rgb = NULL };
	struct demo_sample s;
	bool drawn;

	demo_take_sample(&s, file);
	drawn = draw_allreduce(&c, file, &s, &result->info, sums);
	if (write_picture(&c, drawn, directory, DEMO_ALLREDUCE))
		return -1;
	c.rgb = NULL;
	drawn = draw_histogram(&c, &s, sums, sums + (size_t)result->info.ports * s.bytes);
	return write_picture(&c, drawn, directory, DEMO_HISTOGRAM);
}
