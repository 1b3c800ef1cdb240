/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated set-up and walkers <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_walks.h"
#include "shape.h"
#include "unit_rtl/tma_walks_shim.h"

namespace
{

constexpr unsigned QueueWidth = log2_up(TMA_NumQueues);
constexpr unsigned CtaWidth = TMA_NumCtas > 1 ? log2_up(TMA_NumCtas) : 1;
constexpr unsigned ChunkAddr = log2_up(TMA_SmemBytes) - 4;
constexpr unsigned BarAddr = log2_up(TMA_SmemBytes) - 3;

const struct walks_info info = {
	TMA_DataWidth / 8, TMA_SmemBytes, TMA_NumCtas, TMA_NumQueues, TMA_Packed,
};

constexpr unsigned Clients[] = { 0, 1 };

void put_signal(packer &p, const struct walks_signal &s)
{
	p.put(32, s.tag).put(16, s.seq).put(QueueWidth, s.queue).put(20, s.bytes);
	p.put(BarAddr, s.barrier).put(TMA_NumCtas, s.again).put(TMA_NumCtas, s.ctas).put(1, s.arrive);
}

struct walks_signal get_signal(unpacker &u)
{
	struct walks_signal s;

	s.tag = static_cast<uint32_t>(u.get(32));
	s.seq = static_cast<uint16_t>(u.get(16));
	s.queue = static_cast<uint8_t>(u.get(QueueWidth));
	s.bytes = static_cast<uint32_t>(u.get(20));
	s.barrier = static_cast<uint32_t>(u.get(BarAddr));
	s.again = static_cast<uint16_t>(u.get(TMA_NumCtas));
	s.ctas = static_cast<uint16_t>(u.get(TMA_NumCtas));
	s.arrive = static_cast<uint8_t>(u.get(1));
	return s;
}

void put_hint(packer &p, const struct walks_hint &h)
{
	p.put(4, h.evict).put(2, h.prefetch).put(1, h.cg).put(4, h.qos);
}

void put_cmd(packer &p, const struct walks_cmd &c)
{
	p.put(64, c.fault_addr).put(16, c.fault);
	put_signal(p, c.signal);
	put_hint(p, c.hint);
	p.put(32, c.operand).put(64, c.map_addr).put(CtaWidth, c.cta).put(TMA_NumCtas, c.dst);
	for (unsigned i = 0; i < 3; i++)
		p.put(16, c.im2col[i]);
	for (unsigned i = 0; i < 5; i++)
		p.put(32, c.coord[i]);
	p.put(3, c.dim).put(3, c.mode).put(3, Clients[c.client]).put(1, c.store);
}

void put_map(packer &p, const struct walks_map &m)
{
	p.put(1, m.window_inside).put(1, m.storable).put(1, m.one_row).put(12, m.row_bytes);
	p.put(20, m.chunks).put(24, m.bytes).put(10, m.pixels);
	for (const struct walks_level &l : m.level) {
		p.put(16, static_cast<uint32_t>(l.upper)).put(16, static_cast<uint32_t>(l.lower));
		p.put(8, l.count).put(3, l.step).put(36, l.stride).put(32, l.last).put(3, l.dim);
		p.put(1, l.spatial).put(1, l.fixed).put(1, l.used);
	}
	for (uint32_t chunks : m.fold_chunks)
		p.put(16, chunks);
	for (uint8_t fold : m.fold)
		p.put(1, fold);
	p.put(36, m.slice_stride).put(32, m.slice_last).put(3, m.slice_dim).put(1, m.slice_used);
	p.put(10, m.pitch).put(10, m.row_chunks).put(10, m.row_count).put(32, m.row_last);
	p.put(1, m.half).put(3, m.unit).put(1, m.row_used).put(2, m.promotion);
	p.put(1, m.layout.nan).put(2, m.layout.format).put(3, m.layout.swizzle);
	p.put(1, m.interleaved).put(2, m.kind).put(3, m.rank).put(60, m.base);
}

} // namespace

struct walks {
	unit<Vtma_walks> rtl{ "tma_walks" };
	struct walks_in in = {};
	struct walks_out out = {};
	struct walks_cmd cmd = {}; /* as they are at the pins */
	struct walks_map map = {};

	void put_pins()
	{
		auto &top = *rtl.top;

		top.rst_ni = in.rst_n;
		top.granule16_i = in.granule16;
		top.cmd_valid_i = in.cmd_valid;
		top.row_ready_i = static_cast<uint8_t>(in.row_ready[0] | in.row_ready[1] << 1);
		top.stop_i = static_cast<uint8_t>(in.stop[0] | in.stop[1] << 1);
		if (std::memcmp(&cmd, &in.cmd, sizeof(cmd)) || std::memcmp(&map, &in.map, sizeof(map))) {
			packer cmd_pins(top.cmd_i), map_pins(top.info_i);

			cmd = in.cmd;
			map = in.map;
			put_cmd(cmd_pins, cmd);
			put_map(map_pins, map);
		}
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		unpacker rows(top.row_o), items(top.item_o);

		out.cmd_ready = top.cmd_ready_o;
		for (unsigned d = 0; d < 2; d++) {
			struct walks_row &r = out.row[d];
			struct walks_item &i = out.item[d];

			out.walk_valid[d] = top.walk_valid_o >> d & 1;
			out.row_valid[d] = top.row_valid_o >> d & 1;
			out.busy[d] = top.busy_o >> d & 1;
			r.last = static_cast<uint8_t>(rows.get(1));
			r.first = static_cast<uint8_t>(rows.get(1));
			r.none = static_cast<uint8_t>(rows.get(1));
			r.tail = static_cast<uint32_t>(rows.get(16));
			r.odd = static_cast<uint32_t>(rows.get(4));
			r.chunks = static_cast<uint32_t>(rows.get(16));
			r.head = static_cast<uint32_t>(rows.get(16));
			r.saddr = static_cast<uint32_t>(rows.get(ChunkAddr));
			r.gaddr = rows.get(64);
			i.fault = static_cast<uint16_t>(items.get(16));
			i.signal = get_signal(items);
			i.layout.nan = static_cast<uint8_t>(items.get(1));
			i.layout.format = static_cast<uint8_t>(items.get(2));
			i.layout.swizzle = static_cast<uint8_t>(items.get(3));
			i.cta = static_cast<uint8_t>(items.get(CtaWidth));
			i.dst = static_cast<uint16_t>(items.get(TMA_NumCtas));
			i.hint.evict = static_cast<uint8_t>(items.get(4));
			i.hint.prefetch = static_cast<uint8_t>(items.get(2));
			i.hint.cg = static_cast<uint8_t>(items.get(1));
			i.hint.qos = static_cast<uint8_t>(items.get(4));
			i.client = static_cast<uint8_t>(items.get(3));
		}
	}
};

struct walks *walks_open(void)
{
	return new walks;
}

void walks_close(struct walks *w)
{
	delete w;
}

const struct walks_info *walks_info(void)
{
	return &info;
}

struct walks_in *walks_in(struct walks *w)
{
	return &w->in;
}

const struct walks_out *walks_out(const struct walks *w)
{
	return &w->out;
}

void walks_eval(struct walks *w)
{
	w->put_pins();
	w->rtl.eval();
	w->get_pins();
}

void walks_tick(struct walks *w)
{
	w->rtl.tick();
}
