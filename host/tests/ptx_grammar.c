/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ptx_grammar - the tables of the grammar against themselves.
 *
 * Spec: host/ptx/ptx.h
 * Checks: every opcode, role, syntax and rule is named and used; a form has a class once, and what an operand depends on;
 *         100 random instructions of every form, made of its table alone: each target takes those that the form and
 *         its modifiers are of, as what the form says, and prints them as they were read; with an operand less or more, a
 *         modifier twice or one that is needed left out none does.
 */
#include "lib/rng.h"
#include "ptx.h"
#include "ptx_test.h"

TEST(test_tables)
{
	bool opcodes[TMA_PTX_OPCODES] = { 0 }, roles[TMA_PTX_ROLES] = { 0 }, syntaxes[SYNTAXES] = { 0 },
	     rules[RULES] = { 0 };
	const struct ptx_form *form;

	for (uint32_t i = 0; (form = ptx_form(i)); i++) {
		uint32_t classes = 0;

		opcodes[form->opcode] = true;
		assert_true(form->targets & T_ENGINE);
		for (uint32_t j = 0; j < SLOTS; j++) {
			if (!form->slots[j].values)
				continue;
			assert_false(classes >> form->slots[j].class & 1);
			classes |= 1u << form->slots[j].class;
			assert_false(form->slots[j].values & 1);
			for (uint32_t value = 1; value < 32; value++)
				if (form->slots[j].values >> value & 1)
					assert_non_null(tma_ptx_modifier(
						(enum tma_ptx_class)form->slots[j].class, value));
		}
		for (uint32_t j = 0; j < TMA_PTX_OPERANDS && form->args[j].role; j++) {
			const struct ptx_arg *arg = &form->args[j];

			roles[arg->role] = syntaxes[arg->syntax] = rules[arg->rule] = true;
			assert_true(!arg->with || classes >> arg->with & 1);
		}
	}
	for (uint32_t i = 0; i < TMA_PTX_OPCODES; i++)
		assert_true(opcodes[i] && ptx_opcodes[i].name);
	for (uint32_t i = 1; i < TMA_PTX_ROLES; i++)
		assert_true(roles[i] && ptx_roles[i]);
	for (uint32_t i = 0; i < SYNTAXES; i++)
		assert_true(syntaxes[i] && ptx_syntaxes[i]);
	for (uint32_t i = 0; i < RULES; i++)
		assert_true(rules[i] && ptx_ranges[i].text);
	for (uint32_t i = 0; i < TMA_PTX_CLASSES; i++)
		assert_non_null(ptx_classes[i].name);
}

/* ---- Instructions made of a form ---------------------------------------------------------------- */

struct made {
	char words[400], operands[400];
	uint8_t modifier[TMA_PTX_CLASSES];
	uint32_t targets, operand_count;
};

static uint32_t draw_value(struct rng *rng, uint32_t values)
{
	uint32_t value;

	do
		value = rng_below(rng, 32);
	while (!(values >> value & 1));
	return value;
}

static uint32_t targets_of(uint32_t class, uint32_t value)
{
	for (size_t i = 0; i < ptx_num_modifiers; i++)
		if (ptx_modifiers[i].class == class && ptx_modifiers[i].value == value &&
		    ptx_modifiers[i].targets)
			return ptx_modifiers[i].targets;
	return T_ALL;
}

static void put(char *text, const char *more)
{
	assert_true(strlen(text) + strlen(more) < 400);
	strcat(text, more);
}

/* A variable of the space, or a register. */
static void put_address(struct rng *rng, char *text, uint32_t space, bool bare)
{
	static const char *const names[] = { [0] = "gbl",
		                             [TMA_PTX_GLOBAL] = "gbl",
		                             [TMA_PTX_SHARED] = "smem",
		                             [TMA_PTX_SHARED_CTA] = "smem",
		                             [TMA_PTX_SHARED_CLUSTER] = "smem",
		                             [TMA_PTX_CONST] = "cmap",
		                             [TMA_PTX_PARAM] = "pmap",
		                             [TMA_PTX_LOCAL] = "dst64" };
	static const char *const more[] = { "", "+16", "+-8" };

	put(text, bare ? "" : "[");
	put(text, rng_percent(rng, 50) ? "v64" : names[space]);
	put(text, bare ? "" : more[rng_below(rng, 3)]);
	put(text, bare ? "" : "]");
}

static void put_vector(struct rng *rng, char *text, uint32_t count, const char *name)
{
	put(text, "{");
	for (uint32_t i = 0; i < count; i++) {
		put(text, i ? ", " : "");
		put(text, name && rng_percent(rng, 50) ? name : "7");
	}
	put(text, "}");
}

/* A number that the rule allows. */
static void put_number(struct rng *rng, char *text, const struct ptx_range *range)
{
	char digits[24];
	int64_t value;

	do
		value = range->min +
		        rng_below(rng, (uint32_t)(range->max - range->min < 2000 ? range->max - range->min + 1
		                                                                 : 2000));
	while ((range->multiple && value % range->multiple) || (range->only && !(range->only >> value & 1)));
	snprintf(digits, sizeof(digits), "%lld", (long long)value);
	put(text, digits);
}

static void put_operand(struct rng *rng, const struct ptx_arg *arg, struct made *made)
{
	const struct tma_ptx_instruction shape = {
		.modifier = { [TMA_PTX_CLASS_DIM] = made->modifier[TMA_PTX_CLASS_DIM] }
	};
	const uint32_t count = shape.modifier[TMA_PTX_CLASS_DIM] || arg->syntax == WORDS
	                               ? ptx_elements(&shape, (enum ptx_syntax)arg->syntax)
	                               : 1;
	const bool wide = made->modifier[TMA_PTX_CLASS_TYPE] == TMA_PTX_U64, number = rng_percent(rng, 50);
	char *text = made->operands;

	switch ((enum ptx_syntax)arg->syntax) {
	case AT_SPACE:
		put_address(rng, text, made->modifier[TMA_PTX_CLASS_SPACE], false);
		break;
	case AT_SPACE_2:
		put_address(rng, text, made->modifier[TMA_PTX_CLASS_SPACE_2], false);
		break;
	case AT_SHARED:
		put_address(rng, text, TMA_PTX_SHARED, false);
		break;
	case AT_SHARED_BARE:
		put_address(rng, text, TMA_PTX_SHARED, rng_percent(rng, 50));
		break;
	case AT_ANY:
		put_address(rng, text, 1 + rng_below(rng, 6), false);
		break;
	case TENSOR:
	case TENSOR_ROWS:
		put(text, "[tm, ");
		put_vector(rng, text, count, "c1");
		put(text, "]");
		break;
	case OFFSETS:
	case OFFSETS_2:
		put_vector(rng, text, count, "h1");
		break;
	case WORDS:
		put_vector(rng, text, count, NULL);
		break;
	case CONSTANT:
		put_number(rng, text, &ptx_ranges[arg->rule]);
		break;
	case INTEGER_16:
	case INTEGER_32:
	case INTEGER_64:
		/* The source size goes to the cp-size, the total from the primary size on: a register is always right. */
		if (number && arg->rule != RULE_SRC_SIZE && arg->rule != RULE_TOTAL)
			put_number(rng, text, &ptx_ranges[arg->rule]);
		else
			put(text, arg->syntax == INTEGER_16   ? "h0"
			          : arg->syntax == INTEGER_32 ? "r32"
			                                      : "v64");
		break;
	case FRACTION:
		put(text, number ? "0.125" : "f0");
		break;
	case PREDICATE:
		put(text, number ? "p" : "!q");
		break;
	case TO_32:
		put(text, "d32");
		break;
	case TO_64:
		put(text, "d64");
		break;
	case TO_64_OR_SINK:
		put(text, number ? "d64" : "_");
		break;
	case TO_SINK:
		put(text, "_");
		break;
	case TO_PREDICATE:
		put(text, "p");
		break;
	case TO_TYPE:
	case OF_TYPE:
		put(text, wide ? "d64" : "d32");
		break;
	default: /* OF_TYPE_OR_SHARED */
		put(text, number ? "smem+4" : wide ? "a64" : "a32");
		break;
	}
}

/* Without the slot and the operand of these numbers; UINT32_MAX: all of them. */
static void make(struct rng *rng, const struct ptx_form *form, uint32_t less_slot, uint32_t less_operand,
                 struct made *made)
{
	memset(made, 0, sizeof(*made));
	made->targets = form->targets;
	put(made->words, ptx_opcodes[form->opcode].name);
	for (uint32_t i = 0; i < SLOTS; i++) {
		const struct ptx_slot *slot = &form->slots[i];
		uint32_t value;

		if (!slot->values || i == less_slot || (slot->optional && rng_percent(rng, 50)))
			continue;
		value = draw_value(rng, slot->values);
		made->modifier[slot->class] = (uint8_t)value;
		made->targets &= targets_of(slot->class, value);
		put(made->words, tma_ptx_modifier((enum tma_ptx_class)slot->class, value));
	}
	for (uint32_t i = 0; i < TMA_PTX_OPERANDS && form->args[i].role; i++) {
		const struct ptx_arg *arg = &form->args[i];

		if (i == less_operand || (arg->with && !made->modifier[arg->with]) ||
		    (arg->optional && rng_percent(rng, 50)))
			continue;
		put(made->operands, made->operand_count++ ? ", " : " ");
		put_operand(rng, arg, made);
	}
}

static void put_together(const struct made *made, const char *behind, char *text, size_t size)
{
	snprintf(text, size, "%s%s%s;", made->words, made->operands, behind);
}

TEST(test_every_form)
{
	struct rng rng = rng_make(19, 0);
	const struct ptx_form *form;
	uint32_t taken = 0;

	for (uint32_t i = 0; (form = ptx_form(i)); i++) {
		for (uint32_t j = 0; j < 100; j++) {
			struct made made;
			char text[900];

			make(&rng, form, UINT32_MAX, UINT32_MAX, &made);
			put_together(&made, "", text, sizeof(text));
			for (uint32_t target = 0; target < TMA_PTX_TARGETS; target++) {
				struct tma_ptx_instruction read, again;
				struct tma_ptx_error error = { 0 };
				char printed[900];
				bool accept = !tma_ptx_parse(text, (enum tma_ptx_target)target,
				                             tma_ptx_frame(), &read, &error);

				if (accept != (made.targets >> target & 1))
					fail_msg("%s, %s: %s", text,
					         tma_ptx_target_name((enum tma_ptx_target)target),
					         accept ? "accepted" : error.message);
				if (!accept)
					continue;
				taken++;
				assert_int_equal(read.opcode, form->opcode);
				assert_memory_equal(read.modifier, made.modifier, sizeof(made.modifier));
				assert_int_equal(read.count, made.operand_count);
				assert_in_range(tma_ptx_print(&read, printed, sizeof(printed)), 1,
				                sizeof(printed) - 1);
				assert_int_equal(tma_ptx_parse(printed, (enum tma_ptx_target)target,
				                               tma_ptx_frame(), &again, NULL),
				                 0);
				assert_true(tma_ptx_same(&again, &read));
			}
		}
	}
	assert_true(taken > 30000);
}

static void expect_none(const char *text)
{
	struct tma_ptx_instruction read;

	if (!tma_ptx_parse(text, TMA_PTX_ENGINE, tma_ptx_frame(), &read, NULL))
		fail_msg("%s: accepted", text);
}

TEST(test_forms_that_are_wrong)
{
	/* Classes without which no other form is left. */
	const uint32_t always =
		1u << TMA_PTX_CLASS_DIM | 1u << TMA_PTX_CLASS_MECHANISM | 1u << TMA_PTX_CLASS_TYPE |
		1u << TMA_PTX_CLASS_OP | 1u << TMA_PTX_CLASS_NOFTZ | 1u << TMA_PTX_CLASS_CACHE |
		1u << TMA_PTX_CLASS_LEVEL | 1u << TMA_PTX_CLASS_FIELD | 1u << TMA_PTX_CLASS_OBJECT |
		1u << TMA_PTX_CLASS_SYNC | 1u << TMA_PTX_CLASS_ALIGNED;
	struct rng rng = rng_make(20, 0);
	const struct ptx_form *form;

	for (uint32_t i = 0; (form = ptx_form(i)); i++) {
		struct made made;
		char text[900];

		make(&rng, form, UINT32_MAX, UINT32_MAX, &made);
		put_together(&made, ", 1, 1, 1", text, sizeof(text));
		expect_none(text);
		/* A modifier once more; a space or a priority would be the second one. */
		if (strchr(made.words + strlen(ptx_opcodes[form->opcode].name), '.')) {
			const uint32_t last = (uint32_t)(strrchr(made.words, '.') - made.words);
			char twice[60];

			snprintf(twice, sizeof(twice), "%s%s%s", made.words + last, made.words + last,
			         made.words + last);
			put(made.words, twice);
			put_together(&made, "", text, sizeof(text));
			expect_none(text);
		}
		/* Without the first operand that may not be left out. */
		if (form->args[0].role && !form->args[0].optional) {
			make(&rng, form, UINT32_MAX, 0, &made);
			put_together(&made, "", text, sizeof(text));
			expect_none(text);
		}
		for (uint32_t j = 0; j < SLOTS; j++) {
			if (!(always >> form->slots[j].class & 1) || !form->slots[j].values ||
			    form->slots[j].optional)
				continue;
			make(&rng, form, j, UINT32_MAX, &made);
			put_together(&made, "", text, sizeof(text));
			expect_none(text);
		}
	}
}
