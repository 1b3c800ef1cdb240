/* SPDX-License-Identifier: Apache-2.0 */
/* tma_issue - the pins of the issue stage as plain C. */
#ifndef TMA_ISSUE_SHIM_H
#define TMA_ISSUE_SHIM_H

#include <stdint.h>

#include "tma_abi.h"
#include "unit_rtl/barrier_ref.h"
#include "unit_rtl/unit.h"

#define ISSUE_MAX_QUEUES 16
#define ISSUE_MAX_CTAS   16

#ifdef __cplusplus
extern "C" {
#endif

struct issue;

struct issue_info {
	uint32_t ctas, smem_bytes, queues;
};

/* A checked command. */
struct issue_cmd {
	uint32_t queue, fault, ctas, again, bar_op;
	uint64_t fault_address;
	struct tma_command command;
};

struct issue_in {
	uint8_t rst_n, valid, fault_ready;
	struct issue_cmd cmd;
	/* bit: queue */
	uint32_t enable, stopped, resume, cancel, group_full, cp_full, cp_busy, record_room;
	uint32_t resume_index;
	uint32_t bar_ready, bar_update; /* bit: CTA */
	struct {
		uint32_t fault, phase, pending;
	} bar[ISSUE_MAX_CTAS];
	uint32_t pending_read[ISSUE_MAX_QUEUES], pending_write[ISSUE_MAX_QUEUES];
	uint32_t cp_pending[ISSUE_MAX_QUEUES];
};

/* What a path is told, addresses in chunks; fields that the path does not have are 0. */
struct issue_copy {
	uint64_t gaddr;
	uint32_t client, multimem, chunks, cta, src, dst, byte_mask;
	uint32_t qos, cg, l2, evict;
	uint32_t cp_arrive, cp_dst, cp_size, cp_valid;
	uint32_t arrive, ctas, again, barrier, bytes, queue, seq, tag;
	uint32_t dst_ctas, tensor, mode, dim;
	uint32_t coord[5], im2col[3];
};

struct issue_out {
	uint8_t ready, retire, flush, bar_commit, group_add, load_add, group_commit, cp_add, cp_commit;
	uint8_t load_valid, prefetch_valid, store_valid, shared_valid, copy, fence_valid, ans_valid,
		fault_valid;
	uint32_t queue, asleep, waiting, full, issuing;
	uint32_t head[ISSUE_MAX_QUEUES];
	uint64_t fence_address;
	uint32_t bar_valid, bar_addr; /* address in units of 8 bytes */
	struct bar_request bar;
	struct issue_copy load, prefetch, store, shared;
	struct tma_record ans;
	uint32_t fault_queue, fault_seq, fault_tag, fault_code;
	uint64_t fault_address;
};

struct issue *issue_open(void);
void issue_close(struct issue *s);
const struct issue_info *issue_info(void);
struct issue_in *issue_in(struct issue *s);
const struct issue_out *issue_out(const struct issue *s);
void issue_eval(struct issue *s);
void issue_tick(struct issue *s);

#ifdef __cplusplus
}
#endif
#endif
