/* SPDX-License-Identifier: Apache-2.0 */
/* tma map - makes tensor maps and explains them: finds the sub-command. */
#include <string.h>

#include "map.h"

static const char usage[] =
	"usage: tma map encode OPTION...\n"
	"       tma map decode [--json] [FILE]\n"
	"       tma map describe [FILE]\n"
	"       tma map draw [OPTION]... [FILE]\n"
	"\n"
	"Makes tensor maps, the 128 bytes of a CUtensorMap, and explains them.\n"
	"\n"
	"  encode    make one from the arguments of cuTensorMapEncode*\n"
	"  decode    the options of encode that make this map again\n"
	"  describe  a map in words; of an illegal one the rule that it breaks\n"
	"  draw      where the elements of its box land in shared memory\n"
	"\n"
	"FILE holds the 128 bytes, or 256 hexadecimal digits; without it, or as -, it is standard input.\n"
	"`tma map encode --help` and so on tell the options.\n"
	"\n"
	"Exit status: 0 all is well, 1 the map is illegal or its copy faults, 2 a wrong option or file.\n";

static int run(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(int argc, char **argv);
	} commands[] = {
		{ "encode", map_encode },
		{ "decode", map_decode },
		{ "describe", map_describe },
		{ "draw", map_draw },
	};
	const struct cli cli = { .tool = tool_map.full, .usage = usage };
	int first;
	size_t i;

	if (argc > 1 && !strcmp(argv[1], "--")) {
		argc--;
		argv++;
	}
	for (i = 0; argc > 1 && i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	if (argc > 1 && argv[1][0] == '-') {
		/* It has no options but help and version. */
		int status = cli_parse(&cli, 2, argv, &first);

		if (status != CLI_GO_ON)
			return status;
	}
	if (argc > 1)
		return cli_refuse(cli.tool, argv[1],
		                  "must be encode, decode, describe or draw; see tma map --help");
	fputs("tma map: what to do is missing: encode, decode, describe or draw; see tma map --help\n",
	      stderr);
	return TOOL_USAGE;
}

const struct tool_command tool_map = {
	.name = "map",
	.full = "tma map",
	.summary = "makes tensor maps, explains and draws them",
	.usage = usage,
	.run = run,
};
