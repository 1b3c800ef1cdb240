/* SPDX-License-Identifier: Apache-2.0 */
/* map_info_t of the RTL as the struct of the reference. */
#ifndef TMA_MAP_INFO_HPP
#define TMA_MAP_INFO_HPP

#include "unit_rtl/tma_map_ref.h"
#include "unit_rtl/unit.hpp"

inline struct map_info get_map_info(unpacker &u)
{
	auto get = [&u](unsigned width) { return static_cast<uint32_t>(u.get(width)); };
	auto flag = [&u]() { return u.get(1) != 0; };
	auto corner = [&u]() { return static_cast<int32_t>(static_cast<int16_t>(u.get(16))); };
	struct map_info m = {};

	m.window_inside = flag();
	m.storable = flag();
	m.one_row = flag();
	m.row_bytes = get(12);
	m.chunks = get(20);
	m.bytes = get(24);
	m.pixels = get(10);
	for (struct map_level &l : m.level) {
		l.upper = corner();
		l.lower = corner();
		l.count = get(8);
		l.step = get(3);
		l.stride = u.get(36);
		l.last = get(32);
		l.dim = get(3);
		l.spatial = flag();
		l.fixed = flag();
		l.used = flag();
	}
	for (uint32_t &chunks : m.fold_chunks)
		chunks = get(16);
	for (bool &fold : m.fold)
		fold = flag();
	m.slice_stride = u.get(36);
	m.slice_last = get(32);
	m.slice_dim = get(3);
	m.slice_used = flag();
	m.pitch = get(10);
	m.row_chunks = get(10);
	m.row_count = get(10);
	m.row_last = get(32);
	m.half = flag();
	m.unit = get(3);
	m.row_used = flag();
	m.promotion = get(2);
	m.nan = flag();
	m.format = get(2);
	m.swizzle = get(3);
	m.interleaved = flag();
	m.kind = get(2);
	m.rank = get(3);
	m.base = u.get(60);
	return m;
}

#endif
