/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ptx - commands on their way through PTX text: printed, parsed, bound. What comes back has to be the same 64 bytes, and
 * takes the command's place.
 */
#ifndef CROSSCHECK_PTX_H
#define CROSSCHECK_PTX_H

#include "crosscheck/acts.h"
#include "crosscheck/program.h"

#define PTX_TEXT 1024 /* of a command */

/* As tma_command_print(), which is the one but for tests. */
typedef int ptx_printer(const struct tma_command *command, char *text, size_t size);

struct ptx_counts {
	uint64_t commands;
	uint64_t words; /* of those, what no PTX says: printed as eight words */
};

/**
 * Every command of every queue, of the guest's lives too. A legal command that is printed as eight words is an error.
 *
 * @return false: one is not what it was; @p why shows its text and both commands
 */
bool ptx_program(struct program *p, ptx_printer *print, struct ptx_counts *counts, char *why, size_t room);
/** The same for what an act hands over. */
bool ptx_act(struct act *act, ptx_printer *print, struct ptx_counts *counts, char *why, size_t room);

#endif
