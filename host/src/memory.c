/* SPDX-License-Identifier: Apache-2.0 */
/* Global memory that host and engine share: one host allocation per buffer. */
#include <stdlib.h>
#include <string.h>

#include "device.h"

/* What the back end knows of it. */
static struct tma_backend_memory known(const struct tma_memory *m)
{
	return (struct tma_backend_memory){
		.port = m->port,
		.bytes = whole_pages(m->bytes),
		.address = m->address,
		.host = m->host,
		.handle = m->handle,
	};
}

/* Host memory, at an address of the arena. */
static int place(struct tma_memory *m)
{
	struct arena *arena = &m->device->arenas[m->port];
	struct tma_backend_memory k;
	int error;

	if (!arena_place(arena, m))
		return TMA_ENOSPC;
	m->host = aligned_alloc(PAGE_BYTES, whole_pages(m->bytes));
	k = known(m);
	if (m->host)
		memset(m->host, 0, k.bytes);
	error = m->host ? m->device->backend->memory_alloc(m->device->engine, &k) : TMA_ENOMEM;
	if (error) {
		arena_remove(arena, m);
		free(m->host);
	}
	m->handle = k.handle;
	return error;
}

/* Memory where the back end has it. */
static int find(struct tma_memory *m)
{
	const struct tma_device *device = m->device;
	struct tma_backend_memory k = known(m);
	int error = device->backend->memory_alloc(device->engine, &k);

	if (error)
		return error;
	if (k.address % PAGE_BYTES || !k.host) {
		device->backend->memory_free(device->engine, &k);
		return TMA_EDEVICE;
	}
	m->address = k.address;
	m->host = k.host;
	m->handle = k.handle;
	memset(m->host, 0, k.bytes);
	arena_insert(&m->device->arenas[m->port], m);
	return 0;
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
	error = device->about.placed ? place(m) : find(m);
	if (error) {
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
	struct tma_backend_memory k;
	struct tma_device *device;

	if (!memory)
		return;
	device = memory->device;
	k = known(memory);
	device->backend->memory_free(device->engine, &k);
	arena_remove(&device->arenas[memory->port], memory);
	device->memory_used -= whole_pages(memory->bytes);
	if (device->about.placed)
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
	struct tma_backend_memory k;

	if (!in_range(memory, offset, bytes))
		return TMA_EINVAL;
	if (!device->backend->memory_sync || !bytes)
		return 0;
	k = known(memory);
	return device->backend->memory_sync(device->engine, &k, offset, bytes, to_device);
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
