/* SPDX-License-Identifier: Apache-2.0 */
/* Global memory that host and engine share: one host allocation per buffer. */
#include <inttypes.h>
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
		return because(TMA_ENOSPC, "%" PRIu64 " bytes: no addresses are left", m->bytes);
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

int memory_take(struct tma_device *device, uint32_t port, uint64_t bytes, struct tma_memory **memory)
{
	struct tma_memory *m;
	int error;

	if (!bytes)
		return because(TMA_EINVAL, "bytes = 0: must be at least 1");
	if (bytes > device->memory_limit || whole_pages(bytes) > device->memory_limit - device->memory_used)
		return because(TMA_ENOSPC, "%" PRIu64 " bytes: %" PRIu64 " of %" PRIu64 " are taken", bytes,
		               device->memory_used, device->memory_limit);

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
	m->mark = MARK_MEMORY;
	*memory = m;
	return 0;
}

int memory_alloc(struct tma_device *device, uint32_t port, uint64_t bytes, struct tma_memory **memory)
{
	struct tma_memory *m;
	int error = memory_take(device, port, bytes, &m);

	if (error)
		return error;
	error = memory_to_device(m, 0, bytes);
	if (error)
		memory_free(m);
	else
		*memory = m;
	return error;
}

int tma_memory_alloc(struct tma_device *device, uint64_t bytes, struct tma_memory **memory)
{
	int error = check_device(device);

	if (!error && !memory)
		error = because(TMA_EINVAL, "memory is NULL");
	if (!error) {
		enter(device);
		error = memory_alloc(device, 0, bytes, memory);
		leave(device);
	}
	return ended(__func__, error);
}

void memory_free(struct tma_memory *memory)
{
	struct tma_device *device = memory->device;
	struct tma_backend_memory k = known(memory);

	device->backend->memory_free(device->engine, &k);
	arena_remove(&device->arenas[memory->port], memory);
	device->memory_used -= whole_pages(memory->bytes);
	if (device->about.placed)
		free(memory->host);
	unmark(&memory->mark);
	free(memory);
}

void tma_memory_free(struct tma_memory *memory)
{
	const struct tma_device *device;
	int error = memory ? check_memory(memory) : 0;

	if (memory && !error && memory->lent)
		error = because(TMA_EINVAL, "memory is a multimem object's, and goes with it");
	if (memory && !error) {
		device = memory->device;
		enter(device);
		memory_free(memory);
		leave(device);
	}
	ended(__func__, error);
}

uint64_t tma_memory_address(const struct tma_memory *memory)
{
	return ended(__func__, check_memory(memory)) ? 0 : memory->address;
}

uint64_t tma_memory_bytes(const struct tma_memory *memory)
{
	return ended(__func__, check_memory(memory)) ? 0 : memory->bytes;
}

void *tma_memory_host(const struct tma_memory *memory)
{
	return ended(__func__, check_memory(memory)) ? NULL : memory->host;
}

static int sync(const struct tma_memory *memory, uint64_t offset, uint64_t bytes, bool to_device)
{
	const struct tma_device *device = memory->device;
	struct tma_backend_memory k;

	if (!device->backend->memory_sync || !bytes)
		return 0;
	k = known(memory);
	return device->backend->memory_sync(device->engine, &k, offset, bytes, to_device);
}

int memory_to_device(const struct tma_memory *memory, uint64_t offset, uint64_t bytes)
{
	return sync(memory, offset, bytes, true);
}

int memory_from_device(const struct tma_memory *memory, uint64_t offset, uint64_t bytes)
{
	return sync(memory, offset, bytes, false);
}

int memory_copy_in(const struct tma_memory *memory, uint64_t offset, const void *source, uint64_t bytes)
{
	memcpy((uint8_t *)memory->host + offset, source, bytes);
	return memory_to_device(memory, offset, bytes);
}

static int check_range(const struct tma_memory *memory, uint64_t offset, uint64_t bytes)
{
	int error = check_memory(memory);

	if (error)
		return error;
	if (offset > memory->bytes || bytes > memory->bytes - offset)
		return because(TMA_EINVAL, "%" PRIu64 " bytes at offset %" PRIu64 ": the buffer has %" PRIu64,
		               bytes, offset, memory->bytes);
	return 0;
}

static int sync_in_turn(const struct tma_memory *memory, uint64_t offset, uint64_t bytes, bool to_device)
{
	int error;

	enter(memory->device);
	error = sync(memory, offset, bytes, to_device);
	leave(memory->device);
	return error;
}

int tma_memory_to_device(struct tma_memory *memory, uint64_t offset, uint64_t bytes)
{
	int error = check_range(memory, offset, bytes);

	return ended(__func__, error ? error : sync_in_turn(memory, offset, bytes, true));
}

int tma_memory_from_device(struct tma_memory *memory, uint64_t offset, uint64_t bytes)
{
	int error = check_range(memory, offset, bytes);

	return ended(__func__, error ? error : sync_in_turn(memory, offset, bytes, false));
}

/* The bytes are this thread's: only what goes through the engine takes a turn on it. */
int tma_copy_in(struct tma_memory *memory, uint64_t offset, const void *source, uint64_t bytes)
{
	int error = check_range(memory, offset, bytes);

	if (!error && bytes && !source)
		error = because(TMA_EINVAL, "source is NULL");
	if (!error && bytes) {
		memcpy((uint8_t *)memory->host + offset, source, bytes);
		error = sync_in_turn(memory, offset, bytes, true);
	}
	return ended(__func__, error);
}

int tma_copy_out(struct tma_memory *memory, uint64_t offset, void *destination, uint64_t bytes)
{
	int error = check_range(memory, offset, bytes);

	if (!error && bytes && !destination)
		error = because(TMA_EINVAL, "destination is NULL");
	if (!error && bytes)
		error = sync_in_turn(memory, offset, bytes, false);
	if (!error && bytes)
		memcpy(destination, (const uint8_t *)memory->host + offset, bytes);
	return ended(__func__, error);
}
