/* SPDX-License-Identifier: Apache-2.0 */
/* Surroundings and reference of the store path. See tma_store_env.h. */
#include "unit_rtl/tma_store_env.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h needs the ones above. */
#include <cmocka.h>

#include "tma_abi.h"

#define CHUNK   16u
#define NEVER   UINT64_MAX
#define AXCACHE 0xEu

#define REQUIRE(e, condition)                                                      \
	do {                                                                       \
		if (!(condition))                                                  \
			fail_msg("cycle %" PRIu64 ": %s", (e)->cycle, #condition); \
	} while (0)

static uint8_t stream_of(uint32_t queue)
{
	return (uint8_t)(0x51 + 37 * queue);
}

static uint8_t prot_of(uint32_t queue)
{
	return (uint8_t)((queue + 3) % 8);
}

static void *must(void *p)
{
	assert_non_null(p);
	return p;
}

/*
 * Set-up.
 */

void env_open(struct env *e, const struct env_opts *opts)
{
	struct axi_mem_opts mem = { 0 };
	struct axi_check_opts check = { 0 };
	uint32_t i, smem;

	memset(e, 0, sizeof(*e));
	e->o = *opts;
	e->info = store_info();
	e->rng = rng_make(opts->seed, 1);
	e->store = store_open();
	e->in = store_in(e->store);
	e->out = store_out(e->store);
	e->in->axcache = AXCACHE;

	mem.data_bytes = e->info->data_bytes;
	mem.latency = opts->latency ? opts->latency : 20;
	mem.random_latency = opts->random_latency;
	mem.stall_percent = opts->stall_percent;
	mem.seed = opts->seed;
	e->mem = must(axi_mem_new(&mem));
	check.data_bytes = e->info->data_bytes;
	check.ids = 1;
	e->check = must(axi_check_new(&check));

	smem = e->info->ctas * e->info->smem_bytes;
	e->smem = must(malloc(smem));
	for (i = 0; i < smem; i++)
		e->smem[i] = (uint8_t)rng_next(&e->rng);
	e->actual = must(malloc(ENV_BYTES));
	e->wanted = must(malloc(ENV_BYTES));
	memset(e->actual, 0xA5, ENV_BYTES);
	memset(e->wanted, 0xA5, ENV_BYTES);
	assert_int_equal(axi_mem_map(e->mem, ENV_BASE, ENV_BYTES, e->actual), 0);
	e->cmds = must(calloc(ENV_COMMANDS, sizeof(*e->cmds)));
	e->flight = must(calloc(ENV_COMMANDS * (ENV_PAGES + 1), sizeof(*e->flight)));

	for (i = 0; i < e->info->queues; i++)
		store_setup(e->store, i, stream_of(i), prot_of(i), NULL, 0);
	axi_mem_reset(e->mem, &e->in->axi);
	e->in->rst_n = 0;
	for (i = 0; i < 3; i++) {
		store_eval(e->store);
		store_tick(e->store);
	}
	e->in->rst_n = 1;
	e->aw_since = e->last_aw = e->last_w = NEVER;
}

void env_close(struct env *e)
{
	store_close(e->store);
	axi_mem_free(e->mem);
	axi_check_free(e->check);
	free(e->smem);
	free(e->actual);
	free(e->wanted);
	free(e->cmds);
	free(e->flight);
}

void env_window(struct env *e, uint32_t queue, uint32_t first, uint32_t last, bool write)
{
	struct store_window *w;

	assert_true(e->num_windows[queue] < e->info->windows);
	w = &e->windows[queue][e->num_windows[queue]++];
	w->base = ENV_BASE / ENV_PAGE + first;
	w->limit = ENV_BASE / ENV_PAGE + last;
	w->write = write;
	w->read = !write;
	store_setup(e->store, queue, stream_of(queue), prot_of(queue), e->windows[queue],
	            e->num_windows[queue]);
	if (write && first <= last)
		assert_int_equal(axi_check_legal(e->check, queue, AXI_CHECK_WRITE, w->base * ENV_PAGE,
		                                 (uint64_t)(last - first + 1) * ENV_PAGE),
		                 0);
}

void env_error(struct env *e, uint32_t page, enum axi_mem_resp resp)
{
	e->error[page] = (uint8_t)resp;
	assert_int_equal(axi_mem_error(e->mem, AXI_MEM_WRITE, ENV_BASE + (uint64_t)page * ENV_PAGE, ENV_PAGE,
	                               resp),
	                 0);
}

/*
 * Reference.
 */

static bool allowed(const struct env *e, uint32_t queue, uint32_t page)
{
	uint64_t number = ENV_BASE / ENV_PAGE + page;
	uint32_t i;

	for (i = 0; i < e->num_windows[queue]; i++) {
		const struct store_window *w = &e->windows[queue][i];

		if (w->write && w->base <= number && number <= w->limit)
			return true;
	}
	return false;
}

/* Burst `index` of a command: its first operand byte, and how many. */
static uint32_t burst(const struct store_cmd *cmd, uint32_t index, uint32_t *offset)
{
	uint32_t start = (uint32_t)(cmd->gaddr - ENV_BASE), end = start + cmd->chunks * CHUNK;
	uint32_t page_start = (start / ENV_PAGE + index) * ENV_PAGE, page_end = page_start + ENV_PAGE;

	*offset = page_start > start ? page_start : start;
	if (*offset >= end)
		return 0;
	return (page_end < end ? page_end : end) - *offset;
}

/* The first bad burst decides the fault, and up to there everything is certain. */
static void expect(const struct env *e, struct env_cmd *c)
{
	uint32_t i, offset;

	for (i = 0; burst(&c->cmd, i, &offset); i++) {
		uint32_t page = offset / ENV_PAGE;

		if (!allowed(e, c->cmd.queue, page)) {
			if (!c->code) {
				c->code = TMA_FAULT_WINDOW_WRITE;
				c->address = ENV_BASE + offset;
			}
			break;
		}
		if (e->error[page] && !c->code) {
			c->code = e->error[page] == AXI_SLVERR ? TMA_FAULT_WRITE_SLVERR
			                                       : TMA_FAULT_WRITE_DECERR;
			c->address = ENV_BASE + offset;
			c->certain = i + 1;
		}
	}
	c->possible = i;
	if (!c->code || c->code == TMA_FAULT_WINDOW_WRITE)
		c->certain = i;
}

struct env_cmd *env_command(struct env *e, uint32_t queue, uint32_t offset, uint32_t chunks, uint32_t cta,
                            uint32_t saddr, uint32_t byte_mask)
{
	struct env_cmd *c = &e->cmds[e->num];

	assert_true(e->num < ENV_COMMANDS);
	assert_true(chunks && offset + chunks * CHUNK <= ENV_BYTES);
	assert_true((saddr + chunks) * CHUNK <= e->info->smem_bytes);
	c->cmd.gaddr = ENV_BASE + offset;
	c->cmd.chunks = chunks;
	c->cmd.cta = cta;
	c->cmd.saddr = saddr;
	c->cmd.byte_mask = byte_mask;
	c->cmd.qos = e->num >> 4 & 15;
	c->cmd.evict = e->num & 15;
	c->cmd.queue = queue;
	c->cmd.seq = e->num;
	c->cmd.tag = (uint32_t)rng_next(&e->rng);
	c->accept = c->error = c->fault = c->read_done = c->write_done = c->first_aw = c->first_w = NEVER;
	expect(e, c);
	e->num++;
	return c;
}

static void write_wanted(struct env *e, const struct store_cmd *cmd, uint32_t offset, uint32_t bytes)
{
	const uint8_t *from = e->smem + (size_t)cmd->cta * e->info->smem_bytes + cmd->saddr * CHUNK;
	uint32_t start = (uint32_t)(cmd->gaddr - ENV_BASE), i;

	if (e->error[offset / ENV_PAGE])
		return;
	for (i = offset; i < offset + bytes; i++)
		if (cmd->byte_mask >> i % CHUNK & 1)
			e->wanted[i] = from[i - start];
}

/*
 * What the path does.
 */

static uint8_t name_of(const struct env_cmd *c)
{
	return (uint8_t)(c->cmd.qos << 4 | c->cmd.evict);
}

static void see_aw(struct env *e)
{
	const struct tma_axi_out *aw = &e->out->axi;
	uint32_t offset, bytes, beat = e->info->data_bytes;
	struct env_cmd *c;

	if (!aw->aw_valid)
		return;
	if (e->aw_since == NEVER)
		e->aw_since = e->cycle;
	if (!e->in->axi.aw_ready)
		return;

	/* Commands come in order, each with its bursts from the first on. */
	while (name_of(&e->cmds[e->aw_cmd]) != (uint8_t)(aw->aw_qos << 4 | (aw->aw_user & 15))) {
		REQUIRE(e, e->cmds[e->aw_cmd].issued >= e->cmds[e->aw_cmd].certain);
		e->aw_cmd++;
		REQUIRE(e, e->aw_cmd < e->offered);
	}
	c = &e->cmds[e->aw_cmd];
	REQUIRE(e, c->issued < c->possible);
	bytes = burst(&c->cmd, c->issued, &offset);
	REQUIRE(e, aw->aw_addr == ((ENV_BASE + offset) & ~(uint64_t)(beat - 1)));
	REQUIRE(e, aw->aw_len == (offset + bytes - 1) / beat - offset / beat);
	REQUIRE(e, aw->aw_cache == AXCACHE);
	REQUIRE(e, aw->aw_prot == prot_of(c->cmd.queue));
	REQUIRE(e, aw->aw_user >> 8 == stream_of(c->cmd.queue) && !(aw->aw_user & 0xF0));
	/* A burst may be on its way to AW when an error arrives, and no other after it. */
	REQUIRE(e, c->error == NEVER || e->aw_since <= c->error + 1);
	REQUIRE(e, c->write_done == NEVER);

	if (!c->issued)
		c->first_aw = e->aw_since;
	c->issued++;
	c->beats += aw->aw_len + 1u;
	e->bursts++;
	e->flight[e->flight_tail++] = e->aw_cmd;
	e->last_aw = e->cycle;
	e->aw_since = NEVER;
	write_wanted(e, &c->cmd, offset, bytes);
}

static void see_w_and_b(struct env *e)
{
	const struct tma_axi_out *axi = &e->out->axi;

	if (axi->w_valid && e->in->axi.w_ready) {
		e->beats++;
		e->last_w = e->cycle;
	}
	e->stalls += axi->w_valid && !e->in->axi.w_ready;
	if (e->in->axi.b_valid && axi->b_ready) {
		struct env_cmd *c = &e->cmds[e->flight[e->flight_head]];

		REQUIRE(e, e->flight_head < e->flight_tail);
		e->flight_head++;
		c->taken++;
		if (e->in->axi.b_resp && c->error == NEVER)
			c->error = e->cycle;
	}
}

static void see_fault(struct env *e)
{
	struct env_cmd *c;

	if (!e->out->fault_valid || !e->in->fault_ready)
		return;
	REQUIRE(e, e->out->fault_seq < e->num);
	c = &e->cmds[e->out->fault_seq];
	REQUIRE(e, c->code);
	REQUIRE(e, c->fault == NEVER);
	REQUIRE(e, e->out->fault_queue == c->cmd.queue);
	REQUIRE(e, e->out->fault_tag == c->cmd.tag);
	REQUIRE(e, e->out->fault_code == c->code);
	REQUIRE(e, e->out->fault_address == c->address);
	/* A violation waits for the data before it. */
	REQUIRE(e, c->taken >= c->certain);
	c->fault = e->cycle;
}

static void see_done(struct env *e)
{
	uint64_t beats = 0;
	uint32_t i;

	if (e->out->read_done) {
		struct env_cmd *c = &e->cmds[e->reads_done++];

		REQUIRE(e, e->reads_done <= e->offered);
		REQUIRE(e, e->out->read_done_queue == c->cmd.queue);
		c->read_done = e->cycle;
		for (i = 0; i < e->reads_done; i++)
			beats += e->cmds[i].beats;
		REQUIRE(e, e->reads >= beats);
		/* Nobody may take the source for read before the queue stops for what was denied. */
		REQUIRE(e, c->code != TMA_FAULT_WINDOW_WRITE || c->fault < e->cycle);
	}
	if (e->out->write_done) {
		struct env_cmd *c = &e->cmds[e->writes_done++];

		REQUIRE(e, e->writes_done <= e->offered);
		REQUIRE(e, e->out->write_done_queue == c->cmd.queue);
		REQUIRE(e, c->read_done <= e->cycle);
		REQUIRE(e, c->issued >= c->certain && c->taken == c->issued);
		REQUIRE(e, !c->code || c->fault < e->cycle);
		c->write_done = e->cycle;
	}
}

/* Data comes the cycle after the handshake; at any other time it is nobody's. */
static void drive_reads(struct env *e)
{
	uint32_t bytes = e->info->data_bytes, chunks = bytes / CHUNK, i;

	if (!e->data_comes) {
		memset(e->in->rd_data, (int)rng_below(&e->rng, 256), bytes);
		return;
	}
	for (i = 0; i < chunks; i++) {
		uint32_t chunk = e->data_addr + i;
		uint8_t *bank = e->in->rd_data + chunk % chunks * CHUNK;

		/* Behind the end there is something, but it is of no use. */
		if (chunk * CHUNK < e->info->smem_bytes)
			memcpy(bank, e->smem + (size_t)e->data_cta * e->info->smem_bytes + chunk * CHUNK,
			       CHUNK);
		else
			memset(bank, 0xEE, CHUNK);
	}
}

void env_step(struct env *e)
{
	struct tma_axi_out axi;

	/* Once offered, a command stays. */
	if (!e->in->cmd_valid && e->offered < e->num && !rng_percent(&e->rng, e->o.command_percent)) {
		e->in->cmd_valid = 1;
		e->in->cmd = e->cmds[e->offered++].cmd;
	}
	e->in->rd_ready = !rng_percent(&e->rng, e->o.read_percent);
	e->in->fault_ready = !e->block_fault && !rng_percent(&e->rng, e->o.fault_percent);
	if (e->block_aw)
		e->in->axi.aw_ready = 0;
	drive_reads(e);
	store_eval(e->store);

	see_aw(e);
	see_w_and_b(e);
	see_done(e);
	see_fault(e);
	e->aw_events += e->out->aw_event;
	e->w_events += e->out->w_event;
	e->w_stalls += e->out->w_stall;
	axi_check_step(e->check, e->cycle, true, &e->out->axi, &e->in->axi);
	e->data_comes = e->out->rd_valid && e->in->rd_ready;
	if (e->data_comes) {
		e->data_cta = e->out->rd_cta;
		e->data_addr = e->out->rd_addr;
		REQUIRE(e, e->data_cta < e->info->ctas);
		REQUIRE(e, e->data_addr * CHUNK < e->info->smem_bytes);
		e->reads++;
	}
	axi = e->out->axi;
	if (e->in->cmd_valid && e->out->cmd_ready) {
		e->cmds[e->offered - 1].accept = e->cycle;
		store_tick(e->store);
		e->in->cmd_valid = 0;
	} else {
		store_tick(e->store);
	}
	axi_mem_step(e->mem, &axi, &e->in->axi);
	e->cycle++;
}

void env_drain(struct env *e, uint64_t limit)
{
	uint64_t end = e->cycle + limit, beats = 0;
	uint32_t i;

	while (e->writes_done < e->num || !e->out->idle) {
		REQUIRE(e, e->cycle < end);
		env_step(e);
	}
	REQUIRE(e, e->reads_done == e->num);
	REQUIRE(e, axi_mem_outstanding(e->mem) == 0);
	for (i = 0; i < e->num; i++) {
		const struct env_cmd *c = &e->cmds[i];

		REQUIRE(e, c->issued >= c->certain && (c->code || c->issued == c->possible));
		REQUIRE(e, !c->code == (c->fault == NEVER));
		beats += c->beats;
	}
	REQUIRE(e, e->reads == beats && e->beats == beats);
	REQUIRE(e, e->aw_events == e->bursts);
	REQUIRE(e, e->w_events == beats);
	REQUIRE(e, e->w_stalls == e->stalls);
	assert_memory_equal(e->actual, e->wanted, ENV_BYTES);
	assert_int_equal(axi_check_failed(e->check), 0);
	assert_int_equal(unit_failed(), 0);
}
