/* SPDX-License-Identifier: Apache-2.0 */
/* Global memory that host and engine share: one host allocation per buffer. */
#include <stdlib.h>
#include <string.h>

#include "device.h"

/* Host memory at the buffer's address for the engine, which is known by now. */
static int map(struct tma_memory *memory)
{
	uint64_t bytes = whole_pages(memory->bytes);

	memory->host = aligned_alloc(PAGE_BYTES, bytes);
	if (!memory->host)
		return TMA_ENOMEM;
	memset(memory->host, 0, bytes);
	return memory->device->backend->memory_map(memory->device->engine, memory->port, memory->address,
	                                           bytes, memory->host);
}

int memory_alloc(struct tma_device *device, uint32_t port, uint64_t bytes, struct tma_memory **memory)
{
	struct tma_memory *m;
	int error;

	if (!bytes)
		return TMA_EINVAL;
	if (bytes > device->memory_limit || whole_pages(bytes) > device->memory_limit - device->memory_used)
		return TMA_ENOSPC;

	m = calloc(1, sizeof(*m));
	if (!m)
		return TMA_ENOMEM;
	m->device = device;
	m->port = port;
	m->bytes = bytes;
	if (!arena_place(&device->arenas[port], m)) {
		free(m);
		return TMA_ENOSPC;
	}
	error = map(m);
	if (error) {
		arena_remove(&device->arenas[port], m);
		free(m->host);
		free(m);
		return error;
	}
	device->memory_used += whole_pages(bytes);
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

	if (!memory)
		return;
	device = memory->device;
	device->backend->memory_unmap(device->engine, memory->port, memory->address,
	                              whole_pages(memory->bytes));
	arena_remove(&device->arenas[memory->port], memory);
	device->memory_used -= whole_pages(memory->bytes);
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
