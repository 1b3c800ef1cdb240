/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The form that an instruction has: of those of its opcode, the one that its modifiers and then its operands fit.
 * If none does, what is said is what keeps it from the nearest one: the one with the fewest wrong modifiers, and of
 * those that they fit, the one that its operands come furthest in.
 */
#include <stdio.h>
#include <string.h>

#include "ptx.h"

static const struct ptx_table *const tables[] = { &ptx_table_bulk, &ptx_table_tensor, &ptx_table_sync,
	                                          &ptx_table_host };

const struct ptx_form *ptx_form(uint32_t number)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (number < tables[i]->count)
			return &tables[i]->forms[number];
		number -= (uint32_t)tables[i]->count;
	}
	return NULL;
}

const struct tma_ptx_operand *tma_ptx_find(const struct tma_ptx_instruction *instruction,
                                           enum tma_ptx_role role)
{
	for (uint32_t i = 0; i < instruction->count; i++)
		if (instruction->operand[i].role == role)
			return &instruction->operand[i];
	return NULL;
}

static const struct ptx_slot *slot_of(const struct ptx_form *form, uint32_t class)
{
	for (uint32_t i = 0; i < SLOTS; i++)
		if (form->slots[i].values && form->slots[i].class == class)
			return &form->slots[i];
	return NULL;
}

/* Spaces, mode and operator say which form is meant: what else is wrong weighs less. */
static uint32_t weight(uint32_t class)
{
	return class == TMA_PTX_CLASS_SPACE || class == TMA_PTX_CLASS_SPACE_2 ? 4
	       : class == TMA_PTX_CLASS_MODE || class == TMA_PTX_CLASS_OP     ? 3
	                                                                      : 2;
}

/* How far the modifiers are from the form; 0: they fit. */
static uint32_t distance(const struct tma_ptx_instruction *instruction, const struct ptx_form *form)
{
	uint32_t sum = 0;

	for (uint32_t class = 0; class < TMA_PTX_CLASSES; class ++) {
		const struct ptx_slot *slot = slot_of(form, class);
		const uint32_t value = instruction->modifier[class];

		if (value && (!slot || !(slot->values >> value & 1)))
			sum += weight(class);
		else if (!value && slot && !slot->optional)
			sum += weight(class) - 1; /* forgotten, rather than another form */
	}
	return sum;
}

/* ".tile, .im2col" */
static const char *list(char *text, size_t size, uint32_t class, uint32_t values)
{
	size_t used = 0;

	text[0] = 0;
	for (uint32_t value = 1; value < 32; value++)
		if (values >> value & 1 && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
			                         tma_ptx_modifier(class, value));
	return text;
}

/* The spaces that were written, to tell forms of one opcode apart. */
static const char *spaces(char *text, size_t size, const struct tma_ptx_instruction *instruction)
{
	const char *first = tma_ptx_modifier(TMA_PTX_CLASS_SPACE, instruction->modifier[TMA_PTX_CLASS_SPACE]);
	const char *second =
		tma_ptx_modifier(TMA_PTX_CLASS_SPACE, instruction->modifier[TMA_PTX_CLASS_SPACE_2]);

	snprintf(text, size, "%s%s", first ? first : "", first && second ? second : "");
	return text;
}

/* Values of a class that would do: of all forms that nothing else keeps the instruction from, or of this one. */
static uint32_t values_of(const struct tma_ptx_instruction *instruction, const struct ptx_form *form,
                          uint32_t class)
{
	const struct ptx_form *other;
	uint32_t values = 0;

	for (uint32_t i = 0; (other = ptx_form(i)); i++) {
		const struct ptx_slot *slot = other->opcode == form->opcode ? slot_of(other, class) : NULL;

		if (slot && distance(instruction, other) == weight(class) - !instruction->modifier[class])
			values |= slot->values;
	}
	return values ? values : slot_of(form, class)->values;
}

/* Say which modifier keeps the instruction from the form. */
static int wrong_modifier(struct ptx_parser *parser, const struct ptx_form *form)
{
	const struct tma_ptx_instruction *out = parser->out;
	const char *name = ptx_opcodes[out->opcode].name;
	char values[120], where[48];

	spaces(where, sizeof(where), out);
	for (uint32_t i = 0; i < parser->count; i++) {
		const struct ptx_mark *mark = &parser->marks[i];
		const struct ptx_slot *slot = slot_of(form, mark->class);
		const uint32_t length = (uint32_t)strlen(mark->modifier->text);

		if (!slot)
			return ptx_fail(parser, mark->place, length, "%s%s does not take %s", name,
			                mark->modifier->class == TMA_PTX_CLASS_SPACE ? "" : where,
			                mark->modifier->text);
		if (!(slot->values >> mark->modifier->value & 1))
			return ptx_fail(
				parser, mark->place, length, "%s cannot be the %s of this %s; it may be %s",
				mark->modifier->text, ptx_classes[mark->class].name, name,
				list(values, sizeof(values), mark->class, values_of(out, form, mark->class)));
	}
	for (uint32_t i = 0; i < SLOTS; i++) {
		const struct ptx_slot *slot = &form->slots[i];

		if (slot->values && !slot->optional && !out->modifier[slot->class])
			return ptx_fail(parser, out->place, parser->opcode_length, "%s%s needs its %s: %s",
			                name, where, ptx_classes[slot->class].name,
			                list(values, sizeof(values), slot->class,
			                     values_of(out, form, slot->class)));
	}
	return 0;
}

static bool is_there(const struct tma_ptx_instruction *instruction, const struct ptx_arg *arg)
{
	return arg->role && (!arg->with || instruction->modifier[arg->with]);
}

/* "3 operands", "4 or 5 operands", and which. */
static int wrong_count(struct ptx_parser *parser, const struct ptx_form *form, uint32_t needed, uint32_t most)
{
	const struct tma_ptx_instruction *out = parser->out;
	char names[100] = "";
	size_t used = 0;

	for (uint32_t i = 0; i < TMA_PTX_OPERANDS; i++)
		if (is_there(out, &form->args[i]) && used < sizeof(names))
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
			                         used ? ", " : ": ", ptx_roles[form->args[i].role]);
	if (needed == most)
		return ptx_fail(parser, out->count > most ? out->operand[most].place : parser->end, 1,
		                "%s has %u operands with these modifiers%s, not %u",
		                ptx_opcodes[out->opcode].name, most, names, out->count);
	return ptx_fail(parser, out->count > most ? out->operand[most].place : parser->end, 1,
	                "%s has %u or %u operands with these modifiers%s, not %u",
	                ptx_opcodes[out->opcode].name, needed, most, names, out->count);
}

/* How many operands fit; all of them, and more cannot be: success. -1 and the error else. */
static int check_operands(struct ptx_parser *parser, const struct ptx_form *form, uint32_t *fit)
{
	struct tma_ptx_instruction *out = parser->out;
	uint32_t needed = 0, most = 0;

	*fit = 0;
	for (uint32_t i = 0; i < TMA_PTX_OPERANDS; i++) {
		most += is_there(out, &form->args[i]);
		needed += is_there(out, &form->args[i]) && !form->args[i].optional;
	}
	if (out->count < needed || out->count > most)
		return wrong_count(parser, form, needed, most);
	for (uint32_t i = 0; i < TMA_PTX_OPERANDS; i++) {
		const struct ptx_arg *arg = &form->args[i];

		if (!is_there(out, arg) || (arg->optional && out->count == needed))
			continue;
		out->operand[*fit].role = (enum tma_ptx_role)arg->role;
		if (ptx_check(parser, arg, &out->operand[*fit]))
			return -1;
		++*fit;
	}
	return 0;
}

bool ptx_fit(struct tma_ptx_instruction *instruction)
{
	const struct ptx_form *form;

	for (instruction->form = 0; (form = ptx_form(instruction->form)); instruction->form++) {
		uint32_t fit = 0;

		if (form->opcode != instruction->opcode || distance(instruction, form))
			continue;
		for (uint32_t i = 0; i < TMA_PTX_OPERANDS; i++) {
			const struct ptx_arg *arg = &form->args[i];

			if (is_there(instruction, arg) && fit < instruction->count &&
			    instruction->operand[fit].role == (enum tma_ptx_role)arg->role)
				fit++;
			else if (is_there(instruction, arg) && !arg->optional)
				fit = TMA_PTX_OPERANDS + 1;
		}
		if (fit == instruction->count)
			return true;
	}
	return false;
}

/* "sm_100a, sm_100f" */
static const char *target_list(char *text, size_t size, uint32_t targets)
{
	size_t used = 0;

	for (uint32_t target = 0; target < TMA_PTX_ENGINE; target++)
		if (targets >> target & 1 && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
			                         tma_ptx_target_name((enum tma_ptx_target)target));
	return text;
}

/* The form and each modifier have targets. */
static int check_target(struct ptx_parser *parser, const struct ptx_form *form)
{
	const struct tma_ptx_instruction *out = parser->out;
	const char *target = tma_ptx_target_name(parser->target);
	char targets[100] = "";

	for (uint32_t i = 0; i < parser->count; i++) {
		const struct ptx_modifier *modifier = parser->marks[i].modifier;

		if (modifier->targets && !(modifier->targets >> parser->target & 1))
			return ptx_fail(parser, parser->marks[i].place, (uint32_t)strlen(modifier->text),
			                "%s is not of %s, but of %s", modifier->text, target,
			                target_list(targets, sizeof(targets), modifier->targets));
	}
	if (form->targets >> parser->target & 1)
		return 0;
	if (form->targets == T_ENGINE)
		return ptx_fail(parser, out->place, parser->opcode_length,
		                "%s is no PTX, but of the target engine", ptx_opcodes[out->opcode].name);
	return ptx_fail(parser, out->place, parser->opcode_length, "this form of %s is not of %s, but of %s",
	                ptx_opcodes[out->opcode].name, target,
	                target_list(targets, sizeof(targets), form->targets));
}

int ptx_match(struct ptx_parser *parser)
{
	struct tma_ptx_instruction *out = parser->out;
	struct tma_ptx_error nearest = { 0 };
	const struct ptx_form *form;
	uint32_t least = UINT32_MAX, furthest = 0, fit;

	for (out->form = 0; (form = ptx_form(out->form)); out->form++) {
		uint32_t far = form->opcode == out->opcode ? distance(out, form) : UINT32_MAX;

		if (far > least || far == UINT32_MAX || (far && far == least))
			continue;
		if (far) {
			wrong_modifier(parser, form);
			fit = 0;
		} else {
			/* The target comes last: it is what is wrong where nothing else is. */
			if (!check_operands(parser, form, &fit) && !check_target(parser, form))
				return 0;
			fit++;
		}
		if (far < least || fit > furthest)
			nearest = *parser->error;
		furthest = far < least || fit > furthest ? fit : furthest;
		least = far;
	}
	*parser->error = nearest;
	snprintf(parser->error->section, sizeof(parser->error->section), "%s",
	         ptx_opcodes[out->opcode].section);
	return -1;
}
