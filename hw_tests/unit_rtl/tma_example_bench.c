/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_rtl/tma_example_bench.h"

#include <string.h>

#include "tma_regs.h"

#define BEAT         16u
#define QUEUE        0u
#define START_CYCLES 4u
#define WAIT_LIMIT   20000u
#define READ_WRITE   3u

static void put_pins(struct example_soc_in *to, const struct tma_axi_in *x)
{
	to->m_axi_arready = x->ar_ready;
	to->m_axi_awready = x->aw_ready;
	to->m_axi_wready = x->w_ready;
	to->m_axi_rvalid = x->r_valid;
	to->m_axi_rid[0] = x->r_id;
	to->m_axi_rresp[0] = x->r_resp;
	to->m_axi_rlast = x->r_last;
	memcpy(to->m_axi_rdata[0], x->r_data, BEAT);
	to->m_axi_bvalid = x->b_valid;
	to->m_axi_bid[0] = x->b_id;
	to->m_axi_bresp[0] = x->b_resp;
}

static void get_pins(struct tma_axi_out *x, const struct example_soc_out *from)
{
	*x = (struct tma_axi_out){
		.r_ready = from->m_axi_rready,
		.b_ready = from->m_axi_bready,
		.ar_valid = from->m_axi_arvalid,
		.ar_addr = from->m_axi_araddr[0],
		.ar_id = from->m_axi_arid[0],
		.ar_len = from->m_axi_arlen[0],
		.ar_size = from->m_axi_arsize[0],
		.ar_burst = from->m_axi_arburst[0],
		.ar_cache = from->m_axi_arcache[0],
		.ar_prot = from->m_axi_arprot[0],
		.ar_qos = from->m_axi_arqos[0],
		.ar_user = from->m_axi_aruser[0],
		.aw_valid = from->m_axi_awvalid,
		.aw_addr = from->m_axi_awaddr[0],
		.aw_id = from->m_axi_awid[0],
		.aw_len = from->m_axi_awlen[0],
		.aw_size = from->m_axi_awsize[0],
		.aw_burst = from->m_axi_awburst[0],
		.aw_cache = from->m_axi_awcache[0],
		.aw_prot = from->m_axi_awprot[0],
		.aw_qos = from->m_axi_awqos[0],
		.aw_user = from->m_axi_awuser[0],
		.w_valid = from->m_axi_wvalid,
		.w_last = from->m_axi_wlast,
	};
	memcpy(x->w_data, from->m_axi_wdata[0], BEAT);
	memcpy(x->w_strb, &from->m_axi_wstrb[0], BEAT / 8);
}

void example_cycle(struct example_bench *b)
{
	struct tma_axi_out x;

	put_pins(b->in, &b->axi);
	example_soc_eval(b->unit);
	get_pins(&x, b->out);
	axi_check_step(b->check, b->cycle, b->in->rst_n, &x, &b->axi);
	if (b->watch)
		b->watch(b->arg, b);
	if (b->in->rst_n)
		axi_mem_step(b->mem, &x, &b->axi);
	example_soc_tick(b->unit);
	b->cycle++;
}

/* Cycles until @p pin is high; the one in which it is remains to be run. */
static void await(struct example_bench *b, const uint8_t *pin)
{
	uint32_t limit = 0;

	for (example_soc_eval(b->unit); !*pin && !b->stuck; example_soc_eval(b->unit)) {
		b->stuck = limit++ == WAIT_LIMIT;
		example_cycle(b);
	}
}

uint32_t example_put(struct example_bench *b, uint32_t address, uint32_t value)
{
	uint32_t resp;

	b->in->s_axil_awvalid = b->in->s_axil_wvalid = 1;
	b->in->s_axil_awaddr = address;
	b->in->s_axil_wdata = value;
	b->in->s_axil_wstrb = 15;
	await(b, &b->out->s_axil_awready);
	example_cycle(b);
	b->in->s_axil_awvalid = b->in->s_axil_wvalid = 0;
	b->in->s_axil_bready = 1;
	await(b, &b->out->s_axil_bvalid);
	resp = b->out->s_axil_bresp;
	example_cycle(b);
	b->in->s_axil_bready = 0;
	return resp;
}

uint32_t example_get(struct example_bench *b, uint32_t address, uint32_t *value)
{
	uint32_t resp;

	b->in->s_axil_arvalid = 1;
	b->in->s_axil_araddr = address;
	await(b, &b->out->s_axil_arready);
	example_cycle(b);
	b->in->s_axil_arvalid = 0;
	b->in->s_axil_rready = 1;
	await(b, &b->out->s_axil_rvalid);
	*value = b->out->s_axil_rdata;
	resp = b->out->s_axil_rresp;
	example_cycle(b);
	b->in->s_axil_rready = 0;
	return resp;
}

/* One window, for reads and writes, and the queue is enabled: its commands come from the direct port. */
static bool set_up(struct example_bench *b)
{
	const uint32_t setup[][2] = {
		{ TMA_REG_WINDOW_INDEX, QUEUE << 8 },
		{ TMA_REG_WINDOW_BASE_LO, (uint32_t)EXAMPLE_BASE },
		{ TMA_REG_WINDOW_BASE_HI, (uint32_t)(EXAMPLE_BASE >> 32) },
		{ TMA_REG_WINDOW_LIMIT_LO, (uint32_t)(EXAMPLE_BASE + EXAMPLE_MEMORY - 1) },
		{ TMA_REG_WINDOW_LIMIT_HI, (uint32_t)((EXAMPLE_BASE + EXAMPLE_MEMORY - 1) >> 32) },
		{ TMA_REG_WINDOW_ATTR, READ_WRITE },
		{ TMA_REG_QUEUE_CTA(QUEUE), 1u << 16 }, /* runs on CTA 0, may touch that one */
		{ TMA_REG_QUEUE_CONTROL(QUEUE), TMA_REG_QUEUE_CONTROL_ENABLE_MASK },
	};
	uint32_t refused = 0;

	for (uint32_t i = 0; i < sizeof(setup) / sizeof(setup[0]); i++)
		refused |= example_put(b, setup[i][0], setup[i][1]);
	return !refused && !b->stuck;
}

int example_bench_open(struct example_bench *b, const struct axi_mem_opts *opts)
{
	struct axi_mem_opts memory = *opts;
	struct axi_check_opts rules = { .data_bytes = BEAT, .ids = 32 };

	memory.data_bytes = BEAT;
	b->unit = example_soc_open();
	b->in = example_soc_in(b->unit);
	b->out = example_soc_out(b->unit);
	b->mem = axi_mem_new(&memory);
	b->check = axi_check_new(&rules);
	if (!b->mem || !b->check || axi_mem_map(b->mem, EXAMPLE_BASE, EXAMPLE_MEMORY, b->memory) ||
	    axi_check_legal(b->check, 0, AXI_CHECK_READ | AXI_CHECK_WRITE, EXAMPLE_BASE, EXAMPLE_MEMORY))
		return -1;
	axi_mem_reset(b->mem, &b->axi);
	for (uint32_t i = 0; i < START_CYCLES; i++)
		example_cycle(b);
	b->in->rst_n = 1;
	example_cycle(b);
	return set_up(b) ? 0 : -1;
}

int example_bench_close(struct example_bench *b)
{
	int failed;

	await(b, &b->out->idle);
	axi_check_end(b->check);
	failed = axi_check_failed(b->check) + b->stuck;
	axi_check_free(b->check);
	axi_mem_free(b->mem);
	example_soc_close(b->unit);
	return failed;
}

int example_job(struct example_bench *b, const struct example_soc_job *job)
{
	int failed;

	b->in->job = *job;
	b->in->job_valid = 1;
	await(b, &b->out->job_ready);
	example_cycle(b);
	b->in->job_valid = 0;
	await(b, &b->out->done);
	failed = b->out->failed;
	example_cycle(b);
	return b->stuck ? -1 : failed;
}
