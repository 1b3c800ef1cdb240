/* SPDX-License-Identifier: Apache-2.0 */
/* tma_mbarrier_alu - its pins as plain C. Combinational: one call. */
#ifndef TMA_MBARRIER_ALU_SHIM_H
#define TMA_MBARRIER_ALU_SHIM_H

#include <stdint.h>

#include "unit_rtl/barrier_ref.h"
#include "unit_rtl/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

struct alu;

struct alu_in {
	uint64_t bar;
	uint8_t first;
	uint32_t first_tx;
	struct bar_request request;
};

struct alu_out {
	uint32_t pending, fault;
	uint8_t phase, write, flip;
	uint64_t bar;
};

struct alu *alu_open(void);
void alu_close(struct alu *a);
struct alu_out alu_eval(struct alu *a, const struct alu_in *in);

#ifdef __cplusplus
}
#endif
#endif
