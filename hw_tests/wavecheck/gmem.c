/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes at any 64-bit address: a hash table of pages. */
#include <stdlib.h>
#include <string.h>

#include "wavecheck/check.h"

#define PAGE    4096u
#define BUCKETS 4096u

struct page {
	struct page *next;
	uint64_t base;
	uint8_t bytes[PAGE], known[PAGE];
	bool written; /* by the engine */
};

struct gmem {
	struct page *buckets[BUCKETS];
	struct page *last; /* the one of the access before */
};

struct gmem *gmem_new(void)
{
	return allocate(sizeof(struct gmem));
}

void gmem_free(struct gmem *g)
{
	for (unsigned b = 0; g && b < BUCKETS; b++)
		while (g->buckets[b]) {
			struct page *page = g->buckets[b];

			g->buckets[b] = page->next;
			free(page);
		}
	free(g);
}

static struct page *find(struct gmem *g, uint64_t address, bool make)
{
	uint64_t base = address - address % PAGE;
	struct page **bucket = &g->buckets[base / PAGE % BUCKETS];

	if (g->last && g->last->base == base)
		return g->last;
	for (struct page *page = *bucket; page; page = page->next)
		if (page->base == base)
			return g->last = page;
	if (!make)
		return NULL;
	g->last = allocate(sizeof(*g->last));
	g->last->base = base;
	g->last->next = *bucket;
	*bucket = g->last;
	return g->last;
}

uint8_t gmem_get(struct gmem *g, uint64_t address, bool *known)
{
	const struct page *page = find(g, address, false);

	*known = page && page->known[address % PAGE];
	return *known ? page->bytes[address % PAGE] : 0;
}

static struct page *set(struct gmem *g, uint64_t address, uint8_t value)
{
	struct page *page = find(g, address, true);

	page->bytes[address % PAGE] = value;
	page->known[address % PAGE] = 1;
	return page;
}

void gmem_set(struct gmem *g, uint64_t address, uint8_t value)
{
	set(g, address, value)->written = true;
}

bool gmem_written(struct gmem *g, uint64_t address)
{
	const struct page *page = find(g, address, false);

	return page && page->written;
}

void gmem_forget(struct gmem *g, uint64_t address, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++) {
		struct page *page = find(g, address + i, false);

		if (page)
			page->known[(address + i) % PAGE] = 0;
	}
}

void gmem_check(struct check *c, uint64_t address, uint8_t seen)
{
	bool known;
	uint8_t old = gmem_get(c->gmem[c->now->unit], address, &known);

	if (!known)
		set(c->gmem[c->now->unit], address, seen);
	else if (old != seen)
		differ(c, P_m_axi_rdata_i, c->now->unit,
		       "the memory at 0x%llx is 0x%02x, but was 0x%02x when last seen",
		       (unsigned long long)address, seen, old);
}
