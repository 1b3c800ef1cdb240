/* SPDX-License-Identifier: Apache-2.0 */
/*
 * demo_stub - the C model under the name of the RTL: so the demo runs without a simulation, and finds the
 * fault that DEMO_FAULT names.
 *
 *	unbuilt  there are no reductions
 *	lost     the last 16 bytes of one addition of pictures
 *	port     a byte behind port 1 is one more from the start
 *	bin      one pixel is counted in the bin beside its own
 *	digit    a counter begins at 0 again one later than it should
 */
#include <stdlib.h>
#include <string.h>

#include "backend.h"

/* Of commands alike, which one is hit: not the first, nor the last. */
#define HIT 5u

/* What tma_backend_rtl.h declares as constant; this one is filled in before main(). */
struct tma_backend tma_backend_rtl;

static uint64_t clock_cycles;
static uint32_t additions, counts;

static bool fault_is(const char *name)
{
	const char *fault = getenv("DEMO_FAULT");

	return fault && !strcmp(fault, name);
}

static int stub_open(const struct tma_options *options, struct tma_backend_engine *about, void **engine)
{
	struct tma_options with = *options;

	with.reductions = !fault_is("unbuilt");
	return tma_backend_model.open(&with, about, engine);
}

/* Nothing may take no time at all. */
static uint64_t stub_cycles(const void *engine)
{
	(void)engine;
	return ++clock_cycles;
}

static int stub_memory_alloc(void *engine, struct tma_backend_memory *memory)
{
	if (memory->port == 1 && fault_is("port"))
		*(uint8_t *)memory->host = 1;
	return tma_backend_model.memory_alloc(engine, memory);
}

static int stub_smem_write(void *engine, uint32_t cta, uint32_t offset, const void *bytes, uint32_t size)
{
	uint32_t tops[4];

	/* The tops of the counters are all that is written in 16 bytes. */
	if (size != sizeof(tops) || !fault_is("digit"))
		return tma_backend_model.smem_write(engine, cta, offset, bytes, size);
	memcpy(tops, bytes, sizeof(tops));
	tops[1]++;
	return tma_backend_model.smem_write(engine, cta, offset, tops, size);
}

static int stub_submit(void *engine, uint32_t index, const struct tma_command *command)
{
	struct tma_command c = *command;

	if (c.opcode == TMA_MULTIMEM_BULK_REDUCE && ++additions == HIT && fault_is("lost"))
		c.size -= 16;
	if (c.opcode == TMA_BULK_REDUCE && ++counts == HIT && fault_is("bin"))
		c.global_address ^= 16;
	return tma_backend_model.submit(engine, index, &c);
}

__attribute__((constructor)) static void fill_in(void)
{
	tma_backend_rtl = tma_backend_model;
	tma_backend_rtl.name = "rtl";
	tma_backend_rtl.open = stub_open;
	tma_backend_rtl.cycles = stub_cycles;
	tma_backend_rtl.memory_alloc = stub_memory_alloc;
	tma_backend_rtl.smem_write = stub_smem_write;
	tma_backend_rtl.submit = stub_submit;
}
