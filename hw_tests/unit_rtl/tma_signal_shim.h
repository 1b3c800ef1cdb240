/* SPDX-License-Identifier: Apache-2.0 */
/* tma_signal - the pins of the signals of finished copies as plain C. */
#ifndef TMA_SIGNAL_SHIM_H
#define TMA_SIGNAL_SHIM_H

#include <stdint.h>

#include "sim/tma_sim.h"
#include "unit_rtl/unit.h"

#define SIG_INPUTS 3

#ifdef __cplusplus
extern "C" {
#endif

struct sig;

struct sig_info {
	uint32_t ctas, queues, smem_bytes;
	uint32_t period; /* cycles per signal */
};

/* What a copy signals. */
struct sig_cmd {
	uint32_t ctas, again, barrier, bytes; /* barrier in words of 8 bytes */
	uint32_t queue, seq, tag;
	uint8_t arrive;
};

struct sig_in {
	uint8_t rst_n;
	uint8_t valid[SIG_INPUTS]; /* load path, shared path, cp.async */
	struct sig_cmd cmd[SIG_INPUTS];
	uint32_t bar_ready; /* bit c: CTA c */
	uint16_t bar_fault[TMA_SIM_MAX_CTAS];
	uint8_t fault_ready;
};

struct sig_out {
	uint8_t ready[SIG_INPUTS];
	uint32_t bar_valid, bar_addr, bar_tx, done_queue;
	uint8_t bar_arrive, fault_valid, done, event, idle;
	uint32_t fault_queue, fault_seq, fault_tag, fault_code;
	uint64_t fault_address;
};

struct sig *sig_open(void);
void sig_close(struct sig *s);
const struct sig_info *sig_info(void);
struct sig_in *sig_in(struct sig *s);
const struct sig_out *sig_out(const struct sig *s);
void sig_eval(struct sig *s);
void sig_tick(struct sig *s);

#ifdef __cplusplus
}
#endif
#endif
