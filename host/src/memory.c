/* SPDX-License-Identifier: Apache-2.0 */
/* Global memory that host and engine share: one host allocation per buffer. */
#include <inttypes.h>
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
	if (!arena_place(&device->arenas[port], m)) {
		free(m);
		return because(TMA_ENOSPC, "%" PRIu64 " bytes: no addresses are left", bytes);
	}
	error = map(m);
	if (error) {
		arena_remove(&device->arenas[port], m);
		free(m->host);
		free(m);
		return error;
	}
	device->memory_used += whole_pages(bytes);
	error = memory_to_device(m, 0, bytes);
	if (error) {
		memory_free(m);
		return error;
	}
	m->mark = MARK_MEMORY;
	*memory = m;
	return 0;
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

	device->backend->memory_unmap(device->engine, memory->port, memory->address,
	                              whole_pages(memory->bytes));
	arena_remove(&device->arenas[memory->port], memory);
	device->memory_used -= whole_pages(memory->bytes);
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

	return device->backend->memory_sync(device->engine, memory->port, memory->address + offset, bytes,
	                                    to_device);
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
