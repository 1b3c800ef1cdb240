/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bursts on their way through an AXI4 memory.
 *
 *	AR -------------------------> reads[id]  --(due)--> R
 *	AW --> the same `arriving` -> writes[id] --(due)--> B, and the bytes into memory
 *	W  --> list, two cursors
 */
#include "lib/axi_mem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/ranges.h"
#include "lib/rng.h"

#define NUM_IDS 256

struct burst {
	struct burst *next;
	uint64_t addr, due, serial;
	uint32_t beats, beat; /* read: beats in all, and sent; write: beats received */
	uint32_t room;        /* beats that data and strb have room for */
	bool has_addr, has_data;
	uint8_t id;
	uint8_t *data, *strb; /* read: NULL unless taken early */
};

struct fifo {
	struct burst *head, *tail;
};

/* Bursts by id. A bit of `used` is set where the id's fifo is not empty. */
struct station {
	struct fifo id[NUM_IDS];
	uint64_t used[NUM_IDS / 64];
};

struct region {
	uint64_t first, last;
	uint8_t *memory;
};

struct axi_mem {
	struct axi_mem_opts o;
	struct region *regions;
	uint32_t num_regions;
	struct ranges errors[4]; /* by response */
	uint64_t now, serial;
	struct rng rng;
	struct station reads, writes;
	struct fifo arriving;
	uint32_t outstanding;
	uint32_t stop; /* channels that stand still from stop_at on */
	uint64_t stop_at;
};

static void *must(void *p)
{
	if (!p) {
		fprintf(stderr, "axi_mem: out of memory\n");
		abort();
	}
	return p;
}

static void burst_free(struct burst *b)
{
	free(b->data);
	free(b->strb);
	free(b);
}

static void push(struct fifo *f, struct burst *b)
{
	b->next = NULL;
	if (f->head)
		f->tail->next = b;
	else
		f->head = b;
	f->tail = b;
}

static struct burst *pop(struct fifo *f)
{
	struct burst *b = f->head;

	f->head = b->next;
	return b;
}

/*
 * Regions and errors.
 */

static uint8_t *find(const struct axi_mem *m, uint64_t addr)
{
	uint32_t i;

	for (i = 0; i < m->num_regions; i++) {
		const struct region *r = &m->regions[i];

		if (r->first <= addr && addr <= r->last)
			return r->memory + (addr - r->first);
	}
	return NULL;
}

void *axi_mem_at(const struct axi_mem *m, uint64_t addr)
{
	return find(m, addr);
}

int axi_mem_map(struct axi_mem *m, uint64_t base, uint64_t size, void *memory)
{
	uint64_t last = base + (size - 1);
	struct region *list;
	uint32_t i;

	if (!memory || !size || (base | size) % 4096 || last < base)
		return -EINVAL;
	for (i = 0; i < m->num_regions; i++)
		if (base <= m->regions[i].last && m->regions[i].first <= last)
			return -EINVAL;
	list = realloc(m->regions, (m->num_regions + 1) * sizeof(*list));
	if (!list)
		return -ENOMEM;
	m->regions = list;
	list[m->num_regions++] = (struct region){ base, last, memory };
	return 0;
}

void axi_mem_clear_errors(struct axi_mem *m)
{
	ranges_clear(&m->errors[AXI_SLVERR]);
	ranges_clear(&m->errors[AXI_DECERR]);
}

void axi_mem_unmap(struct axi_mem *m, uint64_t base)
{
	uint32_t i;

	for (i = 0; i < m->num_regions; i++) {
		if (m->regions[i].first != base)
			continue;
		m->regions[i] = m->regions[--m->num_regions];
		return;
	}
}

void axi_mem_unmap_all(struct axi_mem *m)
{
	free(m->regions);
	m->regions = NULL;
	m->num_regions = 0;
	axi_mem_clear_errors(m);
}

int axi_mem_error(struct axi_mem *m, uint32_t dirs, uint64_t base, uint64_t size, enum axi_mem_resp resp)
{
	if (resp != AXI_SLVERR && resp != AXI_DECERR)
		return -EINVAL;
	return ranges_add(&m->errors[resp], base, size, dirs, 0);
}

/* What the beat at an aligned address answers. */
static uint8_t response(const struct axi_mem *m, uint32_t dir, uint64_t addr)
{
	if (!find(m, addr) || ranges_touch(&m->errors[AXI_DECERR], addr, m->o.data_bytes, dir))
		return AXI_DECERR;
	if (ranges_touch(&m->errors[AXI_SLVERR], addr, m->o.data_bytes, dir))
		return AXI_SLVERR;
	return AXI_OKAY;
}

/* Address of a beat, aligned down: bytes below an unaligned first address have no strobe. */
static uint64_t beat_addr(const struct axi_mem *m, const struct burst *b, uint32_t beat)
{
	return (b->addr & ~(uint64_t)(m->o.data_bytes - 1)) + (uint64_t)beat * m->o.data_bytes;
}

/*
 * Choosing what comes next.
 */

static uint64_t due(struct axi_mem *m)
{
	return m->now + m->o.latency +
	       (m->o.random_latency ? rng_below(&m->rng, m->o.random_latency + 1) : 0);
}

static void enter(struct station *s, struct burst *b)
{
	push(&s->id[b->id], b);
	s->used[b->id / 64] |= UINT64_C(1) << b->id % 64;
}

static struct burst *leave(struct station *s, uint8_t id)
{
	struct burst *b = pop(&s->id[id]);

	if (!s->id[id].head)
		s->used[id / 64] &= ~(UINT64_C(1) << id % 64);
	return b;
}

/* The burst that sends something in the next cycle, or NULL. */
static struct burst *choose(struct axi_mem *m, const struct station *s, bool in_order)
{
	struct burst *ready[NUM_IDS], *oldest = NULL;
	uint32_t count = 0, w;

	for (w = 0; w < NUM_IDS / 64; w++) {
		uint64_t left = s->used[w];

		for (; left; left &= left - 1) {
			struct burst *b = s->id[w * 64 + (uint32_t)__builtin_ctzll(left)].head;

			if (!oldest || b->serial < oldest->serial)
				oldest = b;
			if (b->due <= m->now + 1)
				ready[count++] = b;
		}
	}
	if (!count)
		return NULL;
	if (in_order)
		return oldest->due <= m->now + 1 ? oldest : NULL;
	return ready[count > 1 ? rng_below(&m->rng, count) : 0];
}

void axi_mem_stop(struct axi_mem *m, uint32_t channels, uint64_t after)
{
	m->stop = channels;
	m->stop_at = m->now + after;
}

/* Whether the channel moves in the next cycle. Draws the same numbers whether it is stopped or not. */
static bool moves(struct axi_mem *m, uint32_t channel)
{
	bool stalls = rng_percent(&m->rng, m->o.stall_percent);

	return !stalls && !(m->stop & channel && m->now >= m->stop_at);
}

/*
 * Reads.
 */

static void read_beat(const struct axi_mem *m, const struct burst *b, uint32_t beat, uint8_t *to)
{
	const uint8_t *from = find(m, beat_addr(m, b, beat));

	if (from)
		memcpy(to, from, m->o.data_bytes);
}

static void accept_ar(struct axi_mem *m, const struct tma_axi_out *out)
{
	struct burst *b = must(calloc(1, sizeof(*b)));
	uint32_t i;

	b->addr = out->ar_addr;
	b->id = out->ar_id;
	b->beats = out->ar_len + 1u;
	b->due = due(m);
	b->serial = m->serial++;
	if (rng_percent(&m->rng, m->o.early_read_percent)) {
		b->data = must(malloc((size_t)b->beats * m->o.data_bytes));
		for (i = 0; i < b->beats; i++)
			read_beat(m, b, i, b->data + (size_t)i * m->o.data_bytes);
	}
	enter(&m->reads, b);
	m->outstanding++;
}

static void drive_r(struct axi_mem *m, struct tma_axi_in *in)
{
	struct burst *b = NULL;
	uint32_t i;

	if (moves(m, AXI_MEM_R))
		b = choose(m, &m->reads, m->o.reads_in_order);
	in->r_valid = b != NULL;
	if (!b)
		return;
	in->r_id = b->id;
	in->r_resp = response(m, AXI_MEM_READ, beat_addr(m, b, b->beat));
	in->r_last = b->beat + 1 == b->beats;
	if (in->r_resp != AXI_OKAY)
		for (i = 0; i < m->o.data_bytes; i++)
			in->r_data[i] = (uint8_t)rng_next(&m->rng);
	else if (b->data)
		memcpy(in->r_data, b->data + (size_t)b->beat * m->o.data_bytes, m->o.data_bytes);
	else
		read_beat(m, b, b->beat, in->r_data);
	b->beat++;
	if (in->r_last)
		burst_free(leave(&m->reads, b->id));
}

/*
 * Writes.
 */

/* First burst in arrival order that lacks its address (or its last beat), or a new one. */
static struct burst *lacking(struct axi_mem *m, bool addr)
{
	struct burst *b = m->arriving.head;

	while (b && (addr ? b->has_addr : b->has_data))
		b = b->next;
	if (!b) {
		b = must(calloc(1, sizeof(*b)));
		push(&m->arriving, b);
		m->outstanding++;
	}
	return b;
}

static void accept_aw(struct axi_mem *m, const struct tma_axi_out *out)
{
	struct burst *b = lacking(m, true);

	b->addr = out->aw_addr;
	b->id = out->aw_id;
	b->has_addr = true;
}

static void accept_w(struct axi_mem *m, const struct tma_axi_out *out)
{
	struct burst *b = lacking(m, false);
	uint32_t bytes = m->o.data_bytes;

	if (b->beats == b->room) {
		b->room = b->room ? 2 * b->room : 4;
		b->data = must(realloc(b->data, (size_t)b->room * bytes));
		b->strb = must(realloc(b->strb, (size_t)b->room * bytes / 8));
	}
	memcpy(b->data + (size_t)b->beats * bytes, out->w_data, bytes);
	memcpy(b->strb + (size_t)b->beats * bytes / 8, out->w_strb, bytes / 8);
	b->beats++;
	b->has_data = out->w_last;
}

/* Bytes into memory, except where the range answers an error. Returns the burst's response. */
static uint8_t write_burst(struct axi_mem *m, const struct burst *b)
{
	uint32_t bytes = m->o.data_bytes, beat, i;
	uint8_t resp = AXI_OKAY;

	for (beat = 0; beat < b->beats; beat++) {
		uint64_t addr = beat_addr(m, b, beat);
		const uint8_t *data = b->data + (size_t)beat * bytes;
		const uint8_t *strb = b->strb + (size_t)beat * bytes / 8;
		uint8_t *to = find(m, addr);
		uint8_t answer = response(m, AXI_MEM_WRITE, addr);

		if (resp == AXI_OKAY)
			resp = answer;
		for (i = 0; to && i < bytes; i++) {
			if (!(strb[i / 8] >> i % 8 & 1))
				continue;
			if (answer == AXI_OKAY ||
			    (!ranges_touch(&m->errors[AXI_SLVERR], addr + i, 1, AXI_MEM_WRITE) &&
			     !ranges_touch(&m->errors[AXI_DECERR], addr + i, 1, AXI_MEM_WRITE)))
				to[i] = data[i];
		}
	}
	return resp;
}

static void drive_b(struct axi_mem *m, struct tma_axi_in *in)
{
	struct burst *b = NULL;

	if (moves(m, AXI_MEM_B))
		b = choose(m, &m->writes, false);
	in->b_valid = b != NULL;
	if (!b)
		return;
	in->b_id = b->id;
	in->b_resp = write_burst(m, b);
	burst_free(leave(&m->writes, b->id));
}

void axi_mem_step(struct axi_mem *m, const struct tma_axi_out *out, struct tma_axi_in *in)
{
	bool r_taken = in->r_valid && out->r_ready, b_taken = in->b_valid && out->b_ready;

	if (out->ar_valid && in->ar_ready)
		accept_ar(m, out);
	if (out->aw_valid && in->aw_ready)
		accept_aw(m, out);
	if (out->w_valid && in->w_ready)
		accept_w(m, out);
	while (m->arriving.head && m->arriving.head->has_addr && m->arriving.head->has_data) {
		struct burst *b = pop(&m->arriving);

		b->due = due(m);
		b->serial = m->serial++;
		enter(&m->writes, b);
	}
	m->outstanding -= (r_taken && in->r_last) + b_taken;
	if (!in->r_valid || r_taken)
		drive_r(m, in);
	if (!in->b_valid || b_taken)
		drive_b(m, in);
	in->ar_ready = moves(m, AXI_MEM_AR);
	in->aw_ready = moves(m, AXI_MEM_AW);
	in->w_ready = moves(m, AXI_MEM_W);
	m->now++;
}

uint32_t axi_mem_outstanding(const struct axi_mem *m)
{
	return m->outstanding;
}

/*
 * Life.
 */

struct axi_mem *axi_mem_new(const struct axi_mem_opts *opts)
{
	struct axi_mem *m;

	if (!opts->latency || !opts->data_bytes || opts->data_bytes > TMA_SIM_MAX_BEAT)
		return NULL;
	m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->o = *opts;
	m->rng = rng_make(opts->seed, 1);
	return m;
}

void axi_mem_reset(struct axi_mem *m, struct tma_axi_in *in)
{
	uint32_t id;

	for (id = 0; id < NUM_IDS; id++) {
		while (m->reads.id[id].head)
			burst_free(leave(&m->reads, (uint8_t)id));
		while (m->writes.id[id].head)
			burst_free(leave(&m->writes, (uint8_t)id));
	}
	while (m->arriving.head)
		burst_free(pop(&m->arriving));
	m->outstanding = 0;
	m->stop = 0;
	memset(in, 0, sizeof(*in));
}

void axi_mem_free(struct axi_mem *m)
{
	struct tma_axi_in none;

	if (!m)
		return;
	axi_mem_reset(m, &none);
	axi_mem_unmap_all(m);
	free(m);
}
