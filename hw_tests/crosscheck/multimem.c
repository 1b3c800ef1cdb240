/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Multimem windows; stores to all devices, and reductions on each.
 *
 * All windows lie in one piece of the address space: in that of the data, or elsewhere. They may
 * overlap and leave pages out. On the first port they lie in the data, so that loads read what was
 * broadcast.
 */
#include "crosscheck/bus.h"
#include "crosscheck/gen.h"

#define MAX_PIECE     8u /* pages */
#define MAX_PAGES     4u /* of one window */
#define MAX_TARGETS   (MAX_PORTS * (MAX_PIECE + 1))
#define ALL_BYTES     0xffffu
#define MULTIMEM_BIT  4u
#define SCRATCH_PAGES 4u
#define DATA_PAGES    12u /* of the memory of other ports: the rest is scratch */

static uint32_t any_ports(struct gen *g)
{
	uint32_t all = (1u << g->shape->ports) - 1, ports = (uint32_t)rng_next(&g->rng) & all;

	if (rng_percent(&g->rng, 40))
		return all;
	return rng_percent(&g->rng, 95) ? ports : 0;
}

/* Does another window lie there on this port? Then nobody could tell from the pins alone which of the
 * two was meant, and to how many ports it goes. */
static bool is_taken(const struct program *p, const struct multimem *m, uint32_t port, uint32_t at)
{
	for (const struct multimem *other = p->multimem; other < m; other++)
		if (at < other->at[port] + other->bytes && other->at[port] < at + m->bytes)
			return true;
	return false;
}

/* A place on the port: from page @p first on there are so many. False: all are taken. */
static bool place(struct gen *g, struct multimem *m, uint32_t port, uint32_t first, uint32_t pages)
{
	uint32_t room = pages - m->bytes / PAGE_BYTES + 1, start = rng_below(&g->rng, room);

	for (uint32_t i = 0; i < room; i++) {
		uint32_t at = (first + (start + i) % room) * PAGE_BYTES;

		if (is_taken(g->p, m, port, at))
			continue;
		m->at[port] = at;
		m->port_base[port] = (port ? g->p->port_base[port] : g->p->global_base) + at;
		return true;
	}
	return false;
}

static bool add_window(struct gen *g, uint32_t pages)
{
	struct program *p = g->p;
	struct multimem *m = &p->multimem[p->num_multimem];
	uint32_t first = rng_below(&g->rng, pages), count = 1 + rng_below(&g->rng, MAX_PAGES);

	if (count > pages - first)
		count = pages - first;
	m->base = p->multimem_base + (uint64_t)first * PAGE_BYTES;
	m->bytes = count * PAGE_BYTES;
	m->ports = any_ports(g);
	if (!place(g, m, 0, (uint32_t)(g->data_at / PAGE_BYTES), (uint32_t)(g->data_bytes / PAGE_BYTES)))
		return false;
	for (uint32_t i = 1; i < g->shape->ports; i++)
		if (!place(g, m, i, 0, DATA_PAGES))
			return false;
	p->num_multimem++;
	return true;
}

/* Behind the piece, on memory that nothing else uses; it may end early. */
static void add_scratch(struct gen *g)
{
	struct program *p = g->p;
	struct multimem *m = &p->multimem[p->num_multimem++];

	m->base = p->multimem_base + p->multimem_bytes;
	m->bytes = (1 + rng_below(&g->rng, SCRATCH_PAGES)) * PAGE_BYTES;
	m->ports = any_ports(g) | 1u << rng_below(&g->rng, g->shape->ports);
	m->at[0] = (uint32_t)g->area.scratch_at;
	m->port_base[0] = p->global_base + m->at[0];
	for (uint32_t i = 1; i < g->shape->ports; i++) {
		m->at[i] = DATA_PAGES * PAGE_BYTES;
		m->port_base[i] = p->port_base[i] + m->at[i];
	}
	g->area.scratch_multimem = true;
}

void choose_multimem(struct gen *g)
{
	struct program *p = g->p;
	uint32_t pages = 1 + rng_below(&g->rng, MAX_PIECE), count;
	uint64_t data = p->global_base + g->data_at;

	for (uint32_t i = 1; i < g->shape->ports; i++)
		p->port_base[i] = rng_percent(&g->rng, 30) ? p->global_base & ~(UINT64_C(0xff) << 56)
		                                           : (rng_next(&g->rng) >> 1) & ~(uint64_t)0xfff;
	if (!rng_percent(&g->rng, 75))
		return;
	p->multimem_bytes = pages * PAGE_BYTES;
	p->multimem_base = data + rng_below(&g->rng, (uint32_t)(g->data_bytes / PAGE_BYTES) - pages + 1) *
	                                  (uint64_t)PAGE_BYTES;
	/* Elsewhere, or where the data runs over the end of the address space. */
	if (data + g->data_bytes < data || rng_percent(&g->rng, 40))
		p->multimem_base =
			(p->rings_base ^ UINT64_C(1) << 62) + (uint64_t)rng_below(&g->rng, 100) * PAGE_BYTES;
	count = 1 + rng_below(&g->rng, g->shape->multimem);
	/* The first one is for the command that faults. */
	if (p->faults)
		add_scratch(g);
	count = count > p->num_multimem ? count : p->num_multimem;
	while (p->num_multimem < count && add_window(g, pages))
		;
}

/* Open the piece for the queue, where it has a window to spare. Inside the data, the windows there do. */
bool multimem_window(struct gen *g, struct queue_setup *s)
{
	struct program *p = g->p;
	uint64_t last = p->multimem_base + p->multimem_bytes - 1;

	if (p->faults)
		last += (uint64_t)rng_below(&g->rng, SCRATCH_PAGES + 1) * PAGE_BYTES;
	if (!p->multimem_bytes || !rng_percent(&g->rng, 90))
		return false;
	if (p->multimem_base - (p->global_base + g->data_at) < g->data_bytes) {
		for (uint32_t i = 0; i < s->num_windows; i++)
			if (s->windows[i].base <= last && s->windows[i].limit >= p->multimem_base)
				s->windows[i].attr |= MULTIMEM_BIT;
		return true;
	}
	if (s->num_windows == g->shape->windows)
		return false;
	s->windows[s->num_windows++] = (struct window){ p->multimem_base, last, MULTIMEM_BIT };
	return true;
}

/* Bytes from the address on that lie in windows. */
static uint32_t reach(const struct program *p, uint64_t address, uint32_t size)
{
	uint32_t bytes = 0;

	while (bytes < size && address + bytes - p->multimem_base < p->multimem_bytes &&
	       bus_multimem(p, address + bytes))
		bytes += PAGE_BYTES - (uint32_t)((address + bytes) % PAGE_BYTES);
	return bytes < size ? bytes : size;
}

static uint64_t offset_on(const struct program *p, uint32_t port, uint64_t address)
{
	return (address - (port ? p->port_base[port] : p->global_base)) / CHUNK_BYTES;
}

/* What the command writes, port by port. */
static uint32_t targets(const struct gen *g, const struct tma_command *cmd, uint16_t mask, uint8_t update,
                        struct access to[MAX_TARGETS])
{
	uint32_t count = 0;

	for (uint32_t port = 0; port < g->shape->ports; port++) {
		uint32_t done = 0;
		struct bus_part part;

		for (; bus_next(g->p, cmd, port, &done, &part); done += part.bytes) {
			uint64_t first = offset_on(g->p, port, part.address);

			to[count++] = (struct access){ .space = PORT_SPACE(port),
				                       .write = true,
				                       .mask = mask,
				                       .update = update,
				                       .first = first,
				                       .last = first + part.bytes / CHUNK_BYTES - 1 };
		}
	}
	return count;
}

/* With its command ready but for its operands. */
bool multimem_to(struct gen *g, const struct txn *t, struct tma_command *cmd, uint8_t update)
{
	struct access to[MAX_TARGETS];
	struct txn clipped = *t;
	const struct multimem *m;

	if (!g->p->num_multimem || !g->p->queue[t->queue].multimem)
		return false;
	m = &g->p->multimem[rng_below(&g->rng, g->p->num_multimem)];
	if (g->area.scratch_multimem && m == g->p->multimem)
		return false;
	cmd->global_address = m->base + (uint64_t)(t->global % (m->bytes / CHUNK_BYTES)) * CHUNK_BYTES;
	cmd->size = reach(g->p, cmd->global_address, t->chunks * CHUNK_BYTES);
	if (!cmd->size)
		return false;
	clipped.chunks = cmd->size / CHUNK_BYTES;
	return store_to(g, &clipped, cmd, to, targets(g, cmd, t->byte_mask, update, to));
}

bool lower_multimem(struct gen *g, const struct txn *t)
{
	struct tma_command cmd = { .opcode = TMA_MULTIMEM_BULK_STORE };

	return multimem_to(g, t, &cmd, 0);
}
