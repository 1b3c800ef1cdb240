/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated tensor unit <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_tensor.h"
#include "shape.h"
#include "unit_rtl/tma_tensor_shim.h"

namespace
{

constexpr unsigned QueueWidth = log2_up(TMA_NumQueues);
constexpr unsigned CtaWidth = TMA_NumCtas > 1 ? log2_up(TMA_NumCtas) : 1;
constexpr unsigned ChunkAddr = log2_up(TMA_SmemBytes) - 4;
constexpr unsigned BarAddr = log2_up(TMA_SmemBytes) - 3;
constexpr unsigned Levels = 4;

const struct tensor_shape shape = { TMA_DataWidth / 8, TMA_NumQueues };

void put_op(packer &p, const struct tensor_cmd &c)
{
	p.put(32, c.coord).put(64, 0).put(64, 0).put(3, c.dim).put(3, c.mode);
}

void put_load(packer &p, const struct tensor_cmd &c)
{
	p.put(32, c.tag).put(16, 0).put(QueueWidth, c.queue).put(20, c.operand >> 23);
	p.put(BarAddr, 0).put(TMA_NumCtas, 0).put(TMA_NumCtas, 1).put(1, 0);
	p.put(15, 0).put(11, 0).put(ChunkAddr, c.operand >> 4).put(16, c.operand >> 7);
	p.put(64, c.map_addr).put(TMA_NumCtas, 1).put(48, 0);
	put_op(p, c);
	p.put(1, 1).put(3, c.prefetch);
}

void put_store(packer &p, const struct tensor_cmd &c)
{
	p.put(32, c.tag).put(16, 0).put(QueueWidth, c.queue).put(11, 0).put(16, c.operand >> 23);
	p.put(ChunkAddr, c.operand >> 4).put(CtaWidth, 0).put(16, c.operand >> 7);
	p.put(64, c.map_addr).put(1, 0);
	put_op(p, c);
	p.put(1, 1);
}

struct tensor_walk get_walk(unpacker &u)
{
	struct tensor_walk w;
	unsigned i;

	for (i = 0; i < Levels; i++) {
		u.get(39);
		if (i == 0)
			w.addr = u.get(60);
		else
			u.get(60);
		u.get(4), u.get(32), u.get(35), u.get(35), u.get(2), u.get(35), u.get(2);
	}
	u.get(9), u.get(10), u.get(2), u.get(1), u.get(16), u.get(4);
	w.chunks = static_cast<uint32_t>(u.get(16));
	u.get(16), u.get(16), u.get(ChunkAddr);
	w.saddr = static_cast<uint32_t>(u.get(ChunkAddr));
	u.get(1);
	w.low = static_cast<uint8_t>(u.get(4));
	w.empty = static_cast<uint8_t>(u.get(1));
	w.fault = static_cast<uint16_t>(u.get(16));
	w.tag = static_cast<uint32_t>(u.get(32));
	u.get(16), u.get(QueueWidth), u.get(20), u.get(BarAddr), u.get(TMA_NumCtas), u.get(TMA_NumCtas);
	u.get(1), u.get(6), u.get(CtaWidth), u.get(TMA_NumCtas), u.get(11), u.get(3);
	return w;
}

} // namespace

struct tensor {
	unit<Vtma_tensor> rtl{ "tma_tensor" };
	struct tensor_in in = {};
	struct tensor_out out = {};

	void put_pins()
	{
		auto &top = *rtl.top;
		packer cfg(top.cfg_i), load(top.load_cmd_i), store(top.store_cmd_i), beat(top.beat_i);

		top.rst_ni = in.rst_n;
		for (unsigned q = 0; q < TMA_NumQueues; q++)
			cfg.put(TMA_NumQueues, 0)
				.put(11, 0)
				.put(TMA_NumCtas, 0)
				.put(CtaWidth, 0)
				.put(1, 0)
				.put(1, 1);
		top.granule16_i = 0;
		top.cmd_valid_i = static_cast<uint8_t>(in.cmd_valid[0] | in.cmd_valid[1] << 1);
		top.walk_ready_i = static_cast<uint8_t>(in.walk_ready[0] | in.walk_ready[1] << 1);
		put_load(load, in.cmd[0]);
		put_store(store, in.cmd[1]);
		top.fence_valid_i = in.fence_valid;
		top.fence_addr_i = in.fence_addr;
		top.fetch_ready_i = in.fetch_ready;
		top.fetch_denied_i = in.denied;
		top.fetch_done_i = in.done;
		top.beat_valid_i = in.beat_valid;
		beat.put(1, in.beat_dead).put(1, in.beat_last).put(2, in.beat_resp);
		for (unsigned i = 0; i < TMA_DataWidth / 8; i++)
			beat.put(8, in.beat[i]);
		beat.put(5, 2u << 2);
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		unpacker walks(top.walk_o), fetch(top.fetch_o);

		for (unsigned d = 0; d < 2; d++) {
			out.cmd_ready[d] = top.cmd_ready_o >> d & 1;
			out.walk_valid[d] = top.walk_valid_o >> d & 1;
			out.walk[d] = get_walk(walks);
		}
		out.fence_ready = top.fence_ready_o;
		out.prefetch_error = top.prefetch_error_o;
		out.idle = top.idle_o;
		out.fetch_valid = top.fetch_valid_o;
		out.chunks = static_cast<uint32_t>(fetch.get(9));
		out.gaddr = fetch.get(64);
		out.probe = static_cast<uint8_t>(fetch.get(1));
		out.of_map = static_cast<uint8_t>(fetch.get(1));
		out.queue = static_cast<uint32_t>(fetch.get(QueueWidth));
	}
};

struct tensor *tensor_open(void)
{
	return new tensor;
}

void tensor_close(struct tensor *t)
{
	delete t;
}

const struct tensor_shape *tensor_shape(void)
{
	return &shape;
}

struct tensor_in *tensor_in(struct tensor *t)
{
	return &t->in;
}

const struct tensor_out *tensor_out(const struct tensor *t)
{
	return &t->out;
}

void tensor_eval(struct tensor *t)
{
	t->put_pins();
	t->rtl.eval();
	t->get_pins();
}

void tensor_tick(struct tensor *t)
{
	t->rtl.tick();
}
