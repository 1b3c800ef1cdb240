/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cli - options and operands of the command line tools, the same in all of them.
 *
 * Every tool knows -h, --help, --version and "--", behind which everything is an operand. Values follow as
 * "--seed 1" or "--seed=1". What is wrong is said in one line on standard error,
 *	TOOL: WHAT: RULE
 * and ends the tool with CLI_USAGE.
 */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CLI_GO_ON (-1) /* no exit status: the arguments are right */
#define CLI_USAGE 2    /* exit status: a wrong option or file */

enum cli_kind {
	CLI_FLAG,   /* to: bool *, set */
	CLI_TEXT,   /* to: const char **, the value */
	CLI_NUMBER, /* to: uint64_t *, the value, decimal, or hexadecimal with 0x */
};

struct cli_option {
	const char *name; /* without the two dashes */
	enum cli_kind kind;
	void *to;
	uint64_t min, max; /* of a number */
};

struct cli {
	const char *tool;  /* name in messages, as one calls it */
	const char *usage; /* whole text of --help */
	const struct cli_option *options;
	size_t count; /* of options, at most 48 */
};

/**
 * Read the arguments behind argv[0].
 *
 * @param first  filled with the index of the first operand; operands stand together at the end of @p argv then
 * @return CLI_GO_ON, or the exit status to end with: EXIT_SUCCESS, help or version were printed; CLI_USAGE,
 *         what is wrong was said
 */
int cli_parse(const struct cli *cli, int argc, char **argv, int *first);

/** Say what is wrong with an argument: "TOOL: what: rule". @return CLI_USAGE */
int cli_refuse(const char *tool, const char *what, const char *rule);

/** Of a number, without its sign: 16 behind 0x, else 10, also behind a 0. */
int cli_base(const char *digits);

/** Take a number, whole. False: it is none, or not min to max; that has been said as of "what text". */
bool cli_number(const char *tool, const char *what, const char *text, uint64_t min, uint64_t max,
                uint64_t *value);

/** Write out and close; standard output is written out alone. @return 0, or -1 with errno: not all of it was
 * written, now or before */
int cli_close(FILE *file);

/**
 * End of a tool that has printed its result: what cannot be written must not look like success.
 *
 * @param status  that the tool would end with
 * @return status; CLI_USAGE if standard output could not be written, which has been said then
 */
int cli_end(const char *tool, int status);

#endif
