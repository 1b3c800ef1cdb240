/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated signals <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_signal.h"
#include "shape.h"
#include "unit_rtl/tma_signal_shim.h"

namespace
{

constexpr unsigned QueueWidth = log2_up(TMA_NumQueues);
constexpr unsigned BarAddr = log2_up(TMA_SmemBytes) - 3;

const struct sig_info info = { TMA_NumCtas, TMA_NumQueues, TMA_SmemBytes, TMA_ShortPaths ? 2 : 1 };

template <class Port> void put_signal(Port &port, const struct sig_cmd &c)
{
	packer(port)
		.put(32, c.tag)
		.put(16, c.seq)
		.put(QueueWidth, c.queue)
		.put(20, c.bytes)
		.put(BarAddr, c.barrier)
		.put(TMA_NumCtas, c.again)
		.put(TMA_NumCtas, c.ctas)
		.put(1, c.arrive);
}

} // namespace

struct sig {
	unit<Vtma_signal> rtl{ "tma_signal" };
	struct sig_in in = {};
	struct sig_out out = {};

	void put_pins()
	{
		auto &top = *rtl.top;
		packer fault(top.bar_b_fault_i);

		top.rst_ni = in.rst_n;
		top.load_sig_valid_i = in.valid[0];
		top.shared_sig_valid_i = in.valid[1];
		top.cp_sig_valid_i = in.valid[2];
		put_signal(top.load_sig_i, in.cmd[0]);
		put_signal(top.shared_sig_i, in.cmd[1]);
		put_signal(top.cp_sig_i, in.cmd[2]);
		packer(top.bar_b_ready_i).put(TMA_NumCtas, in.bar_ready);
		for (unsigned c = 0; c < TMA_NumCtas; c++)
			fault.put(16, in.bar_fault[c]);
		top.fault_ready_i = in.fault_ready;
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		unpacker fault(top.fault_o);

		out.ready[0] = top.load_sig_ready_o;
		out.ready[1] = top.shared_sig_ready_o;
		out.ready[2] = top.cp_sig_ready_o;
		out.bar_valid = top.bar_b_valid_o;
		out.bar_addr = top.bar_b_addr_o;
		out.bar_tx = top.bar_b_tx_o;
		out.bar_arrive = top.bar_b_arrive_o;
		out.done = top.done_o;
		out.done_queue = top.done_queue_o;
		out.fault_valid = top.fault_valid_o;
		out.event = top.signal_event_o;
		out.idle = top.idle_o;
		out.fault_address = fault.get(64);
		out.fault_code = static_cast<uint32_t>(fault.get(16));
		out.fault_tag = static_cast<uint32_t>(fault.get(32));
		out.fault_seq = static_cast<uint32_t>(fault.get(16));
		out.fault_queue = static_cast<uint32_t>(fault.get(QueueWidth));
	}
};

struct sig *sig_open(void)
{
	return new sig;
}

void sig_close(struct sig *s)
{
	delete s;
}

const struct sig_info *sig_info(void)
{
	return &info;
}

struct sig_in *sig_in(struct sig *s)
{
	return &s->in;
}

const struct sig_out *sig_out(const struct sig *s)
{
	return &s->out;
}

void sig_eval(struct sig *s)
{
	s->put_pins();
	s->rtl.eval();
	s->get_pins();
}

void sig_tick(struct sig *s)
{
	s->rtl.tick();
	s->get_pins();
}
