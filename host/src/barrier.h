/* SPDX-License-Identifier: Apache-2.0 */
/* mbarriers in shared memory, as the host sees them. */
#ifndef BARRIER_H
#define BARRIER_H

#include "device.h"

struct barrier {
	bool alive;       /* initialised */
	uint32_t phase;   /* parity of the current one */
	uint32_t pending; /* arrivals that it still needs */
	int32_t tx;       /* bytes that it still needs; negative: so many came that nobody expects yet */
};

/** A multiple of 8 inside a CTA's shared memory. */
bool barrier_exists(const struct tma_device *device, uint32_t address);

/** One that exists. The clock runs. @retval TMA_EDEVICE */
int barrier_read(const struct tma_device *device, uint32_t address, struct barrier *barrier);

#endif
