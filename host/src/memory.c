/* SPDX-License-Identifier: Apache-2.0 */
/* Global memory that host and engine share: one host allocation per buffer, first fit in the arena. */
#include <stdlib.h>
#include <string.h>

#include "device.h"

/* Pages that a buffer takes in the arena. A page behind each stays unmapped, so that an engine that
 * leaves a buffer meets a bus error. */
static uint64_t mapped_bytes(uint64_t bytes)
{
	return (bytes + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
}

static int map(struct tma_memory *memory)
{
	return memory->device->backend->memory_map(memory->device->engine, memory->port, memory->address,
	                                           mapped_bytes(memory->bytes), memory->host);
}

/* First gap of the port's arena that takes `bytes` and a page behind it; the link to insert at. */
static struct tma_memory **find_gap(struct tma_device *device, uint32_t port, uint64_t bytes,
                                    uint64_t *address)
{
	struct tma_memory **link = &device->memory;

	*address = ARENA_BASE;
	while (*link && (*link)->port < port)
		link = &(*link)->next;
	while (*link && (*link)->port == port && (*link)->address - *address < bytes + PAGE_BYTES) {
		*address = (*link)->address + mapped_bytes((*link)->bytes) + PAGE_BYTES;
		link = &(*link)->next;
	}
	return link;
}

int memory_alloc(struct tma_device *device, uint32_t port, uint64_t bytes, struct tma_memory **memory)
{
	struct tma_memory **link, *m;
	uint64_t mapped;
	int error;

	if (!bytes)
		return TMA_EINVAL;
	if (bytes > device->memory_limit || mapped_bytes(bytes) > device->memory_limit - device->memory_used)
		return TMA_ENOSPC;
	mapped = mapped_bytes(bytes);

	m = calloc(1, sizeof(*m));
	if (!m)
		return TMA_ENOMEM;
	link = find_gap(device, port, mapped, &m->address);
	if (m->address + mapped > ARENA_BASE + ARENA_BYTES) {
		free(m);
		return TMA_ENOSPC;
	}
	m->device = device;
	m->port = port;
	m->bytes = bytes;
	m->host = aligned_alloc(PAGE_BYTES, mapped);
	if (m->host)
		memset(m->host, 0, mapped);
	error = m->host ? map(m) : TMA_ENOMEM;
	if (error) {
		free(m->host);
		free(m);
		return error;
	}
	m->next = *link;
	*link = m;
	device->memory_used += mapped;
	error = tma_memory_to_device(m, 0, bytes);
	if (error) {
		tma_memory_free(m);
		return error;
	}
	*memory = m;
	return 0;
}

int tma_memory_alloc(struct tma_device *device, uint64_t bytes, struct tma_memory **memory)
{
	return memory_alloc(device, 0, bytes, memory);
}

void tma_memory_free(struct tma_memory *memory)
{
	struct tma_device *device;
	struct tma_memory **link, *m;

	if (!memory)
		return;
	device = memory->device;
	link = &device->memory;
	while (*link != memory)
		link = &(*link)->next;
	*link = memory->next;

	device->backend->memory_unmap_all(device->engine);
	for (m = device->memory; m; m = m->next)
		if (map(m))
			device->broken = true;

	device->memory_used -= mapped_bytes(memory->bytes);
	free(memory->host);
	free(memory);
}

uint64_t tma_memory_address(const struct tma_memory *memory)
{
	return memory->address;
}

uint64_t tma_memory_bytes(const struct tma_memory *memory)
{
	return memory->bytes;
}

void *tma_memory_host(const struct tma_memory *memory)
{
	return memory->host;
}

static bool in_range(const struct tma_memory *memory, uint64_t offset, uint64_t bytes)
{
	return offset <= memory->bytes && bytes <= memory->bytes - offset;
}

static int sync(struct tma_memory *memory, uint64_t offset, uint64_t bytes, bool to_device)
{
	const struct tma_device *device = memory->device;

	if (!in_range(memory, offset, bytes))
		return TMA_EINVAL;
	return device->backend->memory_sync(device->engine, memory->port, memory->address + offset, bytes,
	                                    to_device);
}

int tma_memory_to_device(struct tma_memory *memory, uint64_t offset, uint64_t bytes)
{
	return sync(memory, offset, bytes, true);
}

int tma_memory_from_device(struct tma_memory *memory, uint64_t offset, uint64_t bytes)
{
	return sync(memory, offset, bytes, false);
}

int tma_copy_in(struct tma_memory *memory, uint64_t offset, const void *source, uint64_t bytes)
{
	if (!in_range(memory, offset, bytes))
		return TMA_EINVAL;
	memcpy((uint8_t *)memory->host + offset, source, bytes);
	return tma_memory_to_device(memory, offset, bytes);
}

int tma_copy_out(struct tma_memory *memory, uint64_t offset, void *destination, uint64_t bytes)
{
	int error = tma_memory_from_device(memory, offset, bytes);

	if (!error)
		memcpy(destination, (const uint8_t *)memory->host + offset, bytes);
	return error;
}
