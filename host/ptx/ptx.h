/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The grammar as tables, and the parts of the parser.
 *
 *	token.c      text into tokens
 *	number.c     numbers with a point, in every locale
 *	words.c      the words: opcodes, classes, modifiers, targets
 *	forms_*.c    the forms: which modifiers and operands an opcode takes together, for which targets
 *	syntax.c     what an operand may be: roles, syntaxes, rules for numbers
 *	parse.c      tokens into an instruction: guard, opcode, modifiers, operands as they stand
 *	match.c      the form that the modifiers and operands fit, or what keeps them from the nearest one
 *	operand.c    one operand against what its form says
 *	print.c      an instruction into text, by the same forms
 *	frame.c      the declarations of the frame
 *	command.c    an instruction and values into a command
 *	write.c      a command into an instruction of numbers
 */
#ifndef PTX_H
#define PTX_H

#include "tma_ptx.h"

/* ---- Targets as sets ---------------------------------------------------------------------------- */

#define ON(target) (1u << TMA_PTX_##target)
#define T_ENGINE   ON(ENGINE)
#define T_ALL      ((1u << TMA_PTX_TARGETS) - 1)
#define T_100      (T_ALL & ~(ON(SM_90) | ON(SM_90A)))
/* What is special to a generation: not the plain sm_100, not sm_120a. */
#define T_100A    (ON(SM_100A) | ON(SM_100F) | ON(SM_103A) | ON(SM_110A) | T_ENGINE)
#define T_120A    (T_100A | ON(SM_120A))
#define T_REPLACE (T_120A | ON(SM_90A))
#define T_103A    (ON(SM_103A) | T_ENGINE)

/* ---- Words -------------------------------------------------------------------------------------- */

/* What becomes of an instruction: the engine does it, the host does, or nobody has to. */
enum ptx_doer { DOER_ENGINE, DOER_HOST, DOER_NOBODY };

struct ptx_opcode {
	const char *name;
	const char *section; /* of docs/semantics.md */
	enum ptx_doer doer;
	const char *why; /* what is refused, and why, for the page */
};

struct ptx_class {
	const char *name; /* in messages and on the page */
	uint8_t next;     /* class of a second one; 0: there may be one */
};

struct ptx_modifier {
	const char *text; /* with its dot */
	uint8_t class, value;
	uint16_t targets; /* 0: all */
};

extern const struct ptx_opcode ptx_opcodes[TMA_PTX_OPCODES];
extern const struct ptx_class ptx_classes[TMA_PTX_CLASSES];
extern const struct ptx_modifier ptx_modifiers[];
extern const size_t ptx_num_modifiers;

/* ---- Operands ----------------------------------------------------------------------------------- */

enum ptx_syntax {
	/* [register+n], [variable+n]: of the first space, the second one, shared memory, or anywhere. */
	AT_SPACE,
	AT_SPACE_2,
	AT_SHARED,
	AT_SHARED_BARE, /* ptxas lets the brackets of a tensor copy's barrier be left out */
	AT_ANY,
	/* [map, {coordinates}]: as many as the dimension says, or a column and four rows. */
	TENSOR,
	TENSOR_ROWS,
	/* {offsets}: two less than the dimension, or two. */
	OFFSETS,
	OFFSETS_2,
	/* Register of that size, or a number. */
	INTEGER_16,
	INTEGER_32,
	INTEGER_64,
	CONSTANT,  /* a number alone */
	FRACTION,  /* a number with a point */
	PREDICATE, /* p or !p */
	/* Register that gets a result. */
	TO_32,
	TO_64,
	TO_64_OR_SINK,
	TO_SINK,
	TO_PREDICATE,
	/* Register of the instruction's type. */
	TO_TYPE,
	OF_TYPE,
	OF_TYPE_OR_SHARED, /* or a variable in shared memory */
	WORDS,
	SYNTAXES,
};

/* Of numbers, and one of registers. Nothing of it holds for the engine's dialect. */
enum ptx_rule {
	RULE_NONE,
	RULE_SIZE,
	RULE_GRANULE,
	RULE_CP_SIZE_CA,
	RULE_CP_SIZE_CG,
	RULE_SRC_SIZE, /* at most the cp-size */
	RULE_BIT,
	RULE_128,
	RULE_DIM,
	RULE_ELEMTYPE,
	RULE_ELEMTYPE_PACKED,
	RULE_INTERLEAVE,
	RULE_SWIZZLE,
	RULE_SWIZZLE_96B,
	RULE_ATOMICITY,
	RULE_FILL,
	RULE_FRACTION,
	RULE_TOTAL, /* at least primary */
	RULE_WIDE,  /* of an address: on sm_120a no 32-bit register */
	RULES,
};

struct ptx_range {
	int64_t min, max;
	uint32_t multiple; /* 0: any */
	uint32_t only;     /* bit n: n is allowed; 0: all between min and max */
	const char *text;  /* behind "must be" */
};

extern const char *const ptx_roles[TMA_PTX_ROLES]; /* their names */
extern const char *const ptx_syntaxes[SYNTAXES];   /* in words, for the page */
extern const struct ptx_range ptx_ranges[RULES];

/* ---- Forms -------------------------------------------------------------------------------------- */

#define SLOTS 12

/* One class of a form: the values that it may have. */
struct ptx_slot {
	uint8_t class;
	bool optional;
	uint32_t values; /* bit v: value v */
};

struct ptx_arg {
	uint8_t role, syntax, rule;
	uint8_t with; /* is there if and only if this class is; 0: it is there */
	bool optional;
};

struct ptx_form {
	uint8_t opcode;
	uint16_t targets;
	struct ptx_slot slots[SLOTS];          /* in the documentation's order; values 0: none */
	struct ptx_arg args[TMA_PTX_OPERANDS]; /* role NONE ends them */
};

/* The tables are one after another: a form is a number. */
struct ptx_table {
	const struct ptx_form *forms;
	size_t count;
};

extern const struct ptx_table ptx_table_bulk, ptx_table_tensor, ptx_table_sync, ptx_table_host;

/** @return the form of that number; NULL behind the last one */
const struct ptx_form *ptx_form(uint32_t number);

/* clang-format off */
/* To write the tables with. */
#define B(value)                         (1u << TMA_PTX_##value)
#define NEED(name, values)               { TMA_PTX_CLASS_##name, false, values }
#define MAY(name, values)                { TMA_PTX_CLASS_##name, true, values }
#define ARG(role, syntax)                { TMA_PTX_ROLE_##role, syntax, RULE_NONE, 0, false }
#define NUM(role, syntax, rule)          { TMA_PTX_ROLE_##role, syntax, rule, 0, false }
#define WITH(role, syntax, class)        { TMA_PTX_ROLE_##role, syntax, RULE_NONE, TMA_PTX_CLASS_##class, false }
#define OPTIONAL(role, syntax)           { TMA_PTX_ROLE_##role, syntax, RULE_NONE, 0, true }
#define OPTIONAL_NUM(role, syntax, rule) { TMA_PTX_ROLE_##role, syntax, rule, 0, true }
#define POLICY                           WITH(POLICY, INTEGER_64, CACHE_HINT)
/* clang-format on */

/* ---- Tokens ------------------------------------------------------------------------------------- */

enum ptx_token_kind {
	TOKEN_END,
	TOKEN_WORD,     /* name */
	TOKEN_MODIFIER, /* .name::name */
	TOKEN_NUMBER,   /* without a sign */
	TOKEN_FLOAT,
	TOKEN_SIGN, /* one character, or what is none of all this */
};

struct ptx_token {
	enum ptx_token_kind kind;
	const char *text;
	uint32_t length;
	uint64_t value;    /* of a number */
	double number;     /* of a float */
	const char *wrong; /* what is wrong with the number; NULL: nothing */
	struct tma_ptx_place place;
};

struct ptx_reader {
	const char *text; /* behind the token */
	struct tma_ptx_place place;
	struct ptx_token token;
};

void ptx_next(struct ptx_reader *reader);
bool ptx_is(const struct ptx_token *token, char sign);

/** strtod() with a point. */
double ptx_to_double(const char *text);
/** The 17 digits of a number, with a point if it has one. */
void ptx_of_double(double number, char *text, size_t size);

/* ---- Parts of the parser ------------------------------------------------------------------------ */

/* A modifier where it stands. */
struct ptx_mark {
	const struct ptx_modifier *modifier;
	uint8_t class; /* the second one of a pair, perhaps */
	struct tma_ptx_place place;
};

#define MARKS 16

struct ptx_parser {
	struct ptx_reader reader;
	enum tma_ptx_target target;
	const struct tma_ptx_symbols *symbols;
	struct tma_ptx_instruction *out;
	struct tma_ptx_error *error;
	struct ptx_mark marks[MARKS];
	uint32_t count;
	uint32_t opcode_length;
	struct tma_ptx_place end; /* of the operands: the semicolon */
};

/** Say what is wrong. @return -1 */
int ptx_fail(struct ptx_parser *parser, struct tma_ptx_place place, uint32_t length, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/** Find the form; give the operands their roles. */
int ptx_match(struct ptx_parser *parser);

/** Find the form of an instruction whose operands have their roles. @return false: there is none */
bool ptx_fit(struct tma_ptx_instruction *instruction);

/** Check the operand against what @p arg describes. */
int ptx_check(struct ptx_parser *parser, const struct ptx_arg *arg, const struct tma_ptx_operand *operand);

/** Elements that the vector of this operand has; 0: it has none. */
uint32_t ptx_elements(const struct tma_ptx_instruction *instruction, enum ptx_syntax syntax);

#endif
