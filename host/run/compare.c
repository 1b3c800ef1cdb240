/* SPDX-License-Identifier: Apache-2.0 */
/* .compare and .dump: what came out, against what should have, or to a file. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "tool.h"

#define NAME      100
#define A_LINE    8
#define MOST_TEXT 1024 /* elements of a dump that is text; a file has all */

static struct run_comparison *add(struct run *run, const struct run_step *step)
{
	struct run_comparison *more = realloc(run->comparisons, (run->num_comparisons + 1) * sizeof(*more));

	if (!more)
		return NULL;
	run->comparisons = more;
	more = &more[run->num_comparisons++];
	*more = (struct run_comparison){ .step = step, .equal = true };
	return more;
}

/* The first element that differs, at a port of a multimem object or where there is but one place. */
static void differ(const struct run *run, struct run_comparison *comparison, const struct run_target *target,
                   const uint8_t *got, const uint8_t *expected, uint64_t count)
{
	const struct run_symbol *symbol = &run->program->symbols[target->symbol];
	const uint32_t bytes = symbol->type.bytes;
	char name[NAME], is[40], should[40];
	uint64_t i, more = 0, first = count;

	for (i = 0; i < count; i++)
		if (memcmp(got + i * bytes, expected + i * bytes, bytes)) {
			first = first == count ? i : first;
			more++;
		}
	run_element_text(&symbol->type, got + first * bytes, is, sizeof(is));
	run_element_text(&symbol->type, expected + first * bytes, should, sizeof(should));
	run_target_text(run->program, target, name, sizeof(name));
	comparison->equal = false;
	snprintf(comparison->text, sizeof(comparison->text),
	         "element %" PRIu64 " of %s is %s, not %s; %" PRIu64 " of %" PRIu64 " differ", first, name,
	         is, should, more, count);
}

static int compare_bytes(struct run *run, struct run_comparison *comparison, const uint8_t *expected,
                         uint8_t *got, uint64_t count, uint64_t size)
{
	struct run_target target = comparison->step->target;
	const uint32_t places = run_places(run, &target);
	int status = 0;

	for (uint32_t p = 0; p < places && !status && comparison->equal; p++) {
		if (places > 1) {
			target.has_at = true;
			target.at = p;
		}
		status = run_load(run, &target, got, size);
		if (!status && memcmp(got, expected, size))
			differ(run, comparison, &target, got, expected, count);
	}
	return status;
}

static int compare_memory(struct run *run, struct run_comparison *comparison)
{
	const struct run_step *step = comparison->step;
	const struct run_symbol *symbol = &run->program->symbols[step->target.symbol];
	uint64_t count, size;
	uint8_t *bytes;
	int status = run_extent(run, &step->target, &count, &size);

	if (status)
		return status;
	bytes = malloc(2 * size + 1);
	if (!bytes)
		return run_wrong(run->program, step->place, step->length, "no memory is left");
	status = run_bytes(run, &step->source, &symbol->type, count, bytes);
	if (!status)
		status = compare_bytes(run, comparison, bytes, bytes + size, count, size);
	free(bytes);
	return status;
}

/* @return 0 or the exit status: it has no value */
static int register_value(struct run *run, const struct run_step *step, uint64_t *value)
{
	struct run_symbol *symbol = &run->program->symbols[step->target.symbol];
	int status = 0;

	if (symbol->awaited[run->thread])
		status = run_answer(run, symbol, run->thread);
	if (!status && !symbol->known[run->thread])
		status = run_wrong(run->program, step->target.place, step->target.length,
		                   "%s has no value in thread %" PRIu32, symbol->name, run->thread);
	*value = symbol->value[run->thread];
	return status;
}

static int compare_register(struct run *run, struct run_comparison *comparison)
{
	const struct run_step *step = comparison->step;
	const struct run_symbol *symbol = &run->program->symbols[step->target.symbol];
	uint64_t got, expected = 0;
	int status = register_value(run, step, &got);

	if (status)
		return status;
	if (step->source.kind == RUN_ADDRESS)
		expected = run_cut(&symbol->type, run_address(run->program, &step->source.copy, run->thread));
	else
		run_element_put(&symbol->type, step->source.numbers, (uint8_t *)&expected);
	if (got == expected)
		return 0;
	comparison->equal = false;
	snprintf(comparison->text, sizeof(comparison->text), "%s is 0x%" PRIx64 ", not 0x%" PRIx64,
	         symbol->name, got, expected);
	return 0;
}

int run_compare(struct run *run, const struct run_step *step)
{
	const struct run_symbol *symbol = &run->program->symbols[step->target.symbol];
	struct run_comparison *comparison = add(run, step);
	int status;

	if (!comparison)
		return run_wrong(run->program, step->place, step->length, "no memory is left");
	status = symbol->ptx.kind == TMA_PTX_REGISTER ? compare_register(run, comparison)
	                                              : compare_memory(run, comparison);
	if (status || comparison->equal)
		return status;
	run->differences++;
	progress_clear(run->progress);
	run_wrong(run->program, step->place, step->length, "%s", comparison->text);
	return 0;
}

/* name: eight elements to a line. */
static void print(const struct run *run, const struct run_step *step, const uint8_t *bytes, uint64_t count,
                  FILE *file)
{
	const struct run_type *type = &run->program->symbols[step->target.symbol].type;
	const uint64_t most = file == stdout && count > MOST_TEXT ? MOST_TEXT : count;
	char name[NAME], text[40];

	run_target_text(run->program, &step->target, name, sizeof(name));
	for (uint64_t i = 0; i < most; i++) {
		run_element_text(type, bytes + i * type->bytes, text, sizeof(text));
		if (i % A_LINE == 0)
			fprintf(file, "%s%s[%" PRIu64 "]:", i ? "\n" : "", name, i);
		fprintf(file, " %s", text);
	}
	fputs(most < count ? "\n..\n" : "\n", file);
}

static bool ends_with(const char *text, const char *end)
{
	const size_t length = strlen(text), tail = strlen(end);

	return length >= tail && !strcmp(text + length - tail, end);
}

static int dump_file(struct run *run, const struct run_step *step, const uint8_t *bytes, uint64_t count)
{
	const struct run_type *type = &run->program->symbols[step->target.symbol].type;
	char path[RUN_PATH];
	FILE *file;
	bool good;

	if (*step->path == '/' || !run->options.output)
		snprintf(path, sizeof(path), "%s", step->path);
	else
		snprintf(path, sizeof(path), "%s/%s", run->options.output, step->path);
	file = fopen(path, "wb");
	if (!file)
		return run_wrong(run->program, step->place, step->length, "%s: %s", path, strerror(errno));
	if (ends_with(path, ".txt")) {
		print(run, step, bytes, count, file);
		good = true;
	} else {
		good = !ends_with(path, ".npy") || run_npy_write(file, type, count);
		good = good && fwrite(bytes, type->bytes, count, file) == count;
	}
	if (cli_close(file) || !good)
		return run_wrong(run->program, step->place, step->length, "%s: %s", path,
		                 errno ? strerror(errno) : "it cannot be written");
	return 0;
}

int run_dump(struct run *run, const struct run_step *step)
{
	const struct run_symbol *symbol = &run->program->symbols[step->target.symbol];
	uint64_t count, size, value;
	uint8_t *bytes;
	int status;

	if (symbol->ptx.kind == TMA_PTX_REGISTER) {
		status = register_value(run, step, &value);
		if (!status && !run->json)
			printf("%s: 0x%" PRIx64 "\n", symbol->name, value);
		return status;
	}
	status = run_extent(run, &step->target, &count, &size);
	bytes = status ? NULL : malloc(size + 1);
	if (!status && !bytes)
		return run_wrong(run->program, step->place, step->length, "no memory is left");
	if (!status)
		status = run_load(run, &step->target, bytes, size);
	if (!status && step->path)
		status = dump_file(run, step, bytes, count);
	else if (!status && !run->json)
		print(run, step, bytes, count, stdout);
	free(bytes);
	return status;
}
