/* SPDX-License-Identifier: Apache-2.0 */
/* Registers over AXI-Lite, one access at a time, and what is made of them: windows, queues. */
#include <errno.h>
#include <string.h>

#include "lib/rig_priv.h"
#include "tma_regs.h"

void rig_csr_drive(struct rig *rig)
{
	const struct rig_access_csr *a = &rig->csr;
	struct tma_csr_in *in = &rig->in->csr;

	memset(in, 0, sizeof(*in));
	if (!a->busy)
		return;
	if (a->write) {
		in->aw_valid = !a->addr_done && a->age >= a->addr_at;
		in->w_valid = !a->data_done && a->age >= a->data_at;
		in->b_ready = a->age >= a->ready_at;
		in->aw_addr = a->address;
		in->w_data = a->value;
		in->w_strb = 0xF;
	} else {
		in->ar_valid = !a->addr_done && a->age >= a->addr_at;
		in->r_ready = a->age >= a->ready_at;
		in->ar_addr = a->address;
	}
}

void rig_csr_sample(struct rig *rig)
{
	struct rig_access_csr *a = &rig->csr;
	const struct tma_csr_in *in = &rig->in->csr;
	const struct tma_csr_out *out = &rig->out->csr;
	bool response = out->b_valid || out->r_valid;

	if (!rig->in->rst_n)
		return;
	if (response && (!a->busy || !a->addr_done || (a->write ? !a->data_done : 0) ||
	                 (a->write ? out->r_valid : out->b_valid)))
		rig_error(rig, "register response without a request");
	if (!a->busy)
		return;
	if ((in->b_ready && out->b_valid) || (in->r_ready && out->r_valid)) {
		a->resp = a->write ? out->b_resp : out->r_resp;
		if (!a->write)
			a->value = out->r_data;
		a->busy = false;
	}
	a->addr_done |= (in->aw_valid && out->aw_ready) || (in->ar_valid && out->ar_ready);
	a->data_done |= in->w_valid && out->w_ready;
	a->age++;
}

/* With stalls on the memory, the order and distance of address, data and ready vary as well. */
static uint32_t delay(struct rig *rig)
{
	return rig->o.stall_percent ? rng_below(&rig->csr_rng, 4) : 0;
}

static int access_csr(struct rig *rig, bool write, uint32_t address, uint32_t *value)
{
	rig->csr = (struct rig_access_csr){
		.busy = true,
		.write = write,
		.address = address,
		.value = *value,
		.addr_at = delay(rig),
		.data_at = delay(rig),
		.ready_at = delay(rig),
	};
	while (rig->csr.busy) {
		if (rig->csr.age == RIG_CSR_LIMIT) {
			rig->csr.busy = false;
			rig_error(rig, "register %#x: no response", address);
			return -ETIMEDOUT;
		}
		rig_step(rig);
	}
	*value = rig->csr.value;
	return rig->csr.resp;
}

int rig_csr_write(struct rig *rig, uint32_t address, uint32_t value)
{
	return access_csr(rig, true, address, &value);
}

int rig_csr_read(struct rig *rig, uint32_t address, uint32_t *value)
{
	*value = 0;
	return access_csr(rig, false, address, value);
}

uint32_t rig_csr(struct rig *rig, uint32_t address)
{
	uint32_t value;
	int resp = rig_csr_read(rig, address, &value);

	if (resp == RIG_OKAY)
		return value;
	if (resp > 0)
		rig_error(rig, "register %#x: response %d", address, resp);
	return 0;
}

uint64_t rig_counter(struct rig *rig, uint32_t index)
{
	uint64_t lo = rig_csr(rig, TMA_REG_COUNTER_LO(index));

	return lo | (uint64_t)rig_csr(rig, TMA_REG_COUNTER_HI(index)) << 32;
}

/*
 * Queues.
 */

static int set(struct rig *rig, uint32_t address, uint32_t value)
{
	int resp = rig_csr_write(rig, address, value);

	if (resp == RIG_OKAY)
		return 0;
	if (resp > 0)
		rig_error(rig, "register %#x = %#x: response %d", address, value, resp);
	return -EIO;
}

int rig_queue_disable(struct rig *rig, uint32_t queue)
{
	if (queue >= rig->info->queues)
		return -EINVAL;
	rig_command_forget(rig, queue);
	return set(rig, TMA_REG_QUEUE_CONTROL(queue), 0);
}

static int set_window(struct rig *rig, uint32_t queue, uint32_t index, const struct rig_window *w)
{
	uint64_t base = w->base & ~UINT64_C(0xFFF), limit = w->limit | 0xFFF;
	uint32_t p;
	int err;

	err = set(rig, TMA_REG_WINDOW_INDEX,
	          index << TMA_REG_WINDOW_INDEX_WINDOW_SHIFT | queue << TMA_REG_WINDOW_INDEX_QUEUE_SHIFT);
	err = err ? err : set(rig, TMA_REG_WINDOW_ATTR, w->attr);
	err = err ? err : set(rig, TMA_REG_WINDOW_BASE_LO, (uint32_t)base);
	err = err ? err : set(rig, TMA_REG_WINDOW_BASE_HI, (uint32_t)(base >> 32));
	err = err ? err : set(rig, TMA_REG_WINDOW_LIMIT_LO, (uint32_t)limit);
	err = err ? err : set(rig, TMA_REG_WINDOW_LIMIT_HI, (uint32_t)(limit >> 32));
	if (err || base > limit || !(w->attr & RIG_BOTH))
		return err;
	/* A window over all addresses has a size of 2^64: the checker takes one byte less. */
	for (p = 0; p < rig->info->ports && !err; p++)
		err = axi_check_legal(rig->check[p], queue, w->attr & RIG_BOTH, base,
		                      limit - base == UINT64_MAX ? UINT64_MAX : limit - base + 1);
	return err;
}

int rig_queue_setup(struct rig *rig, uint32_t queue, const struct rig_queue *setup)
{
	static const struct rig_window closed = { 0 };
	uint32_t all = (1u << rig->info->ctas) - 1, i;
	uint32_t mask = setup->cta_mask ? setup->cta_mask : all, p;
	int err;

	if (queue >= rig->info->queues || setup->num_windows > rig->info->windows)
		return -EINVAL;
	err = rig_queue_disable(rig, queue);
	err = err ? err
	          : set(rig, TMA_REG_QUEUE_CTA(queue),
	                (uint32_t)setup->cta << TMA_REG_QUEUE_CTA_CTA_SHIFT |
	                        mask << TMA_REG_QUEUE_CTA_CTA_MASK_SHIFT);
	err = err ? err
	          : set(rig, TMA_REG_QUEUE_STREAM(queue),
	                (uint32_t)setup->stream << TMA_REG_QUEUE_STREAM_STREAM_SHIFT |
	                        (uint32_t)setup->prot << TMA_REG_QUEUE_STREAM_PROT_SHIFT);
	for (p = 0; p < rig->info->ports; p++)
		axi_check_legal_drop(rig->check[p], queue);
	for (i = 0; i < rig->info->windows && !err; i++)
		err = set_window(rig, queue, i, i < setup->num_windows ? &setup->windows[i] : &closed);
	return err ? err : set(rig, TMA_REG_QUEUE_CONTROL(queue), TMA_REG_QUEUE_CONTROL_ENABLE_MASK);
}

struct rig_fault rig_fault(struct rig *rig, uint32_t queue)
{
	uint32_t fault = rig_csr(rig, TMA_REG_QUEUE_FAULT(queue));
	struct rig_fault f = { .code = (uint16_t)fault, .count = (uint16_t)(fault >> 16) };

	f.sequence = rig_csr(rig, TMA_REG_QUEUE_FAULT_SEQUENCE(queue));
	f.tag = rig_csr(rig, TMA_REG_QUEUE_FAULT_TAG(queue));
	f.address = rig_csr(rig, TMA_REG_QUEUE_FAULT_ADDRESS_LO(queue));
	f.address |= (uint64_t)rig_csr(rig, TMA_REG_QUEUE_FAULT_ADDRESS_HI(queue)) << 32;
	return f;
}
