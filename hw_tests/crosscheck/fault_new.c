/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of multimem copies, of reductions, of cp.async, and of slots of a ring. */
#include "crosscheck/bus.h"
#include "crosscheck/gen.h"

#define MAX_CHUNKS      768u
#define READ_ATTR       1u
#define READ_WRITE      3u
#define MULTIMEM_BIT    4u
#define PAGE_SLOTS      (PAGE_BYTES / SLOT_BYTES)
#define PAGE_SLOTS_LOG2 6u

static bool allowed(const struct queue_setup *s, uint64_t address, uint32_t attr)
{
	for (uint32_t i = 0; i < s->num_windows; i++)
		if (s->windows[i].attr & attr &&
		    address - s->windows[i].base <= s->windows[i].limit - s->windows[i].base)
			return true;
	return false;
}

/*
 * Multimem stores and reductions. Those that fault use the first window, which nobody else uses.
 */

/* Bytes of the command, from its first one on, that windows of both kinds let pass. */
static uint32_t passing(const struct gen *g, uint8_t queue, const struct tma_command *cmd)
{
	uint32_t bytes = 0;

	while (bytes < cmd->size && bus_multimem(g->p, cmd->global_address + bytes) &&
	       allowed(&g->p->queue[queue], cmd->global_address + bytes, MULTIMEM_BIT))
		bytes += PAGE_BYTES - (uint32_t)((cmd->global_address + bytes) % PAGE_BYTES);
	return bytes < cmd->size ? bytes : cmd->size;
}

/* An error response for one of these bytes on one of the window's ports. */
static void spoil(struct gen *g, const struct tma_command *cmd, uint32_t bytes)
{
	const struct multimem *m = g->p->multimem;
	uint64_t at = cmd->global_address - m->base + rng_below(&g->rng, bytes);
	uint32_t port;

	do
		port = rng_below(&g->rng, g->shape->ports);
	while (!(m->ports >> port & 1) || (g->two_ports && m->ports > 1 && !port));
	fault_error(g, port, m->port_base[port] + at, 1 + rng_below(&g->rng, 100));
}

/* Errors from this one on are for reads or writes alone, or stay for both. */
static void spoil_half(struct gen *g, uint32_t first)
{
	for (uint32_t i = first; i < g->p->num_errors; i++) {
		g->p->errors[i].read = !rng_percent(&g->rng, 35);
		g->p->errors[i].write = !g->p->errors[i].read || rng_percent(&g->rng, 50);
	}
}

static void add_eithers(struct gen *g, const struct tma_command *cmd, uint32_t bytes)
{
	const struct multimem *m = g->p->multimem;
	uint64_t at = cmd->global_address - m->base;

	for (uint32_t port = 0; port < g->shape->ports; port++)
		if (m->ports >> port & 1)
			fault_either(g,
			             (struct either){ .tensor = bus_updates(cmd->opcode),
			                              .dst_cta = PORT_SPACE(port),
			                              .dst = m->at[port] + at,
			                              .src_cta = (int)(cmd->shared_src >> 24),
			                              .src = cmd->shared_src & 0xffffff,
			                              .bytes = bytes,
			                              .mask = cmd->flags & TMA_FLAG_CP_MASK ? cmd->byte_mask
			                                                                    : 0xffff });
}

struct tma_command fault_multimem(struct gen *g, uint8_t queue)
{
	uint32_t room = g->area.reserve_bytes / CHUNK_BYTES < MAX_CHUNKS ? g->area.reserve_bytes / CHUNK_BYTES
	                                                                 : MAX_CHUNKS;
	uint32_t chunks = 1 + rng_below(&g->rng, room), bytes;
	struct tma_command cmd = { .opcode = TMA_MULTIMEM_BULK_STORE,
		                   .size = chunks * CHUNK_BYTES,
		                   .global_address = g->p->multimem_base + g->p->multimem_bytes,
		                   .shared_src =
		                           (uint32_t)g->p->queue[queue].cta << 24 | g->area.reserve_at };

	if (g->p->reduce && rng_percent(&g->rng, 50)) {
		cmd.opcode = TMA_MULTIMEM_BULK_REDUCE;
		reduce_any(g, false, &cmd);
	} else if (rng_percent(&g->rng, 40)) {
		cmd.flags = TMA_FLAG_CP_MASK;
		cmd.byte_mask = (uint16_t)rng_next(&g->rng);
	}
	if (!g->area.scratch_multimem)
		return cmd; /* no window: the queue has none with the attribute there */
	cmd.global_address +=
		(uint64_t)rng_below(&g->rng, g->p->multimem[0].bytes / CHUNK_BYTES) * CHUNK_BYTES;
	bytes = passing(g, queue, &cmd);
	if (g->two_ports && bytes)
		cmd.size = bytes;
	if (bytes && (bytes == cmd.size || rng_percent(&g->rng, 40))) {
		spoil(g, &cmd, bytes);
		if (bus_updates(cmd.opcode))
			spoil_half(g, g->p->num_errors - 1);
	}
	add_eithers(g, &cmd, bytes);
	return cmd;
}

/*
 * Reductions: what they touch is as it was, or as they leave it.
 */

struct tma_command fault_reduce(struct gen *g, uint8_t queue)
{
	uint32_t room = g->area.reserve_bytes / CHUNK_BYTES < MAX_CHUNKS ? g->area.reserve_bytes / CHUNK_BYTES
	                                                                 : MAX_CHUNKS;
	uint32_t bytes = (1 + rng_below(&g->rng, room)) * CHUNK_BYTES, errors = g->p->num_errors;
	uint32_t spare = (uint32_t)g->area.scratch_bytes - bytes;
	uint64_t offset = g->area.scratch_at + rng_below(&g->rng, spare / CHUNK_BYTES + 1) * CHUNK_BYTES;
	bool both = (fault_scratch_attr(g, queue) & READ_WRITE) == READ_WRITE;
	struct tma_command cmd = { .opcode = TMA_BULK_REDUCE,
		                   .size = bytes,
		                   .shared_src =
		                           (uint32_t)g->p->queue[queue].cta << 24 | g->area.reserve_at };

	reduce_any(g, false, &cmd);
	fault_spoil(g, &offset, bytes, both);
	spoil_half(g, errors);
	cmd.global_address = g->p->global_base + offset;
	fault_either(g, (struct either){ .tensor = true, .dst_cta = GLOBAL, .dst = offset, .bytes = bytes });
	return cmd;
}

/*
 * cp.async: nothing of it is written.
 */

struct tma_command fault_copy(struct gen *g, uint8_t queue)
{
	struct tma_command cmd = { .opcode = TMA_CP_ASYNC,
		                   .size = 4u << rng_below(&g->rng, 3),
		                   .mode = (uint8_t)rng_below(&g->rng, 4),
		                   .global_address =
		                           g->p->global_base + g->area.scratch_at +
		                           rng_below(&g->rng, (uint32_t)g->area.scratch_bytes / 16) * 16,
		                   .shared_dst =
		                           (uint32_t)g->p->queue[queue].cta << 24 | g->area.reserve_at };
	uint32_t bytes = cmd.size;

	if (rng_percent(&g->rng, 30)) {
		cmd.flags = TMA_FLAG_SRC_SIZE;
		cmd.count = bytes = 1 + rng_below(&g->rng, cmd.size);
	}
	if (allowed(&g->p->queue[queue], cmd.global_address, READ_ATTR))
		fault_error(g, 0, cmd.global_address + rng_below(&g->rng, bytes), 1 + rng_below(&g->rng, 40));
	return cmd;
}

/*
 * Slots that cannot be read. Until then the queue, which begins at 0, has not come round its ring.
 */

static void pad(struct gen *g, uint8_t queue, uint32_t steps)
{
	while (g->p->queue[queue].steps < steps)
		gen_emit(g, queue, &(struct tma_command){ .opcode = TMA_SIGNAL });
}

/* The second page of the ring is in no window any more. */
static void close_page(struct gen *g, struct queue_setup *s)
{
	for (uint32_t i = 0; i < s->num_windows; i++)
		if (s->windows[i].base == g->p->rings_base + s->records_at)
			s->windows[i].limit -= PAGE_BYTES;
}

static void poison(struct gen *g, const struct queue_setup *s, uint32_t index)
{
	uint32_t at = index * SLOT_BYTES + rng_below(&g->rng, SLOT_BYTES),
		 room = (SLOT_BYTES << s->ring_log2) - at;

	fault_error(g, 0, g->p->rings_base + s->ring_at + at,
	            1 + rng_below(&g->rng, room < 200 ? room : 200));
	g->p->errors[g->p->num_errors - 1].write = false;
}

/* The next command of the queue, on a ring, cannot be fetched. False: it is too late for that. */
bool fault_poison(struct gen *g, uint8_t queue)
{
	struct queue_setup *s = &g->p->queue[queue];
	uint32_t slots_per_beat = g->shape->data_bytes / SLOT_BYTES, next = s->steps;

	s->first_command = 0;
	if (s->ring_log2 == TWO_PAGES_LOG2 && s->records_at < s->ring_at && next <= PAGE_SLOTS) {
		pad(g, queue, PAGE_SLOTS);
		close_page(g, s);
		s->ring = true;
		return true;
	}
	/* All that the page holds. */
	if (s->ring_log2 < PAGE_SLOTS_LOG2)
		s->ring_log2 = PAGE_SLOTS_LOG2;
	/* A beat that fails takes all its slots with it. */
	if (slots_per_beat > 1)
		next = (next + slots_per_beat - 1) / slots_per_beat * slots_per_beat;
	if (next >= 1u << s->ring_log2)
		return false;
	pad(g, queue, next);
	poison(g, s, next);
	s->ring = true;
	return true;
}
