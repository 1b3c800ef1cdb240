/* SPDX-License-Identifier: Apache-2.0 */
/* Options by getopt_long(), with messages of our own. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "tma_version.h"

#define MAX_OPTIONS 48
#define HELP        (MAX_OPTIONS + 1)
#define VERSION     (MAX_OPTIONS + 2)
/* Numbers of options must not be taken for letters. */
#define BASE 1000

int cli_refuse(const char *tool, const char *what, const char *rule)
{
	fprintf(stderr, "%s: %s: %s\n", tool, what, rule);
	return CLI_USAGE;
}

int cli_base(const char *digits)
{
	return digits[0] == '0' && (digits[1] | 0x20) == 'x' ? 16 : 10;
}

bool cli_number(const char *tool, const char *what, const char *text, uint64_t min, uint64_t max,
                uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, cli_base(text));
	if (*text >= '0' && *text <= '9' && !*end && !errno && *value >= min && *value <= max)
		return true;
	fprintf(stderr, "%s: %s %s: must be a number from %" PRIu64 " to %" PRIu64 "\n", tool, what, text,
	        min, max);
	return false;
}

static int take(const struct cli *cli, const struct cli_option *option)
{
	char name[64];

	switch (option->kind) {
	case CLI_FLAG:
		*(bool *)option->to = true;
		return CLI_GO_ON;
	case CLI_TEXT:
		*(const char **)option->to = optarg;
		return CLI_GO_ON;
	case CLI_NUMBER:
		snprintf(name, sizeof(name), "--%s", option->name);
		return cli_number(cli->tool, name, optarg, option->min, option->max, option->to) ? CLI_GO_ON
		                                                                                 : CLI_USAGE;
	}
	return CLI_USAGE;
}

/* What getopt_long() does not take. Of a short option that is not the first of its word only optopt knows. */
static int refuse(const struct cli *cli, int answer, char *const *argv)
{
	const char *rule = answer == ':'    ? "needs a value"
	                   : optopt >= BASE ? "takes no value"
	                                    : "there is no such option";
	const char letter[] = { '-', (char)optopt, '\0' };
	const char *what = optopt && optopt < BASE ? letter : argv[optind - 1];

	fprintf(stderr, "%s: %s: %s; see %s --help\n", cli->tool, what, rule, cli->tool);
	return CLI_USAGE;
}

static void list_options(const struct cli *cli, struct option known[MAX_OPTIONS + 3])
{
	size_t i;

	for (i = 0; i < cli->count && i < MAX_OPTIONS; i++)
		known[i] = (struct option){ .name = cli->options[i].name,
			                    .has_arg = cli->options[i].kind == CLI_FLAG ? no_argument
			                                                                : required_argument,
			                    .val = BASE + (int)i };
	known[i++] = (struct option){ .name = "help", .val = BASE + HELP };
	known[i++] = (struct option){ .name = "version", .val = BASE + VERSION };
	known[i] = (struct option){ .name = NULL };
}

static int print_version(const struct cli *cli)
{
	printf("%s %d.%d.%d\n", cli->tool, TMA_VERSION_MAJOR, TMA_VERSION_MINOR, TMA_VERSION_PATCH);
	return cli_end(cli->tool, EXIT_SUCCESS);
}

int cli_parse(const struct cli *cli, int argc, char **argv, int *first)
{
	struct option known[MAX_OPTIONS + 3];
	int answer, status = CLI_GO_ON;

	list_options(cli, known);
	opterr = 0;
	optind = 0; /* all anew: a tool may have looked at its arguments before */
	while (status == CLI_GO_ON && (answer = getopt_long(argc, argv, ":h", known, NULL)) != -1) {
		if (answer == 'h' || answer == BASE + HELP) {
			fputs(cli->usage, stdout);
			return cli_end(cli->tool, EXIT_SUCCESS);
		}
		if (answer == BASE + VERSION)
			return print_version(cli);
		status = answer < BASE ? refuse(cli, answer, argv) : take(cli, &cli->options[answer - BASE]);
	}
	*first = optind;
	return status;
}

int cli_close(FILE *file)
{
	bool bad = fflush(file) || ferror(file);
	int error = errno;

	if (file != stdout && fclose(file) && !bad) {
		bad = true;
		error = errno;
	}
	errno = error ? error : EIO;
	return bad ? -1 : 0;
}

int cli_end(const char *tool, int status)
{
	if (!cli_close(stdout))
		return status;
	return cli_refuse(tool, "standard output", strerror(errno));
}
