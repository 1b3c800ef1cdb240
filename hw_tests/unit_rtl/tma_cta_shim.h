/* SPDX-License-Identifier: Apache-2.0 */
/* tma_cta - the pins of one CTA's shared memory and barriers as plain C. */
#ifndef TMA_CTA_SHIM_H
#define TMA_CTA_SHIM_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/tma_sim.h"
#include "unit_rtl/barrier_ref.h"
#include "unit_rtl/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cta;

#define CTA_MAX_BANKS (TMA_SIM_MAX_BEAT / 16)

struct cta_info {
	uint32_t data_bytes, smem_bytes;
	uint32_t entries; /* resident barriers */
	bool step;        /* a port needs a cycle more for another barrier */
};

/* Addresses: barriers in words of 8 bytes. Lines are in bank order, with a row for every bank: bank b
 * has the chunks b, b + banks, ... */
struct cta_in {
	uint8_t rst_n;
	uint8_t wr_valid;
	uint32_t wr_rows[CTA_MAX_BANKS];
	uint8_t wr_be[TMA_SIM_MAX_BEAT / 8]; /* bit i = byte i of wr_data */
	uint8_t wr_data[TMA_SIM_MAX_BEAT];
	uint8_t rd_valid[2];
	uint32_t rd_rows[2][CTA_MAX_BANKS];
	struct tma_ext_in ext;
	uint8_t a_valid, a_commit;
	uint32_t a_addr;
	struct bar_request a;
	uint8_t b_valid;
	uint8_t b_arrive;
	uint32_t b_addr, b_tx;
};

struct cta_out {
	uint8_t wr_ready, rd_ready[2];
	uint8_t rd_data[2][TMA_SIM_MAX_BEAT];
	struct tma_ext_out ext;
	uint8_t a_ready, a_phase;
	uint32_t a_fault, a_pending;
	uint8_t b_ready;
	uint32_t b_fault;
	uint8_t update;
};

struct cta *cta_open(void);
void cta_close(struct cta *c);
const struct cta_info *cta_info(void);
struct cta_in *cta_in(struct cta *c);
const struct cta_out *cta_out(const struct cta *c);
void cta_eval(struct cta *c);
void cta_tick(struct cta *c);

#ifdef __cplusplus
}
#endif
#endif
