/* SPDX-License-Identifier: Apache-2.0 */
/* Text into tokens. White space and comments stand between them and mean nothing. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"

static bool begins_name(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool in_modifier(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

const char *tma_ptx_skip(const char *text, struct tma_ptx_place *place)
{
	struct tma_ptx_place here = place ? *place : (struct tma_ptx_place){ 1, 1 };
	const char *end;

	for (;;) {
		if (isspace((unsigned char)*text)) {
			end = text + 1;
		} else if (!strncmp(text, "//", 2)) {
			end = text + strcspn(text, "\n");
		} else if (!strncmp(text, "/*", 2) && strstr(text + 2, "*/")) {
			end = strstr(text + 2, "*/") + 2;
		} else {
			if (place)
				*place = here;
			return text;
		}
		for (; text < end; text++) {
			here.column++;
			if (*text == '\n')
				here = (struct tma_ptx_place){ here.line + 1, 1 };
		}
	}
}

/* 0f and 8 digits, 0d and 16: the bits of a float. @return length, 0: it is none */
static uint32_t read_bits(struct ptx_token *token)
{
	uint32_t digits = token->text[1] == 'f' || token->text[1] == 'F' ? 8 : 16;
	uint64_t bits = 0;
	float single;

	if (token->text[0] != '0' || !token->text[1] || !strchr("fFdD", token->text[1]))
		return 0;
	for (uint32_t i = 0; i < digits; i++) {
		char c = token->text[2 + i];

		if (!isxdigit((unsigned char)c))
			return 0;
		bits = bits << 4 | (uint64_t)(isdigit((unsigned char)c) ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	if (in_name(token->text[2 + digits]))
		return 0;
	if (digits == 16) {
		memcpy(&token->number, &bits, sizeof(bits));
	} else {
		memcpy(&single, &(uint32_t){ (uint32_t)bits }, sizeof(single));
		token->number = (double)single;
	}
	return digits + 2;
}

/* 1.5, 1., 1e-3. @return length, 0: it is none */
static uint32_t read_float(struct ptx_token *token)
{
	const char *text = token->text;
	size_t whole = strspn(text, "0123456789"), length = whole;

	if (text[length] == '.' && !isalpha((unsigned char)text[length + 1]) && text[length + 1] != '_')
		length += 1 + strspn(text + length + 1, "0123456789");
	if ((text[length] == 'e' || text[length] == 'E')) {
		size_t sign = text[length + 1] == '-' || text[length + 1] == '+' ? 1 : 0;
		size_t digits = strspn(text + length + 1 + sign, "0123456789");

		length += digits ? 1 + sign + digits : 0;
	}
	if (!whole || length == whole)
		return 0;
	token->number = ptx_to_double(text);
	return (uint32_t)length;
}

static uint32_t read_integer(struct ptx_token *token)
{
	const char *text = token->text;
	char *end;
	int base = 10, skip = 0;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		base = 16, skip = 2;
	else if (text[0] == '0' && (text[1] == 'b' || text[1] == 'B'))
		base = 2, skip = 2;
	else if (text[0] == '0')
		base = 8;
	/* strtoull() would take the prefix once more. */
	if (skip && text[skip] == '0' && (text[skip + 1] | 0x20) == (text[1] | 0x20))
		base = 10;
	if (!isxdigit((unsigned char)text[skip])) {
		token->wrong = "a number without digits";
		return (uint32_t)skip;
	}
	errno = 0;
	token->value = strtoull(text + skip, &end, base);
	if (errno == ERANGE)
		token->wrong = "a number of more than 64 bits";
	if (*end == 'U')
		end++;
	if (in_name(*end)) {
		while (in_name(*end))
			end++;
		token->wrong = "no number: something follows its digits";
	}
	return (uint32_t)(end - text);
}

static void read_number(struct ptx_token *token)
{
	token->kind = TOKEN_FLOAT;
	token->length = read_bits(token);
	if (!token->length)
		token->length = read_float(token);
	if (token->length)
		return;
	token->kind = TOKEN_NUMBER;
	token->length = read_integer(token);
}

static void read_modifier(struct ptx_token *token)
{
	const char *end = token->text + 1;

	while (in_modifier(*end) || (end[0] == ':' && end[1] == ':' && in_modifier(end[2])))
		end += *end == ':' ? 2 : 1;
	token->kind = TOKEN_MODIFIER;
	token->length = (uint32_t)(end - token->text);
}

void ptx_next(struct ptx_reader *reader)
{
	struct ptx_token *token = &reader->token;
	const char *text = tma_ptx_skip(reader->text, &reader->place);

	*token = (struct ptx_token){ .kind = TOKEN_SIGN, .text = text, .length = 1, .place = reader->place };
	if (!*text) {
		token->kind = TOKEN_END;
		token->length = 0;
	} else if (begins_name(*text)) {
		token->kind = TOKEN_WORD;
		while (in_name(text[token->length]))
			token->length++;
	} else if (*text == '.' && in_modifier(text[1])) {
		read_modifier(token);
	} else if (isdigit((unsigned char)*text)) {
		read_number(token);
	}
	reader->text = text + token->length;
	reader->place.column += token->length;
}

bool ptx_is(const struct ptx_token *token, char sign)
{
	return token->kind == TOKEN_SIGN && *token->text == sign;
}
