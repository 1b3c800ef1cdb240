/* SPDX-License-Identifier: Apache-2.0 */
/* tma - looks at, tests and explains engines: finds the command and runs it. */
#include <stdlib.h>
#include <string.h>

#include "tool.h"

/* In the order of the help. */
static const struct tool_command *const commands[] = { &tool_info,  &tool_selftest, &tool_map,
	                                               &tool_check, &tool_run,      &tool_bench };

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void print_help(FILE *file)
{
	size_t i;

	fputs("usage: tma COMMAND [ARGUMENT]...\n"
	      "       tma --help | --version | help COMMAND\n"
	      "\n"
	      "Looks at, tests and explains Tramway engines.\n"
	      "\n",
	      file);
	for (i = 0; i < COMMANDS; i++)
		fprintf(file, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\n"
	      "`tma help COMMAND` or `tma COMMAND --help` tells the arguments, `man tma-COMMAND` more.\n"
	      "\n"
	      "Exit status: 0 all is well, 1 a test or a copy failed, 2 a wrong option or file, or no such back end.\n",
	      file);
}

static const struct tool_command *find(const char *name)
{
	size_t i;

	for (i = 0; i < COMMANDS; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

static int no_command(const char *name)
{
	return cli_refuse("tma", name, "there is no such command; see tma --help");
}

static int help(int argc, char **argv)
{
	const struct tool_command *command;

	if (argc > 3)
		return cli_refuse("tma help", argv[3], "one command at a time; see tma --help");
	if (argc < 3) {
		print_help(stdout);
		return cli_end("tma", TOOL_PASS);
	}
	command = find(argv[2]);
	if (!command)
		return no_command(argv[2]);
	fputs(command->usage, stdout);
	return cli_end("tma", TOOL_PASS);
}

static bool is(const char *word, const char *one, const char *other)
{
	return !strcmp(word, one) || (other && !strcmp(word, other));
}

int main(int argc, char **argv)
{
	const struct tool_command *command;

	/* "--" ends the options of the tool itself, of which it has none but these. */
	if (argc > 1 && is(argv[1], "--", NULL)) {
		argc--;
		argv++;
	} else if (argc > 1 && is(argv[1], "--help", "-h")) {
		print_help(stdout);
		return cli_end("tma", TOOL_PASS);
	} else if (argc > 1 && is(argv[1], "--version", NULL)) {
		printf("tma %d.%d.%d\n", TMA_VERSION_MAJOR, TMA_VERSION_MINOR, TMA_VERSION_PATCH);
		return cli_end("tma", TOOL_PASS);
	} else if (argc > 1 && argv[1][0] == '-') {
		return cli_refuse("tma", argv[1], "there is no such option; see tma --help");
	}
	if (argc < 2) {
		print_help(stderr);
		return TOOL_USAGE;
	}
	if (is(argv[1], "help", NULL))
		return help(argc, argv);
	command = find(argv[1]);
	if (!command)
		return no_command(argv[1]);
	return command->run(argc - 1, argv + 1);
}
