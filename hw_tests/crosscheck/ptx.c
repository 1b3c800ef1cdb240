/* SPDX-License-Identifier: Apache-2.0 */
/* Commands through PTX text and back. */
#include "crosscheck/ptx.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "crosscheck/guest.h"
#include "tma_ptx.h"

#define WORDS      8
#define WORDS_TEXT (WORDS * 17 + 1)

struct way {
	ptx_printer *print;
	struct ptx_counts *counts;
	char *why;
	size_t room;
};

#define FAIL(w, ...) (snprintf((w)->why, (w)->room, __VA_ARGS__), false)

/* All of it, so that two can be laid side by side. */
static const char *words(const struct tma_command *command, char text[WORDS_TEXT])
{
	uint64_t word[WORDS];

	memcpy(word, command, sizeof(word));
	for (uint32_t i = 0; i < WORDS; i++)
		snprintf(text + i * 17, 18, " %016" PRIx64, word[i]);
	return text + 1;
}

static bool through(const struct way *w, const char *whose, uint32_t queue, uint32_t index, bool legal,
                    struct tma_command *command)
{
	char text[PTX_TEXT], was[WORDS_TEXT], is[WORDS_TEXT];
	struct tma_ptx_instruction instruction;
	struct tma_command again;
	struct tma_ptx_error error;
	int length = w->print(command, text, sizeof(text));

	if (length < 0 || (size_t)length >= sizeof(text))
		return FAIL(w, "%s %u command %u cannot be printed as PTX: %s", whose, queue, index,
		            words(command, was));
	if (tma_ptx_parse(text, TMA_PTX_ENGINE, NULL, &instruction, &error) ||
	    tma_ptx_command(&instruction, NULL, &again, &error))
		return FAIL(w, "%s %u command %u is not read back: %s at column %u of %s; it was %s", whose,
		            queue, index, error.message, error.place.column, text, words(command, was));
	if (memcmp(command, &again, sizeof(again)) != 0)
		return FAIL(w, "%s %u command %u is another one behind its text: %s; it was %s, it is %s",
		            whose, queue, index, text, words(command, was), words(&again, is));
	if (legal && instruction.opcode == TMA_PTX_OP_COMMAND)
		return FAIL(w, "%s %u command %u is legal, and printed as words: %s", whose, queue, index,
		            text);
	w->counts->commands++;
	w->counts->words += instruction.opcode == TMA_PTX_OP_COMMAND;
	*command = again;
	return true;
}

bool ptx_program(struct program *p, ptx_printer *print, struct ptx_counts *counts, char *why, size_t room)
{
	const struct way w = { print, counts, why, room };

	for (uint32_t i = 0; i < p->num_steps; i++) {
		struct step *s = &p->steps[i];

		if (!through(&w, "queue", s->queue, s->index, !s->fault, &s->cmd))
			return false;
	}
	for (uint32_t i = 0; p->guest.on && i < p->guest.lives->count; i++) {
		struct guest_life *life = &p->guest.lives->life[i];

		for (uint32_t c = 0; c < life->count; c++)
			if (!through(&w, "life of the guest", i, c, false, &life->commands[c]))
				return false;
	}
	return true;
}

bool ptx_act(struct act *act, ptx_printer *print, struct ptx_counts *counts, char *why, size_t room)
{
	const struct way w = { print, counts, why, room };

	if (act->mend && !through(&w, "repair of queue", act->queue, act->value, false, &act->repair))
		return false;
	if (act->num_noise && !through(&w, "noise of queue", act->noisy, 0, false, &act->noise))
		return false;
	for (uint32_t i = 0; i < act->num_doomed && i < 2; i++)
		if (!through(&w, "doomed of queue", act->queue, i, false, &act->doomed[i]))
			return false;
	for (uint32_t i = 0; i < act->num_commands; i++)
		if (!through(&w, "act on queue", act->queue, i, false, &act->commands[i]))
			return false;
	return true;
}
