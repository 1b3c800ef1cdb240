/* SPDX-License-Identifier: Apache-2.0 */
/* Registers and interrupt of a device that Linux hands out through UIO. */
#ifndef MMIO_H
#define MMIO_H

#include <poll.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

static inline uint32_t mmio_read(volatile void *registers, uint32_t address)
{
	return ((volatile uint32_t *)registers)[address / 4];
}

/* What was written to memory before has to be there when the engine sees the register. */
static inline void mmio_write(volatile void *registers, uint32_t address, uint32_t value)
{
	atomic_thread_fence(memory_order_seq_cst);
	((volatile uint32_t *)registers)[address / 4] = value;
}

/* UIO: a write lets the interrupt through once, a read takes it. 1 it came, 0 not in that time, -1 an error. */
static inline int mmio_wait(volatile void *registers, int file, uint32_t microseconds)
{
	const uint32_t once = 1;
	struct pollfd wait = { .fd = file, .events = POLLIN };
	uint32_t count;
	int came;

	(void)registers;
	if (write(file, &once, sizeof(once)) != sizeof(once))
		return -1;
	came = poll(&wait, 1, (int)(microseconds / 1000) + 1);
	if (came > 0 && read(file, &count, sizeof(count)) != sizeof(count))
		return -1;
	return came;
}

#endif
