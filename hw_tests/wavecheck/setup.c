/* SPDX-License-Identifier: Apache-2.0 */
/* Registers: what reset and the accesses on the register port make of queues and windows. */
#include <string.h>

#include "tma_regs.h"
#include "wavecheck/check.h"

#define WINDOW_LOW 0xfffu

uint32_t setup_merge(uint32_t old, uint32_t value, uint8_t strobes)
{
	for (unsigned i = 0; i < 4; i++)
		if (strobes >> i & 1) {
			old &= ~(0xffu << 8 * i);
			old |= value & 0xffu << 8 * i;
		}
	return old;
}

struct tma_queue_config setup_config(const struct check *c, uint32_t queue, bool enable)
{
	struct tma_queue_config config = c->queues[queue].config;

	config.enable = enable;
	config.ring = 0;
	return config;
}

/* As long as no queue is enabled software may do what it likes with the memory. */
static void forget_memory(struct check *c)
{
	for (uint32_t q = 0; q < c->shape.queues; q++)
		if (c->queues[q].config.enable)
			return;
	for (unsigned p = 0; p < c->shape.ports; p++) {
		gmem_free(c->gmem[p]);
		c->gmem[p] = gmem_new();
	}
}

static void apply(struct check *c, uint32_t queue, bool enable)
{
	struct queue *q = &c->queues[queue];
	struct tma_queue_config off = setup_config(c, queue, false);

	tma_model_queue(c->model, queue, &off);
	if (q->config.enable && !enable)
		queue_drop(c, queue);
	q->changed_cycle = c->now->cycle;
	if (enable && !q->config.enable) {
		struct tma_queue_config on = setup_config(c, queue, true);

		forget_memory(c);
		tma_model_queue(c->model, queue, &on);
		tma_model_queue(c->probe, queue, &off);
		for (uint32_t w = 0; w < c->shape.windows; w++)
			tma_model_window(c->probe, queue, w, &q->windows[w]);
	}
	q->config.enable = enable;
}

static void write_half(const struct check *c, uint64_t *word, bool high)
{
	uint32_t half =
		setup_merge((uint32_t)(*word >> (high ? 32 : 0)), c->now->csr.value, c->now->csr.strobes);

	if (high)
		*word = (*word & UINT32_MAX) | (uint64_t)half << 32;
	else
		*word = (*word & ~(uint64_t)UINT32_MAX) | (half & ~WINDOW_LOW);
}

static void write_rings(const struct check *c, struct queue *q, uint32_t offset)
{
	uint32_t value;

	switch (TMA_REG_QUEUE(0) + offset) {
	case TMA_REG_QUEUE_RING_BASE_LO(0):
	case TMA_REG_QUEUE_RING_BASE_HI(0):
		write_half(c, &q->config.ring_base, offset & 4);
		break;
	case TMA_REG_QUEUE_COMPLETION_BASE_LO(0):
	case TMA_REG_QUEUE_COMPLETION_BASE_HI(0):
		write_half(c, &q->config.completion_base, offset & 4);
		break;
	case TMA_REG_QUEUE_RING_SIZE(0):
		value = q->config.ring_slots_log2 | (uint32_t)q->config.completion_slots_log2 << 8;
		value = setup_merge(value, c->now->csr.value, c->now->csr.strobes);
		q->config.ring_slots_log2 = value & 0x1f;
		q->config.completion_slots_log2 = value >> 8 & 0x1f;
		break;
	case TMA_REG_QUEUE_CANCEL_MASK(0):
		value = setup_merge(q->config.cancel_mask, c->now->csr.value, c->now->csr.strobes);
		q->config.cancel_mask = (uint16_t)(value & ((1u << c->shape.queues) - 1));
	}
}

static void write_queue(struct check *c, uint32_t queue, uint32_t offset)
{
	struct queue *q = &c->queues[queue];
	uint32_t value = c->now->csr.value, old;

	if (offset == TMA_REG_QUEUE_CONTROL(0) - TMA_REG_QUEUE(0)) {
		old = q->config.enable | (uint32_t)q->config.ring << 1;
		value = setup_merge(old, value, c->now->csr.strobes);
		if (q->config.enable && value & 1 && (value ^ old) & 2)
			differ(c, P_s_axil_bresp_o, 0, "queue %u is bound anew while it is enabled", queue);
		if ((value ^ old) & 1 && old & 1) {
			apply(c, queue, false);
			q->had_ring = q->config.ring;
		}
		q->config.ring = value >> 1 & 1;
		if ((value ^ old) & 1 && value & 1)
			apply(c, queue, true);
	} else if (offset == TMA_REG_QUEUE_CTA(0) - TMA_REG_QUEUE(0)) {
		old = q->config.cta | (uint32_t)q->config.cta_mask << 16;
		value = setup_merge(old, value, c->now->csr.strobes);
		q->config.cta = value & (c->shape.ctas - 1);
		q->config.cta_mask = (uint16_t)(value >> 16 & ((1u << c->shape.ctas) - 1));
	} else if (offset == TMA_REG_QUEUE_STREAM(0) - TMA_REG_QUEUE(0)) {
		old = q->config.stream | (uint32_t)q->config.prot << 8;
		value = setup_merge(old, value, c->now->csr.strobes);
		q->config.stream = (uint8_t)value;
		q->config.prot = value >> 8 & 7;
	} else {
		write_rings(c, q, offset);
	}
}

static void write_window(struct check *c, uint32_t address)
{
	uint32_t queue = c->window_index >> 8, index = c->window_index & 0xff;
	uint32_t value = c->now->csr.value, half;
	uint8_t strobes = c->now->csr.strobes;
	struct tma_window *w;

	if (queue >= c->shape.queues || index >= c->shape.windows)
		return;
	w = &c->queues[queue].windows[index];
	switch (address) {
	case TMA_REG_WINDOW_ATTR:
		w->attr = setup_merge(w->attr, value, strobes) & 7;
		break;
	case TMA_REG_WINDOW_BASE_LO:
		half = setup_merge((uint32_t)w->base, value, strobes) & ~WINDOW_LOW;
		w->base = (w->base & ~(uint64_t)UINT32_MAX) | half;
		break;
	case TMA_REG_WINDOW_BASE_HI:
		half = setup_merge((uint32_t)(w->base >> 32), value, strobes);
		w->base = (w->base & UINT32_MAX) | (uint64_t)half << 32;
		break;
	case TMA_REG_WINDOW_LIMIT_LO:
		half = setup_merge((uint32_t)w->limit, value, strobes) | WINDOW_LOW;
		w->limit = (w->limit & ~(uint64_t)UINT32_MAX) | half;
		break;
	default:
		half = setup_merge((uint32_t)(w->limit >> 32), value, strobes);
		w->limit = (w->limit & UINT32_MAX) | (uint64_t)half << 32;
	}
}

void setup_write(struct check *c)
{
	uint32_t address = (uint32_t)c->now->addr & ~3u;
	uint32_t stride = TMA_REG_QUEUE(1) - TMA_REG_QUEUE(0), page = TMA_REG_DOOR(1) - TMA_REG_DOOR(0);

	say(c, "register 0x%03x = 0x%08x", address, c->now->csr.value);
	if (address == TMA_REG_AXCACHE)
		c->axcache = setup_merge(c->axcache, c->now->csr.value, c->now->csr.strobes) & 0xf;
	else if (address == TMA_REG_BEHAVIOUR)
		c->behaviour = setup_merge(c->behaviour, c->now->csr.value, c->now->csr.strobes);
	else if (address == TMA_REG_WINDOW_INDEX)
		c->window_index =
			setup_merge(c->window_index, c->now->csr.value, c->now->csr.strobes) & 0xffff;
	else if (address >= TMA_REG_WINDOW_ATTR && address <= TMA_REG_WINDOW_LIMIT_HI)
		write_window(c, address);
	else if (address >= TMA_REG_MULTIMEM_INDEX && address <= TMA_REG_MULTIMEM_PORT_BASE_HI)
		multimem_write_register(c, address);
	else if (address >= TMA_REG_DOOR(0) && address < TMA_REG_DOOR(c->shape.queues))
		door_write(c, (address - TMA_REG_DOOR(0)) / page, (address - TMA_REG_DOOR(0)) % page);
	else if (address >= TMA_REG_QUEUE(0) && address < TMA_REG_QUEUE(c->shape.queues))
		write_queue(c, (address - TMA_REG_QUEUE(0)) / stride, (address - TMA_REG_QUEUE(0)) % stride);
	c->axcaches |= (uint16_t)(1u << c->axcache);
}

static void drop_bursts(struct burst_fifo *f)
{
	f->head = f->count = 0;
}

/* Nothing in flight lives on; shared memory does, except that barriers may have been on their way. */
void setup_reset(struct check *c)
{
	say(c, "reset");
	for (uint32_t q = 0; q < c->shape.queues; q++) {
		struct queue *queue = &c->queues[q];

		apply(c, q, false);
		for (size_t i = queue->first_expected; i < queue->num_expected; i++)
			queue->expected[i].doubtful = true;
		queue->config =
			(struct tma_queue_config){ .ring_slots_log2 = TMA_MODEL_MIN_SLOTS_LOG2,
			                           .completion_slots_log2 = TMA_MODEL_MIN_SLOTS_LOG2 };
		queue->ring.old = queue->ring.enabled = false;
		for (unsigned w = 0; w < TMA_MODEL_MAX_WINDOWS; w++)
			queue->windows[w] = (struct tma_window){ .limit = WINDOW_LOW };
		queue->num_grouped = 0;
		for (int d = 0; d < MAX_PATHS; d++)
			queue->num_pending[d] = queue->first_pending[d] = 0;
	}
	for (unsigned id = 0; id < MAX_IDS; id++)
		drop_bursts(&c->reads[id]);
	for (unsigned p = 0; p < DUMP_MAX_PORTS; p++) {
		drop_bursts(&c->data[p]);
		for (unsigned id = 0; id < WRITE_IDS; id++)
			drop_bursts(&c->responses[p][id]);
		c->early[p].count = 0;
		reduce_forget(c, p);
	}
	for (unsigned d = 0; d < MAX_PATHS; d++)
		c->current[d] = NULL;
	for (unsigned w = 0; w < TMA_MODEL_MAX_MULTIMEM; w++)
		c->multimem[w] = (struct tma_multimem){ .limit = WINDOW_LOW };
	c->multimem_index = c->dead = 0;
	c->axcache = TMA_REG_AXCACHE_RESET;
	c->axcaches = 1u << TMA_REG_AXCACHE_RESET;
	c->window_index = c->behaviour = 0;
	c->map_reset = (size_t)(c->now - c->log->events);
	barrier_taint_all(c);
}
