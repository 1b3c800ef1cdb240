/* SPDX-License-Identifier: Apache-2.0 */
#include "unit_rtl/kernel_bench.h"

#include <stdio.h>
#include <string.h>

#include "lib/axi_check.h"
#include "lib/axi_ids.h"
#include "lib/axi_mem.h"
#include "lib/axi_monitor.h"
#include "tma_kernel_pins.h"
#include "tma_regs.h"
#include "tma_shell.h"

#define RESET_CYCLES 4u
#define END_CYCLES   2000u
#define LIMIT        500u /* cycles of an access of registers */
#define READY_WAIT   64   /* R waits while tensor loads fill shared memory */
#define EARLY_READS  50   /* percent that take their data early */
#define PRINTED      10

static void broken(struct kernel_bench *k, const char *what, uint32_t address)
{
	if (k->errors++ < PRINTED)
		fprintf(stderr, "kernel: cycle %llu: register %#x: %s\n", (unsigned long long)k->cycle,
		        address, what);
}

/*
 * Pins.
 */

static void put_port(struct kernel_in *to, const struct tma_axi_in *x, uint32_t p, uint32_t bytes)
{
	to->gmem_ARREADY[p] = x->ar_ready;
	to->gmem_AWREADY[p] = x->aw_ready;
	to->gmem_WREADY[p] = x->w_ready;
	to->gmem_RVALID[p] = x->r_valid;
	to->gmem_RID[p] = x->r_id;
	to->gmem_RRESP[p] = x->r_resp;
	to->gmem_RLAST[p] = x->r_last;
	memcpy(to->gmem_RDATA[p], x->r_data, bytes);
	to->gmem_BVALID[p] = x->b_valid;
	to->gmem_BID[p] = x->b_id;
	to->gmem_BRESP[p] = x->b_resp;
}

static void get_port(struct tma_axi_out *x, const struct kernel_out *from, uint32_t p, uint32_t bytes)
{
	*x = (struct tma_axi_out){
		.r_ready = from->gmem_RREADY[p],
		.b_ready = from->gmem_BREADY[p],
		.ar_valid = from->gmem_ARVALID[p],
		.ar_addr = from->gmem_ARADDR[p],
		.ar_id = from->gmem_ARID[p],
		.ar_len = from->gmem_ARLEN[p],
		.ar_size = from->gmem_ARSIZE[p],
		.ar_burst = from->gmem_ARBURST[p],
		.ar_cache = from->gmem_ARCACHE[p],
		.ar_prot = from->gmem_ARPROT[p],
		.ar_qos = from->gmem_ARQOS[p],
		.ar_user = from->gmem_ARUSER[p],
		.aw_valid = from->gmem_AWVALID[p],
		.aw_addr = from->gmem_AWADDR[p],
		.aw_id = from->gmem_AWID[p],
		.aw_len = from->gmem_AWLEN[p],
		.aw_size = from->gmem_AWSIZE[p],
		.aw_burst = from->gmem_AWBURST[p],
		.aw_cache = from->gmem_AWCACHE[p],
		.aw_prot = from->gmem_AWPROT[p],
		.aw_qos = from->gmem_AWQOS[p],
		.aw_user = from->gmem_AWUSER[p],
		.w_valid = from->gmem_WVALID[p],
		.w_last = from->gmem_WLAST[p],
	};
	memcpy(x->w_data, from->gmem_WDATA[p], bytes);
	memcpy(x->w_strb, &from->gmem_WSTRB[p], bytes / 8);
}

static void check_port(struct kernel_bench *k, uint32_t p)
{
	const struct kernel_out *out = k->out;

	if (out->gmem_ARLOCK[p] || out->gmem_AWLOCK[p] || out->gmem_ARREGION[p] || out->gmem_AWREGION[p])
		broken(k, "LOCK or REGION is not 0 on port", p);
	axi_check_step(k->check[p], k->cycle, k->in->ap_rst_n, &k->port_out[p], &k->port_in[p]);
	if (k->in->ap_rst_n)
		axi_monitor_step(k->monitor, p, k->cycle, &k->port_out[p], &k->port_in[p]);
}

static void check_lite(struct kernel_bench *k)
{
	const struct kernel_in *in = k->in;
	const struct kernel_out *out = k->out;
	const struct tma_csr_in to = {
		.aw_valid = in->s_axi_control_AWVALID,
		.w_valid = in->s_axi_control_WVALID,
		.b_ready = in->s_axi_control_BREADY,
		.ar_valid = in->s_axi_control_ARVALID,
		.r_ready = in->s_axi_control_RREADY,
		.w_strb = in->s_axi_control_WSTRB,
		.aw_addr = in->s_axi_control_AWADDR,
		.w_data = in->s_axi_control_WDATA,
		.ar_addr = in->s_axi_control_ARADDR,
	};
	const struct tma_csr_out from = {
		.aw_ready = out->s_axi_control_AWREADY,
		.w_ready = out->s_axi_control_WREADY,
		.b_valid = out->s_axi_control_BVALID,
		.b_resp = out->s_axi_control_BRESP,
		.ar_ready = out->s_axi_control_ARREADY,
		.r_valid = out->s_axi_control_RVALID,
		.r_resp = out->s_axi_control_RRESP,
		.r_data = out->s_axi_control_RDATA,
	};

	axil_check_step(&k->lite, k->cycle, in->ap_rst_n, &to, &from);
}

/* The pins of this cycle. */
static void settle(struct kernel_bench *k)
{
	kernel_eval(k->unit);
	check_lite(k);
	for (uint32_t p = 0; p < unit_shape()->ports; p++) {
		get_port(&k->port_out[p], k->out, p, unit_shape()->data_bytes);
		check_port(k, p);
	}
}

/* What `out` shows stays. Memory's new pins come behind the edge. */
static void finish(struct kernel_bench *k)
{
	for (uint32_t p = 0; p < unit_shape()->ports && k->in->ap_rst_n; p++) {
		axi_mem_step(k->memory[p], &k->port_out[p], &k->port_in[p]);
		put_port(k->in, &k->port_in[p], p, unit_shape()->data_bytes);
	}
	kernel_edge(k->unit);
	k->cycle++;
}

void kernel_bench_step(struct kernel_bench *k)
{
	settle(k);
	finish(k);
}

/*
 * The host.
 */

/* Until behind the cycle in which the pin is up: `out` is of that cycle. */
static bool await(struct kernel_bench *k, const uint8_t *pin)
{
	bool up = false;
	uint32_t i;

	for (i = 0; i < LIMIT && !up; i++) {
		settle(k);
		up = *pin;
		finish(k);
	}
	return up;
}

uint32_t kernel_bench_read(struct kernel_bench *k, uint32_t address)
{
	struct kernel_in *in = k->in;

	in->s_axi_control_ARVALID = 1;
	in->s_axi_control_ARADDR = (uint16_t)address;
	if (!await(k, &k->out->s_axi_control_ARREADY))
		broken(k, "a read is not taken, register", address);
	in->s_axi_control_ARVALID = 0;
	in->s_axi_control_RREADY = 1;
	if (!await(k, &k->out->s_axi_control_RVALID))
		broken(k, "a read is not answered, register", address);
	else if (k->out->s_axi_control_RRESP)
		broken(k, "a read is answered with an error, register", address);
	in->s_axi_control_RREADY = 0;
	return k->out->s_axi_control_RDATA;
}

static void write_register(struct kernel_bench *k, uint32_t address, uint32_t value)
{
	struct kernel_in *in = k->in;

	in->s_axi_control_AWVALID = in->s_axi_control_WVALID = 1;
	in->s_axi_control_AWADDR = (uint16_t)address;
	in->s_axi_control_WDATA = value;
	in->s_axi_control_WSTRB = 15;
	if (!await(k, &k->out->s_axi_control_AWREADY) || !k->out->s_axi_control_WREADY)
		broken(k, "a write is not taken, register", address);
	in->s_axi_control_AWVALID = in->s_axi_control_WVALID = 0;
	in->s_axi_control_BREADY = 1;
	if (!await(k, &k->out->s_axi_control_BVALID))
		broken(k, "a write is not answered, register", address);
	else if (k->out->s_axi_control_BRESP)
		broken(k, "a write is answered with an error, register", address);
	in->s_axi_control_BREADY = 0;
}

/* The monitor has to know what was taken, and the shell tells by its count alone. */
void kernel_bench_write(struct kernel_bench *k, uint32_t address, uint32_t value)
{
	uint32_t before;

	if (address < TMA_REG_MAGIC || address >= TMA_REG_DOOR(0) ||
	    (address >= TMA_SHELL_ARGUMENT(0) && address < TMA_REG_QUEUE(0))) {
		write_register(k, address, value);
		return;
	}
	before = kernel_bench_read(k, TMA_SHELL_REFUSALS);
	write_register(k, address, value);
	if (kernel_bench_read(k, TMA_SHELL_REFUSALS) == before)
		axi_monitor_register(k->monitor, address, value);
}

bool kernel_bench_interrupt(const struct kernel_bench *k)
{
	return k->out->interrupt;
}

bool kernel_bench_idle(struct kernel_bench *k)
{
	return kernel_bench_read(k, TMA_REG_STATUS) & TMA_REG_STATUS_IDLE_MASK;
}

/*
 * Life.
 */

static bool open_port(struct kernel_bench *k, uint32_t p, const struct kernel_bench_opts *opts)
{
	const struct unit_shape *shape = unit_shape();

	k->memory[p] = axi_mem_new(&(struct axi_mem_opts){
		.data_bytes = shape->data_bytes,
		.latency = opts->latency,
		.stall_percent = opts->stall_percent,
		.early_read_percent = EARLY_READS,
		.seed = opts->seed + p,
	});
	k->check[p] = axi_check_new(&(struct axi_check_opts){
		.port = p,
		.data_bytes = shape->data_bytes,
		.ids = 32,
		.max_reads = shape->reads,
		.max_writes = shape->writes,
		.max_wait = READY_WAIT,
		.max_reductions = shape->reductions,
		.reduce_id = AXI_WRITE_REDUCE(shape->ports),
		.engine = true,
	});
	/* What queues may access is checked by their windows alone. */
	return k->memory[p] && k->check[p] &&
	       !axi_check_legal(k->check[p], 0, AXI_CHECK_READ | AXI_CHECK_WRITE, 0, UINT64_MAX);
}

static void release(struct kernel_bench *k)
{
	for (uint32_t p = 0; p < unit_shape()->ports; p++) {
		axi_mem_free(k->memory[p]);
		axi_check_free(k->check[p]);
	}
	axi_monitor_free(k->monitor);
	kernel_close(k->unit);
}

bool kernel_bench_open(struct kernel_bench *k, const struct kernel_bench_opts *opts)
{
	const struct unit_shape *shape = unit_shape();
	bool there;

	*k = (struct kernel_bench){ .unit = kernel_open(), .assertions = unit_failed() };
	k->in = kernel_in(k->unit);
	k->out = kernel_out(k->unit);
	k->monitor = axi_monitor_new(&(struct axi_monitor_opts){
		.ports = shape->ports,
		.data_bytes = shape->data_bytes,
		.reductions = shape->reductions,
		.reduce_id = AXI_WRITE_REDUCE(shape->ports),
	});
	there = k->monitor;
	for (uint32_t p = 0; p < shape->ports; p++)
		there &= open_port(k, p, opts);
	if (!there) {
		release(k);
		return false;
	}
	for (uint32_t p = 0; p < shape->ports; p++)
		axi_mem_reset(k->memory[p], &k->port_in[p]);
	axi_monitor_reset(k->monitor);
	for (uint32_t i = 0; i < RESET_CYCLES; i++)
		kernel_bench_step(k);
	k->in->ap_rst_n = 1;
	kernel_bench_step(k);
	return true;
}

int kernel_bench_map(struct kernel_bench *k, uint32_t port, uint64_t base, uint64_t size, void *memory)
{
	return axi_mem_map(k->memory[port], base, size, memory);
}

int kernel_bench_close(struct kernel_bench *k)
{
	uint64_t end = k->cycle + END_CYCLES;
	bool idle = false;
	int failed = 0;

	while (!idle && k->cycle < end)
		idle = kernel_bench_idle(k);
	for (uint32_t p = 0; p < unit_shape()->ports; p++) {
		if (idle)
			axi_check_end(k->check[p]);
		failed += axi_check_failed(k->check[p]);
	}
	failed += axi_monitor_failed(k->monitor) + k->lite.failed + k->errors + unit_failed() - k->assertions;
	release(k);
	return failed;
}
