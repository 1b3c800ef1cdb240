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

#define MAX_BUFFERS 256

static struct buffer {
	uint32_t port;
	uint64_t address, bytes;
	uint8_t *host, *device;
} buffers[MAX_BUFFERS];

static int staged_open(const struct tma_options *options, struct tma_device_info *info, void **engine)
{
	int error = tma_backend_model.open(options, info, engine);

	info->coherent = false;
	return error;
}

static void staged_close(void *engine)
{
	tma_backend_model.close(engine);
	for (size_t i = 0; i < MAX_BUFFERS; i++)
		free(buffers[i].device);
	memset(buffers, 0, sizeof(buffers));
}

static int staged_memory_map(void *engine, uint32_t port, uint64_t address, uint64_t bytes, void *host)
{
	struct buffer *b = buffers;

	while (b->device) {
		b++;
		assert_true(b < buffers + MAX_BUFFERS);
	}
	*b = (struct buffer){ port, address, bytes, host, malloc(bytes) };
	assert_non_null(b->device);
	memset(b->device, 0xC3, bytes);
	return tma_backend_model.memory_map(engine, port, address, bytes, b->device);
}

static void staged_memory_unmap(void *engine, uint32_t port, uint64_t address, uint64_t bytes)
{
	struct buffer *b = buffers;

	while (!b->device || port != b->port || address != b->address) {
		b++;
		assert_true(b < buffers + MAX_BUFFERS);
	}
	assert_int_equal(bytes, b->bytes);
	tma_backend_model.memory_unmap(engine, port, address, bytes);
	free(b->device);
	*b = (struct buffer){ 0 };
}

static int staged_memory_sync(void *engine, uint32_t port, uint64_t address, uint64_t bytes, bool to_device)
{
	const struct buffer *b = buffers;
	uint64_t offset;

	(void)engine;
	while (!b->device || port != b->port || address < b->address || address - b->address > b->bytes) {
		b++;
		assert_true(b < buffers + MAX_BUFFERS);
	}
	offset = address - b->address;
	if (to_device)
		memcpy(b->device + offset, b->host + offset, bytes);
	else
		memcpy(b->host + offset, b->device + offset, bytes);
	return 0;
}

const struct tma_backend *staged_backend(void)
{
	static struct tma_backend staged;

	staged = tma_backend_model;
	staged.name = "staged";
	staged.open = staged_open;
	staged.close = staged_close;
	staged.memory_map = staged_memory_map;
	staged.memory_unmap = staged_memory_unmap;
	staged.memory_sync = staged_memory_sync;
	return &staged;
}

/* The model with completion rings where no memory is. */
static int astray_queue_open(void *engine, uint32_t index, const struct backend_queue *queue)
{
	struct backend_queue moved = *queue;

	moved.completion_base += UINT64_C(1) << 32;
	return tma_backend_model.queue_open(engine, index, &moved);
}

const struct tma_backend *astray_backend(void)
{
	static struct tma_backend astray;

	astray = tma_backend_model;
	astray.name = "astray";
	astray.queue_open = astray_queue_open;
	return &astray;
}

/* The model with queues that never close. */
static int endless_reg_read(void *engine, uint32_t address, uint32_t *value)
{
	int error = tma_backend_model.reg_read(engine, address, value);

	if (address == TMA_REG_QUEUE_STATUS(0))
		*value |= TMA_REG_QUEUE_STATUS_CLOSING_MASK;
	return error;
}

const struct tma_backend *endless_backend(void)
{
	static struct tma_backend endless;

	endless = tma_backend_model;
	endless.name = "endless";
	endless.reg_read = endless_reg_read;
	return &endless;
}

/* The model as an engine of minor version 1 would show itself: without tensor copies. */
static int older_reg_read(void *engine, uint32_t address, uint32_t *value)
{
	int error = tma_backend_model.reg_read(engine, address, value);

	if (address == TMA_REG_BEHAVIOUR)
		return REFUSED;
	if (address == TMA_REG_VERSION)
		*value = 0x00010001;
	if (address == TMA_REG_CAP(TMA_CAP_TENSOR_WORD))
		*value &= ~(1u << TMA_CAP_TENSOR_LSB | 1u << TMA_CAP_PACKED_LSB | 0xFFu << TMA_CAP_MAPS_LSB |
		            1u << TMA_CAP_REDUCE_LSB | 1u << TMA_CAP_F64_LSB);
	return error;
}

static int older_reg_write(void *engine, uint32_t address, uint32_t value)
{
	return address == TMA_REG_BEHAVIOUR ? REFUSED : tma_backend_model.reg_write(engine, address, value);
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
