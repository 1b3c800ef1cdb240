/* SPDX-License-Identifier: Apache-2.0 */
/* Opens engines through back ends, and tells what they are. */
#include <stdlib.h>
#include <string.h>

#include "device.h"

#define DEFAULT_MEMORY_BYTES (UINT64_C(256) << 20)
#define DEFAULT_SUBMIT_LIMIT 1000000

static const struct tma_backend *find_backend(const struct tma_options *options)
{
	const struct tma_backend *const *backend = options->backends;

	if (!strcmp(options->backend, tma_backend_model.name))
		return &tma_backend_model;
	for (; backend && *backend; backend++)
		if (!strcmp(options->backend, (*backend)->name))
			return backend_fits(*backend) ? *backend : NULL;
	return backend_load(options->backend);
}

/* Through the back end, as the options say. */
static int reach(struct tma_device *device, const struct tma_options *options)
{
	const struct tma_backend *backend = find_backend(options);

	if (!backend)
		return TMA_EBACKEND;
	backend_copy(&device->table, backend);
	device->backend = &device->table;
	device->about.size = sizeof(device->about);
	return device->backend->open(options, &device->about, &device->engine);
}

/* Is it the engine that was asked for? */
static int look_at(struct tma_device *device, const struct tma_options *options)
{
	struct tma_device_info *info = &device->info;
	int error = registers_identify(device);

	if (error)
		return error;
	info->backend = device->backend->name;
	info->coherent = !device->backend->memory_sync;
	info->clocked = device->backend->cycles;
	if (options->config && strcmp(options->config, info->config) != 0)
		return TMA_ECONFIG;
	if (options->reductions && !info->reductions)
		return TMA_ENOTSUP;
	/* One that is not built for this program alone may be as another has left it. */
	return device->about.placed ? 0 : registers_quiet(device);
}

int tma_open(const struct tma_options *options, struct tma_device **device)
{
	struct tma_options o;
	struct tma_device *d;
	int error;

	error = options_in(&o, sizeof(o), options);
	if (error)
		return error;
	if (!o.backend)
		o.backend = tma_backend_model.name;

	d = calloc(1, sizeof(*d));
	if (!d)
		return TMA_ENOMEM;
	d->memory_limit = o.memory_bytes ? o.memory_bytes : DEFAULT_MEMORY_BYTES;
	if (d->memory_limit > ARENA_BYTES)
		d->memory_limit = ARENA_BYTES;
	d->submit_limit = o.submit_limit ? o.submit_limit : DEFAULT_SUBMIT_LIMIT;

	error = reach(d, &o);
	if (error) {
		free(d);
		return error;
	}
	error = look_at(d, &o);
	if (error) {
		d->backend->close(d->engine);
		free(d);
		return error;
	}
	*device = d;
	return 0;
}

void tma_close(struct tma_device *device)
{
	uint32_t q, i;

	if (!device)
		return;
	for (q = 0; q < device->info.queues; q++)
		tma_queue_close(device->queues[q]);
	for (i = 0; i < TMA_MAX_MULTIMEM; i++)
		tma_multimem_close(device->multimem[i]);
	for (i = 0; i < TMA_MAX_PORTS; i++)
		while (device->arenas[i].tree)
			tma_memory_free(device->arenas[i].tree);
	device->backend->close(device->engine);
	free(device);
}

int tma_device_info(const struct tma_device *device, struct tma_device_info *info)
{
	return options_out(info, sizeof(*info), &device->info);
}

uint64_t tma_cycles(const struct tma_device *device)
{
	return device->backend->cycles ? device->backend->cycles(device->engine) : 0;
}

int tma_counter(struct tma_device *device, enum tma_counter which, uint64_t *value)
{
	if ((unsigned int)which >= TMA_REG_COUNTER_COUNT)
		return TMA_EINVAL;
	return registers_counter(device, which, value);
}

int tma_set_behaviour(struct tma_device *device, uint32_t bits)
{
	int error;

	if (bits & ~(TMA_REG_BEHAVIOUR_STORE_GRANULE16_MASK | TMA_REG_BEHAVIOUR_F32_FTZ_MASK))
		return TMA_EINVAL;
	error = device->backend->reg_write(device->engine, TMA_REG_BEHAVIOUR, bits);
	return error == TMA_REFUSED ? TMA_ENOTSUP : error;
}

int tma_device_check(const struct tma_device *device)
{
	if (device->broken)
		return TMA_EDEVICE;
	return device->backend->check ? device->backend->check(device->engine) : 0;
}

/* Is offset..offset+size-1 of one CTA's shared memory? */
static bool smem_range(const struct tma_device *device, uint32_t address, uint32_t size)
{
	uint32_t cta = address >> 24, offset = address & 0xFFFFFF;

	return cta < device->info.ctas && offset <= device->info.smem_bytes &&
	       size <= device->info.smem_bytes - offset;
}

int tma_smem_read(struct tma_device *device, uint32_t address, void *bytes, uint32_t size)
{
	if (!smem_range(device, address, size))
		return TMA_EINVAL;
	if (!device->backend->smem_read)
		return TMA_ENOTSUP;
	return device->backend->smem_read(device->engine, address >> 24, address & 0xFFFFFF, bytes, size);
}

int tma_smem_write(struct tma_device *device, uint32_t address, const void *bytes, uint32_t size)
{
	if (!smem_range(device, address, size))
		return TMA_EINVAL;
	if (!device->backend->smem_write)
		return TMA_ENOTSUP;
	return device->backend->smem_write(device->engine, address >> 24, address & 0xFFFFFF, bytes, size);
}
