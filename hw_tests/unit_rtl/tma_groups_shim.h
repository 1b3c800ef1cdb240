/* SPDX-License-Identifier: Apache-2.0 */
/* tma_groups - the pins of the bulk groups as plain C. */
#ifndef TMA_GROUPS_SHIM_H
#define TMA_GROUPS_SHIM_H

#include <stdint.h>

#include "unit_rtl/unit.h"

#define GROUPS_MAX_QUEUES 16

#ifdef __cplusplus
extern "C" {
#endif

struct groups;

struct groups_in {
	uint8_t rst_n;
	uint8_t enable[GROUPS_MAX_QUEUES], resume[GROUPS_MAX_QUEUES];
	uint8_t add, load_add, commit, cp_add, cp_commit; /* of `queue` */
	uint8_t read_done, write_done, load_done /* bit: channel */, cp_done;
	uint32_t queue, read_done_queue, write_done_queue, load_done_queue, cp_done_queue;
};

struct groups_out {
	uint8_t full[GROUPS_MAX_QUEUES], cp_full[GROUPS_MAX_QUEUES], cp_busy[GROUPS_MAX_QUEUES];
	uint32_t pending_read[GROUPS_MAX_QUEUES], pending_write[GROUPS_MAX_QUEUES];
	uint32_t cp_pending[GROUPS_MAX_QUEUES];
};

struct groups *groups_open(void);
void groups_close(struct groups *g);
uint32_t groups_queues(void);
/** Operations of one queue that the store path can hold. */
uint32_t groups_operations(void);
/** cp.async of one queue that the load path can hold. */
uint32_t groups_cp_operations(void);
struct groups_in *groups_in(struct groups *g);
const struct groups_out *groups_out(const struct groups *g);
void groups_eval(struct groups *g);
void groups_tick(struct groups *g);

#ifdef __cplusplus
}
#endif
#endif
