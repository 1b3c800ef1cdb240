/* SPDX-License-Identifier: Apache-2.0 */
/* Set-up of queues, windows and multimem windows, and what of them may be accessed. */
#include <errno.h>

#include "lib/rig_priv.h"
#include "tma_regs.h"

#define PAGE_BITS     UINT64_C(0xFFF)
#define ACTIVE_CYCLES 4 /* from CONTROL on */

int rig_queue_disable(struct rig *rig, uint32_t queue)
{
	if (queue >= rig->info->queues)
		return -EINVAL;
	rig_command_forget(rig, queue);
	rig_ring_stop(rig, queue);
	rig->ring[queue].first_command = rig->ring[queue].first_record = 0;
	return rig_csr_set(rig, TMA_REG_QUEUE_CONTROL(queue), 0);
}

int rig_csr_wait_closed(struct rig *rig, uint32_t queue)
{
	uint64_t end = rig->cycle + RIG_CLOSE_LIMIT;

	while (rig_csr(rig, TMA_REG_QUEUE_STATUS(queue)) & TMA_REG_QUEUE_STATUS_CLOSING_MASK) {
		if (rig->cycle < end)
			continue;
		rig_error(rig, "queue %u does not end what it has in flight", queue);
		return -ETIMEDOUT;
	}
	return 0;
}

/*
 * Windows.
 */

/* A window over all addresses has a size of 2^64: the checker takes one byte less. */
static int legal(struct rig *rig, uint32_t port, uint32_t queue, uint32_t dirs, uint64_t first, uint64_t last)
{
	if (first > last)
		return 0;
	return axi_check_legal(rig->check[port], queue, dirs, first,
	                       last - first == UINT64_MAX ? UINT64_MAX : last - first + 1);
}

/* Bytes first..last of multimem window @p m, on all its ports; one that runs over the end of the
 * address space goes on at 0. */
static int legal_ports(struct rig *rig, uint32_t queue, const struct rig_multimem *m, uint64_t first,
                       uint64_t last)
{
	uint32_t dirs = AXI_CHECK_WRITE | (rig->info->reductions ? AXI_CHECK_READ : 0);
	int err = 0;

	for (uint32_t p = 0; p < rig->info->ports && !err; p++) {
		uint64_t from = m->port_base[p] + (first - m->base), to = from + (last - first);

		if (!(m->ports >> p & 1))
			continue;
		err = legal(rig, p, queue, dirs, from, to < from ? UINT64_MAX : to);
		if (to < from && !err)
			err = legal(rig, p, queue, dirs, 0, to);
	}
	return err;
}

static int legal_multimem(struct rig *rig, uint32_t queue, uint64_t base, uint64_t limit)
{
	int err = 0;

	for (uint32_t i = 0; i < rig->info->multimem && !err; i++) {
		const struct rig_multimem *m = &rig->multimem[i];
		uint64_t first = base > m->base ? base : m->base, last = limit < m->limit ? limit : m->limit;

		if (m->ports && first <= last)
			err = legal_ports(rig, queue, m, first, last);
	}
	return err;
}

static int set_window(struct rig *rig, uint32_t queue, uint32_t index, const struct rig_window *w)
{
	uint64_t base = w->base & ~PAGE_BITS, limit = w->limit | PAGE_BITS;
	int err = rig_csr_set(rig, TMA_REG_WINDOW_INDEX,
	                      index << TMA_REG_WINDOW_INDEX_WINDOW_SHIFT |
	                              queue << TMA_REG_WINDOW_INDEX_QUEUE_SHIFT);

	err = err ? err : rig_csr_set(rig, TMA_REG_WINDOW_ATTR, w->attr);
	err = err ? err : rig_csr_set(rig, TMA_REG_WINDOW_BASE_LO, (uint32_t)base);
	err = err ? err : rig_csr_set(rig, TMA_REG_WINDOW_BASE_HI, (uint32_t)(base >> 32));
	err = err ? err : rig_csr_set(rig, TMA_REG_WINDOW_LIMIT_LO, (uint32_t)limit);
	return err ? err : rig_csr_set(rig, TMA_REG_WINDOW_LIMIT_HI, (uint32_t)(limit >> 32));
}

static int set_windows(struct rig *rig, uint32_t queue, const struct rig_queue *setup)
{
	static const struct rig_window closed = { 0 };
	const struct rig_ring *r = &rig->ring[queue];
	const struct rig_window rings = { r->region, r->region + r->region_size - 1, RIG_BOTH };
	int err = 0;

	for (uint32_t p = 0; p < rig->info->ports; p++)
		axi_check_legal_drop(rig->check[p], queue);
	for (uint32_t i = 0; i < rig->info->windows && !err; i++) {
		const struct rig_window *w = i < setup->num_windows ? &setup->windows[i] : &closed;
		uint64_t base = w->base & ~PAGE_BITS, limit = w->limit | PAGE_BITS;

		if (i == setup->num_windows && r->memory) {
			/* What of it is legal is no more than the slots. */
			err = set_window(rig, queue, i, &rings);
			continue;
		}
		err = setup->registers_set ? 0 : set_window(rig, queue, i, w);
		if (!err && w->attr & RIG_BOTH)
			err = legal(rig, 0, queue, w->attr & RIG_BOTH, base, limit);
		if (!err && w->attr & RIG_MULTIMEM)
			err = legal_multimem(rig, queue, base, limit);
	}
	return err;
}

int rig_multimem(struct rig *rig, uint32_t index, const struct rig_multimem *window)
{
	struct rig_multimem m = *window;
	int err = 0;

	if (index >= rig->info->multimem)
		return -EINVAL;
	m.base &= ~PAGE_BITS;
	m.limit |= PAGE_BITS;
	m.ports &= (1u << rig->info->ports) - 1;
	for (uint32_t q = 0; q < rig->info->queues && !err; q++)
		err = rig_csr_wait_closed(rig, q);
	for (uint32_t p = 0; p < rig->info->ports && !err; p++) {
		m.port_base[p] &= ~PAGE_BITS;
		err = rig_csr_set(rig, TMA_REG_MULTIMEM_INDEX,
		                  index << TMA_REG_MULTIMEM_INDEX_WINDOW_SHIFT |
		                          p << TMA_REG_MULTIMEM_INDEX_PORT_SHIFT);
		err = err ? err : rig_csr_set(rig, TMA_REG_MULTIMEM_PORT_BASE_LO, (uint32_t)m.port_base[p]);
		err = err ? err
		          : rig_csr_set(rig, TMA_REG_MULTIMEM_PORT_BASE_HI, (uint32_t)(m.port_base[p] >> 32));
	}
	err = err ? err : rig_csr_set(rig, TMA_REG_MULTIMEM_BASE_LO, (uint32_t)m.base);
	err = err ? err : rig_csr_set(rig, TMA_REG_MULTIMEM_BASE_HI, (uint32_t)(m.base >> 32));
	err = err ? err : rig_csr_set(rig, TMA_REG_MULTIMEM_LIMIT_LO, (uint32_t)m.limit);
	err = err ? err : rig_csr_set(rig, TMA_REG_MULTIMEM_LIMIT_HI, (uint32_t)(m.limit >> 32));
	err = err ? err : rig_csr_set(rig, TMA_REG_MULTIMEM_PORTS, m.ports);
	if (!err)
		rig->multimem[index] = m;
	return err;
}

/*
 * Queues.
 */

static int set_queue(struct rig *rig, uint32_t queue, const struct rig_queue *setup)
{
	uint32_t mask = setup->cta_mask ? setup->cta_mask : (1u << rig->info->ctas) - 1;
	int err = rig_csr_set(rig, TMA_REG_QUEUE_CTA(queue),
	                      (uint32_t)setup->cta << TMA_REG_QUEUE_CTA_CTA_SHIFT |
	                              mask << TMA_REG_QUEUE_CTA_CTA_MASK_SHIFT);

	err = err ? err
	          : rig_csr_set(rig, TMA_REG_QUEUE_STREAM(queue),
	                        (uint32_t)setup->stream << TMA_REG_QUEUE_STREAM_STREAM_SHIFT |
	                                (uint32_t)setup->prot << TMA_REG_QUEUE_STREAM_PROT_SHIFT);
	err = err ? err : rig_csr_set(rig, TMA_REG_QUEUE_CANCEL_MASK(queue), setup->cancel_mask);
	return err ? err : rig_csr_set(rig, TMA_REG_DOOR_INTERRUPT_ENABLE(queue), setup->interrupt);
}

/* The engine's counts, as soon as the queue lives. */
static int set_counts(struct rig *rig, uint32_t queue)
{
	const struct rig_ring *r = &rig->ring[queue];

	if (!r->first_command && !r->first_record)
		return 0;
	rig_run(rig, ACTIVE_CYCLES);
	tma_sim_count(rig->sim, queue, r->first_command, r->first_record);
	rig_step(rig);
	if (!rig_csr(rig, TMA_REG_DOOR_HEAD(queue)) && !rig_csr(rig, TMA_REG_DOOR_TAIL(queue)) &&
	    !rig_csr(rig, TMA_REG_DOOR_CONSUMER(queue)) && !rig_csr(rig, TMA_REG_DOOR_PRODUCER(queue)))
		return 0;
	rig_error(rig, "the counts of queue %u cannot be set", queue);
	return -EIO;
}

int rig_queue_setup(struct rig *rig, uint32_t queue, const struct rig_queue *setup)
{
	bool ring = setup->front == RIG_RING;
	uint32_t taken = ring && !setup->own_rings;
	int err;

	if (queue >= rig->info->queues || setup->num_windows + taken > rig->info->windows ||
	    (taken && setup->registers_set))
		return -EINVAL;
	err = rig_queue_disable(rig, queue);
	err = err ? err : rig_csr_wait_closed(rig, queue);
	rig_ring_close(rig, queue);
	if (!err && !setup->registers_set)
		err = set_queue(rig, queue, setup);
	if (!err && ring)
		err = rig_ring_open(rig, queue, setup);
	err = err ? err : set_windows(rig, queue, setup);
	if (err)
		return err;
	rig_ring_legal_all(rig);
	rig->ring[queue].first_command = setup->first_command;
	rig->ring[queue].first_record = ring ? setup->first_record : 0;
	if (ring)
		rig_ring_start(rig, queue);
	err = rig_csr_set(rig, TMA_REG_QUEUE_CONTROL(queue),
	                  TMA_REG_QUEUE_CONTROL_ENABLE_MASK | (ring ? TMA_REG_QUEUE_CONTROL_RING_MASK : 0));
	return err ? err : set_counts(rig, queue);
}

struct rig_fault rig_fault(struct rig *rig, uint32_t queue)
{
	uint32_t fault = rig_csr(rig, TMA_REG_QUEUE_FAULT(queue));
	struct rig_fault f = { .code = (uint16_t)fault, .count = (uint16_t)(fault >> 16) };

	f.sequence = rig_csr(rig, TMA_REG_QUEUE_FAULT_SEQUENCE(queue));
	if (f.code)
		f.sequence -= rig->ring[queue].first_command;
	f.tag = rig_csr(rig, TMA_REG_QUEUE_FAULT_TAG(queue));
	f.address = rig_csr(rig, TMA_REG_QUEUE_FAULT_ADDRESS_LO(queue));
	f.address |= (uint64_t)rig_csr(rig, TMA_REG_QUEUE_FAULT_ADDRESS_HI(queue)) << 32;
	return f;
}
