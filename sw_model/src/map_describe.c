/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor maps in words. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "map_priv.h"
#include "tma_tables.h"

/* A text that grows, as snprintf() would write it: length counts what did not fit, too. */
struct text {
	char *bytes;
	size_t room, length;
};

static void __attribute__((format(printf, 2, 3))) add(struct text *t, const char *format, ...)
{
	size_t used = t->length < t->room ? t->length : t->room;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(t->bytes ? t->bytes + used : NULL, t->room - used, format, args);
	va_end(args);
	t->length += (size_t)length;
}

static const char *const types[] = {
	"UINT8",
	"UINT16",
	"UINT32",
	"INT32",
	"UINT64",
	"INT64",
	"FLOAT16",
	"FLOAT32",
	"FLOAT64",
	"BFLOAT16",
	"FLOAT32_FTZ",
	"TFLOAT32",
	"TFLOAT32_FTZ",
	"16U4_ALIGN8B",
	"16U4_ALIGN16B",
	"16U6_ALIGN16B",
	[MAP_NO_TYPE] = "no type",
};
static const char *const swizzles[] = {
	"none",          "32B",           "64B",
	"128B",          "128B_ATOM_32B", "128B_ATOM_32B_FLIP_8B",
	"128B_ATOM_64B", "96B",           [MAP_NO_SWIZZLE] = "no legal one",
};
static const char *const interleaves[] = { "none", "16B", "32B", "no legal one" };
static const char *const promotions[] = { "none", "64B", "128B", "256B" };
static const char *const kinds[] = { "im2col", "im2col::w", "im2col::w::128", "im2col" };

/* Names of the dimensions of images; a tiled map's have none. Interleave puts the channels, counted in
 * slices, in front of the images. */
static const char *dimension_name(const struct tma_map_info *info, uint32_t i)
{
	static const char *const spatial[] = { "W", "H", "D" };
	bool interleaved = info->interleave != TMA_MAP_INTERLEAVE_NONE;

	if (info->kind != TMA_MAP_IM2COL || info->rank < 3 || info->rank > TMA_MAP_MAX_RANK)
		return "";
	if (i == info->rank - 1)
		return "N";
	if (i == (interleaved ? info->rank - 2 : 0))
		return "C";
	return spatial[interleaved ? i : i - 1];
}

/* "2" or, of types that do not fill bytes, "4 bits". */
static void element_pitch(const struct tma_map_info *info, char *text, size_t size)
{
	uint32_t bits = map_type_bits(info->type);

	if (map_slice(info->interleave))
		snprintf(text, size, "%" PRIu32, map_slice(info->interleave));
	else
		snprintf(text, size, bits % 8 ? "%" PRIu32 " bits" : "%" PRIu32, bits % 8 ? bits : bits / 8);
}

/* The window that the first pixel of a column, and every one before offsets, lies in. */
static void add_window(struct text *t, const struct tma_map_info *info, uint32_t i)
{
	struct map_spatial spatial = map_spatial(info);

	if (i < spatial.first || i - spatial.first >= spatial.count)
		return;
	add(t, "  %" PRId32 " to %" PRId64, info->lower[i - spatial.first],
	    (int64_t)info->dim[i] - 1 + info->upper[i - spatial.first]);
}

static void add_dimensions(struct text *t, const struct tma_map_info *info)
{
	bool tiled = info->kind == TMA_MAP_TILED;
	char pitch[16];

	add(t, "  dimension        size  stride in bytes  element stride  %s\n", tiled ? " box" : "window");
	for (uint32_t i = 0; i < info->rank && i < TMA_MAP_MAX_RANK; i++) {
		if (i)
			snprintf(pitch, sizeof(pitch), "%" PRIu64, info->strides[i - 1]);
		else
			element_pitch(info, pitch, sizeof(pitch));
		add(t, "  %" PRIu32 " %-1s  %15" PRIu64 "  %15s  %14" PRIu32, i, dimension_name(info, i),
		    info->dim[i], pitch, info->element_strides[i]);
		if (tiled)
			add(t, "  %4" PRIu32, info->box[i]);
		else
			add_window(t, info, i);
		add(t, "\n");
	}
}

static void add_box(struct text *t, const struct tma_map_info *info)
{
	add(t, "  box: ");
	for (uint32_t i = 0; i < info->rank; i++)
		add(t, i ? " x %" PRIu32 : "%" PRIu32, map_box_elements(info, i));
	add(t, " elements, %" PRIu64 " bytes\n", map_box_bytes(info));
}

static void add_column(struct text *t, const struct tma_map_info *info)
{
	add(t, "  column: %" PRIu32 " pixels of %" PRIu32 " channels, %" PRIu64 " bytes%s\n", info->pixels,
	    info->channels, map_box_bytes(info), info->wide == TMA_RAW_WIDE_NONE ? "" : " without halo");
}

static void add_size(struct text *t, const struct tma_map_info *info)
{
	uint32_t slice = map_slice(info->interleave);
	uint64_t bytes = map_box_bytes(info);

	if (slice)
		add(t, "  %s: %" PRIu64 " slices of %" PRIu32 " bytes, %" PRIu64 " bytes\n",
		    info->kind == TMA_MAP_TILED ? "box" : "column", bytes / slice, slice, bytes);
	else if (info->kind == TMA_MAP_TILED)
		add_box(t, info);
	else
		add_column(t, info);
}

size_t tma_map_describe(const struct tma_map *map, char *text, size_t size)
{
	struct text t = { .bytes = text, .room = text ? size : 0 };
	struct tma_map_error error;
	struct tma_map_info info;
	bool legal;

	if (t.room)
		text[0] = '\0';
	if (!map)
		return 0;
	map_read(map, &info);
	legal = !tma_map_decode(map, &(struct tma_map_info){ 0 }, &error);
	add(&t, "%s tensor map of %s, rank %" PRIu32 ", at 0x%" PRIx64 "\n",
	    info.kind == TMA_MAP_TILED ? "tiled" : kinds[info.wide], types[info.type], info.rank,
	    info.address);
	add_dimensions(&t, &info);
	if (legal)
		add_size(&t, &info);
	add(&t, "  swizzle %s, interleave %s, L2 promotion %s, out of bounds %s\n", swizzles[info.swizzle],
	    interleaves[info.interleave], promotions[info.promotion], info.fill ? "NaN" : "zero");
	if (!legal)
		add(&t, "  illegal, %s: %s %s\n", tma_fault_info((uint16_t)error.fault)->name,
		    error.parameter, error.rule);
	return t.length;
}
