/* SPDX-License-Identifier: Apache-2.0 */
/* tma_queue_ctl - the pins of the queues' lives as plain C. */
#ifndef TMA_QUEUE_CTL_SHIM_H
#define TMA_QUEUE_CTL_SHIM_H

#include <stdint.h>

#include "unit_rtl/unit.h"

#define QUEUE_CTL_MAX_QUEUES 16
#define QUEUE_CTL_ADDS       2 /* copy left issue, burst left */
#define QUEUE_CTL_DONES      6 /* load, burst, signal, store, cp.async, dropped arrive */

#ifdef __cplusplus
extern "C" {
#endif

struct queue_ctl;

struct queue_ctl_event {
	uint8_t valid;
	uint32_t queue;
};

struct queue_ctl_in {
	uint8_t rst_n, fault_offer;
	uint8_t enable[QUEUE_CTL_MAX_QUEUES], reset[QUEUE_CTL_MAX_QUEUES];
	uint8_t flight[QUEUE_CTL_MAX_QUEUES], pending_fault[QUEUE_CTL_MAX_QUEUES];
	struct queue_ctl_event add[QUEUE_CTL_ADDS], done[QUEUE_CTL_DONES];
};

struct queue_ctl_out {
	uint8_t active[QUEUE_CTL_MAX_QUEUES], closing[QUEUE_CTL_MAX_QUEUES];
	uint8_t drained[QUEUE_CTL_MAX_QUEUES], flight[QUEUE_CTL_MAX_QUEUES];
};

struct queue_ctl *queue_ctl_open(void);
void queue_ctl_close(struct queue_ctl *c);
uint32_t queue_ctl_queues(void);
struct queue_ctl_in *queue_ctl_in(struct queue_ctl *c);
const struct queue_ctl_out *queue_ctl_out(const struct queue_ctl *c);
void queue_ctl_eval(struct queue_ctl *c);
void queue_ctl_tick(struct queue_ctl *c);

#ifdef __cplusplus
}
#endif
#endif
