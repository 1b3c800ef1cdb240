/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated record queue <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_respond.h"
#include "shape.h"
#include "unit_rtl/tma_respond_shim.h"

struct respond {
	unit<Vtma_respond> rtl{ "tma_respond" };
	struct respond_in in = {};
	struct respond_out out = {};

	void put_pins()
	{
		auto &top = *rtl.top;

		top.rst_ni = in.rst_n;
		top.ans_valid_i = in.ans_valid;
		top.rec_valid_i = in.rec_valid;
		top.rsp_ready_i = in.rsp_ready;
		std::memcpy(&top.ans_i, &in.ans, sizeof(in.ans));
		std::memcpy(&top.rec_i, &in.rec, sizeof(in.rec));
	}

	void get_pins()
	{
		const auto &top = *rtl.top;

		out.ans_level = top.ans_level_o;
		out.rec_ready = top.rec_ready_o;
		out.rsp_valid = top.rsp_valid_o;
		out.event = top.event_o;
		out.idle = top.idle_o;
		std::memcpy(&out.rsp, &top.rsp_o, sizeof(out.rsp));
	}
};

struct respond *respond_open(void)
{
	return new respond;
}

void respond_close(struct respond *r)
{
	delete r;
}

uint32_t respond_queues(void)
{
	return TMA_NumQueues;
}

struct respond_in *respond_in(struct respond *r)
{
	return &r->in;
}

const struct respond_out *respond_out(const struct respond *r)
{
	return &r->out;
}

void respond_eval(struct respond *r)
{
	r->put_pins();
	r->rtl.eval();
	r->get_pins();
}

void respond_tick(struct respond *r)
{
	r->rtl.tick();
	r->get_pins();
}
