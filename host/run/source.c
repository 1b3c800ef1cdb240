/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands behind "=":
 *
 *	5, -1.5				every element
 *	{ 1, 2, 3 }			the first elements; the others are 0
 *	ramp(first, step [, period])	first + step * (i modulo period)
 *	random(seed)			bytes of a generator
 *	file("x.npy")			an array of NumPy; else the bytes of a file, from its first or from "bytes" on
 *	name				the bytes of a variable; of a register its address
 *	tiled(..), im2col(..), ..	a tensor map
 */
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* One more number. */
static bool append(struct run_reader *reader, struct run_source *source, const struct run_type *type,
                   uint64_t *room)
{
	struct run_number number, *more;
	uint8_t bytes[8];
	const char *why;

	if (!run_number(reader, &number))
		return false;
	why = run_element_put(type, &number, bytes);
	if (why)
		return run_refuse(reader, number.place, reader->place.column - number.place.column, "%s",
		                  why);
	if (source->count == *room) {
		*room = 2 * *room + 16;
		more = run_alloc(reader->program, *room * sizeof(*more));
		if (!more)
			return run_refuse(reader, number.place, 1, "no memory is left");
		if (source->count)
			memcpy(more, source->numbers, source->count * sizeof(*more));
		source->numbers = more;
	}
	source->numbers[source->count++] = number;
	return true;
}

static bool read_list(struct run_reader *reader, struct run_source *source, const struct run_type *type)
{
	uint64_t room = 0;

	do {
		if (!append(reader, source, type, &room))
			return false;
	} while (run_took(reader, ","));
	return run_need(reader, "}");
}

/* Two or three numbers; the last one is a period. */
static bool read_ramp(struct run_reader *reader, struct run_source *source, const struct run_type *type)
{
	uint64_t room = 0, period = 0;

	if (!run_need(reader, "(") || !append(reader, source, type, &room) || !run_need(reader, ",") ||
	    !append(reader, source, type, &room))
		return false;
	if (run_took(reader, ",") && !run_integer(reader, "the period", 1, UINT32_MAX, &period))
		return false;
	source->offset = period;
	return run_need(reader, ")");
}

static bool ends_with(const char *text, const char *end)
{
	const size_t length = strlen(text), tail = strlen(end);

	return length >= tail && !strcmp(text + length - tail, end);
}

static bool read_file(struct run_reader *reader, struct run_source *source)
{
	if (!run_need(reader, "("))
		return false;
	source->path = run_string(reader, "the name of a file in quotes");
	if (!source->path)
		return false;
	source->kind = ends_with(source->path, ".npy") ? RUN_NPY : RUN_RAW;
	if (run_took(reader, ",")) {
		if (source->kind == RUN_NPY)
			return run_refuse(reader, reader->place, 1,
			                  "of an array of NumPy no bytes are left out");
		if (!run_integer(reader, "the bytes to leave out", 0, UINT64_C(1) << 40, &source->offset))
			return false;
	}
	return run_need(reader, ")");
}

static bool read_random(struct run_reader *reader, struct run_source *source)
{
	return run_need(reader, "(") && run_integer(reader, "the seed", 0, UINT64_MAX, &source->offset) &&
	       run_need(reader, ")");
}

static bool read_copy(struct run_reader *reader, struct run_source *source)
{
	const struct run_symbol *symbol;

	if (!run_read_target(reader, &source->copy))
		return false;
	symbol = &reader->program->symbols[source->copy.symbol];
	source->kind = RUN_COPY;
	if (symbol->ptx.kind == TMA_PTX_REGISTER)
		return run_refuse(reader, source->copy.place, source->copy.length,
		                  "%s is a register, and bytes come from a variable", symbol->name);
	return true;
}

/* A word is no name of a variable where a parenthesis follows it. */
static bool took_call(struct run_reader *reader, const char *word)
{
	const struct run_reader before = *reader;

	if (run_took(reader, word) && run_sees(reader, "("))
		return true;
	*reader = before;
	return false;
}

static bool read_word(struct run_reader *reader, const struct run_type *type, struct run_source *source)
{
	static const char *const maps[] = { "tiled", "im2col", "im2col_w", "im2col_w_128" };

	if (took_call(reader, "ramp")) {
		source->kind = RUN_RAMP;
		return read_ramp(reader, source, type);
	}
	if (took_call(reader, "random")) {
		source->kind = RUN_RANDOM;
		return read_random(reader, source);
	}
	if (took_call(reader, "file"))
		return read_file(reader, source);
	for (uint32_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		if (took_call(reader, maps[i])) {
			source->kind = RUN_MAP;
			return run_read_map(reader, i, source);
		}
	return read_copy(reader, source);
}

bool run_read_value(struct run_reader *reader, const struct run_type *type, struct run_source *source)
{
	if (!run_read_source(reader, type, source))
		return false;
	if (source->kind == RUN_COPY && !source->copy.has_count)
		source->kind = RUN_ADDRESS;
	return source->kind == RUN_VALUE || source->kind == RUN_ADDRESS ||
	       run_refuse(reader, source->place, source->length,
	                  "a register holds a number or the address of a variable");
}

bool run_read_source(struct run_reader *reader, const struct run_type *type, struct run_source *source)
{
	const char *begin;
	uint64_t room = 0;
	bool good;

	*source = (struct run_source){ .place = run_here(reader) };
	begin = reader->text;
	if (run_took(reader, "{")) {
		source->kind = RUN_LIST;
		good = read_list(reader, source, type);
	} else if (*reader->text == '-' || (*reader->text >= '0' && *reader->text <= '9')) {
		source->kind = RUN_VALUE;
		good = append(reader, source, type, &room);
	} else {
		good = read_word(reader, type, source);
	}
	source->length = (uint32_t)strcspn(begin, "\n");
	if (reader->place.line == source->place.line)
		source->length = reader->place.column - source->place.column;
	return good;
}
