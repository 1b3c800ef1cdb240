/* SPDX-License-Identifier: Apache-2.0 */
/* tma_queue_tail - the pins of the queues' progress as plain C. */
#ifndef TMA_QUEUE_TAIL_SHIM_H
#define TMA_QUEUE_TAIL_SHIM_H

#include <stdint.h>

#include "unit_rtl/unit.h"

#define QUEUE_TAIL_MAX_QUEUES 16

#ifdef __cplusplus
extern "C" {
#endif

struct queue_tail;

struct queue_tail_queue {
	uint8_t ring, held, resume; /* held: 0 to 8 commands */
	uint32_t head, ring_tail;
};

struct queue_tail_in {
	uint8_t index; /* low four bits of RESUME */
	struct queue_tail_queue queue[QUEUE_TAIL_MAX_QUEUES];
};

struct queue_tail_out {
	uint8_t skip;
	uint32_t tail[QUEUE_TAIL_MAX_QUEUES];
};

struct queue_tail *queue_tail_open(void);
void queue_tail_close(struct queue_tail *t);
uint32_t queue_tail_queues(void);
struct queue_tail_out queue_tail_eval(struct queue_tail *t, const struct queue_tail_in *in);

#ifdef __cplusplus
}
#endif
#endif
