/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated ring front end <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_ring.h"
#include "shape.h"
#include "unit_rtl/tma_ring_shim.h"

constexpr unsigned QueueWidth = log2_up(TMA_NumQueues);
constexpr unsigned CtaWidth = TMA_NumCtas > 1 ? log2_up(TMA_NumCtas) : 1;
constexpr unsigned ClientRing = 3;

struct ring {
	unit<Vtma_ring> rtl{ "tma_ring" };
	struct ring_in in = {};
	struct ring_out out = {};

	void put_queues()
	{
		auto &top = *rtl.top;
		packer cfg(top.cfg_i), rings(top.ring_cfg_i), head(top.head_i);

		for (unsigned q = 0; q < TMA_NumQueues; q++) {
			const struct ring_cfg &c = in.cfg[q];

			/* What the rings have no use for is noise. */
			cfg.put(TMA_NumQueues, 0x5A5A).put(3, 5).put(8, 0xC3).put(TMA_NumCtas, 0x9669);
			cfg.put(CtaWidth, q).put(1, c.ring).put(1, c.enable);
			rings.put(5, 9).put(5, c.slots).put(52, ~c.base).put(52, c.base);
			head.put(32, in.head[q]);
		}
	}

	void put_beat()
	{
		packer r(rtl.top->r_i);

		r.put(1, in.r_dead).put(1, in.r_last).put(2, in.r_resp);
		for (unsigned i = 0; i < TMA_DataWidth / 64; i++) {
			uint64_t word;

			std::memcpy(&word, in.r_data + 8 * i, sizeof(word));
			r.put(64, word);
		}
		r.put(2, 0).put(3, ClientRing);
	}

	void put_pins()
	{
		auto &top = *rtl.top;

		top.rst_ni = in.rst_n;
		put_queues();
		packer(top.stopped_i).put(TMA_NumQueues, in.stopped);
		packer(top.restart_i).put(TMA_NumQueues, in.restart);
		top.restart_index_i = in.restart_index;
		top.door_valid_i = in.door_valid;
		top.door_queue_i = static_cast<uint8_t>(in.door_queue);
		top.door_tail_i = in.door_tail;
		top.fetch_ready_i = in.fetch_ready;
		top.fetch_denied_i = in.denied;
		top.r_valid_i = in.r_valid;
		if (in.r_valid)
			put_beat();
		packer(top.room_i).put(TMA_NumQueues, in.room);
		top.cmd_ready_i = in.cmd_ready;
		top.fault_ready_i = in.fault_ready;
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		unpacker tail(top.tail_o), fetch(top.fetch_o), cmd(top.cmd_o), fault(top.fault_o);

		for (unsigned q = 0; q < TMA_NumQueues; q++)
			out.tail[q] = static_cast<uint32_t>(tail.get(32));
		out.fetch_valid = top.fetch_valid_o;
		out.fetch_chunks = static_cast<uint32_t>(fetch.get(9));
		out.fetch_addr = fetch.get(64);
		out.fetch_probe = static_cast<uint32_t>(fetch.get(1));
		out.fetch_of_map = static_cast<uint32_t>(fetch.get(1));
		out.fetch_queue = static_cast<uint32_t>(fetch.get(QueueWidth));
		out.r_ready = top.r_ready_o;
		out.cmd_valid = top.cmd_valid_o;
		out.cmd_queue = top.cmd_queue_o;
		std::memcpy(out.cmd, &top.cmd_o, sizeof(out.cmd));
		for (unsigned i = 0; i < 8; i++)
			cmd.get(64);
		out.cmd_fetch = static_cast<uint32_t>(cmd.get(3));
		out.fault_valid = top.fault_valid_o;
		out.fault_address = fault.get(64);
		out.fault_code = static_cast<uint32_t>(fault.get(16));
		out.fault_tag = static_cast<uint32_t>(fault.get(32));
		out.fault_seq = static_cast<uint32_t>(fault.get(16));
		out.fault_queue = static_cast<uint32_t>(fault.get(QueueWidth));
		out.held = top.held_o;
		out.flight = top.flight_o;
		out.idle = top.idle_o;
	}
};

struct ring *ring_open(void)
{
	return new ring;
}

void ring_close(struct ring *r)
{
	delete r;
}

struct ring_shape ring_shape(void)
{
	return { TMA_NumQueues, TMA_RingDepth, TMA_DataWidth / 8 };
}

struct ring_in *ring_in(struct ring *r)
{
	return &r->in;
}

const struct ring_out *ring_out(const struct ring *r)
{
	return &r->out;
}

void ring_eval(struct ring *r)
{
	r->put_pins();
	r->rtl.eval();
	r->get_pins();
}

void ring_tick(struct ring *r)
{
	r->rtl.tick();
	r->get_pins();
}
