/* SPDX-License-Identifier: Apache-2.0 */
/* Opens engines through back ends, and tells what they are. */
#include <stdlib.h>
#include <string.h>

#include "device.h"

#define DEFAULT_MEMORY_BYTES (UINT64_C(256) << 20)
#define DEFAULT_SUBMIT_LIMIT 1000000

static int find_backend(const struct tma_options *options, const struct tma_backend **found)
{
	const struct tma_backend *const *backend = options->backends;

	*found = &tma_backend_model;
	if (!strcmp(options->backend, tma_backend_model.name))
		return 0;
	for (; backend && *backend; backend++) {
		*found = *backend;
		if ((*backend)->name && !strcmp(options->backend, (*backend)->name))
			return backend_fits(*backend);
	}
	return backend_load(options->backend, found);
}

static int open_engine(struct tma_device *device, const struct tma_options *options)
{
	int error = device->backend->open(options, &device->info, &device->engine);

	if (error == TMA_ECONFIG)
		return because(error, "config = \"%s\": the back end \"%s\" has no such configuration",
		               options->config, device->backend->name);
	if (error == TMA_EDEVICE)
		return because(error, "the engine of the back end \"%s\" cannot be reached, or %s",
		               device->backend->name,
		               options->wave ? "the waveform cannot be written" : "breaks a rule at once");
	return error;
}

/* What the engine says of itself beyond its shape. */
static int read_capabilities(struct tma_device *device)
{
	uint32_t cap[TMA_REG_CAP_COUNT], version;
	uint32_t i;

	for (i = 0; i < TMA_REG_CAP_COUNT; i++)
		if (device->backend->reg_read(device->engine, TMA_REG_CAP(i), &cap[i]))
			return TMA_EDEVICE;
	if (device->backend->reg_read(device->engine, TMA_REG_VERSION, &version))
		return TMA_EDEVICE;
	device->info.tensor = TMA_CAP_GET(cap, TENSOR);
	device->info.packed = TMA_CAP_GET(cap, PACKED);
	device->info.maps = TMA_CAP_GET(cap, MAPS);
	device->info.reductions = TMA_CAP_GET(cap, REDUCE);
	device->info.f64 = TMA_CAP_GET(cap, F64);
	device->info.abi_minor = (version & TMA_REG_VERSION_MINOR_MASK) >> TMA_REG_VERSION_MINOR_SHIFT;
	return 0;
}

static void set_limits(struct tma_device *device, const struct tma_options *options)
{
	device->memory_limit = options->memory_bytes ? options->memory_bytes : DEFAULT_MEMORY_BYTES;
	if (device->memory_limit > ARENA_BYTES)
		device->memory_limit = ARENA_BYTES;
	device->submit_limit = options->submit_limit ? options->submit_limit : DEFAULT_SUBMIT_LIMIT;
}

static int device_open(const struct tma_options *options, struct tma_device **device)
{
	struct tma_device *d = calloc(1, sizeof(*d));
	int error;

	if (!d)
		return TMA_ENOMEM;
	set_limits(d, options);
	error = find_backend(options, &d->backend);
	if (error)
		goto no_backend;
	error = turns_init(&d->turns) ? TMA_ENOMEM : 0;
	if (error)
		goto no_backend;
	error = open_engine(d, options);
	if (error)
		goto no_engine;
	error = read_capabilities(d);
	if (!error && options->reductions && !d->info.reductions)
		error = because(TMA_ENOTSUP, "reductions are asked for, and this engine has none");
	if (error)
		goto not_fit;
	d->info.backend = d->backend->name;
	d->mark = MARK_DEVICE;
	*device = d;
	return 0;

not_fit:
	d->backend->close(d->engine);
no_engine:
	turns_end(&d->turns);
no_backend:
	free(d);
	return error;
}

int tma_open(const struct tma_options *options, struct tma_device **device)
{
	struct tma_options o;
	int error;

	if (!device)
		return ended(__func__, because(TMA_EINVAL, "device is NULL"));
	error = options_in(&o, sizeof(o), options);
	if (error)
		return ended(__func__, error);
	if (!o.backend)
		o.backend = tma_backend_model.name;
	if (!o.config)
		o.config = "default";
	return ended(__func__, device_open(&o, device));
}

static void device_close(struct tma_device *device)
{
	uint32_t i;

	enter(device);
	for (i = 0; i < device->info.queues; i++)
		if (device->queues[i])
			queue_close(device->queues[i]);
	for (i = 0; i < TMA_MAX_MULTIMEM; i++)
		if (device->multimem[i])
			multimem_free(device->multimem[i]);
	for (i = 0; i < TMA_MAX_PORTS; i++)
		while (device->arenas[i].tree)
			memory_free(device->arenas[i].tree);
	device->backend->close(device->engine);
	leave(device);
	turns_end(&device->turns);
	unmark(&device->mark);
	free(device);
}

void tma_close(struct tma_device *device)
{
	int error = device ? check_device(device) : 0;

	if (device && !error)
		device_close(device);
	ended(__func__, error);
}

int tma_device_info(const struct tma_device *device, struct tma_device_info *info)
{
	int error = check_device(device);

	if (!error && !info)
		error = because(TMA_EINVAL, "info is NULL");
	if (!error)
		error = options_out(info, sizeof(*info), &device->info);
	return ended(__func__, error);
}

uint64_t tma_cycles(const struct tma_device *device)
{
	uint64_t cycles = 0;
	int error = check_device(device);

	if (!error) {
		enter(device);
		cycles = device->backend->cycles(device->engine);
		leave(device);
	}
	ended(__func__, error);
	return cycles;
}

static int check_counter(const struct tma_device *device, enum tma_counter which, const uint64_t *value)
{
	int error = check_device(device);

	if (error)
		return error;
	if ((unsigned int)which >= TMA_REG_COUNTER_COUNT)
		return because(TMA_EINVAL, "which = %u: the counters are 0 to %u", (unsigned int)which,
		               TMA_REG_COUNTER_COUNT - 1);
	return value ? 0 : because(TMA_EINVAL, "value is NULL");
}

int tma_counter(struct tma_device *device, enum tma_counter which, uint64_t *value)
{
	int error = check_counter(device, which, value);

	if (!error) {
		enter(device);
		error = device->backend->counter(device->engine, which, value);
		leave(device);
		if (error == TMA_ENOTSUP)
			because(error, "which = %u: the back end \"%s\" does not count this",
			        (unsigned int)which, device->backend->name);
	}
	return ended(__func__, error);
}

int tma_set_behaviour(struct tma_device *device, uint32_t bits)
{
	const uint32_t known = TMA_REG_BEHAVIOUR_STORE_GRANULE16_MASK | TMA_REG_BEHAVIOUR_F32_FTZ_MASK;
	int error = check_device(device);

	if (!error && bits & ~known)
		error = because(TMA_EINVAL, "bits = 0x%x: there are none but 0x%x", bits, known);
	if (!error) {
		enter(device);
		error = device->backend->reg_write(device->engine, TMA_REG_BEHAVIOUR, bits);
		leave(device);
		if (error == REFUSED)
			error = because(TMA_ENOTSUP, "bits = 0x%x: this engine does not have the choice",
			                bits);
	}
	return ended(__func__, error);
}

int device_check(const struct tma_device *device)
{
	if (device->broken)
		return because(TMA_EDEVICE, "a queue or a multimem window did not close");
	return device->backend->check(device->engine);
}

int tma_device_check(const struct tma_device *device)
{
	int error = check_device(device);

	if (!error) {
		enter(device);
		error = device_check(device);
		leave(device);
	}
	return ended(__func__, error);
}

/* Is offset..offset+size-1 of one CTA's shared memory? */
static int check_smem(const struct tma_device *device, uint32_t address, const void *bytes, uint32_t size)
{
	uint32_t cta = address >> 24, offset = address & 0xFFFFFF, room;
	int error = check_device(device);

	if (error)
		return error;
	room = device->info.smem_bytes;
	if (address == TMA_SHARED_NONE)
		return because(TMA_EINVAL,
		               "address is TMA_SHARED_NONE: what tma_shared() gives for no address");
	if (cta >= device->info.ctas)
		return because(TMA_EINVAL, "address = 0x%x: CTA %u: the device has CTAs 0 to %u", address,
		               cta, device->info.ctas - 1);
	if (offset > room || size > room - offset)
		return because(TMA_EINVAL, "%u bytes at offset %u: a CTA has %u bytes of shared memory", size,
		               offset, room);
	return bytes || !size ? 0 : because(TMA_EINVAL, "bytes is NULL");
}

int tma_smem_read(struct tma_device *device, uint32_t address, void *bytes, uint32_t size)
{
	int error = check_smem(device, address, bytes, size);

	if (!error && size) {
		enter(device);
		error = device->backend->smem_read(device->engine, address >> 24, address & 0xFFFFFF, bytes,
		                                   size);
		leave(device);
	}
	return ended(__func__, error);
}

int tma_smem_write(struct tma_device *device, uint32_t address, const void *bytes, uint32_t size)
{
	int error = check_smem(device, address, bytes, size);

	if (!error && size) {
		enter(device);
		error = device->backend->smem_write(device->engine, address >> 24, address & 0xFFFFFF, bytes,
		                                    size);
		leave(device);
	}
	return ended(__func__, error);
}
