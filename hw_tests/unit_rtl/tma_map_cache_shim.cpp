/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated map cache <-> the C structs of its header. */
#include "unit_rtl/tma_map_info.hpp"

#include "Vtma_map_cache.h"
#include "shape.h"
#include "unit_rtl/tma_map_cache_shim.h"

namespace
{

constexpr unsigned QueueWidth = log2_up(TMA_NumQueues);
constexpr unsigned CtaWidth = TMA_NumCtas > 1 ? log2_up(TMA_NumCtas) : 1;
constexpr unsigned ClientMap = 2;

const struct maps_info info = { TMA_DataWidth / 8, TMA_NumQueues, TMA_NumMaps, TMA_Packed != 0,
	                        TMA_ShortPaths != 0 };

} // namespace

struct maps {
	unit<Vtma_map_cache> rtl{ "tma_map_cache" };
	struct maps_in in = {};
	struct maps_out out = {};

	void put_pins()
	{
		auto &top = *rtl.top;
		packer cfg(top.cfg_i), beat(top.beat_i);

		for (unsigned q = 0; q < TMA_NumQueues; q++) {
			cfg.put(TMA_NumQueues, 0).put(3, 0).put(8, 0);
			cfg.put(TMA_NumCtas, 0).put(CtaWidth, 0).put(1, 0).put(1, in.enabled >> q & 1);
		}
		top.rst_ni = in.rst_n;
		top.req_valid_i = in.req_valid;
		top.req_addr_i = in.req_addr >> 6;
		top.req_qid_i = static_cast<uint8_t>(in.req_queue);
		top.miss_start_i = in.miss_start;
		top.miss_addr_i = in.miss_addr >> 6;
		top.miss_qid_i = static_cast<uint8_t>(in.miss_queue);
		top.fence_valid_i = in.fence_valid;
		top.fence_addr_i = in.fence_addr;
		top.fetch_ready_i = in.fetch_ready;
		top.fetch_denied_i = in.fetch_denied;
		top.fetch_done_i = in.fetch_done;
		top.beat_valid_i = in.beat_valid;
		beat.put(1, in.dead).put(1, in.last).put(2, in.resp);
		for (unsigned i = 0; i < TMA_DataWidth / 8; i++)
			beat.put(8, in.data[i]);
		beat.put(2, 0).put(3, ClientMap);
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		unpacker fetch(top.fetch_o);

		out.hit = top.req_hit_o;
		out.busy = top.miss_busy_o;
		out.done = top.miss_done_o;
		out.fault = top.miss_fault_o;
		out.fault_addr = top.miss_fault_addr_o;
		out.fence_ready = top.fence_ready_o;
		out.idle = top.idle_o;
		out.fetch_valid = top.fetch_valid_o;
		out.chunks = static_cast<uint32_t>(fetch.get(9));
		out.gaddr = fetch.get(64);
		out.probe = static_cast<uint8_t>(fetch.get(1));
		out.of_map = static_cast<uint8_t>(fetch.get(1));
		out.queue = static_cast<uint32_t>(fetch.get(QueueWidth));
		if (out.hit || ::info.step) {
			unpacker u(top.info_o);

			out.info = get_map_info(u);
		}
	}
};

struct maps *maps_open(void)
{
	return new maps;
}

void maps_close(struct maps *m)
{
	delete m;
}

const struct maps_info *maps_info(void)
{
	return &info;
}

struct maps_in *maps_in(struct maps *m)
{
	return &m->in;
}

const struct maps_out *maps_out(const struct maps *m)
{
	return &m->out;
}

void maps_eval(struct maps *m)
{
	m->put_pins();
	m->rtl.eval();
	m->get_pins();
}

void maps_tick(struct maps *m)
{
	m->rtl.tick();
}
