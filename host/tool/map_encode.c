/* SPDX-License-Identifier: Apache-2.0 */
/* tma map encode - a map from the arguments of the driver's encoders. */
#include <string.h>

#include "map.h"

#define TOOL "tma map encode"

const char map_encode_usage[] =
	"usage: tma map encode --type T --dims N,.. --box N,.. [OPTION]...\n"
	"       tma map encode --kind im2col --type T --dims N,.. --lower N,.. --upper N,.. --channels N --pixels N ..\n"
	"\n"
	"Makes a tensor map and prints its 128 bytes in hexadecimal digits. Lists begin with the fastest dimension.\n"
	"\n"
	"  --type T                uint8 uint16 uint32 int32 uint64 int64 float16 float32 float64 bfloat16 float32_ftz\n"
	"                          tfloat32 tfloat32_ftz 16u4_align8b 16u4_align16b 16u6_align16b\n"
	"  --dims N,..             elements of the tensor, 1 to 5 dimensions\n"
	"  --strides BYTES,..      from dimension 1 on; default: rows without gaps\n"
	"  --address A             of the tensor in global memory, default 4096\n"
	"  --element-strides N,..  default 1 each\n"
	"  --interleave I          none (default), 16B or 32B\n"
	"  --swizzle S             none (default) 32B 64B 128B 128B_atom_32B 128B_atom_32B_flip_8B 128B_atom_64B 96B\n"
	"  --promotion P           none (default), 64B, 128B or 256B\n"
	"  --fill F                zero (default) or nan\n"
	"  --target T              whose rules hold: sm_90 or sm_100 (default)\n"
	"  --output FILE           write the bytes themselves to a file\n"
	"  --kind K                tiled (default), im2col, im2col_w or im2col_w_128\n"
	"tiled:\n"
	"  --box N,..              elements of the box\n"
	"im2col, im2col_w, im2col_w_128:\n"
	"  --lower N,.. --upper N,..  corners of the window, W first; of the last two kinds W alone; default 0\n"
	"  --channels N            of a pixel\n"
	"  --pixels N              of a column; im2col_w_128 has 128\n"
	"\n"
	"Exit status: 0 it is printed, 2 a wrong option, or one that breaks a rule of maps.\n";

/* What the options say, as text. */
struct words {
	const char *type, *dims, *strides, *address, *element_strides, *interleave, *swizzle, *promotion,
		*fill, *target, *output, *kind, *box, *lower, *upper, *channels, *pixels;
};

/* The same as numbers. */
struct arguments {
	struct tma_map_info info;
	uint32_t kind, target;
};

/* A list with exactly @p count numbers into 64, or 32 bits. NULL leaves what is there. */
static bool list(const char *option, const char *text, int64_t min, int64_t max, uint32_t count, void *to,
                 bool wide)
{
	int64_t numbers[5];
	uint32_t got, i;

	if (!text)
		return true;
	if (!map_list(TOOL, option, text, min, max, 5, numbers, &got))
		return false;
	if (got != count) {
		fprintf(stderr, TOOL ": %s %s: must be %u numbers, for so many dimensions are there to it\n",
		        option, text, count);
		return false;
	}
	for (i = 0; i < count; i++)
		if (wide)
			((uint64_t *)to)[i] = (uint64_t)numbers[i];
		else
			((uint32_t *)to)[i] = (uint32_t)numbers[i];
	return true;
}

static bool word(const char *option, enum map_word field, const char *text, uint32_t *value)
{
	return !text || map_value(TOOL, option, field, text, value);
}

static bool number(const char *option, const char *text, uint32_t *value)
{
	uint64_t wide = *value;

	if (text && !cli_number(TOOL, option, text, 0, UINT32_MAX, &wide))
		return false;
	*value = (uint32_t)wide;
	return true;
}

static bool needs(const char *option, const char *text)
{
	if (!text)
		cli_refuse(TOOL, option, "is missing; see " TOOL " --help");
	return text;
}

static bool does_not_need(const char *option, const char *text, const char *kind)
{
	if (text)
		fprintf(stderr, TOOL ": %s: a map of kind %s has none\n", option, kind);
	return !text;
}

/* Rows, and what is made of them, one behind the other. */
static void dense_strides(struct tma_map_info *info)
{
	uint64_t bytes = info->interleave
	                         ? info->dim[0] * (info->interleave == TMA_MAP_INTERLEAVE_16B ? 16 : 32)
	                         : info->dim[0] * map_element_bits(info->type) / 8;
	uint32_t i;

	for (i = 0; i + 1 < info->rank; i++) {
		info->strides[i] = bytes;
		bytes *= info->dim[i + 1];
	}
}

static bool take_dims(const struct words *w, struct tma_map_info *info)
{
	int64_t dims[5];
	uint32_t i;

	if (!needs("--dims", w->dims) ||
	    !map_list(TOOL, "--dims", w->dims, 0, INT64_MAX, 5, dims, &info->rank))
		return false;
	for (i = 0; i < info->rank; i++) {
		info->dim[i] = (uint64_t)dims[i];
		info->element_strides[i] = 1;
	}
	if (!list("--element-strides", w->element_strides, 0, UINT32_MAX, info->rank, info->element_strides,
	          false))
		return false;
	dense_strides(info);
	if (info->rank == 1 && w->strides)
		return does_not_need("--strides", w->strides, "tiled and rank 1");
	return list("--strides", w->strides, 0, INT64_MAX, info->rank - 1, info->strides, true);
}

static bool take_tiled(const struct words *w, struct tma_map_info *info)
{
	return needs("--box", w->box) && list("--box", w->box, 0, UINT32_MAX, info->rank, info->box, false) &&
	       does_not_need("--lower", w->lower, "tiled") && does_not_need("--upper", w->upper, "tiled") &&
	       does_not_need("--channels", w->channels, "tiled") &&
	       does_not_need("--pixels", w->pixels, "tiled");
}

static bool take_im2col(const struct words *w, struct arguments *a)
{
	uint32_t corners = a->kind != KIND_IM2COL ? 1 : a->info.rank > 2 ? a->info.rank - 2 : 1;

	a->info.kind = TMA_MAP_IM2COL;
	a->info.pixels = 128;
	return does_not_need("--box", w->box, map_word(WORD_KIND, a->kind)) &&
	       needs("--channels", w->channels) &&
	       (a->kind == KIND_IM2COL_W_128 || needs("--pixels", w->pixels)) &&
	       list("--lower", w->lower, INT32_MIN, INT32_MAX, corners, a->info.lower, false) &&
	       list("--upper", w->upper, INT32_MIN, INT32_MAX, corners, a->info.upper, false) &&
	       number("--channels", w->channels, &a->info.channels) &&
	       number("--pixels", w->pixels, &a->info.pixels);
}

static bool take(const struct words *w, struct arguments *a)
{
	struct tma_map_info *info = &a->info;

	return needs("--type", w->type) && word("--type", WORD_TYPE, w->type, &info->type) &&
	       word("--interleave", WORD_INTERLEAVE, w->interleave, &info->interleave) &&
	       word("--swizzle", WORD_SWIZZLE, w->swizzle, &info->swizzle) &&
	       word("--promotion", WORD_PROMOTION, w->promotion, &info->promotion) &&
	       word("--fill", WORD_FILL, w->fill, &info->fill) &&
	       word("--target", WORD_TARGET, w->target, &a->target) &&
	       word("--kind", WORD_KIND, w->kind, &a->kind) &&
	       (!w->address || cli_number(TOOL, "--address", w->address, 0, UINT64_MAX, &info->address)) &&
	       take_dims(w, info) && (a->kind == KIND_TILED ? take_tiled(w, info) : take_im2col(w, a));
}

/* @return as the encoders */
static int encode(const struct arguments *a, struct tma_map *map, struct tma_map_error *error)
{
	const struct tma_map_info *m = &a->info;
	enum tma_map_target target = (enum tma_map_target)a->target;

	if (a->kind == KIND_TILED)
		return tma_map_encode_tiled(map, target, m->type, m->rank, m->address, m->dim, m->strides,
		                            m->box, m->element_strides, m->interleave, m->swizzle,
		                            m->promotion, m->fill, error);
	if (a->kind == KIND_IM2COL)
		return tma_map_encode_im2col(map, target, m->type, m->rank, m->address, m->dim, m->strides,
		                             m->lower, m->upper, m->channels, m->pixels, m->element_strides,
		                             m->interleave, m->swizzle, m->promotion, m->fill, error);
	return tma_map_encode_im2col_wide(
		map, target, m->type, m->rank, m->address, m->dim, m->strides, m->lower[0], m->upper[0],
		m->channels, m->pixels, m->element_strides, m->interleave,
		a->kind == KIND_IM2COL_W ? TMA_MAP_WIDE_MODE_W : TMA_MAP_WIDE_MODE_W128, m->swizzle,
		m->promotion, m->fill, error);
}

int map_encode(int argc, char **argv)
{
	struct words w = { .type = NULL };
	const struct cli_option options[] = {
		{ .name = "type", .kind = CLI_TEXT, .to = &w.type },
		{ .name = "dims", .kind = CLI_TEXT, .to = &w.dims },
		{ .name = "strides", .kind = CLI_TEXT, .to = &w.strides },
		{ .name = "address", .kind = CLI_TEXT, .to = &w.address },
		{ .name = "element-strides", .kind = CLI_TEXT, .to = &w.element_strides },
		{ .name = "interleave", .kind = CLI_TEXT, .to = &w.interleave },
		{ .name = "swizzle", .kind = CLI_TEXT, .to = &w.swizzle },
		{ .name = "promotion", .kind = CLI_TEXT, .to = &w.promotion },
		{ .name = "fill", .kind = CLI_TEXT, .to = &w.fill },
		{ .name = "target", .kind = CLI_TEXT, .to = &w.target },
		{ .name = "output", .kind = CLI_TEXT, .to = &w.output },
		{ .name = "kind", .kind = CLI_TEXT, .to = &w.kind },
		{ .name = "box", .kind = CLI_TEXT, .to = &w.box },
		{ .name = "lower", .kind = CLI_TEXT, .to = &w.lower },
		{ .name = "upper", .kind = CLI_TEXT, .to = &w.upper },
		{ .name = "channels", .kind = CLI_TEXT, .to = &w.channels },
		{ .name = "pixels", .kind = CLI_TEXT, .to = &w.pixels },
	};
	const struct cli cli = { TOOL, map_encode_usage, options, sizeof(options) / sizeof(options[0]) };
	struct arguments a = { .info = { .address = 4096 }, .target = TMA_MAP_SM_100 };
	struct tma_map_error error;
	struct tma_map map;
	int first, status = cli_parse(&cli, argc, argv, &first);

	if (status != CLI_GO_ON)
		return status;
	if (first < argc)
		return cli_refuse(TOOL, argv[first], "takes no operand; see " TOOL " --help");
	if (!take(&w, &a))
		return TOOL_USAGE;
	if (encode(&a, &map, &error))
		return cli_refuse(TOOL, error.parameter, error.rule);
	return map_write(TOOL, w.output, &map);
}
