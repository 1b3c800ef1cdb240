/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated registers <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_csr.h"
#include "Vtma_csr___024root.h"
#include "shape.h"
#include "unit_rtl/tma_csr_shim.h"

namespace
{

constexpr unsigned QueueWidth = log2_up(TMA_NumQueues);
constexpr unsigned CtaWidth = TMA_NumCtas > 1 ? log2_up(TMA_NumCtas) : 1;

const struct csr_info info = {
	TMA_DataWidth / 8, TMA_NumCtas,    TMA_SmemBytes, TMA_NumQueues,
	TMA_NumPorts,      TMA_NumWindows, TMA_NumReads,
};

} // namespace

struct csr {
	unit<Vtma_csr> rtl{ "tma_csr" };
	struct csr_in in = {};
	struct csr_out out = {};

	void put_pins()
	{
		auto &top = *rtl.top;
		packer busy(top.queue_busy_i), waiting(top.queue_waiting_i), head(top.head_i);

		top.rst_ni = in.rst_n;
		top.idle_i = in.idle;
		top.events_i = in.events;
		for (unsigned q = 0; q < TMA_NumQueues; q++) {
			busy.put(1, in.busy[q]);
			waiting.put(1, in.waiting[q]);
			head.put(32, in.head[q]);
		}
		top.axil_awvalid_i = in.axil.aw_valid;
		top.axil_awaddr_i = static_cast<uint16_t>(in.axil.aw_addr);
		top.axil_wvalid_i = in.axil.w_valid;
		top.axil_wdata_i = in.axil.w_data;
		top.axil_wstrb_i = in.axil.w_strb;
		top.axil_bready_i = in.axil.b_ready;
		top.axil_arvalid_i = in.axil.ar_valid;
		top.axil_araddr_i = static_cast<uint16_t>(in.axil.ar_addr);
		top.axil_rready_i = in.axil.r_ready;
	}

	/* The status comes in the cycle in which the unit asks for it. */
	void answer()
	{
		const struct csr_status &s = in.status[unpacker(rtl.top->status_queue_o).get(QueueWidth)];

		packer(rtl.top->status_i)
			.put(32, s.tag)
			.put(64, s.address)
			.put(32, s.seq)
			.put(16, s.count)
			.put(16, s.code)
			.put(1, s.faulted);
		rtl.eval();
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		struct tma_csr_out &axil = out.axil;

		out.axcache = top.axcache_o;
		axil.aw_ready = top.axil_awready_o;
		axil.w_ready = top.axil_wready_o;
		axil.b_valid = top.axil_bvalid_o;
		axil.b_resp = top.axil_bresp_o;
		axil.ar_ready = top.axil_arready_o;
		axil.r_valid = top.axil_rvalid_o;
		axil.r_resp = top.axil_rresp_o;
		axil.r_data = top.axil_rdata_o;
	}

	void get_setup()
	{
		unpacker cfg(rtl.top->cfg_o), windows(rtl.top->windows_o);

		for (unsigned q = 0; q < TMA_NumQueues; q++) {
			struct csr_cfg &c = out.cfg[q];

			c.prot = static_cast<uint8_t>(cfg.get(3));
			c.stream = static_cast<uint8_t>(cfg.get(8));
			c.cta_mask = static_cast<uint16_t>(cfg.get(TMA_NumCtas));
			c.cta = static_cast<uint8_t>(cfg.get(CtaWidth));
			c.enable = static_cast<uint8_t>(cfg.get(1));
			for (unsigned w = 0; w < TMA_NumWindows; w++) {
				struct csr_window &x = out.windows[q][w];

				x.read = static_cast<uint8_t>(windows.get(1));
				x.write = static_cast<uint8_t>(windows.get(1));
				x.multimem = static_cast<uint8_t>(windows.get(1));
				x.limit = windows.get(52);
				x.base = windows.get(52);
			}
		}
	}
};

struct csr *csr_open(void)
{
	return new csr;
}

void csr_close(struct csr *c)
{
	delete c;
}

const struct csr_info *csr_info(void)
{
	return &info;
}

struct csr_in *csr_in(struct csr *c)
{
	return &c->in;
}

const struct csr_out *csr_out(const struct csr *c)
{
	return &c->out;
}

void csr_get_setup(struct csr *c)
{
	c->get_setup();
}

void csr_eval(struct csr *c)
{
	c->put_pins();
	c->rtl.eval();
	c->answer();
	c->get_pins();
}

void csr_tick(struct csr *c)
{
	c->rtl.tick();
	c->get_pins();
}

void csr_poke_counter(struct csr *c, uint32_t index, uint64_t value)
{
	c->rtl.top->rootp->tma_csr__DOT__u_counters__DOT__u_counts__DOT__mem[index] = value;
}
