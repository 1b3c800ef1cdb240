/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_card CONFIG REGISTERS MEMORY BYTES [COMMAND..] - a card whose registers and memory are two files, made here,
 * while COMMAND runs.
 *
 * Exit status: COMMAND's; 1 if the engine broke a rule, 2 if it is not told properly what to do.
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "card/card.h"
#include "card/mailbox/mailbox.h"

#define CYCLES 64u /* between two looks at the mailbox, while something goes on */
#define REST                     \
	(struct timespec)        \
	{                        \
		.tv_nsec = 20000 \
	}

static void *map_new(const char *path, uint64_t bytes)
{
	int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	void *at = MAP_FAILED;

	if (file >= 0 && !ftruncate(file, (off_t)bytes))
		at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (file >= 0)
		close(file);
	if (at != MAP_FAILED)
		return at;
	perror(path);
	return NULL;
}

static void answer(struct card *card, struct mailbox *m, uint32_t number)
{
	if (m->write)
		card_write(card, m->address, m->value);
	else
		m->value = card_read(card, m->address);
	atomic_store(&m->interrupt, card_interrupt(card));
	atomic_store(&m->answered, number);
}

/* Until the command ends; its status as of wait(). */
static int serve(struct card *card, struct mailbox *m, pid_t command)
{
	int status;

	while (!waitpid(command, &status, WNOHANG)) {
		for (uint32_t turn = 0; turn < 1000; turn++) {
			uint32_t number = atomic_load(&m->asked);

			if (number != atomic_load(&m->answered))
				answer(card, m, number);
			else if (card_busy(card))
				card_run(card, CYCLES);
			else
				nanosleep(&REST, NULL);
			atomic_store(&m->interrupt, card_interrupt(card));
		}
	}
	return status;
}

int main(int argc, char **argv)
{
	uint64_t bytes = argc > 5 ? strtoull(argv[4], NULL, 0) : 0;
	struct mailbox *mailbox;
	struct card *card;
	void *memory;
	pid_t command;
	int status;

	if (!bytes || bytes % 4096) {
		fprintf(stderr, "usage: file_card CONFIG REGISTERS MEMORY BYTES COMMAND..\n");
		return 2;
	}
	mailbox = map_new(argv[2], MAILBOX_BYTES);
	memory = mailbox ? map_new(argv[3], bytes) : NULL;
	card = memory ? card_open(argv[1], memory, 0, bytes) : NULL;
	if (!card) {
		fprintf(stderr, "file_card: no card of configuration %s\n", argv[1]);
		return 2;
	}
	if (card_ports(card) != 1) {
		fprintf(stderr, "file_card: %s has more than one port\n", argv[1]);
		return 2;
	}
	command = fork();
	if (!command) {
		execvp(argv[5], argv + 5);
		perror(argv[5]);
		_exit(127);
	}
	if (command < 0) {
		perror("fork");
		return 2;
	}
	status = serve(card, mailbox, command);
	if (card_close(card))
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
