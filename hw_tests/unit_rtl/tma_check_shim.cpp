/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated rules <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_check.h"
#include "shape.h"
#include "unit_rtl/tma_check_shim.h"

static const struct check_info info = { TMA_NumCtas, TMA_SmemBytes, TMA_NumQueues };

struct check {
	VerilatedContext context;
	std::unique_ptr<Vtma_check> top;
};

struct check *check_open(void)
{
	struct check *c = new check;

	unit_prepare(c->context);
	c->top = std::make_unique<Vtma_check>(&c->context, "tma_check");
	return c;
}

void check_close(struct check *c)
{
	c->top->final();
	delete c;
}

const struct check_info *check_info(void)
{
	return &info;
}

struct check_out check_eval(struct check *c, const struct check_in *in)
{
	auto &top = *c->top;
	struct check_out out = {};

	packer(top.qid_i).put(log2_up(TMA_NumQueues), in->queue);
	packer(top.cta_i).put(log2_up(TMA_NumCtas), in->cta);
	packer(top.cta_mask_i).put(TMA_NumCtas, in->cta_mask);
	packer(top.cancel_mask_i).put(TMA_NumQueues, in->cancel_mask);
	packer fetched(top.cmd_i);
	for (unsigned i = 0; i < sizeof(in->command); i++)
		fetched.put(8, reinterpret_cast<const uint8_t *>(&in->command)[i]);
	fetched.put(3, in->fetch);
	top.eval();

	std::memcpy(&out.command, &top.issue_o, sizeof(out.command));
	unpacker issue(top.issue_o);
	for (unsigned i = 0; i < sizeof(out.command); i++)
		issue.get(8);
	out.bar_op = static_cast<uint32_t>(issue.get(3));
	out.again = static_cast<uint32_t>(issue.get(TMA_NumCtas));
	out.ctas = static_cast<uint32_t>(issue.get(TMA_NumCtas));
	out.address = issue.get(64);
	out.fault = static_cast<uint32_t>(issue.get(16));
	out.queue = static_cast<uint32_t>(issue.get(log2_up(TMA_NumQueues)));
	return out;
}
