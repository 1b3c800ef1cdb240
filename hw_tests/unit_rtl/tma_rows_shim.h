/* SPDX-License-Identifier: Apache-2.0 */
/* tma_rows - the pins of the page cut and of the guards as plain C. */
#ifndef TMA_ROWS_SHIM_H
#define TMA_ROWS_SHIM_H

#include <stdint.h>

#include "unit_rtl/unit.h"

#define ROWS_GUARDS       2
#define ROWS_MAX_QUEUES   16
#define ROWS_MAX_WINDOWS  8
#define ROWS_MAX_PORTS    4
#define ROWS_MAX_MULTIMEM 8

#ifdef __cplusplus
extern "C" {
#endif

struct rows;

struct rows_info {
	uint32_t data_bytes, smem_bytes, queues, windows, ports, multimem;
};

struct rows_row {
	uint64_t gaddr;
	uint32_t saddr, chunks;
	uint8_t odd, none, first, last;
};

/* Pages base..limit, both included. */
struct rows_window {
	uint64_t base, limit;
	uint8_t read, write, multimem;
};

struct rows_multimem {
	uint64_t base, limit, port_base[ROWS_MAX_PORTS];
	uint8_t ports;
};

struct rows_guard_in {
	uint8_t row_valid, mm, burst_ready, deny_ready, abort;
	uint32_t queue;
	struct rows_row row;
};

struct rows_in {
	uint8_t rst_n;
	uint8_t cut_valid, part_ready, cut_abort;
	struct rows_row cut;
	struct rows_guard_in guard[ROWS_GUARDS];
};

struct rows_burst {
	uint64_t addr;
	uint32_t len, head, tail, saddr;
	uint8_t odd, none, first, last;
};

struct rows_guard_out {
	uint8_t row_ready, burst_valid, deny_valid, busy, ports;
	uint32_t deny_code;
	uint64_t deny_addr, port_addr[ROWS_MAX_PORTS];
	struct rows_burst burst;
};

struct rows_out {
	uint8_t cut_ready, part_valid, held;
	struct rows_row part;
	struct rows_guard_out guard[ROWS_GUARDS];
};

struct rows *rows_open(void);
void rows_close(struct rows *r);
const struct rows_info *rows_info(void);
struct rows_in *rows_in(struct rows *r);
const struct rows_out *rows_out(const struct rows *r);

/** Windows of all queues, and all multimem windows. */
void rows_setup(struct rows *r, const struct rows_window (*windows)[ROWS_MAX_WINDOWS],
                const struct rows_multimem *multimem);

void rows_eval(struct rows *r);
void rows_tick(struct rows *r);

#ifdef __cplusplus
}
#endif
#endif
