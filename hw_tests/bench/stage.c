/* SPDX-License-Identifier: Apache-2.0 */
/* The stage of a measurement. */
#include "stage.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT      4000000u /* cycles until a measurement counts as hung */
#define RING_LOG2  12       /* slots: a whole stream, so that one doorbell may tell of it */
#define SMALL_LOG2 4

/* AXI read ids are {client, channel}. */
#define CHANNEL_BITS 2
#define CLIENT_LOAD  0
#define CLIENT_MAP   2
#define CLIENT_RING  3

/* Every byte says where it is from, so that no two sources look alike. */
static void fill(uint8_t *memory)
{
	uint64_t state = 1;

	for (uint32_t i = 0; i < STAGE_BYTES; i += 8) {
		state = state * 6364136223846793005ull + 1442695040888963407ull;
		uint64_t word = state ^ state >> 29;
		memcpy(memory + i, &word, 8);
	}
}

/* The tx-count of the polled barrier, as the external port shows it. An expect_tx of a whole batch
 * raises it; any other change means that a copy is done, also when both fall into one cycle. */
static void watch_tx(struct stage *s)
{
	struct rig_polled polled = rig_smem_polled(s->rig, s->tx_cta);
	int64_t tx;

	if (!polled.valid)
		return;
	tx = (int64_t)(polled.value << 3) >> 43; /* bits 60:40, signed */
	if (s->tx_valid && tx != s->tx && tx - s->tx != s->batch) {
		if (!s->first_done) {
			s->first_done = polled.since;
			s->beats_before = s->r_beats;
		}
		s->last_done = polled.since;
	}
	s->tx = tx;
	s->tx_valid = true;
}

static void watch(void *arg, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out)
{
	struct stage *s = arg;
	const struct tma_axi_out *o = &out->axi[0];
	const struct tma_axi_in *i = &in->axi[0];
	bool r = i->r_valid && o->r_ready, w = o->w_valid && i->w_ready;

	if (s->accept_wanted && !s->accept && rig_accepted(s->rig, s->accept_queue) > s->accept_index)
		s->accept = rig_accept_cycle(s->rig, s->accept_queue, s->accept_index);
	if (s->accept_wanted && !s->first_ar && o->ar_valid && o->ar_id >> CHANNEL_BITS == CLIENT_LOAD)
		s->first_ar = cycle;
	if (i->b_valid && o->b_ready) {
		s->first_b = s->bursts++ ? s->first_b : cycle;
		s->last_b = cycle;
	}
	if (r || w) {
		s->first_beat = s->r_beats + s->w_beats ? s->first_beat : cycle;
		s->last_beat = cycle;
	}
	s->r_beats += r;
	s->fetch_beats += r && i->r_id >> CHANNEL_BITS == CLIENT_RING;
	s->map_beats += r && i->r_id >> CHANNEL_BITS == CLIENT_MAP;
	s->w_beats += w;
	watch_tx(s);
}

/* 0, or what has gone wrong: registers that refuse, memory that lacks. */
static int set_up(struct stage *s, const struct stage_options *o)
{
	struct rig_window window = { STAGE_BASE, STAGE_BASE + STAGE_BYTES - 1, RIG_BOTH };
	const struct tma_sim_info *info = rig_info(s->rig);
	int err = rig_map(s->rig, 0, STAGE_BASE, STAGE_BYTES, s->memory);

	for (uint32_t q = 0; q < info->queues && !err; q++) {
		struct rig_queue setup = {
			.cta = o->one_cta ? 0 : q % info->ctas,
			.windows = &window,
			.num_windows = 1,
			.front = o->rings >> q & 1 ? RIG_RING : RIG_DIRECT,
			.ring_log2 = o->small_rings ? SMALL_LOG2 : RING_LOG2,
			.completion_log2 = RING_LOG2,
			.bell = o->small_rings ? RIG_BELL_SINGLE : RIG_BELL_ALL,
		};

		err = rig_queue_setup(s->rig, q, &setup);
	}
	s->rotate = info->smem_bytes - STAGE_SMEM;
	return err ? err : rig_hook(s->rig, &(struct rig_hooks){ .arg = s, .cycle = watch });
}

struct stage *stage_open(const struct bench_case *c, const struct stage_options *options,
                         struct bench_row *row)
{
	static const struct stage_options plain;
	const struct stage_options *o = options ? options : &plain;
	struct rig_opts opts = {
		.size = sizeof(opts),
		.seed = 1,
		.start_seed = 1,
		.latency = c->latency,
		.random_latency = o->random_latency,
		.stall_percent = o->stall_percent,
		.ext_busy_every = o->ext_busy_every,
		.pick = RIG_PICK_ROUND_ROBIN,
	};
	struct stage *s = calloc(1, sizeof(*s));
	int err = -1;

	if (row && !s)
		row->failed = true;
	if (!s)
		return NULL;
	s->memory = aligned_alloc(4096, STAGE_BYTES);
	s->rig = s->memory ? rig_open(c->config, &opts) : NULL;
	if (s->rig) {
		fill(s->memory);
		err = set_up(s, o);
	}
	if (!err)
		return s;
	fprintf(stderr, "tma_bench: %s: configuration '%s' cannot be opened or set up\n", c->name, c->config);
	if (row)
		row->failed = true;
	rig_close(s->rig);
	free(s->memory);
	free(s);
	return NULL;
}

void stage_close(struct stage *s, struct bench_row *row)
{
	if (row && rig_failed(s->rig))
		row->failed = true;
	if (rig_close(s->rig) && row)
		row->failed = true;
	free(s->memory);
	free(s);
}

void stage_accept(struct stage *s, uint32_t queue, uint32_t index)
{
	s->accept_wanted = true;
	s->accept_queue = queue;
	s->accept_index = index;
}

bool stage_drain(struct stage *s)
{
	bool idle = rig_wait_idle(s->rig, LIMIT) == 0;

	rig_run(s->rig, 8); /* until the external port has shown the last change */
	return idle;
}

int64_t stage_submit(struct stage *s, uint32_t queue, struct tma_command c)
{
	c.version = TMA_COMMAND_VERSION;
	return rig_submit(s->rig, queue, &c);
}

void stage_init(struct stage *s, uint32_t queue, uint32_t barrier, uint32_t count)
{
	stage_do(s, queue, TMA_MBARRIER_INIT, .barrier = barrier, .count = count);
}

void stage_expect(struct stage *s, uint32_t queue, uint32_t barrier, uint32_t bytes)
{
	stage_do(s, queue, TMA_MBARRIER_EXPECT_TX, .barrier = barrier, .tx = bytes);
}

uint32_t stage_late(uint32_t bytes)
{
	return bytes >= 4096 ? 524288 / bytes : 0;
}

void stage_arrive(struct stage *s, uint32_t queue, uint32_t barrier, uint32_t bytes)
{
	stage_do(s, queue, TMA_MBARRIER_ARRIVE, .flags = TMA_FLAG_EXPECT_TX, .barrier = barrier, .count = 1,
	         .tx = bytes);
}

void stage_load(struct stage *s, uint32_t queue, uint64_t from, uint32_t to, uint32_t bytes, uint32_t barrier,
                uint16_t mask)
{
	stage_do(s, queue, TMA_BULK_LOAD, .flags = mask ? TMA_FLAG_MULTICAST : 0, .cta_mask = mask,
	         .global_address = STAGE_BASE + from, .shared_dst = to, .size = bytes, .barrier = barrier);
}

void stage_store(struct stage *s, uint32_t queue, uint64_t to, uint32_t from, uint32_t bytes)
{
	stage_do(s, queue, TMA_BULK_STORE, .global_address = STAGE_BASE + to, .shared_src = from,
	         .size = bytes);
}

void stage_shared(struct stage *s, uint32_t queue, uint32_t from, uint32_t to, uint32_t bytes,
                  uint32_t barrier)
{
	stage_do(s, queue, TMA_BULK_SHARED, .shared_src = from, .shared_dst = to, .size = bytes,
	         .barrier = barrier);
}

void stage_wait_stores(struct stage *s, uint32_t queue)
{
	stage_do(s, queue, TMA_BULK_COMMIT_GROUP);
	stage_do(s, queue, TMA_BULK_WAIT_GROUP, .flags = TMA_FLAG_RECORD);
}

void stage_watch(struct stage *s, uint32_t cta, uint32_t offset, uint32_t batch)
{
	s->tx_cta = cta;
	s->tx_valid = false;
	s->batch = batch;
	s->first_done = 0;
	s->last_done = 0;
	rig_smem_poll(s->rig, cta, offset);
}

bool stage_same(struct stage *s, uint32_t cta, uint32_t offset, const void *bytes, uint32_t size)
{
	uint8_t *got = malloc(size);
	bool same = got && rig_smem_read(s->rig, cta, offset, got, size) == 0 && !memcmp(got, bytes, size);

	free(got);
	return same;
}
