/* SPDX-License-Identifier: Apache-2.0 */
/* An instruction into text, by its form: modifiers in the order of the documentation. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ptx.h"

struct writer {
	char *text;
	size_t size, used; /* used may be more than size */
};

static void put(struct writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct writer *writer, const char *format, ...)
{
	const size_t room = writer->used < writer->size ? writer->size - writer->used : 0;
	va_list args;

	va_start(args, format);
	writer->used += (size_t)vsnprintf(room ? writer->text + writer->used : NULL, room, format, args);
	va_end(args);
}

/* Small numbers as one counts, large ones as one addresses. */
static void put_number(struct writer *writer, uint64_t value)
{
	const int64_t number = (int64_t)value;

	if (number > -65536 && number < 65536)
		put(writer, "%" PRId64, number);
	else
		put(writer, "0x%" PRIx64, value);
}

static void put_term(struct writer *writer, const struct tma_ptx_term *term)
{
	char digits[32];
	uint64_t bits;

	switch (term->kind) {
	case TMA_PTX_REGISTER:
	case TMA_PTX_VARIABLE:
		put(writer, "%s", term->name);
		if (term->offset) {
			put(writer, "+");
			put_number(writer, term->value);
		}
		break;
	case TMA_PTX_IMMEDIATE:
		put_number(writer, term->value);
		break;
	case TMA_PTX_FLOAT:
		/* 17 digits are the number; without a point it would be a whole one. */
		memcpy(&bits, &term->number, sizeof(bits));
		ptx_of_double(term->number, digits, sizeof(digits));
		if (!isfinite(term->number))
			put(writer, "0d%016" PRIx64, bits);
		else
			put(writer, "%s%s", digits, strpbrk(digits, ".e") ? "" : ".0");
		break;
	case TMA_PTX_SINK:
		put(writer, "_");
		break;
	default:
		break;
	}
}

static void put_operand(struct writer *writer, const struct tma_ptx_operand *operand)
{
	const uint32_t count = operand->count < TMA_PTX_ELEMENTS ? operand->count : TMA_PTX_ELEMENTS;

	put(writer, "%s%s", operand->bracket ? "[" : "", operand->negated ? "!" : "");
	if (operand->bracket && operand->term.kind == TMA_PTX_IMMEDIATE)
		put(writer, "0x%" PRIx64, operand->term.value);
	else
		put_term(writer, &operand->term);
	if (count)
		put(writer, "%s{", operand->term.kind == TMA_PTX_NOTHING ? "" : ", ");
	for (uint32_t i = 0; i < count; i++) {
		put(writer, "%s", i ? ", " : "");
		put_term(writer, &operand->vector[i]);
	}
	put(writer, "%s%s", count ? "}" : "", operand->bracket ? "]" : "");
}

int tma_ptx_print(const struct tma_ptx_instruction *instruction, char *text, size_t size)
{
	struct writer writer = { text, size, 0 };
	const struct ptx_form *form = ptx_form(instruction->form);

	if (!form || form->opcode != instruction->opcode || instruction->count > TMA_PTX_OPERANDS)
		return -1;
	if (instruction->guard.kind != TMA_PTX_NOTHING)
		put(&writer, "@%s%s ", instruction->guard_negated ? "!" : "", instruction->guard.name);
	put(&writer, "%s", ptx_opcodes[form->opcode].name);
	for (uint32_t i = 0; i < SLOTS; i++) {
		const uint8_t class = form->slots[i].class;
		const char *modifier =
			tma_ptx_modifier((enum tma_ptx_class) class, instruction->modifier[class]);

		if (form->slots[i].values && modifier)
			put(&writer, "%s", modifier);
	}
	for (uint32_t i = 0; i < instruction->count; i++) {
		put(&writer, "%s", i ? ", " : " ");
		put_operand(&writer, &instruction->operand[i]);
	}
	put(&writer, ";");
	if (instruction->record || instruction->last_state || instruction->tag)
		put(&writer, " // tma:%s%s", instruction->record ? " record" : "",
		    instruction->last_state ? " last_state" : "");
	if (instruction->tag)
		put(&writer, " tag=0x%" PRIx32, instruction->tag);
	return (int)writer.used;
}

static bool same_term(const struct tma_ptx_term *one, const struct tma_ptx_term *other)
{
	return one->kind == other->kind && !strcmp(one->name, other->name) && one->offset == other->offset &&
	       one->value == other->value && !memcmp(&one->number, &other->number, sizeof(one->number));
}

static bool same_operand(const struct tma_ptx_operand *one, const struct tma_ptx_operand *other)
{
	if (one->role != other->role || one->bracket != other->bracket || one->negated != other->negated ||
	    !same_term(&one->term, &other->term) || one->count != other->count)
		return false;
	for (uint32_t i = 0; i < one->count && i < TMA_PTX_ELEMENTS; i++)
		if (!same_term(&one->vector[i], &other->vector[i]))
			return false;
	return true;
}

bool tma_ptx_same(const struct tma_ptx_instruction *one, const struct tma_ptx_instruction *other)
{
	if (one->opcode != other->opcode || memcmp(one->modifier, other->modifier, sizeof(one->modifier)) ||
	    !same_term(&one->guard, &other->guard) || one->guard_negated != other->guard_negated ||
	    one->count != other->count || one->record != other->record ||
	    one->last_state != other->last_state || one->tag != other->tag)
		return false;
	for (uint32_t i = 0; i < one->count && i < TMA_PTX_OPERANDS; i++)
		if (!same_operand(&one->operand[i], &other->operand[i]))
			return false;
	return true;
}
