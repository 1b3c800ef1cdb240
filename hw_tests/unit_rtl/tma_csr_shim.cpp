/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated registers <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_csr.h"
#include "Vtma_csr___024root.h"
#include "shape.h"
#include "unit_rtl/tma_csr_shim.h"

namespace
{

constexpr unsigned QueueWidth = log2_up(TMA_NumQueues);
constexpr unsigned CtaWidth = TMA_NumCtas > 1 ? log2_up(TMA_NumCtas) : 1;

const struct csr_info info = {
	TMA_DataWidth / 8, TMA_NumCtas,  TMA_SmemBytes,   TMA_NumQueues, TMA_NumPorts,
	TMA_NumWindows,    TMA_NumReads, TMA_NumMultimem, TMA_NumMaps,   TMA_Packed,
};

} // namespace

struct csr {
	unit<Vtma_csr> rtl{ "tma_csr" };
	struct csr_in in = {};
	struct csr_out out = {};

	void put_queues()
	{
		auto &top = *rtl.top;
		packer active(top.active_i), closing(top.closing_i), busy(top.busy_i), waiting(top.waiting_i);
		packer full(top.full_i), drained(top.drained_i);
		packer head(top.head_i), tail(top.tail_i), producer(top.producer_i);
		packer held(top.held_records_i);

		for (unsigned q = 0; q < TMA_NumQueues; q++) {
			const struct csr_queue &x = in.queues[q];

			active.put(1, x.active);
			closing.put(1, x.closing);
			busy.put(1, x.busy);
			waiting.put(1, x.waiting);
			full.put(1, x.full);
			drained.put(1, x.drained);
			head.put(32, x.head);
			tail.put(32, x.tail);
			producer.put(32, x.producer);
			held.put(17, x.held);
		}
	}

	void put_pins()
	{
		auto &top = *rtl.top;

		put_queues();
		top.rst_ni = in.rst_n;
		top.idle_i = in.idle;
		top.dead_i = in.dead;
		top.rec_done_i = in.rec_done;
		top.rec_done_queue_i = in.rec_done_queue;
		top.events_i = in.events;
		top.axil_awvalid_i = in.axil.aw_valid;
		top.axil_awaddr_i = in.axil.aw_addr;
		top.axil_wvalid_i = in.axil.w_valid;
		top.axil_wdata_i = in.axil.w_data;
		top.axil_wstrb_i = in.axil.w_strb;
		top.axil_bready_i = in.axil.b_ready;
		top.axil_arvalid_i = in.axil.ar_valid;
		top.axil_araddr_i = in.axil.ar_addr;
		top.axil_rready_i = in.axil.r_ready;
	}

	/* The status comes in the cycle in which the unit asks for it. */
	void answer()
	{
		const struct csr_status &s =
			in.queues[unpacker(rtl.top->status_queue_o).get(QueueWidth)].status;

		packer(rtl.top->status_i)
			.put(32, s.tag)
			.put(64, s.address)
			.put(32, s.seq)
			.put(16, s.count)
			.put(16, s.code)
			.put(1, s.faulted);
		rtl.eval();
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		struct tma_csr_out &axil = out.axil;

		out.axcache = top.axcache_o;
		out.granule16 = top.granule16_o;
		out.watchdog = top.watchdog_o;
		out.irq = top.irq_o;
		out.pulses.door = top.door_valid_o;
		out.pulses.door_queue = top.door_queue_o;
		out.pulses.door_tail = top.door_tail_o;
		out.pulses.resume = top.resume_o;
		out.pulses.resume_index = top.resume_index_o;
		out.pulses.reset = top.reset_o;
		out.pulses.cancel = top.cancel_o;
		axil.aw_ready = top.axil_awready_o;
		axil.w_ready = top.axil_wready_o;
		axil.b_valid = top.axil_bvalid_o;
		axil.b_resp = top.axil_bresp_o;
		axil.ar_ready = top.axil_arready_o;
		axil.r_valid = top.axil_rvalid_o;
		axil.r_resp = top.axil_rresp_o;
		axil.r_data = top.axil_rdata_o;
	}

	void get_setup()
	{
		unpacker cfg(rtl.top->cfg_o), ring(rtl.top->ring_cfg_o), windows(rtl.top->windows_o);
		unpacker multimem(rtl.top->multimem_o), consumer(rtl.top->consumer_o);

		for (unsigned q = 0; q < TMA_NumQueues; q++) {
			struct csr_cfg &c = out.cfg[q];

			out.consumer[q] = static_cast<uint32_t>(consumer.get(32));
			c.cancel_mask = static_cast<uint16_t>(cfg.get(TMA_NumQueues));
			c.prot = static_cast<uint8_t>(cfg.get(3));
			c.stream = static_cast<uint8_t>(cfg.get(8));
			c.cta_mask = static_cast<uint16_t>(cfg.get(TMA_NumCtas));
			c.cta = static_cast<uint8_t>(cfg.get(CtaWidth));
			c.ring = static_cast<uint8_t>(cfg.get(1));
			c.enable = static_cast<uint8_t>(cfg.get(1));
			c.completion_slots = static_cast<uint8_t>(ring.get(5));
			c.slots = static_cast<uint8_t>(ring.get(5));
			c.completion_base = ring.get(52);
			c.ring_base = ring.get(52);
			for (unsigned w = 0; w < TMA_NumWindows; w++) {
				struct csr_window &x = out.windows[q][w];

				x.read = static_cast<uint8_t>(windows.get(1));
				x.write = static_cast<uint8_t>(windows.get(1));
				x.multimem = static_cast<uint8_t>(windows.get(1));
				x.limit = windows.get(52);
				x.base = windows.get(52);
			}
		}
		for (unsigned w = 0; w < TMA_NumMultimem; w++) {
			struct csr_multimem &x = out.multimem[w];

			for (unsigned p = 0; p < TMA_NumPorts; p++)
				x.port_base[p] = multimem.get(52);
			x.ports = static_cast<uint8_t>(multimem.get(TMA_NumPorts));
			x.limit = multimem.get(52);
			x.base = multimem.get(52);
		}
	}
};

struct csr *csr_open(void)
{
	return new csr;
}

void csr_close(struct csr *c)
{
	delete c;
}

const struct csr_info *csr_info(void)
{
	return &info;
}

struct csr_in *csr_in(struct csr *c)
{
	return &c->in;
}

const struct csr_out *csr_out(const struct csr *c)
{
	return &c->out;
}

void csr_get_setup(struct csr *c)
{
	c->get_setup();
}

void csr_eval(struct csr *c)
{
	c->put_pins();
	c->rtl.eval();
	c->answer();
	c->get_pins();
}

void csr_tick(struct csr *c)
{
	c->rtl.tick();
	c->get_pins();
}

void csr_poke_counter(struct csr *c, uint32_t index, uint64_t value)
{
	c->rtl.top->rootp->tma_csr__DOT__u_counters__DOT__u_counts__DOT__mem[index] = value;
}
