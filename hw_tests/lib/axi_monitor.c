/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bursts against the set-up of their queues, and broadcasts port against port.
 *
 *	AW on port p --> which windows allow it --> with its W: one burst of a broadcast?
 *	                                            the oldest equal one that p has not shown, or a new one
 */
#include "lib/axi_monitor.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/monitor_regs.h"

#define MAX_PRINT 5
#define PAGE      UINT64_C(0x1000)
/* Bursts of broadcasts that some port has not shown. The engine cannot be that far ahead of a port. */
#define MAX_OPEN 4096u

#define FNV_BASE  UINT64_C(0xCBF29CE484222325)
#define FNV_PRIME UINT64_C(0x100000001B3)

/* A write on its way through a port. */
struct burst {
	uint64_t addr;
	uint8_t stream;
	bool plain;       /* may be a plain store */
	uint32_t windows; /* multimem windows that it may belong to */
};

/* A burst of a broadcast, as the first port has shown it. */
struct broadcast {
	uint64_t addr, hash;
	uint32_t port; /* which addr belongs to */
	uint32_t windows, seen;
	uint8_t stream;
	bool certain; /* is none other */
};

struct port {
	struct burst *aw; /* whose W is not complete, oldest first */
	uint32_t num_aw, room_aw;
	uint64_t *w; /* complete W without an AW yet, oldest first: their hashes */
	uint32_t num_w, room_w;
	uint64_t hash; /* of the W so far */
};

struct axi_monitor {
	struct axi_monitor_opts o;
	struct monitor_regs regs;
	struct port port[TMA_SIM_MAX_PORTS];
	struct broadcast *open;
	uint32_t num_open, room_open;
	uint32_t ignored; /* ports */
	uint64_t cycle;
	int failed;
	char last[200];
};

static void __attribute__((format(printf, 3, 4)))
fail(struct axi_monitor *m, uint32_t port, const char *format, ...)
{
	char text[160];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(m->last, sizeof(m->last), "port %" PRIu32 " cycle %" PRIu64 ": %s", port, m->cycle, text);
	if (m->failed++ < MAX_PRINT && !m->o.quiet)
		fprintf(stderr, "axi_monitor: %s\n", m->last);
}

/* Room for one more element. */
static void *grow(void *array, uint32_t count, uint32_t *room, size_t size)
{
	if (count < *room)
		return array;
	*room = *room ? 2 * *room : 16;
	array = realloc(array, *room * size);
	if (!array) {
		fprintf(stderr, "axi_monitor: out of memory\n");
		abort();
	}
	return array;
}

/*
 * What is allowed.
 */

static void check_ar(struct axi_monitor *m, uint32_t port, const struct tma_axi_out *out)
{
	uint8_t stream = (uint8_t)(out->ar_user >> 8);
	uint64_t last = out->ar_addr + (uint64_t)out->ar_len * m->o.data_bytes;
	uint64_t page;

	if (port) {
		fail(m, port, "read of %#" PRIx64 ": reads belong on port 0", out->ar_addr);
		return;
	}
	if (!monitor_stream(&m->regs, stream)) {
		fail(m, port, "read of %#" PRIx64 ": stream %u is no queue's", out->ar_addr, stream);
		return;
	}
	for (page = out->ar_addr & ~(PAGE - 1);; page += PAGE) {
		if (!monitor_allows(&m->regs, stream, MONITOR_READ, page)) {
			fail(m, port, "read of %#" PRIx64 " in no window of stream %u", page, stream);
			return;
		}
		if (page == (last & ~(PAGE - 1)))
			return;
	}
}

static struct burst judge_aw(struct axi_monitor *m, uint32_t port, const struct tma_axi_out *out)
{
	struct burst b = { .addr = out->aw_addr, .stream = (uint8_t)(out->aw_user >> 8) };
	uint64_t page = b.addr & ~(PAGE - 1);
	uint64_t end = b.addr + (uint64_t)out->aw_len * m->o.data_bytes;
	uint32_t w;

	if (!monitor_stream(&m->regs, b.stream)) {
		fail(m, port, "write of %#" PRIx64 ": stream %u is no queue's", b.addr, b.stream);
		return b;
	}
	if ((end & ~(PAGE - 1)) != page) {
		fail(m, port, "write of %#" PRIx64 " leaves its page", b.addr);
		return b;
	}
	b.plain = !port && monitor_allows(&m->regs, b.stream, MONITOR_WRITE, page);
	for (w = 0; w < MONITOR_MULTIMEM; w++) {
		uint64_t global;

		if (monitor_translate_back(&m->regs, w, port, page, &global) &&
		    monitor_allows(&m->regs, b.stream, MONITOR_MULTIMEM_ATTR, global))
			b.windows |= 1u << w;
	}
	if (!b.plain && !b.windows)
		fail(m, port, "write of %#" PRIx64 " in no window of stream %u", page, b.stream);
	return b;
}

/*
 * Broadcasts.
 */

static bool same_place(const struct axi_monitor *m, const struct broadcast *x, uint32_t port,
                       const struct burst *b, uint32_t w)
{
	const struct monitor_multimem *mm = &m->regs.multimem[w];

	return x->addr - mm->port_base[x->port] == b->addr - mm->port_base[port];
}

static bool complete(const struct axi_monitor *m, const struct broadcast *x)
{
	uint32_t w, want;

	for (w = 0; w < MONITOR_MULTIMEM; w++) {
		want = m->regs.multimem[w].ports & ~m->ignored;
		if (x->windows >> w & 1 && (want & ~x->seen) == 0)
			return true;
	}
	return false;
}

static void remove_open(struct axi_monitor *m, uint32_t index)
{
	m->num_open--;
	memmove(&m->open[index], &m->open[index + 1], (m->num_open - index) * sizeof(*m->open));
}

static struct broadcast *find_open(struct axi_monitor *m, uint32_t port, const struct burst *b, uint64_t hash)
{
	uint32_t i, w;

	for (i = 0; i < m->num_open; i++) {
		struct broadcast *x = &m->open[i];

		if (x->stream != b->stream || x->hash != hash || x->seen >> port & 1)
			continue;
		for (w = 0; w < MONITOR_MULTIMEM; w++)
			if ((x->windows & b->windows) >> w & 1 && same_place(m, x, port, b, w)) {
				x->windows = 1u << w;
				return x;
			}
	}
	return NULL;
}

static void incomplete(struct axi_monitor *m, const struct broadcast *x)
{
	fail(m, x->port, "write of %#" PRIx64 " by stream %u is part of a broadcast, seen on ports %#x alone",
	     x->addr, x->stream, x->seen);
}

static void broadcast(struct axi_monitor *m, uint32_t port, const struct burst *b, uint64_t hash)
{
	struct broadcast *x = find_open(m, port, b, hash);

	/* Late: the others may have shown it long ago. */
	if (!x && m->ignored >> port & 1)
		return;
	if (!x) {
		if (m->num_open == MAX_OPEN) {
			if (m->open[0].certain)
				incomplete(m, &m->open[0]);
			remove_open(m, 0);
		}
		m->open = grow(m->open, m->num_open, &m->room_open, sizeof(*m->open));
		x = &m->open[m->num_open++];
		*x = (struct broadcast){ .addr = b->addr,
			                 .hash = hash,
			                 .port = port,
			                 .windows = b->windows,
			                 .stream = b->stream };
	}
	x->seen |= 1u << port;
	x->certain |= !b->plain && !(b->windows & (b->windows - 1));
	if (complete(m, x))
		remove_open(m, (uint32_t)(x - m->open));
}

static void pair(struct axi_monitor *m, uint32_t port)
{
	struct port *p = &m->port[port];

	while (p->num_aw && p->num_w) {
		struct burst b = p->aw[0];
		uint64_t hash = p->w[0];

		memmove(p->aw, p->aw + 1, --p->num_aw * sizeof(*p->aw));
		memmove(p->w, p->w + 1, --p->num_w * sizeof(*p->w));
		if (b.windows)
			broadcast(m, port, &b, hash);
	}
}

static uint64_t mix(uint64_t hash, uint8_t byte)
{
	return (hash ^ byte) * FNV_PRIME;
}

/* Strobes, and the bytes that have one. */
static void take_w(struct axi_monitor *m, struct port *p, const struct tma_axi_out *out)
{
	uint32_t i;

	for (i = 0; i < m->o.data_bytes; i++) {
		bool strobed = out->w_strb[i / 8] >> i % 8 & 1;

		p->hash = mix(p->hash, strobed);
		if (strobed)
			p->hash = mix(p->hash, out->w_data[i]);
	}
	if (!out->w_last)
		return;
	p->w = grow(p->w, p->num_w, &p->room_w, sizeof(*p->w));
	p->w[p->num_w++] = p->hash;
	p->hash = FNV_BASE;
}

void axi_monitor_step(struct axi_monitor *m, uint32_t port, uint64_t cycle, const struct tma_axi_out *out,
                      const struct tma_axi_in *in)
{
	struct port *p = &m->port[port];

	m->cycle = cycle;
	if (out->ar_valid && in->ar_ready)
		check_ar(m, port, out);
	if (out->aw_valid && in->aw_ready) {
		p->aw = grow(p->aw, p->num_aw, &p->room_aw, sizeof(*p->aw));
		p->aw[p->num_aw++] = judge_aw(m, port, out);
	}
	if (out->w_valid && in->w_ready)
		take_w(m, p, out);
	pair(m, port);
}

void axi_monitor_ignore(struct axi_monitor *m, uint32_t ports)
{
	uint32_t i = 0;

	m->ignored |= ports;
	while (i < m->num_open) {
		if (complete(m, &m->open[i]))
			remove_open(m, i);
		else
			i++;
	}
}

void axi_monitor_settle(struct axi_monitor *m)
{
	uint32_t i;

	for (i = 0; i < m->num_open; i++)
		if (m->open[i].certain)
			incomplete(m, &m->open[i]);
	m->num_open = 0;
}

void axi_monitor_register(struct axi_monitor *m, uint32_t address, uint32_t value)
{
	monitor_write(&m->regs, address, value);
}

/*
 * Life.
 */

void axi_monitor_reset(struct axi_monitor *m)
{
	uint32_t i;

	monitor_regs_reset(&m->regs, m->o.ports);
	for (i = 0; i < TMA_SIM_MAX_PORTS; i++) {
		m->port[i].num_aw = 0;
		m->port[i].num_w = 0;
		m->port[i].hash = FNV_BASE;
	}
	m->num_open = 0;
	m->ignored = 0;
}

int axi_monitor_failed(const struct axi_monitor *m)
{
	return m->failed;
}

const char *axi_monitor_last(const struct axi_monitor *m)
{
	return m->last;
}

struct axi_monitor *axi_monitor_new(const struct axi_monitor_opts *opts)
{
	struct axi_monitor *m;

	if (!opts->data_bytes || opts->data_bytes > TMA_SIM_MAX_BEAT || opts->ports > TMA_SIM_MAX_PORTS)
		return NULL;
	m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->o = *opts;
	axi_monitor_reset(m);
	return m;
}

void axi_monitor_free(struct axi_monitor *m)
{
	uint32_t i;

	if (!m)
		return;
	for (i = 0; i < TMA_SIM_MAX_PORTS; i++) {
		free(m->port[i].aw);
		free(m->port[i].w);
	}
	free(m->open);
	free(m);
}
