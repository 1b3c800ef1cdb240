/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations: variables, registers, tensor maps. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

static const struct run_type types[] = {
	{ "b8", TMA_PTX_B8, 1, 'b' },   { "u8", TMA_PTX_U8, 1, 'u' },     { "s8", TMA_PTX_S8, 1, 's' },
	{ "b16", TMA_PTX_B16, 2, 'b' }, { "u16", TMA_PTX_U16, 2, 'u' },   { "s16", TMA_PTX_S16, 2, 's' },
	{ "b32", TMA_PTX_B32, 4, 'b' }, { "u32", TMA_PTX_U32, 4, 'u' },   { "s32", TMA_PTX_S32, 4, 's' },
	{ "b64", TMA_PTX_B64, 8, 'b' }, { "u64", TMA_PTX_U64, 8, 'u' },   { "s64", TMA_PTX_S64, 8, 's' },
	{ "f16", TMA_PTX_F16, 2, 'h' }, { "bf16", TMA_PTX_BF16, 2, 'e' }, { "f32", TMA_PTX_F32, 4, 'f' },
	{ "f64", TMA_PTX_F64, 8, 'f' }, { "pred", TMA_PTX_PRED, 1, 'p' },
};

#define TYPES (sizeof(types) / sizeof(types[0]))

const struct run_type *run_type_of(const char *name)
{
	for (size_t i = 0; i < TYPES; i++)
		if (!strcmp(name, types[i].name))
			return &types[i];
	return NULL;
}

bool run_read_type(struct run_reader *reader, struct run_type *type)
{
	const struct run_type *found;
	struct tma_ptx_place place = run_here(reader);
	char word[TMA_PTX_NAME];

	if (!run_took(reader, ".") || !run_word(reader, "a type", word, sizeof(word), NULL))
		return run_refuse(reader, place, 1, "expected a type, as .b8 or .f32");
	found = run_type_of(word);
	if (!found)
		return run_refuse(
			reader, place, (uint32_t)strlen(word) + 1,
			"there is no type .%s; there are .b8 to .b64, .u8 to .u64, .s8 to .s64, .f16, .bf16, "
			".f32, .f64, and .pred of registers",
			word);
	*type = *found;
	return true;
}

struct run_symbol *run_find(const struct run_program *program, const char *name)
{
	for (uint32_t i = 0; i < program->num_symbols; i++)
		if (!strcmp(program->symbols[i].name, name))
			return &program->symbols[i];
	return NULL;
}

/* A new one, under a name that nothing has. It moves when another one is added. */
static struct run_symbol *add(struct run_reader *reader, const struct run_symbol *symbol)
{
	struct run_program *program = reader->program;
	const struct run_symbol *other = run_find(program, symbol->name);
	struct run_symbol *more;

	if (other) {
		run_refuse(reader, symbol->place, (uint32_t)strlen(symbol->name),
		           "%s is declared in line %" PRIu32 " already", symbol->name, other->place.line);
		return NULL;
	}
	if (program->num_symbols == program->room_symbols) {
		program->room_symbols = 2 * program->room_symbols + 16;
		more = realloc(program->symbols, program->room_symbols * sizeof(*more));
		if (!more) {
			run_refuse(reader, symbol->place, 1, "no memory is left");
			return NULL;
		}
		program->symbols = more;
	}
	program->symbols[program->num_symbols] = *symbol;
	return &program->symbols[program->num_symbols++];
}

/* .align N and .at OFFSET, in any order. */
static bool read_place(struct run_reader *reader, struct run_symbol *symbol)
{
	uint64_t value;

	for (;;) {
		struct tma_ptx_place place = run_here(reader);

		if (run_took(reader, ".align")) {
			if (!run_integer(reader, ".align", 1, 4096, &value))
				return false;
			if (value & (value - 1))
				return run_refuse(reader, place, 6, ".align must be a power of two");
			symbol->align = (uint32_t)value;
		} else if (run_took(reader, ".at")) {
			if (symbol->ptx.space != TMA_PTX_SHARED)
				return run_refuse(reader, place, 3,
				                  "only shared variables have a place, .at");
			if (!run_integer(reader, ".at", 0, (1 << 24) - 1, &value))
				return false;
			symbol->fixed = true;
			symbol->place_at = (uint32_t)value;
		} else {
			return true;
		}
	}
}

/* name, name[4], name[] = source */
static bool read_variable(struct run_reader *reader, struct run_symbol *symbol)
{
	uint64_t count = 0;
	bool open = false;

	if (!run_word(reader, "a name", symbol->name, sizeof(symbol->name), &symbol->place))
		return false;
	symbol->count = 1;
	while (run_took(reader, "[")) {
		if (symbol->count == 1 && !open && run_took(reader, "]")) {
			open = true;
			continue;
		}
		if (!run_integer(reader, "the size", 1, UINT64_C(1) << 32, &count) || !run_need(reader, "]"))
			return false;
		if (count > (UINT64_C(1) << 32) / symbol->count)
			return run_refuse(reader, symbol->place, (uint32_t)strlen(symbol->name),
			                  "a variable has at most 2^32 elements");
		symbol->count *= count;
	}
	if (run_took(reader, "=") && !run_read_source(reader, &symbol->type, &symbol->source))
		return false;
	if (!open)
		return true;
	symbol->count = 0;
	if (symbol->source.kind == RUN_LIST)
		symbol->count = symbol->source.count;
	else if (symbol->source.kind != RUN_NPY && symbol->source.kind != RUN_RAW)
		return run_refuse(reader, symbol->place, (uint32_t)strlen(symbol->name),
		                  "[] takes the size of a file or a list behind =");
	return true;
}

bool run_declare(struct run_reader *reader, uint8_t space, bool multimem)
{
	struct run_symbol first = { .ptx = { TMA_PTX_VARIABLE, 0, space }, .multimem = multimem };

	if (!read_place(reader, &first) || !run_read_type(reader, &first.type) || !read_place(reader, &first))
		return false;
	if (first.type.kind == 'p')
		return run_refuse(reader, run_here(reader), 1, "only registers are predicates");
	if (!first.align)
		first.align = first.type.bytes;
	do {
		struct run_symbol symbol = first;

		if (!read_variable(reader, &symbol) || !add(reader, &symbol))
			return false;
		first.fixed = false;
	} while (run_took(reader, ","));
	return run_need(reader, ";");
}

bool run_declare_map(struct run_reader *reader)
{
	struct run_symbol symbol = {
		.ptx = { TMA_PTX_VARIABLE, 0, TMA_PTX_GLOBAL },
		.type = *run_type_of("b8"),
		.align = 128,
		.count = TMA_MAP_BYTES,
	};
	struct tma_ptx_place place;

	if (!run_word(reader, "a name", symbol.name, sizeof(symbol.name), &symbol.place) ||
	    !run_need(reader, "="))
		return false;
	place = run_here(reader);
	if (!run_read_source(reader, &symbol.type, &symbol.source))
		return false;
	if (symbol.source.kind != RUN_MAP)
		return run_refuse(reader, place, 1,
		                  "a tensor map is tiled(..), im2col(..), im2col_w(..) or im2col_w_128(..)");
	return add(reader, &symbol) && run_need(reader, ";");
}

/* %r<12> is %r0 to %r11. */
static bool add_registers(struct run_reader *reader, struct run_symbol *symbol, uint64_t count)
{
	char stem[TMA_PTX_NAME];

	memcpy(stem, symbol->name, sizeof(stem));
	for (uint64_t i = 0; i < count; i++) {
		const int length = snprintf(symbol->name, sizeof(symbol->name), "%.*s%" PRIu64,
		                            (int)sizeof(stem), stem, i);

		if (length >= (int)sizeof(symbol->name))
			return run_refuse(reader, symbol->place, 1, "a name has at most %d characters",
			                  TMA_PTX_NAME - 1);
		if (!add(reader, symbol))
			return false;
	}
	return true;
}

bool run_declare_registers(struct run_reader *reader)
{
	struct run_symbol first = { .ptx = { .kind = TMA_PTX_REGISTER } };

	if (!run_read_type(reader, &first.type))
		return false;
	first.ptx.type = first.type.ptx;
	first.count = 1;
	do {
		struct run_symbol symbol = first;
		uint64_t count;

		if (!run_word(reader, "a name", symbol.name, sizeof(symbol.name), &symbol.place))
			return false;
		if (run_took(reader, "<")) {
			if (!run_integer(reader, "the number of registers", 1, 1024, &count) ||
			    !run_need(reader, ">") || !add_registers(reader, &symbol, count))
				return false;
			continue;
		}
		if (run_took(reader, "=") && !run_read_value(reader, &symbol.type, &symbol.source))
			return false;
		if (!add(reader, &symbol))
			return false;
	} while (run_took(reader, ","));
	return run_need(reader, ";");
}
