/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the tensor map cache as C structs, see unit.h. */
#ifndef TMA_MAP_CACHE_SHIM_H
#define TMA_MAP_CACHE_SHIM_H

#include "unit_rtl/tma_map_ref.h"
#include "unit_rtl/unit.h"

#define MAPS_MAX_BYTES 128u /* of a beat */

struct maps;

struct maps_info {
	uint32_t data_bytes, queues, maps;
	bool packed;
	bool step; /* info comes a cycle after its hit */
};

struct maps_in {
	uint8_t rst_n;
	uint32_t enabled; /* bit: queue */
	uint8_t req_valid, miss_start, fence_valid;
	uint64_t req_addr, miss_addr, fence_addr;
	uint32_t req_queue, miss_queue;
	uint8_t fetch_ready, fetch_denied, fetch_done;
	uint8_t beat_valid, last, dead, resp;
	uint8_t data[MAPS_MAX_BYTES];
};

struct maps_out {
	uint8_t hit, busy, done, fence_ready, idle;
	struct map_info info; /* of a hit, with `step` of the cycle before */
	uint32_t fault;
	uint64_t fault_addr;
	uint8_t fetch_valid, of_map, probe;
	uint32_t queue, chunks;
	uint64_t gaddr;
};

#ifdef __cplusplus
extern "C" {
#endif

struct maps *maps_open(void);
void maps_close(struct maps *m);
const struct maps_info *maps_info(void);
struct maps_in *maps_in(struct maps *m);
const struct maps_out *maps_out(const struct maps *m);
void maps_eval(struct maps *m);
void maps_tick(struct maps *m);

#ifdef __cplusplus
}
#endif
#endif
