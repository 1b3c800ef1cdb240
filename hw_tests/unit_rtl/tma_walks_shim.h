/* SPDX-License-Identifier: Apache-2.0 */
/* tma_walks - the pins of set-up and walkers of tensor copies as plain C. */
#ifndef TMA_WALKS_SHIM_H
#define TMA_WALKS_SHIM_H

#include <stdint.h>

#include "unit_rtl/unit.h"

#define WALKS_LEVELS 4

/* Encodings of the RTL's types. */
enum { WALKS_TILED, WALKS_IM2COL, WALKS_W, WALKS_W128 };
enum { WALKS_PLAIN, WALKS_TF32, WALKS_PAD4, WALKS_PAD6 };
enum { WALKS_LOAD, WALKS_PREFETCH };

#ifdef __cplusplus
extern "C" {
#endif

struct walks;

struct walks_info {
	uint32_t data_bytes, smem_bytes, ctas, queues, packed;
};

struct walks_level {
	uint8_t used, fixed, spatial, dim, step, count;
	uint32_t last;
	uint64_t stride;
	int32_t lower, upper;
};

struct walks_layout {
	uint8_t swizzle, format, nan;
};

/* A decoded map. */
struct walks_map {
	uint64_t base;
	uint8_t rank, kind, interleaved, promotion;
	struct walks_layout layout;
	uint8_t row_used, unit, half;
	uint32_t row_last, row_count, row_chunks, pitch;
	uint8_t slice_used, slice_dim;
	uint32_t slice_last;
	uint64_t slice_stride;
	uint8_t fold[WALKS_LEVELS];
	uint32_t fold_chunks[WALKS_LEVELS];
	struct walks_level level[WALKS_LEVELS];
	uint32_t pixels, bytes, chunks, row_bytes;
	uint8_t one_row, storable, window_inside;
};

struct walks_signal {
	uint8_t arrive, queue;
	uint16_t ctas, again, seq;
	uint32_t barrier, bytes, tag;
};

struct walks_hint {
	uint8_t qos, cg, prefetch, evict;
};

struct walks_cmd {
	uint8_t store, client, mode, dim, cta;
	uint32_t coord[5];
	uint16_t im2col[3], dst, fault;
	uint64_t map_addr, fault_addr;
	uint32_t operand;
	struct walks_hint hint;
	struct walks_signal signal;
};

struct walks_in {
	uint8_t rst_n, granule16, cmd_valid, row_ready[2], stop[2];
	struct walks_cmd cmd;
	struct walks_map map;
};

struct walks_row {
	uint64_t gaddr;
	uint32_t saddr, head, chunks, odd, tail;
	uint8_t none, first, last;
};

struct walks_item {
	uint8_t client, cta;
	uint16_t dst, fault;
	struct walks_hint hint;
	struct walks_layout layout;
	struct walks_signal signal;
};

struct walks_out {
	uint8_t cmd_ready, walk_valid[2], row_valid[2], busy[2];
	struct walks_row row[2];
	struct walks_item item[2];
};

struct walks *walks_open(void);
void walks_close(struct walks *w);
const struct walks_info *walks_info(void);
struct walks_in *walks_in(struct walks *w);
const struct walks_out *walks_out(const struct walks *w);
void walks_eval(struct walks *w);
void walks_tick(struct walks *w);

#ifdef __cplusplus
}
#endif
#endif
