/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting with a limit, and what to say when it is over. */
#include <errno.h>
#include <stdio.h>

#include "lib/rig_priv.h"
#include "tma_regs.h"

#define PHASE_BIT 61
/* The status registers are looked at this often when `idle` cannot come: see stopped(). */
#define LOOK_EVERY 64
/* Cycles until `idle` knows of what was taken last. */
#define SETTLE 4

static void dump_queue(struct rig *rig, uint32_t q)
{
	const struct rig_fifo *f = &rig->queue[q];
	const struct rig_ring *r = &rig->ring[q];
	bool ready = rig->out->queue_ready >> q & 1;
	uint32_t status, next;

	if (!f->submitted)
		return;
	fprintf(stderr, "  queue %u: %u commands, %u waiting, ready %u, %u records%s", q, f->submitted,
	        f->waiting, ready, f->num_records, f->faulted ? ", faulted" : "");
	if (rig_csr_read(rig, TMA_REG_QUEUE_STATUS(q), &status) == RIG_OKAY &&
	    rig_csr_read(rig, TMA_REG_QUEUE_HEAD(q), &next) == RIG_OKAY)
		fprintf(stderr, "; engine: %s%s%snext to issue is command %u",
		        status & TMA_REG_QUEUE_STATUS_BUSY_MASK ? "busy, " : "",
		        status & TMA_REG_QUEUE_STATUS_FAULTED_MASK ? "faulted, " : "",
		        status & TMA_REG_QUEUE_STATUS_WAITING_MASK ? "waiting, " : "", next);
	if (r->bound)
		fprintf(stderr, "; ring: TAIL %u, HEAD was %u, %u records taken, %u told", r->rung, r->head,
		        r->taken, r->told);
	fputc('\n', stderr);
}

void rig_dump(struct rig *rig)
{
	const struct tma_sim_out *out = rig->out;

	fprintf(stderr, "rig: %s: cycle %llu, last handshake in cycle %llu, idle %u, irq %u\n",
	        rig->info->name, (unsigned long long)rig->cycle, (unsigned long long)rig->last_handshake,
	        out->idle, out->irq);
	for (uint32_t i = 0; i < rig->info->ports; i++) {
		const struct tma_axi_out *o = &out->axi[i];

		fprintf(stderr,
		        "  port %u: %u reads and %u writes outstanding, valid AR %u AW %u W %u, "
		        "ready R %u B %u\n",
		        i, axi_check_reads(rig->check[i]), axi_check_writes(rig->check[i]), o->ar_valid,
		        o->aw_valid, o->w_valid, o->r_ready, o->b_ready);
	}
	for (uint32_t i = 0; i < rig->info->ctas; i++)
		if (rig->ext[i].head || rig->ext[i].polling)
			fprintf(stderr, "  CTA %u: ext port valid %u ready %u, %s\n", i,
			        rig->in->ext[i].valid, out->ext[i].ready,
			        rig->ext[i].head ? "posted accesses" : "polling");
	/* Last, because reading registers takes steps. */
	for (uint32_t i = 0; i < rig->info->queues; i++)
		dump_queue(rig, i);
}

static int timed_out(struct rig *rig, const char *what, uint64_t limit)
{
	rig_error(rig, "%s: not in %llu cycles", what, (unsigned long long)limit);
	rig_dump(rig);
	return -ETIMEDOUT;
}

static bool ports_quiet(const struct rig *rig)
{
	for (uint32_t i = 0; i < rig->info->ports; i++)
		if (!(rig->stopped >> i & 1) &&
		    (axi_check_reads(rig->check[i]) || axi_check_writes(rig->check[i]) ||
		     axi_mem_outstanding(rig->mem[i])))
			return false;
	return true;
}

static bool quiet(const struct rig *rig)
{
	if (!ports_quiet(rig))
		return false;
	for (uint32_t i = 0; i < rig->info->queues; i++)
		if (rig->queue[i].waiting && !rig->queue[i].faulted)
			return false;
	return rig_ring_quiet(rig);
}

/* A fault whose record cannot be written shows in the registers alone. */
static void look_for_silent_faults(struct rig *rig)
{
	for (uint32_t i = 0; i < rig->info->queues; i++)
		if (rig->ring[i].bound && rig->queue[i].submitted && !rig->queue[i].faulted &&
		    (rig_csr(rig, TMA_REG_QUEUE_STATUS(i)) & TMA_REG_QUEUE_STATUS_FAULTED_MASK) &&
		    rig_ring_quiet(rig))
			rig->queue[i].faulted = true;
}

/* Nothing is on its way, nor comes from issue, which takes fewer cycles than this looks at.
 *
 * The ports do not tell: what a tensor load fills, and the rows that a tensor store skips, show at none
 * of them, for as many cycles as shared memory has rows of 16 bytes, and as often as the paths hold
 * commands; copies from CTA to CTA do not either. No register tells: STATUS of a queue that keeps
 * commands is busy with them. So this is the one thing that the rig takes from inside. */
bool rig_paths_rest(struct rig *rig)
{
	for (uint32_t i = 0; i < LOOK_EVERY && rig->out->paths_idle; i++)
		rig_step(rig);
	return rig->out->paths_idle;
}

/* A faulted queue keeps the commands behind the fault, so the engine may never call itself idle.
 * What counts then: every other queue is done, and nothing has moved for a while. */
static bool stopped(struct rig *rig)
{
	bool any = false;

	look_for_silent_faults(rig);
	for (uint32_t i = 0; i < rig->info->queues; i++)
		any |= rig->queue[i].faulted;
	/* A record may wait for its ready for long. */
	if (!any || rig->out->rsp_valid || rig->cycle < rig->last_handshake + LOOK_EVERY)
		return false;
	for (uint32_t i = 0; i < rig->info->queues; i++)
		if (rig->queue[i].submitted && !rig->queue[i].faulted &&
		    (rig_csr(rig, TMA_REG_QUEUE_STATUS(i)) & TMA_REG_QUEUE_STATUS_BUSY_MASK))
			return false;
	return rig_paths_rest(rig) && quiet(rig) && !rig->out->rsp_valid &&
	       rig->cycle >= rig->last_handshake + LOOK_EVERY;
}

/* Nothing is in flight: what the observers keep has to be complete. */
static int settled(struct rig *rig)
{
	look_for_silent_faults(rig);
	axi_monitor_settle(rig->monitor);
	rig_ring_inspect(rig);
	return 0;
}

int rig_wait_idle(struct rig *rig, uint64_t limit)
{
	uint64_t end = rig->cycle + limit, look = rig->cycle + LOOK_EVERY;

	/* What was just taken may show in `idle` one cycle later, a doorbell a few. */
	rig_run(rig, SETTLE);
	while (!(quiet(rig) && rig->out->idle && rig->cycle > rig->last_handshake + SETTLE)) {
		if (rig->cycle >= look && rig->cycle >= rig->last_handshake + LOOK_EVERY) {
			look = rig->cycle + LOOK_EVERY;
			if (!ports_quiet(rig))
				rig_dead_ports(rig);
			if (stopped(rig))
				return settled(rig);
		}
		if (rig->cycle >= end)
			return timed_out(rig, "idle", limit);
		rig_step(rig);
	}
	return settled(rig);
}

int rig_wait_records(struct rig *rig, uint32_t queue, uint32_t count, uint64_t limit)
{
	uint64_t end = rig->cycle + limit;

	if (queue >= rig->info->queues)
		return -EINVAL;
	while (rig->queue[queue].num_records < count) {
		if (rig->cycle >= end)
			return timed_out(rig, "records", limit);
		rig_step(rig);
	}
	return 0;
}

int rig_wait(struct rig *rig, bool (*done)(void *arg), void *arg, uint64_t limit)
{
	uint64_t end = rig->cycle + limit;

	while (!done(arg)) {
		if (rig->cycle >= end)
			return timed_out(rig, "condition", limit);
		rig_step(rig);
	}
	return 0;
}

int rig_wait_phase(struct rig *rig, uint32_t cta, uint32_t offset, unsigned phase, uint64_t limit,
                   uint64_t *cycle)
{
	uint64_t end = rig->cycle + limit;
	struct rig_polled p;
	int err = rig_smem_poll(rig, cta, offset);

	if (err)
		return err;
	for (p = rig_smem_polled(rig, cta); !p.valid || (p.value >> PHASE_BIT & 1) != (phase & 1);
	     p = rig_smem_polled(rig, cta)) {
		if (rig->cycle >= end)
			return timed_out(rig, "phase", limit);
		rig_step(rig);
	}
	if (cycle)
		*cycle = p.since;
	return 0;
}
