/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tool_stub - the C model as a back end "broken", with the fault that TOOL_FAULT names for `tma selftest` to find;
 * without a name it has none.
 *
 *	unbuilt   there are no reductions
 *	rings     there is no direct port
 *	port      a bit of the external port of CTA 1 is stuck
 *	alias     the upper half of CTA 0 is its lower half
 *	long      bulk loads beyond 8 KiB never end: their last 16 bytes do not come
 *	load      those below begin 16 bytes beside their source
 *	mask      byte masks are not obeyed
 *	zeros     cp.async reads what it has to fill
 *	box       tensor loads begin a row too late
 *	operator  max is min
 *	count     the answer of pending_count
 *	tag       the tags of signals of queue 0
 *	queue     one queue does nothing
 *	counter   a counter counts every event twice
 *	rule      the bus protocol was broken
 *
 * With TOOL_STAGED its memory is not coherent: the tool brings what has changed alone. Then there is one more fault:
 *
 *	stray     bulk stores write a byte elsewhere, too
 */
#include <stdlib.h>
#include <string.h>

#include "backend.h"

#pragma GCC visibility push(default)
struct tma_backend tma_backend_broken;
#pragma GCC visibility pop

#define STUCK 0x123u /* offset of the byte with the stuck bit */

static bool fault_is(const char *name)
{
	const char *fault = getenv("TOOL_FAULT");

	return fault && !strcmp(fault, name);
}

static int stub_open(const struct tma_options *options, struct tma_backend_engine *about, void **engine)
{
	struct tma_options with = *options;

	with.reductions = !fault_is("unbuilt");
	return tma_backend_model.open(&with, about, engine);
}

static int stub_check(const void *engine)
{
	return fault_is("rule") ? TMA_EDEVICE : tma_backend_model.check(engine);
}

static int stub_reg_read(void *engine, uint32_t address, uint32_t *value)
{
	int error = tma_backend_model.reg_read(engine, address, value);

	if (address == TMA_REG_COUNTER_LO(TMA_COUNTER_SIGNALS) && fault_is("counter"))
		*value *= 2;
	return error;
}

static int stub_smem_write(void *engine, uint32_t cta, uint32_t offset, const void *bytes, uint32_t size)
{
	const uint32_t half = 32768;

	if (cta == 0 && offset < half && offset + size > half && fault_is("alias")) {
		tma_backend_model.smem_write(engine, cta, offset, bytes, size);
		return tma_backend_model.smem_write(engine, cta, 0, (const uint8_t *)bytes + half - offset,
		                                    offset + size - half);
	}
	return tma_backend_model.smem_write(engine, cta, offset, bytes, size);
}

static int stub_smem_read(void *engine, uint32_t cta, uint32_t offset, void *bytes, uint32_t size)
{
	int error = tma_backend_model.smem_read(engine, cta, offset, bytes, size);

	if (cta == 1 && offset <= STUCK && offset + size > STUCK && fault_is("port"))
		((uint8_t *)bytes)[STUCK - offset] |= 8;
	return error;
}

/*
 * Memory of its own, which the host's is brought to and from.
 */

static uint8_t *first_memory; /* the one that the self-test compares */

static int staged_memory_alloc(void *engine, struct tma_backend_memory *memory)
{
	struct tma_backend_memory device = *memory;

	device.host = memory->handle = calloc(1, memory->bytes);
	if (!device.host)
		return TMA_ENOMEM;
	if (!first_memory)
		first_memory = device.host;
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
	memcpy(to_device ? device : host, to_device ? host : device, bytes);
	return 0;
}

static void spoil(struct tma_command *c)
{
	if (c->opcode == TMA_BULK_LOAD && c->size > 8192 && fault_is("long"))
		c->size -= 16;
	if (c->opcode == TMA_BULK_LOAD && c->size <= 8192 && fault_is("load"))
		c->global_address ^= 16;
	if (c->opcode == TMA_BULK_STORE && fault_is("mask")) {
		c->flags &= (uint16_t)~TMA_FLAG_CP_MASK;
		c->byte_mask = 0;
	}
	if (c->opcode == TMA_CP_ASYNC && c->flags & TMA_FLAG_SRC_SIZE && fault_is("zeros"))
		c->count = c->size;
	if (c->opcode == TMA_TENSOR_LOAD && c->dim > 1 && fault_is("box"))
		c->coord[1]++;
	if (c->opcode == TMA_BULK_REDUCE && c->op == TMA_REDUCE_MAX && fault_is("operator"))
		c->op = TMA_REDUCE_MIN;
}

static int stub_submit(void *engine, uint32_t index, const struct tma_command *command)
{
	struct tma_command c = *command;

	if (index == 1 && fault_is("queue"))
		return 0;
	spoil(&c);
	if (c.opcode == TMA_BULK_STORE && fault_is("stray"))
		first_memory[57344]++;
	return tma_backend_model.submit(engine, index, &c);
}

static int stub_next_record(void *engine, uint32_t index, struct tma_record *record)
{
	int got = tma_backend_model.next_record(engine, index, record);

	if (got && record->kind == TMA_KIND_ANSWER && record->value == 5 && fault_is("count"))
		record->value = 4;
	if (got && record->kind == TMA_KIND_SIGNAL && record->tag == 0xFFFFFFFF && fault_is("tag"))
		record->tag = 0x7FFFFFFF;
	return got;
}

__attribute__((constructor)) static void fill_in(void)
{
	tma_backend_broken = tma_backend_model;
	tma_backend_broken.name = "broken";
	tma_backend_broken.open = stub_open;
	tma_backend_broken.check = stub_check;
	tma_backend_broken.reg_read = stub_reg_read;
	tma_backend_broken.smem_write = stub_smem_write;
	tma_backend_broken.smem_read = stub_smem_read;
	tma_backend_broken.submit = stub_submit;
	tma_backend_broken.next_record = stub_next_record;
	if (getenv("TOOL_STAGED")) {
		tma_backend_broken.memory_alloc = staged_memory_alloc;
		tma_backend_broken.memory_free = staged_memory_free;
		tma_backend_broken.memory_sync = staged_memory_sync;
	}
	if (fault_is("rings")) {
		tma_backend_broken.submit = NULL;
		tma_backend_broken.waiting = NULL;
		tma_backend_broken.next_record = NULL;
	}
}
