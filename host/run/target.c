/* SPDX-License-Identifier: Apache-2.0 */
/* Which bytes a directive is about: name [ @ CTA ] [ + bytes ] [ "[" elements "]" ]. */
#include <inttypes.h>
#include <string.h>

#include "run.h"

bool run_read_target(struct run_reader *reader, struct run_target *target)
{
	const struct run_symbol *symbol;
	char name[TMA_PTX_NAME];
	uint64_t value;

	if (!run_word(reader, "a variable", name, sizeof(name), &target->place))
		return false;
	target->length = (uint32_t)strlen(name);
	symbol = run_find(reader->program, name);
	if (!symbol)
		return run_refuse(reader, target->place, target->length, "%s is not declared", name);
	target->symbol = (uint32_t)(symbol - reader->program->symbols);
	if (symbol->ptx.kind == TMA_PTX_REGISTER)
		return true;
	if (run_took(reader, "@")) {
		if (symbol->ptx.space != TMA_PTX_SHARED && !symbol->multimem)
			return run_refuse(
				reader, target->place, target->length,
				"@ names the CTA of a shared variable or the port of a multimem object, and %s is "
				"neither",
				name);
		if (!run_integer(reader, symbol->multimem ? "the port" : "the CTA", 0, 255, &value))
			return false;
		target->has_at = true;
		target->at = (uint32_t)value;
	}
	if (run_took(reader, "+") &&
	    !run_integer(reader, "the bytes behind +", 0, UINT64_C(1) << 36, &target->offset))
		return false;
	if (run_took(reader, "[")) {
		if (!run_integer(reader, "the number of elements", 1, UINT64_C(1) << 32, &target->count) ||
		    !run_need(reader, "]"))
			return false;
		target->has_count = true;
	}
	return true;
}

const char *run_target_text(const struct run_program *program, const struct run_target *target, char *text,
                            size_t size)
{
	const struct run_symbol *symbol = &program->symbols[target->symbol];
	char at[16] = "", offset[32] = "";

	if (target->has_at)
		snprintf(at, sizeof(at), "@%" PRIu32, target->at);
	if (target->offset)
		snprintf(offset, sizeof(offset), "+%" PRIu64, target->offset);
	snprintf(text, size, "%s%s%s", symbol->name, at, offset);
	return text;
}

int run_extent(const struct run *run, const struct run_target *target, uint64_t *count, uint64_t *bytes)
{
	const struct run_symbol *symbol = &run->program->symbols[target->symbol];
	const uint64_t whole = symbol->count * symbol->type.bytes;

	if (target->offset > whole)
		return run_wrong(run->program, target->place, target->length,
		                 "%s has %" PRIu64 " bytes, and +%" PRIu64 " is behind them", symbol->name,
		                 whole, target->offset);
	*count = target->has_count ? target->count : (whole - target->offset) / symbol->type.bytes;
	*bytes = *count * symbol->type.bytes;
	if (*bytes > whole - target->offset)
		return run_wrong(run->program, target->place, target->length,
		                 "%s has %" PRIu64 " bytes, and %" PRIu64 " elements from +%" PRIu64
		                 " on leave them",
		                 symbol->name, whole, target->count, target->offset);
	return 0;
}
