/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that grow in a caller's buffer. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "tma_ptx.h"
#include "words.h"

#define MAX_PTX 700 /* tma.command with eight numbers has 200 */

void words_add(struct words *w, const char *format, ...)
{
	size_t used = (size_t)w->length < w->room ? (size_t)w->length : w->room;
	va_list args;

	va_start(args, format);
	w->length += vsnprintf(w->bytes ? w->bytes + used : NULL, w->room - used, format, args);
	va_end(args);
}

void words_add_shared(struct words *w, uint32_t address)
{
	words_add(w, "CTA %" PRIu32 " offset 0x%" PRIx32, address >> 24, address & 0xFFFFFF);
}

void words_add_ptx(struct words *w, const struct tma_command *command)
{
	char text[MAX_PTX];

	tma_command_print(command, text, sizeof(text));
	words_add(w, "; PTX: %s", text);
}

void words_add_count(struct words *w, uint64_t count, const char *noun)
{
	words_add(w, "%" PRIu64 " %s%s", count, noun, count == 1 ? "" : "s");
}
