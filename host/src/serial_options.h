/* SPDX-License-Identifier: Apache-2.0 */
/* serial_options - which line, at which speed: options of tma_open(), then the environment, then what is usual. */
#ifndef SERIAL_OPTIONS_H
#define SERIAL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "tma.h"

struct serial_options {
	const char *device;
	uint32_t baud;
	const char *stats; /* file that a line about each use is added to, NULL: none */
};

/** @param why  filled with what is wrong, room for SERIAL_WHY_ROOM @return false: a baud that cannot be */
bool serial_options(const struct tma_options *options, struct serial_options *chosen, char *why);

#endif
