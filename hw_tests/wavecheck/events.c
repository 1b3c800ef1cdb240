/* SPDX-License-Identifier: Apache-2.0 */
/* From samples to events. */
#include <stdlib.h>
#include <string.h>

#include "tma_regs.h"
#include "wavecheck/events.h"
#include "wavecheck/stable.h"
#include "wavecheck/watch.h"

/* A write on the register port whose halves or response have not all been seen. */
struct csr_write {
	uint64_t addr;
	uint32_t value;
	uint8_t strobes;
	bool have_addr, have_data, answered;
};

/* A read there. */
struct csr_read {
	uint64_t addr;
	uint32_t asked;
	bool answered;
};

struct sampler {
	const struct dump *dump;
	struct event_log *log;
	struct stable *stable;
	struct csr_write csr;
	struct csr_read read;
	struct watch watch;
	uint32_t died; /* ports, at the end of the sample before */
	uint64_t time;
	bool in_reset, idle, idle_known, irq;
};

struct sampler *sampler_new(const struct dump *d, struct event_log *log)
{
	struct sampler *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	*s = (struct sampler){ .dump = d, .log = log, .stable = stable_new(d) };
	if (!s->stable) {
		free(s);
		return NULL;
	}
	return s;
}

void sampler_free(struct sampler *s)
{
	if (!s)
		return;
	stable_free(s->stable);
	free(s);
}

void event_log_free(struct event_log *log)
{
	free(log->events);
	free(log->bytes);
}

static uint64_t get(const struct sampler *s, enum port port, unsigned unit)
{
	return dump_get(s->dump, port, unit);
}

static struct event *add(struct sampler *s, enum event_kind kind, unsigned unit)
{
	static struct event nowhere;
	struct event_log *log = s->log;

	if (log->count == log->capacity) {
		size_t grown = log->capacity ? 2 * log->capacity : 4096;
		struct event *moved = realloc(log->events, grown * sizeof(*moved));

		if (!moved) {
			log->no_memory = true;
			return &nowhere;
		}
		log->events = moved;
		log->capacity = grown;
	}
	log->events[log->count] = (struct event){
		.time = s->time, .cycle = log->cycles, .kind = (uint8_t)kind, .unit = (uint8_t)unit
	};
	return &log->events[log->count++];
}

static void attach(struct sampler *s, struct event *e, enum port port, unsigned unit, uint32_t bytes)
{
	struct event_log *log = s->log;

	if (log->used + bytes > log->bytes_capacity) {
		size_t grown = log->bytes_capacity ? 2 * log->bytes_capacity : 1 << 16;
		uint8_t *moved = realloc(log->bytes, grown);

		if (!moved) {
			log->no_memory = true;
			return;
		}
		log->bytes = moved;
		log->bytes_capacity = grown;
	}
	if (e->data == 0)
		e->data = log->used;
	dump_bytes(s->dump, port, unit, log->bytes + log->used, bytes);
	log->used += bytes;
}

static bool both(const struct sampler *s, enum port valid, enum port ready, unsigned unit)
{
	return get(s, valid, unit) && get(s, ready, unit);
}

static void broken(void *arg, enum port port, unsigned unit, const char *text)
{
	struct event *e = add(arg, EV_BROKEN, unit);

	e->broken.port = port;
	e->broken.text = text;
}

/* A write counts from the first cycle of its response on. */
static void sample_csr(struct sampler *s)
{
	struct csr_write *w = &s->csr;
	struct event *e;

	if (get(s, P_s_axil_bvalid_o, 0)) {
		if (!w->answered && !(w->have_addr && w->have_data)) {
			broken(s, P_s_axil_bvalid_o, 0, "a response without a write");
		} else if (!w->answered && get(s, P_s_axil_bresp_o, 0) == 0) {
			e = add(s, EV_CSR_WRITE, 0);
			e->addr = w->addr;
			e->csr.value = w->value;
			e->csr.strobes = w->strobes;
			if (w->addr == TMA_REG_WATCHDOG)
				watch_limit(&s->watch, w->value, w->strobes);
		}
		w->answered = !get(s, P_s_axil_bready_i, 0);
		if (!w->answered)
			w->have_addr = w->have_data = false;
	}
	if (both(s, P_s_axil_awvalid_i, P_s_axil_awready_o, 0)) {
		w->addr = get(s, P_s_axil_awaddr_i, 0);
		w->have_addr = true;
	}
	if (both(s, P_s_axil_wvalid_i, P_s_axil_wready_o, 0)) {
		w->value = (uint32_t)get(s, P_s_axil_wdata_i, 0);
		w->strobes = (uint8_t)get(s, P_s_axil_wstrb_i, 0);
		w->have_data = true;
	}
}

static void sample_given(struct sampler *s)
{
	const struct shape *shape = dump_shape(s->dump);
	struct event *e;

	for (uint32_t p = 0; p < shape->ports; p++)
		if (s->died >> p & 1)
			add(s, EV_DEAD, p);
	sample_csr(s);
	if (both(s, P_cmd_valid_i, P_cmd_ready_o, 0)) {
		e = add(s, EV_COMMAND, (unsigned)get(s, P_cmd_queue_i, 0));
		attach(s, e, P_cmd_i, 0, 64);
	}
	for (uint32_t r = 0; r < shape->ctas; r++) {
		if (!both(s, P_ext_valid_i, P_ext_ready_o, r) || !get(s, P_ext_write_i, r))
			continue;
		e = add(s, EV_EXT_WRITE, r);
		e->addr = get(s, P_ext_addr_i, r);
		e->strobes = (uint16_t)get(s, P_ext_strb_i, r);
		attach(s, e, P_ext_wdata_i, r, 16);
	}
	for (uint32_t p = 0; p < shape->ports; p++) {
		if (both(s, P_m_axi_rvalid_i, P_m_axi_rready_o, p)) {
			e = add(s, EV_R, p);
			e->id = (uint8_t)get(s, P_m_axi_rid_i, p);
			e->resp = (uint8_t)get(s, P_m_axi_rresp_i, p);
			e->last = get(s, P_m_axi_rlast_i, p);
			attach(s, e, P_m_axi_rdata_i, p, shape->data_bytes);
		}
		if (both(s, P_m_axi_bvalid_i, P_m_axi_bready_o, p)) {
			e = add(s, EV_B, p);
			e->id = (uint8_t)get(s, P_m_axi_bid_i, p);
			e->resp = (uint8_t)get(s, P_m_axi_bresp_i, p);
		}
	}
}

static void sample_ar(struct sampler *s, uint32_t p)
{
	struct event *e = add(s, EV_AR, p);

	e->addr = get(s, P_m_axi_araddr_o, p);
	e->id = (uint8_t)get(s, P_m_axi_arid_o, p);
	e->burst = (struct burst_info){
		.len = (uint8_t)get(s, P_m_axi_arlen_o, p),
		.size = (uint8_t)get(s, P_m_axi_arsize_o, p),
		.burst = (uint8_t)get(s, P_m_axi_arburst_o, p),
		.cache = (uint8_t)get(s, P_m_axi_arcache_o, p),
		.prot = (uint8_t)get(s, P_m_axi_arprot_o, p),
		.qos = (uint8_t)get(s, P_m_axi_arqos_o, p),
		.user = (uint16_t)get(s, P_m_axi_aruser_o, p),
	};
}

static void sample_aw(struct sampler *s, uint32_t p)
{
	struct event *e = add(s, EV_AW, p);

	e->addr = get(s, P_m_axi_awaddr_o, p);
	e->id = (uint8_t)get(s, P_m_axi_awid_o, p);
	e->burst = (struct burst_info){
		.len = (uint8_t)get(s, P_m_axi_awlen_o, p),
		.size = (uint8_t)get(s, P_m_axi_awsize_o, p),
		.burst = (uint8_t)get(s, P_m_axi_awburst_o, p),
		.cache = (uint8_t)get(s, P_m_axi_awcache_o, p),
		.prot = (uint8_t)get(s, P_m_axi_awprot_o, p),
		.qos = (uint8_t)get(s, P_m_axi_awqos_o, p),
		.user = (uint16_t)get(s, P_m_axi_awuser_o, p),
	};
}

static void sample_ext_reads(struct sampler *s)
{
	const struct shape *shape = dump_shape(s->dump);
	struct event *e;

	for (uint32_t r = 0; r < shape->ctas; r++) {
		if (get(s, P_ext_rvalid_o, r)) {
			e = add(s, EV_EXT_DATA, r);
			attach(s, e, P_ext_rdata_o, r, 16);
		}
		if (both(s, P_ext_valid_i, P_ext_ready_o, r) && !get(s, P_ext_write_i, r)) {
			e = add(s, EV_EXT_READ, r);
			e->addr = get(s, P_ext_addr_i, r);
		}
	}
}

static void sample_done(struct sampler *s)
{
	const struct shape *shape = dump_shape(s->dump);
	struct event *e;

	sample_ext_reads(s);
	for (uint32_t p = 0; p < shape->ports; p++) {
		if (both(s, P_m_axi_arvalid_o, P_m_axi_arready_i, p))
			sample_ar(s, p);
		if (both(s, P_m_axi_awvalid_o, P_m_axi_awready_i, p))
			sample_aw(s, p);
		if (both(s, P_m_axi_wvalid_o, P_m_axi_wready_i, p)) {
			e = add(s, EV_W, p);
			e->last = get(s, P_m_axi_wlast_o, p);
			attach(s, e, P_m_axi_wdata_o, p, shape->data_bytes);
			attach(s, e, P_m_axi_wstrb_o, p, shape->data_bytes / 8);
		}
	}
	if (both(s, P_rsp_valid_o, P_rsp_ready_i, 0)) {
		e = add(s, EV_RECORD, 0);
		attach(s, e, P_rsp_o, 0, 32);
	}
}

static void sample_read(struct sampler *s)
{
	struct csr_read *r = &s->read;
	struct event *e;

	if (get(s, P_s_axil_rvalid_o, 0)) {
		if (!r->answered && get(s, P_s_axil_rresp_o, 0) == 0) {
			e = add(s, EV_CSR_READ, 0);
			e->addr = r->addr;
			e->csr.value = (uint32_t)get(s, P_s_axil_rdata_o, 0);
			e->csr.asked = r->asked;
		}
		r->answered = !get(s, P_s_axil_rready_i, 0);
	}
	if (both(s, P_s_axil_arvalid_i, P_s_axil_arready_o, 0)) {
		r->addr = get(s, P_s_axil_araddr_i, 0);
		r->asked = s->log->cycles;
	}
}

static void sample_irq(struct sampler *s)
{
	bool irq = get(s, P_irq_o, 0);

	if (irq != s->irq)
		add(s, EV_IRQ, 0)->resp = irq;
	s->irq = irq;
}

static void sample_idle(struct sampler *s)
{
	bool idle = get(s, P_idle_o, 0);

	if (s->idle_known && idle == s->idle)
		return;
	s->idle_known = true;
	s->idle = idle;
	add(s, EV_IDLE, 0)->resp = idle;
}

void sampler_sample(void *arg, uint64_t time)
{
	struct sampler *s = arg;
	size_t before = s->log->count;

	s->time = time;
	/* Offset 0 says that an event has no data yet. */
	if (!s->log->used)
		attach(s, &(struct event){ .data = 1 }, P_cmd_i, 0, 1);
	if (!get(s, P_rst_ni, 0)) {
		if (!s->in_reset)
			add(s, EV_RESET, 0);
		s->in_reset = true;
		s->idle_known = false;
		s->csr = (struct csr_write){ 0 };
		s->read.answered = s->irq = false;
		stable_reset(s->stable);
		watch_reset(&s->watch);
		s->died = 0;
	} else {
		s->in_reset = false;
		sample_given(s);
		if (s->log->count != before)
			add(s, EV_STEP, 0);
		sample_done(s);
		sample_read(s);
		sample_irq(s);
		sample_idle(s);
		stable_check(s->stable, broken, s);
		s->died = watch_sample(&s->watch, s->dump);
	}
	s->log->cycles++;
}

void sampler_end(struct sampler *s)
{
	if (s->log->cycles && s->idle_known)
		add(s, EV_IDLE, 0)->resp = s->idle;
}
