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
	uint32_t data_bytes, ctas, smem_bytes, queues, windows, reads, packed;
	uint32_t step; /* cycles that each row of a walk waits */
};

/* What happens to the barriers when a command is done. */
struct load_signal {
	uint32_t ctas, again, barrier, bytes; /* barrier in units of 8 bytes */
	uint32_t queue, seq, tag;
};

enum load_client { LOAD_LOAD = 0, LOAD_PREFETCH = 1, LOAD_MAP = 2, LOAD_RING = 3, LOAD_CP = 5 };

/* A cp.async, or the arrival behind some. */
struct load_cp {
	uint8_t arrive, dst, size, valid; /* dst: first byte in its chunk */
};

struct load_cmd {
	uint64_t gaddr;
	enum load_client client;
	uint8_t tensor;
	uint32_t dst;                               /* CTAs of the data */
	uint32_t chunks, saddr, qos, evict, l2, cg; /* saddr in chunks */
	struct load_cp cp;
	struct load_signal signal;
};

struct load_fetch {
	uint32_t queue, chunks;
	uint8_t of_map, probe;
	uint64_t gaddr;
};

#define LOAD_LEVELS 4

/* A loop of a walk, as in tma_tensor_pkg. Addresses in chunks. */
struct load_level {
	uint8_t over, is_in, low_over, low_in;
	int64_t next, low_next, limit;
	uint32_t last, step;
	uint64_t addr, addr_step;
};

enum load_swizzle {
	LOAD_SWIZZLE_OFF,
	LOAD_XOR_32,
	LOAD_XOR_64,
	LOAD_XOR_128,
	LOAD_ATOM_32,
	LOAD_FLIP,
	LOAD_ATOM_64,
	LOAD_SWIZZLES
};

enum load_format { LOAD_PLAIN, LOAD_TF32, LOAD_PAD_4, LOAD_PAD_6 };

struct load_layout {
	enum load_swizzle swizzle;
	enum load_format format;
	uint8_t nan;
};

/* A walk for a command: a tile, or pixels and halos of im2col::w::128. Chunks. */
struct load_walk {
	struct load_cmd cmd;
	struct load_layout layout;
	uint8_t empty, outside, counted;
	uint32_t pixels, halo, fault, low, saddr, pitch, fill, head, chunks, odd, tail;
	struct load_level level[LOAD_LEVELS];
};

/* Pages base..limit, both included. */
struct load_window {
	uint64_t base, limit;
	uint8_t read, write;
};

/* A bulk prefetch; the rest of its hint is always the same. */
struct load_prefetch {
	uint32_t queue, chunks, evict;
	uint64_t gaddr;
};

struct load_in {
	uint8_t rst_n, cmd_valid, wr_ready, sig_ready, fault_ready, axcache;
	uint8_t fetch_valid[2], ring_ready, cp_wr_ready, cp_sig_ready, dead; /* fetches: ring, maps */
	uint8_t tensor_ready, walk_valid;
	uint32_t restart; /* bit: queue */
	uint8_t prefetch_valid;
	struct load_cmd cmd;
	struct load_prefetch prefetch;
	struct load_fetch fetch[2];
	struct load_walk walk;
	struct tma_axi_in axi;
};

/* A pulse for a queue. */
struct load_event {
	uint8_t valid;
	uint32_t queue;
};

struct load_out {
	uint8_t cmd_ready, cmd_level, wr_valid, sig_valid, fault_valid, prefetch_error, idle;
	uint32_t wr_ctas, wr_rows[TMA_SIM_MAX_BEAT / 16];
	uint8_t wr_data[TMA_SIM_MAX_BEAT];   /* bank order */
	uint8_t wr_be[TMA_SIM_MAX_BEAT / 8]; /* bit i: byte i */
	struct load_signal signal;
	uint8_t tensor_valid, walk_ready;
	uint32_t tensor_seq;
	uint8_t fetch_ready[2], fetch_denied[2], map_done;
	uint8_t ring_valid[2], ring_last, ring_resp, ring_dead; /* one beat for both */
	uint8_t ring_data[TMA_SIM_MAX_BEAT];
	uint8_t cp_wr_valid, cp_data[16], cp_sig_valid, cp_sig_arrive;
	uint32_t cp_cta, cp_addr, cp_be;
	struct load_signal cp_signal;
	uint8_t prefetch_level, read_done; /* bit: channel */
	uint32_t read_done_queue;
	struct load_event row_done, prefetch_done, burst_add, burst_done, cp_done, cp_drop;
	uint8_t read_pending, read_progress;
	uint32_t fault_queue, fault_seq, fault_tag, fault_code;
	uint64_t fault_address;
	struct tma_axi_out axi; /* read channels; what is the same for every burst is filled in */
};

struct load *load_open(void);
void load_close(struct load *l);
const struct load_info *load_info(void);
struct load_in *load_in(struct load *l);
const struct load_out *load_out(const struct load *l);

/** Set-up of one queue, which is active from then on; windows that are not given are closed. */
void load_setup(struct load *l, uint32_t queue, uint8_t stream, uint8_t prot,
                const struct load_window *windows, uint32_t count);
void load_active(struct load *l, uint32_t queue, uint8_t active);

void load_eval(struct load *l);
void load_tick(struct load *l);

#ifdef __cplusplus
}
#endif
#endif
