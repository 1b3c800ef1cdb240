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

#include "lib/axi_ids.h"
#include "lib/axi_observe.h"
#include "lib/monitor_regs.h"
#include "lib/must.h"

#define MAX_PRINT 5
#define PAGE      UINT64_C(0x1000)
/* Bursts of broadcasts that some port has not shown. The engine cannot be that far ahead of a port. */
#define MAX_OPEN 4096u

#define FNV_BASE  UINT64_C(0xCBF29CE484222325)
#define FNV_PRIME UINT64_C(0x100000001B3)

/* What a write may be. */
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
	struct axi_monitor *monitor;
	uint32_t number;
	struct axi_observe *books;
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

/*
 * What is allowed.
 */

/* A burst looks as its queue's registers and AXCACHE say, or said when it was made. */
static void check_attributes(struct axi_monitor *m, uint32_t port, const struct axi_burst *b, uint8_t stream)
{
	if (!monitor_prot(&m->regs, stream, b->prot))
		fail(m, port, "burst at %#" PRIx64 ": AxPROT %u is not that of stream %u", b->addr, b->prot,
		     stream);
	if (!monitor_cache(&m->regs, b->cache))
		fail(m, port, "burst at %#" PRIx64 ": AxCACHE %u is not that of the register", b->addr,
		     b->cache);
}

static bool is_reduction(const struct axi_monitor *m, const struct axi_burst *b)
{
	return m->o.reductions && b->id == (b->write ? m->o.reduce_id : AXI_ID_REDUCE);
}

/* Multimem windows that the page may belong to. */
static uint32_t windows_of(const struct axi_monitor *m, uint32_t port, uint8_t stream, uint64_t page)
{
	uint32_t windows = 0;

	for (uint32_t w = 0; w < MONITOR_MULTIMEM; w++) {
		uint64_t global;

		if (monitor_translate_back(&m->regs, w, port, page, &global) &&
		    monitor_allows(&m->regs, stream, MONITOR_MULTIMEM_ATTR, global))
			windows |= 1u << w;
	}
	return windows;
}

/* May what a reduction reads and writes be there? */
static bool may_reduce(const struct axi_monitor *m, uint32_t port, uint8_t stream, uint64_t page)
{
	return (!port && monitor_allows(&m->regs, stream, MONITOR_READ, page) &&
	        monitor_allows(&m->regs, stream, MONITOR_WRITE, page)) ||
	       windows_of(m, port, stream, page);
}

static void check_ar(struct axi_monitor *m, uint32_t port, const struct axi_burst *b)
{
	uint8_t stream = (uint8_t)(b->user >> 8);
	uint64_t last = b->addr + (uint64_t)(b->beats - 1) * m->o.data_bytes;
	bool reduction = is_reduction(m, b);
	uint64_t page;

	if (port && !reduction) {
		fail(m, port, "read of %#" PRIx64 ": reads belong on port 0", b->addr);
		return;
	}
	if (!monitor_stream(&m->regs, stream)) {
		fail(m, port, "read of %#" PRIx64 ": stream %u is no queue's", b->addr, stream);
		return;
	}
	check_attributes(m, port, b, stream);
	for (page = b->addr & ~(PAGE - 1);; page += PAGE) {
		if (reduction ? !may_reduce(m, port, stream, page)
		              : !monitor_allows(&m->regs, stream, MONITOR_READ, page)) {
			fail(m, port, "read of %#" PRIx64 " in no window of stream %u", page, stream);
			return;
		}
		if (page == (last & ~(PAGE - 1)))
			return;
	}
}

static struct burst judge_aw(struct axi_monitor *m, uint32_t port, const struct axi_burst *aw)
{
	struct burst b = { .addr = aw->addr, .stream = (uint8_t)(aw->user >> 8) };
	uint64_t page = b.addr & ~(PAGE - 1);
	uint64_t end = b.addr + (uint64_t)(aw->beats - 1) * m->o.data_bytes;

	if (!monitor_stream(&m->regs, b.stream)) {
		fail(m, port, "write of %#" PRIx64 ": stream %u is no queue's", b.addr, b.stream);
		return b;
	}
	check_attributes(m, port, aw, b.stream);
	if ((end & ~(PAGE - 1)) != page) {
		fail(m, port, "write of %#" PRIx64 " leaves its page", b.addr);
		return b;
	}
	b.plain = !port && monitor_allows(&m->regs, b.stream, MONITOR_WRITE, page);
	b.windows = windows_of(m, port, b.stream, page);
	if (is_reduction(m, aw)) {
		b.plain = may_reduce(m, port, b.stream, page);
		/* Every port has values of its own. */
		b.windows = 0;
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
	uint32_t want;

	for (uint32_t w = 0; w < MONITOR_MULTIMEM; w++) {
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
	for (uint32_t i = 0; i < m->num_open; i++) {
		struct broadcast *x = &m->open[i];

		if (x->stream != b->stream || x->hash != hash || x->seen >> port & 1)
			continue;
		for (uint32_t w = 0; w < MONITOR_MULTIMEM; w++)
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
		m->open = must_grow(m->open, m->num_open, &m->room_open, sizeof(*m->open));
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

static uint64_t mix(uint64_t hash, uint8_t byte)
{
	return (hash ^ byte) * FNV_PRIME;
}

/* Strobes, and the bytes that have one. */
static uint64_t hash_w(const struct axi_monitor *m, uint64_t hash, const struct axi_beat *beat)
{
	for (uint32_t i = 0; i < m->o.data_bytes; i++) {
		bool strobed = beat->strb[i / 8] >> i % 8 & 1;

		hash = mix(hash, strobed);
		if (strobed)
			hash = mix(hash, beat->data[i]);
	}
	return hash;
}

/* Tags of a write: what it may be, and the hash of its W so far. */
static void on_addr(void *arg, struct axi_burst *b)
{
	struct port *p = arg;
	struct burst may_be;

	if (!b->write) {
		check_ar(p->monitor, p->number, b);
		return;
	}
	may_be = judge_aw(p->monitor, p->number, b);
	b->tag[0] = (uint64_t)may_be.windows << 1 | may_be.plain;
	b->tag[1] = FNV_BASE;
}

static void on_beat(void *arg, struct axi_burst *b, const struct axi_beat *beat)
{
	struct port *p = arg;

	if (!b->write)
		return;
	b->tag[1] = hash_w(p->monitor, b->tag[1], beat);
	if (beat->last && b->tag[0] >> 1)
		broadcast(p->monitor, p->number,
		          &(struct burst){ .addr = b->addr,
		                           .stream = (uint8_t)(b->user >> 8),
		                           .plain = b->tag[0] & 1,
		                           .windows = (uint32_t)(b->tag[0] >> 1) },
		          b->tag[1]);
}

void axi_monitor_step(struct axi_monitor *m, uint32_t port, uint64_t cycle, const struct tma_axi_out *out,
                      const struct tma_axi_in *in)
{
	m->cycle = cycle;
	axi_observe_step(m->port[port].books, cycle, out, in);
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
	for (uint32_t i = 0; i < m->num_open; i++)
		if (m->open[i].certain)
			incomplete(m, &m->open[i]);
	m->num_open = 0;
	monitor_settle(&m->regs);
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
	monitor_regs_reset(&m->regs, m->o.ports);
	for (uint32_t i = 0; i < m->o.ports; i++)
		axi_observe_reset(m->port[i].books);
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
	for (uint32_t i = 0; i < opts->ports; i++) {
		struct axi_watcher watcher = { .arg = &m->port[i], .addr = on_addr, .beat = on_beat };

		m->port[i] = (struct port){ m, i, axi_observe_new(opts->data_bytes, &watcher) };
		if (!m->port[i].books) {
			axi_monitor_free(m);
			return NULL;
		}
	}
	axi_monitor_reset(m);
	return m;
}

void axi_monitor_free(struct axi_monitor *m)
{
	if (!m)
		return;
	for (uint32_t i = 0; i < m->o.ports; i++)
		axi_observe_free(m->port[i].books);
	free(m->open);
	free(m);
}
