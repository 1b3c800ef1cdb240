/* SPDX-License-Identifier: Apache-2.0 */
/* tma_csr - the pins of the registers as plain C. */
#ifndef TMA_CSR_SHIM_H
#define TMA_CSR_SHIM_H

#include <stdint.h>

#include "sim/tma_sim.h"
#include "unit_rtl/unit.h"

#define CSR_MAX_QUEUES   16
#define CSR_MAX_WINDOWS  8
#define CSR_MAX_MULTIMEM 8
#define CSR_MAX_PORTS    4
#define CSR_COUNTERS     14

#ifdef __cplusplus
extern "C" {
#endif

struct csr;

struct csr_info {
	uint32_t data_bytes, ctas, smem_bytes, queues, ports, windows, reads, multimem, maps, packed;
};

struct csr_status {
	uint8_t faulted;
	uint16_t code, count;
	uint32_t seq, tag;
	uint64_t address;
};

/* State of one queue. */
struct csr_queue {
	uint8_t active, closing, busy, waiting, full, drained;
	uint32_t head, tail, producer;
	uint32_t held; /* records */
	struct csr_status status;
};

struct csr_in {
	uint8_t rst_n, idle, dead; /* dead: bit p */
	struct csr_queue queues[CSR_MAX_QUEUES];
	uint8_t rec_done, rec_done_queue;
	uint16_t events; /* bit i: counter i */
	struct tma_csr_in axil;
};

struct csr_cfg {
	uint8_t enable, ring, cta, stream, prot;
	uint16_t cta_mask, cancel_mask;
	uint8_t slots, completion_slots;     /* log2 */
	uint64_t ring_base, completion_base; /* pages */
};

/* Pages. */
struct csr_window {
	uint64_t base, limit;
	uint8_t read, write, multimem;
};

struct csr_multimem {
	uint64_t base, limit, port_base[CSR_MAX_PORTS];
	uint8_t ports;
};

/* What a write sets off. Masks have a bit per queue. */
struct csr_pulses {
	uint8_t door, door_queue;
	uint32_t door_tail;
	uint16_t resume, reset, cancel;
	uint32_t resume_index;
};

struct csr_out {
	uint8_t axcache, granule16, irq;
	uint32_t watchdog;
	struct csr_pulses pulses;
	uint32_t consumer[CSR_MAX_QUEUES];
	struct csr_cfg cfg[CSR_MAX_QUEUES];
	struct csr_window windows[CSR_MAX_QUEUES][CSR_MAX_WINDOWS];
	struct csr_multimem multimem[CSR_MAX_MULTIMEM];
	struct tma_csr_out axil;
};

struct csr *csr_open(void);
void csr_close(struct csr *c);
const struct csr_info *csr_info(void);
struct csr_in *csr_in(struct csr *c);
/** Set-up and CONSUMERs as of the last csr_get_setup(), everything else as of the last eval or tick. */
const struct csr_out *csr_out(const struct csr *c);
void csr_get_setup(struct csr *c);
void csr_eval(struct csr *c);
void csr_tick(struct csr *c);

/** Put a value into a counter's memory, for what would take years to count. */
void csr_poke_counter(struct csr *c, uint32_t index, uint64_t value);

#ifdef __cplusplus
}
#endif
#endif
