/* SPDX-License-Identifier: Apache-2.0 */
/* tma_respond - the pins of the record queue as plain C. */
#ifndef TMA_RESPOND_SHIM_H
#define TMA_RESPOND_SHIM_H

#include <stdint.h>

#include "tma_abi.h"
#include "unit_rtl/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

struct respond;

struct respond_in {
	uint8_t rst_n, ans_valid, rec_valid, rsp_ready;
	struct tma_record ans, rec;
};

struct respond_out {
	uint8_t ans_level, rec_ready, rsp_valid, event, idle;
	struct tma_record rsp;
};

struct respond *respond_open(void);
void respond_close(struct respond *r);
uint32_t respond_queues(void);
struct respond_in *respond_in(struct respond *r);
const struct respond_out *respond_out(const struct respond *r);
void respond_eval(struct respond *r);
void respond_tick(struct respond *r);

#ifdef __cplusplus
}
#endif
#endif
