/* SPDX-License-Identifier: Apache-2.0 */
/* Port by port: is something awaited, and does anything move? */
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

static bool expired(const struct watch *w, uint32_t *still, bool pending, bool progress)
{
	*still = pending && !progress && w->limit ? *still + 1 : 0;
	return *still && *still >= w->limit;
}

uint32_t watch_sample(struct watch *w, const struct dump *d)
{
	uint32_t died = 0;

	for (unsigned p = 0; p < dump_shape(d)->ports; p++) {
		bool ar = both(d, P_m_axi_arvalid_o, P_m_axi_arready_i, p);
		bool r = both(d, P_m_axi_rvalid_i, P_m_axi_rready_o, p) && dump_get(d, P_m_axi_rlast_i, p);
		bool aw = both(d, P_m_axi_awvalid_o, P_m_axi_awready_i, p);
		bool beat = both(d, P_m_axi_wvalid_o, P_m_axi_wready_i, p);
		bool b = both(d, P_m_axi_bvalid_i, P_m_axi_bready_o, p);
		bool reads = w->port[p].reads || dump_get(d, P_m_axi_arvalid_o, p);
		bool writes = w->port[p].writes || dump_get(d, P_m_axi_awvalid_o, p) ||
		              dump_get(d, P_m_axi_wvalid_o, p);

		if (w->port[p].dead)
			continue;
		if (expired(w, &w->port[p].read_still, reads, ar || dump_get(d, P_m_axi_rvalid_i, p)) |
		    expired(w, &w->port[p].write_still, writes,
		            aw || beat || dump_get(d, P_m_axi_bvalid_i, p))) {
			w->port[p].dead = true;
			died |= 1u << p;
		}
		w->port[p].reads += ar;
		w->port[p].reads -= r && w->port[p].reads;
		w->port[p].writes += beat && dump_get(d, P_m_axi_wlast_o, p);
		w->port[p].writes -= b && w->port[p].writes;
	}
	return died;
}
