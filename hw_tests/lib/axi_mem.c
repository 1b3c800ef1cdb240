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

#include "lib/must.h"
#include "lib/ranges.h"
#include "lib/regions.h"
#include "lib/rng.h"

#define NUM_IDS 256

struct burst {
	struct burst *next;
	uint64_t addr, due, serial;
	uint32_t beats, beat; /* read: beats in all, and sent; write: beats received */
	uint32_t room;        /* beats that data and strb have room for */
	bool has_addr, has_data;
	bool early; /* write: shows a beat in each cycle from show_at on, the rest with its B */
	uint64_t show_at;
	uint32_t shown;
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

struct axi_mem {
	struct axi_mem_opts o;
	struct regions regions;
	struct ranges errors[4]; /* by response */
	uint64_t now, serial;
	struct rng rng;
	struct station reads, writes;
	struct fifo arriving;
	uint32_t outstanding, early;
	struct axi_traffic traffic;
	uint32_t stop; /* channels that stand still from stop_at on */
	uint64_t stop_at;
	uint32_t lose; /* enum axi_mem_dir: of these the next burst is lost */
};

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

void *axi_mem_at(const struct axi_mem *m, uint64_t addr)
{
	return regions_at(&m->regions, addr);
}

int axi_mem_map(struct axi_mem *m, uint64_t base, uint64_t size, void *memory)
{
	return regions_add(&m->regions, base, size, memory);
}

void axi_mem_clear_errors(struct axi_mem *m)
{
	ranges_clear(&m->errors[AXI_SLVERR]);
	ranges_clear(&m->errors[AXI_DECERR]);
}

void axi_mem_unmap(struct axi_mem *m, uint64_t base)
{
	regions_drop(&m->regions, base);
}

void axi_mem_unmap_all(struct axi_mem *m)
{
	regions_clear(&m->regions);
	axi_mem_clear_errors(m);
}

int axi_mem_error(struct axi_mem *m, uint32_t dirs, uint64_t base, uint64_t size, enum axi_mem_resp resp)
{
	if (resp != AXI_SLVERR && resp != AXI_DECERR)
		return -EINVAL;
	return ranges_add(&m->errors[resp], base, size, dirs, 0);
}

static bool error_at(const struct axi_mem *m, uint64_t addr, uint32_t kinds)
{
	return ranges_touch(&m->errors[AXI_SLVERR], addr, 1, kinds) ||
	       ranges_touch(&m->errors[AXI_DECERR], addr, 1, kinds);
}

/* What the beat at an aligned address answers. */
static uint8_t response(const struct axi_mem *m, uint32_t dir, uint64_t addr)
{
	if (!regions_at(&m->regions, addr) ||
	    ranges_touch(&m->errors[AXI_DECERR], addr, m->o.data_bytes, dir))
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

static uint64_t due(struct axi_mem *m, uint32_t slower)
{
	return m->now + m->o.latency + slower +
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

void axi_mem_lose(struct axi_mem *m, uint32_t dirs)
{
	m->lose = dirs;
}

/* A burst that is lost never comes out of its station, and what is behind it neither. */
static void maybe_lose(struct axi_mem *m, uint32_t dir, struct burst *b)
{
	if (m->lose & dir)
		b->due = UINT64_MAX;
	m->lose &= ~dir;
}

/* Whether the channel moves in the next cycle. Draws the same numbers whether it is stopped or not. */
static bool moves(struct axi_mem *m, uint32_t channel)
{
	const struct axi_manners *x = &m->o.manners;
	bool stalls = rng_percent(&m->rng, m->o.stall_percent);

	stalls |= rng_percent(&m->rng, x->stalls[__builtin_ctz(channel)]);
	stalls |= x->period && m->now % x->period < x->silence;
	return !stalls && !(m->stop & channel && m->now >= m->stop_at);
}

/*
 * Reads.
 */

static void read_beat(const struct axi_mem *m, const struct burst *b, uint32_t beat, uint8_t *to)
{
	const uint8_t *from = regions_at(&m->regions, beat_addr(m, b, beat));

	if (from)
		memcpy(to, from, m->o.data_bytes);
}

static void accept_ar(struct axi_mem *m, const struct tma_axi_out *out)
{
	struct burst *b = must(calloc(1, sizeof(*b)));

	b->addr = out->ar_addr;
	b->id = out->ar_id;
	b->beats = out->ar_len + 1u;
	b->due = due(m, m->o.manners.slower_reads);
	b->serial = m->serial++;
	if (rng_percent(&m->rng, m->o.early_read_percent)) {
		b->data = must(malloc((size_t)b->beats * m->o.data_bytes));
		for (uint32_t i = 0; i < b->beats; i++)
			read_beat(m, b, i, b->data + (size_t)i * m->o.data_bytes);
	}
	maybe_lose(m, AXI_MEM_READ, b);
	enter(&m->reads, b);
	m->outstanding++;
	m->traffic.reads++;
}

static void drive_r(struct axi_mem *m, struct tma_axi_in *in)
{
	struct burst *b = NULL;

	if (moves(m, AXI_MEM_R))
		b = choose(m, &m->reads, m->o.reads_in_order);
	in->r_valid = b != NULL;
	if (!b)
		return;
	in->r_id = b->id;
	in->r_resp = response(m, AXI_MEM_READ, beat_addr(m, b, b->beat));
	in->r_last = b->beat + 1 == b->beats;
	if (in->r_resp != AXI_OKAY)
		for (uint32_t i = 0; i < m->o.data_bytes; i++)
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
	m->traffic.writes++;
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

/* Bytes into memory. Those of a range that answers an error stay, or some of them do. */
static void write_beat(struct axi_mem *m, const struct burst *b, uint32_t beat)
{
	uint32_t bytes = m->o.data_bytes, i;
	uint64_t addr = beat_addr(m, b, beat);
	const uint8_t *data = b->data + (size_t)beat * bytes;
	const uint8_t *strb = b->strb + (size_t)beat * bytes / 8;
	uint8_t *to = regions_at(&m->regions, addr);
	bool good = response(m, AXI_MEM_WRITE, addr) == AXI_OKAY;

	for (i = 0; to && i < bytes; i++)
		if (strb[i / 8] >> i % 8 & 1 &&
		    (good || !error_at(m, addr + i, AXI_MEM_WRITE) ||
		     (error_at(m, addr + i, AXI_MEM_TORN) && rng_percent(&m->rng, 50))))
			to[i] = data[i];
}

/* The rest of the burst into memory. Returns its response: that of the first beat that fails. */
static uint8_t write_burst(struct axi_mem *m, const struct burst *b)
{
	uint8_t resp = AXI_OKAY;

	for (uint32_t beat = 0; beat < b->beats; beat++) {
		if (resp == AXI_OKAY)
			resp = response(m, AXI_MEM_WRITE, beat_addr(m, b, beat));
		if (beat >= b->shown)
			write_beat(m, b, beat);
	}
	return resp;
}

/* A write is complete. Bursts of one id may not overtake each other on their way into memory. */
static void complete(struct axi_mem *m, struct burst *b)
{
	const struct fifo *f = &m->writes.id[b->id];
	uint64_t after = m->now;

	b->due = due(m, m->o.manners.slower_writes);
	b->serial = m->serial++;
	if (m->o.manners.early_writes && (!f->head || f->tail->early) &&
	    rng_percent(&m->rng, m->o.manners.early_writes)) {
		if (f->head && f->tail->show_at + f->tail->beats > after)
			after = f->tail->show_at + f->tail->beats;
		b->early = true;
		b->show_at = after + rng_below(&m->rng, (uint32_t)(b->due - m->now));
		m->early++;
	}
	maybe_lose(m, AXI_MEM_WRITE, b);
	enter(&m->writes, b);
}

static void show_early(struct axi_mem *m)
{
	for (uint32_t id = 0; m->early && id < NUM_IDS; id++) {
		struct burst *b = m->writes.id[id].head;

		for (; b && b->early; b = b->next)
			if (b->show_at <= m->now && b->shown < b->beats)
				write_beat(m, b, b->shown++);
	}
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
	m->early -= b->early;
	burst_free(leave(&m->writes, b->id));
}

static void drive_ready(struct axi_mem *m, const struct tma_axi_out *out, struct tma_axi_in *in)
{
	const struct burst *b = m->arriving.head;
	struct axi_traffic *t = &m->traffic;
	bool ar = moves(m, AXI_MEM_AR), aw = moves(m, AXI_MEM_AW), w = moves(m, AXI_MEM_W);

	t->aw_ahead = b && b->has_addr;
	t->w_ahead = b && !b->has_addr;
	t->ar_waits = out->ar_valid && !in->ar_ready ? t->ar_waits + 1 : 0;
	t->aw_waits = out->aw_valid && !in->aw_ready ? t->aw_waits + 1 : 0;
	axi_manners_ready(&m->o.manners, t, out, in, &ar, &aw, &w);
	in->ar_ready = ar;
	in->aw_ready = aw;
	in->w_ready = w;
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
	while (m->arriving.head && m->arriving.head->has_addr && m->arriving.head->has_data)
		complete(m, pop(&m->arriving));
	show_early(m);
	m->outstanding -= (r_taken && in->r_last) + b_taken;
	m->traffic.reads -= r_taken && in->r_last;
	m->traffic.writes -= b_taken;
	if (!in->r_valid || r_taken)
		drive_r(m, in);
	if (!in->b_valid || b_taken)
		drive_b(m, in);
	drive_ready(m, out, in);
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
	for (uint32_t id = 0; id < NUM_IDS; id++) {
		while (m->reads.id[id].head)
			burst_free(leave(&m->reads, (uint8_t)id));
		while (m->writes.id[id].head)
			burst_free(leave(&m->writes, (uint8_t)id));
	}
	while (m->arriving.head)
		burst_free(pop(&m->arriving));
	m->outstanding = m->early = 0;
	m->traffic = (struct axi_traffic){ 0 };
	m->stop = m->lose = 0;
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
