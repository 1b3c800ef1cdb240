/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text into an instruction, by recursive descent:
 *
 *	instruction  = [ "@" [ "!" ] name ] opcode { modifier } [ operand { "," operand } ] ";"
 *	operand      = [ "!" ] term | vector | "[" term [ "," vector ] "]"
 *	vector       = "{" term { "," term } "}"
 *	term         = name [ "+" number ] | number
 *	number       = [ "-" ] digits
 *
 * The longest opcode that the text begins with is the opcode; words behind it are modifiers, in any order.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ptx.h"

int ptx_fail(struct ptx_parser *parser, struct tma_ptx_place place, uint32_t length, const char *format, ...)
{
	struct tma_ptx_error *error = parser->error;
	va_list args;

	memset(error, 0, sizeof(*error));
	error->place = place;
	error->length = length;
	va_start(args, format);
	vsnprintf(error->message, sizeof(error->message), format, args);
	va_end(args);
	return -1;
}

/* How much of a token a message shows. */
static int shown(const struct ptx_token *token)
{
	return token->length < 60 ? (int)token->length : 60;
}

/* What is expected, where the token stands. */
static int expected(struct ptx_parser *parser, const char *what)
{
	const struct ptx_token *token = &parser->reader.token;

	if (token->kind == TOKEN_END)
		return ptx_fail(parser, token->place, 0, "the text ends here, expected %s", what);
	/* Messages are plain characters, whatever the text is. */
	if (token->kind == TOKEN_SIGN && !isgraph((unsigned char)*token->text))
		return ptx_fail(parser, token->place, 1, "expected %s, not the byte 0x%02x", what,
		                (unsigned char)*token->text);
	return ptx_fail(parser, token->place, token->length, "expected %s, not \"%.*s\"", what, shown(token),
	                token->text);
}

static int take(struct ptx_parser *parser, char sign)
{
	char what[] = { '"', sign, '"', 0 };

	if (!ptx_is(&parser->reader.token, sign))
		return expected(parser, what);
	ptx_next(&parser->reader);
	return 0;
}

/* If it is there. */
static bool took(struct ptx_parser *parser, char sign)
{
	return ptx_is(&parser->reader.token, sign) && !take(parser, sign);
}

static int read_name(struct ptx_parser *parser, struct tma_ptx_term *term)
{
	const struct ptx_token *token = &parser->reader.token;
	struct tma_ptx_symbol symbol;

	if (token->kind != TOKEN_WORD)
		return expected(parser, "a name");
	term->place = token->place;
	if (token->length >= TMA_PTX_NAME)
		return ptx_fail(parser, token->place, token->length, "a name has at most %d characters",
		                TMA_PTX_NAME - 1);
	memcpy(term->name, token->text, token->length);
	if (!strcmp(term->name, "_")) {
		term->name[0] = 0;
		term->kind = TMA_PTX_SINK;
	} else if (parser->symbols && parser->symbols->find(parser->symbols->context, term->name, &symbol)) {
		term->kind = symbol.kind;
	} else {
		return ptx_fail(parser, token->place, token->length, "%s is not declared", term->name);
	}
	ptx_next(&parser->reader);
	return 0;
}

/* A number with its sign. */
static int read_number(struct ptx_parser *parser, struct tma_ptx_term *term)
{
	const struct ptx_token *token = &parser->reader.token;
	bool negative = took(parser, '-');

	if (token->kind != TOKEN_NUMBER && token->kind != TOKEN_FLOAT)
		return expected(parser, "a number");
	if (token->wrong)
		return ptx_fail(parser, token->place, token->length, "%.*s is %s", shown(token), token->text,
		                token->wrong);
	if (token->kind == TOKEN_NUMBER) {
		term->value = negative ? -token->value : token->value;
	} else if (term->kind == TMA_PTX_NOTHING) {
		term->kind = TMA_PTX_FLOAT;
		term->number = negative ? -token->number : token->number;
	} else {
		return expected(parser, "a whole number");
	}
	ptx_next(&parser->reader);
	return 0;
}

static int read_term(struct ptx_parser *parser, struct tma_ptx_term *term)
{
	const struct ptx_token *token = &parser->reader.token;

	term->place = token->place;
	if (token->kind == TOKEN_WORD) {
		if (read_name(parser, term))
			return -1;
		if (ptx_is(token, '-'))
			return ptx_fail(parser, token->place, 1,
			                "what is added to a name begins with +, as in +-8");
		if (!ptx_is(token, '+'))
			return 0;
		ptx_next(&parser->reader);
		term->offset = true;
		return read_number(parser, term);
	}
	if (token->kind != TOKEN_NUMBER && token->kind != TOKEN_FLOAT && !ptx_is(token, '-'))
		return expected(parser, "an operand");
	if (read_number(parser, term))
		return -1;
	if (term->kind == TMA_PTX_NOTHING)
		term->kind = TMA_PTX_IMMEDIATE;
	return 0;
}

static int read_vector(struct ptx_parser *parser, struct tma_ptx_operand *operand)
{
	const struct tma_ptx_place place = parser->reader.token.place;
	const uint32_t most = parser->target == TMA_PTX_ENGINE ? TMA_PTX_ELEMENTS : 5;

	if (take(parser, '{'))
		return -1;
	do {
		if (operand->count == most)
			return ptx_fail(parser, place, 1, "a vector has at most %u elements", most);
		if (read_term(parser, &operand->vector[operand->count++]))
			return -1;
	} while (took(parser, ','));
	return take(parser, '}');
}

static int read_operand(struct ptx_parser *parser, struct tma_ptx_operand *operand)
{
	operand->place = parser->reader.token.place;
	if (ptx_is(&parser->reader.token, '{'))
		return read_vector(parser, operand);
	if (took(parser, '!')) {
		operand->negated = true;
		return read_term(parser, &operand->term);
	}
	if (!took(parser, '['))
		return read_term(parser, &operand->term);
	operand->bracket = true;
	if (read_term(parser, &operand->term))
		return -1;
	if (took(parser, ',')) {
		if (operand->term.offset)
			return ptx_fail(parser, operand->term.place, (uint32_t)strlen(operand->term.name),
			                "nothing can be added to the address of a tensor map");
		if (read_vector(parser, operand))
			return -1;
	}
	return take(parser, ']');
}

static int read_operands(struct ptx_parser *parser)
{
	struct tma_ptx_instruction *out = parser->out;

	if (!ptx_is(&parser->reader.token, ';') && parser->reader.token.kind != TOKEN_END) {
		do {
			if (out->count == TMA_PTX_OPERANDS)
				return ptx_fail(parser, parser->reader.token.place, 1,
				                "no instruction has more than %d operands", TMA_PTX_OPERANDS);
			if (read_operand(parser, &out->operand[out->count++]))
				return -1;
		} while (took(parser, ','));
	}
	parser->end = parser->reader.token.place;
	if (!ptx_is(&parser->reader.token, ';'))
		return expected(parser, out->count ? "\",\" or \";\"" : "an operand or \";\"");
	return 0;
}

/* The modifier that the token is; of a pair of classes, the second one the second time. */
static int read_modifier(struct ptx_parser *parser)
{
	const struct ptx_token *token = &parser->reader.token;
	struct ptx_mark *mark = &parser->marks[parser->count];
	size_t i;

	for (i = 0; i < ptx_num_modifiers; i++)
		if (strlen(ptx_modifiers[i].text) == token->length &&
		    !strncmp(ptx_modifiers[i].text, token->text, token->length))
			break;
	if (i == ptx_num_modifiers)
		return ptx_fail(parser, token->place, token->length, "there is no modifier \"%.*s\"",
		                shown(token), token->text);
	*mark = (struct ptx_mark){ &ptx_modifiers[i], ptx_modifiers[i].class, token->place };
	if (parser->out->modifier[mark->class] && ptx_classes[mark->class].next)
		mark->class = ptx_classes[mark->class].next;
	if (parser->out->modifier[mark->class])
		return ptx_fail(parser, token->place, token->length, "%s: there is a %s already",
		                mark->modifier->text, ptx_classes[mark->modifier->class].name);
	parser->out->modifier[mark->class] = mark->modifier->value;
	if (++parser->count == MARKS)
		return ptx_fail(parser, token->place, token->length, "no instruction has %d modifiers",
		                MARKS);
	ptx_next(&parser->reader);
	return 0;
}

/* How many tokens of the text the opcode takes; 0: it is another one. */
static uint32_t tokens_of(const struct ptx_reader *start, const char *name)
{
	struct ptx_reader reader = *start;
	uint32_t tokens = 0;

	for (; *name; tokens++) {
		if (reader.token.kind != (tokens ? TOKEN_MODIFIER : TOKEN_WORD) ||
		    strncmp(name, reader.token.text, reader.token.length) ||
		    (name[reader.token.length] && name[reader.token.length] != '.'))
			return 0;
		name += reader.token.length;
		ptx_next(&reader);
	}
	return tokens;
}

static int read_opcode(struct ptx_parser *parser)
{
	struct ptx_reader *reader = &parser->reader;
	const char *text = reader->token.text;
	uint32_t most = 0;

	parser->out->place = reader->token.place;
	if (reader->token.kind != TOKEN_WORD)
		return expected(parser, "an instruction");
	for (uint32_t i = 0; i < TMA_PTX_OPCODES; i++) {
		uint32_t tokens = tokens_of(reader, ptx_opcodes[i].name);

		if (tokens > most) {
			most = tokens;
			parser->out->opcode = (enum tma_ptx_opcode)i;
		}
	}
	if (!most)
		return ptx_fail(parser, reader->token.place, reader->token.length,
		                "no instruction of this grammar begins with \"%.*s\"", shown(&reader->token),
		                text);
	for (; most; most--)
		ptx_next(reader);
	parser->opcode_length = (uint32_t)strlen(ptx_opcodes[parser->out->opcode].name);
	while (reader->token.kind == TOKEN_MODIFIER)
		if (read_modifier(parser))
			return -1;
	return 0;
}

static int read_guard(struct ptx_parser *parser)
{
	struct tma_ptx_instruction *out = parser->out;
	struct tma_ptx_symbol symbol = { 0 };

	if (!took(parser, '@'))
		return 0;
	out->guard_negated = took(parser, '!');
	if (read_name(parser, &out->guard))
		return -1;
	if (out->guard.kind == TMA_PTX_REGISTER)
		parser->symbols->find(parser->symbols->context, out->guard.name, &symbol);
	if (symbol.type != TMA_PTX_PRED)
		return ptx_fail(parser, out->guard.place, (uint32_t)strlen(out->guard.name),
		                "the guard must be a predicate register");
	return 0;
}

/* What a command has besides PTX: words behind "// tma:" in the same line. */
static int read_comment(struct ptx_parser *parser)
{
	static const char begin[] = "// tma:";
	struct ptx_reader *reader = &parser->reader;
	const char *text = reader->text + strspn(reader->text, " \t");
	struct tma_ptx_instruction *out = parser->out;
	struct ptx_reader words = *reader;
	const char *end;

	if (parser->target != TMA_PTX_ENGINE || strncmp(text, begin, sizeof(begin) - 1))
		return 0;
	end = text + strcspn(text, "\n");
	words.place.column += (uint32_t)(text - words.text) + sizeof(begin) - 1;
	words.text = text + sizeof(begin) - 1;
	for (ptx_next(&words); words.token.kind != TOKEN_END && words.token.text < end; ptx_next(&words)) {
		struct ptx_token token = words.token;

		if (token.length == 6 && !strncmp(token.text, "record", 6)) {
			out->record = true;
		} else if (token.length == 10 && !strncmp(token.text, "last_state", 10)) {
			out->last_state = true;
		} else if (!strncmp(token.text, "tag=", 4)) {
			ptx_next(&words);
			ptx_next(&words);
			if (words.token.text >= end || words.token.kind != TOKEN_NUMBER ||
			    words.token.wrong || words.token.value > UINT32_MAX)
				return ptx_fail(parser, token.place, 4, "a tag is a number below 2^32");
			out->tag = (uint32_t)words.token.value;
		} else {
			return ptx_fail(parser, token.place, token.length,
			                "behind \"// tma:\" stand record, last_state and tag=N");
		}
	}
	reader->place.column += (uint32_t)(end - reader->text);
	reader->text = end;
	return 0;
}

int tma_ptx_parse_next(const char **text, struct tma_ptx_place *place, enum tma_ptx_target target,
                       const struct tma_ptx_symbols *symbols, struct tma_ptx_instruction *out,
                       struct tma_ptx_error *error)
{
	struct tma_ptx_error unasked;
	struct ptx_parser parser = {
		.target = target, .symbols = symbols, .out = out, .error = error ? error : &unasked
	};

	memset(out, 0, sizeof(*out));
	parser.reader.text = *text;
	parser.reader.place = place ? *place : (struct tma_ptx_place){ 1, 1 };
	if (!tma_ptx_target_name(target))
		return ptx_fail(&parser, parser.reader.place, 0, "there is no such target");
	ptx_next(&parser.reader);
	if (read_guard(&parser) || read_opcode(&parser) || read_operands(&parser) || ptx_match(&parser) ||
	    read_comment(&parser))
		return -1;
	*text = parser.reader.text;
	if (place)
		*place = parser.reader.place;
	return 0;
}

int tma_ptx_parse(const char *text, enum tma_ptx_target target, const struct tma_ptx_symbols *symbols,
                  struct tma_ptx_instruction *out, struct tma_ptx_error *error)
{
	struct tma_ptx_place place = { 1, 1 };
	struct ptx_parser parser = { .error = error };

	if (tma_ptx_parse_next(&text, &place, target, symbols, out, error))
		return -1;
	text = tma_ptx_skip(text, &place);
	if (!*text)
		return 0;
	return error ? ptx_fail(&parser, place, 1, "something follows the instruction") : -1;
}
