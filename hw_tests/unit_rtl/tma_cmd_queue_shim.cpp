/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated command queues <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_cmd_queue.h"
#include "shape.h"
#include "unit_rtl/tma_cmd_queue_shim.h"

struct cmdq {
	unit<Vtma_cmd_queue> rtl{ "tma_cmd_queue" };
	struct cmdq_in in = {};
	struct cmdq_out out = {};

	template <class Port> static void put_fetched(Port &port, const struct tma_command &c, unsigned fetch)
	{
		packer p(port);
		uint64_t word[8];

		std::memcpy(word, &c, sizeof(word));
		for (uint64_t w : word)
			p.put(64, w);
		p.put(3, fetch);
	}

	void put_pins()
	{
		auto &top = *rtl.top;

		top.rst_ni = in.rst_n;
		top.cmd_valid_i = in.valid;
		top.cmd_queue_i = static_cast<uint8_t>(in.queue);
		std::memcpy(&top.cmd_i, &in.command, sizeof(in.command));
		packer(top.enable_i).put(TMA_NumQueues, in.enable);
		packer(top.blocked_i).put(TMA_NumQueues, in.blocked);
		top.path_ready_i = static_cast<uint8_t>(in.path_ready);
		packer(top.answer_ready_i).put(TMA_NumQueues, in.answer_ready);
		packer(top.ring_bound_i).put(TMA_NumQueues, in.ring_bound);
		packer(top.resume_i).put(TMA_NumQueues, in.resume);
		top.resume_skip_i = static_cast<uint8_t>(in.resume_skip);
		top.ring_valid_i = in.ring_valid;
		top.ring_queue_i = static_cast<uint8_t>(in.ring_queue);
		put_fetched(top.ring_cmd_i, in.ring_command, in.ring_fetch);
		top.cmd_ready_i = in.out_ready;
		top.retire_i = in.retire;
		top.retire_queue_i = static_cast<uint8_t>(in.retire_queue);
		top.flush_i = in.flush;
		top.flush_queue_i = static_cast<uint8_t>(in.flush_queue);
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		unpacker count(top.held_count_o), fetched(top.cmd_o);

		for (unsigned q = 0; q < TMA_NumQueues; q++)
			out.held_count[q] = static_cast<uint32_t>(count.get(4));
		for (unsigned i = 0; i < 8; i++)
			fetched.get(64);
		out.fetch = static_cast<uint8_t>(fetched.get(3));
		out.ring_ready = top.ring_ready_o;
		out.room = top.room_o;
		out.ready = top.cmd_ready_o;
		out.queue_ready = top.queue_ready_o;
		out.held = top.held_o;
		out.stalled = top.stalled_o;
		out.valid = top.cmd_valid_o;
		out.queue = top.cmd_queue_o;
		std::memcpy(&out.command, &top.cmd_o, sizeof(out.command));
	}
};

struct cmdq *cmdq_open(void)
{
	return new cmdq;
}

void cmdq_close(struct cmdq *c)
{
	delete c;
}

uint32_t cmdq_queues(void)
{
	return TMA_NumQueues;
}

uint32_t cmdq_short(void)
{
	return TMA_ShortPaths;
}

struct cmdq_in *cmdq_in(struct cmdq *c)
{
	return &c->in;
}

const struct cmdq_out *cmdq_out(const struct cmdq *c)
{
	return &c->out;
}

void cmdq_eval(struct cmdq *c)
{
	c->put_pins();
	c->rtl.eval();
	c->get_pins();
}

void cmdq_tick(struct cmdq *c)
{
	c->rtl.tick();
	c->get_pins();
}
