/* SPDX-License-Identifier: Apache-2.0 */
/* tma_cmd_queue - the pins of the command queues as plain C. */
#ifndef TMA_CMD_QUEUE_SHIM_H
#define TMA_CMD_QUEUE_SHIM_H

#include <stdint.h>

#include "tma_abi.h"
#include "unit_rtl/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cmdq;

/* Bit q of a mask is queue q. */
struct cmdq_in {
	uint8_t rst_n, valid, out_ready, retire, flush;
	uint32_t queue, retire_queue, flush_queue;
	uint32_t enable, blocked, answer_ready, ring_bound, resume, resume_skip;
	uint32_t path_ready; /* bit: path */
	struct tma_command command;
	uint8_t ring_valid, ring_fetch; /* fetch_e of tma_front_pkg */
	uint32_t ring_queue;
	struct tma_command ring_command;
};

struct cmdq_out {
	uint8_t ready, ring_ready, valid, stalled, fetch;
	uint32_t queue, queue_ready, room, held;
	uint32_t held_count[16];
	struct tma_command command;
};

struct cmdq *cmdq_open(void);
void cmdq_close(struct cmdq *c);
uint32_t cmdq_queues(void);
/* Whether its paths are short: it takes more cycles. */
uint32_t cmdq_short(void);
struct cmdq_in *cmdq_in(struct cmdq *c);
const struct cmdq_out *cmdq_out(const struct cmdq *c);
void cmdq_eval(struct cmdq *c);
void cmdq_tick(struct cmdq *c);

#ifdef __cplusplus
}
#endif
#endif
