/* SPDX-License-Identifier: Apache-2.0 */
/* tma check - PTX text: what a target takes, and why not. One instruction to a line. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tma_ptx.h"
#include "tool.h"

static const char usage[] =
	"usage: tma check --target TARGET [OPTION]... [FILE]...\n"
	"       tma check --symbols\n"
	"\n"
	"Reads PTX, one instruction to a line, and says of each whether the target takes it: `accept`, or `reject:` and\n"
	"why. Lines without an instruction are passed over. Without FILE, or as -, it is standard input.\n"
	"\n"
	"  --target TARGET  sm_90, sm_90a, sm_100, sm_100a, sm_100f, sm_103a, sm_110a, sm_120a, or engine: what printed\n"
	"                   commands of this engine are written in\n"
	"  --explain        below a rejected line the line itself, with what is wrong underlined\n"
	"  --symbols        print the declarations that the names in the instructions come from\n"
	"  --json           for programs\n"
	"\n"
	"Exit status: 0 all were accepted, 1 some were rejected, 2 a wrong option or file.\n";

struct check {
	enum tma_ptx_target target;
	bool explain;
	struct json *json; /* NULL: lines */
	uint64_t rejected;
};

/* One line without its end, however long. @return false: there is none; *error is not 0 if it could not be read */
static bool read_line(FILE *file, char **line, size_t *room, int *error)
{
	size_t used = 0;
	int c;

	errno = 0;
	while ((c = getc(file)) != EOF && c != '\n') {
		if (used + 2 > *room) {
			char *more = realloc(*line, *room * 2 + 256);

			if (!more) {
				*error = ENOMEM;
				return false;
			}
			*line = more;
			*room = *room * 2 + 256;
		}
		/* A zero byte would end the text; no PTX has one, nor this. */
		(*line)[used++] = c ? (char)c : '\1';
	}
	if (ferror(file)) {
		*error = errno ? errno : EIO;
		return false;
	}
	if (c == EOF && !used)
		return false;
	if (used && (*line)[used - 1] == '\r')
		used--;
	if (*line)
		(*line)[used] = 0;
	return true;
}

/* The line, and below it ^~~~ where it is wrong; tabs stay tabs. */
static void point(const char *line, const struct tma_ptx_error *error)
{
	const uint32_t column = error->place.column;
	uint32_t i;

	printf("    ");
	for (i = 0; line[i]; i++)
		putchar(line[i] != '\t' && iscntrl((unsigned char)line[i]) ? '?' : line[i]);
	printf("\n    ");
	for (i = 1; i < column && line[i - 1]; i++)
		putchar(line[i - 1] == '\t' ? '\t' : ' ');
	putchar('^');
	for (i = 1; i < error->length && column + i <= strlen(line); i++)
		putchar('~');
	putchar('\n');
}

static void report(const struct check *check, const char *name, uint64_t number, const char *line,
                   const struct tma_ptx_error *error)
{
	struct json *json = check->json;

	if (!json && !error) {
		puts("accept");
	} else if (!json) {
		printf("reject: %s", error->message);
		if (error->section[0])
			printf(" (semantics %s)", error->section);
		putchar('\n');
		if (check->explain)
			point(line, error);
	} else {
		json_begin(json, NULL, '{');
		json_text(json, "file", name);
		json_number(json, "line", (int64_t)number);
		json_bool(json, "accept", !error);
		if (error) {
			json_text(json, "reason", error->message);
			json_text(json, "section", error->section);
			json_number(json, "column", error->place.column);
			json_number(json, "length", error->length);
		}
		json_end(json, '}');
	}
}

/* @return 0, or the exit status of a file that cannot be read */
static int check_file(struct check *check, const char *path)
{
	const bool standard = !path || !strcmp(path, "-");
	const char *name = standard ? "standard input" : path;
	FILE *file = standard ? stdin : fopen(path, "r");
	size_t room = 0;
	char *line = NULL;
	int error = 0;

	if (!file)
		return cli_refuse(tool_check.full, name, strerror(errno));
	for (uint64_t number = 1; read_line(file, &line, &room, &error); number++) {
		struct tma_ptx_instruction instruction;
		struct tma_ptx_error wrong;
		bool bad;

		if (!line || !*tma_ptx_skip(line, NULL))
			continue;
		bad = tma_ptx_parse(line, check->target, tma_ptx_frame(), &instruction, &wrong);
		report(check, name, number, line, bad ? &wrong : NULL);
		check->rejected += bad;
	}
	free(line);
	if (!standard)
		fclose(file);
	return error ? cli_refuse(tool_check.full, name, strerror(error)) : 0;
}

static int print_symbols(void)
{
	char text[4096];

	tma_ptx_frame_text(text, sizeof(text));
	fputs(text, stdout);
	return cli_end(tool_check.full, TOOL_PASS);
}

static int run(int argc, char **argv)
{
	bool symbols = false, as_json = false;
	const char *target = NULL;
	struct check check = { 0 };
	struct json json = { .file = stdout };
	const struct cli_option options[] = {
		{ "target", CLI_TEXT, &target, 0, 0 },
		{ "explain", CLI_FLAG, &check.explain, 0, 0 },
		{ "symbols", CLI_FLAG, &symbols, 0, 0 },
		{ "json", CLI_FLAG, &as_json, 0, 0 },
	};
	const struct cli cli = { tool_check.full, usage, options, sizeof(options) / sizeof(options[0]) };
	int first, status = cli_parse(&cli, argc, argv, &first);

	if (status != CLI_GO_ON)
		return status;
	if (symbols && first == argc)
		return print_symbols();
	if (symbols)
		return cli_refuse(cli.tool, argv[first], "--symbols reads no file");
	if (!target)
		return cli_refuse(cli.tool, "--target", "is missing; see tma check --help");
	if (tma_ptx_target_of(target, &check.target)) {
		fprintf(stderr,
		        "%s: --target %s: must be sm_90, sm_90a, sm_100, sm_100a, sm_100f, sm_103a, sm_110a, sm_120a "
		        "or engine\n",
		        cli.tool, target);
		return TOOL_USAGE;
	}
	if (as_json) {
		check.json = &json;
		json_begin(&json, NULL, '[');
	}
	status = TOOL_PASS;
	if (first == argc)
		status = check_file(&check, NULL);
	for (; first < argc && !status; first++)
		status = check_file(&check, argv[first]);
	if (as_json)
		json_end(&json, ']');
	return cli_end(cli.tool, status ? status : check.rejected ? TOOL_FAIL : TOOL_PASS);
}

const struct tool_command tool_check = {
	.name = "check",
	.full = "tma check",
	.summary = "says which PTX instructions a target takes, and why not",
	.usage = usage,
	.run = run,
};
