/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensor maps: tiled(tensor, dims={..}, box={..}, swizzle=128B, ..), with the options of `tma map encode` as words,
 * and what a map says once its tensor has an address.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "map.h"
#include "run.h"

/* What an argument is, and where it goes. */
enum { LIST_64, LIST_32, LIST_SIGNED, WORD, NUMBER };

#define INFO(member) offsetof(struct run_map, info.member)

static const struct {
	const char *name;
	uint8_t form;
	uint8_t kinds; /* bit: of such a map */
	enum map_word words;
	uint32_t most; /* elements of a list */
	size_t offset;
} arguments[] = {
	{ "type", WORD, 15, WORD_TYPE, 0, INFO(type) },
	{ "dims", LIST_64, 15, 0, 5, INFO(dim) },
	{ "strides", LIST_64, 15, 0, 4, INFO(strides) },
	{ "element_strides", LIST_32, 15, 0, 5, INFO(element_strides) },
	{ "interleave", WORD, 15, WORD_INTERLEAVE, 0, INFO(interleave) },
	{ "swizzle", WORD, 15, WORD_SWIZZLE, 0, INFO(swizzle) },
	{ "promotion", WORD, 15, WORD_PROMOTION, 0, INFO(promotion) },
	{ "fill", WORD, 15, WORD_FILL, 0, INFO(fill) },
	{ "target", WORD, 15, WORD_TARGET, 0, offsetof(struct run_map, target) },
	{ "box", LIST_32, 1 << KIND_TILED, 0, 5, INFO(box) },
	{ "lower", LIST_SIGNED, 15 & ~(1 << KIND_TILED), 0, 3, INFO(lower) },
	{ "upper", LIST_SIGNED, 15 & ~(1 << KIND_TILED), 0, 3, INFO(upper) },
	{ "channels", NUMBER, 15 & ~(1 << KIND_TILED), 0, 0, INFO(channels) },
	{ "pixels", NUMBER, 15 & ~(1 << KIND_TILED), 0, 0, INFO(pixels) },
};

#define ARGUMENTS (sizeof(arguments) / sizeof(arguments[0]))

static bool read_list(struct run_reader *reader, uint32_t i, struct run_map *map, uint32_t *count)
{
	uint8_t *to = (uint8_t *)map + arguments[i].offset;
	const struct tma_ptx_place place = run_here(reader);
	struct run_number number;

	*count = 0;
	if (!run_need(reader, "{"))
		return false;
	do {
		if (*count == arguments[i].most)
			return run_refuse(reader, place, 1, "%s has at most %" PRIu32 " numbers",
			                  arguments[i].name, arguments[i].most);
		if (!run_number(reader, &number))
			return false;
		if (number.is_float || (arguments[i].form != LIST_SIGNED && number.number < 0))
			return run_refuse(reader, number.place, reader->place.column - number.place.column,
			                  "%s has whole numbers, %s", arguments[i].name,
			                  arguments[i].form == LIST_SIGNED ? "with a sign" : "0 or more");
		if (arguments[i].form == LIST_64)
			memcpy(to + 8 * *count, &number.value, 8);
		else
			memcpy(to + 4 * *count, &(uint32_t){ (uint32_t)number.value }, 4);
		if (arguments[i].form != LIST_64 && number.value + 0x80000000u > 0x17FFFFFFFu)
			return run_refuse(reader, number.place, 1, "%s has numbers of 32 bits",
			                  arguments[i].name);
		++*count;
	} while (run_took(reader, ","));
	return run_need(reader, "}");
}

static bool read_word(struct run_reader *reader, uint32_t i, struct run_map *map)
{
	struct tma_ptx_place place;
	char word[TMA_PTX_NAME], names[400] = "";
	size_t used = 0;
	const char *name;
	uint32_t value;

	if (!run_word(reader, arguments[i].name, word, sizeof(word), &place))
		return false;
	for (value = 0; strcmp(name = map_word(arguments[i].words, value), "?"); value++) {
		if (!strcasecmp(name, word)) {
			memcpy((uint8_t *)map + arguments[i].offset, &value, sizeof(value));
			return true;
		}
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "", name);
	}
	return run_refuse(reader, place, (uint32_t)strlen(word), "%s must be one of %s", arguments[i].name,
	                  names);
}

/* name = value. Of a list the number of its elements is kept. */
static bool read_argument(struct run_reader *reader, struct run_map *map, uint32_t counts[ARGUMENTS])
{
	struct tma_ptx_place place;
	char name[TMA_PTX_NAME];
	uint64_t number;
	uint32_t i;

	if (!run_word(reader, "an argument, as dims={64,64}", name, sizeof(name), &place))
		return false;
	for (i = 0; i < ARGUMENTS && strcmp(arguments[i].name, name); i++)
		;
	if (i == ARGUMENTS || !(arguments[i].kinds >> map->kind & 1))
		return run_refuse(reader, place, (uint32_t)strlen(name), "a map of kind %s has no %s",
		                  map_word(WORD_KIND, map->kind), name);
	if (counts[i])
		return run_refuse(reader, place, (uint32_t)strlen(name), "%s is there already", name);
	counts[i] = 1;
	if (!run_need(reader, "="))
		return false;
	if (arguments[i].form == WORD)
		return read_word(reader, i, map);
	if (arguments[i].form != NUMBER)
		return read_list(reader, i, map, &counts[i]);
	if (!run_integer(reader, name, 0, UINT32_MAX, &number))
		return false;
	memcpy((uint8_t *)map + arguments[i].offset, &(uint32_t){ (uint32_t)number }, 4);
	return true;
}

static uint32_t count_of(const char *name, const uint32_t counts[ARGUMENTS])
{
	for (uint32_t i = 0; i < ARGUMENTS; i++)
		if (!strcmp(arguments[i].name, name))
			return counts[i];
	return 0;
}

/* The type of the tensor's elements, where the arguments name none. */
static bool take_type(struct run_reader *reader, struct run_map *map, const struct run_type *type)
{
	static const struct {
		const char *name;
		enum tma_map_data_type type;
	} same[] = {
		{ "b8", TMA_MAP_DATA_UINT8 },    { "u8", TMA_MAP_DATA_UINT8 },
		{ "s8", TMA_MAP_DATA_UINT8 },    { "b16", TMA_MAP_DATA_UINT16 },
		{ "u16", TMA_MAP_DATA_UINT16 },  { "s16", TMA_MAP_DATA_UINT16 },
		{ "b32", TMA_MAP_DATA_UINT32 },  { "u32", TMA_MAP_DATA_UINT32 },
		{ "s32", TMA_MAP_DATA_INT32 },   { "b64", TMA_MAP_DATA_UINT64 },
		{ "u64", TMA_MAP_DATA_UINT64 },  { "s64", TMA_MAP_DATA_INT64 },
		{ "f16", TMA_MAP_DATA_FLOAT16 }, { "bf16", TMA_MAP_DATA_BFLOAT16 },
		{ "f32", TMA_MAP_DATA_FLOAT32 }, { "f64", TMA_MAP_DATA_FLOAT64 },
	};

	for (uint32_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		if (!strcmp(same[i].name, type->name)) {
			map->info.type = same[i].type;
			return true;
		}
	return run_refuse(reader, map->place, 1, "type is missing");
}

/* Rows, and what is made of them, one behind the other. */
static void dense_strides(struct tma_map_info *info)
{
	uint64_t bytes = info->interleave
	                         ? info->dim[0] * (info->interleave == TMA_MAP_INTERLEAVE_16B ? 16 : 32)
	                         : info->dim[0] * map_element_bits(info->type) / 8;

	for (uint32_t i = 0; i + 1 < info->rank; i++) {
		info->strides[i] = bytes;
		bytes *= info->dim[i + 1];
	}
}

static bool check_counts(struct run_reader *reader, struct run_map *map, const uint32_t counts[ARGUMENTS])
{
	const uint32_t rank = count_of("dims", counts);
	const uint32_t corners = map->kind != KIND_IM2COL ? 1 : rank > 2 ? rank - 2 : 1;
	const struct {
		const char *name;
		uint32_t count;
		bool needed;
	} rules[] = {
		{ "dims", rank, true },
		{ "strides", rank - 1, false },
		{ "element_strides", rank, false },
		{ "box", rank, map->kind == KIND_TILED },
		{ "lower", corners, false },
		{ "upper", corners, false },
		{ "channels", 1, map->kind != KIND_TILED },
		{ "pixels", 1, map->kind != KIND_TILED && map->kind != KIND_IM2COL_W_128 },
	};

	for (uint32_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		const uint32_t count = count_of(rules[i].name, counts);

		if (!count && rules[i].needed)
			return run_refuse(reader, map->place, 1, "%s is missing", rules[i].name);
		if (count && count != rules[i].count)
			return run_refuse(reader, map->place, 1,
			                  "%s must have %" PRIu32
			                  " numbers, for so many dimensions are there to it",
			                  rules[i].name, rules[i].count);
	}
	map->info.rank = rank;
	return true;
}

bool run_read_map(struct run_reader *reader, uint32_t kind, struct run_source *source)
{
	struct run_map *map = run_alloc(reader->program, sizeof(*map));
	uint32_t counts[ARGUMENTS] = { 0 };

	if (!map)
		return run_refuse(reader, reader->place, 1, "no memory is left");
	source->map = map;
	map->kind = kind;
	map->target = TMA_MAP_SM_100;
	map->place = source->place;
	map->info.kind = kind == KIND_TILED ? TMA_MAP_TILED : TMA_MAP_IM2COL;
	map->info.pixels = 128;
	for (uint32_t i = 0; i < 5; i++)
		map->info.element_strides[i] = 1;
	if (!run_need(reader, "(") || !run_read_target(reader, &map->tensor))
		return false;
	while (run_took(reader, ","))
		if (!read_argument(reader, map, counts))
			return false;
	if (!run_need(reader, ")") || !check_counts(reader, map, counts))
		return false;
	if (!count_of("type", counts) &&
	    !take_type(reader, map, &reader->program->symbols[map->tensor.symbol].type))
		return false;
	if (!count_of("strides", counts))
		dense_strides(&map->info);
	return true;
}

int run_encode(const struct run *run, const struct run_source *source, struct tma_map *map)
{
	const struct run_map *from = source->map;
	const struct run_symbol *tensor = &run->program->symbols[from->tensor.symbol];
	const struct tma_map_info *m = &from->info;
	const uint64_t address = tensor->address + from->tensor.offset;
	const enum tma_map_target target = (enum tma_map_target)from->target;
	struct tma_map_error error;
	int wrong;

	if (tensor->ptx.space == TMA_PTX_SHARED || tensor->ptx.kind != TMA_PTX_VARIABLE)
		return run_wrong(run->program, from->tensor.place, from->tensor.length,
		                 "a tensor lies in global memory, and %s does not", tensor->name);
	if (from->kind == KIND_TILED)
		wrong = tma_map_encode_tiled(map, target, m->type, m->rank, address, m->dim, m->strides,
		                             m->box, m->element_strides, m->interleave, m->swizzle,
		                             m->promotion, m->fill, &error);
	else if (from->kind == KIND_IM2COL)
		wrong = tma_map_encode_im2col(map, target, m->type, m->rank, address, m->dim, m->strides,
		                              m->lower, m->upper, m->channels, m->pixels, m->element_strides,
		                              m->interleave, m->swizzle, m->promotion, m->fill, &error);
	else
		wrong = tma_map_encode_im2col_wide(
			map, target, m->type, m->rank, address, m->dim, m->strides, m->lower[0], m->upper[0],
			m->channels, m->pixels, m->element_strides, m->interleave,
			from->kind == KIND_IM2COL_W ? TMA_MAP_WIDE_MODE_W : TMA_MAP_WIDE_MODE_W128,
			m->swizzle, m->promotion, m->fill, &error);
	if (wrong)
		return run_wrong(run->program, source->place, source->length, "%s %s", error.parameter,
		                 error.rule);
	return 0;
}
