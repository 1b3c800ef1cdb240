/* SPDX-License-Identifier: Apache-2.0 */
/* tma_map_fence - the pins of the unit that keeps map fences, as plain C. */
#ifndef TMA_MAP_FENCE_SHIM_H
#define TMA_MAP_FENCE_SHIM_H

#include <stdint.h>

#include "unit_rtl/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

struct map_fence;

/* Commands: bit 0 loads, bit 1 stores. */
struct map_fence_in {
	uint8_t reset;
	uint8_t fence_valid, fence_ready;
	uint64_t fence_addr;
	uint8_t cmd_valid, cmd_ready;
};

struct map_fence_out {
	uint8_t fence_valid, idle;
	uint64_t fence_addr;
	uint8_t cmd_valid, cmd_ready;
};

struct map_fence *map_fence_open(void);
void map_fence_close(struct map_fence *f);
struct map_fence_out map_fence_eval(struct map_fence *f, const struct map_fence_in *in);
void map_fence_tick(struct map_fence *f);

#ifdef __cplusplus
}
#endif
#endif
