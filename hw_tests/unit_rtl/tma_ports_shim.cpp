/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated ports <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_ports.h"
#include "shape.h"
#include "unit_rtl/tma_ports_shim.h"

namespace
{

constexpr unsigned IdWidth = 5;

const struct ports_info info = { TMA_NumReads, TMA_NumWrites };

void put_addr(packer &p, const struct ports_addr &a, bool id)
{
	p.put(16, a.user).put(4, a.qos).put(3, a.prot).put(4, a.cache).put(8, a.len).put(64, a.addr);
	if (id)
		p.put(IdWidth, a.id);
}

void get_addr(unpacker &u, struct ports_addr &a, bool id)
{
	a.user = static_cast<uint32_t>(u.get(16));
	a.qos = static_cast<uint32_t>(u.get(4));
	a.prot = static_cast<uint32_t>(u.get(3));
	a.cache = static_cast<uint32_t>(u.get(4));
	a.len = static_cast<uint32_t>(u.get(8));
	a.addr = u.get(64);
	a.id = id ? static_cast<uint32_t>(u.get(IdWidth)) : 0;
}

void put_wide(packer &p, unsigned width, uint64_t low)
{
	p.put(width < 64 ? width : 64, low);
	for (unsigned i = 64; i < width; i++)
		p.put(1, 0);
}

uint64_t get_wide(unpacker &u, unsigned width)
{
	const uint64_t low = u.get(width < 64 ? width : 64);

	for (unsigned i = 64; i < width; i++)
		u.get(1);
	return low;
}

} // namespace

struct ports {
	unit<Vtma_ports> rtl{ "tma_ports" };
	struct ports_in in = {};
	struct ports_out out = {};

	void put_read()
	{
		auto &top = *rtl.top;
		packer ar(top.ar_i), r(top.pin_r_i);

		top.read_dead_i = in.read.dead;
		top.ar_valid_i = in.read.ar_valid;
		put_addr(ar, in.read.ar, true);
		top.r_ready_i = in.read.r_ready;
		top.pin_ar_ready_i = in.read.pin_ar_ready;
		top.pin_r_valid_i = in.read.pin_r_valid;
		r.put(1, 0).put(1, in.read.pin_r.last).put(2, in.read.pin_r.resp);
		put_wide(r, TMA_DataWidth, in.read.pin_r.data);
		r.put(IdWidth, in.read.pin_r.id);
	}

	void put_write()
	{
		auto &top = *rtl.top;
		packer dead(top.write_dead_i), aw_valid(top.aw_valid_i), w_valid(top.w_valid_i);
		packer b_ready(top.b_ready_i), pin_aw_ready(top.pin_aw_ready_i);
		packer pin_w_ready(top.pin_w_ready_i), pin_b_valid(top.pin_b_valid_i);
		packer pin_b_resp(top.pin_b_resp_i), aw(top.aw_i), w(top.w_i);

		for (const struct ports_write_in &x : in.write) {
			dead.put(1, x.dead);
			aw_valid.put(1, x.aw_valid);
			w_valid.put(1, x.w_valid);
			b_ready.put(1, x.b_ready);
			pin_aw_ready.put(1, x.pin_aw_ready);
			pin_w_ready.put(1, x.pin_w_ready);
			pin_b_valid.put(1, x.pin_b_valid);
			pin_b_resp.put(2, x.pin_b_resp);
			put_addr(aw, x.aw, false);
			w.put(1, x.w.last);
			put_wide(w, TMA_DataWidth / 8, x.w.strb);
			put_wide(w, TMA_DataWidth, x.w.data);
		}
	}

	void put_pins()
	{
		auto &top = *rtl.top;

		top.rst_ni = in.rst_n;
		top.limit_i = in.limit;
		top.watch_pending_i = in.watch_pending;
		top.watch_progress_i = in.watch_progress;
		put_read();
		put_write();
	}

	void get_read()
	{
		const auto &top = *rtl.top;
		unpacker ar(top.pin_ar_o), r(top.r_o);
		struct ports_read_out &x = out.read;

		x.ar_ready = top.ar_ready_o;
		x.r_valid = top.r_valid_o;
		x.pin_ar_valid = top.pin_ar_valid_o;
		x.pin_r_ready = top.pin_r_ready_o;
		x.pending = top.read_pending_o;
		x.progress = top.read_progress_o;
		get_addr(ar, x.pin_ar, true);
		x.r.dead = static_cast<uint32_t>(r.get(1));
		x.r.last = static_cast<uint32_t>(r.get(1));
		x.r.resp = static_cast<uint32_t>(r.get(2));
		x.r.data = get_wide(r, TMA_DataWidth);
		x.r.id = static_cast<uint32_t>(r.get(IdWidth));
	}

	void get_write()
	{
		const auto &top = *rtl.top;
		unpacker aw_ready(top.aw_ready_o), w_ready(top.w_ready_o), b_valid(top.b_valid_o);
		unpacker b(top.b_o), pin_aw_valid(top.pin_aw_valid_o), pin_w_valid(top.pin_w_valid_o);
		unpacker pin_b_ready(top.pin_b_ready_o), pending(top.write_pending_o);
		unpacker progress(top.write_progress_o), aw(top.pin_aw_o), w(top.pin_w_o);

		for (struct ports_write_out &x : out.write) {
			x.aw_ready = static_cast<uint8_t>(aw_ready.get(1));
			x.w_ready = static_cast<uint8_t>(w_ready.get(1));
			x.b_valid = static_cast<uint8_t>(b_valid.get(1));
			x.b_dead = static_cast<uint8_t>(b.get(1));
			x.b_resp = static_cast<uint8_t>(b.get(2));
			x.pin_aw_valid = static_cast<uint8_t>(pin_aw_valid.get(1));
			x.pin_w_valid = static_cast<uint8_t>(pin_w_valid.get(1));
			x.pin_b_ready = static_cast<uint8_t>(pin_b_ready.get(1));
			x.pending = static_cast<uint8_t>(pending.get(1));
			x.progress = static_cast<uint8_t>(progress.get(1));
			get_addr(aw, x.pin_aw, false);
			x.pin_w.last = static_cast<uint32_t>(w.get(1));
			x.pin_w.strb = static_cast<uint32_t>(get_wide(w, TMA_DataWidth / 8));
			x.pin_w.data = get_wide(w, TMA_DataWidth);
		}
	}

	void get_pins()
	{
		out.watch_dead = rtl.top->dead_o;
		get_read();
		get_write();
	}
};

struct ports *ports_open(void)
{
	return new ports;
}

void ports_close(struct ports *p)
{
	delete p;
}

const struct ports_info *ports_info(void)
{
	return &info;
}

struct ports_in *ports_in(struct ports *p)
{
	return &p->in;
}

const struct ports_out *ports_out(const struct ports *p)
{
	return &p->out;
}

void ports_eval(struct ports *p)
{
	p->put_pins();
	p->rtl.eval();
	p->get_pins();
}

void ports_tick(struct ports *p)
{
	p->rtl.tick();
}
