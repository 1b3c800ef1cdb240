/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated lives of the queues <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_queue_ctl.h"
#include "shape.h"
#include "unit_rtl/tma_queue_ctl_shim.h"

constexpr unsigned QueueWidth = log2_up(TMA_NumQueues);

struct queue_ctl {
	unit<Vtma_queue_ctl> rtl{ "tma_queue_ctl" };
	struct queue_ctl_in in = {};
	struct queue_ctl_out out = {};

	void put_pins()
	{
		auto &top = *rtl.top;
		packer enable(top.enable_i), reset(top.reset_i);
		packer flight(top.flight_i), pending(top.pending_fault_i);
		packer add(top.add_i), add_queue(top.add_queue_i);
		packer done(top.done_i), done_queue(top.done_queue_i);

		top.rst_ni = in.rst_n;
		top.fault_offer_i = in.fault_offer;
		for (unsigned q = 0; q < TMA_NumQueues; q++) {
			enable.put(1, in.enable[q]);
			reset.put(1, in.reset[q]);
			flight.put(1, in.flight[q]);
			pending.put(1, in.pending_fault[q]);
		}
		for (const struct queue_ctl_event &x : in.add) {
			add.put(1, x.valid);
			add_queue.put(QueueWidth, x.queue);
		}
		for (const struct queue_ctl_event &x : in.done) {
			done.put(1, x.valid);
			done_queue.put(QueueWidth, x.queue);
		}
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		unpacker active(top.active_o), closing(top.closing_o);
		unpacker drained(top.drained_o), flight(top.flight_o);

		for (unsigned q = 0; q < TMA_NumQueues; q++) {
			out.active[q] = static_cast<uint8_t>(active.get(1));
			out.closing[q] = static_cast<uint8_t>(closing.get(1));
			out.drained[q] = static_cast<uint8_t>(drained.get(1));
			out.flight[q] = static_cast<uint8_t>(flight.get(1));
		}
	}
};

struct queue_ctl *queue_ctl_open(void)
{
	return new queue_ctl;
}

void queue_ctl_close(struct queue_ctl *c)
{
	delete c;
}

uint32_t queue_ctl_queues(void)
{
	return TMA_NumQueues;
}

struct queue_ctl_in *queue_ctl_in(struct queue_ctl *c)
{
	return &c->in;
}

const struct queue_ctl_out *queue_ctl_out(const struct queue_ctl *c)
{
	return &c->out;
}

void queue_ctl_eval(struct queue_ctl *c)
{
	c->put_pins();
	c->rtl.eval();
	c->get_pins();
}

void queue_ctl_tick(struct queue_ctl *c)
{
	c->rtl.tick();
	c->get_pins();
}
