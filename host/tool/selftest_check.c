/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts of the self-test. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "selftest.h"

bool st_failed(const struct selftest *t)
{
	return t->result->verdict == ST_FAIL;
}

static void judge(struct selftest *t, enum st_verdict verdict, const char *format, va_list arguments)
{
	struct st_result *result = t->result;
	int used = 0;

	if (result->verdict == ST_FAIL)
		return;
	result->verdict = verdict;
	if (verdict == ST_FAIL && t->what)
		used = snprintf(result->note, sizeof(result->note), "%s: ", t->what);
	vsnprintf(result->note + used, sizeof(result->note) - (size_t)used, format, arguments);
}

void st_fail(struct selftest *t, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	judge(t, ST_FAIL, format, arguments);
	va_end(arguments);
}

void st_skip(struct selftest *t, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	judge(t, ST_SKIP, format, arguments);
	va_end(arguments);
}

void st_note(struct selftest *t, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	judge(t, t->result->verdict, format, arguments);
	va_end(arguments);
}

/* The library names the function as well; what has no words of its own gets those of its code. */
bool st_error(struct selftest *t, const char *what, int64_t error)
{
	const char *why = tma_last_error();

	if (error < 0 && !strncmp(why, what, strlen(what)))
		st_fail(t, "%s", why);
	else if (error < 0)
		st_fail(t, "%s: %s", what, tma_strerror((int)error));
	return error < 0;
}

/* Keep the first difference. False: there was one before. */
static bool differs(struct selftest *t, const char *place, uint64_t address, uint64_t expected, uint64_t got)
{
	if (st_failed(t))
		return false;
	t->result->difference = (struct st_difference){ place, address, expected, got };
	return true;
}

void st_value(struct selftest *t, const char *place, uint64_t number, uint64_t expected, uint64_t got)
{
	if (expected != got && differs(t, place, number, expected, got))
		st_fail(t, "%s %" PRIu64 ": expected 0x%" PRIx64 ", got 0x%" PRIx64, place, number, expected,
		        got);
}

void st_bytes(struct selftest *t, const char *place, uint64_t address, const void *expected, const void *got,
              uint64_t bytes)
{
	const uint8_t *a = expected, *b = got;
	uint64_t i;

	if (!memcmp(a, b, bytes))
		return;
	for (i = 0; a[i] == b[i]; i++)
		;
	if (differs(t, place, address + i, a[i], b[i]))
		st_fail(t, "%s 0x%" PRIx64 ": expected 0x%02x, got 0x%02x", place, address + i, a[i], b[i]);
}

const char *st_port_name(uint32_t port)
{
	static const char *const names[] = { "memory of port 0", "memory of port 1", "memory of port 2",
		                             "memory of port 3" };

	return port < sizeof(names) / sizeof(names[0]) ? names[port] : "memory of a port";
}

uint32_t st_pattern(uint64_t address, uint32_t salt)
{
	uint64_t word =
		(address / 4 + 1) * UINT64_C(0x9E3779B97F4A7C15) + salt * UINT64_C(0xD1B54A32D192ED03);

	return (uint32_t)(word >> 32 ^ word >> 7);
}
