/* SPDX-License-Identifier: Apache-2.0 */
/* backend_model - replays on the C model, with all that the configuration's shape allows; "late" with a seed. */
#include <stdlib.h>
#include <string.h>

#include "replay/backend.h"
#include "replay/ring.h"
#include "lib/reductions.h"
#include "lib/rng.h"
#include "tma_model.h"
#include "tma_regs.h"

#define MAX_STEPS 16u  /* commands per advance() */
#define MAX_MOVES 256u /* of late copies */
#define OKAY      0

struct engine {
	struct tma_model *model;
	uint32_t queues;
	struct rng rng;
	struct ring ring[REPLAY_MAX_QUEUES]; /* memory: of ring queues alone */
};

static const struct {
	const char *name;
	struct replay_shape shape;
} configs[] = {
	{ "small", { .ctas = 2, .smem_bytes = 16384, .queues = 2, .reduce = true, .floats = true } },
	{ "default",
	  { .ctas = 4,
	    .smem_bytes = 65536,
	    .queues = 8,
	    .reduce = true,
	    .floats = true,
	    .f64 = true,
	    .packed = true } },
	{ "max",
	  { .ctas = 16,
	    .smem_bytes = 232448,
	    .queues = 16,
	    .reduce = true,
	    .floats = true,
	    .f64 = true,
	    .packed = true } },
};

static const struct replay_shape *find(const char *config)
{
	for (size_t i = 0; i < sizeof(configs) / sizeof(configs[0]); i++)
		if (!strcmp(configs[i].name, config))
			return &configs[i].shape;
	return NULL;
}

static void model_close(void *arg)
{
	struct engine *e = arg;

	for (uint32_t q = 0; q < e->queues; q++)
		ring_close(&e->ring[q]);
	tma_model_free(e->model);
	free(e);
}

static void *open_with(const struct replay_open *open, struct replay_shape *shape, uint64_t seed)
{
	const struct replay_shape *found = find(open->config ? open->config : "default");
	struct tma_model_config config = { 0 };
	struct engine *e;

	if (!found)
		return NULL;
	*shape = *found;
	config.ctas = shape->ctas;
	config.smem_bytes = shape->smem_bytes;
	config.queues = shape->queues;
	config.without_packed = !shape->packed;
	config.reductions = reductions_of(shape->reduce, shape->floats, shape->f64);
	config.seed = seed;

	e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->queues = shape->queues;
	e->rng.state = open->seed;
	e->model = tma_model_new(&config);
	if (!e->model) {
		free(e);
		return NULL;
	}
	return e;
}

static void *model_open(const struct replay_open *open, struct replay_shape *shape)
{
	return open_with(open, shape, 0);
}

static void *late_open(const struct replay_open *open, struct replay_shape *shape)
{
	return open_with(open, shape, open->seed | 1);
}

static int model_map(void *arg, uint64_t base, uint64_t size, void *memory)
{
	struct engine *e = arg;

	return tma_model_map(e->model, 0, base, size, memory);
}

static int model_queue(void *arg, uint32_t queue, uint32_t cta, bool ring,
                       const struct replay_window *windows, uint32_t num_windows)
{
	struct engine *e = arg;
	struct tma_queue_config config = { .enable = 1, .cta = (uint8_t)cta };
	struct tma_window rings;

	config.cta_mask = (uint16_t)((1u << tma_model_config(e->model)->ctas) - 1);
	for (uint32_t i = 0; i < num_windows; i++) {
		struct tma_window window = {
			.base = windows[i].base,
			.limit = windows[i].base + windows[i].size - 1,
			.attr = TMA_WINDOW_READ | (windows[i].write ? TMA_WINDOW_WRITE : 0),
		};
		int err = tma_model_window(e->model, queue, i, &window);

		if (err)
			return err;
	}
	if (ring && (ring_open(&e->ring[queue], e->model, queue, &e->rng, &config, &rings) ||
	             tma_model_window(e->model, queue, num_windows, &rings)))
		return -1;
	return tma_model_queue(e->model, queue, &config);
}

static int model_store_granule16(void *arg)
{
	struct engine *e = arg;

	return tma_model_reg_write(e->model, TMA_REG_BEHAVIOUR, TMA_REG_BEHAVIOUR_STORE_GRANULE16_MASK) ==
	                       OKAY
	               ? 0
	               : -1;
}

static int model_submit(void *arg, uint32_t queue, const struct tma_command *command)
{
	struct engine *e = arg;

	return e->ring[queue].memory ? ring_submit(&e->ring[queue], command)
	                             : tma_model_submit(e->model, queue, command);
}

static int model_record(void *arg, struct tma_record *record)
{
	struct engine *e = arg;

	for (uint32_t q = 0; q < e->queues; q++)
		if (e->ring[q].memory && ring_record(&e->ring[q], record))
			return 1;
	return tma_model_next_record(e->model, record);
}

static int model_smem_write(void *arg, uint32_t cta, uint32_t offset, const void *bytes, uint32_t len)
{
	struct engine *e = arg;

	memcpy(tma_model_smem(e->model, cta) + offset, bytes, len);
	return 0;
}

static int model_smem_read(void *arg, uint32_t cta, uint32_t offset, void *bytes, uint32_t len)
{
	struct engine *e = arg;

	memcpy(bytes, tma_model_smem(e->model, cta) + offset, len);
	return 0;
}

static int model_smem_flush(void *arg)
{
	(void)arg;
	return 0;
}

/* Doorbells and consumer counts, some of them late. */
static int ring_software(struct engine *e)
{
	int err = 0;

	for (uint32_t q = 0; q < e->queues && !err; q++) {
		if (!e->ring[q].memory)
			continue;
		err = ring_ring(&e->ring[q], &e->rng);
		if (!err && rng_percent(&e->rng, 25))
			err = ring_tell(&e->ring[q]);
	}
	return err;
}

/* Single steps of random queues, so that commands of several queues mix. Only tma_model_run() lets
 * a wait with a limit time out. */
static int model_advance(void *arg)
{
	struct engine *e = arg;
	uint32_t steps = 1 + rng_below(&e->rng, MAX_STEPS);
	int done = 0;

	if (ring_software(e))
		return -1;
	for (uint32_t i = 0; i < steps; i++)
		done |= tma_model_step(e->model, rng_below(&e->rng, e->queues));
	if (!done)
		tma_model_run(e->model);
	return 0;
}

/* Moves, which mix queues by themselves. */
static int late_advance(void *arg)
{
	struct engine *e = arg;
	uint32_t moves = 1 + rng_below(&e->rng, MAX_MOVES);

	if (ring_software(e))
		return -1;
	while (moves-- && tma_model_run(e->model) > 0)
		;
	return 0;
}

static uint32_t model_failures(void *arg)
{
	(void)arg;
	return 0;
}

const struct replay_backend replay_model = {
	.name = "model",
	.patience = 1000,
	.open = model_open,
	.close = model_close,
	.map = model_map,
	.queue = model_queue,
	.store_granule16 = model_store_granule16,
	.submit = model_submit,
	.record = model_record,
	.smem_write = model_smem_write,
	.smem_read = model_smem_read,
	.smem_flush = model_smem_flush,
	.advance = model_advance,
	.failures = model_failures,
};

const struct replay_backend replay_late = {
	.name = "late",
	.patience = 1000,
	.open = late_open,
	.close = model_close,
	.map = model_map,
	.queue = model_queue,
	.store_granule16 = model_store_granule16,
	.submit = model_submit,
	.record = model_record,
	.smem_write = model_smem_write,
	.smem_read = model_smem_read,
	.smem_flush = model_smem_flush,
	.advance = late_advance,
	.failures = model_failures,
};
