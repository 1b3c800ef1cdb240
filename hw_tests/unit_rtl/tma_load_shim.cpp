/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated load path <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_load.h"
#include "shape.h"
#include "unit_rtl/tma_load_shim.h"

namespace
{

constexpr unsigned DataBytes = TMA_DataWidth / 8;
constexpr unsigned Chunks = DataBytes / 16;
constexpr unsigned QueueWidth = log2_up(TMA_NumQueues);
constexpr unsigned CtaWidth = TMA_NumCtas > 1 ? log2_up(TMA_NumCtas) : 1;
constexpr unsigned BarAddr = log2_up(TMA_SmemBytes) - 3;
constexpr unsigned ChunkAddr = log2_up(TMA_SmemBytes) - 4;

const struct load_info info = {
	DataBytes,      TMA_NumCtas,  TMA_SmemBytes, TMA_NumQueues,
	TMA_NumWindows, TMA_NumReads, TMA_Packed,    TMA_ShortPaths,
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

	static packer &put_signal(packer &p, const struct load_signal &s, uint8_t arrive)
	{
		p.put(32, s.tag).put(16, s.seq).put(QueueWidth, s.queue).put(20, s.bytes);
		p.put(BarAddr, s.barrier).put(TMA_NumCtas, s.again).put(TMA_NumCtas, s.ctas);
		return p.put(1, arrive);
	}

	static packer &put_hint(packer &p, const struct load_cmd &cmd)
	{
		return p.put(4, cmd.evict).put(2, cmd.l2).put(1, cmd.cg).put(4, cmd.qos);
	}

	void put_command()
	{
		const struct load_cmd &cmd = in.cmd;
		packer p(rtl.top->cmd_i);

		put_signal(p, cmd.signal, cmd.cp.arrive);
		p.put(5, cmd.cp.valid).put(5, cmd.cp.size).put(4, cmd.cp.dst).put(1, cmd.cp.arrive);
		put_hint(p, cmd);
		p.put(ChunkAddr, cmd.saddr).put(16, cmd.chunks).put(64, cmd.gaddr);
		p.put(TMA_NumCtas, cmd.dst);
		/* Coordinates and the like are for set-up alone. */
		p.put(64, 0).put(64, 0).put(48, 0).put(32, 0).put(6, 0);
		p.put(1, cmd.tensor).put(3, cmd.client);
	}

	void put_walk()
	{
		const struct load_walk &w = in.walk;
		packer p(rtl.top->walk_i);

		for (const struct load_level &l : w.level) {
			p.put(39, l.addr_step).put(60, l.addr).put(4, l.step).put(32, l.last);
			p.put(35, static_cast<uint64_t>(l.limit)).put(35, static_cast<uint64_t>(l.low_next));
			p.put(1, l.low_in).put(1, l.low_over).put(35, static_cast<uint64_t>(l.next));
			p.put(1, l.is_in).put(1, l.over);
		}
		p.put(5, w.halo).put(11, w.pixels).put(1, w.counted);
		p.put(16, w.tail).put(4, w.odd).put(16, w.chunks).put(16, w.head).put(16, w.fill);
		p.put(ChunkAddr, w.pitch).put(ChunkAddr, w.saddr).put(1, w.outside).put(4, w.low);
		p.put(1, w.empty);
		p.put(16, w.fault);
		put_signal(p, w.cmd.signal, 0);
		p.put(1, w.layout.nan).put(2, w.layout.format).put(3, w.layout.swizzle);
		p.put(CtaWidth, 0).put(TMA_NumCtas, w.cmd.dst);
		put_hint(p, w.cmd).put(3, w.cmd.client);
	}

	static void put_fetch(packer p, const struct load_fetch &f)
	{
		p.put(9, f.chunks).put(64, f.gaddr).put(1, f.probe).put(1, f.of_map);
		p.put(QueueWidth, f.queue);
	}

	void put_pins()
	{
		auto &top = *rtl.top;

		top.rst_ni = in.rst_n;
		top.axcache_i = in.axcache;
		top.cmd_valid_i = in.cmd_valid;
		if (in.cmd_valid)
			put_command();
		top.prefetch_valid_i = in.prefetch_valid;
		if (in.prefetch_valid)
			packer(top.prefetch_i)
				.put(4, in.prefetch.evict)
				.put(2, 3)
				.put(1, 0)
				.put(4, 9)
				.put(28, in.prefetch.chunks)
				.put(60, in.prefetch.gaddr >> 4)
				.put(QueueWidth, in.prefetch.queue);
		top.map_error_i = 0;
		top.tensor_ready_i = in.tensor_ready;
		top.walk_valid_i = in.walk_valid;
		if (in.walk_valid)
			put_walk();
		top.wr_ready_i = in.wr_ready;
		top.sig_ready_i = in.sig_ready;
		top.fault_ready_i = in.fault_ready;
		top.dead_i = in.dead;
		top.restart_i = in.restart;
		top.fetch_valid_i = in.fetch_valid[0];
		put_fetch(packer(top.fetch_i), in.fetch[0]);
		top.map_fetch_valid_i = in.fetch_valid[1];
		put_fetch(packer(top.map_fetch_i), in.fetch[1]);
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
		unpacker rest(rtl.top->wr_o);

		out.wr_valid = rtl.top->wr_valid_o;
		std::memcpy(out.wr_data, bytes, DataBytes);
		std::memcpy(out.wr_be, bytes + DataBytes, DataBytes / 8);
		for (unsigned i = 0; i < DataBytes; i++)
			rest.get(9);
		for (unsigned b = 0; b < Chunks; b++)
			out.wr_rows[b] = static_cast<uint32_t>(rest.get(ChunkAddr - log2_up(Chunks)));
		out.wr_ctas = static_cast<uint32_t>(rest.get(TMA_NumCtas));
	}

	static void get_signal(unpacker signal, struct load_signal &s, uint8_t &arrive)
	{
		s.tag = static_cast<uint32_t>(signal.get(32));
		s.seq = static_cast<uint32_t>(signal.get(16));
		s.queue = static_cast<uint32_t>(signal.get(QueueWidth));
		s.bytes = static_cast<uint32_t>(signal.get(20));
		s.barrier = static_cast<uint32_t>(signal.get(BarAddr));
		s.again = static_cast<uint32_t>(signal.get(TMA_NumCtas));
		s.ctas = static_cast<uint32_t>(signal.get(TMA_NumCtas));
		arrive = static_cast<uint8_t>(signal.get(1));
	}

	void get_ring()
	{
		const auto &top = *rtl.top;
		const auto *bytes = reinterpret_cast<const uint8_t *>(&top.ring_r_o);
		unpacker beat(top.ring_r_o);

		out.fetch_ready[0] = top.fetch_ready_o;
		out.fetch_ready[1] = top.map_fetch_ready_o;
		out.fetch_denied[0] = top.fetch_denied_o;
		out.fetch_denied[1] = top.map_denied_o;
		out.map_done = top.map_done_o;
		out.ring_valid[0] = top.ring_r_valid_o;
		out.ring_valid[1] = top.map_r_valid_o;
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
		out.prefetch_done = { top.prefetch_done_o, top.prefetch_done_queue_o };
		out.prefetch_level = top.prefetch_level_o;
		out.read_done = top.read_done_o;
		out.read_done_queue = top.read_done_queue_o;
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

		unpacker tensor(top.tensor_o);

		out.tensor_valid = top.tensor_valid_o;
		out.tensor_seq = static_cast<uint32_t>(tensor.get(48) >> 32);
		out.walk_ready = top.walk_ready_o;
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
