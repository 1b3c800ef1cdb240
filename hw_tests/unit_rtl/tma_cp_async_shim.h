/* SPDX-License-Identifier: Apache-2.0 */
/* tma_cp_async - its pins as plain C. */
#ifndef TMA_CP_ASYNC_SHIM_H
#define TMA_CP_ASYNC_SHIM_H

#include <stdint.h>

#include "sim/tma_sim.h"
#include "unit_rtl/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cpa;

struct cpa_info {
	uint32_t data_bytes, ctas, smem_bytes, queues, depth;
};

/* Barrier in words of 8 bytes, destination in chunks. */
struct cpa_ctx {
	uint8_t denied, arrive, dst, size, valid;
	uint64_t gaddr;
	uint32_t saddr, cta, barrier, queue, seq, tag;
};

struct cpa_in {
	uint8_t rst_n, take, ctx_valid, beat_valid, beat_resp, beat_dead;
	uint32_t active, restart; /* bit: queue */
	struct cpa_ctx ctx;
	uint32_t lane;
	uint8_t beat[TMA_SIM_MAX_BEAT];
	uint8_t wr_ready, sig_ready, fault_ready;
};

struct cpa_out {
	uint8_t full, wr_valid, sig_valid, sig_arrive, fault_valid, done, drop, idle;
	uint32_t wr_cta, wr_addr, wr_be;
	uint8_t wr_data[16];
	uint32_t sig_ctas, sig_barrier, sig_bytes, sig_queue, sig_seq, sig_tag;
	uint32_t fault_code, fault_queue, fault_seq, fault_tag, done_queue, drop_queue;
	uint64_t fault_address;
};

struct cpa *cpa_open(void);
void cpa_close(struct cpa *c);
const struct cpa_info *cpa_info(void);
struct cpa_in *cpa_in(struct cpa *c);
const struct cpa_out *cpa_out(const struct cpa *c);
void cpa_eval(struct cpa *c);
void cpa_tick(struct cpa *c);

#ifdef __cplusplus
}
#endif
#endif
