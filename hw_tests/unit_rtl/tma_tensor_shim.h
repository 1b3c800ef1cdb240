/* SPDX-License-Identifier: Apache-2.0 */
/* tma_tensor - its pins as plain C; of a walk, what tells commands and maps apart. */
#ifndef TMA_TENSOR_SHIM_H
#define TMA_TENSOR_SHIM_H

#include <stdint.h>

#include "unit_rtl/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tensor;

struct tensor_shape {
	uint32_t data_bytes, queues;
};

struct tensor_cmd {
	uint8_t prefetch, mode, dim, queue;
	uint32_t coord, operand, tag; /* of dimension 0 */
	uint64_t map_addr;
};

struct tensor_in {
	uint8_t rst_n, cmd_valid[2], walk_ready[2];
	struct tensor_cmd cmd[2];
	uint8_t fence_valid, fetch_ready, denied, done;
	uint64_t fence_addr;
	uint8_t beat_valid, beat_resp, beat_last, beat_dead;
	uint8_t beat[128];
};

struct tensor_walk {
	uint8_t empty, low;
	uint16_t fault;
	uint32_t tag, saddr, chunks;
	uint64_t addr; /* in chunks */
};

struct tensor_out {
	uint8_t cmd_ready[2], walk_valid[2], fence_ready, prefetch_error, idle;
	struct tensor_walk walk[2];
	uint8_t fetch_valid, of_map, probe;
	uint32_t queue, chunks;
	uint64_t gaddr;
};

struct tensor *tensor_open(void);
void tensor_close(struct tensor *t);
const struct tensor_shape *tensor_shape(void);
struct tensor_in *tensor_in(struct tensor *t);
const struct tensor_out *tensor_out(const struct tensor *t);
void tensor_eval(struct tensor *t);
void tensor_tick(struct tensor *t);

#ifdef __cplusplus
}
#endif
#endif
