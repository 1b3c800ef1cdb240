/* SPDX-License-Identifier: Apache-2.0 */
/* tma_ap_ctrl - the pins of the kernel's control registers as plain C. */
#ifndef TMA_AP_CTRL_SHIM_H
#define TMA_AP_CTRL_SHIM_H

#include <stdint.h>

#include "sim/tma_sim.h"
#include "unit_rtl/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ap_ctrl;

struct ap_ctrl_in {
	uint8_t rst_n, idle, irq;
	struct tma_csr_in host;
	struct tma_csr_out engine;
};

struct ap_ctrl_out {
	uint8_t interrupt;
	struct tma_csr_out host;
	struct tma_csr_in engine;
};

struct ap_ctrl *ap_ctrl_open(void);
void ap_ctrl_close(struct ap_ctrl *c);
struct ap_ctrl_in *ap_ctrl_in(struct ap_ctrl *c);
const struct ap_ctrl_out *ap_ctrl_out(const struct ap_ctrl *c);
void ap_ctrl_eval(struct ap_ctrl *c);
void ap_ctrl_tick(struct ap_ctrl *c);

#ifdef __cplusplus
}
#endif
#endif
