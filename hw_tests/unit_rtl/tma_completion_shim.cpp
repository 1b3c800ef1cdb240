/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated completion rings <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_completion.h"
#include "shape.h"
#include "unit_rtl/tma_completion_shim.h"

constexpr unsigned QueueWidth = log2_up(TMA_NumQueues);

struct completion {
	unit<Vtma_completion> rtl{ "tma_completion" };
	struct completion_in in = {};
	struct completion_out out = {};

	void put_pins()
	{
		auto &top = *rtl.top;
		packer active(top.active_i), cfg(top.ring_cfg_i), consumer(top.consumer_i);

		top.rst_ni = in.rst_n;
		top.ans_valid_i = in.ans_valid;
		top.rec_valid_i = in.rec_valid;
		top.cmd_ready_i = in.cmd_ready;
		top.data_pop_i = in.data_pop;
		top.done_i = in.done;
		top.event_hold_i = in.event_hold;
		packer(top.done_queue_i).put(QueueWidth, in.done_queue);
		std::memcpy(&top.ans_i, &in.ans, sizeof(in.ans));
		std::memcpy(&top.rec_i, &in.rec, sizeof(in.rec));
		for (unsigned q = 0; q < TMA_NumQueues; q++) {
			const struct completion_queue_in &x = in.queue[q];

			active.put(1, x.active);
			consumer.put(32, x.consumer);
			cfg.put(5, x.slots_log2).put(5, 0);
			cfg.put(52, x.base >> 12).put(52, 0);
		}
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		unpacker cmd(top.cmd_o), flight(top.flight_o), room(top.room_o);
		unpacker rec_room(top.rec_room_o), producer(top.producer_o), held(top.held_o);

		out.ans_level = top.ans_level_o;
		out.rec_ready = top.rec_ready_o;
		out.cmd_valid = top.cmd_valid_o;
		out.event = top.event_o;
		out.idle = top.idle_o;
		std::memcpy(&out.data, &top.data_o, sizeof(out.data));
		out.cmd.tag = static_cast<uint32_t>(cmd.get(32));
		out.cmd.seq = static_cast<uint32_t>(cmd.get(16));
		out.cmd.queue = static_cast<uint32_t>(cmd.get(QueueWidth));
		out.cmd.address = cmd.get(64);
		for (unsigned q = 0; q < TMA_NumQueues; q++) {
			struct completion_queue_out &x = out.queue[q];

			x.flight = static_cast<uint8_t>(flight.get(1));
			x.room = static_cast<uint8_t>(room.get(1));
			x.rec_room = static_cast<uint8_t>(rec_room.get(1));
			x.producer = static_cast<uint32_t>(producer.get(32));
			x.held = static_cast<uint32_t>(held.get(17));
		}
	}
};

struct completion *completion_open(void)
{
	return new completion;
}

void completion_close(struct completion *c)
{
	delete c;
}

uint32_t completion_short(void)
{
	return TMA_ShortPaths;
}

uint32_t completion_queues(void)
{
	return TMA_NumQueues;
}

struct completion_in *completion_in(struct completion *c)
{
	return &c->in;
}

const struct completion_out *completion_out(const struct completion *c)
{
	return &c->out;
}

void completion_eval(struct completion *c)
{
	c->put_pins();
	c->rtl.eval();
	c->get_pins();
}

void completion_tick(struct completion *c)
{
	c->rtl.tick();
	c->get_pins();
}
