/* SPDX-License-Identifier: Apache-2.0 */
/* A program in one file: directives and instructions, in the order in which they stand. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "run.h"

#define LARGEST (UINT32_C(1) << 26) /* bytes of text */

struct block {
	struct block *next;
	max_align_t bytes[];
};

void *run_alloc(struct run_program *program, size_t bytes)
{
	struct block *block = calloc(1, sizeof(*block) + bytes);

	if (!block)
		return NULL;
	block->next = program->blocks;
	program->blocks = block;
	return block->bytes;
}

void run_free(struct run_program *program)
{
	struct block *block = program->blocks, *next;

	for (; block; block = next) {
		next = block->next;
		free(block);
	}
	free(program->symbols);
	free(program->steps);
	memset(program, 0, sizeof(*program));
}

static struct run_step *add(struct run_reader *reader, enum run_step_kind kind, struct tma_ptx_place place)
{
	struct run_program *program = reader->program;
	struct run_step *more;

	if (program->num_steps == program->room_steps) {
		program->room_steps = 2 * program->room_steps + 64;
		more = realloc(program->steps, program->room_steps * sizeof(*more));
		if (!more) {
			run_refuse(reader, place, 1, "no memory is left");
			return NULL;
		}
		program->steps = more;
	}
	more = &program->steps[program->num_steps++];
	*more = (struct run_step){ .kind = kind, .place = place, .length = 1 };
	return more;
}

/* What stood from a place on, as far as it stands in one line. */
static void measure(const struct run_reader *reader, struct run_step *step)
{
	if (reader->place.line == step->place.line)
		step->length = reader->place.column - step->place.column;
}

static bool find_symbol(void *context, const char *name, struct tma_ptx_symbol *found)
{
	const struct run_symbol *symbol = run_find(context, name);

	if (symbol)
		*found = symbol->ptx;
	return symbol;
}

static bool read_instruction(struct run_reader *reader)
{
	const struct tma_ptx_symbols symbols = { .find = find_symbol, .context = reader->program };
	const struct tma_ptx_place place = reader->place;
	struct run_thread *thread = &reader->program->threads[reader->thread];
	struct tma_ptx_error error;
	struct run_step *step = add(reader, RUN_INSTRUCTION, place);

	if (!step)
		return false;
	step->instruction = run_alloc(reader->program, sizeof(*step->instruction));
	if (!step->instruction)
		return run_refuse(reader, place, 1, "no memory is left");
	if (tma_ptx_parse_next(&reader->text, &reader->place, reader->program->target, &symbols,
	                       step->instruction, &error))
		return run_refuse(reader, error.place, error.length, "%s%s%s%s", error.message,
		                  *error.section ? " (semantics " : "", error.section,
		                  *error.section ? ")" : "");
	measure(reader, step);
	if (!thread->used)
		thread->place = place;
	thread->used = true;
	thread->steps++;
	return true;
}

static bool read_target(struct run_reader *reader)
{
	struct tma_ptx_place place;
	char word[TMA_PTX_NAME];

	if (!run_word(reader, "a target", word, sizeof(word), &place))
		return false;
	if (tma_ptx_target_of(word, &reader->program->target))
		return run_refuse(reader, place, (uint32_t)strlen(word),
		                  "there is no target %s; there are sm_90, sm_90a, sm_100, sm_100a, sm_100f, "
		                  "sm_103a, sm_110a, sm_120a and engine",
		                  word);
	return true;
}

/* .thread Q [ .cta C ] ; */
static bool read_thread(struct run_reader *reader, struct tma_ptx_place place)
{
	struct run_step *step = add(reader, RUN_THREAD, place);
	struct run_thread *thread;
	uint64_t number, cta = 0;
	bool has_cta;

	if (!step || !run_integer(reader, "a thread", 0, RUN_QUEUES - 1, &number))
		return false;
	reader->thread = step->thread = (uint32_t)number;
	thread = &reader->program->threads[number];
	has_cta = run_took(reader, ".cta");
	if (has_cta && !run_integer(reader, "a CTA", 0, 254, &cta))
		return false;
	measure(reader, step);
	if (!thread->used) {
		thread->cta = (uint32_t)cta;
		thread->place = place;
	} else if (has_cta && thread->cta != cta) {
		return run_refuse(reader, place, step->length,
		                  "thread %" PRIu64 " is in CTA %" PRIu32 " already", number, thread->cta);
	}
	thread->used = true;
	return run_need(reader, ";");
}

/* .wait [ Q {, Q} ] ; */
static bool read_wait(struct run_reader *reader, struct tma_ptx_place place)
{
	struct run_step *step = add(reader, RUN_WAIT, place);
	uint64_t number;

	if (!step)
		return false;
	if (!run_sees(reader, ";"))
		do {
			const struct tma_ptx_place at = run_here(reader);

			if (!run_integer(reader, "a thread", 0, RUN_QUEUES - 1, &number))
				return false;
			if (!reader->program->threads[number].used)
				return run_refuse(reader, at, reader->place.column - at.column,
				                  "there is no thread %" PRIu64 " above", number);
			step->threads |= 1u << number;
		} while (run_took(reader, ","));
	measure(reader, step);
	return run_need(reader, ";");
}

/* .set X = SOURCE ;  .compare X = SOURCE ; */
static bool read_data(struct run_reader *reader, enum run_step_kind kind, struct tma_ptx_place place)
{
	struct run_step *step = add(reader, kind, place);
	const struct run_symbol *symbol;
	bool good;

	if (!step || !run_read_target(reader, &step->target) || !run_need(reader, "="))
		return false;
	symbol = &reader->program->symbols[step->target.symbol];
	if (symbol->ptx.kind == TMA_PTX_REGISTER)
		good = run_read_value(reader, &symbol->type, &step->source);
	else
		good = run_read_source(reader, &symbol->type, &step->source);
	measure(reader, step);
	return good && run_need(reader, ";");
}

/* .dump X [ , "file" ] ; */
static bool read_dump(struct run_reader *reader, struct tma_ptx_place place)
{
	struct run_step *step = add(reader, RUN_DUMP, place);

	if (!step || !run_read_target(reader, &step->target))
		return false;
	if (run_took(reader, ",")) {
		step->path = run_string(reader, "the name of a file in quotes");
		if (!step->path)
			return false;
		if (reader->program->symbols[step->target.symbol].ptx.kind == TMA_PTX_REGISTER)
			return run_refuse(reader, step->target.place, step->target.length,
			                  "a register is not dumped to a file");
	}
	measure(reader, step);
	return run_need(reader, ";");
}

static bool read_version(struct run_reader *reader)
{
	struct run_number number;

	return run_number(reader, &number);
}

static bool read_address_size(struct run_reader *reader)
{
	uint64_t bits;

	return run_integer(reader, ".address_size", 64, 64, &bits);
}

static bool read_directive(struct run_reader *reader)
{
	const struct tma_ptx_place place = reader->place;

	if (run_took(reader, ".version"))
		return read_version(reader);
	if (run_took(reader, ".target"))
		return read_target(reader);
	if (run_took(reader, ".address_size"))
		return read_address_size(reader);
	if (run_took(reader, ".global"))
		return run_declare(reader, TMA_PTX_GLOBAL, false);
	if (run_took(reader, ".const"))
		return run_declare(reader, TMA_PTX_CONST, false);
	if (run_took(reader, ".param"))
		return run_declare(reader, TMA_PTX_PARAM, false);
	if (run_took(reader, ".shared"))
		return run_declare(reader, TMA_PTX_SHARED, false);
	if (run_took(reader, ".multimem"))
		return run_declare(reader, TMA_PTX_GLOBAL, true);
	if (run_took(reader, ".reg"))
		return run_declare_registers(reader);
	if (run_took(reader, ".tensormap"))
		return run_declare_map(reader);
	if (run_took(reader, ".thread"))
		return read_thread(reader, place);
	if (run_took(reader, ".wait"))
		return read_wait(reader, place);
	if (run_took(reader, ".set"))
		return read_data(reader, RUN_SET, place);
	if (run_took(reader, ".compare"))
		return read_data(reader, RUN_COMPARE, place);
	if (run_took(reader, ".dump"))
		return read_dump(reader, place);
	return run_refuse(reader, place, 1 + (uint32_t)strcspn(reader->text + 1, " \t\r\n;.,"),
	                  "there is no such directive; there are .target, .global, .const, .param, .shared, "
	                  ".multimem, .tensormap, .reg, .thread, .wait, .set, .compare and .dump");
}

/* The text, with a zero behind it. NULL: said */
static char *read_text(struct run_program *program)
{
	const bool standard = !strcmp(program->path, "-");
	FILE *file = standard ? stdin : fopen(program->path, "rb");
	size_t size = 0, room = 1 << 16;
	char *text = file ? malloc(room) : NULL, *more = text;
	const char *why = NULL;

	if (!file) {
		cli_refuse(program->tool, program->path, strerror(errno));
		return NULL;
	}
	errno = 0;
	while (more && size < LARGEST) {
		const size_t got = fread(text + size, 1, room - size - 1, file);

		size += got;
		if (!got)
			break;
		if (size + 1 == room) {
			more = realloc(text, room *= 2);
			text = more ? more : text;
		}
	}
	if (!more)
		why = "no memory is left";
	else if (ferror(file))
		why = strerror(errno);
	else if (size >= LARGEST)
		why = "is too long for a program";
	else if (memchr(text, 0, size))
		why = "is no text: it has a zero byte";
	if (!standard)
		fclose(file);
	if (why) {
		cli_refuse(program->tool, program->path, why);
		free(text);
		return NULL;
	}
	text[size] = 0;
	return text;
}

bool run_read_all(struct run_program *program)
{
	struct run_reader reader = { .program = program, .text = program->text, .place = { 1, 1 } };

	for (;;) {
		run_here(&reader);
		if (!*reader.text)
			return true;
		if (!(*reader.text == '.' ? read_directive(&reader) : read_instruction(&reader)))
			return false;
	}
}

int run_read(struct run_program *program, const char *tool, const char *path)
{
	char *text;
	bool good;

	memset(program, 0, sizeof(*program));
	program->errors = stderr;
	program->tool = tool;
	program->path = path ? path : "-";
	program->target = TMA_PTX_ENGINE;
	text = read_text(program);
	if (!text)
		return CLI_USAGE;
	program->text = run_alloc(program, strlen(text) + 1);
	if (program->text)
		strcpy(program->text, text);
	free(text);
	if (!program->text)
		return cli_refuse(tool, program->path, "no memory is left");
	good = run_read_all(program);
	return good ? 0 : CLI_USAGE;
}
