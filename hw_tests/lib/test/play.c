/* SPDX-License-Identifier: Apache-2.0 */
/* Pins played by hand. */
#include "lib/test/play.h"

#include <stdlib.h>
#include <string.h>

#include "lib/cmocka_all.h"

/* Pins are little-endian, as the host is. */
static void set(const struct pin *pin, void *object, uint64_t value)
{
	memcpy((uint8_t *)object + pin->at, &value, pin->bytes);
}

static void word(const struct play *p, void *object, const char *text, size_t length)
{
	const char *equals = memchr(text, '=', length);
	size_t name = equals ? (size_t)(equals - text) : length;
	uint32_t i = 0;

	while (i < p->num_pins && (strncmp(p->pins[i].name, text, name) || p->pins[i].name[name]))
		i++;
	if (i == p->num_pins)
		fail_msg("no pin \"%.*s\"", (int)name, text);
	set(&p->pins[i], object, equals ? strtoull(equals + 1, NULL, 0) : 1);
}

void play(const struct play *p, void *object, const char *script)
{
	for (size_t length; *script; script += length) {
		script += strspn(script, " ");
		length = strcspn(script, " ");
		if (*script == '.') {
			for (long n = length > 1 ? strtol(script + 1, NULL, 10) : 1; n; n--)
				p->step(object);
		} else if (*script == '/') {
			p->step(object);
			for (uint32_t i = 0; i < p->num_valids; i++)
				set(&p->pins[i], object, 0);
		} else if (length) {
			word(p, object, script, length);
		}
	}
}
