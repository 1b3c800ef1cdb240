/* SPDX-License-Identifier: Apache-2.0 */
/* tma_completion - the pins of the completion rings as plain C. */
#ifndef TMA_COMPLETION_SHIM_H
#define TMA_COMPLETION_SHIM_H

#include <stdint.h>

#include "tma_abi.h"
#include "unit_rtl/unit.h"

#define COMPLETION_MAX_QUEUES 16

#ifdef __cplusplus
extern "C" {
#endif

struct completion;

struct completion_queue_in {
	uint8_t active, slots_log2;
	uint64_t base;
	uint32_t consumer;
};

struct completion_in {
	uint8_t rst_n, ans_valid, rec_valid, cmd_ready, data_pop, done, event_hold;
	uint32_t done_queue;
	struct tma_record ans, rec;
	struct completion_queue_in queue[COMPLETION_MAX_QUEUES];
};

struct completion_queue_out {
	uint8_t flight, room, rec_room;
	uint32_t producer, held;
};

struct completion_command {
	uint64_t address;
	uint32_t queue, seq, tag; /* low half of the sequence number */
};

struct completion_out {
	uint8_t ans_level, rec_ready, cmd_valid, event, idle;
	struct completion_command cmd;
	struct tma_record data;
	struct completion_queue_out queue[COMPLETION_MAX_QUEUES];
};

struct completion *completion_open(void);
void completion_close(struct completion *c);
uint32_t completion_queues(void);
/* Whether its paths are short: it takes more cycles. */
uint32_t completion_short(void);
struct completion_in *completion_in(struct completion *c);
const struct completion_out *completion_out(const struct completion *c);
void completion_eval(struct completion *c);
void completion_tick(struct completion *c);

#ifdef __cplusplus
}
#endif
#endif
