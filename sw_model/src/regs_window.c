/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of the windows of global memory and of the multimem windows, through their indices. */
#include "model.h"
#include "tma_regs.h"

static uint32_t low(uint64_t word)
{
	return (uint32_t)word;
}

static uint32_t high(uint64_t word)
{
	return (uint32_t)(word >> 32);
}

static void set_low(uint64_t *word, uint32_t value)
{
	*word = (*word & ~UINT64_C(0xffffffff)) | value;
}

static void set_high(uint64_t *word, uint32_t value)
{
	*word = (*word & UINT64_C(0xffffffff)) | (uint64_t)value << 32;
}

/* Bits 11:0 are fixed: zeroes in a first byte, ones in a last one. */
static void set_first_low(uint64_t *word, uint32_t value)
{
	set_low(word, value & ~(uint32_t)PAGE_MASK);
}

static void set_last_low(uint64_t *word, uint32_t value)
{
	set_low(word, value | (uint32_t)PAGE_MASK);
}

static bool read_window(const struct tma_model *m, uint32_t address, uint32_t *value)
{
	const struct registers *r = &m->registers;
	const struct tma_window *w = &m->queues[r->window_queue].windows[r->window];

	switch (address) {
	case TMA_REG_WINDOW_INDEX:
		*value = r->window << TMA_REG_WINDOW_INDEX_WINDOW_SHIFT |
		         r->window_queue << TMA_REG_WINDOW_INDEX_QUEUE_SHIFT;
		return true;
	case TMA_REG_WINDOW_ATTR:
		*value = w->attr;
		return true;
	case TMA_REG_WINDOW_BASE_LO:
		*value = low(w->base);
		return true;
	case TMA_REG_WINDOW_BASE_HI:
		*value = high(w->base);
		return true;
	case TMA_REG_WINDOW_LIMIT_LO:
		*value = low(w->limit);
		return true;
	case TMA_REG_WINDOW_LIMIT_HI:
		*value = high(w->limit);
		return true;
	default:
		return false;
	}
}

bool model_window_read(const struct tma_model *m, uint32_t address, uint32_t *value)
{
	const struct registers *r = &m->registers;
	const struct tma_multimem *w = &m->multimem[r->multimem];

	switch (address) {
	case TMA_REG_MULTIMEM_INDEX:
		*value = r->multimem << TMA_REG_MULTIMEM_INDEX_WINDOW_SHIFT |
		         r->multimem_port << TMA_REG_MULTIMEM_INDEX_PORT_SHIFT;
		return true;
	case TMA_REG_MULTIMEM_PORTS:
		*value = w->ports;
		return true;
	case TMA_REG_MULTIMEM_BASE_LO:
		*value = low(w->base);
		return true;
	case TMA_REG_MULTIMEM_BASE_HI:
		*value = high(w->base);
		return true;
	case TMA_REG_MULTIMEM_LIMIT_LO:
		*value = low(w->limit);
		return true;
	case TMA_REG_MULTIMEM_LIMIT_HI:
		*value = high(w->limit);
		return true;
	case TMA_REG_MULTIMEM_PORT_BASE_LO:
		*value = low(w->port_base[r->multimem_port]);
		return true;
	case TMA_REG_MULTIMEM_PORT_BASE_HI:
		*value = high(w->port_base[r->multimem_port]);
		return true;
	default:
		return read_window(m, address, value);
	}
}

static bool write_window_index(struct tma_model *m, uint32_t value)
{
	uint32_t window = (value & TMA_REG_WINDOW_INDEX_WINDOW_MASK) >> TMA_REG_WINDOW_INDEX_WINDOW_SHIFT;
	uint32_t queue = (value & TMA_REG_WINDOW_INDEX_QUEUE_MASK) >> TMA_REG_WINDOW_INDEX_QUEUE_SHIFT;

	if (window >= m->config.windows || queue >= m->config.queues)
		return false;
	m->registers.window = window;
	m->registers.window_queue = queue;
	return true;
}

static bool write_window(struct tma_model *m, uint32_t address, uint32_t value)
{
	struct queue *q = &m->queues[m->registers.window_queue];
	struct tma_window *w = &q->windows[m->registers.window];

	if (model_queue_locked(q))
		return false;
	switch (address) {
	case TMA_REG_WINDOW_ATTR:
		w->attr = value & (TMA_WINDOW_READ | TMA_WINDOW_WRITE | TMA_WINDOW_MULTIMEM);
		return true;
	case TMA_REG_WINDOW_BASE_LO:
		set_first_low(&w->base, value);
		return true;
	case TMA_REG_WINDOW_BASE_HI:
		set_high(&w->base, value);
		return true;
	case TMA_REG_WINDOW_LIMIT_LO:
		set_last_low(&w->limit, value);
		return true;
	case TMA_REG_WINDOW_LIMIT_HI:
		set_high(&w->limit, value);
		return true;
	default:
		return false;
	}
}

static bool write_multimem_index(struct tma_model *m, uint32_t value)
{
	uint32_t window = (value & TMA_REG_MULTIMEM_INDEX_WINDOW_MASK) >> TMA_REG_MULTIMEM_INDEX_WINDOW_SHIFT;
	uint32_t port = (value & TMA_REG_MULTIMEM_INDEX_PORT_MASK) >> TMA_REG_MULTIMEM_INDEX_PORT_SHIFT;

	if (window >= m->config.multimem_windows || port >= m->config.ports)
		return false;
	m->registers.multimem = window;
	m->registers.multimem_port = port;
	return true;
}

static bool write_multimem(struct tma_model *m, uint32_t address, uint32_t value)
{
	struct tma_multimem *w = &m->multimem[m->registers.multimem];
	uint64_t *port_base = &w->port_base[m->registers.multimem_port];

	if (model_multimem_locked(m))
		return false;
	switch (address) {
	case TMA_REG_MULTIMEM_PORTS:
		w->ports = value & model_port_bits(m);
		return true;
	case TMA_REG_MULTIMEM_BASE_LO:
		set_first_low(&w->base, value);
		return true;
	case TMA_REG_MULTIMEM_BASE_HI:
		set_high(&w->base, value);
		return true;
	case TMA_REG_MULTIMEM_LIMIT_LO:
		set_last_low(&w->limit, value);
		return true;
	case TMA_REG_MULTIMEM_LIMIT_HI:
		set_high(&w->limit, value);
		return true;
	case TMA_REG_MULTIMEM_PORT_BASE_LO:
		set_first_low(port_base, value);
		return true;
	case TMA_REG_MULTIMEM_PORT_BASE_HI:
		set_high(port_base, value);
		return true;
	default:
		return false;
	}
}

bool model_window_write(struct tma_model *m, uint32_t address, uint32_t value)
{
	if (address == TMA_REG_WINDOW_INDEX)
		return write_window_index(m, value);
	if (address == TMA_REG_MULTIMEM_INDEX)
		return write_multimem_index(m, value);
	return address < TMA_REG_MULTIMEM_INDEX ? write_window(m, address, value)
	                                        : write_multimem(m, address, value);
}
