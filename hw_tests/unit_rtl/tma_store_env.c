/* SPDX-License-Identifier: Apache-2.0 */
/* Surroundings of the store path. See tma_store_env.h. */
#include <stdlib.h>
#include <string.h>

#include "unit_rtl/tma_store_env.h"

#define AXCACHE 0xEu

/*
 * Set-up.
 */

static void open_port(struct env *e, uint32_t p)
{
	struct axi_mem_opts mem = { 0 };
	struct axi_check_opts check = { 0 };
	uint32_t room = (ENV_COMMANDS + 1) * (ENV_BURSTS + 1);

	mem.data_bytes = e->info->data_bytes;
	mem.latency = e->o.latency ? e->o.latency : 20;
	mem.random_latency = e->o.random_latency;
	mem.stall_percent = e->o.stall_percent;
	mem.seed = e->o.seed + p;
	e->mem[p] = must(axi_mem_new(&mem));
	check.port = p;
	check.data_bytes = e->info->data_bytes;
	check.ids = e->info->ports > 1 ? 2 : 1;
	e->check[p] = must(axi_check_new(&check));
	e->actual[p] = must(malloc(ENV_BYTES));
	e->wanted[p] = must(malloc(ENV_BYTES));
	memset(e->actual[p], 0xA5, ENV_BYTES);
	memset(e->wanted[p], 0xA5, ENV_BYTES);
	assert_int_equal(axi_mem_map(e->mem[p], ref_base(p), ENV_BYTES, e->actual[p]), 0);
	for (uint32_t l = 0; l < ENV_LANES; l++) {
		e->flight[p][l] = must(calloc(room, sizeof(*e->flight[p][l])));
		e->flight_cmd[p][l] = must(calloc(room, sizeof(*e->flight_cmd[p][l])));
	}
	axi_mem_reset(e->mem[p], &e->axi_in[p]);
	e->aw_since[p] = e->aw_before[p] = e->aw_taken[p] = ENV_NEVER;
}

/* A cycle that writes a window as it is now. */
static void write_window(struct env *e, uint32_t queue, uint32_t index)
{
	e->in->window_write = (struct store_window_write){
		.valid = 1, .qid = queue, .index = index, .window = e->windows[queue][index]
	};
	store_eval(e->unit);
	store_tick(e->unit);
	e->in->window_write.valid = 0;
}

void env_open(struct env *e, const struct env_opts *opts)
{
	uint32_t smem;

	BENCH_OPEN(e, store, opts->seed);
	e->o = *opts;
	e->info = unit_shape();
	e->in->axcache = AXCACHE;
	smem = e->info->ctas * e->info->smem_bytes;
	e->smem = must(malloc(smem));
	for (uint32_t i = 0; i < smem; i++)
		e->smem[i] = (uint8_t)rng_next(&e->rng);
	e->cmds = must(calloc(ENV_COMMANDS, sizeof(*e->cmds)));
	e->recs = must(calloc(ENV_COMMANDS, sizeof(*e->recs)));
	for (uint32_t i = 0; i < e->info->ports; i++)
		open_port(e, i);

	for (uint32_t i = 0; i < e->info->queues; i++)
		e->in->cfg[i] = (struct store_queue_cfg){
			.enable = 1, .cta_mask = 0xFFFF, .stream = ref_stream(i), .prot = ref_prot(i)
		};
	store_start(e->unit);
	for (uint32_t q = 0; q < e->info->queues; q++)
		for (uint32_t w = 0; w < e->info->windows; w++)
			write_window(e, q, w);
	e->last_aw = e->last_w = ENV_NEVER;
}

void env_close(struct env *e)
{
	store_close(e->unit);
	for (uint32_t p = 0; p < e->info->ports; p++) {
		axi_mem_free(e->mem[p]);
		axi_check_free(e->check[p]);
		free(e->actual[p]);
		free(e->wanted[p]);
		for (uint32_t l = 0; l < ENV_LANES; l++) {
			free(e->flight[p][l]);
			free(e->flight_cmd[p][l]);
		}
	}
	free(e->smem);
	free(e->cmds);
	free(e->recs);
}

static void add_window(struct env *e, uint32_t queue, uint32_t first, uint32_t last, struct store_window w)
{
	uint32_t index = e->num_windows[queue]++;

	assert_true(index < e->info->windows);
	w.base = ENV_BASE / ENV_PAGE + first;
	w.limit = ENV_BASE / ENV_PAGE + last;
	e->windows[queue][index] = w;
	write_window(e, queue, index);
}

static void legal(struct env *e, uint32_t p, uint64_t first, uint32_t pages)
{
	assert_int_equal(axi_check_legal(e->check[p], 0, AXI_CHECK_WRITE, first * ENV_PAGE,
	                                 (uint64_t)pages * ENV_PAGE),
	                 0);
}

void env_window(struct env *e, uint32_t queue, uint32_t first, uint32_t last, bool write)
{
	add_window(e, queue, first, last, (struct store_window){ .write = write, .read = !write });
	if (write && first <= last)
		legal(e, 0, ENV_BASE / ENV_PAGE + first, last - first + 1);
}

void env_open_all(struct env *e, const struct env_opts *opts)
{
	env_open(e, opts);
	env_window(e, 0, 0, ENV_PAGES - 1, true);
}

void env_mm_window(struct env *e, uint32_t queue, uint32_t first, uint32_t last)
{
	add_window(e, queue, first, last, (struct store_window){ .multimem = 1 });
}

void env_multimem(struct env *e, uint32_t first, uint32_t last, uint8_t ports, const uint32_t *to)
{
	struct store_multimem *m = &e->in->multimem[e->num_multimem++];

	assert_true(e->num_multimem <= e->info->multimem);
	m->base = ENV_BASE / ENV_PAGE + first;
	m->limit = ENV_BASE / ENV_PAGE + last;
	m->ports = ports;
	for (uint32_t p = 0; p < e->info->ports; p++) {
		m->port_base[p] = ref_base(p) / ENV_PAGE + to[p];
		assert_true(first > last || to[p] + (last - first) < ENV_PAGES);
		if (first <= last && ports >> p & 1)
			legal(e, p, m->port_base[p], last - first + 1);
	}
}

void env_error(struct env *e, uint32_t port, uint32_t page, enum axi_mem_resp resp)
{
	/* DECERR wins over SLVERR, as in the memory. */
	if (e->error[port][page] < (uint8_t)resp)
		e->error[port][page] = (uint8_t)resp;
	assert_int_equal(axi_mem_error(e->mem[port], AXI_MEM_WRITE,
	                               ref_base(port) + (uint64_t)page * ENV_PAGE, ENV_PAGE, resp),
	                 0);
}

static struct env_cmd *add(struct env *e, struct env_cmd *c, uint32_t queue, uint32_t offset)
{
	c->cmd.gaddr = ENV_BASE + offset;
	c->cmd.origin.qid = (uint8_t)queue;
	c->cmd.origin.tag = (uint32_t)rng_next(&e->rng);
	c->accept = c->error = c->fault = c->read_done = c->done = c->first_aw = ENV_NEVER;
	return c;
}

uint32_t env_lane(const struct env *e, const struct env_cmd *c)
{
	return e->info->ports > 1 && c->cmd.multimem;
}

uint32_t env_next(const struct env *e, uint32_t lane, uint32_t from)
{
	while (from < e->num && env_lane(e, &e->cmds[from]) != lane)
		from++;
	return from;
}

/* 0 is a record; each lane has names of its own. */
static void give_name(struct env *e, struct env_cmd *c)
{
	uint32_t lane = env_lane(e, c), n = e->lane_num[lane]++;
	uint32_t name = e->info->ports == 1 ? 1 + n % 255 : lane ? 128 + n % 128 : 1 + n % 127;

	c->cmd.hint.qos = (uint8_t)(name >> 4);
	c->cmd.hint.evict = name & 15;
	c->cmd.origin.seq = (uint16_t)e->num++;
}

static struct env_cmd *command(struct env *e, struct store_store_cmd cmd, uint32_t queue, uint32_t offset)
{
	struct env_cmd *c = &e->cmds[e->num];

	assert_true(e->num < ENV_COMMANDS);
	assert_true(cmd.chunks && offset + cmd.chunks * CHUNK <= ENV_BYTES);
	assert_true((cmd.saddr + cmd.chunks) * CHUNK <= e->info->smem_bytes);
	c->cmd = cmd;
	add(e, c, queue, offset);
	give_name(e, c);
	ref_plan(e, c);
	return c;
}

struct env_cmd *env_command(struct env *e, uint32_t queue, uint32_t offset, uint32_t chunks, uint32_t cta,
                            uint32_t saddr, uint32_t byte_mask)
{
	struct store_store_cmd cmd = { .chunks = (uint16_t)chunks,
		                       .cta = (uint8_t)cta,
		                       .saddr = (uint16_t)saddr,
		                       .byte_mask = (uint16_t)byte_mask };

	return command(e, cmd, queue, offset);
}

struct env_cmd *env_mm_command(struct env *e, uint32_t queue, uint32_t offset, uint32_t chunks, uint32_t cta,
                               uint32_t saddr, uint32_t byte_mask)
{
	struct store_store_cmd cmd = { .chunks = (uint16_t)chunks,
		                       .cta = (uint8_t)cta,
		                       .saddr = (uint16_t)saddr,
		                       .byte_mask = (uint16_t)byte_mask };

	cmd.multimem = 1;
	return command(e, cmd, queue, offset);
}

struct env_cmd *env_tensor(struct env *e, uint32_t queue, const struct env_tensor *tensor)
{
	struct env_cmd *c = &e->cmds[e->num];
	uint32_t i;

	assert_true(e->num < ENV_COMMANDS);
	c->tensor = *tensor;
	add(e, c, queue, 0);
	/* All but the names means nothing to the path. */
	c->cmd.tensor = 1;
	c->cmd.gaddr = rng_next(&e->rng);
	c->cmd.saddr = (uint16_t)tensor->saddr;
	c->cmd.cta = (uint8_t)tensor->cta;
	c->cmd.op.mode = (uint8_t)rng_below(&e->rng, 8);
	c->cmd.op.dim = (uint8_t)rng_below(&e->rng, 8);
	for (i = 0; i < 5; i++)
		c->cmd.op.coord[i] = (uint32_t)rng_next(&e->rng);
	give_name(e, c);
	ref_plan(e, c);
	return c;
}

struct env_cmd *env_record(struct env *e, uint32_t queue, uint32_t offset)
{
	struct env_cmd *c = &e->recs[e->num_recs];

	assert_true(e->num_recs < ENV_COMMANDS && offset % 32 == 0);
	c->record = true;
	for (uint32_t i = 0; i < 32; i++)
		c->data[i] = (uint8_t)rng_next(&e->rng);
	add(e, c, queue, offset);
	c->cmd.origin.seq = (uint16_t)(0x8000 + e->num_recs++);
	ref_plan(e, c);
	return c;
}

/*
 * One cycle.
 */

/* Data comes the cycle after the handshake; at any other time it is nobody's. */
static void drive_reads(struct env *e)
{
	uint32_t bytes = e->info->data_bytes, chunks = bytes / CHUNK, i;

	if (!e->data_comes) {
		memset(e->in->rd_data, (int)rng_below(&e->rng, 256), bytes);
		return;
	}
	for (i = 0; i < chunks; i++) {
		uint32_t chunk = e->data_rows[i] * chunks + i;
		uint8_t *bank = e->in->rd_data + i * CHUNK;

		/* Behind the end there is something, but it is of no use. */
		if (chunk * CHUNK < e->info->smem_bytes)
			memcpy(bank, e->smem + (size_t)e->data_cta * e->info->smem_bytes + chunk * CHUNK,
			       CHUNK);
		else
			memset(bank, 0xEE, CHUNK);
	}
}

/* The oldest command that is surely taken soon; when all that are left are of one lane, the oldest. */
static struct env_cmd *choose(struct env *e)
{
	uint32_t next[ENV_LANES], l;

	for (l = 0; l < ENV_LANES; l++)
		next[l] = e->next_offer[l] = env_next(e, l, e->next_offer[l]);
	l = next[1] < next[0];
	if (next[!l] < e->num && e->out->cmd_level[l] >= 7)
		l = !l;
	if (next[l] == e->num || (next[!l] < e->num && e->out->cmd_level[l] >= 7))
		return NULL;
	e->offered++;
	return &e->cmds[e->next_offer[l]++];
}

/* Once offered, commands and records stay. */
static void drive_commands(struct env *e)
{
	if (!e->in->cmd_valid && e->offered < e->num && !rng_percent(&e->rng, e->o.command_percent) &&
	    (e->on_offer = choose(e))) {
		e->in->cmd_valid = 1;
		e->in->cmd = e->on_offer->cmd;
	}
	if (!e->in->rec_valid && e->recs_offered < e->num_recs &&
	    !rng_percent(&e->rng, e->o.record_percent)) {
		const struct store_store_cmd *cmd = &e->recs[e->recs_offered++].cmd;

		e->in->rec_valid = 1;
		e->in->rec = (struct store_record_cmd){ cmd->gaddr, cmd->origin };
	}
	/* Bytes of the oldest record that was taken; else they are nobody's. */
	if (e->recs_popped < e->recs_taken)
		memcpy(e->in->rec_data, e->recs[e->recs_popped].data, 32);
	else
		memset(e->in->rec_data, (int)rng_below(&e->rng, 256), 32);
}

static void see_reads(struct env *e)
{
	e->data_comes = e->out->rd_valid && e->in->rd_ready;
	if (!e->data_comes)
		return;
	e->data_cta = e->out->rd_cta;
	memcpy(e->data_rows, e->out->rd_rows, sizeof(e->data_rows));
	REQUIRE(e, e->data_cta < e->info->ctas);
	/* Lanes that nobody needs may lie behind the end, but not far. */
	for (uint32_t i = 0; i < e->info->data_bytes / CHUNK; i++)
		REQUIRE(e, e->data_rows[i] * e->info->data_bytes < e->info->smem_bytes + 128);
	e->reads++;
}

static void put_axi(struct env *e)
{
	for (uint32_t p = 0; p < e->info->ports; p++) {
		e->in->axi[p].aw_ready = e->axi_in[p].aw_ready;
		e->in->axi[p].w_ready = e->axi_in[p].w_ready;
		e->in->axi[p].b_valid = e->axi_in[p].b_valid;
		e->in->axi[p].b_id = e->axi_in[p].b_id;
		e->in->axi[p].b_resp = e->axi_in[p].b_resp;
	}
}

/* What is the same for every burst has no pins. */
static void get_axi(struct env *e)
{
	const struct store_out *out = e->out;
	uint32_t bytes = e->info->data_bytes, p;
	uint8_t size = 0;

	while (1u << size < bytes)
		size++;
	for (p = 0; p < e->info->ports; p++) {
		struct tma_axi_out *axi = &e->axi_out[p];

		axi->aw_valid = out->axi[p].aw_valid;
		axi->aw_id = out->axi[p].aw.stream;
		axi->aw_addr = out->axi[p].aw.addr;
		axi->aw_len = out->axi[p].aw.len;
		axi->aw_size = size;
		axi->aw_burst = 1;
		axi->aw_cache = out->axi[p].aw.cache;
		axi->aw_prot = out->axi[p].aw.prot;
		axi->aw_qos = out->axi[p].aw.qos;
		axi->aw_user = out->axi[p].aw.user;
		axi->w_valid = out->axi[p].w_valid;
		axi->w_last = out->axi[p].w.last;
		memcpy(axi->w_data, out->axi[p].w.data, bytes);
		memcpy(axi->w_strb, out->axi[p].w.strb, bytes / 8);
		axi->b_ready = out->axi[p].b_ready;
	}
}

/* Is it another port's turn to take the data of a burst? All bursts go to all ports. */
static bool out_of_turn(const struct env *e, uint32_t p)
{
	bool port_0_first = e->turn == TURN_PORT_0 || (e->turn == TURN_CROSSED && e->lasts[p] % 2);

	if (e->turn == TURN_ANY || port_0_first == !p)
		return false;
	for (uint32_t other = p ? 0 : 1; other < (p ? 1 : e->info->ports); other++)
		if (e->lasts[other] <= e->lasts[p])
			return true;
	return false;
}

void env_step(struct env *e)
{
	bool cmd, rec;

	drive_commands(e);
	e->in->rd_ready = !rng_percent(&e->rng, e->o.read_percent);
	e->in->fault_ready = !e->block_fault && !rng_percent(&e->rng, e->o.fault_percent);
	e->in->dead = e->dead;
	for (uint32_t p = 0; p < e->info->ports; p++) {
		e->axi_in[p].aw_ready = e->axi_in[p].aw_ready && !(e->block_aw >> p & 1);
		e->axi_in[p].w_ready = e->axi_in[p].w_ready && !(e->block_w >> p & 1) && !out_of_turn(e, p);
	}
	drive_reads(e);
	walk_drive(e);
	put_axi(e);
	store_eval(e->unit);
	get_axi(e);

	e->recs_popped += e->out->rec_data_pop;
	ref_step(e);
	see_reads(e);
	walk_step(e);
	for (uint32_t p = 0; p < e->info->ports; p++)
		axi_check_step(e->check[p], e->cycle, true, &e->axi_out[p], &e->axi_in[p]);
	cmd = e->in->cmd_valid && e->out->cmd_ready;
	rec = e->in->rec_valid && e->out->rec_ready;
	if (cmd)
		e->on_offer->accept = e->cycle;
	if (rec)
		e->recs[e->recs_taken++].accept = e->cycle;
	REQUIRE(e, e->recs_popped <= e->recs_taken);
	store_tick(e->unit);
	e->in->cmd_valid = e->in->cmd_valid && !cmd;
	e->in->rec_valid = e->in->rec_valid && !rec;
	for (uint32_t p = 0; p < e->info->ports; p++)
		axi_mem_step(e->mem[p], &e->axi_out[p], &e->axi_in[p]);
	e->cycle++;
}

void env_steps(struct env *e, uint32_t count)
{
	while (count--)
		env_step(e);
}

void env_drain(struct env *e, uint64_t limit)
{
	uint64_t end = e->cycle + limit;

	while (e->writes_done < e->num || e->recs_done < e->num_recs || !e->out->idle) {
		REQUIRE(e, e->cycle < end);
		env_step(e);
	}
	ref_finish(e);
}
