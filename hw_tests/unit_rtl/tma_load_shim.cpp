/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated load path <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_load.h"
#include "shape.h"
#include "unit_rtl/tma_load_shim.h"

namespace
{

constexpr unsigned DataBytes = TMA_DataWidth / 8;
constexpr unsigned QueueWidth = log2_up(TMA_NumQueues);
constexpr unsigned CtaWidth = TMA_NumCtas > 1 ? log2_up(TMA_NumCtas) : 1;
constexpr unsigned BarAddr = log2_up(TMA_SmemBytes) - 3;
constexpr unsigned ChunkAddr = log2_up(TMA_SmemBytes) - 4;

const struct load_info info = {
	DataBytes, TMA_NumCtas, TMA_SmemBytes, TMA_NumQueues, TMA_NumWindows, TMA_NumReads,
};

struct setup {
	uint8_t stream, prot, active;
	struct load_window windows[LOAD_MAX_WINDOWS];
};

} // namespace

struct load {
	unit<Vtma_load> rtl{ "tma_load" };
	struct load_in in = {};
	struct load_out out = {};
	struct setup queues[LOAD_MAX_QUEUES] = {};

	void put_setup()
	{
		packer windows(rtl.top->windows_i), cfg(rtl.top->cfg_i);

		for (unsigned q = 0; q < TMA_NumQueues; q++) {
			for (unsigned w = 0; w < TMA_NumWindows; w++) {
				const struct load_window &x = queues[q].windows[w];

				windows.put(1, x.read).put(1, x.write).put(1, 0);
				windows.put(52, x.limit).put(52, x.base);
			}
			cfg.put(TMA_NumQueues, 0).put(3, queues[q].prot).put(8, queues[q].stream);
			cfg.put(TMA_NumCtas, ~UINT64_C(0))
				.put(CtaWidth, 0)
				.put(1, 0)
				.put(1, queues[q].active);
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
				.put(32, in.cmd.signal.tag)
				.put(16, in.cmd.signal.seq)
				.put(QueueWidth, in.cmd.signal.queue)
				.put(20, in.cmd.signal.bytes)
				.put(BarAddr, in.cmd.signal.barrier)
				.put(TMA_NumCtas, in.cmd.signal.ctas)
				.put(1, in.cmd.cp.arrive)
				.put(5, in.cmd.cp.valid)
				.put(5, in.cmd.cp.size)
				.put(4, in.cmd.cp.dst)
				.put(1, in.cmd.cp.arrive)
				.put(4, in.cmd.evict)
				.put(2, in.cmd.l2)
				.put(1, in.cmd.cg)
				.put(4, in.cmd.qos)
				.put(ChunkAddr, in.cmd.saddr)
				.put(16, in.cmd.chunks)
				.put(64, in.cmd.gaddr)
				.put(3, in.cmd.client);
		top.wr_ready_i = in.wr_ready;
		top.sig_ready_i = in.sig_ready;
		top.fault_ready_i = in.fault_ready;
		top.dead_i = in.dead;
		top.restart_i = in.restart;
		top.fetch_valid_i = in.fetch_valid;
		packer(top.fetch_i)
			.put(9, in.fetch.chunks)
			.put(64, in.fetch.gaddr)
			.put(QueueWidth, in.fetch.queue);
		top.ring_r_ready_i = in.ring_ready;
		top.cp_wr_ready_i = in.cp_wr_ready;
		top.cp_sig_ready_i = in.cp_sig_ready;
		top.ar_ready_i = in.axi.ar_ready;
		top.r_valid_i = in.axi.r_valid;
		top.r_id_i = in.axi.r_id;
		top.r_resp_i = in.axi.r_resp;
		top.r_last_i = in.axi.r_last;
		std::memcpy(&top.r_data_i, in.axi.r_data, DataBytes);
	}

	void get_axi()
	{
		const auto &top = *rtl.top;
		struct tma_axi_out &axi = out.axi;
		unpacker ar(top.ar_o);

		axi.ar_valid = top.ar_valid_o;
		axi.r_ready = top.r_ready_o;
		axi.ar_user = static_cast<uint16_t>(ar.get(16));
		axi.ar_qos = static_cast<uint8_t>(ar.get(4));
		axi.ar_prot = static_cast<uint8_t>(ar.get(3));
		axi.ar_cache = static_cast<uint8_t>(ar.get(4));
		axi.ar_len = static_cast<uint8_t>(ar.get(8));
		axi.ar_addr = ar.get(64);
		axi.ar_id = static_cast<uint8_t>(ar.get(5));
		axi.ar_size = static_cast<uint8_t>(log2_up(DataBytes));
		axi.ar_burst = 1;
	}

	void get_write()
	{
		const auto *bytes = reinterpret_cast<const uint8_t *>(&rtl.top->wr_o);
		uint64_t rest = 0;

		out.wr_valid = rtl.top->wr_valid_o;
		std::memcpy(out.wr_data, bytes, DataBytes);
		std::memcpy(out.wr_be, bytes + DataBytes, DataBytes / 8);
		std::memcpy(&rest, bytes + DataBytes + DataBytes / 8, (ChunkAddr + TMA_NumCtas + 7) / 8);
		out.wr_addr = static_cast<uint32_t>(rest & ((1u << ChunkAddr) - 1));
		out.wr_ctas = static_cast<uint32_t>(rest >> ChunkAddr & ((1u << TMA_NumCtas) - 1));
	}

	static void get_signal(unpacker signal, struct load_signal &s, uint8_t &arrive)
	{
		s.tag = static_cast<uint32_t>(signal.get(32));
		s.seq = static_cast<uint32_t>(signal.get(16));
		s.queue = static_cast<uint32_t>(signal.get(QueueWidth));
		s.bytes = static_cast<uint32_t>(signal.get(20));
		s.barrier = static_cast<uint32_t>(signal.get(BarAddr));
		s.ctas = static_cast<uint32_t>(signal.get(TMA_NumCtas));
		arrive = static_cast<uint8_t>(signal.get(1));
	}

	void get_ring()
	{
		const auto &top = *rtl.top;
		const auto *bytes = reinterpret_cast<const uint8_t *>(&top.ring_r_o);
		unpacker beat(top.ring_r_o);

		out.fetch_ready = top.fetch_ready_o;
		out.fetch_denied = top.fetch_denied_o;
		out.ring_valid = top.ring_r_valid_o;
		out.ring_dead = static_cast<uint8_t>(beat.get(1));
		out.ring_last = static_cast<uint8_t>(beat.get(1));
		out.ring_resp = static_cast<uint8_t>(beat.get(2));
		/* The data starts at bit 4. */
		for (unsigned i = 0; i < DataBytes; i++)
			out.ring_data[i] = static_cast<uint8_t>(bytes[i] >> 4 | bytes[i + 1] << 4);
	}

	void get_cp()
	{
		const auto &top = *rtl.top;
		unpacker write(top.cp_wr_o);

		out.cp_wr_valid = top.cp_wr_valid_o;
		for (uint8_t &byte : out.cp_data)
			byte = static_cast<uint8_t>(write.get(8));
		out.cp_be = static_cast<uint32_t>(write.get(16));
		out.cp_addr = static_cast<uint32_t>(write.get(ChunkAddr));
		out.cp_cta = static_cast<uint32_t>(write.get(CtaWidth));
		out.cp_sig_valid = top.cp_sig_valid_o;
		get_signal(unpacker(top.cp_sig_o), out.cp_signal, out.cp_sig_arrive);
	}

	void get_events()
	{
		const auto &top = *rtl.top;

		out.row_done = { top.row_done_o, top.row_done_queue_o };
		out.burst_add = { top.burst_add_o, top.burst_add_queue_o };
		out.burst_done = { top.burst_done_o, top.burst_done_queue_o };
		out.cp_done = { top.cp_done_o, top.cp_done_queue_o };
		out.cp_drop = { top.cp_drop_o, top.cp_drop_queue_o };
		out.read_pending = top.read_pending_o;
		out.read_progress = top.read_progress_o;
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		unpacker fault(top.fault_o);
		uint8_t arrive;

		out.cmd_ready = top.cmd_ready_o;
		out.cmd_level = top.cmd_level_o;
		out.sig_valid = top.sig_valid_o;
		out.fault_valid = top.fault_valid_o;
		out.prefetch_error = top.prefetch_error_o;
		out.idle = top.idle_o;
		get_signal(unpacker(top.sig_o), out.signal, arrive);
		out.fault_address = fault.get(64);
		out.fault_code = static_cast<uint32_t>(fault.get(16));
		out.fault_tag = static_cast<uint32_t>(fault.get(32));
		out.fault_seq = static_cast<uint32_t>(fault.get(16));
		out.fault_queue = static_cast<uint32_t>(fault.get(QueueWidth));
		get_axi();
		get_write();
		get_ring();
		get_cp();
		get_events();
	}
};

struct load *load_open(void)
{
	auto *l = new load;

	l->put_setup();
	return l;
}

void load_close(struct load *l)
{
	delete l;
}

const struct load_info *load_info(void)
{
	return &info;
}

struct load_in *load_in(struct load *l)
{
	return &l->in;
}

const struct load_out *load_out(const struct load *l)
{
	return &l->out;
}

void load_setup(struct load *l, uint32_t queue, uint8_t stream, uint8_t prot,
                const struct load_window *windows, uint32_t count)
{
	struct setup &x = l->queues[queue];

	x = {};
	x.active = 1;
	x.stream = stream;
	x.prot = prot;
	for (uint32_t w = 0; w < count; w++)
		x.windows[w] = windows[w];
	l->put_setup();
}

void load_active(struct load *l, uint32_t queue, uint8_t active)
{
	l->queues[queue].active = active;
	l->put_setup();
}

void load_eval(struct load *l)
{
	l->put_pins();
	l->rtl.eval();
	l->get_pins();
}

void load_tick(struct load *l)
{
	l->rtl.tick();
	l->get_pins();
}
