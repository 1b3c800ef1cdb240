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
constexpr unsigned Banks = DataBytes / 16;
constexpr unsigned BankRowWidth = ChunkAddr - log2_up(Banks);

const struct store_info info = {
	DataBytes,     TMA_NumCtas,  TMA_SmemBytes,   TMA_NumQueues,  TMA_NumWindows,
	TMA_NumWrites, TMA_NumPorts, TMA_NumMultimem, TMA_ShortPaths,
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
	struct store_multimem multimem[STORE_MAX_MULTIMEM] = {};

	void put_setup()
	{
		packer windows(rtl.top->windows_i), cfg(rtl.top->cfg_i);

		for (unsigned q = 0; q < TMA_NumQueues; q++) {
			for (unsigned w = 0; w < TMA_NumWindows; w++) {
				const struct store_window &x = queues[q].windows[w];

				windows.put(1, x.read).put(1, x.write).put(1, x.multimem);
				windows.put(52, x.limit).put(52, x.base);
			}
			cfg.put(TMA_NumQueues, 0).put(3, queues[q].prot).put(8, queues[q].stream);
			cfg.put(TMA_NumCtas, ~UINT64_C(0)).put(CtaWidth, 0).put(1, 0).put(1, 1);
		}
	}

	void put_multimem()
	{
		packer table(rtl.top->multimem_i);

		for (unsigned i = 0; i < TMA_NumMultimem; i++) {
			const struct store_multimem &x = multimem[i];

			for (unsigned p = 0; p < TMA_NumPorts; p++)
				table.put(52, x.port_base[p]);
			table.put(TMA_NumPorts, x.ports).put(52, x.limit).put(52, x.base);
		}
	}

	void put_axi()
	{
		auto &top = *rtl.top;
		packer aw_ready(top.aw_ready_i), w_ready(top.w_ready_i), b_valid(top.b_valid_i);
		packer b_resp(top.b_resp_i);

		for (unsigned p = 0; p < TMA_NumPorts; p++) {
			aw_ready.put(1, in.axi[p].aw_ready);
			w_ready.put(1, in.axi[p].w_ready);
			b_valid.put(1, in.axi[p].b_valid);
			b_resp.put(2, in.axi[p].b_resp);
		}
	}

	void put_command()
	{
		packer cmd(rtl.top->cmd_i);
		const struct store_cmd &x = in.cmd;

		cmd.put(32, x.tag).put(16, x.seq).put(QueueWidth, x.queue);
		cmd.put(4, x.evict).put(3, 0).put(4, x.qos).put(16, x.byte_mask);
		cmd.put(ChunkAddr, x.saddr).put(CtaWidth, x.cta).put(16, x.chunks).put(64, x.gaddr);
		cmd.put(1, x.multimem);
		for (unsigned i = 0; i < 5; i++)
			cmd.put(32, x.coord[i]);
		cmd.put(3, x.dim).put(3, x.mode).put(1, x.tensor);
	}

	/* What means nothing to stores is all ones. */
	void put_walk()
	{
		constexpr uint64_t Any = ~UINT64_C(0);
		packer walk(rtl.top->walk_i);
		const struct store_walk &x = in.walk;

		for (const struct store_level &l : x.level) {
			uint64_t addr = x.empty ? x.fault_addr >> 4 : l.addr;

			walk.put(39, l.addr_step).put(60, addr).put(4, l.step).put(32, l.last);
			walk.put(35, static_cast<uint64_t>(l.limit));
			walk.put(35, static_cast<uint64_t>(l.low_next)).put(1, l.low_in).put(1, l.low_over);
			walk.put(35, static_cast<uint64_t>(l.next)).put(1, l.is_in).put(1, l.over);
		}
		walk.put(5, 0).put(11, x.pixels).put(1, x.counted);
		walk.put(16, Any).put(4, x.odd).put(16, x.chunks).put(16, 0).put(16, Any);
		walk.put(ChunkAddr, x.pitch).put(ChunkAddr, x.saddr).put(1, x.outside);
		walk.put(4, x.empty ? x.fault_addr : 0).put(1, x.empty).put(16, x.fault);
		walk.put(32, x.tag).put(16, x.seq).put(QueueWidth, x.queue).put(20, Any);
		walk.put(ChunkAddr + 1, Any).put(2 * TMA_NumCtas, Any).put(1, Any);
		walk.put(3, Any).put(3, x.swizzle).put(CtaWidth, x.cta).put(TMA_NumCtas, Any);
		walk.put(4, x.evict).put(3, 0).put(4, x.qos).put(3, Any);
	}

	void put_pins()
	{
		auto &top = *rtl.top;

		top.rst_ni = in.rst_n;
		top.axcache_i = in.axcache;
		top.cmd_valid_i = in.cmd_valid;
		if (in.cmd_valid)
			put_command();
		top.tensor_ready_i = in.tensor_ready;
		top.walk_valid_i = in.walk_valid;
		if (in.walk_valid)
			put_walk();
		top.rec_valid_i = in.rec_valid;
		packer(top.rec_i)
			.put(32, in.rec.tag)
			.put(16, in.rec.seq)
			.put(QueueWidth, in.rec.queue)
			.put(64, in.rec.gaddr);
		std::memcpy(&top.rec_data_i, in.rec_data, sizeof(in.rec_data));
		top.rd_ready_i = in.rd_ready;
		std::memcpy(&top.rd_data_i, in.rd_data, DataBytes);
		top.fault_ready_i = in.fault_ready;
		top.dead_i = in.dead;
		put_axi();
	}

	void get_axi()
	{
		const auto &top = *rtl.top;
		unpacker aw_valid(top.aw_valid_o), addr(top.aw_addr_o), len(top.aw_len_o);
		unpacker cache(top.aw_cache_o), prot(top.aw_prot_o), qos(top.aw_qos_o);
		unpacker user(top.aw_user_o), w_valid(top.w_valid_o), last(top.w_last_o);
		unpacker b_ready(top.b_ready_o);
		const auto *data = reinterpret_cast<const uint8_t *>(&top.w_data_o);
		const auto *strb = reinterpret_cast<const uint8_t *>(&top.w_strb_o);

		for (unsigned p = 0; p < TMA_NumPorts; p++) {
			struct tma_axi_out &axi = out.axi[p];

			axi.aw_valid = static_cast<uint8_t>(aw_valid.get(1));
			axi.aw_addr = addr.get(64);
			axi.aw_len = static_cast<uint8_t>(len.get(8));
			axi.aw_size = static_cast<uint8_t>(log2_up(DataBytes));
			axi.aw_burst = 1;
			axi.aw_cache = static_cast<uint8_t>(cache.get(4));
			axi.aw_prot = static_cast<uint8_t>(prot.get(3));
			axi.aw_qos = static_cast<uint8_t>(qos.get(4));
			axi.aw_user = static_cast<uint16_t>(user.get(16));
			axi.w_valid = static_cast<uint8_t>(w_valid.get(1));
			axi.w_last = static_cast<uint8_t>(last.get(1));
			std::memcpy(axi.w_data, data + p * DataBytes, DataBytes);
			std::memcpy(axi.w_strb, strb + p * DataBytes / 8, DataBytes / 8);
			axi.b_ready = static_cast<uint8_t>(b_ready.get(1));
		}
	}

	void get_tensor()
	{
		unpacker cmd(rtl.top->tensor_o);
		struct store_cmd &x = out.tensor;

		x = {};
		x.tag = static_cast<uint32_t>(cmd.get(32));
		x.seq = static_cast<uint32_t>(cmd.get(16));
		x.queue = static_cast<uint32_t>(cmd.get(QueueWidth));
		x.evict = static_cast<uint32_t>(cmd.get(4));
		cmd.get(3);
		x.qos = static_cast<uint32_t>(cmd.get(4));
		x.byte_mask = static_cast<uint32_t>(cmd.get(16));
		x.saddr = static_cast<uint32_t>(cmd.get(ChunkAddr));
		x.cta = static_cast<uint32_t>(cmd.get(CtaWidth));
		x.chunks = static_cast<uint32_t>(cmd.get(16));
		x.gaddr = cmd.get(64);
		x.multimem = static_cast<uint32_t>(cmd.get(1));
		for (unsigned i = 0; i < 5; i++)
			x.coord[i] = static_cast<uint32_t>(cmd.get(32));
		x.dim = static_cast<uint32_t>(cmd.get(3));
		x.mode = static_cast<uint32_t>(cmd.get(3));
		x.tensor = static_cast<uint32_t>(cmd.get(1));
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		unpacker fault(top.fault_o), rows(top.rd_rows_o);

		out.cmd_ready = top.cmd_ready_o;
		out.cmd_level = top.cmd_level_o;
		out.rec_ready = top.rec_ready_o;
		out.rec_data_pop = top.rec_data_pop_o;
		out.rd_valid = top.rd_valid_o;
		out.rd_cta = top.rd_cta_o;
		for (unsigned b = 0; b < Banks; b++)
			out.rd_rows[b] = static_cast<uint32_t>(rows.get(BankRowWidth));
		out.tensor_valid = top.tensor_valid_o;
		if (out.tensor_valid)
			get_tensor();
		out.walk_ready = top.walk_ready_o;
		out.read_done = top.read_done_o;
		out.read_done_queue = top.read_done_queue_o;
		out.write_done = top.write_done_o;
		out.write_done_queue = top.write_done_queue_o;
		out.rec_done = top.rec_done_o;
		out.rec_done_queue = top.rec_done_queue_o;
		out.pending = top.write_pending_o;
		out.progress = top.write_progress_o;
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
	s->put_multimem();
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

void store_multimem(struct store *s, const struct store_multimem *windows, uint32_t count)
{
	for (uint32_t i = 0; i < STORE_MAX_MULTIMEM; i++) {
		s->multimem[i] = {};
		if (i < count)
			s->multimem[i] = windows[i];
	}
	s->put_multimem();
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
