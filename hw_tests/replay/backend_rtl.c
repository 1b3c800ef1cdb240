/* SPDX-License-Identifier: Apache-2.0 */
/*
 * backend_rtl - replays on the Verilated engine.
 *
 * The seed sets the manner of the run: latency and its spread, stalls of every bus channel, what else the
 * memory may do (axi_manners.h), gaps
 * between commands, records that have to wait, foreign traffic on the ext ports, and how ring queues
 * ring their doorbells and take their records.
 */
#include <stdlib.h>

#include "lib/rig.h"
#include "lib/rng.h"
#include "replay/backend.h"
#include "tma_regs.h"

#define MAX_LATENCY      300u
#define MAX_SPREAD       200u
#define MAX_STALLS       40u /* percent, of whatever can be held up */
#define MAX_EXT_INTERVAL 16u
#define SLOW_LATENCY     40u  /* where bursts wait for each other */
#define LONG_TURN        100u /* cycles per advance() */
#define MAX_WINDOWS      4u
#define SEED_STREAM      1u
#define MIN_SLOTS_LOG2   4u
#define RING_SIZES       5u

struct engine {
	struct rig *rig;
	struct rng rng;
	uint32_t queues;
	uint32_t first_stream;             /* of queue 0 */
	uint32_t taken[REPLAY_MAX_QUEUES]; /* records of each queue */
	uint32_t next;                     /* queue to look at first */
};

/* Every third run nothing of a kind is held up. */
static uint32_t choose_stalls(struct rng *rng)
{
	return rng_percent(rng, 33) ? 0 : rng_below(rng, MAX_STALLS);
}

static struct rig_opts choose_manner(struct rng *rng, const char *fst)
{
	struct rig_opts opts = { .size = sizeof(opts) };

	opts.seed = opts.start_seed = rng_next(rng);
	opts.latency = 1 + rng_below(rng, MAX_LATENCY);
	opts.random_latency = rng_below(rng, MAX_SPREAD);
	opts.stall_percent = choose_stalls(rng);
	opts.command_percent = choose_stalls(rng);
	opts.record_percent = choose_stalls(rng);
	opts.ext_busy_every = rng_percent(rng, 50) ? 0 : 1 + rng_below(rng, MAX_EXT_INTERVAL);
	opts.pick = rng_percent(rng, 50) ? RIG_PICK_RANDOM : RIG_PICK_ROUND_ROBIN;
	for (uint32_t port = 0; port < TMA_SIM_MAX_PORTS; port++) {
		opts.manners[port] = axi_manners_draw(rng, false);
		if (axi_manners_slow(&opts.manners[port]))
			opts.latency = 1 + opts.latency % SLOW_LATENCY;
	}
	opts.fst = fst;
	return opts;
}

static void read_cap(struct rig *rig, struct replay_shape *shape)
{
	uint32_t words[TMA_REG_CAP_COUNT];

	for (uint32_t i = 0; i < TMA_REG_CAP_COUNT; i++)
		words[i] = rig_csr(rig, TMA_REG_CAP(i));
	shape->reduce = TMA_CAP_GET(words, REDUCE);
	shape->floats = TMA_CAP_GET(words, FLOATS);
	shape->f64 = TMA_CAP_GET(words, F64);
	shape->packed = TMA_CAP_GET(words, PACKED);
}

static void *rtl_open(const struct replay_open *open, struct replay_shape *shape)
{
	struct engine *e = calloc(1, sizeof(*e));
	const struct tma_sim_info *info;
	struct rig_opts opts;

	if (!e)
		return NULL;
	e->rng = rng_make(open->seed, SEED_STREAM);
	opts = choose_manner(&e->rng, open->fst);
	e->rig = rig_open(open->config, &opts);
	if (!e->rig) {
		free(e);
		return NULL;
	}
	e->first_stream = rng_below(&e->rng, 256);
	info = rig_info(e->rig);
	e->queues = info->queues;
	shape->ctas = info->ctas;
	shape->smem_bytes = info->smem_bytes;
	shape->queues = info->queues;
	read_cap(e->rig, shape);
	return e;
}

static void rtl_close(void *arg)
{
	struct engine *e = arg;

	rig_close(e->rig);
	free(e);
}

static int rtl_map(void *arg, uint64_t base, uint64_t size, void *memory)
{
	struct engine *e = arg;

	return rig_map(e->rig, 0, base, size, memory);
}

/* Small rings, so that they wrap and fill. */
static void choose_rings(struct rng *rng, struct rig_queue *setup)
{
	setup->front = RIG_RING;
	setup->ring_log2 = (uint8_t)(MIN_SLOTS_LOG2 + rng_below(rng, RING_SIZES));
	setup->completion_log2 = (uint8_t)(MIN_SLOTS_LOG2 + rng_below(rng, RING_SIZES));
	setup->bell = (enum rig_bell)rng_below(rng, RIG_BELL_RANDOM + 1);
	setup->consumer = rng_percent(rng, 50) ? RIG_CONSUMER_LAZY : RIG_CONSUMER_EAGER;
	setup->interrupt = rng_percent(rng, 33);
}

static int rtl_queue(void *arg, uint32_t queue, uint32_t cta, bool ring, const struct replay_window *windows,
                     uint32_t num_windows)
{
	struct engine *e = arg;
	struct rig_window list[MAX_WINDOWS];
	struct rig_queue setup = { .cta = (uint8_t)cta, .windows = list, .num_windows = num_windows };

	if (num_windows > sizeof(list) / sizeof(list[0]))
		return -1;
	for (uint32_t i = 0; i < num_windows; i++)
		list[i] = (struct rig_window){
			.base = windows[i].base,
			.limit = windows[i].base + windows[i].size - 1,
			.attr = RIG_READ | (windows[i].write ? RIG_WRITE : 0),
		};
	/* The monitor on the ports tells queues apart by it. */
	setup.stream = (uint8_t)(e->first_stream + queue);
	setup.prot = (uint8_t)rng_below(&e->rng, 8);
	if (ring)
		choose_rings(&e->rng, &setup);
	return rig_queue_setup(e->rig, queue, &setup);
}

static int rtl_store_granule16(void *arg)
{
	struct engine *e = arg;

	return rig_csr_write(e->rig, TMA_REG_BEHAVIOUR, TMA_REG_BEHAVIOUR_STORE_GRANULE16_MASK) == RIG_OKAY
	               ? 0
	               : -1;
}

static int rtl_submit(void *arg, uint32_t queue, const struct tma_command *command)
{
	struct engine *e = arg;

	return rig_submit(e->rig, queue, command) < 0 ? -1 : 0;
}

static int rtl_record(void *arg, struct tma_record *record)
{
	struct engine *e = arg;

	for (uint32_t i = 0; i < e->queues; i++) {
		uint32_t q = (e->next + i) % e->queues;
		uint32_t count;
		const struct rig_record *list = rig_records(e->rig, q, &count);

		if (e->taken[q] == count)
			continue;
		*record = list[e->taken[q]++].record;
		e->next = q;
		return 1;
	}
	return 0;
}

static int rtl_smem_write(void *arg, uint32_t cta, uint32_t offset, const void *bytes, uint32_t len)
{
	struct engine *e = arg;

	return rig_smem_post_write(e->rig, cta, offset, bytes, len);
}

static int rtl_smem_read(void *arg, uint32_t cta, uint32_t offset, void *bytes, uint32_t len)
{
	struct engine *e = arg;

	return rig_smem_post_read(e->rig, cta, offset, bytes, len);
}

static int rtl_smem_flush(void *arg)
{
	struct engine *e = arg;

	return rig_smem_flush(e->rig);
}

static int rtl_advance(void *arg)
{
	struct engine *e = arg;

	rig_run(e->rig, 1 + rng_below(&e->rng, LONG_TURN));
	return 0;
}

static uint32_t rtl_failures(void *arg)
{
	struct engine *e = arg;

	return (uint32_t)rig_failed(e->rig);
}

const struct replay_backend replay_rtl = {
	.name = "rtl",
	.has_fst = true,
	.patience = 2000,
	.open = rtl_open,
	.close = rtl_close,
	.map = rtl_map,
	.queue = rtl_queue,
	.store_granule16 = rtl_store_granule16,
	.submit = rtl_submit,
	.record = rtl_record,
	.smem_write = rtl_smem_write,
	.smem_read = rtl_smem_read,
	.smem_flush = rtl_smem_flush,
	.advance = rtl_advance,
	.failures = rtl_failures,
};
