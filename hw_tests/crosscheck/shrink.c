/* SPDX-License-Identifier: Apache-2.0 */
/* A failing program made smaller: greedy, large parts first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crosscheck/listing.h"
#include "crosscheck/session.h"
#include "lib/must.h"

/* Does it fail without these transactions, on an engine that has run nothing before? */
static bool fails(struct session *s, const struct program *p, const bool *dropped, char *text, size_t room)
{
	struct program *smaller = program_make(p->shape, p->seed, p->number, program_with(p), dropped);
	struct stats stats = s->stats;
	bool good = true;

	session_drop_engine(s);
	if (session_engine(s, p->number))
		good = session_program(s, smaller, text, room);
	s->stats = stats;
	program_free(smaller);
	return !good;
}

/* Try to leave out `size` transactions at a time. True: something went. */
static bool pass(struct session *s, const struct program *p, bool *dropped, uint32_t size, char *text,
                 size_t room)
{
	bool *trial = must(malloc(p->num_txns * sizeof(*trial))), any = false;
	char now[SESSION_TEXT];

	for (uint32_t from = 0; from < p->num_txns; from += size) {
		uint32_t to = from + size < p->num_txns ? from + size : p->num_txns, count = 0;

		memcpy(trial, dropped, p->num_txns * sizeof(*trial));
		for (uint32_t i = from; i < to; i++) {
			if (p->txns[i].kind == TXN_FAULT)
				continue;
			count += !trial[i];
			trial[i] = true;
		}
		if (!count || !fails(s, p, trial, now, sizeof(now)))
			continue;
		memcpy(dropped, trial, p->num_txns * sizeof(*trial));
		snprintf(text, room, "%s", now);
		any = true;
	}
	free(trial);
	return any;
}

void shrink(struct session *s, const struct program *p)
{
	bool *dropped = must(calloc(p->num_txns + 1, sizeof(*dropped)));
	struct program *left;
	char text[SESSION_TEXT];

	if (!fails(s, p, dropped, text, sizeof(text))) {
		fprintf(stderr, "not shrunk: alone, on a new engine, the program passes\n");
		free(dropped);
		return;
	}
	for (uint32_t size = p->num_txns / 2; size; size /= 2)
		while (pass(s, p, dropped, size, text, sizeof(text)) && size == 1)
			continue;
	left = program_make(p->shape, p->seed, p->number, program_with(p), dropped);
	fprintf(stderr, "\nshrunk: %s\n", text);
	listing_print(stderr, left, 1000);
	program_free(left);
	free(dropped);
}
