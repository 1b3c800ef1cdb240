/* SPDX-License-Identifier: Apache-2.0 */
/* tma_board_sim as a child of a test. */
#ifndef BOARD_PROCESS_H
#define BOARD_PROCESS_H

#include <sys/types.h>

struct board_process {
	pid_t pid;
	int input; /* closing it ends the child */
	char name[128];
};

/** Start it with these arguments behind its name, NULL at the end; its first line is the terminal's name. The test
 * fails if that does not come. */
void board_process_start(struct board_process *process, char *const *arguments);
/** Run it to its end with these words behind its name, without an input. @return its exit status, -1: it has none */
int board_process_run(const char *words);
/** Close its input and wait. @return its exit status, -1: a signal ended it */
int board_process_end(struct board_process *process);

#endif
