/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of an AXI4 port, see the header. Keeps its own books: it checks the memory model as well. */
#include "lib/axi_check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/ranges.h"

#define NUM_IDS   256
#define MAX_PRINT 5

#define BURST_INCR  1
#define RESP_EXOKAY 1
#define PAGE        4096u

#define CLIENT_SHIFT    2 /* of an id */
#define CLIENT_PREFETCH 1 /* the lower one is that of loads */
#define CLIENT_CP       5

struct burst {
	uint64_t addr;
	uint32_t beats; /* read: still to come; write: in all */
	uint8_t id;
};

/* A FIFO that grows. */
struct bursts {
	struct burst *at;
	uint32_t first, count, room; /* room is a power of two */
};

struct w_beat {
	uint8_t strb[TMA_SIM_MAX_BEAT / 8];
	uint8_t last;
};

struct axi_check {
	struct axi_check_opts o;
	struct ranges legal;
	bool in_reset; /* the cycle before was */
	bool started;  /* prev_* hold the cycle before */
	struct tma_axi_out prev_out;
	struct tma_axi_in prev_in;
	uint64_t cycle;
	uint32_t reads, writes;
	struct bursts read[NUM_IDS]; /* per id */
	struct bursts aw;            /* writes whose W is not complete */
	uint32_t done[NUM_IDS];      /* writes that wait for B, per id */
	struct w_beat *early;        /* W beats before their AW */
	uint32_t num_early, room_early;
	uint32_t beat; /* of the write at the head of aw */
	int failed;
	char last[200];
};

static void __attribute__((format(printf, 3, 4)))
fail(struct axi_check *c, const char *channel, const char *format, ...)
{
	char text[140];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(c->last, sizeof(c->last), "port %" PRIu32 " %s cycle %" PRIu64 ": %s", c->o.port, channel,
	         c->cycle, text);
	if (c->failed++ < MAX_PRINT && !c->o.quiet)
		fprintf(stderr, "axi_check: %s\n", c->last);
}

static void *must(void *p)
{
	if (!p) {
		fprintf(stderr, "axi_check: out of memory\n");
		abort();
	}
	return p;
}

static void put(struct bursts *f, struct burst b)
{
	if (f->count == f->room) {
		uint32_t room = f->room ? 2 * f->room : 16, i;
		struct burst *at = must(malloc(room * sizeof(*at)));

		for (i = 0; i < f->count; i++)
			at[i] = f->at[(f->first + i) & (f->room - 1)];
		free(f->at);
		*f = (struct bursts){ at, 0, f->count, room };
	}
	f->at[(f->first + f->count++) & (f->room - 1)] = b;
}

static void drop(struct bursts *f)
{
	f->first = (f->first + 1) & (f->room - 1);
	f->count--;
}

/*
 * Stability. A payload is compared field by field: padding and fields of other channels move.
 */

#define MOVED(side, field) (memcmp(&side->field, &was->field, sizeof(side->field)) != 0)

static void check_stable_out(struct axi_check *c, const struct tma_axi_out *out)
{
	const struct tma_axi_out *was = &c->prev_out;
	const struct tma_axi_in *in = &c->prev_in;

	if (was->ar_valid && !in->ar_ready) {
		if (!out->ar_valid)
			fail(c, "AR", "valid dropped before ready");
		else if (MOVED(out, ar_addr) || MOVED(out, ar_len) || MOVED(out, ar_size) ||
		         MOVED(out, ar_burst) || MOVED(out, ar_cache) || MOVED(out, ar_prot) ||
		         MOVED(out, ar_qos) || MOVED(out, ar_id) || MOVED(out, ar_user))
			fail(c, "AR", "payload changed before ready");
	}
	if (was->aw_valid && !in->aw_ready) {
		if (!out->aw_valid)
			fail(c, "AW", "valid dropped before ready");
		else if (MOVED(out, aw_addr) || MOVED(out, aw_len) || MOVED(out, aw_size) ||
		         MOVED(out, aw_burst) || MOVED(out, aw_cache) || MOVED(out, aw_prot) ||
		         MOVED(out, aw_qos) || MOVED(out, aw_id) || MOVED(out, aw_user))
			fail(c, "AW", "payload changed before ready");
	}
	if (was->w_valid && !in->w_ready) {
		if (!out->w_valid)
			fail(c, "W", "valid dropped before ready");
		else if (MOVED(out, w_last) || memcmp(out->w_data, was->w_data, c->o.data_bytes) ||
		         memcmp(out->w_strb, was->w_strb, c->o.data_bytes / 8))
			fail(c, "W", "payload changed before ready");
	}
}

static void check_stable_in(struct axi_check *c, const struct tma_axi_in *in)
{
	const struct tma_axi_in *was = &c->prev_in;
	const struct tma_axi_out *out = &c->prev_out;

	if (was->r_valid && !out->r_ready) {
		if (!in->r_valid)
			fail(c, "R", "valid dropped before ready");
		else if (MOVED(in, r_last) || MOVED(in, r_resp) || MOVED(in, r_id) ||
		         memcmp(in->r_data, was->r_data, c->o.data_bytes))
			fail(c, "R", "payload changed before ready");
	}
	if (was->b_valid && !out->b_ready) {
		if (!in->b_valid)
			fail(c, "B", "valid dropped before ready");
		else if (MOVED(in, b_resp) || MOVED(in, b_id))
			fail(c, "B", "payload changed before ready");
	}
}

/*
 * Addresses.
 */

static void check_burst(struct axi_check *c, const char *channel, uint64_t addr, uint32_t len, uint32_t size,
                        uint32_t burst, uint32_t id, uint32_t reserved)
{
	uint32_t bytes = c->o.data_bytes;

	if (burst != BURST_INCR)
		fail(c, channel, "burst type %u is not INCR", burst);
	if (size > 7 || 1u << size != bytes)
		fail(c, channel, "size %u is not the full width", size);
	if (addr % bytes)
		fail(c, channel, "address %#" PRIx64 " is not aligned to a beat", addr);
	if (addr % PAGE / bytes + len + 1 > PAGE / bytes)
		fail(c, channel, "burst crosses 4 KiB: address %#" PRIx64 ", %u beats", addr, len + 1);
	if (id >= c->o.ids)
		fail(c, channel, "id %u is out of range", id);
	if (reserved)
		fail(c, channel, "user has reserved bits %#x", reserved);
}

/* Bits of AxUSER that a read must leave zero: hints are cp.async's, the L2 promotion of tensor maps is
 * that of loads and prefetches too. */
static uint32_t reserved_user(uint32_t client)
{
	return client == CLIENT_CP ? 0x80 : client <= CLIENT_PREFETCH ? 0xC0 : 0xF0;
}

static void check_ar(struct axi_check *c, const struct tma_axi_out *out)
{
	uint32_t beat;

	check_burst(c, "AR", out->ar_addr, out->ar_len, out->ar_size, out->ar_burst, out->ar_id,
	            out->ar_user & reserved_user(out->ar_id >> CLIENT_SHIFT));
	for (beat = 0; beat <= out->ar_len; beat++) {
		uint64_t addr = out->ar_addr + (uint64_t)beat * c->o.data_bytes;

		if (!ranges_touch(&c->legal, addr, c->o.data_bytes, AXI_CHECK_READ)) {
			fail(c, "AR", "read of %#" PRIx64 " is not legal", addr);
			break;
		}
	}
	put(&c->read[out->ar_id], (struct burst){ out->ar_addr, out->ar_len + 1u, out->ar_id });
	if (c->o.max_reads && c->reads == c->o.max_reads)
		fail(c, "AR", "more than %u reads outstanding", c->o.max_reads);
	c->reads++;
}

static bool strobed(const uint8_t *strb, uint32_t i)
{
	return strb[i / 8] >> i % 8 & 1;
}

static void check_strobes(struct axi_check *c, uint64_t addr, const uint8_t *strb)
{
	uint64_t aligned = addr & ~(uint64_t)(c->o.data_bytes - 1);
	const struct range *r = ranges_touch(&c->legal, aligned, c->o.data_bytes, AXI_CHECK_WRITE);
	bool whole = r && r->first <= aligned && aligned + (c->o.data_bytes - 1) <= r->last;
	uint32_t i;

	for (i = 0; i < c->o.data_bytes; i++) {
		if (!strobed(strb, i))
			continue;
		if (aligned + i < addr) {
			fail(c, "W", "strobe below the burst's first byte %#" PRIx64, addr);
			return;
		}
		if (!whole && !ranges_touch(&c->legal, aligned + i, 1, AXI_CHECK_WRITE)) {
			fail(c, "W", "write of %#" PRIx64 " is not legal", aligned + i);
			return;
		}
	}
}

/* A beat that belongs to the write at the head of aw. */
static void pair_w(struct axi_check *c, const struct w_beat *w)
{
	const struct burst b = c->aw.at[c->aw.first];
	uint64_t addr = b.addr;

	if (c->beat)
		addr = (addr & ~(uint64_t)(c->o.data_bytes - 1)) + (uint64_t)c->beat * c->o.data_bytes;
	check_strobes(c, addr, w->strb);
	c->beat++;
	if (w->last && c->beat != b.beats)
		fail(c, "W", "WLAST on beat %u of %u", c->beat, b.beats);
	if (!w->last && c->beat == b.beats)
		fail(c, "W", "no WLAST on beat %u of %u", c->beat, b.beats);
	/* After a wrong WLAST the engine's view counts, or each later beat would fail too. */
	if (w->last) {
		drop(&c->aw);
		c->beat = 0;
		c->done[b.id]++;
	}
}

static void pair_early(struct axi_check *c)
{
	uint32_t used = 0;

	while (used < c->num_early && c->aw.count) {
		pair_w(c, &c->early[used]);
		used++;
	}
	c->num_early -= used;
	if (used && c->num_early)
		memmove(c->early, c->early + used, c->num_early * sizeof(*c->early));
}

static void check_aw(struct axi_check *c, const struct tma_axi_out *out)
{
	check_burst(c, "AW", out->aw_addr, out->aw_len, out->aw_size, out->aw_burst, out->aw_id,
	            out->aw_user & 0xF0);
	put(&c->aw, (struct burst){ out->aw_addr, out->aw_len + 1u, out->aw_id });
	c->writes++;
	pair_early(c);
}

static void check_w(struct axi_check *c, const struct tma_axi_out *out)
{
	struct w_beat *b;

	if (c->num_early == c->room_early) {
		c->room_early = c->room_early ? 2 * c->room_early : 64;
		c->early = must(realloc(c->early, c->room_early * sizeof(*c->early)));
	}
	b = &c->early[c->num_early++];
	memcpy(b->strb, out->w_strb, sizeof(b->strb));
	b->last = out->w_last;
	pair_early(c);
}

/*
 * Responses.
 */

static void check_r(struct axi_check *c, const struct tma_axi_in *in)
{
	struct bursts *f = &c->read[in->r_id];
	struct burst *b;

	if (in->r_resp == RESP_EXOKAY || in->r_resp > 3)
		fail(c, "R", "response %u", in->r_resp);
	if (!f->count) {
		fail(c, "R", "data for id %u, which has no read outstanding", in->r_id);
		return;
	}
	b = &f->at[f->first];
	if (in->r_last != (b->beats == 1))
		fail(c, "R", "RLAST is %u with %u beats left of id %u", in->r_last, b->beats, in->r_id);
	if (--b->beats == 0) {
		drop(f);
		c->reads--;
	}
}

static void check_b(struct axi_check *c, const struct tma_axi_in *in)
{
	if (in->b_resp == RESP_EXOKAY || in->b_resp > 3)
		fail(c, "B", "response %u", in->b_resp);
	if (!c->done[in->b_id]) {
		fail(c, "B", "response for id %u, which has no complete write outstanding", in->b_id);
		return;
	}
	c->done[in->b_id]--;
	c->writes--;
}

void axi_check_step(struct axi_check *c, uint64_t cycle, bool rst_n, const struct tma_axi_out *out,
                    const struct tma_axi_in *in)
{
	c->cycle = cycle;
	if (!rst_n) {
		/* The first cycle of a reset comes before the clock edge that resets. */
		if (c->in_reset && (out->ar_valid || out->aw_valid || out->w_valid))
			fail(c, out->ar_valid ? "AR" : out->aw_valid ? "AW" : "W", "valid during reset");
		c->in_reset = true;
		c->started = false;
		return;
	}
	c->in_reset = false;
	if (c->started) {
		check_stable_out(c, out);
		check_stable_in(c, in);
	}
	/* Responses first: they cannot belong to what is accepted in the same cycle. */
	if (in->r_valid && out->r_ready)
		check_r(c, in);
	if (in->b_valid && out->b_ready)
		check_b(c, in);
	if (out->ar_valid && in->ar_ready)
		check_ar(c, out);
	if (out->aw_valid && in->aw_ready)
		check_aw(c, out);
	if (out->w_valid && in->w_ready)
		check_w(c, out);
	c->prev_out = *out;
	c->prev_in = *in;
	c->started = true;
}

/*
 * Life.
 */

int axi_check_legal(struct axi_check *c, uint32_t owner, uint32_t dirs, uint64_t base, uint64_t size)
{
	return ranges_add(&c->legal, base, size, dirs, owner);
}

void axi_check_legal_drop(struct axi_check *c, uint32_t owner)
{
	ranges_drop(&c->legal, owner);
}

void axi_check_legal_none(struct axi_check *c)
{
	ranges_clear(&c->legal);
}

int axi_check_failed(const struct axi_check *c)
{
	return c->failed;
}

const char *axi_check_last(const struct axi_check *c)
{
	return c->last;
}

uint32_t axi_check_reads(const struct axi_check *c)
{
	return c->reads;
}

uint32_t axi_check_writes(const struct axi_check *c)
{
	/* Beats without an address belong to a write that has begun. */
	return c->writes + (c->num_early != 0);
}

void axi_check_reset(struct axi_check *c)
{
	uint32_t id;

	for (id = 0; id < NUM_IDS; id++) {
		c->read[id].count = 0;
		c->done[id] = 0;
	}
	c->aw.count = 0;
	c->num_early = 0;
	c->beat = 0;
	c->reads = 0;
	c->writes = 0;
	c->started = false;
}

struct axi_check *axi_check_new(const struct axi_check_opts *opts)
{
	struct axi_check *c;

	if (!opts->data_bytes || opts->data_bytes > TMA_SIM_MAX_BEAT || opts->ids > NUM_IDS)
		return NULL;
	c = calloc(1, sizeof(*c));
	if (c)
		c->o = *opts;
	return c;
}

void axi_check_free(struct axi_check *c)
{
	uint32_t id;

	if (!c)
		return;
	for (id = 0; id < NUM_IDS; id++)
		free(c->read[id].at);
	free(c->aw.at);
	free(c->early);
	ranges_clear(&c->legal);
	free(c);
}
