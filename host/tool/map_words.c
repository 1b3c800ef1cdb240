/* SPDX-License-Identifier: Apache-2.0 */
/* Names of what the fields of a map hold, and lists of numbers. */
#define _POSIX_C_SOURCE 200809L /* strcasecmp() */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "map.h"

/* As in the driver, without its prefixes. */
static const char *const types[] = { "uint8",        "uint16",       "uint32",        "int32",
	                             "uint64",       "int64",        "float16",       "float32",
	                             "float64",      "bfloat16",     "float32_ftz",   "tfloat32",
	                             "tfloat32_ftz", "16u4_align8b", "16u4_align16b", "16u6_align16b" };
static const char *const interleaves[] = { "none", "16B", "32B" };
static const char *const swizzles[] = {
	"none", "32B", "64B", "128B", "128B_atom_32B", "128B_atom_32B_flip_8B", "128B_atom_64B", "96B"
};
static const char *const promotions[] = { "none", "64B", "128B", "256B" };
static const char *const fills[] = { "zero", "nan" };
static const char *const kinds[] = { "tiled", "im2col", "im2col_w", "im2col_w_128" };
static const char *const targets[] = { "sm_90", "sm_100" };
static const char *const modes[] = { "tile",     "im2col",   "im2col_no_offs", "gather4",
	                             "scatter4", "im2col_w", "im2col_w_128" };

struct words {
	const char *const *names;
	uint32_t count;
};

#define WORDS(array)                                      \
	{                                                 \
		array, sizeof(array) / sizeof((array)[0]) \
	}

static const struct words fields[] = {
	[WORD_TYPE] = WORDS(types),       [WORD_INTERLEAVE] = WORDS(interleaves),
	[WORD_SWIZZLE] = WORDS(swizzles), [WORD_PROMOTION] = WORDS(promotions),
	[WORD_FILL] = WORDS(fills),       [WORD_KIND] = WORDS(kinds),
	[WORD_TARGET] = WORDS(targets),   [WORD_MODE] = WORDS(modes),
};

const char *map_word(enum map_word field, uint32_t value)
{
	return value < fields[field].count ? fields[field].names[value] : "?";
}

bool map_value(const char *tool, const char *option, enum map_word field, const char *name, uint32_t *value)
{
	const struct words *words = &fields[field];
	uint32_t i;

	for (i = 0; i < words->count; i++) {
		if (strcasecmp(name, words->names[i]))
			continue;
		*value = i;
		return true;
	}
	fprintf(stderr, "%s: %s %s: must be", tool, option, name);
	for (i = 0; i < words->count; i++)
		fprintf(stderr, "%s%s",
		        i == 0                  ? " "
		        : i + 1 == words->count ? " or "
		                                : ", ",
		        words->names[i]);
	fputc('\n', stderr);
	return false;
}

uint32_t map_kind(const struct tma_map_info *info)
{
	if (info->kind == TMA_MAP_TILED)
		return KIND_TILED;
	return info->wide == TMA_RAW_WIDE_W       ? KIND_IM2COL_W
	       : info->wide == TMA_RAW_WIDE_W_128 ? KIND_IM2COL_W_128
	                                          : KIND_IM2COL;
}

uint32_t map_element_bits(uint32_t type)
{
	switch (type) {
	case TMA_MAP_DATA_UINT8:
		return 8;
	case TMA_MAP_DATA_UINT16:
	case TMA_MAP_DATA_FLOAT16:
	case TMA_MAP_DATA_BFLOAT16:
		return 16;
	case TMA_MAP_DATA_UINT64:
	case TMA_MAP_DATA_INT64:
	case TMA_MAP_DATA_FLOAT64:
		return 64;
	case TMA_MAP_DATA_16U4_ALIGN8B:
	case TMA_MAP_DATA_16U4_ALIGN16B:
		return 4;
	case TMA_MAP_DATA_16U6_ALIGN16B:
		return 6;
	default:
		return 32;
	}
}

/* One number of a list. @return what stands behind it; NULL: it is none, or beyond its bounds */
static const char *one_number(const char *text, int64_t min, int64_t max, int64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoll(text, &end, cli_base(text + (*text == '-')));
	if (end == text || errno || *number < min || *number > max ||
	    !(*text == '-' || (*text >= '0' && *text <= '9')))
		return NULL;
	return end;
}

bool map_list(const char *tool, const char *option, const char *text, int64_t min, int64_t max, uint32_t most,
              int64_t *numbers, uint32_t *count)
{
	const char *at = text;

	for (*count = 0; *count < most; at++) {
		at = one_number(at, min, max, &numbers[*count]);
		if (!at)
			break;
		++*count;
		if (!*at)
			return true;
		if (*at != ',')
			break;
	}
	fprintf(stderr,
	        "%s: %s %s: must be 1 to %" PRIu32 " numbers from %" PRId64 " to %" PRId64
	        ", with commas between them\n",
	        tool, option, text, most, min, max);
	return false;
}
