/* SPDX-License-Identifier: Apache-2.0 */
/* Write bursts: addresses, data and strobes against what the model's store writes, responses. */
#include <stdlib.h>
#include <string.h>

#include "wavecheck/check.h"

#define AXI_SLVERR 2
#define PAGE       4096u

/* An unknown source byte is known once it was seen, if it is still the same byte. */
static void believe(struct check *c, const struct copy *copy, uint32_t i, uint8_t value)
{
	uint32_t rank = copy->command.shared_src >> 24, offset = (copy->command.shared_src & 0xffffff) + i;
	struct cta *cta = &c->ctas[rank];
	const struct barrier *b = cta->cells[offset / 8];

	if ((b && b->used) || cta->known[offset] || cta->changed[offset] >= copy->cycle ||
	    cta->writer[offset])
		return;
	shared_write(c, rank, offset, &value, 1, NULL, true);
	cta->changed[offset] = copy->cycle;
}

static void check_byte(struct check *c, struct copy *copy, uint64_t address, uint32_t i, uint8_t seen)
{
	uint32_t offset = (copy->command.shared_src & 0xffffff) + i;
	const struct cta *cta = &c->ctas[copy->command.shared_src >> 24];

	c->stored.all++;
	if (!copy->known[i]) {
		believe(c, copy, i, seen);
		return;
	}
	c->stored.compared++;
	/* A source that changed since the store could run is the program's race. */
	if (seen == copy->bytes[i] || cta->changed[offset] >= copy->cycle)
		return;
	differ(c, P_m_axi_wdata_o, 0, "the byte at 0x%llx of %s is 0x%02x, by the model 0x%02x",
	       (unsigned long long)address, name_copy(copy), seen, copy->bytes[i]);
}

/* One beat; `offset` is that of its first byte in the copy's beats. */
static void check_beat(struct check *c, struct copy *copy, uint64_t address, uint32_t offset,
                       const uint8_t *data, const uint8_t *strobes)
{
	for (uint32_t lane = 0; lane < c->shape.data_bytes; lane++) {
		uint32_t i = offset + lane - copy->lead;
		bool written = offset + lane >= copy->lead && i < copy->command.size && copy->written[i];
		bool strobe = strobes[lane / 8] >> lane % 8 & 1;

		if (strobe != written)
			differ(c, P_m_axi_wstrb_o, 0, "bit %u, the byte at 0x%llx, is %u: %s %s it", lane,
			       (unsigned long long)(address + lane), strobe, name_copy(copy),
			       written ? "writes" : "does not write");
		if (!strobe)
			continue;
		check_byte(c, copy, address + lane, i, data[lane]);
		if (c->private_memory)
			gmem_set(c->gmem, address + lane, data[lane]);
	}
}

static void take_beat(struct check *c, struct burst *b)
{
	uint32_t offset = b->offset + b->seen * c->shape.data_bytes;
	const uint8_t *data = event_data(c);

	if (c->now->last != (b->seen + 1 == b->beats))
		differ(c, P_m_axi_wlast_o, 0, "beat %u of %u of the burst at 0x%llx", b->seen + 1, b->beats,
		       (unsigned long long)b->address);
	check_beat(c, b->copy, b->address + b->seen * c->shape.data_bytes, offset, data,
	           data + c->shape.data_bytes);
	if (++b->seen == b->beats)
		burst_pop(&c->data);
}

static void take_early(struct check *c)
{
	const struct event *now = c->now;
	size_t used = 0;

	if (!c->num_early)
		return;
	while (used < c->num_early && burst_head(&c->data)) {
		c->now = &c->log->events[c->early[used++]];
		take_beat(c, burst_head(&c->data));
	}
	c->now = now;
	memmove(c->early, c->early + used, (c->num_early - used) * sizeof(*c->early));
	c->num_early -= used;
}

void write_address(struct check *c)
{
	struct copy *copy = address_match(c, WRITES);
	struct burst b = { .copy = copy,
		           .offset = copy->covered,
		           .beats = c->now->burst.len + 1u,
		           .address = c->now->addr };

	if (c->now->id)
		differ(c, P_m_axi_awid_o, 0, "id %u, but all writes have id 0", c->now->id);
	burst_push(&c->data, b);
	burst_push(&c->responses, b);
	copy->covered += b.beats * c->shape.data_bytes;
	copy->outstanding++;
	take_early(c);
}

/* Data may come before its address. */
void write_data(struct check *c)
{
	struct burst *b = burst_head(&c->data);

	if (b) {
		take_beat(c, b);
		return;
	}
	c->early = grow(c->early, c->num_early, &c->early_capacity, sizeof(*c->early));
	c->early[c->num_early++] = (size_t)(c->now - c->log->events);
}

static void fail(struct check *c, const struct burst *b)
{
	struct copy *copy = b->copy;
	uint64_t address = b->offset ? b->address : copy->command.global_address;

	if (copy->failed && !copy->denied)
		return;
	copy->failed = true;
	queue_late_fault(c, copy,
	                 c->now->resp == AXI_SLVERR ? TMA_FAULT_WRITE_SLVERR : TMA_FAULT_WRITE_DECERR,
	                 address);
}

void write_response(struct check *c)
{
	struct burst *b = burst_head(&c->responses);
	const struct burst *unfinished = burst_head(&c->data);
	struct copy *copy;

	if (!b) {
		const struct copy *waiting = burst_awaited(c, WRITES);

		if (waiting)
			differ(c, P_m_axi_awvalid_o, 0, "a response without a burst: one of %s is missing",
			       name_copy(waiting));
		differ(c, P_m_axi_bvalid_i, 0, "a response without a burst");
	}
	if (unfinished && unfinished->address == b->address && unfinished->copy == b->copy)
		differ(c, P_m_axi_wvalid_o, 0,
		       "a response to the burst at 0x%llx, of which only %u of %u beats were seen",
		       (unsigned long long)b->address, unfinished->seen, unfinished->beats);
	copy = b->copy;
	if (c->now->id)
		differ(c, P_m_axi_bid_i, 0, "id %u, but all writes have id 0", c->now->id);
	if (c->now->resp >= AXI_SLVERR)
		fail(c, b);
	burst_pop(&c->responses);
	copy->outstanding--;
	if (!copy->outstanding && !copy->done && (copy->covered == copy->allowed || copy->failed))
		copy_done(c, copy);
}
