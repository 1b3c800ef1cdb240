/* SPDX-License-Identifier: Apache-2.0 */
/* Writes text onto a canvas, in letters of its own: each as wide as it is, two pixels for a dot. */
#include <string.h>

#include "canvas.h"

#define CELL  6u /* dots from one drawing of a letter to the next */
#define ROWS  9u /* dots: seven above the line, two below */
#define SPACE 3u
#define SCALE 2u

_Static_assert(TEXT_HEIGHT == ROWS * SCALE, "the header says how high a line is");

static const struct band {
	const char *letters;
	const char *rows[ROWS];
} bands[] = {
	{ "abcdefghijklm",
	  { "......#...............#.........##........#.....#.......#...#.....#...........",
	    "......#...............#........#..........#.................#.....#...........",
	    ".###..####...###...####..###..####...####.####..#.......#...#..#..#.....####..",
	    "....#.#...#.#...#.#...#.#...#..#....#...#.#...#.#.......#...#.#...#.....#.#.#.",
	    ".####.#...#.#.....#...#.#####..#....#...#.#...#.#.......#...##....#.....#.#.#.",
	    "#...#.#...#.#...#.#...#.#......#....#...#.#...#.#.......#...#.#...#.....#.#.#.",
	    ".####.####...###...####..###...#.....####.#...#.#.......#...#..#...#....#.#.#.",
	    "........................................#...............#.....................",
	    ".....................................###..............##......................" } },
	{ "nopqrstuvwxyz",
	  { ".....................................#........................................",
	    ".....................................#........................................",
	    "####...###..####...####.#.##...####.####..#...#.#...#.#...#.#...#.#...#.#####.",
	    "#...#.#...#.#...#.#...#.##....#......#....#...#.#...#.#.#.#..#.#..#...#....#..",
	    "#...#.#...#.#...#.#...#.#......###...#....#...#.#...#.#.#.#...#...#...#...#...",
	    "#...#.#...#.#...#.#...#.#.........#..#....#...#..#.#..#.#.#..#.#..#...#..#....",
	    "#...#..###..####...####.#.....####....##...####...#....#.#..#...#..####.#####.",
	    "............#.........#...............................................#.......",
	    "............#.........#............................................###........" } },
	{ "0123456789ACT",
	  { ".###...#.....###...###.....#..#####..###..#####..###...###...###...###..#####.",
	    "#...#.##....#...#.#...#...##..#.....#.........#.#...#.#...#.#...#.#...#...#...",
	    "#...#..#........#.....#..#.#..####..#........#..#...#.#...#.#...#.#.......#...",
	    "#...#..#.......#....##..#..#......#.####.....#...###...####.#####.#.......#...",
	    "#...#..#......#.......#.#####.....#.#...#...#...#...#.....#.#...#.#.......#...",
	    "#...#..#.....#....#...#....#..#...#.#...#...#...#...#.....#.#...#.#...#...#...",
	    ".###..###...#####..###.....#...###...###....#....###...###..#...#..###....#...",
	    "..............................................................................",
	    ".............................................................................." } },
	{ ",.:B",
	  { "..................####..", "..................#...#.", "..................#...#.",
	    "............#.....####..", "..................#...#.", ".#................#...#.",
	    ".#....#.....#.....####..", "#.......................", "........................" } },
};

#define NUM_BANDS (sizeof(bands) / sizeof(bands[0]))

/* Where a letter is drawn. @return its band, NULL: it is not; *column is its first dot */
static const struct band *find(char letter, uint32_t *column)
{
	size_t i;

	for (i = 0; i < NUM_BANDS; i++) {
		const char *found = strchr(bands[i].letters, letter);

		if (found) {
			*column = CELL * (uint32_t)(found - bands[i].letters);
			return &bands[i];
		}
	}
	return NULL;
}

/* Dots that a letter is wide. One that is not drawn is a space. */
static uint32_t dots_of(char letter)
{
	uint32_t column, x, row, width = 0;
	const struct band *band = find(letter, &column);

	if (!band)
		return SPACE;
	for (row = 0; row < ROWS; row++)
		for (x = width; x < CELL; x++)
			if (band->rows[row][column + x] == '#')
				width = x + 1;
	return width;
}

uint32_t text_width(const char *text)
{
	uint32_t dots = 0;

	for (; *text; text++)
		dots += dots_of(*text) + (text[1] != '\0');
	return SCALE * dots;
}

static void put_letter(struct canvas *c, uint32_t x, uint32_t y, uint32_t colour, char letter)
{
	uint32_t column, row, i;
	const struct band *band = find(letter, &column);

	for (row = 0; band && row < ROWS; row++)
		for (i = 0; i < CELL; i++)
			if (band->rows[row][column + i] == '#')
				put_rectangle(c, x + SCALE * i, y + SCALE * row, SCALE, SCALE, colour);
}

void put_text(struct canvas *c, uint32_t x, uint32_t y, enum text_align align, uint32_t colour,
              const char *text)
{
	if (align == TEXT_CENTRE)
		x -= text_width(text) / 2;
	if (align == TEXT_RIGHT)
		x -= text_width(text);
	for (; *text; text++) {
		put_letter(c, x, y, colour, *text);
		x += SCALE * (dots_of(*text) + 1);
	}
}
