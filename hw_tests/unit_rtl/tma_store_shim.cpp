/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated store path <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_store.h"
#include "shape.h"
#include "unit_rtl/tma_store_shim.h"

namespace
{

constexpr unsigned DataBytes = TMA_DataWidth / 8;
constexpr unsigned QueueWidth = log2_up(TMA_NumQueues);
constexpr unsigned CtaWidth = TMA_NumCtas > 1 ? log2_up(TMA_NumCtas) : 1;
constexpr unsigned ChunkAddr = log2_up(TMA_SmemBytes) - 4;

const struct store_info info = {
	DataBytes, TMA_NumCtas, TMA_SmemBytes, TMA_NumQueues, TMA_NumWindows, TMA_NumWrites,
};

struct setup {
	uint8_t stream, prot;
	struct store_window windows[STORE_MAX_WINDOWS];
};

} // namespace

struct store {
	unit<Vtma_store> rtl{ "tma_store" };
	struct store_in in = {};
	struct store_out out = {};
	struct setup queues[STORE_MAX_QUEUES] = {};

	void put_setup()
	{
		packer windows(rtl.top->windows_i), cfg(rtl.top->cfg_i);

		for (unsigned q = 0; q < TMA_NumQueues; q++) {
			for (unsigned w = 0; w < TMA_NumWindows; w++) {
				const struct store_window &x = queues[q].windows[w];

				windows.put(1, x.read).put(1, x.write).put(1, 0);
				windows.put(52, x.limit).put(52, x.base);
			}
			cfg.put(3, queues[q].prot).put(8, queues[q].stream);
			cfg.put(TMA_NumCtas, ~UINT64_C(0)).put(CtaWidth, 0).put(1, 1);
		}
	}

	void put_pins()
	{
		auto &top = *rtl.top;

		top.rst_ni = in.rst_n;
		top.axcache_i = in.axcache;
		top.cmd_valid_i = in.cmd_valid;
		if (in.cmd_valid)
			packer(top.cmd_i)
				.put(32, in.cmd.tag)
				.put(16, in.cmd.seq)
				.put(QueueWidth, in.cmd.queue)
				.put(4, in.cmd.evict)
				.put(4, in.cmd.qos)
				.put(16, in.cmd.byte_mask)
				.put(ChunkAddr, in.cmd.saddr)
				.put(CtaWidth, in.cmd.cta)
				.put(16, in.cmd.chunks)
				.put(64, in.cmd.gaddr);
		top.rd_ready_i = in.rd_ready;
		std::memcpy(&top.rd_data_i, in.rd_data, DataBytes);
		top.aw_ready_i = in.axi.aw_ready;
		top.w_ready_i = in.axi.w_ready;
		top.b_valid_i = in.axi.b_valid;
		top.b_resp_i = in.axi.b_resp;
		top.fault_ready_i = in.fault_ready;
	}

	void get_axi()
	{
		const auto &top = *rtl.top;
		struct tma_axi_out &axi = out.axi;

		axi.aw_valid = top.aw_valid_o;
		axi.aw_addr = top.aw_addr_o;
		axi.aw_len = top.aw_len_o;
		axi.aw_size = static_cast<uint8_t>(log2_up(DataBytes));
		axi.aw_burst = 1;
		axi.aw_cache = top.aw_cache_o;
		axi.aw_prot = top.aw_prot_o;
		axi.aw_qos = top.aw_qos_o;
		axi.aw_user = top.aw_user_o;
		axi.w_valid = top.w_valid_o;
		axi.w_last = top.w_last_o;
		std::memcpy(axi.w_data, &top.w_data_o, DataBytes);
		std::memcpy(axi.w_strb, &top.w_strb_o, DataBytes / 8);
		axi.b_ready = top.b_ready_o;
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		unpacker fault(top.fault_o);

		out.cmd_ready = top.cmd_ready_o;
		out.cmd_level = top.cmd_level_o;
		out.rd_valid = top.rd_valid_o;
		out.rd_cta = top.rd_cta_o;
		out.rd_addr = top.rd_addr_o;
		out.read_done = top.read_done_o;
		out.read_done_queue = top.read_done_queue_o;
		out.write_done = top.write_done_o;
		out.write_done_queue = top.write_done_queue_o;
		out.fault_valid = top.fault_valid_o;
		out.fault_address = fault.get(64);
		out.fault_code = static_cast<uint32_t>(fault.get(16));
		out.fault_tag = static_cast<uint32_t>(fault.get(32));
		out.fault_seq = static_cast<uint32_t>(fault.get(16));
		out.fault_queue = static_cast<uint32_t>(fault.get(QueueWidth));
		out.aw_event = top.aw_event_o;
		out.w_event = top.w_event_o;
		out.w_stall = top.w_stall_o;
		out.idle = top.idle_o;
		get_axi();
	}
};

struct store *store_open(void)
{
	auto *s = new store;

	s->put_setup();
	return s;
}

void store_close(struct store *s)
{
	delete s;
}

const struct store_info *store_info(void)
{
	return &info;
}

struct store_in *store_in(struct store *s)
{
	return &s->in;
}

const struct store_out *store_out(const struct store *s)
{
	return &s->out;
}

void store_setup(struct store *s, uint32_t queue, uint8_t stream, uint8_t prot,
                 const struct store_window *windows, uint32_t count)
{
	struct setup &x = s->queues[queue];

	x = {};
	x.stream = stream;
	x.prot = prot;
	for (uint32_t w = 0; w < count; w++)
		x.windows[w] = windows[w];
	s->put_setup();
}

void store_eval(struct store *s)
{
	s->put_pins();
	s->rtl.eval();
	s->get_pins();
}

void store_tick(struct store *s)
{
	s->rtl.tick();
	s->get_pins();
}
