/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated parts <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_parts.h"
#include "shape.h"
#include "unit_rtl/tma_parts_shim.h"

namespace
{

constexpr unsigned DataBytes = TMA_DataWidth / 8;
constexpr unsigned Chunks = DataBytes / 16;
constexpr unsigned ChunkIdx = Chunks > 1 ? log2_up(Chunks) : 1;
constexpr unsigned CtaWidth = TMA_NumCtas > 1 ? log2_up(TMA_NumCtas) : 1;
constexpr unsigned ChunkAddr = log2_up(TMA_SmemBytes) - 4;
constexpr unsigned RowWidth = ChunkAddr - log2_up(Chunks);

const struct parts_info info = { DataBytes, TMA_NumCtas, TMA_SmemBytes };

template <class Port> void put_write(Port &port, const struct parts_write &w)
{
	packer p(port);

	for (unsigned i = 0; i < DataBytes; i++)
		p.put(8, w.data[i]);
	for (unsigned i = 0; i < DataBytes / 8; i++)
		p.put(8, w.be[i]);
	for (unsigned b = 0; b < Chunks; b++)
		p.put(RowWidth, w.rows[b]);
	p.put(TMA_NumCtas, w.ctas);
}

} // namespace

struct parts {
	unit<Vtma_parts> rtl{ "tma_parts" };
	struct parts_in in = {};
	struct parts_out out = {};

	void put_common()
	{
		auto &top = *rtl.top;
		packer valid(top.fifo_in_valid_i), ready(top.fifo_out_ready_i), data(top.fifo_in_i);
		packer rotate(top.rotate_i);

		top.rst_ni = in.rst_n;
		for (const struct parts_fifo_in &f : in.fifo) {
			valid.put(1, f.valid);
			ready.put(1, f.ready);
			data.put(32, f.data);
		}
		top.ram_we_i = in.ram_we;
		top.ram_waddr_i = in.ram_waddr;
		top.ram_wdata_i = in.ram_wdata;
		top.ram_raddr_i = in.ram_raddr;
		top.arb_request_i = in.arb_request;
		top.arb_advance_i = in.arb_advance;
		for (unsigned i = 0; i < Chunks; i++)
			rotate.put(16, in.rotate[i]);
		packer(top.rotate_amount_i).put(ChunkIdx, in.rotate_amount);
	}

	/* The bytes of the lane that the chunk's bank has. */
	void put_chunk()
	{
		const struct parts_write &w = in.wr[2];
		unsigned lane = w.addr % Chunks, cta = 0;
		packer chunk(rtl.top->cp_i);

		while (w.ctas >> cta > 1)
			cta++;
		for (unsigned i = 0; i < 16; i++)
			chunk.put(8, w.data[16 * lane + i]);
		chunk.put(8, w.be[2 * lane]).put(8, w.be[2 * lane + 1]).put(ChunkAddr, w.addr);
		chunk.put(CtaWidth, cta);
	}

	void put_route()
	{
		auto &top = *rtl.top;
		packer valid(top.rd_valid_i), cta(top.rd_cta_i), rows(top.rd_rows_i);
		packer ready(top.cta_rd_ready_i), data(top.cta_rd_data_i);

		top.load_valid_i = in.wr_valid[0];
		top.copy_valid_i = in.wr_valid[1];
		put_write(top.load_i, in.wr[0]);
		put_write(top.copy_i, in.wr[1]);
		top.cp_valid_i = in.wr_valid[2];
		put_chunk();
		packer(top.cta_wr_ready_i).put(TMA_NumCtas, in.cta_wr_ready);
		for (unsigned p = 0; p < PARTS_PORTS; p++) {
			valid.put(1, in.rd_valid[p]);
			cta.put(CtaWidth, in.rd_cta[p]);
			for (unsigned b = 0; b < Chunks; b++)
				rows.put(RowWidth, in.rd_rows[p][b]);
		}
		for (unsigned c = 0; c < TMA_NumCtas; c++)
			for (unsigned p = 0; p < PARTS_PORTS; p++) {
				ready.put(1, in.cta_rd_ready[p] >> c & 1);
				for (unsigned i = 0; i < DataBytes; i++)
					data.put(8, in.cta_rd_data[c][p][i]);
			}
	}

	void get_common()
	{
		const auto &top = *rtl.top;
		unpacker ready(top.fifo_in_ready_o), valid(top.fifo_out_valid_o), data(top.fifo_out_o);
		unpacker level(top.fifo_level_o), rotate(top.rotate_o);

		for (struct parts_fifo_out &f : out.fifo) {
			f.ready = static_cast<uint8_t>(ready.get(1));
			f.valid = static_cast<uint8_t>(valid.get(1));
			f.level = static_cast<uint8_t>(level.get(3));
			f.data = static_cast<uint32_t>(data.get(32));
		}
		out.ram_rdata = top.ram_rdata_o;
		out.arb_grant = top.arb_grant_o;
		out.arb_index = top.arb_index_o;
		for (unsigned i = 0; i < Chunks; i++)
			out.rotate[i] = static_cast<uint16_t>(rotate.get(16));
	}

	void get_route()
	{
		const auto &top = *rtl.top;
		unpacker ready(top.rd_ready_o), data(top.rd_data_o), valid(top.cta_rd_valid_o);
		unpacker rows(top.cta_rd_rows_o), wr(top.cta_wr_o), wr_valid(top.cta_wr_valid_o);

		out.wr_ready[0] = top.load_ready_o;
		out.wr_ready[1] = top.copy_ready_o;
		out.wr_ready[2] = top.cp_ready_o;
		out.cta_wr_valid = static_cast<uint32_t>(wr_valid.get(TMA_NumCtas));
		for (unsigned i = 0; i < DataBytes; i++)
			out.cta_wr.data[i] = static_cast<uint8_t>(wr.get(8));
		for (unsigned i = 0; i < DataBytes / 8; i++)
			out.cta_wr.be[i] = static_cast<uint8_t>(wr.get(8));
		for (unsigned b = 0; b < Chunks; b++)
			out.cta_wr.rows[b] = static_cast<uint32_t>(wr.get(RowWidth));
		out.cta_wr.ctas = static_cast<uint32_t>(wr.get(TMA_NumCtas));
		for (unsigned p = 0; p < PARTS_PORTS; p++) {
			out.rd_ready[p] = static_cast<uint8_t>(ready.get(1));
			for (unsigned b = 0; b < Chunks; b++)
				out.cta_rd_rows[p][b] = static_cast<uint32_t>(rows.get(RowWidth));
			out.cta_rd_valid[p] = 0;
			for (unsigned i = 0; i < DataBytes; i++)
				out.rd_data[p][i] = static_cast<uint8_t>(data.get(8));
		}
		for (unsigned c = 0; c < TMA_NumCtas; c++)
			for (unsigned p = 0; p < PARTS_PORTS; p++)
				out.cta_rd_valid[p] |= static_cast<uint32_t>(valid.get(1)) << c;
	}
};

struct parts *parts_open(void)
{
	return new parts;
}

void parts_close(struct parts *p)
{
	delete p;
}

const struct parts_info *parts_info(void)
{
	return &info;
}

struct parts_in *parts_in(struct parts *p)
{
	return &p->in;
}

const struct parts_out *parts_out(const struct parts *p)
{
	return &p->out;
}

void parts_eval(struct parts *p)
{
	p->put_common();
	p->put_route();
	p->rtl.eval();
	p->get_common();
	p->get_route();
}

void parts_tick(struct parts *p)
{
	p->rtl.tick();
}
