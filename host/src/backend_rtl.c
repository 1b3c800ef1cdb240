/* SPDX-License-Identifier: Apache-2.0 */
/* The back end "rtl": the Verilated engine with the test rig around it, all in this process. */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "lib/rig.h"
#include "tma_backend_rtl.h"

/* Windows of an open queue: while one of them allows multimem copies, multimem windows are locked. */
struct windows {
	struct rig_window *windows;
	uint32_t count;
};

struct engine {
	struct rig *rig;
	struct windows queues[TMA_REG_QUEUE_COUNT];
	uint32_t taken[TMA_REG_QUEUE_COUNT]; /* records of the queue that were delivered */
};

/* Seed 0 is the setting in which numbers are measured; every other one is meant to find faults. */
static struct rig_opts rig_options(const struct tma_options *options)
{
	struct rig_opts opts = { .size = sizeof(opts), .fst = options->wave };

	opts.seed = options->seed;
	if (opts.seed) {
		opts.latency = 1 + opts.seed % 200;
		opts.random_latency = 50;
		opts.stall_percent = 10;
		opts.command_percent = 10;
		opts.record_percent = 10;
		opts.pick = RIG_PICK_RANDOM;
	}
	return opts;
}

static bool config_exists(const char *name)
{
	const char *const *config;

	for (config = tma_sim_configs(); *config; config++)
		if (!strcmp(*config, name))
			return true;
	return false;
}

static int check_version(struct rig *rig)
{
	uint32_t version = rig_csr(rig, TMA_REG_VERSION);

	if (rig_csr(rig, TMA_REG_MAGIC) != TMA_REG_MAGIC_RESET || rig_failed(rig))
		return TMA_EDEVICE;
	if ((version & TMA_REG_VERSION_MAJOR_MASK) >> TMA_REG_VERSION_MAJOR_SHIFT != TMA_ABI_MAJOR)
		return TMA_EVERSION;
	return 0;
}

static void fill_info(struct rig *rig, struct tma_device_info *info)
{
	uint32_t cap[TMA_REG_CAP_COUNT];
	uint32_t i;

	for (i = 0; i < TMA_REG_CAP_COUNT; i++)
		cap[i] = rig_csr(rig, TMA_REG_CAP(i));
	info->config = rig_info(rig)->name;
	info->ctas = TMA_CAP_GET(cap, CTAS);
	info->smem_bytes = TMA_CAP_GET(cap, SMEM_BYTES);
	info->queues = TMA_CAP_GET(cap, QUEUES);
	info->windows = TMA_CAP_GET(cap, WINDOWS);
	info->ports = TMA_CAP_GET(cap, PORTS);
	info->data_bytes = TMA_CAP_GET(cap, DATA_BYTES);
	info->multimem_windows = TMA_CAP_GET(cap, MULTIMEM_WINDOWS);
	info->coherent = true;
	info->clocked = true;
}

static int rtl_open(const struct tma_options *options, struct tma_device_info *info, void **engine)
{
	struct rig_opts opts = rig_options(options);
	struct engine *e;
	int error;

	if (!config_exists(options->config))
		return TMA_ECONFIG;
	e = calloc(1, sizeof(*e));
	if (!e)
		return TMA_ENOMEM;
	e->rig = rig_open(options->config, &opts);
	if (!e->rig) {
		free(e);
		return TMA_EDEVICE;
	}
	error = check_version(e->rig);
	if (error) {
		rig_close(e->rig);
		free(e);
		return error;
	}
	fill_info(e->rig, info);
	*engine = e;
	return 0;
}

static void rtl_close(void *engine)
{
	struct engine *e = engine;
	uint32_t q;

	rig_close(e->rig);
	for (q = 0; q < TMA_REG_QUEUE_COUNT; q++)
		free(e->queues[q].windows);
	free(e);
}

static uint64_t rtl_cycles(const void *engine)
{
	return rig_cycle(((const struct engine *)engine)->rig);
}

static int rtl_check(const void *engine)
{
	return rig_failed(((const struct engine *)engine)->rig) ? TMA_EDEVICE : 0;
}

static int rtl_counter(void *engine, enum tma_counter which, uint64_t *value)
{
	struct engine *e = engine;

	*value = rig_counter(e->rig, which);
	return rtl_check(e);
}

/* The rig ends on what it finds wrong only when asked, so a broken engine stops here. */
static int rtl_advance(void *engine)
{
	struct engine *e = engine;
	int error = rtl_check(e);

	if (error)
		return error;
	rig_step(e->rig);
	return 1;
}

static int answer(int response)
{
	return response < 0 ? TMA_EDEVICE : response ? REFUSED : 0;
}

static int rtl_reg_read(void *engine, uint32_t address, uint32_t *value)
{
	return answer(rig_csr_read(((struct engine *)engine)->rig, address, value));
}

static int rtl_reg_write(void *engine, uint32_t address, uint32_t value)
{
	return answer(rig_csr_write(((struct engine *)engine)->rig, address, value));
}

static int rtl_memory_map(void *engine, uint32_t port, uint64_t address, uint64_t bytes, void *host)
{
	struct engine *e = engine;

	return rig_map(e->rig, port, address, bytes, host) ? TMA_ENOMEM : 0;
}

static void rtl_memory_unmap(void *engine, uint32_t port, uint64_t address, uint64_t bytes)
{
	struct engine *e = engine;

	(void)bytes;
	rig_unmap(e->rig, port, address);
}

/* The rig refuses what the registers would, so software that breaks the rule is told before. */
static int rtl_multimem(void *engine, uint32_t index, const struct backend_multimem *window)
{
	struct engine *e = engine;
	struct rig_multimem setup = {
		.base = window->address,
		.limit = window->address + window->bytes - 1,
		.ports = window->ports,
	};
	uint32_t q, i;

	for (q = 0; q < TMA_REG_QUEUE_COUNT; q++)
		for (i = 0; i < e->queues[q].count; i++)
			if (e->queues[q].windows[i].attr & TMA_ALLOW_MULTIMEM)
				return REFUSED;
	memcpy(setup.port_base, window->port_address, sizeof(setup.port_base));
	return rig_multimem(e->rig, index, &setup) ? TMA_EDEVICE : 0;
}

static int rtl_memory_sync(void *engine, uint32_t port, uint64_t address, uint64_t bytes, bool to_device)
{
	(void)engine;
	(void)port;
	(void)address;
	(void)bytes;
	(void)to_device;
	return 0;
}

static int rtl_smem_read(void *engine, uint32_t cta, uint32_t offset, void *bytes, uint32_t size)
{
	struct engine *e = engine;

	return rig_smem_read(e->rig, cta, offset, bytes, size) ? TMA_EDEVICE : 0;
}

static int rtl_smem_write(void *engine, uint32_t cta, uint32_t offset, const void *bytes, uint32_t size)
{
	struct engine *e = engine;

	return rig_smem_write(e->rig, cta, offset, bytes, size) ? TMA_EDEVICE : 0;
}

static void rtl_queue_close(void *engine, uint32_t index)
{
	struct engine *e = engine;

	rig_queue_disable(e->rig, index);
	free(e->queues[index].windows);
	memset(&e->queues[index], 0, sizeof(e->queues[index]));
}

static int rtl_queue_open(void *engine, uint32_t index, const struct backend_queue *queue)
{
	struct engine *e = engine;
	struct windows *own = &e->queues[index];
	struct rig_queue setup = {
		.cta = (uint8_t)queue->cta,
		.cta_mask = (uint16_t)queue->cta_mask,
		.stream = queue->stream,
		.prot = queue->prot,
		.num_windows = queue->num_windows,
		.cancel_mask = queue->cancel_mask,
		.front = queue->ring ? RIG_RING : RIG_DIRECT,
		.consumer =
			queue->ring ? RIG_CONSUMER_OFF : RIG_CONSUMER_EAGER, /* the library takes records */
		.own_rings = queue->ring,
		.ring_base = queue->ring_base,
		.completion_base = queue->completion_base,
		.ring_log2 = queue->ring_log2,
		.completion_log2 = queue->completion_log2,
	};
	uint32_t i;

	own->windows = calloc(queue->num_windows, sizeof(*own->windows));
	if (!own->windows)
		return TMA_ENOMEM;
	own->count = queue->num_windows;
	for (i = 0; i < queue->num_windows; i++) {
		own->windows[i].base = queue->windows[i].address;
		own->windows[i].limit = queue->windows[i].address + queue->windows[i].bytes - 1;
		own->windows[i].attr = queue->windows[i].allow;
	}
	setup.windows = own->windows;
	if (rig_queue_setup(e->rig, index, &setup)) {
		rtl_queue_close(e, index);
		return TMA_EDEVICE;
	}
	e->taken[index] = 0;
	return 0;
}

static int rtl_queue_resume(void *engine, uint32_t index, uint32_t sequence)
{
	return answer(rig_resume(((struct engine *)engine)->rig, index, sequence));
}

static int rtl_queue_reset(void *engine, uint32_t index)
{
	struct engine *e = engine;

	e->taken[index] = 0;
	return rig_queue_reset(e->rig, index) ? TMA_EDEVICE : 0;
}

static int rtl_queue_state(void *engine, uint32_t index, struct tma_queue_state *state)
{
	struct engine *e = engine;
	struct rig_fault fault = rig_fault(e->rig, index);
	uint32_t status = rig_csr(e->rig, TMA_REG_QUEUE_STATUS(index));

	state->next_sequence = rig_csr(e->rig, TMA_REG_QUEUE_HEAD(index));
	state->blocked = status & TMA_REG_QUEUE_STATUS_WAITING_MASK;
	state->faulted = status & TMA_REG_QUEUE_STATUS_FAULTED_MASK;
	state->fault = fault.code;
	state->fault_count = fault.count;
	state->fault_sequence = fault.sequence;
	state->fault_tag = fault.tag;
	state->fault_address = fault.address;
	return rtl_check(e);
}

static uint32_t rtl_queue_waiting(void *engine, uint32_t index)
{
	return rig_waiting(((struct engine *)engine)->rig, index);
}

static int rtl_submit(void *engine, uint32_t index, const struct tma_command *command)
{
	struct engine *e = engine;

	return rig_submit(e->rig, index, command) < 0 ? TMA_ENOMEM : 0;
}

static int rtl_next_record(void *engine, uint32_t index, struct tma_record *record)
{
	struct engine *e = engine;
	const struct rig_record *records;
	uint32_t count;

	records = rig_records(e->rig, index, &count);
	if (e->taken[index] == count)
		return 0;
	*record = records[e->taken[index]++].record;
	return 1;
}

const struct tma_backend tma_backend_rtl = {
	.name = "rtl",
	.size = sizeof(struct tma_backend),
	.version = TMA_VERSION,
	.open = rtl_open,
	.close = rtl_close,
	.cycles = rtl_cycles,
	.check = rtl_check,
	.counter = rtl_counter,
	.advance = rtl_advance,
	.reg_read = rtl_reg_read,
	.reg_write = rtl_reg_write,
	.memory_map = rtl_memory_map,
	.memory_unmap = rtl_memory_unmap,
	.memory_sync = rtl_memory_sync,
	.multimem = rtl_multimem,
	.smem_read = rtl_smem_read,
	.smem_write = rtl_smem_write,
	.queue_open = rtl_queue_open,
	.queue_close = rtl_queue_close,
	.queue_resume = rtl_queue_resume,
	.queue_reset = rtl_queue_reset,
	.queue_state = rtl_queue_state,
	.queue_waiting = rtl_queue_waiting,
	.submit = rtl_submit,
	.next_record = rtl_next_record,
};
