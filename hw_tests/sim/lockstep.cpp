/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The RTL of a configuration and a netlist of it, cycle by cycle: both get the same inputs, and every output of the netlist
 * has to be the RTL's. Payloads count with their valid alone, bytes of W with their strobe: what is behind them may
 * be what reset did not set. To everybody else it is the RTL.
 *
 * A difference is reported once, with its cycle, and is a failed assertion. At the end of the process the cycles of all engines are
 * told on standard error: `netlist: N cycles, M different`.
 */
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <memory>

#include "sim/shim.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b)  PASTE_(a, b)
#define STRING_(a)   #a
#define STRING(a)    STRING_(a)
#define MAKER(role)  PASTE(PASTE(tma_sim_make_, SHIM_CONFIG), role)

extern const tma_sim_maker MAKER(_rtl), MAKER(_netlist);

namespace
{

struct total {
	std::atomic<uint64_t> cycles{ 0 }, different{ 0 };

	~total()
	{
		std::fprintf(stderr, "netlist: %" PRIu64 " cycles, %" PRIu64 " different\n", cycles.load(),
		             different.load());
	}
} all;

template <class Field> void clear(Field &field)
{
	std::memset(&field, 0, sizeof(field));
}

/* A port's valids and readies, and what they vouch for. */
void count_port(tma_axi_out &c, const tma_axi_out &p)
{
	c.r_ready = p.r_ready;
	c.b_ready = p.b_ready;
	c.ar_valid = p.ar_valid;
	c.aw_valid = p.aw_valid;
	c.w_valid = p.w_valid;
	if (p.ar_valid) {
		c.ar_addr = p.ar_addr;
		c.ar_id = p.ar_id;
		c.ar_len = p.ar_len;
		c.ar_size = p.ar_size;
		c.ar_burst = p.ar_burst;
		c.ar_cache = p.ar_cache;
		c.ar_prot = p.ar_prot;
		c.ar_qos = p.ar_qos;
		c.ar_user = p.ar_user;
	}
	if (p.aw_valid) {
		c.aw_addr = p.aw_addr;
		c.aw_id = p.aw_id;
		c.aw_len = p.aw_len;
		c.aw_size = p.aw_size;
		c.aw_burst = p.aw_burst;
		c.aw_cache = p.aw_cache;
		c.aw_prot = p.aw_prot;
		c.aw_qos = p.aw_qos;
		c.aw_user = p.aw_user;
	}
	if (!p.w_valid)
		return;
	c.w_last = p.w_last;
	std::memcpy(c.w_strb, p.w_strb, sizeof(c.w_strb));
	for (unsigned i = 0; i < TMA_SIM_MAX_BEAT; i++)
		c.w_data[i] = p.w_strb[i / 8] >> i % 8 & 1 ? p.w_data[i] : 0;
}

/* What counts of the outputs of this cycle; all else is 0, padding too. */
void count_outputs(struct tma_sim_out &c, const struct tma_sim_out &out)
{
	clear(c);
	c.cmd_ready = out.cmd_ready;
	c.queue_ready = out.queue_ready;
	c.rsp_valid = out.rsp_valid;
	if (out.rsp_valid)
		std::memcpy(c.rsp, out.rsp, sizeof(c.rsp));
	c.irq = out.irq;
	c.idle = out.idle;
	c.csr.aw_ready = out.csr.aw_ready;
	c.csr.w_ready = out.csr.w_ready;
	c.csr.ar_ready = out.csr.ar_ready;
	c.csr.b_valid = out.csr.b_valid;
	c.csr.b_resp = out.csr.b_valid ? out.csr.b_resp : 0;
	c.csr.r_valid = out.csr.r_valid;
	c.csr.r_resp = out.csr.r_valid ? out.csr.r_resp : 0;
	c.csr.r_data = out.csr.r_valid ? out.csr.r_data : 0;
	for (unsigned r = 0; r < TMA_SIM_MAX_CTAS; r++) {
		c.ext[r].ready = out.ext[r].ready;
		c.ext[r].rvalid = out.ext[r].rvalid;
		if (out.ext[r].rvalid)
			std::memcpy(c.ext[r].rdata, out.ext[r].rdata, sizeof(c.ext[r].rdata));
	}
	for (unsigned p = 0; p < TMA_SIM_MAX_PORTS; p++)
		count_port(c.axi[p], out.axi[p]);
}

struct lockstep final : tma_sim {
	std::unique_ptr<tma_sim> rtl, netlist;
	uint64_t cycle = 0;
	bool differs = false;

	lockstep(tma_sim *first, tma_sim *second) : tma_sim(first->info), rtl(first), netlist(second)
	{
	}

	bool trace(const char *path, bool pins) override
	{
		return rtl->trace(path, pins);
	}

	void count(uint32_t, uint32_t, uint32_t) override
	{
		std::fprintf(stderr, "netlist: counts cannot be set behind its pins (--from-zero)\n");
		differs = true;
	}

	/* Names the first byte that differs. */
	template <class Field> void compare(const char *name, const Field &is, const Field &rtl_is)
	{
		unsigned char a[sizeof(is)], b[sizeof(is)];
		size_t at = 0;

		std::memcpy(a, &is, sizeof(is));
		std::memcpy(b, &rtl_is, sizeof(is));
		while (at < sizeof(is) && a[at] == b[at])
			at++;
		if (at < sizeof(is))
			std::fprintf(stderr,
			             "netlist: cycle %" PRIu64
			             ": %s is not as in the RTL, byte %zu is %02x, should be %02x\n",
			             cycle, name, at, a[at], b[at]);
	}

	/* The first difference. Before a reset everything is random. */
	void compare_all()
	{
		struct tma_sim_out want, got;

		if (differs || !in.rst_n)
			return;
		count_outputs(want, rtl->out);
		count_outputs(got, netlist->out);
		differs = std::memcmp(&want, &got, sizeof(want));
		if (!differs)
			return;
		all.different++;
		compare("cmd_ready_o", got.cmd_ready, want.cmd_ready);
		compare("queue_ready_o", got.queue_ready, want.queue_ready);
		compare("rsp_valid_o", got.rsp_valid, want.rsp_valid);
		compare("rsp_o", got.rsp, want.rsp);
		compare("irq_o", got.irq, want.irq);
		compare("idle_o", got.idle, want.idle);
		compare("s_axil", got.csr, want.csr);
		for (unsigned r = 0; r < TMA_SIM_MAX_CTAS; r++)
			compare("ext", got.ext[r], want.ext[r]);
		for (unsigned p = 0; p < TMA_SIM_MAX_PORTS; p++)
			compare("m_axi", got.axi[p], want.axi[p]);
	}

	void settled()
	{
		compare_all();
		out = rtl->out;
		for (int failed = rtl->context.errorCount() + differs; context.errorCount() < failed;)
			context.errorCountInc();
	}

	void eval() override
	{
		rtl->in = netlist->in = in;
		rtl->eval();
		netlist->eval();
		settled();
	}

	void tick() override
	{
		rtl->tick();
		netlist->tick();
		cycle++;
		all.cycles++;
		settled();
	}
};

} // namespace

extern const tma_sim_maker MAKER();
const tma_sim_maker MAKER() = { STRING(SHIM_CONFIG), []() -> tma_sim * {
				       return new lockstep(MAKER(_rtl).make(), MAKER(_netlist).make());
			       } };
