/* SPDX-License-Identifier: Apache-2.0 */
/* The line that tells how far long work is. */
#define _POSIX_C_SOURCE 200809L /* fileno() */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

void progress_open(struct progress *progress)
{
	const char *term = getenv("TERM");

	progress->shown = isatty(fileno(stderr)) && !(term && !strcmp(term, "dumb"));
	progress->width = 0;
}

void progress_say(struct progress *progress, const char *format, ...)
{
	va_list arguments;
	int width;

	if (!progress->shown)
		return;
	fputc('\r', stderr);
	va_start(arguments, format);
	width = vfprintf(stderr, format, arguments);
	va_end(arguments);
	if (width < progress->width)
		fprintf(stderr, "%*s", progress->width - width, "");
	if (width > progress->width)
		progress->width = width;
	fflush(stderr);
}

void progress_clear(struct progress *progress)
{
	if (progress->shown && progress->width)
		fprintf(stderr, "\r%*s\r", progress->width, "");
	progress->width = 0;
}
