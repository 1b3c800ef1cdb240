/* SPDX-License-Identifier: Apache-2.0 */
#include "board/board_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/cmocka_all.h"

void board_process_start(struct board_process *p, char *const *arguments)
{
	char *argv[16] = { BOARD_SIM };
	int in[2], out[2];
	size_t length = 0;

	for (size_t i = 0; arguments && arguments[i]; i++) {
		assert_true(i + 2 < sizeof(argv) / sizeof(*argv));
		argv[i + 1] = arguments[i];
	}
	assert_int_equal(pipe(in) | pipe(out), 0);
	p->pid = fork();
	assert_true(p->pid >= 0);
	if (!p->pid) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		close(in[0]);
		close(in[1]);
		close(out[0]);
		close(out[1]);
		execv(argv[0], argv);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	p->input = in[1];
	while (length < sizeof(p->name) - 1 && read(out[0], p->name + length, 1) == 1 &&
	       p->name[length] != '\n')
		length++;
	p->name[length] = 0;
	close(out[0]);
	assert_memory_equal(p->name, "/dev/", 5);
}

int board_process_run(const char *words)
{
	char line[512];
	int status;

	snprintf(line, sizeof(line), "%s %s </dev/null >/dev/null 2>&1", BOARD_SIM, words);
	status = system(line);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int board_process_end(struct board_process *p)
{
	int status;

	close(p->input);
	assert_int_equal(waitpid(p->pid, &status, 0), p->pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
