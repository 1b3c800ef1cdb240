/* SPDX-License-Identifier: Apache-2.0 */
/* The back end "model": the C model of the engine. It has no clock, and its memory is the host's. */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "tma_model.h"

/* Records of one queue that nobody has taken; the model delivers those of all queues in one row. */
struct record_list {
	struct tma_record *records;
	size_t first, count, room;
};

struct engine {
	struct tma_model *model;
	struct tma_queue_config queues[TMA_MODEL_MAX_QUEUES];
	struct record_list records[TMA_MODEL_MAX_QUEUES];
	bool lost; /* a record was dropped for want of memory */
};

/* The engines that the RTL is built as. */
static const struct shape {
	const char *name;
	struct tma_model_config model;
} shapes[] = {
	{ "small",
	  { .ctas = 2,
	    .smem_bytes = 16384,
	    .queues = 2,
	    .windows = 4,
	    .ports = 1,
	    .data_bytes = 16,
	    .multimem_windows = 1,
	    .reads = 16,
	    .maps = 2,
	    .without_packed = 1 } },
	{ "default",
	  { .ctas = 4,
	    .smem_bytes = 65536,
	    .queues = 8,
	    .windows = 4,
	    .ports = 2,
	    .data_bytes = 64,
	    .multimem_windows = 2,
	    .reads = 256,
	    .maps = 4 } },
	{ "max",
	  { .ctas = 16,
	    .smem_bytes = 232448,
	    .queues = 16,
	    .windows = 8,
	    .ports = 4,
	    .data_bytes = 128,
	    .multimem_windows = 4,
	    .reads = 128,
	    .maps = 8 } },
};

static const struct shape *find_shape(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (!strcmp(shapes[i].name, name))
			return &shapes[i];
	return NULL;
}

static int model_open(const struct tma_options *options, struct tma_device_info *info, void **engine)
{
	const struct shape *shape = find_shape(options->config);
	struct tma_model_config config;
	struct engine *e;

	if (!shape)
		return TMA_ECONFIG;
	e = calloc(1, sizeof(*e));
	if (!e)
		return TMA_ENOMEM;
	config = shape->model;
	config.seed = options->seed;
	config.reductions = options->reductions ? TMA_MODEL_REDUCE | TMA_MODEL_REDUCE_F64 : 0;
	e->model = tma_model_new(&config);
	if (!e->model) {
		free(e);
		return TMA_ENOMEM;
	}
	info->config = shape->name;
	info->ctas = shape->model.ctas;
	info->smem_bytes = shape->model.smem_bytes;
	info->queues = shape->model.queues;
	info->windows = shape->model.windows;
	info->ports = shape->model.ports;
	info->data_bytes = shape->model.data_bytes;
	info->multimem_windows = shape->model.multimem_windows;
	info->coherent = true;
	info->clocked = false;
	*engine = e;
	return 0;
}

static void model_close(void *engine)
{
	struct engine *e = engine;
	size_t q;

	tma_model_free(e->model);
	for (q = 0; q < TMA_MODEL_MAX_QUEUES; q++)
		free(e->records[q].records);
	free(e);
}

static uint64_t model_cycles(const void *engine)
{
	(void)engine;
	return 0;
}

static int model_check(const void *engine)
{
	const struct engine *e = engine;

	return e->lost ? TMA_EDEVICE : 0;
}

static bool keep_record(struct record_list *list, const struct tma_record *record)
{
	struct tma_record *records;
	size_t room;

	if (list->first == list->count)
		list->first = list->count = 0;
	if (list->count == list->room) {
		room = list->room ? 2 * list->room : 16;
		records = realloc(list->records, room * sizeof(*records));
		if (!records)
			return false;
		list->records = records;
		list->room = room;
	}
	list->records[list->count++] = *record;
	return true;
}

static int model_advance(void *engine)
{
	struct engine *e = engine;
	struct tma_record record;
	int executed = tma_model_run(e->model);

	while (tma_model_next_record(e->model, &record))
		if (!keep_record(&e->records[record.queue], &record))
			e->lost = true;
	if (e->lost)
		return TMA_EDEVICE;
	return executed > 0;
}

/* What takes time on hardware lets late copies go on. */
static void take_time(struct engine *e)
{
	if (tma_model_config(e->model)->seed)
		model_advance(e);
}

/* What depends on time or on the bus is the hardware's alone to count. */
static int model_counter(void *engine, enum tma_counter which, uint64_t *value)
{
	struct engine *e = engine;
	struct tma_model_counters counters;

	take_time(e);
	tma_model_counters(e->model, &counters);
	switch (which) {
	case TMA_COUNTER_COMMANDS:
		*value = counters.commands;
		return 0;
	case TMA_COUNTER_SIGNALS:
		*value = counters.signals;
		return 0;
	case TMA_COUNTER_FAULTS:
		*value = counters.faults;
		return 0;
	case TMA_COUNTER_PREFETCH_ERRORS:
		*value = counters.prefetch_errors;
		return 0;
	case TMA_COUNTER_RECORDS:
		*value = counters.records;
		return 0;
	default:
		return TMA_ENOTSUP;
	}
}

static int answer(int response)
{
	return response < 0 ? TMA_EDEVICE : response ? REFUSED : 0;
}

static int model_reg_read(void *engine, uint32_t address, uint32_t *value)
{
	struct engine *e = engine;

	take_time(e);
	return answer(tma_model_reg_read(e->model, address, value));
}

static int model_reg_write(void *engine, uint32_t address, uint32_t value)
{
	struct engine *e = engine;

	take_time(e);
	return answer(tma_model_reg_write(e->model, address, value));
}

static int model_memory_map(void *engine, uint32_t port, uint64_t address, uint64_t bytes, void *host)
{
	const struct engine *e = engine;

	return tma_model_map(e->model, port, address, bytes, host) ? TMA_ENOMEM : 0;
}

/* It cannot fail: nothing of a map is left. */
static void model_memory_unmap(void *engine, uint32_t port, uint64_t address, uint64_t bytes)
{
	const struct engine *e = engine;

	tma_model_unmap(e->model, port, address, bytes);
}

static int model_multimem(void *engine, uint32_t index, const struct backend_multimem *window)
{
	const struct engine *e = engine;
	struct tma_multimem setup = {
		.base = window->address,
		.limit = window->address + window->bytes - 1,
		.ports = window->ports,
	};
	int error;

	memcpy(setup.port_base, window->port_address, sizeof(setup.port_base));
	error = tma_model_multimem(e->model, index, &setup);
	return error == TMA_MODEL_EBUSY ? REFUSED : error ? TMA_EDEVICE : 0;
}

static int model_memory_sync(void *engine, uint32_t port, uint64_t address, uint64_t bytes, bool to_device)
{
	(void)engine;
	(void)port;
	(void)address;
	(void)bytes;
	(void)to_device;
	return 0;
}

static int model_smem_read(void *engine, uint32_t cta, uint32_t offset, void *bytes, uint32_t size)
{
	struct engine *e = engine;

	take_time(e);
	memcpy(bytes, tma_model_smem(e->model, cta) + offset, size);
	return 0;
}

static int model_smem_write(void *engine, uint32_t cta, uint32_t offset, const void *bytes, uint32_t size)
{
	struct engine *e = engine;

	take_time(e);
	memcpy(tma_model_smem(e->model, cta) + offset, bytes, size);
	return 0;
}

static int model_queue_open(void *engine, uint32_t index, const struct backend_queue *queue)
{
	struct engine *e = engine;
	struct tma_queue_config *config = &e->queues[index];
	struct tma_window window;
	uint32_t i;

	for (i = 0; i < tma_model_config(e->model)->windows; i++) {
		memset(&window, 0, sizeof(window));
		if (i < queue->num_windows) {
			window.base = queue->windows[i].address;
			window.limit = window.base + queue->windows[i].bytes - 1;
			window.attr = queue->windows[i].allow;
		}
		if (tma_model_window(e->model, index, i, &window))
			return TMA_EDEVICE;
	}
	e->records[index].first = e->records[index].count = 0;
	config->enable = 1;
	config->cta = (uint8_t)queue->cta;
	config->cta_mask = (uint16_t)queue->cta_mask;
	config->stream = queue->stream;
	config->prot = queue->prot;
	config->cancel_mask = queue->cancel_mask;
	config->ring = queue->ring;
	config->ring_slots_log2 = queue->ring_log2;
	config->completion_slots_log2 = queue->completion_log2;
	config->ring_base = queue->ring_base;
	config->completion_base = queue->completion_base;
	return tma_model_queue(e->model, index, config) ? TMA_EDEVICE : 0;
}

static void model_queue_close(void *engine, uint32_t index)
{
	struct engine *e = engine;

	e->queues[index].enable = 0;
	tma_model_queue(e->model, index, &e->queues[index]);
}

static int model_queue_resume(void *engine, uint32_t index, uint32_t sequence)
{
	const struct engine *e = engine;
	int error = tma_model_resume(e->model, index, sequence);

	return error == TMA_MODEL_ESTATE ? REFUSED : error ? TMA_EDEVICE : 0;
}

static struct tma_queue_status status_of(const struct engine *e, uint32_t index)
{
	struct tma_queue_status status = { 0 };

	tma_model_queue_status(e->model, index, &status);
	return status;
}

static int model_queue_reset(void *engine, uint32_t index)
{
	struct engine *e = engine;

	e->records[index].first = e->records[index].count = 0;
	if (tma_model_reset(e->model, index))
		return TMA_EDEVICE;
	while (status_of(e, index).closing)
		if (model_advance(e) <= 0)
			return TMA_EDEVICE;
	return 0;
}

static int model_queue_state(void *engine, uint32_t index, struct tma_queue_state *state)
{
	struct tma_queue_status status;

	take_time(engine);
	status = status_of(engine, index);
	state->next_sequence = status.next_sequence;
	state->blocked = status.waiting;
	state->faulted = status.faulted;
	state->fault = status.fault;
	state->fault_count = status.fault_count;
	state->fault_sequence = status.fault_sequence;
	state->fault_tag = status.fault_tag;
	state->fault_address = status.fault_address;
	return 0;
}

static uint32_t model_queue_waiting(void *engine, uint32_t index)
{
	return status_of(engine, index).queued;
}

static int model_submit(void *engine, uint32_t index, const struct tma_command *command)
{
	const struct engine *e = engine;

	return tma_model_submit(e->model, index, command) ? TMA_ENOMEM : 0;
}

static int model_next_record(void *engine, uint32_t index, struct tma_record *record)
{
	struct record_list *list = &((struct engine *)engine)->records[index];

	if (list->first == list->count)
		return 0;
	*record = list->records[list->first++];
	return 1;
}

const struct tma_backend tma_backend_model = {
	.name = "model",
	.size = sizeof(struct tma_backend),
	.version = TMA_VERSION,
	.open = model_open,
	.close = model_close,
	.cycles = model_cycles,
	.check = model_check,
	.counter = model_counter,
	.advance = model_advance,
	.reg_read = model_reg_read,
	.reg_write = model_reg_write,
	.memory_map = model_memory_map,
	.memory_unmap = model_memory_unmap,
	.memory_sync = model_memory_sync,
	.multimem = model_multimem,
	.smem_read = model_smem_read,
	.smem_write = model_smem_write,
	.queue_open = model_queue_open,
	.queue_close = model_queue_close,
	.queue_resume = model_queue_resume,
	.queue_reset = model_queue_reset,
	.queue_state = model_queue_state,
	.queue_waiting = model_queue_waiting,
	.submit = model_submit,
	.next_record = model_next_record,
};
