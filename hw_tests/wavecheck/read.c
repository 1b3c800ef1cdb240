/* SPDX-License-Identifier: Apache-2.0 */
/* Read bursts: their data goes to shared memory, and with the last beat the copy signals. */
#include <stdlib.h>
#include <string.h>

#include "wavecheck/check.h"

#define AXI_SLVERR 2
#define CLIENT_CP  5

void read_address(struct check *c)
{
	struct copy *copy;
	unsigned client;
	int path;

	if (c->now->id >> ID_CLIENT_SHIFT == CLIENT_REDUCE) {
		reduce_read_address(c);
		return;
	}
	if (ring_fetch_address(c) || map_address(c))
		return;
	path = address_read_path(c);
	copy = address_match(c, path);
	client = copy->prefetch ? CLIENT_PREFETCH : copy->cp ? CLIENT_CP : CLIENT_LOAD;

	if (c->now->id >> ID_CLIENT_SHIFT != client)
		differ(c, P_m_axi_arid_o, 0, "id %u does not belong to a %s", c->now->id,
		       copy->prefetch ? "prefetch"
		       : copy->cp     ? "cp.async"
		                      : "load");
	burst_push(&c->reads[c->now->id], (struct burst){ .copy = copy,
	                                                  .offset = copy->covered[path],
	                                                  .beats = c->now->burst.len + 1u,
	                                                  .address = c->now->addr });
	copy->covered[path] += (c->now->burst.len + 1u) * c->shape.data_bytes;
	copy->outstanding++;
	hint_skip(c, copy);
}

/* Nobody but the engine writes this memory: what it reads is what was seen there before. So it is of bytes that are
 * read for their sake; those beside them may be changing. So may maps that it writes, which are read at any time. */
static void check_memory(struct check *c, const struct burst *b)
{
	uint64_t address = b->address + b->seen * c->shape.data_bytes;
	uint64_t offset = b->offset + b->seen * c->shape.data_bytes;
	uint32_t byte;

	if (!c->private_memory || (b->copy ? b->copy->prefetch : gmem_written(c->gmem[0], address)))
		return;
	for (uint32_t i = 0; i < c->shape.data_bytes; i++)
		if (!b->copy || (copy_byte(b->copy, offset + i, &byte) &&
		                 (!b->copy->cp || byte < cp_source_bytes(&b->copy->command))))
			gmem_check(c, address + i, event_data(c)[i]);
}

/* The operand's bytes of one beat, to every target. */
static void deliver(struct check *c, const struct copy *copy, uint32_t offset)
{
	uint32_t from = offset < copy->lead ? copy->lead - offset : 0;
	uint32_t end = copy->lead + copy->command.size - offset;
	uint32_t dst = (copy->command.shared_dst & 0xffffff) + offset + from - copy->lead;

	if (end > c->shape.data_bytes)
		end = c->shape.data_bytes;
	for (uint32_t rank = 0; rank < c->shape.ctas; rank++)
		if (copy->targets >> rank & 1)
			shared_write(c, rank, dst, event_data(c) + from, end - from, copy, !copy->failed);
}

static void fail(struct check *c, struct copy *copy, uint64_t offset)
{
	bool first = !copy->failed;

	/* An error behind a window's fault is only counted, but it may be seen first. */
	if (copy->prefetch || (!first && !copy->denied))
		return;
	copy->failed = true;
	if (copy->load)
		shared_forget(c, copy);
	queue_late_fault(c, copy, c->now->resp == AXI_SLVERR ? TMA_FAULT_READ_SLVERR : TMA_FAULT_READ_DECERR,
	                 copy_operand(copy, copy->cp ? 0 : offset));
}

static void check_last(const struct check *c, const struct burst *b)
{
	if (c->now->last != (b->seen + 1 == b->beats))
		differ(c, P_m_axi_rlast_i, 0, "beat %u of %u of the burst at 0x%llx", b->seen + 1, b->beats,
		       (unsigned long long)b->address);
}

static void fetch_data(struct check *c, struct burst_fifo *f, struct burst *b)
{
	check_last(c, b);
	ring_fetch_data(c, b);
	if (++b->seen == b->beats)
		burst_pop(f);
}

void read_data(struct check *c)
{
	struct burst_fifo *f = &c->reads[c->now->id];
	struct burst *b = burst_head(f);
	struct copy *copy;
	uint64_t offset;

	if (c->now->id >> ID_CLIENT_SHIFT == CLIENT_REDUCE) {
		reduce_read_data(c);
		return;
	}
	if (!b) {
		const struct copy *waiting = burst_awaited(c, READS);

		if (!waiting)
			waiting = burst_awaited(c, TENSOR_READS);

		if (waiting)
			differ(c, P_m_axi_arvalid_o, 0,
			       "data for id %u, which has no burst: one of %s is missing", c->now->id,
			       name_copy(waiting));
		differ(c, P_m_axi_rvalid_i, 0, "data for id %u, which has no burst", c->now->id);
	}
	if (b->kind == BURST_FETCH) {
		fetch_data(c, f, b);
		return;
	}
	if (b->kind == BURST_MAP) {
		check_last(c, b);
		if (c->now->resp < AXI_SLVERR)
			check_memory(c, b);
		if (++b->seen == b->beats)
			burst_pop(f);
		return;
	}
	copy = b->copy;
	offset = b->offset + b->seen * c->shape.data_bytes;
	check_last(c, b);
	if (c->now->resp >= AXI_SLVERR) {
		fail(c, copy, offset);
	} else {
		check_memory(c, b);
		if (copy->tensor)
			tensor_deliver(c, copy, (uint32_t)offset);
		else if (copy->load)
			deliver(c, copy, (uint32_t)offset);
		else if (copy->cp && !copy->done)
			cp_deliver(c, copy, (uint32_t)offset);
	}
	if (++b->seen < b->beats)
		return;
	burst_pop(f);
	if (copy->outstanding)
		copy->outstanding--;
	if (!copy->outstanding && !copy->done && (copy_finished(copy) || copy->failed))
		copy_done(c, copy);
}
