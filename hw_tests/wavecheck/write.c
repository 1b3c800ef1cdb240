/* SPDX-License-Identifier: Apache-2.0 */
/* Write bursts: addresses, data and strobes against what the model's store writes, responses. */
#include <stdlib.h>
#include <string.h>

#include "wavecheck/check.h"

#define AXI_SLVERR 2
/* Of a byte of a multimem store: a port has had it. */
#define SHOWN 2u

/* An unknown source byte is known once it was seen, if it is still the same byte. */
static void believe(struct check *c, const struct copy *copy, uint32_t i, uint8_t value)
{
	uint32_t rank, sources[2], offset;
	const struct barrier *b;
	struct cta *cta;

	copy_source(copy, i, &rank, sources);
	offset = sources[0];
	cta = &c->ctas[rank];
	b = cta->cells[offset / 8];
	if (sources[1] != offset || (b && b->used) || cta->known[offset] ||
	    cta->changed[offset] >= copy->cycle || cta->writer[offset])
		return;
	shared_write(c, rank, offset, &value, 1, NULL, true);
	cta->changed[offset] = copy->cycle;
}

/* What one port has shown, the others must show too. */
static void check_shown(const struct check *c, const struct copy *copy, uint64_t address, uint32_t i,
                        uint8_t seen)
{
	if (seen != copy->bytes[i])
		differ(c, P_m_axi_wdata_o, c->now->unit,
		       "the byte at 0x%llx of %s is 0x%02x, but another port has 0x%02x",
		       (unsigned long long)address, name_copy(copy), seen, copy->bytes[i]);
}

static void check_byte(struct check *c, struct copy *copy, uint64_t address, uint32_t i, uint8_t seen)
{
	uint32_t rank, sources[2];
	const struct cta *cta;

	copy_source(copy, i, &rank, sources);
	cta = &c->ctas[rank];
	c->stored.all++;
	if (copy->known[i] & SHOWN) {
		c->stored.compared++;
		check_shown(c, copy, address, i, seen);
		return;
	}
	if (!copy->known[i]) {
		believe(c, copy, i, seen);
	} else {
		c->stored.compared++;
		/* A source that changed since the store could run is the program's race. */
		if (seen != copy->bytes[i] && cta->changed[sources[0]] < copy->cycle &&
		    cta->changed[sources[1]] < copy->cycle)
			differ(c, P_m_axi_wdata_o, c->now->unit,
			       "the byte at 0x%llx of %s is 0x%02x, by the model 0x%02x",
			       (unsigned long long)address, name_copy(copy), seen, copy->bytes[i]);
	}
	if (copy->multimem) {
		copy->bytes[i] = seen;
		copy->known[i] |= SHOWN;
	}
}

/* One beat; `offset` is that of its first byte in the copy's beats. */
static void check_beat(struct check *c, struct copy *copy, uint64_t address, uint64_t offset,
                       const uint8_t *data, const uint8_t *strobes)
{
	for (uint32_t lane = 0; lane < c->shape.data_bytes; lane++) {
		uint32_t i;
		bool written = copy_byte(copy, offset + lane, &i) && copy->written[i];
		bool strobe = strobes[lane / 8] >> lane % 8 & 1;

		if (strobe != written)
			differ(c, P_m_axi_wstrb_o, c->now->unit,
			       "bit %u, the byte at 0x%llx, is %u: %s %s it", lane,
			       (unsigned long long)(address + lane), strobe, name_copy(copy),
			       written ? "writes" : "does not write");
		if (!strobe)
			continue;
		check_byte(c, copy, address + lane, i, data[lane]);
		if (c->private_memory)
			gmem_set(c->gmem[c->now->unit], address + lane, data[lane]);
	}
}

static void take_beat(struct check *c, unsigned port)
{
	struct burst *b = burst_head(&c->data[port]);
	uint64_t offset = b->offset + b->seen * c->shape.data_bytes;
	const uint8_t *data = event_data(c);

	if (c->now->last != (b->seen + 1 == b->beats))
		differ(c, P_m_axi_wlast_o, port, "beat %u of %u of the burst at 0x%llx", b->seen + 1,
		       b->beats, (unsigned long long)b->address);
	if (b->kind == BURST_RECORD)
		completion_data(c, b);
	else if (b->copy->reduces)
		reduce_data(c, b, offset);
	else
		check_beat(c, b->copy, b->address + b->seen * c->shape.data_bytes, offset, data,
		           data + c->shape.data_bytes);
	if (++b->seen == b->beats)
		burst_pop(&c->data[port]);
}

static void take_early(struct check *c, unsigned port)
{
	const struct event *now = c->now;
	size_t used = 0;

	while (used < c->early[port].count && burst_head(&c->data[port])) {
		c->now = &c->log->events[c->early[port].events[used++]];
		take_beat(c, port);
	}
	c->now = now;
	c->early[port].count -= used;
	if (used)
		memmove(c->early[port].events, c->early[port].events + used,
		        c->early[port].count * sizeof(*c->early[port].events));
}

void write_address(struct check *c)
{
	unsigned port = c->now->unit;
	int path = WRITES + (int)port;
	struct burst b = { .kind = BURST_COPY };
	bool mid = c->current[path] && !c->current[path]->failed && !c->current[path]->doubtful &&
	           c->current[path]->covered[path] < c->current[path]->allowed;
	unsigned id;

	if (c->shape.reductions && c->now->id == (c->shape.ports > 1 ? 2 : 1)) {
		path = REDUCES + (int)port;
		b.copy = address_match(c, path);
		b.offset = b.copy->covered[path];
		reduce_write_address(c, &b);
	} else if (port || mid || !completion_address(c, &b)) {
		path = address_path(c, port);
		b.copy = address_match(c, path);
		b.offset = b.copy->covered[path];
	}
	id = b.copy ? write_id(c, b.copy) : 0;
	if (c->now->id != id)
		differ(c, P_m_axi_awid_o, port, "id %u of a write that has id %u", c->now->id, id);
	b.beats = c->now->burst.len + 1u;
	b.address = c->now->addr;
	b.number = ++c->writes;
	burst_push(&c->data[port], b);
	burst_push(&c->responses[port][id], b);
	if (b.copy) {
		b.copy->covered[path] += b.beats * c->shape.data_bytes;
		b.copy->outstanding++;
		multimem_skip(c, b.copy, (unsigned)path);
	}
	take_early(c, port);
}

/* Data may come before its address. */
void write_data(struct check *c)
{
	unsigned port = c->now->unit;

	if (burst_head(&c->data[port])) {
		take_beat(c, port);
		return;
	}
	c->early[port].events = grow(c->early[port].events, c->early[port].count, &c->early[port].capacity,
	                             sizeof(*c->early[port].events));
	c->early[port].events[c->early[port].count++] = (size_t)(c->now - c->log->events);
}

/* Of bursts on several ports, or that are read and written, the first one that fails counts, and of its ports the
 * lowest: a later answer may tell of an earlier one. */
void write_fail_first(struct check *c, struct copy *copy, uint64_t offset, uint16_t code)
{
	struct queue *q = &c->queues[copy->queue];
	uint64_t address = copy_operand(copy, offset);
	bool before = offset < copy->worst_offset ||
	              (offset == copy->worst_offset && c->now->unit < copy->worst_port);

	for (size_t i = 0; i < q->num_faults && copy->life == q->life; i++) {
		struct tma_record *f = &q->faults[i].record;

		if (f->sequence != copy->sequence || f->fault < TMA_FAULT_READ_SLVERR ||
		    f->fault > TMA_FAULT_WRITE_DECERR)
			continue;
		if (!before)
			return;
		f->fault = code;
		f->address = address;
		copy->worst_offset = offset;
		copy->worst_port = c->now->unit;
		return;
	}
	copy->worst_offset = offset;
	copy->worst_port = c->now->unit;
	copy->failed = true;
	queue_late_fault(c, copy, code, address);
}

static void fail(struct check *c, const struct burst *b)
{
	struct copy *copy = b->copy;
	uint64_t address = copy_operand(copy, b->offset);
	uint16_t code = c->now->resp == AXI_SLVERR ? TMA_FAULT_WRITE_SLVERR : TMA_FAULT_WRITE_DECERR;

	if (copy->multimem || copy->reduces) {
		write_fail_first(c, copy, b->offset, code);
		return;
	}
	if (copy->failed && !copy->denied)
		return;
	copy->failed = true;
	queue_late_fault(c, copy, code, address);
}

void write_response(struct check *c)
{
	unsigned port = c->now->unit, id = c->now->id;
	struct burst *b = id < WRITE_IDS ? burst_head(&c->responses[port][id]) : NULL;
	const struct burst *unfinished = burst_head(&c->data[port]);
	struct copy *copy;

	if (!b) {
		const struct copy *waiting = burst_awaited(c, (id < 2 ? WRITES : REDUCES) + (int)port);

		if (waiting)
			differ(c, P_m_axi_awvalid_o, port, "a response without a burst: one of %s is missing",
			       name_copy(waiting));
		differ(c, P_m_axi_bvalid_i, port, "a response of id %u without a burst", id);
	}
	if (unfinished && unfinished->number <= b->number)
		differ(c, P_m_axi_wvalid_o, port,
		       "a response to the burst at 0x%llx, of which only %u of %u beats were seen",
		       (unsigned long long)b->address, unfinished->number == b->number ? unfinished->seen : 0,
		       b->beats);
	if (b->kind == BURST_RECORD)
		completion_response(c, b);
	else if (c->now->resp >= AXI_SLVERR)
		fail(c, b);
	if (c->now->resp >= AXI_SLVERR)
		gmem_forget(c->gmem[port], b->address, b->beats * c->shape.data_bytes);
	if (b->copy && b->copy->reduces)
		reduce_response(c);
	burst_pop(&c->responses[port][id]);
	c->answered_cycle[port] = c->now->cycle;
	copy = b->copy;
	if (!copy)
		return;
	if (copy->outstanding)
		copy->outstanding--;
	if (!copy->outstanding && !copy->done && (copy_finished(copy) || copy->failed))
		copy_done(c, copy);
}
