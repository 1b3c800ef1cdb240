/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* secure_getenv() */
#include "serial_options.h"

#include <stdio.h>
#include <stdlib.h>

#include "serial_port.h"

#define DEFAULT_DEVICE "/dev/ttyUSB0"
#define DEFAULT_BAUD   1000000u /* of the boards in fpga/ */
#define LEAST_BAUD     300u
#define MOST_BAUD      100000000u

/* One that is set and empty is none. Not obeyed in programs that have rights which their user has not. */
static const char *environment(const char *name)
{
	const char *value = secure_getenv(name);

	return value && *value ? value : NULL;
}

bool serial_options(const struct tma_options *options, struct serial_options *chosen, char *why)
{
	const char *baud = environment("TMA_SERIAL_BAUD"), *device = environment("TMA_SERIAL_DEVICE");
	unsigned long long number = options->baud ? options->baud : DEFAULT_BAUD;
	char *end = NULL;

	chosen->device = options->device ? options->device : device ? device : DEFAULT_DEVICE;
	chosen->stats = environment("TMA_SERIAL_STATS");
	if (!options->baud && baud)
		number = strtoull(baud, &end, 10);
	if (number < LEAST_BAUD || number > MOST_BAUD || (end && (*end || *baud < '0' || *baud > '9'))) {
		if (end)
			snprintf(why, SERIAL_WHY_ROOM,
			         "TMA_SERIAL_BAUD is %.40s: must be a number from %u to %u", baud, LEAST_BAUD,
			         MOST_BAUD);
		else
			snprintf(why, SERIAL_WHY_ROOM, "baud = %llu: must be %u to %u", number, LEAST_BAUD,
			         MOST_BAUD);
		return false;
	}
	chosen->baud = (uint32_t)number;
	return true;
}
