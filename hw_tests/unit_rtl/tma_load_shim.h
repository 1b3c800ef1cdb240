/* SPDX-License-Identifier: Apache-2.0 */
/* tma_load - the pins of the load path as plain C. */
#ifndef TMA_LOAD_SHIM_H
#define TMA_LOAD_SHIM_H

#include <stdint.h>

#include "sim/tma_sim.h"
#include "unit_rtl/unit.h"

#define LOAD_MAX_QUEUES  16
#define LOAD_MAX_WINDOWS 8

#ifdef __cplusplus
extern "C" {
#endif

struct load;

struct load_info {
	uint32_t data_bytes, ctas, smem_bytes, queues, windows, reads;
};

/* What happens to the barriers when a command is done. */
struct load_signal {
	uint32_t ctas, barrier, bytes; /* barrier in units of 8 bytes */
	uint32_t queue, seq, tag;
};

struct load_cmd {
	uint64_t gaddr;
	uint32_t prefetch, chunks, saddr, qos, evict; /* saddr in chunks */
	struct load_signal signal;
};

/* Pages base..limit, both included. */
struct load_window {
	uint64_t base, limit;
	uint8_t read, write;
};

struct load_in {
	uint8_t rst_n, cmd_valid, wr_ready, sig_ready, fault_ready, axcache;
	struct load_cmd cmd;
	struct tma_axi_in axi;
};

struct load_out {
	uint8_t cmd_ready, cmd_level, wr_valid, sig_valid, fault_valid, prefetch_error, idle;
	uint32_t wr_ctas, wr_addr;           /* chunks */
	uint8_t wr_data[TMA_SIM_MAX_BEAT];   /* bank order */
	uint8_t wr_be[TMA_SIM_MAX_BEAT / 8]; /* bit i: byte i */
	struct load_signal signal;
	uint32_t fault_queue, fault_seq, fault_tag, fault_code;
	uint64_t fault_address;
	struct tma_axi_out axi; /* read channels; what is the same for every burst is filled in */
};

struct load *load_open(void);
void load_close(struct load *l);
const struct load_info *load_info(void);
struct load_in *load_in(struct load *l);
const struct load_out *load_out(const struct load *l);

/** Set-up of one queue; windows that are not given are closed. */
void load_setup(struct load *l, uint32_t queue, uint8_t stream, uint8_t prot,
                const struct load_window *windows, uint32_t count);

void load_eval(struct load *l);
void load_tick(struct load *l);

#ifdef __cplusplus
}
#endif
#endif
