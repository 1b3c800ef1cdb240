/* SPDX-License-Identifier: Apache-2.0 */
/* The registers as a table in C. See tma_csr_map.h. */
#include "unit_rtl/tma_csr_map.h"

#include <string.h>

#define OKAY   0u
#define SLVERR 2u

void csr_map_reset(struct csr_map *m, const struct csr_info *info)
{
	memset(m, 0, sizeof(*m));
	m->info = info;
	m->axcache = 2;
}

static uint32_t read_queue(const struct csr_map *m, const struct csr_in *in, uint32_t q, uint32_t offset,
                           uint32_t *value)
{
	const struct csr_cfg *c = &m->cfg[q];
	const struct csr_status *s = &in->status[q];

	switch (offset) {
	case CSR_CONTROL:
		*value = c->enable;
		return OKAY;
	case CSR_CTA:
		*value = (uint32_t)c->cta_mask << 16 | c->cta;
		return OKAY;
	case CSR_STREAM:
		*value = (uint32_t)c->prot << 8 | c->stream;
		return OKAY;
	case 0x0C:
		*value = (uint32_t)in->waiting[q] << 2 | (uint32_t)s->faulted << 1 | in->busy[q];
		return OKAY;
	case 0x10:
		*value = (uint32_t)s->count << 16 | s->code;
		return OKAY;
	case 0x14:
		*value = s->seq;
		return OKAY;
	case 0x18:
		*value = (uint32_t)s->address;
		return OKAY;
	case 0x1C:
		*value = (uint32_t)(s->address >> 32);
		return OKAY;
	case 0x20:
		*value = s->tag;
		return OKAY;
	case 0x24:
		*value = in->head[q];
		return OKAY;
	default:
		return SLVERR;
	}
}

static uint32_t read_page(const struct csr_map *m, const struct csr_in *in, uint32_t address, uint32_t *value)
{
	const struct csr_window *w = &m->windows[m->queue][m->window];
	const struct csr_info *i = m->info;

	switch (address) {
	case CSR_MAGIC:
		*value = 0x31414D54;
		return OKAY;
	case 0x014:
		*value = 0x00010000;
		return OKAY;
	case 0x020:
		*value = i->ports << 24 | i->queues << 16 | i->ctas << 8 | i->data_bytes;
		return OKAY;
	case 0x024:
		*value = i->smem_bytes;
		return OKAY;
	case 0x028:
		*value = i->reads << 8 | i->windows;
		return OKAY;
	case 0x02C:
		*value = 0;
		return OKAY;
	case 0x030:
		*value = in->idle;
		return OKAY;
	case CSR_AXCACHE:
		*value = m->axcache;
		return OKAY;
	case CSR_WINDOW_INDEX:
		*value = m->queue << 8 | m->window;
		return OKAY;
	case CSR_WINDOW_ATTR:
		*value = (uint32_t)w->multimem << 2 | (uint32_t)w->write << 1 | w->read;
		return OKAY;
	case CSR_WINDOW_BASE_LO:
		*value = (uint32_t)(w->base << 12);
		return OKAY;
	case CSR_WINDOW_BASE_HI:
		*value = (uint32_t)(w->base >> 20);
		return OKAY;
	case CSR_WINDOW_LIMIT_LO:
		*value = (uint32_t)(w->limit << 12) | 0xFFF;
		return OKAY;
	case CSR_WINDOW_LIMIT_HI:
		*value = (uint32_t)(w->limit >> 20);
		return OKAY;
	default:
		return SLVERR;
	}
}

uint32_t csr_map_read(const struct csr_map *m, const struct csr_in *in, uint32_t address, uint32_t *value)
{
	*value = 0;
	address &= ~3u;
	if (address >= CSR_COUNTER(0) && address < CSR_COUNTER(CSR_COUNTERS))
		return OKAY;
	if (address >= CSR_QUEUE(0) && address < CSR_QUEUE(m->info->queues))
		return read_queue(m, in, (address - CSR_QUEUE(0)) / 0x80, address % 0x80, value);
	return read_page(m, in, address, value);
}

bool csr_map_writable(const struct csr_map *m, uint32_t address)
{
	address &= ~3u;
	if (address >= CSR_QUEUE(0) && address < CSR_QUEUE(m->info->queues))
		return address % 0x80 <= CSR_STREAM;
	return address >= CSR_AXCACHE && address <= CSR_WINDOW_LIMIT_HI;
}

static uint32_t write_queue(struct csr_map *m, uint32_t q, uint32_t offset, uint32_t value)
{
	struct csr_cfg *c = &m->cfg[q];

	if (offset == CSR_CONTROL) {
		c->enable = value & 1;
		return OKAY;
	}
	if (c->enable)
		return SLVERR;
	if (offset == CSR_CTA) {
		if ((value & 15) >= m->info->ctas)
			return SLVERR;
		c->cta = value & 15;
		c->cta_mask = (uint16_t)(value >> 16 & ((1u << m->info->ctas) - 1));
	} else {
		c->stream = (uint8_t)value;
		c->prot = value >> 8 & 7;
	}
	return OKAY;
}

static uint32_t write_window(struct csr_map *m, uint32_t address, uint32_t value)
{
	struct csr_window *w = &m->windows[m->queue][m->window];

	if (m->cfg[m->queue].enable)
		return SLVERR;
	switch (address) {
	case CSR_WINDOW_ATTR:
		w->read = value & 1;
		w->write = value >> 1 & 1;
		w->multimem = value >> 2 & 1;
		break;
	case CSR_WINDOW_BASE_LO:
		w->base = (w->base & ~UINT64_C(0xFFFFF)) | value >> 12;
		break;
	case CSR_WINDOW_BASE_HI:
		w->base = (w->base & 0xFFFFF) | (uint64_t)value << 20;
		break;
	case CSR_WINDOW_LIMIT_LO:
		w->limit = (w->limit & ~UINT64_C(0xFFFFF)) | value >> 12;
		break;
	default:
		w->limit = (w->limit & 0xFFFFF) | (uint64_t)value << 20;
		break;
	}
	return OKAY;
}

uint32_t csr_map_write(struct csr_map *m, const struct csr_in *in, uint32_t address, uint32_t value,
                       uint32_t strobes)
{
	uint32_t old, i;

	address &= ~3u;
	if (!csr_map_writable(m, address))
		return SLVERR;
	csr_map_read(m, in, address, &old);
	for (i = 0; i < 4; i++)
		if (!(strobes >> i & 1))
			value = (value & ~(0xFFu << 8 * i)) | (old & 0xFFu << 8 * i);

	if (address >= CSR_QUEUE(0))
		return write_queue(m, (address - CSR_QUEUE(0)) / 0x80, address % 0x80, value);
	if (address == CSR_AXCACHE) {
		m->axcache = value & 15;
		return OKAY;
	}
	if (address == CSR_WINDOW_INDEX) {
		if ((value & 0xFF) >= m->info->windows || (value >> 8 & 0xFF) >= m->info->queues)
			return SLVERR;
		m->window = value & 0xFF;
		m->queue = value >> 8 & 0xFF;
		return OKAY;
	}
	return write_window(m, address, value);
}
