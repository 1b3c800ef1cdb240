/* SPDX-License-Identifier: Apache-2.0 */
/* The registers as a table in C. See tma_csr_map.h. */
#include "unit_rtl/tma_csr_map.h"

#include <stddef.h>
#include <string.h>

#define LOW20 UINT64_C(0xFFFFF)

void csr_map_reset(struct csr_map *m, const struct unit_shape *info)
{
	memset(m, 0, offsetof(struct csr_map, status));
	m->info = info;
	m->axcache = 2;
	m->watchdog = 65536;
	for (uint32_t q = 0; q < info->queues; q++)
		m->ring[q].slots = m->ring[q].completion_slots = 4;
}

/* 52-bit page numbers in two words, of which the low one has 12 bits more. */
static uint32_t half_of(uint64_t pages, bool high)
{
	return high ? (uint32_t)(pages >> 20) : (uint32_t)(pages << 12);
}

static void set_half(uint64_t *pages, bool high, uint32_t value)
{
	*pages = high ? (*pages & LOW20) | (uint64_t)value << 20 : (*pages & ~LOW20) | value >> 12;
}

/* Word 0 is STATUS, the others are what is known of the fault. */
static uint32_t state_word(const struct csr_map *m, const struct csr_in *in, uint32_t q, uint32_t word)
{
	const struct csr_queue_status *s = &m->status[q];

	switch (word) {
	case 0:
		return (uint32_t)in->closing[q] << 4 | (uint32_t)in->full[q] << 3 |
		       (uint32_t)in->waiting[q] << 2 | (uint32_t)s->faulted << 1 | in->busy[q];
	case 1:
		return (uint32_t)s->count << 16 | s->code;
	case 2:
		return s->seq;
	case 3:
		return (uint32_t)s->address;
	case 4:
		return (uint32_t)(s->address >> 32);
	default:
		return s->tag;
	}
}

/* The functions below return what a register holds, or this. */
#define NO_REGISTER (-1)

static int64_t read_queue(const struct csr_map *m, const struct csr_in *in, uint32_t q, uint32_t offset)
{
	const struct csr_queue_cfg *c = &m->cfg[q];
	const struct csr_ring_cfg *r = &m->ring[q];

	switch (offset) {
	case CSR_CONTROL:
		return (uint32_t)c->ring << 1 | c->enable;
	case CSR_CTA:
		return (uint32_t)c->cta_mask << 16 | c->cta;
	case CSR_STREAM:
		return (uint32_t)c->prot << 8 | c->stream;
	case 0x0C:
	case 0x10:
	case 0x14:
	case 0x18:
	case 0x1C:
	case 0x20:
		return state_word(m, in, q, (offset - 0x0C) / 4);
	case 0x24:
		return in->head[q];
	case CSR_RING_BASE:
	case CSR_RING_BASE + 4:
		return half_of(r->base, offset & 4);
	case CSR_COMPLETION_BASE:
	case CSR_COMPLETION_BASE + 4:
		return half_of(r->completion_base, offset & 4);
	case CSR_RING_SIZE:
		return (uint32_t)r->completion_slots << 8 | r->slots;
	case CSR_CANCEL_MASK:
		return c->cancel_mask;
	default:
		return NO_REGISTER;
	}
}

static int64_t read_door(const struct csr_map *m, const struct csr_in *in, uint32_t q, uint32_t offset)
{
	switch (offset) {
	case CSR_TAIL:
		return in->tail[q];
	case 0x04:
		return in->head[q];
	case CSR_CONSUMER:
		return m->consumer[q];
	case 0x0C:
		return in->producer[q];
	case CSR_PENDING:
		return m->pending >> q & 1;
	case CSR_INT_ENABLE:
		return m->allow >> q & 1;
	case 0x18:
	case 0x1C:
	case 0x20:
	case 0x24:
	case 0x28:
	case 0x2C:
		return state_word(m, in, q, (offset - 0x18) / 4);
	case CSR_RESUME:
	case CSR_RESET:
	case CSR_CANCEL:
		return 0;
	default:
		return NO_REGISTER;
	}
}

static int64_t read_page(const struct csr_map *m, const struct csr_in *in, uint32_t address)
{
	const struct csr_window *w = &m->windows[m->queue][m->window];
	const struct csr_multimem *x = &m->multimem[m->multi];
	const struct unit_shape *i = m->info;

	switch (address) {
	case CSR_MAGIC:
		return 0x31414D54;
	case 0x014:
		return 0x00010003;
	case 0x020:
		return i->ports << 24 | i->queues << 16 | i->ctas << 8 | i->data_bytes;
	case 0x024:
		return i->smem_bytes;
	case 0x028:
		return i->multimem << 24 | i->reads << 8 | i->windows;
	case 0x02C:
		return 0x33 | (uint32_t)i->packed << 6 | (uint32_t)i->maps << 8 |
		       (i->reductions ? 4 | (i->floats == 2) << 3 | (i->floats > 0) << 7 : 0);
	case 0x030:
		return in->idle;
	case CSR_AXCACHE:
		return m->axcache;
	case CSR_BEHAVIOUR:
		return m->behaviour;
	case CSR_WINDOW_INDEX:
		return m->queue << 8 | m->window;
	case CSR_WINDOW_ATTR:
		return (uint32_t)w->multimem << 2 | (uint32_t)w->write << 1 | w->read;
	case CSR_WINDOW_BASE_LO:
	case CSR_WINDOW_BASE_HI:
		return half_of(w->base, address & 4);
	case CSR_WINDOW_LIMIT_LO:
		return half_of(w->limit, false) | 0xFFF;
	case CSR_WINDOW_LIMIT_HI:
		return half_of(w->limit, true);
	case CSR_WATCHDOG:
		return m->watchdog;
	case CSR_PORTS:
		return in->dead;
	case CSR_MULTIMEM_INDEX:
		return m->port << 8 | m->multi;
	case CSR_MULTIMEM_PORTS:
		return x->ports;
	case CSR_MULTIMEM_BASE:
	case CSR_MULTIMEM_BASE + 4:
		return half_of(x->base, address & 4);
	case CSR_MULTIMEM_LIMIT:
		return half_of(x->limit, false) | 0xFFF;
	case CSR_MULTIMEM_LIMIT + 4:
		return half_of(x->limit, true);
	case CSR_MULTIMEM_PORT:
	case CSR_MULTIMEM_PORT + 4:
		return half_of(x->port_base[m->port], address & 4);
	default:
		return NO_REGISTER;
	}
}

static bool is_queue(const struct csr_map *m, uint32_t address)
{
	return address >= CSR_QUEUE(0) && address < CSR_QUEUE(m->info->queues);
}

static bool is_door(const struct csr_map *m, uint32_t address)
{
	return address >= CSR_DOOR(0) && address < CSR_DOOR(m->info->queues);
}

uint32_t csr_map_read(const struct csr_map *m, const struct csr_in *in, uint32_t address, uint32_t *value)
{
	int64_t word;

	address &= ~3u;
	if (address >= CSR_COUNTER(0) && address < CSR_COUNTER(CSR_COUNTERS))
		word = 0;
	else if (is_queue(m, address))
		word = read_queue(m, in, (address - CSR_QUEUE(0)) / 0x80, address % 0x80);
	else if (is_door(m, address))
		word = read_door(m, in, (address - CSR_DOOR(0)) / 0x1000, address % 0x1000);
	else
		word = read_page(m, in, address);
	*value = word == NO_REGISTER ? 0 : (uint32_t)word;
	return word == NO_REGISTER ? SLVERR : OKAY;
}

bool csr_map_writable(const struct csr_map *m, uint32_t address)
{
	address &= ~3u;
	if (is_queue(m, address))
		return address % 0x80 <= CSR_STREAM ||
		       (address % 0x80 >= CSR_RING_BASE && address % 0x80 <= CSR_CANCEL_MASK);
	if (is_door(m, address)) {
		switch (address % 0x1000) {
		case CSR_TAIL:
		case CSR_CONSUMER:
		case CSR_PENDING:
		case CSR_INT_ENABLE:
		case CSR_RESUME:
		case CSR_RESET:
		case CSR_CANCEL:
			return true;
		default:
			return false;
		}
	}
	return (address >= CSR_AXCACHE && address <= CSR_WATCHDOG) || address == CSR_BEHAVIOUR ||
	       (address >= CSR_MULTIMEM_INDEX && address <= CSR_MULTIMEM_PORT + 4);
}

static bool ring_size(uint32_t slots)
{
	return slots >= 4 && slots <= 16;
}

/* Until nothing is left of its life, a queue keeps its set-up. */
static bool locked(const struct csr_map *m, const struct csr_in *in, uint32_t q)
{
	return m->cfg[q].enable || in->active[q] || in->closing[q];
}

static uint32_t write_queue(struct csr_map *m, const struct csr_in *in, uint32_t q, uint32_t offset,
                            uint32_t value)
{
	struct csr_queue_cfg *c = &m->cfg[q];
	struct csr_ring_cfg *r = &m->ring[q];

	if (offset == CSR_CONTROL) {
		if (c->enable && (value & 1) && (value >> 1 & 1) != c->ring)
			return SLVERR;
		c->enable = value & 1;
		c->ring = value >> 1 & 1;
		return OKAY;
	}
	if (locked(m, in, q))
		return SLVERR;
	switch (offset) {
	case CSR_CTA:
		if ((value & 15) >= m->info->ctas)
			return SLVERR;
		c->cta = value & 15;
		c->cta_mask = (uint16_t)(value >> 16 & ((1u << m->info->ctas) - 1));
		return OKAY;
	case CSR_STREAM:
		c->stream = (uint8_t)value;
		c->prot = value >> 8 & 7;
		return OKAY;
	case CSR_RING_SIZE:
		if (!ring_size(value & 31) || !ring_size(value >> 8 & 31))
			return SLVERR;
		r->slots = value & 31;
		r->completion_slots = value >> 8 & 31;
		return OKAY;
	case CSR_CANCEL_MASK:
		c->cancel_mask = (uint16_t)(value & ((1u << m->info->queues) - 1));
		return OKAY;
	default:
		set_half(offset < CSR_COMPLETION_BASE ? &r->base : &r->completion_base, offset & 4, value);
		return OKAY;
	}
}

static uint32_t write_door(struct csr_map *m, const struct csr_in *in, uint32_t q, uint32_t offset,
                           uint32_t value, uint32_t strobes, struct csr_pulses *pulses)
{
	const struct csr_queue_cfg *c = &m->cfg[q];
	bool active = c->enable && in->active[q];
	/* HEAD may have passed a TAIL that was taken back. */
	uint32_t held = (int32_t)(in->tail[q] - in->head[q]) > 0 ? in->tail[q] - in->head[q] : 0;

	switch (offset) {
	case CSR_TAIL:
		if (!active || !c->ring)
			return SLVERR;
		*pulses = (struct csr_pulses){ .door = 1, .door_queue = (uint8_t)q, .door_tail = value };
		return OKAY;
	case CSR_CONSUMER:
		if (!active || value - m->consumer[q] > in->held_records[q])
			return SLVERR;
		m->consumer[q] = value;
		return OKAY;
	case CSR_PENDING:
		if (strobes & value & 1)
			m->pending &= (uint16_t) ~(1u << q);
		return OKAY;
	case CSR_INT_ENABLE:
		m->allow = (uint16_t)((m->allow & ~(1u << q)) | (value & 1) << q);
		return OKAY;
	case CSR_RESUME:
		if (!m->status[q].faulted || !in->drained[q] || value - in->head[q] > held)
			return SLVERR;
		if (strobes)
			*pulses = (struct csr_pulses){ .resume = (uint16_t)(1u << q), .resume_index = value };
		return OKAY;
	default:
		if (!c->enable)
			return SLVERR;
		if ((value & 1) && offset == CSR_RESET)
			pulses->reset = (uint16_t)(1u << q);
		else if (value & 1)
			pulses->cancel = (uint16_t)(1u << q);
		return OKAY;
	}
}

static uint32_t write_window(struct csr_map *m, const struct csr_in *in, uint32_t address, uint32_t value)
{
	struct csr_window *w = &m->windows[m->queue][m->window];

	if (locked(m, in, m->queue))
		return SLVERR;
	if (address == CSR_WINDOW_ATTR) {
		w->read = value & 1;
		w->write = value >> 1 & 1;
		w->multimem = value >> 2 & 1;
	} else {
		set_half(address < CSR_WINDOW_LIMIT_LO ? &w->base : &w->limit, address & 4, value);
	}
	return OKAY;
}

static uint32_t write_multimem(struct csr_map *m, const struct csr_in *in, uint32_t address, uint32_t value)
{
	struct csr_multimem *x = &m->multimem[m->multi];

	for (uint32_t q = 0; q < m->info->queues; q++)
		for (uint32_t w = 0; w < m->info->windows; w++)
			if (locked(m, in, q) && m->windows[q][w].multimem)
				return SLVERR;
	if (address == CSR_MULTIMEM_PORTS)
		x->ports = (uint8_t)(value & ((1u << m->info->ports) - 1));
	else if (address < CSR_MULTIMEM_LIMIT)
		set_half(&x->base, address & 4, value);
	else if (address < CSR_MULTIMEM_PORT)
		set_half(&x->limit, address & 4, value);
	else
		set_half(&x->port_base[m->port], address & 4, value);
	return OKAY;
}

static uint32_t write_page(struct csr_map *m, const struct csr_in *in, uint32_t address, uint32_t value)
{
	uint32_t low = value & 0xFF, high = value >> 8 & 0xFF;

	switch (address) {
	case CSR_AXCACHE:
		m->axcache = value & 15;
		return OKAY;
	case CSR_WATCHDOG:
		m->watchdog = value;
		return OKAY;
	case CSR_BEHAVIOUR:
		m->behaviour = value & 3;
		return OKAY;
	case CSR_WINDOW_INDEX:
		if (low >= m->info->windows || high >= m->info->queues)
			return SLVERR;
		m->window = low;
		m->queue = high;
		return OKAY;
	case CSR_MULTIMEM_INDEX:
		if (low >= m->info->multimem || high >= m->info->ports)
			return SLVERR;
		m->multi = low;
		m->port = high;
		return OKAY;
	default:
		return address < CSR_WATCHDOG ? write_window(m, in, address, value)
		                              : write_multimem(m, in, address, value);
	}
}

uint32_t csr_map_write(struct csr_map *m, const struct csr_in *in, uint32_t address, uint32_t old,
                       uint32_t value, uint32_t strobes, struct csr_pulses *pulses)
{
	memset(pulses, 0, sizeof(*pulses));
	address &= ~3u;
	if (!csr_map_writable(m, address))
		return SLVERR;
	for (uint32_t i = 0; i < 4; i++)
		if (!(strobes >> i & 1))
			value = (value & ~(0xFFu << 8 * i)) | (old & 0xFFu << 8 * i);

	if (is_queue(m, address))
		return write_queue(m, in, (address - CSR_QUEUE(0)) / 0x80, address % 0x80, value);
	if (is_door(m, address))
		return write_door(m, in, (address - CSR_DOOR(0)) / 0x1000, address % 0x1000, value, strobes,
		                  pulses);
	return write_page(m, in, address, value);
}

void csr_map_clock(struct csr_map *m, const struct csr_in *in)
{
	for (uint32_t q = 0; q < m->info->queues; q++) {
		if (in->rec_done && in->rec_done_queue == q)
			m->pending |= (uint16_t)(1u << q);
		if (!in->active[q]) {
			m->pending &= (uint16_t) ~(1u << q);
			m->consumer[q] = 0;
		}
	}
}
