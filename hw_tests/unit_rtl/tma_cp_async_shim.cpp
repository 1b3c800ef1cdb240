/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated cp.async <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_cp_async.h"
#include "shape.h"
#include "unit_rtl/tma_cp_async_shim.h"

namespace
{

constexpr unsigned DataBytes = TMA_DataWidth / 8;
constexpr unsigned QueueWidth = log2_up(TMA_NumQueues);
constexpr unsigned CtaWidth = TMA_NumCtas > 1 ? log2_up(TMA_NumCtas) : 1;
constexpr unsigned ChunkAddr = log2_up(TMA_SmemBytes) - 4;
constexpr unsigned BarAddr = log2_up(TMA_SmemBytes) - 3;

const struct cpa_info info = { DataBytes, TMA_NumCtas, TMA_SmemBytes, TMA_NumQueues,
	                       TMA_NumReads < 64 ? 16 : 64 };

uint32_t get32(unpacker &port, unsigned width)
{
	return static_cast<uint32_t>(port.get(width));
}

} // namespace

struct cpa {
	unit<Vtma_cp_async> rtl{ "tma_cp_async" };
	struct cpa_in in = {};
	struct cpa_out out = {};

	void put_pins()
	{
		auto &top = *rtl.top;
		const struct cpa_ctx &x = in.ctx;
		packer beat(top.beat_i);

		top.rst_ni = in.rst_n;
		top.active_i = in.active;
		top.restart_i = in.restart;
		top.take_i = in.take;
		top.ctx_valid_i = in.ctx_valid;
		top.ctx_lane_i = in.lane;
		/* The bytes of an arrival's signal mean nothing. */
		packer(top.ctx_i)
			.put(32, x.tag)
			.put(16, x.seq)
			.put(QueueWidth, x.queue)
			.put(20, x.tag)
			.put(BarAddr, x.barrier)
			.put(TMA_NumCtas, 0)
			.put(TMA_NumCtas, 1u << x.cta)
			.put(1, x.arrive)
			.put(5, x.valid)
			.put(5, x.size)
			.put(4, x.dst)
			.put(1, x.arrive)
			.put(ChunkAddr, x.saddr)
			.put(64, x.gaddr)
			.put(1, x.denied);
		top.beat_valid_i = in.beat_valid;
		beat.put(1, in.beat_dead).put(1, 1).put(2, in.beat_resp);
		for (unsigned i = 0; i < DataBytes; i++)
			beat.put(8, in.beat[i]);
		beat.put(5, 5 << 2);
		top.wr_ready_i = in.wr_ready;
		top.sig_ready_i = in.sig_ready;
		top.fault_ready_i = in.fault_ready;
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		unpacker wr(top.wr_o), sig(top.sig_o), fault(top.fault_o);

		out.full = top.full_o;
		out.idle = top.idle_o;
		out.done = top.done_o;
		out.done_queue = top.done_queue_o;
		out.drop = top.drop_o;
		out.drop_queue = top.drop_queue_o;
		out.wr_valid = top.wr_valid_o;
		for (uint8_t &byte : out.wr_data)
			byte = static_cast<uint8_t>(wr.get(8));
		out.wr_be = get32(wr, 16);
		out.wr_addr = get32(wr, ChunkAddr);
		out.wr_cta = get32(wr, CtaWidth);
		out.sig_valid = top.sig_valid_o;
		out.sig_tag = get32(sig, 32);
		out.sig_seq = get32(sig, 16);
		out.sig_queue = get32(sig, QueueWidth);
		out.sig_bytes = get32(sig, 20);
		out.sig_barrier = get32(sig, BarAddr);
		sig.get(TMA_NumCtas); /* those that are signalled twice: of loads */
		out.sig_ctas = get32(sig, TMA_NumCtas);
		out.sig_arrive = static_cast<uint8_t>(sig.get(1));
		out.fault_valid = top.fault_valid_o;
		out.fault_address = fault.get(64);
		out.fault_code = get32(fault, 16);
		out.fault_tag = get32(fault, 32);
		out.fault_seq = get32(fault, 16);
		out.fault_queue = get32(fault, QueueWidth);
	}
};

struct cpa *cpa_open(void)
{
	return new cpa;
}

void cpa_close(struct cpa *c)
{
	delete c;
}

const struct cpa_info *cpa_info(void)
{
	return &info;
}

struct cpa_in *cpa_in(struct cpa *c)
{
	return &c->in;
}

const struct cpa_out *cpa_out(const struct cpa *c)
{
	return &c->out;
}

void cpa_eval(struct cpa *c)
{
	c->put_pins();
	c->rtl.eval();
	c->get_pins();
}

void cpa_tick(struct cpa *c)
{
	c->rtl.tick();
	c->get_pins();
}
