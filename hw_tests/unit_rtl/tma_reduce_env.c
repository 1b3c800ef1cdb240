/* SPDX-License-Identifier: Apache-2.0 */
/* Surroundings of the reductions. See tma_reduce_env.h. */
#include <stdlib.h>
#include <string.h>

#include "tma_abi.h"
#include "unit_rtl/tma_reduce_env.h"

#define AXCACHE 0xEu

/*
 * Operators and types.
 */

static const struct reduce_how hows[] = {
	{ TMA_REDUCE_ADD, TMA_TYPE_U32, 0 },
	{ TMA_REDUCE_ADD, TMA_TYPE_S32, 0 },
	{ TMA_REDUCE_ADD, TMA_TYPE_U64, 0 },
	{ TMA_REDUCE_MIN, TMA_TYPE_U32, 0 },
	{ TMA_REDUCE_MAX, TMA_TYPE_U32, 0 },
	{ TMA_REDUCE_MIN, TMA_TYPE_S32, 0 },
	{ TMA_REDUCE_MAX, TMA_TYPE_S32, 0 },
	{ TMA_REDUCE_MIN, TMA_TYPE_U64, 0 },
	{ TMA_REDUCE_MAX, TMA_TYPE_U64, 0 },
	{ TMA_REDUCE_MIN, TMA_TYPE_S64, 0 },
	{ TMA_REDUCE_MAX, TMA_TYPE_S64, 0 },
	{ TMA_REDUCE_INC, TMA_TYPE_U32, 0 },
	{ TMA_REDUCE_DEC, TMA_TYPE_U32, 0 },
	{ TMA_REDUCE_AND, TMA_TYPE_B32, 0 },
	{ TMA_REDUCE_OR, TMA_TYPE_B32, 0 },
	{ TMA_REDUCE_XOR, TMA_TYPE_B32, 0 },
	{ TMA_REDUCE_AND, TMA_TYPE_B64, 0 },
	{ TMA_REDUCE_OR, TMA_TYPE_B64, 0 },
	{ TMA_REDUCE_XOR, TMA_TYPE_B64, 0 },
	/* What follows may not be there: of floating point, at last f64. */
	{ TMA_REDUCE_ADD, TMA_TYPE_F16, 0 },
	{ TMA_REDUCE_ADD, TMA_TYPE_BF16, 0 },
	{ TMA_REDUCE_ADD, TMA_TYPE_F32, 0 },
	{ TMA_REDUCE_ADD, TMA_TYPE_F32, 1 },
	{ TMA_REDUCE_MIN, TMA_TYPE_F16, 0 },
	{ TMA_REDUCE_MAX, TMA_TYPE_F16, 0 },
	{ TMA_REDUCE_MIN, TMA_TYPE_BF16, 0 },
	{ TMA_REDUCE_MAX, TMA_TYPE_BF16, 0 },
	{ TMA_REDUCE_ADD, TMA_TYPE_F64, 0 },
};

uint32_t env_hows(const struct env *e)
{
	enum { ALL = sizeof(hows) / sizeof(hows[0]), FLOATS = 9 };

	return e->info->floats == 2 ? ALL : e->info->floats ? ALL - 1 : ALL - FLOATS;
}

struct reduce_how env_how(uint32_t index)
{
	return hows[index];
}

struct reduce_how env_add(const struct env *e, uint8_t type)
{
	return (struct reduce_how){ TMA_REDUCE_ADD, e->info->floats ? type : TMA_TYPE_U32, 0 };
}

struct reduce_how env_draw_how(struct env *e)
{
	return hows[rng_below(&e->rng, env_hows(e))];
}

uint32_t env_element(const struct reduce_how *how)
{
	switch (how->kind) {
	case TMA_TYPE_F16:
	case TMA_TYPE_BF16:
		return 2;
	case TMA_TYPE_U64:
	case TMA_TYPE_S64:
	case TMA_TYPE_F64:
	case TMA_TYPE_B64:
		return 8;
	default:
		return 4;
	}
}

/*
 * Set-up.
 */

static void open_port(struct env *e, uint32_t p)
{
	struct env_port *port = &e->port[p];
	struct axi_mem_opts mem = { 0 };
	struct axi_check_opts check = { 0 };

	mem.data_bytes = e->info->data_bytes;
	mem.latency = e->o.latency ? e->o.latency : 20;
	mem.random_latency = e->o.random_latency;
	mem.stall_percent = e->o.stall_percent;
	mem.early_read_percent = e->o.early_read_percent;
	if (e->o.manners)
		mem.manners = axi_manners_draw(&e->rng, false);
	else
		mem.manners.slower_writes = e->o.slower_writes;
	mem.seed = e->o.seed + p;
	port->mem = must(axi_mem_new(&mem));
	check.port = p;
	check.data_bytes = e->info->data_bytes;
	check.engine = true;
	check.max_reductions = e->info->reductions;
	check.reduce_id = e->info->ports > 1 ? 2 : 1;
	check.max_wait = 1;
	port->check = must(axi_check_new(&check));
	port->actual = must(malloc(ENV_BYTES));
	port->wanted = must(malloc(ENV_BYTES));
	for (uint32_t i = 0; i < ENV_BYTES; i++)
		port->wanted[i] = (uint8_t)rng_next(&e->rng);
	memcpy(port->actual, port->wanted, ENV_BYTES);
	assert_int_equal(axi_mem_map(port->mem, ref_base(p), ENV_BYTES, port->actual), 0);
	axi_mem_reset(port->mem, &port->in);
}

/* A cycle that writes a window as it is now. */
static void write_window(struct env *e, uint32_t queue, uint32_t index)
{
	e->in->window_write = (struct reduce_window_write){
		.valid = 1, .qid = queue, .index = index, .window = e->windows[queue][index]
	};
	reduce_eval(e->unit);
	reduce_tick(e->unit);
	e->in->window_write.valid = 0;
}

void env_open(struct env *e, const struct env_opts *opts)
{
	uint32_t smem;

	BENCH_OPEN(e, reduce, opts->seed);
	e->o = *opts;
	e->info = unit_shape();
	e->in->axcache = AXCACHE;
	e->in->f32_ftz = rng_percent(&e->rng, 50);
	smem = e->info->ctas * e->info->smem_bytes;
	e->smem = must(malloc(smem));
	for (uint32_t i = 0; i < smem; i++)
		e->smem[i] = (uint8_t)rng_next(&e->rng);
	e->cmds = must(calloc(ENV_COMMANDS, sizeof(*e->cmds)));
	for (uint32_t i = 0; i < e->info->ports; i++)
		open_port(e, i);

	for (uint32_t i = 0; i < e->info->queues; i++)
		e->in->cfg[i] = (struct reduce_queue_cfg){
			.enable = 1, .cta_mask = 0xFFFF, .stream = ref_stream(i), .prot = ref_prot(i)
		};
	reduce_start(e->unit);
	for (uint32_t q = 0; q < e->info->queues; q++)
		for (uint32_t w = 0; w < e->info->windows; w++)
			write_window(e, q, w);
	e->last_ar = e->last_aw = e->first_w = e->last_w = e->last_r = ENV_NEVER;
}

void env_close(struct env *e)
{
	reduce_close(e->unit);
	for (uint32_t p = 0; p < e->info->ports; p++) {
		axi_mem_free(e->port[p].mem);
		axi_check_free(e->port[p].check);
		free(e->port[p].actual);
		free(e->port[p].wanted);
	}
	free(e->smem);
	free(e->cmds);
}

static void add_window(struct env *e, uint32_t queue, uint32_t first, uint32_t last, struct reduce_window w)
{
	uint32_t index = e->num_windows[queue]++;

	assert_true(index < e->info->windows);
	w.base = ENV_BASE / ENV_PAGE + first;
	w.limit = ENV_BASE / ENV_PAGE + last;
	e->windows[queue][index] = w;
	write_window(e, queue, index);
}

static void legal(struct env *e, uint32_t p, uint32_t dirs, uint64_t first, uint32_t pages)
{
	if (dirs && pages)
		assert_int_equal(axi_check_legal(e->port[p].check, 0, dirs, first * ENV_PAGE,
		                                 (uint64_t)pages * ENV_PAGE),
		                 0);
}

void env_window(struct env *e, uint32_t queue, uint32_t first, uint32_t last, bool read, bool write)
{
	add_window(e, queue, first, last, (struct reduce_window){ .write = write, .read = read });
	legal(e, 0, (read ? AXI_CHECK_READ : 0) | (write ? AXI_CHECK_WRITE : 0), ENV_BASE / ENV_PAGE + first,
	      first <= last ? last - first + 1 : 0);
}

void env_open_all(struct env *e, const struct env_opts *opts)
{
	env_open(e, opts);
	env_window(e, 0, 0, ENV_PAGES - 1, true, true);
}

void env_mm_window(struct env *e, uint32_t queue, uint32_t first, uint32_t last)
{
	add_window(e, queue, first, last, (struct reduce_window){ .multimem = 1 });
}

void env_multimem(struct env *e, uint32_t first, uint32_t last, uint8_t ports, const uint32_t *to)
{
	struct reduce_multimem *m = &e->in->multimem[e->num_multimem++];

	assert_true(e->num_multimem <= e->info->multimem);
	m->base = ENV_BASE / ENV_PAGE + first;
	m->limit = ENV_BASE / ENV_PAGE + last;
	m->ports = ports;
	for (uint32_t p = 0; p < e->info->ports; p++) {
		m->port_base[p] = ref_base(p) / ENV_PAGE + to[p];
		assert_true(first > last || to[p] + (last - first) < ENV_PAGES);
		if (first <= last && ports >> p & 1)
			legal(e, p, AXI_CHECK_READ | AXI_CHECK_WRITE, m->port_base[p], last - first + 1);
	}
}

void env_error_at(struct env *e, uint32_t port, uint32_t dir, uint32_t offset, uint32_t bytes,
                  enum axi_mem_resp resp)
{
	assert_true(offset % ENV_GRAIN == 0 && bytes % ENV_GRAIN == 0);
	for (uint32_t i = offset / ENV_GRAIN; i < (offset + bytes) / ENV_GRAIN; i++) {
		uint8_t *read = &e->port[port].read_error[i], *write = &e->port[port].write_error[i];

		/* DECERR wins over SLVERR, as in the memory. */
		if (dir & AXI_MEM_READ && *read < (uint8_t)resp)
			*read = (uint8_t)resp;
		if (dir & AXI_MEM_WRITE && *write < (uint8_t)resp)
			*write = (uint8_t)resp;
	}
	assert_int_equal(axi_mem_error(e->port[port].mem, dir, ref_base(port) + offset, bytes, resp), 0);
}

void env_error(struct env *e, uint32_t port, uint32_t dir, uint32_t page, enum axi_mem_resp resp)
{
	env_error_at(e, port, dir, page * ENV_PAGE, ENV_PAGE, resp);
}

/*
 * Commands.
 */

static struct env_cmd *add(struct env *e, struct reduce_store_cmd copy, uint32_t queue, struct reduce_how how)
{
	struct env_cmd *c = &e->cmds[e->num];
	uint32_t name = 1 + e->num % 255;

	assert_true(e->num < ENV_COMMANDS);
	c->how = how;
	c->how.flush |= e->in->f32_ftz && how.kind == TMA_TYPE_F32;
	c->cmd.copy = copy;
	c->cmd.copy.byte_mask = (uint16_t)rng_next(&e->rng); /* it means nothing */
	c->cmd.copy.hint.qos = (uint8_t)(name >> 4);
	c->cmd.copy.hint.evict = name & 15;
	c->cmd.copy.origin.qid = (uint8_t)queue;
	c->cmd.copy.origin.tag = (uint32_t)rng_next(&e->rng);
	c->cmd.copy.origin.seq = (uint16_t)e->num++;
	c->accept = c->fault = c->read_done = c->done = c->first_ar = c->first_aw = ENV_NEVER;
	return c;
}

static struct env_cmd *command(struct env *e, struct reduce_store_cmd copy, uint32_t queue,
                               struct reduce_how how)
{
	struct env_cmd *c;

	assert_true(copy.chunks && copy.gaddr - ENV_BASE + copy.chunks * CHUNK <= ENV_BYTES);
	assert_true((copy.saddr + copy.chunks) * CHUNK <= e->info->smem_bytes);
	c = add(e, copy, queue, how);
	c->cmd.how = how;
	ref_plan(e, c);
	return c;
}

struct env_cmd *env_command(struct env *e, uint32_t queue, uint32_t offset, uint32_t chunks, uint32_t cta,
                            uint32_t saddr, struct reduce_how how)
{
	return command(e,
	               (struct reduce_store_cmd){ .gaddr = ENV_BASE + offset,
	                                          .chunks = (uint16_t)chunks,
	                                          .cta = (uint8_t)cta,
	                                          .saddr = (uint16_t)saddr },
	               queue, how);
}

struct env_cmd *env_mm_command(struct env *e, uint32_t queue, uint32_t offset, uint32_t chunks, uint32_t cta,
                               uint32_t saddr, struct reduce_how how)
{
	return command(e,
	               (struct reduce_store_cmd){ .multimem = 1,
	                                          .gaddr = ENV_BASE + offset,
	                                          .chunks = (uint16_t)chunks,
	                                          .cta = (uint8_t)cta,
	                                          .saddr = (uint16_t)saddr },
	               queue, how);
}

struct env_cmd *env_tensor(struct env *e, uint32_t queue, const struct env_tensor *tensor,
                           struct reduce_how how)
{
	struct reduce_store_cmd copy = { .tensor = 1 };
	struct env_cmd *c;
	uint32_t i;

	/* All but the names means nothing here; that of `how` either. */
	copy.gaddr = rng_next(&e->rng);
	copy.saddr = (uint16_t)tensor->saddr;
	copy.cta = (uint8_t)tensor->cta;
	copy.op.mode = (uint8_t)rng_below(&e->rng, 8);
	copy.op.dim = (uint8_t)rng_below(&e->rng, 8);
	for (i = 0; i < 5; i++)
		copy.op.coord[i] = (uint32_t)rng_next(&e->rng);
	c = add(e, copy, queue, how);
	c->tensor = *tensor;
	c->cmd.how = (struct reduce_how){ how.op, (uint8_t)rng_below(&e->rng, 16),
		                          (uint8_t)rng_below(&e->rng, 2) };
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

/* Once offered, a command stays. */
static void drive_commands(struct env *e)
{
	if (e->in->cmd_valid || e->offered == e->num || rng_percent(&e->rng, e->o.command_percent))
		return;
	e->in->cmd_valid = 1;
	e->in->cmd = e->cmds[e->offered++].cmd;
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
		struct reduce_axi_rsp *pins = &e->in->axi[p];
		const struct tma_axi_in *in = &e->port[p].in;

		pins->read.ar_ready = in->ar_ready;
		pins->read.r_valid = in->r_valid;
		pins->read.r_id = in->r_id;
		pins->read.r_resp = in->r_resp;
		pins->read.r_last = in->r_last;
		memcpy(pins->read.r_data, in->r_data, e->info->data_bytes);
		pins->write.aw_ready = in->aw_ready;
		pins->write.w_ready = in->w_ready;
		pins->write.b_valid = in->b_valid;
		pins->write.b_id = in->b_id;
		pins->write.b_resp = in->b_resp;
	}
}

/* What is the same for every burst has no pins. */
static void get_axi(struct env *e)
{
	uint32_t bytes = e->info->data_bytes, p;
	uint8_t size = 0;

	while (1u << size < bytes)
		size++;
	for (p = 0; p < e->info->ports; p++) {
		const struct reduce_axi_req *pins = &e->out->axi[p];
		struct tma_axi_out *axi = &e->port[p].out;

		axi->ar_valid = pins->read.ar_valid;
		axi->ar_id = pins->read.ar.id;
		axi->ar_addr = pins->read.ar.addr;
		axi->ar_len = pins->read.ar.len;
		axi->ar_size = size;
		axi->ar_burst = 1;
		axi->ar_cache = pins->read.ar.cache;
		axi->ar_prot = pins->read.ar.prot;
		axi->ar_qos = pins->read.ar.qos;
		axi->ar_user = pins->read.ar.user;
		axi->r_ready = pins->read.r_ready;
		axi->aw_valid = pins->write.aw_valid;
		axi->aw_id = pins->write.aw.stream;
		axi->aw_addr = pins->write.aw.addr;
		axi->aw_len = pins->write.aw.len;
		axi->aw_size = size;
		axi->aw_burst = 1;
		axi->aw_cache = pins->write.aw.cache;
		axi->aw_prot = pins->write.aw.prot;
		axi->aw_qos = pins->write.aw.qos;
		axi->aw_user = pins->write.aw.user;
		axi->w_valid = pins->write.w_valid;
		axi->w_last = pins->write.w.last;
		memcpy(axi->w_data, pins->write.w.data, bytes);
		memcpy(axi->w_strb, pins->write.w.strb, bytes / 8);
		axi->b_ready = pins->write.b_ready;
	}
}

void env_step(struct env *e)
{
	bool cmd;

	drive_commands(e);
	e->in->rd_ready = !rng_percent(&e->rng, e->o.read_percent);
	e->in->fault_ready = !e->block_fault && !rng_percent(&e->rng, e->o.fault_percent);
	e->in->dead = e->dead;
	for (uint32_t p = 0; p < e->info->ports; p++) {
		struct tma_axi_in *in = &e->port[p].in;

		in->ar_ready = in->ar_ready && !(e->block_ar >> p & 1);
		in->aw_ready = in->aw_ready && !(e->block_aw >> p & 1);
		in->w_ready = in->w_ready && !(e->block_w >> p & 1);
	}
	drive_reads(e);
	walk_drive(e);
	put_axi(e);
	reduce_eval(e->unit);
	get_axi(e);

	ref_step(e);
	see_reads(e);
	walk_step(e);
	for (uint32_t p = 0; p < e->info->ports; p++)
		axi_check_step(e->port[p].check, e->cycle, true, &e->port[p].out, &e->port[p].in);
	cmd = e->in->cmd_valid && e->out->cmd_ready;
	if (cmd)
		e->cmds[e->accepted++].accept = e->cycle;
	reduce_tick(e->unit);
	e->in->cmd_valid = e->in->cmd_valid && !cmd;
	for (uint32_t p = 0; p < e->info->ports; p++)
		axi_mem_step(e->port[p].mem, &e->port[p].out, &e->port[p].in);
	e->died = e->dead;
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

	while (e->writes_done < e->num || !e->out->idle) {
		REQUIRE(e, e->cycle < end);
		env_step(e);
	}
	ref_finish(e);
}
