/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated shared-to-shared path <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_shared_copy.h"
#include "shape.h"
#include "unit_rtl/tma_shared_copy_shim.h"

namespace
{

constexpr unsigned DataBytes = TMA_DataWidth / 8;
constexpr unsigned QueueWidth = log2_up(TMA_NumQueues);
constexpr unsigned CtaWidth = TMA_NumCtas > 1 ? log2_up(TMA_NumCtas) : 1;
constexpr unsigned ChunkAddr = log2_up(TMA_SmemBytes) - 4;
constexpr unsigned Banks = DataBytes / 16;
constexpr unsigned RowWidth = ChunkAddr - log2_up(Banks);
constexpr unsigned BarAddr = log2_up(TMA_SmemBytes) - 3;

const struct copy_info info = { DataBytes, TMA_NumCtas, TMA_SmemBytes, TMA_NumQueues };

} // namespace

struct copy {
	unit<Vtma_shared_copy> rtl{ "tma_shared_copy" };
	struct copy_in in = {};
	struct copy_out out = {};

	void put_pins()
	{
		auto &top = *rtl.top;

		top.rst_ni = in.rst_n;
		top.cmd_valid_i = in.cmd_valid;
		packer(top.cmd_i)
			.put(32, in.cmd.tag)
			.put(16, in.cmd.seq)
			.put(QueueWidth, in.cmd.queue)
			.put(20, in.cmd.bytes)
			.put(BarAddr, in.cmd.barrier)
			.put(TMA_NumCtas, in.cmd.again)
			.put(TMA_NumCtas, in.cmd.ctas)
			.put(1, 0)
			.put(ChunkAddr, in.cmd.dst)
			.put(ChunkAddr, in.cmd.src)
			.put(CtaWidth, in.cmd.src_cta)
			.put(16, in.cmd.chunks);
		top.rd_ready_i = in.rd_ready;
		std::memcpy(&top.rd_data_i, in.rd_data, DataBytes);
		top.wr_ready_i = in.wr_ready;
		top.sig_ready_i = in.sig_ready;
	}

	void get_write()
	{
		unpacker wr(rtl.top->wr_o);

		for (unsigned i = 0; i < DataBytes; i += 8) {
			const uint64_t word = wr.get(64);

			std::memcpy(out.wr_data + i, &word, 8);
		}
		for (unsigned i = 0; i < DataBytes / 8; i++)
			out.wr_be[i] = static_cast<uint8_t>(wr.get(8));
		for (unsigned b = 0; b < Banks; b++)
			out.wr_rows[b] = static_cast<uint32_t>(wr.get(RowWidth));
		out.wr_ctas = static_cast<uint32_t>(wr.get(TMA_NumCtas));
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		unpacker sig(top.sig_o), rows(top.rd_rows_o);

		out.cmd_ready = top.cmd_ready_o;
		out.rd_valid = top.rd_valid_o;
		out.rd_cta = top.rd_cta_o;
		for (unsigned b = 0; b < Banks; b++)
			out.rd_rows[b] = static_cast<uint32_t>(rows.get(RowWidth));
		out.wr_valid = top.wr_valid_o;
		if (out.wr_valid)
			get_write();
		out.sig_valid = top.sig_valid_o;
		out.sig.tag = static_cast<uint32_t>(sig.get(32));
		out.sig.seq = static_cast<uint32_t>(sig.get(16));
		out.sig.queue = static_cast<uint32_t>(sig.get(QueueWidth));
		out.sig.bytes = static_cast<uint32_t>(sig.get(20));
		out.sig.barrier = static_cast<uint32_t>(sig.get(BarAddr));
		out.sig.again = static_cast<uint32_t>(sig.get(TMA_NumCtas));
		out.sig.ctas = static_cast<uint32_t>(sig.get(TMA_NumCtas));
		out.sig_arrive = static_cast<uint8_t>(sig.get(1));
		out.line_event = top.line_event_o;
		out.idle = top.idle_o;
	}
};

struct copy *copy_open(void)
{
	return new copy;
}

void copy_close(struct copy *c)
{
	delete c;
}

const struct copy_info *copy_info(void)
{
	return &info;
}

struct copy_in *copy_in(struct copy *c)
{
	return &c->in;
}

const struct copy_out *copy_out(const struct copy *c)
{
	return &c->out;
}

void copy_eval(struct copy *c)
{
	c->put_pins();
	c->rtl.eval();
	c->get_pins();
}

void copy_tick(struct copy *c)
{
	c->rtl.tick();
	c->get_pins();
}
