/* SPDX-License-Identifier: Apache-2.0 */
/* What the registers mean to axi_monitor. */
#include "lib/monitor_regs.h"

#include <string.h>

#include "tma_regs.h"

#define PAGE_BITS UINT64_C(0xFFF)

void monitor_regs_reset(struct monitor_regs *r, uint32_t num_ports)
{
	memset(r, 0, sizeof(*r));
	r->ports = (1u << num_ports) - 1;
	r->cache = TMA_REG_AXCACHE_RESET;
	monitor_settle(r);
	for (uint32_t q = 0; q < MONITOR_QUEUES; q++)
		for (uint32_t i = 0; i < MONITOR_WINDOWS; i++)
			r->next[q].windows[i].limit = PAGE_BITS;
	for (uint32_t i = 0; i < MONITOR_MULTIMEM; i++)
		r->multimem[i].limit = PAGE_BITS;
}

static void set_lo(uint64_t *x, uint32_t value)
{
	*x = (*x & ~UINT64_C(0xFFFFF000)) | (value & 0xFFFFF000u);
}

static void set_hi(uint64_t *x, uint32_t value)
{
	*x = (*x & UINT32_MAX) | (uint64_t)value << 32;
}

static void write_queue(struct monitor_regs *r, uint32_t q, uint32_t address, uint32_t value)
{
	bool enable = value & TMA_REG_QUEUE_CONTROL_ENABLE_MASK;

	if (address == TMA_REG_QUEUE_STREAM(q)) {
		r->next[q].stream = (uint8_t)(value >> TMA_REG_QUEUE_STREAM_STREAM_SHIFT);
		r->next[q].prot = value >> TMA_REG_QUEUE_STREAM_PROT_SHIFT & 7;
	}
	if (address != TMA_REG_QUEUE_CONTROL(q))
		return;
	if (enable && !(r->enabled >> q & 1))
		r->now[q] = r->next[q];
	r->enabled = (r->enabled & ~(1u << q)) | (uint32_t)enable << q;
	r->known |= (uint32_t)enable << q;
}

static void write_multimem(struct monitor_regs *r, uint32_t address, uint32_t value)
{
	struct monitor_multimem *m = &r->multimem[r->index];

	switch (address) {
	case TMA_REG_MULTIMEM_PORTS:
		m->ports = value & r->ports;
		break;
	case TMA_REG_MULTIMEM_BASE_LO:
		set_lo(&m->base, value);
		break;
	case TMA_REG_MULTIMEM_BASE_HI:
		set_hi(&m->base, value);
		break;
	case TMA_REG_MULTIMEM_LIMIT_LO:
		set_lo(&m->limit, value);
		break;
	case TMA_REG_MULTIMEM_LIMIT_HI:
		set_hi(&m->limit, value);
		break;
	case TMA_REG_MULTIMEM_PORT_BASE_LO:
		set_lo(&m->port_base[r->port], value);
		break;
	case TMA_REG_MULTIMEM_PORT_BASE_HI:
		set_hi(&m->port_base[r->port], value);
		break;
	default:
		break;
	}
}

static void write_window(struct monitor_regs *r, uint32_t address, uint32_t value)
{
	struct monitor_window *w = &r->next[r->queue].windows[r->window];

	switch (address) {
	case TMA_REG_WINDOW_ATTR:
		w->attr = value;
		break;
	case TMA_REG_WINDOW_BASE_LO:
		set_lo(&w->base, value);
		break;
	case TMA_REG_WINDOW_BASE_HI:
		set_hi(&w->base, value);
		break;
	case TMA_REG_WINDOW_LIMIT_LO:
		set_lo(&w->limit, value);
		break;
	case TMA_REG_WINDOW_LIMIT_HI:
		set_hi(&w->limit, value);
		break;
	default:
		write_multimem(r, address, value);
	}
}

void monitor_write(struct monitor_regs *r, uint32_t address, uint32_t value)
{
	uint32_t stride = TMA_REG_QUEUE(1) - TMA_REG_QUEUE(0);

	if (address >= TMA_REG_DOOR(0)) {
		/* No door changes what a queue may touch. */
	} else if (address >= TMA_REG_QUEUE(0)) {
		write_queue(r, (address - TMA_REG_QUEUE(0)) / stride, address, value);
	} else if (address == TMA_REG_AXCACHE) {
		r->cache = value & TMA_REG_AXCACHE_AXCACHE_MASK;
		r->caches |= (uint16_t)(1u << r->cache);
	} else if (address == TMA_REG_WINDOW_INDEX) {
		r->window = (value >> TMA_REG_WINDOW_INDEX_WINDOW_SHIFT) % MONITOR_WINDOWS;
		r->queue = (value >> TMA_REG_WINDOW_INDEX_QUEUE_SHIFT) % MONITOR_QUEUES;
	} else if (address == TMA_REG_MULTIMEM_INDEX) {
		r->index = (value >> TMA_REG_MULTIMEM_INDEX_WINDOW_SHIFT) % MONITOR_MULTIMEM;
		r->port = (value >> TMA_REG_MULTIMEM_INDEX_PORT_SHIFT) % TMA_SIM_MAX_PORTS;
	} else {
		write_window(r, address, value);
	}
}

bool monitor_stream(const struct monitor_regs *r, uint8_t stream)
{
	for (uint32_t q = 0; q < MONITOR_QUEUES; q++)
		if (r->known >> q & 1 && r->now[q].stream == stream)
			return true;
	return false;
}

bool monitor_prot(const struct monitor_regs *r, uint8_t stream, uint8_t prot)
{
	for (uint32_t q = 0; q < MONITOR_QUEUES; q++)
		if (r->known >> q & 1 && r->now[q].stream == stream && r->now[q].prot == prot)
			return true;
	return false;
}

bool monitor_cache(const struct monitor_regs *r, uint8_t cache)
{
	return r->caches >> cache & 1;
}

void monitor_settle(struct monitor_regs *r)
{
	r->caches = (uint16_t)(1u << r->cache);
}

bool monitor_allows(const struct monitor_regs *r, uint8_t stream, uint32_t attr, uint64_t addr)
{
	for (uint32_t q = 0; q < MONITOR_QUEUES; q++) {
		if (!(r->known >> q & 1) || r->now[q].stream != stream)
			continue;
		for (uint32_t i = 0; i < MONITOR_WINDOWS; i++) {
			const struct monitor_window *w = &r->now[q].windows[i];

			if (w->attr & attr && w->base <= addr && addr <= (w->limit | PAGE_BITS))
				return true;
		}
	}
	return false;
}

bool monitor_translate_back(const struct monitor_regs *r, uint32_t window, uint32_t port, uint64_t addr,
                            uint64_t *global)
{
	const struct monitor_multimem *m = &r->multimem[window];
	uint64_t offset = addr - m->port_base[port];

	if (!(m->ports >> port & 1) || m->limit < m->base || offset > (m->limit | PAGE_BITS) - m->base)
		return false;
	*global = m->base + offset;
	/* Of several windows over an address the lowest one counts. */
	for (uint32_t lower = 0; lower < window; lower++) {
		const struct monitor_multimem *l = &r->multimem[lower];

		if (l->ports && l->base <= *global && *global <= (l->limit | PAGE_BITS))
			return false;
	}
	return true;
}
