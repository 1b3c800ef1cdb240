/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated page cut and guards <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_rows.h"
#include "shape.h"
#include "unit_rtl/tma_rows_shim.h"

namespace
{

constexpr unsigned Chunks = TMA_DataWidth / 128;
constexpr unsigned ChunkIdx = Chunks > 1 ? log2_up(Chunks) : 1;
constexpr unsigned QueueWidth = log2_up(TMA_NumQueues);
constexpr unsigned ChunkAddr = log2_up(TMA_SmemBytes) - 4;

const struct rows_info info = {
	TMA_DataWidth / 8, TMA_SmemBytes, TMA_NumQueues, TMA_NumWindows, TMA_NumPorts, TMA_NumMultimem,
};

void put_row(packer &p, const struct rows_row &row)
{
	p.put(1, row.last).put(1, row.first).put(1, row.none).put(4, row.odd).put(16, row.chunks);
	p.put(ChunkAddr, row.saddr).put(64, row.gaddr);
}

} // namespace

struct rows {
	unit<Vtma_rows> rtl{ "tma_rows" };
	struct rows_in in = {};
	struct rows_out out = {};

	void put_pins()
	{
		auto &top = *rtl.top;
		packer valid(top.row_valid_i), ready(top.burst_ready_i), deny(top.deny_ready_i);
		packer abort(top.guard_abort_i), row(top.row_i), queue(top.row_queue_i), mm(top.row_mm_i);
		packer cut(top.cut_i);

		top.rst_ni = in.rst_n;
		top.cut_valid_i = in.cut_valid;
		top.part_ready_i = in.part_ready;
		top.cut_abort_i = in.cut_abort;
		put_row(cut, in.cut);
		for (const struct rows_guard_in &g : in.guard) {
			valid.put(1, g.row_valid);
			ready.put(1, g.burst_ready);
			deny.put(1, g.deny_ready);
			abort.put(1, g.abort);
			queue.put(QueueWidth, g.queue);
			mm.put(1, g.mm);
			put_row(row, g.row);
		}
	}

	void get_guards()
	{
		const auto &top = *rtl.top;
		unpacker ready(top.row_ready_o), valid(top.burst_valid_o), deny(top.deny_valid_o);
		unpacker busy(top.guard_busy_o), addr(top.deny_addr_o), code(top.deny_code_o);
		unpacker burst(top.burst_o), ports(top.ports_o), port_addr(top.port_addr_o);

		for (struct rows_guard_out &g : out.guard) {
			g.row_ready = static_cast<uint8_t>(ready.get(1));
			g.burst_valid = static_cast<uint8_t>(valid.get(1));
			g.deny_valid = static_cast<uint8_t>(deny.get(1));
			g.busy = static_cast<uint8_t>(busy.get(1));
			g.deny_addr = addr.get(64);
			g.deny_code = static_cast<uint32_t>(code.get(16));
			g.ports = static_cast<uint8_t>(ports.get(TMA_NumPorts));
			for (unsigned p = 0; p < TMA_NumPorts; p++)
				g.port_addr[p] = port_addr.get(64);
			g.burst.last = static_cast<uint8_t>(burst.get(1));
			g.burst.first = static_cast<uint8_t>(burst.get(1));
			g.burst.saddr = static_cast<uint32_t>(burst.get(ChunkAddr));
			g.burst.none = static_cast<uint8_t>(burst.get(1));
			g.burst.odd = static_cast<uint8_t>(burst.get(4));
			g.burst.tail = static_cast<uint32_t>(burst.get(ChunkIdx));
			g.burst.head = static_cast<uint32_t>(burst.get(ChunkIdx));
			g.burst.len = static_cast<uint32_t>(burst.get(8));
			g.burst.addr = burst.get(64);
		}
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		unpacker part(top.part_o);

		out.cut_ready = top.cut_ready_o;
		out.part_valid = top.part_valid_o;
		out.held = top.cut_held_o;
		out.part.last = static_cast<uint8_t>(part.get(1));
		out.part.first = static_cast<uint8_t>(part.get(1));
		out.part.none = static_cast<uint8_t>(part.get(1));
		out.part.odd = static_cast<uint8_t>(part.get(4));
		out.part.chunks = static_cast<uint32_t>(part.get(16));
		out.part.saddr = static_cast<uint32_t>(part.get(ChunkAddr));
		out.part.gaddr = part.get(64);
		get_guards();
	}
};

struct rows *rows_open(void)
{
	return new rows;
}

void rows_close(struct rows *r)
{
	delete r;
}

const struct rows_info *rows_info(void)
{
	return &info;
}

struct rows_in *rows_in(struct rows *r)
{
	return &r->in;
}

const struct rows_out *rows_out(const struct rows *r)
{
	return &r->out;
}

void rows_setup(struct rows *r, const struct rows_window (*windows)[ROWS_MAX_WINDOWS],
                const struct rows_multimem *multimem)
{
	packer p(r->rtl.top->windows_i), m(r->rtl.top->multimem_i);

	for (unsigned q = 0; q < TMA_NumQueues; q++)
		for (unsigned w = 0; w < TMA_NumWindows; w++) {
			const struct rows_window &x = windows[q][w];

			p.put(1, x.read).put(1, x.write).put(1, x.multimem);
			p.put(52, x.limit).put(52, x.base);
		}
	for (unsigned i = 0; i < TMA_NumMultimem; i++) {
		for (unsigned k = 0; k < TMA_NumPorts; k++)
			m.put(52, multimem[i].port_base[k]);
		m.put(TMA_NumPorts, multimem[i].ports);
		m.put(52, multimem[i].limit).put(52, multimem[i].base);
	}
}

void rows_eval(struct rows *r)
{
	r->put_pins();
	r->rtl.eval();
	r->get_pins();
}

void rows_tick(struct rows *r)
{
	r->rtl.tick();
}
