/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated bulk groups <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_groups.h"
#include "shape.h"
#include "unit_rtl/tma_groups_shim.h"

struct groups {
	unit<Vtma_groups> rtl{ "tma_groups" };
	struct groups_in in = {};
	struct groups_out out = {};

	void put_pins()
	{
		auto &top = *rtl.top;
		packer enable(top.enable_i), resume(top.resume_i);

		top.rst_ni = in.rst_n;
		for (unsigned q = 0; q < TMA_NumQueues; q++)
			enable.put(1, in.enable[q]), resume.put(1, in.resume[q]);
		top.add_i = in.add;
		top.load_add_i = in.load_add;
		top.load_done_i = in.load_done;
		packer(top.load_done_queue_i).put(log2_up(TMA_NumQueues), in.load_done_queue);
		top.commit_i = in.commit;
		top.cp_add_i = in.cp_add;
		top.cp_commit_i = in.cp_commit;
		top.read_done_i = in.read_done;
		top.write_done_i = in.write_done;
		top.cp_done_i = in.cp_done;
		packer(top.queue_i).put(log2_up(TMA_NumQueues), in.queue);
		packer(top.read_done_queue_i).put(log2_up(TMA_NumQueues), in.read_done_queue);
		packer(top.write_done_queue_i).put(log2_up(TMA_NumQueues), in.write_done_queue);
		packer(top.cp_done_queue_i).put(log2_up(TMA_NumQueues), in.cp_done_queue);
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		unpacker full(top.full_o), reads(top.pending_read_o), writes(top.pending_write_o);
		unpacker cp_full(top.cp_full_o), cps(top.cp_pending_o), busy(top.cp_busy_o);

		for (unsigned q = 0; q < TMA_NumQueues; q++) {
			out.full[q] = static_cast<uint8_t>(full.get(1));
			out.pending_read[q] = static_cast<uint32_t>(reads.get(6));
			out.pending_write[q] = static_cast<uint32_t>(writes.get(6));
			out.cp_full[q] = static_cast<uint8_t>(cp_full.get(1));
			out.cp_busy[q] = static_cast<uint8_t>(busy.get(1));
			out.cp_pending[q] = static_cast<uint32_t>(cps.get(6));
		}
	}
};

struct groups *groups_open(void)
{
	return new groups;
}

void groups_close(struct groups *g)
{
	delete g;
}

uint32_t groups_queues(void)
{
	return TMA_NumQueues;
}

uint32_t groups_operations(void)
{
	return TMA_NumWrites + 12;
}

uint32_t groups_cp_operations(void)
{
	return 80;
}

struct groups_in *groups_in(struct groups *g)
{
	return &g->in;
}

const struct groups_out *groups_out(const struct groups *g)
{
	return &g->out;
}

void groups_eval(struct groups *g)
{
	g->put_pins();
	g->rtl.eval();
	g->get_pins();
}

void groups_tick(struct groups *g)
{
	g->rtl.tick();
	g->get_pins();
}
