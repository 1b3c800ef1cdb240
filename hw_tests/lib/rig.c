/* SPDX-License-Identifier: Apache-2.0 */
/* The rig's life, its clock, its memories and its hooks. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/axi_ids.h"
#include "lib/rig_priv.h"

#define RESET_CYCLES 8
#define END_CYCLES   2000
/* R waits for fill and ends of loads, 16 cycles in which shared memory takes writes, and for whoever has waited there. */
#define READY_WAIT 64
/* Reads may take their data early or late: half of them each. */
#define EARLY_READS 50

void rig_error(struct rig *rig, const char *format, ...)
{
	va_list args;

	if (rig->errors++ >= RIG_PRINTED)
		return;
	fprintf(stderr, "rig: %s: cycle %llu: ", rig->info->name, (unsigned long long)rig->cycle);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

int rig_failed(const struct rig *rig)
{
	int failed = rig->errors + tma_sim_failed(rig->sim);

	for (uint32_t p = 0; p < rig->info->ports; p++) {
		failed += axi_check_failed(rig->check[p]);
		failed += rig->bus_check[p] ? axi_check_failed(rig->bus_check[p]) : 0;
	}
	return failed + axi_monitor_failed(rig->monitor) + rig->lite.failed;
}

int rig_hook(struct rig *rig, const struct rig_hooks *hooks)
{
	struct rig_hooks *list = realloc(rig->hooks, (rig->num_hooks + 1) * sizeof(*list));

	if (!list)
		return -ENOMEM;
	rig->hooks = list;
	list[rig->num_hooks++] = *hooks;
	return 0;
}

/*
 * Time.
 */

static bool port_moves(const struct tma_axi_in *in, const struct tma_axi_out *out)
{
	return (in->ar_ready && out->ar_valid) || (in->aw_ready && out->aw_valid) ||
	       (in->w_ready && out->w_valid) || (in->r_valid && out->r_ready) ||
	       (in->b_valid && out->b_ready);
}

void rig_step(struct rig *rig)
{
	rig_command_drive(rig);
	rig_ring_drive(rig);
	rig_csr_drive(rig);
	rig_smem_drive(rig);
	tma_sim_eval(rig->sim);

	for (uint32_t p = 0; p < rig->info->ports; p++) {
		axi_check_step(rig->check[p], rig->cycle, rig->in->rst_n, &rig->out->axi[p],
		               &rig->in->axi[p]);
		if (rig->bus_check[p])
			axi_check_step(rig->bus_check[p], rig->cycle, rig->in->rst_n, rig_bus_out(rig, p),
			               rig_bus_in(rig, p));
		if (rig->in->rst_n)
			axi_monitor_step(rig->monitor, p, rig->cycle, &rig->out->axi[p], &rig->in->axi[p]);
		if (port_moves(&rig->in->axi[p], &rig->out->axi[p]))
			rig->last_handshake = rig->cycle;
	}
	for (uint32_t i = 0; i < rig->num_hooks; i++)
		if (rig->hooks[i].cycle)
			rig->hooks[i].cycle(rig->hooks[i].arg, rig->cycle, rig->in, rig->out);
	rig_command_sample(rig);
	rig_csr_sample(rig);
	rig_ring_sample(rig);
	rig_smem_sample(rig);
	for (uint32_t i = 0; i < rig->num_hooks; i++)
		if (rig->hooks[i].end)
			rig->hooks[i].end(rig->hooks[i].arg);
	/* These set the pins of the next cycle: the engine has already seen this one's. */
	for (uint32_t p = 0; p < rig->info->ports; p++)
		if (rig->in->rst_n)
			axi_mem_step(rig->mem[p], rig_bus_out(rig, p), rig_bus_in(rig, p));

	tma_sim_tick(rig->sim);
	rig->cycle++;
}

void rig_run(struct rig *rig, uint64_t cycles)
{
	while (cycles--)
		rig_step(rig);
}

uint64_t rig_cycle(const struct rig *rig)
{
	return rig->cycle;
}

/*
 * Global memory.
 */

int rig_map(struct rig *rig, uint32_t port, uint64_t base, uint64_t size, void *memory)
{
	if (port >= rig->info->ports)
		return -EINVAL;
	return axi_mem_map(rig->mem[port], base, size, memory);
}

void rig_unmap(struct rig *rig, uint32_t port, uint64_t base)
{
	if (port < rig->info->ports)
		axi_mem_unmap(rig->mem[port], base);
}

void rig_unmap_all(struct rig *rig)
{
	for (uint32_t p = 0; p < rig->info->ports; p++)
		axi_mem_unmap_all(rig->mem[p]);
	rig_legal_none(rig);
	/* They were mapped beside what is gone now: there is room. */
	if (rig_ring_map_all(rig))
		rig_error(rig, "rings cannot be mapped again");
}

int rig_map_error(struct rig *rig, uint32_t port, enum rig_dir dir, uint64_t base, uint64_t size,
                  enum rig_resp resp)
{
	if (port >= rig->info->ports)
		return -EINVAL;
	return axi_mem_error(rig->mem[port], dir, base, size, (enum axi_mem_resp)resp);
}

void rig_clear_errors(struct rig *rig)
{
	for (uint32_t p = 0; p < rig->info->ports; p++)
		axi_mem_clear_errors(rig->mem[p]);
}

int rig_legal(struct rig *rig, uint32_t port, enum rig_dir dir, uint64_t base, uint64_t size)
{
	if (port >= rig->info->ports)
		return -EINVAL;
	return axi_check_legal(rig->check[port], RIG_OWNER_CALLER, dir, base, size);
}

void rig_legal_none(struct rig *rig)
{
	for (uint32_t p = 0; p < rig->info->ports; p++)
		axi_check_legal_none(rig->check[p]);
	rig_ring_legal_all(rig);
}

/*
 * Life.
 */

void rig_reset(struct rig *rig)
{
	memset(rig->in, 0, sizeof(*rig->in));
	for (uint32_t i = 0; i < rig->info->queues; i++)
		rig_command_forget(rig, i);
	rig->rsp_held = false;
	rig->csr = (struct rig_access_csr){ 0 };
	rig->beside.busy = false;
	rig->num_posts = 0;
	rig->stopped = 0;
	memset(rig->multimem, 0, sizeof(rig->multimem));
	rig_smem_forget(rig);
	for (uint32_t i = 0; i < rig->info->ports; i++) {
		axi_mem_reset(rig->mem[i], rig_bus_in(rig, i));
		axi_check_reset(rig->check[i]);
		if (rig->bus_check[i])
			axi_check_reset(rig->bus_check[i]);
	}
	axi_monitor_reset(rig->monitor);
	for (uint32_t i = 0; i < rig->info->queues; i++)
		rig_ring_close(rig, i);
	rig_run(rig, RESET_CYCLES);
	rig->in->rst_n = 1;
	rig_step(rig);
}

struct axi_mem *rig_new_memory(const struct rig *rig, uint32_t port)
{
	return axi_mem_new(&(struct axi_mem_opts){
		.data_bytes = rig->info->bus_bytes ? rig->info->bus_bytes : rig->info->data_bytes,
		.latency = rig->o.latency,
		.random_latency = rig->o.random_latency,
		.stall_percent = rig->o.stall_percent,
		.early_read_percent = EARLY_READS,
		.reads_in_order = rig->o.reads_in_order,
		.manners = rig->o.manners[port],
		.seed = rng_make(rig->o.seed, port).state,
	});
}

uint32_t rig_ready_wait(const struct rig *rig)
{
	return rig->o.ready_wait ? rig->o.ready_wait : READY_WAIT;
}

void rig_seed(struct rig *rig)
{
	rig->pick_rng = rng_make(rig->o.seed, RIG_STREAM_PICK);
	rig->ext_rng = rng_make(rig->o.seed, RIG_STREAM_EXT);
	rig->csr_rng = rng_make(rig->o.seed, RIG_STREAM_CSR);
	rig->ring_rng = rng_make(rig->o.seed, RIG_STREAM_RING);
}

/* The rules of AXI alone, for any address: which ones the engine may use is looked at on its own side. */
static int open_bus(struct rig *rig, uint32_t port)
{
	const uint64_t half = UINT64_C(1) << 63;
	struct axi_check *check;

	if (!rig->info->bus_bytes)
		return 0;
	check = rig->bus_check[port] = axi_check_new(&(struct axi_check_opts){
		.port = port, .data_bytes = rig->info->bus_bytes, .ids = rig->info->ids });
	if (!check || axi_check_legal(check, RIG_OWNER_CALLER, AXI_CHECK_READ | AXI_CHECK_WRITE, 0, half) ||
	    axi_check_legal(check, RIG_OWNER_CALLER, AXI_CHECK_READ | AXI_CHECK_WRITE, half, half))
		return -ENOMEM;
	return 0;
}

static int open_ports(struct rig *rig)
{
	rig->monitor = axi_monitor_new(&(struct axi_monitor_opts){
		.ports = rig->info->ports,
		.data_bytes = rig->info->data_bytes,
		.reductions = rig->info->reductions,
		.reduce_id = AXI_WRITE_REDUCE(rig->info->ports),
	});
	if (!rig->monitor)
		return -ENOMEM;
	for (uint32_t p = 0; p < rig->info->ports; p++) {
		rig->mem[p] = rig_new_memory(rig, p);
		rig->check[p] = axi_check_new(&(struct axi_check_opts){
			.port = p,
			.data_bytes = rig->info->data_bytes,
			.ids = rig->info->ids,
			.max_reads = rig->info->reads,
			.max_writes = rig->info->writes,
			.max_wait = rig_ready_wait(rig),
			.max_reductions = rig->info->reductions,
			.reduce_id = AXI_WRITE_REDUCE(rig->info->ports),
			.engine = true,
		});
		if (!rig->mem[p] || !rig->check[p] || open_bus(rig, p))
			return -ENOMEM;
	}
	return 0;
}

struct rig *rig_open(const char *config, const struct rig_opts *opts)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	if (!rig)
		return NULL;
	if (opts)
		memcpy(&rig->o, opts, opts->size < sizeof(rig->o) ? opts->size : sizeof(rig->o));
	if (!rig->o.latency)
		rig->o.latency = RIG_DEFAULT_LATENCY;
	rig->sim = tma_sim_open(config, rig->o.fst, rig->o.start_seed);
	if (!rig->sim) {
		free(rig);
		return NULL;
	}
	rig->info = tma_sim_info(rig->sim);
	rig->in = tma_sim_in(rig->sim);
	rig->out = tma_sim_out(rig->sim);
	rig_seed(rig);
	if (open_ports(rig)) {
		rig_close(rig);
		return NULL;
	}
	rig_reset(rig);
	return rig;
}

/* Commands that wait stay where they are. */
static int end(struct rig *rig)
{
	int before = rig_failed(rig);

	for (uint32_t i = 0; i < rig->info->queues; i++)
		rig_command_forget(rig, i);
	for (uint32_t i = 0; i < END_CYCLES && !rig->out->idle; i++)
		rig_step(rig);
	for (uint32_t p = 0; p < rig->info->ports && rig->out->idle; p++)
		if (!(rig->stopped >> p & 1)) {
			axi_check_end(rig->check[p]);
			if (rig->bus_check[p])
				axi_check_end(rig->bus_check[p]);
		}
	return rig_failed(rig) - before;
}

int rig_close(struct rig *rig)
{
	int failed = 0;

	if (!rig)
		return 0;
	rig->num_hooks = 0;
	if (rig->in->rst_n)
		failed = end(rig);
	rig_command_free(rig);
	rig_smem_forget(rig);
	for (uint32_t p = 0; p < RIG_MAX_QUEUES; p++) {
		free(rig->ring[p].memory);
		free(rig->ring[p].shadow);
	}
	for (uint32_t p = 0; p < rig->info->ports; p++) {
		axi_mem_free(rig->mem[p]);
		axi_check_free(rig->check[p]);
		axi_check_free(rig->bus_check[p]);
	}
	axi_monitor_free(rig->monitor);
	free(rig->hooks);
	tma_sim_close(rig->sim);
	free(rig);
	return failed;
}

const struct tma_sim_info *rig_info(const struct rig *rig)
{
	return rig->info;
}

struct tma_sim *rig_sim(struct rig *rig)
{
	return rig->sim;
}
