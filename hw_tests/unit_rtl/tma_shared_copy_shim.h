/* SPDX-License-Identifier: Apache-2.0 */
/* tma_shared_copy - the pins of the shared-to-shared path as plain C. */
#ifndef TMA_SHARED_COPY_SHIM_H
#define TMA_SHARED_COPY_SHIM_H

#include <stdint.h>

#include "sim/tma_sim.h"
#include "unit_rtl/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

struct copy;

#define COPY_MAX_BANKS (TMA_SIM_MAX_BEAT / 16)

struct copy_info {
	uint32_t data_bytes, ctas, smem_bytes, queues;
};

/* A copy; addresses in chunks, the barrier in words of 8 bytes. */
struct copy_cmd {
	uint32_t chunks, src_cta, src, dst;
	uint32_t ctas, again, barrier, bytes, queue, seq, tag; /* its signal */
};

struct copy_in {
	uint8_t rst_n, cmd_valid, rd_ready, wr_ready, sig_ready;
	struct copy_cmd cmd;
	uint8_t rd_data[TMA_SIM_MAX_BEAT]; /* bank order */
};

struct copy_out {
	uint8_t cmd_ready, rd_valid, wr_valid, sig_valid, sig_arrive, line_event, idle;
	uint32_t rd_cta, wr_ctas;
	uint32_t rd_rows[COPY_MAX_BANKS], wr_rows[COPY_MAX_BANKS];
	uint8_t wr_be[TMA_SIM_MAX_BEAT / 8];
	uint8_t wr_data[TMA_SIM_MAX_BEAT];
	struct copy_cmd sig; /* what a signal has of it */
};

struct copy *copy_open(void);
void copy_close(struct copy *c);
const struct copy_info *copy_info(void);
struct copy_in *copy_in(struct copy *c);
const struct copy_out *copy_out(const struct copy *c);
void copy_eval(struct copy *c);
void copy_tick(struct copy *c);

#ifdef __cplusplus
}
#endif
#endif
