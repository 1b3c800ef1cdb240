/* SPDX-License-Identifier: Apache-2.0 */
/* tma_parts - the pins of FIFOs, RAM, arbiter, rotation and routing as plain C. */
#ifndef TMA_PARTS_SHIM_H
#define TMA_PARTS_SHIM_H

#include <stdint.h>

#include "sim/tma_sim.h"
#include "unit_rtl/unit.h"

#define PARTS_FIFOS     3
#define PARTS_PORTS     2
#define PARTS_WRITERS   3
#define PARTS_MAX_CTAS  16
#define PARTS_MAX_LANES 8

#ifdef __cplusplus
extern "C" {
#endif

struct parts;

struct parts_info {
	uint32_t data_bytes, ctas, smem_bytes;
};

struct parts_fifo_in {
	uint8_t valid, ready;
	uint32_t data;
};

struct parts_write {
	uint32_t ctas, rows[PARTS_MAX_LANES];
	uint32_t addr; /* of cp.async alone, instead of rows */
	uint8_t be[TMA_SIM_MAX_BEAT / 8];
	uint8_t data[TMA_SIM_MAX_BEAT];
};

struct parts_in {
	uint8_t rst_n;
	struct parts_fifo_in fifo[PARTS_FIFOS];
	uint8_t ram_we, ram_waddr, ram_raddr;
	uint32_t ram_wdata;
	uint8_t arb_request, arb_advance, rotate_amount;
	uint16_t rotate[PARTS_MAX_LANES];
	uint8_t wr_valid[PARTS_WRITERS];      /* load, copy, cp.async */
	struct parts_write wr[PARTS_WRITERS]; /* of cp.async: one CTA, the chunk in its bank's lane */
	uint8_t rd_valid[PARTS_PORTS];
	uint32_t rd_cta[PARTS_PORTS], rd_rows[PARTS_PORTS][PARTS_MAX_LANES];
	uint32_t cta_wr_ready, cta_rd_ready[PARTS_PORTS]; /* bit: CTA */
	uint8_t cta_rd_data[PARTS_MAX_CTAS][PARTS_PORTS][TMA_SIM_MAX_BEAT];
};

struct parts_fifo_out {
	uint8_t ready, valid, level;
	uint32_t data;
};

struct parts_out {
	struct parts_fifo_out fifo[PARTS_FIFOS];
	uint32_t ram_rdata;
	uint8_t arb_grant, arb_index;
	uint16_t rotate[PARTS_MAX_LANES];
	uint8_t wr_ready[PARTS_WRITERS], rd_ready[PARTS_PORTS];
	uint8_t rd_data[PARTS_PORTS][TMA_SIM_MAX_BEAT];
	uint32_t cta_wr_valid, cta_rd_valid[PARTS_PORTS];
	uint32_t cta_rd_rows[PARTS_PORTS][PARTS_MAX_LANES];
	struct parts_write cta_wr;
};

struct parts *parts_open(void);
void parts_close(struct parts *p);
const struct parts_info *parts_info(void);
struct parts_in *parts_in(struct parts *p);
const struct parts_out *parts_out(const struct parts *p);

void parts_eval(struct parts *p);
void parts_tick(struct parts *p);

#ifdef __cplusplus
}
#endif
#endif
