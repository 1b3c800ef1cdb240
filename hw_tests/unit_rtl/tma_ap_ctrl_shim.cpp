/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated control registers <-> the C structs of their header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_ap_ctrl.h"
#include "unit_rtl/tma_ap_ctrl_shim.h"

struct ap_ctrl {
	unit<Vtma_ap_ctrl> rtl{ "tma_ap_ctrl" };
	struct ap_ctrl_in in = {};
	struct ap_ctrl_out out = {};

	void put_pins()
	{
		auto &top = *rtl.top;

		top.rst_ni = in.rst_n;
		top.idle_i = in.idle;
		top.irq_i = in.irq;
		top.s_awvalid_i = in.host.aw_valid;
		top.s_awaddr_i = static_cast<uint16_t>(in.host.aw_addr);
		top.s_wvalid_i = in.host.w_valid;
		top.s_wdata_i = in.host.w_data;
		top.s_wstrb_i = in.host.w_strb;
		top.s_bready_i = in.host.b_ready;
		top.s_arvalid_i = in.host.ar_valid;
		top.s_araddr_i = static_cast<uint16_t>(in.host.ar_addr);
		top.s_rready_i = in.host.r_ready;
		top.m_awready_i = in.engine.aw_ready;
		top.m_wready_i = in.engine.w_ready;
		top.m_bvalid_i = in.engine.b_valid;
		top.m_bresp_i = in.engine.b_resp;
		top.m_arready_i = in.engine.ar_ready;
		top.m_rvalid_i = in.engine.r_valid;
		top.m_rdata_i = in.engine.r_data;
		top.m_rresp_i = in.engine.r_resp;
	}

	void get_pins()
	{
		const auto &top = *rtl.top;

		out.interrupt = top.interrupt_o;
		out.host.aw_ready = top.s_awready_o;
		out.host.w_ready = top.s_wready_o;
		out.host.b_valid = top.s_bvalid_o;
		out.host.b_resp = top.s_bresp_o;
		out.host.ar_ready = top.s_arready_o;
		out.host.r_valid = top.s_rvalid_o;
		out.host.r_data = top.s_rdata_o;
		out.host.r_resp = top.s_rresp_o;
		out.engine.aw_valid = top.m_awvalid_o;
		out.engine.aw_addr = top.m_awaddr_o;
		out.engine.w_valid = top.m_wvalid_o;
		out.engine.w_data = top.m_wdata_o;
		out.engine.w_strb = top.m_wstrb_o;
		out.engine.b_ready = top.m_bready_o;
		out.engine.ar_valid = top.m_arvalid_o;
		out.engine.ar_addr = top.m_araddr_o;
		out.engine.r_ready = top.m_rready_o;
	}
};

struct ap_ctrl *ap_ctrl_open(void)
{
	return new ap_ctrl;
}

void ap_ctrl_close(struct ap_ctrl *c)
{
	delete c;
}

struct ap_ctrl_in *ap_ctrl_in(struct ap_ctrl *c)
{
	return &c->in;
}

const struct ap_ctrl_out *ap_ctrl_out(const struct ap_ctrl *c)
{
	return &c->out;
}

void ap_ctrl_eval(struct ap_ctrl *c)
{
	c->put_pins();
	c->rtl.eval();
	c->get_pins();
}

void ap_ctrl_tick(struct ap_ctrl *c)
{
	c->rtl.tick();
	c->get_pins();
}
