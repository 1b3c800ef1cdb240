/* SPDX-License-Identifier: Apache-2.0 */
/* tma_ring - the pins of the ring front end as plain C. */
#ifndef TMA_RING_SHIM_H
#define TMA_RING_SHIM_H

#include <stdint.h>

#include "unit_rtl/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RING_QUEUES 16 /* at most */

struct ring;

struct ring_shape {
	uint32_t queues, depth; /* commands fetched ahead per queue */
	uint32_t beat_bytes;
};

struct ring_cfg {
	uint64_t base; /* page of the first slot */
	uint8_t slots; /* log2 */
	uint8_t enable, ring;
};

/* Bit q of a mask is queue q. */
struct ring_in {
	uint8_t rst_n;
	uint32_t stopped, restart, restart_index;
	uint32_t head[RING_QUEUES];
	struct ring_cfg cfg[RING_QUEUES];
	uint8_t door_valid, fetch_ready, denied, r_valid, r_resp, r_last, r_dead, cmd_ready, fault_ready;
	uint32_t door_queue, door_tail, room;
	uint8_t r_data[128];
};

struct ring_out {
	uint32_t tail[RING_QUEUES];
	uint8_t fetch_valid, r_ready, cmd_valid, fault_valid, idle;
	uint32_t fetch_queue, fetch_chunks, fetch_probe, fetch_of_map;
	uint64_t fetch_addr;
	uint32_t cmd_queue, cmd_fetch; /* fetch_e of tma_front_pkg */
	uint8_t cmd[64];
	uint32_t fault_queue, fault_seq, fault_tag, fault_code;
	uint64_t fault_address;
	uint32_t held, flight;
};

struct ring *ring_open(void);
void ring_close(struct ring *r);
struct ring_shape ring_shape(void);
struct ring_in *ring_in(struct ring *r);
const struct ring_out *ring_out(const struct ring *r);
void ring_eval(struct ring *r);
void ring_tick(struct ring *r);

#ifdef __cplusplus
}
#endif
#endif
