/* SPDX-License-Identifier: Apache-2.0 */
/* In the place of host/examples/uio/mmio.h: the same three functions, for a card that is another process. */
#ifndef MMIO_H
#define MMIO_H

#include <sched.h>
#include <unistd.h>

#include "mailbox.h"

#define LOOK_US 20u

static inline uint32_t mmio_access(volatile void *registers, uint32_t write, uint32_t address, uint32_t value)
{
	struct mailbox *m = (struct mailbox *)registers;
	uint32_t number = atomic_load(&m->asked) + 1;

	m->write = write;
	m->address = address;
	m->value = value;
	atomic_store(&m->asked, number);
	while (atomic_load(&m->answered) != number)
		sched_yield();
	return m->value;
}

static inline uint32_t mmio_read(volatile void *registers, uint32_t address)
{
	return mmio_access(registers, 0, address, 0);
}

static inline void mmio_write(volatile void *registers, uint32_t address, uint32_t value)
{
	mmio_access(registers, 1, address, value);
}

static inline int mmio_wait(volatile void *registers, int file, uint32_t microseconds)
{
	struct mailbox *m = (struct mailbox *)registers;
	uint32_t waited;

	(void)file;
	for (waited = 0; waited < microseconds; waited += LOOK_US) {
		if (atomic_load(&m->interrupt))
			return 1;
		usleep(LOOK_US);
	}
	return 0;
}

#endif
