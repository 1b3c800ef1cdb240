/* SPDX-License-Identifier: Apache-2.0 */
/* The handshake rule of every channel on which both sides can wait. */
#include <stdlib.h>
#include <string.h>

#include "wavecheck/stable.h"

#define MAX_PAYLOAD 11
#define MAX_BYTES   128

enum per { PER_ENGINE, PER_GLOBAL };

/* The direct port is not among them: software may withdraw a command there. */
static const struct channel {
	enum port valid, ready;
	enum per per;
	enum port payload[MAX_PAYLOAD]; /* up to P_clk_i, which is none */
} channels[] = {
	{ P_rsp_valid_o, P_rsp_ready_i, PER_ENGINE, { P_rsp_o } },
	{ P_s_axil_bvalid_o, P_s_axil_bready_i, PER_ENGINE, { P_s_axil_bresp_o } },
	{ P_m_axi_arvalid_o,
	  P_m_axi_arready_i,
	  PER_GLOBAL,
	  { P_m_axi_araddr_o, P_m_axi_arid_o, P_m_axi_arlen_o, P_m_axi_arsize_o, P_m_axi_arburst_o,
	    P_m_axi_arcache_o, P_m_axi_arprot_o, P_m_axi_arqos_o, P_m_axi_aruser_o } },
	{ P_m_axi_awvalid_o,
	  P_m_axi_awready_i,
	  PER_GLOBAL,
	  { P_m_axi_awaddr_o, P_m_axi_awid_o, P_m_axi_awlen_o, P_m_axi_awsize_o, P_m_axi_awburst_o,
	    P_m_axi_awcache_o, P_m_axi_awprot_o, P_m_axi_awqos_o, P_m_axi_awuser_o } },
	{ P_m_axi_wvalid_o,
	  P_m_axi_wready_i,
	  PER_GLOBAL,
	  { P_m_axi_wdata_o, P_m_axi_wstrb_o, P_m_axi_wlast_o } },
	{ P_m_axi_rvalid_i,
	  P_m_axi_rready_o,
	  PER_GLOBAL,
	  { P_m_axi_rid_i, P_m_axi_rdata_i, P_m_axi_rresp_i, P_m_axi_rlast_i } },
	{ P_m_axi_bvalid_i, P_m_axi_bready_o, PER_GLOBAL, { P_m_axi_bid_i, P_m_axi_bresp_i } },
};

#define NUM_CHANNELS (sizeof(channels) / sizeof(channels[0]))

struct held {
	bool waiting;
	uint8_t payload[MAX_PAYLOAD][MAX_BYTES];
};

struct stable {
	const struct dump *dump;
	struct held held[NUM_CHANNELS][DUMP_MAX_UNITS];
};

struct stable *stable_new(const struct dump *d)
{
	struct stable *s = calloc(1, sizeof(*s));

	if (s)
		s->dump = d;
	return s;
}

void stable_free(struct stable *s)
{
	free(s);
}

void stable_reset(struct stable *s)
{
	for (size_t c = 0; c < NUM_CHANNELS; c++)
		for (unsigned u = 0; u < DUMP_MAX_UNITS; u++)
			s->held[c][u].waiting = false;
}

static void read_payload(const struct stable *s, enum port port, unsigned unit, uint8_t *to)
{
	uint64_t word;

	if (port == P_m_axi_rdata_i || port == P_m_axi_wdata_o) {
		dump_bytes(s->dump, port, unit, to, dump_shape(s->dump)->data_bytes);
	} else if (port == P_m_axi_wstrb_o) {
		dump_bytes(s->dump, port, unit, to, dump_shape(s->dump)->data_bytes / 8);
	} else if (port == P_rsp_o) {
		dump_bytes(s->dump, port, unit, to, 32);
	} else {
		word = dump_get(s->dump, port, unit);
		memcpy(to, &word, sizeof(word));
	}
}

void stable_check(struct stable *s,
                  void (*broken)(void *arg, enum port port, unsigned unit, const char *text), void *arg)
{
	for (size_t c = 0; c < NUM_CHANNELS; c++) {
		const struct channel *ch = &channels[c];
		uint32_t units = ch->per == PER_GLOBAL ? dump_shape(s->dump)->ports : 1;

		for (uint32_t u = 0; u < units; u++) {
			struct held *h = &s->held[c][u];
			bool valid = dump_get(s->dump, ch->valid, u);
			bool was = h->waiting;
			uint8_t now[MAX_BYTES] = { 0 };

			h->waiting = valid && !dump_get(s->dump, ch->ready, u);
			if (was && !valid)
				broken(arg, ch->valid, u, "valid fell before ready");
			for (unsigned i = 0; i < MAX_PAYLOAD && ch->payload[i]; i++) {
				if (!valid || !(was || h->waiting))
					break;
				read_payload(s, ch->payload[i], u, now);
				if (was && memcmp(now, h->payload[i], sizeof(now)))
					broken(arg, ch->payload[i], u,
					       "changed while valid waited for ready");
				memcpy(h->payload[i], now, sizeof(now));
			}
		}
	}
}
