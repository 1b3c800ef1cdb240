/* SPDX-License-Identifier: Apache-2.0 */
/* The back end "model": the C model of the engine. It has no clock, and its memory is the host's. */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "shapes.h"
#include "tma_model.h"

/* Records of one queue that nobody has taken; the model delivers those of all queues in one row. */
struct record_list {
	struct tma_record *records;
	size_t first, count, room;
};

struct engine {
	struct tma_model *model;
	struct record_list records[TMA_MODEL_MAX_QUEUES];
	bool lost; /* a record was dropped for want of memory */
};

/* What depends on time or on the bus is the hardware's alone to count. */
#define COUNTED                                                                              \
	(1u << TMA_COUNTER_COMMANDS | 1u << TMA_COUNTER_SIGNALS | 1u << TMA_COUNTER_FAULTS | \
	 1u << TMA_COUNTER_PREFETCH_ERRORS | 1u << TMA_COUNTER_RECORDS)

static int model_open(const struct tma_options *options, struct tma_backend_engine *about, void **engine)
{
	const struct shape *shape = shape_find(options->config ? options->config : DEFAULT_CONFIG);
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
	about->config = shape->name;
	about->placed = true;
	about->uncounted = ~COUNTED;
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

static int answer(int response)
{
	return response < 0 ? TMA_EDEVICE : response ? TMA_REFUSED : 0;
}

static int model_reg_read(void *engine, uint32_t address, uint32_t *value)
{
	struct engine *e = engine;

	take_time(e);
	return answer(tma_model_reg_read(e->model, address, value));
}

/* A queue that is disabled or reset forgets its records, those too that the model has handed over. */
static void forget_records(struct engine *e, uint32_t address, uint32_t value)
{
	uint32_t q;

	for (q = 0; q < TMA_MODEL_MAX_QUEUES; q++)
		if ((address == TMA_REG_QUEUE_CONTROL(q) && !(value & TMA_REG_QUEUE_CONTROL_ENABLE_MASK)) ||
		    (address == TMA_REG_DOOR_RESET(q) && value & TMA_REG_DOOR_RESET_RESET_MASK))
			e->records[q].first = e->records[q].count = 0;
}

static int model_reg_write(void *engine, uint32_t address, uint32_t value)
{
	struct engine *e = engine;
	int error;

	take_time(e);
	error = answer(tma_model_reg_write(e->model, address, value));
	if (!error)
		forget_records(e, address, value);
	return error;
}

static int model_memory_alloc(void *engine, struct tma_backend_memory *memory)
{
	const struct engine *e = engine;

	return tma_model_map(e->model, memory->port, memory->address, memory->bytes, memory->host)
	               ? TMA_ENOMEM
	               : 0;
}

/* It cannot fail: nothing of a map is left. */
static void model_memory_free(void *engine, const struct tma_backend_memory *memory)
{
	const struct engine *e = engine;

	tma_model_unmap(e->model, memory->port, memory->address, memory->bytes);
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

static uint32_t model_waiting(void *engine, uint32_t index)
{
	const struct engine *e = engine;
	struct tma_queue_status status = { 0 };

	tma_model_queue_status(e->model, index, &status);
	return status.queued;
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
	.version = TMA_BACKEND_VERSION,
	.open = model_open,
	.close = model_close,
	.reg_read = model_reg_read,
	.reg_write = model_reg_write,
	.memory_alloc = model_memory_alloc,
	.memory_free = model_memory_free,
	.smem_read = model_smem_read,
	.smem_write = model_smem_write,
	.advance = model_advance,
	.check = model_check,
	.submit = model_submit,
	.waiting = model_waiting,
	.next_record = model_next_record,
};
