/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_csr_map - the registers as a table in C: what a read answers, what a write changes.
 *
 * Addresses are written out here and not taken from the generated header: this is the second
 * opinion on it.
 */
#ifndef TMA_CSR_MAP_H
#define TMA_CSR_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "tma_csr_pins.h"

#define CSR_COUNTERS 14

#define OKAY   0u /* responses */
#define SLVERR 2u

#define ALL 15u /* strobes */

#define CSR_MAGIC           0x010u
#define CSR_AXCACHE         0x034u
#define CSR_WINDOW_INDEX    0x038u
#define CSR_WINDOW_ATTR     0x03Cu
#define CSR_WINDOW_BASE_LO  0x040u
#define CSR_WINDOW_BASE_HI  0x044u
#define CSR_WINDOW_LIMIT_LO 0x048u
#define CSR_WINDOW_LIMIT_HI 0x04Cu
#define CSR_WATCHDOG        0x050u
#define CSR_PORTS           0x054u
#define CSR_BEHAVIOUR       0x058u
#define CSR_MULTIMEM_INDEX  0x060u
#define CSR_MULTIMEM_PORTS  0x064u
#define CSR_MULTIMEM_BASE   0x068u
#define CSR_MULTIMEM_LIMIT  0x070u
#define CSR_MULTIMEM_PORT   0x078u
#define CSR_COUNTER(i)      (0x100u + 8u * (i))
#define CSR_QUEUE(q)        (0x800u + 0x80u * (q))
#define CSR_CONTROL         0x00u
#define CSR_CTA             0x04u
#define CSR_STREAM          0x08u
#define CSR_RING_BASE       0x28u
#define CSR_COMPLETION_BASE 0x30u
#define CSR_RING_SIZE       0x38u
#define CSR_CANCEL_MASK     0x3Cu
#define CSR_DOOR(q)         (0x1000u + 0x1000u * (q))
#define CSR_TAIL            0x00u
#define CSR_CONSUMER        0x08u
#define CSR_PENDING         0x10u
#define CSR_INT_ENABLE      0x14u
#define CSR_RESUME          0x30u
#define CSR_RESET           0x34u
#define CSR_CANCEL          0x38u

/* What a write sets off. Masks have a bit per queue. */
struct csr_pulses {
	uint8_t door, door_queue;
	uint32_t door_tail;
	uint16_t resume, reset, cancel;
	uint32_t resume_index;
};

struct csr_map {
	const struct unit_shape *info;
	uint8_t axcache, behaviour;
	uint32_t watchdog;
	uint32_t queue, window;  /* WINDOW_INDEX */
	uint32_t multi, port;    /* MULTIMEM_INDEX */
	uint16_t pending, allow; /* interrupts: bit q */
	uint32_t consumer[16];
	struct csr_queue_cfg cfg[16];
	struct csr_ring_cfg ring[16];
	struct csr_window windows[16][8];
	struct csr_multimem multimem[8];
	struct csr_queue_status status[16]; /* of the engine: stays in a reset */
};

void csr_map_reset(struct csr_map *m, const struct unit_shape *info);

/** AXI response; @p value is 0 unless it is OKAY. Counters read 0 here. @p in: state of the engine */
uint32_t csr_map_read(const struct csr_map *m, const struct csr_in *in, uint32_t address, uint32_t *value);

/** Some write to this address is accepted, at some time. */
bool csr_map_writable(const struct csr_map *m, uint32_t address);

/** AXI response; the map changes when it is OKAY. @p old: what the register read before.
 * @p pulses: what the write sets off, with resume_index and door_tail 0 where nothing uses them */
uint32_t csr_map_write(struct csr_map *m, const struct csr_in *in, uint32_t address, uint32_t old,
                       uint32_t value, uint32_t strobes, struct csr_pulses *pulses);

/** What happens at every edge, after the write of the cycle. */
void csr_map_clock(struct csr_map *m, const struct csr_in *in);

#endif
