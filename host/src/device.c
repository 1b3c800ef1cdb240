/* SPDX-License-Identifier: Apache-2.0 */
/* Opens engines through back ends, and tells what they are. */
#include <stdlib.h>
#include <string.h>

#include "device.h"

#define DEFAULT_MEMORY_BYTES (UINT64_C(256) << 20)
#define DEFAULT_SUBMIT_LIMIT 1000000

/* Those of the library itself. */
static const struct tma_backend *const linked[] = { &tma_backend_model, &tma_backend_serial };

static int find_backend(const struct tma_options *options, const struct tma_backend **found)
{
	const struct tma_backend *const *backend = options->backends;
	size_t i;

	for (i = 0; i < sizeof(linked) / sizeof(linked[0]); i++) {
		*found = linked[i];
		if (!strcmp(options->backend, linked[i]->name))
			return 0;
	}
	for (; backend && *backend; backend++) {
		*found = *backend;
		if ((*backend)->name && !strcmp(options->backend, (*backend)->name))
			return backend_fits(*backend);
	}
	return backend_load(options->backend, found);
}

/* What a back end has to say of an error. */
static void backend_because(const char *why)
{
	because(0, "%s", why);
}

/* Through the back end, as the options say. */
static int reach(struct tma_device *device, const struct tma_options *options,
                 const struct tma_backend *backend)
{
	int error;

	backend_copy(&device->table, backend);
	device->backend = &device->table;
	device->about.size = sizeof(device->about);
	device->about.because = backend_because;
	error = device->backend->open(options, &device->about, &device->engine);
	if (error == TMA_ECONFIG)
		return because(error, "config = \"%s\": the back end \"%s\" has no such configuration",
		               options->config ? options->config : "default", device->backend->name);
	if (error == TMA_EDEVICE)
		return because(error, "the engine of the back end \"%s\" cannot be reached, or %s",
		               device->backend->name,
		               options->wave ? "the waveform cannot be written" : "breaks a rule at once");
	return error;
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
	if (device->about.memory_bytes && device->memory_limit > device->about.memory_bytes)
		device->memory_limit = device->about.memory_bytes;
	info->memory_bytes = device->memory_limit;
	if (options->config && strcmp(options->config, info->config) != 0)
		return because(TMA_ECONFIG, "config = \"%s\": this engine is \"%s\"", options->config,
		               info->config);
	if (options->reductions && !info->reductions)
		return because(TMA_ENOTSUP, "reductions are asked for, and this engine has none");
	/* One that is not built for this program alone may be as another has left it. */
	return device->about.placed ? 0 : registers_quiet(device);
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
	const struct tma_backend *backend;
	int error;

	if (!d)
		return TMA_ENOMEM;
	set_limits(d, options);
	error = find_backend(options, &backend);
	if (error)
		goto no_backend;
	error = turns_init(&d->turns) ? TMA_ENOMEM : 0;
	if (error)
		goto no_backend;
	error = reach(d, options, backend);
	if (error)
		goto no_engine;
	error = look_at(d, options);
	if (error)
		goto not_fit;
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
		cycles = device->backend->cycles ? device->backend->cycles(device->engine) : 0;
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
		error = registers_counter(device, which, value);
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
		if (error == TMA_REFUSED)
			error = because(TMA_ENOTSUP, "bits = 0x%x: this engine does not have the choice",
			                bits);
	}
	return ended(__func__, error);
}

int device_check(const struct tma_device *device)
{
	if (device->broken)
		return because(TMA_EDEVICE, "a queue or a multimem window did not close");
	return device->backend->check ? device->backend->check(device->engine) : 0;
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

static int smem_read(const struct tma_device *device, uint32_t address, void *bytes, uint32_t size)
{
	if (!device->backend->smem_read)
		return because(TMA_ENOTSUP, "the back end \"%s\" does not reach shared memory",
		               device->backend->name);
	return device->backend->smem_read(device->engine, address >> 24, address & 0xFFFFFF, bytes, size);
}

static int smem_write(const struct tma_device *device, uint32_t address, const void *bytes, uint32_t size)
{
	if (!device->backend->smem_write)
		return because(TMA_ENOTSUP, "the back end \"%s\" does not reach shared memory",
		               device->backend->name);
	return device->backend->smem_write(device->engine, address >> 24, address & 0xFFFFFF, bytes, size);
}

int tma_smem_read(struct tma_device *device, uint32_t address, void *bytes, uint32_t size)
{
	int error = check_smem(device, address, bytes, size);

	if (!error && size) {
		enter(device);
		error = smem_read(device, address, bytes, size);
		leave(device);
	}
	return ended(__func__, error);
}

int tma_smem_write(struct tma_device *device, uint32_t address, const void *bytes, uint32_t size)
{
	int error = check_smem(device, address, bytes, size);

	if (!error && size) {
		enter(device);
		error = smem_write(device, address, bytes, size);
		leave(device);
	}
	return ended(__func__, error);
}
