/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pins of one Verilated configuration <-> the C structs of tma_sim.h. Compiled once per
 * configuration with SHIM_CONFIG (its name) and shape.h (the constants of its package); with SHIM_BUS (bits)
 * for tma_axi64, the engine behind a bus of that width; with SHIM_ROLE for lockstep.cpp, and then with SHIM_NETLIST for a
 * netlist, of which there are pins and nothing behind them.
 *
 * A packed array [N-1:0][W-1:0] is one port of N * W bits; Verilator keeps it as an integer of up
 * to 64 bits or as 32-bit words, low word first. On a little-endian host both are an array of
 * bytes, bit i in byte i / 8: put() and get() work on that.
 */
#include <cstring>
#include <memory>
#include <verilated_fst_c.h>

#include "shape.h"
#include "sim/pin_wave.h"
#include "sim/shim.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b)  PASTE_(a, b)
#define STRING_(a)   #a
#define STRING(a)    STRING_(a)
#ifndef SHIM_ROLE
#define SHIM_ROLE
#endif
#ifdef SHIM_NETLIST
#define MODEL PASTE(PASTE(Vtma_, SHIM_CONFIG), _netlist)
#else
#define MODEL PASTE(Vtma_, SHIM_CONFIG)
#endif
#define MAKER PASTE(PASTE(tma_sim_make_, SHIM_CONFIG), SHIM_ROLE)

/* A signal of the engine. */
#ifdef SHIM_BUS
#include "sim/shim_bus.hpp"
#else
#define TOP          "tma_engine"
#define ENGINE(name) top->rootp->tma_engine__DOT__##name
#define BEHIND_BUS
#endif

#include SHIM_HEADER
#ifndef SHIM_NETLIST
/* Signals behind the pins: see inside.vlt. */
#include SHIM_INSIDE
#endif

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "ports are read as little-endian bytes");
static_assert(TMA_NumCtas <= TMA_SIM_MAX_CTAS && TMA_NumPorts <= TMA_SIM_MAX_PORTS &&
                      TMA_DataWidth <= 8 * TMA_SIM_MAX_BEAT,
              "tma_sim.h is too small for this shape");

namespace
{

constexpr unsigned Beat = TMA_DataWidth / 8;
#ifdef SHIM_BUS
constexpr unsigned BusBeat = SHIM_BUS / 8, BusInfo = BusBeat;
#else
constexpr unsigned BusBeat = Beat, BusInfo = 0;
#endif
constexpr unsigned IdBits = 5;
constexpr unsigned Banks = Beat / 16;
constexpr unsigned Lanes = TMA_NumPorts > 1 ? 2 : 1;

constexpr unsigned log2_up(unsigned n)
{
	return n > 1 ? 1 + log2_up((n + 1) / 2) : 0;
}

constexpr unsigned SmemWidth = log2_up(TMA_SmemBytes);
constexpr unsigned QueueWidth = log2_up(TMA_NumQueues);
constexpr unsigned RowWidth = SmemWidth - 4 - log2_up(Banks);
constexpr unsigned Lines = 128 * Banks; /* of a write: the bits of its data, then those of its strobes */
constexpr uint32_t LiteMask = (1u << 17) - 1;

const struct tma_sim_info shape = {
	STRING(SHIM_CONFIG), Beat,           TMA_NumCtas,       TMA_SmemBytes, TMA_NumQueues,
	TMA_NumPorts,        TMA_NumWindows, TMA_NumReads,      TMA_NumWrites, 1u << IdBits,
	TMA_NumMultimem,     TMA_RingDepth,  TMA_NumReductions, TMA_Floats,    BusInfo,
};

/* Field `index` of `width` bits, at most 32. */
template <class Port> void put(Port &port, unsigned index, unsigned width, uint32_t value)
{
	auto *bytes = reinterpret_cast<uint8_t *>(&port);
	const uint64_t mask = (UINT64_C(1) << width) - 1;
	const unsigned lsb = index * width, count = (lsb % 8 + width + 7) / 8;
	uint64_t word = 0;

	std::memcpy(&word, bytes + lsb / 8, count);
	word = (word & ~(mask << lsb % 8)) | (value & mask) << lsb % 8;
	std::memcpy(bytes + lsb / 8, &word, count);
}

template <class Port> uint32_t get(const Port &port, unsigned index, unsigned width)
{
	auto *bytes = reinterpret_cast<const uint8_t *>(&port);
	const unsigned lsb = index * width, count = (lsb % 8 + width + 7) / 8;
	uint64_t word = 0;

	std::memcpy(&word, bytes + lsb / 8, count);
	return static_cast<uint32_t>(word >> lsb % 8 & ((UINT64_C(1) << width) - 1));
}

/* Field `index` of whole bytes. */
template <class Port> void put_bytes(Port &port, unsigned index, unsigned bytes, const void *from)
{
	std::memcpy(reinterpret_cast<uint8_t *>(&port) + index * bytes, from, bytes);
}

template <class Port> void get_bytes(const Port &port, unsigned index, unsigned bytes, void *to)
{
	std::memcpy(to, reinterpret_cast<const uint8_t *>(&port) + index * bytes, bytes);
}

struct shim final : tma_sim {
	std::unique_ptr<MODEL> top;
	std::unique_ptr<VerilatedFstC> fst;
	std::unique_ptr<pin_wave> wave;
	bool counting = false;
	struct {
		uint32_t queue, sequence, records;
	} counted = {};

	shim() : tma_sim(shape)
	{
		tma_sim_prepare(context);
		top = std::make_unique<MODEL>(&context, TOP);
	}

	~shim() override
	{
		Verilated::threadContextp(&context);
		if (fst)
			fst->close();
		top->final();
	}

#include "sim/shim_pins.hpp"

	bool trace(const char *path, bool pins) override
	{
		if (pins) {
			wave = std::make_unique<pin_wave>(path);
			if (wave->is_open())
				name_pins();
			return wave->is_open();
		}
#ifdef SHIM_NETLIST
		return false;
#else
		context.traceEverOn(true);
		fst = std::make_unique<VerilatedFstC>();
		top->trace(fst.get(), 99);
		fst->open(path);
		return fst->isOpen();
#endif
	}

	/* Payloads matter, and move, only with their valid. */
	void put_pins()
	{
		top->rst_ni = in.rst_n;
		top->cmd_valid_i = in.cmd_valid;
		top->cmd_queue_i = in.cmd_queue;
		put_bytes(top->cmd_i, 0, sizeof(in.cmd), in.cmd);
		top->rsp_ready_i = in.rsp_ready;
		top->s_axil_awvalid_i = in.csr.aw_valid;
		top->s_axil_awaddr_i = in.csr.aw_addr & LiteMask;
		top->s_axil_wvalid_i = in.csr.w_valid;
		top->s_axil_wdata_i = in.csr.w_data;
		top->s_axil_wstrb_i = in.csr.w_strb;
		top->s_axil_bready_i = in.csr.b_ready;
		top->s_axil_arvalid_i = in.csr.ar_valid;
		top->s_axil_araddr_i = in.csr.ar_addr & LiteMask;
		top->s_axil_rready_i = in.csr.r_ready;
		for (unsigned r = 0; r < TMA_NumCtas; r++) {
			const tma_ext_in &x = in.ext[r];

			put(top->ext_valid_i, r, 1, x.valid);
			if (!x.valid)
				continue;
			put(top->ext_write_i, r, 1, x.write);
			put(top->ext_addr_i, r, 32, x.addr);
			put(top->ext_strb_i, r, 16, x.strb);
			put_bytes(top->ext_wdata_i, r, 16, x.wdata);
		}
		for (unsigned p = 0; p < TMA_NumPorts; p++) {
			const tma_axi_in &x = BusInfo ? in.bus[p] : in.axi[p];

			put(top->m_axi_arready_i, p, 1, x.ar_ready);
			put(top->m_axi_awready_i, p, 1, x.aw_ready);
			put(top->m_axi_wready_i, p, 1, x.w_ready);
			put(top->m_axi_rvalid_i, p, 1, x.r_valid);
			put(top->m_axi_bvalid_i, p, 1, x.b_valid);
			if (x.r_valid) {
				put(top->m_axi_rid_i, p, IdBits, x.r_id);
				put(top->m_axi_rresp_i, p, 2, x.r_resp);
				put(top->m_axi_rlast_i, p, 1, x.r_last);
				put_bytes(top->m_axi_rdata_i, p, BusBeat, x.r_data);
			}
			if (x.b_valid) {
				put(top->m_axi_bid_i, p, IdBits, x.b_id);
				put(top->m_axi_bresp_i, p, 2, x.b_resp);
			}
		}
	}

	void get_port(unsigned p)
	{
		tma_axi_out &x = BusInfo ? out.bus[p] : out.axi[p];

		x.r_ready = get(top->m_axi_rready_o, p, 1);
		x.b_ready = get(top->m_axi_bready_o, p, 1);
		x.ar_valid = get(top->m_axi_arvalid_o, p, 1);
		x.aw_valid = get(top->m_axi_awvalid_o, p, 1);
		x.w_valid = get(top->m_axi_wvalid_o, p, 1);
		if (x.ar_valid) {
			get_bytes(top->m_axi_araddr_o, p, 8, &x.ar_addr);
			x.ar_id = get(top->m_axi_arid_o, p, IdBits);
			x.ar_len = get(top->m_axi_arlen_o, p, 8);
			x.ar_size = get(top->m_axi_arsize_o, p, 3);
			x.ar_burst = get(top->m_axi_arburst_o, p, 2);
			x.ar_cache = get(top->m_axi_arcache_o, p, 4);
			x.ar_prot = get(top->m_axi_arprot_o, p, 3);
			x.ar_qos = get(top->m_axi_arqos_o, p, 4);
			x.ar_user = get(top->m_axi_aruser_o, p, 16);
		}
		if (x.aw_valid) {
			get_bytes(top->m_axi_awaddr_o, p, 8, &x.aw_addr);
			x.aw_id = get(top->m_axi_awid_o, p, IdBits);
			x.aw_len = get(top->m_axi_awlen_o, p, 8);
			x.aw_size = get(top->m_axi_awsize_o, p, 3);
			x.aw_burst = get(top->m_axi_awburst_o, p, 2);
			x.aw_cache = get(top->m_axi_awcache_o, p, 4);
			x.aw_prot = get(top->m_axi_awprot_o, p, 3);
			x.aw_qos = get(top->m_axi_awqos_o, p, 4);
			x.aw_user = get(top->m_axi_awuser_o, p, 16);
		}
		if (x.w_valid) {
			x.w_last = get(top->m_axi_wlast_o, p, 1);
			get_bytes(top->m_axi_wdata_o, p, BusBeat, x.w_data);
			get_bytes(top->m_axi_wstrb_o, p, BusBeat / 8, x.w_strb);
		}
	}

#ifdef SHIM_NETLIST
	void get_inside()
	{
	}

	void count(uint32_t, uint32_t, uint32_t) override
	{
	}

	void set_counts()
	{
	}
#else
#define INSIDE(name)  ENGINE(u_paths__DOT__##name)
#define CLUSTER(name) INSIDE(u_cluster__DOT__##name)

	/* Fields of any width at any bit; rows are no multiple of their width away from the start. */
	template <class Port> uint32_t bits(const Port &port, unsigned lsb, unsigned width)
	{
		uint32_t value = 0;

		for (unsigned i = 0; i < width; i++)
			value |= get(port, lsb + i, 1) << i;
		return value;
	}

	void get_inside()
	{
		tma_inside &x = out.inside;

		out.paths_idle = ENGINE(paths_idle);
		x.wr_ctas = CLUSTER(cta_wr_valid) & CLUSTER(cta_wr_ready);
		for (unsigned b = 0; b < Banks && x.wr_ctas; b++) {
			x.wr_strb[b] = get(CLUSTER(cta_wr), Lines / 16 + b, 16);
			x.wr_row[b] = bits(CLUSTER(cta_wr), Lines + 16 * Banks + b * RowWidth, RowWidth);
		}
		x.rd_ctas = 0;
		for (unsigned r = 0; r < TMA_NumCtas; r++)
			x.rd_ctas |=
				(get(CLUSTER(cta_rd_valid), 2 * r, 1) & get(CLUSTER(cta_rd_ready), 2 * r, 1))
				<< r;
		for (unsigned b = 0; b < Banks && x.rd_ctas; b++)
			x.rd_row[b] = bits(CLUSTER(cta_rd_rows), b * RowWidth, RowWidth);
		x.sig_ctas = CLUSTER(bar_b_valid_i) & CLUSTER(bar_b_ready_o);
		x.sig_arrive = CLUSTER(bar_b_arrive_i);
		x.sig_offset = CLUSTER(bar_b_addr_i) * 8u;
		x.sig_tx = CLUSTER(bar_b_tx_i);
		for (unsigned l = 0; l < Lanes; l++) {
			const unsigned lsb = l * (1 + QueueWidth);

			x.read_done_queue[l] = bits(INSIDE(u_store__DOT__read_done_o), lsb, QueueWidth);
			x.read_done[l] = bits(INSIDE(u_store__DOT__read_done_o), lsb + QueueWidth, 1);
		}
#if TMA_NumReductions
		x.read_done_queue[Lanes] =
			bits(INSIDE(g_reduce__DOT__u_reduce__DOT__read_done_o), 0, QueueWidth);
		x.read_done[Lanes] = bits(INSIDE(g_reduce__DOT__u_reduce__DOT__read_done_o), QueueWidth, 1);
#endif
	}

#define FRONT(name)   ENGINE(u_front__DOT__##name)
#define DOORS(name)   ENGINE(u_csr__DOT__u_doors__DOT__##name)
#define RECORDS(name) FRONT(u_records__DOT__u_completion__DOT__##name)
#define RING(q, name) FRONT(u_ring__DOT__g_queue__BRA__##q##__KET____DOT__u_queue__DOT__##name)
#define COUNT_RING(q)                               \
	case q:                                     \
		RING(q, fetch_q) = sequence & Seq;  \
		RING(q, send_q) = sequence & Seq;   \
		RING(q, recv_q) = sequence & Place; \
		break;

	void count_ring(uint32_t queue, uint32_t sequence)
	{
		constexpr uint32_t Seq = (1u << 18) - 1, Place = 2 * TMA_RingDepth - 1;

		switch (queue) {
			COUNT_RING(0)
			COUNT_RING(1)
#if TMA_NumQueues > 2
			COUNT_RING(2)
			COUNT_RING(3)
			COUNT_RING(4)
			COUNT_RING(5)
			COUNT_RING(6)
			COUNT_RING(7)
#endif
#if TMA_NumQueues > 8
			COUNT_RING(8)
			COUNT_RING(9)
			COUNT_RING(10)
			COUNT_RING(11)
			COUNT_RING(12)
			COUNT_RING(13)
			COUNT_RING(14)
			COUNT_RING(15)
#endif
		}
	}

	/* What hangs on public variables follows in the next eval(), on the copy of CONSUMER, in a memory, not
	 * before the next edge. It is not looked at before CONSUMER has moved. */
	void count(uint32_t queue, uint32_t sequence, uint32_t records) override
	{
		DOORS(u_copy__DOT__mem)[queue] = records;
		counting = true;
		counted = { queue, sequence, records };
	}

	void set_counts()
	{
		const auto [queue, sequence, records] = counted;

		counting = false;
		put(FRONT(u_issue__DOT__u_queue__DOT__head_q), queue, 32, sequence);
		put(FRONT(u_ring__DOT__u_door__DOT__tail_o), queue, 32, sequence);
		count_ring(queue, sequence);
		put(RECORDS(next_q), queue, 17, records);
		put(RECORDS(producer_o), queue, 32, records);
		put(DOORS(consumer_o), queue, 32, records);
		put(DOORS(moved_q), queue, 1, 1);
	}
#endif

	void get_pins()
	{
		out.cmd_ready = top->cmd_ready_o;
		out.queue_ready = top->queue_ready_o;
		out.rsp_valid = top->rsp_valid_o;
		if (out.rsp_valid)
			get_bytes(top->rsp_o, 0, sizeof(out.rsp), out.rsp);
		out.irq = top->irq_o;
		out.idle = top->idle_o;
		get_inside();
		out.csr.aw_ready = top->s_axil_awready_o;
		out.csr.w_ready = top->s_axil_wready_o;
		out.csr.b_valid = top->s_axil_bvalid_o;
		out.csr.b_resp = top->s_axil_bresp_o;
		out.csr.ar_ready = top->s_axil_arready_o;
		out.csr.r_valid = top->s_axil_rvalid_o;
		out.csr.r_resp = top->s_axil_rresp_o;
		out.csr.r_data = top->s_axil_rdata_o;
		for (unsigned r = 0; r < TMA_NumCtas; r++) {
			tma_ext_out &x = out.ext[r];

			x.ready = get(top->ext_ready_o, r, 1);
			x.rvalid = get(top->ext_rvalid_o, r, 1);
			if (x.rvalid)
				get_bytes(top->ext_rdata_o, r, 16, x.rdata);
		}
		for (unsigned p = 0; p < TMA_NumPorts; p++)
			get_port(p);
		BEHIND_BUS
	}

	void eval() override
	{
		Verilated::threadContextp(&context);
		put_pins();
		top->clk_i = 0;
		top->eval();
		get_pins();
	}

	/* A waveform shows a cycle's settled pins in its low phase, 10 time units per cycle. */
	void tick() override
	{
		Verilated::threadContextp(&context);
		if (fst)
			fst->dump(context.time());
		if (wave)
			wave->dump(context.time());
		context.timeInc(5);
		top->clk_i = 1;
		top->eval();
		if (fst)
			fst->dump(context.time());
		if (wave)
			wave->dump(context.time());
		context.timeInc(5);
		if (counting)
			set_counts();
		get_pins();
	}
};

} // namespace

extern const tma_sim_maker MAKER;
const tma_sim_maker MAKER = { STRING(SHIM_CONFIG), []() -> tma_sim * { return new shim; } };
