/* SPDX-License-Identifier: Apache-2.0 */
/* Errors: their names, their texts, and the reason of this thread's last one. */
#include <stdarg.h>
#include <stdio.h>

#include "error.h"
#include "tma.h"

#define REASON_ROOM 1600 /* the search for a back end names a few paths */
#define TEXT_ROOM   (REASON_ROOM + 64)

/* The library's only state that is nobody's handle; each thread has its own. */
static _Thread_local char reason[REASON_ROOM], text[TEXT_ROOM];

static const struct {
	const char *name, *text;
} errors[] = {
	[-TMA_OK] = { "TMA_OK", "success" },
	[-TMA_EINVAL] = { "TMA_EINVAL", "an argument is out of range" },
	[-TMA_ESIZE] = { "TMA_ESIZE", "the size member of a struct is not set to the size of the struct" },
	[-TMA_ENOMEM] = { "TMA_ENOMEM", "the host is out of memory" },
	[-TMA_ENOSPC] = { "TMA_ENOSPC", "the device's memory or its windows are used up" },
	[-TMA_EBACKEND] = { "TMA_EBACKEND", "there is no back end of that name" },
	[-TMA_ECONFIG] = { "TMA_ECONFIG", "the back end has no configuration of that name" },
	[-TMA_EBUSY] = { "TMA_EBUSY",
	                 "the queue is open already or being reset, or an open queue forbids it" },
	[-TMA_EFULL] = { "TMA_EFULL", "the queue stays full" },
	[-TMA_ETIMEDOUT] = { "TMA_ETIMEDOUT", "nothing came within the limit" },
	[-TMA_EFAULT] = { "TMA_EFAULT", "a command's fault has stopped the queue" },
	[-TMA_EDEVICE] = { "TMA_EDEVICE", "the engine or its surroundings broke a rule" },
	[-TMA_EVERSION] = { "TMA_EVERSION", "the engine's major version is not this library's" },
	[-TMA_ENOTSUP] = { "TMA_ENOTSUP", "the back end does not have this" },
};

#define NUM_ERRORS (int)(sizeof(errors) / sizeof(errors[0]))

const char *tma_strerror(int error)
{
	return error <= 0 && error > -NUM_ERRORS ? errors[-error].text : "unknown error";
}

const char *tma_error_name(int error)
{
	return error <= 0 && error > -NUM_ERRORS ? errors[-error].name : NULL;
}

const char *tma_last_error(void)
{
	return text;
}

int because(int error, const char *format, ...)
{
	va_list args;

	if (!reason[0]) {
		va_start(args, format);
		vsnprintf(reason, sizeof(reason), format, args);
		va_end(args);
	}
	return error;
}

int check_text(const char *bytes, size_t length)
{
	return bytes || !length ? 0 : because(TMA_EINVAL, "text is NULL, and length = %zu", length);
}

int64_t ended64(const char *function, int64_t result)
{
	if (result < 0)
		snprintf(text, sizeof(text), "%s: %s", function,
		         reason[0] ? reason : tma_strerror((int)result));
	reason[0] = '\0';
	return result;
}

int ended(const char *function, int result)
{
	return (int)ended64(function, result);
}
