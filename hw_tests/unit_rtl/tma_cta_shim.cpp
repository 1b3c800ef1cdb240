/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated CTA <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_cta.h"
#include "shape.h"
#include "unit_rtl/tma_cta_shim.h"

namespace
{

constexpr unsigned DataBytes = TMA_DataWidth / 8;
constexpr unsigned Banks = DataBytes / 16;
constexpr unsigned RowWidth = log2_up(TMA_SmemBytes) - 4 - log2_up(Banks);
constexpr unsigned BarAddr = log2_up(TMA_SmemBytes) - 3;

const struct cta_info info = { DataBytes, TMA_SmemBytes, TMA_NumBarriers, TMA_ShortPaths != 0 };

} // namespace

struct cta {
	unit<Vtma_cta> rtl{ "tma_cta" };
	struct cta_in in = {};
	struct cta_out out = {};
	struct cta_in asked = {}; // the cycle before, if its request of port A was not answered

	void put_write()
	{
		packer wr(rtl.top->wr_i);

		for (unsigned i = 0; i < DataBytes; i += 8) {
			uint64_t word;

			std::memcpy(&word, in.wr_data + i, 8);
			wr.put(64, word);
		}
		for (unsigned i = 0; i < DataBytes / 8; i++)
			wr.put(8, in.wr_be[i]);
		for (unsigned b = 0; b < Banks; b++)
			wr.put(RowWidth, in.wr_rows[b]);
		wr.put(TMA_NumCtas, 1);
	}

	void put_rows()
	{
		packer rows(rtl.top->rd_rows_i);

		for (const auto &port : in.rd_rows)
			for (unsigned b = 0; b < Banks; b++)
				rows.put(RowWidth, port[b]);
	}

	void put_pins()
	{
		auto &top = *rtl.top;

		top.rst_ni = in.rst_n;
		top.wr_valid_i = in.wr_valid;
		if (in.wr_valid)
			put_write();
		packer(top.rd_valid_i).put(1, in.rd_valid[0]).put(1, in.rd_valid[1]);
		put_rows();
		top.ext_valid_i = in.ext.valid;
		top.ext_write_i = in.ext.write;
		top.ext_addr_i = in.ext.addr;
		top.ext_strb_i = in.ext.strb;
		std::memcpy(&top.ext_wdata_i, in.ext.wdata, sizeof(in.ext.wdata));
		top.bar_a_valid_i = in.a_valid;
		top.bar_a_again_i = in.a_valid && asks_again();
		top.bar_a_commit_i = in.a_commit;
		packer(top.bar_a_req_i)
			.put(1, in.a.no_complete)
			.put(1, in.a.drop)
			.put(20, in.a.tx)
			.put(20, in.a.count)
			.put(BarAddr, in.a_addr)
			.put(3, in.a.op);
		top.bar_b_valid_i = in.b_valid;
		packer(top.bar_b_addr_i).put(BarAddr, in.b_addr);
		top.bar_b_arrive_i = in.b_arrive;
		top.bar_b_tx_i = in.b_tx;
	}

	bool asks_again() const
	{
		return asked.a_valid && asked.a_addr == in.a_addr && asked.a.op == in.a.op &&
		       asked.a.count == in.a.count && asked.a.tx == in.a.tx && asked.a.drop == in.a.drop &&
		       asked.a.no_complete == in.a.no_complete;
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		unpacker rd(top.rd_ready_o), rsp(top.bar_a_rsp_o);

		out.wr_ready = top.wr_ready_o;
		out.rd_ready[0] = static_cast<uint8_t>(rd.get(1));
		out.rd_ready[1] = static_cast<uint8_t>(rd.get(1));
		std::memcpy(out.rd_data[0], &top.rd_data_o, DataBytes);
		std::memcpy(out.rd_data[1], reinterpret_cast<const uint8_t *>(&top.rd_data_o) + DataBytes,
		            DataBytes);
		out.ext.ready = top.ext_ready_o;
		out.ext.rvalid = top.ext_rvalid_o;
		std::memcpy(out.ext.rdata, &top.ext_rdata_o, sizeof(out.ext.rdata));
		out.a_ready = top.bar_a_ready_o;
		out.a_pending = static_cast<uint32_t>(rsp.get(20));
		out.a_phase = static_cast<uint8_t>(rsp.get(1));
		out.a_fault = static_cast<uint32_t>(rsp.get(16));
		out.b_ready = top.bar_b_ready_o;
		out.b_fault = top.bar_b_fault_o;
		out.update = top.bar_update_o;
	}
};

struct cta *cta_open(void)
{
	return new cta;
}

void cta_close(struct cta *c)
{
	delete c;
}

const struct cta_info *cta_info(void)
{
	return &info;
}

struct cta_in *cta_in(struct cta *c)
{
	return &c->in;
}

const struct cta_out *cta_out(const struct cta *c)
{
	return &c->out;
}

void cta_eval(struct cta *c)
{
	c->put_pins();
	c->rtl.eval();
	c->get_pins();
}

void cta_tick(struct cta *c)
{
	c->asked = c->in;
	c->asked.a_valid = c->in.a_valid && !c->out.a_ready;
	c->rtl.tick();
	c->get_pins();
}
