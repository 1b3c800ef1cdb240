/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of an AXI4 port, see the header. The books are the observer's, not those of the memory, which it checks as well. */
#include "lib/axi_check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/axi_ids.h"
#include "lib/axi_observe.h"
#include "lib/ranges.h"

#define MAX_PRINT 5

#define BURST_INCR  1
#define RESP_EXOKAY 1
#define PAGE        4096u

/* Ids of the engine, but for those of reductions. Reads: loads and cp.async have four channels. Writes: broadcasts
 * have one of their own. */
#define READ_IDS  0xF0111Fu
#define WRITE_IDS 3u
/* AxCACHE that AXI4 reserves: allocate bits without "modifiable". */
#define RESERVED_CACHE 0x3330u
#define EXCUSED        5000u /* cycles behind an error response */

struct axi_check {
	struct axi_check_opts o;
	struct ranges legal;
	bool in_reset; /* the cycle before was */
	bool started;  /* prev_* hold the cycle before */
	struct tma_axi_out prev_out;
	struct tma_axi_in prev_in;
	uint64_t cycle;
	struct axi_observe *books;
	uint32_t writes[256];      /* outstanding, by id */
	uint32_t reduce_reads;     /* ... of reductions */
	uint32_t r_waits, b_waits; /* cycles that valid has waited */
	bool r_excused, b_excused; /* ... behind an error */
	uint64_t error_at;         /* the last one, plus 1 */
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

static bool is_reduction(const struct axi_check *c, const struct axi_burst *b)
{
	return c->o.max_reductions && b->id == (b->write ? c->o.reduce_id : AXI_ID_REDUCE);
}

static bool is_engines(const struct axi_check *c, const struct axi_burst *b)
{
	return b->id < 32 && ((b->write ? WRITE_IDS : READ_IDS) >> b->id & 1 || is_reduction(c, b));
}

static void check_burst(struct axi_check *c, const char *channel, const struct axi_burst *b,
                        uint32_t reserved)
{
	uint32_t bytes = c->o.data_bytes;

	if (b->burst != BURST_INCR)
		fail(c, channel, "burst type %u is not INCR", b->burst);
	if (b->size > 7 || 1u << b->size != bytes)
		fail(c, channel, "size %u is not the full width", b->size);
	if (b->addr % bytes)
		fail(c, channel, "address %#" PRIx64 " is not aligned to a beat", b->addr);
	if (b->addr % PAGE / bytes + b->beats > PAGE / bytes)
		fail(c, channel, "burst crosses 4 KiB: address %#" PRIx64 ", %u beats", b->addr, b->beats);
	if (c->o.engine ? !is_engines(c, b) : b->id >= c->o.ids)
		fail(c, channel, "id %u is out of range", b->id);
	if (b->cache > 15 || RESERVED_CACHE >> b->cache & 1)
		fail(c, channel, "cache %#x is reserved", b->cache);
	if (b->user & reserved)
		fail(c, channel, "user has reserved bits %#x", b->user & reserved);
}

/* Bits of AxUSER that a read must leave zero: hints are cp.async's, the L2 promotion of tensor maps is
 * that of loads and prefetches too. */
static uint32_t reserved_user(uint32_t client)
{
	return client == AXI_CLIENT_CP ? 0x80 : client <= AXI_CLIENT_PREFETCH ? 0xC0 : 0xF0;
}

static bool is_hinted(uint32_t client)
{
	return client != AXI_CLIENT_MAP && client != AXI_CLIENT_RING;
}

/* A burst that is updated is being read, or is to be written, or is being written. */
static void check_reductions(struct axi_check *c, const char *channel)
{
	if (c->reduce_reads + c->writes[c->o.reduce_id] > c->o.max_reductions)
		fail(c, channel, "more than %u bursts of reductions outstanding", c->o.max_reductions);
}

static void check_ar(struct axi_check *c, const struct axi_burst *b)
{
	uint32_t beat, client = b->id >> AXI_CLIENT_SHIFT;

	check_burst(c, "AR", b, reserved_user(client));
	if (c->o.engine && !is_hinted(client) && (b->qos || b->user & 0xF))
		fail(c, "AR", "qos %u and hints %#x of client %u", b->qos, b->user & 0xF, client);
	for (beat = 0; beat < b->beats; beat++) {
		uint64_t addr = b->addr + (uint64_t)beat * c->o.data_bytes;

		if (!ranges_touch(&c->legal, addr, c->o.data_bytes, AXI_CHECK_READ)) {
			fail(c, "AR", "read of %#" PRIx64 " is not legal", addr);
			break;
		}
	}
	if (is_reduction(c, b)) {
		c->reduce_reads++;
		check_reductions(c, "AR");
	} else if (c->o.max_reads && axi_check_reads(c) - c->reduce_reads > c->o.max_reads) {
		fail(c, "AR", "more than %u reads outstanding", c->o.max_reads);
	}
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

	for (uint32_t i = 0; i < c->o.data_bytes; i++) {
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

/*
 * What the observer hands out.
 */

static void on_addr(void *arg, struct axi_burst *b)
{
	struct axi_check *c = arg;

	if (!b->write) {
		check_ar(c, b);
		return;
	}
	check_burst(c, "AW", b, 0xF0);
	c->writes[b->id]++;
	if (is_reduction(c, b))
		check_reductions(c, "AW");
	else if (c->writes[b->id] > c->o.max_writes && c->o.max_writes)
		fail(c, "AW", "more than %u writes of id %u outstanding", c->o.max_writes, b->id);
}

static void check_resp(struct axi_check *c, const char *channel, uint8_t resp)
{
	if (resp == RESP_EXOKAY || resp > 3)
		fail(c, channel, "response %u", resp);
}

static void on_beat(void *arg, struct axi_burst *b, const struct axi_beat *beat)
{
	struct axi_check *c = arg;
	uint64_t addr = b->addr;

	if (!b->write) {
		check_resp(c, "R", beat->resp);
		if (beat->last != (b->done == b->beats))
			fail(c, "R", "RLAST is %u with %u beats left of id %u", beat->last,
			     b->beats - b->done + 1, b->id);
		return;
	}
	if (b->done > 1)
		addr = (addr & ~(uint64_t)(c->o.data_bytes - 1)) + (uint64_t)(b->done - 1) * c->o.data_bytes;
	check_strobes(c, addr, beat->strb);
	/* After a wrong WLAST the engine's view counts, or each later beat would fail too. */
	if (beat->last && b->done != b->beats)
		fail(c, "W", "WLAST on beat %u of %u", b->done, b->beats);
	if (!beat->last && b->done == b->beats)
		fail(c, "W", "no WLAST on beat %u of %u", b->done, b->beats);
}

static void on_end(void *arg, const struct axi_burst *b, uint8_t resp)
{
	struct axi_check *c = arg;

	if (!b->write) {
		c->reduce_reads -= is_reduction(c, b);
		return;
	}
	check_resp(c, "B", resp);
	c->writes[b->id]--;
}

static void on_stray(void *arg, bool write, uint8_t id)
{
	struct axi_check *c = arg;

	if (write)
		fail(c, "B", "response for id %u, which has no complete write outstanding", id);
	else
		fail(c, "R", "data for id %u, which has no read outstanding", id);
}

/*
 * Cycles.
 */

/* @p when: what the cycle is to the reset. */
static void check_quiet(struct axi_check *c, const struct tma_axi_out *out, const struct tma_axi_in *in,
                        const char *when)
{
	const char *channel = out->ar_valid   ? "AR"
	                      : out->aw_valid ? "AW"
	                      : out->w_valid  ? "W"
	                      : in->r_valid   ? "R"
	                      : in->b_valid   ? "B"
	                                      : NULL;

	if (channel)
		fail(c, channel, "valid %s reset", when);
}

/* Behind an error the engine may wait for its records to be taken. */
static void check_wait(struct axi_check *c, const char *channel, uint32_t *waits, bool *excused, bool valid,
                       bool ready)
{
	*waits = valid && !ready ? *waits + 1 : 0;
	if (*waits == 1)
		*excused = c->error_at && c->cycle < c->error_at + EXCUSED;
	if (c->o.max_wait && *waits == c->o.max_wait + 1 && !*excused)
		fail(c, channel, "valid has waited for ready for %u cycles", *waits);
}

/* Of the burst of this W, the AW is valid or was taken. */
static void check_w_behind_aw(struct axi_check *c, const struct tma_axi_out *out)
{
	int32_t lead = axi_observe_lead(c->books);

	if (lead < 0 || (!lead && !out->aw_valid))
		fail(c, "W", "valid before the AW of its burst");
}

void axi_check_step(struct axi_check *c, uint64_t cycle, bool rst_n, const struct tma_axi_out *out,
                    const struct tma_axi_in *in)
{
	bool was_reset = c->in_reset;

	c->cycle = cycle;
	c->in_reset = !rst_n;
	if (!rst_n) {
		/* The first cycle of a reset comes before the clock edge that resets. */
		if (was_reset)
			check_quiet(c, out, in, "during");
		c->started = false;
		return;
	}
	if (was_reset)
		check_quiet(c, out, in, "in the first cycle after");
	if (c->started) {
		check_stable_out(c, out);
		check_stable_in(c, in);
	}
	if ((in->r_valid && in->r_resp > 1) || (in->b_valid && in->b_resp > 1))
		c->error_at = cycle + 1;
	check_wait(c, "R", &c->r_waits, &c->r_excused, in->r_valid, out->r_ready);
	check_wait(c, "B", &c->b_waits, &c->b_excused, in->b_valid, out->b_ready);
	if (c->o.engine && out->w_valid && (!c->started || !c->prev_out.w_valid || c->prev_in.w_ready))
		check_w_behind_aw(c, out);
	axi_observe_step(c->books, cycle, out, in);
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

void axi_check_max_wait(struct axi_check *c, uint32_t max_wait)
{
	c->o.max_wait = max_wait;
}

void axi_check_end(struct axi_check *c)
{
	if (axi_check_reads(c) + axi_check_writes(c))
		fail(c, "end", "%u reads and %u writes are not answered", axi_check_reads(c),
		     axi_check_writes(c));
}

uint32_t axi_check_reads(const struct axi_check *c)
{
	return axi_observe_reads(c->books);
}

uint32_t axi_check_writes(const struct axi_check *c)
{
	return axi_observe_writes(c->books);
}

void axi_check_reset(struct axi_check *c)
{
	axi_observe_reset(c->books);
	memset(c->writes, 0, sizeof(c->writes));
	c->reduce_reads = 0;
	c->r_waits = c->b_waits = 0;
	c->error_at = 0;
	c->started = false;
}

struct axi_check *axi_check_new(const struct axi_check_opts *opts)
{
	struct axi_check *c;

	if (!opts->data_bytes || opts->data_bytes > TMA_SIM_MAX_BEAT || opts->ids > 256)
		return NULL;
	c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->o = *opts;
	c->books = axi_observe_new(opts->data_bytes,
	                           &(struct axi_watcher){ c, on_addr, on_beat, on_end, on_stray });
	if (!c->books) {
		free(c);
		return NULL;
	}
	return c;
}

void axi_check_free(struct axi_check *c)
{
	if (!c)
		return;
	axi_observe_free(c->books);
	ranges_clear(&c->legal);
	free(c);
}
