/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that grow in a caller's buffer, as snprintf() writes them. */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>
#include <stdint.h>

struct tma_command;

/* Bytes of a string that is cut where the room ends; length counts what did not fit, too. */
struct words {
	char *bytes; /* may be NULL if room is 0 */
	size_t room;
	int length;
};

void words_add(struct words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** "CTA 1 offset 0x400" */
void words_add_shared(struct words *w, uint32_t address);

/** "; PTX: cp.async.wait_all;", as tma_command_print() writes it */
void words_add_ptx(struct words *w, const struct tma_command *command);

/** "1 byte", "2 bytes" */
void words_add_count(struct words *w, uint64_t count, const char *noun);

#endif
