/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated unit that keeps map fences <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_map_fence.h"
#include "unit_rtl/tma_map_fence_shim.h"

struct map_fence {
	unit<Vtma_map_fence> rtl{ "tma_map_fence" };
};

struct map_fence *map_fence_open(void)
{
	return new map_fence;
}

void map_fence_close(struct map_fence *f)
{
	delete f;
}

struct map_fence_out map_fence_eval(struct map_fence *f, const struct map_fence_in *in)
{
	auto &top = *f->rtl.top;

	top.rst_ni = !in->reset;
	top.fence_valid_i = in->fence_valid;
	top.fence_addr_i = in->fence_addr;
	top.fence_ready_i = in->fence_ready;
	top.cmd_valid_i = in->cmd_valid;
	top.cmd_ready_i = in->cmd_ready;
	f->rtl.eval();
	return { top.fence_valid_o, top.idle_o, top.fence_addr_o, top.cmd_valid_o, top.cmd_ready_o };
}

void map_fence_tick(struct map_fence *f)
{
	f->rtl.tick();
}
