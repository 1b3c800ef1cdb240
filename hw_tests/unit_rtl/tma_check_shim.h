/* SPDX-License-Identifier: Apache-2.0 */
/* tma_check - its pins as plain C. Combinational: one call. */
#ifndef TMA_CHECK_SHIM_H
#define TMA_CHECK_SHIM_H

#include <stdint.h>

#include "tma_abi.h"
#include "unit_rtl/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

struct check;

struct check_info {
	uint32_t ctas, smem_bytes, queues;
};

struct check_in {
	uint32_t queue, cta, cta_mask, cancel_mask;
	uint32_t fetch; /* 0 whole, else why not: window, SLVERR, DECERR, dead port */
	struct tma_command command;
};

struct check_out {
	uint32_t queue, fault, ctas, again, bar_op;
	uint64_t address;
	struct tma_command command;
};

struct check *check_open(void);
void check_close(struct check *c);
const struct check_info *check_info(void);
struct check_out check_eval(struct check *c, const struct check_in *in);

#ifdef __cplusplus
}
#endif
#endif
