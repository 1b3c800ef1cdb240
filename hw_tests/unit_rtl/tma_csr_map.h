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

#include "unit_rtl/tma_csr_shim.h"

#define CSR_MAGIC           0x010u
#define CSR_AXCACHE         0x034u
#define CSR_WINDOW_INDEX    0x038u
#define CSR_WINDOW_ATTR     0x03Cu
#define CSR_WINDOW_BASE_LO  0x040u
#define CSR_WINDOW_BASE_HI  0x044u
#define CSR_WINDOW_LIMIT_LO 0x048u
#define CSR_WINDOW_LIMIT_HI 0x04Cu
#define CSR_COUNTER(i)      (0x100u + 8u * (i))
#define CSR_QUEUE(q)        (0x800u + 0x80u * (q))
#define CSR_CONTROL         0x00u
#define CSR_CTA             0x04u
#define CSR_STREAM          0x08u

struct csr_map {
	const struct csr_info *info;
	uint8_t axcache;
	uint32_t queue, window; /* WINDOW_INDEX */
	struct csr_cfg cfg[CSR_MAX_QUEUES];
	struct csr_window windows[CSR_MAX_QUEUES][CSR_MAX_WINDOWS];
};

void csr_map_reset(struct csr_map *m, const struct csr_info *info);

/** AXI response; @p value is 0 unless it is OKAY. Counters read 0 here. @p in: state of the engine */
uint32_t csr_map_read(const struct csr_map *m, const struct csr_in *in, uint32_t address, uint32_t *value);

/** Some write to this address is accepted, at some time. */
bool csr_map_writable(const struct csr_map *m, uint32_t address);

/** AXI response; the map changes when it is OKAY. */
uint32_t csr_map_write(struct csr_map *m, const struct csr_in *in, uint32_t address, uint32_t value,
                       uint32_t strobes);

#endif
