/* SPDX-License-Identifier: Apache-2.0 */
/* Pins to bursts. */
#include "lib/axi_observe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/must.h"

#define NUM_IDS 256

/* A FIFO that grows; room is a power of two. */
struct bursts {
	struct axi_burst *at;
	uint32_t first, count, room;
};

struct w_beat {
	uint8_t data[TMA_SIM_MAX_BEAT], strb[TMA_SIM_MAX_BEAT / 8];
	bool last;
};

/* An address channel. */
struct address {
	uint64_t since;         /* of the address on it, plus 1; 0: none */
	uint64_t issued;        /* likewise */
	uint64_t before, taken; /* of the last one that left: when it came, plus 1; when it left, plus 1 */
};

struct axi_observe {
	struct axi_watcher w;
	uint32_t data_bytes;
	struct address raddr, waddr;
	struct bursts read[NUM_IDS], aw, done[NUM_IDS]; /* aw: whose W is not complete; done: without B */
	struct w_beat *early;                           /* W before their AW */
	uint32_t num_early, room_early, early_last;
	uint32_t reads, writes;
};

static struct axi_burst *head(struct bursts *f)
{
	return f->count ? &f->at[f->first] : NULL;
}

static struct axi_burst *put(struct bursts *f, const struct axi_burst *b)
{
	struct axi_burst *to;

	if (f->count == f->room) {
		uint32_t room = f->room ? 2 * f->room : 16, i;
		struct axi_burst *at = must(malloc(room * sizeof(*at)));

		for (i = 0; i < f->count; i++)
			at[i] = f->at[(f->first + i) & (f->room - 1)];
		free(f->at);
		*f = (struct bursts){ at, 0, f->count, room };
	}
	to = &f->at[(f->first + f->count++) & (f->room - 1)];
	*to = *b;
	return to;
}

static void drop(struct bursts *f)
{
	f->first = (f->first + 1) & (f->room - 1);
	f->count--;
}

static void pair_w(struct axi_observe *o, const uint8_t *data, const uint8_t *strb, bool last)
{
	struct axi_burst *b = head(&o->aw);

	b->done++;
	if (o->w.beat)
		o->w.beat(o->w.arg, b, &(struct axi_beat){ data, strb, 0, last });
	if (!last)
		return;
	put(&o->done[b->id], b);
	drop(&o->aw);
}

static void take_w(struct axi_observe *o, const struct tma_axi_out *out)
{
	struct w_beat *e;

	if (o->aw.count) {
		pair_w(o, out->w_data, out->w_strb, out->w_last);
		return;
	}
	o->early = must_grow(o->early, o->num_early, &o->room_early, sizeof(*o->early));
	e = &o->early[o->num_early++];
	memcpy(e->data, out->w_data, o->data_bytes);
	memcpy(e->strb, out->w_strb, o->data_bytes / 8);
	e->last = out->w_last;
	o->early_last += e->last;
}

static void pair_early(struct axi_observe *o)
{
	uint32_t used = 0;

	while (used < o->num_early && o->aw.count) {
		o->early_last -= o->early[used].last;
		pair_w(o, o->early[used].data, o->early[used].strb, o->early[used].last);
		used++;
	}
	o->num_early -= used;
	if (used && o->num_early)
		memmove(o->early, o->early + used, o->num_early * sizeof(*o->early));
}

static void take_addr(struct axi_observe *o, struct bursts *f, const struct axi_burst *b)
{
	struct axi_burst *to = put(f, b);

	*(b->write ? &o->writes : &o->reads) += 1;
	if (o->w.addr)
		o->w.addr(o->w.arg, to);
}

static void take_r(struct axi_observe *o, const struct tma_axi_in *in)
{
	struct bursts *f = &o->read[in->r_id];
	struct axi_burst *b = head(f);

	if (!b) {
		if (o->w.stray)
			o->w.stray(o->w.arg, false, in->r_id);
		return;
	}
	b->done++;
	if (o->w.beat)
		o->w.beat(o->w.arg, b, &(struct axi_beat){ in->r_data, NULL, in->r_resp, in->r_last });
	if (b->done < b->beats)
		return;
	o->reads--;
	if (o->w.end)
		o->w.end(o->w.arg, b, in->r_resp);
	drop(f);
}

static void take_b(struct axi_observe *o, const struct tma_axi_in *in)
{
	struct bursts *f = &o->done[in->b_id];
	struct axi_burst *b = head(f);

	if (!b) {
		if (o->w.stray)
			o->w.stray(o->w.arg, true, in->b_id);
		return;
	}
	o->writes--;
	if (o->w.end)
		o->w.end(o->w.arg, b, in->b_resp);
	drop(f);
}

static void address_shows(struct address *a, uint64_t cycle)
{
	if (a->since)
		return;
	a->since = cycle + 1;
	/* It may have waited behind the one that has just left. */
	a->issued = a->before && a->taken == cycle ? a->before : a->since;
}

static void address_leaves(struct address *a, uint64_t cycle)
{
	a->before = a->since;
	a->taken = cycle + 1;
	a->since = 0;
}

void axi_observe_step(struct axi_observe *o, uint64_t cycle, const struct tma_axi_out *out,
                      const struct tma_axi_in *in)
{
	if (in->r_valid && out->r_ready)
		take_r(o, in);
	if (in->b_valid && out->b_ready)
		take_b(o, in);
	if (out->ar_valid)
		address_shows(&o->raddr, cycle);
	if (out->aw_valid)
		address_shows(&o->waddr, cycle);
#define ADDR(write, from, x)                                                                              \
	(struct axi_burst)                                                                                \
	{                                                                                                 \
		write, (from)->since - 1, cycle, (from)->issued - 1, out->x##_addr, out->x##_len + 1u, 0, \
			out->x##_user, out->x##_id, out->x##_size, out->x##_burst, out->x##_cache,        \
			out->x##_prot, out->x##_qos,                                                      \
		{                                                                                         \
			0                                                                                 \
		}                                                                                         \
	}
	if (out->ar_valid && in->ar_ready) {
		take_addr(o, &o->read[out->ar_id], &ADDR(false, &o->raddr, ar));
		address_leaves(&o->raddr, cycle);
	}
	if (out->aw_valid && in->aw_ready) {
		take_addr(o, &o->aw, &ADDR(true, &o->waddr, aw));
		address_leaves(&o->waddr, cycle);
		pair_early(o);
	}
#undef ADDR
	if (out->w_valid && in->w_ready)
		take_w(o, out);
}

uint32_t axi_observe_reads(const struct axi_observe *o)
{
	return o->reads;
}

uint32_t axi_observe_writes(const struct axi_observe *o)
{
	/* W of an AW that was taken in this cycle are about to find it. */
	return o->writes + (o->num_early && !o->aw.count);
}

int32_t axi_observe_lead(const struct axi_observe *o)
{
	return (int32_t)o->aw.count - (int32_t)o->early_last;
}

void axi_observe_reset(struct axi_observe *o)
{
	for (uint32_t id = 0; id < NUM_IDS; id++)
		o->read[id].count = o->done[id].count = 0;
	o->aw.count = o->num_early = o->early_last = 0;
	o->reads = o->writes = 0;
	o->raddr = o->waddr = (struct address){ 0 };
}

struct axi_observe *axi_observe_new(uint32_t data_bytes, const struct axi_watcher *watcher)
{
	struct axi_observe *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	o->data_bytes = data_bytes;
	o->w = *watcher;
	return o;
}

void axi_observe_free(struct axi_observe *o)
{
	if (!o)
		return;
	for (uint32_t id = 0; id < NUM_IDS; id++) {
		free(o->read[id].at);
		free(o->done[id].at);
	}
	free(o->aw.at);
	free(o->early);
	free(o);
}
