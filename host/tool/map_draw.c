/* SPDX-License-Identifier: Apache-2.0 */
/* tma map draw - shared memory behind a load of a map's box, in text. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "map.h"

#define TOOL   "tma map draw"
#define CHUNKS (MAP_LINE / MAP_CHUNK)

const char map_draw_usage[] =
	"usage: tma map draw [--coord N,..] [--mode M] [--offsets N,..] [--base N] [--lines N] [--svg FILE] [FILE]\n"
	"\n"
	"Has the C model load the box of a map, and draws where its elements land in shared memory: 128 bytes in a\n"
	"line, 16 in a cell. A cell shows the coordinates of the element that its first byte belongs to.\n"
	"\n"
	"  --coord N,..    of the copy, fastest dimension first; default: 0 each, of im2col where the window begins;\n"
	"                  of gather4 a column and four rows, default 0,0,1,2,3\n"
	"  --mode M        tile, gather4, im2col, im2col_w or im2col_w_128; default: what the map is for\n"
	"  --offsets N,..  im2col: of each spatial dimension; im2col_w, im2col_w_128: wHalo, wOffset; default 0\n"
	"  --base N        offset in shared memory, a multiple of 128, default 0\n"
	"  --lines N       at most, default 64\n"
	"  --svg FILE      draw it there instead\n"
	"\n"
	"Marks: .. outside the tensor, filled; + behind an element: the cell ends in fill; ~: the halves of the cell\n"
	"have changed places; - is not written.\n"
	"\n"
	"Exit status: 0 it is drawn, 1 the map is illegal or the copy faults, 2 a wrong option or file.\n";

struct words {
	const char *coord, *mode, *offsets, *svg;
	uint64_t base, lines;
};

struct map_cell map_cell(const struct map_copy *copy, uint32_t offset)
{
	const uint32_t *origin = copy->origin + offset;
	struct map_cell cell = { .text = "-", .origin = origin[0] };
	uint32_t at[5], i, used = 0;
	bool fill = false;

	if (origin[0] == MAP_UNTOUCHED)
		return cell;
	for (i = 0; i < MAP_CHUNK; i++)
		fill = fill || origin[i] == MAP_FILL;
	if (origin[0] == MAP_FILL) {
		snprintf(cell.text, sizeof(cell.text), "..");
		return cell;
	}
	map_coordinates(copy, origin[0], at);
	for (i = 0; i < copy->info.rank; i++)
		used += (uint32_t)snprintf(cell.text + used, sizeof(cell.text) - used, "%s%" PRIu32,
		                           i ? "," : "", at[i]);
	snprintf(cell.text + used, sizeof(cell.text) - used, "%s%s",
	         origin[8] < origin[0] && !fill ? "~" : "", fill ? "+" : "");
	return cell;
}

/* Width of the widest cell. */
static int cell_width(const struct map_copy *copy, uint32_t bytes)
{
	int width = 2, length;
	uint32_t offset;

	for (offset = 0; offset < bytes; offset += MAP_CHUNK) {
		length = (int)strlen(map_cell(copy, offset).text);
		width = length > width ? length : width;
	}
	return width;
}

static void draw_text(const struct map_copy *copy, uint32_t lines)
{
	uint32_t all = (copy->end - copy->base + MAP_LINE - 1) / MAP_LINE, line, chunk;
	uint32_t shown = all < lines ? all : lines;
	int width = cell_width(copy, shown * MAP_LINE);

	printf("%s, %" PRIu32 " bytes; shared memory, 16 bytes in a cell:\n%-7s",
	       map_word(WORD_MODE, copy->mode), copy->bytes, "");
	for (chunk = 0; chunk < CHUNKS; chunk++)
		printf(" %*u", width, chunk * MAP_CHUNK);
	for (line = 0; line < shown; line++) {
		printf("\n%-7" PRIu32, copy->base + line * MAP_LINE);
		for (chunk = 0; chunk < CHUNKS; chunk++)
			printf(" %*s", width, map_cell(copy, line * MAP_LINE + chunk * MAP_CHUNK).text);
	}
	putchar('\n');
	if (shown < all)
		printf("and %" PRIu32 " lines more; --lines\n", all - shown);
}

/* Modes that load, of the map's kind. */
static bool take_mode(const char *text, struct map_copy *copy)
{
	static const enum tma_mode modes[] = { TMA_MODE_TILE, TMA_MODE_IM2COL, TMA_MODE_IM2COL_W,
		                               TMA_MODE_IM2COL_W_128 };
	uint32_t mode;

	copy->mode = modes[map_kind(&copy->info)];
	if (!text)
		return true;
	if (!map_value(TOOL, "--mode", WORD_MODE, text, &mode))
		return false;
	if (mode == copy->mode || (mode == TMA_MODE_GATHER4 && copy->mode == TMA_MODE_TILE)) {
		copy->mode = (enum tma_mode)mode;
		return true;
	}
	fprintf(stderr, TOOL ": --mode %s: is no load of a map of kind %s\n", text,
	        map_word(WORD_KIND, map_kind(&copy->info)));
	return false;
}

static bool take_coord(const char *text, struct map_copy *copy)
{
	const struct tma_map_info *info = &copy->info;
	bool gather = copy->mode == TMA_MODE_GATHER4;
	uint32_t needed = gather ? 5 : info->rank, count, i;
	int64_t numbers[5];

	/* Where a walk may begin. Spatial dimensions are the first with interleave, else behind the channels. */
	for (i = 0; info->kind == TMA_MAP_IM2COL && i < (info->wide ? 1 : info->rank - 2); i++)
		copy->coord[info->interleave ? i : i + 1] = info->lower[i];
	for (i = 2; gather && i < 5; i++)
		copy->coord[i] = (int32_t)i - 1;
	if (!text)
		return true;
	if (!map_list(TOOL, "--coord", text, INT32_MIN, INT32_MAX, 5, numbers, &count))
		return false;
	if (count != needed) {
		fprintf(stderr, TOOL ": --coord %s: must be %" PRIu32 " numbers\n", text, needed);
		return false;
	}
	for (i = 0; i < count; i++)
		copy->coord[i] = (int32_t)numbers[i];
	return true;
}

static bool take_offsets(const char *text, struct map_copy *copy)
{
	const struct tma_map_info *info = &copy->info;
	uint32_t needed = info->wide ? 2 : info->rank - 2, count, i;
	int64_t numbers[5];

	if (!text)
		return true;
	if (info->kind == TMA_MAP_TILED)
		return cli_refuse(TOOL, "--offsets", "tiled maps have none"), false;
	if (!map_list(TOOL, "--offsets", text, 0, UINT16_MAX, 3, numbers, &count))
		return false;
	if (count != needed) {
		fprintf(stderr, TOOL ": --offsets %s: must be %" PRIu32 " numbers\n", text, needed);
		return false;
	}
	for (i = 0; i < count; i++)
		copy->offset[i] = (uint16_t)numbers[i];
	return true;
}

static int draw(const struct words *w, struct map_copy *copy)
{
	if (w->base % MAP_LINE)
		return cli_refuse(TOOL, "--base", "must be a multiple of 128");
	copy->base = (uint32_t)w->base;
	if (!take_mode(w->mode, copy) || !take_coord(w->coord, copy) || !take_offsets(w->offsets, copy))
		return TOOL_USAGE;
	int status = map_place(TOOL, copy);

	if (status)
		return status;
	if (w->svg && map_draw_svg(copy, (uint32_t)w->lines, w->svg))
		return cli_refuse(TOOL, w->svg, strerror(errno));
	if (!w->svg)
		draw_text(copy, (uint32_t)w->lines);
	return cli_end(TOOL, TOOL_PASS);
}

int map_draw(int argc, char **argv)
{
	struct words w = { .lines = 64 };
	const struct cli_option options[] = {
		{ .name = "coord", .kind = CLI_TEXT, .to = &w.coord },
		{ .name = "mode", .kind = CLI_TEXT, .to = &w.mode },
		{ .name = "offsets", .kind = CLI_TEXT, .to = &w.offsets },
		{ .name = "base", .kind = CLI_NUMBER, .to = &w.base, .max = 232448 - 128 },
		{ .name = "lines", .kind = CLI_NUMBER, .to = &w.lines, .min = 1, .max = 4096 },
		{ .name = "svg", .kind = CLI_TEXT, .to = &w.svg },
	};
	const struct cli cli = { TOOL, map_draw_usage, options, sizeof(options) / sizeof(options[0]) };
	struct map_copy copy = { .origin = NULL };
	int first, status = cli_parse(&cli, argc, argv, &first);

	if (status != CLI_GO_ON)
		return status;
	if (first + 1 < argc)
		return cli_refuse(TOOL, argv[first + 1], "one file at a time");
	status = map_read_legal(TOOL, argv[first], &copy.info);
	if (!status)
		status = draw(&w, &copy);
	free(copy.origin);
	return status;
}
