/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of PTX have a point, whatever the program's locale has in its place. */
#define _GNU_SOURCE /* newlocale() */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "ptx.h"

/* The locale "C" for this thread until leave(). Without memory for it the program's stays. */
static locale_t enter(locale_t *c)
{
	*c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	return *c ? uselocale(*c) : (locale_t)0;
}

static void leave(locale_t c, locale_t before)
{
	if (!c)
		return;
	uselocale(before);
	freelocale(c);
}

double ptx_to_double(const char *text)
{
	locale_t c, before = enter(&c);
	double number = strtod(text, NULL);

	leave(c, before);
	return number;
}

void ptx_of_double(double number, char *text, size_t size)
{
	locale_t c, before = enter(&c);

	snprintf(text, size, "%.17g", number);
	leave(c, before);
}
