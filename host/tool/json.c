/* SPDX-License-Identifier: Apache-2.0 */
/* JSON, one member to a line. */
#include <inttypes.h>

#include "tool.h"

static void put_text(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(file, "\\%c", *text);
		else if ((unsigned char)*text < 0x20)
			fprintf(file, "\\u%04x", (unsigned char)*text);
		else
			fputc(*text, file);
	}
	fputc('"', file);
}

static void start(struct json *json, const char *name)
{
	if (json->follows)
		fputc(',', json->file);
	if (json->depth)
		fprintf(json->file, "\n%*s", (int)(2 * json->depth), "");
	if (name) {
		put_text(json->file, name);
		fputs(": ", json->file);
	}
	json->follows = true;
}

void json_begin(struct json *json, const char *name, char bracket)
{
	start(json, name);
	fputc(bracket, json->file);
	json->depth++;
	json->follows = false;
}

void json_end(struct json *json, char bracket)
{
	json->depth--;
	if (json->follows)
		fprintf(json->file, "\n%*s", (int)(2 * json->depth), "");
	fputc(bracket, json->file);
	json->follows = true;
	if (!json->depth)
		fputc('\n', json->file);
}

void json_text(struct json *json, const char *name, const char *text)
{
	start(json, name);
	put_text(json->file, text);
}

void json_number(struct json *json, const char *name, int64_t number)
{
	start(json, name);
	fprintf(json->file, "%" PRId64, number);
}

void json_bool(struct json *json, const char *name, bool value)
{
	start(json, name);
	fputs(value ? "true" : "false", json->file);
}

void json_hex(struct json *json, const char *name, uint64_t value)
{
	start(json, name);
	fprintf(json->file, "\"0x%" PRIx64 "\"", value);
}
