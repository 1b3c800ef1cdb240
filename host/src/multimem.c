/* SPDX-License-Identifier: Apache-2.0 */
/* Multimem objects: a buffer on each port, one window of addresses over all of them. */
#include <inttypes.h>
#include <stdlib.h>

#include "device.h"

/* Windows of objects lie behind the arena, so far apart that none of them can meet. */
#define MULTIMEM_BASE   (ARENA_BASE + ARENA_BYTES)
#define MULTIMEM_STRIDE ARENA_BYTES

static uint64_t address_of(const struct tma_multimem_object *multimem)
{
	return MULTIMEM_BASE + multimem->index * MULTIMEM_STRIDE;
}

static int set_window(const struct tma_multimem_object *multimem, uint32_t ports)
{
	const struct tma_device *device = multimem->device;
	struct multimem_setup window = {
		.address = address_of(multimem),
		.bytes = multimem->bytes,
		.ports = ports,
	};
	uint32_t p;

	for (p = 0; p < TMA_MAX_PORTS; p++)
		if (multimem->memory[p])
			window.port_address[p] = multimem->memory[p]->address;
	return registers_multimem(device, multimem->index, &window);
}

static void free_buffers(struct tma_multimem_object *multimem)
{
	uint32_t p;

	for (p = 0; p < TMA_MAX_PORTS; p++)
		if (multimem->memory[p])
			memory_free(multimem->memory[p]);
	unmark(&multimem->mark);
	free(multimem);
}

/* Lowest window that no object has, or the number of windows. */
static uint32_t free_window(const struct tma_device *device)
{
	uint32_t index = 0;

	while (index < device->info.multimem_windows && device->multimem[index])
		index++;
	return index;
}

static int new_object(struct tma_device *device, uint64_t bytes, uint32_t ports,
                      struct tma_multimem_object **multimem)
{
	uint32_t index = free_window(device), p;
	struct tma_multimem_object *m;
	int error = 0;

	if (index == device->info.multimem_windows)
		return because(TMA_ENOSPC, "all %u multimem windows are taken", index);
	if (bytes > device->memory_limit)
		return because(TMA_ENOSPC, "bytes = %" PRIu64 ": the device has %" PRIu64, bytes,
		               device->memory_limit);
	m = calloc(1, sizeof(*m));
	if (!m)
		return TMA_ENOMEM;
	m->device = device;
	m->index = index;
	m->bytes = whole_pages(bytes);
	for (p = 0; p < device->info.ports && !error; p++)
		if (ports >> p & 1)
			error = memory_alloc(device, p, m->bytes, &m->memory[p]);
	if (!error)
		error = set_window(m, ports);
	if (error) {
		free_buffers(m);
		return error == TMA_REFUSED ? because(TMA_EBUSY, "an open queue has a window with "
		                                                 "TMA_ALLOW_MULTIMEM")
		                            : error;
	}
	for (p = 0; p < TMA_MAX_PORTS; p++)
		if (m->memory[p])
			m->memory[p]->lent = true;
	m->mark = MARK_MULTIMEM;
	device->multimem[index] = m;
	*multimem = m;
	return 0;
}

int tma_multimem_open(struct tma_device *device, uint64_t bytes, uint32_t ports,
                      struct tma_multimem_object **multimem)
{
	int error = check_device(device);
	uint32_t all = error ? 0 : (1u << device->info.ports) - 1;

	if (!error && !multimem)
		error = because(TMA_EINVAL, "multimem is NULL");
	if (!error && !bytes)
		error = because(TMA_EINVAL, "bytes = 0: must be at least 1");
	if (!error && ports & ~all)
		error = because(TMA_EINVAL, "ports = 0x%x: the device has ports 0x%x", ports, all);
	if (!error) {
		enter(device);
		error = new_object(device, bytes, ports ? ports : all, multimem);
		leave(device);
	}
	return ended(__func__, error);
}

void multimem_free(struct tma_multimem_object *multimem)
{
	if (set_window(multimem, 0))
		multimem->device->broken = true;
	multimem->device->multimem[multimem->index] = NULL;
	free_buffers(multimem);
}

static int close_object(struct tma_multimem_object *multimem)
{
	if (set_window(multimem, 0) == TMA_REFUSED)
		return because(TMA_EBUSY,
		               "it stays open: an open queue has a window with TMA_ALLOW_MULTIMEM");
	multimem_free(multimem);
	return 0;
}

void tma_multimem_close(struct tma_multimem_object *multimem)
{
	const struct tma_device *device;
	int error = multimem ? check_multimem(multimem) : 0;

	if (multimem && !error) {
		device = multimem->device;
		enter(device);
		error = close_object(multimem);
		leave(device);
	}
	ended(__func__, error);
}

uint64_t tma_multimem_address(const struct tma_multimem_object *multimem)
{
	return ended(__func__, check_multimem(multimem)) ? 0 : address_of(multimem);
}

uint64_t tma_multimem_bytes(const struct tma_multimem_object *multimem)
{
	return ended(__func__, check_multimem(multimem)) ? 0 : multimem->bytes;
}

struct tma_memory *tma_multimem_memory(const struct tma_multimem_object *multimem, uint32_t port)
{
	if (ended(__func__, check_multimem(multimem)))
		return NULL;
	return port < TMA_MAX_PORTS ? multimem->memory[port] : NULL;
}
