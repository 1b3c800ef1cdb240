/* SPDX-License-Identifier: Apache-2.0 */
/*
 * board_standin [OPTION N]... COMMAND [ARGUMENT]... - runs a program with a stand-in for a board: TMA_SERIAL_DEVICE
 * names its line.
 *
 *	--lose N, --twice N, --flip N		of 100,000 bytes in each direction
 *	--lost N, --doubled N, --late N		of 100 answers
 *	--garbage N				bytes in front of each answer
 *	--bytes N				of memory, as the board says
 *	--seed N				of what is random, and of late copies of the model
 *	--least N				of these bytes and answers there have to be
 *
 * Exit status: that of the program; 98: it is 0, and the line was better than --least; 99: it could not be run.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "standin.h"

#define TOO_GOOD 98
#define NO_RUN   99

static uint64_t *option(struct standin_faults *f, const char *name, uint32_t **small)
{
	const struct {
		const char *name;
		uint32_t *to;
	} options[] = {
		{ "--lose", &f->lose },
		{ "--twice", &f->twice },
		{ "--flip", &f->flip },
		{ "--lost", &f->lost_answers },
		{ "--doubled", &f->twice_answers },
		{ "--late", &f->late_answers },
		{ "--garbage", &f->garbage },
		{ "--least", &f->least },
	};
	size_t i;

	*small = NULL;
	if (!strcmp(name, "--seed"))
		return &f->seed;
	if (!strcmp(name, "--bytes"))
		return &f->bytes;
	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (!strcmp(name, options[i].name))
			*small = options[i].to;
	return NULL;
}

/* @return status of the program */
static int run(char **argv, const char *device)
{
	int status;
	pid_t pid;

	setenv("TMA_SERIAL_DEVICE", device, 1);
	pid = fork();
	if (!pid) {
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(NO_RUN);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return NO_RUN;
	return WIFEXITED(status) ? WEXITSTATUS(status) : NO_RUN;
}

int main(int argc, char **argv)
{
	struct standin_faults faults = { 0 };
	struct standin *standin;
	struct board *board;
	uint32_t *small;
	uint64_t *large;
	int i, status;

	for (i = 1; i + 1 < argc && !strncmp(argv[i], "--", 2); i += 2) {
		large = option(&faults, argv[i], &small);
		if (large)
			*large = strtoull(argv[i + 1], NULL, 0);
		else if (small)
			*small = (uint32_t)strtoul(argv[i + 1], NULL, 0);
		else
			break;
	}
	if (i >= argc || !strncmp(argv[i], "--", 2)) {
		fprintf(stderr, "usage: board_standin [OPTION N]... COMMAND [ARGUMENT]...\n");
		return NO_RUN;
	}
	standin = standin_start("small", &faults);
	if (!standin) {
		perror("board_standin");
		return NO_RUN;
	}
	status = run(argv + i, standin_device(standin));
	if (!status && standin_damaged(standin) < faults.least) {
		fprintf(stderr, "board_standin: %" PRIu64 " faults of the line, of %" PRIu32 " at least\n",
		        standin_damaged(standin), faults.least);
		status = TOO_GOOD;
	}
	board = standin_stop(standin);
	board_free(board);
	return status;
}
