/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands under a picture: the arguments of its map, read back from the map that the copy has used, the call
 * with its operands, and how much of the copy is drawn.
 */
#include <inttypes.h>
#include <stdarg.h>

#include "pictures.h"
#include "tma_tables.h"

#define CAPTION_LINE 15u
#define INDENT       14u /* of a call's second line */

struct line {
	char text[200];
	size_t length;
};

static void __attribute__((format(printf, 2, 3))) add(struct line *l, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	l->length += (size_t)vsnprintf(l->text + l->length, sizeof(l->text) - l->length, format, arguments);
	va_end(arguments);
	if (l->length >= sizeof(l->text))
		give_up("a line of a caption is too long");
}

static void add_list(struct line *l, const char *name, const int64_t *values, uint32_t count)
{
	uint32_t i;

	add(l, "%s {", name);
	for (i = 0; i < count; i++)
		add(l, "%s%" PRId64, i ? ", " : " ", values[i]);
	add(l, " }");
}

/* Lists of the same, of any type. */
#define ADD_LIST(line, name, array, count)                          \
	do {                                                        \
		int64_t values_[5];                                 \
		uint32_t number_ = (count), entry_;                 \
                                                                    \
		for (entry_ = 0; entry_ < number_; entry_++)        \
			values_[entry_] = (int64_t)(array)[entry_]; \
		add_list((line), (name), values_, number_);         \
	} while (0)

/* The end of a line: it is drawn, and the next one begins. */
static void put_line(struct svg *svg, uint32_t x, uint32_t *y, struct line *l)
{
	put_code(svg, x, *y, l->text);
	*y += CAPTION_LINE;
	*l = (struct line){ .length = 0 };
}

static const char *encoder_of(const struct tma_map_info *info)
{
	if (info->kind == TMA_MAP_TILED)
		return "tma_map_encode_tiled";
	return info->wide == TMA_RAW_WIDE_NONE ? "tma_map_encode_im2col" : "tma_map_encode_im2col_wide";
}

/* Corners, pixels and channels of an im2col map. */
static void add_column(struct line *l, const struct tma_map_info *info)
{
	if (info->wide == TMA_RAW_WIDE_NONE) {
		ADD_LIST(l, "lower", info->lower, info->rank - 2);
		ADD_LIST(l, ", upper", info->upper, info->rank - 2);
	} else {
		add(l, "%s, lower %" PRId32 ", upper %" PRId32, info->wide == TMA_RAW_WIDE_W ? "W" : "W128",
		    info->lower[0], info->upper[0]);
	}
	add(l, ", %" PRIu32 " channels, %" PRIu32 " pixels", info->channels, info->pixels);
}

static void put_map(struct svg *svg, uint32_t x, uint32_t *y, const struct tma_map *map)
{
	static const char *const interleaves[] = { "none", "16B", "32B" };
	static const char *const swizzles[] = {
		[TMA_MAP_SWIZZLE_NONE] = "none",
		[TMA_MAP_SWIZZLE_32B] = "32B",
		[TMA_MAP_SWIZZLE_64B] = "64B",
		[TMA_MAP_SWIZZLE_96B] = "96B",
		[TMA_MAP_SWIZZLE_128B] = "128B",
		[TMA_MAP_SWIZZLE_128B_ATOM_32B] = "128B_ATOM_32B",
		[TMA_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B] = "128B_ATOM_32B_FLIP_8B",
		[TMA_MAP_SWIZZLE_128B_ATOM_64B] = "128B_ATOM_64B",
	};
	struct line l = { .length = 0 };
	struct tma_map_error error;
	struct tma_map_info info;

	must_encode(tma_map_decode(map, &info, &error), &error);
	if (info.type != TMA_MAP_DATA_UINT32)
		give_up("a caption knows UINT32 alone");
	add(&l, "%s(): UINT32, rank %" PRIu32, encoder_of(&info), info.rank);
	ADD_LIST(&l, ", dim", info.dim, info.rank);
	ADD_LIST(&l, ", strides", info.strides, info.rank - 1);
	put_line(svg, x, y, &l);
	if (info.kind == TMA_MAP_TILED)
		ADD_LIST(&l, "box", info.box, info.rank);
	else
		add_column(&l, &info);
	ADD_LIST(&l, ", element strides", info.element_strides, info.rank);
	put_line(svg, x + INDENT, y, &l);
	add(&l, "interleave %s, swizzle %s, fill %s", interleaves[info.interleave], swizzles[info.swizzle],
	    info.fill == TMA_MAP_FILL_ZERO ? "zero" : "NaN");
	put_line(svg, x + INDENT, y, &l);
}

static void add_call(struct line *l, const char *call, const struct copy *copy)
{
	const char *mode = tma_mode_name((uint8_t)copy->mode);
	bool rows = copy->mode == TMA_MODE_GATHER4 || copy->mode == TMA_MODE_SCATTER4;

	add(l, "%s(): %s, dim %" PRIu32, call, mode ? mode : "?", copy->dim);
	ADD_LIST(l, ", coord", copy->coord, rows ? 5 : copy->dim);
	if (copy->mode == TMA_MODE_IM2COL)
		ADD_LIST(l, ", im2col", copy->im2col, copy->dim - 2);
	if (copy->mode == TMA_MODE_IM2COL_W || copy->mode == TMA_MODE_IM2COL_W_128)
		ADD_LIST(l, ", im2col", copy->im2col, 2);
}

void put_load_caption(struct svg *svg, uint32_t x, uint32_t y, const struct copy *copy, uint32_t drawn,
                      const char *hidden)
{
	uint64_t bytes = tma_map_load_bytes(&copy->map, copy->mode, copy->im2col[0]);
	struct line l = { .length = 0 };

	if (drawn > bytes)
		give_up("more is drawn than the copy has");
	put_map(svg, x, &y, &copy->map);
	add_call(&l, "tma_cp_async_bulk_tensor_load", copy);
	put_line(svg, x, &y, &l);
	if (drawn == bytes)
		add(&l, "shown: all %" PRIu64 " bytes", bytes);
	else
		add(&l, "shown: %" PRIu32 " of %" PRIu64 " bytes", drawn, bytes);
	add(&l, "%s", hidden);
	put_line(svg, x, &y, &l);
}

void put_store_caption(struct svg *svg, uint32_t x, uint32_t y, const struct copy *copy, uint32_t behaviour,
                       const char *shown)
{
	struct line l = { .length = 0 };

	put_map(svg, x, &y, &copy->map);
	add(&l, "tma_set_behaviour(): %s",
	    behaviour == TMA_REG_BEHAVIOUR_STORE_GRANULE16_MASK ? "STORE_GRANULE16" : "0");
	put_line(svg, x, &y, &l);
	add_call(&l, "tma_cp_async_bulk_tensor_store", copy);
	put_line(svg, x, &y, &l);
	add(&l, "shown: %s", shown);
	put_line(svg, x, &y, &l);
}
