/* SPDX-License-Identifier: Apache-2.0 */
/* Flat pins of a Verilated kernel <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_kernel.h"
#include "shape.h"
#include "unit_rtl/tma_kernel_shim.h"

namespace
{

constexpr unsigned Beat = TMA_DataWidth / 8;

const struct kernel_info info = {
	Beat, TMA_NumCtas, TMA_SmemBytes, TMA_NumQueues, TMA_NumPorts,
};

} // namespace

/* The names of a port's pins cannot be computed. */
#define PUT_PORT(top, x, port)                                 \
	do {                                                   \
		(top).port##_ARREADY = (x).ar_ready;           \
		(top).port##_AWREADY = (x).aw_ready;           \
		(top).port##_WREADY = (x).w_ready;             \
		(top).port##_RVALID = (x).r_valid;             \
		(top).port##_RID = (x).r_id;                   \
		(top).port##_RRESP = (x).r_resp;               \
		(top).port##_RLAST = (x).r_last;               \
		memcpy(&(top).port##_RDATA, (x).r_data, Beat); \
		(top).port##_BVALID = (x).b_valid;             \
		(top).port##_BID = (x).b_id;                   \
		(top).port##_BRESP = (x).b_resp;               \
	} while (0)

#define GET_PORT(top, x, port, constant)                                        \
	do {                                                                    \
		(x).r_ready = (top).port##_RREADY;                              \
		(x).b_ready = (top).port##_BREADY;                              \
		(x).ar_valid = (top).port##_ARVALID;                            \
		(x).ar_addr = (top).port##_ARADDR;                              \
		(x).ar_id = (top).port##_ARID;                                  \
		(x).ar_len = (top).port##_ARLEN;                                \
		(x).ar_size = (top).port##_ARSIZE;                              \
		(x).ar_burst = (top).port##_ARBURST;                            \
		(x).ar_cache = (top).port##_ARCACHE;                            \
		(x).ar_prot = (top).port##_ARPROT;                              \
		(x).ar_qos = (top).port##_ARQOS;                                \
		(x).ar_user = (top).port##_ARUSER;                              \
		(x).aw_valid = (top).port##_AWVALID;                            \
		(x).aw_addr = (top).port##_AWADDR;                              \
		(x).aw_id = (top).port##_AWID;                                  \
		(x).aw_len = (top).port##_AWLEN;                                \
		(x).aw_size = (top).port##_AWSIZE;                              \
		(x).aw_burst = (top).port##_AWBURST;                            \
		(x).aw_cache = (top).port##_AWCACHE;                            \
		(x).aw_prot = (top).port##_AWPROT;                              \
		(x).aw_qos = (top).port##_AWQOS;                                \
		(x).aw_user = (top).port##_AWUSER;                              \
		(x).w_valid = (top).port##_WVALID;                              \
		(x).w_last = (top).port##_WLAST;                                \
		memcpy((x).w_data, &(top).port##_WDATA, Beat);                  \
		memcpy((x).w_strb, &(top).port##_WSTRB, Beat / 8);              \
		(constant) &= !(top).port##_ARLOCK && !(top).port##_AWLOCK;     \
		(constant) &= !(top).port##_ARREGION && !(top).port##_AWREGION; \
	} while (0)

struct kernel {
	VerilatedContext context;
	std::unique_ptr<Vtma_kernel> top;
	struct kernel_in in = {};
	struct kernel_out out = {};

	kernel()
	{
		unit_prepare(context);
		top = std::make_unique<Vtma_kernel>(&context, "tma_kernel");
		top->ap_clk = 0;
		top->ap_rst_n = 0;
	}

	~kernel()
	{
		Verilated::threadContextp(&context);
		top->final();
		unit_save_covers(context);
	}

	void put_pins()
	{
		top->ap_rst_n = in.rst_n;
		top->s_axi_control_AWVALID = in.control.aw_valid;
		top->s_axi_control_AWADDR = static_cast<uint16_t>(in.control.aw_addr);
		top->s_axi_control_WVALID = in.control.w_valid;
		top->s_axi_control_WDATA = in.control.w_data;
		top->s_axi_control_WSTRB = in.control.w_strb;
		top->s_axi_control_BREADY = in.control.b_ready;
		top->s_axi_control_ARVALID = in.control.ar_valid;
		top->s_axi_control_ARADDR = static_cast<uint16_t>(in.control.ar_addr);
		top->s_axi_control_RREADY = in.control.r_ready;
		PUT_PORT(*top, in.gmem[0], m_axi_gmem0);
#if TMA_NumPorts > 1
		PUT_PORT(*top, in.gmem[1], m_axi_gmem1);
#endif
		static_assert(TMA_NumPorts <= 2, "more ports than the shim has");
	}

	void get_pins()
	{
		/* Verilator keeps clear of what might be a word of C++. */
		out.interrupt = top->__SYM__interrupt;
		out.control.aw_ready = top->s_axi_control_AWREADY;
		out.control.w_ready = top->s_axi_control_WREADY;
		out.control.b_valid = top->s_axi_control_BVALID;
		out.control.b_resp = top->s_axi_control_BRESP;
		out.control.ar_ready = top->s_axi_control_ARREADY;
		out.control.r_valid = top->s_axi_control_RVALID;
		out.control.r_resp = top->s_axi_control_RRESP;
		out.control.r_data = top->s_axi_control_RDATA;
		out.constant = 1;
		GET_PORT(*top, out.gmem[0], m_axi_gmem0, out.constant);
#if TMA_NumPorts > 1
		GET_PORT(*top, out.gmem[1], m_axi_gmem1, out.constant);
#endif
	}
};

struct kernel *kernel_open(void)
{
	return new kernel;
}

void kernel_close(struct kernel *k)
{
	delete k;
}

const struct kernel_info *kernel_info(void)
{
	return &info;
}

struct kernel_in *kernel_in(struct kernel *k)
{
	return &k->in;
}

const struct kernel_out *kernel_out(const struct kernel *k)
{
	return &k->out;
}

void kernel_eval(struct kernel *k)
{
	Verilated::threadContextp(&k->context);
	k->put_pins();
	k->top->eval();
	k->get_pins();
}

void kernel_tick(struct kernel *k)
{
	Verilated::threadContextp(&k->context);
	k->context.timeInc(1);
	k->top->ap_clk = 1;
	k->top->eval();
	k->context.timeInc(1);
	k->top->ap_clk = 0;
	k->top->eval();
	k->get_pins();
}
