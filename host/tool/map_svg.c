/* SPDX-License-Identifier: Apache-2.0 */
/* The picture of `tma map draw` as SVG: elements of the box in colours from first to last. */
#include <inttypes.h>
#include <string.h>

#include "map.h"
#include "svg.h"

#define MARGIN 24u
#define HEAD   56u
#define LABEL  56u /* width of the offsets */
#define HIGH   22u
#define CHUNKS (MAP_LINE / MAP_CHUNK)

/* First and last place that a byte comes from: their distance has all colours. */
static void bounds_of(const struct map_copy *copy, uint32_t bytes, uint32_t *first, uint32_t *last)
{
	uint32_t i;

	*first = UINT32_MAX;
	*last = 0;
	for (i = 0; i < bytes; i += MAP_CHUNK) {
		uint32_t origin = copy->origin[i];

		if (origin == MAP_FILL || origin == MAP_UNTOUCHED)
			continue;
		*first = origin < *first ? origin : *first;
		*last = origin > *last ? origin : *last;
	}
}

int map_draw_svg(const struct map_copy *copy, uint32_t lines, const char *path)
{
	uint32_t all = (copy->end - copy->base + MAP_LINE - 1) / MAP_LINE, shown = all < lines ? all : lines;
	uint32_t wide = 14 + 14 * copy->info.rank, line, chunk, first, last;
	FILE *file = fopen(path, "w");
	struct svg svg;

	if (!file)
		return -1;
	wide = wide < 44 ? 44 : wide;
	bounds_of(copy, shown * MAP_LINE, &first, &last);
	begin_svg(&svg, file, "Shared memory behind a tensor load", LABEL + CHUNKS * wide + 2 * MARGIN,
	          HEAD + shown * HIGH + 2 * MARGIN);
	put_text(&svg, MARGIN, MARGIN + 14, 14, "start", "#212529",
	         "%s, %" PRIu32 " bytes; 16 bytes in a cell", map_word(WORD_MODE, copy->mode), copy->bytes);
	for (chunk = 0; chunk < CHUNKS; chunk++)
		put_text(&svg, MARGIN + LABEL + chunk * wide + wide / 2, MARGIN + HEAD - 8, 10, "middle",
		         "#868e96", "%u", chunk * MAP_CHUNK);
	for (line = 0; line < shown; line++) {
		uint32_t y = MARGIN + HEAD + line * HIGH;

		put_text(&svg, MARGIN + LABEL - 8, y + 15, 10, "end", "#868e96", "%" PRIu32,
		         copy->base + line * MAP_LINE);
		for (chunk = 0; chunk < CHUNKS; chunk++) {
			struct map_cell cell = map_cell(copy, line * MAP_LINE + chunk * MAP_CHUNK);
			uint32_t x = MARGIN + LABEL + chunk * wide;
			char colour[8] = "#f1f3f5";

			if (cell.origin == MAP_UNTOUCHED)
				memcpy(colour, "#ffffff", 8);
			else if (cell.origin != MAP_FILL)
				colour_of((cell.origin - first) / MAP_CHUNK, (last - first) / MAP_CHUNK + 1,
				          colour);
			put_box(&svg, x, y, wide, HIGH, colour, "#adb5bd");
			put_text(&svg, x + wide / 2, y + 15, 10, "middle", "#212529", "%s", cell.text);
		}
	}
	return end_svg(&svg);
}
