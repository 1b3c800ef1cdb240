/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated operation <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_mbarrier_alu.h"
#include "unit_rtl/tma_mbarrier_alu_shim.h"

struct alu {
	VerilatedContext context;
	std::unique_ptr<Vtma_mbarrier_alu> top;
};

struct alu *alu_open(void)
{
	struct alu *a = new alu;

	unit_prepare(a->context);
	a->top = std::make_unique<Vtma_mbarrier_alu>(&a->context, "tma_mbarrier_alu");
	return a;
}

void alu_close(struct alu *a)
{
	a->top->final();
	delete a;
}

struct alu_out alu_eval(struct alu *a, const struct alu_in *in)
{
	auto &top = *a->top;

	top.bar_i = in->bar;
	top.first_i = in->first;
	top.first_tx_i = in->first_tx;
	top.op_i = static_cast<uint8_t>(in->request.op);
	top.count_i = in->request.count;
	top.tx_i = in->request.tx;
	top.drop_i = in->request.drop;
	top.no_complete_i = in->request.no_complete;
	top.eval();
	return { top.pending_o, top.fault_o, top.phase_o, top.write_o, top.flip_o, top.bar_o };
}
