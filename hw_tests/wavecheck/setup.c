/* SPDX-License-Identifier: Apache-2.0 */
/* Registers: what reset and the accesses on the register port make of queues and windows. */
#include <string.h>

#include "tma_regs.h"
#include "wavecheck/check.h"

#define WINDOW_LOW 0xfffu

static uint32_t merge(uint32_t old, uint32_t value, uint8_t strobes)
{
	for (unsigned i = 0; i < 4; i++)
		if (strobes >> i & 1) {
			old &= ~(0xffu << 8 * i);
			old |= value & 0xffu << 8 * i;
		}
	return old;
}

static void apply(struct check *c, uint32_t queue, bool enable)
{
	struct queue *q = &c->queues[queue];
	struct tma_queue_config off = q->config;

	off.enable = 0;
	tma_model_queue(c->model, queue, &off);
	if (q->config.enable && !enable)
		queue_drop(c, queue);
	if (enable && !q->config.enable) {
		struct tma_queue_config on = off;

		on.enable = 1;
		tma_model_queue(c->model, queue, &on);
		tma_model_queue(c->probe, queue, &off);
		for (uint32_t w = 0; w < c->shape.windows; w++)
			tma_model_window(c->probe, queue, w, &q->windows[w]);
	}
	q->config.enable = enable;
}

static void write_queue(struct check *c, uint32_t queue, uint32_t offset)
{
	struct queue *q = &c->queues[queue];
	uint32_t value = c->now->csr.value, old;

	if (offset == TMA_REG_QUEUE_CONTROL(0) - TMA_REG_QUEUE(0)) {
		bool enable = merge(q->config.enable, value, c->now->csr.strobes) & 1;

		if (enable != q->config.enable)
			apply(c, queue, enable);
	} else if (offset == TMA_REG_QUEUE_CTA(0) - TMA_REG_QUEUE(0)) {
		old = q->config.cta | (uint32_t)q->config.cta_mask << 16;
		value = merge(old, value, c->now->csr.strobes);
		q->config.cta = value & (c->shape.ctas - 1);
		q->config.cta_mask = (uint16_t)(value >> 16 & ((1u << c->shape.ctas) - 1));
	} else if (offset == TMA_REG_QUEUE_STREAM(0) - TMA_REG_QUEUE(0)) {
		old = q->config.stream | (uint32_t)q->config.prot << 8;
		value = merge(old, value, c->now->csr.strobes);
		q->config.stream = (uint8_t)value;
		q->config.prot = value >> 8 & 7;
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
		w->attr = merge(w->attr, value, strobes) & 7;
		break;
	case TMA_REG_WINDOW_BASE_LO:
		half = merge((uint32_t)w->base, value, strobes) & ~WINDOW_LOW;
		w->base = (w->base & ~(uint64_t)UINT32_MAX) | half;
		break;
	case TMA_REG_WINDOW_BASE_HI:
		half = merge((uint32_t)(w->base >> 32), value, strobes);
		w->base = (w->base & UINT32_MAX) | (uint64_t)half << 32;
		break;
	case TMA_REG_WINDOW_LIMIT_LO:
		half = merge((uint32_t)w->limit, value, strobes) | WINDOW_LOW;
		w->limit = (w->limit & ~(uint64_t)UINT32_MAX) | half;
		break;
	default:
		half = merge((uint32_t)(w->limit >> 32), value, strobes);
		w->limit = (w->limit & UINT32_MAX) | (uint64_t)half << 32;
	}
}

void setup_write(struct check *c)
{
	uint32_t address = (uint32_t)c->now->addr & ~3u;
	uint32_t stride = TMA_REG_QUEUE(1) - TMA_REG_QUEUE(0);

	say(c, "register 0x%03x = 0x%08x", address, c->now->csr.value);
	if (address == TMA_REG_AXCACHE)
		c->axcache = merge(c->axcache, c->now->csr.value, c->now->csr.strobes) & 0xf;
	else if (address == TMA_REG_WINDOW_INDEX)
		c->window_index = merge(c->window_index, c->now->csr.value, c->now->csr.strobes) & 0xffff;
	else if (address >= TMA_REG_WINDOW_ATTR && address <= TMA_REG_WINDOW_LIMIT_HI)
		write_window(c, address);
	else if (address >= TMA_REG_QUEUE(0) && address < TMA_REG_QUEUE(c->shape.queues))
		write_queue(c, (address - TMA_REG_QUEUE(0)) / stride, (address - TMA_REG_QUEUE(0)) % stride);
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
		queue->config = (struct tma_queue_config){ .enable = 0 };
		for (unsigned w = 0; w < TMA_MODEL_MAX_WINDOWS; w++)
			queue->windows[w] = (struct tma_window){ .limit = WINDOW_LOW };
		queue->num_stores = 0;
		for (int d = READS; d <= WRITES; d++)
			queue->num_pending[d] = queue->first_pending[d] = 0;
	}
	for (unsigned id = 0; id < MAX_IDS; id++)
		drop_bursts(&c->reads[id]);
	drop_bursts(&c->data);
	drop_bursts(&c->responses);
	c->num_early = 0;
	c->current[READS] = c->current[WRITES] = NULL;
	c->axcache = TMA_REG_AXCACHE_RESET;
	c->window_index = 0;
	barrier_taint_all(c);
}
