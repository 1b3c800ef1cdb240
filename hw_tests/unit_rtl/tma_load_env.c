/* SPDX-License-Identifier: Apache-2.0 */
/* Surroundings and reference of the load path. See tma_load_env.h. */
#include "unit_rtl/tma_load_env.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tma_abi.h"

#define CHUNK    ENV_CHUNK
#define NEVER    ENV_NEVER
#define AXCACHE  0xEu
#define CHANNELS 4u

uint8_t env_stream(uint32_t queue)
{
	return (uint8_t)(0x51 + 37 * queue);
}

uint8_t env_prot(uint32_t queue)
{
	return (uint8_t)((queue + 3) % 8);
}

/*
 * Set-up.
 */

/* Floats that tf32 rounds in special ways, among the others. */
static void special_words(struct env *e)
{
	static const uint32_t words[] = { 0x7F800000, 0xFF800000, 0x7F800001, 0xFFC00000, 0x7F7FFFFF,
		                          0x3F801000, 0x3F803000, 0x3F801001, 0x3F800FFF, 0x00000FFF,
		                          0x80001000, 0x807FF000, 0x3FFFF000, 0xBFFFEFFF, 0x7FFFE000 };

	for (uint32_t at = 0; at + 4 <= ENV_BYTES; at += 4 * (1 + rng_below(&e->rng, 16)))
		memcpy(e->global + at, &words[rng_below(&e->rng, sizeof(words) / sizeof(words[0]))], 4);
}

/* A cycle that writes a window as it is now. */
static void write_window(struct env *e, uint32_t queue, uint32_t index)
{
	e->in->window_write = (struct load_window_write){
		.valid = 1, .qid = queue, .index = index, .window = e->windows[queue][index]
	};
	load_eval(e->unit);
	load_tick(e->unit);
	e->in->window_write.valid = 0;
}

void env_open(struct env *e, const struct env_opts *opts)
{
	struct axi_mem_opts mem = { 0 };
	struct axi_check_opts check = { 0 };

	BENCH_OPEN(e, load, opts->seed);
	e->o = *opts;
	e->info = unit_shape();
	e->in->axcache = AXCACHE;
	e->first_r = e->ar_since = e->ar_taken = e->first_chunk = e->first_line = NEVER;
	mem.data_bytes = e->info->data_bytes;
	mem.latency = opts->latency ? opts->latency : 20;
	mem.random_latency = opts->random_latency;
	mem.stall_percent = opts->stall_percent;
	mem.seed = opts->seed;
	e->mem = must(axi_mem_new(&mem));
	check.data_bytes = e->info->data_bytes;
	check.ids = 8 * ENV_ID_UNIT;
	check.max_reads = e->info->reads;
	e->check = must(axi_check_new(&check));

	e->global = must(malloc(ENV_BYTES));
	for (uint32_t i = 0; i < ENV_BYTES; i++)
		e->global[i] = (uint8_t)rng_next(&e->rng);
	special_words(e);
	assert_int_equal(axi_mem_map(e->mem, ENV_BASE, ENV_BYTES, e->global), 0);
	e->owner = must(calloc(e->info->smem_bytes, sizeof(*e->owner)));
	e->want = must(calloc(e->info->smem_bytes, 1));
	e->kind = must(calloc(e->info->smem_bytes, 1));
	e->written = must(calloc(e->info->ctas, e->info->smem_bytes));
	e->cmds = must(calloc(ENV_COMMANDS, sizeof(*e->cmds)));
	for (uint32_t i = 0; i < ENV_STREAMS; i++)
		e->fetch[i].list = must(calloc(ENV_FETCHES, sizeof(*e->fetch[i].list)));

	for (uint32_t i = 0; i < e->info->queues; i++)
		e->in->cfg[i] = (struct load_queue_cfg){
			.enable = 1, .cta_mask = 0xFFFF, .stream = env_stream(i), .prot = env_prot(i)
		};
	axi_mem_reset(e->mem, &e->axi_in);
	load_start(e->unit);
	for (uint32_t i = 0; i < e->info->queues * e->info->windows; i++)
		write_window(e, i / e->info->windows, i % e->info->windows);
}

void env_open_all(struct env *e, const struct env_opts *opts)
{
	env_open(e, opts);
	for (uint32_t q = 0; q < e->info->queues; q++)
		env_window(e, q, 0, ENV_PAGES - 1, true);
}

void env_open_random(struct env *e, const struct env_opts *opts)
{
	env_open(e, opts);
	for (uint32_t k = 0; k < e->info->queues; k++) {
		env_window(e, k, 2, 20 + rng_below(&e->rng, 10), true);
		env_window(e, k, 36, ENV_PAGES - 1 - k % 2, true);
	}
	for (uint32_t k = 0; k < 120; k++) {
		uint32_t grain = rng_below(&e->rng, ENV_BYTES / ENV_GRAIN);

		if (!e->error[grain] && (grain < 40 * ENV_PAGE_GRAINS || grain >= 52 * ENV_PAGE_GRAINS))
			env_error(e, grain, k % 2 ? AXI_SLVERR : AXI_DECERR);
	}
}

uint32_t env_all_ctas(const struct env *e)
{
	return (1u << e->info->ctas) - 1;
}

static void forget(struct env *e)
{
	while (e->num)
		free(e->cmds[--e->num].bursts);
}

void env_close(struct env *e)
{
	load_close(e->unit);
	forget(e);
	axi_mem_free(e->mem);
	axi_check_free(e->check);
	free(e->global);
	free(e->owner);
	free(e->written);
	free(e->want);
	free(e->kind);
	free(e->cmds);
	for (uint32_t i = 0; i < ENV_STREAMS; i++)
		free(e->fetch[i].list);
}

void env_window(struct env *e, uint32_t queue, uint32_t first, uint32_t last, bool read)
{
	uint32_t index = e->num_windows[queue]++;
	struct load_window *w = &e->windows[queue][index];

	assert_true(index < e->info->windows);
	w->base = ENV_BASE / ENV_PAGE + first;
	w->limit = ENV_BASE / ENV_PAGE + last;
	w->read = read;
	w->write = !read;
	write_window(e, queue, index);
	if (read && first <= last)
		assert_int_equal(axi_check_legal(e->check, queue, AXI_CHECK_READ, w->base * ENV_PAGE,
		                                 (uint64_t)(last - first + 1) * ENV_PAGE),
		                 0);
}

void env_error(struct env *e, uint32_t grain, enum axi_mem_resp resp)
{
	e->error[grain] = (uint8_t)resp;
	assert_int_equal(axi_mem_error(e->mem, AXI_MEM_READ, ENV_BASE + (uint64_t)grain * ENV_GRAIN,
	                               ENV_GRAIN, resp),
	                 0);
}

/*
 * What the path does.
 */

static struct env_cmd *by_seq(struct env *e, uint32_t seq)
{
	uint32_t index = (seq - e->first_seq) & 0xFFFF;

	REQUIRE(e, index < e->offered);
	return &e->cmds[index];
}

/* Of either kind commands come in order, each with its bursts from the first on; ids tell loads apart. */
static struct env_cmd *asks(struct env *e, uint32_t tensor)
{
	const struct tma_axi_out *ar = &e->axi_out;

	for (uint32_t i = e->ar_cmd[tensor]; i < e->offered; i++) {
		struct env_cmd *c = &e->cmds[i];

		if (c->cmd.tensor != tensor)
			continue;
		if (c->cmd.hint.qos == ar->ar_qos && c->cmd.hint.evict == (ar->ar_user & 15u) &&
		    (c->cmd.client != LOAD_LOAD || ar->ar_id / (ENV_ID_UNIT / 2) == tensor) &&
		    c->issued < c->possible) {
			e->ar_cmd[tensor] = i;
			return c;
		}
		if (!e->dead && c->issued < c->certain)
			return NULL;
	}
	return NULL;
}

static void see_ar(struct env *e)
{
	const struct tma_axi_out *ar = &e->axi_out;
	uint32_t offset, bytes, beat = e->info->data_bytes;
	struct env_cmd *c;

	/* On a dead port an address stays, and what it was for is over. */
	if (!ar->ar_valid || e->dead)
		return;
	if (e->ar_since == NEVER)
		e->ar_since = e->cycle;
	/* It may have left the guard as early as the one before was there, if it was right behind. */
	uint64_t left = e->ar_taken != NEVER && e->ar_since == e->ar_taken + 1 ? e->ar_before : e->ar_since;
	if (e->axi_in.ar_ready) {
		e->ar_before = e->ar_since;
		e->ar_taken = e->cycle;
	}
	REQUIRE(e, ar->ar_cache == AXCACHE);
	if (ar->ar_id == ENV_ID_UNIT * LOAD_RING || ar->ar_id == ENV_ID_UNIT * LOAD_MAP) {
		if (e->axi_in.ar_ready)
			env_see_fetch_ar(e, ar->ar_id == ENV_ID_UNIT * LOAD_MAP ? ENV_MAP : ENV_RING);
		return;
	}
	if (ar->ar_id == ENV_ID_UNIT * LOAD_PREFETCH && (ar->ar_user >> 4 & 3) == ENV_PREFETCH_L2) {
		if (e->axi_in.ar_ready) {
			env_see_prefetch_ar(e);
			e->ar_since = NEVER;
		}
		return;
	}
	c = asks(e, 0);
	c = c ? c : asks(e, 1);
	REQUIRE(e, c);
	if (c->first_ar == NEVER)
		c->first_ar = e->cycle;
	if (!e->axi_in.ar_ready)
		return;
	if (c->cmd.client == LOAD_CP) {
		offset = (uint32_t)(c->cmd.gaddr - ENV_BASE);
		bytes = c->cmd.cp.size;
	} else {
		offset = c->bursts[c->issued].offset;
		bytes = c->bursts[c->issued].bytes;
	}
	REQUIRE(e, ar->ar_addr == ((ENV_BASE + offset) & ~(uint64_t)(beat - 1)));
	REQUIRE(e, ar->ar_len == (offset + bytes - 1) / beat - offset / beat);
	REQUIRE(e, ar->ar_prot == env_prot(c->cmd.signal.origin.qid));
	REQUIRE(e, ar->ar_user == (env_stream(c->cmd.signal.origin.qid) << 8 | c->cmd.hint.cg << 6 |
	                           c->cmd.hint.prefetch << 4 | c->cmd.hint.evict));
	REQUIRE(e, ar->ar_id / ENV_ID_UNIT == c->cmd.client);
	REQUIRE(e, ar->ar_id % ENV_ID_UNIT == (c->cmd.client == LOAD_LOAD ? c->channel : 0));
	REQUIRE(e, !c->issued || ar->ar_id == c->id);
	/* One may still come while the report is on its way to issue. */
	REQUIRE(e, c->fault == NEVER || left <= c->fault + 1);
	e->ar_since = NEVER;
	c->id = ar->ar_id;
	c->issued++;
	if (c->cmd.client == LOAD_LOAD) {
		e->id_queue[c->id][e->id_put[c->id]++ % ENV_COMMANDS] = c->cmd.signal.origin.qid;
		e->owed[c->cmd.signal.origin.qid]++;
	}
}

/* The oldest load of its channel that has not reported, and all that it read is there, the last line
 * perhaps not yet written. Of those that fail nothing comes. */
static void see_read(struct env *e)
{
	uint32_t channel, i = 0;
	struct env_cmd *c = e->cmds;

	if (!e->out->events.read || e->dead)
		return;
	for (channel = 0; e->out->events.read != 1u << channel; channel++)
		REQUIRE(e, channel < 3);
	for (; c->cmd.client != LOAD_LOAD || c->channel != channel || c->code || c->read != NEVER; c++)
		REQUIRE(e, ++i < e->offered);
	REQUIRE(e, c->cmd.signal.origin.qid == e->out->events.read_queue);
	REQUIRE(e, c->issued == c->possible && c->data + e->info->data_bytes >= c->total_data);
	c->read = e->cycle;
}

/* After the last byte has been written, in an earlier cycle or this one. */
static void see_signal(struct env *e)
{
	struct env_cmd *c;

	if (!e->out->sig_valid[0] || !e->in->sig_ready[0])
		return;
	c = by_seq(e, e->out->sig[0].origin.seq);
	REQUIRE(e, !c->code && c->cmd.client == LOAD_LOAD);
	REQUIRE(e, e->dead || c->read != NEVER);
	REQUIRE(e, c->signal == NEVER);
	REQUIRE(e, c->bytes == c->total);
	REQUIRE(e, !memcmp(&e->out->sig[0], &c->cmd.signal, sizeof(c->cmd.signal)));
	c->signal = e->cycle;
	e->signals++;
}

/* A command whose port died: the first byte that did not come in time. The beats that came before are
 * whole; of the newest one of a swizzled row a part may not have been written. */
static void expect_dead(struct env *e, struct env_cmd *c)
{
	uint32_t beat = e->info->data_bytes, i, left = c->data, cut;

	REQUIRE(e, c->cmd.client != LOAD_PREFETCH && c->signal == NEVER);
	c->code = TMA_FAULT_PORT_DEAD;
	c->address = c->cmd.gaddr;
	if (c->cmd.client == LOAD_CP)
		return;
	for (i = 0; i < c->num_bursts && left >= c->bursts[i].data; i++)
		left -= c->bursts[i].data;
	REQUIRE(e, i < c->num_bursts);
	c->address = ENV_BASE + c->bursts[i].offset + left;
	cut = left ? (uint32_t)(c->address % beat) : 0;
	REQUIRE(e, !cut || c->walk.item.layout.swizzle != LOAD_SWIZZLE_OFF);
	c->address += cut ? beat - cut : 0;
}

static void see_fault(struct env *e)
{
	struct env_cmd *c;

	if (!e->out->fault_valid || !e->in->fault_ready)
		return;
	c = by_seq(e, e->out->fault.origin.seq);
	if (e->dead && e->out->fault.code == TMA_FAULT_PORT_DEAD)
		expect_dead(e, c);
	REQUIRE(e, c->code);
	REQUIRE(e, c->fault == NEVER);
	REQUIRE(e, e->out->fault.origin.qid == c->cmd.signal.origin.qid);
	REQUIRE(e, e->out->fault.origin.tag == c->cmd.signal.origin.tag);
	REQUIRE(e, e->out->fault.code == c->code);
	REQUIRE(e, e->out->fault.address == c->address);
	REQUIRE(e, e->dead || c->issued >= c->certain);
	REQUIRE(e, c->cmd.client != LOAD_CP || c->failed);
	c->fault = e->cycle;
	e->faults++;
}

void env_kill(struct env *e, bool late)
{
	e->dead = true;
	e->late = late;
	e->in->dead = 1;
}

/* Dead, it takes nothing and brings nothing but the beat that it has on offer. */
static void step_port(struct env *e, const struct tma_axi_out *axi)
{
	if (!e->dead || e->late) {
		axi_mem_step(e->mem, axi, &e->axi_in);
		return;
	}
	e->axi_in.ar_ready = 0;
	e->axi_in.r_valid &= !axi->r_ready;
}

static void put_axi(struct env *e)
{
	e->in->axi.ar_ready = e->axi_in.ar_ready;
	e->in->axi.r_valid = e->axi_in.r_valid;
	e->in->axi.r_id = e->axi_in.r_id;
	e->in->axi.r_resp = e->axi_in.r_resp;
	e->in->axi.r_last = e->axi_in.r_last;
	memcpy(e->in->axi.r_data, e->axi_in.r_data, e->info->data_bytes);
}

/* What is the same for every burst has no pins. */
static void get_axi(struct env *e)
{
	const struct load_ar *ar = &e->out->axi.ar;
	uint8_t size = 0;

	while (1u << size < e->info->data_bytes)
		size++;
	e->axi_out = (struct tma_axi_out){
		.ar_valid = e->out->axi.ar_valid,
		.r_ready = e->out->axi.r_ready,
		.ar_user = ar->user,
		.ar_qos = ar->qos,
		.ar_prot = ar->prot,
		.ar_cache = ar->cache,
		.ar_len = ar->len,
		.ar_addr = ar->addr,
		.ar_id = ar->id,
		.ar_size = size,
		.ar_burst = 1,
	};
}

void env_step(struct env *e)
{
	struct tma_axi_out axi;
	bool accept;

	/* Once offered, a command stays. */
	if (!e->in->cmd_valid && e->offered < e->num && !rng_percent(&e->rng, e->o.command_percent)) {
		e->in->cmd_valid = 1;
		e->in->cmd = e->cmds[e->offered++].cmd;
	}
	e->in->wr_ready = !rng_percent(&e->rng, e->o.write_percent);
	e->in->sig_ready[0] = !e->block_signal && !rng_percent(&e->rng, e->o.signal_percent);
	e->in->fault_ready = !e->block_fault && !rng_percent(&e->rng, e->o.fault_percent);
	e->in->cp_wr_ready = !e->block_chunk && !rng_percent(&e->rng, e->o.chunk_percent);
	e->in->sig_ready[1] = !e->block_arrive && !rng_percent(&e->rng, e->o.arrive_percent);
	env_offer_fetch(e);
	env_offer_walk(e);
	env_offer_prefetch(e);
	put_axi(e);
	load_eval(e->unit);
	get_axi(e);

	see_ar(e);
	env_see_write(e);
	see_read(e);
	see_signal(e);
	see_fault(e);
	env_see_fetch(e);
	env_see_walk(e);
	env_see_cp(e);
	env_see_events(e);
	e->prefetch_errors += e->out->events.prefetch_error;
	if (e->axi_in.r_valid && e->axi_out.r_ready) {
		if (e->first_r == NEVER)
			e->first_r = e->cycle;
		e->last_r = e->cycle;
		e->beats++;
	}
	e->stall_run = e->axi_in.r_valid && !e->axi_out.r_ready ? e->stall_run + 1 : 0;
	e->stalls += e->stall_run != 0;
	e->most_run = e->stall_run > e->most_run ? e->stall_run : e->most_run;
	axi_check_step(e->check, e->cycle, true, &e->axi_out, &e->axi_in);
	axi = e->axi_out;
	accept = e->in->cmd_valid && e->out->cmd_ready;
	load_tick(e->unit);
	if (accept) {
		e->cmds[e->offered - 1].accept = e->cycle;
		e->flight[e->cmds[e->offered - 1].cmd.signal.origin.qid]++;
		e->in->cmd_valid = 0;
	}
	step_port(e, &axi);
	e->in->restart = 0;
	e->cycle++;
}

void env_steps(struct env *e, uint32_t count)
{
	while (count--)
		env_step(e);
}

static bool finished(struct env *e)
{
	return env_prefetched(e) && !e->walks && !e->axi_in.r_valid && (e->dead || !e->out->pending) &&
	       e->offered == e->num && !e->in->cmd_valid && e->fetch[0].offered == e->fetch[0].num &&
	       !e->in->fetch.valid && e->fetch[1].offered == e->fetch[1].num && !e->in->map.valid &&
	       e->out->idle && !e->out->sig_valid[0];
}

void env_drain(struct env *e, uint64_t limit)
{
	uint64_t end = e->cycle + limit;

	do {
		REQUIRE(e, e->cycle < end);
		env_step(e);
	} while (!finished(e));
	REQUIRE(e, e->dead || axi_mem_outstanding(e->mem) == 0);
	for (uint32_t i = 0; i < e->num; i++) {
		const struct env_cmd *c = &e->cmds[i];

		REQUIRE(e, e->dead || (c->issued >= c->certain && (c->code || c->issued == c->possible)));
		REQUIRE(e, !c->code == (c->fault == NEVER));
		REQUIRE(e, e->dead || (c->cmd.client == LOAD_LOAD && !c->code) == (c->read != NEVER));
		REQUIRE(e, (c->code || c->dropped || c->cmd.client == LOAD_PREFETCH) == (c->signal == NEVER));
	}
	for (uint32_t i = 0; i < e->fetch[ENV_RING].num; i++)
		REQUIRE(e, e->fetch[ENV_RING].list[i].denied || i < e->fetch[ENV_RING].now);
	for (uint32_t i = 0; i < e->fetch[ENV_MAP].num; i++)
		REQUIRE(e, e->fetch[ENV_MAP].list[i].denied || e->fetch[ENV_MAP].list[i].fetch.probe ||
		                   i < e->fetch[ENV_MAP].now);
	REQUIRE(e, e->fetch[ENV_MAP].left == e->fetch[ENV_MAP].num);
	for (uint32_t i = 0; i < e->info->queues; i++)
		REQUIRE(e, e->flight[i] == 0 && (e->dead || e->owed[i] == 0));
	REQUIRE(e, e->dead || e->prefetch_errors == e->expected_errors);
	assert_int_equal(axi_check_failed(e->check), 0);

	memset(e->owner, 0, e->info->smem_bytes * sizeof(*e->owner));
	memset(e->written, 0, (size_t)e->info->ctas * e->info->smem_bytes);
	e->first_seq += e->num;
	e->prefetches = e->prefetch_offered = e->prefetch_done = 0;
	e->offered = e->cp_next = e->tensor_next = e->walk_next = e->walks = 0;
	e->ar_cmd[0] = e->ar_cmd[1] = 0;
	forget(e);
	for (uint32_t i = 0; i < ENV_STREAMS; i++)
		e->fetch[i] = (struct env_stream){ .list = e->fetch[i].list };
}
