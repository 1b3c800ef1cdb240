/* SPDX-License-Identifier: Apache-2.0 */
/* Port by port: is something awaited, and does it come? */
#include <string.h>

#include "tma_regs.h"
#include "wavecheck/watch.h"

void watch_reset(struct watch *w)
{
	memset(w, 0, sizeof(*w));
	w->limit = TMA_REG_WATCHDOG_RESET;
}

void watch_limit(struct watch *w, uint32_t value, uint8_t strobes)
{
	for (unsigned i = 0; i < 4; i++)
		if (strobes >> i & 1)
			w->limit = (w->limit & ~(0xffu << 8 * i)) | (value & 0xffu << 8 * i);
}

static bool both(const struct dump *d, enum port valid, enum port ready, unsigned p)
{
	return dump_get(d, valid, p) && dump_get(d, ready, p);
}

/* A side in a cycle. @p owes, @p comes: ids. Rounds are those of the guide: see there, AXI4. */
struct cycle {
	bool addr_waits, data_waits, moves, blocked;
	uint32_t owes, comes;
};

static bool expired(const struct watch *w, struct watch_side *s, const struct cycle *c)
{
	s->marks &= ~c->comes;
	s->stalls = s->stalls && !c->moves;
	if (!s->marks && !s->stalls) {
		s->marks = c->addr_waits ? 0 : c->owes & ~c->comes;
		s->stalls = c->addr_waits || c->data_waits;
		s->still = 0;
		return false;
	}
	s->still = w->limit ? s->still + !c->blocked : 0;
	return !c->blocked && w->limit && s->still >= w->limit;
}

static struct cycle reads(const struct watch *w, const struct dump *d, unsigned p)
{
	bool valid = dump_get(d, P_m_axi_arvalid_o, p),
	     taken = both(d, P_m_axi_arvalid_o, P_m_axi_arready_i, p);
	bool r = dump_get(d, P_m_axi_rvalid_i, p);
	struct cycle c = { .addr_waits = valid && !taken,
		           .moves = taken || r,
		           .blocked = r && !dump_get(d, P_m_axi_rready_o, p),
		           .owes = w->port[p].owed[0] };

	if (taken)
		c.owes |= 1u << (dump_get(d, P_m_axi_arid_o, p) % WATCH_IDS);
	if (r)
		c.comes = 1u << (dump_get(d, P_m_axi_rid_i, p) % WATCH_IDS);
	return c;
}

static struct cycle writes(const struct watch *w, const struct dump *d, unsigned p)
{
	bool aw = both(d, P_m_axi_awvalid_o, P_m_axi_awready_i, p);
	bool beat = both(d, P_m_axi_wvalid_o, P_m_axi_wready_i, p), b = dump_get(d, P_m_axi_bvalid_i, p);
	uint32_t owed = w->port[p].owed[1];
	uint32_t comes = b ? owed & 1u << (dump_get(d, P_m_axi_bid_i, p) % WATCH_IDS) : 0;

	return (struct cycle){ .addr_waits = dump_get(d, P_m_axi_awvalid_o, p) && !aw,
		               .data_waits = dump_get(d, P_m_axi_wvalid_o, p) && !beat,
		               .moves = aw || beat || comes,
		               .owes = owed,
		               .comes = comes };
}

static void count_reads(struct watch *w, const struct dump *d, unsigned p)
{
	uint32_t asked = (uint32_t)dump_get(d, P_m_axi_arid_o, p) % WATCH_IDS;
	uint32_t ended = (uint32_t)dump_get(d, P_m_axi_rid_i, p) % WATCH_IDS, *reads = w->port[p].reads;

	if (both(d, P_m_axi_arvalid_o, P_m_axi_arready_i, p) && !reads[asked]++)
		w->port[p].owed[0] |= 1u << asked;
	if (both(d, P_m_axi_rvalid_i, P_m_axi_rready_o, p) && dump_get(d, P_m_axi_rlast_i, p) &&
	    reads[ended] && !--reads[ended])
		w->port[p].owed[0] &= ~(1u << ended);
}

static void count_writes(struct watch *w, const struct dump *d, unsigned p)
{
	uint32_t answered = (uint32_t)dump_get(d, P_m_axi_bid_i, p) % WATCH_IDS, id;

	if (both(d, P_m_axi_awvalid_o, P_m_axi_awready_i, p))
		w->port[p].order[w->port[p].addresses++ % WATCH_BURSTS] =
			(uint8_t)(dump_get(d, P_m_axi_awid_o, p) % WATCH_IDS);
	w->port[p].whole += both(d, P_m_axi_wvalid_o, P_m_axi_wready_i, p) && dump_get(d, P_m_axi_wlast_o, p);
	while (w->port[p].matched != w->port[p].addresses && w->port[p].matched != w->port[p].whole) {
		id = w->port[p].order[w->port[p].matched++ % WATCH_BURSTS];
		w->port[p].owed[1] |= 1u << id;
		w->port[p].writes[id]++;
	}
	if (both(d, P_m_axi_bvalid_i, P_m_axi_bready_o, p) && w->port[p].writes[answered] &&
	    !--w->port[p].writes[answered])
		w->port[p].owed[1] &= ~(1u << answered);
}

uint32_t watch_sample(struct watch *w, const struct dump *d)
{
	uint32_t died = 0;

	for (unsigned p = 0; p < dump_shape(d)->ports; p++) {
		const struct cycle read = reads(w, d, p), write = writes(w, d, p);

		if (w->port[p].dead)
			continue;
		if (expired(w, &w->port[p].side[0], &read) | expired(w, &w->port[p].side[1], &write)) {
			w->port[p].dead = true;
			died |= 1u << p;
		}
		count_reads(w, d, p);
		count_writes(w, d, p);
	}
	return died;
}
