/* SPDX-License-Identifier: Apache-2.0 */
/* tma_ports - the pins of a read port, two write ports and a watchdog as plain C. */
#ifndef TMA_PORTS_SHIM_H
#define TMA_PORTS_SHIM_H

#include <stdint.h>

#include "unit_rtl/unit.h"

#define PORTS_WRITE 2

#ifdef __cplusplus
extern "C" {
#endif

struct ports;

struct ports_info {
	uint32_t reads, writes; /* bursts in flight */
};

/* AR or AW; the latter has no id. */
struct ports_addr {
	uint64_t addr;
	uint32_t id, len, cache, prot, qos, user;
};

/* R or W, of its data the low 64 bits; what a channel does not have is zero. */
struct ports_beat {
	uint64_t data;
	uint32_t id, resp, strb, last, dead;
};

struct ports_read_in {
	uint8_t dead, ar_valid, r_ready, pin_ar_ready, pin_r_valid;
	struct ports_addr ar;
	struct ports_beat pin_r;
};

struct ports_read_out {
	uint8_t ar_ready, r_valid, pin_ar_valid, pin_r_ready, pending, progress;
	struct ports_addr pin_ar;
	struct ports_beat r;
};

struct ports_write_in {
	uint8_t dead, aw_valid, w_valid, b_ready, pin_aw_ready, pin_w_ready, pin_b_valid, pin_b_resp;
	struct ports_addr aw;
	struct ports_beat w;
};

struct ports_write_out {
	uint8_t aw_ready, w_ready, b_valid, b_resp, b_dead;
	uint8_t pin_aw_valid, pin_w_valid, pin_b_ready, pending, progress;
	struct ports_addr pin_aw;
	struct ports_beat pin_w;
};

struct ports_in {
	uint8_t rst_n, watch_pending, watch_progress; /* bit 0 reads, 1 writes */
	uint32_t limit;
	struct ports_read_in read;
	struct ports_write_in write[PORTS_WRITE];
};

struct ports_out {
	uint8_t watch_dead;
	struct ports_read_out read;
	struct ports_write_out write[PORTS_WRITE];
};

struct ports *ports_open(void);
void ports_close(struct ports *p);
const struct ports_info *ports_info(void);
struct ports_in *ports_in(struct ports *p);
const struct ports_out *ports_out(const struct ports *p);

void ports_eval(struct ports *p);
void ports_tick(struct ports *p);

#ifdef __cplusplus
}
#endif
#endif
