/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The model with memory that is not coherent: what the host writes is not there for the engine
 * before tma_memory_to_device(), and the other way round. A library or a test that forgets one
 * of the two fails on it. One device at a time.
 */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "host_test.h"

static int staged_memory_alloc(void *engine, struct tma_backend_memory *memory)
{
	struct tma_backend_memory device = *memory;

	device.host = malloc(memory->bytes);
	assert_non_null(device.host);
	memset(device.host, 0xC3, memory->bytes);
	memory->handle = device.host;
	return tma_backend_model.memory_alloc(engine, &device);
}

static void staged_memory_free(void *engine, const struct tma_backend_memory *memory)
{
	tma_backend_model.memory_free(engine, memory);
	free(memory->handle);
}

static int staged_memory_sync(void *engine, const struct tma_backend_memory *memory, uint64_t offset,
                              uint64_t bytes, bool to_device)
{
	uint8_t *device = (uint8_t *)memory->handle + offset, *host = (uint8_t *)memory->host + offset;

	(void)engine;
	assert_true(offset <= memory->bytes && bytes <= memory->bytes - offset);
	if (to_device)
		memcpy(device, host, bytes);
	else
		memcpy(host, device, bytes);
	return 0;
}

const struct tma_backend *staged_backend(void)
{
	static struct tma_backend staged;

	staged = tma_backend_model;
	staged.name = "staged";
	staged.memory_alloc = staged_memory_alloc;
	staged.memory_free = staged_memory_free;
	staged.memory_sync = staged_memory_sync;
	return &staged;
}

/* ... and where a record comes in two pieces, between which the engine goes on. */
static int torn_memory_sync(void *engine, const struct tma_backend_memory *memory, uint64_t offset,
                            uint64_t bytes, bool to_device)
{
	uint64_t half = sizeof(struct tma_record) / 2;

	if (to_device || bytes != sizeof(struct tma_record))
		return staged_memory_sync(engine, memory, offset, bytes, to_device);
	staged_memory_sync(engine, memory, offset, half, false);
	tma_backend_model.advance(engine);
	return staged_memory_sync(engine, memory, offset + half, half, false);
}

const struct tma_backend *torn_backend(void)
{
	static struct tma_backend torn;

	torn = *staged_backend();
	torn.name = "torn";
	torn.memory_sync = torn_memory_sync;
	return &torn;
}

/* The model with completion rings where no memory is. */
static int astray_reg_write(void *engine, uint32_t address, uint32_t value)
{
	if (address == TMA_REG_QUEUE_COMPLETION_BASE_HI(0))
		value++;
	return tma_backend_model.reg_write(engine, address, value);
}

const struct tma_backend *astray_backend(void)
{
	static struct tma_backend astray;

	astray = tma_backend_model;
	astray.name = "astray";
	astray.reg_write = astray_reg_write;
	return &astray;
}

/* The model with a queue 0 that, once enabled, never closes. */
static bool endless_enabled;

static int endless_reg_write(void *engine, uint32_t address, uint32_t value)
{
	if (address == TMA_REG_QUEUE_CONTROL(0) && value)
		endless_enabled = true;
	return tma_backend_model.reg_write(engine, address, value);
}

static int endless_reg_read(void *engine, uint32_t address, uint32_t *value)
{
	int error = tma_backend_model.reg_read(engine, address, value);

	if (address == TMA_REG_QUEUE_STATUS(0) && endless_enabled)
		*value |= TMA_REG_QUEUE_STATUS_CLOSING_MASK;
	return error;
}

const struct tma_backend *endless_backend(void)
{
	static struct tma_backend endless;

	endless_enabled = false;
	endless = tma_backend_model;
	endless.name = "endless";
	endless.reg_read = endless_reg_read;
	endless.reg_write = endless_reg_write;
	return &endless;
}

/* The model as an engine of minor version 1 would show itself: without tensor copies. */
static int older_reg_read(void *engine, uint32_t address, uint32_t *value)
{
	int error = tma_backend_model.reg_read(engine, address, value);

	if (address == TMA_REG_BEHAVIOUR)
		return TMA_REFUSED;
	if (address == TMA_REG_VERSION)
		*value = 0x00010001;
	if (address == TMA_REG_CAP(TMA_CAP_TENSOR_WORD))
		*value &= ~(1u << TMA_CAP_TENSOR_LSB | 1u << TMA_CAP_PACKED_LSB | 0xFFu << TMA_CAP_MAPS_LSB |
		            1u << TMA_CAP_REDUCE_LSB | 1u << TMA_CAP_FLOATS_LSB | 1u << TMA_CAP_F64_LSB);
	return error;
}

static int older_reg_write(void *engine, uint32_t address, uint32_t value)
{
	return address == TMA_REG_BEHAVIOUR ? TMA_REFUSED
	                                    : tma_backend_model.reg_write(engine, address, value);
}

const struct tma_backend *older_backend(void)
{
	static struct tma_backend older;

	older = tma_backend_model;
	older.name = "older";
	older.reg_read = older_reg_read;
	older.reg_write = older_reg_write;
	return &older;
}
