/* SPDX-License-Identifier: Apache-2.0 */
/* map - what the parts of `tma map` share: words for a map's fields, maps in files, and their pictures. */
#ifndef TOOL_MAP_H
#define TOOL_MAP_H

#include "tool.h"

/* ---- Words (map_words.c) -------------------------------------------------------------------------- */

/* A field that has names for its values. */
enum map_word {
	WORD_TYPE,
	WORD_INTERLEAVE,
	WORD_SWIZZLE,
	WORD_PROMOTION,
	WORD_FILL,
	WORD_KIND,
	WORD_TARGET,
	WORD_MODE
};

/* Values of WORD_KIND. */
enum { KIND_TILED, KIND_IM2COL, KIND_IM2COL_W, KIND_IM2COL_W_128 };

/** Name of a value, "?" if it has none. */
const char *map_word(enum map_word field, uint32_t value);
/** Value of a name, capitals or not. False: there is no such name, which has been said as of @p option of @p tool. */
bool map_value(const char *tool, const char *option, enum map_word field, const char *name, uint32_t *value);

/** Kind of a decoded map, as WORD_KIND has it. */
uint32_t map_kind(const struct tma_map_info *info);
/** Bits of an element in global memory. */
uint32_t map_element_bits(uint32_t type);

/**
 * Numbers with commas between them.
 *
 * @param count  filled with how many there are, 1 to @p most
 * @return false: it is no such list, which has been said
 */
bool map_list(const char *tool, const char *option, const char *text, int64_t min, int64_t max, uint32_t most,
              int64_t *numbers, uint32_t *count);

/* ---- Files (map_file.c) --------------------------------------------------------------------------- */

/** Read 128 bytes, as they are or as hexadecimal digits, from a file; NULL and "-" are standard input.
 * @return 0, or the exit status; why has been said */
int map_read(const char *tool, const char *path, struct tma_map *map);
/** Write 128 bytes to a file, or in hexadecimal digits to standard output. @return as map_read() */
int map_write(const char *tool, const char *path, const struct tma_map *map);
/** Read, and decode. A map that breaks a rule is TOOL_FAIL. */
int map_read_legal(const char *tool, const char *path, struct tma_map_info *info);

/* ---- Pictures (map_place.c, map_draw.c, map_svg.c) ------------------------------------------------- */

#define MAP_LINE  128u /* bytes of shared memory in a line */
#define MAP_CHUNK 16u  /* in a cell */

/* Of a byte of shared memory. */
#define MAP_FILL      0u         /* outside the tensor */
#define MAP_UNTOUCHED UINT32_MAX /* not written */

/* A load that is drawn. */
struct map_copy {
	struct tma_map_info info;
	enum tma_mode mode;
	int32_t coord[5];
	uint16_t offset[3];
	uint32_t base; /* offset in shared memory, multiple of 128 */
	/* Filled by map_place(). */
	uint32_t bytes;    /* that the barrier is told of */
	uint32_t end;      /* offset behind the last byte that was written */
	uint32_t *origin;  /* of each byte from base to end: 1 + its place in a dense tensor */
	uint64_t dense[5]; /* bytes from element to element of that tensor */
};

/** Execute the load on the C model, with a tensor whose bytes tell their places. Free origin after it.
 * @return 0, or the exit status; why has been said */
int map_place(const char *tool, struct map_copy *copy);
/** Coordinates of the element with a byte of the dense tensor. */
void map_coordinates(const struct map_copy *copy, uint32_t origin, uint32_t at[5]);

/* What a cell shows. */
struct map_cell {
	char text[64];
	uint32_t origin; /* of its first byte */
};

/** Cell of the 16 bytes at an offset from base. */
struct map_cell map_cell(const struct map_copy *copy, uint32_t offset);
/** @return 0, or -1 with errno: it cannot be written */
int map_draw_svg(const struct map_copy *copy, uint32_t lines, const char *path);

/* ---- Sub-commands ------------------------------------------------------------------------------- */

int map_encode(int argc, char **argv);
int map_decode(int argc, char **argv);
int map_describe(int argc, char **argv);
int map_draw(int argc, char **argv);

extern const char map_encode_usage[], map_decode_usage[], map_describe_usage[], map_draw_usage[];

#endif
