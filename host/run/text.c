/* SPDX-License-Identifier: Apache-2.0 */
/* Reads words, strings and numbers of directives, and points at what is wrong. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

#define STATUS_WRONG 2
#define MESSAGE      512

static const char *line_of(const struct run_program *program, uint32_t line)
{
	const char *text = program->text;

	for (; line > 1 && text; line--) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return text ? text : "";
}

void run_point(const struct run_program *program, struct tma_ptx_place place, uint32_t length)
{
	const char *line = line_of(program, place.line);
	const size_t width = strcspn(line, "\r\n");
	FILE *file = program->errors;
	size_t i;

	fputs("    ", file);
	for (i = 0; i < width; i++)
		fputc(line[i] != '\t' && iscntrl((unsigned char)line[i]) ? '?' : line[i], file);
	fputs("\n    ", file);
	for (i = 1; i < place.column && i <= width; i++)
		fputc(line[i - 1] == '\t' ? '\t' : ' ', file);
	fputc('^', file);
	for (i = 1; i < length && place.column + i <= width; i++)
		fputc('~', file);
	fputc('\n', file);
}

static void say(const struct run_program *program, struct tma_ptx_place place, uint32_t length,
                const char *format, va_list arguments)
{
	char message[MESSAGE];

	vsnprintf(message, sizeof(message), format, arguments);
	fprintf(program->errors, "%s: %s:%" PRIu32 ":%" PRIu32 ": %s\n", program->tool, program->path,
	        place.line, place.column, message);
	run_point(program, place, length);
}

int run_wrong(const struct run_program *program, struct tma_ptx_place place, uint32_t length,
              const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(program, place, length, format, arguments);
	va_end(arguments);
	return STATUS_WRONG;
}

bool run_refuse(struct run_reader *reader, struct tma_ptx_place place, uint32_t length, const char *format,
                ...)
{
	va_list arguments;

	/* What is wrong first is what is said. */
	if (reader->failed)
		return false;
	reader->failed = true;
	va_start(arguments, format);
	say(reader->program, place, length, format, arguments);
	va_end(arguments);
	return false;
}

struct tma_ptx_place run_here(struct run_reader *reader)
{
	reader->text = tma_ptx_skip(reader->text, &reader->place);
	return reader->place;
}

static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static void step(struct run_reader *reader, size_t length)
{
	reader->text += length;
	reader->place.column += (uint32_t)length;
}

bool run_sees(struct run_reader *reader, const char *what)
{
	const size_t length = strlen(what);

	run_here(reader);
	return !strncmp(reader->text, what, length) &&
	       !(in_word(what[length - 1]) && in_word(reader->text[length]));
}

bool run_took(struct run_reader *reader, const char *what)
{
	if (!run_sees(reader, what))
		return false;
	step(reader, strlen(what));
	return true;
}

/* The next word or sign, to be shown. */
static int shown(const struct run_reader *reader)
{
	int length = 0;

	while (length < 40 && (in_word(reader->text[length]) || (!length && reader->text[0] == '.')))
		length++;
	return length ? length : reader->text[0] ? 1 : 0;
}

static bool expected(struct run_reader *reader, const char *what, bool quoted)
{
	const char *quote = quoted ? "\"" : "";
	const int length = shown(reader);

	if (!length)
		return run_refuse(reader, reader->place, 0, "the program ends here, expected %s%s%s", quote,
		                  what, quote);
	/* Messages are plain characters, whatever the text is. */
	if (length == 1 && !isgraph((unsigned char)*reader->text))
		return run_refuse(reader, reader->place, 1, "expected %s%s%s, not the byte 0x%02x", quote,
		                  what, quote, (unsigned char)*reader->text);
	return run_refuse(reader, reader->place, (uint32_t)length, "expected %s%s%s, not \"%.*s\"", quote,
	                  what, quote, length, reader->text);
}

bool run_need(struct run_reader *reader, const char *what)
{
	return run_took(reader, what) || expected(reader, what, true);
}

bool run_word(struct run_reader *reader, const char *what, char *word, size_t size,
              struct tma_ptx_place *place)
{
	size_t length = 0;

	run_here(reader);
	if (place)
		*place = reader->place;
	while (in_word(reader->text[length]))
		length++;
	if (!length)
		return expected(reader, what, false);
	if (length >= size)
		return run_refuse(reader, reader->place, (uint32_t)length,
		                  "a name has at most %zu characters", size - 1);
	memcpy(word, reader->text, length);
	word[length] = 0;
	step(reader, length);
	return true;
}

const char *run_string(struct run_reader *reader, const char *what)
{
	struct tma_ptx_place place = run_here(reader);
	size_t length;
	char *string;

	if (*reader->text != '"') {
		expected(reader, what, false);
		return NULL;
	}
	length = strcspn(reader->text + 1, "\"\n");
	if (reader->text[1 + length] != '"') {
		run_refuse(reader, place, (uint32_t)length + 1, "the quote is not closed in its line");
		return NULL;
	}
	string = run_alloc(reader->program, length + 1);
	if (!string) {
		run_refuse(reader, place, 1, "no memory is left");
		return NULL;
	}
	memcpy(string, reader->text + 1, length);
	step(reader, length + 2);
	return string;
}

bool run_number(struct run_reader *reader, struct run_number *number)
{
	const struct tma_ptx_place place = run_here(reader);
	const char *text = reader->text, *digits = text + (*text == '-');
	char *end;
	const bool negative = *text == '-', hex = digits[0] == '0' && (digits[1] | 0x20) == 'x';
	bool large;

	*number = (struct run_number){ .place = place };
	if (!isdigit((unsigned char)*digits))
		return expected(reader, "a number", false);
	errno = 0;
	number->value = strtoull(digits, &end, 0);
	large = errno == ERANGE;
	number->number = hex ? (double)number->value : strtod(digits, &end);
	number->is_float = !hex && strcspn(digits, ".eE") < (size_t)(end - digits);
	if (large && !number->is_float)
		return run_refuse(reader, place, (uint32_t)(end - text), "the number has more than 64 bits");
	if (in_word(*end) || *end == '.')
		return run_refuse(reader, place, (uint32_t)(end - text) + 1,
		                  "this is no number: something follows its digits");
	if (negative) {
		number->value = -number->value;
		number->number = -number->number;
	}
	step(reader, (size_t)(end - text));
	return true;
}

bool run_integer(struct run_reader *reader, const char *what, uint64_t min, uint64_t max, uint64_t *value)
{
	const struct tma_ptx_place place = run_here(reader);
	struct run_number number;

	if (!run_number(reader, &number))
		return false;
	if (number.is_float || number.number < 0 || number.value < min || number.value > max)
		return run_refuse(reader, place, reader->place.column - place.column,
		                  "%s must be a number from %" PRIu64 " to %" PRIu64, what, min, max);
	*value = number.value;
	return true;
}
