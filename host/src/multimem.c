/* SPDX-License-Identifier: Apache-2.0 */
/* Multimem objects: a buffer on each port, one window of addresses over all of them. */
#include <stdlib.h>

#include "device.h"

/* Windows of objects lie behind the arena, so far apart that none of them can meet. */
#define MULTIMEM_BASE   (ARENA_BASE + ARENA_BYTES)
#define MULTIMEM_STRIDE ARENA_BYTES

static int set_window(const struct tma_multimem_object *multimem, uint32_t ports)
{
	const struct tma_device *device = multimem->device;
	struct multimem_setup window = {
		.address = tma_multimem_address(multimem),
		.bytes = multimem->bytes,
		.ports = ports,
	};
	uint32_t p;

	for (p = 0; p < TMA_MAX_PORTS; p++)
		if (multimem->memory[p])
			window.port_address[p] = tma_memory_address(multimem->memory[p]);
	return registers_multimem(device, multimem->index, &window);
}

static void free_buffers(struct tma_multimem_object *multimem)
{
	uint32_t p;

	for (p = 0; p < TMA_MAX_PORTS; p++)
		tma_memory_free(multimem->memory[p]);
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

int tma_multimem_open(struct tma_device *device, uint64_t bytes, uint32_t ports,
                      struct tma_multimem_object **multimem)
{
	uint32_t all = (1u << device->info.ports) - 1, index = free_window(device), p;
	struct tma_multimem_object *m;
	int error = 0;

	if (!ports)
		ports = all;
	if (!bytes || ports & ~all)
		return TMA_EINVAL;
	if (index == device->info.multimem_windows || bytes > device->memory_limit)
		return TMA_ENOSPC;
	m = calloc(1, sizeof(*m));
	if (!m)
		return TMA_ENOMEM;
	m->device = device;
	m->index = index;
	m->bytes = (bytes + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
	for (p = 0; p < device->info.ports && !error; p++)
		if (ports >> p & 1)
			error = memory_alloc(device, p, m->bytes, &m->memory[p]);
	if (!error)
		error = set_window(m, ports);
	if (error) {
		free_buffers(m);
		return error == TMA_REFUSED ? TMA_EBUSY : error;
	}
	device->multimem[index] = m;
	*multimem = m;
	return 0;
}

void tma_multimem_close(struct tma_multimem_object *multimem)
{
	if (!multimem)
		return;
	if (set_window(multimem, 0))
		multimem->device->broken = true;
	multimem->device->multimem[multimem->index] = NULL;
	free_buffers(multimem);
}

uint64_t tma_multimem_address(const struct tma_multimem_object *multimem)
{
	return MULTIMEM_BASE + multimem->index * MULTIMEM_STRIDE;
}

uint64_t tma_multimem_bytes(const struct tma_multimem_object *multimem)
{
	return multimem->bytes;
}

struct tma_memory *tma_multimem_memory(const struct tma_multimem_object *multimem, uint32_t port)
{
	return port < TMA_MAX_PORTS ? multimem->memory[port] : NULL;
}
