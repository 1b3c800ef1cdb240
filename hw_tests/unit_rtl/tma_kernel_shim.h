/* SPDX-License-Identifier: Apache-2.0 */
/* tma_kernel - the pins of a kernel as plain C. */
#ifndef TMA_KERNEL_SHIM_H
#define TMA_KERNEL_SHIM_H

#include <stdint.h>

#include "sim/tma_sim.h"
#include "unit_rtl/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

struct kernel;

struct kernel_info {
	uint32_t data_bytes, ctas, smem_bytes, queues, ports;
};

struct kernel_in {
	uint8_t rst_n;
	struct tma_csr_in control;
	struct tma_axi_in gmem[TMA_SIM_MAX_PORTS];
};

struct kernel_out {
	uint8_t interrupt;
	uint8_t constant; /* LOCK and REGION of all channels are 0 */
	struct tma_csr_out control;
	struct tma_axi_out gmem[TMA_SIM_MAX_PORTS];
};

struct kernel *kernel_open(void);
void kernel_close(struct kernel *k);
const struct kernel_info *kernel_info(void);
struct kernel_in *kernel_in(struct kernel *k);
const struct kernel_out *kernel_out(const struct kernel *k);
void kernel_eval(struct kernel *k);
void kernel_tick(struct kernel *k);

#ifdef __cplusplus
}
#endif
#endif
