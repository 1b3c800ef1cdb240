/* SPDX-License-Identifier: Apache-2.0 */
/* tma_store - the pins of the store path as plain C. */
#ifndef TMA_STORE_SHIM_H
#define TMA_STORE_SHIM_H

#include <stdint.h>

#include "sim/tma_sim.h"
#include "unit_rtl/unit.h"

#define STORE_MAX_QUEUES   16
#define STORE_MAX_WINDOWS  8
#define STORE_MAX_MULTIMEM 8
#define STORE_MAX_PORTS    4
#define STORE_MAX_BANKS    (TMA_SIM_MAX_BEAT / 16)
#define STORE_LEVELS       4

#ifdef __cplusplus
extern "C" {
#endif

struct store;

struct store_info {
	uint32_t data_bytes, ctas, smem_bytes, queues, windows, writes, ports, multimem;
	uint32_t step; /* cycles that each row of a walk waits, a beat before it is read, and its data */
};

struct store_cmd {
	uint64_t gaddr;
	uint32_t chunks, cta, saddr; /* saddr in chunks */
	uint32_t byte_mask, qos, evict, queue, seq, tag, multimem;
	uint32_t tensor, mode, dim, coord[5];
};

/* A level of a walk; addresses in chunks. */
struct store_level {
	uint8_t over, is_in, low_over, low_in, step;
	int64_t next, low_next, limit;
	uint32_t last;
	uint64_t addr, addr_step;
};

/* What set-up makes of a tensor command. */
struct store_walk {
	uint32_t cta, swizzle, qos, evict, queue, seq, tag, fault;
	uint64_t fault_addr;
	uint32_t saddr, pitch, chunks, odd;
	uint32_t pixels, counted;
	uint8_t empty, outside;
	struct store_level level[STORE_LEVELS];
};

struct store_record {
	uint64_t gaddr;
	uint32_t queue, seq, tag;
};

/* Pages first..last, both included. */
struct store_window {
	uint64_t base, limit;
	uint8_t read, write, multimem;
};

struct store_multimem {
	uint64_t base, limit, port_base[STORE_MAX_PORTS];
	uint8_t ports;
};

struct store_in {
	uint8_t rst_n, cmd_valid, rec_valid, rd_ready, fault_ready, axcache, dead;
	uint8_t tensor_ready, walk_valid;
	struct store_cmd cmd;
	struct store_walk walk;
	struct store_record rec;
	uint8_t rec_data[32];
	uint8_t rd_data[TMA_SIM_MAX_BEAT]; /* bank order */
	struct tma_axi_in axi[STORE_MAX_PORTS];
};

struct store_out {
	uint8_t cmd_ready, cmd_level, rec_ready, rec_data_pop;
	uint8_t rd_valid, read_done, write_done, rec_done, fault_valid, idle, aw_event, w_event, w_stall;
	uint8_t pending, progress; /* bit: port */
	uint8_t tensor_valid, walk_ready;
	struct store_cmd tensor;
	uint32_t rd_cta, rd_rows[STORE_MAX_BANKS], read_done_queue, write_done_queue, rec_done_queue;
	uint32_t fault_queue, fault_seq, fault_tag, fault_code;
	uint64_t fault_address;
	struct tma_axi_out axi[STORE_MAX_PORTS]; /* write channels; what never changes is filled in */
};

struct store *store_open(void);
void store_close(struct store *s);
const struct store_info *store_info(void);
struct store_in *store_in(struct store *s);
const struct store_out *store_out(const struct store *s);

/** Set-up of one queue; windows that are not given are closed. */
void store_setup(struct store *s, uint32_t queue, uint8_t stream, uint8_t prot,
                 const struct store_window *windows, uint32_t count);
/** Multimem windows; those that are not given are closed. */
void store_multimem(struct store *s, const struct store_multimem *windows, uint32_t count);

void store_eval(struct store *s);
void store_tick(struct store *s);

#ifdef __cplusplus
}
#endif
#endif
