/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_sim - the pins of one Verilated engine, and some signals behind them, as plain C. No test logic
 * lives behind this header.
 *
 * One cycle: write `in`, tma_sim_eval() to settle, read `out` (valid and ready are final now),
 * then tma_sim_tick() for the rising edge. Inputs may be changed and settled again before a tick.
 * Threads: one engine belongs to one thread. Arrays are sized for the largest configuration.
 */
#ifndef TMA_SIM_H
#define TMA_SIM_H

#include <stdbool.h>
#include <stdint.h>

#define TMA_SIM_MAX_CTAS  16
#define TMA_SIM_MAX_PORTS 4
#define TMA_SIM_MAX_BEAT  128
#define TMA_SIM_MAX_BANKS (TMA_SIM_MAX_BEAT / 16)
#define TMA_SIM_STREAMS   3

#ifdef __cplusplus
extern "C" {
#endif

struct tma_sim;

/* Shape of a configuration. */
struct tma_sim_info {
	const char *name;    /* "small", "default", "max" */
	uint32_t data_bytes; /* one beat of a global port */
	uint32_t ctas;
	uint32_t smem_bytes; /* per CTA */
	uint32_t queues;
	uint32_t ports;
	uint32_t windows;    /* per queue */
	uint32_t reads;      /* read bursts in flight per port */
	uint32_t writes;     /* write bursts, the same */
	uint32_t ids;        /* AXI ids are 0..ids-1 */
	uint32_t multimem;   /* multimem windows */
	uint32_t ring_depth; /* commands that are fetched ahead per queue */
	uint32_t reductions; /* bursts of reductions in flight; 0: none are built */
	uint32_t floats;     /* 0: none of floating point; 1: but for f64; 2: all */
	uint32_t bus_bytes;  /* one beat at the pins, where that is less than one of the engine; else 0 */
};

/* AXI4 manager port, engine -> memory. */
struct tma_axi_out {
	uint8_t ar_valid, ar_len, ar_size, ar_burst, ar_cache, ar_prot, ar_qos, aw_valid, aw_len, aw_size,
		aw_burst, aw_cache, aw_prot, aw_qos;
	uint8_t ar_id, aw_id;
	uint16_t ar_user, aw_user;
	uint64_t ar_addr, aw_addr;
	uint8_t w_valid, w_last, r_ready, b_ready;
	uint8_t w_data[TMA_SIM_MAX_BEAT];
	uint8_t w_strb[TMA_SIM_MAX_BEAT / 8]; /* bit i = byte i of w_data */
};

/* AXI4 manager port, memory -> engine. */
struct tma_axi_in {
	uint8_t ar_ready, aw_ready, w_ready;
	uint8_t r_valid, r_last, r_resp, r_id;
	uint8_t r_data[TMA_SIM_MAX_BEAT];
	uint8_t b_valid, b_resp, b_id;
};

/* External port of one CTA's shared memory: a request is taken when valid and ready, a read's data
 * comes with rvalid in the next cycle. */
struct tma_ext_in {
	uint8_t valid, write;
	uint32_t addr; /* byte offset in the CTA, multiple of 16 */
	uint16_t strb; /* bit i = byte i of wdata */
	uint8_t wdata[16];
};
struct tma_ext_out {
	uint8_t ready, rvalid;
	uint8_t rdata[16];
};

/* AXI4-Lite subordinate port (registers), 17-bit addresses, 32-bit data. */
struct tma_csr_in {
	uint8_t aw_valid, w_valid, b_ready, ar_valid, r_ready, w_strb;
	uint32_t aw_addr, w_data, ar_addr;
};
struct tma_csr_out {
	uint8_t aw_ready, w_ready, b_valid, b_resp, ar_ready, r_valid, r_resp;
	uint32_t r_data;
};

struct tma_sim_in {
	uint8_t rst_n;
	uint8_t cmd_valid, cmd_queue;
	uint8_t cmd[64];
	uint8_t rsp_ready;
	struct tma_csr_in csr;
	struct tma_ext_in ext[TMA_SIM_MAX_CTAS];
	struct tma_axi_in axi[TMA_SIM_MAX_PORTS];
	struct tma_axi_in bus[TMA_SIM_MAX_PORTS]; /* with bus_bytes the pins: `axi` is then only read */
};

/* What goes on at shared memory in this cycle, behind the pins. Bank b of row r is the 16-byte chunk
 * r * banks + b of a CTA, with as many banks as a beat has chunks. */
struct tma_inside {
	uint16_t wr_ctas; /* that the copy paths write */
	uint32_t wr_row[TMA_SIM_MAX_BANKS];
	uint16_t wr_strb[TMA_SIM_MAX_BANKS];
	uint16_t rd_ctas; /* that stores and reductions read; every bank has a row, needed or not */
	uint32_t rd_row[TMA_SIM_MAX_BANKS];
	uint16_t sig_ctas; /* whose barriers take a signal */
	uint8_t sig_arrive;
	uint32_t sig_offset, sig_tx;
	/* A store or reduction has read its last, in the cycle before; by stream: stores, with several ports multimem
	 * stores, reductions. */
	uint8_t read_done[TMA_SIM_STREAMS], read_done_queue[TMA_SIM_STREAMS];
};

struct tma_sim_out {
	uint8_t cmd_ready;
	uint16_t queue_ready; /* bit q: a command for queue q would be taken now */
	uint8_t rsp_valid;
	uint8_t rsp[32];
	uint8_t irq, idle;
	uint8_t paths_idle; /* no pin: no copy, signal, fetch or record is between issue and its end */
	struct tma_inside inside;
	struct tma_csr_out csr;
	struct tma_ext_out ext[TMA_SIM_MAX_CTAS];
	struct tma_axi_out axi[TMA_SIM_MAX_PORTS];
	struct tma_axi_out bus[TMA_SIM_MAX_PORTS];
};

/** Engine of configuration @p config, in reset. @p fst: path of a waveform to write, or NULL. @p seed: of
 * the bits that reset does not set; 0: that of the environment, SEED=N, or else 1.
 * NULL: no such configuration (see tma_sim_configs()) or the waveform cannot be written. */
struct tma_sim *tma_sim_open(const char *config, const char *fst, uint64_t seed);
/** What waveforms show that are opened from now on: all of the engine, or its pins and constants alone, which takes a
 * small part of the time. */
void tma_sim_trace_pins(bool pins);
void tma_sim_close(struct tma_sim *s);

const struct tma_sim_info *tma_sim_info(const struct tma_sim *s);
struct tma_sim_in *tma_sim_in(struct tma_sim *s);
const struct tma_sim_out *tma_sim_out(const struct tma_sim *s);

void tma_sim_eval(struct tma_sim *s);
void tma_sim_tick(struct tma_sim *s);

/** Let queue @p queue be where it would be after @p sequence commands and @p records records: no register
 * can. It is enabled and holds nothing. From the cycle behind the next tick on. */
void tma_sim_count(struct tma_sim *s, uint32_t queue, uint32_t sequence, uint32_t records);

/** Assertions of the RTL that have failed so far, each printed on stderr as it fails. After 5 of them
 * no more are checked: a broken design would fail in every cycle. */
int tma_sim_failed(const struct tma_sim *s);

/** Names of the configurations that this binary holds, NULL-terminated. */
const char *const *tma_sim_configs(void);

#ifdef __cplusplus
}
#endif
#endif
