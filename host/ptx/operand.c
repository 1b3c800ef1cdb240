/* SPDX-License-Identifier: Apache-2.0 */
/* One operand against what its form says that it may be. */
#include <string.h>

#include "ptx.h"

/* Bits of a register that holds a whole number; 0: it does not. */
static uint32_t integer_bits(uint8_t type)
{
	switch (type) {
	case TMA_PTX_U8:
	case TMA_PTX_S8:
	case TMA_PTX_B8:
		return 8;
	case TMA_PTX_U16:
	case TMA_PTX_S16:
	case TMA_PTX_B16:
		return 16;
	case TMA_PTX_U32:
	case TMA_PTX_S32:
	case TMA_PTX_B32:
		return 32;
	case TMA_PTX_U64:
	case TMA_PTX_S64:
	case TMA_PTX_B64:
		return 64;
	default:
		return 0;
	}
}

static struct tma_ptx_symbol symbol_of(const struct ptx_parser *parser, const struct tma_ptx_term *term)
{
	struct tma_ptx_symbol symbol = { 0 };

	if (term->kind == TMA_PTX_REGISTER || term->kind == TMA_PTX_VARIABLE)
		parser->symbols->find(parser->symbols->context, term->name, &symbol);
	return symbol;
}

/* "TERM: MUST", at the term. */
static int must(struct ptx_parser *parser, const struct ptx_arg *arg, const struct tma_ptx_term *term,
                const char *rule)
{
	uint32_t length = (uint32_t)strlen(term->name);

	return ptx_fail(parser, term->place, length ? length : 1, "%s must be %s", ptx_roles[arg->role],
	                rule);
}

static bool is_register(struct ptx_parser *parser, const struct tma_ptx_term *term, uint32_t bits)
{
	return term->kind == TMA_PTX_REGISTER && !term->offset &&
	       integer_bits(symbol_of(parser, term).type) == bits;
}

static bool is_plain(const struct tma_ptx_operand *operand)
{
	return !operand->bracket && !operand->negated && !operand->count;
}

/* The space of variables that may stand there; 0: a generic address. */
static uint8_t space_of(const struct tma_ptx_instruction *instruction, enum ptx_syntax syntax)
{
	uint8_t space = syntax == AT_SPACE     ? instruction->modifier[TMA_PTX_CLASS_SPACE]
	                : syntax == AT_SPACE_2 ? instruction->modifier[TMA_PTX_CLASS_SPACE_2]
	                : syntax == AT_SHARED || syntax == AT_SHARED_BARE ? TMA_PTX_SHARED
	                                                                  : 0;

	return space == TMA_PTX_SHARED_CTA || space == TMA_PTX_SHARED_CLUSTER ? TMA_PTX_SHARED : space;
}

static int check_address(struct ptx_parser *parser, const struct ptx_arg *arg,
                         const struct tma_ptx_operand *operand, enum ptx_syntax syntax)
{
	const struct tma_ptx_term *term = &operand->term;
	const struct tma_ptx_symbol symbol = symbol_of(parser, term);
	const uint8_t space = space_of(parser->out, syntax);

	if (!operand->bracket &&
	    (syntax != AT_SHARED_BARE || operand->negated || term->kind == TMA_PTX_IMMEDIATE))
		return ptx_fail(parser, operand->place, 1, "%s must be an address in brackets",
		                ptx_roles[arg->role]);
	switch (term->kind) {
	case TMA_PTX_REGISTER:
		if (integer_bits(symbol.type) < 32)
			return must(parser, arg, term, "addressed by a register of 32 or 64 bits");
		if (arg->rule == RULE_WIDE && parser->target == TMA_PTX_SM_120A &&
		    integer_bits(symbol.type) < 64)
			return must(parser, arg, term, ptx_ranges[arg->rule].text);
		return 0;
	case TMA_PTX_VARIABLE:
		/* What is in global memory has the same address as a generic one. */
		if (syntax != AT_ANY && symbol.space != (space ? space : TMA_PTX_GLOBAL))
			return ptx_fail(
				parser, term->place, (uint32_t)strlen(term->name), "%s lies in %s, %s is %s",
				term->name, tma_ptx_modifier(TMA_PTX_CLASS_SPACE, symbol.space),
				ptx_roles[arg->role],
				space ? tma_ptx_modifier(TMA_PTX_CLASS_SPACE, space) : "a generic address");
		return 0;
	case TMA_PTX_IMMEDIATE:
		if (parser->target == TMA_PTX_ENGINE)
			return 0;
		return must(parser, arg, term, "a register or a variable: no address is a number");
	default:
		return must(parser, arg, term, "a register or a variable");
	}
}

/* Elements of a vector: registers of that size, or numbers. */
static int check_vector(struct ptx_parser *parser, const struct ptx_arg *arg,
                        const struct tma_ptx_operand *operand, uint32_t bits)
{
	const uint32_t count = ptx_elements(parser->out, arg->syntax);

	if (operand->count != count)
		return ptx_fail(parser, operand->place, 1, "%s has %u elements here, not %u",
		                arg->role == TMA_PTX_ROLE_MAP ? "the vector of coordinates" : "the vector",
		                count, operand->count);
	for (uint32_t i = 0; i < count; i++) {
		const struct tma_ptx_term *term = &operand->vector[i];

		if (term->kind != TMA_PTX_IMMEDIATE &&
		    (arg->syntax == WORDS || !is_register(parser, term, bits)))
			return ptx_fail(parser, term->place, term->name[0] ? (uint32_t)strlen(term->name) : 1,
			                "element %u must be %s", i,
			                arg->syntax == WORDS ? "a number"
			                : bits == 16         ? "a 16-bit register or a number"
			                                     : "a 32-bit register or a number");
	}
	return 0;
}

/* The number of another operand, if it is one. */
static bool number_of(const struct tma_ptx_instruction *instruction, enum tma_ptx_role role, int64_t *value)
{
	const struct tma_ptx_operand *operand = tma_ptx_find(instruction, role);

	if (!operand || operand->term.kind != TMA_PTX_IMMEDIATE)
		return false;
	*value = (int32_t)operand->term.value;
	return true;
}

static int check_number(struct ptx_parser *parser, const struct ptx_arg *arg, const struct tma_ptx_term *term)
{
	const struct ptx_range *range = &ptx_ranges[arg->rule];
	const int64_t value = (int32_t)term->value;
	int64_t other = 0;
	bool right = value >= range->min && value <= range->max;

	if (arg->rule == RULE_NONE || parser->target == TMA_PTX_ENGINE)
		return 0;
	if (range->multiple)
		right = right && value % range->multiple == 0;
	if (range->only)
		right = right && value >= 0 && value < 32 && (range->only >> value & 1);
	if (arg->rule == RULE_SRC_SIZE && number_of(parser->out, TMA_PTX_ROLE_CP_SIZE, &other))
		right = right && value <= other;
	if (arg->rule == RULE_TOTAL && number_of(parser->out, TMA_PTX_ROLE_PRIMARY, &other))
		right = (uint32_t)value >= (uint32_t)other;
	return right ? 0 : must(parser, arg, term, range->text);
}

static int check_integer(struct ptx_parser *parser, const struct ptx_arg *arg,
                         const struct tma_ptx_operand *operand, uint32_t bits)
{
	const struct tma_ptx_term *term = &operand->term;

	if (is_plain(operand) && term->kind == TMA_PTX_IMMEDIATE)
		return check_number(parser, arg, term);
	if (bits && is_plain(operand) && is_register(parser, term, bits))
		return 0;
	return must(parser, arg, term,
	            bits == 16   ? "a 16-bit register or a number"
	            : bits == 32 ? "a 32-bit register or a number"
	            : bits == 64 ? "a 64-bit register or a number"
	                         : "a number");
}

static int check_fraction(struct ptx_parser *parser, const struct ptx_arg *arg,
                          const struct tma_ptx_operand *operand)
{
	const struct tma_ptx_term *term = &operand->term;

	if (is_plain(operand) && term->kind == TMA_PTX_REGISTER && !term->offset &&
	    symbol_of(parser, term).type == TMA_PTX_F32)
		return 0;
	if (!is_plain(operand) || term->kind != TMA_PTX_FLOAT)
		return must(parser, arg, term, "a number with a point, or an .f32 register");
	return term->number > 0 && term->number <= 1 ? 0
	                                             : must(parser, arg, term, ptx_ranges[arg->rule].text);
}

static int check_predicate(struct ptx_parser *parser, const struct ptx_arg *arg,
                           const struct tma_ptx_operand *operand)
{
	const struct tma_ptx_term *term = &operand->term;

	if (!operand->bracket && !operand->count && !term->offset &&
	    symbol_of(parser, term).type == TMA_PTX_PRED && (!operand->negated || arg->syntax == PREDICATE))
		return 0;
	/* true, as a command says it */
	if (parser->target == TMA_PTX_ENGINE && operand->negated && !operand->bracket &&
	    term->kind == TMA_PTX_IMMEDIATE)
		return arg->syntax == PREDICATE ? 0 : must(parser, arg, term, "a predicate register");
	return must(parser, arg, term, "a predicate register");
}

/* Where a result goes to. */
static int check_result(struct ptx_parser *parser, const struct ptx_arg *arg,
                        const struct tma_ptx_operand *operand, uint32_t bits)
{
	const struct tma_ptx_term *term = &operand->term;
	const bool sink = is_plain(operand) && term->kind == TMA_PTX_SINK && !term->offset;

	if (sink &&
	    (arg->syntax == TO_64_OR_SINK || arg->syntax == TO_SINK || parser->target == TMA_PTX_ENGINE))
		return 0;
	if (arg->syntax == TO_SINK)
		return must(parser, arg, term,
		            "the sink _: a barrier of another CTA does not return its state");
	if (arg->syntax == TO_PREDICATE)
		return check_predicate(parser, arg, operand);
	if (is_plain(operand) && is_register(parser, term, bits))
		return 0;
	return must(parser, arg, term, bits == 32 ? "a 32-bit register" : "a 64-bit register");
}

static int check_of_type(struct ptx_parser *parser, const struct ptx_arg *arg,
                         const struct tma_ptx_operand *operand, uint32_t bits)
{
	const struct tma_ptx_term *term = &operand->term;

	if (is_plain(operand) && is_register(parser, term, bits))
		return 0;
	if (is_plain(operand) && arg->syntax == OF_TYPE_OR_SHARED && term->kind == TMA_PTX_VARIABLE &&
	    symbol_of(parser, term).space == TMA_PTX_SHARED)
		return 0;
	return must(parser, arg, term,
	            arg->syntax == OF_TYPE_OR_SHARED
	                    ? "a register of the type, or a variable in shared memory"
	                    : "a register of the type");
}

uint32_t ptx_elements(const struct tma_ptx_instruction *instruction, enum ptx_syntax syntax)
{
	/* TMA_PTX_1D is 1, and so on. */
	const uint32_t dim = instruction->modifier[TMA_PTX_CLASS_DIM];

	switch (syntax) {
	case TENSOR:
		return dim;
	case TENSOR_ROWS:
		return 5;
	case OFFSETS:
		return dim - 2;
	case OFFSETS_2:
		return 2;
	case WORDS:
		return TMA_PTX_ELEMENTS;
	default:
		return 0;
	}
}

int ptx_check(struct ptx_parser *parser, const struct ptx_arg *arg, const struct tma_ptx_operand *operand)
{
	const uint8_t type = parser->out->modifier[TMA_PTX_CLASS_TYPE];

	switch ((enum ptx_syntax)arg->syntax) {
	case TENSOR:
	case TENSOR_ROWS:
		return check_address(parser, arg, operand, TENSOR) || check_vector(parser, arg, operand, 32)
		               ? -1
		               : 0;
	case OFFSETS:
	case OFFSETS_2:
	case WORDS:
		if (operand->bracket || operand->term.kind != TMA_PTX_NOTHING)
			return must(parser, arg, &operand->term, "a vector in braces");
		return check_vector(parser, arg, operand, 16);
	default:
		break;
	}
	if (operand->count)
		return ptx_fail(parser, operand->place, 1, "%s takes no vector", ptx_roles[arg->role]);
	switch ((enum ptx_syntax)arg->syntax) {
	case INTEGER_16:
		return check_integer(parser, arg, operand, 16);
	case INTEGER_32:
		return check_integer(parser, arg, operand, 32);
	case INTEGER_64:
		return check_integer(parser, arg, operand, 64);
	case CONSTANT:
		return check_integer(parser, arg, operand, 0);
	case FRACTION:
		return check_fraction(parser, arg, operand);
	case PREDICATE:
		return check_predicate(parser, arg, operand);
	case TO_32:
		return check_result(parser, arg, operand, 32);
	case TO_TYPE:
		return check_result(parser, arg, operand, integer_bits(type));
	case TO_64:
	case TO_64_OR_SINK:
	case TO_SINK:
	case TO_PREDICATE:
		return check_result(parser, arg, operand, 64);
	case OF_TYPE:
	case OF_TYPE_OR_SHARED:
		return check_of_type(parser, arg, operand, integer_bits(type));
	default:
		return check_address(parser, arg, operand, arg->syntax);
	}
}
